"""The measure reference, made from the declarations: `python -m qampaign.measures.reference`."""

import json
import sys
from collections.abc import Iterator

from qampaign.measures import MEASURES, Measure
from qampaign.options import Option


def reference() -> str:
    """Every measure: what it is, its formula, source, range, options, needs and an example."""
    head = ["# Measures", "", "Made from the declarations by `make docs`.", ""]
    tasks = {"any": "both tasks", "answering": "answering", "validation": "validation"}
    listed = [
        f"- [`{each.id}`](#{each.id}) {each.label}: {each.summary}" for each in MEASURES.values()
    ]
    parts = [line for each in MEASURES.values() for line in _section(each, tasks[each.task])]
    return "\n".join([*head, *listed, "", *parts])


def _section(measure: Measure, task: str) -> Iterator[str]:
    low, high = (f"{bound:g}".replace("inf", "∞") for bound in measure.bounds)
    undefined = "not available" if measure.undefined is None else f"{measure.undefined:g}"
    better = {
        "high": "higher is better",
        "low": "lower is better",
        "none": "neither higher nor lower is better",
    }[measure.better]
    yield from (f"## {measure.id}", "", f"**{measure.label}**, for {task}. {measure.summary}", "")
    if measure.package != "qampaign":
        yield f"- from the package `{measure.package}`"
    yield f"- formula: `{measure.formula}`"
    yield f"- reference: {measure.citation}"
    yield f"- range: {low} to {high}, {better}; {undefined} where the formula has no value"
    if measure.needs:
        yield f"- needs: {', '.join(measure.needs)}{' from 0 to 1' if measure.unit else ''}"
    if measure.options:
        yield from ("- options:", *map(_option, measure.options.values()))
    if not measure.resampled:
        yield "- not computed on random parts of the questions"
    example = measure.documentation.partition("\n")[2].strip("\n")
    yield from ("", "```python", example, "```", "")


def _option(option: Option) -> str:
    default = "" if option.default is None else f" (`{json.dumps(option.default)}` unless given)"
    return f"  - `{option.name}`{default}: {option.schema['description']}"


if __name__ == "__main__":
    sys.stdout.write(reference())
