"""Measures of runs that answer a question several times: in samples.

References: Chen et al. (2021), Evaluating Large Language Models Trained on Code, (1) (pass@k);
Yao et al. (2024), tau-bench, 5.1 (pass^k); Wang et al. (2023), Self-Consistency Improves Chain of
Thought Reasoning (majority vote). Only the first answer of a sample counts. Every other measure
takes the mean over the samples of a question.
"""

import math
from collections.abc import Callable
from typing import Annotated

import numpy as np
import polars as pl

from qampaign.arrays import Number, Numbers, none_if, ratio
from qampaign.measures.cells import Cells
from qampaign.measures.declaration import measure
from qampaign.measures.evidence import evidence
from qampaign.options import Limits

PASS = "Chen et al. 2021, (1)"

Samples = Annotated[int, Limits(minimum=1), "a whole number from 1, how many samples are taken"]


@evidence(last_rank=1, over_samples=True)
def passing(cells: Cells, *, k: Samples = 2) -> Numbers:
    """The share of choices of k samples with a right one; 0 where there are too few samples."""
    return _of_choices(cells, lambda n, c: 1 - math.comb(n - c, k) / math.comb(n, k), k)


@evidence(last_rank=1, over_samples=True)
def passing_all(cells: Cells, *, k: Samples = 2) -> Numbers:
    """The share of choices of k samples all right; 0 where there are too few samples."""
    return _of_choices(cells, lambda n, c: math.comb(c, k) / math.comb(n, k), k)


@evidence(last_rank=1, over_samples=True)
def too_few_samples(cells: Cells, *, k: Samples = 2) -> Numbers:
    """Some sample has an answer, but there are fewer than k samples."""
    answered = cells.count(cells.first & cells.given)
    return ((answered > 0) & (_number(cells) < k)).astype(np.uint8)


@evidence(last_rank=1, over_samples=True, meanings=True)
def voted_right(cells: Cells) -> Numbers:
    """Whether the commonest answer of the samples is right; the mean over those equally common."""
    if not cells.sampled:
        return cells.count(cells.first & cells.given & cells.right)
    answers = cells.judgments["said" if cells.validation else "meaning"]
    rows = np.flatnonzero(cells.first & cells.given)
    votes = (
        pl.DataFrame(
            {"cell": cells.cell[rows], "said": answers.gather(rows), "right": cells.right[rows]}
        )
        .group_by("cell", "said")
        .agg(votes=pl.len(), right=pl.col("right").mean())
        .filter(pl.col("votes") == pl.col("votes").max().over("cell"))
        .group_by("cell")
        .agg(pl.col("right").mean())
    )
    right_share = np.zeros(cells.shape[0] * cells.shape[1])
    right_share[votes["cell"].to_numpy()] = votes["right"].to_numpy()
    return right_share.reshape(cells.shape)


@evidence(last_rank=1, over_samples=True)
def repeated_questions(cells: Cells) -> Numbers:
    """There are two samples of the question or more."""
    return (_number(cells) > 1).astype(np.uint8)


@evidence(last_rank=1, over_samples=True)
def same_verdicts(cells: Cells) -> Numbers:
    """Of the pairs of samples, the share with the same verdict; unassessed is wrong."""
    number = _number(cells).astype(float)
    counted = cells.judgments["verdict"].replace("unassessed", "wrong")
    verdict = np.where(cells.given, counted.to_physical().to_numpy().astype(np.int64), -1)
    same = np.zeros(cells.shape)
    for verdict_code in np.unique(verdict[cells.first]):
        times = cells.count(cells.first & (verdict == verdict_code)).astype(float)
        same += times * (times - 1)
    pairs = number * (number - 1)
    return np.divide(same, pairs, out=np.zeros(cells.shape), where=pairs > 0)


def _number(cells: Cells) -> Numbers:
    """How many samples there are: each has one first rank."""
    return cells.count(cells.first)


def _of_choices(cells: Cells, share: Callable[[int, int], float], k: int) -> Numbers:
    """A share of the choices of k samples, by their number and the number of right ones."""
    number = _number(cells).astype(np.int64)
    right = cells.count(cells.first & cells.given & cells.right).astype(np.int64)
    shares = np.zeros(cells.shape)
    for n, c in {*zip(number.ravel().tolist(), right.ravel().tolist(), strict=True)}:
        if n >= k:
            shares[(number == n) & (right == c)] = share(n, c)
    return shares


@measure(
    label="pass@k",
    task="any",
    citation=PASS,
    mean=True,
    needs=("sample",),
    formula="1/n · Σ over questions of 1 − C(samples − right, k) / C(samples, k)",
)
def pass_at_k(passing: Number, too_few_samples: Number, questions: Number) -> Number:
    """The chance that one of k samples of a question is right, averaged over questions.

    Every choice of k of the samples counts alike, so that it is not biased. A question without an
    answer gives 0; the value is not available where an answered one has fewer than k samples. One
    of three samples right, k = 2: of the three pairs two have it, and of a question with no right
    sample none does.

    >>> round(pass_at_k(passing=2 / 3 + 0, too_few_samples=0, questions=2), 6)
    0.333333
    """
    return none_if(too_few_samples, passing / questions)


@measure(
    label="pass^k",
    task="any",
    citation="Yao et al. 2024 (tau-bench)",
    mean=True,
    needs=("sample",),
    formula="1/n · Σ over questions of C(right, k) / C(samples, k)",
)
def pass_all_k(passing_all: Number, too_few_samples: Number, questions: Number) -> Number:
    """The chance that k samples of a question are all right, averaged over questions.

    A question without an answer gives 0; the value is not available where an answered one has fewer
    than k samples. Two of three samples right, k = 2: one of the three pairs.

    >>> round(pass_all_k(passing_all=1 / 3, too_few_samples=0, questions=1), 6)
    0.333333
    """
    return none_if(too_few_samples, passing_all / questions)


@measure(
    label="majority vote",
    task="any",
    citation="Wang et al. 2023",
    mean=True,
    needs=("sample",),
    formula="1/n · questions whose commonest answer is right",
)
def majority_vote(voted_right: Number, questions: Number) -> Number:
    """The share of questions whose commonest answer, over the samples, is right.

    Answers are the same where they have one class, else where they have one text, apart from case,
    punctuation and spaces. Of answers that are equally common each counts alike; samples without an
    answer have no vote. Paris twice and Rome once; then Oslo (right) and Rome once each:

    >>> majority_vote(voted_right=1 + 0.5, questions=2)
    0.75
    """
    return voted_right / questions


@measure(
    label="consistency",
    task="any",
    citation="share of agreeing pairs",
    better="none",
    needs=("sample",),
    best={"same_verdicts": 1, "repeated_questions": 1},
    worst={"repeated_questions": 1},
    formula="Σ over questions of the share of pairs of samples with one verdict / such questions",
)
def consistency(same_verdicts: Number, repeated_questions: Number) -> Number:
    """The share of pairs of samples of a question that have the same verdict, right or not.

    Averaged over the questions with two samples or more; not available where there are none. An
    answer that is not given has a verdict of its own; one that nobody has assessed counts as wrong.
    Right, right, wrong: one pair of three; and a question whose samples are all wrong:

    >>> round(consistency(same_verdicts=1 / 3 + 1, repeated_questions=2), 6)
    0.666667
    """
    return ratio(same_verdicts, repeated_questions)
