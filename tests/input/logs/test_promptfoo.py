"""Results of promptfoo: what becomes of them, and how faults are told."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.logs import log_campaign
from tests.helpers.toy_campaign import Campaign

ANSWERS = "SELECT run, question, sample, answer FROM responses ORDER BY ALL"
VERDICTS = "SELECT question, scorer, verdict, score FROM logged ORDER BY ALL"
PROMPTS = ("Say: {{body}}", "Shout:\n{{body}}")


def result(
    test: int = 0, prompt: int = 0, said: Any = "Ahoy", *, success: Any = True, **more: Any
) -> dict[str, Any]:
    """A result; `more` are other fields of it."""
    return {
        "promptIdx": prompt,
        "testIdx": test,
        "provider": {"id": "openai:gpt", "label": ""},
        "prompt": {"raw": f"Say: hello {test}", "label": PROMPTS[prompt]},
        "vars": {"body": f"hello {test}"},
        "testCase": {"vars": {"body": f"hello {test}"}, "assert": []},
        "response": {"output": said, "tokenUsage": {"total": 19}},
        "success": success,
        "score": float(success is True),
        "failureReason": 0,
        "namedScores": {},
        "latencyMs": 250,
        "cost": 0.5,
        **more,
    }


def output(*results: Any, **more: Any) -> str:
    """A file of results."""
    summary = {"version": 3, "timestamp": "2026-04-05T10:20:30Z", "results": list(results)}
    return json.dumps(
        {"evalId": "e", "results": summary | {"prompts": [], "stats": {}}, "config": {}} | more
    )


def loaded(folder: Path, *results: Any, **options: Any) -> Campaign:
    campaign = log_campaign(folder, **options)
    campaign.write({"logs/output.json": output(*results)})
    campaign.ingest()
    return campaign


@pytest.mark.slow
def test_a_result_is_a_question_an_answer_and_a_verdict(tmp_path: Path) -> None:
    campaign = loaded(tmp_path, result(0), result(1, said="No", success=False))
    assert campaign.rows(ANSWERS) == [
        ("openai:gpt", "hello 0", None, "Ahoy"),
        ("openai:gpt", "hello 1", None, "No"),
    ]
    assert campaign.rows(VERDICTS) == [
        ("hello 0", "success", "right", 1.0),
        ("hello 1", "success", "wrong", 0.0),
    ]
    assert campaign.rows("SELECT DISTINCT tokens, cost, seconds FROM responses") == [
        (19, 0.5, 0.25)
    ]
    assert campaign.rows("SELECT task, model, date FROM logs") == [
        ("promptfoo", "openai:gpt", "2026-04-05")
    ]


@pytest.mark.exhaustive
def test_several_prompts_are_several_runs(tmp_path: Path) -> None:
    campaign = loaded(tmp_path, result(0), result(0, 1, "AHOY"))
    assert campaign.rows(ANSWERS) == [
        ("openai:gpt, Say: {{body}}", "hello 0", None, "Ahoy"),
        ("openai:gpt, Shout: {{body}}", "hello 0", None, "AHOY"),
    ]


@pytest.mark.exhaustive
def test_a_label_names_the_provider(tmp_path: Path) -> None:
    named = {"provider": {"id": "openai:gpt", "label": "mine"}}
    campaign = loaded(tmp_path, result(0, **named), result(0, 1, provider="echo"))
    runs = [row[0] for row in campaign.rows(ANSWERS)]
    assert runs == ["echo, Shout: {{body}}", "mine, Say: {{body}}"]


@pytest.mark.exhaustive
def test_repeated_tests_are_samples(tmp_path: Path) -> None:
    again = result(1, said="Hi", vars={"body": "hello 0"})
    campaign = loaded(tmp_path, result(0), again)
    assert [row[1:] for row in campaign.rows(ANSWERS)] == [
        ("hello 0", "1", "Ahoy"),
        ("hello 0", "2", "Hi"),
    ]


@pytest.mark.exhaustive
def test_variables_and_a_description_are_the_question(tmp_path: Path) -> None:
    both = result(0, vars={"b": [1], "a": "x\ny"}, testCase={"description": "greets"})
    long = result(1, vars={"body": "x" * 20_000})
    campaign = loaded(tmp_path, both, long)
    (first, second) = [row[0] for row in campaign.rows("SELECT question FROM questions ORDER BY 1")]
    assert first == "greets: a: x y, b: [1]"
    assert len(second) == 219


@pytest.mark.exhaustive
def test_one_assertion_gives_the_right_answers(tmp_path: Path) -> None:
    def asserting(number: int, *given: tuple[str, Any]) -> dict[str, Any]:
        asserted = [{"type": kind, "value": value} for kind, value in given]
        return result(number, testCase={"assert": asserted})

    campaign = loaded(
        tmp_path,
        asserting(0, ("equals", "Ahoy"), ("latency", 3)),
        asserting(1, ("contains-any", ["a", "b"])),
        asserting(2, ("contains", "a"), ("contains", "b")),  # both are asked for, neither alone
        asserting(3, ("equals", "{{ body }}!")),
        asserting(4, ("equals", "{{ other }}")),
        asserting(5, ("llm-rubric", "is polite")),
    )
    assert campaign.rows("SELECT question, key FROM keys ORDER BY ALL") == [
        ("hello 0", "Ahoy"),
        ("hello 1", "a"),
        ("hello 1", "b"),
        ("hello 3", "hello 3!"),
    ]


@pytest.mark.exhaustive
def test_named_scores_are_scorers(tmp_path: Path) -> None:
    campaign = loaded(tmp_path, result(0, namedScores={"tone": 0.5, "form": 1}))
    assert campaign.rows(VERDICTS) == [
        ("hello 0", "form", "right", 1.0),
        ("hello 0", "success", "right", 1.0),
        ("hello 0", "tone", None, 0.5),
    ]


@pytest.mark.exhaustive
def test_errors_are_missing_and_outputs_may_be_objects(tmp_path: Path) -> None:
    campaign = loaded(
        tmp_path,
        result(0, said={"a": 1}),
        result(1, success=False, failureReason=2, error="timeout", response=None),
        result(2, success=False, failureReason=1, error="Expected x"),
        result(3, gradingResult={"reason": "No assertions"}),
    )
    assert [row[1:] for row in campaign.rows(ANSWERS)] == [
        ("hello 0", None, '{"a": 1}'),
        ("hello 2", None, "Ahoy"),
        ("hello 3", None, "Ahoy"),
    ]
    remarks = dict(campaign.rows("SELECT remark, count FROM remarks"))
    assert remarks["results that ended in an error: missing"] == 1
    assert remarks["results of tests without assertions: successes, as promptfoo counts them"] == 1


@pytest.mark.exhaustive
def test_a_field_of_the_test_is_the_type(tmp_path: Path) -> None:
    typed = result(0, testCase={"metadata": {"kind": "greeting"}})
    campaign = loaded(tmp_path, typed, type="kind")
    assert campaign.rows("SELECT type FROM questions") == [("greeting",)]


@pytest.mark.exhaustive
def test_lines_and_early_versions_are_read(tmp_path: Path) -> None:
    early = {
        "prompt": {"raw": "Say: x", "display": "Say: {{body}}"},
        "vars": {"body": "x"},
        "response": {"output": "Ahoy"},
        "success": True,
    }
    campaign = log_campaign(tmp_path, run="{stem}")
    rows = "".join(json.dumps(result(number)) + "\n" for number in (0, 1))
    campaign.write(
        {
            "logs/lines.jsonl": rows,
            "logs/early.json": json.dumps({"version": 1, "results": [early], "stats": {}}),
        }
    )
    campaign.ingest()
    assert [row[:2] for row in campaign.rows(ANSWERS)] == [
        ("early", "x"),
        ("lines", "hello 0"),
        ("lines", "hello 1"),
    ]


@pytest.mark.slow
def test_every_fault_is_told_with_its_place(tmp_path: Path) -> None:
    campaign = log_campaign(tmp_path)
    rows = [
        result(0),
        result(0),
        result(1, success="yes"),
        7,
        result(2, provider=None),
        result(3, namedScores={"tone": "high"}),
    ]
    campaign.write({"logs/output.json": output(*rows)})
    text = "\n".join(campaign.refusal())
    for problem in (
        "result 2: has test 0 of prompt 0 again",
        "result 3: has no success",
        "result 4: has no success",
        "result 5: has no provider",
        "result 6: has a score of tone that is no number",
    ):
        assert problem in text


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (output(), "is in no format of logs that is known"),
        (output(result())[:-40], "is not JSON"),
        (output(result()).replace('"version": 3', '"version": 9'), "is of version 9 of the format"),
    ],
)
def test_what_is_no_output_is_told(tmp_path: Path, content: str, problem: str) -> None:
    campaign = log_campaign(tmp_path)
    campaign.write({"logs/output.json": content})
    assert campaign.refusal()[0].startswith(f"logs/output.json: {problem}")
