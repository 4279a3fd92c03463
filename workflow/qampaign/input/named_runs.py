"""The runs that a config names, in planned comparisons and in a gate: which does no file give?"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from qampaign.input.collection_files import CollectionFiles
from qampaign.problems import Problems, first_names, nearest

CONFIG = "the config"

Asked = Mapping[str, Any]
"""A `condition` that names `runs`, the `collections` of which one must have them, whether one must
have all of them `together`, and the collections that are `lacking`, each with what it lacks."""


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
    named = {
        name for condition in gate for name in (*condition["collections"], *condition["lacking"])
    }
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
        if all(runs.get(name) for name in (*condition["collections"], *condition["lacking"])):
            _check_condition(condition, runs, len(collections), problems)


def _runs(files: CollectionFiles, submitted: list[str]) -> list[str]:
    """The runs of a collection: those of files, what-if runs and baselines; none without files."""
    of_each = [f"{name}({run})" for name in files.made_of_each for run in submitted]
    return [*submitted, *files.made, *of_each] if submitted else []


def _check_condition(
    condition: Asked, runs: Mapping[str, list[str]], collections: int, problems: Problems
) -> None:
    """Note the runs of a condition that are in none of its collections, or in none together.

    `runs` has those of every collection that it could mean, of all the `collections`.
    """
    place = f"gate ({condition['condition']})"
    where, lacking = condition["collections"], condition["lacking"]
    everywhere = list(dict.fromkeys(run for name in where for run in runs[name]))
    unknown = [run for run in condition["runs"] if run not in everywhere]
    of_which = f" of {first_names(where)}" if len(where) < collections else ""
    for run in unknown:
        if there := [name for name in lacking if run in runs[name]]:
            problem = f"in {place} is a run of {first_names(there)}, and no collection that has it "
            problem += f"has {_missing(there, lacking)}"
            allowed = f"a run{of_which}: {first_names(everywhere)}"
            problems.add(file=CONFIG, problem=problem, value=run, allowed=allowed)
        else:
            _refuse(problems, run, place, everywhere, "" if lacking else of_which)
    both = {*condition["runs"]}
    together = [name for name in (*where, *lacking) if both <= {*runs[name]}]
    if unknown or not condition["together"] or {*where} & {*together}:
        return
    first, *others = condition["runs"]
    problem = f"in {place} is in no collection that has {others[0]}, too"
    allowed = "two runs of one collection"
    if together:
        problem += f", and {_missing(together, lacking)}"
        allowed = f"two runs{of_which}"
    problems.add(file=CONFIG, problem=problem, value=first, allowed=allowed)


def _missing(collections: Sequence[str], lacking: Mapping[str, str]) -> str:
    """What collections lack for a condition."""
    return " and ".join(dict.fromkeys(lacking[name] for name in collections))


def _refuse(
    problems: Problems, name: str, place: str, known: Sequence[str], of_which: str = ""
) -> None:
    problem = f"in {place} is not a run{of_which}"
    allowed = nearest(name, known) + first_names(known)
    problems.add(file=CONFIG, problem=problem, value=name, allowed=allowed)
