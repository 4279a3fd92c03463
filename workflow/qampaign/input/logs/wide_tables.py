"""The format of wide tables: a row per question, a column per run."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from qampaign.input.formats import Fault, Unreadable, found_columns
from qampaign.input.logs.declaration import log_format
from qampaign.input.logs.grades import ALLOWED_GRADE, plain_name, read_grade
from qampaign.input.logs.json_values import JsonObject
from qampaign.input.logs.log import UNTEXTED, Log
from qampaign.input.logs.log_file import LogFile
from qampaign.input.logs.options import LogOptions
from qampaign.input.logs.table_file import (
    LogTable,
    WrongRow,
    find_columns,
    read_table,
    several,
    single,
)
from qampaign.problems import first_names, quote

TASK = "wide"

IDS = ("id", "question_id", "qid")
TEXTS = ("question", "problem", "query", "prompt")
GOLD = (
    "target", "gold", "gold_answer", "gold_answers", "gold_target", "correct_answer",
    "reference_answer", "ground_truth", "reference", "expected", "key", "answer", "answers",
)  # fmt: skip
ANSWERS = ("answer", "response", "prediction", "output")
LABELS = ("label", "grade", "verdict", "judgment", "judgement", "is_correct", "correct", "score")
CONFIDENCE = "confidence"
MARK = re.compile(
    rf"(?P<run>.+?)[_ .:/-](?P<mark>{'|'.join((*LABELS, *ANSWERS, CONFIDENCE))})", re.IGNORECASE
)
"""A column of a run, and what it holds."""

NO_RUNS = {
    "category", "topic", "type", "difficulty", "source", "url", "urls", "context", "passage",
    "metadata", "split", "language", "subject", "domain", "note", "notes", "comment", "comments",
    "explanation", "date", "rank", "sample", "epoch", "run", "model", "system", "answer_type",
    *ANSWERS, *LABELS, CONFIDENCE,
}  # fmt: skip
"""Names that hardly are those of runs."""

NUMBERED = {"", "index", "unnamed:_0"}
"""Columns that number rows, as pandas writes them."""

HOW_TO_NAME = (
    "NAME_answer for the answers of a run, NAME_label for labels of them; "
    "type: in logs for the type of questions; a name that begins with _ for what is not to be read"
)
HOW_TO_LABEL = "NAME_label for columns that say whether an answer is right"

UNLABELLED = "answers without a label: not labelled"
NO_TEXT = f"answers without text that are labelled right: shown as {UNTEXTED}"
NO_ANSWERS = f"labels without a column of answers: the answers are shown as {UNTEXTED}"
RANKS = "lists of answers: their order is the rank"


@dataclass
class _Run:
    """The columns of a run."""

    answers: str | None = None
    labels: dict[str, str] = field(default_factory=dict)
    """Scorers, each with the column of their labels."""
    confidence: str | None = None


@dataclass
class _Columns:
    """Which column is what."""

    question: str | None = None
    text: str | None = None
    gold: str | None = None
    runs: dict[str, _Run] = field(default_factory=dict)
    unknown: list[str] = field(default_factory=list)
    """Columns that may be runs, or may be not."""

    @classmethod
    def of(cls, names: Sequence[str], kind: str | None = None) -> "_Columns":
        """What columns are by their names; `kind` is that of the types of questions."""
        known = {plain_name(name): name for name in reversed(names)}

        def first(candidates: Sequence[str]) -> str | None:
            return next((known[candidate] for candidate in candidates if candidate in known), None)

        text = first(TEXTS)
        columns = cls(first(IDS) or text, text, first(GOLD))
        left_out = {columns.question, text, columns.gold, kind}
        others = [
            name for name in names
            if name not in left_out and plain_name(name) not in NUMBERED and name[:1] != "_"
        ]  # fmt: skip
        marked = {name: match for name in others if (match := MARK.fullmatch(name))}
        plain = [name for name in others if name not in marked]
        columns._find_runs(plain, marked)
        return columns

    def _find_runs(self, plain: list[str], marked: Mapping[str, re.Match[str]]) -> None:
        """Tell runs by what marks a column as one of a run; without any marks all are runs."""
        for name, match in marked.items():
            if match["mark"].lower() in ANSWERS:
                self.runs.setdefault(match["run"], _Run()).answers = name
        candidates = {*self.runs, *plain}
        for name, match in marked.items():
            mark = match["mark"].lower()
            if mark in ANSWERS:
                continue
            run, scorer = _split(match["run"], mark, candidates)
            columns = self.runs.setdefault(run, _Run())
            if columns.answers is None and run in plain:
                columns.answers = run
            if mark == CONFIDENCE and run == match["run"]:
                columns.confidence = name
            else:
                columns.labels[scorer] = name
        empty = [
            run
            for run, run_columns in self.runs.items()
            if not run_columns.answers and not run_columns.labels
        ]
        self.unknown = [str(self.runs.pop(run).confidence) for run in empty]
        taken = {run_columns.answers for run_columns in self.runs.values()}
        others = [name for name in plain if name not in taken]
        if not self.runs and not self.unknown:
            self.runs = {name: _Run(name) for name in others if plain_name(name) not in NO_RUNS}
            others = [name for name in others if name not in self.runs]
        self.unknown += others

    @property
    def is_certain(self) -> bool:
        """Whether nothing else can be meant: two runs with answers and labels, nothing unknown."""
        whole = [
            run_columns
            for run_columns in self.runs.values()
            if run_columns.answers and run_columns.labels
        ]
        return self.question is not None and len(whole) > 1 and not self.unknown

    @property
    def understood(self) -> str:
        """What the columns were taken for, for a remark."""
        labelled = [name for name, run in self.runs.items() if run.labels]
        scorers = sorted({scorer for run in self.runs.values() for scorer in run.labels})
        parts = [f"questions in {self.question}"]
        parts += [f"right answers in {self.gold}"] if self.gold else ["no right answers"]
        parts.append(f"runs {first_names(self.runs)}")
        if labelled:
            parts.append(f"labels of {first_names(labelled)} by {first_names(scorers)}")
        return "; ".join(parts)


def _split(base: str, mark: str, runs: Iterable[str]) -> tuple[str, str]:
    """The run and the scorer of a column, by what stands before its mark.

    >>> _split("gpt-4_human", "label", ["gpt-4", "gpt"]), _split("gpt-4", "label", ["gpt-4"])
    (('gpt-4', 'human_label'), ('gpt-4', 'label'))
    """
    longest = max((run for run in runs if re.match(re.escape(run) + r"[_ .:/-]", base)),
                  key=len, default=None)  # fmt: skip
    if base in runs or longest is None:
        return base, mark
    return longest, f"{base[len(longest) + 1 :]}_{mark}"


def recognises(file: LogFile) -> bool:
    """Whether a file is surely a wide table; others need format: wide."""
    return _Columns.of(find_columns(file)).is_certain


@log_format(
    title="Wide tables",
    files="*.csv, *.tsv, *.jsonl or *.json with a row per question and a column per run",
    recognises=recognises,
    takes=("type",),
)
def wide(file: LogFile, options: LogOptions) -> Iterable[Log]:
    """Tables with a row per question and a column per run, as spreadsheets have them.

    The file is CSV (with commas, semicolons or tabs), JSON lines, or one JSON list.

    | column | becomes |
    | --- | --- |
    | `id` (question_id, qid), else `question` (problem, query, prompt) | the question's id |
    | `question` beside an id | its text |
    | `target`, gold, correct_answer, …, `answer` | a literal key |
    | `NAME_answer`, NAME_response, NAME_prediction, NAME_output; or `NAME` | the answers of the \
