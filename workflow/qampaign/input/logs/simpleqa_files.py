"""The format of SimpleQA, and of other tables of answers with a grade for each."""

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from qampaign.input.formats import Fault, Unreadable, found_columns
from qampaign.input.logs.declaration import log_format
from qampaign.input.logs.grades import ALLOWED_GRADE, plain_name, read_grade
from qampaign.input.logs.json_values import JsonObject
from qampaign.input.logs.log import UNTEXTED, Log
from qampaign.input.logs.log_file import LogFile, NotJson, parse_json
from qampaign.input.logs.options import LogOptions
from qampaign.input.logs.table_file import (
    LogTable,
    WrongRow,
    as_text,
    as_texts,
    find_columns,
    read_table,
    several,
    single,
)

TASK = "simpleqa"

QUESTION = ("problem", "question", "query")
PREDICTED = (
    "predicted_answer", "prediction", "predicted", "response", "model_response", "model_answer",
    "output",
)  # fmt: skip
GOLD = (
    "target", "gold", "gold_answer", "gold_target", "correct_answer", "reference_answer",
    "ground_truth", "reference", "expected",
)  # fmt: skip
ANSWER = "answer"
"""The right answer where there is a prediction; the prediction where there is another gold."""
GRADE = ("grade", "grade_letter", "label", "verdict", "judgement", "judgment", "is_correct")
NOT_ATTEMPTED = "is_not_attempted"
SAMPLE = ("sample", "epoch")
METADATA = "metadata"
OF_DATASET = {
    METADATA, "", "original_index", "topic", "answer_type", "multi_step", "requires_reasoning",
    "urls",
}  # fmt: skip
"""Further columns of the dataset of SimpleQA, and of SimpleQA Verified."""
UNREAD = {"", "is_incorrect", "unnamed: 0", "index"}
"""Columns that say nothing more."""

TWICE = "each once in a file, or a column sample"

UNGRADED = "answers without a grade: not graded"
NO_TEXT = f"answers without text that are graded right: shown as {UNTEXTED}"
LISTS = "targets in brackets, which look like lists: each is one text"
RANKS = "lists of answers: their order is the rank"
QUESTIONS_ONLY = "files without a column of predictions: questions and their targets alone"
LETTERS = "no grade is A or B, but some are C: C means not attempted"


def recognises(file: LogFile) -> bool:
    """Whether a file is a table of problems with answers."""
    columns = _Columns.of(find_columns(file))
    if columns.question is None:
        return False
    if columns.predicted is None:
        return {columns.question, columns.gold} == {"problem", ANSWER} and _is_dataset(file)
    return columns.gold is not None or bool(columns.grades)


def _is_dataset(file: LogFile) -> bool:
    """Whether a table of problems and answers has no other columns than SimpleQA's dataset."""
    return {plain_name(name) for name in find_columns(file)} <= {"problem", ANSWER, *OF_DATASET}


@log_format(
    title="SimpleQA and graded tables",
    files="*.csv, *.tsv, *.jsonl or *.json with problem, target, predicted_answer, grade",
    recognises=recognises,
    takes=("type",),
)
def simpleqa(file: LogFile, options: LogOptions) -> Iterable[Log]:
    """Tables of problems, right answers, predicted answers and grades, as for SimpleQA.

    A file is a run, called by the name of the file. It is CSV (with commas, semicolons or tabs),
    JSON lines, or one JSON list. The dataset itself (`metadata, problem, answer`) may be among the
    files; it gives questions, and no run.

    | column | also called | becomes |
    | --- | --- | --- |
    | `problem` | question, query | the question's id: its whole text |
    | `target` | gold, correct_answer, …; `answer` where there is a prediction | a literal key |
    | `predicted_answer` | prediction, response, output, …; `answer` where there is a target | the \
answer |
    | `grade` | grade_letter, label, verdict, judgment, is_correct | A or CORRECT: right, B or \
INCORRECT: wrong, C or NOT_ATTEMPTED: not_attempted; true, false, yes, no, 1, 0 |
    | `NAME_grade` | | the same, by the scorer NAME_grade |
    | `sample` | epoch | the sample, where a problem is asked several times |
    | `confidence` | | the confidence |
    | any | a field of `metadata` | the question's type, with `type: topic` |

    ```yaml
    campaign: simple
    collections:
      simpleqa:
        logs: {files: graded/*.csv, type: topic}
        measures: [accuracy, f_attempted, c_at_1]
    ```

    A JSON list of answers without a grade is answers by rank. A grade that is empty is none, with a
    remark. C is "not attempted" here, as in SimpleQA, never "correct". Further columns are not
    read, with a remark.
    """
    table = read_table(file)
    columns = _Columns.of(table.names)
    name = Path(file.name.removesuffix(".gz")).stem
    log = Log(TASK, name)
    log.faults += table.faults
    if not options.wants(TASK):
        return [log]
    lacking = [*columns.lacking(table.names)]
    if lacking:
        raise Unreadable(*table.faults, *lacking)
    if not table.rows and not table.faults:
        raise Unreadable(Fault("has no rows", "a problem per row"))
    _Graded(log, table, columns, options).read()
    return [log]


