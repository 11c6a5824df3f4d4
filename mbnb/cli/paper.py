"""`mbnb study --paper`: the paper's whole study, planned first, then run benchmark by benchmark."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any

import click
import pandas as pd

from mbnb.cli.output import json_text, tell, wide_text, write_whole
from mbnb.data.datasets import prepare
from mbnb.data.errors import InputError
from mbnb.judge.agreement import format_interval
from mbnb.methods.selectors import Selector
from mbnb.run.paper import BENCHMARKS, Piece, paper_pieces, paper_table
from mbnb.run.store import ResultStore
from mbnb.run.trials import run_grids
from mbnb.run.units import Grid
from mbnb.study.costs.forecast import forecast, unit_seconds
from mbnb.study.costs.timing import measure_yardstick

SUFFIXES = (".csv", ".parquet")


@dataclass(frozen=True)
class Options:
    """What the whole run has in common."""

    selectors: list[str]
    n_trials: int
    seed: int
    missing: str
    duplicates: str
    n_jobs: int
    scheduler: str | None


def run_paper(
    datasets: Sequence[str], options: Options, *, plan_only: bool, out: Path | None, json: bool
) -> None:
    """Plan, run, tabulate and print; see `mbnb study --help`."""
    studies: dict[str, list[Piece]] = {}
    for name in datasets or BENCHMARKS:
        matrix, notes = prepare(name, missing=options.missing, duplicates=options.duplicates)
        if matrix.name in studies:
            raise InputError(f"the data set {matrix.name} is given twice; give each once.")
        pieces, more = paper_pieces(
            matrix, options.selectors, n_trials=options.n_trials, seed=options.seed
        )
        studies[matrix.name] = pieces
        tell(*(f"{matrix.name}: {note}" for note in (*notes, *more)))
    store = ResultStore()
    yardstick = measure_yardstick()
    tell(_plan(studies, options, yardstick, store))
    if plan_only:
        return
    weigh = partial(_weigh, yardstick=yardstick)
    tables = []
    for name, pieces in studies.items():
        begun = monotonic()
        trials = run_grids(
            [piece.grid for piece in pieces],
            n_jobs=options.n_jobs,
            scheduler=options.scheduler,
            store=store,
            weigh=weigh,
        )
        tables.append(paper_table(pieces, trials))
        tell(f"{name}: done in {(monotonic() - begun) / 60:.1f} minutes.")
    table = pd.concat(tables, ignore_index=True)
    if out is not None:
        _write(table, out)
        tell(f"The whole table is in {out}: {len(table):,} rows.")
    click.echo(_as_json(table, options) if json else _as_text(table, options))


def _weigh(grid: Grid, selector: Selector, yardstick: float) -> float:
    return unit_seconds(grid, selector, yardstick)


def _plan(
    studies: dict[str, list[Piece]], options: Options, yardstick: float, store: ResultStore
) -> str:
    rows = []
    for name, pieces in studies.items():
        for piece in pieces:
            left = forecast(piece.grid, yardstick, store)
            rows.append((name, piece.variant, left.n_units, left.n_kept, left.seconds))
    table = pd.DataFrame(rows, columns=["dataset", "variant", "fits", "kept", "seconds"])
    table = table.groupby(["dataset", "variant"], sort=False, as_index=False).sum()
    n_workers = 1 if options.scheduler else options.n_jobs
    table["minutes"] = table.pop("seconds") / 60 / n_workers
    where = (
        "one core like this machine's (divide by the cluster's workers)"
        if options.scheduler
        else f"{options.n_jobs} process{'es' * (options.n_jobs > 1)} of this machine"
    )
    text = table.to_string(index=False, float_format="{:.1f}".format)
    return (
        f"Plan: {table['fits'].sum():,} fits, {table['kept'].sum():,} of them kept from before; "
        f"about {table['minutes'].sum():.0f} minutes on {where}.\n{text}\n"
        "Stop it whenever you like: the same command goes on where it was."
    )


def _write(table: pd.DataFrame, out: Path) -> None:
    if out.suffix == ".csv":
        write_whole(out, lambda path: table.to_csv(path, index=False))
    else:
        write_whole(out, lambda path: table.to_parquet(path, index=False))


def _as_json(table: pd.DataFrame, options: Options) -> str:
    cells = table.astype(object).where(table.notna(), None)
    rows: list[dict[str, Any]] = cells.to_dict(orient="records")
    return json_text({"n_trials": options.n_trials, "rows": rows})


def _as_text(table: pd.DataFrame, options: Options) -> str:
    parts = [
        "MDAD in points [95 % interval] on the train half at the largest number of sources; "
        f"{options.n_trials} trials."
    ]
    pooled = table[(table["variant"] == "pooled") & (table["half"] == "train")]
    for name, rows in pooled.groupby("dataset", sort=False):
        most = rows[rows["n_source"] == rows["n_source"].max()]
        cells = most.assign(shown=[format_interval(row) for _, row in most.iterrows()])
        title = f"\n{name}: {most['n_source'].iloc[0]} sources, {most['n_target'].iloc[0]} targets"
        parts.append(wide_text(title, cells, "shown", options.selectors))
    return "\n".join(parts)
