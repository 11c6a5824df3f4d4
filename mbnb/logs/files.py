"""Finds the log files that paths lead to; opens none of them beyond its beginning."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from mbnb.data.errors import InputError
from mbnb.data.folder import holds_dataset
from mbnb.logs.answers import Answers
from mbnb.logs.options import ReadOptions

LOG = "log"
COMPANION = "companion"

Job = Callable[[], list[Answers]]


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
        neither (None). It may look at the file's name and beginning, and never raises.
    jobs : callable
        From the log files, in order, to pieces of work that can run in any process: each returns
        the answers of some of the files.
    options : frozenset of str
        The choices of `ReadOptions` that mean something here, beside those that always do.
    """

    name: str
    title: str
    role: Callable[[Path], str | None]
    jobs: Callable[[Sequence[Path], ReadOptions], Sequence[Job]]
    options: frozenset[str] = frozenset()


def job(function: Callable[..., list[Answers]], *arguments: object) -> Job:
    """A piece of work: a function of a module and its arguments."""
    return partial(function, *arguments)


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
        If a path is not there.
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
            for entry in _walk(path, ignored):
                found[entry] = None
        else:
            raise InputError(f"{path} is not there; give log files, or folders of them.")
    return list(found), ignored


def _walk(folder: Path, ignored: Counter[str]) -> list[Path]:
    files = []
    for parent, folders, names in os.walk(folder):
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
            elif path.is_file():
                files.append(path)
            else:
                ignored["link that leads nowhere, or no regular file"] += 1
    ignored += Counter()  # forgets reasons that never came up
    return files


def beginning(path: Path, size: int = 4096) -> bytes:
    """The first bytes of a file; none where it cannot be read."""
    try:
        with path.open("rb") as file:
            return file.read(size)
    except OSError:
        return b""
