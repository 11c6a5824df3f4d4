"""Which selector leads on which leaderboard, and which reported findings hold; runs no trial.

Works on the table that `measured("leaderboards")` reads: a row for each data set, selector, size
and half, with the MDAD and the ends of its interval in points.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd

from mbnb.data.errors import InputError
from mbnb.judge.agreement import format_mdad

YARDSTICK = "uniform"
# Half a point: MDADs are centres of bins, and one bin is no difference.
BIN = 0.5
NEEDED = ("dataset", "selector", "size", "half", "mdad", "low", "high")


def leading_selectors(table: pd.DataFrame, half: str = "train") -> pd.DataFrame:
    """The selector with the lowest MDAD, on each data set at each size.

    Parameters
    ----------
    table : DataFrame
        See the module.
    half : {"train", "heldout"}

    Returns
    -------
    DataFrame
        Columns dataset, size, ``leader`` (of equal MDADs the first in the table; where none is
        below uniform sampling's, uniform sampling), ``mdad`` and ``uniform`` (points; NaN: not
        reached), ``gain`` (uniform less leader; NaN where either is not reached), ``clear``
        (whether the two intervals lie apart), and ``behind``: the selectors whose interval lies
        wholly above that of uniform sampling, as a tuple.

    Raises
    ------
    InputError
        If a column is missing, or uniform sampling at some size of some data set.

    Notes
    -----
    Intervals that lie apart are a stricter test than an interval of the difference that leaves out
    0 (`mdad_difference`), which needs the trials.
    """
    rows = []
    for (dataset, size), own in _checked(table, half).groupby(["dataset", "size"], sort=False):
        ranked = own.set_index("selector").sort_values("mdad", kind="stable")
        base = ranked.loc[YARDSTICK]
        leader = ranked.index[0]
        if not ranked["mdad"].iloc[0] < base["mdad"] and not np.isnan(base["mdad"]):
            leader = YARDSTICK
        best = ranked.loc[leader]
        behind = ranked.index[(ranked["low"] > base["high"]).to_numpy()]
        rows.append(
            {
                "dataset": dataset,
                "size": int(size),
                "leader": leader,
                "mdad": best["mdad"],
                "uniform": base["mdad"],
                "gain": base["mdad"] - best["mdad"],
                "clear": bool(best["high"] < base["low"]),
                "behind": tuple(name for name in own["selector"] if name in behind),
            }
        )
    return pd.DataFrame(rows)


def level_sizes(leads: pd.DataFrame) -> pd.Series:
    """From which size on no selector is clearly ahead of uniform sampling, by data set.

    Parameters
    ----------
    leads : DataFrame
        From `leading_selectors`.

    Returns
    -------
    Series
        NaN where some selector is clearly ahead at the largest size too.
    """
    sizes = {}
    for dataset, own in leads.sort_values("size").groupby("dataset", sort=False):
        ahead = own.loc[own["clear"], "size"].max()
        later = own.loc[~(own["size"] <= ahead), "size"]
        sizes[dataset] = float(later.min()) if len(later) else np.nan
    order = list(dict.fromkeys(leads["dataset"]))
    return pd.Series(sizes, name="level", dtype=float).reindex(order)


@dataclass(frozen=True)
class Finding:
    """One finding of the study, and how a leaderboard is asked about it.

    Attributes
    ----------
    name, sentence : str
    ask : callable
        Takes one data set's table, by selector and size, of each half, and tells whether the
        finding holds (None where the data do not allow the question) and what was seen.
    """

    name: str
    sentence: str
    ask: Callable[[pd.DataFrame, pd.DataFrame], tuple[bool | None, str]]


def check_findings(table: pd.DataFrame) -> pd.DataFrame:
    """Each finding of `FINDINGS` put to each data set.

    Returns
    -------
    DataFrame
        Columns dataset, ``finding`` (its name), ``holds`` (True, False, or None where the data do
        not allow the question) and ``seen`` (what decided).
    """
    rows = []
    train, heldout = _checked(table, "train"), _checked(table, "heldout")
    for dataset in dict.fromkeys(train["dataset"]):
        own, other = (
            half[half["dataset"] == dataset].set_index(["selector", "size"])
            for half in (train, heldout)
        )
        for finding in FINDINGS:
            holds, seen = finding.ask(own, other)
            rows.append((dataset, finding.name, holds, seen))
    found = pd.DataFrame(rows, columns=["dataset", "finding", "holds", "seen"])
    return found.astype({"holds": object})


def _checked(table: pd.DataFrame, half: str) -> pd.DataFrame:
    missing = [name for name in NEEDED if name not in table]
    if missing:
        raise InputError(f"the table of leaderboards lacks the column {missing[0]}.")
    own = table[table["half"] == half]
    sizes = set(map(tuple, own[["dataset", "size"]].to_numpy()))
    base = set(map(tuple, own.loc[own["selector"] == YARDSTICK, ["dataset", "size"]].to_numpy()))
    if lost := sorted(sizes - base, key=str):
        raise InputError(f"{lost[0][0]} has no row of {YARDSTICK} sampling at size {lost[0][1]}.")
    return own


def _mdad(own: pd.DataFrame, selector: str) -> pd.Series:
    """MDADs of a selector by size; none reached is infinite, above every gap."""
    if selector not in own.index.get_level_values("selector"):
        return pd.Series(dtype=float)
    return own.loc[selector, "mdad"].fillna(np.inf)


def _text(value: float) -> str:
    return format_mdad(value if np.isfinite(value) else np.nan)


def _small_gaps(own: pd.DataFrame, _: pd.DataFrame) -> tuple[bool | None, str]:
    smallest = own.index.get_level_values("size").min()
    if smallest != 10:
        return None, f"smallest size {smallest}"
    at_ten = own.xs(10, level="size")["mdad"].fillna(np.inf)
    return bool(at_ten.min() >= 3.5), _text(at_ten.min())


def _anchor_leads(own: pd.DataFrame, _: pd.DataFrame) -> tuple[bool | None, str]:
    anchor = _mdad(own, "anchor-points")
    small = anchor[anchor.index <= 50]
    if small.empty:
        return None, "not run"
    best = own["mdad"].fillna(np.inf).groupby("size").min()
    behind = [size for size in small.index if small[size] > best[size]]
    if not behind:
        return True, ", ".join(_text(value) for value in small)
    worst = max(behind, key=lambda size: min(small[size], 100) - min(best[size], 100))
    return False, f"{_text(small[worst])} against {_text(best[worst])} at {worst:,}"


def _level_at_250(own: pd.DataFrame, _: pd.DataFrame) -> tuple[bool | None, str]:
    large = own[own.index.get_level_values("size") >= 250]
    if large.empty:
        return None, "fewer than 250 items to draw"
    ahead = []
    for size, rows in large.groupby("size"):
        rows = rows.droplevel("size")
        clear = rows.index[(rows["high"] < rows.loc[YARDSTICK, "low"]).to_numpy()]
        if len(clear):
            best = rows.loc[clear, "mdad"].min()
            ahead.append(f"{_text(best)} against {_text(_mdad(own, YARDSTICK)[size])} at {size:,}")
    return not ahead, ahead[0] if ahead else ""


def _anchor_stalls(own: pd.DataFrame, _: pd.DataFrame) -> tuple[bool | None, str]:
    anchor, base = _mdad(own, "anchor-points"), _mdad(own, YARDSTICK)
    large = [size for size in anchor.index if size >= 500]
    if not large:
        return None, "fewer than 500 items to draw"
    size = max(large)
    return bool(anchor[size] > base[size]), (
        f"{_text(anchor[size])} against {_text(base[size])} at {size:,}"
    )


def _diversity_keeps_up(own: pd.DataFrame, _: pd.DataFrame) -> tuple[bool | None, str]:
    own_mdad, base = _mdad(own, "diversity"), _mdad(own, YARDSTICK)
    if own_mdad.empty:
        return None, "not run"
    lag = (own_mdad.clip(upper=100) - base.clip(upper=100)).dropna()
    size = lag.idxmax()
    seen = f"{_text(own_mdad[size])} against {_text(base[size])} at {size:,}"
    return bool(lag[size] <= BIN), seen


def _heldout_alike(own: pd.DataFrame, heldout: pd.DataFrame) -> tuple[bool | None, str]:
    change = (heldout["mdad"] - own["mdad"]).dropna()
    if change.empty:
        return None, "none reached"
    return bool(abs(change.mean()) <= BIN), f"{change.mean():+.1f}".replace("-", "−")


FINDINGS = (
    Finding(
        "small gaps",
        "No selector tells models less than 3.5 points apart with 10 items.",
        _small_gaps,
    ),
    Finding("Anchor Points leads", "Anchor Points is ahead at 10 to 50 items.", _anchor_leads),
    Finding(
        "level from 250",
        "From 250 items on uniform sampling is level with every selector.",
        _level_at_250,
    ),
    Finding(
        "Anchor Points stalls",
        "With the most items Anchor Points is behind uniform sampling.",
        _anchor_stalls,
    ),
    Finding(
        "Diversity keeps up",
        "Diversity is nowhere behind uniform sampling.",
        _diversity_keeps_up,
    ),
    Finding(
        "held-out alike",
        "On items that no selector saw, MDADs are hardly higher.",
        _heldout_alike,
    ),
)
