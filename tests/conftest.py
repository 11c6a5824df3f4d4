"""Fixtures that more than one test module uses."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from mbnb.data.responses import ResponseMatrix


def make_matrix(
    scores: object,
    *,
    subtasks: list[str] | None = None,
    confidences: object = None,
    models: list[str] | None = None,
    items: list[str] | None = None,
    name: str = "test",
) -> ResponseMatrix:
    """A response matrix from nested lists; models m0, m1, …, items a, b, … where none are given."""
    array = np.asarray(scores)
    if array.dtype != np.uint8 and np.isin(array, (0, 1)).all():
        array = array.astype(np.uint8)
    elif array.dtype not in (np.uint8, np.float32):
        array = array.astype(np.float32)
    n_models, n_items = array.shape
    item_ids = items or [chr(97 + j) if n_items <= 26 else f"i{j:05d}" for j in range(n_items)]
    model_ids = models or [f"m{i}" if n_models <= 10 else f"m{i:04d}" for i in range(n_models)]
    return ResponseMatrix(
        scores=array,
        models=pd.DataFrame(index=pd.Index(model_ids, name="model_id")),
        items=pd.DataFrame(
            {"subtask": subtasks or ["s1"] * n_items}, index=pd.Index(item_ids, name="item_id")
        ),
        confidences=None if confidences is None else np.asarray(confidences, dtype=np.float32),
        name=name,
    )


def make_answers(n_models: int, n_items: int, seed: int = 0) -> np.ndarray:
    """Right and wrong answers of models whose ability rises from one to the next."""
    rng = np.random.default_rng(seed)
    ability, difficulty = np.linspace(-1, 1.5, n_models), rng.normal(size=n_items)
    chance = 1 / (1 + np.exp(difficulty[None] - ability[:, None]))
    return (rng.random(chance.shape) < chance).astype(np.uint8)


@pytest.fixture
def toy() -> ResponseMatrix:
    """Four models × six items a … f, subtasks s1 (a, b, c, d) and s2 (e, f)."""
    return make_matrix(
        [[1, 1, 1, 1, 1, 0], [1, 1, 1, 0, 0, 1], [1, 1, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0]],
        subtasks=["s1", "s1", "s1", "s1", "s2", "s2"],
    )


@pytest.fixture(scope="session")
def real_data() -> Callable[[str], ResponseMatrix]:
    """Load a real response matrix by name, or skip, saying so, where MBNB_DATA has none."""

    def load_or_skip(name: str) -> ResponseMatrix:
        folder = os.environ.get("MBNB_DATA")
        if not folder or not (Path(folder) / name).is_dir():
            pytest.skip(f"real data set '{name}' is absent: set MBNB_DATA to the folder with it")
        from mbnb.data.datasets import load

        return load(name)

    return load_or_skip
