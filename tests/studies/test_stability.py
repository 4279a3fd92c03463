"""Stability against exact enumeration, the papers' listing on the same sets, and chance."""

from random import Random

import numpy as np
import polars as pl
import pytest

from qampaign.measures import MEASURES
from qampaign.measures.scoring import Configured
from qampaign.problems import Refused
from qampaign.studies import pairs, stability
from qampaign.studies.resampling import draw_subsets, key
from tests.helpers.cases import first
from tests.helpers.generated_rows import ANSWERING, VALIDATION, answering, named, validation
from tests.helpers.measured_rows import configured
from tests.studies import listings
from tests.studies.made_evidence import (
    ACCURACY,
    HALVES,
    THREE,
    abstaining,
    drawn_by,
    evidence_of,
    valued_by,
)

C_AT_1 = [Configured("c@1", "c_at_1", {})]
MODES = [
    ("shared", "subset"),
    ("independent", "subset"),
    ("shared", "partition"),
    ("independent", "partition"),
]
ROWS = {
    "answering": answering(Random(5), questions=24, longest=4),
    "validation": validation(Random(2), items=24),
}
VARIANTS = [("answering", each) for each in ANSWERING] + [
    ("validation", each) for each in VALIDATION if MEASURES[each[0]].resampled
]


def test_every_subset_once() -> None:
    found = stability.study(
        THREE, ACCURACY, size=3, seed="", fuzziness=[0.5, 0.01, 0.1], drawn=HALVES[:1]
    )
    assert found.rates.select("fuzziness", "error_rate", "ties").rows() == [
        (0.01, pytest.approx(1 / 10), pytest.approx(3 / 10)),
        (0.1, pytest.approx(1 / 10), pytest.approx(3 / 10)),
        (0.5, pytest.approx(1 / 12), pytest.approx(23 / 60)),
    ]
    # at every fuzziness up to .1: a beats b in 10, loses in 3; b beats c in 10, loses in 3
    unstable = found.unstable_pairs.filter(fuzziness=0.01)
    assert unstable.select("run_a", "run_b", "a_better", "b_better", "equal").rows() == [
        ("a", "b", 10, 3, 7),
        ("b", "c", 10, 3, 7),
    ]
    keys = ["measure", "size", "unit", "draws", "scheme", "trials", "fuzziness"]
    assert found.rates.columns == [
        *keys,
        "error_rate",
        "ties",
        "error_rate_se",
        "ties_se",
        "undefined",
        "too_few",
    ]
    assert found.unstable_pairs.columns == [
        *keys,
        "run_a",
        "run_b",
        "a_better",
        "b_better",
        "equal",
        "undefined",
    ]
    assert found.rates.select(keys).row(0) == (
        "accuracy",
        3,
        "question",
        "shared",
        "subset",
        20,
        0.01,
    )


