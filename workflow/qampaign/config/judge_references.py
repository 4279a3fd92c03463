"""Judges that name other judges of their collection: whose labels correct them, who votes."""

from collections.abc import Mapping
from typing import Any

from qampaign.config.structure import ConfigFaults, KeyPath


def check_references(
    judges: Mapping[str, Mapping[str, Any]], at: KeyPath, faults: ConfigFaults
) -> None:
    """Refuse names that are no other judge, and juries that would wait for themselves."""
    for name, options in judges.items():
        others = [other for other in judges if other != name]
        allowed = f"another judge: {', '.join(others) or 'there is none'}"
        by = options.get("corrected_by")
        if by is not None and by not in others:
            problem = "is the judge itself" if by == name else "is not a judge"
            faults.refuse((*at, name, "corrected_by"), problem, allowed, str(by))
        for number, member in enumerate(options.get("of", [])):
            if member not in others:
                problem = "is the jury itself" if member == name else "is not a judge"
                faults.refuse((*at, name, "of", number), problem, allowed, str(member))
            elif member in options["of"][:number]:
                faults.refuse((*at, name, "of", number), "has a vote already", "each judge once")
            elif name in _members(member, judges):
                problem = f"is a jury of which {name} is a member in turn"
                faults.refuse((*at, name, "of", number), problem, "no circle of juries", member)


def _members(jury: str, judges: Mapping[str, Mapping[str, Any]]) -> set[str]:
    """The judges that a jury goes by, those of its own juries too."""
    members, open_ones = set(), [jury]
    while open_ones:
        for member in judges.get(open_ones.pop(), {}).get("of", []):
            if member not in members:
                members.add(member)
                open_ones.append(member)
    return members
