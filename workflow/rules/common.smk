"""What the stages share: the campaign, its files, and what a rule depends on.

Every stage below ingest names its input through `after_ingest`: Snakemake then looks at it when the raw
files are loaded, and reruns only what their change reaches.
"""

from functools import cache
from hashlib import sha256
from pathlib import Path

from qampaign.config.campaign import read_campaign
from qampaign.running.code_digest import digest
from qampaign.files import is_changed
from qampaign.problems import Refused
from qampaign.input.sources import resolve
from qampaign.tables import AGREED, CORRELATED, STUDIED
from snakemake.logging import logger


def load_campaign():
    """The campaign of the config; a faulty config ends the run with all its faults."""
    try:
        return read_campaign(config, CONFIG_FILES)
    except Refused as refused:
        raise WorkflowError(str(refused)) from None


CAMPAIGN = load_campaign()
# What rules call results/{campaign}, for code outside of rules that opens files itself.
RESULTS = Path("results", CAMPAIGN.id)
JUDGES = [
    (name, judge)
    for name, collection in CAMPAIGN.collections.items()
    for judge in collection.judges
]


wildcard_constraints:
    campaign=CAMPAIGN.id,
    collection="|".join(CAMPAIGN.collections),
    judge="|".join({judge for _, judge in JUDGES}),


def code(script):
    """A parameter: the digest of a script and all that it imports, so that an edit reruns it."""

    def code_digest(wildcards):
        return digest(HOME / "scripts" / script)

    return code_digest


def after_ingest(*paths):
    """An input function: files made from what ingest loads.

    Beside the job's wildcards paths may have {reference} and {judged_by}, the reference judge of the
    job's collection and the table that the job's judge judges by, and {every_judge} of the collection;
    or {every_collection}.
    """

    def files(wildcards):
        checkpoints.ingest.get(campaign=CAMPAIGN.id)
        names = {"every_collection": list(CAMPAIGN.collections)}
        if "collection" in wildcards.keys():
            collection = CAMPAIGN.collections[wildcards.collection]
            names |= {
                "reference": collection.config["reference"],
                "every_judge": list(collection.judges),
            }
        if "judge" in wildcards.keys():
            names["judged_by"] = collection.judged_by(wildcards.judge)
        found = expand(paths, allow_missing=True, **names)
        return found if len(paths) > 1 or "{every_" in paths[0] else found[0]

    return files


def comparisons_by_reference(wildcards):
    """What the study of significance by the reference finds, where the collection has it."""
    collection = CAMPAIGN.collections[wildcards.collection]
    if ("comparisons", collection.config["reference"]) not in collection.computed:
        return []
    path = "results/{campaign}/{collection}/comparisons/{reference}.parquet"
    return after_ingest(path)(wildcards)


def result(collection, folder, judge=None):
    """The file of a judge, or of all judges together, in a folder of a collection's results."""
    name = folder if judge is None else f"{folder}/{judge}"
    return f"results/{CAMPAIGN.id}/{collection}/{name}.parquet"


def computed(collection):
    """What jobs compute for the tables of a collection: folder, judge (None: all of them) and file."""
    return [
        (folder, judge, result(collection, folder, judge))
        for folder, judge in CAMPAIGN.collections[collection].computed
    ]


def tables_of_collection(wildcards):
    """The files of the tables that jobs compute for a collection."""
    return after_ingest(*(file for *_, file in computed(wildcards.collection)))(wildcards)


def final_files():
    """A file of every job of a finished campaign: what is deleted is made again."""
    judged = [
        result(name, folder, judge)
        for folder in ("judgments", "questions", "known", "evidence")
        for name, judge in JUDGES
    ]
    tables = [file for name in CAMPAIGN.collections for *_, file in computed(name)]
    shown = (
        "{collection}/tables.json",
        "{collection}/page.json",
        "report/figures/leaderboard/{collection}",
    )
    single = ("ingest.json", "published.json", "report/index.html")
    return [
        *judged,
        *tables,
        *expand(
            "results/{campaign}/{file}",
            campaign=CAMPAIGN.id,
            file=[*expand(shown, collection=CAMPAIGN.collections), *single],
        ),
    ]


@cache
def raw_files():
    """Collection and path of every raw file, those with published figures too.

    The paths are relative to the folder of the campaign, or absolute where the config has them so.
    """
    return [
        (name, file)
        for name, collection in CAMPAIGN.collections.items()
        for _, file in resolve(
            CAMPAIGN.folder, collection.files | {"published": collection.published}
        )
    ]


def declared_raw_files(wildcards):
    """The raw files that Snakemake knows of: in a module all of them, as other rules may make them.

    Elsewhere it knows none: it would go by their times.
    """
    return (
        [file.replace("{", "{{").replace("}", "}}") for _, file in raw_files()] if IS_MODULE else []
    )


def published_figures(collection):
    """The files with published figures of a collection."""
    files = CAMPAIGN.collections[collection].published
    return [
        str(CAMPAIGN.folder / file) for _, file in resolve(CAMPAIGN.folder, {"published": files})
    ]
