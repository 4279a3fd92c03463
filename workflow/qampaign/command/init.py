"""`qampaign init`: from files that somebody has to a config that runs."""

import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from qampaign.files import write_text
from qampaign.plugins import refuse_broken
from qampaign.problems import Refused, printable
from qampaign.proposal.candidates import as_id, find_candidates
from qampaign.proposal.config_text import config_text, described
from qampaign.proposal.found_files import find_files
from qampaign.proposal.proposal import Proposal, propose, told_gaps
from qampaign.proposal.recognition import recognise_file

CONFIG = Path("config.yaml")
WELL, REFUSED, COULD_NOT_RUN = 0, 1, 2

MOST_SHOWN = 5
"""How many files are named that are left out for one reason, and how many reasons."""

MOST_REMARKS = 8
"""How many remarks on a collection are shown; the report has all."""


def init(paths: Sequence[str], *, force: bool, runs: bool = False) -> int:
    """Look through files and write a config, which `runs` at once or not; the exit code."""
    if CONFIG.exists() and not force:
        return _stop(f"There is a {CONFIG} in this folder already; --force replaces it.")
    missing = [path for path in paths if not Path(path).exists()]
    if missing:
        return _stop("\n".join(f"There is no file or folder {path}." for path in missing))
    try:
        refuse_broken()
    except Refused as refused:
        return _stop(str(refused))
    folder = Path.cwd()
    looked = find_files([Path(path) for path in paths])
    files = [path for path in looked.files if path.absolute() != CONFIG.absolute()]
    recognised = [recognise_file(path) for path in files]
    named = [Path(path) for path in paths]
    together = find_candidates(recognised, folder, deep=not looked.has_links, named=named)
    left_out = {**looked.left_out, **together.left_out}
    proposals = [propose(candidate, folder) for candidate in together.candidates]
    for proposal in proposals:
        _tell(proposal)
    _tell_left_out(left_out)
    if not proposals:
        return _fail("Nothing was found that can be evaluated; no config was written.")
    name = as_id(folder.name if len(paths) > 1 else Path(paths[0]).absolute().stem, "campaign")
    try:
        write_text(CONFIG, config_text(name, proposals, paths))
    except OSError as error:
        return _stop(f"{CONFIG} cannot be written: {error.strerror}")
    running = sum(not proposal.problem for proposal in proposals)
    if not running:
        return _fail(f"Wrote {CONFIG}, which cannot run yet: it says what is needed.")
    what = "collection" if running == 1 else "collections"
    then = "It is run now." if runs else "Look at it, then: qampaign run"
    print(f"Wrote {CONFIG} with {running:,} {what}. {then}")
    return WELL


def _tell(proposal: Proposal) -> None:
    """Say what a collection has, and what is odd."""
    print(f"{proposal.candidate.id}: {printable(described(proposal))}")
    for note in proposal.candidate.notes:
        print(f"  note: {printable(note)}")
    if proposal.problem:
        print("  cannot run as it is:")
        for line in proposal.problem.splitlines()[:12]:
            print(f"    {printable(line)}")
        return
    judges = ", ".join(proposal.config["judges"])
    measures = [
        measure
        if isinstance(measure, str)
        else next(iter(measure.values())).get("name", next(iter(measure)))
        for measure in proposal.config["measures"]
    ]
    print(f"  judges: {judges}")
    print(f"  measures: {', '.join(measures)}")
    if gaps := told_gaps(proposal.facts):
        print(f"  note: {printable(gaps)}")
    for remark in proposal.facts.remarks[:MOST_REMARKS]:
        print(f"  remark: {printable(str(remark))}")
    if len(proposal.facts.remarks) > MOST_REMARKS:
        print(f"  … and {len(proposal.facts.remarks) - MOST_REMARKS:,} more remarks")


def _tell_left_out(reasons: dict[Path, str]) -> None:
    """Say which files are left out, by the reason."""
    if not reasons:
        return
    whole = {path.absolute(): reason for path, reason in reasons.items()}
    common = Path(os.path.commonpath([path.parent for path in whole]))
    alike: dict[str, list[tuple[str, str]]] = {}
    for path, reason in whole.items():
        alike.setdefault(_kind_of(reason), []).append((str(path.relative_to(common)), reason))
    print(f"Left out, in {printable(str(common))}:")
    for of_kind in alike.values():
        names = ", ".join(printable(name) for name, _ in of_kind[:MOST_SHOWN])
        more = f" and {len(of_kind) - MOST_SHOWN:,} more" if len(of_kind) > MOST_SHOWN else ""
        others = ", the first of them" if len({reason for _, reason in of_kind}) > 1 else ""
        print(f"  {names}{more}{others}: {of_kind[0][1]}")


def _kind_of(reason: str) -> str:
    """A reason without what differs from file to file.

    >>> _kind_of("line 3: is not JSON (unexpected end)"), _kind_of("holds the log of a: b")
    ('is not JSON ', 'holds the log of a')
    """
    return re.sub(r"^line \d+: |\(.*", "", reason).partition(":")[0]


def _stop(message: str) -> int:
    print(message, file=sys.stderr)
    return COULD_NOT_RUN


def _fail(message: str) -> int:
    print(message, file=sys.stderr)
    return REFUSED
