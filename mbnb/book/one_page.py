"""The built book as one page, for print: joins the site's articles; prints nothing."""

from __future__ import annotations

import html
import posixpath
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urldefrag, urlparse

from bs4 import BeautifulSoup, Tag

# What a printed page has no use for.
SCREEN_ONLY = (
    "a.headerlink, button, p.mbnb-data, .d-print-none, .vega-bind, .vega-bindings, form, noscript"
)
STYLE = """
@page { size: A4; margin: 20mm 18mm; }
html { font-size: 10.5pt; }
body { display: block; }
main { max-width: none; padding: 0; }
section.mbnb-page, nav.mbnb-contents { break-before: page; }
.mbnb-title { min-height: 85vh; display: flex; flex-direction: column; justify-content: center; }
.mbnb-title p { text-align: center; }
.mbnb-title .mbnb-book { font-size: 2.6rem; font-weight: 600; line-height: 1.2; }
.mbnb-contents { line-height: 1.35; }
.mbnb-contents ul { padding-left: 0; }
.mbnb-contents li { list-style: none; margin: .1em 0 .1em 1.5em; }
.mbnb-contents li.part { margin: .7em 0 .15em; font-weight: 600; }
.bd-main .bd-content { margin-left: 0; }
.bd-main .bd-content .bd-article h1:first-of-type { display: block; }
.bd-article-container, .bd-content { max-width: none; overflow: visible; }
.cell_output, .output { max-height: none !important; overflow: visible !important; }
figure, table, .admonition, .vega-embed, .cell_input pre { break-inside: avoid; }
h1, h2, h3, h4, .mbnb-solution { break-after: avoid; }
pre, .highlight pre { white-space: pre-wrap; overflow-wrap: anywhere; }
img, svg { max-width: 100%; height: auto; }
/* Drawn for a phone's width: at full width their words would be larger than the text. */
.cell_output img { max-width: 62%; max-height: 170mm; width: auto; }
.cell_output small, .cell_output small p { display: block; break-inside: avoid; }
div.cell:has(small) { break-before: avoid; break-inside: avoid; }
p, li { orphans: 3; widows: 3; }
/* A line of no width is a hair's breadth in a PDF, and formulae look bold. */
mjx-container svg g[stroke-width="0"] { stroke: none; }
"""


@dataclass(frozen=True)
class Entry:
    """A page of the table of contents: its name in the site, without ``.html``, and its part."""

    name: str
    part: str = ""


def entries_of(parts: Mapping[str, str]) -> list[Entry]:
    """Entries from the files of a table of contents and the captions of their parts."""
    return [
        Entry(name.removesuffix(".md").removesuffix(".ipynb"), part) for name, part in parts.items()
    ]


