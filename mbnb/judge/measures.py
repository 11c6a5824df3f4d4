"""The measures that agreement stands beside: estimation error and Kendall's tau."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy.stats import kendalltau

from mbnb.judge.table import Trials, accuracy_column, by_trial, cell_of_rows, cells_of


def estimation_error(trials: Trials, half: str = "train") -> pd.DataFrame:
    """Mean absolute difference of estimate and accuracy, in points, for each cell."""
    column = accuracy_column(half)
    errors = 100 * (trials.table["estimate"] - trials.table[column]).abs()
    return cells_of(trials).assign(error=errors.groupby(cell_of_rows(trials)).mean())


def kendall_tau(trials: Trials, half: str = "train") -> pd.DataFrame:
    """Kendall's tau-b between estimates and accuracies, averaged over trials, for each cell.

    A trial in which all estimates (or all accuracies) are equal has no tau; it is counted in
    ``n_undefined`` and left out of the mean, never taken as 0.
    """
    cells = cells_of(trials)
    taus: list[list[float]] = [[] for _ in range(len(cells))]
    for _, own, accuracies, estimates in by_trial(trials, half):
        for c, told in zip(own, estimates, strict=True):
            constant = np.ptp(accuracies) == 0 or np.ptp(told) == 0
            taus[c].append(np.nan if constant else float(kendalltau(told, accuracies).statistic))
    defined = [[tau for tau in values if not np.isnan(tau)] for values in taus]
    return cells.assign(
        tau=[float(np.mean(values)) if values else np.nan for values in defined],
        n_undefined=[len(a) - len(d) for a, d in zip(taus, defined, strict=True)],
    )
