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
from qampaign.input.logs.log_paths import find_raw_files
from qampaign.input.sources import resolve
from qampaign.tables import AGREED, CORRECTED, CORRELATED, STUDIED
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

    Beside the job's wildcards paths may have {reference}, the reference judge of the job's collection,
    {every_judge} of the collection, {corrected_by}, the judge that corrects the job's judge, and
    {known_by}, the judge that says what is known for it; or {every_collection}.
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
            names["corrected_by"] = collection.corrected.get(wildcards.judge)
            names["known_by"] = collection.known_by(wildcards.judge)
        found = expand(paths, allow_missing=True, **names)
        return found if len(paths) > 1 or "{every_" in paths[0] else found[0]

    return files


def table_of_judge(wildcards, judge):
    """What a judge judges by: a table of the collection, or for a jury the judgments of its judges."""
    collection = CAMPAIGN.collections[wildcards.collection]
    folder = "results/{campaign}/{collection}/judgments/"
    members = [f"{folder}{member}.parquet" for member in collection.jury(judge)]
    table = f"results/{{campaign}}/fingerprints/{{collection}}/{collection.judged_by(judge)}"
    files = after_ingest(*(members or [table]))(wildcards)
    return [files] if isinstance(files, str) else files


def judged_by(wildcards):
    """What the job's judge judges by."""
    return table_of_judge(wildcards, wildcards.judge)


def judgments_to_learn_from(wildcards):
    """The judgments of the judge that the job's judge learns from, where it does."""
    teacher = CAMPAIGN.collections[wildcards.collection].teacher(wildcards.judge)
    if teacher is None:
        return []
    folder = "results/{campaign}/{collection}/judgments/"
    return [after_ingest(f"{folder}{teacher}.parquet")(wildcards)]


def labels_of_corrected(wildcards):
    """What the judge judges by that corrects the job's judge."""
    collection = CAMPAIGN.collections[wildcards.collection]
    return table_of_judge(wildcards, collection.corrected[wildcards.judge])


def verdicts_of_collection(wildcards):
    """The tables of the judges that have files of their own."""
    judges = CAMPAIGN.collections[wildcards.collection].verdicts
    return [file for judge in judges for file in table_of_judge(wildcards, judge)]


def judgments_to_correct(wildcards):
    """The judgments of the judge for which labels are sampled, where there is one."""
    judge = CAMPAIGN.collections[wildcards.collection].sampled_for
    if judge is None:
        return []
    return after_ingest(f"results/{{campaign}}/{{collection}}/judgments/{judge}.parquet")(wildcards)


def of_overall(folder):
    """An input function: files of a folder by the references of the collections that overall ranks."""

    def files(wildcards):
        names = CAMPAIGN.overall["collections"] if CAMPAIGN.overall else []
        paths = [
            result(name, folder, CAMPAIGN.collections[name].config["reference"]) for name in names
        ]
        return after_ingest(*paths)(wildcards) if paths else []

    return files


def published_tables(wildcards):
    """What says that the tables of each collection are there, and of overall where it is asked for."""
    of_collections = after_ingest("results/{campaign}/{every_collection}/tables.json")(wildcards)
    over_all = ["results/{campaign}/overall/tables.json"] if CAMPAIGN.overall else []
    return [*of_collections, *over_all]


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
        "report/questions-{collection}.html",
        "report/figures/leaderboard/{collection}",
    )
    single = ["ingest.json", "published.json", "report/index.html"]
    single += ["overall/tables.json"] if CAMPAIGN.overall else []
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
        for _, file in find_raw_files(
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
