"""The files of TREC: ranked runs and qrels; answers, judgments and patterns of its QA tracks."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from ctypes import c_float
from dataclasses import dataclass

from qampaign.input.formats import Fault, Unreadable
from qampaign.input.logs import ntcir_files
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

NIL = "NIL"
"""What stands in place of a document where a system says that there is no answer."""

JUDGMENTS = {"-1": "wrong", "1": "right", "2": "unsupported", "3": "inexact"}
"""What the numbers of a judgment list of the QA tracks mean."""

INTEGER = re.compile(r"[+-]?\d+")
QUESTION = re.compile(r"\d+(\.\d+)*")
EXPRESSION = re.compile(r"\\[sdwb.()?]|\.[*+]|\[[^\]]+\]|\(\??[^)]*\)\??|\S\|\S|\w\?")
"""What makes a text look like a regular expression."""

ITERATION = re.compile(r"\d+|Q\d+", re.IGNORECASE)
"""What stands in the second column of qrels, which nobody uses."""

SCORER = "judgments"
"""What the scorer of judged runs is called."""

GOES_BEFORE = {
    "qrels": ("judgments", "judgments_first"),
    "judged_list": ("judged_run", "answers"),
    "judged_run": ("answers",),
}
"""Kinds whose lines are also lines of other kinds, which ask for less."""

BY_SCORE = "rows whose rank is not their place by score: ranked by score, as trec_eval does"


@dataclass(frozen=True)
class Kind:
    """A kind of file: how its lines look, what its name may say, and what reads it."""

    title: str
    columns: str
    """What a line has, for people to read."""
    fits: Callable[[Sequence[str]], bool]
    """Whether a line is so, by its words."""
    named: re.Pattern[str]
    """What the name of such a file has in it, where lines alone do not tell kinds apart."""
    read: Callable[[Iterator[tuple[int, str]], list[Fault]], list[Log]]

    def is_line(self, line: str) -> bool:
        """Whether a line is so."""
        return self.fits(line.split())


def recognises(file: LogFile) -> bool:
    """Whether a file is one of TREC's, by how its lines look."""
    return bool(_kinds(file)) and not ntcir_files.recognises(file)


@log_format(
    title="TREC",
    files="runs (qid Q0 docid rank score tag), qrels (qid 0 docid relevance), answers (qid tag "
    "docid answer), judgments (qid docid judgment answer), patterns (qid pattern)",
    recognises=recognises,
)
def trec(file: LogFile, options: LogOptions) -> Iterable[Log]:
    """Ranked runs with qrels, and answers with judgments or patterns of the QA tracks.

    ```yaml
    campaign: mine
    collections:
      ranking:
        logs: [runs/*, qrels.txt]
        judges: {people: {kind: assessments}}
        unassessed: wrong
        measures: [average_precision, mrr: {cutoff: 1000}]
    ```

    Files are recognised by their lines; the name helps if they look alike (`qrels`, `patterns`,
    `judg`), and for patterns of plain words. Columns are separated by white space.

    | lines | become |
    | --- | --- |
    | `qid Q0 docid rank score tag` | a run, named by its tag: the documents of a question are its \
answers, ranked by score as trec_eval does: in single precision, equal ones by document, the last \
one first |
    | `qid 0 docid relevance` | assessments: right from 1 on, else wrong; the \
relevance is the level |
    | `qid tag docid answer` | a run: answers to a question are ranked in file order; `NIL` for \
docid: the answer NIL |
    | `qid Q0 docid rank score tag answer` | the same of TREC-8 to TREC 2001, ranked by rank, with \
the score as confidence |
    | `qid docid judgment answer` | assessments: -1 wrong, 1 right, 2 unsupported, 3 inexact |
    | `qid judgment docid answer` | the same |
    | `qid tag docid judgment answer` | a judged run: its answers, and verdicts for a judge of \
kind `logged`; with 0 or 1 before the answer, as for lists, a right one with 0 is repeated |
    | `qid pattern` | patterns |

    Judges are of kind `assessments` (qrels, judgment lists) and `patterns`. The questions are those
    that are judged or have patterns, all of them, as with `trec_eval -c`. A document that no qrels
    have is not relevant for trec_eval: `unassessed: wrong`. Relevance above 1 needs `gains` of the
    measures that use levels: `q_measure: {gains: {1: 1, 2: 3}}`. `mrr` looks at five ranks unless
    `cutoff` says otherwise.

    A judgment of the QA tracks is about a string in a document. Where all judgments of a string
    agree, they count for it in any document; where they differ, each counts for the answers with
    its document. A question whose NIL is judged 1 has no answer.
    """
    kinds = _kinds(file)
    if len(kinds) != 1:
        raise Unreadable(_not_one(kinds, file))
    faults: list[Fault] = []
    if not options.wants(UNNAMED):
        return [Log(UNNAMED, "")]
    logs = kinds[0].read(text_lines(file, faults), faults) or [Log(UNNAMED, "")]
    logs[0].faults[:0] = faults
    return logs


