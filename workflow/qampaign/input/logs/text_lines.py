"""The lines of a plain text file that may be a log: runs and judgments of TREC and NTCIR."""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from qampaign.input.formats import Fault
from qampaign.input.logs.log import Log
from qampaign.input.logs.log_file import BOM, LogFile
from qampaign.problems import quote

UNNAMED = "unnamed"
"""What the task is called: such files do not name it, and those of one task are read together."""

LOOKED_AT = 200
"""How many lines are looked at to see what a file is."""

MOST = 0.9
"""The share of them that must be as a kind of file has them: the others are its faults."""


class Judged(NamedTuple):
    """A judgment of a document, or of a string, for a question."""

    line: int
    question: str
    answer: str
    word: tuple[str, ...]
    """What the file says of it."""
    relevant: bool
    level: str
    of_class: str | None = None


def text_lines(file: LogFile, faults: list[Fault]) -> Iterator[tuple[int, str]]:
    """Each line that is not empty with its number; those that are not text are noted as faults."""
    for number, line in enumerate(_split(file.content), start=1):
        if not line or line.isspace():
            continue
        try:
            text = line.decode()
        except UnicodeDecodeError as error:
            problem = f"is not UTF-8 (byte {line[error.start]:#04x})"
            faults.append(Fault(problem, "UTF-8", number))
            continue
        if "\0" in text:
            faults.append(Fault("has a NUL byte", "text", number))
            continue
        yield number, text


def first_lines(file: LogFile) -> list[str]:
    """The first lines that are not empty, to see what the file is; none where it is no text."""
    head = file.content[: 2**20]
    if file.is_zip or b"\0" in head or head.removeprefix(BOM).lstrip()[:1] in (b"{", b"[", b"<"):
        return []
    lines = (line for line in _split(head) if line and not line.isspace())
    return [line.decode("utf-8", "replace") for line, _ in zip(lines, range(LOOKED_AT))]  # noqa: B905


def most(lines: Sequence[str], fits: Callable[[str], bool]) -> bool:
    """Whether nearly all of some lines are as a kind of file has them.

    >>> most(["1"] * 9 + ["x"], str.isdigit), most(["1", "x"], str.isdigit), most([], str.isdigit)
    (True, False, False)
    """
    return bool(lines) and sum(map(fits, lines)) >= math.ceil(MOST * len(lines))


def is_number(text: str) -> bool:
    """Whether a word is a finite number."""
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


def add_relevance(log: Log, judged: Iterable[Judged]) -> None:
    """Add what was judged relevant or not; a judgment that is there twice is noted.

    Documents whose names differ in capital letters alone are different ones: they get classes.
    """
    first: dict[tuple[str, str], Judged] = {}
    spelled = Counter[tuple[str, str]]()
    for judgment in judged:
        before = first.setdefault((judgment.question, judgment.answer), judgment)
        if before is judgment:
            spelled[judgment.question, judgment.answer.lower()] += 1
        elif before.word == judgment.word:
            log.remark("judgments that are there twice, and the same", "label")
        else:
            what = (
                f"judges {quote(judgment.answer)} of question {judgment.question} again, otherwise"
            )
            words = f"{' '.join(judgment.word)}, before {' '.join(before.word)}"
            log.fault(f"{what}: {words}", "one judgment of it", line=judgment.line)
    for (question, answer), judgment in first.items():
        alike = spelled[question, answer.lower()] > 1
        log.add_assessment(
            question,
            judgment.line,
            "right" if judgment.relevant else "wrong",
            answer=answer,
            level=judgment.level if judgment.relevant else None,
            class_=(judgment.of_class or (answer if alike else None))
            if judgment.relevant
            else None,
        )


def _split(content: bytes) -> list[bytes]:
    return content.removeprefix(BOM).replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
