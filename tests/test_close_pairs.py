"""The selector `close-pairs`: its objective, its greedy choice and its safeguard."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from conftest import make_matrix

from mbnb.data.profiles import read_profile
from mbnb.data.simulate import simulate
from mbnb.methods.close_pairs import BANDWIDTH, ClosePairsSelector, difference_root
from mbnb.methods.forward import ForwardSelection
from mbnb.methods.linear import corrected_rule
from mbnb.methods.selectors import make_selector


def test_the_root_gives_mean_squared_differences_of_close_pairs() -> None:
    rng = np.random.default_rng(0)
    accuracies, values = rng.random(7), rng.random(7)
    for bandwidth in (3.0, 20.0, np.inf):
        root = difference_root(accuracies, bandwidth)
        total = weight = 0.0
        for i in range(7):
            for j in range(i):
                w = np.exp(-0.5 * (100 * (accuracies[i] - accuracies[j]) / bandwidth) ** 2)
                total, weight = total + w * (values[i] - values[j]) ** 2, weight + w
        assert (root @ values) @ (root @ values) == pytest.approx(total / weight)
    # Models so far apart that no pair weighs anything: all pairs then weigh alike.
    far = difference_root(np.array([0.0, 0.5, 1.0]), 0.001) @ np.array([0.0, 0.0, 3.0])
    assert far @ far == pytest.approx((0 + 9 + 9) / 3)


def test_each_step_is_the_one_that_leaves_the_least_variance() -> None:
    rng = np.random.default_rng(1)
    values = rng.normal(size=(5, 12)) * rng.random(12)
    noise = (values**2).sum(axis=0).mean()
    covariance = values.T @ values + noise * np.eye(12)
    mean = np.full(12, 1 / 12)
    chosen: list[int] = []
    for _ in range(6):
        left = {}
        for j in set(range(12)) - set(chosen):
            s = [*chosen, j]
            about = covariance[s] @ mean
            left[j] = mean @ covariance @ mean - about @ np.linalg.solve(
                covariance[np.ix_(s, s)], about
            )
        chosen.append(min(left, key=lambda j: left[j]))
    assert ForwardSelection(values).take(6).tolist() == chosen


def test_a_larger_choice_goes_on_from_a_smaller_one() -> None:
    values = np.random.default_rng(2).normal(size=(6, 30))
    at_once, in_parts = ForwardSelection(values), ForwardSelection(values)
    in_parts.take(4)
    assert at_once.take(9).tolist() == in_parts.take(9).tolist()
    pool = np.array([3, 8, 21, 29])
    assert set(ForwardSelection(values, pool).take(4)) == set(pool)


def test_with_a_pool_of_its_size_the_draw_is_uniform() -> None:
    matrix = simulate(read_profile("gpqa")).subset(models=np.arange(40))
    fitted = ClosePairsSelector(pools=(1,)).fit(matrix)
    drawn = np.zeros(matrix.n_items)
    for seed in range(2000):
        drawn[fitted.select(20, np.random.default_rng(seed)).items] += 1
    expected = 2000 * 20 / matrix.n_items
    # Five standard deviations of a binomial count.
    assert np.abs(drawn - expected).max() < 5 * np.sqrt(expected)


def test_noise_is_not_trusted_and_structure_is() -> None:
    rng = np.random.default_rng(5)
    # Half of the items measure, half are tosses of a coin; sources tell which.
    ability = rng.normal(size=(60, 1))
    chance = np.hstack([1 / (1 + np.exp(-2 * ability)) * np.ones((60, 40)), np.full((60, 40), 0.5)])
    structure = make_matrix((rng.random((60, 80)) < chance).astype(np.uint8))
    chosen = make_selector("close-pairs").fit(structure).select(10, np.random.default_rng(0))
    assert (chosen.items < 40).mean() >= 0.8
    # Without a look at left-out sources the choice among coin tosses looks as good as any.
    noise = make_matrix(rng.integers(0, 2, (60, 80)).astype(np.uint8))
    fitted = make_selector("close-pairs").fit(noise)
    greedy = ClosePairsSelector(pools=(None,)).fit(noise)
    draws = [fitted.select(10, np.random.default_rng(seed)).items.tolist() for seed in range(6)]
    same = [greedy.select(10, np.random.default_rng(s)).items.tolist() for s in range(6)]
    assert all(items == same[0] for items in same)
    assert len({tuple(items) for items in draws}) > 1


def test_the_pool_is_taken_that_misses_the_differences_of_left_out_pairs_least() -> None:
    matrix = simulate(read_profile("gpqa")).subset(models=np.arange(40), items=np.arange(120))
    pools = (1, 4, None)
    chosen = ClosePairsSelector(pools=pools).fit(matrix)
    accuracies, scores = matrix.accuracies(), matrix.scores.astype(float)
    fold = np.empty(40, dtype=int)
    fold[np.argsort(-accuracies, kind="stable")] = np.arange(40) % 5
    taken = set()
    for seed in range(4):
        missed = dict.fromkeys(pools, 0.0)
        for f, c in itertools.product(range(5), pools):
            kept, left = np.flatnonzero(fold != f), np.flatnonzero(fold == f)
            fitted = ClosePairsSelector(pools=(c,)).fit(matrix.subset(models=kept))
            items = fitted.select(8, np.random.default_rng(seed)).items
            rule = corrected_rule(scores[np.ix_(kept, items)], accuracies[kept], np.full(8, 1 / 8))
            errors = rule.apply(scores[np.ix_(left, items)]) - accuracies[left]
            total = weight = 0.0
            for i, j in itertools.combinations(range(left.size), 2):
                gap = 100 * (accuracies[left[i]] - accuracies[left[j]])
                w = np.exp(-0.5 * (gap / BANDWIDTH) ** 2)
                total, weight = total + w * (errors[i] - errors[j]) ** 2, weight + w
            missed[c] += total / weight
        best = min(pools, key=lambda c: missed[c])
        taken.add(best)
        alone = ClosePairsSelector(pools=(best,)).fit(matrix)
        expected = alone.select(8, np.random.default_rng(seed)).items.tolist()
        assert chosen.select(8, np.random.default_rng(seed)).items.tolist() == expected
    assert taken - {1}, "nothing was trusted, so that the test saw one pool alone"


def test_too_few_sources_are_said_and_lead_to_a_uniform_draw() -> None:
    matrix = make_matrix(np.random.default_rng(0).integers(0, 2, (5, 30)).astype(np.uint8))
    fitted = make_selector("close-pairs").fit(matrix)
    assert "5 source models are too few" in fitted.notes[0]
    rng = np.random.default_rng(3)
    expected = np.sort(np.random.default_rng(3).permutation(30)[:6])
    assert fitted.select(6, rng).items.tolist() == expected.tolist()
