"""Figures that were measured for this book, from `data/measured`; measures nothing."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from mbnb.errors import InputError

_FOLDERS = (Path(__file__).parents[2] / "data" / "measured", Path(__file__).parent / "measured")


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
    files = {path.stem: path for folder in _FOLDERS for path in sorted(folder.glob("*.csv"))}
    if name not in files:
        raise InputError(f"no measured table '{name}'; known: {', '.join(files)}.")
    return pd.read_csv(files[name])
