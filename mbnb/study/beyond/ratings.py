"""Bradley–Terry ratings of models from their battles, and what sampling does to them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components
from scipy.special import expit
from scipy.stats import norm

from mbnb.data.battles import POINTS, Battles
from mbnb.data.errors import InputError

_STEPS = 100
_CLOSE = 1e-10  # in log-odds


def fit_ratings(battles: Battles, prior: float = 0.0) -> pd.DataFrame:
    """Ratings by maximum likelihood: a model beats another with log-odds of their difference.

    Parameters
    ----------
    battles : Battles
        A tie counts as half a win of each.
    prior : float
        Battles, all tied, of each model with one that is rated 0. Without any (the default) this
        is maximum likelihood; with some, every set of battles has ratings.

    Returns
    -------
    DataFrame
        Indexed by model, in the order of `battles`: ``rating`` (points, mean 0; 400 points are
        odds of ten to one), ``error`` (its standard error, points, from the information; the
        battles are taken as independent and a tie as no less noisy than a win, so it errs on the
        large side where there are ties) and ``battles``.

    Raises
    ------
    InputError
        If the likelihood has no maximum, since a group of models won or lost all its battles with
        the rest, or had none.

    Notes
    -----
    Source: Bradley and Terry (1952); that the maximum exists where every model can be reached from
    every other along wins, Ford (1957). Newton's method, with steps halved where they overshoot.
    """
    if not 0 <= prior < np.inf:
        raise InputError(f"prior {prior:g} is not possible; allowed: 0 or more battles.")
    wins = battles.wins()
    if prior == 0:
        require_connected(battles)
    strength = strengths(wins, prior)
    information = _information(wins + wins.T, strength, prior)
    # Without a prior the level is free: the inverse is taken among ratings of mean 0.
    centre = np.eye(strength.size) - 1 / strength.size
    covariance = centre @ np.linalg.inv(information + 1 / strength.size) @ centre
    return pd.DataFrame(
        {
            "rating": POINTS * strength,
            "error": POINTS * np.sqrt(np.diag(covariance)),
            "battles": (wins + wins.T).sum(axis=1).round().astype(int),
        },
        index=pd.Index(battles.models, name="model"),
    )


def require_connected(battles: Battles) -> None:
    """Raise InputError if some models cannot be compared with others by these battles."""
    if components(battles.wins()) == 1:
        return
    _, labels = connected_components(csr_matrix(battles.wins() > 0), connection="strong")
    # Of the groups, the one that the rest would have to be compared with.
    largest = np.bincount(labels).argmax()
    others = np.flatnonzero(labels != largest)
    raise InputError(
        f"{battles.name}: {battles.n_battles:,} battles cannot rate {others.size} of "
        f"{battles.n_models} models (first: '{battles.models[others[0]]}') beside the others, "
        "since no chain of wins leads both there and back; add battles, leave these models out, "
        "or give a prior."
    )


def components(wins: np.ndarray) -> int:
    """Groups of models that wins connect in both directions; 1 means that ratings exist."""
    return int(connected_components(csr_matrix(wins > 0), connection="strong")[0])


def strengths(wins: np.ndarray, prior: float) -> np.ndarray:
    """Maximum of the Bradley–Terry likelihood in log-odds, mean 0; shape (n_models,).

    Parameters
    ----------
    wins : ndarray, shape (n_models, n_models)
        How often the row's model beat the column's, a tie a half each.
    prior : float
        See `fit_ratings`; with 0 the maximum must exist.
    """
    fought, won = wins + wins.T, wins.sum(axis=1)
    n = won.size

    def value(beta: np.ndarray) -> float:
        lost = np.logaddexp(0, beta[None, :] - beta[:, None])
        ties = np.logaddexp(0, beta) + np.logaddexp(0, -beta)
        return -float((wins * lost).sum() + prior / 2 * ties.sum())

    beta = np.zeros(n)
    now = value(beta)
    for _ in range(_STEPS):
        expected = fought * expit(beta[:, None] - beta[None, :])
        slope = won - expected.sum(axis=1) + prior * (0.5 - expit(beta))
        step = np.linalg.solve(_information(fought, beta, prior) + 1 / n, slope)
        while value(beta + step) < now - 1e-9 * abs(now) and np.abs(step).max() > _CLOSE:
            step /= 2
        beta, now = beta + step, value(beta + step)
        if np.abs(step).max() < _CLOSE:
            break
    centred: np.ndarray = beta - beta.mean()
    return centred


def win_probability(gap: float | np.ndarray) -> float | np.ndarray:
    """How often the better of two models wins (0–1), a tie a half, `gap` rating points apart."""
    chance = expit(np.asarray(gap) / POINTS)
    return float(chance) if np.ndim(gap) == 0 else chance


def expected_rating_mdad(
    ratings: pd.Series,
    sizes: Sequence[int],
    n_battles: int,
    *,
    tie_share: float = 0.0,
    threshold: float = 0.8,
) -> pd.Series:
    """The MDAD, in rating points by size, that battles drawn at random must have.

    Parameters
    ----------
    ratings : Series
        Of the models, in rating points.
    sizes : sequence of int
        Battles drawn.
    n_battles : int
        Battles drawn from.
    tie_share : float
        Share of the battles (0–1) that nobody wins.
    threshold : float

    Notes
    -----
    By the information of battles whose pairs are drawn with equal chance. Of n models about equally
    strong, the difference of two ratings has variance 4 (n − 1) / size in squared log-odds; here
    each pair has its own p (1 − p) in the place of 1/4, and the median over pairs of models is
    taken. Ties lessen the variance of a result by a quarter of their share.
    """
    beta = ratings.to_numpy(dtype=float) / POINTS
    n = beta.size
    each = np.full((n, n), 2 / (n * (n - 1)))
    np.fill_diagonal(each, 0)
    chance = expit(beta[:, None] - beta[None, :])
    information = _information(each, beta, 0.0)
    inverse = np.linalg.inv(information + 1 / n)
    noise = each * np.maximum(chance * (1 - chance) - tie_share / 4, 0)
    scatter = inverse @ (np.diag(noise.sum(axis=1)) - noise) @ inverse
    own = np.diag(scatter)
    variance = np.median((own[:, None] + own[None, :] - 2 * scatter)[np.triu_indices(n, 1)])
    left = [(1 / size - 1 / n_battles) for size in sizes]
    expected = POINTS * norm.ppf(threshold) * np.sqrt(np.maximum(variance * np.array(left), 0))
    return pd.Series(expected, index=list(sizes), name="expected")


def _information(fought: np.ndarray, beta: np.ndarray, prior: float) -> np.ndarray:
    """Minus the second derivatives of the log-likelihood, shape (n_models, n_models)."""
    chance = expit(beta[:, None] - beta[None, :])
    weight = fought * chance * (1 - chance)
    own = expit(beta)
    return np.diag(weight.sum(axis=1) + prior * own * (1 - own)) - weight
