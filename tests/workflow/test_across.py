"""Means over types and a leaderboard over collections, in the workflow: values and what reruns."""

import duckdb
import pytest

from tests.helpers.tiny_campaign import ENDING, Tiny, shown

# a1 also answers beta: one of its two questions is right; c@1 of a1 in alpha is 0.625
A1 = "question,rank,answer\np1,1,maybe\np2,1,no\n"
LABELS = "p1,a1,1,wrong\np2,a1,1,right\n"


def prepare(tiny: Tiny) -> None:
    tiny.write("beta/runs/a1.csv", A1)
    tiny.write("beta/assessments.csv", tiny.read("beta/assessments.csv") + LABELS)
    tiny.write("beta/runs/a2.csv", A1.replace("maybe", "yes"))
    labels = "p1,a2,1,right\np2,a2,1,right\n"
    tiny.write("beta/assessments.csv", tiny.read("beta/assessments.csv") + labels)

    def edit(config: dict) -> None:
        config["overall"] = {"measure": "c_at_1"}
        config["collections"]["alpha"]["measures"] += [
            {"accuracy": {"average": "type", "name": "macro"}},
            {"composite": {"of": ["c_at_1", "macro"], "weights": [1, 3], "name": "both"}},
        ]

    tiny.configure(edit)


def query(tiny: Tiny, text: str) -> list[tuple]:
    with duckdb.connect(str(tiny.results / "results.duckdb"), read_only=True) as connection:
        return connection.sql(text).fetchall()


@pytest.mark.exhaustive
def test_overall_reruns_for_its_collections_and_weights_alone(tiny: Tiny) -> None:
    prepare(tiny)
    tiny.run()
    # c@1 in alpha: a1 .625, a2 .5, a3 .3125; in beta: a1 (1 + 0)/2 = .5, a2 1; the means .5625, .75
    rows = query(tiny, "SELECT run, value, rank_first, collections FROM overall ORDER BY run")
    assert rows == [
        ("a1", 0.5625, 2, 2), ("a2", 0.75, 1, 2), ("a3", None, None, 1),
        ("b1", None, None, 1), ("b2", None, None, 1),
    ]  # fmt: skip
    assert query(tiny, "SELECT count(*) FROM comparisons WHERE collection = 'overall'") == [(1,)]
    # accuracy of a1 by type: factoids q1, q2, q4: 2/3, definition q3 (withheld): 0
    values = tiny.values("macro")
    assert values["a1"] == pytest.approx(1 / 3, abs=1e-12)
    assert tiny.values("both")["a1"] == pytest.approx((0.625 + 3 / 3) / 4, abs=1e-12)
    page = (tiny.results / "report/index.html").read_text(encoding="utf-8")
    assert "a2 has the highest value over both collections (0.750" in page
    assert tiny.run().ran == set()

    tiny.configure(lambda config: config["overall"].update(weights="questions"))
    assert tiny.run().ran == {"overall"} | ENDING
    # four questions and two: a1 (4 · .625 + 2 · .5) / 6
    (found,) = query(tiny, "SELECT value FROM overall WHERE run = 'a1'")
    assert found[0] == pytest.approx(3.5 / 6, abs=1e-12)

    tiny.configure(lambda config: config["collections"]["beta"].update(title="Beta itself"))
    assert tiny.run().ran == shown("beta") | ENDING

    tiny.correct_a_label()
    ran = tiny.run().ran
    assert "overall" in ran
    assert not {job for job in ran if job.startswith("alpha/")}

    tiny.configure(lambda config: config.pop("overall"))
    assert tiny.run().ran == ENDING
    assert query(tiny, "SELECT count(*) FROM overall") == [(0,)]
    assert query(tiny, "SELECT count(*) FROM comparisons WHERE collection = 'overall'") == [(0,)]


@pytest.mark.exhaustive
def test_a_changed_type_and_a_changed_weight_reach_the_scores(tiny: Tiny) -> None:
    prepare(tiny)
    tiny.replace("alpha/questions.csv", "q4,factoid", "q4,")
    assert (
        "has no type, but macro is averaged over types; allowed: a type for every question, or no "
        "average: type"
    ) in " ".join(tiny.run(code=1).shown.split())
    tiny.replace("alpha/questions.csv", "q4,", "q4,definition")
    tiny.run()
    # a1: factoids q1, q2: 1/2; definitions q3 (withheld), q4: 1/2
    assert tiny.values("macro")["a1"] == 0.5

    def edit(config: dict) -> None:
        config["collections"]["alpha"]["measures"][-1]["composite"]["weights"] = [1, 1]

    tiny.configure(edit)
    assert {job for job in tiny.run().ran if "score" in job} == {
        "alpha/score/people",
        "alpha/score/ana",
    }
    assert tiny.values("both")["a1"] == (0.625 + 0.5) / 2
