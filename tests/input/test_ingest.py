"""Raw files to the database: only what changed is read, all faults at once, nothing half-way."""

import gzip
import io
import json
import os
import unicodedata
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO

import polars as pl
import pytest

from qampaign.input import sources
from qampaign.input.input_tables import IS_ID
from qampaign.input.rows import NOT_USED
from qampaign.input.store import read, read_sources
from qampaign.problems import SCHEMA
from tests.helpers.cases import first
from tests.helpers.toy_campaign import FILES, Campaign

pytestmark = pytest.mark.slow


ONE_LABEL = "allowed: one label per assessor and answer"


def in_problems_csv(campaign: Campaign) -> pl.DataFrame:
    return pl.read_csv(campaign.problems_csv, infer_schema=False)


# --- what is loaded ---


def test_all_tables_are_filled(campaign: Campaign) -> None:
    assert campaign.ingest() == (5, 0)
    assert campaign.rows("SELECT run, question, rank, answer, answered FROM responses ORDER BY ALL") == [
        ("a", "q1", 1, "Paris", True),
        ("a", "q2", 1, "blue", True),
        ("b", "q1", 1, "Rome", True),
        ("b", "q2", 1, None, False),
    ]  # fmt: skip
    assert campaign.rows("SELECT question, answer, verdict, line FROM assessments ORDER BY line") == [
        ("q1", "Paris", "right", 2),
        ("q1", "Rome", "wrong", 3),
        ("q2", "blue", "right", 4),
    ]  # fmt: skip
    assert campaign.rows("SELECT question, type, nil FROM questions ORDER BY line") == [
        ("q1", "factoid", False),
        ("q2", "list", False),
    ]
    assert campaign.rows("SELECT run, team FROM runs ORDER BY run") == [
        ("a", "Alpha"),
        ("b", "Beta"),
    ]


def test_without_a_list_the_questions_are_those_that_are_assessed(campaign: Campaign) -> None:
    campaign.change(paths={**campaign.files.paths, "questions": []})
    campaign.ingest()
    assert campaign.rows("SELECT question, source FROM questions ORDER BY ALL") == [
        ("q1", 0),
        ("q2", 0),
    ]
    campaign.write({"assessments2.csv": "question,answer,label\nq3,x,R\n"})
    campaign.ingest()
    assert campaign.rows("SELECT count(*) FROM questions") == [(3,)]


def test_hostile_ids_and_texts_are_loaded_as_they_are(campaign: Campaign) -> None:
    question, run = "'; DROP TABLE runs; --", "=cmd() <b>🙂"
    campaign.write(
        {
            "questions.csv": f"question\n{question}\n",
            "runs/a.csv": f'run,question,answer\n{run},{question},"שלום, ""x"""\n',
            "runs/b.csv": None,
            "assessments.csv": f'question,answer,label\n{question},"שלום, ""x""",R\n',
        }
    )
    campaign.ingest()
    assert campaign.rows("SELECT run, question, answer FROM responses") == [
        (run, question, 'שלום, "x"')
    ]


def test_a_zero_character_that_json_spells_is_a_character(campaign: Campaign) -> None:
    line = json.dumps({"question": "q1", "answer": "a\0b"})
    campaign.write({"runs/c.jsonl": line})
    campaign.ingest()
    assert campaign.rows("SELECT answer FROM responses WHERE run = 'c'") == [("a\0b",)]


@pytest.mark.exhaustive
def test_names_of_files_in_decomposed_letters_name_the_same_run(campaign: Campaign) -> None:
    name = unicodedata.normalize("NFD", "Ñandú")
    campaign.write({f"runs/{name}.csv": FILES["runs/a.csv"], "runs/a.csv": None})
    campaign.ingest()
    runs = campaign.rows("SELECT DISTINCT run FROM responses ORDER BY run")
    assert runs == [("b",), (unicodedata.normalize("NFC", name),)]


def test_remarks_say_what_is_no_fault(campaign: Campaign) -> None:
    campaign.write(
        {
            "info.csv": "run,team\na,Alpha\nc,Gamma\n",
            "assessments.csv": "question,run,answer,label\n"
            "q1,a,Paris,R\nq2,a,green,W\nq1,b,,W\nq1,c,x,W\n",
        }
    )
    campaign.ingest()
    assert campaign.rows('SELECT path, "column", remark, count FROM remarks JOIN sources USING '
                         "(source) ORDER BY ALL") == [
        ("assessments.csv", "answer", "assessments that quote the answer differently from the run", 1),
        ("assessments.csv", "run", "assessments for runs without responses: c", 1),
        ("info.csv", "run", "information on runs without responses: c", 1),
    ]  # fmt: skip


def remarks(campaign: Campaign) -> list[tuple[str, str, int]]:
    """Column, text and number of every remark."""
    return campaign.rows('SELECT "column", remark, count FROM remarks ORDER BY ALL')


def test_questions_without_a_row_are_remarked_on_once_for_a_collection(campaign: Campaign) -> None:
    """Three runs, two questions: b and c lack one row each, a none; an empty answer is a row."""
    campaign.write(
        {"runs/b.csv": "question,answer\nq1,Rome\n", "runs/c.csv": "question,answer\nq1,\n"}
    )
    campaign.ingest()
    told = "questions that a run has no row for, counted as unanswered: in 2 of 3 runs; most in c, 50.0% of 2 questions"
    assert remarks(campaign) == [("question", told, 2)]
    campaign.write({"runs/b.csv": FILES["runs/b.csv"], "runs/c.csv": None})
    campaign.ingest()
    assert remarks(campaign) == []


def test_runs_that_give_the_same_answers_are_remarked_on(campaign: Campaign) -> None:
    """c has the rows of a in another order, d one that differs, e and f no answer at all."""
    empty = "question,answer\nq1,\nq2,\n"
    campaign.write(
        {
            "runs/c.csv": "question,answer\nq2,blue\nq1,Paris\n",
            "runs/d.csv": "question,answer\nq1,Paris\nq2,red\n",
            "runs/e.csv": empty,
            "runs/f.csv": empty,
            "assessments2.csv": "question,answer,label\nq2,red,W\n",
        }
    )
    campaign.ingest()
    assert remarks(campaign) == [("answer", "runs that give the same answers: a, c", 2)]


