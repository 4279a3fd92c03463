"""The keys of the config that name files: a path, a list, or files with what is said of them."""

from collections.abc import Mapping, Sequence

from qampaign.config.schema import Config
from qampaign.config.structure import ConfigFaults, KeyPath, suggest
from qampaign.input.file_options import RUN_ALLOWED, is_run_pattern
from qampaign.input.input_tables import INPUT_TABLES
from qampaign.input.sources import READERS

WITH_RUNS = ("responses", "assessments", "verdicts", "scores")
"""The tables whose runs may follow from the paths of files."""


def as_list(value: str | Sequence[str] | Config) -> list[str]:
    """The paths and patterns of a key.

    >>> as_list("a.csv"), as_list({"files": ["a.csv", "b.csv"], "format": "csv"})
    (['a.csv'], ['a.csv', 'b.csv'])
    """
    paths = value["files"] if isinstance(value, Mapping) else value
    return [paths] if isinstance(paths, str) else list(paths)


def check_files(entry: object, table: str, at: KeyPath, faults: ConfigFaults) -> None:
    """Check what the config says of the files of a table, besides that they are there."""
    if not isinstance(entry, Mapping) or not faults.is_sound(*at):
        return
    declared = INPUT_TABLES[table]
    columns = entry.get("columns", {})
    for name in columns:
        if name not in declared.names and not declared.collected:
            problem = f"is not a column of {declared.title.lower()}"
            faults.refuse((*at, "columns", name), problem, suggest(name, declared.names))
    known = [suffix.removeprefix(".") for suffix in READERS]
    if entry.get("format", known[0]) not in known:
        faults.refuse((*at, "format"), "is not a format", ", ".join(known), entry["format"])
    if "run" in entry and table not in WITH_RUNS:
        faults.refuse((*at, "run"), "has no effect here", "run: of runs, assessments or verdicts")
    elif "run" in entry and not is_run_pattern(entry["run"]):
        faults.refuse((*at, "run"), "finds no run in a path", RUN_ALLOWED, entry["run"])
    elif "run" in entry and "run" in columns:
        problem = "and columns both say what the run is"
        faults.refuse((*at, "run"), problem, "one of them")
    if "literal" in entry and table != "keys":
        faults.refuse((*at, "literal"), "has no effect here", "literal: of keys")
