"""The studies of a collection, with settings as the config has them.

Every study gives tables. A collection with fewer than two runs, or without a measure that has a
meaning on a part of the questions, has none to give: they are then empty.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from qampaign.measures.evidence import Evidence
from qampaign.measures.scoring import Configured
from qampaign.studies import intervals, questions_needed, significance, sizes, stability, swap
from qampaign.studies.pairs import taking_part
from qampaign.tables import STUDIED, empty

Tables = dict[str, pl.DataFrame]

FIT_SIZES = 8
"""At how many sizes swap rates are taken, to say how many questions would be needed."""


@dataclass(frozen=True)
class Setting:
    """What a study works on."""

    evidence: Evidence
    measures: Sequence[Configured]
    seed: str
    baselines: bool = False
    threads: int = 1

    @property
    def questions(self) -> int:
        return self.evidence.questions.height

    @property
    def shared(self) -> dict[str, Any]:
        """What every study is told."""
        return {"seed": self.seed, "baselines": self.baselines, "threads": self.threads}

    @property
    def has_pairs(self) -> bool:
        """Whether there are runs to compare."""
        return taking_part(self.evidence, baselines=self.baselines).runs.height > 1


def study_stability(setting: Setting, *, sizes: Sequence[int], **settings: Any) -> Tables:
    """Tables stability and unstable_pairs; without sizes at half of the questions."""
    found = [
        stability.study(setting.evidence, setting.measures, size=size, **setting.shared, **settings)
        for size in sizes or [setting.questions // 2]
    ]
    return {
        "stability": pl.concat([each.rates for each in found]),
        "unstable_pairs": pl.concat([each.unstable_pairs for each in found]),
    }


def study_swap(setting: Setting, *, sizes: Sequence[int], **settings: Any) -> Tables:
    """Tables swap, sensitivity, questions_needed and swap_fits; without sizes at half of all.

    Rates at sizes up to half of the questions say how many questions would be needed.
    """
    half = setting.questions // 2
    wanted = list(sizes) or [half]
    steps = {max(half * step // FIT_SIZES, 1) for step in range(1, FIT_SIZES + 1)}
    found = {
        size: swap.study(
            setting.evidence, setting.measures, size=size, **setting.shared, **settings
        )
        for size in sorted({*wanted, *steps})
    }
    rates = pl.concat([each.rates for each in found.values()])
    needs = questions_needed.study(
        rates, questions=setting.questions, confidence=settings["confidence"]
    )
    return {
        "swap": rates.filter(pl.col("size").is_in(wanted)),
        "sensitivity": pl.concat([found[size].sensitivity for size in wanted]),
        "questions_needed": needs.questions,
        "swap_fits": needs.fits,
    }


def study_sizes(setting: Setting, **settings: Any) -> Tables:
    """Tables sizes, size_tau and sizes_enough; unless given, ten sizes up to all questions."""
    low, high, step = (settings.pop(name) for name in ("from", "to", "step"))
    high = setting.questions if high is None else high
    step = max(high // 10, 1) if step is None else step
    low = min(step, high) if low is None else low
    wanted = range(low, high + 1, step)
    found = sizes.study(
        setting.evidence, setting.measures, sizes=wanted, **setting.shared, **settings
    )
    return {"sizes": found.values, "size_tau": found.tau, "sizes_enough": found.enough}


def study_significance(setting: Setting, **settings: Any) -> Tables:
    """Tables significance, significant_shares and intervals."""
    shared = setting.shared | settings
    found = {"intervals": intervals.study(setting.evidence, setting.measures, **shared)}
    if setting.has_pairs:
        tests = significance.study(setting.evidence, setting.measures, **shared)
        found |= {"significance": tests.tests, "significant_shares": tests.shares}
    return found


STUDIES: dict[str, Callable[..., Tables]] = {
    "stability": study_stability,
    "swap": study_swap,
    "sizes": study_sizes,
    "significance": study_significance,
}
"""Every study by its name."""


def study(name: str, setting: Setting, settings: Mapping[str, Any]) -> Tables:
    """The tables of a study; without rows where there is nothing to study."""
    nothing = {table: empty(table).drop("collection", "judge") for table in STUDIED[name]}
    drawable = setting.questions > 1 and any(each.declared.resampled for each in setting.measures)
    if not drawable or not (setting.has_pairs or name == "significance"):
        return nothing
    return nothing | STUDIES[name](setting, **settings)
