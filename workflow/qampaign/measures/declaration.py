"""How a measure is declared: a formula over sums of evidence, and what is known about it.

The argument names of the formula are columns of the evidence, summed over the questions considered;
arguments after `*` are options of the formula that the config may set, described as
:mod:`qampaign.options` says. The options of its evidence are options of the measure as well. The
body is plain arithmetic, so that the same line scores a run (floats), thousands of question sets
(numpy arrays) and a table (polars expressions).
"""

import ast
import inspect
import math
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import polars as pl

from qampaign.arrays import Array, Numbers
from qampaign.measures.evidence import EVIDENCE
from qampaign.measures.sums import exact_sums
from qampaign.options import Option, Options, options_of
from qampaign.plugins import Declared

Task = Literal["answering", "validation", "any"]
Better = Literal["high", "low", "none"]
Test = Literal["exchange", "widened", "none"]
TESTS = ("none", "widened", "ratio", "exchange")
"""How a measure may be tested: a sum is tested as the first of these that its terms are. `ratio` is
the exchange of a ratio of sums, in which runs may divide by something of their own."""

Row = Mapping[str, Any]
"""Evidence of one question, by the names that the formula has for it. For a measure that needs an
order: `entries`, pairs of what to sort by and whether it is right."""
Extreme = Row | Callable[[Mapping[str, Array], Options], Row]
"""The best or worst evidence that a question can give: a row, or a function of what a question of
each run has on average, and of the options."""

Bounds = tuple[float, float]
"""The least and the greatest value that a measure can have."""

MEASURES: Declared["Measure"] = Declared("measure")
"""Every declared measure by its id."""


