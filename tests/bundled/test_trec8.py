"""The TREC-8 collection: made again from its seed, and judged by its key as the paper prints."""

from functools import cache
from itertools import combinations
from pathlib import Path
from random import Random

import polars as pl
import pytest

from qampaign.judging.key import grammar, key_judge
from qampaign.judging.key.stopwords import STOP_WORDS

FOLDER = Path(__file__).parents[2] / "resources" / "five-papers" / "trec8"
ASSESSORS = ["ana", "bob", "cem"]

# Breck et al. (2000), Table 1, by recall of at most so much: right and wrong responses.
TABLE = {
    0.0: (336, 29_709),
    0.25: (36, 325),
    0.5: (747, 1_399),
    0.75: (109, 173),
    0.99: (61, 5),
    1.0: (4_479, 548),
}


@cache
def read(name: str) -> pl.DataFrame:
    return pl.read_csv(FOLDER / name)


@cache
def judged() -> pl.DataFrame:
    """The judgments by key, with a column for each assessor: whether he says right."""
    nothing = pl.lit(None, pl.String)
    responses = read("responses.csv.gz").with_columns(
        line=pl.lit(None, pl.UInt32),
        confidence=pl.lit(None, pl.Float64),
        score=pl.lit(None, pl.Float64),
        answered=True,
    )
    questions = read("questions.csv").with_columns(
        nil=False,
        known=pl.lit(None, pl.Int64),
        group=nothing,
        language=nothing,
        date=pl.lit(None, pl.Date),
    )
    keys = read("keys.csv").with_columns(
        nothing.alias("level"), nothing.alias("class"), literal=pl.lit(False)
    )
    found = key_judge.key(responses, keys, questions, name="trec8").judgments
    found = found.with_columns(pl.col("run", "question").cast(pl.String))
    for assessor in ["adjudicated", *ASSESSORS]:
        labels = read(f"assessments/{assessor}.csv.gz")
        assert labels["assessor"].unique().to_list() == [assessor]
        said = labels.select("question", "run", "rank", (pl.col("label") == "R").alias(assessor))
        found = found.join(said, on=["question", "run", "rank"], validate="1:1")
    return found.sort("question", "run", "rank")


def reciprocal_ranks(right: pl.Expr) -> list[float]:
    """MRR of the runs in the order of their names: the sum is enough to rank them."""
    first = judged().filter(right).group_by("run", "question").agg(pl.col("rank").min())
    sums = dict(first.group_by("run").agg((1 / pl.col("rank").sort()).sum()).rows())
    return [sums.get(run, 0.0) for run in read("runs.csv")["run"].sort()]


def tau(a: list[float], b: list[float]) -> float:
    """Concordant less discordant pairs over all pairs."""
    pairs = list(combinations(range(len(a)), 2))
    products = [(a[i] - a[j]) * (b[i] - b[j]) for i, j in pairs]
    return sum((p > 0) - (p < 0) for p in products) / len(pairs)


def test_41_runs_answer_198_questions_with_37927_responses_of_35684_strings() -> None:
    responses = read("responses.csv.gz")
    assert responses["run"].n_unique() == read("runs.csv").height == 41
    assert read("runs.csv")["team"].n_unique() == 25
    assert responses["question"].n_unique() == read("questions.csv").height == 198
    assert responses.height == 37_927
    assert responses["answer"].n_unique() == 35_684
    assert responses.select("question", "answer").n_unique() == 35_684
    assert responses["rank"].max() == 5
    lists = responses.group_by("run", "question").agg(pl.col("rank").max(), pl.len())
    assert (lists["rank"] == lists["len"]).all()


def test_no_answer_is_longer_than_its_category_allows() -> None:
    lengths = read("responses.csv.gz").join(read("runs.csv"), on="run")
    longest = lengths.group_by("category").agg(pl.col("answer").str.len_bytes().max())
    assert all(length <= int(name.split("-")[0]) for name, length in longest.rows())


def test_the_key_has_as_many_answers_forms_and_words_as_the_papers() -> None:
    keys = [grammar.parse(text) for text in read("keys.csv")["key"]]
    answers = [answer for each in keys for answer in each.answers]
    forms = [form for answer in answers for form in answer.forms]
    small = STOP_WORDS["en"].split()
    words = [word for form in forms for word in form.text.lower().split() if word not in small]
    assert len(answers) / len(keys) == pytest.approx(1.4, abs=0.05)
    assert len(forms) / len(answers) == pytest.approx(1.25, abs=0.005)
    assert len(words) / len(forms) == pytest.approx(2.2, abs=0.05)


@pytest.mark.slow
@pytest.mark.parametrize("upper", TABLE)
def test_every_cell_of_table_1_comes_out(upper: float) -> None:
    edges = [-1.0, *TABLE]
    lower = edges[edges.index(upper) - 1]
    inside = judged().filter((pl.col("recall") > lower) & (pl.col("recall") <= upper))
    right = inside["adjudicated"].sum()
    assert (right, inside.height - right) == TABLE[upper]


@pytest.mark.slow
def test_at_a_quarter_there_are_5396_hits_and_2125_false_alarms() -> None:
    counts = judged().group_by("adjudicated", pl.col("degree") > 0.25).len().rows()
    assert {(right, said): count for right, said, count in counts} == {
        (True, True): 5_396,
        (True, False): 372,
        (False, True): 2_125,
        (False, False): 30_034,
    }
    verdicts = judged()["verdict"].is_in(["right", "repeated"])
    assert verdicts.sum() == 5_396 + 2_125


@pytest.mark.parametrize(
    ("threshold", "percent"),
    [(0, 92.65), (0.25, 93.42), (0.5, 95.14), (0.75, 95.30), (0.99, 95.16), (1, 84.79)],
)
def test_agreement_with_people_by_threshold(threshold: float, percent: float) -> None:
    agreed = judged().select(((pl.col("degree") > threshold) == pl.col("adjudicated")).mean())
    assert round(100 * agreed.item(), 2) == percent


def test_the_rankings_are_as_alike_as_the_papers() -> None:
    people = reciprocal_ranks(pl.col("adjudicated"))
    assert tau(people, reciprocal_ranks(pl.col("recall") > 0.25)) == pytest.approx(0.924, abs=6e-4)


@pytest.mark.slow
def test_a_single_assessor_per_question_ranks_nearly_as_all_three() -> None:
    rng = Random(8)
    people = reciprocal_ranks(pl.col("adjudicated"))
    taus = []
    for _ in range(50):
        chosen = {question: rng.choice(ASSESSORS) for question in read("questions.csv")["question"]}
        who = pl.col("question").replace_strict(chosen)
        said = pl.any_horizontal((who == each) & pl.col(each) for each in ASSESSORS)
        taus.append(tau(people, reciprocal_ranks(said)))
    assert sum(taus) / len(taus) == pytest.approx(0.958, abs=0.004)


def test_two_of_three_assessors_say_what_was_adjudicated() -> None:
    votes = judged().select(pl.sum_horizontal(ASSESSORS) >= 2).to_series()
    assert (votes == judged()["adjudicated"]).all()
