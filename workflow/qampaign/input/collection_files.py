"""The raw files of a collection and how they are read: one object, from the config to the rows.

An option is declared here, with the tables whose rows it decides. From the config it is filled in
by :mod:`qampaign.config.ingest_params`, and it travels to the job as plain values.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from qampaign.input.input_tables import table_of
from qampaign.input.published_figures import FigureNames
from qampaign.values import UNPACKED_GB

DECIDES = "decides"


def _decides(*tables: str) -> dict[str, tuple[str, ...]]:
    """The mark of an option that decides what the rows of some tables are."""
    return {DECIDES: tables}


@dataclass(frozen=True)
class CollectionFiles:
    """The raw files of a collection, and how they are to be read."""

    collection: str
    folder: str
    """Where relative paths start."""
    paths: Mapping[str, Sequence[str]]
    """For each table its files or glob patterns."""

    labels: Mapping[str, str] = field(default_factory=dict, metadata=_decides("assessments"))
    """Codes of the campaign, each with the verdict it stands for."""
    verdicts: Mapping[str, Mapping[str, str]] = field(
        default_factory=dict, metadata=_decides("verdicts")
    )
    """For each judge that brings its verdicts in files, its codes."""
    validation: bool = field(
        default=False, metadata=_decides("responses", "assessments", "verdicts")
    )
    """Whether items are validated: answers and labels are yes or no."""
    levels: Sequence[str] = field(default=(), metadata=_decides("assessments", "verdicts", "keys"))
    """The levels that measures have a gain for; none: any level."""
    probabilities: Sequence[str] = field(default=(), metadata=_decides("responses"))
    """The measures that take confidences (scores, for validation) for probabilities."""
    ranked: bool = field(default=False, metadata=_decides("responses"))
    """Whether a measure looks beyond the first answer: then the order of rows can be their rank."""
    by_line: bool = field(default=False, metadata=_decides("responses"))
    """Whether it matters in which line a response stands: for ties, or for what-if runs."""
    by_key: bool = field(default=False, metadata=_decides("questions"))
    """Whether answers are judged by a key, which goes by the language of a question."""

    skip_unknown_questions: bool = False
    language: str = "en"
    """That of questions which do not name theirs."""
    key_reads: Mapping[str, bool] = field(default_factory=dict)
    """Whether a judge by key reads numbers, and dates."""
    needs: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Columns that the files must have, each with the measures that need it."""
    figures: Sequence[str] = ()
    """Files or glob patterns of figures that were published elsewhere: checked, not loaded."""
    figure_names: FigureNames = field(default_factory=FigureNames)
    """The names that such figures can have; of runs, those that no file gives."""
    compared: Sequence[str] = ()
    """Runs that planned comparisons name, of those that files must give."""
    unpacked_gb: float = UNPACKED_GB
    """How many gigabytes a packed file may stand for; no reason to read one again."""

    def params(self) -> dict[str, Any]:
        """The same as plain values, such as a rule's params can be."""
        return asdict(self)

    @classmethod
    def of(cls, params: Mapping[str, Any]) -> "CollectionFiles":
        """What was made into params."""
        return cls(**{**params, "figure_names": FigureNames(**params["figure_names"])})

    def labels_of(self, table: str) -> dict[str, str]:
        """The codes in the files of a table."""
        name, _, judge = table.partition("/")
        return dict(self.verdicts[judge] if name == "verdicts" else self.labels)

    def deciding(self, table: str) -> str:
        """The options that decide what the rows of a table are, as text."""
        name = table_of(table)
        options = {
            option.name: getattr(self, option.name)
            for option in fields(self)
            if name in option.metadata.get(DECIDES, ())
        }
        if name == "verdicts":
            options["verdicts"] = self.labels_of(table)  # not those of other judges
        return json.dumps(options, sort_keys=True)
