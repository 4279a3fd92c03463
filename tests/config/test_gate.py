"""The gate of a config: every fault of a condition with its line, and the pairs that it plans."""

from pathlib import Path

import pytest

from qampaign.config.conditions import FORMS
from tests.config.test_campaign import read, refusal

CONFIG = """campaign: mine
collections:
  demo:
    runs: runs.csv
    assessments: assessments.csv
    keys: keys.csv
    judges: {people: {kind: assessments}, key: {kind: key}, exact: {kind: exact}}
    measures: [accuracy, c_at_1, calibration_error]
  plain:
    runs: runs.csv
    assessments: assessments.csv
    measures: [accuracy]
    studies: {stability: {}}
gate:
  - %s
"""


@pytest.mark.parametrize(
    ("condition", "fault"),
    [
        ("accuracy of a about 0.8", f"is no condition; allowed: {'; '.join(FORMS.values())}"),
        (
            "accuracy of a >= 73%",
            "is no condition: 73% is not a plain number such as 0.73; allowed: "
            "MEASURE of RUN [in COLLECTION] [by JUDGE] >= NUMBER (or >, <=, <)",
        ),
        (
            "agreement of my judge with people > .nan",
            f"is no condition: .nan is not a plain number such as 0.73; allowed: {FORMS['agreement']}",
        ),
        (
            "accuracy of my run not significantly below b",
            'is no condition: a name with a space stands in quotes: "my run"; allowed: '
            "MEASURE of RUN [in COLLECTION] [by JUDGE] not significantly below RUN",
        ),
        (
            "accuracy of a in dmo > 0",
            "names a collection dmo; allowed: demo (close), or demo, plain",
        ),
        (
            "acuracy of a in demo > 0",
            "names a measure acuracy; allowed: accuracy (close), or accuracy, c_at_1",
        ),
        ("accuracy of a in demo by ana > 0", "names a judge ana; allowed: people, key, exact"),
        (
            "agreement of key with exact > 0",
            "compares two judges of which none is the reference; allowed: one of them people",
        ),
        (
            "agreement of people with people > 0",
            "compares a judge with itself; allowed: two judges",
        ),
        (
            "accuracy of a not significantly below a",
            "compares a run with itself; allowed: two runs",
        ),
        (
            "accuracy of a in plain not significantly below b",
            "needs the study significance; allowed: studies: with significance, or other conditions",
        ),
        (
            "accuracy of a in demo by key not significantly below b",
            "needs a study by key; allowed: people",
        ),
        (
            "ECE of a in demo not below b by more than 0.1",
            "compares runs by ECE, which is not tested; allowed: accuracy, c_at_1",
        ),
    ],
)
def test_a_condition_that_cannot_be_asked_is_refused_with_its_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, condition: str, fault: str
) -> None:
    _, line = refusal(tmp_path, monkeypatch, CONFIG % condition)
    assert line.startswith("  my.yaml, line 15: ")
    assert fault in line


@pytest.mark.parametrize(
    ("condition", "fault"),
    [
        # 86 of 100 is 0.86
        ("agreement of key with people >= 86", "has the bound 86, and agreement is from 0 to 1"),
        ("agreement of key with people > 1", "asks for a value > 1, and agreement is from 0 to 1"),
        ("accuracy of a >= -0.1", "has the bound -0.1, and accuracy is from 0 to 1"),
        ("accuracy of a in demo < 0", "asks for a value < 0, and accuracy is from 0 to 1"),
        (
            "c@1 of a >= 1.5",
            "has the bound 1.5, and c@1 is from 0 to 1; allowed: a bound from 0 to 1",
        ),
        (
            "accuracy of a not below b by more than 2",
            "has a margin of 2, and accuracy is from 0 to 1; allowed: a margin up to 1",
        ),
        ("k of a < -1", "asks for a value < -1, and k is from -1 to 1"),
        ("strict of a < -9.1", "has the bound -9.1, and strict is from -9 to 1"),
        ("credit of a >= -1", "has the bound -1, and credit is from 0 to ∞"),
    ],
)
def test_a_bound_that_no_value_can_reach_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, condition: str, fault: str
) -> None:
    # a wrong answer costs t / (1 - t), which is 9 for 0.9
    strict = "{confidence_target: {t: 0.9, name: strict}}"
    text = CONFIG.replace(
        "[accuracy, c_at_1, calibration_error]", f"[accuracy, c_at_1, k, credit, {strict}]"
    )
    _, line = refusal(tmp_path, monkeypatch, text % condition)
    assert fault in line


