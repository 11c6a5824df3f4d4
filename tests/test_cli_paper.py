"""`mbnb study --paper`: its plan, its table, and what a killed run loses (only time)."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
import psutil
import pytest
from click.testing import CliRunner, Result
from conftest import make_matrix

from mbnb.cli import main
from mbnb.data.folder import write_folder
from mbnb.data.responses import ResponseMatrix

# 6 grids × 6 selectors × 12 trials.
FITS = 432
COMMAND = [sys.executable, "-c", "from mbnb.cli import main; main()", "study", "--paper"]


@pytest.fixture
def board(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of 40 models, 12 of them in two groups, × 80 items in three subtasks."""
    rng = np.random.default_rng(5)
    logits = np.linspace(-2, 2, 40)[:, None] - rng.normal(0, 1, 80)
    scores = (rng.random((40, 80)) < 1 / (1 + np.exp(-logits))).astype(np.uint8)
    matrix = make_matrix(scores, subtasks=["a"] * 40 + ["b"] * 24 + ["c"] * 16)
    models = matrix.models.assign(group=["7b"] * 5 + ["8b-instruct"] * 7 + [""] * 28)
    write_folder(ResponseMatrix(scores, models, matrix.items), tmp_path / "board", "Made up.")
    monkeypatch.setenv("MBNB_DATA", str(tmp_path))
    monkeypatch.setenv("MBNB_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    return tmp_path / "board"


def paper(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["study", "--paper", *arguments, "--jobs", "1"])


def test_the_plan_comes_first_and_can_come_alone(board: Path, tmp_path: Path) -> None:
    done = paper("board", "--trials", "2", "--plan")
    assert done.exit_code == 0, done.output
    # Two numbers of sources, one grid of groups and three subtasks: 6 grids × 6 selectors × 2.
    assert "Plan: 72 fits" in done.stderr
    assert "the study has 50 and 300" in done.stderr
    assert not done.stdout and not (tmp_path / "cache").exists()


def test_the_table_in_text_file_and_json(board: Path, tmp_path: Path) -> None:
    arguments = ("board", "--trials", "2", "--selectors", "uniform,subtask")
    done = paper(*arguments, "--out", "paper.csv")
    assert done.exit_code == 0, done.output
    assert done.stderr.index("Plan: 24 fits") < done.stderr.index("board: done")
    assert "board: 27 sources, 13 targets" in done.stdout
    table = pd.read_csv(tmp_path / "paper.csv")
    assert set(table["variant"]) == {"pooled", "groups", "subtask"}
    again = paper(*arguments, "--json")
    answer = json.loads(again.stdout)
    assert answer["n_trials"] == 2 and len(answer["rows"]) == len(table)
    assert [row["mdad"] for row in answer["rows"]] == table["mdad"].astype(object).where(
        table["mdad"].notna(), None
    ).to_list()


@pytest.mark.slow
def test_a_run_killed_ten_times_ends_in_the_same_table(board: Path, tmp_path: Path) -> None:
    arguments = [*COMMAND, "board", "--trials", "12", "--jobs", "2", "--out"]

    def environment(cache: str) -> dict[str, str]:
        return {**os.environ, "MBNB_CACHE": str(tmp_path / cache)}

    def finished() -> int:
        return len(list((tmp_path / "two").rglob("*.npz")))

    subprocess.run(
        [*arguments, "undisturbed.csv"], env=environment("one"), check=True, capture_output=True
    )
    chance = random.Random(0)
    for moment in sorted(chance.sample(range(1, FITS), 10)):
        process = subprocess.Popen(
            [*arguments, "killed.csv"],
            env=environment("two"),
            stdout=subprocess.DEVNULL,
            stderr=(tmp_path / "notes").open("w"),
        )
        while finished() < moment:
            assert process.poll() is None, (tmp_path / "notes").read_text()
        time.sleep(chance.uniform(0, 0.02))
        family = psutil.Process(process.pid).children(recursive=True)
        process.send_signal(signal.SIGKILL)
        process.wait()
        # Nobody reads what its processes do; they end by themselves.
        _, alive = psutil.wait_procs(family, timeout=30)
        assert not alive
        assert finished() >= moment, "what was finished is kept"
        assert not (tmp_path / "killed.csv").exists()
    subprocess.run(
        [*arguments, "killed.csv"], env=environment("two"), check=True, capture_output=True
    )
    assert (tmp_path / "killed.csv").read_bytes() == (tmp_path / "undisturbed.csv").read_bytes()
