"""The 2PL fit: what it recovers, what it must not do, and what it refuses."""

from __future__ import annotations

import numpy as np
import pytest

from mbnb.data.errors import InputError
from mbnb.methods.decomposition import leading_components
from mbnb.methods.irt import (
    ABILITY_SD,
    DIFFICULTY_SD,
    DISCRIMINATION_SD,
    fit_2pl,
)


def answers(n_models: int, n_items: int, n_dims: int = 2, seed: int = 0) -> np.ndarray:
    """Scores drawn from a 2PL model with one strong dimension and weaker ones."""
    rng = np.random.default_rng(seed)
    abilities = rng.normal(size=(n_models, n_dims))
    slopes = rng.normal(0, 0.5, size=(n_items, n_dims))
    slopes[:, 0] = rng.lognormal(0, 0.4, n_items)
    logits = abilities @ slopes.T - rng.normal(0, 1, n_items)
    return (rng.random(logits.shape) < 1 / (1 + np.exp(-logits))).astype(np.uint8)


def with_extremes(scores: np.ndarray) -> np.ndarray:
    return np.vstack(
        [np.ones_like(scores[:1]), scores, np.zeros_like(scores[:1])]
    )  # first and last model


def test_recovers_a_one_dimensional_truth() -> None:
    rng = np.random.default_rng(1)
    ability, difficulty = rng.normal(size=200), rng.normal(size=150)
    slope = rng.uniform(0.5, 2, 150)
    logits = np.outer(ability, slope) - difficulty
    scores = (rng.random(logits.shape) < 1 / (1 + np.exp(-logits))).astype(np.uint8)
    fit = fit_2pl(scores, n_dims=1)
    assert np.corrcoef(fit.abilities[:, 0], ability)[0, 1] > 0.97, "abilities in the true order"
    assert np.corrcoef(fit.difficulties, difficulty)[0, 1] > 0.97, "a higher b is a harder item"
    assert np.corrcoef(fit.discriminations[:, 0], slope)[0, 1] > 0.8, "discriminations follow"
    truth = 1 / (1 + np.exp(-logits))
    # An ability known from 150 answers is off by about 0.2, so a probability by about 0.04.
    assert np.abs(fit.probabilities - truth).mean() < 0.06, "P(correct) is sigmoid(a·θ − b)"
    assert abs((fit.probabilities - truth).mean()) < 0.01, "and not off to one side"


def test_log_likelihood_is_that_of_the_reported_parameters() -> None:
    scores = answers(40, 30)
    fit = fit_2pl(scores, n_dims=2)
    p = fit.probabilities
    by_hand = np.log(np.where(scores == 1, p, 1 - p)).sum()
    assert fit.log_likelihood == pytest.approx(by_hand, rel=1e-9)


@pytest.mark.parametrize("n_dims", [1, 2, 10])
def test_abilities_are_standardised_and_turned_upwards(n_dims: int) -> None:
    scores = answers(120, 100, n_dims)
    fit = fit_2pl(scores, n_dims=n_dims)
    assert np.abs(fit.abilities.mean(axis=0)).max() < 1e-9, "centred"
    np.testing.assert_allclose(np.cov(fit.abilities.T, bias=True), np.eye(n_dims), atol=1e-6)
    widths = np.linalg.norm(fit.discriminations, axis=0)
    assert (np.diff(widths) <= 1e-9).all(), "axes in descending order of their discriminations"
    means = scores.mean(axis=1)
    assert (fit.abilities.T @ (means - means.mean()) > 0).all(), "every axis points upwards"


@pytest.mark.parametrize("seed", [0, 1, 2])
@pytest.mark.parametrize("n_dims", [1, 10])
def test_extreme_models_and_items_stay_finite_and_in_order(seed: int, n_dims: int) -> None:
    scores = with_extremes(answers(60, 80, seed=seed))
    scores[:, 0], scores[:, 1] = 1, 0  # items without variance
    scores[-1, 0], scores[0, 1] = 1, 0
    fit = fit_2pl(scores, n_dims=n_dims)
    for part in (fit.abilities, fit.discriminations, fit.difficulties):
        assert np.isfinite(part).all(), "the priors keep everything finite"
    assert np.abs(fit.abilities[[0, -1]]).max() < 5, "no ability runs away"
    along = fit.abilities @ fit.discriminations.mean(axis=0)
    assert along.argmax() == 0, "the all-correct model is the ablest along the mean direction"
    assert along.argmin() == len(scores) - 1, "the all-wrong model is the least able"
    assert fit.difficulties[0] == fit.difficulties.min(), "an item all solve is the easiest"
    assert fit.difficulties[1] == fit.difficulties.max(), "an item none solves is the hardest"
    assert np.abs(fit.difficulties).max() < 8, "and neither runs away"