def join_pages(site: Path, entries: Sequence[Entry], notice: str) -> str:
    """One HTML page, to lie at the site's root, with every page of the table of contents.

    Ids are kept apart by a prefix of each page, and links between pages lead to places in this
    one; links to other files of the site become plain text, since a PDF does not carry them.

    Parameters
    ----------
    site : Path
        A built site.
    entries : sequence of Entry
        In the order of the book.
    notice : str
        What the title page says about this edition; may be empty.

    Raises
    ------
    ValueError
        If a page has no article.
    """
    places = {f"{entry.name}.html": f"page-{number}" for number, entry in enumerate(entries)}
    head = BeautifulSoup((site / f"{entries[0].name}.html").read_text("utf-8"), "html.parser")
    sections, contents, part = [], [], ""
    for entry in entries:
        name = f"{entry.name}.html"
        page = BeautifulSoup((site / name).read_text("utf-8"), "html.parser")
        article = page.select_one("article.bd-article")
        if article is None:
            raise ValueError(f"{name} has no article")
        heading = article.find("h1")
        for unwanted in article.select(SCREEN_ONLY):
            unwanted.decompose()
        title = heading.get_text(" ", strip=True) if isinstance(heading, Tag) else entry.name
        _unfold(article)
        _set_links(article, name, places)
        sections.append(
            f'<section class="mbnb-page" id="{places[name]}">{article.decode_contents()}</section>'
        )
        if entry.part != part:
            part = entry.part
            contents.append(f'<li class="part">{html.escape(part)}</li>')
        contents.append(f'<li><a href="#{places[name]}">{html.escape(title)}</a></li>')
    book = head.title.get_text(strip=True).rpartition(" — ")[2] if head.title else ""
    return (
        '<!DOCTYPE html>\n<html lang="en" data-theme="light" data-mode="light">\n'
        f"<head>{_head(head, entries[0].name)}</head>\n"
        '<body><main class="bd-main"><div class="bd-content"><div class="bd-article">\n'
        f'<div class="mbnb-title"><p class="mbnb-book">{html.escape(book)}</p>'
        f"<p>{html.escape(notice)}</p></div>\n"
        f'<nav class="mbnb-page mbnb-contents" aria-label="Contents"><h2>Contents</h2>'
        f"<ul>{''.join(contents)}</ul></nav>\n"
        + "\n".join(sections)
        + "\n</div></div></main></body></html>\n"
    )


def _head(page: BeautifulSoup, name: str) -> str:
    """The first page's styles and scripts, by addresses from the root; Vega's where charts are."""
    parts = ['<meta charset="utf-8">', str(page.title)]
    for tag in page.select('head link[rel="stylesheet"], head script'):
        for key in ("href", "src"):
            if tag.get(key):
                tag[key] = _from_root(str(tag[key]), name)
        parts.append(str(tag))
    return "\n".join(
        [*parts, '<script src="_static/vega-bundle.js"></script>', f"<style>{STYLE}</style>"]
    )


def _unfold(article: Tag) -> None:
    """Paper cannot be clicked: solutions are open there, and code that a page folds is left out."""
    for folded in article.select("details"):
        solution = folded.find_parent(class_="tag_solution")
        if folded.find_parent(class_="tag_hide-input"):
            folded.decompose()
            continue
        summary = folded.find("summary")
        if isinstance(summary, Tag) and solution is None and summary.select_one(".collapsed"):
            summary.decompose()  # it only asks for a click
        elif isinstance(summary, Tag):
            if solution is not None:
                summary.string = "Solution"
            summary.name = "p"
            summary["class"] = "mbnb-solution"
        folded.unwrap()
    for tag in article.select(".dropdown, .toggle"):
        classes = tag.get_attribute_list("class")
        tag["class"] = " ".join(name for name in classes if name not in ("dropdown", "toggle"))


def _set_links(article: Tag, name: str, places: dict[str, str]) -> None:
    """Make ids of one page differ from all others', and lead links to where their target is."""
    own = places[name]
    for tag in article.select("[id]"):
        # Altair's script finds its chart by this id.
        if not str(tag["id"]).startswith("altair-viz"):
            tag["id"] = f"{own}-{tag['id']}"
    for tag in article.select("[aria-labelledby], [aria-describedby], label[for]"):
        for key in ("aria-labelledby", "aria-describedby", "for"):
            if tag.get(key):
                tag[key] = f"{own}-{tag[key]}"
    for tag in article.select("img[src], source[src]"):
        tag["src"] = _from_root(str(tag["src"]), name)
    for tag in article.select("a[href]"):
        link = str(tag["href"])
        if urlparse(link).scheme:
            continue
        address, anchor = urldefrag(link)
        target = _from_root(address, name) if address else name
        if target in places:
            place = places[target]
            tag["href"] = f"#{place}-{unquote(anchor)}" if anchor else f"#{place}"
        else:
            tag.unwrap()


def _from_root(address: str, name: str) -> str:
    """An address as the root of the site sees it."""
    if urlparse(address).scheme or address.startswith(("/", "#", "data:")):
        return address
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), address))
