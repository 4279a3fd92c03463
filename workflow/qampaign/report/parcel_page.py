"""The page of a parcel: one HTML file without scripts, of what the parcel holds alone."""

from collections.abc import Iterator, Sequence
from functools import cache

import jinja2
import polars as pl

from qampaign.publishing.parcels import Parcel
from qampaign.publishing.side_by_side import WORDS, without_verdict
from qampaign.ranking import SAME
from qampaign.report import templates, text
from qampaign.tables import Row

WIDTH, HEIGHT, MARGIN = 640, 64, 12
SIDE = 220
"""The size of a chart of calibration."""

RANGE = ("rank_low", "rank_high")
"""The ends of a rank range."""

HALF = 0.5
"""More than this share of the others is most of them."""


def render(parcel: Parcel, *, title: str) -> str:
    """The page of a team."""
    collections = [
        _collection(parcel, described) for described in parcel.described.iter_rows(named=True)
    ]
    return _template().render(
        title=title,
        team=parcel.team.name,
        published=text.time(parcel.published),
        collections=collections,
        files=[f"{name}.csv" for name, table in parcel.tables.items() if table.height],
        has_names="field" in parcel.tables,
    )


def _collection(parcel: Parcel, described: Row) -> dict[str, object]:
    """What the page shows of a collection, by its reference and ranking measure."""
    in_collection = {"collection": described["collection"]}
    judged = in_collection | {"judge": described["reference"]}
    scores = parcel.tables["scores"].filter(**judged, slice="all")
    alone = parcel.alone.filter(**in_collection)["measure"].to_list()
    scores = _without_range(scores, alone)
    ranked = scores.filter(measure=described["measure"])
    others = scores.filter(pl.col("measure") != described["measure"])
    field = parcel.field.filter(**in_collection)["value"].to_list()
    unjudged = parcel.unjudged.filter(**in_collection)["run"].to_list()
    known = ~pl.col("run").is_in(unjudged)
    questions = parcel.tables["questions"].filter(known, **judged).drop_nulls("value")
    calibration = parcel.tables["calibration"].filter(known, **judged).drop_nulls("accuracy")
    named = parcel.tables.get("field", scores.head(0).with_columns(team=None))
    named = named.filter(**judged, slice="all", measure=described["measure"])
    named = _without_range(named, alone).sort("rank_first", "run", nulls_last=True)
    shown = {*ranked["run"], *named["run"]}
    labels = dict(parcel.labels.filter(**in_collection).select("measure", "label").rows())
    counts = parcel.tables["counts"].filter(known, **judged, slice="all")
    with_verdicts = "with scores" if described["is_scored"] else "with verdicts"
    return {
        **described,
        "rows": [_score(row) for row in ranked.iter_rows(named=True)],
        "has_ranges": ranked["rank_low"].count() > 0,
        "such": with_verdicts if unjudged else "with a value",
        "unjudged": [
            *(_without_verdict(described, run) for run in unjudged if run in shown),
            *_unassessed(described, counts),
        ],
        "measures": [
            {**_score(row), "measure": labels.get(row["measure"]) or row["measure"]}
            for row in others.iter_rows(named=True)
        ],
        "others_have_ranges": others["rank_low"].count() > 0,
        "named": [
            _score(row) | {"team": row["team"] or text.DASH} for row in named.iter_rows(named=True)
        ],
        "named_have_ranges": named["rank_low"].count() > 0,
        "field": len(field),
        "strip": _strip(field, ranked.filter(known)["value"].drop_nulls().to_list()),
        "quartiles": _quartiles(field),
        "types": won_by_type(questions).rows(named=True),
        "has_others": questions["others"].count() > 0,
        "whose": "submitted runs that have verdicts" if unjudged else "submitted runs",
        "calibration": [
            {"run": run, "points": _points(rows)}
            for (run,), rows in calibration.group_by("run", maintain_order=True)
        ],
        "side": SIDE,
    }


def _without_range(scores: pl.DataFrame, alone: Sequence[str]) -> pl.DataFrame:
    """Scores without ranges of ranks by the measures that rank one run alone."""
    known = ~pl.col("measure").is_in(list(alone))
    return scores.with_columns(pl.when(known).then(name).alias(name) for name in RANGE)


def _without_verdict(described: Row, run: str) -> str:
    """What is said of a run that the reference has no verdict on."""
    is_scored = described["is_scored"]
    unknown = without_verdict(described["reference"], run, is_scored=is_scored)
    return WORDS["as_zero" if is_scored else "as_wrong"].format(unknown=unknown)


