"""Ways in which results could go out of date unnoticed, one by one; the fuzz meets some but rarely."""

import os
import shutil
import signal
import sys
import time
from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any

import pytest

from tests.fuzz import runs, steps
from tests.fuzz.fuzz_campaign import FEATURES_CONFIGS, Fuzzed
from tests.fuzz.fuzzing import World
from tests.helpers.warm import Warm

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the warm process forks")

MORE = pytest.mark.exhaustive
"""Of cases that are alike one is tried always."""

BY_ANA, BY_BOB = "alpha/assessments/1.csv", "alpha/assessments/2.csv"
PUBLISHED = "alpha/published/paper.csv"


def correct_a_label(campaign: Fuzzed) -> None:
    """The answer "forty km" of a3 is wrong after all, by both: its accuracy is 2/6, not 3/6."""
    campaign.replace(BY_ANA, "q2,forty km,ana,R", "q2,forty km,ana,W")


def reverse(campaign: Fuzzed, name: str) -> None:
    header, *rows = campaign.read(name).splitlines()
    campaign.write(name, "\n".join([header, *reversed(rows)]) + "\n")


# 1. The order of rows


@pytest.mark.exhaustive
def test_the_order_of_rows_counts_for_ties_by_file(small: World) -> None:
    # a2 has four answers of confidence 0.7, in this order wrong, wrong, right (the tie of the
    # assessors goes to right), wrong; turned round wrong, right, wrong, wrong
    reverse(small.campaign, "alpha/runs/a2.csv")
    small.check()


@pytest.mark.exhaustive
def test_the_order_of_rows_counts_for_what_if_runs_by_line(small: World) -> None:
    measures = {"measures": ["accuracy", "brier"]}
    small.campaign.configure(lambda config: config["collections"]["alpha"].update(measures))
    published = small.campaign.read(PUBLISHED).splitlines()
    small.campaign.write(PUBLISHED, "\n".join(published[:2]) + "\n")  # without cws
    small.check()
    reverse(small.campaign, "alpha/runs/a1.csv")  # lines 2 to 4 are other questions
    small.check()


# 2. Stopped between the tables and the page


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("hold", "number"),
    [
        ("published.json", signal.SIGTERM),
        pytest.param("published.json", signal.SIGINT, marks=MORE),
        pytest.param("results.duckdb", signal.SIGTERM, marks=MORE),
        pytest.param("results.duckdb", signal.SIGINT, marks=MORE),
    ],
)
def test_a_run_stopped_while_publishing_is_gone_on_with(
    small: World, hold: str, number: signal.Signals
) -> None:
    # another seed gives other intervals and as many rows in every table, times of jobs included
    # where all of them have run before
    small.campaign.configure(lambda config: config.update(seed=4))
    assert small.run()[0] == 0
    small.campaign.configure(lambda config: config.update(seed=5))
    runs.stop_at(small.campaign, hold, number, whole_group=False)
    small.check()


# 3. Results without what Snakemake keeps


def edit_config(campaign: Fuzzed) -> None:
    correct = {"correct": ["right", "unsupported"]}
    campaign.configure(lambda config: config["collections"]["alpha"].update(correct))


def edit_title(campaign: Fuzzed) -> None:
    campaign.configure(lambda config: config.update(title="Another title"))


def edit_formula(campaign: Fuzzed) -> None:
    steps.edit_code_of(campaign, "judging/key/key_judge.py")


Edit = Callable[[Fuzzed], None]
EDITS = [
    edit_config,
    pytest.param(correct_a_label, marks=MORE),
    pytest.param(edit_title, marks=MORE),
    pytest.param(edit_formula, marks=MORE),
]


@pytest.mark.exhaustive
@pytest.mark.parametrize("edit", EDITS)
def test_edits_are_seen_by_results_without_dot_snakemake(small: World, edit: Edit) -> None:
    shutil.rmtree(small.campaign.work / ".snakemake")
    edit(small.campaign)
    small.check()


@pytest.mark.exhaustive
def test_edits_are_seen_by_results_that_were_copied_alone(small: World) -> None:
    results, away = small.campaign.work / "results", small.campaign.folder / "away"
    shutil.copytree(results, away, copy_function=shutil.copyfile)
    shutil.rmtree(small.campaign.work)
    small.campaign.work.mkdir()
    away.rename(results)
    edit_config(small.campaign)
    small.check()


# 4. What Snakemake keeps is spoilt


@pytest.mark.exhaustive
@pytest.mark.parametrize("kept", [40, pytest.param(0, marks=MORE)])
def test_edits_are_seen_by_jobs_whose_metadata_is_cut_short(small: World, kept: int) -> None:
    for record in (small.campaign.work / ".snakemake" / "metadata").iterdir():
        record.write_bytes(record.read_bytes()[:kept])
    edit_config(small.campaign)
    small.check()


# 5. A clock that goes back


