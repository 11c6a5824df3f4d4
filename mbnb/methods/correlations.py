"""Distances between items, 1 − the correlation of their answers; chooses no item."""

from __future__ import annotations

import numpy as np

# Confidences are read in steps of 2^-20 (about a millionth). Their products then add up without
# rounding in double precision, whatever order a BLAS library adds them in, so that the distances,
# and with them the medoids, are the same on every machine and for any number of threads.
STEPS = 2.0**20
BLOCK = 1024


class CorrelationDistances:
    """1 − Pearson correlation between items over the source models, made when asked for.

    Parameters
    ----------
    evidence : ndarray of float32, shape (n_models, n_items)
        Confidences or scores in [0, 1], none missing.

    Attributes
    ----------
    n_items : int
    n_constant : int
        Items of zero range, whose distance to every other item is 1.
    """

    def __init__(self, evidence: np.ndarray) -> None:
        steps = evidence.T.astype(np.float64, order="C")  # a row is an item
        steps *= STEPS
        np.rint(steps, out=steps)
        self.n_items, self._n_models = steps.shape
        # Found before correlating: rounding would give such items correlations of ±1 or NaN.
        constant = np.ptp(steps, axis=1) == 0
        self.n_constant = int(constant.sum())
        steps -= np.rint(steps.mean(axis=1))[:, None]  # whole steps still; smaller numbers
        self._steps = steps
        self._sums = steps.sum(axis=1)
        squares = np.einsum("ij,ij->i", steps, steps)
        self._spreads = np.sqrt(squares - self._sums**2 / self._n_models)
        self._spreads[constant] = np.inf  # correlation 0

    def between(self, rows: np.ndarray, columns: np.ndarray | slice) -> np.ndarray:
        """From some items to others, in [0, 2]; float32, shape (rows, columns)."""
        block = self._steps[rows] @ self._steps[columns].T
        block -= np.outer(self._sums[rows] / self._n_models, self._sums[columns])
        block /= self._spreads[rows, None]
        block /= self._spreads[columns]
        np.subtract(1, block, out=block)
        np.clip(block, 0, 2, out=block)
        block[np.equal.outer(rows, np.arange(self.n_items)[columns])] = 0
        return block.astype(np.float32)

    def among(self, items: np.ndarray) -> np.ndarray:
        """Between all pairs of some items; float32, symmetric, zero on the diagonal."""
        distances = np.empty((items.size, items.size), dtype=np.float32)
        for start in range(0, items.size, BLOCK):
            rows = slice(start, min(start + BLOCK, items.size))
            block = self.between(items[rows], items[start:])
            distances[rows, start:] = block
            distances[start:, rows] = block.T
        # Within a diagonal block the two divisions may round differently on either side.
        for start in range(0, items.size, BLOCK):
            square = distances[start : start + BLOCK, start : start + BLOCK]
            lower = np.tril_indices_from(square, -1)
            square[lower] = square.T[lower]
        return distances
