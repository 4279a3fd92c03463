"""Two runs side by side: what differs, how surely, and on which questions."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import duckdb
import polars as pl

from qampaign.problems import Refused, first_names, short_id
from qampaign.publishing.unjudged import UNJUDGED
from qampaign.ranking import SAME
from qampaign.studies.comparisons import TABLED
from qampaign.studies.units import FEWEST
from qampaign.tables import Row

LEVEL = 0.05
SHOWN = 20
"""How many questions the terminal shows."""

WORDS = {
    "no_value": "They cannot be compared in {label}: not both have a value.",
    "unjudged": "They cannot be compared: {unknown}.",
    "no_verdict": "{judge} has no verdict on any answer of {run}",
    "no_score": "{judge} has no score for any answer of {run}",
    "as_wrong": "{unknown}; they count as wrong in its values.",
    "as_zero": "{unknown}; they count as 0 in its values.",
    "or": "{first} or {second}",
    "not_tested": "Their difference in {label} was not tested; for new data, plan it with "
    "comparisons: [[{first}, {second}]].",
    "not_tabled": f"Their difference in {{label}} is not in the tables: of more than {TABLED} "
    "ranked runs, all pairs are tested, but the table keeps only neighbours in rank and planned "
    "pairs. For new data, plan it with comparisons: [[{first}, {second}]].",
    "no_measure": "Their difference in {label} was not tested: the study of significance does not "
    "test this measure.",
    "equal": "{first} and {second} are equal in {label}; {on}.",
    "equal_within": "{first} and {second} are equal in {label} (95% interval {low} to {high} for "
    "{among} together); {on}.",
    "not_studied": "Their difference in {label} was not tested by {judge}; to test it, "
    "add {judge} to the judges of studies.",
    "no_study": "Their difference in {label} was not tested; to test it, "
    "add significance to studies.",
    "no_test": "Their difference in {label} cannot be tested on so few {things}.",
    "better": "{better} is better than {worse} by {by}; {p}; {on}.",
    "higher": "{better} is higher than {worse} by {by}; {p}; {on}.",
    "open": "The data does not tell them apart: {better} is ahead by {by}; {p}; {on}.",
    "open_higher": "The data does not tell them apart: {better} is higher by {by}; {p}; {on}.",
    "tiny": "less than 0.001",
    "by": "{difference} in {label} (95% interval {low} to {high} for {among} together)",
    "p": "p = {p} among {among}",
    "small_p": "p < 0.001 among {among}",
    "all": "all pairs",
    "planned": "the planned comparisons",
    "gain": "{gained} {things} gained, {lost} lost",
    "first_gain": "by the first answer, {gained} {things} gained, {lost} lost",
    "together": "Intervals and p hold for {among} together, measure by measure.",
    "visible": "At this size, a difference of {visible} in {label} is seen in 80% of cases, "
    "if these two alone are compared.",
    "too_small": "At this size, hardly any difference in {label} could be seen, even if these two "
    "alone were compared.",
    "equivalent": "They are equivalent within the planned margin of {margin}: the whole 95% "
    "interval for the planned comparisons together lies within it.",
    "not_equivalent": "That they are equivalent within the planned margin of {margin} is not "
    "shown: the 95% interval for the planned comparisons together does not lie within it.",
    "no_answers": "No {things} are listed or counted by type: there are no answers of {run}.",
    "unassessed": "In {number} of them an answer is unassessed by {judge} and does not count as "
    "right.",
}
"""What is said of two runs, in the terminal and in the report."""

SMALL_P = 0.001
"""Below it, p is shown as smaller than this."""
TINY = 0.0005
"""Below it, three digits of a difference are 0."""

STUDIED = """
SELECT judge, measure FROM comparisons WHERE collection = $collection
UNION SELECT judge, measure FROM scores WHERE collection = $collection AND rank_low IS NOT NULL
"""
"""The judges and measures that tested differences: ranges of ranks come from the same study."""

RANKED = """
SELECT count(*), count(*) FILTER (WHERE run IN ($first, $second))
FROM scores
WHERE collection = $collection AND judge = $judge AND measure = $measure AND slice = 'all'
  AND rank_low IS NOT NULL
