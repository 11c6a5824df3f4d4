"""Estimators that learn from the sources, held against other ways to reach the same number."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize
from sklearn.linear_model import Ridge, RidgeCV

from mbnb.data.profiles import read_profile
from mbnb.data.responses import ResponseMatrix
from mbnb.data.simulate import simulate
from mbnb.methods.estimators import ESTIMATORS, estimate, make_estimator
from mbnb.methods.irt import fit_abilities, fit_sources
from mbnb.methods.linear import PENALTIES, corrected_rule, ridge_rule
from mbnb.methods.selectors import Selection

LEARNING = [name for name, estimator in ESTIMATORS.items() if estimator.learns]


@pytest.fixture(scope="module")
def halves() -> tuple[ResponseMatrix, ResponseMatrix]:
    """Sources and targets of one simulated leaderboard."""
    matrix = simulate(read_profile("gpqa"))
    return matrix.subset(models=np.arange(80)), matrix.subset(models=np.arange(80, 110))


@pytest.fixture(scope="module")
def selection() -> Selection:
    return Selection.of(np.arange(0, 200, 5))


def test_ridge_is_that_of_scikit_learn_with_the_same_penalties() -> None:
    rng = np.random.default_rng(1)
    for n_models, size in ((30, 8), (20, 40)):
        answers = rng.integers(0, 2, (n_models, size)).astype(float)
        values = answers @ rng.normal(size=size) / size + 0.1 * rng.normal(size=n_models)
        rule = ridge_rule(answers, values)
        centred = answers - answers.mean(axis=0)
        scale = (centred**2).sum() / min(n_models - 1, size)
        reference = RidgeCV(alphas=scale * PENALTIES).fit(answers, values)
        np.testing.assert_allclose(rule.coefficients, reference.coef_, atol=1e-8)
        assert rule.intercept == pytest.approx(reference.intercept_, abs=1e-8)
        # The penalty is inside the grid, or the comparison would say nothing.
        assert scale * PENALTIES[0] < reference.alpha_ < scale * PENALTIES[-1]


def test_the_penalty_is_that_of_leaving_one_out_by_hand() -> None:
    rng = np.random.default_rng(2)
    answers = rng.integers(0, 2, (12, 5)).astype(float)
    values = answers.mean(axis=1) + 0.2 * rng.normal(size=12)
    scale = ((answers - answers.mean(axis=0)) ** 2).sum() / 5
    errors = []
    for penalty in scale * PENALTIES:
        left_out = []
        for model in range(12):
            kept = np.arange(12) != model
            # The centred penalty of the whole, as in the closed form, needs no rescaling.
            fit = Ridge(alpha=penalty).fit(answers[kept], values[kept])
            left_out.append(values[model] - fit.predict(answers[[model]])[0])
        errors.append(np.square(left_out).sum())
    best = Ridge(alpha=scale * PENALTIES[int(np.argmin(errors))]).fit(answers, values)
    np.testing.assert_allclose(ridge_rule(answers, values).coefficients, best.coef_, atol=1e-9)


def test_where_nothing_is_to_learn_a_corrected_mean_orders_as_the_mean_does() -> None:
    rng = np.random.default_rng(4)
    answers = rng.integers(0, 2, (40, 6)).astype(float)
    weights = np.full(6, 1 / 6)
    # What the mean misses is noise that no answer knows of.
    rule = corrected_rule(answers, answers @ weights + 0.3 * rng.normal(size=40), weights)
    told = rule.apply(answers)
    apart = np.abs(np.subtract.outer(answers @ weights, answers @ weights)) > 1e-9
    same = np.sign(np.subtract.outer(told, told)) == np.sign(
        np.subtract.outer(answers @ weights, answers @ weights)
    )
    assert same[apart].all()


def test_all_items_give_the_full_score(halves: tuple[ResponseMatrix, ResponseMatrix]) -> None:
    sources, targets = halves
    everything = Selection.of(np.arange(sources.n_items))
    for name in ("corrected-mean", "p-irt", "gp-irt"):
        told = estimate(name, everything, targets, sources)
        np.testing.assert_allclose(told, targets.accuracies(), atol=2e-3, err_msg=name)
    # A ridge of fewer sources than items shrinks to their mean what the answers say in full.
    told = estimate("ridge", everything, targets, sources)
    assert np.abs(told - targets.accuracies()).max() > 0.02


@pytest.mark.parametrize("name", LEARNING)
def test_only_the_selected_answers_of_targets_are_read(
    name: str, halves: tuple[ResponseMatrix, ResponseMatrix], selection: Selection
) -> None:
    sources, targets = halves
    scores = targets.scores.copy()
    others = np.setdiff1d(np.arange(targets.n_items), selection.items)
    scores[:, others] = 1 - scores[:, others]
    changed = ResponseMatrix(scores, targets.models, targets.items)
    fitted = make_estimator(name).fit(sources)
    before, after = (fitted.estimate(selection, models) for models in (targets, changed))
    np.testing.assert_array_equal(before, after)


@pytest.mark.parametrize("name", LEARNING)
def test_what_is_learnt_beats_the_plain_mean(
    name: str, halves: tuple[ResponseMatrix, ResponseMatrix]
) -> None:
    sources, targets = halves
    fitted, errors = make_estimator(name).fit(sources), {"plain": [], "learnt": []}
    for seed in range(20):
        items = np.random.default_rng(seed).permutation(sources.n_items)[:20]
        drawn = Selection.of(items)
        plain = estimate("weighted-mean", drawn, targets) - targets.accuracies()
        learnt = fitted.estimate(drawn, targets) - targets.accuracies()
        errors["plain"].append(np.square(plain).mean())
        errors["learnt"].append(np.square(learnt).mean())
    assert np.mean(errors["learnt"]) < np.mean(errors["plain"])


def test_abilities_are_the_mode_of_their_posterior(
    halves: tuple[ResponseMatrix, ResponseMatrix], selection: Selection
) -> None:
    sources, targets = halves
    fit = fit_sources(sources)
    answers = targets.scores[:3, selection.items]
    slopes, difficulties = fit.discriminations[selection.items], fit.difficulties[selection.items]
    for row, found in zip(answers, fit_abilities(fit, selection.items, answers), strict=True):
        signs = 2.0 * row - 1

        def loss(theta: np.ndarray, signs: np.ndarray = signs) -> float:
            logits = slopes @ theta - difficulties
            return float(np.logaddexp(0, -signs * logits).sum() + theta @ theta / 2)

        best = minimize(loss, np.zeros(found.size))
        np.testing.assert_allclose(found, best.x, atol=1e-3)
