"""Theory beside measurement."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pandas as pd
import pytest
from conftest import make_answers, make_matrix
from scipy.stats import hypergeom

import mbnb
from mbnb.judge.normal import expected_mdad, normal_agreement
from mbnb.judge.planning import expected_gap, needed_sizes, noisy_pairs, sampling_floor

ROOT = Path(__file__).resolve().parents[1]
NAME = "swebench-verified"
BIN = 0.5 + 1e-9


@pytest.fixture(scope="module")
def script() -> ModuleType:
    folder = ROOT / "benchmarks"
    sys.path.insert(0, str(folder))
    try:
        spec = importlib.util.spec_from_file_location(
            "planning_theory", folder / "planning_theory.py"
        )
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(folder))
    return module


def test_the_kept_figures_of_one_leaderboard_are_made_again(script: ModuleType) -> None:
    if NAME not in set(mbnb.available()["name"]):
        pytest.skip(f"{NAME} is not here: set MBNB_DATA to the folder with the real matrices")
    [board] = [board for board in script.LEADERBOARDS if board.name == NAME]
    for name, made in script.planning_tables(board).items():
        kept = mbnb.measured(name)
        kept = kept[kept["dataset"] == NAME].reset_index(drop=True)
        pd.testing.assert_frame_equal(
            kept, made.reset_index(drop=True), check_dtype=False, rtol=1e-3, atol=1e-4
        )


@pytest.fixture(scope="module")
def beside() -> pd.DataFrame:
    return mbnb.measured("planning-uniform")


def test_the_table_holds_what_was_measured(beside: pd.DataFrame) -> None:
    kept = mbnb.measured("leaderboards").query("selector == 'uniform'")
    both = beside.merge(kept, on=["dataset", "half", "size"], validate="one_to_one")
    assert len(both) == len(beside) == len(kept)
    pd.testing.assert_series_equal(both["measured"], both["mdad"], check_names=False)


def test_theory_is_within_one_bin_of_many_samples_everywhere(beside: pd.DataFrame) -> None:
    apart = (beside["exact"] - beside["redrawn"]).dropna()
    assert len(apart) >= 0.98 * len(beside)
    assert apart.abs().max() <= BIN
    assert (beside["exact"].isna() == beside["redrawn"].isna()).all()


def test_the_size_needed_is_the_smallest_that_reaches_the_threshold() -> None:
    pairs = noisy_pairs(make_matrix(make_answers(20, 400)))
    needed = needed_sizes(pairs, [1.0, 2.0, 5.0, 10.0], 400)
    assert needed.is_monotonic_decreasing, "wider gaps need fewer items"
    for gap in (2.0, 5.0):
        rate = pairs["noise"][np.rint(pairs["gap"]) == gap].mean()
        size = int(needed[gap])
        found = [
            normal_agreement(np.array([gap]), np.array([rate]), k, 400)[0] for k in (size - 1, size)
        ]
        assert found[0] < 0.8 <= found[1]


def test_of_binary_scores_theory_is_the_books_own_where_the_floor_allows_it() -> None:
    pairs = noisy_pairs(make_matrix(make_answers(20, 400)))
    assert (pairs["noise"] == pairs["disagreement"]).all()
    ours = expected_gap(pairs, [10, 50, 200], 400)
    books = expected_mdad(pairs, [10, 50, 200], 400)
    assert ours.tolist() == np.maximum(books, sampling_floor([10, 50, 200], 400)).tolist()


def test_graded_scores_that_differ_little_are_little_noise() -> None:
    matrix = make_matrix(np.float32([[0.5, 0.5, 1.0], [0.5, 0.75, 0.5]]))
    pairs = noisy_pairs(matrix)
    assert pairs["noise"].tolist() == pytest.approx([100 * (0.25**2 + 0.5**2) / 3])
    assert pairs["disagreement"].tolist() == pytest.approx([200 / 3])
    graded = np.float32(make_answers(12, 300) * 0.2 + 0.4)
    needed = needed_sizes(noisy_pairs(make_matrix(graded)), [2.0], 300, binary=False)
    assert (
        needed[2.0] < needed_sizes(noisy_pairs(make_matrix(make_answers(12, 300))), [2.0], 300)[2.0]
    )


def test_the_floor_of_a_finite_benchmark_is_the_hypergeometric_one() -> None:
    floor = sampling_floor([1, 5, 20, 40], 40)
    for size in (1, 5, 20, 40):
        wins = next(w for w in range(1, 41) if hypergeom.pmf(0, 40, w, size) <= 0.2 + 1e-9)
        assert floor[size] == pytest.approx(100 * wins / 40)
    assert floor[40] == 2.5, "all items see a difference of one"
