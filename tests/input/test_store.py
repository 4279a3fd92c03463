"""The database: one transaction or none, a clear word when it is damaged, hashes that tell rows."""

import random
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import duckdb
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qampaign.input import store
from qampaign.problems import Refused
from tests.helpers.cases import first
from tests.helpers.tiny_campaign import ROOT
from tests.helpers.toy_campaign import FILES, Campaign, without_states

# --- fingerprints ---

values = st.none() | st.sampled_from(["", "a", "b", "ab"]) | st.text(max_size=3)
tables = st.lists(st.tuples(values, values, st.none() | st.integers(0, 3)), max_size=6)
SCHEMA = {"x": pl.String, "y": pl.String, "n": pl.Int64}


def hash_of(table: list[tuple[object, ...]]) -> int:
    (found,) = store.hash_rows(pl.DataFrame(table, schema=SCHEMA, orient="row"), [len(table)])
    return found


@given(tables, st.randoms(), st.integers(0, 6))
def test_a_fingerprint_is_the_same_for_the_same_rows_in_any_order_and_split(
    table: list[tuple[object, ...]], chance: random.Random, cut: int
) -> None:
    shuffled = chance.sample(table, len(table))
    parts = [hash_of(shuffled[:cut]), hash_of(shuffled[cut:])]
    assert store.fingerprint(parts) == store.fingerprint([hash_of(table)])


@given(tables, tables)
def test_a_fingerprint_is_another_for_other_rows(
    one: list[tuple[object, ...]], other: list[tuple[object, ...]]
) -> None:
    same = sorted(one, key=repr) == sorted(other, key=repr)
    assert (hash_of(one) == hash_of(other)) == same


def test_a_value_in_another_column_a_row_twice_and_null_for_empty_are_other_rows() -> None:
    tables: list[list[tuple[object, ...]]] = [
        [("a", None, 1)], [(None, "a", 1)], [("a", "", 1)], [("", "a", 1)], [("a", None, None)],
        [("a", None, 1)] * 2, [("a", None, 1)] * 3, [("a", "b", 1), ("b", "a", 1)],
        [("a", "a", 1), ("b", "b", 1)], [],
    ]  # fmt: skip
    assert len({hash_of(table) for table in tables}) == len(tables)


# --- a database that is not as it should be ---


@pytest.mark.slow
def test_random_bytes_in_place_of_the_database_are_refused_in_words(loaded: Campaign) -> None:
    loaded.database.write_bytes(random.Random(1).randbytes(20_000))
    with pytest.raises(Refused) as refused:
        loaded.ingest()
    assert str(refused.value).startswith(f"{loaded.database} cannot be used (")
    assert str(refused.value).endswith(
        "). If it is damaged, delete it: the next run builds it again from the raw files."
    )
    assert loaded.ingest(anew=True) == (5, 0)


@pytest.mark.slow
def test_wherever_the_database_is_cut_off_or_damaged_it_is_refused_or_still_right(
    loaded: Campaign,
) -> None:
    columns = ["run", "question", "rank", "answer", "answered"]
    whole, chance, refused = loaded.database.read_bytes(), random.Random(2), 0
    content = store.read(loaded.database, "toy", "responses", columns)
    for number in range(12):
        damaged = bytearray(whole)
        if number % 2:
            del damaged[chance.randrange(1, len(damaged)) :]
        else:
            place = chance.randrange(len(damaged) - 1000)
            damaged[place : place + 1000] = chance.randbytes(1000)
        loaded.database.write_bytes(damaged)
        try:
            loaded.ingest()
            found = store.read(loaded.database, "toy", "responses", columns)
        except Refused:
            refused += 1
        else:
            assert found.equals(content)
        loaded.database.with_name("campaign.duckdb.wal").unlink(missing_ok=True)
    assert refused > 6


