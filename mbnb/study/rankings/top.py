"""What a micro-benchmark keeps of the top of a ranking; sees trials only, and draws nothing.

A tie among estimates is broken by lot, as a person has to break it: what is told is the mean over
all ways in which the lot can fall, exactly and with no random number. Models that are tied on the
full half are equally good, and either may stand for the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from typing import Any

import numpy as np
import pandas as pd

from mbnb.data.errors import InputError
from mbnb.judge.table import CELL, Trials, by_trial, cells_of, trial_ids

TOPS = (1, 3, 5, 10)
# Differences below this are rounding (accuracies are 0–1).
DECIMALS = 12
_MEASURES = (
    "kept",
    "whole",
    "best_kept",
    "regret",
    "excess",
    "bias",
    "top_bias",
    "curse",
    "lead",
)
_WITH_INTERVALS = ("kept", "best_kept", "regret", "excess", "curse")


def possible_tops(n_target: int, tops: Sequence[int] = TOPS) -> list[int]:
    """Of the tops asked for those that leave a model out, so that there is something to choose."""
    return [k for k in tops if k < n_target]


def top_table(
    trials: Trials,
    tops: Sequence[int] | None = None,
    half: str = "train",
    *,
    level: float = 0.95,
    n_resamples: int = 1000,
    seed: int = 0,
) -> pd.DataFrame:
    """What the k models with the highest estimates are worth, for each cell and each k.

    Parameters
    ----------
    trials : Trials
    tops : sequence of int, optional
        The values of k; of 1, 3, 5 and 10 those below the number of targets where none are given.
    half : {"train", "heldout"}
        The half whose accuracies say which models are the best.
    level : float
        Of the intervals. Trials are resampled.
    n_resamples, seed : int
        Of the bootstrap; no interval (NaN) with fewer than two trials.

    Returns
    -------
    DataFrame
        The columns that name a cell, then ``half``, ``k``, ``n_target``, and means over trials:

        - ``kept``: the share (0–1) of the k chosen models that are truly among the best k, with
          ``kept_low`` and ``kept_high``. A lot would keep k / n_target.
        - ``whole``: how often (0–1) all of them are.
        - ``best_kept``: how often (0–1) the best model is among the k chosen, with
          ``best_low`` and ``best_high``.
        - ``regret``: the best model's accuracy less that of the best among the k chosen, in points,
          with ``regret_low`` and ``regret_high``: for k = 1 what it costs to take the model that
          looks best, for a larger k what is lost if the k are then measured in full.
        - ``excess``: the k chosen models' mean estimate less their mean accuracy, in points, with
          ``excess_low`` and ``excess_high``; ``bias``, the same of all targets, and ``top_bias``,
          of those that are truly the best k.
        - ``curse``: excess less top_bias, with ``curse_low`` and ``curse_high``: by how much models
          are overrated because they were chosen by their estimates, the winner's curse. A selector
          that rates able models as a whole too high or too low is not blamed for it here.
        - ``lead``: the best model's accuracy less that of the model at rank k + 1, in points.

    Raises
    ------
    InputError
        If a k is not from 1 to the number of targets.
    """
    cells, ids = cells_of(trials), trial_ids(trials)
    ks = possible_tops(trials.n_target) if tops is None else list(tops)
    values = np.full((len(cells), len(ks), len(_MEASURES), ids.size), np.nan)
    for trial, own, accuracies, estimates in by_trial(trials, half):
        t = int(np.searchsorted(ids, trial))
        for cell, told in zip(own, estimates, strict=True):
            for position, k in enumerate(ks):
                values[cell, position, :, t] = _one_trial(accuracies, told, k)
    rng = np.random.default_rng(seed)
    draws = rng.multinomial(ids.size, np.full(ids.size, 1 / ids.size), size=n_resamples) / ids.size
    tails = [(1 - level) / 2, (1 + level) / 2]
    parts = []
    for position, k in enumerate(ks):
        table = cells.assign(half=half, k=k, n_target=trials.n_target)
        for number, name in enumerate(_MEASURES):
            of_trials = values[:, position, number]
            table[name] = of_trials.mean(axis=1)
            short = {"best_kept": "best"}.get(name, name)
            if name in _WITH_INTERVALS:
                ends = np.full((2, len(cells)), np.nan)
                if ids.size > 1:
                    ends = np.quantile(np.round(draws @ of_trials.T, DECIMALS), tails, axis=0) + 0.0
                table[f"{short}_low"], table[f"{short}_high"] = ends
        parts.append(table)
    return pd.concat(parts, ignore_index=True)


def top_kept(trials: Trials, k: int = 1, half: str = "train", **intervals: Any) -> pd.DataFrame:
    """How much of the best k a micro-benchmark keeps, by cell; see `top_table`.

    Returns
    -------
    DataFrame
        The columns that name a cell, ``half``, ``k``, ``n_target``, ``kept``, ``kept_low``,
        ``kept_high``, ``whole``, ``best_kept``, ``best_low``, ``best_high``.
    """
    table = top_table(trials, [k], half, **intervals)
    return table.loc[:, :"best_high"]


def regret(trials: Trials, k: int = 1, half: str = "train", **intervals: Any) -> pd.DataFrame:
    """What it costs to look only at the k models with the highest estimates; see `top_table`.

    Returns
    -------
    DataFrame
        The columns that name a cell, ``half``, ``k``, ``n_target``, ``regret``, ``regret_low``,
        ``regret_high``, in points.
    """
    table = top_table(trials, [k], half, **intervals)
    return table[[*CELL, "half", "k", "n_target", "regret", "regret_low", "regret_high"]]


def _one_trial(accuracies: np.ndarray, estimates: np.ndarray, k: int) -> tuple[float, ...]:
    """The measures of one trial, in the order of `_MEASURES`; the lot among ties is averaged."""
    n = accuracies.size
    if not 1 <= k <= n:
        raise InputError(
            f"k {k} is not possible; a trial ranks {n} models, so 1 to {n} are allowed."
        )
    truth, told = np.round(accuracies, DECIMALS), np.round(estimates, DECIMALS)
    falling = np.sort(truth)[::-1]
    sure = told > np.sort(told)[n - k]
    open_ones = told == np.sort(told)[n - k]
    seats, waiting = k - int(sure.sum()), int(open_ones.sum())
    ways, chance = comb(waiting, seats), seats / waiting
    good, best = truth >= falling[k - 1], truth == falling[0]

    kept = (good & sure).sum() + chance * (good & open_ones).sum()
    whole = comb(int((good & open_ones).sum()), seats) / ways if good[sure].all() else 0.0
    missed = (
        0.0 if best[sure].any() else comb(waiting - int((best & open_ones).sum()), seats) / ways
    )
    # The best of `seats` drawn from those waiting is the i-th best of them in so many ways.
    standing = np.sort(truth[open_ones])[::-1]
    chances = np.array([comb(waiting - i, seats - 1) / ways for i in range(1, waiting + 1)])
    floor = truth[sure].max(initial=-np.inf)
    errors = 100 * (estimates - accuracies)
    excess = (errors[sure].sum() + chance * errors[open_ones].sum()) / k
    top_bias = errors[good].mean()
    return (
        kept / k,
        whole,
        1 - missed,
        100 * (falling[0] - chances @ np.maximum(standing, floor)),
        excess,
        errors.mean(),
        top_bias,
        excess - top_bias,
        100 * (falling[0] - falling[k]) if k < n else np.nan,
    )
