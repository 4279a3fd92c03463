"""Config files that cannot be read: each is told with its fault and the place of it."""

from pathlib import Path

import pytest

from qampaign.config_files import find_faults
from snakemake_logger_plugin_qampaign import config_files

KEYS = "; allowed: campaign: and collections:, with what they have"


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (
            b"a: 1\n b: 2\n",
            ", line 2, character 3: is not YAML: mapping values are not allowed here",
        ),
        (
            b'a: "x\n',
            ", line 2, character 1: is not YAML: found unexpected end of stream (while scanning a quoted scalar)",
        ),
        (
            b"a: \xff\n",
            ": is not YAML: 'utf-8' codec can't decode byte 0xff in position 3: invalid start byte",
        ),
        (b"", f": is empty{KEYS}"),
        (b"- a\n", f": has no keys at its top level{KEYS}"),
        (None, ": cannot be read: No such file or directory"),
    ],
)
def test_a_fault_is_told_with_its_place(tmp_path: Path, content: bytes | None, fault: str) -> None:
    sound, broken = tmp_path / "sound.yaml", tmp_path / "broken.yaml"
    sound.write_text("campaign: mine\n")
    if content is not None:
        broken.write_bytes(content)
    assert list(find_faults([sound, broken])) == [f"{broken}{fault}"]


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ("--cores 2", ["config.yaml"]),
        ("--configfile a.yaml", ["a.yaml"]),
        ("-n --configfiles a.yaml b.yaml --cores 2", ["a.yaml", "b.yaml"]),
    ],
)
def test_they_are_those_that_the_command_names(arguments: str, named: list[str]) -> None:
    assert config_files(["snakemake", *arguments.split()]) == [Path(each) for each in named]
