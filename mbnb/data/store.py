"""Keeps finished results on disk under a key; knows nothing of what they mean."""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import os
import tempfile
import zipfile
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import platformdirs

from mbnb.errors import InputError

CACHE_VARIABLE = "MBNB_CACHE"
# The libraries whose releases may change a number.
LIBRARIES = ("numpy", "scipy", "scikit-learn", "kmedoids")


class ResultStore:
    """A folder of finished results, one file for each unit of work.

    Parameters
    ----------
    folder : str or Path, optional
        ``$MBNB_CACHE`` or the user's cache folder where none is given.

    Raises
    ------
    InputError
        If the folder cannot be made.
    """

    def __init__(self, folder: str | Path | None = None) -> None:
        chosen = folder or os.environ.get(CACHE_VARIABLE) or platformdirs.user_cache_dir("mbnb")
        self.folder = Path(chosen)
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise self._unwritable(error) from None

    def _unwritable(self, error: OSError) -> InputError:
        return InputError(
            f"results cannot be kept in {self.folder} ({error.strerror}); set {CACHE_VARIABLE} to "
            "a folder that can be written."
        )

    def get(self, key: str, unit: str) -> dict[str, np.ndarray] | None:
        """Arrays kept for a unit, or None where there are none (or only a broken file)."""
        try:
            with np.load(self._path(key, unit), allow_pickle=False) as archive:
                return {name: archive[name] for name in archive.files}
        except (OSError, ValueError, EOFError, zipfile.BadZipFile):
            return None

    def put(self, key: str, unit: str, arrays: dict[str, np.ndarray]) -> None:
        """Keep the arrays of a finished unit; a killed process leaves the old state or the new."""
        path = self._path(key, unit)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(prefix=".unfinished-", dir=path.parent)
            try:
                with os.fdopen(handle, "wb") as file:
                    np.savez(file, **arrays)  # type: ignore[arg-type]
                os.replace(name, path)
            except BaseException:
                Path(name).unlink(missing_ok=True)
                raise
        except OSError as error:
            raise self._unwritable(error) from None

    def _path(self, key: str, unit: str) -> Path:
        return self.folder / key / f"{unit}.npz"


def result_key(**parts: Any) -> str:
    """Key of a result: changes with the parts, mbnb's code and the libraries' releases."""
    text = json.dumps({**parts, "code": code_hash()}, sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


@cache
def code_hash() -> str:
    """SHA-256 (hex) of the data and study floors' source and of the numeric libraries' versions."""
    digest = hashlib.sha256()
    package = Path(__file__).parents[1]
    for floor in ("data", "study"):
        for source in sorted((package / floor).rglob("*.py")):
            digest.update(source.relative_to(package).as_posix().encode() + source.read_bytes())
    for library in LIBRARIES:
        digest.update(f"{library}={importlib.metadata.version(library)}".encode())
    return digest.hexdigest()
