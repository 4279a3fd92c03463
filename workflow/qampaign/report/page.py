"""The report of a campaign: one HTML file that opens from disk, without a network.

Everything in the tables is data. It reaches the page in two ways only: as text that the template
escapes, and as JSON in script elements that no browser executes. The page's content security policy
allows its two scripts and nothing else, so that neither a hostile run name nor a mistake here can
load or run anything.
"""

import base64
import hashlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, cached_property
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import Any

import jinja2
import polars as pl
import vl_convert
from markupsafe import Markup

from qampaign.files import write_text
from qampaign.report import chart_data, overview, script, text, theme
from qampaign.report.blocks import NUMERIC, Chart, Reading, Section
from qampaign.report.charts.leaderboard import MEASURE
from qampaign.report.collection import CollectionResults, arrange
from qampaign.report.sections import made_from, sections
from qampaign.report.views import ALL

REQUIRED = ("collections", "runs", "judges", "measures", "scores", "counts", "questions")
"""The tables that the report cannot do without."""

OF_CAMPAIGN = ("sources", "remarks", "published", "provenance")
"""The tables that the page shows of the whole campaign."""

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
        sentences, said = self.said()
        more = {"tables": self.tables, "sentences": sentences, "said": said}
        return self.collection.payload() | more

    def said(self) -> tuple[list[str], dict[str, Any]]:
        """Every sentence that follows the reader's choice, once, and where each is said.

        `said[block][judge][slice][measure]` has the numbers of the sentences.
        """
        follow: dict[str, Callable[[CollectionResults], Sequence[str]]] = {}
        for section in self.sections:
            if section.follow:
                follow[section.id] = section.follow
            for chart in section.charts:
                if chart.follow:
                    follow |= _of_chart(chart, chart.follow)
        numbers: dict[str, int] = {}
        said: dict[str, Any] = {name: [] for name in follow}
        measures = range(len(self.collection.measures)) or range(1)
        for judge, views in enumerate(self.collection.views):
            for name in follow:
                said[name].append([None] * len(views))
            for slice_ in (at for at, view in enumerate(views) if view):
                seen = self.collection.seen(judge, slice_, 0)
                by_measure = [replace(seen, primary=at) for at in measures]
                if not self.collection.measures:
                    by_measure = [replace(seen, primary=None)]
                for name, sentences in follow.items():
                    said[name][judge][slice_] = [
                        [numbers.setdefault(one, len(numbers)) for one in sentences(each)]
                        for each in by_measure
                    ]
        return list(numbers), said


def _of_chart(
    chart: Chart, follow: Callable[[CollectionResults], Reading]
) -> dict[str, Callable[[CollectionResults], Sequence[str]]]:
    """What is said of a chart: its caption, as sentences that many views share, and its heading."""
    return {
        chart.id: lambda seen: re.split(r"(?<=[.;:]) ", follow(seen).caption),
        f"{chart.id} heading": lambda seen: [follow(seen).heading or chart.title],
    }


def show(tables: Mapping[str, pl.DataFrame]) -> list[Shown]:
    """Every collection of the campaign with its sections."""
    absent = [name for name in REQUIRED if name not in tables]
    if absent:
        raise ValueError(
            f"the report needs the tables {', '.join(REQUIRED)}; not given: {', '.join(absent)}"
        )
    with theme.unchecked():
        return [Shown(collection, sections(collection)) for collection in arrange(tables)]


def draw(shown: Shown) -> dict[str, Any]:
    """What the page shows of a collection, and what it has to know of it besides: a part of it."""
    charts = [chart for section in shown.sections for chart in section.charts]
    specs = [spec for chart in charts for spec in chart.specs]
    return {
        "id": shown.collection.id,
        "anchor": f"collection-{shown.collection.id}",
        "title": shown.collection.title,
        "overview": overview.summary(shown.collection),
        "sections": [{"id": each.id, "title": each.title} for each in shown.sections],
        "specs": {spec_id(spec): spec for spec in specs},
        "html": _environment().get_template("collection.html").render(shown=shown),
    }


def assemble(
    parts: Sequence[Mapping[str, Any]],
    tables: Mapping[str, pl.DataFrame],
    *,
    title: str,
    overall: Section | None = None,
) -> str:
    """The whole page from what was drawn of each collection; equal parts give equal bytes.

    `overall`, where there is one, is a ranking over all collections, shown above their overview.
    """
    vega, code = _vega(), _executable(_script())
    page = (
        _environment()
        .get_template("page.html")
        .render(
            title=title,
            parts=parts,
            overall=overall,
            explained=[
                words
                for kind, words in overview.EXPLAINED.items()
                if kind in {part["overview"]["kind"] for part in parts}
            ],
            specs={name: spec for part in parts for name, spec in part["specs"].items()},
            made_from=made_from.section(tables),
            settings={"dash": text.DASH, "measure": MEASURE, "look": theme.config()}
            | theme.settings(),
            policy=_policy(vega, code),
            style=Markup(_read("page.css") + theme.style()),
            vega=vega,
            licences=_read("licences.txt"),
            script=code,
        )
    )
    return page.lstrip()


def render(tables: Mapping[str, pl.DataFrame], *, title: str) -> str:
    """The whole page of a campaign, from its tables."""
    return assemble([draw(shown) for shown in show(tables)], tables, title=title)


def spec_id(spec: Mapping[str, Any]) -> str:
    """A name for the specification of a chart: collections share those that are equal."""
    return hashlib.sha256(json.dumps(spec).encode()).hexdigest()[:8]


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
    """Vega, Vega-Lite and Vega-Embed in a function, for the same reason.

    To bundle them takes seconds and always gives the same: what was made once is kept beside the
    compiled modules, if that folder can be written.
    """
    snippet = "window.vegaEmbed = vegaEmbed;"
    of = hashlib.sha256(f"{version('vl-convert-python')} {snippet}".encode()).hexdigest()[:8]
    kept = Path(__file__).with_name("__pycache__") / f"vega-{of}.js"
    try:
        bundle = kept.read_text(encoding="utf-8")
    except OSError:
        bundle = vl_convert.javascript_bundle(snippet)
        with suppress(OSError):
            write_text(kept, bundle)
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
    environment.filters.update(embed=embed, cell_text=text.cell, spec_id=spec_id)
    environment.globals.update(
        many=text.many, hues=theme.hues, ALL=ALL, DASH=text.DASH,
        OUTCOMES=("right", "wrong", "unanswered"), NUMERIC=NUMERIC,
    )  # fmt: skip
    return environment
