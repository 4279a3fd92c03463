"""What earlier reports have left of collections that the campaign no longer has."""

import shutil
from collections.abc import Collection
from pathlib import Path


def remove_leftovers(report: Path, collections: Collection[str]) -> None:
    """Delete the leaderboards, figures and pages of questions of all collections but these."""
    for path in report.glob("questions-*.html"):
        if path.name.removeprefix("questions-").split(".")[0] not in collections:
            path.unlink()
    for path in report.glob("tables/leaderboard-*"):
        if path.stem.removeprefix("leaderboard-") not in collections:
            path.unlink()
    for folder in report.glob("figures/*/*"):
        if folder.name not in collections:
            shutil.rmtree(folder) if folder.is_dir() else folder.unlink()
