"""Q-measure without classes against pyNTCIREVAL, on thousands of questions.

It knows no classes: what the original NTCIREVAL prints for those is in test_oracles.py.
"""

from random import Random
from typing import Any

import numpy as np
import pytest
from pyNTCIREVAL import Labeler
from pyNTCIREVAL.metrics import AP, QMeasure

from tests.helpers.measured_rows import Rows, configured

LEVELS = {"B": 1, "A": 2, "S": 3}


def collection(seed: int, size: int = 400) -> tuple[Rows, dict[str, dict[str, int]]]:
    """Questions with answers of all levels, each a class of its own; runs longer than the cutoff."""
    random = Random(seed)
    texts = [f"d{n}" for n in range(9)]
    levels = {
        f"q{n:03}": {text: random.choice([0, 0, 1, 2, 3]) for text in texts} for n in range(size)
    }
    word = {0: "wrong", 1: "right B", 2: "right A", 3: "right S"}
    runs = {
        run: {each: random.sample(texts, random.randint(0, 9)) for each in levels} for run in "ab"
    }
    says = {q: {text: word[n] for text, n in own.items()} for q, own in levels.items()}
    return Rows(runs=runs, says=says), levels


@pytest.mark.parametrize("cutoff", [None, 1, 5])
@pytest.mark.parametrize(
    ("gains", "beta"), [((1, 2, 3), 1), ((1, 1.5, 2), 1), ((1, 1, 1), 0), ((1, 5, 10), 10)]
)
def test_q_measure_is_that_of_pyntcireval(gains: tuple, beta: float, cutoff: Any) -> None:
    rows, levels = collection(1)
    named = {level: gains[number - 1] for level, number in LEVELS.items()}
    each = configured("q_measure", {"gains": named, "beta": beta, "cutoff": cutoff})
    evidence = rows.evidence(each)
    values = each.values(evidence, np.eye(len(levels)))
    for run, found in zip("ab", values, strict=True):
        for value, (question, own) in zip(found, levels.items(), strict=True):
            labeler = Labeler(own)
            listed = labeler.label(rows.runs[run][question])
            theirs = QMeasure(labeler.compute_per_level_doc_num(4), gains, beta, cutoff)
            expected = theirs.compute(listed) if listed and theirs.jrelnum else 0.0
            assert value == pytest.approx(expected, abs=1e-12), (question, run)


def test_average_precision_is_that_of_pyntcireval() -> None:
    rows, levels = collection(2)
    each = configured("average_precision", {})
    values = each.values(rows.evidence(each), np.eye(len(levels)))
    for run, found in zip("ab", values, strict=True):
        for value, (question, own) in zip(found, levels.items(), strict=True):
            labeler = Labeler(own)
            listed = labeler.label(rows.runs[run][question])
            numbers = labeler.compute_per_level_doc_num(4)
            theirs = AP(numbers, [1, 1, 1])
            expected = theirs.compute(listed) if listed and sum(numbers[1:]) else 0.0
            assert value == pytest.approx(expected, abs=1e-12), (question, run)
