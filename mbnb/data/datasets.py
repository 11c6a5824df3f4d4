"""Data sets by name: finds or generates the response matrix that a name stands for."""

from __future__ import annotations

import os
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd

from mbnb.data import policies
from mbnb.data.downloads import dataset_folder, downloaded_names
from mbnb.data.errors import InputError, check
from mbnb.data.folder import FILES, read_folder
from mbnb.data.npy_header import read_header
from mbnb.data.paths import given_path
from mbnb.data.profiles import Profile, profile_names, read_profile
from mbnb.data.registry import download_names, read_download
from mbnb.data.responses import ResponseMatrix
from mbnb.data.simulate import simulate

SIMULATED = "simulated:"
FITTED = "fitted/"  # profiles fitted to real matrices lie in a folder beside the book's own
DATA_VARIABLE = "MBNB_DATA"
DUPLICATES = ("drop", "keep")
DUPLICATE_ITEMS = ("keep", "merge")


def load(name_or_path: str | Path) -> ResponseMatrix:
    """Load a data set.

    Parameters
    ----------
    name_or_path : str or Path
        ``simulated:<profile>``, with a profile's name or the path of its ``.toml`` file; the name
        of a dataset folder under ``$MBNB_DATA``; the name of a data set that was downloaded; or a
        path to a dataset folder. A plain name is looked for in this order: write ``./name`` for a
        folder of that name here.

    Raises
    ------
    InputError
        If there is no such data set (the message lists those there are, or names the command that
        downloads it: nothing is ever downloaded by loading it) or it cannot be read.
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
    if not any(mark in name for mark in ("/", os.sep)):
        if name in _local_names():
            return (_data_folder() / name).resolve()  # type: ignore[operator]
        if name in downloaded_names():
            return dataset_folder(name).resolve()
    if name.strip() and given_path(name).is_dir():
        return given_path(name).resolve()
    if name in download_names():
        raise InputError(
            f"the data set '{name}' is not here yet; `mbnb datasets get {name}` downloads it."
        )
    raise InputError(f"there is no data set '{name}'; {_what_there_is()}.")


def available() -> pd.DataFrame:
    """The data sets that `load` knows by name: columns ``name`` and ``kind``.

    The kinds are simulated, local (under ``$MBNB_DATA``) and downloaded. A name stands once, for
    what `load` gives.
    """
    rows = [(SIMULATED + name, "simulated") for name in profile_names()]
    local = _local_names()
    rows += [(name, "local") for name in local]
    rows += [(name, "downloaded") for name in downloaded_names() if name not in local]
    return pd.DataFrame(rows, columns=["name", "kind"])


def catalogue() -> pd.DataFrame:
    """What there is and what there could be.

    Returns
    -------
    DataFrame
        `available` and the data sets that can be downloaded (kind ``downloadable``), with columns
        ``name``, ``kind``, ``n_models``, ``n_items`` (None where a folder cannot tell) and
        ``where``: a folder, the place of a downloadable one, or None for what is generated.
    """
    rows: list[tuple[str, str, int | None, int | None, str | None]] = []
    for name, kind in available().itertuples(index=False):
        if kind == "simulated":
            profile = _profile_of(name)
            rows.append((name, kind, profile.n_models, profile.n_items, None))
        else:
            folder = locate(name)
            rows.append((name, kind, *_shape(folder), str(folder)))
    there = {row[0] for row in rows}
    for name in download_names():
        if name not in there:
            entry = read_download(name)
            rows.append((name, "downloadable", entry.n_models, entry.n_items, entry.answers.url))
    # Objects, so that None stays None.
    columns = ["name", "kind", "n_models", "n_items", "where"]
    return pd.DataFrame(rows, columns=columns, dtype=object)


def _shape(folder: Path) -> tuple[int | None, int | None]:
    """Models and items of a dataset folder, from its archive's header alone."""
    try:
        with zipfile.ZipFile(folder / FILES[0]) as z, z.open(z.namelist()[0]) as file:
            (n_models, n_items), _ = read_header(file, folder)
            return n_models, n_items
    except (OSError, ValueError, IndexError, zipfile.BadZipFile):
        return None, None


def _profile_of(name: str) -> Profile:
    short = name.removeprefix(SIMULATED)
    if short.endswith(".toml"):
        return read_profile(short)
    if short not in profile_names() and not short.startswith(FITTED):
        raise InputError(f"there is no data set '{name}'; {_what_there_is()}.")
    return read_profile(short)


def _data_folder() -> Path | None:
    folder = os.environ.get(DATA_VARIABLE)
    return given_path(folder) if folder else None


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
    public = ", ".join(download_names())
    return (
        f"allowed are {simulated}, {where}, those that `mbnb datasets get` knows ({public}), and "
        "the path of a dataset folder"
    )


def prepare(
    name_or_path: str | Path,
    *,
    missing: str = "error",
    duplicates: str = "drop",
    duplicate_items: str = "keep",
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
    duplicate_items : {"keep", "merge"}
        What happens to items that are copies of one another; see `duplicate_items`. "merge" leaves
        the first id of each group. Kept ones are marked: then the items have a column ``copy_of``
        with the first id of their group, their own where they are no copies, so that a split can
        keep copies on one side.

    Returns
    -------
    (ResponseMatrix, tuple of str)
        The complete matrix, and a sentence about each thing that was left out, made up or found.
    """
    check(duplicates in DUPLICATES, "the policy for duplicates", duplicates, DUPLICATES)
    known = DUPLICATE_ITEMS
    check(duplicate_items in known, "the policy for duplicate items", duplicate_items, known)
    loaded = load(name_or_path)
    matrix, loss = policies.resolve_missing(loaded, missing)
    notes = [*matrix.notes, *([str(loss)] if loss.n_missing else [])]
    distinct, dropped = policies.drop_duplicate_models(matrix)
    if not dropped.empty:
        copy, original = dropped.iloc[0]
        done = "left out" if duplicates == "drop" else "kept"
        notes.append(
            f"{len(dropped)} models are exact copies of another (such as {copy} of {original}) "
            f"and were {done}."
        )
    # Copies of a model are no witnesses that two items are copies, nor are made-up answers.
    witnesses = loaded.subset(models=distinct.model_ids) if loss.filled else distinct
    groups = policies.duplicate_items(witnesses)
    matrix = distinct if duplicates == "drop" else matrix
    if groups:
        matrix, note = _settle_copies(matrix, groups, duplicate_items)
        notes.append(note)
    return matrix, tuple(notes)


def _settle_copies(
    matrix: ResponseMatrix, groups: list[list[str]], policy: str
) -> tuple[ResponseMatrix, str]:
    """The matrix with its copied items merged or marked, and a sentence about them."""
    copies = {item: group[0] for group in groups for item in group[1:]}
    copy, original = next(iter(copies.items()))
    what = f"{len(copies)} items are copies of another (such as {copy} of {original}) and were "
    if policy == "merge":
        stay = np.flatnonzero(~matrix.items.index.isin(list(copies)))
        return matrix.subset(items=stay), f"{what}left out."
    copy_of = [copies.get(item, item) for item in matrix.items.index]
    return replace(matrix, items=matrix.items.assign(copy_of=copy_of)), f"{what}kept."
