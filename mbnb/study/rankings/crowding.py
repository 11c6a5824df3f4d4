"""A group of targets whose top is crowded, to set beside targets drawn at random; runs no trial."""

from __future__ import annotations

import numpy as np

from mbnb.data.errors import InputError
from mbnb.data.responses import ResponseMatrix


def crowded_top(matrix: ResponseMatrix, n_target: int, n_crowd: int = 10) -> list[str]:
    """Models whose best few lie close together, with the others spread evenly below them.

    The crowd are those neighbours in the ranking that span the fewest points, among all places
    that leave enough models below; the models above it are left out.

    Parameters
    ----------
    matrix : ResponseMatrix
        Complete.
    n_target : int
        Models in all.
    n_crowd : int
        Of these, models of the crowd.

    Returns
    -------
    list of str
        Ids, best first.

    Raises
    ------
    InputError
        If there are too few models, or the crowd is not smaller than the group.
    """
    if not 1 <= n_crowd < n_target <= matrix.n_models:
        raise InputError(
            f"{n_crowd} of {n_target} models as a crowd are not possible with the "
            f"{matrix.n_models} models of {matrix.name}; allowed are crowds of at least 1 and "
            "groups that are larger than their crowd and no larger than the matrix."
        )
    ids = matrix.model_ids.astype(str)
    accuracies = np.round(matrix.accuracies(), 12)
    order = np.lexsort((ids, -accuracies))
    ranked = accuracies[order]
    starts = np.arange(matrix.n_models - n_target + 1)
    first = int(starts[np.argmin(ranked[starts] - ranked[starts + n_crowd - 1])])
    below = range(first + n_crowd, matrix.n_models)
    # Evenly in points and not in rank, so that the rest is as loose as can be.
    marks = np.linspace(ranked[below[0]], ranked[-1], n_target - n_crowd)
    chosen = list(range(first, first + n_crowd))
    free = list(below)
    for left, mark in zip(range(n_target - n_crowd, 0, -1), marks, strict=True):
        # As many must stay as are still to be chosen.
        near = free[: len(free) - left + 1]
        pick = int(np.argmin(np.abs(ranked[near] - mark)))
        chosen.append(near[pick])
        free = free[pick + 1 :]
    return [str(name) for name in ids[order[chosen]]]
