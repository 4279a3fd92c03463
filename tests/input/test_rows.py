"""Text to typed rows: nothing changed in silence, and every fault named with its place."""

import datetime
import re
import unicodedata
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from qampaign.input import sources
from qampaign.input.collection_files import CollectionFiles
from qampaign.input.formats import Unreadable
from qampaign.input.input_tables import INPUT_TABLES, IS_ID, IS_RUN_ID, is_id
from qampaign.input.reading import BY_ORDER, DUPLICATES, check_columns, read
from qampaign.input.rows import FileRows, Rows

IDS = IS_ID.allowed
RUN_IDS = IS_RUN_ID.allowed
LABELS = "right, wrong, inexact, unsupported, repeated, not_attempted, true, yes, 1, false, no, 0"


def rows_of(table: str, text: str, name: str = "a.csv", *, run: str = "a", **options: Any) -> Rows:
    source = sources.parse(text.encode(), Path(name))
    check_columns(table, source)
    return read(table, [FileRows(name, run, source)], CollectionFiles("c", "", {}, **options))


def good(table: str, text: str, name: str = "a.csv", **options: Any) -> pl.DataFrame:
    rows = rows_of(table, text, name, **options)
    assert messages(rows) == []
    return rows.frame


def messages(rows: Rows) -> list[str]:
    """A line for each kind of problem."""
    return [line.strip() for line in rows.problems.summary("").splitlines()[1:]]


# --- values ---


def test_the_columns_are_those_of_the_tables() -> None:
    for table, text in {
        "questions": "question\nq1\n",
        "runs": "run\na\n",
        "responses": "question,answer\nq1,x\n",
        "assessments": "question,answer,label\nq1,x,right\n",
    }.items():
        columns = [column.stored_name for column in INPUT_TABLES[table].stored]
        assert good(table, text).columns == [*columns, "line"]


@pytest.mark.parametrize(
    "text", ["007", "1.0", "1e3", "NA", "null", "None", "nan", "true", "-", "=cmd()", "🙂", "שלום"]
)
def test_text_stays_what_it_is(text: str) -> None:
    frame = good("responses", f"question,answer\n{text},{text}\n")
    assert frame.select("question", "answer").row(0) == (text, text)


@pytest.mark.parametrize("space", [" ", "\t", "\u00a0", "\u3000"])
def test_white_space_around_a_value_does_not_count_and_inside_a_text_once(space: str) -> None:
    frame = good(
        "responses", f'question,answer,run\n{space}q1,"{space} a {space}\n b ", r {space}\n'
    )
    assert frame.select("question", "answer", "run").row(0) == ("q1", "a b", "r")


@pytest.mark.parametrize("inside", ["  ", "   ", "\t"])
def test_white_space_inside_a_text_counts_once_in_a_file_that_is_read_at_one_go(
    inside: str,
) -> None:
    """Without quotes, accents or line ends in a value polars reads the file."""
    frame = good("responses", f"question,answer\nq1,a{inside}b\nq2,c d\n")
    assert frame["answer"].to_list() == ["a b", "c d"]


def test_composed_and_decomposed_accents_are_the_same() -> None:
    composed, decomposed = (unicodedata.normalize(form, "Ñandú") for form in ("NFC", "NFD"))
    text = f"question,answer,run\n{decomposed},{decomposed},{decomposed}\n"
    assert good("responses", text).select("question", "answer", "run").row(0) == (composed,) * 3


@pytest.mark.parametrize("name", ["a.jsonl", "a.csv"])
def test_escaped_accents_are_normalised_too(name: str) -> None:
    texts = {
        "a.csv": "question,answer\ne\u0301,x\n",
        "a.jsonl": r'{"question": "e\u0301", "answer": "x"}',
    }
    assert good("responses", texts[name], name)["question"].to_list() == ["é"]


@pytest.mark.parametrize(
    ("text", "rank"), [("1", 1), (" 1 ", 1), ("1.0", 1), ("1e0", 1), ("+1", 1), ("01", 1)]
)
def test_whole_numbers_may_be_written_in_several_ways(text: str, rank: int) -> None:
    assert good("responses", f"question,answer,rank\nq1,x,{text}\n")["rank"].to_list() == [rank]


