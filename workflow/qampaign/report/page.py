"""The report of a campaign: one HTML file that opens from disk, without a network.

Everything in the tables is data. It reaches the page in two ways only: as text that the template
escapes, and as JSON in script elements that no browser executes. The page's content security policy
allows its two scripts and nothing else, so that neither a hostile run name nor a mistake here can
load or run anything.
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

from qampaign.report import chart_data, script, text, theme
from qampaign.report.blocks import NUMERIC, Section
from qampaign.report.charts.leaderboard import MEASURE
from qampaign.report.collection import CollectionResults, arrange
from qampaign.report.sections import made_from, sections
from qampaign.report.views import ALL

REQUIRED = (
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

# In JSON inside HTML, none of these may end the element, open a comment or break a line.
JSON_ESCAPES = {ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&\u2028\u2029"}


@dataclass(frozen=True)
class Shown:
    """A collection with its sections and the tables that their charts share."""

    collection: CollectionResults
    sections: list[Section]

    @cached_property
    def tables(self) -> dict[str, chart_data.Columns]:
        """The tables of the charts as columns, each table once."""
        frames = {
            name: frame
            for section in self.sections
            for chart in section.charts
            for name, frame in chart.data.items()
        }
        return {name: chart_data.embedded(frame, self.collection) for name, frame in frames.items()}

    def payload(self) -> dict[str, Any]:
        return self.collection.payload() | {"tables": self.tables}


def show(tables: Mapping[str, pl.DataFrame]) -> list[Shown]:
    """Every collection of the campaign with its sections."""
    absent = [name for name in REQUIRED if name not in tables]
    if absent:
        raise ValueError(
            f"the report needs the tables {', '.join(REQUIRED)}; not given: {', '.join(absent)}"
        )
    with theme.unchecked():
        return [Shown(collection, sections(collection)) for collection in arrange(tables)]


def render(
    tables: Mapping[str, pl.DataFrame], *, title: str, shown: list[Shown] | None = None
) -> str:
    """The whole page. The same tables give the same bytes."""
    vega, code = _vega(), _executable(_script())
    shown = show(tables) if shown is None else shown
    specs: list[dict[str, Any]] = []
    for one in shown:
        for section in one.sections:
            specs += [chart.spec for chart in section.charts if chart.spec not in specs]
    page = (
        _environment()
        .get_template("page.html")
        .render(
            title=title,
            shown=shown,
            specs=specs,
            made_from=made_from.section(tables),
            settings={"dash": text.DASH, "measure": MEASURE, "look": theme.config()},
            policy=_policy(vega, code),
            style=Markup(_read("page.css")),
            vega=vega,
            licences=_read("licences.txt"),
            script=code,
        )
    )
    return page.lstrip()


def embed(value: Any) -> Markup:
    """JSON for a script element.

    >>> print(embed({"run": "</script>"}))
    {"run":"\\u003c/script\\u003e"}
    """
    code = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return Markup(code.translate(JSON_ESCAPES))


def _read(name: str) -> str:
    return files("qampaign.report").joinpath(name).read_text(encoding="utf-8")


def _script() -> str:
    """The page's script in a function, so that its names do not become global."""
    code = "\n".join(_read(f"script/{name}.js") for name in script.FILES)
    return f'"use strict";\n(() => {{\n{code}}})();\n'


@cache
def _vega() -> Markup:
    """Vega, Vega-Lite and Vega-Embed in a function, for the same reason."""
    bundle = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")
    return _executable(f'"use strict";(() => {{{bundle}\n}})();')


def _executable(code: str) -> Markup:
    """Code for a script element; code that could end the element is refused."""
    if "</script" in code.lower() or "<!--" in code or "\r" in code:
        raise ValueError(
            "this script cannot be embedded in a page: it would end or alter its element"
        )
    return Markup(code)


def _policy(*scripts: str) -> str:
    """What the page allows the browser: these scripts, inline styles, and no connection."""
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
    environment.filters.update(embed=embed, cell_text=text.cell)
    environment.globals.update(
        many=text.many, run_colours=theme.run_colours, ALL=ALL, DASH=text.DASH,
        OUTCOMES=("right", "wrong", "unanswered"), NUMERIC=NUMERIC,
    )  # fmt: skip
    return environment
