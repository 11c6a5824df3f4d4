"""Counts a trial's pairs of models by gap, a block at a time; sees arrays only, knows no table."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

# Pairs that are compared at a time: their gaps, bins and runs take some 3 MB, near a core's cache.
BLOCK = 1 << 16


def row_blocks(n_models: int, block: int = BLOCK) -> Iterator[slice]:
    """Rows of the upper triangle of models × models, as many at a time as a block allows.

    Rows `start` to `stop` and the columns from `start` + 1 on make a rectangle of at most `block`
    places, or a single row.
    """
    start = 0
    while start < n_models - 1:
        rows = max(1, block // (n_models - 1 - start))
        stop = min(start + rows, n_models - 1)
        yield slice(start, stop)
        start = stop


def pair_blocks(n_models: int, block: int = BLOCK) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Positions of both models of all pairs in the order of `numpy.triu_indices`, in blocks."""
    models = np.arange(n_models)
    for rows in row_blocks(n_models, block):
        columns = slice(rows.start + 1, n_models)
        first, second = np.nonzero(models[rows, None] < models[None, columns])
        yield first + rows.start, second + columns.start


def count_pairs(
    standings: np.ndarray,
    estimates: np.ndarray,
    bins_of: Callable[[np.ndarray], np.ndarray],
    n_bins: int,
    *,
    ties: str = "wrong",
    full_ties: str = "excluded",
    block: int = BLOCK,
) -> tuple[np.ndarray, np.ndarray, int]:
    """Pairs of models in each bin, and those that each cell's estimates put in the right order.

    With the models from best to worst, the pairs of one model run through the bins in turn. The
    runs of a block are found once; then a cell costs a comparison and a sum over each run.

    Parameters
    ----------
    standings : ndarray, shape (n_models,)
        On the full half: counts of correct items (int), or accuracies (float).
    estimates : ndarray, shape (n_cells, n_models)
        Of cells that share the standings.
    bins_of : callable
        New array with the bins (0 to n_bins − 1) of gaps; negative gaps may have any number. A
        larger gap has no smaller bin, and a gap of 0 has bin 0.
    n_bins : int
    ties, full_ties : str
        See `agreement`.
    block : int
        Pairs that are compared at a time; changes no result.

    Returns
    -------
    pairs : ndarray of int, shape (n_bins,)
    agreeing : ndarray of float, shape (n_cells, n_bins)
    tied : int
        Pairs with equal standings; with ``full_ties="excluded"`` they are in no bin.
    """
    n_models, n_cells = standings.size, len(estimates)
    place = np.argsort(-standings, kind="stable")
    standings, estimates = standings[place], estimates[:, place]
    tied, n_labels = n_bins, n_bins + 2
    pairs = np.zeros(n_labels, dtype=np.int64)
    agreeing = np.zeros((n_cells, n_labels))
    for rows in row_blocks(n_models, block):
        columns = slice(rows.start + 1, n_models)
        labels = _labels(standings[rows, None] - standings[None, columns], bins_of, n_bins)
        begins = np.ones(labels.shape, dtype=bool)
        np.not_equal(labels[:, 1:], labels[:, :-1], out=begins[:, 1:])
        runs = np.flatnonzero(begins)
        of_run = labels.ravel()[runs]
        lengths = np.diff(runs, append=labels.size)
        pairs += np.bincount(of_run, lengths, minlength=n_labels).astype(np.int64)
        turned = None
        if full_ties == "order" and standings.dtype.kind == "f":
            # Of two that differ in the last bits alone, the first in the table counts as better.
            turned = np.nonzero((labels == tied) & (place[rows, None] > place[None, columns]))
        at_a_time = max(1, block // labels.size)
        for c in range(0, n_cells, at_a_time):
            upper = estimates[c : c + at_a_time, rows]
            lower = estimates[c : c + at_a_time, columns]
            credit = _credit(upper[:, :, None], lower[:, None, :], ties)
            if turned is not None:
                i, j = turned
                credit[:, i, j] = _credit(lower[:, j], upper[:, i], ties)
            sums = np.add.reduceat(credit.reshape(len(credit), -1), runs, axis=1, dtype=np.int64)
            for cell, own in enumerate(sums, c):
                agreeing[cell] += np.bincount(of_run, own, minlength=n_labels)
    if ties == "half":
        agreeing /= 2
    n_tied = int(pairs[tied])
    if full_ties == "order":
        pairs[0] += pairs[tied]
        agreeing[:, 0] += agreeing[:, tied]
    return pairs[:n_bins], agreeing[:, :n_bins], n_tied


def _labels(
    gaps: np.ndarray, bins_of: Callable[[np.ndarray], np.ndarray], n_bins: int
) -> np.ndarray:
    """Bins of a block's gaps; n_bins where they are 0, n_bins + 1 below the triangle of pairs."""
    if gaps.dtype.kind == "f":
        # Equal accuracies may differ in the last bits.
        gaps = np.round(gaps, 12)
    labels = bins_of(gaps)
    labels[gaps == 0] = n_bins
    n_rows, n_columns = labels.shape
    labels[np.tri(n_rows, n_columns, -1, dtype=bool)] = n_bins + 1
    return labels


def _credit(better: np.ndarray, worse: np.ndarray, ties: str) -> np.ndarray:
    """Whether the better model's estimate is above the worse's; doubled where a tie counts half."""
    right = better > worse
    return right if ties == "wrong" else right.astype(np.int8) + (better >= worse)
