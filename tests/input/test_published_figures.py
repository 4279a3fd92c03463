"""Published figures beside ours: each finds its one row, or says why not."""

from pathlib import Path

import polars as pl
import pytest

from qampaign.input.published_figures import Names, check, compare
from qampaign.problems import Problems, Refused
from qampaign.tables import TABLES, empty

SCORES = pl.DataFrame(
    {
        "collection": ["c", "c", "c", "other"],
        "judge": ["people", "people", "key", "people"],
        "measure": ["c_at_1", "accuracy", "c_at_1", "c_at_1"],
        "slice": "all",
        "run": ["a", "a", "a", "a"],
        "value": [0.576, 0.474, 0.5, 0.1],
    }
)
SENSITIVITY = pl.DataFrame(
    {
        "collection": ["c", "c"],
        "judge": ["people", "people"],
        "measure": ["c_at_1", "c_at_1"],
        "size": [250, 97],
        "confidence": [0.95, 0.95],
        "absolute_difference": [0.09, None],
    }
)
CORRELATION = pl.DataFrame(
    {
        "collection": ["c", "c"],
        "judge_a": ["people", "people"],
        "measure_a": ["mrr", "mrr"],
        "judge_b": ["key", "key"],
        "measure_b": ["mrr", "nq_correct_1"],
        "tau": [0.92, 0.8],
    }
)
OURS = {"scores": SCORES, "sensitivity": SENSITIVITY, "correlation": CORRELATION}
HEADER = "source,table,column,judge,measure,run,size,confidence,published\n"


def compared(folder: Path, text: str) -> pl.DataFrame:
    path = folder / "figures.csv"
    path.write_text(text)
    tables = {name: OURS.get(name, empty(name)) for name in TABLES}
    return compare(tables, {"c": [path]}, {"c": "people"})


def test_a_figure_stands_beside_ours(tmp_path: Path) -> None:
    found = compared(
        tmp_path,
        HEADER
        + "Paper,scores,value,,c_at_1,a,,,0.58\n"
        + "Paper,scores,value,key,c_at_1,a,,,0.51\n"
        + "Paper,sensitivity,absolute_difference,,c_at_1,,250,.95,0.10\n"
        + "Paper,sensitivity,absolute_difference,,c_at_1,,97,0.95,0.2\n"
        + "Paper,correlation,tau,key,mrr,,,,0.920\n",
    )
    assert found.select("figure", "item", "published", "reconstructed").rows() == [
        ("scores.value", "c_at_1, a", 0.58, 0.576),
        ("scores.value", "judge key, c_at_1, a", 0.51, 0.5),
        ("sensitivity.absolute_difference", "c_at_1, size 250, confidence .95", 0.1, 0.09),
        ("sensitivity.absolute_difference", "c_at_1, size 97, confidence 0.95", 0.2, None),
        ("correlation.tau", "judge key, mrr", 0.92, 0.92),
    ]
    assert set(found["collection"]) == {"c"}


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ("P,score,value,,c_at_1,a,,,1", "line 2, column table: 'score' is no table of the results"),
        (
            "P,scores,valu,,c_at_1,a,,,1",
            "column column: 'valu' is no column of the table scores; allowed: judge, measure, slice, run, value",
        ),
        (
            "P,scores,value,,c_at_1,a,5,,1",
            "column size: '5' is given, but size is no column of the table scores",
        ),
        (
            "P,scores,value,,,a,,,1",
            "line 2: a is of 2 rows of the table scores; allowed: one row; a further column: measure",
        ),
        (
            "P,scores,value,,c_at_1,b,,,1",
            "column run: 'b' is in no row of the table scores among those of c_at_1, b; allowed: a",
        ),
        ("P,scores,value,,c_at_1,a,,,high", "column published: 'high' is no number"),
        ("P,scores,value,,c_at_1,a,,,", "column published: '' is no number; allowed: a number"),
    ],
)
def test_a_figure_of_no_row_is_told_with_its_line(tmp_path: Path, row: str, told: str) -> None:
    with pytest.raises(Refused) as refused:
        compared(tmp_path, f"{HEADER}{row}\n")
    assert told in str(refused.value)
    assert "figures.csv" in str(refused.value)


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="has no column table, column"):
        compared(tmp_path, "source,published\nP,1\n")
    with pytest.raises(Refused, match="does not exist"):
        compare({}, {"c": [tmp_path / "none.csv"]}, {"c": "people"})


def test_names_are_checked_before_anything_is_computed(tmp_path: Path) -> None:
    path = tmp_path / "figures.csv"
    path.write_text(
        HEADER
        + "P,scores,value,key,c_at_1,a,,,0.5\n"
        + "P,scores,value,kye,c_at_2,z,,,half\n"
        + "P,agreement,agreement,key,,all,,,0.9\n"
        + "P,counts,tp,,,a,,,4\n"  # a table that may have more columns
        + "P,score,value,,c_at_1,a,,,0.5\n"
        + "P,correlation,tau,one assessor per question,c_at_1,,,,0.9\n"  # a judge of our own
    )
    problems = Problems()
    check("c", [path], Names(["people", "key"], ["c_at_1"], ["a"]), problems)
    lines = [line.partition(".csv, ")[2] for line in problems.summary("").splitlines()[1:]]
    assert [line.partition(" is no ")[0] for line in lines] == [
        "line 3, column judge: 'kye'",
        "line 3, column measure: 'c_at_2'",
        "line 3, column published: 'half'",
        "line 3, column run: 'z'",
        "line 6, column table: 'score'",
    ]
    assert lines[3] == "line 3, column run: 'z' is no run of the collection; allowed: a, all"
    without_runs = Problems()
    check("c", [path], Names(["people", "key"], ["c_at_1"]), without_runs)
    assert len(without_runs) == 4  # which runs there will be is not known where there are baselines
