"""`mbnb study`: what it prints, what it writes, what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner, Result
from conftest import make_matrix

import mbnb
from mbnb.cli import main
from mbnb.data.folder import write_folder


@pytest.fixture
def board(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of 12 models × 40 items; twelve answers of one model are missing in `gaps`."""
    rng = np.random.default_rng(3)
    chance = 1 / (1 + np.exp(rng.normal(0, 1, 40) - np.linspace(-2, 2, 12)[:, None]))
    scores = (rng.random((12, 40)) < chance).astype(np.uint8)
    write_folder(make_matrix(scores), tmp_path / "board", "Made up.")
    scores[0, :12] = 255
    write_folder(make_matrix(scores), tmp_path / "gaps", "Made up.")
    monkeypatch.setenv("MBNB_DATA", str(tmp_path))
    monkeypatch.setenv("MBNB_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    return tmp_path / "board"


def study(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["study", *arguments, "--jobs", "1"])


def test_the_table_and_the_file(board: Path, tmp_path: Path) -> None:
    done = study(
        *("board", "--selectors", "uniform,anchor-points", "--sizes", "5,20", "--trials", "3"),
        *("--out", "trials.parquet"),
    )
    assert done.exit_code == 0, done.output
    assert "board: 8 sources, 4 targets, 3 trials, threshold 0.8" in done.stdout
    for heading in ("MDAD in points", "Kendall's tau", "Mean estimation error in points"):
        assert heading in done.stdout
    assert "4 of the 12 models are targets, 8 are sources (the study has 50 and 300)" in done.stderr
    assert "scores stand in" in done.stderr
    table = pd.read_parquet(tmp_path / "trials.parquet")
    assert len(table) == 2 * 2 * 3 * 4
    assert table.attrs["n_train"] == 20 and table.attrs["dataset"] == "board"
    assert sorted(p.name for p in tmp_path.iterdir()) == [
        "board",
        "cache",
        "gaps",
        "trials.parquet",
    ]


@pytest.mark.parametrize("rule", ["first", "sustained", "isotonic", "interpolated"])
def test_an_mdad_is_read_by_the_rule_that_is_asked_for(board: Path, rule: str) -> None:
    grid = ("board", "--selectors", "uniform", "--sizes", "5,20", "--trials", "4")
    done = study(*grid, "--rule", rule, "--json")
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert told["rule"] == rule
    trials = mbnb.run_trials(
        mbnb.load("board"), ["uniform"], [5, 20], n_trials=4, n_source=8, n_target=4, n_jobs=1
    )
    least = 4 if rule in ("first", "sustained") else 1
    table = mbnb.mdad(mbnb.agreement(trials), mbnb.Reading(rule=rule, min_pairs=least))
    expected = [None if np.isnan(value) else value for value in table["mdad"]]
    assert list(told["mdad"]["uniform"].values()) == expected
    assert f"threshold 0.8, {rule} rule" in study(*grid, "--rule", rule).stdout


def test_json_is_one_object_and_nothing_else(board: Path) -> None:
    done = study("./board", "--selectors", "uniform", "--sizes", "1,20", "--trials", "2", "--json")
    assert done.exit_code == 0, done.output

    def refuse(token: str) -> None:
        raise AssertionError(f"{token} is not JSON")

    answer = json.loads(done.stdout, parse_constant=refuse)
    assert list(answer) == ["dataset", "n_trials", "rule", "threshold", "mdad", "tau", "error"]
    assert (answer["dataset"], answer["n_trials"]) == ("board", 2)
    for name in ("mdad", "tau", "error"):
        assert list(answer[name]) == ["uniform"]
        assert list(answer[name]["uniform"]) == ["1", "20"]
    # At the size of the whole half every pair is ordered right and nothing is estimated wrong.
    assert answer["error"]["uniform"]["20"] == pytest.approx(0, abs=1e-9)
    assert answer["tau"]["uniform"]["20"] == 1


def test_missing_answers_need_a_policy(board: Path) -> None:
    done = study("gaps", "--selectors", "uniform", "--sizes", "5", "--trials", "1")
    assert done.exit_code == 2
    assert "12 of 480 answers are missing" in done.stderr and "drop-items" in done.stderr
    done = study(
        *("gaps", "--selectors", "uniform", "--sizes", "5", "--trials", "1"),
        *("--missing", "drop-models"),
    )
    assert done.exit_code == 0
    assert "1 model with a missing answer left out" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["nowhere"], ["'nowhere'", "simulated:"]),
        (["board", "--selectors", "random"], ["'random'", "uniform"]),
        (["board", "--selectors", ""], ["--selectors"]),
        (["board", "--sizes", "10,x"], ["--sizes", "'x'"]),
        (["board", "--sizes", "0"], ["--sizes", "0"]),
        (["board", "--sizes", "5,21"], ["21", "20"]),
        (["board", "--sources", "9", "--targets", "4"], ["12 models", "9", "4"]),
        (["board", "--out", "trials.txt"], ["--out", ".parquet", "trials.txt"]),
        (["board", "--out", "no/such/t.parquet"], ["no/such"]),
        (["board", "--trials", "0"], ["--trials", "0"]),
        (["board", "--threshold", "0.5"], ["--threshold", "0.5"]),
        (["board", "--missing", "mean"], ["--missing", "drop-items"]),
        (["board", "board"], ["--paper"]),
        (["board", "--plan"], ["--paper"]),
        (["board", "--paper", "--rule", "isotonic"], ["--paper", "--rule"]),
        (["board", "--paper", "--sizes", "10"], ["--paper", "--sizes"]),
        (["board", "--paper", "--targets", "10"], ["--paper", "--targets"]),
        (["board", "./board", "--paper"], ["board", "twice"]),
        (["--bord"], ["--bord"]),
    ],
)
def test_bad_input_is_one_sentence_with_status_2(
    board: Path, tmp_path: Path, arguments: list[str], named: list[str]
) -> None:
    done = study(*arguments)
    assert done.exit_code == 2, done.output
    *_, last = done.stderr.splitlines()
    assert all(name in last for name in named) and "Traceback" not in done.output
    assert done.stdout == ""
    assert not list(tmp_path.glob("*.parquet")) and not list(tmp_path.glob(".mbnb-*"))
