"""Reading logs against zip and orjson alone, on the same bytes: time, processor time, and memory.

`python -m tests.bench.logs --files 100 --samples 5000` reads 500,000 answers. A sample is as long as
one of a plain question with a transcript of four events: some 5 KB.
"""

import argparse
import json
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import orjson

from qampaign.input.collection_files import CollectionFiles
from qampaign.input.ingest import ingest
from qampaign.input.logs.archive import Archive
from tests.helpers.logs import (
    inspect_eval,
    inspect_sample,
    json_lines,
    lm_eval_results,
    lm_eval_sample,
)

TEXT = "The quick brown fox jumps over the lazy dog, and nobody knows why it does so. "


def write_inspect(folder: Path, files: int, samples: int) -> None:
    """Logs of Inspect, packed by zstd."""
    events = [{"event": "model", "input": [{"role": "user", "content": TEXT * 10}]}] * 4
    for number in range(files):
        rows = [
            inspect_sample(
                each,
                "CI"[(number * each) % 3 == 0],
                f"{TEXT * 3}Answer {each}",
                events=events,
                model_usage={"mock/one": {"total_tokens": 30}},
                total_time=1.5,
            )
            for each in range(samples)
        ]
        content = inspect_eval(rows, model=f"mock/{number}")
        (folder / f"{number}.eval").write_bytes(content)


def write_lm_eval(folder: Path, files: int, samples: int) -> None:
    """Samples of lm-evaluation-harness, with their results."""
    for number in range(files):
        place = folder / f"model{number}"
        place.mkdir()
        rows = [
            lm_eval_sample(
                each,
                "45"[(number * each) % 3 == 0],
                arguments={"gen_args_0": {"arg_0": TEXT * 40, "arg_1": {"until": ["\n"]}}},
                resps=[[TEXT * 5]],
            )
            for each in range(samples)
        ]
        date = "2026-01-21T03-44-18.458309"
        (place / f"samples_sums_{date}.jsonl").write_text(json_lines(rows))
        (place / f"results_{date}.json").write_text(lm_eval_results(f"org/{number}"))


def read_bare(folder: Path) -> None:
    """The yardstick: every member unpacked, every JSON value parsed, and forgotten."""
    for path in sorted(folder.rglob("*.eval")):
        archive = Archive(path.read_bytes(), 100)
        for name in archive.names:
            if name.startswith("samples/"):
                orjson.loads(archive.read(name))
    for path in sorted(folder.rglob("*.jsonl")):
        for line in path.read_bytes().splitlines():
            orjson.loads(line)


def read_whole(folder: Path) -> None:
    """What ingest does: rows, checks, the database."""
    files = CollectionFiles(
        collection="bench",
        folder=str(folder),
        paths={"logs": ["*.eval"] if any(folder.glob("*.eval")) else ["*/*.jsonl"]},
    )
    results = folder.with_name("results")
    ingest(
        [files],
        database=results / "campaign.duckdb",
        fingerprints=results / "fingerprints",
        problems_csv=results / "problems.csv",
        code="1",
    )


WRITERS = {"inspect": write_inspect, "lm_eval": write_lm_eval}
READERS = {"bare": read_bare, "whole": read_whole}


def measure(reader: str, folder: Path) -> tuple[float, float, float]:
    """Seconds by the clock and of the processor, and megabytes at the peak, of one that reads."""
    command = [sys.executable, "-m", "tests.bench.logs", "--read", reader, "--folder", str(folder)]
    seconds, processor, megabytes = json.loads(subprocess.check_output(command, text=True))
    return seconds, processor, megabytes


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=20)
    parser.add_argument("--samples", type=int, default=1000)
    parser.add_argument("--read", choices=READERS)
    parser.add_argument("--folder", type=Path)
    given = parser.parse_args()
    if given.read:
        begun, start = time.perf_counter(), time.process_time()
        READERS[given.read](given.folder)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(json.dumps([time.perf_counter() - begun, time.process_time() - start, peak]))
        return
    for name, write in WRITERS.items():
        place = Path(tempfile.mkdtemp(prefix="qampaign-bench-"))
        folder = place / "logs"
        folder.mkdir()
        write(folder, given.files, given.samples)
        size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6
        bare, bare_processor, _ = measure("bare", folder)
        whole, processor, peak = measure("whole", folder)
        answers = given.files * given.samples
        print(
            f"{name}: {answers:,} answers in {given.files} files ({size:.0f} MB): {whole:.2f} s, "
            f"zip and orjson alone {bare:.2f} s, {whole / bare:.2f} times (processor time: "
            f"{processor / bare_processor:.2f} times); {peak:.0f} MB"
        )
        shutil.rmtree(place)


if __name__ == "__main__":
    main()