def test_labels_that_meet_no_answer_are_counted(campaign: Campaign) -> None:
    """Of run b the answer to q2 is empty and there is no rank 2; run c is not there; nobody says
    Lyon; Paris is the answer of a. The verdicts of a judge are looked at likewise."""
    labels = (
        "question,run,rank,answer,label\n"
        "q2,b,1,,W\nq1,b,2,,W\nq1,c,1,x,W\nq1,,,Lyon,W\nq1,a,1,Paris,R\n"
    )
    campaign.write({"assessments2.csv": labels, "gpt.csv": labels})
    paths = {**campaign.files.paths, "verdicts/gpt": ["gpt.csv"]}
    codes = {"R": "right", "W": "wrong"}
    campaign.change(paths=paths, labels=codes, verdicts={"gpt": codes})
    campaign.ingest()
    empty = "for ranks at which the run gives no answer"
    assert remarks(campaign) == [
        ("answer", "assessments for answers that no run gives", 1),
        ("answer", "verdicts for answers that no run gives", 1),
        ("rank", f"assessments {empty}", 2),
        ("rank", f"verdicts {empty}", 2),
        ("run", "assessments for runs without responses: c", 1),
        ("run", "verdicts for runs without responses: c", 1),
    ]


def test_a_column_that_is_not_ours_is_remarked_on_except_in_the_information_on_runs(
    campaign: Campaign,
) -> None:
    campaign.write(
        {"info.csv": "run,size\na,7B\n", "questions.csv": "question,colour\nq1,red\nq2,\n"}
    )
    campaign.ingest()
    assert remarks(campaign) == [("colour", "column is not used", 2)]


@pytest.mark.exhaustive
def test_the_first_five_of_the_runs_without_responses_are_named(campaign: Campaign) -> None:
    rows = "".join(f"q1,z{number},1,W\n" for number in (7, 1, 3, 5, 2, 4, 6, 1))
    campaign.write({"assessments2.csv": f"question,run,rank,label\n{rows}"})
    campaign.ingest()
    message = "assessments for runs without responses: z1, z2, z3, z4, z5, …"
    assert ("run", message, 8) in remarks(campaign)


@pytest.mark.exhaustive
def test_a_response_to_an_unknown_question_says_where_questions_come_from(
    campaign: Campaign,
) -> None:
    campaign.write({"runs/b.csv": "question,answer\nq1,Rome\nq9,x\n"})
    unknown = (
        "runs/b.csv, line 3, column question: 'q9' is an unknown question; allowed: a question"
    )
    assert campaign.refusal() == [f"{unknown} of the collection toy"]
    campaign.change(paths={**campaign.files.paths, "questions": []})
    assert campaign.refusal() == [
        f"{unknown} in the assessments, keys or patterns of the collection toy, which gives no "
        "list of questions"
    ]


@pytest.mark.exhaustive
def test_what_is_not_known_of_a_language_is_remarked_on(campaign: Campaign) -> None:
    """q1 is Czech as the collection, q2 German, of which all is known, q3 Thai."""
    campaign.write({"questions.csv": "question,language\nq1,\nq2,de\nq3,th\nq4,cs-CZ\n"})
    reads = {"numbers": True, "dates": False}
    campaign.change(
        labels={"R": "right", "W": "wrong"}, by_key=True, language="cs", key_reads=reads
    )
    campaign.ingest()
    campaign.ingest()
    assert {each for each in remarks(campaign) if each[0] == "language"} == {
        (
            "language",
            "judged by a key without stop words, lemmas, a stemmer, spaces between words, number words: "
            "not available for the language th; pairs of characters are compared",
            1,
        ),
        (
            "language",
            "judged by a key without number words: not available for the language cs",
            1,
        ),
        (
            "language",
            "judged by a key without number words: not available for the language cs-CZ",
            1,
        ),
    }


def test_labels_of_items_meet_the_item_whatever_else_they_say(campaign: Campaign) -> None:
    campaign.write(
        {
            "runs/a.csv": "question,answer\nq1,yes\nq2,no\n",
            "runs/b.csv": "question,answer\nq1,no\nq2,no\n",
            "assessments.csv": "question,answer,label\nq1,yes,yes\nq2,yes,no\n",
        }
    )
    campaign.change(labels={}, validation=True)
    campaign.ingest()
    assert remarks(campaign) == []


# --- faults ---

