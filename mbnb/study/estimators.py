"""Estimators: from a target model's answers on the selected items to its estimated accuracy."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from mbnb.data.responses import ResponseMatrix
from mbnb.errors import InputError
from mbnb.study.selectors.base import Selection

# Weights are shares such as 1/7, so equal estimates can differ in the last bits; rounding makes
# ties ties again. No two accuracies of a benchmark with fewer than 10^11 items are as close.
DECIMALS = 12


def weighted_mean(selection: Selection, targets: ResponseMatrix) -> np.ndarray:
    """Weighted mean of the scores on the selected items (0–1), shape (n_models,)."""
    return _mean(targets.scores, selection)


def confidence_mean(selection: Selection, targets: ResponseMatrix) -> np.ndarray:
    """Weighted mean of the confidences on the selected items (0–1), shape (n_models,).

    The estimate of Anchor Points (Vivek et al. 2024); where a matrix has no confidences, scores
    stand in. It estimates the mean confidence, which is not the accuracy of an over-confident
    model.
    """
    confidences = targets.confidences
    return _mean(targets.scores if confidences is None else confidences, selection)


ESTIMATORS: dict[str, Callable[[Selection, ResponseMatrix], np.ndarray]] = {
    "weighted-mean": weighted_mean,
    "confidence-mean": confidence_mean,
}


def estimate(name: str, selection: Selection, targets: ResponseMatrix) -> np.ndarray:
    """Estimated accuracies (0–1) of target models, shape (n_models,), rounded so that ties tie.

    Parameters
    ----------
    name : {"weighted-mean", "confidence-mean"}
    selection : Selection
        Items as positions in `targets`.
    targets : ResponseMatrix
        Target models × items of the half that the selection was made from, complete.

    Raises
    ------
    InputError
        If the estimator is unknown, or answers are missing.
    """
    targets.require_complete()
    if name not in ESTIMATORS:
        raise InputError(f"estimator '{name}' is unknown; known: {', '.join(ESTIMATORS)}.")
    return np.round(ESTIMATORS[name](selection, targets), DECIMALS)


def _mean(values: np.ndarray, selection: Selection) -> np.ndarray:
    return values[:, selection.items].astype(np.float64) @ selection.weights
