"""What can happen to a campaign between two runs: each step changes files, config, code or results.

A step gets the world and a source of chance of its own, does one thing and says what; it says
nothing where there is nothing that it could do.
"""

import base64
import csv
import gzip
import io
import json
import os
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import yaml

from tests.fuzz.fuzz_campaign import DATE, Fuzzed
from tests.helpers.logs import lm_eval_results, lm_eval_sample

if TYPE_CHECKING:
    from tests.fuzz.fuzzing import World

Said = str | None
Step = Callable[["World", Random], Said]
Row = dict[str, Any]

STEPS: dict[str, tuple[Step, int]] = {}
"""The steps by name, each with its weight."""


def step(weight: int) -> Callable[[Step], Step]:
    def register(function: Step) -> Step:
        STEPS[function.__name__] = (function, weight)
        return function

    return register


# raw files as rows


def raw_files(campaign: Fuzzed, *kinds: str) -> list[Path]:
    """The raw files, or those in whose path one of some words stands."""
    found = [path for path in sorted(campaign.data.rglob("*")) if path.is_file()]
    return [
        path
        for path in found
        if path.name != "config.yaml"
        and (not kinds or any(kind in path.relative_to(campaign.data).as_posix() for kind in kinds))
    ]


def read_rows(path: Path) -> list[Row]:
    content = path.read_bytes()
    if path.suffix == ".gz":
        content = gzip.decompress(content)
    text = content.decode()
    if ".jsonl" in path.name:
        return [json.loads(line) for line in text.splitlines()]
    if path.suffix == ".json":  # a log: its samples, or what it says as a whole
        whole = json.loads(text)
        return whole.get("samples", [whole])
    return [
        {name.strip(): value.strip() for name, value in row.items()}
        for row in csv.DictReader(io.StringIO(text, newline=""))
    ]


def write_rows(path: Path, rows: list[Row], **how: Any) -> None:
    """Write rows in the format that the name of the file gives."""
    columns = list({name: None for row in rows for name in row})
    if ".jsonl" in path.name:
        text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    elif path.suffix == ".json":
        whole = json.loads(path.read_text(encoding="utf-8"))
        text = json.dumps(whole | {"samples": rows} if "samples" in whole else rows[0])
    else:
        file = io.StringIO(newline="")
        writer = csv.DictWriter(file, columns, **{"lineterminator": "\n", **how})
        writer.writeheader()
        writer.writerows(rows)
        text = file.getvalue()
    content = text.encode()
    path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else content)


def short(campaign: Fuzzed, path: Path) -> str:
    return path.relative_to(campaign.folder).as_posix()


# edits of raw files

ANSWERS = {
    "q1": ["Paris", "Lyon"], "q2": ["42 km", "1912", "forty km"], "q3": ["a river", "the river"],
    "q4": ["Bob", "NIL"], "q5": ["a stone", "a rock"], "q6": ["1912", "1911"],
    "p1": ["one", "two"], "p2": ["three", "four"], "p3": ["five", "six"],
}  # fmt: skip
LABELS = {
    "alpha/assessments": ["R", "W", "U", "X"],
    "alpha/gpt": ["A", "B"],
    "labelled/": ["right", "wrong"],
    "beta/": ["right", "wrong"],
    "gamma/": ["yes", "no"],
}
VALUES = {
    "confidence": ["0.5", "0.7", "0.4", "0.9"],
    "score": ["0.5", "0.9", "0.1"],
    "answered": ["true", "false"],
    "type": ["factoid", "definition"],
    "nil": ["true", ""],
    "text": ["What?", "Which one?"],
    "team": ["Team A", "Team B", "Team C"],
    "size": ["7", "70"],
    "key": ["Paris", "42 km", "1912", "a river", "a rock; a stone", "a stone"],
    "pattern": ["Par", "42|forty", "riv", "rock", "19.."],
    "published": ["0.83", "0.50", "0.21"],
    "group": ["g1", "g2", "g3"],
    "cost": ["1.5", "9", ""],
    "weight": ["1", "2", "0.5"],
    "probability": ["0.5", "0.9", "1", ""],
    "filtered_resps": [["4"], ["5"], ["6"], ["7"]],
    "exact_match": [0.0, 1.0],
    "scores": [{"match": {"value": value}} for value in ("C", "I", "P", "N", "", 0.3)],
    "total_evaluation_time_seconds": ["12.5", "99"],
    "config": [
        {"model": "hf", "model_args": f"pretrained=org/{name}"} for name in ("one", "two", "three")
    ],
}
"""What the cells of a column can be; answers and labels are told apart by file and question."""


