"""Speed of agreement at many thresholds beside one sort of the same column, in the same process."""

import numpy as np
import polars as pl

from qampaign.agreement.agreement import agree, match
from qampaign.judging.judgments import Verdict
from tests.bench.measures import timed

RUNS, QUESTIONS, RANKS = 50, 20_000, 5
THRESHOLDS = 1_000
RECALLS = [0.0, 0.25, 1 / 3, 0.5, 2 / 3, 0.75, 1.0]


def generate(degree: np.ndarray, rng: np.random.Generator) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Judgments of every response by a judge with these degrees, and by a reference."""
    size = RUNS * QUESTIONS * RANKS
    runs, questions = (
        pl.Enum([f"{letter}{number:05}" for number in range(count)])
        for letter, count in (("r", RUNS), ("q", QUESTIONS))
    )
    rows = np.arange(size, dtype=np.uint32)
    keys = pl.DataFrame(
        {
            "run": pl.Series(rows // (QUESTIONS * RANKS)).cat.to(runs),
            "question": pl.Series(rows // RANKS % QUESTIONS).cat.to(questions),
            "rank": rows.astype(np.int64) % RANKS + 1,
        }
    )
    right = rng.random(size) < np.where(degree > 0.5, 0.8, 0.05)

    def verdict(flags: np.ndarray) -> pl.Series:
        return pl.Series(np.where(flags, 0, 1).astype(np.uint8)).cat.to(Verdict)

    reference = keys.with_columns(verdict=verdict(right), nil=pl.lit(False))
    judged = reference.with_columns(
        verdict=verdict(degree > 0.25),
        degree=degree,
        recall=degree,
        precision=degree,
        form=pl.lit(None, pl.String),
    )
    return judged, reference


def bench(what: str, degree: np.ndarray, rng: np.random.Generator) -> None:
    """The time of a sort, and of agreement at many thresholds, the best of three each."""
    judged, reference = generate(degree, rng)
    questions = pl.DataFrame(
        {
            "question": judged.schema["question"].categories,  # type: ignore[attr-defined]
            "type": ["factoid", "definition", "list", "temporal"] * (QUESTIONS // 4),
        }
    )
    correct = {"correct": ["right"], "reference_correct": ["right"]}
    matching, pairs = timed(lambda: match(judged, reference, questions, **correct))  # type: ignore[arg-type]
    thresholds = np.linspace(0, 1, THRESHOLDS).tolist()
    sort = min(timed(lambda: np.sort(degree))[0] for _ in range(3))
    polars_sort = min(timed(lambda: pairs["degree"].sort())[0] for _ in range(3))
    timings = [timed(lambda: agree(pairs, thresholds)) for _ in range(3)]
    seconds, table = min(timed_[0] for timed_ in timings), timings[0][1]
    literal = table.filter(run="all", slice="all", threshold=thresholds[300])
    accepted = degree > thresholds[300]
    assert literal["hits"].item() == (accepted & pairs["right"].to_numpy()).sum()
    print(
        f"{what}, {len(degree):,} responses, {THRESHOLDS:,} thresholds: {seconds:.3f} s; one sort: "
        f"{sort:.3f} s (polars {polars_sort:.3f} s); {seconds / sort:.1f} times a sort, "
        f"{seconds / polars_sort:.1f} times polars' (aim: at most 3); matching the judgments "
        f"before: {matching:.2f} s",
        flush=True,
    )


def main() -> None:
    rng = np.random.default_rng(2011)
    size = RUNS * QUESTIONS * RANKS
    bench("agreement, continuous degrees", rng.random(size), rng)
    bench("agreement, seven distinct degrees", rng.choice(RECALLS, size), rng)


if __name__ == "__main__":
    main()
