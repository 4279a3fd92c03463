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
from qampaign.problems import Refused

BASELINES = {
    "all_yes": "validation",
    "all_no": "validation",
    "random_yes": "validation",
    "answers_nothing": "answering",
    "oracle_withholding": "answering",
}
"""Every baseline, with the task that it is for."""

NOT_MIXED = {"selected_right", "rejected_groups", "score_order", "confidence_order"}
"""Evidence that is no mean over items: a mixture has none."""


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
        if name == "random_yes":
            share = float(value or 0)
            runs = [f"random_yes_{share:g}"]
            parts.append(_mixed(collect(_accepting(cells, [True, False]), wanted), share))
            assessed.append(np.array([True]))
        elif name == "oracle_withholding":
            runs = [f"oracle_withholding({run})" for run in submitted]
            made = _withholding(cells, submitted)
            parts.append(collect(made, wanted))
            assessed.append(made.assessed_runs)
        else:
            runs = [name]
            accepted = {"all_yes": [True], "all_no": [False], "answers_nothing": []}[name]
            made = replace(_accepting(cells, accepted), runs=runs)
            parts.append(collect(made, wanted))
            assessed.append(made.assessed_runs)
        for run in runs:
            if run in kinds:
                raise Refused(f"baseline {name}: a run called {run} is there already")
            kinds[run] = "baseline"
    columns = {key: np.concatenate([evidence[key] for evidence in parts]) for key in parts[0]}
    described = pl.DataFrame(
        {"run": list(kinds), "kind": list(kinds.values()), "assessed": np.concatenate(assessed)}
    )
    return Evidence(described, cells.questions.select("question", "type", "group"), columns)


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
        pl.lit(False if name == "nil" else None, kind).alias(name) for name, kind in missing.items()
    ).select(like.columns)


def _mixed(columns: Mapping[str, Numbers], share: float) -> dict[str, Numbers]:
    """The expected evidence of a run that does as the first row with probability `share`."""
    mixed = {}
    for key, (yes, no) in columns.items():
        expected = share * yes.astype(float) + (1 - share) * no
        unknown = key.split(" ")[0] in NOT_MIXED
        mixed[key] = np.full_like(expected, np.nan)[None] if unknown else expected[None]
    return mixed
