"""Measures as a collection uses them: with options, averaged over question types, or put together.

Whatever it is, the value of a measure is a weighted sum of *terms*: declared measures with their
options, each over all questions or over those of one type. Whoever draws questions works out the
terms on the same draws and adds them up.
"""

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from qampaign.arrays import Array, Flags, Numbers, ratio
from qampaign.measures.declaration import MEASURES, TESTS, Better, Measure
from qampaign.measures.evidence import Evidence, EvidenceColumn
from qampaign.measures.ordered import OrderedMeasure
from qampaign.measures.sample_cells import BY_SAMPLE, SAMPLES
from qampaign.measures.sums import exact_sums
from qampaign.options import Options

AVERAGES = ("type",)
"""Over what a measure may be averaged."""


class Term(NamedTuple):
    """A declared measure with its options, over all questions or one type of them."""

    weight: float
    measure: "Configured"
    type: str | None
    """None: all questions."""


@dataclass(frozen=True)
class Configured:
    """A measure as a collection uses it: the name that the tables have, and its options."""

    name: str
    measure: str
    options: Options
    label: str = ""
    """What people see instead of the name."""

    @property
    def declared(self) -> Measure:
        """The measure itself."""
        return MEASURES[self.measure]

    @property
    def key(self) -> str:
        """The same for the same measure with the same options."""
        return f"{self.measure} {json.dumps(dict(self.options), sort_keys=True, default=str)}"

    @property
    def shown_options(self) -> dict[str, object]:
        """Its options as tables show them."""
        return dict(self.options)

    @property
    def better(self) -> Better:
        """Which values are good."""
        return self.declared.better

    @property
    def bounds(self) -> tuple[float, float]:
        """The least and the greatest value."""
        return self.declared.bounds_with(self.options)

    @property
    def mean(self) -> bool:
        """Whether it is a plain mean over questions."""
        return self.declared.mean

    @property
    def summed(self) -> bool:
        """Whether it is a function of sums of evidence over all questions."""
        return not isinstance(self.declared, OrderedMeasure)

    @property
    def walks(self) -> int:
        """How often all questions are walked through in an order for it: 0 where it needs none."""
        return int(isinstance(self.declared, OrderedMeasure))

    @property
    def resampled(self) -> bool:
        """Whether it has a meaning on a random part of the questions."""
        return self.declared.resampled

    @property
    def whole_groups(self) -> bool:
        """Whether it has one on a random part of the groups alone."""
        return self.declared.whole_groups

    @property
    def test(self) -> str:
        """How runs are told apart by it: one of `TESTS`."""
        declared = self.declared
        if not (declared.resampled or declared.whole_groups):
            return "none"
        is_ratio = declared.test == "exchange" and declared.whole is not None and not declared.mean
        return "ratio" if is_ratio else declared.test

    @property
    def needs(self) -> tuple[str, ...]:
        """Columns of the input that a collection must have."""
        return self.declared.needs

    @property
    def unit(self) -> bool:
        """Whether it takes confidences for probabilities."""
        return self.declared.unit

    @property
    def task(self) -> str:
        """What it is for."""
        return self.declared.task

    @property
    def citation(self) -> str:
        """Where it comes from."""
        return self.declared.citation

    @property
    def formula(self) -> str:
        """The formula as text."""
        return self.declared.formula

    @property
    def summary(self) -> str:
        """What it is, in one sentence."""
        return self.declared.summary

    def columns(self) -> dict[str, EvidenceColumn]:
        """The evidence it needs, by the names that its formula has for it."""
        return {name: EvidenceColumn.of(name, self.options) for name in self.declared.columns}

    @property
    def last_rank(self) -> int | None:
        """The last rank at which an answer counts for it; None: every rank."""
        return deepest(column.last_rank for column in self.columns().values())

    def of_sums(self, sums: Mapping[str, Numbers]) -> Array:
        """The values for sums of evidence, by the names that the table of evidence has for it."""
        named = {name: sums[column.key] for name, column in self.columns().items()}
        return self.declared.of_sums(named, self.options)

    def whole(self, sums: Mapping[str, Numbers]) -> Numbers | None:
        """What the formula divides by, if it is one ratio; `sums` as for `of_sums`."""
        if self.declared.whole is None:
            return None
        named = {name: sums[column.key] for name, column in self.columns().items()}
        return np.asarray(
            self.declared.whole(**named, **self.declared.for_formula(self.options)), dtype=float
        )

    def keys(self, evidence: Evidence) -> dict[str, str]:
        """Where the evidence has what it needs, by the names that its formula has for it.

        A measure that needs an order takes it by sample, where there are samples.
        """
        keys = {name: column.key for name, column in self.columns().items()}
        if self.walks and SAMPLES in evidence.columns:
            return {name: f"{BY_SAMPLE}{key}" for name, key in keys.items()} | {SAMPLES: SAMPLES}
        return keys

    def columns_of(self, evidence: Evidence) -> dict[str, Numbers]:
        """The evidence that it needs, by the names that its formula has for it."""
        return {name: evidence.columns[key] for name, key in self.keys(evidence).items()}

    def values(self, evidence: Evidence, weights: Numbers) -> Array:
        """The value of every run (rows) on every question set (columns); NaN where it has none."""
        return self.declared.values(self.columns_of(evidence), weights, self.options)

    def terms(self, types: Mapping[str, Flags]) -> list[Term]:  # noqa: ARG002
        """What adds up to it where questions of all these types are there; each says which."""
        return [Term(1.0, self, None)]

    def combine(self, sets: "QuestionSets") -> Array:
        """Its values on question sets, from those of its terms."""
        return sets.value(self, None)

    def as_params(self) -> dict[str, object]:
        """What makes it again: :func:`configure`. Its label is for people alone."""
        return {"name": self.name, "measure": self.measure, "options": dict(self.options)}

    def described(self) -> dict[str, object]:
        """The same, with the labels that people see."""
        return {**self.as_params(), "label": self.label}


