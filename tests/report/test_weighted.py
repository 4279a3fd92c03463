"""Where questions have weights, what is made of counts is not called a value."""

import polars as pl
import pytest

from qampaign.report.blocks import Chart, Table
from qampaign.report.overview import summary
from tests.report.report_campaign import Tables
from tests.report.test_edges import blocks, first, methods, said
from tests.report.whole_campaign import campaign

pytestmark = pytest.mark.slow


def weighted(*weights: float) -> Tables:
    """Three runs on 100 questions, with these weights over and over."""
    made = campaign(runs=3, collections=1)
    one = made["questions"]
    numbers = range(100)
    made["questions"] = pl.concat([one] * len(numbers)).with_columns(
        question=pl.Series([f"q{number}" for number in numbers]),
        weight=pl.Series([weights[number % len(weights)] for number in numbers]),
    )
    return made


def test_no_c_at_1_is_made_of_counts() -> None:
    """Of the table of withheld candidates, the columns that count stay."""
    without, found = first(campaign(runs=3, collections=1)), first(weighted(0.5, 1.5))
    assert {"silence", "withholding", "c_at_1"} <= blocks(without).keys()
    assert "c_at_1" in blocks(found)
    assert not {"silence", "withholding"} & blocks(found).keys()
    table, whole = blocks(found)["withheld"], blocks(without)["withheld"]
    assert isinstance(table, Table)
    assert isinstance(whole, Table)
    assert [column.label for column in table.columns] == [
        "Run", "Unanswered", "Withheld", "Withheld, right", "Share right"
    ]  # fmt: skip
    assert table.rows == [row[:5] for row in whole.rows]
    assert table.caption.endswith(" Here every question counts once, whatever its weight.")
    assert said(found, "abstention") == [
        "Questions have weights, which the counts of unanswered ones ignore: no c@1 is made of these "
        "counts here."
    ]


def test_curves_and_counts_are_said_to_ignore_weights() -> None:
    charts, plain = (
        blocks(first(made)) for made in (weighted(0.5, 1.5), campaign(runs=3, collections=1))
    )
    for name in ("counts", "coverage", "reliability", "ranks"):
        assert "counts once, whatever its weight" in charts[name].caption
        assert "weight" not in plain[name].caption


def test_the_sign_test_is_left_out() -> None:
    made = weighted(0.5, 1.5)
    of_sign = made["significant_shares"]
    randomised = of_sign.with_columns(test=pl.lit("randomisation"), share=pl.lit(0.25))
    made["significant_shares"] = pl.concat([of_sign, randomised])
    table = blocks(first(made))["significant_shares"]
    assert isinstance(table, Table)
    assert {row[1] for row in table.rows} == {"randomisation"}
    assert table.caption.endswith(
        "The sign test is left out: it ignores the weights of questions. By c@1, the randomisation "
        "test calls 25% of 100 pairs different at that level."
    )
    tests = made["significance"]
    own = {"collection": "answers-0", "judge": "people", "measure": "c_at_1", "p": 0.1}
    made["significance"] = pl.concat(
        [tests, pl.DataFrame([own | {"test": "sign"}])], how="diagonal_relaxed"
    )
    assert "the sign test (where the measure is a mean; without the weights of questions)" in (
        methods(first(made))
    )


def test_few_questions_are_few_by_their_weights() -> None:
    """(9 · 19 + 91 · 0.01)² / (9 · 19² + 91 · 0.01²) = 171.91² / 3249.01 = 9.1 of 100."""
    made = weighted(1.0)
    number = pl.int_range(pl.len())
    made["questions"] = made["questions"].with_columns(
        weight=pl.when(number < 9).then(19.0).otherwise(0.01)
    )
    made["scores"] = made["scores"].with_columns(leading=pl.lit(value=True))
    shown = first(made)
    assert (
        summary(shown.collection)["verdict"] == "too few questions to say (like 9 of equal weight)"
    )


def test_weights_do_not_silence_charts_of_values() -> None:
    chart = blocks(first(weighted(0.5, 1.5)))["c_at_1"]
    assert isinstance(chart, Chart)
    assert "weight" not in chart.caption
