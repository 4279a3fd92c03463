"""The page: everything that is in the tables, as text, and nothing from anywhere else."""

import base64
import hashlib
import json
import re
from functools import cache
from html.parser import HTMLParser
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import polars as pl
import pytest
import vl_convert
from altair.vegalite.schema import core
from jsonschema.validators import validator_for

from qampaign.measures.scoring import Configured
from qampaign.report import figures
from qampaign.report.collection import arrange
from qampaign.report.drawing import as_svg, draw_all
from qampaign.report.figures import figure
from qampaign.report.leaderboards import latex, markdown
from qampaign.report.leftovers import remove_leftovers
from qampaign.report.overview import summary
from qampaign.report.page import render, show
from qampaign.report.sections.judges import _with_tau
from qampaign.report.text import fixed, span
from qampaign.studies.comparisons import study
from tests.helpers.cases import first
from tests.helpers.tiny_campaign import ROOT
from tests.report.report_campaign import SCHEMAS, Tables, frame, tables, together
from tests.report.whole_campaign import campaign
from tests.studies.made_evidence import abstaining

pytestmark = pytest.mark.slow


HOSTILE = [
    "<img src=x onerror=alert(1)>",
    "</script><script>alert(2)</script>",
    '"><b onclick="x">',
    "{{ 7 * 7 }}",
    "a\u2028b\u2029c",
    "<!--",
    "مرحبا",
    "🦉" * 60,
]

VOID = {"meta", "input", "br"}