"""
"""How many runs were tested with each other, and how many of the two are among them."""

SILENT = """
SELECT run FROM runs
WHERE collection = $collection AND run IN ($first, $second) AND kind <> 'submitted'
  AND run NOT IN (SELECT run FROM answers WHERE collection = $collection)
ORDER BY run <> $first
"""
"""Baselines: they have counts, and no answers."""

TASK = "SELECT task FROM collections WHERE collection = $collection"

PAIRS = """
SELECT measure, family, slice, run_a, difference, simultaneous_low AS low,
  simultaneous_high AS high, p_adjusted, won, lost, tied,
  margin, equivalent,
  p AS alone,
  CASE WHEN coalesce(units, $fewest) >= $fewest AND detectable IS NOT NULL
    THEN coalesce(visible, 0) END AS visible
FROM comparisons
WHERE collection = $collection AND judge = $judge AND slice = 'all'
  AND (run_a, run_b) IN (($first, $second), ($second, $first))
"""
"""Of few units, no difference is seen often enough to be named; 0 if hardly any would be."""

SCORES = """
SELECT measures.measure, label, better, measures."primary", one.value AS first, two.value AS second
FROM measures
LEFT JOIN scores one ON one.collection = measures.collection AND one.measure = measures.measure
  AND one.judge = $judge AND one.slice = 'all' AND one.run = $first
LEFT JOIN scores two ON two.collection = measures.collection AND two.measure = measures.measure
  AND two.judge = $judge AND two.slice = 'all' AND two.run = $second
WHERE measures.collection = $collection
ORDER BY measures."primary" DESC, measures.rowid
"""

DECIDED = """
SELECT count(*) FROM answers
WHERE collection = ? AND judge = ? AND verdict NOT IN ('unassessed', 'not_attempted')
"""
"""Answers on which a judge has a verdict."""

SCORED = """
SELECT count(degree) > 0 FROM answers
WHERE collection = $collection AND judge = $judge AND NOT EXISTS (
  FROM questions
  WHERE collection = $collection AND judge = $judge AND difficulty IS NOT NULL
)
"""
"""Whether a judge gives scores alone, which say of no question how difficult it is."""

UNJUDGED_OF_PAIR = f"""
SELECT run FROM ({UNJUDGED})
WHERE collection = $collection AND judge = $judge AND run IN ($first, $second)
ORDER BY run <> $first
"""

QUESTIONS = """
WITH given AS (
  SELECT run, question, avg(correct::INT) AS share,
    string_agg(answer, ' / ' ORDER BY sample) AS answer,
    string_agg(DISTINCT said, ' / ' ORDER BY said) AS verdict
  FROM (
    SELECT *,
      CASE WHEN answered OR answer IS NULL THEN verdict ELSE verdict || ', withheld' END AS said
    FROM answers
  )
  WHERE collection = $collection AND judge = $judge AND rank = 1 AND run IN ($first, $second)
  GROUP BY run, question
)
SELECT questions.question, questions.type, questions.text,
  coalesce(one.share, 0) AS first, coalesce(two.share, 0) AS second,
  one.answer AS first_answer, two.answer AS second_answer,
  coalesce(one.verdict, 'no row') AS first_verdict,
  coalesce(two.verdict, 'no row') AS second_verdict
