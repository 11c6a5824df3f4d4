"""`mbnb select` and `mbnb score`: what they print and write, what they refuse."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result
from test_micro_benchmark import make_board, with_logs

from mbnb.cli import main
from mbnb.data.folder import write_folder
from mbnb.data.responses import ResponseMatrix
from mbnb.frozen.micro_benchmark import read_micro_benchmark


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Folders: `board` (38 models × 60 items), `logged` (the same from logs), `new` (2 others)."""
    matrix = make_board(n_models=40)
    known = matrix.subset(models=np.delete(np.arange(40), [15, 30]))
    write_folder(known, tmp_path / "board", "Made up.")
    write_folder(with_logs(known), tmp_path / "logged", "Made up.")
    write_folder(matrix.subset(models=[15, 30]), tmp_path / "new", "Made up.")
    monkeypatch.setenv("MBNB_DATA", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def mbnb(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


def strict(text: str) -> Any:
    def refuse(token: str) -> None:
        raise AssertionError(f"{token} is not JSON")

    return json.loads(text, parse_constant=refuse)


def files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if path.is_file())


def test_select_writes_the_same_file_again(place: Path) -> None:
    done = mbnb("select", "board", "--size", "30", "--seed", "7", "--out", "micro.json")
    assert done.exit_code == 0, done.output
    assert done.stdout == "micro.json\n"
    assert "30 of 60 items frozen (uniform, weighted-mean, seed 7)" in done.stderr
    assert "A middling new model's full score will be known within" in done.stderr
    micro = read_micro_benchmark("micro.json")
    assert (micro.dataset, micro.size, micro.seed, micro.n_models) == ("board", 30, 7, 38)
    first = Path("micro.json").read_bytes()
    mbnb("select", "./board", "--size", "30", "--seed", "7", "--out", "micro.json")
    assert Path("micro.json").read_bytes() == first
    assert files(place) == ["micro.json"]


def test_exports_with_the_draw_and_later(place: Path) -> None:
    exports = ("--samples", "s.json", "--csv", "t.csv", "--ids", "i.txt")
    done = mbnb("select", "logged", "--size", "20", "--out", "micro.json", *exports)
    assert done.exit_code == 0, done.output
    assert done.stdout.split() == ["micro.json", "s.json", "t.csv", "i.txt"]
    texts = {name: Path(name).read_text("utf-8") for name in ("s.json", "t.csv", "i.txt")}
    assert sum(map(len, json.loads(texts["s.json"]).values())) == 20
    assert len(texts["t.csv"].splitlines()) == 21 and len(texts["i.txt"].splitlines()) == 20
    for name in texts:
        os.unlink(name)
    later = mbnb("select", "--from", "micro.json", *exports)
    assert later.exit_code == 0 and later.stdout.split() == ["s.json", "t.csv", "i.txt"]
    assert {name: Path(name).read_text("utf-8") for name in texts} == texts


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["board"], ["--size", "--out"]),
        (["--size", "5", "--out", "m.json"], ["DATASET"]),
        (["board", "--size", "61", "--out", "m.json"], ["size 61", "60"]),
        (["nowhere", "--size", "5", "--out", "m.json"], ["'nowhere'"]),
        (["board", "--size", "5", "--out", "m.txt"], ["--out", ".json", "m.txt"]),
        (["board", "--size", "5", "--out", "m.json", "--csv", "m.json"], ["--csv", ".csv"]),
        (["board", "--size", "5", "--out", "no/m.json"], ["folder no "]),
        (["board", "--size", "5", "--out", "m.json", "--samples", "./m.json"], ["same file"]),
        (["board", "--size", "5", "--out", "m.json", "--samples", "s.json"], ["--samples", "task"]),
        (["board", "--size", "5", "--selector", "best", "--out", "m.json"], ["'best'", "uniform"]),
        (["board", "--from", "x.json", "--ids", "i.txt"], ["'x.json'"]),
        (["--from", "board/models.csv", "--seed", "0", "--ids", "i.txt"], ["leave --seed out"]),
        (["--from", "board/models.csv"], ["--samples", "--csv", "--ids"]),
        (["--from", "board/models.csv", "--ids", "i.txt"], ["board/models.csv"]),
    ],
)
def test_select_refuses_and_leaves_nothing(
    place: Path, arguments: list[str], named: list[str]
) -> None:
    done = mbnb("select", *arguments)
    assert done.exit_code == 2, done.output
    assert all(name in done.stderr for name in named), done.stderr
    assert "Traceback" not in done.stderr and done.stdout == ""
    assert files(place) == []


