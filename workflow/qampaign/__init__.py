"""Qampaign: everything that computes.

Frames, ids and numbers go in, frames come out. Apart from :mod:`qampaign.config`, which reads the
config, nothing in here knows about the config or about Snakemake.

`qampaign.Results` reads published results, :mod:`qampaign.measures` has the measures.
"""

from importlib import import_module
from typing import Any

__all__ = ["Results"]


def __getattr__(name: str) -> Any:
    """What is imported late: jobs neither wait for it nor depend on its code."""
    if name == "Results":
        return import_module("qampaign.results").Results
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
