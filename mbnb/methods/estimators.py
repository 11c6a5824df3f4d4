"""The estimators by name: from a target model's answers on the selection to its accuracy."""

from __future__ import annotations

import numpy as np

from mbnb.data.errors import InputError
from mbnb.data.responses import ResponseMatrix
from mbnb.methods.estimator import (
    DECIMALS,
    Estimator,
    FittedEstimator,
    LinearEstimator,
)
from mbnb.methods.irt_estimates import GPIRT, PIRT
from mbnb.methods.means import ConfidenceMean, WeightedMean
from mbnb.methods.ridge import CorrectedMean, Ridge
from mbnb.methods.selector import Selection

__all__ = [
    "DECIMALS",
    "ESTIMATORS",
    "Estimator",
    "FittedEstimator",
    "LinearEstimator",
    "estimate",
    "make_estimator",
]

ESTIMATORS: dict[str, type[Estimator]] = {
    estimator.name: estimator
    for estimator in (WeightedMean, ConfidenceMean, Ridge, CorrectedMean, PIRT, GPIRT)
}


def make_estimator(name: str) -> Estimator:
    """An estimator by its name.

    Raises
    ------
    InputError
        If the name is unknown; the message lists those that are known.
    """
    if name not in ESTIMATORS:
        raise InputError(f"estimator '{name}' is unknown; known: {', '.join(ESTIMATORS)}.")
    return ESTIMATORS[name]()


def estimate(
    name: str,
    selection: Selection,
    targets: ResponseMatrix,
    sources: ResponseMatrix | None = None,
) -> np.ndarray:
    """Estimated accuracies of target models, shape (n_models,), rounded so that ties tie.

    Parameters
    ----------
    name : str
        See `ESTIMATORS`.
    selection : Selection
        Items as positions in `targets`.
    targets : ResponseMatrix
        Target models × items of the half that the selection was made from, complete.
    sources : ResponseMatrix, optional
        Source models × the same items; for estimators that learn.

    Raises
    ------
    InputError
        If the estimator is unknown, answers are missing, or there is nothing to learn from.
    """
    estimator = make_estimator(name)
    if sources is None:
        if estimator.learns:
            raise InputError(
                f"estimator '{name}' learns from source models, but none are given; estimators "
                f"that need none: {', '.join(n for n, e in ESTIMATORS.items() if not e.learns)}."
            )
        sources = targets
    return estimator.fit(sources).estimate(selection, targets)
