"""Speed of the judge `key` beside a literal loop over the responses, in the same process.

And of the judge `learned` beside the judge `key` that reads numbers and dates.
"""

import multiprocessing
import re
import resource
import tempfile
import time
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from qampaign.judging import learned
from qampaign.judging.key import grammar, key_judge, words
from qampaign.judging.key.stopwords import STOP_WORDS
from qampaign.judging.key.words import STOP
from tests.bench.measures import tell

RUNS, KEYS, RANKS, VOCABULARY = 50, 2_000, 5, 60_000
LENGTHS = (7, 36)
"""Words in an answer: about 50 and 250 bytes."""

TOKEN = re.compile(r"\d+(?:[.,:]\d+)+|(?:[^\W\d_]\.){2,}(?:[^\W\d_]\b)?|[^\W_]+")
TABLES = ("responses", "keys", "questions")


def generate(folder: Path) -> None:
    """Answers, keys and questions as Parquet; words are as frequent as they are in texts."""
    rng = np.random.default_rng(2011)
    letters = rng.choice(list("etaoinshrdlucmfwypvbgk"), (VOCABULARY, 10))
    lengths = rng.integers(4, 11, VOCABULARY)
    vocabulary = ["".join(row[:n]) for row, n in zip(letters, lengths, strict=True)]
    stop_words = STOP_WORDS["en"].split()
    vocabulary[: len(stop_words)] = stop_words
    chances = 1 / np.arange(1, VOCABULARY + 1)
    marks = np.array(["", "", "", "", "", "", "", ",", ".", "'s"])

    def texts(lengths: np.ndarray, first: int = 0) -> list[str]:
        frequent = chances[first:] / chances[first:].sum()
        picked = rng.choice(np.arange(first, VOCABULARY), lengths.sum(), p=frequent)
        marked = rng.choice(marks, len(picked))
        running = [vocabulary[n] + mark for n, mark in zip(picked, marked, strict=True)]
        ends = lengths.cumsum()
        pairs = zip(ends - lengths, ends, strict=True)
        return [" ".join(running[a:b]).capitalize() for a, b in pairs]

    names = [f"q{n:04}" for n in range(KEYS)]
    forms = iter(texts(rng.integers(1, 4, 3 * KEYS), first=len(stop_words)))
    rows = [(f"r{r:02}", q, k + 1) for r in range(RUNS) for q in names for k in range(RANKS)]
    answers = pl.DataFrame(rows, schema=["run", "question", "rank"], orient="row").with_columns(
        line=pl.lit(None, pl.UInt32),
        answer=pl.Series(texts(rng.choice(LENGTHS, len(rows)))),
        confidence=pl.lit(None, pl.Float64),
        score=pl.lit(None, pl.Float64),
        answered=True,
    )
    answers.write_parquet(folder / "responses.parquet")
    empty = pl.lit(None, pl.String)
    pl.DataFrame(
        {"question": names, "key": [f"{next(forms)}; {next(forms)} | {next(forms)}" for _ in names]}
    ).with_columns(empty.alias("level"), empty.alias("class"), literal=pl.lit(False)).write_parquet(
        folder / "keys.parquet"
    )
    pl.DataFrame({"question": names}).with_columns(
        type=empty,
        nil=False,
        known=pl.lit(None, pl.Int64),
        group=empty,
        language=empty,
        date=pl.lit(None, pl.Date),
    ).write_parquet(folder / "questions.parquet")


def judge(folder: Path) -> pl.DataFrame:
    """What the rule judge computes."""
    tables = [pl.read_parquet(folder / f"{table}.parquet") for table in TABLES]
    return key_judge.key(*tables, name="bench").judgments


def learn(folder: Path) -> pl.DataFrame:
    """What the rule judge computes for a judge that learns from labels on every tenth question."""
    responses, keys, questions = (pl.read_parquet(folder / f"{table}.parquet") for table in TABLES)
    labels = responses.filter(pl.col("question").str.ends_with("0")).select(
        "run", "question", "rank", "answer",
        right=pl.col("answer").str.len_bytes() % 5 == 0,
    )  # fmt: skip
    asked = questions.with_columns(text=pl.lit("Who was the first of them?"))
    return learned.learned(responses, keys, asked, name="bench", labels=labels, seed="1").judgments


def judge_all_on(folder: Path) -> pl.DataFrame:
    """The judge `key` with everything on."""
    tables = [pl.read_parquet(folder / f"{table}.parquet") for table in TABLES]
    return key_judge.key(*tables, name="bench", numbers=True, dates=True).judgments


def loop(folder: Path) -> list[tuple[float, float, str]]:
    """Recall, precision and form of every response, one after the other; every stem made once."""
    normaliser = words.Normaliser("en")
    stems: dict[str, str] = {}

    def words_of(text: str) -> list[str]:
        tokens = TOKEN.findall(unicodedata.normalize("NFKC", text))
        for token in tokens:
            if token not in stems:
                (stems[token],) = normaliser.words([token])
        return [stems[token] for token in tokens]

    forms: dict[str, list[tuple[str, set[str]]]] = {}
    for question, text in pl.read_parquet(folder / "keys.parquet", columns=[0, 1]).iter_rows():
        for answer in grammar.parse(text).answers:
            for form in answer.forms:
                every = set(words_of(form.text))
                content = {word for word in every if not word.startswith(STOP)}
                forms.setdefault(question, []).append((form.text, content or every))
    found = []
    responses = pl.read_parquet(folder / "responses.parquet")
    for question, text in responses.select("question", "answer").iter_rows():
        running = words_of(text)
        best = (-1.0, -1.0, "")
        for form, key_words in forms[question]:
            recall = len(key_words.intersection(running)) / len(key_words)
            in_form = sum(word in key_words for word in running)
            sizes = sum(word in key_words or not word.startswith(STOP) for word in running)
            precision = in_form / max(sizes, 1)
            if (recall, precision) > best[:2]:
                best = (recall, precision, form)
        found.append(best)
    return found


def timed(step: Callable[[], Any]) -> tuple[float, Any]:
    """Processor seconds, of all threads together, and result of a step.

    One thread against several: what a busy machine does to them is not the same.
    """
    begun = time.process_time()
    found = step()
    return time.process_time() - begun, found


def peak_memory(folder: Path) -> float:
    """GiB that a process needs at most that does nothing else."""
    process = multiprocessing.get_context("spawn").Process(target=judge, args=(folder,))
    process.start()
    process.join()
    assert process.exitcode == 0
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 2**20


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="qampaign-bench-") as name:
        folder = Path(name)
        generate(folder)
        theirs, expected = timed(lambda: loop(folder))
        judge(folder)  # libraries load what they load at first use
        words.normaliser.cache_clear()
        seconds, judged = timed(lambda: judge(folder))
        found = judged.select("recall", "precision", "form").rows()
        assert found == expected
        what = f"key judge, {RUNS * KEYS * RANKS:,} responses, {KEYS:,} keys (processor time)"
        tell(what, seconds, "a loop over responses", theirs, "at least 5")
        print(f"at most {peak_memory(folder):.1f} GiB of memory (aim: 2)", flush=True)
        learn(folder)  # compiles its loops, loads scikit-learn
        beside, _ = timed(lambda: judge_all_on(folder))
        seconds, _ = timed(lambda: learn(folder))
        print(
            f"learned judge, as many responses: {seconds:.1f} s of processor time, "
            f"{seconds / beside:.1f} times the key judge with numbers and dates (aim: at most 3)",
            flush=True,
        )


if __name__ == "__main__":
    main()
