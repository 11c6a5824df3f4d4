"""Units of work: one selector in one trial of a grid, kept when done; gathers no table."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, nullcontext
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from threadpoolctl import ThreadpoolController
from tqdm import tqdm

from mbnb.data.responses import ResponseMatrix
from mbnb.methods.estimators import make_estimator
from mbnb.methods.selectors import Selector
from mbnb.run.splits import Split, key_of, make_split
from mbnb.run.store import ResultStore, result_key
from mbnb.run.workers import side_by_side

Result = dict[str, np.ndarray]
# Names a file that a grid writes its progress bar to, for whoever watches from another process.
PROGRESS_VARIABLE = "MBNB_PROGRESS"


@dataclass(frozen=True)
class Plan:
    """What one unit of work needs to know, beside the matrix, the selector and the trial."""

    sizes: tuple[int, ...]
    n_source: int
    n_target: int
    targets: tuple[str, ...] | None
    families: bool
    estimators: tuple[str, ...]
    seed: int
    nested: bool

    def split(self, matrix: ResponseMatrix, trial: int) -> Split:
        """The split of a trial."""
        return make_split(
            matrix,
            seed=self.seed,
            trial=trial,
            n_source=self.n_source,
            n_target=self.n_target,
            targets=self.targets,
            families=self.families,
        )

    def estimators_of(self, selector: Selector) -> tuple[str, ...]:
        """The estimators asked for, or the selector's own."""
        return self.estimators or (selector.default_estimator,)


