"""The result tables: what people query, whatever a campaign computes, each declared once.

Publishing, the CSV files and the page docs/tables.md follow from the declarations. A table that
nothing fills is there all the same, without rows.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

Schema = dict[str, type[pl.DataType]]

Row = Mapping[str, Any]
"""A row of a table, by its columns."""


@dataclass(frozen=True)
class ResultColumn:
    """A column of a result table."""

    name: str
    dtype: type[pl.DataType]
    description: str
    only: str = ""
    """When the table has it, unless always."""
    quotes: bool = False
    """Whether it holds texts of answers or keys: with `open: false` the report does without."""
    averaged: bool = False
    """Whether its whole numbers are means over samples, where a collection has samples."""


@dataclass(frozen=True)
class ResultTable:
    """A result table: what a row is, and its columns in their order."""

    row: str
    columns: tuple[ResultColumn, ...]
    is_open: bool = False
    """Whether it may have further columns, which files name."""
    is_long: bool = False
    """Whether it has a row per answer: it has no CSV, and is never held in memory as a whole."""

    @property
    def names(self) -> list[str]:
        """The columns that are declared, also those that it does not always have."""
        return [column.name for column in self.columns]

    @property
    def schema(self) -> Schema:
        """The type of each of its columns, also of those that it does not always have."""
        return {column.name: column.dtype for column in self.columns}


def text(name: str, description: str, *, only: str = "") -> ResultColumn:
    """A column of text."""
    return ResultColumn(name, pl.String, description, only)


def quoted(name: str, description: str) -> ResultColumn:
    """A column of text from an answer or a key."""
    return ResultColumn(name, pl.String, description, quotes=True)


def whole(name: str, description: str, *, only: str = "") -> ResultColumn:
    """A column of whole numbers."""
    return ResultColumn(name, pl.Int64, description, only)


def tally(name: str, description: str, *, only: str = "") -> ResultColumn:
    """A column of whole numbers, or of means over samples where there are samples."""
    return ResultColumn(name, pl.Int64, description, only, averaged=True)


def real(name: str, description: str, *, only: str = "") -> ResultColumn:
    """A column of numbers."""
    return ResultColumn(name, pl.Float64, description, only)


def flag(name: str, description: str, *, only: str = "") -> ResultColumn:
    """A column of true and false."""
    return ResultColumn(name, pl.Boolean, description, only)


COLLECTION = text("collection", "the collection")
JUDGE = text("judge", "the judge whose verdicts it rests on")
MEASURE = text("measure", "the measure, by its name in the config")
RUN = text("run", "the run")
QUESTION = text("question", "the question")
SLICE = text("slice", "`all` questions, or those of a type")
RUN_A = text("run_a", "the first run of a pair")
RUN_B = text("run_b", "the second run")
DIFFERENCE = real("difference", "the value of run_a minus that of run_b, by the reference")
SIZE = whole("size", "the number of units drawn: questions, or groups")
UNIT = text("unit", "what was drawn: each `question`, or each `group` of questions as a whole")
TOO_FEW = text(
    "too_few",
    "what there are too few of to say anything: `runs`, `questions`, `groups`, or `differences` "
    "(no two runs differ); NULL: nothing",
)
TEST = text("test", "what counts as a swap: `opposite` or `strict`")
DRAWS = text("draws", "`shared` by all pairs, or `independent` for each pair")
SCHEME = text("scheme", "`subset` or `partition` of the questions")
TRIALS = whole("trials", "the number of trials")
FUZZINESS = real("fuzziness", "values that differ by less than this share are a tie")
UNDEFINED = whole("undefined", "trials without a value")
KEYS = (COLLECTION, JUDGE, MEASURE)


def interval(of: str) -> tuple[ResultColumn, ResultColumn]:
    """The columns low and high: the ends of a 95% interval."""
    return real("low", f"lower end of the 95% interval of {of}"), real("high", "its upper end")


AGREEMENT_COUNTS = (
    whole("hits", "right by the reference, accepted by the judge"),
    whole("misses", "right, not accepted"),
    whole("false_alarms", "wrong, accepted"),
    whole("correct_rejections", "wrong, not accepted"),
)
AGREEMENT_RATES = (
    real("agreement", "of the responses that both have judged, the share on which they agree"),
    real("hit_rate", "hits / (hits + misses)"),
    real("false_alarm_rate", "false_alarms / (false_alarms + correct_rejections)"),
    real("precision", "hits / (hits + false_alarms)"),
    real("recall", "the same as hit_rate"),
    real("f", "the harmonic mean of precision and recall"),
    real("kappa", "Cohen's kappa"),
    *interval("kappa, by questions or their groups; at more than 20 thresholds NULL"),
)
COMPARED = "in campaigns with two judges or more"
COSTED = "where files say so"
WEIGHTED = "where questions have weights that differ"
VALIDATED = "in campaigns with items to validate"
SAMPLED = "in campaigns with samples"


def _only(when: str, *columns: ResultColumn) -> tuple[ResultColumn, ...]:
    """Columns that a table does not always have."""
    return tuple(replace(column, only=when) for column in columns)


RANGES = (
    whole("rank_low", "1 + the runs that are surely better: all ranges hold together, at 95%"),
    whole("rank_high", "all ranked runs less those that are surely worse"),
    whole("own_rank_low", "the same for this run alone, whatever the ranges of others"),
    whole("own_rank_high", "the same for this run alone"),
    flag("leading", "whether no run is surely better: rank_low is 1"),
)

RESULT_TABLES: dict[str, ResultTable] = {
    "collections": ResultTable(
        "a collection",
        (
            COLLECTION,
            text("title", "its title in the report"),
            text("task", "`answering` or `validation`"),
            text("language", "the language of its questions"),
            text("note", "what the config notes about it"),
            text("reference", "the judge that the others are compared with"),
            text("primary", "the measure that ranks"),
            text("unit", "what is drawn: `group`s where questions have some, or each `question`"),
        ),
    ),
    "runs": ResultTable(
        "a run, baseline or what-if run",
        (
            COLLECTION,
            RUN,
            text("kind", "`submitted`, `baseline` or `derived`"),
            text("team", "who submitted it"),
            text("category", "what kind of system it is"),
            text("language", "the language that it answers in"),
            real("cost", "what it cost in all", only=COSTED),
            real("seconds", "the seconds that it took in all", only=COSTED),
            real("tokens", "the tokens that it took in all", only=COSTED),
        ),
        is_open=True,
    ),
    "costs": ResultTable(
        "a ranked run by what it took and its value, by the reference and the primary measure",
        (
            COLLECTION,
            JUDGE,
            MEASURE,
            text("resource", "`cost`, `seconds` or `tokens`"),
            RUN,
            real("amount", "how much of it the run took; NULL: no file says so"),
            real("value", "its value over all questions"),
            flag(
                "front",
                "whether no other run is as good for less, or better for as much; NULL without an "
                "amount",
            ),
        ),
    ),
    "judges": ResultTable(
        "a judge of a collection",
        (
            COLLECTION,
            text("judge", "its name"),
            text("kind", "its kind, such as `assessments` or `key`"),
            flag("reference", "whether the others are compared with it"),
            real("threshold", "what its degree must exceed, if it has one"),
            whole("questions", "the number of questions that it judges"),
        ),
    ),
    "measures": ResultTable(
        "a measure of a collection",
        (
            COLLECTION,
            text("measure", "its name in the config"),
            text("label", "what the report calls it"),
            text("better", "`high`, `low`, or `none`: high values rank first, none is the best"),
            text("task", "the task that it is for"),
            text("citation", "where it was published"),
            text("formula", "its formula"),
            text("summary", "what it is, in a sentence"),
            text("options", "its options, as JSON"),
            text(
                "test",
                "how differences are tested: by `exchange`; as a `ratio`, an exchange if all runs "
                "divide by the same; by an exchange that is `widened`; or `none`",
            ),
            flag("primary", "whether it ranks the runs"),
        ),
    ),
    "scores": ResultTable(
        "a run's value by a measure",
        (
            *KEYS,
            SLICE,
            RUN,
            real("value", "the value; NULL where the formula has none"),
            whole("questions", "the number of questions"),
            whole("rank_first", "its rank; equal values share a range of ranks"),
            whole("rank_last", "the last rank of that range; NULL for what is not ranked"),
            *interval("the value"),
            *RANGES,
            real("missing", "the share of the questions that the run has no row for"),
            real(
                "if_wrong",
                "with `unassessed: bounds`, the value if all answers that nobody has judged are "
                "wrong; NULL otherwise, and for measures that go by levels or classes",
            ),
            real("if_right", "likewise, the value if all of them are right"),
        ),
    ),
    "counts": ResultTable(
        "what a run did",
        (
            COLLECTION,
            JUDGE,
            SLICE,
            RUN,
            whole("questions", "the number of questions: right + wrong + unanswered"),
            tally("right", "questions whose first answer is correct"),
            tally(
                "wrong", "questions whose first answer is not, or without a row if that is wrong"
            ),
            tally(
                "unanswered",
                "questions without an answer: the sum of the next five columns, less missing where "
                "the config says `missing: wrong`",
            ),
            tally("missing", "questions that it has no row for"),
            tally("empty", "questions whose first answer is empty"),
            tally("not_attempted", "first answers that the judge considers refusals"),
            tally("withheld_right", "first answers that are withheld and correct"),
            tally("withheld_wrong", "first answers that are withheld and not correct"),
            tally("unassessed", "answers at any rank without a verdict, counted as wrong"),
            tally("answers", "answers at any rank"),
            tally("right_answers", "correct answers at any rank"),
            tally("questions_with_right", "questions with a correct answer at any rank"),
            tally("known", "distinct known answers to the questions"),
            *_only(
                VALIDATED,
                tally("tp", "right items that it accepts"),
                tally("fp", "wrong items that it accepts"),
                tally("fn", "right items that it does not accept: rejected, or unanswered"),
                tally("tn", "wrong items that it does not accept: rejected, or unanswered"),
            ),
        ),
    ),
    "questions": ResultTable(
        "a question",
        (
            COLLECTION,
            JUDGE,
            QUESTION,
            text("slice", "its type; `all` where it has none"),
            text("group", "the group that it belongs to; NULL: none"),
            tally("right_runs", "ranked runs with a correct answer at a rank that counts"),
            flag("best", "whether there is such a run"),
            real("difficulty", "the share of the ranked runs without one"),
            real(
                "item_rest",
                "the correlation, over ranked runs, of being right here and on all other questions;"
                " NULL where either is constant, or with fewer than 3 runs",
            ),
            text("type", "its type; NULL: none"),
            text("text", "what was asked"),
            quoted(
                "key",
                "what is accepted: the key or the patterns that the judge has, else the answers "
                "that it calls correct, with ` | ` between them; NULL: nothing",
            ),
            quoted(
                "keys",
                "the keys of the question, whatever the judge, each as it was given: a list in "
                "JSON; NULL: none",
            ),
            real("weight", "what it counts for, 1 on average", only=WEIGHTED),
        ),
    ),
    "answers": ResultTable(
        "an answer of a run, by a judge",
        (
            COLLECTION,
            JUDGE,
            RUN,
            QUESTION,
            text("sample", "the sample, where a run answers a question several times"),
            whole("rank", "the rank of the answer"),
            quoted("answer", "the answer; NULL: empty"),
            flag("answered", "whether it was given; false: empty, or withheld"),
            real("confidence", "how sure the run is; for an item to validate, its score"),
            text("verdict", "what the judge says"),
            flag("correct", "whether it was given and its verdict counts as correct"),
            text("level", "its level"),
            quoted("class", "its class: equivalent answers share one; a form of the key, by a key"),
            real("degree", "what the judge compares with its threshold, if it has one"),
            quoted("matched", "the words of the key, or the pattern, that the judge found in it"),
            flag("unassessed", "whether the judge has no verdict on it"),
        ),
        is_long=True,
    ),
    "samples": ResultTable(
        "a run whose answers come in samples, by a measure that is a mean over questions",
        (
            *KEYS,
            RUN,
            whole("questions", "questions that the run has a row for; the others are left out"),
            whole("repeated", "those of them with more than one sample"),
            real("samples", "samples of a question: their harmonic mean over these questions"),
            real(
                "between",
                "the variance between the questions' own values, not biased, so that it can be "
                "below 0; NULL for one question, or where each has one sample",
            ),
            real(
                "within",
                "the variance between the samples of a question; (between + within / samples) / "
                "questions is that of the value over these questions; NULL where each has one "
                "sample",
            ),
        ),
    ),
    "suspects": ResultTable(
        "an answer to a question that better runs fail more often, so that its key is suspect",
        (
            COLLECTION,
            JUDGE,
            QUESTION,
            real("item_rest", "as in `questions`: below what one question in twenty has by chance"),
            real("right_runs", "ranked runs that are right"),
            text("text", "what was asked"),
            quoted("key", "the answers that the judge accepts"),
            quoted("answer", "a first answer of ranked runs, the most frequent ones first"),
            text("verdict", "what the judge says of it"),
            whole("runs", "ranked runs that gave it"),
        ),
    ),
    "reliability": ResultTable(
        "a run at a bin of confidence",
        (
            COLLECTION,
            JUDGE,
            RUN,
            whole("bin", "0 to 9, of equal width"),
            real("confidence", "the mean confidence of the answers in it"),
            real("accuracy", "the share of them that is correct"),
            tally("answers", "their number"),
        ),
    ),
    "coverage": ResultTable(
        "a run at a bar that its confidence must reach",
        (
            COLLECTION,
            JUDGE,
            RUN,
            real("bar", "the lowest confidence; NULL also admits answers without one"),
            real("answered", "the share of all questions that are answered then"),
            real("accuracy", "the share of those answers that is correct"),
        ),
    ),
    "price": ResultTable(
        "a run at a price of an error; no rows where every question is answered",
        (
            COLLECTION,
            JUDGE,
            RUN,
            real("t", "the confidence target: an error costs t / (1 − t)"),
            real("value", "its value by `confidence_target` with this t, over all questions"),
            real("c_at_1", "its c@1, whatever the price"),
        ),
    ),
    "price_leaders": ResultTable(
        "a ranked run that no other is ahead of, between two prices of an error",
        (
            COLLECTION,
            JUDGE,
            real("t_from", "the confidence target from which it leads"),
            real("t_to", "the one up to which it leads; at both, others can be level with it"),
            RUN,
        ),
    ),
    "first_right": ResultTable(
        "a run at a rank",
        (
            COLLECTION,
            JUDGE,
            RUN,
            whole("rank", "the rank; NULL for questions without a correct answer"),
            tally("questions", "questions whose first correct answer has it"),
        ),
    ),
    "agreement": ResultTable(
        "a judge and the reference, over responses that both have a verdict on, apart from what "
        "both call not attempted",
        (
            COLLECTION,
            text("judge", "the judge"),
            text("reference", "the reference"),
            text("run", "the run, or `all`"),
            SLICE,
            real("threshold", "the threshold of the degree; NULL: by the judge's own verdicts"),
            *AGREEMENT_COUNTS,
            *AGREEMENT_RATES,
            real(
                "hit_rate_sd", "in rows of all runs: the standard deviation over runs of hit_rate"
            ),
            real("false_alarm_rate_sd", "the same of false_alarm_rate"),
            real(
                "p_homogeneous",
                "in the row of all runs and types by the judge's own verdicts: how probable rates "
                "as different are if all runs share both; NULL with one run or below 12 units",
            ),
            real(
                "reversed_pairs",
                "in rows of all runs by the judge's own verdicts: of the pairs of runs whose "
                "shares of right responses differ by the reference, the share that the judge's "
                "errors turn round",
            ),
            real(
                "shift",
                "in rows of a run: by how much more the judge's errors raise its share of right "
                "responses than they do for the mean run; above 0 it is favoured",
            ),
        ),
    ),
    "roc": ResultTable(
        "a point of a ROC curve: of a judge's degrees (run `all`), or of a run's scores",
        (
            COLLECTION,
            JUDGE,
            text("run", "the run, or `all` for the judge's own curve"),
            real("threshold", "what is greater is accepted; NULL: everything is"),
            real("tp_rate", "the share of what is right that is accepted"),
            real("fp_rate", "the share of what is wrong that is accepted"),
            real("precision", "the share of what is accepted that is right"),
            tally("tp", "right and accepted"),
            tally("fp", "wrong and accepted"),
        ),
    ),
    "judge_weights": ResultTable(
        "a feature of a judge that learns, with its weight",
        (
            COLLECTION,
            text("judge", "the judge"),
            text("feature", "the feature, from 0 to 1; `intercept`: where all of them are 0"),
            real(
                "weight",
                "by how much the logarithm of the odds that an answer is right rises as the "
                "feature goes from 0 to 1 and all others stay, learned from all labels",
            ),
            real("weight_low", "the lowest weight among the models that leave out some questions"),
            real("weight_high", "the highest one; NULL where there is one model alone"),
            text("meaning", "what the feature is"),
            whole("answers", "different labelled answers that the weights were learned from"),
            whole("units", "the questions, or groups of questions, that these are of"),
        ),
    ),
    "recall_bins": ResultTable(
        "responses with a similar share of the key's words",
        (
            COLLECTION,
            JUDGE,
            text("bin", "the range of the recall: `0`, `(0,.25]`, … `1`"),
            whole("right", "responses in it that are right by the reference"),
            whole("wrong", "responses in it that are wrong"),
            *_only(
                COMPARED,
                real("right_share", "their share of all right responses"),
                real("wrong_share", "their share of all wrong responses"),
            ),
        ),
    ),
    "thresholds": ResultTable(
        "a recommended threshold for a judge",
        (
            COLLECTION,
            JUDGE,
            text("criterion", "what it is best at"),
            real("threshold", "the threshold"),
            *_only(COMPARED, *AGREEMENT_COUNTS),
            *AGREEMENT_RATES[:3],
            *_only(COMPARED, *AGREEMENT_RATES[3:]),
            real("area", "the area under the ROC curve of the judge's degrees"),
            real("tau", "tau with the reference of the ranking by right first answers"),
            real(
                "cross_fitted_agreement",
                "the agreement if the threshold is chosen on other questions, or groups: what to "
                "expect of it; null where there are no others",
            ),
            real("cross_fitted_tau", "tau likewise"),
        ),
    ),
    "disagreements": ResultTable(
        "an example of a response on which judge and reference differ",
        (
            COLLECTION,
            JUDGE,
            QUESTION,
            text("text", "what was asked"),
            quoted("key", "the accepted answers, if the judge has a key"),
            RUN,
            *_only(SAMPLED, text("sample", "the sample that the answer is of")),
            whole("rank", "the rank of the answer"),
            quoted("answer", "the answer"),
            text("verdict", "what the judge says"),
            text("reference_verdict", "what the reference says"),
            real("degree", "the judge's degree"),
            real("recall", "the share of the key's words in the answer"),
            real("precision", "the share of the answer's words in the key"),
            quoted("form", "the form of the key that fits best"),
            quoted("matched", "the words of the key that the judge found"),
        ),
    ),
    "causes": ResultTable(
        "a cause of disagreement, as people gave it",
        (
            COLLECTION,
            JUDGE,
            text("cause", "the cause; NULL: not given yet"),
            text("part_of", "the cause that it is a part of"),
            whole("count", "how often it was given"),
            real("share", "its share of all cases"),
        ),
    ),
    "assessors": ResultTable(
        "two assessors, or all (`all`, `all`)",
        (
            COLLECTION,
            text("assessor_a", "the first assessor"),
            text("assessor_b", "the second assessor"),
            SLICE,
            whole("items", "what both have judged; in the row of all, what at least two have"),
            real("agreement", "the share on which they agree; of all, the mean of two at a time"),
            real("kappa", "Cohen's kappa; Krippendorff's alpha in the row of all"),
            *interval("kappa, by questions or their groups"),
            real(
                "weighted_kappa",
                "kappa by levels, weighted by the squared difference of gains; "
                "in the row of all, the mean over pairs; NULL without levels",
            ),
            real(
                "fleiss_kappa",
                "Fleiss' kappa; NULL unless every item has as many judgments, and for pairs",
            ),
            real("unanimous", "the share of items on which all agree; NULL for pairs"),
        ),
    ),
    "disputed": ResultTable(
        "an answer or item that assessors disagree on",
        (
            COLLECTION,
            QUESTION,
            text("run", "the run, if its answer was judged by rank"),
            *_only(SAMPLED, text("sample", "the sample that the answer is of")),
            whole("rank", "the rank of that answer"),
            quoted("answer", "the answer"),
            whole("assessors", "how many judged it"),
            whole("right", "how many of them call it correct"),
            real("disagreement", "the share of pairs of assessors who differ"),
            real("question_disagreement", "its mean over the answers to the question"),
            text("verdicts", "who said what"),
        ),
    ),
    "corrected": ResultTable(
        "a run's value by a judge, corrected by labels on a random part",
        (
            COLLECTION,
            text("judge", "the judge that is corrected"),
            text("corrected_by", "the judge by whose labels"),
            MEASURE,
            RUN,
            real("raw", "the value by the judge alone"),
            real("raw_low", "lower end of its 95% interval, which knows nothing of the error"),
            real("raw_high", "its upper end"),
            real(
                "corrected",
                "the corrected value; NULL for measures that need an order of the questions or "
                "whole groups, averages by type and composites, and for runs with fewer than 30 "
                "labelled units",
            ),
            *interval("the corrected value"),
            real("people", "the value by the labels alone, over what is labelled"),
            real("people_low", "lower end of the 95% interval of that value"),
            real("people_high", "its upper end"),
            whole("labelled", "the units (questions, or groups) with labels"),
            text(
                "sampling",
                "what counts as drawn at random: `questions`, `answers`, or answers by their "
                "`probability`",
            ),
            real("sensitivity", "for accuracy: the share of right answers that the judge accepts"),
            real("specificity", "for accuracy: the share of the rest that it does not accept"),
            real("youden", "for accuracy: sensitivity + specificity - 1, Youden's J"),
            real(
                "rogan_gladen",
                "for accuracy: (raw + specificity - 1) / J; NULL where J is not above 0",
            ),
        ),
    ),
    "corrected_comparisons": ResultTable(
        "two runs by a judge, corrected by labels on a random part",
        (
            COLLECTION,
            text("judge", "the judge that is corrected"),
            text("corrected_by", "the judge by whose labels"),
            MEASURE,
            RUN_A,
            RUN_B,
            real("difference", "the corrected value of run_a minus that of run_b"),
            *interval("the difference, for this pair alone"),
            whole("labelled", "the units with labels, of the run that has fewer"),
            real("youden_difference", "for accuracy: Youden's J for run_a minus that for run_b"),
            real("youden_low", "where its 95% interval begins, for this pair alone"),
            real("youden_high", "where it ends"),
        ),
    ),
    "self_agreement": ResultTable(
        "a judge that has judged the same answers several times",
        (
            COLLECTION,
            text("judge", "the judge, with a column `trial` in its files"),
            whole("answers", "the answers with two trials or more"),
            real("trials", "the mean number of trials of each"),
            whole("pairs", "the pairs of trials on the same answer"),
            real("agreement", "the share of these pairs with the same verdict"),
            *interval("the agreement, by questions or their groups"),
            real("unanimous", "the share of the answers on which all trials agree"),
        ),
    ),
    "correlation": ResultTable(
        "two rankings of the runs",
        (
            COLLECTION,
            text("judge_a", "the judge of the first ranking, mostly the reference"),
            text("measure_a", "its measure"),
            text("judge_b", "the judge of the second ranking"),
            text("measure_b", "its measure"),
            real("tau", "Kendall's tau: a pair tied by either counts as 0, so that ties lower it"),
            real("tau_b", "Kendall's tau-b, the one to read with ties: equal rankings have 1"),
            real("tau_ap", "tau_ap, the first ranking being the true one; ties lower it, too"),
            *interval("tau over questions or their groups, NULL below 12 of them"),
            whole("runs", "runs that both rank"),
        ),
    ),
    "misordered": ResultTable(
        "two runs of `comparisons` that a judge orders wrongly, although their order is sure by "
        "the reference",
        (
            *KEYS,
            text("run_a", "the better run by the reference"),
            RUN_B,
            DIFFERENCE,
            real("p", "p_adjusted of the two in `comparisons`, at most 0.05; without it no rows"),
            real("judge_difference", "the difference by the judge"),
        ),
    ),
    "stability": ResultTable(
        "a fuzziness: how often other questions reverse the order of two runs",
        (
            *KEYS,
            SIZE,
            UNIT,
            DRAWS,
            SCHEME,
            TRIALS,
            FUZZINESS,
            real("error_rate", "the share of comparisons that the less frequent winner won"),
            real("ties", "the share of comparisons that are ties"),
            real("error_rate_se", "the Monte-Carlo error of error_rate"),
            real("ties_se", "the Monte-Carlo error of ties"),
            UNDEFINED,
            TOO_FEW,
        ),
    ),
    "unstable_pairs": ResultTable(
        "two runs of which neither always wins",
        (
            *KEYS,
            SIZE,
            UNIT,
            DRAWS,
            SCHEME,
            TRIALS,
            FUZZINESS,
            RUN_A,
            RUN_B,
            whole("a_better", "trials that run_a wins"),
            whole("b_better", "trials that run_b wins"),
            whole("equal", "ties"),
            UNDEFINED,
        ),
    ),
    "swap": ResultTable(
        "a bin of differences: how often other questions reverse them",
        (
            *KEYS,
            SIZE,
            UNIT,
            TEST,
            TRIALS,
            whole("bin", "the bin, from 0"),
            real("difference", "its lower edge"),
            whole("comparisons", "pairs of runs whose difference falls into it"),
            whole("swaps", "those that a second set of questions orders otherwise"),
            real("swap_rate", "swaps / comparisons; NULL without comparisons"),
            real("swap_rate_se", "its Monte-Carlo error"),
            whole("apart", "comparisons with a difference other than 0"),
            whole("reversed", "those of them that the second set orders the other way round"),
            whole("level", "those of them that have no difference on the second set"),
        ),
    ),
    "sensitivity": ResultTable(
        "a confidence: the difference that other questions confirm",
        (
            *KEYS,
            SIZE,
            UNIT,
            TEST,
            real("confidence", "1 minus the swap rate that is tolerated"),
            real("absolute_difference", "the first bin that passes; NULL: more than the last bin"),
            real("highest_value", "the highest value of any run in any trial"),
            real("relative_difference", "absolute_difference / highest_value"),
            real("sensitivity", "the share of comparisons with at least that difference"),
            real(
                "lasting_difference",
                "the first bin that passes, as all comparisons from there on do together, while no "
                "larger bin fails by more than two standard errors; bins with too few comparisons "
                "to tell (below 76 for a confidence of 0.95) count as one; NULL: none",
            ),
            real(
                "lasting_sensitivity",
                "the share of comparisons with at least that difference, and not 0",
            ),
            UNDEFINED,
            TOO_FEW,
        ),
    ),
    "sizes": ResultTable(
        "a run at a number of questions",
        (
            *KEYS,
            SIZE,
            UNIT,
            RUN,
            real("mean", "the mean of its value over random sets of questions"),
            real("sd", "the standard deviation"),
            UNDEFINED,
        ),
    ),
    "size_tau": ResultTable(
        "a number of questions: how near its rankings come to that of the full collection",
        (
            *KEYS,
            SIZE,
            UNIT,
            real("tau", "the mean of Kendall's tau over the trials"),
            real(
                "low",
                "below it are 2.5% of the trials; NULL at the full size, where each draw, without "
                "replacement, is the same set",
            ),
            real("high", "above it are 2.5%"),
            UNDEFINED,
        ),
    ),
    "sizes_enough": ResultTable(
        "a measure: how many questions are enough",
        (
            *KEYS,
            UNIT,
            real("bound", "the tau to be reached"),
            whole("size", "the smallest size from which tau stays there; NULL: none"),
            TOO_FEW,
        ),
    ),
    "questions_needed": ResultTable(
        "a difference: how many questions would confirm it",
        (
            *KEYS,
            UNIT,
            TEST,
            real("difference", "the lower edge of a bin of differences"),
            real("confidence", "1 minus the swap rate that is tolerated"),
            whole(
                "questions",
                "the number of questions for a difference in the middle of the bin (at its edge if "
                "it is the last, which is open); NULL if the model predicts worse than the "
                "exponential, or if no number is enough",
            ),
            flag("extrapolated", "whether that is more than half of the collection"),
            text("model", "what extrapolates: `normal` (abilities)"),
            real(
                "holdout_error",
                "by how much the model, fitted to small sizes, misses the rates at up to four "
                "times the size",
            ),
            real(
                "holdout_error_exponential",
                "the same for the exponential of Voorhees & Buckley; NULL: it predicts nothing",
            ),
            TOO_FEW,
        ),
    ),
    "swap_fits": ResultTable(
        "a swap rate, the curve a · exp(−b · size) fitted to it, and the model of normal abilities",
        (
            *KEYS,
            UNIT,
            TEST,
            real("difference", "the lower edge of a bin of differences"),
            SIZE,
            whole("comparisons", "comparisons in the bin"),
            real("swap_rate", "the rate that was found"),
            real("a", "a of the curve"),
            real("b", "b of the curve"),
            real("fitted", "the rate by the curve"),
            real("residual", "swap_rate less fitted"),
            real("halved_rate", "(reversed + level / 2) / apart: what the model is fitted to"),
            real("sigma", "of the model: how the difference of two runs varies by unit"),
            real("tau", "of the model: how the true differences of runs vary"),
            real("normal", "the rate by the model, in the middle of the bin"),
        ),
    ),
    "comparisons": ResultTable(
        "two runs under a measure, tested together with all pairs of a family; of more than 200 "
        "ranked runs, neighbours in rank",
        (
            *KEYS,
            SLICE,
            RUN_A,
            RUN_B,
            text("family", "`all` pairs of ranked runs, or those that were `planned`"),
            real("difference", "the value of run_a minus that of run_b"),
            *interval("the difference of these two runs alone"),
            real("simultaneous_low", "lower end of the interval that holds for the whole family"),
            real("simultaneous_high", "upper end of it"),
            real("p", "the p-value of these two runs alone, by exchanging their answers"),
            real("p_adjusted", "the p-value among all pairs of the family"),
            real(
                "p_error", "the Monte Carlo error of p_adjusted; 0 where every exchange was taken"
            ),
            whole("won", "questions on which run_a is better"),
            whole("lost", "questions on which run_b is better"),
            whole("tied", "questions on which they are equal"),
            whole("units", "what was drawn: groups of questions, or questions"),
            real("sd", "√units times the standard error of the difference"),
            real(
                "detectable",
                "2.80 standard errors: what is seen with 80% power if many units differ",
            ),
            real("visible", "the difference that is seen with 80% power at this size, if any is"),
            whole("questions_needed", "the questions that show this difference with 80% power"),
            real("margin", "the margin of equivalence that was planned"),
            flag("equivalent", "whether the simultaneous interval lies within the margin"),
        ),
    ),
    "significance": ResultTable(
        "two runs under a test",
        (
            *KEYS,
            RUN_A,
            RUN_B,
            real("difference", "the value of run_a minus that of run_b"),
            text("test", "`sign`, `bootstrap` or `randomisation`"),
            real("p", "the p-value"),
            real("p_holm", "the p-value corrected for the number of pairs (Holm)"),
            whole("undefined", "resamples without a value"),
        ),
    ),
    "significant_shares": ResultTable(
        "a test at a level",
        (
            *KEYS,
            text("test", "the test"),
            real("level", "the level, such as 0.05"),
            whole("pairs", "pairs of runs"),
            real("share", "the share of them that differ at that level"),
        ),
    ),
    "published": ResultTable(
        "a figure that was published elsewhere",
        (
            COLLECTION,
            text("source", "where it was published"),
            text("figure", "the table and column here that have it"),
            text("item", "what it is a figure of"),
            real("published", "the figure"),
            real("reconstructed", "what came out here"),
        ),
    ),
    "changes": ResultTable(
        "a value or rank that changed since the last results of the collection with other inputs",
        (
            *KEYS,
            RUN,
            real("before", "the value before"),
            real("after", "the value now"),
            whole("rank_before", "the rank before"),
            whole("rank_after", "the rank now"),
            text("sources", "the input files that changed"),
        ),
    ),
    "history": ResultTable(
        "a ranked run at a publication whose inputs changed values: by the reference and the "
        "measure that ranks, over all questions; of the last 1,000 such publications",
        (
            COLLECTION,
            whole("publication", "its number, from 1; nothing is kept until something changes"),
            text("time", "when it was published"),
            *KEYS[1:],
            RUN,
            real("value", "the value"),
            whole("rank_first", "the rank"),
            flag("leader", "whether it was first, alone or with others"),
            text("sources", "the input files that had changed; NULL: what was there before"),
        ),
    ),
    "sources": ResultTable(
        "an input file",
        (
            COLLECTION,
            text("table", "the input table that it fills"),
            text("path", "its path"),
            whole("rows", "the number of its rows"),
            whole("bytes", "its size"),
            text("sha256", "its hash"),
        ),
    ),
    "remarks": ResultTable(
        "something in the input that is no fault, but worth a look",
        (
            COLLECTION,
            text("file", "the file, if it is about one alone"),
            text("column", "the column"),
            text("remark", "what it is"),
            whole("count", "the number of rows"),
        ),
    ),
    "gate": ResultTable(
        "a condition that the config sets, in a collection",
        (
            text("condition", "the condition, as the config has it"),
            text("collection", "the collection; NULL: all of them"),
            flag("holds", "whether it holds; without a value it does not"),
            real("value", "the value, the agreement, or by how much the run is better"),
            real("bound", "what it is compared with"),
            text("detail", "the interval, the p-value among the planned comparisons, or a count"),
        ),
    ),
    "overall": ResultTable(
        "a submitted run over several collections, where the config asks for it; the comparisons "
        "of these runs have the collection `overall`",
        (
            text("measure", "the measure that counts in every collection; `primary`: each its own"),
            RUN,
            real("value", "the mean of its values in the collections; NULL unless it has them all"),
            *interval("the value"),
            whole("rank_first", "its rank; runs of equal value share a range"),
            whole("rank_last", "the last rank of that range; NULL for what is not ranked"),
            whole(
                "rank_low", "1 + the runs that are surely better: all ranges hold together, at 95%"
            ),
            whole("rank_high", "all ranked runs less those that are surely worse"),
            flag("leading", "whether no run is surely better: rank_low is 1"),
            whole("collections", "the number of collections in which it has a value"),
            real(
                "mean_rank",
                "the mean over collections of its rank among the runs that have them all; equal "
                "runs share the mean of their ranks",
            ),
            real(
                "win_rate",
                "the mean over collections of the share of the other such runs that it beats; "
                "equal ones count half",
            ),
        ),
    ),
    "provenance": ResultTable(
        "something that the results were made from or by",
        (
            text("topic", "`time`, `seed`, `version`, `source`, `config` or `seconds`"),
            text("name", "what it is"),
            text("value", "the time, number, hash, text or seconds"),
        ),
    ),
}
"""Every published table with its columns."""

INTERVALS = ResultTable(
    "a run's value by a measure on resampled questions",
    (
        *KEYS,
        SLICE,
        RUN,
        *interval("the value"),
        *RANGES,
        whole("undefined", "draws without a value"),
    ),
)
"""What the study of significance gives for the scores; not published by itself."""

STUDIED = {
    "stability": ("stability", "unstable_pairs"),
    "swap": ("swap", "sensitivity", "questions_needed", "swap_fits"),
    "sizes": ("sizes", "size_tau", "sizes_enough"),
    "significance": ("significance", "significant_shares", "comparisons", "intervals"),
}
"""The tables that each study of a judge's scores gives; intervals go into the scores."""

