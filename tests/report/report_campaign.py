"""A campaign small enough to check by hand, as the published tables that the report is given.

Ten questions: six factoid, four definition. By the reference judge, over all questions:

    run       right  wrong  unanswered   accuracy   c@1
    steady        6      4           0     0.6      0.6
    careful       5      1           4     0.5      (5 + 4·5/10)/10 = 0.7
    twin          6      4           0     0.6      0.6      shares ranks 2–3 with steady
    all_yes       3      7           0     0.3      0.3      a baseline: not ranked
"""

from collections.abc import Iterable
from typing import Any

import polars as pl

from qampaign.tables import empty

SCHEMAS: dict[str, dict[str, Any]] = {
    "collections": dict.fromkeys(
        ("collection", "title", "task", "language", "note", "reference", "primary"), pl.String
    ),
    "runs": dict.fromkeys(
        ("collection", "run", "kind", "team", "category", "language", "system"), pl.String
    ),
    "judges": {
        "collection": pl.String,
        "judge": pl.String,
        "kind": pl.String,
        "reference": pl.Boolean,
        "threshold": pl.Float64,
        "questions": pl.Int64,
    },
    "measures": {
        **dict.fromkeys(
            (
                "collection",
                "measure",
                "label",
                "better",
                "task",
                "citation",
                "formula",
                "summary",
            ),
            pl.String,
        ),
        "primary": pl.Boolean,
    },
    "scores": {
        **dict.fromkeys(("collection", "judge", "measure", "slice", "run"), pl.String),
        "value": pl.Float64,
        "questions": pl.Int64,
        "rank_first": pl.Int64,
        "rank_last": pl.Int64,
        "low": pl.Float64,
        "high": pl.Float64,
    },
    "counts": {
        **dict.fromkeys(("collection", "judge", "slice", "run"), pl.String),
        **dict.fromkeys(
            (
                "questions",
                "right",
                "wrong",
                "unanswered",
                "missing",
                "empty",
                "not_attempted",
                "withheld_right",
                "withheld_wrong",
                "unassessed",
                "answers",
                "right_answers",
                "questions_with_right",
                "known",
            ),
            pl.Int64,
        ),
    },
    "questions": {
        **dict.fromkeys(("collection", "judge", "question", "slice"), pl.String),
        "right_runs": pl.Int64,
        "best": pl.Boolean,
        "difficulty": pl.Float64,
        "item_rest": pl.Float64,
    },
    "sources": {
        **dict.fromkeys(("collection", "table", "path"), pl.String),
        "rows": pl.Int64,
        "bytes": pl.Int64,
        "sha256": pl.String,
    },
    "remarks": {
        **dict.fromkeys(("collection", "file", "column", "remark"), pl.String),
        "count": pl.Int64,
    },
    "provenance": dict.fromkeys(("topic", "name", "value"), pl.String),
}

MEASURES = {
    "accuracy": ("accuracy", "high", "n_ac / n", "The share of questions answered right."),
    "c_at_1": ("c@1", "high", "(n_ac + n_u·n_ac/n) / n", "Accuracy, with credit for silence."),
    "brier": ("Brier", "low", "mean (confidence − correct)²", "Squared error of confidence."),
}

# run: (kind, team, right, wrong, unanswered, withheld right, withheld wrong, rank range of c@1)
RUNS: dict[str, tuple[str, str | None, int, int, int, int, int, tuple[int, int] | None]] = {
    "all_yes": ("baseline", None, 3, 7, 0, 0, 0, None),
    "careful": ("submitted", "Owls", 5, 1, 4, 1, 2, (1, 1)),
    "steady": ("submitted", "Oxen", 6, 4, 0, 0, 0, (2, 3)),
    "twin": ("submitted", "Oxen", 6, 4, 0, 0, 0, (2, 3)),
}

Tables = dict[str, pl.DataFrame]


def frame(table: str, rows: Iterable[dict[str, Any]]) -> pl.DataFrame:
    """Rows as a published table; columns that are not given are null."""
    return pl.DataFrame(list(rows), schema=dict(empty(table).schema) | SCHEMAS[table])


