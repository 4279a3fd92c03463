"""Rows found by several columns, against a search one by one."""

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from qampaign.judging.lookup import look_up

ROWS = st.lists(
    st.tuples(st.sampled_from(["a", "b", None]), st.sampled_from([1, 2, None])), max_size=8
)


def frame(rows: list[tuple[str | None, int | None]]) -> pl.DataFrame:
    return pl.DataFrame(rows, schema={"name": pl.String, "rank": pl.Int64}, orient="row")


def first(row: tuple[str | None, int | None], table: list[tuple[str | None, int | None]]) -> object:
    return None if None in row or row not in table else table.index(row)


@given(ROWS, ROWS)
def test_the_first_equal_row_is_found(
    wanted: list[tuple[str | None, int | None]], table: list[tuple[str | None, int | None]]
) -> None:
    for sought in (wanted, table):  # and rows that are all in their places
        found = look_up(frame(sought), frame(table), ["name", "rank"])
        assert found.to_list() == [first(row, table) for row in sought]
        assert found.dtype == pl.UInt32
