"""Compiled loops over many rows, for judges and their agreement.

Importing this module loads numba; callers do so where they compute.
"""

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def count_accepted(  # type: ignore[no-untyped-def]
    run, kind, right, accepted, degree, thresholds, slots, found
):
    """Count responses by run, kind, whether they are right, accepted, and above which thresholds.

    The last axis of `found` is how many of the thresholds, which rise, are below their degree;
    `slots` gets that number for each response.
    """
    size, kinds = len(thresholds), found.shape[1]
    bound = np.append(thresholds, np.inf)
    # Cells of even width, numbered in the order of the degrees in them: the thresholds of earlier
    # ones are below, those of later ones above, and mostly at most one is in the same.
    last = 4 * size
    low, width = bound[0], thresholds[-1] - thresholds[0] if size else 0.0
    scale = (last - 1) / width if width > 0 else 0.0
    before = np.zeros(last + 2, np.int64)
    for threshold in thresholds:
        before[_cell(threshold, low, scale, last) + 1] += 1
    before = before.cumsum()
    flat = found.reshape(-1)
    for row in range(len(run)):
        value = degree[row]
        slot = before[_cell(value, low, scale, last)]
        slot += bound[slot] < value  # without a branch, which could not be foreseen
        while bound[slot] < value:
            slot += 1
        slots[row] = slot
        group = (np.int64(run[row]) * kinds + kind[row]) * 4 + 2 * right[row] + accepted[row]
        flat[group * (size + 1) + slot] += 1


@njit(cache=True, nogil=True, inline="always")
def _cell(value, low, scale, last):  # type: ignore[no-untyped-def]
    """The number of a value's cell of even width; those outside of all are in the first or last."""
    slot = (value - low) * scale + 1 if scale else 0.0
    return np.uint32(max(0.0, min(slot, float(last))))


@njit(cache=True, nogil=True)
def number_hashes(hashes, number, first):  # type: ignore[no-untyped-def]
    """Number hashes by first appearance; `first` gets where that is. Gives how many there are.

    A table with open places: a hash stands where it points to, or at the next free place.
    """
    total, size = 0, 2**12
    known, owner = np.empty(size, np.uint64), np.full(size, -1, np.int64)
    for row in range(len(hashes)):
        value = hashes[row]
        slot = np.int64(value & np.uint64(size - 1))
        while owner[slot] >= 0 and known[slot] != value:
            slot = (slot + 1) & (size - 1)
        if owner[slot] < 0:
            known[slot], owner[slot], first[total] = value, total, row
            total += 1
        number[row] = owner[slot]
        if 2 * total > size:  # half full: twice the room
            size *= 2
            known, owner = np.empty(size, np.uint64), np.full(size, -1, np.int64)
            for each in range(total):
                value = hashes[first[each]]
                slot = np.int64(value & np.uint64(size - 1))
                while owner[slot] >= 0:
                    slot = (slot + 1) & (size - 1)
                known[slot], owner[slot] = value, each
    return total