run NAME |
    | `NAME_label`, NAME_grade, NAME_verdict, NAME_correct, NAME_score | labels of these answers, \
by the scorer label, grade, … |
    | `NAME_human_label` | the same, by the scorer human_label |
    | `NAME_confidence` | its confidence |
    | a column that `type:` names | the question's type |
    | a name that begins with `_`, or none | not read |

    ```yaml
    campaign: wide
    collections:
      answers:
        logs: {files: answers.csv, format: wide}
        judges: {key: {kind: key}}
    ```

    Labels are those of [SimpleQA and graded tables](#simpleqa-and-graded-tables), or numbers. Where
    a column is marked as that of a run by such an ending, every other column must be known: one
    that is neither is a fault. Without such endings all other columns are the answers of runs, but
    for names such as topic or url, which are a fault. A remark says how the columns were
    understood. Without `format: wide`, a table is recognised only if at least two runs have answers
    and labels, and no column is unknown.

    Labels without answers (a table of who is right) are read too: the answers have no text then.
    """
    table = read_table(file)
    shared = Log(TASK, "")
    shared.faults += table.faults
    if not options.wants(TASK):
        return [shared]
    columns = _Columns.of(table.names, options.type)
    lacking = [*_lacking(columns, table, options)]
    if lacking:
        raise Unreadable(*table.faults, *lacking)
    shared.remark(f"columns understood as: {columns.understood}")
    logs = {run: Log(TASK, run) for run in columns.runs}
    seen: dict[str, int] = {}
    for line, row in table.rows:
        try:
            item = _add_question(shared, table, columns, options, line, row, seen)
        except WrongRow as wrong:
            _note(shared, wrong, table, line)
            continue
        for run, of_run in columns.runs.items():
            try:
                _add_answer(logs[run], of_run, item, line, row)
            except WrongRow as wrong:
                _note(logs[run], wrong, table, line)
    for run, of_run in columns.runs.items():
        if of_run.answers is None:
            logs[run].remark(NO_ANSWERS, run)
    return [shared, *logs.values()]


def _note(log: Log, wrong: WrongRow, table: LogTable, line: int) -> None:
    log.fault(f"{wrong.what} {wrong.problem}", wrong.allowed, **table.at(line))


def _lacking(columns: _Columns, table: LogTable, options: LogOptions) -> Iterator[Fault]:
    """What keeps the table from being read."""
    found = found_columns(table.names)
    if not table.rows and not table.faults:
        yield Fault("has no rows", "a question per row")
        return
    if columns.question is None:
        allowed = f"a column {' or '.join((*IDS, *TEXTS))}; {found}"
        yield Fault("has no column of questions", allowed)
    if options.type and options.type not in table.names:
        yield Fault(f"has no column {options.type}, which type: asks for", found)
    for name in columns.unknown:
        yield Fault(f"has a column that is neither a run nor known: {quote(name)}", HOW_TO_NAME, 1)
    if not columns.runs:
        yield Fault("has no column of a run", f"{HOW_TO_NAME}; {found}")
    elif columns.gold is None and all(
        run.answers and not run.labels and _has_labels(table, run.answers)
        for run in columns.runs.values()
    ):
        yield Fault("has nothing but 0 and 1, true and false in the columns of runs", HOW_TO_LABEL)


def _has_labels(table: LogTable, name: str) -> bool:
    """Whether a column has nothing but numbers and words for wrong and right."""
    values = {str(row.get(name)).lower() for _, row in table.rows if row.get(name) is not None}
    return bool(values) and values <= {"0", "1", "0.0", "1.0", "true", "false", ""}


def _add_question(
    log: Log,
    table: LogTable,
    columns: _Columns,
    options: LogOptions,
    line: int,
    row: JsonObject,
    seen: dict[str, int],
) -> str:
    """Add the question of a row; gives its id."""
    name = str(columns.question)
    item = single(row, columns.question)
    if item is None:
        raise WrongRow(name, "is empty", "an id, or the text of the question")
    before = seen.setdefault(item, line)
    if before != line:
        where = f"entry {before}" if table.is_list else f"line {before}"
        shown = item if len(item) <= 60 else f"{item[:59]}…"
        raise WrongRow(name, f"is there twice: {quote(shown)} also in {where}", "each once")
    targets = several(row, columns.gold) if columns.gold else []
    if columns.gold and not targets:
        log.remark("questions without a right answer: no key", columns.gold)
    log.add_question(
        item,
        line,
        targets=targets,
        text=single(row, columns.text),
        type=single(row, options.type),
    )
    return item


def _add_answer(log: Log, columns: _Run, item: str, line: int, row: JsonObject) -> None:
    """Add the answer of a run in a row, and what labels say of it."""
    labels = {scorer: single(row, name) for scorer, name in columns.labels.items()}
    labelled = {scorer: label for scorer, label in labels.items() if label is not None}
    unlabelled = [name for scorer, name in columns.labels.items() if scorer not in labelled]
    known = len(log.verdicts)
    for scorer, label in labelled.items():
        _add_label(log, item, line, scorer, label, columns.labels[scorer])
    verdicts = log.verdicts[known:]
    if columns.answers is None:
        attempted = any(verdict.verdict != "not_attempted" for verdict in verdicts)
        for column in unlabelled:
            log.remark(UNLABELLED, column)
        log.add_answer(item, line, UNTEXTED if attempted else None)
        return
    answers = several(row, columns.answers)
    if len(answers) > 1 and labelled:
        raise WrongRow(columns.answers, "is a list", "one answer, where it has a label")
    if len(answers) > 1:
        log.remark(RANKS, columns.answers)
    if not answers and any(verdict.verdict == "right" or verdict.score for verdict in verdicts):
        answers = [UNTEXTED]
        log.remark(NO_TEXT, columns.answers)
    confidence = _number(row, columns.confidence)
    ranked: list[str | None] = [*answers] or [None]
    for rank, answer in enumerate(ranked, start=1):
        log.add_answer(item, line, answer, rank=rank, confidence=confidence)
    for column in unlabelled if answers else ():
        log.remark(UNLABELLED, column)


def _add_label(log: Log, item: str, line: int, scorer: str, label: str, column: str) -> None:
    """Add what a label says: a number, or a verdict."""
    verdict = read_grade(label)
    try:
        number = float(label)
    except ValueError:
        if verdict is None:
            problem = f"is no label that is known: {label[:40]!r}"
            raise WrongRow(column, problem, f"{ALLOWED_GRADE}; or a number") from None
        log.add_verdict(item, line, scorer, verdict=verdict)
    else:
        log.add_number(item, line, scorer, number)


def _number(row: JsonObject, name: str | None) -> float | None:
    text = single(row, name)
    try:
        return None if text is None else float(text)
    except ValueError:
        raise WrongRow(str(name), f"is no number: {text!r}", "a number") from None