class Page(HTMLParser):
    """The page as a browser takes it apart: elements with their attributes and their own text."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[dict[str, Any]] = []
        self.open: list[dict[str, Any]] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = {"tag": tag, "text": "", "inside": [each["tag"] for each in self.open]} | {
            f"@{name}": value or "" for name, value in attrs
        }
        self.elements.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop()["tag"] == tag

    def handle_data(self, data: str) -> None:
        for element in self.open:
            element["text"] += data

    def all(self, tag: str, **attributes: str) -> list[dict[str, Any]]:
        """Elements with this tag and, where asked for, this word in an attribute."""
        return [
            element
            for element in self.elements
            if element["tag"] == tag
            and all(
                value in element.get(f"@{name}", "").split() for name, value in attributes.items()
            )
        ]

    def texts(self, tag: str, **attributes: str) -> list[str]:
        return [element["text"].strip() for element in self.all(tag, **attributes)]

    def data(self) -> list[dict[str, Any]]:
        """What is embedded for the browser, a collection at a time."""
        return [json.loads(element["text"]) for element in self.all("script", **{"class": "data"})]


@cache
def html() -> str:
    return render(tables(), title="A small campaign")


@cache
def page() -> Page:
    return Page(html())


def leaderboard(of: Page) -> list[dict[str, dict[str, Any]]]:
    """The rows of the first leaderboard, each as its cells by the key of their column."""
    keys: list[str] = []
    rows: list[list[dict[str, Any]]] = []
    for element in of.elements:
        if element["tag"] == "table" and element.get("@class") == "counts":
            break
        if element["tag"] == "tr" and "@data-run" in element:
            rows.append([])
        elif rows and element["tag"] in ("td", "th"):
            rows[-1].append(element)
        elif "@data-key" in element:
            keys.append(element["@data-key"])
    return [dict(zip(keys, row, strict=True)) for row in rows]


def column(of: Page, key: str) -> list[str]:
    """A column of the first leaderboard, from the top."""
    return [row[key]["text"].strip() for row in leaderboard(of)]


def links_to_questions(made: Tables) -> list[str]:
    """What the links above the collection say, as the page has them."""
    page = render(made, title="T")
    return re.findall(r'<a href="questions-clef\.html#(?:show|sort)=[^"]*">([^<]*)<', page)


def test_where_nobody_is_right_is_linked_only_where_there_is_such_a_question() -> None:
    made = tables()
    both = ["where no first answer is right", "where judges differ"]
    assert links_to_questions(made) == ["hardest first", *both]
    all_right = made["questions"].with_columns(best=pl.lit(True))
    assert links_to_questions(made | {"questions": all_right}) == ["hardest first", both[1]]


def test_no_link_calls_answers_right_by_a_judge_that_gives_scores_alone() -> None:
    made = tables()
    nothing = dict.fromkeys(("right_runs", "best", "difficulty"))
    made["questions"] = made["questions"].with_columns(**nothing)
    assert links_to_questions(made) == ["hardest first"]


def test_the_same_tables_give_the_same_bytes() -> None:
    assert render(tables(), title="A small campaign").encode() == html().encode()


def test_a_missing_table_is_named() -> None:
    given = tables()
    del given["counts"]
    with pytest.raises(ValueError, match="counts"):
        render(given, title="x")


def test_runs_stand_by_rank_and_equal_ones_share_a_range() -> None:
    """The baseline is not ranked, so that it comes last, with a dash."""
    assert column(page(), "text:rank") == ["1", "2–3", "2–3", "–"]
    assert column(page(), "run") == ["careful", "steady", "twin", "all_yes baseline"]
    assert leaderboard(page())[3]["text:rank"]["@title"] == "not ranked"


def test_values_have_three_places_and_an_interval() -> None:
    """c@1 of careful is (5 + 4·5/10)/10 = 0.7, its interval 0.41 to 0.78125."""
    careful = leaderboard(page())[0]
    assert careful["measure:1"]["text"] == "0.700"
    assert careful["text:interval"]["text"] == "0.410 to 0.781"
    assert careful["value"]["text"] == "0.700"
    assert careful["value"]["@class"].split() == ["primary", "best"]


def test_the_best_value_is_marked_unless_all_are_equal() -> None:
    """With every value 0.5 nothing stands out, on the page, in its data or in tables for papers."""
    best = [cell for cell in page().all("td", **{"class": "best"}) if "@hidden" not in cell]
    assert len(best) == 3  # c@1 of one run, accuracy of two
    given = tables()
    given["scores"] = given["scores"].with_columns(value=pl.lit(0.5))
    equal = Page(render(given, title="x"))
    assert equal.all("td", **{"class": "best"}) == []
    views = [view for judge in equal.data()[0]["views"] for view in judge]
    assert all(scores["best"] == [] for view in views for scores in view["scores"])
    [collection] = arrange(given)
    assert "**" not in markdown(collection)
    assert "textbf" not in latex(collection)


def test_the_best_of_a_measure_of_errors_is_the_lowest() -> None:
    """Brier scores by run: all_yes 0.1 is not ranked, careful has 0.2, the others 0.3."""
    given = tables()
    error = {"all_yes": 0.1, "careful": 0.2, "steady": 0.3, "twin": 0.3}
    brier = pl.col("run").replace_strict(error, return_dtype=pl.Float64)
    given["scores"] = given["scores"].with_columns(
        value=pl.when(pl.col("measure") == "brier").then(brier).otherwise("value"),
        rank_first=pl.when(pl.col("run") != "all_yes").then(1),
    )
    best = [row["measure:2"].get("@class") for row in leaderboard(Page(render(given, title="x")))]
    assert best == ["best", None, None, None]


def test_without_a_measure_that_ranks_no_run_has_a_rank() -> None:
    unranked = Page(render(tables(primary="not configured"), title="x"))
    assert column(unranked, "text:rank") == ["–"] * 4
    assert column(unranked, "measure:1") == ["0.300", "0.700", "0.600", "0.600"]


def test_a_run_that_is_not_ranked_is_never_the_best() -> None:
    """The baseline is given 0.95; the highest c@1 of a ranked run is 0.7."""
    given = tables()
    value = pl.when(pl.col("run") == "all_yes").then(0.95).otherwise(pl.col("value"))
    given["scores"] = given["scores"].with_columns(value=value)
    [collection] = arrange(given)
    made = markdown(collection)
    assert "**0.700**" in made
    assert "**0.950**" not in made


def test_what_is_not_available_is_a_dash_and_never_nan() -> None:
    given = tables()
    nan = pl.when(pl.col("run") == "steady").then(float("nan")).otherwise(pl.col("value"))
    given["scores"] = given["scores"].with_columns(value=nan)
    rows = leaderboard(Page(render(given, title="x")))
    [steady] = [row for row in rows if row["run"]["text"].strip() == "steady"]
    assert [steady[f"measure:{index}"]["text"] for index in range(3)] == ["–", "–", "–"]
    for of in (page(), Page(render(given, title="x"))):
        assert all("NaN" not in element["text"] for element in of.all("table"))
        assert all(
            "NaN" not in element["text"] for element in of.all("script", **{"class": "data"})
        )


def test_a_score_that_no_row_has_is_not_available() -> None:
    given = tables()
    given["scores"] = given["scores"].filter(pl.col("run") != "twin")
    rows = leaderboard(Page(render(given, title="x")))
    [twin] = [row for row in rows if row["run"]["text"].strip() == "twin"]
    assert [twin[f"measure:{index}"]["text"] for index in range(3)] == ["–", "–", "–"]


def test_counts_and_their_shares() -> None:
    """careful: 5 right, 1 wrong, 4 unanswered, and so are the widths in its bar."""
    careful = leaderboard(page())[0]
    counts = {key: cell["text"] for key, cell in careful.items() if key.startswith("count:")}
    assert counts == {
        "count:right": "5", "count:wrong": "1", "count:unanswered": "4", "count:unassessed": "0",
    }  # fmt: skip
    bars = [each for each in page().all("i") if "flex-grow" in each["@style"]]
    assert [(bar["@class"], bar["@style"]) for bar in bars[:3]] == [
        ("right", "flex-grow:5"),
        ("wrong", "flex-grow:1"),
        ("unanswered", "flex-grow:4"),
    ]


def test_unanswered_is_split_into_what_was_withheld_and_no_candidate() -> None:
    """careful held back 1 right and 2 wrong candidates of its 4: for 1 there is none."""
    [collection] = page().data()
    place = [run["run"] for run in collection["runs"]].index("careful")
    counts = collection["views"][0][0]["counts"]
    parts = ("withheld_right", "withheld_wrong", "no_candidate")
    assert [counts[part][place] for part in parts] == [1, 2, 1]


def test_a_count_that_is_nowhere_has_no_column() -> None:
    """The second judge leaves an answer unassessed; no run misses a question."""
    heads = page().texts("th", scope="col")
    assert "Unassessed" in heads
    assert "No response" not in heads


@pytest.mark.parametrize("name", first(3, HOSTILE))
def test_a_hostile_name_is_only_a_name(name: str) -> None:
    given = tables(title=name, note=name, judges=(name, "key"), rename={"careful": name})
    hostile = pl.lit(name)
    given["measures"] = given["measures"].with_columns(label=hostile, formula=hostile)
    given["runs"] = given["runs"].with_columns(team=hostile, category=hostile)
    given["sources"] = given["sources"].with_columns(path=hostile, sha256=hostile)
    given["remarks"] = given["remarks"].with_columns(remark=hostile)
    given["provenance"] = given["provenance"].with_columns(topic=hostile, value=hostile)
    attacked = Page(render(given, title=name))
    plain = page()

    def shape(of: Page, *tags: str) -> list[int]:
        return [len(of.all(tag)) for tag in tags]

    assert shape(attacked, "script", "img", "b", "iframe") == shape(
        plain, "script", "img", "b", "iframe"
    )
    assert not [each for each in attacked.elements if any(key.startswith("@on") for key in each)]
    assert attacked.texts("h1") == [name]
    assert attacked.texts("h2")[:2] == ["Overview", name]
    assert leaderboard(attacked)[0]["run"]["text"].strip() == name
    assert attacked.data()[0]["runs"][0]["run"] == name


def test_embedded_data_cannot_end_its_element() -> None:
    given = tables(rename={"careful": "</ScRiPt>&\u2028\u2029<!--"})
    for element in Page(render(given, title="x")).all("script", type="application/json"):
        assert not set(element["text"]) & set("<>&\u2028\u2029")


def test_nothing_is_loaded_from_anywhere() -> None:
    for element in page().elements:
        assert element["tag"] not in ("link", "img", "iframe", "object", "embed", "base")
        assert "@src" not in element
        assert element.get("@href", "#").startswith(("#", "questions-clef.html"))
    [style] = page().texts("style")
    assert "url(" not in style
    assert "@import" not in style


def test_the_policy_allows_the_two_scripts_and_no_connection() -> None:
    [policy] = [each["@content"] for each in page().all("meta") if "@http-equiv" in each]
    scripts = [each["text"] for each in page().all("script") if "@type" not in each]
    digests = [base64.b64encode(hashlib.sha256(each.encode()).digest()) for each in scripts]
    assert re.findall(r"'sha256-([^']+)'", policy) == [digest.decode() for digest in digests]
    assert len(scripts) == 2
    assert policy.startswith("default-src 'none';")
    assert "unsafe-eval" not in policy
    assert "http" not in policy


def test_where_nothing_is_right_that_is_said() -> None:
    given = tables()
    given["questions"] = given["questions"].with_columns(best=pl.lit(False))
    assert "no ranked run has a right answer to any question" in render(given, title="x")


def test_questions_are_summed_up_and_not_embedded() -> None:
    """right_runs is 0 for the questions 0, 3, 6 and 9: some run is right on the other six."""
    assert "secret-question" not in html()
    assert "at least one ranked run has a right answer to 6 of 10 questions" in html()


def test_baselines_are_not_counted_as_runs() -> None:
    """Three runs were submitted; all_yes is a baseline."""
    facts, *_ = page().texts("p", **{"class": "facts"})
    assert facts.startswith("3 runs and 1 baseline · 10 questions")
    given = tables()
    given["runs"] = given["runs"].with_columns(kind=pl.lit("derived"))
    assert "no runs and 4 what-if runs · " in render(given, title="x")


def test_items_to_validate_are_not_called_questions() -> None:
    given = tables()
    given["collections"] = given["collections"].with_columns(task=pl.lit("validation"))
    text = Page(render(given, title="x")).texts("main")[0].partition("How the measures are")[0]
    overview, _, words = text.split("CLEF in small", 2)  # the second is its heading
    assert "question" not in overview
    words = words[words.index("at least one ranked run") :]
    assert "at least one ranked run decides 6 of 10 items rightly" in words
    assert "What became of the items" in render(given, title="x")
    assert "question" not in words.replace("By question type", "")


def test_every_judge_and_slice_is_a_view() -> None:
    [collection] = page().data()
    questions = [[view["questions"] for view in judge] for judge in collection["views"]]
    assert questions == [[10, 4, 6], [10, 4, 6]]
    assert page().texts("option") == [
        "people (reference)", "key", "all", "definition", "factoid", "accuracy", "c@1", "Brier",
    ]  # fmt: skip


def test_a_judge_without_a_slice_has_no_view_there() -> None:
    given = tables()
    gone = (pl.col("judge") == "key") & (pl.col("slice") == "factoid")
    for table in ("scores", "counts"):
        given[table] = given[table].filter(~gone)
    [collection] = Page(render(given, title="x")).data()
    assert collection["views"][1][2] is None
    assert collection["views"][0][2]["questions"] == 6


def test_one_judge_needs_no_choice() -> None:
    single = Page(render(tables(judges=("people",)), title="x"))
    assert [each["@name"] for each in single.all("select")] == ["slice", "measure"]


def test_headings_go_down_one_step_at_a_time() -> None:
    levels = [
        int(each["tag"][1]) for each in page().elements if re.fullmatch("h[1-6]", each["tag"])
    ]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(below <= above + 1 for above, below in pairwise(levels))


def test_columns_are_sorted_by_button_and_say_how() -> None:
    heads = [each for each in page().all("th") if "@aria-sort" in each]
    assert {each["@data-key"]: each["@aria-sort"] for each in heads} == {
        "text:rank": "ascending",
        "run": "none",
        "value": "none",
        "info:team": "none",
        "measure:0": "none",
        "measure:1": "none",
        "measure:2": "none",
        "count:right": "none",
        "count:wrong": "none",
        "count:unanswered": "none",
        "count:unassessed": "none",
    }
    buttons = [each for each in page().all("button") if each["inside"][-1] == "th"]
    assert len(buttons) == len(heads)


def test_what_is_known_of_a_run_is_told_with_its_name() -> None:
    [twin] = [row["run"] for row in leaderboard(page()) if row["run"]["text"].strip() == "twin"]
    assert "system: second pipeline" in twin["@title"].splitlines()


def test_several_collections_have_contents_and_their_own_data() -> None:
    both = together(tables(), tables(collection="pilot", title="A pilot", note=None))
    several = Page(render(both, title="Two"))
    links = [each["@href"] for each in several.all("a")]
    to_questions = [link for link in links if link.startswith("questions-")]
    links = [link for link in links if link not in to_questions]
    assert {link.partition("#")[0] for link in to_questions} == {
        "questions-clef.html", "questions-pilot.html",
    }  # fmt: skip
    assert links == [
        "#main", "#overview", "#collection-clef", "#collection-clef-leaderboard", "#collection-clef-abstention",
        "#collection-clef-judges", "#collection-pilot", "#collection-pilot-leaderboard",
        "#collection-pilot-abstention", "#collection-pilot-judges", "#made-from",
        "#collection-clef", "#collection-pilot",  # of the overview
    ]  # fmt: skip
    ids = {each["@id"] for each in several.elements if "@id" in each}
    assert {link.removeprefix("#") for link in links} <= ids
    assert [each["collection"] for each in several.data()] == ["clef", "pilot"]
    assert several.texts("p", **{"class": "note"}) == ["Reconstructed from published counts."]


def test_the_chart_of_c_at_1_needs_both_measures() -> None:
    def drawn(of: Page) -> list[str]:
        return [each["@data-chart"] for each in of.elements if "@data-chart" in each]

    assert drawn(page()) == [
        "scores", "counts", "slices", "c_at_1", "silence", "withholding", "rankings",
    ]  # fmt: skip
    alone = tables(measures=("accuracy", "brier"), primary="accuracy")
    assert "c_at_1" not in drawn(Page(render(alone, title="x")))


def test_definitions_inputs_remarks_and_provenance_are_told() -> None:
    cells = [*page().texts("td"), *page().texts("th")]
    for told in (
        "(n_ac + n_u·n_ac/n) / n",
        "Accuracy, with credit for silence.",
        "data/clef/runs.csv",
        "12,345",
        "45.6 kB",
        "0123456789ab",
        "not a known column; kept out",
        "2011",
    ):
        assert told in cells
    [digest] = page().all("code")
    assert digest["@title"] == "0123456789abcdef" * 4


def test_nothing_to_tell_is_said_so() -> None:
    given = tables() | {name: frame(name, []) for name in ("remarks", "sources", "provenance")}
    text = Page(render(given, title="x")).texts("main")[0]
    assert "There are no remarks." in text
    assert "No input files are recorded." in text


def test_a_campaign_of_nothing_is_a_page() -> None:
    empty = Page(render({name: frame(name, []) for name in SCHEMAS}, title="Nothing yet"))
    assert empty.texts("h1") == ["Nothing yet"]
    assert "This campaign has no collections." in empty.texts("p")


def test_a_collection_without_runs_is_shown() -> None:
    given = tables() | {name: frame(name, []) for name in ("runs", "scores", "counts")}
    assert leaderboard(Page(render(given, title="x"))) == []


def test_low_is_better_is_said_and_ranks_accordingly() -> None:
    """Without ranks the primary measure orders the runs; of Brier scores the lowest leads."""
    given = tables(primary="brier")
    error = {"all_yes": 0.4, "careful": 0.1, "steady": 0.3, "twin": 0.2}
    brier = pl.col("run").replace_strict(error, return_dtype=pl.Float64)
    chosen = pl.when(pl.col("measure") == "brier").then(brier).otherwise(pl.col("value"))
    given["scores"] = given["scores"].with_columns(value=chosen)
    [collection] = arrange(given)
    assert [run["run"] for run in collection.runs] == ["careful", "twin", "steady", "all_yes"]
    [head] = [each for each in page().all("th") if each.get("@data-key") == "measure:2"]
    assert "lower" in head["@class"].split()
    assert head["@title"].endswith("Lower is better.")


def test_numbers_as_they_are_shown() -> None:
    """Halves go away from zero: 1/16 = 0.0625 is 0.063."""
    assert [fixed(value) for value in (0.0625, -0.0625, 1.0, -0.0004, None)] == [
        "0.063",
        "−0.063",
        "1.000",
        "0.000",
        "–",
    ]
    assert [span(*ranks) for ranks in ((1, 1), (5, 14), (3, None), (None, None))] == [
        "1",
        "5–14",
        "3",
        "–",
    ]


def test_an_interval_with_one_end_is_none() -> None:
    """Accuracy has a lower bound only."""
    [collection] = arrange(tables())
    assert collection.scores("accuracy")["text"]["interval"] is None
    assert collection.scores("c_at_1")["text"]["interval"] == ["0.410 to 0.781"] * 4


@pytest.mark.exhaustive
def test_two_hundred_runs_are_two_hundred_rows() -> None:
    given = tables()
    for table in ("runs", "scores", "counts"):
        copies = [
            given[table].with_columns(pl.col("run") + f"-{number:02}") for number in range(50)
        ]
        given[table] = pl.concat(copies)
    assert len(leaderboard(Page(render(given, title="x")))) == 200


@cache
def whole() -> Page:
    return Page(render(campaign(runs=6, collections=2), title="Whole"))


@pytest.mark.exhaustive
def test_sections_stand_in_the_order_of_the_questions() -> None:
    """A collection of answers has all but validation; one of validation has no ranks or judges."""
    topics = [each["@id"] for each in whole().all("section", **{"class": "topic"})]
    first = [
        "leaderboard", "comparisons", "abstention", "ranked", "judges", "measures", "changes",
    ]  # fmt: skip
    second = ["leaderboard", "comparisons", "validation", "measures"]
    assert topics == [*(f"collection-answers-0-{each}" for each in first),
                      *(f"collection-validated-1-{each}" for each in second)]  # fmt: skip


def test_every_chart_says_how_to_read_it() -> None:
    figures = whole().all("figure")
    assert len(figures) > 25
    charts = [each for each in whole().elements if "@data-chart" in each]
    assert len(charts) == len(figures)
    for each in figures:
        words = each["text"].split("{")[0]
        assert words.count(".") >= 1, words


def test_sentences_are_computed_from_the_data() -> None:
    """Of a pair the sd is 0.5 and the difference 0.1, together 0.51: ((1.96 · 0.51 + 0.842 ·
    √(0.51² − 0.05²)) / 0.05)² = 814 questions (units_needed). The ranks of 3 + 2 + 1 of the 15
    pairs are three or more apart: these differ surely."""
    text = whole().texts("main")[0]
    for said in (
        "of the differences in c@1, those of at least 0.10, which 40% of the comparisons have, are reversed in at most 5% of the comparisons",
        "For differences of 0.05 to 0.06 in c@1 to be reversed in at most 5% of the comparisons takes about 200 questions",
        "it misses the rates of larger ones by 0.012; an exponential curve misses them by 0.030.",
        "1.0% of the comparisons by c@1 are errors and 10.0% are ties",
        "key agrees with people on 93.0% of 200 responses that both have judged, except those that both call not attempted; tau between their rankings by c@1 is 0.900 (95% interval 0.800 to 0.950).",
        "At 0.3, key would agree on 94.0% of the answers; at 0.25, as configured, it agrees on 93.0%.",
        "On average, c@1 has a standard deviation of 0.100 with 10 questions",
        " finds the most, ",
        "The lowest tau is 0.90 (0.80 to 0.95), for key by c@1",
        "At 0.25, key finds 90.0% of what the reference calls right and accepts 5.0% of what it calls wrong",
        "agree on it in 94.0% of the cases, over 80 items with two judgments or more",
        "All who judged an item agree on 90.0% of the items.",
        "Since the previous results, 1 value of 1 run and 1 rank changed. Input files that changed: assessments.csv.",
        "Recomputed figures that agree with the published ones, to as many places as were printed: 1 of 1.",
        "By c@1, 6 of 15 pairs of ranked runs differ surely",
        "To see a difference of 0.05 between two runs like these with 80% power takes about 810 questions",
        "The mean tau is 0.9 or more from 40 questions on by ",
    ):
        assert said in text, said


FOUR = [f"run-{number:03}" for number in range(1, 5)]


def headline(ranks: list[int], leading: list[bool], **more: Any) -> list[str]:
    """What is said of four runs with these ranks, some of which lead."""
    made = campaign(runs=4, collections=1)
    value = {name: 1 - rank / 10 for name, rank in zip(FOUR, ranks, strict=True)}
    first, leads = (dict(zip(FOUR, column, strict=True)) for column in (ranks, leading))
    made["scores"] = made["scores"].with_columns(
        value=pl.col("run").replace_strict(value, return_dtype=pl.Float64),
        rank_first=pl.col("run").replace_strict(first, return_dtype=pl.Int64),
        leading=pl.col("run").replace_strict(leads, return_dtype=pl.Boolean),
        **dict.fromkeys(("low", "high"), pl.lit(None, pl.Float64)),
    )
    for table, change in more.items():
        made[table] = made[table].with_columns(**change)
    (one,) = show(made)
    return list(one.sections[0].sentences)


@pytest.mark.parametrize(
    ("ranks", "leading", "said"),
    [
        (
            [1, 2, 3, 4],
            [True, False, False, False],
            [
                "run-001 has the highest c@1, 0.900.",
                "1 of 4 ranked runs leads, run-001: for each of the others, some run is surely better (95%, all pairs together).",
            ],
        ),
        (
            [1, 1, 3, 4],
            [True, True, True, False],
            [
                "run-001 and run-002 have the highest c@1, 0.900.",
                "3 of 4 ranked runs lead: no other run is surely better (95%, all pairs together). They are run-001, run-002 and run-003.",
            ],
        ),
        (
            [1, 1, 1, 1],
            [True, True, True, True],
            [
                "All 4 ranked runs have c@1 0.900.",
                "No two of the 4 ranked runs differ surely (95%, all pairs together): any may be the best.",
            ],
        ),
    ],
)
def test_the_lead_is_described_as_it_is(
    ranks: list[int], leading: list[bool], said: list[str]
) -> None:
    assert headline(ranks, leading) == said


@pytest.mark.parametrize(
    ("ranks", "leading", "said"),
    [
        ([1, 2], [True, False], "run-001 leads: it is surely better than run-002 (95%)."),
        ([1, 2], [True, True], "The two ranked runs do not differ surely (95%): either may be the better one."),
        ([1, 1], [True, True], "The two ranked runs do not differ surely (95%): either may be the better one."),
    ],
)  # fmt: skip
def test_of_two_runs_one_leads_or_both(ranks: list[int], leading: list[bool], said: str) -> None:
    made = campaign(runs=2, collections=1)
    by_run = [dict(zip(FOUR, column, strict=False)) for column in (ranks, leading)]
    first, leads = (pl.col("run").replace_strict(values) for values in by_run)
    made["scores"] = made["scores"].with_columns(
        value=1 - first / 10, rank_first=first, rank_low=first, leading=leads
    )
    (one,) = show(made)
    best, then = one.sections[0].sentences
    assert then == said
    assert best.startswith(
        "Both ranked runs have c@1" if ranks == [1, 1] else "run-001 has the highest c@1"
    )
    (pair,) = [section for section in one.sections if section.id == "comparisons"]
    assert pair.sentences[1].endswith("with the spread that the two have here.")


def test_where_nothing_is_answered_nobody_leads() -> None:
    silent = {"right": pl.lit(0), "wrong": pl.lit(0), "unanswered": pl.col("questions")}
    said = headline([1, 1, 1, 1], [True] * 4, counts=silent)
    assert said == ["No ranked run answered any question."]


def with_groups(made: Tables, groups: list[str | None], unit: str = "group") -> Tables:
    """The first collection with a question in each of these groups."""
    (first, *_) = made["collections"]["collection"]
    given = pl.DataFrame({"group": groups}, schema={"group": pl.String}).with_columns(
        collection=pl.lit(first), judge=pl.lit("people"), question=pl.format("q{}", pl.int_range(pl.len())),
        slice=pl.lit("all"), right_runs=pl.lit(1, pl.Int64), best=pl.lit(True), difficulty=pl.lit(0.5),
        item_rest=pl.lit(None, pl.Float64), weight=pl.lit(None, pl.Float64),
        **{name: pl.lit(None, pl.String) for name in ("type", "text", "key", "keys")},
    )  # fmt: skip
    count = {"questions": pl.lit(len(groups), pl.Int64)}
    return made | {
        "questions": given.select(made["questions"].columns),
        "collections": made["collections"].with_columns(unit=pl.lit(unit)),
        "scores": made["scores"].with_columns(**count),
        "counts": made["counts"].with_columns(**count),
    }


@pytest.mark.parametrize(
    ("groups", "few"),
    [
        (["a", "b", "c", "d", "e"] * 3, "5 groups"),
        (["a", "a", "b", "b", None, None, None], "2 groups and 3 single questions"),
        ([None] * 5, "5 questions"),
        (["a", "b", "c", "d", "e"], "5 questions"),
    ],
)
def test_few_questions_are_warned_of(groups: list[str | None], few: str) -> None:
    """With five of them the smallest p is 2^-4."""
    (one,) = show(with_groups(campaign(runs=4, collections=1), groups))
    assert one.sections[0].sentences[-1] == (
        f"There are only {few}: with fewer than 12, comparisons show little. No p can be below "
        "1/16, however large the difference."
    )


def test_one_group_shows_nothing() -> None:
    (one,) = show(with_groups(campaign(runs=4, collections=1), ["a"] * 30))
    said = "There is only 1 group: comparisons show nothing, and every p is 1."
    assert one.sections[0].sentences[-1] == said


def test_only_some_of_many_leaders_are_named() -> None:
    """Of five runs that share the lead before a sixth, three are named."""
    made = campaign(runs=6, collections=1)
    last = pl.col("run") == "run-006"
    made["scores"] = made["scores"].with_columns(
        value=pl.when(last).then(0.1).otherwise(0.5),
        rank_first=pl.when(last).then(6).otherwise(1).cast(pl.Int64),
        low=pl.lit(None, pl.Float64),
        high=pl.lit(None, pl.Float64),
    )
    (one,) = show(made)
    assert one.sections[0].sentences[0] == (
        "run-001, run-002, run-003 and 2 other runs have the highest c@1, 0.500."
    )


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ("runs", "Too few runs to say how stable the order of two runs is, how often a"),
        ("questions", "Too few questions to say how stable the order of two runs is, how often a"),
        ("groups", "Too few groups to say how stable the order of two runs is, how often a"),
        ("differences", "No two ranked runs differ, so nobody can say how stable the order"),
    ],
)
def test_a_study_with_too_little_says_so_and_draws_nothing(what: str, said: str) -> None:
    made = campaign(runs=3, collections=1)
    for name in ("stability", "sensitivity", "sizes_enough", "questions_needed"):
        made[name] = made[name].with_columns(too_few=pl.lit(what))
    (one,) = show(made)
    (section,) = [section for section in one.sections if section.id == "measures"]
    assert section.sentences[0].startswith(said)
    assert [block.id for block in section.blocks] == ["sizes"]


def test_one_measure_with_too_little_leaves_the_others() -> None:
    made = campaign(runs=6, collections=1)
    silent = pl.when(pl.col("measure") == "accuracy").then(pl.lit("differences"))
    for name in ("stability", "sensitivity", "sizes_enough", "questions_needed"):
        made[name] = made[name].with_columns(too_few=silent)
    (one,) = show(made)
    for name in ("stability", "swap", "size_tau", "needed"):
        assert len(set(one.tables[name]["name"])) == 9, name
        assert "1 accuracy" not in one.tables[name]["name"]


def test_a_bin_with_few_comparisons_is_not_drawn() -> None:
    """At a confidence of 0.95 a bin needs 76; the first has 75."""
    made = campaign(runs=6, collections=1)
    few = pl.when(pl.col("bin") == 0).then(75).otherwise("comparisons")
    made["swap"] = made["swap"].with_columns(comparisons=few)
    (one,) = show(made)
    assert min(one.tables["swap"]["difference"]) == 0.01


@pytest.mark.parametrize(
    ("lasting", "apart", "said"),
    [
        (0.1, 100, "those of at least 0.10, which 40% of the comparisons have, are reversed in at"),
        # the last bin, from 0.20 on, is open: some differences in it may last
        (None, 76, "no difference in c@1 of less than 0.20 is large enough: of every size that at "
         "least 76 comparisons have, or of a larger one, more than 5% are reversed. Differences of "
         "0.20 and more were looked at together: some of them may be large enough."),
        (None, 75, ""),
    ],
)  # fmt: skip
def test_which_differences_are_rarely_reversed(
    lasting: float | None, apart: int, said: str
) -> None:
    made = campaign(runs=6, collections=1)
    made["swap"] = made["swap"].with_columns(apart=pl.lit(apart, pl.Int64))
    made["sensitivity"] = made["sensitivity"].with_columns(
        lasting_difference=pl.lit(lasting, pl.Float64)
    )
    (one,) = show(made)
    (chart,) = [chart for section in one.sections for chart in section.charts if chart.id == "swap"]
    assert said in chart.reading.finding
    assert bool(said) == bool(chart.reading.finding)


def test_of_larger_differences_than_were_seen_often_nothing_is_said() -> None:
    """The last bin, of 0.20 and more, has 75 comparisons: too few."""
    made = campaign(runs=6, collections=1)
    apart = pl.when(pl.col("bin") == 20).then(75).otherwise(100)
    made["swap"] = made["swap"].with_columns(apart=apart.cast(pl.Int64))
    made["sensitivity"] = made["sensitivity"].with_columns(
        lasting_difference=pl.lit(None, pl.Float64)
    )
    (one,) = show(made)
    (chart,) = [chart for section in one.sections for chart in section.charts if chart.id == "swap"]
    assert "no difference in c@1 is shown to be large enough:" in chart.reading.finding
    assert "together" not in chart.reading.finding


@pytest.mark.parametrize(
    ("size", "said"),
    [
        (10, "from 10 questions on, the fewest that were drawn, by MRR."),
        (40, "from 40 questions on by MRR, and by no measure earlier."),
    ],
)
def test_nothing_is_earlier_than_the_fewest_questions(size: int, said: str) -> None:
    """Sets of 10, 20 … 100 questions were drawn; by other measures it takes 50."""
    made = campaign(runs=6, collections=1)
    enough = pl.when(pl.col("measure") == "mrr").then(size).otherwise(50)
    made["sizes_enough"] = made["sizes_enough"].with_columns(size=enough.cast(pl.Int64))
    (one,) = show(made)
    charts = {chart.id: chart for section in one.sections for chart in section.charts}
    assert charts["size_tau"].reading.finding == f"The mean tau is 0.9 or more {said}"


def test_a_difference_of_nothing_is_not_one_that_is_needed() -> None:
    """Equal runs are never reversed: 0.000 and a sensitivity of 100% would say nothing."""
    made = campaign(runs=6, collections=1)
    made["sensitivity"] = made["sensitivity"].with_columns(
        absolute_difference=pl.lit(0.0), sensitivity=pl.lit(1.0), relative_difference=pl.lit(0.0)
    )
    (one,) = show(made)
    (table,) = [block for section in one.sections for block in section.blocks
                if block.id == "sensitivity"]  # fmt: skip
    columns = [column.label for column in table.columns]
    for label in ("Difference needed", "Relative difference", "Sensitivity"):
        assert {row[columns.index(label)] for row in table.rows} == {None}


def test_a_model_that_predicts_badly_gives_no_number() -> None:
    made = campaign(runs=6, collections=1)
    made["questions_needed"] = made["questions_needed"].with_columns(
        questions=pl.lit(None, pl.Int64)
    )
    (one,) = show(made)
    (section,) = [section for section in one.sections if section.id == "measures"]
    assert section.sentences == [
        "The swap rates of small sets do not predict those of larger ones well enough to say how "
        "many questions confirm a difference."
    ]
    assert "needed" not in [block.id for block in section.blocks]


def test_draws_of_everything_have_no_spread() -> None:
    """All sets of all 100 questions are the same set: no band there."""
    made = campaign(runs=6, collections=1)
    full = pl.col("size") == 100
    made["sizes"] = made["sizes"].with_columns(sd=pl.when(full).then(0.0).otherwise("sd"))
    (one,) = show(made)
    sizes = one.tables["sizes"]
    at_full = {
        sd for size, sd in zip(sizes["size"], sizes["sd c_at_1"], strict=True) if size == 100
    }
    assert at_full == {None}


def table_of(tables_of_results: Any, table_id: str) -> Any:
    (one,) = show(tables_of_results)
    (table,) = [
        block for section in one.sections for block in section.blocks if block.id == table_id
    ]
    return [dict(zip((column.label for column in table.columns), row, strict=True))
            for row in table.rows]  # fmt: skip


def test_neighbours_are_shown_with_the_better_run_first() -> None:
    """The table has the pair the other way round: all that has a side changes it."""
    made = campaign(runs=4, collections=1)
    pairs = made["comparisons"]
    made["comparisons"] = pairs.with_columns(run_a="run_b", run_b="run_a")
    names = [run["run"] for run in arrange(made)[0].runs]
    rows = table_of(made, "neighbours")
    assert len(rows) == 3
    for row in rows:
        turned = names.index(row["Run"]) < names.index(row["and run"])
        assert turned
        known = {row["Run"], row["and run"]} <= set(FOUR)
        assert known
        direct = row["Run"] > row["and run"]  # stands so in the table
        assert row["Difference"] == (0.1 if direct else -0.1)
        assert (row["from"], row["to"]) == ((0.01, 0.19) if direct else (-0.19, -0.01))
        assert (row["Won"], row["Lost"], row["Tied"]) == ((20, 10, 70) if direct else (10, 20, 70))


def test_planned_comparisons_say_what_is_equivalent() -> None:
    made = campaign(runs=4, collections=1)
    planned = (
        made["comparisons"]
        .head(2)
        .with_columns(
            family=pl.lit("planned"),
            margin=pl.Series([0.2, 0.02]),
            equivalent=pl.Series([True, False]),
        )
    )
    made["comparisons"] = pl.concat([made["comparisons"], planned])
    rows = table_of(made, "planned")
    assert [row["Equivalent"] for row in rows] == ["yes", "not shown"]
    assert [row["Margin"] for row in rows] == [0.2, 0.02]
    assert {row["Measure"] for row in rows} == {"c@1"}


def test_a_measure_without_a_better_end_has_no_best() -> None:
    given = tables()
    given["measures"] = given["measures"].with_columns(better=pl.lit("none"))
    made = Page(render(given, title="x"))
    assert made.all("td", **{"class": "best"}) == []
    [head] = [each for each in made.all("th") if each.get("@data-key") == "measure:2"]
    assert head["@title"].endswith("Neither higher nor lower is better.")


def test_measures_with_other_options_are_explained_apart() -> None:
    made = campaign(runs=3, collections=1)
    gains = pl.col("measure").replace_strict(
        {"q_1": '{"gains": {"S": 1}}', "q_3": '{"gains": {"S": 3}}'}, default=None
    )
    made["measures"] = made["measures"].with_columns(options=gains)
    cells = Page(render(made, title="x")).texts("td")
    assert "What it is. With gains: S 1." in cells
    assert "What it is. With gains: S 3." in cells


def test_measures_with_the_same_label_are_told_apart_by_their_options() -> None:
    made = campaign(runs=3, collections=1)
    gains = pl.col("measure").replace_strict(
        {"q_1": '{"gains": {"S": 1}}', "q_3": '{"gains": {"S": 3}}'}, default=None
    )
    same = pl.when(pl.col("measure").str.starts_with("q_")).then(pl.lit("Q")).otherwise("label")
    made["measures"] = made["measures"].with_columns(options=gains, label=same)
    assert {"c@1", "Q (gains: S 1)", "Q (gains: S 3)"} <= {
        *Page(render(made, title="x")).texts("option")
    }


def test_rows_are_embedded_once_for_all_charts() -> None:
    first, second = whole().data()
    assert set(second["tables"]) == {
        "roc",
        "stability",
        "swap",
        "size_tau",
        "sizes",
        "needed",
        "measure_tau",
    }
    assert len(first["tables"]["swap"]["swap_rate"]) == 21 * 10
    specs = [each["text"] for each in whole().all("script", type="application/json")]
    assert sum('"swap_rate"' in text and '"marks"' in text for text in specs) == 1
    assert not any('"swap_rate":0.45' in spec for spec in specs if '"mark"' in spec)


@pytest.mark.exhaustive
def test_the_main_charts_are_drawn_for_papers(tmp_path: Any) -> None:
    charts = set()
    for one in show(campaign(runs=3, collections=2)):
        sections = {each.id: tmp_path / each.id / one.collection.id for each in one.sections}
        draw_all(figures.specs(one), sections, tmp_path / "paper" / one.collection.id)
        charts |= {
            f"{each.id}/{one.collection.id}/{chart.id}{turned}.svg"
            for each in one.sections
            for chart in each.charts
            for turned in ("", *(["_turned"] if chart.other else []))
        }
    found = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.svg")}
    assert len(found) > 25
    assert found == charts
    for path in tmp_path.rglob("*.svg"):
        text = path.read_text()
        assert "NaN" not in text
        assert "{measure}" not in text
        assert "made with Qampaign" in text
        assert path.with_suffix(".png").read_bytes().startswith(b"\x89PNG")


def test_every_section_with_charts_has_a_folder_of_the_rule() -> None:
    rule = (ROOT / "workflow/rules/report.smk").read_text()
    drawn = {
        section.id
        for one in show(campaign(runs=3, collections=2))
        for section in one.sections
        if section.charts
    }
    assert drawn == set(re.findall(r"report/figures/(\w+)/", rule))


def test_what_is_left_of_collections_that_are_gone_is_deleted(tmp_path: Any) -> None:
    for name in ("a", "a-b", "b"):
        (tmp_path / "figures/judges" / name).mkdir(parents=True)
        (tmp_path / "tables").mkdir(exist_ok=True)
        (tmp_path / f"tables/leaderboard-{name}.md").touch()
    remove_leftovers(tmp_path, ["a-b"])
    assert [path.name for path in (tmp_path / "figures/judges").iterdir()] == ["a-b"]
    assert [path.name for path in (tmp_path / "tables").iterdir()] == ["leaderboard-a-b.md"]


def test_the_threshold_of_a_judge_is_marked_and_others_are_not_taken_for_it() -> None:
    """Rows at other thresholds, 0.5 here, are for the curve; the judge's own has none, and is at 0.25."""
    made = campaign(runs=3, collections=1)
    own = made["agreement"].filter(run="all", slice="all")
    made["agreement"] = pl.concat(
        [own.with_columns(threshold=pl.lit(0.5), hit_rate=pl.lit(0.1)), made["agreement"]]
    )
    (one,) = show(made)
    marks = one.tables["judge_points"]
    assert (marks["threshold"], marks["tp_rate"]) == ([0.25], [0.9])


