"""The page of the config and the tables of the README are those of today's declarations."""

import re

from qampaign.config.reference import PROJECT, reference, tables, with_tables
from qampaign.config.schema import schema
from qampaign.judging.judges import JUDGES
from qampaign.studies.study import STUDIES


def test_the_committed_page_is_up_to_date() -> None:
    committed = PROJECT / "docs" / "config.md"
    assert committed.read_text(encoding="utf-8") == reference(), "run make docs"


def test_the_tables_of_the_readme_are_up_to_date() -> None:
    readme = (PROJECT / "README.md").read_text(encoding="utf-8")
    assert with_tables(readme) == readme, "run make docs"
    for table in tables().values():
        assert table in readme


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
