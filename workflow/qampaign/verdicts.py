"""The words in which files and judges speak."""

FLAGS = {"true": True, "yes": True, "1": True, "t": True, "y": True}
FLAGS |= {"false": False, "no": False, "0": False, "f": False, "n": False}
"""How true and false may be spelled, in small letters."""

VERDICTS = ("right", "wrong", "inexact", "unsupported", "repeated", "not_attempted", "unassessed")
"""What a judge can say of a response."""

LABELS = tuple(verdict for verdict in VERDICTS if verdict != "unassessed")
"""What an assessment can say: everything but that there is none."""
