"""Config files that cannot or must not be read: each is told with its fault and the place of it."""

import os
import socket
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from qampaign.config.config_files import find_faults
from snakemake_logger_plugin_qampaign import guard

ROOT = Path(__file__).parents[2]

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


EVALUATED = (
    "__use_yte__ would have expressions in the config run as code, and a config is data; "
    "allowed: values as they are"
)
TOO_LARGE = (
    "has more than {0:,} kilobytes; allowed: fewer, or a larger number in "
    "limits: {{config_kb: …}}, within the first 1,000 kilobytes"
)


# Ten lists, each of ten times the one before: the aliases of line 5 (a4) come to 10 * 11,111 values.
BOMB = "a0: &a0 [0,0,0,0,0,0,0,0,0,0]\n" + "".join(
    f"a{n}: &a{n} [{','.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 10)
)


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        ("campaign: x\n__use_yte__: true\n", f", line 2: {EVALUATED}"),
        ('a: &a {"\\x5f_use_yte__": 1}\n<<: *a\n', f", line 1: {EVALUATED}"),
        ('{"__use_yte__": true}', f", line 1: {EVALUATED}"),
        (BOMB, ", line 5: the aliases up to here expand to too many values; allowed: 100,000"),
        (
            "a: &a\n  b: *a\n",
            ", line 2: *a is inside the value that it names; allowed: aliases of what is written before",
        ),
        ("a:\n  " + "[" * 400_000, ", line 2: is nested too deep; allowed: 50 levels"),
        ("{a: " * 400_000, f": {TOO_LARGE.format(1000)}"),
        ("{a: " * 200_000, ", line 1: is nested too deep; allowed: 50 levels"),
        ("a: 1" + ":1" * 400_000, ", line 1: a value has 800,001 characters; allowed: 20,000"),
        ("a: 1\n" + "\n" * 1_000_000, f": {TOO_LARGE.format(1000)}"),
        (
            "limits: {config_kb: 1200}\n" + "\n" * 1_200_000,
            f": {TOO_LARGE.format(1200)}",
        ),
        ("a: !!python/name:os.system\n", "python/name:os.system"),
    ],
)
def test_what_would_run_or_never_end_is_refused(tmp_path: Path, content: str, fault: str) -> None:
    config = tmp_path / "config.yaml"
    config.write_text(content)
    (found,) = find_faults([config])
    assert found.startswith(f"{config}")
    assert fault in found


@pytest.mark.parametrize(
    "content",
    [
        "a: &a {runs: x.csv}\nb: {<<: *a}\nc: *a\n",
        "a: " + "[" * 49 + "]" * 49 + "\n",
        pytest.param(
            "campaign: x\nlimits: {unpacked_gb: 1, config_kb: 1200}\n" + "\n" * 1_100_000,
            marks=pytest.mark.slow,
        ),
    ],
)
def test_what_is_within_bounds_is_read(tmp_path: Path, content: str) -> None:
    config = tmp_path / "config.yaml"
    config.write_text(content)
    assert list(find_faults([config])) == []


def test_only_regular_files_are_opened(tmp_path: Path) -> None:
    pipe, folder, link, device, own = (tmp_path / name for name in "pflds")
    os.mkfifo(pipe)  # to open it would wait for a writer
    folder.mkdir()
    link.symlink_to(pipe)
    device.symlink_to("/dev/zero")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(own))
        assert list(find_faults([pipe, folder, link, device, own])) == [
            f"{pipe}: is a named pipe, not a regular file",
            f"{folder}: is a folder, not a regular file",
            f"{link}: is a named pipe, not a regular file",
            f"{device}: is a device, not a regular file",
            f"{own}: is a socket, not a regular file",
        ]


@pytest.mark.exhaustive
@pytest.mark.slow
def test_a_config_with_expressions_is_refused_before_they_are_evaluated(tmp_path: Path) -> None:
    (tmp_path / "evil.yaml").write_text("__use_yte__: true\ncampaign: ?open('made', 'w').name\n")
    command = [sys.executable, "-m", "snakemake", "-n", "--snakefile", str(ROOT / "Snakefile")]
    ended = subprocess.run(
        [*command, "--configfiles=evil.yaml"], cwd=tmp_path, text=True, capture_output=True
    )
    assert (ended.returncode, ended.stderr) == (1, f"evil.yaml, line 1: {EVALUATED}\n")
    assert not (tmp_path / "made").exists()


def test_only_config_files_of_this_workflow_are_checked_beforehand(tmp_path: Path) -> None:
    evil, other = tmp_path / "evil.yaml", tmp_path / "Snakefile"
    evil.write_text("__use_yte__: true\n")
    other.touch()
    go_on = guard.checked(lambda args, _: args.targets)

    def arguments(snakefile: Path, *configs: Path | str) -> SimpleNamespace:
        return SimpleNamespace(snakefile=snakefile, configfile=[*map(Path, configs)], targets=["x"])

    for snakefile, configs in [(other, [evil]), (ROOT / "Snakefile", [])]:
        assert go_on(arguments(snakefile, *configs), None) == ["x"]
    for ours in ("Snakefile", "workflow/Snakefile"):
        with pytest.raises(SystemExit, match=r"evil\.yaml, line 1: __use_yte__"):
            go_on(arguments(ROOT / ours, evil), None)
    # a target after a config file is a target
    assert go_on(arguments(ROOT / "Snakefile", ROOT / "config.yaml", "pool"), None) == ["x", "pool"]
    copy = tmp_path / "copy"  # the config beside the Snakefile is read where none is named
    (copy / guard.OURS).parent.mkdir(parents=True)
    (copy / guard.OURS).touch()
    (copy / "Snakefile").touch()
    (copy / "config.yaml").write_text("__use_yte__: true\n")
    with pytest.raises(SystemExit, match=r"config\.yaml, line 1: __use_yte__"):
        go_on(arguments(copy / "Snakefile"), None)


def test_a_home_that_cannot_be_written_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    assert list(guard.find_unwritable()) == []
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", "/dev/null/home")  # where nobody can write, root included
    assert list(guard.find_unwritable()) == [
        "HOME is '/dev/null/home', and Snakemake cannot write to /dev/null/home/.cache/snakemake "
        "(Not a directory). Set HOME or XDG_CACHE_HOME to a folder that you may write to."
    ]


def test_a_machine_without_a_temporary_folder_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise FileNotFoundError(2, "No usable temporary directory found")

    monkeypatch.setenv("TMPDIR", "/nowhere")
    monkeypatch.setattr("tempfile.gettempdir", fail)
    assert [*guard.find_unwritable()][-1] == (
        "TMPDIR is '/nowhere', and nothing can be written there or in /tmp. Set TMPDIR to a folder that "
        "you may write to."
    )
