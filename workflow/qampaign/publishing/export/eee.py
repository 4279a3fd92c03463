"""Records of Every Eval Ever, version 0.3: what runs score, with uncertainty, and every sample.

A record per collection and submitted run, `data/<collection>/<team>/<run>/<uuid>.json`, holds its
values by every judge, measure and slice. Beside it, `<uuid>_samples.jsonl` has a line for each
question and judge, with the verdict on the first answer. The same results give the same bytes.
"""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from uuid import UUID

import polars as pl

from qampaign.judging.judges import JUDGES
from qampaign.measures.configured import Configured
from qampaign.publishing.export.publication import Publication
from qampaign.publishing.parcels import folder_name
from qampaign.studies.intervals import LEVEL
from qampaign.studies.weighted_values import DRAWS
from qampaign.tables import Row

VERSION = "0.3.0"
UNKNOWN = "unknown"

INTERVAL = "Bayesian bootstrap with a best and a worst pseudo-{unit}, by {unit}"
"""How intervals are computed."""

DETAILS = ("questions", "rank_first", "rank_last", "rank_low", "rank_high", "missing")
"""Columns of scores that go with a value as they are."""

SAMPLES = """
SELECT judge, judges.kind, judges.threshold, question, sample,
  questions.text, questions.keys, questions.type,
  list(answer ORDER BY rank) FILTER (answer IS NOT NULL) AS answers,
  first(answer ORDER BY rank) AS answer, first(answered ORDER BY rank) AS answered,
  first(verdict ORDER BY rank) AS verdict, first(correct ORDER BY rank) AS correct,
  first(level ORDER BY rank) AS level, first(degree ORDER BY rank) AS degree,
  first(confidence ORDER BY rank) AS confidence
FROM (FROM answers WHERE collection = $collection AND run = $run) given
JOIN (FROM questions WHERE collection = $collection) questions USING (judge, question)
JOIN (FROM judges WHERE collection = $collection) judges USING (judge)
GROUP BY ALL ORDER BY judge, question, sample NULLS FIRST
"""
"""The first answer of a run to each question, in each sample, by every judge."""


def write(publication: Publication, folder: Path) -> list[str]:
    """Write the records; gives remarks."""
    without = unjudged = 0
    described = {row["collection"]: row for row in _collections(publication)}
    for run in publication.read("runs", kind="submitted").sort("collection", "run").to_dicts():
        left_out = _write_record(publication, described[run["collection"]], run, folder)
        without, unjudged = without + left_out[0], unjudged + left_out[1]
    remarks = [f"values that do not exist, and are left out: {without:,}"] if without else []
    if unjudged:
        remarks.append(
            "values by judges without a verdict on any answer of a run, left out as they count all "
            f"of them as wrong: {unjudged:,}"
        )
    if not publication.is_open:
        remarks.append("open: false: without texts of answers and keys")
    return remarks


def _collections(publication: Publication) -> Iterator[Row]:
    """The collections, each with the unit that is drawn: groups only where questions have some."""
    for row in publication.read("collections").to_dicts():
        ((grouped,),) = publication.connection.execute(
            'SELECT count("group") > 0 FROM questions WHERE collection = ?', [row["collection"]]
        ).fetchall()
        yield {**row, "unit": row["unit"] if grouped else "question"}