@pytest.mark.parametrize(
    ("tau", "tau_b", "said"),
    [
        (0.98, 1.0, "c@1, K1 and MRR order the runs identically, ties included (tau is 0.98, since a "
         "tied pair counts as neither)."),
        (1.0, 1.0, "c@1, K1 and MRR order the runs identically."),
        (0.6, 0.62, "Tau is 0.60 for every two of c@1, K1 and MRR."),
    ],
)  # fmt: skip
def test_measures_that_rank_alike_are_named(tau: float, tau_b: float, said: str) -> None:
    made = campaign(runs=6, collections=1)
    kept = ["accuracy", "c_at_1", "k1", "mrr"]
    for name in ("scores", "measures"):
        made[name] = made[name].filter(pl.col("measure").is_in(kept))
    same = pl.when(pl.col("measure") == "accuracy").then(0.5).otherwise("value")
    made["scores"] = made["scores"].with_columns(value=same)
    made["correlation"] = made["correlation"].with_columns(tau=tau, tau_b=tau_b)
    (one,) = show(made)
    charts = {chart.id: chart for section in one.sections for chart in section.charts}
    assert charts["measure_tau"].reading.finding == said
    assert "all ranked runs are equal by it: accuracy." in charts["measure_tau"].reading.how


@pytest.mark.parametrize(
    ("hits", "alarms", "said"),
    [
        (0.9, 0.05, "At 0.25, key finds 90.0% of what the reference calls right and accepts 5.0% of "
         "what it calls wrong."),
        (None, 0.05, "At 0.25, key accepts 5.0% of what the reference calls wrong; the reference "
         "calls nothing right."),
        (0.9, None, "At 0.25, key finds 90.0% of what the reference calls right; the reference "
         "calls nothing wrong."),
        (None, None, ""),
    ],
)  # fmt: skip
def test_a_reference_that_calls_nothing_right_or_wrong(
    hits: float | None, alarms: float | None, said: str
) -> None:
    made = campaign(runs=6, collections=1)
    made["agreement"] = made["agreement"].with_columns(
        hit_rate=pl.lit(hits, pl.Float64), false_alarm_rate=pl.lit(alarms, pl.Float64)
    )
    (one,) = show(made)
    charts = {chart.id: chart for section in one.sections for chart in section.charts}
    assert charts["judge_roc"].reading.finding == said