def values(name: str, row: Row, column: str) -> list[str]:
    """What a cell of a file can be, so that the file is still good."""
    if column == "answer":
        of_collection = {"gamma": ["yes", "no"], "labelled": ["good", "bad"]}
        return of_collection.get(name.split("/")[0]) or ANSWERS[row["question"]]
    if column == "label":
        return next(labels for start, labels in LABELS.items() if name.startswith(start))
    if column == "level":
        return ["S", "A"] if row["label"] == "right" else [""]
    return VALUES.get(column, [])


def change_a_cell(campaign: Fuzzed, path: Path, chance: Random) -> list[Row] | None:
    """The rows of a file with one cell changed; assessments keep their answers."""
    name = path.relative_to(campaign.data).as_posix()
    rows = read_rows(path)
    fixed = ("answer", "level") if "assessments" in name or "labelled/" in name else ()
    cells = [
        (number, column, value)
        for number, row in enumerate(rows)
        for column in row
        if column not in fixed
        for value in values(name, row, column)
        if value != row[column]
    ]
    if not cells:
        return None
    number, column, value = chance.choice(cells)
    rows[number][column] = value
    if column == "label" and "level" in rows[number]:
        rows[number]["level"] = "S" if value == "right" else ""
        rows[number]["class"] = "c1" if value == "right" else ""
    return rows


@step(12)
def edit(world: "World", chance: Random) -> Said:
    """Change a cell."""
    path = chance.choice(raw_files(world.campaign))
    rows = change_a_cell(world.campaign, path, chance)
    if rows is None:
        return None
    write_rows(path, rows)
    return f"a cell of {short(world.campaign, path)}"


@step(4)
def edit_with_an_older_date(world: "World", chance: Random) -> Said:
    """Replace a file by one with other content that is older."""
    path = chance.choice(raw_files(world.campaign, *chance.choice([("published",), ("",)])))
    rows = change_a_cell(world.campaign, path, chance)
    if rows is None:
        return None
    write_rows(path, rows)
    past = time.time() - chance.randint(10**5, 10**7)
    os.utime(path, (past, past))
    return f"a cell of {short(world.campaign, path)}, dated back"


@step(4)
def edit_with_size_and_time_kept(world: "World", chance: Random) -> Said:
    """Change a cell so that neither size nor time of the file shows it."""
    path = chance.choice(raw_files(world.campaign))
    before, status = path.read_bytes(), path.stat()
    for _ in range(20):
        rows = change_a_cell(world.campaign, path, chance)
        if rows is None:
            return None
        write_rows(path, rows)
        if path.stat().st_size == status.st_size:
            how = "in place"
            if chance.random() < 0.5:
                new = path.with_name(f".{path.name}.new")
                shutil.copyfile(path, new)
                new.replace(path)
                how = "as a new file"
            os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
            return f"a cell of {short(world.campaign, path)} {how}, size and time kept"
        path.write_bytes(before)
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    return None


@step(10)
def reorder(world: "World", chance: Random) -> Said:
    """Put the rows of a file into another order."""
    path = chance.choice(raw_files(world.campaign, *chance.choice([("runs",), ("keys",), ("",)])))
    rows = read_rows(path)
    chance.shuffle(rows)
    write_rows(path, rows)
    return f"rows of {short(world.campaign, path)} shuffled"


