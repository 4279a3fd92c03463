"""The page: everything that is in the tables, as text, and nothing from anywhere else."""

import base64
import hashlib
import json
import re
from functools import cache
from html.parser import HTMLParser
from itertools import pairwise
from typing import Any

import altair as alt
import polars as pl
import pytest
import vl_convert

from qampaign.report.collection import arrange
from qampaign.report.figures import drawn, figure
from qampaign.report.leaderboards import latex, markdown
from qampaign.report.page import render, show
from qampaign.report.text import fixed, span
from tests.report.report_campaign import SCHEMAS, frame, tables, together
from tests.report.whole_campaign import campaign

HOSTILE = [
    "<img src=x onerror=alert(1)>",
    "</script><script>alert(2)</script>",
    '"><b onclick="x">',
    "{{ 7 * 7 }}",
    "a\u2028b\u2029c",
    "<!--",
    "مرحبا",
    "🦉" * 60,
]

VOID = {"meta", "input", "br"}


class Page(HTMLParser):
    """The page as a browser takes it apart: elements with their attributes and their own text."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[dict[str, Any]] = []
        self.open: list[dict[str, Any]] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = {"tag": tag, "text": "", "inside": [each["tag"] for each in self.open]} | {
            f"@{name}": value or "" for name, value in attrs
        }
        self.elements.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop()["tag"] == tag

    def handle_data(self, data: str) -> None:
        for element in self.open:
            element["text"] += data

    def all(self, tag: str, **attributes: str) -> list[dict[str, Any]]:
        """Elements with this tag and, where asked for, this word in an attribute."""
        return [
            element
            for element in self.elements
            if element["tag"] == tag
            and all(
                value in element.get(f"@{name}", "").split() for name, value in attributes.items()
            )
        ]

    def texts(self, tag: str, **attributes: str) -> list[str]:
        return [element["text"].strip() for element in self.all(tag, **attributes)]

    def data(self) -> list[dict[str, Any]]:
        """What is embedded for the browser, a collection at a time."""
        return [json.loads(element["text"]) for element in self.all("script", **{"class": "data"})]


@cache
def html() -> str:
    return render(tables(), title="A small campaign")


@cache
def page() -> Page:
    return Page(html())


def leaderboard(of: Page) -> list[dict[str, dict[str, Any]]]:
    """The rows of the first leaderboard, each as its cells by the key of their column."""
    keys: list[str] = []
    rows: list[list[dict[str, Any]]] = []
    for element in of.elements:
        if element["tag"] == "table" and element.get("@class") == "counts":
            break
        if element["tag"] == "tr" and "@data-run" in element:
            rows.append([])
        elif rows and element["tag"] in ("td", "th"):
            rows[-1].append(element)
        elif "@data-key" in element:
            keys.append(element["@data-key"])
    return [dict(zip(keys, row, strict=True)) for row in rows]


def column(of: Page, key: str) -> list[str]:
    """A column of the first leaderboard, from the top."""
    return [row[key]["text"].strip() for row in leaderboard(of)]


def test_the_same_tables_give_the_same_bytes() -> None:
    assert render(tables(), title="A small campaign").encode() == html().encode()


def test_a_missing_table_is_named() -> None:
    given = tables()
    del given["remarks"]
    with pytest.raises(ValueError, match="remarks"):
        render(given, title="x")


def test_runs_stand_by_rank_and_equal_ones_share_a_range() -> None:
    """The baseline is not ranked, so that it comes last, with a dash."""
    assert column(page(), "text:rank") == ["1", "2–3", "2–3", "–"]
    assert column(page(), "run") == ["careful", "steady", "twin", "all_yes baseline"]
    assert leaderboard(page())[3]["text:rank"]["@title"] == "not ranked"


def test_values_have_three_places_and_an_interval() -> None:
    """c@1 of careful is (5 + 4·5/10)/10 = 0.7, its interval 0.41 to 0.78125."""
    careful = leaderboard(page())[0]
    assert careful["measure:1"]["text"] == "0.700"
    assert careful["text:interval"]["text"] == "0.410 to 0.781"
    assert careful["measure:1"]["@class"].split() == ["primary", "best"]


def test_the_best_value_is_marked_unless_all_are_equal() -> None:
    """With every value 0.5 nothing stands out, on the page, in its data or in tables for papers."""
    assert len(page().all("td", **{"class": "best"})) == 3  # c@1 of one run, accuracy of two
    given = tables()
    given["scores"] = given["scores"].with_columns(value=pl.lit(0.5))
    equal = Page(render(given, title="x"))
    assert equal.all("td", **{"class": "best"}) == []
    views = [view for judge in equal.data()[0]["views"] for view in judge]
    assert all(scores["best"] == [] for view in views for scores in view["scores"])
    [collection] = arrange(given)
    assert "**" not in markdown(collection)
    assert "textbf" not in latex(collection)


def test_the_best_of_a_measure_of_errors_is_the_lowest() -> None:
    """Brier scores by run: all_yes 0.1 is not ranked, careful has 0.2, the others 0.3."""
    given = tables()
    error = {"all_yes": 0.1, "careful": 0.2, "steady": 0.3, "twin": 0.3}
    brier = pl.col("run").replace_strict(error, return_dtype=pl.Float64)
    given["scores"] = given["scores"].with_columns(
        value=pl.when(pl.col("measure") == "brier").then(brier).otherwise("value"),
        rank_first=pl.when(pl.col("run") != "all_yes").then(1),
    )
    best = [row["measure:2"].get("@class") for row in leaderboard(Page(render(given, title="x")))]
    assert best == ["best", None, None, None]


def test_what_is_not_available_is_a_dash_and_never_nan() -> None:
    given = tables()
    nan = pl.when(pl.col("run") == "steady").then(float("nan")).otherwise(pl.col("value"))
    given["scores"] = given["scores"].with_columns(value=nan)
    rows = leaderboard(Page(render(given, title="x")))
    [steady] = [row for row in rows if row["run"]["text"].strip() == "steady"]
    assert [steady[f"measure:{index}"]["text"] for index in range(3)] == ["–", "–", "–"]
    for of in (page(), Page(render(given, title="x"))):
        assert all("NaN" not in element["text"] for element in of.all("table"))
        assert all(
            "NaN" not in element["text"] for element in of.all("script", **{"class": "data"})
        )


def test_a_score_that_no_row_has_is_not_available() -> None:
    given = tables()
    given["scores"] = given["scores"].filter(pl.col("run") != "twin")
    rows = leaderboard(Page(render(given, title="x")))
    [twin] = [row for row in rows if row["run"]["text"].strip() == "twin"]
    assert [twin[f"measure:{index}"]["text"] for index in range(3)] == ["–", "–", "–"]


def test_counts_and_their_shares() -> None:
    """careful: 5 right, 1 wrong, 4 unanswered, and so are the widths in its bar."""
    careful = leaderboard(page())[0]
    counts = {key: cell["text"] for key, cell in careful.items() if key.startswith("count:")}
    assert counts == {
        "count:right": "5", "count:wrong": "1", "count:unanswered": "4", "count:unassessed": "0",
    }  # fmt: skip
    bars = [each for each in page().all("i") if "flex-grow" in each["@style"]]
    assert [(bar["@class"], bar["@style"]) for bar in bars[:3]] == [
        ("right", "flex-grow:5"),
        ("wrong", "flex-grow:1"),
        ("unanswered", "flex-grow:4"),
    ]


def test_unanswered_is_split_into_what_was_withheld_and_nothing() -> None:
    """careful held back 1 right and 2 wrong candidates of its 4: on 1 it showed nothing."""
    [collection] = page().data()
    place = [run["run"] for run in collection["runs"]].index("careful")
    counts = collection["views"][0][0]["counts"]
    parts = ("withheld_right", "withheld_wrong", "nothing_shown")
    assert [counts[part][place] for part in parts] == [1, 2, 1]


def test_a_count_that_is_nowhere_has_no_column() -> None:
    """The second judge leaves an answer unassessed; no run misses a question."""
    heads = page().texts("th", scope="col")
    assert "Unassessed" in heads
    assert "No response" not in heads


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_name_is_only_a_name(name: str) -> None:
    given = tables(title=name, note=name, judges=(name, "key"), rename={"careful": name})
    hostile = pl.lit(name)
    given["measures"] = given["measures"].with_columns(label=hostile, formula=hostile)
    given["runs"] = given["runs"].with_columns(team=hostile, category=hostile)
    given["sources"] = given["sources"].with_columns(path=hostile, sha256=hostile)
    given["remarks"] = given["remarks"].with_columns(remark=hostile)
    given["provenance"] = given["provenance"].with_columns(topic=hostile, value=hostile)
    attacked = Page(render(given, title=name))
    plain = page()

    def shape(of: Page, *tags: str) -> list[int]:
        return [len(of.all(tag)) for tag in tags]

    assert shape(attacked, "script", "img", "b", "iframe") == shape(
        plain, "script", "img", "b", "iframe"
    )
    assert not [each for each in attacked.elements if any(key.startswith("@on") for key in each)]
    assert attacked.texts("h1") == [name]
    assert attacked.texts("h2")[0] == name
    assert leaderboard(attacked)[0]["run"]["text"].strip() == name
    assert attacked.data()[0]["runs"][0]["run"] == name


def test_embedded_data_cannot_end_its_element() -> None:
    given = tables(rename={"careful": "</ScRiPt>&\u2028\u2029<!--"})
    for element in Page(render(given, title="x")).all("script", type="application/json"):
        assert not set(element["text"]) & set("<>&\u2028\u2029")


def test_nothing_is_loaded_from_anywhere() -> None:
    for element in page().elements:
        assert element["tag"] not in ("link", "img", "iframe", "object", "embed", "base")
        assert "@src" not in element
        assert element.get("@href", "#").startswith("#")
    [style] = page().texts("style")
    assert "url(" not in style
    assert "@import" not in style


def test_the_policy_allows_the_two_scripts_and_no_connection() -> None:
    [policy] = [each["@content"] for each in page().all("meta") if "@http-equiv" in each]
    scripts = [each["text"] for each in page().all("script") if "@type" not in each]
    digests = [base64.b64encode(hashlib.sha256(each.encode()).digest()) for each in scripts]
    assert re.findall(r"'sha256-([^']+)'", policy) == [digest.decode() for digest in digests]
    assert len(scripts) == 2
    assert policy.startswith("default-src 'none';")
    assert "unsafe-eval" not in policy
    assert "http" not in policy


def test_questions_are_summed_up_and_not_embedded() -> None:
    """right_runs is 0 for the questions 0, 3, 6 and 9: some run is right on the other six."""
    assert "secret-question" not in html()
    assert "at least one run is right on 6 of 10 questions" in html()


def test_every_judge_and_slice_is_a_view() -> None:
    [collection] = page().data()
    questions = [[view["questions"] for view in judge] for judge in collection["views"]]
    assert questions == [[10, 4, 6], [10, 4, 6]]
    assert page().texts("option") == [
        "people (reference)", "key", "all", "definition", "factoid", "accuracy", "c@1", "Brier",
    ]  # fmt: skip


def test_a_judge_without_a_slice_has_no_view_there() -> None:
    given = tables()
    gone = (pl.col("judge") == "key") & (pl.col("slice") == "factoid")
    for table in ("scores", "counts"):
        given[table] = given[table].filter(~gone)
    [collection] = Page(render(given, title="x")).data()
    assert collection["views"][1][2] is None
    assert collection["views"][0][2]["questions"] == 6


def test_one_judge_needs_no_choice() -> None:
    single = Page(render(tables(judges=("people",)), title="x"))
    assert [each["@name"] for each in single.all("select")] == ["slice", "measure"]


def test_headings_go_down_one_step_at_a_time() -> None:
    levels = [
        int(each["tag"][1]) for each in page().elements if re.fullmatch("h[1-6]", each["tag"])
    ]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(below <= above + 1 for above, below in pairwise(levels))


def test_columns_are_sorted_by_button_and_say_how() -> None:
    heads = [each for each in page().all("th") if "@aria-sort" in each]
    assert {each["@data-key"]: each["@aria-sort"] for each in heads} == {
        "text:rank": "ascending",
        "run": "none",
        "info:team": "none",
        "measure:0": "none",
        "measure:1": "none",
        "measure:2": "none",
        "count:right": "none",
        "count:wrong": "none",
        "count:unanswered": "none",
        "count:unassessed": "none",
    }
    buttons = [each for each in page().all("button") if each["inside"][-1] == "th"]
    assert len(buttons) == len(heads)


def test_what_is_known_of_a_run_is_told_with_its_name() -> None:
    [twin] = [row["run"] for row in leaderboard(page()) if row["run"]["text"].strip() == "twin"]
    assert "system: second pipeline" in twin["@title"].splitlines()


def test_several_collections_have_contents_and_their_own_data() -> None:
    both = together(tables(), tables(collection="pilot", title="A pilot", note=None))
    several = Page(render(both, title="Two"))
    links = [each["@href"] for each in several.all("a")]
    assert links == [
        "#collection-1", "#collection-1-leaderboard", "#collection-1-abstention",
        "#collection-1-judges", "#collection-2", "#collection-2-leaderboard",
        "#collection-2-abstention", "#collection-2-judges", "#made-from",
    ]  # fmt: skip
    ids = {each["@id"] for each in several.elements if "@id" in each}
    assert {link.removeprefix("#") for link in links} <= ids
    assert [each["collection"] for each in several.data()] == ["clef", "pilot"]
    assert several.texts("p", **{"class": "note"}) == ["Reconstructed from published counts."]


def test_the_chart_of_c_at_1_needs_both_measures() -> None:
    def drawn(of: Page) -> list[str]:
        return [each["@data-chart"] for each in of.elements if "@data-chart" in each]

    assert drawn(page()) == [
        "scores", "counts", "slices", "c_at_1", "silence", "withholding", "rankings",
    ]  # fmt: skip
    alone = tables(measures=("accuracy", "brier"), primary="accuracy")
    assert "c_at_1" not in drawn(Page(render(alone, title="x")))


def test_definitions_inputs_remarks_and_provenance_are_told() -> None:
    cells = [*page().texts("td"), *page().texts("th")]
    for told in (
        "(n_ac + n_u·n_ac/n) / n",
        "Accuracy, with credit for silence.",
        "data/clef/runs.csv",
        "12,345",
        "45.6 kB",
        "0123456789ab",
        "not a known column; kept out",
        "2011",
    ):
        assert told in cells
    [digest] = page().all("code")
    assert digest["@title"] == "0123456789abcdef" * 4


def test_nothing_to_tell_is_said_so() -> None:
    given = tables() | {name: frame(name, []) for name in ("remarks", "sources", "provenance")}
    text = Page(render(given, title="x")).texts("main")[0]
    assert "There are no remarks." in text
    assert "No input files are recorded." in text


def test_a_campaign_of_nothing_is_a_page() -> None:
    empty = Page(render({name: frame(name, []) for name in SCHEMAS}, title="Nothing yet"))
    assert empty.texts("h1") == ["Nothing yet"]
    assert "This campaign has no collections." in empty.texts("p")


def test_a_collection_without_runs_is_shown() -> None:
    given = tables() | {name: frame(name, []) for name in ("runs", "scores", "counts")}
    assert leaderboard(Page(render(given, title="x"))) == []


def test_low_is_better_is_said_and_ranks_accordingly() -> None:
    """Without ranks the primary measure orders the runs; of Brier scores the lowest leads."""
    given = tables(primary="brier")
    error = {"all_yes": 0.4, "careful": 0.1, "steady": 0.3, "twin": 0.2}
    brier = pl.col("run").replace_strict(error, return_dtype=pl.Float64)
    chosen = pl.when(pl.col("measure") == "brier").then(brier).otherwise(pl.col("value"))
    given["scores"] = given["scores"].with_columns(value=chosen)
    [collection] = arrange(given)
    assert [run["run"] for run in collection.runs] == ["careful", "twin", "steady", "all_yes"]
    [head] = [each for each in page().all("th") if each.get("@data-key") == "measure:2"]
    assert "lower" in head["@class"].split()
    assert head["@title"].endswith("Lower is better.")


def test_numbers_as_they_are_shown() -> None:
    """Halves go away from zero: 1/16 = 0.0625 is 0.063."""
    assert [fixed(value) for value in (0.0625, -0.0625, 1.0, -0.0004, None)] == [
        "0.063",
        "−0.063",
        "1.000",
        "0.000",
        "–",
    ]
    assert [span(*ranks) for ranks in ((1, 1), (5, 14), (3, None), (None, None))] == [
        "1",
        "5–14",
        "3",
        "–",
    ]


def test_an_interval_with_one_end_is_none() -> None:
    """Accuracy has a lower bound only."""
    [collection] = arrange(tables())
    assert collection.scores("accuracy")["text"]["interval"] is None
    assert collection.scores("c_at_1")["text"]["interval"] == ["0.410 to 0.781"] * 4


def test_two_hundred_runs_are_two_hundred_rows() -> None:
    given = tables()
    for table in ("runs", "scores", "counts"):
        copies = [
            given[table].with_columns(pl.col("run") + f"-{number:02}") for number in range(50)
        ]
        given[table] = pl.concat(copies)
    assert len(leaderboard(Page(render(given, title="x")))) == 200


@cache
def whole() -> Page:
    return Page(render(campaign(runs=6, collections=2), title="Whole"))


def test_sections_stand_in_the_order_of_the_questions() -> None:
    """A collection of answers has all but validation; one of validation has no ranks or judges."""
    topics = [each["@id"] for each in whole().all("section", **{"class": "topic"})]
    first = ["leaderboard", "abstention", "ranked", "judges", "measures", "changes"]
    second = ["leaderboard", "validation", "measures"]
    assert topics == [*(f"collection-1-{each}" for each in first),
                      *(f"collection-2-{each}" for each in second)]  # fmt: skip


def test_every_chart_says_how_to_read_it() -> None:
    figures = whole().all("figure")
    assert len(figures) > 25
    charts = [each for each in whole().elements if "@data-chart" in each]
    assert len(charts) == len(figures)
    for each in figures:
        words = each["text"].split("{")[0]
        assert words.count(".") >= 1, words


def test_sentences_are_computed_from_the_data() -> None:
    """The generated studies need a difference of 0.1 at 50 questions, and 200 for one of 0.05."""
    text = whole().texts("main")[0]
    for said in (
        "With 50 questions, a difference of at least 0.10 in c@1 is needed to be 95% sure",
        "To be 95% sure of a difference of 0.05 in c@1 takes 200 questions",
        "errs in 1.0% of the comparisons and ties in 10.0%",
        "key agrees with people on 93.0% of the answers; tau between their rankings is 0.900.",
        "At 0.3, key would agree on 94.0% of the answers; at 0.25, as configured, it agrees on 93.0%.",
        "one standard deviation over the draws to either side; on average, that is 0.100 at 10 questions",
        " finds the most, ",
        "The lowest here is 0.90 (0.80 to 0.95), for key by c@1.",
        "At 0.25, key finds 90.0% of what the reference calls right and accepts 5.0% of the wrong answers.",
        "Two people agree on 94.0% of 80 items",
        "Since the previous results, 1 value of 1 run changed because of assessments.csv, and 1 rank changed.",
        "Recomputed figures that agree with the published ones, to as many places as were printed: 1 of 1.",
    ):
        assert said in text, said


def headline(ranks: list[int], p: float) -> list[str]:
    """What is said of four runs with these ranks, all pairs of which differ with this p."""
    made = campaign(runs=4, collections=1)
    names = [f"run-{number:03}" for number in range(1, 5)]
    value = {name: 1 - rank / 10 for name, rank in zip(names, ranks, strict=True)}
    first = dict(zip(names, ranks, strict=True))
    made["scores"] = made["scores"].with_columns(
        value=pl.col("run").replace_strict(value, return_dtype=pl.Float64),
        rank_first=pl.col("run").replace_strict(first, return_dtype=pl.Int64),
        **dict.fromkeys(("low", "high"), pl.lit(None, pl.Float64)),
    )
    made["significance"] = made["significance"].with_columns(p=pl.lit(p), p_holm=pl.lit(p))
    (one,) = show(made)
    return list(one.sections[0].sentences)


TEST = "At the 5% level, the sign test, corrected for the number of pairs (Holm),"


@pytest.mark.parametrize(
    ("ranks", "p", "said"),
    [
        (
            [1, 2, 3, 4],
            0.01,
            [
                "run-001 leads with c@1 0.900; when the questions are drawn anew, its rank is 1–3 in 95% of the draws.",
                f"No other run is in its group: p is 0.010 against run-002. {TEST} divides the leaderboard into 4 groups.",
            ],
        ),
        (
            [1, 1, 3, 4],
            0.5,
            [
                "run-001 and run-002 share the lead with c@1 0.900.",
                f"2 other runs cannot be distinguished from the best by c@1. {TEST} puts all ranked runs into one group.",
            ],
        ),
        (
            [1, 1, 1, 1],
            0.5,
            [
                "All 4 ranked runs have c@1 0.900.",
                f"{TEST} puts all ranked runs into one group.",
            ],
        ),
    ],
)
def test_the_lead_is_described_as_it_is(ranks: list[int], p: float, said: list[str]) -> None:
    assert headline(ranks, p) == said


def test_only_some_of_many_leaders_are_named() -> None:
    """Of five runs that share the lead before a sixth, three are named."""
    made = campaign(runs=6, collections=1)
    last = pl.col("run") == "run-006"
    made["scores"] = made["scores"].with_columns(
        value=pl.when(last).then(0.1).otherwise(0.5),
        rank_first=pl.when(last).then(6).otherwise(1).cast(pl.Int64),
        low=pl.lit(None, pl.Float64),
        high=pl.lit(None, pl.Float64),
    )
    (one,) = show(made)
    assert one.sections[0].sentences[0] == (
        "run-001, run-002, run-003 and 2 other runs share the lead with c@1 0.500."
    )


def test_rows_are_embedded_once_for_all_charts() -> None:
    first, second = whole().data()
    assert set(second["tables"]) == {
        "roc",
        "stability",
        "swap",
        "size_tau",
        "sizes",
        "needed",
        "measure_tau",
    }
    assert len(first["tables"]["swap"]["swap_rate"]) == 21 * 10
    specs = [each["text"] for each in whole().all("script", type="application/json")]
    assert sum('"swap_rate"' in text and '"mark"' in text for text in specs) == 1
    assert not any('"swap_rate":0.45' in spec for spec in specs if '"mark"' in spec)


def test_groups_are_opened_by_their_best_run() -> None:
    """p of a pair is 1/(places between + 1), and the level 0.05: only from 20 places on it differs."""
    [collection] = arrange(campaign(runs=40, collections=1))
    groups = collection.start["scores"][0]["group"]
    ranks = collection.start["scores"][0]["first"]
    assert groups is not None
    assert groups[0] == ranks[0] == 1
    assert set(groups) == {1, 2}


def test_the_main_charts_are_drawn_for_papers(tmp_path: Any) -> None:
    shown = show(campaign(runs=3, collections=2))
    with drawn(shown, tmp_path, processes=2):
        pass
    found = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.svg")}
    charts = [
        (one, each.id, chart.id) for one in shown for each in one.sections for chart in each.charts
    ]
    assert len(found) > 25
    assert found == {f"{section}/{one.collection.id}-{chart}.svg" for one, section, chart in charts}
    for path in tmp_path.rglob("*.svg"):
        text = path.read_text()
        assert "NaN" not in text
        assert "{measure}" not in text
        assert path.with_suffix(".png").read_bytes().startswith(b"\x89PNG")


def test_a_chart_that_cannot_be_drawn_is_an_error(tmp_path: Any, monkeypatch: Any) -> None:
    shown = show(campaign(runs=3, collections=1))
    monkeypatch.setattr("qampaign.report.figures.figure", lambda *_: {"mark": "no such mark"})
    with pytest.raises(RuntimeError, match="could not be drawn"), drawn(shown, tmp_path):
        pass


def test_processes_end_with_what_they_draw_for(tmp_path: Any) -> None:
    """What goes wrong meanwhile is what is told."""
    shown = show(campaign(runs=3, collections=1))
    with pytest.raises(KeyError), drawn(shown, tmp_path):
        raise KeyError


def test_the_threshold_of_a_judge_is_marked_and_others_are_not_taken_for_it() -> None:
    """Rows at other thresholds, 0.5 here, are for the curve; the judge's own has none, and is at 0.25."""
    made = campaign(runs=3, collections=1)
    own = made["agreement"].filter(run="all", slice="all")
    made["agreement"] = pl.concat(
        [own.with_columns(threshold=pl.lit(0.5), hit_rate=pl.lit(0.1)), made["agreement"]]
    )
    (one,) = show(made)
    marks = one.tables["judge_points"]
    assert (marks["threshold"], marks["tp_rate"]) == ([0.25], [0.9])


