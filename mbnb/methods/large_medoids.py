"""k-medoids of items too many to hold all their distances; knows no models and no weights."""

from __future__ import annotations

import kmedoids
import numpy as np

from mbnb.methods.correlations import CorrelationDistances

# Distances are read in whole steps of 2^-20. Their sums are then exact, in whatever order a machine
# adds them, and so is every decision which medoids are better.
STEPS = 2**20
FARTHEST = np.iinfo(np.int32).max

# The sample that medoids start from, and how many items are then tried in their place: so many, or
# so many a medoid if that is more. Half the sample would do at size 100; at 10 the start decides.
SAMPLE, SAMPLE_PER_MEDOID, LARGEST_SAMPLE = 4_000, 5, 10_000
TRIED, TRIED_PER_MEDOID = 2_000, 8

# Distances made at a time: 64 MB in double precision.
CELLS = 2**23


def large_medoids(
    distances: CorrelationDistances, size: int, rng: np.random.Generator
) -> np.ndarray:
    """Medoids of the items, found without ever holding all distances.

    The medoids of a random sample, found by FasterPAM, are the start (FastCLARA). Then items are
    tried as medoids, one after another, against all items: each takes the place of the medoid whose
    leaving lowers the sum of the distances the most, if that lowers it (FastCLARANS). Both are of
    Schubert and Rousseeuw (2021, doi:10.1016/j.is.2021.101804). Which items are tried is not left
    to chance, as it is there: those that would save the sample the most come first, and half as
    many suffice. Cost O(n_items size n_models); nothing of n_items × size is held.

    Parameters
    ----------
    distances : CorrelationDistances
    size : int
        Below the number of items.
    rng : Generator

    Returns
    -------
    ndarray of int64, shape (size,)
        Unique positions, ascending.
    """
    n_items = distances.n_items
    n_sample = min(max(SAMPLE, SAMPLE_PER_MEDOID * size), LARGEST_SAMPLE, n_items)
    sample = rng.choice(n_items, n_sample, replace=False)
    if size < n_sample:
        start = rng.choice(n_sample, size, replace=False)
        found = kmedoids.fasterpam(distances.among(sample), start, n_cpu=1)
        medoids = Medoids(distances, sample[found.medoids.astype(np.int64)])
    else:
        medoids = Medoids(distances, rng.choice(n_items, size, replace=False))
    n_tried = max(TRIED, TRIED_PER_MEDOID * size)
    for items in blocks(medoids.promising(sample)[:n_tried], n_items):
        for item, reach in zip(items, in_steps(distances, items, slice(None)), strict=True):
            medoids.offer(item, reach)
    return np.sort(medoids.items)


class Medoids:
    """Medoids, and how far each item is from the nearest and the second nearest of them.

    Attributes
    ----------
    items : ndarray of int64, shape (size,)
        Positions of the medoids.
    first, second : ndarray of int64, shape (n_items,)
        Of each item, which medoids are nearest: positions in `items`; of equals the first.
    to_first, to_second : ndarray of int32, shape (n_items,)
        Distances to them in steps; `FARTHEST` where there is no second.
    """

    def __init__(self, distances: CorrelationDistances, items: np.ndarray) -> None:
        self.distances, self.items = distances, items
        self.first, self.second = np.empty((2, distances.n_items), dtype=np.int64)
        self.to_first, self.to_second = np.empty((2, distances.n_items), dtype=np.int32)
        self._find(np.arange(distances.n_items))

    def _find(self, items: np.ndarray) -> None:
        """Look up the nearest two medoids of some items, and what losing each medoid costs."""
        for some in blocks(items, self.items.size):
            reach = in_steps(self.distances, some, self.items)
            for which, far in ((self.first, self.to_first), (self.second, self.to_second)):
                which[some] = nearest = reach.argmin(axis=1)
                far[some] = reach[np.arange(some.size), nearest]
                reach[np.arange(some.size), nearest] = FARTHEST
        extra = self.to_second.astype(np.float64) - self.to_first
        self.costs = np.bincount(self.first, extra, self.items.size)

    @property
    def loss(self) -> float:
        """Sum of the distances from all items to their nearest medoid."""
        return int(self.to_first.sum(dtype=np.int64)) / STEPS

    def promising(self, sample: np.ndarray) -> np.ndarray:
        """All items, those first that would bring the sample's items the nearest to a medoid."""
        items = np.arange(self.distances.n_items)
        saved = [
            np.minimum(in_steps(self.distances, some, sample) - self.to_first[sample], 0).sum(
                axis=1, dtype=np.int64
            )
            for some in blocks(items, sample.size)
        ]
        return np.argsort(np.concatenate(saved), kind="stable")

    def offer(self, item: int, reach: np.ndarray) -> None:
        """Make an item a medoid, in place of the one with which the loss falls the most, if any.

        Parameters
        ----------
        item : int
        reach : ndarray of int32, shape (n_items,)
            Its distances to all items, in steps.
        """
        if item in self.items:
            return
        closer = np.flatnonzero(reach < self.to_second)
        new, first, second = reach[closer], self.to_first[closer], self.to_second[closer]
        # An item that loses its medoid goes to its second nearest, or to the new one if closer.
        relief = np.bincount(
            self.first[closer], np.clip(new, first, second) - second, self.items.size
        )
        changes = self.costs + relief
        gone = int(changes.argmin())
        if np.minimum(new - first, 0).sum(dtype=np.int64) + changes[gone] >= 0:
            return
        self.items[gone] = item
        orphans = np.flatnonzero((self.first == gone) | (self.second == gone))
        nearest, next_nearest = closer[new < first], closer[new >= first]
        self.second[nearest], self.to_second[nearest] = self.first[nearest], self.to_first[nearest]
        self.first[nearest], self.to_first[nearest] = gone, reach[nearest]
        self.second[next_nearest], self.to_second[next_nearest] = gone, reach[next_nearest]
        self._find(orphans)


def in_steps(
    distances: CorrelationDistances, rows: np.ndarray, columns: np.ndarray | slice
) -> np.ndarray:
    """Distances between some items and others in whole steps; int32, shape (rows, columns)."""
    between = distances.between(rows, columns)
    between *= STEPS
    return np.rint(between, out=between).astype(np.int32)


def blocks(items: np.ndarray, width: int) -> list[np.ndarray]:
    """Cut a list of items so that a block × `width` distances fit in `CELLS`."""
    step = max(1, CELLS // width)
    return [items[start : start + step] for start in range(0, items.size, step)]
