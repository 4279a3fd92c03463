"""What results were made from: a record finds out every change that matters, and no other."""

import json
import os
import shutil
from pathlib import Path

import pytest

from qampaign.running.job_records import (
    Content,
    Job,
    Records,
    digests,
    look_at,
    record_of,
    state_of,
    write_record,
)

SETTINGS = digests({"config": {"threshold": 0.25}, "code": "abc"})


class Made:
    """A result, made from one file, and its record."""

    def __init__(self, folder: Path) -> None:
        self.results = folder
        self.input, self.output, self.sheet = (
            folder / name for name in ("in.csv", "out.parquet", "sheet.csv")
        )
        self.input.write_text("a\n1\n")
        self.output.write_text("made of 1")
        self.sheet.write_text("fill me in")
        self.record = folder / "records" / "job.json"
        write_record(
            self.record, SETTINGS, look_at([self.input]), look_at([self.output]), [self.sheet]
        )

    def why(self, settings: dict[str, str] = SETTINGS, *, verify: bool = False) -> str | None:
        """Why the result is not current."""
        records = Records(self.results, verify=verify)
        return records.why_stale(Job(self.record, settings, [str(self.input)], [str(self.output)]))


@pytest.fixture
def made(tmp_path: Path) -> Made:
    return Made(tmp_path)


def test_a_result_is_current_while_nothing_changes(made: Made) -> None:
    assert made.why() is None
    made.input.touch()
    made.output.touch()
    made.sheet.write_text("filled in")
    assert made.why() is None


def test_each_change_is_found(made: Made) -> None:
    other = digests({"config": {"threshold": 0.5}, "code": "abc"})
    assert made.why(other) == "changed: its settings"
    assert made.why(digests({"config": {"threshold": 0.25}})) == "changed: its code or libraries"
    made.sheet.unlink()
    assert made.why() == f"lost: {made.sheet}"
    made.output.write_text("made of 2")
    assert made.why() == f"damaged: {made.output}"
    made.output.unlink()
    assert made.why() == f"lost: {made.output}"
    made.input.write_text("a\n2\n")
    assert made.why() == f"changed: {made.input}"
    made.record.write_text("{")
    assert made.why() == "not made yet"
    made.output.write_text("made of 1")
    assert made.why() == "there is no record of what it was made from"


def test_other_inputs_and_outputs_than_recorded_are_found(made: Made) -> None:
    records = Records(made.results)
    for inputs in ([str(made.input), "other.csv"], ["other.csv"], []):  # more, others, fewer
        assert records.why_stale(Job(made.record, SETTINGS, inputs, [])) == (
            "it reads other files than before"
        )
    one = [str(made.input)]
    assert records.why_stale(Job(made.record, SETTINGS, one, ["new.csv"])) == (
        "not recorded: new.csv"
    )


def test_a_record_of_another_version_counts_as_none(made: Made) -> None:
    text = json.loads(made.record.read_text())
    made.record.write_text(json.dumps(text | {"version": 0}))
    assert made.why() == "there is no record of what it was made from"


def test_a_file_that_replaces_another_with_its_size_and_time_is_found(made: Made) -> None:
    times = made.input.stat().st_atime_ns, made.input.stat().st_mtime_ns
    other = made.input.with_name("other")
    other.write_text("a\n2\n")
    os.utime(other, ns=times)
    os.replace(other, made.input)
    assert made.why() == f"changed: {made.input}"


def test_a_pipe_in_place_of_a_file_keeps_nobody_waiting(made: Made) -> None:
    made.input.unlink()
    os.mkfifo(made.input)
    assert made.why() == f"changed: {made.input}"


def test_verify_hashes_also_what_has_its_state(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    # a record that has the state of the file, but the hash of another content
    monkeypatch.setattr("qampaign.running.job_records.MOMENT", 0)
    text = json.loads(made.record.read_text())
    text["inputs"][str(made.input)] = ["0" * 64, state_of(made.input)]
    made.record.write_text(json.dumps(text))
    assert made.why() is None
    assert made.why(verify=True) == f"changed: {made.input}"


def test_copied_results_are_current_and_are_hashed_once(made: Made, tmp_path: Path) -> None:
    kept = tmp_path.with_name(f"{tmp_path.name}-kept")
    shutil.copytree(tmp_path, kept)
    shutil.rmtree(tmp_path)
    shutil.copytree(kept, tmp_path, copy_function=shutil.copyfile)
    records = Records(made.results)
    job = Job(made.record, SETTINGS, [str(made.input)], [str(made.output)])
    before = made.record.read_text()
    assert records.why_stale(job) is None
    records.renew_states()
    assert made.record.read_text() != before
    renewed = Records(made.results)._known[str(made.output)]
    assert renewed == Content(*json.loads(before)["outputs"][str(made.output)][:1], renewed.state)
    assert renewed.state[:1] == [made.output.stat().st_size]


def test_the_files_of_a_folder_are_recorded_each(tmp_path: Path) -> None:
    folder = tmp_path / "figures"
    folder.mkdir()
    (folder / "a.svg").write_text("<svg/>")
    record = tmp_path / "records" / "job.json"
    write_record(record, SETTINGS, {}, look_at([folder]))
    job = Job(record, SETTINGS, [], [str(folder)])
    assert Records(tmp_path).why_stale(job) is None
    (folder / "a.svg").write_text("<svg></svg>")
    assert Records(tmp_path).why_stale(job) == f"damaged: {folder / 'a.svg'}"


def test_the_order_of_settings_counts() -> None:
    # the tables have collections and measures in the order of the config
    assert digests({"c": {"a": 1, "b": 2}}) != digests({"c": {"b": 2, "a": 1}})


def test_a_campaign_may_have_any_name() -> None:
    assert record_of("results/logs/logs/ingest.log") == Path("results/logs/records/ingest.json")


def test_a_file_that_has_just_changed_has_a_state_of_its_own(tmp_path: Path) -> None:
    # it may change again within the same tick of the file system's clock
    path = tmp_path / "new"
    path.write_text("1")
    assert state_of(path) != state_of(path)
