"""Freezes a micro-benchmark: selects from all items, and measures what its interval rests on."""

from __future__ import annotations

import importlib.metadata
import os
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from typing import Any

import msgspec
import numpy as np
import pandas as pd
from threadpoolctl import ThreadpoolController
from tqdm import tqdm

from mbnb.data.errors import InputError
from mbnb.data.responses import ResponseMatrix
from mbnb.frozen.intervals import CHANCE, relatedness
from mbnb.frozen.micro_benchmark import Basis, FrozenItem, KnownModel, MicroBenchmark
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
# A bias that is 0.0 in points is not told.
SMALL = 0.0005


@dataclass(frozen=True)
class _Draw:
    """What a selection and its estimate hang on, beside the matrix."""

    selector: Selector
    estimator: str
    size: int
    seed: int
    nested: bool

    def select(
        self, matrix: ResponseMatrix, purpose: str, number: int = 0
    ) -> tuple[Selection, tuple[str, ...]]:
        """The selection, weighted to estimate the score over all items, and the selector's notes.

        `subtask` gives its items equal weights, and so estimates the mean of subtasks. Here an item
        counts for its share of its subtask's items, N_h / (N n_h), as in stratified sampling.
        """
        key = [self.seed, key_of(purpose), number, key_of(self.selector.name)]
        rng = np.random.default_rng(
            np.random.SeedSequence(key if self.nested else [*key, self.size])
        )
        # One thread: the last bits of a BLAS product depend on how many share it.
        with _thread_pools().limit(limits=1):
            fitted = self.selector.fit(matrix)
            selection = fitted.select(self.size, rng)
        if self.selector.name == "subtask":
            codes = matrix.subtask_codes
            drawn = codes[selection.items]
            weights = np.bincount(codes)[drawn] / np.bincount(drawn)[drawn]
            selection = Selection.of(selection.items, weights)
        return selection, fitted.notes

    def learn(self, known: ResponseMatrix, selection: Selection) -> LinearRule | None:
        """What the estimator learns from the known models, None if nothing."""
        how = make_estimator(self.estimator)
        if not how.learns:
            return None
        fitted = how.fit(known)
        if not isinstance(fitted, LinearEstimator):
            raise InputError(
                f"estimator '{self.estimator}' cannot be frozen, since it needs the answers of all "
                "known models to all items; allowed are weighted-mean, confidence-mean, ridge and "
                "corrected-mean."
            )
        with _thread_pools().limit(limits=1):
            return fitted.rule(selection)


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
    selector = make_selector(selector)
    draw = _Draw(selector, estimator or selector.default_estimator, size, seed, nested)
    _check(matrix, draw, n_folds)
    return _frozen(matrix.sorted_by_id(), draw, min(n_folds, matrix.n_models), n_jobs, notes)


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


def _check(matrix: ResponseMatrix, draw: _Draw, n_folds: int) -> None:
    make_estimator(draw.estimator)
    for name, value, least, most in (
        ("size", draw.size, 1, matrix.n_items),
        ("seed", draw.seed, 0, None),
        ("n_folds", n_folds, 2, None),
    ):
        if value < least or (most is not None and value > most):
            end = "or more" if most is None else f"to {most}, the items of {matrix.name}"
            raise InputError(f"{name} {value} is not possible; allowed are {least} {end}.")
    if draw.nested and not draw.selector.nests:
        raise InputError(
            f"nested selections are not possible for {draw.selector.name}; only uniform can be "
            "nested."
        )
    if matrix.n_models < 2 and _basis(matrix, draw) == "folds":
        raise InputError(
            f"{matrix.name} has {matrix.n_models} models; {draw.selector.name} needs at least 2, "
            "so that one can be left out."
        )


def _evidence(matrix: ResponseMatrix, draw: _Draw) -> Any:
    confident = draw.estimator == "confidence-mean" and matrix.confidences is not None
    return "confidences" if confident else "scores"


def _basis(matrix: ResponseMatrix, draw: _Draw) -> Basis:
    # Models that an estimator has learnt from are not new to it.
    if draw.selector.name not in BLIND or make_estimator(draw.estimator).learns:
        return "folds"
    exact = draw.selector.name == "uniform" and matrix.binary
    return "random-items" if exact and _evidence(matrix, draw) == "scores" else "same-items"


