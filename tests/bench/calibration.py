"""Do tests and intervals keep their promises? Simulated collections, more than a test can afford.

False positives: two copies of one system, right by the same chances question by question, with
noise of their own. Coverage: how often a 95% interval holds the value that a system has over all
questions there could be.
"""

import numpy as np
import polars as pl

from qampaign.measures.evidence import Evidence
from qampaign.measures.scoring import Configured
from qampaign.studies import intervals, significance

ACCURACY = Configured("accuracy", "accuracy", {})
C_AT_1 = Configured("c@1", "c_at_1", {})
MEASURES = [ACCURACY, C_AT_1, Configured("mrr", "mrr", {"cutoff": 5})]
COPIES = 12


def collection(rng: np.random.Generator, runs: int, questions: int) -> Evidence:
    """Copies of one system on questions of all difficulties; it leaves out the hard ones, mostly."""
    chance = rng.beta(1.2, 1.2, questions)
    silent = rng.random((runs, questions)) < 0.4 * (1 - chance)
    right = (rng.random((runs, questions)) < chance) & ~silent
    rank = np.where(
        right, 1.0, (rng.random((runs, questions)) < 0.3) / rng.integers(2, 6, (runs, questions))
    )
    columns = {"correct": right, "unanswered": silent, "wrong": ~right & ~silent}
    return Evidence(
        pl.DataFrame(
            {"run": [f"run{n:03}" for n in range(runs)], "kind": "submitted", "assessed": True}
        ),
        pl.DataFrame({"question": [f"q{n}" for n in range(questions)]}).with_columns(
            type=pl.lit(None, pl.String)
        ),
        {
            "questions": np.ones((runs, questions), dtype=np.uint8),
            **{name: own.astype(np.uint8) for name, own in columns.items()},
            'reciprocal_rank {"cutoff": 5}': rank,
        },
    )


def false_positives(questions: int, collections: int = 1500, resamples: int = 999) -> None:
    """The share of pairs of equals that each test tells apart."""
    rng = np.random.default_rng(1)
    shares = pl.concat(
        significance.study(
            collection(rng, COPIES, questions), MEASURES, seed=str(number), resamples=resamples
        )
        .tests.group_by("measure", "test", maintain_order=True)
        .agg((pl.col("p") <= level).mean().alias(f"{level:g}") for level in (0.05, 0.01))
        for number in range(collections)
    )
    print(f"false positives at .05 and .01, {questions} questions:")
    for (measure, test), own in shares.group_by("measure", "test", maintain_order=True):
        told = ", ".join(_mean(own[level].to_numpy()) for level in ("0.05", "0.01"))
        print(f"  {measure}, {test}: {told}", flush=True)


def coverage(questions: int, collections: int = 1500, resamples: int = 999) -> None:
    """The share of intervals that hold the value over very many questions."""
    rng = np.random.default_rng(2)
    whole = collection(np.random.default_rng(3), 5, 2_000_000)
    every = np.ones((1, 2_000_000), dtype=np.uint8)
    truth = {each.name: float(each.values(whole, every).mean()) for each in MEASURES}
    held = pl.concat(
        intervals.study(
            collection(rng, COPIES, questions), MEASURES, seed=str(number), resamples=resamples
        )
        .with_columns(truth=pl.col("measure").replace_strict(truth))
        .group_by("measure", maintain_order=True)
        .agg(pl.col("truth").is_between("low", "high").mean())
        for number in range(collections)
    )
    print(f"coverage of 95% intervals, {questions} questions:")
    for (measure,), own in held.group_by("measure", maintain_order=True):
        print(f"  {measure}: {_mean(own['truth'].to_numpy())}", flush=True)


def _mean(shares: np.ndarray) -> str:
    """The mean over collections and its standard error; runs of one share their questions."""
    return f"{shares.mean():.4f} ± {shares.std(ddof=1) / len(shares) ** 0.5:.4f}"


def main() -> None:
    for questions in (50, 200, 500):
        false_positives(questions)
        coverage(questions)


if __name__ == "__main__":
    main()
