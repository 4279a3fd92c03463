"""`qampaign init`: which config it writes for files, and that the config runs."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import duckdb
import pytest
import yaml

from qampaign.command.main import main
from qampaign.config.campaign import read_campaign
from qampaign.proposal.patterns import find_patterns
from tests.helpers.logs import (
    inspect_eval,
    inspect_json,
    inspect_sample,
    json_lines,
    lm_eval_sample,
)

pytestmark = pytest.mark.slow


Files = Mapping[str, str | bytes]
Init = Callable[..., dict[str, Any]]

RUNS = "run,question,answer,answered\na,q1,Paris,true\na,q2,1912,false\nb,q1,Rome,true\n"
LABELS = "question,answer,label\nq1,Paris,R\nq1,Rome,W\nq2,1912,R\n"

GRADED = "problem,target,predicted_answer,grade\nWho?,Ann,Ann,A\nWhere?,Rome,Oslo,B\n"


@pytest.fixture
def init(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> Init:
    """Writes files, looks through their folder, and gives the config: it can be read as it is."""
    monkeypatch.chdir(tmp_path)

    def run(files: Files, *options: str, code: int = 0) -> dict[str, Any]:
        write(tmp_path / "data", files)
        assert main(["init", "data", *options]) == code
        run.told = capsys.readouterr()  # type: ignore[attr-defined]
        if not Path("config.yaml").exists():
            return {}
        config: dict[str, Any] = yaml.safe_load(Path("config.yaml").read_text())
        if config["collections"]:
            read_campaign(config, [Path("config.yaml")])
        return config["collections"] or {}

    return run


def write(folder: Path, files: Files) -> None:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)


def told(init: Init) -> str:
    return str(init.told.out)  # type: ignore[attr-defined]


def test_logs_become_a_collection_with_every_judge_that_they_offer(init: Init) -> None:
    samples = [inspect_sample(1), inspect_sample(2, value="I", answer="Rome")]
    found = init(
        {
            "one.eval": inspect_eval(samples),
            "two.json": inspect_json(samples, model="mock/two"),
            "README.md": "Read me.",
        }
    )
    assert found == {
        "capitals": {
            "title": "capitals",
            "logs": ["data/one.eval", "data/two.json"],
            "judges": {
                "logged": {"kind": "logged"},
                "exact": {"kind": "exact"},
                "key": {"kind": "key"},
            },
            "measures": ["accuracy", "mean_score"],
        }
    }
    assert told(init).startswith(
        "capitals: Inspect, 2 files: 2 runs, 2 questions, 4 answers, scorer match, 2 keys\n"
    )
    assert "  README.md: is in no format of logs that is known\n" in told(init)


@pytest.mark.exhaustive
def test_logs_that_are_read_by_columns_have_answers_and_copies(init: Init) -> None:
    rows, others = ([lm_eval_sample(1, answer), lm_eval_sample(2)] for answer in ("4", "5"))
    name = "samples_sums_2026-01-21T03-44-18.jsonl"
    again = "samples_sums_2026-01-22T03-44-18.jsonl"
    files = {f"one/{name}": rows, f"one/{again}": rows, f"two/{name}": others}
    found = init({path: json_lines(each) for path, each in files.items()})
    assert [*found] == ["sums"]
    assert "2 files: 2 runs, 2 questions, 4 answers" in told(init)
    assert f"{again}: holds the same log as data/one/{name}" in told(init)


@pytest.mark.exhaustive
def test_grades_with_a_level_give_credit(init: Init) -> None:
    samples = [inspect_sample(1), inspect_sample(2, value="P"), inspect_sample(3, value="I")]
    found = init({"one.eval": inspect_eval(samples)})
    assert found["capitals"]["measures"] == ["accuracy", "credit", "mean_score"]


@pytest.mark.exhaustive
def test_a_measure_that_does_not_fit_is_left_out_alone(init: Init) -> None:
    found = init(
        {
            "runs.csv": "run,question,answer,confidence\na,q1,x,0.5\na,q2,y,0.7\n",
            "questions.csv": "question,weight\nq1,1\nq2,3\n",
            "keys.csv": "question,key\nq1,x\nq2,z\n",
        }
    )
    assert "accuracy" in found["data"]["measures"]
    assert "risk_coverage" not in found["data"]["measures"]
    written = " ".join(Path("config.yaml").read_text().replace("#", " ").split())
    assert "risk_coverage is left out: column weight is given, but" in written


@pytest.mark.exhaustive
def test_runs_without_samples_and_rows_are_told(init: Init) -> None:
    many = [inspect_sample(n, epoch=epoch) for n in range(1, 11) for epoch in (1, 2)]
    found = init(
        {
            "one.json": inspect_json(many),
            "two.json": inspect_json(many[:4:2], model="mock/two"),
            "three.json": inspect_json(many[:18:2], model="mock/three"),
            "four.json": inspect_json(many[::2], model="mock/four"),
        }
    )
    assert {"pass_at_k": {"k": 2}} in found["capitals"]["measures"]
    assert "10 questions, 41 answers, 2 samples in 1 run, 9 missing," in told(init)
    written = " ".join(Path("config.yaml").read_text().replace("#", " ").split())
    assert (
        "k is the fewest samples of a run that has several: 2. 3 of 4 runs do not have several "
        "samples for each question: pass_at_k and pass_all_k are not available for them."
    ) in written
    gaps = (
        "Of the 10 questions, 2 of 4 runs have no row for many: mock/two 80%, mock/three 10%. "
        "These count as unanswered."
    )
    assert gaps in written
    assert f"  note: {gaps}" in told(init)


@pytest.mark.exhaustive
def test_a_table_without_a_header_is_called_so(init: Init) -> None:
    init({"a.tsv": "1394\t58.696\tWhere?\tFrance\n1395\t30.6\tWho?\tKatie\n"}, code=1)
    assert (
        "a.tsv: is a table without a header: a first line must name its columns, such as question "
        "and answer; it has 1394, 58.696, Where?, France\n"
    ) in told(init)


def test_reasons_say_what_is_there_and_what_helps(init: Init) -> None:
    init({"a.json": '{"a": 1, "b": 2}', "b.csv": GRADED + GRADED.splitlines()[1]}, code=1)
    assert "a.json: is a JSON object in no format of logs that is known: a, b\n" in told(init)
    assert "; allowed: each once in a file, or a column sample\n" in told(init)


@pytest.mark.exhaustive
def test_each_task_is_a_collection(init: Init) -> None:
    found = init(
        {
            f"{task[-3:]}-{model}.json": inspect_json([inspect_sample(1)], task=task, model=model)
            for task in ("org/arc", "gsm")
            for model in ("m1", "m2")
        }
    )
    assert {name: own["logs"] for name, own in found.items()} == {
        "gsm": "data/gsm-m*.json",
        "org-arc": "data/arc-m*.json",
    }


@pytest.mark.exhaustive
def test_a_file_of_several_tasks_is_read_for_each(init: Init) -> None:
    rows = [
        {"doc_id": n, "doc": {}, "target": "4", "resps": [["4"]], "filtered_resps": ["4"]}
        | {"filter": "none", "exact_match": n % 2}
        for n in (1, 2)
    ]
    results = {"results": {}, "configs": {}, "versions": {}, "samples": {"a": rows, "b": rows}}
    found = init({"results.json": json.dumps({**results, "model_name": "m"})})
    assert {name: own["logs"] for name, own in found.items()} == {
        name: {"files": "data/results.json", "only": name} for name in ("a", "b")
    }


@pytest.mark.exhaustive
def test_logs_of_one_model_are_told_apart_by_their_path(init: Init) -> None:
    other = [inspect_sample(1, answer="Rome", value="I")]
    found = init(
        {
            "hot/run.json": inspect_json([inspect_sample(1)]),
            "cold/run.json": inspect_json(other),
        }
    )
    assert found["capitals"]["logs"] == {"files": "data/*/run.json", "run": "{parent}"}


@pytest.mark.exhaustive
def test_a_copy_of_a_log_is_left_out(init: Init) -> None:
    samples = [inspect_sample(1), inspect_sample(2)]
    found = init({"a.eval": inspect_eval(samples), "b.json": inspect_json(samples)})
    assert found["capitals"]["logs"] == "data/a.eval"
    assert "  b.json: holds the same log as data/a.eval\n" in told(init)


@pytest.mark.exhaustive
def test_logs_with_other_targets_for_the_same_ids_are_kept_apart(init: Init) -> None:
    other = [inspect_sample(1, target="Rome")]
    found = init(
        {"a.json": inspect_json([inspect_sample(1)]), "b.json": inspect_json(other, model="m2")}
    )
    assert {name: own["logs"] for name, own in found.items()} == {
        "capitals": "data/a.json",
        "capitals-2": "data/b.json",
    }


@pytest.mark.exhaustive
def test_several_scorers_are_judges_and_numbers_are_scores(init: Init) -> None:
    scores = {"f1": {"value": 0.5}, "match": {"value": "C"}, "points": {"value": 7}}
    found = init({"a.json": inspect_json([inspect_sample(1, scores=scores)])})
    assert found["capitals"]["judges"] == {
        "match": {"kind": "logged", "scorer": "match"},
        "f1": {"kind": "logged", "scorer": "f1", "values": "scores"},
        "points": {"kind": "logged", "scorer": "points", "values": "scores", "scale": [0.0, 7.0]},
        "exact": {"kind": "exact"},
        "key": {"kind": "key"},
    }
    assert found["capitals"]["measures"] == ["accuracy", "mean_score"]


@pytest.mark.exhaustive
def test_samples_bring_their_measures(init: Init) -> None:
    samples = [inspect_sample(n, epoch=epoch) for n in (1, 2) for epoch in (1, 2, 3)]
    found = init({"a.json": inspect_json(samples)})
    assert found["capitals"]["measures"] == [
        "accuracy",
        "mean_score",
        {"pass_at_k": {"k": 3}},
        {"pass_all_k": {"k": 3}},
        "majority_vote",
        "consistency",
    ]


@pytest.mark.exhaustive
def test_answers_without_a_verdict_are_bounds(init: Init) -> None:
    samples = [inspect_sample(1), inspect_sample(2, scores={})]
    found = init({"a.json": inspect_json(samples)})
    assert found["capitals"]["judges"]["logged"] == {"kind": "logged", "unassessed": "bounds"}


@pytest.mark.exhaustive
def test_refusals_are_seen(init: Init) -> None:
    samples = [inspect_sample(1), inspect_sample(2, answer="I don't know.", value="I")]
    found = init({"a.json": inspect_json(samples)})
    assert found["capitals"]["refusals"] is True
    assert found["capitals"]["measures"][:2] == ["c_at_1", "accuracy"]


@pytest.mark.exhaustive
def test_tables_of_ours_are_a_collection_for_each_folder(init: Init) -> None:
    found = init(
        {
            "x/runs.csv": RUNS,
            "x/assessments.csv": LABELS,
            "y/runs/a.csv": "question,answer,rank\nq1,Paris,1\nq1,Rome,2\n",
            "y/runs/b.csv": "question,answer,rank\nq1,Rom,1\nq1,Lyon,2\n",
            "y/keys.csv": "question,key\nq1,Paris\n",
            "y/questions.csv": "question,text\nq1,Wie heißt die Hauptstadt von Frankreich?\n",
            "y/info.csv": "run,team\na,A\n",
        }
    )
    assert found == {
        "x": {
            "title": "x",
            "runs": "data/x/runs.csv",
            "assessments": "data/x/assessments.csv",
            "labels": {"R": "right", "W": "wrong"},
            "judges": {"people": {"kind": "assessments"}},
            "measures": ["c_at_1", "accuracy", "answered", "precision_answered"],
        },
        "y": {
            "title": "y",
            "runs": "data/y/runs/*.csv",
            "keys": "data/y/keys.csv",
            "questions": "data/y/questions.csv",
            "run_info": "data/y/info.csv",
            "language": "de",
            "judges": {"exact": {"kind": "exact"}, "key": {"kind": "key"}},
            "measures": ["mrr", "accuracy", "mean_score"],  # with one key, AP is MRR
        },
    }


@pytest.mark.exhaustive
def test_graded_answers_are_runs_and_labels(init: Init) -> None:
    graded = "id,response,grade\nq1,Paris,correct\nq2,Rom,incorrect\n"
    found = init({"a.csv": graded, "b.csv": graded.replace("Paris", "Rome")}, "--force")
    (own,) = found.values()
    assert own["runs"] == "data/*.csv"
    assert own["assessments"] == {"files": "data/*.csv", "run": "{stem}"}
    assert own["labels"] == {"correct": "right", "incorrect": "wrong"}


@pytest.mark.exhaustive
def test_a_copy_of_runs_is_left_out_in_one_folder_alone(init: Init) -> None:
    same = "question,answer\nq1,Paris\n"
    found = init(
        {
            "x/runs.csv": RUNS,
            "x/copy.csv": RUNS,
            "x/assessments.csv": LABELS,
            "y/runs/a.csv": same,
            "y/runs/b.csv": same,
            "y/assessments.csv": LABELS,
        }
    )
    assert found["x"]["runs"] == "data/x/copy.csv"
    assert found["y"]["runs"] == "data/y/runs/*.csv"
    assert found["y"]["assessments"] == "data/y/assessments.csv"
    assert "  runs.csv: is a copy of data/x/copy.csv\n" in told(init)


@pytest.mark.exhaustive
def test_gold_answers_are_literal_keys(init: Init) -> None:
    found = init(
        {
            "runs/a.csv": "qid;answer\nq1;Paris\nq2;Rome\n",
            "gold.csv": 'question,answer\nq1,"say ""a; b"""\nq2,Rome\n',
        }
    )
    assert found["data"]["keys"] == {"files": "data/gold.csv", "literal": True}


