"""Two models by what sets them apart, and their agreement at any size; searches for nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from mbnb.data.errors import InputError
from mbnb.judge.endless import binomial, endless_lead_chances
from mbnb.judge.exact import hypergeometric, lead_chances, log_factorials


@dataclass(frozen=True)
class OnePair:
    """Two models by their wins and losses: counts of n_items, or shares of an endless benchmark.

    Attributes
    ----------
    wins, losses : float
        Items that only the better model solves, and items that only the worse one does.
    n_items : int or None
    ties : {"wrong", "half"}
        What a tied estimate counts.
    """

    wins: float
    losses: float
    n_items: int | None
    ties: str

    @property
    def gap(self) -> float:
        """In points."""
        return 100 * (self.wins - self.losses) / (self.n_items or 1)

    @property
    def rate(self) -> float:
        """The disagreement rate (0–1)."""
        return (self.wins + self.losses) / (self.n_items or 1)

    def by_size(self, largest: int) -> BySize:
        """Its agreement at all sizes up to one."""
        return _by_size(self, largest)


class BySize:
    """Agreement (0–1) by size: `exact` of one pair, and `lasting`, which never falls.

    `lasting` is the mean of what no larger number of items on which the two differ falls below.
    That number rises with the size, so `lasting` does, and from a size on at which it reaches a
    threshold agreement stays there.
    """

    def __init__(self, leads: np.ndarray, chances: Callable[[int], tuple[int, np.ndarray]]) -> None:
        self._leads = leads
        self._lasting = np.minimum.accumulate(leads[::-1])[::-1]
        self._chances = chances

    def exact(self, size: int) -> float:
        """Agreement at a size."""
        return self._mean(self._leads, size)

    def lasting(self, size: int) -> float:
        """A lower bound of the agreement at a size and at every larger one."""
        return self._mean(self._lasting, size)

    def _mean(self, values: np.ndarray, size: int) -> float:
        low, mass = self._chances(size)
        return float(np.clip(values[low : low + mass.size] @ mass, 0, 1))


# The last two: one pair is often asked about at several agreements, and may take 80 MB.
@lru_cache(maxsize=2)
def _by_size(pair: OnePair, largest: int) -> BySize:
    if pair.n_items is None:
        low, mass = binomial(largest, pair.rate)
        top = low + mass.size
        # An even D is the worst of those that follow: `lasting` needs it to be the last.
        top += top % 2
        leads = endless_lead_chances(pair.wins / pair.rate, top, pair.ties)
        return BySize(leads, lambda size: binomial(size, pair.rate))
    n_items, n = pair.n_items, int(pair.wins + pair.losses)
    f = log_factorials(n_items)
    leads = lead_chances(n, np.array([int(pair.wins)]), n, pair.ties, f)[0]
    return BySize(leads, lambda size: hypergeometric(n_items, n, size, f))


def make_pair(gap: float, rate: float, n_items: int | None, ties: str) -> OnePair:
    """The pair with a gap (points) and a disagreement rate (0–1), as nearly as the items allow.

    Of n items, gap and disagreements are whole numbers of items, both even or both odd: the gap is
    rounded, then the disagreements are, upwards where they are odd to the gap's even. So a wider
    gap at the same rate is always easier: from one to the next, an item turns from a loss to none,
    or from none to a win.

    Raises
    ------
    InputError
        If the gap is less than half an item.
    """
    if n_items is None:
        share = gap / 100
        rate = max(rate, share)
        return OnePair((rate + share) / 2, (rate - share) / 2, None, ties)
    lead = round(gap * n_items / 100)
    if lead == 0:
        raise InputError(
            f"a gap of {gap:g} points is less than half of one of the {n_items:,} items; allowed "
            f"are gaps from {100 / n_items:.3g} points, which is one item."
        )
    differing = max(lead, round(rate * n_items))
    if (differing - lead) % 2:
        differing += 1 if differing < n_items else -1
    return OnePair((differing + lead) // 2, (differing - lead) // 2, n_items, ties)
