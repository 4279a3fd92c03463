"""Agreement: whether a judge says of a response what the reference says of it.

The reference says which responses are right, and the judge accepts some: an accepted right one is a
hit, an accepted wrong one a false alarm (Breck et al. 2000). A judge with a degree could accept
more or fewer by another threshold; it accepts what is greater than that.
"""

from collections.abc import Collection, Sequence
from itertools import combinations_with_replacement

import numpy as np
import numpy.typing as npt
import polars as pl

from qampaign.agreement import roc
from qampaign.agreement.kappa import interval, kappa, smooth_kappa
from qampaign.agreement.matched import MATCHED
from qampaign.agreement.ranking_thresholds import CRITERIA, RankedAcceptance
from qampaign.arrays import Array, Flags, Numbers, ratio
from qampaign.judging.judgments import DEGREES, is_correct, keys_of
from qampaign.judging.lookup import look_up
from qampaign.studies.resampling import Whole, count, share_out
from qampaign.studies.units import Unit, Units

FALSE_ALARMS = 0.05
"""The rate of false alarms that the threshold which keeps them rare may reach."""
MOST_INTERVALS = 20
"""With more thresholds than these kappa has an interval for the judge's own verdicts alone."""
THRESHOLDS = (0, 0.25, 0.5, 0.75, 0.99, 1)
"""Where agreement is computed unless other thresholds are asked for."""

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
    unit: Unit = "group",
) -> pl.DataFrame:
    """The responses that a judge and the reference both judged, a row each, in order.

    Left out is what either has not assessed, and what both call not attempted: there is nothing to
    agree about. Where only one does, it is not right by that one. A withheld candidate counts, for
    both have judged it; a right answer repeated is right; NIL is right or wrong by rule, whoever
    judges, and has no degree. `questions` gives each question's type and group; `without` names
    runs whose responses are another's (what-if runs); `unit` is what intervals rest on.

    Gives run, question, sample (where there are any), rank, type, verdict, accepted,
    reference_verdict, right, degree, recall, precision, form, unit (its number).
    """
    judged = _called(judgments, "accepted", correct)
    keys = keys_of(judged)
    ids = judged.select(keys).schema
    theirs = _called(reference, "right", reference_correct).cast(ids, strict=False)
    called = theirs.select("right", reference_verdict="verdict")
    if not judged.select(keys).equals(theirs.select(keys)):
        called = called[look_up(_known_samples(judged), _known_samples(theirs), keys)]
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
        .with_columns(**_about_question(_categories(judged, "question"), questions, unit))
        .select(
            *keys, "type", "verdict", "accepted", "reference_verdict", "right", *DEGREES, "unit"
        )
    )


def _known_samples(judgments: pl.DataFrame) -> pl.DataFrame:
    """Judgments that can be looked up: a run without samples, beside others, has the sample ''."""
    if "sample" not in judgments.columns:
        return judgments
    return judgments.with_columns(pl.col("sample").fill_null(""))


def _called(judgments: pl.DataFrame, name: str, correct: Collection[str]) -> pl.DataFrame:
    """Judgments with a flag for those that count as right; a repeated right answer does."""
    return judgments.with_columns(
        (is_correct(correct) | (pl.col("verdict") == "repeated")).alias(name)
    )


def _about_question(ids: Sequence[str], questions: pl.DataFrame, unit: Unit) -> dict[str, pl.Expr]:
    """The type and the unit of the question, whose code is the index of its id."""
    names = [name for name in ("question", "type", "group") if name in questions.columns]
    known = questions.select(pl.col(names).cast(pl.String))
    question_rows = pl.DataFrame({"question": ids}, schema={"question": pl.String}).join(
        known, on="question", how="left", maintain_order="left"
    )
    types = question_rows["type"]
    words = pl.Enum(types.drop_nulls().unique().sort())
    units = pl.Series(Units.of(question_rows, unit).of_question, dtype=pl.UInt32)
    code = pl.col("question").to_physical()
    return {
        "type": pl.lit(types.cast(words)).gather(code),
        "unit": pl.lit(units).gather(code),
    }


