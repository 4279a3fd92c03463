"""Judges: each turns the responses of a collection into judgments of the same shape."""

from qampaign.judging import assessments, validation

JUDGES = {
    ("answering", "assessments"): assessments.judge,
    ("validation", "assessments"): validation.judge,
}
"""Every judge by the task and the kind that the config gives."""
