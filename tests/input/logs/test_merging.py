"""Several logs of a collection: tasks, runs and targets; what changes, comes and goes."""

import os
from pathlib import Path

import pytest

from qampaign.input.collection_files import CollectionFiles
from tests.helpers.logs import inspect_eval, inspect_json, inspect_sample, log_campaign

pytestmark = pytest.mark.slow


RUNS = "SELECT DISTINCT run FROM responses ORDER BY run"


def test_runs_are_models_and_questions_are_there_once(tmp_path: Path) -> None:
    campaign = log_campaign(tmp_path)
    samples = [inspect_sample(1), inspect_sample(2)]
    campaign.write(
        {
            "logs/a.json": inspect_json(samples, model="org/one"),
            "logs/b.eval": inspect_eval(samples[:1], model="org/two"),
        }
    )
    assert campaign.ingest() == (2, 0)
    assert campaign.rows(RUNS) == [("org/one",), ("org/two",)]
    assert campaign.rows("SELECT question FROM questions ORDER BY ALL") == [("1",), ("2",)]
    assert campaign.rows("SELECT question FROM keys ORDER BY ALL") == [("1",), ("2",)]


def test_several_tasks_are_a_fault_that_lists_them(tmp_path: Path) -> None:
    campaign = log_campaign(tmp_path)
    campaign.write(
        {f"logs/{task}.json": inspect_json([inspect_sample(1)], task=task) for task in ("x", "y")}
    )
    assert campaign.refusal() == [
        "collection toy: has logs of 2 tasks: x, y; allowed: one task, or only: in logs with a "
        "task, or a pattern for several"
    ]


def test_only_takes_one_task_or_merges_several(tmp_path: Path) -> None:
    campaign = log_campaign(tmp_path, only=["x_1"])
    campaign.write(
        {
            f"logs/{task}.json": inspect_json([inspect_sample(1)], task=task)
            for task in ("x_1", "x_2", "y")
        }
    )
    campaign.ingest()
    assert campaign.rows("SELECT question, type FROM questions") == [("1", None)]
    campaign.change(logs={"only": ["x_*"]})
    campaign.ingest()
    assert campaign.rows("SELECT question, type FROM questions ORDER BY ALL") == [
        ("x_1/1", "x_1"),
        ("x_2/1", "x_2"),
    ]
    assert campaign.rows("SELECT run, question FROM responses ORDER BY ALL") == [
        ("mock/one", "x_1/1"),
        ("mock/one", "x_2/1"),
    ]
    campaign.change(logs={"only": ["z"]})
    assert campaign.refusal() == [
        "collection toy: 'z' is no task of the logs: only: matches none; allowed: x_1, x_2, y"
    ]


@pytest.mark.exhaustive
def test_two_logs_of_one_model_and_task_are_a_fault_that_names_run(tmp_path: Path) -> None:
    campaign = log_campaign(tmp_path)
    campaign.write({f"logs/{name}.json": inspect_json([inspect_sample(1)]) for name in ("a", "b")})
    assert campaign.refusal() == [
        "logs/b.json: 'mock/one' is the run of two logs of the task capitals, also in logs/a.json; "
        "allowed: one log for each run and task, or run: in logs, such as run: '{model} {stem}'"
    ]
    campaign.change(logs={"run": "{model} {stem} of {parent}"})
    campaign.ingest()
    assert campaign.rows(RUNS) == [("mock/one a of logs",), ("mock/one b of logs",)]


def test_another_target_for_an_id_is_a_fault(tmp_path: Path) -> None:
    campaign = log_campaign(tmp_path, run="{stem}")
    campaign.write(
        {
            "logs/a.json": inspect_json([inspect_sample(1)]),
            "logs/b.json": inspect_json([inspect_sample(1, target="Rome")]),
            "logs/c.json": inspect_json(
                [inspect_sample(1), inspect_sample(1, epoch=2, target="Oslo")]
            ),
        }
    )
    assert campaign.refusal() == [
        "logs/b.json, line 1, column target: 'Rome' is another target of 1 than in logs/a.json: "
        "'Paris'; allowed: the same target for an id in all logs of a task",
        "logs/c.json, line 2: sample 1, epoch 2: the target of 1 is not the one that it has before; "
        "allowed: one target for each id",
    ]


