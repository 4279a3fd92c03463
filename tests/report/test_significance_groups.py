"""Groups of runs that do not differ significantly."""

import polars as pl
import pytest

from qampaign.report.significance_groups import significance_groups


@pytest.mark.parametrize(("p", "groups"), [(0.05, [1, 2]), (0.051, [1, 1])])
@pytest.mark.parametrize("pair", [("a", "b"), ("b", "a")])
def test_from_the_level_on_down_two_runs_differ(
    pair: tuple[str, str], p: float, groups: list[int]
) -> None:
    row = {"test": "randomisation", "run_a": pair[0], "run_b": pair[1], "p": 0.001, "p_holm": p}
    assert significance_groups(pl.DataFrame([row]), ["a", "b"], [1, 2]) == groups
