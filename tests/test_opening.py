"""A chapter opens: its data, its trials with its parameters, and what its page says."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from conftest import make_matrix

from mbnb.book import opening
from mbnb.book.opening import data_label, load_study, open_study
from mbnb.book.parameters import parameters
from mbnb.data.errors import InputError
from mbnb.data.folder import write_folder


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, object]:
    """Parameters of a small data set; nothing is kept."""
    scores = np.random.default_rng(0).integers(0, 2, (20, 60)).astype(np.uint8)
    write_folder(make_matrix(scores), tmp_path / "mine", "made up")
    monkeypatch.setattr(opening, "ResultStore", lambda: None)
    return {"dataset": str(tmp_path / "mine"), "n_trials": 3, "sizes": [5, 10, 1000]}


def test_sizes_and_models_that_the_data_do_not_allow_are_told(mine: dict[str, object]) -> None:
    study = load_study(parameters(mine))
    assert study.sizes == [5, 10]
    assert study.n_source + study.n_target <= 20
    assert any("1,000" in note for note in study.notes)
    assert set(study.train.models.index).isdisjoint(study.targets.models.index)
    assert study.train.n_items == study.targets.n_items == 30


def test_a_run_with_other_parameters_says_so_first(mine: dict[str, object]) -> None:
    study = load_study(parameters(mine))
    assert not study.is_default
    shown: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(opening, "display", lambda one: shown.append(one.data))
        study._ipython_display_()
        load_study(parameters(mine), **{**mine, "sizes": (5, 10, 1000)})._ipython_display_()
    assert shown[0].startswith("**Another run") and "n_trials = 3" in shown[0]
    assert not any("Another run" in text for text in shown[1:])


def test_trials_take_the_chapters_parameters_unless_told(mine: dict[str, object]) -> None:
    study = load_study(parameters(mine))
    frame = study.run("uniform").table
    assert set(frame["size"]) == {5, 10} and frame["trial"].nunique() == 3
    assert set(study.run(["uniform"], sizes=[7]).table["size"]) == {7}
    assert study.reading.min_pairs == 3


def test_bad_parameters_and_data_are_refused(mine: dict[str, object]) -> None:
    with pytest.raises(InputError, match="n_trials"):
        open_study({**mine, "n_trials": 0})
    with pytest.raises(InputError, match="nowhere"):
        open_study({"dataset": "nowhere"})


def test_simulated_models_are_called_that() -> None:
    assert "simulated models" in data_label(
        load_study(parameters({"dataset": "simulated:gpqa"})).matrix
    )
