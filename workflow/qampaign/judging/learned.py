"""The judge `learned`: the probability that people call an answer right, learned from their labels.

A loglinear model of features of question, key and answer (:mod:`qampaign.judging.features`), as
Breck et al. (2000), section 5.1, propose: logistic regression with a ridge of 1. It is
cross-fitted: the units (groups of questions, or questions) that have labels are dealt into folds,
and what is in a fold is judged by a model of the labels of all others. So no answer is judged by a
model that has seen its question. Questions without labels are judged by the model of all labels.

The features go from 0 to 1, so that weights can be compared. Weights are rounded before anything is
judged: the last digits of a sum, which differ from machine to machine, decide nothing.
"""

import hashlib
from collections.abc import Collection, Iterator
from contextlib import AbstractContextManager
from typing import Annotated

import numpy as np
import numpy.typing as npt
import polars as pl

from qampaign.judging.accepted_answers import conclude_by_answers
from qampaign.judging.declaration import Fault, judge
from qampaign.judging.exact import spelled_out
from qampaign.judging.features import FEATURES, describe
from qampaign.judging.judgments import Judged, Verdict, encode
from qampaign.judging.key.key_judge import check_options as check_key_options
from qampaign.judging.key.key_judge import key
from qampaign.options import Limits, Options, Share
from qampaign.problems import Refused
from qampaign.tables import schema_of

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

FEWEST_ANSWERS = 10
"""Fewer different labelled answers than these teach nothing."""
MOST_ANSWERS = 20_000
"""A model is learned from whole units with no more different answers than these: so few weights
gain nothing by more."""
DIGITS = 6
"""Decimals of weights and probabilities."""


def check_options(options: Options) -> Iterator[Fault]:
    """What is wrong with the options of a judge that learns."""
    if options["from"] is None:
        yield "from", "is not given", "from: another judge, such as people"
    yield from check_key_options(key.complete({"language": options["language"]}))


def matched_words(
    responses: pl.DataFrame,
    keys: pl.DataFrame,
    questions: pl.DataFrame,
    *,
    name: str,
    language: str,
    **_: object,
) -> pl.Series:
    """The words of the key that are in each answer, as the judge `key` finds them."""
    find = key.matcher(
        keys=keys, questions=questions, name=name, language=language, numbers=True, dates=True
    )
    assert find is not None
    return find(responses)


@judge(
    by="keys",
    degrees=True,
    matched_words=matched_words,
    check=check_options,
    taught_by="from",
    labels_in_part=True,
    reads_text=True,
)
def learned(
    responses: pl.DataFrame,
    keys: pl.DataFrame,
    questions: pl.DataFrame,
    *,
    name: str,
    correct: Collection[str],
    unassessed: str,
    nil: str,
    language: str,
    labels: pl.DataFrame,
    seed: str,
    refusals: Options | None = None,
    from_: Annotated[
        str | None,
        "the name of another judge, such as people: it learns from what that judge has labelled",
    ] = None,
    folds: Annotated[
        int,
        Limits(minimum=2),
        "a whole number from 2: the labelled questions, or their groups, are dealt into so many "
        "parts, and each is judged by what was learned from the others",
    ] = 20,
    threshold: Annotated[
        Share, "a number from 0 to 1: answers with a greater probability are right"
    ] = 0.5,
) -> Judged:
    """An answer key and labels: right where a model of people's labels finds it probable.

    The judgments have the probability as their degree; recall, precision and form are those of the
    judge `key` with `numbers` and `dates`. Raises :class:`Refused` for too few labels, and for
    answers to questions without a key unless `unassessed` is "wrong".
    """
    item = ["question", "answer"]
    # sorted: what is learned does not depend on the order of runs
    answers = (
        responses.filter(pl.col("answer") != nil).select(item).drop_nulls().unique().sort(item)
    )
    known = answers.join(keys.select("question").unique(), on="question", how="semi")
    known = known.join(questions.select("question"), on="question", how="semi").sort(item)
    described = describe(known, keys, questions, name=name, nil=nil, language=language)
    features = described.select(list(FEATURES)).to_numpy()
    lessons = _Lessons.of(known, questions, labels, seed=seed)
    lessons.refuse_too_few(name, from_ or "the judge it learns from")
    dealt = lessons.deal(folds)
    with _one_thread():
        whole = fit(features, lessons)
        models = [fit(features, lessons.without(dealt, fold)) for fold in range(dealt.max() + 1)]
    probability = probabilities(features, whole)
    of_answer = np.where(lessons.unit_of >= 0, dealt[lessons.unit_of], -1)
    for fold, model in enumerate(models):
        here = of_answer == fold
        probability[here] = probabilities(features[here], model)
    estimated = known.with_columns(
        degree=probability,
        recall=described["key_recall"],
        precision=described["key_precision"],
        form=described["form"],
    )
    responses, questions, keys, estimated = encode(responses, questions, keys, estimated)
    forms = spelled_out(keys)
    form_rows = forms.unique(["question", "form"], keep="first", maintain_order=True)
    right = pl.col("degree") > threshold
    fits = right & (pl.col("recall") > 0)
    estimated = estimated.join(
        form_rows, on=["question", "form"], how="left", maintain_order="left"
    )
    estimated = estimated.with_columns(
        pl.when(fits).then(pl.col("class", "level")),
        verdict=pl.when(right).then(pl.lit("right")).otherwise(pl.lit("wrong")).cast(Verdict),
    )
    judged = conclude_by_answers(
        responses.join(estimated, on=item, how="left", maintain_order="left"),
        questions,
        forms.rename({"form": "answer"}),
        name=name,
        correct=correct,
        unassessed=unassessed,
        nil=nil,
        refusals=refusals,
    )
    return Judged(
        judged.judgments,
        judged.questions,
        judged.known_answers,
        weights=_table(whole, models, lessons),
    )