@dataclass(frozen=True)
class Averaged(Configured):
    """The macro average of a measure: the mean, over question types, of its value on each type.

    A type that a question set has no question of is left out of the mean for that set. A type on
    which a run has no value leaves it without one: the mean of other types would be of other
    questions than other runs have.

    >>> Averaged("a", "accuracy", {}).formula
    'mean over question types of correct / questions'
    """

    mean = False
    summed = False

    @property
    def plain(self) -> Configured:
        """The measure that is averaged."""
        return Configured(self.name, self.measure, self.options, self.label)

    @property
    def shown_options(self) -> dict[str, object]:
        """Its options as tables show them."""
        return {**self.options, "average": "type"}

    @property
    def needs(self) -> tuple[str, ...]:
        """Columns of the input that a collection must have."""
        return (*self.declared.needs, "type")

    @property
    def formula(self) -> str:
        """The formula as text."""
        return f"mean over question types of {self.declared.formula}"

    @property
    def summary(self) -> str:
        """What it is, in one sentence."""
        return f"The mean over question types, each counting the same, of: {self.declared.summary}"

    def values(self, evidence: Evidence, weights: Numbers) -> Array:
        """The value of every run (rows) on every question set (columns); NaN where it has none."""
        return self.combine(QuestionSets(evidence, [self], weights))

    def terms(self, types: Mapping[str, Flags]) -> list[Term]:
        """What adds up to it where questions of all these types are there; each says which."""
        if not types:
            return [Term(math.nan, self.plain, None)]
        if all(questions.all() for questions in types.values()):  # there is one type alone
            return [Term(1.0, self.plain, None)]
        return [Term(1 / len(types), self.plain, name) for name in types]

    def combine(self, sets: "QuestionSets") -> Array:
        """Its values on question sets, from those of its terms."""
        if not sets.there:
            return np.full_like(sets.value(self.plain, None), np.nan)
        total = sum(
            np.where(there, sets.value(self.plain, name), 0.0) for name, there in sets.there.items()
        )
        number = np.sum([*sets.there.values()], axis=0, dtype=float)
        return ratio(np.asarray(total), np.broadcast_to(number, np.shape(total)))

    def as_params(self) -> dict[str, object]:
        """What makes it again."""
        return {**super().as_params(), "average": "type"}