@pytest.mark.exhaustive
def test_only_changed_logs_are_read_again_and_results_are_as_from_nothing(tmp_path: Path) -> None:
    campaign = log_campaign(tmp_path, run="{stem}")

    def write(name: str, *values: str) -> None:
        samples = [inspect_sample(number, value) for number, value in enumerate(values, start=1)]
        campaign.write({f"logs/{name}.eval": inspect_eval(samples)})

    def as_from_nothing() -> None:
        counts = campaign.content()
        campaign.ingest(anew=True)
        numbered = {"sources", "responses", "logged", "logged_questions", "logs", "remarks"}
        for table, rows in campaign.content().items():
            if table not in numbered:
                assert counts[table] == rows, table
        assert len(counts["responses"]) == len(campaign.content()["responses"])

    write("a", "C", "I")
    write("b", "I", "I")
    assert campaign.ingest() == (2, 0)
    before = campaign.fingerprints()
    write("b", "I", "C")
    assert campaign.ingest() == (1, 1)
    after = campaign.fingerprints()
    assert {name for name in after if after[name][0] != before[name][0]} == {
        "toy/logged",
        "toy/sources",
    }
    write("c", "C", "C", "C")
    assert campaign.ingest() == (1, 2)
    as_from_nothing()
    campaign.write({"logs/c.eval": None})
    assert campaign.ingest() == (0, 2)
    assert campaign.rows("SELECT question FROM questions ORDER BY ALL") == [("1",), ("2",)]
    as_from_nothing()
    os.utime(Path(campaign.files.folder, "logs/a.eval"))
    assert campaign.ingest() == (0, 2)
    as_from_nothing()


@pytest.mark.exhaustive
def test_files_of_ones_own_go_before_what_logs_say(tmp_path: Path) -> None:
    campaign = log_campaign(tmp_path)
    paths = {
        **campaign.files.paths,
        "logs": ["logs/*"],
        "keys": ["keys.csv"],
        "questions": ["questions.csv"],
        "runs": ["info.csv"],
    }
    campaign.change(paths=paths)
    campaign.write(
        {
            "logs/a.json": inspect_json([inspect_sample(1)]),
            "keys.csv": "question,key\n1,Lutetia | Paris\n",
            "questions.csv": "question,type\n1,city\n",
            "info.csv": "run,team\nmock/one,Mock\n",
        }
    )
    campaign.ingest()
    assert campaign.rows("SELECT key, literal FROM keys") == [("Lutetia | Paris", False)]
    assert campaign.rows("SELECT type, text FROM questions") == [("city", None)]
    assert campaign.rows("SELECT team FROM runs") == [("Mock",)]


@pytest.mark.exhaustive
def test_a_collection_with_logs_stands_beside_one_without(tmp_path: Path) -> None:
    campaign = log_campaign(tmp_path)
    campaign.write(
        {
            "logs/a.json": inspect_json([inspect_sample(1)]),
            "runs/a.csv": "question,answer\n1,Oslo\n",
            "keys.csv": "question,key\n1,Oslo\n",
        }
    )
    other = CollectionFiles(
        collection="other",
        folder=campaign.files.folder,
        paths={"responses": ["runs/*"], "keys": ["keys.csv"]},
    )
    assert campaign.ingest(other) == (3, 0)
    assert campaign.rows("SELECT collection, key FROM keys ORDER BY ALL") == [
        ("other", "Oslo"),
        ("toy", "Paris"),
    ]


@pytest.mark.exhaustive
def test_options_that_mean_nothing_are_refused(tmp_path: Path) -> None:
    campaign = log_campaign(tmp_path, filter=["strict"])
    campaign.write({"logs/a.json": inspect_json([inspect_sample(1)])})
    assert campaign.refusal() == [
        "logs/a.json: is in the format inspect, in which filter: of logs means nothing; allowed: "
        "logs without filter:"
    ]
    campaign.change(logs={"type": "subjct"})
    assert campaign.refusal() == [
        "logs/a.json: has no subjct in any sample; allowed: the name of a field that samples have, "
        "in type: of logs"
    ]


@pytest.mark.exhaustive
def test_a_question_of_logs_without_a_type_cannot_be_averaged_over_types(tmp_path: Path) -> None:
    campaign = log_campaign(tmp_path, type="subject")
    samples = [inspect_sample(1, metadata={"subject": "cities"}), inspect_sample(2)]
    campaign.write({"logs/a.json": inspect_json(samples)})
    campaign.change(needs={"type": ["accuracy"]})
    assert campaign.refusal() == [
        "collection toy, column question: '2' has no type, but accuracy is averaged over types; "
        "allowed: a type for every question, or no average: type"
    ]


REMARKS = 'SELECT source, "column", remark, count FROM remarks WHERE "column" = \'{}\' ORDER BY ALL'


