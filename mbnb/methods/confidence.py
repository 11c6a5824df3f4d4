"""The selector `confidence`: strata of equally hard items; nothing else."""

from __future__ import annotations

import numpy as np
from sklearn.cluster import KMeans

from mbnb.data.responses import ResponseMatrix
from mbnb.methods.selector import FittedSelector, Selection, Selector, stand_in_notes

N_STRATA = 10


class ConfidenceSelector(Selector):
    """Stratified sampling over the mean confidence of the source models.

    The strata are `N_STRATA` one-dimensional k-means clusters (fewer where there are fewer distinct
    means), started at quantiles of the distinct means. Each gets items in proportion to its size,
    by largest remainder, and a chosen item of stratum h weighs N_h / (N n_h). A stratum that would
    get nothing is merged into its neighbour, smallest first, so that every item of the benchmark
    is represented. After Fogliato, Patil, Monfort and Perona (2024), arXiv:2406.07320.
    """

    name = "confidence"

    def fit(self, train: ResponseMatrix) -> FittedConfidence:
        train.require_complete()
        # Rounded, so that the order of the source models cannot split equal means.
        means = np.round(train.evidence.mean(axis=0, dtype=np.float64), 12)
        return FittedConfidence(means, stand_in_notes(train))


class FittedConfidence(FittedSelector):
    """Strata of items, in ascending order of their mean confidence.

    Attributes
    ----------
    strata : tuple of ndarray of int64
        Positions of the items of each stratum.
    centres : ndarray of float64
        Mean confidence of each stratum (0–1).
    """

    def __init__(self, means: np.ndarray, notes: tuple[str, ...]) -> None:
        super().__init__(means.size, notes)
        distinct = np.unique(means)
        k = min(N_STRATA, distinct.size)
        # Each start is a mean that occurs, and no two are alike: no stratum starts empty.
        starts = distinct[((np.arange(k) + 0.5) * distinct.size / k).astype(np.int64)]
        kmeans = KMeans(k, init=starts[:, None], n_init=1).fit(means[:, None])
        strata = [np.flatnonzero(kmeans.labels_ == label) for label in np.unique(kmeans.labels_)]
        self.strata = tuple(sorted(strata, key=lambda stratum: float(means[stratum].mean())))
        self.centres = np.array([means[stratum].mean() for stratum in self.strata])

    def _select(self, size: int, rng: np.random.Generator) -> Selection:
        strata, quotas = self.merged(size)
        chosen = [rng.choice(s, n, replace=False) for s, n in zip(strata, quotas, strict=True)]
        weights = [np.full(n, s.size / n) for s, n in zip(strata, quotas, strict=True)]
        return Selection.of(np.concatenate(chosen), np.concatenate(weights))

    def merged(self, size: int) -> tuple[list[np.ndarray], np.ndarray]:
        """Strata and their quotas once none is empty-handed; the quotas sum to `size`."""
        strata, centres = list(self.strata), list(self.centres)
        while True:
            counts = np.array([stratum.size for stratum in strata])
            quotas = proportional_quotas(counts, size)
            empty = np.flatnonzero(quotas == 0)
            if not empty.size:
                return strata, quotas
            gone = int(empty[counts[empty].argmin()])
            near = [h for h in (gone - 1, gone + 1) if 0 <= h < len(strata)]
            into = min(near, key=lambda h: abs(centres[h] - centres[gone]))
            total = counts[gone] + counts[into]
            centres[into] = (counts[gone] * centres[gone] + counts[into] * centres[into]) / total
            strata[into] = np.concatenate([strata[into], strata[gone]])
            del strata[gone], centres[gone]


def proportional_quotas(counts: np.ndarray, size: int) -> np.ndarray:
    """Share `size` in proportion to `counts` by largest remainder; equal remainders: first first.

    Parameters
    ----------
    counts : ndarray of int, shape (n_strata,)
    size : int
        At most the sum of the counts, so that no quota exceeds its count.

    Returns
    -------
    ndarray of int, shape (n_strata,)
        Summing to `size`.
    """
    # In whole numbers: remainders that are equal must compare as equal.
    quotas, remainders = np.divmod(counts.astype(np.int64) * size, int(counts.sum()))
    first = np.argsort(-remainders, kind="stable")[: size - int(quotas.sum())]
    quotas[first] += 1
    return quotas
