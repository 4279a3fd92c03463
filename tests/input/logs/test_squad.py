"""SQuAD: its dataset, predictions and probabilities, its figures, and how faults are told."""

import csv
import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from qampaign.judging.exact import exact
from tests.helpers.logs import log_campaign
from tests.helpers.toy_campaign import Campaign

pytestmark = pytest.mark.slow


ANSWERS = "SELECT run, question, answer, confidence FROM responses ORDER BY ALL"
QUESTIONS = 'SELECT question, type, text, nil, "group" FROM questions ORDER BY ALL'
KEYS = "SELECT question, key, class, literal FROM keys ORDER BY ALL"
REMARKS = "SELECT remark, count FROM remarks ORDER BY ALL"


def asked(name: str, *answers: str, **more: Any) -> dict[str, Any]:
    """A question of the dataset."""
    listed = [{"text": text, "answer_start": 0} for text in answers]
    return {"id": name, "question": f"What is {name}?", "answers": listed, **more}


def dataset(*paragraphs: list[Any], **more: Any) -> str:
    """A dataset with one article."""
    listed = [{"context": "Some text.", "qas": each} for each in paragraphs]
    return json.dumps({"version": "v2.0", "data": [{"title": "T", "paragraphs": listed} | more]})


DATASET = dataset(
    [asked("q1", "the Normans", "Normans", is_impossible=False), asked("q2", is_impossible=True)],
    [asked("q3", 'in the "10th" century; AD', "10th century")],
)
PREDICTED = {"q1": "The Normans!", "q2": "", "q3": "the 10th  century AD"}


def squad_campaign(folder: Path, files: dict[str, Any], **options: Any) -> Campaign:
    campaign = log_campaign(folder, "logs/**/*.json*", **options)
    campaign.write(
        {
            f"logs/{name}": content if isinstance(content, str | bytes) else json.dumps(content)
            for name, content in files.items()
        }
    )
    return campaign


def loaded(folder: Path, files: dict[str, Any], **options: Any) -> Campaign:
    campaign = squad_campaign(folder, files, **options)
    campaign.ingest()
    return campaign


def told(campaign: Campaign) -> list[str]:
    """All faults, with their files."""
    campaign.refusal()
    rows = csv.DictReader(campaign.problems_csv.open(encoding="utf-8"))
    return sorted(f"{row['file'].removeprefix('logs/')}: {row['problem']}" for row in rows)


def test_the_dataset_and_the_predictions(tmp_path: Path) -> None:
    campaign = loaded(tmp_path, {"dev-v2.0.json": DATASET, "bert.json": PREDICTED})
    assert campaign.rows(QUESTIONS) == [
        ("q1", None, "What is q1?", False, "T, paragraph 1"),
        ("q2", None, "What is q2?", True, "T, paragraph 1"),
        ("q3", None, "What is q3?", False, "T, paragraph 2"),
    ]
    assert campaign.rows(KEYS) == [
        ("q1", "Normans", "the Normans", True),
        ("q1", "the Normans", "the Normans", True),
        ("q3", "10th century", 'in the "10th" century; AD', True),
        ("q3", 'in the "10th" century; AD', 'in the "10th" century; AD', True),
    ]
    assert campaign.rows(ANSWERS) == [
        ("bert", "q1", "The Normans!", None),
        ("bert", "q2", "NIL", None),
        ("bert", "q3", "the 10th century AD", None),
    ]
    assert campaign.rows(REMARKS) == []
    assert campaign.ingest() == (0, 2)


