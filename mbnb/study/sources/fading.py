"""Sources that are further and further from the targets, and what edge is left; draws nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from mbnb.data.errors import InputError
from mbnb.data.responses import ResponseMatrix
from mbnb.judge.agreement import Agreement, agreement, resampling
from mbnb.judge.differences import mdad_differences
from mbnb.judge.table import CELL, Trials
from mbnb.methods.selectors import Selector
from mbnb.run.splits import DEFAULT_TARGETS, key_of
from mbnb.run.store import ResultStore
from mbnb.study.sources.numbers import join_trials
from mbnb.study.sources.pools import Pool, run_pools

LOTS = ("beside", "near", "mixed", "far", "refreshed")
# More sources help little where all are alike, and a distance needs models that are left over.
MOST_SOURCES = 100
# The share of far sources that a refreshing replaces.
REPLACED = 0.2
# Pairs of up to so many points count as close.
CLOSE = 5.0
YARDSTICK = ("uniform", "weighted-mean")

Recipe = tuple[str | Selector, Sequence[str]]


def by_accuracy(matrix: ResponseMatrix) -> list[str]:
    """Ids of the models from the worst to the best; of equals the first id first."""
    matrix = matrix.sorted_by_id()
    return [str(matrix.model_ids[i]) for i in np.argsort(matrix.accuracies(), kind="stable")]


def by_date(matrix: ResponseMatrix) -> list[str]:
    """Ids of the models from the oldest to the newest, where ids begin with a date (YYYYMMDD).

    Raises
    ------
    InputError
        If an id does not.
    """
    ids = sorted(map(str, matrix.model_ids))
    undated = [name for name in ids if not name[:8].isdecimal()]
    if undated:
        raise InputError(
            f"{matrix.name}: {len(undated)} model ids do not begin with a date (first: "
            f"'{undated[0]}'); a date is eight digits, such as 20240615."
        )
    return ids


def distant_pools(
    order: Sequence[str],
    *,
    n_pools: int,
    n_source: int | None = None,
    n_target: int | None = None,
    seed: int = 0,
) -> list[Pool]:
    """Targets from the end of an order of models, and lots of sources at growing distance.

    The last `n_target` + `n_source` models are the band that stands for today. In every pool other
    models of the band are the targets, drawn at random, so that trials differ in models as well as
    in items.

    Parameters
    ----------
    order : sequence of str
        Ids of models from the oldest to the newest, or from the worst to the best.
    n_pools : int
        One for each trial.
    n_source, n_target : int, optional
        A quarter of the models each, where not given: at most 50 targets and 100 sources.
    seed : int

    Returns
    -------
    list of Pool
        With the lots ``beside`` (the rest of the band, at no distance), ``near`` (drawn from the
        later half of the models before the band), ``mixed`` (from all of these), ``far`` (from the
        earlier half) and ``refreshed`` (those of ``far``, a fifth of them replaced by models of
        ``beside``). Lots are drawn from halves because neighbours in a long order are all alike,
        and sources that are all alike teach nothing, whatever their distance.

    Raises
    ------
    InputError
        If there are too few models for the band and two lots before it that share none.
    """
    n_models = len(order)
    n_target = n_target or min(DEFAULT_TARGETS, n_models // 4)
    n_source = n_source or min(MOST_SOURCES, (n_models - n_target) // 3)
    before = n_models - n_target - n_source
    if n_pools < 1 or n_target < 2 or n_source < 1 or before < 2 * n_source:
        raise InputError(
            f"{n_models} models do not make {n_pools} pools of {n_target} targets with three lots "
            f"of {n_source} sources; allowed are at least 1 pool, 2 targets and 1 source, and as "
            "many models as targets and three times the sources."
        )
    names = np.array(order, dtype=object)
    n_new = max(1, round(REPLACED * n_source))
    pools = []
    for number in range(n_pools):
        rng = np.random.default_rng([seed, number, key_of("distant pools")])
        band = before + rng.permutation(n_target + n_source)
        targets, beside = band[:n_target], band[n_target:]
        half = before // 2
        far = rng.permutation(half)[:n_source]
        lots = {
            "beside": beside,
            "near": before - 1 - rng.permutation(half)[:n_source],
            "mixed": rng.permutation(before)[:n_source],
            "far": far,
            "refreshed": np.concatenate([far[n_new:], beside[:n_new]]),
        }
        pools.append(
            Pool(
                targets=_named(names, targets),
                sources={lot: _named(names, lots[lot]) for lot in LOTS},
                families={},
                n_source=n_source,
            )
        )
    return pools


def _named(names: np.ndarray, chosen: np.ndarray) -> tuple[str, ...]:
    return tuple(map(str, names[np.sort(chosen)]))


def distances(matrix: ResponseMatrix, pools: Sequence[Pool]) -> dict[str, float]:
    """Mean accuracy of the targets minus that of each lot of sources, in points, by lot."""
    own = pd.Series(matrix.accuracies().astype(float), index=matrix.model_ids.astype(str))
    return {
        lot: float(
            np.mean(
                [
                    100 * (own[list(pool.targets)].mean() - own[list(pool.sources[lot])].mean())
                    for pool in pools
                ]
            )
        )
        for lot in pools[0].sources
    }


def run_recipes(
    matrix: ResponseMatrix,
    recipes: Sequence[Recipe],
    sizes: Sequence[int],
    pools: Sequence[Pool],
    *,
    seed: int = 0,
    n_jobs: int | None = None,
    store: ResultStore | None = None,
) -> dict[str, Trials]:
    """`run_pools` of selectors that have each their own estimators.

    Parameters
    ----------
    recipes : sequence of (str or Selector, sequence of str)
        A selector and its estimators.
    matrix, sizes, pools, seed, n_jobs, store
        See `run_pools`.

    Returns
    -------
    dict of str to Trials
        By lot.
    """
    runs = [
        run_pools(
            matrix,
            [selector],
            sizes,
            pools,
            estimators=estimators,
            seed=seed,
            n_jobs=n_jobs,
            store=store,
        )
        for selector, estimators in recipes
    ]
    return {lot: join_trials([run[lot] for run in runs]) for lot in runs[0]}


def edges(
    lots: Mapping[str, Trials],
    *,
    half: str = "train",
    threshold: float = 0.8,
    rule: str = "interpolated",
    min_pairs: int = 1,
    level: float = 0.95,
    n_resamples: int = 1000,
    seed: int = 0,
) -> pd.DataFrame:
    """What each selector and estimator is ahead of plain uniform sampling by, lot after lot.

    Parameters
    ----------
    lots : mapping of str to Trials
        From `run_recipes`; the first lot is the one that fading is measured from. Uniform sampling
        with the weighted mean must be among the recipes.
    half, threshold, rule, min_pairs, level, n_resamples, seed
        See `agreement` and `mdad`.

    Returns
    -------
    DataFrame
        A row for each lot and cell: ``lot``, the cell, ``mdad`` and ``close``, the agreement of
        pairs up to 5 points (%); ``edge`` (MDAD of plain uniform sampling minus that of the cell)
        and ``close_edge`` (its close agreement minus that of plain uniform sampling), positive
        where the cell is ahead; ``lost`` and ``close_lost``, what of them is gone since the first
        lot, and ``left``, the share of the close edge that remains, NaN where the first lot has no
        sure close edge. Each but the first two has an interval, ``…_low`` and ``…_high``. Trials
        are resampled, and the same ones throughout.

    Raises
    ------
    InputError
        If plain uniform sampling is missing.
    """
    options: dict[str, Any] = {
        "threshold": threshold,
        "rule": rule,
        "min_pairs": min_pairs,
        "level": level,
        "n_resamples": n_resamples,
        "seed": seed,
    }
    counts = {lot: agreement(trials, half) for lot, trials in lots.items()}
    first = next(iter(counts.values()))
    tails = [(1 - level) / 2, (1 + level) / 2]
    tables = []
    for lot, own in counts.items():
        cells = own.cells.reset_index(drop=True)
        base, same = _plain_of(cells), _same_cells(cells, first.cells)
        ahead = mdad_differences(
            own, own, list(zip(base, range(len(cells)), strict=True)), **options
        )
        gone = mdad_differences(
            own, first, list(zip(range(len(cells)), same, strict=True)), **options
        )
        draws = resampling(own, n_resamples, seed)
        # The value itself first, then one for each resample.
        close, close_first = _close(own, draws), _close(first, draws)[same]
        edge, edge_first = close - close[base], close_first - close_first[base]
        sure = np.quantile(edge_first[:, 1:], tails[0], axis=1) > 0
        share = np.divide(edge, edge_first, out=np.full(edge.shape, np.nan), where=edge_first != 0)
        share[~sure] = np.nan
        table = cells[CELL].assign(lot=lot, mdad=ahead["second"], close=close[:, 0])
        table[["edge", "edge_low", "edge_high"]] = ahead[["difference", "low", "high"]].to_numpy()
        table[["lost", "lost_low", "lost_high"]] = gone[["difference", "low", "high"]].to_numpy()
        for name, values in (
            ("close_edge", edge),
            ("close_lost", close_first - close),
            ("left", share),
        ):
            table[name] = values[:, 0]
            table[[f"{name}_low", f"{name}_high"]] = _quantiles(values[:, 1:], tails)
        tables.append(table)
    return pd.concat(tables, ignore_index=True)


def _plain_of(cells: pd.DataFrame) -> list[int]:
    """For each cell the position of plain uniform sampling at its size."""
    plain = (cells["selector"] == YARDSTICK[0]) & (cells["estimator"] == YARDSTICK[1])
    where = {int(cells["size"].iloc[c]): int(c) for c in np.flatnonzero(plain)}
    missing = sorted(set(map(int, cells["size"])) - set(where))
    if missing:
        raise InputError(
            "edges are told over uniform sampling with the weighted mean, which has not been run "
            f"at {missing[0]} items; add it to the recipes."
        )
    return [where[int(size)] for size in cells["size"]]


def _same_cells(cells: pd.DataFrame, first: pd.DataFrame) -> list[int]:
    names = ["selector", "estimator", "size"]
    where = {tuple(row): i for i, row in enumerate(first[names].astype(str).to_numpy().tolist())}
    return [where[tuple(row)] for row in cells[names].astype(str).to_numpy().tolist()]


def _close(counts: Agreement, draws: np.ndarray) -> np.ndarray:
    """Agreement of close pairs in per cent, shape (n_cells, 1 + n_resamples)."""
    near = counts.gaps <= CLOSE
    pairs, right = (values[:, :, near].sum(axis=2) for values in (counts.pairs, counts.agreeing))
    weights = np.vstack([np.ones(draws.shape[1]), draws]).T
    total = pairs @ weights
    return 100 * np.divide(
        right @ weights, total, out=np.full(total.shape, np.nan), where=total > 0
    )


def _quantiles(values: np.ndarray, tails: Sequence[float]) -> np.ndarray:
    """Ends of the intervals, shape (n_cells, 2); NaN where a cell's values are."""
    ends = np.full((len(values), 2), np.nan)
    known = ~np.isnan(values).any(axis=1)
    if known.any():
        ends[known] = np.quantile(values[known], tails, axis=1).T
    return ends
