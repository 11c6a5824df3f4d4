"""Trials: runs the study's grid and gathers one long table; judges nothing."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache

import joblib
import numpy as np
import pandas as pd
from threadpoolctl import ThreadpoolController
from tqdm import tqdm

from mbnb.data.responses import ResponseMatrix
from mbnb.data.store import ResultStore, result_key
from mbnb.errors import InputError
from mbnb.study.estimators import ESTIMATORS, estimate
from mbnb.study.selectors import Selector, make_selector
from mbnb.study.splits import DEFAULT_SOURCES, DEFAULT_TARGETS, key_of, make_split

JOBS_VARIABLE = "MBNB_JOBS"
_NUMBER = re.compile(r"\d+")
COLUMNS = [
    "selector",
    "estimator",
    "size",
    "n_source",
    "trial",
    "model",
    "train_accuracy",
    "heldout_accuracy",
    "estimate",
]


@dataclass(eq=False)
class Trials:
    """The outcome of a grid.

    Attributes
    ----------
    table : DataFrame
        One row for each selector, estimator, size, trial and target model, with its accuracies on
        the train and the held-out half and its estimate (all 0–1).
    dataset : str
        Name of the data.
    n_train, n_heldout : int
        Items in each half.
    binary : bool
        Whether every score is 0 or 1, so that accuracies are counts over items.
    notes : tuple of str
        What a reader of the result must know.
    """

    table: pd.DataFrame
    dataset: str
    n_train: int
    n_heldout: int
    binary: bool
    notes: tuple[str, ...] = field(default=())

    @property
    def n_trials(self) -> int:
        return int(self.table["trial"].nunique())

    @property
    def selectors(self) -> list[str]:
        """Selectors in the order they were asked for."""
        return list(self.table["selector"].cat.categories)

    @property
    def sizes(self) -> list[int]:
        return sorted(int(size) for size in self.table["size"].unique())


@dataclass(frozen=True)
class _Plan:
    """What one unit of work needs to know, beside the matrix, the selector and the trial."""

    sizes: tuple[int, ...]
    n_source: int
    n_target: int
    targets: tuple[str, ...] | None
    families: bool
    estimators: tuple[str, ...]
    seed: int
    nested: bool


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
    n_jobs : int, optional
        Processes, each of one thread; ``$MBNB_JOBS``, or 1, where none are given.
    store : ResultStore, optional
        Keeps finished units of work, so that a killed run loses at most those in flight.
    nested : bool
        Draw smaller selections as parts of larger ones; for selectors that can (`uniform`). The
        paper's protocol, and the default, draws each size anew.

    Returns
    -------
    Trials

    Raises
    ------
    InputError
        If answers are missing, or the grid asks for what the matrix does not have.
    """
    matrix.require_complete()
    ordered = matrix.sorted_by_id()
    chosen = [make_selector(selector) for selector in selectors]
    plan = _Plan(
        sizes=tuple(int(size) for size in sizes),
        n_source=n_source,
        n_target=n_target,
        targets=None if targets is None else tuple(sorted(targets)),
        families=families,
        estimators=tuple(estimators or ()),
        seed=seed,
        nested=nested,
    )
    _check_plan(plan, chosen, n_trials)
    first = make_split(ordered, **_split_arguments(plan, 0))
    if max(plan.sizes) > first.train.size:
        raise InputError(
            f"{matrix.name}: size {max(plan.sizes)} is not possible, since the train half has "
            f"{first.train.size} items; allowed are 1 to {first.train.size}."
        )
    units = [(selector, trial) for trial in range(n_trials) for selector in chosen]
    if n_jobs is None:
        n_jobs = int(os.environ.get(JOBS_VARIABLE, "1"))
    results = _run_units(ordered, plan, units, n_jobs, store)
    return _gather(ordered, plan, chosen, results, first.train.size, first.heldout.size)


