"""The selectors that cluster: `anchor-points` and `tinybenchmarks`."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from conftest import make_matrix
from threadpoolctl import threadpool_limits

from mbnb.data.errors import InputError
from mbnb.methods.correlations import CorrelationDistances
from mbnb.methods.selectors import Selection, make_selector, singleton_share
from mbnb.methods.tinybenchmarks import FittedTinyBenchmarks

# anchor-points


def correlation_distances(evidence: np.ndarray) -> tuple[np.ndarray, int]:
    distances = CorrelationDistances(evidence)
    return distances.among(np.arange(distances.n_items)), distances.n_constant


def test_distances_by_hand() -> None:
    # Items over three models: (0, ½, 1), the same, its mirror, (½, 1, ½).
    evidence = np.array([[0, 0, 1, 0.5], [0.5, 0.5, 0.5, 1], [1, 1, 0, 0.5]], dtype=np.float32)
    distances, n_constant = correlation_distances(evidence)
    expected = [[0, 0, 2, 1], [0, 0, 2, 1], [2, 2, 0, 1], [1, 1, 1, 0]]
    np.testing.assert_allclose(distances, expected, atol=1e-6)
    assert n_constant == 0
    assert distances.dtype == np.float32


def test_constant_items_are_at_distance_one_from_all_others() -> None:
    # np.corrcoef gives ±1 for some constant columns and NaN for others; neither may get through.
    rng = np.random.default_rng(0)
    evidence = rng.random((30, 12)).astype(np.float32)
    evidence[:, 3], evidence[:, 7], evidence[:, 9] = 0.5, 1.0, 0.1
    distances, n_constant = correlation_distances(evidence)
    assert n_constant == 3
    for item in (3, 7, 9):
        others = np.delete(np.arange(12), item)
        assert (distances[item, others] == 1).all(), f"item {item} carries no correlation"
        assert (distances[others, item] == 1).all()
    assert not distances.diagonal().any()
    matrix = make_matrix(np.ones((30, 12), dtype=np.uint8), confidences=evidence)
    fitted = make_selector("anchor-points").fit(matrix)
    (note,) = fitted.notes
    assert note.startswith("3 of 12 items have the same answer from every source model")
    weights = fitted.select(4, np.random.default_rng(0)).weights
    assert weights.max() < 1, "no anchor swallows every item"


def test_distances_agree_with_corrcoef_in_every_block() -> None:
    evidence = np.random.default_rng(1).random((15, 1100)).astype(np.float32)
    distances, _ = correlation_distances(evidence)
    np.testing.assert_allclose(distances, 1 - np.corrcoef(evidence.T), atol=2e-5)
    np.testing.assert_array_equal(distances, distances.T, "symmetric to the last digit")
    assert distances.min() >= 0
    assert distances.max() <= 2


def test_distances_do_not_depend_on_threads_or_on_the_order_of_the_models() -> None:
    evidence = np.random.default_rng(3).random((60, 300)).astype(np.float32)
    reference, _ = correlation_distances(evidence)
    order = np.random.default_rng(4).permutation(60)
    with threadpool_limits(1):
        np.testing.assert_array_equal(correlation_distances(evidence)[0], reference)
    np.testing.assert_array_equal(correlation_distances(evidence[order])[0], reference)


def test_anchors_of_three_plain_groups() -> None:
    # Three patterns, told 4, 3 and 2 times with a little noise: an anchor each, by share.
    rng = np.random.default_rng(5)
    patterns = rng.random((50, 3))
    groups = np.repeat([0, 1, 2], [4, 3, 2])
    evidence = np.clip(patterns[:, groups] + rng.normal(0, 0.01, (50, 9)), 0, 1)
    matrix = make_matrix(np.ones((50, 9), dtype=np.uint8), confidences=evidence)
    selection = make_selector("anchor-points").fit(matrix).select(3, np.random.default_rng(0))
    assert groups[selection.items].tolist() == [0, 1, 2]
    np.testing.assert_allclose(selection.weights, [4 / 9, 3 / 9, 2 / 9])
    assert singleton_share(selection, 9) == 0


def test_singleton_share_counts_clusters_of_one() -> None:
    # Twenty items: clusters of 1, 1, 6 and 12.
    selection = Selection.of(np.array([3, 5, 7, 9]), np.array([1, 1, 6, 12]) / 20)
    assert singleton_share(selection, 20) == 0.5


# tinybenchmarks


def test_fewer_distinct_points_than_size() -> None:
    # Four places five times each: eight items, none twice, every place among them, no warning.
    places = np.repeat(np.random.default_rng(0).normal(size=(4, 3)), 5, axis=0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        selection = FittedTinyBenchmarks(places, ()).select(8, np.random.default_rng(0))
    assert np.unique(selection.items).size == 8
    assert set(selection.items // 5) == {0, 1, 2, 3}
    assert selection.weights.min() >= 1 / 20, "each item stands at least for itself"
    by_place = np.bincount(selection.items // 5, selection.weights)
    np.testing.assert_allclose(by_place, [0.25] * 4)


def test_items_of_plain_groups() -> None:
    points = np.array([[0.0], [0.1], [0.2], [5.0], [5.2], [5.4], [5.6], [9.0]])
    selection = FittedTinyBenchmarks(points, ()).select(3, np.random.default_rng(1))
    # Means 0.1, 5.3 and 9; items 4 and 5 are equally near to 5.3 up to rounding.
    assert selection.items[0] == 1
    assert selection.items[1] in (4, 5)
    assert selection.items[2] == 7
    np.testing.assert_allclose(selection.weights, [3 / 8, 4 / 8, 1 / 8])


def test_graded_scores_are_refused_by_name() -> None:
    scores = np.array([[0, 1, 0.8], [1, 0, 0]], dtype=np.float32)
    with pytest.raises(
        InputError, match=r"1 of 6 are graded \(first: 0\.8 for model 'm0', item 'c'\); binarise"
    ):
        make_selector("tinybenchmarks").fit(make_matrix(scores))
