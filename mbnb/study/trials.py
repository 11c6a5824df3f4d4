"""Trials: runs the study's grid and gathers one long table; judges nothing."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

import numpy as np
import pandas as pd

from mbnb.data.responses import ResponseMatrix
from mbnb.data.store import ResultStore
from mbnb.errors import InputError
from mbnb.study.estimators import ESTIMATORS
from mbnb.study.selectors import Selector, make_selector
from mbnb.study.splits import DEFAULT_SOURCES, DEFAULT_TARGETS
from mbnb.study.table import COLUMNS, Trials
from mbnb.study.units import Plan, run_units

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
    _check_plan(plan, chosen, n_trials)
    first = plan.split(ordered, 0)
    if max(plan.sizes) > first.train.size:
        raise InputError(
            f"{matrix.name}: size {max(plan.sizes)} is not possible, since the train half has "
            f"{first.train.size} items; allowed are 1 to {first.train.size}."
        )
    units = [(selector, trial) for trial in range(n_trials) for selector in chosen]
    if n_jobs is None:
        n_jobs = int(os.environ.get(JOBS_VARIABLE, "1"))
    results = run_units(ordered, plan, units, n_jobs, store)
    return _gather(ordered, plan, chosen, results, first.train.size, first.heldout.size)


def _check_plan(plan: Plan, selectors: list[Selector], n_trials: int) -> None:
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


def _gather(
    matrix: ResponseMatrix,
    plan: Plan,
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
        for e, estimator in enumerate(plan.estimators_of(selector)):
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