@pytest.mark.exhaustive
@pytest.mark.parametrize("edit", EDITS)
def test_edits_are_seen_by_results_of_the_future(small: World, edit: Edit) -> None:
    tomorrow = time.time() + 86400
    for path in small.campaign.work.rglob("*"):
        os.utime(path, (tomorrow, tomorrow), follow_symlinks=False)
    edit(small.campaign)
    small.check()


# 6. Neither size nor time of a file shows its change


@pytest.mark.exhaustive
@pytest.mark.parametrize("anew", [False, pytest.param(True, marks=MORE)])
def test_a_file_changed_with_size_and_time_kept_is_noticed(small: World, anew: bool) -> None:
    path = small.campaign.data / BY_ANA
    status = path.stat()
    if anew:
        copy = path.with_name("copy")
        shutil.copyfile(path, copy)
        copy.replace(path)
    correct_a_label(small.campaign)
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert path.stat().st_size == status.st_size
    small.check()


# 7. Published figures of an older file


@pytest.mark.exhaustive
def test_published_figures_of_an_older_file_are_noticed(small: World) -> None:
    small.campaign.replace(PUBLISHED, "0.83", "0.84")
    os.utime(small.campaign.data / PUBLISHED, (10**9, 10**9))
    small.check()


# 8. The order in which files came


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("alpha/keys/1.csv", "Paris; the capital", "Paris; a capital"),
        pytest.param(BY_ANA, "q1,Lyon,ana,W", "q1,Lyon,ana,R", marks=MORE),
        pytest.param("alpha/runs/a1.csv", "a stone", "a rock", marks=MORE),
    ],
)
def test_tables_do_not_depend_on_which_file_was_loaded_last(
    small: World, name: str, old: str, new: str
) -> None:
    small.campaign.replace(name, old, new)
    small.check()


@pytest.mark.exhaustive
def test_what_is_shown_beside_a_judge_that_does_not_use_it_is_current(small: World) -> None:
    # disagreements of every judge show the key; only the judges by key judge by it
    bob = {"kind": "assessments", "assessor": "bob"}
    small.campaign.configure(
        lambda config: config["collections"]["alpha"]["judges"].update(bob=bob)
    )
    small.check()
    small.campaign.replace("alpha/keys/1.csv", "a rock | a big stone", "a rock")
    small.check()


# 9. A bad line among published figures


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        # what the file alone tells is found before the first job
        ("a1,all,0.83", "a1,all,many", ["line 2", "many"]),
        pytest.param(
            *("scores,value,accuracy,a1", "scoers,value,accuracy,a1"),
            ["line 2", "scoers", "scores"],
            marks=MORE,
        ),
        # what the results must tell comes later, with what is allowed
        ("accuracy,a1", "accuracy,nobody", ["line 2", "nobody", "a1, a2, a3"]),
    ],
)
def test_a_bad_published_figure_costs_nothing(
    small: World, old: str, new: str, named: list[str]
) -> None:
    small.campaign.replace(PUBLISHED, old, new)
    before = runs.shown_to_people(small.campaign)
    done = small.campaign.benchmarks()
    small.campaign.configure(lambda config: config.update(seed=4))  # the study would run
    code, shown = small.run()
    assert code == 1
    assert [each for each in named if each not in shown] == [], shown
    assert runs.shown_to_people(small.campaign) == before
    if "nobody" not in new:
        assert small.campaign.benchmarks() == done
    small.campaign.replace(PUBLISHED, new, old)
    small.check()


# 10. One file asked for, and input that is refused


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    "target", ["published.json", pytest.param("report/index.html", marks=MORE)]
)
def test_a_target_is_not_up_to_date_where_the_input_is_refused(small: World, target: str) -> None:
    runs.set_cell(BY_BOB, "label", "Q")(small.campaign, Random(1))
    code, _ = small.run()
    assert code == 1
    code, shown = small.run(f"results/fuzzed/{target}")
    assert (code, "Nothing to do" in shown) == (1, False), shown
    assert "'Q' is an unknown label" in shown


# 11. What results depend on besides answers and labels


def replacing(name: str, old: str, new: str) -> Edit:
    """Another text in a raw file."""
    return lambda campaign: campaign.replace(name, old, new)


def writing(name: str, text: str) -> Edit:
    """A raw file written anew."""
    return lambda campaign: campaign.write(name, text)


def adding(name: str, *rows: str) -> Edit:
    """More rows of a raw file."""
    return lambda campaign: campaign.write(
        name, campaign.read(name) + "".join(f"{r}\n" for r in rows)
    )


def setting(*path: str, value: Any) -> Edit:
    """Another value in the config."""

    def edit(config: dict[str, Any]) -> None:
        for key in path[:-1]:
            config = config[key]
        config[path[-1]] = value

    return lambda campaign: campaign.configure(edit)


def give_rows_a_cost(campaign: Fuzzed) -> None:
    """The rows of a2 say what they cost: 1.5 each, 9 in all, as the run information says, too."""
    header, *rows = campaign.read("alpha/runs/a2.csv").splitlines()
    lines = [f"{header},cost", *(f"{row},1.5" for row in rows)]
    campaign.write("alpha/runs/a2.csv", "\n".join(lines) + "\n")


