"""A tiny package that declares a measure, a judge and a file format, as an installed one does.

It is a folder for PYTHONPATH with a package and the .dist-info that an installer would write.
"""

from pathlib import Path

METADATA = "Metadata-Version: 2.1\nName: {name}\nVersion: 0.1\n"

MEASURES = '''
from typing import Annotated

from qampaign.measures.declaration import measure
from qampaign.options import Limits

from .weights import DEFAULT


@measure(
    label="caution",
    citation="made up for a test",
    best={"correct": 1, "questions": 1},
    worst={"wrong": 1, "questions": 1},
)
def caution(
    correct,
    wrong,
    unanswered,
    questions,
    *,
    price: Annotated[float, Limits(minimum=0), "a number from 0, what a wrong answer costs"] = DEFAULT,
):
    """Right answers less the price of wrong ones, by the number of questions.

    >>> caution(correct=3, wrong=1, unanswered=0, questions=4)
    0.25
    """
    return (correct - price * wrong) / questions
'''

JUDGES = '''
from functools import partial
from typing import Annotated

import polars as pl

from qampaign.judging.declaration import judge
from qampaign.judging.judgments import Verdict, conclude, encode
from qampaign.judging.unassessed import refuse_uncovered
from qampaign.options import Limits


@judge(by="keys")
def prefix(
    responses, keys, questions, *, name, correct, unassessed, nil,
    letters: Annotated[int, Limits(minimum=1), "a whole number from 1, how many letters count"] = 1,
):
    """An answer key: right where the answer begins as the key does."""
    responses, questions, keys = encode(responses, questions, keys)
    begins = pl.col("key").str.slice(0, letters)
    first = keys.select("question", begins.alias("begin")).unique("question")
    right = pl.col("answer").str.slice(0, letters) == pl.col("begin")
    judged = responses.join(first, on="question", how="left", maintain_order="left").with_columns(
        verdict=pl.when(right).then(pl.lit("right", Verdict)).otherwise(pl.lit("wrong", Verdict)),
        level=pl.lit(None, pl.String),
        **{"class": pl.lit(None, pl.String)},
    )
    known = keys.select("question", pl.col("key").alias("answer"), "class", "level")
    return conclude(
        judged.drop("begin"), questions, known, correct=correct, nil=nil, unassessed=unassessed,
        refuse=partial(refuse_uncovered, name=name, what="key"),
    )
'''

FORMATS = '''
import polars as pl

from qampaign.input.sources import file_format


@file_format(".pipes")
def pipes(content):
    """Columns between vertical bars."""
    header, *rows = (line.split("|") for line in content.decode().splitlines())
    if any(len(row) != len(header) for row in rows):
        raise ValueError("a row has more or fewer columns than the header")
    return pl.DataFrame(rows, schema=header, orient="row")
'''


def install(
    folder: Path, entries: dict[str, str], modules: dict[str, str], name: str = "tiny"
) -> Path:
    """Put a package on a folder for PYTHONPATH; `entries` give the module of each group."""
    package = folder / name.replace("-", "_")
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("")
    for module, text in modules.items():
        (package / f"{module}.py").write_text(text, encoding="utf-8")
    about = folder / f"{package.name}-0.1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(METADATA.format(name=name))
    lines = [f"[{group}]\n{name} = {module}\n" for group, module in entries.items()]
    (about / "entry_points.txt").write_text("\n".join(lines))
    return package


def install_tiny(folder: Path) -> Path:
    """The package `tiny`: the measure caution, the judge prefix, the format .pipes."""
    return install(
        folder,
        {f"qampaign.{kind}": f"tiny.{kind}" for kind in ("measures", "judges", "formats")},
        {
            "measures": MEASURES,
            "weights": "DEFAULT = 2\n",
            "judges": JUDGES,
            "formats": FORMATS,
        },
    )
