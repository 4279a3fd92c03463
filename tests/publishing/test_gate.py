"""A gate: conditions on tables that are small enough to see what holds."""

from typing import Any

import polars as pl
import pytest

from qampaign.config.conditions import read_condition
from qampaign.problems import Refused
from qampaign.publishing import gate
from qampaign.tables import empty

SCORES = [("demo", "people", "accuracy", "new", 0.8), ("demo", "people", "accuracy", "old", 0.9),
          ("demo", "key", "accuracy", "new", 0.6), ("demo", "people", "brier", "new", 0.2),
          ("demo", "people", "r", "new", None), ("more", "people", "accuracy", "new", 0.7)]  # fmt: skip
# new − old: lower in accuracy, surely; lower in brier, of which low is better
COMPARISONS = [
    ("accuracy", "old", "new", 0.1, 0.01, 0.19, 0.03),
    ("brier", "new", "old", -0.05, -0.12, 0.02, 0.2),
]


def frame(table: str, rows: list[dict[str, Any]]) -> pl.DataFrame:
    return pl.concat([empty(table), pl.DataFrame(rows)], how="diagonal_relaxed")


@pytest.fixture
def tables() -> dict[str, pl.DataFrame]:
    keys = ("collection", "judge", "measure", "run", "value")
    names = ("measure", "run_a", "run_b", "difference", "simultaneous_low", "simultaneous_high",
             "p_adjusted")  # fmt: skip
    scores = [
        dict(zip(keys, row, strict=True)) | {"slice": "all", "questions": 200} for row in SCORES
    ]
    pairs = [
        dict(zip(names, row, strict=True))
        | {"collection": "demo", "judge": "people", "slice": "all", "family": "planned"}
        | {"won": 20, "lost": 40, "tied": 140, "units": 200, "visible": 0.09}
        for row in COMPARISONS
    ]
    counts = {"hits": 8, "misses": 1, "false_alarms": 0, "correct_rejections": 1}
    agreement = {"collection": "demo", "judge": "key", "reference": "people", "run": "all",
                 "slice": "all", "threshold": None, "agreement": 0.9} | counts  # fmt: skip
    measures = [
        {"collection": collection, "measure": name, "label": label, "better": better}
        for collection in ("demo", "more")
        for name, label, better in (
            ("accuracy", "acc.", "high"),
            ("brier", "Brier", "low"),
            ("r", "r", "high"),
        )
    ]
    figures = [
        {"collection": "demo", "item": item, "published": 0.58, "reconstructed": value}
        for item, value in (("new, accuracy", 0.575436), ("old, accuracy", 0.57))
    ]
    over_all = [
        {"measure": "brier", "run": run, "value": value, "rank_first": rank}
        for rank, (run, value) in enumerate({"new": 0.2, "old": 0.3}.items(), start=1)
    ]
    pairs += [
        pairs[0] | {"collection": "overall", "judge": None, "measure": "brier", "family": "all"}
    ]
    return {
        "runs": empty("runs"),
        "overall": frame("overall", over_all),
        "scores": frame("scores", scores),
        "comparisons": frame("comparisons", pairs),
        "agreement": frame("agreement", [agreement]),
        "measures": frame("measures", measures),
        "collections": frame("collections", [{"collection": name, "reference": "people"} for name in ("demo", "more")]),
        "published": frame("published", figures),
    }  # fmt: skip


