"""The config: what is filled in, and what is refused, with the line and all at once."""

from pathlib import Path

import polars as pl
import pytest
import yaml

from qampaign.config.campaign import Campaign, read_campaign
from qampaign.config.ingest_params import collection_files
from qampaign.judging.derived import derive
from qampaign.measures import MEASURES
from qampaign.problems import Refused

SMALLEST = """
campaign: mine
collections:
  demo:
    runs: runs.csv
    assessments: assessments.csv
"""


def read(folder: Path, text: str) -> Campaign:
    path = folder / "my.yaml"
    path.write_text(text, encoding="utf-8")
    return read_campaign(yaml.safe_load(text), [path])


def refusal(folder: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> list[str]:
    monkeypatch.chdir(folder)
    with pytest.raises(Refused) as refused:
        read(folder, text)
    return str(refused.value).splitlines()


def test_two_files_are_enough_for_a_campaign(tmp_path: Path) -> None:
    campaign = read(tmp_path, SMALLEST)
    demo = campaign.collections["demo"]
    assert (campaign.id, campaign.title, campaign.seed) == ("mine", "mine", 0)
    assert demo.files == {
        "questions": [],
        "responses": ["runs.csv"],
        "runs": [],
        "assessments": ["assessments.csv"],
        "keys": [],
        "patterns": [],
    }
    assert demo.judges == {
        "people": {"kind": "assessments", "correct": ["right"], "unassessed": "error", "ties": []}
    }
    assert demo.config["reference"] == "people"
    assert demo.config["primary"] == "accuracy"
    assert campaign.folder == tmp_path


def test_defaults_hold_where_a_collection_is_silent(tmp_path: Path) -> None:
    text = (
        SMALLEST + "    correct: [right, inexact]\ndefaults: {correct: [right], unassessed: wrong}"
    )
    demo = read(tmp_path, text).collections["demo"]
    assert (demo.config["correct"], demo.config["unassessed"]) == (["right", "inexact"], "wrong")


def test_a_judge_can_differ_from_its_collection(tmp_path: Path) -> None:
    judges = "    judges: {strict: {kind: assessments}, kind: {kind: assessments, correct: [right, unsupported]}}"
    demo = read(tmp_path, SMALLEST + judges).collections["demo"]
    assert [each["correct"] for each in demo.judges.values()] == [
        ["right"],
        ["right", "unsupported"],
    ]


@pytest.mark.parametrize(
    ("reference", "expected"),
    [
        # what gpt calls right are texts of runs: a key and patterns know better what is right
        ("gpt", {"people": "gpt", "gpt": "gpt", "key": "key", "exact": "exact", "regex": "regex"}),
        ("people", dict.fromkeys(("people", "gpt", "key", "exact", "regex"), "people")),
        ("key", dict.fromkeys(("people", "gpt", "key", "exact", "regex"), "key")),
    ],
)
def test_a_key_says_what_is_known_where_the_reference_lists_nothing(
    tmp_path: Path, reference: str, expected: dict[str, str]
) -> None:
    text = f"""{SMALLEST}    keys: keys.csv
    patterns: patterns.csv
    reference: {reference}
    judges:
      people: {{kind: assessments}}
      gpt: {{kind: verdicts, files: gpt.csv}}
      key: {{kind: key}}
      exact: {{kind: exact}}
      regex: {{kind: patterns}}
"""
    demo = read(tmp_path, text).collections["demo"]
    assert {judge: demo.known_by(judge) for judge in demo.judges} == expected


def test_a_measure_can_stand_twice_under_two_names(tmp_path: Path) -> None:
    measures = "    measures: [c_at_1, {c_at_1: {name: c1, label: C}}]"
    demo = read(tmp_path, SMALLEST + measures).collections["demo"]
    found = [(each.name, each.measure, each.label) for each in demo.measures]
    assert found == [("c_at_1", "c_at_1", "c@1"), ("c1", "c_at_1", "C")]


def test_what_is_computed_follows_from_judges_and_studies(tmp_path: Path) -> None:
    more = """    judges: {strict: {kind: assessments}, mild: {kind: assessments}}
    reference: mild
    studies: {sizes: {}, judges: [strict]}
"""
    computed = read(tmp_path, SMALLEST + more).collections["demo"].computed
    assert len(computed) == len(set(computed))
    judges: dict[str, list[str | None]] = {}
    for table, judge in computed:
        judges.setdefault(table, []).append(judge)
    assert judges["scores"] == judges["coverage"] == ["strict", "mild"]
    assert judges["agreement"] == judges["causes"] == ["strict"]  # the reference is not compared
    assert judges["sizes"] == judges["sizes_enough"] == ["strict"]
    assert judges["correlation"] == judges["disputed"] == [None]
    assert not {"stability", "swap", "significance", "intervals"} & judges.keys()


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        ("{1: right, 0: wrong}", {"1": "right", "0": "wrong"}),
        ("{yes: right, No: wrong}", {"yes": "right", "No": "wrong"}),
        ("{010: right, 1.50: wrong, ~: wrong}", {"010": "right", "1.50": "wrong", "~": "wrong"}),
    ],
)
def test_labels_mean_what_they_look_like(tmp_path: Path, labels: str, expected: dict) -> None:
    demo = read(tmp_path, f"{SMALLEST}    labels: {labels}").collections["demo"]
    assert demo.config["labels"] == expected


