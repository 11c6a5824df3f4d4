"""Intervals of an MDAD with trials, models or both drawn anew; sees trials only, draws no items."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pandas as pd
from scipy.sparse import csr_array

from mbnb.data.errors import InputError
from mbnb.judge.agreement import (
    RECOMMENDED,
    Agreement,
    Reading,
    agreement,
    crossing,
    look_up_bins,
    mdad,
)
from mbnb.judge.counting import pair_blocks
from mbnb.judge.table import Trials, by_trial, trial_ids

UNITS = ("trials", "models", "both")
# Sums of one bin of one cell in one resample, held at a time: 8 bytes each.
HELD = 6_000_000
# Weights of one pair in one resample, held at a time.
WEIGHTS = 4_000_000


def resampled_mdad(
    trials: Trials,
    by: str = "models",
    half: str = "train",
    reading: Reading = RECOMMENDED,
    *,
    n_resamples: int = 500,
    seed: int = 0,
) -> pd.DataFrame:
    """`mdad` with an interval that allows for other trials, other target models, or both.

    A leaderboard's models are a sample too, and the pairs of all trials are made of them. A
    resample draws as many models as ever were targets, with replacement, and a pair counts as often
    as the product of its two models' counts and, by ``"both"``, of its trial's: the pigeonhole
    bootstrap (Owen 2007; for products, Owen and Eckles 2012). It errs on the side of too wide
    rather than too narrow, by ``"both"`` by much: of leaderboards drawn from a known population all
    such intervals held its MDAD (``data/measured/definitions-coverage.csv``).

    Parameters
    ----------
    trials : Trials
    by : {"trials", "models", "both"}
        What is drawn anew: the trials, so that the interval speaks of this leaderboard (that of
        `mdad`); the models that are targets, so that it speaks of models like these; or both.
    half, reading, seed
        See `agreement` and `mdad`; bins are centred, full ties left out. Draws of trials and of
        models have generators of their own.
    n_resamples : int

    Returns
    -------
    DataFrame
        As from `mdad`, with ``by``.

    Raises
    ------
    InputError
        If an argument is not as above.

    Notes
    -----
    Pairs are weighted in blocks and resamples run in parts, so that some 150 MB do. The time grows
    with cells × trials × pairs of a trial × resamples: 42 cells of 50 trials and 50 targets take
    some ten seconds for 500 resamples.
    """
    if by not in UNITS:
        raise InputError(f"by '{by}' is unknown; allowed: {', '.join(UNITS)}.")
    counts = agreement(trials, half, reading)
    if by == "trials":
        return mdad(counts, n_resamples=n_resamples, seed=seed).assign(by=by)
    table = mdad(counts, n_resamples=1, seed=seed)  # its interval is not used
    drawn = resample_models(
        trials,
        counts,
        n_resamples,
        with_trials=by == "both",
        seed=seed,
        read=lambda pairs, agreeing: crossing(pairs, agreeing, counts.gaps, reading),
    )
    # “Not reached” lies above every gap.
    ranked = np.where(np.isnan(drawn), np.inf, drawn)
    tails = [(1 - reading.level) / 2, (1 + reading.level) / 2]
    ends = np.quantile(ranked, tails, axis=1, method="inverted_cdf")
    low, high = np.where(np.isfinite(ends), ends, np.nan)
    return table.assign(low=low, high=high, by=by)


def resample_models(
    trials: Trials,
    counts: Agreement,
    n_resamples: int,
    *,
    with_trials: bool,
    seed: int,
    read: Callable[[np.ndarray, np.ndarray], np.ndarray],
) -> np.ndarray:
    """What `read` makes of each cell's pairs and agreeing pairs by gap in each resample.

    Parameters
    ----------
    trials : Trials
    counts : Agreement
        Of the trials.
    n_resamples : int
    with_trials : bool
        Whether trials are drawn anew too.
    seed : int
    read : callable
        From two arrays, shape (n_resamples, n_bins), to one of shape (n_resamples,).

    Returns
    -------
    ndarray, shape (n_cells, n_resamples)
    """
    n_trials, n_models = trial_ids(trials).size, trials.table["model"].nunique()
    of_models, of_trials = (np.random.default_rng([seed, k]) for k in (0, 1))
    models = _draw(of_models, n_models, n_resamples)
    times = np.ones((n_trials, n_resamples))
    if with_trials:
        times = _draw(of_trials, n_trials, n_resamples)
    n_cells, n_bins = len(counts.cells), counts.gaps.size
    at_a_time = max(1, HELD // (2 * n_cells * n_bins))
    drawn = np.empty((n_cells, n_resamples))
    for start in range(0, n_resamples, at_a_time):
        part = slice(start, start + at_a_time)
        pairs, agreeing = _weighted(trials, counts, models[:, part], times[:, part])
        for cell in range(n_cells):
            drawn[cell, part] = read(pairs[cell].T, agreeing[cell].T)
    return drawn


def _draw(rng: np.random.Generator, n: int, n_resamples: int) -> np.ndarray:
    """How often each of n is drawn in each resample, shape (n, n_resamples)."""
    draws = rng.multinomial(n, np.full(n, 1 / n), size=n_resamples)
    return draws.T.astype(np.float64)


def _weighted(
    trials: Trials, counts: Agreement, models: np.ndarray, times: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Weighted pairs and agreeing pairs, two arrays of shape (n_cells, n_bins, n_resamples)."""
    n_cells, n_bins, n_resamples = len(counts.cells), counts.gaps.size, models.shape[1]
    n_items = trials.n_train if counts.half == "train" else trials.n_heldout
    bins_of = look_up_bins(counts.reading.width, "centred", n_items if trials.binary else None)
    pairs, agreeing = (np.zeros((n_cells, n_bins, n_resamples)) for _ in range(2))
    for trial, cells, who, standings, estimates in _with_models(trials, counts.half):
        if trials.binary:
            standings = np.rint(standings * n_items).astype(np.int32)
        order = np.argsort(-standings, kind="stable")
        standings, estimates, weights = standings[order], estimates[:, order], models[who[order]]
        for first, second in pair_blocks(standings.size, max(1, WEIGHTS // n_resamples)):
            gaps = standings[first] - standings[second]
            if gaps.dtype.kind == "f":
                # Equal accuracies may differ in the last bits.
                gaps = np.round(gaps, 12)
            apart = gaps > 0
            first, second, bins = first[apart], second[apart], bins_of(gaps[apart])
            of_pairs = weights[first] * weights[second] * times[trial]
            right = estimates[:, first] > estimates[:, second]
            credit = right.astype(np.float64)
            if counts.reading.ties == "half":
                credit += 0.5 * (estimates[:, first] == estimates[:, second])
            # One sparse product sums the pairs of each bin, for all cells and resamples at once.
            each = np.vstack([np.ones(bins.size), credit])
            sums = (_by_bin(each, bins, n_bins) @ of_pairs).reshape(len(each), n_bins, -1)
            pairs[cells] += sums[0]
            agreeing[cells] += sums[1:]
    return pairs, agreeing


def _by_bin(values: np.ndarray, bins: np.ndarray, n_bins: int) -> csr_array:
    """Rows of values (n, n_pairs) spread over bins, shape (n × n_bins, n_pairs)."""
    row, pair = np.nonzero(values)
    return csr_array(
        (values[row, pair], (row * n_bins + bins[pair], pair)),
        shape=(len(values) * n_bins, bins.size),
    )


def _with_models(
    trials: Trials, half: str
) -> Iterator[tuple[int, np.ndarray, np.ndarray, np.ndarray, np.ndarray]]:
    """`by_trial` with the trial's place among the trials, and with the models' numbers."""
    ids = trial_ids(trials)
    # By id, so that the order of the matrix's rows changes no draw.
    numbers = pd.factorize(trials.table["model"].astype(str), sort=True)[0]
    # Read in the place of the estimates, the numbers come in the estimates' order.
    as_read = replace(trials, table=trials.table.assign(estimate=numbers))
    for (trial, cells, accuracies, estimates), (_, _, _, who) in zip(
        by_trial(trials, half), by_trial(as_read, half), strict=True
    ):
        # Equal accuracies mean equal models, but for the rarest of accidents.
        sets, of_cell = np.unique(who, axis=0, return_inverse=True)
        for k, models in enumerate(sets):
            own = of_cell.ravel() == k
            place = int(np.searchsorted(ids, trial))
            yield place, cells[own], models, accuracies, estimates[own]
