"""What is said where there is little to say: no verdicts, no values, equal runs, a single run."""

import json
import re

import polars as pl
import pytest

from qampaign.report.blocks import Chart, Table
from qampaign.report.figures import figure, specs
from qampaign.report.page import Shown, render, show
from qampaign.report.paper.methods import paragraphs, sentences
from tests.report.report_campaign import Tables
from tests.report.test_paper import SETTINGS
from tests.report.whole_campaign import campaign

pytestmark = pytest.mark.slow


def first(made: Tables) -> Shown:
    """The first collection of a campaign."""
    return show(made)[0]


def blocks(shown: Shown) -> dict[str, Chart | Table]:
    """Every chart and table of a collection, by name."""
    return {block.id: block for section in shown.sections for block in section.blocks}


def said(shown: Shown, section: str) -> list[str]:
    """The sentences of a section."""
    (found,) = [each for each in shown.sections if each.id == section]
    return list(found.sentences)


def methods(shown: Shown) -> str:
    """The methods of a collection, as text."""
    return " ".join(paragraphs(sentences(shown.collection, SETTINGS)))


def unjudged(*runs: str, of: int = 3) -> Tables:
    """Runs without a baseline that answer all of 100 questions; nobody has judged some of them."""
    made = campaign(runs=of, collections=1)
    none = pl.col("run").is_in(runs)
    silent = {
        name: pl.lit(0, pl.Int64) for name in ("unanswered", "withheld_right", "withheld_wrong")
    }
    made["runs"] = made["runs"].with_columns(kind=pl.lit("submitted"))
    made["counts"] = made["counts"].with_columns(
        right=pl.when(none).then(0).otherwise("right"),
        wrong=pl.when(none).then("questions").otherwise(pl.col("questions") - pl.col("right")),
        unassessed=pl.when(none).then("questions").otherwise(0),
        answers="questions",
        **silent,
    )
    ranks = ("rank_first", "rank_last", "rank_low", "rank_high", "low", "high", "leading")
    made["scores"] = made["scores"].with_columns(
        pl.when(~none).then(name).alias(name) for name in ranks
    )
    return made


def test_a_run_that_nobody_judged_is_named() -> None:
    shown = first(unjudged("run-002"))
    assert "run-002 is not ranked: people has no verdict on any of its answers." in said(
        shown, "leaderboard"
    )
    counts = blocks(shown)["counts"]
    assert counts.caption == (
        "Blue is right, orange is wrong. Answers without a verdict count as wrong and are orange, "
        "too: 100 of run-002."
    )
    assert (
        "1 submitted run has no rank, since people has no verdict on any of its answers."
        in methods(shown)
    )


def test_where_nobody_judged_anything_that_is_said() -> None:
    """Not that no ranked run is right: no run is ranked."""
    shown = first(unjudged("run-001", "run-002", "run-003"))
    assert said(shown, "leaderboard") == ["No run is ranked: people has no verdict on any answer."]
    assert blocks(shown)["counts"].caption.endswith("orange, too: 100 of each run.")
    assert shown.collection.solved_in_words() == ""
    assert "Nobody has judged any answer, so that there are no intervals and no tests." in methods(
        shown
    )
    assert "too little data" not in methods(shown)


def test_of_several_ranks_most_answers_are_not_in_the_chart() -> None:
    made = unjudged("run-002")
    made["counts"] = made["counts"].with_columns(answers=pl.col("questions") * 2)
    assert blocks(first(made))["counts"].caption.endswith(
        "Answers without a verdict, at any rank, count as wrong: 100 of run-002."
    )


def test_a_measure_without_values_ranks_nobody() -> None:
    made = unjudged(of=3)
    nothing = {
        name: pl.lit(None, made["scores"].schema[name])
        for name in ("value", "rank_first", "rank_last")
    }
    made["scores"] = made["scores"].with_columns(**nothing)
    assert said(first(made), "leaderboard") == ["No run is ranked: none has a value of c@1."]


def confident(r: dict[str, float | None], k1: dict[str, float | None]) -> Tables:
    """Three submitted runs, some of which have r and K1."""
    made = unjudged(of=3)
    values = {"confidence_correlation": r, "k1": k1}
    given = pl.col("value")
    for measure, of_runs in values.items():
        own = pl.col("run").replace_strict(of_runs, default=None, return_dtype=pl.Float64)
        given = pl.when(pl.col("measure") == measure).then(own).otherwise(given)
    made["scores"] = made["scores"].with_columns(value=given)
    return made


