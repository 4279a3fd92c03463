"""The leaderboards as tables for papers: LaTeX with booktabs, and Markdown."""

from collections.abc import Iterator
from pathlib import Path

from qampaign.files import write_text
from qampaign.report.collection import CollectionResults
from qampaign.report.text import DASH
from qampaign.report.views import ScoreText

LATEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", '"': r"\textquotedbl{}",
}  # fmt: skip


def write(collection: CollectionResults, folder: Path) -> list[Path]:
    """Write the leaderboard of a collection."""
    texts = {".tex": latex(collection), ".md": markdown(collection)}
    paths = [folder / f"leaderboard-{collection.id}{suffix}" for suffix in texts]
    for path, text in zip(paths, texts.values(), strict=True):
        write_text(path, text)
    return paths


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


def latex(collection: CollectionResults) -> str:
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


def markdown(collection: CollectionResults) -> str:
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


def rows(collection: CollectionResults) -> Iterator[list[tuple[str, bool]]]:
    """The heading and a row per run, as the page opens; each cell says whether it is bold.

    What the studies say of a run is by the measure that ranks, which the headings name. Where
    answers are not assessed, or questions have no row, the table says how many.
    """
    view, main = collection.start, collection.primary
    texts = view["scores"][main]["text"] if main is not None else None
    studied = _studied(texts, collection.primary_label) if texts else {}
    names = ["right", "wrong", "unanswered"]
    names += ["unassessed"] * any(view["counts"]["unassessed"])
    head = ["Rank", "Run", *(str(measure["label"]) for measure in collection.measures)]
    head += [*studied, *(name.capitalize() for name in names)]
    head += ["No row"] * bool(view["missing"])
    yield [(text, False) for text in head]
    for index, run in enumerate(collection.names()):
        values = [
            (scores["text"]["value"][index], index in scores["best"]) for scores in view["scores"]
        ]
        counts = (view["counts"][name][index] for name in names)
        yield [
            (texts["rank"][index] if texts else DASH, False),
            (run, False),
            *values,
            *((column[index], False) for column in studied.values()),
            *((DASH if count is None else f"{count:g}", False) for count in counts),
            *([(view["missing"][index] or DASH, False)] if view["missing"] else []),
        ]


def _studied(texts: ScoreText, label: str) -> dict[str, list[str]]:
    """The columns that the study of significance fills, by their headings."""
    columns = {
        f"95% interval of {label}": texts["interval"],
        f"Rank range by {label}": texts["range"],
        "Own rank": texts["own"],
        "Leading": texts["leading"],
    }
    return {heading: column for heading, column in columns.items() if column}
