"""The sections of a collection, in the order of the questions that readers come with.

A section appears when there is something to show in it.
"""

from qampaign.report.collection import Collection
from qampaign.report.parts import Section
from qampaign.report.sections import (
    abstention,
    changes,
    judges,
    leaderboard,
    measures,
    ranked,
    validation,
)

ORDER = (leaderboard, abstention, ranked, validation, judges, measures, changes)


def sections(collection: Collection) -> list[Section]:
    """What there is to say of a collection."""
    found = (module.section(collection) for module in ORDER)
    return [each for each in found if each is not None]
