"""Data sets by name: finds or generates the response matrix that a name stands for."""

from __future__ import annotations

import os
from pathlib import Path

import pandas as pd

from mbnb.data.folder import FILES, read_folder
from mbnb.data.policies import drop_duplicate_models, resolve_missing
from mbnb.data.profiles import Profile, profile_names, read_profile
from mbnb.data.responses import ResponseMatrix
from mbnb.data.simulate import simulate
from mbnb.errors import InputError

SIMULATED = "simulated:"
DATA_VARIABLE = "MBNB_DATA"
DUPLICATES = ("drop", "keep")


def load(name_or_path: str | Path) -> ResponseMatrix:
    """Load a data set.

    Parameters
    ----------
    name_or_path : str or Path
        ``simulated:<profile>``; the name of a dataset folder under ``$MBNB_DATA``; or a path to a
        dataset folder. A plain name is looked for under ``$MBNB_DATA`` first: write ``./name`` for
        a folder of that name here.

    Raises
    ------
    InputError
        If there is no such data set (the message lists those there are) or it cannot be read.
    """
    name = str(name_or_path)
    if name.startswith(SIMULATED):
        return simulate(_profile_of(name))
    return read_folder(locate(name))


def locate(name: str) -> Path:
    """Folder of a data set that lies on disk, absolute.

    Raises
    ------
    InputError
        If there is none; the message lists the data sets there are.
    """
    if not any(mark in name for mark in ("/", os.sep)) and name in _local_names():
        return (_data_folder() / name).resolve()  # type: ignore[operator]
    if name and Path(name).is_dir():
        return Path(name).resolve()
    raise InputError(f"there is no data set '{name}'; {_what_there_is()}.")


def available() -> pd.DataFrame:
    """The data sets that `load` knows by name: columns ``name`` and ``kind``."""
    rows = [(SIMULATED + name, "simulated") for name in profile_names()]
    rows += [(name, "local") for name in _local_names()]
    return pd.DataFrame(rows, columns=["name", "kind"])


def _profile_of(name: str) -> Profile:
    short = name.removeprefix(SIMULATED)
    if short not in profile_names():
        raise InputError(f"there is no data set '{name}'; {_what_there_is()}.")
    return read_profile(short)


def _data_folder() -> Path | None:
    folder = os.environ.get(DATA_VARIABLE)
    return Path(folder) if folder else None


def _local_names() -> list[str]:
    folder = _data_folder()
    if folder is None:
        return []
    if not folder.is_dir():
        raise InputError(f"{DATA_VARIABLE} is '{folder}', which is not a folder.")
    return sorted(entry.name for entry in folder.iterdir() if (entry / FILES[0]).is_file())


def _what_there_is() -> str:
    simulated = ", ".join(SIMULATED + name for name in profile_names())
    local = ", ".join(_local_names())
    if local:
        where = f"those in ${DATA_VARIABLE} ({local})"
    elif _data_folder() is not None:
        where = f"those in ${DATA_VARIABLE} (it holds none)"
    else:
        where = f"names in ${DATA_VARIABLE} (not set)"
    return f"allowed are {simulated}, {where}, and the path of a dataset folder"


def prepare(
    name_or_path: str | Path, *, missing: str = "error", duplicates: str = "drop"
) -> tuple[ResponseMatrix, tuple[str, ...]]:
    """Load a data set and make it fit for a study.

    Parameters
    ----------
    name_or_path : str or Path
        See `load`.
    missing : {"error", "drop-items", "drop-models", "wrong"}
        Policy for missing answers; see `resolve_missing`.
    duplicates : {"drop", "keep"}
        What happens to models whose answers are an exact copy of another's; see
        `drop_duplicate_models`.

    Returns
    -------
    (ResponseMatrix, tuple of str)
        The complete matrix, and a sentence about each thing that was left out or made up.
    """
    if duplicates not in DUPLICATES:
        raise InputError(f"duplicates '{duplicates}' is unknown; allowed: {', '.join(DUPLICATES)}.")
    matrix, loss = resolve_missing(load(name_or_path), missing)
    notes = [str(loss)] if loss.n_missing else []
    distinct, dropped = drop_duplicate_models(matrix)
    if dropped.empty:
        return matrix, tuple(notes)
    first = dropped.iloc[0]
    what = (
        f"{len(dropped)} models are exact copies of another (such as {first['model']} of "
        f"{first['same_as']})"
    )
    if duplicates == "keep":
        return matrix, (*notes, f"{what} and were kept.")
    return distinct, (*notes, f"{what} and were left out.")
