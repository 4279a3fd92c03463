"""The raw files of a collection and how they are read: one object, from the config to the rows.

An option is declared here, with the tables whose rows it decides. From the config it is filled in
by :mod:`qampaign.config.ingest_params`, and it travels to the job as plain values.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from qampaign.input.file_options import FileOptions
from qampaign.input.input_tables import table_of
from qampaign.input.logs.options import LogOptions
from qampaign.input.logs.tables import LOGS
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
    scales: Mapping[str, Sequence[float]] = field(default_factory=dict, metadata=_decides("scores"))
    """For each judge that brings scores in files, the lowest and the highest there can be."""
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
    file_options: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """For each table what the config says of its files: see :class:`FileOptions`."""
    by_key: bool = field(default=False, metadata=_decides("questions"))
    """Whether answers are judged by a key, which goes by the language of a question."""

    logs: Mapping[str, Any] = field(default_factory=dict, metadata=_decides(LOGS))
    """How the logs are read, if there are any: see :class:`LogOptions`."""

    skip_unknown_questions: bool = False
    missing_is_wrong: bool = False
    """Whether a question without a row counts as wrong: the remark on them says so."""
    language: str = "en"
    """That of questions which do not name theirs."""
    key_reads: Mapping[str, bool] = field(default_factory=dict)
    """Whether a judge by key reads numbers, and dates."""
    needs: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Columns that the files must have, each with the measures that need it."""
    choices: Mapping[str, int] = field(default_factory=dict)
    """Measures that choose among samples, each with how many it takes."""
    unweighted: Sequence[str] = field(default_factory=list)
    """The measures that cannot weigh questions."""
    figures: Sequence[str] = ()
    """Files or glob patterns of figures that were published elsewhere: checked, not loaded."""
    figure_names: FigureNames = field(default_factory=FigureNames)
    """The names that such figures can have; of runs, those that no file gives."""
    compared: Sequence[str] = ()
    """Runs that planned comparisons name."""
    made: Sequence[str] = ()
    """Runs that no file gives: what-if runs and baselines."""
    made_of_each: Sequence[str] = ()
    """Baselines that are made of each run, and called by its name in parentheses."""
    unpacked_gb: float = UNPACKED_GB
    """How many gigabytes a packed file may stand for; no reason to read one again."""

    def params(self) -> dict[str, object]:
        """The same as plain values, such as a rule's params can be."""
        return asdict(self)

    @classmethod
    def of(cls, params: Mapping[str, Any]) -> "CollectionFiles":
        """What was made into params."""
        return cls(**{**params, "figure_names": FigureNames(**params["figure_names"])})

    @property
    def has_logs(self) -> bool:
        """Whether its responses come from logs."""
        return bool(self.paths.get(LOGS))

    @property
    def log_options(self) -> LogOptions:
        """How its logs are read."""
        return LogOptions.of(self.logs)

    def options_of(self, table: str) -> FileOptions:
        """How the files of a table are read."""
        return FileOptions.of(self.file_options.get(table, {}))

    def labels_of(self, table: str) -> dict[str, str]:
        """The codes in the files of a table."""
        name, _, judge = table.partition("/")
        return dict(self.verdicts[judge] if name == "verdicts" else self.labels)

    def scale_of(self, table: str) -> tuple[float, float]:
        """The lowest and the highest number in the files of a table."""
        low, high = self.scales[table.partition("/")[2]]
        return low, high

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
        if name == "scores":
            options["scales"] = self.scale_of(table)
        if name == LOGS:
            options["responses"] = self.deciding("responses")  # they stand in the same file
        options |= self.file_options.get(table, {})
        return json.dumps(options, sort_keys=True)
