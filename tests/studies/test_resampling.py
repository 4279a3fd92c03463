"""Draws: what they are for decides them, and nothing else; every question has the same chance."""

from hashlib import blake2b

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qampaign.studies.chance import fill_words
from qampaign.studies.resampling import (
    count,
    draw_bootstrap,
    draw_subsets,
    hash_names,
    key,
    share_out,
    toss_coins,
)

KEY = key("2011 tiny", "test", 3)


def test_known_answers_of_the_generator() -> None:
    # Philox 4x32-10 of counter 0 under key 0, as its authors publish it
    words = np.zeros(4, dtype=np.uint32)
    fill_words(words, np.uint64(0), 0, 0)
    assert [f"{word:08x}" for word in words] == ["6627e8d5", "e169c58d", "bc57ac4c", "9b00dbd8"]


def philox(counter: list[int], key: int) -> list[int]:
    """Four words for a counter of four words, in whole numbers of Python."""
    low = 2**32 - 1
    one, two = key & low, key >> 32
    for _ in range(10):
        first, second = 0xD2511F53 * counter[0], 0xCD9E8D57 * counter[2]
        counter = [
            second >> 32 ^ counter[1] ^ one, second & low, first >> 32 ^ counter[3] ^ two, first & low,
        ]  # fmt: skip
        one, two = (one + 0x9E3779B9) & low, (two + 0xBB67AE85) & low
    return counter


@pytest.mark.parametrize(("questions", "size"), [(9, 4), (1000, 700)])
def test_a_seed_gives_these_draws_on_every_machine(questions: int, size: int) -> None:
    own = int(key("2011 clef2009", "swap", 250))
    assert own == int.from_bytes(
        blake2b(b'["2011 clef2009", "swap", 250]', digest_size=8).digest(), "big"
    )
    for trial, drawn in enumerate(draw_subsets(questions, size, 3, np.uint64(own), stream=5)[0]):
        pool = list(range(questions))
        for place in range(size):
            limit, again = questions - place, 0
            product = philox([place // 4, trial, 5, 0], own)[place % 4] * limit
            while product % 2**32 < 2**32 % limit:  # would favour some
                again += 1
                product = philox([place, trial, 5, again], own)[0] * limit
            other = place + (product >> 32)
            pool[place], pool[other] = pool[other], pool[place]
        assert np.flatnonzero(drawn).tolist() == sorted(pool[:size])


@given(st.integers(1, 40), st.integers(1, 40), st.integers(1, 5), st.integers(0, 9))
def test_parts_are_disjoint_and_of_their_size(size: int, more: int, parts: int, seed: int) -> None:
    questions = size * parts + more - 1
    drawn = draw_subsets(questions, size, 6, key(seed), parts=parts)
    assert drawn.shape == (parts, 6, questions)
    assert (drawn.sum(axis=2) == size).all()
    assert drawn.sum(axis=0).max() == 1


def test_threads_trials_and_what_was_drawn_before_do_not_matter() -> None:
    one = draw_subsets(100, 30, 50, KEY, parts=3)
    assert (draw_subsets(100, 30, 50, KEY, parts=3, threads=4) == one).all()
    assert (draw_subsets(100, 30, 20, KEY, parts=3) == one[:, :20]).all()
    drawn = draw_bootstrap(100, 50, KEY)
    assert (draw_bootstrap(100, 50, KEY, threads=3) == drawn).all()
    assert (draw_bootstrap(100, 20, KEY) == drawn[:20]).all()


def test_keys_streams_and_trials_differ() -> None:
    drawn = draw_subsets(100, 30, 50, KEY)
    assert (draw_subsets(100, 30, 50, KEY, stream=1) != drawn).any(axis=2).all()
    assert (draw_subsets(100, 30, 50, key("2012 tiny", "test", 3)) != drawn).any(axis=2).all()
    assert len(np.unique(drawn[0], axis=0)) == 50


def test_every_subset_is_as_likely() -> None:
    # 20 subsets of 3 of 6; chi-squared with 19 degrees of freedom stays under 43.8 in 999 of 1,000
    drawn = draw_subsets(6, 3, 40_000, KEY)[0]
    _, counts = np.unique(drawn, axis=0, return_counts=True)
    assert len(counts) == 20
    assert ((counts - 2_000) ** 2 / 2_000).sum() < 43.8
    # the second of two parts as well
    second = draw_subsets(6, 2, 40_000, KEY, parts=2)[1]
    _, counts = np.unique(second, axis=0, return_counts=True)
    assert len(counts) == 15
    assert ((counts - 40_000 / 15) ** 2 / (40_000 / 15)).sum() < 36.1  # 14 degrees


def test_the_bootstrap_draws_as_many_as_there_are_with_replacement() -> None:
    drawn = draw_bootstrap(50, 20_000, KEY)
    assert (drawn.sum(axis=1) == 50).all()
    # counts are binomial(50, 1/50): mean 1, variance 0.98; 10^6 of them
    assert drawn.mean() == 1.0
    assert drawn.var() == pytest.approx(0.98, abs=0.01)
    # a question is left out with probability (1 − 1/50)^50 = 0.36417
    assert (drawn == 0).mean() == pytest.approx(0.36417, abs=0.002)


def test_coins_are_fair_and_apart() -> None:
    tossed = toss_coins(hash_names([f"u{n}" for n in range(70)]), 20_000, KEY)
    assert set(np.unique(tossed)) == {0, 1}
    # 4.5 standard errors of 20,000 tosses: 4.5 / (2·√20,000) = 0.016
    assert np.abs(tossed.mean(axis=0) - 0.5).max() < 0.016
    apart = np.corrcoef(tossed.T.astype(float)) - np.eye(70)
    assert np.abs(apart).max() < 5 / np.sqrt(20_000)


@pytest.mark.parametrize("threads", [1, 2, 7])
def test_ranges_make_up_the_whole(threads: int) -> None:
    ranges = share_out(lambda first, last: (first, last), 5, threads)
    assert [n for first, last in ranges for n in range(first, last)] == list(range(5))

    def work(first: int, last: int, counter: np.ndarray) -> None:
        counter[:] += np.arange(first, last).sum()

    assert count(work, 5, threads, (2,))[0].tolist() == [10, 10]
    assert count(work, 0, threads, (2,))[0].tolist() == [0, 0]
