"""What a campaign has read from logs with assessments, from its database to values."""

from typing import Any

from tests.helpers.measured_rows import Rows
from tests.helpers.toy_campaign import Campaign


def assessed_rows(campaign: Campaign) -> Rows:
    """Responses and assessments by answer, with answers that nobody assessed as wrong."""
    runs: dict[str, dict[str, Any]] = {}
    for run, question, answer in campaign.rows(
        "SELECT run, question, answer FROM responses ORDER BY run, question, rank"
    ):
        runs.setdefault(run, {}).setdefault(question, []).append(answer)
    says: dict[str, dict[str, str]] = {}
    for question, answer, *word in campaign.rows(
        'SELECT question, answer, verdict, level, "class" FROM assessments'
    ):
        says.setdefault(question, {})[answer] = " ".join(each or "-" for each in word)
    return Rows(runs=runs, says=says, unassessed="wrong")
