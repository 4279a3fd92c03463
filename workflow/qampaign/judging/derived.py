"""What-if runs: a run of the collection with some of its rows changed."""

import re
from collections.abc import Mapping
from typing import Any

import polars as pl

from qampaign.problems import Refused, quote

Rule = Mapping[str, Any]
"""What a what-if run changes, as the config says it: `from`, `where` and `set`."""

SETTABLE = {
    "answer": pl.String,
    "confidence": pl.Float64,
    "score": pl.Float64,
    "answered": pl.Boolean,
}
"""What a what-if run can change."""

MOST_CHARACTERS, MOST_OPERATORS = 10_000, 200
"""How long a condition may be. polars needs more time and stack for each operator than for the one
before, and 5,000 of them end the process; a list behind IN may have any length."""

QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
OPERATOR = re.compile(r"(?i)\b(?:and|or|not|is|in|like|ilike|between)\b|[^\w\s'\"(),.]+")


def is_too_long(condition: str) -> bool:
    """Whether a condition has too many characters or operators.

    >>> is_too_long(" OR ".join(["answer = 'a OR b'"] * 100)), is_too_long("OR" + " OR" * 200)
    (False, True)
    """
    if len(condition) > MOST_CHARACTERS:
        return True
    return len(OPERATOR.findall(QUOTED.sub("", condition))) > MOST_OPERATORS


def derive(responses: pl.DataFrame, derived: Mapping[str, Rule]) -> pl.DataFrame:
    """The responses, with those of the what-if runs, and the run that each comes from.

    Each what-if run has `from`, the run it changes, `where`, an SQL expression over the columns of
    a response, and `set`, the new values. The expression is parsed and evaluated by polars: it can
    name columns and functions of them, and nothing else. As in a file, an empty answer is none and
    is not answered, and an answer where there was none is answered unless `set` says otherwise.

    >>> runs = pl.DataFrame({"run": ["a", "a"], "answer": ["NIL", "x"], "confidence": [1.0, 0.5]})
    >>> rule = {"from": "a", "where": "answer = 'NIL'", "set": {"confidence": 0}}
    >>> derive(runs, {"b": rule}).rows()
    [('a', 'NIL', 1.0, 'a'), ('a', 'x', 0.5, 'a'), ('b', 'NIL', 0.0, 'a'), ('b', 'x', 0.5, 'a')]
    """
    parts = [responses.with_columns(origin="run")]
    faults = []
    for name, rule in derived.items():
        try:
            parts.append(_changed(parts[0], rule, name))
        except Refused as refused:
            faults.append(str(refused))
    if faults:
        raise Refused("\n".join(faults))
    return pl.concat(parts)


def _changed(responses: pl.DataFrame, rule: Rule, name: str) -> pl.DataFrame:
    """The rows of one what-if run."""
    origin = responses.filter(pl.col("run") == rule["from"])
    if origin.is_empty():
        runs = ", ".join(map(quote, responses["run"].unique().sort()))
        raise Refused(f"derived run {name}: there is no run {quote(rule['from'])}; runs: {runs}")
    if name in responses["run"]:
        raise Refused(f"derived run {name}: a run of that name is there already")
    where = _matching(origin.drop("origin"), rule["where"], name)
    changes = {column: None if value == "" else value for column, value in rule["set"].items()}
    values = [
        pl.when(where).then(pl.lit(value, SETTABLE[column])).otherwise(column).alias(column)
        for column, value in changes.items()
    ]
    if "answer" in changes:  # a label by run and rank was for another answer
        values.append(pl.when(~where).then("origin").alias("origin"))
    if "answer" in changes and "answered" not in changes:
        values.append(pl.col("answered") | (where & pl.col("answer").is_null()))
    changed = origin.with_columns(values).with_columns(run=pl.lit(name))
    if changes.keys() & {"answer", "answered"}:
        changed = changed.with_columns(pl.col("answered") & pl.col("answer").is_not_null())
    return changed


def _matching(rows: pl.DataFrame, condition: str, name: str) -> pl.Series:
    """The rows that a condition holds for; there must be some, else it is a mistake."""
    subject = f"derived run {name}: where {quote(condition)}"
    columns = dict.fromkeys([*rows.columns, "line"])
    allowed = f"allowed: an SQL condition over {', '.join(columns)}"
    try:
        holds = rows.select(pl.sql_expr(condition)).to_series()
    except (pl.exceptions.PolarsError, TypeError) as error:
        first = str(error).splitlines()[0]
        raise Refused(f"{subject} cannot be evaluated ({first}); {allowed}") from None
    if holds.dtype != pl.Boolean or len(holds) != rows.height:
        raise Refused(f"{subject} is not a condition; {allowed}")
    if not holds.any():
        raise Refused(f"{subject} matches no response, so the run would change nothing")
    return holds.fill_null(False)
