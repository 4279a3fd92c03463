"""What a config may hold, as JSON Schema: the file beside this one, and what is declared elsewhere.

Judges, measures and studies declare their options in their signatures; they are put in here.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from qampaign.agreement.settings import COMPARISONS
from qampaign.config.config_files import CONFIG_KB
from qampaign.input.logs.formats import LOG_FORMATS
from qampaign.judging.declaration import SHARED
from qampaign.judging.derived import MOST_CHARACTERS, MOST_OPERATORS
from qampaign.judging.judges import Judge, judges_in_order
from qampaign.measures import MEASURES, Measure
from qampaign.measures.configured import AVERAGES
from qampaign.options import Option, Schema
from qampaign.studies.study import STUDIES
from qampaign.values import UNPACKED_GB
from qampaign.verdicts import LABELS

Config = Mapping[str, Any]
"""A config, or a part of it, by its keys."""

FILE = Path(__file__).with_name("config.schema.yaml")

OF_FILES = ("files", "labels")
"""The options of a judge that has files of its own; only verdicts have labels."""

OF_EVERY_JUDGE: dict[str, Schema] = {
    "corrected_by": {
        "type": "string",
        "description": "the name of another judge, such as people, whose labels on a random part "
        "correct the scores of this one",
    }
}
"""What every judge may have, of whatever kind."""


@cache
def schema() -> Schema:
    """The whole schema. An object that is closed has as its `title` what its keys are options of,
    unless they are plain keys of the config."""
    whole: Schema = yaml.safe_load(FILE.read_text(encoding="utf-8"))
    shared = {name: option.described for name, option in SHARED.items()}
    verdict = {"enum": list(LABELS), "description": f"one of {', '.join(LABELS)}"}
    whole["$defs"] |= shared | {"verdict": verdict, "judge": _judge(), "measure": _measure()}
    collection = whole["$defs"]["collection"]["properties"]
    collection["studies"]["properties"] |= _studies()
    format_of_logs = whole["$defs"]["logs"]["then"]["properties"]["format"]
    format_of_logs["enum"] = list(LOG_FORMATS)
    format_of_logs["description"] = f"{' or '.join(LOG_FORMATS)}, if the files do not show it"
    where = collection["derived"]["additionalProperties"]["properties"]["where"]
    where["description"] += (
        f", of at most {MOST_CHARACTERS:,} characters and {MOST_OPERATORS} operators"
    )
    limits = whole["properties"]["limits"]["properties"]
    limits["unpacked_gb"]["default"] = UNPACKED_GB
    limits["config_kb"]["default"] = CONFIG_KB
    return whole


@cache
def collection_defaults() -> dict[str, Any]:
    """What a collection has where neither it nor the config's own defaults say otherwise."""
    keys = {name: resolve(key) for name, key in _keys_of_a_collection().items()}
    return {name: key["default"] for name, key in keys.items() if "default" in key}


def resolve(part: Schema) -> Schema:
    """A part of the schema with what it refers to; its own keywords go first."""
    if "$ref" not in part:
        return part
    return schema()["$defs"][part["$ref"].rpartition("/")[2]] | part


def own_options(judge: Judge) -> dict[str, Schema]:
    """The options that a kind of judge does not share with its collection."""
    names = OF_FILES if judge.by == "verdicts" else OF_FILES[:1]
    files = {name: {"$ref": f"#/$defs/{name}"} for name in names if judge.has_files}
    return files | _described(judge.options.values())


def _keys_of_a_collection() -> dict[str, Schema]:
    keys: dict[str, Schema] = schema()["$defs"]["collection"]["properties"]
    return keys


def _judge() -> Schema:
    """A judge: its kind decides which options it has."""
    return {
        "type": "object",
        "required": ["kind"],
        "properties": {"kind": {"enum": [judge.kind for judge in judges_in_order()]}},
        "allOf": [
            {
                "if": {"properties": {"kind": {"const": judge.kind}}, "required": ["kind"]},
                "then": {
                    "title": f"a judge of kind {judge.kind}",
                    "additionalProperties": False,
                    "properties": own_options(judge)
                    | {name: {"$ref": f"#/$defs/{name}"} for name in judge.overriding}
                    | OF_EVERY_JUDGE,
                    "patternProperties": {"^kind$": {}},  # allowed, but no option
                },
            }
            for judge in judges_in_order()
        ],
        "description": "a judge with its kind and options",
    }


def _measure() -> Schema:
    """An entry of the list of measures. Whether its name is known is checked by the task."""
    text = "the name of a measure, or a name with its options"
    return {
        "if": {"type": "object"},
        "then": {
            "minProperties": 1,
            "maxProperties": 1,
            "properties": {name: _options_of_measure(measure) for name, measure in MEASURES.items()}
            | {"composite": _composite()},
            "description": text,
        },
        "else": {"type": "string", "description": text},
    }


def _options_of_measure(measure: Measure) -> Schema:
    average = {
        "enum": list(AVERAGES),
        "description": "type: the mean over question types, each of which counts the same",
    }
    options = _NAMED | {"average": average} | _described(measure.options.values())
    return {
        "type": "object",
        "title": measure.id,
        "additionalProperties": False,
        "properties": options,
        "description": f"its options: {', '.join(options)}",
    }


_NAMED: dict[str, Schema] = {
    "name": {"$ref": "#/$defs/id"},
    "label": {"type": "string", "description": "a text, what the report calls it"},
}


def _composite() -> Schema:
    """A mean of other measures of the collection."""
    keys = {
        "of": {
            "type": "array",
            "minItems": 2,
            "uniqueItems": True,
            "items": {"type": "string", "description": "the name of a measure of the collection"},
            "description": "two or more different measures of the collection, by their names there",
        },
        "weights": {
            "type": "array",
            "items": {
                "type": "number",
                "exclusiveMinimum": 0,
                "description": "a number above 0",
            },
            "description": "a number above 0 for each of them; the same for all unless given",
        },
    }
    return {
        "type": "object",
        "title": "composite",
        "required": ["of"],
        "additionalProperties": False,
        "properties": _NAMED | keys,
        "description": "of, a list of measures; and weights, name, label",
    }


def _studies() -> dict[str, Schema]:
    """Each study with its settings, then the comparisons of judges, which are always made."""
    return {
        study.name: {
            "type": ["object", "null"],
            "additionalProperties": False,
            "properties": _described(study.options.values()),
            "description": f"its settings: {', '.join(study.options)}",
        }
        for study in (*STUDIES.values(), *COMPARISONS.values())
    }


def _described(options: Iterable[Option]) -> dict[str, Schema]:
    return {option.name: option.described for option in options}