@step(5)
def move_a_row(world: "World", chance: Random) -> Said:
    """Take a row out of one file of a table and put it into another."""
    kind = chance.choice(["alpha/keys", "alpha/assessments"])
    paths = raw_files(world.campaign, kind)
    if len(paths) < 2:
        return None
    source, target = chance.sample(paths, 2)
    rows = read_rows(source)
    if len(rows) < 2:
        return None
    row = rows.pop(chance.randrange(len(rows)))
    write_rows(source, rows)
    write_rows(target, [*read_rows(target), row])
    return f"a row of {short(world.campaign, source)} moved to {target.name}"


@step(6)
def reformat(world: "World", chance: Random) -> Said:
    """Write the same rows otherwise."""
    path = chance.choice(raw_files(world.campaign))
    name = path.relative_to(world.campaign.data).as_posix()
    rows = read_rows(path)
    how = chance.choice(["quotes", "CRLF", "padding", "format"])
    if how == "format":
        globbed = ("alpha/runs/", "alpha/keys/", "alpha/assessments/")
        if not name.startswith(globbed):
            return None
        stem = path.name.split(".")[0]
        path.unlink()
        path = path.with_name(f"{stem}.{chance.choice(['csv', 'jsonl', 'csv.gz'])}")
        write_rows(path, rows)
    elif ".json" in path.name:
        write_rows(path, [dict(reversed(row.items())) for row in rows])
    elif how == "quotes":
        write_rows(path, rows, quoting=csv.QUOTE_ALL)
    elif how == "CRLF":
        write_rows(path, rows, lineterminator="\r\n")
    else:
        padded = [{name: f"{value} " for name, value in row.items()} for row in rows]
        write_rows(path, padded)
    return f"{short(world.campaign, path)} written otherwise ({how})"


@step(3)
def touch(world: "World", chance: Random) -> Said:
    """Give files the time of now."""
    paths = raw_files(world.campaign)
    chosen = paths if chance.random() < 0.3 else [chance.choice(paths)]
    for path in chosen:
        path.touch()
    return f"{len(chosen)} raw files touched"


@step(6)
def add(world: "World", chance: Random) -> Said:
    """Add a file that a pattern of the config finds."""
    kind = chance.choice(["runs", "keys", "published", "logged"])
    number = chance.randint(1, 5)
    if kind == "logged":
        path = world.campaign.data / f"logged/m{number}/samples_sums_{DATE}.jsonl"
        path.parent.mkdir(exist_ok=True)
        chosen = chance.sample([(0, "4"), (1, "7"), (2, "6")], 2)
        rows = [
            lm_eval_sample(each, chance.choice(["4", "5", "7"]), target) for each, target in chosen
        ]
        if chance.random() < 0.5:
            beside = path.with_name(f"results_{DATE}.json")
            beside.write_text(lm_eval_results(f"org/m{number}"), encoding="utf-8")
    elif kind == "runs":
        path = world.campaign.data / f"alpha/runs/a{number}.csv"
        rows = [
            {
                "question": question,
                "answer": chance.choice(ANSWERS[question]),
                "confidence": chance.choice(VALUES["confidence"]),
            }
            for question in chance.sample(["q1", "q2", "q3", "q4", "q5", "q6"], 5)
        ]
    elif kind == "keys":
        path = world.campaign.data / f"alpha/keys/{number}.csv"
        rows = [{"question": f"q{number}", "key": chance.choice(VALUES["key"])}]
    else:
        path = world.campaign.data / f"alpha/published/{number}.csv"
        names = {"source": f"Paper {number}", "table": "scores", "column": "value"}
        figure = {"measure": "accuracy", "run": "a2", "slice": "all", "published": "0.33"}
        rows = [names | figure]
    if any(each.name.split(".")[0] == path.name.split(".")[0] for each in path.parent.iterdir()):
        return None
    write_rows(path, rows)
    return f"{short(world.campaign, path)} added"


