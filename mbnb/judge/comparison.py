"""Selectors and models set against one another, trial by trial; counts no agreement itself."""

from __future__ import annotations

import numpy as np
import pandas as pd

from mbnb.data.errors import InputError
from mbnb.judge.agreement import Agreement, Reading
from mbnb.judge.counting import BLOCK, pair_blocks
from mbnb.judge.differences import mdad_differences
from mbnb.judge.table import CELL, Trials, accuracy_column, by_trial, cells_of

# Of a table with a row for each cell and pair of models.
MAX_ROWS = 5_000_000


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


def pair_agreement(trials: Trials, half: str = "train") -> pd.DataFrame:
    """In what share of the trials each pair of models is put in the order of that trial's half.

    Meant for fixed targets, whose pairs occur in every trial. A tied estimate is wrong; a trial in
    which the two are tied on the half itself is left out for that pair.

    Returns
    -------
    DataFrame
        The columns that name a cell, ``first`` and ``second`` (model ids, in the order of the
        table's models), ``agreement`` (0–1) and ``n_trials``; no row for a pair without trials.

    Raises
    ------
    InputError
        If the pairs and cells may fill more than `MAX_ROWS` rows, some 500 MB.
    """
    column = accuracy_column(half)
    _check_rows(trials, half)
    parts = []
    for names, rows in trials.table.groupby(CELL, observed=True, sort=False):
        wide = {
            value: rows.pivot(index="trial", columns="model", values=value)
            for value in (column, "estimate")
        }
        models = wide[column].columns.astype(str)
        accuracies, estimates = (wide[value].to_numpy() for value in (column, "estimate"))
        nobody = np.empty(0, dtype=np.int64)
        counts = [_count_trials(accuracies, estimates, nobody, nobody)]
        for first, second in pair_blocks(len(models), BLOCK // len(accuracies)):
            counts.append(_count_trials(accuracies, estimates, first, second))
        first, second, agreeing, n_trials = (np.concatenate(c) for c in zip(*counts, strict=True))
        part = pd.DataFrame({"first": models[first], "second": models[second]})
        part["agreement"] = agreeing / n_trials
        part["n_trials"] = n_trials
        parts.append(part.assign(**dict(zip(CELL, names, strict=True))))
    return pd.concat(parts, ignore_index=True)[[*CELL, "first", "second", "agreement", "n_trials"]]


def _check_rows(trials: Trials, half: str) -> None:
    n_models, n_cells = trials.table["model"].nunique(), len(cells_of(trials))
    n_pairs = n_models * (n_models - 1) // 2
    n_rows = n_cells * n_pairs
    if n_rows > MAX_ROWS:
        # Where targets are drawn anew in each trial, few of all pairs meet.
        n_met = np.zeros(n_cells, dtype=np.int64)
        for _, cells, accuracies, _ in by_trial(trials, half):
            n_met[cells] += accuracies.size * (accuracies.size - 1) // 2
        n_rows = int(np.minimum(n_met, n_pairs).sum())
    if n_rows > MAX_ROWS:
        raise InputError(
            f"the pairs of {n_models:,} models for each selector, estimator and size may fill "
            f"{n_rows:,} rows; at most {MAX_ROWS:,} are allowed, so give fewer of either."
        )


def _count_trials(
    accuracies: np.ndarray, estimates: np.ndarray, first: np.ndarray, second: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Pairs with trials: both models, trials in which they are rightly ordered, and all trials."""
    right = np.sign(np.round(accuracies[:, first] - accuracies[:, second], 12))
    told = np.sign(estimates[:, first] - estimates[:, second])
    counted = ~np.isnan(right) & (right != 0)
    n_trials = counted.sum(axis=0)
    agreeing = (counted & (told == right)).sum(axis=0)
    some = n_trials > 0
    return first[some], second[some], agreeing[some], n_trials[some]
