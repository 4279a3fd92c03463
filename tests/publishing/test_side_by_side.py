"""Two runs side by side, from tables that are small enough to count by hand."""

from collections.abc import Iterator
from typing import Any

import duckdb
import polars as pl
import pytest

from qampaign.problems import Refused
from qampaign.publishing.side_by_side import SideBySide, lines, put_side_by_side
from qampaign.tables import empty

# verdicts of the first answers on q1 to q4: a wins q1 and q4, b wins q3; a withholds q3
GIVEN = {
    "a": [("x", True, "right"), ("x", True, "wrong"), ("x", False, "right"), ("x", True, "right")],
    "b": [("y", True, "wrong"), ("y", True, "wrong"), ("y", True, "right")],  # no row for q4
}
TYPES = ["who", "who", "when", None]


def frame(table: str, rows: list[dict[str, Any]]) -> pl.DataFrame:
    return pl.concat([empty(table), pl.DataFrame(rows)], how="diagonal_relaxed")


def pair(
    measure: str, difference: float, p: float | None, family: str = "all", **more: Any
) -> dict[str, Any]:
    return {
        "collection": "c", "judge": "people", "measure": measure, "slice": "all", "run_a": "b",
        "run_b": "a", "family": family, "difference": difference, "low": 7, "high": 7,
        "simultaneous_low": difference - 0.1, "simultaneous_high": difference + 0.2, "p_adjusted": p, "won": 1, "lost": 2, "tied": 1, "detectable": 0.4, "visible": 0.4,
    } | more  # fmt: skip


@pytest.fixture
def tables() -> dict[str, pl.DataFrame]:
    answers = [
        {"collection": "c", "judge": "people", "run": run, "question": f"q{n}", "rank": 1,
         "answer": answer, "answered": answered, "verdict": verdict,
         "correct": answered and verdict == "right"}
        for run, rows in GIVEN.items()
        for n, (answer, answered, verdict) in enumerate(rows, 1)
    ]  # fmt: skip
    scores = [
        {
            "collection": "c",
            "judge": "people",
            "slice": "all",
            "measure": measure,
            "run": run,
            "value": value,
        }
        for measure, values in {
            "accuracy": (0.5, 0.25),
            "brier": (0.3, 0.2),
            "r": (None, 0.1),
        }.items()
        for run, value in zip("ab", values, strict=True)
    ]
    measures = [
        {
            "collection": "c",
            "measure": name,
            "label": name.upper(),
            "better": better,
            "primary": name == "accuracy",
        }
        for name, better in (("brier", "low"), ("accuracy", "high"), ("r", "high"))
    ]
    questions = [
        {"collection": "c", "judge": "people", "question": f"q{n}", "type": kind}
        for n, kind in enumerate(TYPES, 1)
    ]
    return {
        "answers": frame("answers", answers),
        "scores": frame("scores", scores),
        "measures": frame("measures", measures),
        "questions": frame("questions", questions),
        "runs": frame("runs", [{"collection": "c", "run": run} for run in "ab"]),
        "collections": frame("collections", [{"collection": "c", "task": "answering"}]),
        "judges": frame("judges", [{"collection": "c", "judge": "people", "reference": True}]),
        "comparisons": frame("comparisons", [pair("accuracy", -0.25, 0.04)]),
    }


@pytest.fixture
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as opened:
        yield opened


def compare(
    connection: duckdb.DuckDBPyConnection,
    tables: dict[str, pl.DataFrame],
    first: str = "a",
    second: str = "b",
) -> SideBySide:
    for name, table in tables.items():
        connection.register("frame", table)
        connection.execute(f'CREATE OR REPLACE TABLE "{name}" AS FROM frame')
    (compared,) = put_side_by_side(connection, first, second)
    return compared


