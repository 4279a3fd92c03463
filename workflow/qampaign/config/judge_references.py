"""Judges that name others of their collection: who corrects them, who votes, who teaches them."""

from collections.abc import Mapping

from qampaign.config.structure import ConfigFaults, KeyPath
from qampaign.judging.judges import JUDGES
from qampaign.options import Options


def check_references(judges: Mapping[str, Options], at: KeyPath, faults: ConfigFaults) -> None:
    """Refuse names that are no other judge, and judges that would wait for themselves."""
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
                is_jury = "of" in judges[member]
                problem = f"is a jury of which {name} is a member in turn"
                problem = problem if is_jury else f"goes by {name} in turn"
                faults.refuse((*at, name, "of", number), problem, "no circle of judges", member)
        _check_teacher(name, options, judges, at, faults)


def _check_teacher(
    name: str,
    options: Options,
    judges: Mapping[str, Options],
    at: KeyPath,
    faults: ConfigFaults,
) -> None:
    """Refuse a judge to learn from that is none, has no verdicts, or waits for the learner."""
    others = [other for other in judges if other != name]
    allowed = f"another judge: {', '.join(others) or 'there is none'}"
    declared = JUDGES.get(options.get("kind", ""))
    option = declared.taught_by if declared else None
    teacher = options.get(option) if option else None
    if option is None or teacher is None:
        return
    where = (*at, name, option)
    if teacher not in others:
        problem = "is the judge itself" if teacher == name else "is not a judge"
        faults.refuse(where, problem, allowed, str(teacher))
        return
    teacher_options = judges[teacher]
    kind = JUDGES.get(teacher_options.get("kind", ""))
    if kind is not None and not kind.gives_verdicts(kind.complete(teacher_options)):
        faults.refuse(where, "gives scores and no verdicts", "a judge with verdicts", teacher)
    elif name in _members(teacher, judges):
        faults.refuse(where, f"goes by {name} in turn", "no circle of judges", teacher)


def _named(options: Options) -> list[str]:
    """The judges that a judge goes by: the members of a jury, and who it learns from."""
    kind = JUDGES.get(options.get("kind", ""))
    teacher = kind.teacher(options) if kind else None
    return [*options.get("of", []), *([teacher] if teacher else [])]


def _members(judge: str, judges: Mapping[str, Options]) -> set[str]:
    """The judges that a judge goes by, and those that these go by in turn."""
    members, open_ones = set(), [judge]
    while open_ones:
        for member in _named(judges.get(open_ones.pop(), {})):
            if member not in members:
                members.add(member)
                open_ones.append(member)
    return members
