"""Files of NTCIR: what each kind becomes, against what NTCIREVAL computes, and faults."""

import json
from pathlib import Path
from random import Random

import numpy as np
import pytest
from pyNTCIREVAL import Labeler
from pyNTCIREVAL.metrics import QMeasure

from tests.helpers.assessed_logs import assessed_rows
from tests.helpers.logs import log_campaign
from tests.helpers.measured_rows import configured
from tests.helpers.toy_campaign import Campaign
from tests.measures import test_oracles

pytestmark = pytest.mark.slow


LABELS = 'SELECT question, answer, verdict, level, "class" FROM assessments ORDER BY ALL'
RUN = "01;0;Paris, France;1;0.9;me\n01;0;Rome;2;0.5;me\n02;0;東京　都;1;7;me\n"


def loaded(folder: Path, files: dict[str, str | bytes]) -> Campaign:
    campaign = log_campaign(folder)
    campaign.write({f"logs/{name}": content for name, content in files.items()})
    campaign.ingest()
    return campaign


def test_eqrels_have_levels_and_classes(tmp_path: Path) -> None:
    eqrels = "01;Paris, France;L3;1\n01;Paris;L1;1\n01;Rome;L0;2\n02;東京　都;L2;1\n"
    campaign = loaded(tmp_path, {"a": RUN, "b": eqrels})
    assert campaign.rows(LABELS) == [
        ("01", "Paris", "right", "L1", "1"),
        ("01", "Paris, France", "right", "L3", "1"),
        ("01", "Rome", "wrong", None, None),
        ("02", "東京 都", "right", "L2", "1"),
    ]
    assert campaign.rows("SELECT run, question, rank, answer FROM responses ORDER BY ALL") == [
        ("me", "01", 1, "Paris, France"),
        ("me", "01", 2, "Rome"),
        ("me", "02", 1, "東京 都"),
    ]


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("qrels", "level"),
    [
        ("01;Rome;L1\n02;x y;L0\n", "L1"),
        ("01 Rome L1\n02 x L0\n", "L1"),
        ("01\tA\tRome\t1\n02\tC\tx\t0\n", "A"),
    ],
)
def test_qrels_have_levels(tmp_path: Path, qrels: str, level: str) -> None:
    campaign = loaded(tmp_path, {"a": RUN, "b.qrels": qrels})
    assert campaign.rows(LABELS)[0] == ("01", "Rome", "right", level, None)
    assert [row[2] for row in campaign.rows(LABELS)] == ["right", "wrong"]


@pytest.mark.exhaustive
def test_runs_of_trec_go_with_qrels_of_ntcir(tmp_path: Path) -> None:
    run = "01 Q0 D1 1 3.5 me\n01 Q0 D2 2 2.5 me\n"
    campaign = loaded(tmp_path, {"a.run": run, "b.qrels": "01 D2 L1\n01 D1 L0\n"})
    assert campaign.rows("SELECT run, count(*) FROM responses GROUP BY ALL") == [("me", 2)]


def test_a_run_is_ranked_as_it_stands(tmp_path: Path) -> None:
    run = "01;0;b;2;0.1;me\n01;0;a;1;0.9;me\n"
    campaign = loaded(tmp_path, {"a": run, "b": "01;a;L1;1\n"})
    assert campaign.rows("SELECT rank, answer FROM responses ORDER BY ALL") == [(1, "b"), (2, "a")]
    remark = "rows whose rank is not their order in the file: ranked by file order, as "
    assert (remark + "NTCIREVAL does", 1) in campaign.rows("SELECT remark, count FROM remarks")


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", test_oracles.NTCIREVAL)
def test_files_give_what_ntcireval_prints_for_them(tmp_path: Path, name: str) -> None:
    case = test_oracles.NTCIREVAL[name]
    numbers: dict[str, int] = {}
    for each in case["answers"]:
        numbers.setdefault(str(each["class"]), len(numbers) + 1)
    eqrels = "".join(
        f"01;{each['answer']};L{each['level']};{numbers[str(each['class'])]}\n"
        for each in case["answers"]
    )
    run = "".join(f"01;0;{text};{n};1;a\n" for n, text in enumerate(case["run"], start=1))
    rows = assessed_rows(loaded(tmp_path, {"a": run, "b": eqrels}))
    gains = {"L1": 1, "L2": 2, "L3": 3}
    printed = case["g=1:2:3,beta=1"]
    four = {"abs": 5.0001e-5}
    assert rows.value("q_measure", gains=gains) == pytest.approx(printed["Q-measure"], **four)
    assert rows.value("average_precision") == pytest.approx(printed["AP"], **four)


def test_q_measure_is_that_of_pyntcireval(tmp_path: Path) -> None:
    random = Random(5)
    texts = [f"Doc {n}" for n in range(12)]
    levels = {
        f"{n:03}": {text: random.choice([0, 0, 1, 2, 3]) for text in texts} for n in range(40)
    }
    lists = {topic: random.sample(texts, random.randint(1, 12)) for topic in levels}
    run = "".join(
        f"{topic};0;{text};{rank};0.5;me\n"
        for topic, listed in lists.items()
        for rank, text in enumerate(listed, start=1)
    )
    qrels = "".join(
        f"{topic};{text};L{level}\n" for topic, own in levels.items() for text, level in own.items()
    )
    rows = assessed_rows(loaded(tmp_path, {"a": run, "b": qrels}))
    gains = (1, 4, 9)
    each = configured("q_measure", {"gains": {f"L{n}": gain for n, gain in enumerate(gains, 1)}})
    (values,) = each.values(rows.evidence(each), np.eye(len(levels)))
    for value, (topic, own) in zip(values, levels.items(), strict=True):
        labeler = Labeler(own)
        theirs = QMeasure(labeler.compute_per_level_doc_num(4), gains, 1)
        expected = theirs.compute(labeler.label(lists[topic])) if theirs.jrelnum else 0.0
        assert value == pytest.approx(expected, abs=1e-12), topic


def test_every_fault_is_told_with_its_line(tmp_path: Path) -> None:
    good = "".join(f"01;0;text {n};{n};1;me\n" for n in range(1, 41))
    bad = b"01;0;a;b;41;1;me\n01;0;x;42;nan;me\n01;0;\xe9;43;1;me\n01;0;cut"
    eqrels = (
        "01;a;L1;1\n01;a;L2;1\n" + "".join(f"01;t{n};L1;{n}\n" for n in range(2, 30)) + "01;b;1\n"
    )
    campaign = log_campaign(tmp_path)
    campaign.write({"logs/a": good.encode() + bad, "logs/b": eqrels})
    text = "\n".join(campaign.refusal())
    for problem in (
        "a, line 41: is no line of a run: '01;0;a;b;41;1;me'",
        "a, line 42: is no line of a run",
        "a, line 43: is not UTF-8",
        "a, line 44: is no line of a run: '01;0;cut'",
        "b, line 2: judges 'a' of question 01 again, otherwise: L2 1, before L1 1",
        "b, line 31: is no line of eqrels: '01;b;1'",
    ):
        assert problem in text


@pytest.mark.exhaustive
def test_a_table_with_semicolons_is_no_run(tmp_path: Path) -> None:
    campaign = log_campaign(tmp_path)
    table = "question;a;b;c;d;e\n" + "".join(f"q{n};x;y;1;0;z\n" for n in range(40))
    campaign.write({"logs/a.csv": table})
    assert "ntcir" not in json.dumps(campaign.refusal()[0].partition(";")[0])
