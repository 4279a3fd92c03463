"""The command line: where it runs, what it shows, what it leaves alone, and who may run at once."""

import os
import re
import time
from html.parser import HTMLParser
from pathlib import Path

import duckdb
import pytest
import yaml

from tests.helpers.tiny_campaign import EVERYTHING, Ended, Tiny, copy_code, shown
from tests.helpers.warm import Warm

TIME = re.compile(r"(?:\d+ min )?[\d.]+ s\b")


@pytest.mark.exhaustive
def test_from_nothing_one_step_at_a_time(fresh: Tiny, tiny: Tiny) -> None:
    planned = fresh.run("--dry-run").shown.splitlines()
    assert planned[0] == "reading and checking the raw files"
    assert planned[-2:] == [
        "22 steps would run.",
        "What follows ingest depends on what it finds: fewer, or others.",
    ]
    assert not (fresh.work / "results").exists()

    ended = fresh.run("--cores", "1", real=True)
    assert ended.ran == EVERYTHING
    shown = TIME.sub("… s", ended.shown).splitlines()
    note = (
        "        ana agrees with people on 91.7% of the responses that both have judged, "
        "except those that both call not attempted"
    )
    remarks = (
        "        a remark on the input: see the last section of the report, or the table remarks"
    )
    assert note in shown
    assert remarks in shown
    shown = [line for line in shown if line not in (note, remarks)]
    first, *steps, report, done = shown
    assert first == "[1/?]   reading and checking the raw files (… s)"
    assert [step[:8] for step in steps] == [f"[{number:>2}/22] " for number in range(2, 23)]
    assert {step[8:] for step in steps} == {
        *(
            f"{doing} {collection} by {judge} (… s)"
            for doing in ("judging", "scoring")
            for collection, judge in (("alpha", "people"), ("alpha", "ana"), ("beta", "people"))
        ),
        *(
            f"{doing} of {collection}{by} (… s)"
            for doing, by in (
                ("comparing the rankings", ""),
                ("studying significance", " by people"),
            )
            for collection in ("alpha", "beta")
        ),
        "comparing ana with the reference of alpha (… s)",
        *(
            f"{doing} {collection}{more} (… s)"
            for doing, more in (
                ("gathering the tables of", ""),
                ("drawing", ""),
                ("drawing the figures of", " for papers"),
                ("showing the questions of", ""),
            )
            for collection in ("alpha", "beta")
        ),
        "publishing the tables (… s)",
        "making the report (… s)",
    }
    assert report == "Report: results/tiny/report/index.html"
    assert done == "Done: 22 steps in … s."
    assert_columns(fresh)

    assert (fresh.work / report.removeprefix("Report: ")).exists()
    assert fresh.tables() == tiny.tables()
    assert fresh.computed() == tiny.computed()  # which took two cores: the same bytes


def test_a_dry_run_names_the_cause_for_pages_that_stay_until_they_are_made_again(
    tiny: Tiny,
) -> None:
    (tiny.results / "report/questions-beta.html").unlink()
    shown = tiny.run("--dry-run").shown
    assert "lost: results/tiny/report/questions-beta.html" in shown
    assert "Forced execution" not in shown


@pytest.mark.exhaustive
def test_a_dry_run_says_what_would_run_and_changes_nothing(tiny: Tiny) -> None:
    (tiny.results / "alpha/scores/ana.parquet").unlink()
    before = tiny.files()
    *lines, number = tiny.run("--dry-run").shown.splitlines()
    causes = [line.partition(" results/")[0] for line in lines[1::2]]
    later = "    Input files updated by another job:"
    assert dict(zip(lines[::2], causes, strict=True)) == {
        "scoring alpha by ana": "    lost:",
        "comparing the rankings of alpha": later,
        "gathering the tables of alpha": "    lost:",
        "showing the questions of alpha": later,
        "drawing alpha": later,
        "drawing the figures of alpha for papers": later,
        "publishing the tables": later,
        "making the report": later,
    }
    assert number == "8 steps would run."
    assert tiny.files() == before


@pytest.mark.exhaustive
def test_verbose_gives_the_words_of_snakemake_back(tiny: Tiny) -> None:
    shown = tiny.run("--verbose").shown
    assert "Building DAG of jobs..." in shown
    assert "Nothing to be done (all requested files are present and up to date)." in shown


