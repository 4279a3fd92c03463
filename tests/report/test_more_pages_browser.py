"""A parcel's page, the timeline and the charts over collections, in a browser: nobody is kept out."""

from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest

from qampaign.report.blocks import Section
from qampaign.report.overall import pictures
from qampaign.report.page import assemble, draw, show
from tests.helpers.cases import first
from tests.helpers.parcel_search import written
from tests.publishing.test_parcels import database  # noqa: F401
from tests.report.browser import Browser, Page, violations
from tests.report.test_overview import DESCRIBED, over_all
from tests.report.whole_campaign import campaign


def with_history(folder: Path) -> Path:
    """A page with a timeline of three publications and charts over collections."""
    made = campaign(runs=6, collections=1)
    (one,) = show(made)
    own = {"collection": one.collection.id, "judge": one.collection.reference}
    own |= {"measure": one.collection.primary_measure}
    runs = one.collection.names()
    rows = [
        {"publication": number, "time": f"2026-01-0{number}T00:00:00+00:00", **own, "run": run,
         "value": 0.4 + 0.05 * place + 0.02 * number, "rank_first": len(runs) - place,
         "leader": place == len(runs) - 1, "sources": "runs.csv"}
        for number in (1, 2, 3)
        for place, run in enumerate(runs)
    ]  # fmt: skip
    made["history"] = pl.DataFrame(rows)
    page = assemble(
        [draw(shown) for shown in show(made)],
        made,
        title="x",
        overall=Section("overall", "All collections together", [], ["a has the highest value."]),
        pictures=pictures(over_all(), DESCRIBED),
    )
    path = folder / "index.html"
    path.write_text(page, encoding="utf-8")
    return path


@pytest.fixture(params=first(1, [False, True]), ids=["light", "dark"])
def page(chromium: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    opened = chromium.page(dark=request.param)
    yield opened
    opened.close()


@pytest.mark.exhaustive
def test_a_timeline_and_charts_over_collections_keep_nobody_out(
    page: Page, tmp_path: Path, axe: str
) -> None:
    page.open(with_history(tmp_path))
    page.draw_all()
    assert page.evaluate("!!document.querySelector('[data-chart*=history][data-drawn]')")
    loaded = "[...document.querySelectorAll('#overall img')].map(each => each.naturalWidth > 100)"
    assert page.evaluate(loaded) == [True, True]
    context = "{include: ['#overall', '[id$=-changes]'], exclude: ['svg']}"
    assert violations(page, axe, context) == []
    assert page.complaints() == []


@pytest.mark.exhaustive
def test_the_page_of_a_parcel_keeps_nobody_out(
    page: Page,
    database: Path,  # noqa: F811
    tmp_path: Path,
    axe: str,
) -> None:
    parcels = tmp_path / "parcels"
    (name,) = [name for name in written(database, parcels) if name.endswith(".html")][:1]
    page.open(parcels / name)
    assert violations(page, axe, "document") == []
    assert page.complaints() == []
