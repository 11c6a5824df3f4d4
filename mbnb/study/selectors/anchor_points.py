"""The selector `anchor-points`: medoids of items that models answer alike; nothing else."""

from __future__ import annotations

import kmedoids
import numpy as np

from mbnb.data.responses import ResponseMatrix
from mbnb.study.selectors.base import (
    FittedSelector,
    Selection,
    Selector,
    cluster_shares,
    stand_in_notes,
)

# Confidences are read in steps of 2^-20 (about a millionth). Their products then add up without
# rounding in double precision, whatever order a BLAS library adds them in, so that the distances,
# and with them the medoids, are the same on every machine and for any number of threads.
STEPS = 2.0**20
BLOCK = 1024


class AnchorPointsSelector(Selector):
    """k-medoids on 1 − correlation of the source models' confidences (Anchor Points).

    Vivek, Ethayarajh, Yang and Kiela (2024), arXiv:2309.08638; the medoids are found by FasterPAM
    (Schubert and Rousseeuw, 2021, doi:10.1016/j.is.2021.101804) from a random start. An anchor
    weighs the share of items nearest to it. Items that every source model answers alike carry no
    correlation: their distance to every other item is 1.
    """

    name = "anchor-points"
    default_estimator = "confidence-mean"

    def fit(self, train: ResponseMatrix) -> FittedAnchorPoints:
        train.require_complete()
        distances, n_constant = correlation_distances(train.evidence)
        notes = stand_in_notes(train)
        if n_constant:
            notes += (
                f"{n_constant} of {train.n_items} items have the same answer from every source "
                "model; their distance to all others is 1.",
            )
        return FittedAnchorPoints(distances, notes)


class FittedAnchorPoints(FittedSelector):
    """Distances between items, shape (n_items, n_items), float32, shared over the sizes."""

    def __init__(self, distances: np.ndarray, notes: tuple[str, ...]) -> None:
        super().__init__(distances.shape[0], notes)
        self.distances = distances

    def _select(self, size: int, rng: np.random.Generator) -> Selection:
        start = rng.choice(self.n_items, size, replace=False)
        # Given its start, FasterPAM visits the items in order; given a seed, in random order, which
        # finds the same loss in twice the time. One thread: with more, swaps may come differently.
        found = kmedoids.fasterpam(self.distances, start, n_cpu=1)
        medoids = np.sort(found.medoids.astype(np.int64))
        return Selection.of(medoids, cluster_shares(self.distances[:, medoids], medoids))


def correlation_distances(evidence: np.ndarray) -> tuple[np.ndarray, int]:
    """1 − Pearson correlation between items over the source models.

    Parameters
    ----------
    evidence : ndarray of float32, shape (n_models, n_items)
        Confidences or scores in [0, 1], none missing.

    Returns
    -------
    (ndarray of float32, int)
        Distances, shape (n_items, n_items), in [0, 2], symmetric, zero on the diagonal; and the
        number of items of zero range, whose distance to every other item is 1.
    """
    steps = np.rint(evidence.astype(np.float64) * STEPS)
    n_models, n_items = steps.shape
    # Found before correlating: rounding would give such items correlations of ±1 or NaN.
    constant = np.ptp(steps, axis=0) == 0
    steps -= np.rint(steps.mean(axis=0))  # whole steps still; smaller numbers
    sums = steps.sum(axis=0)
    spreads = np.sqrt((steps**2).sum(axis=0) - sums**2 / n_models)
    spreads[constant] = np.inf  # correlation 0
    distances = np.empty((n_items, n_items), dtype=np.float32)
    for start in range(0, n_items, BLOCK):
        rows = slice(start, min(start + BLOCK, n_items))
        block = steps[:, rows].T @ steps[:, start:]
        block -= np.outer(sums[rows] / n_models, sums[start:])
        block /= spreads[rows, None]
        block /= spreads[start:]
        distances[rows, start:] = np.clip(1 - block, 0, 2)
        distances[start:, rows] = distances[rows, start:].T
    # Within a diagonal block the two divisions may round differently on either side.
    for start in range(0, n_items, BLOCK):
        square = distances[start : start + BLOCK, start : start + BLOCK]
        lower = np.tril_indices_from(square, -1)
        square[lower] = square.T[lower]
    np.fill_diagonal(distances, 0)
    return distances, int(constant.sum())


def singleton_share(selection: Selection, n_items: int) -> float:
    """Share of clusters (0–1) that hold their medoid alone.

    Parameters
    ----------
    selection : Selection
        From `anchor-points`: a weight is a cluster's share of the items.
    n_items : int
        Items of the train half.
    """
    sizes = np.rint(selection.weights * n_items)
    return float((sizes == 1).mean())
