"""Studies of measures: errors and ties, swaps, sizes, questions needed."""

from functools import cache

import altair as alt

from qampaign.report import theme
from qampaign.report.charts.leaderboard import MEASURE
from qampaign.report.spec import Spec

STRICT = 0.99
"""Beside the confidences of the config, swap rates are held against this one."""


@cache
def error_rate_by_ties(names: tuple[str, ...], data: str = "stability") -> Spec:
    """A line per measure as the fuzziness grows: more ties, fewer errors."""
    rows = theme.rows(data).transform_filter("isValid(datum.error_rate)")
    shared: Spec = {
        "x": alt.X(
            "ties:Q",
            title="tied pairs",
            axis=alt.Axis(format=".2~%", tickCount=8, titleAnchor="start"),
            scale=alt.Scale(**theme.room_for(names)),
        ),
        # The square root makes room for measures with few errors beside those with many.
        "y": alt.Y(
            "error_rate:Q",
            title="error rate",
            scale=alt.Scale(type="sqrt"),
            axis=alt.Axis(format=".1~%", values=[0, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5]),
        ),
    }
    apart = theme.line_styles("name", names)
    lines = rows.mark_line(strokeWidth=2).encode(**shared, **apart, order=alt.Order("fuzziness:Q"))
    dots = (
        theme.plain_keys(rows, "name")
        .mark_point(filled=True, size=35)
        .encode(
            **shared,
            color=apart["color"],
            tooltip=[
                theme.name_of("name", "measure"),
                theme.value("fuzziness", "fuzziness", ".0%"),
                theme.value("ties", "ties", ".1%"),
                theme.value("error_rate", "error rate", ".2%"),
                theme.value("error_rate_se", "its standard error", ".3%"),
            ],
        )
    )
    return theme.finish(
        alt.layer(lines, dots, *theme.names_of_lines(rows, "ties", "error_rate", names, apart)),
        description="A line per measure: pairs of runs that are tied across, errors upwards, as "
        "more and more of a difference counts as a tie.",
    )


@cache
def swap_rates(names: tuple[str, ...], confidences: tuple[float, ...], data: str = "swap") -> Spec:
    """A line per measure: the larger a difference, the less often it is reversed."""
    bars = (
        alt.Chart(
            alt.InlineData(
                values=[{"rate": round(1 - confidence, 6)} for confidence in (*confidences, STRICT)]
            )
        )
        .mark_rule(color=theme.MUTED, strokeDash=[4, 4], tooltip=False, aria=False)
        .encode(y=alt.Y("rate:Q"), **theme.beside(names))
    )
    rows = theme.rows(data)
    shared: Spec = {
        "x": alt.X(
            "difference:Q",
            title="difference (last point: or more)",
            axis=alt.Axis(titleAnchor="start", tickCount=6),
            scale=alt.Scale(**theme.room_for(names)),
        ),
        "y": alt.Y("swap_rate:Q", title="swap rate", axis=alt.Axis(format=".2~%")),
    }
    apart = theme.line_styles("name", names)
    lines = rows.mark_line(strokeWidth=2).encode(**shared, **apart)
    dots = (
        theme.plain_keys(rows, "name")
        .mark_point(filled=True, size=28)
        .encode(
            **shared,
            color=apart["color"],
            tooltip=[
                theme.name_of("name", "measure"),
                theme.value("difference", "from", ".2f"),
                theme.value("swap_rate", "swap rate", ".1%"),
                alt.Tooltip("comparisons:Q", title="comparisons", format=",d"),
            ],
        )
    )
    return theme.finish(
        alt.layer(
            bars, lines, dots, *theme.names_of_lines(rows, "difference", "swap_rate", names, apart)
        ),
        description="A line per measure: the difference between two runs across, and upwards how "
        "often it is reversed on other questions. A dashed line is the rate that is tolerated.",
    )


@cache
def tau_by_size(
    names: tuple[str, ...], banded: str, bounds: tuple[float, ...], noun: str = "question"
) -> Spec:
    """A line per measure: tau against the ranking over all questions.

    Only `banded` has a band: several would overlap.
    """
    rows = theme.rows("size_tau")
    x = alt.X(
        "size:Q",
        title=f"{noun}s",
        axis=alt.Axis(titleAnchor="start", tickMinStep=1),
        scale=alt.Scale(zero=False, nice=False, **theme.room_for(names)),
    )
    y = alt.Y("tau:Q", title="tau with the full ranking", scale=alt.Scale(zero=False, domainMax=1))
    room = theme.room(rows, "size", "tau")
    apart = theme.line_styles("name", names)
    band = (
        rows.transform_filter(alt.FieldEqualPredicate(field="name", equal=banded))
        .transform_filter("isValid(datum.low) && isValid(datum.high)")
        .mark_area(opacity=0.15, tooltip=False, aria=False)
        .encode(x=x, y=alt.Y("low:Q"), y2="high:Q", color=apart["color"])
    )
    tooltip = [
        theme.name_of("name", "measure"),
        alt.Tooltip("size:Q", title=f"{noun}s"),
        theme.value("tau", "mean tau"),
        theme.value("low", "2.5% of the draws below"),
        theme.value("high", "2.5% of the draws above"),
    ]
    lines = rows.mark_line(strokeWidth=2).encode(x=x, y=y, **apart)
    dots = (
        theme.plain_keys(rows, "name")
        .mark_point(filled=True, size=30)
        .encode(x=x, y=y, color=apart["color"], tooltip=tooltip)
    )
    bar = (
        alt.Chart(alt.InlineData(values=[{"tau": bound} for bound in bounds]))
        .mark_rule(color=theme.MUTED, strokeDash=[4, 4], tooltip=False, aria=False)
        .encode(y=alt.Y("tau:Q"), **theme.beside(names))
    )
    return theme.finish(
        alt.layer(
            room,
            band,
            bar,
            lines,
            dots,
            *theme.names_of_lines(rows, "size", "tau", names, apart),
        ),
        description=f"A line per measure: the number of {noun}s across, and upwards tau between "
        "the ranking over so many of them and over all.",
    )


