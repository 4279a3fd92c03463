"""Tables that are nearly ours: other names, other separators, runs in paths, lists in cells."""

import io
import json

import polars as pl
import pytest

from tests.helpers.toy_campaign import Campaign

pytestmark = pytest.mark.slow


RESPONSES = "SELECT run, question, rank, answer FROM responses ORDER BY ALL"
REMARKS = """
    SELECT "column", remark, sum(count)::INT FROM remarks
    WHERE starts_with(remark, 'read as') OR starts_with(remark, 'not read') GROUP BY ALL ORDER BY ALL
"""
GRADED = (
    "problem,answer,predicted_answer,grade\n"
    "Where is it?,Paris,in Paris,A\n"
    "Which colour?,blue,green,B\n"
)


def use(campaign: Campaign, files: dict[str, str | bytes], paths: dict[str, list[str]], **options):
    """A campaign of these files alone; options by table."""
    campaign.write(files)
    tables = ("questions", "responses", "runs", "assessments", "keys", "patterns")
    campaign.change(paths={table: [] for table in tables} | paths, file_options=options)


def test_a_graded_file_is_responses_keys_and_grades(campaign: Campaign) -> None:
    use(
        campaign,
        {"out/m1.csv": GRADED, "out/m2.csv": GRADED.replace("green,B", "blue,A")},
        {"responses": ["out/*.csv"], "assessments": ["out/*.csv"], "keys": ["out/m1.csv"]},
        responses={"columns": {"question": "problem"}},
        assessments={"columns": {"question": "problem"}, "run": "{stem}"},
        keys={"columns": {"question": "problem"}, "literal": True},
    )
    campaign.change(labels={"A": "right", "B": "wrong", "C": "not_attempted"})
    campaign.ingest()
    assert campaign.rows(RESPONSES) == [
        ("m1", "Where is it?", 1, "in Paris"),
        ("m1", "Which colour?", 1, "green"),
        ("m2", "Where is it?", 1, "in Paris"),
        ("m2", "Which colour?", 1, "blue"),
    ]
    assert campaign.rows("SELECT question, key, literal FROM keys ORDER BY ALL") == [
        ("Where is it?", "Paris", True),
        ("Which colour?", "blue", True),
    ]
    verdicts = "SELECT run, question, rank, answer, verdict FROM assessments ORDER BY ALL"
    assert campaign.rows(verdicts) == [
        ("m1", "Where is it?", 1, "in Paris", "right"),
        ("m1", "Which colour?", 1, "green", "wrong"),
        ("m2", "Where is it?", 1, "in Paris", "right"),
        ("m2", "Which colour?", 1, "blue", "right"),
    ]
    assert campaign.rows(REMARKS) == [
        ("answer", "not read in assessments: predicted_answer is read instead", 4),
        ("answer", "not read in runs: predicted_answer is read instead", 4),
        ("answer", "read as key in keys", 2),
        ("grade", "read as label in assessments", 4),
        ("predicted_answer", "read as answer in assessments", 4),
        ("predicted_answer", "read as answer in runs", 4),
    ]


@pytest.mark.parametrize(
    "header",
    ["model,id,prediction", "system,qid,response", "run,question_id,output", "run,question,answer"],
)
def test_common_names_are_understood(campaign: Campaign, header: str) -> None:
    files = {"all.csv": f"{header}\nm/1,q1,x\n", "gold.csv": "id,target\nq1,x\n"}
    use(campaign, files, {"responses": ["all.csv"], "keys": ["gold.csv"]})
    campaign.ingest()
    assert campaign.rows(RESPONSES) == [("m/1", "q1", 1, "x")]
    assert campaign.rows("SELECT question, key FROM keys") == [("q1", "x")]
    ours = [name in ("run", "question", "answer") for name in header.split(",")]
    assert len(campaign.rows(REMARKS)) == 2 + ours.count(False)


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("header", "problem", "allowed"),
    [
        ("id,question,answer", "a column question and a column id", "columns: {question: id}"),
        ("id,qid,answer", "a column id and a column qid", "columns: {question: id}"),
        ("run,model,answer,question", "a column run and a column model", "columns: {run: model}"),
        ("question,prediction,output", "a column prediction and a column output",
         "columns: {answer: prediction}"),
    ],
)  # fmt: skip
def test_two_columns_that_can_be_the_same_are_refused(
    campaign: Campaign, header: str, problem: str, allowed: str
) -> None:
    row = ",".join("x" for _ in header.split(","))
    files = {"a.csv": f"{header}\n{row}\n", "gold.csv": "question,key\nx,x\n"}
    use(campaign, files, {"responses": ["a.csv"], "keys": ["gold.csv"]})
    (message,) = campaign.refusal()
    assert message.startswith(f"a.csv, line 1: has {problem}, and each can be its ")
    assert allowed in message


