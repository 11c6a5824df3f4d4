"""What goes past the study's estimators and selectors, measured on every leaderboard at hand.

    MBNB_DATA=folder python benchmarks/better.py [PART ...] [--datasets NAME ...] [--write]

Parts (all where none is named):

    estimators  what is made of the answers: every selector with the estimators that learn
    ablation    `close-pairs` without its safeguard, at several bandwidths
    sources     the same items and estimators with 10 sources and more
    families    families of models on one side of the line between sources and targets

Leaderboards, options and finished trials as in `leaderboards.py`.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from time import perf_counter

import numpy as np
import pandas as pd
from leaderboards import FOLDER, LEADERBOARDS, keep

import mbnb
from mbnb.judge.table import HALVES
from mbnb.methods.close_pairs import ClosePairsSelector
from mbnb.methods.selector import Selector
from mbnb.run.paper import possible_paper_sizes

SMALL = (10, 25, 50, 100, 250)
SOURCES = (10, 30, 100, 300)
LINEAR = ["weighted-mean", "ridge", "corrected-mean"]
BY_IRT = ["p-irt", "gp-irt"]
# Where an estimator of ten dimensions is worth its time.
IRT_SELECTORS = ("uniform", "anchor-points", "tinybenchmarks", "close-pairs")
# Pairs of up to so many points count as close.
CLOSE = 5.0
TIES = ("wrong", "half")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("parts", nargs="*", metavar="PART", help="of " + ", ".join(RUN))
    parser.add_argument("--datasets", nargs="+", default=[board.name for board in LEADERBOARDS])
    parser.add_argument("--trials", type=int, default=50)
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--write", action="store_true", help=f"keep the results in {FOLDER}")
    arguments = parser.parse_args()
    if unknown := set(arguments.parts) - set(RUN):
        parser.error(f"no part is called {', '.join(unknown)}; known: {', '.join(RUN)}")
    there = set(mbnb.available()["name"])
    for part in arguments.parts or RUN:
        for board in LEADERBOARDS:
            if board.name not in arguments.datasets or board.name not in there:
                continue
            matrix, _ = board.matrix()
            began = perf_counter()
            tables = [table for table in RUN[part](matrix, arguments) if not table.empty]
            print(f"{board.name}, {part}: {perf_counter() - began:.0f} s", flush=True)
            if arguments.write and tables:
                table = pd.concat(tables, ignore_index=True)
                keep(board, part, {f"better-{part}": table})


def measure(
    matrix: mbnb.ResponseMatrix,
    selectors: list[str | Selector],
    estimators: list[str],
    sizes: list[int],
    arguments: argparse.Namespace,
    **more: object,
) -> pd.DataFrame:
    """One grid, and the rows it comes to."""
    trials = mbnb.run_trials(
        matrix,
        selectors,
        sizes,
        n_trials=arguments.trials,
        estimators=estimators,
        n_jobs=arguments.jobs,
        store=mbnb.ResultStore(),
        **more,  # type: ignore[arg-type]
    )
    return told(trials, matrix.name)


def told(trials: mbnb.Trials, dataset: str) -> pd.DataFrame:
    """The rows that trials come to."""
    table = mbnb.summarise(trials)
    halves = []
    for half in HALVES:
        readings = {ties: mbnb.Reading(ties=ties, min_pairs=trials.n_trials) for ties in TIES}
        counts = {ties: mbnb.agreement(trials, half, how) for ties, how in readings.items()}
        own = table[table["half"] == half].reset_index(drop=True)
        close = counts["wrong"].gaps <= CLOSE
        pairs, right = (
            values[:, :, close].sum(axis=(1, 2))
            for values in (counts["wrong"].pairs, counts["wrong"].agreeing)
        )
        ties_half = mbnb.mdad(counts["half"], readings["half"])["mdad"]
        halves.append(own.assign(close=right / pairs, mdad_half_ties=ties_half))
    table = pd.concat(halves, ignore_index=True).assign(dataset=dataset, n_target=trials.n_target)
    columns = ["dataset", "n_source", "n_target", "selector", "estimator", "size", "half", "mdad"]
    return table[[*columns, "low", "high", "mdad_half_ties", "close", "pairs", "tau", "error"]]


def run_estimators(
    matrix: mbnb.ResponseMatrix, arguments: argparse.Namespace
) -> Iterator[pd.DataFrame]:
    sizes, _ = possible_paper_sizes(matrix)
    n_source, n_target, _ = mbnb.possible_counts(matrix)
    models = {"n_source": n_source, "n_target": n_target}
    for selector in mbnb.KNOWN_SELECTORS:
        estimators = LINEAR + (BY_IRT if selector in IRT_SELECTORS else [])
        yield measure(matrix, [selector], estimators, sizes, arguments, **models)


def run_ablation(
    matrix: mbnb.ResponseMatrix, arguments: argparse.Namespace
) -> Iterator[pd.DataFrame]:
    sizes, _ = possible_paper_sizes(matrix)
    n_source, n_target, _ = mbnb.possible_counts(matrix)
    variants = {
        "close-pairs, free": ClosePairsSelector(pools=(None,)),
        "close-pairs, free, 3 points": ClosePairsSelector(3.0, pools=(None,)),
        "close-pairs, free, 6 points": ClosePairsSelector(6.0, pools=(None,)),
        "close-pairs, free, all pairs alike": ClosePairsSelector(np.inf, pools=(None,)),
    }
    for name, selector in variants.items():
        table = measure(
            matrix,
            [selector],
            ["corrected-mean"],
            sizes,
            arguments,
            n_source=n_source,
            n_target=n_target,
        )
        yield table.assign(selector=name)


def run_sources(
    matrix: mbnb.ResponseMatrix, arguments: argparse.Namespace
) -> Iterator[pd.DataFrame]:
    most, n_target, _ = mbnb.possible_counts(matrix)
    sizes, _ = mbnb.possible_sizes(matrix, SMALL)
    for n_source in sorted({most, *(n for n in SOURCES if n < most)}):
        models = {"n_source": n_source, "n_target": n_target}
        yield measure(matrix, ["uniform"], [*LINEAR, "p-irt"], sizes, arguments, **models)
        yield measure(matrix, ["close-pairs"], ["corrected-mean"], sizes, arguments, **models)
        yield measure(matrix, ["anchor-points"], ["weighted-mean"], sizes, arguments, **models)


def run_families(
    matrix: mbnb.ResponseMatrix, arguments: argparse.Namespace
) -> Iterator[pd.DataFrame]:
    sizes, _ = mbnb.possible_sizes(matrix, SMALL)
    n_source, n_target, _ = mbnb.possible_counts(matrix)
    matrix, recognised = mbnb.with_families(matrix)
    print(recognised)
    # Where whole families go to the targets fewer sources are left, on small leaderboards very few.
    for share in (0.7, 0.4, 0.2):
        models = {"n_source": int(share * n_source), "n_target": n_target}
        try:
            for families in (True, False):
                for selectors, estimators in SHORT:
                    table = measure(
                        matrix, selectors, estimators, sizes, arguments, families=families, **models
                    )
                    yield table.assign(families=families)
            return
        except mbnb.InputError as error:
            print(f"families apart: {error}")


SHORT: list[tuple[list[str | Selector], list[str]]] = [
    (["uniform"], [*LINEAR, "p-irt"]),
    (["anchor-points"], ["weighted-mean", "corrected-mean"]),
    (["tinybenchmarks"], ["weighted-mean", "gp-irt"]),
    (["close-pairs"], ["corrected-mean"]),
]
RUN = {
    "estimators": run_estimators,
    "ablation": run_ablation,
    "sources": run_sources,
    "families": run_families,
}


if __name__ == "__main__":
    main()
