"""The study on every leaderboard at hand, kept as figures that the book shows.

    MBNB_DATA=folder python benchmarks/leaderboards.py [PART ...] [--datasets NAME ...] [--write]

Parts (all where none is named):

    grids      all selectors at all sizes, with the study's numbers of models or what there is
    sources    the same with 10 to 300 source models, families mixed and families kept apart
    subtasks   a micro-benchmark of each subtask alone
    group      models of 7B, 8B and 70B parameters as fixed targets, where there are some

Real matrices are looked for in $MBNB_DATA; those that are not there are skipped, saying so, and
what was kept of them stays. `--write` keeps the results in data/measured/; see the README there.
Finished trials are kept (MBNB_CACHE), so a second run takes minutes.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import os
import shlex
import sys
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from time import perf_counter

import numpy as np
import pandas as pd

import mbnb
from mbnb.data.groups import GROUPS
from mbnb.run.paper import SIZES, paper_pieces, paper_table, possible_paper_sizes
from mbnb.run.trials import run_grids

FOLDER = Path(__file__).resolve().parents[1] / "data" / "measured"
SOURCES = (10, 30, 50, 100, 150, 200, 250, 300)
# Selectors that look at no answer of a source model need no more than one number of them.
BLIND = ("subtask",)


@dataclass(frozen=True)
class Leaderboard:
    """A data set, and what is left out of it before it is measured."""

    name: str
    missing: str = "error"
    without: tuple[str, ...] = ()

    @property
    def file_name(self) -> str:
        return self.name.replace(":", "-")

    def matrix(self) -> tuple[mbnb.ResponseMatrix, list[str]]:
        """Complete and without copies, and a sentence about each thing that was left out."""
        matrix = mbnb.load(self.name)
        notes = [f"{model} was left out by name." for model in self.without]
        stay = np.flatnonzero(~np.isin(matrix.model_ids, self.without))
        matrix, loss = mbnb.resolve_missing(matrix.subset(models=stay), self.missing)
        matrix, copies = mbnb.drop_duplicate_models(matrix)
        if loss.n_missing:
            notes.append(str(loss))
        if len(copies):
            notes.append(f"{len(copies)} exact copies of models were left out.")
        return matrix, notes


LEADERBOARDS = (
    Leaderboard("openllm2-mmlu-pro-math"),
    Leaderboard("openllm1-metabench"),
    # Every item lacks some answer: whole blocks of benchmarks are missing for most models.
    Leaderboard("openllm1-union", missing="drop-models"),
    # That model's answers do not belong to their questions; see the data cards.
    Leaderboard("mmlu-pro-47", missing="drop-items", without=("Meta-Llama-3-70B-Instruct",)),
    Leaderboard("bigcodebench"),
    Leaderboard("rewardbench"),
    Leaderboard("swebench-verified"),
    Leaderboard("resampled-t07"),
    Leaderboard("simulated:mmlu-pro"),
    Leaderboard("simulated:bbh"),
    Leaderboard("simulated:gpqa"),
    Leaderboard("simulated:mmlu"),
)


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
    for what, given, known in (
        ("part", arguments.parts, list(RUN)),
        ("data set", arguments.datasets, [board.name for board in LEADERBOARDS]),
    ):
        if unknown := set(given) - set(known):
            parser.error(f"no {what} is called {', '.join(unknown)}; known: {', '.join(known)}")
    there = set(mbnb.available()["name"])
    for board in LEADERBOARDS:
        if board.name not in arguments.datasets:
            continue
        if board.name not in there:
            print(f"{board.name} is not here (MBNB_DATA) and was skipped", flush=True)
            continue
        matrix, notes = board.matrix()
        for part in [part for part in RUN if part in (arguments.parts or RUN)]:
            began = perf_counter()
            tables = RUN[part](board, matrix, arguments)
            print(f"{board.name}, {part}: {perf_counter() - began:.0f} s", flush=True)
            if arguments.write:
                keep(board, part, tables)
        if arguments.write:
            note_run(board, matrix, notes, arguments)


def keep(board: Leaderboard, part: str, tables: dict[str, pd.DataFrame]) -> None:
    """Write tables of one data set; in a file of several, the other data sets' rows stay."""
    for name, table in tables.items():
        path = FOLDER / f"{name}.csv"
        if "dataset" in table:
            table = _merged(path, table, board.name)
        table.to_csv(path, index=False, float_format="{:.4g}".format)


def note_run(
    board: Leaderboard, matrix: mbnb.ResponseMatrix, notes: list[str], arguments: argparse.Namespace
) -> None:
    """The line of this data set in the table of runs."""
    row = {
        "dataset": board.name,
        "date": date.today().isoformat(),
        "content": matrix.content_hash[:12],
        "n_models": matrix.n_models,
        "n_items": matrix.n_items,
        "n_subtasks": len(matrix.subtasks),
        "n_trials": arguments.trials,
        "left_out": " ".join(notes),
        **{name: importlib.metadata.version(name) for name in ("numpy", "scikit-learn")},
        "command": shlex.join(["python", "benchmarks/leaderboards.py", *sys.argv[1:]]),
    }
    path = FOLDER / "leaderboards-runs.csv"
    _merged(path, pd.DataFrame([row]), board.name).to_csv(path, index=False)


