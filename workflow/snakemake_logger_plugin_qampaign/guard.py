"""A check of the config files before Snakemake reads them, and would run code in them.

Snakemake imports this package whatever the profile, while it gets ready to read the command line;
it reads the config files next, and the Snakefile after them. Other workflows are left alone.
"""
# mypy: disable-error-code="import-untyped"

import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import wraps
from pathlib import Path
from typing import Any

from snakemake.api import resolve_snakefile
from snakemake.common import get_appdirs

from qampaign.config.config_files import find_faults

OURS = Path("workflow", "rules", "start.smk")  # what only our Snakefile, or a copy of it, has below
TARGETS = ("all", "pool")


def watch() -> None:
    """Have the command line checked between its reading and that of the config files."""
    cli: Any = sys.modules.get("snakemake.cli")
    if cli is not None and not hasattr(cli.args_to_api, "__wrapped__"):
        cli.args_to_api = checked(cli.args_to_api)


def checked(go_on: Callable[..., Any]) -> Callable[..., Any]:
    """What Snakemake does with its arguments, once our config files are known to be harmless."""

    @wraps(go_on)
    def check_and_go_on(args: Any, *others: Any) -> Any:
        snakefile = find_ours(args.snakefile)
        if snakefile is not None:
            move_targets(args)
            faults = [*find_unwritable()]
            faults += find_faults(args.configfile or [snakefile.with_name("config.yaml")])
            if faults:
                sys.exit("\n".join(faults))
        return go_on(args, *others)

    return check_and_go_on


def find_ours(snakefile: str | Path | None) -> Path | None:
    """The Snakefile that a command line gives, if it is the one of this workflow or a copy."""
    path = resolve_snakefile(snakefile, allow_missing=True)
    if path is None or not Path(path).exists():
        return None
    folder = Path(path).resolve().parent
    if folder.name == "workflow":  # its Snakefile includes the one above
        folder = folder.parent
    return folder / "Snakefile" if (folder / OURS).is_file() else None


def move_targets(args: Any) -> None:
    """Take targets from among the config files.

    In `--configfile mine.yaml pool` all that follows is a config file to Snakemake.
    """
    misplaced = [path for path in args.configfile if str(path) in TARGETS and not path.exists()]
    args.configfile = [path for path in args.configfile if path not in misplaced]
    args.targets = [*args.targets, *map(str, misplaced)]


def find_unwritable() -> Iterator[str]:
    """What is wrong with the folders that Snakemake and the libraries write to besides results."""
    home = Path(get_appdirs().user_cache_dir)
    try:
        home.mkdir(parents=True, exist_ok=True)
        os.rmdir(tempfile.mkdtemp(dir=home))
    except OSError as error:
        name = "XDG_CACHE_HOME" if os.environ.get("XDG_CACHE_HOME") else "HOME"
        state = f"is {os.environ[name]!r}" if name in os.environ else "is not set"
        yield (
            f"{name} {state}, and Snakemake cannot write to {home} ({error.strerror}). "
            "Set HOME or XDG_CACHE_HOME to a folder that you may write to."
        )
    try:
        tempfile.gettempdir()
    except OSError:
        yield (
            f"TMPDIR is {os.environ.get('TMPDIR')!r}, and nothing can be written there or in /tmp. "
            "Set TMPDIR to a folder that you may write to."
        )
