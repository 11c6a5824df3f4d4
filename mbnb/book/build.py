"""Builds a book: checks, executes what changed, checks again, makes the pages; draws nothing."""

from __future__ import annotations

import contextlib
import fcntl
import os
import platform
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from mbnb.book.cache import STAGING, chapter_key, keep, kept_notebook, kept_run, versions
from mbnb.book.chapters import Chapter, read_chapters, toc_parts
from mbnb.book.check import executed_file_problems, source_problems
from mbnb.book.execute import Job, Outcome, absolute_data_folder, execute
from mbnb.book.one_page import entries_of
from mbnb.book.parameters import check_value
from mbnb.book.pdf import PDF, find_browser, print_book
from mbnb.book.repository import Repository
from mbnb.book.site import OUTPUT, SiteFailed, build_site, check_target
from mbnb.book.staging import Imprint, stage
from mbnb.data.datasets import available, locate
from mbnb.data.errors import InputError

PROFILES = ("full", "quick")
QUICK_TRIALS = 5
# A chapter that says nothing of its time limit gets this many seconds.
TIMEOUT = 3600
# Whose releases every page names.
TOLD = ("mbnb", "jupyter-book", "sphinx", "altair")


class BuildFailed(Exception):
    """The book could not be built; the message holds one line for each fault."""


@dataclass(frozen=True)
class Edition:
    """What an edition of the book sets in its chapters, beside their own defaults.

    Parameters
    ----------
    dataset : str, optional
        Set in every chapter that has the parameter ``dataset``.
    missing : str, optional
        Policy for missing answers, likewise.
    profile : str
        ``full`` leaves the chapters' defaults; ``quick`` makes a small run of each.
    """

    dataset: str | None = None
    missing: str | None = None
    profile: str = "full"

    @classmethod
    def checked(cls, dataset: str | None, missing: str | None, profile: str) -> Edition:
        """An edition whose data set exists, with the path of one on disk made absolute.

        Raises
        ------
        InputError
            If the data set or the policy is unknown; the message lists what is known.
        """
        if dataset is not None and dataset not in set(available()["name"]):
            dataset = str(locate(dataset))
        return cls(dataset, missing and check_value("missing", missing), profile)

    def parameters_for(self, chapter: Chapter) -> dict[str, Any]:
        """What is set in one chapter; what it has by default anyway is not set again."""
        wanted: dict[str, Any] = {"dataset": self.dataset, "missing": self.missing}
        if self.profile == "quick":
            wanted |= {"n_trials": QUICK_TRIALS, **chapter.settings.get("quick", {})}
        defaults = chapter.defaults
        return {
            name: value
            for name, value in wanted.items()
            if value is not None and name in defaults and value != defaults[name]
        }

    def announcement(self, chapters: list[Chapter]) -> str:
        """What every page says at its top; nothing for the book as its authors publish it."""
        sentences = []
        own = {chapter.defaults.get("dataset") for chapter in chapters} - {None}
        if self.dataset is not None and own != {self.dataset}:
            sentences.append(f"This edition is built on the data set {Path(self.dataset).name}.")
        if self.missing is not None:
            sentences.append(f"Missing answers: {self.missing}.")
        if self.profile == "quick":
            sentences.append("Quick profile: few trials, so every number here is a rough one.")
        return " ".join(sentences)

    def footer(self, chapters: list[Chapter]) -> str:
        """What every page says at its end: the data, the profile, and what built it."""
        names: dict[str, None] = {}
        for chapter in chapters:
            values = {**chapter.defaults, **self.parameters_for(chapter)}
            used = [values.get("dataset"), *values.get("datasets", [])]
            names |= dict.fromkeys(Path(name).name for name in used if name)
        made_by = " · ".join(f"{name} {version}" for name, version in versions(TOLD).items())
        parts = [
            f"Data of this edition: {', '.join(names)}." if names else "",
            f"Profile: {self.profile}.",
            f"Built with Python {platform.python_version()} · {made_by}.",
        ]
        return " ".join(filter(None, parts))


