"""The log files that paths lead to, and what a format has to say of them."""

from __future__ import annotations

import os
import stat
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NoReturn

from mbnb.data.errors import InputError
from mbnb.data.folder import holds_dataset
from mbnb.logs.answers import Answers
from mbnb.logs.options import ReadOptions

LOG = "log"
COMPANION = "companion"

Job = Callable[[], list[Answers]]
Jobs = Callable[[Sequence[Path], ReadOptions], Sequence[Job]]


@dataclass(frozen=True)
class Format:
    """A format of logs.

    Attributes
    ----------
    name : str
        How it is chosen by name.
    title : str
        What a person calls it.
    role : callable
        Whether a file is a log of this format (`LOG`), belongs beside one (`COMPANION`), or
        neither (None), by its name and beginning (`beginning`).
    jobs : callable
        From the log files, in order, to pieces of work that can run in any process: each returns
        the answers of some of the files. Where each file stands alone, `by_file` makes it.
    options : frozenset of str
        The choices of `ReadOptions` that mean something here, beside those that always do.
    """

    name: str
    title: str
    role: Callable[[Path], str | None]
    jobs: Jobs
    options: frozenset[str] = frozenset()


def job(function: Callable[..., list[Answers]], *arguments: object) -> Job:
    """A piece of work: a function of a module and its arguments."""
    return partial(function, *arguments)


def by_file(
    read: Callable[[Path, ReadOptions], list[Answers]],
    task_of: Callable[[Path, ReadOptions], str],
) -> Jobs:
    """The jobs of a format in which each file is read by itself.

    Parameters
    ----------
    read : callable
        A function of a module: the answers of one file.
    task_of : callable
        The task of a file without reading it, so that only files of wanted tasks are read.
    """

    def jobs(paths: Sequence[Path], options: ReadOptions) -> list[Job]:
        if not options.tasks:
            return [job(read, path, options) for path in paths]
        tasks = {path: task_of(path, options) for path in paths}
        wanted = [path for path in paths if options.wants(tasks[path])]
        if not wanted:
            no_task(options, tasks.values())
        return [job(read, path, options) for path in wanted]

    return jobs


def no_task(options: ReadOptions, tasks: Iterable[str]) -> NoReturn:
    """Refuse a choice of tasks that no log is of."""
    raise InputError(
        f"no log is of task {', '.join(options.tasks)}; the tasks there are: "
        f"{', '.join(sorted(set(tasks)))}."
    )


def find_files(paths: Sequence[str | Path]) -> tuple[list[Path], Counter[str]]:
    """All files that the paths are or hold, in the order of their names.

    Hidden files and folders are passed over; links to files are followed, links to folders are
    not, so that nothing is met twice or for ever.

    Returns
    -------
    (list of Path, Counter)
        Files, and how many were passed over, by reason.

    Raises
    ------
    InputError
        If a path is not there, or something under it cannot be looked at.
    """
    found: dict[Path, None] = {}
    ignored: Counter[str] = Counter()
    for given in paths:
        path = Path(given)
        if path.is_file():
            found[path] = None
        elif path.is_dir() and holds_dataset(path):
            raise InputError(
                f"{path} is a dataset folder already; give it to mbnb report or mbnb select."
            )
        elif path.is_dir():
            found.update(dict.fromkeys(_walk(path, ignored)))
        else:
            raise InputError(f"{path} is not there; give log files, or folders of them.")
    return list(found), ignored


def _walk(folder: Path, ignored: Counter[str]) -> list[Path]:
    files = []
    for parent, folders, names in os.walk(folder, onerror=_unreadable):
        linked = [name for name in folders if (Path(parent) / name).is_symlink()]
        hidden = [name for name in folders if name.startswith(".")]
        ignored["link to a folder"] += len(linked)
        folders[:] = sorted(set(folders) - set(linked) - set(hidden))
        if holds_dataset(Path(parent)):
            ignored["file of a dataset folder"] += len(names)
            continue
        for name in sorted(names):
            path = Path(parent) / name
            if name.startswith("."):
                ignored["hidden file"] += 1
            elif _is_regular(path):
                files.append(path)
            else:
                ignored["no regular file"] += 1
    ignored += Counter()  # forgets reasons that never came up
    return files


def _is_regular(path: Path) -> bool:
    try:
        return stat.S_ISREG(path.stat().st_mode)
    except OSError as error:
        _unreadable(error)


def _unreadable(error: OSError) -> NoReturn:
    raise InputError(
        f"{error.filename} cannot be read: {error.strerror}; what it holds would be left out, so "
        "make it readable, or leave it out by giving the other paths."
    )


def beginning(path: Path, size: int = 4096) -> bytes:
    """The first bytes of a file.

    Raises
    ------
    InputError
        If it cannot be read.
    """
    try:
        with path.open("rb") as file:
            return file.read(size)
    except OSError as error:
        _unreadable(error)
