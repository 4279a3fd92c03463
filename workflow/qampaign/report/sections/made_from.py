"""What was evaluated, and what made these results? The last section, for the whole campaign."""

from collections.abc import Mapping
from dataclasses import replace

import polars as pl

from qampaign.publishing.compared_figures import as_printed, printed_places
from qampaign.report.blocks import Section, Table, TableColumn, TableColumns, optional_table
from qampaign.report.text import fixed, many

INPUTS: TableColumns = {
    "collection": TableColumn("Collection", "name"),
    "table": TableColumn("Table", "text"),
    "path": TableColumn("File", "path"),
    "rows": TableColumn("Rows", "count"),
    "bytes": TableColumn("Size", "size"),
    "sha256": TableColumn("SHA-256", "digest"),
}
REMARKS: TableColumns = {
    "collection": TableColumn("Collection", "name"),
    "file": TableColumn("File", "path"),
    "column": TableColumn("Column", "name"),
    "remark": TableColumn("Remark", "words"),
    "count": TableColumn("Times", "count"),
}
PUBLISHED: TableColumns = {
    "collection": TableColumn("Collection", "name"),
    "source": TableColumn("Source", "words"),
    "figure": TableColumn("Figure", "words"),
    "item": TableColumn("Item", "words"),
    "published": TableColumn("Published", "figure"),
    "reconstructed": TableColumn("Recomputed", "figure"),
    "same": TableColumn("Agrees", "text"),
}
MADE_WITH: TableColumns = {
    "topic": TableColumn("Topic", "name"),
    "name": TableColumn("Name", "path"),
    "value": TableColumn("Value", "path"),
}
TIMES: TableColumns = {
    "stage": TableColumn("Stage", "name"),
    "jobs": TableColumn("Jobs", "count"),
    "seconds": TableColumn("Seconds in total", "seconds"),
    "slowest": TableColumn("Slowest job", "seconds"),
}
CONFIG: TableColumns = {
    "name": TableColumn("File", "path"),
    "value": TableColumn("Content", "config"),
}


def section(tables: Mapping[str, pl.DataFrame]) -> Section:
    sources, remarks = tables["sources"], tables["remarks"]
    sentences = ["No input files are recorded."]
    if not sources.is_empty():
        sentences = [f"Input files that were read and are valid: {sources['path'].n_unique():,}."]
    if remarks.is_empty():
        sentences.append("There are no remarks.")
    blocks = [
        *_published(tables.get("published", pl.DataFrame())),
        *optional_table(
            "inputs",
            "Input files",
            sources,
            INPUTS,
            caption="A hash identifies the content that was read. To see all of it, point at it or "
            "save the table.",
            closed=sources.height > 30,
        ),
        *optional_table(
            "remarks",
            "Remarks",
            remarks,
            REMARKS,
            caption="Noticed while reading the input; none of it is an error.",
        ),
        *_provenance(tables["provenance"]),
    ]
    return Section("made-from", "What was evaluated?", blocks, sentences)


def _published(figures: pl.DataFrame) -> list[Table]:
    """Figures of papers beside what was computed here."""
    if figures.is_empty():
        return []
    pairs = figures.select("published", "reconstructed").rows()
    same = [as_printed(printed, here) for printed, here in pairs]
    rows = figures.with_columns(
        figure=pl.col("figure").str.replace(".", ": ", literal=True).str.replace_all("_", " "),
        same=pl.Series(["yes" if agrees else "no" for agrees in same]),
    )
    caption = (
        "Recomputed figures that agree with the published ones, to as many places as were printed: "
        f"{sum(same):,} of {figures.height:,}."
    )
    deviations = [abs(printed - here) for printed, here in pairs if here is not None]
    if deviations and not all(same):
        caption += f" The largest deviation is {fixed(max(deviations))}."
    title, closed = "Published figures, recomputed", figures.height > 40
    columns = dict(PUBLISHED)
    if any(printed_places(printed) > 4 for printed, _ in pairs):  # else no deviation would be seen
        for name in ("published", "reconstructed"):
            columns[name] = replace(PUBLISHED[name], kind="long figure")
    return optional_table("published", title, rows, columns, caption=caption, closed=closed)


def _provenance(provenance: pl.DataFrame) -> list[Table]:
    """Versions and seeds; how long the stages took; the whole config."""
    made_with = provenance.filter(~pl.col("topic").is_in(["seconds", "config", "source"]))
    times = provenance.filter(topic="seconds").with_columns(
        seconds=pl.col("value").cast(pl.Float64, strict=False),
        # <collection>/<stage>/<judge…>, or the stage alone where it works on the whole campaign
        stage=pl.coalesce(pl.col("name").str.split("/").list.get(1, null_on_oob=True), "name"),
    )
    stages = times.group_by("stage", maintain_order=True).agg(
        jobs=pl.len(), seconds=pl.col("seconds").sum(), slowest=pl.col("seconds").max()
    )
    slowest_first = stages.sort("seconds", descending=True)
    took = many(round(times["seconds"].sum()), "second")
    caption = f"All jobs before publication took {took} together."
    if took.startswith("no "):
        caption = "All jobs before publication took less than a second together."
    config, title = provenance.filter(topic="config"), "Config, with every default filled in"
    return [
        *optional_table("provenance", "Made with", made_with, MADE_WITH),
        *optional_table("times", "Run time by stage", slowest_first, TIMES, caption=caption),
        *optional_table("config", title, config, CONFIG, closed=True),
    ]