def test_what_has_no_tau_has_no_heatmap() -> None:
    """As with one run alone, or with values that are all the same."""
    made = campaign(runs=2, collections=1)
    made["correlation"] = made["correlation"].with_columns(tau=pl.lit(None, pl.Float64))
    (one,) = show(made)
    assert not {"measure_tau", "judge_tau"} & set(one.tables)


def test_the_open_bin_says_nothing_of_questions_needed() -> None:
    """The last bin, from 0.20 on, holds all larger differences, which need fewer questions."""
    made = campaign(runs=3, collections=1)
    rows = made["questions_needed"].head(1).with_columns(difference=pl.lit(0.20))
    made["questions_needed"] = pl.concat([made["questions_needed"], rows])
    (one,) = show(made)
    assert max(one.tables["needed"]["difference"]) == 0.1


def test_a_measure_has_one_colour_in_all_studies() -> None:
    """Accuracy is left out of one study: those after it keep their colours there."""
    made = campaign(runs=3, collections=1)
    made["questions_needed"] = made["questions_needed"].filter(pl.col("measure") != "accuracy")
    (one,) = show(made)
    found: dict[str, dict[str, set[str]]] = {}
    for section in one.sections:
        for chart in section.charts:
            for layer in chart.spec.get("layer", []):
                colour = layer["encoding"].get("color", {})
                if colour.get("field") == "name" and section.id == "measures":
                    scale = colour["scale"]
                    for name, each in zip(scale["domain"], scale["range"], strict=True):
                        found.setdefault(chart.id, {}).setdefault(name, set()).add(each)
    assert found.keys() == {"stability", "swap", "size_tau", "needed"}
    assert found["needed"].keys() == found["swap"].keys() - {"1 accuracy"}
    for chart_id in found:
        assert found[chart_id].items() <= found["swap"].items(), chart_id
    assert all(len(colours) == 1 for colours in found["swap"].values())