@pytest.mark.parametrize(
    ("r", "k1", "told"),
    [
        ({"run-001": 0.1}, {"run-001": 0.2, "run-002": 0.3, "run-003": -0.1},
         "K1 is above 0 for run-001, the only submitted run with both r and K1"),
        ({"run-001": 0.1, "run-003": 0.1}, {"run-001": 0.2, "run-002": 0.3, "run-003": -0.1},
         "K1 is above 0 for 1 of the 2 runs with both r and K1"),
        ({"run-001": 0.1, "run-003": 0.1}, {"run-001": -0.2, "run-002": 0.3, "run-003": -0.1},
         "K1 is above 0 for neither of the 2 runs with both r and K1"),
        ({"run-001": 0.1, "run-002": 0.1, "run-003": 0.1},
         {"run-001": 0.2, "run-002": 0.3, "run-003": -0.1}, "K1 is above 0 for 2 of 3 submitted runs"),
    ],
)  # fmt: skip
def test_runs_without_r_are_not_among_those_that_are_counted(
    r: dict[str, float | None], k1: dict[str, float | None], told: str
) -> None:
    chart = blocks(first(confident(r, k1)))["k1"]
    assert isinstance(chart, Chart)
    assert chart.finding == told


def test_runs_without_confidences_are_not_counted() -> None:
    made = unjudged(of=3)
    rows = made["reliability"]
    for kept, told in (
        (["run-001", "run-002"], "for neither of the 2 runs that give confidences from 0 to 1"),
        (["run-002"], "the mean confidence of run-002 does not exceed its accuracy"),
    ):
        made["reliability"] = rows.filter(pl.col("run").is_in(kept)).with_columns(
            confidence=pl.lit(0.1), accuracy=pl.lit(0.5)
        )
        chart = blocks(first(made))["reliability"]
        assert isinstance(chart, Chart)
        assert chart.finding.startswith("Over all its answers, ")
        assert told in chart.finding


@pytest.mark.parametrize(
    ("counts", "charts", "told"),
    [
        # no item is right: recall is 0 of 0
        ({"tp": 0, "fp": 5, "fn": 0, "tn": 11}, set(),
         ["people calls no item right, so that no run has a recall or an AUC."]),
        ({"tp": 5, "fp": 0, "fn": 11, "tn": 0}, {"precision_recall"},
         ["people calls no item wrong, so that no run has an fp rate or an AUC."]),
        ({"tp": 3, "fp": 2, "fn": 4, "tn": 7}, {"precision_recall", "roc"}, []),
    ],
)  # fmt: skip
def test_rates_of_nothing_are_not_drawn(
    counts: dict[str, int], charts: set[str], told: list[str]
) -> None:
    made = campaign(runs=3, collections=2)
    made["counts"] = made["counts"].with_columns(
        pl.when(pl.col("tp").is_not_null()).then(pl.lit(number)).alias(name)
        for name, number in counts.items()
    )
    shown = show(made)[1]
    (section,) = [each for each in shown.sections if each.id == "validation"]
    assert {chart.id for chart in section.charts} == charts
    assert section.sentences == told


@pytest.mark.parametrize(
    ("silent", "told"),
    [
        ([], "Both submitted runs are more precise than random validation"),
        (["run-002"], "1 of 2 submitted runs is more precise than random validation"),
        (
            ["run-001", "run-002"],
            "No item is accepted by run-002 and run-001, which have no precision",
        ),
    ],
)
def test_runs_that_accept_nothing_are_counted(silent: list[str], told: str) -> None:
    """The last of three runs is a baseline; the others accept 3 right items and 1 wrong one."""
    made = campaign(runs=3, collections=2)
    none = pl.col("run").is_in(silent)
    accepted = {"tp": (3, 0), "fp": (1, 0), "fn": (4, 7), "tn": (8, 9)}
    made["counts"] = made["counts"].with_columns(
        pl.when(pl.col("tp").is_not_null())
        .then(pl.when(none).then(pl.lit(nothing)).otherwise(pl.lit(some)))
        .alias(name)
        for name, (some, nothing) in accepted.items()
    )
    charts = blocks(show(made)[1])
    precision, roc = charts["precision_recall"], charts["roc"]
    assert isinstance(precision, Chart)
    assert precision.finding == told
    if len(silent) == 1:
        none = "No item is accepted by run-002, which has no precision."
        assert precision.caption.endswith(none)
        assert f"that holds for neither of the 2 submitted runs. {none}" in roc.caption


