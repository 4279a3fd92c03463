"""Compiled loops over answers beside the forms of their keys. Importing this module loads numba.

Texts are given as the codes of their words, one after the other, with where each text starts.
"""

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def compare_sequences(  # type: ignore[no-untyped-def]
    words, starts, forms, form_starts, first_form, last_form, best, features
):
    """Fill `features` by answer: bigrams, trigrams and position of the best form; contains, exact.

    `first_form` to `last_form` are the forms of an answer's question, `best` is the one that fits
    best (−1: none). Bigrams and trigrams are shares of the form's, position is 1 where the first
    word of the answer is one of the form's, falling to 0 where the answer has none.
    """
    for answer in range(len(best)):
        begin, end = starts[answer], starts[answer + 1]
        size = end - begin
        for form in range(first_form[answer], last_form[answer]):
            first, last = form_starts[form], form_starts[form + 1]
            length = last - first
            if length == 0 or length > size:
                continue
            for at in range(begin, end - length + 1):
                same = True
                for step in range(length):
                    if words[at + step] != forms[first + step]:
                        same = False
                        break
                if same:
                    features[answer, 3] = 1.0
                    if length == size:
                        features[answer, 4] = 1.0
                    break
        if best[answer] < 0:
            continue
        first, last = form_starts[best[answer]], form_starts[best[answer] + 1]
        for length in (2, 3):
            number = last - first - length + 1
            if number < 1:
                continue
            shared = 0
            for at in range(first, first + number):
                for at_answer in range(begin, end - length + 1):
                    same = True
                    for step in range(length):
                        if words[at_answer + step] != forms[at + step]:
                            same = False
                            break
                    if same:
                        shared += 1
                        break
            features[answer, length - 2] = shared / number
        for at in range(begin, end):
            here = False
            for at_form in range(first, last):
                if words[at] == forms[at_form]:
                    here = True
                    break
            if here:
                features[answer, 2] = 1.0 - (at - begin) / size
                break


@njit(cache=True, nogil=True)
def keep_letters(texts, starts):  # type: ignore[no-untyped-def]
    """Texts, and where each starts, with small letters and one space for all else of ASCII.

    Each begins and ends with a space. Bytes beyond ASCII are letters.
    """
    kept = np.empty(len(texts) + 2 * (len(starts) - 1), dtype=np.uint8)
    ends = np.zeros(len(starts), dtype=np.int64)
    size = 0
    for text in range(len(starts) - 1):
        kept[size] = 32
        size += 1
        for at in range(starts[text], starts[text + 1]):
            byte = texts[at]
            if 65 <= byte <= 90:
                byte += 32
            if byte >= 128 or 97 <= byte <= 122 or 48 <= byte <= 57:
                kept[size] = byte
                size += 1
            elif kept[size - 1] != 32:
                kept[size] = 32
                size += 1
        if kept[size - 1] != 32:
            kept[size] = 32
            size += 1
        ends[text + 1] = size
    return kept[:size], ends


@njit(cache=True, nogil=True)
def count_words(words, starts, flags, counts):  # type: ignore[no-untyped-def]
    """Count by answer the words that have each flag; `flags` are by word code and flag."""
    for answer in range(len(counts)):
        for at in range(starts[answer], starts[answer + 1]):
            for flag in range(flags.shape[1]):
                counts[answer, flag] += flags[words[at], flag]


@njit(cache=True, nogil=True)
def count_shared(words, starts, others, other_starts, which, counts):  # type: ignore[no-untyped-def]
    """Count by answer its words that stand in another text, too: that of number `which` (−1: none).

    The words of the other texts are in rising order.
    """
    for answer in range(len(which)):
        if which[answer] < 0:
            continue
        first, last = other_starts[which[answer]], other_starts[which[answer] + 1]
        for at in range(starts[answer], starts[answer + 1]):
            low, high = first, last
            while low < high:
                middle = (low + high) // 2
                if others[middle] < words[at]:
                    low = middle + 1
                else:
                    high = middle
            if low < last and others[low] == words[at]:
                counts[answer] += 1


@njit(cache=True, nogil=True)
def compare_numbers(  # type: ignore[no-untyped-def]
    values, years, starts, form_values, form_years, form_starts, best, near, near_years, features
):
    """Fill `features` by answer: numbers equal, near, other; years equal, near, other.

    Shares of the best form's numbers (years): those that the answer has; those that it has not, but
    one within `near` times its size (within `near_years`); those of which it has neither, though it
    has numbers (years).
    """
    for answer in range(len(best)):
        if best[answer] < 0:
            continue
        first, last = form_starts[best[answer]], form_starts[best[answer] + 1]
        for kind in range(2):
            number, equal, close, other = 0, 0, 0, 0
            for at in range(first, last):
                if form_years[at] != (kind == 1):
                    continue
                number += 1
                wanted = form_values[at]
                reach = near_years if kind == 1 else near * abs(wanted)
                best_one = 0
                for index in range(starts[answer], starts[answer + 1]):
                    if kind == 1 and not years[index]:
                        continue
                    off = abs(values[index] - wanted)
                    if off <= 1e-9 * max(abs(wanted), 1.0):
                        best_one = 3
                        break
                    if off <= reach:
                        best_one = 2
                    elif best_one == 0:
                        best_one = 1
                if best_one == 3:
                    equal += 1
                elif best_one == 2:
                    close += 1
                elif best_one == 1:
                    other += 1
            if number:
                features[answer, 3 * kind] = equal / number
                features[answer, 3 * kind + 1] = close / number
                features[answer, 3 * kind + 2] = other / number


@njit(cache=True, nogil=True)
def compare_letters(  # type: ignore[no-untyped-def]
    signs, starts, forms, form_starts, first_form, last_form, seen, shares
):
    """Fill `shares` by answer with the share of a form's threes of bytes that it has, at most.

    `seen` has room for every three of bytes: the number of the last answer that has it, from 1.
    """
    for answer in range(len(shares)):
        for at in range(starts[answer], starts[answer + 1] - 2):
            three = (np.int64(signs[at]) << 16) | (np.int64(signs[at + 1]) << 8) | signs[at + 2]
            seen[three] = answer + 1
        for form in range(first_form[answer], last_form[answer]):
            number = form_starts[form + 1] - form_starts[form] - 2
            shared = 0
            for at in range(form_starts[form], form_starts[form + 1] - 2):
                three = (np.int64(forms[at]) << 16) | (np.int64(forms[at + 1]) << 8) | forms[at + 2]
                shared += seen[three] == answer + 1
            if number > 0 and shared > shares[answer] * number:
                shares[answer] = shared / number
