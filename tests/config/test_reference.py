"""The page of the config and the tables of other pages are those of today's declarations."""

import re

from qampaign.config.reference import PAGES, PROJECT, reference, tables, with_tables
from qampaign.config.schema import schema
from qampaign.judging.judges import JUDGES
from qampaign.studies.study import STUDIES


def test_the_committed_page_is_up_to_date() -> None:
    committed = PROJECT / "docs" / "config.md"
    assert committed.read_text(encoding="utf-8") == reference(), "run make docs"


def test_the_tables_of_other_pages_are_up_to_date() -> None:
    pages = [(PROJECT / "docs" / name).read_text(encoding="utf-8") for name in PAGES]
    for page in pages:
        assert with_tables(page) == page, "run make docs"
    for table in tables().values():
        assert any(table in page for page in pages)


def test_every_key_and_option_is_on_the_page() -> None:
    page, collection = reference(), schema()["$defs"]["collection"]["properties"]
    described = dict(re.findall(r"^\| `(\w+)` \|.*\| (.*) \|$", page, re.MULTILINE))
    options = [*JUDGES.values(), *STUDIES.values()]
    names = [name for each in options for name in each.options]
    for name in (*schema()["properties"], *collection, *names):
        assert described[name], name


def test_a_table_stands_between_its_marks() -> None:
    marks = "a\n<!-- judges: made by make docs -->\nold\n<!-- end of judges -->\nb\n"
    assert with_tables(marks) == marks.replace("old", tables()["judges"])
