"""What uniform sampling must do, from a formula; sees no response matrix and runs no trial."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from scipy.special import ndtr

from mbnb.data.errors import InputError

# Gaps are searched in steps of a hundredth of a point.
STEP = 0.01


def normal_agreement(
    gaps: np.ndarray,
    disagreement: np.ndarray,
    size: int,
    n_items: int | None,
    *,
    ties: str = "wrong",
) -> np.ndarray:
    """Agreement (0–1) of uniform sampling for pairs of models, by a normal approximation.

    Of `n_items` items the two models differ on a share r, and the gap is d. The difference of
    their counts on `size` items drawn without replacement has mean size × d and variance
    size × (r − d²) × (n_items − size) / (n_items − 1). It is a whole number and a tie is wrong, so
    it must be at least 1, taken as above ½; where a tie is worth a half, it is taken as above 0.
    `exact_agreement` needs no approximation.

    Parameters
    ----------
    gaps, disagreement : ndarray of the same shape
        In points: per cent of the items.
    size : int
        Items drawn.
    n_items : int or None
        Items drawn from; None for a benchmark that never runs out.
    ties : {"wrong", "half"}
        What a tied estimate counts.

    Raises
    ------
    InputError
        If size is not from 1 to n_items.
    """
    if size < 1 or (n_items is not None and size > n_items):
        most = "any number" if n_items is None else n_items
        raise InputError(f"size {size} is not possible; allowed are 1 to {most}.")
    gap, rate = np.asarray(gaps) / 100, np.asarray(disagreement) / 100
    left = 1.0 if n_items is None else (n_items - size) / max(n_items - 1, 1)
    spread = np.sqrt(np.maximum(size * (rate - gap**2) * left, 1e-12))
    return ndtr((size * gap - (0.5 if ties == "wrong" else 0)) / spread)


def expected_mdad(
    pairs: pd.DataFrame, sizes: Sequence[int], n_items: int, threshold: float = 0.8
) -> pd.Series:
    """The MDAD that uniform sampling must have, in points by size, by `normal_agreement`.

    Parameters
    ----------
    pairs : DataFrame
        Columns ``gap`` and ``disagreement``, from `compare_pairs`. The disagreement of a gap is the
        mean of the pairs within half a point of it, interpolated where there are none.
    sizes : sequence of int
    n_items : int
        Of the half that is drawn from.
    threshold : float

    Returns
    -------
    Series
        NaN where no gap that occurs reaches the threshold, to be printed as “not reached”.
    """
    rates = pairs["disagreement"].groupby(np.rint(pairs["gap"])).mean()
    gaps = np.arange(STEP, pairs["gap"].max() + STEP, STEP)
    expected = {}
    disagreement = np.maximum(np.interp(gaps, rates.index, rates), gaps)
    for size in sizes:
        reached = normal_agreement(gaps, disagreement, size, n_items) >= threshold
        expected[size] = float(gaps[reached.argmax()]) if reached.any() else np.nan
    return pd.Series(expected, name="expected", dtype=float)
