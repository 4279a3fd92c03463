"""Samples of lm-evaluation-harness: filters, choices, repeated lines, and the file beside them."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from qampaign.input.logs.merging import OTHER_SIZE
from qampaign.input.store import read_logged_figures
from tests.helpers.cases import first
from tests.helpers.logs import (
    json_lines,
    lm_eval_choice,
    lm_eval_results,
    lm_eval_sample,
    log_campaign,
)
from tests.helpers.toy_campaign import Campaign

pytestmark = pytest.mark.slow


DATE = "2026-01-21T03-44-18.458309"
SAMPLES = f"logs/org__one/samples_sums_{DATE}.jsonl"
RESULTS = f"logs/org__one/results_{DATE}.json"
ANSWERS = "SELECT run, question, answer FROM responses ORDER BY ALL"


def loaded(folder: Path, *rows: Any, **options: Any) -> Campaign:
    campaign = log_campaign(folder, **options)
    campaign.write({SAMPLES: json_lines(rows), RESULTS: lm_eval_results()})
    campaign.ingest()
    return campaign


def test_samples_are_responses_keys_and_verdicts(tmp_path: Path) -> None:
    campaign = loaded(tmp_path, lm_eval_sample(0), lm_eval_sample(1, "5", "7"))
    assert campaign.rows(ANSWERS) == [("org/one", "0", "4"), ("org/one", "1", "5")]
    assert campaign.rows("SELECT question, key, literal FROM keys ORDER BY ALL") == [
        ("0", "4", True),
        ("1", "7", True),
    ]
    assert campaign.rows("SELECT question, scorer, verdict, score FROM logged ORDER BY ALL") == [
        ("0", "exact_match", "right", 1.0),
        ("1", "exact_match", "wrong", 0.0),
    ]
    assert campaign.rows("SELECT text FROM questions ORDER BY ALL") == [
        ("Question 0?",),
        ("Question 1?",),
    ]
    # 1768964383 is a second of 2026-01-21
    assert campaign.rows("SELECT run, seconds, more FROM runs") == [
        ("org/one", 12.5, '{"date": "2026-01-21", "shots": "5"}')
    ]
    assert campaign.rows("SELECT remark FROM remarks") == []


@pytest.mark.parametrize("time", first(1, ["-5", "nan", "inf", "soon"]))
def test_a_time_that_is_none_is_left_out_with_a_remark(tmp_path: Path, time: str) -> None:
    campaign = log_campaign(tmp_path)
    results = lm_eval_results(total_evaluation_time_seconds=time)
    campaign.write({SAMPLES: json_lines([lm_eval_sample(0)]), RESULTS: results})
    campaign.ingest()
    assert campaign.rows("SELECT seconds FROM runs") == [(None,)]
    assert campaign.rows('SELECT "column", remark FROM remarks') == [
        (
            "seconds",
            "total_evaluation_time_seconds that is no number from 0: left out; "
            f"first '{time}' in {Path(RESULTS).name}",
        )
    ]


@pytest.mark.exhaustive
def test_without_a_results_file_the_folder_is_the_model(tmp_path: Path) -> None:
    campaign = log_campaign(tmp_path)
    campaign.write({SAMPLES: json_lines([lm_eval_sample(0)])})
    campaign.ingest()
    assert campaign.rows(ANSWERS) == [("org__one", "0", "4")]
    assert len(campaign.rows("FROM remarks")) == 1


@pytest.mark.exhaustive
def test_a_results_file_that_changes_or_goes_renames_the_run(tmp_path: Path) -> None:
    campaign = loaded(tmp_path, lm_eval_sample(0))
    assert campaign.ingest() == (0, 2)
    campaign.write({RESULTS: lm_eval_results("org/two")})
    assert campaign.ingest() == (2, 0)
    assert campaign.rows("SELECT run FROM responses") == [("org/two",)]
    campaign.write({RESULTS: None})
    assert campaign.ingest() == (1, 0)
    assert campaign.rows("SELECT run FROM responses") == [("org__one",)]


def test_several_filters_are_a_fault_that_lists_them(tmp_path: Path) -> None:
    campaign = log_campaign(tmp_path)
    rows = [lm_eval_sample(0, filter=name) for name in ("strict-match", "flexible-extract")]
    campaign.write({SAMPLES: json_lines(rows), RESULTS: lm_eval_results()})
    assert campaign.refusal() == [
        f"{SAMPLES}: has samples by 2 filters: strict-match, flexible-extract; allowed: filter: in "
        "logs with one of them; or with a list, for a scorer or a run each"
    ]
    campaign.change(logs={"filter": ["loose"]})
    assert campaign.refusal() == [
        f"{SAMPLES}: has no filter loose; allowed: the filters of the file: strict-match, "
        "flexible-extract"
    ]


TWO_FILTERS = [
    lm_eval_sample(0, "4", filter="strict"),
    lm_eval_sample(0, "5", filter="loose", resps=[["It is 4."]]),
]


def test_a_filter_chooses_the_answers(tmp_path: Path) -> None:
    campaign = loaded(tmp_path, *TWO_FILTERS, filter=["loose"])
    assert campaign.rows(ANSWERS) == [("org/one", "0", "5")]
    assert campaign.rows("SELECT scorer, verdict FROM logged") == [("exact_match", "wrong")]


@pytest.mark.exhaustive
def test_several_filters_are_scorers_of_the_unfiltered_output(tmp_path: Path) -> None:
    campaign = loaded(tmp_path, *TWO_FILTERS, filter=["strict", "loose"])
    assert campaign.rows(ANSWERS) == [("org/one", "0", "It is 4.")]
    assert campaign.rows("SELECT scorer, verdict FROM logged ORDER BY ALL") == [
        ("exact_match,loose", "wrong"),
        ("exact_match,strict", "right"),
    ]


@pytest.mark.exhaustive
def test_several_filters_are_runs_where_the_name_says_so(tmp_path: Path) -> None:
    options = {"filter": ["strict", "loose"], "run": "{model} {filter}"}
    campaign = loaded(tmp_path, *TWO_FILTERS, **options)
    assert campaign.rows(ANSWERS) == [("org/one loose", "0", "5"), ("org/one strict", "0", "4")]


@pytest.mark.exhaustive
def test_requests_that_are_no_list_are_none(tmp_path: Path) -> None:
    campaign = log_campaign(tmp_path)
    row = lm_eval_choice(0, [-1.0, -2.0], arguments=7)
    campaign.write({SAMPLES: json_lines([row]), RESULTS: lm_eval_results()})
    assert campaign.refusal() == [
        f"{SAMPLES}, line 1: sample 0: has 2 log-likelihoods for 0 requests; allowed: arguments "
        "with a context and a continuation for each"
    ]


def test_of_a_sample_that_is_written_again_the_last_counts(tmp_path: Path) -> None:
    campaign = loaded(tmp_path, lm_eval_sample(0, "5"), lm_eval_sample(0, "4"))
    assert campaign.rows(ANSWERS) == [("org/one", "0", "4")]
    assert campaign.rows("SELECT remark, count FROM remarks") == [
        ("samples that were written again: the last counts", 1)
    ]


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("target", "key"), [("1", "south"), ("south", "south"), (1, "south"), ("[1, 0]", "south")]
)
def test_the_most_likely_choice_is_the_answer(tmp_path: Path, target: Any, key: str) -> None:
    campaign = loaded(tmp_path, lm_eval_choice(0, [-9.5, -2.25, -3.0], target))
    assert campaign.rows(ANSWERS) == [("org/one", "0", "south")]
    assert campaign.rows("SELECT key FROM keys WHERE key = 'south'") == [(key,)]
    assert campaign.rows("SELECT scorer, verdict FROM logged ORDER BY ALL") == [
        ("acc", "right"),
        ("acc_norm", "wrong"),
    ]


def test_choices_in_the_context_are_choices(tmp_path: Path) -> None:
    arguments = {
        "gen_args_0": {"arg_0": "Ann was tired because Ann", "arg_1": " slept badly."},
        "gen_args_1": {"arg_0": "Ann was tired because Bob", "arg_1": " slept badly."},
    }
    sample = lm_eval_choice(0, [-3.0, -2.0], "1", arguments=arguments)
    campaign = loaded(tmp_path, sample)
    assert campaign.rows("SELECT answer FROM responses") == [("Ann was tired because Bob",)]


@pytest.mark.exhaustive
def test_unconditional_likelihoods_choose_nothing(tmp_path: Path) -> None:
    # of choices with mutual information, the second half is asked without the question
    sample = lm_eval_choice(0, [-3.0, -2.0, -1.0, -0.5], "1")
    for index in (2, 3):
        sample["arguments"][f"gen_args_{index}"]["arg_0"] = ""
    campaign = loaded(tmp_path, sample)
    assert campaign.rows("SELECT answer FROM responses") == [("south",)]


@pytest.mark.exhaustive
def test_a_likelihood_alone_says_whether_the_target_is_most_likely(tmp_path: Path) -> None:
    arguments = {"gen_args_0": {"arg_0": "The capital of France is", "arg_1": " Paris"}}
    likely, not_likely = (
        lm_eval_sample(number, arguments=arguments, filtered_resps=[["-1.5", greedy]])
        for number, greedy in enumerate(["True", "False"])
    )
    campaign = loaded(tmp_path, likely, not_likely)
    assert campaign.rows("SELECT answer FROM responses ORDER BY question") == [
        ("Paris",),
        ("(another text)",),
    ]


@pytest.mark.exhaustive
def test_a_field_of_the_document_is_the_type(tmp_path: Path) -> None:
    campaign = loaded(tmp_path, lm_eval_sample(0), type="subject")
    assert campaign.rows("SELECT type FROM questions") == [("sums",)]


def test_every_fault_of_a_file_is_told_with_its_line(tmp_path: Path) -> None:
    campaign = log_campaign(tmp_path)
    rows = [
        json.dumps(lm_eval_sample(0)),
        '{"doc_id": 1, "doc',
        json.dumps(lm_eval_sample(2, filtered_resps=[])),
        json.dumps(lm_eval_choice(3, [-1.0, -2.0], "7")),
        "[]",
    ]
    campaign.write({SAMPLES: "\n".join(rows), RESULTS: lm_eval_results()})
    lines = [line.partition(": ")[::2] for line in campaign.refusal()]
    assert [place for place, _ in lines] == [f"{SAMPLES}, line {n}" for n in (2, 5, 3, 4)]
    assert [text.split(";")[0] for _, text in lines[1:]] == [
        "is not a JSON object",
        "sample 2: has no filtered_resps",
        "sample 3: has the target '7', which is no choice",
    ]


@pytest.mark.exhaustive
def test_results_alone_are_no_log(tmp_path: Path) -> None:
    campaign = log_campaign(tmp_path)
    campaign.write({RESULTS: lm_eval_results()})
    (message,) = campaign.refusal()
    assert message.startswith(f"{RESULTS}: has results and no samples")


@pytest.mark.exhaustive
def test_fewer_samples_than_the_results_file_says_are_remarked_on(tmp_path: Path) -> None:
    for effective, remarks in ((5000, 1), (2, 0)):
        sizes = {"n-samples": {"sums": {"original": 5000, "effective": effective}}}
        campaign = log_campaign(tmp_path / str(effective), "logs/**/*.jsonl")
        lines = "\n".join(json.dumps(lm_eval_sample(number)) for number in (1, 2))
        campaign.write({SAMPLES: lines, RESULTS: lm_eval_results(**sizes)})
        campaign.ingest()
        text = (
            "2 questions, where the results file says that there are 5,000: "
            "its figures are not compared"
        )
        found = campaign.rows("SELECT path, remark, count FROM remarks JOIN sources USING (source)")
        assert found == [(SAMPLES, text, 4998)] * remarks
        # the figure is over 5,000 questions, of which there are 2
        assert len(campaign.rows(FIGURES)) == 1 - remarks


def test_figures_over_more_questions_than_the_collection_has_are_not_compared(
    tmp_path: Path,
) -> None:
    campaign = log_campaign(tmp_path, "logs/**/*.jsonl")
    lines = json_lines([lm_eval_sample(number) for number in (1, 2)])
    campaign.write({SAMPLES: lines, RESULTS: lm_eval_results()})
    campaign.ingest()
    assert read_logged_figures(campaign.database, "toy").height == 1
    campaign.write({"questions.csv": "question\n1\n"})
    paths = {**campaign.files.paths, "questions": ["questions.csv"]}
    campaign.files = replace(campaign.files, paths=paths, skip_unknown_questions=True)
    campaign.ingest()
    assert read_logged_figures(campaign.database, "toy").height == 0
    remarks = campaign.rows("SELECT remark FROM remarks WHERE remark LIKE 'figures%'")
    assert remarks == [(f"{OTHER_SIZE}: 2 of org/one, here 1",)]


FIGURES = "SELECT run, slice, scorer, value FROM logged_figures ORDER BY ALL"


@pytest.mark.exhaustive
def test_means_in_the_results_file_are_figures(tmp_path: Path) -> None:
    campaign = log_campaign(tmp_path)
    figures = {
        "alias": "sums",
        "exact_match,none": 0.5,
        "exact_match_stderr,none": 0.1,
        "f1,none": 0.25,
        "perplexity,none": 9.5,
        "acc,none": "N/A",
        "rouge,none": 0.75,
    }
    metrics = [
        {"metric": "exact_match"},
        {"metric": "f1", "aggregation": "mean"},
        {"metric": "perplexity", "aggregation": "perplexity"},
    ]
    results = lm_eval_results(
        results={"sums": figures, "other": {"exact_match,none": 1.0}},
        configs={"sums": {"metric_list": metrics}},
    )
    campaign.write({SAMPLES: json_lines([lm_eval_sample(0)]), RESULTS: results})
    campaign.ingest()
    # rouge is a mean perhaps: the file does not say so
    assert campaign.rows(FIGURES) == [
        ("org/one", "all", "exact_match", 0.5),
        ("org/one", "all", "f1", 0.25),
    ]
    assert campaign.rows("SELECT DISTINCT split_part(origin, ':', 1) FROM logged_figures") == [
        (Path(RESULTS).name,)
    ]
    campaign.write({RESULTS: lm_eval_results()})
    campaign.ingest()
    assert campaign.rows(FIGURES) == [("org/one", "all", "exact_match", 0.5)]


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("run", "figures"),
    [
        (
            "{model} {filter}",
            [
                ("org/one loose", "all", "exact_match", 0.75),
                ("org/one strict", "all", "exact_match", 0.5),
            ],
        ),
        (
            "{model}",
            [
                ("org/one", "all", "exact_match,loose", 0.75),
                ("org/one", "all", "exact_match,strict", 0.5),
            ],
        ),
    ],
)
def test_figures_are_of_their_filter(tmp_path: Path, run: str, figures: list[Any]) -> None:
    campaign = log_campaign(tmp_path, filter=["strict", "loose"], run=run)
    rows = [lm_eval_sample(0, filter=name) for name in ("strict", "loose")]
    given = {"exact_match,strict": 0.5, "exact_match,loose": 0.75, "exact_match,raw": 0.1}
    results = lm_eval_results(results={"sums": given})
    campaign.write({SAMPLES: json_lines(rows), RESULTS: results})
    campaign.ingest()
    assert campaign.rows(FIGURES) == figures


@pytest.mark.exhaustive
def test_figures_of_merged_tasks_are_of_their_type(tmp_path: Path) -> None:
    campaign = loaded(tmp_path, lm_eval_sample(0), only=["s*"])
    assert campaign.rows(FIGURES) == [("org/one", "sums", "exact_match", 0.5)]
    # types are a field's: none is the task
    campaign = loaded(tmp_path / "typed", lm_eval_sample(0), only=["s*"], type="subject")
    assert campaign.rows(FIGURES) == []
