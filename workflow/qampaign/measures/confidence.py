"""Measures of systems that say how sure they are.

References: Herrera, Peñas & Verdejo (2004), Question Answering Pilot Task at CLEF 2004 (K, K1, r);
Voorhees (2002), Overview of the TREC 2002 QA Track (CWS), as in Peñas & Rodrigo (2011), (9); Brier
(1950); Naeini et al. (2015), ten equal bins; Geifman & El-Yaniv (2017), risk and coverage; Traub et
al. (2024), Overcoming Common Flaws in the Evaluation of Selective Classification Systems (AUGRC).

A run that answers without any confidence has no value; one that answers nothing has 0 in K and K1,
as Peñas & Rodrigo (2011) say of (12), and none in the others. An answer without one, in a run that
has some, counts as confidence 0, and comes last among the answered in an order.
"""

from collections.abc import Callable, Mapping
from functools import reduce
from operator import add
from typing import Annotated, Literal

import numpy as np

from qampaign.arrays import Array, Flags, Number, Numbers, ratio
from qampaign.measures.cells import Cells
from qampaign.measures.declaration import measure, spread
from qampaign.measures.evidence import evidence
from qampaign.measures.ordered import OrderedMeasure, OrderWalk

PILOT = "Herrera, Peñas & Verdejo 2004"
BINS = 10
SURE_AND_RIGHT, SURE_AND_WRONG = {"entries": [(np.inf, 1)]}, {"entries": [(np.inf, 0)]}
"""The best question of an order by confidence and the worst: the surest of all, right or wrong."""


@evidence(meanings=True)
def weighted_verdicts(cells: Cells) -> Numbers:
    """Confidence times 1 (right), 0 (repeated) or −1 of the answers, by max(known, answers)."""
    sign = np.where(cells.right, 1.0, np.where(cells.is_verdict("repeated"), 0.0, -1.0))
    most = np.maximum(cells.of_question("known"), cells.count(cells.given)).astype(float)
    total = cells.total(cells.unit * sign, cells.given)
    return cells.rated(np.divide(total, most, out=np.zeros(cells.shape), where=most > 0))


@evidence(last_rank=1)
def signed_confidence(cells: Cells) -> Numbers:
    """Confidence of the first answer, negative where it is not right."""
    return cells.rated(
        cells.total(cells.unit * np.where(cells.right, 1.0, -1.0), cells.first & cells.given)
    )


def _centred(cells: Cells) -> Numbers:
    """Confidences less their mean over the run's answers: sums of them keep their digits."""
    value = np.nan_to_num(cells.confidence)
    size = len(cells.runs)
    number = np.bincount(cells.run[cells.given], minlength=size)
    total = np.bincount(cells.run[cells.given], value[cells.given], minlength=size)
    return value - (total / np.maximum(number, 1))[cells.run]


@evidence
def confidences(cells: Cells) -> Numbers:
    """Confidences of the answers, less the run's mean."""
    return cells.rated(cells.total(_centred(cells), cells.given))


@evidence
def squared_confidences(cells: Cells) -> Numbers:
    """Squares of the confidences of the answers, less the run's mean."""
    return cells.rated(cells.total(_centred(cells) ** 2, cells.given))


@evidence
def right_confidences(cells: Cells) -> Numbers:
    """Confidences of the right answers, less the run's mean."""
    return cells.rated(cells.total(_centred(cells), cells.given & cells.right))


@evidence
def raw_squares(cells: Cells) -> Numbers:
    """Squares of the confidences of the answers as they are."""
    return cells.rated(cells.total(np.nan_to_num(cells.confidence) ** 2, cells.given))


@evidence(last_rank=1, in_samples="only")
def confidence_order(
    cells: Cells,
    *,
    ties: Annotated[
        Literal["average", "file"],
        "equal confidences, average (over their orders) or file (as they come)",
    ] = "average",
) -> Numbers:
    """What the first answers are sorted by; NaN where there is none, or the run has only zeros."""
    chosen = cells.first & cells.given
    value = np.where(np.isnan(cells.confidence), -np.inf, cells.confidence)
    run = cells.run
    if ties == "file":
        line = cells.judgments["line"].to_numpy()
        order = np.lexsort((line, -value, run))
        value = np.empty_like(value)
        value[order] = -1.0 - np.arange(len(order))
    sure = np.bincount(
        run[chosen & (np.nan_to_num(cells.confidence) != 0)], minlength=len(cells.runs)
    )
    by = np.full(cells.shape[0] * cells.shape[1], np.nan)
    by[cells.cell[chosen]] = value[chosen]
    return np.where(sure[:, None] > 0, by.reshape(cells.shape), np.nan)


