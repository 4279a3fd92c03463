"""What the stages share: the campaign of the config, its files, and what a rule depends on."""

from hashlib import sha256
from pathlib import Path

from qampaign.campaign import read_campaign
from qampaign.code import digest
from qampaign.ingest import Files
from qampaign.locking import Locked, hold
from qampaign.problems import Refused
from qampaign.publishing import TABLES
from snakemake.exceptions import WorkflowError


def load_campaign():
    """The campaign of the config, or all that is wrong with it."""
    files = workflow.overwrite_configfiles or [Path(workflow.basedir) / "config.yaml"]
    try:
        return read_campaign(config, [Path(each) for each in files])
    except Refused as refused:
        raise WorkflowError(str(refused)) from None


CAMPAIGN = load_campaign()
RESULTS = Path("results", CAMPAIGN.id)
JUDGES = [(name, judge) for name, each in CAMPAIGN.collections.items() for judge in each.judges]


wildcard_constraints:
    campaign=CAMPAIGN.id,
    collection="|".join(CAMPAIGN.collections),
    judge="|".join({judge for _, judge in JUDGES}),


def code(script):
    """The digest of a script and all that it imports: an edit reruns the rules that use it."""
    return digest(Path(workflow.basedir) / "scripts" / script)


def for_judges(pattern):
    """A path for every judge of every collection."""
    return [
        pattern.format(campaign=CAMPAIGN.id, collection=collection, judge=judge)
        for collection, judge in JUDGES
    ]


def fingerprint(collection, *tables):
    """The fingerprints of tables: known once the raw files are loaded, changed when rows change."""
    checkpoints.ingest.get(campaign=CAMPAIGN.id)
    return [str(RESULTS / "fingerprints" / collection / table) for table in tables]


def status_of(path):
    """Size and time of a file, None where there is none: ingest says so in its own words."""
    try:
        return path.stat()
    except OSError:
        return None


def final_files():
    """Every file that a finished campaign has, so that a deleted one is made again."""
    folders = ["judgments", "evidence", "scores", "counts", "difficulty"]
    computed = [
        path
        for folder in folders
        for path in for_judges("results/{campaign}/{collection}/" + folder + "/{judge}.parquet")
    ]
    tables = [str(RESULTS / "report" / "tables" / f"{table}.csv") for table in TABLES]
    published = ["results.duckdb", "config.yaml", "report/index.html"]
    return [*computed, *tables, *(str(RESULTS / each) for each in published)]