def test_score_for_a_person(place: Path) -> None:
    mbnb("select", "board", "--size", "30", "--out", "micro.json")
    done = mbnb("score", "micro.json", "new", "--extra", "ignore")
    assert done.exit_code == 0, done.output
    head, first, *_ = done.stdout.split("\n\n")
    assert head == "board: 30 of 60 items (uniform, weighted-mean, seed 0), 38 known models"
    answer = strict(mbnb("score", "micro.json", "new", "--extra", "ignore", "--json").stdout)
    one = answer["models"][0]
    assert first.splitlines()[0] == one["model"] == "m15"
    for name in ("estimate", "low", "high"):
        assert f"{100 * one[name]:.1f}" in first.splitlines()[1]
    assert f"{one['place']} of 39, between {one['best_place']} and {one['worst_place']}" in first
    assert f"not from {len(one['not_told_apart'])}" in first
    assert "\nm30\n" in done.stdout
    assert "were drawn at random from 60" in done.stdout
    assert "Each pair is judged on its own at 95 %" in done.stdout
    assert "30 items beyond the micro-benchmark's were ignored." in done.stderr
    assert done.stderr.count("were ignored") == 1


def test_score_as_json(place: Path) -> None:
    mbnb("select", "board", "--size", "30", "--out", "micro.json")
    done = mbnb("score", "micro.json", "new", "--extra", "ignore", "--json", "--level", "0.8")
    answer = strict(done.stdout)
    assert list(answer) == ["micro_benchmark", "level", "basis", "n_known", "models"]
    assert answer["micro_benchmark"]["sha256"] == read_micro_benchmark("micro.json").sha256
    assert (answer["level"], answer["n_known"], len(answer["models"])) == (0.8, 38, 2)
    one = answer["models"][1]
    assert one["low"] <= one["estimate"] <= one["high"] and one["known_score"] is None
    assert len(one["pairs"]) == 38
    names = {pair["model"] for pair in one["pairs"] if pair["verdict"] == "not told apart"}
    assert names == set(one["not_told_apart"])
    wide = strict(mbnb("score", "micro.json", "new", "--extra", "ignore", "--json").stdout)
    assert wide["models"][1]["low"] < one["low"] and one["high"] < wide["models"][1]["high"]


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["micro.json", "new"], "30 of its 60 items are not in the micro-benchmark"),
        (["micro.json", "nowhere"], "nowhere"),
        (["micro.json", "new", "--level", "1"], "--level"),
        (["other.json", "new"], "other.json"),
        (["changed.json", "new"], "changed.json"),
        (["micro.json"], "NEW..."),
    ],
)
def test_score_refuses(place: Path, arguments: list[str], named: str) -> None:
    mbnb("select", "board", "--size", "30", "--out", "micro.json")
    text = Path("micro.json").read_text("utf-8")
    Path("changed.json").write_text(text.replace('"seed": 0', '"seed": 1'), "utf-8")
    done = mbnb("score", *arguments)
    assert done.exit_code == 2, done.output
    assert named in done.stderr and len(done.stderr.splitlines()) == 1 and done.stdout == ""


def test_from_a_real_benchmark_to_left_out_models(
    real_data: Callable[[str], ResponseMatrix], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = real_data("bigcodebench")
    monkeypatch.chdir(tmp_path)
    order = np.random.default_rng(1).permutation(whole.n_models)
    write_folder(whole.subset(models=np.sort(order[40:])), "known", "Real.")
    new = whole.subset(models=np.sort(order[:40]))
    write_folder(new, "new", "Real.")
    assert mbnb("select", "./known", "--size", "250", "--out", "micro.json").exit_code == 0
    done = mbnb("score", "micro.json", "new", "--extra", "ignore", "--json")
    results = strict(done.stdout)["models"]
    truth = dict(zip(new.model_ids, new.accuracies(), strict=True))
    assert [r["model"] for r in results] == list(new.model_ids)
    # Of 40 models two may be missed; they share their items, so they are missed together.
    assert sum(r["low"] <= truth[r["model"]] <= r["high"] for r in results) >= 34
    assert all(r["high"] - r["low"] < 0.13 for r in results)
