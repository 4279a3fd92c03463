"""Which run of a campaign is the current one: a job of an earlier run must not write any more.

A run on a cluster may be killed while its jobs go on elsewhere, waiting or computing. The next run
then computes the same files, perhaps from corrected input: what an earlier job would put in their
place is out of date. So each run leaves a token of its own with the results and hands it to its
jobs, and a job looks before it gives a file its name.
"""

import os
import uuid
from pathlib import Path

VARIABLE = "QAMPAIGN_RUN"
"""The variable that says which run a job belongs to: the run's token and where it is kept."""


class Superseded(SystemExit):
    """The job belongs to a run that is over. It leaves no message: nobody waits for it."""


def prepare(path: Path) -> None:
    """Choose the token of a run that is about to start, and hand it to all that it starts."""
    os.environ[VARIABLE] = f"{uuid.uuid4().hex} {path.absolute()}"


def claim() -> None:
    """From now on this process's run is the current one."""
    token, path = _given()
    temporary = path.with_name(f".{path.name}.{token}.part")
    temporary.write_text(token)
    os.replace(temporary, path)


def require() -> None:
    """End this process if another run has begun since its own."""
    if os.environ.get(VARIABLE):
        token, path = _given()
        try:
            current = path.read_text()
        except FileNotFoundError:  # with the results, all that an earlier run could spoil is gone
            return
        if current != token:
            raise Superseded(
                f"Another run has started ({path}), so this job of an earlier run ends."
            )


def begun() -> int | None:
    """When the run of this process became the current one, in ns; None: it has not, or is over."""
    if not os.environ.get(VARIABLE):
        return None
    token, path = _given()
    try:
        return path.stat().st_mtime_ns if path.read_text() == token else None
    except OSError:
        return None


def _given() -> tuple[str, Path]:
    token, _, path = os.environ[VARIABLE].partition(" ")
    return token, Path(path)
