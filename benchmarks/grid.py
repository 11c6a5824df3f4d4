"""Where the time and the memory of a grid go, in one run on one machine.

    python benchmarks/grid.py [PART ...] [--dataset simulated:mmlu-pro] [--write]

Parts (all where none is named):

    steps      seconds of each step of one trial, and each selector beside its lower bound
    growth     what doubling the items, the source models or the trials costs
    workers    peak memory of each worker of a real grid
    large      seconds and memory on large benchmarks, each selector in a process of its own

Times depend on the machine; compare shares, factors and ratios of one run. The yardstick is a
fixed piece of work (see `measure_yardstick` in machine.py). `--write` keeps what was
measured in data/measured/; see the README there.
"""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from pathlib import Path
from time import perf_counter

import pandas as pd
from growth import factors, measure_growth
from machine import describe, measure_yardstick
from memory import measure_large, measure_workers
from steps import ANY, measure_steps

import mbnb

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "data" / "measured"
PARTS = ("steps", "growth", "workers", "large")
SIZES = [10, 25, 50, 100, 250, 500, 1000]
LARGE_ITEMS = [25_000, 50_000, 100_000]
LARGE_SOURCES, LARGE_SIZE = 500, 100


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("parts", nargs="*", metavar="PART", help="of " + ", ".join(PARTS))
    parser.add_argument("--dataset", default="simulated:mmlu-pro")
    parser.add_argument("--trials", type=int, default=50, help="of a whole grid")
    parser.add_argument("--large-items", type=int, nargs="+", default=LARGE_ITEMS)
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--write", action="store_true", help=f"keep the results in {FOLDER}")
    arguments = parser.parse_args()
    unknown = set(arguments.parts) - set(PARTS)
    if unknown:
        parser.error(f"no part is called {', '.join(sorted(unknown))}; known: {', '.join(PARTS)}")
    wanted = [part for part in PARTS if part in (arguments.parts or PARTS)]
    facts = {**describe(), "yardstick_seconds": f"{measure_yardstick():.4f}"}
    print("\n".join(f"{name:18} {value}" for name, value in facts.items()))
    begun = perf_counter()
    matrix, _ = mbnb.prepare(arguments.dataset, missing="drop-items")
    print(f"{'loading':18} {perf_counter() - begun:.1f} s for {arguments.dataset}\n")
    n_source, _, _ = mbnb.possible_counts(matrix)
    shape = {
        "dataset": matrix.name,
        "n_models": str(matrix.n_models),
        "n_items": str(matrix.n_items),
        "n_source": str(n_source),
        "n_train": str(mbnb.make_split(matrix, seed=0, trial=0, n_source=1).train.size),
        "n_trials": str(arguments.trials),
    }
    for part in wanted:
        began = perf_counter()
        tables = RUN[part](matrix, arguments)
        print(f"({part}: {perf_counter() - began:.0f} s)\n", flush=True)
        if arguments.write:
            command = shlex.join(["python", "benchmarks/grid.py", *sys.argv[1:]])
            keep(part, tables, {**facts, **shape, "command": command})


def keep(part: str, tables: dict[str, pd.DataFrame], facts: dict[str, str]) -> None:
    """Write a part's tables, and its line in the table of runs; other parts' lines stay."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, table in tables.items():
        table.to_csv(FOLDER / f"{name}.csv", index=False, float_format="{:.4g}".format)
    path = FOLDER / "costs-runs.csv"
    runs = pd.DataFrame([{"part": part, **facts}])
    if path.is_file():
        before = pd.read_csv(path, dtype=str)
        runs = pd.concat([before[before["part"] != part], runs], ignore_index=True)
    runs.to_csv(path, index=False)


def run_steps(
    matrix: mbnb.ResponseMatrix, arguments: argparse.Namespace
) -> dict[str, pd.DataFrame]:
    sizes, _ = mbnb.possible_sizes(matrix, SIZES)
    steps, bounds = measure_steps(matrix, sizes, arguments.trials)
    yardstick = measure_yardstick()
    print(f"One trial of {matrix.name}, seconds of each step:")
    each = steps.assign(
        column=steps["step"].where(steps["size"].isna(), steps["size"].map("{:.0f}".format))
    )
    once = each[each["selector"] == ANY]
    own = each[each["selector"] != ANY]
    wide = own.pivot(index="selector", columns="column", values="seconds")
    wide = wide.loc[list(mbnb.SELECTORS), ["fit", *map(str, sizes), "estimates"]]
    wide["all"] = wide.sum(axis=1)
    any_trial, judging = once["seconds"]
    # A unit of work is one selector in one trial: each splits for itself.
    trial = wide["all"].sum() + len(mbnb.SELECTORS) * any_trial
    wide["share"] = (100 * wide["all"] / trial).map("{:.1f} %".format)
    wide["× yardstick"] = (wide["all"] / yardstick).map("{:.1f}".format)
    print(wide.to_string(float_format="{:.3f}".format))
    print(
        f"split and accuracies, for each selector: {any_trial:.3f} s "
        f"({100 * len(mbnb.SELECTORS) * any_trial / trial:.1f} % in all)\n"
        f"one trial of all selectors: {trial:.1f} s; {arguments.trials} trials on one core: "
        f"{arguments.trials * trial / 60:.1f} min\n"
        f"agreement, MDAD and intervals of {arguments.trials} trials, each selector: "
        f"{judging:.3f} s for all sizes\n"
    )
    print("Each selector beside the least that its way of working needs:")
    print(bounds.to_string(index=False, float_format="{:.3g}".format))
    return {"costs-steps": steps, "costs-bounds": bounds}


def run_growth(
    matrix: mbnb.ResponseMatrix, arguments: argparse.Namespace
) -> dict[str, pd.DataFrame]:
    n_source, n_target, _ = mbnb.possible_counts(matrix)
    table = measure_growth(matrix, n_source, n_target)
    print("Seconds (one trial; whole grids where the trials grow):")
    wide = table.pivot(index=["grows", "value"], columns="selector", values="seconds")
    print(wide.to_string(float_format="{:.3f}".format, na_rep=""))
    print("Factor of the last doubling:")
    print(factors(table).to_string(float_format="{:.2f}".format, na_rep=""))
    return {"costs-growth": table}


def run_workers(
    matrix: mbnb.ResponseMatrix, arguments: argparse.Namespace
) -> dict[str, pd.DataFrame]:
    sizes, _ = mbnb.possible_sizes(matrix, SIZES)
    table = measure_workers(matrix, sizes, 2 * arguments.measured_trials, arguments.jobs)
    print(f"Peak memory of a grid with {arguments.jobs} workers (MB):")
    print(table.to_string(index=False, float_format="{:.0f}".format))
    return {"costs-workers": table}


def run_large(
    matrix: mbnb.ResponseMatrix, arguments: argparse.Namespace
) -> dict[str, pd.DataFrame]:
    table = measure_large(arguments.large_items, LARGE_SOURCES, LARGE_SIZE)
    print(f"Large train halves: {LARGE_SOURCES} source models, {LARGE_SIZE} items chosen:")
    print(table.to_string(index=False, float_format="{:.2f}".format))
    return {"costs-large": table}


RUN = {
    "steps": run_steps,
    "growth": run_growth,
    "workers": run_workers,
    "large": run_large,
}


if __name__ == "__main__":
    main()