@pytest.mark.exhaustive
@pytest.mark.usefixtures("init")
def test_folders_that_are_named_apart_are_kept_apart(tmp_path: Path) -> None:
    write(tmp_path, {"x/runs.csv": RUNS, "y/assessments.csv": LABELS})
    assert main(["init", "x", "y"]) == 1
    assert not Path("config.yaml").exists()
    assert main(["init", "."]) == 0


@pytest.mark.exhaustive
def test_items_with_labels_are_validated(init: Init) -> None:
    found = init(
        {
            "runs/a.csv": "question,answer,score\ni1,yes,0.9\ni2,no,0.2\n",
            "assessments.csv": "question,label\ni1,yes\ni2,no\n",
        }
    )
    assert found["data"]["task"] == "validation"
    assert found["data"]["measures"] == ["accuracy", "precision", "recall", "f", "auc", "brier"]


def test_what_cannot_be_decided_is_asked_for_in_a_comment(init: Init) -> None:
    found = init({"runs.csv": RUNS, "assessments.csv": LABELS.replace(",W", ",Q")}, code=1)
    assert found == {}
    text = Path("config.yaml").read_text()
    assert "  #   # Say what these mean: one of right, wrong" in text
    assert "  #   labels: {Q: wrong, R: wrong}" in text


