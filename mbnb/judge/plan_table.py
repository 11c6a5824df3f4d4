"""Several plans at a time: for many questions, and for unusual pairs; each is one of `plan`."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import pandas as pd

from mbnb.judge.power import PowerPlan, plan


def plan_table(
    gaps: Sequence[float],
    rates: Sequence[float],
    *,
    agreements: Sequence[float] = (0.8,),
    n_items: Sequence[int | None] = (None,),
    ties: Sequence[str] = ("wrong",),
) -> pd.DataFrame:
    """The sizes of `plan` for each combination that is possible.

    Parameters
    ----------
    gaps : sequence of float
        In points.
    rates : sequence of float
        Disagreement rates (0–1); those below a gap are left out with it, and so are gaps of less
        than half an item.
    agreements, n_items, ties
        See `plan`.

    Returns
    -------
    DataFrame
        Columns ``gap``, ``rate``, ``agreement`` (asked for), ``items`` (0 for an endless
        benchmark), ``ties`` and ``size``; a size of 0 where none will do.
    """
    rows = []
    # Agreements last: `plan` keeps what it worked out for a pair.
    for rate, items, rule, gap, agreement in product(rates, n_items, ties, gaps, agreements):
        if gap > 100 * rate + 1e-9 or (items is not None and round(gap * items / 100) == 0):
            continue
        found = plan(gap=gap, agreement=agreement, disagreement=rate, n_items=items, ties=rule)
        rows.append((gap, rate, agreement, items or 0, rule, found.size or 0))
    return pd.DataFrame(rows, columns=["gap", "rate", "agreement", "items", "ties", "size"])


def plan_for_others(
    plan_of: PowerPlan, pairs: pd.DataFrame, tail: float = 0.1, n_near: int = 101
) -> tuple[PowerPlan, PowerPlan]:
    """The same question for pairs that differ on unusually few or many items.

    A plan by a table of pairs is one for the mean disagreement of its gap; pairs as far apart can
    be easier or harder to order.

    Parameters
    ----------
    plan_of : PowerPlan
        From `plan`, solved for the size or the agreement.
    pairs : DataFrame
        From `compare_pairs`.
    tail : float
        The share of pairs below the first and above the second rate.
    n_near : int
        How many pairs, those of the nearest gaps, the rates are taken from.

    Returns
    -------
    (PowerPlan, PowerPlan)
    """
    distance = (pairs["gap"] - plan_of.gap).abs().sort_values(kind="stable")
    near = pairs.loc[distance.index[:n_near], "disagreement"] / 100
    asked = {"agreement": plan_of.threshold} if plan_of.solved == "size" else {"size": plan_of.size}
    low, high = (
        plan(
            gap=plan_of.gap,
            disagreement=max(float(near.quantile(share)), plan_of.gap / 100),
            n_items=plan_of.n_items,
            ties=plan_of.ties,
            **asked,
        )
        for share in (tail, 1 - tail)
    )
    return low, high
