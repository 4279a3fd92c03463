"""Evidence: for every run and question the numbers that every measure is a function of."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from qampaign.judging.judgments import is_correct

Counts = npt.NDArray[np.integer]

COUNTS = {
    "questions": "questions",
    "correct": "right",
    "wrong": "wrong",
    "unanswered": "unanswered",
    "withheld_right": "withheld_right",
    "withheld_wrong": "withheld_wrong",
    "missing": "missing",
    "unassessed": "unassessed",
    "answers": "answers",
    "right_answers": "right_answers",
    "questions_with_right": "questions_with_right",
    "known": "known",
}
"""The evidence that the table `counts` shows, each with its name there."""


@dataclass(frozen=True)
class Evidence:
    """Numbers by run (rows) and question (columns). Every run has every question."""

    runs: Sequence[str]
    questions: pl.DataFrame
    """question and type, in the order of the columns."""
    columns: dict[str, Counts]

    def frame(self) -> pl.DataFrame:
        """A row per run and question."""
        runs, questions = len(self.runs), self.questions.height
        run_codes = np.repeat(np.arange(runs, dtype=np.uint32), questions)
        question_codes = np.tile(np.arange(questions, dtype=np.uint32), runs)
        question_ids = self.questions["question"].cast(pl.String)
        return pl.DataFrame(
            {
                "run": pl.Series(run_codes).cat.to(pl.Enum(self.runs)),
                "question": pl.Series(question_codes).cat.to(pl.Enum(question_ids)),
                **{name: values.reshape(-1) for name, values in self.columns.items()},
            }
        )

    def slices(self) -> dict[str, npt.NDArray[np.bool_]]:
        """Which questions each slice has: all of them, then one slice for each type."""
        types = self.questions["type"]
        every = {"all": np.ones(self.questions.height, dtype=bool)}
        return every | {
            each: (types == each).fill_null(False).to_numpy()
            for each in types.unique().drop_nulls().sort()
        }

    def sums(self, questions: npt.NDArray[np.bool_]) -> dict[str, Counts]:
        """Each column summed over the given questions, by run."""
        return {
            name: values[:, questions].sum(axis=1, dtype=np.int64)
            for name, values in self.columns.items()
        }


def collect(
    judgments: pl.DataFrame,
    questions: pl.DataFrame,
    known: pl.DataFrame,
    *,
    correct: Collection[str],
) -> Evidence:
    """Count what the judgments say of each run and question.

    Single-answer evidence looks at the first rank: correct, wrong, or unanswered, where a withheld
    candidate shows or nothing does. `questions` are those of the judge, `known` those of the
    reference, which says how many answers are known. The runs, whether or not a judgment names
    them, are the categories of the judgments' column.
    """
    run_ids = judgments.schema["run"]
    assert isinstance(run_ids, pl.Enum)
    runs = run_ids.categories.to_list()
    shape = (len(runs), questions.height)
    run, question = (judgments[name].to_physical().to_numpy() for name in ("run", "question"))
    cell = run.astype(np.int64) * questions.height + question
    right, silent, unassessed = judgments.select(
        is_correct(correct),
        silent=pl.col("verdict") == "not_attempted",
        unassessed=pl.col("verdict") == "unassessed",
    ).get_columns()
    answered = judgments["answered"] & ~silent
    withheld = ~judgments["answered"] & ~silent
    first = judgments["rank"] == 1

    def count(where: pl.Series) -> Counts:
        chosen = cell[where.to_numpy()]
        counted = np.bincount(chosen, minlength=shape[0] * shape[1]).reshape(shape)
        return counted.astype(np.min_scalar_type(counted.max(initial=0)))

    columns = {
        "questions": np.ones(shape, dtype=np.uint8),
        "correct": count(first & answered & right),
        "wrong": count(first & answered & ~right),
        "withheld_right": count(first & withheld & right),
        "withheld_wrong": count(first & withheld & ~right),
        "unassessed": count(unassessed),
        "answers": count(answered),
        "right_answers": count(answered & right),
    }
    columns["unanswered"] = 1 - columns["correct"] - columns["wrong"]
    columns["missing"] = (
        columns["unanswered"] - columns["withheld_right"] - columns["withheld_wrong"]
    )
    columns["questions_with_right"] = (columns["right_answers"] > 0).astype(np.uint8)
    counted = questions.select("question").join(
        known, on="question", how="left", maintain_order="left"
    )["known"]  # fmt: skip
    columns["known"] = np.broadcast_to(counted.fill_null(0).to_numpy(), shape)
    return Evidence(runs, questions.select("question", "type"), columns)
