"""The measure reference is that of today's declarations."""

from pathlib import Path

from qampaign.measures import MEASURES
from qampaign.measures.reference import reference


def test_the_committed_reference_is_up_to_date() -> None:
    committed = Path(__file__).parents[2] / "docs" / "measures.md"
    assert committed.read_text(encoding="utf-8") == reference(), "run make docs"


def test_only_examples_are_code() -> None:
    """A block of code begins with a prompt, and no prompt stands outside of one."""
    outside, *blocks = reference().split("```python\n")
    for block in blocks:
        code, prose = block.split("```\n", 1)
        assert code.startswith(">>> ")
        assert "\n\n" not in code
        outside += prose
    assert ">>>" not in outside


def test_every_measure_is_in_it_with_an_example() -> None:
    text = reference()
    for name in MEASURES:
        assert f"## {name}\n" in text
        assert (
            f">>> {name}(" in text or f"{name}(" in text.split(f"## {name}\n")[1].split("\n## ")[0]
        )