@pytest.mark.parametrize(
    ("text", "flag"),
    [("TRUE", True), ("yes", True), ("1", True), ("Y", True), ("t", True), ("", True),
     ("False", False), ("no", False), ("0", False), ("N", False), ("f", False)],
)  # fmt: skip
def test_flags_may_be_written_in_several_ways(text: str, flag: bool) -> None:
    frame = good("responses", f"question,answer,answered\nq1,x,{text}\nq2,x,true\n")
    assert frame["answered"].to_list() == [flag, True]


def test_without_an_answer_nothing_is_answered() -> None:
    frame = good("responses", "question,answer\nq1,x\nq2,\nq3,  \n")
    assert frame["answered"].to_list() == [True, False, False]


def test_an_empty_answer_that_says_answered_is_remarked_on() -> None:
    rows = rows_of("responses", "question,answer,answered\nq1,,true\nq2,,\nq3,x,true\n")
    assert rows.frame["answered"].to_list() == [False, False, True]
    assert rows.remarks == [
        (0, "answered", "empty answers marked as answered: counted as unanswered", 1)
    ]


def test_without_ranks_the_order_in_the_file_counts_within_run_and_question() -> None:
    text = "run,question,answer\na,q1,x\nb,q1,x\na,q2,x\na,q1,y\nb,q2,x\na,q1,z\n"
    rows = rows_of("responses", text, ranked=True)
    assert messages(rows) == []
    assert rows.frame["rank"].to_list() == [1, 1, 1, 2, 1, 3]
    assert rows.remarks == [(0, "rank", BY_ORDER, 2)]


def test_several_answers_without_ranks_are_refused_where_no_measure_looks_at_them() -> None:
    """The second row of q1 and the third: lines 4 and 5."""
    text = "question,answer\nq1,x\nq2,x\nq1,y\nq1,x\n"
    assert messages(rows_of("responses", text)) == [
        "a.csv, line 4, column question: 'q1' occurs again in its run, without a rank "
        "or a sample; allowed: one row for each run and question, or a column rank or sample (and 1 "
        "more like this)"
    ]


def test_rows_that_stand_there_twice_are_remarked_on() -> None:
    """Of q1, lines 2 and 5 are alike; the answer of line 4 has another confidence."""
    text = "question,answer,confidence\nq1,x,1\nq2,x,1\nq1,x,2\nq1,x,1.0\n"
    rows = rows_of("responses", text, ranked=True)
    assert rows.remarks == [(0, "rank", BY_ORDER, 2), (0, "", DUPLICATES, 1)]


def test_ranks_may_stand_in_any_order() -> None:
    text = "question,rank,answer\nq1,3,c\nq2,1,x\nq1,1,a\nq1,2,b\n"
    assert good("responses", text)["rank"].to_list() == [3, 1, 1, 2]


def test_a_confidence_need_be_no_probability_unless_a_measure_takes_it_for_one() -> None:
    text = "question,answer,confidence\nq1,x,-3.5\nq2,x,\nq3,x,1e2\nq4,x,.5\n"
    assert good("responses", text)["confidence"].to_list() == [-3.5, None, 100, 0.5]
    bounds = "question,answer,confidence\nq1,x,0\nq2,x,1.0\nq3,x,\n"
    assert good("responses", bounds, probabilities=["k1"])["confidence"].to_list() == [0, 1, None]


def test_questions_are_typed() -> None:
    text = "question,type,nil,known,date\nq1, temporal  date ,yes,3.0,2011-06-19\nq2,,,,\n"
    frame = good("questions", text).select("question", "type", "nil", "known", "date")
    assert frame.rows() == [
        ("q1", "temporal date", True, 3, datetime.date(2011, 6, 19)),
        ("q2", None, False, None, None),
    ]


def test_further_columns_on_runs_are_kept_as_json() -> None:
    frame = good("runs", 'run,team,size,"note, long"\na,Alpha, 7B ,é\nb,,,\n')
    assert frame["more"].to_list() == ['{"size": "7B", "note, long": "é"}', "{}"]


@pytest.mark.parametrize(
    ("label", "verdict"), [("R", "right"), ("1", "right"), ("1.0", "right"), ("inexact", "inexact"),
                           ("0.0", "wrong"), ("2.0", "unsupported")]
)  # fmt: skip
def test_labels_are_codes_of_the_campaign_or_words(label: str, verdict: str) -> None:
    codes = {"R": "right", "1": "right", "0": "wrong", "2": "wrong", "2.0": "unsupported"}
    frame = good("assessments", f"question,answer,label\nq1,x,{label}\n", labels=codes)
    assert frame["verdict"].to_list() == [verdict]


