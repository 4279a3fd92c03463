"""Speed of the studies beside the papers' listings in plain Python and bare matrix products.

Everything in one process; the first call, which compiles or loads the kernels, is told apart.
"""

import resource
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from itertools import combinations
from random import Random
from typing import Any

import numpy as np
import polars as pl

from qampaign.measures.evidence import Evidence
from qampaign.measures.scoring import Configured
from qampaign.studies import significance, stability, swap

FUZZINESS = stability.FUZZINESS
MRR = [Configured("mrr", "mrr", {"cutoff": 5})]
RR = 'reciprocal_rank {"cutoff": 5}'
EIGHT = [
    Configured(each, each, {})
    for each in (
        "accuracy",
        "utility",
        "utility_half",
        "c_at_1",
        "unanswered_as_right",
        "precision_answered",
        "answered",
        "f_attempted",
    )
]


def timed(step: Callable[[], Any], rounds: int = 1) -> float:
    """Seconds of the fastest of some rounds."""
    found = []
    for _ in range(rounds):
        begun = time.perf_counter()
        step()
        found.append(time.perf_counter() - begun)
    return min(found)


def made(runs: int, questions: int, columns: dict[str, np.ndarray]) -> Evidence:
    return Evidence(
        pl.DataFrame(
            {"run": [f"run{n:04}" for n in range(runs)], "kind": "submitted", "assessed": True}
        ),
        pl.DataFrame(
            {"question": [f"q{n:06}" for n in range(questions)]},
            schema_overrides={"type": pl.String},
        ).with_columns(type=pl.lit(None, pl.String)),
        {"questions": np.ones((runs, questions), dtype=np.uint8), **columns},
    )


def ranked(runs: int = 25, questions: int = 195) -> Evidence:
    """Reciprocal ranks like those of QAC2: 25 runs of all qualities, 195 questions."""
    rng = np.random.default_rng(2004)
    found = rng.random((runs, questions)) < rng.uniform(0.1, 0.8, (runs, 1))
    rank = 1.0 / rng.integers(1, 6, (runs, questions))
    return made(runs, questions, {RR: np.where(found, rank, 0.0)})


def abstaining(runs: int, questions: int) -> Evidence:
    """Right, wrong and unanswered questions of runs of all qualities."""
    rng = np.random.default_rng(2011)
    quality = rng.uniform(0.3, 0.7, (runs, 1)).astype(np.float32)
    drawn = rng.random((runs, questions), dtype=np.float32)
    right, wrong = drawn < 0.8 * quality, drawn > 0.8
    columns = {"correct": right, "wrong": ~right & ~wrong, "unanswered": wrong}
    return made(runs, questions, {name: own.astype(np.uint8) for name, own in columns.items()})


def list_stability(
    rows: Sequence[Sequence[float]], size: int, trials: int, *, fresh: bool
) -> dict[float, list[int]]:
    """The listing in plain Python: minority and ties for all fuzziness values in one pass."""
    random, questions = Random(1), range(len(rows[0]))
    pairs = list(combinations(range(len(rows)), 2))
    counts = {pair: [[0, 0, 0] for _ in FUZZINESS] for pair in pairs}

    def compare(x: int, y: int, chosen: Sequence[int]) -> None:
        of_x = sum([rows[x][q] for q in chosen]) / size
        of_y = sum([rows[y][q] for q in chosen]) / size
        for f, own in zip(FUZZINESS, counts[x, y], strict=True):
            margin = abs(f * max(of_x, of_y))
            if abs(of_x - of_y) < margin or of_x == of_y:
                own[2] += 1
            elif of_x > of_y:
                own[0] += 1
            else:
                own[1] += 1

    if fresh:
        for x, y in pairs:
            for _ in range(trials):
                compare(x, y, random.sample(questions, size))
    else:
        for _ in range(trials):
            chosen = random.sample(questions, size)
            for x, y in pairs:
                compare(x, y, chosen)
    return {
        f: [
            sum(min(own[n][:2]) for own in counts.values()),
            sum(own[n][2] for own in counts.values()),
        ]
        for n, f in enumerate(FUZZINESS)
    }


