"""The selector `tinybenchmarks`: items spread over an IRT model's parameters; nothing else."""

from __future__ import annotations

import warnings

import numpy as np
from scipy.spatial.distance import cdist
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning

from mbnb.data.responses import ResponseMatrix
from mbnb.errors import InputError
from mbnb.study.irt import fit_2pl
from mbnb.study.selectors.base import FittedSelector, Selection, Selector, cluster_shares

N_DIMS = 10


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
        graded = ~np.isin(train.scores, (0, 1)) & ~train.missing
        if graded.any():
            model, item = (int(where[0]) for where in np.nonzero(graded))
            raise InputError(
                f"{train.name}: selector 'tinybenchmarks' needs scores of 0 or 1, but "
                f"{int(graded.sum())} of {graded.size} are graded (first: "
                f"{train.scores[model, item]:g} for model '{train.model_ids[model]}', item "
                f"'{train.item_ids[item]}'); binarise them at a threshold of your choice first."
            )
        irt = fit_2pl(train.scores, n_dims=N_DIMS)
        points = np.column_stack([irt.discriminations, irt.difficulties])
        return FittedTinyBenchmarks(points, irt.notes)


class FittedTinyBenchmarks(FittedSelector):
    """Points of the items: discriminations and difficulty, shape (n_items, n_dims + 1)."""

    def __init__(self, points: np.ndarray, notes: tuple[str, ...]) -> None:
        super().__init__(points.shape[0], notes)
        self.points = points

    def _select(self, size: int, rng: np.random.Generator) -> Selection:
        items = np.sort(nearest_unused(cdist(self.centres(size, rng), self.points)))
        return Selection.of(items, cluster_shares(cdist(self.points, self.points[items]), items))

    def centres(self, size: int, rng: np.random.Generator) -> np.ndarray:
        """The k-means centres whose nearest items are chosen, shape (size, n_dims + 1)."""
        seed = int(rng.integers(2**31 - 1))
        with warnings.catch_warnings():
            # Fewer distinct points than clusters: centres repeat, and choosing resolves that.
            warnings.simplefilter("ignore", ConvergenceWarning)
            return KMeans(size, n_init=1, random_state=seed).fit(self.points).cluster_centers_


def nearest_unused(distances: np.ndarray) -> np.ndarray:
    """Give each centre the nearest item that no closer centre has.

    Centres choose in the order of their distance to their nearest item, equal ones in the order
    given; of equally near items each takes the first.

    Parameters
    ----------
    distances : ndarray, shape (n_centres, n_items)
        With at least as many items as centres.

    Returns
    -------
    ndarray of int64, shape (n_centres,)
        Unique positions of items.
    """
    left = distances.copy()
    chosen = np.empty(len(left), dtype=np.int64)
    for centre in np.argsort(left.min(axis=1), kind="stable"):
        chosen[centre] = left[centre].argmin()
        left[:, chosen[centre]] = np.inf
    return chosen