def test_an_assessment_of_a_position_needs_no_rank_and_one_of_a_text_has_none() -> None:
    text = "question,run,answer,label\nq1,a,,right\nq1,,x,right\nq1,b,y,wrong\n"
    assert good("assessments", text)["rank"].to_list() == [1, None, 1]
    text = "question,rank,answer,label\nq1,1,x,right\nq1,2,x,wrong\n"  # one text, two labels
    assert good("assessments", text)["rank"].to_list() == [None, None]


def test_the_adjudicated_word_is_that_of_nobody() -> None:
    text = "question,answer,label,assessor\nq1,x,right,adjudicated\nq1,x,right,\nq1,x,right,ana\n"
    assert good("assessments", text)["assessor"].to_list() == [None, None, "ana"]


def test_columns_that_nothing_reads_are_remarked_on() -> None:
    rows = rows_of("responses", "question,answer,Run,\nq1,x,b,\nq2,x,b,\n")
    assert rows.remarks == [(0, "Run", "column is not used", 2), (0, "", "column is not used", 2)]
    assert rows.frame["run"].to_list() == ["a", "a"]


def test_rows_of_several_lines_are_remarked_on() -> None:
    text = 'question,answer\nq1,"a\nb"\nq2,c\n'
    assert rows_of("responses", text).remarks == [
        (0, "", "rows of several lines, by line ends in quotes", 1)
    ]


# --- faults ---


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("question,rank\nq1,1\n", "has no column answer"),
        ("Question;answer\nq1;x\n", "has no column question"),
        ("x\n1\n", "has no column question and no column answer"),
    ],
)
def test_a_missing_column_is_named_with_what_was_found(text: str, problem: str) -> None:
    with pytest.raises(Unreadable) as unreadable:
        rows_of("responses", text)
    (fault,) = unreadable.value.faults
    columns = re.split("[,;]", text.splitlines()[0])
    assert fault.problem == problem
    assert fault.allowed == (
        "run, question, sample, rank, answer, confidence, score, answered, support, cost, seconds, "
        "tokens; "
        f"found: {', '.join(map(repr, columns))}"
    )
    assert fault.line == 1


def test_what_was_found_instead_of_a_column_is_cut_short() -> None:
    header = ",".join(["x" * 1_000_000, *map(str, range(50))])
    with pytest.raises(Unreadable) as unreadable:
        rows_of("responses", f"{header}\n")
    (fault,) = unreadable.value.faults
    assert fault.allowed.endswith("'17', '18', …")
    assert len(fault.allowed) < 400


