"""Every query of the docs runs on the tables as they are declared."""

import re

import duckdb
import pytest

from qampaign.tables import RESULT_TABLES, empty
from tests.helpers.pages import PAGES, name_of
from tests.helpers.tiny_campaign import ROOT

QUERIES = [
    pytest.param(query, id=f"{name_of(page)}-{number}")
    for page in PAGES
    for number, query in enumerate(
        re.findall(r"```sql\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    )
]


def test_there_are_queries() -> None:
    assert len(QUERIES) >= 8


@pytest.fixture(scope="module")
def results() -> duckdb.DuckDBPyConnection:
    """A database with all tables, and nothing in them."""
    connection = duckdb.connect()
    for name in RESULT_TABLES:
        frame = empty(name)
        connection.execute(f'CREATE TABLE "{name}" AS FROM frame')
        assert frame.is_empty()
    return connection


@pytest.mark.parametrize("query", QUERIES)
def test_a_query_of_the_docs_runs(results: duckdb.DuckDBPyConnection, query: str) -> None:
    assert results.sql(query).fetchall() in ([], [(0,)])


def test_the_page_says_which_columns_are_words_of_sql() -> None:
    reserved = {
        word
        for (word,) in duckdb.sql(
            """SELECT keyword_name FROM duckdb_keywords()
            WHERE keyword_category IN ('reserved', 'type_function')"""
        ).fetchall()
    }
    columns = {column.name for table in RESULT_TABLES.values() for column in table.columns}
    page = (ROOT / "docs/queries.md").read_text(encoding="utf-8")
    _, said, named = page.partition("reserved words of SQL, so put them in quotes: ")
    assert said
    assert set(re.findall(r'`"(\w+)"`', named.partition(".\n")[0])) == reserved & columns
