"""The command `qampaign`: the workflow with its profile, for one config.

It puts a command line for Snakemake together, and for some commands says what came out. Its exit
code says more than Snakemake's: 0 all went well, 1 the config or the input was refused, or a
condition of the gate fails, 2 the workflow could not run to its end.
"""

# mypy: disable-error-code="import-untyped"

import argparse
import shlex
import sys
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import yaml

from qampaign.command.location import home, profile, snakefile
from qampaign.command.output import find_hindrance, remove_output, write_output
from qampaign.config.campaign import Campaign, read_campaign
from qampaign.config.config_files import find_faults
from qampaign.problems import Refused
from qampaign.publishing.export import FORMATS
from qampaign.running.jobs import failures, refusals

WELL, REFUSED, COULD_NOT_RUN = 0, 1, 2

OUTPUTS = ("markdown", "csv")
"""Options that name a file to write."""

CONFIGURED = ("--config", "-C")  # --configfile, too
"""How options of Snakemake begin that say something else than the config file."""


class NotTold(Exception):
    """A command has nothing to tell: the exit code, the message, and whether it was shown."""

    def __init__(self, code: int, message: str, *, shown: bool = False) -> None:
        super().__init__(message)
        self.code, self.message, self.shown = code, message, shown


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; the exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    end = words.index("--") if "--" in words else len(words)
    options = build_parser().parse_args(words[:end])
    if options.command in ("check", "init"):
        return _look_at_files(options, words[end + 1 :])
    if options.command == "export":
        return _export(options, words[end + 1 :])
    config = Path(options.config or "config.yaml")
    if hindrance := _find_hindrance(options, config):
        return _refuse(hindrance)
    summary = None if options.dry_run else getattr(options, "markdown", None)
    try:
        if summary is not None:
            remove_output(Path(summary))
        return _run_and_tell(config, options, words[end + 1 :])
    except NotTold as failure:
        if not failure.shown:
            print(failure.message, file=sys.stderr)
        if summary is not None:
            _write_failure(Path(summary), config, failure)
        return failure.code
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        return _refuse(f"{where}{error.strerror or error}")


def _find_hindrance(options: argparse.Namespace, config: Path) -> str | None:
    """Why a file cannot be written that an option names."""
    for name in OUTPUTS:
        given = getattr(options, name, None)
        if given is None:
            continue
        hindrance = find_hindrance(Path(given))
        if hindrance is None and Path(given).resolve() == config.resolve():
            hindrance = "that is the config"
        if hindrance:
            return f"--{name} {shlex.quote(given)}: {hindrance}"
    return None


def _run_and_tell(config: Path, options: argparse.Namespace, more: list[str]) -> int:
    """Run the workflow and say what came out; the exit code. Raises :class:`NotTold`."""
    tell = {"gate": _tell_gate, "compare": _tell_pair, "parcel": _write_parcels}.get(
        options.command
    )
    if not config.exists():
        if options.config:
            raise NotTold(COULD_NOT_RUN, f"There is no config file {config}.")
        usage = f"qampaign {options.command} CONFIG"
        if options.command == "compare":
            usage = f"qampaign compare {shlex.join(options.runs)} --config CONFIG"
        message = f"There is no config.yaml in this folder. Name a config file: {usage}"
        raise NotTold(COULD_NOT_RUN, message)
    folder = profile(options.cluster or "default")
    if folder is None:
        message = (
            f"--cluster {options.cluster}: there is no such profile; allowed: slurm, "
            "cluster-generic, or a folder with a config.yaml of your own"
        )
        raise NotTold(COULD_NOT_RUN, message)
    if tell is _tell_gate and not any(word.startswith(CONFIGURED) for word in more):
        _require_conditions(config)
    ended, message = _run(_snakemake_line(options, config, folder, more))
    if ended == WELL:
        if tell is None or options.dry_run:
            return WELL
        try:
            return tell(_campaign(config), options)
        except Refused as refused:
            raise NotTold(REFUSED, str(refused)) from None
    reasons = [*_find_faults(config), *dict.fromkeys(refusals())]
    shown = dict.fromkeys([*reasons, *failures(), *filter(None, [message])])
    code = REFUSED if reasons else COULD_NOT_RUN
    raise NotTold(code, "\n".join(shown), shown=True)


def _require_conditions(config: Path) -> None:
    """Refuse a config without conditions before it is run; other faults are Snakemake's to tell."""
    from qampaign.publishing import gate

    if not _find_faults(config) and not _campaign(config).gate:
        raise NotTold(REFUSED, gate.NO_CONDITIONS)