@dataclass(frozen=True)
class Measure:
    """A declared measure. Calling it evaluates the formula."""

    id: str
    label: str
    task: Task
    citation: str
    better: Better
    """Which values are good; with "none", ranks go by high ones and no value is the best."""
    undefined: float | None
    """The value where the formula has none: a number, or None for "not available"."""
    bounds: Bounds
    """Its range, with the options as they are by default."""
    bounds_by_options: Callable[..., Bounds] | None
    """Its range as a function of its options, where it depends on them."""
    mean: bool
    """Whether it is a plain mean over questions, so that questions can be compared one by one."""
    needs: tuple[str, ...]
    """Columns of the input that a collection must have: confidence, level, score, group."""
    unit: bool
    """Whether it takes confidences (scores, for validation) for probabilities."""
    resampled: bool
    """Whether it has a meaning on a random part of the questions."""
    whole_groups: bool
    """Whether it has one on a random part of the groups alone."""
    test: Test
    """How runs are told apart by it. With `exchange` they exchange answers. With `widened` they do,
    and what is drawn is widened to the spread of the difference itself: runs that answer more or
    less often may have the same value, and yet it matters which of them gave which answer. With
    `none` not at all: runs of the same quality may have other values, as by how many bins they use.
    """
    best: Extreme | None
    """The evidence of the best question possible: intervals reckon with what was not seen. None for
    a mean over questions, whose bounds say so."""
    worst: Extreme | None
    """That of the worst."""
    formula: str
    documentation: str
    """One sentence, then a worked example that the tests run."""
    columns: tuple[str, ...]
    """The evidence it needs."""
    options: Mapping[str, Option]
    """What the config may set, for the formula or for its evidence."""
    function: Callable[..., Any]
    whole: Callable[..., Any] | None
    """What the formula divides by, where it is one ratio: a function of the same arguments."""

    def __post_init__(self) -> None:
        """It documents itself as a function does, for whoever calls it on plain numbers."""
        object.__setattr__(self, "__doc__", self.documentation)
        object.__setattr__(self, "__signature__", self._call_signature())

    def _call_signature(self) -> inspect.Signature:
        """What it is called with: sums of evidence, and its options."""
        return inspect.signature(self.function)

    @property
    def defaults(self) -> dict[str, Any]:
        """The options as they are unless the config sets them."""
        return {name: option.default for name, option in self.options.items()}

    @property
    def package(self) -> str:
        """The package that declares it."""
        return MEASURES.package_of(self.id)

    def for_formula(self, options: Options) -> dict[str, Any]:
        """Those of the options that the formula takes itself."""
        taken = inspect.signature(self.function).parameters
        return {name: value for name, value in options.items() if name in taken}

    def bounds_with(self, options: Options) -> Bounds:
        """Its range with the given options.

        >>> MEASURES["confidence_target"].bounds_with({"t": 0.5})
        (-1.0, 1.0)
        """
        if self.bounds_by_options is None:
            return self.bounds
        return self.bounds_by_options(**self.for_formula(self.defaults | dict(options)))

    def extremes(self, means: Mapping[str, Array], options: Options) -> tuple[Row, Row] | None:
        """The best and the worst evidence of a question; None where the bounds say it all.

        `means` are those of each run over its questions, under the names of the arguments.
        """
        if self.best is None or self.worst is None:
            return None
        best, worst = (
            extreme(means, options) if callable(extreme) else extreme
            for extreme in (self.best, self.worst)
        )
        return best, worst

    @property
    def summary(self) -> str:
        """What it is, in one sentence."""
        return self.documentation.partition("\n")[0]

    def __call__(self, *sums: Any, **named: Any) -> Any:
        """The value for sums of evidence: None (floats), NaN (arrays) or null where it has none."""
        value = self.function(*sums, **named)
        if isinstance(value, pl.Expr):
            return value if self.undefined is None else value.fill_null(self.undefined)
        if isinstance(value, np.ndarray):
            return (
                value
                if self.undefined is None
                else np.where(np.isnan(value), self.undefined, value)
            )
        return self.undefined if math.isnan(value) else float(value)

    def values(
        self,
        columns: Mapping[str, Numbers],
        weights: Numbers,
        options: Options,
    ) -> Array:
        """The value of every run (rows) on every question set (columns); NaN where it has none.

        `columns` holds the evidence by run and question, under the names of the arguments;
        `weights` says by question set how often it has each question: whole numbers.
        """
        return self.of_sums(exact_sums({n: columns[n] for n in self.columns}, weights), options)

    def of_sums(self, sums: Mapping[str, Numbers], options: Options) -> Array:
        """The value for arrays of sums, under the names of the arguments; NaN where it has none."""
        unknown = np.isnan(sum(sums.values()))  # a run without what the measure needs
        with np.errstate(invalid="ignore"):
            return np.where(unknown, np.nan, self(**sums, **self.for_formula(options)))


