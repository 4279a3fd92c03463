"""Files that belong together: what could be a collection, before it is tried."""

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from qampaign.config.defaults import FILES, RESERVED
from qampaign.config.schema import Config
from qampaign.input import sources
from qampaign.input.logs.declaration import MeasureEntry
from qampaign.input.logs.formats import LOG_FORMATS
from qampaign.input.logs.options import LogOptions
from qampaign.input.logs.text_lines import UNNAMED
from qampaign.proposal.patterns import find_patterns, shown
from qampaign.proposal.recognition import Found, FoundLog

RUN_NAMES = (
    "{model}",
    "{parent}",
    "{stem}",
    "{model} {parent}",
    "{model} {stem}",
    "{parent} {stem}",
)
"""What runs may be called, in the order in which it is tried."""

OF_PEOPLE = re.compile(r"assess|human|people|gold|label|judg|truth", re.IGNORECASE)
"""Names of files with labels that people gave."""

WIDE = "; if it has a column for each run, say so: logs: {files: …, format: wide}"

KEYS = {table: key for key, table in FILES.items()}
"""The key of the config for the files of a table."""


@dataclass
class Candidate:
    """What could be a collection."""

    id: str
    title: str
    kind: str
    """What its files are, for people to read."""
    files: Sequence[Path]
    config: Config
    """The keys that name its files, and how they are read."""
    notes: list[str] = field(default_factory=list)
    """What the config says about it in a comment."""
    takes: Sequence[str] = ()
    """Of logs: the options that mean something to their format."""
    measures: Sequence[MeasureEntry] = ()
    """Of logs: the measures by which they are ranked where they come from."""
    label_files: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Of tables: files with labels that are no people's, by what a judge by them is called."""
    score_files: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Likewise, files with scores."""


@dataclass
class Candidates:
    """Every candidate, and the files that are in none, with the reason."""

    candidates: list[Candidate] = field(default_factory=list)
    left_out: dict[Path, str] = field(default_factory=dict)


def find_candidates(
    files: Sequence[Found], folder: Path, *, deep: bool, named: Sequence[Path]
) -> Candidates:
    """What the files could be collections of, for a config in `folder`.

    `named` are the files and folders that were named: what lies in different ones of them does not
    belong together, unless they are logs.
    """
    together = Candidates()
    beside = {os.path.abspath(path) for file in files for path in file.beside if file.logs}
    for file in files:
        if file.reason and os.path.abspath(file.path) not in beside:
            together.left_out[file.path] = file.reason
    _add_logs([file for file in files if file.logs and not file.reason], together, folder, deep)
    first: dict[tuple[Path, str], Found] = {}
    tables = []
    for file in files:
        if file.tables and os.path.abspath(file.path) not in beside:
            original = first.setdefault((file.path.parent, file.digest), file)
            # without a column for the run, equal files are runs that give the same answers
            if original is not file and "responses" in file.tables and _has_runs([file]):
                together.left_out[file.path] = f"is a copy of {shown(original.path, folder)}"
            else:
                tables.append(file)
    _add_tables(tables, together, folder, deep, named)
    _name(together.candidates)
    return together


Placed = tuple[Found, FoundLog]


def _add_logs(files: Sequence[Found], together: Candidates, folder: Path, deep: bool) -> None:
    """A collection for each task of the logs in a format."""
    tasks: dict[tuple[str, str], list[Placed]] = {}
    first: dict[tuple[str, str], Path] = {}
    copies: dict[Path, Path] = {}
    for file in files:
        used = False
        for log in file.logs:
            original = first.setdefault((log.model, log.digest), file.path)
            if original == file.path or not log.answers:
                tasks.setdefault((file.format, log.task), []).append((file, log))
                used = True
        if not used:
            copies[file.path] = original
    for path, original in copies.items():
        together.left_out[path] = f"holds the same log as {shown(original, folder)}"
    usable = [file for file in files if file.path not in together.left_out]
    for (format_name, task), placed in tasks.items():
        if not any(log.answers for _, log in placed):
            together.left_out |= {
                file.path: f"has questions of {task or format_name}, and no file has answers"
                for file, _ in placed
            }
            continue
        parts = _compatible(placed)
        for number, part in enumerate(parts, start=1):
            candidate = _of_logs(format_name, task, part, usable, together, folder, deep)
            if len(parts) > 1:
                candidate.title += f", part {number}"
                candidate.notes.append(
                    f"The logs of {task} have different targets for the same ids: a collection for "
                    "those that agree. For a single one, write the right target of each id to a "
                    "file, name it by keys:, and list all these logs in one collection."
                )
            together.candidates.append(candidate)


def _compatible(placed: Sequence[Placed]) -> list[list[Placed]]:
    """Logs by whether they have the same targets for what they share."""
    parts: list[tuple[dict[str, str], list[Placed]]] = []
    for file, log in placed:
        fitting = (
            earlier for earlier in parts
            if all(earlier[0].get(name, target) == target for name, target in log.targets.items())
        )  # fmt: skip
        part = next(fitting, None)
        if part is None:
            part = ({}, [])
            parts.append(part)
        part[0].update(log.targets)
        part[1].append((file, log))
    return [logs for _, logs in parts]


def _of_logs(
    format_name: str,
    task: str,
    placed: Sequence[Placed],
    usable: Sequence[Found],
    together: Candidates,
    folder: Path,
    deep: bool,
) -> Candidate:
    run, dropped = _name_runs([pair for pair in placed if pair[1].answers])
    used = [pair for pair in placed if pair[0].path not in dropped]
    together.left_out |= dropped
    files = [*dict.fromkeys(file.path for file, _ in used)]
    beside = [path for file in usable for path in file.beside]
    others = [
        file for file in usable
        if file.format == format_name and task not in {log.task for log in file.logs}
    ]  # fmt: skip
    patterns = find_patterns(
        files, folder, passed_over=beside, harmless=[file.path for file in others], deep=deep
    )
    matched = {
        os.path.abspath(folder / path) for _, path in sources.resolve(folder, {"": patterns})
    }
    read = [file for file in usable if os.path.abspath(file.path) in matched]
    mixed = {log.task for file in read for log in file.logs} != {task}
    logs: dict[str, object] = {"files": patterns[0] if len(patterns) == 1 else patterns}
    declared = LOG_FORMATS[format_name]
    notes = []
    if mixed:
        logs["only"] = task
    filters = [log.filters for _, log in used if log.filters]
    if filters:
        common = [name for name in filters[0] if all(name in of_log for of_log in filters)]
        logs["filter"] = common
        notes.append(
            f"Samples are by {len(common)} filters: each gives verdicts, and the whole output is "
            "the answer. With one filter, what it extracts is the answer."
        )
    if run != "{model}":
        logs["run"] = run
        notes.append("Several files are of one model, so that runs are called by more than it.")
    named = task if task != UNNAMED else ""
    return Candidate(
        id=named or format_name,
        title=named or declared.title,
        kind=declared.title,
        files=files,
        config={"logs": logs if len(logs) > 1 else logs["files"]},
        notes=notes,
        takes=declared.takes,
        measures=declared.measures,
    )


def _name_runs(placed: Sequence[Placed]) -> tuple[str, dict[Path, str]]:
    """What runs are called so that each log is one, and what is left out where nothing does."""
    for pattern in RUN_NAMES:
        names = [LogOptions(run=pattern).name_run(log.names) for _, log in placed]
        if len({*names}) == len(names) and all(names) and "all" not in names:
            return pattern, {}
    first: dict[str, Path] = {}
    dropped = {}
    for file, log in placed:
        original = first.setdefault(log.model, file.path)
        if original != file.path:
            reason = f"is of the same model and task as {original.name}, which is taken"
            dropped[file.path] = reason
    return "{model}", dropped


def _add_tables(
    files: Sequence[Found],
    together: Candidates,
    folder: Path,
    deep: bool,
    named: Sequence[Path],
) -> None:
    """A collection for each folder that has answers, and what they are judged by, below it."""
    judging = {
        os.path.dirname(os.path.abspath(file.path))
        for file in files
        if {*file.tables} & {"assessments", "keys", "patterns"}
    }
    highest = {
        os.path.abspath(path) if path.is_dir() else os.path.dirname(os.path.abspath(path))
        for path in named
    }
    groups: dict[str | None, list[Found]] = {}
    for file in files:
        if _can_be_run(file):
            groups.setdefault(_root(file.path, judging, highest), []).append(file)
    for file in groups.pop(None, []):
        together.left_out[file.path] = (
            "has answers, and nothing to judge them by: assessments, keys or patterns"
        )
    runs = {
        root: [file for file in answers if "assessments" not in file.tables] or answers
        for root, answers in groups.items()
        if root is not None
    }
    others: dict[str, list[Found]] = {root: [] for root in runs}
    for file in files:
        if "responses" in file.tables and "assessments" not in file.tables:
            continue
        home = os.path.dirname(os.path.abspath(file.path))
        roots = [root for root in others if home == root or home.startswith(f"{root}{os.sep}")]
        if roots:
            others[max(roots, key=len)].append(file)
        else:
            kind = KEYS.get(next(iter(file.tables)), next(iter(file.tables)))
            wide = "" if "questions" not in file.tables else WIDE
            together.left_out[file.path] = f"can be {kind}:, and no answers are near it{wide}"
    for root, answers in runs.items():
        together.candidates.append(_of_tables(root, answers, others[root], folder, deep))


def _root(path: Path, judging: Iterable[str], highest: Iterable[str]) -> str | None:
    """The closest folder above a file in which, at any depth, answers are judged by something.

    It is none above those that were named.
    """
    folder = os.path.dirname(os.path.abspath(path))
    while True:
        if any(judged == folder or judged.startswith(f"{folder}{os.sep}") for judged in judging):
            return folder
        above = os.path.dirname(folder)
        if above == folder or folder in highest:
            return None
        folder = above


def _of_tables(
    root: str, runs: Sequence[Found], others: Sequence[Found], folder: Path, deep: bool
) -> Candidate:
    def patterns(files: Sequence[Path]) -> str | list[str]:
        matching = find_patterns(files, folder, deep=deep)
        return matching[0] if len(matching) == 1 else matching

    config: dict[str, object] = {"runs": patterns([file.path for file in runs])}
    graded = {file.path for file in runs if "assessments" in file.tables}
    tables: dict[str, list[Path]] = {}
    for file in others:
        name = next(iter(file.tables))
        tables.setdefault(name, []).append(file.path)
    labels = tables.pop("assessments", [])
    people = [path for path in labels if OF_PEOPLE.search(str(path.name))]
    people = people or [path for path in labels if OF_PEOPLE.search(path.parent.name)] or labels
    if people:
        config["assessments"] = patterns(people)
        if graded and {*people} <= graded and not _has_runs(runs):
            config["assessments"] = {"files": config["assessments"], "run": "{stem}"}
    scored = tables.pop("scores", [])
    for name, paths in tables.items():
        config[KEYS.get(name, name)] = patterns(paths)
    if "keys" in tables and any(file.literal for file in others if "keys" in file.tables):
        config["keys"] = {"files": config["keys"], "literal": True}
    gold = [file for file in runs if "keys" in file.tables]
    if gold and "keys" not in config:
        whole = max(gold, key=lambda file: file.tables["keys"].frame.height)
        config["keys"] = {"files": shown(whole.path, folder), "literal": True}
    title = os.path.basename(root)
    return Candidate(
        id=title,
        title=title,
        kind="tables",
        files=[*dict.fromkeys(file.path for file in (*runs, *others))],
        config=config,
        label_files={path.stem: [shown(path, folder)] for path in labels if path not in people},
        score_files={path.stem: [shown(path, folder)] for path in scored},
    )


def _can_be_run(file: Found) -> bool:
    """Whether a file has the answers of runs, and not only quotes those that people labelled."""
    quotes = "assessments" in file.tables and OF_PEOPLE.search(file.path.stem)
    return "responses" in file.tables and not quotes


def _has_runs(files: Sequence[Found]) -> bool:
    """Whether files name their runs in a column."""
    return any("run" in file.tables["responses"].frame.columns for file in files)


def as_id(text: str, fallback: str = "collection") -> str:
    """A text as a name of letters, digits, - and _.

    >>> as_id("inspect_evals/arc easy"), as_id("...")
    ('inspect_evals-arc-easy', 'collection')
    """
    return re.sub(r"[^A-Za-z0-9_-]+", "-", text).strip("-_")[:60].strip("-_") or fallback


def _name(candidates: Sequence[Candidate]) -> None:
    """Give each candidate a name that no other has."""
    taken = {*RESERVED}
    for candidate in candidates:
        name = base = as_id(candidate.id)
        number = 2
        while name.lower() in taken:
            name, number = f"{base}-{number}", number + 1
        taken.add(name.lower())
        candidate.id = name
