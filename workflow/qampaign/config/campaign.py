"""The config of a campaign, checked and completed: the one module of the package that knows it.

Everything is checked before the first job starts, and all faults are reported at once, with their
lines.
"""

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from qampaign.agreement.settings import COMPARISONS
from qampaign.config.defaults import DEFAULT_JUDGES, FILES, MEASURES_OF, RESERVED
from qampaign.config.schema import OF_FILES, collection_defaults
from qampaign.config.structure import ConfigFaults, KeyPath, as_spelled, check_structure, suggest
from qampaign.judging.declaration import SHARED
from qampaign.judging.derived import MOST_CHARACTERS, MOST_OPERATORS, is_too_long
from qampaign.judging.judges import JUDGES, judges_in_order
from qampaign.measures import MEASURES
from qampaign.measures.baselines import BASELINES
from qampaign.measures.scoring import Configured
from qampaign.plugins import refuse_broken
from qampaign.problems import Refused
from qampaign.studies.study import STUDIES
from qampaign.tables import AGREED, CORRELATED, SCORED, STUDIED
from qampaign.values import FLAGS, OUTSIDE, UNPACKED_GB, allowed_confidence


@dataclass(frozen=True)
class Collection:
    """A collection with every value filled in."""

    id: str
    config: Mapping[str, Any]
    measures: Sequence[Configured]

    @property
    def planned(self) -> list[dict[str, Any]]:
        """The comparisons that were planned, each with runs (two) or against (one)."""
        return [
            dict(entry) if isinstance(entry, Mapping) else {"runs": list(entry)}
            for entry in self.config["comparisons"]
        ]

    @property
    def judges(self) -> dict[str, dict[str, Any]]:
        """The judges with their options, completed by the collection's."""
        return {
            name: {key: self.config[key] for key in JUDGES[judge["kind"]].overriding} | dict(judge)
            for name, judge in self.config["judges"].items()
        }

    def arguments(self, judge: str) -> dict[str, Any]:
        """What a judge is called with."""
        return _arguments(self.config, self.config["judges"][judge])

    def own_arguments(self, judge: str) -> dict[str, Any]:
        """Those of them that are options of its kind, and not the collection's."""
        options = JUDGES[self.judges[judge]["kind"]].options
        return {
            name: value for name, value in self.arguments(judge).items()
            if name in options and name not in SHARED
        }  # fmt: skip

    def threshold(self, judge: str) -> float | None:
        """What a judge's degree must exceed, if it has one."""
        options = self.judges[judge]
        threshold: float | None = options.get("threshold", JUDGES[options["kind"]].threshold)
        return threshold

    def judged_by(self, judge: str) -> str:
        """The table that a judge judges by."""
        declared = JUDGES[self.judges[judge]["kind"]]
        return f"{declared.by}/{judge}" if declared.has_files else declared.by

    @property
    def verdicts(self) -> dict[str, dict[str, Any]]:
        """The judges that bring their verdicts in files."""
        judges = self.judges.items()
        return {name: judge for name, judge in judges if JUDGES[judge["kind"]].has_files}

    @property
    def files(self) -> dict[str, list[str]]:
        """For each table the paths and patterns of its files."""
        files = {table: _as_list(self.config[key]) for key, table in FILES.items()}
        return files | {
            self.judged_by(name): _as_list(judge["files"]) for name, judge in self.verdicts.items()
        }

    @property
    def published(self) -> list[str]:
        """The paths and patterns of the files with figures that were published elsewhere."""
        return _as_list(self.config["published"])

    @property
    def unit(self) -> list[str]:
        """The measures that take confidences as they are given for probabilities."""
        if self.config["confidence"]:
            return []
        return [measure.name for measure in self.measures if measure.declared.unit]

    @property
    def by_language(self) -> list[str]:
        """The judges that go by the language of a question."""
        kinds = {name: JUDGES[judge["kind"]] for name, judge in self.judges.items()}
        return [name for name, kind in kinds.items() if "language" in kind.takes]

    @property
    def reads(self) -> dict[str, bool]:
        """Whether a judge that goes by the language reads numbers, and dates."""
        options = [self.judges[name] for name in self.by_language]
        return {what: any(judge.get(what) for judge in options) for what in ("numbers", "dates")}

    @property
    def ranked(self) -> list[str]:
        """The measures that look at answers beyond the first; an item is validated just once."""
        if self.config["task"] == "validation":
            return []
        return [measure.name for measure in self.measures if measure.last_rank not in (0, 1)]

    @property
    def needs(self) -> dict[str, list[str]]:
        """Columns that files must have, each with the measures that need it."""
        rated = "score" if self.config["task"] == "validation" else "confidence"
        needs: dict[str, list[str]] = {}
        for measure in self.measures:
            for column in measure.declared.needs:
                name = rated if column == "confidence" else column
                needs.setdefault(name, []).append(measure.name)
        return needs

    @property
    def by_line(self) -> bool:
        """Whether it matters in which line of its file a response stands."""
        conditions = [rule["where"] for rule in self.config["derived"].values()]
        by_file = any(measure.options.get("ties") == "file" for measure in self.measures)
        return by_file or any("line" in condition.lower() for condition in conditions)

    @property
    def levels(self) -> list[str]:
        """The levels for which its measures have a gain; none where no measure asks."""
        gains = [each.options["gains"] for each in self.measures if "gains" in each.options]
        return sorted({str(level) for each in gains for level in each})

    @property
    def baselines(self) -> dict[str, float | None]:
        """The baselines, each with its number where it has one."""
        return dict(
            (entry, None) if isinstance(entry, str) else next(iter(entry.items()))
            for entry in self.config["baselines"]
        )

    @property
    def computed(self) -> list[tuple[str, str | None]]:
        """The tables that jobs compute, each with its judge; None: of all judges together."""
        studies = self.config["studies"]
        others = [judge for judge in self.judges if judge != self.config["reference"]]
        jobs = [(SCORED, list(self.judges)), (AGREED, others)]
        jobs += [(STUDIED[study], studies["judges"]) for study in STUDIED if study in studies]
        of_judges = [
            (table, judge) for tables, judges in jobs for table in tables for judge in judges
        ]
        return [*of_judges, *((table, None) for table in CORRELATED)]


