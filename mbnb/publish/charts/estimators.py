"""Tables of what estimators gain over the plain mean; takes finished figures, measures nothing."""

from __future__ import annotations

import numpy as np
import pandas as pd
from pandas.io.formats.style import Styler

from mbnb.data.errors import InputError
from mbnb.data.figures import measured
from mbnb.judge.agreement import agreement, mdad
from mbnb.judge.summary import summarise
from mbnb.judge.table import HALVES, Trials
from mbnb.publish.charts.leaderboards import THIS_RUN
from mbnb.publish.charts.style import label
from mbnb.publish.charts.tables import NOTHING, show

PLAIN = "weighted-mean"
# Pairs of up to so many points count as close.
CLOSE = 5.0
COLUMNS = ["dataset", "n_source", "n_target", "selector", "estimator", "size", "half", "mdad"]
MEASURES = ["low", "high", "mdad_half_ties", "close", "pairs", "tau", "error"]


def better_figures(part: str) -> pd.DataFrame:
    """A table that `benchmarks/better.py` measured; without rows where this part was not measured.

    Parameters
    ----------
    part : {"estimators", "ablation", "sources", "families", "fading"}
    """
    try:
        return measured(f"better-{part}")
    except InputError:
        return pd.DataFrame(columns=[*COLUMNS, *MEASURES, "families"])


def estimator_figures(trials: Trials, threshold: float = 0.8) -> pd.DataFrame:
    """What is kept of real leaderboards, of the trials of this run.

    Returns
    -------
    DataFrame
        A row for each cell and half: the columns of `measured("better-estimators")`, with the data
        set called “NAME, this run”.
    """
    halves, table = [], summarise(trials)
    for half in HALVES:
        strict, halved = (agreement(trials, half, ties=ties) for ties in ("wrong", "half"))
        rule = {"threshold": threshold, "min_pairs": trials.n_trials}
        near = strict.gaps <= CLOSE
        pairs, right = (
            values[:, :, near].sum(axis=(1, 2)) for values in (strict.pairs, strict.agreeing)
        )
        own = table[table["half"] == half].reset_index(drop=True)
        told = mdad(strict, **rule)  # type: ignore[arg-type]
        halves.append(
            own.assign(
                **{name: told[name] for name in ("mdad", "low", "high")},
                close=np.divide(right, pairs, out=np.full(len(own), np.nan), where=pairs > 0),
                mdad_half_ties=mdad(halved, **rule)["mdad"],  # type: ignore[arg-type]
            )
        )
    found = pd.concat(halves, ignore_index=True)
    found = found.assign(dataset=f"{trials.dataset}, {THIS_RUN}", n_target=trials.n_target)
    return found[[*COLUMNS, *MEASURES]].astype({"selector": str, "estimator": str})


def estimator_gains(table: pd.DataFrame) -> pd.DataFrame:
    """Each learnt estimate beside the plain mean of the same items.

    Parameters
    ----------
    table : DataFrame
        ``measured("better-estimators")``, or from `estimator_figures`.

    Returns
    -------
    DataFrame
        The rows of every estimator but `weighted-mean`, with ``plain`` (MDAD of the plain mean of
        the same items, points), ``ratio`` (MDAD ÷ plain), ``closer`` (agreement on close pairs less
        the plain mean's, 0–1), ``error_ratio``, ``plain_half_ties``, and ``verdict``: “smaller”
        or “larger” where the two intervals lie apart, else “”.
    """
    keys = [name for name in ("dataset", "n_source", "selector", "size", "half", "families")]
    keys = [name for name in keys if name in table]
    kept = ["mdad", "low", "high", "close", "error", "mdad_half_ties"]
    plain = table.loc[table["estimator"] == PLAIN, keys + kept]
    learnt = table[table["estimator"] != PLAIN]
    both = learnt.merge(plain, on=keys, suffixes=("", "_plain"), validate="many_to_one")
    verdict = np.where(
        both["high"] < both["low_plain"],
        "smaller",
        np.where(both["low"] > both["high_plain"], "larger", ""),
    )
    # An MDAD of 0 has no ratio.
    base = both["mdad_plain"].where(both["mdad_plain"] > 0)
    both = both.assign(
        ratio=both["mdad"] / base,
        closer=both["close"] - both["close_plain"],
        error_ratio=both["error"] / both["error_plain"].where(both["error_plain"] > 0),
        verdict=verdict,
    )
    names = {"mdad_plain": "plain", "mdad_half_ties_plain": "plain_half_ties"}
    return both.rename(columns=names).drop(
        columns=[f"{k}_plain" for k in kept if k in ("low", "high", "close", "error")]
    )


def gain_table(gains: pd.DataFrame, by: str = "selector", sizes: tuple[int, ...] = ()) -> Styler:
    """By how much MDADs change, train and held-out half: geometric means over data sets.

    Parameters
    ----------
    gains : DataFrame
        From `estimator_gains`.
    by : str
        Column whose values are the rows.
    sizes : tuple of int
        All where none are given.
    """
    sizes = sizes or tuple(sorted(gains["size"].unique()))
    rows = list(dict.fromkeys(gains[by]))
    body = [
        [_both(gains[(gains[by] == row) & (gains["size"] == size)]) for size in sizes]
        for row in rows
    ]
    frame = pd.DataFrame(
        body,
        index=[label(str(row)) if by == "selector" else str(row) for row in rows],
        columns=pd.Index([f"{size:,}" for size in sizes], name="Size"),
    )
    return show(frame)


def mean_ratio(ratios: pd.Series) -> float:
    """Geometric mean of ratios that are known and above 0; NaN of none."""
    known = ratios[ratios > 0]
    return float(np.exp(np.log(known.astype(float)).mean())) if len(known) else np.nan


def _both(own: pd.DataFrame) -> str:
    told = [_change(mean_ratio(own.loc[own["half"] == half, "ratio"])) for half in HALVES]
    return NOTHING if told == [NOTHING, NOTHING] else " → ".join(told)


def _change(ratio: float) -> str:
    if np.isnan(ratio):
        return NOTHING
    change = round(100 * (ratio - 1))
    return f"{change:+d}".replace("-", "−") if change else "0"
