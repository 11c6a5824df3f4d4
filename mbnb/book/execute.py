"""Executes chapters by papermill in a pool of processes, and tells how far they are."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import Any

import click
import nbformat
import papermill
from papermill.exceptions import PapermillExecutionError

from mbnb.book.chapters import CLAIMS_TAG, Chapter, tags_of
from mbnb.data.datasets import DATA_VARIABLE
from mbnb.run.units import PROGRESS_VARIABLE

JOBS_VARIABLE = "MBNB_JOBS"
# No cell may take longer; the longest runs a grid.
SECONDS_A_CELL = 3600
# Every library's own threads are off: chapters and trials are what runs side by side, and sums
# that are split over threads come out differently on machines with other numbers of cores. Nothing
# of the person's own settings may reach a page, and no debugger's advice its cells.
ENVIRONMENT = {
    **dict.fromkeys(
        ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS"), "1"
    ),
    "JUPYTER_PLATFORM_DIRS": "1",
    "JUPYTER_PREFER_ENV_PATH": "1",
    "PYDEVD_DISABLE_FILE_VALIDATION": "1",
    "MPLBACKEND": "module://matplotlib_inline.backend_inline",
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
        Over how many processes the chapter may spread its trials.
    seconds : float, optional
        What it took the last time, where that is known.
    """

    chapter: Chapter
    parameters: Mapping[str, Any]
    target: Path
    workers: int = 1
    seconds: float | None = None


@dataclass(frozen=True)
class Outcome:
    """What came of a job: the seconds it took and, if it failed, what failed, in a sentence."""

    job: Job
    seconds: float = 0
    error: str = ""
    message: str = ""


def execute(jobs: Sequence[Job], at_once: int = 1) -> Iterator[Outcome]:
    """Execute jobs, so many at once; a failure stops no other.

    However this is left, by return or by an interrupt, every process that it started ends: those of
    the pool are killed, and a kernel ends when its parent has.

    Yields
    ------
    Outcome
        In the order in which the jobs end.
    """
    if not jobs:
        return
    os.environ.update(
        {k: str(Path(v).resolve()) for k, v in os.environ.items() if k == DATA_VARIABLE}
    )
    with tempfile.TemporaryDirectory(prefix="mbnb-") as folder:
        pool = ProcessPoolExecutor(
            at_once, multiprocessing.get_context("spawn"), initializer=_begin
        )
        running = {pool.submit(_execute, job, Path(folder)): job for job in jobs}
        progress = _Progress(jobs, Path(folder), at_once)
        try:
            while running:
                ended, _ = wait(running, timeout=1, return_when=FIRST_COMPLETED)
                for future in ended:
                    outcome = _outcome(running.pop(future), future)
                    progress.tell_end(outcome)
                    yield outcome
                progress.tell_state()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
            for process in multiprocessing.active_children():
                # joblib's processes, which ran trials here, end by themselves.
                if isinstance(process, SpawnProcess):
                    process.kill()
                    process.join()


def _begin() -> None:
    # An interrupt typed at the terminal is for the parent, which ends us.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.environ.update(ENVIRONMENT)


def _execute(job: Job, folder: Path) -> Outcome:
    """Execute one chapter; in a process of the pool."""
    begun = time.monotonic()
    name = job.chapter.name
    source, executed, work = folder / f"{name}.ipynb", folder / f"{name}-done.ipynb", folder / name
    work.mkdir()  # its working directory, so that no chapter leans on a relative path
    nbformat.write(job.chapter.notebook, source)
    os.environ |= {
        "IPYTHONDIR": str(folder / "ipython"),
        JOBS_VARIABLE: str(job.workers),
        PROGRESS_VARIABLE: str(folder / f"{name}.progress"),
    }
    try:
        papermill.execute_notebook(
            source,
            executed,
            parameters=dict(job.parameters),
            kernel_name="python3",
            cwd=work,
            progress_bar=False,
            request_save_on_cell_execute=False,
            execution_timeout=SECONDS_A_CELL,
            extra_arguments=["--IPKernelApp.log_level=CRITICAL"],
        )
    except PapermillExecutionError as error:
        return Outcome(job, time.monotonic() - begun, error.ename, _fault(job.chapter, error))
    notebook = nbformat.read(executed, as_version=4)
    for holder in (notebook, *notebook.cells):
        # What papermill notes about this machine and this minute.
        holder.metadata.pop("papermill", None)
        holder.metadata.pop("execution", None)
    job.target.parent.mkdir(parents=True, exist_ok=True)
    partial = job.target.with_name(f".{job.target.name}-{os.getpid()}")
    nbformat.write(notebook, partial)
    partial.replace(job.target)
    return Outcome(job, time.monotonic() - begun)


def _fault(chapter: Chapter, error: PapermillExecutionError) -> str:
    """Which cell failed and why; for a claim, what it claimed."""
    for cell in chapter.notebook.cells:
        if cell.source == error.source and CLAIMS_TAG in tags_of(cell):
            return f"{chapter.name} claims what is not so: {error.evalue or error.ename}"
    first = error.source.strip().partition("\n")[0]
    return f"{chapter.name}, cell '{first}' raised {error.ename}: {error.evalue}".rstrip(": ")


def _outcome(job: Job, future: Future[Outcome]) -> Outcome:
    error = future.exception()
    if error is None:
        return future.result()
    # A kernel that died, a cell that took too long, a process that was killed.
    kind = type(error).__name__
    return Outcome(job, 0, kind, f"{job.chapter.name}: {kind}: {' '.join(str(error).split())}")


class _Progress:
    """Tells on stderr what has ended, what is at work and about how long the rest will take."""

    def __init__(self, jobs: Sequence[Job], folder: Path, at_once: int) -> None:
        self.left = list(jobs)
        self.total = len(jobs)
        self.folder = folder
        self.at_once = at_once
        self.begun = time.monotonic()
        self.last = 0.0

    def tell_end(self, outcome: Outcome) -> None:
        self.left.remove(outcome.job)
        self._clear()
        done = f"{self.total - len(self.left)} of {self.total}"
        how = "failed" if outcome.error else "executed"
        click.echo(
            f"{outcome.job.chapter.name}: {how} in {outcome.seconds:.0f} s ({done})", err=True
        )

    def tell_state(self) -> None:
        """A line that the next replaces; where there is no terminal, one now and then."""
        now = time.monotonic()
        if not self.left or now - self.last < (1 if sys.stderr.isatty() else 30):
            return
        self.last = now
        at_work = [self._bar(job) for job in self.left if (self.folder / job.chapter.name).exists()]
        line = (
            f"{self.total - len(self.left)} of {self.total} · {' · '.join(at_work)}{self._rest()}"
        )
        self._clear()
        click.echo(line, err=True, nl=not sys.stderr.isatty())

    def _bar(self, job: Job) -> str:
        """A chapter at work with what its own bar of trials says."""
        try:
            told = (self.folder / f"{job.chapter.name}.progress").read_text("utf-8")
        except OSError:
            told = ""
        last = next((one.strip() for one in reversed(told.splitlines()) if one.strip()), "")
        return f"{job.chapter.name} {last}".strip()

    def _rest(self) -> str:
        known = [job.seconds for job in self.left if job.seconds is not None]
        gone = time.monotonic() - self.begun
        if len(known) < len(self.left):
            return f" · {gone:.0f} s gone"
        rest = sum(known) / self.at_once
        return f" · {gone:.0f} s gone, {max(rest, 1):.0f} s or so left"

    def _clear(self) -> None:
        if sys.stderr.isatty():
            click.echo("\r\x1b[2K", err=True, nl=False)
