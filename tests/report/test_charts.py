"""The charts: specifications that Altair accepts, that Vega draws, and that no name can break."""

import json
import math
import re
from importlib.resources import files
from itertools import combinations, pairwise
from typing import Any

import pytest
import vl_convert
from hypothesis import given, settings
from hypothesis import strategies as st

from qampaign.report import theme
from qampaign.report.blocks import Chart, Reading
from qampaign.report.charts import abstention, judges, leaderboard, measures
from qampaign.report.sections.measures import between
from qampaign.report.text import short_names


def row(run: str, order: int, **more: Any) -> dict[str, Any]:
    """A run with 5 right, 3 wrong and 2 unanswered of 10: c@1 = (5 + 2·5/10)/10 = 0.6."""
    return {
        "run": run,
        "short": run,
        "named": True,
        "picked": False,
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


@pytest.mark.slow
def test_specifications_hold_no_data_and_name_their_rows() -> None:
    for spec in (abstention.accuracy_against_c_at_1(), leaderboard.counts_by_run()):
        text = json.dumps(spec)
        assert '"name": "runs"' in text
        assert "datasets" not in spec
        assert '"url"' not in text


@pytest.mark.slow
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
    assert "X-axis titled 'accuracy' for a linear scale with values from 0.40 to 0.60" in svg
    assert "NaN" not in svg


@pytest.mark.parametrize(("value", "ends"), [(0, "0.00 to 0.10"), (1, "0.90 to 1.00")])
def test_equal_runs_at_an_end_have_axes_that_can_be_read(value: int, ends: str) -> None:
    rows = [row("a", 0, value_accuracy=value, value_c_at_1=value)]
    svg = draw(abstention.accuracy_against_c_at_1(), rows)
    for axis in ("X-axis titled 'accuracy'", "Y-axis titled 'c@1'"):
        assert f"{axis} for a linear scale with values from {ends}" in svg


@pytest.mark.parametrize(
    ("value", "low", "high"),
    [(1, 0.9, 1), (0, 0, 0.1), (0.5, 0.45, 0.55), (0.98, 0.9, 1), (-1, -1, -0.9), (3, 2.95, 3.05)],
)
def test_an_axis_has_no_impossible_values(value: float, low: float, high: float) -> None:
    """All runs are equal: the axis is 0.1 long, and within 0 and 1 for a share."""
    rows = [row(name, at, value=value) for at, name in enumerate("ab")]
    svg = draw(leaderboard.scores_by_run(compared=False), rows)
    found = re.search(
        r"X-axis titled '\{measure\}' for a linear scale with values from (\S+) to (\S+)\"", svg
    )
    assert found
    ends = [float(end.replace("\N{MINUS SIGN}", "-")) for end in found.groups()]
    assert ends == pytest.approx([low, high], abs=0.011)
    assert value > 1 or (ends[0] >= (-1 if value < 0 else 0) and ends[1] <= 1)


@pytest.mark.slow
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


@pytest.mark.slow
@pytest.mark.parametrize("label", ['c"1', "c@1\\", 'x\\"]+[1', "two\nlines", "</script>", "c\0"])
def test_any_label_can_be_drawn(label: str) -> None:
    """Vega-Lite puts titles into expressions; a backslash must not get out of the string."""
    svg = draw(abstention.accuracy_against_c_at_1("accuracy", label), [row("a", 0)])
    assert svg.count('aria-roledescription="point"') == 1


def test_of_many_runs_only_the_first_have_a_hue() -> None:
    """Six have one each; of seven, five have one and two are grey."""
    assert len({theme.colour_of_hue(hue) for hue in theme.hues(6)}) == 6
    assert theme.hues(7) == [0, 1, 2, 3, 4, None, None]
    assert theme.colour_of_hue(None) == theme.REST


# Machado, Oliveira & Fernandes (2009), severity 1: linear RGB as people without one kind of cones
# see it.
VISIONS = {
    "full": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
# Ottosson (2020): linear RGB to cones, their cube roots to Oklab, whose distances are even.
CONES = (
    (0.4122214708, 0.5363325363, 0.0514459929),
    (0.2119034982, 0.6806995451, 0.1073969566),
    (0.0883024619, 0.2817188376, 0.6299787005),
)
OKLAB = (
    (0.2104542553, 0.7936177850, -0.0040720468),
    (1.9779984951, -2.4285922050, 0.4505937099),
    (0.0259040371, 0.7827717662, -0.8086757660),
)
APART = 0.12
"""Two hues differ by so much for everyone; the nearest of Okabe & Ito's eight by 0.08."""

CARD = "#1a1e23"
"""The background of charts on a dark page."""

Triple = tuple[float, ...]


def linear(colour: str) -> Triple:
    channels = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return tuple(c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)


def times(matrix: Any, vector: Triple) -> Triple:
    return tuple(sum(a * b for a, b in zip(line, vector, strict=True)) for line in matrix)


def distance(one: str, other: str, vision: str) -> float:
    """Between two colours in Oklab, as this vision sees them; black and white differ by 1."""

    def seen(colour: str) -> Triple:
        light = (min(1, max(0, c)) for c in times(VISIONS[vision], linear(colour)))
        return times(OKLAB, tuple(c ** (1 / 3) for c in times(CONES, tuple(light))))

    return math.dist(seen(one), seen(other))


def contrast(one: str, other: str) -> float:
    """WCAG 2: (lighter + 0.05) / (darker + 0.05), of relative luminances."""
    bright = sorted(
        sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear(colour), strict=True))
        for colour in (one, other)
    )
    return (bright[1] + 0.05) / (bright[0] + 0.05)


