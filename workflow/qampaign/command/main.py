"""The command `qampaign`: the workflow with its profile, for one config.

It only puts a command line for Snakemake together. Its exit code says more than Snakemake's:
0 all went well, 1 the config or the input was refused, 2 the workflow could not run to its end.
"""

# mypy: disable-error-code="import-untyped"

import argparse
import sys
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

import yaml

from qampaign.command.location import home, profile, snakefile
from qampaign.config.campaign import read_campaign
from qampaign.config.config_files import find_faults
from qampaign.problems import Refused
from qampaign.running.jobs import has_refused_input

WELL, REFUSED, COULD_NOT_RUN = 0, 1, 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; the exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    end = given.index("--") if "--" in given else len(given)
    options = _parser().parse_args(given[:end])
    config = Path(options.config or "config.yaml")
    if not config.exists():
        if options.config:
            return _refuse(f"There is no config file {config}.")
        usage = f"qampaign {options.command} CONFIG"
        return _refuse(f"There is no config.yaml in this folder. Name a config file: {usage}")
    folder = profile(options.cluster or "default")
    if folder is None:
        return _refuse(
            f"--cluster {options.cluster}: there is no such profile; allowed: slurm, "
            "cluster-generic, or a folder with a config.yaml of your own"
        )
    return _run(_snakemake_line(options, config, folder, given[end + 1 :]), config)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="qampaign",
        description="Evaluate the runs of a question-answering campaign.",
        epilog="Exit codes: 0 all went well, 1 the config or the input was refused,\n"
        "2 the workflow could not run to its end.",
        formatter_class=argparse.RawDescriptionHelpFormatter,  # wraps no paths
        allow_abbrev=False,
    )
    parser.add_argument(
        "--version", action="version", version=f"qampaign {version('qampaign')} from {home()}"
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, purpose in {
        "run": "run a campaign to its report",
        "pool": "write the answers that nobody has judged yet, ready to be labelled",
    }.items():
        command = commands.add_parser(
            name,
            help=purpose,
            description=f"{purpose.capitalize()}. What follows -- goes to Snakemake as it is.",
            usage=f"qampaign {name} [CONFIG] [options] [-- options of Snakemake]",
            allow_abbrev=False,
        )
        command.add_argument("config", nargs="?", metavar="CONFIG", help="default: ./config.yaml")
        command.add_argument("-n", "--dry-run", action="store_true", help="show what would run")
        command.add_argument("--cores", metavar="N", help="how many cores to use (default: all)")
        command.add_argument(
            "--cluster",
            metavar="PROFILE",
            help="run on a cluster: slurm, cluster-generic, or a folder with your copy of one",
        )
        command.add_argument(
            "--verify", action="store_true", help="hash every raw file, whatever its size and times"
        )
    return parser


def _snakemake_line(
    options: argparse.Namespace, config: Path, folder: Path, more: list[str]
) -> list[str]:
    """The arguments of Snakemake; those that take any number of values come before others."""
    line = ["pool"] if options.command == "pool" else []
    line += ["--configfile", str(config), "--snakefile", snakefile()]
    if options.verify and "--config" in more:  # Snakemake goes by the last one alone
        more.insert(more.index("--config") + 1, "verify=true")
    elif options.verify:
        line += ["--config", "verify=true"]
    line += ["--dry-run"] * options.dry_run
    line += ["--cores", options.cores] if options.cores else []
    return [*line, "--workflow-profile", str(folder), *more]


def _run(line: list[str], config: Path) -> int:
    from snakemake.cli import main as snakemake  # late: --help need not wait for it

    try:
        snakemake(line)
    except SystemExit as ended:
        if ended.code in (None, WELL):
            return WELL
        if isinstance(ended.code, str):
            print(ended.code, file=sys.stderr)
    return REFUSED if has_refused_input() or _is_refused(config) else COULD_NOT_RUN


def _is_refused(config: Path) -> bool:
    """Whether a config is why a run has failed."""
    if any(find_faults([config])):
        return True
    try:
        read_campaign(yaml.safe_load(config.read_text(encoding="utf-8")), [config])
    except Refused:
        return True
    return False


def _refuse(message: str) -> int:
    print(message, file=sys.stderr)
    return COULD_NOT_RUN
