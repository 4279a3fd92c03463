"""Which column of a file is which of ours: by its name, by the config, or by a name that is common.

What the config says goes first. A file with a column for the system's answer under a common name
(prediction, response, predicted_answer, output) has the gold answer in its column `answer`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import polars as pl

from qampaign.input.file_options import FileOptions
from qampaign.input.formats import (
    NOT_READ,
    READ_AS,
    Fault,
    Source,
    Unreadable,
    found_columns,
)
from qampaign.input.input_tables import INPUT_TABLES, InputTable, table_of
from qampaign.problems import quote

GOLD = "answer"
"""What the gold is called beside a prediction."""

Note = tuple[str, str, int]
"""A column, what is remarked on it, and the number of rows."""


def with_our_names(
    table: str, source: Source, options: FileOptions, *, by_path: bool = False
) -> tuple[Source, list[Note]]:
    """A file with our names for its columns, and remarks on those that it calls otherwise.

    `by_path`: its runs follow from its path. Raises :class:`Unreadable` where two columns could be
    the same one of ours, or where it lacks a column that the config names.
    """
    declared = INPUT_TABLES[table_of(table)]
    columns = source.frame.columns
    faults = [
        Fault(
            f"has no column {quote(theirs)}, which the config takes for {ours}",
            f"columns: with a column of the file; {found_columns(columns)}",
            1,
        )
        for ours, theirs in options.columns.items()
        if theirs not in columns
    ]
    if by_path and "run" in columns:
        problem = "has a column run, and its run is also taken from its path"
        faults.append(Fault(problem, "no run: in the config, or files without that column", 1))
    if faults:
        raise Unreadable(*faults, *source.faults)
    common, displaced = _common_names(declared, columns, options, by_path=by_path)
    if not common and not options.columns:
        return source, []
    meant = {**common, **options.columns}
    height = source.frame.height
    notes = [(theirs, f"{READ_AS}{ours} in {declared.config_key}", height)
             for ours, theirs in common.items()]  # fmt: skip
    for name in columns:
        if name in displaced or (name in options.columns and name not in meant.values()):
            taken = meant.get(name, meant.get("answer", ""))
            text = f"{NOT_READ} {declared.config_key}: {taken} is read instead"
            notes.append((name, text, height))
    return _rename(source, meant), notes


def with_run(table: str, source: Source, run: str | None) -> Source:
    """A file of labels with a column for the run that its path gives; responses need none."""
    if run is None or table == "responses":
        return source
    return replace(source, frame=source.frame.with_columns(run=pl.lit(run)))


def _rename(source: Source, meant: Mapping[str, str]) -> Source:
    """A file with the columns that are ours by our names, and others by theirs."""
    named: dict[str, str] = {}
    for name in source.frame.columns:
        ours = [our_name for our_name, theirs in meant.items() if theirs == name]
        if ours or name not in meant:
            named |= dict.fromkeys(ours or [name], name)
    frame = source.frame.select(pl.col(theirs).alias(name) for name, theirs in named.items())
    nested = {
        name: source.nested[theirs] for name, theirs in named.items() if theirs in source.nested
    }
    return replace(source, frame=frame, nested=nested)


def _common_names(
    declared: InputTable, columns: Sequence[str], options: FileOptions, *, by_path: bool
) -> tuple[dict[str, str], set[str]]:
    """Our columns that the file has under a common name, with that; and what they put aside."""
    free = [name for name in columns if name not in options.columns.values()]
    common: dict[str, str] = {}
    displaced: set[str] = set()
    faults = []
    for column in declared.columns:
        name = column.name
        if name in options.columns or (name == "run" and by_path):
            continue
        aliases = [alias for alias in column.also if alias in free]
        has_own_name = name in free and not (name == GOLD and aliases)
        if name in free and (declared.collected or name == "key"):
            continue  # what else the file has is another column
        if len(aliases) + has_own_name > 1:
            both = " and a column ".join([name] * has_own_name + aliases)
            problem = f"has a column {both}, and each can be its {name}"
            allowed = f"one of them, or columns: {{{name}: {aliases[0]}}} in the config"
            faults.append(Fault(problem, allowed, 1))
        elif aliases:
            common[name] = aliases[0]
            if name in free:
                displaced.add(name)
    if faults:
        raise Unreadable(*faults)
    return common, displaced
