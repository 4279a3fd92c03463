"""The config of a campaign, checked and completed: the one module of the package that knows it.

Everything is checked before the first job starts, and all faults are reported at once, with their
lines.
"""

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from qampaign.agreement.settings import COMPARISONS
from qampaign.config.defaults import DEFAULT_JUDGES, FILES, MEASURES_OF, RESERVED
from qampaign.config.file_keys import as_list, check_files
from qampaign.config.gate import read_gate
from qampaign.config.judge_references import check_references
from qampaign.config.measure_labels import name_of, with_measure_names
from qampaign.config.schema import OF_FILES, Config, collection_defaults, schema
from qampaign.config.structure import ConfigFaults, KeyPath, as_spelled, check_structure, suggest
from qampaign.input.file_options import OPTIONS
from qampaign.input.logs.options import NAMES, unknown_names
from qampaign.input.logs.tables import LOGS
from qampaign.judging import expressions, refusals
from qampaign.judging.declaration import SHARED
from qampaign.judging.derived import MOST_CHARACTERS, MOST_OPERATORS, Rule, is_too_long
from qampaign.judging.judges import JUDGES, judges_in_order
from qampaign.measures import MEASURES
from qampaign.measures.baselines import BASELINES
from qampaign.measures.configured import Averaged, Composite, Configured
from qampaign.options import Options
from qampaign.plugins import refuse_broken
from qampaign.problems import Refused
from qampaign.studies.comparisons import Planned
from qampaign.studies.study import STUDIES
from qampaign.tables import AGREED, CORRECTED, CORRELATED, JUDGED, SCORED, STUDIED
from qampaign.values import FLAGS, OUTSIDE, UNPACKED_GB, allowed_confidence

LOGGED = "logged"
"""The table that a judge goes by which takes the verdicts of logs."""

LISTED = ("keys", "patterns")
"""The tables that list what is right, whatever runs answer."""


