"""The graph of the rules as an SVG, from the records of a campaign that has run.

`python docs/_site/rule_graph.py results/five-papers docs/pictures/rules.svg`: an arrow leads from
a rule to one that reads what it wrote. Arrows that others imply are left out.
"""

import json
import sys
from collections import defaultdict
from html import escape
from pathlib import Path

WIDTH, HEIGHT, ACROSS, DOWN = 104, 30, 124, 66


def rules_that_follow(results: Path) -> dict[str, set[str]]:
    """Each rule, and the rules whose files its jobs read."""
    folder = results / "records"
    reads: dict[str, set[str]] = defaultdict(set)
    wrote: dict[str, str] = {}
    for path in sorted(folder.rglob("*.json")):
        own = path.relative_to(folder).with_suffix("").parts
        rule = own[0] if len(own) == 1 else own[1]
        record = json.loads(path.read_text(encoding="utf-8"))
        reads[rule] |= set(record["inputs"])
        wrote |= dict.fromkeys(record["outputs"], rule)
    after = {
        rule: {wrote.get(file, "ingest" if "/fingerprints/" in file else "") for file in files}
        for rule, files in reads.items()
    }
    return {rule: before - {"", rule} for rule, before in after.items()}


def without_implied(after: dict[str, set[str]]) -> dict[str, set[str]]:
    """The arrows that no path of other arrows implies."""

    def all_before(rule: str) -> set[str]:
        return set().union(*({one} | all_before(one) for one in after.get(rule, ())))

    return {
        rule: {one for one in before if not any(one in all_before(other) for other in before)}
        for rule, before in after.items()
    }


def layers(after: dict[str, set[str]]) -> list[dict[str, float]]:
    """Rules by the longest path to them, each near the middle of those before it."""

    def depth(rule: str) -> int:
        return max((depth(one) + 1 for one in after.get(rule, ())), default=0)

    rows: dict[int, list[str]] = defaultdict(list)
    for rule in sorted(after):
        rows[depth(rule)].append(rule)
    place = dict.fromkeys(after, 0.0)
    for number in sorted(rows):
        rows[number].sort(
            key=lambda rule: sum(place[one] for one in after[rule]) / max(len(after[rule]), 1)
        )
        for index, rule in enumerate(rows[number]):
            place[rule] = index - (len(rows[number]) - 1) / 2
        if len(rows[number]) == 1 and after[rule]:
            place[rule] = sum(place[one] for one in after[rule]) / len(after[rule])
    return [{rule: place[rule] for rule in rows[number]} for number in sorted(rows)]


def draw(after: dict[str, set[str]]) -> str:
    """The picture."""
    rows = layers(after)
    width = max(map(len, rows)) * ACROSS + 20
    middle = {
        rule: (width / 2 + place * ACROSS, 25 + number * DOWN)
        for number, row in enumerate(rows)
        for rule, place in row.items()
    }
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {len(rows) * DOWN:.0f}" '
        'font-family="system-ui, sans-serif" font-size="13">',
        '<rect width="100%" height="100%" fill="white"/>',
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" '
        'markerHeight="7" orient="auto"><path d="M0 0 8 4 0 8z" fill="#999"/></marker></defs>',
    ]
    for rule in sorted(after):
        x, y = middle[rule]
        for before in sorted(after[rule]):
            a, b = middle[before]
            start, end, bend = b + HEIGHT / 2, y - HEIGHT / 2, (y - b) / 2
            lines.append(
                f'<path d="M{a:.0f} {start:.0f} C{a:.0f} {start + bend:.0f} {x:.0f} '
                f'{end - bend:.0f} {x:.0f} {end:.0f}" fill="none" stroke="#999" stroke-width="1.3" '
                'marker-end="url(#tip)"/>'
            )
    for rule, (x, y) in sorted(middle.items()):
        lines.append(
            f'<rect x="{x - WIDTH / 2:.0f}" y="{y - HEIGHT / 2:.0f}" width="{WIDTH}" '
            f'height="{HEIGHT}" rx="6" fill="#eef3f8" stroke="#4c78a8"/>'
            f'<text x="{x:.0f}" y="{y + 4.5:.1f}" text-anchor="middle">{escape(rule)}</text>'
        )
    return "\n".join([*lines, "</svg>", ""])


if __name__ == "__main__":
    _, results, picture = sys.argv
    graph = without_implied(rules_that_follow(Path(results)))
    Path(picture).write_text(draw(graph), encoding="utf-8")
