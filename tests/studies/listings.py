"""The papers' listings, line by line, over any measure M(run, question set).

`sets(pair, trial)` gives what is drawn: a list of question sets (one, two, or a partition).
The rules of floating point are the project's: differences under 1e-9 are 0, and so on.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from typing import Any

Draw = Callable[[int, int], Sequence[Any]]
Value = Callable[[int, Any], float]
"""NaN where a run has no value on a question set."""


def mean(values: Iterable[float]) -> float:
    known = [value for value in values if not math.isnan(value)]
    return sum(known) / len(known) if known else math.nan


def stability(
    runs: int, trials: int, draw: Draw, value: Value, fuzziness: Sequence[float]
) -> dict[float, dict[tuple[int, int], tuple[int, int, int]]]:
    """By fuzziness and pair: GT(x, y), GT(y, x), EQ(x, y)."""
    found: dict[float, dict[tuple[int, int], tuple[int, int, int]]] = {f: {} for f in fuzziness}
    for number, (x, y) in enumerate(combinations(range(runs), 2)):
        counts = {f: [0, 0, 0] for f in fuzziness}
        for trial in range(trials):
            sets = draw(number, trial)
            of_x, of_y = (mean(value(run, each) for each in sets) for run in (x, y))
            if math.isnan(of_x) or math.isnan(of_y):
                continue
            for f in fuzziness:
                margin = abs(f * max(of_x, of_y))
                if abs(of_x - of_y) < 1e-9 or abs(of_x - of_y) < margin - 1e-9:
                    counts[f][2] += 1
                elif of_x > of_y:
                    counts[f][0] += 1
                else:
                    counts[f][1] += 1
        for f, own in counts.items():
            found[f][x, y] = (own[0], own[1], own[2])
    return found


def rates(pairs: dict[tuple[int, int], tuple[int, int, int]]) -> tuple[float, float] | None:
    """The error rate and the proportion of ties; None where nothing could be compared."""
    total = sum(sum(own) for own in pairs.values())
    if not total:
        return None
    minority = sum(min(own[:2]) for own in pairs.values())
    return minority / total, sum(own[2] for own in pairs.values()) / total


def swap(
    runs: int, trials: int, draw: Draw, value: Value, *, strict: bool, bins: int, width: float
) -> tuple[list[int], list[int]]:
    """Comparisons and swaps by bin."""
    counter, swaps = [0] * bins, [0] * bins
    for number, (x, y) in enumerate(combinations(range(runs), 2)):
        for trial in range(trials):
            first, second = draw(number, trial)
            d1, d2 = (value(x, each) - value(y, each) for each in (first, second))
            if math.isnan(d1) or math.isnan(d2):
                continue
            d1, d2 = (0.0 if abs(d) < 1e-9 else d for d in (d1, d2))
            place = min(math.floor(abs(d1) / width + 1e-9), bins - 1)
            counter[place] += 1
            if d1 * d2 < 0 or (strict and (d1 == 0) != (d2 == 0)):
                swaps[place] += 1
    return counter, swaps
