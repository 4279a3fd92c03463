"""The files in folders that somebody names, less what cannot be meant, with the reason."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

MOST_FILES = 20_000
"""How many files are looked at."""

RESULTS = ("campaign.duckdb", "results.duckdb", "ingest.json")
"""What a folder with the results of a campaign has, some of it at least."""


@dataclass
class FoundFiles:
    """What was found, each path as it was reached."""

    files: list[Path] = field(default_factory=list)
    left_out: dict[Path, str] = field(default_factory=dict)
    """What is not looked at, with the reason."""
    has_links: bool = False
    """Whether a folder was reached by a link: patterns for any depth would follow it."""


def find_files(paths: Sequence[Path]) -> FoundFiles:
    """The files that are named, and those in the folders that are named, in the order of names.

    Hidden ones are passed over unless they are named. A folder that several links lead to is looked
    through once.
    """
    found = FoundFiles()
    seen: set[tuple[int, int]] = set()
    for path in paths:
        if path.is_dir():
            _look_through(path, found, seen)
        else:
            found.files.append(path)
    found.files = [*dict.fromkeys(found.files)]
    return found


def _look_through(folder: Path, found: FoundFiles, seen: set[tuple[int, int]]) -> None:
    waiting = [folder]
    while waiting:
        current = waiting.pop()
        try:
            status = os.stat(current)
            entries = sorted(os.scandir(current), key=lambda entry: entry.name)
        except OSError as error:
            found.left_out[current] = f"cannot be read: {error.strerror}"
            continue
        if (status.st_dev, status.st_ino) in seen:
            found.left_out[current] = "is a folder that was looked through already"
            continue
        seen.add((status.st_dev, status.st_ino))
        if {entry.name for entry in entries} & {*RESULTS}:
            found.left_out[current] = "holds the results of a campaign"
            continue
        folders = []
        for entry in _shown(entries):
            path = current / entry.name
            if not entry.is_dir():
                found.files.append(path)
            else:
                found.has_links |= entry.is_symlink()
                folders.append(path)
        if len(found.files) > MOST_FILES:
            found.left_out |= dict.fromkeys(folders, f"comes after {MOST_FILES:,} other files")
            found.left_out |= dict.fromkeys(waiting, f"comes after {MOST_FILES:,} other files")
            return
        waiting += reversed(folders)


def _shown(entries: Sequence["os.DirEntry[str]"]) -> Iterator["os.DirEntry[str]"]:
    return (entry for entry in entries if not entry.name.startswith("."))
