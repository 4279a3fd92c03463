"""What a valid row is, table by table: the pandera schemas that every row passes at the border."""

import pandera.errors
import pandera.polars as pa
import polars as pl

from qampaign.input.input_tables import INPUT_TABLES, InputColumn, InputTable, Rule
from qampaign.input.rows import Rows


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


def validate(rows: Rows, schema: pa.DataFrameSchema) -> None:
    """Check values against the schema; pandera names the rows, the file has their lines.

    A column that may be empty is left out where it is, or where any value of its type will do.
    """
    checked = {
        name: column
        for name, column in schema.columns.items()
        if not column.nullable or (column.checks and rows.frame[name].count())
    }
    try:
        pa.DataFrameSchema(checked).validate(rows.frame, lazy=True)
    except pandera.errors.SchemaErrors as errors:
        cases = errors.failure_cases.drop_nulls("index")
        for column, check in cases.select("column", "check").unique(maintain_order=True).rows():
            same = (pl.col("column") == column) & (pl.col("check") == check)
            index = cases.filter(same)["index"].implode()
            failed = pl.int_range(rows.frame.height, eager=True).is_in(index)
            if check == "not_nullable":  # what was given but could not be read is noted already
                is_given = column in rows.given
                text = rows.text[column].str.strip_chars() if is_given else None
                empty = failed if text is None else failed & text.replace("", None).is_null()
                rows.refuse(empty, column, "is empty", "a value")
            else:
                rows.refuse(failed, column, "is not allowed", check)
