"""Texts and tables in LaTeX and in Markdown: whatever stands in them is printed as it is."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from qampaign.report.text import DASH, MINUS

LATEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", '"': r"\textquotedbl{}",
    "`": r"\textasciigrave{}", "[": "{[}", "]": "{]}",
    MINUS: "$-$", DASH: "--", "\N{PLUS-MINUS SIGN}": r"$\pm$", "\N{PRIME}": "$'$",
    "\N{LESS-THAN OR EQUAL TO}": r"$\leq$", "\N{GREATER-THAN OR EQUAL TO}": r"$\geq$",
    "\N{LEFT DOUBLE QUOTATION MARK}": "``", "\N{RIGHT DOUBLE QUOTATION MARK}": "''",
    "\N{RIGHT SINGLE QUOTATION MARK}": "'",
}  # fmt: skip
"""A bracket is in braces: at the start of a row it would be taken for an option of the line end."""

CITATION = re.compile("\x00([^\x00]*)\x00")
LIGATURE, APART = re.compile(r"(?<=-)(?=-)|(?<=')(?=')|(?<=,)(?=,)"), "\x01"
"""Between signs that LaTeX would print as one; no text has such a mark."""


class Cell(NamedTuple):
    """A text in a table."""

    text: str
    bold: bool = False


@dataclass(frozen=True)
class PaperTable:
    """A table for papers: headings, with whether the column holds text, rows, and what to know."""

    title: str
    heads: Sequence[tuple[str, bool]]
    rows: Sequence[Sequence[Cell]]
    note: str = ""


def cite(*keys: str) -> str:
    """A mark in a text that becomes a citation."""
    return f"\x00{','.join(keys)}\x00"


def cited(text: str) -> list[str]:
    """The references that a text cites, in their order.

    >>> cited(f"By weights{cite('rubin1981')}, or both{cite('a', 'rubin1981')}.")
    ['rubin1981', 'a']
    """
    keys = (key for keys in CITATION.findall(text) for key in keys.split(","))
    return list(dict.fromkeys(keys))


def as_latex(text: str) -> str:
    r"""A text with citations, in LaTeX.

    >>> print(as_latex(f"50% of a_b{cite('rubin1981', 'holm1979')}."))
    50\% of a\_b~\cite{rubin1981,holm1979}.
    """
    return _with_citations(text, escape_latex, lambda keys: rf"~\cite{{{keys}}}")


def as_markdown(text: str) -> str:
    r"""A text with citations, in Markdown as Pandoc reads it.

    >>> print(as_markdown(f"50% of a_b{cite('rubin1981', 'holm1979')}."))
    50% of a\_b [@rubin1981; @holm1979].
    """
    return _with_citations(text, escape_markdown, lambda keys: f" [@{keys.replace(',', '; @')}]")


def _with_citations(text: str, escape: Callable[[str], str], citation: Callable[[str], str]) -> str:
    pieces = CITATION.split(text)  # every second one is a list of keys
    return "".join(
        citation(piece) if index % 2 else escape(piece) for index, piece in enumerate(pieces)
    )


def escape_latex(text: str) -> str:
    r"""Text that LaTeX prints as it is.

    >>> print(escape_latex("50% of a_b\\c--d"))
    50\% of a\_b\textbackslash{}c-{}-d
    """
    escaped = (LATEX.get(sign, sign) for sign in LIGATURE.sub(APART, _on_one_line(text)))
    return "".join(escaped).replace(APART, "{}")


def escape_markdown(text: str) -> str:
    r"""Text that Markdown prints as it is, in a cell of a table.

    >>> print(escape_markdown("a|b *c* <i>"))
    a\|b \*c\* \<i\>
    """
    marks = "\\`*_{}[]<>#|~$!&^"
    return "".join(f"\\{sign}" if sign in marks else sign for sign in _on_one_line(text))


def _on_one_line(text: str) -> str:
    """Spaces instead of line ends, but for spaces at the start and end."""
    start = " " if text[:1].isspace() else ""
    end = " " if text[-1:].isspace() and text.strip() else ""
    return f"{start}{' '.join(text.split())}{end}"


def latex_table(table: PaperTable) -> str:
    """The table for a paper with `\\usepackage{booktabs}`; what to know of it is a comment."""
    columns = "".join("l" if is_text else "r" for _, is_text in table.heads)
    head = [Cell(label) for label, _ in table.heads]
    lines = [
        *(f"% {line}" for line in _comment(table)),
        r"\begin{tabular}{" + columns + "}",
        r"\toprule",
        _latex_row(head),
        r"\midrule",
        *map(_latex_row, table.rows),
        r"\bottomrule",
        r"\end{tabular}",
    ]
    return "\n".join(lines) + "\n"


def _latex_row(row: Sequence[Cell]) -> str:
    cells = (escape_latex(cell.text).strip() for cell in row)
    marked = (
        rf"\textbf{{{text}}}" if cell.bold else text for text, cell in zip(cells, row, strict=True)
    )
    return " & ".join(marked) + r" \\"


def _comment(table: PaperTable) -> list[str]:
    return [" ".join(text.split()) for text in (table.title, table.note) if text]


def markdown_table(table: PaperTable) -> str:
    """The table in Markdown, with what to know of it below."""
    cells = [
        [escape_markdown(label).strip() for label, _ in table.heads],
        [":---" if is_text else "---:" for _, is_text in table.heads],
        *(
            [
                f"**{escape_markdown(cell.text).strip()}**"
                if cell.bold
                else escape_markdown(cell.text).strip()
                for cell in row
            ]
            for row in table.rows
        ),
    ]
    lines = "".join(f"| {' | '.join(row)} |\n" for row in cells)
    return f"{lines}\n{escape_markdown(table.note)}\n" if table.note else lines


def bibliography(entries: Mapping[str, tuple[str, Mapping[str, str]]]) -> str:
    """Entries of BibTeX: by key, the type and the fields."""
    return "\n".join(
        f"@{kind}{{{key},\n"
        + "".join(f"  {name} = {{{text}}},\n" for name, text in fields.items())
        + "}\n"
        for key, (kind, fields) in entries.items()
    )
