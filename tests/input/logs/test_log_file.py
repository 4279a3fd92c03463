"""What is told of a file that is broken where one looks first."""

import json
from pathlib import Path

import pytest

from qampaign.input.formats import Unreadable
from qampaign.input.logs.declaration import recognise
from qampaign.input.logs.log_file import LogFile
from tests.helpers.logs import log_campaign

ITEMS = [json.dumps({"id": str(n), "value": 0.7}) for n in range(1, 5)]


def refused(content: bytes) -> str:
    with pytest.raises(Unreadable) as refusal:
        recognise(LogFile(Path("a.jsonl"), content))
    (fault,) = refusal.value.faults
    return f"{fault.line}: {fault.problem}; {fault.allowed}"


@pytest.mark.slow
def test_a_broken_first_line_does_not_hide_the_other_faults(tmp_path: Path) -> None:
    """Lines 1 and 2 are no JSON, line 4 is outside 0 to 1: each is told with its line."""
    campaign = log_campaign(tmp_path, "logs/*.jsonl")
    campaign.change(validation=True, paths=dict(campaign.files.paths) | {"assessments": []})
    rows = ['{"id": "1", "value": 1e400}', '{"id" "2"}', ITEMS[2], '{"id": "4", "value": 2}']
    campaign.write({
        "logs/a.jsonl": "\n".join(rows),
        "logs/truth.jsonl": "\n".join(json.dumps({"id": str(n), "same": True}) for n in range(1, 5)),
    })  # fmt: skip
    told = sorted(message.partition(": ")[0] for message in campaign.refusal())
    assert told == [f"logs/a.jsonl, line {line}" for line in (1, 2, 4)]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("\n".join(ITEMS).encode("utf-16"), "None: is UTF-16; UTF-8"),
        (
            b"q1 Q0 d1 1 5 a\nq1 Q0 d\0 2 4 a\n",
            "None: is not text (a NUL byte in line 2); UTF-8 text",
        ),
        (b" \n", "None: is empty; a file with answers, or one that logs: does not name"),
    ],
)
def test_what_is_allowed_is_what_cures_the_fault(content: bytes, message: str) -> None:
    """Not the list of all formats: no other format would help."""
    assert refused(content) == message


def test_a_document_over_many_lines_has_no_first_row() -> None:
    """Its first lines may have both braces, and are no rows: the whole is one object."""
    document = {"a": {}, "results": [{"b": 1}]}
    file = LogFile(Path("a.json"), json.dumps(document, indent=1).encode())
    assert file.first_row is None
    assert file.document == document
