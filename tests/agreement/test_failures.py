"""Failure analysis: a sample for people to look at, and what they say."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from qampaign.agreement.failures import (
    count_causes,
    describe,
    hand_out,
    read_filled,
    sample_failures,
)
from qampaign.files import is_changed, write_for_people
from qampaign.problems import Refused
from qampaign.spreadsheets import escape_formulas
from tests.helpers.matched_judgments import graded

PAIRS = graded([(0.5, False, 40), (0.5, True, 60), (0.0, True, 20), (None, False, 5)])
RESPONSES = PAIRS.select(
    pl.col("run", "question").cast(pl.String),
    "rank",
    answer=pl.format("answer {}", "rank"),
)
QUESTIONS = pl.DataFrame({"question": ["q1"], "text": ["Who, and when?"]})
KEYS = pl.DataFrame({"question": ["q1", "q1"], "key": ["Ada", "Ada Lovelace; Byron"]})
HEADER = "question,run,rank,cause\n"


def described(size: int = 125, seed: int = 1) -> pl.DataFrame:
    failures = sample_failures(PAIRS, np.random.default_rng(seed), size=size)
    return describe(failures, RESPONSES, QUESTIONS, KEYS)


def filled(tmp_path: Path, content: str | bytes) -> Path:
    path = tmp_path / "failures.csv"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def refused(tmp_path: Path, content: str | bytes) -> str:
    path = filled(tmp_path, content)
    with pytest.raises(Refused) as caught:
        read_filled(path, RESPONSES)
    heading, *lines = str(caught.value).splitlines()
    assert heading == "The causes of failures cannot be counted:"
    return "\n".join(line.strip().replace(str(path), "FILE") for line in lines)


def test_a_sample_of_everything_has_every_failure() -> None:
    failures = sample_failures(PAIRS, np.random.default_rng(1))
    assert failures["rank"].to_list() == [*range(1, 41), *range(101, 121)]


@pytest.mark.slow
def test_a_sample_is_drawn_evenly_and_by_its_seed() -> None:
    assert described(50).equals(described(50))
    assert not described(50).equals(described(50, seed=2))
    sizes = [described(50, seed).height for seed in range(200)]
    # 60 of 125 differ: 24 of 50 on average, the mean of 200 draws within 4 standard errors
    spread = (50 * 0.48 * 0.52 * (125 - 50) / 124) ** 0.5
    assert abs(np.mean(sizes) - 24) < 4 * spread / 200**0.5


def test_a_person_sees_what_matters() -> None:
    first = described().row(0, named=True)
    assert first == {
        "question": "q1",
        "text": "Who, and when?",
        "key": "Ada | Ada Lovelace; Byron",
        "run": "a",
        "rank": 1,
        "answer": "answer 1",
        "verdict": "right",
        "reference_verdict": "wrong",
        "degree": 0.5,
        "recall": 0.5,
        "precision": None,
        "form": None,
        "matched": None,
        "cause": None,
    }
    without_key = describe(PAIRS.head(1), RESPONSES, QUESTIONS)
    assert without_key["key"].to_list() == [None]


def test_what_was_written_can_be_filled_in_and_read_back(tmp_path: Path) -> None:
    path = tmp_path / "failures.csv"
    write_for_people(described(), path)
    assert not is_changed(path)
    back = read_filled(path, RESPONSES)
    assert back.height == 60
    assert back["cause"].null_count() == 60
    assert count_causes(back).is_empty()  # nobody has begun
    frame = pl.read_csv(path).with_columns(cause=pl.lit("numbers, mostly"))
    frame.write_csv(path)
    assert count_causes(read_filled(path, RESPONSES)).rows() == [("numbers, mostly", None, 60, 1.0)]


def test_what_people_say_counts_where_judge_and_reference_still_differ(tmp_path: Path) -> None:
    path, failures = tmp_path / "failures.csv", described()
    rows, settled = hand_out(failures, path, RESPONSES, PAIRS)
    assert (rows.height, rows["cause"].null_count(), settled) == (60, 60, 0)
    path.write_text(HEADER + "q1,a,1,numbers\nq1,a,41,phrases\nq1,a,101,\n")
    # ranks 41 to 100 are right by both: of the three rows one is of no difference any more
    rows, settled = hand_out(failures, path, RESPONSES, PAIRS)
    assert rows.rows() == [("q1", "a", 1, "numbers"), ("q1", "a", 101, None)]
    assert settled == 1
    assert path.read_text().startswith(HEADER)


def test_nothing_that_a_spreadsheet_would_run(tmp_path: Path) -> None:
    names = ["=cmd()", "'=x", "+1", "-1", "@a", "plain", "'plain"]
    frame = pl.DataFrame(
        {"question": names, "run": "=r", "rank": 1, "answer": '=HYPERLINK("x")', "cause": None},
        schema_overrides={"cause": pl.String},
    )
    path = tmp_path / "failures.csv"
    escape_formulas(frame).write_csv(path)
    written = pl.read_csv(path)
    assert written["answer"][0] == '\'=HYPERLINK("x")'
    assert not any(name[0] in "=+-@" for name in written["question"])
    assert read_filled(path, frame)["question"].to_list() == names


def test_the_paper_s_causes() -> None:
    # Breck et al. 2000, Table 3: 7 + 27 + 38 = 72, and 19 + 7 + 12 = 38
    given = {
        "assessor wrong": 7,
        "tough call": 27,
        "judge wrong: numeric expressions": 19,
        "Judge wrong: phrases": 7,
        "judge wrong:other": 10,
        "judge  wrong : Other ": 2,
    }
    rows = pl.DataFrame(
        {"cause": [cause for cause, number in given.items() for _ in range(number)]}
    )
    assert count_causes(rows).rows() == [
        ("judge wrong", None, 38, pytest.approx(38 / 72)),
        ("numeric expressions", "judge wrong", 19, pytest.approx(19 / 72)),
        ("other", "judge wrong", 12, pytest.approx(12 / 72)),
        ("phrases", "judge wrong", 7, pytest.approx(7 / 72)),
        ("tough call", None, 27, pytest.approx(27 / 72)),
        ("assessor wrong", None, 7, pytest.approx(7 / 72)),
    ]


def test_rows_without_a_cause_are_counted_last() -> None:
    rows = pl.DataFrame({"cause": ["b", None, None, "b", "a: ", "A", ": c"]})
    assert count_causes(rows).select("cause", "part_of", "count").rows() == [
        ("A", None, 2),
        ("b", None, 2),
        (None, None, 3),
    ]
    assert count_causes(pl.DataFrame({"cause": []}, schema={"cause": pl.String})).is_empty()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "FILE: is empty; allowed: a header and rows"),
        ("question,run\nq1,a\n", "FILE, line 1: has no column rank, cause; allowed: at least question, run, rank, cause; found: 'question', 'run'"),
        (HEADER + "q1,a,1,x,y\n", "FILE, line 2: has 5 fields where the header has 4; allowed: 4 fields; quotes around one that contains the separator"),
        ("question|run|rank|cause\nq1|a|1|x\n", "FILE, line 1: has no column question, run, rank, cause; allowed: at least question, run, rank, cause; found: 'question|run|rank|cause'"),
        (HEADER.encode() + b"q1,a,1,\xff\n", "FILE, line 2: is not UTF-8 (byte 0xff); allowed: UTF-8"),
        (HEADER + "q1,a,1,x\nq1,a,one,y\n", "FILE, line 3, column rank: 'one' is not a rank; allowed: a whole number, as it was written"),
        (HEADER + "q1,a,,y\n", "FILE, line 2, column rank: is not a rank; allowed: a whole number, as it was written"),
        (HEADER + "q9,a,1,x\n", "FILE, line 2, column question: 'q9' has no response of that run at that rank; allowed: the rows that were written"),
        (HEADER + "q1,a,1,x\nq1,a,1,y\n", "FILE, line 3, column question: 'q1' occurs twice with the same run and rank; allowed: each response once"),
        (HEADER + f"q1,a,1,{'x' * 201}\n", f"FILE, line 2, column cause: '{'x' * 60}… (201 characters)' is too long; allowed: at most 200 characters"),
        (HEADER + 'q1,a,1,"two\nlines"\n', "FILE, line 2, column cause: 'two\\u000alines' has a control character in it; allowed: text on one line"),
    ],
)  # fmt: skip
def test_what_cannot_be_used_is_refused_with_its_line(
    tmp_path: Path, content: str | bytes, message: str
) -> None:
    assert refused(tmp_path, content) == message


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused, match=r"failures\.csv: does not exist"):
        read_filled(tmp_path / "failures.csv", RESPONSES)


def test_what_a_spreadsheet_does_to_numbers_and_spaces_is_understood(tmp_path: Path) -> None:
    path = filled(
        tmp_path, "﻿cause,rank,run,question,more\r\n  tough call ,1.0, a,q1,\r\n   ,2,a,q1,x\r\n"
    )
    assert read_filled(path, RESPONSES).rows() == [
        ("q1", "a", 1, "tough call"),
        ("q1", "a", 2, None),
    ]
