"""Raw bytes to rows of text: the same rows from every format, and a reason for every refusal."""

import codecs
import csv
import gzip
import io
import json
import os
import re
import tracemalloc
import zlib
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO
from unittest.mock import patch

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from qampaign.input import delimited, sources
from qampaign.input.formats import Fault, Source, Unreadable, too_large

MEGABYTE = 1_000_000
REGULAR = "a regular file, or a link to one"
NAMES = ["question", "answer", "note"]
TABLE = [
    ["007", "Paris, France", "NA"],
    ["q2", 'he said "no"', "null"],
    ["=cmd()", "tab\tand\nline", "None"],
    ["<script>", "שלום 🙂", "1.10"],
    ["q5", "", "5' 6"],
]


def separate(table: list[list[str]], delimiter: str = ",", line_end: str = "\n") -> bytes:
    text = io.StringIO()
    # of itself the writer leaves a carriage return bare where lines end in something else
    quoting = (
        csv.QUOTE_ALL if any("\r" in cell for row in table for cell in row) else csv.QUOTE_MINIMAL
    )
    writer = csv.writer(text, delimiter=delimiter, lineterminator=line_end, quoting=quoting)
    writer.writerows(table)
    return text.getvalue().encode()


def as_json_lines(table: list[list[str]]) -> bytes:
    lines = (json.dumps(dict(zip(NAMES, row, strict=True))) for row in table)
    return "\n".join(lines).encode()


def as_parquet(frame: pl.DataFrame) -> bytes:
    file = io.BytesIO()
    frame.write_parquet(file)
    return file.getvalue()


WRITTEN = {
    ".csv": separate([NAMES, *TABLE]),
    ".tsv": separate([NAMES, *TABLE], "\t"),
    ".jsonl": as_json_lines(TABLE),
    ".ndjson": as_json_lines(TABLE),
    ".parquet": as_parquet(pl.DataFrame(TABLE, schema=NAMES, orient="row")),
}


def parse(content: bytes | str, name: str = "a.csv") -> Source:
    return sources.parse(content.encode() if isinstance(content, str) else content, Path(name))


def rows_of(source: Source) -> list[tuple[str, ...]]:
    return source.frame.fill_null("").rows()


def faults_of(content: bytes | str, name: str = "a.csv") -> list[tuple[str, int | None]]:
    """What keeps the content from being read, and the lines."""
    with pytest.raises(Unreadable) as unreadable:
        parse(content, name)
    assert all(fault.allowed for fault in unreadable.value.faults)
    return [(fault.problem, fault.line) for fault in unreadable.value.faults]


# --- every format gives the same rows ---


@pytest.mark.parametrize("suffix", WRITTEN)
@pytest.mark.parametrize("zipped", [False, True])
def test_every_format_gives_the_same_rows(suffix: str, zipped: bool) -> None:
    content = gzip.compress(WRITTEN[suffix]) if zipped else WRITTEN[suffix]
    source = parse(content, f"a{suffix}{'.gz' if zipped else ''}")
    assert source.frame.columns == NAMES
    assert rows_of(source) == [tuple(row) for row in TABLE]


@pytest.mark.parametrize(
    ("name", "lines"),
    [("a.csv", [2, 3, 4, 6, 7]), ("a.tsv", [2, 3, 4, 6, 7]), ("a.jsonl", [1, 2, 3, 4, 5]),
     ("a.parquet", [1, 2, 3, 4, 5])],
)  # fmt: skip
def test_each_row_knows_its_line(name: str, lines: list[int]) -> None:
    assert parse(WRITTEN[Path(name).suffix], name).lines.to_list() == lines


@pytest.mark.parametrize("name", ["a.CSV", "a.Csv.GZ", "a.b.csv"])
def test_the_format_is_told_by_the_end_of_the_name_in_any_case(name: str) -> None:
    content = WRITTEN[".csv"]
    packed = gzip.compress(content) if name.lower().endswith(".gz") else content
    assert len(rows_of(parse(packed, name))) == len(TABLE)


