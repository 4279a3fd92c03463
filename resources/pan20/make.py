"""Make the files of this folder from the originals.

    python resources/pan20/make.py CHECKOUT [FOLDER]

CHECKOUT is `clef20/authorship-verification` of a clone of github.com/pan-webis-de/pan-code, at the
commit that README.md names. Values are kept as they were submitted, to the last digit.
"""

import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import polars as pl

TRUTH = "datasets/pan20-authorship-verification-test/truth.jsonl"
SUBMISSIONS = "submissions/*/answers.jsonl"
UNANSWERED = 0.5


def read(path: Path) -> Iterator[dict[str, Any]]:
    """The objects of a file, one a line."""
    return map(json.loads, path.read_text(encoding="utf-8").splitlines())


def responses(run: str, rows: Iterable[dict[str, Any]]) -> pl.DataFrame:
    """What a run says of each item: a value of exactly 0.5 is no answer, one above it yes."""
    values = [(row["id"], row["value"]) for row in rows]
    plain = [(item, value[0] if isinstance(value, list) else value) for item, value in values]
    frame = pl.DataFrame(plain, schema={"question": pl.String, "score": pl.Float64}, orient="row")
    score = pl.col("score")
    answer = pl.when(score > UNANSWERED).then(pl.lit("yes")).when(score < UNANSWERED)
    return frame.select(
        pl.lit(run).alias("run"), "question", answer.then(pl.lit("no")).alias("answer"), "score"
    )


def groups(pairs: Iterable[tuple[str, str]]) -> list[str]:
    """The group of each pair of authors: pairs with an author in common are in one."""
    pairs, leader = list(pairs), dict[str, str]()

    def find(author: str) -> str:
        while leader.setdefault(author, author) != author:
            author = leader[author]
        return author

    for one, other in pairs:
        leader[find(one)] = find(other)
    names: dict[str, str] = {}
    return [names.setdefault(find(one), f"g{len(names) + 1:04}") for one, _ in pairs]


def main(checkout: Path, folder: Path) -> None:
    truth = list(read(checkout / TRUTH))
    pairs = ((row["authors"][0], row["authors"][1]) for row in truth)
    items = pl.DataFrame(
        {
            "question": [row["id"] for row in truth],
            "group": groups(pairs),
            "label": ["yes" if row["same"] else "no" for row in truth],
        }
    )
    submitted = sorted(checkout.glob(SUBMISSIONS))
    runs = pl.concat(responses(path.parent.name, read(path)) for path in submitted)
    written = {"runs": runs, "questions": items[["question", "group"]]}
    written["assessments"] = items[["question", "label"]]
    for name, frame in written.items():
        frame.write_parquet(
            folder / f"{name}.parquet",
            compression="zstd",
            compression_level=22,
            row_group_size=len(frame),
        )


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]) if sys.argv[2:] else Path(__file__).parent)