@dataclass(frozen=True)
class _Columns:
    """Which column is what; None: there is none."""

    question: str | None
    predicted: str | None
    gold: str | None
    grades: tuple[str, ...]
    sample: str | None
    confidence: str | None
    not_attempted: str | None

    @classmethod
    def of(cls, names: Iterable[str]) -> "_Columns":
        """What the columns of a table are, by their names in whatever capitals."""
        known = {plain_name(name): name for name in reversed([*names])}

        def first(candidates: Sequence[str]) -> str | None:
            return next((known[candidate] for candidate in candidates if candidate in known), None)

        predicted, gold = first(PREDICTED), first(GOLD)
        if gold is None:
            gold = known.get(ANSWER)
        elif predicted is None:
            predicted = known.get(ANSWER)
        single = first(GRADE)
        by_name = [known[name] for name in sorted(known) if name.endswith(("_grade", "_grades"))]
        return cls(
            first(QUESTION),
            predicted,
            gold,
            (*([single] if single else []), *by_name),
            first(SAMPLE),
            known.get("confidence"),
            known.get(NOT_ATTEMPTED) if single and plain_name(single) == "is_correct" else None,
        )

    def lacking(self, names: Sequence[str]) -> Iterator[Fault]:
        """What the table must have, and has not."""
        found = found_columns(names)
        if self.question is None:
            yield Fault("has no column of problems", f"a column {' or '.join(QUESTION)}; {found}")
        if self.predicted is None and self.grades:
            yield Fault("has grades, but no answers", f"a column {PREDICTED[0]}; {found}")
        if self.predicted is None and self.gold is None:
            yield Fault("has no answers", f"columns {PREDICTED[0]} and target; {found}")

    @property
    def read(self) -> set[str]:
        """The columns that are read whatever the config says."""
        single = (
            self.question, self.predicted, self.gold, self.sample, self.confidence,
            self.not_attempted,
        )  # fmt: skip
        return {name for name in (*single, *self.grades) if name is not None}