def test_questions_are_counted_by_the_first_answer(
    connection: duckdb.DuckDBPyConnection, tables: dict[str, pl.DataFrame]
) -> None:
    compared = compare(connection, tables)
    assert compared.by_type().rows() == [("all", 2, 1, 1), ("when", 0, 1, 0), ("who", 1, 0, 1)]
    verdicts = ("question", "first_verdict", "second_verdict")
    assert compared.flipped.select(verdicts).rows() == [
        ("q3", "right, withheld", "right"),  # lost
        ("q1", "right", "wrong"),
        ("q4", "right", "no row"),
    ]


def test_differences_are_the_first_less_the_second(
    connection: duckdb.DuckDBPyConnection, tables: dict[str, pl.DataFrame]
) -> None:
    compared = compare(connection, tables)
    shown = compared.measures.select("measure", "difference", "low", "high", "won")
    accuracy, brier, r = shown.rows()
    assert accuracy == (
        "accuracy",
        0.25,
        pytest.approx(0.05),
        pytest.approx(0.35),
        2,
    )  # b − a, turned
    assert brier == ("brier", pytest.approx(0.1), None, None, None)  # not tested
    assert r == ("r", None, None, None, None)
    assert compared.sentence() == (
        "a is better than b by 0.250 in ACCURACY (95% interval 0.050 to 0.350 for all pairs together); p = 0.040 among all pairs; "
        "2 questions gained, 1 lost."
    )
    assert compare(connection, tables, "b", "a").sentence() == compared.sentence()


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ([pair("accuracy", -0.25, 0.06)],
         "The data does not tell them apart: a is ahead by 0.250 in ACCURACY (95% interval 0.050 to 0.350 for all pairs together); "
         "p = 0.060 among all pairs; 2 questions gained, 1 lost."),
        ([pair("accuracy", -0.25, 0.06), pair("accuracy", -0.25, 0.01, "planned")],
         "a is better than b by 0.250 in ACCURACY (95% interval 0.050 to 0.350 for the planned comparisons together); p = 0.010 among the planned "
         "comparisons; 2 questions gained, 1 lost."),
        ([pair("accuracy", 0.0, 1.0)],
         "a and b are equal in ACCURACY (95% interval -0.200 to 0.100 for all pairs together); 2 questions gained, 1 lost."),
        ([pair("accuracy", -0.25, 0.0001)],
         "a is better than b by 0.250 in ACCURACY (95% interval 0.050 to 0.350 for all pairs together); "
         "p < 0.001 among all pairs; 2 questions gained, 1 lost."),
        ([pair("accuracy", 0.25, 0.3, run_a="a", run_b="z")],
         "Their difference in ACCURACY was not tested; for new data, plan it with comparisons: [[a, b]]."),
        ([pair("brier", 0.0, 1.0)],  # so significance is on
         "Their difference in ACCURACY was not tested: the study of significance does not test this measure."),
        ([pair("other", 0.0, 1.0, judge="key")],  # the pair may be planned, and yet is not tested
         "Their difference in ACCURACY was not tested by people; to test it, "
         "add people to the judges of studies."),
        ([], "Their difference in ACCURACY was not tested; to test it, add significance to studies."),
        # on 10,000 questions 4 more right ones: three digits would say that there is no difference
        ([pair("accuracy", -0.0004, 0.6)],
         "The data does not tell them apart: a is ahead by less than 0.001 in ACCURACY (95% interval -0.200 to 0.100 for all pairs together); "
         "p = 0.600 among all pairs; 2 questions gained, 1 lost."),
        ([pair("accuracy", -0.25, None)],  # one unit has no p
         "Their difference in ACCURACY cannot be tested on so few questions."),
    ],
)  # fmt: skip
def test_sentences_say_no_more_than_the_test(
    change: list[dict[str, Any]],
    sentence: str,
    connection: duckdb.DuckDBPyConnection,
    tables: dict[str, pl.DataFrame],
) -> None:
    changed = tables | {"comparisons": frame("comparisons", change)}
    assert compare(connection, changed).sentence() == sentence


