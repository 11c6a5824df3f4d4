"""The selector `tinybenchmarks`: items spread over an IRT model's parameters; nothing else."""

from __future__ import annotations

import warnings

import numpy as np
from scipy.spatial.distance import cdist
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning

from mbnb.data.errors import InputError
from mbnb.data.responses import ResponseMatrix
from mbnb.methods.irt import fit_sources
from mbnb.methods.selector import FittedSelector, Selection, Selector, cluster_shares

# Distances held at a time: 32 MB.
CELLS = 2**22


class TinyBenchmarksSelector(Selector):
    """k-means on the items' parameters in a ten-dimensional 2PL model (tinyBenchmarks).

    Maia Polo, Weber, Choshen, Sun, Xu and Yurochkin (2024), arXiv:2402.14992. Of each cluster the
    item nearest its centre is chosen; it weighs the share of items nearest to it. Where two
    centres share their nearest item, the closer centre has it and the other takes the nearest
    item not yet taken. Items that every source model answers alike stay eligible: the priors keep
    their parameters finite.
    """

    name = "tinybenchmarks"

    def fit(self, train: ResponseMatrix) -> FittedTinyBenchmarks:
        """Fit the IRT model.

        Raises
        ------
        InputError
            If scores other than 0 and 1 occur.
        """
        graded = (train.scores != 0) & (train.scores != 1) & ~train.missing
        if graded.any():
            model, item = (int(where[0]) for where in np.nonzero(graded))
            raise InputError(
                f"{train.name}: selector 'tinybenchmarks' needs scores of 0 or 1, but "
                f"{int(graded.sum())} of {graded.size} are graded (first: "
                f"{train.scores[model, item]:g} for model '{train.model_ids[model]}', item "
                f"'{train.item_ids[item]}'); binarise them at a threshold of your choice first."
            )
        irt = fit_sources(train)
        points = np.column_stack([irt.discriminations, irt.difficulties])
        return FittedTinyBenchmarks(points, irt.notes)


class FittedTinyBenchmarks(FittedSelector):
    """Points of the items: discriminations and difficulty, shape (n_items, n_dims + 1)."""

    def __init__(self, points: np.ndarray, notes: tuple[str, ...]) -> None:
        super().__init__(points.shape[0], notes)
        self.points = points
        # Rounded: items of equal answers may differ in the last digits.
        self.n_distinct = len(np.unique(np.round(points, 9), axis=0))

    def _select(self, size: int, rng: np.random.Generator) -> Selection:
        items = np.sort(nearest_unused(self.centres(size, rng), self.points))
        nearest, _ = nearest_of(self.points, self.points[items])
        return Selection.of(items, cluster_shares(nearest, items))

    def centres(self, size: int, rng: np.random.Generator) -> np.ndarray:
        """The k-means centres whose nearest items are chosen, shape (size, n_dims + 1).

        Where fewer points are distinct, as with few source models, each of them is a centre and
        centres repeat. k-means asked for more clusters than points would try in vain to fill them.
        """
        seed = int(rng.integers(2**31 - 1))
        n_clusters = min(size, self.n_distinct)
        with warnings.catch_warnings():
            # Points that are distinct may still end in one cluster. That is no fault: two centres
            # then share their nearest item, and the rule for that applies.
            warnings.simplefilter("ignore", ConvergenceWarning)
            kmeans = KMeans(n_clusters, n_init=1, random_state=seed).fit(self.points)
        return np.resize(kmeans.cluster_centers_, (size, self.points.shape[1]))


def nearest_of(points: np.ndarray, others: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Position of each point's nearest among the others (of equals the first), and its distance."""
    nearest = np.empty(len(points), dtype=np.int64)
    distances = np.empty(len(points))
    step = max(1, CELLS // len(others))
    for start in range(0, len(points), step):
        block = slice(start, start + step)
        between = cdist(points[block], others)
        nearest[block] = between.argmin(axis=1)
        distances[block] = between.min(axis=1)
    return nearest, distances


def nearest_unused(centres: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Give each centre the nearest item that no closer centre has.

    Centres choose in the order of their distance to their nearest item, equal ones in the order
    given; of equally near items each takes the first.

    Parameters
    ----------
    centres : ndarray of float64, shape (n_centres, n_dims)
    points : ndarray of float64, shape (n_items, n_dims)
        Of the items, at least as many as centres.

    Returns
    -------
    ndarray of int64, shape (n_centres,)
        Unique positions of items.
    """
    chosen, distances = nearest_of(centres, points)
    used = np.zeros(len(points), dtype=bool)
    for centre in np.argsort(distances, kind="stable"):
        if used[chosen[centre]]:
            left = np.where(used, np.inf, cdist(centres[[centre]], points)[0])
            chosen[centre] = left.argmin()
        used[chosen[centre]] = True
    return chosen
