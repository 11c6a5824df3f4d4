"""Paths that people give, files written whole or not at all, and files kept with the book."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from mbnb.data.errors import InputError

_HERE = Path(__file__).resolve().parent
# In a checkout they lie at the repository's top, where a reader looks for data, in a wheel here.
_KEPT = (_HERE.parents[1] / "data", _HERE / "kept")


def given_path(text: str | Path) -> Path:
    """The absolute path that a person means: ``~`` is their home, the rest starts where they are.

    Raises
    ------
    InputError
        If the text is empty, or names the home of a user who is not known here.
    """
    if not str(text).strip():
        raise InputError("a path is empty; give the path of a file or a folder.")
    try:
        return Path(text).expanduser().absolute()
    except RuntimeError:
        raise InputError(
            f"the path '{text}' begins with a user who is not known here; allowed are ~ for your "
            "own home, and full paths."
        ) from None


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Write a file or a folder under another name, which becomes `path` once all is written.

    Folders above it are made. Whatever fails, nothing is left behind, and what was there stays.

    Yields
    ------
    Path
        Beside `path`, with the same ending, not there yet: write a file there or make a folder.

    Raises
    ------
    InputError
        If anything cannot be written; the message names `path` and the reason.
    """
    staging = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # A sibling, so that the last step is a rename on the same disk.
        staging = tempfile.mkdtemp(prefix=".mbnb-", dir=path.parent)
        unfinished = Path(staging) / path.name
        yield unfinished
        os.replace(unfinished, path)
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror or error}.") from None
    finally:
        if staging is not None:
            shutil.rmtree(staging, ignore_errors=True)


def kept_files(kind: str, ending: str) -> dict[str, Path]:
    """The files of one kind (profiles, downloads, measured, reported) that come with the book.

    Returns
    -------
    dict of str to Path
        By name, sorted: the path below the kind's folder, without its ending.
    """
    found = {
        path.relative_to(folder / kind).with_suffix("").as_posix(): path
        for folder in _KEPT
        for path in (folder / kind).rglob(f"*{ending}")
    }
    return dict(sorted(found.items()))
