"""Where the models of each true rank come out, and how far they stand from the others.

Sees trials only: runs none and draws nothing.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from mbnb.judge.table import CELL, Trials, by_trial, cells_of, trial_ids
from mbnb.study.rankings.top import DECIMALS


def rank_ranges(trials: Trials, half: str = "train", level: float = 0.8) -> pd.DataFrame:
    """Where the model of each true rank comes out, over all trials.

    A model whose estimate is tied stands, with equal chance, at any of the tied places.

    Parameters
    ----------
    trials : Trials
        With the same number of targets in each.
    half : {"train", "heldout"}
    level : float
        Of the range of estimated ranks.

    Returns
    -------
    DataFrame
        The columns that name a cell, ``rank`` (1 is best; models tied on the half share the better
        rank), and of the estimated rank ``mean``, ``low``, ``middle`` and ``high`` (quantiles) and
        ``shift`` (mean distance from the true rank, in ranks); ``near`` (mean distance in points
        to the closest other target) and ``models`` (how many stood at that rank in all trials).
    """
    n, cells, ids = trials.n_target, cells_of(trials), trial_ids(trials)
    # Of each trial's models: true place, first and last estimated place, nearest other target.
    held = np.empty((4, len(cells), ids.size, n))
    for trial, own, accuracies, estimates in by_trial(trials, half):
        t = int(np.searchsorted(ids, trial))
        held[0, own, t], _ = _places(np.round(accuracies, DECIMALS))
        held[3, own, t] = _closest(100 * accuracies)
        for cell, told in zip(own, estimates, strict=True):
            held[1, cell, t], held[2, cell, t] = _places(np.round(told, DECIMALS))
    parts = [_of_cell(held[:, cell].reshape(len(held), -1), n, level) for cell in range(len(cells))]
    table = pd.concat(parts, keys=range(len(cells)), names=["cell"]).reset_index("cell")
    own_cells = cells.iloc[table.pop("cell")].reset_index(drop=True)
    return pd.concat([own_cells, table.reset_index(drop=True)], axis=1)


def _of_cell(held: np.ndarray, n: int, level: float) -> pd.DataFrame:
    """The rows of one cell, from its models over all trials: shape (4, n_models), as held above."""
    truth, first, last = held[:3].astype(np.int64)
    near = held[3]
    # Shares of models by true and by estimated rank, as steps of their running sum.
    steps = np.zeros((n, n + 1))
    np.add.at(steps, (truth, first), 1 / (last - first + 1))
    np.add.at(steps, (truth, last + 1), -1 / (last - first + 1))
    shift = _mean_distance(truth, first, last)
    models, near, shift = (
        np.bincount(truth, weights, minlength=n) for weights in (np.ones(truth.size), near, shift)
    )
    ranks = np.flatnonzero(models)
    models = models[ranks]
    chances = steps.cumsum(axis=1)[ranks, :n] / models[:, None]
    below = chances.cumsum(axis=1) + 1e-9
    low, middle, high = (
        (below < share).sum(axis=1) + 1 for share in ((1 - level) / 2, 0.5, (1 + level) / 2)
    )
    return pd.DataFrame(
        {
            "rank": ranks + 1,
            "mean": chances @ np.arange(1, n + 1),
            "low": low,
            "middle": middle,
            "high": high,
            "shift": shift[ranks] / models,
            "near": near[ranks] / models,
            "models": models.astype(int),
        }
    )


def told_apart(trials: Trials, mdads: pd.DataFrame, half: str = "train") -> pd.DataFrame:
    """What share of the other targets stands at least an MDAD away, by true rank.

    Parameters
    ----------
    trials : Trials
    mdads : DataFrame
        From `mdad` of these trials; where it is NaN, nothing is far enough away.
    half : {"train", "heldout"}

    Returns
    -------
    DataFrame
        The columns that name a cell, ``rank`` (see `rank_ranges`), ``mdad`` (points) and
        ``apart`` (0–1), a mean over trials.
    """
    n, cells = trials.n_target, cells_of(trials)
    told = cells.merge(mdads[[*CELL, "mdad"]], on=CELL, how="left", validate="1:1")["mdad"]
    widest = told.fillna(np.inf).to_numpy()
    sums = np.zeros((2, len(cells), n))
    for _, own, accuracies, _ in by_trial(trials, half):
        values = np.round(100 * accuracies, 9)
        truth, _ = _places(values)
        rising = np.sort(values)
        for cell in own:
            # A model is never told from itself, even where the MDAD is 0.
            far = max(widest[cell] - 1e-9, 1e-9)
            above = n - np.searchsorted(rising, values + far, side="left")
            below = np.searchsorted(rising, values - far, side="right")
            np.add.at(sums[0, cell], truth, (above + below) / (n - 1))
            np.add.at(sums[1, cell], truth, 1)
    cell, rank = np.nonzero(sums[1])
    table = cells.iloc[cell].reset_index(drop=True)
    return table.assign(
        rank=rank + 1, mdad=told.to_numpy()[cell], apart=(sums[0] / sums[1].clip(1))[cell, rank]
    )


def _places(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """First and last place, from 0 for the highest value, that each may have; ties share both."""
    rising = np.sort(values)
    n = values.size
    first = n - np.searchsorted(rising, values, side="right")
    return first, n - 1 - np.searchsorted(rising, values, side="left")


def _mean_distance(place: np.ndarray, first: np.ndarray, last: np.ndarray) -> np.ndarray:
    """Mean of |x − place| over the whole numbers x from first to last."""

    def up_to(x: np.ndarray) -> np.ndarray:
        """Sum of the absolute whole numbers up to x, from an arbitrary start."""
        return np.where(x < 0, -1, 1) * (x * (x + 1) // 2)

    return (up_to(last - place) - up_to(first - place - 1)) / (last - first + 1)


def _closest(values: np.ndarray) -> np.ndarray:
    """Distance of each value to the nearest other; 0 where it is not alone."""
    order = np.argsort(values, kind="stable")
    steps = np.diff(values[order])
    nearest = np.minimum(np.append(steps, np.inf), np.insert(steps, 0, np.inf))
    out = np.empty(values.size)
    out[order] = nearest
    return out
