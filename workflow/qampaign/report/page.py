"""The report of a campaign: one HTML file that opens from disk, without a network.

Everything in the tables is data. It reaches the page in two ways only: as text that the template
escapes, and as JSON in script elements that no browser executes. The page's own policy then allows
these two scripts and nothing else, so that neither a hostile run name nor a mistake here can load
or run anything.
"""

import base64
import hashlib
import json
from collections.abc import Iterator, Mapping
from decimal import ROUND_HALF_UP, Decimal
from functools import cache
from importlib.resources import files
from itertools import groupby
from typing import Any

import jinja2
import polars as pl
import vl_convert
from markupsafe import Markup

from qampaign.report import charts
from qampaign.report.views import ALL, Collection, Row, View, arrange

TABLES = (
    "collections",
    "runs",
    "judges",
    "measures",
    "scores",
    "counts",
    "questions",
    "sources",
    "remarks",
    "provenance",
)

DASH = "\N{EN DASH}"
MINUS = "\N{MINUS SIGN}"

# JSON that stands in HTML: none of these may end the element, open a comment or break a line.
JSON_ESCAPES = {ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&\u2028\u2029"}


def render(tables: Mapping[str, pl.DataFrame], *, title: str) -> str:
    """The whole page. The same tables give the same bytes."""
    absent = [name for name in TABLES if name not in tables]
    if absent:
        raise ValueError(f"the report needs the tables {', '.join(TABLES)}; not given: {absent}")
    collections = arrange(tables)
    vega, script = _vega(), _executable(_part("page.js"))
    page = (
        _environment()
        .get_template("page.html")
        .render(
            title=title,
            collections=collections,
            specs=[_specs(collection) for collection in collections],
            sources=tables["sources"].to_dicts(),
            remarks=tables["remarks"].to_dicts(),
            provenance=list(_by_topic(tables["provenance"].to_dicts())),
            policy=_policy(vega, script),
            style=Markup(_part("page.css")),
            vega=vega,
            script=script,
        )
    )
    return page.lstrip()


def embed(value: Any) -> Markup:
    """JSON for a script element.

    >>> print(embed({"run": "</script>"}))
    {"run":"\\u003c/script\\u003e"}
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return Markup(text.translate(JSON_ESCAPES))


def fixed(value: float | None) -> str:
    """A value to three places, halves away from zero as browsers round them.

    >>> fixed(0.0625), fixed(-0.25), fixed(-0.0001), fixed(None)
    ('0.063', '−0.250', '0.000', '–')
    """
    if value is None:
        return DASH
    rounded = Decimal(value).quantize(Decimal("0.001"), ROUND_HALF_UP)
    return f"{MINUS if rounded < 0 else ''}{abs(rounded)}"


def span(first: int | None, last: int | None) -> str:
    """A rank, or the range of ranks that equal runs share.

    >>> span(1, 1), span(5, 14), span(None, None)
    ('1', '5–14', '–')
    """
    if first is None:
        return DASH
    return str(first) if last is None or last == first else f"{first}{DASH}{last}"


def detail(view: View, measure: int, run: int) -> str:
    """What stands behind a value: all its digits, its rank and its interval."""
    scores = view["scores"][measure]
    value = scores["value"][run]
    if value is None:
        return "not available"
    parts = [repr(value).removesuffix(".0")]
    if scores["first"][run] is not None:
        parts.append(f"rank {span(scores['first'][run], scores['last'][run])}")
    low = scores["low"][run] if scores["low"] else None
    high = scores["high"][run] if scores["high"] else None
    if low is not None and high is not None:
        parts.append(f"95% interval {fixed(low)} to {fixed(high)}")
    return " · ".join(parts)


def size(count: int | None) -> str:
    """Bytes as people read them.

    >>> size(12), size(45_600), size(3_210_000)
    ('12 B', '45.6 kB', '3.2 MB')
    """
    if count is None:
        return DASH
    amount = float(count)
    for unit in ("B", "kB", "MB"):
        if amount < 1000:
            return f"{amount:.0f} {unit}" if unit == "B" else f"{amount:.1f} {unit}"
        amount /= 1000
    return f"{amount:.1f} GB"


def _specs(collection: Collection) -> dict[str, dict[str, Any]]:
    """The charts that a collection has the measures for."""
    specs = {"counts": charts.counts_by_run(runs=len(collection.runs))}
    if collection.has("accuracy", "c_at_1"):
        specs["c_at_1"] = charts.accuracy_against_c_at_1(
            accuracy_label=collection.label("accuracy"),
            c_at_1_label=collection.label("c_at_1"),
            several_kinds=len({run["kind"] for run in collection.runs}) > 1,
        )
    return specs


def _by_topic(rows: list[Row]) -> Iterator[tuple[str, list[Row]]]:
    for topic, members in groupby(rows, key=lambda row: str(row["topic"])):
        yield topic, list(members)


def _part(name: str) -> str:
    return files("qampaign.report").joinpath(name).read_text(encoding="utf-8")


@cache
def _vega() -> Markup:
    """Vega, Vega-Lite and Vega-Embed, closed in so that their names do not become the page's."""
    bundle = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")
    return _executable(f'"use strict";(() => {{{bundle}\n}})();')


def _executable(code: str) -> Markup:
    """Code for a script element, which it must not be able to end."""
    if "</script" in code.lower() or "<!--" in code or "\r" in code:
        raise ValueError(
            "this script cannot stand inside a page: it would end or alter its element"
        )
    return Markup(code)


def _policy(*scripts: str) -> str:
    """The page's own rules for the browser: these scripts, inline styles, and no connection."""
    digests = (hashlib.sha256(script.encode("utf-8")).digest() for script in scripts)
    allowed = " ".join(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests)
    return (
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; "
        "img-src data: blob:; base-uri 'none'; form-action 'none'"
    )


def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("qampaign.report", "."),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters.update(embed=embed, fixed=fixed, size=size)
    environment.globals.update(span=span, detail=detail, ALL=ALL, DASH=DASH)
    return environment
