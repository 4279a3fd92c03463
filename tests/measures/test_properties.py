"""What must hold for every collection, whatever runs and people say."""

import math
from dataclasses import replace
from functools import cache
from random import Random
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from qampaign.measures import MEASURES
from qampaign.measures.ordered import OrderedMeasure
from qampaign.measures.scoring import count, score
from tests.helpers.generated_rows import ANSWERING, VALIDATION, answering, named, validation
from tests.helpers.measured_rows import Rows, Withheld, configured

chance = st.integers(0, 2**32).map(Random)
few = settings(
    max_examples=min(14, settings().max_examples),
    deadline=None,
    derandomize=True,
    phases=[Phase.generate],
)  # a failure shows the whole collection; shrinking it would take minutes
TASKS = {"answering": (answering, ANSWERING), "validation": (validation, VALIDATION)}
by_task = pytest.mark.parametrize("task", TASKS)

Values = dict[str, dict[str, float | None]]


def all_values(rows: Rows, variants: list[tuple[str, dict[str, Any]]]) -> Values:
    """The value of every run by every measure."""
    measures = [configured(*variant) for variant in variants]
    evidence = rows.evidence(*measures)
    every = np.ones((1, evidence.questions.height))
    found = {}
    for each, variant in zip(measures, variants, strict=True):
        values = each.values(evidence, every)[:, 0].tolist()
        found[named(variant)] = {
            run: None if math.isnan(value) else value
            for run, value in zip(evidence.runs["run"], values, strict=True)
        }
    return found


def assert_same(one: Values, other: Values) -> None:
    for measure, values in one.items():
        assert other[measure] == pytest.approx(values, abs=1e-12), measure


@by_task
@given(random=chance)
@few
def test_values_stay_in_the_range_declared(task: str, random: Random) -> None:
    make, variants = TASKS[task]
    values = all_values(make(random), variants)
    for variant in variants:
        low, high = MEASURES[variant[0]].bounds_with(variant[1])
        for value in values[named(variant)].values():
            assert value is None or low - 1e-12 <= value <= high + 1e-12, variant


@by_task
@given(random=chance)
@few
def test_the_order_of_rows_does_not_matter(task: str, random: Random) -> None:
    make, variants = TASKS[task]
    rows = make(random)

    def shuffled(mapping: Any) -> dict:
        return dict(random.sample(list(mapping.items()), len(mapping)))

    turned = replace(
        rows,
        runs=shuffled({run: shuffled(own) for run, own in rows.runs.items()}),
        says=shuffled(rows.says),
        questions=shuffled(rows.questions),
    )
    assert_same(all_values(rows, variants), all_values(turned, variants))


@pytest.mark.exhaustive
@by_task
@given(random=chance)
@few
def test_names_of_runs_and_questions_do_not_matter(task: str, random: Random) -> None:
    make, variants = TASKS[task]
    rows = make(random)
    ids = [row["question"] for row in rows.question_rows]
    new = dict(zip(ids, random.sample([f"n{n}" for n in range(20)], len(ids)), strict=True))
    names = dict(zip(rows.runs, random.sample("uvwxyz", len(rows.runs)), strict=True))
    renamed = replace(
        rows,
        runs={
            names[r]: {new[q]: own for q, own in given.items()} for r, given in rows.runs.items()
        },
        says={new[q]: said for q, said in rows.says.items()},
        questions={new[q]: about for q, about in rows.questions.items()},
        order=[new[q] for q in rows.order],
    )
    # Which of two equal scores is selected in a group is decided by the order of the items.
    variants = [each for each in variants if each[0] not in ("qa_accuracy", "estimated_qa")]
    before, after = all_values(rows, variants), all_values(renamed, variants)
    for measure, values in before.items():
        expected = {names[run]: value for run, value in values.items()}
        assert after[measure] == pytest.approx(expected, abs=1e-12), measure


