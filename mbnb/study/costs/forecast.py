"""How long grids will take here: what each unit costs, less what is kept; runs no unit."""

from __future__ import annotations

from dataclasses import dataclass

from mbnb.methods.selectors import Selector
from mbnb.run.store import ResultStore
from mbnb.run.units import Grid, unit_name
from mbnb.study.costs.timing import expected_seconds


@dataclass(frozen=True)
class Forecast:
    """What is left to do of a grid.

    Attributes
    ----------
    n_units, n_kept : int
        Units of work in all, and those that a store keeps already.
    seconds : float
        That the others will take one core of this machine.
    """

    n_units: int
    n_kept: int
    seconds: float


def forecast(grid: Grid, yardstick: float, store: ResultStore | None = None) -> Forecast:
    """Expect the work of a grid; `yardstick` is `measure_yardstick`'s answer."""
    n_kept, seconds = 0, 0.0
    for selector in grid.selectors:
        key = grid.key(selector) if store else ""
        kept = [
            store is not None and store.holds(key, unit_name(selector, trial))
            for trial in range(grid.n_trials)
        ]
        n_kept += sum(kept)
        seconds += (grid.n_trials - sum(kept)) * unit_seconds(grid, selector, yardstick)
    return Forecast(grid.n_trials * len(grid.selectors), n_kept, seconds)


def unit_seconds(grid: Grid, selector: Selector, yardstick: float) -> float:
    """Expected seconds of one unit of a grid on one core."""
    return expected_seconds(
        selector.name,
        n_items=grid.n_train,
        n_source=grid.plan.n_source,
        sizes=grid.plan.sizes,
        yardstick=yardstick,
    )
