"""What is said where there is little to say: no verdicts, no values, equal runs, a single run."""

import polars as pl
import pytest

from qampaign.report.blocks import Chart, Table
from qampaign.report.page import Shown, show
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
