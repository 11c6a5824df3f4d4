"""The selectors that sample: `uniform`, `subtask`, `confidence` and `diversity`."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from conftest import make_matrix
from scipy.stats import chisquare

from mbnb.data.responses import ResponseMatrix
from mbnb.methods.confidence import FittedConfidence, proportional_quotas
from mbnb.methods.diversity import (
    FittedDiversity,
    orthonormal,
    polynomials,
    sample_projection,
)
from mbnb.methods.selectors import make_selector
from mbnb.methods.subtask import equal_quotas

# uniform


def test_uniform_takes_every_position_equally_often() -> None:
    fitted = make_selector("uniform").fit(make_matrix(np.ones((1, 20), dtype=np.uint8)))
    rng = np.random.default_rng(0)
    counts = np.zeros(20)
    for _ in range(4000):
        counts[fitted.select(5, rng).items] += 1
    p = chisquare(counts).pvalue
    assert p > 0.01, f"inclusion depends on the position (p = {p:.4f})"


# subtask


@pytest.mark.parametrize(
    ("capacities", "size", "expected"),
    [
        ([4, 2], 4, [2, 2]),  # a quota may be the whole subtask
        ([4, 2], 5, [3, 2]),  # and what exceeds it goes to the others
        ([1, 1, 100], 30, [1, 1, 28]),  # singletons
        ([1, 5, 5], 11, [1, 5, 5]),  # everything
        ([3, 8, 20], 21, [3, 8, 10]),  # overflow passed on twice: 7 + 4 left over, then 1
        ([7], 3, [3]),
    ],
)
def test_quotas_by_hand(capacities: list[int], size: int, expected: list[int]) -> None:
    quotas = equal_quotas(np.array(capacities), size, np.random.default_rng(0))
    assert quotas.tolist() == expected


def test_a_size_below_the_number_of_subtasks_takes_one_each_from_a_random_few() -> None:
    rng = np.random.default_rng(0)
    quotas = [equal_quotas(np.array([1, 50, 3, 2]), 2, rng) for _ in range(100)]
    assert {q.sum() for q in quotas} == {2}
    assert max(q.max() for q in quotas) == 1
    assert (np.sum(quotas, axis=0) > 25).all(), "every subtask gets its turn"


def test_a_subtask_that_was_filtered_away_has_no_quota() -> None:
    subtasks = pd.Categorical(["x", "x", "y", "z"], categories=["w", "x", "y", "z"])
    whole = ResponseMatrix(
        np.ones((2, 4), np.uint8),
        pd.DataFrame(index=["m0", "m1"]),
        pd.DataFrame({"subtask": subtasks}, index=list("abcd")),
    )
    part = whole.subset(items=["a", "b", "d"])
    assert part.subtasks == ["x", "z"], "only those that have items left"
    selection = make_selector("subtask").fit(part).select(2, np.random.default_rng(0))
    assert (selection.items == 2).sum() == 1, "one of x, and the only one of z"


# confidence


@pytest.mark.parametrize(
    ("counts", "size"),
    [([10] * 10, 25), ([5] * 4, 10), ([3] * 100, 50), ([1, 1, 98], 99), ([7, 11, 13], 1)],
)
def test_proportional_quotas_sum_to_the_size_and_fit(counts: list[int], size: int) -> None:
    # Rounding each quota on its own gives 20 for 25, 8 for 10 and 0 for 50 in the first three.
    quotas = proportional_quotas(np.array(counts), size)
    assert quotas.sum() == size
    assert (quotas <= counts).all()
    exact = np.array(counts) * size / sum(counts)
    assert (np.abs(quotas - exact) < 1).all(), "never a whole item off the exact share"


def test_largest_remainder_by_hand() -> None:
    # 10 × (5, 3, 2) / 10 × 0.7: exact shares 3.5, 2.1, 1.4; the one left over goes to the first.
    assert proportional_quotas(np.array([5, 3, 2]), 7).tolist() == [4, 2, 1]


def means(values: list[float]) -> FittedConfidence:
    return FittedConfidence(np.array(values), ())


def test_strata_run_from_hard_to_easy_and_hold_every_item() -> None:
    values = np.random.default_rng(0).beta(0.5, 0.5, 200)
    fitted = FittedConfidence(values, ())
    assert (np.diff(fitted.centres) > 0).all()
    assert sorted(np.concatenate(fitted.strata)) == list(range(200))
    tops = [values[s].max() for s in fitted.strata[:-1]]
    bottoms = [values[s].min() for s in fitted.strata[1:]]
    assert (np.array(tops) < np.array(bottoms)).all(), "strata are intervals"


def test_a_stratum_that_would_get_nothing_joins_its_nearer_neighbour() -> None:
    # Three strata of 8, 1 and 3; at size 4 the exact shares are 2.67, 0.33 and 1: the middle one
    # gets nothing, lies nearer to 0.1 than to 0.9, and so the strata become 9 and 3.
    fitted = means([0.1] * 8 + [0.4] + [0.9] * 3)
    strata, quotas = fitted.merged(4)
    assert [sorted(s.tolist()) for s in strata] == [[*range(9)], [9, 10, 11]]
    assert quotas.tolist() == [3, 1]
    selection = fitted.select(4, np.random.default_rng(0))
    # Weights N_h / (N n_h): 9 / (12 × 3) for each of three and 3 / (12 × 1) for the last.
    np.testing.assert_allclose(selection.weights, [0.25] * 4)


def test_stratified_weights_by_hand() -> None:
    # Strata of 4 and 3, size 3: exact shares 1.71 and 1.29, so quotas 2 and 1.
    selection = means([0.2] * 4 + [0.8] * 3).select(3, np.random.default_rng(0))
    assert (selection.items < 4).tolist() == [True, True, False]
    np.testing.assert_allclose(selection.weights, [2 / 7, 2 / 7, 3 / 7])


# diversity


@pytest.mark.parametrize("rank_deficient", [False, True])
def test_the_basis_spans_the_polynomials(rank_deficient: bool) -> None:
    axes = np.random.default_rng(4).uniform(-1, 1, (40, 2))
    if rank_deficient:
        axes[10:] = axes[np.arange(30) % 10]  # ten places
    columns = polynomials(axes, 15)
    basis = orthonormal(columns.copy())
    assert basis.shape == (40, 10 if rank_deficient else 15)
    np.testing.assert_allclose(basis @ (basis.T @ columns), columns, atol=1e-10)


def test_projection_sample_has_the_right_distribution() -> None:
    # Five items, rank two: every pair's probability is det(K_S) = squared volume of its two rows.
    basis = orthonormal(np.random.default_rng(0).normal(size=(5, 2)))
    pairs = list(combinations(range(5), 2))
    exact = np.array([np.linalg.det(basis[list(pair)]) ** 2 for pair in pairs])
    assert exact.sum() == pytest.approx(1)
    rng = np.random.default_rng(1)
    counts = dict.fromkeys(pairs, 0)
    for _ in range(8000):
        counts[tuple(sorted(sample_projection(basis.copy(), rng).tolist()))] += 1
    p = chisquare(list(counts.values()), exact * 8000).pvalue
    assert p > 0.01, f"pairs are not drawn by their squared volume (p = {p:.4f})"


def test_twins_are_never_chosen_together_while_the_rank_lasts() -> None:
    rng = np.random.default_rng(0)
    half = rng.random((30, 40)).astype(np.float32)
    matrix = make_matrix(np.ones((30, 80), np.uint8), confidences=np.hstack([half, half]))
    fitted = make_selector("diversity").fit(matrix)
    (note,) = fitted.notes
    assert note.startswith("80 items fall on 40 distinct points")
    for seed in range(10):
        items = fitted.select(15, np.random.default_rng(seed)).items
        assert np.unique(items % 40).size == 15, "a twin adds nothing and is not drawn"


def test_beyond_the_rank_the_rest_is_drawn_uniformly() -> None:
    # Three source models, scores only: at most eight places for forty items.
    scores = np.random.default_rng(0).integers(0, 2, (3, 40)).astype(np.uint8)
    fitted = make_selector("diversity").fit(make_matrix(scores))
    assert isinstance(fitted, FittedDiversity)
    assert fitted.axes.shape[1] <= 3, "no more axes than source models"
    assert "40 items fall on 8 distinct points" in fitted.notes[-1]
    selection = fitted.select(20, np.random.default_rng(0))
    assert np.unique(scores[:, selection.items], axis=1).shape[1] == 8, "every place is chosen"
    assert selection.weights.tolist() == [1 / 20] * 20


def test_an_axis_without_spread_is_dropped() -> None:
    # Three source models, one of which gives every item the same confidence.
    confidences = np.random.default_rng(1).random((3, 30)).astype(np.float32)
    confidences[1] = 0.4
    fitted = make_selector("diversity").fit(
        make_matrix(np.ones((3, 30), np.uint8), confidences=confidences)
    )
    assert isinstance(fitted, FittedDiversity)
    assert fitted.axes.shape == (30, 2)
    assert np.isfinite(fitted.axes).all()
    reached = [fitted.select(29, np.random.default_rng(s)).items for s in range(40)]
    assert np.unique(reached).size == 30, "every item, however far out, can be chosen"


def test_axes_lie_inside_the_square() -> None:
    confidences = np.random.default_rng(0).random((20, 50)).astype(np.float32)
    fitted = make_selector("diversity").fit(
        make_matrix(np.ones((20, 50), np.uint8), confidences=confidences)
    )
    assert isinstance(fitted, FittedDiversity)
    assert fitted.axes.shape == (50, 4)
    assert np.abs(fitted.axes).max() < 1
    assert np.abs(fitted.axes).max(axis=0).min() > 0.999, "each axis fills it"
