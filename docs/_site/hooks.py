"""What MkDocs does not do by itself: late pages, example reports, and a check of what was built.

`make docs` fails if a link of the site leads nowhere, or if a page asks a network for anything.
"""

import re
from html.parser import HTMLParser
from os.path import relpath
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from mkdocs.exceptions import PluginError

PROJECT = Path(__file__).parents[2]
EXAMPLES = {"five-papers": "config.yaml", "assistants": "resources/assistants/config.yaml"}
"""The campaigns whose reports are part of the site where they are made, with their configs."""

SHIM = "https://unpkg.com/iframe-worker/shim"
"""What the theme would load for the search from disk."""

ASKED_FOR = {"img", "script", "link", "iframe", "source", "video", "audio", "embed", "object"}
"""Elements whose address a browser asks for when it opens a page."""


def on_config(config: Any) -> Any:
    """Put pages that the navigation does not name at the end of Reference."""
    named = set(re.findall(r"[\w./-]+\.md", str(config["nav"])))
    docs = Path(config["docs_dir"])
    pages = (path.relative_to(docs) for path in sorted(docs.rglob("*.md")))
    late = [str(page) for page in pages if str(page) not in named and page.parts[0] != "_site"]
    for section in config["nav"]:
        if isinstance(section, dict) and "Reference" in section:
            section["Reference"] += late
    return config


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Where a page shows an example, link to its report, or say how it is made."""
    if page.file.src_uri != "start/examples.md":
        return markdown
    for campaign, config in EXAMPLES.items():
        found = report_of(campaign)
        address = f"../examples/{campaign}/index.html"
        link = f'<a href="{address}" target="_blank">Open the report</a>'
        told = f"`make campaign CONFIG={config}` makes the report; `make site` puts it here."
        markdown = markdown.replace(f"<!-- report of {campaign} -->", link if found else told)
    return markdown


def on_files(files: Any, config: Any) -> Any:
    """Have reports that are made among the files of the site."""
    from mkdocs.structure.files import File

    for campaign in EXAMPLES:
        if folder := report_of(campaign):
            for path in sorted(folder.rglob("*")):
                wanted = path.suffix == ".html" or path.parent.name == "tables"
                if path.is_file() and wanted:
                    name = f"examples/{campaign}/{path.relative_to(folder)}"
                    files.append(File.generated(config, name, abs_src_path=str(path)))
    return files


def report_of(campaign: str) -> Path | None:
    """The folder of the report of a campaign, if it has been made."""
    folder = PROJECT / "results" / campaign / "report"
    return folder if (folder / "index.html").exists() else None


def on_post_page(output: str, page: Any, **_: Any) -> str:
    """Have the search from disk work by our own script, not by one from a network."""
    here = relpath("assets/search-from-disk.js", Path(page.url).parent)
    return output.replace(SHIM, here)


def on_post_template(output_content: str, **_: Any) -> str:
    """The same for the page of addresses that lead nowhere."""
    return output_content.replace(SHIM, "assets/search-from-disk.js")


def on_post_build(config: Any) -> None:
    """Check every address on every page."""
    site = Path(config["site_dir"])
    pages = {path: Page(path) for path in site.rglob("*.html") if "examples" not in path.parts}
    faults = [fault for page in pages.values() for fault in page.faults(pages)]
    for path in (*site.rglob("*.css"), *site.rglob("*.html")):
        if "examples" not in path.parts:
            text = path.read_text(encoding="utf-8")
            faults += [
                f"{path}: asks for {url}" for url in re.findall(r"url\(['\"]?(https?:\S+)\)", text)
            ]
    if faults:
        raise PluginError("\n".join(["The site is faulty:", *faults]))


class Page(HTMLParser):
    """A built page: its anchors, where it leads, and what it asks for."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path, self.anchors, self.links, self.asked = path, {"", "__skip"}, set(), set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.anchors |= {given.get("id") or "", given.get("name") or ""}
        address = given.get("href") or given.get("src") or given.get("data")
        if address and tag in ASKED_FOR and given.get("rel") != "canonical":
            self.asked.add(address)
        if address:
            self.links.add(address)

    def faults(self, pages: dict[Path, "Page"]) -> list[str]:
        """What is wrong with the addresses of the page."""
        remote = {
            each
            for each in self.asked
            if urlsplit(each).scheme in ("http", "https") or each.startswith("//")
        }
        wrong = [f"{self.path}: asks for {each}" for each in sorted(remote)]
        for link in sorted(self.links):
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (self.path.parent / unquote(parts.path)).resolve() if parts.path else self.path
            there = target.exists()
            if there and target in pages and not target.name.startswith("404"):
                there = unquote(parts.fragment) in pages[target].anchors
            if not there and self.path.name != "404.html":
                wrong.append(f"{self.path}: leads nowhere: {link}")
        return wrong