@pytest.mark.parametrize(
    ("tied", "other", "said"),
    [
        # by the first measure only ties lower tau, by the others two runs change places
        ((0.79, 1.0), (0.9, 0.92), "Ties aside, rankings differ most where tau is 0.90"),
        ((0.79, 1.0), (0.7, 0.72), "The lowest tau is 0.70"),
        ((0.79, 1.0), (1.0, 1.0), "All judges order the runs as people does, by every measure: ties "
         "alone lower tau."),
        ((1.0, 1.0), (1.0, 1.0), "All judges order the runs as people does, by every measure."),
    ],
)  # fmt: skip
def test_ties_alone_are_no_disagreement(
    tied: tuple[float, float], other: tuple[float, float], said: str
) -> None:
    made = campaign(runs=6, collections=1)
    is_tied = pl.col("measure_a") == made["correlation"]["measure_a"][0]
    made["correlation"] = made["correlation"].with_columns(
        tau=pl.when(is_tied).then(tied[0]).otherwise(other[0]),
        tau_b=pl.when(is_tied).then(tied[1]).otherwise(other[1]),
    )
    (one,) = show(made)
    charts = {chart.id: chart for section in one.sections for chart in section.charts}
    assert charts["judge_tau"].reading.finding.startswith(said)


def test_the_chart_of_recall_names_its_judge() -> None:
    made = campaign(runs=6, collections=1)
    bins = made["recall_bins"]
    made["recall_bins"] = pl.concat([bins, bins.with_columns(judge=pl.lit("learned"))])
    (one,) = show(made)
    found = [
        chart.finding
        for section in one.sections
        for chart in section.charts
        if chart.id.startswith("recall_bins")
    ]
    assert [words.split(" compares, ")[0] for words in found] == ["As key", "As learned"]