def _merged(path: Path, table: pd.DataFrame, dataset: str) -> pd.DataFrame:
    order = [board.name for board in LEADERBOARDS]
    if path.is_file():
        before = pd.read_csv(path)
        table = pd.concat([before[before["dataset"] != dataset], table], ignore_index=True)
    return table.sort_values("dataset", key=lambda names: names.map(order.index), kind="stable")


def grid_trials(matrix: mbnb.ResponseMatrix, arguments: argparse.Namespace) -> mbnb.Trials:
    """All selectors at the study's sizes and numbers of models, or what the matrix allows."""
    sizes, _ = possible_paper_sizes(matrix)
    n_source, n_target, _ = mbnb.possible_counts(matrix)
    return mbnb.run_trials(
        matrix,
        list(mbnb.SELECTORS),
        sizes,
        n_trials=arguments.trials,
        n_source=n_source,
        n_target=n_target,
        n_jobs=arguments.jobs,
        store=mbnb.ResultStore(),
    )


def run_grids_part(
    board: Leaderboard, matrix: mbnb.ResponseMatrix, arguments: argparse.Namespace
) -> dict[str, pd.DataFrame]:
    trials = grid_trials(matrix, arguments)
    return {
        f"agreement-{board.file_name}": mbnb.agreement_counts(trials),
        "leaderboards": leaderboard_rows(matrix, trials),
    }


def leaderboard_rows(matrix: mbnb.ResponseMatrix, trials: mbnb.Trials) -> pd.DataFrame:
    """The rows of one data set in ``leaderboards.csv``."""
    shape = {
        "dataset": matrix.name,
        "n_models": matrix.n_models,
        "n_items": matrix.n_items,
        "n_train": trials.n_train,
        "n_target": trials.n_target,
        "n_trials": trials.n_trials,
    }
    columns = ["n_source", "selector", "size", "half", "mdad", "low", "high", "pairs"]
    table = mbnb.summarise(trials).assign(**shape)
    return table[[*shape, *columns, "tau", "error"]]


def run_sources(
    board: Leaderboard, matrix: mbnb.ResponseMatrix, arguments: argparse.Namespace
) -> dict[str, pd.DataFrame]:
    most, n_target, _ = mbnb.possible_counts(matrix)
    sizes, _ = mbnb.possible_sizes(matrix, SIZES)
    matrix, recognised = mbnb.with_families(matrix)
    print(recognised)
    tables = []
    for families in (False, True):
        for n_source in sorted({most, *(n for n in SOURCES if n < most)}):
            try:
                trials = mbnb.run_trials(
                    matrix,
                    [name for name in mbnb.SELECTORS if name not in BLIND],
                    sizes,
                    n_trials=arguments.trials,
                    n_source=n_source,
                    n_target=n_target,
                    families=families,
                    n_jobs=arguments.jobs,
                    store=mbnb.ResultStore(),
                )
            except mbnb.InputError as error:
                print(f"families apart, {n_source} sources: {error}")
                continue
            tables.append(leaderboard_rows(matrix, trials).assign(families=families))
    table = pd.concat(tables, ignore_index=True)
    columns = ["n_source", "n_target", "selector", "size", "half", "mdad", "low", "high", "pairs"]
    return {"sources": table[["dataset", "families", *columns, "tau", "error"]]}


def run_subtasks(
    board: Leaderboard, matrix: mbnb.ResponseMatrix, arguments: argparse.Namespace
) -> dict[str, pd.DataFrame]:
    pieces, _ = paper_pieces(matrix, list(mbnb.SELECTORS), n_trials=arguments.trials)
    alone = [piece for piece in pieces if piece.variant == "subtask"]
    found = run_grids(
        [piece.grid for piece in alone], n_jobs=arguments.jobs, store=mbnb.ResultStore()
    )
    table = paper_table(alone, found).assign(dataset=matrix.name)
    return {"subtasks": table.drop(columns="variant")}


def run_group(
    board: Leaderboard, matrix: mbnb.ResponseMatrix, arguments: argparse.Namespace
) -> dict[str, pd.DataFrame]:
    members = {group: mbnb.group_members(matrix, group) for group in GROUPS}
    tables = [
        group_rows(matrix, group, ids, arguments) for group, ids in members.items() if len(ids) >= 5
    ]
    return {"group": pd.concat(tables, ignore_index=True)} if tables else {}


def group_rows(
    matrix: mbnb.ResponseMatrix, group: str, members: list[str], arguments: argparse.Namespace
) -> pd.DataFrame:
    sizes, _ = mbnb.possible_sizes(matrix, SIZES)
    trials = mbnb.run_trials(
        matrix,
        list(mbnb.SELECTORS),
        sizes,
        n_trials=arguments.trials,
        n_source=min(300, matrix.n_models - len(members)),
        targets=members,
        n_jobs=arguments.jobs,
        store=mbnb.ResultStore(),
    )
    gaps = mbnb.pair_gaps(matrix.subset(models=members).accuracies())
    table = leaderboard_rows(matrix, trials).assign(group=group)
    # Where no gap inside the group is wide enough, every pair is within the MDAD.
    table["within"] = [np.mean(gaps <= gap + 1e-9) for gap in table["mdad"].fillna(100)]
    columns = ["group", "n_target", "selector", "size", "half", "mdad", "low", "high", "within"]
    return table[["dataset", *columns]]


RUN = {
    "grids": run_grids_part,
    "sources": run_sources,
    "subtasks": run_subtasks,
    "group": run_group,
}


if __name__ == "__main__":
    main()
