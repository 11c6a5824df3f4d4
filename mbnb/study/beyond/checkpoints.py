"""Checkpoints of one training run: is the later one better? Reads trials, and runs none.

The pairs that matter here are not all pairs but those of a checkpoint with one a few steps later.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
from scipy.stats import norm

from mbnb.data.errors import InputError
from mbnb.data.responses import ResponseMatrix
from mbnb.judge.agreement import Agreement, agreement, gap_bins
from mbnb.judge.pairs import disagreement
from mbnb.judge.table import Trials, by_trial, cells_of, trial_ids
from mbnb.methods.estimators import DECIMALS


def neighbour_agreement(
    trials: Trials,
    checkpoints: pd.DataFrame,
    lag: int = 1,
    half: str = "train",
    *,
    ties: str = "wrong",
    width: float = 0.5,
) -> Agreement:
    """`agreement`, counted over pairs of checkpoints `lag` steps apart alone.

    Parameters
    ----------
    trials : Trials
        With the checkpoints as fixed targets.
    checkpoints : DataFrame
        Indexed by model id, with the columns ``family`` (the run) and ``step``: rows of a response
        matrix's models. Targets that it leaves out are in no pair.
    lag : int
        Places between the two of a pair, in the order of the steps of their run.
    half, ties, width
        See `agreement`.

    Raises
    ------
    InputError
        If a checkpoint is not a target of every trial, or no run has so many of them.
    """
    counts = agreement(trials, half, ties=ties, width=width)  # checks the arguments too
    earlier, later = _apart(_windows(trials, checkpoints, lag + 1))
    n_items = (trials.n_train if half == "train" else trials.n_heldout) if trials.binary else None
    ids = trial_ids(trials)
    pairs, agreeing = np.zeros_like(counts.pairs), np.zeros_like(counts.agreeing)
    tied = np.zeros(len(pairs), dtype=np.int64)
    for trial, own, accuracies, estimates in by_trial(trials, half):
        t = int(np.searchsorted(ids, trial))
        standing = accuracies if n_items is None else np.rint(accuracies * n_items)
        gain = np.round(standing[later] - standing[earlier], DECIMALS)
        differ = gain != 0
        bins = gap_bins(np.abs(gain[differ]), width, "centred", n_items)
        told = np.sign(estimates[:, later] - estimates[:, earlier])
        same = told[:, differ] * np.sign(gain[differ])
        credit = (same > 0) + (0.5 * (same == 0) if ties == "half" else 0)
        for cell, own_credit in zip(own, credit, strict=True):
            pairs[cell, t] = np.bincount(bins, minlength=pairs.shape[2])
            agreeing[cell, t] = np.bincount(bins, own_credit, minlength=pairs.shape[2])
            tied[cell] += int((~differ).sum())
    return replace(counts, pairs=pairs, agreeing=agreeing, tied_pairs=int(tied.max()))


def smoothed(trials: Trials, checkpoints: pd.DataFrame, window: int) -> Trials:
    """The same trials where every checkpoint stands for the mean of the last `window` of its run.

    Estimates are averaged, and accuracies too: what is asked is whether the mean of some
    checkpoints is above that of those before. Checkpoints with fewer before them are left out, and
    those that share no checkpoint are `window` places apart or more.

    Parameters
    ----------
    trials, checkpoints
        See `neighbour_agreement`.
    window : int
    """
    views = _windows(trials, checkpoints, window)
    n = trials.n_target
    last = np.arange(0, len(trials.table), n)[:, None] + views[:, -1]
    table = trials.table.iloc[last.ravel()].reset_index(drop=True)
    for column in ("train_accuracy", "heldout_accuracy", "estimate"):
        values = trials.table[column].to_numpy().reshape(-1, n)[:, views]
        table[column] = np.round(values.mean(axis=2), DECIMALS).ravel()
    # A mean of counts of items is no count of items.
    return replace(trials, table=table, binary=trials.binary and window == 1)


def neighbour_disagreement(matrix: ResponseMatrix, lag: int = 1) -> pd.DataFrame:
    """Gap and disagreement rate of each checkpoint and the one `lag` places later in its run.

    Parameters
    ----------
    matrix : ResponseMatrix
        Complete; its models have the columns ``family`` (the run) and ``step``.
    lag : int

    Returns
    -------
    DataFrame
        Columns ``earlier``, ``later`` (model ids), ``gap`` (of the later; may be negative) and
        ``disagreement``, both in points: per cent of the items.
    """
    earlier, later = _apart(_in_order(matrix.models, lag + 1))
    accuracies = matrix.accuracies()
    return pd.DataFrame(
        {
            "earlier": matrix.model_ids[earlier],
            "later": matrix.model_ids[later],
            "gap": np.round(100 * (accuracies[later] - accuracies[earlier]), 9),
            "disagreement": 100 * disagreement(matrix, earlier, later),
        }
    )


def progress_calls(
    trials: Trials,
    checkpoints: pd.DataFrame,
    rate: float,
    *,
    lag: int = 1,
    level: float = 0.95,
) -> pd.DataFrame:
    """How often a micro-benchmark calls progress, where there was some and where there was none.

    Two rules are tried. “any gain” calls progress where the later checkpoint has the higher
    estimate. “beyond noise” wants a gain above what drawing the items alone explains at the level:
    z √(rate × (1/size − 1/items)), for checkpoints that differ on that share of the items.

    Parameters
    ----------
    trials, checkpoints, lag
        See `neighbour_agreement`; ``checkpoints`` has a column ``plateau`` too. A pair is on the
        plateau where both are, and climbs where neither is; the others are left out.
    rate : float
        Disagreement rate (0–1), such as the mean of `neighbour_disagreement`.
    level : float
        Of the second rule, above 0.5 and below 1, one-sided.

    Returns
    -------
    DataFrame
        The cells with ``rule``, ``false_alarms`` and ``found``: the shares (0–1) of pairs on the
        plateau and of climbing pairs where progress is called; NaN where there are no such pairs.
    """
    if not 0.5 < level < 1 or not 0 <= rate <= 1:
        raise InputError(
            f"level {level:g} with rate {rate:g} is not possible; allowed: a level above 0.5 and "
            "below 1, a rate from 0 to 1."
        )
    earlier, later = _apart(_windows(trials, checkpoints, lag + 1))
    still = _models_of(trials).map(checkpoints["plateau"]).to_numpy(dtype=float)
    both, neither = still[earlier] * still[later] == 1, still[earlier] + still[later] == 0
    cells = cells_of(trials)
    n = trials.n_target
    told = trials.table["estimate"].to_numpy().reshape(len(cells), -1, n)
    gain = told[:, :, later] - told[:, :, earlier]
    left = 1 / cells["size"].to_numpy() - 1 / trials.n_train
    beyond = norm.ppf(level) * np.sqrt(rate * np.maximum(left, 0))
    rows = []
    for rule, margin in (("any gain", np.zeros(len(cells))), ("beyond noise", beyond)):
        called = gain > margin[:, None, None] + 1e-12
        shares = {
            name: called[:, :, pick].mean(axis=(1, 2)) if pick.any() else np.nan
            for name, pick in (("false_alarms", both), ("found", neither))
        }
        rows.append(cells.assign(rule=rule, **shares))
    return pd.concat(rows, ignore_index=True)


def _models_of(trials: Trials) -> pd.Series:
    """Ids of the targets in the order of every trial.

    Raises InputError if they are not fixed.
    """
    n = trials.n_target
    models = trials.table["model"].astype(str).to_numpy().reshape(-1, n)
    if (models != models[0]).any():
        raise InputError(
            "the targets are not the same in every trial; name the checkpoints as fixed targets."
        )
    return pd.Series(models[0])


def _windows(trials: Trials, checkpoints: pd.DataFrame, length: int) -> np.ndarray:
    """Runs of checkpoints in a row, as places among the targets; shape (n_windows, length)."""
    names = _models_of(trials)
    unknown = checkpoints.index.difference(pd.Index(names))
    if len(unknown):
        raise InputError(
            f"{len(unknown)} checkpoints are no targets of these trials (first: '{unknown[0]}'); "
            "name all of them as fixed targets, or leave them out."
        )
    place = pd.Series(np.arange(len(names)), index=names)
    return place.loc[checkpoints.index].to_numpy()[_in_order(checkpoints, length)]


def _apart(windows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The first and the last of each window, which must not be the same."""
    if windows.shape[1] < 2:
        raise InputError("a lag of 0 makes no pairs; checkpoints are at least 1 place apart.")
    return windows[:, 0], windows[:, -1]


def _in_order(checkpoints: pd.DataFrame, length: int) -> np.ndarray:
    """Runs of rows in a row: positions in the table, shape (n_windows, length)."""
    for column in ("family", "step"):
        if column not in checkpoints:
            raise InputError(
                f"checkpoints need a column '{column}'; theirs are "
                f"{', '.join(map(str, checkpoints.columns)) or 'none'}."
            )
    position = np.arange(len(checkpoints))
    found = [
        np.lib.stride_tricks.sliding_window_view(position[rows][order], length)
        for rows in checkpoints.groupby("family", sort=False).indices.values()
        for order in [np.argsort(checkpoints["step"].to_numpy()[rows], kind="stable")]
        if 1 <= length <= len(rows)
    ]
    if not found:
        longest = checkpoints.groupby("family").size().max() if len(checkpoints) else 0
        raise InputError(
            f"{length} checkpoints in a row are not possible, since no run has more than {longest}."
        )
    return np.concatenate(found)
