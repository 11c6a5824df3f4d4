"""One selector beside uniform sampling: figure, tables and sentences; runs no trial."""

from __future__ import annotations

from collections.abc import Callable

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from pandas.io.formats.style import Styler

from mbnb.data.responses import ResponseMatrix
from mbnb.publish.plots import size_axis
from mbnb.publish.style import LOOKS, label
from mbnb.publish.tables import format_interval, listed, show
from mbnb.study.agreement import format_mdad

YARDSTICK = "uniform"
# Errors that differ by less than this share are called alike.
ALIKE = 0.05
NOTHING = "–"


def draw_comparison(mdads: pd.DataFrame, errors: pd.DataFrame) -> Figure:
    """MDAD with intervals above, estimation error below, both against size.

    Parameters
    ----------
    mdads, errors : DataFrame
        From `mdad` and `estimation_error`, one estimator for each selector.
    """
    figure, (above, below) = plt.subplots(2, 1, figsize=(6.4, 6.6), sharex=True)
    selectors = list(dict.fromkeys(mdads["selector"]))
    for position, selector in enumerate(selectors):
        look = LOOKS[selector]
        style = {
            "color": look.color,
            "marker": look.marker,
            "dashes": look.dash or (None, None),
            "label": look.label,
        }
        rows = mdads[mdads["selector"] == selector].sort_values("size")
        # Side by side, so that intervals of equal values do not hide one another.
        x = rows["size"] * 1.05 ** (position - (len(selectors) - 1) / 2)
        above.vlines(x, rows["low"], rows["high"], color=look.color, alpha=0.4, linewidth=3)
        above.plot(x, rows["mdad"], **style)
        rows = errors[errors["selector"] == selector].sort_values("size")
        below.plot(rows["size"], rows["error"], **style)
    size_axis(below, sorted(mdads["size"].unique()))
    above.set_ylabel("MDAD (points)")
    below.set_ylabel("Mean estimation error (points)")
    for axes in (above, below):
        axes.set_ylim(bottom=0)
    above.legend(loc="upper right")
    plt.close(figure)  # a page shows what is returned, and would show an open figure again
    return figure


def comparison_table(
    mdads: pd.DataFrame, errors: pd.DataFrame, reported: pd.DataFrame, benchmark: str
) -> Styler:
    """A row for each size: MDAD with its interval, estimation error, and the reported MDAD.

    Parameters
    ----------
    mdads, errors : DataFrame
        From `mdad` and `estimation_error`, one estimator for each selector.
    reported : DataFrame
        Columns selector, size and mdad.
    benchmark : str
        What the reported figures were measured on.
    """
    selectors = list(dict.fromkeys(mdads["selector"]))
    sizes = sorted(int(size) for size in mdads["size"].unique())
    columns: dict[tuple[str, str], list[str]] = {}
    for selector in selectors:
        own = mdads[mdads["selector"] == selector].set_index("size")
        columns["MDAD, measured", label(selector)] = [format_interval(own.loc[k]) for k in sizes]
    for selector in selectors:
        told = reported[reported["selector"] == selector].set_index("size")["mdad"]
        columns[f"MDAD, reported for {benchmark}", label(selector)] = [
            format_mdad(told[k]) if k in told.index else NOTHING for k in sizes
        ]
    for selector in selectors:
        error = errors[errors["selector"] == selector].set_index("size")["error"]
        columns["Estimation error, measured", label(selector)] = [f"{error[k]:.1f}" for k in sizes]
    frame = pd.DataFrame(columns, index=pd.Index([f"{k:,}" for k in sizes], name="Size"))
    return show(frame).set_caption("Points; 95 % intervals in brackets.")