def _write_record(
    publication: Publication, collection: Row, run: Row, folder: Path
) -> tuple[int, int]:
    """Write the record of a run, and its samples.

    Gives how many values do not exist, and how many are left out since nobody judged the run.
    """
    time = str(int(publication.time.timestamp()))
    record_id = f"{collection['collection']}/{run['run']}/{time}"
    team = (run["team"] or "").strip()
    places = (collection["collection"], team or UNKNOWN, run["run"])
    location = "/".join(["data", *map(folder_name, places)])
    name = str(UUID(bytes=sha256(record_id.encode()).digest()[:16], version=4))
    (folder / location).mkdir(parents=True, exist_ok=True)

    digest, rows = sha256(), 0
    with (folder / location / f"{name}_samples.jsonl").open("wb") as file:
        for sample in _samples(publication, collection, run["run"], record_id):
            line = _as_json(sample).encode() + b"\n"
            digest.update(line)
            rows += 1
            file.write(line)

    of_run = {"collection": run["collection"], "run": run["run"]}
    every = publication.read("scores", **of_run).to_dicts()
    scores = _judged(publication, every)
    record = {
        "schema_version": VERSION,
        "evaluation_id": record_id,
        "evaluation_timestamp": time,
        "retrieved_timestamp": time,
        "source_metadata": {
            "source_name": publication.config["title"],
            "source_type": "evaluation_run",
            "source_organization_name": UNKNOWN,
            "evaluator_relationship": "other",
        },
        "eval_library": {"name": "qampaign", "version": publication.version},
        "model_info": {
            "name": run["run"],
            "id": run["run"],
            **({"developer": team} if team else {}),
            "additional_details": {
                "deployment_type": UNKNOWN,
                "model_availability": UNKNOWN,
                **_texts({key: run[key] for key in ("category", "language")}),
            },
        },
        "evaluation_results": [*_results(publication, collection, scores)],
        "detailed_evaluation_results": {
            "format": "jsonl",
            "file_path": f"{location}/{name}_samples.jsonl",
            "hash_algorithm": "sha256",
            "checksum": digest.hexdigest(),
            "total_rows": rows,
        },
    }
    (folder / location / f"{name}.json").write_text(
        _as_json(record, indent=2) + "\n", encoding="utf-8"
    )
    return sum(score["value"] is None for score in scores), len(every) - len(scores)


def _judged(publication: Publication, scores: Sequence[Row]) -> list[Row]:
    """The scores of a run less those by judges without a verdict on any of its answers.

    Such a run has values, as if all its answers were wrong, and no rank.
    """
    ranking = publication.read("measures").filter(pl.col("better") != "none")
    ranks = {(row["collection"], row["measure"]) for row in ranking.to_dicts()}
    valued = [
        (row, row["value"] is not None and (row["collection"], row["measure"]) in ranks)
        for row in scores
    ]
    ranked = {row["judge"] for row in scores if row["rank_first"] is not None}
    return [row for row, is_valued in valued if not is_valued or row["judge"] in ranked]


def _results(
    publication: Publication, collection: Row, scores: Sequence[Row]
) -> Iterator[dict[str, object]]:
    """The values of a run, each with what it is measured by and its interval."""
    name = collection["collection"]
    shown = {
        row["measure"]: row for row in publication.read("measures", collection=name).to_dicts()
    }
    judges = {row["judge"]: row for row in publication.read("judges", collection=name).to_dicts()}
    measures = publication.measures[name]
    for score in scores:
        if score["value"] is None:
            continue
        details: dict[str, object] = {"score": score["value"]}
        details["details"] = _texts({key: score[key] for key in DETAILS})
        if score["low"] is not None:
            details["uncertainty"] = {
                "confidence_interval": {
                    "lower": score["low"],
                    "upper": score["high"],
                    "confidence_level": 1 - LEVEL,
                    "method": INTERVAL.format(unit=collection["unit"]),
                },
                "num_samples": score["questions"],
                "num_bootstrap_samples": DRAWS,
            }
        slice_ = score["slice"]
        yield {
            "evaluation_result_id": _result_id(name, score["judge"], score["measure"], slice_),
            "evaluation_name": name if slice_ == "all" else f"{name}/{slice_}",
            "source_data": {
                "dataset_name": collection["title"],
                "source_type": "other",
                "additional_details": {"collection": name, "slice": slice_},
            },
            "metric_config": _metric(
                measures[score["measure"]], shown[score["measure"]], judges[score["judge"]]
            ),
            "score_details": details,
        }


def _metric(measure: Configured, shown: Row, judge: Row) -> dict[str, object]:
    """A measure by a judge."""
    options = json.loads(shown["options"] or "{}")
    plain = {
        name: value
        for name, value in options.items()
        if value is None or isinstance(value, (str, int, float, bool))
    }
    low, high = measure.bounds
    return {
        "evaluation_description": shown["summary"],
        "metric_id": measure.name,
        "metric_name": shown["label"],
        **({"metric_parameters": plain} if plain else {}),
        "lower_is_better": shown["better"] == "low",
        "score_type": "continuous",
        "min_score": _bound(low),
        "max_score": _bound(high),
        "additional_details": _texts(
            {
                "judge": judge["judge"],
                "judge_kind": judge["kind"],
                "judge_is_reference": judge["reference"],
                "formula": shown["formula"],
                "citation": shown["citation"],
                "options": shown["options"] if plain != options else None,
            }
        ),
    }


