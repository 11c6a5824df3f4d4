"""The long table that trials end in, and how it is read cell by cell; runs and judges nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pandas as pd

from mbnb.data.errors import InputError

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
    def n_target(self) -> int:
        """Target models of one trial."""
        return len(self.table) // (len(cells_of(self)) * self.n_trials)

    @property
    def selectors(self) -> list[str]:
        """Selectors in the order they were asked for."""
        return list(self.table["selector"].cat.categories)

    @property
    def sizes(self) -> list[int]:
        return sorted(int(size) for size in self.table["size"].unique())

    def only(self, models: Sequence[str]) -> Trials:
        """The same trials with some of the target models alone, named by id."""
        chosen = self.table["model"].isin(models)
        return replace(self, table=self.table[chosen].reset_index(drop=True))


def accuracy_column(half: str) -> str:
    """The column of the trials' table that holds the accuracies on a half."""
    if half not in HALVES:
        raise InputError(f"half '{half}' is unknown; allowed: {', '.join(HALVES)}.")
    return f"{half}_accuracy"


def cells_of(trials: Trials) -> pd.DataFrame:
    """One row for each cell, in the order in which the table comes to them."""
    return _runs(trials.table)[0]


def trial_ids(trials: Trials) -> np.ndarray:
    """Ids of the trials, rising."""
    return np.unique(_runs(trials.table)[2])


def cell_of_rows(trials: Trials) -> np.ndarray:
    """Number of the cell of each row of the table; see `cells_of`."""
    _, cell, _, starts = _runs(trials.table)
    return np.repeat(cell, np.diff(starts, append=len(trials.table)))


def by_trial(trials: Trials, half: str) -> Iterator[tuple[int, np.ndarray, np.ndarray, np.ndarray]]:
    """Trial after trial, cells with the same accuracies together.

    Yields
    ------
    trial : int
        Its id; ids rise.
    cells : ndarray of int, shape (n_cells,)
        Numbers of those cells; see `cells_of`.
    accuracies : ndarray, shape (n_models,)
        Of the target models on the half, in the order of the table.
    estimates : ndarray, shape (n_cells, n_models)
    """
    table = trials.table
    accuracies, estimates = table[accuracy_column(half)].to_numpy(), table["estimate"].to_numpy()
    _, cell, trial, starts = _runs(table)
    stops = np.append(starts[1:], len(table))
    order = np.lexsort((cell, trial))
    for of_trial in np.split(order, np.flatnonzero(np.diff(trial[order])) + 1):
        alike: dict[bytes, list[tuple[int, np.ndarray, np.ndarray]]] = {}
        for runs in np.split(of_trial, np.flatnonzero(np.diff(cell[of_trial])) + 1):
            rows = _joined(starts[runs], stops[runs])
            own = accuracies[rows]
            alike.setdefault(own.tobytes(), []).append((cell[runs[0]], own, estimates[rows]))
        for members in alike.values():
            cells, of_models, told = zip(*members, strict=True)
            yield int(trial[of_trial[0]]), np.array(cells), of_models[0], np.array(told)


def _joined(starts: np.ndarray, stops: np.ndarray) -> slice | np.ndarray:
    """The rows of one run, or of several, one run after another."""
    if starts.size == 1:
        return slice(starts[0], stops[0])
    lengths = stops - starts
    return np.repeat(stops - np.cumsum(lengths), lengths) + np.arange(lengths.sum())


def _runs(table: pd.DataFrame) -> tuple[pd.DataFrame, np.ndarray, np.ndarray, np.ndarray]:
    """The cells, and of each run of rows alike its cell's number, its trial and its first row.

    Millions of rows make a few thousand runs: only these are numbered and sorted.
    """
    if table.empty:
        raise InputError("the trials' table has no rows; it needs at least one.")
    begins = np.zeros(len(table), dtype=bool)
    begins[0] = True
    for name in (*CELL, "trial"):
        categorical = isinstance(table[name].dtype, pd.CategoricalDtype)
        values = (table[name].cat.codes if categorical else table[name]).to_numpy()
        begins[1:] |= values[1:] != values[:-1]
    starts = np.flatnonzero(begins)
    runs = table.iloc[starts][[*CELL, "trial"]]
    cells = runs[CELL].drop_duplicates().reset_index(drop=True)
    cell = runs.groupby(CELL, observed=True, sort=False).ngroup()
    return cells, cell.to_numpy(), runs["trial"].to_numpy(), starts