class _Lessons:
    """The labelled ones among some answers."""

    def __init__(
        self, rows: Ints, right: Floats, wrong: Floats, unit: Ints, unit_of: Ints, order: Ints
    ) -> None:
        self.rows = rows
        """Their numbers among the answers."""
        self.right = right
        """How many responses with that answer were called right, and how many wrong."""
        self.wrong = wrong
        self.unit = unit
        """The unit of each."""
        self.unit_of = unit_of
        """The unit of every answer, −1 where it has no label."""
        self.order = order
        """The units in an order that follows from the seed and their names."""

    @classmethod
    def of(
        cls, answers: pl.DataFrame, questions: pl.DataFrame, labels: pl.DataFrame, *, seed: str
    ) -> "_Lessons":
        item = ["question", "answer"]
        counted = (
            labels.drop_nulls("answer")
            .group_by(item)
            .agg(right_ones=pl.col("right").sum(), wrong_ones=(~pl.col("right")).sum())
        )
        alone = pl.lit("question ") + pl.col("question")
        units = questions.select(
            "question", unit=pl.coalesce(pl.lit("group ") + pl.col("group"), alone)
        )
        placed = (
            answers.with_row_index("row")
            .join(units, on="question", how="left", maintain_order="left")
            .join(counted, on=item, how="left", maintain_order="left")
        )
        labelled = placed.drop_nulls("right_ones")
        names = labelled["unit"].unique().sort()
        keys = [hashlib.blake2b(f"{seed} {unit}".encode()).digest() for unit in names]
        number = pl.Enum(names)
        code = placed["unit"].cast(number, strict=False).to_physical().cast(pl.Int64)
        right, wrong = (
            labelled[f"{verdict}_ones"].to_numpy().astype(float) for verdict in ("right", "wrong")
        )
        return cls(
            labelled["row"].cast(pl.Int64).to_numpy(),
            right,
            wrong,
            labelled["unit"].cast(number).to_physical().cast(pl.Int64).to_numpy(),
            code.fill_null(-1).to_numpy(),
            np.array(sorted(range(len(keys)), key=keys.__getitem__), dtype=np.int64),
        )

    def refuse_too_few(self, name: str, teacher: str) -> None:
        """Refuse labels that no model can be learned from without some unit."""
        answers, units = len(self.rows), len(self.order)
        two = [len(np.unique(self.unit[some > 0])) for some in (self.right, self.wrong)]
        if answers >= FEWEST_ANSWERS and min(two) > 1:
            return
        raise Refused(
            f"{name}: too few labels to learn from. By {teacher}, {answers:,} different answers to "
            f"questions with a key have a label, of {units:,} questions (or groups of them); right "
            f"ones are of {two[0]:,} of these, wrong ones of {two[1]:,}. It takes at least "
            f"{FEWEST_ANSWERS} answers, and right and wrong ones of two questions each"
        )

    def deal(self, folds: int) -> Ints:
        """The fold of each unit: right and wrong answers are in two of them or more.

        Units with right answers alone come first, then those with both, then the others: those
        with some right ones stand together, and so do those with some wrong ones.
        """
        has_right, has_wrong = (
            np.bincount(self.unit, some > 0, minlength=len(self.order)) > 0
            for some in (self.right, self.wrong)
        )
        kind = np.where(has_right, np.where(has_wrong, 1, 0), 2)
        order = self.order[np.argsort(kind[self.order], kind="stable")]
        dealt = np.empty(len(order), dtype=np.int64)
        dealt[order] = np.arange(len(order)) % min(folds, len(order))
        return dealt

    def without(self, dealt: Ints, fold: int) -> "_Lessons":
        """Those of all folds but one."""
        kept = dealt[self.unit] != fold
        order = self.order[dealt[self.order] != fold]
        return _Lessons(
            self.rows[kept], self.right[kept], self.wrong[kept], self.unit[kept], self.unit_of,
            order,
        )  # fmt: skip

    def used(self) -> npt.NDArray[np.bool_]:
        """Which of them a model is learned from: those of the first units, if there are many."""
        sizes = np.bincount(self.unit, minlength=len(self.unit_of) and self.unit.max() + 1)
        total = np.cumsum(sizes[self.order])
        some = self.order[: max(int(np.searchsorted(total, MOST_ANSWERS, side="right")), 1)]
        chosen = np.isin(self.unit, some)
        both = self.right[chosen].any() and self.wrong[chosen].any()
        return chosen if both else np.ones(len(self.unit), dtype=bool)


