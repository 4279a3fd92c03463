"""Agreement: whether a judge says of a response what the reference says of it.

The reference says which responses are right, and the judge accepts some: an accepted right one is a
hit, an accepted wrong one a false alarm (Breck et al. 2000). A judge with a degree could accept
more or fewer by another threshold; it accepts what is greater than that.
"""

from collections.abc import Collection, Sequence

import numpy as np
import numpy.typing as npt
import polars as pl

from qampaign.agreement import roc
from qampaign.agreement.kappa import kappa
from qampaign.arrays import Array, ratio
from qampaign.judging.judgments import DEGREES, KEYS, is_correct
from qampaign.judging.lookup import look_up
from qampaign.studies.resampling import Whole, count

FALSE_ALARMS = 0.05
"""The rate of false alarms that the threshold which keeps them rare may reach."""
THRESHOLDS = (0, 0.25, 0.5, 0.75, 0.99, 1)
"""Where agreement is computed unless other thresholds are asked for; published as they stand."""

COUNTS = ["hits", "misses", "false_alarms", "correct_rejections"]
"""The cells of a table of agreement: right and accepted, right and not, then the wrong ones."""

BINS = ("0", "(0,.25]", "(.25,.5]", "(.5,.75]", "(.75,1)", "1")


def match(
    judgments: pl.DataFrame,
    reference: pl.DataFrame,
    questions: pl.DataFrame,
    *,
    correct: Collection[str],
    reference_correct: Collection[str],
    without: Collection[str] = (),
) -> pl.DataFrame:
    """The responses that a judge and the reference both judged, a row each, in order.

    Left out is what either has not assessed, and what both call not attempted: there is nothing to
    agree about. Where only one does, it is not right by that one. A withheld candidate counts, for
    both have judged it; a right answer repeated is right; NIL is right or wrong by rule, whoever
    judges, and has no degree. `questions` gives each question's type; `without` names runs whose
    responses are another's (what-if runs).

    Gives run, question, rank, type, verdict, accepted, reference_verdict, right, degree, recall,
    precision, form.
    """
    judged = _called(judgments, "accepted", correct)
    ids = judged.select(KEYS).schema
    theirs = _called(reference, "right", reference_correct).cast(ids, strict=False)
    called = theirs.select("right", reference_verdict="verdict")
    if not judged.select(KEYS).equals(theirs.select(KEYS)):
        called = called[look_up(judged, theirs, KEYS)]
    verdicts = pl.col("verdict", "reference_verdict")
    judged_by_both = pl.all_horizontal(pl.col("right").is_not_null(), verdicts != "unassessed")
    left_out = [run for run in _categories(judged, "run") if run in without]
    return (
        pl.concat([judged, called], how="horizontal")
        .filter(
            judged_by_both,
            pl.any_horizontal(verdicts != "not_attempted"),
            ~pl.col("run").is_in(pl.Series(left_out, dtype=ids["run"]).implode()),
        )
        .with_columns(pl.when(~pl.col("nil")).then(pl.col(*DEGREES)))
        .with_columns(type=_type(_categories(judged, "question"), questions))
        .select(*KEYS, "type", "verdict", "accepted", "reference_verdict", "right", *DEGREES)
    )


def _called(judgments: pl.DataFrame, name: str, correct: Collection[str]) -> pl.DataFrame:
    """Judgments with a flag for those that count as right; a repeated right answer does."""
    return judgments.with_columns(
        (is_correct(correct) | (pl.col("verdict") == "repeated")).alias(name)
    )


def _type(ids: Sequence[str], questions: pl.DataFrame) -> pl.Expr:
    """The type of the question, whose code is the index of its id."""
    known = questions.select(pl.col("question", "type").cast(pl.String))
    types = pl.DataFrame({"question": ids}, schema={"question": pl.String}).join(
        known, on="question", how="left", maintain_order="left"
    )["type"]
    words = pl.Enum(types.drop_nulls().unique().sort())
    return pl.lit(types.cast(words)).gather(pl.col("question").to_physical())


