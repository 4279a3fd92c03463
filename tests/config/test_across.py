"""Means over types, composites and overall in the config: what they become, and what is refused."""

from pathlib import Path

import pytest

from qampaign.measures.configured import Averaged, Composite
from tests.config.test_campaign import read, refusal

HEAD = """\
campaign: mine
collections:
  demo:
    runs: runs.csv
    assessments: assessments.csv
    measures:
"""


def measures(text: str) -> str:
    return HEAD + "".join(f"      - {line}\n" for line in text.splitlines())


def test_averages_and_composites_are_measures_of_their_collection(tmp_path: Path) -> None:
    text = measures(
        "composite: {of: [all, macro, c_at_1], weights: [2, 1, 1], name: mix, label: Mix}\n"
        "accuracy: {average: type, name: macro}\n"
        "c_at_1\n"
        "composite: {of: [macro, c_at_1], name: all}"
    )
    demo = read(tmp_path, text + "    primary: mix\n").collections["demo"]
    mix, macro, _, every = demo.measures
    assert isinstance(mix, Composite)
    assert (mix.label, mix.formula) == ("Mix", "(2 * all + 1 * macro + 1 * c_at_1) / 4")
    assert mix.citation == "weighted mean of all, macro, c_at_1"
    assert [part.name for part in mix.parts] == ["all", "macro", "c_at_1"]
    assert isinstance(macro, Averaged)
    assert (macro.label, every.label) == ("macro accuracy", "all")
    assert every.summary == "The mean of macro accuracy and c@1."
    assert demo.config["primary"] == "mix"
    assert demo.needs == {"type": ["macro"]}


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        (
            "accuracy\nbrier\ncomposite: {of: [accuracy, brier]}",
            "line 9: collections.demo.measures.2.composite.of puts measures together whose "
            "directions differ (higher is better: accuracy; lower is better: brier); allowed: "
            "measures with one direction",
        ),
        (
            "accuracy\nc_at_1\ncomposite: {of: [accuracy, c_at_one]}",
            "line 9: 'c_at_one' in collections.demo.measures.2.composite.of.1 is not one of the "
            "measures of the collection; allowed: c_at_1 (close), or accuracy, c_at_1",
        ),
        (
            "accuracy\ncomposite: {of: []}",
            "line 8: collections.demo.measures.1.composite.of is an empty list; allowed: two "
            "or more different measures of the collection, by their names there",
        ),
        (
            "accuracy\nc_at_1\ncomposite: {of: [accuracy, c_at_1], weights: [1]}",
            "line 9: collections.demo.measures.2.composite.weights does not fit: 1 for 2 measures; "
            "allowed: a number above 0 for each measure",
        ),
        (
            "accuracy\nc_at_1\ncomposite: {of: [accuracy, c_at_1], weights: [1, -1]}",
            "line 9: '-1' in collections.demo.measures.2.composite.weights.1 is not allowed; "
            "allowed: a number above 0",
        ),
        (
            "accuracy\nc_at_1\ncomposite: {of: [accuracy, c_at_1], weights: [0, 0]}",
            "line 9: '0' in collections.demo.measures.2.composite.weights.0 is not allowed; "
            "allowed: a number above 0",
        ),
        (
            "accuracy\ncomposite: {of: [accuracy, mine], name: mine}",
            "line 8: 'mine' in collections.demo.measures.1.composite.of is made of itself; "
            "allowed: measures that are not made of it",
        ),
        (
            "accuracy\ncomposite: {of: [accuracy, b], name: a}\ncomposite: {of: [accuracy, a], name: b}",
            "line 8: 'a' in collections.demo.measures.1.composite.of is made of others made of it; "
            "allowed: measures that are not made of it",
        ),
        (
            "accuracy\nc_at_1\ncomposite: {of: [accuracy, c_at_1], name: c_at_1}",
            "line 9: 'c_at_1' in collections.demo.measures.2 names a measure a second time; "
            "allowed: a name: of its own",
        ),
        (
            "accuracy: {average: question}",
            "line 7: 'question' in collections.demo.measures.0.accuracy.average is not allowed; "
            "allowed: type: the mean over question types, each of which counts the same",
        ),
    ],
)
def test_what_cannot_be_put_together_is_refused_with_its_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: str, problem: str
) -> None:
    assert f"  my.yaml, {problem}" in refusal(tmp_path, monkeypatch, measures(given))