def test_the_formulas_of_colour() -> None:
    """Black on white has the contrast 1.05/0.05 = 21 and the distance 1; green looks yellowish."""
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert distance("#000000", "#ffffff", "full") == pytest.approx(1, abs=1e-3)
    assert distance("#cc0000", "#557700", "protanopia") < distance("#cc0000", "#557700", "full") / 2


@pytest.mark.parametrize("vision", VISIONS)
@pytest.mark.parametrize("hues", [theme.PALETTE, theme.ON_DARK])
def test_hues_differ_for_every_kind_of_colour_vision(hues: tuple[str, ...], vision: str) -> None:
    nearest = min(distance(*pair, vision) for pair in combinations(hues, 2))
    assert nearest >= APART
    rest = theme.REST if hues == theme.PALETTE else theme.DARK[theme.REST]
    assert min(distance(hue, rest, vision) for hue in hues) >= APART * 2 / 3


def test_no_run_looks_right_or_wrong() -> None:
    """Blue and orange are taken, in light and in dark."""
    for hues, seen in ((theme.PALETTE, str), (theme.ON_DARK, theme.DARK.__getitem__)):
        for hue in hues:
            for taken in (theme.RIGHT, theme.WRONG):
                assert distance(hue, seen(taken), "full") >= APART, (hue, taken)


def test_bars_lines_and_edges_stand_out_from_their_background() -> None:
    """At least 3:1, as WCAG 2 asks of graphics: what is paler has an edge that does."""
    marks = [*theme.PALETTE, theme.REST, theme.RIGHT, theme.WRONG, *theme.EDGES.values()]
    for colour in marks:
        assert contrast(colour, "#ffffff") >= 3, colour
        assert contrast(theme.DARK[colour], CARD) >= 3, colour
    outcomes = [colour for _, colour in leaderboard.OUTCOMES.values()]
    assert all(theme.EDGES.get(colour, colour) in marks for colour in outcomes)


def test_the_page_and_its_charts_have_the_same_colours() -> None:
    """The page draws bars of its own, and says what a card is."""
    light, dark = css_of("page.css").split("@media screen and (prefers-color-scheme: dark)", 1)
    shown = {"right": theme.RIGHT, "wrong": theme.WRONG, "unanswered": theme.REST}
    for name, colour in shown.items():
        assert f"--{name}: {colour};" in light
        assert f"--{name}: {theme.DARK[colour]};" in dark
    assert f"--card: {CARD};" in dark


def css_of(name: str) -> str:
    return files("qampaign.report").joinpath(name).read_text(encoding="utf-8")


@pytest.mark.parametrize("number", [1, 2, 12])
def test_names_beside_lines_never_overlap(number: int) -> None:
    """All end within a hair: the names are a line of text apart, and within the chart."""
    rows = [
        row(f"run{index}", index, size=size, mean=0.5 + index / 1000, sd=0.1, least=0, most=1)
        for index in range(number)
        for size in (10, 20)
    ]
    spec = measures.values_by_size()
    svg = vl_convert.vegalite_to_svg(spec | {"datasets": {"sizes": rows}, "width": 400})
    heights = sorted(
        float(y) for y in re.findall(r"translate\([\d.]+,([\d.]+)\)[^>]*>run\d+<", svg)
    )
    assert len(heights) == number
    assert all(b - a >= theme.TEXT - 0.01 for a, b in pairwise(heights))
    assert heights[0] >= 0
    assert heights[-1] <= spec["height"]