@by_task
@given(random=chance)
@few
def test_other_runs_do_not_matter(task: str, random: Random) -> None:
    make, variants = TASKS[task]
    rows = make(random)
    run = random.choice(list(rows.runs))
    alone = replace(
        rows,
        runs={run: rows.runs[run]},
        questions={
            row["question"]: {k: v for k, v in row.items() if k != "question"}
            for row in rows.question_rows
        },
    )
    together = all_values(rows, variants)
    for measure, values in all_values(alone, variants).items():
        assert values[run] == pytest.approx(together[measure][run], abs=1e-12), measure


@pytest.mark.slow
@by_task
@given(random=chance)
@few
def test_withheld_answers_never_count(task: str, random: Random) -> None:
    make, variants = TASKS[task]
    rows = make(random)

    def silenced(item: Any) -> Any:
        if isinstance(item, list):
            return [silenced(each) for each in item]
        return (None, item.confidence) if isinstance(item, Withheld) else item

    silent = replace(
        rows,
        runs={r: {q: silenced(item) for q, item in own.items()} for r, own in rows.runs.items()},
    )
    about = ("withheld_wrong_rate", "accuracy_if_all_answered")
    variants = [each for each in variants if each[0] not in about]
    assert_same(all_values(rows, variants), all_values(silent, variants))


@by_task
@given(random=chance)
@few
def test_a_mean_is_the_mean_of_its_questions(task: str, random: Random) -> None:
    make, variants = TASKS[task]
    measures = [configured(*each) for each in variants if MEASURES[each[0]].mean]
    evidence = make(random).evidence(*measures)
    size = evidence.questions.height
    for each in measures:
        single = each.values(evidence, np.eye(size)).mean(axis=1)
        whole = each.values(evidence, np.ones((1, size)))[:, 0]
        np.testing.assert_allclose(single, whole, atol=1e-12, err_msg=each.measure)


@by_task
def test_what_is_not_declared_a_mean_is_none(task: str) -> None:
    make, variants = TASKS[task]
    differs = set()
    for seed in range(4):
        measures = [configured(*each) for each in variants]
        evidence = make(Random(seed), 8).evidence(*measures)
        for each in measures:
            single = each.values(evidence, np.eye(8)).mean(axis=1)
            whole = each.values(evidence, np.ones((1, 8)))[:, 0]
            if not np.allclose(single, whole, atol=1e-9, equal_nan=True):
                differs.add(each.measure)
    without_value = {"consistency", "conciseness"}  # there are no samples, and no words compared
    others = {name for name, _ in variants if not MEASURES[name].mean}
    assert differs == others - without_value


@by_task
@given(random=chance)
@few
def test_question_types_add_up_to_the_whole(task: str, random: Random) -> None:
    make, variants = TASKS[task]
    rows = make(random)
    about = {
        row["question"]: {k: v for k, v in row.items() if k != "question"}
        | {"type": random.choice(["x", "y", "z"])}
        for row in rows.question_rows
    }
    rows = replace(rows, questions=about)
    counted = count(rows.evidence())
    numbers = pl.exclude("slice", "run")
    whole = counted.filter(slice="all").drop("slice")
    parts = counted.filter(pl.col("slice") != "all").group_by("run").agg(numbers.sum()).sort("run")
    assert parts.rows() == whole.sort("run").rows()
    measures = [configured(*each, named(each)) for each in variants if MEASURES[each[0]].mean]
    scores = score(rows.evidence(*measures), measures)
    total = pl.col("value") * pl.col("questions")
    part = pl.col("slice") != "all"
    summed = scores.group_by("measure", "run").agg(
        whole=total.filter(~part).sum(),
        parts=total.filter(part).sum(),
        missing=pl.col("value").is_null().sum(),
        slices=pl.len(),
    )
    for measure, run, whole, parts, missing, slices in summed.iter_rows():
        if measure.startswith("pass_"):
            continue  # of too few samples in one of the types: not available in that one alone
        assert missing in (0, slices), (measure, run)
        assert parts == pytest.approx(whole, abs=1e-9), (measure, run)


