"""Keeps finished results on disk under a key; knows nothing of what they mean."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np
import platformdirs

from mbnb.data.code import code_hash
from mbnb.data.errors import InputError

CACHE_VARIABLE = "MBNB_CACHE"
ABOUT = "about.json"
_UNFINISHED = ".unfinished-"


@dataclass(frozen=True)
class Kept:
    """What a store keeps under one key.

    Attributes
    ----------
    about : dict
        What was told when it was kept; empty where that cannot be read.
    n_units : int
        Finished units of work.
    n_bytes : int
        On disk, unfinished files of killed processes included.
    current : bool
        Whether it was made by mbnb's code as it is now and the same releases of the libraries;
        if not, nothing will ever read it again.
    folder : Path
    """

    about: dict[str, Any]
    n_units: int
    n_bytes: int
    current: bool
    folder: Path


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
            f"results cannot be kept in {self.folder} ({error.strerror}); make room there or set "
            f"{CACHE_VARIABLE} to another folder that can be written. What was kept so far stays."
        )

    def holds(self, key: str, unit: str) -> bool:
        """Whether a unit was kept; its file may still turn out to be broken."""
        return self._path(key, unit).is_file()

    def get(self, key: str, unit: str) -> dict[str, np.ndarray] | None:
        """Arrays kept for a unit, or None where there are none (or only a broken file)."""
        try:
            with np.load(self._path(key, unit), allow_pickle=False) as archive:
                return {name: archive[name] for name in archive.files}
        except (OSError, ValueError, EOFError, zipfile.BadZipFile):
            return None

    def put(
        self, key: str, unit: str, arrays: dict[str, np.ndarray], about: Mapping[str, Any]
    ) -> None:
        """Keep the arrays of a finished unit; a killed process leaves the old state or the new.

        Parameters
        ----------
        key, unit : str
        arrays : dict of str to ndarray
        about : mapping
            What a person wants to know of everything under this key; JSON must be able to hold it.

        Raises
        ------
        InputError
            If it cannot be written, as on a full disk; what was kept before stays.
        """
        path = self._path(key, unit)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if not (path.parent / ABOUT).exists():
                text = json.dumps({**about, "code": code_hash()}, default=str).encode()
                _write(path.parent / ABOUT, lambda file: file.write(text))
            _write(path, lambda file: np.savez(file, **arrays))  # type: ignore[arg-type]
        except OSError as error:
            raise self._unwritable(error) from None

    def kept(self) -> list[Kept]:
        """What there is, one entry for each key, in the order of the folders' names."""
        return [_look(folder) for folder in sorted(self.folder.iterdir()) if folder.is_dir()]

    def clear(self, *, stale: bool) -> list[Kept]:
        """Delete what is kept, or only what is no longer current; returns what was deleted.

        Raises
        ------
        InputError
            If something cannot be deleted.
        """
        gone = [entry for entry in self.kept() if not (stale and entry.current)]
        for entry in gone:
            try:
                shutil.rmtree(entry.folder)
            except OSError as error:
                raise InputError(
                    f"{entry.folder} cannot be deleted ({error.strerror}); delete it by hand."
                ) from None
        return gone

    def _path(self, key: str, unit: str) -> Path:
        return self.folder / key / f"{unit}.npz"


def _write(path: Path, fill: Callable[[IO[bytes]], object]) -> None:
    """Write beside the file and rename, so that nobody ever sees half of it."""
    handle, name = tempfile.mkstemp(prefix=_UNFINISHED, dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            fill(file)
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _look(folder: Path) -> Kept:
    try:
        about = json.loads((folder / ABOUT).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        about = {}
    files = [path for path in folder.iterdir() if path.is_file()]
    return Kept(
        about={name: value for name, value in about.items() if name != "code"},
        n_units=sum(path.suffix == ".npz" for path in files),
        n_bytes=sum(path.stat().st_size for path in files),
        current=about.get("code") == code_hash(),
        folder=folder,
    )


def result_key(**parts: Any) -> str:
    """Key of a result: changes with the parts, mbnb's code and the libraries' releases."""
    text = json.dumps({**parts, "code": code_hash()}, sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:32]
