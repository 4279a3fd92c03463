"""Published figures beside ours: each finds its one row, or says why not."""

from pathlib import Path

import polars as pl
import pytest

from qampaign.measures.configured import Configured
from qampaign.problems import Refused
from qampaign.publishing.compared_figures import compare_figures, find_logged
from qampaign.tables import RESULT_TABLES, empty

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
        "collection": ["c"] * 3,
        "judge": ["people"] * 3,
        "measure": ["c_at_1"] * 3,
        "size": [250, 97, 250],
        "confidence": [0.95, 0.95, 0.96],
        "absolute_difference": [0.09, None, 0.11],
    }
)
CORRELATION = pl.DataFrame(
    {
        "collection": ["c"] * 3,
        "judge_a": ["people"] * 3,
        "measure_a": ["mrr", "mrr", "nq_correct_1"],
        "judge_b": ["key"] * 3,
        "measure_b": ["mrr", "nq_correct_1", "mrr"],
        "tau": [0.92, 0.8, 0.7],
    }
)
OURS = {"scores": SCORES, "sensitivity": SENSITIVITY, "correlation": CORRELATION}
HEADER = "source,table,column,judge,measure,run,size,confidence,published\n"


def compared(folder: Path, text: str) -> pl.DataFrame:
    path = folder / "figures.csv"
    path.write_text(text)
    tables = {name: OURS.get(name, empty(name)) for name in RESULT_TABLES}
    return compare_figures(tables, "c", [path], "people")


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
    ("row", "message"),
    [
        (
            "P,score,value,,c_at_1,a,,,1",
            "line 2, column table: 'score' is not a table of the results",
        ),
        (
            "P,scores,valu,,c_at_1,a,,,1",
            "column column: 'valu' is not a column of the table scores; allowed: judge, measure, slice, run, value",
        ),
        (
            "P,scores,value,,c_at_1,a,5,,1",
            "column size: '5' is given, but size is not a column of the table scores",
        ),
        (
            "P,scores,value,,,a,,,1",
            "line 2: a matches 2 rows of the table scores; allowed: one row; add a column: measure",
        ),
        (
            "P,scores,value,,c_at_1,b,,,1",
            "column run: 'b' is in no row of the table scores among those of c_at_1, b; allowed: a",
        ),
        ("P,scores,value,,c_at_1,a,,,high", "column published: 'high' is not a number"),
        ("P,scores,value,,c_at_1,a,,,", "column published: '' is not a number; allowed: a number"),
    ],
)
def test_a_figure_of_no_row_is_refused_with_its_line(
    tmp_path: Path, row: str, message: str
) -> None:
    with pytest.raises(Refused) as refused:
        compared(tmp_path, f"{HEADER}{row}\n")
    assert message in str(refused.value)
    assert "figures.csv" in str(refused.value)


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="has no column table, column"):
        compared(tmp_path, "source,published\nP,1\n")
    with pytest.raises(Refused, match="does not exist"):
        compare_figures({}, "c", [tmp_path / "none.csv"], "people")


def test_figures_in_logs_stand_beside_the_measure_that_is_the_same_mean() -> None:
    columns = ("run", "slice", "scorer", "value", "origin", "binary", "scorers")
    figures = pl.DataFrame(
        [
            ("a", "all", "exact", 0.5, "r.json: exact", True, 2),
            ("a", "all", "f1", 0.25, "r.json: f1", False, 2),
            ("b", "all", "exact", 0.1, "r.json: exact", True, 2),  # b has no score here
        ],
        schema=columns,
        orient="row",
    )
    judges = {"logged": ("exact", True), "graded": ("f1", False), "unnamed": (None, True)}
    measures = [Configured("acc", "accuracy", {}), Configured("mean_score", "mean_score", {})]
    found = [*find_logged(figures, judges, measures)]
    assert [(figure.item, figure.value) for figure in found] == [
        ("a, acc, judge logged, slice all", 0.5),
        ("a, mean_score, judge graded, slice all", 0.25),
        ("b, acc, judge logged, slice all", 0.1),
    ]
    scores = pl.DataFrame(
        {
            "collection": "c",
            "judge": ["logged", "graded"],
            "measure": ["acc", "mean_score"],
            "slice": "all",
            "run": "a",
            "value": [0.5, 0.2],
        }
    )
    tables = {name: empty(name) for name in RESULT_TABLES} | {"scores": scores}
    compared = compare_figures(tables, "c", [], "logged", found)
    assert compared.select("source", "published", "reconstructed").rows() == [
        ("r.json: exact", 0.5, 0.5),
        ("r.json: f1", 0.25, 0.2),
    ]


def test_figures_in_logs_need_a_judge_by_their_scorer() -> None:
    row = {"run": "a", "slice": "all", "scorer": "exact", "value": 0.5, "origin": "r.json"}
    figures = pl.DataFrame([row | {"binary": True, "scorers": 1}])
    accuracy, mean = Configured("accuracy", "accuracy", {}), Configured("m", "mean_score", {})
    assert [*find_logged(figures, {"key": ("other", True)}, [accuracy])] == []
    assert [*find_logged(figures, {"logged": ("exact", True)}, [])] == []
    assert [*find_logged(figures, {"logged": ("exact", False)}, [accuracy])] == []
    # without a scorer it is the only one; without verdicts the mean score is the same mean
    (figure,) = find_logged(figures, {"logged": (None, True)}, [accuracy, mean])
    assert figure.keys["measure"] == "accuracy"
    (figure,) = find_logged(figures, {"logged": (None, False)}, [accuracy, mean])
    assert figure.keys["measure"] == "m"
