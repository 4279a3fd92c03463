"""How a judge is declared: a function that judges, whose signature gives its options.

It takes the responses, the table that it judges by and the questions, then by name:

- `name`, what messages call the judge;
- what its collection says for all judges (:class:`Shared`), the `task` and `refusals`, as far as it
  wants them;
- its options, each described as :mod:`qampaign.options` says;
- `labels`, the verdicts of the judge that it learns from, if it can learn from one
  (:mod:`qampaign.judging.teaching`; None: the config names no such judge), and `seed`, a text that
  all chance follows from.

The first line of its docstring says what it judges by. The config's checks, the tables and the
reference follow from that.
"""

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated, Any, Literal, get_args

import polars as pl

from qampaign.judging.judgments import Judged
from qampaign.options import Limits, Option, Options, arguments_for, options_of
from qampaign.plugins import Declared
from qampaign.verdicts import LABELS

Task = Literal["answering", "validation"]
Table = Literal["assessments", "keys", "patterns", "verdicts", "scores", "logged", "judges"]

Fault = tuple[str, str, str]
"""A fault of a judge's options: which option, what is wrong with it, what is allowed."""

OF_LABELS = ("question", "run", "sample", "rank", "answer", "assessor", "verdict", "level", "class")

COLUMNS: dict[Table, tuple[str, ...]] = {
    "assessments": OF_LABELS,
    "keys": ("question", "key", "level", "class", "literal"),
    "patterns": ("question", "pattern"),
    "verdicts": (*OF_LABELS, "trial"),
    "scores": ("question", "run", "sample", "rank", "answer", "scorer", "score"),
    "logged": ("question", "run", "sample", "rank", "scorer", "verdict", "level", "score"),
    "judges": OF_LABELS,
}
"""The tables that a judge can judge by, each with the columns that it gets. `verdicts` and `scores`
are in files of the judge's own, `logged` is what logs say, `judges` are the judgments of other
judges (the judge's name is the assessor), the others are in files of the collection."""

OWN_FILES = ("verdicts", "scores")
"""The tables that are in files of a judge's own."""

OVERRIDING = ("correct", "ties", "unassessed")
"""What a judge may set otherwise than its collection."""


@dataclass(frozen=True)
class Shared:
    """What a collection says for all its judges."""

    correct: Annotated[
        Sequence[str],
        Limits(
            minItems=1,
            uniqueItems=True,
            items={
                "enum": ["right", "inexact", "unsupported"],
                "description": "one of right, inexact, unsupported",
            },
        ),
        "a list of the verdicts that count as correct; [right] is strict",
    ] = ("right",)
    unassessed: Annotated[
        Literal["error", "wrong", "bounds"],
        "error (refuse an answer that no assessment covers), wrong (count it as wrong) or bounds "
        "(likewise, and show the values if all such answers were wrong, and if all were right)",
    ] = "error"
    ties: Annotated[
        Sequence[str],
        Limits(
            uniqueItems=True,
            items={"enum": list(LABELS), "description": f"one of {', '.join(LABELS)}"},
        ),
        "a list of the verdicts that win a tie between assessors, in order of preference",
    ] = ()
    nil: Annotated[str, Limits(minLength=1), 'how the answer "there is no answer" is spelled'] = (
        "NIL"
    )
    language: Annotated[str, "the language of the questions, such as en"] = "en"


SHARED = options_of(Shared)
"""The same as options, by name."""

GIVEN = ("task", "refusals")
"""What else a judge gets of its collection: the task, and what it says of answers such as "I don't
know" (:mod:`qampaign.judging.refusals`; None: nothing)."""

JUDGES: Declared["Judge"] = Declared("judge")
"""Every declared kind of judge."""


