"""The config file: its structure, and the lines to which messages point."""

import math
import re
from collections.abc import Collection, Mapping, Sequence
from functools import reduce
from operator import getitem
from pathlib import Path
from typing import Any

import jsonschema
import yaml

from qampaign.config.schema import Config, schema
from qampaign.options import Schema
from qampaign.problems import Problems, nearest, printable

MERGED = "tag:yaml.org,2002:merge"

KeyPath = tuple[str | int, ...]
"""The keys and list numbers that lead to a value of the config."""


def check_structure(config: Config, faults: "ConfigFaults") -> None:
    """Check the config against the schema.

    Where a text is wanted, the config gets it as its file spells it: yes, not true.
    """
    validator = jsonschema.Draft202012Validator(schema())
    _spell_texts(config, faults, validator)
    _refuse_infinite(config, faults)
    for error in validator.iter_errors(config):
        at = tuple(error.absolute_path)
        assert isinstance(error.schema, dict)
        allowed = describe(error.schema)
        if error.validator == "additionalProperties":
            known, others = error.schema["properties"], error.schema.get("patternProperties", {})
            owner = error.schema.get("title")
            problem = f"is no option of {owner}" if owner else "is an unknown key"
            for key in error.instance:
                if key not in known and not any(re.search(pattern, key) for pattern in others):
                    faults.refuse((*at, key), problem, suggest(key, known), hides=False)
        elif error.validator == "required":
            for key in error.schema["required"]:
                if key not in error.instance:
                    described = describe(error.schema["properties"][key])
                    faults.refuse(at, f"has no {key}", f"{key}: {described}")
        elif error.validator == "enum" and "description" not in error.schema:
            faults.refuse(
                at,
                "is not allowed",
                suggest(error.instance, error.schema["enum"]),
                str(error.instance),
            )
        elif error.validator == "uniqueItems":
            _refuse_twice(error.instance, at, faults, allowed)
        elif error.validator == "minItems" and not error.instance:
            faults.refuse(at, "is an empty list", allowed)
        else:
            faults.refuse(at, "is not allowed", allowed, _as_yaml(error.instance))


def _refuse_twice(items: Sequence[Any], at: KeyPath, faults: "ConfigFaults", allowed: str) -> None:
    """Refuse what stands in a list a second time."""
    for number, item in enumerate(items):
        if item in items[:number]:
            faults.refuse((*at, number), "is there twice", allowed, _as_yaml(item))


def _as_yaml(value: object) -> str:
    """A value of the config on one line."""
    if isinstance(value, str):
        return value
    return yaml.safe_dump(value, default_flow_style=True).removesuffix("...\n").strip()


def describe(schema: Schema) -> str:
    """What a value may be, for messages."""
    described: str = schema.get("description") or ", ".join(schema.get("enum", []))
    return described


def _spell_texts(
    config: Config, faults: "ConfigFaults", validator: jsonschema.Draft202012Validator
) -> None:
    """Put the text of the file where a text is wanted and YAML read a word as something else."""
    errors = list(validator.iter_errors(config))
    for error in errors:
        errors += error.context or ()  # what keeps each of several ways from fitting
        *above, last = error.absolute_path or [""]
        text = faults.text((*above, last), error.instance)
        assert isinstance(error.schema, dict)
        of_text = error.validator == "type" and error.schema["type"] == "string"
        if text is not None and (of_text or text in error.schema.get("enum", [])):
            parent: Any = reduce(getitem, above, config)
            parent[last] = text


def _refuse_infinite(value: object, faults: "ConfigFaults", at: KeyPath = ()) -> None:
    """Refuse numbers that are none, or without end: no limit would hold them."""
    if isinstance(value, float) and not math.isfinite(value):
        faults.refuse(at, "is not a finite number", "a finite number", str(value))
    below = value.items() if isinstance(value, Mapping) else ()
    for key, inner in enumerate(value) if isinstance(value, list) else below:
        _refuse_infinite(inner, faults, (*at, key))


