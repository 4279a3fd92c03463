"""The conditions of a gate, as a config writes them."""

import pytest

from qampaign.config.conditions import Condition, find_cause, read_condition

CASES = {
    "accuracy of new >= 0.8": Condition(
        "accuracy of new >= 0.8", "value", "accuracy", "new", operator=">=", number=0.8
    ),
    "  c@1  of 'my run' in demo by gpt<.5 ": Condition(
        "c@1 of 'my run' in demo by gpt<.5", "value", "c@1", "my run", collection="demo",
        judge="gpt", operator="<", number=0.5,
    ),
    'K1 of "a >= b" not significantly below meta-llama/Llama-3.1': Condition(
        'K1 of "a >= b" not significantly below meta-llama/Llama-3.1', "significance", "K1",
        "a >= b", other="meta-llama/Llama-3.1",
    ),
    "f of new in d not below old by more than 0.02": Condition(
        "f of new in d not below old by more than 0.02", "margin", "f", "new", other="old",
        collection="d", number=0.02,
    ),
    "agreement of gpt with people in demo > 0.9": Condition(
        "agreement of gpt with people in demo > 0.9", "agreement", judge="gpt",
        reference="people", collection="demo", operator=">", number=0.9,
    ),
    "every published figure comes out": Condition("every published figure comes out", "published"),
}  # fmt: skip


@pytest.mark.parametrize("text", CASES)
def test_a_condition_is_read_with_all_its_parts(text: str) -> None:
    assert read_condition(text) == CASES[text]


@pytest.mark.parametrize(
    "text",
    [
        "accuracy of new",
        "accuracy of new >= high",
        "accuracy of new == 0.8",
        "accuracy new >= 0.8",
        "accuracy of my run >= 0.8",  # two words without quotes
        "accuracy of new not below old",
        "accuracy of new not below old by more than -0.1",
        "every figure comes out",
        "",
    ],
)
def test_what_is_no_condition(text: str) -> None:
    assert read_condition(text) is None


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("accuracy of new >= nan", ("nan is not a plain number such as 0.73", "value")),
        ("accuracy of new >= 0,8", ("0,8 is not a plain number such as 0.73", "value")),
        (
            "f of new not below old by more than -2%",
            ("-2% is not a plain number from 0, such as 0.73", "margin"),
        ),
        (
            "f of my new in a demo not below 'my old' by more than 0.1",
            ('a name with a space stands in quotes: "my new", "a demo"', "margin"),
        ),
        ("accuracy of new == 0.8", None),
        ("accuracy of new", None),
    ],
)
def test_why_a_text_is_no_condition_is_told_where_it_can_be_seen(
    text: str, cause: tuple[str, str] | None
) -> None:
    assert read_condition(text) is None
    assert find_cause(text) == cause
