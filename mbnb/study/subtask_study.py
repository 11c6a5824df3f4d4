"""A micro-benchmark of each subtask alone: the paper's variant, run and judged on both halves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from mbnb.data.responses import ResponseMatrix
from mbnb.judge.agreement import Agreement, agreement, mdad
from mbnb.judge.table import HALVES, Trials
from mbnb.run.paper import ALL_SUBTASKS, SHARES, paper_pieces
from mbnb.run.store import ResultStore
from mbnb.run.trials import run_grids
from mbnb.study.heldout import half_difference, whole_half


@dataclass(frozen=True, eq=False)
class SubtaskStudy:
    """Trials within each subtask.

    Attributes
    ----------
    trials : dict of str to Trials
        By subtask; a subtask of a single item has none.
    notes : tuple of str
        What the paper has and these data do not allow.
    """

    trials: dict[str, Trials]
    notes: tuple[str, ...]

    def table(self, **rule: float) -> pd.DataFrame:
        """MDAD on both halves for each subtask, selector and share, and for all subtasks together.

        Parameters
        ----------
        **rule
            ``threshold``, ``min_pairs`` and the rest of `half_difference`.

        Returns
        -------
        DataFrame
            Columns ``part`` (the subtask, or “all”: the pairs within each of them, counted
            together), ``items`` (of the train half), ``share`` (of it, in per cent), and those of
            `half_difference`; size is missing for “all”.
        """
        tables = []
        by_half: dict[str, list[Agreement]] = {half: [] for half in HALVES}
        for name, trials in self.trials.items():
            counts = {half: _by_share(agreement(trials, half), trials.n_train) for half in HALVES}
            for half in HALVES:
                by_half[half].append(counts[half])
            table = half_difference(*counts.values(), **rule)  # type: ignore[arg-type]
            tables.append(table.assign(part=name, items=trials.n_train))
        together = half_difference(*map(_together, by_half.values()), **rule)  # type: ignore[arg-type]
        n_items = sum(trials.n_train for trials in self.trials.values())
        tables.append(together.assign(part=ALL_SUBTASKS, items=n_items, size=np.nan))
        return pd.concat(tables, ignore_index=True).astype({"size": "Int64"})

    def ceilings(self, **rule: float) -> pd.DataFrame:
        """MDAD of the whole train half for the held-out half, subtask by subtask.

        Parameters
        ----------
        **rule
            ``threshold``, ``min_pairs`` and the rest of `mdad`.

        Returns
        -------
        DataFrame
            Columns ``part``, ``items`` (of the train half), ``mdad``, ``low`` and ``high``.
        """
        rows = []
        for name, trials in self.trials.items():
            table = mdad(agreement(whole_half(trials), "heldout"), **rule)  # type: ignore[arg-type]
            rows.append(table.assign(part=name, items=trials.n_train))
        return pd.concat(rows, ignore_index=True)[["part", "items", "mdad", "low", "high"]]


def run_subtasks(
    matrix: ResponseMatrix,
    selectors: Sequence[str],
    *,
    n_trials: int = 50,
    n_source: int | None = None,
    n_target: int | None = None,
    seed: int = 0,
    n_jobs: int | None = None,
    store: ResultStore | None = None,
) -> SubtaskStudy:
    """Micro-benchmarks of each subtask alone, of the paper's shares of its train half.

    Parameters
    ----------
    matrix : ResponseMatrix
        Complete.
    selectors : sequence of str
    n_trials, seed : int
    n_source, n_target : int, optional
        Those of the paper, or what the matrix allows, where none are given.
    n_jobs, store
        See `run_grids`.

    Raises
    ------
    InputError
        If a grid is not possible.
    """
    pieces, notes = paper_pieces(matrix, selectors, n_trials=n_trials, seed=seed)
    own = {piece.subtask: piece.grid for piece in pieces if piece.variant == "subtask"}
    grids = []
    for grid in own.values():
        plan = replace(
            grid.plan,
            n_source=n_source or grid.plan.n_source,
            n_target=n_target or grid.plan.n_target,
        )
        grids.append(replace(grid, plan=plan))
    found = run_grids(grids, n_jobs=n_jobs, store=store)
    told = tuple(note for note in notes if note.startswith("Subtask"))
    return SubtaskStudy(dict(zip(own, found, strict=True)), told)


def _by_share(counts: Agreement, n_train: int) -> Agreement:
    """A cell for each of the paper's shares, in their order; shares of one size count the same."""
    sizes = [max(1, round(share * n_train / 100)) for share in SHARES]
    shares = pd.DataFrame({"share": SHARES, "size": sizes})
    cells = counts.cells.assign(cell=range(len(counts.cells))).merge(shares, on="size")
    rows = cells["cell"].to_numpy()
    return replace(
        counts,
        cells=cells.drop(columns="cell"),
        pairs=counts.pairs[rows],
        agreeing=counts.agreeing[rows],
    )


def _together(parts: Sequence[Agreement]) -> Agreement:
    """The pairs within each subtask, counted together; cells are alike in all but their sizes."""
    gaps = max((part.gaps for part in parts), key=len)
    pairs, agreeing = (
        np.sum(
            [
                np.pad(getattr(part, name), ((0, 0), (0, 0), (0, gaps.size - part.gaps.size)))
                for part in parts
            ],
            axis=0,
        )
        for name in ("pairs", "agreeing")
    )
    return replace(parts[0], gaps=gaps, pairs=pairs, agreeing=agreeing)
