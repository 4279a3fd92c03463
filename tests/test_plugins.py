"""What other installed packages may declare, and what is said of those that cannot be used."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers.cases import first
from tests.helpers.tiny_campaign import ROOT
from tests.helpers.tiny_package import JUDGES, MEASURES, install, install_tiny

pytestmark = pytest.mark.slow  # each starts a process or more

REFUSE = """
import qampaign.config.campaign, qampaign.input.sources
from qampaign.plugins import refuse_broken
from qampaign.problems import Refused
try:
    refuse_broken()
except Refused as refused:
    print(refused)
"""

GUIDE = """
from pathlib import Path
from qampaign.input.sources import parse
from qampaign.judging.judges import JUDGES
from qampaign.measures import MEASURES
from tests.judging.tables import judge_by
print(MEASURES["caution"](correct=3, wrong=1, questions=4))
answers = [{"answer": "Paris"}, {"run": "b", "answer": "Lyon"}]
judged = judge_by(JUDGES["prefix"], "keys", answers, [{"key": "Parma"}]).judgments
print(judged["verdict"].to_list())
print(parse(b"a|b\\n1|2", Path("x.pipes")).frame.to_dicts())
"""


def call(folder: Path, code: str) -> str:
    """What a process prints that has the packages of a folder."""
    path = os.pathsep.join([str(folder), *sys.path])
    ended = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"PYTHONPATH": path},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert not ended.stderr, ended.stderr
    return ended.stdout


def test_what_a_package_declares_is_known_and_described(tmp_path: Path) -> None:
    install_tiny(tmp_path)
    assert call(tmp_path, REFUSE) == ""
    measures = call(tmp_path, "from qampaign.measures.reference import reference as r; print(r())")
    assert "## caution\n" in measures
    assert "- from the package `tiny`\n" in measures
    assert "  - `price` (`2` unless given): a number from 0, what a wrong answer costs" in measures
    config = call(tmp_path, "from qampaign.config.reference import reference as r; print(r())")
    assert "right where the answer begins as the key does" in config
    assert "| `letters` | `1` | a whole number from 1, how many letters count |" in config


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("group", "text", "fault"),
    first(3, [
        ("judges", "import nothing_such", "ModuleNotFoundError: No module named 'nothing_such'"),
        ("judges", "def judge(:", "SyntaxError: invalid syntax (rude.py, line 1)"),
        ("formats", "raise SystemExit(3)", "SystemExit: 3"),
        (
            "measures",
            MEASURES.replace("def caution", "def c_at_1").replace("from .weights", "DEFAULT = 1 #"),
            "the measure c_at_1 is declared by qampaign (qampaign.measures.abstention) and by rude "
            "(rude.rude): one of them needs another name",
        ),
        (
            "measures",
            MEASURES.replace("    questions,\n", "    quests,\n").replace("from .weights", "DEFAULT = 1 #"),
            "ValueError: caution: no evidence is called quests; allowed: questions, correct",
        ),
        (
            "judges",
            JUDGES.replace("def prefix", "def key"),
            "the judge key is declared by qampaign (qampaign.judging.key.key_judge) and by rude "
            "(rude.rude): one of them needs another name",
        ),
        (
            "judges",
            JUDGES.replace('by="keys"', 'by="stars"'),
            "ValueError: judges judge by assessments, keys, patterns, verdicts, scores, logged, judges, not by stars",
        ),
        (
            "judges",
            JUDGES.replace('by="keys"', 'by="keys", default_name="mine"'),
            "ValueError: the judge by keys of a collection that names none is key",
        ),
        (
            "judges",
            JUDGES.replace("letters: Annotated[int,", "letters: Annotated[bytes,"),
            "TypeError: <class 'bytes'> is not a type that a config can hold",
        ),
        (
            "formats",
            "from qampaign.input.sources import file_format\n@file_format('.csv')\ndef csv(content): ...",
            "the file format .csv is declared by qampaign (qampaign.input.sources) and by rude "
            "(rude.rude): one of them needs another name",
        ),
    ]),
)  # fmt: skip
def test_a_package_that_cannot_be_used_is_named_with_the_reason(
    tmp_path: Path, group: str, text: str, fault: str
) -> None:
    install(tmp_path, {f"qampaign.{group}": "rude.rude"}, {"rude": text}, name="rude")
    heading, line = call(tmp_path, REFUSE).splitlines()
    assert heading == (
        "Installed packages that extend Qampaign cannot be used; repair or uninstall:"
    )
    assert line.startswith(f"  rude 0.1 (qampaign.{group}: rude = rude.rude): {fault}")


def test_two_packages_cannot_declare_one_name(tmp_path: Path) -> None:
    one = MEASURES.replace("from .weights", "DEFAULT = 1 #")
    for name in ("first", "second"):
        install(tmp_path, {"qampaign.measures": f"{name}.m"}, {"m": one}, name=name)
    fault = call(tmp_path, REFUSE).splitlines()[1]
    packages = {"first (first.m)", "second (second.m)"}
    assert "the measure caution is declared by" in fault
    assert all(package in fault for package in packages)


def test_the_examples_of_the_guide_work(tmp_path: Path) -> None:
    guide = (ROOT / "docs" / "extending.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", guide, re.DOTALL)
    modules = dict(zip(("measures", "judges", "formats"), blocks, strict=True))
    entries = {f"qampaign.{kind}": f"guide.{kind}" for kind in modules}
    install(tmp_path, entries, modules, name="guide")
    assert call(tmp_path, REFUSE) == ""
    assert call(tmp_path, GUIDE) == "0.25\n['right', 'wrong']\n[{'a': '1', 'b': '2'}]\n"