def _calibrated(cells: Cells) -> Flags:
    return cells.given & ~np.isnan(cells.confidence)


@evidence
def rated_answers(cells: Cells) -> Numbers:
    """Answers that come with a confidence."""
    return cells.count(_calibrated(cells))


@evidence
def squared_errors(cells: Cells) -> Numbers:
    """Squared differences between confidence and correctness."""
    return cells.total((cells.unit - cells.outcome) ** 2, _calibrated(cells))


def _gap(number: int) -> Callable[..., Numbers]:
    def gap(cells: Cells) -> Numbers:
        in_bin = np.minimum((cells.unit * BINS).astype(np.int64), BINS - 1) == number
        return cells.total(cells.unit - cells.outcome, _calibrated(cells) & in_bin)

    gap.__name__ = f"gap_{number}"
    gap.__doc__ = f"Confidence less correctness of the answers in bin {number} of {BINS}."
    return evidence(gap)


for _number in range(BINS):
    _gap(_number)


def _pair_of_answers(mean: Mapping[str, Array], sign: int) -> dict[str, Array | float]:
    """A right and a wrong answer, above and below a run's mean confidence by its deviation."""
    square = ratio(mean["squared_confidences"], mean["answers"])
    return {
        "answers": 2,
        "squared_confidences": 2 * square,
        "raw_squares": 2 * square,
        "right_answers": 1,
        "right_confidences": sign * np.sqrt(square),
    }


@measure(
    label="K",
    citation=f"{PILOT}, (1)",
    bounds=(-1.0, 1.0),
    mean=True,
    needs=("confidence",),
    unit=True,
    formula="1/n · Σ over questions of (Σ confidence · eval) / max(known, answers)",
)
def k(weighted_verdicts: Number, questions: Number) -> Number:
    """Mean over questions of confidence × verdict of its answers, by the most there could be.

    A question without answers gives 0, and so does a run without any; a run that answers and never
    says how sure it is has no value. One question, two known answers; a right answer at 0.9 and a
    wrong one at 0.5: (0.9 − 0.5) / 2.

    >>> round(k(weighted_verdicts=(0.9 - 0.5) / 2, questions=1), 6)
    0.2
    """
    return weighted_verdicts / questions


@measure(
    label="K1",
    citation=f"{PILOT}, (2)",
    bounds=(-1.0, 1.0),
    mean=True,
    needs=("confidence",),
    unit=True,
    formula="1/n · Σ confidence · eval of the first answers",
)
def k1(signed_confidence: Number, questions: Number) -> Number:
    """Confidence of right first answers less that of the others, by the number of questions.

    No answer counts as an answer of confidence 0: a run without any has 0. A run that answers and
    never says how sure it is has no value. fuha041dede, whose 149 NIL answers at confidence 1 are
    mostly wrong (20 right, 129 wrong):

    >>> round(k1(signed_confidence=20 - 129 + 43.58, questions=200), 4)
    -0.3271
    """
    return signed_confidence / questions


@measure(
    label="r",
    citation=f"{PILOT}, 3.3",
    bounds=(-1.0, 1.0),
    needs=("confidence",),
    test="widened",
    best=lambda mean, _: _pair_of_answers(mean, 1),
    worst=lambda mean, _: _pair_of_answers(mean, -1),
    formula="Pearson's r of confidence and correctness over answers",
)
def confidence_correlation(
    answers: Number,
    confidences: Number,
    squared_confidences: Number,
    right_answers: Number,
    right_confidences: Number,
    raw_squares: Number,
) -> Number:
    """Pearson's correlation of confidence and correctness; not available where either is constant.

    Confidences 0.9, 0.5, 0.1 of a right, a right and a wrong answer; less their mean 0.4, 0, −0.4:

    >>> round(confidence_correlation(3, 0.0, 0.32, 2, 0.4, 1.07), 6)
    0.866025
    """
    return ratio(
        answers * right_confidences - confidences * right_answers,
        (
            spread(answers, confidences, squared_confidences, raw_squares)
            * spread(answers, right_answers, right_answers, right_answers)
        )
        ** 0.5,
    )