def tables(
    *,
    collection: str = "clef",
    title: str = "CLEF in small",
    note: str | None = "Reconstructed from published counts.",
    measures: tuple[str, ...] = ("accuracy", "c_at_1", "brier"),
    primary: str = "c_at_1",
    judges: tuple[str, ...] = ("people", "key"),
    rename: dict[str, str] | None = None,
) -> Tables:
    """One collection; the second judge finds one right answer less than the reference."""
    rename = rename or {}
    rows: dict[str, list[dict[str, Any]]] = {table: [] for table in SCHEMAS}
    own = {"collection": collection}
    rows["collections"].append(
        own
        | {"title": title, "task": "answering", "language": "en", "note": note}
        | {"reference": judges[0], "primary": primary}
    )
    for judge in judges:
        kind = "assessments" if judge == judges[0] else "key"
        rows["judges"].append(
            own | {"judge": judge, "kind": kind, "reference": judge == judges[0], "questions": 10}
        )
    for measure in measures:
        label, better, formula, summary = MEASURES[measure]
        rows["measures"].append(
            own
            | {"measure": measure, "label": label, "better": better, "task": "answering"}
            | {"citation": None, "formula": formula, "summary": summary}
            | {"primary": measure == primary}
        )
    for name, (kind, team, right, wrong, unanswered, held_right, held_wrong, ranks) in RUNS.items():
        run = rename.get(name, name)
        rows["runs"].append(
            own
            | {"run": run, "kind": kind, "team": team, "category": None, "language": "en"}
            | {"system": "second pipeline" if name == "twin" else None}
        )
        for judge in judges:
            less = int(judge != judges[0])
            for part in ("all", "definition", "factoid"):
                # The types do not matter here: a slice is told apart by its number of questions.
                asked = {"all": 10, "definition": 4, "factoid": 6}[part]
                found = right - less if part == "all" else 1
                missed = wrong + less if part == "all" else asked - 1
                silent = unanswered if part == "all" else 0
                rows["counts"].append(
                    own
                    | {"judge": judge, "slice": part, "run": run, "questions": asked}
                    | {"right": found, "wrong": missed, "unanswered": silent}
                    | {"withheld_right": held_right if part == "all" else 0}
                    | {"withheld_wrong": held_wrong if part == "all" else 0}
                    | {
                        "missing": 0,
                        "empty": silent - held_right - held_wrong if part == "all" else 0,
                    }
                    | {"not_attempted": 0, "unassessed": less, "answers": asked, "known": asked}
                    | {"right_answers": found, "questions_with_right": found}
                )
                values = {
                    "accuracy": found / asked,
                    "c_at_1": (found + silent * found / asked) / asked,
                    "brier": None,
                }
                for measure in measures:
                    ranked = ranks if values[measure] is not None else None
                    first, last = ranked or (None, None)
                    rows["scores"].append(
                        own
                        | {"judge": judge, "measure": measure, "slice": part, "run": run}
                        | {"value": values[measure], "questions": asked}
                        | {"rank_first": first, "rank_last": last}
                        | {"low": 0.41, "high": 0.78125 if measure == "c_at_1" else None}
                    )
    for number in range(10):
        rows["questions"].append(
            own
            | {"judge": judges[0], "question": f"secret-question-{number}", "slice": "factoid"}
            | {"right_runs": number % 3, "best": number % 3 > 0, "difficulty": 0.5}
            | {"item_rest": None}
        )
    rows["sources"].append(
        own
        | {"table": "responses", "path": f"data/{collection}/runs.csv", "rows": 12_345}
        | {"bytes": 45_600, "sha256": "0123456789abcdef" * 4}
    )
    rows["remarks"].append(
        own
        | {"file": f"data/{collection}/runs.csv", "column": "comment"}
        | {"remark": "not a known column; kept out", "count": 2}
    )
    rows["provenance"].append({"topic": "seed", "name": "campaign", "value": "2011"})
    return {table: frame(table, content) for table, content in rows.items()}


def together(*campaigns: Tables) -> Tables:
    """Several collections in one campaign."""
    return {table: pl.concat([each[table] for each in campaigns]) for table in SCHEMAS}