def test_the_effective_config_gives_the_same_campaign(tmp_path: Path) -> None:
    first = read(tmp_path, SMALLEST)
    again = read(tmp_path, yaml.safe_dump(first.effective()))
    assert again.effective() == first.effective()


def test_all_faults_are_told_at_once_with_their_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = """campaign: ../mine
sead: 1
collections:
  demo:
    run: runs.csv
    correct: right
    labels: {R: rigth}
    unassessed: ignore
"""
    assert refusal(tmp_path, monkeypatch, text) == [
        "The config cannot be used:",
        "  my.yaml, line 1: '../mine' in campaign is not allowed; allowed: a name of letters, digits, - and _",
        "  my.yaml, line 2: sead is an unknown key; allowed: seed (close), or campaign, title, seed, open, verify, limits, gate, "
        "overall, defaults, collections",
        "  my.yaml, line 5: collections.demo.run is an unknown key; allowed: runs (close), or title, note, task, "
        "language, questions, runs, logs, run_info, assessments, keys, patterns, published, labels, correct, unassessed, "
        "missing, refusals, unknown_questions, ties, nil, judges, reference, measures, primary, confidence, baselines, rank_baselines, unit, "
        "comparisons, pool, derived, studies",
        "  my.yaml, line 6: 'right' in collections.demo.correct is not allowed; allowed: a list of the verdicts "
        "that count as correct; [right] is strict",
        "  my.yaml, line 7: 'rigth' in collections.demo.labels.R is not allowed; allowed: one of right, wrong, "
        "inexact, unsupported, repeated, not_attempted",
        "  my.yaml, line 8: 'ignore' in collections.demo.unassessed is not allowed; allowed: error (refuse an "
        "answer that no assessment covers), wrong (count it as wrong) or bounds (likewise, and show the values if "
        "all such answers were wrong, and if all were right)",
    ]


def test_a_misspelt_key_hides_no_other_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (
        SMALLEST
        + "    judges: {bot: {kind: patterns, caze: keep, zeal: 1}}\n"
        + ("  other: {runs: runs.csv, assessments: assessments.csv, measures: [akkuracy]}\n")
    )
    _, *faults = refusal(tmp_path, monkeypatch, text)
    assert [fault.split(";")[0] for fault in faults] == [
        "  my.yaml, line 4: collections.demo has nothing to judge bot by",
        "  my.yaml, line 7: collections.demo.judges.bot.caze is no option of a judge of kind patterns",
        "  my.yaml, line 7: collections.demo.judges.bot.zeal is no option of a judge of kind patterns",
        "  my.yaml, line 8: 'akkuracy' in collections.other.measures.0 is not a measure",
    ]
    # what another kind of judge takes is no help
    assert faults[1].endswith("allowed: case (close), or case, correct, unassessed, corrected_by")


