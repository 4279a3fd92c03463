"""The published tables and their columns: what people query, whatever a campaign computes.

A table that nothing fills is there all the same, without rows; one that is filled may have more
columns than these.
"""

import polars as pl

TABLES = {
    "collections": "collection title task language note reference primary",
    "runs": "collection run kind team category language",
    "judges": "collection judge kind reference threshold questions",
    "measures": "collection measure label better task citation formula summary options primary",
    "scores": "collection judge measure slice run value questions rank_first rank_last low high "
    "rank_low rank_high missing",
    "counts": "collection judge slice run questions right wrong unanswered withheld_right "
    "withheld_wrong missing unassessed answers right_answers questions_with_right known",
    "questions": "collection judge question slice right_runs best difficulty",
    "reliability": "collection judge run bin confidence accuracy answers",
    "coverage": "collection judge run bar answered accuracy",
    "first_right": "collection judge run rank questions",
    "agreement": "collection judge reference run slice threshold hits misses false_alarms "
    "correct_rejections agreement hit_rate false_alarm_rate precision recall f kappa low high",
    "roc": "collection judge run threshold tp_rate fp_rate precision",
    "recall_bins": "collection judge bin right wrong",
    "thresholds": "collection judge criterion threshold agreement hit_rate false_alarm_rate area",
    "disagreements": "collection judge question text key run rank answer verdict "
    "reference_verdict degree recall precision form matched",
    "causes": "collection judge cause part_of count share",
    "assessors": "collection assessor_a assessor_b slice items agreement kappa low high",
    "disputed": "collection question run rank answer assessors right disagreement "
    "question_disagreement verdicts",
    "correlation": "collection judge_a measure_a judge_b measure_b tau tau_b tau_ap low high runs",
    "misordered": "collection judge measure run_a run_b difference p judge_difference",
    "stability": "collection judge measure size draws scheme trials fuzziness error_rate ties "
    "error_rate_se ties_se undefined",
    "unstable_pairs": "collection judge measure size draws scheme trials fuzziness run_a run_b "
    "a_better b_better equal undefined",
    "swap": "collection judge measure size test trials bin difference comparisons swaps swap_rate "
    "swap_rate_se",
    "sensitivity": "collection judge measure size test confidence absolute_difference "
    "highest_value relative_difference sensitivity lasting_difference undefined",
    "sizes": "collection judge measure size run mean sd undefined",
    "size_tau": "collection judge measure size tau low high undefined",
    "sizes_enough": "collection judge measure bound size",
    "questions_needed": "collection judge measure test difference confidence questions "
    "extrapolated",
    "swap_fits": "collection judge measure test difference size comparisons swap_rate a b fitted "
    "residual",
    "significance": "collection judge measure run_a run_b difference test p p_holm undefined",
    "significant_shares": "collection judge measure test level pairs share",
    "published": "collection source figure item published reconstructed",
    "changes": "collection judge measure run before after rank_before rank_after sources",
    "sources": "collection table path rows bytes sha256",
    "remarks": "collection file column remark count",
    "provenance": "topic name value",
}
"""Every published table with its columns."""

STUDIED = {
    "stability": ("stability", "unstable_pairs"),
    "swap": ("swap", "sensitivity", "questions_needed", "swap_fits"),
    "sizes": ("sizes", "size_tau", "sizes_enough"),
    "significance": ("significance", "significant_shares", "intervals"),
}
"""The tables that each study of a judge's scores gives; intervals go into the scores."""

PROFILES = ("reliability", "coverage", "first_right")
"""The tables that scoring gives besides, for charts of confidence and rank."""

SCORED = ("scores", "counts", "difficulty", "runs", "curves", *PROFILES)
"""The tables that scoring by a judge gives."""

AGREED = ("agreement", "roc", "recall_bins", "thresholds", "disagreements", "causes")
"""The tables that the comparison of a judge with the reference gives."""

CORRELATED = ("correlation", "misordered", "assessors", "disputed")
"""The tables that the comparison of rankings gives, of all judges together."""

NOT_SHOWN = ("unstable_pairs", "swap_fits")
"""The tables that are long, and that the report does without."""

INTERVALS = "collection judge measure slice run low high rank_low rank_high undefined"

WHOLE = """
    questions rank_first rank_last rank_low rank_high rank_before rank_after
    right wrong unanswered withheld_right withheld_wrong missing unassessed answers right_answers
    questions_with_right known right_runs
    hits misses false_alarms correct_rejections count items assessors runs rank rows bytes
    size trials a_better b_better equal undefined comparisons swaps pairs
"""
REAL = """
    value accuracy bar answered low high before after published reconstructed difficulty
    threshold agreement hit_rate false_alarm_rate precision recall f
    kappa degree share disagreement question_disagreement tp_rate fp_rate area
    tau tau_b tau_ap difference p p_holm judge_difference level
    fuzziness error_rate ties error_rate_se ties_se swap_rate swap_rate_se confidence
    absolute_difference highest_value relative_difference sensitivity lasting_difference
    mean sd bound a b fitted residual
"""
TYPES: dict[str, type[pl.DataType]] = {
    **dict.fromkeys(WHOLE.split(), pl.Int64),
    **dict.fromkeys(REAL.split(), pl.Float64),
    **dict.fromkeys(["best", "extrapolated"], pl.Boolean),
}
"""The type of each column that is not text."""

OWN_TYPES: dict[str, dict[str, type[pl.DataType]]] = {
    "swap": {"bin": pl.Int64},
    "reliability": {"bin": pl.Int64},
    "scores": {"missing": pl.Float64},
}
"""Columns that hold something else in some table: text elsewhere, or a number of questions."""


def empty(table: str) -> pl.DataFrame:
    """A published table without rows.

    >>> empty("causes").columns
    ['collection', 'judge', 'cause', 'part_of', 'count', 'share']
    """
    columns = TABLES.get(table, INTERVALS).split()
    types = TYPES | OWN_TYPES.get(table, {})
    return pl.DataFrame(schema={name: types.get(name, pl.String) for name in columns})
