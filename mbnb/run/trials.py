"""Trials: runs the study's grids and gathers one long table of each; judges nothing."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd

from mbnb.data.errors import InputError
from mbnb.data.responses import ResponseMatrix
from mbnb.judge.table import COLUMNS, Trials
from mbnb.methods.estimators import ESTIMATORS
from mbnb.methods.selectors import Selector, make_selector
from mbnb.run.splits import DEFAULT_SOURCES, DEFAULT_TARGETS
from mbnb.run.store import ResultStore
from mbnb.run.units import Grid, Plan, Result, run_units

JOBS_VARIABLE = "MBNB_JOBS"
_NUMBER = re.compile(r"\d+")


def run_trials(
    matrix: ResponseMatrix,
    selectors: Sequence[str | Selector],
    sizes: Sequence[int],
    *,
    n_trials: int = 50,
    n_source: int = DEFAULT_SOURCES,
    n_target: int = DEFAULT_TARGETS,
    targets: Sequence[str] | None = None,
    families: bool = False,
    estimators: Sequence[str] | None = None,
    seed: int = 0,
    n_jobs: int | None = None,
    scheduler: str | None = None,
    store: ResultStore | None = None,
    nested: bool = False,
) -> Trials:
    """Run every selector at every size in every trial.

    A trial halves the items and draws source and target models; each selector is fitted once on
    the sources' train half and selects at every size; each target's accuracy is estimated from
    its answers on the selection. Every random number is keyed by (seed, trial, selector, size):
    the result is the same for any number of workers and any order of models and items, and does
    not change when a selector, a size or a trial is added.

    Parameters
    ----------
    matrix, selectors, sizes, n_trials, n_source, n_target, targets, families, estimators, seed, \
    nested
        See `make_grid`.
    n_jobs, scheduler, store
        See `run_grids`.

    Returns
    -------
    Trials

    Raises
    ------
    InputError
        If answers are missing, or the grid asks for what the matrix does not have.
    """
    grid = make_grid(
        matrix,
        selectors,
        sizes,
        n_trials=n_trials,
        n_source=n_source,
        n_target=n_target,
        targets=targets,
        families=families,
        estimators=estimators,
        seed=seed,
        nested=nested,
    )
    return run_grids([grid], n_jobs=n_jobs, scheduler=scheduler, store=store)[0]


def make_grid(
    matrix: ResponseMatrix,
    selectors: Sequence[str | Selector],
    sizes: Sequence[int],
    *,
    n_trials: int = 50,
    n_source: int = DEFAULT_SOURCES,
    n_target: int = DEFAULT_TARGETS,
    targets: Sequence[str] | None = None,
    families: bool = False,
    estimators: Sequence[str] | None = None,
    seed: int = 0,
    nested: bool = False,
) -> Grid:
    """Check what a grid asks for, and hold it ready; nothing is run.

    Parameters
    ----------
    matrix : ResponseMatrix
        Complete; see `resolve_missing` and `drop_duplicate_models`.
    selectors : sequence of str or Selector
    sizes : sequence of int
        At most the number of items of the train half; see `possible_sizes`.
    n_trials, n_source, n_target : int
        See `possible_counts` for what a matrix allows.
    targets : sequence of str, optional
        Ids of fixed target models; `n_target` is then not used.
    families : bool
        Keep every family of models on one side.
    estimators : sequence of str, optional
        Apply these to every selection; each selector's own where none are given.
    seed : int
    nested : bool
        Draw smaller selections as parts of larger ones; for selectors that can (`uniform`). The
        paper's protocol, and the default, draws each size anew.

    Raises
    ------
    InputError
        If answers are missing, or the grid asks for what the matrix does not have.
    """
    matrix.require_complete()
    plan = Plan(
        sizes=tuple(int(size) for size in sizes),
        n_source=n_source,
        n_target=n_target,
        targets=None if targets is None else tuple(sorted(targets)),
        families=families,
        estimators=tuple(estimators or ()),
        seed=seed,
        nested=nested,
    )
    chosen = tuple(make_selector(selector) for selector in selectors)
    grid = Grid(matrix.sorted_by_id(), plan, chosen, n_trials)
    _check(grid)
    return grid


def run_grids(
    grids: Sequence[Grid],
    *,
    n_jobs: int | None = None,
    scheduler: str | None = None,
    store: ResultStore | None = None,
    weigh: Callable[[Grid, Selector], float] | None = None,
) -> list[Trials]:
    """Run grids over one set of workers.

    Parameters
    ----------
    grids : sequence of Grid
    n_jobs : int, optional
        Processes, each of one thread; ``$MBNB_JOBS``, or 1, where none are given.
    scheduler : str, optional
        Address of a Dask cluster's scheduler, such as ``tcp://10.0.0.1:8786``: its workers run
        the units then, and `n_jobs` is not used.
    store : ResultStore, optional
        Keeps finished units of work, so that a killed run loses at most those in flight.
    weigh : callable, optional
        How much of the progress bar one unit of a selector in a grid is.

    Returns
    -------
    list of Trials
        In the order of the grids.
    """
    if n_jobs is None:
        n_jobs = int(os.environ.get(JOBS_VARIABLE, "1"))
    results = run_units(grids, n_jobs=n_jobs, scheduler=scheduler, store=store, weigh=weigh)
    return [_gather(grid, found) for grid, found in zip(grids, results, strict=True)]


def _check(grid: Grid) -> None:
    plan = grid.plan
    for what, values in (("selectors", [s.name for s in grid.selectors]), ("sizes", plan.sizes)):
        if not values:
            raise InputError(f"{what} are empty; give at least one.")
        if len(set(values)) != len(values):
            raise InputError(f"{what} hold one twice ({', '.join(map(str, values))}).")
    if min(plan.sizes) < 1:
        raise InputError(f"size {min(plan.sizes)} is not possible; a size is at least 1.")
    if grid.n_trials < 1 or plan.seed < 0:
        raise InputError(
            f"{grid.n_trials} trials with seed {plan.seed} are not possible; allowed are at least "
            "one trial and a seed of at least 0."
        )
    unknown = [name for name in plan.estimators if name not in ESTIMATORS]
    if unknown:
        raise InputError(f"estimator '{unknown[0]}' is unknown; known: {', '.join(ESTIMATORS)}.")
    independent = [s.name for s in grid.selectors if not s.nests]
    if plan.nested and independent:
        raise InputError(
            f"nested selections are not possible for {', '.join(independent)}; only uniform "
            "sampling draws one permutation of which every size is a prefix."
        )
    first = plan.split(grid.matrix, 0)
    if max(plan.sizes) > first.train.size:
        raise InputError(
            f"{grid.matrix.name}: size {max(plan.sizes)} is not possible, since the train half has "
            f"{first.train.size} items; allowed are 1 to {first.train.size}."
        )


def _gather(grid: Grid, results: dict[tuple[str, int], Result]) -> Trials:
    """The long table, in the order selector, estimator, size, trial, model."""
    plan = grid.plan
    estimators = sorted({name for s in grid.selectors for name in plan.estimators_of(s)})
    # Names as numbers: in a large grid, columns of strings would outweigh all that is measured.
    labels: list[tuple[int, int, int, int]] = []
    chosen: list[Result] = []
    estimates: list[np.ndarray] = []
    for code, selector in enumerate(grid.selectors):
        for e, estimator in enumerate(plan.estimators_of(selector)):
            for s, size in enumerate(plan.sizes):
                for trial in range(grid.n_trials):
                    result = results[selector.name, trial]
                    labels.append((code, estimators.index(estimator), size, trial))
                    chosen.append(result)
                    estimates.append(result["estimates"][s, e])
    selector_codes, estimator_codes, sizes, trials = (
        np.repeat(column, [len(values) for values in estimates])
        for column in zip(*labels, strict=True)
    )
    columns = {
        "selector": pd.Categorical.from_codes(selector_codes, [s.name for s in grid.selectors]),
        "estimator": pd.Categorical.from_codes(estimator_codes, estimators),
        "size": sizes,
        "n_source": plan.n_source,
        "trial": trials,
        "model": pd.Categorical.from_codes(
            np.concatenate([result["targets"] for result in chosen]), grid.matrix.models.index
        ),
        "train_accuracy": np.concatenate([result["train_accuracy"] for result in chosen]),
        "heldout_accuracy": np.concatenate([result["heldout_accuracy"] for result in chosen]),
        "estimate": np.concatenate(estimates),
    }
    notes = [str(note) for s, t in grid.units for note in results[s.name, t]["notes"]]
    return Trials(
        table=pd.DataFrame(columns)[COLUMNS],
        dataset=grid.matrix.name,
        n_train=grid.n_train,
        n_heldout=grid.matrix.n_items - grid.n_train,
        binary=grid.matrix.binary,
        notes=_merged(notes),
    )


def _merged(notes: list[str]) -> tuple[str, ...]:
    """Each note once; those that differ in their numbers alone become one with ranges."""
    variants: dict[str, list[list[int]]] = {}
    for note in notes:
        variants.setdefault(_NUMBER.sub("{}", note), []).append(
            [int(number) for number in _NUMBER.findall(note)]
        )
    merged = []
    for text, numbers in variants.items():
        spans = [(min(column), max(column)) for column in zip(*numbers, strict=True)]
        merged.append(text.format(*(f"{a}–{b}" if a < b else str(a) for a, b in spans)))
    return tuple(merged)
