"""The report of a campaign: one HTML file that opens from disk, without a network.

Everything in the tables is data. It reaches the page in two ways only: as text that the template
escapes, and as JSON in script elements that no browser executes. The page's content security policy
allows its two scripts and nothing else, so that neither a hostile run name nor a mistake here can
load or run anything.
"""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import Any

import jinja2
import polars as pl
import vl_convert
from markupsafe import Markup

from qampaign.files import write_text
from qampaign.report import chart_data, compiling, overview, script, templates, text, theme
from qampaign.report.blocks import NUMERIC, Chart, Reading, Section, Table
from qampaign.report.charts.leaderboard import MEASURE
from qampaign.report.collection import CollectionResults, arrange
from qampaign.report.embedding import embed, executable, policy
from qampaign.report.overall import Picture
from qampaign.report.page_names import questions_page
from qampaign.report.sections import made_from, sections
from qampaign.report.spec import Spec
from qampaign.report.views import ALL

REQUIRED = ("collections", "runs", "judges", "measures", "scores", "counts", "questions")
"""The tables that the report cannot do without."""

OF_CAMPAIGN = ("sources", "remarks", "published", "provenance", "overall")
"""The tables that the page shows of the whole campaign."""

WORTH_POOLING = 40
"""Shorter parts of a specification are repeated as they are."""

Said = dict[str, list[list[object]]]
"""By block, judge and slice, what is said: see :meth:`Shown.said`."""


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

    def payload(self) -> dict[str, object]:
        sentences, said = self.said()
        more = {"tables": self.tables, "sentences": sentences, "said": said}
        more |= {"choices": self.choices()}
        return self.collection.payload() | more

    def choices(self) -> dict[str, list[dict[str, object]]]:
        """The measures that can be chosen for a chart, by the name of its rows."""
        charts = [chart for section in self.sections for chart in section.charts if chart.choices]
        return {chart.uses[0]: [choice.payload() for choice in chart.choices] for chart in charts}

    def said(self) -> tuple[list[str], Said]:
        """Every sentence that follows the reader's choice, once, and where each is said.

        `said[block][judge][slice][measure]` has the numbers of the sentences.
        """
        follow = [follower for section in self.sections for follower in _followers(section)]
        numbers: dict[str, int] = {}
        said: Said = {name: [] for names, _ in follow for name in names}
        measures = range(len(self.collection.measures)) or range(1)
        for judge, views in enumerate(self.collection.views):
            for of_judges in said.values():
                of_judges.append([None] * len(views))
            for slice_ in (at for at, view in enumerate(views) if view):
                seen = self.collection.seen(judge, slice_, 0)
                by_measure = [replace(seen, primary=at) for at in measures]
                if not self.collection.measures:
                    by_measure = [replace(seen, primary=None)]
                for names, sentences in follow:
                    by_name = zip(*map(sentences, by_measure), strict=True)
                    for name, of_measures in zip(names, by_name, strict=True):
                        said[name][judge][slice_] = [
                            [
                                numbers.setdefault(text.isolated(sentence), len(numbers))
                                for sentence in texts
                            ]
                            for texts in of_measures
                        ]
        return list(numbers), said


Follower = tuple[tuple[str, ...], Callable[[CollectionResults], Sequence[Sequence[str]]]]
"""Names of blocks, and what gives the sentences of each for a view."""


def _followers(section: Section) -> Iterator[Follower]:
    """What of a section follows the reader's choice."""
    if section.follow:
        of_section = section.follow
        yield (section.id,), lambda seen: [of_section(seen)]
    for chart in section.charts:
        if chart.follow:
            yield (chart.id, f"{chart.id} heading"), partial(_read_chart, chart, chart.follow)


def _read_chart(
    chart: Chart, follow: Callable[[CollectionResults], Reading], seen: CollectionResults
) -> list[list[str]]:
    """What is said of a chart: its caption, as sentences that many views share, and its heading."""
    reading = follow(seen)
    return [re.split(r"(?<=[.;:]) ", reading.caption), [reading.heading or chart.title]]


def show(tables: Mapping[str, pl.DataFrame]) -> list[Shown]:
    """Every collection of the campaign with its sections."""
    absent = [name for name in REQUIRED if name not in tables]
    if absent:
        raise ValueError(
            f"the report needs the tables {', '.join(REQUIRED)}; not given: {', '.join(absent)}"
        )
    with theme.unchecked():
        return [Shown(collection, sections(collection)) for collection in arrange(tables)]


def draw(shown: Shown) -> dict[str, object]:
    """What the page shows of a collection, and what it has to know of it besides: a part of it."""
    charts = [chart for section in shown.sections for chart in section.charts]
    return {
        "id": shown.collection.id,
        "anchor": f"collection-{shown.collection.id}",
        "title": shown.collection.title,
        "overview": overview.summary(shown.collection),
        "sections": [{"id": section.id, "title": section.title} for section in shown.sections],
        "specs": {
            spec_id(spec): theme.sized(spec, row_per_run=chart.per_run is not None)
            for chart in charts
            for spec in chart.specs
        },
        "html": COLLECTION.render(shown=shown),
    }


