"""The config file: its structure, and the lines to which messages point."""

import difflib
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import jsonschema
import yaml

from qampaign.problems import Problems, printable

UNKNOWN_KEY = "is an unknown key"

SCHEMA = Path(__file__).parent.parent / "schemas" / "config.schema.yaml"


def check_structure(
    config: Mapping[str, Any], places: "Places", kinds: Mapping[str, Sequence[str]]
) -> None:
    """Check the config against the schema; `kinds` gives the options of what has a kind."""
    schema = yaml.safe_load(SCHEMA.read_text(encoding="utf-8"))
    validator = jsonschema.Draft202012Validator(schema)
    for error in validator.iter_errors(config):
        at = tuple(error.absolute_path)
        assert isinstance(error.schema, dict)
        allowed = error.schema.get("description", "")
        if error.validator == "additionalProperties":
            own = kinds.get(error.instance.get("kind"), error.schema["properties"])
            for key in error.instance:
                if key not in error.schema["properties"]:
                    places.refuse((*at, key), UNKNOWN_KEY, suggest(key, own))
        elif error.validator == "required":
            for key in error.schema["required"]:
                if key not in error.instance:
                    described = error.schema["properties"][key].get("description", "")
                    places.refuse(at, f"has no {key}", f"{key}: {described}")
        else:
            value = error.instance
            shown = (
                value if isinstance(value, str) else yaml.safe_dump(value, default_flow_style=True)
            )
            places.refuse(at, "is not allowed", allowed, shown.removesuffix("...\n").strip())


class Places:
    """Finds the line of a key in the files that the config came from, and notes problems there."""

    def __init__(self, files: Sequence[Path]) -> None:
        self.problems = Problems()
        self._refused: set[tuple[Any, ...]] = set()
        self._unknown: set[tuple[Any, ...]] = set()
        self._lines: dict[tuple[Any, ...], tuple[str, int]] = {}
        self._file = _shown(files[0]) if files else "config"
        for file in files:
            root = yaml.compose(file.read_text(encoding="utf-8"))
            if root is not None:
                self._walk(_shown(file), root, ())

    def refuse(
        self, at: tuple[Any, ...], problem: str, allowed: str = "", value: str | None = None
    ) -> None:
        """Note a problem of the key at the path `at`."""
        if problem == UNKNOWN_KEY:
            self._unknown.add(at)
        else:
            self._refused |= {at[:n] for n in range(len(at) + 1)}
        known = next((at[:n] for n in range(len(at), 0, -1) if at[:n] in self._lines), None)
        file, line = self._lines[known] if known else (self._file, None)
        key = printable(".".join(map(str, at))) or "the config"
        self.problems.add(
            file=file, line=line, problem=f"in {key} {problem}" if value else f"{key} {problem}",
            allowed=allowed, value=value,
        )  # fmt: skip

    def is_sound(self, *at: Any) -> bool:
        """Whether what stands at the path `at` can be checked further, unknown keys aside."""
        return at not in self._refused

    def is_unknown(self, *at: Any) -> bool:
        """Whether the key at the path `at` is told to be unknown."""
        return at in self._unknown

    def _walk(self, file: str, node: yaml.Node, at: tuple[Any, ...]) -> None:
        self._lines[at] = (file, node.start_mark.line + 1)
        if isinstance(node, yaml.MappingNode):
            seen: set[str] = set()
            for key, value in node.value:
                below = (*at, str(key.value))
                self._walk(file, value, below)
                self._lines[below] = (file, key.start_mark.line + 1)
                if str(key.value) in seen:
                    self.refuse(below, "stands there twice", "each key once")
                seen.add(str(key.value))
        elif isinstance(node, yaml.SequenceNode):
            for number, value in enumerate(node.value):
                self._walk(file, value, (*at, number))


def with_text_keys(value: Any) -> Any:
    """The config with text for keys: YAML reads 1 as a number, yes and no as true and false."""
    if isinstance(value, Mapping):
        return {text: with_text_keys(each) for key, each in value.items() for text in _texts(key)}
    if isinstance(value, list | tuple):
        return [with_text_keys(each) for each in value]
    return value


def _texts(key: Any) -> Iterator[str]:
    if isinstance(key, bool):
        words = ("true", "yes") if key else ("false", "no")
        yield from (*words, *(word.capitalize() for word in words))
    else:
        yield str(key)


def suggest(word: str, known: Collection[str]) -> str:
    """What is allowed instead of a word, the most like it first."""
    close = difflib.get_close_matches(str(word), known, n=1)
    return (f"{close[0]} (close), or " if close else "") + ", ".join(known)


def _shown(file: Path) -> str:
    """A path as short as it can be told."""
    resolved, here = file.resolve(), Path.cwd()
    return str(resolved.relative_to(here) if resolved.is_relative_to(here) else resolved)