def agree(pairs: pl.DataFrame, thresholds: Sequence[float] = THRESHOLDS) -> pl.DataFrame:
    """How a judge agrees with the reference, from matched judgments.

    A row for every run and `all`, by question type and `all`: by the judge's own verdicts
    (threshold null), then, if it has degrees, at each of the thresholds; a response without a
    degree keeps its verdict there.

    Gives run, slice, threshold, hits, misses, false_alarms, correct_rejections, agreement,
    hit_rate (also called recall), false_alarm_rate, precision, f, kappa, low, high (its interval,
    over units: :mod:`qampaign.agreement.kappa`; without the thresholds if there are more than
    ``MOST_INTERVALS``); null where a rate has nothing to be a share of.
    """
    has_degrees = pairs["degree"].is_not_null().any()
    distinct = np.unique(np.array(thresholds if has_degrees else [], dtype=float))
    runs, kinds = _categories(pairs, "run"), _categories(pairs, "type")
    passed, slots = _count(pairs, distinct, len(runs), len(kinds))
    # Thresholds between which there is no degree do the same: their rates are computed once.
    there = np.flatnonzero(passed.reshape(-1, passed.shape[-1]).any(axis=0))
    index = np.r_[0, 1 + np.searchsorted(there, np.arange(len(distinct)), side="right")]
    counts = _cells(passed[..., there])
    counts = np.concatenate([counts.sum(axis=0, keepdims=True), counts])
    counts = np.concatenate([counts.sum(axis=1, keepdims=True), counts[:, : len(kinds)]], axis=1)
    if len(distinct) > MOST_INTERVALS:
        slots, levels = np.zeros_like(slots), 1
    else:
        shorter = np.searchsorted(there, np.arange(len(distinct) + 1)).astype(np.int32)
        slots, levels = shorter[slots], len(there) + 2
    products, units = _products(pairs, slots, len(runs), len(kinds), levels)
    labels = [(run, kind) for run in ["all", *runs] for kind in ["all", *kinds]]
    cells = counts.reshape(len(labels), -1, 4)
    kept = cells[:, 0].sum(axis=-1) > 0
    kept[0] = True
    rated = _with_rates(
        _table([label for label, some in zip(labels, kept, strict=True) if some], cells[kept]),
        products.reshape(len(labels), levels, -1)[kept],
        units.reshape(-1)[kept],
    )
    every = np.arange(0, rated.height, counts.shape[2])[:, None] + index
    threshold = np.tile(np.r_[np.nan, distinct], len(every))
    return rated[every.reshape(-1)].insert_column(
        2, pl.Series("threshold", threshold, nan_to_null=True)
    )


def summary(agreed: pl.DataFrame, judge: str, reference: str) -> str | None:
    """How far a judge agrees, in a line for the terminal; None where nothing was matched."""
    share = agreed["agreement"][0]  # the first row is of all runs, by the judge's own verdicts
    if share is None:
        return None
    return f"{judge} agrees with {reference} on {share:.1%} of the responses {MATCHED}"


def _count(pairs: pl.DataFrame, thresholds: Array, runs: int, kinds: int) -> tuple[Whole, Whole]:
    """Responses by run, type, whether they are right, accepted, and how many thresholds they pass.

    The last type is for questions without one. Also gives how many each response passes.
    """
    from qampaign.judging.row_loops import count_accepted

    flags = _flags(pairs, kinds).with_columns(
        pairs.select(degree=_placed() if pairs["degree"].null_count() else "degree")
    )
    rows = {column.name: column.to_numpy() for column in flags}
    rows["slots"] = np.empty(pairs.height, dtype=np.int32)

    def work(first: int, last: int, counts: Whole) -> None:
        some = {name: column[first:last] for name, column in rows.items()}
        count_accepted(**some, thresholds=thresholds, found=counts)

    shape = runs, kinds + 1, 2, 2, len(thresholds) + 1
    (counted,) = count(work, pairs.height, pl.thread_pool_size(), shape, steps=10)
    return counted, rows["slots"]


def _flags(pairs: pl.DataFrame, kinds: int) -> pl.DataFrame:
    """run, kind (the number of the type), right and accepted, as numbers."""
    return pairs.select(
        pl.col("run").to_physical(),
        kind=pl.col("type").to_physical().fill_null(kinds),
        right=pl.col("right").cast(pl.UInt8),
        accepted=pl.col("accepted").cast(pl.UInt8),
    )


