"""Only what can have changed is checked and remarked on again; nothing of it may be out of date.

Files are edited one after the other, and each time the database that was brought up to date is held
against one that is made from nothing: all tables, remarks, fingerprints, and the problems found.
"""

import random
import shutil
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import pytest

from qampaign.input.collection_files import CollectionFiles
from qampaign.problems import Refused
from tests.helpers.cases import first
from tests.helpers.toy_campaign import Campaign

NUMBERED = {
    "sources": "SELECT * EXCLUDE (source, state) FROM {}",
    "layout": "FROM {}",
    "handling": "FROM {}",
    "others": """SELECT path, "table", t.* EXCLUDE (source)
        FROM {} t LEFT JOIN sources USING (source)""",
}
"""Queries for what is in a table, whatever numbers the files have."""

FILES = {
    "questions1.csv": "question,type\nq1,factoid\nq2,list\n",
    "questions2.csv": "question,type\nq3,factoid\n",
    "runs/a.csv": "question,rank,answer\nq1,1,Paris\nq1,2,Lyon\nq2,1,blue\nq3,1,x\n",
    "runs/b.csv": "question,rank,answer\nq1,1,Rome\nq2,1,\nq3,1,x\n",
    "runs/c.csv": "question,rank,answer\nq1,1,Paris\nq2,1,red\nq3,1,y\n",
    "labels/a.csv": "question,run,rank,label\nq1,a,1,R\nq2,a,1,R\nq3,a,1,W\n",
    "labels/b.csv": "question,run,rank,label\nq1,b,1,W\nq3,b,1,W\n",
    "labels/strings.csv": "question,answer,label\nq1,Paris,R\nq1,Lyon,W\nq2,red,W\n",
    "gpt/1.csv": "question,run,rank,answer,label\nq1,a,1,Paris,R\nq1,b,1,Rome,W\n",
    "gpt/2.csv": "question,answer,label\nq1,Paris,R\nq3,x,W\n",
    "keys.csv": "question,key\nq1,Paris\nq2,blue\n",
    "patterns.csv": "question,pattern\nq1,Par.s\nq3,x\n",
    "info1.csv": "run,team\na,Alpha\nb,Beta\n",
    "info2.csv": "run,team\nc,Gamma\n",
    "other/run.csv": "question,answer\nz1,one\nz2,two\n",
    "other/labels1.csv": "question,answer,label\nz1,one,R\n",
    "other/labels2.csv": "question,answer,label\nz1,three,W\nz2,two,R\n",
}  # fmt: skip
CODES = {"R": "right", "W": "wrong"}


class Twin:
    """A campaign that is brought up to date again and again, and one that is made from nothing."""

    def __init__(self, folder: Path) -> None:
        self.kept, self.fresh = Campaign(folder), Campaign(folder / "fresh")
        paths = {
            "questions": ["questions*.csv"],
            "responses": ["runs/*"],
            "assessments": ["labels/*"],
            "verdicts/gpt": ["gpt/*"],
            "keys": ["keys.csv"],
            "patterns": ["patterns.csv"],
            "runs": ["info*.csv"],
        }
        self.kept.change(paths=paths, verdicts={"gpt": CODES}, by_key=True, ranked=True)
        self.other = CollectionFiles(  # it gives no list of questions
            "other",
            self.kept.files.folder,
            {"questions": [], "responses": ["other/run*"], "assessments": ["other/labels*"]},
            labels=CODES,
        )
        self.kept.write(FILES)

    def path(self, name: str) -> Path:
        return Path(self.kept.files.folder, name)

    def names(self) -> list[str]:
        """The files that there are."""
        folder = Path(self.kept.files.folder)
        return sorted(str(path.relative_to(folder)) for path in folder.rglob("*.csv"))

    def compare(self) -> list[str]:
        """Bring one up to date, make the other from nothing; the problems that both found."""
        self.fresh.files = self.kept.files
        kept, fresh = (
            self._ingest(campaign, anew=anew)
            for campaign, anew in ((self.kept, False), (self.fresh, True))
        )
        assert kept == fresh
        if not kept:
            assert _content(self.kept) == _content(self.fresh)
        return kept

    def _ingest(self, campaign: Campaign, *, anew: bool) -> list[str]:
        campaign.problems_csv.unlink(missing_ok=True)
        try:
            campaign.ingest(self.other, anew=anew)
        except Refused as refused:
            shown = str(refused).splitlines()[:-1]  # the last line names the file
            return [*shown, campaign.problems_csv.read_text()]
        return []

    def remarks(self) -> list[str]:
        return sorted(text for (text,) in self.kept.rows("SELECT remark FROM remarks"))


