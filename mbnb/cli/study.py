"""The command `mbnb study`: a grid from the shell, without a notebook."""

from __future__ import annotations

import math
from pathlib import Path

import click
import pandas as pd

from mbnb.book.build import available_cores
from mbnb.cli.grids import grid_options, split_names, split_sizes
from mbnb.cli.output import check_out, json_text, tell, wide_text, write_whole
from mbnb.cli.paper import SUFFIXES, Options, run_paper
from mbnb.data.datasets import prepare
from mbnb.data.errors import InputError
from mbnb.data.responses import ResponseMatrix
from mbnb.judge.agreement import RISING, RULES, Reading, agreement, format_interval, mdad
from mbnb.judge.measures import estimation_error, kendall_tau
from mbnb.judge.table import Trials
from mbnb.methods.estimators import ESTIMATORS
from mbnb.run.paper import SIZES
from mbnb.run.splits import possible_counts, possible_sizes
from mbnb.run.store import ResultStore
from mbnb.run.trials import run_trials
from mbnb.study.beyond.graded import graded

THRESHOLD = 0.8


@click.command()
@click.argument("datasets", nargs=-1, metavar="[DATASET]...")
@click.option(
    "--paper",
    is_flag=True,
    help="The paper's whole study of each DATASET, by default of its four benchmarks: every "
    "number of sources, fixed groups of targets, every subtask; sizes and numbers of models are "
    "the paper's.",
)
@click.option(
    "--plan", is_flag=True, help="With --paper: print how long it will take, and run nothing."
)
@click.option(
    "--graded",
    "by_grades",
    is_flag=True,
    help="Rank models by the mean of their confidences in the place of their accuracy.",
)
@click.option(
    "--rule",
    type=click.Choice(RULES),
    default=RULES[0],
    show_default=True,
    help="How an MDAD is read off the agreement by gap. first: the first bin of gaps that reaches "
    "the threshold, the paper's; sustained: the first from which on every bin does; isotonic: the "
    "first in which the rising curve nearest to all bins does; interpolated: where the lines "
    "between its steps do, the book's recommendation.",
)
@grid_options
@click.option(
    "--estimators",
    help="Estimators of every selection, with commas between; by default each selector's own. "
    f"Known: {', '.join(ESTIMATORS)}.",
)
@click.option(
    "--scheduler",
    metavar="ADDRESS",
    help="Run on the workers of a Dask cluster: its scheduler's address, such as "
    "tcp://10.0.0.1:8786.",
)
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    help="File for the trials, a Parquet table (.parquet); with --paper for the table of MDADs, "
    ".csv or .parquet.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def study(
    datasets: tuple[str, ...],
    paper: bool,
    plan: bool,
    by_grades: bool,
    rule: str,
    selectors: str,
    sizes: str | None,
    n_trials: int,
    n_source: int | None,
    n_target: int | None,
    missing: str,
    duplicates: str,
    seed: int,
    jobs: int | None,
    estimators: str | None,
    scheduler: str | None,
    out: Path | None,
    as_json: bool,
) -> None:
    """Run a grid on DATASET (a name, a path or simulated:…) and print the MDAD table.

    By the first and the sustained rule a bin of gaps decides an MDAD only if it holds at least one
    pair a trial on average; the rising curve of the other rules weighs it by its pairs. Finished
    trials are kept (see MBNB_CACHE and `mbnb cache`), so that the same command goes on where it was
    stopped.

    \b
    mbnb study simulated:mmlu-pro --selectors uniform,anchor-points --sizes 10,100
    mbnb study --paper --plan
    mbnb study --paper --out paper.csv
    """
    names = split_names(selectors)
    n_jobs = jobs or available_cores()
    if paper:
        given = {
            "--sizes": sizes, "--sources": n_source, "--targets": n_target,
            "--estimators": estimators, "--graded": by_grades or None,
        }  # fmt: skip
        fixed = [option for option, value in given.items() if value is not None]
        if fixed:
            raise InputError(f"--paper sets {fixed[0]} itself; leave one of the two out.")
        if rule != RULES[0]:
            raise InputError(f"--paper reads by the paper's rule; leave out --rule {rule}.")
        check_out(out, SUFFIXES)
        options = Options(names, n_trials, seed, missing, duplicates, n_jobs, scheduler)
        run_paper(datasets, options, plan_only=plan, out=out, json=as_json)
        return
    if len(datasets) != 1 or plan:
        raise InputError(
            "--plan goes with --paper."
            if plan
            else f"one data set is needed; {len(datasets)} are given. Several go with --paper."
        )
    check_out(out, [".parquet"])
    matrix, notes = prepare(datasets[0], missing=missing, duplicates=duplicates)
    if by_grades:
        matrix = graded(matrix)
    n_source, n_target, chosen = possible_counts(matrix, n_source, n_target)
    wanted, left_out = _sizes(matrix, sizes)
    tell(*notes, chosen, left_out)
    trials = run_trials(
        matrix,
        names,
        wanted,
        n_trials=n_trials,
        n_source=n_source,
        n_target=n_target,
        estimators=None if estimators is None else split_names(estimators),
        seed=seed,
        n_jobs=n_jobs,
        scheduler=scheduler,
        store=ResultStore(),
    )
    tell(*trials.notes)
    if out is not None:
        _write(trials, out)
        tell(f"Trials written to {out}.")
    click.echo(_as_json(trials, rule) if as_json else _as_text(trials, rule, n_source, n_target))


