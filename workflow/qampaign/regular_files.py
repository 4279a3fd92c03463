"""Files that users name: regular ones alone are opened, no pipe or device keeps us waiting."""

import os
import stat
from io import BufferedReader
from pathlib import Path

KINDS = {
    stat.S_IFDIR: "folder",
    stat.S_IFIFO: "named pipe",
    stat.S_IFSOCK: "socket",
    stat.S_IFCHR: "device",
    stat.S_IFBLK: "device",
}
"""What may stand under a name, or at the end of a link, besides a regular file."""


class Irregular(OSError):
    """What is no regular file; the message says what it is."""


def open_regular(path: str | Path) -> BufferedReader:
    """Open a regular file for reading; raises :class:`Irregular` at once for anything else."""
    require_regular(path, os.stat(path))
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    file = os.fdopen(descriptor, "rb")
    try:
        require_regular(path, os.fstat(descriptor))  # it may be another one by now
    except OSError:
        file.close()
        raise
    return file


def require_regular(path: str | Path, status: os.stat_result) -> None:
    """Raise :class:`Irregular` where a status is not that of a regular file."""
    if not stat.S_ISREG(status.st_mode):
        kind = KINDS.get(stat.S_IFMT(status.st_mode), "special file")
        raise Irregular(0, f"is a {kind}, not a regular file", str(path))
