"""How far an MDAD moves from one set of trials to the next; sees counts by gap, runs no trial."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from mbnb.data.errors import InputError
from mbnb.judge.agreement import RECOMMENDED, Agreement, Reading, crossing, mdad


def split_trials(counts: Agreement, n_trials: int) -> list[Agreement]:
    """The counts of as many sets of trials, one after another, as there are without overlap."""
    there = counts.pairs.shape[1]
    if not 1 <= n_trials <= there:
        raise InputError(f"sets of {n_trials} trials are not possible; there are {there} trials.")
    return [
        replace(
            counts,
            pairs=counts.pairs[:, start : start + n_trials],
            agreeing=counts.agreeing[:, start : start + n_trials],
        )
        for start in range(0, there - n_trials + 1, n_trials)
    ]


def spread_over_trials(
    counts: Agreement,
    numbers: Sequence[int],
    reading: Reading = RECOMMENDED,
    *,
    pairs_a_trial: float = 0.0,
    n_intervals: int = 0,
    n_resamples: int = 200,
    seed: int = 0,
) -> pd.DataFrame:
    """MDADs of sets of trials that share no trial, against that of all trials together.

    Parameters
    ----------
    counts : Agreement
        Of many trials; more than twice the largest number.
    numbers : sequence of int
        Trials in a set.
    reading : Reading
        Its `min_pairs` follows from the next.
    pairs_a_trial : float
        Pairs that a bin needs to decide, for each trial of a set; at least one in all.
    n_intervals : int
        Sets whose bootstrap interval over trials is computed.
    n_resamples, seed
        Of these intervals.

    Returns
    -------
    DataFrame
        For each cell and number (``n_trials``) the ``sets``; of those that reached the threshold
        the mean deviation from the MDAD of all trials (``bias``), the root of the mean square
        (``rmse``) and the standard deviation (``spread``), in points; the share that did not reach
        it (``not_reached``); with intervals, the median of their ``width`` in points (NaN where it
        is open) and the share that holds the MDAD of all trials (``covered``). ``reference`` is
        that MDAD.
    """
    least = max(1, round(pairs_a_trial * counts.pairs.shape[1]))
    everything = mdad(counts, replace(reading, min_pairs=least), n_resamples=1)
    reference = everything["mdad"].to_numpy()
    parts = []
    for n_trials in numbers:
        own_reading = replace(reading, min_pairs=max(1, round(pairs_a_trial * n_trials)))
        sets = split_trials(counts, n_trials)
        decide = (counts.gaps, own_reading)
        pairs, agreeing = (
            np.stack([getattr(own, name).sum(axis=1) for own in sets], axis=1)
            for name in ("pairs", "agreeing")
        )
        found = np.stack([crossing(p, a, *decide) for p, a in zip(pairs, agreeing, strict=True)])
        part = counts.cells.assign(n_trials=n_trials, sets=len(sets), reference=reference)
        part = pd.concat([part, _deviations(found, reference)], axis=1)
        if n_intervals:
            tables = [
                mdad(own, own_reading, n_resamples=n_resamples, seed=seed)
                for own in sets[:n_intervals]
            ]
            part = pd.concat([part, _intervals(tables, reference)], axis=1)
        parts.append(part)
    return pd.concat(parts, ignore_index=True)


def _deviations(found: np.ndarray, reference: np.ndarray) -> pd.DataFrame:
    """A row for each cell, from MDADs of shape (n_cells, n_sets)."""
    rows = []
    for own, goal in zip(found, reference, strict=True):
        reached = own[~np.isnan(own)]
        off = reached - goal
        some = off.size > 0
        rows.append(
            {
                "bias": off.mean() if some else np.nan,
                "rmse": np.sqrt((off**2).mean()) if some else np.nan,
                "spread": reached.std() if some else np.nan,
                "not_reached": 1 - reached.size / own.size,
            }
        )
    return pd.DataFrame(rows)


def _intervals(tables: list[pd.DataFrame], reference: np.ndarray) -> pd.DataFrame:
    """Median width and coverage of each cell's intervals."""
    low, high = (np.stack([table[end] for table in tables], axis=1) for end in ("low", "high"))
    # An end that is open lies above every gap, and so does an MDAD that is not reached.
    low, high = (np.where(np.isnan(end), np.inf, end) for end in (low, high))
    goal = np.where(np.isnan(reference), np.inf, reference)[:, None]
    width = np.where(np.isfinite(high), high - np.where(np.isfinite(low), low, 0), np.inf)
    middle = np.median(width, axis=1)
    return pd.DataFrame(
        {
            "width": np.where(np.isfinite(middle), middle, np.nan),
            "covered": ((low <= goal) & (goal <= high)).mean(axis=1),
        }
    )
