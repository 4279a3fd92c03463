"""What a config may leave out and its schema does not say, and names that mean something else."""

from qampaign.input.input_tables import INPUT_TABLES
from qampaign.judging.declaration import OWN_FILES
from qampaign.judging.judges import judges_in_order

MEASURES_OF = {
    "answering": ["accuracy", "c_at_1", "answered", "precision_answered"],
    "validation": ["accuracy", "precision", "recall", "f"],
}
"""The measures of a collection that names none."""

FILES = {table.config_key: name for name, table in INPUT_TABLES.items() if name not in OWN_FILES}
"""The keys that name files, each with the table that the files fill."""

DEFAULT_JUDGES: dict[str, dict[str, dict[str, str]]] = {
    judge.by: {judge.default_name: {"kind": judge.kind}}
    for judge in judges_in_order()
    if judge.default_name
}
"""The judge of a collection that names none: by the first of these files that it has."""

WIDTH = 0.1
"""The width of corrected intervals for which `pool` samples answers, unless given."""

RESERVED = (
    "all",
    "overall",
    "sources",
    "benchmarks",
    "failures",
    "fingerprints",
    "logs",
    "pool",
    "records",
    "report",
)
"""Names that no collection can have: words of the tables, and what stands beside its folder."""