REMOVED_FROM = (
    "runs",
    "keys",
    "gpt",
    "labelled/sheet",
    "run_info",
    "patterns",
    "logged/",
    "inspect/",
)


@step(4)
def remove(world: "World", chance: Random) -> Said:
    """Remove a file that a pattern finds, or a row."""
    if chance.random() < 0.5:
        kinds = chance.choice(["alpha/runs/a3", "alpha/runs/a4", "alpha/keys", "alpha/published",
                               "logged/", "logged/two", "results_"])  # fmt: skip
        paths = raw_files(world.campaign, kinds)
        if not paths:
            return None
        path = chance.choice(paths)
        path.unlink()
        return f"{short(world.campaign, path)} removed"
    path = chance.choice(raw_files(world.campaign, *REMOVED_FROM))
    rows = read_rows(path)
    if len(rows) < 2:
        return None
    rows.pop(chance.randrange(len(rows)))
    write_rows(path, rows)
    return f"a row of {short(world.campaign, path)} removed"


@step(4)
def rename(world: "World", chance: Random) -> Said:
    """Give a file another name, so that it also comes at another place among its like."""
    kinds = chance.choice(["alpha/keys", "alpha/assessments", "alpha/runs", "alpha/published"])
    paths = raw_files(world.campaign, kinds)
    if not paths:
        return None
    path = chance.choice(paths)
    stem, _, suffix = path.name.partition(".")
    new = path.with_name(f"{chance.choice('0z')}{stem[-1]}.{suffix}")
    if new.exists():
        return None
    path.rename(new)
    return f"{short(world.campaign, path)} renamed to {new.name}"


# edits of the config

Config = dict[str, Any]


def toggle(*path: str, value: Any) -> Callable[[Config, Random], str]:
    """Set a key of the config, or take it out."""

    def change(config: Config, _chance: Random) -> str:
        at = config
        for key in path[:-1]:
            at = at.setdefault(key, {}) or {}
        if at.get(path[-1]) == value:
            del at[path[-1]]
            return f"{'.'.join(path)} taken out"
        at[path[-1]] = value
        return f"{'.'.join(path)} set to {value}"

    return change


def choose(*path: str, among: list[Any]) -> Callable[[Config, Random], str]:
    """Set a key of the config to another value."""

    def change(config: Config, chance: Random) -> str:
        at = config
        for key in path[:-1]:
            at = at[key]
        at[path[-1]] = chance.choice([each for each in among if each != at.get(path[-1])])
        return f"{'.'.join(path)} set to {at[path[-1]]}"

    return change


def toggle_measure(config: Config, chance: Random) -> str:
    measures = config["collections"]["alpha"]["measures"]
    measure = chance.choice(["answered", "k1", "utility"])
    if measure in measures:
        measures.remove(measure)
        return f"measure {measure} taken out"
    measures.insert(chance.randint(0, len(measures)), measure)
    return f"measure {measure} added"


def turn_weights(config: Config, chance: Random) -> str:
    """Put in a mean over types and a mean of measures, give that other weights, or take them out."""
    measures = config["collections"]["alpha"]["measures"]
    own = [
        each
        for each in measures
        if "composite" in each or ("accuracy" in each and each != "accuracy")
    ]
    weights = chance.choice([[1, 1], [1, 3], None])
    for each in own:
        measures.remove(each)
    if own and weights is None:
        return "means of types and measures taken out"
    measures += [
        {"accuracy": {"average": "type", "name": "macro"}},
        {"composite": {"of": ["macro", "accuracy"], "name": "both", "weights": weights or [2, 1]}},
    ]
    return f"means of types and measures, weights {weights or [2, 1]}"


