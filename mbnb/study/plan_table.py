"""Sizes that uniform sampling needs, for many questions at a time; see `plan`."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import pandas as pd

from mbnb.study.power import plan


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
