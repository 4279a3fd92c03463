"""Whether rows are in order, which takes a fraction of the time of putting them in order."""

import polars as pl


def ascends(rows: pl.DataFrame) -> bool:
    """Whether each row is greater than the one before it, by the columns in their order.

    So no row is there twice, and there is one order only. Nothing is greater than a null, nor a
    null greater than anything.

    >>> rows = pl.DataFrame({"run": ["a", "a", "b"], "rank": [1, 2, 1]})
    >>> ascends(rows), ascends(rows.reverse()), ascends(rows[[0, 0, 1]]), ascends(rows[:1])
    (True, False, False, True)
    """
    after = pl.repeat(False, max(rows.height - 1, 0), eager=True)
    same = ~after
    for column in rows:
        values = column.to_physical()
        here, before = values[1:], values[:-1]
        after |= same & (here > before).fill_null(False)
        if after.all():
            return True
        same &= (here == before).fill_null(False)
    return False
