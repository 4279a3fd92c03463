"""The judges and measures that fit a collection, by what its rows show and what is declared."""

from collections.abc import Iterable, Mapping, Sequence

from qampaign.config.defaults import DEFAULT_JUDGES
from qampaign.input.logs.declaration import MeasureEntry
from qampaign.judging.judges import JUDGES
from qampaign.measures import MEASURES
from qampaign.measures.configured import Configured
from qampaign.measures.declaration import Measure
from qampaign.options import Options
from qampaign.proposal.candidates import as_id
from qampaign.proposal.facts import Facts, Scorer
from qampaign.values import as_number

MOST_SCORERS = 6
"""How many scorers become judges; the others stand in a comment."""


def choose_judges(facts: Facts, task: str) -> tuple[dict[str, Options], list[str]]:
    """The judges by what they can judge by, the one to go by first; and what is left out.

    People go before scorers, scorers before patterns and keys. Of the two judges by a key, `exact`
    goes first where answers are about as short as the keys.
    """
    judges: dict[str, Options] = {}
    left_out = []
    by_key = ["exact", "key"] if facts.short else ["key", "exact"]
    for kind in ("assessments", "logged", "patterns", *by_key):
        declared = JUDGES[kind]
        if not facts.tables.get(declared.by) or task not in declared.tasks:
            continue
        if kind != "logged":
            judges[declared.default_name or kind] = {"kind": kind}
            continue
        for number, scorer in enumerate(facts.scorers):
            if number < MOST_SCORERS:
                judges[_free(scorer.name, judges, len(facts.scorers))] = _logged(scorer, facts)
            else:
                left_out.append(scorer.name)
    return judges, left_out


def _free(scorer: str, judges: Iterable[str], scorers: int) -> str:
    """What the judge by a scorer is called."""
    name = base = next(iter(DEFAULT_JUDGES["logged"])) if scorers == 1 else as_id(scorer, "scorer")
    number = 2
    taken = {judge.lower() for judge in (*judges, "exact", "key", "patterns", "people")}
    while name.lower() in taken:
        name, number = f"{base}-{number}", number + 1
    return name


def _logged(scorer: Scorer, facts: Facts) -> Options:
    """The options of the judge by a scorer."""
    options: dict[str, object] = {"kind": "logged"}
    if len(facts.scorers) > 1:
        options["scorer"] = scorer.name
    if scorer.verdicts < scorer.said:
        options["values"] = "scores"
        low, high = scorer.low or 0.0, scorer.high or 0.0
        if low < 0 or high > 1:
            options["scale"] = [min(low, 0.0), high]
    return options


def choose_measures(
    facts: Facts,
    task: str,
    judges: Mapping[str, Options],
    known: Sequence[MeasureEntry] = (),
) -> tuple[list[MeasureEntry], list[str]]:
    """The measures, the one that ranks first; and others that the data allow.

    `known` are those by which such files are ranked where they come from: they go first.
    """
    reference = next(iter(judges.values()), {})
    wanted = _validation(facts) if task == "validation" else _answering(facts, judges)
    if reference and not _gives_verdicts(reference):
        wanted = ["mean_score", *(measure for measure in wanted if measure != "mean_score")]
    first = [entry for entry in known if _name(entry) == "composite" or _fits(entry, facts, task)]
    shown = {_shown_name(entry) for entry in first}
    chosen = [
        entry
        for entry in first
        if isinstance(entry, str) or shown >= {*entry.get("composite", {}).get("of", ())}
    ]
    names = {_name(entry) for entry in chosen}
    for entry in wanted:
        if _fits(entry, facts, task) and entry not in chosen and _name(entry) not in names:
            chosen.append(entry)
    names = {_name(entry) for entry in chosen}
    graded = any(JUDGES[judge["kind"]].degrees for judge in judges.values())
    others = [
        name for name, measure in MEASURES.items()
        if name not in names and fits(measure, facts, task)
        and (graded or "degree" not in measure.columns)
    ]  # fmt: skip
    return chosen, others


