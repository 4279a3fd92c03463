"""Finding rows by several columns at once, in a tenth of the time of a join on them."""

from collections.abc import Sequence

import numpy as np
import polars as pl


def look_up(wanted: pl.DataFrame, table: pl.DataFrame, on: Sequence[str]) -> pl.Series:
    """For each wanted row the number of a row of `table` that is equal in the columns `on`.

    Null where there is none, or where a value is null. Each column becomes a number (its code, its
    rank), they together one number, and the sorted numbers of the table are searched.

    >>> table = pl.DataFrame({"question": ["q1", "q1", "q2"], "rank": [1, 2, 1]})
    >>> wanted = pl.DataFrame({"question": ["q2", "q1", "q3", None], "rank": [1, 2, 1, 1]})
    >>> look_up(wanted, table, ["question", "rank"]).to_list()
    [2, 1, None, None]
    """
    keys = [pl.repeat(0, frame.height, dtype=pl.UInt64, eager=True) for frame in (wanted, table)]
    for name in on:
        columns = [frame[name] for frame in (wanted, table)]
        if columns[0].dtype == pl.String:
            codes = pl.Enum(columns[1].unique().drop_nulls())
            columns = [column.cast(codes, strict=False) for column in columns]
        numbers = [column.to_physical().cast(pl.UInt64) for column in columns]
        size = 1 + max(int(each.fill_null(0).to_numpy().max(initial=0)) for each in numbers)
        keys = [key * size + each for key, each in zip(keys, numbers, strict=True)]
    rows = keys[1].is_not_null().arg_true()
    there = keys[1].gather(rows).to_numpy()
    if not len(there):
        return pl.repeat(None, wanted.height, dtype=pl.UInt32, eager=True)
    if np.any(there[:-1] > there[1:]):
        order = np.argsort(there, kind="stable")
        there, rows = there[order], rows.gather(order)
    sought = keys[0].fill_null(np.iinfo(np.uint64).max).to_numpy()
    place = np.minimum(np.searchsorted(there, sought), len(there) - 1)
    found = pl.Series(there[place] == sought) & keys[0].is_not_null()
    numbers_found = rows.gather(place).cast(pl.UInt32)
    return numbers_found.to_frame("row").select(pl.when(found).then("row")).to_series()