def drop_probabilities(campaign: Fuzzed) -> None:
    """The labels of a simple random sample, as far as anybody says."""
    rows = campaign.read("labelled/sheet.csv").splitlines()
    lines = [row.rpartition(",")[0] for row in rows]
    campaign.write("labelled/sheet.csv", "\n".join(lines) + "\n")


MEASURES = ["accuracy", "c_at_1"]
OVERALL = {"collections": ["alpha", "twin"], "measure": "accuracy"}
JURY = {"kind": "jury", "unassessed": "wrong"}
ALPHA = ("collections", "alpha")
ALONE = {"gpt": {"kind": "verdicts", "files": "labelled/gpt.csv"}}
FEATURES: dict[str, dict[str, list[Edit]]] = {
    "rankings": {
        "what runs cost": [
            replacing("alpha/run_info.csv", "a2,Team B,open,70,9", "a2,Team B,open,70,0.5"),
            give_rows_a_cost,
        ],
        "teams": [
            replacing("alpha/run_info.csv", "a3,Team A", "a3,Team C"),
            replacing("alpha/run_info.csv", "a3,Team C", "a3,"),
        ],
        "trials of a judge": [
            replacing("alpha/gpt.csv", "q1,a1,1,A,2", "q1,a1,1,B,2"),
            replacing("alpha/gpt.csv", "q1,a1,1,B,2\n", ""),
        ],
        "members of a jury": [
            setting(*ALPHA, "judges", "jury", "of", value=["gpt", "people"]),
            setting(*ALPHA, "judges", "jury", "ties", value=["right", "unsupported"]),
        ],
        "weights of a composite": [
            setting(
                *ALPHA,
                "measures",
                value=[*MEASURES, {"composite": {"of": MEASURES, "name": "both"}}],
            ),
        ],
        "a mean over types": [
            replacing("alpha/questions.csv", "q1,factoid", "q1,definition"),
            setting(*ALPHA, "measures", value=MEASURES),
        ],
        "the ranking over collections": [
            setting("overall", value=OVERALL | {"weights": "questions"}),
            setting("overall", value={"collections": ["twin", "alpha"], "measure": "primary"}),
            setting("collections", "twin", "ties", value=["right"]),
        ],
        "conditions": [
            setting("gate", value=["c_at_1 of a3 not significantly below a2"]),
            setting("gate", value=["agreement of gpt with people >= 0.9"]),
        ],
        "comparisons": [
            setting(*ALPHA, "comparisons", value=[{"against": "a2"}]),
            setting(*ALPHA, "comparisons", value=[{"runs": ["a2", "a3"], "margin": 0.2}]),
            setting(*ALPHA, "comparisons", value=[]),
        ],
        "patterns of refusals": [
            setting(*ALPHA, "refusals", value=["a stone"]),
            setting(*ALPHA, "refusals", value=["a rock"]),
        ],
        "missing rows": [setting(*ALPHA, "missing", value="wrong")],
        "bounds of unassessed answers": [
            setting(*ALPHA, "judges", "gpt", "unassessed", value="bounds"),
            adding("alpha/gpt.csv", "q4,a2,1,B,"),
        ],
        "answers that may be shown": [setting("open", value=False), setting("open", value=True)],
    },
    "samples": {
        "a sample comes and goes": [
            adding("beta/runs.csv", "b3,p1,y,1,two"),
            replacing("beta/runs.csv", "b3,p1,y,1,two\n", ""),
        ],
        "weights of questions": [
            replacing("beta/questions.csv", "p2,2", "p2,3"),
            writing("beta/questions.csv", "question,weight\np1,1\np2,1\np3,1\n"),
            writing("beta/questions.csv", "question\np1\np2\np3\n"),
        ],
    },
    "labels": {
        "labels that correct": [
            replacing("labelled/sheet.csv", "s1,good,right,", "s1,good,wrong,")
        ],
        "probabilities of labels": [
            replacing("labelled/sheet.csv", "s1,good,right,0.5", "s1,good,right,0.25"),
            drop_probabilities,
        ],
        "labels that correct no more": [setting("collections", "labelled", "judges", value=ALONE)],
    },
}


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory, warm: Warm) -> Callable[[str], World]:
    """Campaigns by what their results depend on, each finished once."""

    @cache
    def finish(name: str) -> World:
        folder = tmp_path_factory.mktemp(name)
        return World(folder, warm).create(FEATURES_CONFIGS[name])

    return finish


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("campaign", "edits"),
    [
        pytest.param(campaign, edits, id=name)
        for campaign, cases in FEATURES.items()
        for name, edits in cases.items()
    ],
)
def test_what_else_results_depend_on_is_noticed(
    finished: Callable[[str], World], campaign: str, edits: list[Edit]
) -> None:
    world = finished(campaign)
    world.restore()
    for edit in edits:
        edit(world.campaign)
        world.check()
        assert "refused" not in world.log[-1], world.log[-1]
