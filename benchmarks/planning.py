"""Expected against measured time of grids; writes no file."""

from __future__ import annotations

from time import perf_counter

import pandas as pd

import mbnb
from mbnb.run.splits import DEFAULT_TARGETS
from mbnb.study.costs.timing import expected_seconds, measure_yardstick

DATASETS = ("simulated:gpqa", "simulated:bbh", "simulated:mmlu", "simulated:mmlu-pro")
SOURCES = (10, 100, 300)


def measure_planning(
    sizes: list[int], n_trials: int, datasets: tuple[str, ...] = DATASETS
) -> pd.DataFrame:
    """Seconds of one trial in real grids of one worker, and what was expected of it.

    Returns
    -------
    DataFrame
        Columns dataset, n_items (train half), n_source, selector, expected, measured.
    """
    rows = []
    for dataset in datasets:
        matrix, _ = mbnb.prepare(dataset, missing="drop-items")
        possible, _ = mbnb.possible_sizes(matrix, sizes)
        # The study's last size where 250 is too large.
        if 250 not in possible:
            possible = [*possible, 200]
        n_train = mbnb.make_split(matrix, seed=0, trial=0, n_source=1).train.size
        for n_source in SOURCES:
            yardstick = measure_yardstick()
            for name in mbnb.SELECTORS:
                expected = expected_seconds(
                    name,
                    n_items=n_train,
                    n_source=n_source,
                    sizes=possible,
                    yardstick=yardstick,
                )
                # Short trials come in larger numbers: what a grid does once is then a small share.
                n = n_trials if expected > 0.3 else 20 * n_trials
                begun = perf_counter()
                mbnb.run_trials(
                    matrix,
                    [name],
                    possible,
                    n_trials=n,
                    n_source=n_source,
                    n_target=DEFAULT_TARGETS,
                    n_jobs=1,
                )
                seconds = (perf_counter() - begun) / n
                rows.append((dataset, n_train, n_source, name, expected, seconds))
    columns = ["dataset", "n_items", "n_source", "selector", "expected", "measured"]
    return pd.DataFrame(rows, columns=columns)


def ratios(planning: pd.DataFrame) -> pd.DataFrame:
    """Expected ÷ measured, a row for each grid, a column for each selector and for all."""
    grid = ["dataset", "n_items", "n_source"]
    own = planning.assign(ratio=planning["expected"] / planning["measured"])
    table = own.pivot(index=grid, columns="selector", values="ratio")[list(mbnb.SELECTORS)]
    whole = planning.groupby(grid)[["expected", "measured"]].sum()
    return table.assign(all=whole["expected"] / whole["measured"], seconds=whole["measured"])
