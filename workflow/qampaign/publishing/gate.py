"""A gate: do the results fulfil the conditions that the config sets?"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import polars as pl

from qampaign.config.conditions import Condition, read_condition
from qampaign.config.gate import OVERALL
from qampaign.problems import Refused, first_names, nearest, printable, short_id
from qampaign.publishing.compared_figures import as_printed, printed_places
from qampaign.publishing.side_by_side import SMALL_P, WORDS
from qampaign.publishing.unjudged import find_unjudged
from qampaign.ranking import SAME
from qampaign.studies.units import FEWEST
from qampaign.tables import Row, schema_of

LEVEL = 0.05
"""The chance of a false alarm among all planned comparisons of a measure."""

FIGURES = 3
"""How many published figures that do not come out are named."""

NEEDED = (
    "runs",
    "scores",
    "comparisons",
    "agreement",
    "published",
    "measures",
    "collections",
    "overall",
)
"""The tables that conditions are about."""

COMPARISONS: dict[str, Callable[[float, float], bool]] = {
    ">=": lambda value, bound: value >= bound - SAME,
    "<=": lambda value, bound: value <= bound + SAME,
    ">": lambda value, bound: value > bound + SAME,
    "<": lambda value, bound: value < bound - SAME,
}

Tables = Mapping[str, pl.DataFrame]


class Outcome(NamedTuple):
    """Whether a condition holds in a collection."""

    condition: str
    collection: str | None
    holds: bool
    value: float | None
    """What it is about; None: there is no value, and the condition does not hold."""
    bound: float | None
    detail: str


def check(conditions: Iterable[Condition], tables: Tables) -> pl.DataFrame:
    """The table `gate`: each condition, in each collection that it is about."""
    rows = [outcome for condition in conditions for outcome in _outcomes(condition, tables)]
    return pl.DataFrame(rows, schema=schema_of("gate"), orient="row")


def _outcomes(condition: Condition, tables: Tables) -> Iterator[Outcome]:
    if condition.kind == "published":
        yield _published(condition, tables["published"])
        return
    by_kind = {
        "value": _value,
        "agreement": _agreement,
        "significance": _difference,
        "margin": _difference,
    }
    known = tables["collections"]["collection"].to_list()
    wanted = known if condition.collection is None else [condition.collection]
    outcomes = [
        outcome
        for collection in wanted
        for outcome in by_kind[condition.kind](condition, collection, tables)
    ]
    if not outcomes and condition.collection == OVERALL and not _unknown_runs(condition, tables):
        outcomes = [_without_value(condition, OVERALL, tables)]
    if not outcomes:
        raise Refused(f"gate: {condition.text}: {_nowhere(condition, tables)}")
    yield from outcomes


def _unknown_runs(condition: Condition, tables: Tables) -> list[str]:
    """The runs of a condition that its table of values does not have."""
    ranked = tables["overall" if condition.collection == OVERALL else "scores"]
    runs = {*ranked["run"]}
    return [name for name in (condition.run, condition.other) if name and name not in runs]


def _without_value(condition: Condition, collection: str, tables: Tables) -> Outcome:
    """A condition on what has no value, which does not hold; the detail names the run."""
    named = [name for name in (condition.run, condition.other) if name]
    lacking = [run for run in named if _value_of(run, condition, collection, tables) is None]
    unjudged = [run for run in named if _is_unjudged(run, condition, collection, tables)]
    where = " in overall" if collection == OVERALL else ""
    shown = lacking or named
    detail = f"{' and '.join(shown)} {'has' if len(shown) == 1 else 'have'} no value{where}"
    if unjudged:
        judge = _judge(condition, collection, tables)
        detail = f"{judge} has no verdict on any answer of {' or '.join(unjudged)}"
    return Outcome(condition.text, collection, False, None, condition.number, detail)


def _value_of(run: str, condition: Condition, collection: str, tables: Tables) -> float | None:
    scores = tables["overall"]
    if collection != OVERALL:
        scores = _of_measure(condition, collection, tables, "scores")
    return next(iter(scores.filter(pl.col("run") == run)["value"]), None)


def _is_unjudged(run: str, condition: Condition, collection: str, tables: Tables) -> bool:
    """Whether the judge has no verdict on any answer of a run: it has values, and no rank.

    Over all collections such a run has no value.
    """
    if collection == OVERALL:
        return False
    judge = _judge(condition, collection, tables)
    return not find_unjudged(tables).filter(collection=collection, judge=judge, run=run).is_empty()


def _nowhere(condition: Condition, tables: Tables) -> str:
    """Why a condition is about nothing."""
    where = f"in {condition.collection}" if condition.collection else "in any collection"
    if condition.kind == "agreement":
        return f"{condition.judge} is not compared with {condition.reference} {where}"
    if missing := _unknown_runs(condition, tables):
        ranked = tables["overall" if condition.collection == OVERALL else "scores"]
        runs = ranked["run"].unique().sort().to_list()
        allowed = nearest(missing[0], runs) + first_names(runs)
        return f"no run is called {missing[0]}; allowed: {allowed}"
    pair = f" beside {condition.other}" if condition.other else ""
    return f"{condition.run}{pair} has no {condition.measure} {where}"


def _value(condition: Condition, collection: str, tables: Tables) -> Iterator[Outcome]:
    scores = tables["overall"]
    if collection != OVERALL:
        scores = _of_measure(condition, collection, tables, "scores")
    rows = scores.filter(pl.col("run") == condition.run)
    for row in rows.iter_rows(named=True):
        if row["value"] is None or _is_unjudged(row["run"], condition, collection, tables):
            yield _without_value(condition, collection, tables)
            continue
        parts = [_interval(row["low"], row["high"]), _over(row.get("questions"))]
        yield _bounded(condition, collection, row["value"], ", ".join(filter(None, parts)))


def _agreement(condition: Condition, collection: str, tables: Tables) -> Iterator[Outcome]:
    pair = [condition.judge, condition.reference]
    rows = tables["agreement"].filter(
        pl.col("collection") == collection,
        pl.col("judge").is_in(pair) & pl.col("reference").is_in(pair),
        pl.col("run") == "all",
        pl.col("slice") == "all",
        pl.col("threshold").is_null(),
    )
    for row in rows.iter_rows(named=True):
        counts = ("hits", "misses", "false_alarms", "correct_rejections")
        number = sum(row[name] for name in counts)
        yield _bounded(condition, collection, row["agreement"], f"over {number:,} responses")


def _bounded(condition: Condition, collection: str, value: float | None, detail: str) -> Outcome:
    assert condition.operator is not None
    assert condition.number is not None
    holds = value is not None and COMPARISONS[condition.operator](value, condition.number)
    shown = detail if value is not None else "has no value"
    return Outcome(condition.text, collection, holds, value, condition.number, shown)


def _difference(condition: Condition, collection: str, tables: Tables) -> Iterator[Outcome]:
    """How far a run is above another, by the planned comparisons: a family of their own.

    Over collections, all pairs are one family.
    """
    if collection == OVERALL:
        better, family = _better_over_all(tables["overall"]), "all"
        compared = tables["comparisons"].filter(collection=OVERALL, slice="all")
    else:
        better, family = _measure(condition, collection, tables)["better"], "planned"
        compared = _of_measure(condition, collection, tables, "comparisons")
    pair = [condition.run, condition.other]
    rows = compared.filter(
        pl.col("run_a").is_in(pair) & pl.col("run_b").is_in(pair), pl.col("family") == family
    )
    for row in rows.iter_rows(named=True):
        sign = (1 if row["run_a"] == condition.run else -1) * (-1 if better == "low" else 1)
        if row["difference"] is None:
            yield _without_value(condition, collection, tables)
            continue
        difference, p = sign * row["difference"], row["p_adjusted"]
        if p is None or row["simultaneous_low"] is None:
            detail = f"{_apart(difference, condition.other)}, which cannot be tested"
            yield Outcome(condition.text, collection, False, difference, None, detail)
            continue
        ends = sorted(sign * row[f"simultaneous_{end}"] for end in ("low", "high"))
        interval = _interval(ends[0], ends[1], ", ")
        chance = f"p = {p:.4f}" if p >= SMALL_P else f"p < {SMALL_P}"
        apart = _apart(difference, condition.other)
        detail = f"{apart}{interval}, {chance}, for {WORDS[family]} together{_seen(row)}"
        if condition.kind == "margin":
            assert condition.number is not None
            holds, bound = ends[0] > -condition.number - SAME, -condition.number
        else:
            holds, bound = not (difference < 0 and p <= LEVEL + SAME), 0.0
        yield Outcome(condition.text, collection, holds, difference, bound, detail)


def _over(questions: int | None) -> str:
    """
    >>> _over(6), _over(1)
    ('over 6 questions', 'over 1 question')
    """
    if questions is None:
        return ""
    return f"over {questions:,} question{'' if questions == 1 else 's'}"


def _seen(row: Row) -> str:
    """On how many questions two runs were compared, and which difference so many show.

    >>> _seen({"won": 90, "lost": 80, "tied": 30, "units": 200, "visible": 0.0612})
    '; over 200 questions, which show a difference of 0.061 in 80% of cases'
    >>> _seen({"won": 2, "lost": 1, "tied": 0, "units": 3, "visible": 0.9})
    '; over 3 questions'
    """
    outcomes = [row[name] for name in ("won", "lost", "tied")]
    if None in outcomes:
        return ""
    shown = f"; {_over(sum(outcomes))}"
    if row["visible"] is None or row["units"] < FEWEST:
        return shown
    return f"{shown}, which show a difference of {row['visible']:.3f} in 80% of cases"


def _apart(difference: float, other: str | None) -> str:
    """How far a run is from another, in words.

    >>> _apart(-0.25, "old"), _apart(0.0, "old")
    ('0.2500 worse than old', 'equal to old')
    """
    if abs(difference) <= SAME:
        return f"equal to {other}"
    return f"{abs(difference):.4f} {'better' if difference > 0 else 'worse'} than {other}"


def _better_over_all(overall: pl.DataFrame) -> str:
    """Whether high or low values rank first, by the ranks themselves."""
    values = overall.drop_nulls(["rank_first", "value"]).sort("rank_first")["value"]
    return "low" if len(values) and values[0] < values[-1] else "high"


def _of_measure(condition: Condition, collection: str, tables: Tables, table: str) -> pl.DataFrame:
    """The rows of a table, over all questions, that a condition on a measure is about.

    A measure can be named by its label, too.
    """
    return tables[table].filter(
        pl.col("collection") == collection,
        pl.col("judge") == _judge(condition, collection, tables),
        pl.col("measure") == _measure(condition, collection, tables)["measure"],
        pl.col("slice") == "all",
    )


def _judge(condition: Condition, collection: str, tables: Tables) -> str | None:
    """The judge that a condition is about: that which it names, or the reference."""
    reference = tables["collections"].filter(collection=collection)["reference"].to_list()
    return condition.judge or next(iter(reference), None)


def _measure(condition: Condition, collection: str, tables: Tables) -> Row:
    """The measure that a condition names, by its name or else by its label."""
    measures = tables["measures"].filter(collection=collection)
    for column in ("measure", "label"):
        named = measures.filter(pl.col(column) == condition.measure)
        if named.height:
            return named.row(0, named=True)
    return {"measure": None, "better": None}


def _interval(low: float | None, high: float | None, before: str = "") -> str:
    return "" if low is None or high is None else f"{before}95% interval {low:z.4f} to {high:z.4f}"


def _published(condition: Condition, figures: pl.DataFrame) -> Outcome:
    rows = figures.rows(named=True)
    apart = [row for row in rows if not as_printed(row["published"], row["reconstructed"])]
    same = len(rows) - len(apart)
    detail = f"{same:,} of {len(rows):,}" if rows else "there are no published figures"
    if apart:
        several = figures["collection"].n_unique() > 1
        shown = [_figure(row, several=several) for row in apart[:FIGURES]]
        more = [f"and {len(apart) - FIGURES:,} more"] if len(apart) > FIGURES else []
        detail += f"; {'; '.join([*shown, *more])}"
    holds = bool(rows) and not apart
    return Outcome(condition.text, None, holds, float(same), float(len(rows)), detail)


def _figure(row: Row, *, several: bool) -> str:
    """A published figure that does not come out; with its collection where there are several.

    >>> own = {"item": "a, accuracy", "published": 0.58, "reconstructed": 0.57}
    >>> _figure(own, several=False)
    'a, accuracy: 0.58 published, 0.5700 here'
    """
    where = f" in {row['collection']}" if several else ""
    printed, here = row["published"], row["reconstructed"]
    places = printed_places(printed)
    ours = "no value" if here is None else f"{here:.{max(places + 2, 4)}f}"
    return (
        f"{short_id(row['item'] or 'a figure')}{where}: {printed:.{places}f} published, {ours} here"
    )


LINES, LINE_WIDTH = 20, 500
"""How much of a message a summary shows."""

NO_CONDITIONS = (
    "The config has no conditions to check. Add some, such as gate: [accuracy of new >= 0.8]"
)


def require(gate: pl.DataFrame) -> None:
    """Refuse results that do not fulfil all conditions, naming those that fail."""
    if gate.is_empty():
        raise Refused(NO_CONDITIONS)
    failed = gate.filter(~pl.col("holds"))
    if failed.height:
        what = "1 condition fails" if failed.height == 1 else f"{failed.height} conditions fail"
        raise Refused("\n".join([f"{what} of {gate.height}:", *lines(failed)]))


def lines(gate: pl.DataFrame) -> list[str]:
    """The outcomes for a terminal, one line each."""
    rows = gate.iter_rows(named=True)
    return [
        f"{'holds' if row['holds'] else 'FAILS'}  {row['condition']}{_shown(row)}" for row in rows
    ]


def total(gate: pl.DataFrame) -> str:
    """How many conditions hold, for a terminal."""
    what = "condition holds" if gate.height == 1 else "conditions hold"
    return f"{int(gate['holds'].sum()):,} of {gate.height:,} {what}"


def _shown(row: Row) -> str:
    """Where a condition was asked, and what came out."""
    where = f" [{row['collection']}]" if row["collection"] else ""
    condition = read_condition(row["condition"])
    is_value = condition is not None and condition.kind in ("value", "agreement")
    value = f"{row['value']:.4f}" if is_value and row["value"] is not None else ""
    outcome = ", ".join(text for text in (value, row["detail"]) if text)
    return f"{where}: {outcome}" if outcome else where


def markdown(gate: pl.DataFrame, title: str) -> str:
    """The outcomes as a summary for a pull request."""
    failed = gate.height - int(gate["holds"].sum())
    verdict = "all conditions hold" if not failed else f"{failed} of {gate.height} conditions fail"
    head: Sequence[str] = [
        f"### {_cell(title)}: {verdict}",
        "",
        "| | condition | collection | value | bound | |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    rows = [
        f"| {'✅' if row['holds'] else '❌'} | {_cell(row['condition'])} | "
        f"{_cell(row['collection'] or '')} | {_number(row['value'])} | {_number(row['bound'])} | "
        f"{_cell(row['detail'])} |"
        for row in gate.iter_rows(named=True)
    ]
    return "\n".join([*head, *rows, ""])


def markdown_of_failure(title: str, reason: str, message: str) -> str:
    """A summary where no condition could be asked: the reason, and how the message on it begins."""
    lines = [line.rstrip() for line in message.splitlines() if line.strip()]
    shown = [printable(line)[:LINE_WIDTH] for line in lines[:LINES]]
    more = [f"… and {len(lines) - LINES:,} more lines"] if len(lines) > LINES + 1 else lines[LINES:]
    fence = "`" * max([3, *(len(ticks) + 1 for ticks in re.findall("`+", "\n".join(shown)))])
    quoted = [f"{fence}text", *shown, *more, fence, ""] if shown else []
    return "\n".join([f"### {_cell(title)}: the gate could not be asked", "", reason, "", *quoted])


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.4f}".rstrip("0").rstrip(".")


def _cell(text: str) -> str:
    """A text that stays text in a cell of a Markdown table."""
    plain = " ".join(text.split()).replace("&", "&amp;").replace("<", "&lt;")
    return "".join(f"\\{sign}" if sign in "\\|`*_[]!#" else sign for sign in plain)
