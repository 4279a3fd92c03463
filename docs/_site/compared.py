"""The page docs/compared.md: what was compared with what, with versions and counts of today.

`make docs` writes it. Versions are those of the lock files, counts those of the bundled files.
"""

import csv
import re
from pathlib import Path

PROJECT = Path(__file__).parents[2]

PROGRAMS = [
    (
        "MRR, AP, precision at ranks",
        "ir_measures, with pytrec_eval",
        ("ir-measures", "pytrec-eval-terrier"),
        "generated runs, to 1e-6 (it has floats)",
        "measures/test_libraries.py",
    ),
    (
        "Q-measure and AP without classes",
        "pyNTCIREVAL",
        ("pyntcireval",),
        "thousands of generated questions, several gains, to 1e-12",
        "measures/test_ntcireval.py",
    ),
    (
        "Q-measure with classes, RR",
        "NTCIREVAL (Sakai), as printed",
        (),
        "all cases at hand, to the four digits that it prints",
        "measures/test_oracles.py",
    ),
    (
        "precision, recall, F, Brier, ROC areas, average precision",
        "scikit-learn",
        ("scikit-learn",),
        "generated cases, to 1e-12",
        "measures/test_libraries.py",
    ),
    (
        "correlation of confidence",
        "SciPy",
        ("scipy",),
        "generated cases, to 1e-9",
        "measures/test_libraries.py",
    ),
    ("c@1", "the evaluator of PAN 2020, as printed", (), "to 1e-12", "measures/test_oracles.py"),
    (
        "SQuAD's exact match and F1",
        "the rules of its program",
        (),
        "cases by hand",
        "input/logs/test_squad.py",
    ),
    (
        "Cohen's kappa, ROC curves",
        "scikit-learn",
        ("scikit-learn",),
        "generated judgments",
        "agreement/test_kappa.py",
    ),
    (
        "Fleiss' kappa",
        "statsmodels",
        ("statsmodels",),
        "generated labels",
        "agreement/test_assessors.py",
    ),
    (
        "Krippendorff's alpha",
        "krippendorff",
        ("krippendorff",),
        "generated labels",
        "agreement/test_assessors.py",
    ),
    ("Kendall's tau", "SciPy", ("scipy",), "generated rankings with ties", "measures/test_tau.py"),
    ("sign test, t-test", "SciPy", ("scipy",), "generated pairs", "studies/test_significance.py"),
    (
        "questions needed",
        "statsmodels",
        ("statsmodels",),
        "power of the test",
        "studies/test_comparisons.py",
    ),
    (
        "every measure",
        "a transcription of its formula in plain Python",
        (),
        "100 generated campaigns, from rows to values",
        "measures/test_transcriptions.py",
    ),
]
"""What is computed, with what it is compared, its packages, how, and the test under tests/."""

PAPERS = {
    "clef2009": ("Peñas & Rodrigo 2011", "A simple measure to assess non-response. ACL 2011"),
    "pilot2004": (
        "Herrera, Peñas & Verdejo 2004",
        "Question answering pilot task at CLEF 2004. CLEF 2004",
    ),
    "trec8": (
        "Breck et al. 2000",
        "How to evaluate your question answering system every day … and still get real work done. LREC 2000",
    ),
    "ave2008": (
        "Rodrigo, Peñas & Verdejo 2009",
        "Comparing approaches for evaluating question answering validation (in Spanish)",
    ),
    "qac2": (
        "Sakai 2004",
        "A note on the reliability of Japanese question answering evaluation. IPSJ SIG Technical Reports",
    ),
    "qac2-askmi": ("Sakai 2004", "section 4"),
    "qac2-lists": ("Sakai 2004", "section 5"),
}
"""The papers whose figures are bundled, by collection."""

HEAD = """# What was compared with what

Written by `make docs`, with the versions that version {version} of {date} is locked to. `make test-all` makes every
comparison below again.

## Other programs

Their results are compared with ours, value by value, in the tests:

| computed here | compared with | version | how far | test |
| --- | --- | --- | --- | --- |
"""

MIDDLE = """
## Published figures

`make campaign` computes these from the bundled files and shows each beside ours, in the section *What was evaluated?*
and in the table [`published`](tables.md#published). The bundled collections of the five papers are *reconstructed*:
that their figures come out shows that the measures are computed as the papers do, not that the papers are right.

| collection | paper | figures |
| --- | --- | --- |
"""

END = """
`resources/pan20/README.md` says which official figures of PAN 2020 cannot come out, and why: its program counts
unanswered items as accepted in F0.5u.

## Simulations

Intervals, tests, rank ranges, corrections and numbers of questions have no other program to be compared with. They are
compared with the truth, on simulated collections: [How far the statistics can be trusted](validation.md).
`make calibrate` makes those tables again.
"""


def page() -> str:
    """The whole page."""
    about = (PROJECT / "CITATION.cff").read_text(encoding="utf-8")
    fields = dict(re.findall(r'^(version|date-released): "?([^"\n]+)"?$', about, re.MULTILINE))
    rows = [
        f"| {ours} | {theirs} | {versions(packages)} | {how} | `tests/{test}` |"
        for ours, theirs, packages, how, test in PROGRAMS
    ]
    published = PROJECT / "resources/five-papers/published"
    figures = [
        f"| {name} | {authors}: *{title}* | {count(published / f'{name}.csv')} |"
        for name, (authors, title) in PAPERS.items()
    ]
    pan = PROJECT / "resources/pan20/published.csv"
    figures.append(f"| pan20 | PAN at CLEF 2020: *official results* | {count(pan)} |")
    head = HEAD.format(version=fields["version"], date=fields["date-released"])
    return head + "\n".join(rows) + "\n" + MIDDLE + "\n".join(figures) + "\n" + END


def versions(packages: tuple[str, ...]) -> str:
    """The versions of packages in the lock files."""
    locked = "".join((PROJECT / f"requirements{own}.lock").read_text() for own in ("", "-dev"))
    found = []
    for package in packages:
        (version, *_) = re.findall(rf"^{package}==(\S+)", locked, re.MULTILINE | re.IGNORECASE)
        found.append(version)
    return ", ".join(found)


def count(path: Path) -> int:
    """How many figures a file of published figures has."""
    with path.open(encoding="utf-8", newline="") as file:
        return sum(1 for _ in csv.DictReader(file))


if __name__ == "__main__":
    (PROJECT / "docs/compared.md").write_text(page(), encoding="utf-8")