def _samples(
    publication: Publication, collection: Row, run: str, record_id: str
) -> Iterator[dict[str, object]]:
    """What a run answered, and what every judge says of it."""
    name = collection["collection"]
    primary = publication.read(
        "scores", collection=name, run=run, measure=collection["primary"], slice="all"
    )
    valued = set(primary.drop_nulls("value")["judge"])
    rows = publication.connection.cursor().execute(SAMPLES, {"collection": name, "run": run})
    columns = [column for column, *_ in rows.description or ()]
    while block := rows.fetchmany(10_000):
        for values in block:
            row = dict(zip(columns, values, strict=True))
            result = _result_id(name, row["judge"], collection["primary"], "all")
            linked = {"evaluation_result_id": result} if row["judge"] in valued else {}
            yield {
                "schema_version": VERSION,
                "evaluation_id": record_id,
                "model_id": run,
                "evaluation_name": name,
                **linked,
                **_sample(row, publication.is_open),
            }


def _sample(row: Row, is_open: bool) -> dict[str, object]:
    """An answer and a verdict on it; unless `is_open`, nothing that tells the answer or the key."""
    question = row["text"] or row["question"]
    keys = json.loads(row["keys"]) if is_open and row["keys"] else []
    answers = row["answers"] if is_open and row["answers"] else []
    hashed = sha256("".join([question, *keys]).encode()).hexdigest()
    extracted = {
        "turn_idx": 0,
        "source": "output.raw",
        "extracted_value": row["answer"],
        "extraction_method": "as submitted",
        "is_terminal": True,
    }
    is_right = bool(row["correct"])
    degree = (row["degree"] or 0.0) * bool(row["answered"])
    is_judged = _gives_verdicts(row["kind"], row["threshold"])
    return {
        "sample_id": row["question"],
        "sample_hash": hashed if is_open else None,
        "interaction_type": "single_turn",
        "input": {"raw": question, "reference": keys},
        "output": {"raw": answers},
        "answer_attribution": [extracted] if answers and row["answer"] else [],
        "evaluation": {
            "score": float(is_right) if is_judged else degree,
            "is_correct": is_right,
        },
        "metadata": _texts(
            {
                "judge": row["judge"],
                "judge_kind": row["kind"],
                "verdict": row["verdict"] if is_judged else None,
                "epoch": row["sample"],  # what other programs call it
                **{
                    key: row[key]
                    for key in ("answered", "sample", "type", "level", "degree", "confidence")
                },
            }
        ),
    }


def _gives_verdicts(kind: str, threshold: float | None) -> bool:
    """Whether a judge says right and wrong, or gives degrees alone.

    >>> _gives_verdicts("assessments", None), _gives_verdicts("scores", None)
    (True, False)
    """
    declared = JUDGES.get(kind)
    return declared is None or declared.gives_verdicts({"threshold": threshold})


def _result_id(collection: str, judge: str, measure: str, slice_: str) -> str:
    return f"{collection}/{judge}/{measure}/{slice_}"


def _bound(value: float) -> float | str:
    """The least or greatest value, as the schema has it.

    >>> _bound(1.0), _bound(-math.inf)
    (1.0, '-Infinity')
    """
    return value if math.isfinite(value) else ("Infinity" if value > 0 else "-Infinity")


def _texts(details: Mapping[str, object]) -> dict[str, str]:
    """Details as the schema has them, all text, without those that there are none of.

    >>> _texts({"judge": "people", "rank": 1, "answered": True, "level": None})
    {'judge': 'people', 'rank': '1', 'answered': 'true'}
    """
    shown = {key: value for key, value in details.items() if value is not None}
    return {
        key: str(value).lower() if isinstance(value, bool) else str(value)
        for key, value in shown.items()
    }


def _as_json(value: object, indent: int | None = None) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, indent=indent)