ACROSS_FILES = [
    (
        {"runs/a.tsv": FILES["runs/a.csv"].replace(",", "\t")},
        ["runs/a.tsv, column run: 'a' is also in runs/a.csv; allowed: one file per run"],
    ),
    (
        {
            "runs/c.csv": "run,question,answer\na,q1,x\nb,q1,x\nc,q1,x\n",
            "runs/d.csv": "run,question,answer\na,q1,x\n",
        },
        [
            "runs/c.csv, column run: 'a' is also in runs/a.csv; allowed: one file per run",
            "runs/c.csv, column run: 'b' is also in runs/b.csv; allowed: one file per run",
            "runs/d.csv, column run: 'a' is also in runs/a.csv; allowed: one file per run",
        ],
    ),
    (
        {
            "assessments.csv": "question,answer,label,level\n"
            "q1,Paris,R,\nq1,Rome,W,\nq1,Paris ,W,\nq2,blue,R,S\nq2,blue,R,A\n"
        },
        [
            "assessments.csv, line 2, column label: 'right' conflicts with another label by the "
            f"adjudicator for question q1, answer 'Paris'; {ONE_LABEL} (and 1 more like this)",
            "assessments.csv, line 5, column label: 'right, S' conflicts with another label by the "
            f"adjudicator for question q2, answer 'blue'; {ONE_LABEL} (and 1 more like this)",
        ],
    ),
    (
        {"assessments2.csv": "question,answer,label\nq2,blue,W\n"},
        [
            f"{name}, line {line}, column label: '{word}' conflicts with another label by the adjudicator"
            f" for question q2, answer 'blue'; {ONE_LABEL}"
            for name, line, word in [
                ("assessments.csv", 4, "right"),
                ("assessments2.csv", 2, "wrong"),
            ]
        ],
    ),
    (
        {
            "assessments2.csv": "question,run,rank,assessor,label\n"
            "q1,a,1,ana,R\nq1,a,1,bob,W\nq1,a,1,ana,W\n"
        },
        [
            "assessments2.csv, line 2, column label: 'right' conflicts with another label by ana for "
            f"question q1, run a, rank 1; {ONE_LABEL} (and 1 more like this)"
        ],
    ),
]
FAULTS = [
    ({"runs/a.csv": b"\xff\xfe\x00"}, ["runs/a.csv: is UTF-16; allowed: UTF-8"]),
    (
        {"runs/a.csv": "question,answer\nq1,café\n".encode("latin-1")},
        ["runs/a.csv, line 2: is not UTF-8 (byte 0xe9); allowed: UTF-8"],
    ),
    ({"runs/a.csv": ""}, ["runs/a.csv: is empty; allowed: a header and rows"]),
    (
        {"runs/a.csv": "question,answer\n"},
        ["runs/a.csv: has no rows: the run is empty; allowed: a response per row"],
    ),
    (
        {"runs/a.csv": "question\nq1\n"},
        [
            "runs/a.csv, line 1: has no column answer; allowed: run, question, sample, rank, answer, "
            "confidence, score, answered, support, cost, seconds, tokens; found: 'question'"
        ],
    ),
    (
        {"runs/a.txt": "question,answer\nq1,x\n"},
        [
            "runs/a.txt: has an unknown file type; allowed: .csv, .tsv, .json, .jsonl, "
            ".ndjson or .parquet, each also with .gz"
        ],
    ),
    (
        {"runs/c.csv.gz": gzip.compress(FILES["runs/a.csv"].encode())[:-4]},
        ["runs/c.csv.gz: is not a complete gzip file; allowed: gzip, as its name says"],
    ),
    (
        {"runs/a.csv": "question,answer\nq1,x\nq9,x\nQ1,x\nq\u200b2,x\n"},
        [
            "runs/a.csv, line 3, column question: 'q9' is an unknown question; allowed: a question "
            "of the collection toy (and 2 more like this)"
        ],
    ),
    (
        {"assessments.csv": "question,answer,label\nq1,Paris,R\nq9,x,W\n"},
        [
            "assessments.csv, line 3, column question: 'q9' is an unknown question; allowed: a "
            "question of the collection toy"
        ],
    ),
    (
        {"runs/sub": FILES["runs/a.csv"]},
        [
            "runs/sub: has an unknown file type; allowed: .csv, .tsv, .json, .jsonl, "
            ".ndjson or .parquet, each also with .gz"
        ],
    ),
    *ACROSS_FILES,
]


@pytest.mark.parametrize(("files", "messages"), first(12, FAULTS))
def test_a_fault_is_refused_with_its_place_and_what_is_allowed(
    campaign: Campaign, files: dict[str, str | bytes], messages: list[str]
) -> None:
    campaign.write(files)
    assert campaign.refusal() == messages


@pytest.mark.exhaustive
@pytest.mark.parametrize(("files", "messages"), ACROSS_FILES)
def test_a_fault_across_files_is_found_where_one_of_them_was_loaded_before(
    loaded: Campaign, files: dict[str, str | bytes], messages: list[str]
) -> None:
    loaded.write(files)
    assert loaded.refusal() == messages


def test_faults_of_all_files_are_found_in_one_go(campaign: Campaign) -> None:
    campaign.write(
        {
            "questions.csv": "question,type\nq1,all\nq2,x\nq2,y\n",
            "runs/a.csv": "question,answer,confidence\nq1,x,high\nq9,x,1\n",
            "runs/b.csv": b"question,answer\nq1,\xff\n",
            "runs/c.csv": "question,answer\n",
            "runs/d.csv": "question,answer,rank\nq1,x,1\nq1,x,1\nq2,x,3\n",
            "assessments.csv": "question,answer,label\nq1,x,Q\nq1,y,R\nq1,y,W\n",
            "info.csv": "team\nAlpha\n",
        }
    )
    told = {line.split(":")[0] for line in campaign.refusal()}
    assert told == {
        "questions.csv, line 2, column type",
        "questions.csv, line 4, column question",
        "runs/a.csv, line 2, column confidence",
        "runs/a.csv, line 3, column question",
        "runs/b.csv, line 2",
        "runs/c.csv",
        "runs/d.csv, line 3, column rank",
        "runs/d.csv, line 4, column rank",
        "assessments.csv, line 2, column label",
        "assessments.csv, line 3, column label",
        "info.csv, line 1",
    }
    found = in_problems_csv(campaign)
    assert found.columns == list(SCHEMA)
    assert found.height == 12
    assert found["collection"].unique().to_list() == ["toy"]


def test_a_line_that_is_no_row_hides_no_other_fault_and_makes_none(campaign: Campaign) -> None:
    campaign.write(
        {
            "questions.csv": "question,type,nil\nq1,who,maybe\nq2,who,no,more\n",
            "runs/a.csv": "question,rank,answer\nq1,1,x,y\nq1,2,z\nq9,first,x\n",
            "runs/b.jsonl": '{"question": "q1", "answer": "x"\n',
            "runs/c.jsonl": '{"question": "q1", "answer": {"x": 1}}\n{"question": "q2"\n',
            "runs/d.csv": "question,answer\nq2\n",
            "assessments.csv": "question,label\nq1,R\nq1\n",
        }
    )
    paths = {**campaign.files.paths, "responses": ["runs/*"], "runs": []}
    campaign.change(paths=paths)
    assert sorted({line.split(":")[0] for line in campaign.refusal()}) == [
        "assessments.csv, line 2, column answer",
        "assessments.csv, line 3",
        "questions.csv, line 2, column nil",
        "questions.csv, line 3",
        "runs/a.csv, line 2",
        "runs/a.csv, line 4, column rank",
        "runs/b.jsonl, line 1",
        "runs/c.jsonl, line 1, column answer",
        "runs/c.jsonl, line 2",
        "runs/d.csv, line 2",
    ]


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("table", "files", "message"),
    [
        ("questions", {"questions2.csv": "question\nq3\nq1\n"},
         "questions2.csv, line 3, column question: 'q1' is also in questions.csv; allowed: each "
         "question in one file"),
        ("runs", {"questions2.csv": "run,team\nb,Other\n"},
         "questions2.csv, line 2, column run: 'b' is also in info.csv; allowed: each run in one file"),
    ],
)  # fmt: skip
def test_what_two_files_tell_of_one_thing_is_refused(
    campaign: Campaign, table: str, files: dict[str, str], message: str
) -> None:
    campaign.write(files)
    paths = {**campaign.files.paths}
    campaign.change(paths=paths | {table: [*paths[table], *files]})
    assert campaign.refusal() == [message]