@pytest.mark.slow
@given(random=chance)
@settings(few, max_examples=min(25, settings().max_examples))
def test_a_repeated_answer_never_raises_a_ranked_or_list_measure(random: Random) -> None:
    rows = answering(random)
    wanted = {"mrr", "nq_correct_1", "nq_correct_5", "average_precision", "q_measure", "credit"}
    wanted |= {"list_precision", "list_recall", "list_f", "nil_precision", "nil_recall"}
    variants = [each for each in ANSWERING if each[0] in wanted]
    right = [
        (row["run"], row["question"], row["answer"])
        for row in rows.response_rows
        if row["answered"] and row["answer"] is not None and _right(rows, row)
    ]
    if not right:
        return
    run, question, answer = random.choice(right)
    own = dict(rows.runs[run]) | {question: [*rows.runs[run][question], (answer, 0.5)]}
    longer = replace(rows, runs={**rows.runs, run: own})
    before, after = all_values(rows, variants), all_values(longer, variants)
    for measure, values in before.items():
        if values[run] is not None:
            told = (measure, values[run], after[measure][run], run, question, answer, rows)
            assert after[measure][run] <= values[run] + 1e-12, told


def _right(rows: Rows, row: dict[str, Any]) -> bool:
    if row["answer"] == "NIL":
        return bool(rows.questions[row["question"]]["nil"])
    return rows.says[row["question"]][row["answer"]].split()[0] in rows.correct


@given(random=chance)
@few
def test_k_is_k1_where_one_answer_is_given_and_one_is_known(random: Random) -> None:
    ids = [f"q{n}" for n in range(random.randint(1, 6))]
    numbers = [0, 0.2, 0.5, 0.9, 1, None]
    rows = Rows(
        runs={
            run: {q: [(random.choice(["x", "y", "NIL"]), random.choice(numbers))] for q in ids}
            for run in "ab"
        },
        says={q: {"x": "right", "y": "wrong"} for q in ids},
    )
    assert rows.values("k") == pytest.approx(rows.values("k1"), abs=1e-12)


@given(random=chance)
@few
def test_q_with_beta_0_is_average_precision(random: Random) -> None:
    rows = answering(random)
    counted = {
        q: {k: v for k, v in own.items() if k != "known"} for q, own in rows.questions.items()
    }
    rows = replace(rows, questions=counted)
    expected = pytest.approx(rows.values("average_precision"), abs=1e-12)
    assert rows.values("q_measure", beta=0) == expected
    assert rows.values("q_measure", beta=0, gains={"S": 7, "A": 0.5, "B": 1}) == expected


@given(random=chance)
@few
def test_risk_and_coverage_complete_cws_where_everything_is_answered(random: Random) -> None:
    ids = [f"q{n}" for n in range(random.randint(1, 7))]
    rows = Rows(
        runs={
            run: {q: [(random.choice("xy"), random.choice([0, 0.5, 0.5, 1, None]))] for q in ids}
            for run in "abc"
        },
        says={q: {"x": "right", "y": "wrong"} for q in ids},
    )
    ordered, risk = rows.values("cws"), rows.values("risk_coverage")
    for run, value in ordered.items():
        assert risk[run] == (None if value is None else pytest.approx(1 - value, abs=1e-12))


@given(random=chance)
@few
def test_ranked_measures_bound_each_other(random: Random) -> None:
    rows = answering(random)
    values = all_values(rows, [each for each in ANSWERING if not each[1]])
    for run in rows.runs:
        own = {name: found[run] for name, found in values.items()}
        assert own["nq_correct_1"] == own["accuracy"]
        assert own["nq_correct_1"] <= own["mrr"] + 1e-12
        assert own["mrr"] <= own["nq_correct_5"] + 1e-12
        assert own["accuracy"] <= own["c_at_1"] + 1e-12 <= own["unanswered_as_right"] + 2e-12
        if own["calibration_error"] is not None:
            assert own["calibration_error"] ** 2 <= own["brier"] + 1e-12  # by convexity