def outcomes(text: str, tables: dict[str, pl.DataFrame]) -> list[tuple[Any, ...]]:
    condition = read_condition(text)
    assert condition is not None
    return gate.check([condition], tables).select("collection", "holds", "value", "bound").rows()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("accuracy of new in demo >= 0.8", [("demo", True, 0.8, 0.8)]),
        ("accuracy of new in demo > 0.8", [("demo", False, 0.8, 0.8)]),
        ("accuracy of new in demo < 0.8", [("demo", False, 0.8, 0.8)]),
        ("accuracy of new in demo by key >= 0.8", [("demo", False, 0.6, 0.8)]),
        ("acc. of new in demo <= 0.85", [("demo", True, 0.8, 0.85)]),  # by its label
        ("accuracy of new >= 0.75", [("demo", True, 0.8, 0.75), ("more", False, 0.7, 0.75)]),
        ("r of new >= -1", [("demo", False, None, -1.0)]),  # nothing is known: it fails
        ("agreement of key with people >= 0.9", [("demo", True, 0.9, 0.9)]),
        ("agreement of people with key >= 0.95", [("demo", False, 0.9, 0.95)]),
        ("accuracy of new not significantly below old", [("demo", False, -0.1, 0.0)]),  # p = .03
        ("accuracy of old not significantly below new", [("demo", True, 0.1, 0.0)]),
        (
            "brier of new not significantly below old",
            [("demo", True, 0.05, 0.0)],
        ),  # lower is better
        ("accuracy of new not below old by more than 0.2", [("demo", True, -0.1, -0.2)]),
        ("accuracy of new not below old by more than 0.15", [("demo", False, -0.1, -0.15)]),
        (
            "brier of new not below old by more than 0.03",
            [("demo", True, 0.05, -0.03)],
        ),  # −.02 … .12
        ("brier of old not below new by more than 0.1", [("demo", False, -0.05, -0.1)]),
        ("every published figure comes out", [(None, False, 1.0, 2.0)]),
        ("brier of new in overall <= 0.2", [("overall", True, 0.2, 0.2)]),
        # old − new is 0.1, and low values rank first
        ("brier of new in overall not significantly below old", [("overall", True, 0.1, 0.0)]),
        ("brier of old in overall not significantly below new", [("overall", False, -0.1, 0.0)]),
    ],
)
def test_conditions(
    text: str, expected: list[tuple[Any, ...]], tables: dict[str, pl.DataFrame]
) -> None:
    (*rows,) = outcomes(text, tables)
    assert [row[:2] for row in rows] == [row[:2] for row in expected]
    for row, wanted in zip(rows, expected, strict=True):
        assert row[2:] == pytest.approx(wanted[2:])


@pytest.mark.parametrize("operator", [">", "<"])
def test_floating_point_does_not_open_a_gate(
    operator: str, tables: dict[str, pl.DataFrame]
) -> None:
    # 0.8 as a mean of thirds may come out as 0.8000000000000002: it is neither more nor less
    beside = 2e-16 if operator == ">" else -2e-16
    moved = tables["scores"].with_columns(pl.col("value") + beside)
    text = f"accuracy of new in demo {operator} 0.8"
    assert outcomes(text, tables | {"scores": moved})[0][1] is False


def test_no_published_figure_is_not_that_every_one_comes_out(
    tables: dict[str, pl.DataFrame],
) -> None:
    nothing = tables | {"published": empty("published")}
    assert outcomes("every published figure comes out", nothing) == [(None, False, 0.0, 0.0)]


def test_the_published_figures_that_do_not_come_out_are_named(
    tables: dict[str, pl.DataFrame],
) -> None:
    condition = read_condition("every published figure comes out")
    assert condition is not None
    (row,) = gate.check([condition], tables).rows(named=True)
    assert row["detail"] == "1 of 2; old, accuracy: 0.58 published, 0.5700 here"
    others = [
        {"collection": "more", "item": f"r{n}, mrr", "published": 91.0, "reconstructed": None}
        for n in range(4)
    ]
    figures = pl.concat([tables["published"], frame("published", others)])
    (row,) = gate.check([condition], tables | {"published": figures}).rows(named=True)
    assert row["detail"] == (
        "1 of 6; old, accuracy in demo: 0.58 published, 0.5700 here; r0, mrr in more: 91 published, "
        "no value here; r1, mrr in more: 91 published, no value here; and 2 more"
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "accuracy of newer >= 0.5",
            r"no run is called newer; allowed: new \(close\), or new, old",
        ),
        ("brier of newer in overall >= 0.5", "no run is called newer; allowed: new"),
        ("accuracy of new in more by key >= 0.5", "new has no accuracy in more"),
        ("accuracy of old in more >= 0.5", "old has no accuracy in more"),
        ("agreement of key with people in more >= 0.5", "key is not compared with people in more"),
    ],
)
def test_a_condition_on_nothing_is_refused(
    text: str, message: str, tables: dict[str, pl.DataFrame]
) -> None:
    with pytest.raises(Refused, match=message):
        outcomes(text, tables)