@measure(
    label="CWS",
    citation="Voorhees 2002; Peñas & Rodrigo 2011, (9)",
    needs=("confidence",),
    kind=OrderedMeasure,
    columns=("confidence_order", "correct"),
    best=SURE_AND_RIGHT,
    worst=SURE_AND_WRONG,
    formula="1/n · Σ C(i)/i, questions by falling confidence, unanswered ones last",
)
def cws(order: OrderWalk) -> Array:
    """Precision at every place of the questions in the order of confidence, averaged.

    Equal confidences are averaged over their orders, or taken in the order of the file
    (`ties: file`). Right, wrong, right in the order of confidence: (1/1 + 1/2 + 2/3) / 3.

    >>> round(cws([0.9, 0.5, 0.1], [1, 0, 1]), 6)
    0.722222
    """
    total = order.answered + order.rest
    return _of_rated(order, ratio(order.precision + order.right * order.beyond, total))


@measure(
    label="Brier",
    citation="Brier 1950",
    task="any",
    better="low",
    needs=("confidence",),
    unit=True,
    best={"rated_answers": 1},
    worst={"squared_errors": 1, "rated_answers": 1},
)
def brier(squared_errors: Number, rated_answers: Number) -> Number:
    """Mean squared error of confidence (validation: of score); unanswered or unrated is left out.

    A right answer at 0.8 and a wrong one at 0.4: (0.04 + 0.16) / 2.

    >>> round(brier(squared_errors=0.2, rated_answers=2), 6)
    0.1
    """
    return ratio(squared_errors, rated_answers)


@measure(
    label="ECE",
    citation="Naeini et al. 2015",
    task="any",
    better="low",
    needs=("confidence",),
    unit=True,
    columns=(*(f"gap_{number}" for number in range(BINS)), "rated_answers"),
    test="none",
    best={"rated_answers": 1},
    worst={f"gap_{BINS - 1}": 1, "rated_answers": 1},
    formula="Σ |Σ (confidence − correct) in a bin| / answers, ten bins of equal width",
)
def calibration_error(rated_answers: Number, **gaps: Number) -> Number:
    """Confidence (validation: score) against accuracy, by bins; unanswered or unrated is left out.

    Two answers at 0.85, one right: |1.7 − 1| / 2.

    >>> gaps = {f"gap_{number}": 0.0 for number in range(10)} | {"gap_8": 0.7}
    >>> round(calibration_error(rated_answers=2, **gaps), 6)
    0.35
    """
    return ratio(reduce(add, map(abs, gaps.values())), rated_answers)


@measure(
    label="AURC",
    citation="Geifman & El-Yaniv 2017",
    better="low",
    needs=("confidence",),
    test="widened",
    kind=OrderedMeasure,
    columns=("confidence_order", "correct"),
    best=SURE_AND_RIGHT,
    worst=SURE_AND_WRONG,
    fixed=("ties",),
    formula="1/a · Σ (1 − C(i)/i) over the a answers by falling confidence",
)
def risk_coverage(order: OrderWalk) -> Array:
    """Error rate of the surest answers, averaged over how many are taken: all orders of ties alike.

    Right, wrong, right in the order of confidence: 1 − (1/1 + 1/2 + 2/3) / 3.

    >>> round(risk_coverage([0.9, 0.5, 0.1], [1, 0, 1]), 6)
    0.277778
    """
    return _of_rated(order, 1 - ratio(order.precision, order.answered))


@measure(
    label="AUGRC",
    citation="Traub et al. 2024",
    better="low",
    bounds=(0.0, 0.5),
    needs=("confidence",),
    test="widened",
    kind=OrderedMeasure,
    columns=("confidence_order", "correct"),
    best=SURE_AND_RIGHT,
    worst=SURE_AND_WRONG,
    fixed=("ties",),
    formula="1/a² · (Σ wrong answers above a right one + wrong² / 2), the a answers by falling "
    "confidence",
)
def augrc(order: OrderWalk) -> Array:
    """Wrong answers among the surest by all answers, averaged over how many are taken.

    The area under the generalised risk-coverage curve. Unlike AURC, few sure answers weigh no more
    than others. With AUROC, the chance that a right answer is surer than a wrong one, it is
    (1 − AUROC) · accuracy · (1 − accuracy) + (1 − accuracy)² / 2, over the answers; equal
    confidences count half. Right, wrong, right in the order of confidence: one wrong answer above
    one right one, (1 + 1² / 2) / 3².

    >>> round(augrc([0.9, 0.5, 0.1], [1, 0, 1]), 6)
    0.166667
    """
    wrong = order.answered - order.right
    lost = order.right * wrong - order.won
    return _of_rated(order, ratio(lost + wrong**2 / 2, order.answered**2))


def _of_rated(order: OrderWalk, values: Array) -> Array:
    """The values, none where all confidences are 0 or absent."""
    return np.where(order.sure > 0, values, np.nan)
