"""The gate of a config: what its conditions are about, and which pairs of runs they need."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from qampaign.config.conditions import FORMS, Condition, read_condition
from qampaign.config.schema import Config
from qampaign.config.structure import ConfigFaults, suggest
from qampaign.measures.configured import Configured
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
            faults.refuse(at, "is no condition", "; ".join(FORMS), text)
            continue
        named = condition.collection
        if named == OVERALL and overall is not None:
            if wrong := _problem_over_all(condition, overall, collections):
                faults.refuse(at, *wrong, text)
            continue
        if named is not None and named not in collections:
            faults.refuse(at, f"names a collection {named}", suggest(named, collections), text)
            continue
        problems = {
            name: next(_problems(condition, collections[name]), None)
            for name in ([named] if named else collections)
        }
        if problems and None not in problems.values():
            problem, allowed = next(fault for fault in problems.values() if fault is not None)
            faults.refuse(at, problem, allowed, text)
        if condition.other is not None:
            for name in (name for name, problem in problems.items() if problem is None):
                pair = [condition.run, condition.other]
                pairs[name].append({"runs": pair, "optional": named is None})
    return pairs


def runs_asked(
    texts: Sequence[str], collections: Mapping[str, Gated], overall: Config | None
) -> list[dict[str, object]]:
    """The runs that sound conditions name, each with the collections one of which must have them.

    `together`: the same collection must have all of them.
    """
    requests: list[dict[str, object]] = []
    for condition in (read_condition(text) for text in texts):
        if condition is None or condition.run is None:
            continue
        named = condition.collection
        over_all = named == OVERALL
        if over_all and overall is not None:
            where = list(overall["collections"])
        else:
            candidates = [named] if named else list(collections)
            where = [
                name for name in candidates if not any(_problems(condition, collections[name]))
            ]
        runs = [name for name in (condition.run, condition.other) if name is not None]
        requests.append(
            {
                "condition": condition.text,
                "runs": runs,
                "collections": where,
                "together": len(runs) > 1 and not over_all,
            }
        )
    return requests


def _problem_over_all(
    condition: Condition, overall: Config, collections: Mapping[str, Gated]
) -> tuple[str, str] | None:
    """Why a condition cannot be asked of the leaderboard over collections."""
    measures = {overall["measure"], *overall["measures"].values()}
    labels = {
        measure.label
        for name, wanted in overall["measures"].items()
        for measure in collections[name].measures
        if measure.name == wanted
    }
    if condition.kind == "agreement" or condition.judge is not None:
        return "names a judge, and every collection has its reference", f"no judge in {OVERALL}"
    if len({*overall["measures"].values()}) > 1:  # each collection its own
        measures, labels = {"primary"}, set()
    if condition.measure not in (*measures, *labels):
        return f"names a measure {condition.measure}", ", ".join(sorted(measures))
    if condition.run == condition.other:
        return "compares a run with itself", "two runs"
    return None


def _problems(condition: Condition, collection: Gated) -> Iterator[tuple[str, str]]:
    """Why a condition cannot be asked of a collection: what is wrong, and what is allowed."""
    judges, studies = list(collection.judges), collection.config["studies"]
    reference = collection.config["reference"]
    for judge in (condition.judge, condition.reference):
        if judge is not None and judge not in judges:
            yield f"names a judge {judge}", suggest(judge, judges)
    if condition.kind == "agreement" and condition.judge == condition.reference:
        yield "compares a judge with itself", "two judges"
    if condition.kind == "agreement" and reference not in (condition.judge, condition.reference):
        yield "compares two judges of which none is the reference", f"one of them {reference}"
    names = {measure.name: measure.label for measure in collection.measures}
    if condition.measure and condition.measure not in (*names, *names.values()):
        yield f"names a measure {condition.measure}", suggest(condition.measure, names)
    if condition.other is not None:
        if condition.other == condition.run:
            yield "compares a run with itself", "two runs"
        if "significance" not in studies:
            yield "needs the study significance", "studies: with significance, or other conditions"
        elif (condition.judge or reference) not in studies["judges"]:
            yield f"needs a study by {condition.judge or reference}", ", ".join(studies["judges"])
