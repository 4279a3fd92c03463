"""The files of NTCIR, as its program NTCIREVAL reads them: runs, qrels, and classes of answers."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from qampaign.input.formats import Fault, Unreadable
from qampaign.input.logs.declaration import log_format
from qampaign.input.logs.log import Log
from qampaign.input.logs.log_file import LogFile
from qampaign.input.logs.options import LogOptions
from qampaign.input.logs.text_lines import (
    UNNAMED,
    Judged,
    add_relevance,
    first_lines,
    is_number,
    most,
    text_lines,
)
from qampaign.problems import quote

LEVEL = re.compile(r"L(\d+)")
GRADES = ("S", "A", "B", "C", "D")
"""The grades in qrels of the first workshops."""

BY_FILE = "rows whose rank is not their order in the file: ranked by file order, as NTCIREVAL does"


@dataclass(frozen=True)
class Kind:
    """A kind of file: how its lines are split, and how the pieces look."""

    title: str
    columns: str
    """What a line has, for people to read."""
    split: Callable[[str], list[str]]
    fits: Callable[[Sequence[str]], bool]

    def is_line(self, line: str) -> bool:
        """Whether a line is so."""
        return self.fits(self.split(line))


def recognises(file: LogFile) -> bool:
    """Whether a file is one of NTCIR's, by how its lines look: the first, and nearly all."""
    kind = _kind(file)
    return kind is not None and KINDS[kind].is_line(first_lines(file)[0])


@log_format(
    title="NTCIR",
    files="runs (topic;dummy;string;rank;score;run), qrels (topic;string;level), eqrels "
    "(topic;string;level;class)",
    recognises=recognises,
)
def ntcir(file: LogFile, options: LogOptions) -> Iterable[Log]:
    """Ranked answers, and which strings are right, at what level and in which class.

    ```yaml
    campaign: mine
    collections:
      qac:
        logs: [runs/*, qac.eqrels]
        judges: {people: {kind: assessments}}
        unassessed: wrong
        measures: [q_measure: {gains: {L1: 1, L2: 2, L3: 3}}]
    ```

    Files are recognised by their lines, which are read as NTCIREVAL reads them.

    | lines | become |
    | --- | --- |
    | `topic;dummy;string;rank;score;run` | a run: the strings are ranked in file order |
    | `topic;string;L2;1` | assessments: L0 is wrong, others are right, with their level and class |
    | `topic;string;L2`, or the same with spaces between | the same without classes |
    | `topic grade document 1` | the same of the first workshops: right where the number is 1, \
with S, A or B as level |

    The judge is of kind `assessments`, with `unassessed: wrong` for strings that were not judged.
    Measures that use levels need `gains`, as NTCIREVAL does: `q_measure: {gains: {L1: 1, L2: 2}}`.
    Runs in six columns with spaces between are [TREC](#trec)'s, and ranked by score.
    """
    kind = _kind(file)
    if kind is None:
        allowed = "; ".join(
            f"{known_kind.title}: {known_kind.columns}" for known_kind in KINDS.values()
        )
        raise Unreadable(file.fault or Fault("is no file of NTCIR that is known", allowed))
    if not options.wants(UNNAMED):
        return [Log(UNNAMED, "")]
    faults: list[Fault] = []
    rows = _rows(file, KINDS[kind], faults)
    logs = _read_run(rows) if kind == "run" else _read_judged(rows, kind)
    logs = logs or [Log(UNNAMED, "")]
    logs[0].faults[:0] = faults
    return logs


def _kind(file: LogFile) -> str | None:
    lines = first_lines(file)
    return next((name for name, kind in KINDS.items() if most(lines, kind.is_line)), None)


def _rows(file: LogFile, kind: Kind, faults: list[Fault]) -> Iterator[tuple[int, list[str]]]:
    """The pieces of each line that is as it should be."""
    for line, text in text_lines(file, faults):
        pieces = kind.split(text)
        if kind.fits(pieces):
            yield line, pieces
        else:
            problem = f"is no line of {kind.title}: {quote(text.strip()[:80])}"
            faults.append(Fault(problem, kind.columns, line))


def _read_run(rows: Iterable[tuple[int, list[str]]]) -> list[Log]:
    """A run: strings as they stand."""
    logs: dict[str, Log] = {}
    ranks = Counter[tuple[str, str]]()
    for line, (topic, _, text, rank, _, name) in rows:
        log = logs.setdefault(name, Log(UNNAMED, name))
        ranks[name, topic] += 1
        position = ranks[name, topic]
        log.add_answer(topic, line, text, rank=position)
        if int(rank) not in (position, position - 1):  # from 1, or from 0
            log.remark(BY_FILE, "rank")
    return [*logs.values()]


def _read_judged(rows: Iterable[tuple[int, list[str]]], kind: str) -> list[Log]:
    """What is right."""
    log = Log(UNNAMED, "")
    add_relevance(log, (_judged(line, pieces, kind) for line, pieces in rows))
    return [log]


def _judged(line: int, pieces: Sequence[str], kind: str) -> Judged:
    if kind == "early":
        topic, grade, text, counts = pieces
        return Judged(line, topic, text, (grade, counts), counts == "1", grade)
    topic, text, level, *of_class = pieces
    return Judged(line, topic, text, tuple(pieces[2:]), int(level[1:]) > 0, level, *of_class)


def _by_semicolon(line: str) -> list[str]:
    return [piece.strip() for piece in line.split(";")]


def _is_run(pieces: Sequence[str]) -> bool:
    if len(pieces) != 6 or not (pieces[0] and pieces[2] and pieces[5]):
        return False
    return pieces[3].isdecimal() and is_number(pieces[4])


def _is_judged(pieces: Sequence[str]) -> bool:
    return len(pieces) == 3 and all(pieces) and bool(LEVEL.fullmatch(pieces[2]))


def _is_judged_in_class(pieces: Sequence[str]) -> bool:
    return len(pieces) == 4 and _is_judged(pieces[:3]) and pieces[3].isdecimal()


def _is_early(pieces: Sequence[str]) -> bool:
    return len(pieces) == 4 and pieces[1] in GRADES and pieces[3] in ("0", "1")


KINDS: Mapping[str, Kind] = {
    "run": Kind(
        "a run",
        "topic;dummy;string;rank;score;run, with a whole number as rank and a number as score",
        _by_semicolon,
        _is_run,
    ),
    "eqrels": Kind(
        "eqrels",
        "topic;string;level;class, with L0, L1, … as level and a whole number as class",
        _by_semicolon,
        _is_judged_in_class,
    ),
    "qrels": Kind(
        "qrels", "topic;string;level, with L0, L1, … as level", _by_semicolon, _is_judged
    ),
    "spaced": Kind("qrels", "topic document level, with L0, L1, …", str.split, _is_judged),
    "early": Kind(
        "early qrels", "topic grade document 1, with S, A, B, C as grade", str.split, _is_early
    ),
}  # fmt: skip
"""The kinds of files, by name."""
