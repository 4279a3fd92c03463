"""Compiled loops over pairs of runs and trials, for the studies, and down the orders of runs.

Each loop works on a range of its pairs and counts in whole numbers, so that ranges can be shared
out among threads and nothing depends on how. Importing this module loads numba; callers do so where
they compute.
"""

import math

import numpy as np
from numba import njit

from qampaign.ranking import SAME  # compiled in: numba notices edits of this file only


@njit(cache=True, nogil=True)
def count_orders(  # type: ignore[no-untyped-def]
    left,
    right,
    pairs_a,
    pairs_b,
    first,
    last,
    fuzziness,
    better,
    missing,
    minority,
    untied,
    undefined,
):
    """Count for each pair and fuzziness the trials in which either run is better.

    `left` and `right` hold values by row and trial; pair n is row pairs_a[n] of the left and row
    pairs_b[n] of the right. `better[n, f]` gets the trials that a and b win, `missing[n]` those
    without a value; `minority` and `untied`, by fuzziness and trial, the pairs won by the run that
    wins less often, and by any; `undefined`, by trial, the pairs without a value. Fuzziness rises.
    """
    trials, levels = left.shape[1], len(fuzziness)
    gap, most = np.empty(trials), np.empty(trials)
    passed, order = np.empty(trials, np.int64), np.empty(trials, np.int32)  # as wide as counted
    clear = 0
    for pair in range(first, last):
        a, b = left[pairs_a[pair]], right[pairs_b[pair]]
        wide, won, lost, unknown = fuzziness[levels - 1], 0, 0, 0
        for trial in range(trials):
            most[trial] = abs(a[trial] if a[trial] > b[trial] else b[trial])
            gap[trial] = abs(a[trial] - b[trial])
            apart = gap[trial] >= SAME and gap[trial] >= wide * most[trial] - SAME
            won += apart and a[trial] > b[trial]
            lost += apart and a[trial] < b[trial]
            unknown += gap[trial] != gap[trial]
        if won == trials or lost == trials:  # one run always wins, and never by less than a tie
            for level in range(levels):
                better[pair, level, 0 if won else 1] = trials
            clear += 1
            continue
        passed[:] = 0
        for level in range(levels):
            share = fuzziness[level]
            for trial in range(trials):
                passed[trial] += gap[trial] >= share * most[trial] - SAME
        for trial in range(trials):
            steps = passed[trial] if gap[trial] >= SAME else 0
            order[trial] = steps if a[trial] > b[trial] else -steps
        missing[pair] += unknown
        if unknown:
            for trial in range(trials):
                undefined[trial] += gap[trial] != gap[trial]
        for level in range(levels):
            bar = np.int32(level)
            ups, downs = np.int32(0), np.int32(0)
            for trial in range(trials):
                up, down = np.int32(order[trial] > bar), np.int32(order[trial] < -bar)
                ups += up
                downs += down
                untied[level, trial] += up | down
            better[pair, level, 0], better[pair, level, 1] = ups, downs
            if 0 < ups <= downs:
                for trial in range(trials):
                    minority[level, trial] += np.int32(order[trial] > bar)
            elif 0 < downs < ups:
                for trial in range(trials):
                    minority[level, trial] += np.int32(order[trial] < -bar)
    untied += clear


