"""What the config says of files that are nearly ours, and measures by their labels."""

from pathlib import Path

import pytest
import yaml

from qampaign.config.campaign import Campaign, read_campaign
from qampaign.config.ingest_params import collection_files
from qampaign.problems import Refused

CONFIG = """
campaign: c
collections:
  demo:
    runs: {runs}
    assessments: a.csv
    keys: {keys}
{more}
"""


def read(folder: Path, runs: str = "r.csv", keys: str = "k.csv", more: str = "") -> Campaign:
    text = CONFIG.format(runs=runs, keys=keys, more=more)
    path = folder / "config.yaml"
    path.write_text(text)
    return read_campaign(yaml.safe_load(text), [path])


def refusal(folder: Path, **given: str) -> str:
    with pytest.raises(Refused) as refused:
        read(folder, **given)
    return str(refused.value)


def test_a_file_key_can_say_how_its_files_are_read(tmp_path: Path) -> None:
    campaign = read(
        tmp_path,
        runs='{files: [a/*.txt, b.txt], columns: {question: problem}, run: "{parent}", format: csv}',
        keys="{files: gold.csv, literal: true}",
        more="    judges: {gpt: {kind: verdicts, files: {files: g.csv, columns: {label: verdict}}}}",
    )
    (files,) = collection_files(campaign)
    assert files.paths["responses"] == ["a/*.txt", "b.txt"]
    assert files.paths["keys"] == ["gold.csv"]
    assert files.paths["verdicts/gpt"] == ["g.csv"]
    assert files.file_options == {
        "responses": {"format": "csv", "columns": {"question": "problem"}, "run": "{parent}"},
        "keys": {"literal": True},
        "verdicts/gpt": {"columns": {"label": "verdict"}},
    }
    # what is said of one table decides nothing of others
    assert "problem" in files.deciding("responses")
    assert "problem" not in files.deciding("assessments")
    assert "literal" in files.deciding("keys")
    assert "literal" not in files.deciding("responses")


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"runs": "{columns: {question: x}}"}, "collections.demo.runs has no files"),
        ({"runs": "{files: a.csv, colums: {}}"}, "colums is no option of files; allowed: columns"),
        ({"runs": "{files: a.csv, columns: {problem: question}}"},
         "columns.problem is not a column of responses; allowed: run, question"),
        ({"runs": "{files: a.csv, literal: true}"}, "runs.literal has no effect here"),
        ({"keys": '{files: a.csv, run: "{stem}"}'}, "keys.run has no effect here"),
        ({"runs": '{files: a.csv, run: "{name}"}'}, "runs.run finds no run in a path"),
        ({"runs": '{files: a.csv, run: "x"}'}, "runs.run finds no run in a path"),
        ({"runs": '{files: a.csv, run: "{stem}", columns: {run: model}}'},
         "runs.run and columns both say what the run is"),
        ({"runs": "{files: a.csv, format: xml}"}, "runs.format is not a format"),
        ({"runs": "{files: []}"}, "has no runs"),
        ({"runs": "{files: {files: a.csv}}"}, "runs.files is not allowed"),
        ({"more": "    published: {files: a.csv}"}, "published is not allowed"),
    ],
)  # fmt: skip
def test_what_is_said_of_files_is_checked(tmp_path: Path, given: dict, told: str) -> None:
    assert told in refusal(tmp_path, **given)


def test_a_measure_can_be_named_by_its_label(tmp_path: Path) -> None:
    measures = """    measures:
      - c@1
      - MRR: {name: m5, label: MRR of five, best: 5}
      - accuracy
      - composite: {of: [c@1, accuracy], name: both, label: the mean}
    primary: the mean
    studies: {significance: {}}
"""
    measures = measures.replace(", best: 5", "")
    demo = read(tmp_path, more=measures).collections["demo"]
    assert [measure.name for measure in demo.measures] == ["c_at_1", "m5", "accuracy", "both"]
    assert demo.config["primary"] == "both"
    assert demo.config["measures"][:2] == [
        "c_at_1",
        {"mrr": {"name": "m5", "label": "MRR of five"}},
    ]
    by_name = read(tmp_path, more="    measures: [accuracy, c_at_1]\n    primary: c@1")
    assert by_name.collections["demo"].config["primary"] == "c_at_1"
    validation = "    task: validation\n    measures: [F]\n    judges: {p: {kind: assessments}}"
    (only,) = read(tmp_path, more=validation).collections["demo"].measures
    assert only.name == "f"
    assert "is no option of c_at_1" in refusal(tmp_path, more="    measures: [{c@1: {k: 1}}]")
    assert "c@2" in refusal(tmp_path, more="    measures: [c@2]")


def test_overall_and_gate_take_labels(tmp_path: Path) -> None:
    more = """    measures: [accuracy, c@1]
    primary: c@1
  other: {runs: r.csv, assessments: a.csv, measures: [c@1]}
overall: {measure: c@1}
gate: [c@1 of a > 0.5, c@1 of a in overall > 0.5]
"""
    campaign = read(tmp_path, more=more)
    assert campaign.overall is not None
    assert campaign.overall["measures"] == {"demo": "c_at_1", "other": "c_at_1"}
    assert "names a measure MRR" in refusal(
        tmp_path, more=more.replace("c@1 of a in overall", "MRR of a in overall")
    )
