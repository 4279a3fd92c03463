"""Jobs as forks of one process: each ends as a process of its own would, and none outlives the run."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from qampaign.running import job_starter
from qampaign.running.job_starter import KILLED, Starter
from tests.helpers.processes import is_running, wait_until

SCRIPTS = Path(__file__).parents[2] / "scripts"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="elsewhere every job is a process"),
]


@pytest.fixture(scope="module")
def starter() -> Iterator[Starter]:
    made = Starter()
    yield made
    assert made._control is not None
    made._control.close()


def run(starter: Starter, folder: Path, program: str, **environment: str) -> int:
    """Run a program, which is a script of its own, too; gives its exit code."""
    path = folder / "job.py"
    path.write_text(program)
    return starter.run(str(path), str(path), os.environ | environment)


@pytest.mark.parametrize(
    ("program", "code"),
    [
        ("x = 1", 0),
        ("import sys; sys.exit()", 0),
        ("import sys; sys.exit(3)", 3),
        ("import sys; sys.exit('no')", 1),
        ("1 / 0", 1),
        ("import os; os._exit(7)", KILLED),  # it could not say how it ended
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", KILLED),
    ],
)
def test_a_job_ends_as_a_process_would(
    starter: Starter, tmp_path: Path, program: str, code: int
) -> None:
    guarded = f"if __name__ == '__main__':\n    {program}\n"
    assert run(starter, tmp_path, guarded) == code


def test_a_job_has_the_environment_and_the_folder_of_who_asks(
    starter: Starter, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    program = (
        "import os, sys, tempfile\n"
        "if __name__ == '__main__':\n"
        "    told = os.environ['TOLD'], os.getcwd(), sys.argv, sys.path[0], tempfile.gettempdir()\n"
        "    open('said', 'w').write(repr(told))\n"
    )
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    assert run(starter, tmp_path, program, TOLD="a b", TMPDIR=str(temporary)) == 0
    folder = str(tmp_path)
    expected = ("a b", folder, [f"{folder}/job.py"], folder, str(temporary))
    assert (tmp_path / "said").read_text() == repr(expected)


def test_a_script_is_imported_once_and_its_jobs_change_nothing_for_each_other(
    starter: Starter, tmp_path: Path
) -> None:
    """The module counts its imports; each job adds to what it finds."""
    (tmp_path / "counting_module.py").write_text("jobs = 0\nprint('imported', flush=True)\n")
    script = tmp_path / "script.py"
    script.write_text(
        f"import sys\nsys.path.append({str(tmp_path)!r})\nimport counting_module\n"
        "if __name__ == '__main__':\n"
        "    counting_module.jobs += 1\n    sys.exit(10 + counting_module.jobs)\n"
    )
    codes = [starter.run(str(script), str(script), os.environ) for _ in range(3)]
    assert codes == [11, 11, 11]


def test_a_script_that_cannot_be_imported_says_so_in_its_job(
    starter: Starter, tmp_path: Path
) -> None:
    assert run(starter, tmp_path, "import no_such_module") == 1
    assert run(starter, tmp_path, "x = 1") == 0  # the starter goes on


def test_jobs_end_with_the_process_that_asked_for_them(tmp_path: Path) -> None:
    job = tmp_path / "job.py"
    job.write_text(
        "import os, time\nfrom qampaign.running import jobs\n"
        "if __name__ == '__main__':\n    jobs._end_with_parent()\n"
        f"    open({str(tmp_path / 'pid')!r}, 'w').write(f'{{os.getpid()}} {{os.getppid()}}')\n"
        "    time.sleep(60)\n"
    )
    asking = subprocess.Popen(
        [
            *(sys.executable, "-c"),
            f"import os; from qampaign.running.job_starter import Starter\n"
            f"Starter().run({str(job)!r}, {str(job)!r}, os.environ)",
        ]
    )
    wait_until(lambda: (tmp_path / "pid").exists() and (tmp_path / "pid").read_text() != "")
    forked, starting = map(int, (tmp_path / "pid").read_text().split())
    assert is_running(forked)
    os.kill(asking.pid, signal.SIGKILL)
    asking.wait()
    wait_until(lambda: not is_running(forked) and not is_running(starting))


@pytest.mark.exhaustive
def test_nothing_starts_threads_before_a_fork() -> None:
    """Two libraries have threads that tend memory, and are made for forks: all others would hang."""
    program = (
        "import os, runpy\n"
        "from pathlib import Path\n"
        "from qampaign.running import job_starter\n"
        "job_starter._import_libraries()\n"
        f"for script in sorted(Path({str(SCRIPTS)!r}).glob('*.py')):\n"
        "    runpy.run_path(str(script), run_name='imported')\n"
        "for task in os.listdir('/proc/self/task'):\n"
        "    print(Path('/proc/self/task', task, 'comm').read_text().strip())\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | job_starter.ONE_THREAD,
        check=True,
        capture_output=True,
        text=True,
    )
    names = {name for name in ran.stdout.split() if not name.startswith("python")}
    assert names <= {"jemalloc_bg_thd", "polars-ooc-clea"}


def test_many_jobs_at_once(starter: Starter, tmp_path: Path) -> None:
    codes: list[int] = []
    program = (
        "import sys\nif __name__ == '__main__':\n    import polars as pl\n"
        "    sys.exit(int(pl.DataFrame({'x': range(50)}).select(pl.col('x').sum()).item() != 1225))\n"
    )
    path = tmp_path / "job.py"
    path.write_text(program)
    threads = [
        threading.Thread(target=lambda: codes.append(starter.run(str(path), str(path), os.environ)))
        for _ in range(24)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert codes == [0] * 24