def test_a_label_that_is_not_known_is_at_odds_with_no_other(campaign: Campaign) -> None:
    campaign.write({"assessments2.csv": "question,answer,label\nq1,y,R\nq1,y,=R\n"})
    (message,) = campaign.refusal()
    assert message.startswith("assessments2.csv, line 3, column label: '=R' is an unknown label")


def test_ids_that_only_assessments_name_are_checked_too(campaign: Campaign) -> None:
    campaign.change(paths={**campaign.files.paths, "questions": []})
    campaign.write({"assessments2.csv": "question,answer,label\nq1,x,R\n\u202eq3,x,R\n"})
    assert campaign.refusal() == [
        "assessments2.csv, line 3, column question: '\\u202eq3' is not allowed; allowed: "
        + IS_ID.allowed
    ]


def test_an_unreadable_list_of_questions_does_not_make_every_question_unknown(
    campaign: Campaign,
) -> None:
    campaign.write({"questions.csv": "number\nq1\n"})
    (message,) = campaign.refusal()
    assert message.startswith("questions.csv, line 1: has no column question; allowed: question, ")


def test_an_unreadable_run_does_not_hide_the_unknown_questions_of_others(
    campaign: Campaign,
) -> None:
    campaign.write({"runs/a.csv": "", "runs/b.csv": "question,answer\nq7,x\n"})
    assert [line.split(":")[0] for line in campaign.refusal()] == [
        "runs/a.csv",
        "runs/b.csv, line 2, column question",
    ]


def test_earlier_rows_of_a_file_that_became_unreadable_are_not_held_against_others(
    loaded: Campaign,
) -> None:
    loaded.write({"assessments.csv": "", "assessments2.csv": "question,answer,label\nq1,Paris,W\n"})
    assert loaded.refusal() == ["assessments.csv: is empty; allowed: a header and rows"]


