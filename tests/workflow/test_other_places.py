"""Results of an earlier version, results of somebody else, and a user who is not root."""

import os
import shutil

import pytest

from tests.helpers.tiny_campaign import EVERYTHING, Tiny

NOBODY = 65534


@pytest.mark.exhaustive
def test_results_of_a_version_without_records_are_made_again(tiny: Tiny) -> None:
    tables = tiny.tables()
    shutil.rmtree(tiny.results / "records")
    # a value that only an earlier version could have left
    scores = tiny.results / "report/tables/scores.csv"
    scores.write_text(scores.read_text().replace("0.625", "0.5"))
    assert tiny.run().ran == EVERYTHING
    assert tiny.tables() == tables


def run_without_privileges(tiny: Tiny, code: int) -> str:
    """Run the workflow as a user who may do no more than the files' permissions say."""
    dropped = ["setpriv", "--inh-caps=-all", "--bounding-set=-all", "--no-new-privs"]
    return tiny.call([*dropped, *tiny.command()], code=code, real=True).shown


@pytest.mark.exhaustive
@pytest.mark.skipif(
    os.geteuid() != 0 or shutil.which("setpriv") is None,
    reason="only root can give files to somebody else",
)
def test_a_user_without_privileges(tiny: Tiny) -> None:
    tiny.correct_a_label()
    before = tiny.files()
    kept = {path: path.stat() for path in [tiny.results, *tiny.results.rglob("*")]}
    for path in kept:
        os.chown(path, NOBODY, NOBODY)
    # the results belong to somebody else: one sentence, nothing changed
    shown = run_without_privileges(tiny, code=1)
    assert shown == "results/tiny cannot be written: Permission denied\n"
    assert tiny.files() == before
    for path, status in kept.items():
        os.chown(path, status.st_uid, status.st_gid)
    run_without_privileges(tiny, code=0)
    assert tiny.values(collection="beta")["b2"] == 1.0