def test_a_tolerance_needs_numbers(tmp_path: Path) -> None:
    judge = "    keys: keys.csv\n    judges: {a: {kind: key, tolerance: 0.05%s}}\n"
    assert read(tmp_path, SMALLEST + judge % ", numbers: true").collections
    with pytest.raises(Refused) as refused:
        read(tmp_path, SMALLEST + judge % "")
    assert (
        "judges.a.tolerance has no effect where numbers are read as words; allowed: "
        "numbers: true beside it" in str(refused.value)
    )


def test_names_must_refer_to_something(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = SMALLEST + (
        "    reference: anna\n    measures: [acuracy, c_at_1, c_at_1]\n    primary: mrr\n"
    )
    lines = refusal(tmp_path, monkeypatch, text)
    assert lines[1:] == [
        "  my.yaml, line 7: 'anna' in collections.demo.reference is not a judge; allowed: people",
        "  my.yaml, line 8: 'acuracy' in collections.demo.measures.0 is not a measure; allowed: accuracy (close), "
        f"or {', '.join(name for name, each in MEASURES.items() if each.task != 'validation')}",
        "  my.yaml, line 8: 'c_at_1' in collections.demo.measures.2 names a measure a second time; allowed: a name: "
        "of its own",
        "  my.yaml, line 9: 'mrr' in collections.demo.primary is not one of the measures; allowed: c_at_1",
    ]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "campaign: mine\ncollections: {demo: {assessments: a.csv}}",
            "collections.demo has no runs",
        ),
        ("campaign: mine\ncollections: {demo: {runs: a.csv}}", "collections.demo has no questions"),
        ("campaign: mine\ncollections: {}", "'{}' in collections is not allowed"),
        ("campaign: mine", "the config has no collections"),
        ("collections: {demo: {runs: a.csv}}", "the config has no campaign"),
        ("campaign: mine\ncollections: {demo: null}", "collections.demo"),
        ("campaign: mine\ncollections: {'../x': {runs: a}}", "'../x' in collections"),
        (
            "campaign: mine\ncampaign: other\ncollections: {demo: {runs: a}}",
            "campaign is there twice",
        ),
        (SMALLEST + "    judges: {a/b: {kind: assessments}}", "'a/b' in collections.demo.judges"),
        (
            SMALLEST + "    judges: {people: {kind: oracle}}",
            "'oracle' in collections.demo.judges.people.kind",
        ),
        (SMALLEST + "    judges: {people: {}}", "collections.demo.judges.people has no kind"),
        (
            SMALLEST + "    measures: [{c_at_1: {beta: 2}}]",
            "collections.demo.measures.0.c_at_1.beta is no option of c_at_1",
        ),
        (SMALLEST + "    task: gambling", "'gambling' in collections.demo.task is not allowed"),
        (
            SMALLEST + "    task: validation\n    measures: [mrr]",
            "'mrr' in collections.demo.measures.0 is not a measure for validation",
        ),
        (
            SMALLEST + "    measures: [f]",
            "'f' in collections.demo.measures.0 is not a measure for answering",
        ),
        (
            SMALLEST + "    baselines: [all_yes]",
            "'all_yes' in collections.demo.baselines.0 is no baseline for answering",
        ),
        (
            SMALLEST + "    task: validation\n    baselines: [random_yes]",
            "'random_yes' in collections.demo.baselines.0 needs a number",
        ),
        (SMALLEST + "    measures: [{mrr: {cutoff: 0}}]", "collections.demo.measures.0"),
        (
            SMALLEST + "    derived: {x: {from: a, where: b}}",
            "collections.demo.derived.x has no set",
        ),
        (SMALLEST + "    confidence: {map: log}", "'log' in collections.demo.confidence.map"),
        (SMALLEST.replace("runs.csv", "[]"), "collections.demo has no runs"),
        ('campaign: "mine\\n"\ncollections: {demo: {runs: a}}', "in campaign is not allowed"),
        ('campaign: mine\ncollections: {"demo\\n": {runs: a}}', "in collections is not allowed"),
        (
            SMALLEST + '    judges: {"a\\n": {kind: assessments}}',
            "in collections.demo.judges is not allowed",
        ),
        (
            SMALLEST + '    measures: [{mrr: {name: "m\\n"}}]',
            "collections.demo.measures.0",
        ),
        *(
            (SMALLEST + f"    derived: {{{name}: {{from: a, where: b, set: {{score: 1}}}}}}", told)
            for name, told in [
                ('"x\\n"', "in collections.demo.derived is not allowed"),
                ("all", "'all' in collections.demo.derived is not allowed"),
            ]
        ),
        *(
            (SMALLEST.replace("demo", name), f"collections.{name} is a name that results use")
            for name in ("sources", "overall", "all", "Report", "fingerprints", "pool")
        ),
        (
            SMALLEST + "  Demo: {runs: a, assessments: b}",
            "collections.Demo differs from demo in capitals alone",
        ),
        (
            SMALLEST + "  demo-coverage: {runs: a, assessments: b}",
            "collections.demo-coverage is what the coverage of another collection is called",
        ),
        (
            SMALLEST + "    judges: {a: {kind: assessments}, A: {kind: assessments}}",
            "collections.demo.judges.A differs from a in capitals alone",
        ),
        ("limits: {unpacked_gb: 0}\n" + SMALLEST, "'0' in limits.unpacked_gb is not allowed"),
        ("open: maybe\n" + SMALLEST, "'maybe' in open is not allowed"),
        (
            "gate: [accuracy of a not below a by more than 0.1]\n" + SMALLEST,
            "compares a run with itself",
        ),
        ("__use_yte__: false\n" + SMALLEST, "__use_yte__ is an unknown key"),
    ],
)
def test_what_cannot_be_used_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, told: str
) -> None:
    lines = refusal(tmp_path, monkeypatch, text)
    assert any(told in line for line in lines), lines
    assert all("my.yaml" in line for line in lines[1:])


