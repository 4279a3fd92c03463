"""Campaigns at the edges: what a sentence says of them is easily false.

Every collection has the same form: runs with answers and confidences, a key, and people who judged
every answer. `Facts` has what is true of a collection, counted from the answers alone.
"""

import csv
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

MEASURES = ["c_at_1", "accuracy", "mrr"]

STUDIES = (
    "{stability: {trials: 20}, swap: {trials: 20}, sizes: {trials: 20}, "
    "significance: {resamples: 200}}"
)


@dataclass
class Facts:
    """What runs answered: `right[run][question]` is True, False, or None where nothing was said."""

    right: dict[str, list[bool | None]] = field(default_factory=dict)

    @property
    def questions(self) -> int:
        return len(next(iter(self.right.values())))

    def count(self, run: str, outcome: bool | None) -> int:
        return sum(each is outcome for each in self.right[run])

    def c_at_1(self, run: str) -> float:
        """(right + unanswered · right / n) / n: Peñas & Rodrigo 2011, (4)."""
        n, right, silent = self.questions, self.count(run, True), self.count(run, None)
        return (right + silent * right / n) / n

    def accuracy(self, run: str) -> float:
        return self.count(run, True) / self.questions

    @property
    def best(self) -> list[str]:
        values = {run: self.c_at_1(run) for run in self.right}
        return [run for run, value in values.items() if abs(value - max(values.values())) < 1e-9]

    @property
    def solved(self) -> int:
        return sum(
            any(of is True for of in each) for each in zip(*self.right.values(), strict=True)
        )


def collections() -> dict[str, Facts]:
    """Two runs and three questions, one run, ties, all right, nothing answered, two hundred runs."""
    rng = np.random.default_rng(7)
    yes, no, none = True, False, None
    some = [[yes, no, none][draw] for draw in rng.choice(3, 30, p=[0.5, 0.3, 0.2])]
    many: dict[str, list[bool | None]] = {
        f"run-{number:03}": [
            [yes, no, none][draw] for draw in rng.choice(3, 40, p=[skill, 0.9 - skill, 0.1])
        ]
        for number, skill in enumerate(np.linspace(0.85, 0.1, 200))
    }
    return {
        "two-by-three": Facts({"first": [yes, yes, none], "second": [yes, no, no]}),
        "one-run": Facts({"alone": some}),
        "ties": Facts({name: list(some) for name in ("ann", "bob", "cid", "dan")}),
        "all-right": Facts({name: [yes] * 30 for name in ("ann", "bob", "cid")}),
        "silent": Facts({name: [none] * 30 for name in ("ann", "bob", "cid")}),
        "many": Facts(many),
    }


def write(folder: Path) -> Path:
    """The files of the campaign and its config, which is given back."""
    (folder / "data").mkdir(parents=True, exist_ok=True)
    parts: dict[str, Any] = {}
    for name, facts in collections().items():
        own = folder / "data" / name
        own.mkdir(exist_ok=True)
        asked = range(1, facts.questions + 1)
        _write(own / "questions.csv", ["question", "type"], ([f"q{at}", "factoid"] for at in asked))
        _write(own / "keys.csv", ["question", "key"], ([f"q{at}", f"right {at}"] for at in asked))
        labels = ([f"q{at}", f"{word} {at}", word] for at in asked for word in ("right", "wrong"))
        _write(own / "assessments.csv", ["question", "answer", "label"], labels)
        for run, outcomes in facts.right.items():
            rows = (
                [f"q{at}", "" if one is None else f"{'right' if one else 'wrong'} {at}", 0.5]
                for at, one in enumerate(outcomes, start=1)
            )
            (own / "runs").mkdir(exist_ok=True)
            _write(own / "runs" / f"{run}.csv", ["question", "answer", "confidence"], rows)
        parts[name] = own
    config = folder / "config.yaml"
    config.write_text(_config(parts), encoding="utf-8")
    return config


def _write(path: Path, heads: list[str], rows: Any) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([heads, *rows])


def _config(parts: dict[str, Path]) -> str:
    lines = ["campaign: edges", "seed: 5", "collections:"]
    for name in parts:
        at = f"data/{name}"
        lines += [
            f"  {name}:",
            f"    questions: {at}/questions.csv",
            f"    runs: {at}/runs/*.csv",
            f"    assessments: {at}/assessments.csv",
            f"    keys: {at}/keys.csv",
            "    judges: {people: {kind: assessments}, exact: {kind: exact}}",
            "    reference: people",
            f"    measures: [{', '.join(MEASURES)}]",
            "    primary: c_at_1",
            f"    studies: {STUDIES}",
        ]
    return "\n".join(lines) + "\n"
