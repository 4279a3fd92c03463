"""Agreement between assessors."""

import krippendorff
import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import fleiss_kappa

from qampaign.agreement.assessors import compare, disputed
from tests.judging import tables

LABEL = ("question", "answer", "assessor", "verdict")
QUESTIONS = pl.DataFrame({"question": ["q1", "q2", "q3"], "type": ["factoid", "list", None]})


def assessments(rows: list[tuple]) -> pl.DataFrame:
    """rows: question, answer, assessor, verdict."""
    return tables.table("assessments", [dict(zip(LABEL, row, strict=True)) for row in rows])


def labelled(assessor: str, words: str) -> list[tuple]:
    """One answer after the other, to q1 the first three, then to q2; a dot: not judged."""
    verdict = {"r": "right", "w": "wrong", "x": "inexact", "=": "repeated"}
    return [
        ("q1" if place < 3 else "q2", f"a{place}", assessor, verdict[word])
        for place, word in enumerate(words)
        if word != "."
    ]


def row(table: pl.DataFrame, a: str, b: str, part: str = "all") -> dict:
    return table.filter(assessor_a=a, assessor_b=b, slice=part).row(0, named=True)


THREE = [*labelled("ana", "rrwrx."), *labelled("ben", "r=wwwr"), *labelled("eva", "rw.r.r")]


def test_pairs_by_hand() -> None:
    table = compare(assessments(THREE), QUESTIONS, correct=["right"])
    # ana and ben on a0..a4: rrwrx and r=www, one differs; 3/5 and 2/5 right: expected
    # .6*.4 + .4*.6 = .48, so (.8 - .48)/.52
    found = row(table, "ana", "ben")
    assert found["items"] == 5
    assert found["agreement"] == pytest.approx(0.8)
    assert found["kappa"] == pytest.approx(0.32 / 0.52)
    assert found["low"] < found["kappa"] < found["high"]
    assert row(table, "ana", "ben", "list")["items"] == 2
    assert row(table, "ana", "ben", "factoid")["kappa"] == 1
    assert row(table, "ben", "eva")["items"] == 4
    assert set(table["slice"]) == {"all", "factoid", "list"}
    assert (
        table.filter(pl.col("assessor_a") != "all")
        .select("assessor_a", "assessor_b")
        .unique()
        .height
        == 3
    )


def test_alpha_by_hand() -> None:
    table = compare(assessments(THREE), QUESTIONS, correct=["right"])
    # judgments and right ones of a0..a5: 3/3, 3/2, 2/0, 3/2, 2/0, 2/2: n = 15, right 9
    # differing: 2*2*1/2 for a1 and for a3: 4; by chance 2*9*6/14
    found = row(table, "all", "all")
    assert found["items"] == 6
    assert found["agreement"] == pytest.approx(1 - 4 / 15)
    assert found["kappa"] == pytest.approx(1 - 4 * 14 / 108)
    assert found["low"] < found["kappa"] < found["high"]
    assert found["unanimous"] == pytest.approx(4 / 6)  # all but a1 and a3
    assert found["fleiss_kappa"] is None  # two or three judgments of an item


def test_alpha_of_a_published_example() -> None:
    # Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability", B: two observers, ten units,
    # binary data, nominal: alpha 0.095
    one, two = "0100000010", "1110010000"
    rows = [
        ("q1", f"a{unit}", assessor, "right" if code == "1" else "wrong")
        for assessor, codes in (("meg", one), ("owen", two))
        for unit, code in enumerate(codes)
    ]
    table = compare(assessments(rows), QUESTIONS, correct=["right"])
    assert row(table, "all", "all")["kappa"] == pytest.approx(0.095, abs=5e-4)


def test_what_counts_is_whether_a_verdict_is_correct() -> None:
    rows = assessments(THREE)
    strict = row(compare(rows, QUESTIONS, correct=["right"]), "ana", "ben")
    lenient = row(compare(rows, QUESTIONS, correct=["right", "inexact"]), "ana", "ben")
    assert strict["agreement"] == pytest.approx(0.8)
    assert lenient["agreement"] == pytest.approx(0.6)