def _unassessed(described: Row, counts: pl.DataFrame) -> Iterator[str]:
    """What is said of runs of which the reference has no verdict on some answers."""
    is_scored = described["is_scored"]
    thing = "score for" if is_scored else "verdict on"
    for run, number in counts.select("run", "unassessed").drop_nulls().sort("run").rows():
        if number:
            answers = f"{number:,.10g} {'answer' if number == 1 else 'answers'}"
            unknown = f"{described['reference']} has no {thing} {answers} of {run}"
            said = WORDS["as_zero" if is_scored else "as_wrong"].format(unknown=unknown)
            yield said.replace("; they count", "; it counts") if number == 1 else said


def _score(row: Row) -> dict[str, str]:
    return {
        "run": row["run"],
        "value": text.fixed(row["value"]),
        "interval": text.interval(row["low"], row["high"]),
        "rank": text.span(row["rank_first"], row["rank_last"]),
        "range": text.span(row["rank_low"], row["rank_high"]),
    }


def won_by_type(questions: pl.DataFrame) -> pl.DataFrame:
    """By run and type: questions, right, and those won and lost against the others.

    Won: right where more than half of the other submitted runs are not; lost: not right where more
    than half of them are. With samples, the shares of right ones say so: one half is neither.

    >>> rows = {"run": ["a"] * 3, "type": ["x", "x", "y"], "value": [1.0, 0.0, 1.0],
    ...         "others": [0.25, 0.75, 0.5]}
    >>> won_by_type(pl.DataFrame(rows)).rows()
    [('a', 'all', 3, 2.0, 1, 1), ('a', 'x', 2, 1.0, 1, 1), ('a', 'y', 1, 1.0, 0, 0)]
    """
    own, others = pl.col("value") - HALF, pl.col("others") - HALF
    counted = [
        pl.len().cast(pl.Int64).alias("questions"),
        pl.col("value").sum().alias("right"),
        ((own > SAME) & (others < -SAME)).sum().cast(pl.Int64).alias("won"),
        ((own < -SAME) & (others > SAME)).sum().cast(pl.Int64).alias("lost"),
    ]
    typed = questions.drop_nulls("type").group_by("run", "type").agg(counted)
    whole = questions.group_by("run").agg(pl.lit("all").alias("type"), *counted)
    return pl.concat([whole, typed]).sort("run", pl.col("type") != "all", "type")


def _strip(field: Sequence[float], of_team: Sequence[float]) -> dict[str, object]:
    """Where the values of the field stand on a line, and where those of the team."""
    low, high = (min(field), max(field)) if field else (0.0, 1.0)
    low, high = min(low, 0.0), max(high, 1.0)

    def x(value: float) -> float:
        return round(MARGIN + (value - low) / (high - low) * (WIDTH - 2 * MARGIN), 1)

    return {
        "width": WIDTH,
        "height": HEIGHT,
        "field": [x(value) for value in field],
        "own": [x(value) for value in of_team],
        "ends": [(x(end), f"{end:.3g}".replace("-", text.MINUS)) for end in (low, high)],
    }


def _quartiles(field: Sequence[float]) -> list[str]:
    """The lowest and highest value of the field, with its quartiles between them."""
    values = pl.Series(field, dtype=pl.Float64)
    quantiles = [values.quantile(share, "linear") for share in (0, 0.25, 0.5, 0.75, 1)]
    return [text.fixed(value) for value in quantiles]


def _points(rows: pl.DataFrame) -> list[dict[str, object]]:
    """The points of a chart of calibration: accuracy over confidence, larger with more answers."""
    most = max(rows["answers"].max() or 1, 1)
    return [
        {
            "x": round(row["confidence"] * SIDE, 1),
            "y": round((1 - row["accuracy"]) * SIDE, 1),
            "r": round(2 + 5 * (row["answers"] / most) ** 0.5, 1),
            "said": f"confidence {text.fixed(row['confidence'])}: "
            f"{text.percent(row['accuracy'])} right of {row['answers']:,} answers",
        }
        for row in rows.iter_rows(named=True)
    ]


@cache
def _template() -> jinja2.Template:
    shown = {"many": text.many, "fixed": text.fixed, "percent": text.percent}
    return templates.load("parcel.html", names=shown)
