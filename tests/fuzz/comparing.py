"""The results of a campaign beside those of a run from nothing: byte by byte, but for what is listed.

What differs between two runs from nothing on the same input, or tells of the past on purpose, is
named here with its reason; everything else under the campaign's results is compared.
"""

import difflib
import hashlib
import json
import re
import shutil
from dataclasses import dataclass
from pathlib import Path

import duckdb
import yaml

from qampaign.files import is_changed
from tests.fuzz.fuzz_campaign import Fuzzed
from tests.helpers import parcel_search
from tests.helpers.processes import Run

NOT_COMPARED = {
    "logs/": "they have times",
    "benchmarks/": "they have times",
    "records/": "they have times, and hashes of files that have",
    ".lock": "it names a process",
    ".run": "it names a run",
    "ingest.json": "it counts the files that were read this time",
    "published.json": "it may have hashes of tables that have times",
    "campaign.duckdb": "rows stand there in the order in which files came, each with its number",
    "pool/": "it is made only where somebody asks for it",
    "parcels/.written.json": "it has hashes of pages that have times",
    "problems.csv": "it tells of the last input that was refused",
}
"""Files and folders that are not compared, and why."""

MASKED_IN_PAGE = {
    r"\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d\+00:00| \d\d:\d\d UTC)": "when the tables were published",
    r"All jobs before publication took [^<]*together": "how long the jobs took",
    r'<table[^>]*data-table="times".*?</table>': "how long the stages took",
    r'<li><a href="#[^"]*-changes">.*?</li>': "what changed since the last results",
    r'<section class="topic" id="[^"]*-changes".*?</section>\s*': "the same",
    r'<th scope="col" title="since the previous results">Changed</th>': "the same",
    r'<td data-label="Changed">.*?</td>\n?': "the same",
    r'"history(_gone)?": ?\{[^{}]*\},? ?': "the publications before",
    r",(?=\})": "what stood before them",
    r'<script type="application/json" id="specs">.*?</script>': "what draws them is among the "
    "specifications; each of the others is compared in page.json",
}
"""What is cut out of the page, and why; the rest of it is compared."""

OF_THE_PAST = ("changes", "history")
UNLIKE_IN_TABLES = {"changes": None, "history": None, "provenance": ("time", "seconds")}
"""Tables that tell of the past: not compared at all, or without the rows of some topics."""

Content = dict[str, bytes]


class Difference(AssertionError):
    """What a campaign shows is not what a run from nothing gives."""

    def __init__(self, what: str, shown: str = "") -> None:
        """With the last lines that a run has shown."""
        last = [f"    | {line[:200]}" for line in shown.splitlines()[-15:]]
        super().__init__("\n".join([what, *last]))


def contents(campaign: Fuzzed) -> Content:
    """Everything that is compared: by file, and by table of the published database."""
    found: Content = {}
    for path in sorted(campaign.results.rglob("*")):
        name = path.relative_to(campaign.results).as_posix()
        if path.is_dir() or f"{name}/".startswith(tuple(NOT_COMPARED)):
            continue
        if name == "results.duckdb":
            found |= _tables(path)
        elif name.startswith("failures/"):
            if path.suffix == ".csv" and not is_changed(path):  # else it is people's
                found[name] = path.read_bytes()
        elif path.name in ("tables.json", "page.json"):
            found[name] = _without_changes(path)
        elif (
            path.parent.name == "tables" and path.stem in OF_THE_PAST and path.parts[-3] != "report"
        ):
            continue  # it tells of the past, and is there only if something changed
        elif name == "report/index.html" or re.fullmatch(r"parcels/.*/index.html", name):
            found[name] = _masked(path.read_text(encoding="utf-8")).encode()
        elif path.suffix == ".csv" and path.stem in UNLIKE_IN_TABLES:
            found[name] = _without_times(path)
        else:
            found[name] = path.read_bytes()
    return found


def write_parcels(campaign: Fuzzed, *, names: bool) -> None:
    """Write the parcels of a campaign beside its results, over those that are there."""
    is_open = yaml.safe_load(campaign.read("config.yaml")).get("open", True)
    database = campaign.results / "results.duckdb"
    parcel_search.written(database, campaign.results / "parcels", is_open=is_open, names=names)


def _tables(database: Path) -> Content:
    """The rows of each published table, in their order."""
    found = {}
    with duckdb.connect(str(database), read_only=True) as connection:
        for (name,) in connection.sql("SHOW TABLES").fetchall():
            cursor = connection.execute(f'FROM "{name}"')
            assert cursor.description is not None
            rows = [tuple(each[0] for each in cursor.description), *cursor.fetchall()]
            left_out = UNLIKE_IN_TABLES.get(name, ())
            if left_out is None:
                rows = rows[:1]
            rows = [row for row in rows if not left_out or row[0] not in left_out]
            found[f"results.duckdb/{name}"] = "\n".join(map(repr, rows)).encode()
    return found