CHARTED = ("reliability", "coverage", "price", "price_leaders", "first_right")
"""The tables that scoring gives besides, for charts of confidence, silence and rank."""

JUDGED = ("remarks", "judge_weights")
"""The tables that judging gives, beside the judgments."""

SCORED = ("scores", "counts", "difficulty", "suspects", "runs", "curves", "samples", *CHARTED)
"""The tables that scoring by a judge gives."""

AGREED = ("agreement", "roc", "recall_bins", "thresholds", "disagreements", "causes")
"""The tables that the comparison of a judge with the reference gives."""

CORRECTED = ("corrected", "corrected_comparisons")
"""The tables that the correction of a judge by another one gives."""

CORRELATED = ("correlation", "misordered", "assessors", "disputed", "self_agreement")
"""The tables that the comparison of rankings gives, of all judges together."""

NOT_SHOWN = ("unstable_pairs", "swap_fits")
"""The tables that are long, and that the report does without."""


LONG = tuple(name for name, table in RESULT_TABLES.items() if table.is_long)
"""The tables with a row per answer."""


def _declared(table: str) -> ResultTable:
    return INTERVALS if table == "intervals" else RESULT_TABLES[table]


def schema_of(table: str, *left_out: str) -> Schema:
    """The types of a table's columns, less some: a job does not know its collection, say."""
    schema = _declared(table).schema
    return {name: dtype for name, dtype in schema.items() if name not in left_out}