def _write_failure(path: Path, config: Path, failure: NotTold) -> None:
    """Write a summary for a pull request that says why no condition could be asked."""
    from qampaign.publishing.gate import markdown_of_failure

    is_sound = config.exists() and not _find_faults(config)
    title = _campaign(config).title if is_sound else str(config)
    what = "The config or the input was refused"
    what = what if failure.code == REFUSED else "The workflow could not run to its end"
    reason = f"{what}:" if failure.message else f"{what}. The output of the command says why."
    try:
        write_output(path, markdown_of_failure(title, reason, failure.message))
    except OSError as error:
        print(f"{path}: {error.strerror or error}", file=sys.stderr)


def build_parser() -> argparse.ArgumentParser:
    """The parser of the command line."""
    parser = argparse.ArgumentParser(
        prog="qampaign",
        description="Evaluate the runs of a question-answering campaign.",
        epilog="Exit codes: 0 all went well, 1 the config or the input was refused, or a\n"
        "condition of the gate fails, 2 the workflow could not run to its end.",
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
        "gate": "run a campaign, and check the conditions that its config sets",
        "compare": "run a campaign, and put two of its runs side by side",
        "parcel": "run a campaign, and write a folder for each team to send",
    }.items():
        what = "RUN_A RUN_B [--config CONFIG]" if name == "compare" else "[CONFIG]"
        command = commands.add_parser(
            name,
            help=purpose,
            description=f"{purpose.capitalize()}. What follows -- goes to Snakemake as it is.",
            usage=f"qampaign {name} {what} [options] [-- options of Snakemake]",
            allow_abbrev=False,
        )
        if name == "compare":
            command.add_argument("runs", nargs=2, metavar="RUN", help="the two runs")
            command.add_argument("--config", metavar="CONFIG", help="default: ./config.yaml")
            command.add_argument("--collection", help="default: every collection that has both")
            command.add_argument("--judge", help="default: the reference of the collection")
            command.add_argument("--csv", metavar="FILE", help="also write their questions as CSV")
        else:
            default = "default: ./config.yaml"
            command.add_argument("config", nargs="?", metavar="CONFIG", help=default)
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
        if name == "parcel":
            command.add_argument(
                "--names", action="store_true", help="also names and scores of the other runs"
            )
        if name == "gate":
            command.add_argument(
                "--markdown", metavar="FILE", help="also write a summary for a pull request"
            )
    _add_check(commands)
    _add_init(commands)
    _add_export(commands)
    return parser


def _look_at_files(options: argparse.Namespace, more: Sequence[str]) -> int:
    """Check a file, or write a config for files and run it if that is asked for; the exit code."""
    from qampaign.command.check import check
    from qampaign.command.init import init

    runs = options.command == "init" and options.run
    if more and not runs:
        name = options.command
        return _refuse(f"qampaign {name} runs no workflow; what follows -- is unknown: {more[0]}")
    if options.command == "check":
        return check(options.file, options.config, options.collection)
    ended = init(options.paths, force=options.force, runs=runs)
    return main(["run", "--", *more]) if runs and ended == WELL else ended


def _add_init(commands: Any) -> None:
    purpose = "look through files that you have, and write a config.yaml for them"
    command = commands.add_parser(
        "init",
        help=purpose,
        description=f"{purpose.capitalize()}, in this folder.",
        usage="qampaign init PATH... [--run] [--force] [-- options of Snakemake]",
        allow_abbrev=False,
    )
    command.add_argument("paths", nargs="+", metavar="PATH", help="a file or a folder")
    command.add_argument("--run", action="store_true", help="then run it to the report")
    command.add_argument("--force", action="store_true", help="replace a config.yaml")


def _add_check(commands: Any) -> None:
    purpose = "check one submission as a run of a collection, and write nothing"
    command = commands.add_parser(
        "check",
        help=purpose,
        description=f"{purpose.capitalize()}. Exit code: 0 it holds, 1 it has faults, 2 it could "
        "not be checked.",
        usage="qampaign check FILE [--config CONFIG] [--collection COLLECTION]",
        allow_abbrev=False,
    )
    command.add_argument("file", metavar="FILE", help="the submission")
    command.add_argument("--config", metavar="CONFIG", help="default: ./config.yaml")
    command.add_argument("--collection", help="needed where the campaign has several")


def _add_export(commands: Any) -> None:
    """The command that reads results, and runs nothing."""
    purpose = "write the results of a campaign in the formats of others"
    command = commands.add_parser(
        "export",
        help=purpose,
        description=f"{purpose.capitalize()}: Every Eval Ever, TREC, CSV or Parquet.",
        allow_abbrev=False,
    )
    command.add_argument("results", metavar="RESULTS", help="a folder such as results/mine")
    command.add_argument("--to", required=True, choices=FORMATS, help="the format")
    default = "a new or empty folder (default: ./CAMPAIGN-FORMAT)"
    command.add_argument("--out", metavar="FOLDER", help=default)