@dataclass(frozen=True)
class Collection:
    """A collection with every value filled in."""

    id: str
    config: Config
    measures: Sequence[Configured]

    gated: Sequence[Planned] = ()
    """The comparisons that a gate asks for."""

    @property
    def planned(self) -> list[Planned]:
        """The comparisons that were planned, each with runs (two) or against (one)."""
        return [
            *(
                dict(entry) if isinstance(entry, Mapping) else {"runs": list(entry)}
                for entry in self.config["comparisons"]
            ),
            *self.gated,
        ]

    @property
    def judges(self) -> dict[str, Options]:
        """The judges with their options, completed by the collection's."""
        return {
            name: {key: self.config[key] for key in JUDGES[judge["kind"]].overriding} | dict(judge)
            for name, judge in self.config["judges"].items()
        }

    def arguments(self, judge: str) -> Options:
        """What a judge is called with."""
        arguments = _arguments(self.config, self.config["judges"][judge])
        teaches = any(
            self.teacher(name) == judge and JUDGES[options["kind"]].labels_in_part
            for name, options in self.judges.items()
        )
        corrects = judge in self.corrected.values() or teaches
        if corrects and JUDGES[self.judges[judge]["kind"]].may_be_partial:
            arguments["partial"] = True
        return arguments

    def own_arguments(self, judge: str) -> dict[str, object]:
        """Those of them that are options of its kind, and not the collection's."""
        options = JUDGES[self.judges[judge]["kind"]].options
        return {
            name: value for name, value in self.arguments(judge).items()
            if name in options and name not in SHARED
        }  # fmt: skip

    def gives_degrees(self, judge: str) -> bool:
        """Whether a judge says how right answers are."""
        return JUDGES[self.judges[judge]["kind"]].degrees

    def gives_verdicts(self, judge: str) -> bool:
        """Whether a judge says what is right, and not only how right it is."""
        return JUDGES[self.judges[judge]["kind"]].gives_verdicts(self.arguments(judge))

    def threshold(self, judge: str) -> float | None:
        """What a judge's degree must exceed, if it has one."""
        options = self.judges[judge]
        threshold: float | None = options.get("threshold", JUDGES[options["kind"]].threshold)
        return threshold

    @property
    def logged_scorers(self) -> dict[str, tuple[str | None, bool]]:
        """The judges by verdicts in logs: the scorer of each, and whether it gives verdicts.

        Those that put numbers on a scale of their own are left out.
        """
        return {
            judge: (arguments["scorer"], self.gives_verdicts(judge))
            for judge, options in self.judges.items()
            if options["kind"] == "logged"
            for arguments in [self.arguments(judge)]
            if tuple(arguments["scale"]) == (0.0, 1.0)
        }

    def judged_by(self, judge: str) -> str:
        """The table that a judge judges by; `judges` for a jury."""
        declared = JUDGES[self.judges[judge]["kind"]]
        return f"{declared.by}/{judge}" if declared.has_files else declared.by

    def jury(self, judge: str) -> list[str]:
        """The judges that a jury goes by; none for another judge."""
        options = self.judges[judge]
        return list(options["of"]) if JUDGES[options["kind"]].is_jury else []

    def teacher(self, judge: str) -> str | None:
        """The judge that a judge learns from, if it does."""
        options = self.judges[judge]
        return JUDGES[options["kind"]].teacher(options)

    def known_by(self, judge: str) -> str:
        """The judge whose known answers count for a judge: the reference, or the judge itself.

        A reference that goes by what was said of the runs' answers knows no others. So a judge that
        has a list of what is right, a key or patterns, then goes by its own.
        """
        reference: str = self.config["reference"]
        by_judge, by_reference = (
            JUDGES[self.judges[name]["kind"]].by for name in (judge, reference)
        )
        return (
            judge
            if by_judge in LISTED and by_reference not in (*LISTED, "assessments")
            else reference
        )

    @property
    def verdicts(self) -> dict[str, Options]:
        """The judges that bring their verdicts in files."""
        judges = self.judges.items()
        return {name: judge for name, judge in judges if JUDGES[judge["kind"]].has_files}

    @property
    def files(self) -> dict[str, list[str]]:
        """For each table the paths and patterns of its files."""
        return {table: as_list(entry) for table, entry in self._file_keys.items()}

    @property
    def logs(self) -> Config:
        """The logs, if there are any: their files, and how they are read."""
        return _logs(self.config)

    @property
    def file_options(self) -> dict[str, Options]:
        """For each table what the config says of its files besides their paths."""
        return {
            table: {name: entry[name] for name in OPTIONS if name in entry}
            for table, entry in self._file_keys.items()
            if isinstance(entry, Mapping)
        }

    @property
    def _file_keys(self) -> dict[str, Any]:
        """For each table what the config has for its files."""
        files = {table: self.config[key] for key, table in FILES.items()}
        if self.logs:
            files[LOGS] = self.logs["files"]
        verdicts = {self.judged_by(name): judge["files"] for name, judge in self.verdicts.items()}
        return files | verdicts

    @property
    def published(self) -> list[str]:
        """The paths and patterns of the files with figures that were published elsewhere."""
        return as_list(self.config["published"])

    @property
    def unit(self) -> list[str]:
        """The measures that take confidences as they are given for probabilities."""
        if self.config["confidence"]:
            return []
        return [measure.name for measure in self.measures if measure.unit]

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
            for column in measure.needs:
                name = rated if column == "confidence" else column
                needs.setdefault(name, []).append(measure.name)
        return needs

    @property
    def choices(self) -> dict[str, int]:
        """The measures that choose among the samples of a question, each with how many it takes."""
        return {
            measure.name: measure.options["k"]
            for measure in self.measures
            if "sample" in measure.needs and "k" in measure.options
        }

    @property
    def unweighted(self) -> list[str]:
        """The measures that cannot weigh questions: those that need an order."""
        return [measure.name for measure in self.measures if measure.walks]

    @property
    def by_line(self) -> bool:
        """Whether it matters in which line of its file a response stands."""
        conditions = [rule["where"] for rule in self.config["derived"].values()]
        by_file = any(measure.options.get("ties") == "file" for measure in self.measures)
        return by_file or any("line" in condition.lower() for condition in conditions)

    @property
    def levels(self) -> list[str]:
        """The levels for which its measures have a gain; none where no measure asks."""
        gains = [
            measure.options["gains"] for measure in self.measures if "gains" in measure.options
        ]
        return sorted({str(level) for by_level in gains for level in by_level})

    @property
    def baselines(self) -> dict[str, float | None]:
        """The baselines, each with its number where it has one."""
        return dict(
            (entry, None) if isinstance(entry, str) else next(iter(entry.items()))
            for entry in self.config["baselines"]
        )

    @property
    def corrected(self) -> dict[str, str]:
        """The judges whose scores are corrected, each with the judge by whose labels."""
        judges = self.config["judges"].items()
        return {name: judge["corrected_by"] for name, judge in judges if "corrected_by" in judge}

    @property
    def sampled_for(self) -> str | None:
        """The judge for whose correction `pool` samples answers; None: it lists all of them."""
        if self.config["task"] == "validation":
            return None
        judge: str | None = self.config["pool"].get("judge", next(iter(self.corrected), None))
        return judge

    @property
    def computed(self) -> list[tuple[str, str | None]]:
        """The tables that jobs compute, each with its judge; None: of all judges together."""
        studies = self.config["studies"]
        others = [judge for judge in self.judges if judge != self.config["reference"]]
        every = list(self.judges)
        jobs: list[tuple[Sequence[str], list[str]]] = [(JUDGED, every), (SCORED, every)]
        jobs += [(AGREED, others), (CORRECTED, list(self.corrected))]
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
    overall: Config | None = None
    """The collections of the leaderboard over collections, the name of the measure of each, and
    weights; None: there is no such leaderboard."""
    open: bool = True
    """Whether the report may show the texts of answers and keys."""
    verify: bool = False
    """Whether every file is hashed at each run, also where its size and times are as before."""
    unpacked_gb: float = UNPACKED_GB
    """How many gigabytes a packed file may stand for: results do not depend on it."""
    gate: Sequence[str] = ()
    """The conditions on results."""

    def effective(self) -> dict[str, object]:
        """The config with all defaults filled in, as results are made from."""
        collections = {
            name: dict(collection.config) for name, collection in self.collections.items()
        }
        return {
            "campaign": self.id,
            "title": self.title,
            "seed": self.seed,
            "open": self.open,
            **({"gate": list(self.gate)} if self.gate else {}),
            **({"overall": dict(self.overall)} if self.overall else {}),
            "collections": collections,
        }