def _check_plan(plan: _Plan, selectors: list[Selector], n_trials: int) -> None:
    for what, values in (("selectors", [s.name for s in selectors]), ("sizes", plan.sizes)):
        if not values:
            raise InputError(f"{what} are empty; give at least one.")
        if len(set(values)) != len(values):
            raise InputError(f"{what} hold one twice ({', '.join(map(str, values))}).")
    if min(plan.sizes) < 1:
        raise InputError(f"size {min(plan.sizes)} is not possible; a size is at least 1.")
    if n_trials < 1 or plan.seed < 0:
        raise InputError(
            f"{n_trials} trials with seed {plan.seed} are not possible; allowed are at least one "
            "trial and a seed of at least 0."
        )
    unknown = [name for name in plan.estimators if name not in ESTIMATORS]
    if unknown:
        raise InputError(f"estimator '{unknown[0]}' is unknown; known: {', '.join(ESTIMATORS)}.")
    independent = [s.name for s in selectors if not s.nests]
    if plan.nested and independent:
        raise InputError(
            f"nested selections are not possible for {', '.join(independent)}; only uniform "
            "sampling draws one permutation of which every size is a prefix."
        )


def _split_arguments(plan: _Plan, trial: int) -> dict:
    return {
        "seed": plan.seed,
        "trial": trial,
        "n_source": plan.n_source,
        "n_target": plan.n_target,
        "targets": plan.targets,
        "families": plan.families,
    }


def _estimators_of(plan: _Plan, selector: Selector) -> tuple[str, ...]:
    return plan.estimators or (selector.default_estimator,)


@cache
def _thread_pools() -> ThreadpoolController:
    """The libraries' thread pools of this process; looking for them takes longer than a trial."""
    return ThreadpoolController()


def _run_unit(
    matrix: ResponseMatrix, plan: _Plan, selector: Selector, trial: int
) -> dict[str, np.ndarray]:
    """One selector in one trial: estimates of shape (n_sizes, n_estimators, n_targets)."""
    # One thread: the last bits of a BLAS product depend on how many share it, and workers that
    # each start a thread for every core slow one another down.
    with _thread_pools().limit(limits=1):
        split = make_split(matrix, **_split_arguments(plan, trial))
        fitted = selector.fit(matrix.subset(split.sources, split.train))
        targets = matrix.subset(models=split.targets)
        train = targets.subset(items=split.train)
        estimators = _estimators_of(plan, selector)
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


def _run_units(
    matrix: ResponseMatrix,
    plan: _Plan,
    units: list[tuple[Selector, int]],
    n_jobs: int,
    store: ResultStore | None,
) -> dict[tuple[str, int], dict[str, np.ndarray]]:
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
    bar = tqdm(total=len(units), initial=len(results), unit="fit", disable=None, leave=False)
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
    matrix: ResponseMatrix, plan: _Plan, units: list[tuple[Selector, int]], n_jobs: int
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
    matrix: ResponseMatrix, plan: _Plan, selector: Selector, trial: int
) -> tuple[str, int, dict[str, np.ndarray]]:
    return selector.name, trial, _run_unit(matrix, plan, selector, trial)


def _gather(
    matrix: ResponseMatrix,
    plan: _Plan,
    selectors: list[Selector],
    results: dict[tuple[str, int], dict[str, np.ndarray]],
    n_train: int,
    n_heldout: int,
) -> Trials:
    """The long table, in the order selector, estimator, size, trial, model."""
    frames = []
    notes: list[str] = []
    n_trials = len(results) // len(selectors)
    for selector in selectors:
        for e, estimator in enumerate(_estimators_of(plan, selector)):
            for s, size in enumerate(plan.sizes):
                for trial in range(n_trials):
                    result = results[selector.name, trial]
                    frames.append(
                        {
                            "selector": selector.name,
                            "estimator": estimator,
                            "size": size,
                            "trial": trial,
                            "model": result["targets"],
                            "train_accuracy": result["train_accuracy"],
                            "heldout_accuracy": result["heldout_accuracy"],
                            "estimate": result["estimates"][s, e],
                        }
                    )
        for trial in range(n_trials):
            notes += map(str, results[selector.name, trial]["notes"])
    lengths = [len(frame["model"]) for frame in frames]

    def column(name: str) -> np.ndarray:
        if np.ndim(frames[0][name]):
            return np.concatenate([frame[name] for frame in frames])
        return np.repeat([frame[name] for frame in frames], lengths)

    table = pd.DataFrame({name: column(name) for name in COLUMNS if name != "n_source"})
    table["n_source"] = plan.n_source
    table["selector"] = pd.Categorical(table["selector"], [s.name for s in selectors])
    table["estimator"] = table["estimator"].astype("category")
    table["model"] = pd.Categorical.from_codes(table["model"], matrix.models.index)
    return Trials(
        table=table[COLUMNS],
        dataset=matrix.name,
        n_train=n_train,
        n_heldout=n_heldout,
        binary=matrix.binary,
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
