"""Weights of questions: as if a question stood there so often, in values, draws and tests."""

from itertools import product
from random import Random

import numpy as np
import polars as pl
import pytest

from qampaign.measures import MEASURES
from qampaign.measures.ordered import OrderedMeasure
from qampaign.measures.question_weights import total_weight, weigh, weights_of
from qampaign.measures.scoring import score
from qampaign.studies.exchange import Exchange, all_pairs
from qampaign.studies.units import Units
from qampaign.studies.weighted_values import weighted_values
from tests.helpers.generated_rows import ANSWERING, VALIDATION, answering, named, validation
from tests.helpers.measured_rows import Rows, configured


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize(("make", "variants"), [(answering, ANSWERING), (validation, VALIDATION)])
def test_a_weight_counts_as_so_many_questions(seed: int, make, variants) -> None:
    random = Random(seed)
    rows = make(random)
    summed = [each for each in variants if not isinstance(MEASURES[each[0]], OrderedMeasure)]
    measures = [configured(name, options, named((name, options))) for name, options in summed]
    evidence = rows.evidence(*measures)
    times = np.array([random.randint(1, 4) for _ in range(evidence.questions.height)])
    table = pl.DataFrame(
        {"question": evidence.questions["question"].cast(pl.String), "weight": times * 0.7}
    )
    weighted = weigh(evidence, weights_of(evidence.questions, table))
    every = np.ones((1, len(times)), dtype=np.uint8)
    for measure in measures:
        if MEASURES[measure.measure].whole_groups or not MEASURES[measure.measure].resampled:
            continue  # it looks at whole groups of items
        found = measure.values(weighted, every)[:, 0]
        expected = measure.values(evidence, times[None])[:, 0]
        assert found == pytest.approx(expected, abs=1e-9, nan_ok=True), measure.name


def two_runs() -> Rows:
    """Right on q1, q2 and q5, and on q3, q4 and q5."""
    return Rows(
        runs={
            "a": {f"q{n}": ["x" if n in (1, 2, 5) else "y"] for n in range(1, 7)},
            "b": {f"q{n}": ["x" if n in (3, 4, 5) else "y"] for n in range(1, 7)},
        },
        says={f"q{n}": {"x": "right", "y": "wrong"} for n in range(1, 7)},
        questions={f"q{n}": {"type": "odd" if n % 2 else "even"} for n in range(1, 7)},
    )


WEIGHTS = pl.DataFrame({"question": [f"q{n}" for n in range(1, 7)], "weight": [4, 2, 1, 1, 2, 2]})


def test_values_by_hand() -> None:
    measure = configured("accuracy", {})
    evidence = two_runs().evidence(measure)
    weighted = weigh(evidence, weights_of(evidence.questions, WEIGHTS))
    found = score(weighted, [measure])
    values = {(run, of): value for run, of, value in found.select("run", "slice", "value").rows()}
    # of 12: a has 4 + 2 + 2, b has 1 + 1 + 2; odd, of 7: a has 4 + 2, b has 1 + 2
    assert values["a", "all"] == pytest.approx(8 / 12)
    assert values["b", "all"] == pytest.approx(4 / 12)
    assert values["a", "odd"] == pytest.approx(6 / 7)
    assert values["b", "odd"] == pytest.approx(3 / 7)
    assert set(found.filter(slice="all")["questions"]) == {6}  # counted, not weighed
    assert total_weight(weighted) == pytest.approx(6)


def test_equal_weights_change_nothing() -> None:
    evidence = two_runs().evidence(configured("accuracy", {}))
    equal = WEIGHTS.with_columns(weight=pl.lit(2.5))
    assert weigh(evidence, weights_of(evidence.questions, equal)) is evidence


@pytest.mark.parametrize("name", ["accuracy", "c_at_1"])
def test_exchanges_carry_the_weights(name: str) -> None:
    # all 2**6 exchanges by hand: the share that is as far from 0 as what was found
    measure = configured(name, {})
    evidence = two_runs().evidence(measure)
    weights = weights_of(evidence.questions, WEIGHTS)
    weighted = weigh(evidence, weights)
    values = measure.values(weighted, np.ones((1, 6), dtype=np.uint8))[:, 0]
    units = Units.of(weighted.questions, "question")
    tested = Exchange(weighted, units, seed="s", draws=999).test(
        measure, values, all_pairs(np.arange(2))
    )
    assert weights is not None
    gap = evidence.columns["correct"][0].astype(float) - evidence.columns["correct"][1]
    differences = [abs((np.array(s) * gap * weights).sum()) / 6 for s in product((1, -1), repeat=6)]
    found = abs((gap * weights).sum()) / 6
    expected = np.mean([each >= found - 1e-9 for each in differences])
    assert tested.p[0] == pytest.approx(expected)


def test_draws_carry_the_weights() -> None:
    # over many draws the mean is the weighted value, but for the pseudo-questions
    measure = configured("accuracy", {})
    rng = np.random.default_rng(3)
    ids = [f"q{n:03}" for n in range(200)]
    heavy = {each: n < 50 for n, each in enumerate(ids)}
    rows = Rows(
        runs={"a": {each: ["x" if rng.random() < (0.9 if heavy[each] else 0.3) else "y"]
                    for each in ids}},
        says={each: {"x": "right", "y": "wrong"} for each in ids},
    )  # fmt: skip
    evidence = rows.evidence(measure)
    table = pl.DataFrame({"question": ids, "weight": [6.0 if heavy[each] else 1.0 for each in ids]})
    weighted = weigh(evidence, weights_of(evidence.questions, table))
    value = measure.values(weighted, np.ones((1, 200), dtype=np.uint8))[0, 0]
    units = Units.of(weighted.questions, "question")
    (drawn,) = weighted_values(weighted, [measure], units, seed="s")
    assert drawn.values.mean() == pytest.approx(value, abs=0.01)
    plain = measure.values(evidence, np.ones((1, 200), dtype=np.uint8))[0, 0]
    assert abs(plain - value) > 0.1
