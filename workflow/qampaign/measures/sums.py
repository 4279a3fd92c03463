"""Sums of evidence over many question sets, exact: in whatever order a library adds, the same.

Whole numbers are exact in a matrix product as long as no sum outgrows the digits of its numbers
(2**24 in single precision, 2**53 in double). Other numbers are cut in two, each part a multiple of
a power of 2 coarse enough that its sums are exact; only the last addition rounds. So neither the
number of cores nor the machine decides a last digit.
"""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from qampaign.arrays import Array, Numbers

BLOCK = 2**23
"""How many weights are converted at once."""
SMALL = 2**25
"""Products of fewer steps stay on one core."""
FEW = 16
"""So many question sets are multiplied with the columns as they lie in memory."""


def exact_sums(columns: Mapping[str, Numbers], weights: Numbers) -> dict[str, Array]:
    """By column, its sum for every run (rows) over every question set (columns of the result).

    `columns` hold numbers by run and question; `weights` says by question set how often it has
    each question: whole numbers.
    """
    heaviest = float(weights.sum(axis=1, dtype=np.int64).max(initial=0))
    parts = [(name, part) for name, column in columns.items() for part in _parts(column, heaviest)]
    sums: dict[str, Array | float] = dict.fromkeys(columns, 0.0)
    for kind in (np.float32, np.float64):
        alike = [pair for pair in parts if (pair[1].dtype == np.float64) == (kind == np.float64)]
        products = _multiply([part for _, part in alike], weights, kind)
        for (name, _), product in zip(alike, products, strict=True):
            sums[name] = sums[name] + product
    shape = {name: (len(column), len(weights)) for name, column in columns.items()}
    return {name: np.broadcast_to(column, shape[name]) for name, column in sums.items()}


def _multiply(parts: Sequence[Numbers], weights: Numbers, kind: npt.DTypeLike) -> list[Array]:
    """Each part times the weights: one product for all of them and a block of questions."""
    if len(weights) <= FEW:
        return [_multiply_few(part, weights, kind) for part in parts]
    ends = np.cumsum([len(part) for part in parts])
    if not parts:
        return []
    total = np.zeros((len(weights), ends[-1]))
    width = max(BLOCK // max(len(weights), 1), 256)
    for start in range(0, weights.shape[1], width):
        block = slice(start, start + width)
        rows = np.empty((parts[0][:, block].shape[1], ends[-1]), dtype=kind)
        for part, last in zip(parts, ends, strict=True):
            rows[:, last - len(part) : last] = part[:, block].T
        chosen = weights[:, block].astype(kind)
        for sets in _shares(rows.size, len(chosen)):
            total[sets] += chosen[sets] @ rows
    return np.split(np.ascontiguousarray(total.T), ends[:-1])


def _multiply_few(part: Numbers, weights: Numbers, kind: npt.DTypeLike) -> Array:
    """A part times few weights, by blocks that one core does by itself (see :func:`_shares`)."""
    total = np.zeros((len(part), len(weights)))
    width = max(2**18 // max(total.size, 1), 256)
    for start in range(0, part.shape[1], width):
        block = slice(start, start + width)
        total += part[:, block].astype(kind) @ weights[:, block].T.astype(kind)
    return total


def _shares(size: int, sets: int) -> Iterator[slice]:
    """All question sets at once, or a few at a time where the product is small.

    A library shares a product of more than 2**18 steps out among cores. Where other work keeps
    those busy, waiting for them takes many times as long as a small product does.
    """
    step = sets if size * sets > SMALL else max(2**18 // max(size, 1), 1)
    for first in range(0, sets, max(step, 1)):
        yield slice(first, first + step)


def _parts(column: Numbers, heaviest: float) -> Iterator[Numbers]:
    """Arrays that add up to the column and whose sums are exact; float64 where they need it.

    A column that is the same for every run is summed once.
    """
    if len(column) > 1 and (column[0] == column).all():
        column = column[:1]
    whole = column.dtype.kind in "bui" or not (np.rint(column) != column).any()
    if whole:
        small = _most(column, heaviest) < 2**24
        yield (
            column
            if small and column.dtype != np.float64
            else column.astype(np.float32 if small else np.float64)
        )
        return
    rest = column.astype(np.float64)
    for _ in range(2):
        step = 2.0 ** (np.ceil(np.log2(max(_most(rest, heaviest), 2.0**-900))) - 52)
        coarse = np.rint(rest / step) * step
        yield coarse
        rest = rest - coarse


def _most(column: Numbers, heaviest: float) -> float:
    """What no sum of the column exceeds; NaN aside."""
    return float(np.fmax.reduce(np.abs(column), axis=None, initial=0)) * heaviest
