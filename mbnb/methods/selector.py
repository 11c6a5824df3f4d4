"""What a selector is and what it returns; holds no selector."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from mbnb.data.errors import InputError
from mbnb.data.responses import ResponseMatrix

WEIGHT_TOLERANCE = 1e-9
STAND_IN = "The matrix has no confidences; scores stand in for them."


@dataclass(frozen=True, eq=False)
class Selection:
    """Chosen items and their weights.

    Parameters
    ----------
    items : ndarray of int64, shape (size,)
        Positions in the train half, unique, ascending.
    weights : ndarray of float64, shape (size,)
        Non-negative, summing to 1, so that an all-correct model scores exactly 1.
    """

    items: np.ndarray
    weights: np.ndarray

    def __post_init__(self) -> None:
        if self.items.shape != self.weights.shape or self.items.ndim != 1 or not self.items.size:
            raise InputError(
                f"a selection needs as many weights as items, at least one; given: "
                f"{self.items.size} items, {self.weights.size} weights."
            )
        if (np.diff(self.items) <= 0).any():
            raise InputError("a selection's items must be unique and ascending.")
        if not (self.weights >= 0).all() or abs(self.weights.sum() - 1) > WEIGHT_TOLERANCE:
            raise InputError(
                f"a selection's weights must be non-negative and sum to 1; given: minimum "
                f"{self.weights.min()}, sum {self.weights.sum()}."
            )

    @classmethod
    def of(cls, items: np.ndarray, weights: np.ndarray | None = None) -> Selection:
        """Order the items, and weigh them: equally, or in proportion to the weights given."""
        items = np.asarray(items, dtype=np.int64)
        if weights is None:
            return cls(np.sort(items), np.full(items.size, 1 / items.size))
        order = np.argsort(items)
        shares = np.asarray(weights, dtype=np.float64)[order]
        return cls(items[order], shares / shares.sum())

    @property
    def size(self) -> int:
        return int(self.items.size)


class FittedSelector(ABC):
    """A selector that has seen the source models' train half.

    Attributes
    ----------
    n_items : int
        Items of the train half.
    notes : tuple of str
        What a reader of the result must know, such as that scores stood in for confidences.
    """

    def __init__(self, n_items: int, notes: tuple[str, ...] = ()) -> None:
        self.n_items = n_items
        self.notes = notes

    def select(self, size: int, rng: np.random.Generator) -> Selection:
        """Choose exactly `size` items.

        Raises
        ------
        InputError
            If size is below 1 or above the number of items; the message names both.
        """
        if not 1 <= size <= self.n_items:
            raise InputError(
                f"size {size} is not possible: the train half has {self.n_items} items; allowed "
                f"are 1 to {self.n_items}."
            )
        if size == self.n_items:
            return Selection.of(np.arange(size))
        return self._select(size, rng)

    @abstractmethod
    def _select(self, size: int, rng: np.random.Generator) -> Selection:
        """Choose `size` items, 1 ≤ size < n_items."""


class Selector(ABC):
    """A way to choose items. `fit` once per trial, then `select` any number of sizes."""

    name: ClassVar[str]
    default_estimator: ClassVar[str] = "weighted-mean"
    # Whether the same state of the generator gives smaller selections inside larger ones.
    nests: ClassVar[bool] = False

    @abstractmethod
    def fit(self, train: ResponseMatrix) -> FittedSelector:
        """Look at the source models' answers on the train half.

        Parameters
        ----------
        train : ResponseMatrix
            Source models × items of the train half, without missing answers.

        Raises
        ------
        InputError
            If answers are missing and the selector looks at them.
        """


def stand_in_notes(train: ResponseMatrix) -> tuple[str, ...]:
    """The note that a result needs where scores stand in for confidences; else nothing."""
    return () if train.confidences is not None else (STAND_IN,)


def cluster_shares(nearest: np.ndarray, chosen: np.ndarray) -> np.ndarray:
    """Share of the items that are nearest to each chosen item.

    A chosen item always belongs to its own cluster, even where it has a twin among the chosen, so
    that no item is answered for nothing.

    Parameters
    ----------
    nearest : ndarray of int64, shape (n_items,)
        Of each item, which of the chosen ones is nearest: its position among them.
    chosen : ndarray of int64, shape (size,)
        Positions of the chosen items.

    Returns
    -------
    ndarray of float64, shape (size,)
        Summing to 1, none below 1 / n_items.
    """
    owners = nearest.copy()
    owners[chosen] = np.arange(chosen.size)
    return np.bincount(owners, minlength=chosen.size) / owners.size
