"""Freezes a micro-benchmark: selects from all items, and measures what its interval rests on."""

from __future__ import annotations

import importlib.metadata
import os
from contextlib import closing
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from threadpoolctl import ThreadpoolController
from tqdm import tqdm

from mbnb.data.errors import InputError
from mbnb.data.responses import ResponseMatrix
from mbnb.frozen.micro_benchmark import Basis, FrozenItem, KnownModel, MicroBenchmark
from mbnb.frozen.relatedness import unrelated_share
from mbnb.methods.estimators import DECIMALS, LinearEstimator, estimate, make_estimator
from mbnb.methods.linear import LinearRule
from mbnb.methods.selector import STAND_IN
from mbnb.methods.selectors import Selection, Selector, make_selector
from mbnb.run.splits import key_of, priorities
from mbnb.run.workers import side_by_side

FOLDS = 10
# They look at no answer, so the known models are as new to their items as any other model is.
BLIND = ("uniform", "subtask")
LOG_COLUMNS = ("task", "doc_id", "metric", "filter", "content", "n_options")


def freeze(
    matrix: ResponseMatrix,
    selector: str | Selector = "uniform",
    size: int = 250,
    seed: int = 0,
    *,
    estimator: str | None = None,
    nested: bool = False,
    n_folds: int = FOLDS,
    n_jobs: int = 1,
    notes: tuple[str, ...] = (),
) -> MicroBenchmark:
    """Select items of the whole matrix and freeze them with all that scoring a new model needs.

    The same data, selector, size and seed give the same micro-benchmark, whatever the order of
    models and items and the number of processes.

    Parameters
    ----------
    matrix : ResponseMatrix
        Complete; its models are the known models and their scores over all its items the full
        scores.
    selector : str or Selector
    size, seed : int
        A draw is keyed by seed, selector and size: another size is another draw.
    estimator : {"weighted-mean", "confidence-mean", "ridge", "corrected-mean"}, optional
        By default the selector's own. What an estimator learns is learnt from the known models.
    nested : bool
        Draw the smaller of two sizes as a part of the larger; for `uniform`.
    n_folds : int
        Where a selector looks at answers, the known models are left out a fold at a time and the
        items selected anew without them, to see how far the estimate of a model falls from its
        full score if the selector has not seen it.
    n_jobs : int
        Processes that the folds run in; changes no number.
    notes : tuple of str
        Sentences to keep with it, such as what `prepare` left out.

    Raises
    ------
    InputError
        If answers are missing, or the selector, the estimator, the size, the seed or the number
        of folds is not possible.
    """
    matrix.require_complete()
    matrix = matrix.sorted_by_id()
    selector = make_selector(selector)
    estimator = estimator or selector.default_estimator
    _check(matrix, selector, estimator, size, seed, nested, n_folds)
    choice = _Choice(selector, size, seed, nested)
    selection, found = choice.select(matrix, "micro-benchmark")
    evidence = _evidence(matrix, estimator)
    if estimator == "confidence-mean" and evidence == "scores":
        found = (STAND_IN, *(note for note in found if note != STAND_IN))
    learns = make_estimator(estimator).learns
    # Models that an estimator has learnt from are not new to it.
    basis: Basis = "same-items" if selector.name in BLIND and not learns else "folds"
    if (
        basis == "same-items"
        and selector.name == "uniform"
        and matrix.binary
        and evidence == "scores"
    ):
        basis = "random-items"
    if matrix.n_models < 2 and basis == "folds":
        raise InputError(
            f"{matrix.name} has {matrix.n_models} models; {selector.name} needs at least 2, so "
            "that one can be left out."
        )
    if matrix.n_models == 1:
        found = (*found, "With one known model a new one's place means little.")
    rule = _learnt(matrix, estimator, selection)
    answers = matrix.scores[:, selection.items]
    known: dict[str, list[Any]] = {
        "id": list(matrix.model_ids),
        "score": [min(1.0, max(0.0, float(s))) for s in matrix.accuracies()],
        "estimate": [float(e) for e in estimates_of(matrix, estimator, selection, rule)],
    }
    if basis == "random-items":
        known["answers"] = ["".join(map(str, row)) for row in answers.tolist()]
    if basis == "folds":
        n_folds = min(n_folds, matrix.n_models)
        known["fold"] = [int(f) for f in _folds(matrix, seed, n_folds)]
        known["fold_estimates"] = _fold_estimates(matrix, choice, estimator, known["fold"], n_jobs)
    return MicroBenchmark(
        mbnb_version=importlib.metadata.version("mbnb"),
        dataset=matrix.name,
        data=matrix.content_hash,
        n_models=matrix.n_models,
        n_items=matrix.n_items,
        selector=selector.name,
        estimator=estimator,
        size=size,
        seed=seed,
        nested=nested,
        binary=matrix.binary,
        evidence=evidence,
        basis=basis,
        n_folds=n_folds if basis == "folds" else 0,
        unrelated_share=unrelated_share(answers.astype(np.float64)),
        notes=(*notes, *found),
        items=_items(matrix, selection, rule),
        known=tuple(
            KnownModel(**dict(zip(known, row, strict=True)))
            for row in zip(*known.values(), strict=True)
        ),
        intercept=None if rule is None else float(rule.intercept),
    )


