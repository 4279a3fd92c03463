"""What Every Eval Ever 0.3 asks of records and samples, written down as far as we use it.

Stricter than the format where we are: no further keys, wherever we know all that we write.
"""

from typing import Any

TEXT: dict[str, Any] = {"type": "string"}
NUMBER: dict[str, Any] = {"type": "number"}
WHOLE: dict[str, Any] = {"type": "integer"}
TEXTS: dict[str, Any] = {"type": "object", "additionalProperties": TEXT}
SAMPLES_PATH = (
    r"^data/[^/]+/[^/]+/[^/]+/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"
    r"_samples\.jsonl$"
)


def closed(optional: dict[str, Any] | None = None, **required: Any) -> dict[str, Any]:
    """An object with these keys and no others."""
    return {
        "type": "object",
        "required": [*required],
        "properties": {**required, **(optional or {})},
        "additionalProperties": False,
    }


def several(of: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": of}


BOUND = {"oneOf": [NUMBER, {"enum": ["Infinity", "-Infinity"]}]}
UNCERTAINTY = closed(
    confidence_interval=closed(
        lower=NUMBER, upper=NUMBER, method=TEXT, confidence_level={"const": 0.95}
    ),
    num_samples=WHOLE,
    num_bootstrap_samples=WHOLE,
)
METRIC = closed(
    {
        "metric_parameters": {
            "type": "object",
            "additionalProperties": {"type": ["string", "number", "boolean", "null"]},
        }
    },
    evaluation_description=TEXT,
    metric_id=TEXT,
    metric_name=TEXT,
    lower_is_better={"type": "boolean"},
    score_type={"const": "continuous"},
    min_score=BOUND,
    max_score=BOUND,
    additional_details=TEXTS,
)
RESULT = closed(
    evaluation_result_id=TEXT,
    evaluation_name=TEXT,
    source_data=closed(dataset_name=TEXT, source_type={"const": "other"}, additional_details=TEXTS),
    metric_config=METRIC,
    score_details=closed({"uncertainty": UNCERTAINTY}, score=NUMBER, details=TEXTS),
)
RECORD = closed(
    schema_version={"const": "0.3.0"},
    evaluation_id=TEXT,
    evaluation_timestamp=TEXT,
    retrieved_timestamp={"type": "string", "pattern": "^[0-9]+$"},
    source_metadata=closed(
        source_name=TEXT,
        source_type={"enum": ["documentation", "evaluation_run"]},
        source_organization_name=TEXT,
        evaluator_relationship={"enum": ["first_party", "third_party", "collaborative", "other"]},
    ),
    eval_library=closed(name=TEXT, version=TEXT),
    model_info=closed(
        {"developer": TEXT},
        name=TEXT,
        id=TEXT,
        additional_details={
            **TEXTS,
            "required": ["deployment_type", "model_availability"],
            "properties": {
                "deployment_type": {"enum": ["self_deployed", "externally_managed", "unknown"]},
                "model_availability": {"enum": ["open_weights", "closed_weights", "unknown"]},
            },
        },
    ),
    evaluation_results=several(RESULT),
    detailed_evaluation_results=closed(
        format={"const": "jsonl"},
        file_path={"type": "string", "pattern": SAMPLES_PATH},
        hash_algorithm={"enum": ["sha256", "md5"]},
        checksum=TEXT,
        total_rows=WHOLE,
    ),
)
SAMPLE = closed(
    {"evaluation_result_id": TEXT},
    schema_version={"const": "0.3.0"},
    evaluation_id=TEXT,
    model_id=TEXT,
    evaluation_name=TEXT,
    sample_id=TEXT,
    sample_hash={"type": ["string", "null"]},
    interaction_type={"const": "single_turn"},
    input=closed(raw=TEXT, reference=several(TEXT)),
    output=closed(raw=several(TEXT)),
    answer_attribution=several(
        closed(
            turn_idx=WHOLE,
            source=TEXT,
            extracted_value=TEXT,
            extraction_method=TEXT,
            is_terminal={"type": "boolean"},
        )
    ),
    evaluation=closed(score=NUMBER, is_correct={"type": "boolean"}),
    metadata=TEXTS,
)