LONG = '    derived: {x: {from: a, set: {confidence: 0}, where: "%s"}}\n'


@pytest.mark.parametrize(
    "where",
    [
        " OR ".join(["rank = 1"] * 101),  # 101 times = and 100 times OR
        "+".join(["1"] * 202) + " > 1",
        "rank" + "::INT" * 201 + " > 1",
        "answer = '" + "x" * 10_000 + "'",
    ],
)
def test_a_condition_that_would_take_polars_too_far_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    (_, told) = refusal(tmp_path, monkeypatch, SMALLEST + LONG % where)
    assert told.startswith("  my.yaml, line 7: '")
    assert told.endswith(
        " in collections.demo.derived.x.where is too long; allowed: at most 10,000 characters and "
        "200 operators; a list such as question IN ('q1', 'q2') counts as one"
    )


def test_a_long_list_is_no_long_condition(tmp_path: Path) -> None:
    where = f"question IN ({', '.join(repr(f'q{n} or-else') for n in range(500))})"
    (rule,) = read(tmp_path, SMALLEST + LONG % where).collections["demo"].config["derived"].values()
    rows = pl.DataFrame(
        {"run": ["a"] * 2, "question": ["q7 or-else", "q"], "confidence": [1.0, 1.0]}
    )
    assert derive(rows, {"x": rule})["confidence"].to_list() == [1.0, 1.0, 0.0, 1.0]


def test_a_pair_of_a_gate_need_not_be_in_every_collection(tmp_path: Path) -> None:
    """Without `in` it is asked where both runs are; a collection that is named must have them."""
    anywhere, here = (
        f"gate: [accuracy of a{place} not significantly below b]\n{SMALLEST}"
        for place in ("", " in demo")
    )
    assert next(collection_files(read(tmp_path, anywhere))).compared == []
    assert next(collection_files(read(tmp_path, here))).compared == ["a", "b"]


def test_a_measure_tells_how_many_samples_it_takes(tmp_path: Path) -> None:
    text = SMALLEST + "    measures: [accuracy, pass_at_k, {pass_all_k: {k: 4, name: all4}}]\n"
    assert read(tmp_path, text).collections["demo"].choices == {"pass_at_k": 2, "all4": 4}


def test_a_campaign_is_open_unless_it_says_otherwise(tmp_path: Path) -> None:
    assert read(tmp_path, SMALLEST).effective()["open"] is True
    assert read(tmp_path, f"open: false\n{SMALLEST}").effective()["open"] is False