def test_errors_of_the_rates_by_hand() -> None:
    # by trial, pairs won by the run that wins less often, and tied pairs, of three; sd / √20
    sets = [np.flatnonzero(row) for row in HALVES[0]]
    scores = THREE.columns["correct"].tolist()
    value = [[sum(scores[run][q] for q in chosen) for run in range(3)] for chosen in sets]
    errors = [((b > a) + (c > b) + (c > a)) / 3 for a, b, c in value]
    ties = [((a == b) + (b == c) + (a == c)) / 3 for a, b, c in value]
    found = stability.study(
        THREE, ACCURACY, size=3, seed="", fuzziness=[0.01], drawn=HALVES[:1]
    ).rates
    assert np.mean(errors) == pytest.approx(0.1)
    assert found["error_rate_se"].item() == pytest.approx(np.std(errors, ddof=1) / np.sqrt(20))
    assert found["ties_se"].item() == pytest.approx(np.std(ties, ddof=1) / np.sqrt(20))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("draws", "scheme"),
    first(2, [MODES[0], MODES[3], *MODES[1:3]]),
)
@pytest.mark.parametrize(
    ("task", "variant"), VARIANTS, ids=lambda v: v if isinstance(v, str) else named(v)
)
def test_as_the_listing_on_the_same_sets(
    task: str, variant: tuple, draws: str, scheme: str
) -> None:
    each, fuzziness, trials, size = configured(*variant), (0.01, 0.05, 0.3), 12, 7
    evidence = ROWS[task].evidence(each)
    found = stability.study(
        evidence,
        [each],
        size=size,
        seed="s",
        unit="question",
        trials=trials,
        fuzziness=fuzziness,
        draws=draws,
        scheme=scheme,
    )
    parts = 3 if scheme == "partition" else 1
    draw = drawn_by(
        evidence,
        key("s", "stability", size),
        size=size,
        trials=trials,
        parts=parts,
        fresh=draws == "independent",
    )
    counts = listings.stability(
        evidence.runs.height, trials, draw, valued_by(evidence, each), fuzziness
    )
    low = each.declared.better == "low"
    for f in fuzziness:
        row = found.rates.filter(fuzziness=f).row(0, named=True)
        compared = sum(map(sum, counts[f].values()))
        assert row["undefined"] == trials * len(counts[f]) - compared
        expected = listings.rates(counts[f])
        if expected is None:
            assert (row["error_rate"], row["ties"]) == (None, None)
        else:
            assert (row["error_rate"], row["ties"]) == pytest.approx(expected, abs=1e-15)
        pairs = {
            (r["run_a"], r["run_b"]): (r["a_better"], r["b_better"], r["equal"])
            for r in found.unstable_pairs.filter(fuzziness=f).to_dicts()
        }
        names = evidence.runs["run"].to_list()
        assert pairs == {
            (names[x], names[y]): (lost, won, tied) if low else (won, lost, tied)
            for (x, y), (won, lost, tied) in counts[f].items()
            if won and lost
        }


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("draws", "scheme"),
    [MODES[0], *(pytest.param(*mode, marks=pytest.mark.exhaustive) for mode in MODES[1:])],
)
@pytest.mark.parametrize(
    ("task", "variant"), VARIANTS, ids=lambda v: v if isinstance(v, str) else named(v)
)
def test_as_the_listing_by_chance(task: str, variant: tuple, draws: str, scheme: str) -> None:
    # The listing draws with a generator of its own. Both rates are means over trials with the
    # standard error of the table (the listing has as many trials), of one comparison at least; their
    # difference has √2 of it. Of 432 normal differences one is beyond 5 in 4,000 such tests.
    each, trials, size, parts = configured(*variant), 100, 7, 3 if scheme == "partition" else 1
    evidence = ROWS[task].evidence(each)
    found = stability.study(
        evidence,
        [each],
        size=size,
        seed="x",
        unit="question",
        trials=trials,
        fuzziness=[0.05],
        draws=draws,
        scheme=scheme,
    ).rates.row(0, named=True)
    random, drawn = Random(11), {}

    def draw(pair: int, trial: int) -> list[tuple[int, ...]]:
        place = (pair if draws == "independent" else 0, trial)
        if place not in drawn:
            order = random.sample(range(24), 24)
            drawn[place] = [tuple(sorted(order[n * size : (n + 1) * size])) for n in range(parts)]
        return drawn[place]

    counts = listings.stability(
        evidence.runs.height, trials, draw, valued_by(evidence, each), [0.05]
    )
    expected = listings.rates(counts[0.05])
    if expected is None:
        assert found["error_rate"] is None
        return
    for name, rate in zip(("error_rate", "ties"), expected, strict=True):
        error = max(found[f"{name}_se"], 1 / sum(map(sum, counts[0.05].values())))
        assert abs(found[name] - rate) <= 5 * 2**0.5 * error, name


@pytest.mark.parametrize(("draws", "scheme"), MODES)
def test_threads_change_no_byte(draws: str, scheme: str) -> None:
    evidence = abstaining(4, runs=9, questions=50)
    measures = [*C_AT_1, *ACCURACY]
    one, two = (
        stability.study(
            evidence,
            measures,
            size=15,
            seed="x",
            trials=60,
            draws=draws,
            scheme=scheme,
            threads=threads,
        )
        for threads in (1, 2)
    )
    for left, right in zip(one, two, strict=True):
        assert left.serialize() == right.serialize()


