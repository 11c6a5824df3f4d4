"""What the study must find, on real answers and on simulated ones, at the study's own numbers."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

from mbnb.data.datasets import load
from mbnb.data.policies import drop_duplicate_models
from mbnb.data.responses import ResponseMatrix
from mbnb.judge.agreement import Reading, agreement, mdad
from mbnb.judge.pairs import uniform_floor
from mbnb.methods.selectors import SELECTORS, make_selector, singleton_share
from mbnb.run.splits import make_split
from mbnb.run.trials import run_trials

pytestmark = pytest.mark.slow

STUDY = {"n_trials": 50, "n_source": 300, "n_target": 50, "seed": 0}
# A bin of half a point, a noisy one at that.
BIN = 0.5


def mdads(matrix: ResponseMatrix, selectors: list[str], sizes: list[int]) -> pd.DataFrame:
    """MDAD in points: a row for each selector, a column for each size."""
    trials = run_trials(matrix, selectors, sizes, **STUDY, n_jobs=2)
    table = mdad(agreement(trials), Reading(min_pairs=STUDY["n_trials"]))
    return table.pivot(index="selector", columns="size", values="mdad").astype(float)


@pytest.fixture(scope="module")
def math(real_data: Callable[[str], ResponseMatrix]) -> ResponseMatrix:
    return drop_duplicate_models(real_data("openllm2-mmlu-pro-math"))[0]


@pytest.fixture(scope="module")
def real(math: ResponseMatrix) -> pd.DataFrame:
    return mdads(math, list(SELECTORS), [10, 25, 250])


def test_uniform_sampling_obeys_the_floor_on_real_answers(real: pd.DataFrame) -> None:
    assert uniform_floor([10])[10] - BIN <= real.loc["uniform", 10] <= 21


def test_from_250_items_on_nothing_beats_uniform_sampling_on_real_answers(
    real: pd.DataFrame,
) -> None:
    others = real.loc[[name for name in SELECTORS if name != "anchor-points"], 250]
    assert (others - others["uniform"]).abs().max() <= 1
    assert real.loc["anchor-points", 250] >= real.loc["uniform", 250]


def test_anchor_points_lead_at_small_sizes_on_real_answers(real: pd.DataFrame) -> None:
    assert real.loc["anchor-points", 10] < real.loc["uniform", 10]
    assert real.loc["anchor-points", 25] < real.loc["uniform", 25]


def test_singleton_clusters_grow_with_size_on_real_answers(math: ResponseMatrix) -> None:
    split = make_split(math, seed=0, trial=0, n_source=300, n_target=50)
    fitted = make_selector("anchor-points").fit(math.subset(split.sources, split.train))
    shares = [
        singleton_share(fitted.select(size, np.random.default_rng(0)), split.train.size)
        for size in (25, 100, 250, 500)
    ]
    assert shares == sorted(shares) and shares[0] < 0.1 and shares[-1] > 0.5


def test_uniform_sampling_obeys_the_floor_on_simulated_answers() -> None:
    found = mdads(load("simulated:mmlu-pro"), ["uniform"], [10, 25, 50, 100, 250])
    floor = uniform_floor([10, 25, 50, 100, 250])
    assert (found.loc["uniform"] >= floor - BIN).all()
    assert found.loc["uniform", 10] <= 21
