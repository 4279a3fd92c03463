"""What the report says of judges: which ranks best, which runs one favours; true in odd cases."""

from types import SimpleNamespace
from typing import Any

import polars as pl
import pytest

from qampaign.report.sections.fair_judges import Compared, describe_unfair, recommend


def collection(**tables: pl.DataFrame) -> Any:
    def table(name: str, **where: str) -> pl.DataFrame:
        found = tables.get(name, pl.DataFrame(schema={"judge": pl.String}))
        return found.filter(**where) if where else found

    kinds = {"people": "assessments", "ana": "assessments", "key": "key", "gpt": "verdicts"}
    kinds["exact"] = "exact"
    judges = [{"judge": judge, "kind": kind} for judge, kind in kinds.items()]
    return SimpleNamespace(judges=judges, reference="people", table=table)


def row(judge: str, agreement: float, spread: float | None = 0.05) -> dict[str, Any]:
    return {"judge": judge, "agreement": agreement, "false_alarm_rate_sd": spread}


def tau(value: float, low: float | None = None, high: float | None = None) -> dict[str, Any]:
    return {"tau": value, "tau_b": value, "low": low, "high": high}


TIED = {"tau": 0.0, "tau_b": None, "low": None, "high": None}


@pytest.mark.parametrize(
    ("compared", "said"),
    [
        (  # the best ranking goes before the best agreement; people are no automatic judge
            [
                Compared.of(row("ana", 0.99), tau(1.0)),
                Compared.of(row("key", 0.8, 0.02), tau(0.9, 0.8, 1.0)),
                Compared.of(row("exact", 0.9), tau(0.5, 0.4, 0.7)),
            ],
            [
                "Of 2 automatic judges, key ranks the runs most like people: tau 0.900 (95% interval "
                "0.800 to 1.000), agreement on 80.0%, and rates of false alarms with a standard "
                "deviation of 2.0% over runs."
            ],
        ),
        (  # intervals overlap; a judge without a ranking stays out
            [
                Compared.of(row("key", 0.8), tau(0.9, 0.6, 1.0)),
                Compared.of(row("exact", 0.9), tau(0.8, 0.5, 0.9)),
                Compared.of(row("gpt", 0.9), TIED),
            ],
            [
                "Of the 2 of 3 automatic judges whose rankings can be compared, key ranks the runs "
                "most like people: tau 0.900 (95% interval 0.600 to 1.000), agreement on 80.0%, and "
                "rates of false alarms with a standard deviation of 5.0% over runs. The interval "
                "overlaps with that of exact."
            ],
        ),
        (  # a single ranking is most like another without any choice
            [
                Compared.of(row("key", 0.8, None), tau(0.9, 0.6, 1.0)),
                Compared.of(row("exact", 0.9), None),
            ],
            [
                "Of 2 automatic judges, key alone has a ranking to compare with that of people: tau "
                "0.900 (95% interval 0.600 to 1.000), agreement on 80.0%."
            ],
        ),
        (  # equal taus: the one that agrees more
            [
                Compared.of(row("key", 0.8, None), tau(0.9)),
                Compared.of(row("exact", 0.9, None), tau(0.9)),
            ],
            [
                "Of 2 automatic judges, exact ranks the runs most like people: tau 0.900, agreement "
                "on 90.0%. key ranks as well, and agrees less often or less evenly."
            ],
        ),
        (  # judges that equal each other
            [Compared.of(row("key", 0.9), tau(0.9)), Compared.of(row("exact", 0.9), tau(0.9))],
            [
                "Of 2 automatic judges, key and exact rank the runs most like people: tau 0.900, "
                "agreement on 90.0%, and rates of false alarms with a standard deviation of 5.0% "
                "over runs."
            ],
        ),
        (  # one run, or two runs and three questions: nothing is ranked
            [Compared.of(row("key", 0.8, None), None), Compared.of(row("exact", 0.7, None), None)],
            [
                "Of 2 automatic judges, key agrees with people most often, on 80.0%; these data do "
                "not show which of them ranks best."
            ],
        ),
        (  # ties everywhere, all right
            [Compared.of(row("key", 1.0, None), TIED), Compared.of(row("exact", 1.0, None), TIED)],
            [
                "Of 2 automatic judges, key and exact agree with people most often, on 100.0%; these "
                "data do not show which of them ranks best."
            ],
        ),
        ([Compared.of(row("key", 0.8), tau(0.9))], []),  # there is no choice
        ([], []),  # nothing is answered
    ],
)
def test_the_judge_that_ranks_best_is_named(compared: list[Compared], said: list[str]) -> None:
    assert list(recommend(collection(), compared)) == said