def test_equal_runs_are_called_equal_though_nobody_tested_them(
    connection: duckdb.DuckDBPyConnection, tables: dict[str, pl.DataFrame]
) -> None:
    equal = tables["scores"].with_columns(value=pl.lit(0.5))
    changed = tables | {"scores": equal, "comparisons": frame("comparisons", [])}
    assert compare(connection, changed).sentence() == (
        "a and b are equal in ACCURACY; by the first answer, 2 questions gained, 1 lost."
    )


def test_a_single_question_tests_nothing(
    connection: duckdb.DuckDBPyConnection, tables: dict[str, pl.DataFrame]
) -> None:
    """Whether significance is among the studies or not."""
    changed = tables | {
        "questions": tables["questions"].head(1),
        "comparisons": empty("comparisons"),
    }
    assert compare(connection, changed).sentence() == (
        "Their difference in ACCURACY cannot be tested on so few questions."
    )


@pytest.mark.parametrize(
    ("runs", "said"),
    [
        (200, "was not tested; for new data"),
        (201, "is not in the tables: of more than 200 ranked runs, all pairs are tested"),
    ],
)
def test_of_very_many_runs_not_all_pairs_are_in_the_table(
    connection: duckdb.DuckDBPyConnection,
    tables: dict[str, pl.DataFrame],
    runs: int,
    said: str,
) -> None:
    ranked = [
        {"collection": "c", "judge": "people", "slice": "all", "measure": "accuracy", "run": run,
         "value": value, "rank_low": 1}
        for run, value in [("a", 0.5), ("b", 0.25), *((f"r{n}", 0.1) for n in range(runs - 2))]
    ]  # fmt: skip
    changed = tables | {"scores": frame("scores", ranked), "comparisons": empty("comparisons")}
    assert said in compare(connection, changed).sentence()


def test_questions_are_gained_as_the_measure_counts_them(
    connection: duckdb.DuckDBPyConnection, tables: dict[str, pl.DataFrame]
) -> None:
    """A mean over questions that looks beyond the first answer: 10 won, 2 lost by its value."""
    rows = frame("comparisons", [pair("accuracy", -0.25, 0.04, won=2, lost=10)])
    compared = compare(connection, tables | {"comparisons": rows})
    assert compared.sentence().endswith("; 10 questions gained, 2 lost.")
    head = "  questions, by the first answer  a better  b better  equal"
    assert head in list(lines(compared))


def test_of_a_run_without_answers_no_question_is_listed(
    connection: duckdb.DuckDBPyConnection, tables: dict[str, pl.DataFrame]
) -> None:
    changed = tables | {
        "answers": tables["answers"].filter(run="a"),
        "runs": tables["runs"].with_columns(
            kind=pl.when(run="b").then(pl.lit("baseline")).otherwise(pl.lit("submitted"))
        ),
        "comparisons": frame("comparisons", [pair("accuracy", -0.25, 0.04, won=0, lost=3)]),
        "scores": tables["scores"].with_columns(rank_first=pl.lit(1, pl.Int64)),
    }
    compared = compare(connection, changed)
    assert compared.sentence().endswith("; 3 questions gained, 0 lost.")
    assert list(lines(compared))[-1] == (
        "  No questions are listed or counted by type: there are no answers of b."
    )
    assert compared.questions["second_verdict"].null_count() == 4
    untested = changed["scores"].with_columns(value=pl.lit(0.5))
    changed |= {"scores": untested, "comparisons": empty("comparisons")}
    assert compare(connection, changed).sentence() == "a and b are equal in ACCURACY."


@pytest.mark.parametrize(
    ("equivalent", "said"),
    [
        (True, "They are equivalent within the planned margin of 0.3: the whole 95% interval for "
         "the planned comparisons together lies within it."),
        (False, "That they are equivalent within the planned margin of 0.3 is not shown: the 95% "
         "interval for the planned comparisons together does not lie within it."),
        (None, None),
    ],
)  # fmt: skip
def test_equivalence_is_said_where_it_was_planned(
    connection: duckdb.DuckDBPyConnection,
    tables: dict[str, pl.DataFrame],
    equivalent: bool | None,
    said: str | None,
) -> None:
    margin = None if equivalent is None else 0.3
    planned = pair("accuracy", -0.05, 0.6, "planned", margin=margin, equivalent=equivalent)
    rows = frame("comparisons", [pair("accuracy", -0.05, 0.6), planned])
    compared = compare(connection, tables | {"comparisons": rows})
    assert compared.equivalence() == said
    assert (f"  {said}" in list(lines(compared))) == (said is not None)


