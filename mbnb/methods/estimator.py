"""What an estimator is and what it returns; holds no estimator."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

import numpy as np

from mbnb.data.responses import ResponseMatrix
from mbnb.methods.linear import LinearRule
from mbnb.methods.selector import Selection

# Weights are shares such as 1/7, so equal estimates can differ in the last bits; rounding makes
# ties ties again. No two accuracies of a benchmark with fewer than 10^11 items are as close.
DECIMALS = 12


class Estimator(ABC):
    """A way to estimate accuracy. `fit` once per trial, then estimate from any selection.

    Attributes
    ----------
    name : str
    learns : bool
        Whether it looks at the source models' answers; else the selection is all it needs.
    """

    name: ClassVar[str]
    learns: ClassVar[bool] = True

    @abstractmethod
    def fit(self, sources: ResponseMatrix) -> FittedEstimator:
        """Look at the source models' answers on the half that selections are made from.

        Parameters
        ----------
        sources : ResponseMatrix
            Source models × items, without missing answers.

        Raises
        ------
        InputError
            If the answers are of a kind that the estimator cannot use.
        """


class FittedEstimator(ABC):
    """An estimator that has seen the source models.

    Attributes
    ----------
    notes : tuple of str
        What a reader of the result must know.
    """

    def __init__(self, notes: tuple[str, ...] = ()) -> None:
        self.notes = notes

    def estimate(self, selection: Selection, targets: ResponseMatrix) -> np.ndarray:
        """Estimated accuracies of target models, shape (n_models,), rounded so that ties tie.

        Of the targets only the answers on the selected items are read. What is learnt may lie a
        little below 0 or above 1: cut off there, models would tie that the answers tell apart.

        Parameters
        ----------
        selection : Selection
            Items as positions in `targets`.
        targets : ResponseMatrix
            Target models × the items that the selection was made from.

        Raises
        ------
        InputError
            If answers are missing.
        """
        targets.require_complete()
        return np.round(self._estimate(selection, targets), DECIMALS)

    @abstractmethod
    def _estimate(self, selection: Selection, targets: ResponseMatrix) -> np.ndarray:
        """Estimates, not rounded."""


class LinearEstimator(FittedEstimator):
    """An estimator whose estimate is a weighted sum of the answers."""

    @abstractmethod
    def rule(self, selection: Selection) -> LinearRule:
        """The weighted sum that estimates from this selection."""

    def answers(self, targets: ResponseMatrix) -> np.ndarray:
        """What the sum is over: the scores, where an estimator does not say otherwise."""
        return targets.scores

    def _estimate(self, selection: Selection, targets: ResponseMatrix) -> np.ndarray:
        return self.rule(selection).apply(self.answers(targets)[:, selection.items])
