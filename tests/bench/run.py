"""All benchmarks, one after the other: `make bench`. Each can be run alone, too.

Each has a process of its own: what one leaves in memory would be another's peak.
"""

import subprocess
import sys

BENCHMARKS = (
    "proportion",
    "foundation",
    "measures",
    "judges",
    "agreement",
    "studies",
    "answers",
    "logs",
)

if __name__ == "__main__":
    for name in BENCHMARKS:
        subprocess.run([sys.executable, "-m", f"tests.bench.{name}"], check=True)
