"""A judge corrected by people's labels on a part of the questions, through the whole workflow."""

from collections.abc import Callable
from pathlib import Path
from random import Random

import polars as pl
import pytest

from tests.helpers.tiny_campaign import Tiny
from tests.helpers.warm import Warm

NUMBER, LABELLED = 60, 40
CONFIG = """
campaign: tiny
seed: 7
collections:
  alpha:
    questions: alpha/questions.csv
    runs: alpha/runs.csv
    assessments: alpha/people/*.csv
    judges:
      gpt: {kind: verdicts, files: alpha/gpt.csv, corrected_by: people}
      llama: {kind: verdicts, files: alpha/llama.csv}
      people: {kind: assessments}
      jury: {kind: jury, of: [gpt, llama, people], ties: [wrong]}
    measures:
      - accuracy
      - c_at_1
      - accuracy: {average: type, name: macro}
      - composite: {of: [accuracy, macro], name: mixed}
    studies: {}
"""
TABLES = ("corrected", "corrected_comparisons", "self_agreement", "scores")


def write_campaign(tiny: Tiny) -> Tiny:
    """Three runs on 60 questions, of which people have labelled 40; two judges that err at times."""
    chance = Random(11)
    answers = {
        (run, number): f"{'good' if chance.random() < quality else 'bad'} {number}"
        for run, quality in {"a": 0.8, "b": 0.6, "c": 0.5}.items()
        for number in range(NUMBER)
    }
    distinct = sorted({(number, answer) for (_, number), answer in answers.items()})
    truth = {item: "right" if item[1].startswith("good") else "wrong" for item in distinct}

    def erring(item: tuple[int, str]) -> str:
        other = {"right": "wrong", "wrong": "right"}[truth[item]]
        return truth[item] if chance.random() < 0.85 else other

    def write(name: str, head: str, rows: list[str]) -> None:
        tiny.write(f"alpha/{name}", "\n".join([head, *rows]) + "\n")

    write("questions.csv", "question,type", [f"q{n},{'xy'[n % 2]}" for n in range(NUMBER)])
    write("runs.csv", "run,question,answer", [f"{r},q{n},{a}" for (r, n), a in answers.items()])
    labels = [f"q{n},{a},{truth[n, a]}" for n, a in distinct if n < LABELLED]
    write("people/1.csv", "question,answer,label", labels)
    trials = [f"q{n},{a},{erring((n, a))},{t}" for n, a in distinct for t in range(3)]
    write("gpt.csv", "question,answer,label,trial", trials)
    write("llama.csv", "question,answer,label", [f"q{n},{a},{erring((n, a))}" for n, a in distinct])
    tiny.write("config.yaml", CONFIG)
    return tiny


@pytest.fixture
def corrected(tmp_path: Path, warm: Warm | None) -> Tiny:
    return write_campaign(Tiny(tmp_path / "here", warm).create())


def table(tiny: Tiny, name: str) -> bytes:
    return (tiny.results / "report/tables" / f"{name}.csv").read_bytes()


def relabel(tiny: Tiny) -> None:
    rows = tiny.read("alpha/people/1.csv").splitlines()
    other = rows[1].replace("right", "other").replace("wrong", "right").replace("other", "wrong")
    tiny.write("alpha/people/1.csv", "\n".join([rows[0], other, *rows[2:]]) + "\n")


def label_fewer(tiny: Tiny) -> None:
    rows = tiny.read("alpha/people/1.csv").splitlines()
    kept = [row for row in rows if not row.startswith(("q0,", "q1,", "q2,"))]
    tiny.write("alpha/people/1.csv", "\n".join(kept) + "\n")


def give_probabilities(tiny: Tiny) -> None:
    head, *rows = tiny.read("alpha/people/1.csv").splitlines()
    odds = [f"{row},{0.5 if 'good' in row else 0.9}" for row in rows]
    tiny.write("alpha/people/1.csv", "\n".join([f"{head},probability", *odds]) + "\n")


def change_a_trial(tiny: Tiny) -> None:
    head, first, *rows = tiny.read("alpha/gpt.csv").splitlines()
    other = first.replace("right", "other").replace("wrong", "right").replace("other", "wrong")
    tiny.write("alpha/gpt.csv", "\n".join([head, other, *rows]) + "\n")


def correct_by_another(tiny: Tiny) -> None:
    def edit(config: dict) -> None:
        config["collections"]["alpha"]["judges"]["gpt"]["corrected_by"] = "llama"

    tiny.configure(edit)


def correct_the_jury(tiny: Tiny) -> None:
    def edit(config: dict) -> None:
        config["collections"]["alpha"]["judges"]["jury"]["corrected_by"] = "people"

    tiny.configure(edit)


def change_the_jury(tiny: Tiny) -> None:
    def edit(config: dict) -> None:
        config["collections"]["alpha"]["judges"]["jury"]["of"] = ["gpt", "llama"]

    tiny.configure(edit)


def drop_the_correction(tiny: Tiny) -> None:
    def edit(config: dict) -> None:
        del config["collections"]["alpha"]["judges"]["gpt"]["corrected_by"]
        config["collections"]["alpha"]["judges"]["people"]["unassessed"] = "wrong"

    tiny.configure(edit)


