"""`mbnb wear`: what it says of a frozen micro-benchmark and newer models, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result
from conftest import make_matrix

from mbnb.cli import main
from mbnb.data.folder import write_folder


def mbnb(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Folders: `board` (40 models), and models that solve its first items, or its last, alike."""
    rng = np.random.default_rng(0)
    write_folder(make_matrix(rng.integers(0, 2, (40, 60)).astype(np.uint8)), tmp_path / "board", "")
    monkeypatch.setenv("MBNB_DATA", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    for out, selector in (("micro.json", "confidence"), ("random.json", "uniform")):
        arguments = ("--selector", selector, "--size", "20", "--out", out)
        assert mbnb("select", "board", *arguments).exit_code == 0
    frozen = [int(i["id"][1:]) for i in json.loads(Path("micro.json").read_text())["items"]]
    for name, n_models in (("saturated", 8), ("fresh", 8), ("few", 3)):
        answers = rng.integers(0, 2, (n_models, 60)).astype(np.uint8)
        if name == "saturated":
            answers[:, frozen] = 1
        write_folder(make_matrix(answers), tmp_path / name, "")
    return tmp_path


def test_items_that_all_new_models_solve_are_worn(place: Path) -> None:
    done = mbnb("wear", "micro.json", "saturated", "--random", "random.json")
    assert done.exit_code == 1, done.output
    assert "8 new models answer 20 of 20 items alike" in done.stdout
    assert "select anew" in done.stdout


def test_items_like_random_ones_are_not_called_worn(place: Path) -> None:
    done = mbnb("wear", "micro.json", "fresh", "--random", "random.json", "--json")
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert told["worn"] is None, "neither surely better nor surely worse"
    assert told["low"] < 1 < told["high"]


def test_without_a_random_part_nothing_is_advised(place: Path) -> None:
    done = mbnb("wear", "micro.json", "saturated", "--json")
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert (told["alike"], told["ratio"], told["worn"]) == (1.0, None, None)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["micro.json", "few"], "has 3 new models; wear can be told from 5 on"),
        (["micro.json", "fresh", "--random", "micro.json"], "it must be drawn by 'uniform'"),
        (["absent.json", "fresh"], "absent.json cannot be read"),
    ],
)
def test_what_is_refused(place: Path, arguments: list[str], message: str) -> None:
    done = mbnb("wear", *arguments)
    assert done.exit_code == 2
    assert message in " ".join(done.stderr.split())
