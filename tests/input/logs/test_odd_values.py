"""Any value of a log may be another than its format has: that is told, and never a stack of frames."""

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from qampaign.input.formats import Unreadable
from qampaign.input.logs.declaration import UNFORESEEN, LogFormat
from qampaign.input.logs.formats import LOG_FORMATS
from qampaign.input.logs.log_file import LogFile
from qampaign.input.logs.options import LogOptions
from qampaign.input.logs.reading import read_log
from tests.helpers.cases import first
from tests.helpers.logs import (
    inspect_json,
    inspect_sample,
    lm_eval_choice,
    lm_eval_results,
    lm_eval_sample,
)

ODD = (None, True, -1, 1.5, float("nan"), 10**400, "", "x\0", [], [[]], {}, {"a": [None]})
"""What stands in place of each value, one after the other."""

EEE = {
    "schema_version": "0.3.0", "evaluation_id": "e", "model_id": "m", "evaluation_name": "t",
    "sample_id": "1", "input": {"raw": "?", "reference": ["Paris"]}, "output": {"raw": ["Paris"]},
    "answer_attribution": [{"extracted_value": "Paris", "is_terminal": True}],
    "evaluation": {"score": 1.0, "is_correct": True}, "metadata": {"epoch": 1},
    "token_usage": {"total_tokens": 5}, "performance": {"latency_ms": 7.5},
}  # fmt: skip
RECORD = {
    "evaluation_id": "e", "evaluation_timestamp": "1750000000", "model_info": {"id": "m"},
    "eval_library": {"name": "inspect"}, "detailed_evaluation_results": {"total_rows": 1},
    "evaluation_results": [{"evaluation_result_id": "r", "metric_config": {"metric_id": "acc"}}],
}  # fmt: skip
HELM = {
    "adapter_spec": {"model": "m"},
    "request_states": [
        {
            "instance": {
                "id": "id1", "input": {"text": "?"},
                "references": [{"output": {"text": "Paris"}, "tags": ["correct"]}],
            },
            "train_trial_index": 0,
            "result": {"success": True, "completions": [{"text": "Paris", "logprob": -1.0}],
                       "request_time": 0.5, "request_datetime": 1750000000},
        }
    ],
}  # fmt: skip
STATS = [
    {"instance_id": "id1", "train_trial_index": 0,
     "stats": [{"name": {"name": "exact_match"}, "count": 1, "mean": 1.0}]}
]  # fmt: skip
PROMPTFOO = {
    "results": {
        "version": 3, "timestamp": "2026-01-01T00:00:00Z",
        "results": [
            {
                "vars": {"city": "Paris"}, "success": True, "prompt": {"label": "Where?"},
                "provider": {"id": "m"}, "promptIdx": 0, "testIdx": 0, "score": 1.0,
                "response": {"output": "Paris", "tokenUsage": {"total": 5}, "cost": 0.1},
                "namedScores": {"exact": 1.0}, "latencyMs": 5,
                "testCase": {"assert": [{"type": "equals", "value": "Paris"}]},
            }
        ],
    },
    "config": {"description": "cities", "providers": ["m"]},
}  # fmt: skip
SQUAD = {
    "data": [
        {"title": "a", "paragraphs": [
            {"qas": [{"id": "q1", "question": "?", "answers": [{"text": "Paris"}],
                      "is_impossible": False}]}]}
    ]
}  # fmt: skip
GRADED = {
    "problem": "?", "target": "Paris", "predicted_answer": "Paris", "grade": "A",
    "confidence": 0.5, "metadata": {"topic": "x"}, "sample": 1,
}  # fmt: skip
LM_EVAL = "samples_sums_2026-01-21T03-44-18.458309.jsonl"
RESULTS = "results_2026-01-21T03-44-18.458309.json"
LISTED = [{"id": "q1", "prediction_text": "Paris", "no_answer_probability": 0.1}]
PROBABILITIES = {"na_prob.json": {"q1": 0.1}}

Documents = tuple[str, Any, dict[str, Any]]
"""The name of a file, what stands in it (a list in .jsonl: its lines), and the files beside it."""

LOGS: dict[str, list[Documents]] = {
    "inspect": [("a.json", json.loads(inspect_json([inspect_sample()])), {})],
    "lm_eval": [
        (LM_EVAL, [lm_eval_sample(1), lm_eval_choice(2, [-1, -2])], {}),
        (LM_EVAL, [lm_eval_sample(1)], {RESULTS: json.loads(lm_eval_results())}),
    ],
    "eee": [("a_samples.jsonl", [EEE], {"a.json": RECORD})],
    "helm": [("scenario_state.json", HELM, {"per_instance_stats.json": STATS})],
    "promptfoo": [("output.json", PROMPTFOO, {})],
    "squad": [
        ("dev.json", SQUAD, {}),
        ("predictions.json", {"q1": "Paris"}, PROBABILITIES),
        ("run.json", LISTED, {}),
    ],
    "pan": [
        ("answers.jsonl", [{"id": "1", "value": 0.4}], {}),
        ("truth.jsonl", [{"id": "1", "same": True, "authors": ["a", "b"]}], {}),
    ],
    "simpleqa": [("a.jsonl", [GRADED, GRADED | {"problem": "!"}], {})],
    "wide": [("a.jsonl", [{"question": "?", "target": "Paris", "one": "Paris", "two": "x"}], {})],
}