@dataclass(frozen=True)
class Campaign:
    """A campaign with every value filled in."""

    id: str
    title: str
    seed: int
    folder: Path
    """Where the config file stands and relative paths start."""
    collections: Mapping[str, Collection]
    open: bool = True
    """Whether the report may show the texts of answers and keys."""
    verify: bool = False
    """Whether every file is hashed at each run, also where its size and times are as before."""
    unpacked_gb: float = UNPACKED_GB
    """How many gigabytes a packed file may stand for: results do not depend on it."""

    def effective(self) -> dict[str, Any]:
        """The config with all defaults filled in, as results are made from."""
        collections = {
            name: dict(collection.config) for name, collection in self.collections.items()
        }
        return {
            "campaign": self.id,
            "title": self.title,
            "seed": self.seed,
            "open": self.open,
            "collections": collections,
        }


def read_campaign(config: Mapping[str, Any], files: Sequence[Path]) -> Campaign:
    """Check and complete a config that was read from `files`.

    Relative paths start in the folder of the first file: it is the campaign, later ones change
    values of it. Raises :class:`Refused` with all faults.
    """
    refuse_broken()
    faults = ConfigFaults(files)
    config = as_spelled(config, faults)
    problems = faults.problems
    check_structure(config, faults)
    _check_names(config, faults)
    collections = {}
    if faults.is_sound("defaults") and isinstance(config.get("collections"), dict):
        for name, given in config["collections"].items():
            if faults.is_sound("collections", name):
                merged = (
                    collection_defaults()
                    | {"title": name}
                    | config.get("defaults", {})
                    | (given or {})
                )
                collections[name] = _complete(name, merged, faults)
    if len(problems):
        raise Refused(problems.summary("The config cannot be used:"))
    return Campaign(
        id=config["campaign"],
        title=config.get("title", config["campaign"]),
        seed=config.get("seed", 0),
        folder=files[0].resolve().parent if files else Path.cwd(),
        collections=collections,
        open=config.get("open", True),
        verify=config.get("verify", False),
        unpacked_gb=config.get("limits", {}).get("unpacked_gb", UNPACKED_GB),
    )