def test_a_pattern_without_files_a_folder_and_a_file_that_vanished_are_told(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    (campaign.folder / "data/runs/folder.csv").mkdir()
    paths = campaign.files.paths
    campaign.change(paths={**paths, "assessments": ["gone.csv", "no/*.csv", "assessments.csv"]})
    os.mkfifo(campaign.folder / "data/runs/pipe.csv")
    read = sources.open_regular

    def vanishing(path: Path) -> BinaryIO:
        if path.name == "b.csv":
            path.unlink()
        return read(path)

    monkeypatch.setattr(sources, "open_regular", vanishing)
    assert campaign.refusal() == [
        "gone.csv: does not exist",
        "no/*.csv: matches no file; allowed: a file, or a pattern for some",
        "runs/b.csv: does not exist",
        "runs/folder.csv: is a folder, not a regular file; allowed: a regular file, or a link to one",
        "runs/pipe.csv: is a named pipe, not a regular file; allowed: a regular file, or a link to one",
    ]


@pytest.mark.exhaustive
def test_a_limit_is_no_reason_to_read_a_file_again(campaign: Campaign) -> None:
    packed = gzip.compress(b"question,answer\nq1,Paris\nq2,blue\n" + b"\n" * 100_000)
    (campaign.folder / "data/runs/c.csv.gz").write_bytes(packed)
    campaign.change(paths={**campaign.files.paths, "responses": ["runs/*.csv*"]})
    campaign.change(unpacked_gb=0.0001)
    assert campaign.refusal() == [
        "runs/c.csv.gz: unpacks to more than 0.0001 gigabytes; allowed: less, or a higher limit "
        "than limits: {unpacked_gb: 0.0001} in the config"
    ]
    campaign.change(unpacked_gb=0.001)
    assert campaign.ingest() == (6, 0)
    campaign.change(unpacked_gb=0.0001)
    assert campaign.ingest() == (0, 6)


@pytest.mark.exhaustive
def test_a_run_cannot_be_called_all(campaign: Campaign) -> None:
    campaign.write({"runs/all.csv": FILES["runs/a.csv"]})
    (message,) = campaign.refusal()
    assert message.startswith("runs/all.csv: would give its run the name 'all'; allowed: ")
    assert message.endswith("and not all, which means all runs together")


@pytest.mark.exhaustive
def test_a_file_name_that_is_not_utf_8_is_refused(campaign: Campaign) -> None:
    folder = os.fsencode(campaign.files.folder)
    with open(os.path.join(folder, b"runs/\xff.csv"), "wb") as file:
        file.write(FILES["runs/a.csv"].encode())
    assert campaign.refusal() == [r"runs/\udcff.csv: has a name that is not UTF-8; allowed: UTF-8"]


@pytest.mark.exhaustive
def test_a_line_end_in_a_file_name_can_not_fake_a_message(campaign: Campaign) -> None:
    campaign.write({"runs/x\nAll is well.csv": FILES["runs/a.csv"]})
    (message,) = campaign.refusal()
    assert message.startswith(
        r"runs/x\u000aAll is well.csv: would give its run the name 'x\u000aAll is well'"
    )


def test_a_long_answer_is_cut_short_in_a_message(campaign: Campaign) -> None:
    answer = "\x1b[31m" + "x" * 5_000_000
    campaign.write({"assessments.csv": f"question,answer,label\nq1,{answer},R\nq1,{answer},W\n"})
    (message,) = campaign.refusal()
    assert message.isprintable()
    assert len(message) < 400


def test_responses_to_unknown_questions_are_left_out_with_a_remark_if_asked(
    campaign: Campaign,
) -> None:
    campaign.write({"runs/a.csv": "question,answer\nq1,Paris\nq9,x\nq8,x\n"})
    campaign.change(skip_unknown_questions=True)
    campaign.ingest()
    text = "responses for questions that are not in the collection: left out"
    query = 'SELECT "column", remark, count FROM remarks WHERE starts_with(remark, $$responses$$)'
    assert campaign.rows(query) == [("question", text, 2)]
    campaign.ingest()
    assert campaign.rows(query) == [("question", text, 2)]


def test_an_unchanged_file_is_held_against_new_ones(loaded: Campaign) -> None:
    loaded.write({"questions.csv": "question\nq1\n"})  # q2 is gone
    assert [line.split(" is ")[0] for line in loaded.refusal()] == [
        "assessments.csv, line 4, column question: 'q2'",
        "runs/a.csv, line 3, column question: 'q2'",
        "runs/b.csv, line 3, column question: 'q2'",
    ]


# --- nothing is lost on refusal ---


def test_a_refusal_leaves_everything_as_it_was(loaded: Campaign) -> None:
    before = loaded.content(), loaded.fingerprints()
    loaded.write(
        {"runs/a.csv": "question,answer\nq1,changed\n", "runs/c.csv": "", "info.csv": None}
    )
    loaded.refusal()
    assert (loaded.content(), loaded.fingerprints()) == before
    assert loaded.problems_csv.exists()
    loaded.write({"runs/c.csv": None, "info.csv": FILES["info.csv"]})
    assert loaded.ingest() == (1, 4)
    assert not loaded.problems_csv.exists()


def test_a_refusal_at_first_leaves_an_empty_database(campaign: Campaign) -> None:
    campaign.write({"runs/c.csv": ""})
    campaign.refusal()
    assert not campaign.fingerprints()
    campaign.write({"runs/c.csv": None})
    assert campaign.ingest() == (5, 0)


def test_all_problems_go_to_the_csv_and_twenty_kinds_to_the_screen(campaign: Campaign) -> None:
    for number in range(30):
        rows = "".join(f"q1,x,{row + 1},{'no' * (row <= number)}\n" for row in range(100))
        campaign.write({f"runs/{number:02}.csv": f"question,answer,rank,confidence\n{rows}"})
    lines = campaign.refusal()
    assert lines[0] == (
        "runs/29.csv, line 2, column confidence: 'no' is not a number; allowed: a number"
        " (and 29 more like this)"
    )
    assert lines[20:] == ["… and 10 more kinds of problems"]
    found = in_problems_csv(campaign)
    assert found.height == sum(range(31))
    assert found.row(0, named=True) == {
        "collection": "toy",
        "file": "runs/00.csv",
        "line": "2",
        "column": "confidence",
        "value": "no",
        "problem": "is not a number",
        "allowed": "a number",
    }


# --- only what changed is read ---


def test_what_did_not_change_is_not_read_again(loaded: Campaign) -> None:
    before, written = loaded.content(), loaded.fingerprints()
    os.utime(loaded.folder / "data/runs/a.csv")
    assert loaded.ingest() == (0, 5)
    assert (loaded.content(), loaded.fingerprints()) == (before, written)


def test_other_content_of_the_same_size_and_time_is_read(loaded: Campaign) -> None:
    path = loaded.folder / "data/runs/a.csv"
    status = path.stat()
    loaded.write({"runs/a.csv": FILES["runs/a.csv"].replace("Paris", "Milan")})
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert path.stat().st_size == status.st_size
    assert loaded.ingest() == (1, 4)
    assert loaded.rows("SELECT answer FROM responses WHERE run = 'a' AND question = 'q1'") == [
        ("Milan",)
    ]


def test_the_rows_of_a_removed_file_vanish(loaded: Campaign) -> None:
    loaded.write({"runs/b.csv": None, "info.csv": "run\na\n"})
    assert loaded.ingest() == (1, 3)
    assert loaded.rows("SELECT DISTINCT run FROM responses") == [("a",)]
    assert loaded.rows("SELECT run FROM runs") == [("a",)]


def test_a_renamed_file_names_another_run(loaded: Campaign) -> None:
    loaded.write({"runs/b.csv": None, "runs/c.csv": FILES["runs/b.csv"], "info.csv": "run\na\n"})
    assert loaded.ingest() == (2, 3)
    assert loaded.rows("SELECT DISTINCT run FROM responses ORDER BY run") == [("a",), ("c",)]


def test_other_labels_read_the_assessments_alone(loaded: Campaign) -> None:
    loaded.change(labels={"R": "wrong", "W": "wrong"})
    assert loaded.ingest() == (1, 4)
    assert loaded.rows("SELECT DISTINCT verdict FROM assessments") == [("wrong",)]


def test_confidence_as_a_probability_reads_the_responses_alone(loaded: Campaign) -> None:
    loaded.change(probabilities=["k1"])
    assert loaded.ingest() == (2, 3)


def test_other_code_reads_everything(loaded: Campaign) -> None:
    before = loaded.fingerprints()
    assert loaded.ingest(code="2") == (5, 0)
    assert loaded.fingerprints() == before


@pytest.mark.exhaustive
def test_a_file_may_serve_two_collections(campaign: Campaign) -> None:
    other = replace(campaign.files, collection="other", labels={"R": "wrong", "W": "wrong"})
    assert campaign.ingest(other) == (10, 0)
    assert campaign.ingest(other) == (0, 10)
    assert campaign.rows("SELECT DISTINCT collection, verdict FROM assessments ORDER BY ALL") == [
        ("other", "wrong"),
        ("toy", "right"),
        ("toy", "wrong"),
    ]
    assert campaign.ingest() == (0, 5)
    assert campaign.rows("SELECT DISTINCT collection FROM responses") == [("toy",)]


# --- fingerprints ---


def changed(loaded: Campaign, files: dict[str, str | bytes | None]) -> set[str]:
    """The fingerprints that are written anew when files change."""
    before = loaded.fingerprints()
    loaded.write(files)
    loaded.ingest()
    after = loaded.fingerprints()
    assert {name for name in after if after[name] != before[name]} == {
        name for name in after if after[name][0] != before[name][0]
    }
    return {name for name in after if after[name] != before[name]} - {"toy/sources"}


def parquet(table: dict[str, list[object]]) -> bytes:
    file = io.BytesIO()
    pl.DataFrame(table).write_parquet(file)
    return file.getvalue()


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    "files",
    [
        {"assessments.csv": "question,answer,label\nq2,blue,R\nq1,Rome,W\nq1,Paris,R\n"},
        {"assessments.csv": "label,question , note,answer\n\nR,q1, x, Paris \nW,q1,x,Rome\r\nR,q2,x,blue"},
        {"assessments.csv": "question,answer,label\nq1,Paris,right\nq1,Rome,wrong\nq2,blue,right\n"},
        {"assessments.csv": "question,answer,label\nq1,Paris,R\n",
         "assessments2.csv": "question,answer,label\nq1,Rome,W\nq2,blue,R\n"},
        {"runs/a.csv": "question,rank,answer\nq2,1,blue\nq1,1.0,Paris\n"},
        {"runs/a.csv": None, "runs/a.tsv": "question\tanswer\nq1\tParis\nq2\tblue\n"},
        {"runs/a.csv": None,
         "runs/a.parquet": parquet({"question": ["q1", "q2"], "answer": ["Paris", "blue"]})},
        {"runs/a.csv": None, "runs/b.csv": None,
         "runs/all.jsonl": "\n".join(json.dumps(row) for row in [
             {"run": "b", "question": "q1", "rank": 1, "answer": "Rome", "answered": True},
             {"run": "a", "question": "q1", "rank": 1, "answer": "Paris", "answered": True},
             {"run": "a", "question": "q2", "rank": 1, "answer": "blue", "answered": True},
             {"run": "b", "question": "q2", "rank": 1, "answer": None, "answered": False}])},
        {"questions.csv": "type,question\nlist,q2\nfactoid,q1\n"},
        {"info.csv": "run,team\nb,Beta \na,Alpha\n"},
    ],
)  # fmt: skip
def test_the_order_the_format_and_the_files_of_rows_do_not_matter(
    loaded: Campaign, files: dict[str, str | bytes | None]
) -> None:
    assert changed(loaded, files) == set()