@dataclass(frozen=True)
class Judge:
    """A declared kind of judge. Calling it judges."""

    kind: str
    by: Table
    """The table that it judges by."""
    tasks: tuple[Task, ...]
    default_name: str | None
    """What the judge of a collection is called that names none but has files for the table."""
    documentation: str
    options: Mapping[str, Option]
    """What the config may set for it alone."""
    takes: tuple[str, ...]
    """What it is given of what its collection says for all judges, and `task`."""
    function: Callable[..., Judged]
    matched_words: Callable[..., pl.Series] | None
    """For judges by a key: which of its words are in answers."""
    check: Callable[[Options], Iterator[Fault]] | None
    """What is wrong with its options together, and with what it is given."""
    degrees: bool
    """Whether it says of each answer how right it is: a number from 0 to 1, its degree."""
    verdicts_by: str | Callable[[Options], bool] | None
    """The option without which it gives degrees and no verdicts, or what tells that by options."""
    taught_by: str | None
    """The option that names the judge that it learns from."""
    labels_suffice: bool
    """Whether it needs no rows of its table where it learns from a judge."""
    labels_in_part: bool
    """Whether the judge that it learns from is meant to have labels on some questions alone."""
    reads_text: bool
    """Whether it goes by what the questions ask, too."""

    @property
    def summary(self) -> str:
        """What it judges by, in one sentence."""
        return self.documentation.partition("\n")[0]

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that it gets of the table that it judges by."""
        return COLUMNS[self.by]

    @property
    def has_files(self) -> bool:
        """Whether its table comes from files of its own."""
        return self.by in OWN_FILES

    def gives_verdicts(self, arguments: Options) -> bool:
        """Whether it says with these arguments what is right, and not only how right it is."""
        if callable(self.verdicts_by):
            return self.verdicts_by(arguments)
        return self.verdicts_by is None or arguments.get(self.verdicts_by) is not None

    @property
    def is_jury(self) -> bool:
        """Whether it judges by what other judges say."""
        return self.by == "judges"

    @property
    def takes_seed(self) -> bool:
        """Whether chance has a part in what it says."""
        return "seed" in inspect.signature(self.function).parameters

    def teacher(self, options: Options) -> str | None:
        """The judge that it learns from with these options."""
        return None if self.taught_by is None else options.get(self.taught_by)

    @property
    def may_be_partial(self) -> bool:
        """Whether it can go by the questions alone that it has labels for."""
        return "partial" in inspect.signature(self.function).parameters

    @property
    def overriding(self) -> list[str]:
        """What its collection says for all judges and it may set otherwise."""
        return [name for name in OVERRIDING if name in self.takes]

    @property
    def threshold(self) -> float | None:
        """What its degrees must exceed unless the config says so, if it has such a threshold."""
        option = self.options.get("threshold")
        return None if option is None else option.default

    def __call__(
        self,
        responses: pl.DataFrame,
        table: pl.DataFrame,
        questions: pl.DataFrame,
        **settings: object,
    ) -> Judged:
        """Judge responses; what the collection says is as it is by default unless given."""
        arguments = arguments_for(self.function, self.complete(settings))
        return self.function(responses, table, questions, **arguments)

    def complete(self, settings: Options) -> dict[str, Any]:
        """The arguments of the judge: those given, the others as they are by default."""
        options = {name: option for name, option in SHARED.items() if name in self.takes}
        every = {**options, **self.options}.items()
        return {name: option.default for name, option in every} | dict(settings)

    def with_matches(
        self, judged: Judged, table: pl.DataFrame, questions: pl.DataFrame, **settings: object
    ) -> Judged:
        """The same judgments with what each answer has of the form of the key that it fits best."""
        if self.matched_words is None:
            return judged
        judgments, item = judged.judgments, ["question", "answer", "form"]
        fitting = judgments.filter(pl.col("degree") > 0).select("run", *item).drop_nulls()
        names = pl.col("run", "question").cast(pl.String)
        texts = fitting.unique(item, maintain_order=True).with_columns(names)
        matched = self.matched_words(texts, table, questions, **self.complete(settings))
        matched_rows = texts.select(item).with_columns(
            pl.col("question").cast(judgments.schema["question"]), matched.alias("matched")
        )
        nothing = pl.when(pl.col("form").is_not_null()).then(pl.lit(""))
        joined = judgments.drop("matched").join(
            matched_rows, on=item, how="left", maintain_order="left"
        )
        complete = joined.with_columns(pl.coalesce("matched", nothing).alias("matched"))
        return replace(judged, judgments=complete.select(judgments.columns))

    def matcher(self, **settings: object) -> Callable[[pl.DataFrame], pl.Series] | None:
        """Which words of the key are in answers, given `keys`, `questions` and the arguments."""
        if self.matched_words is None:
            return None
        return partial(self.matched_words, **self.complete(settings))


def judge(
    *,
    by: Table,
    tasks: tuple[Task, ...] = ("answering",),
    default_name: str | None = None,
    matched_words: Callable[..., pl.Series] | None = None,
    check: Callable[[Options], Iterator[Fault]] | None = None,
    degrees: bool = False,
    verdicts_by: str | Callable[[Options], bool] | None = None,
    taught_by: str | None = None,
    labels_suffice: bool = False,
    labels_in_part: bool = False,
    reads_text: bool = False,
) -> Callable[[Callable[..., Judged]], Judge]:
    """Declare the decorated function as a kind of judge whose name is the function's.

    `degrees` says that its judgments have a column `degree`, and `verdicts_by` which option it
    needs to give verdicts as well, or how that follows from its options. `taught_by` is the option
    that names the judge that it learns from; `labels_suffice`: that judge's labels will do without
    the table; `labels_in_part`: they are meant to be on some questions alone; `reads_text`: it gets
    the text of the questions, too.
    """
    if by not in COLUMNS:
        raise ValueError(f"judges judge by {', '.join(COLUMNS)}, not by {by}")
    if unknown := set(tasks) - set(get_args(Task)):
        raise ValueError(f"the tasks of judges are answering and validation, not {unknown.pop()}")

    def declare(function: Callable[..., Judged]) -> Judge:
        arguments = inspect.signature(function).parameters
        options = options_of(function)
        shared = tuple(name for name in (*SHARED, *GIVEN) if name in arguments)
        if confused := sorted(
            options.keys() & {*SHARED, *GIVEN, "name", "partial", "labels", "seed"}
        ):
            raise ValueError(f"{confused[0]} is what every judge gets and cannot be an option")
        defaults = {known.by: known.kind for known in JUDGES.values() if known.default_name}
        if default_name and defaults.get(by, function.__name__) != function.__name__:
            raise ValueError(f"the judge by {by} of a collection that names none is {defaults[by]}")
        declared = Judge(
            kind=function.__name__,
            by=by,
            tasks=tasks,
            default_name=default_name,
            documentation=inspect.getdoc(function) or "",
            options=options,
            takes=shared,
            function=function,
            matched_words=matched_words,
            check=check,
            degrees=degrees,
            verdicts_by=verdicts_by,
            taught_by=taught_by,
            labels_suffice=labels_suffice,
            labels_in_part=labels_in_part,
            reads_text=reads_text,
        )
        JUDGES.add(declared.kind, declared, function)
        return declared

    return declare
