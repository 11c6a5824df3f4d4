"""How long a grid is expected to take, less what is kept."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from conftest import make_matrix

from mbnb.run.store import ResultStore
from mbnb.run.trials import make_grid, run_trials
from mbnb.study.costs.forecast import forecast
from mbnb.study.costs.timing import expected_seconds

YARDSTICK = 0.05


def test_a_forecast_adds_up_and_leaves_out_what_is_kept(tmp_path: Path) -> None:
    scores = np.random.default_rng(0).integers(0, 2, (20, 60)).astype(np.uint8)
    matrix = make_matrix(scores)
    counts = {"n_source": 10, "n_target": 8}
    grid = make_grid(matrix, ["uniform", "subtask"], [5, 10], n_trials=4, **counts)
    shape = {"n_items": 30, "n_source": 10, "sizes": [5, 10], "yardstick": YARDSTICK}
    uniform, subtask = (expected_seconds(name, **shape) for name in ("uniform", "subtask"))
    store = ResultStore(tmp_path)
    before = forecast(grid, YARDSTICK, store)
    assert (before.n_units, before.n_kept) == (8, 0)
    assert before.seconds == pytest.approx(4 * (uniform + subtask))
    run_trials(matrix, ["subtask"], [5, 10], n_trials=3, store=store, **counts)
    after = forecast(grid, YARDSTICK, store)
    assert (after.n_units, after.n_kept) == (8, 3)
    assert after.seconds == pytest.approx(4 * uniform + subtask)
