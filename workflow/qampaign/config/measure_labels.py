"""Measures by what papers call them: the config may say `c@1` wherever it says `c_at_1`."""

from collections.abc import Iterable, Mapping
from typing import Any

from qampaign.config.schema import Config
from qampaign.measures import MEASURES
from qampaign.measures.configured import Configured


def with_measure_names(config: Config) -> dict[str, Any]:
    """The config with the names of measures in place of labels, in its lists of measures.

    What cannot be read stays as it is: it is refused where the structure is checked.
    """
    defaults = config.get("defaults")
    usual = defaults.get("task") if isinstance(defaults, Mapping) else None
    named = dict(config)
    if isinstance(defaults, Mapping):
        named["defaults"] = _with_names(defaults, usual)
    if isinstance(config.get("collections"), Mapping):
        named["collections"] = {
            name: _with_names(collection, collection.get("task", usual))
            if isinstance(collection, Mapping)
            else collection
            for name, collection in config["collections"].items()
        }
    return named


def _with_names(section: Config, task: str | None) -> Config:
    if not isinstance(section.get("measures"), list):
        return dict(section)
    names = {
        measure.label: measure.id
        for measure in MEASURES.values()
        if measure.task in (task or "answering", "any")
    }
    return {**section, "measures": [_named(entry, names) for entry in section["measures"]]}


def _named(entry: object, names: Mapping[str, str]) -> object:
    if isinstance(entry, str):
        return _name(entry, names)
    if isinstance(entry, Mapping):
        return {_name(key, names): options for key, options in entry.items()}
    return entry


def _name(label: str, names: Mapping[str, str]) -> str:
    """The name of a declared measure; a name goes before a label."""
    return label if label in MEASURES else names.get(label, label)


def name_of(wanted: str, measures: Iterable[Configured | None]) -> str:
    """The name of a measure of a collection that is called by its name or by its label.

    Where several have the label, or none has, it stays what it is.
    """
    known = [measure for measure in measures if measure is not None]
    labelled = [measure.name for measure in known if measure.label == wanted]
    is_name = any(measure.name == wanted for measure in known)
    return labelled[0] if len(labelled) == 1 and not is_name else wanted
