"""What the report says of corrected values: true for one run, for ties, for labels that suffice."""

from types import SimpleNamespace
from typing import Any

import polars as pl
import pytest

from qampaign.report.sections.corrected import assumed, finding, judged_alike

COLLECTION: Any = SimpleNamespace(draws_groups=False, noun="question")


def rows(*runs: dict[str, Any]) -> pl.DataFrame:
    usual = {
        "corrected_by": "people", "raw": 0.6, "corrected": 0.5, "low": 0.4, "high": 0.6,
        "people": 0.5, "people_low": 0.3, "people_high": 0.7, "labelled": 60, "sampling": "questions",
    }  # fmt: skip
    return pl.DataFrame([usual | {"run": f"r{n}"} | run for n, run in enumerate(runs)])


@pytest.mark.parametrize(
    ("table", "said"),
    [
        (
            rows({"raw": 0.7}, {}),
            "gpt alone is outside of the corrected interval for 1 of 2 runs. It is farthest off for "
            "r0: 0.200 higher than corrected. Corrected intervals have 50% of the width of those of "
            "people alone.",
        ),
        (
            rows({"raw": 0.5}),
            "gpt alone is inside of the corrected interval for r0. Corrected intervals have 50% of "
            "the width of those of people alone.",
        ),
        (
            rows({"raw": 0.5, "people_low": 0.41, "people_high": 0.59}),
            "gpt alone is inside of the corrected interval for r0. Corrected intervals are not "
            "narrower than those of people alone for r0: there the judge adds nothing.",
        ),
        (
            rows({"raw": 0.5, "people_low": 0.41, "people_high": 0.59}, {"raw": 0.45}),
            "gpt alone is inside of the corrected interval for every run. It is farthest off for r1: "
            "0.050 lower than corrected. Corrected intervals are not narrower than those of people "
            "alone for 1 of 2 runs: there the judge adds nothing.",
        ),
        (
            rows({"raw": 0.5, "labelled": 35}, {"corrected": None, "low": None, "labelled": 12}),
            "gpt alone is inside of the corrected interval for r0. Corrected intervals have 50% of "
            "the width of those of people alone. 1 run with labels on fewer than 30 questions "
            "cannot be corrected. There are labels on 35 questions: below 50 intervals are wide and "
            "less sure.",
        ),
        (  # of three runs, one cannot be corrected: nothing is said of that one
            rows({"raw": 0.5}, {"raw": 0.5}, {"corrected": None, "low": None, "labelled": 12}),
            "gpt alone is inside of the corrected interval for each of the 2 runs that are "
            "corrected. Corrected intervals have 50% of the width of those of people alone. 1 run "
            "with labels on fewer than 30 questions cannot be corrected.",
        ),
        (
            rows({"raw": 0.7}, {"raw": 0.5}, {"corrected": None, "low": None, "labelled": 12}),
            "gpt alone is outside of the corrected interval for 1 of 2 corrected runs. It is "
            "farthest off for r0: 0.200 higher than corrected. Corrected intervals have 50% of the "
            "width of those of people alone. 1 run with labels on fewer than 30 questions cannot be "
            "corrected.",
        ),
    ],
)  # fmt: skip
def test_what_is_found(table: pl.DataFrame, said: str) -> None:
    assert finding(COLLECTION, "gpt", table) == said


def test_what_is_assumed_of_the_labels_is_said() -> None:
    assert "questions that people has labelled are a simple random sample" in assumed(
        rows({}), "people"
    )
    by_odds = rows({"sampling": "probability"})
    assert "drawn with the probabilities that the labels give" in assumed(by_odds, "people")


def pairs(*ends: tuple[float, float | None, float | None]) -> pl.DataFrame:
    """Pairs r0 and r1, r0 and r2, …: the difference of J and its interval."""
    return pl.DataFrame(
        [("r0", f"r{n}", *each) for n, each in enumerate(ends, start=1)],
        schema=["run_a", "run_b", "youden_difference", "youden_low", "youden_high"],
        orient="row",
    )


def test_whether_the_judge_is_as_good_for_one_run_as_for_another_is_said() -> None:
    table = rows({"youden": 0.5}, {"youden": 0.9}, {"youden": 0.6})
    assert judged_alike(table, pairs((-0.4, -0.6, 0.1), (-0.1, -0.3, 0.1))) == (
        "Youden's J goes from 0.500 to 0.900 by run: no pair of runs surely differs in it (95%, "
        "each pair by itself)."
    )
    assert judged_alike(table, pairs((-0.4, -0.6, -0.2), (-0.1, -0.3, 0.1))) == (
        "The judge tells right from wrong better for r1 than for r0: Youden's J is 0.900 and 0.500. "
        "So it surely does for 1 of 2 pairs of runs (95%, each pair by itself): their order by the "
        "judge alone may be due to its errors."
    )
    assert judged_alike(table, pairs((0.0, None, None)).clear()) == ""