@pytest.mark.exhaustive
def test_the_config_decides_between_two_columns(campaign: Campaign) -> None:
    files = {"a.csv": "id,question,answer\nq1,Where?,x\n", "q.csv": "id,question\nq1,Where?\n",
             "gold.csv": "question,key\nq1,x\n"}  # fmt: skip
    use(
        campaign,
        files,
        {"responses": ["a.csv"], "keys": ["gold.csv"], "questions": ["q.csv"]},
        responses={"columns": {"question": "id"}},
        questions={"columns": {"question": "id", "text": "question"}},
    )
    campaign.ingest()
    assert campaign.rows(RESPONSES) == [("a", "q1", 1, "x")]
    assert campaign.rows("SELECT question, text FROM questions") == [("q1", "Where?")]
    assert campaign.rows(REMARKS) == [("question", "not read in runs: id is read instead", 1)]


@pytest.mark.exhaustive
def test_a_column_can_be_two_of_ours(campaign: Campaign) -> None:
    use(
        campaign,
        {"a.csv": "problem,answer\nWhere?,x\n", "gold.csv": "question,key\nWhere?,x\n"},
        {"responses": ["a.csv"], "keys": ["gold.csv"], "questions": ["a.csv"]},
        responses={"columns": {"question": "problem"}},
        questions={"columns": {"question": "problem", "text": "problem"}},
    )
    campaign.ingest()
    assert campaign.rows("SELECT question, text FROM questions") == [("Where?", "Where?")]


def test_a_column_that_the_config_names_must_be_there(campaign: Campaign) -> None:
    files = {"a.csv": "question,answer\nq1,x\n", "gold.csv": "question,key\nq1,x\n"}
    paths = {"responses": ["a.csv"], "keys": ["gold.csv"]}
    use(campaign, files, paths, responses={"columns": {"answer": "reply", "rank": "place"}})
    assert [line.partition(";")[0] for line in campaign.refusal()] == [
        "a.csv, line 1: has no column 'place', which the config takes for rank",
        "a.csv, line 1: has no column 'reply', which the config takes for answer",
    ]


def test_runs_come_from_paths(campaign: Campaign) -> None:
    text = "question,answer\nq1,x\n"
    files = {"out/gpt/answers.csv": text, "out/llama/answers.csv": text,
             "gold.csv": "question,key\nq1,x\n"}  # fmt: skip
    paths = {"responses": ["out/*/answers.csv"], "keys": ["gold.csv"]}
    for pattern, runs in {
        "{parent}": ["gpt", "llama"],
        "{parent}/{stem}": ["gpt/answers", "llama/answers"],
        "out/{run}/*.csv": ["gpt", "llama"],
    }.items():
        use(campaign, files, paths, responses={"run": pattern})
        assert campaign.ingest()[0] >= 2  # read again for each pattern
        assert campaign.rows("SELECT DISTINCT run FROM responses ORDER BY run") == [
            (run,) for run in runs
        ]
    use(campaign, files, paths, responses={"run": "in/{run}/x.csv"})
    assert "in which 'in/{run}/x.csv' finds no run" in campaign.refusal()[0]
    files["out/gpt/answers.csv"] = "run,question,answer\nr,q1,x\n"
    use(campaign, files, paths, responses={"run": "{parent}"})
    (message,) = campaign.refusal()
    assert message.startswith("out/gpt/answers.csv, line 1: has a column run, and its run is also")


@pytest.mark.exhaustive
def test_what_is_said_of_files_reads_only_these_again(campaign: Campaign) -> None:
    files = {"a.csv": "question,answer\nq1,x\n", "b.csv": "question,answer\nq1,x\n",
             "gold.csv": "question,key\nq1,x\n"}  # fmt: skip
    paths = {"responses": ["a.csv", "b.csv"], "keys": ["gold.csv"]}
    use(campaign, files, paths)
    assert campaign.ingest() == (3, 0)
    campaign.change(file_options={"keys": {"literal": True}})
    assert campaign.ingest() == (1, 2)
    assert campaign.rows("SELECT literal FROM keys") == [(True,)]
    campaign.change(file_options={"keys": {"literal": True}, "responses": {"format": "csv"}})
    assert campaign.ingest() == (2, 1)
    assert campaign.ingest() == (0, 3)


