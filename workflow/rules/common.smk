"""What the stages share: the campaign, what a rule depends on, and which part of the config it gets.

Whatever stands below ingest asks for its input through `after_ingest` or `fingerprints`: Snakemake then
looks at it when the raw files are loaded, and reruns only what their change reaches.
"""

import sys
from hashlib import sha256
from pathlib import Path

from qampaign.campaign import FILES, read_campaign
from qampaign.code import digest
from qampaign.jobs import announce
from qampaign.locking import Locked, hold
from qampaign.problems import Refused
from qampaign.publishing import TABLES
from qampaign.sources import resolve
from snakemake.logging import logger
from snakemake_interface_logger_plugins.common import LogEvent


def load_campaign():
    """The campaign of the config; all that is wrong with it ends the run."""
    files = workflow.overwrite_configfiles or [f"{workflow.basedir}/config.yaml"]
    try:
        return read_campaign(config, [Path(each) for each in files])
    except Refused as refused:
        sys.exit(str(refused))


CAMPAIGN = load_campaign()
RESULTS = Path("results", CAMPAIGN.id)
PROJECT = str(workflow.basedir).replace("{", "{{").replace("}", "}}")  # else braces are wildcards
ENVIRONMENT = f"{PROJECT}/workflow/envs/qampaign.yaml"
JUDGES = [(name, judge) for name, each in CAMPAIGN.collections.items() for judge in each.judges]


wildcard_constraints:
    campaign=CAMPAIGN.id,
    collection="|".join(CAMPAIGN.collections),
    judge="|".join({judge for _, judge in JUDGES}),


def begin(record):
    """At the start of a real run: hold the lock, clear up after a killed run, void a lost load.

    Snakemake tells its loggers that a run starts, before it plans it; nothing else happens then and
    only then, and not for a dry run, a summary or a job on another machine.
    """
    starts = getattr(record, "event", None) == LogEvent.WORKFLOW_STARTED
    if starts and workflow.is_main_process and not workflow.output_settings.dryrun:
        try:
            hold(RESULTS / ".lock")
        except Locked as locked:
            sys.exit(str(locked))
        announce()
        for left in RESULTS.rglob(".*.part*"):  # files that a killed job was about to rename
            left.unlink(missing_ok=True)
        loaded = [RESULTS / "campaign.duckdb", RESULTS / "fingerprints" / "sources"]
        loaded += [
            Path(each) for name in CAMPAIGN.collections for each in paths(name, *FILES.values())
        ]
        if not all(each.exists() for each in loaded):
            (RESULTS / "ingest.json").unlink(missing_ok=True)
    return True


logger.addFilter(begin)


def code(script):
    """The digest of a script and all that it imports: an edit reruns the rules that use it."""
    return digest(Path(workflow.basedir, "scripts", script))


def paths(collection, *tables):
    """The fingerprints of tables of a collection: files that change when the rows do."""
    return [str(RESULTS / "fingerprints" / collection / table) for table in tables]


def fingerprints(*tables):
    """An input function: the fingerprints of tables of the job's collection."""

    def known(wildcards):
        checkpoints.ingest.get(campaign=CAMPAIGN.id)
        return paths(wildcards.collection, *tables)

    return known


def after_ingest(files):
    """An input function: files made from what ingest loads. Snakemake fills in their wildcards."""

    def known(wildcards):
        checkpoints.ingest.get(campaign=CAMPAIGN.id)
        return files

    return known


def for_judges(folder):
    """The file that each judge of each collection has in a folder."""
    return [str(RESULTS / name / folder / f"{judge}.parquet") for name, judge in JUDGES]


def reference_questions(wildcards):
    """The questions as the reference judge has them: it says how many answers are known."""
    checkpoints.ingest.get(campaign=CAMPAIGN.id)
    reference = CAMPAIGN.collections[wildcards.collection].config["reference"]
    return str(RESULTS / wildcards.collection / "questions" / f"{reference}.parquet")


def to_read():
    """What ingest gets of the config."""
    collections = {
        name: {
            "files": each.files,
            "labels": each.config["labels"],
            "unit_confidence": each.unit_confidence,
            "skip_unknown_questions": each.config["unknown_questions"] == "skip",
        }
        for name, each in CAMPAIGN.collections.items()
    }
    return {"folder": str(CAMPAIGN.folder), "collections": collections}


def state_of_files():
    """Size and time of every raw file: any change of them, to newer or older, is worth a look."""
    state = []
    for name, each in CAMPAIGN.collections.items():
        for table, file in resolve(CAMPAIGN.folder, each.files):
            try:
                status = CAMPAIGN.folder.joinpath(file).stat()
            except OSError:
                continue  # ingest says so in its own words
            state.append((name, table, file, status.st_size, status.st_mtime_ns))
    return sha256(repr(state).encode()).hexdigest()


def to_judge(wildcards):
    """What a judge gets of the config."""
    collection = CAMPAIGN.collections[wildcards.collection]
    options = dict(collection.judges[wildcards.judge])
    del options["kind"]
    return {**options, "nil": collection.config["nil"]}


def to_score(wildcards):
    """What scoring by a judge gets of the config."""
    collection = CAMPAIGN.collections[wildcards.collection]
    measures = {each.name: each.measure for each in collection.measures}
    return {"measures": measures, "correct": collection.judges[wildcards.judge]["correct"]}


def to_publish():
    """What the tables tell of each collection."""
    keys = ("title", "note", "task", "language", "reference", "primary")
    collections = {
        name: {key: each.config.get(key) for key in keys}
        | {
            "judges": {judge: options["kind"] for judge, options in each.judges.items()},
            "measures": {own.name: (own.measure, own.label) for own in each.measures},
        }
        for name, each in CAMPAIGN.collections.items()
    }
    return {"collections": collections, "config": CAMPAIGN.effective()}


def final_files():
    """Every file that a finished campaign has: a deleted one is made again."""
    folders = ["judgments", "questions", "evidence", "scores", "counts", "difficulty"]
    computed = [path for folder in folders for path in for_judges(folder)]
    single = ["ingest.json", "results.duckdb", "config.yaml", "report/index.html"]
    tables = [f"report/tables/{table}.csv" for table in TABLES]
    return [*computed, *(str(RESULTS / each) for each in [*single, *tables])]
