"""The threshold that ranks the runs as the reference does, cross-fitted."""

import polars as pl

from qampaign.agreement.agreement import choose_thresholds


def pairs(rows: list[tuple[str, int, bool, float]]) -> pl.DataFrame:
    """Matched judgments of first answers: run, unit, whether it is right, degree."""
    frame = pl.DataFrame(rows, schema=["run", "unit", "right", "degree"], orient="row")
    return frame.with_columns(
        pl.col("run").cast(pl.Enum(frame["run"].unique().sort())),
        pl.col("unit").cast(pl.UInt32),
        accepted=pl.lit(True),
        rank=pl.lit(1, pl.Int64),
    )


def test_by_hand() -> None:
    # Of 20 questions a has 15 right, b 5. The judge gives a's answers .6 if right, else .2; b's .9
    # if right, else .4. Above .4 it accepts what is right, and ranks a (15) over b (5): tau 1.
    # Above .2 b has 20 accepted ones and a 15: tau -1; above .6 b has 5 and a none: tau -1.
    runs = (("a", 15, 0.6, 0.2), ("b", 5, 0.9, 0.4))
    rows = [
        (run, unit, unit < right, high if unit < right else low)
        for run, right, high, low in runs for unit in range(20)
    ]  # fmt: skip
    row = choose_thresholds(pairs(rows)).filter(criterion="ranks best").row(0, named=True)
    assert (row["threshold"], row["tau"], row["agreement"]) == (0.4, 1.0, 1.0)
    assert (row["cross_fitted_tau"], row["cross_fitted_agreement"]) == (1.0, 1.0)


def test_the_best_ranking_may_agree_less() -> None:
    # Of 40 questions a has 20 right, b 19. The judge: a's right ones .9, b's right ones .5, wrong
    # ones of both .1, but for 10 wrong ones of b with .3. Above .3 it agrees with everything; above
    # .1 it accepts 20 of a and 29 of b.
    rows = [("a", unit, unit < 20, 0.9 if unit < 20 else 0.1) for unit in range(40)]
    rows += [
        ("b", unit, unit < 19, 0.5 if unit < 19 else 0.3 if unit < 29 else 0.1)
        for unit in range(40)
    ]
    chosen = choose_thresholds(pairs(rows))
    at = dict(chosen.select("criterion", "threshold").rows())
    assert (at["agrees best"], at["ranks best"]) == (0.3, 0.3)
    assert chosen.filter(criterion="agrees best")["tau"].item() == 1.0


def test_one_run_and_ties_have_no_tau_or_0() -> None:
    alone = choose_thresholds(pairs([("a", unit, unit < 3, 0.5) for unit in range(6)]))
    assert alone["tau"].to_list() == [None] * 4
    assert alone["cross_fitted_tau"].to_list() == [None] * 4
    equal = choose_thresholds(pairs([(run, unit, True, 0.5) for run in "ab" for unit in range(6)]))
    assert equal["tau"].to_list() == [0.0] * 4


def test_a_single_question_leaves_no_other_to_choose_on() -> None:
    rows = [("a", 0, True, 0.9), ("b", 0, False, 0.1)]
    table = choose_thresholds(pairs(rows)).filter(criterion="agrees best")
    assert table.select("agreement", "tau").row(0) == (1.0, 1.0)
    assert table.select("cross_fitted_agreement", "cross_fitted_tau").row(0) == (None, None)
