"""Which answers to label: how many, of which sort, with which probability, for which width."""

import numpy as np
import polars as pl
import pytest

from qampaign.agreement.label_forecast import FirstAnswers, expected_widths
from qampaign.agreement.label_sample import Asked, LabelSample, draw_answers, plan
from qampaign.studies.units import Units
from tests.bench.calibration import pools
from tests.helpers.cases import first


def asked(number: int, groups: int | None = None) -> Asked:
    questions = pl.DataFrame(
        {
            "question": [f"q{n:04}" for n in range(number)],
            "group": [None if groups is None else f"g{n % groups}" for n in range(number)],
        },
        schema={"question": pl.String, "group": pl.String},
    )
    return Asked(questions, None, Units.of(questions, "group"))


def answers(number: int, labelled: int = 0, rejected_right: float = 0.0) -> pl.DataFrame:
    """Two runs on so many questions; the judge accepts two thirds of a's answers, a third of b's.

    Of the labelled ones, all that it accepts are right, and a share of what it rejects.
    """
    rows = []
    for run in ("a", "b"):
        for n in range(number):
            accepted = (n % 3 > 0) == (run == "a")
            right = accepted or n % 10 < 10 * rejected_right
            known = right if n < labelled else None
            rows.append((run, f"q{n:04}", 1, f"{run} {n}", False, accepted, known))
    names = ["run", "question", "rank", "answer", "nil", "accepted", "right"]
    return pl.DataFrame(rows, schema=names, orient="row").with_columns(pl.col("right").cast(bool))


def sampled(width: float, given: pl.DataFrame, number: int = 600, **options: bool) -> LabelSample:
    unassessed = given.filter(pl.col("right").is_null()).select("question", "answer")
    return draw_answers(unassessed, given, asked(number), width=width, seed="1 x", **options)


def draw(width: float, given: pl.DataFrame | None = None) -> pl.DataFrame:
    return sampled(width, answers(600) if given is None else given).chosen


def by_hand(
    judge: np.ndarray, right: tuple[float, float], units: Units | None = None
) -> FirstAnswers:
    """A run without labels: what the judge accepts and rejects is right with these chances."""
    number = judge.shape[1]
    units = units or Units(pl.Series([f"q{n}" for n in range(number)]), np.arange(number))
    people = np.where(judge > 0, *right)
    return FirstAnswers(
        judge, people, people * (1 - people), judge >= 0, judge < 0, np.ones(number), units
    )


def test_the_width_by_hand() -> None:
    # 100 questions, 50 accepted; 0.8 of these are right and 0.2 of the rest; half are labelled.
    # Labelled 50, each counts 1, with the pseudo-labels 51.333. Means: people (25 + 2/3) / 51.333 =
    # 0.5, judge 0.5; spread 0.25; product 20 / 51.333 = 0.38961, together 0.13961, slope 0.55844,
    # level 0.5 - 0.27922 = 0.22078.
    # Accepted: moved = (0.8 - 0.55844 - 0.22078) / 51.333 = 0.000405, through the judge's mean
    # 0.55844 * 0.5 / 100 = 0.0027922: 0.0031970; rejected: minus that. Noise 0.16 / 51.333² =
    # 0.00006072. Not labelled: 0.0027922.
    # Variance: 50 * (0.000010221 + 0.00006072) + 50 * 0.0000077964 = 0.0039369;
    # pseudo: 2/3 / 51.333² * (0.77922² + 0.77922²) = 0.00030724. Root of the sum 0.065147; 0.2554.
    judge = np.repeat([[1.0, 0.0]], 50, axis=0).reshape(1, -1)
    width = expected_widths(by_hand(judge, (0.8, 0.2)), np.full(judge.shape, 0.5))
    assert width == pytest.approx([0.2554], abs=1e-4)


