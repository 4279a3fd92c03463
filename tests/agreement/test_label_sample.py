"""Which answers to label: how many, of which sort, with which probability."""

import numpy as np
import polars as pl
import pytest

from qampaign.agreement.label_sample import draw_answers, plan

NO_LABELS = pl.DataFrame(schema={"accepted": pl.Boolean, "right": pl.Boolean})


def verdicts(number: int) -> pl.DataFrame:
    """Two runs on so many questions; the judge accepts two thirds of a's answers, a third of b's."""
    rows = [
        (run, f"q{n:04}", 1, f"{run} {n}", (n % 3 > 0) == (run == "a"))
        for run in ("a", "b")
        for n in range(number)
    ]
    names = ["run", "question", "rank", "answer", "accepted"]
    return pl.DataFrame(rows, schema=names, orient="row")


def draw(width: float, labels: pl.DataFrame = NO_LABELS, number: int = 600) -> pl.DataFrame:
    judged = verdicts(number)
    unassessed = judged.select("question", "answer")
    found = draw_answers(unassessed, judged, labels, questions=number, width=width, seed="1 x")
    return found.chosen


def test_the_plan_gives_the_width_by_hand() -> None:
    # A run with 400 answers of either sort to 1,000 questions, half of them right by the judge, and
    # a spread of 0.4 in both. Drawing a share f leaves 3.92 * sqrt(0.25/1000 + 800*0.16*(1-f)/f/1e6):
    # for a width of 0.08 the root is 0.020408, so (1-f)/f = (0.0004165 - 0.00025) / 0.000128 = 1.3.
    shares, width = plan(
        np.array([[400.0, 400.0]]), np.array([0.5]), np.array([0.4, 0.4]), 1000, 0.08
    )
    assert width == pytest.approx(0.08, abs=1e-6)
    assert shares == pytest.approx([1 / 2.301] * 2, abs=2e-3)


def test_what_is_more_doubtful_is_drawn_more_often() -> None:
    # of 40 accepted answers all are right, of 40 others half: the latter say more
    labels = pl.DataFrame(
        {"accepted": [True] * 40 + [False] * 40, "right": [True] * 40 + [True, False] * 20}
    )
    chosen = draw(0.09, labels)
    by_sort = (
        chosen.join(verdicts(600), on=["question", "answer"])
        .group_by("accepted")
        .agg(pl.col("probability").first(), share=pl.len() / 600)
    )
    odds = dict(by_sort.select("accepted", "probability").rows())
    assert odds[False] > 2 * odds[True]
    # the probability is the share that was drawn
    assert by_sort.filter((pl.col("probability") - pl.col("share")).abs() > 1e-9).is_empty()


def test_a_narrower_interval_takes_more_labels_and_keeps_those_that_were_drawn() -> None:
    few, many = (draw(width).select("question", "answer") for width in (0.12, 0.09))
    assert few.height < many.height
    assert few.join(many, on=["question", "answer"], how="anti").is_empty()


def test_at_least_fifty_answers_of_each_run_are_drawn() -> None:
    chosen = draw(0.9).join(verdicts(600), on=["question", "answer"])
    counted = dict(chosen.group_by("run").len().rows())
    assert min(counted.values()) >= 35  # fifty are expected
    assert draw(0.9).height < 200


def test_with_nothing_to_draw_from_the_sheet_is_empty() -> None:
    judged = verdicts(10)
    nothing = judged.select("question", "answer").clear()
    found = draw_answers(nothing, judged, NO_LABELS, questions=10, width=0.1, seed="s")
    assert found.chosen.is_empty()
    assert found.chosen.columns == ["question", "answer", "probability"]
