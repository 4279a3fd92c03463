"""Write an export: into a folder that is new or empty, whole or not at all."""

import os
import shutil
import uuid
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from qampaign.problems import Refused
from qampaign.publishing.export import FORMATS, eee, tables, trec
from qampaign.publishing.export.publication import Publication, open_publication
from qampaign.results import Results

Writer = Callable[[Publication, Path], list[str]]

WRITERS: Mapping[str, Writer] = dict(
    zip(FORMATS, (eee.write, trec.write, tables.write_csv, tables.write_parquet), strict=True)
)
"""What writes each format into a folder, and gives remarks."""


class Exported(NamedTuple):
    """What was written."""

    folder: Path
    files: int
    remarks: list[str]


def export(results: Results, to: str, folder: Path | None = None) -> Exported:
    """Write results in a format, into a folder that is not there yet or empty.

    Without a folder it is `<campaign>-<format>` in the current one. Raises :class:`Refused`.
    """
    with open_publication(results) as publication:
        target = folder or Path(f"{publication.config['campaign']}-{to}")
        if target.exists() and not (target.is_dir() and not any(target.iterdir())):
            raise Refused(
                f"{target} is there already, and nothing is overwritten; allowed: a new or empty "
                "folder, --out NAME"
            )
        target.parent.mkdir(parents=True, exist_ok=True)
        temporary = target.with_name(f".{target.name}.{uuid.uuid4().hex}.part")
        temporary.mkdir()
        try:
            remarks = WRITERS[to](publication, temporary)
            files = sum(path.is_file() for path in temporary.rglob("*"))
            os.replace(temporary, target)
        finally:
            shutil.rmtree(temporary, ignore_errors=True)
    return Exported(target, files, remarks)