def test_the_limit_of_unpacked_files_is_no_part_of_what_results_are_made_from(
    tmp_path: Path,
) -> None:
    plain, limited = (
        read(tmp_path, SMALLEST),
        read(tmp_path, f"limits: {{unpacked_gb: 9}}\n{SMALLEST}"),
    )
    assert (plain.unpacked_gb, limited.unpacked_gb) == (4, 9)
    assert limited.effective() == plain.effective()


def test_the_threshold_that_is_told_is_the_one_that_judges(tmp_path: Path) -> None:
    """The tables tell a key judge's threshold although the config is silent on it."""
    config = (
        SMALLEST
        + "    keys: keys.csv\n    judges: {a: {kind: key}, b: {kind: key, threshold: 0.5}, c: {kind: exact}}\n"
    )
    demo = read(tmp_path, config).collections["demo"]
    assert [demo.threshold(judge) for judge in "abc"] == [0.25, 0.5, None]
    assert [demo.arguments(judge)["threshold"] for judge in "abc"] == [0.25, 0.5, None]


DERIVED = SMALLEST + "    measures: [%s]\n%s    derived: {x: {from: a, where: b, set: {%s}}}\n"


@pytest.mark.parametrize(
    ("measures", "more", "given", "told"),
    [
        (
            "brier, k1", "", "confidence: 5",
            "'5' in collections.demo.derived.x.set.confidence is outside 0 to 1; allowed: a number from 0 to 1, "
            "which brier and k1 need; others can be mapped in the config: confidence: {map: minmax}",
        ),
        (
            "brier", "    task: validation\n", "score: -0.5",
            "'-0.5' in collections.demo.derived.x.set.score is outside 0 to 1; allowed: a number from 0 to 1, "
            "which brier needs; others can be mapped in the config: confidence: {map: minmax}",
        ),
        (
            "f", "    task: validation\n", "answer: perhaps",
            "'perhaps' in collections.demo.derived.x.set.answer is not true or false; allowed: true or false",
        ),
        ("accuracy", "", "confidence: high", "'high' in collections.demo.derived.x.set.confidence is not allowed; "
         "allowed: a number"),
    ],
)  # fmt: skip
def test_what_if_runs_are_checked_as_files_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, measures: str, more: str, given: str, told: str
) -> None:
    _, line = refusal(tmp_path, monkeypatch, DERIVED % (measures, more, given))
    assert line.endswith(told)
    assert line.startswith(f"  my.yaml, line {8 + bool(more)}: ")


@pytest.mark.parametrize(
    ("measures", "more", "given", "expected"),
    [
        ("cws", "", "confidence: 5", {"confidence": 5}),  # only the order counts
        ("brier", "    confidence: {map: minmax}\n", "confidence: 5", {"confidence": 5}),
        ("f", "    task: validation\n", "answer: yes", {"answer": "yes"}),
        ("f", "    task: validation\n", "answer: 'FALSE'", {"answer": "no"}),
        ("accuracy", "", "answer: ' a  b '", {"answer": "a b"}),
    ],
)
def test_what_if_runs_have_values_as_files_have_them(
    tmp_path: Path, measures: str, more: str, given: str, expected: dict
) -> None:
    demo = read(tmp_path, DERIVED % (measures, more, given)).collections["demo"]
    assert demo.config["derived"]["x"]["set"] == expected


@pytest.mark.parametrize("name", ['"a\\n"', "all"])
def test_a_what_if_run_has_a_name_that_a_run_can_have(tmp_path: Path, name: str) -> None:
    derived = f"    derived: {{{name}: {{from: a, where: b, set: {{answered: true}}}}}}\n"
    with pytest.raises(Refused, match=r"in collections\.demo\.derived is not allowed"):
        read(tmp_path, SMALLEST + derived)


