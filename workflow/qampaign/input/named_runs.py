"""The runs that a config names, in planned comparisons and in a gate: which does no file give?"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from qampaign.input.collection_files import CollectionFiles
from qampaign.problems import Problems, first_names

CONFIG = "the config"

Asked = Mapping[str, Any]
"""A `condition` that names `runs`, the `collections` of which one must have them, and whether one
must have all of them `together`."""


def check_named_runs(
    collections: Sequence[CollectionFiles],
    gate: Sequence[Asked],
    submitted: Callable[[str], list[str]],
    partial: Collection[str],
    problems: Problems,
) -> None:
    """Note the runs that the config names and no collection has.

    `submitted` gives the runs of a collection that files give, `gate` is as
    :func:`qampaign.config.gate.runs_asked` has it. Of a collection that is `partial`, since a file
    of it could not be read, nothing is known.
    """
    named = {name for condition in gate for name in condition["collections"]}
    runs = {
        files.collection: _runs(files, submitted(files.collection))
        for files in collections
        if (files.compared or files.collection in named) and files.collection not in partial
    }
    for files in collections:
        known = runs.get(files.collection, [])
        for name in files.compared:
            if known and name not in known:
                _refuse(problems, name, f"collections.{files.collection}.comparisons", known)
    for condition in gate:
        where = condition["collections"]
        if all(runs.get(name) for name in where):
            _check_condition(condition, [runs[name] for name in where], problems)


def _runs(files: CollectionFiles, submitted: list[str]) -> list[str]:
    """The runs of a collection: those of files, what-if runs and baselines; none without files."""
    of_each = [f"{name}({run})" for name in files.made_of_each for run in submitted]
    return [*submitted, *files.made, *of_each] if submitted else []


def _check_condition(condition: Asked, runs: Sequence[list[str]], problems: Problems) -> None:
    """Note the runs of a condition that are in none of its collections, or in none together."""
    place = f"gate ({condition['condition']})"
    everywhere = list(dict.fromkeys(name for those in runs for name in those))
    unknown = [name for name in condition["runs"] if name not in everywhere]
    for name in unknown:
        _refuse(problems, name, place, everywhere)
    if not unknown and condition["together"]:
        first, *others = condition["runs"]
        if not any({*condition["runs"]} <= {*those} for those in runs):
            problems.add(
                file=CONFIG,
                problem=f"in {place} is in no collection that has {others[0]}, too",
                value=first,
                allowed="two runs of one collection",
            )


def _refuse(problems: Problems, name: str, place: str, known: Sequence[str]) -> None:
    problems.add(
        file=CONFIG, problem=f"in {place} is not a run", value=name, allowed=first_names(known)
    )
