"""What choosing items costs: times a selector; judges no selection."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter

import numpy as np
import pandas as pd

from mbnb.data.responses import ResponseMatrix
from mbnb.study.selectors import FittedSelector, Selection, make_selector


def time_selector(
    selector: str, train: ResponseMatrix, sizes: Sequence[int], *, seed: int = 0
) -> tuple[FittedSelector, dict[int, Selection], pd.DataFrame]:
    """Fit a selector once, choose at every size, and time each step.

    Parameters
    ----------
    selector : str
    train : ResponseMatrix
        Source models × items of the train half.
    sizes : sequence of int
    seed : int
        Every size starts from the same state of the generator.

    Returns
    -------
    (FittedSelector, dict of int to Selection, DataFrame)
        The costs have columns step ("fit" or "selection"), selector, size (NaN for the fit) and
        seconds of wall time, which depend on the machine and on what else it does.
    """
    begun = perf_counter()
    fitted = make_selector(selector).fit(train)
    rows: list[tuple[str, str, float, float]] = [("fit", selector, np.nan, perf_counter() - begun)]
    selections = {}
    for size in sizes:
        rng = np.random.default_rng(seed)
        begun = perf_counter()
        selections[size] = fitted.select(size, rng)
        rows.append(("selection", selector, size, perf_counter() - begun))
    return fitted, selections, pd.DataFrame(rows, columns=["step", "selector", "size", "seconds"])