def test_validation_has_items_and_long_names_are_cut(
    connection: duckdb.DuckDBPyConnection, tables: dict[str, pl.DataFrame]
) -> None:
    long = "a" * 100 + "b" * 100
    renamed = {
        name: table.with_columns(pl.col("^run(_a|_b)?$").replace({"a": long}))
        for name, table in tables.items()
    }
    renamed["collections"] = tables["collections"].with_columns(task=pl.lit("validation"))
    said = list(lines(compare(connection, renamed, long)))
    assert said[1].startswith(f"  {'a' * 40}…{'b' * 39} is better than b by 0.250")
    assert said[1].endswith("; 2 items gained, 1 lost.")
    assert "  Items on which the first answers differ in verdict:" in said
    assert not any(long in line for line in said)


@pytest.mark.parametrize(
    ("p", "said"),
    [(0.02, "a is higher than b by 0.250"), (0.2, "tell them apart: a is higher by 0.250")],
)
def test_where_neither_end_is_better_nobody_is_ahead(
    connection: duckdb.DuckDBPyConnection, tables: dict[str, pl.DataFrame], p: float, said: str
) -> None:
    measures = tables["measures"].with_columns(better=pl.lit("none"))
    compared = frame("comparisons", [pair("accuracy", -0.25, p)])
    changed = tables | {"measures": measures, "comparisons": compared}
    assert said in compare(connection, changed).sentence()


def test_scores_alone_win_no_question(
    connection: duckdb.DuckDBPyConnection, tables: dict[str, pl.DataFrame]
) -> None:
    # a judge that gives numbers calls nothing right: 0 questions gained would say that it does
    scored = tables["answers"].with_columns(
        verdict=pl.lit("unassessed").cast(tables["answers"].schema["verdict"]), correct=False
    )
    compared = compare(connection, tables | {"answers": scored})
    assert compared.sentence() == (
        "a is better than b by 0.250 in ACCURACY (95% interval 0.050 to 0.350 for all pairs "
        "together); p = 0.040 among all pairs."
    )
    assert not any("better" in line or "equal" in line for line in [*lines(compared)][2:])


def test_scores_alone_make_no_verdict_of_an_empty_answer(
    connection: duckdb.DuckDBPyConnection, tables: dict[str, pl.DataFrame]
) -> None:
    # NIL is right or wrong whatever a judge says, also one that gives scores alone
    nil = pl.col("run") == "a"
    scored = tables["answers"].with_columns(
        verdict=pl.when(nil).then(pl.lit("right")).otherwise(pl.lit("unassessed")),
        correct=nil & pl.col("answered"),
        degree=pl.lit(0.5),
    )
    shown = [*lines(compare(connection, tables | {"answers": scored}))]
    assert shown[1].endswith("p = 0.040 among all pairs.")
    assert not any("better" in line or "verdict" in line for line in shown[2:])


def test_of_some_measures_low_values_are_better(
    connection: duckdb.DuckDBPyConnection, tables: dict[str, pl.DataFrame]
) -> None:
    ranking = tables["measures"].with_columns(primary=pl.col("measure") == "brier")
    changed = tables | {
        "measures": ranking,
        "comparisons": frame("comparisons", [pair("brier", -0.1, 0.02)]),
    }
    assert (
        compare(connection, changed).sentence().startswith("b is better than a by 0.100 in BRIER")
    )


