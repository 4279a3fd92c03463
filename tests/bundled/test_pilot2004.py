"""The CLEF 2004 main track: made again from its seed, and true to the published figures."""

import csv
from collections import Counter
from functools import cache
from pathlib import Path
from statistics import correlation

import pytest

FOLDER = Path(__file__).parents[2] / "resources" / "five-papers" / "pilot2004"
RUNS = sorted(path.stem for path in FOLDER.glob("runs/*.csv"))

# Herrera, Peñas & Verdejo (2004), Table 1: right answers, K1, rank by K1, r.
PUBLISHED = {
    "uams042nlnl": (91, 0.0078, 2, 0.1148),
    "uams041nlnl": (88, 0.0063, 3, 0.0987),
    "uams041ennl": (70, 0.0055, 4, 0.1105),
    "fuha041dede": (67, -0.3271, 28, 0.0094),
    "aliv042eses": (65, -0.0416, 15, 0.1711),
    "aliv041eses": (63, -0.0500, 16, 0.1099),
    "irst041itit": (56, -0.1853, 19, 0.2128),
    "talp042eses": (52, -0.2252, 20, -0.0366),
    "gine042frfr": (49, -0.2748, 23, -0.0339),
    "talp041eses": (48, -0.2464, 22, -0.0483),
    "ptue041ptpt": (47, 0.0201, 1, 0.5169),
    "dfki041deen": (47, -0.5131, 45, -0.0453),
    "irst041iten": (45, -0.2310, 21, 0.1411),
    "irst042itit": (44, -0.3248, 27, -0.0188),
    "edin042fren": (40, -0.4066, 38, 0.0004),
    "lire042fren": (39, -0.1738, 18, 0.3707),
    "irst042iten": (35, -0.3300, 29, 0.0566),
    "edin042deen": (34, -0.3556, 31, 0.1124),
    "gine042defr": (34, -0.2812, 24, -0.0371),
    "gine042esfr": (34, -0.3442, 30, -0.0282),
    "edin041fren": (33, -0.5336, 46, -0.0560),
    "gine041defr": (29, -0.3747, 34, -0.0471),
    "gine042itfr": (29, -0.3948, 37, -0.0467),
    "gine042nlfr": (29, -0.3682, 33, -0.0507),
    "gine042ptfr": (29, -0.3818, 35, -0.0359),
    "edin041deen": (28, -0.5515, 47, -0.0077),
    "gine041frfr": (27, -0.4425, 41, 0.0099),
    "gine041esfr": (27, -0.4463, 43, 0.0991),
    "gine042enfr": (27, -0.3184, 25, -0.0336),
    "bgas041bgen": (26, -0.3618, 32, 0.2023),
    "gine041itfr": (25, -0.3926, 36, -0.0368),
    "gine041ptfr": (25, -0.4412, 40, -0.0595),
    "lire041fren": (22, -0.3200, 26, 0.2625),
    "hels041fien": (21, -0.1136, 17, 0.0359),
    "gine041nlfr": (20, -0.4438, 42, -0.0369),
    "gine041enfr": (18, -0.4389, 39, -0.0349),
    "gine041bgfr": (13, -0.5603, 48, -0.0181),
    "gine042bgfr": (13, -0.4945, 44, 0.0928),
}

# The runs printed N/A, which gave 0 as confidence throughout: right answers.
SILENT = {
    "dfki041dede": 51,
    "ilcp041itit": 51,
    "inao041eses": 45,
    "dltg041fren": 38,
    "inao042eses": 37,
    "dltg042fren": 29,
    "sfnx042ptpt": 22,
    "cole041eses": 22,
    "mira041eses": 18,
    "sfnx041ptpt": 14,
}