def turn_overall(config: Config, chance: Random) -> str:
    """Rank over two collections, by other weights, or no more."""
    if "overall" in config and chance.random() < 0.5:
        del config["overall"]
        return "overall taken out"
    measure = chance.choice(["primary", "accuracy"])
    weights = chance.choice(["equal", "questions"])
    config["collections"]["alpha"]["primary"] = "accuracy"
    other = chance.choice(["gamma", "twin", "twin"])  # the twin has the same runs
    if other == "twin" and other not in config["collections"]:
        toggle_collection(config, chance)
    config["overall"] = {"collections": ["alpha", other], "measure": measure, "weights": weights}
    return f"overall of alpha and {other} by {measure}, weights {weights}"


def rename_collection(config: Config, chance: Random) -> str:
    """Rename the collection of ranked answers, or turn the order of collections round."""
    collections = config["collections"]
    if chance.random() < 0.5:
        config["collections"] = dict(reversed(collections.items()))
        return "collections in another order"
    names = {"beta": "delta", "delta": "beta"}
    config["collections"] = {names.get(name, name): own for name, own in collections.items()}
    return "a collection renamed"


def toggle_collection(config: Config, _chance: Random) -> str:
    """Take a collection out, or put in one over files that another one has."""
    collections = config["collections"]
    if "twin" in collections:
        del collections["twin"]
        return "collection twin taken out"
    collections["twin"] = {
        "runs": "alpha/runs/*",
        "assessments": "alpha/assessments/*",
        "labels": {"R": "right", "W": "wrong", "U": "unsupported", "X": "inexact"},
        "ties": ["wrong"],
        "measures": ["accuracy", {"cws": {"ties": "file"}}],
        "studies": {
            "significance": {"resamples": 20},  # overall needs it
            "correlation": {"resamples": 10, "draws": 10},
        },
    }
    return "collection twin added"


def turn_correction(config: Config, chance: Random) -> str:
    """Let labels correct a judge, or no more; as the reference or beside it."""
    own = config["collections"]["labelled"]
    gpt = own["judges"]["gpt"]
    own["reference"] = chance.choice(["gpt", "people"])
    how = chance.choice(["people", "wrong", None])
    if how == "wrong":
        own["judges"]["people"]["unassessed"] = "wrong"
    elif how == "people":
        own["judges"]["people"].pop("unassessed", None)
        gpt["corrected_by"] = "people"
    else:
        own["judges"]["people"]["unassessed"] = "wrong"
        gpt.pop("corrected_by", None)
    return f"corrected: {how}, reference {own['reference']}"


def toggle_inspect(config: Config, _chance: Random) -> str:
    """Put in a collection of Inspect's logs, or take it out."""
    if config["collections"].pop("inspected", None):
        return "collection inspected taken out"
    config["collections"]["inspected"] = {
        "logs": {"files": "inspect/*.json"},
        "judges": {"logged": {"kind": "logged"}, "key": {"kind": "key"}},
        "studies": {},
    }
    return "collection inspected added"


def toggle_question_weights(config: Config, _chance: Random) -> str:
    """Give ranked answers a list of questions with weights, or take it away."""
    collections = config["collections"]
    own = collections["delta" if "delta" in collections else "beta"]
    if own.pop("questions", None):
        return "weights of questions taken out"
    own["questions"] = "beta/questions.csv"
    return "weights of questions"


def turn_gate(config: Config, chance: Random) -> str:
    """Ask for other conditions, or for none."""
    conditions = ["accuracy of a1 >= 0.1", "every published figure comes out",
                  "f of v1 not significantly below v2", "accuracy of a3 > 0"]  # fmt: skip
    chosen = chance.sample(conditions, chance.randint(0, 3))
    config.pop("gate", None)
    if chosen:
        config["gate"] = chosen
    return f"gate: {chosen}"


def turn_ties(config: Config, _chance: Random) -> str:
    for measure in config["collections"]["alpha"]["measures"]:
        if isinstance(measure, dict) and "cws" in measure:
            ties = measure["cws"]["ties"]
            measure["cws"]["ties"] = "average" if ties == "file" else "file"
    return "ties of cws turned"