def test_what_the_terminal_shows(
    connection: duckdb.DuckDBPyConnection, tables: dict[str, pl.DataFrame]
) -> None:
    shown = list(lines(compare(connection, tables)))
    assert shown[0] == "c, by people: a and b"
    assert shown[3:8] == [
        "  measure       a      b  difference      95% interval      p",
        "  ACCURACY  0.500  0.250       0.250  +0.050 to +0.350  0.040  *",
        "  BRIER     0.300  0.200       0.100                 –      –",
        "  R             –  0.100           –                 –      –",
        "  Intervals and p hold for all pairs together, measure by measure.",
    ]
    assert "      b: (no answer) [no row]" in shown


@pytest.mark.parametrize(
    ("visible", "detectable", "sentence"),
    [
        (
            0.4,
            0.3,
            "At this size, a difference of 0.400 in ACCURACY is seen in 80% of cases, if these two "
            "alone are compared.",
        ),
        (  # more than values can differ by, which is 1
            None,
            1.3,
            "At this size, hardly any difference in ACCURACY could be seen, even if these two alone "
            "were compared.",
        ),
        (None, None, None),
    ],
)
def test_no_difference_that_cannot_be_is_called_visible(
    connection: duckdb.DuckDBPyConnection,
    tables: dict[str, pl.DataFrame],
    visible: float | None,
    detectable: float | None,
    sentence: str | None,
) -> None:
    row = pair("accuracy", -0.25, 0.04, visible=visible, detectable=detectable)
    rows = frame("comparisons", [row])
    assert compare(connection, tables | {"comparisons": rows}).size() == sentence


def test_why_there_is_no_p_value_among_all_pairs(
    connection: duckdb.DuckDBPyConnection, tables: dict[str, pl.DataFrame]
) -> None:
    """A single question has no p at all; of ECE, the one of two runs alone is all that there is.

    Then nothing is said of what could be seen, or of equivalence.
    """
    for alone, words in ((None, "cannot be tested on so few"), (0.2, "does not test this measure")):
        row = pair("accuracy", -0.25, None) | {"p": alone, "margin": 0.1, "equivalent": None}
        compared = compare(connection, tables | {"comparisons": frame("comparisons", [row])})
        assert words in compared.sentence()
        assert (compared.size(), compared.equivalence()) == (None, None)


@pytest.mark.parametrize(("units", "is_said"), [(3, False), (11, False), (12, True)])
def test_nothing_is_seen_on_few_questions(
    connection: duckdb.DuckDBPyConnection,
    tables: dict[str, pl.DataFrame],
    units: int,
    is_said: bool,
) -> None:
    # of 3 questions the smallest p is 1/4: no difference is ever seen at the 5% level
    rows = frame("comparisons", [pair("accuracy", -0.25, 0.5, units=units)])
    found = compare(connection, tables | {"comparisons": rows}).size()
    assert (found is not None) == is_said


@pytest.mark.parametrize(
    ("lost", "won", "shown"),
    [(30, 30, (10, 10)), (30, 4, (16, 4)), (3, 40, (3, 17)), (2, 2, (2, 2))],
)
def test_the_terminal_shows_lost_and_won_questions(
    connection: duckdb.DuckDBPyConnection,
    tables: dict[str, pl.DataFrame],
    lost: int,
    won: int,
    shown: tuple[int, int],
) -> None:
    rows = [
        {"collection": "c", "judge": "people", "run": run, "question": f"q{n}", "rank": 1,
         "answer": "x", "answered": True, "verdict": "right" if right else "unassessed",
         "correct": right}
        for n in range(lost + won)
        for run, right in (("a", n >= lost), ("b", n < lost))
    ]  # fmt: skip
    asked = [{"collection": "c", "judge": "people", "question": f"q{n}"} for n in range(lost + won)]
    changed = {"answers": frame("answers", rows), "questions": frame("questions", asked)}
    said = list(lines(compare(connection, tables | changed)))
    verdicts = [line for line in said if line.startswith("      a: ")]
    counted = [sum(word in line for line in verdicts) for word in ("[unassessed]", "[right]")]
    assert tuple(counted) == shown
    unjudged = (
        f"  In {lost + won} of them an answer is unassessed by people and does not count as right."
    )
    assert unjudged in said


