"""The measures that agreement stands beside: estimation error and Kendall's tau."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy.stats import kendalltau

from mbnb.study.table import CELL, Trials, accuracy_column, by_cell_and_trial


def estimation_error(trials: Trials, half: str = "train") -> pd.DataFrame:
    """Mean absolute difference of estimate and accuracy, in points, for each cell."""
    column = accuracy_column(half)
    errors = 100 * (trials.table["estimate"] - trials.table[column]).abs()
    grouped = errors.groupby([trials.table[name] for name in CELL], observed=True, sort=False)
    return grouped.mean().rename("error").reset_index()


def kendall_tau(trials: Trials, half: str = "train") -> pd.DataFrame:
    """Kendall's tau-b between estimates and accuracies, averaged over trials, for each cell.

    A trial in which all estimates (or all accuracies) are equal has no tau; it is counted in
    ``n_undefined`` and left out of the mean, never taken as 0.
    """
    cells = trials.table[CELL].drop_duplicates().reset_index(drop=True)
    taus: list[list[float]] = [[] for _ in range(len(cells))]
    for c, _, accuracies, estimates in by_cell_and_trial(trials, cells, half):
        constant = np.ptp(accuracies) == 0 or np.ptp(estimates) == 0
        taus[c].append(np.nan if constant else float(kendalltau(estimates, accuracies).statistic))
    defined = [[tau for tau in values if not np.isnan(tau)] for values in taus]
    return cells.assign(
        tau=[float(np.mean(values)) if values else np.nan for values in defined],
        n_undefined=[len(a) - len(d) for a, d in zip(taus, defined, strict=True)],
    )
