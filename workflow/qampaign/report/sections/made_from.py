"""What was evaluated, and what made these results? The last section, for the whole campaign."""

from collections.abc import Mapping

import polars as pl

from qampaign.report.parts import Section, Table, fixed, many, table


def section(tables: Mapping[str, pl.DataFrame]) -> Section:
    parts: list[Table] = []
    sources, remarks = tables["sources"], tables["remarks"]
    says = []
    if sources.is_empty():
        says.append("No input files are recorded.")
    else:
        says.append(f"Read and found valid: {many(sources['path'].n_unique(), 'input file')}.")
        columns = {
            "collection": ("Collection", "name"), "table": ("Table", "text"),
            "path": ("File", "path"), "rows": ("Rows", "count"), "bytes": ("Size", "size"),
            "sha256": ("SHA-256", "digest"),
        }  # fmt: skip
        reads = (
            "The hashes say which content was read; point at one, or save the table, for all of it."
        )
        parts.append(table("inputs", "Input files", sources, columns, reads=reads,
                           closed=sources.height > 30))  # fmt: skip
    if remarks.is_empty():
        says.append("Nothing was remarked on.")
    else:
        columns = {
            "collection": ("Collection", "name"), "file": ("File", "path"),
            "column": ("Column", "name"), "remark": ("Remark", "words"),
            "count": ("Times", "count"),
        }  # fmt: skip
        reads = "Noticed while reading; none of it is an error."
        parts.append(table("remarks", "Remarks", remarks, columns, reads=reads))
    return Section("made-from", "What was evaluated?", [*_published(tables), *parts,
                   *_provenance(tables["provenance"])], says)  # fmt: skip


def _published(tables: Mapping[str, pl.DataFrame]) -> list[Table]:
    """Figures of papers beside what was computed here."""
    found = tables.get("published", pl.DataFrame())
    if found.is_empty():
        return []
    columns = {
        "collection": ("Collection", "name"), "source": ("Source", "words"),
        "figure": ("Figure", "words"), "item": ("Of", "words"),
        "published": ("Published", "figure"),
        "reconstructed": ("Here", "figure"), "same": ("As printed", "text"),
    }  # fmt: skip
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
    return [table("published", "Published and reconstructed", told, columns, reads=reads,
                  closed=found.height > 40)]  # fmt: skip


def as_printed(printed: float, here: float | None) -> bool:
    """Whether a value, rounded to the places that were printed, is what was printed.

    >>> as_printed(0.58, 0.575436), as_printed(0.58, 0.5749), as_printed(91.0, 91.0)
    (True, False, True)
    """
    places = len(f"{printed:.9f}".rstrip("0").partition(".")[2])
    return here is not None and abs(printed - here) <= 0.5 * 10.0**-places + 1e-9


def _provenance(provenance: pl.DataFrame) -> list[Table]:
    """Versions and seeds; how long the stages took; the config, whole."""
    if provenance.is_empty():
        return []
    named = {"topic": ("Topic", "name"), "name": ("Name", "path"), "value": ("Value", "path")}
    apart = ["seconds", "config", "source"]
    parts = [
        table("provenance", "Made by", provenance.filter(~pl.col("topic").is_in(apart)), named)
    ]
    times = provenance.filter(topic="seconds").with_columns(
        seconds=pl.col("value").cast(pl.Float64, strict=False),
        # <collection>/<stage>/<judge…>, or the stage alone where it works on the whole campaign
        stage=pl.coalesce(pl.col("name").str.split("/").list.get(1, null_on_oob=True), "name"),
    )
    if not times.is_empty():
        stages = times.group_by("stage", maintain_order=True).agg(
            jobs=pl.len(), seconds=pl.col("seconds").sum(), slowest=pl.col("seconds").max()
        )
        columns = {
            "stage": ("Stage", "name"), "jobs": ("Jobs", "count"),
            "seconds": ("Seconds, together", "seconds"), "slowest": ("Slowest job", "seconds"),
        }  # fmt: skip
        total = times["seconds"].sum()
        reads = f"{total:,.0f} seconds of work before these tables were published."
        parts.append(table("times", "Run time by stage", stages.sort("seconds", descending=True),
                           columns, reads=reads))  # fmt: skip
    config = provenance.filter(topic="config")
    if not config.is_empty():
        columns = {"name": ("File", "path"), "value": ("Content", "config")}
        parts.append(table("config", "Config, with every default filled in", config, columns,
                           closed=True))  # fmt: skip
    return parts
