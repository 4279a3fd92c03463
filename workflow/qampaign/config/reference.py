"""The page of the config's keys, and tables of other pages, made from the declarations.

`python -m qampaign.config.reference` writes docs/config.md and the tables in docs/judges.md and
docs/studies.md.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from qampaign.agreement.settings import COMPARISONS
from qampaign.config.schema import OF_EVERY_JUDGE, own_options, resolve, schema
from qampaign.judging.judges import JUDGES, Judge, judges_in_order
from qampaign.options import Option, Schema, Settings
from qampaign.studies.study import STUDIES

PROJECT = Path(__file__).parents[3]

PAGES = ("judges.md", "studies.md")
"""Pages with a table between comments, under docs/."""

HEAD = """# The config

Made from the declarations by `make docs`. A key that is not listed here is an error, and so is a
value that is not allowed: both are reported with their line before anything runs. Paths and glob
patterns are relative to the config file.
"""


OF_CAMPAIGN = ("limits", "overall")
"""Keys of the campaign that hold others, and are not described further below."""

OF_THEIR_OWN = ("judges", "measures", "studies")
"""Keys of a collection that are described further below."""


def reference() -> str:
    """Every key: what it holds and what it is unless given."""
    whole = schema()
    collection = whole["$defs"]["collection"]["properties"]
    lines = [
        HEAD,
        "## The campaign",
        "",
        *_table(whole["properties"]),
        "",
        *_blocks({key: whole["properties"][key] for key in OF_CAMPAIGN}),
        "## A collection",
        "",
        "`defaults:` may hold any of these keys for all collections.",
        "",
        *_table(collection),
        "",
        "A key with files, here and as `files` of a judge, is a path, a list of paths, or "
        "`{files: …}` with the keys below; `published` accepts only paths:",
        "",
        *_table(whole["$defs"]["files"]["then"]["properties"]),
        "",
        *_blocks({key: entry for key, entry in collection.items() if key not in OF_THEIR_OWN}),
        "## Judges",
        "",
        "Each judge has a name, a `kind` and the options of that kind. `correct`, `ties` and "
        "`unassessed` are the collection's unless a judge sets them. Every judge also accepts "
        "`corrected_by`: " + OF_EVERY_JUDGE["corrected_by"]["description"] + ".",
        "",
        *(line for judge in judges_in_order() for line in _judge(judge)),
        "## Measures",
        "",
        "A measure is named, or named with options: `- mrr: {cutoff: 10}`. Wherever the config "
        "names one, its label works too: `c@1` is `c_at_1`. Every measure also "
        "takes `name` (its name in the tables) and `label` (what the report calls it). "
        "[measures.md](measures.md) has all measures with their options.",
        "",
        "## Studies",
        "",
        "A collection that names studies gets only those; `studies: {}` turns all off. `judges` "
        "lists the judges whose scores are studied, the reference unless given. `agreement` and "
        "`correlation` are always made.",
        "",
        *(line for study in (*STUDIES.values(), *COMPARISONS.values()) for line in _study(study)),
    ]
    return "\n".join(lines)


def _blocks(keys: Mapping[str, Schema]) -> Iterator[str]:
    """A table of the keys within each of some keys, and within those, however deep."""
    for name, key in keys.items():
        for words, inner in _within(f"`{name}`", resolve(key)):
            yield from (f"{words}:", "", *_table(inner), "")
            yield from _blocks(
                {f"{name}.{inner_name}": inner_key for inner_name, inner_key in inner.items()}
            )


def _within(words: str, key: Schema) -> Iterator[tuple[str, Mapping[str, Schema]]]:
    """The keys that a value may have, itself or its entries, with words for what has them."""
    if "properties" in key:
        yield words, key["properties"]
    others = [key["else"]] if "else" in key else []
    others += [key["then"]] if words == "`logs`" and "then" in key else []  # unlike other files
    for form in (*key.get("anyOf", ()), *others):
        yield from _within(words, resolve(form))
    for entries in ("items", "additionalProperties"):
        if isinstance(key.get(entries), dict):
            yield from _within(f"An entry of {words}", resolve(key[entries]))


def tables() -> dict[str, str]:
    """The tables of PAGES by their names there."""
    judges = [
        (f"`{judge.kind}`", judge.summary.rstrip("."), _listed(own_options(judge)))
        for judge in judges_in_order()
    ]
    studies = [
        (f"`{study.name}`", study.summary, _listed(_described(study.options)))
        for study in STUDIES.values()
    ]
    return {
        "judges": _rows(("kind", "judges by", "options"), judges),
        "studies": _rows(("study", "asks", "settings"), studies),
    }


def with_tables(text: str) -> str:
    """A text whose tables, between comments with their names, are those of the declarations."""
    for name, table in tables().items():
        begin, end = f"<!-- {name}: made by make docs -->\n", f"<!-- end of {name} -->"
        before, marked, rest = text.partition(begin)
        if marked:
            text = f"{before}{begin}{table}\n{end}{rest.partition(end)[2]}"
    return text


def _judge(judge: Judge) -> Iterator[str]:
    yield from (f"### {judge.kind}", "", judge.summary)
    tasks = " and ".join(judge.tasks)
    by = "files of its own" if judge.has_files else f"the collection's `{judge.by}`"
    by = "the collection's `logs`" if judge.by == "logged" else by
    package = JUDGES.package_of(judge.kind)
    origin = "" if package == "qampaign" else f" From the package `{package}`."
    others = ", ".join(f"`{name}`" for name in judge.overriding)
    also = f" Also accepts {others}." if others else ""
    yield from (f"By {by}, for {tasks}.{also}{origin}", "")
    if options := own_options(judge):
        yield from (*_table(options), "")


def _study(study: Settings) -> Iterator[str]:
    yield from (f"### {study.name}", "", study.summary, "")
    yield from (*_table(_described(study.options)), "")


def _described(options: Mapping[str, Option]) -> dict[str, Schema]:
    return {name: option.described for name, option in options.items()}


def _table(keys: Mapping[str, Schema]) -> list[str]:
    rows = []
    for name, key in keys.items():
        full = resolve(key)
        default = full.get("default")
        shown = "" if default in (None, [], {}) else f"`{_flow(default)}`"
        rows.append((f"`{name}`", shown, full.get("description", "")))
    return _rows(("key", "default", "holds"), rows).splitlines()


def _listed(keys: Mapping[str, Schema]) -> str:
    """Options in a cell of a table, with what they are unless given."""
    listed = []
    for name, key in keys.items():
        default = key.get("default")
        listed.append(f"`{name}`" + ("" if default in (None, []) else f" ({_flow(default)})"))
    return ", ".join(listed)


def _flow(value: object) -> str:
    """A value as a config would have it, in one line.

    >>> _flow([0.95, 4.0, "NIL", {"S": 3}, False])
    '[0.95, 4, NIL, {S: 3}, false]'
    """
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{key}: {_flow(inner)}' for key, inner in value.items())}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_flow, value))}]"
    if isinstance(value, float):
        return f"{value:g}"
    return value if isinstance(value, str) else json.dumps(value)


def _rows(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    """A table in Markdown."""
    every = [head, ("---",) * len(head), *rows]
    return "\n".join(
        f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |" for row in every
    )


if __name__ == "__main__":
    (PROJECT / "docs" / "config.md").write_text(reference(), encoding="utf-8")
    for name in PAGES:
        path = PROJECT / "docs" / name
        path.write_text(with_tables(path.read_text(encoding="utf-8")), encoding="utf-8")