def _content(campaign: Campaign) -> dict[str, Any]:
    """Everything in the database, with files in place of their numbers, and all fingerprints."""
    content: dict[str, Any] = {}
    with duckdb.connect(str(campaign.database), read_only=True) as connection:
        for (table,) in connection.sql("SELECT table_name FROM duckdb_tables()").fetchall():
            query = NUMBERED.get(table, NUMBERED["others"]).format(table)
            content[table] = sorted(connection.sql(query).fetchall(), key=repr)
    content["fingerprints"] = {name: text for name, (text, _) in campaign.fingerprints().items()}
    content["rows.json"] = campaign.database.with_name("rows.json").read_text()
    return content


@pytest.fixture(scope="session")
def ingested(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What an ingest makes of the files."""
    made = Twin(tmp_path_factory.mktemp("ingested"))
    assert made.compare() == []
    return made.kept.folder / "results"


@pytest.fixture
def twin(tmp_path: Path, ingested: Path) -> Twin:
    shutil.copytree(ingested, tmp_path / "results")
    return Twin(tmp_path)


LABELLED = FILES["labels/b.csv"]
COSTED = "question,rank,answer,cost\nq1,1,Paris,1\nq2,1,red,2\nq3,1,y,3\n"
REMARKED = {
    "a label at a rank without an answer": (
        {"labels/b.csv": LABELLED + "q2,b,1,W\n"},
        ["assessments for ranks at which the run gives no answer"],
    ),
    "an answer that is taken away from its label": (
        {"runs/a.csv": FILES["runs/a.csv"].replace("q2,1,blue", "q2,1,")},
        ["assessments for ranks at which the run gives no answer"],
    ),
    "an answer that a verdict quotes and that changes": (
        {"runs/b.csv": FILES["runs/b.csv"].replace("Rome", "Roma")},
        ["verdicts that quote the answer differently from the run"],
    ),
    "an answer string that no run gives any more": (
        {"runs/c.csv": FILES["runs/c.csv"].replace("red", "green")},
        ["assessments for answers that no run gives"],
    ),
    "an answer string that no run gives": (
        {"gpt/2.csv": FILES["gpt/2.csv"] + "q1,Nice,W\n"},
        ["verdicts for answers that no run gives"],
    ),
    "a run that goes": (
        {"runs/b.csv": None},
        [
            "assessments for runs without responses: b",
            "information on runs without responses: b",
            "verdicts for runs without responses: b",
        ],
    ),
    "a cost that the rows of a run give as well": (
        {"info2.csv": "run,cost\nc,7\n", "runs/c.csv": COSTED},
        ["cost of runs whose responses give it, too, and these count: c"],
    ),
    "a row twice": (
        {"labels/a.csv": FILES["labels/a.csv"] + "q1,a,1,R\n"},
        ["duplicate assessments"],
    ),
    "a verdict twice": (
        {"gpt/2.csv": FILES["gpt/2.csv"] + "q3,x,W\n"},
        ["duplicate verdicts"],
    ),
    "a twin of a run": (
        {"runs/d.csv": FILES["runs/c.csv"]},
        ["runs that give the same answers: c, d"],
    ),
    "a run that becomes a twin": (
        {"runs/b.csv": FILES["runs/c.csv"]},
        ["runs that give the same answers: b, c",
         "verdicts that quote the answer differently from the run"],
    ),
    "a row that goes": (
        {"runs/c.csv": FILES["runs/c.csv"].replace("q3,1,y\n", "")},
        ["questions that a run has no row for, counted as unanswered: in 1 of 3 runs; most in c, "
         "33.3% of 3 questions"],
    ),
    "a question that comes": (
        {"questions2.csv": FILES["questions2.csv"] + "q4,list\n"},
        ["questions that a run has no row for, counted as unanswered: in 3 of 3 runs; most in c, "
         "25.0% of 4 questions"],
    ),
    "a question that a label names where there is no list": (
        {"other/labels1.csv": FILES["other/labels1.csv"] + "z3,one,R\n"},
        ["assessments for answers that no run gives",
         "questions that a run has no row for, counted as unanswered: in 1 of 1 runs; most in run, "
         "33.3% of 3 questions"],
    ),
    "a language that little is known of": (
        {"questions1.csv": "question,language\nq1,th\nq2,\n"},
        ["judged by a key without stop words, lemmas, a stemmer, spaces between words: not "
         "available for the language th; pairs of characters are compared"],
    ),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("edit", first(1, REMARKED))
def test_a_remark_comes_and_goes_with_the_edit_that_makes_it(twin: Twin, edit: str) -> None:
    files, remarks = REMARKED[edit]
    before, content = twin.remarks(), _content(twin.kept)
    twin.kept.write(files)
    assert twin.compare() == []
    more = Counter(twin.remarks())
    more.subtract(before)
    assert sorted(more.elements()) == remarks
    twin.kept.write({name: FILES.get(name) for name in files})
    twin.kept.ingest(twin.other)
    assert _content(twin.kept) == content


AT_FAULT: dict[str, tuple[dict[str, str | None], list[str]]] = {
    "a label that another file contradicts": (
        {"labels/b.csv": LABELLED + "q1,a,1,W\n"},
        ["conflicts with another label"],
    ),
    "a label by string that another file contradicts": (
        {"labels/b.csv": "question,answer,label\nq1,Paris,W\n"},
        ["conflicts with another label"],
    ),
    "a verdict that another file contradicts": (
        {"gpt/2.csv": "question,run,rank,label\nq1,b,1,R\n"},
        ["conflicts with another label"],
    ),
    "two verdicts of one trial": (
        {"gpt/2.csv": "question,answer,trial,label\nq1,Paris,1,R\nq1,Paris,1,W\n"},
        [
            "conflicts with another label by the judge for question q1, answer 'Paris', trial 1; "
            "allowed: one verdict per answer and trial"
        ],
    ),
    "a label for an unknown question": (
        {"labels/a.csv": FILES["labels/a.csv"] + "q9,a,1,R\n"},
        ["is an unknown question"],
    ),
    "a question that goes": ({"questions2.csv": None}, ["is an unknown question"]),
    "a question that is renamed": (
        {"questions2.csv": "question,type\nq4,factoid\n"},
        ["is an unknown question"],
    ),
    "a question in two files": (
        {"questions2.csv": "question,type\nq1,factoid\nq3,factoid\n"},
        ["is also in questions1.csv"],
    ),
    "the last label of a question where there is no list": (
        {"other/labels2.csv": FILES["other/labels2.csv"].replace("z2,two,R\n", "")},
        ["is an unknown question"],
    ),
    "an id that cannot be one where there is no list": (
        {"other/labels2.csv": FILES["other/labels2.csv"] + "z\x073,two,R\n"},
        ["is not allowed"],
    ),
    "a run in two files": (
        {"runs/d.csv": "run,question,rank,answer\na,q1,1,Nice\n"},
        ["is also in runs/a.csv"],
    ),
    "a rank twice": ({"runs/a.csv": FILES["runs/a.csv"] + "q3,1,y\n"}, ["occurs twice"]),
    "information on a run in two files": (
        {"info2.csv": "run,team\na,Gamma\nc,Gamma\n"},
        ["is also in info1.csv"],
    ),
    "two faults in two files": (
        {"keys.csv": FILES["keys.csv"] + "q9,x\n", "labels/b.csv": LABELLED + "q1,a,1,W\n"},
        ["is an unknown question", "conflicts with another label"],
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("edit", first(1, AT_FAULT))
def test_a_fault_is_found_and_gone_with_the_edit_that_makes_it(twin: Twin, edit: str) -> None:
    files, faults = AT_FAULT[edit]
    content = _content(twin.kept)
    twin.kept.write(files)
    found = "\n".join(twin.compare())
    assert all(fault in found for fault in faults)
    twin.kept.write({name: FILES.get(name) for name in files})
    twin.kept.ingest(twin.other)
    assert _content(twin.kept) == content


@pytest.mark.exhaustive
@pytest.mark.slow
def test_leaving_out_unknown_questions_or_not_is_checked_in_files_that_did_not_change(
    twin: Twin,
) -> None:
    twin.kept.write({"keys.csv": FILES["keys.csv"] + "q9,x\n"})
    assert any("is an unknown question" in line for line in twin.compare())
    twin.kept.change(skip_unknown_questions=True)
    assert twin.compare() == []
    assert "keys for questions that are not in the collection: left out" in twin.remarks()
    twin.kept.change(skip_unknown_questions=False)
    assert any("is an unknown question" in line for line in twin.compare())


@pytest.mark.exhaustive
@pytest.mark.slow
def test_a_list_of_questions_that_is_no_longer_given_changes_what_is_known(twin: Twin) -> None:
    """Ids of questions that were left out were not looked at; without a list they are."""
    paths = twin.kept.files.paths
    twin.kept.change(skip_unknown_questions=True)
    twin.kept.write({"keys.csv": FILES["keys.csv"] + "q\x079,x\n"})
    assert twin.compare() == []
    twin.kept.change(paths={**paths, "questions": []})
    assert any("keys.csv, line 4, column question" in line for line in twin.compare())
    twin.kept.change(paths=paths)
    assert twin.compare() == []


@pytest.mark.exhaustive
@pytest.mark.slow
def test_what_is_said_of_a_collection_goes_with_it(twin: Twin) -> None:
    twin.kept.write({"other/run2.csv": FILES["other/run.csv"]})
    assert twin.compare() == []
    assert "runs that give the same answers: run, run2" in twin.remarks()
    twin.other = replace(twin.other, collection="renamed")
    assert twin.compare() == []
    twin.other = replace(twin.other, paths={"responses": []})
    assert twin.compare() == []
    assert twin.kept.rows("SELECT count(*) FROM remarks WHERE collection <> 'toy'") == [(0,)]


# --- random edits ---

Edit = Callable[[Twin, random.Random], None]

VALUES = {
    "question": ["q1", "q2", "q3", "q4", "z1", "z2", "z3"],
    "run": ["a", "b", "c", "d", ""],
    "rank": ["1", "2"],
    "answer": ["Paris", "Lyon", "Rome", "blue", "red", "x", "y", "one", "two", ""],
    "label": ["R", "W"],
    "type": ["factoid", "list"],
    "key": ["Paris", "blue"],
    "pattern": ["Par.s", "x"],
    "team": ["Alpha", "Beta"],
}


def random_row(columns: list[str], chance: random.Random) -> str:
    return ",".join(chance.choice(VALUES[column]) for column in columns)


def edit_lines(twin: Twin, chance: random.Random) -> None:
    """Change a cell of a file, or take out, repeat or add a row."""
    path = twin.path(chance.choice(twin.names()))
    header, *rows = path.read_text().splitlines()
    columns = header.split(",")
    what = chance.choice(["change", "change", "change", "take out", "repeat", "add"])
    index = chance.randrange(len(rows)) if rows else 0
    if what == "change" and rows:
        cells = rows[index].split(",")
        column = chance.randrange(len(columns))
        cells[column] = chance.choice(VALUES[columns[column]])
        rows[index] = ",".join(cells)
    elif what == "take out" and len(rows) > 1:
        del rows[index]
    elif what == "repeat" and rows:
        rows.append(rows[index])
    else:
        rows.append(random_row(columns, chance))
    path.write_text("\n".join([header, *rows, ""]))


def move_row(twin: Twin, chance: random.Random) -> None:
    """Take the last row of a file to another with the same columns."""
    one, two = (twin.path(name) for name in chance.sample(twin.names(), 2))
    header, *rows = one.read_text().splitlines()
    if rows and two.read_text().splitlines()[0] == header:
        one.write_text("\n".join([header, *rows[:-1], ""]))
        two.write_text(two.read_text() + f"{rows[-1]}\n")


def copy_file(twin: Twin, chance: random.Random) -> None:
    """Copy a file beside itself or over another: with a run it makes a twin."""
    one = twin.path(chance.choice([name for name in twin.names() if "/" in name]))
    two = one.with_name(f"{chance.choice('abcd')}.csv" if "other" not in one.parts else "run2.csv")
    two.write_text(one.read_text())


def delete_file(twin: Twin, chance: random.Random) -> None:
    twin.path(chance.choice(twin.names())).unlink()


def restore_file(twin: Twin, chance: random.Random) -> None:
    name = chance.choice(sorted(FILES))
    twin.kept.write({name: FILES[name]})


def change_config(twin: Twin, chance: random.Random) -> None:
    """Leave out unknown questions or not, give a list of questions or not."""
    if chance.random() < 0.5:
        twin.kept.change(skip_unknown_questions=not twin.kept.files.skip_unknown_questions)
    elif chance.random() < 0.5:
        skipping = not twin.other.skip_unknown_questions
        twin.other = replace(twin.other, skip_unknown_questions=skipping)
    else:
        given = ["questions*.csv"] if not twin.kept.files.paths["questions"] else []
        twin.kept.change(paths={**twin.kept.files.paths, "questions": given})


EDITS: dict[Edit, int] = {
    edit_lines: 14,
    move_row: 2,
    copy_file: 1,
    delete_file: 1,
    restore_file: 4,
    change_config: 2,
}


def snapshot(twin: Twin) -> dict[str, str]:
    return {name: twin.path(name).read_text() for name in twin.names()}


@pytest.mark.exhaustive
@pytest.mark.slow
@pytest.mark.parametrize(
    ("seed", "steps"),
    first(1, [(0, 4), (0, 12), *((n, 60) for n in range(1, 8))]),
)
def test_after_any_edit_nothing_is_stale(twin: Twin, seed: int, steps: int) -> None:
    """One edit or some, then an ingest; what is refused is mostly undone, else it stays for the next."""
    chance = random.Random(seed)
    good = snapshot(twin)
    good_config = twin.kept.files, twin.other
    refused = 0
    for _ in range(steps):
        for _ in range(chance.choice([1, 1, 1, 2, 3])):
            (edit,) = chance.choices([*EDITS], [*EDITS.values()])
            edit(twin, chance)
        if not twin.compare():
            good, good_config = snapshot(twin), (twin.kept.files, twin.other)
            continue
        refused += 1
        if chance.random() < 0.8:
            twin.kept.files, twin.other = good_config
            twin.kept.write({**dict.fromkeys(twin.names()), **good})
    assert 0 < refused < steps
