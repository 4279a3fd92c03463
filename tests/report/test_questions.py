"""The pages of questions: what is in them, and what is not."""

import json
import re
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from qampaign.report.leftovers import remove_leftovers
from qampaign.report.questions import answers, page
from qampaign.verdicts import VERDICTS
from tests.report.question_tables import (
    EVIL,
    HOSTILE,
    SAID,
    answer,
    pair,
    scored_tables,
    tables,
    write,
)

SCRIPT = re.compile(r'<script type="application/json"([^>]*)>(.*?)</script>', re.DOTALL)


def data_of(path: Path) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """What a page holds: of all questions, and its chunks of answers."""
    first, *chunks = [
        json.loads(code) for _, code in SCRIPT.findall(path.read_text(encoding="utf-8"))
    ]
    return first, chunks


def rows_of(data: dict[str, Any], chunks: list[dict[str, Any]]) -> set[tuple[Any, ...]]:
    """Judge, run, question, answer, whether withheld, and verdict of every row, as the script reads them."""
    rows = set()
    for chunk in chunks:
        row = 0
        for at, number in enumerate(chunk["rows"]):
            for _ in range(number):
                run = chunk["run"][row] if "run" in chunk else row % len(data["runs"])
                text = chunk["answer"][row]
                for judge, said in zip(data["judges"], chunk["judges"], strict=True):
                    verdict = said["verdict"][row]
                    if verdict != " ":
                        rows.add(
                            (judge["judge"], data["runs"][run]["run"],
                             data["questions"][chunk["first"] + at],
                             None if text is None else chunk["texts"][text],
                             row in chunk.get("withheld", []), VERDICTS[int(verdict)])
                        )  # fmt: skip
                row += 1
    return rows


def expected() -> set[tuple[Any, ...]]:
    withheld = ~pl.col("answered") & pl.col("answer").is_not_null()
    columns = ("judge", "run", "question", "answer", withheld.alias("withheld"), "verdict")
    return set(tables()["answers"].select(*columns).rows())


def test_the_matrix_says_what_judges_say_of_first_answers(tmp_path: Path) -> None:
    data, _ = data_of(*write(tables(), tmp_path))
    assert [run["run"] for run in data["runs"]] == ["a", "b", EVIL]  # by rank
    people = "".join(map("".join, zip(*SAID["people"].values(), strict=True)))
    key = "".join(map("".join, zip(*SAID["key"].values(), strict=True)))
    assert data["matrix"] == [people, key + "   "]  # the key does not judge q6


def test_every_answer_is_in_the_page_as_it_is(tmp_path: Path) -> None:
    data, chunks = data_of(*write(tables(), tmp_path))
    assert rows_of(data, chunks) == expected()
    texts = chunks[0]["texts"]
    assert texts[chunks[0]["keys"][0][0]] == "keyword <b>"
    assert {texts[at] for at in chunks[0]["judges"][1]["matched"] if at is not None} == {
        "matchword2", "matchword3", "matchword5",
    }  # fmt: skip


def test_hostile_texts_end_no_element(tmp_path: Path) -> None:
    (path,) = write(tables(), tmp_path)
    text = path.read_text(encoding="utf-8")
    assert len(re.findall("<script", text)) == len(re.findall("</script", text)) == 3
    assert "<img" not in text
    assert "\u2028" not in text[text.index('id="data"') :]
    assert "onerror=alert(2)>" not in text
    data, _ = data_of(path)
    assert data["title"] == HOSTILE


def test_samples_are_shares(tmp_path: Path) -> None:
    """Of three samples of a on q1 two are right: two thirds of 50,000 units."""
    samples = [
        answer("people", "a", 1, state, sample=name) for name, state in zip("xyz", "rrw", strict=True)
    ]  # fmt: skip
    others = [answer("people", run, 1, "r", sample=name) for run in ("b", EVIL) for name in "xy"]
    made = tables(answers=samples + others)
    data, (chunk,) = data_of(*write(made, tmp_path))
    assert data["matrix"][0][:3] == chr(0x1000 + 33_333) + "rr"
    assert {chunk["texts"][at] for at in chunk["sample"]} == {"x", "y", "z"}