FAULTS = [
    ("responses", "question,answer,confidence\nq1,x,high\nq2,x,0.5\nq3,x,50%\n",
     "line 2, column confidence: 'high' is not a number; allowed: a number (and 1 more like this)"),
    ("responses", "question,answer,confidence\nq1,x,inf\n",
     "line 2, column confidence: 'inf' is not allowed; allowed: a finite number"),
    ("responses", "question,answer,confidence\nq1,x,NaN\n",
     "line 2, column confidence: 'NaN' is not allowed; allowed: a finite number"),
    ("responses", "question,answer,confidence\nq1,x,1e400\n",
     "line 2, column confidence: '1e400' is not allowed; allowed: a finite number"),
    ("responses", 'question,answer,confidence\nq1,x,"0,5"\n',
     "line 2, column confidence: '0,5' is not a number; allowed: a number"),
    ("responses", "question,answer,rank\nq1,x,first\n",
     "line 2, column rank: 'first' is not a whole number; allowed: a whole number"),
    ("responses", "question,answer,rank\nq1,x,1.5\n",
     "line 2, column rank: '1.5' is not a whole number; allowed: a whole number"),
    ("responses", f"question,answer,rank\nq1,x,1{'0' * 30}\n",
     f"line 2, column rank: '1{'0' * 30}' is not a whole number; allowed: a whole number"),
    ("responses", "question,answer,rank\nq1,x,1e30\n",
     "line 2, column rank: '1e30' is not a whole number; allowed: a whole number"),
    ("responses", "question,answer,rank\nq1,x,1\nq2,x,0\nq3,x,-1\n",
     "line 3, column rank: '0' is not allowed; allowed: a whole number from 1"
     " (and 1 more like this)"),
    ("responses", "question,answer,rank\nq1,x,1\nq2,x,\n",
     "line 3, column rank: '' is empty; allowed: a value"),
    ("responses", "question,answer,rank\nq1,x,1\nq1,y,1\n",
     "line 3, column rank: '1' occurs twice for its run and question; allowed: each rank once"),
    ("responses", "question,answer,rank\nq1,x,1\nq1,y,3\nq2,x,2\n",
     "line 3, column rank: '3' leaves a gap in the ranks of its question; allowed: 1, 2, 3, …"
     " (and 1 more like this)"),
    ("responses", "question,answer,answered\nq1,x,maybe\n",
     "line 2, column answered: 'maybe' is not true or false; allowed: true or false"),
    ("responses", "question,answer\n,x\n",
     "line 2, column question: '' is empty; allowed: a value"),
    ("responses", "question,answer,run\nq1,x,a\nq1,x, \n",
     "line 3, column run: ' ' is empty; allowed: a value"),
    ("responses", "question,answer,run\nq1,x,a\u202ex\n",
     f"line 2, column run: 'a\\u202ex' is not allowed; allowed: {RUN_IDS}"),
    ("responses", "question,answer\n", "has no rows: the run is empty; allowed: a response per row"),
    ("questions", "question\n", "has no rows; allowed: a question per row"),
    ("questions", "question,type\nq1,a\nq2,a\nq1,b\n",
     "line 4, column question: 'q1' occurs twice; allowed: each question once"),
    ("questions", "question,type\nq1,all\n",
     "line 2, column type: 'all' is not allowed; allowed: any word but 'all', which means all "
     "types together"),
    ("questions", "question,known\nq1,-1\n",
     "line 2, column known: '-1' is not allowed; allowed: a whole number from 0"),
    ("questions", "question,nil\nq1,NIL\n",
     "line 2, column nil: 'NIL' is not true or false; allowed: true or false"),
    ("questions", "question,date\nq1,2011-02-30\nq2,19.6.2011\nq3,June 2011\n",
     "line 2, column date: '2011-02-30' is not a date such as 2011-06-19; allowed: a date such as "
     "2011-06-19 (and 2 more like this)"),
    ("runs", "run,team\na,A\na,B\n", "line 3, column run: 'a' occurs twice; allowed: each run "
     "once"),
    ("runs", "run\na\u202eb\n", f"line 2, column run: 'a\\u202eb' is not allowed; allowed: {RUN_IDS}"),
    ("assessments", "question,answer,label\nq1,x,Q\nq2,x,right\nq3,x,\n",
     f"line 2, column label: 'Q' is an unknown label; allowed: {LABELS} (and 1 more like this)"),
    ("assessments", "question,answer,label\nq1,x,unassessed\n",
     f"line 2, column label: 'unassessed' is an unknown label; allowed: {LABELS}"),
    ("assessments", "question,answer,label\nq1,,right\n",
     "line 2, column answer: '' does not say what is assessed; allowed: an answer, or a run and a "
     "rank"),
    ("assessments", "question,label\nq1,right\n",
     "line 2, column answer: does not say what is assessed; allowed: an answer, or a run and a rank"),
    ("assessments", "question,run,rank,label\nq1,a,,right\n",
     "line 2, column answer: does not say what is assessed; allowed: an answer, or a run and a rank"),
    ("assessments", "question,run,rank,label\nq1,a,0,right\n",
     "line 2, column rank: '0' is not allowed; allowed: a whole number from 1"),
    ("assessments", "question,answer,label,assessor\nq1,x,right,a\u202eb\n",
     rf"line 2, column assessor: 'a\u202eb' is not allowed; allowed: {IDS}"),
]  # fmt: skip


@pytest.mark.parametrize(("table", "text", "message"), FAULTS)
def test_a_fault_is_told_with_its_place_its_value_and_what_is_allowed(
    table: str, text: str, message: str
) -> None:
    separator = ", " if message.startswith("line") else ": "
    assert messages(rows_of(table, text)) == [f"a.csv{separator}{message}"]


