"""What a study needs before it says anything about other questions and other runs.

The tables have their rates in any case, as the papers define them. Sentences, charts and the
lasting difference keep silent below these minimums, and the column `too_few` says why:

- **runs** that have a value: a rate over pairs speaks of runs in general. Five runs make ten pairs;
  with fewer, a rate is the story of a few pairs.
- **questions** (or **groups**, where groups are drawn): in sets of fewer than ten, one question
  moves a value by more than 0.1, and all sets are nearly the same few questions. Nor can anything
  be said where every set is the whole collection.
- **differences**: where no two runs ever differ, there is no order that could be reversed.
- comparisons in a bin (:func:`fewest_comparisons`): so many that a swap rate can be told from the
  one that is tolerated.
"""

import math

from qampaign.studies.units import Units

RUNS = 5
UNITS = 10
"""In each set that is drawn."""


def too_few(*, runs: int, size: int, units: Units, differ: bool) -> str | None:
    """What there are too few of for sets of `size` of the units to say anything; None: nothing.

    `differ`: whether any two runs differed on any set.
    """
    if runs < RUNS:
        return "runs"
    if size < UNITS or size >= len(units):
        return f"{units.drawn}s"
    return None if differ else "differences"


def fewest_comparisons(confidence: float) -> int | None:
    """Comparisons that a bin needs before its swap rate is held against 1 − confidence.

    With so many, the standard error of a rate of 1 − confidence is at most half of it. No number
    shows that nothing is ever reversed.

    >>> fewest_comparisons(0.95), fewest_comparisons(0.99), fewest_comparisons(1)
    (76, 396, None)
    """
    tolerated = 1 - confidence
    return math.ceil(4 * confidence / tolerated - 1e-6) if tolerated > 0 else None