@pytest.mark.parametrize(
    ("further", "told"),
    [
        (40, "takes 200 questions"),
        (300, "the swap rates are too unsteady to give one number"),
        (None, "the swap rates are too unsteady to give one number"),
    ],
)
def test_a_number_of_questions_is_told_where_the_fits_are_steady(
    further: int | None, told: str
) -> None:
    """0.05 takes 200; a larger difference that takes more, or that is never reached, is noise."""
    made = campaign(runs=3, collections=1)
    change = pl.when(pl.col("difference").is_close(0.08)).then(further)
    made["questions_needed"] = made["questions_needed"].with_columns(
        questions=change.otherwise("questions").cast(pl.Int64)
    )
    (one,) = show(made)
    (chart,) = [each for own in one.sections for each in own.charts if each.id == "needed"]
    assert told in chart.caption


@pytest.mark.parametrize(
    ("withheld", "told"),
    [
        # c@1 as it was (20 + 11 * 20/40) / 40 = 0.6375; with the candidates given, 7 left
        # unanswered, (22 + 7 * 22/40) / 40 = 0.64625
        ((2, 2), "Withholding raised the c@1 of no runs and lowered that of 3 runs."),
        (
            (1, 3),
            "Withholding raised the c@1 of 3 runs and lowered that of no runs.",
        ),  # (21 + 7 * 21/40) / 40 = 0.617
        (
            (0, 0),
            "Withholding raised the c@1 of no runs and lowered that of no runs.",
        ),  # nothing else could be given
    ],
)
def test_withholding_is_held_against_giving_the_candidates(
    withheld: tuple[int, int], told: str
) -> None:
    made = campaign(runs=3, collections=1)
    right, wrong = withheld
    counts = {"questions": 40, "right": 20, "wrong": 9, "unanswered": 11, "withheld_right": right,
              "withheld_wrong": wrong, "missing": 11 - right - wrong}  # fmt: skip
    made["counts"] = made["counts"].with_columns(
        pl.lit(value, made["counts"].schema[name]).alias(name) for name, value in counts.items()
    )
    (one,) = show(made)
    (chart,) = [each for own in one.sections for each in own.charts if each.id == "withholding"]
    assert told in chart.caption


