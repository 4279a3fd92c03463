"""Questions needed: curves that are known come back, and what cannot be known is null."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qampaign.studies import questions_needed, swap
from tests.studies.made_evidence import ACCURACY, abstaining

SIZES = [25, 50, 75, 100]


def swaps(rate: dict[float, list[float | None]]) -> pl.DataFrame:
    rows = [
        ("m", "opposite", difference, size, 0 if each is None else 1000, each)
        for difference, own in rate.items()
        for size, each in zip(SIZES, own, strict=True)
    ]
    names = ["measure", "test", "difference", "size", "comparisons", "swap_rate"]
    return pl.DataFrame(rows, schema=names, orient="row")


def curve(a: float, b: float) -> list[float]:
    return [a * float(np.exp(-b * size)) for size in SIZES]


def test_a_known_curve_comes_back() -> None:
    found = questions_needed.study(
        swaps({0.01: curve(0.4, 0.01), 0.05: curve(0.3, 0.03)}), questions=200, confidence=[0.95]
    )
    # ln(.4/.05)/.01 = 207.9 and ln(.3/.05)/.03 = 59.7
    assert found.questions.rows() == [
        ("m", "opposite", 0.01, 0.95, 208, True),
        ("m", "opposite", 0.05, 0.95, 60, False),
    ]
    assert found.fits.filter(difference=0.01).select("a", "b").row(0) == pytest.approx((0.4, 0.01))
    assert found.fits["residual"].abs().max() < 1e-9
    assert found.fits.columns == [
        "measure", "test", "difference", "size", "comparisons", "swap_rate", "a", "b", "fitted", "residual",
    ]  # fmt: skip


@given(st.floats(0.05, 0.9), st.floats(0.0005, 0.08))
def test_every_curve_comes_back(a: float, b: float) -> None:
    found = questions_needed.fit(np.array(SIZES, dtype=float), np.array(curve(a, b)), np.ones(4))
    assert found == pytest.approx((a, b), rel=1e-4)


def test_no_other_curve_is_nearer() -> None:
    from scipy.optimize import curve_fit

    size, rate = np.array(SIZES, dtype=float), np.array([0.31, 0.22, 0.19, 0.11])
    weight = np.array([900.0, 1000, 800, 400])
    found = questions_needed.fit(size, rate, weight)
    theirs, _ = curve_fit(
        lambda x, a, b: a * np.exp(-b * x), size, rate, p0=(0.4, 0.01), sigma=weight**-0.5
    )
    assert found == pytest.approx(tuple(theirs), rel=1e-5)


def test_rates_that_do_not_fall_need_an_unknown_number() -> None:
    found = questions_needed.study(
        swaps({0.01: [0.3, 0.31, 0.32, 0.33]}), questions=200, confidence=[0.95]
    ).questions
    assert found.select("questions", "extrapolated").row(0) == (None, None)


@pytest.mark.parametrize(
    ("rates", "confidence", "expected"),
    [
        ([0.0, 0.0, 0.0, 0.0], 0.95, 25),  # of smaller sets nothing is known
        (curve(0.3, 0.1), 0.95, 25),  # ln(.3/.05)/.1 = 17.9
        ([0.01, 0.02, 0.02, 0.13], 0.95, None),  # .045 on average, but rising above .05
        ([0.01, 0.02, 0.02, 0.04], 0.95, 25),
        (curve(0.4, 0.01), 1, None),  # no curve falls to 0
        ([0.0, 0.0, 0.0, 0.0], 1, 25),
    ],
)
def test_what_was_seen_is_not_gone_against(
    rates: list[float | None], confidence: float, expected: int | None
) -> None:
    found = questions_needed.study(
        swaps({0.01: rates}), questions=200, confidence=[confidence]
    ).questions
    assert found["questions"].to_list() == [expected]


def test_a_bin_needs_two_sizes() -> None:
    found = questions_needed.study(
        swaps({0.01: [0.3, None, None, None], 0.02: [0.3, None, 0.1, None]}),
        questions=200,
        confidence=[0.95],
    )
    assert found.questions["difference"].to_list() == [0.02]
    assert found.fits.height == 2
    empty = questions_needed.study(swaps({0.01: [None] * 4}), questions=200, confidence=[0.95])
    assert empty.questions.is_empty()
    assert empty.fits.is_empty()


def test_from_the_rates_of_a_collection() -> None:
    evidence = abstaining(4, runs=12, questions=200)
    rates = pl.concat(
        swap.study(evidence, ACCURACY, size=size, seed="x", trials=200).rates for size in SIZES
    )
    found = questions_needed.study(rates, questions=200, confidence=[0.9, 0.95])
    sure = found.questions.filter(confidence=0.95)
    less = found.questions.filter(confidence=0.9)
    assert (sure["questions"] >= less["questions"]).all()
    # small differences need more questions than large ones
    assert (
        sure.filter(pl.col("difference") == 0.01)["questions"].item()
        > sure.filter(pl.col("difference") == 0.1)["questions"].item()
    )
    assert found.fits["residual"].abs().mean() < 0.05
