"""A compiled loop down the orders of two runs that exchange answers. Importing it loads numba.

Many exchanges are walked side by side, and what is known of them lies in one array: so a processor
does several at once. The sums are those of :mod:`qampaign.measures.order_walk`. Most groups have
one entry, or two, one of either run.
"""

import numpy as np
from numba import njit

WIDE = 256
"""Exchanges that are walked side by side."""
BEFORE, RIGHT_BEFORE, PRECISION, LOST, SIZE, RIGHTS = (2 * WIDE * row for row in range(6))
"""Where in the array each number begins: of the first run, and WIDE further on of the second."""
SUM, NEXT_SUM = 12 * WIDE, 13 * WIDE


@njit(cache=True, nogil=True)
def walk_exchanged_orders(  # type: ignore[no-untyped-def]
    question, second, ends, right, coins, harmonic, found
):
    """For both runs after every exchange: questions in the order, right ones, ΣC(i)/i, pairs won.

    The order has the entries of both runs by falling value: of which `question`, whether of the
    `second` run, whether `right`; `ends` has where each group of equal values ends. `coins` are by
    question and exchange: 1 where the runs exchange their entries. `found` is by run, by what is
    found, and by exchange.
    """
    state = np.empty(14 * WIDE)
    for first in range(0, coins.shape[1], WIDE):
        number = min(WIDE, coins.shape[1] - first)
        state[:] = 0.0
        start = 0
        for end in ends:
            if end - start == 1:
                coin = coins[question[start], first : first + number]
                _add_one(state, number, coin, second[start], right[start])
            elif end - start == 2:
                coin = coins[question[start], first : first + number]
                other = coins[question[start + 1], first : first + number]
                _add_two(
                    state, number, coin, other, second[start], second[start + 1],
                    right[start], right[start + 1],
                )  # fmt: skip
            else:
                state[SIZE : SIZE + 4 * WIDE] = 0.0
                for entry in range(start, end):
                    coin = coins[question[entry], first : first + number]
                    _deal(state, number, coin, second[entry], right[entry])
                _add_group(state, number, 0, harmonic)
                _add_group(state, number, WIDE, harmonic)
            start = end
        for run in range(2):
            for n in range(number):
                slot = run * WIDE + n
                answered, rights = state[BEFORE + slot], state[RIGHT_BEFORE + slot]
                found[run, 0, first + n], found[run, 1, first + n] = answered, rights
                found[run, 2, first + n] = state[PRECISION + slot]
                found[run, 3, first + n] = rights * (answered - rights) - state[LOST + slot]


@njit(nogil=True)
def _deal(state, number, coin, second, right):  # type: ignore[no-untyped-def]
    """Give an entry of the order to the run that has it after each exchange."""
    unless = 0.0 if second else 1.0
    turn = 1.0 if second else -1.0
    for n in range(number):
        one = unless + turn * coin[n]
        state[SIZE + n] += one
        state[RIGHTS + n] += one * right
        state[SIZE + WIDE + n] += 1.0 - one
        state[RIGHTS + WIDE + n] += (1.0 - one) * right


@njit(nogil=True, error_model="numpy")
def _add_one(state, number, coin, second, right):  # type: ignore[no-untyped-def]
    """Add a group of one entry, which only one of the runs has."""
    unless = 0.0 if second else 1.0
    turn = 1.0 if second else -1.0
    for n in range(number):
        one = unless + turn * coin[n]
        two = 1.0 - one
        above_one, above_two = state[BEFORE + n], state[BEFORE + WIDE + n]
        right_one, right_two = state[RIGHT_BEFORE + n], state[RIGHT_BEFORE + WIDE + n]
        above = above_one if one > 0.0 else above_two
        right_above = right_one if one > 0.0 else right_two
        precision = (right_above + right) / (above + 1.0)
        state[PRECISION + n] += one * precision
        state[PRECISION + WIDE + n] += two * precision
        state[BEFORE + n] = above_one + one
        state[BEFORE + WIDE + n] = above_two + two
        if right > 0.0:  # a wrong one changes nothing below
            lost = right * (above - right_above + (1.0 - right) / 2.0)
            state[LOST + n] += one * lost
            state[LOST + WIDE + n] += two * lost
            state[RIGHT_BEFORE + n] = right_one + one * right
            state[RIGHT_BEFORE + WIDE + n] = right_two + two * right


@njit(nogil=True, error_model="numpy")
def _add_two(  # type: ignore[no-untyped-def]
    state, number, coin, other, second, other_second, right, other_right
):
    """Add a group of two entries, of which a run has none, one or both.

    Of both, on average half of what is right comes first.
    """
    unless, turn = (0.0, 1.0) if second else (1.0, -1.0)
    other_unless, other_turn = (0.0, 1.0) if other_second else (1.0, -1.0)
    for run in range(2):
        if run:
            unless, turn = 1.0 - unless, -turn
            other_unless, other_turn = 1.0 - other_unless, -other_turn
        for n in range(number):
            slot = run * WIDE + n
            one = unless + turn * coin[n]
            two = other_unless + other_turn * other[n]
            size = one + two
            rights = one * right + two * other_right
            above, right_above = state[BEFORE + slot], state[RIGHT_BEFORE + slot]
            both = one * two
            some = size - both
            first = (right_above + rights * (1.0 - both / 2.0)) / (above + 1.0)
            last = (right_above + rights) / (above + 2.0)
            state[PRECISION + slot] += some * first + both * last
            state[LOST + slot] += rights * (above - right_above + (size - rights) / 2.0)
            state[BEFORE + slot] = above + size
            state[RIGHT_BEFORE + slot] = right_above + rights


@njit(nogil=True, error_model="numpy")
def _add_group(state, number, run, harmonic):  # type: ignore[no-untyped-def]
    """Add what a run has of a group of several entries; `walk_orders` explains the sum."""
    for n in range(number):  # by itself: the other loop would do one at a time because of it
        state[SUM + n] = harmonic[np.uint32(state[BEFORE + run + n])]
        state[NEXT_SUM + n] = harmonic[np.uint32(state[BEFORE + run + n] + state[SIZE + run + n])]
    for n in range(number):
        size, rights = state[SIZE + run + n], state[RIGHTS + run + n]
        above, right_above = state[BEFORE + run + n], state[RIGHT_BEFORE + run + n]
        width = state[NEXT_SUM + n] - state[SUM + n]
        several = right_above * width + rights / size * (size - above * width)
        single = (right_above + rights) / (above + 1.0)
        precision = single if size == 1.0 else several
        state[PRECISION + run + n] += precision if size > 0.0 else 0.0
        state[LOST + run + n] += rights * (above - right_above + (size - rights) / 2.0)
        state[BEFORE + run + n] = above + size
        state[RIGHT_BEFORE + run + n] = right_above + rights
