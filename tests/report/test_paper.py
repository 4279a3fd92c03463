"""Tables, methods and references for papers."""

import base64
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from qampaign.measures import MEASURES
from qampaign.report.blocks import Table, TableColumn
from qampaign.report.page import Shown, show
from qampaign.report.paper import bundle, references
from qampaign.report.paper.markup import (
    Cell,
    PaperTable,
    as_latex,
    cite,
    cited,
    escape_latex,
    latex_table,
    markdown_table,
)
from qampaign.report.paper.methods import paragraphs, sentences, together
from qampaign.report.paper.references import OF_JUDGES, OF_MEASURES, REFERENCES
from qampaign.report.paper.tables import as_printed, tables_of
from tests.report.whole_campaign import ANSWERING, VALIDATION, campaign

pytestmark = pytest.mark.slow


HOSTILE = r"""a_b & 50% $x$ #1 {c} ~d^ \input{/etc/passwd} <e> |f| "g" [h] `i' --- '' ,, ± − – ′"""
SETTINGS: dict[str, Any] = {
    "judges": {
        "people": {"kind": "assessments", "correct": ["right"], "options": {"assessor": None}},
        "key": {
            "kind": "key", "correct": ["right", "inexact"],
            "options": {"threshold": 0.25, "numbers": True, "dates": False},
        },
    },
    "walks": {
        name: int(name in ("cws", "auc", "risk_coverage"))
        for name in ("accuracy", *VALIDATION, *ANSWERING)
    },
    "studies": {
        "judges": ["people"],
        "sizes": {"trials": 200},
        "significance": {"draws": 9999, "resamples": 1000},
        "correlation": {"resamples": 1000, "draws": 1000},
    },
}  # fmt: skip


def first(**options: Any) -> Shown:
    return show(campaign(**{"runs": 6, "collections": 1, **options}))[0]


def text_of(shown: Shown, **studies: Any) -> str:
    settings = SETTINGS | {"studies": SETTINGS["studies"] | studies}
    return "\n".join(paragraphs(sentences(shown.collection, settings)))


def test_every_row_of_a_table_has_as_many_cells_as_its_heading() -> None:
    for name, table in tables_of(first(names={1: HOSTILE})).items():
        body = latex_table(table).split("\\midrule")[0], latex_table(table).split("\\midrule")[1]
        unescaped = [
            re.sub(r"\\&", "", line)
            for part in body
            for line in part.splitlines()
            if r" \\" in line
        ]
        assert {line.count("&") for line in unescaped} == {len(table.heads) - 1}, name
        lines = [re.sub(r"\\\\|\\\|", "", line) for line in markdown_table(table).splitlines()]
        rows = [line for line in lines if line.startswith("|")]
        assert {line.count("|") for line in rows} == {len(table.heads) + 1}, name
        assert len(rows) == 2 + len(table.rows)


def test_which_tables_there_are() -> None:
    assert set(tables_of(first())) == {
        "leaderboard", "intervals", "comparisons", "agreement", "assessors", "sensitivity",
    }  # fmt: skip
    board = tables_of(first())["intervals"]
    assert [label for label, _ in board.heads][:3] == ["Run", "c@1", "accuracy"]
    assert re.fullmatch(r"0\.\d{3} \(0\.\d{3} to [01]\.\d{3}\)", board.rows[0][1].text)


def test_both_ends_of_an_interval_stand_in_one_column() -> None:
    columns = [TableColumn("Run", "name"), TableColumn("from", "number"),
               TableColumn("to", "number"), TableColumn("p", "chance")]  # fmt: skip
    table = as_printed(Table("x", "T", columns, [("a", -0.5, 0.25, 0.5), ("b", None, 1.0, None)]))
    assert table.heads == [("Run", True), ("95% interval", False), ("p", False)]
    assert [[cell.text for cell in row] for row in table.rows] == [
        ["a", "−0.500 to 0.250", "0.500"], ["b", "–", "–"],
    ]  # fmt: skip


def test_latex_prints_every_text_as_it_is() -> None:
    escaped = escape_latex(HOSTILE)
    assert r"\input{" not in escaped
    assert r"\textbackslash{}input\{/etc/passwd\}" in escaped
    # outside of commands, no sign is left that means something to LaTeX
    assert not re.search(r"(?<!\\)[&%#_^~]", escaped)
    assert escaped.count("{") == escaped.count("}")
    assert "-{}-{}-" in escaped
    assert (
        latex_table(PaperTable("T", [("[a]", True)], [[Cell("[b]", bold=True)]])).count("{[}") == 2
    )
    assert as_latex(f"x & y{cite('rubin1981')}") == r"x \& y~\cite{rubin1981}"


