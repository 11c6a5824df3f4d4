"""The paper's whole study of one benchmark as grids, and its table; runs nothing itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import pandas as pd

from mbnb.data.errors import InputError
from mbnb.data.groups import GROUPS, group_members
from mbnb.data.responses import ResponseMatrix
from mbnb.judge.agreement import Agreement, Reading, agreement, mdad
from mbnb.judge.summary import summarise
from mbnb.judge.table import HALVES, Trials
from mbnb.run.splits import possible_counts, possible_sizes
from mbnb.run.trials import make_grid
from mbnb.run.units import Grid

BENCHMARKS = tuple(f"simulated:{name}" for name in ("mmlu-pro", "bbh", "gpqa", "mmlu"))
SIZES = (10, 25, 50, 100, 250, 500, 1000)
# Where the train half is too small for 250, as in GPQA, the study's last size is 200.
FIRST_LARGE_SIZE, LAST_SMALL_SIZE = 250, 200
SOURCES = (10, 50, 100, 150, 200, 250, 300)
SHARES = (2, 4, 8, 16, 24, 32, 40)
ALL_SUBTASKS = "all"
COLUMNS = [
    "dataset",
    "variant",
    "part",
    "n_source",
    "n_target",
    "selector",
    "size",
    "share",
    "half",
    "mdad",
    "low",
    "high",
    "pairs",
    "tau",
    "error",
]


@dataclass(frozen=True, eq=False)
class Piece:
    """One grid of the paper, and how its trials are read.

    Attributes
    ----------
    variant : {"pooled", "groups", "subtask"}
        Items of the whole benchmark; the same with fixed groups of targets; items of one subtask.
    subtask : str
        "" but in the last variant.
    grid : Grid
    groups : mapping of str to list of str
        Ids of the targets of each group; empty but in the second variant.
    """

    variant: str
    subtask: str
    grid: Grid
    groups: Mapping[str, list[str]]


def paper_pieces(
    matrix: ResponseMatrix, selectors: Sequence[str], *, n_trials: int = 50, seed: int = 0
) -> tuple[list[Piece], tuple[str, ...]]:
    """The paper's grids on one benchmark.

    - *pooled*: every size with each of `SOURCES` source models (as many as there are where they
      are fewer);
    - *groups*: fixed target models of one size class (`GROUPS`). The models of all groups are the
      targets of one grid, and sources come from the rest: one fit serves every group, and no
      group's models choose the items for another's;
    - *subtask*: a micro-benchmark of each subtask alone, of `SHARES` per cent of its train half
      (rounded, at least one item).

    Parameters
    ----------
    matrix : ResponseMatrix
        Complete.
    selectors : sequence of str
    n_trials, seed : int

    Returns
    -------
    (list of Piece, tuple of str)
        And a sentence about everything that the paper has and this matrix does not allow.

    Raises
    ------
    InputError
        If a grid is not possible at all.
    """
    matrix = matrix.sorted_by_id()
    grid = partial(make_grid, selectors=selectors, n_trials=n_trials, seed=seed)
    most, n_target, chosen = possible_counts(matrix)
    sources = sorted({most, *(n for n in SOURCES if n < most)})
    sizes, notes = possible_paper_sizes(matrix)
    if sources != list(SOURCES):
        notes.append(
            f"Numbers of source models: {_listed(sources)} (the study's are {_listed(SOURCES)})."
        )
    pieces = [
        Piece("pooled", "", grid(matrix, sizes=sizes, n_source=n, n_target=n_target), {})
        for n in sources
    ]
    members = {name: group_members(matrix, name) for name in GROUPS}
    groups = {name: ids for name, ids in members.items() if len(ids) > 1}
    targets = sorted({model for ids in groups.values() for model in ids})
    rest = matrix.n_models - len(targets)
    if groups and rest:
        fixed = grid(matrix, sizes=sizes, n_source=min(rest, SOURCES[-1]), targets=targets)
        pieces.append(Piece("groups", "", fixed, groups))
    if len(groups) < len(GROUPS):
        absent = [name for name in GROUPS if name not in groups]
        notes.append(f"Groups of target models that it does not have: {_listed(absent)}.")
    for code, subtask in enumerate(matrix.subtasks):
        part = matrix.subset(items=np.flatnonzero(matrix.subtask_codes == code))
        if part.n_items == 1:
            notes.append(f"Subtask {subtask} has a single item and no micro-benchmark of its own.")
            continue
        own = sorted(set(_shares(part.n_items // 2)["size"]))
        alone = grid(part, sizes=own, n_source=sources[-1], n_target=n_target)
        pieces.append(Piece("subtask", subtask, alone, {}))
    return pieces, tuple(filter(None, (chosen, *notes)))


def possible_paper_sizes(matrix: ResponseMatrix) -> tuple[list[int], list[str]]:
    """The study's sizes that the train half allows, and a note on those it does not.

    Raises
    ------
    InputError
        If it allows none.
    """
    n_train = int((np.bincount(matrix.subtask_codes) // 2).sum())
    small = [LAST_SMALL_SIZE] if n_train < FIRST_LARGE_SIZE else []
    sizes, too_large = possible_sizes(matrix, sorted([*SIZES, *small]))
    if not sizes:
        raise InputError(
            f"{matrix.name}: its train half has {n_train} items; the study's smallest "
            f"micro-benchmark has {SIZES[0]}."
        )
    note = f"Sizes above the train half are left out: {_listed(too_large)}."
    return sizes, [note] if too_large else []


def paper_table(pieces: Iterable[Piece], trials: Iterable[Trials]) -> pd.DataFrame:
    """MDAD, Kendall's tau and estimation error of every cell, on both halves.

    Parameters
    ----------
    pieces : iterable of Piece
    trials : iterable of Trials
        Of the pieces' grids, in the same order.

    Returns
    -------
    DataFrame
        With the columns `COLUMNS`: dataset; variant; part (group or subtask; ``all`` for the
        pairs of all subtasks together; "" in the pooled variant); n_source, n_target; selector;
        size, and share of the train half in per cent (missing but in the subtask variant, where
        size is missing for ``all``); half; MDAD with its interval in points (NaN: not reached)
        and the number of pairs; Kendall's tau and the estimation error in points, means over
        trials (NaN for ``all``).
    """
    rows = []
    subtasks: list[tuple[Piece, Trials]] = []
    for piece, found in zip(pieces, trials, strict=True):
        if piece.variant == "groups":
            for name, members in piece.groups.items():
                rows.append(_rows(piece, found.only(members), name))
        elif piece.variant == "subtask":
            subtasks.append((piece, found))
            rows.append(_rows(piece, found, piece.subtask))
        else:
            rows.append(_rows(piece, found, ""))
    if len(subtasks) > 1:
        rows.append(_all_subtasks(subtasks))
    table = pd.concat(rows, ignore_index=True)
    return table.astype({"size": "Int64", "share": "Int64"})


def _rows(piece: Piece, trials: Trials, part: str) -> pd.DataFrame:
    table = summarise(trials)
    if piece.variant == "subtask":
        table = table.merge(_shares(trials.n_train), on="size")
    return _labelled(table, piece, trials, part)


def _all_subtasks(found: list[tuple[Piece, Trials]]) -> pd.DataFrame:
    """Pairs within each subtask, counted together over the subtasks at each share."""
    tables = []
    for half in HALVES:
        counts = [_by_share(agreement(trials, half), trials.n_train) for _, trials in found]
        gaps = max((part.gaps for part in counts), key=len)
        together = replace(
            counts[0],
            gaps=gaps,
            pairs=np.sum([_padded(part.pairs, gaps.size) for part in counts], axis=0),
            agreeing=np.sum([_padded(part.agreeing, gaps.size) for part in counts], axis=0),
        )
        tables.append(mdad(together, Reading(min_pairs=together.pairs.shape[1])).assign(half=half))
    return _labelled(pd.concat(tables).assign(size=np.nan), *found[0], ALL_SUBTASKS)


def _by_share(counts: Agreement, n_train: int) -> Agreement:
    """The same counts with a cell for each share; shares of one size count the same pairs."""
    cells = counts.cells.assign(cell=range(len(counts.cells))).merge(_shares(n_train), on="size")
    rows = cells["cell"].to_numpy()
    return replace(counts, cells=cells, pairs=counts.pairs[rows], agreeing=counts.agreeing[rows])


def _padded(counts: np.ndarray, n_bins: int) -> np.ndarray:
    return np.pad(counts, ((0, 0), (0, 0), (0, n_bins - counts.shape[2])))


def _shares(n_train: int) -> pd.DataFrame:
    """The size of each share of a subtask's train half, in the order of the shares."""
    sizes = [max(1, round(share * n_train / 100)) for share in SHARES]
    return pd.DataFrame({"share": SHARES, "size": sizes})


def _labelled(table: pd.DataFrame, piece: Piece, trials: Trials, part: str) -> pd.DataFrame:
    labels = {
        "dataset": trials.dataset,
        "variant": piece.variant,
        "part": part,
        "n_target": trials.n_target,
    }
    return table.assign(**labels).reindex(columns=COLUMNS)


def _listed(values: Iterable[object]) -> str:
    return ", ".join(map(str, values))
