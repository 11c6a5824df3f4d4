"""Where the time of a grid goes: seconds per step of one trial, and what a whole grid would take.

    python benchmarks/grid.py [--dataset simulated:mmlu-pro] [--trials 50] [--threads 1]

Times depend on the machine; compare shares and ratios within one run. The yardstick is one BLAS
product of the shape that a correlation matrix needs: (items × sources) · (sources × items).
"""

from __future__ import annotations

import argparse
import resource
from time import perf_counter

import numpy as np
import pandas as pd
from threadpoolctl import threadpool_limits

import mbnb
from mbnb.study.costs import time_selector
from mbnb.study.splits import key_of

SIZES = [10, 25, 50, 100, 250, 500, 1000]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--dataset", default="simulated:mmlu-pro")
    parser.add_argument("--trials", type=int, default=50)
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    with threadpool_limits(arguments.threads):
        measure(arguments.dataset, arguments.trials)


def measure(dataset: str, n_trials: int) -> None:
    rows: list[tuple[str, float]] = []

    def clock(step: str, begun: float) -> None:
        rows.append((step, perf_counter() - begun))

    begun = perf_counter()
    matrix, _ = mbnb.prepare(dataset, missing="drop-items")
    load = perf_counter() - begun
    sizes, _ = mbnb.possible_sizes(matrix, SIZES)
    n_source, n_target, _ = mbnb.possible_counts(matrix)
    begun = perf_counter()
    split = mbnb.make_split(matrix, seed=0, trial=0, n_source=n_source, n_target=n_target)
    train = matrix.subset(split.sources, split.train)
    clock("split", begun)
    targets = matrix.subset(split.targets, split.train)
    for name in mbnb.SELECTORS:
        _, selections, costs = time_selector(name, train, sizes, seed=key_of(name) % 2**32)
        rows += [
            (
                f"{name}: {row.step}" + ("" if np.isnan(row.size) else f" {row.size:.0f}"),
                row.seconds,
            )
            for row in costs.astype({"size": float}).itertuples(index=False)
        ]
        begun = perf_counter()
        for selection in selections.values():
            mbnb.estimate("weighted-mean", selection, targets)
        clock(f"{name}: estimates", begun)
    trial = sum(seconds for _, seconds in rows)

    grid = mbnb.run_trials(
        matrix,
        ["uniform"],
        sizes,
        n_trials=n_trials,
        n_source=n_source,
        n_target=n_target,
        n_jobs=1,
    )
    begun = perf_counter()
    mbnb.mdad(mbnb.agreement(grid))
    judge = len(mbnb.SELECTORS) * (perf_counter() - begun)

    a = np.ascontiguousarray(train.evidence)
    begun = perf_counter()
    a.T @ a
    yardstick = perf_counter() - begun

    table = pd.DataFrame(rows, columns=["step", "seconds"])
    table["share"] = (100 * table["seconds"] / trial).map("{:.1f} %".format)
    table["× yardstick"] = (table["seconds"] / yardstick).map("{:.1f}".format)
    print(f"{dataset}: {n_source} sources × {train.n_items} items, {n_target} targets, one trial")
    print(table.to_string(index=False, float_format="{:.3f}".format))
    print(f"one trial {trial:.1f} s; loading {load:.1f} s; yardstick {yardstick:.3f} s")
    print(f"agreement, MDAD and intervals of {n_trials} trials, all selectors: {judge:.1f} s")
    print(f"{n_trials} trials on one core: {n_trials * trial / 60:.1f} min")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"peak memory {peak:.0f} MB")


if __name__ == "__main__":
    main()
