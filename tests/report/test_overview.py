"""The first screen: a row per collection whose words are true of it."""

from typing import Any

import polars as pl
import pytest

from qampaign.report.blocks import Section
from qampaign.report.collection import arrange
from qampaign.report.overall import pictures, sentences
from qampaign.report.overview import summary
from qampaign.report.page import assemble, draw, render, show
from qampaign.tables import schema_of
from tests.report.report_campaign import Tables, frame, tables
from tests.report.whole_campaign import campaign

pytestmark = pytest.mark.slow


FOUR = [f"run-{number:03}" for number in range(1, 5)]


def row(made: Tables) -> dict[str, Any]:
    (collection,) = arrange(made)
    return summary(collection)


def ranked(
    ranks: list[int | None], leading: list[bool | None] | None = None, **more: Any
) -> Tables:
    """Runs with these ranks, some of which lead; the value of rank r is 1 - r/10."""
    made = campaign(runs=len(ranks), collections=1)
    names = FOUR[: len(ranks)]
    first = pl.col("run").replace_strict(
        dict(zip(names, ranks, strict=True)), return_dtype=pl.Int64
    )
    leads = dict(zip(names, leading or [None] * len(ranks), strict=True))
    made["scores"] = made["scores"].with_columns(
        value=1 - first / 10,
        rank_first=first,
        rank_low=first,
        rank_high=first,
        leading=pl.col("run").replace_strict(leads, return_dtype=pl.Boolean),
    )
    for table, change in more.items():
        made[table] = made[table].with_columns(**change)
    return made


@pytest.mark.parametrize(
    ("ranks", "leading", "leader", "verdict"),
    [
        ([1, 2, 3, 4], [True, False, False, False], "run-001", "clear"),
        ([1, 2, 3, 4], [True, True, False, False], "run-001", "tied with 1 other"),
        ([1, 2, 3, 4], [True] * 4, "run-001", "tied with 3 others"),
        ([1, 1, 3, 4], [True, True, True, False], "run-001 and run-002", "3 runs are tied"),
        ([1, 1, 1, 1], [True] * 4, "–", "all 4 have the same value"),
        ([1, 1], [True, True], "–", "both have the same value"),
        ([1, 2], [True, True], "run-001", "tied with 1 other"),
        ([1, 2, 3, 4], None, "run-001", "not tested"),
        ([1], None, "run-001", "the only ranked run"),
        ([None, None], None, "–", "no values"),
    ],
)
def test_the_verdict_fits(
    ranks: list[int | None], leading: list[bool | None] | None, leader: str, verdict: str
) -> None:
    made = ranked(ranks, leading) if len(ranks) > 1 else one_run()
    found = row(made)
    assert (found["leader"], found["verdict"]) == (leader, verdict)


def test_the_only_leader_may_not_be_surely_better_than_each() -> None:
    """run-001 may rank from 1 to 2: it leads, since run-003 is surely better than run-002."""
    made = ranked([1, 2, 3], [True, False, False])
    at = pl.col("run") == "run-001"
    made["scores"] = made["scores"].with_columns(
        rank_high=pl.when(at).then(2).otherwise("rank_high")
    )
    assert row(made)["verdict"] == "leads alone"
    page = render(made, title="x")
    assert "but not always the leader" in page
    assert "Clear: surely" not in page


def one_run() -> Tables:
    made = campaign(runs=2, collections=1)
    return {
        name: table.filter(pl.col("run") == "run-001") if "run" in table.columns else table
        for name, table in made.items()
    }


def test_few_questions_are_too_few_unless_the_lead_is_clear() -> None:
    """Two runs on three questions: no p can be below 1/4."""
    few = {"questions": pl.lit(3, pl.Int64)}
    made = ranked([1, 2], [True, True], counts=few)
    made["scores"] = made["scores"].with_columns(**few)
    assert row(made)["verdict"] == "too few questions to say"
    made = ranked([1, 2], [True, False], counts=few)
    made["scores"] = made["scores"].with_columns(**few)
    assert row(made)["verdict"] == "clear"


def test_where_nothing_is_answered_nobody_leads() -> None:
    silent = {"right": pl.lit(0), "wrong": pl.lit(0), "unanswered": pl.col("questions")}
    found = row(ranked([1, 1], [True, True], counts=silent))
    assert (found["leader"], found["verdict"]) == ("–", "nothing answered")


def test_without_a_rank_or_a_better_end_nobody_leads() -> None:
    assert row(tables(primary="not configured"))["verdict"] == "no measure ranks the runs"
    made = ranked([1, 2], [True, False], measures={"better": pl.lit("none")})
    assert row(made)["verdict"] == "neither high nor low values are better"
    unranked = ranked([1, 2])
    unranked["scores"] = unranked["scores"].with_columns(rank_first=pl.lit(None, pl.Int64))
    assert row(unranked)["verdict"] == "no run is ranked"
    empty = tables() | {name: frame(name, []) for name in ("runs", "scores", "counts")}
    assert row(empty)["verdict"] == "no runs"