def test_a_run_without_a_recall_is_no_point() -> None:
    """A random baseline has no counts: only measured rates would place it."""
    shown = show(campaign(runs=3, collections=2))[1]
    for section in shown.sections:
        for chart in section.charts:
            if chart.id in ("precision_recall", "roc"):
                spec = json.dumps(figure(chart, shown))
                needed = ["tp_rate"] + ["fp_rate"] * (chart.id == "roc")
                assert " && ".join(f"isValid(datum.{name})" for name in needed) in spec
                assert "datum.tp / (datum.tp + datum.fn) : null" in spec


def test_a_measure_that_no_run_has_is_told_and_not_drawn() -> None:
    made = confident({}, {"run-001": 0.2, "run-002": 0.3, "run-003": -0.1})
    shown = first(made)
    assert "k1" not in blocks(shown)
    assert said(shown, "abstention") == ["No run has a value of r."]
    apart = first(confident({"run-001": 0.1}, {"run-002": 0.3}))
    assert "k1" not in blocks(apart)
    assert said(apart, "abstention") == ["No run has both r and K1."]


def test_values_that_do_not_exist_are_not_called_dots() -> None:
    """By c@1 no run has a value; by accuracy all have."""
    made = unjudged(of=3)
    is_c_at_1 = pl.col("measure") == "c_at_1"
    made["scores"] = made["scores"].with_columns(
        pl.when(~is_c_at_1).then(name).alias(name) for name in ("value", "rank_first", "rank_last")
    )
    shown = first(made)
    chart = blocks(shown)["scores"]
    assert isinstance(chart, Chart)
    assert (chart.finding, chart.caption) == ("No run has a value of c@1", "")
    assert chart.needs == ("value",)
    assert chart.follow is not None
    drawn = {name for _, name, _ in specs(shown)}
    assert "scores" not in drawn
    assert "counts" in drawn
    assert "Each dot is a run" in chart.follow(shown.collection.seen(0, 0, 1)).caption
    nothing = pl.lit(None, pl.Float64)
    bare = first(made | {"scores": made["scores"].with_columns(value=nothing)})
    assert not {"scores", "slices", "k1", "mrr", "lists"} & blocks(bare).keys()


def test_equal_confidences_draw_no_line() -> None:
    made = unjudged(of=3)
    rows = made["coverage"]
    made["coverage"] = rows.group_by("run", maintain_order=True).last().select(rows.columns)
    shown = first(made)
    assert "coverage" not in blocks(shown)
    assert said(shown, "abstention") == [
        "Every run that gives confidences gives the same one to all its answers: its accuracy is "
        "the same whatever confidence is required."
    ]


def test_a_judge_without_a_curve_is_not_drawn() -> None:
    """The reference calls nothing wrong: there are no false alarms."""
    made = campaign(runs=6, collections=1)
    assert "judge_roc" in blocks(first(made))
    made["roc"] = made["roc"].with_columns(fp_rate=pl.lit(None, pl.Float64))
    assert "judge_roc" not in blocks(first(made))


def priced(leaders: dict[tuple[float, float], list[str]], *runs: str) -> Tables:
    """Runs with values at each price of an error, and who is ahead from where to where."""
    made = unjudged(of=3)
    own = {"collection": "answers-0", "judge": "people"}
    if len(runs) == 1:
        for name in ("runs", "counts", "scores"):
            made[name] = made[name].filter(run=runs[0])
        made["scores"] = made["scores"].with_columns(rank_first=1, rank_last=1)
    made["price"] = pl.DataFrame(
        [
            own | {"run": run, "t": t, "value": 0.5, "c_at_1": 0.5}
            for run in runs
            for t in (0.0, 0.5)
        ]
    )
    made["price_leaders"] = pl.DataFrame(
        [
            own | {"t_from": start, "t_to": end, "run": run}
            for (start, end), ahead in leaders.items()
            for run in ahead
        ]
    )
    return made


