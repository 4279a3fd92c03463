"""Numbering what is equal among many."""

import numpy as np
import numpy.typing as npt


def number_equal(
    hashes: npt.NDArray[np.uint64],
) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.int64]]:
    """Numbers for hashes, the same for equal ones, and where each number stands first.

    >>> number, first = number_equal(np.array([7, 9, 7], np.uint64))
    >>> number.tolist(), first.tolist()
    ([0, 1, 0], [0, 1])
    """
    from qampaign.judging.row_loops import number_hashes

    number = np.empty(len(hashes), np.uint32)
    first = np.empty(len(hashes), np.int64)
    return number, first[: number_hashes(hashes, number, first)].copy()