def measure(
    *,
    label: str,
    citation: str,
    task: Task = "answering",
    better: Better = "high",
    undefined: float | None = None,
    bounds: Bounds | Callable[..., Bounds] = (0.0, 1.0),
    mean: bool = False,
    needs: tuple[str, ...] = (),
    unit: bool = False,
    resampled: bool = True,
    whole_groups: bool = False,
    test: Test = "exchange",
    best: Extreme | None = None,
    worst: Extreme | None = None,
    kind: type[Measure] = Measure,
    columns: tuple[str, ...] = (),
    fixed: tuple[str, ...] = (),
    formula: str = "",
) -> Callable[[Callable[..., Any]], Any]:
    """Declare the decorated function as a measure whose id is its name.

    The evidence it needs is that of its argument names, and the formula that people read is that
    of the code, unless they are given. The options of its evidence that are `fixed` stay as they
    are by default. `bounds` may be a function of its options. Unless it is a mean over questions
    with finite bounds, it says what the `best` and the `worst` question give, as rows of evidence:
    intervals need them.
    """

    def declare(function: Callable[..., Any]) -> Measure:
        if function.__name__ == "composite":
            raise ValueError("composite: the config calls means of measures so; another name")
        arguments = inspect.signature(function).parameters.values()
        named = columns or tuple(a.name for a in arguments if a.kind != a.KEYWORD_ONLY)
        if unknown := [name for name in named if name not in EVIDENCE]:
            raise ValueError(
                f"{function.__name__}: no evidence is called {unknown[0]}; allowed: "
                f"{', '.join(EVIDENCE)}"
            )
        options = options_of(function, *(EVIDENCE[name] for name in named))
        by_options = bounds if callable(bounds) else None
        parameters = inspect.signature(function).parameters
        defaults = {name: option.default for name, option in options.items() if name in parameters}
        least_and_most = bounds(**defaults) if callable(bounds) else bounds
        bounded = mean and all(map(math.isfinite, least_and_most))
        if (resampled or whole_groups) and not bounded and (best is None or worst is None):
            raise ValueError(
                f"{function.__name__}: intervals need the best and the worst row of evidence, such "
                'as best={"correct": 1, "questions": 1}, worst={"wrong": 1, "questions": 1}; only '
                "a mean with finite bounds needs none"
            )
        declared = kind(
            id=function.__name__,
            label=label,
            task=task,
            citation=citation,
            better=better,
            undefined=undefined,
            bounds=least_and_most,
            bounds_by_options=by_options,
            mean=mean,
            needs=needs,
            unit=unit,
            resampled=resampled,
            whole_groups=whole_groups,
            test=test,
            best=best,
            worst=worst,
            formula=formula or _formula(function),
            documentation=inspect.getdoc(function) or "",
            columns=named,
            options={name: option for name, option in options.items() if name not in fixed},
            function=function,
            whole=None if formula else _whole(function),
        )
        MEASURES.add(declared.id, declared, function)
        return declared

    return declare


def spread(count: Any, total: Any, squares: Any, scale: Any) -> Any:
    """count² times the variance, from sums; 0 where it is nothing but rounding.

    That is: below 1e-12 of the mean square, whose sum is `scale`.

    >>> spread(2, 1.0, 1.0, 1.0), spread(3, 0.3, 0.03, 0.03)
    (1.0, 0.0)
    """
    raw = count * squares - total * total
    small = count * scale * 1e-12
    if isinstance(raw, pl.Expr):
        return pl.when(raw > small).then(raw).otherwise(0.0)
    kept = np.where(raw > small, raw, 0.0)
    return kept if isinstance(raw, np.ndarray) else float(kept)


class _Divisions(ast.NodeTransformer):
    """ratio(a, b) as the a / b that it stands for."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id == "ratio":
            return ast.BinOp(node.args[0], ast.Div(), node.args[1])
        return node


def _formula(function: Callable[..., object]) -> str:
    """The formula as text, from the code that computes it: the two cannot differ."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    returned = next(node for node in ast.walk(tree) if isinstance(node, ast.Return))
    assert returned.value is not None
    return ast.unparse(ast.fix_missing_locations(_Divisions().visit(returned.value)))


def _whole(function: Callable[..., object]) -> Callable[..., Any] | None:
    """What a formula divides by if it is one ratio, from its code: nobody has to say it twice.

    >>> _whole(MEASURES["precision_answered"].function)(correct=2, wrong=1)
    3
    """
    (definition,) = ast.parse(textwrap.dedent(inspect.getsource(function))).body
    assert isinstance(definition, ast.FunctionDef)
    last = definition.body[-1]
    value = last.value if isinstance(last, ast.Return) else None
    if not (isinstance(value, ast.Call) and ast.unparse(value.func) == "ratio"):
        return None
    arguments = definition.args
    for argument in (*arguments.args, *arguments.kwonlyargs):
        argument.annotation = None
    divided_by = ast.Expression(ast.Lambda(arguments, value.args[1]))
    code = compile(ast.fix_missing_locations(divided_by), "<measure>", "eval")
    return eval(code, function.__globals__)  # a part of the function itself
