"""`anchor-points` where the items are too many to hold all their distances."""

from __future__ import annotations

from collections.abc import Callable

import kmedoids
import numpy as np
import pytest
from conftest import make_matrix
from threadpoolctl import threadpool_limits

from mbnb.data.policies import resolve_missing
from mbnb.data.responses import ResponseMatrix
from mbnb.methods.correlations import CorrelationDistances
from mbnb.methods.large_medoids import STEPS, Medoids, large_medoids
from mbnb.methods.selectors import make_selector

ANCHOR_POINTS = "mbnb.methods.anchor_points"
LARGE_MEDOIDS = "mbnb.methods.large_medoids"


def confidences(n_models: int, n_items: int, seed: int = 0) -> np.ndarray:
    """Noisy confidences of models with three abilities, float32."""
    rng = np.random.default_rng(seed)
    logits = rng.normal(size=(n_models, 3)) @ rng.normal(size=(3, n_items))
    logits += rng.normal(size=logits.shape) + rng.normal(size=n_items)
    return (1 / (1 + np.exp(-logits))).astype(np.float32)


def board(n_models: int, n_items: int, seed: int = 0) -> ResponseMatrix:
    given = confidences(n_models, n_items, seed)
    return make_matrix((given > 0.5).astype(np.uint8), confidences=given)


@pytest.fixture
def low_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small matrices go the way of large ones: a sample, and some of the items tried."""
    monkeypatch.setattr(f"{ANCHOR_POINTS}.MOST_HELD", 50)
    monkeypatch.setattr(f"{LARGE_MEDOIDS}.SAMPLE", 300)
    monkeypatch.setattr(f"{LARGE_MEDOIDS}.LARGEST_SAMPLE", 400)
    monkeypatch.setattr(f"{LARGE_MEDOIDS}.TRIED", 300)
    monkeypatch.setattr(f"{LARGE_MEDOIDS}.CELLS", 20_000)


def ratio_to_fasterpam(distances: CorrelationDistances, size: int, seed: int) -> float:
    """Sum of the distances to the nearest medoid, by that of FasterPAM on all distances."""
    held = distances.among(np.arange(distances.n_items))
    start = np.random.default_rng(seed).choice(distances.n_items, size, replace=False)
    medoids = large_medoids(distances, size, np.random.default_rng(seed))
    best = kmedoids.fasterpam(held, start, n_cpu=1).loss
    return float(held[:, medoids].min(axis=1).sum(dtype=np.float64) / best)


@pytest.mark.usefixtures("low_limits")
@pytest.mark.parametrize("size", [10, 30, 100])
def test_the_loss_is_within_two_percent_of_fasterpams_on_all_distances(size: int) -> None:
    distances = CorrelationDistances(confidences(60, 1200))
    for seed in range(3):
        assert ratio_to_fasterpam(distances, size, seed) < 1.02


@pytest.mark.slow
@pytest.mark.parametrize("size", [10, 500])
def test_the_loss_on_real_answers(size: int, real_data: Callable[[str], ResponseMatrix]) -> None:
    matrix, _ = resolve_missing(real_data("mmlu-pro-47"), "drop-items")
    distances = CorrelationDistances(matrix.subset(items=np.arange(4900)).evidence)
    assert ratio_to_fasterpam(distances, size, seed=0) < 1.02


@pytest.mark.usefixtures("low_limits")
@pytest.mark.parametrize("size", [1, 2, 40, 399, 400, 699])
def test_weights_are_the_shares_of_the_items_nearest_to_each_anchor(size: int) -> None:
    matrix = board(30, 700)
    selection = make_selector("anchor-points").fit(matrix).select(size, np.random.default_rng(2))
    assert selection.size == np.unique(selection.items).size == size
    assert selection.weights.sum() == pytest.approx(1, abs=1e-12)
    assert selection.weights.min() >= 1 / 700 - 1e-12, "each anchor stands at least for itself"
    held = CorrelationDistances(matrix.evidence).among(np.arange(700))
    nearest = held[:, selection.items].argmin(axis=1)
    shares = np.bincount(nearest, minlength=size) / 700
    np.testing.assert_allclose(selection.weights, shares, atol=1e-12)


@pytest.mark.usefixtures("low_limits")
def test_same_generator_same_anchors_whatever_the_threads_and_the_order_of_the_models() -> None:
    matrix = board(30, 800)
    turned = matrix.subset(models=np.random.default_rng(9).permutation(30))
    reference = make_selector("anchor-points").fit(matrix).select(20, np.random.default_rng(3))
    fitted = make_selector("anchor-points").fit(turned)
    fitted.select(7, np.random.default_rng(4))
    with threadpool_limits(1):
        again = fitted.select(20, np.random.default_rng(3))
    np.testing.assert_array_equal(again.items, reference.items)
    np.testing.assert_array_equal(again.weights, reference.weights)
    other = fitted.select(20, np.random.default_rng(4))
    assert other.items.tolist() != reference.items.tolist(), "another seed, another start"


def test_a_swap_is_the_best_there_is() -> None:
    distances = CorrelationDistances(confidences(20, 60, seed=4))
    held = np.rint(distances.among(np.arange(60)).astype(np.float64) * STEPS)
    start = np.arange(4)
    for item in range(4, 60):
        losses = [held[:, [*np.delete(start, m), item]].min(axis=1).sum() for m in range(4)]
        medoids = Medoids(distances, start.copy())
        kept = medoids.loss
        medoids.offer(item, held[item].astype(np.int32))
        assert medoids.loss == min(min(losses) / STEPS, kept), f"item {item}"
