"""Speed of the judge `key` beside a literal loop over the responses, in the same process.

And of the judge `learned` beside the judge `key` that reads numbers and dates.
"""

import gc
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
from qampaign.judging.key.forms import KeyForm, KeyRow, compile_forms
from qampaign.judging.key.quantities import Catalogue, Reading
from qampaign.judging.key.stopwords import STOP_WORDS
from qampaign.judging.key.words import QUANTITY, Word
from tests.bench.measures import tell

RUNS, KEYS, RANKS, VOCABULARY = 50, 2_000, 5, 60_000
LENGTHS = (7, 36)
"""Words in an answer: about 50 and 250 bytes."""

QUANTITIES = (
    *(str(year) for year in range(1900, 2000)),
    *(f"{n} km" for n in range(2, 50)),
    *(f"{day} May 1976" for day in range(1, 29)),
    *("10%", "ten percent", "$5 million", "2,500", "1.39 billion", "20 years"),
)
SHARE = 0.1
"""What share of keys and answers has one of them."""

EVERYTHING = {"numbers": True, "dates": True, "units": True, "tolerance": 0.01}
TOKEN = re.compile(rf"{QUANTITY}\d+|" r"\d+(?:[.,:]\d+)+|(?:[^\W\d_]\.){2,}(?:[^\W\d_]\b)?|[^\W_]+")
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

    def with_quantities(texts: list[str]) -> list[str]:
        some, which = rng.random(len(texts)) < SHARE, rng.choice(QUANTITIES, len(texts))
        return [
            f"{text} {each}" if has else text
            for text, has, each in zip(texts, some.tolist(), which.tolist(), strict=True)
        ]

    names = [f"q{n:04}" for n in range(KEYS)]
    forms = iter(with_quantities(texts(rng.integers(1, 4, 3 * KEYS), first=len(stop_words))))
    rows = [(f"r{r:02}", q, k + 1) for r in range(RUNS) for q in names for k in range(RANKS)]
    answers = pl.DataFrame(rows, schema=["run", "question", "rank"], orient="row").with_columns(
        line=pl.lit(None, pl.UInt32),
        answer=pl.Series(with_quantities(texts(rng.choice(LENGTHS, len(rows))))),
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


def judge(folder: Path, options: dict[str, Any]) -> pl.DataFrame:
    """What the rule judge computes."""
    tables = [pl.read_parquet(folder / f"{table}.parquet") for table in TABLES]
    return key_judge.key(*tables, name="bench", **options).judgments


def learn(folder: Path) -> pl.DataFrame:
    """What the rule judge computes for a judge that learns from labels on every tenth question."""
    responses, keys, questions = (pl.read_parquet(folder / f"{table}.parquet") for table in TABLES)
    labels = responses.filter(pl.col("question").str.ends_with("0")).select(
        "run", "question", "rank", "answer",
        right=pl.col("answer").str.len_bytes() % 5 == 0,
    )  # fmt: skip
    asked = questions.with_columns(text=pl.lit("Who was the first of them?"))
    return learned.learned(responses, keys, asked, name="bench", labels=labels, seed="1").judgments


def loop(folder: Path, options: dict[str, Any]) -> list[tuple[float, float, str]]:
    """Recall, precision and form of every response, one after the other; every stem made once."""
    normaliser = words.Normaliser("en")
    tolerance = options.get("tolerance", 0.0)
    reading = Reading(
        "en",
        options.get("numbers", False),
        options.get("dates", False),
        None,
        units=options.get("units", False),
    )
    known: dict[str, Word] = {}

    def words_of(text: str) -> list[Word]:
        tokens = TOKEN.findall(unicodedata.normalize("NFKC", text))
        for token in tokens:
            if token not in known:
                (known[token],) = normaliser.words([token])
        return [known[token] for token in tokens]

    keys = pl.read_parquet(folder / "keys.parquet", columns=["question", "key"])
    rows = [KeyRow(n, grammar.parse(key), None, None) for n, key in enumerate(keys["key"])]
    catalogue = Catalogue()
    compiled = compile_forms(rows, [reading] * len(rows), "en", normaliser, catalogue)
    forms: dict[str, list[KeyForm]] = {name: [] for name in keys["question"]}
    for form in compiled.forms:
        forms[keys["question"][form.question]].append(form)
    quantified = {keys["question"][number] for number in compiled.readings}

    sets = {e.words[0]: {*e.words[0]} for form in compiled.forms for e in form.elements if e.words}
    found = []
    responses = pl.read_parquet(folder / "responses.parquet")
    for question, text in responses.select("question", "answer").iter_rows():
        quantities: list[int] = []
        named = text
        if question in quantified:
            named, quantities = catalogue.enter(unicodedata.normalize("NFKC", text), reading)
        running = words_of(named)
        there = {name for word in running for name in word.names}
        sizes = sum(not word.is_stop for word in running)
        best = (-1.0, -1.0, "")
        for form in forms[question]:
            accepted = [
                {
                    f"{QUANTITY}{number}"
                    for number in quantities
                    if element.quantity.is_given_by(catalogue.quantities[number], tolerance)
                }
                if element.quantity is not None
                else sets[element.words[0]]
                for element in form.elements
            ]
            recall = sum(not each.isdisjoint(there) for each in accepted)
            every = set().union(*accepted)
            in_form = sum(not every.isdisjoint(word.names) for word in running)
            fit = (recall / form.key_words, in_form / max(sizes, 1))
            if fit > best[:2]:
                best = (*fit, form.text)
        found.append(best)
    return found


def timed(step: Callable[[], Any]) -> tuple[float, Any]:
    """Processor seconds, of all threads together, and result of a step.

    One thread against several: what a busy machine does to them is not the same. What was made
    before is nothing that the step would have in a process of its own: the collector leaves it.
    """
    gc.collect()
    gc.freeze()
    begun = time.process_time()
    found = step()
    seconds = time.process_time() - begun
    gc.unfreeze()
    return seconds, found


def peak_memory(folder: Path) -> float:
    """GiB that a process needs at most that does nothing else."""
    process = multiprocessing.get_context("spawn").Process(target=judge, args=(folder, EVERYTHING))
    process.start()
    process.join()
    assert process.exitcode == 0
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 2**20


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="qampaign-bench-") as temporary:
        folder = Path(temporary)
        generate(folder)
        judge(folder, EVERYTHING)  # libraries load what they load at first use
        for name, options in (("words alone", {}), ("everything on", EVERYTHING)):
            theirs, expected = timed(lambda options=options: loop(folder, options))
            words.normaliser.cache_clear()
            seconds, judged = timed(lambda options=options: judge(folder, options))
            found = judged.select("recall", "precision", "form").rows()
            assert found == expected
            what = f"key judge, {name}, {RUNS * KEYS * RANKS:,} responses, {KEYS:,} keys"
            tell(f"{what} (processor time)", seconds, "a loop over responses", theirs, "at least 8")
        print(f"at most {peak_memory(folder):.1f} GiB of memory (aim: 2)", flush=True)
        learn(folder)  # compiles its loops, loads scikit-learn
        beside, _ = timed(lambda: judge(folder, EVERYTHING))
        seconds, _ = timed(lambda: learn(folder))
        print(
            f"learned judge, as many responses: {seconds:.1f} s of processor time, "
            f"{seconds / beside:.1f} times the key judge with everything on (aim: at most 3)",
            flush=True,
        )


if __name__ == "__main__":
    main()