def test_the_adjudicated_word_is_nobody_s() -> None:
    final = assessments([("q1", "a0", None, "wrong"), ("q1", "a1", None, "wrong")])
    rows = assessments(THREE)
    with_final = compare(pl.concat([final, rows]), QUESTIONS, correct=["right"])
    assert with_final.equals(compare(rows, QUESTIONS, correct=["right"]))


@pytest.mark.parametrize(
    "rows", [[], labelled("ana", "rrw"), labelled("ana", "r") + labelled("ben", ".w")]
)
def test_nothing_in_common_gives_no_rows(rows: list) -> None:
    table = compare(assessments(rows), QUESTIONS, correct=["right"])
    assert table.is_empty()
    assert table.columns == [
        "assessor_a",
        "assessor_b",
        "slice",
        "items",
        "agreement",
        "kappa",
        "low",
        "high",
        "weighted_kappa",
        "fleiss_kappa",
        "unanimous",
    ]
    assert disputed(assessments(rows), correct=["right"]).is_empty()


def test_one_and_the_same_word_leaves_nothing_to_differ_about() -> None:
    table = compare(
        assessments(labelled("ana", "rr") + labelled("ben", "rr")), QUESTIONS, correct=["right"]
    )
    assert row(table, "all", "all")["kappa"] is None
    assert row(table, "ana", "ben")["kappa"] is None
    assert row(table, "ana", "ben")["agreement"] == 1


def test_a_position_is_one_item_whatever_stands_in_its_answer_column() -> None:
    rows = tables.table(
        "assessments",
        [
            {"run": "a", "rank": 1, "answer": "Paris", "assessor": "ana", "verdict": "right"},
            {"run": "a", "rank": 1, "assessor": "ben", "verdict": "wrong"},
            {"run": "a", "rank": 2, "assessor": "ben", "verdict": "wrong"},
            {"answer": "Paris", "assessor": "eva", "verdict": "wrong"},
        ],
    )
    table = compare(rows, QUESTIONS, correct=["right"])
    assert table.filter(slice="all").select("assessor_a", "assessor_b", "items").rows() == [
        ("all", "all", 1),
        ("ana", "ben", 1),
    ]
    validated = compare(rows.unique("assessor"), QUESTIONS, correct=["right"], validation=True)
    assert row(validated, "all", "all")["items"] == 1
    assert validated.filter(slice="all").height == 4  # all, and three pairs on the one item


def test_the_items_that_divide_most_come_first() -> None:
    rows = [
        *labelled("ana", "rrrr.r"),
        *labelled("ben", "wrwr.w"),
        *labelled("eva", "rrww.."),
        *labelled("kim", "w.wr.."),
    ]
    found = disputed(assessments(rows), correct=["right"])
    # pairs that differ: a5 1 of 1; a0 4 of 6; a2 3 of 6; a3 3 of 6; q2 has (3/6 + 1)/2, q1 less
    assert found.select("answer", "assessors", "right", "disagreement").rows() == [
        ("a5", 2, 1, 1.0),
        ("a0", 4, 2, pytest.approx(4 / 6)),
        ("a3", 4, 3, 0.5),
        ("a2", 4, 1, 0.5),
    ]
    assert found["verdicts"][0] == "ana: right, ben: wrong"


def test_everything_that_is_disputed_is_listed() -> None:
    rows = [
        (f"q{n}", "x", who, word)
        for n in range(300)
        for who, word in (("ana", "right"), ("ben", "wrong"))
    ]
    assert disputed(assessments(rows), correct=["right"]).height == 300


CODES = st.lists(
    st.lists(st.sampled_from([None, "right", "wrong", "inexact"]), min_size=3, max_size=3),
    min_size=1,
    max_size=12,
)


