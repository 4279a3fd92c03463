"""The charts: specifications that Altair accepts, that Vega draws, and that no name can break."""

import json
import re
from typing import Any

import pytest
import vl_convert

from qampaign.report import theme
from qampaign.report.charts import abstention, judges, leaderboard


def row(run: str, order: int, **more: Any) -> dict[str, Any]:
    """A run with 5 right, 3 wrong and 2 unanswered of 10: c@1 = (5 + 2·5/10)/10 = 0.6."""
    return {
        "run": run,
        "key": f"{order} {run}",
        "index": order,
        "colour": "#0072b2",
        "lit": True,
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
        "no_candidate": 1,
        "value_accuracy": 0.5,
        "value_c_at_1": 0.6,
    } | more


def draw(spec: dict[str, Any], rows: list[dict[str, Any]]) -> str:
    """The chart as SVG; on a page its width is that of its place."""
    datasets = spec.get("datasets", {}) | {"runs": rows}
    sized = {"datasets": datasets, "width": 400, "config": theme.config()}
    return vl_convert.vegalite_to_svg(spec | sized)


def test_specifications_hold_no_data_and_name_their_rows() -> None:
    for spec in (abstention.accuracy_against_c_at_1(), leaderboard.counts_by_run()):
        text = json.dumps(spec)
        assert '"name": "runs"' in text
        assert "datasets" not in spec
        assert '"url"' not in text


def test_every_run_is_a_point() -> None:
    svg = draw(abstention.accuracy_against_c_at_1(), [row("a", 0), row("b", 1, value_accuracy=0.4)])
    assert svg.count('aria-roledescription="point"') == 2
    assert "c@1 = accuracy" in svg


def test_a_run_without_a_value_is_not_drawn_and_spoils_nothing() -> None:
    rows = [row("a", 0), row("b", 1, value_accuracy=None, value_c_at_1=None)]
    svg = draw(abstention.accuracy_against_c_at_1(), rows)
    assert svg.count('aria-roledescription="point"') == 1
    assert "NaN" not in svg


def test_both_axes_span_the_same_values() -> None:
    """From the lowest accuracy, 0.2, to the highest c@1, 0.6; ticks say so on both axes."""
    rows = [row("a", 0), row("b", 1, value_accuracy=0.2, value_c_at_1=0.3)]
    svg = draw(abstention.accuracy_against_c_at_1(), rows)
    for axis in ("X-axis titled 'accuracy'", "Y-axis titled 'c@1'"):
        assert f"{axis} for a linear scale with values from 0.2 to 0.6" in svg


def test_one_run_alone_has_axes() -> None:
    """All values equal would leave an axis without length, were it not for the margin."""
    svg = draw(abstention.accuracy_against_c_at_1(), [row("a", 0, value_c_at_1=0.5)])
    assert "X-axis titled 'accuracy' for a linear scale with values from 0.47 to 0.53" in svg
    assert "NaN" not in svg


def test_the_kinds_have_a_legend_only_where_they_differ() -> None:
    rows = [row("a", 0), row("b", 1, kind="baseline")]
    assert ">baseline<" in draw(
        abstention.accuracy_against_c_at_1(kinds=("submitted", "baseline")), rows
    )
    assert ">baseline<" not in draw(abstention.accuracy_against_c_at_1(), rows)


def test_a_bar_has_a_part_for_each_fate_of_a_question() -> None:
    svg = draw(leaderboard.counts_by_run(), [row("a", 0)])
    assert svg.count('aria-roledescription="bar"') == len(leaderboard.OUTCOMES) == 5
    for label, colour in leaderboard.OUTCOMES.values():
        assert f">{label}<" in svg
        assert colour in svg


def test_bars_stand_in_the_order_of_the_leaderboard() -> None:
    svg = draw(leaderboard.counts_by_run(), [row("zoe", 0), row("amy", 2), row("bob", 1)])
    assert svg.index(">zoe<") < svg.index(">bob<") < svg.index(">amy<")


def test_a_filtered_run_has_no_bar() -> None:
    svg = draw(leaderboard.counts_by_run(), [row("a", 0), row("absentee", 1, shown=False)])
    assert "absentee" not in svg


