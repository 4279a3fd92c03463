"""A look at the config files before Snakemake reads them, and runs what it finds there.

Snakemake imports this package whatever the profile, while it gets ready to read the command line;
it reads the config files next, and the Snakefile after them.
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

PACKAGE = "snakemake_logger_plugin_qampaign"


def watch() -> None:
    """Have the config files of our Snakefile checked between the command line and their reading."""
    cli: Any = sys.modules.get("snakemake.cli")
    if cli is not None and not hasattr(cli.args_to_api, "__wrapped__"):
        cli.args_to_api = checked(cli.args_to_api)


def checked(go_on: Callable[..., Any]) -> Callable[..., Any]:
    """What Snakemake does with its arguments, once their config files are known to be harmless."""

    @wraps(go_on)
    def check_and_go_on(args: Any, *others: Any) -> Any:
        snakefile = find_ours(args.snakefile)
        if snakefile is not None:
            faults = [*find_unwritable()]
            faults += find_faults(args.configfile or [snakefile.with_name("config.yaml")])
            if faults:
                sys.exit("\n".join(faults))
        return go_on(args, *others)

    return check_and_go_on


def find_ours(given: str | Path | None) -> Path | None:
    """The Snakefile that a command line gives, if it is the one of this workflow or a copy."""
    found = resolve_snakefile(given, allow_missing=True)
    if found is None or not Path(found).exists():
        return None
    snakefile = Path(found).resolve()
    return snakefile if snakefile.parent.joinpath("workflow", PACKAGE).is_dir() else None


def find_unwritable() -> Iterator[str]:
    """What is wrong with the folders that Snakemake and the libraries write to besides results."""
    home = Path(get_appdirs().user_cache_dir)
    try:
        home.mkdir(parents=True, exist_ok=True)
        os.rmdir(tempfile.mkdtemp(dir=home))
    except OSError as error:
        name = "XDG_CACHE_HOME" if os.environ.get("XDG_CACHE_HOME") else "HOME"
        found = f"is {os.environ[name]!r}" if name in os.environ else "is not set"
        yield (
            f"{name} {found}, and Snakemake cannot write to {home} ({error.strerror}). "
            "Set HOME or XDG_CACHE_HOME to a folder that you may write to."
        )
    try:
        tempfile.gettempdir()
    except OSError:
        yield (
            f"TMPDIR is {os.environ.get('TMPDIR')!r}, and neither there nor in /tmp can anything "
            "be written. Set TMPDIR to a folder that you may write to."
        )
