"""Units of work: one selector in one trial, side by side, kept when done; gathers no table."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import joblib
import numpy as np
from threadpoolctl import ThreadpoolController
from tqdm import tqdm

from mbnb.data.responses import ResponseMatrix
from mbnb.data.store import ResultStore, result_key
from mbnb.study.estimators import estimate
from mbnb.study.selectors import Selector
from mbnb.study.splits import Split, key_of, make_split


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


@cache
def _thread_pools() -> ThreadpoolController:
    """The libraries' thread pools of this process; looking for them takes longer than a trial."""
    return ThreadpoolController()


def _run_unit(
    matrix: ResponseMatrix, plan: Plan, selector: Selector, trial: int
) -> dict[str, np.ndarray]:
    """One selector in one trial: estimates of shape (n_sizes, n_estimators, n_targets)."""
    # One thread: the last bits of a BLAS product depend on how many share it, and workers that
    # each start a thread for every core slow one another down.
    with _thread_pools().limit(limits=1):
        split = plan.split(matrix, trial)
        fitted = selector.fit(matrix.subset(split.sources, split.train))
        targets = matrix.subset(models=split.targets)
        train = targets.subset(items=split.train)
        estimators = plan.estimators_of(selector)
        estimates = np.empty((len(plan.sizes), len(estimators), split.targets.size))
        for s, size in enumerate(plan.sizes):
            key = [plan.seed, trial, key_of(selector.name)]
            rng = np.random.default_rng(
                np.random.SeedSequence(key if plan.nested else [*key, size])
            )
            selection = fitted.select(size, rng)
            for e, name in enumerate(estimators):
                estimates[s, e] = estimate(name, selection, train)
    return {
        "estimates": estimates,
        "targets": split.targets,
        "train_accuracy": train.accuracies(),
        "heldout_accuracy": targets.subset(items=split.heldout).accuracies(),
        "notes": np.array(fitted.notes, dtype=np.str_),
    }


def run_units(
    matrix: ResponseMatrix,
    plan: Plan,
    units: list[tuple[Selector, int]],
    n_jobs: int,
    store: ResultStore | None,
) -> dict[tuple[str, int], dict[str, np.ndarray]]:
    """Results of all units, those that the store keeps read from it, the others run and kept."""
    results: dict[tuple[str, int], dict[str, np.ndarray]] = {}
    keys: dict[str, str] = {}
    if store is not None:
        keys = {
            selector.name: result_key(
                data=matrix.content_hash,
                plan=plan,
                selector=selector.name,
                options=sorted(vars(selector).items()),
            )
            for selector, trial in units
            if trial == 0
        }
        for selector, trial in units:
            kept = store.get(keys[selector.name], _unit_name(selector.name, trial))
            if kept is not None:
                results[selector.name, trial] = kept
    waiting = [unit for unit in units if (unit[0].name, unit[1]) not in results]
    # None: where no terminal is, there is no bar. Some CI services pretend to be a terminal.
    silent = True if os.environ.get("CI") else None
    bar = tqdm(total=len(units), initial=len(results), unit="fit", disable=silent, leave=False)
    with bar:
        for name, trial, result in _stream(matrix, plan, waiting, n_jobs):
            if store is not None:
                store.put(keys[name], _unit_name(name, trial), result)
            results[name, trial] = result
            bar.update()
    return results


def _unit_name(selector: str, trial: int) -> str:
    return f"{selector}-{trial:05d}"


def _stream(
    matrix: ResponseMatrix, plan: Plan, units: list[tuple[Selector, int]], n_jobs: int
) -> Iterator[tuple[str, int, dict[str, np.ndarray]]]:
    if n_jobs == 1 or len(units) <= 1:
        for selector, trial in units:
            yield selector.name, trial, _run_unit(matrix, plan, selector, trial)
        return
    parallel = joblib.Parallel(n_jobs=n_jobs, return_as="generator_unordered")
    yield from parallel(
        joblib.delayed(_named_unit)(matrix, plan, selector, trial) for selector, trial in units
    )


def _named_unit(
    matrix: ResponseMatrix, plan: Plan, selector: Selector, trial: int
) -> tuple[str, int, dict[str, np.ndarray]]:
    return selector.name, trial, _run_unit(matrix, plan, selector, trial)