def _check_names(config: Mapping[str, Any], faults: ConfigFaults) -> None:
    """Refuse names of collections and judges that would share a file or a row with others."""
    collections = config.get("collections")
    if not isinstance(collections, dict):
        return
    folded = {name.lower() for name in collections}
    for name in collections:
        if name.lower() in RESERVED:
            problem = "is a name that results use themselves"
            faults.refuse(("collections", name), problem, f"none of {', '.join(RESERVED)}")
        elif (
            name.lower().endswith("-coverage") and name.lower().removesuffix("-coverage") in folded
        ):
            problem = "is what the coverage of another collection is called under pool/"
            faults.refuse(("collections", name), problem, "another name")
    _check_capitals(collections, ("collections",), faults)
    sections: dict[tuple[str, ...], Any] = {("defaults",): config.get("defaults")}
    sections |= {("collections", name): section for name, section in collections.items()}
    for at, section in sections.items():
        if isinstance(section, dict) and isinstance(section.get("judges"), dict):
            _check_capitals(section["judges"], (*at, "judges"), faults)


def _check_capitals(names: Iterable[str], at: KeyPath, faults: ConfigFaults) -> None:
    """Refuse names that differ in capitals alone: not every disk tells their files apart."""
    first: dict[str, str] = {}
    for name in names:
        other = first.setdefault(name.lower(), name)
        if other != name:
            faults.refuse((*at, name), f"differs from {other} in capitals alone", "another name")


def _complete(name: str, config: dict[str, Any], faults: ConfigFaults) -> Collection:
    """Fill in what follows from the rest, and check the names that refer to something."""
    at = ("collections", name)
    if not _as_list(config.setdefault("runs", [])):
        faults.refuse(at, "has no runs", "runs: with the files of the runs")
    naming = ("questions", *DEFAULT_JUDGES)
    given = [key for key in naming if _as_list(config[key])]
    if not given:
        problem = "has no questions"
        faults.refuse(at, problem, f"{', '.join(naming[:-1])} or {naming[-1]}: with files for them")
    by_default = next((key for key in given if key in DEFAULT_JUDGES), "assessments")
    judges = config.setdefault("judges", DEFAULT_JUDGES[by_default])
    for judge, options in judges.items():
        _check_judge(judge, options, config, (*at, "judges", judge), faults)
    config.setdefault("reference", next(iter(judges)))
    if config["reference"] not in judges:
        allowed = ", ".join(judges)
        faults.refuse((*at, "reference"), "is not a judge", allowed, config["reference"])
    config["studies"] = _studies(config, (*at, "studies"), faults)
    config.setdefault("measures", MEASURES_OF[config["task"]])
    configured = _measures(config, (*at, "measures"), faults)
    config.setdefault("primary", next(iter(configured), ""))
    if configured and config["primary"] not in configured:
        allowed = ", ".join(configured)
        faults.refuse((*at, "primary"), "is not one of the measures", allowed, config["primary"])
    _check_baselines(config, (*at, "baselines"), faults)
    if config["comparisons"] and "significance" not in config["studies"]:
        problem = "need the study significance"
        faults.refuse(
            (*at, "comparisons"), problem, "studies: with significance, or no comparisons"
        )
    for run, rule in config["derived"].items():
        if is_too_long(rule["where"]):
            allowed = f"at most {MOST_CHARACTERS:,} characters and {MOST_OPERATORS} operators"
            allowed += "; a list such as question IN ('q1', 'q2') counts as one"
            faults.refuse((*at, "derived", run, "where"), "is too long", allowed, rule["where"])
    collection = Collection(name, config, list(configured.values()))
    config["derived"] = _derived(collection, (*at, "derived"), faults)
    return collection


def _derived(
    collection: Collection, at: KeyPath, faults: ConfigFaults
) -> dict[str, dict[str, Any]]:
    """The what-if runs, with values as files have them; what a file may not have is refused."""
    validation = collection.config["task"] == "validation"
    rated = "score" if validation else "confidence"
    complete = {}
    for name, rule in collection.config["derived"].items():
        given = dict(rule["set"])
        if collection.unit and not 0 <= given.get(rated, 0) <= 1:
            allowed = allowed_confidence(collection.unit)
            faults.refuse((*at, name, "set", rated), OUTSIDE, allowed, f"{given[rated]:g}")
        if "answer" in given:
            text = " ".join(unicodedata.normalize("NFC", given["answer"]).split())
            if validation and text.lower() in FLAGS:
                text = "yes" if FLAGS[text.lower()] else "no"
            elif validation and text:
                problem = "is not true or false"
                faults.refuse((*at, name, "set", "answer"), problem, "true or false", text)
            given["answer"] = text
        complete[name] = {**rule, "set": given}
    return complete


