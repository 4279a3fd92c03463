"""The leaderboards as tables for papers: LaTeX with booktabs, and Markdown."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from qampaign.files import write_text
from qampaign.report.collection import Collection
from qampaign.report.page import Shown, between
from qampaign.report.parts import DASH, fixed, percent, span

LATEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", '"': r"\textquotedbl{}",
}  # fmt: skip


def write(shown: Iterable[Shown], folder: Path) -> list[Path]:
    """Write the leaderboards of all collections, and delete those of collections that are gone."""
    texts = {}
    for each in shown:
        name = f"leaderboard-{each.collection.id}"
        texts[folder / f"{name}.tex"] = latex(each.collection)
        texts[folder / f"{name}.md"] = markdown(each.collection)
    for path, text in texts.items():
        write_text(path, text)
    for left in folder.glob("leaderboard-*"):
        if left not in texts:
            left.unlink()
    return list(texts)


def escape_latex(text: str) -> str:
    r"""Text that LaTeX prints as it is.

    >>> print(escape_latex("50% of a_b\\c"))
    50\% of a\_b\textbackslash{}c
    """
    return "".join(LATEX.get(sign, sign) for sign in " ".join(text.split()))


def escape_markdown(text: str) -> str:
    r"""Text that Markdown prints as it is, in a cell of a table.

    >>> print(escape_markdown("a|b *c* <i>"))
    a\|b \*c\* \<i\>
    """
    marks = "\\`*_{}[]<>#|~$!&"
    return "".join(f"\\{sign}" if sign in marks else sign for sign in " ".join(text.split()))


def latex(collection: Collection) -> str:
    """The leaderboard for a paper with `\\usepackage{booktabs}`; the best values are bold."""
    head, *body = rows(collection)
    columns = "rl" + "r" * (len(head) - 2)
    lines = [
        r"\begin{tabular}{" + columns + "}",
        r"\toprule",
        " & ".join(escape_latex(text) for text, _ in head) + r" \\",
        r"\midrule",
        *(
            " & ".join(
                rf"\textbf{{{_latex_cell(text)}}}" if bold else _latex_cell(text)
                for text, bold in row
            )
            + r" \\"
            for row in body
        ),
        r"\bottomrule",
        r"\end{tabular}",
    ]
    return "\n".join(lines) + "\n"


def _latex_cell(text: str) -> str:
    return escape_latex(text).replace("\N{MINUS SIGN}", "$-$").replace(DASH, "--")


def markdown(collection: Collection) -> str:
    """The leaderboard as a Markdown table; the best values are bold."""
    head, *body = rows(collection)
    lines = [
        [escape_markdown(text) for text, _ in head],
        ["---:", ":---", *["---:"] * (len(head) - 2)],
        *(
            [
                f"**{escape_markdown(text)}**" if bold else escape_markdown(text)
                for text, bold in row
            ]
            for row in body
        ),
    ]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def rows(collection: Collection) -> Iterator[list[tuple[str, bool]]]:
    """The heading and a row per run, as the page opens; each cell says whether it is bold.

    Where answers are not assessed, or questions have no row, the table says how many.
    """
    view, main = collection.start, collection.primary
    bounded = main is not None and view["scores"][main]["low"] is not None
    parts = ["right", "wrong", "unanswered"]
    parts += ["unassessed"] * any(view["counts"]["unassessed"])
    head = ["Rank", "Run", *(str(measure["label"]) for measure in collection.measures)]
    head += ["95% interval"] * bounded + [part.capitalize() for part in parts]
    lacking = any(share is not None for share in view["missing"])
    head += ["No row"] * lacking
    yield [(text, False) for text in head]
    for at, run in enumerate(collection.names()):
        scores = view["scores"]
        first = scores[main]["first"][at] if main is not None else None
        last = scores[main]["last"][at] if main is not None else None
        values = [(each["value"][at], each["best"]) for each in scores]
        counts = (view["counts"][part][at] for part in parts)
        yield [
            (span(first, last), False),
            (run, False),
            *((fixed(value), value is not None and value == best) for value, best in values),
            *([(between(view, main, at), False)] if bounded else []),
            *((DASH if count is None else f"{count:g}", False) for count in counts),
            *([(percent(view["missing"][at], 0), False)] if lacking else []),
        ]