def test_what_has_no_tau_has_no_heatmap() -> None:
    """As with one run alone, or with values that are all the same."""
    made = campaign(runs=2, collections=1)
    made["correlation"] = made["correlation"].with_columns(tau=pl.lit(None, pl.Float64))
    (one,) = show(made)
    assert not {"measure_tau", "judge_tau"} & set(one.tables)


def test_the_open_bin_says_nothing_of_questions_needed() -> None:
    """The last bin, from 0.20 on, holds all larger differences, which need fewer questions."""
    made = campaign(runs=3, collections=1)
    rows = made["questions_needed"].head(1).with_columns(difference=pl.lit(0.20))
    made["questions_needed"] = pl.concat([made["questions_needed"], rows])
    (one,) = show(made)
    assert max(one.tables["needed"]["difference"]) == 0.1


def test_a_measure_has_one_colour_in_all_studies() -> None:
    """Accuracy is left out of one study: those after it keep their colours there."""
    made = campaign(runs=3, collections=1)
    made["questions_needed"] = made["questions_needed"].filter(pl.col("measure") != "accuracy")
    (one,) = show(made)
    found: dict[str, dict[str, set[str]]] = {}
    for section in one.sections:
        for chart in section.charts:
            for layer in chart.spec.get("layer", []):
                colour = layer.get("encoding", {}).get("color", {})
                if colour.get("field") == "name" and section.id == "measures":
                    scale = colour["scale"]
                    for name, each in zip(scale["domain"], scale["range"], strict=True):
                        found.setdefault(chart.id, {}).setdefault(name, set()).add(each)
    assert found.keys() == {"stability", "swap", "size_tau", "needed"}
    assert found["needed"].keys() == found["swap"].keys() - {"1 accuracy"}
    for chart_id in found:
        assert found[chart_id].items() <= found["swap"].items(), chart_id
    assert all(len(colours) == 1 for colours in found["swap"].values())


