"""Builds a book: checks, executes what changed, checks again, makes the pages; draws nothing."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import platform
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from mbnb.book.chapters import Chapter, read_chapters
from mbnb.book.check import executed_problems, source_problems
from mbnb.book.execute import Job, execute
from mbnb.book.keys import chapter_key, versions
from mbnb.book.opening import load_study
from mbnb.book.parameters import parameters
from mbnb.book.site import SiteFailed, build_site, check_target, stage
from mbnb.data.datasets import available, locate
from mbnb.data.errors import InputError
from mbnb.data.paths import given_path

PROFILES = ("full", "quick")
QUICK_TRIALS = 5
OUTPUT, STAGING = Path("_build") / "html", ".staging"
# Executed notebooks of a chapter that are kept: an edition or two beside the book's own.
KEPT = 4
# Whose releases every page names.
TOLD = ("mbnb", "jupyter-book", "sphinx", "altair")


class BuildFailed(Exception):
    """The book could not be built; the message holds one line for each fault."""


def dataset_named(name: str) -> str:
    """A data set as every process finds it: a known name as it is, a folder by its full path.

    Raises
    ------
    InputError
        If there is none; the message lists those there are.
    """
    if name in set(available()["name"]):
        return name
    path = given_path(name)
    return str(path if path.is_dir() else locate(name))


@dataclass(frozen=True)
class Edition:
    """What an edition of the book sets in its chapters, beside their own defaults.

    Parameters
    ----------
    dataset : str, optional
        Set in every chapter that has the parameter ``dataset``; see `dataset_named`.
    missing : str, optional
        Policy for missing answers, likewise.
    profile : str
        ``full`` leaves the chapters' defaults; ``quick`` makes a small run of each.
    """

    dataset: str | None = None
    missing: str | None = None
    profile: str = "full"

    @property
    def wanted(self) -> dict[str, Any]:
        """Parameters by name, whichever chapter has them."""
        trials = QUICK_TRIALS if self.profile == "quick" else None
        given = {"dataset": self.dataset, "missing": self.missing, "n_trials": trials}
        return {name: value for name, value in given.items() if value is not None}

    def parameters_for(self, chapter: Chapter) -> dict[str, Any]:
        """What is set in one chapter; what it has by default anyway is not set again."""
        own = chapter.defaults
        return {n: v for n, v in self.wanted.items() if n in own and v != own[n]}

    def announcement(self) -> str:
        """What every page says at its top; nothing for the book as its authors publish it."""
        sentences = []
        if self.dataset is not None:
            sentences.append(f"This edition is built on the data set {Path(self.dataset).name}.")
        if self.missing is not None:
            sentences.append(f"Missing answers: {self.missing}.")
        if self.profile == "quick":
            sentences.append("Quick profile: few trials, so every number here is a rough one.")
        return " ".join(sentences)

    def footer(self) -> str:
        """What every page says at its end: the data, the profile, and what built it."""
        usual = parameters({}).dataset
        made_by = " · ".join(f"{name} {version}" for name, version in versions(TOLD).items())
        return (
            f"Data of this edition: {Path(self.dataset or usual).name}. Profile: {self.profile}. "
            f"Built with Python {platform.python_version()} · {made_by}."
        )


def build_book(
    root: Path, edition: Edition, workers: int, target: Path | None = None, *, pdf: bool = False
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
    with _alone(root):
        if problems := source_problems(root):
            raise BuildFailed("\n".join(problems))
        notebooks = _executed(root, read_chapters(root), edition, workers)
        begun = time.monotonic()
        staged = stage(
            root, root / STAGING / "site", notebooks, edition.announcement(), edition.footer()
        )
        try:
            built = build_site(staged, pages, pdf=pdf)
        except SiteFailed as failure:
            raise BuildFailed(str(failure)) from None
        say("pages: " + (f"built in {time.monotonic() - begun:.0f} s" if built else "unchanged"))
    return pages


def say(line: str) -> None:
    """One line of progress, on stderr."""
    click.echo(line, err=True)


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
    jobs = []
    took = _took(root)
    for chapter in chapters:
        injected = edition.parameters_for(chapter)
        key = chapter_key(root, chapter, injected)
        place = root / STAGING / "executed" / chapter.name / f"{key}.ipynb"
        kept[chapter.name] = place
        if place.is_file() and not executed_problems(place):
            place.touch()  # so that the newest few are those last used
        else:
            jobs.append(Job(chapter, injected, place, seconds=took.get(chapter.name)))
    if jobs:
        say(f"{len(jobs)} of {len(chapters)} chapters to execute")
        _run_shared_trials(edition, workers)
    faults = []
    for outcome in execute(jobs, at_once=workers):
        place = outcome.job.target
        name = outcome.job.chapter.name
        problems = [outcome.message] if outcome.error else executed_problems(place, name)
        if problems:
            place.unlink(missing_ok=True)
        else:
            took[name] = round(outcome.seconds, 1)
        faults += problems
        for old in sorted(place.parent.glob("*.ipynb"), key=lambda p: p.stat().st_mtime)[:-KEPT]:
            old.unlink()
        _took_file(root).write_text(json.dumps(took), encoding="utf-8")
    if faults:
        raise BuildFailed("\n".join(faults))
    return kept


def _run_shared_trials(edition: Edition, workers: int) -> None:
    """Run the grid that most chapters use, with its bar, over all cores; chapters find it kept.

    Side by side they would each run it.
    """
    say("first the trials that most chapters share, unless they are kept")
    # A data set that allows no study is told by the chapters that need one.
    with contextlib.suppress(InputError):
        load_study(parameters(edition.wanted)).run(n_jobs=workers)


def _took_file(root: Path) -> Path:
    return root / STAGING / "seconds.json"


def _took(root: Path) -> dict[str, float]:
    """Seconds that chapters took when they were last executed."""
    try:
        return dict(json.loads(_took_file(root).read_text(encoding="utf-8")))
    except (OSError, ValueError):
        return {}
