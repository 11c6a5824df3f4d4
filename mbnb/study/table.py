"""The long table that trials end in, and how it is read cell by cell; runs and judges nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from mbnb.errors import InputError

COLUMNS = [
    "selector",
    "estimator",
    "size",
    "n_source",
    "trial",
    "model",
    "train_accuracy",
    "heldout_accuracy",
    "estimate",
]
# What names one cell of a grid.
CELL = ["selector", "estimator", "size", "n_source"]
HALVES = ("train", "heldout")


@dataclass(eq=False)
class Trials:
    """The outcome of a grid.

    Attributes
    ----------
    table : DataFrame
        One row for each selector, estimator, size, trial and target model, with its accuracies on
        the train and the held-out half and its estimate (all 0–1).
    dataset : str
        Name of the data.
    n_train, n_heldout : int
        Items in each half.
    binary : bool
        Whether every score is 0 or 1, so that accuracies are counts over items.
    notes : tuple of str
        What a reader of the result must know.
    """

    table: pd.DataFrame
    dataset: str
    n_train: int
    n_heldout: int
    binary: bool
    notes: tuple[str, ...] = field(default=())

    @property
    def n_trials(self) -> int:
        return int(self.table["trial"].nunique())

    @property
    def selectors(self) -> list[str]:
        """Selectors in the order they were asked for."""
        return list(self.table["selector"].cat.categories)

    @property
    def sizes(self) -> list[int]:
        return sorted(int(size) for size in self.table["size"].unique())


def accuracy_column(half: str) -> str:
    """The column of the trials' table that holds the accuracies on a half."""
    if half not in HALVES:
        raise InputError(f"half '{half}' is unknown; allowed: {', '.join(HALVES)}.")
    return f"{half}_accuracy"


def by_cell_and_trial(
    trials: Trials, cells: pd.DataFrame, half: str
) -> Iterator[tuple[int, int, np.ndarray, np.ndarray]]:
    """Cell number, trial, accuracies and estimates, models in the order of the table."""
    table = trials.table
    number = table[CELL].merge(cells.reset_index(names="cell"), on=CELL, how="left")["cell"]
    keys = [number.to_numpy(), table["trial"].to_numpy()]
    accuracies = table[accuracy_column(half)].to_numpy()
    estimates = table["estimate"].to_numpy()
    order = np.lexsort(keys[::-1])
    cell, trial = keys[0][order], keys[1][order]
    edges = np.flatnonzero(np.diff(cell) | np.diff(trial)) + 1
    for rows in np.split(order, edges):
        yield int(keys[0][rows[0]]), int(keys[1][rows[0]]), accuracies[rows], estimates[rows]