def test_answers_without_anything_to_judge_by_are_told(init: Init) -> None:
    assert init({"runs.csv": RUNS}, code=1) == {}
    assert "runs.csv: has answers, and nothing to judge them by" in told(init)
    assert not Path("config.yaml").exists()


@pytest.mark.exhaustive
def test_a_config_is_replaced_only_if_that_is_asked_for(init: Init) -> None:
    Path("config.yaml").write_text("campaign: mine\ncollections: {}\n")
    files = {"a.json": inspect_json([inspect_sample(1)])}
    assert init(files, code=2) == {}
    assert Path("config.yaml").read_text() == "campaign: mine\ncollections: {}\n"
    assert [*init(files, "--force")] == ["capitals"]


@pytest.mark.usefixtures("init")
def test_what_does_not_exist_is_told() -> None:
    assert main(["init", "nowhere", "neither"]) == 2


def test_a_config_that_cannot_be_written_is_one_line(
    init: Init, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    init({"runs.csv": RUNS, "assessments.csv": LABELS})
    Path("config.yaml").unlink()
    Path("config.yaml").mkdir()
    assert main(["init", str(tmp_path / "data"), "--force"]) == 2
    assert capsys.readouterr().err == "config.yaml cannot be written: Is a directory\n"


@pytest.mark.exhaustive
def test_hostile_folders(init: Init, tmp_path: Path) -> None:
    data = tmp_path / "data"
    write(
        data,
        {
            "good.json": inspect_json([inspect_sample(1)]),
            "sub/[a*b].json": inspect_json([inspect_sample(1)], task="odd\tname", model="m"),
            ".hidden/a.json": inspect_json([inspect_sample(1)], task="hidden"),
            "results/mine/ingest.json": "{}",
            "results/mine/a.json": inspect_json([inspect_sample(1)], task="old"),
            "junk.bin": os.urandom(50) + b"\0" * 50,
            "cut.eval": inspect_eval([inspect_sample(1)])[:200],
            "half.json": '{"eval": {"task": "a',
            "deep.json": '{"a":' * 50_000,
            "empty.csv": "",
            "latin.csv": b"question,answer\nq1,\xe9\n",
        },
    )
    (data / "sub/loop").symlink_to(data)
    (data / "dangling.csv").symlink_to(data / "nowhere.csv")
    os.mkfifo(data / "pipe.csv")
    with (data / "huge.jsonl").open("wb") as file:
        file.write(b'{"a": 1}\n')
        file.truncate(6 * 10**9)
    found = init({})
    assert {name: own["logs"] for name, own in found.items()} == {
        "capitals": "data/good.json",
        "odd-name": "data/sub/[a*b].json",
    }
    for line in (
        "results/mine: holds the results of a campaign",
        "sub/loop: is a folder that was looked through already",
        "pipe.csv: is a named pipe, not a regular file",
        "cut.eval: is a damaged or incomplete zip",
        "empty.csv: is empty",
    ):
        assert f"  {line}" in told(init)
    for name in ("junk.bin", "half.json", "deep.json", "dangling.csv", "latin.csv", "huge.jsonl"):
        assert name in told(init)
    assert "hidden" not in told(init)


@pytest.mark.exhaustive
def test_a_path_elsewhere_is_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "data", {"a.json": inspect_json([inspect_sample(1)])})
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    assert main(["init", "../data/a.json"]) == 0
    config = yaml.safe_load(Path("config.yaml").read_text())
    assert config["collections"]["capitals"]["logs"] == str(tmp_path / "data/a.json")