def test_scores_alone_are_shares(tmp_path: Path) -> None:
    """Of b's q3 the score does not count, since the answer is withheld."""
    data, _ = data_of(*write(scored_tables(), tmp_path))
    assert [judge["verdicts"] for judge in data["judges"]] == [False, True]
    whole, half = chr(0x1000 + 50_000), chr(0x1000 + 25_000)
    assert data["matrix"][0] == f"{whole}{half}" + "xu" + f"{whole}h"
    assert data["matrix"][1] == "rr" + "wu" + "rR"


def test_scores_of_samples_are_averaged(tmp_path: Path) -> None:
    made = scored_tables()
    first = (pl.col("judge") == "rubric") & (pl.col("question") == "q1")
    again = made["answers"].filter(first, run="b").with_columns(degree=0.25)
    made["answers"] = pl.concat([made["answers"], again])
    data, _ = data_of(*write(made, tmp_path))
    assert data["matrix"][0][1] == chr(0x1000 + round(50_000 * (0.5 + 0.25) / 2))


def test_what_is_not_open_has_verdicts_and_no_texts(tmp_path: Path) -> None:
    (path,) = write(tables(), tmp_path, is_open=False)
    data, (chunk,) = data_of(path)
    text = path.read_text(encoding="utf-8")
    assert not re.search("alpha|gamma|matchword|classword|keyword", text)
    assert data["matrix"][0].startswith("rww")
    assert chunk["judges"][0]["verdict"].startswith("011")
    assert "answer" not in chunk
    assert data["text"][1] == "What is 2?"


def test_much_text_is_on_several_pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers, "CHUNK", 50)
    monkeypatch.setattr(page, "PAGE_TEXT", 250)
    other = tmp_path / "questions-c-2.html"  # of a collection called c-2
    for stale in (other, tmp_path / "questions-c.9.html"):
        stale.write_text("before")
    paths = write(tables(), tmp_path)
    assert len(paths) > 2
    assert [path.name for path in paths[:2]] == ["questions-c.html", "questions-c.2.html"]
    found = set()
    end = 0
    for at, path in enumerate(paths):
        data, chunks = data_of(path)
        found |= rows_of(data, chunks)
        assert chunks[0]["first"] == end
        end = data["pages"][at]["end"]
        assert data["pages"][at]["file"] == path.name
    assert end == 6
    assert found == expected()
    assert sorted(tmp_path.iterdir()) == sorted([*paths, other])


def test_of_a_huge_collection_the_first_questions_are_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """3 runs by 2 judges: 24 cells are 4 questions."""
    monkeypatch.setattr(page, "MOST_CELLS", 24)
    monkeypatch.setattr(page, "AT_ONCE", 1)  # question by question
    data, chunks = data_of(*write(tables(), tmp_path))
    assert data["questions"] == ["q1", "q2", "q3", "q4"]
    assert data["asked"] == 6
    assert rows_of(data, chunks) == {row for row in expected() if row[2] < "q5"}


def test_a_planned_comparison_counts(tmp_path: Path) -> None:
    made = tables(
        comparisons=[
            pair("a", "b", p_adjusted=0.2),
            pair("b", "a", family="planned", p_adjusted=0.1),
        ]
    )
    data, _ = data_of(*write(made, tmp_path))
    tested = data["pairs"][0][0]
    assert (tested["a"], tested["b"], tested["planned"], tested["p_adjusted"]) == (
        [1],
        [0],
        [0],
        [0.1],
    )


def test_pages_of_collections_that_are_gone_are_removed(tmp_path: Path) -> None:
    for name in (
        "questions-c.html",
        "questions-c.2.html",
        "questions-c-2.html",
        "questions-d.html",
    ):
        (tmp_path / name).write_text("")
    remove_leftovers(tmp_path, ["c"])
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "questions-c.2.html", "questions-c.html",
    ]  # fmt: skip