def _measures(config: dict[str, Any], at: KeyPath, faults: ConfigFaults) -> dict[str, Configured]:
    """The measures of a collection by their names."""
    configured: dict[str, Configured] = {}
    for number, entry in enumerate(config["measures"]):
        measure = _configured(entry, config["task"], (*at, number), faults)
        if measure is not None:
            if measure.name in configured:
                problem = "names a measure a second time"
                faults.refuse((*at, number), problem, "a name: of its own", measure.name)
            configured[measure.name] = measure
    return configured


def _check_baselines(config: dict[str, Any], at: KeyPath, faults: ConfigFaults) -> None:
    """Check that baselines are of the task, with a number where one needs it."""
    fitting = [each for each, task in BASELINES.items() if task == config["task"]]
    for number, baseline in enumerate(config["baselines"]):
        alone = isinstance(baseline, str)
        name = baseline if alone else next(iter(baseline))
        if name not in fitting:
            problem = f"is no baseline for {config['task']}"
            faults.refuse((*at, number), problem, ", ".join(fitting), name)
        elif (name == "random_yes") is alone:
            problem = "needs a number" if alone else "takes no number"
            faults.refuse((*at, number), problem, "random_yes: 0.5, or a name", name)


def _studies(config: dict[str, Any], at: KeyPath, faults: ConfigFaults) -> dict[str, Any]:
    """The studies of a collection with all their settings."""
    given = config.get("studies")
    chosen = [study for study in STUDIES if given is None or study in given]
    given = given or {}
    complete = {
        name: settings.defaults | (given.get(name) or {})
        for name, settings in (*STUDIES.items(), *COMPARISONS.items())
        if name in chosen or name in COMPARISONS
    }
    for number, judge in enumerate(given.get("judges", [])):
        if judge not in config["judges"]:
            allowed = ", ".join(config["judges"])
            faults.refuse((*at, "judges", number), "is not a judge", allowed, judge)
    sizes = complete.get("sizes", {})
    low, high = sizes.get("from"), sizes.get("to")
    if low is not None and high is not None and low > high:
        faults.refuse((*at, "sizes", "to"), "is below from", f"{low} or more", high)
    return {"judges": given.get("judges", [config["reference"]]), **complete}


def _arguments(config: Mapping[str, Any], judge: Mapping[str, Any]) -> dict[str, Any]:
    """What a judge of a collection is called with."""
    declared = JUDGES[judge["kind"]]
    shared = {name: config[name] for name in declared.takes}
    options = {key: judge[key] for key in judge if key not in ("kind", *OF_FILES)}
    return declared.complete(shared | options)


def _check_judge(
    name: str, options: dict[str, Any], config: dict[str, Any], at: KeyPath, faults: ConfigFaults
) -> None:
    """Check that a judge has what it judges by, and options that go together."""
    declared, task = JUDGES[options["kind"]], config["task"]
    if task not in declared.tasks:
        fitting = [judge.kind for judge in judges_in_order() if task in judge.tasks]
        problem = f"judges no {'items' if task == 'validation' else 'answers'}"
        faults.refuse((*at, "kind"), problem, " or ".join(fitting), declared.kind)
    elif declared.has_files and not _as_list(options.get("files", [])):
        faults.refuse(at, "has no files", f"files: with its {declared.by}")
    elif not declared.has_files and not _as_list(config[declared.by]):
        problem = f"has nothing to judge {name} by"
        faults.refuse(at[:2], problem, f"{declared.by}: with files, or another judge")
    if declared.check is not None and faults.is_sound(*at):
        known = {key: value for key, value in options.items() if key in declared.options}
        arguments = _arguments(config, {"kind": declared.kind, **known})
        for key, problem, allowed in declared.check(arguments):
            where = at[:2] if key in SHARED else at
            faults.refuse((*where, key), problem, allowed, str(arguments[key]))


def _configured(entry: Any, task: str, at: KeyPath, faults: ConfigFaults) -> Configured | None:
    """A measure with its options; None where there is none of that name for the task."""
    name, given = (entry, {}) if isinstance(entry, str) else next(iter(entry.items()))
    fitting = [each.id for each in MEASURES.values() if each.task in (task, "any")]
    if name not in fitting:
        problem = f"is not a measure for {task}" if name in MEASURES else "is not a measure"
        faults.refuse(at, problem, suggest(name, fitting), name)
        return None
    declared = MEASURES[name]
    options = {key: value for key, value in given.items() if key in declared.options}
    label = given.get("label", declared.label)
    return Configured(given.get("name", name), name, declared.defaults | options, label)


def _as_list(value: str | list[str]) -> list[str]:
    return [value] if isinstance(value, str) else list(value)