def test_same_answers_same_fit_whatever_way_missing_is_written() -> None:
    scores = answers(60, 50)
    first, second = fit_2pl(scores, n_dims=3), fit_2pl(scores.astype(np.float32), n_dims=3)
    np.testing.assert_array_equal(first.abilities, second.abilities)
    scores[3, 4] = 255
    floats = np.where(scores == 255, np.nan, scores).astype(np.float32)
    np.testing.assert_array_equal(
        fit_2pl(scores, n_dims=3).difficulties, fit_2pl(floats, n_dims=3).difficulties
    )


def test_missing_answers_are_left_out_not_wrong() -> None:
    scores = answers(100, 60, 1, seed=4)
    rng = np.random.default_rng(5)
    holes = rng.random(scores.shape) < 0.3
    holes[0] = False
    full, partial = fit_2pl(scores, 1), fit_2pl(np.where(holes, 255, scores).astype(np.uint8), 1)
    as_wrong = fit_2pl(np.where(holes, 0, scores).astype(np.uint8), 1)
    gap = np.abs(partial.difficulties - full.difficulties).mean()
    assert gap < 0.3, f"difficulties hardly move when answers are left out (moved by {gap:.2f})"
    assert as_wrong.difficulties.mean() > full.difficulties.mean() + 0.5, "counting wrong would"
    p = partial.probabilities
    cells = np.log(np.where(scores == 1, p, 1 - p))
    assert partial.log_likelihood == pytest.approx(cells[~holes].sum(), rel=1e-9)


@pytest.mark.parametrize("holes", [False, True])
def test_items_worked_on_in_blocks_are_fitted_as_all_at_once(
    holes: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    scores = answers(40, 50, seed=6)
    if holes:
        scores[np.random.default_rng(7).random(scores.shape) < 0.2] = 255
    whole = fit_2pl(scores, n_dims=2)
    monkeypatch.setattr("mbnb.methods.irt.BLOCK", 7)
    parts = fit_2pl(scores, n_dims=2)
    assert parts.n_iterations == whole.n_iterations
    assert parts.log_likelihood == pytest.approx(whole.log_likelihood, rel=1e-6)
    np.testing.assert_allclose(parts.abilities, whole.abilities, atol=1e-4)
    np.testing.assert_allclose(parts.discriminations, whole.discriminations, atol=1e-4)
    np.testing.assert_allclose(parts.difficulties, whole.difficulties, atol=1e-4)


def test_no_round_makes_the_fit_worse_and_it_comes_near_the_optimum() -> None:
    scores = answers(60, 50, seed=2)
    posteriors = [posterior(scores, n) for n in (1, 2, 4, 8, 16, 400)]
    assert (np.diff(posteriors) >= -0.05).all(), f"it only climbs: {posteriors}"
    assert posteriors[-2] > posteriors[-1] - 0.005 * abs(posteriors[-1]), "near after 16 rounds"


def posterior(scores: np.ndarray, rounds: int) -> float:
    """Log posterior, up to a constant, at the best scale of the reported parameters.

    For factors of the log-odds with singular values s, the best scale costs
    s / (ability sd × discrimination sd) each; the origin is the reported one.
    """
    fit = fit_2pl(scores, n_dims=2, max_iterations=rounds, tolerance=0)
    shared = fit.abilities @ fit.discriminations.T
    cost = np.linalg.svd(shared, compute_uv=False).sum() / (ABILITY_SD * DISCRIMINATION_SD)
    return fit.log_likelihood - cost - (fit.difficulties**2).sum() / (2 * DIFFICULTY_SD**2)


def test_refuses_models_and_items_without_answers() -> None:
    scores = answers(5, 6)
    scores[:, 2] = 255
    with pytest.raises(InputError, match=r"1 items have no answer at all \(positions, from 0: 2\)"):
        fit_2pl(scores)
    scores = answers(5, 6)
    scores[4] = 255
    with pytest.raises(InputError, match=r"1 models have no answer at all .*: 4\)"):
        fit_2pl(scores)


@pytest.mark.parametrize("shape", [(30, 8), (8, 30), (5, 5)])
def test_leading_components_are_those_of_the_full_decomposition(shape: tuple[int, int]) -> None:
    matrix = np.random.default_rng(0).normal(size=shape)
    left, values, right = leading_components(matrix, 3)
    np.testing.assert_allclose(values, np.linalg.svd(matrix, compute_uv=False)[:3])
    np.testing.assert_allclose(left.T @ matrix, values[:, None] * right, atol=1e-9)
    peaks = np.abs(left).argmax(axis=0)
    assert (left[peaks, np.arange(3)] > 0).all(), "signs are fixed"