PAIR = """\
campaign: mine
collections:
  one: {runs: a.csv, assessments: b.csv, measures: [accuracy, c_at_1]}
  two: {runs: c.csv, assessments: d.csv, measures: [c_at_1, brier]}
"""


def test_overall_is_off_unless_given_and_takes_all_collections(tmp_path: Path) -> None:
    assert read(tmp_path, PAIR).overall is None
    assert "overall" not in read(tmp_path, PAIR).effective()
    for text in ("overall:\n", "overall: {}\n"):
        assert read(tmp_path, PAIR + text).overall == {
            "collections": ["one", "two"],
            "measure": "primary",
            "weights": "equal",
            "measures": {"one": "accuracy", "two": "c_at_1"},
        }
    given = read(tmp_path, PAIR + "overall: {measure: c_at_1, weights: questions}\n").overall
    assert given is not None
    assert given["measures"] == {"one": "c_at_1", "two": "c_at_1"}


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        (
            "overall: {collections: [one, too]}",
            "line 5: 'too' in overall.collections.1 is not a collection; allowed: two (close), or "
            "one, two",
        ),
        (
            "overall: {collections: [one]}",
            "line 5: '[one]' in overall.collections is not allowed; allowed: two or more different "
            "collections; all of them unless given",
        ),
        (
            "overall: {measure: brier}",
            "line 5: 'brier' in overall.measure is not a measure of the collection one; allowed: "
            "primary, accuracy, c_at_1",
        ),
        (
            "overall: {weights: runs}",
            "line 5: 'runs' in overall.weights is not allowed; allowed: equal (every collection "
            "counts the same) or questions (each as much as it has questions)",
        ),
        ("overall: {}\ndefaults: {studies: {swap: }}", "line 5: overall needs the study significance, which one "
            "does not have; allowed: significance among the studies of one"),
    ],
)  # fmt: skip
def test_what_overall_cannot_be_made_of_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: str, problem: str
) -> None:
    assert f"  my.yaml, {problem}" in refusal(tmp_path, monkeypatch, PAIR + given)


def test_overall_needs_two_collections_and_one_direction(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = "campaign: mine\noverall: {}\ncollections:\n  one: {runs: a.csv, assessments: b.csv}\n"
    assert refusal(tmp_path, monkeypatch, alone)[1].startswith(
        "  my.yaml, line 2: overall needs two collections or more, and the campaign has one"
    )
    mixed = PAIR.replace("brier]", "brier], primary: brier") + "overall:\n"
    assert refusal(tmp_path, monkeypatch, mixed)[1].startswith(
        "  my.yaml, line 5: overall.measure cannot rank over collections (accuracy in one: higher "
        "is better; brier in two: lower is better)"
    )


CORRECTED = """\
campaign: mine
collections:
  demo:
    runs: runs.csv
    assessments: assessments.csv
    judges: {{gpt: {{kind: {kind}, files: gpt.csv, corrected_by: people}}, people: {{kind: assessments}}}}
    measures: [{measure}]
"""


@pytest.mark.parametrize(("kind", "measure"), [("verdicts", "cws"), ("scores", "mean_score")])
def test_a_correction_that_no_measure_can_have_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, measure: str
) -> None:
    """An order of questions is no sum, and people's labels say nothing of how right an answer is."""
    text = CORRECTED.format(kind=kind, measure=measure)
    assert refusal(tmp_path, monkeypatch, text)[1:] == [
        "  my.yaml, line 6: 'people' in collections.demo.judges.gpt.corrected_by corrects nothing: no "
        "measure of the collection can be corrected by it; allowed: a measure that is a function of "
        "sums, such as accuracy, or no corrected_by"
    ]
    read(tmp_path, CORRECTED.format(kind="verdicts", measure="cws, accuracy"))


def test_ranked_baselines_need_baselines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = HEAD + "      - accuracy\n    rank_baselines: true\n"
    (said,) = refusal(tmp_path, monkeypatch, text)[1:]
    assert "collections.demo.rank_baselines has no effect without baselines" in said
