"""Measures of answer validation: each item is accepted (yes) or not.

References: Rodrigo, Peñas & Verdejo (2009), Comparación de Enfoques para Evaluar la Validación de
Respuestas; Peñas et al. (2008), AVE 2007 (QA accuracy); Bevendorff et al. (2020), PAN (F0.5u). An
item left unanswered counts as not accepted; with `unanswered: skip` it is left out.
"""

from typing import Annotated, Literal

import numpy as np
import polars as pl

from qampaign.arrays import Array, Flags, Number, Numbers, ratio
from qampaign.measures.cells import Cells
from qampaign.measures.declaration import measure
from qampaign.measures.evidence import evidence
from qampaign.measures.ordered import OrderedMeasure, OrderWalk
from qampaign.options import Limits

Unanswered = Annotated[
    Literal["no", "skip"], "what an unanswered item is, no (not accepted) or skip (left out)"
]

ROC = "Rodrigo, Peñas & Verdejo 2009"
AVE = "Peñas et al. 2008"


def _said(cells: Cells, yes: bool) -> Numbers:
    """Which items a run accepts (yes) or rejects in so many words.

    Where an item without a row counts as wrong, it is as if the run had said the opposite.
    """
    says_so = (cells.judgments["said"] == yes).fill_null(False).to_numpy()
    spoken = cells.count(cells.first & cells.given & says_so)
    if cells.missing != "wrong":
        return spoken
    return spoken + cells.missing_as_wrong * (_positive(cells) != yes)


def _positive(cells: Cells) -> Flags:
    return cells.of_question("positive").astype(bool)


@evidence(last_rank=1)
def tp(cells: Cells) -> Numbers:
    """A right item is accepted."""
    return _said(cells, True) * _positive(cells)


@evidence(last_rank=1)
def fp(cells: Cells) -> Numbers:
    """A wrong item is accepted."""
    return _said(cells, True) * ~_positive(cells)


@evidence(last_rank=1)
def fn(cells: Cells, *, unanswered: Unanswered = "no") -> Numbers:
    """A right item is rejected, or left unanswered unless such items are skipped."""
    return _rejected(cells, unanswered) * _positive(cells)


@evidence(last_rank=1)
def tn(cells: Cells, *, unanswered: Unanswered = "no") -> Numbers:
    """A wrong item is rejected, or left unanswered unless such items are skipped."""
    return _rejected(cells, unanswered) * ~_positive(cells)


def _rejected(cells: Cells, unanswered: str) -> Numbers:
    return _said(cells, False) if unanswered == "skip" else 1 - _said(cells, True)


@evidence(last_rank=1)
def rejected_right(cells: Cells) -> Numbers:
    """A right item is rejected in so many words."""
    return _said(cells, False) * _positive(cells)


@evidence(last_rank=1, in_samples="only")
def score_order(cells: Cells) -> Numbers:
    """The run's belief in yes; NaN throughout where it does not give one for every item."""
    by = np.full(cells.shape[0] * cells.shape[1], np.nan)
    score = cells.judgments["score"].cast(float).fill_null(np.nan).to_numpy()
    by[cells.cell[cells.first]] = score[cells.first]
    by = by.reshape(cells.shape)
    missing = np.isnan(by) if cells.there is None else np.isnan(by) & cells.there
    return np.where(missing.any(axis=1, keepdims=True), np.nan, by)


@evidence(last_rank=0, in_samples="also")
def positive(cells: Cells) -> Numbers:
    """The item is right."""
    return _positive(cells).astype(np.uint8)


def _group(cells: Cells) -> Numbers:
    """A number for the group of each question."""
    groups = pl.coalesce("group", pl.lit("\0") + pl.col("question").cast(pl.String))  # its own
    return cells.questions.select(groups.rank("dense") - 1).to_series().to_numpy()


@evidence(last_rank=0)
def groups(cells: Cells) -> Numbers:
    """1 for the first item of each group."""
    first = np.zeros(cells.questions.height, dtype=np.uint8)
    first[np.unique(_group(cells), return_index=True)[1]] = 1
    return np.broadcast_to(first, cells.shape)


@evidence(last_rank=1)
def selected_right(cells: Cells) -> Numbers:
    """The item that the run selects in its group, accepted with the highest score, is right."""
    accepts = (cells.judgments["said"] == True).fill_null(False).to_numpy()  # noqa: E712
    rows = np.flatnonzero(cells.first & cells.given & accepts)
    cell, score = cells.cell[rows], np.nan_to_num(cells.confidence[rows], nan=-np.inf)
    run, group = cells.run[rows], _group(cells)[cells.question[rows]]
    order = np.lexsort((cell, -score, group, run))
    group_of_run = (run * (group.max(initial=0) + 1) + group)[order]
    chosen = cell[order[np.diff(group_of_run, prepend=-1) != 0]]
    selected = np.bincount(chosen, minlength=cells.shape[0] * cells.shape[1]).reshape(cells.shape)
    return selected * _positive(cells)


@evidence(last_rank=1)
def rejected_groups(cells: Cells) -> Numbers:
    """1 for the first item of each group without a right item that the run rejects as a whole."""
    group = _group(cells)
    number = int(group.max(initial=0)) + 1
    right = np.bincount(group, cells.questions["positive"].to_numpy(), minlength=number)
    accepted = np.array(
        [np.bincount(group, accepts, minlength=number) for accepts in _said(cells, True)]
    )
    rejected = (accepted.reshape(len(cells.runs), number) == 0) & (right == 0)
    return groups(cells) * rejected[:, group]