def read_campaign(config: Config, files: Sequence[Path]) -> Campaign:
    """Check and complete a config that was read from `files`.

    Relative paths start in the folder of the first file: it is the campaign, later ones change
    values of it. Raises :class:`Refused` with all faults.
    """
    refuse_broken()
    faults = ConfigFaults(files)
    config = with_measure_names(as_spelled(config, faults))
    problems = faults.problems
    check_structure(config, faults)
    _check_names(config, faults)
    collections = {}
    if faults.is_sound("defaults") and isinstance(config.get("collections"), dict):
        for name, settings in config["collections"].items():
            if faults.is_sound("collections", name):
                merged = (
                    collection_defaults()
                    | {"title": name}
                    | config.get("defaults", {})
                    | (settings or {})
                )
                collections[name] = _complete(name, merged, faults)
    overall = None
    if "overall" in config and faults.is_sound("overall"):
        overall = _overall(config, collections, faults)
    if faults.is_sound("gate"):
        gated = read_gate(config.get("gate", []), collections, overall, faults)
        collections = {
            name: replace(collection, gated=gated[name]) for name, collection in collections.items()
        }
    if len(problems):
        raise Refused(problems.summary("The config cannot be used:"))
    return Campaign(
        id=config["campaign"],
        title=config.get("title", config["campaign"]),
        seed=config.get("seed", 0),
        folder=files[0].resolve().parent if files else Path.cwd(),
        collections=collections,
        overall=overall,
        open=config.get("open", True),
        verify=config.get("verify", False),
        unpacked_gb=config.get("limits", {}).get("unpacked_gb", UNPACKED_GB),
        gate=config.get("gate", []),
    )


