"""Figures of grades kept from a real leaderboard are made anew, where the answers are."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pandas as pd
import pytest

import mbnb

NAME = "resampled-t07"


@pytest.fixture(scope="module")
def script() -> ModuleType:
    path = Path(__file__).resolve().parents[1] / "benchmarks" / "beyond.py"
    spec = importlib.util.spec_from_file_location("beyond_script", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_kept_figures_of_grades_are_made_again(
    script: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    if NAME not in set(mbnb.available()["name"]):
        pytest.skip(f"{NAME} is not here: set MBNB_DATA to the folder with the real matrices")
    monkeypatch.setattr(script, "SELECTORS", ["uniform"])
    for file, made in script.measure_graded(NAME, 50).items():
        kept = mbnb.measured(file)
        kept = kept[kept["dataset"] == NAME].drop(columns="dataset")
        if "selector" in kept:
            kept = kept[kept["selector"] == "uniform"]
        pd.testing.assert_frame_equal(
            kept.reset_index(drop=True),
            made.reset_index(drop=True),
            check_dtype=False,
            check_categorical=False,
            rtol=1e-4,
        )


def test_every_data_set_of_the_script_was_measured(script: ModuleType) -> None:
    assert set(mbnb.measured("graded")["dataset"]) == set(script.GRADED)
    assert set(mbnb.measured("graded-shares")["dataset"]) == set(script.GRADED)
    assert set(mbnb.measured("battles")["dataset"]) == set(script.FOUGHT)