def _kinds(file: LogFile) -> list[Kind]:
    """The kinds of which nearly all of the first lines are; one, unless its name does not say."""
    lines = first_lines(file)
    words = [line.split() for line in lines]
    fitting = [kind for kind in KINDS.values() if most(lines, kind.is_line)]
    less = [
        KINDS[kind_name]
        for name, others in GOES_BEFORE.items()
        if KINDS[name] in fitting
        for kind_name in others
    ]
    fitting = [kind for kind in fitting if kind not in less]
    named = [kind for kind in fitting if kind.named.search(file.name)]
    patterns = KINDS["patterns"]
    if patterns in fitting and named != [patterns]:  # anything after a number can be a pattern
        differ = len({pieces[1] for pieces in words if len(pieces) > 1}) > len(words) // 2
        looks_so = any(EXPRESSION.search(line) for line in lines)
        is_table = any(line.strip().count("\t") > 1 for line in lines)
        if len(fitting) > 1 or not (differ and looks_so) or is_table:
            fitting.remove(patterns)
    return [kind for kind in fitting if kind in named] or fitting


def _not_one(kinds: Sequence[Kind], file: LogFile) -> Fault:
    if kinds:
        titles = " or ".join(kind.title for kind in kinds)
        return Fault(f"could be {titles}", "a name that says so, such as qrels or judgments")
    allowed = "; ".join(f"{kind.title}: {kind.columns}" for kind in KINDS.values())
    return file.fault or Fault("is no file of TREC that is known", allowed)


class _Runs:
    """The runs of a file by their tags."""

    def __init__(self) -> None:
        self.logs: dict[str, Log] = {}

    def of(self, tag: str) -> Log:
        """The run with a tag."""
        if tag not in self.logs:
            self.logs[tag] = Log(UNNAMED, tag)
        return self.logs[tag]


def _rows(
    lines: Iterator[tuple[int, str]], columns: int, kind: str, faults: list[Fault]
) -> Iterator[tuple[int, list[str]]]:
    """The first columns of each line and the rest, where it is as lines of its kind are."""
    for number, text in lines:
        words = text.split()
        if KINDS[kind].fits(words):
            fit = len(words) <= columns
            yield number, words if fit else text.split(maxsplit=columns - 1)
        else:
            problem = f"is no line of {KINDS[kind].title}: {quote(text[:80])}"
            faults.append(Fault(problem, KINDS[kind].columns, number))


def _read_run(lines: Iterator[tuple[int, str]], faults: list[Fault]) -> list[Log]:
    """A ranked run: documents by score."""
    runs = _Runs()
    lists: dict[tuple[str, str], list[tuple[float, str, int, int]]] = {}
    seen: set[tuple[str, str, str]] = set()
    for line, (question, _, document, rank, score, tag) in _rows(lines, 6, "run", faults):
        if (tag, question, document) in seen:
            again = f"has {document} for question {question} again"
            faults.append(Fault(again, "each document once for a question", line))
            continue
        seen.add((tag, question, document))
        held = c_float(float(score)).value  # trec_eval holds scores in single precision
        lists.setdefault((tag, question), []).append((held, document, int(rank), line))
    for (run, topic), documents in lists.items():
        log = runs.of(run)
        ranks = sorted(listed_rank for _, _, listed_rank, _ in documents)
        documents.sort(reverse=True)
        for position, (_, retrieved, given_rank, line) in enumerate(documents, start=1):
            log.add_answer(topic, line, retrieved, rank=position)
            if given_rank != ranks[position - 1]:
                log.remark(BY_SCORE, "rank")
    return [*runs.logs.values()]


def _read_qrels(lines: Iterator[tuple[int, str]], faults: list[Fault]) -> list[Log]:
    """Which documents are relevant."""
    log = Log(UNNAMED, "")
    add_relevance(
        log,
        (
            Judged(line, question, document, (grade,), int(grade) > 0, str(int(grade)))
            for line, (question, _, document, grade) in _rows(lines, 4, "qrels", faults)
        ),
    )
    return [log]


def _read_answers(lines: Iterator[tuple[int, str]], faults: list[Fault]) -> list[Log]:
    """Answers of a run as QA tracks from 2002 on have them."""
    runs, ranks = _Runs(), Counter[tuple[str, str]]()
    for line, (question, tag, document, *text) in _rows(lines, 4, "answers", faults):
        ranks[tag, question] += 1
        answer = text[0].strip() if text else NIL
        log = runs.of(tag)
        if document == NIL and text:
            log.remark("answers with a text and NIL for a document: the text is the answer")
        support = None if document == NIL else document
        log.add_answer(question, line, answer, rank=ranks[tag, question], support=support)
    return [*runs.logs.values()]


