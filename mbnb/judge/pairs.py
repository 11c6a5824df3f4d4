"""Pairs of models: their gaps, their disagreement, and the floor of sampling; runs no trial."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from mbnb.data.errors import InputError
from mbnb.data.responses import ResponseMatrix

# Answers that are compared at a time: of graded scores some 10 MB.
ANSWERS = 1 << 20


def disagreement(matrix: ResponseMatrix, first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Share of items (0–1) on which two models differ in score, for each pair of models.

    Parameters
    ----------
    matrix : ResponseMatrix
        Complete.
    first, second : ndarray of int, shape (n_pairs,)
        Positions of the models of each pair.

    Returns
    -------
    ndarray of float64, shape (n_pairs,)
    """
    matrix.require_complete()
    n = max(1, ANSWERS // matrix.n_items)
    parts = [
        (matrix.scores[first[i : i + n]] != matrix.scores[second[i : i + n]]).mean(axis=1)
        for i in range(0, len(first), n)
    ]
    return np.concatenate([np.empty(0), *parts])


def is_binary(matrix: ResponseMatrix) -> bool:
    """Whether every score is 0 or 1, however it is stored."""
    if matrix.binary:
        return True
    return bool(np.isin(matrix.scores[~matrix.missing], (0, 1)).all())


def compare_pairs(matrix: ResponseMatrix, n_pairs: int = 20_000, seed: int = 0) -> pd.DataFrame:
    """Gap and disagreement rate of pairs of models: all of them, or a random sample.

    The order of the rows of the matrix changes nothing.

    Parameters
    ----------
    matrix : ResponseMatrix
        Complete.
    n_pairs : int
        At most; where there are more pairs, as many as this are drawn without replacement.
    seed : int

    Returns
    -------
    DataFrame
        Columns ``better`` and ``worse`` (model ids; the first has the higher accuracy), ``gap``
        and ``disagreement`` (both in points: per cent of the items).

    Raises
    ------
    InputError
        If there are fewer than two models.
    """
    n_models = matrix.n_models
    if n_models < 2:
        raise InputError(f"{matrix.name} has {n_models} models; a pair needs at least 2.")
    by_id = np.argsort(matrix.model_ids.astype(str))
    n_all = n_models * (n_models - 1) // 2
    if n_all > n_pairs:
        numbers = np.sort(np.random.default_rng(seed).choice(n_all, n_pairs, replace=False))
    else:
        numbers = np.arange(n_all)
    # Pair number → its two models, in the order (0, 1), (0, 2), (1, 2), (0, 3), …
    high = np.floor((1 + np.sqrt(1 + 8 * numbers)) / 2).astype(np.int64)
    first, second = by_id[numbers - high * (high - 1) // 2], by_id[high]
    accuracies = matrix.accuracies()
    swapped = accuracies[first] < accuracies[second]
    better, worse = np.where(swapped, second, first), np.where(swapped, first, second)
    return pd.DataFrame(
        {
            "better": matrix.model_ids[better],
            "worse": matrix.model_ids[worse],
            "gap": np.round(100 * (accuracies[better] - accuracies[worse]), 9),
            "disagreement": 100 * disagreement(matrix, better, worse),
        }
    )


def typical_pair(pairs: pd.DataFrame, gap: float, n_near: int = 101) -> pd.Series:
    """Of the pairs with a gap nearest to `gap` (points), the one of median disagreement.

    Parameters
    ----------
    pairs : DataFrame
        From `compare_pairs`.
    gap : float
    n_near : int
        How many of the nearest pairs are looked at.
    """
    distance = (pairs["gap"] - gap).abs()
    near = pairs.loc[distance.sort_values(kind="stable").index[:n_near]]
    near = near.sort_values("disagreement", kind="stable")
    return near.iloc[(len(near) - 1) // 2]


def uniform_floor(sizes: Sequence[int], threshold: float = 0.8, ties: str = "wrong") -> pd.Series:
    """The gap in points below which uniform sampling cannot reach the threshold, by size.

    In the best case the better model wins a share d of the items and loses none. Then k items
    drawn uniformly show a difference with probability 1 − (1 − d)^k (items of a large benchmark;
    of a finite one, drawn without replacement, the chance is a little higher), and agreement can
    be no more than that.

    Parameters
    ----------
    sizes : sequence of int
    threshold : float
    ties : {"wrong", "half"}
        What a tied estimate counts; with a half, agreement is at most 1 − (1 − d)^k / 2.
    """
    missed = (1 - threshold) * (1 if ties == "wrong" else 2)
    floor = [100 * (1 - missed ** (1 / size)) for size in sizes]
    return pd.Series(floor, index=list(sizes), name="floor")