HOSTILE_FILES = {
    "-leading dash.csv": "-leading dash",
    "{braces} {{twice}} {wildcards.run}.csv": "{braces} {{twice}} {wildcards.run}",
    "🎉 party.csv": "🎉 party",
    "$(touch gotcha) `id` 'q' \"d\".csv": "$(touch gotcha) `id` 'q' \"d\"",
    "[a-z]*.csv": "[a-z]*",
}
HOSTILE_IDS = [
    "=cmd()",
    "meta-llama/Llama-3.1-70B",
    "../../x",
    "..",
    "CON",
    "<img src=x onerror=alert(1)>",
    "مرحبا",
    "constructor",
    "__proto__",
    'it\'s "quoted"; DROP TABLE runs; --',
    "comma, and {{ 7 * 7 }} %s",
    "&amp;",
]


class Page(HTMLParser):
    """What a browser makes of a page: elements and texts."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: set[str] = set()
        self.texts: set[str] = set()
        self.name = ""
        self.feed(html)

    def handle_starttag(self, tag: str, *_: object) -> None:
        self.tags.add(tag)
        if tag == "bdi":
            self.name = ""

    def handle_endtag(self, tag: str) -> None:
        if tag == "bdi":
            self.texts.add(self.name.strip())  # a long name is in two halves

    def handle_data(self, data: str) -> None:
        self.texts.add(data.strip())
        self.name += data


@pytest.mark.exhaustive
def test_places_files_and_ids_with_odd_names(tmp_path: Path, warm: Warm | None) -> None:
    odd = "a {place} with spaces, ünïcödé, 'quotes' & {{more}}"
    tiny = Tiny(tmp_path / odd, warm, data="my {data} 数据", work="{work} here")
    copy_code(tiny.project)
    tiny.work.mkdir()
    for file in HOSTILE_FILES:
        tiny.write(f"runs {{all}}/{file}", "question,answer\nq {1},yes\n")
    quoted = ['"' + run.replace('"', '""') + '"' for run in HOSTILE_IDS]
    rows = "".join(f"{run},q {{1}},no\n" for run in quoted)
    tiny.write("many.csv", f"run,question,answer\n{rows}")
    tiny.write("labels.csv", "question,answer,label\nq {1},yes,right\nq {1},no,wrong\n")
    tiny.write(
        "config.yaml",
        "campaign: tiny\ncollections:\n  odd:\n    runs: ['runs {all}/*', many.csv]\n"
        "    assessments: labels.csv\n",
    )
    # relative paths, from a directory that is neither the project's nor the one to work in
    elsewhere = tmp_path / odd / "elsewhere"
    elsewhere.mkdir()
    command = [word.replace(str(tiny.folder), "..") for word in tiny.command()]
    ended = tiny.call(command, cwd=elsewhere, real=True)
    studies = ("stability", "swap", "sizes", "significance")
    own = {f"odd/{job}/people" for job in ("judge", "score", *studies)} | {"odd/correlate"}
    assert ended.ran == {"ingest", *own, *shown("odd"), "publish", "report"}
    assert list(elsewhere.iterdir()) == []
    assert not list(tmp_path.rglob("gotcha*"))
    assert tiny.call(command, cwd=elsewhere).ran == set()

    expected = dict.fromkeys(HOSTILE_FILES.values(), 1.0) | dict.fromkeys(HOSTILE_IDS, 0.0)
    assert (
        tiny.values(collection="odd") == expected
    )  # and tables() sees to it that CSV says the same
    assert {row[1] for row in tiny.tables()["runs"]} == expected.keys()
    page = Page((tiny.results / "report/index.html").read_text(encoding="utf-8"))
    assert "img" not in page.tags
    assert expected.keys() <= page.texts


@pytest.mark.exhaustive
def test_the_bundled_campaign_from_another_directory(bundled: tuple[Tiny, Ended]) -> None:
    """Values of Peñas & Rodrigo (2011), Table 3."""
    tiny, _ = bundled
    runs = ("icia091ro", "uaic092ro", "loga092de", "base092de")
    c_at_1, accuracy = (tiny.values(name, "clef2009") for name in ("c_at_1", "accuracy"))
    assert [c_at_1[run] for run in runs] == pytest.approx([0.575436, 0.472, 0.436084, 0.378])
    assert [accuracy[run] for run in runs] == [0.474, 0.472, 0.374, 0.378]
    assert len(c_at_1) == 44
    assert_columns(tiny)


# Column names are a contract: people's queries have them.
COLUMNS = {
    "runs": "collection run kind team category",
    "judges": "collection judge kind reference",
    "measures": "collection measure label better task citation formula",
    "scores": "collection judge measure slice run value questions rank_first rank_last low high",
    "counts": "collection judge slice run questions right wrong unanswered withheld_right "
    "withheld_wrong missing unassessed answers right_answers questions_with_right known",
    "questions": "collection judge question slice right_runs best difficulty",
    "provenance": "topic name value",
}


def assert_columns(tiny: Tiny) -> None:
    tiny.tables()  # the CSV files say the same
    with duckdb.connect(str(tiny.results / "results.duckdb"), read_only=True) as connection:
        for table, wanted in COLUMNS.items():
            found = connection.sql(f"FROM {table}")
            assert set(wanted.split()) <= set(found.columns)
        numbers = connection.execute(
            "SELECT table_name, column_name FROM information_schema.columns "
            "WHERE data_type IN ('DOUBLE', 'FLOAT')"
        ).fetchall()
        assert ("scores", "value") in numbers
        for table, column in numbers:
            odd = f'SELECT count(*) FROM {table} WHERE isnan("{column}") OR isinf("{column}")'
            assert connection.execute(odd).fetchone() == (0,)


@pytest.mark.exhaustive
def test_a_second_run_of_a_campaign_is_refused_and_another_campaign_is_not(tiny: Tiny) -> None:
    tiny.correct_a_label()
    config = yaml.safe_load(tiny.read("config.yaml"))
    other = {"campaign": "other", "collections": {"beta": config["collections"]["beta"]}}
    other["defaults"] = config["defaults"]
    tiny.write("other.yaml", yaml.safe_dump(other))
    with tiny.start("--cores", "1", hold="results/tiny/results.duckdb") as first:
        first.wait_for_hold()
        before = tiny.files()
        second = tiny.run(code=1)
        assert second.shown == (
            f"another run of campaign tiny is under way (process {first.pid} on "
            f"{os.uname().nodename})\n"
        )
        assert tiny.files() == before
        # A dry run looks, and a summary; another campaign goes its way to the end.
        assert "would run" in tiny.run("--dry-run").shown
        command = tiny.command()
        command[command.index("--configfile") + 1] = str(tiny.data / "other.yaml")
        assert "Done: 11 steps" in tiny.call(command).shown
        first.release()
        assert first.wait() == 0, first.shown
    assert "Done: 11 steps" in first.shown
    assert tiny.values(collection="beta") == {"b1": 1.0, "b2": 1.0}
    tiny.results = tiny.work / "results/other"
    assert tiny.values(collection="beta") == {"b1": 1.0, "b2": 1.0}
    assert {row[0] for row in tiny.tables()["scores"]} == {"beta"}


@pytest.mark.exhaustive
def test_who_reads_the_results_is_not_disturbed_and_never_sees_a_half(tiny: Tiny) -> None:
    path = tiny.results / "results.duckdb"
    query = "SELECT value FROM scores WHERE measure = 'c_at_1' AND slice = 'all' AND run = 'b2'"
    tiny.correct_a_label()
    seen: dict[int, set[bytes]] = {}
    with duckdb.connect(str(path), read_only=True) as reader, tiny.start() as started:
        while started.poll() is None:
            assert reader.execute(query).fetchone() == (0.5,)
            with path.open("rb") as file:  # it is there at any moment
                seen.setdefault(os.fstat(file.fileno()).st_ino, set()).add(file.read())
            time.sleep(0.01)
        assert reader.execute(query).fetchone() == (0.5,)
        assert started.wait() == 0, started.shown
    assert [len(contents) for contents in seen.values()] == [1, 1]  # old and new, both whole
    assert tiny.values(collection="beta") == {"b1": 1.0, "b2": 1.0}
