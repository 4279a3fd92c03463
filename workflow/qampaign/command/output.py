"""Files that a command writes where its options say."""

import os
from pathlib import Path


def find_hindrance(path: Path) -> str | None:
    """Why a file cannot be written, as far as can be seen before it is tried."""
    try:
        if path.is_dir():
            return "that is a folder; allowed: a file"
        if path.exists():
            return None if os.access(path, os.W_OK) else "it may not be written"
        above = next(folder for folder in path.absolute().parents if os.path.lexists(folder))
        if not above.is_dir():
            return f"{above} is not a folder"
        return None if os.access(above, os.W_OK | os.X_OK) else f"{above} may not be written to"
    except OSError as error:
        return error.strerror or str(error)


def write_output(path: Path, text: str) -> None:
    """Write a text as the whole of a file, whose folders are made, or to a pipe.

    It is no result: that another run of the campaign has begun does not matter.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def remove_output(path: Path) -> None:
    """Remove what an earlier run has written, so that nobody takes it for what comes out now."""
    if path.is_file():
        path.resolve().unlink()