@pytest.mark.exhaustive
@pytest.mark.parametrize("separator", [";", "\t"])
def test_another_separator_is_recognised(campaign: Campaign, separator: str) -> None:
    text = "question,answer\nq1,x\nq2,\n".replace(",", separator).replace("x", '"x, y"')
    files = {"a.csv": text, "b.csv": text, "gold.csv": "question,key\nq1,x\nq2,x\n"}
    use(campaign, files, {"responses": ["a.csv", "b.csv"], "keys": ["gold.csv"]})
    campaign.ingest()
    assert campaign.rows("SELECT answer FROM responses WHERE question = 'q1'") == [("x, y",)] * 2


@pytest.mark.exhaustive
@pytest.mark.parametrize("indent", [None, 1])
def test_json_may_be_one_array(campaign: Campaign, indent: int | None) -> None:
    rows = [{"question": "q1", "answer": "x"}, {"question": "q2", "answer": ["y", "z", 3]}]
    for name in ("a.json", "a.jsonl"):
        files = {name: json.dumps(rows, indent=indent), "gold.csv": "question,key\nq1,x\nq2,x\n"}
        use(campaign, files, {"responses": [name], "keys": ["gold.csv"]})
        campaign.ingest()
        assert campaign.rows(RESPONSES) == [
            ("a", "q1", 1, "x"),
            ("a", "q2", 1, "y"),
            ("a", "q2", 2, "z"),
            ("a", "q2", 3, "3"),
        ]


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('[{"question": "q1"}, {"question": ]', "a.json, line 2: is not JSON (Expecting value, line 1"),
        ('[{"question": "q1"} {"question": "q2"}]', "a.json, line 2: is not JSON (no , or ] after"),
        ('[{"question": "q1"}] x', "a.json, line 2: is not JSON (there is something after the array"),
        ('[{"question": "q1"}, 5]', "a.json, line 2: is not JSON (not an object)"),
        ('[{"question": "q1"},]', "a.json, line 2: is not JSON (Expecting value"),
        ("[]", "a.json: is empty"),
    ],
)  # fmt: skip
def test_a_broken_array_is_refused(campaign: Campaign, text: str, found: str) -> None:
    files = {"a.json": text, "gold.csv": "question,key\nq1,x\nq2,x\n"}
    use(campaign, files, {"responses": ["a.json"], "keys": ["gold.csv"]})
    assert found in "\n".join(campaign.refusal())


def test_lists_of_answers_are_ranks_and_lists_of_keys_forms(campaign: Campaign) -> None:
    frame = pl.DataFrame({"question": ["q1", "q2"], "answer": [["x", "y"], []]})
    frame.write_parquet(parquet := io.BytesIO())
    files = {
        "p.parquet": parquet.getvalue(),
        "c.csv": 'question,answer\nq1,"[""x"", ""y""]"\nq2,\n',
        "t.csv": 'question,answer\nq1,"[1, 2]"\nq2,no list\n',
        "gold.jsonl": '{"question": "q1", "key": ["x", "y"]}\n{"question": "q2", "key": "z"}\n',
    }
    paths = {"responses": ["c.csv", "p.parquet", "t.csv"], "keys": ["gold.jsonl"]}
    use(campaign, files, paths)
    campaign.ingest()
    ranked = [("q1", 1, "x"), ("q1", 2, "y"), ("q2", 1, None)]
    assert campaign.rows(RESPONSES) == [
        *(("c", *row) for row in ranked),
        *(("p", *row) for row in ranked),
        ("t", "q1", 1, "[1, 2]"),  # another cell is no list: a text
        ("t", "q2", 1, "no list"),
    ]
    assert campaign.rows('SELECT question, key, "class" FROM keys ORDER BY ALL') == [
        ("q1", "x", "x"),
        ("q1", "y", "x"),
        ("q2", "z", None),
    ]
    texts = campaign.rows("SELECT remark, count FROM remarks WHERE starts_with(remark, 'lists')")
    assert sorted(texts) == [
        ("lists of answers: ranked in their order", 1),
        ("lists of answers: ranked in their order", 2),
        ("lists of keys: forms of one answer", 1),
    ]