FROM questions
LEFT JOIN given one ON one.question = questions.question AND one.run = $first
LEFT JOIN given two ON two.question = questions.question AND two.run = $second
WHERE questions.collection = $collection AND questions.judge = $judge
ORDER BY questions.question
"""


@dataclass(frozen=True)
class SideBySide:
    """Two runs of a collection by a judge; differences are the first less the second."""

    collection: str
    judge: str
    first: str
    second: str
    measures: pl.DataFrame
    """measure, label, better, primary, first, second, difference, low, high, p, family, won, lost,
    tied, visible, alone, margin, equivalent: the ranking measure first. The interval and p are
    those of the whole family, `alone` the p of the two alone. From low on NULL where two runs were
    not tested."""
    questions: pl.DataFrame
    """question, type, text, and of both runs the share of right first answers, the answer and the
    verdict; NULL of a run without answers."""
    untested: str = "not_tested"
    """The words for why a pair was not tested: see `why_untested`."""
    has_verdicts: bool = True
    """Whether the judge calls anything right or wrong; scores alone win no question."""
    unjudged: Sequence[str] = ()
    """Which of the two the judge has no verdict on: nothing is then said of their difference."""
    is_scored: bool = False
    """Whether the judge gives scores alone."""
    silent: Sequence[str] = ()
    """Which of the two has no answers, as a baseline: nothing is known of it by question."""
    noun: str = "question"

    @property
    def flipped(self) -> pl.DataFrame:
        """The questions that one of the two has better, those that the first lost first."""
        gain = pl.col("first") - pl.col("second")
        return self.questions.filter(gain.abs() > SAME).sort(gain, maintain_order=True)

    def by_type(self) -> pl.DataFrame:
        """type, won, lost and tied: questions by the first answer, over all and by type."""
        gain = pl.col("first") - pl.col("second")
        counts = {"won": gain > SAME, "lost": gain < -SAME, "tied": gain.abs() <= SAME}
        sums = [flag.sum().cast(pl.Int64).alias(name) for name, flag in counts.items()]
        whole = self.questions.select(pl.lit("all").alias("type"), *sums)
        typed = self.questions.drop_nulls("type").group_by("type").agg(sums).sort("type")
        return pl.concat([whole, typed]) if typed.height > 1 else whole

    def sentence(self) -> str:
        """What the data supports, by the ranking measure.

        The report's page says the same: `report/questions/script/words.js` fills the same words in.
        """
        row = self.measures.row(0, named=True)
        first, second = short_id(self.first), short_id(self.second)
        runs = {"first": first, "second": second, "label": row["label"]}
        if self.unjudged:
            either = WORDS["or"].format(**runs)
            if len(self.unjudged) == 1:
                either = short_id(self.unjudged[0])
            said = without_verdict(self.judge, either, is_scored=self.is_scored)
            return WORDS["unjudged"].format(unknown=said)
        if row["difference"] is None:
            return WORDS["no_value"].format(**runs)
        equal = abs(row["difference"]) <= SAME
        if row["p"] is None and not equal:
            why = "no_test" if row["alone"] is None else "no_measure"
            why = self.untested if row["family"] is None else why
            return WORDS[why].format(judge=self.judge, things=f"{self.noun}s", **runs)
        low, high, difference = row["low"], row["high"], row["difference"]
        if equal:
            kind = "equal" if low is None else "equal_within"
            among = WORDS[row["family"]] if low is not None else None
            return self._said(kind, row).format(among=among, **_ends(low, high), **runs)
        better, worse = first, second
        is_turned = (difference < 0) != (row["better"] == "low")
        if is_turned:
            better, worse = worse, better
        if difference < 0:
            low, high = -high, -low
        size = f"{abs(difference):.3f}" if abs(difference) >= TINY else WORDS["tiny"]
        among = WORDS[row["family"]]
        by = WORDS["by"].format(
            difference=size, label=row["label"], among=among, **_ends(low, high)
        )
        p = WORDS["small_p" if row["p"] < SMALL_P else "p"].format(p=f"{row['p']:.3f}", among=among)
        kind = "better" if row["p"] <= LEVEL + SAME else "open"
        if row["better"] == "none":
            kind = {"better": "higher", "open": "open_higher"}[kind]
        said = self._said(kind, row, is_turned=is_turned)
        return said.format(better=better, worse=worse, by=by, p=p)

    def _said(self, kind: str, row: Row, *, is_turned: bool = False) -> str:
        """What is said, with the questions gained and lost where these are known.

        They are counted as the test of the measure has them: by its own value for a mean over
        questions. Without a test, by the first answer.
        """
        if not self.has_verdicts or (row["family"] is None and self.silent):
            return WORDS[kind].replace("; {on}", "")
        is_tested = row["family"] is not None
        words = WORDS["gain" if is_tested else "first_gain"]
        counted = row if is_tested else self.by_type().row(0, named=True)
        gained, lost = counted["won"], counted["lost"]
        if is_turned:
            gained, lost = lost, gained
        things = self.noun if gained == 1 else f"{self.noun}s"
        on = words.format(gained=f"{gained:,}", lost=f"{lost:,}", things=things)
        return WORDS[kind].replace("{on}", on)

    def equivalence(self) -> str | None:
        """Whether the two are equivalent in the ranking measure; None where that was not planned.

        The study decides it: see `describe_pairs` in `studies/comparisons.py`.
        """
        row = self.measures.row(0, named=True)
        if row["equivalent"] is None or self.unjudged:
            return None
        words = WORDS["equivalent" if row["equivalent"] else "not_equivalent"]
        return words.format(margin=f"{row['margin']:g}")

    def size(self) -> str | None:
        """Which differences in the ranking measure the collection can show; None if unknown."""
        row = self.measures.row(0, named=True)
        if row["visible"] is None or row["p"] is None or self.unjudged:
            return None
        words = WORDS["visible" if row["visible"] else "too_small"]
        return words.format(visible=f"{row['visible']:.3f}", label=row["label"])


def without_verdict(judge: str, run: str, *, is_scored: bool) -> str:
    """What is said of a run that a judge has no verdict on, or no score.

    >>> without_verdict("people", "a", is_scored=False)
    'people has no verdict on any answer of a'
    """
    return WORDS["no_score" if is_scored else "no_verdict"].format(judge=judge, run=run)


def _ends(low: float | None, high: float | None) -> dict[str, str | None]:
    """The ends of an interval, for words; zero has no sign."""
    return {
        name: None if end is None else f"{end:z.3f}" for name, end in (("low", low), ("high", high))
    }


def why_untested(
    studied: Collection[tuple[str, str]], judge: str, measure: str, questions: int
) -> str:
    """Which words say why two runs were not tested by a judge and a measure.

    `studied` are the judges and measures that tested any; `questions` are those of the judge.

    >>> studied = {("people", "f")}
    >>> why_untested(studied, "people", "f", 9), why_untested(studied, "key", "f", 9)
    ('not_tested', 'not_studied')
    >>> why_untested((), "key", "f", 9), why_untested((), "key", "f", 1)
    ('no_study', 'no_test')
    >>> why_untested(studied, "people", "auc", 9)
    'no_measure'
    """
    if questions <= 1:
        return "no_test"
    if not studied:
        return "no_study"
    if judge not in {name for name, _ in studied}:
        return "not_studied"
    return "not_tested" if (judge, measure) in studied else "no_measure"


def put_side_by_side(
    connection: duckdb.DuckDBPyConnection,
    first: str,
    second: str,
    *,
    collection: str | None = None,
    judge: str | None = None,
) -> list[SideBySide]:
    """Two runs in every collection that has both, or in one; by a judge, or by the reference."""
    runs: dict[str, set[str]] = {}
    for name, run in connection.sql("SELECT collection, run FROM runs").fetchall():
        runs.setdefault(name, set()).add(run)
    if collection is not None and collection not in runs:
        raise Refused(f"There is no collection {collection}; allowed: {first_names(sorted(runs))}")
    wanted = {
        name: collection_runs
        for name, collection_runs in runs.items()
        if collection in (None, name)
    }
    every = sorted(set.union(set(), *wanted.values()))
    for run in (first, second):
        if run not in every:
            raise Refused(f"There is no run {run}; allowed: {first_names(every)}")
    if first == second:
        raise Refused(f"{first} is the same run twice; name two different runs")
    shared = [
        name for name, collection_runs in wanted.items() if {first, second} <= collection_runs
    ]
    if not shared:
        raise Refused(f"No collection has both {first} and {second}.")
    return [
        _compare(connection, name, _judge(connection, name, judge), first, second)
        for name in shared
    ]


def _judge(connection: duckdb.DuckDBPyConnection, collection: str, judge: str | None) -> str:
    rows = connection.execute(
        "SELECT judge, reference FROM judges WHERE collection = ?", [collection]
    ).fetchall()
    if judge is None:
        return next(str(name) for name, reference in rows if reference)
    if judge not in [name for name, _ in rows]:
        allowed = first_names([name for name, _ in rows])
        raise Refused(f"{collection} has no judge {judge}; allowed: {allowed}")
    return judge


def _compare(
    connection: duckdb.DuckDBPyConnection, collection: str, judge: str, first: str, second: str
) -> SideBySide:
    given_judge = {"collection": collection, "judge": judge}
    parameters = given_judge | {"first": first, "second": second}
    pairs = connection.sql(PAIRS, params=parameters | {"fewest": FEWEST}).pl()
    scores, questions = (
        connection.sql(query, params=parameters).pl() for query in (SCORES, QUESTIONS)
    )
    measure = str(scores["measure"][0])
    studied = {*connection.execute(STUDIED, {"collection": collection}).fetchall()}
    why = why_untested(studied, judge, measure, questions.height)
    ((ranked, of_pair),) = connection.execute(RANKED, parameters | {"measure": measure}).fetchall()
    if why == "not_tested" and ranked > TABLED and of_pair > 1:
        why = "not_tabled"
    turned = pl.col("run_a") != first
    signed = pl.when(turned).then(-pl.col("difference")).otherwise("difference")
    planned_first = pairs.sort("family", descending=True).unique("measure", keep="first")
    pairs = planned_first.select(
        "measure",
        "family",
        "tied",
        "visible",
        "alone",
        "margin",
        "equivalent",
        difference=signed,
        low=pl.when(turned).then(-pl.col("high")).otherwise("low"),
        high=pl.when(turned).then(-pl.col("low")).otherwise("high"),
        p="p_adjusted",
        won=pl.when(turned).then("lost").otherwise("won"),
        lost=pl.when(turned).then("won").otherwise("lost"),
    )
    measures = scores.join(pairs, on="measure", how="left", maintain_order="left").with_columns(
        difference=pl.coalesce("difference", pl.col("first") - pl.col("second"))
    )
    ((decided,),) = connection.execute(DECIDED, [collection, judge]).fetchall()
    ((is_scored,),) = connection.execute(SCORED, given_judge).fetchall()
    unjudged, silent = (
        [run for (run,) in connection.execute(query, parameters_of_pair).fetchall()]
        for query, parameters_of_pair in (
            (UNJUDGED_OF_PAIR, parameters),
            (SILENT, {name: parameters[name] for name in ("collection", "first", "second")}),
        )
    )
    unknown = [side for side, run in (("first", first), ("second", second)) if run in silent]
    questions = questions.with_columns(
        pl.lit(None).cast(questions.schema[name]).alias(name)
        for side in unknown
        for name in (side, f"{side}_answer", f"{side}_verdict")
    )
    ((task,),) = connection.execute(TASK, {"collection": collection}).fetchall()
    return SideBySide(
        collection, judge, first, second, measures, questions, why,
        has_verdicts=decided > 0 and not is_scored, unjudged=unjudged, is_scored=is_scored,
        silent=silent, noun=noun_of(task),
    )  # fmt: skip


def noun_of(task: str) -> str:
    """What a collection of a task has: questions, or in validation items."""
    return "item" if task == "validation" else "question"


def lines(compared: SideBySide) -> Iterator[str]:
    """What the terminal shows of two runs."""
    first, second = short_id(compared.first), short_id(compared.second)
    yield f"{compared.collection}, by {compared.judge}: {first} and {second}"
    yield f"  {compared.sentence()}"
    equivalence = compared.equivalence()
    if equivalence is not None:
        yield f"  {equivalence}"
    yield ""
    yield from _aligned(_measure_rows(compared))
    if compared.unjudged:
        return
    families = compared.measures["family"].drop_nulls().unique(maintain_order=True)
    if len(families):
        among = " or ".join(WORDS[family] for family in families)
        yield f"  {WORDS['together'].format(among=among)}"
    size = compared.size()
    if size is not None:
        yield f"  {size}"
    if compared.silent:
        either = WORDS["or"].format(first=first, second=second)
        run = either if len(compared.silent) > 1 else short_id(compared.silent[0])
        yield ""
        yield f"  {WORDS['no_answers'].format(run=run, things=f'{compared.noun}s')}"
        return
    if compared.has_verdicts:
        yield ""
        yield from _aligned(_count_rows(compared))
    flipped = compared.flipped
    if flipped.height and not compared.is_scored:
        number = f", {SHOWN} of {flipped.height:,}" if flipped.height > SHOWN else ""
        things = f"{compared.noun}s".capitalize()
        yield ""
        yield f"  {things} on which the first answers differ in verdict{number}:"
        unjudged = flipped.filter(
            pl.any_horizontal(
                pl.col(f"{side}_verdict").str.contains("unassessed", literal=True)
                for side in ("first", "second")
            )
        ).height
        if unjudged:
            sentence = WORDS["unassessed"].format(number=f"{unjudged:,}", judge=compared.judge)
            yield f"  {sentence}"
        for row in _of_both_kinds(flipped).iter_rows(named=True):
            text = row["text"] if row["text"] != row["question"] else None
            yield f"    {short_id(row['question'])}  {_short(text or '', 60)}".rstrip()
            for run, side in ((first, "first"), (second, "second")):
                answer = _short(row[f"{side}_answer"] or "(no answer)", 70)
                yield f"      {run}: {answer} [{row[f'{side}_verdict']}]"


def _of_both_kinds(flipped: pl.DataFrame) -> pl.DataFrame:
    """The questions that are shown: half of them lost, half won; more of one if others are few."""
    lost = int((flipped["first"] < flipped["second"]).sum())
    won = flipped.height - lost
    from_lost = min(lost, max(SHOWN // 2, SHOWN - won))
    return pl.concat([flipped[:from_lost], flipped[lost : lost + SHOWN - from_lost]])


def _measure_rows(compared: SideBySide) -> Iterator[Sequence[str]]:
    first, second = short_id(compared.first), short_id(compared.second)
    yield ("measure", first, second, "difference", "95% interval", "p", "")
    for row in compared.measures.iter_rows(named=True):
        numbers = [_number(row[name]) for name in ("first", "second", "difference")]
        is_tested = not compared.unjudged
        known = is_tested and row["low"] is not None
        interval = f"{row['low']:+z.3f} to {row['high']:+z.3f}" if known else "–"
        chance = row["p"] if is_tested else None
        sure = "*" if chance is not None and chance <= LEVEL + SAME else ""
        p = f"<{SMALL_P}" if chance is not None and chance < SMALL_P else _number(chance)
        yield (row["label"], *numbers, interval, p, sure)


def _count_rows(compared: SideBySide) -> Iterator[Sequence[str]]:
    first, second = short_id(compared.first), short_id(compared.second)
    yield (f"{compared.noun}s, by the first answer", f"{first} better", f"{second} better", "equal")
    for row in compared.by_type().iter_rows():
        yield tuple(str(value) for value in row)


def _aligned(rows: Iterator[Sequence[str]]) -> Iterator[str]:
    """Rows as columns of equal width, numbers to the right."""
    table = list(rows)
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for head, *rest in table:
        cells = [text.rjust(width) for text, width in zip(rest, widths[1:], strict=True)]
        yield "  " + "  ".join([head.ljust(widths[0]), *cells]).rstrip()


def _number(value: float | None) -> str:
    """A number with three digits; zero has no sign.

    >>> _number(-0.0), _number(-0.0123), _number(None)
    ('0.000', '-0.012', '–')
    """
    return "–" if value is None else f"{value:z.3f}"


def _short(text: str, most: int) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= most else f"{plain[: most - 1]}…"
