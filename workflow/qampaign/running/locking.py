"""One run of a campaign at a time, by a lock that the kernel drops with the process."""

import errno
import os
import socket
import sys
from functools import cache
from pathlib import Path

if sys.platform != "win32":
    import fcntl

_NOT_OFFERED = {errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOLCK}  # some network file systems


class Locked(Exception):
    """Another run of the campaign is under way."""


@cache
def hold(path: str | Path) -> None:
    """Hold results/<campaign>/.lock until this process ends, however it ends.

    The file stays, only the lock matters. Its descriptor is not inherited by the programs that
    this process starts (PEP 446), so a job that outlives a killed run does not keep the lock.
    On Windows itself, outside WSL, there is no such lock, and none is held.
    """
    if sys.platform == "win32":
        return
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        holder = os.read(descriptor, 1000).decode(errors="replace").strip()
        os.close(descriptor)
        if error.errno in _NOT_OFFERED:
            return
        if not isinstance(error, BlockingIOError):
            raise
        raise Locked(
            f"another run of campaign {path.absolute().parent.name} is under way"
            + (f" ({holder})" if holder else "")
        ) from None
    os.ftruncate(descriptor, 0)
    os.write(descriptor, f"process {os.getpid()} on {socket.gethostname()}\n".encode())