def agreement(p: float | None, shifts: dict[str, float]) -> pl.DataFrame:
    own = {"judge": "key", "slice": "all", "threshold": None, "p_homogeneous": None, "shift": None}
    rows = [own | {"run": "all", "hit_rate": 0.8, "false_alarm_rate": 0.2, "p_homogeneous": p}]
    rates = zip(shifts.items(), (0.7, 0.8, 0.9, 0.95), (0.1, None, 0.3, 0.2), strict=False)
    rows += [
        own | {"run": run, "hit_rate": hit, "false_alarm_rate": alarm, "shift": shift}
        for (run, shift), hit, alarm in rates
    ]
    schema = {"judge": pl.String, "slice": pl.String, "threshold": pl.Float64, "run": pl.String}
    schema |= dict.fromkeys(("p_homogeneous", "shift", "hit_rate", "false_alarm_rate"), pl.Float64)
    return pl.DataFrame(rows, schema=schema)


def test_favoured_and_disfavoured_runs_are_named() -> None:
    table = agreement(0.0004, {"a": -0.06, "b": 0.001, "c": 0.059})
    start = (
        "key does not treat all runs alike (p < 0.001): hit rates go from 70.0% (a) to 90.0% (c); "
        "false-alarm rates go from 10.0% (a) to 30.0% (c). Its scores favour c (5.9%) and disfavour "
        "a (6.0%) (by how much more its errors raise their share of right answers than that of the "
        "mean run). "
    )
    assert list(describe_unfair(collection(agreement=table))) == [
        start + "Scores with corrected_by: people are free of that."
    ]
    corrected = pl.DataFrame({"judge": ["key"]})
    assert list(describe_unfair(collection(agreement=table, corrected=corrected))) == [
        start + "The corrected scores below are free of that."
    ]


def test_nothing_is_said_where_rates_may_be_shared() -> None:
    for p in (0.05, 0.4, None):
        table = agreement(p, {"a": -0.06, "b": 0.06})
        assert list(describe_unfair(collection(agreement=table))) == []


def test_p_is_adjusted_for_the_number_of_judges() -> None:
    """0.02 of two judges is 0.04 by Holm's method, 0.03 is 0.06; a judge without p is none."""
    shifts = {"a": -0.06, "b": 0.06}
    other = agreement(0.4, shifts).with_columns(judge=pl.lit("gpt"))
    untested = agreement(None, shifts).with_columns(judge=pl.lit("exact"))
    for p, start in ((0.02, "(p = 0.040, adjusted for 2 judges): "), (0.03, "")):
        table = pl.concat([agreement(p, shifts), other, untested])
        found = list(describe_unfair(collection(agreement=table)))
        assert len(found) == bool(start)
        assert not start or found[0].startswith(f"key does not treat all runs alike {start}")


def test_equal_rates_go_from_nowhere_to_nowhere() -> None:
    table = agreement(0.01, {"a": -0.06, "c": 0.06}).with_columns(hit_rate=pl.lit(1.0))
    (said,) = describe_unfair(collection(agreement=table))
    assert ": hit rates are all 100.0%. " in said


def test_rates_may_differ_without_moving_scores() -> None:
    (said,) = describe_unfair(collection(agreement=agreement(0.01, {"a": 0.001, "b": -0.001})))
    assert "moves the share of right answers of no run by half a point" in said
