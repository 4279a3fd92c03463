"""The page of input formats is that of today's declarations."""

from qampaign.input.input_tables import INPUT_TABLES
from qampaign.input.reference import page
from tests.helpers.tiny_campaign import ROOT


def test_the_committed_page_is_up_to_date() -> None:
    assert (ROOT / "docs/input.md").read_text(encoding="utf-8") == page(), "run make docs"


def test_every_column_is_described_in_the_section_of_its_table() -> None:
    for name, table in INPUT_TABLES.items():
        section = page().split(f"## {table.title}\n")[1].split("\n## ")[0]
        if name == "verdicts":
            assert "the columns of [assessments](#assessments)" in section
            continue
        for column in table.columns:
            (row,) = [
                line for line in section.splitlines() if line.startswith(f"| `{column.name}` |")
            ]
            names = ", ".join(f"`{name}`" for name in column.also)
            also = f"; also read: {names}" if names else ""
            assert row.endswith(f"{column.description}{also} |")
            assert ("**required**" in row) == column.required