@pytest.mark.parametrize(
    ("withheld", "told"),
    [
        # c@1 as it was (20 + 11 * 20/40) / 40 = 0.6375; with the candidates given, 7 left
        # unanswered, (22 + 7 * 22/40) / 40 = 0.64625
        ((2, 2), "withholding lowered the c@1 of both submitted runs."),
        # (21 + 7 * 21/40) / 40 = 0.617
        ((1, 3), "withholding raised the c@1 of both submitted runs."),
    ],
)
def test_withholding_is_held_against_giving_the_candidates(
    withheld: tuple[int, int], told: str
) -> None:
    """The third run is a baseline, and does not count."""
    made = campaign(runs=3, collections=1)
    right, wrong = withheld
    counts = {"questions": 40, "right": 20, "wrong": 9, "unanswered": 11, "withheld_right": right,
              "withheld_wrong": wrong, "missing": 11 - right - wrong}  # fmt: skip
    made["counts"] = made["counts"].with_columns(
        pl.lit(value, made["counts"].schema[name]).alias(name) for name, value in counts.items()
    )
    (one,) = show(made)
    (chart,) = [each for own in one.sections for each in own.charts if each.id == "withholding"]
    assert told == chart.reading.finding.replace("Against giving every candidate, ", "")
    assert chart.finding == chart.reading.finding.removesuffix(".")


def test_without_candidates_there_is_nothing_to_say_of_withholding() -> None:
    made = campaign(runs=3, collections=1)
    made["counts"] = made["counts"].with_columns(
        withheld_right=pl.lit(0), withheld_wrong=pl.lit(0), missing="unanswered"
    )
    (one,) = show(made)
    blocks = {block.id for section in one.sections for block in section.blocks}
    assert "silence" in blocks
    assert not {"withholding", "withheld"} & blocks


@pytest.mark.parametrize("counted_as", ["unanswered", "wrong"])
def test_rows_that_are_missing_are_silence_only_where_they_count_as_unanswered(
    counted_as: str,
) -> None:
    made = campaign(runs=3, collections=1)
    none = pl.lit(0, pl.Int64)
    parts = ("empty", "not_attempted", "withheld_right", "withheld_wrong")
    silent = pl.col("unanswered") if counted_as == "unanswered" else pl.col("unanswered") + 1
    counts = made["counts"].with_columns(missing=silent, **dict.fromkeys(parts, none))
    (one,) = show(made | {"counts": counts})
    (chart,) = [each for own in one.sections for each in own.charts if each.id == "silence"]
    said = "every unanswered question is one without a row" in chart.reading.caption
    assert said == (counted_as == "unanswered")


def test_a_rank_that_moves_alone_is_no_value_that_moved() -> None:
    made = campaign(runs=3, collections=1)
    row = made["changes"].head(1)
    alone = row.with_columns(run=pl.lit("run-003"), after=pl.col("before"))
    new = row.with_columns(run=pl.lit("new"), before=pl.lit(None, pl.Float64))
    made["changes"] = pl.concat([row, alone, new])
    (one,) = show(made)
    (section,) = [each for each in one.sections if each.id == "changes"]
    assert "2 values of 2 runs and 3 ranks changed." in section.sentences[0]


def test_ranks_that_all_were_pushed_are_said_to_be_all() -> None:
    made = campaign(runs=3, collections=1)
    (one,) = show(made)
    row = made["changes"].head(1).with_columns(judge=pl.lit(one.collection.reference))
    names = one.collection.names()[:2]
    first = row.with_columns(run=pl.lit("gone"), after=None, rank_before=1, rank_after=None)
    pushed = [
        row.with_columns(run=pl.lit(name), after="before", rank_before=place + 1, rank_after=place)
        for place, name in enumerate(names, start=1)
    ]
    made["changes"] = pl.concat([first, *pushed], how="vertical_relaxed")
    (one,) = show(made)
    (section,) = [each for each in one.sections if each.id == "changes"]
    assert (
        "1 value of 1 run and 2 ranks changed, all of them only because runs came or went."
        in section.sentences[0]
    )
    assert section.sentences[1].endswith(
        "2 runs with unchanged values moved up one rank because run gone is gone."
    )


def test_small_changes_have_no_exponent_and_paths_break_at_slashes() -> None:
    made = campaign(runs=3, collections=1)
    made["changes"] = made["changes"].with_columns(
        before=0.5, after=0.50003, sources=pl.lit("nq/<b>/adjudicated.csv")
    )
    page = render(made, title="x")
    assert "+0.00003" in page
    assert "e−05" not in page
    assert '<td class="path files"><bdi>nq/<wbr>&lt;b&gt;/<wbr>adjudicated.csv</bdi></td>' in page


def test_publications_are_drawn_as_a_timeline_of_the_runs() -> None:
    made = campaign(runs=3, collections=1)
    (one,) = show(made)
    assert "history" not in one.tables
    keys = {"collection": one.collection.id, "judge": one.collection.reference}
    keys |= {"measure": one.collection.primary_measure}
    names = one.collection.names()[:2]
    rows = [
        keys | {"publication": number, "time": f"day {number}", "run": run, "value": 0.5,
                "rank_first": rank, "leader": rank == 1, "sources": "runs.csv"}
        for number, order in enumerate([names, names[::-1], names[::-1]], start=1)
        for rank, run in enumerate(order, start=1)
    ]  # fmt: skip
    made["history"] = pl.DataFrame(rows)
    (one,) = show(made)
    (section,) = [each for each in one.sections if each.id == "changes"]
    (chart,) = section.charts
    led = f"The first place changed once; {names[1]} was first in the last publication shown"
    assert chart.finding.startswith(led)  # the scores are others: the config has changed
    assert len(one.tables["history"]["value"]) == 6
    assert "history_gone" not in one.tables
    (publications,) = [block for block in section.blocks if block.id == "publications"]
    assert [row[:3] for row in publications.rows] == [
        (3, "day 3", names[1]),
        (2, "day 2", names[1]),
        (1, "day 1", names[0]),
    ]
    scores = made["scores"].filter(slice="all", **keys)
    now = scores.drop_nulls("rank_first").select("run", "value", "rank_first")
    today = now.with_columns(
        **{name: pl.lit(value) for name, value in keys.items()}, publication=pl.lit(4),
        time=pl.lit("day 4"), leader=pl.col("rank_first") == 1, sources=pl.lit("runs.csv"),
    )  # fmt: skip
    made["history"] = pl.concat([pl.DataFrame(rows), today], how="diagonal_relaxed")
    (section,) = [each for each in show(made)[0].sections if each.id == "changes"]
    leader = now.sort("rank_first")["run"][0]
    assert section.charts[0].finding.endswith(f"{leader} is first now")