def agree(pairs: pl.DataFrame, thresholds: Sequence[float] = THRESHOLDS) -> pl.DataFrame:
    """How a judge agrees with the reference, from matched judgments.

    A row for every run and `all`, by question type and `all`: by the judge's own verdicts
    (threshold null), then, if it has degrees, at each of the thresholds; a response without a
    degree keeps its verdict there.

    Gives run, slice, threshold, hits, misses, false_alarms, correct_rejections, agreement,
    hit_rate (also called recall), false_alarm_rate, precision, f, kappa, low, high (its interval);
    null where a rate has nothing to be a share of.
    """
    has_degrees = pairs["degree"].is_not_null().any()
    asked = np.unique(np.array(thresholds if has_degrees else [], dtype=float))
    runs, kinds = _categories(pairs, "run"), _categories(pairs, "type")
    passed = _count(pairs, asked, len(runs), len(kinds))
    # Thresholds between which there is no degree do the same: their rates are computed once.
    there = np.flatnonzero(passed.reshape(-1, passed.shape[-1]).any(axis=0))
    index = np.r_[0, 1 + np.searchsorted(there, np.arange(len(asked)), side="right")]
    counts = _cells(passed[..., there])
    counts = np.concatenate([counts.sum(axis=0, keepdims=True), counts])
    counts = np.concatenate([counts.sum(axis=1, keepdims=True), counts[:, : len(kinds)]], axis=1)
    labels = [(run, kind) for run in ["all", *runs] for kind in ["all", *kinds]]
    rated = _with_rates(_table(labels, counts.reshape(len(labels), -1, 4)))
    every = np.arange(0, rated.height, counts.shape[2])[:, None] + index
    threshold = np.tile(np.r_[np.nan, asked], len(every))
    return rated[every.reshape(-1)].insert_column(
        2, pl.Series("threshold", threshold, nan_to_null=True)
    )


def summary(agreed: pl.DataFrame, judge: str, reference: str) -> str | None:
    """How far a judge agrees, in a line for the terminal; None where nothing was matched."""
    share = agreed["agreement"][0]  # the first row is of all runs, by the judge's own verdicts
    return None if share is None else f"{judge} agrees with {reference} on {share:.1%} of responses"


def _count(pairs: pl.DataFrame, asked: Array, runs: int, kinds: int) -> Whole:
    """Responses by run, type, whether they are right, accepted, and how many thresholds they pass.

    The last type is for questions without one.
    """
    from qampaign.judging.row_loops import count_accepted

    given = pairs.select(
        pl.col("run").to_physical(),
        kind=pl.col("type").to_physical().fill_null(kinds),
        right=pl.col("right").cast(pl.UInt8),
        accepted=pl.col("accepted").cast(pl.UInt8),
        degree=_placed() if pairs["degree"].null_count() else "degree",
    )
    rows = {column.name: column.to_numpy() for column in given}

    def work(first: int, last: int, found: Whole) -> None:
        some = {name: column[first:last] for name, column in rows.items()}
        count_accepted(**some, thresholds=asked, found=found)

    shape = runs, kinds + 1, 2, 2, len(asked) + 1
    (counted,) = count(work, pairs.height, pl.thread_pool_size(), shape, steps=10)
    return counted


def _cells(passed: Whole) -> npt.NDArray[np.int64]:
    """The cells of the table of agreement by run, type and threshold, from what is counted.

    The first stands for the judge's own verdicts; then the thresholds below all, above the first
    of those counted, and so on.
    """
    refused, accepted = passed[..., 0, :], passed[..., 1, :]
    verdicts = accepted.sum(axis=-1, keepdims=True)
    total = verdicts + refused.sum(axis=-1, keepdims=True)
    yes = np.concatenate([verdicts, total, total - (refused + accepted).cumsum(axis=-1)], axis=-1)
    no = total - yes
    return np.stack([yes[:, :, 1], no[:, :, 1], yes[:, :, 0], no[:, :, 0]], axis=-1)


def _placed() -> pl.Expr:
    """The degree; where there is none, one so high or low that no threshold changes the verdict."""
    verdict = pl.when("accepted").then(pl.lit(np.inf)).otherwise(pl.lit(-np.inf))
    return pl.coalesce("degree", verdict)


def _categories(pairs: pl.DataFrame, name: str) -> list[str]:
    kind = pairs[name].dtype
    assert isinstance(kind, pl.Enum)
    return kind.categories.to_list()


def _table(labels: Sequence[tuple[str, str]], counts: npt.NDArray[np.int64]) -> pl.DataFrame:
    """Counts by label (run and slice) as rows, where there is anything to count."""
    some = counts[:, 0].sum(axis=-1) > 0
    some[0] = True
    kept = np.flatnonzero(some)
    label = np.repeat(kept, counts.shape[1])
    names = {
        name: pl.Series(values, dtype=pl.String).gather(label)
        for name, values in zip(("run", "slice"), zip(*labels, strict=True), strict=True)
    }
    flat = counts[kept].reshape(-1, 4)
    return pl.DataFrame(names | dict(zip(COUNTS, flat.T, strict=True)))


def _with_rates(table: pl.DataFrame) -> pl.DataFrame:
    hits, misses, alarms, rejections = (pl.col(name) for name in COUNTS)
    cells = table.select(COUNTS).to_numpy().astype(float).reshape(-1, 2, 2)
    value, low, high = (pl.Series(each, nan_to_null=True) for each in kappa(cells))
    return table.with_columns(
        agreement=ratio(hits + rejections, hits + misses + alarms + rejections),
        hit_rate=ratio(hits, hits + misses),
        false_alarm_rate=ratio(alarms, alarms + rejections),
        precision=ratio(hits, hits + alarms),
        recall=ratio(hits, hits + misses),
        f=ratio(2 * hits, 2 * hits + misses + alarms),
        kappa=value,
        low=low,
        high=high,
    )


