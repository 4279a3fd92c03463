"""A proposed config as text, with comments."""

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import yaml

from qampaign.problems import first_names, printable
from qampaign.proposal.proposal import Proposal

WIDTH = 100
MOST_LINES = 12
"""How many lines of a problem stand in the config."""


def config_text(campaign: str, proposals: Sequence[Proposal], made_of: Sequence[str]) -> str:
    """The config of a campaign, with what cannot run in comments."""
    running = [proposal for proposal in proposals if not proposal.problem]
    lines = [
        f"# Made by qampaign init of {printable(first_names(made_of))}",
        "# Run it: qampaign run. Every key: docs/config.md. Paths are relative to this file.",
        "",
        f"campaign: {campaign}",
        "collections:",
    ]
    for proposal in running:
        lines += [*_collection(proposal), ""]
    for proposal in proposals:
        if proposal.problem:
            lines += [*_asked(proposal), ""]
    if len(running) > 1:
        lines += [
            "# A leaderboard over all collections, if their runs are the same:",
            "# overall: {}",
        ]
    return "\n".join(lines).rstrip() + "\n"


def described(proposal: Proposal) -> str:
    """What a collection has, in a line.

    Numbers of runs, questions and answers; samples, ranks, scorers and the like where there are.
    """
    facts, candidate = proposal.facts, proposal.candidate
    parts = [_count(len(facts.runs), "run"), _count(facts.questions, "question")]
    parts.append(_count(facts.responses, "answer"))
    if facts.samples > 1:
        whose = f" in {_count(facts.sampled, 'run')}" if facts.sampled < len(facts.runs) else ""
        parts.append(f"{facts.samples:,} samples{whose}")
    if facts.ranks > 1:
        parts.append(f"up to {facts.ranks:,} ranks")
    if facts.unanswered:
        parts.append(f"{facts.unanswered:,} unanswered")
    if facts.missing:
        parts.append(f"{facts.missing:,} missing")
    if 1 < facts.groups < facts.questions:
        parts.append(_count(facts.groups, "group"))
    if facts.confidence:
        parts.append("with confidence")
    names = [scorer.name for scorer in facts.scorers]
    if names:
        parts.append(f"{'scorer' if len(names) == 1 else 'scorers'} {first_names(names)}")
    for table in ("keys", "patterns", "assessments"):
        if facts.tables.get(table):
            parts.append(_count(facts.tables[table], table.removesuffix("s")))
    files = _count(len(candidate.files), "file")
    return f"{candidate.kind}, {files}: {', '.join(parts)}"


def _collection(proposal: Proposal) -> Iterator[str]:
    yield from _comment(f"{described(proposal)}.", 2)
    yield f"  {proposal.candidate.id}:"
    for key, value in proposal.config.items():
        for text in proposal.comments.get(key, []):
            yield from _comment(text, 4)
        yield from _entry(key, value)
    if "type" in proposal.candidate.takes:
        yield from _comment(
            "For scores by type of question: type: in logs, with the field of a sample that holds "
            "it.",
            4,
        )


def _asked(proposal: Proposal) -> Iterator[str]:
    """A collection that cannot run as it stands, as a comment, with the reason."""
    lines = proposal.problem.splitlines()
    yield f"  # {proposal.candidate.id} ({described(proposal)}) cannot run yet:"
    for line in lines[:MOST_LINES]:
        yield f"  #   {printable(line)}"
    if len(lines) > MOST_LINES:
        yield f"  #   … and {len(lines) - MOST_LINES:,} more lines"
    for line in _collection(proposal):
        if not line.lstrip().startswith("#"):
            yield f"  # {line.removeprefix('  ')}"
        elif "nobody" in proposal.problem and "Say what" in line:
            yield f"  #   {line.strip()}"


def _entry(key: str, value: Any) -> Iterator[str]:
    """A key of a collection with its value, in as many lines as are good to read."""
    if key == "judges":
        yield f"    {key}:"
        for name, options in value.items():
            yield f"      {name}: {_flow(options)}"
    elif key == "logs" and isinstance(value, Mapping):
        yield f"    {key}:"
        for name, option in value.items():
            yield from _listed(name, option, 6)
    else:
        yield from _listed(key, value, 4)


def _listed(key: str, value: object, indent: int) -> Iterator[str]:
    """A key with its value: in a line if that is not too long, else a line for each."""
    before = f"{' ' * indent}{key}: "
    if not isinstance(value, list) or len(before + _flow(value)) <= WIDTH:
        yield before + _flow(value)
        return
    yield before.rstrip()
    for element in value:
        yield f"{' ' * indent}- {_flow(element)}"


def _flow(value: object) -> str:
    """A value as YAML in a line.

    >>> _flow(["*.eval", {"k": 2}, True]), _flow("{model} {stem}")
    ("['*.eval', {k: 2}, true]", "'{model} {stem}'")
    """
    dumped = yaml.safe_dump(
        value, default_flow_style=True, width=10**6, allow_unicode=True, sort_keys=False
    )
    return dumped.removesuffix("...\n").strip()


def _comment(text: str, indent: int) -> Iterator[str]:
    before = " " * indent + "# "
    for line in textwrap.wrap(printable(text), WIDTH - len(before), break_on_hyphens=False):
        yield before + line


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"
