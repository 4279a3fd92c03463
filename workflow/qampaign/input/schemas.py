"""What a valid row is, table by table: the pandera schemas that every row passes at the border."""

import pandera.polars as pa
import polars as pl

from qampaign.input.input_tables import INPUT_TABLES, InputColumn, InputTable, Rule


def _check(rule: Rule) -> pa.Check:
    """A rule for pandera; its error is what a message shows as allowed."""

    def holds(data: pa.PolarsData) -> pl.LazyFrame:
        return data.lazyframe.select(rule.holds(data.key))

    return pa.Check(holds, error=rule.allowed)


def _column(column: InputColumn) -> pa.Column:
    checks = [_check(column.rule)] if column.rule else []
    return pa.Column(column.kind.dtype, checks, nullable=not column.filled)


def _schema(table: InputTable) -> pa.DataFrameSchema:
    return pa.DataFrameSchema({column.stored_name: _column(column) for column in table.stored})


SCHEMAS = {name: _schema(table) for name, table in INPUT_TABLES.items()}
"""The schema of the rows of each input table, as the database gets them."""
