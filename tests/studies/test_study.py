"""The studies with settings as the config has them: which sizes, which tables, and when none."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from qampaign.measures.evidence import Evidence
from qampaign.measures.scoring import Configured
from qampaign.problems import Refused
from qampaign.studies.study import STUDIES, Setting, study
from qampaign.tables import STUDIED, empty

MEASURES = [Configured("accuracy", "accuracy", {}), Configured("c_at_1", "c_at_1", {})]
SETTINGS = {
    "stability": {"sizes": [], "trials": 20, "fuzziness": [0.05]},
    "swap": {"sizes": [], "trials": 20, "confidence": [0.9], "bins": 21, "width": 0.01},
    "sizes": {"from": None, "to": None, "step": None, "trials": 20, "bound": 0.9},
    "significance": {"resamples": 50},
}


def setting(runs: int = 4, questions: int = 40) -> Setting:
    rng = np.random.default_rng(7)
    correct = (rng.random((runs, questions)) < np.linspace(0.3, 0.7, runs)[:, None]).astype(
        np.uint8
    )
    names = [f"r{number}" for number in range(runs)]
    columns = {
        "correct": correct,
        "wrong": 1 - correct,
        "unanswered": np.zeros_like(correct),
        "questions": np.ones_like(correct),
    }
    return Setting(
        Evidence(
            pl.DataFrame({"run": names}).with_columns(
                kind=pl.lit("submitted"), assessed=pl.lit(True)
            ),
            pl.DataFrame({"question": [f"q{n}" for n in range(questions)], "type": "factoid"}),
            columns,
        ),
        MEASURES,
        seed="7 c",
    )


@pytest.mark.parametrize("name", STUDIES)
def test_every_table_has_the_columns_that_are_published(name: str) -> None:
    found = study(name, setting(), SETTINGS[name])
    assert tuple(found) == STUDIED[name]
    for table, frame in found.items():
        wanted = empty(table).drop("collection", "judge")
        assert frame.height > 0 or table == "unstable_pairs"
        assert set(wanted.columns) == set(frame.columns)
        assert frame.select(wanted.columns).schema == wanted.schema


def test_sizes_follow_from_the_questions_unless_given() -> None:
    found = study("stability", setting(questions=41), SETTINGS["stability"])
    assert set(found["stability"]["size"]) == {20}
    found = study("stability", setting(), SETTINGS["stability"] | {"sizes": [5, 30]})
    assert set(found["stability"]["size"]) == {5, 30}
    found = study("sizes", setting(), SETTINGS["sizes"])
    assert sorted(set(found["sizes"]["size"])) == list(range(4, 41, 4))
    found = study("sizes", setting(), SETTINGS["sizes"] | {"from": 10, "to": 30, "step": 10})
    assert sorted(set(found["sizes"]["size"])) == [10, 20, 30]


def test_swap_rates_at_further_sizes_serve_the_question_how_many_are_needed() -> None:
    found = study("swap", setting(), SETTINGS["swap"] | {"sizes": [7]})
    assert set(found["swap"]["size"]) == {7}
    assert set(found["sensitivity"]["size"]) == {7}
    # 20 · 8^(−i/7) for i from 7 to 0, and 7
    assert {2, 3, 5, 6, 7, 8, 11, 15, 20} >= set(found["swap_fits"]["size"])
    assert len(set(found["swap_fits"]["size"])) > 4


@pytest.mark.slow
def test_studies_draw_groups_unless_told_otherwise() -> None:
    made = setting()
    grouped = made.evidence.questions.with_columns(
        group=pl.Series([f"g{n // 2}" for n in range(40)])
    )
    evidence = Evidence(made.evidence.runs, grouped, made.evidence.columns)
    by_group, by_question = (
        replace(made, evidence=evidence, unit=unit) for unit in ("group", "question")
    )
    for name, half in (("stability", 10), ("swap", 10), ("sizes", 20)):
        found = study(name, by_group, SETTINGS[name])[name]
        assert set(found["unit"]) == {"group"}
        assert found["size"].max() == half
        plain = study(name, made, SETTINGS[name])
        for asked in (
            study(name, by_question, SETTINGS[name]),
            study(name, by_group, SETTINGS[name] | {"unit": "question"}),
        ):
            assert all(asked[table].equals(plain[table]) for table in plain)
            assert set(asked[name]["unit"]) == {"question"}
    # one group cannot be halved
    single = Evidence(made.evidence.runs, grouped.with_columns(group=pl.lit("g")), evidence.columns)
    for name in ("stability", "swap", "sizes"):
        nothing = study(name, replace(made, evidence=single), SETTINGS[name])
        assert all(table.is_empty() for table in nothing.values())


@pytest.mark.parametrize("name", STUDIES)
@pytest.mark.parametrize(("runs", "questions"), [(1, 40), (0, 40), (4, 1)])
def test_where_there_is_nothing_to_study_the_tables_are_empty(
    name: str, runs: int, questions: int
) -> None:
    found = study(name, setting(runs, questions), SETTINGS[name])
    assert tuple(found) == STUDIED[name]
    for table, frame in found.items():
        single = table == "intervals" and runs == 1  # one run has an interval, too
        assert frame.is_empty() != single


def test_impossible_sizes_are_refused_with_the_largest_possible() -> None:
    with pytest.raises(Refused, match=r"swap: two disjoint sets of 21 .* allowed: 1 to 20"):
        study("swap", setting(), SETTINGS["swap"] | {"sizes": [21]})
    with pytest.raises(Refused, match=r"sizes: sets of 50 .* the largest possible size is 40"):
        study("sizes", setting(), SETTINGS["sizes"] | {"from": 50, "to": 60})
