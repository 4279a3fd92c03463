"""Questions needed: models that are known come back, and what cannot be told is null."""

import math
from statistics import NormalDist

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qampaign.studies import questions_needed, swap
from qampaign.studies.questions_needed import Normal, Rates
from tests.bench.calibration import sizes as calibration
from tests.studies.made_evidence import ACCURACY, abstaining

SIZES = [25, 50, 75, 100]
MANY = [10, 15, 25, 40, 60, 100]
MADE = 10**12
"""Comparisons in each bin: so many that rates are as they are meant to be."""


def by_formula(sigma: float, tau: float, size: float, difference: float) -> float:
    """The rate, written from its definition with the standard library."""
    k = tau**2 / (tau**2 + sigma**2 / size)
    return NormalDist().cdf(-k * difference * math.sqrt(size) / (sigma * math.sqrt(1 + k)))


def swaps(rates: dict[float, list[float | None]], sizes: list[int] = SIZES) -> pl.DataFrame:
    """Rates by lower edge and size, in bins of 0.01 that end with an open one at 0.2."""
    rows = []
    for number in range(21):
        edge = round(number / 100, 2)
        for size, rate in zip(sizes, rates.get(edge, [None] * len(sizes)), strict=True):
            compared = 0 if rate is None else MADE
            turned = round(compared * (rate or 0))
            rows.append(("m", "question", "opposite", number, edge, size, compared, rate,
                         compared, turned, 0))  # fmt: skip
    names = ["measure", "unit", "test", "bin", "difference", "size", "comparisons", "swap_rate",
             "apart", "reversed", "level"]  # fmt: skip
    return pl.DataFrame(
        rows, schema=names, orient="row", schema_overrides={"swap_rate": pl.Float64}
    )


def modelled(sigma: float, tau: float) -> dict[float, list[float | None]]:
    """The rates of the model in the middle of every bin but the open one."""
    edges = [round(number / 100, 2) for number in range(20)]
    return {edge: [by_formula(sigma, tau, n, edge + 0.005) for n in MANY] for edge in edges}


def study(frame: pl.DataFrame, **given: object) -> questions_needed.Needed:
    usual = {"units": 200, "questions": 200, "confidence": [0.95], "silent": {"m": None}}
    return questions_needed.study(frame, width=0.01, **(usual | given))


def curve(a: float, b: float, sizes: list[int] = SIZES) -> list[float | None]:
    return [a * float(np.exp(-b * size)) for size in sizes]


@given(st.floats(0.05, 2), st.floats(0.02, 0.5), st.integers(1, 2000), st.floats(0, 0.3))
def test_rates_are_those_of_the_formula(sigma: float, tau: float, size: int, d: float) -> None:
    found = Normal(sigma, tau).rate(np.array([float(size)]), np.array([d]))
    assert found.item() == pytest.approx(by_formula(sigma, tau, size, d), rel=1e-9, abs=1e-12)


def test_the_formula_is_the_swap_rate_of_normal_abilities() -> None:
    # differences d1, d2 of a pair on two sets of 30: normal around the same true difference
    rng = np.random.default_rng(11)
    true = rng.normal(0, 0.1, 1_000_000)
    one, two = (true + rng.normal(0, 0.4 / math.sqrt(30), len(true)) for _ in range(2))
    near = np.abs(np.abs(one) - 0.1) < 0.002
    swapped = (one * two < 0)[near]
    error = 4 * swapped.std() / math.sqrt(len(swapped))
    assert abs(swapped.mean() - by_formula(0.4, 0.1, 30, 0.1)) < error < 0.02


def test_a_known_model_comes_back_with_its_numbers() -> None:
    found = study(swaps(modelled(0.5, 0.1), MANY), confidence=[0.9, 0.95])
    assert found.fits.select("sigma", "tau").unique().row(0) == pytest.approx((0.5, 0.1), rel=1e-6)
    assert (found.fits["normal"] - found.fits["halved_rate"]).abs().max() < 1e-9
    for row in found.questions.filter(pl.col("questions") > min(MANY)).iter_rows(named=True):
        number, middle = row["questions"], row["difference"] + 0.005
        assert by_formula(0.5, 0.1, number, middle) <= 1 - row["confidence"] + 1e-9
        assert by_formula(0.5, 0.1, number - 1, middle) > 1 - row["confidence"] - 1e-9
        assert row["extrapolated"] == (number > 100)
    assert found.questions["questions"].null_count() == 0
    assert set(found.questions["model"]) == {"normal"}
    held_out = found.questions.select("holdout_error", "holdout_error_exponential").unique()
    assert held_out.height == 1
    assert held_out.row(0)[0] < 1e-6 < held_out.row(0)[1]