def compare_mdad(mdads: pd.DataFrame, selector: str, against: str = YARDSTICK) -> str:
    """At which sizes a selector's MDAD lies below or above another's, as a sentence.

    Two MDADs count as different where their intervals do not overlap, which asks for more than a
    test of the difference would.
    """
    own, other = (
        mdads[mdads["selector"] == name].sort_values("size") for name in (selector, against)
    )
    first, second = ([_bounds(row) for _, row in rows.iterrows()] for rows in (own, other))
    sizes = [int(size) for size in own["size"]]
    pairs = list(zip(sizes, first, second, strict=True))
    below = [size for size, a, b in pairs if a[1] < b[0]]
    above = [size for size, a, b in pairs if a[0] > b[1]]
    level = [size for size in sizes if size not in below + above]
    parts = [
        f"{how} at {_items(found)}"
        for how, found in (
            ("below, with intervals apart,", below),
            ("above, with intervals apart,", above),
            ("level, with intervals that touch or overlap,", level),
        )
        if found
    ]
    return (
        f"Measured here, the MDAD of {label(selector)} against that of {label(against)} is "
        f"{listed(parts)}."
    )


def compare_error(errors: pd.DataFrame, selector: str, against: str = YARDSTICK) -> str:
    """At which sizes a selector's estimation error is lower or higher than another's."""
    own, other = (
        errors[errors["selector"] == name].set_index("size")["error"].sort_index()
        for name in (selector, against)
    )
    verdicts: list[tuple[str, Callable[[float, float], bool]]] = [
        ("lower", lambda a, b: a < (1 - ALIKE) * b),
        ("higher", lambda a, b: a > (1 + ALIKE) * b),
        (f"alike (within {ALIKE:.0%})", lambda a, b: abs(a - b) <= ALIKE * b),
    ]
    parts = []
    for how, holds in verdicts:
        found = [int(size) for size in own.index if holds(own[size], other[size])]
        if found:
            parts.append(f"{how} at {_items(found)}")
    small, large = own.index[0], own.index[-1]
    return (
        f"Its mean estimation error is {own[small]:.1f} points at {small:,} items "
        f"({label(against)}: {other[small]:.1f}) and {own[large]:.1f} at {large:,} "
        f"({other[large]:.1f}): {listed(parts)}."
    )


def cost_table(costs: pd.DataFrame, reported: pd.DataFrame, train: ResponseMatrix) -> Styler:
    """Seconds measured in this run beside those reported for the released code.

    Parameters
    ----------
    costs : DataFrame
        From `time_selector`.
    reported : DataFrame
        ``reported("costs")``; a size of NaN there stands for every size.
    train : ResponseMatrix
        What was fitted, for the caption.
    """
    told = reported[reported["selector"].isin(costs["selector"])]
    whole = told[(told["step"] == "selection") & told["size"].isna()]["seconds"]
    rows: dict[str, list[str]] = {"measured in this run": [], "reported, released code": []}
    names = []
    for _, cost in costs.iterrows():
        fit = cost["step"] == "fit"
        same_size = told["size"].isna() if fit else told["size"] == cost["size"]
        match = told[(told["step"] == cost["step"]) & same_size]["seconds"]
        value = match if match.size or fit else whole
        names.append("fit, once a trial" if fit else f"{int(cost['size']):,} items")
        rows["measured in this run"].append(_seconds(cost["seconds"]))
        rows["reported, released code"].append(_seconds(value.iloc[0]) if value.size else NOTHING)
    frame = pd.DataFrame(rows, index=pd.Index(names, name="Step"))
    return show(frame).set_caption(
        f"Seconds. Measured: one trial, {train.n_models:,} source models × {train.n_items:,} "
        "items, on the machine that made this page. Reported: 300 source models × 6,012 items, "
        "a two-core machine."
    )


def _bounds(row: pd.Series) -> tuple[float, float]:
    """Interval of an MDAD; “not reached” lies above every gap, and no interval tells nothing."""
    missing = np.isnan(row["low"])
    if missing and not np.isnan(row["mdad"]):
        return -np.inf, np.inf
    return (np.inf if missing else row["low"]), (np.inf if np.isnan(row["high"]) else row["high"])


def _items(sizes: list[int]) -> str:
    return f"{listed([f'{size:,}' for size in sizes])} items"


def _seconds(value: float) -> str:
    return "< 0.01" if value < 0.01 else f"{value:.2g}" if value < 10 else f"{value:.0f}"
