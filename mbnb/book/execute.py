"""Executes chapters, each in a process of its own with a time limit; leaves no process behind."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat
import psutil
from nbformat import NotebookNode

from mbnb.book.chapters import INJECTED_TAG, KERNEL, Chapter, tags_of
from mbnb.book.check import describe_cell
from mbnb.data.datasets import DATA_VARIABLE

WORKER = Path(__file__).with_name("worker.py")

JOBS_VARIABLE = "MBNB_JOBS"
# Every library's own threads are off: chapters and trials are what runs side by side, and sums
# that are split over threads come out differently on machines with other numbers of cores.
ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS")
# Nothing of the person's own settings may reach a page, and no debugger's advice its cells.
QUIET = {
    "JUPYTER_PLATFORM_DIRS": "1",
    "JUPYTER_PREFER_ENV_PATH": "1",
    "PYDEVD_DISABLE_FILE_VALIDATION": "1",
    "TQDM_DISABLE": "1",
}


@dataclass(frozen=True)
class Job:
    """A chapter to execute.

    Parameters
    ----------
    chapter : Chapter
    parameters : dict
        Values set from outside, plain Python.
    target : Path
        Where the executed notebook goes; nothing is written there if the chapter fails.
    workers : int
        What ``MBNB_JOBS`` tells the chapter: over how many processes it may spread its work.
    timeout : float, optional
        Seconds after which the chapter is stopped.
    """

    chapter: Chapter
    parameters: Mapping[str, Any]
    target: Path
    workers: int
    timeout: float | None = None


@dataclass(frozen=True)
class Outcome:
    """What came of a job: seconds it took and, if it failed, the cell, the error and its text."""

    job: Job
    seconds: float
    where: str = ""
    error: str = ""
    message: str = ""

    @property
    def failed(self) -> bool:
        return bool(self.error)

    def __str__(self) -> str:
        return f"{self.where} raised {self.error}: {self.message}".rstrip(": ")


def execute(
    jobs: Sequence[Job],
    *,
    at_once: int = 1,
    started: Callable[[Job], None] = lambda job: None,
    ended: Callable[[Outcome], None] = lambda outcome: None,
) -> list[Outcome]:
    """Execute jobs, so many at once, in the order given.

    However this is left, by return or by an interrupt, every process it started has ended.

    Parameters
    ----------
    jobs : sequence of Job
    at_once : int
        Chapters that run side by side.
    started, ended : callable
        Told of each job as it starts and of each outcome as it comes.

    Returns
    -------
    list of Outcome
        In the order in which the jobs ended; a failure stops no other job.
    """
    waiting, running, outcomes = deque(jobs), list[_Running](), list[Outcome]()
    try:
        while waiting or running:
            while waiting and len(running) < at_once:
                started(waiting[0])
                running.append(_Running(waiting.popleft()))
            time.sleep(0.05)
            for run in [run for run in running if run.is_over()]:
                running.remove(run)
                outcomes.append(run.outcome())
                ended(outcomes[-1])
    finally:
        for run in running:
            run.clear_away()
    return outcomes


@contextlib.contextmanager
def absolute_data_folder() -> Iterator[None]:
    """Make a relative ``$MBNB_DATA`` absolute, since children work in other folders."""
    given = os.environ.get(DATA_VARIABLE)
    if given:
        os.environ[DATA_VARIABLE] = str(Path(given).resolve())
    try:
        yield
    finally:
        if given:
            os.environ[DATA_VARIABLE] = given


class _Running:
    """One chapter in execution, and the folder that holds its files until it has ended."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.folder = Path(tempfile.mkdtemp(prefix="mbnb-"))
        self.begun = time.monotonic()
        self.timed_out = False
        (self.folder / "work").mkdir()
        (self.folder / "source.ipynb").write_text(job.chapter.twin_text, encoding="utf-8")
        description = {"kernel": KERNEL, "parameters": dict(job.parameters)}
        (self.folder / "job.json").write_text(json.dumps(description), encoding="utf-8")
        with (self.folder / "log").open("wb") as log:
            self.process = subprocess.Popen(
                # -P keeps the names of the worker's neighbours from hiding other modules.
                [sys.executable, "-P", str(WORKER), str(self.folder)],
                cwd=self.folder / "work",
                env=self._environment(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                # An interrupt typed at the terminal reaches the parent alone, which ends us all.
                start_new_session=True,
            )
        # Taken now, the handle cannot come to mean another process that got the same number.
        self.handle = psutil.Process(self.process.pid)

    def _environment(self) -> dict[str, str]:
        # A backend chosen outside would keep matplotlib's figures from the page.
        inherited = {key: value for key, value in os.environ.items() if key != "MPLBACKEND"}
        return {
            **inherited,
            **dict.fromkeys(ONE_THREAD, "1"),
            **QUIET,
            "IPYTHONDIR": str(self.folder / "ipython"),
            JOBS_VARIABLE: str(self.job.workers),
        }

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.begun

    def is_over(self) -> bool:
        limit = self.job.timeout
        self.timed_out = limit is not None and self.seconds > limit
        return self.timed_out or self.process.poll() is not None

    def outcome(self) -> Outcome:
        """What came of it; the executed notebook is put in its place only if nothing failed."""
        seconds, name = self.seconds, self.job.chapter.name
        try:
            if self.timed_out and self.process.poll() is None:
                message = f"stopped after {self.job.timeout:g} s"
                return Outcome(self.job, seconds, name, "TimeoutError", message)
            try:
                result = json.loads((self.folder / "result.json").read_text(encoding="utf-8"))
            except (OSError, ValueError):
                lines = (self.folder / "log").read_text("utf-8", "replace").split("\n")
                message = next((line for line in reversed(lines) if line.strip()), "no message")
                return Outcome(self.job, seconds, name, "its process ended early", message)
            executed = self.folder / "executed.ipynb"
            if not result:
                _put(_without_traces(nbformat.read(executed, as_version=4)), self.job.target)
                return Outcome(self.job, seconds)
            return Outcome(self.job, seconds, _failed_cell(name, executed), **result)
        finally:
            self.clear_away()

    def clear_away(self) -> None:
        _kill_tree(self.handle)
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


def _kill_tree(process: psutil.Process) -> None:
    """Kill a process and all below it. A kernel has its own session: no group holds them all."""
    with contextlib.suppress(psutil.NoSuchProcess):
        # Stopped before its children are listed, it can start no more of them meanwhile.
        process.suspend()
        children = process.children()
        process.kill()
        for child in children:
            _kill_tree(child)


def _failed_cell(name: str, saved: Path) -> str:
    """Which cell failed, counted as in the chapter: the injected cell is not among those."""
    if saved.is_file():
        cells = nbformat.read(saved, as_version=4).cells
        code = [c for c in cells if c.cell_type == "code" and INJECTED_TAG not in tags_of(c)]
        for number, cell in enumerate(code, start=1):
            if any(output.output_type == "error" for output in cell.outputs):
                return describe_cell(name, number, cell.source)
    return name


def _without_traces(notebook: NotebookNode) -> NotebookNode:
    """Take out what papermill notes about this machine and this minute."""
    for holder in (notebook, *notebook.cells):
        for key in ("papermill", "execution", "mbnb"):
            holder.metadata.pop(key, None)
    return notebook


def _put(notebook: NotebookNode, target: Path) -> None:
    """Write a notebook in one step: a reader finds all of it or nothing."""
    target.parent.mkdir(parents=True, exist_ok=True)
    partial = target.with_name(f".{target.name}.partial")
    nbformat.write(notebook, partial)
    os.replace(partial, target)
