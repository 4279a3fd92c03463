"""Every finding of the report is true: headings of charts, sentences, and verdicts of the overview.

Campaigns at the edges are run from their raw files; each sentence is read, and what it says is
counted again from the answers that were written. A sentence that nothing here can check fails.
"""

import re
import subprocess
import sys
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from statistics import median, stdev
from typing import Any

import pytest

from qampaign.publishing import collection_tables
from qampaign.report import overview
from qampaign.report.page import Shown, show
from qampaign.report.text import DASH, fixed, percent
from tests.report.edge_campaign import Facts, collections, write

pytestmark = [pytest.mark.exhaustive, pytest.mark.slow]

NAMES = list(collections())


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Shown]:
    """What the report shows of each collection."""
    folder = tmp_path_factory.mktemp("edges")
    config = write(folder)
    command = [str(Path(sys.executable).with_name("qampaign")), "run", str(config)]
    ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout[-2000:] + ended.stderr[-2000:]
    return read(folder)


def read(folder: Path) -> dict[str, Shown]:
    tables = {name: folder / "results/edges" / name / "tables" for name in NAMES}
    return {name: show(collection_tables.read(of, quotes=True))[0] for name, of in tables.items()}


Check = Callable[[Facts, Any], bool]
V, RUN, RUNS = r"(−?\d\.\d{3})", r"(\S+)", r"(.+?)"


def listed(words: str) -> set[str]:
    """The runs that a sentence names.

    >>> sorted(listed("a, b and c"))
    ['a', 'b', 'c']
    """
    return set(re.split(r", | and ", words))


def equal(facts: Facts) -> bool:
    return len({tuple(of) for of in facts.right.values()}) == 1


def interval_holds(value: str, low: str, high: str) -> bool:
    return float(low) <= float(value) <= float(high)


def silence(facts: Facts) -> dict[str, float]:
    return {run: facts.count(run, None) / facts.questions for run in facts.right}


def gains(facts: Facts) -> dict[str, float]:
    return {run: facts.c_at_1(run) - facts.accuracy(run) for run in facts.right}


def most(values: dict[str, float]) -> set[str]:
    return {run for run, value in values.items() if max(values.values()) - value < 1e-9}


def mean_silence(facts: Facts) -> float:
    return sum(silence(facts).values()) / len(facts.right)


def pairs(facts: Facts) -> int:
    return len(list(combinations(facts.right, 2)))


def untied(facts: Facts) -> float:
    """The share of pairs of runs that differ in c@1."""
    values = [facts.c_at_1(run) for run in facts.right]
    return sum(abs(a - b) > 1e-9 for a, b in combinations(values, 2)) / pairs(facts)


def needed(facts: Facts) -> float:
    """Questions until 2.80 standard errors are 0.05, by the median spread of the pairs.

    To first order, a question is worth right + (unanswered · R + right · U) / n to c@1, where R and
    U are the shares of right and unanswered questions.
    """
    worth = []
    for run, of in facts.right.items():
        n = facts.questions
        right, silent = facts.count(run, True) / n, facts.count(run, None) / n
        worth.append([(one is True) * (1 + silent) + (one is None) * right for one in of])
    spreads = [
        stdev([a - b for a, b in zip(*both, strict=True)])
        for both in list(combinations(worth, 2))[::7]
    ]
    return (2.80 * median(spreads) / 0.05) ** 2


PRICES = [step / 100 for step in range(96)]


def leaders(facts: Facts, t: float) -> set[str]:
    """The runs with the most right answers, less t / (1 - t) for each wrong one."""
    price = t / (1 - t)
    return most(
        {run: facts.count(run, True) - price * facts.count(run, False) for run in facts.right}
    )


SURE = r"\(95%, all pairs together\)"

