"""Scores with guessing taken out, as leaderboards show them, and raw ones; reads none of them.

A leaderboard may show 0 for the score that guessing gives and 1 for a perfect one: for 0.5309 on
MMLU-Pro, where one of ten options is guessed, it shows 47.9 points. Subtasks with other numbers
of options have other chances, so each is normalised by itself before their mean is taken.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from mbnb.data.errors import InputError

GATE = 0.01


def normalised_score(raw: ArrayLike, chance: ArrayLike) -> np.ndarray:
    """Raw scores with guessing taken out: (raw − chance) / (1 − chance), at least 0.

    Parameters
    ----------
    raw : float or array
        Means of scores, 0–1; NaN stays.
    chance : float or array of a shape that fits
        The score that guessing gives, 1 / options for one right option; at least 0, below 1.

    Returns
    -------
    ndarray of float64
        0–1, of the common shape.

    Raises
    ------
    InputError
        If a raw score is outside 0 to 1 or a chance outside 0 to below 1.

    Examples
    --------
    >>> round(float(normalised_score(0.5309, 0.1)), 4)
    0.4788
    """
    scores, chances = _checked(raw, "raw score"), _chances(chance)
    above: np.ndarray = np.maximum((scores - chances) / (1 - chances), 0.0)
    return above


def raw_score(normalised: ArrayLike, chance: ArrayLike) -> np.ndarray:
    """The raw scores behind normalised ones; for 0 the chance, below which it cannot be told.

    Parameters
    ----------
    normalised, chance : float or array
        0–1, and at least 0, below 1.

    Returns
    -------
    ndarray of float64

    Raises
    ------
    InputError
        As `normalised_score`.
    """
    scores, chances = _checked(normalised, "normalised score"), _chances(chance)
    raw: np.ndarray = chances + scores * (1 - chances)
    return raw


def check_same_scale(
    shown: ArrayLike, raw: ArrayLike, chance: ArrayLike | None = None, gate: float = GATE
) -> None:
    """Refuse to compare scores that somebody shows with raw means of another scale.

    Parameters
    ----------
    shown : float or array, shape (n_models,)
        Scores as a leaderboard shows them, 0–1.
    raw : float or array, shape (n_models,)
        Raw means of the same models in the same order.
    chance : float or array of a shape that fits, optional
        To tell whether the scores shown are these means normalised.
    gate : float
        Differences up to this are taken for rounding.

    Raises
    ------
    InputError
        If a model's two scores are further apart than the gate; the message says whether
        normalising, or points in place of 0–1, explains it.
    """
    given, means = np.atleast_1d(np.asarray(shown, float)), np.atleast_1d(_checked(raw, "raw mean"))
    if given.shape != means.shape:
        raise InputError(
            f"{given.size} scores are shown for {means.size} raw means; give one for each model."
        )
    if np.nanmax(given, initial=0.0) > 1 + gate:
        raise InputError(
            f"a score shown is {np.nanmax(given):g}; allowed is 0 to 1: divide points by 100."
        )
    apart = np.abs(given - means)
    # A hair above the gate is the rounding of a difference, not of a score.
    if not (apart > gate + 1e-9).any():
        return
    at = int(np.nanargmax(apart))
    told = (
        f"a score shown is {100 * given[at]:.2f} points and the raw mean of the same model "
        f"{100 * means[at]:.2f}, {100 * apart[at]:.2f} points apart (allowed: {100 * gate:g})"
    )
    if chance is not None:
        fitting = np.abs(given - normalised_score(means, chance)) <= gate + 1e-9
        if (fitting | np.isnan(apart)).all():
            raise InputError(
                f"{told}: the scores shown are normalised, guessing is taken out of them; turn "
                "the raw means into such scores first (mbnb.normalised_score)."
            )
    raise InputError(f"{told}; see that both are of the same items, metric and scale.")


def _checked(values: ArrayLike, what: str) -> np.ndarray:
    numbers = np.asarray(values, dtype=float)
    bad = (numbers < 0) | (numbers > 1)
    if bad.any():
        raise InputError(
            f"a {what} is {numbers[bad].flat[0]:g}; allowed is 0 to 1: divide points by 100."
        )
    return numbers


def _chances(values: ArrayLike) -> np.ndarray:
    numbers = np.asarray(values, dtype=float)
    bad = ~((numbers >= 0) & (numbers < 1))
    if bad.any():
        raise InputError(
            f"a chance is {numbers[bad].flat[0]:g}; allowed is at least 0 and below 1, such as "
            "1 / options."
        )
    return numbers
