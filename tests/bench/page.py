"""How soon a report shows something, and how soon all charts of a collection are drawn.

`python -m tests.bench.page REPORT…` opens pages in Chromium. It prints the size of each, the time to
the first paint, and for each collection, opened by its address, when its last chart was drawn: by
the clock, and as processor time of the page, which does not depend on what else the machine does.
"""

import argparse
from pathlib import Path

from tests.report import browser
from tests.report.browser import Browser, wait

LAST_CHART = """
new MutationObserver(() => {
  const boxes = [...document.querySelectorAll(".collection.current [data-chart]")];
  if (boxes.length && boxes.every((box) => "drawn" in box.dataset)) window.lastChart ??= performance.now();
}).observe(document, { subtree: true, attributeFilter: ["data-drawn"] });
"""
PAINT = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null"


def time_collections(started: Browser, report: Path) -> None:
    page = started.page()
    page.open(report)
    names = page.evaluate("[...document.querySelectorAll('main .collection')].map(({ id }) => id)")
    paint = page.evaluate(PAINT)
    page.close()
    size = report.stat().st_size / 1e6
    print(f"{report}: {size:.2f} MB, first paint {paint:.0f} ms, {len(names)} collections")
    for name in names:
        time_charts(started, report, name)


def time_charts(started: Browser, report: Path, name: str) -> None:
    page = started.page()
    page.call("Performance.enable", timeDomain="threadTicks")
    page.call("Page.addScriptToEvaluateOnNewDocument", source=LAST_CHART)
    page.call("Page.navigate", url=f"{report.as_uri()}#{name}")
    wait(lambda: page.evaluate("window.lastChart ?? null"), f"the charts of {name}")
    metrics = page.call("Performance.getMetrics")["metrics"]
    used = {each["name"]: each["value"] for each in metrics}["TaskDuration"]
    charts = page.evaluate("document.querySelectorAll('.collection.current [data-chart]').length")
    last = page.evaluate("window.lastChart") / 1000
    print(f"  {name:30} {charts:3} charts  {last:6.2f} s  {used:6.2f} s of processor time")
    page.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("report", type=lambda name: Path(name).resolve(), nargs="+")
    program = browser.find()
    if program is None:
        raise SystemExit("this needs Chromium (Debian: apt-get install chromium)")
    started = Browser(program)
    try:
        for report in parser.parse_args().report:
            time_collections(started, report)
    finally:
        started.close()


if __name__ == "__main__":
    main()
