"""Other processes: waiting for what they do, and whether one still runs."""

import time
from collections.abc import Callable
from pathlib import Path


def wait_until(holds: Callable[[], bool], seconds: float = 120) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.01)


def is_running(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"
