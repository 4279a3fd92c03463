"""What is drawn: groups of questions, or questions; and draws that follow from names."""

import numpy as np
import polars as pl
import pytest

from qampaign.studies.resampling import SCALE, draw_exponential, hash_names, key, toss_coins
from qampaign.studies.units import Units

QUESTIONS = pl.DataFrame(
    {"question": ["q1", "q2", "q3", "q4", "q5"], "group": ["b", None, "a", "b", None]}
)


def test_questions_of_a_group_are_one_unit() -> None:
    units = Units.of(QUESTIONS, "group")
    assert units.names.to_list() == ["group b", "question q2", "group a", "question q5"]
    assert units.of_question.tolist() == [0, 1, 2, 0, 3]
    assert units.grouped
    assert not Units.of(QUESTIONS, "question").grouped
    assert len(Units.of(QUESTIONS.drop("group"), "group")) == 5


def test_a_group_and_a_question_of_one_name_are_two() -> None:
    frame = pl.DataFrame({"question": ["x", "y"], "group": [None, "x"]})
    assert len(Units.of(frame, "group")) == 2


def test_sums_and_weights_by_unit() -> None:
    units = Units.of(QUESTIONS, "group")
    column = np.array([[1, 2, 4, 8, 16], [0.5, 0, 0, 0.25, 0]])
    assert units.add_up(column).tolist() == [[9, 2, 4, 16], [0.75, 0, 0, 0]]
    assert units.spread(np.array([[1, 2, 3, 4]])).tolist() == [[1, 2, 3, 1, 4]]
    some = units.only(np.array([False, True, False, True, True]))
    assert some.names.to_list() == ["question q2", "group b", "question q5"]
    assert some.of_question.tolist() == [0, 1, 2]
    assert some.add_up(np.array([[1, 2, 4]])).tolist() == [[1, 2, 4]]
    several = units.only(np.array([False, True, True, True, True]))
    assert several.names.to_list() == ["question q2", "group a", "group b", "question q5"]
    still = Units.of(QUESTIONS[[2, 0, 3]], "group").only(np.array([True, True, True]))
    assert still.add_up(np.array([[1, 2, 4]])).tolist() == [[1, 6]]


def test_single_questions_keep_their_column() -> None:
    units = Units.of(QUESTIONS, "question")
    column = np.array([[3, 1, 4, 1, 5]], dtype=np.uint8)
    assert units.add_up(column) is column
    assert units.only(np.array([True, False, True, False, True])).add_up(
        column[:, :3]
    ).tolist() == [[3, 1, 4]]


@pytest.mark.parametrize("draw", [draw_exponential, toss_coins])
def test_a_units_draws_follow_from_its_name_alone(draw) -> None:  # type: ignore[no-untyped-def]
    few, many = hash_names(["b", "d"]), hash_names(["a", "b", "c", "d"])
    about = key("seed", "test")
    all_at_once = draw(many, 600, about)
    np.testing.assert_array_equal(draw(few, 600, about), all_at_once[:, [1, 3]])
    np.testing.assert_array_equal(draw(many, 88, about, first=512), all_at_once[512:])
    np.testing.assert_array_equal(draw(many, 600, about, threads=3), all_at_once)
    assert (draw(many, 600, key("other")) != all_at_once).any()


def test_weights_are_exponential_and_coins_fair() -> None:
    names = hash_names([f"u{n}" for n in range(200)])
    weights = draw_exponential(names, 1000, key("w")) / SCALE
    shares = np.linspace(0.02, 0.98, 25)
    apart = np.quantile(weights, shares) + np.log(1 - shares)
    assert (np.abs(apart) < 5 * np.sqrt(shares / (1 - shares) / 200_000)).all()
    between = np.corrcoef(weights.T)[np.triu_indices(200, 1)]
    assert between.std() == pytest.approx(1000**-0.5, rel=0.05)
    coins = toss_coins(names, 1000, key("c"))
    assert set(np.unique(coins)) == {0, 1}
    assert coins.mean() == pytest.approx(0.5, abs=4 * 0.5 / 200_000**0.5)
    assert np.corrcoef(coins.T)[np.triu_indices(200, 1)].std() == pytest.approx(
        1000**-0.5, rel=0.05
    )