@given(st.floats(0.1, 1.5), st.floats(0.03, 0.3))
def test_every_model_comes_back(sigma: float, tau: float) -> None:
    size, middle = np.repeat(np.array(MANY, dtype=float), 20), np.tile(np.arange(20) + 0.5, 6) / 100
    rate = np.array([by_formula(sigma, tau, n, d) for n, d in zip(size, middle, strict=True)])
    found = questions_needed.fit_normal(Rates(size, middle, rate, np.ones(120)))
    assert found == pytest.approx((sigma, tau), rel=1e-3)


@pytest.mark.parametrize("tau", [0.15, 100.0])  # beyond any difference: tau no longer matters
def test_no_other_model_is_nearer(tau: float) -> None:
    from scipy.optimize import least_squares
    from scipy.stats import norm

    rng = np.random.default_rng(2)
    size, middle = np.repeat(np.array(MANY, dtype=float), 20), np.tile(np.arange(20) + 0.5, 6) / 100
    made = [by_formula(0.6, tau, n, d) for n, d in zip(size, middle, strict=True)]
    rate = np.array(made) + rng.normal(0, 0.02, 120)
    weight = rng.uniform(100, 1000, 120)

    def missed(logarithms: np.ndarray) -> np.ndarray:
        sigma, tau = np.exp(logarithms)
        k = tau**2 / (tau**2 + sigma**2 / size)
        model = norm.cdf(-k * middle * np.sqrt(size) / (sigma * np.sqrt(1 + k)))
        return np.sqrt(weight) * (model - rate)

    theirs = np.exp(least_squares(missed, np.log([0.5, 0.2]), xtol=1e-14, ftol=1e-14).x)
    found = questions_needed.fit_normal(Rates(size, middle, rate, weight))
    assert found is not None
    assert found.sigma == pytest.approx(theirs[0], rel=1e-4)
    assert found.tau == pytest.approx(theirs[1], rel=1e-4) or min(found.tau, theirs[1]) > 10


def test_a_second_difference_of_0_counts_half_and_a_first_one_not_at_all() -> None:
    frame = pl.DataFrame(
        {"bin": [0, 1], "difference": [0.0, 0.1], "size": 5, "apart": [8, 9], "reversed": [2, 9], "level": [2, 0]}
    )  # fmt: skip
    found = Rates.of(frame, 0.1)
    # (2 + 2/2) / 8; the last bin is open
    assert (found.rate, found.weight, found.difference) == ([3 / 8], [8], [0.05])


def test_held_out_sizes_by_hand() -> None:
    # fitted at 10 and 20, held out at 80; in the second bin the curve has only one size to fit
    size = np.array([10.0, 20, 80, 10, 80])
    middle = np.array([0.1, 0.1, 0.1, 0.2, 0.2])
    rate, weight = np.array([0.4, 0.2, 0.1, 0.3, 0.2]), np.array([5.0, 5, 2, 7, 3])
    rates = Rates(size, middle, rate, weight)
    model = questions_needed.fit_normal(rates.only(size < 80))
    # the curve through (10, .4) and (20, .2) halves every 10: .8 · 2^−8 at 80
    missed = by_formula(*model, 80, 0.1) - 0.1
    assert questions_needed.hold_out(rates) == pytest.approx(
        (abs(missed), 0.1 - 0.8 / 256), abs=1e-6
    )
    # without curves, over all bins
    alone = rates.only(np.array([True, False, True, False, True]))
    assert questions_needed.hold_out(alone) == (None, None)
    crossed = Rates(np.array([10.0, 20, 80, 80]), np.array([0.1, 0.2, 0.1, 0.2]),
                    np.array([0.4, 0.2, 0.2, 0.1]), np.array([1.0, 1, 1, 3]))  # fmt: skip
    model = questions_needed.fit_normal(crossed.only(crossed.size < 80))
    squares = [(by_formula(*model, 80, d) - r) ** 2 for d, r in ((0.1, 0.2), (0.2, 0.1))]
    expected = math.sqrt((squares[0] + 3 * squares[1]) / 4)
    assert questions_needed.hold_out(crossed) == (pytest.approx(expected), None)