def test_sensitivity_is_told_where_its_difference_is_to_be_believed() -> None:
    made = campaign(runs=3, collections=1)
    assert "c@1 has 50%." in render(made, title="x")
    made["sensitivity"] = made["sensitivity"].with_columns(lasting_difference=pl.lit(0.15))
    assert "c@1 has" not in render(made, title="x")


def test_a_rank_that_moves_alone_is_no_value_that_moved() -> None:
    made = campaign(runs=3, collections=1)
    row = made["changes"].head(1)
    alone = row.with_columns(run=pl.lit("run-003"), after=pl.col("before"))
    new = row.with_columns(run=pl.lit("new"), before=pl.lit(None, pl.Float64))
    made["changes"] = pl.concat([row, alone, new])
    (one,) = show(made)
    (section,) = [each for each in one.sections if each.id == "changes"]
    assert "2 values of 2 runs changed" in section.sentences[0]
    assert "3 ranks changed" in section.sentences[0]


def test_every_chart_is_a_valid_specification() -> None:
    """Charts are made without Altair's own check, which is slow; here it is made up for."""
    for one in show(campaign(runs=3, collections=2)):
        for section in one.sections:
            for chart in section.charts:
                spec = figure(chart, one)
                alt.Chart.from_dict(spec).to_dict(validate=True)


