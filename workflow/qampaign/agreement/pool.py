"""The pool still to be judged: answers that nobody has assessed, ready to be labelled."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import polars as pl

from qampaign.agreement.label_sample import ERRORS, Asked, LabelSample, draw_answers
from qampaign.input.store import RowReader
from qampaign.judging.assessments import attach
from qampaign.judging.judgments import Verdict, encode, keys_of
from qampaign.measures.question_weights import weights_of
from qampaign.options import Options
from qampaign.studies.rectification import FEW_LABELLED
from qampaign.studies.resampling import generator
from qampaign.studies.units import Units

SIZE = 1024
"""How many numbers stand for the letters of a text when texts are compared."""


ASSESSMENTS = ("question", "run", "sample", "rank", "answer", "verdict", "level", "class")
RESPONSES = ("run", "question", "sample", "rank", "answer")


@dataclass(frozen=True)
class Pool:
    """What is still to be judged, and how far each run is."""

    sheet: pl.DataFrame
    """The table that assessors fill in."""
    shares: pl.DataFrame
    """run, answers, covered (those with an assessment) and share."""
    judge: str = ""
    """The judge that labels are to correct, if the sheet is a random sample."""
    left: int = 0
    """The answers that the sample is drawn from."""
    drawn: LabelSample | None = None
    wanted: float = 0.0
    """How wide intervals of the corrected accuracy may be."""

    def message(self, path: Path, *, written: bool) -> str:
        """What is still to be judged, in a line for the terminal, and whether `path` has it."""
        shares, count = self.shares, self.sheet.height
        message = f"{count:,} to be judged in {path}; "
        if not written:
            message = (
                f"{count:,} to be judged, but {path} has been filled in and is left alone: add it "
                "to the assessments and run again; "
            )
        assessed, answers = shares["covered"].sum(), shares["answers"].sum()
        message += f"{assessed:,} of {answers:,} answers are assessed"
        least = shares.sort("share", "run").head(1)
        if count and shares["share"].n_unique() > 1:
            message += f", least in run {least['run'].item()}: {least['share'].item():.0%}"
        if self.drawn is not None:
            message += self._forecast(self.drawn)
        return message

    def _forecast(self, drawn: LabelSample) -> str:
        """What the sample is, and how wide intervals will be."""
        message = f"; a random sample of {self.left:,} that are not"
        if self.sheet.height == self.left:
            message = f"; all {self.left:,} that are not"
        elif drawn.questions is not None:
            message = f"; all that are not on a random sample of {drawn.questions:,} questions"
        message += f": with them the corrected accuracy of {self.judge} should have intervals of "
        message += f"about {drawn.width:.3f}"
        if drawn.width > self.wanted + 1e-6:
            message += f", which no label can narrow to {self.wanted:g}"
        if not drawn.known:
            message += (
                f", if it is wrong on {ERRORS:.0%} of the answers; nobody knows as yet: "
                f"after some {FEW_LABELLED} labels this says more"
            )
        return message


def find_pool(
    read: RowReader,
    collection: str,
    *,
    seed: int,
    task: str,
    nil: str,
    sample: Options | None = None,
    judgments: pl.DataFrame | None = None,
) -> Pool:
    """The answers, or items to validate, of a collection that nobody has assessed.

    With `judgments`, those of a judge that labels are to correct, a random sample of the answers:
    `sample` has the `width` that is wanted, the `unit` that intervals draw, the `last_rank` that
    any measure looks at, and what counts as correct by the judge and by labels.
    """
    questions = read("questions", ("question", "text", "group", "weight"))
    responses, assessments = read("responses", RESPONSES), read("assessments", ASSESSMENTS)
    if task == "validation":
        unassessed, shares = find_unassessed_items(responses, assessments, questions)
    else:
        unassessed, shares = find_unassessed(responses, assessments, questions, nil=nil)
    about = [seed, collection, "pool"]
    if sample is None or judgments is None:
        return Pool(make_sheet(unassessed, questions, about), shares)
    unassessed = unassessed.with_columns(pl.col("question").cast(pl.String))
    seen = responses
    if sample["last_rank"] is not None:  # no measure looks at answers further down
        seen = responses.filter(pl.col("rank") <= max(sample["last_rank"], 1))
        unassessed = unassessed.join(seen, on=["question", "answer"], how="semi")
    weights = weights_of(questions, questions.select("question", "weight"))
    drawn = draw_answers(
        unassessed,
        _judged(judgments, seen, assessments, questions, sample),
        Asked(questions, weights, Units.of(questions, sample["unit"])),
        width=sample["width"],
        seed=f"{seed} {collection}",
        by_question=bool(seen.select("run", "question").is_duplicated().any()),
    )
    sheet = make_sheet(drawn.chosen.select("question", "answer"), questions, about).join(
        drawn.chosen, on=["question", "answer"], how="left", maintain_order="left"
    )
    return Pool(sheet, shares, sample["judge"], unassessed.height, drawn, sample["width"])


def _judged(
    judgments: pl.DataFrame,
    responses: pl.DataFrame,
    assessments: pl.DataFrame,
    questions: pl.DataFrame,
    sample: Options,
) -> pl.DataFrame:
    """What the runs answer, with what the judge and labels say of it.

    An answer that the judge has no verdict on, or that is withheld, is not accepted.
    """
    answers = _assessed(responses, assessments, questions).with_columns(
        pl.col("run", "question").cast(pl.String),
        right=pl.col("verdict").cast(pl.String).is_in(sample["labels_correct"]),
    )
    keys = keys_of(answers)
    verdicts = judgments.select(
        *(pl.col(name).cast(answers.schema[name]) for name in keys),
        pl.col("nil", "answered"),
        accepted=pl.col("verdict").cast(pl.String).is_in(sample["correct"]),
    )
    joined = answers.join(verdicts, on=keys, how="left", nulls_equal=True, maintain_order="left")
    shown = pl.col("answered").fill_null(True)
    accepted, right = pl.col("accepted") & shown, pl.col("right")
    return joined.select(
        "run",
        "question",
        "rank",
        "answer",
        pl.col("nil").fill_null(False),
        accepted=accepted.fill_null(False),
        right=pl.when("nil").then(accepted).when(right.is_not_null()).then(right & shown),
    )


def _assessed(
    responses: pl.DataFrame, assessments: pl.DataFrame, questions: pl.DataFrame
) -> pl.DataFrame:
    """The answers with the labels that somebody gave them, null where nobody did."""
    labels = assessments.with_columns(pl.col("verdict").cast(Verdict))
    responses, _, labels = encode(responses.drop_nulls("answer"), questions, labels)
    return attach(responses, labels)[0]


def find_unassessed(
    responses: pl.DataFrame, assessments: pl.DataFrame, questions: pl.DataFrame, *, nil: str
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The distinct answers without any assessment, and the share of each run that has one.

    NIL needs no assessment. The first frame has question and answer.
    """
    judged = _assessed(responses, assessments, questions)
    assessed = pl.col("verdict").is_not_null() | (pl.col("answer") == nil)
    unassessed = judged.filter(~assessed).select("question", "answer").unique()
    return unassessed.sort("question", "answer"), _shares(judged, assessed)