class ConfigFaults:
    """Finds the line of a key in the files that the config came from, and notes problems there."""

    def __init__(self, files: Sequence[Path]) -> None:
        self.problems = Problems()
        self._refused: set[KeyPath] = set()
        self._lines: dict[KeyPath, tuple[str, int]] = {}
        self._names: dict[tuple[KeyPath, object], str] = {}
        self._texts: dict[KeyPath, tuple[str, object]] = {}
        self._file = _shown(files[0]) if files else "config"
        for file in files:
            root = yaml.compose(file.read_text(encoding="utf-8"))
            if root is not None:
                self._walk(_shown(file), root, ())

    def refuse(
        self,
        at: KeyPath,
        problem: str,
        allowed: str = "",
        value: str | None = None,
        *,
        hides: bool = True,
    ) -> None:
        """Note a problem of the key at the path `at`.

        Unless it `hides` others, what stands around the key is checked further.
        """
        if hides:
            self._refused |= {at[:n] for n in range(len(at) + 1)}
        known = next((at[:n] for n in range(len(at), 0, -1) if at[:n] in self._lines), None)
        file, line = self._lines[known] if known else (self._file, None)
        key = printable(".".join(map(str, at))) or "the config"
        self.problems.add(
            file=file, line=line, problem=f"in {key} {problem}" if value else f"{key} {problem}",
            allowed=allowed, value=value,
        )  # fmt: skip

    def is_given(self, at: KeyPath) -> bool:
        """Whether a file says something at the path `at`."""
        return at in self._lines

    def is_sound(self, *at: str | int) -> bool:
        """Whether what stands at the path `at` can be checked further, unknown keys aside."""
        return at not in self._refused

    def name(self, at: KeyPath, key: object) -> str:
        """A key below the path `at` as its file spells it: YAML reads yes as true, and 010 as 8."""
        as_read = str(key).lower() if isinstance(key, bool) or key is None else str(key)
        return self._names.get((at, key), as_read)

    def is_spelled(self, at: KeyPath, key: object) -> bool:
        """Whether a file says how a key below the path `at` is spelled."""
        return (at, key) in self._names

    def text(self, at: KeyPath, value: object) -> str | None:
        """The value at the path `at` as its file spells it, if it stands in one."""
        text, read = self._texts.get(at, (None, None))
        return text if type(read) is type(value) and read == value else None

    def _walk(self, file: str, node: yaml.Node, at: KeyPath) -> None:
        if isinstance(node, yaml.MappingNode):
            pairs = [(key, value) for key, value in node.value if key.tag != MERGED]
            for _, merged in (pair for pair in node.value if pair[0].tag == MERGED):
                nodes = merged.value if isinstance(merged, yaml.SequenceNode) else [merged]
                for inner in nodes:
                    self._walk(file, inner, at)
            self._walk_keys(file, pairs, at)
        elif isinstance(node, yaml.SequenceNode):
            for number, value in enumerate(node.value):
                self._walk(file, value, (*at, number))
        elif isinstance(node, yaml.ScalarNode):
            self._texts[at] = (node.value, _read(node))
        self._lines[at] = (file, node.start_mark.line + 1)

    def _walk_keys(
        self, file: str, pairs: Sequence[tuple[yaml.Node, yaml.Node]], at: KeyPath
    ) -> None:
        """Look at the keys of a mapping; two that are one to YAML would hide a value."""
        seen: dict[object, str] = {}
        for key, value in pairs:
            text = str(key.value)
            below = (*at, text)
            self._walk(file, value, below)
            self._lines[below] = (file, key.start_mark.line + 1)
            read = _read(key) if isinstance(key, yaml.ScalarNode) else text
            if seen.get(read) == text:
                self.refuse(below, "is there twice", "each key once")
            elif read in seen:
                problem = f"is the same as {seen[read]} to YAML"
                self.refuse(below, problem, "each key once; in quotes they are texts")
            seen[read] = text
            self._names[at, read] = text


def _read(node: yaml.ScalarNode) -> object:
    """What YAML makes of a scalar."""
    return yaml.SafeLoader("").construct_object(node)


def as_spelled(value: Any, faults: ConfigFaults, at: KeyPath = ()) -> Any:
    """The config with text for keys, each as its file spells it."""
    if isinstance(value, Mapping):
        for key in value:
            if isinstance(key, bool) and not faults.is_spelled(at, key):
                problem = f"has a key that YAML reads as {str(key).lower()}"
                faults.refuse(at, problem, 'a key in quotes, such as "Yes"')
        named = {faults.name(at, key): inner for key, inner in value.items()}
        return {name: as_spelled(inner, faults, (*at, name)) for name, inner in named.items()}
    if isinstance(value, list | tuple):
        return [as_spelled(inner, faults, (*at, n)) for n, inner in enumerate(value)]
    return value


def suggest(word: str, known: Collection[str]) -> str:
    """What is allowed instead of a word, the most like it first."""
    return nearest(word, known) + ", ".join(known)


def _shown(file: Path) -> str:
    """A path in its shortest form."""
    resolved, here = file.resolve(), Path.cwd()
    return str(resolved.relative_to(here) if resolved.is_relative_to(here) else resolved)