def build_book(
    root: Path,
    edition: Edition,
    workers: int,
    target: Path | None = None,
    repository: Repository | None = None,
    *,
    pdf: bool = False,
) -> Path:
    """Build the book.

    Parameters
    ----------
    root : Path
        The book's folder.
    edition : Edition
    workers : int
        How many processes may work at once.
    target : Path, optional
        Folder for the pages; ``_build/html`` of the book's folder where none is given.
    repository : Repository, optional
        Where the sources are; without it no page links to them or to a service that runs them.
    pdf : bool
        Whether to print the whole book into a PDF beside the pages.

    Returns
    -------
    Path
        The folder with ``index.html``.

    Raises
    ------
    BuildFailed
        If a source, a chapter, an executed chapter or a page is at fault. Nothing is published
        then: the previous pages stay as they were.
    InputError
        If another build of this book is running, the target holds something else, or a PDF is
        wanted and there is nothing to print it with.
    """
    pages = target or root / OUTPUT
    check_target(pages)
    if pdf:
        find_browser()
    with _alone(root), absolute_data_folder():
        if problems := source_problems(root):
            raise BuildFailed("\n".join(problems))
        chapters = read_chapters(root)
        notebooks = _executed(root, chapters, edition, workers)
        begun = time.monotonic()
        imprint = Imprint(
            edition.announcement(chapters),
            edition.footer(chapters),
            repository,
            PDF if pdf else "",
        )
        runs = {name: kept_run(notebook) for name, notebook in notebooks.items()}
        staged = stage(root, notebooks, imprint, runs)
        try:
            was_built = build_site(root, staged, pages, _printer(root, imprint))
        except SiteFailed as failure:
            raise BuildFailed(str(failure)) from None
        how = f"built in {time.monotonic() - begun:.0f} s" if was_built else "unchanged"
        say(f"pages: {how}")
    return pages


def _printer(root: Path, imprint: Imprint) -> Callable[[Path], None]:
    """What prints the PDF into a folder of finished pages, or does nothing where none is wanted."""

    def print_into(pages: Path) -> None:
        if imprint.pdf:
            notice = " ".join(filter(None, (imprint.announcement, imprint.footer)))
            print_book(pages, entries_of(toc_parts(root)), notice, pages / imprint.pdf)

    return print_into


def say(line: str) -> None:
    """One line of progress, on stderr."""
    click.echo(line, err=True)
    sys.stderr.flush()


def available_cores() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextlib.contextmanager
def _alone(root: Path) -> Iterator[None]:
    """Hold the staging folder: two builds in it would mix their pages."""
    (root / STAGING).mkdir(exist_ok=True)
    with (root / STAGING / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise InputError(f"another build of the book in {root} is running") from None
        yield


def _executed(
    root: Path, chapters: list[Chapter], edition: Edition, workers: int
) -> dict[str, Path]:
    """The executed notebook of each chapter by name: kept ones where nothing changed."""
    kept: dict[str, Path] = {}
    alone: list[Job] = []
    together: list[Job] = []
    for chapter in chapters:
        injected = edition.parameters_for(chapter)
        key = chapter_key(root, chapter, injected)
        kept[chapter.name] = kept_notebook(root, chapter.name, key)
        if kept[chapter.name].is_file() and not executed_file_problems(kept[chapter.name]):
            kept[chapter.name].touch()  # so that the newest few are those last used
            say(f"{chapter.name}: unchanged")
            continue
        exclusive = chapter.settings.get("exclusive", False)
        (alone if exclusive else together).append(
            Job(
                chapter,
                injected,
                target=root / STAGING / "fresh" / f"{chapter.name}.ipynb",
                workers=workers if exclusive else 1,
                timeout=chapter.settings.get("timeout", TIMEOUT),
            )
        )
    progress = _Progress(root, kept, len(alone) + len(together))
    for jobs, at_once in ((alone, 1), (together, workers)):
        execute(jobs, at_once=at_once, started=progress.started, ended=progress.ended)
    if progress.faults:
        raise BuildFailed("\n".join(progress.faults))
    return kept


class _Progress:
    """Tells which chapter is at work, keeps what is sound and gathers what is not."""

    def __init__(self, root: Path, kept: dict[str, Path], total: int) -> None:
        self.root = root
        self.kept = kept
        self.total = total
        self.done = 0
        self.faults: list[str] = []

    def started(self, job: Job) -> None:
        # Said before the work, so that a chapter that hangs has a name.
        say(f"{job.chapter.name}: executing")

    def ended(self, outcome: Outcome) -> None:
        name, fresh = outcome.job.chapter.name, outcome.job.target
        faults = [str(outcome)] if outcome.failed else executed_file_problems(fresh)
        if faults:
            fresh.unlink(missing_ok=True)
        else:
            run = {
                "seconds": round(outcome.seconds, 1),
                "finished": f"{datetime.now(UTC):%Y-%m-%d %H:%M}",
                "workers": outcome.job.workers,
                "parameters": dict(outcome.job.parameters),
            }
            keep(self.root, name, self.kept[name].stem, fresh, run)
        self.faults += faults
        self.done += 1
        how = "failed" if faults else "executed"
        say(f"{name}: {how} after {outcome.seconds:.0f} s ({self.done} of {self.total})")