def test_where_the_curve_predicts_better_nothing_is_said() -> None:
    # rates that the exponential makes, of differences that do not matter
    rates = {round(n / 100, 2): curve(0.4, 0.02, MANY) for n in range(20)}
    found = study(swaps(rates, MANY)).questions
    assert found["holdout_error_exponential"].max() < 1e-6 < found["holdout_error"].min()
    assert found.height == 20
    assert found["questions"].null_count() == found["extrapolated"].null_count() == 20


def test_where_there_is_too_little_nothing_is_said() -> None:
    found = study(swaps(modelled(0.5, 0.1), MANY), silent={"m": "runs"}).questions
    assert found["questions"].null_count() == found.height == 20
    assert set(found["too_few"]) == {"runs"}


def test_without_two_small_sizes_there_is_no_hold_out_and_no_number() -> None:
    rates = {edge: rate[:3] for edge, rate in modelled(0.5, 0.1).items()}
    found = study(swaps(rates, MANY[:3])).questions  # 10, 15 and 25
    assert found["holdout_error"].null_count() == found["questions"].null_count() == 20


def test_units_of_several_questions() -> None:
    frame = swaps(modelled(0.5, 0.1), MANY)
    each = study(frame).questions
    fives = study(frame, questions=1000).questions
    assert fives["questions"].to_list() == [5 * number for number in each["questions"]]
    assert fives["extrapolated"].to_list() == each["extrapolated"].to_list()
    # 4 questions in 3 units: rounded up
    some = study(frame, units=150, questions=200).questions["questions"]
    assert some.to_list() == [math.ceil(number * 4 / 3) for number in each["questions"]]


@pytest.mark.parametrize(
    ("rates", "confidence", "expected"),
    [
        ([0.0] * 6, 0.95, 10),  # of smaller sets nothing is known
        ([0.5] * 6, 0.95, None),  # rates that do not fall
        ([0.6] * 6, 0.95, None),
        ([0.5] * 6, 0.5, 10),
    ],
)
def test_rates_that_stay(rates: list[float], confidence: float, expected: int | None) -> None:
    made = {round(n / 100, 2): rates for n in range(20)}
    found = study(swaps(made, MANY), confidence=[confidence]).questions
    worse = found["holdout_error"] > found["holdout_error_exponential"]
    assert found.filter(~worse)["questions"].unique().to_list() in ([expected], [])
    assert found.filter(worse)["questions"].null_count() == worse.sum()


def test_no_size_makes_a_swap_impossible() -> None:
    assert Normal(0.5, 0.1).sizes_for(np.array([0.1]), 0.0) == [None]
    assert Normal(0.5, 0.1).sizes_for(np.array([]), 0.05) == []


def test_a_known_curve_comes_back() -> None:
    found = study(swaps({0.01: curve(0.4, 0.01), 0.05: curve(0.3, 0.03)}))
    assert found.fits.filter(difference=0.01).select("a", "b").row(0) == pytest.approx((0.4, 0.01))
    assert found.fits["residual"].abs().max() < 1e-9
    assert found.fits.columns == [
        "measure", "unit", "test", "difference", "size", "comparisons", "swap_rate", "a", "b", "fitted", "residual",
        "halved_rate", "sigma", "tau", "normal",
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


def test_a_bin_needs_two_sizes() -> None:
    found = study(swaps({0.01: [0.3, None, None, None], 0.02: [0.3, None, 0.1, None]}))
    assert found.questions["difference"].to_list() == [0.02]
    assert found.fits.height == 2
    empty = study(swaps({0.01: [None] * 4}))
    assert empty.questions.is_empty()
    assert empty.fits.is_empty()


@pytest.mark.slow
def test_from_the_rates_of_a_collection() -> None:
    evidence = abstaining(4, runs=12, questions=200)
    rates = pl.concat(
        swap.study(evidence, ACCURACY, size=size, seed="x", trials=200).rates for size in MANY
    )
    found = study(rates, confidence=[0.9, 0.95], silent={"accuracy": None})
    sure = found.questions.filter(confidence=0.95)
    less = found.questions.filter(confidence=0.9)
    assert sure["questions"].null_count() == 0
    assert (sure["questions"] >= less["questions"]).all()
    # small differences need more questions than large ones
    assert sure["questions"].diff().drop_nulls().max() <= 0
    assert (found.fits["normal"] - found.fits["halved_rate"]).abs().mean() < 0.05


@pytest.mark.exhaustive
@pytest.mark.slow
def test_four_times_the_size_and_power_are_as_promised() -> None:
    """The cheapest cells of the calibration."""
    cells = list(calibration.rows(short=True))
    assert len(cells) == 3
    for cell in cells:
        assert cell.limit
        assert cell.holds, cell
