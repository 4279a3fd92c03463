"""How a measure is declared: a formula over sums of evidence, and what is known about it.

The argument names of the formula are columns of the evidence, summed over the questions considered.
Its body is plain arithmetic, so that the same line scores a run (floats), thousands of question
sets (numpy arrays) and a table (polars expressions).
"""

import ast
import inspect
import math
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

import numpy as np
import polars as pl

Number = TypeVar("Number", float, np.ndarray[Any, Any], pl.Expr)

MEASURES: dict[str, "Measure"] = {}
"""Every declared measure by its id."""


@dataclass(frozen=True)
class Measure:
    """A declared measure. Calling it evaluates the formula."""

    id: str
    label: str
    task: Literal["answering", "validation", "any"]
    citation: str
    better: Literal["high", "low"]
    undefined: float | None
    """The value where the formula has none: a number, or None for "not available"."""
    range: tuple[float, float]
    mean: bool
    """Whether it is a plain mean over questions, so that questions can be compared one by one."""
    unit_confidence: bool
    """Whether it takes confidences for probabilities."""
    formula: str
    documentation: str
    """One sentence, then a worked example that the tests run."""
    columns: tuple[str, ...]
    """The evidence it needs."""
    function: Callable[..., Any]

    @property
    def summary(self) -> str:
        """What it is, in one sentence."""
        return self.documentation.partition("\n")[0]

    def __call__(self, *sums: Any, **named: Any) -> Any:
        """The value for sums of evidence: None (floats), NaN (arrays) or null where it has none."""
        value = self.function(*sums, **named)
        if isinstance(value, pl.Expr):
            return value.fill_null(self.undefined) if self.undefined is not None else value
        if isinstance(value, np.ndarray):
            return (
                np.where(np.isnan(value), self.undefined, value)
                if self.undefined is not None
                else value
            )
        return self.undefined if math.isnan(value) else float(value)


def measure(
    *,
    label: str,
    citation: str,
    task: Literal["answering", "validation", "any"] = "answering",
    better: Literal["high", "low"] = "high",
    undefined: float | None = None,
    range: tuple[float, float] = (0.0, 1.0),
    mean: bool = False,
    unit_confidence: bool = False,
) -> Callable[[Callable[..., Any]], Measure]:
    """Declare the decorated function as a measure whose id is its name."""

    def declare(function: Callable[..., Any]) -> Measure:
        declared = Measure(
            id=function.__name__,
            label=label,
            task=task,
            citation=citation,
            better=better,
            undefined=undefined,
            range=range,
            mean=mean,
            unit_confidence=unit_confidence,
            formula=_formula(function),
            documentation=inspect.getdoc(function) or "",
            columns=tuple(inspect.signature(function).parameters),
            function=function,
        )
        MEASURES[declared.id] = declared
        return declared

    return declare


def ratio(part: Number, whole: Number) -> Number:
    """part / whole, without a value (NaN, or null in a table) where whole is 0.

    >>> ratio(1, 4), ratio(1, 0)
    (0.25, nan)
    >>> ratio(np.array([1.0, 0.0]), np.array([4.0, 0.0]))
    array([0.25,  nan])
    """
    if isinstance(whole, pl.Expr):
        return pl.when(whole != 0).then(part / whole)
    if isinstance(whole, np.ndarray):
        parts = np.broadcast_to(np.asarray(part, dtype=float), whole.shape)
        quotient = np.full(whole.shape, np.nan)
        np.divide(parts, whole, out=quotient, where=whole != 0)
        return quotient
    return part / whole if whole else math.nan


class _Divisions(ast.NodeTransformer):
    """ratio(a, b) as the a / b that it stands for."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id == "ratio":
            return ast.BinOp(node.args[0], ast.Div(), node.args[1])
        return node


def _formula(function: Callable[..., Any]) -> str:
    """The formula as text, from the code that computes it: the two cannot differ."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    returned = next(node for node in ast.walk(tree) if isinstance(node, ast.Return))
    assert returned.value is not None
    return ast.unparse(ast.fix_missing_locations(_Divisions().visit(returned.value)))
