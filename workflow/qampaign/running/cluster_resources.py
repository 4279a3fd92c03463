"""What jobs ask a cluster for: memory and time that grow with the rows they work on.

The figures were measured with campaigns of one answer per run and question, and a test compares
them with the peaks of real jobs. A job that was killed for exceeding its memory or time asks for
twice as much the next time.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil

AROUND = 600
"""Megabytes that a job on a cluster takes besides its work: Snakemake, twice, around the script."""

BYTES_PER_ROW = 25
"""The least length of a row of a raw file, for files whose rows are not counted yet."""

COMPRESSED = 8
"""How many times longer a compressed file is when it is unpacked."""


@dataclass(frozen=True)
class Need:
    """What a job needs: always, and per million rows; a study also for its trials."""

    megabytes: float
    more_megabytes: float
    minutes: float = 5
    more_minutes: float = 1
    trial_minutes: float = 0
    """Minutes per billion rows times trials."""

    def memory(self, rows: int, attempt: int = 1) -> int:
        """Megabytes to ask for.

        >>> Need(300, 400).memory(2_000_000), Need(300, 400).memory(2_000_000, attempt=2)
        (1700, 3400)
        """
        return ceil((AROUND + self.megabytes + self.more_megabytes * rows / 1e6) * doubled(attempt))

    def runtime(self, rows: int, trials: int = 1, attempt: int = 1) -> int:
        """Minutes to ask for.

        >>> Need(300, 400, minutes=5, more_minutes=1, trial_minutes=10).runtime(1_000_000, 2_000)
        26
        """
        minutes = self.minutes + self.more_minutes * rows / 1e6
        return ceil((minutes + self.trial_minutes * rows * trials / 1e9) * doubled(attempt))


def doubled(attempt: int) -> int:
    """How much more the second, third, … attempt asks for.

    >>> [doubled(attempt) for attempt in (1, 2, 3)]
    [1, 2, 4]
    """
    return 2 ** (attempt - 1)


def trials_of(study: Mapping[str, object]) -> int:
    """How often a study evaluates the measures on a set of questions.

    >>> trials_of({"sizes": [25, 50], "trials": 100}), trials_of({"resamples": 1000})
    (200, 1000)
    >>> trials_of({"from": 50, "to": 500, "step": 50, "trials": 200}), trials_of({})
    (2000, 1)
    """
    trials = _whole(study, "trials", _whole(study, "resamples", 1))
    sizes = study.get("sizes")
    if isinstance(sizes, list):
        return trials * max(1, len(sizes))
    if "to" in study:
        return trials * (
            1 + (_whole(study, "to", 0) - _whole(study, "from", 0)) // _whole(study, "step", 1)
        )
    return trials


def _whole(study: Mapping[str, object], key: str, default: int) -> int:
    value = study.get(key, default)
    return value if isinstance(value, int) else default


NEEDS = {
    "ingest": Need(700, 200, more_minutes=2),
    "judge": Need(300, 400),
    "score": Need(250, 300),
    "agreement": Need(350, 500),
    "correct": Need(400, 1500, more_minutes=10),
    "correlate": Need(400, 600),
    "tabulate": Need(350, 100),
    "draw": Need(450, 60),
    "browse": Need(450, 700),
    "figures": Need(650, 60),
    "overall": Need(400, 600, more_minutes=20),
    "publish": Need(420, 30),
    "report": Need(450, 30),
}
"""What the jobs of each rule need. A new rule is a line here."""

STUDY = Need(400, 600, trial_minutes=20)
"""What a job of a rule without a line needs: a study."""

LARGE = 5_000_000
"""From how many rows on the jobs of the whole campaign go to a cluster, too."""

TOGETHER = 180
"""Up to how many minutes in all the jobs of a collection are sent to a cluster as one."""


def is_sent_together(jobs: Mapping[str, int], trials: Mapping[str, int], rows: int) -> bool:
    """Whether the jobs of a collection, so many of each rule, are short enough to be sent as one.

    >>> [is_sent_together({"score": 2, "swap": 1}, {"swap": 1000}, rows) for rows in (10**5, 10**7)]
    [True, False]
    """
    minutes = sum(
        count * NEEDS.get(rule, STUDY).runtime(rows, trials.get(rule, 1))
        for rule, count in jobs.items()
    )
    return minutes <= TOGETHER