def test_readers_refuse_a_damaged_or_missing_database_in_words(tmp_path: Path) -> None:
    (tmp_path / "damaged").write_bytes(b"x" * 5000)
    for name in ("damaged", "missing"):
        with pytest.raises(Refused, match=f"{name} cannot be used"):
            store.read(tmp_path / name, "toy", "responses", ["run"])


def test_a_folder_in_place_of_the_database_is_refused(campaign: Campaign) -> None:
    campaign.database.mkdir(parents=True)
    with pytest.raises(Refused, match="cannot be used"):
        campaign.ingest()


@pytest.mark.exhaustive
@pytest.mark.slow
def test_a_database_of_another_layout_is_made_anew(loaded: Campaign) -> None:
    content = loaded.content()
    with duckdb.connect(str(loaded.database)) as connection:
        connection.execute("UPDATE layout SET text = 'earlier'")
        connection.execute("ALTER TABLE responses DROP support")
        connection.execute('CREATE TABLE "old ""one""" AS SELECT 1')
    assert loaded.ingest() == (5, 0)
    assert loaded.content() == content


@pytest.mark.slow
def test_a_database_of_something_else_is_left_alone(campaign: Campaign) -> None:
    campaign.database.parent.mkdir()
    with duckdb.connect(str(campaign.database)) as connection:
        connection.execute("CREATE TABLE precious AS SELECT 42 AS answer")
    with pytest.raises(Refused, match="is not the database of a campaign"):
        campaign.ingest()
    assert campaign.content() == {"precious": [(42,)]}


def fail(database: Path, error: type[BaseException]) -> None:
    with store.writing(database) as writer:
        writer.connection.execute("DELETE FROM responses")
        raise error


@pytest.mark.exhaustive
@pytest.mark.slow
@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt])
def test_an_exception_undoes_everything(loaded: Campaign, error: type[BaseException]) -> None:
    content = loaded.content()
    with pytest.raises(error):
        fail(loaded.database, error)
    assert loaded.content() == content


@pytest.mark.slow
def test_an_error_in_our_own_sql_is_not_blamed_on_the_file(loaded: Campaign) -> None:
    with pytest.raises(duckdb.CatalogException):
        store.read(loaded.database, "toy", "no such table", ["run"])


# --- readers ---


@pytest.mark.slow
def test_readers_see_one_collection_and_what_is_told_of_its_runs(loaded: Campaign) -> None:
    found = store.read(loaded.database, "toy", "responses", ["run", "answer"])
    assert sorted(found.rows(), key=repr) == [
        ("a", "Paris"), ("a", "blue"), ("b", "Rome"), ("b", None),
    ]  # fmt: skip
    assert store.read(loaded.database, "no'; --", "responses", ["run"]).is_empty()
    assert store.read_run_information(loaded.database, "toy").rows() == [
        ("a", "Alpha", *[None] * 6),
        ("b", "Beta", *[None] * 6),
    ]
    assert store.read_run_information(loaded.database, "other").is_empty()
    sources, remarks = store.read_sources(loaded.database, "toy")
    assert sources["path"].to_list() == [
        *("assessments.csv", "questions.csv", "runs/a.csv", "runs/b.csv", "info.csv"),
    ]
    assert remarks.is_empty()


# --- killed half-way ---

# Ingests; dies at the n-th call of a function if one is named.
DYING = """
import os, signal, sys
from pathlib import Path
from tests.helpers.toy_campaign import Campaign
from qampaign.input import ingest
from qampaign.input.store import Writer

owner, name, count = sys.argv[2:]
function = getattr(globals()[owner], name) if owner else None
calls = 0

def dying(*arguments, **keywords):
    global calls
    calls += 1
    if calls == int(count):
        os.kill(os.getpid(), signal.SIGKILL)
    return function(*arguments, **keywords)

if function:
    setattr(globals()[owner], name, dying)
print("ready", flush=True)
Campaign(Path(sys.argv[1])).ingest()
"""


