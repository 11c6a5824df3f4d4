"""Paths that people give, and files and folders that are written whole or not at all."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from mbnb.data.errors import InputError


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
