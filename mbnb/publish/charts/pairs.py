"""The pairs of a group of models, best first, as one triangle; draws none and counts no trial."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from mbnb.data.errors import InputError

# How often a pair is put in the right order: from best to worst, told from colours and words.
CLASSES = (
    (0.95, "95 % or more", "#08519c"),
    (0.8, "80 to 95 %", "#6baed6"),
    (0.5, "50 to 80 %", "#fdbe85"),
    (0.0, "below 50 %", "#d94701"),
)


@dataclass(frozen=True, eq=False)
class Triangle:
    """The pairs of a group by the places of their models, best first.

    Attributes
    ----------
    names : list of str
    above, below : ndarray of int, shape (n_pairs,)
        Places from 0 of the better and of the worse model.
    gaps : ndarray, shape (n_pairs,)
        In points.
    cells : list of (str, int)
        Selector and size.
    right, trials : ndarray of int, shape (n_pairs, n_cells)
        Trials in which the pair is rightly ordered, and trials in which it has an order.
    mdads : ndarray, shape (n_cells,)
        In points; NaN where not reached.
    """

    names: list[str]
    above: np.ndarray
    below: np.ndarray
    gaps: np.ndarray
    cells: list[tuple[str, int]]
    right: np.ndarray
    trials: np.ndarray
    mdads: np.ndarray

    def agreement(self, cell: int) -> np.ndarray:
        """In what share of the trials (0–1), NaN for a pair without trials."""
        trials = self.trials[:, cell]
        return np.where(trials > 0, self.right[:, cell] / np.maximum(trials, 1), np.nan)

    def told(self, cell: int, threshold: float) -> np.ndarray:
        """Pairs that are rightly ordered at least as often as the threshold asks."""
        return self.agreement(cell) >= threshold - 1e-9

    def apart(self, cell: int) -> np.ndarray:
        """Pairs whose gap is above the MDAD; none where it is not reached."""
        return self.gaps > self.mdads[cell] + 1e-9


def triangle_of(pairs: pd.DataFrame, accuracies: pd.Series, mdads: pd.DataFrame) -> Triangle:
    """The pairs of a table by the ranks of their models.

    Parameters
    ----------
    pairs, accuracies, mdads
        See `explore_pairs`.

    Raises
    ------
    InputError
        If a model of a pair has no accuracy.
    """
    ordered = accuracies.copy()
    ordered.index = ordered.index.astype(str)
    # By id where accuracies are equal but for rounding.
    ordered = ordered.round(9).sort_index().sort_values(ascending=False, kind="stable")
    place = {name: number for number, name in enumerate(ordered.index)}
    unknown = sorted({*map(str, pairs["first"]), *map(str, pairs["second"])} - set(place))
    if unknown:
        raise InputError(f"'{unknown[0]}' has no accuracy; allowed are pairs of models that have.")
    selectors = list(dict.fromkeys(map(str, pairs["selector"])))
    sizes = sorted(int(size) for size in pairs["size"].unique())
    cells = [(selector, size) for selector in selectors for size in sizes]
    n = len(ordered)
    above, below = np.triu_indices(n, 1)
    number = np.zeros((n, n), dtype=np.int64)
    number[above, below] = number[below, above] = np.arange(above.size)
    right = np.zeros((above.size, len(cells)), dtype=np.int64)
    trials = np.zeros_like(right)
    rows = number[
        pairs["first"].astype(str).map(place).to_numpy(),
        pairs["second"].astype(str).map(place).to_numpy(),
    ]
    places = {cell: column for column, cell in enumerate(cells)}
    columns = [
        places[str(selector), int(size)]
        for selector, size in zip(pairs["selector"], pairs["size"], strict=True)
    ]
    trials[rows, columns] = pairs["n_trials"]
    right[rows, columns] = np.rint(pairs["agreement"] * pairs["n_trials"])
    values = {(str(row["selector"]), int(row["size"])): row["mdad"] for _, row in mdads.iterrows()}
    return Triangle(
        names=list(ordered.index),
        above=above,
        below=below,
        gaps=np.round(ordered.to_numpy()[above] - ordered.to_numpy()[below], 9),
        cells=cells,
        right=right,
        trials=trials,
        mdads=np.array([values.get(cell, np.nan) for cell in cells], dtype=float),
    )
