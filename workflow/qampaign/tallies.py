"""Compiled loops over many rows, for judges and their agreement.

Importing this module loads numba; callers do so where they compute.
"""

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def count_accepted(  # type: ignore[no-untyped-def]
    run, kind, right, accepted, degree, thresholds, found
):
    """Count responses by run, kind, whether they are right, accepted, and above which thresholds.

    The last axis of `found` is how many of the thresholds, which rise, are below their degree; a
    response without a degree (NaN) is above all or none, as it was judged.
    """
    size, kinds = len(thresholds), found.shape[1]
    cells = 4 * size
    low = thresholds[0] if size else 0.0
    width = thresholds[size - 1] - low if size else 0.0
    scale = cells / width if width > 0 else 0.0
    guess = np.zeros(cells + 1, np.int64)  # by even steps: right but for a threshold or two
    for cell in range(cells + 1):
        place = guess[cell - 1] if cell else 0
        while place < size and (thresholds[place] - low) * scale < cell:
            place += 1
        guess[cell] = place
    flat = found.reshape(-1)
    for row in range(len(run)):
        value, yes = degree[row], accepted[row]
        if np.isnan(value):
            value = np.inf if yes else -np.inf
        place = guess[int(min(max((value - low) * scale, 0.0), cells))] if scale else 0
        place += place < size and thresholds[place] < value  # mostly enough, and foreseeable
        while place < size and thresholds[place] < value:
            place += 1
        while place > 0 and thresholds[place - 1] >= value:
            place -= 1
        group = (np.int64(run[row]) * kinds + kind[row]) * 4 + 2 * right[row] + yes
        flat[group * (size + 1) + place] += 1


@njit(cache=True, nogil=True)
def number_hashes(hashes, number, first):  # type: ignore[no-untyped-def]
    """Number hashes by first appearance; `first` gets where that is. Gives how many there are.

    A table with open places: a hash stands where it points to, or at the next free place.
    """
    total, size = 0, 2**12
    known, owner = np.empty(size, np.uint64), np.full(size, -1, np.int64)
    for row in range(len(hashes)):
        own = hashes[row]
        place = np.int64(own & np.uint64(size - 1))
        while owner[place] >= 0 and known[place] != own:
            place = (place + 1) & (size - 1)
        if owner[place] < 0:
            known[place], owner[place], first[total] = own, total, row
            total += 1
        number[row] = owner[place]
        if 2 * total > size:  # half full: twice the room
            size *= 2
            known, owner = np.empty(size, np.uint64), np.full(size, -1, np.int64)
            for each in range(total):
                own = hashes[first[each]]
                place = np.int64(own & np.uint64(size - 1))
                while owner[place] >= 0:
                    place = (place + 1) & (size - 1)
                known[place], owner[place] = own, each
    return total
