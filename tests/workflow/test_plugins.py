"""A measure, a judge and a file format of another installed package, from the config to the report."""

import pytest

from tests.helpers.tiny_campaign import ENDING, Tiny, replace_in
from tests.helpers.tiny_package import install_tiny

SCORES = {"alpha/score/people", "alpha/score/ana", "alpha/score/begin", "beta/score/people"}
STUDIES = {f"{name}/{job}" for name in ("alpha", "beta") for job in ("correlate",)}
STUDIES |= {"alpha/significance/people", "beta/significance/people"}


def use_tiny(tiny: Tiny, **options: object) -> None:
    """Score alpha by the measure of the package, judge it by its judge, give a run in its format."""
    tiny.write("alpha/keys.csv", "question,key\nq1,Paris\nq2,Oslo\nq3,a river\nq4,nobody\n")
    tiny.write("alpha/runs/a3.pipes", tiny.read("alpha/runs/a3.csv").replace(",", "|"))
    (tiny.data / "alpha/runs/a3.csv").unlink()

    def edit(config: dict) -> None:
        alpha = config["collections"]["alpha"]
        alpha["keys"] = "alpha/keys.csv"
        alpha["judges"]["begin"] = {"kind": "prefix", "letters": 2, **options}
        alpha["measures"].append("caution")

    tiny.configure(edit)


@pytest.mark.exhaustive
def test_another_package_is_used_as_ours_is(tiny: Tiny) -> None:
    package = install_tiny(tiny.project / "workflow")
    before = tiny.values()
    use_tiny(tiny)
    tiny.run()
    assert tiny.values() == before  # in another format, a3 says the same
    # right less twice wrong, by 4: a1 2 and 1, a2 2 and 2, a3 1 and 2
    assert tiny.values("caution") == {"a1": 0.0, "a2": -0.5, "a3": -0.75}
    # Pa, Os, a-space: a1 Paris, NIL right; a2 Oslo, a river; a3 Paris, a rock
    assert tiny.values("accuracy", judge="begin") == {"a1": 0.5, "a2": 0.5, "a3": 0.5}
    tables = tiny.results / "report" / "tables"
    assert "version,tiny,0.1" in (tables / "provenance.csv").read_text(encoding="utf-8")
    assert "caution" in (tiny.results / "report" / "index.html").read_text(encoding="utf-8")
    assert tiny.run().ran == set()

    replace_in(package / "weights.py", "2", "1")  # what the module of the measure imports
    ended = tiny.run()
    assert not any("/judge/" in job for job in ended.ran)
    assert ended.ran >= SCORES | STUDIES | ENDING
    assert tiny.values("caution") == {"a1": 0.25, "a2": 0.0, "a3": -0.25}

    # a beginning of the key that is longer than that of the answer
    replace_in(
        package / "judges.py",
        'pl.col("key").str.slice(0, letters)',
        'pl.col("key").str.slice(0, 9)',
    )
    ended = tiny.run()
    assert "alpha/judge/begin" in ended.ran
    assert "ingest" not in ended.ran
    assert tiny.values("accuracy", judge="begin")["a2"] == 0.0


def test_its_options_are_checked_as_ours_are(tiny: Tiny) -> None:
    install_tiny(tiny.project / "workflow")
    use_tiny(tiny, leters=3)
    shown = tiny.run(code=1).shown
    assert (
        "collections.alpha.judges.begin.leters is no option of a judge of kind prefix; allowed: "
        "letters (close), or letters, correct, unassessed" in shown
    )


@pytest.mark.exhaustive
def test_a_file_that_its_reader_cannot_read_is_a_problem_of_the_input(tiny: Tiny) -> None:
    install_tiny(tiny.project / "workflow")
    use_tiny(tiny)
    tiny.write("alpha/runs/a3.pipes", "question|answer\nq1|Paris|1\n")
    shown = tiny.run(code=1).shown
    assert (
        "a3.pipes: cannot be read by tiny.formats.pipes (ValueError: a row has more or fewer "
        "columns than the header)" in shown
    )
    assert "Traceback" not in shown


@pytest.mark.exhaustive
def test_a_package_that_cannot_be_used_ends_the_run_without_frames(tiny: Tiny) -> None:
    package = install_tiny(tiny.project / "workflow")
    (package / "judges.py").write_text("import no_such_library\n")
    shown = tiny.run(code=1).shown
    assert shown == (
        "Installed packages that extend Qampaign cannot be used; repair or uninstall:\n"
        "  tiny 0.1 (qampaign.judges: tiny = tiny.judges): ModuleNotFoundError: No module named "
        "'no_such_library'\n"
    )
