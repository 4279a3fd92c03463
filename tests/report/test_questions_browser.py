"""The pages of questions in a real browser: matrix, search, filters, links, two runs side by side."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest

from qampaign.publishing import side_by_side
from qampaign.publishing.side_by_side import lines, put_side_by_side
from qampaign.report.page import render
from qampaign.report.questions import answers, overview, page
from tests.helpers import cases
from tests.report import report_campaign
from tests.report.browser import Browser, Page, violations, wait
from tests.report.question_tables import (
    EVIL,
    HOSTILE,
    Tables,
    answer,
    frame,
    pair,
    scored_tables,
    tables,
    write,
)

ROWS = "[...document.querySelectorAll('.row .id')].map(each => each.textContent)"
FOCUS = "document.activeElement.textContent"
MINUS = re.compile(r"-(?=\d)")
OPEN = "document.getElementById('question').open"
ABOUT = "[...document.querySelectorAll('#about .sentence')].map(each => each.textContent)"


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    (path,) = write(tables(), tmp_path_factory.mktemp("questions"))
    return path


@pytest.fixture(scope="module")
def scored_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    (path,) = write(scored_tables(), tmp_path_factory.mktemp("scored"))
    return path


@pytest.fixture
def opened(chromium: Browser, file: Path) -> Iterator[Page]:
    page = chromium.page()
    page.open(file)
    yield page
    assert page.complaints() == []
    assert [each for each in page.requests() if not each.startswith("file:")] == []
    page.close()


def go(page: Page, **chosen: Any) -> None:
    """Follow a link to what is chosen."""
    parts = [(name, one) for name, value in chosen.items()
             for one in (value if isinstance(value, list) else [value])]  # fmt: skip
    page.evaluate(f"void (location.hash = '#' + new URLSearchParams({json.dumps(parts)}))")
    wait(
        lambda: page.evaluate("!document.querySelector('form.choices, .controls').hidden"),
        "the page",
    )
    page.evaluate("new Promise(done => setTimeout(done, 50))")


def choose(page: Page, name: str, value: str) -> None:
    """Choose an option by its text, or type into a field."""
    page.evaluate(
        f"(() => {{ const field = document.querySelector('[name={name}]');"
        f" const text = {json.dumps(value)};"
        " field.value = field.options ? [...field.options].find(each => each.text === text).value : text;"
        " field.dispatchEvent(new Event('input', {bubbles: true})); })()"
    )
    page.evaluate("new Promise(done => setTimeout(done, 250))")


def table(page: Page, title: str) -> list[list[str]]:
    """The cells of a table by its title."""
    found: list[list[str]] = page.evaluate(
        f"[...document.querySelector('[aria-label={json.dumps(title)}] tbody').rows]"
        ".map(row => [...row.cells].map(cell => cell.textContent))"
    )
    return found


def colour(page: Page, questions: int, question: int, run: int, *, below: float = 0.5) -> list[int]:
    """The colour of a cell of the matrix, which shows so many questions, so far below its top."""
    found: list[int] = page.evaluate(
        "(() => { const canvas = document.querySelector('canvas');"
        " const copy = Object.assign(document.createElement('canvas'),"
        " {width: canvas.width, height: canvas.height});"
        " const pen = copy.getContext('2d', {willReadFrequently: true});"
        " pen.drawImage(canvas, 0, 0);"
        f" const x = ({run} + 0.4) * canvas.width / 3,"
        f" y = ({question} + {below}) * canvas.height / {questions};"
        " return [...pen.getImageData(Math.floor(x), Math.floor(y), 1, 1).data.slice(0, 3)]; })()"
    )
    return found


def point(page: Page, questions: int, question: int, run: int) -> str:
    """What the page says of the cell that is pointed at."""
    said: str = page.evaluate(
        "(() => { const canvas = document.querySelector('canvas'), box = canvas.getBoundingClientRect();"
        f" const at = {{clientX: box.x + ({run} + 0.4) * box.width / 3,"
        f" clientY: box.y + ({question} + 0.5) * box.height / {questions}}};"
        " canvas.dispatchEvent(new PointerEvent('pointermove', at));"
        " return document.getElementById('pointed').textContent; })()"
    )
    return said


def test_the_matrix_shows_every_question_and_its_colours(opened: Page) -> None:
    assert opened.evaluate(ROWS) == ["q1", "q2", "q3", "q4", "q5", "q6"]
    names = "[...document.querySelectorAll('.names a')].map(each => each.textContent)"
    assert opened.evaluate(names) == ["a", "b", "</scri…</script>"]  # the middle left out
    colours = [colour(opened, 6, *cell) for cell in ((0, 0), (0, 1), (3, 1), (3, 0))]
    # right, wrong, withheld with a right candidate, nothing answered: as in the report
    assert colours == [[47, 118, 181], [207, 116, 32], [196, 220, 239], [233, 235, 238]]
    choose(opened, "judge", "key")
    assert opened.evaluate(ROWS) == ["q1", "q2", "q3", "q4", "q5"]  # the key does not judge q6
    assert "judge=key" in opened.evaluate("location.hash")


def test_what_judges_differ_about_is_marked(opened: Page) -> None:
    """Of q1 the answer of the first run, of q5 that of the third."""
    ink, legend = [29, 36, 48], "document.getElementById('legend').textContent"
    assert colour(opened, 6, 0, 0, below=0.08) != ink
    assert "judges differ" not in opened.evaluate(legend)
    go(opened, show="differ")
    marks = [
        [colour(opened, 2, question, run, below=0.08) == ink for run in range(3)]
        for question in range(2)
    ]
    assert marks == [[True, False, False], [False, False, True]]
    assert "judges differ" in opened.evaluate(legend)
    assert point(opened, 2, 0, 0) == "a \u00b7 q1 \u00b7 right by people; wrong by key"
    assert point(opened, 2, 0, 1) == "b \u00b7 q1 \u00b7 wrong"


def test_judges_differ_about_withheld_answers_and_not_where_one_has_no_verdict(
    chromium: Browser, tmp_path: Path
) -> None:
    """The key calls what b withholds on q4 wrong, which people call right; of a on q1 it has none."""
    made = tables()
    by_key = (pl.col("judge") == "key") & (pl.col("run") == "b") & (pl.col("question") == "q4")
    silent = (pl.col("judge") == "key") & (pl.col("run") == "a") & (pl.col("question") == "q1")
    made["answers"] = made["answers"].with_columns(
        verdict=pl.when(by_key).then(pl.lit("wrong")).when(silent).then(pl.lit("unassessed"))
        .otherwise("verdict"),
        unassessed=pl.col("unassessed") | silent,
    )  # fmt: skip
    (path,) = write(made, tmp_path)
    page = chromium.page()
    page.open(path, "#show=differ")
    assert page.evaluate(ROWS) == ["q4", "q5"]
    said = "b \u00b7 q4 \u00b7 withheld, right by people; withheld, wrong by key"
    assert point(page, 2, 0, 1) == said
    page.close()


@pytest.mark.parametrize(
    ("chosen", "shown"),
    cases.first(4, [
        ({"show": "none"}, ["q4", "q6"]),
        ({"show": "every"}, ["q2"]),
        ({"show": "only", "only": "a"}, ["q1", "q5"]),
        ({"show": "only", "only": EVIL}, []),
        ({"show": "differ"}, ["q1", "q5"]),
        ({"type": "when"}, ["q3", "q4", "q5"]),
        ({"sort": "hard"}, ["q4", "q6", "q1", "q3", "q5", "q2"]),
        ({"sort": "type"}, ["q3", "q4", "q5", "q1", "q2", "q6"]),
        ({"sort": "differ"}, ["q1", "q5", "q2", "q3", "q4", "q6"]),
        ({"search": "WHAT IS 3"}, ["q3"]),  # a question
        ({"search": "alpha 5"}, ["q5"]),  # an answer
        ({"search": "keyword"}, ["q1"]),  # a key
        ({"search": "onerror", "type": "when"}, ["q3", "q4"]),
        ({"run": "a", "show": "wrong"}, ["q3", "q4", "q6"]),
        ({"run": ["a", "b"]}, ["q3", "q1", "q5"]),  # flipped, losses first
        ({"run": ["a", "b"], "show": "won"}, ["q1", "q5"]),
        ({"run": ["a", "b"], "show": "lost"}, ["q3"]),
        ({"run": "nobody", "judge": "none", "show": "odd", "type": "x"}, [f"q{n}" for n in range(1, 7)]),
    ]),
)  # fmt: skip
def test_a_link_leads_to_every_filter_and_order(
    opened: Page, chosen: dict[str, Any], shown: list[str]
) -> None:
    go(opened, **chosen)
    assert opened.evaluate(ROWS) == shown
    number = opened.evaluate("document.querySelector('output').value")
    assert number == f"{len(shown)} of 6 questions"


def test_choices_are_an_address_and_back_undoes_them(opened: Page) -> None:
    choose(opened, "show", "only one run is right:")
    assert opened.evaluate("location.hash") == "#show=only&only=a"
    choose(opened, "search", "alpha")
    assert opened.evaluate("location.hash") == "#show=only&only=a&search=alpha"
    opened.evaluate("history.back()")
    wait(lambda: opened.evaluate("location.hash") == "#show=only&only=a", "the step back")
    wait(
        lambda: opened.evaluate("document.querySelector('[name=search]').value") == "", "the field"
    )
    assert opened.evaluate(ROWS) == ["q1", "q5"]


def test_a_question_opens_with_all_that_is_known_of_it(opened: Page) -> None:
    go(opened, question="q1")
    assert opened.evaluate("document.querySelector('#question h2').textContent") == "q1"
    asked = opened.evaluate("document.querySelector('#question .asked').textContent")
    assert asked == f"What is 1? {HOSTILE}"
    assert table(opened, "What is accepted") == [["people", "keyword <b>"], ["key", "keyword <b>"]]
    assert table(opened, "Answers") == [
        ["a", "alpha 1", "0.25", "right", "wrong"],
        ["b", HOSTILE, "\u2013", "wrong", "wrong"],
        [EVIL, "gamma", "\u2013", "wrong", "wrong"],
    ]
    assert opened.evaluate("document.querySelectorAll('img').length") == 0
    go(opened, question="q2", judge="key")
    assert table(opened, "Answers")[0][3] == "rightmatched: matchword2class classword"
    go(opened, question="q4")
    assert table(opened, "Answers")[:2] == [
        ["a", "no answer", "1", "not attempted", "not attempted"],
        ["b", f"{HOSTILE} (withheld)", "\u2013", "right, withheld", "right, withheld"],
    ]
    go(opened, question="q5")
    assert "No row: b." in opened.evaluate("document.getElementById('question').textContent")


def test_the_keyboard_alone_is_enough(opened: Page) -> None:
    opened.evaluate("document.querySelector('[name=search]').focus()")
    for sign in "what":
        opened.press(sign, text=sign)
    opened.evaluate("new Promise(done => setTimeout(done, 250))")
    opened.press("Tab")  # the runs
    assert opened.evaluate(FOCUS) == "a"
    opened.press("Tab")  # the questions: one stop
    assert opened.evaluate(FOCUS).startswith("q1")
    opened.press("ArrowDown")
    opened.press("ArrowDown")
    opened.press("End")
    opened.press("ArrowUp")
    assert opened.evaluate(FOCUS).startswith("q5")
    opened.press("Enter")
    wait(lambda: opened.evaluate(OPEN), "the question")
    assert "question=q5" in opened.evaluate("location.hash")
    assert opened.evaluate("document.querySelector('#question h2').textContent") == "q5"
    assert opened.evaluate(FOCUS) == "Close"
    opened.evaluate("document.querySelectorAll('#question button')[0].focus()")
    opened.press("Enter")  # Previous
    assert opened.evaluate("document.querySelector('#question h2').textContent") == "q4"
    assert opened.evaluate(FOCUS) == "Previous"
    opened.press("Escape")
    wait(lambda: not opened.evaluate(OPEN), "the question to close")
    wait(lambda: opened.evaluate(FOCUS).startswith("q4"), "the focus")
    assert "question" not in opened.evaluate("location.hash")


def test_a_run_by_itself(opened: Page) -> None:
    go(opened, run="a")
    assert opened.evaluate(ABOUT) == ["Its first answer is right on 3 of 6 questions, by people."]
    assert table(opened, "Values and ranks")[0] == [
        "Accuracy",
        "people",
        "0.500",
        "0.100 to 0.900",
        "1",
        "1\u20133",
    ]
    # q1 and q5 are won; on q3 one of two others is right, which is not more than half
    assert table(opened, "Against the field") == [
        ["all", "6", "0.500", "0.250", "2", "0"],
        ["when", "3", "0.333", "0.167", "1", "0"],
        ["who", "2", "1.000", "0.500", "1", "0"],
    ]
    assert table(opened, "Calibration") == [["0.2 to 0.3", "1", "0.250", "1.000", "0.750"]]
    go(opened, run=EVIL)
    assert opened.evaluate("document.querySelectorAll('[aria-label=Calibration]').length") == 0
    assert opened.evaluate("document.querySelector('#about h2').textContent") == EVIL


def test_of_samples_the_share_is_said(chromium: Browser, tmp_path: Path) -> None:
    """Of q1 two of three samples are right, of q2 all three: 5/6 on average."""
    samples = [
        answer("people", run, number, state, sample=name)
        for run in ("a", "b")
        for number, states in ((1, "rrw"), (2, "rrr"))
        for name, state in zip("xyz", states, strict=True)
    ]
    made = tables(answers=samples)
    made["questions"] = made["questions"].filter(pl.col("question").is_in(["q1", "q2"]))
    (path,) = write(made, tmp_path)
    page = chromium.page()
    page.open(path, "#run=a")
    assert page.evaluate(ABOUT) == [
        "On average over 2 questions, 83.3% of its samples are right, by people."
    ]
    page.close()


OPTIONS = "[...document.querySelector('[name=%s]').options].map(each => each.value)"
GIVEN = (
    "[...document.querySelectorAll('.row .given')]"
    ".map(each => [...each.children].map(part => part.textContent))"
)


@pytest.fixture
def scored(chromium: Browser, scored_file: Path) -> Iterator[Page]:
    page = chromium.page()
    page.open(scored_file)
    yield page
    assert page.complaints() == []
    page.close()


def test_scores_alone_are_shown_as_scores(scored: Page) -> None:
    assert scored.evaluate(OPTIONS % "show") == ["all"]
    shares = "[...document.querySelectorAll('.row .share')].map(each => each.textContent)"
    assert scored.evaluate(shares) == ["0.75 mean score", "0.00 mean score", "0.50 mean score"]
    legend = scored.evaluate("document.getElementById('legend').textContent")
    assert legend.startswith("score from 0 to 1: as much of the cell")
    assert "right" not in legend
    assert "wrong" not in legend
    go(scored, sort="hard")  # the lowest mean score first
    assert scored.evaluate(ROWS) == ["q2", "q3", "q1"]
    go(scored, show="none")  # a link that speaks of right answers
    assert scored.evaluate(ROWS) == ["q1", "q2", "q3"]
    go(scored, judge="people")
    assert scored.evaluate(OPTIONS % "show") == ["all", "none", "every", "only"]


def test_of_a_question_scores_alone_accept_nothing(scored: Page) -> None:
    go(scored, question="q1")
    facts = "document.querySelector('#question .facts').textContent"
    assert scored.evaluate(facts) == "type who \u00b7 mean score 0.75 of 2 runs, by rubric"
    assert table(scored, "What is accepted") == [["people", "keyword <b>"]]
    assert [row[-2:] for row in table(scored, "Answers")] == [
        ["score 1.00", "right"],
        ["score 0.50", "right"],
    ]
    go(scored, question="q2")
    assert [row[-2] for row in table(scored, "Answers")] == ["no score", "not attempted"]
    go(scored, question="q3")
    assert [row[-2] for row in table(scored, "Answers")] == ["score 1.00", "score 0.80, withheld"]


def test_a_run_has_a_mean_score(scored: Page) -> None:
    go(scored, run="a")
    assert scored.evaluate(ABOUT) == ["Its mean score is 0.667 on 3 questions, by rubric."]
    # b has 0.5 of 3: what it withheld and did not answer counts as 0
    assert table(scored, "Against the field")[0] == ["all", "3", "0.667", "0.167"]
    assert scored.evaluate(OPTIONS % "show") == ["all"]
    assert scored.evaluate(GIVEN) == [
        ["score 1.00", "alpha 1"], ["no score", "alpha 2"], ["score 1.00", "alpha 3"],
    ]  # fmt: skip


def test_two_runs_with_scores_win_and_lose_nothing(scored: Page) -> None:
    go(scored, run=["a", "b"])
    assert scored.evaluate(ROWS) == ["q1", "q3"]  # where a is better; b is nowhere
    assert scored.evaluate("!document.querySelector('[aria-label=\"Won and lost\"]')")
    assert scored.evaluate(OPTIONS % "show") == ["all", "flipped", "won", "lost"]


def test_a_run_without_verdicts_is_not_called_wrong(chromium: Browser, tmp_path: Path) -> None:
    (path,) = write(without_verdicts("a"), tmp_path)
    page = chromium.page()
    page.open(path, "#run=a")
    assert page.evaluate(ABOUT) == [
        "people has no verdict on any answer of a; they count as wrong in its values."
    ]
    shown = "[...document.querySelectorAll('#about h3')].map(each => each.textContent)"
    assert page.evaluate(shown) == ["Values and ranks"]
    go(page, run=["a", "b"])
    assert page.evaluate(ABOUT) == [
        "They cannot be compared: people has no verdict on any answer of a."
    ]
    assert table(page, "Differences")[0] == ["Accuracy", "0.500", "0.333", "0.000"]
    assert page.evaluate(shown) == ["Differences"]
    assert page.evaluate(OPTIONS % "show") == ["all", "none", "every", "only", "differ"]
    go(page, run=["a", "b"], judge="key")  # which has verdicts
    assert page.evaluate(shown) == ["Differences", "Questions won and lost"]
    assert page.evaluate("document.querySelector('[name=show]').value") == "flipped"
    page.close()


def test_a_run_that_is_ranked_alone_has_no_rank_range(chromium: Browser, tmp_path: Path) -> None:
    made = tables()
    alone = pl.when(run="a").then("rank_low")
    made["scores"] = made["scores"].with_columns(rank_low=alone, rank_high=alone)
    (path,) = write(made, tmp_path)
    page = chromium.page()
    page.open(path, "#run=a")
    assert table(page, "Values and ranks")[0] == [
        "Accuracy", "people", "0.500", "0.100 to 0.900", "1",
    ]  # fmt: skip
    page.close()


def said_in_terminal(made: Tables, first: str, second: str, judge: str) -> list[str]:
    """What `qampaign compare` says of two runs; the page has true minus signs."""
    with duckdb.connect() as connection:
        for name, content in made.items():
            connection.register("frame", content)
            connection.execute(f'CREATE TABLE "{name}" AS FROM frame')
        (compared,) = put_side_by_side(connection, first, second, judge=judge)
    said = [compared.sentence(), compared.equivalence(), compared.size()]
    return [MINUS.sub("\u2212", sentence) for sentence in said if sentence is not None]


def ranked_by(measure: str, *rows: dict[str, Any]) -> Tables:
    made = tables(comparisons=list(rows))
    measures = made["measures"].with_columns(primary=pl.col("measure") == measure)
    return made | {
        "measures": measures,
        "collections": made["collections"].with_columns(primary=pl.lit(measure)),
    }


def without_verdicts(*runs: str) -> Tables:
    """The same, but people have no verdict on any answer of some runs: these have no rank."""
    made = tables(comparisons=[pair("a", "b", difference=0.0)])
    unknown = pl.col("run").is_in(runs) & (pl.col("judge") == "people")
    rank = pl.when(unknown).then(None).otherwise(pl.lit(1)).cast(pl.Int64)
    return made | {"scores": made["scores"].with_columns(rank_first=rank, rank_last=rank)}


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    "made",
    cases.first(
        1,
        [
            without_verdicts("a"),
            without_verdicts("a", "b"),
            ranked_by("accuracy", pair("b", "a"), pair("a", "b", family="planned", p_adjusted=0.3)),
            ranked_by("accuracy", pair("b", "a", p_adjusted=0.05), pair("b", EVIL, difference=0.0)),
            ranked_by(
                "accuracy",
                pair("a", "b", difference=0.0, won=3, lost=4),
                pair("a", "b", family="planned", margin=0.02, equivalent=True, p_adjusted=0.3),
                pair(EVIL, "a", family="planned", margin=0.5, equivalent=False),
            ),
            ranked_by("brier", pair("a", "b", "brier", difference=-0.1), pair(EVIL, "a", "brier")),
            ranked_by(
                "share", pair("a", "b", "share"), pair("b", EVIL, "share", p_adjusted=0.0625)
            ),
            ranked_by(
                "accuracy",
                pair("a", "b", p_adjusted=0.0001, visible=None),
                pair("b", EVIL, p_adjusted=None),
            ),
            tables(),
        ],
    ),
)
def test_the_page_says_what_the_terminal_says(
    chromium: Browser, tmp_path: Path, made: Tables
) -> None:
    (path,) = write(made, tmp_path)
    page = chromium.page()
    page.open(path)
    runs = ["a", "b", EVIL]
    for judge in ("people", "key"):
        for first, second in [(one, two) for one in runs for two in runs if one != two]:
            go(page, run=[first, second], judge=judge)
            assert page.evaluate(ABOUT) == said_in_terminal(made, first, second, judge)
    page.close()


def test_unassessed_answers_are_counted_as_in_the_terminal(
    chromium: Browser, tmp_path: Path
) -> None:
    """Of the questions that one of a and b has better, q1, q3 and q5, those of q1 and q3.

    That of q3 is withheld, which the matrix shows instead.
    """
    unknown = {"verdict": "unassessed", "unassessed": True}
    made = tables()
    rows = made["answers"].rows(named=True)
    changes = {("b", "q1"): unknown, ("a", "q3"): unknown | {"answered": False}}
    rows = [
        row | changes.get((row["run"], row["question"]), {}) if row["judge"] == "people" else row
        for row in rows
    ]
    made["answers"] = pl.DataFrame(rows, schema=made["answers"].schema)
    (path,) = write(made, tmp_path)
    page = chromium.page()
    page.open(path, "#run=a&run=b")
    said = "In 2 of them an answer is unassessed by people and does not count as right."
    hint = page.evaluate("document.querySelectorAll('#about .hint')[1].textContent")
    assert hint == f"By the first answer. One of the two is better on 3 questions. {said}"
    with duckdb.connect() as connection:
        for name, content in made.items():
            connection.register("frame", content)
            connection.execute(f'CREATE TABLE "{name}" AS FROM frame')
        (compared,) = put_side_by_side(connection, "a", "b")
        assert f"  {said}" in list(lines(compared))
    go(page, question="q1")
    marks = "[...document.querySelectorAll('#question tbody .said')].map(each => each.className)"
    assert page.evaluate(marks)[2] == "said unassessed"  # as in the matrix and its legend
    go(page, question="q3")
    assert page.evaluate(marks)[0] == "said wrong withheld"
    page.close()


NOTE = "document.querySelector('#about .note')?.textContent ?? null"


@pytest.mark.parametrize(
    ("chosen", "said"),
    [
        ({"run": "Nobody <b>"}, "there is no run Nobody <b>"),
        ({"question": "q999", "judge": "nonsense"},
         "there is no judge nonsense; there is no question q999"),
        ({"type": "blah", "show": "only", "only": "z"}, "there is no type blah; there is no run z"),
        ({"run": ["a", "b", EVIL]}, f"no more than two runs are shown; left out: {EVIL}"),
        ({"run": ["a", "yes"]}, "there are no answers of yes"),
        ({"run": "a", "type": "who"}, None),
    ],
)  # fmt: skip
def test_what_an_address_asks_for_in_vain_is_said(
    chromium: Browser, tmp_path: Path, chosen: dict[str, Any], said: str | None
) -> None:
    made = tables()
    baseline = pl.DataFrame({"collection": "c", "run": "yes", "kind": "baseline"})
    made["runs"] = pl.concat([made["runs"], baseline], how="diagonal_relaxed")
    (path,) = write(made, tmp_path)
    page = chromium.page()
    page.open(path)
    go(page, **chosen)
    assert page.evaluate(NOTE) == (None if said is None else f"In this address: {said}.")
    choose(page, "sort", "hardest first")
    assert page.evaluate(NOTE) is None  # of the new address all is there
    assert page.complaints() == []
    page.close()


def test_runs_without_verdicts_are_no_part_of_the_field(chromium: Browser, tmp_path: Path) -> None:
    """By people there is no verdict on a: of two others, none is right on q1, q4, q5 and q6."""
    (path,) = write(without_verdicts("a"), tmp_path)
    page = chromium.page()
    page.open(path, "#show=none")
    assert page.evaluate(ROWS) == ["q1", "q4", "q5", "q6"]
    shares = "[...document.querySelectorAll('.row .share')].map(each => each.textContent)"
    assert page.evaluate(shares) == ["0/2 right"] * 4
    legend = "document.getElementById('legend').textContent"
    assert "1 submitted run without a verdict is left out of all counts." in page.evaluate(legend)
    go(page, show="only", only="b")
    assert page.evaluate(ROWS) == ["q3"]
    go(page, show="every")
    assert page.evaluate(ROWS) == ["q2"]
    go(page, run="b")
    # the field is the third run alone, which is right on q2, and b on q2 and q3
    assert table(page, "Against the field")[0] == ["all", "6", "0.333", "0.167", "1", "0"]
    go(page, question="q2")
    facts = page.evaluate("document.querySelector('#question .facts').textContent")
    assert "right: 2 of 2 runs, by people" in facts
    go(page, judge="key", show="none")  # which has verdicts on all three
    assert page.evaluate(shares)[0] == "0/3 right"
    page.close()


def test_with_ranks_the_first_answers_are_named(chromium: Browser, tmp_path: Path) -> None:
    """A right second answer of a to q4 changes neither order nor counts."""
    second = answer("people", "a", 4, "r", rank=2)
    made = tables()
    made["answers"] = pl.concat([made["answers"], frame("answers", [second])])
    (path,) = write(made, tmp_path)
    page = chromium.page()
    page.open(path, "#sort=hard")
    assert page.evaluate(ROWS) == ["q4", "q6", "q1", "q3", "q5", "q2"]
    texts = "[...document.querySelectorAll('[name=show] option, [name=sort] option')].map(each => each.text)"
    shown = page.evaluate(texts)
    assert "nobody's first answer is right" in shown
    assert "hardest first (first answers)" in shown
    page.close()


def test_the_new_heading_has_the_focus(opened: Page) -> None:
    opened.evaluate("document.querySelectorAll('.names a')[0].focus()")
    opened.press("Enter")
    active = "document.activeElement.tagName + ' ' + document.activeElement.textContent"
    wait(lambda: opened.evaluate(active) == "H2 a", "the focus")
    go(opened, question="q1")
    opened.evaluate("document.querySelectorAll('#question td a')[1].focus()")
    opened.press("Enter")
    wait(lambda: opened.evaluate(active) == "H2 b", "the focus")
    assert not opened.evaluate(OPEN)


def test_without_hits_there_is_no_box(opened: Page) -> None:
    box = "document.getElementById('rows').getClientRects().length"
    choose(opened, "search", "nowhere to be found")
    assert opened.evaluate(box) == 0
    elsewhere = "document.getElementById('elsewhere').textContent"
    assert opened.evaluate(elsewhere) == "No question is like that."
    choose(opened, "search", "what is 3")
    assert opened.evaluate(box) == 1
    assert opened.evaluate(ROWS) == ["q3"]
    assert colour(opened, 1, 0, 1) == [47, 118, 181]


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    "made",
    [
        tables(comparisons=[pair("a", "b", units=1)]),
        tables(
            questions=[{"judge": "people", "question": "q1", "difficulty": 0.5}], comparisons=[]
        ),
        tables(comparisons=[]),
        ranked_by("brier", pair("a", "b")),
    ],
)
def test_the_page_knows_why_nothing_was_tested(
    chromium: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, made: Tables
) -> None:
    """The third pair is not in the table, as if of more than two runs only neighbours were."""
    monkeypatch.setattr(side_by_side, "TABLED", 2)
    monkeypatch.setattr(overview, "TABLED", 2)
    (path,) = write(made, tmp_path)
    page = chromium.page()
    page.open(path)
    for first, second in [("a", "b"), ("b", EVIL)]:
        go(page, run=[first, second], judge="people")
        assert page.evaluate(ABOUT) == said_in_terminal(made, first, second, "people")
    page.close()


def test_two_runs_side_by_side(opened: Page) -> None:
    choose(opened, "run", "a")
    choose(opened, "against", "b")
    assert opened.evaluate("location.hash") == "#run=a&run=b"
    assert opened.evaluate(ABOUT)[0] == (
        "a is better than b by 0.062 in Accuracy (95% interval \u22120.188 to 0.312 for all pairs together); "
        "p = 0.040 among all pairs; 2 questions gained, 1 lost."
    )
    assert table(opened, "Differences") == [
        ["Accuracy", "0.500", "0.333", "0.062", "\u22120.188 to 0.312", "0.040", "all pairs"],
        ["Brier", "0.100", "0.200", "\u22120.100", "\u2013", "\u2013", "not tested"],
        ["Share", "0.500", "0.438", "0.062", "\u2013", "\u2013", "not tested"],
    ]
    assert table(opened, "Won and lost") == [
        ["all", "2", "1", "3"], ["when", "1", "1", "1"], ["who", "1", "0", "1"],
    ]  # fmt: skip
    given = "[...document.querySelectorAll('.row')][0].querySelectorAll('.given')"
    shown = opened.evaluate(f"[...{given}].map(each => each.textContent)")
    assert shown == ["wrongalpha 3", f"right{HOSTILE}"]
    go(opened, run=["a", EVIL])
    assert [row[-1] for row in table(opened, "Differences")] == [
        "all pairs", "no value", "not tested",
    ]  # fmt: skip


def test_a_long_name_is_cut_in_the_sentence_as_in_the_terminal(
    chromium: Browser, tmp_path: Path
) -> None:
    long = "\U0001f600" * 50 + "x" * 150
    made = tables()
    answered = made["answers"].with_columns(pl.col("run").replace({"a": long}))
    made = {
        name: content.with_columns(pl.col("^run(_a|_b)?$").replace({"a": long}))
        for name, content in made.items()
    } | {"answers": answered}
    (path,) = write(made, tmp_path)
    page = chromium.page()
    page.open(path)
    go(page, run=[long, "b"])
    said = page.evaluate(ABOUT)
    assert said == said_in_terminal(made, long, "b", "people")
    assert said[0].startswith("\U0001f600" * 40 + "\u2026" + "x" * 39 + " is better than b")
    page.close()


def test_what_is_not_open_is_not_shown(chromium: Browser, tmp_path: Path) -> None:
    (path,) = write(tables(), tmp_path, is_open=False)
    page = chromium.page()
    page.open(path, "#question=q1")
    assert table(page, "Answers")[0] == ["a", "not shown", "0.25", "right", "wrong"]
    assert "stays secret" in page.evaluate("document.getElementById('question').textContent")
    go(page, run=["a", "b"])
    assert page.evaluate(ROWS) == ["q3", "q1", "q5"]
    assert page.complaints() == []
    page.close()


@pytest.mark.exhaustive
def test_a_question_on_another_page_is_a_link_to_it(
    chromium: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answers, "CHUNK", 50)
    monkeypatch.setattr(page, "PAGE_TEXT", 250)
    first, *_ = write(tables(), tmp_path)
    opened = chromium.page()
    opened.open(first)
    assert opened.evaluate(ROWS) == [f"q{number}" for number in range(1, 7)]
    opened.evaluate("[...document.querySelectorAll('.row')].at(-1).click()")
    wait(lambda: "questions-c." in opened.evaluate("location.pathname.split('/').pop()")
         and opened.evaluate("location.pathname.split('/').pop()") != first.name, "the page")  # fmt: skip
    wait(lambda: opened.evaluate("document.readyState") == "complete", "the page")
    wait(lambda: opened.evaluate(OPEN), "the question")
    assert table(opened, "Answers")[0][1] == "alpha 6"
    assert opened.complaints() == []
    opened.close()


def test_the_report_leads_to_questions_and_back(chromium: Browser, tmp_path: Path) -> None:
    """Its run all_yes is a baseline, which has no answers."""
    report = tmp_path / "index.html"
    report.write_text(render(report_campaign.tables(), title="A campaign"), encoding="utf-8")
    page = chromium.page()
    page.open(report)
    links = "[...document.querySelectorAll('%s')].map(each => each.getAttribute('href'))"
    assert page.evaluate(links % "#overview tbody small a") == ["questions-clef.html"]
    assert page.evaluate(links % ".collection > .facts a") == [
        "questions-clef.html", "questions-clef.html#sort=hard", "questions-clef.html#show=none",
        "questions-clef.html#show=differ&sort=differ",
    ]  # fmt: skip
    assert page.evaluate(links % ".leaderboard .run .drill") == [
        f"questions-clef.html#run={run}" for run in ("careful", "steady", "twin")
    ]
    link = "document.querySelector('.controls .drill')"
    shown = f"[{link}.hidden, {link}.getAttribute('href'), {link}.textContent]"
    go(page, collection="clef", run=["steady", "all_yes"], judge="key")
    assert page.evaluate(shown) == [
        False,
        "questions-clef.html#run=steady&judge=key",
        "Its answers",
    ]
    go(page, collection="clef", run=["steady", "twin"])
    both = "questions-clef.html#run=steady&run=twin"
    assert page.evaluate(shown) == [False, both, "The two side by side"]
    chosen = "judge=key&type=factoid"
    go(page, collection="clef", run=["steady", "twin"], judge="key", slice="factoid")
    assert page.evaluate(shown)[1] == f"{both}&{chosen}"
    assert page.evaluate(links % ".collection > .facts a") == [
        f"questions-clef.html#{chosen}", f"questions-clef.html#sort=hard&{chosen}",
        f"questions-clef.html#show=none&{chosen}",
        f"questions-clef.html#show=differ&sort=differ&{chosen}",
    ]  # fmt: skip
    assert f"questions-clef.html#run=twin&{chosen}" in page.evaluate(
        links % ".leaderboard .run .drill"
    )
    go(page, collection="clef")
    assert page.evaluate(f"{link}.hidden")
    assert page.evaluate(links % ".collection > .facts a")[0] == "questions-clef.html"
    page.close()
    (questions,) = write(tables(), tmp_path)
    back = chromium.page()
    back.open(questions)
    href = "document.getElementById('back').getAttribute('href')"
    assert back.evaluate(href) == "index.html#collection=c"
    back.close()


@pytest.mark.parametrize("dark", cases.first(1, [False, True]))
@pytest.mark.parametrize("width", cases.first(0, [390, 1440]))
def test_nothing_is_in_the_way_of_readers_who_cannot_see(
    chromium: Browser, file: Path, scored_file: Path, axe: str, dark: bool, width: int
) -> None:
    page = chromium.page(dark=dark, width=width)
    for shown in (file, scored_file):
        page.open(shown)
        for chosen in ({}, {"run": "a"}, {"run": ["a", "b"]}, {"run": "z"}, {"question": "q1"}):
            go(page, **chosen)
            assert violations(page, axe, "document") == []
            assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    page.close()


@pytest.mark.exhaustive
def test_suspect_keys_come_first_where_they_are_known(chromium: Browser, tmp_path: Path) -> None:
    """The most negative correlation first, questions without one last."""
    rest = {"q1": 0.5, "q2": -0.4, "q3": None, "q4": 0.1, "q5": -0.1, "q6": 0.2}
    made = tables()
    known = pl.col("question").replace_strict(rest, return_dtype=pl.Float64)
    made["questions"] = made["questions"].with_columns(item_rest=known)
    (path,) = write(made, tmp_path)
    page = chromium.page()
    page.open(path, "#sort=suspect")
    assert page.evaluate(ROWS) == ["q2", "q5", "q4", "q6", "q1", "q3"]
    marks = "[...document.querySelectorAll('.row .share')].map(each => each.textContent)"
    assert page.evaluate(marks)[:4] == [
        "\u22120.40 correlation with the rest", "3/3 right",
        "\u22120.10 correlation with the rest", "1/3 right",
    ]  # fmt: skip
    facts = "document.querySelector('#question .facts').textContent"
    go(page, question="q2")
    assert (
        "runs that are right on it are worse on the rest than those that are wrong "
        "(correlation \u22120.40)" in page.evaluate(facts)
    )
    go(page, question="q4")
    assert "suspect" not in page.evaluate(facts)
    page.close()
