"""Tests of what fitted selectors tell beside a selection: chances and centres."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from mbnb.data.responses import ResponseMatrix
from mbnb.methods.selectors import make_selector
from mbnb.methods.tinybenchmarks import nearest_unused


def matrix(scores: np.ndarray) -> ResponseMatrix:
    n_models, n_items = scores.shape
    return ResponseMatrix(
        scores=scores.astype(np.uint8),
        models=pd.DataFrame(index=pd.Index([f"m{i}" for i in range(n_models)], name="model_id")),
        items=pd.DataFrame(
            {"subtask": "s"}, index=pd.Index([f"i{i}" for i in range(n_items)], name="item_id")
        ),
    )


@pytest.mark.parametrize("twins", [False, True], ids=["distinct items", "fewer points than items"])
def test_the_chance_of_an_item_is_how_often_diversity_chooses_it(twins: bool) -> None:
    scores = np.random.default_rng(5).integers(0, 2, (15, 12))
    if twins:
        scores = scores[:, [0, 0, 0, 0, 0, 0, 1, 1, 1, 2, 2, 2]]
    fitted = make_selector("diversity").fit(matrix(scores))
    rng = np.random.default_rng(6)
    counts = np.zeros(12)
    for _ in range(3000):
        counts[fitted.select(5, rng).items] += 1
    chances = fitted.inclusion(5)
    assert chances.sum() == pytest.approx(5)
    # Four standard errors of a share of 3,000 draws.
    assert counts / 3000 == pytest.approx(chances, abs=4 * np.sqrt(0.25 / 3000))


def test_tinybenchmarks_chooses_the_items_nearest_its_centres() -> None:
    scores = np.random.default_rng(7).integers(0, 2, (30, 40))
    fitted = make_selector("tinybenchmarks").fit(matrix(scores))
    centres = fitted.centres(6, np.random.default_rng(8))
    chosen = fitted.select(6, np.random.default_rng(8)).items
    assert centres.shape == (6, 11)
    assert chosen.tolist() == sorted(nearest_unused(centres, fitted.points).tolist())