def _frozen(
    matrix: ResponseMatrix, draw: _Draw, n_folds: int, n_jobs: int, notes: tuple[str, ...]
) -> MicroBenchmark:
    selection, found = draw.select(matrix, "micro-benchmark")
    rule = draw.learn(matrix, selection)
    evidence, basis = _evidence(matrix, draw), _basis(matrix, draw)
    if draw.estimator == "confidence-mean" and evidence == "scores":
        found = (STAND_IN, *(note for note in found if note != STAND_IN))
    if matrix.n_models == 1:
        found = (*found, "With one known model a new one's place means little.")
    answers = matrix.scores[:, selection.items]
    known: dict[str, list[Any]] = {
        "id": list(matrix.model_ids),
        "score": [min(1.0, max(0.0, float(s))) for s in matrix.accuracies()],
        "estimate": estimates_of(matrix, draw.estimator, selection, rule).tolist(),
    }
    if basis == "random-items":
        known["answers"] = ["".join(map(str, row)) for row in answers.tolist()]
    if basis == "folds":
        folds = _folds(matrix, draw.seed, n_folds)
        known["fold"] = folds.tolist()
        known["fold_estimates"] = _fold_estimates(matrix, draw, folds, n_jobs)
    micro = MicroBenchmark(
        mbnb_version=importlib.metadata.version("mbnb"),
        dataset=matrix.name,
        data=matrix.content_hash,
        n_models=matrix.n_models,
        n_items=matrix.n_items,
        selector=draw.selector.name,
        estimator=draw.estimator,
        size=draw.size,
        seed=draw.seed,
        nested=draw.nested,
        binary=matrix.binary,
        evidence=evidence,
        basis=basis,
        n_folds=n_folds if basis == "folds" else 0,
        unrelated_share=_unrelated_share(answers.astype(np.float64)),
        notes=(*notes, *found),
        items=_items(matrix, selection, rule),
        known=tuple(KnownModel(*row) for row in _rows(known)),
        intercept=None if rule is None else float(rule.intercept),
    )
    return msgspec.structs.replace(micro, notes=(*micro.notes, *_told_bias(micro)))


def _rows(known: dict[str, list[Any]]) -> list[tuple[Any, ...]]:
    """The values of each known model, in the order of its fields."""
    absent = [None] * len(known["id"])
    return list(zip(*(known.get(f, absent) for f in KnownModel.__struct_fields__), strict=True))


def _told_bias(micro: MicroBenchmark) -> tuple[str, ...]:
    if abs(micro.bias) < SMALL:
        return ()
    where = "high" if micro.bias > 0 else "low"
    return (
        f"Estimates of the known models are too {where} by {100 * abs(micro.bias):.1f} points in "
        "the median, which is taken off every new model's.",
    )


def _unrelated_share(answers: np.ndarray) -> float:
    """Share of models (0–1) whose answers do not clearly go with the other models' mean scores."""
    if len(answers) < 2:
        return 1.0
    others = (answers.sum(axis=0) - answers) / (len(answers) - 1)
    # A model with the same answer everywhere tells nothing of ids; it counts as related.
    return float(np.mean(relatedness(answers, others) < CHANCE))


def _folds(matrix: ResponseMatrix, seed: int, n_folds: int) -> np.ndarray:
    """The fold of each model, by its own priority; sizes differ by one at most."""
    draw = priorities(matrix.model_ids, seed, key_of("folds"))
    fold = np.empty(matrix.n_models, dtype=np.int64)
    fold[np.argsort(draw)] = np.arange(matrix.n_models) % n_folds
    return fold


def _fold_estimates(
    matrix: ResponseMatrix, draw: _Draw, folds: np.ndarray, n_jobs: int
) -> list[tuple[float, ...]]:
    """Of each model its estimate from the items selected without each fold."""
    n_folds = int(folds.max()) + 1
    columns = np.empty((matrix.n_models, n_folds))
    calls = side_by_side(
        _one_fold, (matrix, draw, folds), [(f,) for f in range(n_folds)], n_jobs=n_jobs
    )
    # As for trials: no bar where no terminal is, nor in a CI service that pretends to be one.
    silent = True if os.environ.get("CI") else None
    bar = tqdm(total=n_folds, unit="fold", disable=silent, leave=False)
    with closing(calls) as finished, bar:
        for number, estimates in finished:
            columns[:, number] = estimates
            bar.update()
    return [tuple(map(float, row)) for row in columns]


def _one_fold(shared: tuple[ResponseMatrix, _Draw, np.ndarray], number: int) -> np.ndarray:
    matrix, draw, folds = shared
    others = matrix.subset(models=folds != number)
    selection, _ = draw.select(others, "fold", number)
    return estimates_of(matrix, draw.estimator, selection, draw.learn(others, selection))


def _items(
    matrix: ResponseMatrix, selection: Selection, rule: LinearRule | None
) -> tuple[FrozenItem, ...]:
    table = matrix.items.iloc[selection.items]
    logged = table[[name for name in LOG_COLUMNS if name in table.columns]]
    columns = zip(
        table.index,
        selection.weights.tolist(),
        table["subtask"],
        matrix.scores[:, selection.items].mean(axis=0, dtype=np.float64).tolist(),
        [None] * len(table) if rule is None else rule.coefficients.tolist(),
        logged.to_dict("records"),
        strict=True,
    )
    return tuple(
        FrozenItem(str(name), weight, str(subtask), mean, coefficient, **_as_in_json(row))
        for name, weight, subtask, mean, coefficient, row in columns
    )


def _as_in_json(row: dict[str, Any]) -> dict[str, Any]:
    """What a log's columns say of an item, as JSON has it; what is not there is left out."""
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
