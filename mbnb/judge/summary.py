"""What a grid comes to in two plain tables, to be kept or shown; runs no trial, reads no file."""

from __future__ import annotations

import numpy as np
import pandas as pd

from mbnb.data.errors import InputError
from mbnb.judge.agreement import Agreement, Reading, agreement, mdad
from mbnb.judge.measures import estimation_error, kendall_tau
from mbnb.judge.table import CELL, HALVES, Trials


def summarise(trials: Trials) -> pd.DataFrame:
    """MDAD, Kendall's tau and estimation error of every cell, on both halves.

    A bin decides an MDAD if it holds one pair a trial on average.

    Returns
    -------
    DataFrame
        The cells with ``mdad``, ``low``, ``high`` (points; NaN: not reached), ``pairs``,
        ``threshold``, ``tau`` and ``error`` (points), means over trials, and ``half``.
    """
    tables = []
    for half in HALVES:
        table = mdad(agreement(trials, half, Reading(min_pairs=trials.n_trials)))
        for measure in (kendall_tau(trials, half), estimation_error(trials, half)):
            table = table.merge(measure, on=CELL, validate="one_to_one")
        tables.append(table.assign(half=half))
    return pd.concat(tables, ignore_index=True)


def agreement_counts(trials: Trials) -> pd.DataFrame:
    """Counts of pairs by gap, over all trials: what agreement curves are made of.

    Returns
    -------
    DataFrame
        A row for each half and bin that holds pairs: ``half``, ``gap`` (points), ``pairs``, and a
        column ``<selector>-<size>`` of those that the estimates order as the half does.

    Raises
    ------
    InputError
        If a selector comes with several estimators.
    """
    if len(trials.table[CELL].drop_duplicates()) > len(trials.selectors) * len(trials.sizes):
        raise InputError("counts can be told for one estimator and one number of sources alone.")
    tables = []
    for half in HALVES:
        curve = agreement(trials, half).curve()
        cell = curve["selector"].astype(str) + "-" + curve["size"].astype(str)
        order = list(dict.fromkeys(cell))
        # All cells of a half have the same pairs: those of the target models.
        wide = curve.assign(cell=cell).pivot(
            index=["gap", "pairs"], columns="cell", values="agreeing"
        )
        tables.append(wide[order].astype(int).reset_index().assign(half=half))
    table = pd.concat(tables, ignore_index=True)
    return table[["half", *table.columns.drop("half")]].rename_axis(columns=None)


def counts_from_table(table: pd.DataFrame, dataset: str, half: str = "train") -> Agreement:
    """The counts that `agreement_counts` told, as one trial: enough to read MDADs from.

    Parameters
    ----------
    table : DataFrame
        As from `agreement_counts`.
    dataset : str
        Name of the data.
    half : {"train", "heldout"}

    Raises
    ------
    InputError
        If the table holds nothing of that half.
    """
    own = table[table["half"] == half]
    if own.empty:
        raise InputError(f"the counts hold no bin of the half '{half}'.")
    names = [name for name in table.columns if name not in ("half", "gap", "pairs")]
    parts = [name.rpartition("-") for name in names]
    cells = pd.DataFrame(
        {
            "selector": [selector for selector, _, _ in parts],
            "estimator": "",
            "size": [int(size) for _, _, size in parts],
            "n_source": 0,
        }
    )
    gaps = own["gap"].to_numpy(dtype=float)
    # Bins without pairs are not told; the others lie a bin, or several, apart.
    width = float(np.diff(gaps).min()) if gaps.size > 1 else 0.5
    place = np.rint(gaps / width).astype(int)
    pairs = np.zeros((len(names), 1, place.max() + 1), dtype=np.int64)
    agreeing = np.zeros(pairs.shape)
    pairs[:, 0, place] = own["pairs"].to_numpy()
    agreeing[:, 0, place] = own[names].to_numpy().T
    return Agreement(
        cells=cells,
        gaps=np.arange(place.max() + 1) * width,
        pairs=pairs,
        agreeing=agreeing,
        tied_pairs=0,
        dataset=dataset,
        half=half,
    )
