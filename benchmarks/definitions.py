"""What each choice in the definition of the MDAD does to it, kept as figures that the book shows.

    MBNB_DATA=folder python benchmarks/definitions.py [PART ...] [--datasets NAME ...] [--write]

Parts (all where none is named):

    choices     the MDAD of every cell of the grids under every rule, one choice changed at a time
    intervals   intervals of it over trials, over target models, and over both
    coverage    leaderboards drawn from a simulated population: do their intervals hold its MDAD?

The grids are those of `leaderboards.py`, whose finished trials are used where they are kept
(MBNB_CACHE). Real matrices are looked for in $MBNB_DATA; those that are not there are skipped,
saying so, and what was kept of them stays. `--write` keeps the results in data/measured/.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from time import perf_counter

import numpy as np
import pandas as pd
from leaderboards import FOLDER, LEADERBOARDS, Leaderboard, grid_trials
from threadpoolctl import threadpool_limits

import mbnb
from mbnb.judge.agreement import RULES, Agreement, Reading, crossing
from mbnb.run.paper import possible_paper_sizes

LEAST = (1, 10, 30, 50, 100)
THRESHOLDS = (0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95)
WIDTHS = (0.25, 0.5, 1.0, 2.0)
BINNINGS = ("centred", "floor")
# Rising curves give thin bins little weight; the other rules need a minimum (the book's: 50).
USUAL_LEAST = {"first": 50, "sustained": 50, "isotonic": 1, "interpolated": 1}
SETTING = ("rule", "min_pairs", "ties", "threshold", "width", "binning")
POPULATION = "gpqa"
TIMES = 10
N_LEADERBOARDS = 24
SHARES = (0.1, 0.02)


def settings() -> list[Reading]:
    """The usual setting of each rule, and all that differ from one in a single respect."""
    found = []
    for rule in RULES:
        usual = Reading(rule=rule, min_pairs=USUAL_LEAST[rule])
        found.append(usual)
        found += [replace(usual, min_pairs=least) for least in LEAST]
        found += [replace(usual, threshold=threshold) for threshold in THRESHOLDS]
        found += [replace(usual, width=w, binning=b) for w in WIDTHS for b in BINNINGS]
        found.append(replace(usual, ties="half"))
    return list(dict.fromkeys(found))


def choices(board: Leaderboard, matrix: mbnb.ResponseMatrix) -> pd.DataFrame:
    trials = kept_grid(matrix)
    rows = []
    counted: dict[tuple[object, ...], Agreement] = {}
    for setting in settings():
        how = (setting.ties, setting.width, setting.binning)
        if how not in counted:
            counted[how] = mbnb.agreement(trials, reading=setting)
        counts = counted[how]
        pairs, agreeing = counts.pairs.sum(axis=1), counts.agreeing.sum(axis=1)
        values = crossing(pairs, agreeing, counts.gaps, setting)
        cells = counts.cells["selector"].astype(str) + "-" + counts.cells["size"].astype(str)
        row = {name: getattr(setting, name) for name in SETTING}
        rows.append({**row, **dict(zip(cells, values, strict=True))})
    return pd.DataFrame(rows)


def intervals(board: Leaderboard, matrix: mbnb.ResponseMatrix) -> pd.DataFrame:
    trials = kept_grid(matrix)
    tables = [mbnb.resampled_mdad(trials, by) for by in ("trials", "models", "both")]
    table = pd.concat(tables, ignore_index=True)
    table["n_target"] = trials.n_target
    return table[["by", "n_target", "selector", "size", "mdad", "low", "high"]]


def coverage() -> pd.DataFrame:
    """Intervals of leaderboards that are each a random share of the models of one population."""
    profile = mbnb.read_profile(POPULATION)
    cohorts = [replace(c, models=TIMES * c.models, bases=TIMES * c.bases) for c in profile.cohorts]
    matrix = mbnb.simulate(replace(profile, cohorts=tuple(cohorts)))
    sizes, _ = possible_paper_sizes(matrix)
    whole = mbnb.agreement(uniform_trials(matrix, sizes, 1000, 50))
    truth = mbnb.mdad(whole, mbnb.RECOMMENDED, n_resamples=1)["mdad"].to_numpy()
    rows = []
    for share in SHARES:
        for number in range(N_LEADERBOARDS):
            rng = np.random.default_rng([7, round(1000 * share), number])
            n_models = round(share * matrix.n_models)
            chosen = rng.choice(matrix.n_models, n_models, replace=False)
            own = matrix.subset(models=np.sort(chosen))
            _, n_target, _ = mbnb.possible_counts(own)
            # Halves and items of its own, or all leaderboards would share their luck.
            trials = uniform_trials(own, sizes, 50, n_target, seed=1 + number)
            for by in ("trials", "models", "both"):
                table = mbnb.resampled_mdad(trials, by, n_resamples=200)
                rows.append(table.assign(share=share, n_models=own.n_models, truth=truth))
    table = pd.concat(rows, ignore_index=True)
    high = table["high"].fillna(np.inf)
    table["covered"] = (table["low"] <= table["truth"]) & (table["truth"] <= high)
    table["width"] = table["high"] - table["low"]
    groups = table.groupby(["share", "by", "size"], sort=False)
    return groups.agg(
        leaderboards=("covered", "size"),
        n_models=("n_models", "mean"),
        truth=("truth", "first"),
        spread=("mdad", "std"),
        width=("width", "median"),
        covered=("covered", "mean"),
    ).reset_index()


def uniform_trials(
    matrix: mbnb.ResponseMatrix, sizes: list[int], n_trials: int, n_target: int, seed: int = 0
) -> mbnb.Trials:
    return mbnb.run_trials(
        matrix,
        ["uniform"],
        sizes,
        n_trials=n_trials,
        n_source=1,
        n_target=n_target,
        seed=seed,
        n_jobs=1,
    )


def kept_grid(matrix: mbnb.ResponseMatrix) -> mbnb.Trials:
    return grid_trials(matrix, argparse.Namespace(trials=50, jobs=1))


OF_BOARDS = {
    "choices": (choices, "definitions"),
    "intervals": (intervals, "definitions-intervals"),
}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parts = [*OF_BOARDS, "coverage"]
    names = [board.name for board in LEADERBOARDS]
    parser.add_argument("parts", nargs="*", metavar="PART", help="of " + ", ".join(parts))
    parser.add_argument("--datasets", nargs="+", default=names)
    parser.add_argument("--write", action="store_true", help=f"keep the results in {FOLDER}")
    arguments = parser.parse_args()
    for what, given, known in (
        ("part", arguments.parts, parts),
        ("data set", arguments.datasets, names),
    ):
        if unknown := set(given) - set(known):
            parser.error(f"no {what} is called {', '.join(unknown)}; known: {', '.join(known)}")
    asked = arguments.parts or parts
    there = set(mbnb.available()["name"])
    for board in LEADERBOARDS:
        if board.name not in arguments.datasets or not set(asked) & set(OF_BOARDS):
            continue
        if board.name not in there:
            print(f"{board.name} is not here (MBNB_DATA) and was skipped", flush=True)
            continue
        matrix, _ = board.matrix()
        for part in [part for part in OF_BOARDS if part in asked]:
            began = perf_counter()
            measure, name = OF_BOARDS[part]
            with threadpool_limits(1):
                table = measure(board, matrix)
            print(f"{board.name}, {part}: {perf_counter() - began:.0f} s", flush=True)
            if arguments.write and len(table):
                keep(name, table, board.name)
    if "coverage" in asked:
        began = perf_counter()
        with threadpool_limits(1):
            table = coverage()
        print(f"coverage: {perf_counter() - began:.0f} s", flush=True)
        if arguments.write:
            write(FOLDER / "definitions-coverage.csv", table)


def keep(name: str, table: pd.DataFrame, dataset: str) -> None:
    """Write a data set's rows; those of the other data sets stay."""
    path = FOLDER / f"{name}.csv"
    table.insert(0, "dataset", dataset)
    if path.is_file():
        before = pd.read_csv(path)
        table = pd.concat([before[before["dataset"] != dataset], table], ignore_index=True)
    order = [board.name for board in LEADERBOARDS]
    table = table.sort_values("dataset", key=lambda names: names.map(order.index), kind="stable")
    write(path, table)


def write(path: Path, table: pd.DataFrame) -> None:
    table.to_csv(path, index=False, float_format="{:.3g}".format)


if __name__ == "__main__":
    main()