def digest(campaign: Campaign) -> dict[str, tuple[object, ...]]:
    """Number and hash of the rows of each table."""
    tables = [name for (name,) in campaign.rows("SELECT table_name FROM duckdb_tables()")]
    query = "SELECT count(*), sum(hash(t)::HUGEINT) FROM ({}) t"
    return {name: campaign.rows(query.format(without_states(name)))[0] for name in sorted(tables)}


def start(
    campaign: Campaign, owner: str = "", name: str = "", count: int = 0
) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", DYING, str(campaign.folder), owner, name, str(count)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT)


RUNS, QUESTIONS = 4, 10_000


@pytest.fixture(scope="module")
def large(results: Path, tmp_path_factory: pytest.TempPathFactory) -> Campaign:
    """A campaign with small files in the database, and large ones waiting to be read."""
    made = Campaign(tmp_path_factory.mktemp("large"))
    shutil.copytree(results, made.folder / "results")
    ids = [f"q{number}" for number in range(QUESTIONS)]
    answers = "".join(f"{question},answer to {question}\n" for question in ids)
    made.write({f"runs/large{run}.csv": f"question,answer\n{answers}" for run in range(RUNS)})
    made.write(
        {
            "questions.csv": "question\n" + "\n".join(ids),
            "runs/a.csv": "question,answer\nq1,changed\n",
            "assessments.csv": "question,answer,label\nq1,changed,R\n",
            "info.csv": "run\na\n",
        }
    )
    return made


@pytest.fixture(scope="module")
def complete(large: Campaign, tmp_path_factory: pytest.TempPathFactory) -> Campaign:
    """The same when nothing disturbs it."""
    made = Campaign(tmp_path_factory.mktemp("complete") / "copy")
    shutil.copytree(large.folder, made.folder)
    assert made.ingest() == (RUNS + 4, 0)
    return made


@pytest.fixture
def struck(large: Campaign, complete: Campaign, tmp_path: Path) -> Iterator[Campaign]:
    """A campaign whose ingest is to be killed: the database stays as it was, or is complete."""
    made = Campaign(tmp_path / "copy")
    shutil.copytree(large.folder, made.folder)
    before, after = digest(large), digest(complete)
    yield made
    made.ingest()
    assert digest(made) == after
    assert {name: text for name, (text, _) in made.fingerprints().items()} == {
        name: text for name, (text, _) in complete.fingerprints().items()
    }
    assert before != after


def left_behind(campaign: Campaign) -> dict[str, tuple[object, ...]]:
    """What the next writer finds, changes that wait in the log of the database included."""
    with store.writing(campaign.database):
        pass
    return digest(campaign)


@pytest.mark.exhaustive
@pytest.mark.slow
@pytest.mark.parametrize(
    ("owner", "name", "count", "kept"),
    first(
        1,
        [
            ("ingest", "_fingerprints", 1, False),
            ("Writer", "add", 4, False),
            ("ingest", "_renew", 3, True),
        ],
    ),
)
def test_killed_at_a_step_the_database_is_as_before_or_complete(
    struck: Campaign,
    large: Campaign,
    complete: Campaign,
    owner: str,
    name: str,
    count: int,
    kept: bool,
) -> None:
    with start(struck, owner, name, count) as process:
        assert process.wait() == -signal.SIGKILL
    assert left_behind(struck) == digest(complete if kept else large)


@pytest.mark.slow
def test_rows_are_read_by_run_and_question_whatever_columns_are_asked_for(
    tmp_path: Path,
) -> None:
    campaign = Campaign(tmp_path)
    campaign.write(FILES | {"runs/a.csv": "question,answer\nq2,blue\nq1,Paris\n"})
    campaign.ingest()
    rows = store.read(campaign.database, "toy", "responses", ["answer", "question", "run"])
    assert rows.rows() == [
        ("Paris", "q1", "a"), ("blue", "q2", "a"), ("Rome", "q1", "b"), (None, "q2", "b"),
    ]  # fmt: skip


