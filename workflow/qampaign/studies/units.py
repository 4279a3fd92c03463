"""What is drawn and counted by everything that resamples: groups of questions, or questions.

Questions that belong together (of one passage, document or conversation) are not independent: a run
that misreads the passage misses them all. Where questions have a `group`, the group is the unit.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Literal

import numpy as np
import numpy.typing as npt
import polars as pl

from qampaign.arrays import Array, Flags, Numbers
from qampaign.options import Limits
from qampaign.studies.resampling import hash_names

Unit = Literal["group", "question"]
UnitOfStudy = Annotated[
    Unit | None,
    Limits(enum=["group", "question", None]),
    "what is drawn, group or question; as the collection's unit unless given",
]

FEWEST = 12
"""Units below which a comparison of runs can hardly show anything: a warning goes with it."""


@dataclass(frozen=True)
class Units:
    """The units of some questions."""

    names: pl.Series
    """Their names, in the order of their first questions."""
    of_question: npt.NDArray[np.intp]
    """The number of the unit of each question."""

    @classmethod
    def of(cls, questions: pl.DataFrame, unit: Unit) -> "Units":
        """The units of a frame with the columns question and group; no group is one of its own.

        >>> frame = pl.DataFrame({"question": ["q1", "q2", "q3"], "group": ["g", None, "g"]})
        >>> units = Units.of(frame, "group")
        >>> units.names.to_list(), units.of_question.tolist(), units.sizes.tolist()
        (['group g', 'question q2'], [0, 1, 0], [2, 1])
        """
        named = pl.lit("question ") + pl.col("question").cast(pl.String)
        if unit == "group" and "group" in questions.columns:
            grouped = pl.lit("group ") + pl.col("group").cast(pl.String)
            named = pl.coalesce(grouped, named)
        names = questions.select(named.alias("unit"))["unit"]
        different = names.unique(maintain_order=True)
        codes = names.cast(pl.Enum(different)).to_physical().to_numpy().astype(np.intp)
        return cls(different, codes)

    def __len__(self) -> int:
        return len(self.names)

    @property
    def grouped(self) -> bool:
        """Whether some unit has several questions."""
        return len(self) < len(self.of_question)

    @property
    def drawn(self) -> Unit:
        """What is really drawn: groups of one question each are questions."""
        return "group" if self.grouped else "question"

    @cached_property
    def keys(self) -> npt.NDArray[np.uint64]:
        """A number for each unit that follows from its name: its draws do not depend on others."""
        return hash_names(self.names.to_list())

    @cached_property
    def sizes(self) -> npt.NDArray[np.int64]:
        """How many questions each unit has."""
        return np.bincount(self.of_question, minlength=len(self)).astype(np.int64)

    def only(self, chosen: Flags) -> "Units":
        """The units of some of the questions."""
        kept, first, codes = np.unique(
            self.of_question[chosen], return_index=True, return_inverse=True
        )
        order = np.argsort(first)
        return Units(self.names.gather(kept[order]), np.argsort(order)[codes])

    def add_up(self, column: Numbers) -> Numbers:
        """The sums over each unit of a column by run and question."""
        if not self.grouped:  # units stand in the order of their questions
            return column
        order = np.argsort(self.of_question, kind="stable")
        starts = np.r_[0, np.cumsum(self.sizes)[:-1]]
        kind = np.float64 if column.dtype.kind == "f" else np.int64
        return np.add.reduceat(column[:, order].astype(kind), starts, axis=1)

    def spread(self, weights: Numbers) -> Numbers:
        """Weights by draw and unit as weights by draw and question."""
        return weights[..., self.of_question] if self.grouped else weights


def sums_by_unit(columns: Mapping[str, Numbers], units: Units) -> dict[str, Array | Numbers]:
    """Columns by run and question as sums by run and unit."""
    return {name: units.add_up(column) for name, column in columns.items()}