def _overall(
    config: Config, collections: Mapping[str, Collection], faults: ConfigFaults
) -> dict[str, Any]:
    """The leaderboard over collections with all its settings; what it cannot be made of is refused.

    Collections with faults of their own are not looked at: they have been reported.
    """
    at = ("overall",)
    keys = schema()["properties"]["overall"]["properties"]
    defaults = {name: key["default"] for name, key in keys.items() if "default" in key}
    settings = defaults | {"collections": list(config["collections"])} | (config["overall"] or {})
    named = [str(name) for name in settings["collections"]]
    for number, name in enumerate(named):
        if name not in config["collections"]:
            allowed = suggest(name, list(config["collections"]))
            faults.refuse((*at, "collections", number), "is not a collection", allowed, name)
    if len(config["collections"]) < 2:
        problem = "needs two collections or more, and the campaign has one"
        faults.refuse(at, problem, "collections: with two or more, or no overall")
    taking_part = {name: collections[name] for name in named if name in collections}
    measures: dict[str, Configured] = {}
    for name, collection in taking_part.items():
        wanted = settings["measure"]
        wanted = collection.config["primary"] if wanted == "primary" else wanted
        wanted = name_of(wanted, collection.measures)
        known = {measure.name: measure for measure in collection.measures}
        if wanted not in known:
            problem = f"is not a measure of the collection {name}"
            allowed = suggest(wanted, ["primary", *known])
            faults.refuse((*at, "measure"), problem, allowed, wanted)
            continue
        measure = measures[name] = known[wanted]
        groups = measure.whole_groups and collection.config["unit"] == "group"
        if not measure.resampled and not groups:
            problem = f"has no meaning on random parts of the questions of {name}"
            faults.refuse((*at, "measure"), problem, "another measure", wanted)
        if "significance" not in collection.config["studies"]:
            problem = f"needs the study significance, which {name} does not have"
            faults.refuse(at, problem, f"significance among the studies of {name}")
    directions = {measure.better for measure in measures.values()}
    if len(directions) > 1 or "none" in directions:
        words = {"high": "higher", "low": "lower", "none": "neither"}
        differing = "; ".join(
            f"{measure.name} in {name}: {words[measure.better]} is better"
            for name, measure in measures.items()
        )
        faults.refuse(
            (*at, "measure"), f"cannot rank over collections ({differing})",
            "measures of which high values are better, or low ones, in all collections",
        )  # fmt: skip
    if settings["measure"] != "primary" and measures:
        settings["measure"] = next(iter(measures.values())).name
    return settings | {
        "collections": named,
        "measures": {name: measure.name for name, measure in measures.items()},
    }


def _check_names(config: Config, faults: ConfigFaults) -> None:
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
    sections: dict[tuple[str, ...], object] = {("defaults",): config.get("defaults")}
    sections |= {("collections", name): section for name, section in collections.items()}
    for at, section in sections.items():
        if isinstance(section, dict) and isinstance(section.get("judges"), dict):
            _check_capitals(section["judges"], (*at, "judges"), faults)


def _check_capitals(names: Iterable[str], at: KeyPath, faults: ConfigFaults) -> None:
    """Refuse names that differ in capitals alone: not every disk tells their files apart."""
    first: dict[str, str] = {}
    for name in names:
        earlier = first.setdefault(name.lower(), name)
        if earlier != name:
            faults.refuse((*at, name), f"differs from {earlier} in capitals alone", "another name")


