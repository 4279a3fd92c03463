"""What ingest gets of the config: the raw files of each collection, and how they are read."""

from collections.abc import Iterator

from qampaign.config.campaign import Campaign, Collection
from qampaign.input.collection_files import CollectionFiles
from qampaign.input.published_figures import FigureNames


def collection_files(campaign: Campaign) -> Iterator[CollectionFiles]:
    """The files of each collection of a campaign."""
    for name, collection in campaign.collections.items():
        config = collection.config
        yield CollectionFiles(
            collection=name,
            folder=str(campaign.folder),
            paths=collection.files,
            labels=config["labels"],
            verdicts={name: judge.get("labels", {}) for name, judge in collection.verdicts.items()},
            validation=config["task"] == "validation",
            levels=collection.levels,
            probabilities=collection.unit,
            ranked=bool(collection.ranked),
            by_line=collection.by_line,
            by_key=bool(collection.by_language),
            skip_unknown_questions=config["unknown_questions"] == "skip",
            language=config["language"],
            key_reads=collection.reads,
            needs=collection.needs,
            figures=collection.published,
            figure_names=_figure_names(collection),
            compared=_compared(collection),
            unpacked_gb=campaign.unpacked_gb,
        )


def _compared(collection: Collection) -> list[str]:
    """The runs that planned comparisons name and files must give: what-if runs and baselines apart.

    Where there are baselines, any name may be that of one.
    """
    named = {
        name for pair in collection.planned for name in pair.get("runs", [pair.get("against")])
    }
    return [] if collection.baselines else sorted(named - {*collection.config["derived"]})


def _figure_names(collection: Collection) -> FigureNames:
    """What published figures of a collection can name, if it has any."""
    if not collection.published:
        return FigureNames()
    return FigureNames(
        judges=list(collection.judges),
        measures=[measure.name for measure in collection.measures],
        runs=None if collection.baselines else list(collection.config["derived"]),
    )