@njit(cache=True, nogil=True)
def count_swaps(  # type: ignore[no-untyped-def]
    left, right, pairs_a, pairs_b, first, last, width, strict, comparisons, swaps, orders
):
    """Count by trial and bin the pairs compared, and those that the second set orders otherwise.

    `left` and `right` hold values by row, set (the first, the second) and trial. The bin is that of
    the difference on the first set; the last but one is open, the last has the pairs without one.
    `orders`, by bin and over all trials, gets the comparisons without a difference on the first
    set, those in the same order on the second, in the other one, and without a difference there.
    """
    trials, bins = left.shape[2], comparisons.shape[1] - 1
    bin_index, swapped = np.empty(trials, np.int32), np.empty(trials, np.int32)
    order = np.empty(trials, np.int32)
    for pair in range(first, last):
        a, b = left[pairs_a[pair]], right[pairs_b[pair]]
        for trial in range(trials):
            first_gap, second_gap = a[0, trial] - b[0, trial], a[1, trial] - b[1, trial]
            sign = np.int32(first_gap >= SAME) - np.int32(first_gap <= -SAME)
            second_sign = np.int32(second_gap >= SAME) - np.int32(second_gap <= -SAME)
            where = (abs(first_gap) if sign else 0.0) / width + SAME
            where = where if where < bins - 1 else bins - 1.0
            where = where if (first_gap == first_gap) & (second_gap == second_gap) else bins + 0.0
            bin_index[trial] = np.int32(where)
            swapped[trial] = (sign * second_sign < 0) | (strict & (sign != second_sign))
            # none, same, other, level: 0, 1, 2, 3
            order[trial] = (sign != 0) * (1 + (sign * second_sign < 0) + 2 * (second_sign == 0))
        for trial in range(trials):
            comparisons[trial, bin_index[trial]] += 1
            swaps[trial, bin_index[trial]] += swapped[trial]
            orders[bin_index[trial], order[trial]] += 1


@njit(cache=True, nogil=True)
def count_agreements(values, full, first, last, agreed, compared):  # type: ignore[no-untyped-def]
    """By trial, the pairs ordered as on the full collection less those ordered otherwise.

    Runs from `first` to below `last`, each with those after it. Equal values are in no order.
    """
    runs, trials = values.shape
    for a in range(first, last):
        for b in range(a + 1, runs):
            whole = full[a] - full[b]
            if math.isnan(whole):
                continue
            sign = 0 if abs(whole) < SAME else (1 if whole > 0 else -1)
            for trial in range(trials):
                gap = values[a, trial] - values[b, trial]
                compared[trial] += gap == gap
                agreed[trial] += sign * ((gap >= SAME) - (gap <= -SAME))


@njit(cache=True, nogil=True)
def count_wins(values, pairs_a, pairs_b, first, last, wins):  # type: ignore[no-untyped-def]
    """By pair, the questions on which each run has the higher value."""
    for pair in range(first, last):
        a, b = values[pairs_a[pair]], values[pairs_b[pair]]
        won, lost = 0, 0
        for question in range(len(a)):
            gap = a[question] - b[question]
            won += gap >= SAME
            lost += gap <= -SAME
        wins[pair, 0], wins[pair, 1] = won, lost


@njit(cache=True, nogil=True)
def count_extreme(  # type: ignore[no-untyped-def]
    values, pairs_a, pairs_b, first, last, difference, scale, extreme, defined
):
    """By pair, the resamples as far from what was found as that is from 0; those with a value.

    Distances are scaled before they are compared.
    """
    for pair in range(first, last):
        a, b = values[pairs_a[pair]], values[pairs_b[pair]]
        observed = difference[pair]
        far, there = 0, 0
        for trial in range(len(a)):
            gap = a[trial] - b[trial]
            there += gap == gap
            far += scale * abs(gap - observed) >= abs(observed) - SAME
        extreme[pair], defined[pair] = far, there


@njit(cache=True)
def sign_test(wins, p):  # type: ignore[no-untyped-def]
    """Exact two-sided probability, by pair, of wins as uneven as these where both are as likely."""
    for pair in range(len(wins)):
        fewer, number = min(wins[pair, 0], wins[pair, 1]), wins[pair, 0] + wins[pair, 1]
        term = math.exp(
            math.lgamma(number + 1.0)
            - math.lgamma(fewer + 1.0)
            - math.lgamma(number - fewer + 1.0)
            - number * math.log(2.0)
        )
        total = term
        for k in range(fewer, 0, -1):
            term *= k / (number - k + 1.0)
            total += term
            if term < total * 1e-17:
                break
        p[pair] = min(2.0 * total, 1.0) if 2 * fewer < number else 1.0