@pytest.mark.exhaustive
@pytest.mark.slow
@pytest.mark.parametrize(
    "edit",
    [
        {"runs/a.csv": "question,answer\nq1,Paris\nq2,red\n"},  # it is now loaded last
        {"runs/a.csv": "question,answer\nq2,red\nq1,Paris\n"},
        {
            "runs/b.csv": "run,question,answer\na1,q1,Rome\nc,q2,x\n",
            "runs/0.csv": FILES["runs/a.csv"],
        },
        {
            "runs/b.csv": "run,question,answer\n0,q1,Rome\nc,q2,x\n"
        },  # around the run of another file
        {"runs/a.csv": None, "runs/b.csv": "question,answer\nq2,x\n"},
        {"assessments.csv": "question,run,rank,label\nq2,b,1,W\nq1,b,1,W\nq1,a,1,R\n"},
        {"assessments2.csv": "question,run,rank,label\nq2,b,1,W\nq1,b,1,W\nq1,a,1,R\n"},
    ],
)
def test_rows_are_read_in_their_order_whatever_file_they_are_in(
    loaded: Campaign, edit: dict[str, str | None]
) -> None:
    loaded.write(edit)
    loaded.ingest()
    for table in ("responses", "assessments"):
        columns = ["answer", "rank", "question", "run"]
        rows = store.read(loaded.database, "toy", table, columns)
        key = ["run", "question", "rank", "answer"]
        assert rows.rows() == rows.sort(key, nulls_last=True).rows()
        there = loaded.rows(f"SELECT answer, rank, question, run FROM {table}")
        assert sorted(rows.rows(), key=repr) == sorted(there, key=repr)


def test_a_fingerprint_keeps_both_halves_of_a_hash_and_sums_them_apart() -> None:
    """128 bits as two sums modulo 2^64: what one half carries does not reach the other."""
    top = 2**64 - 1
    assert store.fingerprint([5 << 64 | 7]) == f"{5:016x}{7:016x}"
    assert store.fingerprint([1 << 64 | top, 2 << 64 | 3]) == f"{3:016x}{2:016x}"
    assert store.fingerprint([top << 64 | 1, 2 << 64 | 3]) == f"{1:016x}{4:016x}"


def test_the_halves_of_the_hash_of_rows_are_two_hashes() -> None:
    rows = pl.DataFrame({"answer": [f"answer {number}" for number in range(100)]})
    hashes = store.hash_rows(rows, [1] * 100)
    assert all(each >> 64 != each & 2**64 - 1 for each in hashes)
    assert len({each >> 64 for each in hashes}) == len({each & 2**64 - 1 for each in hashes}) == 100


@pytest.mark.exhaustive
@pytest.mark.slow
@pytest.mark.parametrize("seconds", first(1, [0.2, 0.4, 0.6]))
def test_killed_at_any_time_the_database_is_as_before_or_complete(
    struck: Campaign, large: Campaign, complete: Campaign, seconds: float
) -> None:
    with start(struck) as process:
        assert process.stdout
        process.stdout.readline()
        time.sleep(seconds)
        process.kill()
    assert left_behind(struck) in (digest(large), digest(complete))


# Opens a database to write, says so, and closes it when told to.
HOLDER = """
import sys, duckdb
with duckdb.connect(sys.argv[1]):
    print(flush=True)
    sys.stdin.readline()
"""


@pytest.mark.slow
def test_a_database_that_another_process_writes_is_waited_for_and_then_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = tmp_path / "campaign.duckdb"
    with store.writing(database):
        pass
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, database],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as holder:
        assert holder.stdin
        assert holder.stdout
        holder.stdout.readline()
        monkeypatch.setattr(store, "PATIENCE", 0)
        with (
            pytest.raises(
                Refused,
                match=rf"open in another program.*\(PID {holder.pid}\)\): a job of an earlier run",
            ),
            store.writing(database),
        ):
            pass
        monkeypatch.setattr(store, "PATIENCE", 60)
        threading.Timer(0.2, lambda: (holder.stdin.write("\n"), holder.stdin.flush())).start()
        with store.writing(database) as writer:
            assert writer.sources() == []
