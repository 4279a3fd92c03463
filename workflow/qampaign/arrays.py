"""Arrays of numbers: their types, and the two sums of the field that many modules need."""

import math
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
import polars as pl

Array = npt.NDArray[np.float64]
Numbers = npt.NDArray[Any]
"""Of any kind: whole, single or double."""
Flags = npt.NDArray[np.bool_]

Number = TypeVar("Number", float, Numbers, pl.Expr)


def ratio(part: Number, whole: Number) -> Number:
    """part / whole, without a value (NaN, or null in a table) where whole is 0.

    >>> ratio(1, 4), ratio(1, 0)
    (0.25, nan)
    >>> ratio(np.array([1.0, 0.0]), np.array([4.0, 0.0]))
    array([0.25,  nan])
    """
    if isinstance(whole, pl.Expr):
        return pl.when(whole != 0).then(part / whole)
    if isinstance(whole, np.ndarray):
        parts = np.broadcast_to(np.asarray(part, dtype=float), whole.shape)
        quotient = np.full(whole.shape, np.nan)
        np.divide(parts, whole, out=quotient, where=whole != 0)
        return quotient
    return part / whole if whole else math.nan


def none_if(count: Number, value: Number) -> Number:
    """The value, or none (NaN, or null in a table) where there is anything to count.

    >>> none_if(0, 0.5), none_if(2, 0.5)
    (0.5, nan)
    """
    if isinstance(count, pl.Expr):
        return pl.when(count == 0).then(value)
    if isinstance(count, np.ndarray):
        return np.where(count == 0, value, np.nan)
    return math.nan if count else value


def harmonic(count: Numbers) -> Array:
    """1 + 1/2 + … + 1/n, for whole numbers n from 0."""
    top = int(count.max(initial=0))
    return np.r_[0.0, np.cumsum(1 / np.arange(1, top + 1))][count.astype(np.int64)]
