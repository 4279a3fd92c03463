"""Charts as the page draws them: in Vega, to which Vega-Lite is compiled when the page is made.

Compiling takes a browser a quarter of the time that a chart takes, and gives the same for any rows.
"""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from typing import Any

import vl_convert

from qampaign.files import write_text
from qampaign.report import theme

STRING = r'"(?:[^"\\]|\\.)*"'
"""A string in an expression."""

TEXT_OF_FIELD = re.compile(
    rf"""isValid\((datum\[{STRING}\])\) \? isArray\(\1\) \? join\(\1, '(?:\\n| )'\) : \1 : ""\+\1"""
)
"""What a field says, be it a list or not."""

FIRST_OF_TOOLTIP = re.compile(rf'\{{{STRING}: (""\+datum\[{STRING}\])')

CODE = Path(__file__).read_text(encoding="utf-8")

FOLDER = Path(__file__).with_name("__pycache__") / "charts"
"""What was compiled once is kept here, beside the compiled modules, if that can be written."""


def compiled(spec: dict[str, Any]) -> dict[str, Any]:
    """A chart in Vega, of a specification as `sized` gives it."""
    look = theme.config()
    of = json.dumps([version("vl-convert-python"), CODE, look, spec])
    kept = FOLDER / f"{hashlib.sha256(of.encode()).hexdigest()[:16]}.json"
    with suppress(OSError, ValueError):
        found: dict[str, Any] = json.loads(kept.read_text(encoding="utf-8"))
        return found
    made = lighter(vl_convert.vegalite_to_vega(spec, config=look))
    with suppress(OSError):
        write_text(kept, json.dumps(made, ensure_ascii=False))
    return made


def sized(spec: Mapping[str, Any], *, row_per_run: bool) -> dict[str, Any]:
    """A chart with numbers where the page's script sets its width and height: it replaces them.

    >>> sized({"width": "container"}, row_per_run=True)
    {'width': 800, 'autosize': {'type': 'fit-x', 'contains': 'padding'}, 'height': 380}
    >>> sized({"spec": {"width": 90}, "facet": {}}, row_per_run=True)
    {'spec': {'width': 90, 'height': 380}, 'facet': {}}
    """
    made = dict(spec)
    if made.get("width") == "container":
        made |= {"width": theme.SCREEN, "autosize": {"type": "fit-x", "contains": "padding"}}
    if row_per_run and "spec" in made:
        made["spec"] = {**made["spec"], "height": theme.HEIGHT}
    elif row_per_run:
        made["height"] = theme.HEIGHT
    return made


def lighter(vega: dict[str, Any]) -> dict[str, Any]:
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
        said = {name: update[name] for name in ("tooltip", "description") if name in update}
        for channel in said.values():
            if isinstance(channel, dict) and "signal" in channel:
                channel["signal"] = TEXT_OF_FIELD.sub(r'""+\1', channel["signal"])
        tooltip = said.get("tooltip")
        first = isinstance(tooltip, dict) and FIRST_OF_TOOLTIP.match(tooltip.get("signal", ""))
        if first and "description" in said:
            update["description"] = {"signal": first[1]}
    return vega


def _marks(group: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """All marks, also those in groups."""
    for mark in group.get("marks", ()):
        yield mark
        yield from _marks(mark)