def _complete(name: str, config: dict[str, Any], faults: ConfigFaults) -> Collection:
    """Fill in what follows from the rest, and check the names that refer to something."""
    at = ("collections", name)
    for key, table in FILES.items():
        check_files(config.get(key), table, (*at, key), faults)
    runs, logs = as_list(config.setdefault("runs", [])), _logs(config)
    if runs and logs:
        faults.refuse((*at, "logs"), "is given beside runs", "runs: or logs:, one of them")
    elif not runs and not logs:
        allowed = "runs: with the files of the runs, or logs: with those of another program"
        faults.refuse(at, "has no runs", allowed)
    for unknown in unknown_names(logs.get("run", "")):
        allowed = ", ".join(f"{{{known}}}" for known in NAMES)
        faults.refuse((*at, "logs", "run"), "is no name that a pattern can have", allowed, unknown)
    naming = ("questions", *(key for key in DEFAULT_JUDGES if key != LOGGED))
    with_files = [key for key in naming if as_list(config[key])]
    if logs:
        with_files.append("assessments" if config["task"] == "validation" else LOGGED)
    if not with_files:
        problem = "has no questions"
        faults.refuse(at, problem, f"{', '.join(naming[:-1])} or {naming[-1]}: with files for them")
    by_default = next((key for key in with_files if key in DEFAULT_JUDGES), "assessments")
    judges = config.setdefault("judges", DEFAULT_JUDGES[by_default])
    _check_refusals(config, (*at, "refusals"), faults)
    for judge, options in judges.items():
        _check_judge(judge, options, config, (*at, "judges", judge), faults)
    check_references(judges, (*at, "judges"), faults)
    config.setdefault("reference", next(iter(judges)))
    if config["reference"] not in judges:
        allowed = ", ".join(judges)
        faults.refuse((*at, "reference"), "is not a judge", allowed, config["reference"])
    config["studies"] = _studies(config, (*at, "studies"), faults)
    if not _gives_verdicts(config, config["reference"]):
        config.setdefault("measures", ["mean_score"])
    config.setdefault("measures", MEASURES_OF[config["task"]])
    configured = _measures(config, (*at, "measures"), faults)
    config.setdefault("primary", next(iter(configured), ""))
    config["primary"] = name_of(config["primary"], configured.values())
    if configured and config["primary"] not in configured:
        allowed = ", ".join(configured)
        faults.refuse((*at, "primary"), "is not one of the measures", allowed, config["primary"])
    _check_degrees(config, configured, at, faults)
    _check_baselines(config, (*at, "baselines"), faults)
    if (
        config["rank_baselines"]
        and not config["baselines"]
        and faults.is_given((*at, "rank_baselines"))
    ):
        problem = "has no effect without baselines"
        faults.refuse((*at, "rank_baselines"), problem, "baselines:, or no rank_baselines", "true")
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
    _check_pool(collection, (*at, "pool"), faults)
    _check_corrected(collection, (*at, "judges"), faults)
    config["derived"] = _derived(collection, (*at, "derived"), faults)
    return collection


def _check_pool(collection: Collection, at: KeyPath, faults: ConfigFaults) -> None:
    """Refuse a size of the sample to be labelled where nothing is sampled."""
    pool, corrected = collection.config["pool"], collection.corrected
    if pool and collection.config["task"] == "validation":
        faults.refuse(at, "has no effect where items are validated", "no pool:, all are listed")
    elif pool and not corrected:
        faults.refuse(at, "has no effect without a judge to correct", "corrected_by: on a judge")
    elif pool.get("judge", next(iter(corrected), None)) not in (None, *corrected):
        allowed = ", ".join(corrected)
        faults.refuse((*at, "judge"), "has no corrected_by", allowed, pool["judge"])


def _check_corrected(collection: Collection, at: KeyPath, faults: ConfigFaults) -> None:
    """Refuse a correction that no measure of the collection could have."""
    for name, by in collection.corrected.items():
        declared = JUDGES.get(str(collection.judges.get(by, {}).get("kind")))
        if declared is None or not collection.measures:
            continue
        if not any(
            measure.summed
            and measure.resampled
            and (declared.degrees or "degree" not in measure.columns())
            for measure in collection.measures
        ):
            problem = "corrects nothing: no measure of the collection can be corrected by it"
            allowed = "a measure that is a function of sums, such as accuracy, or no corrected_by"
            faults.refuse((*at, name, "corrected_by"), problem, allowed, by)


def _gives_verdicts(config: Config, judge: str) -> bool:
    """Whether a judge of a collection says what is right; what is no judge is refused elsewhere."""
    options = config["judges"].get(judge, {})
    declared = JUDGES.get(options.get("kind"))
    return declared is None or declared.gives_verdicts(declared.complete(options))


