"""Which files are logs, and which files beside them belong to them."""

import glob
from collections.abc import Mapping, Sequence
from pathlib import Path

from qampaign.input.logs.formats import LOG_FORMATS
from qampaign.input.logs.tables import LOGS
from qampaign.input.sources import resolve


def find_logs(folder: str | Path, patterns: Sequence[str]) -> dict[str, list[str]]:
    """The logs that patterns stand for, each with the files beside it that belong to it.

    A folder stands for all files in it, those in its folders too; one that a pattern matches, for
    nothing: the pattern matches what is in it, or is not to. What belongs to a log is no log of its
    own. A pattern that matches nothing stays as it is.
    """
    paths: dict[str, None] = {}
    for _, path in resolve(folder, {LOGS: patterns}):
        if not Path(folder, path).is_dir():
            paths[path] = None
        elif path in patterns:
            paths |= dict.fromkeys(_files_in(folder, path) or [path])
    beside = {path: _find_beside(folder, path) for path in paths}
    belonging = {beside_path for others in beside.values() for beside_path in others}
    return {path: others for path, others in beside.items() if path not in belonging}


def find_raw_files(
    folder: str | Path, patterns: Mapping[str, Sequence[str]]
) -> list[tuple[str, str]]:
    """Each table with each of its files, for logs also with the files beside them."""
    others = {table: wanted for table, wanted in patterns.items() if table != LOGS}
    logs = find_logs(folder, patterns.get(LOGS, ()))
    of_logs = dict.fromkeys([*logs, *(path for beside in logs.values() for path in beside)])
    return [*resolve(folder, others), *((LOGS, path) for path in of_logs)]


def _files_in(folder: str | Path, path: str) -> list[str]:
    pattern = str(Path(glob.escape(path), "**"))
    within = glob.glob(pattern, root_dir=folder, recursive=True)
    return [name for name in sorted(within) if not Path(folder, name).is_dir()]


def _find_beside(folder: str | Path, path: str) -> list[str]:
    """The files in the folder of a log that belong to it, by their names."""
    parent, name = Path(path).parent, Path(path).name
    patterns = [
        pattern for known_format in LOG_FORMATS.values() for pattern in known_format.beside(name)
    ]
    listings = (
        glob.glob(str(Path(glob.escape(str(parent)), pattern)), root_dir=folder)
        for pattern in patterns
    )
    return sorted({file for matches in listings for file in matches} - {path})
