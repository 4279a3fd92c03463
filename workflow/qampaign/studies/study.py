"""The studies of a collection, each declared with the settings that the config may give.

To add one, decorate a function with :func:`declare`. Its settings are the options that its
signature describes (:mod:`qampaign.options`), and those of the functions that it passes them on to.
Every study gives tables. A collection with fewer than two runs, or without a measure that has a
meaning on a part of the questions, has none to give: they are then empty.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
import polars as pl

from qampaign.measures.evidence import Evidence
from qampaign.measures.scoring import Configured
from qampaign.options import Limits, Options, Settings, arguments_for, options_of
from qampaign.studies import comparisons, questions_needed, significance, sizes, stability, swap
from qampaign.studies.comparisons import Planned
from qampaign.studies.pairs import taking_part
from qampaign.studies.units import Unit, UnitOfStudy, Units
from qampaign.tables import STUDIED, empty

Tables = dict[str, pl.DataFrame]

FIT_SIZES = 8
"""At how many sizes swap rates are taken, to say how many questions would be needed."""
SMALLEST = 1 / 8
"""The smallest of them, as a share of the largest, which is half of the questions; each is so many
times the next smaller one."""


@dataclass(frozen=True)
class Setting:
    """What a study works on."""

    evidence: Evidence
    measures: Sequence[Configured]
    seed: str
    baselines: bool = False
    threads: int = 1
    unit: Unit = "group"
    """What is drawn: the groups of questions where there are some, or questions."""
    primary: str = ""
    """The measure that ranks: it is also compared by question type."""
    planned: Sequence[Planned] = ()

    @property
    def questions(self) -> int:
        return self.evidence.questions.height

    @property
    def shared(self) -> dict[str, Any]:
        """What every study is given."""
        return {"seed": self.seed, "baselines": self.baselines, "threads": self.threads}

    def units(self, unit: Unit | None) -> Units:
        """What a study draws, by its own setting or the collection's."""
        return Units.of(self.evidence.questions, unit or self.unit)

    @property
    def has_pairs(self) -> bool:
        """Whether there are runs to compare."""
        return taking_part(self.evidence, baselines=self.baselines).runs.height > 1


@dataclass(frozen=True)
class Study(Settings):
    """A declared study."""

    function: Callable[..., Tables]


STUDIES: dict[str, Study] = {}
"""Every study by its name."""

Size = Annotated[int, Limits(minimum=1), "a whole number from 1"]
DrawnSizes = Annotated[
    Sequence[Size],
    Limits(uniqueItems=True),
    "a list of numbers of questions, or of groups where these are drawn; half of all unless given",
]
Bound = Annotated[int | None, Limits(type=["integer", "null"], minimum=1)]


def declare(
    *passed_on_to: Callable[..., object],
) -> Callable[[Callable[..., Tables]], Callable[..., Tables]]:
    """Declare the decorated function as a study of its name, without the `study_` before it."""

    def declared(function: Callable[..., Tables]) -> Callable[..., Tables]:
        name = function.__name__.removeprefix("study_")
        summary = (function.__doc__ or "").partition("\n")[0]
        STUDIES[name] = Study(name, summary, options_of(function, *passed_on_to), function)
        return function

    return declared


