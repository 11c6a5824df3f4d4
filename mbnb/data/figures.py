"""Figures that lie with the book, reported elsewhere or measured for it; measures nothing."""

from __future__ import annotations

import pandas as pd

from mbnb.data.errors import check
from mbnb.data.paths import kept_files


def reported(name: str) -> pd.DataFrame:
    """A table of figures that the study or its released code reports.

    Parameters
    ----------
    name : str
        Of a file in ``data/reported``, without its ending; the README there tells the columns and
        their source.

    Raises
    ------
    InputError
        If there is no such table; the message lists those there are.
    """
    return _table("reported", name)


def measured(name: str) -> pd.DataFrame:
    """A table of figures that were measured once and are kept with the book.

    Parameters
    ----------
    name : str
        Of a file in ``data/measured``, without its ending; the README there tells the columns, and
        on what and by which command they were measured.

    Raises
    ------
    InputError
        If there is no such table; the message lists those there are.
    """
    return _table("measured", name)


def _table(kind: str, name: str) -> pd.DataFrame:
    files = kept_files(kind, ".csv")
    check(name in files, f"the {kind} table", name, files)
    return pd.read_csv(files[name])


def real_leaderboards(half: str = "train") -> pd.DataFrame:
    """What was measured on the eight real leaderboards: a row for each selector and size.

    Parameters
    ----------
    half : {"train", "heldout"}
        Of the items, on which agreement is judged.

    Returns
    -------
    DataFrame
        The rows of ``measured("leaderboards")`` that stand on answers of real models, among them
        dataset, selector, size, ``mdad`` with ``low`` and ``high`` (points), ``tau``, ``error``.
    """
    table = measured("leaderboards")
    is_real = ~table["dataset"].astype(str).str.startswith("simulated:")
    return table[is_real & (table["half"] == half)].reset_index(drop=True)
