"""Battles: checked, read from files, implied by a response matrix, simulated."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from mbnb.data.arena import simulate_arena
from mbnb.data.battles import Battles, battles_of, read_battles
from mbnb.data.errors import InputError
from mbnb.data.responses import ResponseMatrix


def matrix_of(scores: list[list[float]]) -> ResponseMatrix:
    values = np.array(scores)
    binary = bool(np.isin(values, (0, 1)).all())
    return ResponseMatrix(
        values.astype(np.uint8 if binary else np.float32),
        pd.DataFrame(index=[f"m{i}" for i in range(len(values))]),
        pd.DataFrame({"subtask": "all"}, index=[f"i{j}" for j in range(values.shape[1])]),
        name="made",
    )


def battles(first: list[int], second: list[int], result: list[float]) -> Battles:
    n = len(first)
    return Battles(
        np.array(["a", "b", "c"]), np.array(first), np.array(second), np.array(result), np.arange(n)
    )


def test_a_tie_is_half_a_win_of_each() -> None:
    wins = battles([0, 1, 2], [1, 0, 0], [1, 0.5, 0]).wins()
    assert wins.tolist() == [[0, 1.5, 1], [0.5, 0, 0], [0, 0, 0]]


@pytest.mark.parametrize(
    ("first", "second", "result", "message"),
    [
        ([0], [0], [1.0], "of a model with itself.*battle 0, 'a'"),
        ([0, 1], [1, 0], [1.0, 0.7], "not 0, 0.5 or 1.*battle 1, 0.7"),
        ([0], [3], [1.0], "outside 0 … 2"),
        ([], [], [], "has no battles"),
        ([0, 1], [1], [1.0], "lists of one length"),
    ],
)
def test_what_is_no_battle_is_refused(
    first: list[int], second: list[int], result: list[float], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        battles(first, second, result)


def test_a_file_of_battles_is_read(tmp_path: Path) -> None:
    place = tmp_path / "battles.csv"
    place.write_text(
        "model_a,model_b,winner,prompt\nx,y,model_a,p1\ny,z,tie (bothbad),p1\nz,x,model_b,p2\n"
    )
    read = read_battles(place)
    assert read.models.tolist() == ["x", "y", "z"]
    assert read.result.tolist() == [1, 0.5, 0]
    assert read.prompt.tolist() == [0, 0, 1]
    assert read.name == "battles.csv"


def test_a_model_called_na_is_a_model(tmp_path: Path) -> None:
    place = tmp_path / "battles.csv"
    place.write_text("model_a,model_b,winner\nNA,null,model_a\nnull,NA,tie\n")
    assert read_battles(place).models.tolist() == ["NA", "null"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("model_a,winner\nx,model_a\n", "no column model_b"),
        ("model_a,model_b,winner\nx,y,me\n", "line 2: winner 'me' is unknown"),
        ("model_a,model_b,winner\nx,y,tie\n,y,tie\n", "line 3: model_a is empty"),
        ("", "cannot be read as CSV"),
        ("model_a,model_b,winner\n", "has no battles"),
    ],
)
def test_a_faulty_file_is_refused_by_line(tmp_path: Path, text: str, message: str) -> None:
    place = tmp_path / "battles.csv"
    place.write_text(text)
    with pytest.raises(InputError, match=message):
        read_battles(place)


def test_the_right_model_wins_the_battles_of_a_matrix() -> None:
    matrix = matrix_of([[1, 1, 0, 1], [0, 1, 0, 1], [0, 0, 1, 1]])
    fought = battles_of(matrix, 500)
    own = matrix.scores[fought.first, fought.prompt]
    other = matrix.scores[fought.second, fought.prompt]
    assert fought.n_battles == 500
    assert (own != other).all()
    assert ((own > other) == (fought.result == 1)).all()
    kept = battles_of(matrix, 500, ties="keep")
    tied = matrix.scores[kept.first, kept.prompt] == matrix.scores[kept.second, kept.prompt]
    assert (tied == (kept.result == 0.5)).all() and tied.any()


def test_graded_scores_fight_too() -> None:
    fought = battles_of(matrix_of([[0.25, 1.0], [0.75, 0.5]]), 50)
    assert set(fought.prompt[fought.result == (fought.first == 0)]) == {1}


def test_models_that_are_alike_have_no_battles() -> None:
    with pytest.raises(InputError, match="no battle has a winner"):
        battles_of(matrix_of([[1, 0], [1, 0]]), 5)


def test_an_arena_is_the_same_again_and_another_with_another_seed() -> None:
    one, same, other = (simulate_arena(8, 300, n_prompts=50, seed=seed) for seed in (3, 3, 4))
    assert (one.result == same.result).all() and (one.first == same.first).all()
    assert (one.first != other.first).any()
    assert all(name.startswith("sim-") for name in one.models)


def test_stronger_models_win_more_where_strengths_lie_apart() -> None:
    wide, equal = (simulate_arena(10, 20_000, spread=spread, seed=1) for spread in (400, 0))
    rates = []
    for arena in (wide, equal):
        wins = arena.wins()
        rates.append(np.ptp(wins.sum(axis=1) / (wins + wins.T).sum(axis=1)))
    assert rates[0] > 0.4 > 0.1 > rates[1]


def test_an_arena_of_one_is_refused() -> None:
    with pytest.raises(InputError, match="at least 2 models"):
        simulate_arena(1)