@pytest.mark.slow
@given(CODES)
def test_numbers_are_those_of_other_programs(codes: list) -> None:
    rows = [
        ("q1", f"a{item}", assessor, verdict)
        for item, each in enumerate(codes)
        for assessor, verdict in zip(("ana", "ben", "eva"), each, strict=True)
        if verdict is not None
    ]
    table = compare(assessments(rows), QUESTIONS, correct=["right"]).filter(slice="all")
    for found in table.iter_rows(named=True):
        if found["kappa"] is None:
            continue
        if found["assessor_a"] == "all":
            data = [[np.nan if v is None else float(v == "right") for v in each] for each in codes]
            expected = krippendorff.alpha(np.array(data).T, level_of_measurement="nominal")
        else:
            places = [("ana", "ben", "eva").index(found[f"assessor_{side}"]) for side in "ab"]
            both = [[each[place] == "right" for place in places] for each in codes
                    if all(each[place] is not None for place in places)]  # fmt: skip
            assert found["items"] == len(both)
            expected = cohen_kappa_score(*zip(*both, strict=True))
        assert found["kappa"] == pytest.approx(expected)


@pytest.mark.slow
@pytest.mark.exhaustive
def test_of_a_crowd_the_busiest_are_compared_and_all_of_them_agree_in_alpha() -> None:
    """400 people on one answer, every second of them right: 100 of them have 99 * 50 pairs.

    ana and ben judged a second one and are among the 100. Of the 402 judgments of the first answer
    201 are right: two of them agree in 200 of 401 cases; the second answer has both right.
    """
    crowd = [("q1", "a", f"p{n:03}", ("right", "wrong")[n % 2]) for n in range(400)]
    both = [("q1", "a", "ana", "right"), ("q1", "a", "ben", "wrong")]
    both += [("q1", "b", "ana", "right"), ("q1", "b", "ben", "right")]
    table = compare(assessments([*crowd, *both]), QUESTIONS, correct=["right"])
    pairs = table.filter(pl.col("assessor_a") != "all", slice="all")
    assert pairs.height == 99 * 50
    assert {"ana", "ben", "p097"} <= {*pairs["assessor_a"], *pairs["assessor_b"]}
    assert row(table, "ana", "ben")["items"] == 2
    assert row(table, "ana", "ben")["agreement"] == 0.5
    found = row(table, "all", "all")
    assert found["items"] == 2
    assert found["agreement"] == pytest.approx((402 * 200 / 401 + 2) / 404)
    (verdicts,) = disputed(assessments([*crowd, *both]), correct=["right"])["verdicts"]
    assert verdicts.startswith("ana: right, ben: wrong, p000: right, ")
    assert verdicts.endswith("p017: wrong, and 382 more")


def test_fleiss_kappa_by_hand() -> None:
    rows = [*labelled("ana", "rrwr"), *labelled("ben", "rwwr"), *labelled("eva", "rrww")]
    # right 3, 2, 0, 2 of 3: agreed (1 + 1/3 + 1 + 1/3)/4 = 2/3; 7/12 right: by chance
    # 49/144 + 25/144 = 74/144; (96 - 74)/(144 - 74) = 22/70
    found = row(compare(assessments(rows), QUESTIONS, correct=["right"]), "all", "all")
    assert found["fleiss_kappa"] == pytest.approx(22 / 70)
    assert found["unanimous"] == 0.5


def test_fleiss_kappa_is_that_of_statsmodels() -> None:
    rng = np.random.default_rng(5)
    right = rng.random((40, 1)) < 0.6
    said = np.where(rng.random((40, 4)) < 0.8, right, ~right)
    rows = [
        (f"q{item % 3 + 1}", f"a{item}", f"p{person}", "right" if value else "wrong")
        for (item, person), value in np.ndenumerate(said)
    ]
    table = compare(assessments(rows), QUESTIONS, correct=["right"])
    found = row(table, "all", "all")
    number = said.sum(axis=1)
    assert found["fleiss_kappa"] == pytest.approx(
        fleiss_kappa(np.stack([number, 4 - number], axis=1))
    )
    assert found["unanimous"] == pytest.approx(np.isin(number, [0, 4]).mean())
    assert found["weighted_kappa"] is None  # nobody gives levels
    fewer = compare(assessments(rows[:-1]), QUESTIONS, correct=["right"])
    assert row(fewer, "all", "all")["fleiss_kappa"] is None
    assert table.filter(pl.col("assessor_a") != "all")["unanimous"].null_count() == 6 * 3


def levelled(assessor: str, levels: str) -> list[dict]:
    """One answer after the other; - is wrong, r right without a level, a dot: not judged."""
    return [
        {"question": "q1", "answer": f"a{index}", "assessor": assessor,
         "verdict": "wrong" if level == "-" else "right",
         "level": None if level in "-r" else level}
        for index, level in enumerate(levels) if level != "."
    ]  # fmt: skip


