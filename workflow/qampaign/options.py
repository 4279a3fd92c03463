"""Options of judges, measures and studies, read from the signatures that declare them.

An argument is an option that the config may set where its annotation describes it:

    threshold: Annotated[float, Limits(minimum=0, maximum=1), "a number from 0 to 1"] = 0.25

The config's checks and the reference pages are made from that.
"""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

Schema = dict[str, Any]
"""What a value may be, as JSON Schema."""

Options = Mapping[str, Any]
"""What is set of a judge, a measure or a study, by name."""

TYPES = {bool: "boolean", int: "integer", float: "number", str: "string"}


class Limits:
    """What is allowed beside the type of an option, in the keywords of JSON Schema."""

    def __init__(self, **keywords: object) -> None:
        self.keywords = keywords


Share = Annotated[float, Limits(minimum=0, maximum=1)]
"""A number from 0 to 1."""


@dataclass(frozen=True)
class Option:
    """What the config may set."""

    name: str
    schema: Schema
    """What it may be, as JSON Schema, with a description."""
    default: Any
    """What it is unless given; None: nothing."""

    @property
    def described(self) -> Schema:
        """The schema with the default, if it has one."""
        return self.schema | ({} if self.default is None else {"default": self.default})


@dataclass(frozen=True)
class Settings:
    """What the config may set of a study or a comparison."""

    name: str
    summary: str
    """What it asks."""
    options: Mapping[str, Option]

    @property
    def defaults(self) -> dict[str, Any]:
        """The options as they are unless given."""
        return {name: option.default for name, option in self.options.items()}


def options_of(*declaring: Callable[..., object]) -> dict[str, Option]:
    """The options in the signatures of functions or data classes, by name.

    Two signatures may share an option if its default is the same. A name that Python reserves is
    spelled with an underscore after it.

    >>> def stop(*, after: Annotated[int, Limits(minimum=1), "a whole number from 1"] = 5): ...
    >>> options_of(stop)["after"].described
    {'type': 'integer', 'minimum': 1, 'description': 'a whole number from 1', 'default': 5}
    """
    options: dict[str, Option] = {}
    for function in declaring:
        hints = get_type_hints(function, include_extras=True)
        for argument in inspect.signature(function).parameters.values():
            hint = hints.get(argument.name)
            if hint is None or not any(isinstance(note, str) for note in _metadata(hint)):
                continue
            name = argument.name.rstrip("_")
            if argument.default is argument.empty:
                raise ValueError(f"the option {name} has no default")
            option = Option(name, schema_of(hint), _as_data(argument.default))
            if options.setdefault(name, option).default != option.default:
                raise ValueError(f"the option {name} has two defaults")
    return options


def arguments_for(function: Callable[..., object], options: Options) -> dict[str, Any]:
    """Options under the names of a function's arguments; those it does not have stay as they are.

    >>> def draw(*, from_: int): ...
    >>> arguments_for(draw, {"from": 3, "step": 1})
    {'from_': 3, 'step': 1}
    """
    names = inspect.signature(function).parameters
    return {f"{name}_" if f"{name}_" in names else name: value for name, value in options.items()}


def schema_of(hint: object) -> Schema:
    """The JSON Schema of a type that a config can hold; None stands for an option not given.

    >>> schema_of(Annotated[Sequence[float] | None, Limits(minItems=1), "some numbers"])
    {'type': 'array', 'items': {'type': 'number'}, 'minItems': 1, 'description': 'some numbers'}
    """
    if get_origin(hint) is Annotated:
        schema = schema_of(get_args(hint)[0])
        for note in _metadata(hint):
            if isinstance(note, str):
                schema["description"] = note
            elif isinstance(note, Limits):
                schema |= note.keywords
        return schema
    origin, inside = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        kept = [kind for kind in inside if kind is not NoneType]
        if len(kept) == 1:
            return schema_of(kept[0])
    elif origin is Literal:
        return {"enum": list(inside)}
    elif hint in TYPES:
        return {"type": TYPES[hint]}
    elif isinstance(origin, type) and issubclass(origin, Mapping):
        return {"type": "object", "additionalProperties": schema_of(inside[1])}
    elif isinstance(origin, type) and issubclass(origin, Sequence):
        return {"type": "array", "items": schema_of(inside[0])}
    raise TypeError(f"{hint} is not a type that a config can hold")


def _metadata(hint: Any) -> tuple[object, ...]:
    return hint.__metadata__ if get_origin(hint) is Annotated else ()


def _as_data(value: object) -> object:
    """A default as a config would hold it: lists, not tuples."""
    if isinstance(value, tuple):
        return [_as_data(element) for element in value]
    return dict(value) if isinstance(value, Mapping) else value