def with_a_leader_that_is_gone() -> dict[str, pl.DataFrame]:
    """Four publications; in the third a run is first that is not there any more."""
    made = campaign(runs=3, collections=1)
    (one,) = show(made)
    keys = {"collection": one.collection.id, "judge": one.collection.reference}
    keys |= {"measure": one.collection.primary_measure}
    names = one.collection.names()
    there = [names, [*names, "second, gone"], ["Ensemble", *names, "second, gone"], names]
    rows = [
        keys | {"publication": number, "time": f"2026-11-1{number}T08:30:12+00:00", "run": run,
                "value": 0.9 - 0.1 * rank, "rank_first": rank, "leader": rank == 1,
                "sources": "runs.csv"}
        for number, order in enumerate(there, start=1)
        for rank, run in enumerate(order, start=1)
    ]  # fmt: skip
    made["history"] = pl.DataFrame(rows)
    return made


def test_a_leader_that_is_gone_is_drawn() -> None:
    (one,) = show(with_a_leader_that_is_gone())
    (section,) = [each for each in one.sections if each.id == "changes"]
    (chart,) = section.charts
    assert chart.finding.startswith("The first place changed 2 times; ")
    assert "Dark grey: runs that were first and are gone." in chart.caption
    gone = one.tables["history_gone"]
    assert (gone["gone"], gone["publication"]) == (["Ensemble"], [3])
    drawn = as_svg(figure(chart, one))
    assert "Ensemble, gone" in drawn
    assert "second" not in drawn
    (publications,) = [block for block in section.blocks if block.id == "publications"]
    assert publications.rows[0][1] == "2026-11-14 08:30 UTC"


@pytest.mark.parametrize(("number", "labels"), [(2, ["1", "2"]), (3, ["1", "2", "3"])])
def test_publications_are_numbered_in_whole_numbers_once_each(
    number: int, labels: list[str]
) -> None:
    made = with_a_leader_that_is_gone()
    made["history"] = made["history"].filter(pl.col("publication") <= number)
    (one,) = show(made)
    (section,) = [each for each in one.sections if each.id == "changes"]
    assert re.findall(r">(\d+)</text>", as_svg(figure(section.charts[0], one))) == labels


def test_every_chart_is_a_valid_specification() -> None:
    """Charts are made without Altair's own check, which is slow; here it is made up for."""
    schema = core.load_schema()
    valid = validator_for(schema)(schema)
    specs = {
        (one.collection.id, chart.id): figure(chart, one)
        for one in show(campaign(runs=3, collections=2))
        for section in one.sections
        for chart in section.charts
    }
    assert len(specs) > 25
    assert [name for name, spec in specs.items() if not valid.is_valid(spec)] == []
    wrong = next(iter(specs.values())) | {"width": "no such width"}
    assert not valid.is_valid(wrong)


def test_the_leaderboard_for_papers() -> None:
    """careful has c@1 0.7, the best; accuracy is best in steady and twin."""
    [collection] = arrange(tables(rename={"careful": "a_b|c & d"}))
    lines = markdown(collection).splitlines()
    assert lines[2] == (
        r"| 1 | a\_b\|c \& d | Owls | **0.700** | 0.410 to 0.781 | 0.500 | – | 5 | 1 | 4 |"
    )
    assert len(lines) == 2 + 4
    made = latex(collection).splitlines()
    assert made[:3] == ["% Leaderboard", r"\begin{tabular}{rllrrrrrrr}", r"\toprule"]
    assert made[5] == (
        r"1 & a\_b\textbar{}c \& d & Owls & \textbf{0.700} & 0.410 to 0.781 & 0.500 & -- & "
        r"5 & 1 & 4 \\"
    )
    assert made[-2:] == [r"\bottomrule", r"\end{tabular}"]


def test_the_leaderboard_for_papers_has_the_ranges_of_the_measure_that_ranks() -> None:
    """Of six runs by rank, each range goes two ranks up and down, and the first three lead."""
    [collection] = arrange(campaign(runs=6, collections=1))
    head, _, *rows = (line.strip("| ").split(" | ") for line in markdown(collection).splitlines())
    ranges = ["95% interval of c@1", "Rank range by c@1", "Own rank", "Leading"]
    assert head[:8] == ["Rank", "Run", "Team", "c@1", *ranges]
    assert [row[5:8] for row in rows] == [
        ["1–3", "1–2", "yes"],
        ["1–4", "1–3", "yes"],
        ["1–5", "2–4", "yes"],
        ["2–6", "3–5", "–"],
        ["3–6", "4–6", "–"],
        ["4–6", "5–6", "–"],
    ]
    assert r"95\% interval of c@1 & Rank range by c@1 & Own rank & Leading" in latex(collection)


def test_leaderboards_say_what_is_unassessed_and_what_has_no_row() -> None:
    """Of careful 3 answers are unassessed and 14.2% of the questions have no row, of twin 0.9%."""
    given = tables(judges=("people",))
    shares = {"careful": 0.142, "twin": 0.009, "all_yes": None}  # a baseline has no rows
    given["scores"] = given["scores"].with_columns(
        missing=pl.col("run").replace_strict(shares, default=0.0, return_dtype=pl.Float64)
    )
    given["counts"] = given["counts"].with_columns(
        unassessed=pl.when(pl.col("run") == "careful").then(3).otherwise(0)
    )
    [collection] = arrange(given)
    ends = [line.split(" | ")[-2:] for line in markdown(collection).splitlines()]
    assert ends[0] == ["Unassessed", "No row |"]
    assert ends[2:] == [["3", "14% |"], ["0", "0% |"], ["0", "1% |"], ["0", "– |"]]
    ends = [line.split(" & ")[-2:] for line in latex(collection).splitlines() if "&" in line]
    assert ends[:2] == [["Unassessed", r"No row \\"], ["3", r"14\% \\"]]
    careful, *others = leaderboard(Page(render(given, title="x")))
    assert careful["count:unassessed"]["text"] == "3"
    assert [row["missing"]["text"] for row in (careful, *others)] == ["14%", "0%", "1%", "–"]


def test_the_licences_of_what_the_page_includes_stand_in_it() -> None:
    """A package that Vega brings along in a new version must be added to licences.txt."""
    page = render(tables(), title="T")
    licences = page[page.index("Licences of the included software") :]
    for holder in ("University of Washington Interactive Data Lab", "Mike Bostock", "Mapbox"):
        assert holder in licences
    assert "Redistributions in binary form must reproduce the above copyright notice" in licences
    assert vl_convert.get_vega_version().split(".")[0] == "6"
    assert vl_convert.get_vega_embed_version().split(".")[0] == "7"


@pytest.mark.exhaustive
def test_single_questions_of_groups_are_said_to_be_drawn() -> None:
    """100 questions in 40 groups: comparisons draw groups, the studies of this campaign do not."""
    made = campaign(runs=6, collections=1)
    text = render(made, title="x")
    assert "come in" not in text
    assert "of this kind. Filled dots are leading runs" in text
    assert "Single questions are drawn." in text
    grouped = with_groups(made, [f"g{number % 40}" for number in range(100)])
    text = render(grouped, title="x")
    assert (
        "The questions of a group are drawn together, because they are not independent: 40 groups."
        in text
    )
    assert "Single questions are drawn" not in text
    assert (
        "These studies draw single questions, as the config asks, although questions come in groups"
        in text
    )
    some = pl.when(pl.col("measure") == "accuracy").then(pl.lit("group")).otherwise("unit")
    grouped["swap"] = grouped["swap"].with_columns(unit=some)
    assert "Some of these studies draw single questions" in render(grouped, title="x")
    mixed = with_groups(made, ["a", "a", *[None] * 98])
    for name in ("stability", "swap", "size_tau", "questions_needed"):
        mixed[name] = mixed[name].with_columns(unit=pl.lit("group"))
    assert "questions without a group count as groups of their own" in render(mixed, title="x")


@pytest.mark.exhaustive
def test_groups_that_are_not_drawn_are_said_to_exist() -> None:
    groups = [f"g{number % 40}" for number in range(100)]
    made = with_groups(campaign(runs=6, collections=1), groups, unit="question")
    text = Page(render(made, title="x")).texts("main")[0]
    assert (
        "Single questions are drawn, as the config asks, although they come in 40 groups: as far "
        "as the questions of a group are right or wrong together, intervals are too narrow and "
        "p-values too small."
    ) in text
    assert "drawn together" not in text
    assert "These studies draw single questions" in text


