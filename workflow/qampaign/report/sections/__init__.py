"""The sections of a collection, a module each, in the order of the questions that readers ask.

A section appears when there is something to show in it.
"""

from qampaign.report.blocks import Section
from qampaign.report.collection import CollectionResults
from qampaign.report.sections import (
    abstention,
    changes,
    comparisons,
    judges,
    leaderboard,
    measures,
    ranked,
    validation,
)

ORDER = (leaderboard, comparisons, abstention, ranked, validation, judges, measures, changes)


def sections(collection: CollectionResults) -> list[Section]:
    """The sections of a collection that have something to show."""
    made = (module.section(collection) for module in ORDER)
    return [section for section in made if section is not None]
