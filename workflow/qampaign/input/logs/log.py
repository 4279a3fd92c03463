"""What a log says: a task, a model, its answers, and what scorers said of them.

A reader fills in a :class:`Log` for each task and model of a file. It gives values as the file has
them; which run and which question of the collection they belong to is decided in
:mod:`qampaign.input.logs.reading`, once for all formats.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import polars as pl

from qampaign.input.formats import Fault
from qampaign.input.logs.json_values import amount_of
from qampaign.problems import quote

Id = str | int

UNTEXTED = "(no text)"
"""What stands for an answer without any text that a scorer nevertheless calls right.

Tools may have done what was asked for; without a text, it would count as unanswered."""

NO_TEXT = f"answers without text that a scorer calls right: shown as {UNTEXTED}"

ANSWERS, VERDICTS_SAID = "responses", "logged"
"""The tables that answers and verdicts become rows of."""

VERDICTS = {0.0: "wrong", 1.0: "right"}
"""The verdicts that numbers are."""


class LoggedAnswer(NamedTuple):
    """An answer of the model. What is None is not said."""

    question: str
    line: int
    sample: str | None = None
    rank: int | None = None
    answer: str | None = None
    confidence: float | None = None
    score: float | None = None
    answered: bool | None = None
    support: str | None = None
    cost: float | None = None
    seconds: float | None = None
    tokens: float | None = None


class LoggedVerdict(NamedTuple):
    """What a scorer said of an answer: a verdict, with a level perhaps, or a number."""

    question: str
    line: int
    sample: str | None
    rank: int
    scorer: str
    verdict: str | None = None
    level: str | None = None
    score: float | None = None


class LoggedAssessment(NamedTuple):
    """A label of a person, or of a judgment list, for an answer string or for an item."""

    question: str
    line: int
    answer: str | None = None
    label: str = ""
    level: str | None = None
    # named as the column is
    class_: str | None = None
    assessor: str | None = None
    support: str | None = None
    """Where the answer was found, if the label is for answers that were found there alone."""


class LoggedPattern(NamedTuple):
    """A pattern of right answers."""

    question: str
    line: int
    pattern: str


class LoggedQuestion(NamedTuple):
    """A question with the answers that are right."""

    line: int
    type: str | None = None
    text: str | None = None
    group: str | None = None
    nil: bool = False
    targets: tuple[str, ...] = ()


class LoggedFigure(NamedTuple):
    """What a log says that a scorer gave on average: to be compared with what comes out here."""

    scorer: str
    value: float
    source: str
    """Where it stands, for people to read."""


@dataclass
class Log:
    """What a file says of one task and one model."""

    task: str
    model: str
    filter: str | None = None
    """The filter by which the answers were taken out of the outputs, where the format has such."""
    date: str | None = None
    cost: float | None = None
    """What the whole took, as far as the answers do not say so; likewise the next two."""
    seconds: float | None = None
    tokens: float | None = None
    more: dict[str, str] = field(default_factory=dict)
    """What else is to be shown about the run."""
    answers: list[LoggedAnswer] = field(default_factory=list)
    verdicts: list[LoggedVerdict] = field(default_factory=list)
    columns: dict[str, dict[str, Sequence[object] | pl.Series]] = field(default_factory=dict)
    """Answers and verdicts of a reader that has many of them: the columns of each table.

    They stand for rows in `answers` or `verdicts`; a column that is not there says nothing."""
    sampled: bool = True
    """Whether samples are told apart: otherwise there is one of each answer."""
    scorer_names: Mapping[str, str] = field(default_factory=dict)
    """What scorers are called instead."""
    assessments: list[LoggedAssessment] = field(default_factory=list)
    patterns: list[LoggedPattern] = field(default_factory=list)
    questions: dict[str, LoggedQuestion] = field(default_factory=dict)
    figures: list[LoggedFigure] = field(default_factory=list)
    remarks: Counter[tuple[str, str]] = field(default_factory=Counter)
    """How often something was noticed: a column, and a text."""
    first_places: dict[tuple[str, str], str] = field(default_factory=dict)
    """Where something was noticed first, where a remark is to say so."""
    faults: list[Fault] = field(default_factory=list)
    other_targets: list[Fault] = field(default_factory=list)
    """Targets of questions that had others before: no faults where files give the keys."""
    filters: Sequence[str] = ()
    """Every filter that the file has samples by, whichever were asked for."""

    def add_answer(self, question: Id, line: int, answer: str | None, **further: object) -> None:
        """Add an answer; `further` are more columns of :class:`LoggedAnswer`."""
        if further:
            logged = LoggedAnswer(str(question), line, answer=answer, **further)  # type: ignore[arg-type]
        else:
            logged = LoggedAnswer(str(question), line, None, None, answer)
        self.answers.append(logged)

    def add_question(
        self,
        question: Id,
        line: int,
        *,
        targets: Sequence[str] = (),
        place: str = "",
        text: str | None = None,
        type: str | None = None,  # noqa: A002 - the column's name
        group: str | None = None,
        nil: bool = False,
    ) -> None:
        """Add a question, once or several times; other right answers than before are a fault."""
        name = str(question)
        right = tuple(targets if len(targets) < 2 else dict.fromkeys(targets))
        first = self.questions.get(name)
        if first is None:
            self.questions[name] = LoggedQuestion(line, type, text, group, nil, right)
        elif first.targets != right:
            where = f"{place}: " if place else ""
            problem = f"{where}the target of {name} is not the one that it has before"
            self.other_targets.append(Fault(problem, "one target for each id", line))

    def add_verdict(
        self,
        question: Id,
        line: int,
        scorer: str,
        *,
        sample: str | None = None,
        rank: int = 1,
        verdict: str | None = None,
        level: str | None = None,
        score: float | None = None,
    ) -> None:
        """Add what a scorer said: a verdict, or a number."""
        logged = LoggedVerdict(str(question), line, sample, rank, scorer, verdict, level, score)
        self.verdicts.append(logged)

    def add_assessment(
        self,
        question: Id,
        line: int,
        label: str,
        *,
        answer: str | None = None,
        level: str | None = None,
        class_: str | None = None,
        assessor: str | None = None,
        support: str | None = None,
    ) -> None:
        """Add a label, one of :data:`qampaign.verdicts.LABELS`, for an answer or an item."""
        self.assessments.append(
            LoggedAssessment(str(question), line, answer, label, level, class_, assessor, support)
        )

    def add_pattern(self, question: Id, line: int, pattern: str) -> None:
        """Add a pattern of right answers."""
        self.patterns.append(LoggedPattern(str(question), line, pattern))

    def add_number(
        self,
        question: Id,
        line: int,
        scorer: str,
        number: float | bool,
        *,
        sample: str | None = None,
        rank: int = 1,
    ) -> None:
        """Add a number of a scorer: 0 and 1 are verdicts, too; one that is not finite is none."""
        try:
            value = float(number)
        except OverflowError:  # a whole number of hundreds of digits
            value = math.inf
        if not math.isfinite(value):
            self.remark(f"scores of {scorer} that are no number: not scored", "score")
            return
        verdict = VERDICTS.get(value)
        logged = LoggedVerdict(str(question), line, sample, rank, scorer, verdict, None, value)
        self.verdicts.append(logged)

    @property
    def has_answers(self) -> bool:
        """Whether it has answers."""
        return bool(self.answers) or ANSWERS in self.columns

    def show_untexted(self) -> None:
        """Give a text to answers without one that a scorer calls right; those in rows alone."""
        texts = [logged.answer for logged in self.answers]
        if all(texts) and not any(map(str.isspace, filter(None, texts))):
            return
        good = {
            (verdict.question, verdict.sample, verdict.rank)
            for verdict in self.verdicts
            if verdict.verdict == "right" or (verdict.verdict is None and verdict.score)
        }
        for number, answer in enumerate(self.answers):
            position = (answer.question, answer.sample, answer.rank or 1)
            if not (answer.answer and answer.answer.strip()) and position in good:
                self.answers[number] = answer._replace(answer=UNTEXTED)
                self.remark(NO_TEXT, "answer")

    def remark(self, text: str, column: str = "", count: int = 1, *, place: str = "") -> None:
        """Note something that is no fault; of several, the remark says the first `place`."""
        self.remarks[column, text] += count
        if place:
            self.first_places.setdefault((column, text), place)

    def amount(
        self, column: str, place: str, *fields: tuple[Any, str], per: float = 1
    ) -> float | None:
        """The sum of what fields say that something took, None where they say nothing.

        A field is an object and the names in it, one within the other: `usage.total`. `column` is
        cost, seconds or tokens, `per` how many units of the file are one of it. Where a field is
        no number from 0, the whole is left out, with a remark.
        """
        total: float | None = None
        for source, names in fields:
            value, is_odd = source, False
            for name in names.split("."):
                if value is None or is_odd:
                    break
                is_odd = not isinstance(value, dict)
                value = value if is_odd else value.get(name)
            if value is None:
                continue
            amount = None if is_odd else amount_of(value)
            total = amount if total is None or amount is None else amount_of(total + amount)
            if total is None:
                first = f"{quote(str(value)[:40])} in {place}"
                self.remark(f"{names} that is no number from 0: left out", column, place=first)
                return None
        return None if total is None else total / per

    def fault(
        self, problem: str, allowed: str = "", *, place: str = "", line: int | None = None
    ) -> None:
        """Note why something cannot be read; `place` says where in the file."""
        self.faults.append(Fault(f"{place}: {problem}" if place else problem, allowed, line))
