"""What is proposed for a candidate: a collection that can be run, or why it cannot."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl

from qampaign.input.reading import BY_ORDER
from qampaign.judging.judges import JUDGES
from qampaign.options import Options
from qampaign.problems import Problems
from qampaign.proposal.candidates import Candidate, as_id
from qampaign.proposal.choices import choose_judges, choose_measures, gains_of
from qampaign.proposal.facts import Facts
from qampaign.proposal.trial import Trial, is_tie, try_out
from qampaign.verdicts import LABELS

CODES = (
    {"R": "right", "W": "wrong", "X": "inexact", "U": "unsupported"},
    {"A": "right", "B": "wrong", "C": "not_attempted"},
    {"CORRECT": "right", "INCORRECT": "wrong", "NOT_ATTEMPTED": "not_attempted"},
    {"correct": "right", "incorrect": "wrong", "not attempted": "not_attempted"},
    {"Correct": "right", "Incorrect": "wrong", "Not attempted": "not_attempted"},
)
"""Codes of labels that are common, each set with what it stands for."""

STRICT = ["wrong", "not_attempted", "unsupported", "inexact"]
"""Which verdicts win a tie, where nobody said so: those against the answer."""

UNKNOWN_QUESTION = "is an unknown question"
UNKNOWN_LABEL = "is an unknown label"
MOST_UNKNOWN = 0.5
"""Up to which share of the answers may be left out since their question is not known."""

FIRST = 5
"""How many runs a comment names."""

UNREADABLE_KEY = "cannot be read at character"


@dataclass
class Proposal:
    """A candidate with what is proposed for it."""

    candidate: Candidate
    facts: Facts
    config: dict[str, Any]
    comments: dict[str, list[str]] = field(default_factory=dict)
    """What stands above a key of the config."""
    problem: str = ""
    """Why it cannot run as it stands; nothing where it can."""

    def say(self, key: str, text: str) -> None:
        """Have a comment above a key."""
        self.comments.setdefault(key, []).append(text)


def propose(candidate: Candidate, folder: Path) -> Proposal:
    """Try a candidate out, and choose what fits it, for a config in `folder`."""
    config = {"title": candidate.title, **candidate.config}
    proposal = Proposal(candidate, Facts(), config)
    for note in candidate.notes:
        proposal.say("logs" if "logs" in config else "runs", note)
    first = _read(proposal, folder)
    facts = proposal.facts = first.facts
    if first.refusal or len(first.problems):
        proposal.problem = first.refusal or _summary(first.problems)
        return proposal
    if gaps := told_gaps(facts):
        proposal.say("logs" if "logs" in config else "runs", gaps)
    task = config.get("task", "answering")
    if facts.language != "en":
        config["language"] = facts.language
        proposal.say("language", "By the commonest words of the questions.")
    if 1 < facts.groups < facts.questions:
        config["unit"] = "group"
        proposal.say(
            "unit",
            f"Questions are in {facts.groups:,} groups, which are drawn as a whole; question would "
            "take questions for independent.",
        )
    judges, unused = choose_judges(facts, task)
    judges |= _by_files(candidate)
    if not judges:
        proposal.problem = (
            "nothing says which answers are right: add keys:, assessments: or patterns: with files"
        )
        return proposal
    config["judges"] = judges
    _say_of_judges(proposal, unused)
    if facts.refusals and task == "answering" and _goes_by_refusals(judges):
        config["refusals"] = True
        proposal.say(
            "refusals",
            f'{facts.refusals:,} answers say that there is none, such as "I don\'t know": not '
            "attempted, for judges by key. Without this they are wrong.",
        )
    _measure(proposal, task)
    _settle(proposal, folder)
    return proposal


def _read(proposal: Proposal, folder: Path) -> Trial:
    """Read the files; what can be put right by an option is."""
    name, config = proposal.candidate.id, proposal.config

    def read() -> Trial:
        # with a measure of ranks, rows in the order of a file may be ranks
        measures = ["accuracy"] if config.get("task") == "validation" else ["accuracy", "mrr"]
        return try_out(name, {**config, "measures": measures}, folder)

    trial = read()
    if trial.facts.by_item and (len(trial.problems) or trial.facts.tables.get("assessments")):
        config["task"] = "validation"
        proposal.say("task", "Labels are for questions, not for answers; answers are yes or no.")
        trial = read()
    labels = _values(trial.problems, UNKNOWN_LABEL)
    if labels:
        codes = next((known for known in CODES if {*labels} <= {*known, *LABELS}), None)
        shown = codes or dict.fromkeys(labels, "wrong")
        config["labels"] = {code: verdict for code, verdict in shown.items() if code in labels}
        if codes is None:
            proposal.say("labels", f"Say what these mean: one of {', '.join(LABELS)}.")
            trial.refusal = "the files have labels of which nobody knows what they mean"
            return trial
        proposal.say("labels", "As these codes are commonly used: check them.")
        trial = read()
    unreadable = trial.problems.where(
        (pl.col("column") == "key") & pl.col("problem").str.starts_with(UNREADABLE_KEY)
    )
    if len(unreadable) and "keys" in config and not isinstance(config["keys"], dict):
        config["keys"] = {"files": config["keys"], "literal": True}
        proposal.say(
            "keys",
            f"{len(unreadable):,} of the keys cannot be read by our grammar: all of them are taken "
            "as they stand.",
        )
        trial = read()
    unknown = trial.problems.where(pl.col("problem") == UNKNOWN_QUESTION)
    few = len(unknown) <= MOST_UNKNOWN * trial.facts.responses
    if len(unknown) and len(unknown) == len(trial.problems) and few:
        config["unknown_questions"] = "skip"
        proposal.say(
            "unknown_questions",
            f"{len(unknown):,} rows are for questions that the collection does not have.",
        )
        trial = read()
    return trial


def _values(problems: Problems, problem: str) -> list[str]:
    return problems.where(pl.col("problem") == problem).values


def _by_files(candidate: Candidate) -> dict[str, Options]:
    """The judges that bring their verdicts or scores in files."""
    judges: dict[str, Options] = {}
    for kind, files in (("verdicts", candidate.label_files), ("scores", candidate.score_files)):
        for name, paths in files.items():
            judges[as_id(name, kind)] = {"kind": kind, "files": list(paths)}
    return judges


def _goes_by_refusals(judges: Mapping[str, Options]) -> bool:
    return any("refusals" in JUDGES[judge["kind"]].takes for judge in judges.values())


def _say_of_judges(proposal: Proposal, unused: Sequence[str]) -> None:
    facts, judges = proposal.facts, proposal.config["judges"]
    if len(judges) > 1:
        proposal.say("judges", "The first judge is the reference: runs are ranked by it.")
    if any(judge.get("values") == "scores" for judge in judges.values()):
        proposal.say(
            "judges",
            "values: scores takes numbers for how right answers are; threshold: 0.5 would make "
            "verdicts of them.",
        )
    if any("scale" in judge for judge in judges.values()):
        proposal.say("judges", "scale: the lowest and the highest score there can be; check it.")
    if any(judge["kind"] == "key" for judge in judges.values()) and facts.tables.get("logged"):
        proposal.say("judges", "exact and key judge the same outputs again, by the targets.")
    if unused:
        proposal.say("judges", f"Other scorers of the logs: {', '.join(unused)}.")


def told_gaps(facts: Facts) -> str:
    """Which runs have no row for many questions, in a sentence or two; nothing where none has."""
    if not facts.gaps:
        return ""
    shares = [f"{run} {share:.0%}" for run, share in facts.gaps.items()]
    more = f" and {len(shares) - FIRST:,} more" if len(shares) > FIRST else ""
    return (
        f"Of the {facts.questions:,} questions, {len(shares):,} of {len(facts.runs):,} runs have "
        f"no row for many: {', '.join(shares[:FIRST])}{more}. These count as unanswered. If a "
        "run was not asked them, list what all were asked in questions:, with unknown_questions: "
        "skip."
    )


def _measure(proposal: Proposal, task: str) -> None:
    facts, config = proposal.facts, proposal.config
    known = proposal.candidate.measures
    measures, others = choose_measures(facts, task, config["judges"], known)
    config["measures"] = measures
    proposal.say("measures", "The first measure ranks.")
    if facts.ranks > 1:
        proposal.say("measures", f"Runs give up to {facts.ranks:,} answers to a question.")
    if facts.ranks > 1 and not facts.is_ranked:
        proposal.say("measures", "Few answers are lists: the first of each counts.")
    if any(remark.text == BY_ORDER for remark in facts.remarks):
        proposal.say(
            "measures",
            "Rows for one question are taken for ranks, in the order of the file. If they are "
            "repetitions, the files need a column sample.",
        )
    if facts.samples > 1:
        proposal.say(
            "measures",
            f"Questions were asked several times; k is the fewest samples of a run that has "
            f"several: {facts.samples:,}.",
        )
    lacking = len(facts.runs) - facts.sampled
    if facts.samples > 1 and lacking:
        proposal.say(
            "measures",
            f"{lacking:,} of {len(facts.runs):,} runs do not have several samples for each "
            "question: pass_at_k and pass_all_k are not available for them.",
        )
    if "level" in facts.columns and gains_of(facts.levels) is None:
        levels = ", ".join(facts.levels[:10])
        proposal.say("measures", f"For credit and q_measure, say what levels gain: {levels}.")
    if facts.confidence and not facts.has_probabilities:
        low, high = facts.confidence
        proposal.say(
            "measures",
            f"Confidences go from {low:g} to {high:g}: measures of calibration need confidence: "
            "{map: minmax}, or another map.",
        )
    if others:
        proposal.say("measures", f"Also possible: {', '.join(others)}.")


def _settle(proposal: Proposal, folder: Path) -> None:
    """Try the whole collection; options that let judges judge are added, judges that cannot go."""
    name, config = proposal.candidate.id, proposal.config
    trial = try_out(name, config, folder, judge=True)
    judges = config["judges"]
    for judge, refused in trial.refused.items():
        options = judges[judge]
        if is_tie(refused):
            options["ties"] = STRICT
            proposal.say(
                "judges", f"Assessors are evenly divided in some cases: ties of {judge} decides."
            )
        elif "unassessed" in str(refused):
            wrong = config.get("task") == "validation" or proposal.facts.is_ranked
            options["unassessed"] = "wrong" if wrong else "bounds"
            shown = "" if wrong else ", and values are shown as if all of them were right, too"
            proposal.say("judges", f"{judge} has no verdict on some answers: wrong{shown}.")
    if trial.refused:
        trial = try_out(name, config, folder, judge=True)
        for judge, refused in trial.refused.items():
            first_line = str(refused).splitlines()[0]
            proposal.say("judges", f"{judge} is left out: {first_line}")
            del judges[judge]
        if trial.refused and judges:
            task = config.get("task", "answering")
            known = proposal.candidate.measures
            config["measures"], _ = choose_measures(proposal.facts, task, judges, known)
            trial = try_out(name, config, folder, judge=True)
    if judges and _leave_out_measures(proposal, trial.problems):
        trial = try_out(name, config, folder, judge=True)
    if not judges:
        proposal.problem = "no judge can judge the answers"
    elif trial.refusal or len(trial.problems) or trial.refused:
        refused_all = "\n".join(str(refusal) for refusal in trial.refused.values())
        proposal.problem = trial.refusal or refused_all or _summary(trial.problems)


def _leave_out_measures(proposal: Proposal, problems: Problems) -> bool:
    """Leave out measures that the collection as a whole is said to lack something for."""
    config = proposal.config
    about = problems.where(pl.col("file") == f"collection {proposal.candidate.id}")
    names = [entry if isinstance(entry, str) else next(iter(entry)) for entry in config["measures"]]
    reasons = {
        name: text
        for text in about.texts
        for name in names
        if re.search(rf"\b{re.escape(name)}\b", text.partition(", but ")[2])
    }
    if not reasons or len(reasons) == len(names):
        return False
    config["measures"] = [
        entry for name, entry in zip(names, config["measures"], strict=True) if name not in reasons
    ]
    for name, text in reasons.items():
        proposal.say("measures", f"{name} is left out: {text}.")
    return True


def _summary(problems: Problems) -> str:
    count = "a problem" if len(problems) == 1 else f"{len(problems):,} problems"
    return problems.summary(f"the files have {count}:")
