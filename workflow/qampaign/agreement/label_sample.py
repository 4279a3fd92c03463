"""Which answers to label, so that labels correct a judge: a random sample by the judge's verdict.

Answers are drawn. What the judge accepts and what it does not are drawn apart (Neyman 1934): from
each so large a share as its verdicts are doubtful, and in all so many that the 95% interval of the
corrected accuracy of every run is as narrow as wanted. Labels that are there already count as sure,
and say how doubtful the judge is.

Where a run has several answers to a question that count, by rank or sample, a label on one of them
says little: all of them need one. Then questions are drawn, and all their answers are labelled.
"""

from dataclasses import dataclass

import numpy as np
import polars as pl

from qampaign.agreement.label_forecast import FirstAnswers, expected_widths
from qampaign.arrays import Array
from qampaign.studies.rectification import FEW_LABELLED
from qampaign.studies.resampling import hash_names
from qampaign.studies.units import Units

ERRORS = 0.2
"""How often a verdict is taken to be wrong before anybody has labelled anything."""


@dataclass(frozen=True)
class LabelSample:
    """The answers to label."""

    chosen: pl.DataFrame
    """question and answer, and probability where answers were drawn."""
    width: float
    """The width of the widest interval to be expected."""
    known: int
    """The labels that say how doubtful the judge is."""
    questions: int | None
    """How many questions were drawn; None: answers were."""


@dataclass(frozen=True)
class Asked:
    """The questions: question and group in a frame, how much each counts, and what is drawn."""

    questions: pl.DataFrame
    weights: Array | None
    units: Units


def draw_answers(
    unassessed: pl.DataFrame,
    answers: pl.DataFrame,
    asked: Asked,
    *,
    width: float,
    seed: str,
    by_question: bool = False,
) -> LabelSample:
    """Draw from the answers that nobody has assessed.

    `unassessed` has question and answer. `answers` has what runs answer, as far as any measure
    looks: run, question, rank, answer, nil, accepted (by the judge) and right (by people; null
    where nobody has assessed it). With `by_question`, all answers to questions that are drawn.
    """
    keys = ["question", "answer"]
    texts = answers.filter(~pl.col("nil"))
    strata = texts.group_by(keys).agg(pl.col("accepted").max())
    pool = unassessed.join(strata, on=keys, how="left", maintain_order="left").with_columns(
        pl.col("accepted").fill_null(False)
    )
    labels = texts.drop_nulls("right").group_by(keys).agg(pl.col("accepted", "right").max())
    right = rates(labels)
    first = first_answers(answers, asked, right)
    doubt = np.ones(2) if by_question else np.sqrt(right * (1 - right))
    shares, expected = plan(first, doubt, width)
    if by_question:
        left = asked.questions.join(pool, on="question", how="semi").select("question")
        drawn = _draw(left, shares[0], seed)
        chosen = pool.join(drawn, on="question", how="semi").select(keys)
        return LabelSample(chosen.sort(keys), expected, labels.height, drawn.height)
    parts = []
    for accepted, share in zip((True, False), shares, strict=True):
        rows = pool.filter(pl.col("accepted") == accepted).select(keys)
        stratum = _draw(rows, share, seed)
        parts.append(stratum.with_columns(probability=pl.lit(stratum.height / max(rows.height, 1))))
    return LabelSample(pl.concat(parts).sort(keys), expected, labels.height, None)


def _draw(rows: pl.DataFrame, share: float, seed: str) -> pl.DataFrame:
    """A share of some rows, those whose numbers are the smallest; a larger one has them, too."""
    number = min(int(np.ceil(share * rows.height - 1e-6)), rows.height)
    names = [" ".join((seed, *row)) for row in rows.cast(pl.String).rows()]
    order = np.argsort(hash_names(names), kind="stable")[:number]
    return rows[np.sort(order)]