@pytest.mark.parametrize(
    ("files", "tables"),
    [
        (
            {"assessments.csv": FILES["assessments.csv"].replace("blue,R", "blue,W")},
            {"assessments"},
        ),
        ({"assessments2.csv": "question,answer,label\nq1,x,R\n"}, {"assessments"}),
        ({"assessments2.csv": "question,answer,label,assessor\nq1,Paris,R,ana\n"}, {"assessments"}),
        ({"runs/a.csv": FILES["runs/a.csv"].replace("Paris", "paris")}, {"responses"}),
        ({"runs/c.csv": FILES["runs/a.csv"]}, {"responses"}),
        ({"runs/b.csv": None}, {"responses"}),
        ({"runs/a.csv": "question,answer\nq1,blue\nq2,Paris\n"}, {"responses"}),
        ({"runs/a.csv": FILES["runs/b.csv"], "runs/b.csv": FILES["runs/a.csv"]}, {"responses"}),
        ({"runs/a.csv": "question,answer,answered\nq1,Paris,no\nq2,blue,\n"}, {"responses"}),
        ({"runs/a.csv": "question,answer,confidence\nq1,Paris,1\nq2,blue,1\n"}, {"responses"}),
        ({"questions.csv": "question,type\nq1,list\nq2,factoid\n"}, {"questions"}),
        ({"questions.csv": "question,type\nq1,factoid\nq2,list\nq3,\n"}, {"questions"}),
        ({"info.csv": "run,team,size\na,Alpha,7B\nb,Beta,\n"}, {"runs"}),
    ],
)
def test_what_a_table_says_changes_its_fingerprint_alone(
    loaded: Campaign, files: dict[str, str | bytes | None], tables: set[str]
) -> None:
    assert changed(loaded, files) == {f"toy/{table}" for table in tables}


@pytest.mark.exhaustive
def test_any_change_of_the_files_changes_the_fingerprint_of_the_sources(campaign: Campaign) -> None:
    seen = set()
    for files in (
        {},
        {"runs/a.csv": FILES["runs/a.csv"] + "\n"},
        {"runs/c.csv": FILES["runs/a.csv"]},
        {"runs/c.csv": None, "runs/d.csv": FILES["runs/a.csv"]},
    ):
        campaign.write(files)
        campaign.ingest()
        seen.add(campaign.fingerprints()["toy/sources"][0])
    assert len(seen) == 4


# --- keys, patterns, verdicts ---

JUDGED = {
    "keys.csv": "question,key,level,class\nq1,Paris; City of Light,S,p\nq2,blue | red,,\n",
    "patterns.csv": "question,pattern\nq1,Par.s\nq2,\\bblue\\b\n",
    "gpt.csv": "question,answer,label\nq1,Paris,A\nq1,Rome,B\nq2,blue,C\n",
}
CODES = {"A": "right", "B": "wrong", "C": "not_attempted"}


@pytest.fixture
def judged(campaign: Campaign) -> Campaign:
    """The toy campaign with a key, patterns, and the verdicts of a judge called gpt."""
    campaign.write(JUDGED)
    paths = {"keys": ["keys.csv"], "patterns": ["patterns.csv"], "verdicts/gpt": ["gpt.csv"]}
    campaign.change(
        paths={**campaign.files.paths, **paths},
        labels={"R": "right", "W": "wrong"},
        verdicts={"gpt": CODES},
    )
    return campaign


def test_keys_patterns_and_verdicts_are_loaded(judged: Campaign) -> None:
    judged.ingest()
    assert judged.rows("SELECT question, key, level, class FROM keys ORDER BY line") == [
        ("q1", "Paris; City of Light", "S", "p"),
        ("q2", "blue | red", None, None),
    ]
    assert judged.rows("SELECT pattern FROM patterns ORDER BY line") == [
        ("Par.s",),
        (r"\bblue\b",),
    ]
    gpt = read(judged.database, "toy", "verdicts/gpt", ["answer", "verdict"])
    assert sorted(gpt.rows()) == [
        ("Paris", "right"),
        ("Rome", "wrong"),
        ("blue", "not_attempted"),
    ]
    assert read(judged.database, "toy", "verdicts/other", ["answer"]).is_empty()