def _check_degrees(
    config: Config, configured: Mapping[str, Configured], at: KeyPath, faults: ConfigFaults
) -> None:
    """Check that measures of degrees have a judge for them, judges without verdicts a measure."""
    graded = [measure.name for measure in configured.values() if "degree" in measure.columns()]
    judges = {name: JUDGES.get(options.get("kind")) for name, options in config["judges"].items()}
    if graded and configured and not any(kind and kind.degrees for kind in judges.values()):
        kinds = [judge.kind for judge in judges_in_order() if judge.degrees]
        problem = "needs a judge that says how right answers are"
        faults.refuse((*at, "measures"), problem, f"a judge of kind {', '.join(kinds)}", graded[0])
    for name in judges:
        if configured and not graded and not _gives_verdicts(config, name):
            problem = "gives scores and no verdicts: no measure has a value by it"
            allowed = "mean_score among the measures, or a threshold"
            faults.refuse((*at, "judges", name), problem, allowed)
    primary = config["primary"]
    if graded and primary not in graded and not _gives_verdicts(config, config["reference"]):
        problem = "has no value by the reference, which gives scores and no verdicts"
        faults.refuse((*at, "primary"), problem, ", ".join(graded), primary)


def _derived(collection: Collection, at: KeyPath, faults: ConfigFaults) -> dict[str, Rule]:
    """The what-if runs, with values as files have them; what a file may not have is refused."""
    validation = collection.config["task"] == "validation"
    rated = "score" if validation else "confidence"
    complete: dict[str, Rule] = {}
    for name, rule in collection.config["derived"].items():
        values = dict(rule["set"])
        if collection.unit and not 0 <= values.get(rated, 0) <= 1:
            allowed = allowed_confidence(collection.unit)
            faults.refuse((*at, name, "set", rated), OUTSIDE, allowed, f"{values[rated]:g}")
        if "answer" in values:
            text = " ".join(unicodedata.normalize("NFC", values["answer"]).split())
            if validation and text.lower() in FLAGS:
                text = "yes" if FLAGS[text.lower()] else "no"
            elif validation and text:
                problem = "is not true or false"
                faults.refuse((*at, name, "set", "answer"), problem, "true or false", text)
            values["answer"] = text
        complete[name] = {**rule, "set": values}
    return complete


def _measures(config: Config, at: KeyPath, faults: ConfigFaults) -> dict[str, Configured]:
    """The measures of a collection by their names."""
    configured: dict[str, Configured | None] = {}
    composites: dict[str, tuple[dict[str, Any], KeyPath]] = {}
    for number, entry in enumerate(config["measures"]):
        name, measure = "composite", None
        if isinstance(entry, dict) and "composite" in entry:
            settings = dict(entry["composite"])
            name = settings.get("name", name)
            composites[name] = settings, (*at, number, "composite")
        else:
            measure = _configured(entry, config["task"], (*at, number), faults)
            if measure is None:
                continue
            name = measure.name
        if name in configured:
            problem = "names a measure a second time"
            faults.refuse((*at, number), problem, "a name: of its own", name)
        configured[name] = measure
    for name, (settings, where) in composites.items():
        settings["of"] = [name_of(member, configured.values()) for member in settings["of"]]
        _check_composite(name, settings, where, configured, faults)
    while ready := {
        name: _composite(name, settings, configured)
        for name, (settings, where) in composites.items()
        if configured[name] is None and all(configured.get(member) for member in settings["of"])
    }:
        configured |= ready
    for name, (settings, where) in composites.items():
        if configured[name] is None and all(member in configured for member in settings["of"]):
            problem = (
                "is made of itself" if name in settings["of"] else "is made of others made of it"
            )
            faults.refuse((*where, "of"), problem, "measures that are not made of it", name)
        elif (measure := configured[name]) is not None:
            _check_directions(measure, (*where, "of"), faults)
    return {name: measure for name, measure in configured.items() if measure is not None}


def _check_composite(
    name: str,
    settings: Config,
    at: KeyPath,
    known: Mapping[str, object],
    faults: ConfigFaults,
) -> None:
    """Check that a mean of measures names some of the collection, with a weight for each."""
    others = [measure for measure in known if measure != name]
    for number, member in enumerate(settings["of"]):
        if member not in known:
            problem = "is not one of the measures of the collection"
            faults.refuse((*at, "of", number), problem, suggest(member, others), member)
    number, wanted = len(settings.get("weights", settings["of"])), len(settings["of"])
    if number != wanted:
        problem = f"does not fit: {number} for {wanted} measures"
        faults.refuse((*at, "weights"), problem, "a number above 0 for each measure")


