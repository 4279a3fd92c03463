"""Numbering what is equal among many."""

import numpy as np
import numpy.typing as npt

BLOCK = 2**16
"""How many are looked at together: they stay in the cache."""


def number_equal(
    hashes: npt.NDArray[np.uint64],
) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.int64]]:
    """Numbers for hashes, the same for equal ones, and where each number stands.

    Each hash is written to the place in a table that it points to; whoever finds itself there has
    its number, and the others try another place. That is several times as fast as a join, if it is
    done in blocks that stay in the cache.

    >>> number, where = number_equal(np.array([7, 9, 7], np.uint64))
    >>> bool(number[0] == number[2] != number[1]), sorted(where.tolist())
    (True, [1, 2])
    """
    number = np.zeros(len(hashes), np.uint32)
    where, lost = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    left, total, shift = np.arange(len(hashes)), 0, 0
    bits = 7 + len(hashes).bit_length() // 2

    def places(some: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        shifted = hashes[some] >> np.uint64(shift)
        return (shifted & np.uint64(2**bits - 1)).astype(np.int64)

    while len(left):
        table, holder = np.zeros(2**bits, np.uint64), np.full(2**bits, -1)
        blocks = [left[begin : begin + BLOCK] for begin in range(0, len(left), BLOCK)]
        for some in blocks:
            place = places(some)
            table[place], holder[place] = hashes[some], some
        used = np.flatnonzero(holder >= 0)
        rank = np.zeros(2**bits, np.uint32)
        rank[used] = np.arange(total, total + len(used))
        for some in blocks:
            place = places(some)
            number[some] = rank[place]
            lost.append(some[table[place] != hashes[some]])
        where.append(holder[used])
        total += len(used)
        left, lost = np.concatenate(lost), []
        shift = (shift + bits) % (65 - bits)
    return number, np.concatenate(where)