def _products(
    pairs: pl.DataFrame, slots: Whole, runs: int, kinds: int, levels: int
) -> tuple[Numbers, Numbers]:
    """What the spread over units follows from, by run, type and level, the first being all.

    Sums over units of the products of h, f, R and W, in the order of
    :func:`qampaign.agreement.unit_loops.add_products`, and by run and type the number of units.
    """
    rows = _flags(pairs, kinds)
    unit, kind = pairs["unit"].to_numpy(), rows["kind"].to_numpy()
    # A group of questions can have several types: to each it is a unit of its own.
    code = unit.astype(np.int64) * (kinds + 1) + kind
    there = np.zeros((int(unit.max(initial=0)) + 1) * (kinds + 1), dtype=bool)
    there[code] = True
    kind_of = np.flatnonzero(there) % (kinds + 1)
    by_type = _of_units(
        rows, (np.cumsum(there) - 1)[code], kind_of, slots, (runs + 1, kinds + 1, levels)
    )
    if (there.reshape(-1, kinds + 1).sum(axis=1) > 1).any():
        alike = np.zeros(int(unit.max()) + 1, dtype=np.int64)
        whole = _of_units(rows, unit, alike, slots, (runs + 1, 1, levels))
    else:
        products, units = by_type
        whole = products.sum(axis=1, keepdims=True), units.sum(axis=1, keepdims=True)
    products, units = (
        np.concatenate([of_all, of_type[:, :kinds]], axis=1)
        for of_all, of_type in zip(whole, by_type, strict=True)
    )
    return products, units


def _of_units(
    rows: pl.DataFrame,
    unit: Numbers,
    kind_of: Numbers,
    slots: Whole,
    shape: tuple[int, int, int],
) -> tuple[Numbers, Numbers]:
    """The products and the numbers of units, by run and type; `kind_of` is by unit."""
    from qampaign.agreement.unit_loops import add_whole, count_by_unit

    runs, kinds, levels = shape
    starts = np.searchsorted(rows["run"].to_numpy(), np.arange(runs))
    right, accepted = (rows[name].to_numpy() for name in ("right", "accepted"))
    products = np.zeros((*shape, 10), dtype=np.int64)
    units = np.zeros((runs, kinds), dtype=np.int64)

    def work(first: int, last: int) -> Numbers:
        counts = np.zeros((len(kind_of), 2 * max(levels - 1, 1) + 2), np.int32)
        columns = (unit, right, accepted, slots)
        count_by_unit(first, last, starts, *columns, kind_of, counts, products, units)
        return counts

    steps = 10 * len(unit) // runs
    counts = sum(share_out(work, runs - 1, pl.thread_pool_size(), steps=steps))
    add_whole(counts, kind_of, products, units)
    return products, units


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


def _products_at(pairs: pl.DataFrame, accepted: Flags) -> tuple[Numbers, Numbers]:
    """As :func:`_products`, of all runs and types, for acceptances by level and response."""
    unit, right = pairs["unit"].to_numpy(), pairs["right"].to_numpy()
    rights, wrongs = (np.bincount(unit, flags) for flags in (right, ~right))
    units = np.full(len(accepted), np.count_nonzero(rights + wrongs))
    levels = []
    for yes in accepted:
        h, f = (np.bincount(unit, flags & yes) for flags in (right, ~right))
        pairs_of_sums = combinations_with_replacement((h, f, rights, wrongs), 2)
        levels.append([first_sums @ second_sums for first_sums, second_sums in pairs_of_sums])
    return np.array(levels)[:, None], units


def _table(labels: Sequence[tuple[str, str]], counts: npt.NDArray[np.int64]) -> pl.DataFrame:
    """Counts by label (run and slice) and level as rows."""
    label = np.repeat(np.arange(len(labels)), counts.shape[1])
    names = {
        name: pl.Series(values, dtype=pl.String).gather(label)
        for name, values in zip(("run", "slice"), zip(*labels, strict=True), strict=True)
    }
    flat = counts.reshape(-1, 4)
    return pl.DataFrame(names | dict(zip(COUNTS, flat.T, strict=True)))