NEEDED = (
    "a number from 0 to 1, which k and k1 need; others can be mapped in the config: "
    "confidence: {map: minmax}"
)


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("-0.1", f"is outside 0 to 1; allowed: {NEEDED}"),
        ("1.01", f"is outside 0 to 1; allowed: {NEEDED}"),
        ("inf", "is not allowed; allowed: a finite number"),
        ("NaN", "is not allowed; allowed: a finite number"),
    ],
)
def test_a_confidence_that_is_no_probability_is_refused_once_where_a_measure_needs_one(
    value: str, told: str
) -> None:
    text = f"question,answer,confidence\nq1,x,0.5\nq2,x,{value}\n"
    assert messages(rows_of("responses", text, probabilities=["k", "k1"])) == [
        f"a.csv, line 3, column confidence: '{value}' {told}"
    ]


def test_a_score_that_is_no_probability_is_refused_where_items_are_validated() -> None:
    text = "question,answer,score\nq1,yes,0.5\nq2,no,-3\n"
    (line,) = messages(rows_of("responses", text, probabilities=["brier"], validation=True))
    assert line.startswith("a.csv, line 3, column score: '-3' is outside 0 to 1; allowed: ")


def test_items_are_accepted_or_not_in_many_spellings() -> None:
    text = "question,answer\nq1,YES\nq2,0\nq3,\nq4,true\n"
    found = good("responses", text, validation=True)
    assert found["answer"].to_list() == ["yes", "no", None, "yes"]
    assert found["answered"].to_list() == [True, True, False, True]


def test_an_answer_that_is_not_yes_or_no_is_refused_where_items_are_validated() -> None:
    (line,) = messages(rows_of("responses", "question,answer\nq1,perhaps\n", validation=True))
    assert (
        line
        == "a.csv, line 2, column answer: 'perhaps' is not true or false; allowed: true or false"
    )


def test_labels_of_items_are_yes_or_no_and_need_no_answer() -> None:
    found = good("assessments", "question,label\nq1,yes\nq2,no\n", validation=True)
    assert found["verdict"].to_list() == ["right", "wrong"]


def test_a_level_that_no_measure_has_a_gain_for_is_refused() -> None:
    text = "question,answer,label,level\nq1,x,right,S\nq1,y,right,C\nq1,z,wrong,\nq1,u,right,1.5\n"
    allowed = "allowed: A, B, S: the levels that a measure has a gain for; or a number from 0 to 1, its own gain"
    assert messages(rows_of("assessments", text, levels=["A", "B", "S"])) == [
        f"a.csv, line 3, column level: 'C' is an unknown level; {allowed} (and 1 more like this)"
    ]


def test_a_level_in_a_key_that_no_measure_has_a_gain_for_is_refused() -> None:
    text = "question,key\nq1,1799 | 18th century @C\nq2,x @B | y @0.5\n"
    assert messages(rows_of("keys", text, levels=["A", "B"])) == [
        "a.csv, line 2, column key: '1799 | 18th century @C' has an unknown level @C; allowed: A, B: "
        "the levels that a measure has a gain for; or a number from 0 to 1, its own gain; \\@ for the "
        "sign itself"
    ]
    assert messages(rows_of("keys", text)) == []


@pytest.mark.parametrize("level", ["S", "0.15", "0", "1", "1.0", "3", "3.0", ""])
def test_a_level_is_one_that_has_a_gain_or_a_number_from_0_to_1(level: str) -> None:
    text = f"question,answer,label,level\nq1,x,right,{level}\n"
    assert good("assessments", text, levels=["3", "S"])["level"].to_list() == [level or None]


def test_files_of_a_batch_keep_their_own_lines_and_names() -> None:
    files = [
        FileRows(f"{name}.csv", name, sources.parse(text.encode(), Path(f"{name}.csv")))
        for name, text in {
            "a": "question,answer,confidence\nq1,x,0.5\nq2,y,high\n",
            "b": "question,answer,confidence\nq1,x,\nq2,x,low\n",
        }.items()
    ]
    rows = read("responses", files, CollectionFiles("c", "", {}))
    assert messages(rows) == [
        "a.csv, line 3, column confidence: 'high' is not a number; allowed: a number",
        "b.csv, line 3, column confidence: 'low' is not a number; allowed: a number",
    ]
    assert rows.frame["run"].to_list() == ["a", "a", "b", "b"]
    assert rows.frame["rank"].to_list() == [1, 1, 1, 1]
    assert rows.frame["line"].to_list() == [2, 3, 2, 3]


