"""What uniform sampling needs for gaps that one must see; runs no trial."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from scipy.special import gammaln
from scipy.stats import norm

from mbnb.data.responses import ResponseMatrix
from mbnb.judge.normal import STEP, expected_mdad, normal_agreement
from mbnb.judge.pairs import ANSWERS, compare_pairs, is_binary

# The least that a variance may be: no two models differ on nothing.
SMALLEST = 1e-12


def noisy_pairs(matrix: ResponseMatrix, seed: int = 0) -> pd.DataFrame:
    """Gap and noise of pairs of models: `compare_pairs` with one column more.

    Parameters
    ----------
    matrix : ResponseMatrix
        Complete, of at least two models.
    seed : int

    Returns
    -------
    DataFrame
        As from `compare_pairs`, with ``noise``: the mean squared difference of the two models'
        scores times 100. For binary scores it is the disagreement rate; two graded scores that
        differ a little add little.
    """
    pairs = compare_pairs(matrix, seed=seed)
    if is_binary(matrix):
        return pairs.assign(noise=pairs["disagreement"])
    scores = matrix.scores
    first, second = (
        matrix.models.index.get_indexer(pd.Index(pairs[side])) for side in ("better", "worse")
    )
    n = max(1, ANSWERS // matrix.n_items)
    parts = [
        np.square(
            scores[first[i : i + n]].astype(np.float64) - scores[second[i : i + n]].astype(float)
        ).mean(axis=1)
        for i in range(0, len(pairs), n)
    ]
    return pairs.assign(noise=100 * np.concatenate([np.empty(0), *parts]))


def expected_gap(
    pairs: pd.DataFrame,
    sizes: Sequence[int],
    n_items: int,
    threshold: float = 0.8,
    *,
    binary: bool = True,
) -> pd.Series:
    """The MDAD that uniform sampling must have, in points by size, for graded scores too.

    Parameters
    ----------
    pairs : DataFrame
        From `noisy_pairs`.
    sizes : sequence of int
    n_items : int
        Items that are drawn from.
    threshold : float
    binary : bool
        Whether counts are whole numbers, so that a tie is to be reckoned with; for these it is
        `expected_mdad`, but never below `sampling_floor`, which its normal approximation does not
        know. Graded estimates are taken never to tie.

    Returns
    -------
    Series
        NaN where no gap that occurs reaches the threshold.
    """
    if binary:
        floor = sampling_floor(sizes, n_items, threshold)
        return expected_mdad(pairs, sizes, n_items, threshold).clip(lower=floor)
    gaps = np.arange(STEP, pairs["gap"].max() + STEP, STEP)
    noise = noise_at(pairs, gaps)
    expected = {}
    for size in sizes:
        reached = _agreement(gaps, noise, size, n_items, binary=False) >= threshold
        expected[size] = float(gaps[reached.argmax()]) if reached.any() else np.nan
    return pd.Series(expected, name="expected", dtype=float)


def sampling_floor(sizes: Sequence[int], n_items: int, threshold: float = 0.8) -> pd.Series:
    """The gap in points below which uniform sampling cannot get, by size: `uniform_floor`, finite.

    In the best case the better of two models wins w of the n items and loses none. k items drawn
    without replacement hold none of the w with probability C(n − w, k) / C(n, k), and then tie.

    Parameters
    ----------
    sizes : sequence of int
        From 1 to `n_items`.
    n_items : int
    threshold : float
    """
    wins = np.arange(1, n_items + 1)
    floor = {}
    for size in sizes:
        left = n_items - wins
        missed = np.zeros(n_items)
        possible = left >= size
        rest = left[possible]
        missed[possible] = np.exp(
            gammaln(rest + 1)
            - gammaln(rest - size + 1)
            - gammaln(n_items + 1)
            + gammaln(n_items - size + 1)
        )
        # Two models that differ on every item are told apart by any: the search cannot fail.
        floor[size] = 100 * int(wins[(1 - missed >= threshold - 1e-9).argmax()]) / n_items
    return pd.Series(floor, name="floor", dtype=float)


def needed_sizes(
    pairs: pd.DataFrame,
    gaps: Sequence[float],
    n_items: int,
    threshold: float = 0.8,
    *,
    binary: bool = True,
) -> pd.Series:
    """The items that uniform sampling needs to order two models that far apart, by gap.

    The smallest size at which agreement reaches the threshold for a pair of the mean noise of its
    gap, by the normal approximation.

    Parameters
    ----------
    pairs : DataFrame
        From `noisy_pairs`.
    gaps : sequence of float
        In points. Where no pair is that close or that far apart, the noise is that of the nearest.
    n_items : int
        Items that are drawn from; all of them order every pair rightly.
    threshold : float
    binary : bool
        See `expected_gap`.

    Returns
    -------
    Series of int
    """
    needed = {}
    for gap in gaps:
        at = np.array([gap], dtype=float)
        noise = noise_at(pairs, at)
        low, high = 1, n_items
        # Agreement grows with the size, so that the first that is enough is found by halving.
        while low < high:
            middle = (low + high) // 2
            if _agreement(at, noise, middle, n_items, binary=binary)[0] >= threshold:
                high = middle
            else:
                low = middle + 1
        needed[gap] = low
    return pd.Series(needed, name="items", dtype=np.int64)


def noise_at(pairs: pd.DataFrame, gaps: np.ndarray) -> np.ndarray:
    """Mean noise of the pairs within half a point of each gap, interpolated where none are."""
    rates = pairs["noise"].groupby(np.rint(pairs["gap"])).mean()
    # Scores from 0 to 1: the mean square of a difference is at least the square of its mean.
    return np.maximum(np.interp(gaps, rates.index, rates), np.square(gaps) / 100)


def _agreement(
    gaps: np.ndarray, noise: np.ndarray, size: int, n_items: int, *, binary: bool
) -> np.ndarray:
    if binary:
        # Of binary scores, the share of items on which two differ is at least their gap.
        return normal_agreement(gaps, np.maximum(noise, gaps), size, n_items)
    gap = gaps / 100
    left = (n_items - size) / max(n_items - 1, 1)
    spread = np.sqrt(np.maximum(size * (noise / 100 - gap**2) * left, SMALLEST))
    return norm.cdf(size * gap / spread)
