"""The item-rest correlation of questions: by hand, and as numpy has it."""

import numpy as np

from qampaign.measures.items import item_rest


def test_it_is_the_correlation_with_the_other_questions() -> None:
    rng = np.random.default_rng(2)
    right = rng.integers(0, 2, (12, 40)).astype(np.uint8)
    found = item_rest(right)
    for question in range(40):
        rest = np.delete(right, question, axis=1).sum(axis=1)
        expected = np.corrcoef(right[:, question], rest)[0, 1]
        assert abs(found[question] - expected) < 1e-9


def test_what_is_constant_or_of_two_runs_has_none() -> None:
    assert np.isnan(item_rest(np.array([[1, 0], [0, 1]]))).all()
    assert np.isnan(item_rest(np.ones((5, 4)))).all()
    # all runs get the first question wrong; the second is then compared with nothing that differs
    assert np.isnan(item_rest(np.array([[0, 1], [0, 0], [0, 1]]))).all()


def test_a_question_that_only_bad_runs_get_right_is_negative() -> None:
    good, bad = [1] * 9 + [0], [0] * 9 + [1]
    found = item_rest(np.array([good, good, good, bad, bad]))
    assert found[-1] == -1
    assert (found[:-1] > 0).all()
