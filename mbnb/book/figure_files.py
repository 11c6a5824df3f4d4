"""Takes the data behind figures out of an executed notebook into files; draws nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from nbformat import NotebookNode

from mbnb.book.chapters import tags_of
from mbnb.plots import CSV

# Of a cell's metadata: the files with the data that its outputs show.
FILES = "mbnb-data"
# What `glue` writes before the kind of an output that is pasted elsewhere.
GLUED = f"application/papermill.record/{CSV}"


def take_out_data(notebook: NotebookNode, name: str, folder: Path) -> list[Path]:
    """Write each table of data that an output carries to a file, and take it out, in place.

    Parameters
    ----------
    notebook : NotebookNode
    name : str
        The chapter's; names the files of figures that have no label of their own.
    folder : Path
        Where the files go, named by the figure's label, or by the key of what is pasted elsewhere.

    Returns
    -------
    list of Path
        The files. Each cell that shows their data names them in its metadata.
    """
    written: list[Path] = []
    for number, cell in enumerate(notebook.cells):
        figure = cell.metadata.get("mystnb", {}).get("figure", {})
        label = figure.get("name") or f"{name}-cell-{number}"
        shown: list[str] = []
        for own, data in _tables_of(cell):
            stem = own or (f"{label}-{len(shown) + 1}" if shown else label)
            path = folder / f"{stem}.csv"
            path.write_text(data, encoding="utf-8", newline="")
            written.append(path)
            if own is None:
                shown.append(path.name)
        if shown and not {"remove-cell", "remove-output"} & set(tags_of(cell)):
            cell.metadata[FILES] = shown
    return written


def _tables_of(cell: NotebookNode) -> Iterator[tuple[str | None, str]]:
    """Each table that a cell carries, with the key by which it was glued, out of its place."""
    for output in cell.get("outputs", []):
        data = output.get("data", {})
        key = output.get("metadata", {}).get("scrapbook", {}).get("name")
        # What is glued and shown is read by the page itself.
        for kind, own in ((GLUED, key), (CSV, None)):
            if kind in data:
                yield own, data.pop(kind)