@pytest.mark.parametrize(
    ("path", "name"),
    [("runs/icia091ro.csv.gz", "icia091ro"), ("a.b.jsonl", "a.b"), ("x.CSV", "x"), ("é.tsv", "é")],
)
def test_the_name_of_a_run_is_the_file_name_without_its_format(path: str, name: str) -> None:
    assert sources.name_of(Path(path)) == name


# --- CSV and TSV ---

cells = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8)
tricky = st.text("ab \"',;\t\n\r\\é\u2028", max_size=6)
tables = st.lists(st.tuples(cells | tricky, cells | tricky).map(list), min_size=1, max_size=6)


def lines_in(text: str) -> int:
    return len(re.findall("\r\n|\r|\n", text))


@given(tables, st.sampled_from([",", "\t"]), st.sampled_from(["\n", "\r\n"]), st.booleans())
@example([["q1", "a\r"]], ",", "\n", False)
@example([["q1", ""], ["q2", '"']], "\t", "\r\n", True)
def test_what_the_csv_module_writes_is_read_to_the_letter_and_line(
    table: list[list[str]], separator: str, line_end: str, marked: bool
) -> None:
    if separator == "\t":  # what looks like rows inside a value is refused
        assume(not any("\n" in cell and "\t" in cell for row in table for cell in row))
    header = separate([["x", "y"]], separator, line_end)
    pieces = [separate([row], separator, line_end) for row in table]
    content = header + b"".join(pieces)
    source = parse(codecs.BOM_UTF8 * marked + content, "a.csv" if separator == "," else "a.tsv")
    assert rows_of(source) == [tuple(row) for row in table]
    before = [(header + b"".join(pieces[:number])).decode() for number in range(len(pieces))]
    assert source.lines.to_list() == [lines_in(text) + 1 for text in before]


def outcome(read: object, content: bytes, separator: str) -> object:
    try:
        source = read(content, separator)  # type: ignore[operator]
    except Unreadable as unreadable:
        return unreadable.faults
    return source.frame.columns, rows_of(source), source.lines.to_list()


@given(st.text('ab "\n\n\r,,\té', max_size=16), st.booleans(), st.sampled_from([",", "\t"]))
@example(",b,", True, ",")  # polars overlooks the third field at the end of a file
@example('"bb,"b"",b ', True, ",")  # and drops quotes that are out of place
@example('""b"", "b "b b', True, ",")
@example('"\na', False, "\t")  # a quote is a character as others are
@example(",a\ra", True, ",")  # and takes a carriage return for a part of the value
def test_the_fast_and_the_slow_way_agree_on_any_text(
    text: str, headed: bool, separator: str
) -> None:
    content = (f"x{separator}y\n" * headed + text).encode()
    fast = outcome(delimited.read_separated, content, separator)
    with patch.object(delimited, "_read_plain", return_value=None):
        assert fast == outcome(delimited.read_separated, content, separator)


@given(
    st.lists(st.text('ab  "\t\v,\x1f\xa0', max_size=6), min_size=1), st.sampled_from([",", "\t"])
)
@example(["a b"], ",")
@example(["a, b"], "\t")
def test_what_is_called_tidy_has_no_white_space_to_take_out(
    values: list[str], separator: str
) -> None:
    table = [["x", "y"], *([value, "1"] for value in values)]
    source = parse(separate(table, separator), "a.csv" if separator == "," else "a.tsv")
    cleaned = source.frame["x"].str.strip_chars().str.replace_all(r"\s+", " ")
    assert not source.tidy or source.frame["x"].equals(cleaned)
    assert source.tidy or values not in (["a b"], ["a, b"])