@pytest.mark.parametrize(
    ("ahead", "told"),
    [
        (["run-001"], "run-001 is ahead at every price of an error"),
        (["run-001", "run-002"], "run-001 and run-002 are ahead together at every price of an error"),
        (["run-001", "run-002", "run-003"],
         "All 3 ranked runs have the same value at every price of an error"),
    ],
)  # fmt: skip
def test_runs_with_equal_values_are_not_ahead_of_anybody(ahead: list[str], told: str) -> None:
    made = priced({(0.0, 1.0): ahead}, "run-001", "run-002", "run-003")
    chart = blocks(first(made))["price"]
    assert isinstance(chart, Chart)
    assert chart.finding == told


@pytest.mark.parametrize(
    ("t", "told"), [(0.5, "0.50"), (0.99672, "0.997"), (0.9999, "0.9999"), (0.004, "0.004")]
)  # fmt: skip
def test_a_price_at_which_the_leader_changes_is_told_from_the_ends(t: float, told: str) -> None:
    made = priced({(0.0, t): ["run-001"], (t, 1.0): ["run-002"]}, "run-001", "run-002", "run-003")
    chart = blocks(first(made))["price"]
    assert isinstance(chart, Chart)
    assert chart.finding == (
        f"The leader changes once: run-001 is ahead up to t = {told}, run-002 from t = {told} on"
    )


def test_of_one_run_none_can_be_picked() -> None:
    chart = blocks(first(priced({(0.0, 1.0): ["run-001"]}, "run-001")))["price"]
    assert isinstance(chart, Chart)
    assert chart.finding == "The value of run-001, by the price of an error"


@pytest.mark.parametrize(
    ("units", "pairs", "share", "told"),
    [
        (11, 3, 0.0, "With only 11 questions, the tests are coarse: of runs that do not differ at "
         "all, the sign and the randomisation test would call at most about one pair in twenty "
         "different at the level 0.05, the bootstrap more. By c@1, the sign test calls 0% of 3 pairs "
         "different at that level."),
        (12, 1, 0.0, "the bootstrap would call about one pair in twenty different at the level 0.05, "
         "the other tests at most about so many. By c@1, the sign test does not call the pair "
         "different at that level."),
        (12, 1, 1.0, "By c@1, the sign test calls the pair different at that level."),
    ],
)  # fmt: skip
def test_how_often_single_tests_are_wrong_is_told(
    units: int, pairs: int, share: float, told: str
) -> None:
    made = unjudged(of=3)
    made["counts"] = made["counts"].with_columns(questions=pl.lit(units, pl.Int64))
    made["scores"] = made["scores"].with_columns(questions=pl.lit(units, pl.Int64))
    made["significant_shares"] = made["significant_shares"].with_columns(
        pairs=pl.lit(pairs, pl.Int64), share=pl.lit(share)
    )
    table = blocks(first(made))["significant_shares"]
    assert table.caption.endswith(told)
    assert ("coarse" in table.caption) == (units == 11)


def test_a_measure_without_values_is_not_called_equal() -> None:
    made = campaign(runs=6, collections=1)
    value = pl.when(pl.col("measure") == "k1").then(0.5)
    value = value.when(pl.col("measure") != "confidence_correlation").then("value")
    made["scores"] = made["scores"].with_columns(value=value)
    assert blocks(first(made))["measure_tau"].caption.endswith(
        "Left out, since all ranked runs are equal by it: K1. Left out, since no ranked run has a "
        "value by it: r."
    )


