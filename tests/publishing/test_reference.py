"""The page of result tables is that of today's declarations."""

from qampaign.publishing.reference import page
from qampaign.tables import RESULT_TABLES
from tests.helpers.tiny_campaign import ROOT


def test_the_committed_page_is_up_to_date() -> None:
    assert (ROOT / "docs/tables.md").read_text(encoding="utf-8") == page(), "run make docs"


def test_every_column_is_described_in_the_section_of_its_table() -> None:
    for name, table in RESULT_TABLES.items():
        section = page().split(f"\n## {name}\n")[1].split("\n## ")[0]
        rows = [line.split(" | ")[0] for line in section.splitlines() if line.startswith("| `")]
        assert rows == [f"| `{column}`" for column in table.names]
        assert all(column.description for column in table.columns)