@given(
    st.lists(st.text('ab "\n\n\r,,é', max_size=16), min_size=2, max_size=4),
    st.sampled_from(["x,y\n", "x,y\r\n", "x\n", "\ufeffx,y\n"]),
)
@example(['a,"b\n', 'c",d\n'], "x,y\n")  # a quote that another file would close
@example(["a,b", "c,\n", "d,e\n"], "x,y\n")
@example(["a,b\n", ""], "x,y\n")
def test_files_read_together_are_read_as_each_by_itself(bodies: list[str], header: str) -> None:
    contents = [(header + body).encode() for body in bodies]
    paths = [Path(f"{number}.csv") for number in range(len(contents))]
    together = sources.parse_all(contents, paths)
    for content, found in zip(contents, together, strict=True):
        assert outcome(lambda *_, found=found: _unless_refused(found), content, ",") == outcome(
            delimited.read_separated, content, ","
        )


def _unless_refused(found: Source | Unreadable) -> Source:
    if isinstance(found, Unreadable):
        raise found
    return found


def test_plain_files_of_one_header_are_read_together() -> None:
    contents = [b"x,y\na,b\n", b"x,y\nc,d\ne,f\n"]
    read = delimited.read_together(contents, ",")
    assert read is not None
    assert [each.frame.rows() for each in read] == [[("a", "b")], [("c", "d"), ("e", "f")]]
    assert [each.lines.to_list() for each in read] == [[2], [2, 3]]
    assert delimited.read_together([*contents, b"y,x\nb,a\n"], ",") is None


def test_plain_files_are_read_the_fast_way() -> None:
    assert delimited._read_plain(b'x,y\n1,"a, b"\n2,c', ",") is not None


@pytest.mark.parametrize(
    "content",
    [
        "question,answer\nq1,a\nq2,b\n",
        "question,answer\nq1,a\nq2,b",
        "question,answer\r\nq1,a\r\nq2,b\r\n",
        "question,answer\rq1,a\rq2,b\r",
        "question,answer\r\nq1,a\nq2,b\r",
        '\ufeff"question","answer"\nq1,a\nq2,b\n',
        "\ufeffquestion,answer\r\nq1,a\r\nq2,b\r\n",
        " question , answer\t\nq1,a\nq2,b\n",
        "\n\nquestion,answer\n\nq1,a\n   \nq2,b\n\n\n",
    ],
)
def test_line_ends_marks_blank_lines_and_spaces_around_names_do_not_matter(content: str) -> None:
    source = parse(content)
    assert source.frame.columns == ["question", "answer"]
    assert rows_of(source) == [("q1", "a"), ("q2", "b")]
    lines = re.split("\r\n|\r|\n", content)
    assert [lines[line - 1] for line in source.lines] == ["q1,a", "q2,b"]


def test_a_quote_inside_an_unquoted_value_is_a_character() -> None:
    assert rows_of(parse('x\ty\n1\t5" disk\n2\t6"\n', "a.tsv")) == [("1", '5" disk'), ("2", '6"')]


@pytest.mark.parametrize(
    ("content", "rows", "lines"),
    [
        ('x\ty\n1\t"Hi" he said\n2\t"\n', [("1", '"Hi" he said'), ("2", '"')], 2),
        ('x\ty\r\n1\t"5 feet\r\n2\tno\r\n3\t6"\r\n',
         [("1", '"5 feet'), ("2", "no"), ("3", '6"')], 2),
    ],
)  # fmt: skip
def test_a_tsv_file_without_quoting_has_quotes_in_its_values(
    content: str, rows: list[tuple[str, ...]], lines: int
) -> None:
    source = parse(content, "a.tsv")
    assert rows_of(source) == rows
    assert [count for _, _, count in source.notes] == [lines]
    assert source.lines.to_list() == [*range(2, len(rows) + 2)]
    # pairs around values are quotes, there as elsewhere
    assert rows_of(parse('x\ty\n1\t"a\tb"\n', "a.tsv")) == [("1", "a\tb")]


