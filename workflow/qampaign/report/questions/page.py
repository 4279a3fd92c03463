"""The pages of a collection's questions: HTML files that open from disk, without a network.

Everything from the tables reaches a page as JSON in script elements that no browser executes, and
enters it as text. The content security policy allows the page's own script and nothing else.

Usually there is one page. A page cannot read files beside it when it is opened from disk, so where
there is much text the answers are on several, `questions-<collection>.2.html` and so on. Each has
the whole matrix, and links to the page that has an answer.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path

import polars as pl
from markupsafe import Markup

from qampaign.arrays import Numbers
from qampaign.files import write_text
from qampaign.publishing.collection_tables import parquet_of
from qampaign.report import templates
from qampaign.report.embedding import embed, executable, policy
from qampaign.report.page_names import questions_page
from qampaign.report.questions import cells, script
from qampaign.report.questions.answers import KEYS, QUOTED, Chunk, chunks, shortened
from qampaign.report.questions.overview import (
    gives_verdicts,
    judges_in_order,
    overview,
    questions_in_order,
    runs_in_order,
)
from qampaign.tables import empty, without_quotes

TABLES = (
    *("collections", "runs", "judges", "measures", "scores", "questions"),
    *("comparisons", "reliability"),
)

MOST_CELLS = 5_000_000
"""Runs times questions times judges; of a larger collection the first questions are shown."""

AT_ONCE = 1_000_000
"""Answers, each by each judge, that are held in memory."""

PAGE_TEXT = 24_000_000
"""Characters of answers on a page."""


def read(folder: Path, *, is_open: bool) -> dict[str, pl.DataFrame]:
    """The tables of a collection that the pages show; or without texts of answers and keys."""
    paths = {name: parquet_of(folder, name) for name in TABLES}
    tables = {
        name: pl.read_parquet(path) if path.exists() else empty(name)
        for name, path in paths.items()
    }
    if is_open:
        return tables
    return {name: without_quotes(name, table) for name, table in tables.items()}


def write(
    tables: Mapping[str, pl.DataFrame],
    answers: pl.LazyFrame,
    report: Path,
    *,
    correct: Mapping[str, Sequence[str]],
    is_open: bool,
) -> list[Path]:
    """Write the pages of a collection into the folder of the report, and delete those of before.

    `correct` has the verdicts that count as correct, by judge. The first page comes first.
    """
    judges = judges_in_order(tables)
    answering = answers.select(pl.col("run").unique()).collect()["run"].to_list()
    runs = runs_in_order(tables, answering)
    every = questions_in_order(tables, judges)
    shown = every.head(max(MOST_CELLS // max(runs.height * len(judges), 1), 1))
    described = overview(tables, judges, runs, shown, correct)
    matrices = {
        judge: cells.empty_matrix(
            shown["question"]
            .is_in(tables["questions"].filter(judge=judge)["question"].implode())
            .to_list(),
            runs.height,
        )
        for judge in judges
    }
    unassessed: dict[str, list[int]] = {judge: [] for judge in judges}
    pages: list[list[Chunk]] = [[]]
    for chunk in _chunks(
        tables, answers, runs, shown, matrices, unassessed, correct, is_open=is_open
    ):
        if pages[-1] and sum(earlier.size for earlier in pages[-1]) + chunk.size > PAGE_TEXT:
            pages.append([])
        pages[-1].append(chunk)
    described |= {
        "open": is_open,
        "matrix": [cells.text(matrices[judge]) for judge in judges],
        "unassessed": [unassessed[judge] for judge in judges],
        "ranked": answers.select((pl.col("rank") > 1).any()).collect().item(),
        "asked": every.height,
        "pages": [
            {"file": questions_page(described["collection"], at),
             "end": sum(piece.questions for before in pages[: at + 1] for piece in before)}
            for at in range(len(pages))
        ],
    }  # fmt: skip
    data = embed(described)
    written = []
    for at, shown_chunks in enumerate(pages):
        path = report / questions_page(described["collection"], at)
        write_text(path, _render(described, data, shown_chunks, at))
        written.append(path)
    for path in report.glob(f"questions-{described['collection']}.*.html"):
        if path not in written:
            path.unlink()
    return written


def _chunks(
    tables: Mapping[str, pl.DataFrame],
    answers: pl.LazyFrame,
    runs: pl.DataFrame,
    questions: pl.DataFrame,
    matrices: Mapping[str, Numbers],
    unassessed: Mapping[str, list[int]],
    correct: Mapping[str, Sequence[str]],
    *,
    is_open: bool,
) -> Iterator[Chunk]:
    """The answers, some questions at a time; fills the matrices and `unassessed` on the way."""
    judges = list(matrices)
    scored = [judge for judge in judges if not gives_verdicts(tables, judge)]
    rows = answers.select(pl.len()).collect().item()
    step = max(questions.height * AT_ONCE // max(rows, 1), 1)
    columns = ("confidence", "degree", "level", "verdict", "judge", "answered")
    quoted = [shortened(pl.col(name)) if is_open else pl.lit(None, pl.String).alias(name)
              for name in QUOTED]  # fmt: skip
    run = pl.col("run").replace_strict(runs["run"], range(runs.height), return_dtype=pl.Int32)
    for first in range(0, questions.height, step):
        batch = questions.slice(first, step)
        ids = batch["question"]
        number = pl.col("question").replace_strict(
            ids, range(first, first + len(ids)), return_dtype=pl.Int32
        )
        scan = answers.filter(pl.col("question").is_in(ids.implode())).with_columns(
            cells.state(correct, scored).alias("state"), run, number
        )
        share = cells.share().alias("share")
        judged = scan.select(*KEYS, *columns, "state", share, *quoted).collect()
        for (judge,), of_judge in judged.filter(rank=1).partition_by("judge", as_dict=True).items():
            cells.fill(matrices[str(judge)], of_judge)
            if judge not in scored:
                unassessed[str(judge)] += cells.hidden_unassessed(of_judge, runs.height)
        keys = tables["questions"].select("judge", "question", shortened(pl.col("key")))
        accepted = {
            judge: batch.select("question")
            .join(keys.filter(judge=judge), on="question", how="left", maintain_order="left")["key"]
            .to_list()
            for judge in judges
        }
        yield from chunks(judged, accepted, judges, first, runs.height)


def _render(described: Mapping[str, object], data: Markup, shown: Sequence[Chunk], at: int) -> str:
    code = _script()
    return PAGE.render(
        title=described["title"],
        collection=described["collection"],
        noun=described["noun"],
        data=data,
        page=at,
        chunks=shown,
        policy=policy(code),
        style=_style(),
        script=code,
    )


@cache
def _script() -> Markup:
    """The page's script in a function, so that its names do not become global."""
    folder = files("qampaign.report.questions.script")
    shared = [files("qampaign.report.script").joinpath("keyboard.js")]
    page_files = [folder.joinpath(f"{name}.js") for name in script.FILES]
    code = "\n".join(file.read_text(encoding="utf-8") for file in [*shared, *page_files])
    return executable(f'"use strict";\n(() => {{\n{code}}})();\n')


@cache
def _style() -> Markup:
    sheets = (
        files("qampaign.report").joinpath("page.css"),
        files("qampaign.report.questions").joinpath("questions.css"),
    )
    return Markup("\n".join(sheet.read_text(encoding="utf-8") for sheet in sheets))


PAGE = templates.load("questions/questions.html", filters={"embed": embed})
"""Compiled with the import of this module, so once for all jobs that are forks of a process."""