def _composite(name: str, settings: Config, known: Mapping[str, Configured | None]) -> Composite:
    parts = [measure for member in settings["of"] if (measure := known[member]) is not None]
    label = settings.get("label", settings.get("name", "composite"))
    return Composite(name, label=label, parts=parts, weights=settings.get("weights", ()))


def _check_directions(measure: Configured, at: KeyPath, faults: ConfigFaults) -> None:
    """Refuse a mean of measures of which some are better when high and some when low."""
    assert isinstance(measure, Composite)
    by_direction: dict[str, list[str]] = {}
    for part in measure.parts:
        by_direction.setdefault(part.better, []).append(part.name)
    if len(by_direction) > 1:
        words = {"high": "higher", "low": "lower", "none": "neither"}
        differing = "; ".join(
            f"{words[better]} is better: {', '.join(names)}"
            for better, names in by_direction.items()
        )
        problem = f"puts measures together whose directions differ ({differing})"
        faults.refuse(at, problem, "measures with one direction")


def _check_baselines(config: Config, at: KeyPath, faults: ConfigFaults) -> None:
    """Check that baselines are of the task, with a number where one needs it."""
    fitting = [kind for kind, task in BASELINES.items() if task == config["task"]]
    for number, baseline in enumerate(config["baselines"]):
        alone = isinstance(baseline, str)
        name = baseline if alone else next(iter(baseline))
        if name not in fitting:
            problem = f"is no baseline for {config['task']}"
            faults.refuse((*at, number), problem, ", ".join(fitting), name)
        elif (name == "random_yes") is alone:
            problem = "needs a number" if alone else "takes no number"
            faults.refuse((*at, number), problem, "random_yes: 0.5, or a name", name)


def _studies(config: Config, at: KeyPath, faults: ConfigFaults) -> Config:
    """The studies of a collection with all their settings."""
    wanted = config.get("studies")
    chosen = [study for study in STUDIES if wanted is None or study in wanted]
    wanted = wanted or {}
    complete = {
        name: settings.defaults | (wanted.get(name) or {})
        for name, settings in (*STUDIES.items(), *COMPARISONS.items())
        if name in chosen or name in COMPARISONS
    }
    for number, judge in enumerate(wanted.get("judges", [])):
        if judge not in config["judges"]:
            allowed = ", ".join(config["judges"])
            faults.refuse((*at, "judges", number), "is not a judge", allowed, judge)
    sizes = complete.get("sizes", {})
    low, high = sizes.get("from"), sizes.get("to")
    if low is not None and high is not None and low > high:
        faults.refuse((*at, "sizes", "to"), "is below from", f"{low} or more", high)
    return {"judges": wanted.get("judges", [config["reference"]]), **complete}


def _arguments(config: Config, judge: Options) -> dict[str, Any]:
    """What a judge of a collection is called with."""
    declared = JUDGES[judge["kind"]]
    shared = {name: config[name] for name in declared.takes}
    if "refusals" in shared:
        shared["refusals"] = _refusals_for(config)
    left_out = ("kind", "corrected_by", *OF_FILES)
    options = {key: judge[key] for key in judge if key not in left_out}
    return declared.complete(shared | options)


def _refusals_for(config: Config) -> Options | None:
    """What a judge is told of refusals; None where the config says nothing of them."""
    complete = refusals.complete(config["refusals"])
    if not complete["defaults"] and not complete["patterns"]:
        return None
    return complete | {"language": config["language"]}


