"""What is still to be judged: which answers, in which order, and how much of a run is assessed."""

from pathlib import Path

import polars as pl
import pytest

from qampaign.agreement import pool
from qampaign.agreement.label_sample import LabelSample
from tests.judging.tables import Row, table


def found(
    responses: list[Row], assessments: list[Row], **options: str
) -> tuple[list[tuple[str, str]], list[tuple[str, int, int, float]]]:
    names = sorted({row.get("question", "q1") for row in [*responses, *assessments]})
    unassessed, shares = pool.find_unassessed(
        table("responses", responses),
        table("assessments", assessments),
        table("questions", [{"question": name} for name in names]),
        **{"nil": "NIL"} | options,
    )
    return unassessed.rows(), shares.rows()


def test_an_answer_is_assessed_by_its_text_or_its_rank_whoever_judged_it() -> None:
    responses = [
        {"run": "a", "answer": "x"},
        {"run": "a", "rank": 2, "answer": "y"},
        {"run": "b", "answer": "x"},
        {"run": "b", "rank": 2, "answer": "z"},
        {"run": "b", "rank": 3, "answer": "NIL"},
        {"run": "b", "rank": 4, "answer": None},
    ]
    assessments = [
        {"answer": "x", "assessor": "ana", "verdict": "right"},
        {"run": "b", "rank": 2, "verdict": "wrong"},
    ]
    unassessed, shares = found(responses, assessments)
    assert unassessed == [("q1", "y")]
    assert shares == [("a", 2, 1, 0.5), ("b", 3, 3, 1.0)]


def test_an_answer_is_assessed_for_its_own_question_only() -> None:
    responses = [{"answer": "x"}, {"question": "q2", "answer": "x"}]
    unassessed, _ = found(responses, [{"answer": "x", "verdict": "right"}])
    assert unassessed == [("q2", "x")]


def test_items_to_validate_are_open_as_long_as_nobody_assessed_them() -> None:
    unassessed, shares = pool.find_unassessed_items(
        table("responses", [{"answer": "yes"}, {"question": "q2", "answer": "no"}]),
        table("assessments", [{"verdict": "right"}]),
        table("questions", [{"question": "q1"}, {"question": "q2"}]),
    )
    assert unassessed.rows() == [("q2",)]
    assert shares.rows() == [("a", 2, 1, 0.5)]


def test_the_message_names_the_run_that_is_assessed_least() -> None:
    shares = pl.DataFrame(
        {"run": ["a", "b", "c"], "answers": [1000, 500, 4], "covered": [1000, 100, 1]}
    ).with_columns(share=pl.col("covered") / pl.col("answers"))
    unassessed, path = pl.DataFrame({"question": ["q1"] * 1500}), Path("pool/c.csv")
    assert pool.Pool(unassessed, shares).message(path, written=True) == (
        "1,500 to be judged in pool/c.csv; 1,101 of 1,504 answers are assessed, least in run b: 20%"
    )
    assert pool.Pool(unassessed.clear(), shares.head(1)).message(path, written=True) == (
        "0 to be judged in pool/c.csv; 1,000 of 1,000 answers are assessed"
    )
    assert pool.Pool(unassessed, shares.head(1)).message(path, written=False) == (
        "1,500 to be judged, but pool/c.csv has been filled in and is left alone: add it to the "
        "assessments and run again; 1,000 of 1,000 answers are assessed"
    )


def test_where_no_run_is_assessed_less_none_is_named() -> None:
    shares = pl.DataFrame({"run": ["a", "b"], "answers": 50, "covered": 29, "share": 0.58})
    unassessed, path = pl.DataFrame({"question": ["q1"] * 42}), Path("pool/c.csv")
    assert pool.Pool(unassessed, shares).message(path, written=True) == (
        "42 to be judged in pool/c.csv; 58 of 100 answers are assessed"
    )


