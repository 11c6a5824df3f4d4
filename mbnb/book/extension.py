"""The book's Sphinx extension: scripts that lie beside the pages, and links to data."""

from __future__ import annotations

import importlib.util
import re
import shutil
import tempfile
from pathlib import Path
from typing import Any

import altair
import vl_convert
from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx

# Of a cell's metadata: the files with the data that its outputs show.
FILES = "mbnb-data"
BUNDLE = "vega-bundle.js"
MATHJAX = "mathjax/tex-svg-full.js"

_UNIT = re.compile(r"(?<=\d) (?=(%|h|s|GB|MB)(?!\w))")


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the extension; Sphinx calls this."""
    app.connect("builder-inited", _add_local_scripts)
    # Before Sphinx gathers the files that a page lets its reader download.
    app.connect("doctree-read", _link_data, priority=100)
    app.connect("doctree-resolved", _describe_pasted)
    app.connect("doctree-resolved", _hold_units)
    app.connect("doctree-resolved", _drop_thebe_nodes, priority=900)
    app.connect("html-page-context", _finish_page, priority=900)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}


def _describe_pasted(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """A picture that a page pastes from a chapter brings no alt text: its caption's words do."""
    captions = [box for box in doctree.findall(nodes.container) if "mbnb-caption" in box["classes"]]
    for image in doctree.findall(nodes.image):
        following = [box for box in captions if box.line and box.line >= (image.line or 0)]
        if not image.get("alt") and (following or captions):
            image["alt"] = (following or captions)[0].astext()


def vega_bundle() -> str:
    """Vega, Vega-Lite and vega-embed as one script that Altair's pages take for their own.

    Altair's template loads a library from its base URL unless ``VEGA_DEBUG`` says that this very
    version is there already.
    """
    release = ".".join(altair.VEGALITE_VERSION.split(".")[:2])
    script = vl_convert.javascript_bundle(vl_version=release)  # type: ignore[call-arg]
    return (
        f"(function () {{{script}}})();\n"
        f'var VEGA_DEBUG = {{vega_version: "{altair.VEGA_VERSION}", '
        f'vegalite_version: "{altair.VEGALITE_VERSION}", '
        f'vegaembed_version: "{altair.VEGAEMBED_VERSION}"}};\n'
    )


def mathjax_file() -> Path:
    """MathJax 3 with all its extensions in one file, from the package that carries it."""
    # The name of the package is no identifier, so it can only be found, not imported.
    found = importlib.util.find_spec("sphinx-mathjax-offline")
    assert found and found.origin
    return Path(found.origin).parent / "static" / MATHJAX


def _add_local_scripts(app: Sphinx) -> None:
    """Put both scripts into a static folder that Jupyter Book does not scan.

    It loads every script of the book's own ``_static`` on every page; these are large and only
    some pages need them.
    """
    folder = Path(tempfile.mkdtemp(prefix="mbnb-static-"))
    app.connect("build-finished", lambda *_: shutil.rmtree(folder, ignore_errors=True))
    (folder / BUNDLE).write_text(vega_bundle(), encoding="utf-8")
    (folder / MATHJAX).parent.mkdir()
    shutil.copyfile(mathjax_file(), folder / MATHJAX)
    app.config.html_static_path.append(str(folder))


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
            line = nodes.paragraph("", "Data behind this figure: ", classes=["mbnb-data"])
            for number, name in enumerate(files, start=1):
                words = "CSV" if len(files) == 1 else f"CSV {number} "
                line += addnodes.download_reference("", "", nodes.Text(words), reftarget=name)
            outputs[-1] += line


def _hold_units(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Keep a number and its unit on one line, in prose and captions, not in code."""
    as_written = (nodes.literal, nodes.FixedTextElement, nodes.math)
    for text in list(doctree.findall(nodes.Text)):
        held = _UNIT.sub("\N{NO-BREAK SPACE}", text)
        if held != text and not isinstance(text.parent, as_written):
            text.parent.replace(text, nodes.Text(held))


def _drop_thebe_nodes(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Take out what Thebe adds to a chapter's body: it names a remote repository not ours."""
    for node in list(doctree.findall(nodes.raw)):
        if "x-thebe-config" in node.astext() or "kernelName =" in node.astext():
            node.parent.remove(node)


def _finish_page(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: Any
) -> None:
    """Drop Thebe's scripts, which name a remote host on every page; add Vega where charts are."""
    # In place: this is the list that `add_js_file` adds to, for this page alone.
    files = context["script_files"]
    files[:] = [file for file in files if "thebe" not in _described(file)]
    body = context.get("body", "")
    if "VEGA_DEBUG" in body:
        app.add_js_file(BUNDLE, priority=100)
    # Docutils calls references a list but no entry an item of one, which misleads a reader.
    context["body"] = body.replace(' role="list" class="citation-list"', ' class="citation-list"')


def _described(file: Any) -> str:
    body = getattr(file, "attributes", {}).get("body") or ""
    return f"{getattr(file, 'filename', '')} {body}".lower()