def empty(table: str) -> pl.DataFrame:
    """A published table without rows.

    >>> empty("causes").columns
    ['collection', 'judge', 'cause', 'part_of', 'count', 'share']
    """
    columns = [column for column in _declared(table).columns if not column.only]
    return pl.DataFrame(schema={column.name: column.dtype for column in columns})


def conform(tables: Mapping[str, pl.DataFrame]) -> dict[str, pl.DataFrame]:
    """All published tables as they are declared, those that nothing filled too.

    A table that lacks a column is an error of ours; further columns of open tables come last.
    """
    return {
        name: _conformed(tables[name], declared) if name in tables else empty(name)
        for name, declared in RESULT_TABLES.items()
    }


def has_quotes(table: str) -> bool:
    """Whether a table holds texts of answers or keys."""
    return any(column.quotes for column in RESULT_TABLES[table].columns)


def without_quotes(table: str, frame: pl.DataFrame) -> pl.DataFrame:
    """A table with nothing in the columns that hold texts of answers or keys.

    >>> frame = pl.DataFrame({"question": ["q1"], "answer": ["Paris"], "right": [1]})
    >>> without_quotes("disputed", frame).rows()
    [('q1', None, 1)]
    """
    names = [column.name for column in RESULT_TABLES[table].columns if column.quotes]
    nothing = pl.lit(None, pl.String)
    return frame.with_columns(nothing.alias(name) for name in names if name in frame.columns)


def in_order(table: str, columns: Collection[str]) -> list[str]:
    """Columns of a table in their order: those that it declares, then what files add.

    >>> in_order("causes", ["more", "cause", "collection"])
    ['collection', 'cause', 'more']
    """
    declared = RESULT_TABLES[table].names
    further = [name for name in columns if name not in declared]
    return [*(name for name in declared if name in columns), *further]


def _conformed(frame: pl.DataFrame, table: ResultTable) -> pl.DataFrame:
    columns = [
        pl.col(column.name).cast(_type_in(frame, column))
        for column in table.columns
        if not column.only or column.name in frame.columns
    ]
    further = [name for name in frame.columns if name not in table.names]
    if further and not table.is_open:
        raise ValueError(f"no result table declares {', '.join(further)}")
    return frame.select(*columns, *further)


def _type_in(frame: pl.DataFrame, column: ResultColumn) -> type[pl.DataType]:
    """The type of a column: numbers where a frame has means over samples that are not whole."""
    if column.averaged and frame.schema[column.name] == pl.Float64:
        values = frame[column.name]
        return pl.Float64 if (values != values.round()).any() else column.dtype
    return column.dtype