def rates(labels: pl.DataFrame) -> Array:
    """The share that people take to be right, of what the judge accepts and of the rest.

    What is taken to be so before anything is known counts as half a label: with 9 right answers of
    10 that it accepts, (9 + 0.5 * 0.8) / 10.5 of them are taken to be right.

    >>> labels = pl.DataFrame({"accepted": [True] * 10, "right": [True] * 9 + [False]})
    >>> rates(labels).round(3).tolist()
    [0.895, 0.2]
    """
    shares = []
    for accepted in (True, False):
        right = labels.filter(pl.col("accepted") == accepted)["right"]
        before = 1 - ERRORS if accepted else ERRORS
        shares.append((float(right.sum()) + before / 2) / (len(right) + 1 / 2))
    return np.array(shares)


def first_answers(answers: pl.DataFrame, asked: Asked, right: Array) -> FirstAnswers:
    """What is known of first answers by run and question; `right` as by :func:`rates`.

    What is open is open as a whole: a question counts as labelled if all that counts is.
    """
    runs = answers["run"].unique().sort()
    ids = {"run": runs, "question": asked.questions["question"].cast(pl.String)}
    cells = (
        answers.with_columns(is_first=pl.col("rank") == 1)
        .group_by("run", "question")
        .agg(
            judge=pl.col("accepted").filter("is_first").mean(),
            people=pl.col("right").filter("is_first").mean(),
            open=(pl.col("right").is_null() & ~pl.col("nil")).any(),
            labelled=(pl.col("right").is_not_null() & ~pl.col("nil")).any(),
        )
        .with_columns(pl.col(name).cast(pl.Enum(known_ids)) for name, known_ids in ids.items())
    )
    at = tuple(cells[name].to_physical().to_numpy() for name in ids)
    shape = len(runs), asked.questions.height
    judge, people = np.zeros(shape), np.zeros(shape)
    is_open, labelled = np.zeros(shape, dtype=bool), np.zeros(shape, dtype=bool)
    judge[at] = cells["judge"].fill_null(0.0).to_numpy()
    people[at] = cells["people"].fill_null(0.0).to_numpy()
    is_open[at] = cells["open"].to_numpy()
    labelled[at] = (cells["labelled"] & ~cells["open"]).to_numpy()
    yes, no = right
    expected, doubt = no + (yes - no) * judge, judge * yes * (1 - yes) + (1 - judge) * no * (1 - no)
    weights = np.ones(shape[1]) if asked.weights is None else asked.weights
    return FirstAnswers(
        judge=judge,
        people=np.where(is_open, expected, people),
        doubt=np.where(is_open, doubt, 0.0),
        open=is_open,
        labelled=labelled,
        weights=weights,
        units=asked.units,
    )


def plan(answers: FirstAnswers, doubt: Array, width: float) -> tuple[Array, float]:
    """The share to draw of what the judge accepts and of the rest, and the width to be expected.

    The shares relate as `doubt` does. At least 50 questions of each run are labelled, or all of
    them. Other questions would give other values: that part of an interval no label makes narrower.
    """
    labelled = answers.labelled.sum(axis=1)
    least = np.minimum(FEW_LABELLED, labelled + answers.open.sum(axis=1))

    def chances(scale: float) -> Array:
        yes, no = np.clip(scale * doubt, 1e-9, 1)
        chance: Array = no + (yes - no) * answers.judge
        return chance

    def enough(scale: float) -> bool:
        chance = chances(scale)
        number = labelled + (answers.open * chance).sum(axis=1)
        narrow = expected_widths(answers, chance).max(initial=0) <= width
        return bool(narrow and (number >= least - 1e-9).all())

    low, high = 0.0, float(1 / doubt.min())
    if not answers.open.any():
        low = high
    for _ in range(30 if low < high else 0):
        middle = (low + high) / 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return np.clip(high * doubt, 0, 1), float(
        expected_widths(answers, chances(high)).max(initial=0)
    )
