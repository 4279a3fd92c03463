"""Pictures of every section of the report, for the documentation.

`make pictures` runs the bundled campaign and takes them: one of the overview, one of each section
of the collection that shows it best, and one of what the results were made from. That of what changed
is of a small campaign whose assessments are corrected twice.
"""

import argparse
import base64
import json
import tempfile
from pathlib import Path

from qampaign.report.sections import ORDER
from tests.report import browser, corrected_campaign
from tests.report.browser import Browser, Page, wait

WIDTH, TALLEST = 1280, 860
"""Pixels of a window, and of a picture: what is longer is cut."""

QUALITY = 70

SHOWN_BY = {
    "ranked": "qac2",
    "validation": "ave2008",
    "judges": "trec8",
    "measures": "pilot2004",
}
"""The collection that shows a section best; of all others, the first that has it."""


def take(report: Path, corrected: Path, folder: Path) -> list[Path]:
    """Take all pictures of a report, and that of what changed of another, `corrected`."""
    program = browser.find()
    if program is None:
        raise SystemExit("pictures need Chromium (Debian: apt-get install chromium)")
    folder.mkdir(parents=True, exist_ok=True)
    started = Browser(program)
    try:
        page = started.page(width=WIDTH, height=1000)
        page.open(report)
        page.screenshot(folder.with_name("report.png"))
        taken = []
        for name, place in places(page).items():
            file = folder / f"{name}.webp"
            picture(page, report, place, file)
            taken.append(file)
        changes = folder / "changes.webp"
        picture(page, corrected, "collection-clef2009-changes", changes)
        return [*taken, changes]
    finally:
        started.close()


def places(page: Page) -> dict[str, str]:
    """The id of the element that shows each section."""
    ids: list[str] = page.evaluate(
        "[...document.querySelectorAll('main > .page, .topic')].map(each => each.id)"
    )
    found = {"overview": "overview"}
    for module in ORDER:
        name = module.__name__.rpartition(".")[2]
        of_name = [place for place in ids if place.endswith(f"-{name}")]
        best = f"collection-{SHOWN_BY.get(name)}-{name}"
        if of_name and name != "changes":
            found[name] = best if best in of_name else of_name[0]
    return found | {"made_from": "made-from"}


def picture(page: Page, report: Path, place: str, file: Path) -> None:
    """A picture of the top of a section, with the charts that are there."""
    page.call("Page.navigate", url="about:blank")
    page.open(report, f"#{place}")
    element = f"document.getElementById({json.dumps(place)})"
    near = (
        f"[...{element}.querySelectorAll('[data-chart]')].filter(box => "
        f"box.getBoundingClientRect().top < {TALLEST}).every(box => 'drawn' in box.dataset)"
    )
    wait(lambda: page.evaluate(near), f"the charts of {place}")
    page.evaluate("document.activeElement.blur()")
    taken, box = None, None
    while taken is None or box != place_of(page, element):  # charts above it may still be drawn
        box = place_of(page, element)
        x, y, width, height = box
        clip = {"x": x - 16, "y": y - 8, "width": width + 32, "height": min(height + 16, TALLEST)}
        taken = page.call("Page.captureScreenshot", format="webp", quality=QUALITY,
                          captureBeyondViewport=True, clip=clip | {"scale": 1})  # fmt: skip
    file.write_bytes(base64.b64decode(taken["data"]))


def place_of(page: Page, element: str) -> list[float]:
    found: list[float] = page.evaluate(
        f"(() => {{ const box = {element}.getBoundingClientRect(); "
        "return [box.x + scrollX, box.y + scrollY, box.width, box.height]; })()"
    )
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("report", type=Path, help="the page, index.html")
    parser.add_argument("folder", type=Path, help="where the pictures go")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as own:
        corrected = corrected_campaign.run(Path(own))
        taken = take(given.report.resolve(), corrected, given.folder)
    for file in taken:
        print(f"{file.stat().st_size:>8,} {file}")


if __name__ == "__main__":
    main()