def list_swap(
    rows: Sequence[Sequence[float]], size: int, trials: int
) -> tuple[list[int], list[int]]:
    """The listing of swap rates, one pair of sets for all runs in a trial."""
    random, questions = Random(1), range(len(rows[0]))
    counter, swaps = [0] * 21, [0] * 21
    for _ in range(trials):
        order = random.sample(questions, 2 * size)
        first, second = order[:size], order[size:]
        for x, y in combinations(range(len(rows)), 2):
            one = sum([rows[x][q] for q in first]) / size - sum([rows[y][q] for q in first]) / size
            two = (
                sum([rows[x][q] for q in second]) / size - sum([rows[y][q] for q in second]) / size
            )
            place = min(int(abs(one) / 0.01), 20)
            counter[place] += 1
            if one * two < 0:
                swaps[place] += 1
    return counter, swaps


def bench_listings(trials: int = 1000, listed: int = 50) -> None:
    """The papers' size; the listings run fewer trials, and their time is taken to grow with them."""
    evidence, size = ranked(), 97
    rows = evidence.columns[RR].tolist()
    how: dict[str, Any] = {"size": size, "seed": "bench", "trials": trials, "threads": 2}
    studies: list[tuple[str, Callable[[], Any], Callable[[], Any], int]] = [
        (
            "stability, shared draws",
            lambda: stability.study(evidence, MRR, **how),
            lambda: list_stability(rows, size, listed, fresh=False),
            500,
        ),
        (
            "stability, independent draws",
            lambda: stability.study(evidence, MRR, draws="independent", **how),
            lambda: list_stability(rows, size, listed, fresh=True),
            20,
        ),
        (
            "swap, shared draws",
            lambda: swap.study(evidence, MRR, **how),
            lambda: list_swap(rows, size, listed),
            300,
        ),
    ]
    for what, fast, listing, aim in studies:
        first = timed(fast)
        seconds, theirs = timed(fast, 7), timed(listing, 2) * trials / listed
        print(
            f"{what}: 25 runs x 195 questions x {trials:,} trials: {seconds * 1e3:.1f} ms; listing: "
            f"{theirs:.1f} s; {theirs / seconds:,.0f} times as fast (aim: at least {aim}); first call "
            f"{first - seconds:.1f} s more",
            flush=True,
        )