@pytest.mark.exhaustive
def test_the_same_verdicts_may_serve_two_judges(judged: Campaign) -> None:
    judged.change(
        paths={**judged.files.paths, "verdicts/strict": ["gpt.csv"]},
        verdicts={"gpt": CODES, "strict": CODES | {"A": "wrong"}},
    )
    judged.ingest()
    strict = read(judged.database, "toy", "verdicts/strict", ["verdict"])
    assert sorted(strict["verdict"]) == ["not_attempted", "wrong", "wrong"]
    assert (judged.folder / "results/fingerprints/toy/verdicts/strict").exists()


def test_without_a_list_keys_and_patterns_name_questions_too(judged: Campaign) -> None:
    paths = {**judged.files.paths, "questions": []}
    judged.write({"keys.csv": "question,key\nq3,x\n", "patterns.csv": "question,pattern\nq4,x\n"})
    judged.change(paths=paths)
    judged.ingest()
    assert judged.rows("SELECT question FROM questions ORDER BY ALL") == [
        ("q1",),
        ("q2",),
        ("q3",),
        ("q4",),
    ]


@pytest.mark.exhaustive
def test_languages_that_there_are_not_are_refused_where_a_key_goes_by_them(
    judged: Campaign,
) -> None:
    judged.write({"questions.csv": "question,language\nq1,english\nq2,pt-BR\nq3,Deutsch\nq4,\n"})
    judged.ingest()  # nothing goes by them
    judged.change(by_key=True)
    allowed = "allowed: de, en, es, fr, it, ja, nl, pt, ro, zh, or another two-letter code"
    first = f"questions.csv, line 2, column language: 'english' is not a language; {allowed}"
    assert judged.refusal() == [f"{first} (and 1 more like this)"]
    assert in_problems_csv(judged)["value"].to_list() == ["english", "Deutsch"]


@pytest.mark.exhaustive
def test_the_levels_in_keys_are_there_for_measures_that_need_them(judged: Campaign) -> None:
    judged.change(needs={"level": ["credit"]})
    judged.write({"keys.csv": "question,key\nq1,1799 | 18th century @B\nq2,x\n"})
    judged.ingest()
    judged.write({"keys.csv": "question,key\nq1,1799 | 18th century \\@B\nq2,x\n"})
    assert any("column level: is in none of the" in line for line in judged.refusal())


def test_faults_of_keys_patterns_and_verdicts_are_told_together(judged: Campaign) -> None:
    judged.write(
        {
            "keys.csv": "question,key\nq1,Abraham *Lincoln\nq2,\nq9,x\nq1,Mars <planet>\n",
            "patterns.csv": "question,pattern\nq1,Smith(?=son)\nq2,x\n",
            "gpt.csv": "question,answer,label\nq1,Paris,maybe\nq2,blue,A\nq2,blue,B\n",
        }
    )
    lines = "\n".join(judged.refusal())
    for told in (
        "keys.csv, line 2, column key: 'Abraham *Lincoln' cannot be read at character 9: * is not closed",
        "keys.csv, line 5, column key: 'Mars <planet>' cannot be read at character 6: there is no type "
        "<planet>; allowed: <person>, <place>, <date>, <number>, <percent>, <money>, <measure>",
        "keys.csv, line 3, column key: '' is empty",
        "keys.csv, line 4, column question: 'q9' is an unknown question",
        "patterns.csv, line 2, column pattern: 'Smith(?=son)' of question q1 cannot be used: look-around",
        "gpt.csv, line 2, column label: 'maybe' is an unknown label; allowed: ",
        "gpt.csv, line 3, column label: 'right' conflicts with another label by the judge for question q2",
    ):
        assert told in lines


def test_a_changed_key_changes_the_fingerprint_of_the_keys_alone(judged: Campaign) -> None:
    judged.ingest()
    folder = judged.folder / "results/fingerprints/toy"
    names = ["questions", "responses", "assessments", "keys", "patterns", "verdicts/gpt"]
    before = {name: (folder / name).read_text() for name in names}
    judged.write({"keys.csv": JUDGED["keys.csv"].replace("blue", "green")})
    assert judged.ingest() == (1, 7)
    changed = [name for name in names if (folder / name).read_text() != before[name]]
    assert changed == ["keys"]


@pytest.mark.exhaustive
def test_keys_of_other_questions_are_left_out_where_asked(judged: Campaign) -> None:
    judged.write({"keys.csv": JUDGED["keys.csv"] + "q9,x,,\n"})
    judged.change(skip_unknown_questions=True)
    judged.ingest()
    text = "keys for questions that are not in the collection: left out"
    assert judged.rows("SELECT remark, count FROM remarks") == [(text, 1)]


@pytest.mark.exhaustive
def test_answers_of_a_pool_come_back_as_they_were(judged: Campaign) -> None:
    """A sheet has an apostrophe before what a spreadsheet would run; other files mean theirs."""
    sheet = "question,text,answer,label\nq1,Who?,'=1+1,R\nq1,Who?,''-5,R\nq1,Who?,it's,W\n"
    judged.write(
        {"assessments2.csv": sheet, "assessments3.csv": "question,answer,label\nq2,'=x,R\n"}
    )
    judged.ingest()
    found = judged.rows("SELECT answer FROM assessments WHERE source IN (SELECT source FROM sources"
                        " WHERE path IN ('assessments2.csv', 'assessments3.csv')) ORDER BY ALL")  # fmt: skip
    assert found == [("'-5",), ("'=x",), ("=1+1",), ("it's",)]


@pytest.mark.exhaustive
def test_rows_without_a_label_are_not_judged_yet(judged: Campaign) -> None:
    judged.write({"assessments2.csv": "question,answer,label\nq1,Lyon,\nq2,red, \nq2,green,W\n"})
    judged.ingest()
    found = judged.rows(
        "SELECT answer, verdict, line FROM assessments WHERE answer IN ('Lyon', 'green')"
    )
    assert found == [("green", "wrong", 4)]
    told = "rows without a label: not judged yet, left out"
    assert judged.rows("SELECT remark, count FROM remarks WHERE source > 0 ORDER BY ALL") == [
        ("assessments for answers that no run gives", 1),
        (told, 2),
    ]
    judged.write({"gpt.csv": "question,answer,label\nq1,Paris,\n"})  # of a machine it is a fault
    assert "gpt.csv, line 2, column label: '' is" in "\n".join(judged.refusal())


