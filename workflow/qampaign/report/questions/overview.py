"""What a page says of a collection's questions, runs and judges besides the answers themselves."""

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from qampaign.problems import ID_WIDTH
from qampaign.publishing.side_by_side import LEVEL, SMALL_P, TINY, WORDS, noun_of, why_untested
from qampaign.publishing.unjudged import find_unjudged
from qampaign.report.run_order import in_rank_order
from qampaign.report.text import short_names
from qampaign.studies.comparisons import TABLED
from qampaign.studies.units import FEWEST
from qampaign.verdicts import VERDICTS

ALL = "all"
FULL = None
"""All the digits of a number."""

Tables = Mapping[str, pl.DataFrame]

_NUMBER = re.compile(r"([0-9]+)")

IN_COLUMN = 16
"""How many letters of a name stand above a column."""


def judges_in_order(tables: Tables) -> list[str]:
    """The reference first, then the others as configured."""
    return tables["judges"].sort(~pl.col("reference"), maintain_order=True)["judge"].to_list()


def runs_in_order(tables: Tables, answering: Sequence[str]) -> pl.DataFrame:
    """The runs that have answers, in the order of the leaderboard."""
    about = tables["collections"].row(0, named=True)
    leading = tables["scores"].filter(judge=about["reference"], slice=ALL, measure=about["primary"])
    ranking = tables["measures"].filter(measure=about["primary"])
    runs = tables["runs"].filter(pl.col("run").is_in(list(answering)))
    return in_rank_order(runs, leading, lower_is_better="low" in ranking["better"])


def questions_in_order(tables: Tables, judges: Sequence[str]) -> pl.DataFrame:
    """A row per question, as the first judge that judges it has it; in the order of their ids."""
    order = pl.col("judge").cast(pl.Enum(list(judges)))
    rows = (
        tables["questions"].sort(order, maintain_order=True).unique("question", maintain_order=True)
    )
    ids = rows["question"].to_list()
    return rows[sorted(range(len(ids)), key=lambda at: by_numbers(ids[at]))]


def by_numbers(name: str) -> list[Any]:
    """A key to sort names by: numbers in them count as numbers, however long.

    >>> sorted(["q10", "q9", "10", "9" * 5000, "9", "q"], key=by_numbers)[:2]
    ['9', '10']
    >>> sorted(["q10", "q9", "q09a", "q"], key=by_numbers)
    ['q', 'q9', 'q09a', 'q10']
    """
    texts = [text.lstrip("0") if at % 2 else text for at, text in enumerate(_NUMBER.split(name))]
    return [(len(text), text) if at % 2 else text for at, text in enumerate(texts)]


def gives_verdicts(tables: Tables, judge: str) -> bool:
    """Whether a judge calls any answer right or wrong; one that gives scores alone does not."""
    questions = tables["questions"].filter(judge=judge)
    return questions.is_empty() or questions["difficulty"].count() > 0


def overview(
    tables: Tables,
    judges: Sequence[str],
    runs: pl.DataFrame,
    questions: pl.DataFrame,
    correct: Mapping[str, Sequence[str]],
) -> dict[str, Any]:
    """All but the matrix and the answers; `correct` has the verdicts that count as correct."""
    about = tables["collections"].row(0, named=True)
    names = runs["run"].to_list()
    types = questions["type"].drop_nulls().unique().sort().to_list()
    numbers = {name: at for at, name in enumerate(types)}
    kinds = tables["judges"]
    measures = tables["measures"].sort(~pl.col("primary"), maintain_order=True)
    described = measures.select("measure", "label", "better", "primary").to_dicts()
    return {
        "collection": about["collection"],
        "title": about["title"] or about["collection"],
        "noun": noun_of(about["task"]),
        "verdicts": VERDICTS,
        "words": WORDS,
        "level": LEVEL,
        "smallP": SMALL_P,
        "tiny": TINY,
        "longest": ID_WIDTH,
        "tabled": TABLED,
        "judges": [
            kinds.filter(judge=judge).select("judge", "kind", "reference").row(0, named=True)
            | {"correct": list(correct[judge]), "verdicts": gives_verdicts(tables, judge)}
            for judge in judges
        ],
        "runs": _named(runs.select("run", "kind").to_dicts()),
        "measures": described,
        "questions": questions["question"].to_list(),
        "text": _filled(questions["text"].to_list()),
        "group": _filled(questions["group"].to_list()),
        "types": types,
        "type": [None if name is None else numbers[name] for name in questions["type"]],
        "facts": [_facts(tables["questions"].filter(judge=judge), questions) for judge in judges],
        "scores": [
            [_scores(tables["scores"], judge, row["measure"], names) for row in described]
            for judge in judges
        ],
        "pairs": [
            [_pairs(tables["comparisons"], judge, row["measure"], names, exact=at == 0)
             for at, row in enumerate(described)]
            for judge in judges
        ],
        "untested": [_why_untested(tables, judge) for judge in judges],
        "silent": tables["runs"].filter(~pl.col("run").is_in(names))["run"].to_list(),
        "unjudged": [_unjudged(tables, judge, runs) for judge in judges],
        "reliability": [_reliability(tables["reliability"], judge, names) for judge in judges],
    }  # fmt: skip


def _why_untested(tables: Tables, judge: str) -> str:
    """Which words say why two runs were not tested in the ranking measure, if they were not.

    Ranges of ranks come from the same study as comparisons.
    """
    primary = tables["collections"]["primary"][0]
    ranked = tables["scores"].drop_nulls("rank_low")
    studied = pl.concat(
        [table.select("judge", "measure") for table in (tables["comparisons"], ranked)]
    )
    questions = tables["questions"].filter(judge=judge).height
    return why_untested({*studied.iter_rows()}, judge, primary, questions)