def _read_ranked_answers(lines: Iterator[tuple[int, str]], faults: list[Fault]) -> list[Log]:
    """Answers of a run as QA tracks up to 2001 have them."""
    runs = _Runs()
    lists: dict[tuple[str, str], dict[int, tuple[int, str | None, str, float]]] = {}
    for line, words in _rows(lines, 7, "ranked_answers", faults):
        question, _, document, rank, score, tag, *text = words
        answers = lists.setdefault((tag, question), {})
        if int(rank) in answers:
            problem = f"has rank {rank} of question {question} again"
            faults.append(Fault(problem, "each rank once for a question", line))
            continue
        support = None if document == NIL else document
        answers[int(rank)] = (line, support, text[0].strip() if text else NIL, float(score))
    for (run, topic), answers in lists.items():
        log = runs.of(run)
        for position, (_, (line, where, answer, sure)) in enumerate(
            sorted(answers.items()), start=1
        ):
            log.add_answer(topic, line, answer, rank=position, support=where, confidence=sure)
    return [*runs.logs.values()]


def _read_judgments(lines: Iterator[tuple[int, str]], faults: list[Fault]) -> list[Log]:
    """What assessors said of answers in documents."""
    rows = _rows(lines, 4, "judgments", faults)
    return _add_judgments((line, words[0], words[1], words[2], words[3:]) for line, words in rows)


def _read_judgments_first(lines: Iterator[tuple[int, str]], faults: list[Fault]) -> list[Log]:
    """The same with the judgment before the document."""
    rows = _rows(lines, 4, "judgments_first", faults)
    return _add_judgments((line, words[0], words[2], words[1], words[3:]) for line, words in rows)


def _add_judgments(rows: Iterable[tuple[int, str, str, str, Sequence[str]]]) -> list[Log]:
    """Judgments by line, question, document, judgment and answer, as assessments."""
    log = Log(UNNAMED, "")
    by_answer: dict[tuple[str, str], dict[str, tuple[str, int]]] = {}
    for line, question, document, judgment, text in rows:
        answer = " ".join(text[0].split()) if text else NIL
        support = NIL if answer == NIL else document
        known = by_answer.setdefault((question, answer), {})
        if support in known:
            if known[support][0] == judgment:
                log.remark("judgments that are there twice, and the same", "label")
                continue
            what = f"judges {quote(answer)} in {support} of question {question} again, otherwise"
            problem = f"{what}: {judgment}, before {known[support][0]}"
            log.fault(problem, "one judgment of it", line=line)
        else:
            known[support] = (judgment, line)
    for (question, answer), by_document in by_answer.items():
        judgments = {judgment for judgment, _ in by_document.values()}
        judgment, line = next(iter(by_document.values()))
        is_nil = any(judgment == "1" for judgment, _ in by_answer.get((question, NIL), {}).values())
        log.add_question(question, line, nil=is_nil)
        if answer == NIL:
            continue
        if len(judgments) == 1:
            log.add_assessment(question, line, JUDGMENTS[judgment], answer=answer)
            continue
        for document, (judgment, line) in by_document.items():
            label = JUDGMENTS[judgment]
            log.add_assessment(question, line, label, answer=answer, support=document)
    return [log]


def _read_judged_run(lines: Iterator[tuple[int, str]], faults: list[Fault]) -> list[Log]:
    """Answers of a run, with what assessors said of them."""
    rows = (
        (line, words[:4], "", words[4:]) for line, words in _rows(lines, 5, "judged_run", faults)
    )
    return _add_judged(rows)


def _read_judged_list(lines: Iterator[tuple[int, str]], faults: list[Fault]) -> list[Log]:
    """The same of list questions, with 1 for each distinct right answer."""
    rows = _rows(lines, 6, "judged_list", faults)
    return _add_judged((line, words[:4], words[4], words[5:]) for line, words in rows)


def _add_judged(rows: Iterable[tuple[int, Sequence[str], str, Sequence[str]]]) -> list[Log]:
    runs, ranks = _Runs(), Counter[tuple[str, str]]()
    for line, (question, tag, document, judgment), distinct, text in rows:
        ranks[tag, question] += 1
        log, rank = runs.of(tag), ranks[tag, question]
        answer = text[0].strip() if text else NIL
        support = None if document == NIL else document
        verdict = JUDGMENTS[judgment]
        if verdict == "right" and distinct == "0":
            verdict = "repeated"
        log.add_question(question, line, nil=answer == NIL and judgment == "1")
        log.add_answer(question, line, answer, rank=rank, support=support)
        log.add_verdict(question, line, SCORER, rank=rank, verdict=verdict)
    return [*runs.logs.values()]


