"""The book's Sphinx extension: every script a page needs lies beside it; builds nothing itself."""

from __future__ import annotations

import importlib.util
import shutil
import tempfile
from pathlib import Path
from typing import Any

import altair
import vl_convert
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

BUNDLE = "vega-bundle.js"
MATHJAX = "mathjax/tex-svg-full.js"
# The name of the package is no identifier, so it can only be found, not imported by a statement.
MATHJAX_PACKAGE = "sphinx-mathjax-offline"


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the extension; Sphinx calls this."""
    app.connect("builder-inited", _add_local_scripts)
    app.connect("doctree-resolved", _drop_thebe_nodes, priority=900)
    app.connect("html-page-context", _choose_scripts, priority=900)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}


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
    """MathJax 3 with all its extensions in one file, from the package that carries it.

    Raises
    ------
    ExtensionError
        If the package is not installed.
    """
    found = importlib.util.find_spec(MATHJAX_PACKAGE)
    if found is None or found.origin is None:
        raise ExtensionError(f"the package {MATHJAX_PACKAGE} is not installed")
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


def _drop_thebe_nodes(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Take out what Thebe adds to a chapter's body: it names a remote repository not ours."""
    for node in list(doctree.findall(nodes.raw)):
        if "x-thebe-config" in node.astext() or "kernelName =" in node.astext():
            node.parent.remove(node)


def _choose_scripts(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: Any
) -> None:
    """Drop Thebe's scripts, which name a remote host on every page; add Vega where charts are."""
    # In place: this is the list that `add_js_file` adds to, for this page alone.
    files = context["script_files"]
    files[:] = [file for file in files if "thebe" not in _described(file)]
    if "VEGA_DEBUG" in context.get("body", ""):
        app.add_js_file(BUNDLE, priority=100)


def _described(file: Any) -> str:
    body = getattr(file, "attributes", {}).get("body") or ""
    return f"{getattr(file, 'filename', '')} {body}".lower()