def test_measures_are_compared_on_equal_draws() -> None:
    evidence = abstaining(4, runs=6, questions=50)
    together = stability.study(evidence, [*C_AT_1, *ACCURACY], size=15, seed="x").rates
    alone = stability.study(evidence, ACCURACY, size=15, seed="x").rates
    assert together.filter(measure="accuracy").equals(alone)


def test_seeds_agree_within_their_error() -> None:
    evidence = abstaining(4, runs=8, questions=100)
    one, two = (
        stability.study(
            evidence, C_AT_1, size=40, seed=seed, trials=2_000, fuzziness=[0.03]
        ).rates.row(0, named=True)
        for seed in ("1", "2")
    )
    for name in ("error_rate", "ties"):
        spread = np.hypot(one[f"{name}_se"], two[f"{name}_se"])
        assert 0 < abs(one[name] - two[name]) < 4 * spread


def test_floating_point_does_not_decide() -> None:
    # 3 and 4 of 10 right at fuzziness .25: the margin is .1, and .4 − .3 = .10000000000000003 or less
    evidence = evidence_of([[1] * 3 + [0] * 7, [1] * 4 + [0] * 6])
    every = np.ones((1, 1, 10), dtype=np.uint8)
    found = stability.study(
        evidence, ACCURACY, size=10, seed="", fuzziness=[0.25, 0.2500001], drawn=every
    )
    assert found.rates["ties"].to_list() == [0.0, 1.0]


def test_equal_values_are_a_tie_even_at_zero() -> None:
    found = stability.study(
        evidence_of(np.zeros((2, 4))), ACCURACY, size=2, seed="x", fuzziness=[0.01]
    )
    assert found.rates["ties"].item() == 1.0
    assert found.unstable_pairs.is_empty()


def test_negative_values_have_a_margin_too() -> None:
    # UF −.2 and −.4: margin |f · max| = .2·f, so that f = 1 is no tie and f = 1.1 is one
    evidence = evidence_of(np.zeros((2, 5)), wrong=np.array([[1, 0, 0, 0, 0], [1, 1, 0, 0, 0]]))
    every = np.ones((1, 1, 5), dtype=np.uint8)
    utility = [Configured("UF", "utility", {})]
    found = stability.study(evidence, utility, size=5, seed="", fuzziness=[1.0, 1.1], drawn=every)
    assert found.rates["ties"].to_list() == [0.0, 1.0]


def test_only_submitted_runs_take_part_unless_asked() -> None:
    right = np.random.default_rng(1).random((4, 30)) < 0.5
    evidence = evidence_of(right, kinds=["submitted", "derived", "submitted", "baseline"])
    for baselines, runs in ((False, {"a", "c"}), (True, {"a", "c", "d"})):
        found = stability.study(evidence, ACCURACY, size=10, seed="x", baselines=baselines)
        pairs = found.unstable_pairs
        assert {*pairs["run_a"], *pairs["run_b"]} == runs


def test_one_run_has_nothing_to_compare() -> None:
    found = stability.study(evidence_of([[1, 0, 1]]), ACCURACY, size=2, seed="x")
    assert found.rates["error_rate"].null_count() == found.rates.height == 10
    assert found.unstable_pairs.is_empty()


def test_one_trial_has_no_error() -> None:
    found = stability.study(THREE, ACCURACY, size=3, seed="x", trials=1).rates
    assert found["error_rate_se"].null_count() == found.height


@pytest.mark.parametrize("size", [0, 7])
def test_sizes_that_cannot_be_drawn_are_refused(size: int) -> None:
    with pytest.raises(
        Refused, match=f"sets of {size} questions .* collection of 6; allowed: 1 to 6"
    ):
        stability.study(THREE, ACCURACY, size=size, seed="x")


def test_measures_of_whole_collections_are_left_out() -> None:
    qa = Configured("qa", "qa_accuracy", {})
    found = stability.study(THREE, [qa, *ACCURACY], size=3, seed="x")
    assert found.rates["measure"].unique().to_list() == ["accuracy"]
    with pytest.raises(Refused, match=r"on parts of the questions: qa"):
        stability.study(THREE, [qa], size=3, seed="x")