def test_a_name_is_what_the_file_spells(tmp_path: Path) -> None:
    """YAML reads yes, On and no as true and false, 1_0 as 10."""
    text = """
campaign: 1_0
defaults: &all {runs: runs.csv, assessments: assessments.csv}
collections:
  yes:
    <<: *all
    judges: {no: {kind: assessments}, On: {kind: assessments}}
    reference: On
    studies: {judges: [no]}
    task: validation
    measures: [{f: {unanswered: no}}]
"""
    campaign = read(tmp_path, text)
    assert campaign.id == "1_0"
    assert list(campaign.collections) == ["yes"]
    only = campaign.collections["yes"]
    assert list(only.judges) == ["no", "On"]
    assert (only.config["reference"], only.config["studies"]["judges"]) == ("On", ["no"])
    assert only.measures[0].options["unanswered"] == "no"
    again = read(tmp_path, yaml.safe_dump(campaign.effective()))
    assert again.effective() == campaign.effective()


def test_two_keys_that_are_one_to_yaml_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """True is 1 to Python: one of the two would take the value of the other."""
    text = SMALLEST + "    labels:\n      1: right\n      yes: wrong\n      true: wrong\n"
    allowed = "allowed: each key once; in quotes they are texts"
    assert refusal(tmp_path, monkeypatch, text)[1:] == [
        f"  my.yaml, line 9: collections.demo.labels.yes is the same as 1 to YAML; {allowed}",
        f"  my.yaml, line 10: collections.demo.labels.true is the same as yes to YAML; {allowed}",
    ]
    quoted = text.replace("yes", "'yes'").replace("true", "'true'")
    labels = read(tmp_path, quoted).collections["demo"].config["labels"]
    assert labels == {"1": "right", "yes": "wrong", "true": "wrong"}


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ("keys: k.csv\n    judges: {a: {kind: key, threshold: %s}}", "judges.a.threshold"),
        ("studies: {stability: {fuzziness: [0.1, %s]}}", "studies.stability.fuzziness.1"),
        ("measures: [{q_measure: {gains: {S: %s}}}]", "measures.0.q_measure.gains.S"),
        ("derived: {x: {from: a, where: b, set: {confidence: %s}}}", "derived.x.set.confidence"),
    ],
)
@pytest.mark.parametrize(("number", "told"), [(".nan", "nan"), (".inf", "inf"), ("-.Inf", "-inf")])
def test_numbers_without_an_end_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str, key: str, number: str, told: str
) -> None:
    faults = refusal(tmp_path, monkeypatch, f"{SMALLEST}    {line % number}\n")
    at = 7 + line.count("\n")
    assert (
        f"  my.yaml, line {at}: '{told}' in collections.demo.{key} is not a finite number; allowed: a "
        "finite number" in faults
    )


def test_a_key_that_yaml_reads_as_true_is_refused_where_no_file_says_how_it_is_spelled() -> None:
    """As in the config of another workflow, which Snakemake has read: Yes has become true there."""
    collection = {"runs": "r.csv", "assessments": "a.csv", "labels": {True: "right"}}
    config = {"campaign": "mine", "collections": {"demo": collection}}
    with pytest.raises(
        Refused, match=r"demo\.labels has a key that YAML reads as true; allowed: a"
    ):
        read_campaign(config, [])


GRADED = """
campaign: c
collections:
  k:
    keys: key.csv
    runs: runs/*.csv
    {more}
    judges:
      exact: {{kind: exact}}
      rubric: {{kind: scores, files: r.csv, scale: [0, 10]{options}}}
"""


def test_a_judge_of_scores_gives_verdicts_with_a_threshold(tmp_path: Path) -> None:
    for options, given in (("", False), (", threshold: 0.5", True)):
        text = GRADED.format(more="measures: [accuracy, mean_score]", options=options)
        collection = read(tmp_path, text).collections["k"]
        assert collection.gives_verdicts("rubric") is given
        assert collection.gives_verdicts("exact")
        assert collection.gives_degrees("rubric")
        assert collection.judged_by("rubric") == "scores/rubric"


def test_the_measure_of_a_reference_without_verdicts_is_the_mean_score(tmp_path: Path) -> None:
    collection = read(tmp_path, GRADED.format(more="reference: rubric", options="")).collections[
        "k"
    ]
    assert [measure.name for measure in collection.measures] == ["mean_score"]


