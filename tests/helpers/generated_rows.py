"""Collections made by chance, small and full of edge cases, from a seeded `random.Random`."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

from tests.helpers.measured_rows import Rows, Withheld, samples

TEXTS = ["amber", "Amber", "birch", "cedar", "dune", "elm"]  # Amber is amber
NUMBERS = [0.0, 0.1, 0.25, 0.3, 0.5, 0.5, 0.7, 0.9, 1.0]  # chance gives equal ones

ANSWERING: list[tuple[str, dict[str, Any]]] = [
    ("accuracy", {}),
    ("utility", {}),
    ("confidence_target", {}),
    ("confidence_target", {"t": 0.9}),
    ("hallucination_rate", {}),
    ("mean_score", {}),
    ("conciseness", {}),
    ("utility_half", {}),
    ("c_at_1", {}),
    ("unanswered_as_right", {}),
    ("precision_answered", {}),
    ("inverse_credit", {}),
    ("answered", {}),
    ("f_attempted", {}),
    ("withheld_wrong_rate", {}),
    ("accuracy_if_all_answered", {}),
    ("k", {}),
    ("k1", {}),
    ("confidence_correlation", {}),
    ("cws", {}),
    ("cws", {"ties": "file"}),
    ("risk_coverage", {}),
    ("augrc", {}),
    ("brier", {}),
    ("calibration_error", {}),
    ("mrr", {}),
    ("mrr", {"cutoff": 2}),
    ("nq_correct_1", {}),
    ("nq_correct_5", {}),
    ("average_precision", {}),
    ("q_measure", {}),
    ("q_measure", {"gains": {"S": 1, "A": 1, "B": 1}}),
    ("q_measure", {"gains": {"S": 2, "A": 1.5, "B": 1}}),
    ("q_measure", {"beta": 10, "cutoff": 5}),
    ("q_measure", {"beta": 0, "cutoff": 2}),
    ("credit", {}),
    ("credit", {"gains": {"S": 1, "A": 0.5, "B": 0.1}}),
    ("list_precision", {}),
    ("list_recall", {}),
    ("list_f", {}),
    ("nil_precision", {}),
    ("nil_recall", {}),
    ("pass_at_k", {}),
    ("pass_at_k", {"k": 1}),
    ("pass_all_k", {}),
    ("pass_all_k", {"k": 3}),
    ("majority_vote", {}),
    ("consistency", {}),
]
"""Measures of answers, with options."""

OF_SAMPLES = ("pass_at_k", "pass_all_k", "majority_vote", "consistency")
"""Measures of samples, whose values are others where each is there three times."""

VALIDATION: list[tuple[str, dict[str, Any]]] = [
    ("accuracy", {}),
    ("brier", {}),
    ("calibration_error", {}),
    ("precision", {}),
    ("recall", {}),
    ("recall", {"unanswered": "skip"}),
    ("tp_rate", {}),
    ("tp_rate", {"unanswered": "skip"}),
    ("fp_rate", {}),
    ("fp_rate", {"unanswered": "skip"}),
    ("f", {}),
    ("f", {"unanswered": "skip"}),
    ("f", {"beta": 0.5}),
    ("f", {"beta": 2, "unanswered": "skip"}),
    ("auc_point", {}),
    ("auc_point", {"unanswered": "skip"}),
    ("auc", {}),
    ("f_05_u", {}),
    ("qa_accuracy", {}),
    ("estimated_qa", {}),
]
"""Measures of validation, with options."""


def named(variant: tuple[str, dict[str, Any]]) -> str:
    """A measure with its options, as one word for a test's name."""
    measure, options = variant
    return "-".join([measure, *(f"{k}={v}".replace(" ", "") for k, v in options.items())])


def _confidence(random: Random, style: str) -> float | None:
    """Of a run that gives none, all, some, the same, or only zeros."""
    if style == "none" or (style == "some" and random.random() < 0.4):
        return None
    return {"same": 0.5, "zeros": 0.0}.get(style, random.choice(NUMBERS))