@pytest.mark.parametrize(
    ("text", "detail"),
    [
        ("accuracy of old in demo not significantly below new", "old has no value"),
        ("accuracy of old in demo >= 0.1", "old has no value"),
        ("accuracy of old in demo by people <= 0.1", "old has no value"),
    ],
)
def test_a_run_without_a_value_is_named_and_the_condition_fails(
    text: str, detail: str, tables: dict[str, pl.DataFrame]
) -> None:
    lacking = pl.col("run") == "old"
    nothing = {
        "scores": tables["scores"].with_columns(value=pl.when(~lacking).then("value")),
        "comparisons": tables["comparisons"].with_columns(difference=pl.lit(None, pl.Float64)),
    }
    (condition,) = [each for each in [read_condition(text)] if each]
    (row,) = gate.check([condition], tables | nothing).rows(named=True)
    assert (row["holds"], row["detail"]) == (False, detail)


def test_a_run_that_lacks_a_collection_fails_over_all_and_is_named(
    tables: dict[str, pl.DataFrame],
) -> None:
    lacking = pl.when(pl.col("run") != "old").then("value")
    nothing = {
        "overall": tables["overall"].with_columns(value=lacking),
        "comparisons": tables["comparisons"].clear(),
    }
    condition = read_condition("brier of new in overall not significantly below old")
    assert condition is not None
    (row,) = gate.check([condition], tables | nothing).rows(named=True)
    assert (row["holds"], row["detail"]) == (False, "old has no value in overall")


def test_a_run_that_nobody_has_judged_passes_no_gate(tables: dict[str, pl.DataFrame]) -> None:
    """It has values, as if all its answers were wrong, and no rank."""
    unjudged = pl.when(pl.col("run") != "new").then(pl.lit(1, pl.Int64))
    runs = [{"collection": "demo", "run": run, "kind": "submitted"} for run in ("new", "old")]
    changed = {
        "scores": tables["scores"].with_columns(rank_first=unjudged),
        "runs": frame("runs", runs),
    }
    for text in ("accuracy of new in demo < 0.9", "accuracy of new in demo >= 0"):
        condition = read_condition(text)
        assert condition is not None
        (row,) = gate.check([condition], tables | changed).rows(named=True)
        assert not row["holds"]
        assert row["detail"] == "people has no verdict on any answer of new"


def test_what_people_read(tables: dict[str, pl.DataFrame]) -> None:
    texts = ["accuracy of new in demo >= 0.8", "accuracy of new not significantly below old"]
    found = gate.check([own for own in map(read_condition, texts) if own], tables)
    assert gate.lines(found) == [
        "holds  accuracy of new in demo >= 0.8 [demo]: 0.8000, over 200 questions",
        "FAILS  accuracy of new not significantly below old [demo]: 0.1000 worse than old, "
        "95% interval -0.1900 to -0.0100, p = 0.0300, for the planned comparisons together; "
        "over 200 questions, which show a difference of 0.090 in 80% of cases",
    ]
    assert gate.total(found) == "1 of 2 conditions hold"
    assert gate.total(found[:1]) == "1 of 1 condition holds"
    named = found[:1].with_columns(condition=pl.lit("accuracy of 'not new' in demo >= 0.8"))
    assert gate.lines(named) == [
        "holds  accuracy of 'not new' in demo >= 0.8 [demo]: 0.8000, over 200 questions"
    ]
    assert gate.markdown(found, "A|B").splitlines()[0] == "### A\\|B: 1 of 2 conditions fail"
    assert "| ✅ | accuracy of new in demo >= 0.8 | demo | 0.8 | 0.8 | over 200 questions |" in (
        gate.markdown(found, "")
    )


def test_the_summary_of_a_gate_that_could_not_be_asked_shows_the_message() -> None:
    message = "The input has 30 problems.\n\n" + "\n".join(f"  line {n}: ```x" for n in range(30))
    lines = gate.markdown_of_failure("A|B", "The input was refused:", message).splitlines()
    assert lines[:4] == ["### A\\|B: the gate could not be asked", "", "The input was refused:", ""]
    assert lines[4:7] == ["````text", "The input has 30 problems.", "  line 0: ```x"]
    # 20 lines of 31
    assert lines[-3:] == ["  line 18: ```x", "… and 11 more lines", "````"]
    assert gate.markdown_of_failure("x", "Why.", "") == (
        "### x: the gate could not be asked\n\nWhy.\n"
    )
