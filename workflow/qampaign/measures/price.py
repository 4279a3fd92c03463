"""The price of an error: which run to pick, depending on what a wrong answer costs.

At a confidence target t a wrong answer costs t / (1 − t) right ones (Kalai et al. 2025, 4.2); see
:func:`qampaign.measures.abstention.confidence_target`. Tables for a chart, empty where no ranked
run leaves anything unanswered: then the price changes no order.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import polars as pl

from qampaign.arrays import Array
from qampaign.measures.abstention import c_at_1, confidence_target
from qampaign.measures.evidence import Evidence
from qampaign.measures.sums import exact_sums
from qampaign.ranking import SAME
from qampaign.tables import schema_of

TARGETS = np.arange(20) / 20
"""The confidence targets of the chart: 0 to 0.95."""

PRICE, LEADERS = (schema_of(table, "collection", "judge") for table in ("price", "price_leaders"))


class Lead(NamedTuple):
    """The runs that no other is ahead of, between two confidence targets."""

    first: float
    last: float
    runs: list[int]


def price(evidence: Evidence) -> pl.DataFrame:
    """The value of every run at every confidence target, and its c@1 beside it."""
    sums = _sums(evidence)
    if sums is None:
        return pl.DataFrame(schema=PRICE)
    right, wrong, unanswered, questions = sums
    values = np.array([confidence_target(right, wrong, questions, t=t) for t in TARGETS])
    number = len(TARGETS)
    return pl.DataFrame(
        {
            "run": np.repeat(evidence.runs["run"].to_numpy(), number),
            "t": np.tile(TARGETS, len(right)),
            "value": values.T.ravel(),
            "c_at_1": np.repeat(c_at_1(right, unanswered, questions), number),
        },
        schema=PRICE,
    )


def leaders(evidence: Evidence) -> pl.DataFrame:
    """Which ranked runs lead between which confidence targets: a row per run and range."""
    sums = _sums(evidence)
    ranked = np.flatnonzero(evidence.ranked())
    if sums is None or not len(ranked):
        return pl.DataFrame(schema=LEADERS)
    right, wrong, _, questions = (column[ranked] for column in sums)
    names = evidence.runs["run"].to_list()
    rows = [
        (lead.first, lead.last, names[ranked[run]])
        for lead in find_leads(right / questions, wrong / questions)
        for run in lead.runs
    ]
    return pl.DataFrame(rows, schema=LEADERS, orient="row")


def find_leads(right: Array, wrong: Array) -> Iterator[Lead]:
    """Who leads at which t from 0 to 1, from the shares of right and wrong answers.

    With p = t / (1 − t) the value is right − p · wrong: a line for each run, of which the highest
    leads. Two runs are equal at t = r / (r + w), where one has r more right and w more wrong ones.
    A run that is level with the leader at a single point is not named.

    >>> [*find_leads(np.array([0.7, 0.5, 0.5]), np.array([0.3, 0.1, 0.2]))]
    [Lead(first=0.0, last=0.5, runs=[0]), Lead(first=0.5, last=1.0, runs=[1])]
    """
    best = np.flatnonzero(right >= right.max() - SAME)
    now = best[np.argmin(wrong[best])]
    first = 0.0
    while True:
        level = (np.abs(right - right[now]) <= SAME) & (np.abs(wrong - wrong[now]) <= SAME)
        behind = np.maximum(right[now] - right, 0.0)
        fewer = wrong[now] - wrong
        rivals = np.flatnonzero(fewer > SAME)
        if not len(rivals):
            yield Lead(first, 1.0, np.flatnonzero(level).tolist())
            return
        crossing = behind[rivals] / (behind[rivals] + fewer[rivals])
        last = float(crossing.min())
        if last - first > SAME:
            yield Lead(first, last, np.flatnonzero(level).tolist())
            first = last
        nearest = rivals[crossing <= last + SAME]
        now = nearest[np.argmin(wrong[nearest])]


def _sums(evidence: Evidence) -> Sequence[Array] | None:
    """Right, wrong, unanswered and all questions of every run; None where no run is silent."""
    names = ("correct", "wrong", "unanswered", "questions")
    every = np.ones((1, evidence.questions.height), dtype=np.uint8)
    sums = exact_sums({name: evidence.columns[name] for name in names}, every)
    right, wrong, unanswered, questions = (sums[name][:, 0] for name in names)
    if np.isnan(right).any() or not (unanswered[evidence.ranked()] > 0).any():
        return None
    return right, wrong, unanswered, questions
