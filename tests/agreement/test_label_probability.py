"""With which probability labelled answers were chosen: by string or position, in samples, once."""

import polars as pl

from qampaign.agreement.label_probability import with_probability

RESPONSES = pl.DataFrame(
    [
        # in two of three samples the same answer, which was drawn once
        ("a", "q1", "1", 1, "Rome"),
        ("a", "q1", "2", 1, "Oslo"),
        ("a", "q1", "3", 1, "Rome"),
        ("b", "q1", None, 1, "Rome"),
        ("b", "q2", None, 1, "Bonn"),
    ],
    schema=["run", "question", "sample", "rank", "answer"],
    orient="row",
).with_columns(confidence=pl.lit(None, pl.Float64), score=pl.lit(None), answered=True)


def probabilities(labels: list[tuple], *, sampled: bool = True) -> list[float | None]:
    names = ["question", "run", "sample", "rank", "answer", "assessor", "probability"]
    kinds = [pl.String, pl.String, pl.String, pl.Int64, pl.String, pl.String, pl.Float64]
    schema = dict(zip(names, kinds, strict=True))
    assessments = pl.DataFrame(labels, schema=schema, orient="row")
    responses = RESPONSES if sampled else RESPONSES.filter(pl.col("run") == "b")
    judgments = responses.select("run", "question", *(["sample"] if sampled else []), "rank")
    tables = {"assessments": assessments, "responses": responses}
    found = with_probability(
        judgments,
        lambda table, columns: tables[table].select(columns),
        "assessments",
        assessor=None,
        derived={},
        by_line=False,
    )
    assert found.height == judgments.height
    return found["probability"].to_list()


BY_ANSWER = [
    ("q1", None, None, None, "Rome", None, 0.5),
    ("q1", None, None, None, "Oslo", None, 0.25),
]


def test_an_answer_in_several_samples_was_chosen_once() -> None:
    assert probabilities(BY_ANSWER) == [0.5, 0.25, None, 0.5, None]


def test_without_samples_every_answer_has_its_own() -> None:
    assert probabilities(BY_ANSWER, sampled=False) == [0.5, None]


def test_a_label_of_a_sample_is_for_that_sample() -> None:
    of_sample = ("q1", "a", "2", 1, None, None, 0.8)
    of_run = ("q2", "b", None, 1, None, None, 0.4)
    assert probabilities([of_sample, of_run]) == [None, 0.8, None, None, 0.4]
