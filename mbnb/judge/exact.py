"""The exact agreement of uniform sampling for pairs of models; sees counts, draws nothing.

Of two models A wins w items (only A solves them) and B wins l; the others tell the two apart in no
way. A sample of k of the N items holds W of the w and L of the l, and orders the pair rightly if
W > L. (W, L) is multivariate hypergeometric. Two steps make its sum short:

- the sample holds D = W + L of the w + l items on which the two differ, hypergeometric;
- given D, how they fall is a draw of D of these w + l items, whatever N and k are. The chance S(D)
  that A leads after D of them changes, from one to the next, only where the two are level or A is
  one ahead, so that all of S comes from one running sum.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from scipy.special import gammaln

from mbnb.data.errors import InputError
from mbnb.judge.agreement import TIES

# The most that the tails of D that are left out may hold.
TAIL = 1e-12
# Chances that are held at a time: some 30 MB.
BLOCK = 1 << 22


def exact_agreement(
    wins: np.ndarray,
    losses: np.ndarray,
    sizes: Sequence[int],
    n_items: int,
    *,
    ties: str = "wrong",
) -> np.ndarray:
    """Agreement (0–1) of uniform sampling without replacement for pairs of models, exactly.

    Parameters
    ----------
    wins, losses : ndarray of int, shape (n_pairs,)
        Items that only the better model solves, and items that only the worse one does. The better
        is the one that should come out ahead; it may have fewer wins, where the order is that of
        other items than those drawn from.
    sizes : sequence of int
        Items drawn.
    n_items : int
        Items drawn from.
    ties : {"wrong", "half"}
        What a tied estimate counts: nothing, or a half.

    Returns
    -------
    ndarray of float64, shape (n_sizes, n_pairs)
        P(W > L), or P(W > L) + P(W = L) / 2. No more than 1e-9 from the truth: the tails of D that
        are left out hold at most 1e-12 by Hoeffding's inequality, the rest is rounding.

    Raises
    ------
    InputError
        If the counts are no counts of n_items, a size is not from 1 to n_items, or the rule for
        ties is unknown.

    Notes
    -----
    Each pair of counts is computed once, whichever sizes and however many pairs have it: a
    leaderboard's 60,000 pairs at seven sizes take a second or two.
    """
    check_ties(ties)
    won, lost = np.asarray(wins), np.asarray(losses)
    if won.shape != lost.shape or won.ndim != 1:
        raise InputError(
            f"wins of shape {won.shape} and losses of shape {lost.shape} are given; both must be "
            "lists of one count for each pair."
        )
    if won.size and (won.min() < 0 or lost.min() < 0 or (won + lost).max() > n_items):
        raise InputError(
            f"wins and losses must be counts of the {n_items} items; given are wins from "
            f"{won.min()} to {won.max()} and losses from {lost.min()} to {lost.max()}."
        )
    wrong = [size for size in sizes if not 1 <= size <= n_items]
    if wrong:
        raise InputError(f"size {wrong[0]} is not possible; allowed are 1 to {n_items}.")
    codes, place = np.unique((won + lost) * (n_items + 1) + won, return_inverse=True)
    differing, distinct = np.divmod(codes, n_items + 1)
    factorials = log_factorials(n_items)
    found = np.empty((len(sizes), codes.size))
    for n, own in _groups(differing):
        chances = [hypergeometric(n_items, n, int(size), factorials) for size in sizes]
        top = max((low + mass.size - 1 for low, mass in chances), default=0)
        at_a_time = max(1, BLOCK // (top + 1))
        for start in range(own.start, own.stop, at_a_time):
            part = slice(start, min(start + at_a_time, own.stop))
            leads = lead_chances(n, distinct[part], top, ties, factorials)
            for s, (low, mass) in enumerate(chances):
                found[s, part] = leads[:, low : low + mass.size] @ mass
    return np.clip(found, 0, 1)[:, place]


@lru_cache(maxsize=4)
def log_factorials(n_items: int) -> np.ndarray:
    """Logarithms of the factorials of 0 to n_items + 1."""
    found: np.ndarray = gammaln(np.arange(n_items + 2) + 1.0)
    found.flags.writeable = False
    return found


def check_ties(ties: str) -> None:
    """Refuse a rule for tied estimates that there is not."""
    if ties not in TIES:
        raise InputError(f"ties '{ties}' is unknown; allowed: {', '.join(TIES)}.")


def hypergeometric(
    n_items: int, n: int, size: int, factorials: np.ndarray
) -> tuple[int, np.ndarray]:
    """The chances that a sample holds D of n items, from the smallest D on that counts.

    Parameters
    ----------
    n_items, n, size : int
        Items drawn from, those among them that are counted, items drawn.
    factorials : ndarray
        Logarithms of the factorials of 0 to at least n_items.

    Returns
    -------
    (int, ndarray)
        The smallest D, and the chances of it and those that follow. What is left out holds at most
        `TAIL`.
    """
    # Hoeffding (1963), section 6, holds for draws without replacement; what is not drawn is a
    # sample too, and the smaller of the two has the nearer bound.
    reach = np.sqrt(min(size, n_items - size) * np.log(2 / TAIL) / 2) + 1
    mean = size * n / n_items
    low = max(0, size - (n_items - n), int(np.floor(mean - reach)))
    high = min(n, size, int(np.ceil(mean + reach)))
    d = np.arange(low, high + 1)
    f, rest = factorials, n_items - n
    mass = np.exp(
        (f[n] - f[d] - f[n - d])
        + (f[rest] - f[size - d] - f[rest - size + d])
        - (f[n_items] - f[size] - f[n_items - size])
    )
    # Logarithms of large factorials carry a rounding error that all D share.
    return low, mass / mass.sum()


def lead_chances(
    n: int, wins: np.ndarray, top: int, ties: str, factorials: np.ndarray
) -> np.ndarray:
    """The chance that the better model leads after D of the items on which two models differ.

    Parameters
    ----------
    n : int
        Items on which they differ.
    wins : ndarray of int, shape (n_pairs,)
        Those of the n that the better model solves.
    top : int
        The largest D, at most n.
    ties : {"wrong", "half"}
    factorials : ndarray
        Logarithms of the factorials of 0 to at least n + 1.

    Returns
    -------
    ndarray, shape (n_pairs, top + 1)
    """
    won = wins[:, None]
    lost = n - won
    m = np.arange(top // 2 + 1)
    level = np.exp(_log_split(n, won, lost, m, m, factorials))
    ahead = np.exp(_log_split(n, won, lost, m + 1, m, factorials))
    steps = np.zeros((len(wins), 2 * m.size + 1))
    # From level with one item more: the better model wins it.
    steps[:, 1::2] = level * (won - m) / np.maximum(n - 2 * m, 1)
    # From one ahead: the other model wins it and draws level.
    steps[:, 2::2] = -ahead * (lost - m) / np.maximum(n - 2 * m - 1, 1)
    leads = np.cumsum(steps, axis=1)
    if ties == "half":
        leads[:, 0:-1:2] += level / 2
    return leads[:, : top + 1]


def _log_split(
    n: int, won: np.ndarray, lost: np.ndarray, a: np.ndarray, b: np.ndarray, f: np.ndarray
) -> np.ndarray:
    """Logarithm of the chance that a + b items of n hold a of the won and b of the lost."""
    possible = (a <= won) & (b <= lost)
    a_, b_ = np.minimum(a, won), np.minimum(b, lost)
    drawn = np.minimum(a + b, n)
    logs = (
        (f[won] - f[a_] - f[won - a_])
        + (f[lost] - f[b_] - f[lost - b_])
        - (f[n] - f[drawn] - f[n - drawn])
    )
    return np.where(possible, logs, -np.inf)


def _groups(values: np.ndarray) -> list[tuple[int, slice]]:
    """Each value of a rising list, and where it stands."""
    found, starts = np.unique(values, return_index=True)
    stops = np.append(starts[1:], values.size)
    rows = zip(found, starts, stops[: found.size], strict=True)
    return [(int(value), slice(int(start), int(stop))) for value, start, stop in rows]
