"""Numbering what is equal."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qampaign.judging.key.matching import Pieces
from qampaign.judging.numbering import number_equal


@given(st.lists(st.sampled_from([n << shift for n in range(9) for shift in (0, 20, 40, 60)])))
def test_equal_hashes_and_only_they_share_a_number(hashes: list[int]) -> None:
    # most of them point to the same places of the table, so that they move on
    values = np.array(hashes, np.uint64)
    number, where = number_equal(values)
    assert len(where) == len(set(hashes))
    assert (values[where[number]] == values).all()


def test_a_table_that_grows_loses_nothing() -> None:
    values = np.random.default_rng(1).integers(0, 50_000, 100_000).astype(np.uint64)
    number, where = number_equal(values)
    assert len(where) == len(set(values.tolist()))
    assert (values[where[number]] == values).all()
    assert (np.diff(where) > 0).all()  # by first appearance


def test_pieces_that_hash_alike_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = pl.Series.hash

    def clumsy(series: pl.Series, seed: int = 0) -> pl.Series:
        return honest(series, seed) if seed else series.str.len_bytes().cast(pl.UInt64)

    monkeypatch.setattr(pl.Series, "hash", clumsy)
    pieces = Pieces.of(pl.Series(["to be or not", "", "to be"]))
    assert pieces.distinct.gather(pieces.number).to_list() == [
        "to",
        "be",
        "or",
        "not",
        "",
        "to",
        "be",
    ]
    assert pieces.ends.tolist() == [4, 5, 7]
