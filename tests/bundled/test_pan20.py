"""PAN 2020: the bundled files, the official figures, and what the README says of them."""

import csv
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import duckdb
import polars as pl
import pytest
import yaml

from qampaign.measures import auc, c_at_1, f, f_05_u
from qampaign.publishing.compared_figures import as_printed

FOLDER = Path(__file__).parents[2] / "resources" / "pan20"
MEASURES = ("auc", "c_at_1", "f1", "f_05_u", "pan_mean")
ABSTAINING = {
    "boenninghoff20-large": 648,
    "boenninghoff20-small": 1082,
    "faber20-small": 360,
    "halvani20-small": 108,
    "kipnis20-small": 839,
}
"""The runs that leave pairs unanswered, and how many."""


@cache
def published() -> dict[tuple[str, str], float]:
    with (FOLDER / "published.csv").open(encoding="utf-8", newline="") as file:
        return {
            (row["run"], row["measure"]): float(row["published"]) for row in csv.DictReader(file)
        }


@cache
def responses() -> pl.DataFrame:
    truth = pl.read_parquet(FOLDER / "assessments.parquet")
    given = pl.read_parquet(FOLDER / "runs.parquet")
    return given.join(truth, on="question", how="inner", maintain_order="left")


@cache
def counts() -> dict[str, dict[str, int]]:
    """How often each run says yes, no or nothing of pairs by one author (yes) and by two (no)."""
    given = responses().with_columns(pl.col("answer").fill_null("none"))
    found: dict[str, dict[str, int]] = {}
    for run, label, answer, number in given.group_by("run", "label", "answer").len().rows():
        found.setdefault(run, {})[f"{label} {answer}"] = number
    return found


def values(run: str) -> dict[str, float]:
    """The measures of PAN by the formulas of the package, on plain counts."""
    have = {f"{label} {answer}": 0 for label in ("yes", "no") for answer in ("yes", "no", "none")}
    have |= counts()[run]
    tp, fp, fn = have["yes yes"], have["no yes"], have["yes no"]
    unanswered = have["yes none"] + have["no none"]
    own = responses().filter(run=run)
    computed = {
        "auc": auc(own["score"].to_list(), (own["label"] == "yes").to_list()),
        "c_at_1": c_at_1(correct=tp + have["no no"], unanswered=unanswered, questions=14311),
        "f1": f(tp=tp, fp=fp, fn=fn),
        "f_05_u": f_05_u(tp=tp, fp=fp, rejected_right=fn, unanswered=unanswered),
    }
    return {**computed, "pan_mean": sum(computed.values()) / 4}


def readme() -> dict[str, list[float]]:
    """The numbers of the table in the README, by run."""
    rows = re.findall(
        r"^\| (\w+20-\w+) \| (.+) \|$", (FOLDER / "README.md").read_text(), re.MULTILINE
    )
    return {run: [float(cell.replace(",", "")) for cell in cells.split("|")] for run, cells in rows}


def test_13_runs_have_a_value_for_each_of_14311_pairs() -> None:
    assert responses().height == 13 * 14311
    assert responses().group_by("run").len()["len"].to_list() == [14311] * 13
    assert responses()["question"].n_unique() == 14311
    items = pl.read_parquet(FOLDER / "questions.parquet")
    assert items["question"].n_unique() == items.height == 14311
    assert items["group"].n_unique() == 6111
    truth = pl.read_parquet(FOLDER / "assessments.parquet")
    assert truth["label"].value_counts().sort("count").rows() == [("no", 6525), ("yes", 7786)]


def test_an_answer_follows_from_its_value() -> None:
    said = responses().select(
        pl.when(pl.col("score") > 0.5)
        .then(pl.lit("yes"))
        .when(pl.col("score") < 0.5)
        .then(pl.lit("no"))
    )
    assert said.to_series().equals(responses()["answer"], check_names=False)
    assert responses()["score"].is_between(0, 1).all()
    silent = responses().filter(pl.col("answer").is_null())["run"].value_counts()
    assert dict(silent.rows()) == ABSTAINING