def _without_times(path: Path) -> bytes:
    left_out = UNLIKE_IN_TABLES[path.stem]
    lines = path.read_text(encoding="utf-8").splitlines()
    if left_out is None:
        return lines[0].encode()
    return "\n".join(line for line in lines if line.split(",")[0] not in left_out).encode()


def _without_changes(path: Path) -> bytes:
    """What was made of a collection, but for what changed since the last results."""
    made = json.loads(path.read_text(encoding="utf-8"))
    if path.name == "page.json":
        made["html"] = _masked(made["html"])
        made["sections"] = [each for each in made["sections"] if each["id"] != "changes"]
        del made["overview"]["changes"]
        specs = made["specs"].items()
        made["specs"] = {k: v for k, v in specs if '"name": "history"' not in json.dumps(v)}
    else:
        for kind in ("rows", "sha256"):
            made[kind] = {k: v for k, v in made[kind].items() if not k.startswith(OF_THE_PAST)}
    return json.dumps(made, indent=1).encode()


def _masked(page: str) -> str:
    for pattern in MASKED_IN_PAGE:
        page = re.sub(pattern, "", page, flags=re.DOTALL)
    return page


def differences(own: Content, fresh: Content) -> list[str]:
    """What differs, in words.

    Files of judges, collections and studies that are gone may stay where nobody looks for what is
    there: results are found by the names of the config. Among the tables to look at they may not.
    """
    found = []
    for name in sorted(own.keys() | fresh.keys()):
        if name not in own:
            found.append(f"{name} is missing")
        elif name not in fresh:
            if re.match(r"results\.duckdb/|parcels/|report/.*\.(csv|html)$", name):
                found.append(f"{name} is there, but a run from nothing does not make it")
        elif own[name] != fresh[name]:
            found.append(f"{name} differs{_first_lines(own[name], fresh[name])}")
    return found


def _first_lines(own: bytes, fresh: bytes, most: int = 6) -> str:
    try:
        before, after = own.decode().splitlines(), fresh.decode().splitlines()
    except UnicodeDecodeError:
        return ""
    lines = list(difflib.unified_diff(before, after, "here", "from nothing", lineterm="", n=0))
    return "".join(f"\n      {line[:160]}" for line in lines[2 : 2 + most])


@dataclass(frozen=True)
class Outcome:
    """How a run from nothing ended: with results, or refused with words."""

    content: Content | None
    shown: str


class FromNothing:
    """What runs from nothing give, each state of config, input and code computed once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.known: dict[str, Outcome] = {}
        self.runs = 0

    def begin(self, campaign: Fuzzed) -> "Pending":
        """Start a run from nothing on a copy of the campaign's input, unless it is known."""
        key = state(campaign)
        if key in self.known:
            return Pending(self, key, None, None)
        self.runs += 1
        copy = campaign.copy_of_inputs(self.folder / str(self.runs))
        for path in filled_sheets(campaign):
            target = copy.results / path.relative_to(campaign.results)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
        return Pending(self, key, copy, copy.begin(copy.command()))


@dataclass(frozen=True)
class Pending:
    """A run from nothing that may be under way."""

    kept: FromNothing
    key: str
    copy: Fuzzed | None
    running: Run | None

    @property
    def with_names(self) -> bool:
        """Whether parcels are compared with or without names of others; some are, some are not."""
        return int(self.key, 16) % 2 == 1

    def outcome(self) -> Outcome:
        if self.running is not None and self.copy is not None:
            failed = self.running.wait()
            if not failed:
                write_parcels(self.copy, names=self.with_names)
            content = None if failed else contents(self.copy)
            self.kept.known[self.key] = Outcome(content, self.running.shown)
            shutil.rmtree(self.copy.folder)
        return self.kept.known[self.key]


def filled_sheets(campaign: Fuzzed) -> list[Path]:
    """The sheets that people have begun to fill in: input, though it stands among the results."""
    found = sorted(campaign.results.glob("failures/*/*.csv"))
    return [path for path in found if is_changed(path)]


def state(campaign: Fuzzed) -> str:
    """A hash of all that results follow from."""
    digest = hashlib.sha256()
    roots = [campaign.data, campaign.project]
    paths = [path for root in roots for path in sorted(root.rglob("*")) if path.is_file()]
    for path in [*paths, *filled_sheets(campaign)]:
        if "__pycache__" not in path.parts:
            digest.update(f"{path}\0{path.stat().st_size}\0".encode() + path.read_bytes())
    return digest.hexdigest()
