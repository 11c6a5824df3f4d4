"""Executes one notebook in a process of its own; knows nothing of books and prints nothing."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import nbformat
import papermill
from nbformat import NotebookNode
from papermill.exceptions import PapermillExecutionError

from mbnb.publish.chapters import INJECTED_TAG, KERNEL, tags_of
from mbnb.publish.check import describe_cell


def main(folder: Path) -> None:
    """Execute ``source.ipynb`` of a job's folder into ``executed.ipynb``.

    The folder holds ``job.json`` (name, parameters) and an empty folder ``work``, which is the
    notebook's working directory, so that no chapter can lean on a relative path. What came of
    it is written to ``result.json``: nothing, or where it failed, the error's name and message.
    """
    job = json.loads((folder / "job.json").read_text(encoding="utf-8"))
    target = folder / "executed.ipynb"
    result: dict[str, Any] = {}
    try:
        executed = papermill.execute_notebook(
            folder / "source.ipynb",
            target,
            parameters=job["parameters"],
            kernel_name=KERNEL,
            cwd=folder / "work",
            progress_bar=False,
            request_save_on_cell_execute=False,
        )
        nbformat.write(without_traces(executed), target)
    except PapermillExecutionError as error:
        result = {"error": error.ename, "message": error.evalue}
        result["where"] = _failed_cell(job["name"], target, error)
    except Exception as error:
        # A kernel that died, a notebook that cannot be read: the parent names the chapter.
        result = {"error": type(error).__name__, "message": str(error), "where": job["name"]}
    (folder / "result.json").write_text(json.dumps(result), encoding="utf-8")


def without_traces(notebook: NotebookNode) -> NotebookNode:
    """Take out what papermill notes about this machine and this minute."""
    for holder in (notebook, *notebook.cells):
        for key in ("papermill", "execution", "mbnb"):
            holder.metadata.pop(key, None)
    return notebook


def _failed_cell(name: str, saved: Path, error: PapermillExecutionError) -> str:
    """Which cell failed, counted as in the chapter: the injected cell is not among those."""
    cells = nbformat.read(saved, as_version=4).cells
    code = [c for c in cells if c.cell_type == "code" and INJECTED_TAG not in tags_of(c)]
    for number, cell in enumerate(code, start=1):
        if any(output.output_type == "error" for output in cell.outputs):
            return describe_cell(name, number, cell.source)
    return describe_cell(name, error.exec_count or 0, error.source)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
