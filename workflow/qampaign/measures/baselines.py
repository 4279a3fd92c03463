"""Baselines: runs that nobody submitted, to compare with.

Each is made as judgments and counted like any other run. One that draws lots is computed in
expectation: its evidence is the mean of what it mixes, so that no seed blurs it.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

import numpy as np
import polars as pl

from qampaign.arrays import Numbers
from qampaign.judging.judgments import Verdict, is_correct
from qampaign.measures.cells import Cells
from qampaign.measures.evidence import Evidence, EvidenceColumn, collect
from qampaign.measures.sample_cells import BY_SAMPLE, join
from qampaign.problems import Refused

BASELINES = {
    "all_yes": "validation",
    "all_no": "validation",
    "random_yes": "validation",
    "answers_nothing": "answering",
    "one_sure": "answering",
    "one_wrong": "answering",
    "oracle_withholding": "answering",
}
"""Every baseline, with the task that it is for."""

CHEATING = {"one_sure": "right", "one_wrong": "wrong"}
"""Baselines that answer a single question, with its verdict (Peñas & Rodrigo 2011, 3.4 and 3.5)."""

OF_EACH = ("oracle_withholding",)
"""Baselines that are made of each submitted run."""

NOT_MIXED = {"selected_right", "rejected_groups", "score_order", "confidence_order"}
"""Evidence that is no mean over items: a mixture has none."""


def runs_of(name: str, value: float | None, submitted: Sequence[str]) -> list[str]:
    """What the runs of a baseline are called.

    >>> runs_of("random_yes", 0.5, ["a"]), runs_of("oracle_withholding", None, ["a", "b"])
    (['random_yes_0.5'], ['oracle_withholding(a)', 'oracle_withholding(b)'])
    """
    if name == "random_yes":
        return [f"{name}_{float(value or 0):g}"]
    return [f"{name}({run})" for run in submitted] if name in OF_EACH else [name]


def collect_all(
    cells: Cells,
    wanted: Sequence[EvidenceColumn],
    *,
    baselines: Mapping[str, float | None] | None = None,
    derived: Collection[str] = (),
) -> Evidence:
    """The evidence of the runs, then of the baselines.

    `baselines` maps their names to a number where one is needed (random_yes: the share of yes);
    `derived` names the runs that are what-if runs.
    """
    kinds = {run: "derived" if run in derived else "submitted" for run in cells.runs}
    parts = [collect(cells, wanted)]
    assessed = [cells.assessed_runs]
    submitted = [run for run, kind in kinds.items() if kind == "submitted"]
    for name, value in (baselines or {}).items():
        runs = runs_of(name, value, submitted)
        if name == "random_yes":
            share = float(value or 0)
            parts.append(_mixed(collect(_accepting(cells, [True, False]), wanted), share))
            assessed.append(np.array([True]))
        elif name == "oracle_withholding":
            made = _withholding(cells, submitted)
            counted = collect(made, wanted)
            if not cells.verdicts:  # nobody knows what is wrong
                kept = ("questions", "known", "without_row")
                counted = {
                    name: values if name in kept else np.full(values.shape, np.nan)
                    for name, values in counted.items()
                }
            parts.append(counted)
            assessed.append(made.assessed_runs)
        else:
            # what it leaves unanswered has no row for that reason
            made = replace(_single(cells, name), runs=runs, missing="unanswered")
            counted = collect(made, wanted)
            parts.append(_without_missing(counted) if cells.missing == "wrong" else counted)
            assessed.append(made.assessed_runs)
        for run in runs:
            if run in kinds:
                raise Refused(f"baseline {name}: a run called {run} is there already")
            kinds[run] = "baseline"
    columns = {key: join([evidence[key] for evidence in parts], axis=0) for key in parts[0]}
    described = pl.DataFrame(
        {"run": list(kinds), "kind": list(kinds.values()), "assessed": np.concatenate(assessed)}
    )
    return Evidence(described, cells.questions.select("question", "type", "group"), columns)


def _without_missing(counted: dict[str, Numbers]) -> dict[str, Numbers]:
    """The same, where a question without a row is one with an empty answer: none was meant."""
    if not {"without_row", "empty"} <= counted.keys():
        return counted
    none = counted["without_row"]
    return counted | {"without_row": np.zeros_like(none), "empty": counted["empty"] + none}


def _single(cells: Cells, name: str) -> Cells:
    """The judgments of a baseline that is a single run."""
    if name in CHEATING:
        return _answering_one(cells, CHEATING[name])
    return _accepting(cells, {"all_yes": [True], "all_no": [False], "answers_nothing": []}[name])


def _answering_one(cells: Cells, verdict: str) -> Cells:
    """A run that answers one question and is sure of it, and leaves the others unanswered.

    The question is the first that has an answer, else the first. Where confidences are mapped run
    by run, it gives none: a single one has no place on a scale.
    """
    first_question = cells.questions.sort("nil", maintain_order=True).head(1).select("question")
    graded = {"degree": pl.lit(float(verdict == "right"))}
    judgments = first_question.with_columns(
        pl.lit(verdict).cast(Verdict).alias("verdict"),
        pl.lit(1.0 if cells.confidence_map is None else None, pl.Float64).alias("confidence"),
        run=pl.lit("one").cast(pl.Enum(["one"])),
        rank=pl.lit(1, cells.judgments.schema["rank"]),
        answered=True,
        **{name: value for name, value in graded.items() if name in cells.judgments.columns},
    )
    return replace(cells, runs=["one"], judgments=_completed(judgments, cells.judgments))


def _accepting(cells: Cells, answers: Sequence[bool]) -> Cells:
    """A run for each of the answers, which it gives to every item."""
    runs = [str(answer) for answer in answers]
    items = cells.questions.select("question", "positive")
    parts = [items.clear().with_columns(run=pl.lit(""), said=pl.lit(False))]
    parts += [items.with_columns(run=pl.lit(str(a)), said=pl.lit(a)) for a in answers]
    verdict = (
        pl.when(pl.col("said") == pl.col("positive"))
        .then(pl.lit("right"))
        .otherwise(pl.lit("wrong"))
    )
    judgments = pl.concat(parts).with_columns(
        pl.col("run").cast(pl.Enum(runs)),
        verdict.cast(Verdict).alias("verdict"),
        rank=1,
        answered=True,
    )
    return replace(cells, runs=runs, judgments=_completed(judgments, cells.judgments))


def _withholding(cells: Cells, runs: Sequence[str]) -> Cells:
    """The same candidates of the given runs, given exactly where they are right."""
    judgments = cells.judgments.filter(pl.col("run").is_in(list(runs)))
    kept = judgments.with_columns(
        pl.col("run").cast(pl.String).cast(pl.Enum(list(runs))),
        answered=is_correct(cells.correct),
    )
    return replace(cells, runs=runs, judgments=kept)


def _completed(judgments: pl.DataFrame, like: pl.DataFrame) -> pl.DataFrame:
    """Judgments with the columns of others; what is not given is null, and nothing is NIL."""
    missing = {name: like.schema[name] for name in like.columns if name not in judgments.columns}
    return judgments.with_columns(
        pl.lit(False if name in ("nil", "empty") else None, kind).alias(name)
        for name, kind in missing.items()
    ).select(like.columns)


def _mixed(columns: Mapping[str, Numbers], share: float) -> dict[str, Numbers]:
    """The expected evidence of a run that does as the first row with probability `share`."""
    mixed = {}
    for key, (yes, no) in columns.items():
        expected = share * yes.astype(float) + (1 - share) * no
        unknown = key.removeprefix(BY_SAMPLE).split(" ")[0] in NOT_MIXED
        mixed[key] = np.full_like(expected, np.nan)[None] if unknown else expected[None]
    return mixed
