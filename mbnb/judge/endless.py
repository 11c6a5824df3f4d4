"""The exact agreement of random items for a pair, of a benchmark that never runs out; see `exact`.

Where items are drawn from so many that none is drawn twice, D is binomial and so is what D items
hold, given D. The book uses it to plan a benchmark that does not exist yet.
"""

from __future__ import annotations

import numpy as np
from scipy.special import gammaln, xlogy
from scipy.stats import binom

from mbnb.judge.exact import TAIL


def binomial(size: int, rate: float) -> tuple[int, np.ndarray]:
    """The chances that a sample holds D items on which two models differ; see `hypergeometric`.

    Parameters
    ----------
    size : int
        Items drawn.
    rate : float
        Share (0–1) of the items on which they differ.
    """
    reach = np.sqrt(size * np.log(2 / TAIL) / 2) + 1
    low = max(0, int(np.floor(size * rate - reach)))
    high = min(size, int(np.ceil(size * rate + reach)))
    mass = binom.pmf(np.arange(low, high + 1), size, rate)
    return low, mass / mass.sum()


def endless_lead_chances(share: float, top: int, ties: str) -> np.ndarray:
    """The chance that the better model leads after D of the items on which two models differ.

    Parameters
    ----------
    share : float
        Of those items, the share (0–1) that the better model solves, at least ½.
    top : int
        The largest D.
    ties : {"wrong", "half"}

    Returns
    -------
    ndarray, shape (top + 1,)
    """
    m = np.arange(top // 2 + 1)
    f = gammaln(np.arange(2 * m.size + 1) + 1.0)
    both = xlogy(m, share * (1 - share))
    level = np.exp(f[2 * m] - 2 * f[m] + both)
    ahead = np.exp(f[2 * m + 1] - f[m] - f[m + 1] + both) * share
    steps = np.zeros(2 * m.size + 1)
    steps[1::2] = level * share
    steps[2::2] = -ahead * (1 - share)
    leads = np.cumsum(steps)
    if ties == "half":
        leads[0:-1:2] += level / 2
    return leads[: top + 1]