@pytest.mark.parametrize(
    "name", ["constructor", "__proto__", "a b  c", "</script>", "שלום 🦉", "'\"\\"]
)
def test_any_name_can_be_drawn(name: str) -> None:
    """`constructor` and `__proto__` are members of the objects in which Vega groups rows."""
    rows = [row(name, 0), row("other", 1)]
    bars = draw(leaderboard.counts_by_run(), rows)
    assert bars.count('aria-roledescription="bar"') == 10
    assert "<script" not in bars
    points = draw(abstention.accuracy_against_c_at_1(), rows)
    assert points.count('aria-roledescription="point"') == 2


@pytest.mark.parametrize("label", ['c"1', "c@1\\", 'x\\"]+[1', "two\nlines", "</script>", "c\0"])
def test_any_label_can_be_drawn(label: str) -> None:
    """Vega-Lite puts titles into expressions; a backslash must not get out of the string."""
    svg = draw(abstention.accuracy_against_c_at_1("accuracy", label), [row("a", 0)])
    assert svg.count('aria-roledescription="point"') == 1


def test_few_runs_differ_by_hue_and_many_by_place() -> None:
    """The middle of the ramp is its middle colour: the fifth of nine runs."""
    assert len(set(theme.run_colours(8))) == 8
    assert theme.run_colours(9)[4] == theme.RAMP[1]
    assert len(set(theme.run_colours(100))) == 100


def test_measures_beyond_the_palette_differ_by_dash() -> None:
    apart = theme.line_styles("name", theme.keys([f"m{number}" for number in range(12)]))
    colours, dashes = (apart[name].to_dict()["scale"]["range"] for name in ("color", "strokeDash"))
    assert len({(colour, str(dash)) for colour, dash in zip(colours, dashes, strict=True)}) == 12


def test_runs_that_share_a_rank_have_their_names_below_each_other() -> None:
    """Both have rank 1.5: their names stand at 1 and at 2, where two runs of ranks 1 and 2 would."""

    def heights(ranks: list[float]) -> list[str]:
        rows = [row(name, place, judge="0 people", rank=rank)
                for place, (name, rank) in enumerate(zip("ab", ranks, strict=True))]  # fmt: skip
        rows += [row("c", 2, judge="0 people", rank=3)]
        spec = judges.ranks_by_judge() | {"datasets": {"judges": rows}, "width": 300, "height": 90}
        return re.findall(r"translate\(([\d.,]+)\)[^>]*>[abc]<", vl_convert.vegalite_to_svg(spec))

    assert len(heights([1, 2])) == 3
    assert heights([1.5, 1.5]) == heights([1, 2])


@pytest.mark.parametrize(("columns", "told"), [(1, True), (9, False)])
def test_a_heatmap_with_room_tells_the_intervals(columns: int, told: bool) -> None:
    across = tuple(f"{place} j" for place in range(columns))
    rows = [{"m": "0 c@1", "j": key, "tau": 0.9, "low": 0.81, "high": 0.95} for key in across]
    spec = judges.tau_heatmap("taus", ("0 c@1",), across, "m", "j")
    svg = vl_convert.vegalite_to_svg(spec | {"datasets": {"taus": rows}, "width": 300})
    assert svg.count(">0.90<") == columns
    assert ("0.81 to 0.95" in svg) == told


def test_lines_of_equal_c_at_1_end_where_nothing_is_wrong() -> None:
    """At the end of a line right and unanswered are all there is: right = 1 - share."""
    spec = abstention.silence()
    (name,) = (each["data"]["name"] for each in spec["layer"] if each["mark"]["type"] == "text")
    values = spec["datasets"][name]
    assert len(values) == 9
    for end in values:
        assert end["right"] + end["share"] == pytest.approx(1)
        assert end["right"] * (1 + end["share"]) == pytest.approx(float(end["level"][-3:]))


def test_names_beside_ranks_have_room_on_paper() -> None:
    """Four judges in a narrow figure: the names end to the right of the room that is kept for them."""
    rows = [row("a", 0, judge=f"{place} j", rank=1) for place in range(4)]
    spec = judges.ranks_by_judge() | {"datasets": {"judges": rows}, "width": 240, "height": 90}
    (x,) = re.findall(r"translate\(([\d.]+),[\d.]+\)[^>]*>a<", vl_convert.vegalite_to_svg(spec))
    assert float(x) >= judges.NAMES
