"""A file that may be a log: its bytes, and what can be seen of them without knowing the format."""

import codecs
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, cast

import orjson

from qampaign.input.formats import Fault, Unreadable
from qampaign.input.logs.archive import Archive
from qampaign.input.logs.json_values import JsonObject
from qampaign.values import UNPACKED_GB

BOM = b"\xef\xbb\xbf"
SOMETHING = re.compile(rb"\S")

HEAD = 2**20
"""In how many bytes it is seen whether a file is text."""

BROKEN = 100
"""How many broken lines may come before the first row: what the file is, is seen by that."""


class NotJson(ValueError):
    """What is no JSON, and why."""


def parse_json(content: bytes | str) -> Any:
    """A JSON value; bare NaN and Infinity, which Python's writers make, are numbers."""
    try:
        return orjson.loads(content)
    except orjson.JSONDecodeError as error:
        if isinstance(content, bytes) and not any(
            word in content for word in (b"NaN", b"Infinity", b"\\u")
        ):
            raise NotJson(str(error)) from None
    try:
        value = json.loads(content)
        json.dumps(value, ensure_ascii=False).encode()  # half a character cannot be kept
        return value
    except UnicodeEncodeError:
        raise NotJson("half a character, one of \\ud800 to \\udfff") from None
    except (ValueError, RecursionError) as error:
        raise NotJson(str(error)) from None


@dataclass(frozen=True)
class LogFile:
    """A file, and those beside it that belong to it."""

    path: Path
    content: bytes
    beside: Mapping[str, bytes] = field(default_factory=dict)
    """The files beside it that belong to it, by name."""
    unpacked_gb: float = UNPACKED_GB
    """How many gigabytes it may stand for."""

    @property
    def name(self) -> str:
        """Its name, without folders."""
        return self.path.name

    @property
    def is_zip(self) -> bool:
        """Whether it is a zip, complete or not."""
        return self.content[:4] in (b"PK\x03\x04", b"PK\x05\x06")

    @cached_property
    def archive(self) -> Archive:
        """What is packed in it."""
        return Archive(self.content, self.unpacked_gb)

    @cached_property
    def _parsed(self) -> tuple[Any, str]:
        """The JSON value that the whole file is, and why it is none."""
        start = self.content[:64].removeprefix(BOM).lstrip()
        if self.is_zip or start[:1] not in (b"{", b"["):
            return None, ""
        try:
            return parse_json(self.content.removeprefix(BOM)), ""
        except NotJson as error:
            return None, f"is not JSON ({error})"

    @property
    def document(self) -> Any:
        """The JSON object or list that the whole file is; None where it is none."""
        return None if self._has_several_rows else self._parsed[0]

    @property
    def keys(self) -> frozenset[str]:
        """The names in the JSON object that the whole file is; none where it is no object."""
        document = self.document
        return frozenset(document) if isinstance(document, dict) else frozenset()

    @cached_property
    def _has_several_rows(self) -> bool:
        """Whether its first line is a JSON object, and more lines follow."""
        if self.first_row is None:
            return False
        end = self.content.find(b"\n", self._start)
        return end >= 0 and SOMETHING.search(self.content, end) is not None

    @cached_property
    def _start(self) -> int:
        """Where the first line begins in which something stands."""
        match = SOMETHING.search(self.content, len(BOM) if self.content.startswith(BOM) else 0)
        return match.start() if match else len(self.content)

    @cached_property
    def first_row(self) -> JsonObject | None:
        """The JSON object that its first line is, if it is one.

        Where the first line has both braces and is broken, it is the first that is not broken.
        """
        if self.is_zip:
            return None
        start = self._start
        for _ in range(BROKEN):
            if self.content[start : start + 1] != b"{":
                return None
            end = self.content.find(b"\n", start)
            line = self.content[start : end if end >= 0 else None].rstrip()
            try:
                return cast("JsonObject", parse_json(line))
            except NotJson:
                if end < 0 or not line.endswith(b"}"):
                    return None
            start = end + 1
        return None

    @property
    def fault(self) -> Fault | None:
        """Why it cannot be what it looks like; None where that is not known."""
        if not self.content.strip():
            return Fault("is empty", "a file with answers, or one that logs: does not name")
        if not self.is_zip and self.content[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
            return Fault("is UTF-16", "UTF-8")
        if self.first_row is None and self._parsed[1]:
            return Fault(self._parsed[1], "complete JSON, or a JSON object per line")
        if not self.is_zip and (zero := self.content.find(b"\0", 0, HEAD)) >= 0:
            line = self.content.count(b"\n", 0, zero) + 1
            return Fault(f"is not text (a NUL byte in line {line:,})", "UTF-8 text")
        return None

    def rows(self) -> Iterator[tuple[int, JsonObject | Fault]]:
        """Each line with its number: a JSON object, or why it is none. Empty lines are left out."""
        content, view = self.content, memoryview(self.content)
        start, number = len(BOM) if content.startswith(BOM) else 0, 0
        while start < len(content):
            end = content.find(b"\n", start)
            end = len(content) if end < 0 else end
            line, number, start = view[start:end], number + 1, end + 1
            try:
                row = orjson.loads(line)  # a view: lines are not copied
            except orjson.JSONDecodeError:
                row = None
            if isinstance(row, dict):
                yield number, row
                continue
            text = bytes(line)
            if not text.strip():
                continue
            try:
                row = parse_json(text)
            except NotJson as error:
                problem = f"is not JSON ({error})".replace("line 1 column", "column")
                yield number, Fault(problem, "a JSON object per line", number)
                continue
            if isinstance(row, dict):
                yield number, row
            else:
                problem = "is not a JSON object"
                yield number, Fault(problem, "a JSON object per line", number)

    def json_beside(self, name: str) -> Any:
        """The JSON value of a file beside it, None where there is none of that name."""
        if name not in self.beside:
            return None
        try:
            return parse_json(self.beside[name].removeprefix(BOM))
        except NotJson as error:
            raise Unreadable(Fault(f"has {name} beside it, which is not JSON ({error})")) from None
