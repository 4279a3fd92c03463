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
        f"- [`{declared.id}`](#{declared.id}) {declared.label}: {declared.summary}"
        for declared in MEASURES.values()
    ]
    parts = [
        line for declared in MEASURES.values() for line in _section(declared, tasks[declared.task])
    ]
    return "\n".join([*head, *listed, "", *PUT_TOGETHER, *parts])


PUT_TOGETHER = """\
## Every measure

Every measure takes `name` (what the tables call it), `label` (what the report calls it) and
`average`:

- `average: type`: the mean over question types of its value on each type, each type counting the
  same. A type that a drawn set of questions does not have is left out of the mean for that set. A
  run without a value on a type has none. In the slice of one type it is the measure itself.
  Questions without a type are refused.

## composite

The mean of other measures of the collection, with `weights` where given; not available where one
of them is not.

- formula: `(a + b) / 2`, or `(w * a + v * b) / (w + v)`
- range: that of the same mean of their bounds; better in the direction that all of them have
- options:
  - `of`: two or more different measures of the collection, by their names there; composites too
  - `weights`: a number above 0 for each of them; the same for all unless given
  - `name`: `composite` unless given
  - `label`: the name unless given

""".splitlines()


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
    depends = " (with the options unless given)" if measure.bounds_by_options else ""
    yield f"- range: {low} to {high}{depends}, {better}; {undefined} where the formula has no value"
    if measure.needs:
        yield f"- needs: {', '.join(measure.needs)}{' from 0 to 1' if measure.unit else ''}"
    if measure.options:
        yield from ("- options:", *map(_option, measure.options.values()))
    if not measure.resampled:
        yield "- not computed on random parts of the questions"
    elif measure.test == "none":
        yield "- differences are not tested: runs of the same quality can have other values"
    yield from ("", *_paragraphs(measure.documentation.partition("\n")[2]))


def _paragraphs(text: str) -> Iterator[str]:
    """The paragraphs of a docstring, examples as code.

    >>> list(_paragraphs("\\n1 and 2:\\n\\n>>> 1 + 2\\n3\\n"))
    ['1 and 2:', '', '```python', '>>> 1 + 2', '3', '```', '']
    """
    for paragraph in text.strip("\n").split("\n\n"):
        lines = paragraph.strip("\n").split("\n")
        is_example = lines[0].startswith(">>>")
        yield from (*(["```python"] if is_example else []), *lines)
        yield from (*(["```"] if is_example else []), "")


def _option(option: Option) -> str:
    default = "" if option.default is None else f" (`{json.dumps(option.default)}` unless given)"
    return f"  - `{option.name}`{default}: {option.schema['description']}"


if __name__ == "__main__":
    sys.stdout.write(reference())
