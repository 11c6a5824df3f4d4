"""The selector `close-pairs`: items that order close pairs of sources right; nothing else."""

from __future__ import annotations

import numpy as np

from mbnb.data.responses import ResponseMatrix
from mbnb.methods.forward import ForwardSelection
from mbnb.methods.linear import corrected_rule
from mbnb.methods.selector import FittedSelector, Selection, Selector

# Narrower, too few pairs speak; wider, pairs that are far apart drown the close ones.
BANDWIDTH = 12.0
POOLS = (1, 2, 4, 16, None)
N_FOLDS = 5
# A fold with fewer models has next to no pairs to judge by.
FEWEST_IN_FOLD = 3
FEW = (
    "{} source models are too few to judge a choice of items by: `close-pairs` drew uniformly; it "
    "needs at least {}."
)


class ClosePairsSelector(Selector):
    """Forward selection for the differences of close pairs, as far as left-out sources bear it out.

    What a pair of models hangs on is the difference of their answers. The covariance of such
    differences over the pairs of source models, a pair weighing exp(−½ (gap / bandwidth)²), takes
    the place of the covariance of answers, and `ForwardSelection` chooses the items whose answers
    leave the least variance in the difference of the accuracies.

    Sources are few and items many, so a free choice overfits. The choice is therefore made among
    `size` × c items drawn at random, and c says how far it is trusted: with 1 the draw is uniform,
    with None all items may be chosen. For every size that c is taken which does best by the same
    objective on left-out sources: in five folds of sources, items are chosen without the fold,
    `corrected-mean` learns without it, and what counts is the mean squared error of the
    differences of the fold's close pairs. Of equals the smallest c wins.

    Parameters
    ----------
    bandwidth : float
        In points; inf weighs all pairs alike.
    pools : tuple of int or None
        The numbers c; one alone is taken without a look at left-out sources.
    """

    name = "close-pairs"
    default_estimator = "corrected-mean"

    def __init__(self, bandwidth: float = BANDWIDTH, pools: tuple[int | None, ...] = POOLS) -> None:
        self.bandwidth, self.pools = bandwidth, pools

    def fit(self, train: ResponseMatrix) -> FittedClosePairs:
        train.require_complete()
        return FittedClosePairs(train, self.bandwidth, self.pools)


class FittedClosePairs(FittedSelector):
    """The sources' answers, and the same in the folds that judge a choice."""

    def __init__(
        self, train: ResponseMatrix, bandwidth: float, pools: tuple[int | None, ...]
    ) -> None:
        fewest = 2 * FEWEST_IN_FOLD
        few = train.n_models < fewest
        super().__init__(train.n_items, (FEW.format(train.n_models, fewest),) if few else ())
        self.pools = (1,) if few else pools
        self.scores, self.accuracies = train.scores.astype(np.float64), train.accuracies()
        self.bandwidth = bandwidth
        # From best to worst into the folds in turn, so that each holds models of every level.
        ranked = np.argsort(-self.accuracies, kind="stable")
        n_folds = max(1, min(N_FOLDS, train.n_models // FEWEST_IN_FOLD))
        fold = np.empty(train.n_models, dtype=np.int64)
        fold[ranked] = np.arange(train.n_models) % n_folds
        # In the last part no source is left out: it is the one that the selection is made from.
        self.parts = [fold != f for f in range(n_folds)] + [np.ones(train.n_models, dtype=bool)]
        self._differences: dict[int, np.ndarray] = {}
        self._roots: dict[int, np.ndarray] = {}
        self._free: dict[int, ForwardSelection] = {}

    def _select(self, size: int, rng: np.random.Generator) -> Selection:
        order = rng.permutation(self.n_items)
        pools = list(dict.fromkeys(self._pool_size(size, c) for c in self.pools))
        if len(pools) > 1:
            pools.sort(key=lambda n: (self._missed(size, n, order), n))
        return Selection.of(self._choice(size, pools[0], order, len(self.parts) - 1))

    def _pool_size(self, size: int, c: int | None) -> int:
        return self.n_items if c is None else min(c * size, self.n_items)

    def _missed(self, size: int, n_pool: int, order: np.ndarray) -> float:
        """What a choice leaves to guess: squared errors of differences of left-out close pairs.

        Errors say more than the number of pairs in the right order, of which few sources have few.
        """
        missed = 0.0
        for part, kept in enumerate(self.parts[:-1]):
            items = self._choice(size, n_pool, order, part)
            answers = self.scores[:, items]
            weights = np.full(size, 1 / size)
            rule = corrected_rule(answers[kept], self.accuracies[kept], weights)
            errors = rule.apply(answers[~kept]) - self.accuracies[~kept]
            missed += float(np.square(self._left_out(part) @ errors).sum())
        return missed

    def _choice(self, size: int, n_pool: int, order: np.ndarray, part: int) -> np.ndarray:
        if n_pool == size:
            return order[:size]
        if n_pool < self.n_items:
            return ForwardSelection(self._values(part), np.sort(order[:n_pool])).take(size)
        # All items: the same for every size and draw, so a larger size goes on from a smaller one.
        if part not in self._free:
            self._free[part] = ForwardSelection(self._values(part))
        return self._free[part].take(size)

    def _values(self, part: int) -> np.ndarray:
        if part not in self._differences:
            kept = self.parts[part]
            root = difference_root(self.accuracies[kept], self.bandwidth)
            self._differences[part] = root @ self.scores[kept]
        return self._differences[part]

    def _left_out(self, part: int) -> np.ndarray:
        if part not in self._roots:
            left = self.accuracies[~self.parts[part]]
            self._roots[part] = difference_root(left, self.bandwidth)
        return self._roots[part]


def difference_root(accuracies: np.ndarray, bandwidth: float) -> np.ndarray:
    """Matrix R such that |R x|² is the mean squared difference of x over close pairs of models.

    A pair weighs exp(−½ (gap / bandwidth)²); weights sum to 1. R is the root of the Laplacian of
    the graph whose edges are the pairs.

    Parameters
    ----------
    accuracies : ndarray, shape (n_models,)
        0–1.
    bandwidth : float
        In points; with inf, or where no pair has a weight, all pairs weigh alike.

    Returns
    -------
    ndarray of float64, shape (n_models, n_models)
    """
    gaps = 100 * np.abs(accuracies[:, None] - accuracies[None])
    weights = np.exp(-0.5 * (gaps / bandwidth) ** 2)
    np.fill_diagonal(weights, 0)
    if weights.sum() == 0:
        weights = 1 - np.eye(accuracies.size)
    weights *= 2 / weights.sum()
    values, vectors = np.linalg.eigh(np.diag(weights.sum(axis=1)) - weights)
    return np.sqrt(np.maximum(values, 0))[:, None] * vectors.T
