"""Question sets drawn at random, the same on any machine, on any number of cores, in any order.

A set is a function of what it is for (the campaign's seed, collection, study and size), the number
of its trial, and of the pair of runs where each has its own: never of what was drawn before it.
"""

import hashlib
import json
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import TypeVar

import numpy as np
import numpy.typing as npt

Counts = npt.NDArray[np.uint8]
Whole = npt.NDArray[np.int32]
T = TypeVar("T")

SCALE = 2**12
"""Weights of draws are whole multiples of 1 / SCALE, so that their sums are exact."""
WORTH = 2**20
"""Steps of nanoseconds that are worth a thread of their own."""


def key(*about: object) -> np.uint64:
    """The key of all draws for a purpose.

    >>> key("2011 clef2009", "swap", 250)
    np.uint64(1961921513880613868)
    """
    digest = hashlib.blake2b(json.dumps(about).encode(), digest_size=8).digest()
    return np.uint64(int.from_bytes(digest, "big"))


def generator(*about: object) -> np.random.Generator:
    """A generator for a purpose, for what needs few numbers."""
    return np.random.default_rng(int(key(*about)))


def draw_subsets(
    questions: int,
    size: int,
    trials: int,
    key: np.uint64,
    *,
    parts: int = 1,
    stream: int = 0,
    threads: int = 1,
) -> Counts:
    """By part, trial and question, 1 for those drawn: disjoint parts of `size` in each trial.

    `stream` tells apart what has draws of its own: the pairs of runs, each with fresh ones.
    """
    from qampaign.studies.chance import draw_parts

    weights = np.zeros((parts, trials, questions), dtype=np.uint8)
    share_out(
        lambda a, b: draw_parts(weights, a, b, size, key, stream),
        trials,
        threads,
        steps=parts * size,
    )
    return weights


def draw_bootstrap(questions: int, resamples: int, key: np.uint64, *, threads: int = 1) -> Counts:
    """By resample, how often each question was drawn: as many draws as there are questions.

    No question is drawn 256 times: that would take more resamples than there are atoms.
    """
    from qampaign.studies.chance import draw_again

    weights = np.zeros((resamples, questions), dtype=np.uint8)
    share_out(
        lambda a, b: draw_again(weights, a, b, questions, key, 0),
        resamples,
        threads,
        steps=questions,
    )
    return weights


def hash_names(names: Sequence[str]) -> npt.NDArray[np.uint64]:
    """A number of 64 bits for each name, the same on any machine.

    >>> hash_names(["question q1"])
    array([4618983153908867413], dtype=uint64)
    """
    digests = [hashlib.blake2b(name.encode(), digest_size=8).digest() for name in names]
    return np.frombuffer(b"".join(digests), dtype=">u8").astype(np.uint64)


def draw_exponential(
    units: npt.NDArray[np.uint64], draws: int, key: np.uint64, *, first: int = 0, threads: int = 1
) -> Whole:
    """By draw and unit, an exponential weight in whole 1/``SCALE``: Dirichlet once they are shares.

    A weight is a function of the key, the unit's own number and that of the draw (`first` is the
    first one's, a multiple of 4): other units do not change it.
    """
    from qampaign.studies.chance import draw_exponential_weights

    weights = np.empty((draws, len(units)), dtype=np.int32)
    share_out(
        lambda a, b: draw_exponential_weights(weights, a, b, first, units, key, SCALE),
        len(units),
        threads,
        steps=10 * draws,
    )
    return weights


def toss_coins(
    units: npt.NDArray[np.uint64], draws: int, key: np.uint64, *, first: int = 0, threads: int = 1
) -> Counts:
    """By draw and unit, 0 or 1 with equal chance: a function of the unit's number and the draw's.

    `first` is the first draw's number, a multiple of 128.
    """
    from qampaign.studies.chance import draw_coins

    coins = np.empty((draws, len(units)), dtype=np.uint8)
    share_out(
        lambda a, b: draw_coins(coins, a, b, first, units, key),
        len(units),
        threads,
        steps=2 * draws,
    )
    return coins


def share_out(
    work: Callable[[int, int], T], number: int, threads: int, *, steps: int = WORTH
) -> list[T]:
    """Do the work for ranges (first, last) that make up 0 to `number`; what each gave, in order.

    `steps` says how much each takes: little work is not shared out.
    """
    helping = min(threads, number) if number * steps >= WORTH else 1
    ends = np.linspace(0, number, max(helping, 1) + 1).astype(int).tolist()
    ranges = list(pairwise(ends))
    if len(ranges) == 1:
        return [work(*ranges[0])]
    with ThreadPoolExecutor(len(ranges)) as pool:
        return list(pool.map(lambda span: work(*span), ranges))


def count(
    work: Callable[..., object],
    number: int,
    threads: int,
    *shapes: tuple[int, ...],
    steps: int = WORTH,
) -> list[Whole]:
    """Do the work for ranges, each with counters of its own that start at 0; the counters' sums."""

    def counted(first: int, last: int) -> list[Whole]:
        counters = [np.zeros(shape, dtype=np.int32) for shape in shapes]
        work(first, last, *counters)
        return counters

    return [
        sum(counters)
        for counters in zip(*share_out(counted, number, threads, steps=steps), strict=True)
    ]