def _with_rates(table: pl.DataFrame, products: Numbers, units: Numbers) -> pl.DataFrame:
    """The table with what follows from its counts.

    `products` are by label, level and pair as in :func:`_products`, and `units` by label; levels
    that have none there have no interval.
    """
    hits, misses, alarms, rejections = (pl.col(name) for name in COUNTS)
    cells = table.select(COUNTS).to_numpy().astype(float).reshape(len(units), -1, 4)
    value = kappa(cells)
    low, high = np.full((2, *value.shape), np.nan)
    there = slice(products.shape[1])
    some, number = cells[:, there], np.repeat(units[:, None], products.shape[1], axis=1)
    smoothed = smooth_kappa(some, number)
    hit, miss, alarm, rejection = np.moveaxis(smoothed.gradient, -1, 0)
    slopes = (hit - miss, alarm - rejection, miss, rejection)  # by h, f, R and W
    pairs = combinations_with_replacement(slopes, 2)
    spread = sum(
        (2 - (slope_a is slope_b)) * slope_a * slope_b * product
        for (slope_a, slope_b), product in zip(pairs, np.moveaxis(products, -1, 0), strict=True)
    )
    low[:, there], high[:, there] = interval(
        value[:, there], smoothed, np.maximum(spread, 0), number
    )
    kappas = {"kappa": value.ravel(), "low": low.ravel(), "high": high.ravel()}
    return table.with_columns(
        agreement=ratio(hits + rejections, hits + misses + alarms + rejections),
        hit_rate=ratio(hits, hits + misses),
        false_alarm_rate=ratio(alarms, alarms + rejections),
        precision=ratio(hits, hits + alarms),
        recall=ratio(hits, hits + misses),
        f=ratio(2 * hits, 2 * hits + misses + alarms),
        **{name: pl.Series(column, nan_to_null=True) for name, column in kappas.items()},
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

    `agrees best`; `ranks best`: by its first answers the runs are ranked most like the reference
    ranks them (:mod:`qampaign.agreement.ranking_thresholds`); `balances errors`: as many misses as
    false alarms, as near as can be; `false alarms at most …`: the most hits with no higher rate of
    false alarms than asked. Of thresholds as good as each other, the lowest; each is a degree that
    was seen, and any up to the next one does the same. Without a threshold: accepting every
    response that has a degree.

    Gives criterion, threshold, what :func:`agree` gives, and area: that under the ROC curve of the
    responses that have a degree; tau between the rankings by right first answers; and for the first
    two cross_fitted_agreement and cross_fitted_tau, from thresholds chosen on other units. Empty
    for a judge without degrees.
    """
    placed = pairs.select(_placed()).to_series().to_numpy()
    points = roc.points(placed, pairs["right"].to_numpy())
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
    graded = pairs.drop_nulls("degree")
    ranked = RankedAcceptance(pairs, placed)
    by_criterion = {criterion: ranked.choose(criterion) for criterion in CRITERIA}
    bound = by_criterion["ranks best"].threshold
    at = points["threshold"].fill_null(-np.inf).to_numpy()
    rows = {
        "agrees best": rows.pop("agrees best"),
        "ranks best": np.searchsorted(at, -np.inf if bound is None else bound),
        **rows,
    }
    chosen = points[np.array([*rows.values()])].rename(names).select("threshold", *COUNTS)
    curve = roc.points(graded["degree"].to_numpy(), graded["right"].to_numpy())
    table = chosen.select(pl.Series("criterion", list(rows), pl.String), pl.all())
    accepted = placed > chosen["threshold"].fill_null(-np.inf).to_numpy()[:, None]
    products, units = _products_at(pairs, accepted)
    fitted = [by_criterion.get(criterion) for criterion in rows]
    rated = _with_rates(table, products, units).with_columns(
        area=pl.lit(roc.area(curve), pl.Float64),
        tau=pl.Series(
            [ranked.tau_at(threshold) for threshold in chosen["threshold"]], dtype=pl.Float64
        ),
        cross_fitted_agreement=pl.Series(
            [choice and choice.cross_fitted_agreement for choice in fitted], dtype=pl.Float64
        ),
        cross_fitted_tau=pl.Series(
            [choice and choice.cross_fitted_tau for choice in fitted], dtype=pl.Float64
        ),
    )
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
    names = [name for name in ("question", "run", "sample", "rank") if name in pairs.columns]
    farthest = {"descending": [True, *(False for _ in names)], "nulls_last": True}
    ordered = (
        pairs.filter(pl.col("right") != pl.col("accepted"))
        .select(kind.alias("kind"), pl.all(), off=off)
        .sort("off", *names, **farthest)  # type: ignore[arg-type]
        .with_columns(nth=pl.int_range(pl.len()).over("kind", "question"))
        .sort("kind", "nth", maintain_order=True)
    )
    return ordered.group_by("kind", maintain_order=True).head(most).drop("off", "nth")
