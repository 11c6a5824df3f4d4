"""What a few answers say of a full score and of a pair of models; knows no matrix and no file.

Two kinds of statement live here. Of items drawn uniformly at random the hypergeometric distribution
says everything, exactly and for any model. Of other selections only other models tell: their errors
bound the next model's, if it is exchangeable with them (conformal prediction; Vovk, Gammerman and
Shafer 2005; for errors that come in groups, Lee, Barber and Willett 2023, arXiv:2306.06342).
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Sequence

import numpy as np
from scipy.stats import binom, hypergeom

from mbnb.data.errors import InputError

# What answers under wrong ids reach once in a hundred; see `relatedness`.
CHANCE = 2.33
# Rounding must not lift a product such as 20 × 0.05 above the whole number it stands for.
EPSILON = 1e-9


def check_level(level: float) -> None:
    """Raise InputError unless a level is at least ½ and below 1."""
    if not 0.5 <= level < 1:
        raise InputError(
            f"level {level} is not possible; allowed are 0.5 to below 1, such as 0.95."
        )


def exact_interval(
    correct: int, size: int, n_items: int, level: float = 0.95
) -> tuple[float, float]:
    """Interval for the share of all items that a model answers correctly, from a random few.

    The equal-tailed interval of Clopper and Pearson for a draw without replacement: the counts
    among all items that the answers do not contradict at half of 1 − level on either side. It
    covers the true share with at least the stated probability, whatever that share is.

    Parameters
    ----------
    correct : int
        Of the items drawn.
    size, n_items : int
        Items drawn, uniformly without replacement, and items drawn from.
    level : float

    Returns
    -------
    (float, float)
        Shares of all items (0–1).
    """
    check_level(level)
    if not 0 <= correct <= size or not 1 <= size <= n_items:
        raise InputError(
            f"{correct} correct of {size} drawn of {n_items} is not possible; allowed are 0 ≤ "
            "correct ≤ drawn ≤ all, at least one drawn."
        )
    counts = range(correct, n_items - (size - correct) + 1)
    tail = (1 - level) / 2

    # Both tails are monotone in the count, so the ends are found by halving.
    def enough(count: int) -> bool:
        return bool(hypergeom.sf(correct - 1, n_items, count, size) > tail)

    def too_many(count: int) -> bool:
        return bool(hypergeom.cdf(correct, n_items, count, size) <= tail)

    low = counts[bisect_left(counts, True, key=enough)]
    high = counts[bisect_left(counts, True, key=too_many) - 1]
    return low / n_items, high / n_items


def paired_test(
    wins: np.ndarray | int, losses: np.ndarray | int, undrawn: int | None = None
) -> np.ndarray:
    """Two-sided p-value of “both models answer equally many of all items correctly”.

    McNemar's exact test: of the items on which just one of the two is right, each model would have
    half. With `undrawn` it allows for a draw without replacement: were the models equal, with m
    items won by either, the wins among those drawn would be hypergeometric, and the largest m that
    the draw leaves possible (every undrawn item being won by one) gives the largest p-value.

    Parameters
    ----------
    wins, losses : ndarray of int, or int
        Items drawn that only the first model, or only the second, answers correctly.
    undrawn : int, optional
        Items that were not drawn; None for a benchmark without end (the binomial test).

    Returns
    -------
    ndarray of float64
        Of the shape of `wins`; where it is below α, the chance of having named the wrong model as
        the better one is at most α / 2.
    """
    wins, losses = np.broadcast_arrays(np.asarray(wins), np.asarray(losses))
    more, discordant = np.maximum(wins, losses), wins + losses
    if undrawn is None:
        return np.minimum(1, 2 * binom.sf(more - 1, discordant, 0.5))
    each = (discordant + undrawn) // 2
    # Of an odd number with nothing left to draw, the halves cannot be equal at all.
    possible = 2 * each >= discordant
    tail = hypergeom.sf(more - 1, np.where(possible, 2 * each, discordant), each, discordant)
    return np.where(possible, np.minimum(1, 2 * tail), 0.0)


def error_bounds(errors: np.ndarray, level: float = 0.95) -> tuple[float, float]:
    """Bounds that a new model's error keeps with probability `level`, if it is like these models.

    Parameters
    ----------
    errors : ndarray, shape (n_models,)
        Estimate − full score of each known model.
    level : float

    Returns
    -------
    (float, float)
        Half of 1 − level lies beyond either bound; with too few models for that, the bounds are
        symmetric about 0; with too few for that as well (see `models_needed`), they are infinite.
    """
    check_level(level)
    ordered, n, miss = np.sort(errors), errors.size, 1 - level
    cut = math.floor((n + 1) * miss / 2 + EPSILON)
    if cut >= 1:
        return float(ordered[cut - 1]), float(ordered[n - cut])
    cut = math.floor((n + 1) * miss + EPSILON)
    bound = float(np.sort(np.abs(errors))[n - cut]) if cut >= 1 else math.inf
    return -bound, bound


def models_needed(level: float = 0.95) -> int:
    """Known models below which `error_bounds` and `gap_bound` are infinite."""
    check_level(level)
    return math.ceil(1 / (1 - level) - 1 - EPSILON)


def gap_bound(
    groups: Sequence[tuple[np.ndarray, np.ndarray]], level: float = 0.95, *, own: bool = False
) -> float:
    """Bound on the error of the gap between a new model and a known one, kept with `level`.

    Every known model in turn stands for the new one, and each counts the same, however many models
    it is compared with; the new model itself counts as one more whose errors are infinite.

    Parameters
    ----------
    groups : sequence of (ndarray, ndarray)
        Errors (estimate − full score) of the models that stand for new ones, and of those that
        they are compared with, on one selection of items.
    level : float
    own : bool
        Whether the two arrays of a group are the same models: then none is compared with itself.

    Returns
    -------
    float
        For a pair drawn at random; infinite with too few models (see `models_needed`).
    """
    check_level(level)
    n_models = sum(new.size for new, _ in groups)
    ordered = [(new, np.sort(known)) for new, known in groups]
    wanted = level * (n_models + 1) - EPSILON

    def covered(bound: float) -> float:
        share = 0.0
        for new, known in ordered:
            inside = np.searchsorted(known, new + bound, side="right")
            inside = inside - np.searchsorted(known, new - bound, side="left") - own
            share += inside.sum() / max(known.size - own, 1)
        return share

    # Errors lie within −1 and 1, so gaps' errors within 2. Halving needs no list of all pairs.
    low, high = 0.0, 2.0 + EPSILON
    if covered(high) < wanted:
        return math.inf
    if covered(low + EPSILON) >= wanted:
        return EPSILON
    while high - low > EPSILON:
        middle = (low + high) / 2
        low, high = (low, middle) if covered(middle) >= wanted else (middle, high)
    return high


def relatedness(answers: np.ndarray, others: np.ndarray) -> np.ndarray:
    """How clearly models' answers go with others' mean scores; above `CHANCE` hardly by chance.

    Parameters
    ----------
    answers, others : ndarray of float64, shape (n_models, n_items)
        A model's scores, and what they are compared with.

    Returns
    -------
    ndarray of float64, shape (n_models,)
        Correlation times √(n_items − 1), about standard normal if ids were given at random; NaN
        where either does not vary.
    """
    answers = answers - answers.mean(axis=1, keepdims=True)
    others = others - others.mean(axis=1, keepdims=True)
    spread = np.sqrt((answers**2).sum(axis=1) * (others**2).sum(axis=1))
    together = (answers * others).sum(axis=1)
    correlation = np.divide(
        together, spread, out=np.full(spread.shape, np.nan), where=spread > 1e-9
    )
    return correlation * np.sqrt(answers.shape[1] - 1)
