"""What an export is made of: one publication of a campaign, read through one connection."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from pathlib import Path

import duckdb
import polars as pl
import yaml

from qampaign.config.campaign import read_campaign
from qampaign.config.schema import Config
from qampaign.measures.configured import Configured
from qampaign.problems import Refused, first_names
from qampaign.results import Results, Value, read_table
from qampaign.tables import RESULT_TABLES

STAND_INS = {
    "answering": {"runs": "-", "keys": "-", "judges": {"judge": {"kind": "key"}}},
    "validation": {"runs": "-", "assessments": "-", "judges": {"judge": {"kind": "assessments"}}},
}
"""By task, what a collection must have besides its measures, of whatever files and judges it is:
the measures do not depend on that."""


@dataclass(frozen=True)
class Publication:
    """The tables of a publication, and what they were made from."""

    folder: Path
    """Where the results are."""
    connection: duckdb.DuckDBPyConnection

    def read(self, table: str, **equal: Value | Sequence[Value]) -> pl.DataFrame:
        """A table, or those of its rows whose columns have the given values."""
        return read_table(self.connection, table, **equal)

    @cached_property
    def config(self) -> Config:
        """The config that the results were made from, with every default filled in."""
        return yaml.safe_load(self._made_from("config", "config.yaml"))

    @property
    def is_open(self) -> bool:
        """Whether texts of answers and keys may leave."""
        return self.config.get("open") is True  # where it is not said, they stay

    @cached_property
    def time(self) -> datetime:
        """When the results were published."""
        return datetime.fromisoformat(self._made_from("time", "published"))

    @cached_property
    def version(self) -> str:
        """The version of Qampaign that made the results."""
        return self._made_from("version", "qampaign")

    @cached_property
    def measures(self) -> Mapping[str, Mapping[str, Configured]]:
        """The measures of each collection, by their names."""
        collections = {
            name: {
                **STAND_INS[settings["task"]],
                **{key: settings[key] for key in ("task", "measures")},
                "studies": {},
            }
            for name, settings in self.config["collections"].items()
        }
        config = {"campaign": self.config["campaign"], "collections": collections}
        return {
            name: {measure.name: measure for measure in collection.measures}
            for name, collection in read_campaign(config, []).collections.items()
        }

    def _made_from(self, topic: str, name: str) -> str:
        values = self.read("provenance", topic=topic, name=name)["value"].to_list()
        if len(values) != 1:
            raise Refused(
                f"{self.folder} does not say what it was made from ({topic} {name}): another "
                "version of Qampaign made it; run the campaign again"
            )
        return values[0]


@contextmanager
def open_publication(results: Results) -> Iterator[Publication]:
    """The publication that is there now; a later one does not change it."""
    with results.connect() as connection:
        columns = "SELECT table_name, column_name FROM duckdb_columns()"
        there = {*connection.execute(columns).fetchall()}
        missing = {
            name: None
            for name, table in RESULT_TABLES.items()
            for column in table.columns
            if not column.only and (name, column.name) not in there
        }
        if missing:
            raise Refused(
                f"{results.folder} was made by another version of Qampaign; run the campaign "
                f"again. Tables that are not there or lack columns: {first_names(missing)}"
            )
        yield Publication(results.folder, connection)
