"""Kendall's tau beside the MDAD: how the two go together, and what tau is made of; runs no trial.

Of n pairs with different accuracies, c are put in the right order by the estimates and d in the
wrong one. Then (c − d) / n (Somers 1962) is a mean over the pairs, so that it can be taken apart by
their gaps: tau-b is the same with another denominator, and alike where few pairs tie.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd
from scipy.stats import kendalltau

from mbnb.judge.agreement import agreement, crossing, mdad, resampling
from mbnb.judge.table import CELL, Trials, by_trial, cells_of, trial_ids

# Above every MDAD: where none is reached, it ranks last.
BEYOND = 1000.0


@dataclass(frozen=True, eq=False)
class TauAndMdad:
    """Both measures of each cell of a grid, and how well one ranks the cells as the other does.

    Attributes
    ----------
    table : DataFrame
        The cells with ``tau``, ``tau_low``, ``tau_high`` (means over trials of tau-b, with an
        interval) and the columns of `mdad`.
    correlation, low, high : float
        Kendall's tau-b between the two columns, with an interval; an MDAD that is not reached
        ranks above all others. NaN where it is undefined.
    """

    table: pd.DataFrame
    correlation: float
    low: float
    high: float


def tau_by_trial(trials: Trials, half: str = "train") -> np.ndarray:
    """Kendall's tau-b of estimates and accuracies, shape (n_cells, n_trials); NaN where undefined.

    Cells are in the order of the trials' table, trials in the order of their ids.
    """
    ids = trial_ids(trials)
    taus = np.full((len(cells_of(trials)), ids.size), np.nan)
    for trial, cells, accuracies, estimates in by_trial(trials, half):
        t = int(np.searchsorted(ids, trial))
        for c, told in zip(cells, estimates, strict=True):
            if np.ptp(accuracies) > 0 and np.ptp(told) > 0:
                taus[c, t] = kendalltau(told, accuracies).statistic
    return taus


def tau_and_mdad(
    trials: Trials,
    half: str = "train",
    *,
    ties: str = "wrong",
    threshold: float = 0.8,
    min_pairs: int = 1,
    level: float = 0.95,
    n_resamples: int = 1000,
    seed: int = 0,
) -> TauAndMdad:
    """Tau and MDAD of every cell, and their rank correlation over the cells, with intervals.

    Parameters
    ----------
    trials : Trials
    half : {"train", "heldout"}
    ties : {"wrong", "half"}
        What a tied estimate counts in the agreement; tau-b has a rule of its own.
    threshold, min_pairs, level, n_resamples, seed
        See `mdad`. Whole trials are resampled, and the same ones for all cells and both measures;
        with one trial there is no interval.
    """
    counts = agreement(trials, half, ties=ties)
    taus = tau_by_trial(trials, half)
    # One trial has no spread.
    draws = resampling(counts, n_resamples if taus.shape[1] > 1 else 0, seed)
    table = mdad(
        counts,
        threshold=threshold,
        min_pairs=min_pairs,
        level=level,
        n_resamples=n_resamples,
        seed=seed,
    )
    once = np.ones((1, taus.shape[1]))
    tails = [(1 - level) / 2, (1 + level) / 2]
    resampled = _mean_taus(draws, taus)
    ends = [_quantiles(column, tails) for column in resampled.T]
    table = table.assign(
        tau=_mean_taus(once, taus)[0],
        tau_low=[low for low, _ in ends],
        tau_high=[high for _, high in ends],
    )
    decide = (counts.gaps, threshold, "first", min_pairs)
    mdads = np.stack(
        [
            crossing(draws @ pairs, draws @ agreeing, *decide)
            for pairs, agreeing in zip(counts.pairs, counts.agreeing, strict=True)
        ],
        axis=1,
    )
    redrawn = [_rank(tau, value) for tau, value in zip(resampled, mdads, strict=True)]
    low, high = _quantiles(np.array(redrawn), tails)
    return TauAndMdad(table, tau_mdad_correlation(table), low, high)


def tau_mdad_correlation(table: pd.DataFrame) -> float:
    """Kendall's tau-b between the columns ``tau`` and ``mdad`` of a table, a row for each cell.

    An MDAD that is not reached (NaN) ranks above all others; rows without a tau are left out. NaN
    where fewer than two rows are left, or all of them are alike in either column.
    """
    return _rank(table["tau"].to_numpy(dtype=float), table["mdad"].to_numpy(dtype=float))


def clustered_correlation(
    table: pd.DataFrame,
    cluster: str = "dataset",
    *,
    level: float = 0.95,
    n_resamples: int = 1000,
    seed: int = 0,
) -> tuple[float, float, float]:
    """`tau_mdad_correlation` over cells that come in clusters, with an interval.

    Cells of one leaderboard share its models and items, so whole leaderboards are resampled.

    Parameters
    ----------
    table : DataFrame
        With the columns ``tau``, ``mdad`` and `cluster`.
    cluster : str
    level, n_resamples, seed
        See `mdad`; with fewer than two clusters there is no interval (NaN).

    Returns
    -------
    (float, float, float)
        The correlation, and the ends of its interval.
    """
    parts = [rows[["tau", "mdad"]].to_numpy(dtype=float) for _, rows in table.groupby(cluster)]
    rng = np.random.default_rng(seed)
    redrawn = []
    for chosen in rng.integers(len(parts), size=(n_resamples if len(parts) > 1 else 0, len(parts))):
        tau, value = np.concatenate([parts[c] for c in chosen]).T
        redrawn.append(_rank(tau, value))
    low, high = _quantiles(np.array(redrawn), [(1 - level) / 2, (1 + level) / 2])
    return tau_mdad_correlation(table), low, high


def tau_by_gap(trials: Trials, half: str = "train") -> pd.DataFrame:
    """What the pairs of each bin of gaps contribute to tau, for each cell.

    Returns
    -------
    DataFrame
        A row for each cell and bin that holds pairs: the columns that name a cell; ``gap``
        (points); ``share`` of all pairs that are in the bin (0–1); ``agreement``, a tied estimate
        as a half; ``part``, what the bin adds to (c − d) / n, which is the sum of the parts of a
        cell; and ``above``, the sum of the parts from this gap on over that of all (NaN where that
        is not above 0). Pairs tied on the full half are left out.
    """
    curve = agreement(trials, half, ties="half").curve()
    cells = curve.groupby(CELL, observed=True, sort=False)
    n_pairs = cells["pairs"].transform("sum")
    # An agreement of ½ is what chance gives, and adds nothing.
    curve = curve.assign(
        share=curve["pairs"] / n_pairs, part=(2 * curve["agreeing"] - curve["pairs"]) / n_pairs
    )
    whole = curve.groupby(CELL, observed=True, sort=False)["part"].transform("sum")
    upwards = curve[::-1].groupby(CELL, observed=True, sort=False)["part"].cumsum().sort_index()
    return curve.assign(above=(upwards / whole).where(whole > 0)).drop(columns="agreeing")


def same_tau(table: pd.DataFrame, tolerance: float = 0.01) -> pd.DataFrame:
    """Of the cells with nearly equal tau, the two with the most different MDADs.

    Parameters
    ----------
    table : DataFrame
        With the columns ``tau`` and ``mdad``; rows in which either is missing are left out.
    tolerance : float
        How far apart the two taus may be.

    Returns
    -------
    DataFrame
        Two rows of the table, the lower MDAD first; of equally different pairs that with the
        nearest taus. No row where no two cells have taus that near and MDADs that differ.
    """
    known = table.dropna(subset=["tau", "mdad"])
    best, found = (0.0, 0.0), known.iloc[:0]
    tau, value = (known[name].to_numpy(dtype=float) for name in ("tau", "mdad"))
    for i, j in combinations(range(len(known)), 2):
        distance = abs(tau[i] - tau[j])
        rank = (abs(value[i] - value[j]), -distance)
        if distance <= tolerance and rank[0] > 0 and rank > best:
            best, found = rank, known.iloc[[i, j] if value[i] < value[j] else [j, i]]
    return found


def tau_verdicts(table: pd.DataFrame, margin: float = 0.5) -> pd.DataFrame:
    """How often the cell with the lower MDAD has the higher tau, among pairs of cells.

    Parameters
    ----------
    table : DataFrame
        With the columns ``size``, ``tau`` and ``mdad``, all of one leaderboard.
    margin : float
        In points: MDADs that differ by no more say nothing, and such pairs are left out.

    Returns
    -------
    DataFrame
        Rows ``same size`` and ``different sizes`` with ``pairs`` compared and those of them that
        ``agree``; a pair with equal taus agrees by a half.
    """
    rows = {True: [0, 0.0], False: [0, 0.0]}
    known = table.dropna(subset="tau")
    size, tau = known["size"].to_numpy(), known["tau"].to_numpy(dtype=float)
    value = known["mdad"].fillna(BEYOND).to_numpy(dtype=float)
    for i, j in combinations(range(len(known)), 2):
        if abs(value[i] - value[j]) <= margin + 1e-9:
            continue
        own = rows[bool(size[i] == size[j])]
        own[0] += 1
        own[1] += (1 + np.sign(value[j] - value[i]) * np.sign(tau[i] - tau[j])) / 2
    names = ["same size", "different sizes"]
    return pd.DataFrame([rows[True], rows[False]], index=names, columns=["pairs", "agree"])


def tau_by_spread(
    trials: Trials, groups: Mapping[float, Sequence[str]], half: str = "train", **rule: float
) -> pd.DataFrame:
    """Tau and MDAD of the same estimates, judged on fewer and fewer of the target models.

    Parameters
    ----------
    trials : Trials
    groups : mapping of float to sequence of str
        Ids of the models that count, by a number that names them, such as the share kept. A group
        without two targets in any trial is left out.
    half : {"train", "heldout"}
    **rule
        ``threshold`` and the rest of `tau_and_mdad`.

    Returns
    -------
    DataFrame
        The tables of `tau_and_mdad` with a column ``kept``, and ``spread``: the standard deviation
        of the accuracies of the targets that count, in points.
    """
    parts = []
    for kept, members in groups.items():
        few = trials.only(members)
        if few.table.empty or few.table.groupby("trial")["model"].nunique().max() < 2:
            continue
        spread = 100 * few.table[f"{half}_accuracy"].std(ddof=0)
        table = tau_and_mdad(few, half, **rule).table  # type: ignore[arg-type]
        parts.append(table.assign(kept=kept, spread=spread))
    return pd.concat(parts, ignore_index=True)


def _mean_taus(draws: np.ndarray, taus: np.ndarray) -> np.ndarray:
    """Means over the trials drawn, of those with a tau; shape (n_draws, n_cells)."""
    known = ~np.isnan(taus)
    n_known = draws @ known.T.astype(np.float64)
    sums = draws @ np.where(known, taus, 0.0).T
    return np.where(n_known > 0, sums / np.maximum(n_known, 1), np.nan)


def _rank(taus: np.ndarray, mdads: np.ndarray) -> float:
    known = ~np.isnan(taus)
    tau, value = taus[known], np.where(np.isnan(mdads), BEYOND, mdads)[known]
    if tau.size < 2 or np.ptp(tau) == 0 or np.ptp(value) == 0:
        return np.nan
    return float(kendalltau(tau, value).statistic)


def _quantiles(values: np.ndarray, tails: list[float]) -> tuple[float, float]:
    known = values[~np.isnan(values)]
    if not known.size:
        return np.nan, np.nan
    low, high = np.quantile(known, tails)
    return float(low), float(high)