@njit(cache=True, nogil=True)
def subtract_pairs(values, pairs_a, pairs_b, first, last, differences):  # type: ignore[no-untyped-def]
    """By draw and pair, the value of one run less that of the other; values are by draw and run."""
    for draw in range(first, last):
        of_draw = values[draw]
        for pair in range(len(pairs_a)):
            differences[draw, pair] = of_draw[pairs_a[pair]] - of_draw[pairs_b[pair]]


@njit(cache=True, nogil=True)
def subtract_steep_pairs(  # type: ignore[no-untyped-def]
    values, pairs_a, pairs_b, steep_a, steep_b, first, last, differences
):
    """The same where the two values of a pair count by as much as it says, added to what is there.

    `values` are from draw `first` on those of `differences`.
    """
    for draw in range(first, last):
        of_draw = values[draw]
        for pair in range(len(pairs_a)):
            differences[draw - first, pair] += (
                steep_a[pair] * of_draw[pairs_a[pair]] - steep_b[pair] * of_draw[pairs_b[pair]]
            )


@njit(cache=True, nogil=True)
def exchange_pairs(  # type: ignore[no-untyped-def]
    kept, moved, pairs_a, pairs_b, first, last, sums
):
    """By side, draw and pair, what a run keeps and the other gives it; both are by draw and run."""
    for draw in range(first, last):
        kept_now, moved_now = kept[draw], moved[draw]
        for pair in range(len(pairs_a)):
            a, b = pairs_a[pair], pairs_b[pair]
            sums[0, draw - first, pair] = kept_now[a] + moved_now[b]
            sums[1, draw - first, pair] = kept_now[b] + moved_now[a]


WIDE = 32
"""Draws that are counted side by side: a processor compares several at once."""


@njit(cache=True, nogil=True)
def count_reached(  # type: ignore[no-untyped-def]
    drawn, first, last, factor, statistic, order, own_pairs, ends, counts, own_counts, highest
):
    """Count the draws, by draw and pair, in which pairs reach what was found.

    A statistic is the difference that was drawn, times the pair's `factor`, whatever its sign.
    `counts[0]` is each pair by itself, `counts[2]` the draws without a value. For `counts[1]` the
    pairs are walked in `order`, from the smallest statistic up, and a draw counts where the highest
    so far reaches the pair's. The same for the pairs of each run, which stand in `own_pairs` from
    `ends[n]` to `ends[n + 1]`. What has no value after an exchange counts as reached by the pair
    itself, and for no other.
    """
    values, top = np.empty((len(statistic), WIDE)), np.empty(WIDE)
    for start in range(first, last, WIDE):
        number = min(WIDE, last - start)
        for n in range(number):
            differences = drawn[start + n]
            for pair in range(len(statistic)):
                values[pair, n] = abs(differences[pair] * factor[pair])
        top[:] = 0.0
        for pair in order:
            bar = statistic[pair] - SAME
            alone, together, unknown = 0, 0, 0
            for n in range(number):
                value = values[pair, n]
                top[n] = value if value > top[n] else top[n]
                missing = value != value
                alone += missing | (value >= bar)
                together += missing | (top[n] >= bar)
                unknown += missing
            counts[0, pair] += alone
            counts[1, pair] += together
            counts[2, pair] += unknown
        highest[start : start + number] = top[:number]
        for run in range(len(ends) - 1):
            top[:] = 0.0
            for index in range(ends[run], ends[run + 1]):
                pair = own_pairs[index]
                bar = statistic[pair] - SAME
                together = 0
                for n in range(number):
                    value = values[pair, n]
                    top[n] = value if value > top[n] else top[n]
                    together += (value != value) | (top[n] >= bar)
                own_counts[index] += together
