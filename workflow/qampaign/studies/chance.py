"""Compiled draws of questions, each a function of its number: on any machine, in any order, alike.

Chance is counter-based: number i of a stream is a function of key, stream and i alone (Philox
4x32-10: Salmon et al. 2011, Parallel Random Numbers: As Easy as 1, 2, 3). Importing this module
loads numba; callers do so where they compute.
"""

import math

import numpy as np
from numba import njit

_LOW = np.uint64(0xFFFFFFFF)
_32 = np.uint64(32)
_M0, _M1 = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
_W0, _W1 = np.uint64(0x9E3779B9), np.uint64(0xBB67AE85)


@njit(inline="always")
def _philox(c0, c1, c2, c3, key):  # type: ignore[no-untyped-def]
    """Four random numbers of 32 bits for a counter of four and a key of 64 bits."""
    k0, k1 = key & _LOW, key >> _32
    for _ in range(10):
        p0, p1 = _M0 * c0, _M1 * c2
        c0, c1, c2, c3 = (p1 >> _32) ^ c1 ^ k0, p1 & _LOW, (p0 >> _32) ^ c3 ^ k1, p0 & _LOW
        k0, k1 = (k0 + _W0) & _LOW, (k1 + _W1) & _LOW
    return c0, c1, c2, c3


@njit(cache=True, nogil=True)
def fill_words(words, key, trial, stream):  # type: ignore[no-untyped-def]
    """Random numbers of 32 bits: those of one trial of one stream, by their place."""
    trial_word, stream_word, none = np.uint64(trial), np.uint64(stream), np.uint64(0)
    for block in range(len(words) // 4):
        a, b, c, d = _philox(np.uint64(block), trial_word, stream_word, none, key)
        words[4 * block] = a
        words[4 * block + 1] = b
        words[4 * block + 2] = c
        words[4 * block + 3] = d


@njit(inline="always")
def _below(limit, word, place, trial, stream, key):  # type: ignore[no-untyped-def]
    """A number from 0 to below the limit, all as likely (Lemire 2019), from a random word.

    One word in 2**32 / limit would favour some; another is drawn in its place.
    """
    product = np.uint64(word) * np.uint64(limit)
    if (product & _LOW) < np.uint64(limit):
        least = np.uint64(0x100000000) % np.uint64(limit)
        again = np.uint64(1)
        while (product & _LOW) < least:
            drawn = _philox(np.uint64(place), np.uint64(trial), np.uint64(stream), again, key)
            product = drawn[0] * np.uint64(limit)
            again += np.uint64(1)
    return np.int64(product >> _32)


@njit(inline="always")
def _shuffle(pool, words, number, key, trial, stream):  # type: ignore[no-untyped-def]
    """Draw the first `number` places of the pool at random from all of it, without replacement."""
    size = len(pool)
    for place in range(size):
        pool[place] = place
    fill_words(words, key, trial, stream)
    for place in range(number):
        partner = place + _below(size - place, words[place], place, trial, stream, key)
        pool[place], pool[partner] = pool[partner], pool[place]


@njit(cache=True, nogil=True)
def draw_parts(weights, first, last, size, key, stream):  # type: ignore[no-untyped-def]
    """Mark in weights[part, trial, question] disjoint random parts of `size` questions."""
    parts, questions = weights.shape[0], weights.shape[2]
    pool = np.empty(questions, np.int32)
    words = np.empty((parts * size + 3) // 4 * 4, np.uint32)
    for trial in range(first, last):
        _shuffle(pool, words, parts * size, key, trial, stream)
        for place in range(parts * size):
            weights[place // size, trial, pool[place]] = 1


@njit(cache=True, nogil=True)
def draw_again(weights, first, last, size, key, stream):  # type: ignore[no-untyped-def]
    """Count in weights[trial, question] how often each of `size` draws with replacement took it."""
    questions = weights.shape[1]
    words = np.empty((size + 3) // 4 * 4, np.uint32)
    for trial in range(first, last):
        fill_words(words, key, trial, stream)
        for place in range(size):
            weights[trial, _below(questions, words[place], place, trial, stream, key)] += 1


@njit(cache=True, nogil=True)
def draw_exponential_weights(  # type: ignore[no-untyped-def]
    weights, first, last, before, units, key, scale
):
    """Exponential weights[draw, unit] in whole 1/scale; draws are numbered from `before`.

    The logarithm of a number of 32 bits is the same on every machine but for its last digits,
    which rounding to whole numbers takes away.
    """
    draws = weights.shape[0]
    none = np.uint64(0)
    for unit in range(first, last):
        low, high = units[unit] & _LOW, units[unit] >> _32
        for block in range((draws + 3) // 4):
            words = _philox(np.uint64(block + before // 4), low, high, none, key)
            for index in range(min(4, draws - 4 * block)):
                share = (np.float64(words[index]) + 0.5) / 4294967296.0
                weights[4 * block + index, unit] = np.int32(-math.log(share) * scale + 0.5)


@njit(cache=True, nogil=True)
def draw_coins(coins, first, last, before, units, key):  # type: ignore[no-untyped-def]
    """Toss a coin for coins[draw, unit]; draws are numbered from `before`."""
    draws = coins.shape[0]
    one = np.uint64(1)
    for unit in range(first, last):
        low, high = units[unit] & _LOW, units[unit] >> _32
        for block in range((draws + 127) // 128):
            words = _philox(np.uint64(block + before // 128), low, high, one, key)
            for index in range(min(128, draws - 128 * block)):
                bit = (words[index >> 5] >> np.uint64(index & 31)) & one
                coins[128 * block + index, unit] = bit


@njit(cache=True, nogil=True)
def sum_fresh_draws(  # type: ignore[no-untyped-def]
    sums, columns, first, last, before, pairs_a, pairs_b, size, key
):
    """Sums of evidence of both runs of each pair over parts that are drawn for the pair alone.

    `columns` are by run, question and column; `sums` by side (a, b), column, pair, part and trial.
    Pair number n of the block has the stream n + before.
    """
    number, parts, trials = sums.shape[1], sums.shape[3], sums.shape[4]
    pool = np.empty(columns.shape[1], np.int32)
    words = np.empty((parts * size + 3) // 4 * 4, np.uint32)
    of_a, of_b = np.empty(number), np.empty(number)
    for pair in range(first, last):
        a, b = columns[pairs_a[pair]], columns[pairs_b[pair]]
        for trial in range(trials):
            _shuffle(pool, words, parts * size, key, trial, pair + before)
            for part in range(parts):
                of_a[:] = 0
                of_b[:] = 0
                for place in range(part * size, (part + 1) * size):
                    question = pool[place]
                    for column in range(number):
                        of_a[column] += a[question, column]
                        of_b[column] += b[question, column]
                sums[0, :, pair, part, trial] = of_a
                sums[1, :, pair, part, trial] = of_b
