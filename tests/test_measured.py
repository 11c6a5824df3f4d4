"""Figures kept from real leaderboards are made anew, where the answers are."""

from __future__ import annotations

import argparse
import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pandas as pd
import pytest

import mbnb

ROOT = Path(__file__).resolve().parents[1]
NAME = "swebench-verified"


@pytest.fixture(scope="module")
def script() -> ModuleType:
    path = ROOT / "benchmarks" / "leaderboards.py"
    spec = importlib.util.spec_from_file_location("leaderboards_script", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_the_kept_figures_of_a_leaderboard_are_made_again(script: ModuleType) -> None:
    if NAME not in set(mbnb.available()["name"]):
        pytest.skip(f"{NAME} is not here: set MBNB_DATA to the folder with the real matrices")
    [board] = [board for board in script.LEADERBOARDS if board.name == NAME]
    matrix, _ = board.matrix()
    trials = script.grid_trials(matrix, argparse.Namespace(trials=50, jobs=2))
    kept = mbnb.measured("leaderboards")
    kept = kept[kept["dataset"] == NAME].reset_index(drop=True)
    made = script.leaderboard_rows(matrix, trials)
    pd.testing.assert_frame_equal(kept, made, check_dtype=False, check_categorical=False, rtol=1e-3)
    counts = mbnb.agreement_counts(trials)
    pd.testing.assert_frame_equal(mbnb.measured(f"agreement-{NAME}"), counts, check_dtype=False)


def test_every_data_set_that_was_measured_is_told_of_in_the_table_of_runs(
    script: ModuleType,
) -> None:
    names = {board.name for board in script.LEADERBOARDS}
    assert set(mbnb.measured("leaderboards")["dataset"]) == names
    assert set(mbnb.measured("leaderboards-runs")["dataset"]) == names
    for board in script.LEADERBOARDS:
        curve = mbnb.measured(f"agreement-{board.file_name}")
        assert (curve.filter(regex="-[0-9]+$").le(curve["pairs"], axis=0)).all().all()
