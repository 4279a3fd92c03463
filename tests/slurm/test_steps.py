"""A campaign on a cluster of two nodes: what ran there, and that the results are those of one machine."""

import shutil

import pytest

from tests.helpers.tiny_campaign import BETA, ENDING, EVERYTHING, Tables, shown
from tests.slurm.cluster_campaign import OnCluster, ran_in


@pytest.mark.exhaustive
def test_from_nothing(tiny: OnCluster, expected: tuple[Tables, dict[str, bytes]]) -> None:
    shutil.rmtree(tiny.work / "results")
    shutil.rmtree(tiny.work / ".snakemake")
    before = set(tiny.jobs())
    assert tiny.run().ran == EVERYTHING
    # By Slurm's own log, each job ran there once and to its end: one for each collection.
    ran = {number: job for number, job in tiny.jobs().items() if number not in before}
    assert {state for _, state in ran.values()} == {"COMPLETED"}
    assert sorted(comment for comment, _ in ran.values()) == [
        "rule_alpha_agreement_browse_correlate_draw_figures_...",
        "rule_beta_browse_correlate_draw_figures_judge_...",
        "rule_ingest_wildcards_tiny",
    ]
    # By their own logs all steps were in them, but for those that stay here.
    assert ran_in(tiny).keys() == EVERYTHING - ENDING
    assert set(ran_in(tiny).values()) == set(ran)
    assert (tiny.tables(), tiny.computed()) == expected
    assert tiny.run().ran == set()


@pytest.mark.exhaustive
def test_an_assessment_is_corrected_between_two_runs_with_another_profile(
    tiny: OnCluster, corrected: tuple[Tables, dict[str, bytes]]
) -> None:
    """By the profile for any queue: the same jobs, submitted by sbatch itself."""
    tiny.profile = "cluster-generic"
    tiny.correct_a_label()
    before = set(tiny.jobs())
    assert tiny.run().ran == {"ingest", *BETA, *ENDING}
    ran = {number: state for number, (_, state) in tiny.jobs().items() if number not in before}
    assert list(ran.values()) == ["COMPLETED", "COMPLETED"]  # ingest, and all of beta
    assert (tiny.tables(), tiny.computed()) == corrected
    assert tiny.run().ran == set()


@pytest.mark.exhaustive
def test_a_step_of_a_collection_is_computed_alone(
    tiny: OnCluster, expected: tuple[Tables, dict[str, bytes]]
) -> None:
    """Steps that travel together are not computed together: only what is missing is in the job."""
    (tiny.results / "alpha/significance/people.parquet").unlink()
    before = set(tiny.jobs())
    own = {"alpha/significance/people", "alpha/correlate"}  # it reads comparisons
    assert tiny.run().ran == {*own, *shown("alpha"), *ENDING}
    (comment,) = (job[0] for number, job in tiny.jobs().items() if number not in before)
    assert comment == "rule_alpha_browse_correlate_draw_figures_significance_..."
    assert (tiny.tables(), tiny.computed()) == expected


@pytest.mark.exhaustive
def test_the_steps_of_a_large_collection_are_jobs_of_their_own(
    tiny: OnCluster, corrected: tuple[Tables, dict[str, bytes]]
) -> None:
    tiny.edit_code(
        "running/cluster_resources.py", "TOGETHER = 180", "TOGETHER = 0"
    )  # now all are large
    tiny.correct_a_label()
    before = set(tiny.jobs())
    assert tiny.run().ran == {"ingest", *BETA, *ENDING}
    assert sorted(job[0] for number, job in tiny.jobs().items() if number not in before) == [
        "rule_browse_wildcards_tiny_beta",
        "rule_correlate_wildcards_tiny_beta",
        "rule_draw_wildcards_tiny_beta",
        "rule_figures_wildcards_tiny_beta",
        "rule_ingest_wildcards_tiny",
        "rule_judge_wildcards_tiny_beta_people",
        "rule_score_wildcards_tiny_beta_people",
        "rule_significance_wildcards_tiny_beta_people",
        "rule_tabulate_wildcards_tiny_beta",
    ]
    assert (tiny.tables(), tiny.computed()) == corrected