def only(made: Tables, run: str) -> Tables:
    """The campaign with one run."""
    kept = {
        name: table.filter(pl.col("run").is_in([run, "all"])) if "run" in table.columns else table
        for name, table in made.items()
    }
    kept["comparisons"] = made["comparisons"].clear()
    for name in (
        "rank_first",
        "rank_last",
        "rank_low",
        "rank_high",
        "own_rank_low",
        "own_rank_high",
    ):
        kept["scores"] = kept["scores"].with_columns(pl.lit(1, pl.Int64).alias(name))
    kept["scores"] = kept["scores"].with_columns(leading=pl.lit(True))
    return kept


def test_one_run_leads_nobody() -> None:
    groups = [f"g{number % 40}" for number in range(100)]
    made = with_groups(only(campaign(runs=4, collections=1), "run-001"), groups)
    page = render(made, title="x")
    shown = Page(page)
    words = " ".join(text for tag in ("p", "h4", "th", "td") for text in shown.texts(tag)).lower()
    assert "leading" not in words
    assert "rank range" not in words
    assert "the only ranked run" in words
    assert "40 groups" in words
    for said in (
        "the ranked run has a right answer to ",
        "of all questions, run-001 left ",
        "run-001 gains 0.",
        "run-001 left ",
        " that run-001 withheld, ",
        "among the surest quarter of its answers, ",
    ):
        assert said in words, said
    for silly in (
        "0 of 1 ",
        "1 submitted run",
        "at least one ranked",
        "the most",
        "largest share",
        "largest move",
    ):
        assert silly not in words, silly
    assert not re.search(r'"leading": ?\[', page)
    assert "leading runs" not in page
    [collection] = arrange(made)
    assert "Leading" not in markdown(collection) + latex(collection)
    assert "Rank range" not in markdown(collection) + latex(collection)


def test_the_surest_quarter_of_the_answers() -> None:
    """Of 80% answered, a quarter is 20%; all answers of the last run are equally sure."""
    curves = {
        "run-001": [(0.1, 0.0), (0.2, 0.75), (0.8, 0.5)],
        "run-002": [(0.1, 1.0), (0.3, 0.5), (0.8, 0.5)],
        "run-003": [(0.8, 0.5)],
    }
    made = campaign(runs=4, collections=1)
    rows = [
        {"collection": "answers-0", "judge": "people", "run": run, "bar": 1 - share,
         "answered": share, "accuracy": accuracy}
        for run, points in curves.items() for share, accuracy in points
    ]  # fmt: skip
    for kept, said in (
        (rows, "Among the surest quarter of their answers, 1 of the 2 runs whose confidences set one "
         "apart is more accurate than over all."),
        (rows[:3], "Among the surest quarter of its answers, run-001 is more accurate than over all."),
        ([rows[0], rows[2]], ""),  # what is surest is less than a quarter
    ):  # fmt: skip
        made["coverage"] = pl.DataFrame(kept, schema=made["coverage"].schema)
        (one,) = show(made)
        charts = {chart.id: chart for section in one.sections for chart in section.charts}
        assert charts["coverage"].reading.finding == said


@pytest.mark.parametrize(
    ("groups", "said"),
    [
        (["g"] * 100, "Each dot is a run's value; a single group gives no interval."),
        (["g"] * 50 + ["h"] * 50, "Each dot is a run's value, no interval."),
    ],
)
def test_why_there_is_no_interval(groups: list[str], said: str) -> None:
    made = with_groups(campaign(runs=4, collections=1), groups)
    nothing = pl.lit(None, pl.Float64)
    made["scores"] = made["scores"].with_columns(low=nothing, high=nothing)
    (one,) = show(made)
    charts = {chart.id: chart for section in one.sections for chart in section.charts}
    assert charts["scores"].reading.how == said


def test_nobody_leads_by_a_measure_without_a_better_end() -> None:
    made = campaign(runs=4, collections=1)
    made["measures"] = made["measures"].with_columns(better=pl.lit("none"))
    [collection] = arrange(made)
    assert "Leading" not in markdown(collection)
    (one,) = show(made)
    (section,) = [section for section in one.sections if section.id == "comparisons"]
    assert (
        "nothing shows which run truly has the higher value, nor that they are equal."
        in section.sentences[0]
    )


def test_pairs_that_differ_are_counted_whatever_the_table_keeps() -> None:
    """By all pairs of 12 runs, and by the ranges alone, as where only neighbours are in the table."""
    found = study(
        abstaining(7, 12, 120), [Configured("c_at_1", "c_at_1", {})], seed="s", primary="c_at_1"
    )
    sure = found.comparisons.filter(pl.col("p_adjusted") <= 0.05).height
    assert 10 < sure < 60
    made = campaign(runs=12, collections=1)
    names = dict(zip("abcdefghijkl", sorted(set(made["scores"]["run"])), strict=True))
    low = {names[run]: low for run, low in found.intervals.select("run", "rank_low").rows()}
    made["scores"] = made["scores"].with_columns(
        rank_low=pl.col("run").replace_strict(low, return_dtype=pl.Int64)
    )
    made["comparisons"] = made["comparisons"].head(11)
    (one,) = show(made)
    (section,) = [section for section in one.sections if section.id == "comparisons"]
    assert section.sentences[0].startswith(
        f"By c@1, {sure} of 66 pairs of ranked runs differ surely"
    )
    assert section.sentences[1].endswith("with the median spread of neighbours in rank here.")


def test_few_questions_do_not_say_how_many_are_needed() -> None:
    made = campaign(runs=4, collections=1)
    assert {row["Needed"] for row in table_of(made, "neighbours")} == {200}  # 196, to two digits
    made["comparisons"] = made["comparisons"].with_columns(units=pl.lit(11, pl.Int64))
    assert {row["Needed"] for row in table_of(made, "neighbours")} == {None}


@pytest.mark.parametrize(
    ("tau", "tau_b", "said"),
    [
        (0.0, None, "; at least one of their rankings by c@1 ties all runs: there is no order to compare."),
        (0.6, 1.0, "; their rankings by c@1 are the same, ties included (tau is 0.600, since a tied pair "
                   "counts as neither)."),
        (1.0, 1.0, "; tau between their rankings by c@1 is 1.000."),
        (-0.2, -0.3, "; tau between their rankings by c@1 is −0.200."),
    ],
)  # fmt: skip
def test_equal_rankings_with_ties_are_not_called_different(
    tau: float, tau_b: float | None, said: str
) -> None:
    sentence = _with_tau(SimpleNamespace(primary_label="c@1"), {"tau": tau, "tau_b": tau_b, "low": None, "high": None})  # fmt: skip
    assert f"{sentence}." == said


def test_a_composite_is_told_in_words() -> None:
    [collection] = arrange(tables())
    options = {"of": ["c_at_1", "accuracy"], "weights": [2.0, 1.0]}
    row = {"options": json.dumps(options), "summary": "The weighted mean.", "better": "high"}
    assert collection.options_of(row) == "the mean of c@1 and accuracy, weighted by 2 and 1"
    assert collection.explained(row) == "The weighted mean."


def test_types_with_the_same_number_are_not_called_highest_and_lowest() -> None:
    """Means of 0.441 and 0.442 are both shown as 0.44."""
    made = campaign(runs=3, collections=1)
    of_type = {"definition": 0.441, "factoid": 0.442}
    own = pl.col("slice").replace_strict(of_type, default=None, return_dtype=pl.Float64)
    made["scores"] = made["scores"].with_columns(value=pl.coalesce(own, "value"))
    (one,) = show(made)
    charts = {chart.id: chart for section in one.sections for chart in section.charts}
    assert charts["slices"].finding == (
        "The mean of the submitted runs is nearly the same on both types (0.44)"
    )


@pytest.mark.parametrize(("end", "said"), [(1.0, True), (0.0, False)])
def test_an_unranked_run_that_may_be_better_is_told(end: float, said: bool) -> None:
    """The last run has no rank; with its unassessed answers it may reach 1, or only 0."""
    made = campaign(runs=4, collections=1)
    last = pl.col("run") == made["scores"]["run"].max()
    unranked = {name: pl.when(~last).then(name) for name in ("rank_first", "rank_last")}
    bound = pl.when(last).then(end).otherwise("value")
    made["scores"] = made["scores"].with_columns(if_wrong=bound, if_right=bound, **unranked)
    verdict = summary(arrange(made)[0])["verdict"]
    assert verdict.endswith("; an unranked run may be better") == said


def test_below_five_runs_thresholds_have_no_tau() -> None:
    for runs, told in ((6, True), (3, False)):
        made = campaign(runs=runs, collections=1)
        made["thresholds"] = made["thresholds"].with_columns(
            tau=pl.lit(0.8), cross_fitted_tau=pl.lit(0.7)
        )
        (one,) = show(made)
        (table,) = [
            block
            for section in one.sections
            for block in section.blocks
            if block.id == "thresholds"
        ]
        labels = [column.label for column in table.columns]
        taus = {
            row[labels.index(label)] for row in table.rows for label in ("Tau", "Tau elsewhere")
        }
        assert taus == ({0.8, 0.7} if told else {None})
