"""A compiled loop down the orders of runs. Importing this module loads numba."""

import math

import numpy as np
from numba import njit


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


@njit(inline="always")
def _harmonic(number):  # type: ignore[no-untyped-def]
    """1 + 1/2 + … + 1/n for whole n, and what lies between: digamma(n + 1) + Euler's constant."""
    added = 0.0
    while number < 10.0:
        number += 1.0
        added -= 1.0 / number
    square = 1.0 / (number * number)
    series = square * (1 / 12 - square * (1 / 120 - square * (1 / 252 - square / 240)))
    return added + math.log(number) + 0.5 / number - series + 0.5772156649015329


@njit(cache=True, nogil=True)
def walk_weighted_orders(  # type: ignore[no-untyped-def]
    question, share, group, right, sure, weights, totals, found
):
    """The same as :func:`walk_orders` for weights that need not be whole; last, the sum beyond.

    Each entry of the order has its `share` of the weight of its `question`.
    """
    for drawn in range(len(weights)):
        weight = weights[drawn]
        before, right_before, sures, precision, lost = 0.0, 0.0, 0.0, 0.0, 0.0
        size, rights, below = 0.0, 0.0, 0.0
        for index in range(len(question)):
            times = weight[question[index]] * share[index]
            size += times
            rights += times * right[index]
            sures += times * sure[index]
            if index + 1 == len(question) or group[index + 1] != group[index]:
                if size > 0.0:
                    above = _harmonic(before + size)
                    width = above - below
                    precision += right_before * width + rights / size * (size - before * width)
                    lost += rights * (before - right_before + (size - rights) / 2)
                    before += size
                    right_before += rights
                    below = above
                size, rights = 0.0, 0.0
        found[0, drawn], found[1, drawn], found[2, drawn] = before, right_before, sures
        found[3, drawn] = precision
        found[4, drawn] = right_before * (before - right_before) - lost
        found[5, drawn] = _harmonic(max(totals[drawn], before)) - below
