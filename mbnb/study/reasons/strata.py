"""How much layers of items explain; draws no sample and knows no selector."""

from __future__ import annotations

import numpy as np


def between_share(values: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """Share of the variance over items that lies between layers, for each row of values.

    A sample that is spread over the layers in proportion to their sizes has this share of the
    variance less than a uniform one (Cochran 1977, chapter 5): the most that stratification
    can save.

    Parameters
    ----------
    values : ndarray, shape (n_rows, n_items)
        Scores of models, or differences of the scores of two models.
    codes : ndarray of int, shape (n_items,)
        Layer of each item.

    Returns
    -------
    ndarray of float64, shape (n_rows,)
        From 0 to 1; NaN for a row without variance.
    """
    _, layers = np.unique(codes, return_inverse=True)
    counts = np.bincount(layers)
    members = (layers[:, None] == np.arange(counts.size)).astype(np.float64)
    means = values @ members / counts
    overall = values.mean(axis=1, dtype=np.float64)
    between = (means - overall[:, None]) ** 2 @ (counts / counts.sum())
    total = values.var(axis=1, dtype=np.float64)
    return np.divide(between, total, out=np.full(total.shape, np.nan), where=total > 0)
