"""The texts of the package, as far as they may be messages, with … for what is filled in."""

import ast
from functools import cache

from tests.helpers.tiny_campaign import ROOT


@cache
def messages_of_the_package() -> frozenset[str]:
    """All texts in the code, those that are put together of several lines as one."""
    found = set()
    for path in (ROOT / "workflow/qampaign").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.add(node.value)
            elif isinstance(node, ast.JoinedStr):
                parts = (
                    part.value if isinstance(part, ast.Constant) else "…" for part in node.values
                )
                found.add("".join(map(str, parts)))
    return frozenset(found)
