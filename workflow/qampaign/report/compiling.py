"""Charts in Vega, which draws them: Vega-Lite, in which they are written, is compiled to it.

Compiling takes a quarter of the time that a chart takes, and gives the same for any rows. So it is
done before a browser shows the page, and once for all charts that differ in rows alone.
"""

import hashlib
import json
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path

import vl_convert

from qampaign.files import write_text
from qampaign.report.spec import Spec

STRING = r'"(?:[^"\\]|\\.)*"'
"""A string in an expression."""

TEXT_OF_FIELD = re.compile(
    rf"""isValid\((datum\[{STRING}\])\) \? isArray\(\1\) \? join\(\1, '(?:\\n| )'\) : \1 : ""\+\1"""
)
"""What a field says, be it a list or not."""

FIRST_OF_TOOLTIP = re.compile(rf'\{{{STRING}: (""\+datum\[{STRING}\])')

DECISIVE = [version("vl-convert-python"), Path(__file__).read_text(encoding="utf-8")]
"""What compiling depends on, beside the chart and its look."""

FOLDER = Path(__file__).with_name("__pycache__") / "charts"
"""What was compiled once is kept here, beside the compiled modules, if that can be written."""


def for_page(spec: Spec, look: Spec) -> Spec:
    """A chart in Vega as the page draws it; the rows are in the page."""
    return _kept(
        "page", spec, look, make=lambda: lighter(vl_convert.vegalite_to_vega(spec, config=look))
    )


def with_rows(spec: Spec) -> Spec:
    """A chart in Vega with its rows and title, which compiling does not look at."""
    hollow = {name: value for name, value in spec.items() if name != "datasets"}
    if "title" in spec:
        hollow["title"] = spec["title"] | {"text": [""], "subtitle": [""]}
    vega = _kept("rows", hollow, make=lambda: vl_convert.vegalite_to_vega(hollow))
    if "title" in spec:
        vega["title"] |= {name: spec["title"][name] for name in ("text", "subtitle")}
    for source in vega["data"]:
        if source["name"] in spec["datasets"]:
            source["values"] = spec["datasets"][source["name"]]
    return vega


def _kept(kind: str, *of: object, make: Callable[[], Spec]) -> Spec:
    """What was compiled of the same before, or is compiled now."""
    name = hashlib.sha256(json.dumps([kind, *DECISIVE, *of]).encode()).hexdigest()[:16]
    path = FOLDER / f"{name}.json"
    with suppress(OSError, ValueError):
        kept: Spec = json.loads(path.read_text(encoding="utf-8"))
        return kept
    made = make()
    with suppress(OSError):
        write_text(path, json.dumps(made, ensure_ascii=False))
    return made


def lighter(vega: Spec) -> Spec:
    """The same chart with less to compute for every mark.

    No field holds a list, and a mark is described to screen readers by the first line of its
    tooltip, as a rule its run; the table below a chart has all its numbers.

    >>> of = 'datum["run"]'
    >>> field = f"isValid({of}) ? isArray({of}) ? join({of}, ' ') : {of} : " + '""+' + of
    >>> marks = [{"encode": {"update": {
    ...     "tooltip": {"signal": f'{{"run": {field}, "value": format(datum["value"], ".3f")}}'},
    ...     "description": {"signal": f'"run: " + ({field}) + "; colour: …"'}}}}]
    >>> update = lighter({"marks": marks})["marks"][0]["encode"]["update"]
    >>> print(update["tooltip"]["signal"])
    {"run": ""+datum["run"], "value": format(datum["value"], ".3f")}
    >>> print(update["description"]["signal"])
    ""+datum["run"]
    """
    for mark in _marks(vega):
        update = mark.get("encode", {}).get("update", {})
        channels = {name: update[name] for name in ("tooltip", "description") if name in update}
        for channel in channels.values():
            if isinstance(channel, dict) and "signal" in channel:
                channel["signal"] = TEXT_OF_FIELD.sub(r'""+\1', channel["signal"])
        tooltip = channels.get("tooltip")
        first = isinstance(tooltip, dict) and FIRST_OF_TOOLTIP.match(tooltip.get("signal", ""))
        if first and "description" in channels:
            update["description"] = {"signal": first[1]}
    return vega


def _marks(group: Spec) -> Iterator[Spec]:
    """All marks, also those in groups."""
    for mark in group.get("marks", ()):
        yield mark
        yield from _marks(mark)
