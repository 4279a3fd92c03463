"""Agreement: whether a judge says of a response what the reference says of it.

The reference says which responses are right, and the judge accepts some: an accepted right one is a
hit, an accepted wrong one a false alarm (Breck et al. 2000). A judge with a degree could accept
more or fewer by another threshold; it accepts what is greater than that.
"""

from collections.abc import Collection, Sequence

import numpy as np
import numpy.typing as npt
import polars as pl

from qampaign import roc
from qampaign.cells import Flags
from qampaign.judging.judgments import KEYS, is_correct
from qampaign.judging.lookup import look_up
from qampaign.kappa import kappa
from qampaign.measures.declaration import Array, ratio

THRESHOLDS = (0.0, 0.25, 0.5, 0.75, 0.99, 1.0)
"""Where agreement is told unless other thresholds are asked for."""

COUNTS = ["hits", "misses", "false_alarms", "correct_rejections"]
"""The cells of a table of agreement: right and accepted, right and not, then the wrong ones."""

BINS = ("0", "(0,.25]", "(.25,.5]", "(.5,.75]", "(.75,1)", "1")

DEGREES = ["degree", "recall", "precision", "form"]


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
    theirs = _called(reference, "right", reference_correct).select(
        pl.col("run").cast(judged.schema["run"], strict=False),
        pl.col("question").cast(judged.schema["question"], strict=False),
        "rank",
        "right",
        reference_verdict="verdict",
    )
    found = theirs.select("right", "reference_verdict")
    if not judged.select(KEYS).equals(theirs.select(KEYS)):
        found = found[look_up(judged, theirs, KEYS)]
    silent = (pl.col("verdict") == "not_attempted") & (
        pl.col("reference_verdict") == "not_attempted"
    )
    unknown = pl.any_horizontal(
        pl.col("verdict", "reference_verdict") == "unassessed", pl.col("right").is_null()
    )
    own = pl.when(~pl.col("nil")).then(pl.col(DEGREES))
    return (
        pl.concat([judged, found], how="horizontal")
        .filter(~unknown, ~silent, ~pl.col("run").cast(pl.String).is_in(list(without)))
        .with_columns(own, type=_type(questions))
        .select(*KEYS, "type", "verdict", "accepted", "reference_verdict", "right", *DEGREES)
    )


def _called(judgments: pl.DataFrame, name: str, correct: Collection[str]) -> pl.DataFrame:
    """Judgments with a flag for those that count as right; a repeated right answer does."""
    return judgments.with_columns(
        (is_correct(correct) | (pl.col("verdict") == "repeated")).alias(name)
    )


def _type(questions: pl.DataFrame) -> pl.Expr:
    types = questions.select(pl.col("question").cast(pl.String), pl.col("type").cast(pl.String))
    known = types.drop_nulls("type")
    return (
        pl.col("question")
        .cast(pl.String)
        .replace_strict(known["question"], known["type"], default=None, return_dtype=pl.String)
        .cast(pl.Enum(known["type"].unique().sort()))
    )


def agree(pairs: pl.DataFrame, thresholds: Sequence[float] = THRESHOLDS) -> pl.DataFrame:
    """How a judge agrees with the reference, from matched judgments.

    By its own verdicts (threshold null): a row for every run and `all`, by question type and `all`.
    If it has degrees: a row for `all` and each run, and for `all` by question type, at each of the
    thresholds; a response without a degree keeps its verdict there.

    Gives run, slice, threshold, hits, misses, false_alarms, correct_rejections, agreement,
    hit_rate (also called recall), false_alarm_rate, precision, f, kappa, low, high (its interval);
    null where a rate has nothing to be a share of.
    """
    table = _by_verdict(pairs)
    if pairs["degree"].is_not_null().any():
        table = pl.concat([table, _by_threshold(pairs, np.unique(np.array(thresholds, float)))])
    return _with_rates(table)


def _by_verdict(pairs: pl.DataFrame) -> pl.DataFrame:
    runs, kinds = _categories(pairs, "run"), _categories(pairs, "type")
    run, kind = (pl.col(name).to_physical().cast(pl.Int64) for name in ("run", "type"))
    group = run * (len(kinds) + 1) + kind.fill_null(len(kinds))
    wrong, refused = ((~pl.col(name)).cast(pl.Int64) for name in ("right", "accepted"))
    code = pairs.select(group * 4 + wrong * 2 + refused).to_series().to_numpy()
    shape = (len(runs), len(kinds) + 1, 4)
    each = np.bincount(code, minlength=shape[0] * shape[1] * shape[2]).reshape(shape)
    every = np.concatenate([each.sum(axis=0, keepdims=True), each])
    counts = np.concatenate([every.sum(axis=1, keepdims=True), every[:, : len(kinds)]], axis=1)
    labels = [(run, kind) for run in ["all", *runs] for kind in ["all", *kinds]]
    there = counts.reshape(-1, 4).sum(axis=1) > 0
    there[0] = True
    told = [label for label, kept in zip(labels, there, strict=True) if kept]
    return _table(told, np.array([np.nan]), counts.reshape(-1, 1, 4)[there])