@dataclass(frozen=True)
class Composite(Configured):
    """The mean of other measures of the collection, weighted where asked; none where one has none.

    >>> both = [Configured("a", "accuracy", {}), Configured("c", "c_at_1", {})]
    >>> Composite("m", parts=both).formula, Composite("m", parts=both, weights=[3, 1]).formula
    ('(a + c) / 2', '(3 * a + 1 * c) / 4')
    """

    measure: str = "composite"
    options: Options = field(default_factory=dict)
    parts: Sequence[Configured] = ()
    weights: Sequence[float] = ()
    """By part; none given: each counts the same."""

    mean = False
    summed = False

    @property
    def declared(self) -> Measure:
        """There is none: it is made of others."""
        raise TypeError(f"{self.name} is made of others and not declared")

    @property
    def key(self) -> str:
        """The same for the same measures with the same options and weights."""
        return f"composite {[part.key for part in self.parts]} {list(self.weights)}"

    @property
    def shares(self) -> list[float]:
        """By part, how much of the whole it is."""
        weights = self.weights or [1.0] * len(self.parts)
        return [weight / sum(weights) for weight in weights]

    @property
    def shown_options(self) -> dict[str, object]:
        """What it is made of."""
        weights = {"weights": list(self.weights)} if self.weights else {}
        return {"of": [part.name for part in self.parts], **weights}

    @property
    def better(self) -> Better:
        """Which values are good: the same for all its parts."""
        return self.parts[0].better

    @property
    def bounds(self) -> tuple[float, float]:
        """The least and the greatest value, from those of its parts that count."""
        counting = [
            (share, part.bounds)
            for share, part in zip(self.shares, self.parts, strict=True)
            if share
        ]
        low, high = (sum(share * ends[side] for share, ends in counting) for side in (0, 1))
        return low, high

    @property
    def test(self) -> str:
        """How runs are told apart by it: as the part that needs most care."""
        return min((part.test for part in self.parts), key=TESTS.index)

    @property
    def walks(self) -> int:
        """How often all questions are walked through in an order for it."""
        return sum(part.walks for part in self.parts)

    @property
    def resampled(self) -> bool:
        """Whether it has a meaning on a random part of the questions."""
        return all(part.resampled for part in self.parts)

    @property
    def whole_groups(self) -> bool:
        """Whether it has one on a random part of the groups alone."""
        return not self.resampled and all(p.resampled or p.whole_groups for p in self.parts)

    @property
    def needs(self) -> tuple[str, ...]:
        """None of its own: its parts are measures of the collection, too."""
        return ()

    unit = False

    @property
    def task(self) -> str:
        """What it is for."""
        return next((part.task for part in self.parts if part.task != "any"), "any")

    @property
    def citation(self) -> str:
        """What it is the mean of."""
        kind = "weighted mean" if len(set(self.shares)) > 1 else "mean"
        return f"{kind} of {', '.join(part.name for part in self.parts)}"

    @property
    def formula(self) -> str:
        """The formula as text."""
        names = [part.name for part in self.parts]
        if not self.weights:
            return f"({' + '.join(names)}) / {len(names)}"
        pairs = zip(self.weights, names, strict=True)
        return f"({' + '.join(f'{w:g} * {name}' for w, name in pairs)}) / {sum(self.weights):g}"

    @property
    def summary(self) -> str:
        """What it is, in one sentence."""
        weighted = len(set(self.shares)) > 1
        parts = [
            f"{part.label or part.name}" + (f" ({share:.4g})" if weighted else "")
            for part, share in zip(self.parts, self.shares, strict=True)
        ]
        listed = f"{', '.join(parts[:-1])} and {parts[-1]}" if parts[1:] else parts[0]
        return f"The {'weighted ' if weighted else ''}mean of {listed}."

    def columns(self) -> dict[str, EvidenceColumn]:
        """The evidence that its parts need, by the names that the table of evidence has for it."""
        every = (column for part in self.parts for column in part.columns().values())
        return {column.key: column for column in every}

    def keys(self, evidence: Evidence) -> dict[str, str]:
        """Where the evidence has what its parts need."""
        every = (key for part in self.parts for key in part.keys(evidence).values())
        return {key: key for key in every}

    def values(self, evidence: Evidence, weights: Numbers) -> Array:
        """The value of every run (rows) on every question set (columns); NaN where it has none."""
        return self.combine(QuestionSets(evidence, [self], weights))

    def terms(self, types: Mapping[str, Flags]) -> list[Term]:
        """What adds up to it where questions of all these types are there; each says which."""
        return [
            term._replace(weight=share * term.weight)
            for share, part in zip(self.shares, self.parts, strict=True)
            for term in part.terms(types)
        ]

    def combine(self, sets: "QuestionSets") -> Array:
        """Its values on question sets, from those of its parts."""
        shares = zip(self.shares, self.parts, strict=True)
        return np.asarray(sum(share * part.combine(sets) for share, part in shares))

    def as_params(self) -> dict[str, object]:
        """What makes it again."""
        parts = [part.as_params() for part in self.parts]
        return {"name": self.name, "parts": parts, "weights": list(self.weights)}

    def described(self) -> dict[str, object]:
        """The same, with the labels that people see."""
        parts = [part.described() for part in self.parts]
        return {**self.as_params(), "label": self.label, "parts": parts}


