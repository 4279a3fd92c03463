"""Answers that a judge has no verdict on: refused, with the first of them and their number."""

import polars as pl

from qampaign.problems import Refused, quote, short_id

SHOWN = 20


def refuse_unassessed(open_ones: pl.DataFrame, name: str, hint: str | None = None) -> None:
    """Refuse answers without a verdict: the first of them, their number, and a hint.

    `open_ones` has run, question, rank and answer.
    """
    strings = open_ones.select("question", "answer").n_unique()
    answers = f"{open_ones.height:,} answers ({strings:,} distinct) have"
    lines = [
        f"{name}: {'1 answer has' if open_ones.height == 1 else answers} no verdict. Add one for "
        "each (qampaign pool lists what people have not labelled), or count such answers as wrong: "
        "unassessed: wrong"
    ]
    if hint:
        lines.append(f"  {hint}")
    for row in open_ones.head(SHOWN).iter_rows(named=True):
        sample = f", sample {row['sample']}" if row.get("sample") is not None else ""
        run, question = short_id(row["run"]), short_id(row["question"])
        position = f"run {run}, question {question}{sample}, rank {row['rank']}"
        lines.append(f"  {position}: {quote(row['answer'])}")
    raise Refused("\n".join(shortened(lines, open_ones.height)))


def describe_unassessed(judgments: pl.DataFrame, judge: str) -> str | None:
    """A line for the terminal: how many answers have no verdict, and which runs have none at all.

    >>> verdicts = ["right", "unassessed", "unassessed"]
    >>> rows = pl.DataFrame({"run": ["a", "a", "b"], "verdict": verdicts, "nil": False})
    >>> describe_unassessed(rows, "ana")
    '2 of 3 responses have no verdict by ana and count as wrong; b has none and is not ranked'
    """
    is_open = pl.col("verdict").cast(pl.String) == "unassessed"
    number = judgments.select(is_open.sum()).item()
    if not number:
        return None
    is_judged = ~is_open & ~pl.col("nil") & (pl.col("verdict").cast(pl.String) != "not_attempted")
    by_run = judgments.group_by(pl.col("run").cast(pl.String)).agg(
        none=is_open.any() & ~is_judged.any()
    )
    unknown = by_run.filter("none")["run"].sort()
    message = f"{number:,} of {judgments.height:,} responses have no verdict by {judge} and count"
    message += " as wrong"
    if len(unknown):
        names = ", ".join(map(short_id, unknown.head(SHOWN)))
        more = f" and {len(unknown) - SHOWN} more" if len(unknown) > SHOWN else ""
        have = "has none and is" if len(unknown) == 1 else "have none and are"
        message += f"; {names}{more} {have} not ranked"
    return message


def refuse_unassessed_items(items: pl.Series, name: str) -> None:
    """Refuse items to validate that nobody has assessed, if there are any."""
    if not items.is_empty():
        unassessed = "1 item has" if len(items) == 1 else f"{len(items):,} items have"
        lines = [
            f"{name}: {unassessed} no assessment. Add the assessments, or count such "
            "items as not right: unassessed: wrong"
        ]
        lines += [f"  question {short_id(item)}" for item in items.head(SHOWN)]
        raise Refused("\n".join(shortened(lines, len(items))))


def refuse_uncovered(open_ones: pl.DataFrame, name: str, what: str) -> None:
    """Refuse answers to questions for which there is no key or pattern.

    `open_ones` has the question of each answer.
    """
    questions = open_ones["question"].unique().sort()
    answers = "1 answer" if open_ones.height == 1 else f"{open_ones.height:,} answers"
    uncovered = f"{len(questions):,} questions with {answers} have"
    if len(questions) == 1:
        uncovered = f"1 question with {answers} has"
    lines = [
        f"{name}: {uncovered} no {what}. Add one for each, or count such answers as wrong: "
        "unassessed: wrong"
    ]
    lines += [f"  question {short_id(question)}" for question in questions.head(SHOWN)]
    raise Refused("\n".join(shortened(lines, len(questions))))


def shortened(lines: list[str], total: int) -> list[str]:
    """Lines of which the first SHOWN of `total` items are listed, and how many there are more."""
    return lines if total <= SHOWN else [*lines, f"  … and {total - SHOWN:,} more"]