def test_assessments_that_stand_there_twice_are_remarked_on(judged: Campaign) -> None:
    judged.write({"assessments2.csv": "question,answer,label\nq2,red,W\nq2,red,W\nq2,green,W\n"})
    judged.ingest()
    assert judged.rows("SELECT remark, count FROM remarks ORDER BY ALL") == [
        ("assessments for answers that no run gives", 3),
        ("duplicate assessments", 1),
    ]


# --- files that change while they are read ---


def test_a_file_that_changes_while_it_is_read_is_read_again(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    changing, read_bytes = campaign.folder / "data/runs/a.csv", sources.read_bytes

    def read_and_change(path: Path) -> bytes:
        content = read_bytes(path)
        if path == changing:
            path.write_bytes(content.replace(b"Paris", b"Milan"))
        return content

    monkeypatch.setattr(sources, "read_bytes", read_and_change)
    assert campaign.ingest() == (5, 0)
    monkeypatch.undo()
    assert campaign.ingest() == (1, 4)  # though nothing has changed since
    assert campaign.rows("SELECT answer FROM responses WHERE run = 'a'")[0] == ("Milan",)


@pytest.mark.exhaustive
def test_a_file_that_vanishes_before_it_is_read_is_refused(
    loaded: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, resolve = loaded.content(), sources.resolve

    def resolve_and_delete(*given: Any) -> list[tuple[str, str]]:
        found = list(resolve(*given))
        (loaded.folder / "data/runs/a.csv").unlink(missing_ok=True)
        return found

    monkeypatch.setattr(sources, "resolve", resolve_and_delete)
    assert loaded.refusal() == ["runs/a.csv: does not exist"]
    assert loaded.content() == before


@pytest.mark.exhaustive
def test_a_file_with_size_times_and_inode_kept_is_read_with_verify(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sources, "state", lambda _: "[1, 2, 3, 4]")
    assert campaign.ingest() == (5, 0)
    path = campaign.folder / "data/runs/a.csv"
    path.write_text(path.read_text().replace("Paris", "Milan"))
    assert campaign.ingest() == (0, 5)
    assert campaign.ingest(verify=True) == (1, 4)


# --- scores ---


def with_scores(campaign: Campaign, text: str) -> None:
    campaign.write({"rouge.csv": text})
    campaign.change(
        paths={**campaign.files.paths, "scores/rouge": ["rouge.csv"]}, scales={"rouge": [0, 10]}
    )


def test_scores_are_loaded_with_the_rank_that_they_are_for(campaign: Campaign) -> None:
    with_scores(campaign, "question,run,answer,score,scorer\nq1,a,,7.5,f\nq1,,Rome,2,f\n")
    campaign.ingest()
    assert campaign.rows("SELECT question, run, rank, answer, score, scorer FROM scores") == [
        ("q1", "a", 1, None, 7.5, "f"),
        ("q1", None, None, "Rome", 2.0, "f"),
    ]


def test_faults_of_scores_are_told_with_their_lines(campaign: Campaign) -> None:
    rows = ["q1,a,,3", "q1,a,,4", "q2,a,,11", "q2,,,1", "q2,,x,much"]
    with_scores(campaign, "\n".join(["question,run,answer,score", *rows]))
    message = "\n".join(campaign.refusal())
    assert "rouge.csv, line 2, column score: '3' conflicts with another score for question q1" in (
        message
    )
    assert (
        "rouge.csv, line 4, column score: '11' is outside the scale; allowed: a number from 0"
        in (message)
    )
    assert "rouge.csv, line 5, column answer: '' does not say what is scored" in message
    assert "rouge.csv, line 6, column score: 'much' is not a number" in message


# --- weights of questions ---


def test_a_weight_that_is_no_number_is_not_called_empty(campaign: Campaign) -> None:
    lines = ["question,weight", "q1,2", "q2,heavy", "q3,", "q4,0", "q5,-1", "q6,NaN"]
    campaign.write({"questions.csv": "\n".join(lines) + "\n"})
    told = [line for line in campaign.refusal() if "column weight" in line]
    above_0 = "is not allowed; allowed: a finite number above 0 (and 2 more like this)"
    assert (
        sorted(line.strip() for line in told)
        == [
            f"questions.csv, line 5, column weight: '0' {above_0}",
            "questions.csv, line 4, column weight: is empty for question q3, while others have a "
            "weight; allowed: a weight for every question, or for none",
            "questions.csv, line 3, column weight: 'heavy' is not a number; allowed: a number",
        ][::-1]
    )


def test_a_label_for_an_unknown_question_is_counted_once(campaign: Campaign) -> None:
    labels = "question,answer,label\nq1,Paris,R\nq1,Rome,W\nq2,blue,R\nq9,red,R\n"
    campaign.write({"assessments.csv": labels})
    campaign.change(skip_unknown_questions=True)
    campaign.ingest()
    text = "assessments for questions that are not in the collection: left out"
    assert remarks(campaign) == [("question", text, 1)]


def test_a_column_that_no_table_of_a_file_uses_counts_its_lines_once(campaign: Campaign) -> None:
    both = [
        {"question": "q1", "key": ["Paris", "City of Paris"], "note": "x"},
        {"question": "q2", "key": ["blue"], "note": "y"},
    ]
    campaign.write({"both.jsonl": "".join(f"{json.dumps(each)}\n" for each in both)})
    paths = {"questions": ["both.jsonl"], "keys": ["both.jsonl"], "responses": ["runs/*"]}
    campaign.change(paths=paths)
    campaign.ingest()
    _, found = read_sources(campaign.database, "toy")
    unused = found.filter(remark=NOT_USED).select("column", "count").rows()
    assert unused == [("key", 2), ("note", 2)]