STYLES = ("all", "all", "all", "some", "none", "same", "zeros")


def answering(
    random: Random,
    questions: int | None = None,
    longest: int = 7,
    styles: Sequence[str] = STYLES,
) -> Rows:
    """Up to six questions unless said otherwise; three runs, one of which may be silent."""
    number = questions or random.randint(1, 6)
    ids = [f"q{n}" for n in range(number)]
    about: dict[str, dict[str, Any]] = {}
    says: dict[str, dict[str, str]] = {}
    for each in ids:
        nil = random.random() < 0.15
        verdicts = ["right", "right", "wrong", "inexact", "unsupported"]
        says[each] = {}
        for text in random.sample(TEXTS, random.randint(1, len(TEXTS))):
            verdict = random.choice(["wrong", "unsupported"] if nil else verdicts)
            level, of_class = random.choice("SAB-"), random.choice(["k1", "k2", "-", "-"])
            says[each][text] = f"{verdict} {level} {of_class}"
        about[each] = {"type": random.choice([None, "factoid", "list"]), "nil": nil}
        if not nil and random.random() < 0.2:
            about[each]["known"] = 6 + random.randint(0, 3)  # at least all that can be found
    runs: dict[str, dict[str, list[Any]]] = {}
    for run in "abc":
        style, silent = random.choice(styles), random.random() < 0.05
        runs[run] = {}
        for each in ids:
            items: list[Any] = []
            for _ in range(0 if silent else random.choice([0, 1, 1, 1, 2, 3, longest])):
                text = random.choice([*says[each], *says[each], "NIL", None])
                confidence = _confidence(random, style)
                kept = text is not None and random.random() < 0.15
                items.append(Withheld(text, confidence) if kept else (text, confidence))
            runs[run][each] = items
    runs = {run: own for run, own in runs.items() if any(own.values())} or {
        "a": {ids[0]: [("NIL", 0.5)]}
    }
    correct = random.choice([("right",), ("right",), ("right", "inexact")])
    order = random.sample(ids, len(ids))
    return Rows(runs=runs, says=says, questions=about, correct=correct, order=order)


def validation(random: Random, items: int | None = None, styles: Sequence[str] = STYLES) -> Rows:
    """Up to eight items unless said otherwise, in groups; three runs."""
    number = items or random.randint(1, 8)
    ids = [f"i{n}" for n in range(number)]
    says = {each: random.choice(["yes", "no"]) for each in ids}
    about = {
        each: {"type": random.choice(["x", "y"]), "group": random.choice(["g1", "g2", "g3"])}
        for each in ids
    }
    runs: dict[str, dict[str, Any]] = {}
    for run in "abc":
        style, whole = random.choice(styles), random.random() < 0.5
        runs[run] = {}
        for each in ids:
            said = random.choice(["yes", "no"])
            score = _confidence(random, style)
            chance = 0.0 if whole else random.random()
            if chance < 0.7:
                runs[run][each] = (said, score)
            elif chance < 0.8:
                runs[run][each] = Withheld(said, score)
            elif chance < 0.9:
                runs[run][each] = (None, score)
    runs = {run: own for run, own in runs.items() if own} or {"a": {ids[0]: ("yes", 0.5)}}
    order = random.sample(ids, len(ids))
    return Rows(runs=runs, says=says, questions=about, validation=True, order=order)


def sampled(random: Random, rows: Rows) -> Rows:
    """The same with up to four samples of each question, which say what some run says."""
    every = {
        question: [
            own[question] for own in rows.runs.values() if own.get(question) not in (None, [])
        ]
        for question in {question for own in rows.runs.values() for question in own}
    }
    runs = {
        run: {
            question: samples(*random.choices(every[question], k=random.randint(1, 4)))
            for question in own
            if every[question]
        }
        for run, own in rows.runs.items()
    }
    return replace(rows, runs={run: own for run, own in runs.items() if own} or rows.runs)
