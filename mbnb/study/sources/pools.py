"""Lots of source models for the same targets, such as those of other families; judges nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from mbnb.data.errors import InputError
from mbnb.data.responses import ResponseMatrix
from mbnb.judge.table import Trials
from mbnb.methods.selectors import Selector
from mbnb.run.splits import key_of, make_split, priorities
from mbnb.run.store import ResultStore
from mbnb.run.trials import make_grid, run_grids
from mbnb.study.sources.numbers import join_trials

# The study's number of targets, which is as many sources as three kinds of families can spare.
MOST = 50
# A pool is told apart from others by few families, so small ones are no use: with at least this
# share of the sources in each, a handful fills it.
LEAST_SHARE = 0.25


@dataclass(frozen=True)
class Pool:
    """Targets, and lots of models from which the same number of sources is drawn.

    Attributes
    ----------
    targets : tuple of str
        Ids; from `draw_pools` all of a few families, the home.
    sources : dict of str to tuple of str
        Ids to draw from; from `draw_pools` ``own`` (the other models of the home), ``few`` (a few
        other families) and ``many`` (all families but the home's).
    families : dict of str to int
        How many families each lot has; empty where lots differ in something else.
    n_source : int
        Sources drawn from each.
    """

    targets: tuple[str, ...]
    sources: dict[str, tuple[str, ...]]
    families: dict[str, int]
    n_source: int


def draw_pools(
    matrix: ResponseMatrix,
    *,
    n_pools: int,
    n_source: int | None = None,
    n_target: int | None = None,
    seed: int = 0,
) -> list[Pool]:
    """Draw targets and three lots of source models, whole families at a time.

    Families come in random order. The first that hold enough models for targets and sources
    together are the home; the next that hold enough for the sources are the few.

    Parameters
    ----------
    matrix : ResponseMatrix
        With the column ``family``; see `with_families`.
    n_pools : int
    n_source, n_target : int, optional
        A sixth of the models and at most 50, where not given.
    seed : int

    Raises
    ------
    InputError
        If the families are unknown, or too few of them are large.
    """
    if "family" not in matrix.models.columns:
        raise InputError(
            f"{matrix.name}: its models have no column 'family'; call with_families first."
        )
    usual = min(MOST, matrix.n_models // 6)
    n_source, n_target = n_source or usual, n_target or usual
    families = matrix.models["family"].astype(str).to_numpy(dtype=object)
    counts = pd.Series(families).value_counts()
    large = np.array(sorted(counts.index[counts >= max(2, LEAST_SHARE * n_source)]), dtype=object)
    return [
        _draw_pool(matrix, families, counts[large], n_source, n_target, [seed, number])
        for number in range(n_pools)
    ]


def _draw_pool(
    matrix: ResponseMatrix,
    families: np.ndarray,
    large: pd.Series,
    n_source: int,
    n_target: int,
    key: list[int],
) -> Pool:
    names = large.index.to_numpy(dtype=object)
    order = names[np.argsort(priorities(names, *key, key_of("pools")))]
    held = np.cumsum(large[order].to_numpy())
    home = _first(held, n_source + n_target)
    few = home + _first(held[home:] - held[min(home, held.size) - 1], n_source) if held.size else 0
    if min(n_source, n_target) < 2 or not held.size or few > held.size:
        raise InputError(
            f"{matrix.name}: {_counted(held.size)} with enough models to be a kind of "
            f"sources, too few for {n_target} targets, {n_source} sources of the same families and "
            f"{n_source} of others."
        )
    masks = {
        "own": np.isin(families, order[:home]),
        "few": np.isin(families, order[home:few]),
        "many": ~np.isin(families, order[:home]),
    }
    rank = np.argsort(priorities(matrix.model_ids, *key, key_of("pools")))
    targets = rank[masks["own"][rank]][:n_target]
    free = ~np.isin(np.arange(matrix.n_models), targets)
    return Pool(
        targets=tuple(map(str, matrix.model_ids[np.sort(targets)])),
        sources={
            arm: tuple(map(str, matrix.model_ids[mask & free])) for arm, mask in masks.items()
        },
        families={arm: len(set(families[mask & free])) for arm, mask in masks.items()},
        n_source=n_source,
    )


def _counted(number: int) -> str:
    return "no families" if not number else "1 family" if number == 1 else f"{number} families"


def _first(held: np.ndarray, wanted: int) -> int:
    """How many of the first families it takes to hold so many models; one too many if none do."""
    return int(np.searchsorted(held, wanted)) + 1


def run_pools(
    matrix: ResponseMatrix,
    selectors: Sequence[str | Selector],
    sizes: Sequence[int],
    pools: Sequence[Pool],
    *,
    estimators: Sequence[str] | None = None,
    seed: int = 0,
    n_jobs: int | None = None,
    store: ResultStore | None = None,
) -> dict[str, Trials]:
    """One trial of each pool, with sources from each of its lots.

    The lots share targets and halves, so that they differ in the sources alone.

    Parameters
    ----------
    matrix : ResponseMatrix
    selectors, sizes, estimators, n_jobs, store
        See `run_trials`.
    pools : sequence of Pool
        With lots of the same names.
    seed : int

    Returns
    -------
    dict of str to Trials
        By lot; the number of a trial is its pool's.
    """
    lots = list(pools[0].sources)
    grids = [
        make_grid(
            matrix.subset(models=sorted((*pool.targets, *pool.sources[lot]))),
            selectors,
            sizes,
            n_trials=1,
            n_source=pool.n_source,
            targets=pool.targets,
            estimators=estimators,
            seed=seed + number,
        )
        for number, pool in enumerate(pools)
        for lot in lots
    ]
    runs = run_grids(grids, n_jobs=n_jobs, store=store)
    return {
        lot: join_trials(runs[position :: len(lots)], renumber=True)
        for position, lot in enumerate(lots)
    }


def sources_apart(matrix: ResponseMatrix, *, n_trials: int, n_target: int, seed: int = 0) -> int:
    """The most sources that every trial has where families are kept on one side.

    Parameters
    ----------
    matrix : ResponseMatrix
        With the column ``family``.
    n_trials, n_target, seed : int

    Returns
    -------
    int
        0 where some trial has none.
    """
    families = matrix.models["family"].to_numpy()
    most = matrix.n_models
    for trial in range(n_trials):
        try:
            split = make_split(
                matrix, seed=seed, trial=trial, n_source=1, n_target=n_target, families=True
            )
        except InputError:
            return 0
        most = min(most, int((~np.isin(families, families[split.targets])).sum()))
    return most
