"""The options of ingest: they travel as plain values, and each decides the rows of some tables."""

import json
from dataclasses import replace
from typing import Any

import pytest

from qampaign.config.campaign import read_campaign
from qampaign.config.ingest_params import collection_files
from qampaign.input.collection_files import CollectionFiles
from qampaign.input.published_figures import FigureNames

TABLES = ["questions", "runs", "responses", "assessments", "keys", "patterns", "verdicts/gpt"]
FILES = CollectionFiles("c", "data", {}, verdicts={"gpt": {}, "other": {}})


@pytest.mark.parametrize(
    ("change", "tables"),
    [
        ({"labels": {"R": "right"}}, ["assessments"]),
        ({"verdicts": {"gpt": {"A": "right"}, "other": {}}}, ["verdicts/gpt"]),
        ({"verdicts": {"gpt": {}, "other": {"A": "right"}}}, []),  # nobody else's codes
        ({"validation": True}, ["responses", "assessments", "verdicts/gpt"]),
        ({"levels": ["S"]}, ["assessments", "keys", "verdicts/gpt"]),
        ({"probabilities": ["k1"]}, ["responses"]),
        ({"ranked": True}, ["responses"]),
        ({"by_line": True}, ["responses"]),
        ({"by_key": True}, ["questions"]),
        ({"unpacked_gb": 9.0, "language": "de", "needs": {"score": ["auc"]}}, []),
    ],
)
def test_a_changed_option_reads_the_tables_again_that_it_decides(
    change: dict[str, Any], tables: list[str]
) -> None:
    changed = replace(FILES, **change)
    assert [table for table in TABLES if changed.deciding(table) != FILES.deciding(table)] == tables


def test_options_come_out_of_params_as_they_went_in() -> None:
    names = FigureNames(judges=["people"], measures=["f"], runs=["a"])
    files = replace(FILES, figures=["p.csv"], figure_names=names, levels=["S"], by_key=True)
    files = replace(files, probabilities=["k1"], compared=["a"], made=["b"], made_of_each=["c"])
    assert CollectionFiles.of(json.loads(json.dumps(files.params()))) == files


def test_what_the_config_says_reaches_ingest() -> None:
    config = {
        "campaign": "x",
        "limits": {"unpacked_gb": 2},
        "collections": {
            "c": {
                "runs": "runs/*.csv",
                "assessments": ["a.csv"],
                "keys": "keys.csv",
                "labels": {"R": "right"},
                "language": "es",
                "unknown_questions": "skip",
                "published": "figures.csv",
                "judges": {
                    "people": {"kind": "assessments"},
                    "key": {"kind": "key", "numbers": True},
                    "gpt": {"kind": "verdicts", "files": "gpt.csv", "labels": {"A": "right"}},
                },
                "measures": ["k1", {"q_measure": {"gains": {"S": 2}}}],
                "derived": {"what-if": {"from": "a", "where": "true", "set": {"answer": "x"}}},
                "comparisons": [["b", "a"], {"against": "what-if"}],
            },
            "v": {"task": "validation", "runs": "v.csv", "assessments": "g.csv"},
        },
    }
    answers, validated = collection_files(read_campaign(config, []))
    assert answers.paths == {
        "questions": [], "runs": [], "responses": ["runs/*.csv"], "assessments": ["a.csv"],
        "keys": ["keys.csv"], "patterns": [], "verdicts/gpt": ["gpt.csv"],
    }  # fmt: skip
    assert answers == CollectionFiles(
        collection="c",
        folder=answers.folder,
        paths=answers.paths,
        labels={"R": "right"},
        verdicts={"gpt": {"A": "right"}},
        compared=["a", "b", "what-if"],
        made=["what-if"],
        made_of_each=[],
        levels=["S"],
        probabilities=["k1"],
        ranked=True,
        by_key=True,
        skip_unknown_questions=True,
        language="es",
        key_reads={"numbers": True, "dates": False},
        needs={"confidence": ["k1"], "level": ["q_measure"]},
        figures=["figures.csv"],
        figure_names=FigureNames(["people", "key", "gpt"], ["k1", "q_measure"], ["what-if"]),
        unpacked_gb=2,
    )
    assert (validated.collection, validated.validation, validated.by_key) == ("v", True, False)
    assert validated.figure_names == FigureNames()
