"""`mbnb plan`: what it prints, how it exits, what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result
from conftest import make_matrix

import mbnb
from mbnb.cli import main
from mbnb.data.folder import write_folder


def plan(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["plan", *arguments])


@pytest.fixture
def board(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> mbnb.ResponseMatrix:
    rng = np.random.default_rng(3)
    chance = 1 / (1 + np.exp(rng.normal(0, 1, 200) - np.linspace(-1, 1, 20)[:, None]))
    matrix = make_matrix((rng.random((20, 200)) < chance).astype(np.uint8), name="board")
    write_folder(matrix, tmp_path / "board", "Made up.")
    graded = make_matrix(np.where(rng.random((5, 20)) < 0.5, 0.25, 1.0))
    write_folder(graded, tmp_path / "graded", "Made up.")
    monkeypatch.setenv("MBNB_DATA", str(tmp_path))
    return matrix


def test_the_size_comes_first_where_it_was_asked_for() -> None:
    done = plan("--gap", "2", "--disagreement", "0.25", "--items", "12032")
    assert done.exit_code == 0, done.output
    assert done.stdout.splitlines() == [
        "size          472 items drawn from 12,032 items",
        "gap           2.00 points",
        "agreement     0.800, ties strict",
        "disagreement  25.0 % of the items",
    ]


def test_json_is_one_object_and_nothing_else() -> None:
    done = plan("--size", "250", "--disagreement", "0.25", "--ties", "half", "--json")
    found = json.loads(done.stdout)
    expected = mbnb.plan(size=250, agreement=0.8, disagreement=0.25, ties="half")
    assert found["solved"] == "gap" and found["gap"] == expected.gap
    assert found["ties"] == "half" and found["n_items"] is None and found["why"] is None
    assert done.stderr == ""


def test_a_data_set_gives_disagreement_and_items(board: mbnb.ResponseMatrix) -> None:
    done = plan("--gap", "5", "--dataset", "board", "--json")
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    pairs = mbnb.compare_pairs(board)
    expected = mbnb.plan(gap=5, agreement=0.8, disagreement=pairs, n_items=200)
    assert found["size"] == expected.size and found["n_items"] == 200
    assert found["disagreement"] == expected.disagreement
    low, high = found["others"]
    assert low["disagreement"] < found["disagreement"] < high["disagreement"]
    assert low["size"] < found["size"] < high["size"]
    told = plan("--gap", "5", "--dataset", "board")
    assert f"({low['size']:,} items), one in ten on more than" in told.stdout


def test_the_answer_no_has_a_sentence_and_status_1() -> None:
    done = plan("--size", "5", "--disagreement", "0.25")
    assert done.exit_code == 1
    assert done.stdout == ""
    assert done.stderr.startswith("mbnb: With 5 items no gap reaches an agreement of 0.8")
    as_json = plan("--size", "5", "--disagreement", "0.25", "--json")
    assert as_json.exit_code == 1
    found = json.loads(as_json.stdout)
    assert found["gap"] is None and found["why"].startswith("With 5 items no gap")


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["--gap", "2"], ["--disagreement", "--dataset"]),
        (["--disagreement", "0.2"], ["gap", "size", "agreement"]),
        (["--gap", "2", "--disagreement", "0.2", "--dataset", "board"], ["both"]),
        (["--gap", "2", "--disagreement", "25"], ["--disagreement", "25"]),
        (["--gap", "2", "--dataset", "graded"], ["graded"]),
        (["--gap", "2", "--dataset", "nowhere"], ["'nowhere'"]),
    ],
)
def test_bad_input_is_one_sentence_and_status_2(
    board: mbnb.ResponseMatrix, arguments: list[str], named: list[str]
) -> None:
    done = plan(*arguments)
    assert done.exit_code == 2
    assert all(name in done.stderr for name in named) and len(done.stderr.splitlines()) == 1
