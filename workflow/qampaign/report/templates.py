"""The templates of pages. Everything that they are given is text, and escaped."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

import jinja2
from jinja2.bccache import Bucket

FOLDER = Path(__file__).with_name("__pycache__") / "templates"
"""What was compiled once is kept here, beside the compiled modules, if that can be written."""


class _Kept(jinja2.FileSystemBytecodeCache):
    """Templates compiled before. Where none can be kept, each process compiles its own."""

    def load_bytecode(self, bucket: Bucket) -> None:
        with suppress(OSError):
            super().load_bytecode(bucket)

    def dump_bytecode(self, bucket: Bucket) -> None:
        with suppress(OSError):
            FOLDER.mkdir(parents=True, exist_ok=True)
            super().dump_bytecode(bucket)


def load(
    name: str,
    *,
    filters: Mapping[str, Callable[..., object]] | None = None,
    names: Mapping[str, object] | None = None,
) -> jinja2.Template:
    """A template of this package, and those that it includes, with filters and names of its own."""
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("qampaign.report", "."),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
        bytecode_cache=_Kept(str(FOLDER)),
    )
    environment.filters.update(filters or {})
    environment.globals.update(names or {})
    return environment.get_template(name)
