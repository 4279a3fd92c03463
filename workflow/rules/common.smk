"""What the stages share: the campaign, its files, and what a rule depends on.

Whatever stands below ingest asks for its input through `after_ingest` or `fingerprints`: Snakemake then
looks at it when the raw files are loaded, and reruns only what their change reaches.
"""

import sys
from functools import cache
from hashlib import sha256
from pathlib import Path

from qampaign.config.campaign import read_campaign
from qampaign.running.code_digest import digest
from qampaign.files import is_changed
from qampaign.problems import Refused
from qampaign.input.sources import resolve
from qampaign.tables import AGREED, CHARTED, CORRELATED, STUDIED
from snakemake.logging import logger


def load_campaign():
    """The campaign of the config; all that is wrong with it ends the run."""
    try:
        return read_campaign(config, CONFIG_FILES)
    except Refused as refused:
        sys.exit(str(refused))


CAMPAIGN = load_campaign()
RESULTS = Path("results", CAMPAIGN.id)
JUDGES = [(name, judge) for name, each in CAMPAIGN.collections.items() for judge in each.judges]


wildcard_constraints:
    campaign=CAMPAIGN.id,
    collection="|".join(CAMPAIGN.collections),
    judge="|".join({judge for _, judge in JUDGES}),


def code(script):
    """A function that gives the digest of a script and all that it imports: an edit reruns it."""

    def known(wildcards):
        return digest(Path(workflow.basedir, "scripts", script))

    return known


def paths(collection, *tables):
    """The fingerprints of tables of a collection: files that change when the rows do."""
    return [str(RESULTS / "fingerprints" / collection / table) for table in tables]


def fingerprints(*tables):
    """An input function: the fingerprints of tables of the job's collection."""

    def known(wildcards):
        checkpoints.ingest.get(campaign=CAMPAIGN.id)
        return paths(wildcards.collection, *tables)

    return known


def what_judges_need(wildcards):
    """An input function: the fingerprints of the tables that a judge works on."""
    judged_by = CAMPAIGN.collections[wildcards.collection].judged_by(wildcards.judge)
    return fingerprints("questions", "responses", judged_by)(wildcards)


def after_ingest(files):
    """An input function: files made from what ingest loads. Snakemake fills in their wildcards."""

    def known(wildcards):
        checkpoints.ingest.get(campaign=CAMPAIGN.id)
        return files

    return known


def result(collection, folder, judge=None):
    """The file of a judge, or of all judges together, in a folder of a collection's results."""
    name = folder if judge is None else f"{folder}/{judge}"
    return str(RESULTS / collection / f"{name}.parquet")


def of_reference(folder):
    """An input function: what the collection's reference judge has in a folder."""

    def known(wildcards):
        checkpoints.ingest.get(campaign=CAMPAIGN.id)
        reference = CAMPAIGN.collections[wildcards.collection].config["reference"]
        return result(wildcards.collection, folder, reference)

    return known


def all_judges(folder):
    """An input function: what each judge of a collection has in a folder."""

    def known(wildcards):
        checkpoints.ingest.get(campaign=CAMPAIGN.id)
        judges = CAMPAIGN.collections[wildcards.collection].judges
        return [result(wildcards.collection, folder, judge) for judge in judges]

    return known


def published_figures():
    """The files with published figures of each collection."""
    return {
        name: [
            str(CAMPAIGN.folder / file)
            for _, file in resolve(CAMPAIGN.folder, {"published": each.published})
        ]
        for name, each in CAMPAIGN.collections.items()
    }


def failures(collection, judge):
    """Where people say why a judge failed."""
    return RESULTS / "failures" / collection / f"{judge}.csv"


def pools():
    """The pool of each collection."""
    return [str(RESULTS / "pool" / f"{name}-coverage.csv") for name in CAMPAIGN.collections]


def computed():
    """What jobs compute for the tables: folder, collection, judge (none: of all) and file."""
    return [
        (folder, name, judge, result(name, folder, judge))
        for name, each in CAMPAIGN.collections.items()
        for folder, judge in each.computed
    ]


def final_files():
    """Every file that a finished campaign has: a deleted one is made again."""
    judged = [
        result(name, folder, judge)
        for folder in ("judgments", "questions", "known", "evidence")
        for name, judge in JUDGES
    ]
    single = ["ingest.json", "published.json", "report/index.html"]
    return [
        *judged,
        *(file for *_, file in computed()),
        *(str(RESULTS / each) for each in single),
    ]