@pytest.mark.parametrize(
    ("content", "name", "faults"),
    [
        ("", "a.csv", [("is empty", None)]),
        ("\ufeff", "a.csv", [("is empty", None)]),
        ("\n \n\n", "a.jsonl", [("is empty", None)]),
        ("x,y\n1,2,3\n1,2\n1\n", "a.csv",
         [("has 3 fields where the header has 2", 2), ("has 1 fields where the header has 2", 4)]),
        ("x,y\n1,2\n1, \"a, b\"\n", "a.csv", [("has 3 fields where the header has 2", 3)]),
        ('x,y\n1,2\n3,"open\n4,5\n', "a.csv",
         [("is not well quoted (unexpected end of data)", 3)]),
        ('x\ty\n1\t"Hi" he said\n2\n', "a.tsv",
         [("is not well quoted ('\t' expected after '\"')", 2)]),
        ('x\ty\n1\t"5 feet\n2\tno\n3\t6 feet"\n4\n', "a.tsv",
         [("has 1 fields where the header has 2", 5),
          ("has a stray quote that swallows the rows below", 2)]),
        ("x,y,x, y\n1,2,3,4\n", "a.csv",
         [("has the column 'x' more than once", 1), ("has the column 'y' more than once", 1)]),
        ("x, x\n1,2\n", "a.csv", [("has the column 'x' more than once", 1)]),
        ("x\n" + "," * 2_000, "a.csv", [("has 2001 fields where the header has 1", 2)]),
        ('"x' * 1_000_000, "a.csv",
         [("is not well quoted (',' expected after '\"')", 1)]),
        ("," * 2_000_000, "a.csv", [("has more than 1,000 columns", None)]),
        (b"x,y\n1,caf\xe9\n", "a.csv", [("is not UTF-8 (byte 0xe9)", 2)]),
        (b'{"x": 1}\n{"x": "caf\xe9"}\n', "a.jsonl", [("is not UTF-8 (byte 0xe9)", 2)]),
        ("x,y\n1,é\n".encode("utf-16"), "a.csv", [("is UTF-16", None)]),
        ("x,y\n".encode("utf-16-le"), "a.csv", [("is not text (a zero byte)", 1)]),
        ("x,y\n1,2\n1,a\0b\n", "a.csv", [("is not text (a zero byte)", 3)]),
        (b"PAR1\x15\x00\x15", "a.csv", [("is not text (a zero byte)", 1)]),
        (b"\x1f\x8b\x08\xff", "a.jsonl", [("is not UTF-8 (byte 0x8b)", 1)]),
        (WRITTEN[".csv"], "a.parquet", [("is not a Parquet file", None)]),
        (b"PAR1" + bytes(range(256)) + b"PAR1", "a.parquet", [("is not a Parquet file", None)]),
        (WRITTEN[".parquet"][:-40], "a.parquet", [("is not a Parquet file", None)]),
        (WRITTEN[".csv"], "a.csv.gz", [("is not a complete gzip file", None)]),
        (gzip.compress(WRITTEN[".csv"])[:-9], "a.csv.gz", [("is not a complete gzip file", None)]),
        (gzip.compress(b"", mtime=0), "a.csv.gz", [("is empty", None)]),
        ("x", "a.txt", [("has an unknown file type", None)]),
        ("x", ".csv", [("has an unknown file type", None)]),
        ("x", "a.gz", [("has an unknown file type", None)]),
    ],
)  # fmt: skip
def test_what_can_not_be_read_is_refused_with_every_reason(
    content: bytes | str, name: str, faults: list[tuple[str, int | None]]
) -> None:
    assert faults_of(content, name) == faults


def test_a_text_with_lines_and_commas_is_a_value_of_a_csv_file() -> None:
    source = parse('x,y\n1,"10 Downing Street\nLondon, UK"\n2,b\n')
    assert rows_of(source) == [("1", "10 Downing Street\nLondon, UK"), ("2", "b")]
    assert source.spread == 1


@pytest.mark.exhaustive
@pytest.mark.slow
def test_a_wrong_row_deep_in_a_large_file_is_found() -> None:
    rows = [f'q{number},"a, {number}"' for number in range(200_000)]
    rows[150_000] += ",more"
    rows[160_000] = "q160000"
    assert faults_of("\n".join(["question,answer", *rows])) == [
        ("has 3 fields where the header has 2", 150_002),
        ("has 1 fields where the header has 2", 160_002),
    ]


