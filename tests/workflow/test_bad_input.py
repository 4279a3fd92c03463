"""Bad input from end to end: what a person sees, and that earlier results stay as they were."""

import duckdb
import polars as pl
import pytest

from tests.helpers.cases import first
from tests.helpers.tiny_campaign import BETA, Tiny

FRAMES = ("Traceback", '  File "', "CalledProcessError", "WorkflowError", "Exiting because")


def rows(tiny: Tiny) -> list[tuple[object, ...]]:
    """What the campaign's database holds."""
    with duckdb.connect(str(tiny.results / "campaign.duckdb"), read_only=True) as connection:
        return connection.execute("FROM assessments UNION ALL BY NAME FROM responses").fetchall()


@pytest.mark.exhaustive
def test_bad_files_after_a_good_run(tiny: Tiny) -> None:
    assessments, run = tiny.read("alpha/assessments.csv"), tiny.read("alpha/runs/a2.csv")
    kept = {"results.duckdb", "report/index.html", "report/tables/scores.csv"}
    before, loaded = tiny.files(), rows(tiny)
    tiny.replace("alpha/assessments.csv", "adjudicated,W\n", "adjudicated,Q\nq9,Lyon,ana,R\n")
    tiny.replace("alpha/runs/a2.csv", "q2,1,Oslo", "q2,first,Oslo")
    tiny.correct_a_label()  # which is good, and not loaded
    first, *lines = tiny.run(code=1).shown.splitlines()
    assert first.startswith("[failed] reading and checking the raw files (")
    assert lines == [
        "",
        "Failed: reading and checking the raw files",
        "  The input has 3 problems. Nothing was loaded; earlier results are as they were.",
        "    alpha/assessments.csv, line 6, column label: 'Q' is an unknown label; allowed: "
        "right, wrong, inexact, unsupported, repeated, not_attempted, R, W, U, true, yes, 1, false, "
        "no, 0",
        "    alpha/assessments.csv, line 7, column question: 'q9' is an unknown question; allowed: "
        "a question of the collection alpha",
        "    alpha/runs/a2.csv, line 3, column rank: 'first' is not a whole number; allowed: "
        "a whole number",
        "  All of them: results/tiny/problems.csv",
        "  Log: results/tiny/logs/ingest.log",
    ]
    after = tiny.files()
    assert {name: after[name] for name in kept} == {name: before[name] for name in kept}
    assert rows(tiny) == loaded
    problems = pl.read_csv(tiny.results / "problems.csv")
    assert problems.select("file", "line", "column", "value").rows() == [
        ("alpha/assessments.csv", 6, "label", "Q"),
        ("alpha/assessments.csv", 7, "question", "q9"),
        ("alpha/runs/a2.csv", 3, "rank", "first"),
    ]

    tiny.write("alpha/assessments.csv", assessments)
    tiny.write("alpha/runs/a2.csv", run)
    assert tiny.run().ran == {"ingest", *BETA, "publish", "report"}
    assert tiny.values() == {"a1": 0.625, "a2": 0.5, "a3": 0.3125}
    assert tiny.values(collection="beta") == {"b1": 1.0, "b2": 1.0}
    assert not (tiny.results / "problems.csv").exists()
    assert list((tiny.results / "logs").rglob("*.failed")) == []


@pytest.mark.exhaustive
def test_what_one_collection_lacks_keeps_no_other_waiting(tiny: Tiny) -> None:
    published = (tiny.results / "results.duckdb").read_bytes()
    tiny.replace("alpha/assessments.csv", "q1,Lyon,adjudicated,W\n", "")
    tiny.replace("alpha/assessments.csv", "q4,Bob,ana", "q4,Rob,ana")
    tiny.correct_a_label()
    ended = tiny.run(code=1)
    assert ended.ran == {"ingest", *BETA}
    _, *failures = ended.shown.strip().split("\n\n")
    assert sorted(failures) == [
        "Failed: judging alpha by ana\n"
        "  Collection alpha, judge ana: 1 answer has no verdict. Add one for each "
        "(qampaign pool lists what people have not labelled), or count such answers as wrong: unassessed: wrong\n"
        "    run a2, question q4, rank 1: 'Bob'\n"
        "  Log: results/tiny/logs/alpha/judge/ana.log",
        "Failed: judging alpha by people\n"
        "  Collection alpha, judge people: an answer has neither a majority nor an adjudicated "
        "label. Fill in the column label of results/tiny/ties/alpha/people.csv and add that file to "
        "the assessments, or say in the config which verdict wins: ties: [wrong]\n"
        "    question q1, 'Lyon': ana: right, bob: wrong\n"
        "  Log: results/tiny/logs/alpha/judge/people.log",
    ]
    assert not [frame for frame in FRAMES if frame in ended.shown]
    assert (tiny.results / "results.duckdb").read_bytes() == published
    assert pl.read_parquet(tiny.results / "beta/scores/people.parquet").filter(
        pl.col("run") == "b2", pl.col("measure") == "accuracy"
    )["value"].to_list() == [1.0]

    settings = {"ties": ["right"], "unassessed": "wrong"}
    tiny.configure(lambda config: config["collections"]["alpha"].update(settings))
    assert tiny.run().ran >= {"alpha/judge/people", "alpha/judge/ana", "publish", "report"}
    assert tiny.values() == {"a1": 0.625, "a2": 0.75, "a3": 0.3125}  # Lyon is right
    assert tiny.values(collection="beta") == {"b1": 1.0, "b2": 1.0}


# What is wrong with the config, and all that is shown of it.
@pytest.mark.parametrize(
    ("config", "shown"),
    first(
        0,
        [
            (
                "campaign: ../tiny\ntitel: x\ncollections: {a: {runs: r.csv, assessments: [[]]}}\n",
                "The config cannot be used:\n"
                "  {data}/config.yaml, line 1: '../tiny' in campaign is not allowed; allowed: a name of "
                "letters, digits, - and _\n"
                "  {data}/config.yaml, line 2: titel is an unknown key; allowed: title (close), or "
                "campaign, title, seed, open, verify, limits, gate, overall, defaults, collections\n"
                "  {data}/config.yaml, line 3: '[[]]' in collections.a.assessments is not allowed; "
                "allowed: a path or a glob pattern, relative to the config file, or a list of them\n",
            ),
            (
                "campaign: [tiny\n",
                "{data}/config.yaml, line 2, character 1: is not YAML: expected ',' or ']', but got "
                "'<stream end>' (while parsing a flow sequence)\n",
            ),
            (None, "{data}/config.yaml: cannot be read: No such file or directory\n"),
        ],
    ),
)
def test_a_config_that_cannot_be_used(tiny: Tiny, config: str | None, shown: str) -> None:
    before = tiny.files()
    if config is None:
        (tiny.data / "config.yaml").unlink()
    else:
        tiny.write("config.yaml", config)
    assert tiny.run(code=1).shown == shown.replace("{data}", str(tiny.data))
    assert tiny.files() == before
