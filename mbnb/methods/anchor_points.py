"""The selector `anchor-points`: medoids of items that models answer alike; nothing else."""

from __future__ import annotations

import kmedoids
import numpy as np

from mbnb.data.responses import ResponseMatrix
from mbnb.methods.correlations import CorrelationDistances
from mbnb.methods.large_medoids import Medoids, large_medoids
from mbnb.methods.selector import (
    FittedSelector,
    Selection,
    Selector,
    cluster_shares,
    stand_in_notes,
)

# Up to this number of items all their distances are held: 400 MB in each worker. Beyond it
# FasterPAM, which reads them many times over, is slower than `large_medoids` as well.
MOST_HELD = 10_000


class AnchorPointsSelector(Selector):
    """k-medoids on 1 − correlation of the source models' confidences (Anchor Points).

    Vivek, Ethayarajh, Yang and Kiela (2024), arXiv:2309.08638; the medoids are found by FasterPAM
    (Schubert and Rousseeuw, 2021, doi:10.1016/j.is.2021.101804) from a random start, or, of more
    than `MOST_HELD` items, by `large_medoids`. An anchor weighs the share of items nearest to it.
    Items that every source model answers alike carry no correlation: their distance to every
    other item is 1.
    """

    name = "anchor-points"
    default_estimator = "confidence-mean"

    def fit(self, train: ResponseMatrix) -> FittedAnchorPoints | FittedLargeAnchorPoints:
        train.require_complete()
        distances = CorrelationDistances(train.evidence)
        notes = stand_in_notes(train)
        if distances.n_constant:
            notes += (
                f"{distances.n_constant} of {train.n_items} items have the same answer from every "
                "source model; their distance to all others is 1.",
            )
        if train.n_items > MOST_HELD:
            notes += (
                f"{train.n_items} items are too many for all distances at once: anchors come from "
                "a sample of the items and are then improved against all of them.",
            )
            return FittedLargeAnchorPoints(distances, notes)
        return FittedAnchorPoints(distances.among(np.arange(train.n_items)), notes)


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
        nearest = self.distances[:, medoids].argmin(axis=1)
        return Selection.of(medoids, cluster_shares(nearest, medoids))


class FittedLargeAnchorPoints(FittedSelector):
    """The items' standardised answers, from which distances are made when they are needed."""

    def __init__(self, distances: CorrelationDistances, notes: tuple[str, ...]) -> None:
        super().__init__(distances.n_items, notes)
        self.distances = distances

    def _select(self, size: int, rng: np.random.Generator) -> Selection:
        medoids = large_medoids(self.distances, size, rng)
        nearest = Medoids(self.distances, medoids).first
        return Selection.of(medoids, cluster_shares(nearest, medoids))


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