def find_unassessed_items(
    responses: pl.DataFrame, assessments: pl.DataFrame, questions: pl.DataFrame
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The same where items are validated: what is assessed is the item."""
    responses, questions, labels = encode(responses, questions, assessments)
    assessed = pl.col("question").is_in(labels["question"].unique().implode())
    return questions.filter(~assessed).select("question"), _shares(responses, assessed)


def _shares(responses: pl.DataFrame, assessed: pl.Expr) -> pl.DataFrame:
    """By run the number of answers, those that are assessed, and their share."""
    return (
        responses.group_by("run")
        .agg(answers=pl.len(), covered=assessed.sum(), share=assessed.mean())
        .sort("run")
    )


def make_sheet(
    unassessed: pl.DataFrame, questions: pl.DataFrame, seed: Sequence[object]
) -> pl.DataFrame:
    """The table that assessors fill in: answers by question, columns for label, level and class.

    The order within a question is drawn by the seed, so that it tells nothing of the runs; answers
    that look alike stand together.
    """
    pieces = [unassessed.clear()]
    rng = generator(*seed)
    for piece in unassessed.partition_by("question", maintain_order=True):
        chained = "answer" in piece.columns
        pieces.append(piece[_chained(piece["answer"].to_list(), rng)] if chained else piece)
    texts = questions.select(pl.col("question").cast(unassessed.schema["question"]), "text")
    empty = [pl.lit(None, pl.String).alias(name) for name in ("label", "level", "class")]
    sheet = pl.concat(pieces).join(texts, on="question", how="left", maintain_order="left")
    return sheet.select("question", "text", pl.exclude("question", "text"), *empty)


def _chained(texts: list[str], rng: np.random.Generator) -> npt.NDArray[np.int64]:
    """An order that begins anywhere and goes on with the text most like the last one."""
    letters = _letters(texts)
    left = np.ones(len(texts), dtype=bool)
    order = [int(rng.integers(len(texts)))]
    left[order[0]] = False
    lots = rng.permutation(len(texts))  # which of those that are alike in no way comes next
    while len(order) < len(texts):
        alike = np.where(left, letters @ letters[order[-1]], -1.0)
        best = np.flatnonzero(alike >= alike.max() - 1e-6)
        order.append(int(best[np.argmin(lots[best])]))
        left[order[-1]] = False
    return np.array(order)


def _letters(texts: list[str]) -> npt.NDArray[np.float32]:
    """Each text as a vector of length 1 of its runs of three letters, in any case."""
    counts = np.zeros((len(texts), SIZE), dtype=np.float32)
    for row, text in enumerate(texts):
        padded = f"  {' '.join(text.casefold().split())} "
        codes = np.frombuffer(padded.encode("utf-32-le"), dtype=np.uint32).astype(np.int64)
        triples = codes[:-2] * 31 * 31 + codes[1:-1] * 31 + codes[2:]
        counts[row] += np.bincount(triples % SIZE, minlength=SIZE)
    lengths = np.sqrt((counts**2).sum(axis=1, keepdims=True))
    return counts / np.maximum(lengths, 1)
