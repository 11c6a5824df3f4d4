"""What was measured on real leaderboards, beside the simulated one; measures nothing itself."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from mbnb.data.datasets import SIMULATED
from mbnb.data.errors import InputError
from mbnb.data.figures import measured
from mbnb.judge.agreement import format_mdad
from mbnb.publish.charts.tables import in_points

# The simulated leaderboard that the book is made on unless a run says otherwise.
DEFAULT = "simulated:mmlu-pro"


@dataclass(frozen=True, eq=False)
class BesideReal:
    """One quantity of one selector and size on the real leaderboards and on the simulated one.

    Attributes
    ----------
    real : Series
        By name of the data set, from the least to the most; an MDAD that is not reached is NaN and
        stands last.
    simulated : float
        On the book's default data.
    per_cent : bool
        Whether these are shares in per cent and not points.
    """

    real: pd.Series
    simulated: float
    per_cent: bool = False

    @property
    def n(self) -> int:
        """Real leaderboards that allow this size."""
        return len(self.real)

    @property
    def span(self) -> str:
        """“16.5 to 19.5 points”; the second is “not reached” where one leaderboard has no MDAD."""
        low, high = self.real.iloc[0], self.real.iloc[-1]
        if low == high or np.isnan(low):
            return self.told(low)
        return f"{format_mdad(low)} to {self.told(high)}"

    def told(self, value: float) -> str:
        """A value with its unit."""
        return f"{value:g}\N{NO-BREAK SPACE}%" if self.per_cent else in_points(value)


def beside_real(selector: str, size: int, column: str = "mdad", half: str = "train") -> BesideReal:
    """What ``measured("leaderboards")`` says of a selector at a size, on each real leaderboard.

    Parameters
    ----------
    selector : str
    size : int
    column : {"mdad", "error"}
        Both in points.
    half : {"train", "heldout"}

    Raises
    ------
    InputError
        If nothing was measured for this selector, size and half.
    """
    table = measured("leaderboards")
    rows = table[
        (table["selector"] == selector) & (table["size"] == size) & (table["half"] == half)
    ]
    values = rows.set_index("dataset")[column]
    if not _is_real(values).any():
        sizes = ", ".join(map(str, sorted(table["size"].unique())))
        raise InputError(
            f"nothing was measured on real leaderboards for '{selector}' at {size} items and the "
            f"half '{half}'; measured sizes are {sizes}."
        )
    return _beside(values)


def facts_beside_real(column: str) -> BesideReal:
    """What ``measured("first-trial")`` says of each real leaderboard.

    Parameters
    ----------
    column : {"nearest", "nearest_least", "strangers", "bias", "bias_spread", "turned", \
    "between_scores", "between_pairs"}
        See ``data/measured/README.md``; the two of the bias are in points, all others in per cent.
    """
    values = measured("first-trial").set_index("dataset")[column]
    return _beside(values, per_cent=not column.startswith("bias"))


def _beside(values: pd.Series, *, per_cent: bool = False) -> BesideReal:
    values = values.astype(float).round(1)
    real = values[_is_real(values)].sort_values()
    return BesideReal(real, float(values.get(DEFAULT, np.nan)), per_cent)


def _is_real(values: pd.Series) -> np.ndarray:
    return ~values.index.str.startswith(SIMULATED)
