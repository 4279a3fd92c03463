"""The page has what its script draws: the bounds of values where answers are not assessed."""

from typing import Any

import pytest

from qampaign.report.collection import _embedded_scores


@pytest.mark.parametrize("bounds", [([0.5, 0.25], [1.0, 0.5]), (None, None)])
def test_bounds_are_embedded_where_there_are_any(bounds: tuple[Any, Any]) -> None:
    scores: Any = {
        "value": [0.5, 0.25], "first": [1, 2], "rank": [1, 2], "low": None, "high": None,
        "leading": None, "best": None, "if_wrong": bounds[0], "if_right": bounds[1],
        "text": {"range": None, "own": None},
    }  # fmt: skip
    found = _embedded_scores(scores)
    assert (found.get("if_wrong"), found.get("if_right")) == bounds
    assert ("if_wrong" in found) is (bounds[0] is not None)
