"""A collection tried out: read and judged as a run would do, in a folder that is thrown away."""

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from qampaign.config.campaign import Collection, read_campaign
from qampaign.config.ingest_params import collection_files
from qampaign.config.schema import Config
from qampaign.input import store
from qampaign.input.ingest import ingest
from qampaign.judging.adjudication import Tied
from qampaign.judging.judges import JUDGES, QUESTIONS, response_columns
from qampaign.problems import Problems, Refused
from qampaign.proposal.facts import Facts, find_facts


@dataclass
class Trial:
    """What came out of reading a collection."""

    facts: Facts = field(default_factory=Facts)
    problems: Problems = field(default_factory=Problems)
    refusal: str = ""
    """Why it cannot be read, in lines; nothing where it can."""
    refused: Mapping[str, Refused] = field(default_factory=dict)
    """Why judges cannot judge, by their names."""


def try_out(name: str, config: Config, folder: Path, *, judge: bool = False) -> Trial:
    """Read a collection for a config in `folder`, and judge it if that is asked for."""
    trial = Trial()
    try:
        campaign = read_campaign({"campaign": "trial", "collections": {name: config}}, [])
    except Refused as refused:
        trial.refusal = str(refused)
        return trial
    (files,) = collection_files(replace(campaign, folder=folder))

    def look(writer: store.Writer, problems: Problems) -> None:
        trial.facts = find_facts(writer.connection)
        trial.problems = problems

    with _database() as database:
        try:
            ingest(
                [files],
                database=database,
                fingerprints=database.with_name("fingerprints"),
                problems_csv=database.with_name("problems.csv"),
                code="init",
                look=look,
            )
        except Refused as refused:
            if not len(trial.problems):
                trial.refusal = str(refused)
            return trial
        if judge:
            collection = campaign.collections[name]
            reasons = {
                judge_name: _refusal(collection, judge_name, database)
                for judge_name in collection.judges
            }
            trial.refused = {name: why for name, why in reasons.items() if why is not None}
    return trial


@contextmanager
def _database() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="qampaign-init-") as folder:
        yield Path(folder, "campaign.duckdb")


def _refusal(collection: Collection, judge: str, database: Path) -> Refused | None:
    """Why a judge cannot judge the responses of a collection, if it cannot."""
    kind = JUDGES[collection.judges[judge]["kind"]]
    read = partial(store.read, database, collection.id)
    table = read(collection.judged_by(judge), kind.columns)
    responses = read("responses", response_columns(by_line=collection.by_line))
    try:
        kind(
            responses,
            table,
            read("questions", QUESTIONS),
            name=judge,
            **collection.arguments(judge),
        )
    except Refused as refused:
        return refused
    return None


def is_tie(refused: Refused) -> bool:
    """Whether a judge cannot judge since assessors are evenly divided."""
    return isinstance(refused, Tied)