def _check_refusals(config: Config, at: KeyPath, faults: ConfigFaults) -> None:
    """Check that what is said of refusals can be used, and that some judge goes by it."""
    complete = refusals.complete(config["refusals"])
    patterns = complete["patterns"]
    listed = isinstance(config["refusals"], list)
    for number, pattern in enumerate(patterns):
        if problem := refusals.fault(pattern):
            where = (*at, number) if listed else (*at, "patterns", number)
            faults.refuse(where, f"cannot be used: {problem}", expressions.ALLOWED, pattern)
    if not complete["defaults"] and not patterns:
        return
    kinds = [judge.kind for judge in judges_in_order() if "refusals" in judge.takes]
    judges = [judge.get("kind") for judge in config["judges"].values()]
    if not any(kind in kinds for kind in judges) and faults.is_given(at):
        problem = "has no effect: no judge of the collection uses it"
        faults.refuse(at, problem, f"a judge of kind {' or '.join(kinds)}, or no refusals")
    elif complete["defaults"] and config["language"] not in refusals.DEFAULTS:
        without = refusals.allowed([config["language"]])
        faults.refuse(at, f"cannot be used: {without}", "patterns, or a language with a list")


def _check_judge(
    name: str, options: Options, config: Config, at: KeyPath, faults: ConfigFaults
) -> None:
    """Check that a judge has what it judges by, and options that go together."""
    declared, task = JUDGES[options["kind"]], config["task"]
    if task not in declared.tasks:
        fitting = [judge.kind for judge in judges_in_order() if task in judge.tasks]
        problem = f"judges no {'items' if task == 'validation' else 'answers'}"
        faults.refuse((*at, "kind"), problem, " or ".join(fitting), declared.kind)
    elif declared.has_files and not as_list(options.get("files", [])):
        faults.refuse(at, "has no files", f"files: with its {declared.by}")
    elif declared.by == LOGGED and not _logs(config):
        problem = f"has nothing to judge {name} by"
        faults.refuse(at[:2], problem, "logs: with files, or another judge")
    elif declared.by in (LOGGED, "keys", "assessments", "patterns") and _logs(config):
        pass  # logs may have them
    elif not (
        declared.has_files
        or declared.is_jury
        or as_list(config[declared.by])
        or (declared.labels_suffice and declared.teacher(options))
    ):
        problem = f"has nothing to judge {name} by"
        faults.refuse(at[:2], problem, f"{declared.by}: with files, or another judge")
    if task == "validation" and "unassessed" in declared.overriding:
        for where, keys in ((at[:2], config), (at, options)):
            if keys.get("unassessed") == "bounds":
                problem = "has no bounds: an item that is not assessed is not right"
                faults.refuse((*where, "unassessed"), problem, "error or wrong", "bounds")
    if declared.has_files:
        check_files(options.get("files"), declared.by, (*at, "files"), faults)
    if declared.check is not None and faults.is_sound(*at):
        known = {key: value for key, value in options.items() if key in declared.options}
        arguments = _arguments(config, {"kind": declared.kind, **known})
        for key, problem, allowed in declared.check(arguments):
            where = at[:2] if key in SHARED else at
            faults.refuse((*where, key), problem, allowed, str(arguments[key]))


def _configured(
    entry: str | Mapping[str, Options], task: str, at: KeyPath, faults: ConfigFaults
) -> Configured | None:
    """A measure with its options; None where there is none of that name for the task."""
    name, settings = (entry, {}) if isinstance(entry, str) else next(iter(entry.items()))
    fitting = [measure.id for measure in MEASURES.values() if measure.task in (task, "any")]
    if name not in fitting:
        problem = f"is not a measure for {task}" if name in MEASURES else "is not a measure"
        faults.refuse(at, problem, suggest(name, fitting), name)
        return None
    declared = MEASURES[name]
    options = {key: value for key, value in settings.items() if key in declared.options}
    averaged = "average" in settings
    label = settings.get("label", f"macro {declared.label}" if averaged else declared.label)
    kind = Averaged if averaged else Configured
    return kind(settings.get("name", name), name, declared.defaults | options, label)


def _logs(config: Config) -> Config:
    """The logs of a collection: their files, and how they are read; nothing if there are none."""
    entry = config.get("logs") or []
    logs = dict(entry) if isinstance(entry, Mapping) else {"files": entry}
    several = {key: as_list(logs[key]) for key in ("files", "only", "filter") if key in logs}
    return logs | several if several["files"] else {}
