"""The config of a campaign, checked and completed: the one module of the package that knows it.

Everything is checked before the first job starts, and all faults are told at once, with their line.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from qampaign.baselines import BASELINES
from qampaign.config import Places, check_structure, suggest, with_text_keys
from qampaign.measures import MEASURES, Measure
from qampaign.problems import Refused

DEFAULTS: dict[str, Any] = {
    "task": "answering",
    "language": "en",
    "questions": [],
    "run_info": [],
    "assessments": [],
    "labels": {},
    "correct": ["right"],
    "unassessed": "error",
    "unknown_questions": "error",
    "ties": [],
    "nil": "NIL",
    "judges": {"people": {"kind": "assessments"}},
    "confidence": {},
    "baselines": [],
    "rank_baselines": False,
    "derived": {},
}
"""What a collection has where neither it nor the config's own defaults say otherwise."""

MEASURES_OF = {
    "answering": ["accuracy", "c_at_1", "answered", "precision_answered"],
    "validation": ["accuracy", "precision", "recall", "f"],
}
"""The measures of a collection that names none."""

FILES = {
    "questions": "questions",
    "runs": "responses",
    "run_info": "runs",
    "assessments": "assessments",
}
"""The keys that name files, each with the table that the files fill."""


@dataclass(frozen=True)
class Configured:
    """A measure as a collection uses it."""

    name: str
    measure: str
    label: str
    options: Mapping[str, Any]

    @property
    def declared(self) -> Measure:
        """The measure itself."""
        return MEASURES[self.measure]


@dataclass(frozen=True)
class Collection:
    """A collection with every value filled in."""

    id: str
    config: Mapping[str, Any]
    measures: Sequence[Configured]

    @property
    def judges(self) -> dict[str, dict[str, Any]]:
        """The judges with their options, completed by the collection's."""
        own = {key: self.config[key] for key in ("correct", "unassessed", "ties")}
        return {name: own | dict(judge) for name, judge in self.config["judges"].items()}

    @property
    def files(self) -> dict[str, list[str]]:
        """For each table the paths and patterns of its files."""
        return {table: _as_list(self.config[key]) for key, table in FILES.items()}

    @property
    def unit(self) -> list[str]:
        """The measures that take confidences as they are given for probabilities."""
        if self.config["confidence"]:
            return []
        return [each.name for each in self.measures if each.declared.unit]

    @property
    def needs(self) -> dict[str, list[str]]:
        """Columns that files must have, each with the measures that need it."""
        needs: dict[str, list[str]] = {}
        for each in self.measures:
            for column in each.declared.needs:
                if column == "confidence" and self.config["task"] == "validation":
                    column = "score"
                needs.setdefault(column, []).append(each.name)
        return needs

    @property
    def levels(self) -> list[str]:
        """The levels for which its measures have a gain; none where no measure asks."""
        gains = [each.options["gains"] for each in self.measures if "gains" in each.options]
        return sorted({str(level) for each in gains for level in each})

    @property
    def baselines(self) -> dict[str, float | None]:
        """The baselines, each with its number where it has one."""
        return dict(
            (each, None) if isinstance(each, str) else next(iter(each.items()))
            for each in self.config["baselines"]
        )


@dataclass(frozen=True)
class Campaign:
    """A campaign with every value filled in."""

    id: str
    title: str
    seed: int
    folder: Path
    """Where the config file stands and relative paths start."""
    collections: Mapping[str, Collection]

    def effective(self) -> dict[str, Any]:
        """The config with all defaults filled in, as results are made from."""
        collections = {name: dict(each.config) for name, each in self.collections.items()}
        return {"campaign": self.id, "title": self.title, "seed": self.seed} | {
            "collections": collections
        }


def read_campaign(config: Mapping[str, Any], files: Sequence[Path]) -> Campaign:
    """Check and complete a config that was read from `files`.

    Relative paths start in the folder of the first file: it is the campaign, later ones change
    values of it. Raises :class:`Refused` with all faults.
    """
    config = with_text_keys(config)
    places = Places(files)
    problems = places.problems
    check_structure(config, places)
    if not len(problems):
        merged = {
            name: DEFAULTS | {"title": name} | config.get("defaults", {}) | (own or {})
            for name, own in config["collections"].items()
        }
        collections = {name: _complete(name, own, places) for name, own in merged.items()}
    if len(problems):
        raise Refused(problems.summary("The config cannot be used:"))
    return Campaign(
        id=config["campaign"],
        title=config.get("title", config["campaign"]),
        seed=config.get("seed", 0),
        folder=files[0].resolve().parent if files else Path.cwd(),
        collections=collections,
    )


def _complete(name: str, own: dict[str, Any], places: Places) -> Collection:
    """Fill in what follows from the rest, and check the names that refer to something."""
    at = ("collections", name)
    if not _as_list(own.setdefault("runs", [])):
        places.refuse(at, "has no runs", "runs: with the files of the runs")
    if not _as_list(own["questions"]) and not _as_list(own["assessments"]):
        places.refuse(
            at, "has no questions", "questions: or assessments: with files that name them"
        )
    judges = own["judges"]
    own.setdefault("reference", next(iter(judges)))
    if own["reference"] not in judges:
        allowed = ", ".join(judges)
        places.refuse((*at, "reference"), "is not a judge", allowed, own["reference"])
    own.setdefault("measures", MEASURES_OF[own["task"]])
    configured: dict[str, Configured] = {}
    for number, entry in enumerate(own["measures"]):
        each = _configured(entry, own["task"], (*at, "measures", number), places)
        if each is None:
            continue
        if each.name in configured:
            place = (*at, "measures", number)
            places.refuse(place, "names a measure a second time", "a name: of its own", each.name)
        configured[each.name] = each
    own.setdefault("primary", next(iter(configured), ""))
    if configured and own["primary"] not in configured:
        allowed = ", ".join(configured)
        places.refuse((*at, "primary"), "is not one of the measures", allowed, own["primary"])
    for number, baseline in enumerate(own["baselines"]):
        name_of = baseline if isinstance(baseline, str) else next(iter(baseline))
        fitting = [each for each, task in BASELINES.items() if task == own["task"]]
        if name_of not in fitting:
            found = f"is no baseline for {own['task']}"
            places.refuse((*at, "baselines", number), found, ", ".join(fitting), name_of)
        elif (name_of == "random_yes") is isinstance(baseline, str):
            found = "needs a number" if isinstance(baseline, str) else "takes no number"
            places.refuse((*at, "baselines", number), found, "random_yes: 0.5, or a name", name_of)
    return Collection(name, own, list(configured.values()))


def _configured(entry: Any, task: str, at: tuple[Any, ...], places: Places) -> Configured | None:
    """A measure with its options; None where there is none of that name for the task."""
    id, given = (entry, {}) if isinstance(entry, str) else next(iter(entry.items()))
    fitting = {name: each for name, each in MEASURES.items() if each.task in (task, "any")}
    if id not in fitting:
        found = f"is not a measure for {task}" if id in MEASURES else "is not a measure"
        places.refuse(at, found, suggest(id, fitting), id)
        return None
    declared = fitting[id]
    options = {key: value for key, value in given.items() if key not in ("name", "label")}
    for key in options:
        if key not in declared.options:
            allowed = ", ".join(["name", "label", *declared.options])
            places.refuse((*at, id, key), f"is no option of {id}", allowed)
    label = given.get("label", declared.label)
    return Configured(given.get("name", id), id, label, {**declared.options, **options})


def _as_list(value: str | list[str]) -> list[str]:
    return [value] if isinstance(value, str) else list(value)