@pytest.mark.parametrize(
    ("left", "questions", "told"),
    [
        (75, None, "assessed; all 75 that are not: with them"),
        (75, 20, "assessed; all 75 that are not: with them"),
        (90, None, "assessed; a random sample of 90 that are not: with them"),
        (90, 20, "assessed; all that are not on a random sample of 20 questions: with them"),
    ],
)
def test_all_that_are_left_are_no_sample(left: int, questions: int | None, told: str) -> None:
    shares = pl.DataFrame({"run": ["a"], "answers": 100, "covered": 25, "share": 0.25})
    chosen = pl.DataFrame({"question": ["q1"] * 75})
    drawn = LabelSample(chosen, width=0.1, known=25, questions=questions)
    asked = pool.Pool(chosen, shares, "gpt", left, drawn, 0.1)
    assert told in asked.message(Path("pool/c.csv"), written=True)


QUESTIONS = pl.DataFrame({"question": ["q1", "q2"], "text": ["Who?", "Where?"]})
STRINGS = [
    "Abraham Lincoln",
    "ABRAHAM LINCOLN!",
    "abraham  lincoln",
    "New York City",
    "new york, city",
    "42",
]


def sheet(seed: int) -> pl.DataFrame:
    unassessed = pl.DataFrame({"question": ["q1"] * 6 + ["q2"], "answer": [*STRINGS, "x"]})
    return pool.make_sheet(unassessed, QUESTIONS, [seed, "c", "pool"])


def test_the_sheet_has_every_answer_once_with_columns_to_be_filled_in() -> None:
    found = sheet(1)
    assert found.columns == ["question", "text", "answer", "label", "level", "class"]
    assert sorted(found["answer"]) == sorted([*STRINGS, "x"])
    assert found["question"].to_list() == ["q1"] * 6 + ["q2"]
    assert found["text"].to_list() == ["Who?"] * 6 + ["Where?"]
    assert found.select("label", "level", "class").null_count().row(0) == (7, 7, 7)


def test_answers_that_look_alike_stand_together_whatever_the_seed() -> None:
    for seed in range(20):
        answers = sheet(seed)["answer"].to_list()
        for alike in (STRINGS[:3], STRINGS[3:5]):
            places = sorted(answers.index(each) for each in alike)
            assert places == list(range(places[0], places[0] + len(places)))


def test_the_seed_draws_the_order() -> None:
    assert sheet(1).equals(sheet(1))
    assert len({tuple(sheet(seed)["answer"]) for seed in range(20)}) > 5


def test_with_samples_whole_questions_are_drawn_and_verdicts_go_with_their_sample() -> None:
    """The judge accepts each run's first sample and rejects the second; half are assessed so."""
    number = 60
    rows = [
        {
            "run": run,
            "question": f"q{n:02}",
            "sample": str(s),
            "rank": 1,
            "answer": f"{run} {n} {s}",
        }
        for run in ("a", "b")
        for n in range(number)
        for s in (1, 2)
    ]
    labels = [
        {"question": row["question"], "answer": row["answer"]}
        | {"verdict": "right" if row["sample"] == "1" else "wrong"}
        for row in rows
        if int(row["question"][1:]) < number // 2
    ]
    tables = {
        "questions": table(
            "questions", [{"question": f"q{n:02}"} for n in range(number)]
        ).with_columns(text=pl.lit(None, pl.String), weight=pl.lit(None, pl.Float64)),
        "responses": table("responses", rows),
        "assessments": table("assessments", labels),
    }
    judgments = pl.DataFrame(rows).with_columns(
        pl.lit(False).alias("nil"),
        pl.lit(True).alias("answered"),
        verdict=pl.when(pl.col("sample") == "1").then(pl.lit("right")).otherwise(pl.lit("wrong")),
    )
    sample = {"judge": "gpt", "width": 0.2, "unit": "group", "last_rank": 1}
    sample |= {"correct": ["right"], "labels_correct": ["right"]}
    found = pool.find_pool(
        lambda name, columns: tables[name].select(columns),
        "c", seed=1, task="answering", nil="NIL", sample=sample, judgments=judgments,
    )  # fmt: skip
    assert found.drawn is not None
    # 50 questions at least: 30 are labelled, and 20 of 30 are drawn with all four answers
    assert (found.drawn.questions, found.sheet.height) == (20, 80)
    assert "probability" not in found.sheet.columns
    # every question is half right for certain: what is left is the doubt of the pseudo-labels
    assert found.drawn.width < 0.2
    said = found.message(Path("pool/c.csv"), written=True)
    assert "all that are not on a random sample of 20 questions: with them the corrected" in said
