"""Short patterns for files: those that match these files and no other."""

import glob
import os
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path

from qampaign.input import sources

MOST_NAMED = 20
"""Up to how many files are named one by one rather than with others that do no harm."""

WRITTEN = (
    "config.yaml",
    *(f"results/~/{name}" for name in ("~", "~.yaml", "~.json", "~.csv", "~.duckdb")),
    *(f"results/~/~/~.{kind}" for kind in ("parquet", "log", "tsv", "html", "json")),
    *(f"results/~/~/~/~.{kind}" for kind in ("parquet", "csv", "md", "tex", "json")),
    *(f"results/~/~/~/~/~.{kind}" for kind in ("svg", "png")),
)
"""Files such as a campaign writes beside its config, ~ standing for any name."""


def shown(path: Path, folder: Path) -> str:
    """A path as a config in a folder has it: relative where it is below the folder."""
    whole = Path(os.path.abspath(path))
    return str(whole.relative_to(folder)) if whole.is_relative_to(folder) else str(whole)


def find_patterns(
    files: Sequence[Path],
    folder: Path,
    *,
    passed_over: Collection[Path] = (),
    harmless: Collection[Path] = (),
    deep: bool = True,
) -> list[str]:
    """Patterns, relative to a folder, that match files: one if there is one, else their names.

    What is matched besides must be `passed_over`, or, where there are many files, `harmless`, and
    nothing that the campaign will write. With `deep` a pattern may be for any depth.
    """
    names = [shown(path, folder) for path in files]
    if len(files) == 1:
        return names
    wanted = {*names}
    ignored = {shown(path, folder) for path in passed_over}
    others = {shown(path, folder) for path in harmless}
    looser = None
    for pattern in _patterns(names, deep=deep):
        if any(map(_matching(pattern), WRITTEN)):
            continue
        matched = {path for _, path in sources.resolve(folder, {"": [pattern]})} - ignored
        if matched == wanted:
            return [pattern]
        if looser is None and wanted <= matched <= wanted | others:
            looser = pattern
    return names if looser is None or len(names) <= MOST_NAMED else [looser]


def _matching(pattern: str) -> Callable[[str], object]:
    """Whether a path that there is not yet would be matched.

    >>> patterns = ("*.csv", "**/*.csv", "*/x/*", "a/**/*")
    >>> [bool(_matching(each)("results/x/x.csv")) for each in patterns]
    [False, True, True, False]
    """
    signs = {"**/": "(?:.*/)?", "*": "[^/]*", "?": "[^/]"}
    parts = re.split(r"(\*\*/|\*|\?|\[[^]]*\])", pattern)
    written = (
        signs.get(part, part if index % 2 else re.escape(part)) for index, part in enumerate(parts)
    )
    return re.compile("".join(written)).fullmatch


def _patterns(names: Sequence[str], *, deep: bool) -> Iterator[str]:
    """Patterns that match names, the closest first."""
    parents = [os.path.dirname(name) for name in names]
    common = os.path.commonpath(parents) if all(parents) else ""
    ends = [os.path.basename(name) for name in names]
    start, end = _same_start(ends), _same_start([name[::-1] for name in ends])[::-1]
    suffixes = {"".join(Path(name).suffixes[-1:]) for name in ends}
    suffix = glob.escape(suffixes.pop()) if len(suffixes) == 1 else ""
    if len({*ends}) == 1:
        middles = [glob.escape(ends[0])]
    else:
        overlap = max(0, len(start) + len(end) - min(map(len, ends)))
        start, end = glob.escape(start), glob.escape(end[overlap:])
        middles = [f"*{suffix}", f"{start}*{suffix}", f"{start}*{end}"]
    levels = {len(Path(name).parts) for name in names}
    base = glob.escape(common)
    for middle in dict.fromkeys(middles):
        if len({*parents}) == 1:
            yield os.path.join(base, middle)
        elif len(levels) == 1:
            between = levels.pop() - len(Path(common).parts) - 1
            levels.add(between + len(Path(common).parts) + 1)
            yield os.path.join(base, *["*"] * between, middle)
    if deep:
        for middle in dict.fromkeys(middles):
            yield os.path.join(base, "**", middle)


def _same_start(texts: Sequence[str]) -> str:
    """What all texts begin with.

    >>> _same_start(["samples_arc_1", "samples_arc_2"])
    'samples_arc_'
    """
    first, last = min(texts), max(texts)
    differing = (
        index for index, pair in enumerate(zip(first, last, strict=False)) if len({*pair}) > 1
    )
    return first[: next(differing, len(first))]
