"""The digest of a script's code: changed by what the script uses, and by nothing else."""

import shutil
from pathlib import Path

import pytest

from qampaign.running import code_digest

SCRIPT = "from qampaign.judging import rule\nprint(rule.verdict())\n"


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "qampaign"
    for folder in (root / "judging", root / "report"):
        folder.mkdir(parents=True)
        (folder / "__init__.py").write_text("")
    (root / "__init__.py").write_text("")
    (root / "judging" / "rule.py").write_text("from qampaign import text\nverdict = text.clean\n")
    (root / "text.py").write_text("def clean(x): return x.strip()\n")
    (root / "other.py").write_text("x = 1\n")
    (root / "report" / "page.py").write_text("x = 1\n")
    (root / "report" / "page.html").write_text("<p>")
    (tmp_path / "script.py").write_text(SCRIPT)
    monkeypatch.setattr(code_digest, "PACKAGE", root)
    return root


def digest(package: Path) -> str:
    for function in ("digest", "_module", "_files", "_top", "_kept"):
        getattr(code_digest, function).cache_clear()
    return code_digest.digest(package.parent / "script.py")


def test_what_was_parsed_once_is_not_parsed_again(
    package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = package.parent / "kept.json"
    monkeypatch.setattr(code_digest, "_kept_in", lambda: kept)
    monkeypatch.setattr(code_digest, "USED", {})
    before = digest(package)
    code_digest.keep_parsed()
    parsed = []
    parse = code_digest.parse
    monkeypatch.setattr(code_digest, "parse", lambda source: parsed.append(source) or parse(source))
    assert digest(package) == before
    assert parsed == []
    edited = "def clean(x): return x\n"
    (package / "text.py").write_text(edited)
    assert digest(package) != before
    assert parsed == [edited.encode()]
    for damage in ("", "{", "[]", '{"made_by": "another", "parsed": {}}'):
        kept.write_text(damage)
        (package / "text.py").write_text("def clean(x): return x.strip()\n")
        assert digest(package) == before


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("../script.py", SCRIPT + "print(1)\n"),
        ("judging/rule.py", "from qampaign import text\nverdict = text.other\n"),
        ("judging/__init__.py", "x = 1\n"),
        ("text.py", "def clean(x): return x\n"),  # imported by what is imported
    ],
)
def test_an_edit_of_what_the_script_uses_changes_it(package: Path, file: str, text: str) -> None:
    before = digest(package)
    (package / file).write_text(text)
    assert digest(package) != before


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("other.py", "x = 2\n"),  # nobody imports it
        ("report/page.html", "<b>"),
        ("text.py", "# why\ndef clean(x):\n    return x.strip()\n"),  # a comment and a new layout
        ("../script.py", SCRIPT),  # touched
    ],
)
def test_nothing_else_changes_it(package: Path, file: str, text: str) -> None:
    before = digest(package)
    (package / file).write_text(text)
    assert digest(package) == before


@pytest.mark.parametrize("suffix", ["html", "css", "js", "txt"])
def test_files_beside_the_modules_count(package: Path, suffix: str) -> None:
    (package.parent / "script.py").write_text("from qampaign.report.page import x\n")
    before = digest(package)
    (package / "report" / f"page.{suffix}").write_text("<b>")
    assert digest(package) != before


def test_every_file_that_the_page_is_made_of_counts() -> None:
    files = (path for path in (code_digest.PACKAGE / "report").rglob("*") if path.is_file())
    suffixes = {path.suffix for path in files if "__pycache__" not in path.parts}
    assert suffixes == {".py"} | code_digest.DATA


def test_the_place_of_the_project_does_not_matter(
    package: Path, tmp_path: Path, monkeypatch
) -> None:
    before = digest(package)
    shutil.copytree(package.parent, tmp_path / "elsewhere" / "x")
    moved = tmp_path / "elsewhere" / "x" / "qampaign"
    monkeypatch.setattr(code_digest, "PACKAGE", moved)
    assert digest(moved) == before


@pytest.mark.slow
def test_each_script_uses_what_it_should() -> None:
    """An edit of the report must not judge anew, nor an edit of a measure."""
    scripts = code_digest.PACKAGE.parents[1] / "scripts"

    def modules(script: str) -> set[str]:
        found, waiting = set(), [scripts / script]
        while waiting:
            new = set(code_digest._module(waiting.pop())[1]) - found
            found |= new
            waiting += new
        return {code_digest._name(path) for path in found}

    assert "report/page.py" in modules("report.py")
    assert "measures/abstention.py" in modules("score.py")
    assert "measures/abstention.py" in modules("tabulate.py")  # the tables tell the formulas
    for script in ("ingest.py", "judge.py"):
        assert not any(name.startswith(("measures", "report")) for name in modules(script)), script
    assert not any(name.startswith("report") for name in modules("score.py"))
    assert not any(name.startswith(("measures", "report")) for name in modules("agreement.py"))


def test_another_version_of_a_library_is_another_digest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "script.py"
    script.write_text("x = 1\n")
    before = code_digest.digest(script)
    code_digest.digest.cache_clear()
    monkeypatch.setattr(code_digest, "versions", lambda: {"polars": "0.0"})
    assert code_digest.digest(script) != before
    code_digest.digest.cache_clear()