def reorder_judges(config: Config, chance: Random) -> str:
    judges = list(config["collections"]["alpha"]["judges"].items())
    chance.shuffle(judges)
    config["collections"]["alpha"]["judges"] = dict(judges)
    return "judges in another order"


ALPHA, BETA = ("collections", "alpha"), ("collections", "beta")
ANA = {"kind": "assessments", "assessor": "ana"}
LITERAL = {"files": "alpha/keys/*", "literal": True}
NAMED = {"files": "alpha/keys/*", "columns": {"key": "key"}}
JURY = {"kind": "jury", "of": ["people", "key", "gpt"], "ties": ["wrong"], "unassessed": "wrong"}
LOGS = ["logged/**/*", {"files": "logged/**/*.jsonl", "run": "{parent}"},
        {"files": "logged/**/*", "type": "subject"}, ["logged/one/*", "logged/two/*"]]  # fmt: skip
MODEL = {"kind": "learned", "from": "people", "folds": 3, "unassessed": "wrong"}
F1 = {"kind": "scores", "files": "alpha/f1.csv", "threshold": 0.4, "unassessed": "wrong"}
CHANGES: list[Callable[[Config, Random], str]] = [
    choose("title", among=["A campaign that changes", "Another title", "Ein Titel"]),
    choose("seed", among=[3, 4]),
    toggle(*ALPHA, "title", value="Alpha"),
    toggle(*ALPHA, "note", value="A note."),
    choose(*ALPHA, "judges", "key", "threshold", among=[0.25, 0.5, 0.9]),
    toggle(*ALPHA, "judges", "key", "numbers", value=True),
    toggle(*ALPHA, "judges", "ana", value=ANA),
    toggle(*ALPHA, "judges", "exact", value={"kind": "exact", "unassessed": "wrong"}),
    toggle(*ALPHA, "judges", "jury", value=JURY),
    toggle(*ALPHA, "judges", "model", value=MODEL),
    choose(*ALPHA, "judges", "within", "case", among=["ignore", "keep"]),
    choose(*ALPHA, "judges", "within", "learned_from", among=["people", "gpt"]),
    toggle(*ALPHA, "judges", "f1", value=F1),
    choose(*ALPHA, "reference", among=["people", "key"]),
    choose(*ALPHA, "primary", among=["c_at_1", "accuracy", "cws", "c@1"]),
    choose(*ALPHA, "keys", among=["alpha/keys/*", LITERAL, NAMED]),
    toggle(*ALPHA, "correct", value=["right", "unsupported"]),
    choose(*ALPHA, "labels", "X", among=["inexact", "right", "wrong"]),
    choose(*ALPHA, "ties", among=[["right"], ["wrong"], ["right", "wrong"], []]),
    toggle(*ALPHA, "confidence", value={"map": "rank"}),
    choose(*ALPHA, "missing", among=["unanswered", "wrong"]),
    choose(*ALPHA, "refusals", among=[False, True, ["a stone"]]),
    choose(*ALPHA, "judges", "regex", "unassessed", among=["wrong", "bounds"]),
    choose(*ALPHA, "derived", "a1-unsure", "where", among=["line <= 4", "line <= 3", "line > 3"]),
    toggle(*ALPHA, "baselines", value=["oracle_withholding"]),
    choose(*ALPHA, "studies", "judges", among=[["people"], ["key"], ["people", "key"]]),
    choose(*ALPHA, "studies", "swap", "trials", among=[10, 12]),
    toggle(*ALPHA, "studies", "agreement", value={"thresholds": [0, 0.5, 1], "sample": 5}),
    choose("collections", "gamma", "studies", "significance", among=[{"resamples": 20}, None]),
    toggle("collections", "gamma", "rank_baselines", value=True),
    toggle("collections", "gamma", "unit", value="question"),
    toggle("collections", "gamma", "comparisons", value=[["v1", "v2"]]),
    toggle_measure,
    turn_weights,
    turn_overall,
    turn_gate,
    turn_gate,
    turn_correction,
    turn_correction,
    turn_correction,
    toggle_inspect,
    toggle_inspect,
    choose("collections", "logged", "logs", among=LOGS),
    toggle("collections", "logged", "missing", value="wrong"),
    toggle("open", value=False),
    toggle_question_weights,
    toggle_collection,
    rename_collection,
    turn_ties,
    turn_ties,
    reorder_judges,
]