def test_the_margin_is_over_the_second_with_the_interval_for_all_pairs() -> None:
    """0.9 - 0.8 = 0.1; the interval of the pair is 0.01 to 0.19."""
    found = row(ranked([1, 2, 3, 4], [True, False, False, False]))
    assert (found["value"], found["margin"]) == ("0.900", "0.100")
    assert found["margin_interval"] == "0.010 to 0.190"


def test_where_low_is_better_the_margin_is_how_much_lower() -> None:
    """0.1 is better than 0.3 by 0.2; the pair differs by -0.2, from -0.3 to -0.1."""
    made = ranked([1, 2], [True, False], measures={"better": pl.lit("low")})
    value = pl.col("run").replace_strict({"run-001": 0.1, "run-002": 0.3}, return_dtype=pl.Float64)
    made["scores"] = made["scores"].with_columns(value=value)
    made["comparisons"] = made["comparisons"].with_columns(
        difference=pl.lit(-0.2), simultaneous_low=pl.lit(-0.3), simultaneous_high=pl.lit(-0.1)
    )
    found = row(made)
    assert (found["leader"], found["margin"]) == ("run-001", "0.200")
    assert found["margin_interval"] == "0.100 to 0.300"


def test_runs_are_counted_by_kind_and_judges_and_changes_are_told() -> None:
    found = row(campaign(runs=4, collections=1))
    assert found["runs"] == "3 runs and 1 baseline"
    assert found["questions"] == "100 questions"
    assert found["agreement"] == [("key", "93.0%")]
    assert found["changes"] == "1 value, 1 rank"


def test_only_words_that_are_used_are_explained() -> None:
    clear = render(ranked([1, 2], [True, False]), title="x")
    assert "Clear: surely better than every other run" in clear
    assert "Tied: no run" not in clear


def test_an_overall_ranking_stands_above_the_collections() -> None:
    made = tables()
    parts = [draw(shown) for shown in show(made)]
    without = assemble(parts, made, title="x")
    assert 'id="overall"' not in without
    overall = Section("overall", "Over all collections", [], ["careful is first."])
    page = assemble(parts, made, title="x", overall=overall)
    assert page.index("careful is first.") < page.index('data-table="overview"')


def over_all(**columns: list[object]) -> pl.DataFrame:
    made = {"run": ["a", "b", "c"], "value": [0.6, 0.5, None], "low": [0.5, 0.4, None],
            "high": [0.7, 0.6, None], "rank_first": [1, 2, None], "rank_last": [1, 2, None],
            "rank_low": [1, 1, None], "rank_high": [2, 2, None], "leading": [True, True, None]}  # fmt: skip
    schema = {name: dtype for name, dtype in schema_of("overall").items() if name in made}
    return pl.DataFrame(made | columns, schema=schema)


DESCRIBED = {"members": [{"better": "high"}]}


@pytest.mark.parametrize(
    ("last_rank", "said"),
    [
        (1, "a is surely better than each of the other 2 runs (95%, all pairs tested together)."),
        # b is surely better than c, and a than b, but a and c may vary too much to tell
        (2, "a alone leads: for each of the other 2 runs, some run is surely better (95%, all pairs "
         "tested together)."),
    ],
)  # fmt: skip
def test_who_leads_alone_is_not_surely_better_than_each(last_rank: int, said: str) -> None:
    table = over_all(
        value=[0.6, 0.5, 0.3], low=[0.5, 0.4, 0.1], high=[0.7, 0.6, 0.6], rank_first=[1, 2, 3],
        rank_last=[1, 2, 3], rank_low=[1, 2, 2], rank_high=[last_rank, 2, 3],
        leading=[True, False, False],
    )  # fmt: skip
    member = {"better": "high", "label": "accuracy", "title": "A"}
    table = table.with_columns(collections=pl.lit(2))
    assert said in sentences(table, {"members": [member] * 2, "weights": "equal"})


@pytest.mark.exhaustive
def test_values_and_ranks_over_collections_are_drawn() -> None:
    made = tables()
    drawn = pictures(over_all(run=["<a>", "b", "c"]), DESCRIBED)
    assert [picture.title.split()[0] for picture in drawn] == ["Values", "Ranks"]
    assert all("&lt;a&gt;" in picture.svg and "<a>" not in picture.svg for picture in drawn)
    assert all(">c<" not in picture.svg for picture in drawn)  # it is not ranked
    page = assemble([draw(shown) for shown in show(made)], made, title="x",
                    overall=Section("overall", "Over all collections", [], []), pictures=drawn)  # fmt: skip
    assert page.count("data:image/svg+xml;base64,") == 2


def test_one_run_over_collections_has_no_range_of_ranks_and_none_no_chart() -> None:
    one = over_all().head(1)
    assert len(pictures(one, DESCRIBED)) == 1
    assert pictures(over_all().tail(1), DESCRIBED) == []
    tied = over_all(value=[0.5, 0.5, None], low=[0.5, 0.5, None], high=[0.5, 0.5, None])
    assert len(pictures(tied, DESCRIBED)) == 2
