"""The settings of the comparisons of judges that every collection has, for the config."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from qampaign.agreement.agreement import FALSE_ALARMS, THRESHOLDS
from qampaign.agreement.correlation import DRAWS
from qampaign.agreement.failures import SAMPLE
from qampaign.options import Limits, Settings, Share, options_of


@dataclass(frozen=True)
class OfAgreement:
    """How does each judge compare with the reference, response by response?"""

    thresholds: Annotated[
        Sequence[Annotated[Share, "a number from 0 to 1"]],
        "a list of thresholds at which a judge with degrees is compared",
    ] = THRESHOLDS
    false_alarms: Annotated[
        Share, "a number from 0 to 1, the rate of false alarms that a threshold is sought for"
    ] = FALSE_ALARMS
    sample: Annotated[
        int,
        Limits(minimum=1),
        "a whole number from 1, how many responses are looked at for causes of failure",
    ] = SAMPLE


@dataclass(frozen=True)
class OfCorrelation:
    """How do the rankings by judges, measures and assessors compare?"""

    resamples: Annotated[
        int,
        Limits(minimum=1),
        "a whole number from 1, how often questions are weighted at random for an interval",
    ] = 1000
    draws: Annotated[
        int,
        Limits(minimum=1),
        "a whole number from 1, how often one assessor is drawn for each question",
    ] = DRAWS


COMPARISONS = {
    name: Settings(name, settings.__doc__ or "", options_of(settings))
    for name, settings in {"agreement": OfAgreement, "correlation": OfCorrelation}.items()
}
"""Every comparison of judges by its name."""