def test_weighted_kappa_is_that_of_scikit_learn() -> None:
    said = {"ana": "SSABB-AB-S", "ben": "SAABr-BBAS", "eva": "SSSB--A.-A"}
    rows = tables.table(
        "assessments", [each for name, levels in said.items() for each in levelled(name, levels)]
    )
    table = compare(rows, QUESTIONS, correct=["right"])
    gain = {"S": 3, "A": 2, "B": 1, "r": 1, "-": 0}
    expected = []
    for one, two in (("ana", "ben"), ("ana", "eva"), ("ben", "eva")):
        both = [(gain[a], gain[b]) for a, b in zip(said[one], said[two], strict=True) if b != "."]
        value = cohen_kappa_score(
            *zip(*both, strict=True), labels=[0, 1, 2, 3], weights="quadratic"
        )
        assert row(table, one, two)["weighted_kappa"] == pytest.approx(value)
        expected.append(value)
    assert row(table, "all", "all")["weighted_kappa"] == pytest.approx(np.mean(expected))
    # by other gains: S 10, A and B 1: what sets apart A from B weighs nothing
    other = compare(rows, QUESTIONS, correct=["right"], gains={"S": 10, "A": 1, "B": 1})
    values = {"S": 10, "A": 1, "B": 1, "r": 1, "-": 0}
    one, two = (np.array([values[each] for each in said[name]]) for name in ("ana", "ben"))
    far = np.subtract.outer(one, two) ** 2
    assert row(other, "ana", "ben")["weighted_kappa"] == pytest.approx(
        1 - np.diagonal(far).mean() / far.mean()
    )


def test_who_gives_no_levels_has_no_weighted_kappa() -> None:
    rows = tables.table("assessments", [*levelled("ana", "SA-"), *levelled("ben", "rr-")])
    table = compare(rows, QUESTIONS, correct=["right"])
    assert row(table, "ana", "ben")["weighted_kappa"] is None
    assert row(table, "all", "all")["weighted_kappa"] is None


def test_intervals_rest_on_questions_or_their_groups() -> None:
    """Ten answers to each of 20 questions, all of a question judged alike: 20 cases, not 200."""
    rng = np.random.default_rng(2)
    right = rng.random(20) < 0.5
    other = np.where(rng.random(20) < 0.8, right, ~right)
    rows = [
        (f"q{question}", f"a{answer}", person, "right" if said[question] else "wrong")
        for question in range(20)
        for answer in range(10)
        for person, said in (("ana", right), ("ben", other))
    ]
    questions = pl.DataFrame({"question": [f"q{n}" for n in range(20)]}).with_columns(
        type=pl.lit(None, pl.String), group=pl.format("g{}", pl.int_range(20) // 4)
    )
    widths = {}
    for unit in ("group", "question"):
        table = compare(assessments(rows), questions, correct=["right"], unit=unit)  # type: ignore[arg-type]
        for pair in (("ana", "ben"), ("all", "all")):
            found = row(table, *pair)
            assert found["low"] <= found["kappa"] <= found["high"]
            widths[unit, pair[0]] = found["high"] - found["low"]
    narrow = compare(
        assessments([(f"{q}{a}", a, *rest) for q, a, *rest in rows]), questions, correct=["right"]
    )
    for name, other_name in (("ana", "ben"), ("all", "all")):
        as_if = row(narrow, name, other_name)
        assert widths["question", name] > 2 * (as_if["high"] - as_if["low"])
    assert widths["group", "ana"] != widths["question", "ana"]


def test_the_same_answer_always_agreed_upon_leaves_some_doubt() -> None:
    rows = [
        (f"q{n}", "x", who, "right" if n % 3 else "wrong")
        for n in range(30)
        for who in ("ana", "ben")
    ]
    table = compare(assessments(rows), QUESTIONS, correct=["right"])
    for pair in (("ana", "ben"), ("all", "all")):
        found = row(table, *pair)
        assert found["kappa"] == found["high"] == 1
        assert 0.6 < found["low"] < 0.97
