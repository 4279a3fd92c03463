"""Ties between assessors, from the sheet to the results."""

import polars as pl
import pytest

from tests.helpers.tiny_campaign import Tiny

TIE = "q3,a rock,ana,U\nq3,a rock,bob,R\n"


@pytest.mark.exhaustive
def test_ties_go_to_a_sheet_and_come_back(tiny: Tiny) -> None:
    tiny.replace("alpha/assessments.csv", "q3,a rock,ana,U\nq3,a rock,bob,U\n", TIE)
    sheet = tiny.results / "ties/alpha/people.csv"
    assert "results/tiny/ties/alpha/people.csv" in tiny.run(code=1).shown
    rows = pl.read_csv(sheet)
    assert rows["votes"].to_list() == ["ana: unsupported, bob: right"]
    # as it is, without a label, the sheet changes nothing
    tiny.configure(
        lambda config: config["collections"]["alpha"].update(
            assessments=["alpha/assessments.csv", str(sheet)]
        )
    )
    assert "an answer has neither a majority" in tiny.run(code=1).shown
    rows.with_columns(label=pl.lit("R")).write_csv(sheet)
    tiny.run()
    # a3 has Paris and a rock right of 4, and one unanswered: (2 + 1 * 2 / 4) / 4
    assert tiny.values()["a3"] == 0.625
    assert not [row for row in tiny.tables()["remarks"] if "not used" in row[3]]


@pytest.mark.exhaustive
def test_ties_that_the_config_decides_are_remarked_on(tiny: Tiny) -> None:
    tiny.replace("alpha/assessments.csv", "q3,a rock,ana,U\nq3,a rock,bob,U\n", TIE)
    tiny.configure(lambda config: config["collections"]["alpha"].update(ties=["wrong", "right"]))
    text = "judge people: ties between labels that ties: [wrong, right] decides"
    assert f"{text}: 1" in tiny.run().shown
    assert ("alpha", None, "label", text, 1) in tiny.tables()["remarks"]
    assert not (tiny.results / "ties").exists()