CHECKS: list[tuple[str, Check]] = [
    (rf"{RUN} has the highest c@1, {V} \(95% interval {V} to {V}\)",
     lambda of, m: of.best == [m[1]] and fixed(of.c_at_1(m[1])) == m[2]
     and interval_holds(m[2], m[3], m[4])),
    (rf"{RUNS} have the highest c@1, {V}",
     lambda of, m: set(of.best) == listed(m[1]) and fixed(of.c_at_1(of.best[0])) == m[2]),
    (rf"{RUN} has c@1 {V} \(95% interval {V} to {V}\)(?:\. It is the only ranked run)?",
     lambda of, m: list(of.right) == [m[1]] and fixed(of.c_at_1(m[1])) == m[2]
     and interval_holds(m[2], m[3], m[4])),
    (r"It is the only ranked run", lambda of, _: len(of.right) == 1),
    (rf"All (\d+) ranked runs have c@1 {V}",
     lambda of, m: equal(of) and len(of.right) == int(m[1])
     and fixed(of.c_at_1(of.best[0])) == m[2]),
    (r"No ranked run answered any question", lambda of, _: min(silence(of).values()) == 1),
    # Two runs and n questions: the least p of all exchanges is 2 of 2^n.
    (r"There are only (\d+) questions: with fewer than 12, comparisons show little\. No p can be "
     r"below 1/(\d+), however large the difference",
     lambda of, m: of.questions == int(m[1]) < 12 and 2 ** (of.questions - 1) == int(m[2])),
    (r"The two ranked runs do not differ surely \(95%\): either may be the better one",
     lambda of, _: len(of.right) == 2 and of.questions < 6),
    (rf"No two of the (\d+) ranked runs differ surely {SURE}: any may be the best",
     lambda of, m: equal(of) and len(of.right) == int(m[1])),
    (rf"(\d+) of (\d+) ranked runs lead: no other run is surely better {SURE}\.(?: They are {RUNS})?",
     lambda of, m: 1 <= int(m[1]) < len(of.right) == int(m[2])
     and (m[3] is None or set(of.best) <= listed(m[3]))),
    (r"By c@1, the two ranked runs do not differ surely: nothing shows that one is better, nor "
     r"that they are equal", lambda of, _: len(of.right) == 2 and of.questions < 6),
    (r"By c@1, none of the (\d+) pairs of ranked runs differs? surely: .*",
     lambda of, m: equal(of) and pairs(of) == int(m[1])),
    (r"By c@1, ([\d,]+) of ([\d,]+) pairs of ranked runs differs? surely: .*",
     lambda of, m: 0 < int(m[1].replace(",", "")) < pairs(of) == int(m[2].replace(",", ""))),
    (r"Every run answered every question", lambda of, _: max(silence(of).values()) == 0),
    (r"Of all questions, the submitted runs left (\d+%) unanswered",
     lambda of, m: len(of.right) > 1 and percent(mean_silence(of), 0) == m[1]),
    (rf"Of all questions, {RUN} left (\d+%) unanswered",
     lambda of, m: list(of.right) == [m[1]] and percent(mean_silence(of), 0) == m[2]),
    (rf"{RUNS} gains? the most from unanswered questions, {V}",
     lambda of, m: most(gains(of)) == listed(m[1]) and len(listed(m[1])) < len(of.right)
     and fixed(max(gains(of).values())) == m[2]),
    (rf"{RUN} gains {V} from unanswered questions",
     lambda of, m: list(of.right) == [m[1]] and fixed(gains(of)[m[1]]) == m[2]),
    (rf"All (\d+) submitted runs gain {V} from unanswered questions",
     lambda of, m: equal(of) and len(of.right) == int(m[1])
     and fixed(max(gains(of).values())) == m[2]),
    (rf"The largest share of unanswered questions is (\d+%), of {RUNS}",
     lambda of, m: most(silence(of)) == listed(m[2]) and len(listed(m[2])) < len(of.right)
     and percent(max(silence(of).values()), 0) == m[1]),
    (rf"{RUN} left (\d+%) of the questions unanswered",
     lambda of, m: list(of.right) == [m[1]] and percent(mean_silence(of), 0) == m[2]),
    (r"All (\d+) submitted runs left (\d+%) of the questions unanswered",
     lambda of, m: len(set(silence(of).values())) == 1 and len(of.right) == int(m[1])
     and percent(mean_silence(of), 0) == m[2]),
    # The key knows what people called right, and nothing else.
    (r"exact agrees with people on 100\.0% of ([\d,]+) responses that both have judged, "
     r"except those that both call not attempted",
     lambda of, m: sum(each is not None for run in of.right.values() for each in run)
     == int(m[1].replace(",", ""))),
    # Runs with equal values are tied by both: such pairs count for nothing, and tau stays below 1.
    (rf"exact agrees with people on 100\.0% of ([\d,]+) responses that both have judged, "
     rf"except those that both call not attempted; tau between their rankings by c@1 is {V} \(95% interval {V} to {V}\)",
     lambda of, m: int(m[1].replace(",", "")) == sum(
         each is not None for run in of.right.values() for each in run)
     and fixed(untied(of)) == m[2] and interval_holds(m[2], m[3], m[4])),
    (rf"exact agrees with people on 100\.0% of ([\d,]+) responses that both have judged, "
     rf"except those that both call not attempted; their rankings by c@1 are the same, ties included "
     rf"\(tau is {V}, since a tied pair counts as neither\)",
     lambda of, m: int(m[1].replace(",", "")) == sum(
         each is not None for run in of.right.values() for each in run)
     and fixed(untied(of)) == m[2] and untied(of) < 1),
    (r"exact agrees with people on 100\.0% of ([\d,]+) responses that both have judged, "
     r"except those that both call not attempted; at least one of their rankings by c@1 ties all runs: "
     r"there is no order to compare",
     lambda of, m: int(m[1].replace(",", "")) == sum(
         each is not None for run in of.right.values() for each in run) and untied(of) == 0),
    # 2.80 standard errors: two-sided .05 and 80% power; rounded to two digits.
    (r"To see a difference of 0\.05 between two runs like these with 80% power takes about ([\d,]+) "
     r"questions: .*", lambda of, m: 0.8 < int(m[1].replace(",", "")) / needed(of) < 1.25),
    (r"All judges give the same ranking", lambda of, _: len(of.right) > 1),
    (r"Too few runs to compare rankings: at least 5 must be ranked by both",
     lambda of, _: len(of.right) < 5),
    (r"Too few runs to say .*: at least 5 must be ranked", lambda of, _: len(of.right) < 5),
    (r"Too few questions to say .*: the sets that are drawn need at least 10 questions, and "
     r"must leave some out", lambda of, _: of.questions < 12),
    (r"No two ranked runs differ, so nobody can say .*", lambda of, _: equal(of)),
    (rf"{RUN} is ahead at every price of an error",
     lambda of, m: all(leaders(of, t) == {m[1]} for t in PRICES)),
    (rf"{RUNS} are ahead together at every price of an error",
     lambda of, m: len(listed(m[1])) < len(of.right)
     and all(leaders(of, t) == listed(m[1]) for t in PRICES)),
    (r"All (\d+) ranked runs have the same value at every price of an error",
     lambda of, m: len(of.right) == int(m[1])
     and all(leaders(of, t) == set(of.right) for t in PRICES)),
    (rf"The value of {RUN}, by the price of an error", lambda of, m: list(of.right) == [m[1]]),
    (rf"The leader changes (?:once|\d+ times): {RUN} is ahead up to t = ([\d.]+), {RUN} from "
     r"t = ([\d.]+) on(?:\. By c@1, .*)?",
     lambda of, m: leaders(of, 0) == {m[1]} and leaders(of, 0.95) == {m[3]}
     and float(m[2]) <= float(m[4])),
    (rf"By c@1, {RUN} is ahead, as it is for t from ([\d.]+) to ([\d.]+)",
     lambda of, m: of.best == [m[1]] and leaders(of, min(float(m[3]), 0.95)) == {m[1]}),
    (rf"By c@1, {RUN} is ahead, as it is (?:at no price of an error|for t .* and .*)",
     lambda of, m: of.best == [m[1]]),
    (rf"By c@1, {RUNS} are ahead together", lambda of, m: set(of.best) == listed(m[1])),
    # Larger sets vary less.
    (rf"On average, c@1 has a standard deviation of {V} with (\d+) questions and of {V} with (\d+)",
     lambda of, m: float(m[1]) > float(m[3]) and 10 <= int(m[2]) < int(m[4]) < of.questions),
]  # fmt: skip
"""Sentences, and when they are true."""

