"""Counts where questions have weights: what a sentence adds, and what cannot be made of counts."""

from qampaign.report.collection import CollectionResults


def counted_alike(collection: CollectionResults) -> str:
    """What a caption adds where values are weighted and its numbers are not."""
    if collection.weights() is None:
        return ""
    return f" Here every {collection.noun} counts once, whatever its weight."