EDITS: list[Callable[[Tiny], None]] = [
    relabel, change_the_jury, give_probabilities, correct_the_jury, label_fewer, change_a_trial,
    correct_by_another, drop_the_correction,
]  # fmt: skip


@pytest.mark.exhaustive
def test_scores_are_corrected_by_labels_on_a_part_of_the_questions(corrected: Tiny) -> None:
    """The judge people covers the questions that it has labelled, and ends nothing."""
    corrected.run()
    found = pl.read_csv(corrected.results / "report/tables/corrected.csv")
    assert found.height == 12
    assert found["labelled"].unique().to_list() == [LABELLED]
    summed = found["measure"].is_in(["accuracy", "c_at_1"])  # an average by type is none of sums
    assert found.filter(summed)["corrected"].null_count() == 0
    assert found.filter(~summed)["corrected"].null_count() == 6
    assert found.filter(~summed)["raw"].null_count() == 0
    assert found.filter(pl.col("measure") != "accuracy")["rogan_gladen"].null_count() == 9
    scores = pl.read_csv(corrected.results / "report/tables/scores.csv", infer_schema_length=None)
    alone = scores.filter(judge="people", measure="accuracy", slice="all")
    assert alone["questions"].unique().to_list() == [LABELLED]
    accuracy = found.filter(measure="accuracy")
    by_people = alone.select("run", "value").join(accuracy, on="run")
    assert by_people["value"].to_list() == pytest.approx(by_people["people"].to_list())
    assert "corrected by people" in (corrected.results / "report/index.html").read_text()


@pytest.mark.exhaustive
def test_too_few_labels_are_refused_with_their_number(corrected: Tiny) -> None:
    head, *rows = corrected.read("alpha/people/1.csv").splitlines()
    kept = [row for row in rows if int(row[1 : row.index(",")]) < 20]
    corrected.write("alpha/people/1.csv", "\n".join([head, *kept]) + "\n")
    shown = corrected.run(code=1).shown
    assert "needs labels on at least 30 questions, chosen at random; there are 20" in shown
    assert "Traceback" not in shown


@pytest.mark.exhaustive
def test_nothing_is_stale_after_any_change(corrected: Tiny, tmp_path: Path) -> None:
    """After each edit the tables are those of a run from nothing, byte by byte."""
    corrected.run()
    for number, edit in enumerate(EDITS):
        before = {name: table(corrected, name) for name in TABLES}
        edit(corrected)
        corrected.run()
        fresh = Tiny(tmp_path / f"fresh{number}", corrected.warm).create()
        for path in corrected.data.rglob("*"):
            if path.is_file():
                fresh.write(path.relative_to(corrected.data).as_posix(), path.read_text())
        fresh.run()
        for name in TABLES:
            assert table(corrected, name) == table(fresh, name), (edit.__name__, name)
        assert any(table(corrected, name) != before[name] for name in TABLES), edit.__name__


@pytest.mark.exhaustive
def test_a_sheet_of_the_pool_comes_back_with_its_probabilities(corrected: Tiny) -> None:
    corrected.configure(lambda config: config["collections"]["alpha"].update(pool={"width": 0.3}))
    corrected.write("alpha/people/1.csv", "question,answer,label\n")
    assert "a random sample of" in corrected.run("pool").shown
    sheet = pl.read_csv(corrected.results / "pool/alpha.csv", infer_schema=False)
    assert {"label", "probability"} <= {*sheet.columns}
    right = pl.col("answer").str.starts_with("good")
    filled = sheet.with_columns(
        label=pl.when(right).then(pl.lit("right")).otherwise(pl.lit("wrong"))
    )
    corrected.write("alpha/people/1.csv", filled.write_csv())
    corrected.run()
    found = pl.read_csv(corrected.results / "report/tables/corrected.csv")
    assert found["sampling"].unique().to_list() == ["probability"]
    assert found.filter(measure="accuracy")["corrected"].null_count() == 0


@pytest.mark.exhaustive
def test_averages_composites_weights_and_samples_go_with_corrections(corrected: Tiny) -> None:
    questions = [f"q{n},{'xy'[n % 2]},{1 + n % 3}" for n in range(NUMBER)]
    corrected.write("alpha/questions.csv", "\n".join(["question,type,weight", *questions]) + "\n")
    head, *rows = corrected.read("alpha/runs.csv").splitlines()
    twice = [f"{row},{sample}" for row in rows for sample in (1, 2) if sample < 2 or row[0] == "c"]
    corrected.write("alpha/runs.csv", "\n".join([f"{head},sample", *twice]) + "\n")
    give_probabilities(corrected)
    measures = [
        "accuracy",
        {"accuracy": {"average": "type", "name": "macro"}},
        {"composite": {"of": ["accuracy", "macro"], "name": "mix"}},
    ]
    corrected.configure(
        lambda config: config["collections"]["alpha"].update(measures=measures, primary="mix")
    )
    corrected.run()
    found = pl.read_csv(corrected.results / "report/tables/corrected.csv")
    assert found["measure"].unique(maintain_order=True).to_list() == ["accuracy", "macro", "mix"]
    # only a function of sums is corrected
    lacking = found.group_by("measure").agg(pl.col("corrected").null_count())
    assert dict(lacking.rows()) == {"accuracy": 0, "macro": 3, "mix": 3}
    assert found.filter(measure="macro")["rogan_gladen"].null_count() == 3
