"""The folder report/paper/: one folder per collection, and what is of the whole campaign.

A collection's folder has its tables and methods in LaTeX and Markdown, and its figures as PNG.
`paper.tex` is a whole document that includes all of it, to start from.
"""

import shutil
from collections.abc import Collection, Iterable, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from qampaign.files import write_text
from qampaign.report.figures import sections_for_papers
from qampaign.report.page import Shown
from qampaign.report.paper.markup import (
    as_latex,
    as_markdown,
    bibliography,
    cited,
    escape_latex,
    latex_table,
    markdown_table,
)
from qampaign.report.paper.methods import Settings, paragraphs, sentences, together
from qampaign.report.paper.references import REFERENCES
from qampaign.report.paper.tables import tables_of

FIGURES = "figures"
"""The folder of a collection's figures; another job draws them."""

Part = dict[str, Any]
"""What the whole has to know of a collection: id, title, methods, tables and figures."""


def describe(shown: Shown, settings: Settings) -> Part:
    """What the files of the whole campaign say of a collection."""
    collection = shown.collection
    return {
        "id": collection.id,
        "title": collection.title,
        "methods": sentences(collection, settings),
        "tables": [[name, table.title] for name, table in tables_of(shown).items()],
        "figures": [
            [figure_name(section.id, chart.id), chart.title, chart.half]
            for section in sections_for_papers(shown)
            for chart in section.charts
        ],
    }


def figure_name(section: str, chart: str) -> str:
    """What the file of a figure is called, without its ending."""
    return f"{section}-{chart}"


def write_collection(shown: Shown, part: Part, folder: Path) -> list[Path]:
    """Write the tables and the methods of a collection; what else was there is deleted."""
    texts: dict[str, str] = {}
    for name, table in tables_of(shown).items():
        texts |= {f"{name}.tex": latex_table(table), f"{name}.md": markdown_table(table)}
    methods = paragraphs(part["methods"])
    texts |= {
        "methods.tex": "\n\n".join(map(as_latex, methods)) + "\n",
        "methods.md": "\n\n".join(map(as_markdown, methods)) + "\n",
    }
    collection_folder = folder / shown.collection.id
    _keep(collection_folder, {*texts, FIGURES})
    return _write(collection_folder, texts)


def write_campaign(
    parts: Sequence[Part], folder: Path, *, title: str, seed: int, overall: Sequence[str] = ()
) -> list[Path]:
    """Write what is of the whole campaign, and delete the folders of collections that are gone.

    `overall` says how runs were ranked over collections, where they were.
    """
    made_by = (
        f"All values were computed by Qampaign {version('qampaign')}; all random numbers follow "
        f"from the seed {seed}."
    )
    methods = [*together([part["methods"] for part in parts]), *overall, made_by]
    keys = {key for text in methods for key in cited(text)}
    texts = {
        "methods.tex": "\n\n".join(map(as_latex, methods)) + "\n",
        "methods.md": "\n\n".join(map(as_markdown, methods)) + "\n",
        "references.bib": bibliography(
            {key: entry for key, entry in REFERENCES.items() if key in keys}
        ),
        "paper.tex": _document(parts, title, has_references=bool(keys)),
    }
    _keep(folder, {*texts, *(part["id"] for part in parts)})
    return _write(folder, texts)


def _write(folder: Path, texts: Mapping[str, str]) -> list[Path]:
    for name, text in texts.items():
        write_text(folder / name, text)
    return [folder / name for name in texts]


def _keep(folder: Path, names: Collection[str]) -> None:
    """Delete what else is in a folder."""
    for path in folder.glob("*"):
        if path.name not in names:
            shutil.rmtree(path) if path.is_dir() else path.unlink()


def _document(parts: Iterable[Part], title: str, *, has_references: bool) -> str:
    """A document with everything in it."""
    lines = [
        r"% Start from this file, or take from the folder what you need.",
        r"\documentclass[twocolumn]{article}",
        r"\usepackage[T1]{fontenc}",
        r"\usepackage{lmodern}",
        r"\usepackage{booktabs}",
        r"\usepackage{graphicx}",
        r"\usepackage{textcomp}",
        rf"\title{{{escape_latex(title)}}}",
        r"\author{}",
        r"\begin{document}",
        r"\maketitle",
        r"\section{Methods}",
        r"\input{methods}",
        r"\section{Results}",
    ]
    for part in parts:
        lines.append(rf"\subsection{{{escape_latex(part['title'])}}}")
        for name, heading in part["tables"]:
            lines += _float(
                "table*", heading, part["title"],
                rf"\resizebox{{\ifdim\width>\textwidth\textwidth\else\width\fi}}{{!}}"
                rf"{{\input{{{part['id']}/{name}}}}}",
            )  # fmt: skip
        for name, heading, half in part["figures"]:
            size = r"\columnwidth" if half else r"\textwidth"
            lines += _float(
                "figure" if half else "figure*", heading, part["title"],
                rf"\includegraphics[width={size},height=0.8\textheight,keepaspectratio]"
                rf"{{{part['id']}/{FIGURES}/{name}.png}}",
            )  # fmt: skip
        lines.append(r"\clearpage")
    if has_references:
        lines += [r"\bibliographystyle{plain}", r"\bibliography{references}"]
    return "\n".join([*lines, r"\end{document}"]) + "\n"


def _float(kind: str, heading: str, title: str, content: str) -> list[str]:
    return [
        rf"\begin{{{kind}}}",
        r"\centering",
        content,
        rf"\caption{{{escape_latex(f'{heading}: {title}')}}}",
        rf"\end{{{kind}}}",
    ]
