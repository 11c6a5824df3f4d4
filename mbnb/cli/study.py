"""The command `mbnb study`: a grid, or the paper's whole study, from the shell."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mbnb.cli import options
from mbnb.cli.options import print_json, tell, wide_text, write_whole
from mbnb.data.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

    from mbnb.data.responses import ResponseMatrix
    from mbnb.judge.table import Trials

# What `--paper` sets itself, or reads by the paper's rule.
FIXED = ("sizes", "n_source", "n_target", "estimators", "by_grades", "rule", "threshold")


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
    "--plan", is_flag=True, help="With --paper: print how much it is to run, and run nothing."
)
@click.option(
    "--graded",
    "by_grades",
    is_flag=True,
    help="Rank models by the mean of their confidences in the place of their accuracy.",
)
@click.option(
    "--rule",
    type=click.Choice(options.RULES),
    default="first",
    show_default=True,
    help="How an MDAD is read off the agreement by gap. first: the first bin of gaps that reaches "
    "the threshold, the paper's; sustained: the first from which on every bin does; isotonic: the "
    "first in which the rising curve nearest to all bins does; interpolated: where the lines "
    "between its steps do, the book's recommendation.",
)
@click.option(
    "--threshold",
    type=click.FloatRange(0.5, 1, min_open=True),
    default=0.8,
    show_default=True,
    help="Agreement from which on a gap counts as detected.",
)
@options.grid()
@click.option(
    "--estimators",
    type=options.CommaList(),
    help="Estimators of every selection, with commas between; by default each selector's own. "
    f"Known: {', '.join(options.ESTIMATORS)}.",
)
@click.option(
    "--scheduler",
    metavar="ADDRESS",
    help="Run on the workers of a Dask cluster: its scheduler's address, such as "
    "tcp://10.0.0.1:8786.",
)
@click.option(
    "--out",
    type=options.OutFile(".parquet", ".csv"),
    help="File for the trials, or with --paper for the table of MDADs.",
)
@options.as_json
@click.pass_context
def study(
    ctx: click.Context, paper: bool, plan: bool, datasets: tuple[str, ...], **rest: Any
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
    if not paper:
        if plan or len(datasets) != 1:
            raise InputError(
                "--plan goes with --paper."
                if plan
                else f"one data set is needed; {len(datasets)} are given. Several go with --paper."
            )
        _run_grid(datasets[0], **rest)
        return
    fixed = [option for name, option in options.typed(ctx).items() if name in FIXED]
    if fixed:
        raise InputError(f"--paper sets {fixed[0]} itself; leave one of the two out.")
    _run_paper(datasets, plan_only=plan, **{k: v for k, v in rest.items() if k not in FIXED})


def _run_grid(
    dataset: str,
    *,
    by_grades: bool,
    rule: str,
    threshold: float,
    selectors: tuple[str, ...],
    sizes: tuple[int, ...] | None,
    n_source: int | None,
    n_target: int | None,
    missing: str,
    duplicates: str,
    jobs: int,
    out: Path | None,
    as_json: bool,
    **rest: Any,
) -> None:
    from mbnb.data.datasets import prepare
    from mbnb.data.responses import graded
    from mbnb.run.splits import possible_counts
    from mbnb.run.store import ResultStore
    from mbnb.run.trials import run_trials

    matrix, notes = prepare(dataset, missing=missing, duplicates=duplicates)
    if by_grades:
        matrix = graded(matrix)
    n_source, n_target, chosen = possible_counts(matrix, n_source, n_target)
    wanted, left_out = (list(sizes), "") if sizes else _possible(matrix)
    tell(*notes, chosen, left_out)
    trials = run_trials(
        matrix,
        selectors,
        wanted,
        n_source=n_source,
        n_target=n_target,
        n_jobs=jobs,
        store=ResultStore(),
        **rest,
    )
    tell(*trials.notes)
    if out is not None:
        about = ("dataset", "n_train", "n_heldout", "binary")
        table = trials.table.copy()
        table.attrs = {name: getattr(trials, name) for name in about}
        table.attrs["notes"] = list(trials.notes)
        _write(table, out)
        tell(f"Trials written to {out}.")
    tables = _tables(trials, rule, threshold)
    if as_json:
        told = {"dataset": trials.dataset, "n_trials": trials.n_trials, "rule": rule}
        nested = {name: _nested(table, name) for name, table in tables.items()}
        print_json(told | {"threshold": threshold} | nested)
        return
    click.echo(
        f"{trials.dataset}: {n_source} sources, {n_target} targets, {trials.n_trials} trials, "
        f"threshold {threshold:g}, {rule} rule"
    )
    _print_tables(tables)


def _possible(matrix: ResponseMatrix) -> tuple[list[int], str]:
    """The study's sizes that the data allow, and a sentence about the others."""
    from mbnb.run.paper import SIZES
    from mbnb.run.splits import possible_sizes

    kept, too_large = possible_sizes(matrix, SIZES)
    if not kept:
        raise InputError(
            f"{matrix.name}: its train half has fewer than {SIZES[0]} items; name smaller --sizes."
        )
    note = f"Sizes above the train half are left out: {', '.join(map(str, too_large))}."
    return kept, note if too_large else ""


