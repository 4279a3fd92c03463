"""A compiled loop down the orders of runs. Importing this module loads numba."""

import math

import numpy as np
from numba import njit

EULER = 0.5772156649015329
LOW = 10.0
"""Below this, the series of :func:`_harmonic` is not exact enough."""
WIDE = 256
"""Draws that are walked side by side: a processor does several at once."""
LN_2 = math.log(2.0)
HALF_ROOT = int(np.array([math.sqrt(0.5)]).view(np.int64)[0])
"""The bits of √½."""


@njit(cache=True, nogil=True)
def walk_orders(  # type: ignore[no-untyped-def]
    order, group, right, sure, weights, harmonic, found
):
    """For every question set: questions in the order, right ones, sure ones, ΣC(i)/i, pairs won.

    `order` has the questions by falling value; those of equal value have the same `group`. In a
    random order of a group's g questions, c of them right, the first j hold c·j/g right ones on
    average. With m questions and C right ones before it, the group adds the sum over j of
    (C + c·j/g) / (m + j), which is C·h + (c/g)·(g − m·h) where h = H(m + g) − H(m).
    """
    there = np.empty(len(order) + 1, np.int64)
    for drawn in range(len(weights)):
        times_drawn = weights[drawn]
        number = 0
        for index in range(len(order)):  # without a branch: chance cannot be foreseen
            there[number] = index
            number += times_drawn[order[index]] > 0
        before, right_before, sures, precision, lost = np.int64(0), 0.0, 0.0, 0.0, 0.0
        size, rights = np.int64(0), 0.0
        for step in range(number):
            index = there[step]
            times = np.int64(times_drawn[order[index]])
            size += times
            rights += times * right[index]
            sures += times * sure[index]
            if step + 1 == number or group[there[step + 1]] != group[index]:
                if size == 1:  # the same without the roundabout way
                    precision += (right_before + rights) / (before + 1)
                else:
                    width = harmonic[before + size] - harmonic[before]
                    precision += right_before * width + rights / size * (size - before * width)
                lost += rights * (before - right_before + (size - rights) / 2)
                before += size
                right_before += rights
                size, rights = np.int64(0), 0.0
        found[0, drawn], found[1, drawn], found[2, drawn] = before, right_before, sures
        found[3, drawn] = precision
        found[4, drawn] = right_before * (before - right_before) - lost


@njit(nogil=True)
def _harmonic(number):  # type: ignore[no-untyped-def]
    """1 + 1/2 + … + 1/n for whole n, and what lies between: digamma(n + 1) + Euler's constant."""
    added = 0.0
    while number < LOW:
        number += 1.0
        added -= 1.0 / number
    square = 1.0 / (number * number)
    series = square * (1 / 12 - square * (1 / 120 - square * (1 / 252 - square / 240)))
    return added + math.log(number) + 0.5 / number - series + EULER


@njit(nogil=True, error_model="numpy")
def _harmonics(numbers, mantissas, bits, sums):  # type: ignore[no-untyped-def]
    """:func:`_harmonic` of many numbers at once; `bits` shows the memory of `mantissas`.

    A number is m·2^e with m from 0.7 to 1.4, and log m = 2·artanh z = 2·(z + z³/3 + …), where
    z = (m − 1) / (m + 1) is at most 0.172: the first term left out is below 1e-17.
    """
    few = 0
    for n in range(len(numbers)):
        number = numbers[n]
        few += number < LOW
        mantissas[n] = number
        inverse = 1.0 / number
        square = inverse * inverse
        series = square * (1 / 12 - square * (1 / 120 - square * (1 / 252 - square / 240)))
        sums[n] = 0.5 * inverse - series + EULER
    for n in range(len(numbers)):
        exponent = (bits[n] - HALF_ROOT) >> 52
        bits[n] -= exponent << 52
        sums[n] += exponent * LN_2
    for n in range(len(numbers)):
        z = (mantissas[n] - 1.0) / (mantissas[n] + 1.0)
        s = z * z
        rest = 1 / 15 + s * (1 / 17 + s * (1 / 19 + s * (1 / 21)))
        rest = 1 / 7 + s * (1 / 9 + s * (1 / 11 + s * (1 / 13 + s * rest)))
        sums[n] += 2.0 * z * (1.0 + s * (1 / 3 + s * (1 / 5 + s * rest)))
    if few:
        for n in range(len(numbers)):
            if numbers[n] < LOW:
                sums[n] = _harmonic(numbers[n])


@njit(cache=True, nogil=True, error_model="numpy")
def walk_weighted_orders(  # type: ignore[no-untyped-def]
    question, share, group, right, sure, weights, totals, found
):
    """The same as :func:`walk_orders` for weights that need not be whole; last, the sum beyond.

    Each entry of the order has its `share` of the weight of its `question`; `weights` are by
    question and draw.
    """
    draws = weights.shape[1]
    for first in range(0, draws, WIDE):
        wide = min(WIDE, draws - first)
        before, right_before, sures = np.zeros(wide), np.zeros(wide), np.zeros(wide)
        precision, lost, below = np.zeros(wide), np.zeros(wide), np.zeros(wide)
        size, rights = np.zeros(wide), np.zeros(wide)
        after, above, mantissas = np.empty(wide), np.empty(wide), np.empty(wide)
        bits = mantissas.view(np.int64)
        for index in range(len(question)):
            weight = weights[question[index], first : first + wide]
            entry_share, is_right, is_sure = share[index], right[index], 1.0 * sure[index]
            for n in range(wide):
                times = weight[n] * entry_share
                size[n] += times
                rights[n] += times * is_right
                sures[n] += times * is_sure
            if index + 1 < len(question) and group[index + 1] == group[index]:
                continue
            for n in range(wide):
                after[n] = before[n] + size[n]
            _harmonics(after, mantissas, bits, above)
            for n in range(wide):
                width = above[n] - below[n]
                right_rate = rights[n] / size[n] if size[n] > 0.0 else 0.0
                precision[n] += right_before[n] * width + right_rate * (size[n] - before[n] * width)
                lost[n] += rights[n] * (before[n] - right_before[n] + (size[n] - rights[n]) / 2)
                before[n] += size[n]
                right_before[n] += rights[n]
                below[n] = above[n]
                size[n], rights[n] = 0.0, 0.0
        for n in range(wide):
            draw = first + n
            found[0, draw], found[1, draw], found[2, draw] = before[n], right_before[n], sures[n]
            found[3, draw] = precision[n]
            found[4, draw] = right_before[n] * (before[n] - right_before[n]) - lost[n]
            found[5, draw] = _harmonic(max(totals[draw], before[n])) - below[n]
