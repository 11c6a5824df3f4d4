"""Sources that are further and further from the targets: pools of equal size; runs no trial."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mbnb.data.responses import ResponseMatrix
from mbnb.errors import InputError


def source_pools(
    order: Sequence[str], n_target: int, n_source: int, seed: int = 0
) -> tuple[list[str], dict[str, list[str]]]:
    """The last models of an order as targets, and pools of sources before them.

    Parameters
    ----------
    order : sequence of str
        Ids of models from the oldest to the newest, or from the worst to the best.
    n_target, n_source : int
    seed : int
        Of the pool that is drawn from all.

    Returns
    -------
    (list of str, dict of str to list of str)
        The targets; and pools of `n_source` models each: ``"near"``, those just before the
        targets; ``"mixed"``, drawn from all that are no targets; ``"far"``, the first.

    Raises
    ------
    InputError
        If there are too few models for two pools that share none.
    """
    rest = list(order[: len(order) - n_target])
    if n_target < 2 or n_source < 1 or len(rest) < 2 * n_source:
        raise InputError(
            f"{len(order)} models do not make {n_target} targets and two pools of {n_source} "
            "sources; allowed are at least 2 targets and twice as many other models as sources."
        )
    drawn = np.random.default_rng(seed).permutation(len(rest))[:n_source]
    pools = {
        "near": rest[-n_source:],
        "mixed": [rest[i] for i in sorted(drawn)],
        "far": rest[:n_source],
    }
    return list(order[len(order) - n_target :]), pools


def by_accuracy(matrix: ResponseMatrix) -> list[str]:
    """Ids of the models from the worst to the best; of equals the first id first."""
    matrix = matrix.sorted_by_id()
    return [str(matrix.model_ids[i]) for i in np.argsort(matrix.accuracies(), kind="stable")]


def by_date(matrix: ResponseMatrix) -> list[str]:
    """Ids of the models from the oldest to the newest, where ids begin with a date (YYYYMMDD).

    Raises
    ------
    InputError
        If an id does not.
    """
    ids = sorted(map(str, matrix.model_ids))
    undated = [name for name in ids if not name[:8].isdecimal()]
    if undated:
        raise InputError(
            f"{matrix.name}: {len(undated)} model ids do not begin with a date (first: "
            f"'{undated[0]}'); a date is eight digits, such as 20240615."
        )
    return ids