def _unjudged(tables: Tables, judge: str, runs: pl.DataFrame) -> list[int]:
    """The numbers of the runs that a judge has no verdict on: they have values, and no rank."""
    unknown = find_unjudged(tables).filter(judge=judge)["run"]
    return runs["run"].is_in(unknown.to_list()).arg_true().to_list()


def _facts(of_judge: pl.DataFrame, questions: pl.DataFrame) -> dict[str, object]:
    """What a judge's questions are like: how far the key is to be suspected."""
    wanted = [name for name in ("item_rest",) if name in of_judge.columns]
    rows = questions.select("question").join(
        of_judge.select("question", *wanted), on="question", how="left", maintain_order="left"
    )
    return {name: column for name in wanted if (column := _numbers(rows[name], 4)) is not None}


def _scores(
    scores: pl.DataFrame, judge: str, measure: str, runs: Sequence[str]
) -> dict[str, object]:
    of_measure = scores.filter(judge=judge, measure=measure, slice=ALL)
    order = pl.DataFrame({"run": runs}, schema={"run": pl.String})
    if of_measure["rank_low"].count() == 1:  # alone, it has no rank to be sure of
        of_measure = of_measure.with_columns(rank_low=None, rank_high=None)
    rows = order.join(of_measure, on="run", how="left", maintain_order="left")
    names = ("value", "low", "high", "rank_first", "rank_last", "rank_low", "rank_high")
    columns = {name: _numbers(rows[name], FULL if name == "value" else 6) for name in names}
    return {name: column for name, column in columns.items() if column is not None}


def _pairs(
    comparisons: pl.DataFrame, judge: str, measure: str, runs: Sequence[str], *, exact: bool
) -> dict[str, object] | None:
    """Every pair that was tested, once: as planned, where it was.

    The interval is the one that belongs to p, of the whole family.
    """
    pairs = comparisons.filter(judge=judge, measure=measure, slice=ALL)
    pairs = pairs.filter(pl.col("run_a").is_in(list(runs)) & pl.col("run_b").is_in(list(runs)))
    if pairs.is_empty():
        return None
    ids = pl.Enum(list(runs))
    numbers = [pl.col(name).cast(ids).to_physical() for name in ("run_a", "run_b")]
    pairs = pairs.with_columns(lower=pl.min_horizontal(numbers), higher=pl.max_horizontal(numbers))
    pairs = pairs.sort("family", descending=True, maintain_order=True).unique(
        ["lower", "higher"], keep="first", maintain_order=True
    )
    pairs = pairs.with_columns(
        low="simultaneous_low",
        high="simultaneous_high",
        visible=pl.when(
            pl.col("units").fill_null(FEWEST) >= FEWEST, pl.col("detectable").is_not_null()
        ).then(pl.col("visible").fill_null(0)),
    )
    digits = FULL if exact else 6
    floats = ("difference", "low", "high", "p", "p_adjusted", "visible")
    return {
        "a": pairs["run_a"].cast(ids).to_physical().to_list(),
        "b": pairs["run_b"].cast(ids).to_physical().to_list(),
        "planned": (pairs["family"] == "planned").arg_true().to_list(),
        **{
            name: _numbers(pairs[name], FULL if name == "difference" else digits) for name in floats
        },
        **{name: pairs[name].to_list() for name in ("won", "lost", "tied")},
        **_margins(pairs),
    }


def _margins(pairs: pl.DataFrame) -> dict[str, object]:
    """The margins of equivalence as text, and whether the pairs are equivalent; if planned."""
    if pairs["margin"].is_null().all():
        return {}
    margins = [None if margin is None else f"{margin:g}" for margin in pairs["margin"]]
    return {"margin": margins, "equivalent": pairs["equivalent"].to_list()}


def _reliability(
    reliability: pl.DataFrame, judge: str, runs: Sequence[str]
) -> list[list[list[float | None]]]:
    """By run: bin, mean confidence, accuracy and answers."""
    bins = reliability.filter(judge=judge).sort("run", "bin")
    rows: dict[str, list[list[float | None]]] = {}
    for run, *values in bins.select("run", "bin", "confidence", "accuracy", "answers").iter_rows():
        rows.setdefault(run, []).append([_rounded(value, 6) for value in values])
    return [rows.get(run, []) for run in runs]


def _numbers(column: pl.Series, digits: int | None) -> list[float | None] | None:
    """Numbers, with null for what is not finite; None where nothing is there."""
    values = [_rounded(value, digits) for value in column]
    return None if all(value is None for value in values) else values


def _rounded(value: float | None, digits: int | None) -> float | None:
    if value is None or not math.isfinite(value):
        return None
    return value if digits is None or isinstance(value, int) else round(value, digits)


def _filled(column: list[str | None]) -> list[str | None] | None:
    return None if all(value is None for value in column) else column


def _named(runs: list[dict[str, str]]) -> list[dict[str, str]]:
    """The runs, with a short name where a column shows no more."""
    names = [run["run"] for run in runs]
    narrow = zip(names, short_names(names), short_names(names, IN_COLUMN), strict=True)
    cut = [narrower if short != name else None for name, short, narrower in narrow]
    return [run | ({"short": short} if short else {}) for run, short in zip(runs, cut, strict=True)]