def places(value: Any, before: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to each value in a document."""
    entries: Any = ()
    if isinstance(value, dict):
        entries = value.items()
    elif isinstance(value, list):
        entries = enumerate(value)
    for name, each in entries:
        yield (*before, name)
        yield from places(each, (*before, name))


def changed(document: Any, place: tuple[Any, ...], odd: Any) -> Any:
    """A document with an odd value in a place."""
    other = copy.deepcopy(document)
    within = other
    for name in place[:-1]:
        within = within[name]
    within[place[-1]] = odd
    return other


def written(name: str, document: Any) -> bytes:
    rows = document if name.endswith("l") and isinstance(document, list) else [document]
    return "".join(f"{json.dumps(row)}\n" for row in rows).encode()


def read(declared: LogFormat, name: str, document: Any, beside: dict[str, Any]) -> str:
    """What is told of a file that cannot be read; nothing where some of it can."""
    others = {other: written(other, each) for other, each in beside.items()}
    file = LogFile(Path("/runs/one", name), written(name, document), others)
    try:
        read_log(file, LogOptions(format=declared.name))
    except Unreadable as unreadable:
        return "; ".join(fault.problem for fault in unreadable.faults)
    return ""


USED = inspect_sample(model_usage={"m": {"total_tokens": 5, "total_cost": 0.1}}, total_time=0.5)
COUNTED = [
    {"instance_id": "id1", "train_trial_index": 0,
     "stats": [{"name": {"name": "num_prompt_tokens"}, "count": 1, "mean": 5}]}
]  # fmt: skip
RESULT = ("results", "results", 0)
AMOUNTS = [
    ("inspect", {"samples": [USED]}, ("samples", 0, "total_time"), "seconds", "total_time"),
    ("inspect", {"samples": [USED]}, ("samples", 0, "model_usage", "m", "total_tokens"), "tokens",
     "total_tokens"),
    ("inspect", {"samples": [USED]}, ("samples", 0, "model_usage", "m", "total_cost"), "cost",
     "total_cost"),
    ("inspect", {"samples": [USED]}, ("samples", 0, "model_usage"), "cost", "total_cost"),
    ("eee", [EEE], (0, "token_usage", "total_tokens"), "tokens", "token_usage.total_tokens"),
    ("eee", [EEE], (0, "token_usage"), "tokens", "token_usage.total_tokens"),
    ("eee", [EEE], (0, "performance", "latency_ms"), "seconds", "performance.latency_ms"),
    ("helm", HELM, ("request_states", 0, "result", "request_time"), "seconds",
     "result.request_time"),
    ("promptfoo", PROMPTFOO, (*RESULT, "latencyMs"), "seconds", "latencyMs"),
    ("promptfoo", PROMPTFOO, (*RESULT, "response", "cost"), "cost", "cost"),
    ("promptfoo", PROMPTFOO, (*RESULT, "response", "tokenUsage", "total"), "tokens",
     "tokenUsage.total"),
]  # fmt: skip
"""A format, a document of it, the place of an amount, its column, and what a remark calls it."""


def remarks_on(name: str, document: Any, beside: dict[str, Any]) -> list[tuple[str, str, int]]:
    path, whole, _ = LOGS[name][0]
    document = whole | document if isinstance(document, dict) else document
    others = {other: written(other, each) for other, each in beside.items()}
    file = LogFile(Path("/runs/one", path), written(path, document), others)
    return list(read_log(file, LogOptions(format=name)).remarks)


@pytest.mark.parametrize("odd", first(2, [-1, "soon", True, [5]]))
@pytest.mark.parametrize(("name", "document", "place", "column", "told"), AMOUNTS)
def test_an_amount_that_is_none_is_left_out_with_a_remark(
    name: str, document: Any, place: tuple[Any, ...], column: str, told: str, odd: Any
) -> None:
    beside = {"per_instance_stats.json": COUNTED} if name == "helm" else {}
    assert not [each for each in remarks_on(name, document, beside) if each[0] == column]
    ((_, text, count),) = [
        each
        for each in remarks_on(name, changed(document, place, odd), beside)
        if each[0] == column
    ]
    start = f"{told} that is no number from 0: left out; first '{str(odd)[:40]}' in "
    assert (text[: len(start)], count) == (start, 1)


def test_counts_of_tokens_that_are_none_are_left_out_with_a_remark() -> None:
    odd = changed(COUNTED, (0, "stats", 0, "mean"), -5)
    told = "num_prompt_tokens.mean that is no number from 0: left out; first '-5' in instance id1"
    assert ("tokens", told, 1) in remarks_on("helm", HELM, {"per_instance_stats.json": odd})


@pytest.mark.slow
@pytest.mark.parametrize("name", first(1, LOGS))
def test_any_odd_value_is_told_in_words_of_the_format(name: str) -> None:
    declared = LOG_FORMATS[name]
    for path, document, beside in LOGS[name]:
        assert read(declared, path, document, beside) == ""
        for odd in ODD:
            for place in places(document):
                told = read(declared, path, changed(document, place, odd), beside)
                assert UNFORESEEN not in told, (place, odd, told)
            for other, each in beside.items():
                for place in places(each):
                    others = beside | {other: changed(each, place, odd)}
                    told = read(declared, path, document, others)
                    assert UNFORESEEN not in told, (other, place, odd, told)


def test_what_nobody_foresaw_is_a_fault_of_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> Any:
        raise KeyError("samples")

    declared = LOG_FORMATS["inspect"]
    monkeypatch.setitem(declared.__dict__, "read", fail)
    (path, document, beside) = LOGS["inspect"][0]
    told = read(declared, path, document, beside)
    assert told == f"{UNFORESEEN} Inspect (KeyError: 'samples')"