@pytest.mark.exhaustive
def test_a_line_of_100_megabytes_is_read() -> None:
    answer = "x, " * (100 * MEGABYTE // 3)
    source = parse(f'question,answer\nq1,"{answer}"\nq2,b\n')
    assert source.frame["answer"].str.len_bytes().to_list() == [len(answer), 1]
    assert source.lines.to_list() == [2, 3]


@pytest.mark.exhaustive
@pytest.mark.slow
@pytest.mark.parametrize(
    ("junk", "name", "problem"),
    [
        (b"\x8f\x00", "a.csv", "is not text (a zero byte)"),
        (b"\x8f\xff", "a.jsonl", "is not UTF-8 (byte 0x8f)"),
        (b"[[", "a.jsonl", "is not JSON (maximum recursion depth exceeded"),
        (b"xx", "a.parquet", "is not a Parquet file"),
    ],
)
def test_100_megabytes_of_junk_give_a_short_message(junk: bytes, name: str, problem: str) -> None:
    (found, _), *_ = faults_of(junk * (50 * MEGABYTE), name)
    assert found.startswith(problem)
    assert len(found) < 200


# --- JSON Lines ---


def test_numbers_keep_their_digits_and_words_their_spelling() -> None:
    content = (
        '{"a": 1.10, "b": 1e400, "c": 123456789012345678901, "d": true, "e": null, "f": "NaN"}'
    )
    assert parse(content, "a.jsonl").frame.row(0) == (
        *("1.10", "1e400", "123456789012345678901", "true", None, "NaN"),
    )


def test_objects_may_have_different_names_in_any_order() -> None:
    source = parse('{"x": "1"}\n\n{" y ": "2", "x": "3"}\r\n{"y": "4"}', "a.jsonl")
    assert source.frame.to_dict(as_series=False) == {"x": ["1", "3", None], "y": [None, "2", "4"]}
    assert source.lines.to_list() == [1, 3, 4]


def test_text_is_what_json_says_it_is() -> None:
    content = r'{"x": "caf\u0065\u0301 \ud83d\ude42 \"q\" \n"}' + "\n" + '{"x": "a\u2028b"}'
    source = parse(content, "a.jsonl")
    assert source.frame["x"].to_list() == ['cafe\u0301 🙂 "q" \n', "a\u2028b"]
    assert not source.ascii


def test_lists_and_objects_are_noted_with_their_lines() -> None:
    source = parse('{"x": ["a", 1]}\n{"x": "b"}\n{"x": {"c": 1.5}}', "a.jsonl")
    assert source.nested == {"x": [1, 3]}
    assert source.frame["x"].to_list() == ['["a", 1]', "b", '{"c": "1.5"}']


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ('{"x": }', "is not JSON (Expecting value, character 7)"),
        ("x,y", "is not JSON (Expecting value, character 1)"),
        ('{"x": 1} {"x": 2}', "is not JSON (Extra data, character 10)"),
        ('{"x": 1}\r{"x": 2}', "is not JSON (Extra data, character 10)"),
        ('["x", 1]', "is not JSON (not an object)"),
        ("3", "is not JSON (not an object)"),
        ('{"x": 1, "x": 2}', "is not JSON (a name occurs twice)"),
        ('{"x": 1, " x": 2}', "is not JSON (a name occurs twice)"),
        ('{"x": NaN}', "is not JSON (NaN is not a JSON value)"),
        ('{"x": -Infinity}', "is not JSON (-Infinity is not a JSON value)"),
        (r'{"x": "\ud83d"}', r"is not JSON (half a character, one of \ud800 to \udfff)"),
        (r'{"\udc00": "x"}', r"is not JSON (half a character, one of \ud800 to \udfff)"),
        ('{"x": "a\tb"}', "is not JSON (Invalid control character at, character 9)"),
        ('{"x": ' + "9" * 5_000 + "}", "is not JSON (Exceeds the limit (4300 digits)"),
        ('{"x": ' + "[" * 5_000, "is not JSON (maximum recursion depth exceeded"),
    ],
)
def test_a_line_that_is_no_json_object_is_refused(line: str, problem: str) -> None:
    (first, line_1), (second, line_3) = faults_of(f'{line}\n{{"x": 1}}\n{line}\n', "a.jsonl")
    assert (line_1, line_3) == (1, 3)
    assert first == second
    assert first.startswith(problem)