def test_exact_match_and_f1_as_its_program_has_them(tmp_path: Path) -> None:
    predicted = PREDICTED | {"q3": "the 10th century, or the 11th"}
    campaign = loaded(tmp_path, {"dev-v2.0.json": DATASET, "bert.json": predicted})
    table = {
        name: pl.DataFrame(
            campaign.rows(f"SELECT {columns} FROM {name} ORDER BY ALL"),
            schema=dict.fromkeys(columns.split(", "), pl.String) | casts,
            orient="row",
        )
        for name, columns, casts in (
            ("responses", "run, question, rank, answer, answered", {"rank": pl.Int64,
                                                                   "answered": pl.Boolean}),
            ("keys", "question, key, level, class, literal", {"literal": pl.Boolean}),
        )
    }  # fmt: skip
    questions = pl.DataFrame(
        campaign.rows('SELECT question, type, nil, "group", known FROM questions'),
        schema={"question": pl.String, "type": pl.String, "nil": pl.Boolean, "group": pl.String,
                "known": pl.UInt32},
        orient="row",
    )  # fmt: skip
    judged = exact(
        table["responses"], table["keys"], questions,
        name="exact", correct=["right"], unassessed="error", nil="NIL",
    )  # fmt: skip
    rows = judged.judgments.select("question", "verdict", "degree").rows()
    # q3 in small letters without articles and punctuation: 10th century or 11th, of which two words
    # are both words of the key "10th century": F1 = 2 · 2 / (4 + 2); with the other key, in 10th
    # century ad, 2 · 2 / (4 + 4)
    found = {question: (verdict, degree) for question, verdict, degree in rows}
    assert found["q1"] == ("right", 1.0)
    assert found["q2"][0] == "right"
    assert found["q3"] == ("wrong", pytest.approx(2 / 3))


@pytest.mark.exhaustive
def test_probabilities_of_no_answer_become_confidence(tmp_path: Path) -> None:
    files = {
        "dev.json": DATASET,
        "m/predictions.json": PREDICTED,
        "m/na_prob.json": {"q1": 0.25, "q2": 0.75, "q9": 1},
        "other.json": PREDICTED,
        "other_na_prob.json": {"q1": 0, "q2": 1, "q3": 0.5},
    }
    campaign = loaded(tmp_path, files)
    assert campaign.rows("SELECT run, question, confidence FROM responses ORDER BY ALL") == [
        ("m", "q1", 0.75),
        ("m", "q2", 0.75),
        ("m", "q3", None),
        ("other", "q1", 1.0),
        ("other", "q2", 1.0),
        ("other", "q3", 0.5),
    ]
    assert [row for row in campaign.rows(REMARKS) if "prob" in row[0]] == [
        ("predictions without a probability in the file beside: no confidence", 1),
        ("probabilities in the file beside without a prediction: not used", 1),
    ]
    campaign.write({"logs/other_na_prob.json": json.dumps({"q1": 1, "q2": 1, "q3": 0.5})})
    campaign.ingest()
    assert ("other", "q1", 0.0) in campaign.rows("SELECT run, question, confidence FROM responses")
    campaign.write({"logs/other_na_prob.json": None})
    campaign.ingest()
    query = "SELECT count(confidence) FROM responses WHERE run = 'other'"
    assert campaign.rows(query) == [(0,)]


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", ["m.json", "m.jsonl"])
def test_predictions_in_a_list(tmp_path: Path, name: str) -> None:
    rows = [
        {"id": "q1", "prediction_text": "Normans", "no_answer_probability": 0.1},
        {"id": "q2", "prediction_text": ""},
    ]
    content = json.dumps(rows) if name == "m.json" else "\n".join(map(json.dumps, rows))
    campaign = loaded(tmp_path, {"dev.json": DATASET, name: content})
    assert campaign.rows(ANSWERS) == [("m", "q1", "Normans", 0.9), ("m", "q2", "NIL", None)]


@pytest.mark.exhaustive
def test_a_dataset_of_version_1_has_no_nil(tmp_path: Path) -> None:
    content = dataset([asked("q1", "a")])
    campaign = loaded(tmp_path, {"dev-v1.1.json": "\ufeff" + content, "m.json": {"q1": ""}})
    assert campaign.rows("SELECT nil FROM questions") == [(False,)]
    assert campaign.rows("SELECT answer FROM responses") == [("NIL",)]


@pytest.mark.exhaustive
def test_nil_as_the_collection_spells_it_and_a_type(tmp_path: Path) -> None:
    files = {"dev.json": DATASET, "m.json": PREDICTED}
    campaign = loaded(tmp_path, files, nil="none", type="title")
    assert ("q2", "none") in campaign.rows("SELECT question, answer FROM responses")
    assert campaign.rows("SELECT DISTINCT type FROM questions") == [("T",)]