def run_qampaign(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [str(Path(sys.executable).with_name("qampaign")), *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.exhaustive
@pytest.mark.outside
def test_one_command_from_logs_to_a_report(tmp_path: Path) -> None:
    samples = [inspect_sample(1), inspect_sample(2, value="I", answer="Rome")]
    logs = {
        "one.eval": inspect_eval(samples),
        "two.json": inspect_json([inspect_sample(1), inspect_sample(2)], model="mock/two"),
    }
    write(tmp_path / "logs", logs)
    ended = run_qampaign(tmp_path, "init", "logs", "--run", "--", "--cores", "2")
    assert ended.returncode == 0, ended.stderr
    assert (tmp_path / "results/logs/report/index.html").exists()
    with duckdb.connect(str(tmp_path / "results/logs/results.duckdb"), read_only=True) as results:
        rows = results.sql(
            "SELECT run, value FROM scores WHERE judge = 'logged' AND measure = 'accuracy' "
            "AND slice = 'all' ORDER BY run"
        ).fetchall()
    assert rows == [("mock/one", 0.5), ("mock/two", 1.0)]  # one of two right, and both


@pytest.mark.exhaustive
@pytest.mark.outside
@pytest.mark.parametrize(
    "files",
    [
        {"runs.csv": RUNS, "assessments.csv": LABELS},
        {
            "runs/a.csv": "question,answer,score\ni1,yes,0.9\ni2,no,0.2\n",
            "assessments.csv": "question,label\ni1,yes\ni2,no\n",
        },
        {
            "a.json": inspect_json(
                [inspect_sample(n, epoch=epoch) for n in (1, 2) for epoch in (1, 2)]
            ),
            "b.json": inspect_json([inspect_sample(1, scores={"f": {"value": 0.3}})], model="b"),
        },
    ],
)
def test_what_is_written_runs(tmp_path: Path, files: Files) -> None:
    write(tmp_path / "data", files)
    ended = run_qampaign(tmp_path, "init", "data", "--run", "--", "--cores", "2")
    assert ended.returncode == 0, ended.stdout + ended.stderr


def test_no_pattern_matches_what_the_campaign_will_write(tmp_path: Path) -> None:
    """The config stands in the folder of the files, and results below it."""
    files = [tmp_path / name for name in ("own.run", "own.qrels", "a/x.csv", "b/c/x.csv")]
    for file in files:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("x")
    assert find_patterns(files[:2], tmp_path) == ["own.*"]
    (tmp_path / "own.qrels").rename(tmp_path / "gold.qrels")
    assert find_patterns([files[0], tmp_path / "gold.qrels"], tmp_path) == ["own.run", "gold.qrels"]
    assert find_patterns(files[2:], tmp_path) == ["**/x.csv"]
    (tmp_path / "b/c/x.csv").rename(tmp_path / "b/c/y.csv")
    assert find_patterns([files[2], tmp_path / "b/c/y.csv"], tmp_path) == ["a/x.csv", "b/c/y.csv"]


@pytest.mark.slow
def test_files_of_pan_are_ranked_as_pan_ranks_them(init: Init) -> None:
    values = {"a": (0.9, 0.5, 0.2, 0.7), "b": (0.6, 0.1, 0.4, 0.5)}
    files = {
        f"{run}/answers.jsonl": json_lines(
            [{"id": f"i{n}", "value": value} for n, value in enumerate(given)]
        )
        for run, given in values.items()
    }
    same = (True, False, False, True)
    truth = json_lines([{"id": f"i{n}", "same": each} for n, each in enumerate(same)])
    config = init(files | {"truth.jsonl": truth})
    (collection,) = config.values()
    assert collection["measures"][:5] == [
        {"composite": {"name": "pan_mean", "of": ["auc", "c_at_1", "f1", "f_05_u"]}},
        "auc",
        "c_at_1",
        {"f": {"name": "f1", "unanswered": "skip"}},
        "f_05_u",
    ]
    assert "f" not in collection["measures"][5:]
    assert "  measures: pan_mean, auc, c_at_1, f1, f_05_u," in init.told.out  # type: ignore[attr-defined]
    # in a process of its own: Snakemake leaves its marks on the one that it runs in
    subprocess.run([Path(sys.executable).with_name("qampaign"), "run", "--cores", "2"], check=True)
