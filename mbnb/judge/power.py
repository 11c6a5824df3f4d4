"""Solves for the size, the gap or the agreement of uniform sampling; runs no trial.

What a power analysis is for a test, this is for the order of two models, and everything is exact.

How agreement goes with the size. With a tie worth a half it never falls. With a tie worth nothing
it may fall from an odd size to an even one where two models differ on most of the items; where they
differ on at most half, it never does for an endless benchmark, nor for any pair on up to 40 items.
(Endless, with shares w ≥ l of wins and losses, the change from size k to the next is in proportion
to c₀ √w − c₁ √l, where c₀ and c₁ are the coefficients of z⁰ and z¹ in
(1 − w − l + √(wl) (z + 1/z))ᵏ; and c₀ ≥ c₁ wherever 1 − w − l ≥ 2 √(wl), since on the unit circle
that sum is then nowhere negative.) So a needed size is the smallest *from which on* agreement stays
at the threshold.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace

import numpy as np
import pandas as pd

from mbnb.data.errors import InputError
from mbnb.judge.exact import check_ties
from mbnb.judge.normal import STEP, normal_agreement
from mbnb.judge.one_pair import OnePair, make_pair

# Sizes above this are not searched: no benchmark is so large.
MOST = 5_000_000
# Sums of chances are no nearer to the truth.
NEAR = 1e-9


@dataclass(frozen=True, repr=False)
class PowerPlan:
    """A gap, a size and an agreement that belong together, one of them solved for.

    Attributes
    ----------
    solved : {"size", "gap", "agreement"}
    gap : float
        In points: of a benchmark of n items, the nearest that n items allow. NaN where none will
        do.
    disagreement : float
        Share (0–1) of the items on which the two models differ, as nearly as the items allow.
    size : int or None
        Items drawn; None where none are enough.
    agreement : float
        Of that pair at that size (0–1); where none will do, the most that was found.
    threshold : float or None
        The agreement that was asked for.
    n_items : int or None
        Of the benchmark; None if it is endless.
    ties : {"wrong", "half"}
    normal : float
        What the normal approximation says in the place of what was solved for; NaN for nothing.
    why : str
        Where there is no answer, one sentence on why; else empty.
    """

    solved: str
    gap: float
    disagreement: float
    size: int | None
    agreement: float
    threshold: float | None
    n_items: int | None
    ties: str
    normal: float
    why: str = ""

    def __repr__(self) -> str:
        """As of any dataclass, with four digits of every number."""
        told = {part.name: getattr(self, part.name) for part in fields(self)}
        texts = (f"{k}={v:.4g}" if isinstance(v, float) else f"{k}={v!r}" for k, v in told.items())
        return f"{type(self).__name__}({', '.join(texts)})"


def plan(
    *,
    gap: float | None = None,
    size: int | None = None,
    agreement: float | None = None,
    disagreement: float | pd.DataFrame,
    n_items: int | None = None,
    ties: str = "wrong",
) -> PowerPlan:
    """Solve for the size, the gap or the agreement of uniform sampling, given the other two.

    Parameters
    ----------
    gap : float, optional
        Difference of the two models' accuracies on all items, in points.
    size : int, optional
        Items drawn at random, without replacement.
    agreement : float, optional
        The chance that the sample puts the two in the right order: above 0.5, at most 1, and below
        1 of an endless benchmark. Exactly two of the three must be given.
    disagreement : float or DataFrame
        The share (0–1) of the items on which the two differ, no less than the gap; or a table from
        `compare_pairs`, from which it is taken: the mean of the pairs within half a point of the
        gap, interpolated where there are none.
    n_items : int, optional
        Of the benchmark; endless where it is not given.
    ties : {"wrong", "half"}
        What a tied estimate counts.

    Returns
    -------
    PowerPlan
        Where nothing will do, its ``why`` says so.

    Raises
    ------
    InputError
        If an argument is not as above, or not two of the three are given.

    Notes
    -----
    A size is the smallest from which on agreement stays at the threshold. A gap is the smallest
    number of items, or of hundredths of a point of an endless benchmark, that reaches it; agreement
    rises with the gap at any one disagreement rate, and is taken to do so with rates from a table.
    The normal approximation is `normal_agreement`. The question is that of sample size for paired
    proportions (Connor 1987), asked of an order in place of a test.
    """
    _check(gap, size, agreement, n_items, ties)
    rate_at = _rates(disagreement, gap)
    if gap is None:
        assert size is not None and agreement is not None
        if isinstance(disagreement, pd.DataFrame):
            widest = float(disagreement["gap"].max())
        else:
            widest = 100 * disagreement
        return _solve_gap(size, agreement, rate_at, widest, n_items, ties)
    pair = make_pair(gap, rate_at(gap), n_items, ties)
    if size is None:
        assert agreement is not None
        return _solve_size(pair, agreement)
    return _planned("agreement", pair, size, pair.by_size(size).exact(size), _normal(pair, size))


def _solve_size(pair: OnePair, threshold: float) -> PowerPlan:
    largest = pair.n_items or 64
    by_size = pair.by_size(largest)
    while by_size.lasting(largest) < threshold - NEAR:
        if largest == MOST:
            why = (
                f"No size up to {MOST:,} items orders two models {pair.gap:.3g} points apart with "
                f"an agreement of {threshold:g}."
            )
            found = by_size.exact(largest)
            return replace(_planned("size", pair, None, found, np.nan, threshold), why=why)
        largest = min(4 * largest, MOST)
        by_size = pair.by_size(largest)
    if pair.ties == "half" or (pair.n_items is None and pair.rate <= 0.5):
        needed = _first(lambda k: by_size.exact(k) >= threshold - NEAR, largest)
    else:
        needed = _first(lambda k: by_size.lasting(k) >= threshold - NEAR, largest)
        while needed > 1 and by_size.exact(needed - 1) >= threshold - NEAR:
            needed -= 1
    normal = _first(lambda k: _normal(pair, k) >= threshold, pair.n_items or 2 * largest)
    return _planned("size", pair, needed, by_size.exact(needed), normal, threshold)


def _solve_gap(
    size: int,
    threshold: float,
    rate_at: Callable[[float], float],
    widest: float,
    n_items: int | None,
    ties: str,
) -> PowerPlan:
    unit = 100 / n_items if n_items else STEP
    last = max(1, int(np.floor(widest / unit + 1e-9)))

    def pair_at(step: int) -> OnePair:
        return make_pair(unit * step, rate_at(unit * step), n_items, ties)

    def chance(step: int) -> float:
        return pair_at(step).by_size(size).exact(size)

    step = _first(lambda g: _normal(pair_at(g), size) >= threshold, last)
    reached = _normal(pair_at(step), size) >= threshold
    normal = pair_at(step).gap if reached else np.nan
    step = _first(lambda g: chance(g) >= threshold - NEAR, last)
    pair, found = pair_at(step), chance(step)
    planned = _planned("gap", pair, size, found, normal, threshold)
    if found >= threshold - NEAR:
        return planned
    why = (
        f"With {size:,} items no gap reaches an agreement of {threshold:g}: even a model "
        f"{pair.gap:.3g} points ahead, the most that is possible here, comes out ahead with a "
        f"chance of only {found:.2f}."
    )
    return replace(planned, gap=np.nan, why=why)


def _planned(
    solved: str,
    pair: OnePair,
    size: int | None,
    agreement: float,
    normal: float,
    threshold: float | None = None,
) -> PowerPlan:
    return PowerPlan(
        solved=solved,
        gap=round(pair.gap, 9),
        disagreement=round(pair.rate, 12),
        size=size,
        agreement=agreement,
        threshold=threshold,
        n_items=pair.n_items,
        ties=pair.ties,
        normal=float(normal),
    )


def _first(enough: Callable[[int], bool], largest: int) -> int:
    """The first number from 1 on that is enough, by halving; `largest` where none below it is."""
    low, high = 1, largest
    while low < high:
        middle = (low + high) // 2
        if enough(middle):
            high = middle
        else:
            low = middle + 1
    return low


def _normal(pair: OnePair, size: int) -> float:
    gap, rate = np.array([pair.gap]), np.array([100 * pair.rate])
    return float(normal_agreement(gap, rate, size, pair.n_items, ties=pair.ties)[0])


def _rates(disagreement: float | pd.DataFrame, gap: float | None) -> Callable[[float], float]:
    """The disagreement rate (0–1) of a gap (points)."""
    if not isinstance(disagreement, pd.DataFrame):
        if not 0 < disagreement <= 1:
            raise InputError(
                f"disagreement {disagreement:g} is not possible; allowed: above 0, at most 1, the "
                "share of the items on which the two models differ."
            )
        if gap is not None and gap > 100 * disagreement + 1e-9:
            raise InputError(
                f"a gap of {gap:g} points with a disagreement of {disagreement:g} is not possible: "
                f"two models that far apart differ on a share of at least {gap / 100:g}."
            )
        return lambda gap: disagreement
    rates = disagreement["disagreement"].groupby(np.rint(disagreement["gap"])).mean() / 100
    return lambda gap: float(max(np.interp(gap, rates.index, rates), gap / 100))


def _check(
    gap: float | None,
    size: int | None,
    agreement: float | None,
    n_items: int | None,
    ties: str,
) -> None:
    check_ties(ties)
    asked = {"gap": gap, "size": size, "agreement": agreement}
    given = [name for name, value in asked.items() if value is not None]
    if len(given) != 2:
        raise InputError(
            "two of gap, size and agreement must be given, and the third is solved for; given: "
            f"{', '.join(given) or 'none'}."
        )
    if n_items is not None and not 1 <= n_items <= MOST:
        raise InputError(f"{n_items:,} items are not possible; allowed are 1 to {MOST:,}.")
    if gap is not None and not 0 < gap <= 100:
        raise InputError(
            f"a gap of {gap:g} points is not possible; allowed: above 0, at most 100 points."
        )
    most = n_items or MOST
    if size is not None and not 1 <= size <= most:
        raise InputError(f"size {size:,} is not possible; allowed are 1 to {most:,}.")
    if agreement is not None and not (0.5 < agreement < 1 or (agreement == 1 and n_items)):
        raise InputError(
            f"an agreement of {agreement:g} is not possible; allowed: above 0.5, "
            f"{'at most' if n_items else 'below'} 1."
        )
