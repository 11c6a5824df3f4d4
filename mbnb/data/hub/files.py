"""Which files of a leaderboard's repository are wanted, and whether one lies here; fetches none."""

from __future__ import annotations

import fnmatch
import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mbnb.data.hub.names import HubNames
from mbnb.logs.details import NAME
from mbnb.logs.openllm_v1 import split_task

_V2 = re.compile(r"(?P<folder>[^/]+)/samples_(?P<task>[^/]+)_(?P<time>[^_/]+)\.jsonl?")


@dataclass(frozen=True)
class RepositoryFile:
    """A file that a repository lists; its size and hash are None where they are not told."""

    path: str
    task: str
    time: str
    n_bytes: int | None = None
    sha256: str | None = None
    git_blob: str | None = None

    def is_whole(self, local: Path) -> bool:
        """Whether the file lies there as the repository has it."""
        if not local.is_file() or self.n_bytes not in (None, local.stat().st_size):
            return False
        if self.sha256 is not None:
            with local.open("rb") as file:
                return hashlib.file_digest(file, "sha256").hexdigest() == self.sha256
        if self.git_blob is not None:
            data = local.read_bytes()
            head = f"blob {len(data)}\0".encode()
            return hashlib.sha1(head + data, usedforsecurity=False).hexdigest() == self.git_blob
        return self.n_bytes is not None


def listed_files(siblings: Iterable[Any], names: HubNames) -> list[RepositoryFile]:
    """The files of details among all that the repository holds."""
    found = []
    for sibling in siblings:
        path = sibling.rfilename
        if names.leaderboard == "v2":
            match = _V2.fullmatch(path)
            if not match or match["folder"] != names.folder:
                continue
            task, moment = match["task"], match["time"]
        else:
            match = NAME.fullmatch(path.rpartition("/")[2])
            if not match or path.count("/") != 1 or path.startswith((".", "/")):
                continue
            task, moment = split_task(match["task"])[0], match["time"]
        lfs = sibling.lfs
        found.append(
            RepositoryFile(
                path,
                task,
                moment,
                sibling.size,
                lfs.sha256 if lfs else None,
                None if lfs else sibling.blob_id,
            )
        )
    return found


def newest_files(
    files: Sequence[RepositoryFile], tasks: Sequence[str], names: HubNames
) -> list[RepositoryFile]:
    """Of each task that is wanted the file of the newest run, by task.

    Raises
    ------
    ValueError
        If a task that is wanted is not there; the message lists those that are.
    """
    there: dict[str, RepositoryFile] = {}
    for entry in sorted(files, key=lambda entry: (entry.time, entry.path)):
        there[entry.task] = entry
    if not there:
        raise ValueError(f"{names.repository} holds no details of {names.folder}")
    for wanted in tasks:
        if not any(_fits(task, wanted) for task in there):
            listed = ", ".join(sorted(there))
            raise ValueError(f"{names.repository} holds no task '{wanted}'; it has {listed}")
    return [
        there[task]
        for task in sorted(there)
        if not tasks or any(_fits(task, wanted) for wanted in tasks)
    ]


def _fits(task: str, wanted: str) -> bool:
    # As a whole: one task's name may begin another's.
    return task == wanted or fnmatch.fnmatchcase(task, wanted)
