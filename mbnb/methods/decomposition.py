"""Leading singular vectors with a fixed sign; knows no item, no model and no selector."""

from __future__ import annotations

import numpy as np


def leading_components(
    matrix: np.ndarray, n_components: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Truncated singular value decomposition by way of the smaller Gram matrix.

    Exact to about the square root of machine precision, relative to the largest singular value:
    components below that are rounding and are left out. The sign of each is such that the entry of
    its left vector that is largest in magnitude (the first such) is positive.

    Parameters
    ----------
    matrix : ndarray of float64, shape (n, m)
    n_components : int
        At most; fewer come back where the matrix has a lower rank.

    Returns
    -------
    (left, values, right)
        Shapes (n, r), (r,) and (r, m), in descending order of the values;
        ``left * values @ right`` approximates the matrix.
    """
    tall = matrix.shape[0] > matrix.shape[1]
    gram = matrix.T @ matrix if tall else matrix @ matrix.T
    squares, vectors = np.linalg.eigh(gram)
    squares, vectors = squares[::-1][:n_components], vectors[:, ::-1][:, :n_components]
    keep = squares > max(gram.shape) * np.finfo(np.float64).eps * max(squares[0], 0.0)
    values, vectors = np.sqrt(squares[keep]), vectors[:, keep]
    if tall:
        left, right = matrix @ vectors / values, vectors.T
    else:
        left, right = vectors, (vectors.T @ matrix) / values[:, None]
    if values.size:
        peaks = np.abs(np.round(left, 9)).argmax(axis=0)
        signs = np.where(left[peaks, np.arange(values.size)] < 0, -1.0, 1.0)
        left, right = left * signs, right * signs[:, None]
    return left, values, right
