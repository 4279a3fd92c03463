"""Sums of evidence over many question sets, exact: in whatever order a library adds, the same.

Whole numbers are exact in a matrix product as long as no sum outgrows the digits of its numbers
(2**24 in single precision, 2**53 in double). Other numbers are cut in two, each part a multiple of
a power of 2 coarse enough that its sums are exact; only the last addition rounds. So neither the
number of cores nor the machine decides a last digit.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
Numbers = npt.NDArray[Any]

BLOCK = 2**23
"""How many weights are converted at once."""


def exact_sums(columns: Mapping[str, Numbers], weights: Numbers) -> dict[str, Array]:
    """By column, its sum for every run (rows) over every question set (columns of the result).

    `columns` hold numbers by run and question; `weights` says by question set how often it has
    each question: whole numbers.
    """
    heaviest = float(weights.sum(axis=1, dtype=np.float64).max(initial=0))
    parts = {name: list(_parts(own, heaviest)) for name, own in columns.items()}
    sets, questions = weights.shape
    totals = {name: [np.zeros((len(part), sets)) for part in own] for name, own in parts.items()}
    width = max(BLOCK // max(sets, 1), 256)
    for start in range(0, questions, width):
        block = slice(start, start + width)
        chosen: dict[Any, Numbers] = {}
        for name, own in parts.items():
            for part, total in zip(own, totals[name], strict=True):
                kind = np.dtype(np.float32 if part.dtype != np.float64 else np.float64)
                if kind not in chosen:
                    chosen[kind] = weights[:, block].astype(kind).T
                total += part[:, block].astype(kind) @ chosen[kind]
    shape = {name: (len(own), sets) for name, own in columns.items()}
    return {name: np.broadcast_to(sum(own), shape[name]) for name, own in totals.items()}


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