def curve(pairs: pl.DataFrame) -> pl.DataFrame:
    """The ROC curve of a judge's degrees over the responses that have one, as run `all`.

    Empty where it has none.
    """
    graded = pairs.drop_nulls("degree")
    rates = roc.rates(roc.points(graded["degree"].to_numpy(), graded["right"].to_numpy()))
    return rates.select(pl.lit("all").alias("run"), pl.all()).head(
        0 if graded.is_empty() else rates.height
    )


def choose_thresholds(
    pairs: pl.DataFrame, *, false_alarm_rate: float = FALSE_ALARMS
) -> pl.DataFrame:
    """The thresholds that a judge with degrees could well have, with the agreement each gives.

    `agrees best`; `balances errors`: as many misses as false alarms, as near as can be; `false
    alarms at most …`: the most hits with no higher rate of false alarms than asked. Of thresholds
    as good as each other, the lowest; each is a degree that was seen, and any up to the next one
    does the same. Without a threshold: accepting every response that has a degree.

    Gives criterion, threshold, what :func:`agree` gives, and area: that under the ROC curve of the
    responses that have a degree. Empty for a judge without degrees.
    """
    points = roc.points(pairs.select(_placed()).to_series().to_numpy(), pairs["right"].to_numpy())
    tp, fp, fn, tn = (points[name].to_numpy() for name in ("tp", "fp", "fn", "tn"))
    balance = np.abs(fn - fp)
    rows = {
        "agrees best": np.argmax(tp + tn),
        "balances errors": np.argmax(np.where(balance == balance.min(), tp + tn, -1)),
        f"false alarms at most {false_alarm_rate:g}": np.argmax(
            fp <= false_alarm_rate * (fp + tn) + 1e-9
        ),
    }
    names = dict(zip(("tp", "fn", "fp", "tn"), COUNTS, strict=True))
    chosen = points[np.array([*rows.values()])].rename(names).select("threshold", *COUNTS)
    graded = pairs.drop_nulls("degree")
    curve = roc.points(graded["degree"].to_numpy(), graded["right"].to_numpy())
    table = chosen.select(pl.Series("criterion", list(rows), pl.String), pl.all())
    rated = _with_rates(table).with_columns(area=pl.lit(roc.area(curve), pl.Float64))
    return rated.head(0 if graded.is_empty() else len(rows))


def bin_recalls(pairs: pl.DataFrame) -> pl.DataFrame:
    """Responses by how much of the key they hold, and by what the reference says of them.

    Gives bin, right, wrong, and right_share, wrong_share: the shares of all right, all wrong ones
    (Breck et al. 2000, Table 1). Empty for a judge without recall.
    """
    recall = pl.col("recall")
    index = pl.when(recall >= 1).then(5.0).otherwise((recall * 4).ceil().clip(0, 4))
    counted = (
        pairs.drop_nulls("recall")
        .group_by(index.cast(pl.Int64).alias("index"))
        .agg(right=pl.col("right").sum(), wrong=(~pl.col("right")).sum())
    )
    bins = pl.DataFrame({"index": range(len(BINS)), "bin": BINS})
    return (
        bins.join(counted, on="index", how="left", maintain_order="left")
        .select("bin", pl.col("right", "wrong").fill_null(0).cast(pl.Int64))
        .with_columns(
            right_share=ratio(pl.col("right"), pl.col("right").sum()),
            wrong_share=ratio(pl.col("wrong"), pl.col("wrong").sum()),
        )
        .head(0 if counted.is_empty() else len(BINS))
    )


def disagreements(pairs: pl.DataFrame, *, most: int = 20) -> pl.DataFrame:
    """Examples of misses and of false alarms, at most so many of each.

    From different questions first, and those farthest off: misses of the lowest degree, false
    alarms of the highest. Gives kind (miss, false alarm) and the columns of matched judgments.
    """
    off = pl.when("right").then(-pl.col("degree")).otherwise(pl.col("degree"))
    kind = pl.when("right").then(pl.lit("miss")).otherwise(pl.lit("false alarm"))
    keys = [pl.col(name) for name in ("question", "run", "rank")]
    farthest = {"descending": [True, False, False, False], "nulls_last": True}
    ordered = (
        pairs.filter(pl.col("right") != pl.col("accepted"))
        .select(kind.alias("kind"), pl.all(), off=off)
        .sort("off", *keys, **farthest)  # type: ignore[arg-type]
        .with_columns(nth=pl.int_range(pl.len()).over("kind", "question"))
        .sort("kind", "nth", maintain_order=True)
    )
    return ordered.group_by("kind", maintain_order=True).head(most).drop("off", "nth")
