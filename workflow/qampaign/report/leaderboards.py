"""The leaderboards as tables for papers: LaTeX with booktabs, and Markdown."""

from collections.abc import Iterator
from pathlib import Path

from qampaign.files import write_text
from qampaign.report.collection import CollectionResults
from qampaign.report.paper.markup import Cell, PaperTable, latex_table, markdown_table
from qampaign.report.text import DASH
from qampaign.report.views import ScoreText

INFO = ("team", "category")
"""What is said of a run beside its name, where it is known."""


def write(collection: CollectionResults, folder: Path) -> list[Path]:
    """Write the leaderboard of a collection."""
    texts = {".tex": latex(collection), ".md": markdown(collection)}
    paths = [folder / f"leaderboard-{collection.id}{suffix}" for suffix in texts]
    for path, text in zip(paths, texts.values(), strict=True):
        write_text(path, text)
    return paths


def latex(collection: CollectionResults) -> str:
    """The leaderboard for a paper with `\\usepackage{booktabs}`; the best values are bold."""
    return latex_table(table(collection))


def markdown(collection: CollectionResults) -> str:
    """The leaderboard as a Markdown table; the best values are bold."""
    return markdown_table(table(collection))


def table(collection: CollectionResults) -> PaperTable:
    """A row per run, as the page opens, with the measure that ranks first.

    Its interval, and what comparisons by it say, stand beside it. Where answers are not assessed,
    or questions have no row, the table says how many.
    """
    columns = list(_columns(collection))
    heads = [(heading, is_text) for heading, is_text, _ in columns]
    rows = [[cells[run] for *_, cells in columns] for run in range(len(collection.runs))]
    return PaperTable("Leaderboard", heads, rows)


def _columns(collection: CollectionResults) -> Iterator[tuple[str, bool, list[Cell]]]:
    """Each column: its heading, whether it is of text, and its cells."""
    view, main = collection.start, collection.primary
    texts = view["scores"][main]["text"] if main is not None else None
    yield "Rank", False, _plain(texts["rank"] if texts else [DASH] * len(collection.runs))
    yield "Run", True, _plain(collection.names())
    for name in INFO:
        if name in collection.info:
            cells = [str(run[name] or DASH) for run in collection.runs]
            yield name.capitalize(), True, _plain(cells)
    order = range(len(collection.measures))
    for measure in sorted(order, key=lambda index: index != main):
        scores = view["scores"][measure]
        yield (
            str(collection.measures[measure]["label"]),
            False,
            [Cell(text, run in scores["best"]) for run, text in enumerate(scores["text"]["value"])],
        )
        if texts and measure == main:
            for heading, column in _studied(texts, collection.primary_label).items():
                yield heading, False, _plain(column)
    names = ["right", "wrong", "unanswered"]
    names += ["unassessed"] * any(view["counts"]["unassessed"])
    for name in names:
        counts = (DASH if count is None else f"{count:g}" for count in view["counts"][name])
        yield name.capitalize(), False, _plain(list(counts))
    if view["missing"]:
        yield "No row", False, _plain([share or DASH for share in view["missing"]])


def _plain(texts: list[str]) -> list[Cell]:
    return [Cell(text) for text in texts]


def _studied(texts: ScoreText, label: str) -> dict[str, list[str]]:
    """The columns that the study of significance fills, by their headings."""
    columns = {
        f"95% interval of {label}": texts["interval"],
        f"Rank range by {label}": texts["range"],
        "Own rank": texts["own"],
        "Leading": texts["leading"],
        "If unassessed are wrong": texts["if_wrong"],
        "If right": texts["if_right"],
    }
    return {heading: column for heading, column in columns.items() if column}


def intervals(collection: CollectionResults) -> PaperTable | None:
    """Every value with its interval, measure by measure; None where there are no intervals."""
    scores = collection.start["scores"]
    if not any(of_measure["text"]["interval"] for of_measure in scores):
        return None
    heads = [("Run", True), *((str(row["label"]), False) for row in collection.measures)]
    rows = [
        [Cell(run), *(_with_interval(of_measure["text"], index) for of_measure in scores)]
        for index, run in enumerate(collection.names())
    ]
    return PaperTable("Values with their 95% intervals", heads, rows)


def _with_interval(texts: ScoreText, index: int) -> Cell:
    ends = texts["interval"][index] if texts["interval"] else DASH
    value = texts["value"][index]
    return Cell(value if ends == DASH else f"{value} ({ends})")