def bench_products(runs: int = 200, questions: int = 10_000, trials: int = 1000) -> None:
    """Eight sum-based measures beside the bare products, and how cost grows."""
    evidence = abstaining(runs, questions)

    def study(evidence: Evidence, trials: int) -> None:
        size = evidence.questions.height // 2
        stability.study(evidence, EIGHT, size=size, seed="bench", trials=trials, threads=2)

    study(abstaining(5, 50), 10)
    seconds = timed(lambda: study(evidence, trials), 3)
    column = evidence.columns["correct"].astype(np.float32)
    weights = np.random.default_rng(1).integers(0, 2, (trials, questions)).astype(np.float32).T
    bare = timed(lambda: [column @ weights for _ in EIGHT], 3)
    few = bare * 4 / len(EIGHT)  # correct, wrong, unanswered, questions
    print(
        f"stability, eight measures, {runs} runs x {questions:,} questions x {trials:,} trials: "
        f"{seconds:.2f} s; eight bare products: {bare:.2f} s; {seconds / bare:.1f} times (aim: at "
        f"most 10); beside one product for each of the four columns {seconds / few:.1f} times",
        flush=True,
    )
    for what, sizes in (
        ("trials", [(questions, trials * n // 4) for n in (1, 2, 4, 8)]),
        ("questions", [(questions * n // 4, trials) for n in (1, 2, 4, 8)]),
    ):
        curve = []
        for number, tried in sizes:
            own = partial(study, abstaining(runs, number), tried)
            curve.append((number if what == "questions" else tried, timed(own, 2)))
        shown = ", ".join(f"{number:,}: {spent:.2f} s" for number, spent in curve)
        print(f"  by {what}: {shown}", flush=True)


def bench_randomisation(runs: int = 48, questions: int = 200, resamples: int = 1000) -> None:
    """Tests of all pairs, sum-based and order-based."""
    rng = np.random.default_rng(3)
    by = rng.random((runs, questions))
    correct = (rng.random((runs, questions)) < rng.uniform(0.2, 0.7, (runs, 1))).astype(np.uint8)
    evidence = made(
        runs, questions, {"correct": correct, 'confidence_order {"ties": "average"}': by}
    )
    for name, options in (("accuracy", {}), ("cws", {"ties": "average"})):
        own = [Configured(name, name, options)]
        significance.study(evidence, own, seed="bench", resamples=20, threads=2)
        seconds = timed(
            lambda own=own: significance.study(
                evidence, own, seed="bench", resamples=resamples, threads=2
            )
        )
        pairs = runs * (runs - 1) // 2
        print(f"significance, {name}: {pairs:,} pairs x {resamples:,} resamples: {seconds:.2f} s")


COMPARED = """
import time
import numpy as np
from tests.bench.studies import abstaining, memory, Configured
from qampaign.studies import comparisons
from qampaign.studies.exchange import Exchange, all_pairs
from qampaign.studies.units import Units

def spent(step):
    begun = time.process_time()
    step()
    return time.process_time() - begun

measure = Configured("{measure}", "{measure}", {{}})
comparisons.study(abstaining(5, 20), [measure], seed="bench")
evidence = abstaining({runs}, {questions})
every = np.ones((1, {questions}), dtype=np.uint8)
value = measure.values(evidence, every)[:, 0]
exchange = Exchange(evidence, Units.of(evidence.questions, "group"), seed="bench", draws=9999)
seconds = spent(lambda: exchange.test(measure, value, all_pairs(np.arange({runs}))))
peak = memory()
coins = np.random.default_rng(1).integers(0, 2, (9999, {questions})).astype(float)
column = np.ascontiguousarray(evidence.columns["correct"].T).astype(float)
bare = spent(lambda: coins @ column)
print(f"{{seconds:.2f}} s of processor time, {{seconds / bare:.1f}} times the bare product, "
      f"{{peak:.2f}} GiB at most")
"""


def bench_comparisons() -> None:
    """The test of all pairs by exchange, each in a process of its own."""
    for runs, questions, measure, aim in (
        (40, 500, "c_at_1", "under a second"),
        (200, 10_000, "accuracy", "10 times, 2 GiB"),
        (200, 10_000, "c_at_1", "10 times, 2 GiB"),
    ):
        code = COMPARED.format(runs=runs, questions=questions, measure=measure)
        told = subprocess.run(
            [sys.executable, "-c", code], check=True, capture_output=True, text=True
        )
        print(
            f"comparisons, {measure}, {runs} runs x {questions:,} questions x 9,999 draws: "
            f"{told.stdout.strip()} (aim: {aim})",
            flush=True,
        )


LARGE = """
import time
from tests.bench.studies import abstaining, memory, stability, Configured
begun = time.perf_counter()
evidence = abstaining({runs}, {questions})
made = time.perf_counter()
measures = [Configured(each, each, {{}}) for each in {measures}]
found = stability.study(
    evidence, measures, size={questions} // 2, seed="bench", trials=1000, threads=2
)
print(f"{{time.perf_counter() - made:.1f}} s (its evidence {{made - begun:.1f}} s), "
      f"{{memory():.2f}} GiB at most")
"""


def memory() -> float:
    """The most that this process has used, in GiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20


def bench_memory() -> None:
    """Large collections, each in a process of its own."""
    eight = [each.measure for each in EIGHT]
    for runs, questions, measures, aim in (
        (200, 10_000, eight, "under 2 GiB"),
        (1_000, 100_000, ["c_at_1"], "finishes under 6 GiB"),
    ):
        code = LARGE.format(runs=runs, questions=questions, measures=measures)
        told = subprocess.run(
            [sys.executable, "-c", code], check=True, capture_output=True, text=True
        )
        print(
            f"stability, {len(measures)} measure(s), {runs:,} runs x {questions:,} questions x 1,000 "
            f"trials: {told.stdout.strip()} (aim: {aim})",
            flush=True,
        )


SMALL = """
import time
begun = time.perf_counter()
import polars
from tests.bench.studies import MRR, ranked
from qampaign.studies import stability
evidence = ranked()
stability.study(evidence, MRR, size=97, seed="bench", trials=1, threads=2)
ready = time.perf_counter()
stability.study(evidence, MRR, size=97, seed="bench", trials=1000, threads=2)
print(f"{ready - begun:.2f} s to load, {time.perf_counter() - ready:.3f} s to compute")
"""


def bench_start() -> None:
    """What a small job spends besides computing, in a new process with the kernels on disk."""
    told = [
        subprocess.run([sys.executable, "-c", SMALL], check=True, capture_output=True, text=True)
        for _ in range(2)
    ]
    print(f"a small stability job: {told[1].stdout.strip()} (aim: under 2 s outside computing)")


def main() -> None:
    bench_listings()
    bench_products()
    bench_randomisation()
    bench_comparisons()
    bench_memory()
    bench_start()


if __name__ == "__main__":
    main()