def test_bands_stay_within_the_measure() -> None:
    """0.95 ± 0.2 ends at 1: the axis does not go beyond."""
    for bounds, beyond in (({"least": 0, "most": 1}, False), ({}, True)):
        rows = [row("a", 0, size=size, mean=0.95, sd=0.2, **bounds) for size in (10, 20)]
        spec = measures.values_by_size()
        svg = vl_convert.vegalite_to_svg(spec | {"datasets": {"sizes": rows}, "width": 400})
        (end,) = re.findall(r"Y-axis titled '\{measure\}' [^\"]* to ([\d.]+)\"", svg)
        assert (float(end) > 1) is beyond


@pytest.mark.parametrize(
    ("names", "short"),
    [
        (["a", "b"], ["a", "b"]),
        # The end tells them apart: it stays.
        (
            ["example-university-lab-run-01", "example-university-lab-run-02"],
            ["example-…-lab-run-01", "example-…-lab-run-02"],
        ),
    ],
)
def test_long_names_lose_the_middle(names: list[str], short: list[str]) -> None:
    assert short_names(names) == short


@given(st.lists(st.text(alphabet="ab東\u0301", max_size=60), unique=True, max_size=12))
@settings(max_examples=min(60, settings().max_examples))
def test_short_names_differ_and_fit(names: list[str]) -> None:
    short = short_names(names)
    assert len(set(short)) == len(names)
    for name, cut in zip(names, short, strict=True):
        assert sum(2 if sign == "東" else 1 for sign in cut) <= 20 or cut == name


def test_measures_beyond_the_palette_differ_by_dash() -> None:
    apart = theme.line_styles("name", theme.keys([f"m{number}" for number in range(12)]))
    colours, dashes = (apart[name].to_dict()["scale"]["range"] for name in ("color", "strokeDash"))
    assert len({(colour, str(dash)) for colour, dash in zip(colours, dashes, strict=True)}) == 12


@pytest.mark.slow
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


@pytest.mark.slow
def test_lines_of_equal_c_at_1_end_where_nothing_is_wrong() -> None:
    """At the end of a line right and unanswered are all there is: right = 1 - share."""
    spec = abstention.silence()
    (name,) = (
        each["data"]["name"] for each in spec["layer"] if each.get("mark", {}).get("type") == "text"
    )
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


def labels_of_ticks(svg: str) -> list[list[str]]:
    """The labels of each axis."""
    axes = svg.split('class="mark-group role-axis"')[1:]
    found = []
    for axis in axes:
        _, mark, rest = axis.partition("role-axis-label")
        if mark:
            found.append(re.findall(r">([^<>]+)</text>", rest.partition("</g>")[0]))
    return found


@pytest.mark.parametrize("tau", [1.0, 0.9999, 0.2])
def test_ticks_differ_where_all_values_are_equal(tau: float) -> None:
    rows = [
        {"name": "0 F", "size": size, "tau": tau, "low": None, "high": None} for size in (10, 11)
    ]
    spec = measures.tau_by_size(("0 F",), "0 F", (0.9,))
    svg = vl_convert.vegalite_to_svg(spec | {"datasets": {"size_tau": rows}, "width": 300})
    axes = labels_of_ticks(svg)
    assert len(axes) >= 2
    for labels in axes:
        assert len(labels) == len(set(labels)) > 1


def test_curves_are_read_between_their_points() -> None:
    """Half way between (0, 10%) and (20%, 5%): 7.5% errors at 10% ties; beyond the ends, nothing."""
    curve = [(0.2, 0.05), (0.0, 0.1)]
    assert between(curve, 0.1) == pytest.approx(0.075)
    assert between(curve, 0.3) is None
    assert between([(0.1, 0.2)], 0.1) is None


def test_a_finding_is_the_first_sentence() -> None:
    chart = Chart("x", "About x", {}, Reading("How.", "It is 0.5 for run.1. It rises."))
    assert chart.finding == "It is 0.5 for run.1"
    assert chart.caption == "How. It rises."
    assert Chart("x", "About x", {}, Reading("How.")).finding == "About x"