@given(random=chance)
@few
def test_validation_measures_bound_each_other(random: Random) -> None:
    rows = validation(random)
    values = all_values(rows, VALIDATION)
    for run in rows.runs:
        own = {name: found[run] for name, found in values.items()}
        assert own["recall"] == own["tp_rate"]
        if own["recall"] is not None:
            low, high = sorted((own["precision"], own["recall"]))
            assert low - 1e-12 <= own["f"] <= high + 1e-12
        assert own["f_05_u"] <= own["f-beta=0.5"] + 1e-12  # silence on wrong items costs too
        assert own["qa_accuracy"] <= own["estimated_qa"] + 1e-12


@given(random=chance)
@few
def test_auc_depends_on_the_order_of_scores_alone(random: Random) -> None:
    ids = [f"i{n}" for n in range(random.randint(2, 8))]
    scores = {q: random.choice([0, 0.2, 0.5, 0.5, 0.8, 1]) for q in ids}
    says = {q: random.choice(["yes", "no"]) for q in ids}

    def area(of: Any) -> float | None:
        runs = {"a": {q: ("yes", float(of(score))) for q, score in scores.items()}}
        return Rows(validation=True, runs=runs, says=says).value("auc")

    plain = area(lambda score: score)
    assert area(lambda score: math.exp(3 * score) - 7) == plain
    turned = area(lambda score: -score)
    assert turned == (None if plain is None else pytest.approx(1 - plain, abs=1e-12))


@cache
def ten(task: str, seed: int) -> Rows:
    """A collection of ten questions."""
    return TASKS[task][0](Random(seed), 10)


SUMMED = [
    (task, variant)
    for task, (_, variants) in TASKS.items()
    for variant in variants
    if not isinstance(MEASURES[variant[0]], OrderedMeasure)
]


@pytest.mark.parametrize(("task", "variant"), SUMMED, ids=[f"{t}-{named(v)}" for t, v in SUMMED])
def test_floats_arrays_and_expressions_agree(task: str, variant: tuple[str, dict]) -> None:
    name, options = variant
    measure = MEASURES[name]
    own = measure.for_formula(options)
    for seed in (1, 2, 3):
        each = configured(name, options)
        evidence = ten(task, seed).evidence(each)
        columns = {c: evidence.columns[col.key].astype(float) for c, col in each.columns().items()}
        draws = np.random.default_rng(seed).integers(0, 3, (20, 10)).astype(float)
        draws[:10, 1:] = 0  # one question alone, or none
        draws[:10, 0] = 1
        sums = {column: (values @ draws.T).reshape(-1) for column, values in columns.items()}
        known = ~np.isnan(sum(sums.values()))
        sums = {column: values[known] for column, values in sums.items()}
        arrays = measure(**sums, **own)
        table = pl.DataFrame(sums).select(measure(**{c: pl.col(c) for c in sums}, **own).alias("v"))
        for row, (array, cell) in enumerate(zip(arrays, table["v"], strict=True)):
            single = measure(**{c: float(values[row]) for c, values in sums.items()}, **own)
            if single is None:
                assert math.isnan(array)
                assert cell is None
            else:
                assert array == pytest.approx(single, abs=1e-12)
                assert cell == pytest.approx(single, abs=1e-12)


CODE = [name for name, own in MEASURES.items() if not set(own.formula) & set("Σ·'")]
"""Measures whose formula is told by their code; others tell it in words."""


@pytest.mark.parametrize("name", sorted({*CODE} - {"auc"}))
def test_the_formula_told_is_the_formula_computed(name: str) -> None:
    measure = MEASURES[name]
    rng = np.random.default_rng(6)
    for _ in range(20):
        sums = {column: float(rng.integers(1, 9)) for column in measure.columns}
        told = eval(measure.formula, {}, {**sums, **measure.defaults})
        assert measure(**sums) == pytest.approx(told, abs=1e-12)