def test_rows_are_in_order() -> None:
    found = stability.study(abstaining(1, 5, 40), [*C_AT_1, *ACCURACY], size=10, seed="x")
    assert found.rates["measure"].unique(maintain_order=True).to_list() == ["c@1", "accuracy"]
    pairs = found.unstable_pairs.select("fuzziness", "run_a", "run_b").filter(
        pl.int_range(pl.len()) < 10
    )
    assert pairs.sort("fuzziness", "run_a", "run_b").equals(pairs)


@pytest.mark.parametrize("scheme", ["subset", "partition"])
def test_blocks_of_pairs_change_no_byte(scheme: str, monkeypatch: pytest.MonkeyPatch) -> None:
    measures = [configured("cws", {}, "cws"), configured("mrr", {}, "mrr")]
    evidence = ROWS["answering"].evidence(*measures)
    how = {"size": 7, "seed": "x", "trials": 20, "draws": "independent", "scheme": scheme}
    whole = stability.study(evidence, measures, **how)
    monkeypatch.setattr(pairs, "BLOCK", 1)  # a pair in each
    single = stability.study(evidence, measures, **how)
    for left, right in zip(whole, single, strict=True):
        assert left.serialize() == right.serialize()


@pytest.mark.parametrize(("draws", "scheme"), MODES)
def test_groups_are_drawn_whole(draws: str, scheme: str) -> None:
    # q0 to q2, q3 to q5, … together: drawn as eight units, and counted as such
    groups = [f"g{n // 3}" for n in range(24)]
    evidence = abstaining(4, runs=4, questions=24, groups=groups)
    given = {"size": 2, "seed": "s", "trials": 12, "draws": draws, "scheme": scheme}
    found = stability.study(evidence, C_AT_1, fuzziness=(0.05,), **given)
    parts = 4 if scheme == "partition" else 1
    about = key("s", "stability", 2)
    streams = range(6) if draws == "independent" else (0,)
    sets = [draw_subsets(8, 2, 12, about, parts=parts, stream=stream) for stream in streams]

    def draw(pair: int, trial: int) -> list[tuple[int, ...]]:
        own = sets[pair if draws == "independent" else 0][:, trial]
        return [tuple(np.flatnonzero(np.repeat(part, 3)).tolist()) for part in own]

    pairs_found = listings.stability(4, 12, draw, valued_by(evidence, C_AT_1[0]), (0.05,))[0.05]
    expected = listings.rates(pairs_found)
    row = found.rates.row(0, named=True)
    assert (row["error_rate"], row["ties"]) == pytest.approx(expected)
    assert (row["unit"], row["size"]) == ("group", 2)
    alone = stability.study(evidence, C_AT_1, **given, unit="question").rates
    plain = stability.study(abstaining(4, runs=4, questions=24), C_AT_1, **given).rates
    assert alone.equals(plain)


@pytest.mark.parametrize(
    ("runs", "questions", "size", "why"),
    [(4, 40, 20, "runs"), (6, 18, 9, "questions"), (6, 40, 40, "questions"), (6, 40, 20, None)],
)
def test_too_little_to_say_anything(runs: int, questions: int, size: int, why: str | None) -> None:
    evidence = abstaining(3, runs=runs, questions=questions)
    found = stability.study(evidence, ACCURACY, size=size, seed="x").rates
    assert set(found["too_few"]) == {why}


def test_runs_that_never_differ_have_nothing_to_say() -> None:
    same = evidence_of(np.tile(np.arange(40) % 2, (6, 1)))
    found = stability.study(same, ACCURACY, size=20, seed="x").rates
    assert set(found["too_few"]) == {"differences"}
    assert set(found["ties"]) == {1.0}


def test_only_runs_that_have_a_value_count() -> None:
    # two of six runs answer anything at all
    answered = np.zeros((6, 40), dtype=np.uint8)
    answered[:2] = 1
    right = answered * (np.arange(40) % 2)
    evidence = evidence_of(right, wrong=answered - right, unanswered=1 - answered)
    precision = [Configured("precision", "precision_answered", {})]
    found = stability.study(evidence, precision, size=20, seed="x").rates
    assert set(found["too_few"]) == {"runs"}
