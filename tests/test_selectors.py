"""What every selector promises: exact sizes, weights, determinism, bad input, odd matrices."""

from __future__ import annotations

import warnings
from collections.abc import Callable

import numpy as np
import pytest
from conftest import make_matrix
from hypothesis import given, settings
from hypothesis import strategies as st

from mbnb.data.errors import InputError
from mbnb.data.responses import ResponseMatrix
from mbnb.methods.estimators import ESTIMATORS, estimate
from mbnb.methods.selector import cluster_shares
from mbnb.methods.selectors import (
    KNOWN_SELECTORS,
    FittedSelector,
    Selection,
    Selector,
    make_selector,
)

NAMES = tuple(KNOWN_SELECTORS)
MEANS = [name for name, estimator in ESTIMATORS.items() if not estimator.learns]
USE_CONFIDENCES = ("confidence", "diversity", "anchor-points")


def leaderboard(n_models: int = 30, n_items: int = 60, seed: int = 0) -> ResponseMatrix:
    """Made-up answers with confidences and four subtasks of unlike size."""
    rng = np.random.default_rng(seed)
    logits = rng.normal(size=(n_models, 1)) + rng.normal(size=n_items)
    logits = logits + 0.7 * rng.normal(size=(n_models, 2)) @ rng.normal(size=(2, n_items))
    p = 1 / (1 + np.exp(-logits))
    return make_matrix(
        (rng.random(p.shape) < p).astype(np.uint8),
        confidences=p,
        subtasks=[f"s{min(j % 10, 3)}" for j in range(n_items)],
    )


@pytest.fixture(scope="module")
def board() -> ResponseMatrix:
    return leaderboard()


@pytest.fixture(scope="module")
def fitted(board: ResponseMatrix) -> dict[str, FittedSelector]:
    return {name: make_selector(name).fit(board) for name in NAMES}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("size", [1, 2, 10, 25, 59, 60])
def test_exactly_size_items_and_weights_that_sum_to_one(
    name: str, size: int, fitted: dict[str, FittedSelector]
) -> None:
    selection = fitted[name].select(size, np.random.default_rng(1))
    assert selection.items.size == len(set(selection.items.tolist())) == size
    assert selection.items.min() >= 0
    assert selection.items.max() < 60
    assert (selection.weights > 0).all(), "no item is answered for nothing"
    assert selection.weights.sum() == pytest.approx(1, abs=1e-9), "an all-correct model scores 1"


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("size", [0, -1, 61])
def test_impossible_sizes_are_refused_with_both_numbers(
    name: str, size: int, fitted: dict[str, FittedSelector]
) -> None:
    with pytest.raises(InputError, match=rf"size {size} is not possible.* 60 items.*1 to 60"):
        fitted[name].select(size, np.random.default_rng(1))


@pytest.mark.parametrize("name", NAMES)
def test_the_generator_alone_decides(
    name: str, board: ResponseMatrix, fitted: dict[str, FittedSelector]
) -> None:
    first = fitted[name].select(12, np.random.default_rng(5))
    fitted[name].select(30, np.random.default_rng(6))
    again = fitted[name].select(12, np.random.default_rng(5))
    refitted = make_selector(name).fit(board).select(12, np.random.default_rng(5))
    for other in (again, refitted):
        np.testing.assert_array_equal(first.items, other.items, "fit draws nothing, select all")
        np.testing.assert_array_equal(first.weights, other.weights)
    draws = [fitted[name].select(12, np.random.default_rng(s)).items.tolist() for s in range(8)]
    assert len({tuple(d) for d in draws}) > 1, "another seed, another selection"


def test_nested_sizes_where_a_selector_says_so(fitted: dict[str, FittedSelector]) -> None:
    assert [name for name in NAMES if KNOWN_SELECTORS[name].nests] == ["uniform"]
    small, large = (fitted["uniform"].select(k, np.random.default_rng(3)) for k in (10, 25))
    assert set(small.items) <= set(large.items), "a smaller selection lies inside a larger one"


def test_make_selector() -> None:
    assert make_selector("uniform").name == "uniform"
    own = KNOWN_SELECTORS["subtask"]()
    assert make_selector(own) is own
    assert all(isinstance(make_selector(name), Selector) for name in NAMES)
    with pytest.raises(InputError, match="selector 'anchor' is unknown; known: uniform, subtask"):
        make_selector("anchor")


