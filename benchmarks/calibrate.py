"""Measures the rates by which `expected_seconds` (`mbnb.study.costs`) expects the time of a trial.

    python benchmarks/calibrate.py [--write]

Times each step of each selector on simulated leaderboards of several shapes, in processor time of
one thread, and finds the rates of the leading terms (see `work` in `mbnb.study.costs.timing`) by
least squares of the relative errors, none below zero. `--write` puts them into
mbnb/study/costs/rates.py.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import process_time

import numpy as np
import pandas as pd
from machine import describe
from memory import made_up
from scipy.optimize import nnls
from threadpoolctl import threadpool_limits

import mbnb
from mbnb.data.responses import ResponseMatrix
from mbnb.methods.selectors import FittedSelector
from mbnb.run.splits import DEFAULT_TARGETS, key_of
from mbnb.study.costs.timing import BOOKKEEPING, SAMPLED, measure_yardstick, work

TARGET = Path(__file__).parents[1] / "mbnb" / "study" / "costs" / "rates.py"
SIZES = (10, 25, 50, 100, 250, 500, 1000)
SOURCES = (10, 100, 300)
# Whole benchmarks and parts of one, so that small and large train halves are there.
SHAPES = {
    "simulated:mmlu-pro": (50, 700, 2000, 6012),
    "simulated:bbh": (2880,),
    "simulated:gpqa": (224,),
}
# Made-up benchmarks beyond those, for what is linear in the items.
LARGE, LARGE_SIZES = ((12_000, 300), (15_000, 100), (30_000, 200)), (10, 100, 1000)
COUNTED = ("numpy", "scikit-learn", "kmedoids")  # libraries on which the rates depend most
N_TRIALS = 20
ENOUGH = 0.02  # seconds: what takes less is timed again
LONG = 0.3  # seconds: what takes more is drawn once


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    with threadpool_limits(1):
        parts = [observe(name, shapes) for name, shapes in SHAPES.items()]
        observed = pd.concat([*parts, observe_large()])
    rates = fit_rates(observed)
    print(errors(observed, rates).to_string(float_format="{:.2f}".format))
    text = module_text(rates)
    if arguments.write:
        TARGET.write_text(text, encoding="utf-8")
    else:
        print(text)


def observe(dataset: str, shapes: tuple[int, ...]) -> pd.DataFrame:
    """Processor seconds of every step, in yardsticks: name, n_items, n_source, size, cost."""
    matrix, _ = mbnb.prepare(dataset, missing="drop-items")
    rng = np.random.default_rng(0)
    rows = []
    for n_items in shapes:
        items = np.sort(rng.permutation(matrix.n_items)[:n_items])
        for n_source in SOURCES:
            models = np.sort(rng.permutation(matrix.n_models)[:n_source])
            yardstick = measure_yardstick()
            train = matrix.subset(models, items)
            sizes = [size for size in SIZES if size < n_items]
            for name in mbnb.SELECTORS:
                rows += [
                    (name, n_items, n_source, size, seconds / yardstick)
                    for size, seconds in time_steps(name, train, sizes)
                ]
            # Train halves of the items at hand, so that `n_items` is what is timed.
            whole = matrix.subset(items=np.sort(rng.permutation(matrix.n_items)[: 2 * n_items]))
            rows += [
                (BOOKKEEPING, n_train, n_source, size, seconds / yardstick)
                for n_train, size, seconds in time_bookkeeping(whole, n_source)
            ]
            print(f"{dataset}: {n_items:,} items, {n_source} sources", file=sys.stderr, flush=True)
    return pd.DataFrame(rows, columns=["name", "n_items", "n_source", "size", "cost"])


def observe_large() -> pd.DataFrame:
    """The same beyond the items whose distances Anchor Points holds."""
    rows = []
    for n_items, n_source in LARGE:
        train = made_up(n_source, n_items)
        yardstick = measure_yardstick()
        for name in ("anchor-points", "diversity", "tinybenchmarks"):
            key = SAMPLED if name == "anchor-points" else name
            rows += [
                (key, n_items, n_source, size, seconds / yardstick)
                for size, seconds in time_steps(name, train, list(LARGE_SIZES))
                # Made-up answers are easier to fit than a leaderboard's: fewer rounds.
                if name != "tinybenchmarks" or size is not None
            ]
        print(f"made up: {n_items:,} items, {n_source} sources", file=sys.stderr, flush=True)
    return pd.DataFrame(rows, columns=["name", "n_items", "n_source", "size", "cost"])


def time_steps(
    name: str, train: ResponseMatrix, sizes: list[int]
) -> list[tuple[int | None, float]]:
    kept: list[FittedSelector] = []
    selector = mbnb.make_selector(name)
    fit = processor_seconds(lambda: kept.append(selector.fit(train)))
    rows: list[tuple[int | None, float]] = [(None, fit)]
    for size in sizes:
        # Two draws where that is quick: how often a clustering goes round is a matter of luck.
        draws: list[float] = []
        while len(draws) < 2 and sum(draws) < LONG:
            rng = np.random.default_rng([key_of(name), len(draws)])
            draws.append(processor_seconds(partial(kept[-1].select, size, rng)))
        rows.append((size, float(np.mean(draws))))
    return rows


def time_bookkeeping(matrix: ResponseMatrix, n_source: int) -> list[tuple[int, int | None, float]]:
    """What is left of a trial if the selector does next to nothing, and an estimate alone."""
    counts = {"n_source": n_source, "n_target": DEFAULT_TARGETS}
    seconds = processor_seconds(
        lambda: mbnb.run_trials(matrix, ["uniform"], [1], n_trials=N_TRIALS, n_jobs=1, **counts)
    )
    split = mbnb.make_split(matrix, seed=0, trial=0, **counts)
    targets = matrix.subset(split.targets, split.train)
    selection = mbnb.make_selector("uniform").fit(targets).select(10, np.random.default_rng(0))
    estimating = processor_seconds(lambda: mbnb.estimate("weighted-mean", selection, targets))
    n_train = split.train.size
    return [(n_train, None, seconds / N_TRIALS), (n_train, 10, estimating)]


def processor_seconds(step: Callable[[], object]) -> float:
    """The shortest processor time of a few runs; one run where it is long."""
    times = []
    while len(times) < 5 and (not times or times[-1] < ENOUGH):
        begun = process_time()
        step()
        times.append(process_time() - begun)
    return min(times)


def fit_rates(observed: pd.DataFrame) -> dict[str, tuple[tuple[float, ...], tuple[float, ...]]]:
    rates = {}
    for name, own in observed.groupby("name", sort=False):
        fits = own["size"].isna()
        rates[str(name)] = (_rates(str(name), own[fits]), _rates(str(name), own[~fits]))
    return rates


def _rates(name: str, rows: pd.DataFrame) -> tuple[float, ...]:
    terms = _terms(name, rows)
    if not terms.shape[1]:
        return ()
    # Of two shapes the one that costs more matters more, but not in proportion.
    weights = rows["cost"].to_numpy() ** -0.75
    # Terms on one scale: the solver's tolerance is absolute.
    scale = np.linalg.norm(terms * weights[:, None], axis=0)
    found, _ = nnls(terms * weights[:, None] / scale, rows["cost"].to_numpy() * weights)
    return tuple(float(f"{rate:.3g}") for rate in found / scale)


def _terms(name: str, rows: pd.DataFrame) -> np.ndarray:
    return np.array(
        [
            work(name, row.n_items, row.n_source, None if np.isnan(row.size) else int(row.size))
            for row in rows.astype({"size": float}).itertuples()
        ]
    )


def errors(
    observed: pd.DataFrame, rates: dict[str, tuple[tuple[float, ...], tuple[float, ...]]]
) -> pd.DataFrame:
    """Expected ÷ observed cost of a trial: a row for each shape, a column for each selector."""
    parts = []
    for name, own in observed.groupby("name", sort=False):
        fits = own["size"].isna()
        for step, rows in zip(rates[str(name)], (own[fits], own[~fits]), strict=True):
            expected = _terms(str(name), rows) @ np.array(step) if step else 0.0
            parts.append(rows.assign(expected=expected))
    sums = pd.concat(parts).groupby(["n_items", "n_source", "name"])[["expected", "cost"]].sum()
    table = (sums["expected"] / sums["cost"]).unstack()
    whole = sums.groupby(["n_items", "n_source"]).sum()
    return table.assign(all=whole["expected"] / whole["cost"])


def module_text(rates: dict[str, tuple[tuple[float, ...], tuple[float, ...]]]) -> str:
    machine = describe()
    lines = [
        '"""What each term of a trial\'s cost costs, in yardsticks; holds nothing else."""',
        "",
        "# Written by `python benchmarks/calibrate.py --write`, which measures them; last on",
        f"# {machine['date']}, {machine['processor']},",
        "# " + ", ".join(f"{name} {machine[name]}" for name in COUNTED) + ".",
        "# By selector: rates of a fit and of one selection, for a million of each term of `work`.",
        "RATES: dict[str, tuple[tuple[float, ...], tuple[float, ...]]] = {",
        *[f'    "{name}": {values!r},' for name, values in rates.items()],
        "}",
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