def configure(params: Mapping[str, Any]) -> Configured:
    """A measure from what :meth:`Configured.as_params` gave, and a label where there is one.

    >>> given = {"name": "a", "measure": "accuracy", "options": {}, "average": "type"}
    >>> configure(given)
    Averaged(name='a', measure='accuracy', options={}, label='')
    >>> configure({"name": "m", "parts": [given], "weights": []}).parts[0] == configure(given)
    True
    """
    arguments = dict(params)
    if "parts" in arguments:
        return Composite(**arguments | {"parts": [configure(part) for part in arguments["parts"]]})
    return Averaged(**arguments) if arguments.pop("average", None) else Configured(**arguments)


def deepest(ranks: Iterable[int | None]) -> int | None:
    """The last of some ranks, of which None is beyond any other.

    >>> deepest([1, 5]), deepest([1, None]), deepest([])
    (5, None, 0)
    """
    every = list(ranks)
    return None if None in every else max((rank for rank in every if rank is not None), default=0)


class QuestionSets:
    """The values of measures on question sets; what several measures need is summed once."""

    def __init__(
        self, evidence: Evidence, measures: Sequence[Configured], weights: Numbers
    ) -> None:
        self.evidence, self.weights, self.measures = evidence, weights, measures
        self._sums: dict[str | None, dict[str, Array]] = {}
        self._ordered: dict[tuple[str, str | None], Array] = {}

    @cached_property
    def types(self) -> dict[str, Flags]:
        """Which questions each type has."""
        return self.evidence.types()

    @cached_property
    def there(self) -> dict[str, Flags]:
        """By type, which question sets have questions of it."""
        number = {name: self.weights[:, chosen].sum(axis=1) for name, chosen in self.types.items()}
        return {name: of_type > 0 for name, of_type in number.items()}

    def value(self, measure: Configured, type_: str | None) -> Array:
        """The values of a declared measure over all questions, or over those of a type."""
        if type_ is not None and self.types[type_].all():
            type_ = None
        if measure.walks:
            if (measure.key, type_) not in self._ordered:
                self._ordered[measure.key, type_] = measure.values(*self._inside(type_))
            return self._ordered[measure.key, type_]
        if type_ not in self._sums:
            evidence, weights = self._inside(type_)
            terms = [term for configured in self.measures for term in configured.terms(self.types)]
            wanted = [
                summed for _, summed, of_type in terms if of_type == type_ and not summed.walks
            ]
            keys = {column.key for summed in wanted for column in summed.columns().values()}
            columns = {key: evidence.columns[key] for key in sorted(keys)}
            self._sums[type_] = exact_sums(columns, weights)
        return measure.of_sums(self._sums[type_])

    def _inside(self, type_: str | None) -> tuple[Evidence, Numbers]:
        if type_ is None:
            return self.evidence, self.weights
        chosen = self.types[type_]
        return self.evidence.only_questions(chosen), self.weights[:, chosen]
