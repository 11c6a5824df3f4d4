"""What a response matrix looks like before anything is measured on it; runs no trial."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from mbnb.data.responses import ResponseMatrix
from mbnb.judge.counting import pair_blocks
from mbnb.judge.pairs import is_binary

# Tukey's fence: a model this many interquartile ranges outside the quartiles is far from the rest.
FENCE = 3.0
# Differences of accuracies (0–1) below this are rounding.
ROUNDING = 1e-9


@dataclass(frozen=True)
class Glance:
    """Facts about a complete matrix.

    Attributes
    ----------
    n_models, n_items, n_subtasks : int
    smallest, largest : int
        Items of the smallest and of the largest subtask.
    binary, has_confidences : bool
    lowest, median, highest : float
        Accuracies in points.
    all_right, all_wrong : int
        Items that every model gets right (score 1), or wrong (score 0).
    zero_models : tuple of str
        Models with no right answer at all.
    far_models : tuple of str
        Models three interquartile ranges or more outside the quartiles of the accuracies.
    turned_pairs, n_pairs : int
        Pairs of models that the mean over subtasks orders otherwise than the mean over items, and
        all pairs.
    best_by_items, best_by_subtasks : str
        The models with the highest mean over items, and with the highest mean over subtasks; of
        several, the first in the alphabet.
    counted_tasks : tuple of str
        Tasks whose items are numbered in the log from 0 without a hole, a round number of them, as
        a run with a limit leaves them.
    """

    n_models: int
    n_items: int
    n_subtasks: int
    smallest: int
    largest: int
    binary: bool
    has_confidences: bool
    lowest: float
    median: float
    highest: float
    all_right: int
    all_wrong: int
    zero_models: tuple[str, ...]
    far_models: tuple[str, ...]
    turned_pairs: int
    n_pairs: int
    best_by_items: str
    best_by_subtasks: str
    counted_tasks: tuple[str, ...]


def describe(matrix: ResponseMatrix) -> Glance:
    """Look at a complete matrix."""
    matrix.require_complete()
    matrix = matrix.sorted_by_id()
    ids = matrix.model_ids.astype(str)
    by_items = matrix.accuracies()
    by_subtasks = subtask_means(matrix)
    counts = np.bincount(matrix.subtask_codes)
    lower, upper = np.quantile(by_items, [0.25, 0.75])
    reach = FENCE * (upper - lower) + ROUNDING
    far = (by_items < lower - reach) | (by_items > upper + reach)
    turned = 0
    for first, second in pair_blocks(matrix.n_models):
        signs = [
            np.sign(np.round(means[first] - means[second], 9)) for means in (by_items, by_subtasks)
        ]
        turned += int((signs[0] * signs[1] < 0).sum())
    return Glance(
        n_models=matrix.n_models,
        n_items=matrix.n_items,
        n_subtasks=len(matrix.subtasks),
        smallest=int(counts.min()),
        largest=int(counts.max()),
        binary=is_binary(matrix),
        has_confidences=matrix.confidences is not None,
        lowest=100 * float(by_items.min()),
        median=100 * float(np.median(by_items)),
        highest=100 * float(by_items.max()),
        all_right=int((matrix.scores == 1).all(axis=0).sum()),
        all_wrong=int((matrix.scores == 0).all(axis=0).sum()),
        zero_models=tuple(map(str, ids[by_items == 0])),
        far_models=tuple(map(str, ids[far])),
        turned_pairs=turned,
        n_pairs=matrix.n_models * (matrix.n_models - 1) // 2,
        best_by_items=str(ids[np.argmax(np.round(by_items, 9))]),
        best_by_subtasks=str(ids[np.argmax(np.round(by_subtasks, 9))]),
        counted_tasks=_counted(matrix.items),
    )


def subtask_means(matrix: ResponseMatrix) -> np.ndarray:
    """The mean of each model's subtask means (0–1), shape (n_models,)."""
    codes = matrix.subtask_codes
    means = [
        matrix.scores[:, codes == code].mean(axis=1, dtype=np.float64)
        for code in range(len(matrix.subtasks))
    ]
    return np.mean(means, axis=0)


def _counted(items: pd.DataFrame) -> tuple[str, ...]:
    if not {"task", "doc_id"} <= set(items.columns):
        return ()
    counted = []
    for task, rows in items.groupby("task", sort=True):
        numbers = pd.to_numeric(rows["doc_id"], errors="coerce")
        n = len(numbers)
        if n % 10 == 0 and set(numbers) == set(range(n)):
            counted.append(str(task))
    return tuple(counted)
