"""The report of a campaign: one HTML file that opens from disk, without a network.

Everything in the tables is data. It reaches the page in two ways only: as text that the template
escapes, and as JSON in script elements that no browser executes. The page's own policy then allows
these two scripts and nothing else, so that neither a hostile run name nor a mistake here can load
or run anything.
"""

import base64
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from typing import Any

import jinja2
import polars as pl
import vl_convert
from markupsafe import Markup

from qampaign.report import parts, records, script, theme
from qampaign.report.collection import Collection, arrange
from qampaign.report.parts import DASH, Section, fixed, percent, span
from qampaign.report.sections import made_from, sections
from qampaign.report.views import ALL, View

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

# JSON that stands in HTML: none of these may end the element, open a comment or break a line.
JSON_ESCAPES = {ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&\u2028\u2029"}


@dataclass(frozen=True)
class Shown:
    """A collection with its sections and the tables that their charts share."""

    collection: Collection
    sections: list[Section]

    @cached_property
    def tables(self) -> dict[str, dict[str, list[Any]]]:
        """The rows of the charts, as columns, each table once."""
        found = {
            name: frame
            for section in self.sections
            for chart in section.charts
            for name, frame in chart.data.items()
        }
        return {name: records.columns(frame, self.collection) for name, frame in found.items()}

    def payload(self) -> dict[str, Any]:
        return self.collection.payload() | {"tables": self.tables}


def show(tables: Mapping[str, pl.DataFrame]) -> list[Shown]:
    """Every collection of the campaign with all that is to be said of it."""
    absent = [name for name in TABLES if name not in tables]
    if absent:
        raise ValueError(f"the report needs the tables {', '.join(TABLES)}; not given: {absent}")
    with theme.unchecked():
        return [Shown(each, sections(each)) for each in arrange(tables)]


def render(
    tables: Mapping[str, pl.DataFrame], *, title: str, shown: list[Shown] | None = None
) -> str:
    """The whole page. The same tables give the same bytes."""
    vega, code = _vega(), _executable(_script())
    page = (
        _environment()
        .get_template("page.html")
        .render(
            title=title,
            shown=show(tables) if shown is None else shown,
            made_from=made_from.section(tables),
            config=theme.config(),
            policy=_policy(vega, code),
            style=Markup(_part("page.css")),
            vega=vega,
            licences=_part("licences.txt"),
            script=code,
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


def between(view: View, measure: int | None, run: int) -> str:
    """The 95% interval of a value."""
    scores = view["scores"][measure] if measure is not None else None
    if not scores or not scores["low"] or not scores["high"]:
        return DASH
    low, high = scores["low"][run], scores["high"][run]
    return DASH if low is None or high is None else f"{fixed(low)} to {fixed(high)}"


def supported(view: View, measure: int | None, run: int) -> str:
    """The ranks that a run has over questions drawn anew, in 95% of the draws."""
    scores = view["scores"][measure] if measure is not None else None
    if not scores or not scores["rank_low"] or not scores["rank_high"]:
        return DASH
    return span(scores["rank_low"][run], scores["rank_high"][run])


def _part(name: str) -> str:
    return files("qampaign.report").joinpath(name).read_text(encoding="utf-8")


def _script() -> str:
    """The page's script, closed in, so that its names do not become the page's."""
    code = "\n".join(_part(f"script/{name}.js") for name in script.FILES)
    return f'"use strict";\n(() => {{\n{code}}})();\n'


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
    environment.filters.update(embed=embed, fixed=fixed, shown=parts.shown)
    environment.globals.update(
        span=span, between=between, supported=supported, percent=percent,
        run_colours=theme.run_colours, ALL=ALL, DASH=DASH, NUMBERS=parts.NUMBERS,
    )  # fmt: skip
    return environment
