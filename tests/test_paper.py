"""The paper's grids on one benchmark, and the table that comes of them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from conftest import make_matrix

from mbnb.data.errors import InputError
from mbnb.data.responses import ResponseMatrix
from mbnb.judge.agreement import Reading, agreement, mdad
from mbnb.run import paper
from mbnb.run.paper import Piece, paper_pieces, paper_table
from mbnb.run.trials import run_grids, run_trials


def board(n_models: int, subtasks: dict[str, int], groups: list[str] | None) -> ResponseMatrix:
    n_items = sum(subtasks.values())
    rng = np.random.default_rng(7)
    logits = np.linspace(-2, 2, n_models)[:, None] - rng.normal(0, 1, n_items)
    scores = (rng.random((n_models, n_items)) < 1 / (1 + np.exp(-logits))).astype(np.uint8)
    names = [name for name, n in subtasks.items() for _ in range(n)]
    matrix = make_matrix(scores, subtasks=names)
    if groups is None:
        return matrix
    models = matrix.models.assign(group=groups)
    return ResponseMatrix(scores, models, matrix.items, name=matrix.name)


@pytest.fixture(scope="module")
def grouped() -> ResponseMatrix:
    groups = ["7b"] * 6 + ["8b-instruct"] * 8 + ["70b"] * 1 + [""] * 45
    return board(60, {"a": 60, "b": 31, "c": 1}, groups)


@pytest.fixture(scope="module")
def pieces(grouped: ResponseMatrix) -> list[Piece]:
    return paper_pieces(grouped, ["uniform", "subtask"], n_trials=3, seed=1)[0]


@pytest.fixture(scope="module")
def table(pieces: list[Piece]) -> pd.DataFrame:
    return paper_table(pieces, run_grids([piece.grid for piece in pieces]))


def test_the_whole_protocol_on_a_matrix_that_allows_it() -> None:
    matrix = board(400, {"a": 400, "b": 200}, None)
    pieces, notes = paper_pieces(matrix, ["uniform"])
    pooled = [piece.grid.plan for piece in pieces if piece.variant == "pooled"]
    assert [plan.n_source for plan in pooled] == [10, 50, 100, 150, 200, 250, 300]
    assert {plan.n_target for plan in pooled} == {50}
    assert {plan.sizes for plan in pooled} == {(10, 25, 50, 100, 250)}
    assert all(piece.grid.n_trials == 50 for piece in pieces)
    assert [piece.subtask for piece in pieces if piece.variant == "subtask"] == ["a", "b"]
    # 2, 4, 8, 16, 24, 32 and 40 per cent of 200 and of 100 items.
    assert pieces[-2].grid.plan.sizes == (4, 8, 16, 32, 48, 64, 80)
    assert pieces[-1].grid.plan.sizes == (2, 4, 8, 16, 24, 32, 40)
    assert any("above the train half are left out: 500, 1000" in note for note in notes)
    assert any("does not have: 7b, 8b-instruct, 70b" in note for note in notes)


def test_too_few_items_are_refused() -> None:
    with pytest.raises(InputError, match="train half has 9 items.*smallest.*has 10"):
        paper_pieces(board(20, {"a": 19}, None), ["uniform"])


def test_no_group_chooses_items_for_another(grouped: ResponseMatrix, pieces: list[Piece]) -> None:
    [piece] = [piece for piece in pieces if piece.variant == "groups"]
    assert sorted(piece.groups) == ["7b", "8b-instruct"]
    fixed = {model for ids in piece.groups.values() for model in ids}
    split = piece.grid.plan.split(piece.grid.matrix, 0)
    names = piece.grid.matrix.model_ids
    assert set(names[split.targets]) == fixed and not set(names[split.sources]) & fixed


def test_the_table_is_that_of_the_grids(grouped: ResponseMatrix, table: pd.DataFrame) -> None:
    assert list(table.columns) == paper.COLUMNS
    assert set(table["variant"]) == {"pooled", "groups", "subtask"}
    alone = run_trials(
        grouped, ["uniform", "subtask"], [10, 25], n_trials=3, n_source=10, n_target=20, seed=1
    )
    for half in ("train", "heldout"):
        expected = mdad(agreement(alone, half), Reading(min_pairs=3))
        rows = table[(table["variant"] == "pooled") & (table["half"] == half)]
        rows = rows[(rows["n_source"] == 10) & rows["size"].isin([10, 25])]
        for name in ("mdad", "low", "high", "pairs"):
            np.testing.assert_array_equal(rows[name], expected[name])
    assert table.loc[table["part"] == "7b", "n_target"].eq(6).all()
    assert not table.duplicated(paper.COLUMNS[:9]).any()


def test_pairs_of_all_subtasks_are_counted_together(table: pd.DataFrame) -> None:
    rows = table[(table["variant"] == "subtask") & (table["half"] == "train")]
    keys = ["selector", "share"]
    apart = rows[rows["part"] != "all"].groupby(keys)["pairs"].sum()
    together = rows[rows["part"] == "all"].set_index(keys)["pairs"]
    assert together.size == 2 * 7
    pd.testing.assert_series_equal(apart, together.sort_index())
    # 2 and 4 per cent of 15 items are one item both: the same cell under two shares.
    few = rows[(rows["part"] == "b") & (rows["share"] <= 4)].set_index("share")
    assert (
        few["size"].eq(1).all()
        and few.groupby("selector")["mdad"].nunique(dropna=False).eq(1).all()
    )