ODD = {
    "one source model": np.array([[1, 0, 1, 1, 0, 0, 1, 0, 1, 1, 0, 1]]),
    "two source models": np.array([[1, 0] * 6, [1, 1, 0] * 4]),
    "all items the same": np.tile([[1], [0], [1]], (1, 12)),
    "all answers correct": np.ones((5, 12), dtype=int),
    "all answers wrong": np.zeros((5, 12), dtype=int),
    "models all the same": np.tile([1, 0, 0, 1, 1, 0], (7, 2)),
    "an all-correct and an all-wrong model": np.array([[1] * 12, [0] * 12, [1, 0, 0, 1] * 3]),
    "few distinct items": np.repeat(np.random.default_rng(0).integers(0, 2, (20, 4)), 3, axis=1),
    "constant items among others": np.column_stack(
        [np.ones((20, 3)), np.zeros((20, 3)), np.random.default_rng(1).integers(0, 2, (20, 6))]
    ).astype(int),
}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("case", ODD)
def test_odd_matrices(name: str, case: str) -> None:
    matrix = make_matrix(ODD[case].astype(np.uint8))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fitted = make_selector(name).fit(matrix)
        for size in range(1, 13):
            for seed in range(3):
                selection = fitted.select(size, np.random.default_rng(seed))
                assert selection.size == size, f"{case}: exactly {size} items"
                assert (selection.weights > 0).all()


@pytest.mark.parametrize("name", USE_CONFIDENCES)
@pytest.mark.parametrize("graded", [False, True])
def test_missing_answers_reach_no_clustering(name: str, graded: bool) -> None:
    # FasterPAM takes NaN without an error and returns arbitrary medoids.
    scores = leaderboard().scores.copy()
    scores[3, 4] = 255
    if graded:
        scores = np.where(scores == 255, np.nan, scores).astype(np.float32)
    with pytest.raises(InputError, match="1 of 1800 answers are missing"):
        make_selector(name).fit(make_matrix(scores))


@pytest.mark.parametrize("estimator", MEANS)
def test_missing_answers_are_no_estimate(estimator: str) -> None:
    # As a number the mark for a missing answer is 255.
    targets = make_matrix(np.array([[1, 255], [0, 1]], np.uint8))
    with pytest.raises(InputError, match="1 of 4 answers are missing"):
        estimate(estimator, Selection.of(np.array([0, 1])), targets)


@st.composite
def small_matrices(draw: st.DrawFn) -> ResponseMatrix:
    n_models, n_items = draw(st.integers(1, 7)), draw(st.integers(1, 9))
    cells = st.lists(st.integers(0, 1), min_size=n_items, max_size=n_items)
    scores = draw(st.lists(cells, min_size=n_models, max_size=n_models))
    subtasks = draw(st.lists(st.sampled_from("xyz"), min_size=n_items, max_size=n_items))
    confidences = None
    if draw(st.booleans()):
        values = st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.7, 1.0])
        row = st.lists(values, min_size=n_items, max_size=n_items)
        confidences = draw(st.lists(row, min_size=n_models, max_size=n_models))
    return make_matrix(np.array(scores, dtype=np.uint8), subtasks=subtasks, confidences=confidences)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=30, deadline=None)
@given(matrix=small_matrices(), seed=st.integers(0, 5))
def test_promises_hold_on_any_matrix(name: str, matrix: ResponseMatrix, seed: int) -> None:
    fitted = make_selector(name).fit(matrix)
    for size in range(1, matrix.n_items + 1):
        selection = fitted.select(size, np.random.default_rng(seed))
        assert selection.size == np.unique(selection.items).size == size
        assert abs(selection.weights.sum() - 1) < 1e-9
        assert (selection.weights > 0).all()


def test_cluster_shares_by_hand() -> None:
    # Items 0 … 4 on a line at 0, 1, 1, 5, 3; chosen: 1 (at 1), 2 (its twin) and 3 (at 5).
    places = np.array([0.0, 1, 1, 5, 3])
    chosen = np.array([1, 2, 3])
    # Item 0 is nearest to both twins and goes to the first; 4 is as near to 1, 2 and 3: the first.
    nearest = np.abs(places[:, None] - places[chosen]).argmin(axis=1)
    np.testing.assert_allclose(cluster_shares(nearest, chosen), [3 / 5, 1 / 5, 1 / 5])
    assert nearest.tolist() == [0, 0, 0, 2, 0], "what it was given stays as it was"


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_real_data(name: str, real_data: Callable[[str], ResponseMatrix]) -> None:
    matrix = real_data("bigcodebench").subset(models=np.arange(60))
    fitted = make_selector(name).fit(matrix)
    for size in (1, 10, 250, matrix.n_items - 1):
        assert fitted.select(size, np.random.default_rng(0)).size == size