def test_groups_that_are_alike_make_intervals_wider() -> None:
    """Ten questions of a group, all accepted or none: with a judge never wrong 10 / 100 units."""
    units = Units(pl.Series([f"g{n}" for n in range(10)]), np.repeat(np.arange(10), 10))
    judge = np.repeat([[1.0, 0.0] * 5], 10, axis=1)
    everything = np.ones(judge.shape)
    one, many = (
        expected_widths(by_hand(judge, (1.0, 0.0), own), everything)[0] for own in (None, units)
    )
    assert one == pytest.approx(0.2008, abs=1e-4)  # as in the docstring of expected_widths
    assert many == pytest.approx(one * 10**0.5, rel=0.1)


def test_the_plan_gives_the_width_that_is_wanted_if_labels_can() -> None:
    judge = (np.arange(1000.0) % 2)[None]
    answers = by_hand(judge, (0.8, 0.2))
    shares, width = plan(answers, np.array([0.4, 0.4]), 0.1)
    assert width == pytest.approx(0.1, abs=1e-6)
    assert expected_widths(answers, np.full(judge.shape, shares[0])) == pytest.approx([0.1])
    shares, width = plan(answers, np.array([0.4, 0.4]), 0.01)
    assert shares.tolist() == [1, 1]
    assert width == pytest.approx(0.062, abs=1e-3)  # 3.92 * sqrt(0.25 / 1000)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("judge", "level"), first(1, [("good", 0.6), ("perfect", 0.9), ("poor", 0.3), ("lenient", 0.6)])
)
def test_intervals_come_out_as_wide_as_foretold(judge: str, level: float) -> None:
    _, ratio = pools.foretell(300, level, pools.JUDGES_OF_POOLS[judge], 0.15, 1)
    assert ratio.mean() == pytest.approx(1, abs=0.12)


def test_what_is_more_doubtful_is_drawn_more_often() -> None:
    # all accepted answers that are labelled are right, half of the others: the latter say more
    given = answers(600, labelled=60, rejected_right=0.5)
    chosen = draw(0.09, given)
    by_sort = (
        chosen.join(given, on=["question", "answer"])
        .group_by("accepted")
        .agg(pl.col("probability").first(), share=pl.len() / 540)
    )
    odds = dict(by_sort.select("accepted", "probability").rows())
    assert odds[False] > 2 * odds[True]
    # the probability is the share that was drawn
    assert by_sort.filter((pl.col("probability") - pl.col("share")).abs() > 1e-9).is_empty()


def test_a_narrower_interval_takes_more_labels_and_keeps_those_that_were_drawn() -> None:
    few, many = (draw(width).select("question", "answer") for width in (0.12, 0.09))
    assert few.height < many.height
    assert few.join(many, on=["question", "answer"], how="anti").is_empty()


def test_fifty_answers_of_each_run_are_labelled_in_the_end() -> None:
    counted = dict(
        draw(0.9).join(answers(600), on=["question", "answer"]).group_by("run").len().rows()
    )
    assert min(counted.values()) >= 35  # fifty are expected
    assert draw(0.9).height < 200
    more = draw(0.9, answers(600, labelled=40))  # ten are left to be labelled
    assert 10 <= more.height <= 40


def test_where_a_run_answers_several_times_questions_are_drawn() -> None:
    once = answers(200)
    twice = pl.concat(
        [once, once.with_columns(answer=pl.col("answer") + "?", rank=pl.lit(2, pl.Int64))]
    )
    found = sampled(0.2, twice, 200, by_question=True)
    assert found.chosen.columns == ["question", "answer"]
    # both answers of both runs to every question that was drawn
    per_question = found.chosen.group_by("question").len()
    assert found.questions == per_question.height < 200
    assert per_question["len"].unique().to_list() == [4]


def test_with_nothing_to_draw_from_the_sheet_is_empty() -> None:
    found = sampled(0.1, answers(100, labelled=100), 100)
    assert found.chosen.is_empty()
    assert found.chosen.columns == ["question", "answer", "probability"]
    # a third or two thirds right, by a judge that is never wrong
    assert found.width == pytest.approx(0.19, abs=0.01)
