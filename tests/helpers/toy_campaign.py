"""A toy campaign in a folder, for the tests of what happens to raw files."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import duckdb
import pytest

from qampaign.input.collection_files import CollectionFiles
from qampaign.input.ingest import ingest
from qampaign.problems import Refused

HEADING = "Nothing was loaded; earlier results are as they were."

FILES = {
    "questions.csv": "question,type\nq1,factoid\nq2,list\n",
    "runs/a.csv": "question,answer\nq1,Paris\nq2,blue\n",
    "runs/b.csv": "question,answer\nq1,Rome\nq2,\n",
    "assessments.csv": "question,answer,label\nq1,Paris,R\nq1,Rome,W\nq2,blue,R\n",
    "info.csv": "run,team\na,Alpha\nb,Beta\n",
}


@dataclass
class Campaign:
    """Two runs over two questions; `write` changes files, `ingest` brings the database up to date."""

    folder: Path
    files: CollectionFiles = field(init=False)

    def __post_init__(self) -> None:
        self.files = CollectionFiles(
            collection="toy",
            folder=str(self.folder / "data"),
            paths={
                "questions": ["questions.csv"],
                "responses": ["runs/*"],
                "assessments": ["assessments*"],
                "runs": ["info.csv"],
            },
            labels={"R": "right", "W": "wrong"},
        )

    def write(self, files: Mapping[str, str | bytes | None]) -> None:
        """Write files under the campaign's folder; None deletes one."""
        for name, content in files.items():
            path = Path(self.files.folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            if content is None:
                path.unlink()
            else:
                path.write_bytes(content.encode() if isinstance(content, str) else content)

    def change(self, **fields: Any) -> None:
        """Change the description of the collection's files."""
        self.files = replace(self.files, **fields)

    @property
    def database(self) -> Path:
        return self.folder / "results" / "campaign.duckdb"

    @property
    def problems_csv(self) -> Path:
        return self.folder / "results" / "problems.csv"

    def ingest(self, *others: CollectionFiles, code: str = "1", **how: bool) -> tuple[int, int]:
        """The number of files that were read, and of those that were not."""
        counts, _ = ingest(
            [self.files, *others],
            database=self.database,
            fingerprints=self.folder / "results" / "fingerprints",
            problems_csv=self.problems_csv,
            code=code,
            **how,
        )
        return counts["read"], counts["unchanged"]

    def refusal(self, *others: CollectionFiles) -> list[str]:
        """The problems that a refusal shows, a line each."""
        with pytest.raises(Refused) as refused:
            self.ingest(*others)
        heading, *lines, csv = str(refused.value).splitlines()
        assert heading.endswith(HEADING)
        assert csv == f"All of them: {self.problems_csv}"
        return [line.removeprefix("  ") for line in lines]

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """What the database answers."""
        with duckdb.connect(str(self.database), read_only=True) as connection:
            return connection.sql(query).fetchall()

    def content(self) -> dict[str, list[tuple[Any, ...]]]:
        """Everything in the database: the rows of each table, sorted."""
        tables = [name for (name,) in self.rows("SELECT table_name FROM duckdb_tables()")]
        rows = {name: self.rows(without_states(name)) for name in sorted(tables)}
        return {name: sorted(each, key=repr) for name, each in rows.items()}

    def fingerprints(self) -> dict[str, tuple[str, int]]:
        """Each fingerprint with its text and the time it was written."""
        folder = self.folder / "results" / "fingerprints"
        return {
            str(path.relative_to(folder)): (path.read_text(), path.stat().st_mtime_ns)
            for path in sorted(folder.rglob("*"))
            if path.is_file()
        }


def without_states(table: str) -> str:
    """A query for a table without what differs where equal files are other files."""
    return f'SELECT {"* EXCLUDE (state)" if table == "sources" else "*"} FROM "{table}"'
