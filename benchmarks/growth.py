"""How the cost of a trial grows with items, source models and trials; writes no file."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd
from machine import seconds_of

import mbnb
from mbnb.data.responses import ResponseMatrix

JUDGING = "Agreement and MDAD"
# The largest is possible in the smallest train half, so that each point does the same.
SIZES = [10, 50, 100, 250, 500]
N_ITEMS, N_SOURCES = 4, 3  # points of each curve, each twice the one before
TRIALS = (2, 4)
JUDGED_TRIALS = (25, 50)
CHEAP = ("uniform", "subtask", "confidence")  # timed over more trials: one is but milliseconds


def measure_growth(matrix: ResponseMatrix, n_source: int, n_target: int) -> pd.DataFrame:
    """Seconds while items, source models or trials double and the others stay.

    One trial (split, fit, all of `SIZES`, estimates) where items (of the train half, up to that of
    the whole matrix) or source models (on half the items) grow; a grid, and its judging, on a
    quarter of the items where trials grow.

    Returns
    -------
    DataFrame
        Columns grows ("items", "sources" or "trials"), value, selector, seconds.
    """
    items = np.random.default_rng(0).permutation(matrix.n_items)

    def part(divisor: int) -> ResponseMatrix:
        return matrix.subset(items=np.sort(items[: matrix.n_items // divisor]))

    def grid(of: ResponseMatrix, name: str, sources: int, n_trials: int) -> mbnb.Trials:
        counts = {"n_source": sources, "n_target": n_target, "n_trials": n_trials}
        return mbnb.run_trials(of, [name], SIZES, n_jobs=1, **counts)

    rows: list[tuple[str, int, str, float]] = []
    for divisor in (2**power for power in reversed(range(N_ITEMS))):
        own = part(divisor)
        n_train = mbnb.make_split(own, seed=0, trial=0, n_source=1).train.size
        for name in mbnb.SELECTORS:
            n = 5 if name in CHEAP else 1
            seconds = seconds_of(partial(grid, own, name, n_source, n), 1 if divisor == 1 else 2)
            rows.append(("items", n_train, name, seconds / n))
    own = part(2)
    for sources in (n_source // 2**power for power in reversed(range(N_SOURCES))):
        for name in mbnb.SELECTORS:
            n = 5 if name in CHEAP else 1
            seconds = seconds_of(partial(grid, own, name, sources, n), 1)
            rows.append(("sources", sources, name, seconds / n))
    own = part(4)
    for n_trials in TRIALS:
        for name in mbnb.SELECTORS:
            seconds = seconds_of(partial(grid, own, name, n_source, n_trials), 1)
            rows.append(("trials", n_trials, name, seconds))
    for n_trials in JUDGED_TRIALS:
        trials = grid(own, "uniform", n_source, n_trials)
        seconds = seconds_of(lambda trials=trials: mbnb.mdad(mbnb.agreement(trials)))
        rows.append(("trials", n_trials, JUDGING, seconds))
    return pd.DataFrame(rows, columns=["grows", "value", "selector", "seconds"])


def factors(growth: pd.DataFrame) -> pd.DataFrame:
    """By what factor the seconds grow when a quantity doubles the last time, a row a selector."""
    seconds = growth.sort_values("value").groupby(["selector", "grows"], sort=False)["seconds"]
    return seconds.agg(lambda curve: curve.iloc[-1] / curve.iloc[-2]).unstack()
