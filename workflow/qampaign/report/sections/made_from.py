"""What was evaluated, and what made these results? The last section, for the whole campaign."""

from collections.abc import Mapping

import polars as pl

from qampaign.report.parts import Columns, Section, Table, fixed, many, table

INPUTS: Columns = {
    "collection": ("Collection", "name"),
    "table": ("Table", "text"),
    "path": ("File", "path"),
    "rows": ("Rows", "count"),
    "bytes": ("Size", "size"),
    "sha256": ("SHA-256", "digest"),
}
REMARKS: Columns = {
    "collection": ("Collection", "name"),
    "file": ("File", "path"),
    "column": ("Column", "name"),
    "remark": ("Remark", "words"),
    "count": ("Times", "count"),
}
PUBLISHED: Columns = {
    "collection": ("Collection", "name"),
    "source": ("Source", "words"),
    "figure": ("Figure", "words"),
    "item": ("Of", "words"),
    "published": ("Published", "figure"),
    "reconstructed": ("Here", "figure"),
    "same": ("As printed", "text"),
}
MADE_BY: Columns = {
    "topic": ("Topic", "name"),
    "name": ("Name", "path"),
    "value": ("Value", "path"),
}
TIMES: Columns = {
    "stage": ("Stage", "name"),
    "jobs": ("Jobs", "count"),
    "seconds": ("Seconds, together", "seconds"),
    "slowest": ("Slowest job", "seconds"),
}
CONFIG: Columns = {"name": ("File", "path"), "value": ("Content", "config")}


def section(tables: Mapping[str, pl.DataFrame]) -> Section:
    sources, remarks = tables["sources"], tables["remarks"]
    says = ["No input files are recorded."]
    if not sources.is_empty():
        says = [f"Read and found valid: {many(sources['path'].n_unique(), 'input file')}."]
    if remarks.is_empty():
        says.append("Nothing was remarked on.")
    hashes = (
        "The hashes say which content was read; point at one, or save the table, for all of it."
    )
    noticed = "Noticed while reading; none of it is an error."
    parts = [
        *_published(tables.get("published", pl.DataFrame())),
        *table("inputs", "Input files", sources, INPUTS, reads=hashes, closed=sources.height > 30),
        *table("remarks", "Remarks", remarks, REMARKS, reads=noticed),
        *_provenance(tables["provenance"]),
    ]
    return Section("made-from", "What was evaluated?", parts, says)


def _published(found: pl.DataFrame) -> list[Table]:
    """Figures of papers beside what was computed here."""
    if found.is_empty():
        return []
    pairs = found.select("published", "reconstructed").rows()
    same = [as_printed(printed, here) for printed, here in pairs]
    told = found.with_columns(
        figure=pl.col("figure").str.replace(".", ": ", literal=True).str.replace_all("_", " "),
        same=pl.Series(["yes" if each else "no" for each in same]),
    )
    reads = (
        "Figures that come out as they were printed, to as many places: "
        f"{sum(same):,} of {found.height:,}."
    )
    far = [abs(printed - here) for printed, here in pairs if here is not None]
    if far and not all(same):
        reads += f" The furthest of the others is {fixed(max(far))} off."
    title = "Published and reconstructed"
    return table("published", title, told, PUBLISHED, reads=reads, closed=found.height > 40)


def as_printed(printed: float, here: float | None) -> bool:
    """Whether a value, rounded to the places that were printed, is what was printed.

    >>> as_printed(0.58, 0.575436), as_printed(0.58, 0.5749), as_printed(91.0, 91.0)
    (True, False, True)
    """
    places = len(f"{printed:.9f}".rstrip("0").partition(".")[2])
    return here is not None and abs(printed - here) <= 0.5 * 10.0**-places + 1e-9


def _provenance(provenance: pl.DataFrame) -> list[Table]:
    """Versions and seeds; how long the stages took; the config, whole."""
    made_by = provenance.filter(~pl.col("topic").is_in(["seconds", "config", "source"]))
    times = provenance.filter(topic="seconds").with_columns(
        seconds=pl.col("value").cast(pl.Float64, strict=False),
        # <collection>/<stage>/<judge…>, or the stage alone where it works on the whole campaign
        stage=pl.coalesce(pl.col("name").str.split("/").list.get(1, null_on_oob=True), "name"),
    )
    stages = times.group_by("stage", maintain_order=True).agg(
        jobs=pl.len(), seconds=pl.col("seconds").sum(), slowest=pl.col("seconds").max()
    )
    slowest_first = stages.sort("seconds", descending=True)
    reads = f"{times['seconds'].sum():,.0f} seconds of work before these tables were published."
    config, title = provenance.filter(topic="config"), "Config, with every default filled in"
    return [
        *table("provenance", "Made by", made_by, MADE_BY),
        *table("times", "Run time by stage", slowest_first, TIMES, reads=reads),
        *table("config", title, config, CONFIG, closed=True),
    ]
