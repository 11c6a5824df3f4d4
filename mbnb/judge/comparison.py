"""Selectors and models set against one another, trial by trial; counts no agreement itself."""

from __future__ import annotations

import numpy as np
import pandas as pd

from mbnb.data.errors import InputError
from mbnb.judge.agreement import Agreement, Reading
from mbnb.judge.differences import mdad_differences


def mdad_difference(
    counts: Agreement,
    baseline: str = "uniform",
    *,
    estimator: str | None = None,
    reading: Reading | None = None,
    n_resamples: int = 1000,
    seed: int = 0,
) -> pd.DataFrame:
    """MDAD of a baseline selector minus that of each other, at the same size and n_source.

    Trials are resampled, and the same ones for both: they share their models and items, so that
    what is alike in both cancels.

    Parameters
    ----------
    counts : Agreement
    baseline : str
        A selector.
    estimator : str, optional
        The baseline's, where it comes with several; its other cells are then compared with it.
    reading, n_resamples, seed
        See `mdad`.

    Returns
    -------
    DataFrame
        The other cells with ``gain``, ``low`` and ``high`` in points; a positive
        gain means that the selector detects smaller gaps than the baseline. NaN where either MDAD
        is not reached; an end of the interval is NaN where it is open.

    Raises
    ------
    InputError
        If the baseline is not among the cells or comes with several estimators of which none is
        named.
    """
    cells = counts.cells
    is_base = (cells["selector"] == baseline).to_numpy()
    if not is_base.any():
        known = ", ".join(dict.fromkeys(map(str, cells["selector"])))
        raise InputError(f"baseline '{baseline}' is not among the selectors ({known}).")
    read_by = list(dict.fromkeys(map(str, cells["estimator"][is_base])))
    if estimator not in read_by and (estimator is not None or len(read_by) > 1):
        given = f"with '{estimator}' is not there" if estimator else "comes with several estimators"
        raise InputError(f"baseline '{baseline}' {given}; name one of {', '.join(read_by)}.")
    if estimator is not None:
        is_base = is_base & (cells["estimator"] == estimator).to_numpy()
    where = {
        (int(cells["size"].iloc[c]), int(cells["n_source"].iloc[c])): int(c)
        for c in np.flatnonzero(is_base)
    }
    others = np.flatnonzero(~is_base)
    found = mdad_differences(
        counts,
        counts,
        [
            (where[int(cells["size"].iloc[c]), int(cells["n_source"].iloc[c])], int(c))
            for c in others
        ],
        reading,
        n_resamples=n_resamples,
        seed=seed,
    )
    gains = found.rename(columns={"difference": "gain"})[["gain", "low", "high"]]
    return pd.concat([cells.iloc[others].reset_index(drop=True), gains], axis=1)
