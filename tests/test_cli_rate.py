"""`mbnb rate`: what it prints and writes, what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner, Result

from mbnb.cli import main
from mbnb.data.arena import simulate_arena
from mbnb.study.beyond.ratings import fit_ratings


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    arena = simulate_arena(6, 2_000, n_prompts=400)
    names = {1.0: "model_a", 0.0: "model_b", 0.5: "tie"}
    pd.DataFrame(
        {
            "model_a": arena.models[arena.first],
            "model_b": arena.models[arena.second],
            "winner": [names[result] for result in arena.result],
            "prompt": arena.prompt,
        }
    ).to_csv(tmp_path / "battles.csv", index=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def mbnb(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["rate", *arguments])


def test_ratings_and_what_fewer_battles_see(place: Path) -> None:
    done = mbnb("battles.csv", "--trials", "4", "--sizes", "100,400", "--out", "ratings.csv")
    assert done.exit_code == 0, done.output
    assert "2,000 battles of 6 models" in done.stderr
    for text in ("sim-heron-1", "     400  ", "20: 53 %"):
        assert text in done.stdout
    written = pd.read_csv("ratings.csv", index_col="model")["rating"]
    expected = fit_ratings(simulate_arena(6, 2_000, n_prompts=400))["rating"]
    assert written.to_dict() == pytest.approx(expected.to_dict(), abs=1e-3)
    assert written.is_monotonic_decreasing


def test_json_is_one_object(place: Path) -> None:
    done = mbnb("battles.csv", "--trials", "2", "--sizes", "200", "--json")
    answer = json.loads(done.stdout)
    assert answer["battles"] == 2_000 and set(answer["mdad"]) == {"200"}
    assert len(answer["ratings"]) == 6 and done.stderr == ""


def test_ratings_alone_need_no_trial(place: Path) -> None:
    done = mbnb("battles.csv", "--trials", "0")
    assert done.exit_code == 0 and "by battles asked for" not in done.stdout


def test_models_that_stand_apart_are_named(place: Path) -> None:
    with Path("battles.csv").open("a") as file:
        file.write("sim-heron-1,stranger,model_a,9999\n")
    refused = mbnb("battles.csv")
    assert refused.exit_code == 2
    assert "cannot rate 1 of 7 models (first: 'stranger')" in refused.output
    assert mbnb("battles.csv", "--trials", "0", "--prior", "1").exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("none.csv",), "there is no file none.csv"),
        (("battles.csv", "--sizes", "5000"), "size 5000 is not possible"),
        (("battles.csv", "--out", "ratings.txt"), "--out must end in .csv"),
    ],
)
def test_bad_input_is_one_sentence(place: Path, arguments: tuple[str, ...], message: str) -> None:
    refused = mbnb(*arguments)
    assert refused.exit_code == 2 and message in refused.output