def _one_thread() -> AbstractContextManager[object]:
    """Sums are made in one order, on any number of cores."""
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    limits: AbstractContextManager[object] = threadpool_limits(1)
    return limits


def fit(features: Floats, lessons: _Lessons) -> Floats:
    """The intercept and the weights of features that explain labels best."""
    # they take a while to load
    from sklearn.linear_model import LogisticRegression  # type: ignore[import-untyped]

    used = lessons.used()
    rows, weights = lessons.rows[used], (lessons.right[used], lessons.wrong[used])
    outcomes = np.concatenate([np.ones(len(rows)), np.zeros(len(rows))])
    counted = np.concatenate(weights)
    model = LogisticRegression(C=1.0, solver="newton-cholesky", tol=1e-10, max_iter=200)
    there = counted > 0
    both = np.concatenate([features[rows], features[rows]])
    model.fit(both[there], outcomes[there], sample_weight=counted[there])
    return np.round(np.concatenate([model.intercept_, model.coef_[0]]), DIGITS) + 0.0


def probabilities(features: Floats, model: Floats) -> Floats:
    """The probability that each answer is right.

    >>> probabilities(np.array([[0.0], [1.0]]), np.array([0.0, np.log(3)]))
    array([0.5 , 0.75])
    """
    total = np.full(len(features), model[0])
    for column, weight in zip(
        features.T, model[1:], strict=True
    ):  # in an order that is always the same
        total += column * weight
    return np.round(1 / (1 + np.exp(-total)), DIGITS)


def _table(whole: Floats, models: list[Floats], lessons: _Lessons) -> pl.DataFrame:
    """The rows of the table of weights, less collection and judge."""
    names = ["intercept", *FEATURES]
    meanings = ["where all features are 0", *FEATURES.values()]
    spread = np.array(models)
    return pl.DataFrame(
        {
            "feature": names,
            "weight": whole,
            "weight_low": spread.min(axis=0),
            "weight_high": spread.max(axis=0),
            "meaning": meanings,
            "answers": len(lessons.rows),
            "units": len(lessons.order),
        },
        schema=schema_of("judge_weights", "collection", "judge"),
    )


def describe_lessons(judged: Judged, judge: str) -> str | None:
    """A line for the terminal: what a judge has learned from, if it has.

    >>> nothing = pl.DataFrame()
    >>> weights = pl.DataFrame({"answers": [1200], "units": [50]})
    >>> describe_lessons(Judged(nothing, nothing, nothing, weights=weights), "model")
    'model has learned from the labels of 1,200 different answers to 50 questions or groups'
    """
    if judged.weights is None:
        return None
    answers, units = judged.weights.select("answers", "units").row(0)
    return (
        f"{judge} has learned from the labels of {answers:,} different answers to {units:,} "
        "questions or groups"
    )


def weights_of(judged: Judged) -> pl.DataFrame:
    """The rows of the table of weights; none for a judge that does not learn."""
    if judged.weights is None:
        return pl.DataFrame(schema=schema_of("judge_weights", "collection", "judge"))
    return judged.weights