@cache
def values_by_size(noun: str = "question") -> Spec:
    """The mean of named runs over draws of so many questions, with a band of a standard deviation.

    Rows have `least` and `most` where these bound the measure.
    """
    rows = theme.named_runs(theme.rows("sizes")).transform_filter(
        "datum.lit && isValid(datum.mean)"
    )
    x = alt.X(
        "size:Q",
        title=f"{noun}s",
        scale=alt.Scale(zero=False, nice=False, range=theme.beside_names()),
        axis=alt.Axis(titleAnchor="start", tickCount=8, tickMinStep=1),
    )
    colour: Spec = {"color": theme.colour_of_run(), "detail": "key:N"}
    # No band leaves the values that the measure can have.
    band = (
        rows.transform_filter("isValid(datum.sd)")
        .transform_calculate(
            low="isValid(datum.least) ? max(datum.least, datum.mean - datum.sd)"
            " : datum.mean - datum.sd",
            high="isValid(datum.most) ? min(datum.most, datum.mean + datum.sd)"
            " : datum.mean + datum.sd",
        )
        .mark_area(opacity=0.13, tooltip=False, aria=False)
        .encode(
            x=x,
            y=alt.Y("low:Q", title=MEASURE, scale=alt.Scale(zero=False)),
            y2="high:Q",
            **colour,
        )
    )
    lines = rows.mark_line(strokeWidth=2, point={"size": 25}).encode(
        x=x,
        y=alt.Y("mean:Q", title=MEASURE),
        tooltip=theme.about_run(
            alt.Tooltip("size:Q", title=f"{noun}s"),
            theme.value("mean", "mean"),
            theme.value("sd", "standard deviation"),
        ),
        **colour,
    )
    names = theme.names_beside(
        theme.last_of_each(rows, "size"), "mean", x="size", most=theme.MOST_NAMES
    )
    return theme.finish(
        alt.layer(band, lines, names),
        description=f"A line per run: the number of {noun}s across, the value over draws of so "
        "many upwards, with a band of one standard deviation.",
    )


@cache
def questions_needed(names: tuple[str, ...], noun: str = "question") -> Spec:
    """A line per measure: the smaller the difference, the more questions."""
    rows = theme.rows("needed").transform_calculate(rate="1 - datum.confidence")
    shared: Spec = {
        "x": alt.X(
            "difference:Q",
            title="difference between two runs",
            axis=alt.Axis(titleAnchor="start", tickCount=6),
            scale=alt.Scale(**theme.room_for(names)),
        ),
        "y": alt.Y(
            "questions:Q",
            title=f"{noun}s",
            scale=alt.Scale(type="log", nice=False),
            axis=alt.Axis(format="~s", tickCount=6, labelOverlap=True),
        ),
    }
    apart = theme.line_styles("name", names)
    lines = rows.mark_line(strokeWidth=2).encode(**shared, **apart)
    tooltip = [
        theme.name_of("name", "measure"),
        theme.value("difference", "difference", ".2f"),
        alt.Tooltip("questions:Q", title=f"{noun}s", format=",d"),
        theme.value("rate", "swap rate of at most", ".0%"),
        alt.Tooltip("extrapolated:N", title="extrapolated"),
    ]
    dots = (
        theme.plain_keys(rows, "name")
        .mark_point(filled=True, size=60)
        .encode(**shared, color=apart["color"], opacity=alt.value(1), tooltip=tooltip)
    )
    inside = rows.mark_point(filled=True, size=20, tooltip=False, aria=False).encode(
        **shared,
        color=alt.value("white"),
        opacity=alt.when("datum.extrapolated").then(alt.value(1)).otherwise(alt.value(0)),
    )
    return theme.finish(
        alt.layer(
            lines,
            dots,
            inside,
            *theme.names_of_lines(rows, "difference", "questions", names, apart),
        ),
        description="A line per measure: the difference between two runs across, and upwards the "
        f"number of {noun}s at which it is rarely reversed.",
    )
