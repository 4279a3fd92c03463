"""The charts: specifications that Altair accepts, that Vega draws, and that no name can break."""

import json
from typing import Any

import pytest
import vl_convert

from qampaign.report import charts


def row(run: str, order: int, **more: Any) -> dict[str, Any]:
    """A run with 5 right, 3 wrong and 2 unanswered of 10: c@1 = (5 + 2·5/10)/10 = 0.6."""
    return {
        "run": run,
        "key": f"{order} {run}",
        "team": "Owls",
        "kind": "submitted",
        "order": order,
        "shown": True,
        "questions": 10,
        "right": 5,
        "wrong": 3,
        "unanswered": 2,
        "withheld_right": 1,
        "withheld_wrong": 0,
        "nothing_shown": 1,
        "share_unanswered": 0.2,
        "accuracy": 0.5,
        "c_at_1": 0.6,
    } | more


def draw(spec: dict[str, Any], rows: list[dict[str, Any]]) -> str:
    """The chart as SVG; on a page its width is that of its place."""
    return vl_convert.vegalite_to_svg(spec | {"datasets": {charts.ROWS: rows}, "width": 400})


def test_specifications_hold_no_data_and_name_their_rows() -> None:
    for spec in (charts.accuracy_against_c_at_1(), charts.counts_by_run(runs=3)):
        text = json.dumps(spec)
        assert '"name": "runs"' in text
        assert "datasets" not in spec
        assert '"url"' not in text


def test_every_run_is_a_point() -> None:
    svg = draw(charts.accuracy_against_c_at_1(), [row("a", 0), row("b", 1, accuracy=0.4)])
    assert svg.count('aria-roledescription="point"') == 2
    assert "c@1 = accuracy" in svg


def test_a_run_without_a_value_is_not_drawn_and_spoils_nothing() -> None:
    rows = [row("a", 0), row("b", 1, accuracy=None, c_at_1=None)]
    svg = draw(charts.accuracy_against_c_at_1(), rows)
    assert svg.count('aria-roledescription="point"') == 1
    assert "NaN" not in svg


def test_both_axes_span_the_same_values() -> None:
    """From the lowest accuracy, 0.2, to the highest c@1, 0.6; ticks say so on both axes."""
    rows = [row("a", 0), row("b", 1, accuracy=0.2, c_at_1=0.3)]
    svg = draw(charts.accuracy_against_c_at_1(), rows)
    for axis in ("X-axis titled 'accuracy'", "Y-axis titled 'c@1'"):
        assert f"{axis} for a linear scale with values from 0.2 to 0.6" in svg


def test_one_run_alone_has_axes() -> None:
    """All values equal would leave an axis without length, were it not for the margin."""
    svg = draw(charts.accuracy_against_c_at_1(), [row("a", 0, c_at_1=0.5)])
    assert "X-axis titled 'accuracy' for a linear scale with values from 0.47 to 0.53" in svg
    assert "NaN" not in svg


def test_the_kinds_have_a_legend_only_where_they_differ() -> None:
    rows = [row("a", 0), row("b", 1, kind="baseline")]
    assert ">baseline<" in draw(charts.accuracy_against_c_at_1(several_kinds=True), rows)
    assert ">baseline<" not in draw(charts.accuracy_against_c_at_1(several_kinds=False), rows)


def test_a_bar_has_a_part_for_each_fate_of_a_question() -> None:
    svg = draw(charts.counts_by_run(runs=1), [row("a", 0)])
    assert svg.count('aria-roledescription="bar"') == len(charts.PARTS) == 5
    for label, colour in charts.PARTS.values():
        assert f">{label}<" in svg
        assert colour in svg


def test_bars_stand_in_the_order_of_the_leaderboard() -> None:
    svg = draw(charts.counts_by_run(runs=3), [row("zoe", 0), row("amy", 2), row("bob", 1)])
    assert svg.index(">zoe<") < svg.index(">bob<") < svg.index(">amy<")


def test_a_filtered_run_has_no_bar() -> None:
    svg = draw(charts.counts_by_run(runs=2), [row("a", 0), row("absentee", 1, shown=False)])
    assert "absentee" not in svg


@pytest.mark.parametrize(
    "name", ["constructor", "__proto__", "a b  c", "</script>", "שלום 🦉", "'\"\\"]
)
def test_any_name_can_be_drawn(name: str) -> None:
    """`constructor` and `__proto__` are members of the objects in which Vega groups rows."""
    rows = [row(name, 0), row("other", 1)]
    bars = draw(charts.counts_by_run(runs=2), rows)
    assert bars.count('aria-roledescription="bar"') == 10
    assert "<script" not in bars
    points = draw(charts.accuracy_against_c_at_1(), rows)
    assert points.count('aria-roledescription="point"') == 2


@pytest.mark.parametrize("label", ['c"1', "c@1\\", 'x\\"]+[1', "two\nlines", "</script>", "c\0"])
def test_any_label_can_be_drawn(label: str) -> None:
    """Vega-Lite puts titles into expressions; a backslash must not get out of the string."""
    svg = draw(charts.accuracy_against_c_at_1(c_at_1_label=label), [row("a", 0)])
    assert svg.count('aria-roledescription="point"') == 1