def test_bounds_at_the_end_of_the_range_can_be_asked_for(tmp_path: Path) -> None:
    reachable = ["accuracy of a >= 1", "accuracy of a < 1", "accuracy of a > 0", "k of a >= -1"]
    reachable += ["credit of a >= 50", "k of a not below b by more than 2"]
    text = CONFIG.replace("[accuracy, c_at_1, calibration_error]", "[accuracy, c_at_1, k, credit]")
    text %= "\n  - ".join(reachable)
    assert list(read(tmp_path, text).gate) == reachable


def test_a_list_of_conditions_is_refused_with_the_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = CONFIG % "accuracy of a > 0"
    _, line = refusal(tmp_path, monkeypatch, text + "  - accuracy of a > 0\n")
    assert line.startswith(
        "  my.yaml, line 16: 'accuracy of a > 0' in gate.1 is there twice; allowed: "
    )
    _, line = refusal(tmp_path, monkeypatch, text.partition("gate:")[0] + "gate: []\n")
    assert line.startswith(
        "  my.yaml, line 14: gate is an empty list; allowed: a list of conditions"
    )


def test_a_condition_is_asked_where_it_can_be(tmp_path: Path) -> None:
    campaign = read(tmp_path, CONFIG % "c_at_1 of a not below b by more than 0.1")
    pair = {"runs": ["a", "b"], "optional": True}
    assert campaign.collections["demo"].planned == [pair]
    assert campaign.collections["plain"].planned == []


def test_the_faults_of_all_conditions_are_told_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = CONFIG % "nonsense" + "  - accuracy of a in nowhere > 0\n"
    _, *lines = refusal(tmp_path, monkeypatch, text)
    assert [line.split(":")[0].strip() for line in lines] == [
        "my.yaml, line 15",
        "my.yaml, line 16",
    ]


OVER_ALL = """campaign: mine
overall: {measure: accuracy}
defaults: {runs: runs.csv, assessments: assessments.csv, measures: [accuracy, c_at_1, calibration_error]}
collections: {one: {}, two: {}}
gate:
  - %s
"""


@pytest.mark.parametrize(
    ("condition", "fault"),
    [
        ("c_at_1 of a in overall > 0", "names a measure c_at_1; allowed: accuracy"),
        ("accuracy of a in overall by people > 0", "names a judge, and every collection has"),
        ("accuracy of a in overall not significantly below a", "compares a run with itself"),
        ("accuracy of a in overall >= 50", "has the bound 50, and accuracy is from 0 to 1"),
    ],
)
def test_what_cannot_be_asked_over_collections_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, condition: str, fault: str
) -> None:
    _, line = refusal(tmp_path, monkeypatch, OVER_ALL % condition)
    assert line.startswith("  my.yaml, line 6: ")
    assert fault in line


def test_over_collections_no_further_comparison_is_planned(tmp_path: Path) -> None:
    campaign = read(tmp_path, OVER_ALL % "accuracy of a in overall not significantly below b")
    assert [own.planned for own in campaign.collections.values()] == [[], []]


def test_without_overall_there_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _, line = refusal(tmp_path, monkeypatch, CONFIG % "accuracy of a in overall > 0")
    assert "names a collection overall" in line