def test_all_faults_of_a_file_are_found_at_once() -> None:
    text = (
        "run,question,rank,answer,confidence,answered\n"
        "a,q1,1,x,0.5,true\n"
        "a,q1,1,x,0.5,true\n"  # the rank again
        "a,q2,2,x,0.5,true\n"  # no rank 1
        "a,q3,one,x,none,maybe\n"
        "all,q4,1,x,0.5,true\n"
        "a,,1,x,0.5,true\n"
    )
    assert sorted(messages(rows_of("responses", text))) == [
        "a.csv, line 3, column rank: '1' occurs twice for its run and question; allowed: each "
        "rank once",
        "a.csv, line 4, column rank: '2' leaves a gap in the ranks of its question; allowed: 1, 2, "
        "3, …",
        "a.csv, line 5, column answered: 'maybe' is not true or false; allowed: true or false",
        "a.csv, line 5, column confidence: 'none' is not a number; allowed: a number",
        "a.csv, line 5, column rank: 'one' is not a whole number; allowed: a whole number",
        f"a.csv, line 6, column run: 'all' is not allowed; allowed: {RUN_IDS}",
        "a.csv, line 7, column question: '' is empty; allowed: a value",
    ]


def test_ranks_that_can_not_be_read_are_neither_twice_there_nor_a_gap() -> None:
    text = "question,answer,rank\nq1,x,1\nq1,y,two\nq1,z,3\nq1,u,four\n"
    assert messages(rows_of("responses", text)) == [
        "a.csv, line 3, column rank: 'two' is not a whole number; allowed: a whole number"
        " (and 1 more like this)"
    ]


def test_a_list_is_refused_where_a_value_is_wanted_only() -> None:
    text = (
        '{"question": "q1", "answer": "x", "sources": ["a"]}\n'
        '{"question": "q2", "answer": ["x", "y"]}\n'
    )
    rows = rows_of("responses", text, "a.jsonl")
    assert messages(rows) == [
        """a.jsonl, line 2, column answer: '["x", "y"]' is not a single value; allowed: text, """
        "number, date, true or false"
    ]
    assert rows.remarks == [(0, "sources", "column is not used", 2)]


# --- ids ---

BAD_IDS = ["a\x07b", "a\x7fb", "a\u0085b", "a\u2028b", "\u202egnp.exe", "a\u2066b",
           "x" * 10_001]  # fmt: skip
GOOD_IDS = ["../../x", "a/b", "a\\b", ".", "..", "CON", "org/model-3.1",
            "x" * 10_000, "007", "=cmd()", "<script>", "two words", "🙂", "שאלה", "q.1", "...", "é",
            "'; DROP TABLE runs; --", "{wildcard}", "%s", "-rf", "$HOME", "*"]  # fmt: skip


@pytest.mark.parametrize("value", BAD_IDS)
def test_an_id_with_a_control_character_is_refused(value: str) -> None:
    assert not pl.DataFrame({"id": [value]}).select(is_id("id")).item()
    for table, header in {
        "questions": "question,answer",
        "responses": "run,question,answer",
        "runs": "run,answer",
    }.items():
        extra = "q1," if table == "responses" else ""
        (message,) = messages(rows_of(table, f'{header}\n"{value}",{extra}x\n'))
        column = header.split(",")[0]
        assert message.startswith(f"a.csv, line 2, column {column}: ")
        assert message.endswith(f"is not allowed; allowed: {RUN_IDS if column == 'run' else IDS}")
        assert message.isprintable()


@pytest.mark.parametrize("value", BAD_IDS)
def test_a_file_whose_name_can_be_no_id_is_refused_unless_it_has_a_run_column(value: str) -> None:
    (message,) = messages(rows_of("responses", "question,answer\nq1,x\n", run=value))
    assert message.startswith("a.csv: would give its run the name '")
    assert message.endswith(f"; allowed: {RUN_IDS}")
    assert messages(rows_of("responses", "question,answer,run\nq1,x,a\n", run=value)) == []


@pytest.mark.parametrize("value", GOOD_IDS)
def test_any_other_id_is_taken_as_it_is(value: str) -> None:
    text = f'question,answer,run,label,assessor\n"{value}",x,"{value}",right,"{value}"\n'
    assert good("responses", text).select("question", "run").row(0) == (value, value)
    assert good("assessments", text).select("question", "run", "assessor").row(0) == (value,) * 3
