"""The book's Sphinx extension: links to data, notebooks, sources and names; builds nothing."""

from __future__ import annotations

import re
from itertools import zip_longest
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

from mbnb.book.figure_files import FILES

NOTEBOOK = ".ipynb"

_UNIT = re.compile(r"(?<=\d) (?=(%|h|s|GB|MB)(?!\w))")
_BUTTON = re.compile(r'(<a href="[^":]+\.ipynb") target="_blank"')


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the extension; Sphinx calls this."""
    # Before Sphinx gathers the files that a page lets its reader download.
    app.connect("doctree-read", _link_data, priority=100)
    app.setup_extension("sphinx.ext.autodoc")  # whose event this is
    # Before Napoleon, which makes one entry of attributes that share a line.
    app.connect("autodoc-process-docstring", _part_attributes, priority=400)
    app.connect("doctree-resolved", _hold_units)
    app.connect("missing-reference", _leave_foreign_names)
    app.connect("html-page-context", _name_buttons, priority=900)
    app.connect("html-page-context", _plain_citations, priority=900)
    app.connect("build-finished", _download_notebooks)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}


def _link_data(app: Sphinx, doctree: nodes.document) -> None:
    """Below each figure and chart, link to the files with the data behind it."""
    for cell in list(doctree.findall(nodes.container)):
        files = cell.get("cell_metadata", {}).get(FILES, [])
        outputs = [
            part
            for part in cell.children
            if isinstance(part, nodes.container) and part.get("nb_element") == "cell_code_output"
        ]
        if files and outputs:
            outputs[-1] += _data_line(files)


def _data_line(files: list[str]) -> nodes.paragraph:
    what = "this figure" if len(files) == 1 else "these figures"
    line = nodes.paragraph("", f"Data behind {what}: ", classes=["mbnb-data"])
    for number, name in enumerate(files, start=1):
        words = "CSV" if len(files) == 1 else f"CSV {number}"
        link = addnodes.download_reference("", "", nodes.Text(words), reftarget=name)
        line += ([nodes.Text(", ")] if number > 1 else []) + [link]
    return line


def _part_attributes(
    app: Sphinx, what: str, name: str, thing: object, options: object, lines: list[str]
) -> None:
    """Give each of the attributes of “a, b : int” a line; the last has their description."""
    parted = []
    inside = False
    for line, below in zip_longest(lines, lines[1:], fillvalue=""):
        if re.fullmatch("-{3,}", below.strip()):
            inside = line.strip() == "Attributes"
        names = re.fullmatch(r"(\w+(?:, \w+)+) : (.+)", line) if inside else None
        parted += [f"{one} : {names[2]}" for one in names[1].split(", ")] if names else [line]
    lines[:] = parted


def _hold_units(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Keep a number and its unit on one line, in prose and captions, not in code."""
    as_written = (nodes.literal, nodes.FixedTextElement, nodes.math)
    for text in list(doctree.findall(nodes.Text)):
        if isinstance(text.parent, as_written):
            continue
        # A number that a cell has computed is a node of its own, before its unit.
        place = text.parent.index(text)
        before = text.parent[place - 1].astext()[-1:] if place else ""
        held = _UNIT.sub("\N{NO-BREAK SPACE}", before + text)[len(before) :]
        if held != text:
            text.parent.replace(text, nodes.Text(held))


def _leave_foreign_names(
    app: Sphinx, env: BuildEnvironment, node: addnodes.pending_xref, contnode: nodes.Element
) -> nodes.Element | None:
    """Let docstrings name what the reference does not describe.

    Types of other packages could only be linked to by fetching their lists of names, and names of
    this package that are not public have no page.
    """
    is_ours = str(node.get("reftarget", "")).startswith("mbnb.")
    return None if node.get("refdomain") != "py" or is_ours else contnode


def _name_buttons(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: Any
) -> None:
    """Call the executed notebook what it is, and show a chapter's source where people edit it."""
    is_chapter = context.get("page_source_suffix") == NOTEBOOK
    groups = context.get("header_buttons", [])
    for button in [*groups, *(one for group in groups for one in group.get("buttons", []))]:
        label = button.get("label")
        if label == "download-source-button":
            if is_chapter:
                button["text"] = "Executed notebook (.ipynb)"
                button["tooltip"] = "Download this chapter as a notebook with its results"
            else:
                button["text"] = f"Source ({context['page_source_suffix']})"
        elif label == "download-pdf-button":
            button["text"] = "Print (.pdf)"
        elif label == "source-file-button" and is_chapter:
            button["url"] = button["url"].replace(f"{NOTEBOOK}?plain=1", ".py")


def _plain_citations(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: Any
) -> None:
    """Docutils calls references a list but no entry an item of one, which misleads a reader."""
    body = context.get("body", "")
    context["body"] = body.replace(' role="list" class="citation-list"', ' class="citation-list"')


def _download_notebooks(app: Sphinx, error: Exception | None) -> None:
    """Make the theme's link to a notebook save it: a browser would show its text in a new tab."""
    for docname in app.env.found_docs if error is None else ():
        page = Path(app.outdir) / f"{docname}.html"
        if page.is_file() and str(app.env.doc2path(docname)).endswith(NOTEBOOK):
            text = page.read_text(encoding="utf-8")
            page.write_text(_BUTTON.sub(r"\1 download", text), encoding="utf-8")