def _export(options: argparse.Namespace, more: Sequence[str]) -> int:
    """Write results in another format; the exit code."""
    from qampaign.publishing.export.exporting import export
    from qampaign.results import NoResults, Results

    if more:
        return _refuse(f"qampaign export runs no workflow; what follows -- is unknown: {more[0]}")
    try:
        results = Results(options.results)
        written = export(results, options.to, Path(options.out) if options.out else None)
    except NoResults as nothing:
        print(nothing, file=sys.stderr)
        return REFUSED if Path(options.results).exists() else COULD_NOT_RUN
    except Refused as refused:
        print(refused, file=sys.stderr)
        return REFUSED
    except OSError as error:
        return _refuse(f"The export could not be written: {error}")
    for remark in written.remarks:
        print(remark, file=sys.stderr)
    what = "file" if written.files == 1 else "files"
    print(f"{written.files:,} {what} in {written.folder}")
    return WELL


def _tell_pair(campaign: Campaign, options: argparse.Namespace) -> int:
    """Print what two runs differ in; the exit code."""
    import duckdb
    import polars as pl

    from qampaign.publishing.side_by_side import lines, put_side_by_side
    from qampaign.spreadsheets import escape_formulas

    results = Path("results", campaign.id)
    with duckdb.connect(str(results / "results.duckdb"), read_only=True) as connection:
        wanted = {"collection": options.collection, "judge": options.judge}
        comparisons = put_side_by_side(connection, *options.runs, **wanted)
    for compared in comparisons:
        print(*lines(compared), *page_of(compared, results / "report", options.judge), "", sep="\n")
    if options.csv:
        keys = (
            pair.questions.select(pl.lit(pair.collection).alias("collection"), pl.all())
            for pair in comparisons
        )
        write_output(Path(options.csv), escape_formulas(pl.concat(keys)).write_csv())
    return WELL


def page_of(compared: Any, report: Path, judge: str | None) -> list[str]:
    """Where the report has the same, if it does: of runs without answers it has no page."""
    from urllib.parse import quote, urlencode

    from qampaign.report.page_names import questions_page

    page = report / questions_page(compared.collection)
    if compared.silent or not page.exists():
        return []
    chosen = [("run", compared.first), ("run", compared.second)]
    chosen += [("judge", judge)] if judge else []
    return ["", f"  Page: {page}#{urlencode(chosen, quote_via=quote, safe='')}"]


def _write_parcels(campaign: Campaign, options: argparse.Namespace) -> int:
    """Write the parcels of the teams; the exit code."""
    import duckdb

    from qampaign.publishing.parcels import describe_kept, make_parcels, write_parcels
    from qampaign.report.parcel_page import render

    results = Path("results", campaign.id)
    with duckdb.connect(str(results / "results.duckdb"), read_only=True) as connection:
        parcels = make_parcels(connection, is_open=campaign.open, names=options.names)
        pages = ((parcel, render(parcel, title=campaign.title)) for parcel in parcels)
        written = write_parcels(results / "parcels", pages)
    what = "parcel" if len(written.folders) == 1 else "parcels"
    print(f"{len(written.folders):,} {what} in {results / 'parcels'}")
    for line in describe_kept(written):
        print(line)
    return WELL


def _tell_gate(campaign: Campaign, options: argparse.Namespace) -> int:
    """Print each condition of the gate with its figures; the exit code."""
    from qampaign.publishing import gate
    from qampaign.publishing.database import read_database

    database = Path("results", campaign.id, "results.duckdb")
    outcomes = read_database(database, ["gate"])["gate"]
    if outcomes.is_empty():
        raise Refused(gate.NO_CONDITIONS)
    print(*gate.lines(outcomes), gate.total(outcomes), sep="\n")
    if options.markdown is not None:
        write_output(Path(options.markdown), gate.markdown(outcomes, campaign.title))
    return WELL if outcomes["holds"].all() else REFUSED


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


def _run(line: list[str]) -> tuple[int, str]:
    """Run Snakemake; whether it went well, and what was said of why not."""
    from snakemake.cli import main as snakemake  # late: --help need not wait for it

    try:
        snakemake(line)
    except SystemExit as ended:
        if ended.code in (None, WELL):
            return WELL, ""
        if isinstance(ended.code, str):
            print(ended.code, file=sys.stderr)
            return COULD_NOT_RUN, ended.code
    return COULD_NOT_RUN, ""


def _find_faults(config: Path) -> list[str]:
    """Why a config cannot be used."""
    if faults := [*find_faults([config])]:
        return faults
    try:
        _campaign(config)
    except Refused as refused:
        return [str(refused)]
    return []


def _campaign(config: Path) -> Campaign:
    return read_campaign(yaml.safe_load(config.read_text(encoding="utf-8")), [config])


def _refuse(message: str) -> int:
    print(message, file=sys.stderr)
    return COULD_NOT_RUN
