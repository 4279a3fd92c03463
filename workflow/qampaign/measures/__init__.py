"""The measures: each declared once, in the file of its family; everything else derives from that.

To add one, write a decorated function in the file of its family (a new family: import it below).
The config check, the tables and the report then know it, and the measures of other installed
packages likewise. Each can be imported by its id, and called on plain numbers:

>>> from qampaign.measures import c_at_1
>>> round(c_at_1(correct=237, unanswered=107, questions=500), 6)
0.575436
"""

from qampaign.measures import abstention, confidence, degrees, lists, ranked, samples, validation
from qampaign.measures.declaration import MEASURES, Measure
from qampaign.plugins import load_plugins

__all__ = [
    "MEASURES",
    "Measure",
    "abstention",
    "confidence",
    "degrees",
    "lists",
    "ranked",
    "samples",
    "validation",
]

load_plugins("qampaign.measures")


def __getattr__(name: str) -> Measure:
    """A measure by its id."""
    if name in MEASURES:
        return MEASURES[name]
    raise AttributeError(f"module {__name__!r} has no attribute or measure {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *MEASURES})
