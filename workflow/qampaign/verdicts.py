"""The words in which a judge speaks."""

VERDICTS = ("right", "wrong", "inexact", "unsupported", "repeated", "not_attempted", "unassessed")
"""What a judge can say of a response."""

LABELS = tuple(verdict for verdict in VERDICTS if verdict != "unassessed")
"""What an assessment can say: everything but that there is none."""
