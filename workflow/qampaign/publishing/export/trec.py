"""Values as `trec_eval -q` prints them, a run each: `run measure topic value`, with a topic `all`.

A file per collection and judge, of submitted runs. Topics have values by measures that are means
over questions; other measures, such as c@1, have a value over all questions alone. A value that
does not exist has no line.
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import numpy as np
import polars as pl

from qampaign.arrays import Array
from qampaign.measures.evidence import Evidence
from qampaign.measures.scoring import single_values
from qampaign.problems import Refused
from qampaign.publishing.export.publication import Publication

ALL = "all"
"""What the values over all topics are called."""

SAME = 1e-9
"""Values that differ by less are the same."""

EVIDENCE = ("evidence", "runs", "questions")
"""What the values of questions are computed from: files by judge in folders of the collection."""


def write(publication: Publication, folder: Path) -> list[str]:
    """Write the files; gives remarks."""
    remarks = []
    for collection, judge in publication.read("judges")["collection", "judge"].rows():
        scores = publication.read("scores", collection=collection, judge=judge, slice=ALL)
        kinds = publication.read("runs", collection=collection, kind="submitted")
        submitted = scores.filter(pl.col("run").is_in(kinds["run"].to_list()))
        if submitted.is_empty():
            continue
        lines = [submitted.select("run", "measure", topic=pl.lit(ALL), value="value")]
        evidence = _evidence(publication.folder / collection, judge)
        if evidence is None:
            remarks.append(
                f"{collection} by {judge}: no values by topic, for the files that they are "
                "computed from are not there"
            )
        else:
            lines[:0] = _topics(publication, collection, judge, evidence, submitted)
        table = pl.concat(lines).drop_nulls("value")
        measures = pl.Enum([*publication.measures[collection]])
        runs = dict.fromkeys(submitted["run"])
        names = {"run": _plain(runs, "run"), "topic": _plain(table["topic"].unique(), "question")}
        in_order = table.sort(
            "run", pl.col("measure").cast(measures), pl.col("topic") == ALL, maintain_order=True
        )
        shown = in_order.with_columns(
            pl.col(name).replace_strict(new, return_dtype=pl.String) for name, new in names.items()
        )
        path = folder / collection / f"{judge}.txt"
        path.parent.mkdir(exist_ok=True)
        shown.write_csv(path, separator="\t", include_header=False, quote_style="never")
        changed = sum(old != new for renamed in names.values() for old, new in renamed.items())
        if changed:
            remarks.append(
                f"{collection} by {judge}: ids with white space, here with _: {changed:,}"
            )
    return remarks


def _evidence(folder: Path, judge: str) -> Evidence | None:
    """The evidence of a judge, if its files are there."""
    files = [folder / name / f"{judge}.parquet" for name in EVIDENCE]
    if not all(file.exists() for file in files):
        return None
    return Evidence.of(*map(pl.read_parquet, files))


def _topics(
    publication: Publication, collection: str, judge: str, evidence: Evidence, scores: pl.DataFrame
) -> Iterator[pl.DataFrame]:
    """run, measure, topic, value: the values of questions, by measures that are means over them."""
    runs = evidence.runs["run"].cast(pl.String)
    kept = runs.is_in(scores["run"].to_list()).to_numpy()
    topics = evidence.questions["question"].cast(pl.String)
    if ALL in topics:
        raise Refused(
            f"{collection} has a question called {ALL}, as TREC calls all topics together"
        )
    for name, measure in publication.measures[collection].items():
        if not measure.mean:
            continue
        values = single_values(evidence, measure)
        published = dict(scores.filter(measure=name).select("run", "value").rows())
        weights = evidence.columns["questions"][0].astype(np.float64)
        _check(
            values @ weights / weights.sum(), runs, published, f"{name} in {collection} by {judge}"
        )
        for run, of_run in zip(runs.filter(kept), values[kept], strict=True):
            if published[run] is not None:
                columns = {"topic": topics, "value": pl.Series(of_run, nan_to_null=True)}
                yield pl.DataFrame(columns).select(
                    pl.lit(run).alias("run"), pl.lit(name).alias("measure"), "topic", "value"
                )


def _check(
    means: Array, runs: Iterable[str], published: Mapping[str, float | None], what: str
) -> None:
    """Refuse values of questions that are not those of the published values."""
    for run, mean in zip(runs, means, strict=True):
        value = published.get(run)
        if value is not None and not np.isnan(mean) and abs(mean - value) > SAME:
            raise Refused(
                f"{what}: the values of {run} by topic are newer or older than the published one; "
                "let the campaign run to its end"
            )


def _plain(ids: Iterable[str], what: str) -> dict[str, str]:
    """Ids without white space, by which programs split these lines."""
    plain = {name: "_".join(name.split()) for name in ids}
    taken: dict[str, str] = {}
    for old, new in plain.items():
        if taken.setdefault(new, old) != old:
            raise Refused(
                f"the {what}s {taken[new]!r} and {old!r} would have one name in a file of TREC, "
                "which splits lines at white space"
            )
    return plain
