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
def sum_by_text(values, number, ends, sums):  # type: ignore[no-untyped-def]
    """For each text the sum of values by piece; `number` has its pieces up to where it `ends`."""
    position = 0
    for text in range(len(ends)):
        total = 0
        while position < ends[text]:
            total += values[number[position]]
            position += 1
        sums[text] = total


@njit(cache=True, nogil=True)
def find_tokens(  # type: ignore[no-untyped-def]
    number, ends, alone, first, tokens, question, whole, sought, texts, found
):
    """Find running tokens that may be sought, and all of texts that are wanted whole; how many.

    `number` has the pieces of all texts, a text up to where it `ends`. A piece is the token that it
    has in `alone`; if that is −1, its tokens are from `first` on. `sought` has flags by question
    for the last digits of the tokens that are sought, so that some are found that are not: what it
    has of a question stays in the cache. `texts` and `found` get the text and the token of each.
    """
    count, position, last = 0, 0, sought.shape[1] - 1
    for text in range(len(ends)):
        flags, every = sought[question[text]], whole[text]
        while position < ends[text]:
            piece = number[position]
            token = alone[piece]
            if token >= 0:
                if flags[token & last] | every:
                    texts[count], found[count] = text, token
                    count += 1
            else:
                for at in range(first[piece], first[piece + 1]):
                    if flags[tokens[at] & last] | every:
                        texts[count], found[count] = text, tokens[at]
                        count += 1
            position += 1
    return count


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
            for earlier in range(total):
                value = hashes[first[earlier]]
                slot = np.int64(value & np.uint64(size - 1))
                while owner[slot] >= 0:
                    slot = (slot + 1) & (size - 1)
                known[slot], owner[slot] = value, earlier
    return total
