"""Files of published figures: what is wrong with them is known before anything is computed."""

from pathlib import Path

from qampaign.input.published_figures import FigureNames, check_figures
from qampaign.problems import Problems

HEADER = "source,table,column,judge,measure,run,size,confidence,published\n"


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
    check_figures("c", [path], FigureNames(["people", "key"], ["c_at_1"], ["a"]), problems)
    lines = [line.partition(".csv, ")[2] for line in problems.summary("").splitlines()[1:]]
    assert [line.partition(" is not ")[0] for line in lines] == [
        "line 3, column judge: 'kye'",
        "line 3, column measure: 'c_at_2'",
        "line 3, column published: 'half'",
        "line 3, column run: 'z'",
        "line 6, column table: 'score'",
    ]
    assert lines[3] == "line 3, column run: 'z' is not a run of the collection; allowed: a, all"
    without_runs = Problems()
    check_figures("c", [path], FigureNames(["people", "key"], ["c_at_1"]), without_runs)
    assert len(without_runs) == 4  # which runs there will be is not known where there are baselines