@pytest.mark.slow
def test_a_name_for_each_line_is_no_table() -> None:
    content = "\n".join(f'{{"x{number}": 1}}' for number in range(100_000))
    assert faults_of(content, "a.jsonl") == [("has more than 1,000 columns", None)]


# --- Parquet ---


def test_parquet_values_become_the_text_that_a_person_would_write() -> None:
    frame = pl.DataFrame(
        {
            " question ": [7, 8],
            "rank": [1.0, None],
            "confidence": pl.Series([0.1, 1e-7], dtype=pl.Float32),
            "answered": [True, None],
            "date": pl.Series(["2011-06-19", None]).str.to_date(),
            "class": pl.Series(["x", "y"], dtype=pl.Categorical),
            "nothing": [None, None],
        }
    )
    source = parse(as_parquet(frame), "a.parquet")
    assert source.frame.columns == [name.strip() for name in frame.columns]
    assert source.frame.rows() == [
        ("7", "1.0", "0.1", "true", "2011-06-19", "x", None),
        ("8", None, "1e-7", None, None, "y", None),
    ]


@given(st.lists(st.floats(allow_nan=False), min_size=1))
def test_parquet_numbers_survive_being_text(numbers: list[float]) -> None:
    source = parse(as_parquet(pl.DataFrame({"confidence": numbers})), "a.parquet")
    assert source.frame["confidence"].cast(pl.Float64).to_list() == numbers


def test_parquet_columns_of_lists_or_bytes_are_noted() -> None:
    frame = pl.DataFrame({"l": [[1], [2]], "s": [{"a": 1}] * 2, "b": [b"x"] * 2, "t": ["x"] * 2})
    source = parse(as_parquet(frame), "a.parquet")
    assert source.nested == {"l": [1, 2], "s": [1, 2], "b": [1, 2]}
    assert source.frame["l"].to_list() == ["large_list<element: int64>"] * 2
    assert source.frame["t"].to_list() == ["x", "x"]


def test_parquet_text_that_is_not_utf_8_is_refused() -> None:
    file = io.BytesIO()
    frame = pl.DataFrame({"answer": ["Paris", "Rome"]})
    frame.write_parquet(file, compression="uncompressed", statistics=False)
    damaged = file.getvalue().replace(b"Paris", b"Pari\xff")
    assert faults_of(damaged, "a.parquet") == [("is not a Parquet file", None)]


@given(st.integers(0, len(WRITTEN[".parquet"]) - 1), st.integers(0, 255))
def test_damaged_parquet_files_are_refused_or_read_and_end_nothing(place: int, byte: int) -> None:
    content = bytearray(WRITTEN[".parquet"])
    content[place] = byte
    with suppress(Unreadable):
        parse(bytes(content), "a.parquet")


# --- packed files ---


def test_a_packed_file_that_unpacks_to_too_much_is_refused() -> None:
    content = gzip.compress(b"question,answer\n" + b"q1,Paris\n" * 200_000)  # 1.8 MB
    for limit, faults in [(0.0018, (too_large(0.0018),)), (0.002, ())]:
        (read,) = sources.parse_all([content], [Path("a.csv.gz")], limit)
        assert read.faults == faults
    assert too_large(0.5).problem == "unpacks to more than 0.5 gigabytes"
    assert too_large(0.5).allowed == (
        "less, or a higher limit than limits: {unpacked_gb: 0.5} in the config"
    )