@pytest.mark.parametrize(
    ("more", "options", "told"),
    [
        ("", "", "judges.rubric gives scores and no verdicts: no measure has a value by it"),
        ("measures: [accuracy, mean_score]\n    reference: rubric", "", "has no value by the ref"),
        ("", ", threshold: 1", "a number from 0 to below 1"),
        ("", ", threshold: 0.5, scale: [3, 3]", "is there twice"),
    ],
)
def test_scores_that_nothing_comes_of_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, more: str, options: str, told: str
) -> None:
    text = GRADED.format(more=more or "language: en", options=options)
    assert told in " ".join(refusal(tmp_path, monkeypatch, text))


def test_a_mean_score_needs_a_judge_with_degrees(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "campaign: c\ncollections: {k: {patterns: p.csv, runs: r.csv, measures: [mean_score]}}"
    assert "needs a judge that says how right answers are" in " ".join(
        refusal(tmp_path, monkeypatch, text)
    )


REFUSALS = """
campaign: mine
collections:
  demo:
    runs: runs.csv
    keys: keys.csv
    refusals: {given}
    judges: {{k: {{kind: {kind}, {more}}}}}
    {other}
"""


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("true", {"defaults": True, "patterns": [], "language": "en"}),
        ("[keine angabe]", {"defaults": False, "patterns": ["keine angabe"], "language": "en"}),
        ("{defaults: true, patterns: [nix]}", {"defaults": True, "patterns": ["nix"], "language": "en"}),
        ("false", None),
        ("[]", None),
    ],
)  # fmt: skip
def test_what_is_said_of_refusals_reaches_the_judges(
    tmp_path: Path, given: str, expected: object
) -> None:
    text = REFUSALS.format(given=given, kind="exact", more="", other="")
    demo = read(tmp_path, text).collections["demo"]
    assert demo.arguments("k")["refusals"] == expected


def test_refusals_that_cannot_be_used_or_do_nothing_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = REFUSALS.format(given="true", kind="exact", more="", other="language: fi")
    assert "there is no default list for the language fi; there are lists for en, de, fr" in (
        "\n".join(refusal(tmp_path, monkeypatch, text))
    )
    text = REFUSALS.format(given='["a(?=b)"]', kind="exact", more="", other="")
    assert "look-around" in "\n".join(refusal(tmp_path, monkeypatch, text))
    text = REFUSALS.format(given="true", kind="assessments", more="", other="assessments: a.csv")
    said = "\n".join(refusal(tmp_path, monkeypatch, text))
    assert "has no effect: no judge of the collection uses it" in said
    assert "exact or key or patterns" in said or "key" in said


def test_items_have_no_bounds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = f"{SMALLEST}    task: validation\n    unassessed: bounds\n"
    said = "\n".join(refusal(tmp_path, monkeypatch, text))
    assert "has no bounds: an item that is not assessed is not right" in said


def test_judges_that_name_other_judges(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who corrects, and who votes, is another judge; no jury waits for itself."""
    text = """campaign: mine
collections:
  demo:
    runs: runs.csv
    assessments: labels.csv
    pool: {judge: people, width: 0.05}
    judges:
      people: {kind: assessments, corrected_by: people}
      bot: {kind: assessments, corrected_by: peeple}
      one: {kind: jury, of: [people, two, people]}
      two: {kind: jury, of: [one, two, nobody]}
      three: {kind: jury}
"""
    shown = "\n".join(refusal(tmp_path, monkeypatch, text))
    assert "line 8: 'people' in collections.demo.judges.people.corrected_by is the judge" in shown
    assert "line 9: 'peeple' in collections.demo.judges.bot.corrected_by is not a judge" in shown
    assert "'two' in collections.demo.judges.one.of.1 is a jury of which one is a member" in shown
    assert "collections.demo.judges.one.of.2 has a vote already" in shown
    assert "'two' in collections.demo.judges.two.of.1 is the jury itself" in shown
    assert "'nobody' in collections.demo.judges.two.of.2 is not a judge" in shown
    assert "collections.demo.judges.three.of is no jury" in shown


def test_a_size_of_the_pool_without_a_judge_to_correct_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = """campaign: mine
collections:
  demo: {runs: runs.csv, assessments: labels.csv, pool: {width: 0.05}}
"""
    shown = "\n".join(refusal(tmp_path, monkeypatch, text))
    assert "collections.demo.pool has no effect without a judge to correct" in shown