def _by_threshold(pairs: pl.DataFrame, thresholds: Array) -> pl.DataFrame:
    degree, right = _placed(pairs), pairs["right"].to_numpy()
    run = pairs["run"].to_physical().to_numpy()
    starts = np.flatnonzero(np.diff(run, prepend=-1)) if len(run) else run
    ends = np.append(starts[1:], len(run))
    ranges = [slice(*each) for each in zip(starts, ends, strict=True)]
    by_run = _sweep(degree, right, ranges, thresholds)
    runs = pairs["run"].gather(starts).to_list()
    kinds = _categories(pairs, "type")
    kind = pairs["type"].to_physical().fill_null(len(kinds)).to_numpy()
    present = [code for code in range(len(kinds)) if (kind == code).any()]
    by_kind = _sweep(degree, right, [kind == code for code in present], thresholds)
    labels = [("all", "all"), *(("all", kinds[code]) for code in present)]
    labels += [(run, "all") for run in runs]
    counts = np.concatenate([by_run.sum(axis=0, keepdims=True), by_kind, by_run])
    return _table(labels, thresholds, counts)


def _placed(pairs: pl.DataFrame) -> Array:
    """The degrees; where there is none, one so high or low that no threshold changes the verdict."""
    verdict = pl.when("accepted").then(pl.lit(np.inf)).otherwise(pl.lit(-np.inf))
    return pairs.select(pl.coalesce("degree", verdict)).to_series().to_numpy()


def _sweep(
    degree: Array, right: Flags, parts: Sequence[slice | Flags], thresholds: Array
) -> npt.NDArray[np.int64]:
    """The cells of the table of agreement by part and threshold.

    Each part is sorted, its right and wrong responses apart; a threshold then costs a bisection.
    """
    counts = np.zeros((len(parts), len(thresholds), 4), dtype=np.int64)
    for part, count in zip(parts, counts, strict=True):
        values, good = degree[part], right[part]
        for column, chosen in ((0, values[good]), (2, values[~good])):
            chosen.sort()
            count[:, column] = roc.above(chosen, thresholds)
            count[:, column + 1] = len(chosen) - count[:, column]
    return counts


def _categories(pairs: pl.DataFrame, name: str) -> list[str]:
    kind = pairs.schema[name]
    assert isinstance(kind, pl.Enum)
    return kind.categories.to_list()


def _table(
    labels: Sequence[tuple[str, str]], thresholds: Array, counts: npt.NDArray[np.int64]
) -> pl.DataFrame:
    """Counts by label (run and slice) and threshold as rows."""
    size = len(thresholds)
    names = {
        name: pl.Series([label[place] for label in labels], dtype=pl.String)
        for place, name in enumerate(("run", "slice"))
    }
    rows = np.repeat(np.arange(len(labels)), size)
    flat = counts.reshape(-1, 4)
    return pl.DataFrame(
        {
            **{name: series.gather(rows) for name, series in names.items()},
            "threshold": pl.Series(np.tile(thresholds, len(labels)), nan_to_null=True),
            **{name: flat[:, place] for place, name in enumerate(COUNTS)},
        }
    )


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
    found = roc.rates(roc.points(graded["degree"].to_numpy(), graded["right"].to_numpy()))
    return found.select(pl.lit("all").alias("run"), pl.all()).head(
        0 if graded.is_empty() else found.height
    )


def choose_thresholds(pairs: pl.DataFrame, *, false_alarm_rate: float = 0.05) -> pl.DataFrame:
    """The thresholds that a judge with degrees could well have, with the agreement each gives.

    `agrees best`; `balances errors`: as many misses as false alarms, as near as can be; `false
    alarms at most …`: the most hits with no higher rate of false alarms than asked. Of thresholds
    as good as each other, the lowest; each is a degree that was seen, and any up to the next one
    does the same. Without a threshold: accepting every response that has a degree.

    Gives criterion, threshold, what :func:`agree` gives, and area: that under the ROC curve of the
    responses that have a degree. Empty for a judge without degrees.
    """
    points = roc.points(_placed(pairs), pairs["right"].to_numpy())
    agreed, balance = points["tp"] + points["tn"], (points["fn"] - points["fp"]).abs()
    allowed = points["fp"] <= false_alarm_rate * (points["fp"] + points["tn"]) + 1e-9
    most_agreed_of_balanced = (balance == balance.min()).cast(pl.Int64) * (agreed + 1)
    rows = {
        "agrees best": agreed.arg_max(),
        "balances errors": most_agreed_of_balanced.arg_max(),
        f"false alarms at most {false_alarm_rate:g}": allowed.arg_max(),
    }
    names = dict(zip(("tp", "fn", "fp", "tn"), COUNTS, strict=True))
    chosen = points[list(rows.values())].rename(names).select("threshold", *COUNTS)
    graded = pairs.drop_nulls("degree")
    own = roc.points(graded["degree"].to_numpy(), graded["right"].to_numpy())
    table = chosen.select(pl.Series("criterion", list(rows), pl.String), pl.all())
    found = _with_rates(table).with_columns(area=pl.lit(roc.area(own), pl.Float64))
    return found.head(0 if graded.is_empty() else len(rows))


def bin_recalls(pairs: pl.DataFrame) -> pl.DataFrame:
    """Responses by how much of the key they hold, and by what the reference says of them.

    Gives bin, right, wrong, and right_share, wrong_share: the shares of all right, all wrong ones
    (Breck et al. 2000, Table 1). Empty for a judge without recall.
    """
    recall = pl.col("recall")
    place = pl.when(recall >= 1).then(5.0).otherwise((recall * 4).ceil().clip(0, 4))
    counted = (
        pairs.drop_nulls("recall")
        .group_by(place.cast(pl.Int64).alias("place"))
        .agg(right=pl.col("right").sum(), wrong=(~pl.col("right")).sum())
    )
    bins = pl.DataFrame({"place": range(len(BINS)), "bin": BINS})
    return (
        bins.join(counted, on="place", how="left", maintain_order="left")
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
