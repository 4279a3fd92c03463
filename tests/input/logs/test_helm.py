"""Runs of HELM: what becomes of instances and statistics, and how faults are told."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.logs import log_campaign
from tests.helpers.toy_campaign import Campaign

VERDICTS = "SELECT question, sample, scorer, verdict, score FROM logged ORDER BY ALL"
ANSWERS = "SELECT run, question, sample, answer FROM responses ORDER BY ALL"


def state(number: int = 1, said: Any = " Paris", **more: Any) -> dict[str, Any]:
    """A request; `more` are other fields of it."""
    references = [
        {"output": {"text": text}, "tags": ["correct"] * right}
        for text, right in (("Paris", True), ("Rome", False))
    ]
    return {
        "instance": {
            "input": {"text": f"Question {number}?"},
            "references": references,
            "split": "test",
            "id": f"id{number}",
        },
        "train_trial_index": 0,
        "result": {
            "success": True,
            "completions": [{"text": said, "logprob": -1.0}],
            "request_time": 0.5,
            "request_datetime": 1763479296,
        },
        **more,
    }


def stats(number: int = 1, trial: int = 0, **values: float | None) -> dict[str, Any]:
    """The statistics of an instance."""
    given = [
        {"name": {"name": name, "split": "test"}, "count": 0}
        if value is None
        else {"name": {"name": name, "split": "test"}, "count": 1, "sum": value, "mean": value}
        for name, value in values.items()
    ]
    return {"instance_id": f"id{number}", "train_trial_index": trial, "stats": given}


def run_of(
    states: list[Any], statistics: Any = None, *, folder: str = "one", model: str = "org/m"
) -> dict[str, str]:
    """The files of a run."""
    name = f"capitals:level=1,model={model.replace('/', '_')}"
    spec = {"name": name, "adapter_spec": {"model": model}}
    files = {
        "scenario_state.json": {"adapter_spec": {"model": model}, "request_states": states},
        "run_spec.json": spec,
        "stats.json": [],
        "scenario.json": {"name": "capitals"},
    }
    if statistics is not None:
        files["per_instance_stats.json"] = statistics
    return {f"logs/{folder}/{name}": json.dumps(each) for name, each in files.items()}


def loaded(folder: Path, *states: Any, statistics: Any = None, **options: Any) -> Campaign:
    campaign = log_campaign(folder, "logs/**/*.json", **options)
    campaign.write(run_of([*states], statistics))
    campaign.ingest()
    return campaign


@pytest.mark.slow
def test_an_instance_is_a_question_an_answer_and_statistics(tmp_path: Path) -> None:
    statistics = [
        stats(1, exact_match=1, f1_score=0.5, num_prompt_tokens=30, num_completion_tokens=2),
        stats(2, exact_match=0, f1_score=None, logprob=-3),
        stats(9, exact_match=1),
    ]
    campaign = loaded(tmp_path, state(1), state(2, "Rome"), statistics=statistics)
    assert campaign.rows(ANSWERS) == [
        ("org/m", "id1", None, "Paris"),
        ("org/m", "id2", None, "Rome"),
    ]
    assert campaign.rows("SELECT question, key, literal FROM keys ORDER BY ALL") == [
        ("id1", "Paris", True),
        ("id2", "Paris", True),
    ]
    assert campaign.rows(VERDICTS) == [
        ("id1", None, "exact_match", "right", 1.0),
        ("id1", None, "f1_score", None, 0.5),
        ("id2", None, "exact_match", "wrong", 0.0),
    ]
    remark = "instances in per_instance_stats.json without a request: left out"
    assert (remark, 1) in campaign.rows("SELECT remark, count FROM remarks")
    assert campaign.rows("SELECT tokens, seconds FROM responses ORDER BY question") == [
        (32, 0.5),
        (None, 0.5),
    ]
    assert campaign.rows("SELECT task, date FROM logs") == [("capitals:level=1", "2025-11-18")]


@pytest.mark.exhaustive
def test_a_change_of_the_statistics_is_seen(tmp_path: Path) -> None:
    campaign = loaded(tmp_path, state(1), statistics=[stats(1, exact_match=1)])
    campaign.write(run_of([state(1)], [stats(1, exact_match=0)]))
    campaign.ingest()
    assert campaign.rows("SELECT verdict FROM logged") == [("wrong",)]
    campaign.write({"logs/one/per_instance_stats.json": None})
    campaign.ingest()
    assert campaign.rows("SELECT verdict FROM logged") == []
    remark = "runs without per_instance_stats.json beside them: no verdicts"
    assert (remark, 1) in campaign.rows("SELECT remark, count FROM remarks")


@pytest.mark.exhaustive
def test_a_letter_stands_for_a_choice(tmp_path: Path) -> None:
    mapping = {"A": "Rome", "B": "Paris"}
    campaign = loaded(
        tmp_path,
        state(1, " B", output_mapping=mapping),
        state(2, " The", output_mapping=mapping),
    )
    assert campaign.rows("SELECT answer FROM responses ORDER BY question") == [("Paris",), ("The",)]


@pytest.mark.exhaustive
def test_choices_that_are_asked_one_by_one_are_one_answer(tmp_path: Path) -> None:
    states = [
        state(number, "", reference_index=index, request_mode="original")
        for number in (1, 2, 3)
        for index in (0, 1)
    ]
    statistics = [
        stats(1, exact_match=0, predicted_index=1),
        stats(2, exact_match=1),
        stats(3, exact_match=0),
    ]
    campaign = loaded(tmp_path, *states, statistics=statistics)
    assert campaign.rows("SELECT question, answer FROM responses ORDER BY ALL") == [
        ("id1", "Rome"),
        ("id2", "Paris"),
        ("id3", "(another choice)"),
    ]


@pytest.mark.exhaustive
def test_trials_are_samples_where_there_are_several(tmp_path: Path) -> None:
    second = state(1, "Rome", train_trial_index=1)
    statistics = [stats(1, exact_match=1), stats(1, 1, exact_match=0)]
    campaign = loaded(tmp_path, state(1), second, statistics=statistics)
    assert campaign.rows(ANSWERS) == [("org/m", "id1", "1", "Paris"), ("org/m", "id1", "2", "Rome")]
    assert campaign.rows("SELECT sample, verdict FROM logged ORDER BY ALL") == [
        ("1", "right"),
        ("2", "wrong"),
    ]


@pytest.mark.exhaustive
def test_what_failed_or_was_perturbed_is_left_out(tmp_path: Path) -> None:
    perturbed = state(1)
    perturbed["instance"]["perturbation"] = {"name": "typos"}
    failed = state(2, result={"success": False, "completions": []})
    likely = [{"text": "Rome", "logprob": -5.0}, {"text": "Paris", "logprob": -1.0}]
    several = state(3, result={"success": True, "completions": likely})
    campaign = loaded(tmp_path, state(1), perturbed, failed, several)
    assert campaign.rows("SELECT question, answer FROM responses ORDER BY ALL") == [
        ("id1", "Paris"),
        ("id3", "Paris"),
    ]
    remarks = dict(campaign.rows("SELECT remark, count FROM remarks"))
    assert remarks["instances that were perturbed to test robustness: left out"] == 1
    assert remarks["instances whose request failed: missing"] == 1


@pytest.mark.exhaustive
def test_texts_without_an_object_around_them_are_read(tmp_path: Path) -> None:
    old = state(1)
    old["instance"]["input"] = "Where?"
    old["instance"]["references"] = [{"output": "Paris", "tags": ["correct"]}]
    campaign = loaded(tmp_path, old, type="split")
    assert campaign.rows("SELECT text, type FROM questions") == [("Where?", "test")]
    assert campaign.rows("SELECT key FROM keys") == [("Paris",)]


@pytest.mark.exhaustive
def test_two_models_are_two_runs(tmp_path: Path) -> None:
    campaign = log_campaign(tmp_path, "logs/**/scenario_state.json")
    campaign.write(run_of([state(1)]) | run_of([state(1, "Rome")], folder="two", model="b"))
    campaign.ingest()
    assert campaign.rows("SELECT run, answer FROM responses ORDER BY ALL") == [
        ("b", "Rome"),
        ("org/m", "Paris"),
    ]


def test_every_fault_is_told_with_its_place(tmp_path: Path) -> None:
    nameless, odd = state(2), state(3)
    del nameless["instance"]["id"]
    odd["instance"]["references"] = [{"output": ["Paris"], "tags": []}]
    broken = stats(1, exact_match=1)
    broken["stats"][0]["mean"] = "high"
    campaign = log_campaign(tmp_path)
    campaign.write(run_of([state(1), state(1), nameless, odd, 7], [broken, {"stats": []}]))
    text = "\n".join(campaign.refusal())
    for problem in (
        "per_instance_stats.json, [1]: has no instance_id or no stats",
        "instance id1: has no mean of exact_match in per_instance_stats.json",
        "request_states[1]: has id1 again",
        "request_states[2]: has no instance.id",
        "request_states[3]: has references that are no texts",
        "request_states[4]: has no instance",
    ):
        assert problem in text


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("files", "problem"),
    [
        (
            {"scenario_state.json": '{"adapter_spec": {}, "request_states": []}'},
            "has no adapter_spec.model",
        ),
        ({"scenario_state.json": '{"adapter_spec": {"model": "m"}, "req'}, "is not JSON"),
        ({"scenario_state.json": ""}, "is empty"),
        (
            {
                "scenario_state.json": json.dumps(
                    {"adapter_spec": {"model": "m"}, "request_states": [state(1)]}
                ),
                "per_instance_stats.json": "[{",
            },
            "has per_instance_stats.json beside it, which is not JSON",
        ),
    ],
)
def test_what_is_no_run_is_told(tmp_path: Path, files: dict[str, str], problem: str) -> None:
    campaign = log_campaign(tmp_path)
    campaign.write({f"logs/{name}": content for name, content in files.items()})
    assert campaign.refusal()[0].startswith(f"logs/scenario_state.json: {problem}")