def estimates_of(
    matrix: ResponseMatrix, estimator: str, selection: Selection, rule: LinearRule | None
) -> np.ndarray:
    """Estimated full scores (0–1), shape (n_models,), by what was learnt or by the estimator.

    A learnt sum may lie outside of what a score can be; a single model's is cut off there.
    """
    if rule is None:
        return estimate(estimator, selection, matrix)
    told = np.round(rule.apply(matrix.scores[:, selection.items]), DECIMALS)
    return np.clip(told, 0, 1)


@cache
def _thread_pools() -> ThreadpoolController:
    """The libraries' thread pools of this process; looking for them takes longer than a draw."""
    return ThreadpoolController()


class _Choice:
    """What a selection hangs on, beside the matrix."""

    def __init__(self, selector: Selector, size: int, seed: int, nested: bool) -> None:
        self.selector, self.size, self.seed, self.nested = selector, size, seed, nested

    def select(
        self, matrix: ResponseMatrix, purpose: str, number: int = 0
    ) -> tuple[Selection, tuple[str, ...]]:
        """The selection and the selector's notes."""
        key = [self.seed, key_of(purpose), number, key_of(self.selector.name)]
        rng = np.random.default_rng(
            np.random.SeedSequence(key if self.nested else [*key, self.size])
        )
        # One thread: the last bits of a BLAS product depend on how many share it.
        with _thread_pools().limit(limits=1):
            fitted = self.selector.fit(matrix)
            return fitted.select(self.size, rng), fitted.notes


def _check(
    matrix: ResponseMatrix,
    selector: Selector,
    estimator: str,
    size: int,
    seed: int,
    nested: bool,
    n_folds: int,
) -> None:
    if not 1 <= size <= matrix.n_items:
        raise InputError(
            f"size {size} is not possible: {matrix.name} has {matrix.n_items} items; allowed are 1 "
            f"to {matrix.n_items}."
        )
    make_estimator(estimator)
    if nested and not selector.nests:
        raise InputError(
            f"nested selections are not possible for {selector.name}; only uniform can be nested."
        )
    if seed < 0:
        raise InputError(f"seed {seed} is not possible; allowed are whole numbers from 0.")
    if n_folds < 2:
        raise InputError(f"{n_folds} folds are not possible; allowed are 2 or more.")


def _evidence(matrix: ResponseMatrix, estimator: str) -> Any:
    confident = estimator == "confidence-mean" and matrix.confidences is not None
    return "confidences" if confident else "scores"