@pytest.mark.exhaustive
@pytest.mark.slow
def test_a_bomb_is_refused_without_being_unpacked_into_memory() -> None:
    packer = zlib.compressobj(9, wbits=31)
    content = b"".join([packer.compress(bytes(2**20)) for _ in range(250)]) + packer.flush()
    assert len(content) < 300_000  # bytes, and it unpacks to a quarter of a gigabyte
    tracemalloc.start()
    (read,) = sources.parse_all([content], [Path("a.csv.gz")], 0.2)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert read.faults == (too_large(0.2),)
    assert peak < 20_000_000


@pytest.mark.parametrize("kind", ["plain", "dictionary", "rows"])
def test_parquet_that_unpacks_to_too_much_is_refused(kind: str) -> None:
    """Of each kind there are 10 MB or more, in far fewer bytes."""
    if kind == "plain":
        table = pa.table({"answer": ["x" * 1_000] * 10_000})
    elif kind == "dictionary":
        once = pa.array(["x" * 1_000])
        numbers = pa.array([0] * 10_000, pa.int32())
        table = pa.table({"answer": pa.DictionaryArray.from_arrays(numbers, once)})
    else:
        table = pa.table({"answer": pa.nulls(10_000_000, pa.string())})
    buffer = io.BytesIO()
    pq.write_table(table, buffer)
    content = buffer.getvalue()
    assert len(content) < 100_000
    (read,) = sources.parse_all([content], [Path("a.parquet")], 0.009)
    assert read.faults == (too_large(0.009),)
    if kind != "rows":
        (read,) = sources.parse_all([content], [Path("a.parquet")], 0.03)
        assert isinstance(read, Source)
        assert read.frame["answer"].str.len_bytes().sum() == 10_000_000


# --- files and folders ---


def test_bytes_that_can_not_be_had_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.csv").mkdir()
    os.mkfifo(tmp_path / "pipe.csv")
    (tmp_path / "link.csv").symlink_to("/dev/zero")
    for path, fault in [
        (tmp_path / "gone.csv", Fault("does not exist")),
        (tmp_path / "a.csv", Fault("is a folder, not a regular file", REGULAR)),
        (tmp_path / "pipe.csv", Fault("is a named pipe, not a regular file", REGULAR)),
        (tmp_path / "link.csv", Fault("is a device, not a regular file", REGULAR)),
    ]:
        with pytest.raises(Unreadable) as unreadable:
            sources.read_bytes(path)
        assert unreadable.value.faults == (fault,)

    def deny(path: Path) -> BinaryIO:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(
        sources, "open_regular", deny
    )  # the tests may run as root, who may read all
    with pytest.raises(Unreadable) as unreadable:
        sources.read_bytes(tmp_path / "a.csv")
    assert unreadable.value.faults == (Fault("cannot be read: Permission denied"),)