def _tables(trials: Trials, rule: str, threshold: float) -> dict[str, pd.DataFrame]:
    """The tables by the name of their column, each with the selector's name for a person."""
    from mbnb.judge.agreement import RISING, Reading, agreement, mdad
    from mbnb.judge.measures import estimation_error, kendall_tau

    least = 1 if rule in RISING else trials.n_trials
    reading = Reading(threshold=threshold, rule=rule, min_pairs=least)
    tables = {
        "mdad": mdad(agreement(trials), reading),
        "tau": kendall_tau(trials),
        "error": estimation_error(trials),
    }
    for name, table in tables.items():
        own = table.groupby("selector", observed=True)["estimator"].nunique().max() == 1
        names = table["selector"].astype(str)
        both = names if own else names + " + " + table["estimator"].astype(str)
        tables[name] = table.assign(selector=both)
    return tables


def _nested(table: pd.DataFrame, column: str) -> dict[str, dict[str, float]]:
    cells: dict[str, dict[str, float]] = {}
    for name, size, value in table[["selector", "size", column]].itertuples(index=False):
        cells.setdefault(name, {})[str(size)] = float(value)
    return cells


def _print_tables(tables: dict[str, pd.DataFrame]) -> None:
    from mbnb.judge.agreement import format_interval

    shown = [format_interval(row) for _, row in tables["mdad"].iterrows()]
    tables = tables | {"mdad": tables["mdad"].assign(mdad=shown)}
    titles = {
        "mdad": "MDAD in points [95 % interval]",
        "tau": "Kendall's tau",
        "error": "Mean estimation error in points",
    }
    for name, table in tables.items():
        order = list(dict.fromkeys(table["selector"]))
        click.echo(wide_text(f"\n{titles[name]}", table, name, order))


def _run_paper(
    datasets: tuple[str, ...],
    *,
    plan_only: bool,
    selectors: tuple[str, ...],
    n_trials: int,
    seed: int,
    missing: str,
    duplicates: str,
    jobs: int,
    scheduler: str | None,
    out: Path | None,
    as_json: bool,
) -> None:
    """Plan, run, tabulate and print the paper's study, benchmark by benchmark."""
    import pandas as pd

    from mbnb.data.datasets import prepare
    from mbnb.run.paper import BENCHMARKS, Piece, paper_pieces, paper_table
    from mbnb.run.store import ResultStore
    from mbnb.run.trials import run_grids

    studies: dict[str, list[Piece]] = {}
    for name in datasets or BENCHMARKS:
        matrix, notes = prepare(name, missing=missing, duplicates=duplicates)
        if matrix.name in studies:
            raise InputError(f"the data set {matrix.name} is given twice; give each once.")
        pieces, more = paper_pieces(matrix, selectors, n_trials=n_trials, seed=seed)
        studies[matrix.name] = pieces
        tell(*(f"{matrix.name}: {note}" for note in (*notes, *more)))
    rows = [(d, p.variant, len(p.grid.units)) for d, pieces in studies.items() for p in pieces]
    units = pd.DataFrame(rows, columns=["dataset", "variant", "fits"])
    units = units.groupby(["dataset", "variant"], sort=False, as_index=False).sum()
    tell(
        f"Plan: {units['fits'].sum():,} fits of a selector, {n_trials} trials in each grid; those "
        f"that are kept from before are not run again.\n{units.to_string(index=False)}"
    )
    if plan_only:
        if as_json:
            print_json({"n_trials": n_trials, "plan": units.to_dict("records")})
        return
    tables = []
    for name, pieces in studies.items():
        grids = [piece.grid for piece in pieces]
        trials = run_grids(grids, n_jobs=jobs, scheduler=scheduler, store=ResultStore())
        tables.append(paper_table(pieces, trials))
        tell(f"{name}: done.")
    table = pd.concat(tables, ignore_index=True)
    if out is not None:
        _write(table, out)
        tell(f"The whole table is in {out}: {len(table):,} rows.")
    if as_json:
        cells = table.astype(object).where(table.notna(), None)
        print_json({"n_trials": n_trials, "rows": cells.to_dict("records")})
    else:
        _print_paper(table, selectors, n_trials)


def _print_paper(table: pd.DataFrame, selectors: tuple[str, ...], n_trials: int) -> None:
    from mbnb.judge.agreement import format_interval

    click.echo(
        "MDAD in points [95 % interval] on the train half at the largest number of sources; "
        f"{n_trials} trials."
    )
    pooled = table[(table["variant"] == "pooled") & (table["half"] == "train")]
    for name, rows in pooled.groupby("dataset", sort=False):
        most = rows[rows["n_source"] == rows["n_source"].max()]
        cells = most.assign(shown=[format_interval(row) for _, row in most.iterrows()])
        title = f"\n{name}: {most['n_source'].iloc[0]} sources, {most['n_target'].iloc[0]} targets"
        click.echo(wide_text(title, cells, "shown", selectors))


def _write(table: pd.DataFrame, out: Path) -> None:
    write = table.to_csv if out.suffix == ".csv" else table.to_parquet
    write_whole(out, lambda path: write(path, index=False))
