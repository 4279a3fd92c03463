"""The pages of the docs as tests see them: blocks of code, with what is said of each.

A block with a title is a file that the reader writes (`title="mine/runs.csv"`), or is added to one
(`title="added to the collection"`). A block of `text` below commands is what they print. A comment
above a block of commands says why no test of the page runs it (`<!-- not run: … -->`), or which
exit code it has (`<!-- exits with 1 -->`).
"""

import re
from dataclasses import dataclass
from pathlib import Path

from tests.helpers.tiny_campaign import ROOT

PAGES = (ROOT / "README.md", ROOT / "config/README.md", *sorted((ROOT / "docs").rglob("*.md")))

BLOCK = re.compile(
    r"(?:^ *<!-- (?P<comment>[^\n]*) -->\n)?"
    r'^(?P<indent> *)```(?P<language>\w*)(?: title="(?P<title>[^"\n]+)")?\n'
    r"(?P<text>.*?)^(?P=indent)```$",
    re.MULTILINE | re.DOTALL,
)
INCLUDED = re.compile(r'^--8<-- "(?P<file>[^":]+):(?P<section>[\w-]+)"$', re.MULTILINE)


@dataclass(frozen=True)
class Block:
    page: str
    line: int
    language: str
    title: str
    comment: str
    text: str

    @property
    def commands(self) -> list[str]:
        """The commands of the block, without what is said of them."""
        lines = (re.sub(r"\s+#.*$", "", line).strip() for line in self.text.splitlines())
        return [line for line in lines if line and not line.startswith("#")]


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def blocks_of(page: Path) -> list[Block]:
    """All blocks of a page, in their order, those of included sections among them."""
    text = INCLUDED.sub(_included, page.read_text(encoding="utf-8"))
    return [
        Block(
            name_of(page),
            text.count("\n", 0, found.start()) + 1,
            found["language"],
            found["title"] or "",
            found["comment"] or "",
            re.sub(rf"^{found['indent']}", "", found["text"], flags=re.MULTILINE),
        )
        for found in BLOCK.finditer(text)
    ]


def _included(found: re.Match[str]) -> str:
    text = (ROOT / found["file"]).read_text(encoding="utf-8")
    _, _, rest = text.partition(f"[start:{found['section']}] -->\n")
    return rest.partition(f"<!-- --8<-- [end:{found['section']}]")[0]


def files_of(page: Path) -> dict[str, str]:
    """The files that a page has its readers write."""
    return {block.title: block.text for block in blocks_of(page) if "." in block.title}
