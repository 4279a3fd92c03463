"""Compiled loops over responses by unit. Importing this module loads numba."""

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def count_by_unit(  # type: ignore[no-untyped-def]
    first, last, starts, unit, right, accepted, slot, kind_of, whole, products, units
):
    """Add the products of each of some runs, and its counts to those of all runs together.

    A run has the responses from starts[run] on. Counts are by unit and, for a response of a slot,
    by 2 · slot + right; in the last two columns stand those accepted, wrong and right. See
    :func:`add_products`.
    """
    of_run = np.zeros_like(whole)
    touched, seen = np.empty(len(whole) + 1, np.int64), np.full(len(whole), -1, np.int64)
    accepted_wrong = whole.shape[1] - 2
    for run in range(first, last):
        number = 0
        for row in range(starts[run], starts[run + 1]):
            this = unit[row]
            touched[number] = this  # without a branch: kept only if it is new
            number += seen[this] != run
            seen[this] = run
            of_run[this, 2 * slot[row] + right[row]] += 1
            of_run[this, accepted_wrong + right[row]] += accepted[row]
        for index in range(number):
            counts, kind = of_run[touched[index]], kind_of[touched[index]]
            add_products(counts, products[run + 1, kind])
            units[run + 1, kind] += 1
            for column in range(len(counts)):  # one by one: half the time to compile
                whole[touched[index], column] += counts[column]
                counts[column] = 0


@njit(cache=True, nogil=True)
def add_products(counts, products):  # type: ignore[no-untyped-def]
    """Add, for one unit, the products of h, f, R and W: right ones accepted, wrong ones, and all.

    `products` are by level and pair of the four. The first level is that of the verdicts; the
    others stand for thresholds, that rise: at the n-th what has a slot of n or more is accepted.
    """
    accepted_wrong = len(counts) - 2
    wrongs, rights = np.int64(0), np.int64(0)
    for index in range(0, accepted_wrong, 2):
        wrongs += counts[index]
        rights += counts[index + 1]
    h, f = np.int64(counts[accepted_wrong + 1]), np.int64(counts[accepted_wrong])
    for level in range(len(products)):
        if level == 1:
            h, f = rights, wrongs
        elif level > 1:
            h -= counts[2 * level - 3]
            f -= counts[2 * level - 4]
        sums = products[level]
        sums[0] += h * h
        sums[1] += h * f
        sums[2] += h * rights
        sums[3] += h * wrongs
        sums[4] += f * f
        sums[5] += f * rights
        sums[6] += f * wrongs
        sums[7] += rights * rights
        sums[8] += rights * wrongs
        sums[9] += wrongs * wrongs


@njit(cache=True, nogil=True)
def add_whole(whole, kind_of, products, units):  # type: ignore[no-untyped-def]
    """Add the products of all runs together, from their counts by unit."""
    for unit in range(len(whole)):
        if whole[unit].any():
            add_products(whole[unit], products[0, kind_of[unit]])
            units[0, kind_of[unit]] += 1