def _folds(matrix: ResponseMatrix, seed: int, n_folds: int) -> np.ndarray:
    """The fold of each model, by its own priority; sizes differ by one at most."""
    draw = priorities(matrix.model_ids, seed, key_of("folds"))
    fold = np.empty(matrix.n_models, dtype=np.int64)
    fold[np.argsort(draw)] = np.arange(matrix.n_models) % n_folds
    return fold


def _fold_estimates(
    matrix: ResponseMatrix,
    choice: _Choice,
    estimator: str,
    fold: list[int],
    n_jobs: int,
) -> list[tuple[float, ...]]:
    """Of each model its estimate from the items selected without each fold."""
    n_folds = max(fold) + 1
    columns = np.empty((matrix.n_models, n_folds))
    shared = (matrix, choice, estimator, np.array(fold))
    calls = side_by_side(_one_fold, shared, [(f,) for f in range(n_folds)], n_jobs=n_jobs)
    # As for trials: no bar where no terminal is, nor in a CI service that pretends to be one.
    silent = True if os.environ.get("CI") else None
    bar = tqdm(total=n_folds, unit="fold", disable=silent, leave=False)
    with closing(calls) as finished, bar:
        for number, estimates in finished:
            columns[:, number] = estimates
            bar.update()
    return [tuple(map(float, row)) for row in columns]


def _one_fold(shared: tuple[ResponseMatrix, _Choice, str, np.ndarray], number: int) -> np.ndarray:
    matrix, choice, estimator, fold = shared
    others = matrix.subset(models=fold != number)
    selection, _ = choice.select(others, "fold", number)
    return estimates_of(matrix, estimator, selection, _learnt(others, estimator, selection))


def _learnt(known: ResponseMatrix, estimator: str, selection: Selection) -> LinearRule | None:
    """What the estimator learns from the known models, None if nothing."""
    how = make_estimator(estimator)
    if not how.learns:
        return None
    fitted = how.fit(known)
    if not isinstance(fitted, LinearEstimator):
        raise InputError(
            f"estimator '{estimator}' cannot be frozen, since it needs the answers of all known "
            "models to all items; allowed are weighted-mean, confidence-mean, ridge and "
            "corrected-mean."
        )
    with _thread_pools().limit(limits=1):
        return fitted.rule(selection)


def _items(
    matrix: ResponseMatrix, selection: Selection, rule: LinearRule | None
) -> tuple[FrozenItem, ...]:
    table = matrix.items.iloc[selection.items]
    means = matrix.scores[:, selection.items].mean(axis=0, dtype=np.float64)
    columns = [name for name in LOG_COLUMNS if name in table.columns]
    learnt = [None] * len(table) if rule is None else [float(c) for c in rule.coefficients]
    free = zip(*(table[name] for name in columns), strict=True) if columns else [()] * len(table)
    return tuple(
        FrozenItem(
            id=str(name),
            weight=float(weight),
            subtask=str(subtask),
            mean_score=float(mean),
            coefficient=coefficient,
            **_logged(dict(zip(columns, row, strict=True))),
        )
        for name, weight, subtask, mean, coefficient, row in zip(
            table.index, selection.weights, table["subtask"], means, learnt, free, strict=True
        )
    )


def _logged(row: dict[str, Any]) -> dict[str, Any]:
    """Values of the free columns as JSON has them; what is not there is left out."""
    there = {name: value for name, value in row.items() if not pd.isna(value)}
    return {
        name: _whole_or_text(value) if name in ("doc_id", "n_options") else str(value)
        for name, value in there.items()
    }


def _whole_or_text(value: Any) -> int | str:
    # A column with gaps turns whole numbers into floats.
    if isinstance(value, int | np.integer | float | np.floating) and float(value).is_integer():
        return int(value)
    text = str(value)
    # Whole numbers as they are usually written: "007" is a name.
    return int(text) if text.isdecimal() and str(int(text)) == text else text