@declare(stability.study)
def study_stability(
    setting: Setting, *, sizes: DrawnSizes = (), unit: UnitOfStudy = None, **settings: Any
) -> Tables:
    """How often would other questions reverse the order of two runs?

    Tables stability and unstable_pairs; without sizes at half of the questions.
    """
    settings |= setting.shared | {"unit": unit or setting.unit}
    studied = [
        stability.study(setting.evidence, setting.measures, size=size, **settings)
        for size in sizes or [len(setting.units(unit)) // 2]
    ]
    return {
        "stability": pl.concat([at_size.rates for at_size in studied]),
        "unstable_pairs": pl.concat([at_size.unstable_pairs for at_size in studied]),
    }


@declare(swap.study)
def study_swap(
    setting: Setting,
    *,
    sizes: DrawnSizes = (),
    unit: UnitOfStudy = None,
    confidence: Sequence[float],
    width: float,
    **settings: Any,
) -> Tables:
    """How large must a difference be for other questions to confirm it?

    And how many questions would a smaller one need: rates at sizes up to half of the questions say
    so. Tables swap, sensitivity, questions_needed and swap_fits; without sizes at half of all.
    """
    units = len(setting.units(unit))
    half = units // 2
    wanted = list(sizes) or [half]
    steps = {max(round(half * share), 1) for share in np.geomspace(SMALLEST, 1, FIT_SIZES)}
    options = {"confidence": confidence, "width": width, "unit": unit or setting.unit}
    settings |= setting.shared | options
    by_size = {
        size: swap.study(setting.evidence, setting.measures, size=size, **settings)
        for size in sorted({*wanted, *steps})
    }
    rates = pl.concat([at_size.rates for at_size in by_size.values()])
    at_half = by_size[half].sensitivity
    needs = questions_needed.study(
        rates,
        units=units,
        questions=setting.questions,
        confidence=confidence,
        width=width,
        silent=dict(at_half.select("measure", "too_few").rows()),
    )
    return {
        "swap": rates.filter(pl.col("size").is_in(wanted)),
        "sensitivity": pl.concat([by_size[size].sensitivity for size in wanted]),
        "questions_needed": needs.questions,
        "swap_fits": needs.fits,
    }


@declare(sizes.study)
def study_sizes(
    setting: Setting,
    *,
    from_: Annotated[
        Bound, "a whole number from 1, the smallest number of questions, or of groups if drawn"
    ] = None,
    to: Annotated[Bound, "a whole number from 1, the largest number"] = None,
    step: Annotated[Bound, "a whole number from 1"] = None,
    unit: UnitOfStudy = None,
    **settings: Any,
) -> Tables:
    """How do values and ranking change with the number of questions?

    Tables sizes, size_tau and sizes_enough; unless given, ten sizes up to all questions.
    """
    last = len(setting.units(unit)) if to is None else to
    step = max(last // 10, 1) if step is None else step
    first = min(step, last) if from_ is None else from_
    wanted = range(first, last + 1, step)
    settings |= setting.shared | {"unit": unit or setting.unit}
    studied = sizes.study(setting.evidence, setting.measures, sizes=wanted, **settings)
    return {"sizes": studied.values, "size_tau": studied.tau, "sizes_enough": studied.enough}


@declare(significance.study)
def study_significance(
    setting: Setting,
    *,
    draws: Annotated[
        int,
        Limits(minimum=999, maximum=1_000_000),
        "a whole number from 999 to 1000000, how often all pairs of runs exchange answers",
    ] = 9999,
    **settings: Any,
) -> Tables:
    """Which runs differ surely, and what ranks does that support? With 95% intervals of all values.

    Tables comparisons, intervals, and, a test at a time, significance and significant_shares.
    """
    compared = comparisons.study(
        setting.evidence,
        setting.measures,
        unit=setting.unit,
        primary=setting.primary,
        planned=setting.planned,
        draws=draws,
        **setting.shared,
    )
    tables = {"comparisons": compared.comparisons, "intervals": compared.intervals}
    if setting.has_pairs:
        tests = significance.study(
            setting.evidence,
            setting.measures,
            unit=setting.unit,
            exchanged=compared.exchanged,
            **setting.shared,
            **settings,
        )
        tables |= {"significance": tests.tests, "significant_shares": tests.shares}
    return tables


def study(name: str, setting: Setting, settings: Options) -> Tables:
    """The tables of a study; without rows where there is nothing to study.

    Settings that are not given are as they are by default.
    """
    nothing = {table: empty(table).drop("collection", "judge") for table in STUDIED[name]}
    measures = setting.measures
    several = setting.questions
    if "unit" in STUDIES[name].options:
        several = len(setting.units(settings.get("unit")))
    drawable = several > 1 and any(measure.resampled for measure in measures)
    if not drawable or not (setting.has_pairs or name == "significance"):
        return nothing
    chosen = STUDIES[name]
    complete = arguments_for(chosen.function, chosen.defaults | dict(settings))
    return nothing | chosen.function(setting, **complete)