@pytest.mark.slow
def test_the_official_figures_come_out_but_for_f_05_u_of_those_who_abstain() -> None:
    assert len(published()) == 65
    computed = {run: values(run) for run in counts()}
    differing = {
        (run, measure)
        for (run, measure), printed in published().items()
        if not as_printed(printed, computed[run][measure])
    }
    assert differing == {(run, name) for run in ABSTAINING for name in ("f_05_u", "pan_mean")}

    official = sorted(counts(), key=lambda run: -published()[run, "pan_mean"])
    assert sorted(counts(), key=lambda run: -computed[run]["pan_mean"]) == official

    assert readme().keys() == ABSTAINING.keys()
    for run, row in readme().items():
        expected = [float(ABSTAINING[run])]
        for name in ("f_05_u", "pan_mean"):
            expected += [published()[run, name], round(computed[run][name], 6)]
        assert row == expected


def test_with_unanswered_pairs_counted_as_yes_the_official_f_05_u_comes_out() -> None:
    for run in ABSTAINING:
        have = counts()[run]
        tp, fp = have["yes yes"] + have["yes none"], have["no yes"] + have["no none"]
        value = f_05_u(tp=tp, fp=fp, rejected_right=have["yes no"], unanswered=0)
        assert as_printed(published()[run, "f_05_u"], value)


def test_the_files_are_small_and_their_licence_is_beside_them() -> None:
    assert sum(path.stat().st_size for path in FOLDER.iterdir() if path.is_file()) < 4_000_000
    assert "MIT License" in (FOLDER / "LICENSE").read_text()


@pytest.mark.slow
def test_the_script_makes_the_tables_from_files_as_they_were_submitted(tmp_path: Path) -> None:
    """Pairs a-b, b-b and c-c of authors: the first two are in a group."""
    checkout, made = tmp_path / "clone", tmp_path / "made"
    made.mkdir()
    files = {
        "datasets/pan20-authorship-verification-test/truth.jsonl": '{"id": "1", "same": false, "authors": ["a", "b"]}\n'
        '{"id": "2", "same": true, "authors": ["b", "b"]}\n'
        '{"id": "3", "same": true, "authors": ["c", "c"]}\n',
        "submissions/r/answers.jsonl": '{"id": "1", "value": 0.25}\n{"id": "2", "value": [0.75]}\n'
        '{"id": "3", "value": 0.5}',
    }
    for name, text in files.items():
        (checkout / name).parent.mkdir(parents=True, exist_ok=True)
        (checkout / name).write_text(text)
    subprocess.run([sys.executable, FOLDER / "make.py", checkout, made], check=True)
    tables = {path.stem: pl.read_parquet(path).rows() for path in made.iterdir()}
    assert tables == {
        "runs": [("r", "1", "no", 0.25), ("r", "2", "yes", 0.75), ("r", "3", None, 0.5)],
        "questions": [("1", "g0001"), ("2", "g0001"), ("3", "g0002")],
        "assessments": [("1", "no"), ("2", "yes"), ("3", "yes")],
    }


@pytest.mark.exhaustive
@pytest.mark.outside
def test_the_campaign_runs_and_its_figures_are_those_of_the_formulas(tmp_path: Path) -> None:
    config = yaml.safe_load((FOLDER / "config.yaml").read_text())
    config["collections"]["verification"]["studies"] = {}  # they take a minute and change no value
    for path in FOLDER.iterdir():
        (tmp_path / path.name).symlink_to(path)
    (tmp_path / "config.yaml").unlink()
    (tmp_path / "config.yaml").write_text(yaml.safe_dump(config, sort_keys=False))
    program = "import sys; from qampaign.command.main import main; sys.exit(main())"
    command = [sys.executable, "-c", program, "run", "--cores", "2"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    with duckdb.connect(str(tmp_path / "results/pan20/results.duckdb"), read_only=True) as results:
        scores = results.sql("SELECT run, measure, value, rank_first FROM scores").fetchall()
        compared = results.sql("SELECT published, reconstructed FROM published").fetchall()
    expected = {run: values(run) for run in counts()}
    for run, measure, value, _ in scores:
        if measure in MEASURES:
            assert value == pytest.approx(expected[run][measure], abs=1e-12)
    assert sum(as_printed(printed, here) for printed, here in compared) == 55
    ranks = {run: rank for run, measure, _, rank in scores if measure == "pan_mean"}
    official = sorted(ranks, key=lambda run: -published()[run, "pan_mean"])
    assert sorted(ranks, key=ranks.__getitem__) == official
