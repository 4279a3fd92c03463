"""What values may be, whether they stand in a file or in the config."""

import math
from collections.abc import Sequence

FLAGS = {"true": True, "yes": True, "1": True, "t": True, "y": True}
FLAGS |= {"false": False, "no": False, "0": False, "f": False, "n": False}
"""How true and false may be spelled, in small letters."""

PLAIN_FLAGS = {word: yes for word, yes in FLAGS.items() if word not in ("t", "f", "y", "n")}
"""Those of them that mean the same as a label, whatever else labels are."""

OUTSIDE = "is outside 0 to 1"

UNPACKED_GB = 4.0
"""How many gigabytes a packed file may stand for unless the config says otherwise."""


def allowed_confidence(measures: Sequence[str]) -> str:
    """What a confidence has to be for measures that take it for a probability, for messages.

    >>> print(allowed_confidence(["brier"]).split(";")[0])
    a number from 0 to 1, which brier needs
    """
    need = "needs" if len(measures) == 1 else "need"
    allowed = f"a number from 0 to 1, which {' and '.join(measures)} {need}"
    return f"{allowed}; others can be mapped in the config: confidence: {{map: minmax}}"


def as_number(level: str) -> float | None:
    """The number that a level is, if it is one.

    >>> as_number("0.5"), as_number("S"), as_number("nan")
    (0.5, None, None)
    """
    try:
        number = float(level)
    except ValueError:
        return None
    return number if math.isfinite(number) else None