def test_a_text_that_is_the_id_stands_there_once(
    connection: duckdb.DuckDBPyConnection, tables: dict[str, pl.DataFrame]
) -> None:
    texts = tables["questions"].with_columns(
        text=pl.when(question="q1").then(pl.lit("Who?")).otherwise("question")
    )
    shown = list(lines(compare(connection, tables | {"questions": texts})))
    assert [line.strip() for line in shown if line.startswith("    q")] == ["q3", "q1  Who?", "q4"]


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        ({"first": "a", "second": "z"}, "There is no run z; allowed: a, b"),
        ({"first": "a", "second": "a"}, "a is the same run twice; name two different runs"),
        ({"first": "a", "second": "b", "collection": "d"}, "There is no collection d; allowed: c"),
        ({"first": "a", "second": "b", "judge": "key"}, "c has no judge key; allowed: people"),
    ],
)
def test_what_is_not_there_is_refused(
    wanted: dict[str, str],
    message: str,
    connection: duckdb.DuckDBPyConnection,
    tables: dict[str, pl.DataFrame],
) -> None:
    compare(connection, tables)
    with pytest.raises(Refused, match=message):
        put_side_by_side(connection, **wanted)


@pytest.mark.parametrize(
    ("without", "said"),
    [
        ("a", "They cannot be compared: people has no verdict on any answer of a."),
        ("ab", "They cannot be compared: people has no verdict on any answer of a or b."),
    ],
)
def test_runs_without_verdicts_are_not_called_equal(
    connection: duckdb.DuckDBPyConnection,
    tables: dict[str, pl.DataFrame],
    without: str,
    said: str,
) -> None:
    """Their answers count as wrong, but they have no rank: nobody knows how good they are."""
    tables["runs"] = frame(
        "runs", [{"collection": "c", "run": run, "kind": "submitted"} for run in "ab"]
    )
    tables["comparisons"] = empty("comparisons")
    known = ~pl.col("run").is_in(list(without)) & pl.col("value").is_not_null()
    tables["scores"] = tables["scores"].with_columns(rank_first=pl.when(known).then(1))
    assert compare(connection, tables).sentence() == said
    tables["scores"] = tables["scores"].with_columns(
        rank_first=pl.when(pl.col("value").is_not_null()).then(1), value=0.0
    )
    equal = "a and b are equal in ACCURACY; by the first answer, 2 questions gained, 1 lost."
    assert compare(connection, tables).sentence() == equal


@pytest.mark.parametrize(
    ("degree", "said"),
    [(None, "people has no verdict on any answer of a"),
     (0.5, "people has no score for any answer of a")],
)  # fmt: skip
def test_of_a_run_without_verdicts_no_difference_is_sure(
    connection: duckdb.DuckDBPyConnection,
    tables: dict[str, pl.DataFrame],
    degree: float | None,
    said: str,
) -> None:
    """A planned comparison tests it, as if all its answers were wrong."""
    tables["runs"] = frame(
        "runs", [{"collection": "c", "run": run, "kind": "submitted"} for run in "ab"]
    )
    tables["comparisons"] = frame("comparisons", [pair("accuracy", -0.25, 0.0001, "planned")])
    tables["scores"] = tables["scores"].with_columns(rank_first=pl.when(run="b").then(1))
    tables["answers"] = tables["answers"].with_columns(degree=pl.lit(degree, pl.Float64))
    assert [*lines(compare(connection, tables))] == [
        "c, by people: a and b",
        f"  They cannot be compared: {said}.",
        "",
        "  measure       a      b  difference  95% interval  p",
        "  ACCURACY  0.500  0.250       0.250             \u2013  \u2013",
        "  BRIER     0.300  0.200       0.100             \u2013  \u2013",
        "  R             \u2013  0.100           \u2013             \u2013  \u2013",
    ]