def test_everything_that_is_cited_has_an_entry() -> None:
    source = Path(bundle.__file__).parent / "methods.py"
    keys = set(re.findall(r"cite\(([^)]*)\)", source.read_text(encoding="utf-8")))
    named = {key for group in keys for key in re.findall(r"'(\w+)'", group)}
    assert named
    sources = {*OF_MEASURES.values(), *OF_JUDGES.values()}
    assert named | sources == set(REFERENCES)
    cited_by_measures = [references.source(measure.citation) for measure in MEASURES.values()]
    assert [words for words in cited_by_measures if words.startswith(" (")] == []
    text = text_of(first())
    assert set(cited(text)) <= set(REFERENCES)
    assert {"rubin1981", "westfall1993", "buckley2000", "cohen1960"} <= set(cited(text))


def test_the_methods_say_what_was_computed() -> None:
    text = re.sub("\x00[^\x00]*\x00", "", text_of(first()))
    for sentence in (
        "In The collection answers-0, 5 runs and 1 baseline were evaluated on 100 questions.",
        "The reference judge, people, goes by people's labels",
        "(threshold: 0.25, numbers: yes); right and inexact count as correct.",
        "Runs were ranked by c@1 (Somebody 2011).",
        "9,999 exchanges were drawn at random.",
        "over 2,000 random weightings of the questions",
        "over 100 trials with two disjoint random sets of 50 questions, at a confidence of 0.95.",
        "with 200 random sets at each of 10 sizes.",
    ):
        assert sentence in text
    assert "planned" not in text
    assert "None" not in text


def test_a_measure_by_order_has_the_draws_that_it_could_afford() -> None:
    """40 runs are 780 pairs; over 100 questions there are 250,000,000 / 78,000 draws: 3,205."""
    shown = first(runs=40)
    settings = SETTINGS | {"walks": SETTINGS["walks"] | {"c_at_1": 1}}
    assert "3,205 exchanges were drawn at random." in "\n".join(
        paragraphs(sentences(shown.collection, settings))
    )


def test_without_the_study_of_significance_the_methods_say_so() -> None:
    tables = campaign(runs=3, collections=1)
    tables |= {name: tables[name].clear() for name in ("comparisons", "significant_shares")}
    nothing = [pl.lit(None).alias(name) for name in ("low", "high", "rank_low", "rank_high")]
    tables["scores"] = tables["scores"].with_columns(nothing)
    settings = SETTINGS | {
        "studies": {"judges": ["people"], "correlation": {"resamples": 10, "draws": 10}}
    }
    (shown,) = show(tables)
    text = "\n".join(paragraphs(sentences(shown.collection, settings)))
    assert "Differences were not tested, and there are no intervals of the values." in text
    assert "exchange" not in text


def test_what_holds_for_several_collections_is_said_once() -> None:
    both = [sentences(one.collection, SETTINGS) for one in show(campaign(runs=6, collections=3))]
    said = together(both)
    assert said[0].startswith("This is how things were done wherever they were done")
    text = "\n".join(said)
    # two collections of questions, one of items
    assert text.count("random weightings of the questions (Bayesian bootstrap") == 1
    assert text.count("random weightings of the items (Bayesian bootstrap") == 1
    assert text.count("9,999 exchanges were drawn at random.") == 3
    assert "\x02" not in text


def write(folder: Path, **options: Any) -> None:
    parts = []
    for shown in show(campaign(**{"runs": 6, "collections": 2, **options})):
        part = bundle.describe(shown, SETTINGS)
        bundle.write_collection(shown, json.loads(json.dumps(part)), folder)
        parts.append(part)
        for name, *_ in part["figures"]:
            path = folder / part["id"] / "figures" / f"{name}.png"
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(PNG)
    bundle.write_campaign(parts, folder, title=HOSTILE, seed=7)


PNG = base64.b64decode(  # one grey pixel
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg=="
)


def test_what_no_longer_is_in_the_bundle_is_deleted(tmp_path: Path) -> None:
    for name in (
        "gone/table.tex",
        "answers-0/planned.tex",
        "answers-0/figures/drawn.png",
        "old.md",
    ):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    write(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {
        "answers-0", "validated-1", "methods.tex", "methods.md", "paper.tex", "references.bib",
    }  # fmt: skip
    assert not (tmp_path / "answers-0/planned.tex").exists()
    assert (tmp_path / "answers-0/figures/drawn.png").exists()  # of another job
    bib = (tmp_path / "references.bib").read_text(encoding="utf-8")
    text = (tmp_path / "methods.tex").read_text(encoding="utf-8")
    assert set(re.findall(r"@\w+\{(\w+),", bib)) == {
        key for keys in re.findall(r"\\cite\{([^}]*)\}", text) for key in keys.split(",")
    }
    assert text.rstrip().endswith("follow from the seed 7.")


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="needs pdflatex with booktabs")
def test_the_bundle_compiles(tmp_path: Path) -> None:
    write(tmp_path, names={1: HOSTILE.replace("/", "")})
    found = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "paper.tex"],
        cwd=tmp_path, capture_output=True, text=True, errors="replace", timeout=120,
    )  # fmt: skip
    assert found.returncode == 0, found.stdout[-2000:]
    assert (tmp_path / "paper.pdf").stat().st_size > 10_000
