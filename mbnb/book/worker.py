"""Executes one notebook in a process of its own; loads nothing of the package, to start fast."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import papermill
from papermill.exceptions import PapermillExecutionError


def main(folder: Path) -> None:
    """Execute ``source.ipynb`` of a job's folder into ``executed.ipynb``.

    The folder holds ``job.json`` (kernel, parameters) and an empty folder ``work``, which is the
    notebook's working directory, so that no chapter can lean on a relative path. What came of
    it is written to ``result.json``: an empty record, or the error's name and message.
    """
    job = json.loads((folder / "job.json").read_text(encoding="utf-8"))
    result: dict[str, str] = {}
    try:
        papermill.execute_notebook(
            folder / "source.ipynb",
            folder / "executed.ipynb",
            parameters=job["parameters"],
            kernel_name=job["kernel"],
            cwd=folder / "work",
            progress_bar=False,
            request_save_on_cell_execute=False,
        )
    except PapermillExecutionError as error:
        result = {"error": error.ename, "message": error.evalue}
    except Exception as error:
        # A kernel that died, a notebook that cannot be read: the parent names the chapter.
        result = {"error": type(error).__name__, "message": str(error)}
    (folder / "result.json").write_text(json.dumps(result), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