@cache
def read(name: str) -> list[dict[str, str]]:
    with (FOLDER / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@cache
def correct(run: str) -> list[bool]:
    """Whether each answer of a run is right, joined by hand."""
    nil = {row["question"]: row["nil"] == "true" for row in read("questions.csv")}
    labels = {(row["question"], row["answer"]): row["label"] for row in read("assessments.csv")}
    return [
        nil[row["question"]]
        if row["answer"] == "NIL"
        else labels[row["question"], row["answer"]] == "R"
        for row in read(f"runs/{run}.csv")
    ]


def confidences(run: str) -> list[float]:
    return [float(row["confidence"]) for row in read(f"runs/{run}.csv")]


def k1(run: str, confidence: list[float]) -> float:
    pairs = zip(confidence, correct(run), strict=True)
    return sum(value if right else -value for value, right in pairs) / 200


def test_there_are_48_runs_over_200_questions_20_of_them_nil() -> None:
    assert [row["question"] for row in read("questions.csv")] == [
        f"q{number:03}" for number in range(1, 201)
    ]
    assert Counter(row["nil"] for row in read("questions.csv")) == {"true": 20, "false": 180}
    assert len(RUNS) == 48
    assert sorted([*PUBLISHED, *SILENT]) == RUNS
    assert sorted(row["run"] for row in read("runs.csv")) == RUNS


@pytest.mark.parametrize("run", RUNS)
def test_a_run_answers_every_question_once_with_a_confidence_from_0_to_1(run: str) -> None:
    rows = read(f"runs/{run}.csv")
    assert [row["question"] for row in rows] == [row["question"] for row in read("questions.csv")]
    assert all(row["answer"] for row in rows)
    assert all(0 <= confidence <= 1 for confidence in confidences(run))


@pytest.mark.parametrize("run", PUBLISHED)
def test_right_answers_k1_and_r_are_as_published(run: str) -> None:
    right, printed_k1, _, printed_r = PUBLISHED[run]
    assert sum(correct(run)) == right
    assert round(k1(run, confidences(run)), 4) == printed_k1
    assert round(correlation(confidences(run), list(map(float, correct(run)))), 4) == printed_r


@pytest.mark.parametrize("run", SILENT)
def test_ten_runs_have_the_published_right_answers_and_no_confidence(run: str) -> None:
    assert sum(correct(run)) == SILENT[run]
    assert set(confidences(run)) == {0.0}


def test_ranks_by_k1_are_as_published_and_the_ten_share_5_to_14() -> None:
    values = {run: k1(run, confidences(run)) for run in RUNS}
    assert len(SILENT) == 10
    for run in RUNS:
        first = 1 + sum(value > values[run] for value in values.values())
        last = sum(value >= values[run] for value in values.values())
        printed = PUBLISHED[run][2] if run in PUBLISHED else None
        assert (first, last) == ((printed, printed) if printed else (5, 14))


def test_k1_is_above_0_for_exactly_four_runs() -> None:
    above = {run for run in RUNS if k1(run, confidences(run)) > 0}
    assert above == {"ptue041ptpt", "uams041ennl", "uams041nlnl", "uams042nlnl"}


def test_fuha041dede_hides_behind_nil_at_full_confidence() -> None:
    """129 wrong and 20 right NIL at 1, other answers 43.58: (20 − 129 + 43.58) / 200 = −0.3271."""
    rows, right = read("runs/fuha041dede.csv"), correct("fuha041dede")
    nil = [row["answer"] == "NIL" for row in rows]
    assert all(float(row["confidence"]) == 1 for row in rows if row["answer"] == "NIL")
    counts = Counter(zip(nil, right, strict=True))
    assert counts == {(True, True): 20, (True, False): 129, (False, True): 47, (False, False): 4}
    others = [
        float(row["confidence"]) * (1 if good else -1)
        for row, good in zip(rows, right, strict=True)
        if row["answer"] != "NIL"
    ]
    assert sum(others) == pytest.approx(43.58, abs=1e-9)


def test_fuha041dede_would_lead_if_its_nil_answers_had_confidence_0() -> None:
    """43.58 / 200 = 0.2179, printed 0.218; r rises from 0.0094 to 0.7385."""
    rows = read("runs/fuha041dede.csv")
    without = [0.0 if row["answer"] == "NIL" else float(row["confidence"]) for row in rows]
    assert k1("fuha041dede", without) == pytest.approx(0.2179, abs=1e-9)
    assert k1("fuha041dede", without) > max(k1(run, confidences(run)) for run in RUNS)
    assert round(correlation(without, list(map(float, correct("fuha041dede")))), 4) == 0.7385


def test_dfki041deen_does_the_same_and_finds_all_nil_questions() -> None:
    rows = [row for row in read("runs/dfki041deen.csv") if row["answer"] == "NIL"]
    nil = {row["question"] for row in read("questions.csv") if row["nil"] == "true"}
    assert {row["confidence"] for row in rows} == {"1"}
    assert nil < {row["question"] for row in rows}


def test_every_answer_but_nil_has_exactly_one_assessment() -> None:
    assessed = Counter((row["question"], row["answer"]) for row in read("assessments.csv"))
    given = {
        (row["question"], row["answer"])
        for run in RUNS
        for row in read(f"runs/{run}.csv")
        if row["answer"] != "NIL"
    }
    assert set(assessed.values()) == {1}
    assert given <= assessed.keys()
    assert "NIL" not in {answer for _, answer in assessed}
    assert {row["label"] for row in read("assessments.csv")} == {"R", "W", "X", "U"}


def test_only_nil_questions_lack_a_right_answer_and_only_right_answers_have_a_class() -> None:
    right = {row["question"] for row in read("assessments.csv") if row["label"] == "R"}
    assert right == {row["question"] for row in read("questions.csv") if row["nil"] == "false"}
    assert all((row["label"] == "R") == (row["class"] != "") for row in read("assessments.csv"))


def test_run_information_follows_from_the_names() -> None:
    for row in read("runs.csv"):
        source, target = row["run"][7:9], row["run"][9:]
        kind = "monolingual" if source == target else "bilingual"
        assert row["team"] == row["run"][:4]
        assert (row["language"], row["category"]) == (f"{source}-{target}", kind)