def test_the_leaderboard_for_papers() -> None:
    """careful has c@1 0.7, the best; accuracy is best in steady and twin."""
    [collection] = arrange(tables(rename={"careful": "a_b|c & d"}))
    lines = markdown(collection).splitlines()
    assert lines[2] == (
        r"| 1 | a\_b\|c \& d | 0.500 | **0.700** | – | 0.410 to 0.781 | 5 | 1 | 4 |"
    )
    assert len(lines) == 2 + 4
    made = latex(collection).splitlines()
    assert made[:2] == [r"\begin{tabular}{rlrrrrrrr}", r"\toprule"]
    assert made[4] == (
        r"1 & a\_b\textbar{}c \& d & 0.500 & \textbf{0.700} & -- & 0.410 to 0.781 & 5 & 1 & 4 \\"
    )
    assert made[-2:] == [r"\bottomrule", r"\end{tabular}"]


def test_leaderboards_say_what_is_unassessed_and_what_has_no_row() -> None:
    """Of careful 3 answers are unassessed and 14.2% of the questions have no row, of twin 0.9%."""
    given = tables(judges=("people",))
    shares = {"careful": 0.142, "twin": 0.009}
    given["scores"] = given["scores"].with_columns(
        missing=pl.col("run").replace_strict(shares, default=0.0)
    )
    given["counts"] = given["counts"].with_columns(
        unassessed=pl.when(pl.col("run") == "careful").then(3).otherwise(0)
    )
    [collection] = arrange(given)
    ends = [line.split(" | ")[-2:] for line in markdown(collection).splitlines()]
    assert ends[0] == ["Unassessed", "No row |"]
    assert ends[2:] == [["3", "14% |"], ["0", "– |"], ["0", "– |"], ["0", "– |"]]
    ends = [line.split(" & ")[-2:] for line in latex(collection).splitlines() if "&" in line]
    assert ends[:2] == [["Unassessed", r"No row \\"], ["3", r"14\% \\"]]
    careful, *others = leaderboard(Page(render(given, title="x")))
    assert careful["count:unassessed"]["text"] == "3"
    assert [row["missing"]["text"] for row in (careful, *others)] == ["14%", "–", "–", "–"]


def test_the_licences_of_what_the_page_includes_stand_in_it() -> None:
    """A package that Vega brings along in a new version must be added to licences.txt."""
    page = render(tables(), title="T")
    licences = page[page.index("Licences of the included software") :]
    for holder in ("University of Washington Interactive Data Lab", "Mike Bostock", "Mapbox"):
        assert holder in licences
    assert "Redistributions in binary form must reproduce the above copyright notice" in licences
    assert vl_convert.get_vega_version().split(".")[0] == "6"
    assert vl_convert.get_vega_embed_version().split(".")[0] == "7"