def test_all_faults_are_told_with_their_places(tmp_path: Path) -> None:
    content = dataset(
        [
            asked("q1", "a", is_impossible=True),
            asked("q2", is_impossible="no"),
            {"question": "?", "answers": []},
            asked("q4") | {"answers": {"text": ["a"]}},
            asked("q5", "a"),
            asked("q5", "b"),
            3,
        ],
        asked("q6"),  # type: ignore[arg-type]
    )
    files = {"dev.json": content, "m.json": {"q1": None, "q2": ["a"], "q5": 3, "x": "y"}}
    campaign = squad_campaign(tmp_path, files, format="squad")
    at = "dev.json: article 1, paragraph 1, question"
    assert told(campaign) == [
        f"{at} 1: is impossible, and has answers",
        f"{at} 2: has is_impossible 'no'",
        f"{at} 3: has no id",
        f"{at} 4: has answers that are no list of objects with a text",
        f"{at} 6: has an id that is there twice: q5",
        f"{at} 7: is no object",
        "dev.json: article 1, paragraph 2: has no list of questions",
        "m.json: prediction of 'q1': is no text: null",
        "m.json: prediction of 'q2': is no text: a list",
        "m.json: prediction of 'q5': is no text: 3",
    ]


@pytest.mark.exhaustive
def test_null_odds_are_no_probabilities(tmp_path: Path) -> None:
    files = {
        "dev.json": DATASET,
        "m/predictions.json": PREDICTED,
        "m/na_prob.json": '{"q1": -3.5, "q2": NaN, "q3": true}',
    }
    assert told(squad_campaign(tmp_path, files)) == [
        f"m/predictions.json: prediction of '{item}': has a probability of no answer that is none: "
        + shown
        for item, shown in (("q1", "-3.5"), ("q2", "nan"), ("q3", "True"))
    ]


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "is empty"),
        (b"{}", "has no predictions and no dataset"),
        (DATASET[:-5].encode(), "is not JSON"),
        (DATASET.encode("utf-16"), "is UTF-16"),
        (b'{"q1": "\xff"}', "is not UTF-8"),
        (b'{"q1": 0.5}', "has numbers by id, but no predictions beside it"),
        (b'{"data": []}', "has no questions"),
    ],
)
def test_files_that_cannot_be_used(tmp_path: Path, content: bytes, problem: str) -> None:
    files = {"dev.json": DATASET, "m.json": PREDICTED, "x.json": content}
    (only,) = told(squad_campaign(tmp_path, files, format="squad"))
    assert problem in only


@pytest.mark.exhaustive
@pytest.mark.parametrize("content", ['{"model": "x"}', '{"q1": 0.5}', '{"q1": ["a"]}', "[1]"])
def test_what_may_be_anything_is_not_taken_for_predictions(tmp_path: Path, content: str) -> None:
    files = {"dev.json": DATASET, "m.json": PREDICTED, "config.json": content}
    assert told(squad_campaign(tmp_path, files)) == [
        "config.json: is in no format of logs that is known"
    ]


def test_an_unknown_id_is_refused_and_a_missing_one_remarked_on(tmp_path: Path) -> None:
    files = {"dev.json": DATASET, "m.json": {"q1": "a", "q7": "b"}}
    (only,) = told(squad_campaign(tmp_path, files))
    assert only == "m.json: is an unknown question"
    campaign = loaded(tmp_path / "missing", {"dev.json": DATASET, "m.json": {"q1": "a"}})
    ((text, count),) = campaign.rows(REMARKS)
    assert text.startswith("questions that a run has no row for, counted as unanswered")
    assert count == 2


@pytest.mark.exhaustive
def test_what_changes_comes_and_goes_leaves_what_a_run_from_nothing_has(tmp_path: Path) -> None:
    before = {"dev.json": DATASET, "a.json": PREDICTED, "b.json": PREDICTED}
    campaign = loaded(tmp_path / "a", before)
    changed = dataset([asked("q1", "Normans"), asked("q2", "x")], [asked("q3", is_impossible=True)])
    campaign.write({"logs/dev.json": changed, "logs/a.json": None})
    campaign.write({"logs/c.json": json.dumps({"q1": "Normans"})})
    campaign.ingest()
    after = {"dev.json": changed, "b.json": PREDICTED, "c.json": {"q1": "Normans"}}
    anew = loaded(tmp_path / "b", after)
    for query in (ANSWERS, QUESTIONS, KEYS, REMARKS):
        assert campaign.rows(query) == anew.rows(query)
    texts = [{n: text for n, (text, _) in each.fingerprints().items()} for each in (campaign, anew)]
    assert texts[0] == texts[1]
