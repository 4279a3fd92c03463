"""Small logs in the formats of evaluation programs, for tests; and a campaign that reads them."""

import io
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from qampaign.input.collection_files import CollectionFiles
from tests.helpers.toy_campaign import Campaign

if sys.version_info >= (3, 14):
    import zipfile
else:
    from backports.zstd import zipfile

STORED, DEFLATED, ZSTD = zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_ZSTANDARD


def log_campaign(folder: Path, pattern: str = "logs/**/*", **logs: Any) -> Campaign:
    """A campaign with a collection whose responses come from logs."""
    campaign = Campaign(folder)
    campaign.files = CollectionFiles(
        collection="toy",
        folder=str(folder / "data"),
        paths={"logs": [pattern], "responses": [], "questions": [], "keys": [], "runs": []},
        logs=logs,
    )
    return campaign


def inspect_sample(
    number: int | str = 1, value: Any = "C", answer: str = "Paris", **more: Any
) -> dict[str, Any]:
    """A sample of Inspect, right unless said otherwise; `more` are other fields of it."""
    return {
        "id": number,
        "epoch": 1,
        "input": f"Question {number}?",
        "target": "Paris",
        "output": {"choices": [{"message": {"role": "assistant", "content": answer}}]},
        "scores": {"match": {"value": value}},
        "metadata": {},
        "attachments": {},
        **more,
    }


def inspect_header(**spec: Any) -> dict[str, Any]:
    """What a log of Inspect says of itself."""
    created = "2026-04-05T10:20:30+00:00"
    eval_spec = {"task": "capitals", "model": "mock/one", "created": created, "config": {}}
    return {"version": 2, "status": "success", "eval": eval_spec | spec, "plan": {}}


def inspect_json(samples: Sequence[Any], **spec: Any) -> str:
    """A log of Inspect as JSON; a NaN stands there bare, as Inspect writes it."""
    return json.dumps(inspect_header(**spec) | {"samples": list(samples)})


def inspect_eval(
    samples: Sequence[dict[str, Any]], *, packing: int = ZSTD, header: Any = None, **spec: Any
) -> bytes:
    """A log of Inspect as .eval, with summaries that nobody may go by."""
    members = {"_journal/start.json": json.dumps(inspect_header(**spec))}
    for each in samples:
        members[f"samples/{each['id']}_epoch_{each['epoch']}.json"] = json.dumps(each)
    cut = [{"id": each["id"], "epoch": each["epoch"], "target": "cut"} for each in samples]
    members["summaries.json"] = json.dumps(cut)
    members["header.json"] = json.dumps(inspect_header(**spec) if header is None else header)
    return zipped(members, packing)


def zipped(
    members: Mapping[str, str | bytes] | Iterable[tuple[str, str | bytes]], packing: int = DEFLATED
) -> bytes:
    """A zip of members by name; as pairs where a name comes twice."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", packing) as archive:
        for name, content in members.items() if isinstance(members, Mapping) else members:
            archive.writestr(name, content)
    return buffer.getvalue()


def lm_eval_sample(
    number: int, answer: Any = "4", target: str = "4", **more: Any
) -> dict[str, Any]:
    """A sample of lm-evaluation-harness; right where the answer is the target."""
    prompt = f"Question {number}?"
    return {
        "doc_id": number,
        "doc": {"question": prompt, "subject": "sums"},
        "target": target,
        "arguments": {"gen_args_0": {"arg_0": prompt, "arg_1": {"until": ["\n"]}}},
        "resps": [[f"It is {answer}."]],
        "filtered_resps": [answer],
        "filter": "none",
        "metrics": ["exact_match"],
        "exact_match": float(answer == target),
        **more,
    }


def lm_eval_choice(
    number: int, likelihoods: Sequence[float], target: Any = "0", **more: Any
) -> dict[str, Any]:
    """A sample of a multiple choice, with the choices north, south, east, west, as far as needed."""
    choices = ["north", "south", "east", "west"][: len(likelihoods)]
    arguments = {
        f"gen_args_{index}": {"arg_0": "Where?", "arg_1": f" {choice}"}
        for index, choice in enumerate(choices)
    }
    outputs = [[str(each), "False"] for each in likelihoods]
    return {
        "doc_id": number,
        "doc": {"query": "Where?"},
        "target": target,
        "arguments": arguments,
        "resps": [[each] for each in outputs],
        "filtered_resps": outputs,
        "filter": "none",
        "metrics": ["acc", "acc_norm"],
        "acc": 1.0,
        "acc_norm": 0.0,
        **more,
    }


def json_lines(rows: Sequence[Any]) -> str:
    """Rows as JSON, one per line."""
    return "".join(f"{json.dumps(row)}\n" for row in rows)


def lm_eval_results(model: str = "org/one", **more: Any) -> str:
    """A results file of lm-evaluation-harness."""
    results = {
        "results": {"sums": {"exact_match,none": 0.5}},
        "configs": {"sums": {}},
        "versions": {"sums": 1.0},
        "n-shot": {"sums": 5},
        "config": {"model": "hf", "model_args": f"pretrained={model},dtype=float16"},
        "date": 1768964383.85,
        "total_evaluation_time_seconds": "12.5",
    }
    return json.dumps(results | more)
