"""What ingest gets of the config: the raw files of each collection, and how they are read."""

from collections.abc import Iterator

from qampaign.config.campaign import Campaign, Collection
from qampaign.input.collection_files import CollectionFiles
from qampaign.input.published_figures import FigureNames
from qampaign.measures.baselines import OF_EACH, runs_of


def collection_files(campaign: Campaign) -> Iterator[CollectionFiles]:
    """The files of each collection of a campaign."""
    for name, collection in campaign.collections.items():
        config = collection.config
        yield CollectionFiles(
            collection=name,
            folder=str(campaign.folder),
            paths=collection.files,
            file_options=collection.file_options,
            labels=config["labels"],
            verdicts={name: judge.get("labels", {}) for name, judge in collection.verdicts.items()},
            scales={
                name: collection.arguments(name)["scale"]
                for name in collection.verdicts
                if collection.judged_by(name).startswith("scores/")
            },
            validation=config["task"] == "validation",
            levels=collection.levels,
            probabilities=collection.unit,
            ranked=bool(collection.ranked),
            by_line=collection.by_line,
            by_key=bool(collection.by_language),
            logs=_reading_of_logs(collection),
            skip_unknown_questions=config["unknown_questions"] == "skip",
            missing_is_wrong=config["missing"] == "wrong",
            language=config["language"],
            key_reads=collection.reads,
            needs=collection.needs,
            choices=collection.choices,
            unweighted=collection.unweighted,
            figures=collection.published,
            figure_names=_figure_names(collection),
            compared=_compared(collection),
            made=_made(collection),
            made_of_each=[name for name in collection.baselines if name in OF_EACH],
            unpacked_gb=campaign.unpacked_gb,
        )


def _compared(collection: Collection) -> list[str]:
    """The runs that planned comparisons name.

    A gate asks for some pairs in every collection that has both runs: these need not be in this
    one, see :func:`qampaign.config.gate.runs_asked`.
    """
    named = {
        name
        for pair in collection.planned
        if not pair.get("optional")
        for name in pair.get("runs", [pair.get("against")])
    }
    return sorted(named)


def _made(collection: Collection) -> list[str]:
    """The what-if runs, and the baselines that are not made of other runs."""
    baselines = collection.baselines.items()
    of_none = [run for name, value in baselines for run in runs_of(name, value, [])]
    return [*collection.config["derived"], *of_none]


def _reading_of_logs(collection: Collection) -> dict[str, object]:
    """How logs are read; nothing where there are none."""
    options = {key: value for key, value in collection.logs.items() if key != "files"}
    keyed = bool(collection.files.get("keys"))
    return options | ({"nil": collection.config["nil"], "keyed": keyed} if collection.logs else {})


def _figure_names(collection: Collection) -> FigureNames:
    """What published figures of a collection can name, if it has any."""
    if not collection.published:
        return FigureNames()
    return FigureNames(
        judges=list(collection.judges),
        measures=[measure.name for measure in collection.measures],
        runs=None if collection.baselines else list(collection.config["derived"]),
    )
