"""Figures that the study reports, from `data/reported`; measures nothing."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from mbnb.errors import InputError

_FOLDERS = (Path(__file__).parents[2] / "data" / "reported", Path(__file__).parent / "reported")


def reported(name: str) -> pd.DataFrame:
    """A table of reported figures.

    Parameters
    ----------
    name : {"mdad-mmlu-pro", "mdad-bbh", "case-study-8b", "group-8b-instruct", "costs"}
        See ``data/reported/README.md`` for the columns and their source.

    Raises
    ------
    InputError
        If there is no such table.
    """
    files = {path.stem: path for folder in _FOLDERS for path in sorted(folder.glob("*.csv"))}
    if name not in files:
        raise InputError(f"no reported table '{name}'; known: {', '.join(files)}.")
    return pd.read_csv(files[name])