def test_patterns_give_files_in_order_each_once(tmp_path: Path) -> None:
    for name in ("b.csv", "a.csv", "[1].csv", "sub/c.csv", ".hidden.csv"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    patterns = {"responses": ["b.csv", "*.csv", "[1].csv", "**/c.csv", "no*.csv", "gone.csv"]}
    assert list(sources.resolve(tmp_path, patterns)) == [
        ("responses", name)
        for name in ("b.csv", "[1].csv", "a.csv", "sub/c.csv", "no*.csv", "gone.csv")
    ]


def csv_with(
    value: str, *, header: str = "question,answer", ids: str = "q{}", after: str = ""
) -> Source:
    """A CSV file of 40 plain rows and one, of question 21, whose answer is a value in quotes."""
    plain = [
        f"{ids.format(n)},answer {n}{after}" for n in range(1, 42) if n not in (21, 22, 23, 24)
    ]
    quoted = value.replace('"', '""')
    text = "\n".join([header, *plain[:20], f'{ids.format(21)},"{quoted}"{after}', *plain[20:]])
    return parse(text.encode(), Path("a.csv"))


@pytest.mark.parametrize(
    ("value", "options"),
    [
        ("5 feet\nq22,no", {}),
        ("5 feet\nq22,no\nq23,6 feet\nq24,a line", {}),
        ("5 feet\n\nq22,no\r\nq23,6 feet", {}),
        ("\nq22,no", {}),
        ("5 feet\n22,no", {"ids": "{}"}),
        ("5 feet\n022,no\n023,yes", {"ids": "0{}"}),
        ("5 feet,0.5\nq22,no", {"header": "question,answer,confidence", "after": ",0.25"}),
        ("5 feet,R\nq22,no,R\nq23,x", {"header": "question,answer,label", "after": ",R"}),
        ("5 feet,true\nq22,no", {"header": "question,answer,answered", "after": ",true"}),
        ("5 feet,ana\nq22,no", {"header": "question,answer,assessor", "after": ",ana"}),
    ],
)
def test_two_stray_quotes_in_a_csv_file_are_a_fault(value: str, options: dict[str, str]) -> None:
    """They would take in the rows of questions 22 to 24."""
    with pytest.raises(Unreadable) as refused:
        csv_with(value, **options)
    assert [(each.problem, each.line) for each in refused.value.faults] == [
        ("has a stray quote that swallows the rows below", 22)
    ]


TEXTS = [
    "Dear Bob,\nthank you, and goodbye",
    "First, wash the rice.\nThen, boil it.\nAt last, eat.",
    "1, Paris\n2, Rome\n3, Oslo",
    "1,Paris\n2,Rome\n3,Oslo",
    "The cities:\n1. Paris, France\n2. Rome, Italy",
    "x = [1,\n2,3]\nprint(x, 4)",
    "def f(a, b):\n    return a,b",
    "name,age\nAda,36\nBob,41",
    "48.85,2.35\n51.50,-0.12",
    "It grew to\n12,345",
    "It grew to\n12,345 in q22",
    "q22 says no, q23 yes\nand q24, too",
    "see q22,\nq23, q24",
    "5 feet\nq5,this row is there already",
    "5 feet\nq22,no\nand so on",
    "5 feet\nq22,a,b",
    "In 1912,\nin April,\nit sank",
    "1912,the year\n1913,the next",
    "| a | b |\n|---|---|\n| 1,0 | 2 |",
    '{"a": 1,\n"b": [2,3]}',
    "SELECT a,b\nFROM c,d",
    "日本、東京,\n大阪,京都",
    "no comma\nat all",
    "ends with a line end\n",
    "\n\n",
]


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("ids", ["q{}", "{}", "what is {}?", "CLEF-2004-{}"])
def test_texts_of_several_lines_are_values(text: str, ids: str) -> None:
    source = csv_with(text, ids=ids)
    assert source.spread == 1
    assert source.frame["answer"][20] == text


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize(
    ("header", "after"),
    [("question,answer,confidence", ",0.5"), ("question,answer,label", ",R"), ("question,answer,rank", ",1")],
)  # fmt: skip
def test_texts_of_several_lines_are_values_before_other_columns(
    text: str, header: str, after: str
) -> None:
    for value in (text, f"a,{text}"):
        assert csv_with(value, header=header, after=after).spread == 1


def test_texts_in_lists_without_ranks_are_values() -> None:
    """Every question has several rows, so that one more of a question would be nothing odd."""
    rows = [f"{n},answer {n}\n{n},second" for n in range(1, 30)]
    for text in ("Roots:\n1, 2", "It is\n12,345", "First, this.\nThen, that."):
        content = "\n".join(["question,answer", *rows, f'7,"{text}"'])
        assert parse(content.encode(), Path("a.csv")).spread == 1


@pytest.mark.parametrize("name", ["a.csv", "a.jsonl"])
def test_a_file_may_have_1000_columns_and_no_more(name: str) -> None:
    def content(columns: int) -> bytes:
        row = {f"c{number}": "x" for number in range(columns)}
        lines = [",".join(row), ",".join(row.values())] if name == "a.csv" else [json.dumps(row)]
        return "\n".join(lines).encode()

    assert parse(content(1_000), name).frame.width == 1_000
    assert faults_of(content(1_001), name) == [("has more than 1,000 columns", None)]