@measure(
    label="precision",
    citation=ROC,
    task="validation",
    undefined=0.0,
    best={"tp": 1},
    worst={"fp": 1},
)
def precision(tp: Number, fp: Number) -> Number:
    """Of the items accepted, the share that is right; 0 where none is.

    >>> round(precision(tp=68, fp=129), 6)
    0.345178
    """
    return ratio(tp, tp + fp)


@measure(label="recall", citation=ROC, task="validation", best={"tp": 1}, worst={"fn": 1})
def recall(tp: Number, fn: Number) -> Number:
    """Of the right items, the share that is accepted.

    >>> round(recall(tp=68, fn=11), 6)
    0.860759
    """
    return ratio(tp, tp + fn)


@measure(
    label="F",
    citation=ROC,
    task="validation",
    undefined=0.0,
    best={"tp": 1},
    worst={"fp": 0.5, "fn": 0.5},
)
def f(
    tp: Number,
    fp: Number,
    fn: Number,
    *,
    beta: Annotated[float, Limits(minimum=0), "a number from 0, the weight of recall"] = 1,
) -> Number:
    """Weighted harmonic mean of precision and recall; 0 where nothing is accepted.

    >>> round(f(tp=68, fp=129, fn=11), 6)
    0.492754
    """
    return ratio((1 + beta**2) * tp, (1 + beta**2) * tp + beta**2 * fn + fp)


@measure(label="tp rate", citation=ROC, task="validation", best={"tp": 1}, worst={"fn": 1})
def tp_rate(tp: Number, fn: Number) -> Number:
    """Of the right items, the share that is accepted.

    >>> round(tp_rate(tp=68, fn=11), 6)
    0.860759
    """
    return ratio(tp, tp + fn)


@measure(
    label="fp rate",
    citation=ROC,
    task="validation",
    better="low",
    best={"tn": 1},
    worst={"fp": 1},
)
def fp_rate(fp: Number, tn: Number) -> Number:
    """Of the wrong items, the share that is accepted.

    >>> round(fp_rate(fp=129, tn=811), 6)
    0.137234
    """
    return ratio(fp, fp + tn)


@measure(
    label="AUC of the point",
    citation=ROC,
    task="validation",
    best={"tp": 1, "tn": 1},
    worst={"fp": 1, "fn": 1},
)
def auc_point(tp: Number, fp: Number, fn: Number, tn: Number) -> Number:
    """Area under the ROC curve through the run's one point.

    >>> round(auc_point(tp=68, fp=129, fn=11, tn=811), 6)
    0.861763
    """
    return (1 + ratio(tp, tp + fn) - ratio(fp, fp + tn)) / 2


@measure(
    label="AUC",
    citation=ROC,
    task="validation",
    needs=("score",),
    kind=OrderedMeasure,
    columns=("score_order", "positive"),
    best={"entries": [(np.inf, 1), (-np.inf, 0)]},
    worst={"entries": [(-np.inf, 1), (np.inf, 0)]},
    formula="share of pairs of a right and a wrong item in which the right one scores higher",
)
def auc(order: OrderWalk) -> Array:
    """Area under the ROC curve of the scores; not available unless every item has one.

    >>> auc([0.9, 0.8, 0.8, 0.1], [1, 0, 1, 0])
    0.875
    """
    return ratio(order.won, order.right * (order.answered - order.right))


@measure(
    label="F0.5u",
    citation="Bevendorff et al. 2020 (PAN)",
    task="validation",
    undefined=0.0,
    best={"tp": 1},
    worst={"fp": 0.5, "rejected_right": 0.5},
)
def f_05_u(tp: Number, fp: Number, rejected_right: Number, unanswered: Number) -> Number:
    """F0.5 in which an unanswered item counts as a right one missed.

    >>> round(f_05_u(tp=6, fp=2, rejected_right=1, unanswered=3), 6)
    0.714286
    """
    return ratio(1.25 * tp, 1.25 * tp + 0.25 * (rejected_right + unanswered) + fp)


@measure(
    label="QA accuracy",
    citation=AVE,
    task="validation",
    needs=("group",),
    resampled=False,
    whole_groups=True,
    best={"selected_right": 1, "groups": 1},
    worst={"groups": 1},
)
def qa_accuracy(selected_right: Number, groups: Number) -> Number:
    """Share of groups in which the selected item, accepted with the highest score, is right.

    >>> qa_accuracy(selected_right=40, groups=160)
    0.25
    """
    return ratio(selected_right, groups)


@measure(
    label="estimated QA",
    citation=AVE,
    task="validation",
    needs=("group",),
    resampled=False,
    whole_groups=True,
    best={"selected_right": 1, "groups": 1},
    worst={"groups": 1},
)
def estimated_qa(selected_right: Number, rejected_groups: Number, groups: Number) -> Number:
    """QA accuracy, plus rightly rejected groups credited with it.

    >>> estimated_qa(selected_right=40, rejected_groups=80, groups=160)
    0.375
    """
    return ratio(selected_right, groups) * (1 + ratio(rejected_groups, groups))