TITLES = {
    "c@1 against accuracy",
    "Hits against false alarms",
    "Which run to pick, by the price of an error",
}
"""Headings that say what a chart is about, and nothing of the results."""

STUDIED = ("stability", "swap", "size_tau", "needed", "measure_tau", "judge_tau", "mrr")
"""Charts of studies, of which every number is in a table: `test_page.py` has their sentences."""


def findings(one: Shown) -> list[str]:
    """All that is said of a collection."""
    said = [sentence for section in one.sections for sentence in section.sentences]
    for chart in (chart for section in one.sections for chart in section.charts):
        if chart.id.startswith(STUDIED):
            continue
        said += [chart.finding, chart.caption.removeprefix(chart.reading.how).strip()]
    return [sentence.removesuffix(".") for sentence in said if sentence and sentence not in TITLES]


@pytest.mark.parametrize("name", NAMES)
def test_every_finding_is_true(shown: dict[str, Shown], name: str) -> None:
    facts = collections()[name]
    for sentence in findings(shown[name]):
        read_as = [
            (match, holds) for form, holds in CHECKS if (match := re.fullmatch(form, sentence))
        ]
        assert read_as, f"nobody checks: {sentence}"
        assert all(holds(facts, match) for match, holds in read_as), sentence


VERDICTS = {
    "two-by-three": ("first", "too few questions to say"),
    "one-run": ("alone", "the only ranked run"),
    "ties": (DASH, "all 4 have the same value"),
    "all-right": (DASH, "all 3 have the same value"),
    "silent": (DASH, "nothing answered"),
}


@pytest.mark.parametrize("name", NAMES)
def test_the_overview_is_true(shown: dict[str, Shown], name: str) -> None:
    facts = collections()[name]
    row = overview.summary(shown[name].collection)
    values = sorted((facts.c_at_1(run) for run in facts.right), reverse=True)
    assert row["value"] == fixed(values[0])
    assert row["runs"] == f"{len(facts.right)} run{'s' if len(facts.right) > 1 else ''}"
    assert row["questions"] == f"{facts.questions} questions"
    if row["leader"] != DASH:
        assert listed(row["leader"]) == set(facts.best)
    if row["margin"] != DASH:
        assert row["margin"] == fixed(values[0] - values[1])
        if row["margin_interval"]:
            low, high = row["margin_interval"].replace("−", "-").split(" to ")
            assert float(low) <= values[0] - values[1] <= float(high)
    if name in VERDICTS:
        assert (row["leader"], row["verdict"]) == VERDICTS[name]
    else:
        tied = re.fullmatch(r"clear|tied with (\d+) others?|(\d+) runs are tied", row["verdict"])
        assert tied, row["verdict"]