@step(14)
def configure(world: "World", chance: Random) -> Said:
    """Change a value of the config."""
    said = []
    world.campaign.configure(lambda config: said.append(chance.choice(CHANGES)(config, chance)))
    return f"config: {said[0]}"


@step(2)
def write_config_otherwise(world: "World", chance: Random) -> Said:
    """Write the same config otherwise."""
    config = yaml.safe_load(world.campaign.read("config.yaml"))
    text = yaml.safe_dump(config, sort_keys=False, default_flow_style=chance.random() < 0.5)
    world.campaign.write("config.yaml", f"# the same\n{text}")
    return "config written otherwise"


# edits of code

CODE = {
    "measures/abstention.py": (
        "(correct + unanswered * correct / questions) / questions",
        "(correct + unanswered) / questions",
    ),
    "measures/confidence.py": (
        "return ratio(squared_errors, rated_answers)",
        "return ratio(squared_errors, rated_answers) / 2",
    ),
    "judging/key/key_judge.py": ('pl.col("degree") > threshold', 'pl.col("degree") >= threshold'),
    "report/sections/made_from.py": ("none of it is an error", "none of this is an error"),
    "report/page.css": ("\n}", " \n}"),
    "studies/intervals.py": ("(drawn, LEVEL / 2, 1 - LEVEL / 2)", "(drawn, LEVEL, 1 - LEVEL / 2)"),
}
"""Edits of modules that show in the results; each is undone where it is found done."""


def edit_code_of(campaign: Fuzzed, module: str) -> None:
    old, new = CODE[module]
    path = campaign.project / "workflow" / "qampaign" / module
    text = path.read_text(encoding="utf-8")
    old, new = (new, old) if new in text else (old, new)
    assert old in text, f"{module} has no {old!r}: the edit of code does nothing"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    _forget_compiled(path)


def _forget_compiled(path: Path) -> None:
    """Python knows an edit by size and second: two in one second would be one."""
    for compiled in path.parent.glob(f"__pycache__/{path.stem}.*.pyc"):
        compiled.unlink()


@step(3)
def edit_code(world: "World", chance: Random) -> Said:
    """Change a formula, a rule of a judge, or a sentence of the report."""
    module = chance.choice(sorted(CODE))
    edit_code_of(world.campaign, module)
    return f"code of {module}"


@step(2)
def comment_code(world: "World", chance: Random) -> Said:
    """Add a comment to a module."""
    modules = sorted((world.campaign.project / "workflow" / "qampaign").rglob("*.py"))
    module = chance.choice(modules)
    with module.open("a", encoding="utf-8") as file:
        file.write("# a remark\n")
    _forget_compiled(module)
    return f"a comment in {module.name}"


# the clock, results and what Snakemake keeps


def results_of(campaign: Fuzzed) -> Iterator[Path]:
    """Every file of the results, but what people fill in or send."""
    for path in sorted(campaign.results.rglob("*")):
        if path.is_file() and not {"failures", "pool", "parcels"} & set(path.parts):
            yield path


@step(4)
def set_the_clock(world: "World", chance: Random) -> Said:
    """Date all results, and what Snakemake keeps, into the future or the past."""
    days = chance.choice([-400, -1, 1, 400])
    then = time.time() + days * 86400
    folders, kept = [world.campaign.results], world.campaign.work / ".snakemake"
    if chance.random() < 0.5 and kept.exists():
        folders.append(kept)
    for folder in folders:
        for path in [folder, *folder.rglob("*")]:
            os.utime(path, (then, then), follow_symlinks=False)
    return f"results dated {days} days from now"