def assemble(
    parts: Sequence[Mapping[str, Any]],
    tables: Mapping[str, pl.DataFrame],
    *,
    title: str,
    overall: Section | None = None,
    pictures: Sequence[Picture] = (),
) -> str:
    """The whole page from what was drawn of each collection; equal parts give equal bytes.

    `overall`, where there is one, is a ranking over all collections, shown above their overview
    with its `pictures`.
    """
    vega, code = _vega(), executable(_script())
    kinds = {part["overview"]["kind"] for part in parts}
    specs = {name: spec for part in parts for name, spec in part["specs"].items()}
    look = theme.config()
    page = _template("page.html").render(
        title=title,
        parts=parts,
        overall=overall,
        pictures=pictures,
        explained=[words for kind, words in overview.EXPLAINED.items() if kind in kinds],
        specs=pooled({name: compiling.for_page(spec, look) for name, spec in specs.items()}),
        made_from=made_from.section(tables),
        settings={"dash": text.DASH, "measure": MEASURE} | theme.settings(),
        policy=policy(vega, code),
        style=Markup(_read("page.css") + theme.style()),
        vega=vega,
        licences=_read("licences.txt"),
        script=code,
    )
    return page.lstrip()


def render(tables: Mapping[str, pl.DataFrame], *, title: str) -> str:
    """The whole page of a campaign, from its tables."""
    return assemble([draw(shown) for shown in show(tables)], tables, title=title)


def spec_id(spec: Spec) -> str:
    """A name for the specification of a chart: collections share those that are equal."""
    return hashlib.sha256(json.dumps(spec).encode()).hexdigest()[:8]


def pooled(specs: Mapping[str, Spec]) -> dict[str, object]:
    """Specifications of charts, in which what occurs several times stands once, in a pool.

    In its place is {"$": number}, also within the pool; `settings.js` undoes that.

    >>> long = {"mark": "point", "tooltip": "what a chart shows of a run"}
    >>> pooled({"a": {"layer": [long]}, "b": {"layer": [long, 1]}}) == {
    ...     "pool": [long], "specs": {"a": {"layer": [{"$": 0}]}, "b": {"layer": [{"$": 0}, 1]}}}
    True
    """
    texts: dict[int, str] = {}
    counts: Counter[str] = Counter()

    def text(value: object) -> str:
        if id(value) not in texts:
            texts[id(value)] = json.dumps(value)
        return texts[id(value)]

    def count(value: object) -> None:
        if not isinstance(value, str | list | dict) or len(text(value)) < WORTH_POOLING:
            return
        counts[text(value)] += 1
        if counts[text(value)] == 1:
            for inner in _inside(value):
                count(inner)

    pool: list[object] = []
    numbers: dict[str, int] = {}

    def put(value: object, *, whole: bool = False) -> object:
        if not isinstance(value, str | list | dict):
            return value
        if not whole and len(text(value)) >= WORTH_POOLING and counts[text(value)] > 1:
            if text(value) not in numbers:
                numbers[text(value)] = len(pool)
                pool.append(None)
                pool[numbers[text(value)]] = put(value, whole=True)
            return {"$": numbers[text(value)]}
        if isinstance(value, dict):
            return {name: put(inner) for name, inner in value.items()}
        return [put(inner) for inner in value] if isinstance(value, list) else value

    for spec in specs.values():
        count(spec)
    return {"specs": {name: put(spec, whole=True) for name, spec in specs.items()}, "pool": pool}


def _inside(value: object) -> Iterable[object]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def sorted_by(value: float, shown: str) -> str:
    """A number for sorting and for CSV, to six digits; empty where the text says as much.

    >>> sorted_by(0.5754360000000001, "0.575"), sorted_by(0.09, "0.090"), sorted_by(4800, "4,800")
    ('0.575436', '', '4800')
    """
    number = f"{value:.6g}" if isinstance(value, float) else str(value)
    with suppress(ValueError):
        if float(shown) == float(number):
            return ""
    return number


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
    return executable(f'"use strict";(() => {{{bundle}\n}})();')


def short_cells(table: Table) -> dict[str, str]:
    """What stands for long names in a table: their whole is in tooltips and in saved tables."""
    kinds = [column.kind for column in table.columns]
    return text.shorts(
        str(value)
        for row in table.rows
        for value, kind in zip(row, kinds, strict=False)
        if kind in ("name", "question") and isinstance(value, str)
    )


def _template(name: str) -> jinja2.Template:
    return templates.load(
        name,
        filters={
            "embed": embed,
            "ends": text.ends,
            "isolated": text.isolated,
            "cell_text": text.cell,
            "spec_id": spec_id,
            "sorted_by": sorted_by,
            "short_cells": short_cells,
        },
        names={
            "many": text.many,
            "hues": theme.hues,
            "questions_page": questions_page,
            "ALL": ALL,
            "DASH": text.DASH,
            "OUTCOMES": ("right", "wrong", "unanswered"),
            "NUMERIC": NUMERIC,
        },
    )


COLLECTION = _template("collection.html")
"""Compiled with the import of this module, so once for all jobs that are forks of a process."""