def _name(entry: MeasureEntry) -> str:
    """The measure of an entry."""
    return entry if isinstance(entry, str) else next(iter(entry))


def _shown_name(entry: MeasureEntry) -> str:
    """What an entry is called in results."""
    return entry if isinstance(entry, str) else str(next(iter(entry.values())).get("name", ""))


def _fits(entry: MeasureEntry, facts: Facts, task: str) -> bool:
    name = _name(entry)
    return name in MEASURES and fits(MEASURES[name], facts, task)


def fits(measure: Measure, facts: Facts, task: str) -> bool:
    """Whether a measure can be computed: it is for the task, and what it needs is there."""
    rated = "score" if task == "validation" else "confidence"
    needs = {rated if column == "confidence" else column for column in measure.needs}
    if measure.task not in (task, "any") or not needs <= facts.columns:
        return False
    if measure.unit and not facts.has_probabilities:
        return False
    if "level" in needs and gains_of(facts.levels) is None:
        return False
    if any("nil" in column for column in measure.columns):
        return facts.nil > 0
    deepest = Configured(measure.id, measure.id, measure.defaults).last_rank
    return facts.ranks > 1 or deepest in (0, 1) or task == "validation"


def gains_of(levels: Sequence[str]) -> dict[str, float] | None:
    """The gains that levels need in the config: none where they are known, None where nobody knows.

    Numbers are their own gains, also with a letter before them, as L1, L2, L3.

    >>> gains_of(["S", "0.5"]), gains_of(["L1", "L2"]), gains_of(["fair"])
    ({}, {'L1': 1, 'L2': 2}, None)
    """
    numbers = {level: as_number(level.lstrip("Ll") or level) for level in levels}
    known = MEASURES["q_measure"].defaults["gains"]
    if all(level in known or (n is not None and 0 <= n <= 1) for level, n in numbers.items()):
        return {}
    if any(number is None for number in numbers.values()):
        return None
    gains = {level: number for level, number in numbers.items() if number}
    return {level: int(n) if n == int(n) else n for level, n in gains.items()}


def _gives_verdicts(options: Options) -> bool:
    declared = JUDGES[options["kind"]]
    return declared.gives_verdicts(declared.complete({**options}))


def _answering(facts: Facts, judges: Mapping[str, Options]) -> list[MeasureEntry]:
    measures: list[MeasureEntry] = []
    gains = gains_of(facts.levels)
    if facts.is_ranked:
        whole = facts.ranks <= MEASURES["mrr"].defaults["cutoff"]  # the lists, as they stand
        reciprocal: MeasureEntry = "mrr" if whole else {"mrr": {"cutoff": facts.ranks}}
        # with one right answer to each question, average precision is the reciprocal rank
        measures += ["average_precision", reciprocal] if facts.several_right else [reciprocal]
        if gains is not None:
            measures.append({"q_measure": {"gains": gains}} if gains else "q_measure")
    abstains = facts.abstains and not facts.is_ranked
    measures += ["c_at_1", "accuracy"] if abstains else ["accuracy"]
    if facts.leaves_open:
        measures += ["c_at_1", "answered", "precision_answered"]
    if gains is not None:
        measures.append({"credit": {"gains": gains}} if gains else "credit")
    if any(JUDGES[judge["kind"]].degrees and judge["kind"] != "key" for judge in judges.values()):
        measures.append("mean_score")
    if facts.nil:
        measures += ["nil_precision", "nil_recall"]
    if facts.samples > 1:
        k = {"k": facts.samples}
        measures += [{"pass_at_k": k}, {"pass_all_k": k}, "majority_vote", "consistency"]
    return [*measures, "brier", "calibration_error", "risk_coverage"]


def _validation(facts: Facts) -> list[MeasureEntry]:
    measures: list[MeasureEntry] = ["accuracy"]
    if facts.leaves_open:
        first: list[MeasureEntry] = ["c_at_1", "accuracy"]
        measures = [*(first if facts.abstains else reversed(first)), "answered"]
    return [*measures, "precision", "recall", "f", "auc", "brier"]