def test_what_has_no_row_and_counts_as_wrong_is_said_to_be_answered_wrongly() -> None:
    """50 of 100 questions have no row, and none of them is among the unanswered ones."""
    made = unjudged(of=3)
    silent = dict.fromkeys(("empty", "not_attempted"), pl.lit(0, pl.Int64))
    made["counts"] = made["counts"].with_columns(missing=pl.col("questions") // 2, **silent)
    made["measures"] = made["measures"].with_columns(
        formula=pl.when(pl.col("measure") == "c_at_1")
        .then(pl.lit("(correct + unanswered * correct / questions) / questions"))
        .otherwise(pl.lit("correct / questions"))
    )
    collection = first(made).collection
    of = {row["measure"]: collection.explained(row) for row in collection.measures}
    assert of["c_at_1"].endswith("Questions without a row count as answered wrongly.")
    assert "without a row" not in of["accuracy"]
    assert render(made, title="x").count("Questions without a row count as answered wrongly.") > 1
    as_silence = made["counts"].with_columns(unanswered="missing")
    collection = first(made | {"counts": as_silence}).collection
    assert not any(collection.of_missing(row) for row in collection.measures)


@pytest.mark.parametrize(
    ("ties", "told"),
    [
        ([], "the adjudicated one, else the majority's; right counts as correct."),
        (["wrong"], "else the majority's; where as many say one thing as another, wrong wins; right "
         "counts as correct."),
        (["wrong", "right"], "where as many say one thing as another, the first of wrong and right "
         "wins; right counts as correct."),
    ],
)  # fmt: skip
def test_the_rule_of_ties_is_told(ties: list[str], told: str) -> None:
    judges = {name: judge | {"ties": ties} for name, judge in SETTINGS["judges"].items()}
    shown = first(campaign(runs=6, collections=1))
    text = " ".join(paragraphs(sentences(shown.collection, SETTINGS | {"judges": judges})))
    assert told in text
    assert text.count("where as many say") == bool(ties)  # not of the judge by the key


@pytest.mark.parametrize("threshold", [None, 0.25])
def test_scores_without_a_threshold_call_nothing_correct(threshold: float | None) -> None:
    made = unjudged(of=3)
    made["judges"] = made["judges"].with_columns(threshold=pl.lit(threshold, pl.Float64))
    judges = {name: judge | {"kind": "scores"} for name, judge in SETTINGS["judges"].items()}
    text = " ".join(paragraphs(sentences(first(made).collection, SETTINGS | {"judges": judges})))
    without = "without a threshold, nothing counts as correct, and an answer without a score counts"
    assert (without in text) == (threshold is None)
    assert ("right counts as correct" in text) == (threshold is not None)


def test_a_single_planned_pair_is_no_family() -> None:
    made = unjudged(of=3)
    pair = made["comparisons"].head(1).with_columns(family=pl.lit("planned"), margin=pl.lit(0.1))
    other = pair.with_columns(run_b=pl.lit("run-003"))
    for planned, alone in ((pair, True), (pl.concat([pair, other]), False)):
        comparisons = pl.concat([made["comparisons"], planned])
        shown = first(made | {"comparisons": comparisons})
        table = blocks(shown)["planned"]
        assert isinstance(table, Table)
        hints = {column.label: column.hint for column in table.columns}
        assert table.caption.startswith("The pair that the config names, tested alone:") == alone
        assert ("all of them together" in table.caption) != alone
        assert ("all pairs" in hints["from"]) != alone
        assert ("for all planned pairs together" in methods(shown)) != alone


@pytest.mark.parametrize(
    ("seconds", "told"), [("1.2", "1 second"), ("2.2", "2 seconds"), ("0.2", "less than a second")]
)  # fmt: skip
def test_one_second_is_not_seconds(seconds: str, told: str) -> None:
    made = campaign(runs=3, collections=1)
    is_time = pl.col("topic") == "seconds"
    made["provenance"] = made["provenance"].with_columns(
        value=pl.when(is_time).then(pl.lit(seconds)).otherwise("value")
    )
    page = render(made, title="x")
    assert f"All jobs before publication took {told} together." in page


def test_credit_is_for_unanswered_questions_whether_or_not_they_are_silence() -> None:
    chart = blocks(first(campaign(runs=4, collections=1)))["c_at_1"]
    assert isinstance(chart, Chart)
    assert re.fullmatch(
        r"run-00\d gains the most from unanswered questions, 0\.\d{3}", chart.finding
    )


def test_how_many_questions_a_study_needs_is_said() -> None:
    made = campaign(runs=6, collections=1)
    few = pl.lit("questions")
    for name in ("stability", "sensitivity", "sizes_enough", "questions_needed"):
        made[name] = made[name].with_columns(too_few=few)
    assert any(
        sentence.endswith(
            ": the sets that are drawn need at least 10 questions, and must leave some out."
        )
        for sentence in said(first(made), "measures")
    )