class _Graded:
    """The rows of a table, one after the other, into a log."""

    def __init__(self, log: Log, table: LogTable, columns: _Columns, options: LogOptions) -> None:
        self.log, self.table, self.columns, self.options = log, table, columns, options
        self.seen: dict[tuple[str, str | None], int] = {}
        self.typed = 0
        self.letters: set[str] = set()

    def read(self) -> None:
        """Read all rows."""
        for line, row in self.table.rows:
            try:
                self._add(line, row)
            except WrongRow as wrong:
                self.log.fault(f"{wrong.what} {wrong.problem}", wrong.allowed,
                               **self.table.at(line))  # fmt: skip
        self._finish()

    def _add(self, line: int, row: JsonObject) -> None:
        log, columns = self.log, self.columns
        question = single(row, columns.question)
        if question is None:
            raise WrongRow(str(columns.question), "is empty", "the text of the problem")
        sample = single(row, columns.sample)
        known = len(log.faults)
        targets = self._targets(line, row)
        kind = self._type(line, row)
        if len(log.faults) > known:
            return
        before = self.seen.setdefault((question, sample), line)
        if before != line:
            in_sample = f" in sample {sample}" if sample else ""
            where = f"entry {before}" if self.table.is_list else f"line {before}"
            shown = question if len(question) <= 60 else f"{question[:59]}…"
            problem = f"is there twice{in_sample}: {shown!r} also in {where}"
            raise WrongRow(str(columns.question), problem, TWICE)
        place = self.table.at(line).get("place", "")
        log.add_question(question, line, targets=targets, type=kind, text=question, place=place)
        if columns.predicted is None:
            return
        answers = several(row, columns.predicted)
        verdicts = [(scorer, self._verdict(row, scorer)) for scorer in columns.grades]
        if len(answers) > 1:
            if any(verdict for _, verdict in verdicts):
                raise WrongRow(columns.predicted, "is a list", "one answer, where it has a grade")
            log.remark(RANKS, columns.predicted)
        elif not answers and any(verdict == "right" for _, verdict in verdicts):
            answers = [UNTEXTED]
            log.remark(NO_TEXT, columns.predicted)
        confidence = self._confidence(row)
        for rank, answer in enumerate(answers or [None], start=1):
            log.add_answer(question, line, answer, sample=sample, rank=rank, confidence=confidence)
        for scorer, verdict in verdicts:
            if verdict is None:
                log.remark(UNGRADED, scorer)
            else:
                log.add_verdict(question, line, scorer, sample=sample, verdict=verdict)

    def _targets(self, line: int, row: JsonObject) -> list[str]:
        """The right answers: one, or forms of one in a JSON list."""
        name = self.columns.gold
        try:
            targets = as_texts(row.get(name)) if name else []
        except ValueError:
            self.log.fault(f"{name} has lists in a list", "a text or a list of texts",
                           **self.table.at(line))  # fmt: skip
            return []
        if name and not targets:
            self.log.remark("problems without a target: no key", name)
        value = row.get(name) if name else None
        if name and isinstance(value, str) and value[:1] + value[-1:] == "[]":
            self.log.remark(LISTS, name)
        return targets

    def _verdict(self, row: JsonObject, column: str) -> str | None:
        text = single(row, column)
        skipped = single(row, self.columns.not_attempted)
        if skipped is not None and read_grade(skipped) == "right":
            return "not_attempted"
        if text is None:
            return None
        verdict = read_grade(text)
        if verdict is None:
            raise WrongRow(column, f"is no grade that is known: {text[:40]!r}", ALLOWED_GRADE)
        self.letters.add(text)
        return verdict

    def _confidence(self, row: JsonObject) -> float | None:
        text = single(row, self.columns.confidence)
        try:
            return None if text is None else float(text)
        except ValueError:
            name = str(self.columns.confidence)
            raise WrongRow(name, f"is no number: {text!r}", "a number") from None

    def _type(self, line: int, row: JsonObject) -> str | None:
        """The type of the question: of a column of that name, or of a field of its metadata."""
        name = self.options.type
        if name is None:
            return None
        value = row.get(name)
        if value is None and name not in self.table.names:
            metadata = _unpack(row.get(METADATA))
            if metadata is None:
                self.log.fault(f"{METADATA} is no object", f"an object with {name}, as type: asks",
                               **self.table.at(line))  # fmt: skip
                return None
            value = metadata.get(name)
        try:
            text = as_text(value)
        except ValueError as error:
            self.log.fault(f"{name} {error}", "a text or a number, as type: asks for it",
                           **self.table.at(line))  # fmt: skip
            return None
        self.typed += text is not None
        return text

    def _finish(self) -> None:
        log, columns = self.log, self.columns
        name = self.options.type
        if name and not self.typed and not log.faults:
            found = found_columns(self.table.names)
            log.fault(f"has no {name}", f"type: with a column or a field of {METADATA}; {found}")
        if columns.predicted is None:
            log.remark(QUESTIONS_ONLY)
        if "C" in self.letters and not self.letters & {"A", "B"}:
            log.remark(LETTERS, columns.grades[0])
        read = columns.read | {name or METADATA, METADATA}
        names = [column for column in self.table.names if column not in read]
        unread = [column for column in names if plain_name(column) not in UNREAD]
        if unread:
            log.remark(f"columns that are not read: {', '.join(unread[:20])}", "", len(unread))


def _unpack(metadata: Any) -> JsonObject | None:
    """Metadata, written as JSON or as Python writes it; None where it is neither.

    >>> _unpack("{'topic': 'Art', 'urls': []}"), _unpack('{"topic": null}'), _unpack("x")
    ({'topic': 'Art', 'urls': []}, {'topic': None}, None)
    """
    if isinstance(metadata, str):
        try:
            metadata = parse_json(metadata)
        except NotJson:
            try:
                metadata = ast.literal_eval(metadata)
            except (ValueError, SyntaxError, MemoryError, RecursionError):
                return None
    if metadata is None:
        return {}
    return metadata if isinstance(metadata, dict) else None
