"""The studies are tried on the generated collections of the measures' tests, too."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "measures"))