def _sizes(matrix: ResponseMatrix, text: str | None) -> tuple[list[int], str]:
    """The sizes to run, and a sentence about the study's that the data do not allow."""
    if text is not None:
        return split_sizes(text), ""
    kept, too_large = possible_sizes(matrix, SIZES)
    if not kept:
        raise InputError(
            f"{matrix.name}: its train half has fewer than {SIZES[0]} items; name smaller --sizes."
        )
    note = f"Sizes above the train half are left out: {', '.join(map(str, too_large))}."
    return kept, note if too_large else ""


def _write(trials: Trials, out: Path) -> None:
    table = trials.table.copy()
    table.attrs = {
        "dataset": trials.dataset,
        "n_train": trials.n_train,
        "n_heldout": trials.n_heldout,
        "binary": trials.binary,
        "notes": list(trials.notes),
    }
    write_whole(out, lambda path: table.to_parquet(path, index=False))


def _tables(trials: Trials, rule: str) -> dict[str, pd.DataFrame]:
    counts = agreement(trials)
    least = 1 if rule in RISING else trials.n_trials
    return {
        "mdad": mdad(counts, Reading(threshold=THRESHOLD, rule=rule, min_pairs=least)),
        "tau": kendall_tau(trials),
        "error": estimation_error(trials),
    }


def _as_json(trials: Trials, rule: str) -> str:
    def nested(name: str, table: pd.DataFrame) -> dict[str, dict[str, float | None]]:
        cells: dict[str, dict[str, float | None]] = {}
        for cell, size, value in zip(_cells(table), table["size"], table[name], strict=True):
            # JSON has no NaN: what was not reached, or is not defined, is null.
            cells.setdefault(cell, {})[str(size)] = None if math.isnan(value) else float(value)
        return cells

    answer = {"dataset": trials.dataset, "n_trials": trials.n_trials, "rule": rule}
    answer |= {name: nested(name, table) for name, table in _tables(trials, rule).items()}
    return json_text(answer)


def _as_text(trials: Trials, rule: str, n_source: int, n_target: int) -> str:
    tables = _tables(trials, rule)
    tables["mdad"]["mdad"] = [format_interval(row) for _, row in tables["mdad"].iterrows()]
    titles = {
        "mdad": "MDAD in points [95 % interval]",
        "tau": "Kendall's tau",
        "error": "Mean estimation error in points",
    }
    parts = [
        f"{trials.dataset}: {n_source} sources, {n_target} targets, {trials.n_trials} trials, "
        f"threshold {THRESHOLD}, {rule} rule"
    ]
    for name, table in tables.items():
        named = table.assign(selector=_cells(table))
        order = list(dict.fromkeys(named["selector"]))
        parts.append(wide_text(f"\n{titles[name]}", named, name, order))
    return "\n".join(parts)


def _cells(table: pd.DataFrame) -> list[str]:
    """Names of the rows' cells: the selector, and its estimator where it comes with several."""
    several = len(table[["selector", "estimator"]].drop_duplicates()) > table["selector"].nunique()
    names = zip(table["selector"].astype(str), table["estimator"].astype(str), strict=True)
    return [f"{selector} + {estimator}" if several else selector for selector, estimator in names]