def _read_patterns(lines: Iterator[tuple[int, str]], faults: list[Fault]) -> list[Log]:
    """Regular expressions that right answers match."""
    log = Log(UNNAMED, "")
    for line, (question, pattern) in _rows(lines, 2, "patterns", faults):
        log.add_pattern(question, line, pattern.strip())
    return [log]


def _is_run(words: Sequence[str]) -> bool:
    return len(words) == 6 and bool(INTEGER.fullmatch(words[3])) and is_number(words[4])


def _is_ranked_answer(words: Sequence[str]) -> bool:
    ranked = len(words) > 5 and bool(INTEGER.fullmatch(words[3])) and is_number(words[4])
    return ranked and words[1].upper() == "Q0" and (len(words) > 6 or words[2] == NIL)


def _is_qrels(words: Sequence[str]) -> bool:
    relevance = len(words) == 4 and bool(INTEGER.fullmatch(words[3])) and -100 < int(words[3]) < 100
    return relevance and bool(ITERATION.fullmatch(words[1]))


def _is_answer(words: Sequence[str]) -> bool:
    if len(words) < 3 or not QUESTION.fullmatch(words[0]) or ITERATION.fullmatch(words[1]):
        return False
    return words[2] == NIL or (len(words) > 3 and _is_document(words[2]))


def _is_document(text: str) -> bool:
    """Whether a word can be the id of a document: it has a digit, and is no number."""
    return text == NIL or bool(re.search(r"\d", text) and not INTEGER.fullmatch(text))


def _is_judgment_first(words: Sequence[str]) -> bool:
    if len(words) < 3 or words[1] not in JUDGMENTS or not _is_document(words[2]):
        return False
    return len(words) > 3 or words[2] == NIL


def _is_judged_run(words: Sequence[str]) -> bool:
    if len(words) < 4 or words[3] not in JUDGMENTS or ITERATION.fullmatch(words[1]):
        return False
    return _is_document(words[2]) and (len(words) > 4 or words[2] == NIL)


def _is_judged_list(words: Sequence[str]) -> bool:
    return _is_judged_run(words) and len(words) > 4 and words[4] in ("0", "1")


def _is_judgment(words: Sequence[str]) -> bool:
    if len(words) < 3 or words[2] not in JUDGMENTS:
        return False
    return len(words) > 3 or words[1] == NIL


def _is_pattern(words: Sequence[str]) -> bool:
    if len(words) < 2 or not QUESTION.fullmatch(words[0]):
        return False
    return len(words) < 4 or not ITERATION.fullmatch(words[1])


KINDS: Mapping[str, Kind] = {
    "run": Kind(
        "a ranked run",
        "qid Q0 docid rank score tag, with a whole number as rank and a finite number as score",
        _is_run,
        re.compile(r"(?i)\.run|input|rank"),
        _read_run,
    ),
    "ranked_answers": Kind(
        "a run of TREC-8 to 2001",
        "qid Q0 docid rank score tag answer",
        _is_ranked_answer,
        re.compile(r"(?i)qa"),
        _read_ranked_answers,
    ),
    "qrels": Kind(
        "qrels",
        "qid 0 docid relevance, a whole number",
        _is_qrels,
        re.compile(r"(?i)qrel"),
        _read_qrels,
    ),
    "judgments": Kind(
        "a judgment list",
        "qid docid judgment answer, with -1, 1, 2 or 3 as judgment",
        _is_judgment,
        re.compile(r"(?i)judg"),
        _read_judgments,
    ),
    "judgments_first": Kind(
        "a judgment list",
        "qid judgment docid answer, with -1, 1, 2 or 3 as judgment",
        _is_judgment_first,
        re.compile(r"(?i)judg"),
        _read_judgments_first,
    ),
    "judged_list": Kind(
        "a judged run of lists",
        "qid tag docid judgment distinct answer, with -1, 1, 2 or 3 and 0 or 1",
        _is_judged_list,
        re.compile(r"(?i)judg"),
        _read_judged_list,
    ),
    "judged_run": Kind(
        "a judged run",
        "qid tag docid judgment answer, with -1, 1, 2 or 3 as judgment",
        _is_judged_run,
        re.compile(r"(?i)judg"),
        _read_judged_run,
    ),
    "answers": Kind(
        "a run of answers",
        "qid tag docid answer, or qid tag NIL",
        _is_answer,
        re.compile(r"(?i)run|answers"),
        _read_answers,
    ),
    "patterns": Kind(
        "patterns",
        "qid pattern",
        _is_pattern,
        re.compile(r"(?i)pattern|pats?(?=[._-]|\Z)"),
        _read_patterns,
    ),
}  # fmt: skip
"""The kinds of files, by name."""
