"""What an estimator does to a gap between two models: shrinks it, blurs it; judges no order."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy.stats import norm

from mbnb.judge.table import Trials, accuracy_column, by_trial, cell_of_rows, cells_of


def difference_noise(
    trials: Trials, half: str = "train", *, threshold: float = 0.8
) -> pd.DataFrame:
    """How much of a gap an estimator shows, and how much noise lies on it.

    Within each trial the estimates of the target models are regressed on their accuracies. The
    slope tells what is left of a gap (below 1: scores are drawn together, which changes no order),
    the residuals what noise lies on a difference of two estimates. Orders hang on noise ÷ slope.

    Parameters
    ----------
    trials : Trials
    half : {"train", "heldout"}
    threshold : float
        Of agreement, above ½.

    Returns
    -------
    DataFrame
        The cells with ``slope``, ``noise`` (standard deviation of the difference of two estimates
        about what the slope leaves of their gap, points), ``blur`` (noise ÷ slope, points of gap),
        and ``expected``: the gap at which normal noise leaves agreement at the threshold, points.
        Trials whose targets are all equally good are left out.
    """
    cells = cells_of(trials)
    shared, spread = np.zeros(len(cells)), np.zeros(len(cells))
    parts: list[list[tuple[np.ndarray, np.ndarray]]] = [[] for _ in range(len(cells))]
    for _, own, accuracies, estimates in by_trial(trials, half):
        centred = accuracies - accuracies.mean()
        if not np.ptp(accuracies) > 0:
            continue
        for cell, told in zip(own, estimates, strict=True):
            shared[cell] += centred @ told
            spread[cell] += centred @ centred
            parts[cell].append((centred, told - told.mean()))
    with np.errstate(invalid="ignore", divide="ignore"):
        slopes = np.where(spread > 0, shared / spread, np.nan)
    noise = np.full(len(cells), np.nan)
    for cell, own_parts in enumerate(parts):
        squares = [((told - slopes[cell] * gap) ** 2).sum() for gap, told in own_parts]
        # Each trial's mean is taken off, so it has one degree of freedom fewer than models.
        free = sum(len(told) - 1 for _, told in own_parts)
        if free:
            noise[cell] = 100 * np.sqrt(2 * sum(squares) / free)
    blur = np.divide(noise, slopes, out=np.full(len(cells), np.nan), where=slopes > 0)
    return cells.assign(slope=slopes, noise=noise, blur=blur, expected=norm.ppf(threshold) * blur)


def score_lean(trials: Trials, half: str = "train", parts: int = 5) -> pd.DataFrame:
    """How far estimates lie from the scores on average, from the worst models to the best.

    Parameters
    ----------
    trials : Trials
    half : {"train", "heldout"}
    parts : int
        Groups of equal size that the targets of all trials are cut into, by accuracy.

    Returns
    -------
    DataFrame
        The cells by ``part`` (0: the worst): ``accuracy``, mean of the part (points), ``lean``,
        mean of estimate − accuracy (points), and ``scatter``, its standard deviation (points).
    """
    column = accuracy_column(half)
    accuracies = trials.table[column].to_numpy()
    edges = np.quantile(accuracies, np.linspace(0, 1, parts + 1)[1:-1])
    rows = pd.DataFrame(
        {
            "cell": cell_of_rows(trials),
            "part": np.searchsorted(edges, accuracies, side="right"),
            "accuracy": 100 * accuracies,
            "lean": 100 * (trials.table["estimate"].to_numpy() - accuracies),
        }
    )
    found = rows.groupby(["cell", "part"]).agg(
        accuracy=("accuracy", "mean"), lean=("lean", "mean"), scatter=("lean", "std")
    )
    cells = cells_of(trials).rename_axis("cell").reset_index()
    return cells.merge(found.reset_index(), on="cell").drop(columns="cell")