@step(6)
def delete(world: "World", chance: Random) -> Said:
    """Delete a file or a folder of the results."""
    paths = list(results_of(world.campaign))
    if chance.random() < 0.3:
        paths = sorted({path.parent for path in paths} - {world.campaign.results})
    if not paths:
        return None
    path = chance.choice(paths)
    shutil.rmtree(path) if path.is_dir() else path.unlink()
    world.damaged = True
    return f"{short(world.campaign, path)} deleted"


@step(5)
def forget(world: "World", chance: Random) -> Said:
    """Delete what Snakemake keeps, or a part of it."""
    kept = world.campaign.work / ".snakemake"
    part = chance.choice(["", "metadata", "incomplete", "one"])
    if part == "one":
        records = sorted((kept / "metadata").glob("*"))
        if not records:
            return None
        chance.choice(records).unlink()
    else:
        shutil.rmtree(kept / part, ignore_errors=True)
    return f".snakemake/{part} deleted"


@step(4)
def spoil_metadata(world: "World", chance: Random) -> Said:
    """Spoil what Snakemake keeps of one or of all jobs, as a full disk does."""
    records = sorted((world.campaign.work / ".snakemake" / "metadata").glob("*"))
    records = [path for path in records if path.is_file()]
    if not records:
        return None
    chosen = records if chance.random() < 0.3 else [chance.choice(records)]
    for path in chosen:
        content = path.read_bytes()
        path.write_bytes(content[: chance.choice([0, len(content) // 2])])
    return f"{len(chosen)} records of .snakemake/metadata cut short, one of {_named(chosen[0])}"


def _named(record: Path) -> str:
    try:
        return base64.b64decode(record.name, b"-_").decode()
    except ValueError:
        return record.name


@step(6)
def spoil(world: "World", chance: Random) -> Said:
    """Cut a result short, or write over its bytes."""
    kinds = {".parquet", ".json", ".duckdb", ".csv"}
    paths = [
        path
        for path in results_of(world.campaign)
        if path.suffix in kinds and path.stat().st_size and path.name != "problems.csv"
    ]
    if not paths:
        return None
    path = chance.choice(paths)
    status, content = path.stat(), bytearray(path.read_bytes())
    how = chance.choice(["cut short", "emptied", "written over"])
    if how == "cut short":
        del content[len(content) // 2 :]
    elif how == "emptied":
        content.clear()
    else:
        start = chance.randrange(len(content))
        content[start : start + 16] = b"!" * len(content[start : start + 16])
    path.write_bytes(content)
    if chance.random() < 0.5:
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
        how += ", its time kept"
    world.damaged = True
    world.spoiled.append(path)
    return f"{short(world.campaign, path)} {how}"


@step(3)
def copy_results(world: "World", chance: Random) -> Said:
    """Copy the results elsewhere and back, without their times; perhaps without .snakemake."""
    results, away = world.campaign.work / "results", world.campaign.folder / "away"
    shutil.copytree(results, away, copy_function=shutil.copyfile)
    shutil.rmtree(results)
    away.rename(results)
    if chance.random() < 0.5:
        shutil.rmtree(world.campaign.work / ".snakemake", ignore_errors=True)
        return "results copied without times and .snakemake"
    return "results copied without times"


@step(2)
def fill_in_causes(world: "World", chance: Random) -> Said:
    """Say why a judge failed, where people are asked to."""
    sheets = sorted(world.campaign.results.glob("failures/alpha/*.csv"))
    sheets = [sheet for sheet in sheets if sheet.stat().st_size and len(read_rows(sheet))]
    if not sheets:
        return None
    sheet = chance.choice(sheets)
    rows = read_rows(sheet)
    chance.choice(rows)["cause"] = chance.choice(["judge wrong", "reference wrong", "both"])
    write_rows(sheet, rows)
    return f"a cause in {short(world.campaign, sheet)}"