@pytest.mark.exhaustive
def test_questions_that_one_log_alone_has_are_remarked_on(tmp_path: Path) -> None:
    campaign = log_campaign(tmp_path)
    one = inspect_json([inspect_sample(n) for n in range(1, 9)])
    two = inspect_json([inspect_sample(1), inspect_sample("x")], model="mock/two")
    campaign.write({"logs/a.json": one})
    campaign.ingest()
    assert campaign.rows(REMARKS.format("question")) == []  # one run
    campaign.write({"logs/b.json": two})
    campaign.ingest()
    text = (
        "questions that one log alone has, and that count for every run: "
        "7 in logs/a.json (2, 3, 4, 5, 6, …); 1 in logs/b.json (x)"
    )
    assert (None, "question", text, 8) in campaign.rows(REMARKS.format("question"))
    campaign.write({"logs/b.json": one.replace("mock/one", "mock/two")})
    campaign.ingest()
    assert campaign.rows(REMARKS.format("question")) == []


@pytest.mark.exhaustive
def test_with_files_of_keys_targets_may_differ(tmp_path: Path) -> None:
    campaign = log_campaign(tmp_path)
    campaign.write(
        {
            "logs/a.json": inspect_json([inspect_sample(1)]),
            "logs/b.json": inspect_json([inspect_sample(1, target="Rome")], model="mock/two"),
            "keys.csv": "question,key\n1,Lyon\n",
        }
    )
    assert "is another target of 1" in campaign.refusal()[0]
    campaign.change(paths={**campaign.files.paths, "keys": ["keys.csv"]})
    campaign.ingest()
    assert campaign.rows("SELECT question, key FROM keys") == [("1", "Lyon")]
    text = "targets that differ between logs, and do not count: keys are given as files"
    assert campaign.rows(REMARKS.format("target")) == [(None, "target", text, 1)]
    # of questions that the collection does not have, no target counts anyway
    campaign.write({"questions.csv": "question\n2\n", "keys.csv": "question,key\n2,Lyon\n"})
    paths = {**campaign.files.paths, "questions": ["questions.csv"]}
    campaign.change(paths=paths, skip_unknown_questions=True)
    campaign.ingest()
    assert campaign.rows(REMARKS.format("target")) == []


@pytest.mark.exhaustive
def test_a_zip_in_a_format_that_has_none_is_one_fault(tmp_path: Path) -> None:
    campaign = log_campaign(tmp_path, format="lm_eval")
    campaign.write({"logs/a.eval": inspect_eval([inspect_sample(1)])})
    assert campaign.refusal() == [
        "logs/a.eval: is a zip, which no file in the format lm_eval is, and looks like the format "
        "inspect; allowed: samples_TASK_DATE.jsonl"
    ]


@pytest.mark.exhaustive
def test_a_file_in_another_format_than_the_given_one_is_one_fault(tmp_path: Path) -> None:
    campaign = log_campaign(tmp_path, format="lm_eval")
    campaign.write({"logs/a.json": inspect_json([inspect_sample(1)])})
    assert campaign.refusal() == [
        "logs/a.json: is in the format inspect, not in the format lm_eval that is given; allowed: "
        "format: inspect, or none; samples_TASK_DATE.jsonl"
    ]
    campaign.change(logs={"format": "inspect"})
    campaign.ingest()


@pytest.mark.exhaustive
def test_another_target_in_a_log_is_remarked_on_where_files_give_the_keys(tmp_path: Path) -> None:
    campaign = log_campaign(tmp_path, keyed=True)
    rows = [inspect_sample(1), inspect_sample(1, epoch=2, target="Oslo")]
    campaign.write({"logs/a.json": inspect_json(rows)})
    campaign.ingest()
    assert [row[2:] for row in campaign.rows(REMARKS.format("target"))] == [
        ("other targets of an id than before, which do not count: keys are given as files", 1)
    ]


def test_a_folder_without_files_is_called_so(tmp_path: Path) -> None:
    campaign = log_campaign(tmp_path, "logs")
    (tmp_path / "data" / "logs" / "more").mkdir(parents=True)
    assert campaign.refusal() == [
        "logs: is a folder without files, hidden ones aside; allowed: a folder of logs"
    ]


@pytest.mark.exhaustive
def test_listed_questions_are_all_that_counts_where_others_are_skipped(tmp_path: Path) -> None:
    campaign = log_campaign(tmp_path)
    campaign.change(
        paths={**campaign.files.paths, "questions": ["q.csv"]}, skip_unknown_questions=True
    )
    campaign.write(
        {
            "logs/a.json": inspect_json([inspect_sample(1), inspect_sample(2)]),
            "logs/b.json": inspect_json([inspect_sample(1)], model="mock/two"),
            "q.csv": "question\n1\n",
        }
    )
    campaign.ingest()
    assert campaign.rows("SELECT question FROM questions") == [("1",)]
    remarks = campaign.rows("SELECT remark FROM remarks")
    assert ("responses for questions that are not in the collection: left out",) in remarks
    assert not any("one log alone" in remark for (remark,) in remarks)
