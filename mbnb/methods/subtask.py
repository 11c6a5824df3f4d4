"""The selector `subtask`: as many items from every subtask; nothing else."""

from __future__ import annotations

import numpy as np

from mbnb.data.responses import ResponseMatrix
from mbnb.methods.selector import FittedSelector, Selection, Selector


class SubtaskSelector(Selector):
    """Draw the same number of items from each subtask; the estimate is their plain mean.

    A subtask smaller than its quota gives all its items and the others share what it leaves over.
    What cannot be shared equally goes to random subtasks, one item each.
    """

    name = "subtask"

    def fit(self, train: ResponseMatrix) -> FittedSubtask:
        return FittedSubtask(train.subtask_codes)


class FittedSubtask(FittedSelector):
    def __init__(self, codes: np.ndarray) -> None:
        super().__init__(codes.size)
        self._members = [np.flatnonzero(codes == code) for code in range(codes.max() + 1)]

    def _select(self, size: int, rng: np.random.Generator) -> Selection:
        capacities = np.array([members.size for members in self._members])
        quotas = equal_quotas(capacities, size, rng)
        return Selection.of(
            np.concatenate(
                [
                    rng.choice(members, quota, replace=False)
                    for members, quota in zip(self._members, quotas, strict=True)
                ]
            )
        )


def equal_quotas(capacities: np.ndarray, size: int, rng: np.random.Generator) -> np.ndarray:
    """Share `size` items equally among subtasks, none above its capacity.

    Each gets min(capacity, level), at the highest level that does not exceed `size`; what then
    remains is fewer than the subtasks that have items left, and goes to a random few of those.

    Parameters
    ----------
    capacities : ndarray of int, shape (n_subtasks,)
    size : int
        At most the sum of the capacities.
    rng : Generator
        Draws which subtasks get one item more.

    Returns
    -------
    ndarray of int, shape (n_subtasks,)
        Summing to `size`.
    """
    levels = np.arange(size + 1)
    totals = np.minimum.outer(levels, capacities).sum(axis=1)
    level = int(np.flatnonzero(totals <= size)[-1])
    quotas = np.minimum(capacities, level)
    open_ones = np.flatnonzero(capacities > level)
    quotas[rng.choice(open_ones, size - int(quotas.sum()), replace=False)] += 1
    return quotas
