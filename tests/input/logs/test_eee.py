"""Samples of Every Eval Ever: what becomes of them, and how faults are told."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.logs import log_campaign
from tests.helpers.toy_campaign import Campaign

pytestmark = pytest.mark.slow


VERDICTS = "SELECT question, sample, scorer, verdict, score FROM logged ORDER BY ALL"


def sample(number: int = 1, *, right: Any = True, score: Any = 1.0, **more: Any) -> dict[str, Any]:
    """A sample, right unless said otherwise; `more` are other fields of it."""
    return {
        "schema_version": "0.3.0",
        "evaluation_id": "e/m/1",
        "model_id": "org/m",
        "evaluation_name": "sums",
        "evaluation_result_id": "r1",
        "sample_id": f"s{number}",
        "interaction_type": "single_turn",
        "input": {"raw": "2 + 2?", "reference": ["4", "four"]},
        "output": {"raw": ["It is 4."]},
        "answer_attribution": [
            {
                "turn_idx": 0,
                "source": "output.raw",
                "extracted_value": "4",
                "extraction_method": "match",
                "is_terminal": True,
            }
        ],
        "evaluation": {"score": score, "is_correct": right},
        **more,
    }


def lines(*samples: dict[str, Any]) -> str:
    return "".join(json.dumps(each) + "\n" for each in samples)


def record(content: str, **more: Any) -> str:
    """The record of a file of samples."""
    results = [
        {
            "evaluation_result_id": name,
            "evaluation_name": "sums",
            "metric_config": {"metric_id": metric},
        }
        for name, metric in (("r1", "accuracy"), ("r2", "f1"))
    ]
    details = {
        "total_rows": content.count("\n"),
        "checksum": hashlib.sha256(content.encode()).hexdigest(),
    }
    return json.dumps(
        {
            "schema_version": "0.3.0",
            "evaluation_id": "e/m/1",
            "evaluation_timestamp": "1750000000",
            "model_info": {"id": "org/m"},
            "evaluation_results": results,
            "detailed_evaluation_results": details,
            **more,
        }
    )


def campaign_of(folder: Path, content: str, about: str | None = None, **options: Any) -> Campaign:
    campaign = log_campaign(folder, **options)
    beside = {} if about is None else {"logs/a.json": about}
    campaign.write({"logs/a_samples.jsonl": content, **beside})
    return campaign


def loaded(folder: Path, *samples: dict[str, Any], **options: Any) -> Campaign:
    content = lines(*samples)
    campaign = campaign_of(folder, content, record(content), **options)
    campaign.ingest()
    return campaign


def test_a_sample_is_a_question_an_answer_and_a_verdict(tmp_path: Path) -> None:
    more = {"token_usage": {"total_tokens": 17}, "performance": {"latency_ms": 250}}
    more["metadata"] = {"topic": "sums"}
    campaign = loaded(tmp_path, sample(**more), sample(2, right=False, score=0.25), type="topic")
    assert campaign.rows(
        "SELECT run, question, sample, answer, tokens, seconds FROM responses ORDER BY ALL"
    ) == [("org/m", "s1", None, "4", 17, 0.25), ("org/m", "s2", None, "4", None, None)]
    assert campaign.rows("SELECT question, text, type FROM questions ORDER BY ALL") == [
        ("s1", "2 + 2?", "sums"),
        ("s2", "2 + 2?", None),
    ]
    assert campaign.rows("SELECT DISTINCT key, literal FROM keys ORDER BY ALL") == [
        ("4", True),
        ("four", True),
    ]
    assert campaign.rows(VERDICTS) == [
        ("s1", None, "accuracy", "right", 1.0),
        ("s2", None, "accuracy", "wrong", 0.25),
    ]
    assert campaign.rows("SELECT more FROM runs") == [('{"date": "2025-06-15"}',)]


def test_results_of_one_sample_are_scorers(tmp_path: Path) -> None:
    other = sample(right=False, score=0.5, evaluation_result_id="r2")
    campaign = loaded(tmp_path, sample(), other)
    assert campaign.rows("SELECT question FROM responses") == [("s1",)]
    assert campaign.rows(VERDICTS) == [
        ("s1", None, "accuracy", "right", 1.0),
        ("s1", None, "f1", "wrong", 0.5),
    ]


@pytest.mark.exhaustive
def test_without_a_record_a_result_names_the_scorer_where_there_are_several(
    tmp_path: Path,
) -> None:
    other = sample(evaluation_result_id="r2")
    campaign = campaign_of(tmp_path, lines(sample()))
    campaign.ingest()
    assert campaign.rows("SELECT DISTINCT scorer FROM logged") == [("evaluation",)]
    campaign.write({"logs/a_samples.jsonl": lines(sample(), other)})
    campaign.ingest()
    assert campaign.rows("SELECT scorer FROM logged ORDER BY ALL") == [("r1",), ("r2",)]
    campaign.write({"logs/a.json": record(lines(sample(), other))})
    assert campaign.ingest() == (2, 0)
    assert campaign.rows("SELECT scorer FROM logged ORDER BY ALL") == [("accuracy",), ("f1",)]


@pytest.mark.exhaustive
def test_results_of_one_metric_on_parts_of_the_data_are_one_scorer(tmp_path: Path) -> None:
    content = lines(sample(1), sample(2, evaluation_result_id="r2"))
    results = [
        {"evaluation_result_id": name, "metric_config": {"metric_id": "accuracy"}}
        for name in ("r1", "r2")
    ]
    campaign = campaign_of(tmp_path, content, record(content, evaluation_results=results))
    campaign.ingest()
    assert campaign.rows("SELECT DISTINCT scorer FROM logged") == [("accuracy",)]
    content = lines(sample(1), sample(1, evaluation_result_id="r2"))
    about = record(content, evaluation_results=results)
    campaign.write({"logs/a_samples.jsonl": content, "logs/a.json": about})
    campaign.ingest()
    assert campaign.rows("SELECT scorer FROM logged ORDER BY ALL") == [("r1",), ("r2",)]


@pytest.mark.exhaustive
def test_epochs_are_samples(tmp_path: Path) -> None:
    second = sample(metadata={"epoch": "2"}, right=False, score=0)
    campaign = loaded(tmp_path, sample(metadata={"epoch": "1"}), second)
    assert campaign.rows("SELECT sample FROM responses ORDER BY ALL") == [("1",), ("2",)]


@pytest.mark.exhaustive
def test_what_the_model_said_is_the_answer_where_nothing_was_extracted(tmp_path: Path) -> None:
    messages = [
        {"turn_idx": 0, "role": "user", "content": "2 + 2?"},
        {"turn_idx": 1, "role": "assistant", "content": "hm"},
        {"turn_idx": 2, "role": "assistant", "content": "four"},
    ]
    turns = {"interaction_type": "multi_turn", "output": None, "messages": messages}
    campaign = loaded(
        tmp_path,
        sample(1, answer_attribution=[]),
        sample(2, answer_attribution=[], **turns),
        sample(3, answer_attribution=[], output={"raw": ["a", "b"]}),
        sample(4, answer_attribution=[], output={"raw": [""]}),
        sample(5, error="timeout"),
    )
    assert campaign.rows("SELECT question, answer FROM responses ORDER BY ALL") == [
        ("s1", "It is 4."),
        ("s2", "four"),
        ("s3", "a b"),
        ("s4", "(no text)"),
    ]
    assert ("samples that ended in an error: missing", 1) in campaign.rows(
        "SELECT remark, count FROM remarks"
    )


@pytest.mark.exhaustive
def test_a_field_of_the_metadata_is_the_type(tmp_path: Path) -> None:
    campaign = loaded(tmp_path, sample(metadata={"topic": "sums"}), type="topic")
    assert campaign.rows("SELECT type FROM questions") == [("sums",)]


def test_every_fault_is_told_with_its_line(tmp_path: Path) -> None:
    rows = [
        sample(1),
        sample(1),
        sample(2, sample_id=None),
        sample(3, schema_version="1.0"),
        sample(4, input={"raw": "x", "reference": [["4"]]}),
        sample(5, right="yes"),
        sample(6, evaluation_id="e/other/1"),
    ]
    content = lines(*rows) + '{"schema_version": "0.3'
    campaign = campaign_of(tmp_path, content, record(content, model_info={"id": "other"}))
    text = "\n".join(campaign.refusal())
    for problem in (
        "line 2: sample s1: is there twice for accuracy",
        "line 3: has no sample_id",
        "line 4: is of the schema version 1.0",
        "line 5: sample s4: has a reference that is no text",
        "line 6: sample s5: has an evaluation that is not known",
        "line 7: is of the evaluation e/other/1, the record beside it is not; allowed: e/m/1",
        "line 8: is not JSON",
        "logs/a_samples.jsonl: has samples of org/m; the record beside it is of other",
        "logs/a_samples.jsonl: has 8 samples; the record beside it says 7",
    ):
        assert problem in text


@pytest.mark.exhaustive
def test_a_score_that_is_no_number_is_none(tmp_path: Path) -> None:
    campaign = loaded(tmp_path, sample(score=float("nan")), sample(2, right=None, score=0.5))
    assert campaign.rows(VERDICTS) == [
        ("s1", None, "accuracy", "right", None),
        ("s2", None, "accuracy", None, 0.5),
    ]


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("a.json", record(""), "is a record without its samples"),
        ("a_samples.jsonl", "", "is empty"),
        ("a_samples.jsonl", '{"schema_version"', "is not JSON"),
    ],
)
def test_what_is_no_file_of_samples_is_told(
    tmp_path: Path, name: str, content: str, problem: str
) -> None:
    campaign = log_campaign(tmp_path)
    campaign.write({f"logs/{name}": content})
    (message,) = campaign.refusal()
    assert message.startswith(f"logs/{name}: {problem}")
