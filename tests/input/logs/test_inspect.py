"""Logs of Inspect: what becomes of samples, scores and texts, and how faults are told."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.cases import first
from tests.helpers.logs import (
    DEFLATED,
    STORED,
    ZSTD,
    inspect_eval,
    inspect_header,
    inspect_json,
    inspect_sample,
    log_campaign,
    zipped,
)
from tests.helpers.toy_campaign import Campaign

pytestmark = pytest.mark.slow


ANSWERS = "SELECT run, question, sample, answer FROM responses ORDER BY ALL"
VERDICTS = "SELECT question, sample, scorer, verdict, level, score FROM logged ORDER BY ALL"


def loaded(folder: Path, *samples: dict[str, Any], **options: Any) -> Campaign:
    campaign = log_campaign(folder, **({"run": "{stem}"} | options))
    campaign.write({"logs/a.json": inspect_json(samples)})
    campaign.ingest()
    return campaign


@pytest.mark.parametrize("packing", first(1, [ZSTD, DEFLATED, STORED]))
def test_a_zip_is_read_however_it_is_packed(tmp_path: Path, packing: int) -> None:
    campaign = log_campaign(tmp_path, run="{stem}")
    samples = [inspect_sample(1), inspect_sample(2, "I", "Rome")]
    campaign.write({"logs/a.eval": inspect_eval(samples, packing=packing)})
    assert campaign.ingest() == (1, 0)
    assert campaign.rows(ANSWERS) == [("a", "1", None, "Paris"), ("a", "2", None, "Rome")]
    assert campaign.rows("SELECT question, key, literal FROM keys ORDER BY ALL") == [
        ("1", "Paris", True),
        ("2", "Paris", True),
    ]
    assert campaign.rows("SELECT question, text, nil FROM questions ORDER BY ALL") == [
        ("1", "Question 1?", False),
        ("2", "Question 2?", False),
    ]
    assert campaign.rows(VERDICTS) == [
        ("1", None, "match", "right", None, None),
        ("2", None, "match", "wrong", None, None),
    ]
    assert campaign.ingest() == (0, 1)


def test_values_are_verdicts_levels_and_numbers(tmp_path: Path) -> None:
    values = ["C", "I", "P", "N", 1, 0, True, False, 0.25, 1.0, "yes", "0.5"]
    campaign = loaded(tmp_path, *(inspect_sample(n, value) for n, value in enumerate(values, 10)))
    assert campaign.rows("SELECT verdict, level, score FROM logged ORDER BY question") == [
        ("right", None, None),
        ("wrong", None, None),
        ("inexact", "0.5", None),
        ("not_attempted", None, None),
        ("right", None, 1.0),
        ("wrong", None, 0.0),
        ("right", None, 1.0),
        ("wrong", None, 0.0),
        (None, None, 0.25),
        ("right", None, 1.0),
        ("right", None, 1.0),
        (None, None, 0.5),
    ]


@pytest.mark.exhaustive
def test_levels_in_logs_are_there_for_measures_that_need_them(tmp_path: Path) -> None:
    campaign = log_campaign(tmp_path, run="{stem}")
    campaign.change(needs={"level": ["credit"]})
    campaign.write({"logs/a.json": inspect_json([inspect_sample(1), inspect_sample(2, "P")])})
    assert campaign.ingest() == (1, 0)
    campaign.write({"logs/a.json": inspect_json([inspect_sample(1), inspect_sample(2, "I")])})
    assert campaign.refusal() == [
        "collection toy, column level: is in none of the assessments or keys or verdicts or "
        "verdicts in logs, but credit needs it; allowed: assessments or keys or verdicts or "
        "verdicts in logs with a column level, or other measures"
    ]


@pytest.mark.exhaustive
def test_lists_and_objects_are_a_scorer_for_each_entry(tmp_path: Path) -> None:
    campaign = loaded(
        tmp_path, inspect_sample(1, {"f1": 0.5, "exact": "C"}), inspect_sample(2, [1, "I"])
    )
    assert campaign.rows(VERDICTS) == [
        ("1", None, "match.exact", "right", None, None),
        ("1", None, "match.f1", None, None, 0.5),
        ("2", None, "match.0", "right", None, 1.0),
        ("2", None, "match.1", "wrong", None, None),
    ]


def test_a_bare_nan_is_not_scored(tmp_path: Path) -> None:
    campaign = loaded(tmp_path, inspect_sample(1), inspect_sample(2, float("nan")))
    assert campaign.rows("SELECT question FROM logged") == [("1",)]
    assert campaign.rows("SELECT question FROM responses ORDER BY ALL") == [("1",), ("2",)]
    assert campaign.rows("SELECT remark, count FROM remarks") == [
        ("scores of match that are no number: not scored", 1)
    ]


def test_epochs_are_samples_where_there_are_several(tmp_path: Path) -> None:
    campaign = loaded(tmp_path, inspect_sample(1), inspect_sample(1, "I", "Rome", epoch=2))
    assert campaign.rows(ANSWERS) == [("a", "1", "1", "Paris"), ("a", "1", "2", "Rome")]
    assert campaign.rows("SELECT question FROM questions") == [("1",)]


def test_a_sample_with_an_error_is_missing(tmp_path: Path) -> None:
    broken = inspect_sample(2, error={"message": "timeout"}, scores=None)
    campaign = loaded(tmp_path, inspect_sample(1), broken)
    assert campaign.rows("SELECT question FROM responses") == [("1",)]
    assert campaign.rows("SELECT question FROM questions ORDER BY ALL") == [("1",), ("2",)]
    assert ("samples that ended in an error: missing", 1) in campaign.rows(
        "SELECT remark, count FROM remarks"
    )


@pytest.mark.exhaustive
def test_what_all_scorers_extract_is_the_answer_else_the_output(tmp_path: Path) -> None:
    same = {"a": {"value": 1, "answer": "A"}, "b": {"value": 1}, "c": {"value": 0, "answer": "A "}}
    other = {"a": {"value": 1, "answer": "A"}, "b": {"value": 1, "answer": "B"}}
    campaign = loaded(
        tmp_path,
        inspect_sample(1, scores=same, answer="I say A."),
        inspect_sample(2, scores=other, answer="I say A."),
        inspect_sample(3, scores={"a": {"value": 0, "answer": ""}}, answer="I say nothing."),
    )
    assert campaign.rows("SELECT answer FROM responses ORDER BY question") == [
        ("A",),
        ("I say A.",),
        ("I say nothing.",),
    ]


def test_texts_in_parts_and_attachments_are_put_together(tmp_path: Path) -> None:
    parts = [
        {"type": "reasoning", "reasoning": "hm"},
        {"type": "text", "text": "attachment://abc"},
        {"type": "text", "text": "France"},
    ]
    sample = inspect_sample(1, attachments={"abc": "Paris,", "def": "Where?"})
    sample["output"]["choices"][0]["message"]["content"] = parts
    sample["input"] = [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "attachment://def"},
    ]
    campaign = loaded(tmp_path, sample)
    assert campaign.rows("SELECT answer FROM responses") == [("Paris, France",)]
    assert campaign.rows("SELECT text FROM questions") == [("Where?",)]


@pytest.mark.exhaustive
def test_targets_in_a_list_are_forms_of_one_answer(tmp_path: Path) -> None:
    campaign = loaded(tmp_path, inspect_sample(1, target=["Paris", 'the "City; of|Light"']))
    assert campaign.rows('SELECT key, "class", literal FROM keys ORDER BY key') == [
        ("Paris", "Paris", True),
        ('the "City; of|Light"', "Paris", True),
    ]


@pytest.mark.exhaustive
def test_usage_and_time_are_what_answers_took(tmp_path: Path) -> None:
    usage = {
        "mock/one": {"total_tokens": 30, "total_cost": 0.5},
        "mock/grader": {"total_tokens": 12, "total_cost": 0.25},
    }
    campaign = loaded(tmp_path, inspect_sample(1, model_usage=usage, total_time=1.5))
    assert campaign.rows("SELECT tokens, cost, seconds FROM responses") == [(42, 0.75, 1.5)]
    assert campaign.rows("SELECT run, more FROM runs") == [
        ("a", '{"model": "mock/one", "date": "2026-04-05"}')
    ]


@pytest.mark.exhaustive
def test_a_field_of_the_metadata_is_the_type(tmp_path: Path) -> None:
    sample = inspect_sample(1, metadata={"subject": "geography"})
    campaign = loaded(tmp_path, sample, type="subject")
    assert campaign.rows("SELECT type FROM questions") == [("geography",)]


def test_every_fault_of_a_file_is_told_with_its_place(tmp_path: Path) -> None:
    campaign = log_campaign(tmp_path, run="{stem}")
    good = {f"samples/{n}_epoch_1.json": json.dumps(inspect_sample(n)) for n in range(1, 4)}
    bad = {
        "samples/4_epoch_1.json": '{"id": 4, "epoch": 1, "tar',
        "samples/5_epoch_1.json": json.dumps(inspect_sample(5, "maybe")),
        "samples/6_epoch_1.json": json.dumps(inspect_sample(6, target=7)),
        "samples/x.json": "{}",
    }
    header = {"header.json": json.dumps(inspect_header())}
    campaign.write({"logs/a.eval": zipped(good | bad | header)})
    message = "\n".join(campaign.refusal())
    assert "member 'samples/4_epoch_1.json': is not JSON" in message
    assert "sample 5, epoch 1: has a value of match that is not known: 'maybe'" in message
    assert "sample 6, epoch 1: has a target that is no text" in message
    assert "member 'samples/x.json': is no name of a sample" in message


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (inspect_eval([inspect_sample(1)])[:-30], "is a damaged or incomplete zip"),
        (json.dumps(inspect_header()), "has no samples"),
        (json.dumps(inspect_header() | {"version": 3}), "is of version 3 of the log format"),
        ('{"a": {"b": []}}', "is in no format of logs that is known"),
        ("", "is empty"),
        ('{"eval": {"task"', "is not JSON"),
    ],
)
def test_what_is_no_log_is_told(tmp_path: Path, content: bytes | str, problem: str) -> None:
    campaign = log_campaign(tmp_path)
    campaign.write({"logs/a.eval": content})
    (message,) = campaign.refusal()
    assert message.startswith(f"logs/a.eval: {problem}")


def test_a_zip_that_unpacks_to_too_much_is_refused(tmp_path: Path) -> None:
    campaign = log_campaign(tmp_path, run="{stem}")
    campaign.change(unpacked_gb=1e-5)  # 10,000 bytes
    campaign.write({"logs/a.eval": inspect_eval([inspect_sample(1, answer="x" * 20_000)])})
    (message,) = campaign.refusal()
    assert message.startswith("logs/a.eval: unpacks to more than 1e-05 gigabytes")


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_of_a_sample_that_is_packed_twice_the_last_counts(tmp_path: Path) -> None:
    name = "samples/1_epoch_1.json"
    samples = [json.dumps(inspect_sample(1, answer=answer)) for answer in ("Rome", "Paris")]
    members = [("header.json", json.dumps(inspect_header())), *((name, one) for one in samples)]
    campaign = log_campaign(tmp_path)
    campaign.write({"logs/a.eval": zipped(members)})
    campaign.ingest()
    assert campaign.rows("SELECT answer FROM responses") == [("Paris",)]
    said = f"samples that are packed more than once: the last counts; first member '{name}'"
    assert (said, 1) in campaign.rows("SELECT remark, count FROM remarks")


@pytest.mark.exhaustive
def test_a_sample_in_pieces_is_put_together(tmp_path: Path) -> None:
    shell = inspect_sample(1, answer="attachment://1", input="attachment://7")
    del shell["attachments"], shell["metadata"]
    folder = "samples/1_epoch_1"
    members = {
        "header.json": json.dumps(inspect_header()),
        f"{folder}/sample.json": json.dumps(shell),
        f"{folder}/metadata.json": '{"subject": "cities"}',
        f"{folder}/attachments/0.json": '["Rome"]',
        f"{folder}/attachments/1.json": '["Paris"]',
        f"{folder}/events/0.json": "[]",
    }
    campaign = log_campaign(tmp_path, type="subject")
    campaign.write({"logs/a.eval": zipped(members, ZSTD)})
    campaign.ingest()
    assert campaign.rows("SELECT answer FROM responses") == [("Paris",)]
    assert campaign.rows("SELECT type, text FROM questions") == [("cities", None)]
    campaign.write({"logs/a.eval": zipped(members | {f"{folder}/attachments/1.json": "["})})
    (message,) = campaign.refusal()
    assert "has a piece that cannot be read" in message


@pytest.mark.exhaustive
def test_a_log_of_2024_with_one_score_is_read(tmp_path: Path) -> None:
    sample = inspect_sample(1, score={"value": "C"}, transcript={"content": {"abc": "Paris"}})
    del sample["scores"], sample["attachments"]
    sample["output"]["choices"][0]["message"]["content"] = "tc://abc"
    campaign = loaded(tmp_path, sample)
    assert campaign.rows("SELECT answer FROM responses") == [("Paris",)]
    assert campaign.rows("SELECT scorer, verdict FROM logged") == [("score", "right")]


@pytest.mark.exhaustive
def test_an_answer_without_text_that_is_right_is_an_answer(tmp_path: Path) -> None:
    campaign = loaded(tmp_path, inspect_sample(1, "C", ""), inspect_sample(2, "I", ""))
    assert campaign.rows("SELECT answer, answered FROM responses ORDER BY question") == [
        ("(no text)", True),
        (None, False),
    ]


@pytest.mark.exhaustive
def test_samples_that_another_model_answered_are_remarked_on(tmp_path: Path) -> None:
    def by(number: int, model: str | None) -> dict[str, Any]:
        sample = inspect_sample(number)
        sample["output"]["model"] = model
        return sample

    models = ["one", "One-2026-01-31", "org/one-latest", None, "one-mini", "two", "two"]
    campaign = loaded(tmp_path, *(by(number, model) for number, model in enumerate(models, 1)))
    assert campaign.rows("SELECT remark, count FROM remarks ORDER BY ALL") == [
        ("samples whose output is by the model one-mini, in a log of mock/one", 1),
        ("samples whose output is by the model two, in a log of mock/one", 2),
    ]
