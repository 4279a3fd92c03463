"""The site: it builds without a warning, asks no network, and its pages are those of today."""

import importlib.util
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from qampaign.command.reference import page as command_page
from tests.docs.messages import messages_of_the_package
from tests.helpers.tiny_campaign import ROOT

pytestmark = pytest.mark.slow


def load(name: str) -> ModuleType:
    """A module beside the docs, which are no package."""
    spec = importlib.util.spec_from_file_location(f"site_{name}", ROOT / f"docs/_site/{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_site_builds_without_a_warning(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "-d", str(tmp_path)]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert (tmp_path / "howto/pool.html").exists()
    # braces at the end of a cell are text, not attributes of the cell
    config = (tmp_path / "config.html").read_text(encoding="utf-8")
    assert "such as {unpacked_gb: 16, config_kb: 5000}</td>" in config
    assert not (tmp_path / "_site").exists()


def test_an_example_links_to_its_report_where_that_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    hooks = load("hooks")
    page = SimpleNamespace(file=SimpleNamespace(src_uri="start/examples.md"))
    text = (ROOT / "docs/start/examples.md").read_text(encoding="utf-8")
    monkeypatch.setattr(hooks, "report_of", lambda name: ROOT if name == "assistants" else None)
    shown = hooks.on_page_markdown(text, page)
    link = '<a href="../examples/assistants/index.html" target="_blank">Open the report</a>'
    assert [line for line in shown.splitlines() if "report</a>" in line] == [link]
    assert "`make campaign CONFIG=config.yaml` makes the report" in shown


def test_a_link_that_leads_nowhere_and_a_request_to_a_network_are_found(tmp_path: Path) -> None:
    hooks = load("hooks")
    (tmp_path / "a.html").write_text(
        '<p id="here"><a href="b.html#there">1</a><a href="b.html#gone">2</a><a href="c.html">3</a>'
        '<a href="https://example.org">4</a><script src="https://example.org/x.js"></script>'
    )
    (tmp_path / "b.html").write_text('<p id="there"><a href="a.html#here">5</a>')
    pages = {path: hooks.Page(path) for path in tmp_path.glob("*.html")}
    faults = [fault for page in pages.values() for fault in page.faults(pages)]
    assert [fault.partition(": ")[2] for fault in faults] == [
        "asks for https://example.org/x.js",
        "leads nowhere: b.html#gone",
        "leads nowhere: c.html",
    ]


def test_a_page_that_the_navigation_lacks_goes_to_the_reference(tmp_path: Path) -> None:
    (tmp_path / "late.md").write_text("# Late")
    config = {"nav": ["index.md", {"Reference": ["config.md"]}], "docs_dir": str(tmp_path)}
    nav = load("hooks").on_config(config)["nav"]
    assert nav == ["index.md", {"Reference": ["config.md", "late.md"]}]


def test_the_page_of_the_command_line_is_up_to_date() -> None:
    assert (ROOT / "docs/command.md").read_text(encoding="utf-8") == command_page(), "run make docs"


def test_the_page_of_comparisons_is_up_to_date() -> None:
    compared = load("compared")
    page = (ROOT / "docs/compared.md").read_text(encoding="utf-8")
    assert page == compared.page(), "run make docs"
    for *_, test in compared.PROGRAMS:
        assert (ROOT / "tests" / test).exists(), test


def test_the_rule_graph_leaves_out_what_others_imply() -> None:
    # c reads a and b, b reads a: the arrow from a to c says nothing new
    graph = load("rule_graph")
    after = {"a": set(), "b": {"a"}, "c": {"a", "b"}}
    assert graph.without_implied(after) == {"a": set(), "b": {"a"}, "c": {"b"}}
    assert [list(row) for row in graph.layers(after)] == [["a"], ["b"], ["c"]]


def test_every_message_that_is_explained_is_one_that_there_is() -> None:
    page = (ROOT / "docs/troubleshooting.md").read_text(encoding="utf-8")
    tables = page.partition("## The config")[2].partition("On a cluster, see also")[0]
    explained = re.findall(r"^\| `(.+?)` \|", tables, re.MULTILINE)
    assert len(explained) >= 30
    known = messages_of_the_package()
    lacking = [each for each in explained if not any(each in message for message in known)]
    assert not lacking
