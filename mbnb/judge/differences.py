"""Differences of MDADs whose trials are drawn alike; counts no agreement and runs no trial."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from mbnb.judge.agreement import Agreement, Reading, crossing, resampling


def mdad_differences(
    first: Agreement,
    second: Agreement,
    cells: Sequence[tuple[int, int]],
    reading: Reading | None = None,
    *,
    n_resamples: int = 1000,
    seed: int = 0,
) -> pd.DataFrame:
    """MDAD of one cell minus that of another, with an interval, for each pair of cells.

    Trials are resampled, and the same ones for both cells of a pair: they share models and items,
    so that what is alike in both cancels.

    Parameters
    ----------
    first, second : Agreement
        Of the same trials; may be one and the same.
    cells : sequence of (int, int)
        The positions of a pair's cells, in `first` and in `second`.
    reading, n_resamples, seed
        See `mdad`.

    Returns
    -------
    DataFrame
        A row for each pair: ``first`` and ``second`` (the two MDADs), ``difference``, ``low`` and
        ``high``, all in points. NaN where an MDAD is not reached; an end of the interval is NaN
        where it is open or there are fewer than two trials.
    """
    reading = reading or first.reading
    draws = resampling(first, n_resamples, seed)
    read: list[dict[int, tuple[float, np.ndarray]]] = []
    for counts, used in zip((first, second), zip(*cells, strict=True), strict=False):
        decide = (counts.gaps, reading)
        own = {}
        for cell in set(used):
            pairs, agreeing = counts.pairs[cell], counts.agreeing[cell]
            value = crossing(pairs.sum(axis=0)[None], agreeing.sum(axis=0)[None], *decide)[0]
            own[cell] = (value, crossing(draws @ pairs, draws @ agreeing, *decide))
        read.append(own)
    tails = [(1 - reading.level) / 2, (1 + reading.level) / 2]
    rows = []
    for a, b in cells:
        (above, drawn_above), (below, drawn_below) = read[0][a], read[1][b]
        low = high = np.nan
        if first.pairs.shape[1] > 1:
            low, high = _ends(drawn_above, drawn_below, tails)
        rows.append((above, below, above - below, low, high))
    columns = ["first", "second", "difference", "low", "high"]
    return pd.DataFrame(rows, columns=columns, dtype=float)


def _ends(above: np.ndarray, below: np.ndarray, tails: list[float]) -> tuple[float, float]:
    """Ends of the interval of above − below; “not reached” lies above every gap."""
    known = ~(np.isnan(above) & np.isnan(below))
    if not known.any():
        return np.nan, np.nan
    first, second = (np.where(np.isnan(v), np.inf, v)[known] for v in (above, below))
    low, high = np.quantile(first - second, tails, method="inverted_cdf")
    return (low if np.isfinite(low) else np.nan), (high if np.isfinite(high) else np.nan)
