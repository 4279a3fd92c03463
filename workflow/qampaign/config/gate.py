"""The gate of a config: what its conditions are about, and which pairs of runs they need."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol

from qampaign.config.conditions import FORMS, Condition, find_cause, read_condition
from qampaign.config.schema import Config
from qampaign.config.structure import ConfigFaults, suggest
from qampaign.measures.configured import Configured
from qampaign.ranking import SAME
from qampaign.studies.comparisons import Planned

OVERALL = "overall"
"""What the leaderboard over collections is called where a collection is."""


class Gated(Protocol):
    """A collection, as far as a gate goes."""

    @property
    def config(self) -> Config: ...

    @property
    def judges(self) -> Mapping[str, object]: ...

    @property
    def measures(self) -> Sequence[Configured]: ...


class Problem(NamedTuple):
    """Why a condition cannot be asked of a collection."""

    text: str
    allowed: str
    lacks: str = ""
    """What other collections may have and this one has not, if that is why."""


def read_gate(
    texts: Sequence[str],
    collections: Mapping[str, Gated],
    overall: Config | None,
    faults: ConfigFaults,
) -> dict[str, list[Planned]]:
    """By collection the comparisons that the conditions need; faults of conditions are noted.

    Unless it names a collection, a comparison is made where both runs are. Whether that is
    anywhere, files alone can tell: see :func:`runs_asked`. `overall` is the leaderboard over
    collections, if there is one: it compares all its runs anyway.
    """
    pairs: dict[str, list[Planned]] = {name: [] for name in collections}
    for number, text in enumerate(texts):
        at = ("gate", number)
        condition = read_condition(text)
        if condition is None:
            cause, kind = find_cause(text) or ("", None)
            forms = [FORMS[kind]] if kind else FORMS.values()
            problem = f"is no condition: {cause}" if cause else "is no condition"
            faults.refuse(at, problem, "; ".join(forms), text)
            continue
        named = condition.collection
        if named == OVERALL and overall is not None:
            wrong = _problem_over_all(condition, overall, collections)
            wrong = wrong or _beyond(condition, _bounds_over_all(overall, collections))
            if wrong:
                faults.refuse(at, wrong.text, wrong.allowed, text)
            continue
        if named is not None and named not in collections:
            faults.refuse(at, f"names a collection {named}", suggest(named, collections), text)
            continue
        problems = {
            name: next(_problems(condition, collections[name]), None)
            for name in ([named] if named else collections)
        }
        if problems and None not in problems.values():
            found = next(fault for fault in problems.values() if fault is not None)
            faults.refuse(at, found.text, found.allowed, text)
        sound = [collections[name] for name, fault in problems.items() if fault is None]
        beyond = [_beyond(condition, _bounds(condition, collection)) for collection in sound]
        if beyond and None not in beyond:  # no collection has a value for it to decide about
            found = next(fault for fault in beyond if fault is not None)
            faults.refuse(at, found.text, found.allowed, text)
        if condition.other is not None:
            for name in (name for name, problem in problems.items() if problem is None):
                pair = [condition.run, condition.other]
                pairs[name].append({"runs": pair, "optional": named is None})
    return pairs


def runs_asked(
    texts: Sequence[str], collections: Mapping[str, Gated], overall: Config | None
) -> list[dict[str, object]]:
    """The runs that sound conditions name, each with the collections one of which must have them.

    `together`: the same collection must have all of them. `lacking`: the other collections that
    it could have meant, each with what it lacks for it.
    """
    requests: list[dict[str, object]] = []
    for condition in (read_condition(text) for text in texts):
        if condition is None or condition.run is None:
            continue
        named = condition.collection
        over_all = named == OVERALL
        lacking: dict[str, str] = {}
        if over_all and overall is not None:
            where = list(overall["collections"])
        else:
            candidates = [named] if named else list(collections)
            found = {
                name: next(_problems(condition, collections[name]), None) for name in candidates
            }
            where = [name for name, problem in found.items() if problem is None]
            lacking = {name: problem.lacks for name, problem in found.items() if problem}
        runs = [name for name in (condition.run, condition.other) if name is not None]
        requests.append(
            {
                "condition": condition.text,
                "runs": runs,
                "collections": where,
                "together": len(runs) > 1 and not over_all,
                "lacking": lacking,
            }
        )
    return requests


def _problem_over_all(
    condition: Condition, overall: Config, collections: Mapping[str, Gated]
) -> Problem | None:
    """Why a condition cannot be asked of the leaderboard over collections."""
    measures = {overall["measure"], *overall["measures"].values()}
    labels = {
        measure.label
        for name, wanted in overall["measures"].items()
        for measure in collections[name].measures
        if measure.name == wanted
    }
    if condition.kind == "agreement" or condition.judge is not None:
        problem = "names a judge, and every collection has its reference"
        return Problem(problem, f"no judge in {OVERALL}")
    if len({*overall["measures"].values()}) > 1:  # each collection its own
        measures, labels = {"primary"}, set()
    if condition.measure not in (*measures, *labels):
        return Problem(f"names a measure {condition.measure}", ", ".join(sorted(measures)))
    if condition.run == condition.other:
        return Problem("compares a run with itself", "two runs")
    return None


Bounds = tuple[float, float]


def _bounds_over_all(overall: Config, collections: Mapping[str, Gated]) -> Bounds | None:
    """The least and the greatest mean of the measure over collections."""
    ends = [
        measure.bounds
        for name, wanted in overall["measures"].items()
        for measure in collections[name].measures
        if measure.name == wanted
    ]
    return (min(low for low, _ in ends), max(high for _, high in ends)) if ends else None


def _bounds(condition: Condition, collection: Gated) -> Bounds | None:
    """The least and the greatest value of what a condition is about."""
    if condition.kind == "agreement":
        return 0.0, 1.0
    for called in ("name", "label"):
        for measure in collection.measures:
            if getattr(measure, called) == condition.measure:
                return measure.bounds
    return None


def _beyond(condition: Condition, bounds: Bounds | None) -> Problem | None:
    """Why the number of a condition decides nothing: no value is on one side of it."""
    if condition.number is None or bounds is None:
        return None
    low, high = bounds
    what, asked = condition.measure or "agreement", f"{condition.number:g}"
    span = f"{what} is from {low:g} to {high:g}".replace("inf", "∞")
    if condition.kind == "margin":
        if condition.number <= high - low + SAME:
            return None
        return Problem(f"has a margin of {asked}, and {span}", f"a margin up to {high - low:g}")
    allowed = f"a bound from {low:g} to {high:g}".replace("inf", "∞")
    if not low - SAME <= condition.number <= high + SAME:
        return Problem(f"has the bound {asked}, and {span}", allowed)
    at_the_end = {">": high - SAME <= condition.number, "<": condition.number <= low + SAME}
    if at_the_end.get(condition.operator or ""):
        return Problem(f"asks for a value {condition.operator} {asked}, and {span}", allowed)
    return None


def _problems(condition: Condition, collection: Gated) -> Iterator[Problem]:
    """Why a condition cannot be asked of a collection."""
    judges, studies = list(collection.judges), collection.config["studies"]
    reference = collection.config["reference"]
    for judge in (condition.judge, condition.reference):
        if judge is not None and judge not in judges:
            yield Problem(f"names a judge {judge}", suggest(judge, judges), f"the judge {judge}")
    if condition.kind == "agreement" and condition.judge == condition.reference:
        yield Problem("compares a judge with itself", "two judges")
    if condition.kind == "agreement" and reference not in (condition.judge, condition.reference):
        problem = "compares two judges of which none is the reference"
        yield Problem(problem, f"one of them {reference}")
    names = {measure.name: measure.label for measure in collection.measures}
    if condition.measure and condition.measure not in (*names, *names.values()):
        problem = f"names a measure {condition.measure}"
        allowed = suggest(condition.measure, names)
        yield Problem(problem, allowed, f"the measure {condition.measure}")
    if condition.other is not None:
        if condition.other == condition.run:
            yield Problem("compares a run with itself", "two runs")
        if "significance" not in studies:
            allowed = "studies: with significance, or other conditions"
            yield Problem("needs the study significance", allowed, "the study significance")
        elif (judge := condition.judge or reference) not in studies["judges"]:
            needed = f"a study by {judge}"
            yield Problem(f"needs {needed}", ", ".join(studies["judges"]), needed)
        for measure in collection.measures:
            if condition.measure in (measure.name, measure.label) and measure.test == "none":
                tested = [other.name for other in collection.measures if other.test != "none"]
                problem = f"compares runs by {condition.measure}, which is not tested"
                yield Problem(problem, ", ".join(tested), f"a test of {condition.measure}")