@pytest.mark.exhaustive
def test_lists_beside_ranks_and_lists_of_lists_are_refused(campaign: Campaign) -> None:
    files = {
        "a.jsonl": '{"question": "q1", "answer": ["x"], "rank": 1}',
        "b.jsonl": '{"question": "q1", "answer": [["x"], "y"]}\n{"question": "q2", "answer": ["x"]}',
        "gold.csv": "question,key\nq1,x\nq2,x\n",
    }
    use(campaign, files, {"responses": ["a.jsonl", "b.jsonl"], "keys": ["gold.csv"]})
    assert [line.partition(";")[0] for line in campaign.refusal()] == [
        "a.jsonl, line 1: has lists of answers, and a column rank",
        'b.jsonl, line 1, column answer: \'[["x"], "y"]\' is not a single value',
    ]


def test_flags_are_labels_unless_the_config_says_otherwise(campaign: Campaign) -> None:
    labels = ["true", "False", "1", "0", "YES", "no", "1.0"]
    rows = "".join(f"q{n},x,{label}\n" for n, label in enumerate(labels))
    files = {
        "a.csv": "question,answer\n" + "".join(f"q{n},x\n" for n in range(len(labels))),
        "grades.csv": f"question,answer,correct\n{rows}",
    }
    use(campaign, files, {"responses": ["a.csv"], "assessments": ["grades.csv"]})
    campaign.ingest()
    verdicts = "SELECT verdict FROM assessments ORDER BY question"
    right = ["right", "wrong", "right", "wrong", "right", "wrong", "right"]
    assert [word for (word,) in campaign.rows(verdicts)] == right
    campaign.change(labels={"1": "wrong", "0": "right"})
    campaign.ingest()
    turned = ["right", "wrong", "wrong", "right", "right", "wrong", "wrong"]
    assert [word for (word,) in campaign.rows(verdicts)] == turned
    campaign.write(
        {
            "grades.csv": "question,answer,grade\nq0,x,C\nq1,x,y\n",
            "a.csv": "question,answer\nq0,x\nq1,x\n",
        }
    )
    (message,) = campaign.refusal()
    assert message.startswith("grades.csv, line 2, column label: 'C' is an unknown label")
    assert message.endswith("(and 1 more like this)")


@pytest.mark.exhaustive
def test_keys_of_signs_are_remarked_on_and_literal_keys_need_no_grammar(campaign: Campaign) -> None:
    gold = 'question,key\nq1,🎉\nq2,"5"" disk; x"\n'
    files = {"a.csv": "question,answer\nq1,x\nq2,y\n", "gold.csv": gold}
    paths = {"responses": ["a.csv"], "keys": ["gold.csv"]}
    use(campaign, files, paths)
    (message,) = campaign.refusal()
    assert "stands inside a word" in message
    assert message.endswith("literal: true reads keys as plain text")
    use(campaign, files, paths, keys={"literal": True})
    campaign.ingest()
    assert campaign.rows("SELECT key FROM keys ORDER BY question") == [("🎉",), ('5" disk; x',)]
    assert campaign.rows("SELECT remark FROM remarks WHERE \"column\" = 'key'") == []
    use(campaign, files | {"gold.csv": "question,key\nq1,🎉\nq2,;-)\n"}, paths)
    campaign.ingest()
    assert campaign.rows("SELECT remark, count FROM remarks WHERE \"column\" = 'key'") == [
        ("keys with a form of signs alone: compared as it is", 2)
    ]
    use(campaign, files | {"gold.csv": "question,key\nq1,; ; ;\nq2,\\*\n"}, paths)
    (message,) = campaign.refusal()
    assert message.startswith("gold.csv, line 2, column key: '; ; ;' cannot be read")


def test_levels_of_keys_that_no_measure_uses_are_remarked_on(campaign: Campaign) -> None:
    files = {
        "a.csv": "question,answer\nq1,x\nq2,y\n",
        "gold.csv": "question,key\nq1,dog @Z\nq2,y\n",
    }
    use(campaign, files, {"responses": ["a.csv"], "keys": ["gold.csv"]})
    campaign.ingest()
    assert campaign.rows("SELECT remark, count FROM remarks WHERE \"column\" = 'key'") == [
        ("levels of keys (@…) that no measure uses", 1)
    ]
    campaign.change(levels=["B"])
    (message,) = campaign.refusal()
    assert "has an unknown level @Z" in message
