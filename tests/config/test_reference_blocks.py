"""The page of the config's keys has every key, however deep."""

from collections.abc import Iterator
from typing import Any

from qampaign.config.reference import OF_THEIR_OWN, reference
from qampaign.config.schema import resolve, schema


def keys_within(key: dict[str, Any]) -> Iterator[str]:
    """The names of all keys that a value may hold."""
    for name, inner in key.get("properties", {}).items():
        yield name
        yield from keys_within(resolve(inner))
    forms = [*key.get("anyOf", []), *key.get("oneOf", [])]
    forms += [
        key[name] for name in ("else", "then", "items", "additionalProperties") if name in key
    ]
    for form in forms:
        if isinstance(form, dict):
            yield from keys_within(resolve(form))


def test_every_key_has_a_row() -> None:
    whole = schema()
    page = reference()
    campaign = {
        name: key
        for name, key in whole["properties"].items()
        if name not in ("collections", "defaults")
    }
    collection = whole["$defs"]["collection"]["properties"]
    described = campaign | {k: v for k, v in collection.items() if k not in OF_THEIR_OWN}
    named = {*described} | {
        name for key in described.values() for name in keys_within(resolve(key))
    }
    assert {"weights", "margin", "defaults", "answered", "unpacked_gb"} <= named
    assert [name for name in sorted(named) if f"| `{name}` |" not in page] == []
