"""Every command and config of the docs: it runs, or is checked as far as it can be without a run."""

import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import jsonschema
import pytest
import yaml

from qampaign.command.main import build_parser
from qampaign.config.campaign import read_campaign
from qampaign.config.schema import schema
from tests.helpers.cases import first
from tests.helpers.pages import PAGES, Block, blocks_of, files_of, name_of
from tests.helpers.tiny_campaign import ROOT

EVERY = [block for page in PAGES for block in blocks_of(page)]
FIVE_MINUTES = ROOT / "docs/start/five-minutes.md"
TIME = re.compile(r"(?:\d+ min )?[\d.]+ s\b")


def given(language: str) -> list[object]:
    """The blocks in a language, as cases."""
    return [
        pytest.param(block, id=f"{block.page}-{block.line}")
        for block in EVERY
        if block.language == language
    ]


def test_there_are_blocks_of_each_kind() -> None:
    found = [block.language for block in EVERY]
    assert min(found.count(kind) for kind in ("sh", "yaml", "sql", "csv", "text", "python")) >= 3
    assert "" not in found, "a block of code says what it holds"


@pytest.mark.parametrize("block", given("sh"))
def test_a_command_is_one_that_there_is(block: Block) -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for line in block.commands:
        command, *arguments = shlex.split(line)
        if command == "qampaign":
            end = arguments.index("--") if "--" in arguments else len(arguments)
            build_parser().parse_args(arguments[:end])  # ends the process where it cannot
        elif command == "make":
            assert {each for each in arguments if "=" not in each} <= targets, line
        else:
            assert block.comment.startswith("not run: "), f"nothing checks: {line}"


def test_what_is_said_to_be_tested_elsewhere_is() -> None:
    named = [test for block in EVERY for test in re.findall(r"tests/[\w/]+\.py", block.comment)]
    assert named
    for test in named:
        assert (ROOT / test).exists(), test


@pytest.mark.slow
@pytest.mark.parametrize("block", first(10, given("yaml")))
def test_a_config_is_valid(block: Block) -> None:
    """A whole config, keys of a campaign, keys of a collection, or another program's file."""
    if block.comment == "not a config":
        return
    value = yaml.safe_load(block.text)
    whole = schema()
    collection = whole["$defs"]["collection"]["properties"]
    if "campaign" in value:
        jsonschema.validate(value, whole)
        return
    unknown = [key for key in value if key not in whole["properties"] and key not in collection]
    assert not unknown, unknown
    for key, own in value.items():
        of = whole["properties"] if key in whole["properties"] else collection
        jsonschema.validate(own, {**of[key], "$defs": whole["$defs"]})


@pytest.mark.slow
def test_a_config_that_is_wrong_is_found() -> None:
    for text in ("mesures: [c_at_1]", "campaign: x\ncollections: {a: {run: b}}", "primary: [1]"):
        with pytest.raises((AssertionError, jsonschema.ValidationError)):
            test_a_config_is_valid(Block("page", 1, "yaml", "", "", text))


@pytest.mark.parametrize("block", given("toml"))
def test_toml_can_be_read(block: Block) -> None:
    assert tomllib.loads(block.text)


@pytest.mark.parametrize("block", given("python"))
def test_python_can_be_compiled(block: Block) -> None:
    of_snakemake = re.search(r"^(module|rule) ", block.text, re.MULTILINE)
    if ">>>" not in block.text.splitlines()[0] and not of_snakemake:
        compile(block.text, block.page, "exec")


def test_the_configs_that_readers_write_can_be_read(tmp_path: Path) -> None:
    seen = 0
    for page in PAGES:
        for name, text in files_of(page).items():
            if name.endswith("config.yaml"):
                path = tmp_path / str(seen) / name
                path.parent.mkdir(parents=True)
                path.write_text(text)
                read_campaign(yaml.safe_load(text), [path])
                seen += 1
    assert seen >= 3


SESSIONS = [
    page
    for page in PAGES
    if any(
        block.language == "sh" and not block.comment.startswith("not run")
        for block in blocks_of(page)
    )
    and name_of(page)
    not in ("README.md", "docs/howto/add.md")  # five-minutes.md holds what the README has
]


@pytest.mark.outside
@pytest.mark.exhaustive
@pytest.mark.parametrize("page", [pytest.param(page, id=name_of(page)) for page in SESSIONS])
def test_a_page_does_what_it_says(page: Path, tmp_path: Path) -> None:
    """All its files are written and all its commands run, in a folder with the files of mine/."""
    blocks = blocks_of(page)
    for name, text in files_of(FIVE_MINUTES).items():
        write(tmp_path / name, text)
    printed = ""
    for number, block in enumerate(blocks):
        if "." in block.title:
            write(tmp_path / block.title, block.text)
        elif block.title == "added to the collection":
            with (tmp_path / "mine/config.yaml").open("a") as config:
                config.write("".join(f"    {line}\n" for line in block.text.splitlines()))
        elif block.language == "sh" and not block.comment.startswith("not run"):
            code = re.search(r"exits with (\d)", block.comment)
            printed = "".join(
                call(line, tmp_path, int(code[1]) if code else 0) for line in block.commands
            )
        elif block.language == "text" and number and blocks[number - 1].language == "sh":
            assert TIME.sub("… s", printed) == TIME.sub("… s", block.text)


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def call(line: str, folder: Path, code: int) -> str:
    """Run a command in a folder; what it prints on standard output."""
    command, *arguments = shlex.split(line)
    if command == "make":  # needs a clone; the target campaign is the command run
        assert arguments[0] == "campaign"
        arguments = ["run", *(each.partition("=")[2] for each in arguments[1:])]
    program = [str(Path(sys.executable).with_name("qampaign"))]
    ended = subprocess.run(
        [*program, *arguments],
        cwd=folder,
        env=os.environ | {"TERM": "dumb"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert ended.returncode == code, ended.stdout + ended.stderr
    return ended.stdout
