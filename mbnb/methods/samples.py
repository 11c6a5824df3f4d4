"""Models and items drawn from a response matrix to be looked at; chooses no micro-benchmark."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from mbnb.data.responses import ResponseMatrix


def draw_models(matrix: ResponseMatrix, n_models: int, seed: int = 0) -> ResponseMatrix:
    """The matrix of `n_models` models drawn at random; itself if it has no more.

    The order of the rows changes nothing.
    """
    if n_models >= matrix.n_models:
        return matrix
    by_id = np.argsort(matrix.model_ids.astype(str))
    rng = np.random.default_rng([seed, n_models])
    return matrix.subset(models=np.sort(by_id[rng.permutation(matrix.n_models)[:n_models]]))


def draw_items(matrix: ResponseMatrix, n_items: int, seed: int = 0) -> ResponseMatrix:
    """At most about `n_items` items, of every subtask in its proportion; subtask by subtask.

    The order of the columns changes nothing but the order of the subtasks.
    """
    codes = matrix.subtask_codes
    by_id = np.argsort(matrix.item_ids.astype(str))
    shuffled = by_id[np.random.default_rng([seed, matrix.n_items]).permutation(by_id.size)]
    share = min(1.0, n_items / matrix.n_items)
    drawn = []
    for code in range(len(matrix.subtasks)):
        own = shuffled[codes[shuffled] == code]
        drawn.append(np.sort(own[: max(1, round(share * own.size))]))
    return matrix.subset(items=np.concatenate(drawn))


def scores_alone(matrix: ResponseMatrix) -> ResponseMatrix:
    """The same matrix without its confidences."""
    return matrix if matrix.confidences is None else replace(matrix, confidences=None)