@dataclass(frozen=True, eq=False)
class Grid:
    """Every selector in every trial, on one matrix by one plan; see `make_grid`."""

    matrix: ResponseMatrix
    plan: Plan
    selectors: tuple[Selector, ...]
    n_trials: int

    @property
    def units(self) -> list[tuple[Selector, int]]:
        """Selector and trial of each unit of work, trial by trial."""
        return [(selector, t) for t in range(self.n_trials) for selector in self.selectors]

    @property
    def n_train(self) -> int:
        """Items of the train half, the same in every trial."""
        return int((np.bincount(self.matrix.subtask_codes) // 2).sum())

    def key(self, selector: Selector) -> str:
        """Key of the results of a selector: of the data, the plan, the selector and the code."""
        parts = self._parts(selector)
        if self.plan.families:
            # The content's hash covers answers and subtasks, not what the models are.
            parts["of_family"] = self.matrix.models["family"].astype(str).tolist()
        return result_key(**parts, data=self.matrix.content_hash)

    def about(self, selector: Selector) -> dict[str, Any]:
        """What a person wants to know of the results kept under `key`."""
        shape = {"models": self.matrix.n_models, "items": self.matrix.n_items}
        return {"dataset": self.matrix.name, **shape, **self._parts(selector)}

    def _parts(self, selector: Selector) -> dict[str, Any]:
        return {
            "plan": vars(self.plan),
            "selector": selector.name,
            "options": sorted(vars(selector).items()),
        }


@cache
def _thread_pools() -> ThreadpoolController:
    """The libraries' thread pools of this process; looking for them takes longer than a trial."""
    return ThreadpoolController()


def run_unit(
    works: Sequence[tuple[ResponseMatrix, Plan]], work: int, selector: Selector, trial: int
) -> Result:
    """One selector in one trial: estimates of shape (n_sizes, n_estimators, n_targets)."""
    matrix, plan = works[work]
    # One thread: the last bits of a BLAS product depend on how many share it, and workers that
    # each start a thread for every core slow one another down.
    with _thread_pools().limit(limits=1):
        split = plan.split(matrix, trial)
        sources = matrix.subset(split.sources, split.train)
        fitted = selector.fit(sources)
        targets = matrix.subset(models=split.targets)
        train = targets.subset(items=split.train)
        estimators = [make_estimator(name).fit(sources) for name in plan.estimators_of(selector)]
        estimates = np.empty((len(plan.sizes), len(estimators), split.targets.size))
        for s, size in enumerate(plan.sizes):
            key = [plan.seed, trial, key_of(selector.name)]
            rng = np.random.default_rng(
                np.random.SeedSequence(key if plan.nested else [*key, size])
            )
            selection = fitted.select(size, rng)
            for e, estimator in enumerate(estimators):
                estimates[s, e] = estimator.estimate(selection, train)
    notes = fitted.notes + tuple(note for estimator in estimators for note in estimator.notes)
    return {
        "estimates": estimates,
        "targets": split.targets,
        "train_accuracy": train.accuracies(),
        "heldout_accuracy": targets.subset(items=split.heldout).accuracies(),
        "notes": np.array(tuple(dict.fromkeys(notes)), dtype=np.str_),
    }


def run_units(
    grids: Sequence[Grid],
    *,
    n_jobs: int,
    scheduler: str | None = None,
    store: ResultStore | None = None,
    weigh: Callable[[Grid, Selector], float] | None = None,
) -> list[dict[tuple[str, int], Result]]:
    """Results of all units of each grid by selector and trial.

    Those that the store keeps are read from it, the others are run and kept as they finish.

    Parameters
    ----------
    grids : sequence of Grid
    n_jobs : int
        Processes on this machine; not used with a scheduler.
    scheduler : str, optional
        Address of a Dask cluster's scheduler.
    store : ResultStore, optional
    weigh : callable, optional
        How much of the progress bar one unit of a selector is; 1 where not given.
    """
    results: list[dict[tuple[str, int], Result]] = [{} for _ in grids]
    waiting: list[tuple[int, Selector, int]] = []
    keys: dict[tuple[int, str], str] = {}
    shares: dict[tuple[int, str], float] = {}
    done = total = 0.0
    for g, grid in enumerate(grids):
        for selector in grid.selectors:
            keys[g, selector.name] = grid.key(selector) if store else ""
            shares[g, selector.name] = weigh(grid, selector) if weigh else 1
        for selector, trial in grid.units:
            total += shares[g, selector.name]
            kept = store and store.get(keys[g, selector.name], unit_name(selector, trial))
            if kept:
                results[g][selector.name, trial] = kept
                done += shares[g, selector.name]
            else:
                waiting.append((g, selector, trial))
    works = tuple((grid.matrix, grid.plan) for grid in grids)
    # Closed, so that workers stop where a result cannot be kept.
    calls = closing(side_by_side(run_unit, works, waiting, n_jobs=n_jobs, scheduler=scheduler))
    with _bar(done, total, counted=weigh is None) as bar, calls as finished:
        for position, result in finished:
            g, selector, trial = waiting[position]
            key = keys[g, selector.name]
            if store:
                store.put(key, unit_name(selector, trial), result, grids[g].about(selector))
            results[g][selector.name, trial] = result
            bar.update(shares[g, selector.name])
    return results


def unit_name(selector: Selector, trial: int) -> str:
    """Name of a unit's file in the store."""
    return f"{selector.name}-{trial:05d}"


@contextmanager
def _bar(done: float, total: float, *, counted: bool) -> Iterator[tqdm]:
    # A build of the book watches a chapter's bar through a file. None: where no terminal is, there
    # is no bar. Some CI services pretend to be a terminal.
    watched = os.environ.get(PROGRESS_VARIABLE)
    silent = False if watched else True if os.environ.get("CI") else None
    layout = None if counted else "{percentage:3.0f} %|{bar}| {elapsed}, {remaining} left"
    with (
        open(watched, "w", encoding="utf-8") if watched else nullcontext() as file,
        tqdm(
            total=total,
            initial=done,
            unit="fit",
            bar_format=layout,
            disable=silent,
            leave=False,
            file=file,
            ncols=60 if watched else None,
        ) as bar,
    ):
        yield bar
