"""Charts of Kendall's tau beside the MDAD; each takes a finished table and computes nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from mbnb.publish.charts.plots import LEGEND, WIDEST_GAP, points_axis
from mbnb.publish.charts.style import (
    INK,
    LOOKS,
    OTHERS,
    PAPER,
    THRESHOLD,
    TINTS,
    WIDTH,
    Look,
    label,
    series_of,
)
from mbnb.publish.charts.tables import NOTHING

# What one line of a chart with many lines is told from the next by.
MARKERS = "osD^vPX*h<>p"


def cell_name(cell: pd.Series) -> str:
    """A cell as running text and charts name it: “Anchor Points, 10 items”."""
    return f"{label(str(cell['selector']))}, {int(cell['size']):,} items"


def signed(value: float, digits: int = 2) -> str:
    """A correlation as people read it: “−0.79”; “–” where there is none."""
    return (
        NOTHING
        if np.isnan(value)
        else f"{round(value, digits) + 0.0:.{digits}f}".replace("-", "\N{MINUS SIGN}")
    )  # + 0.0: −0.001 is no “−0.00”


def draw_tau_mdad(table: pd.DataFrame) -> Figure:
    """MDAD against tau, a mark for each cell, those of one selector joined in order of size.

    Parameters
    ----------
    table : DataFrame
        From `tau_and_mdad`. A cell whose MDAD is not reached has no mark, and an interval that is
        open above goes up to the top.
    """
    figure, axes = plt.subplots(figsize=(WIDTH, 4.8), layout="constrained")
    ends = table[["mdad", "low", "high"]].to_numpy(dtype=float)
    top = float(np.nanmax(ends)) if np.isfinite(ends).any() else 1.0
    for name, (look, rows) in series_of(table).items():
        rows = rows.sort_values("size")
        style: dict[str, Any] = {"color": look.color, "alpha": 0.35, "linewidth": 2}
        axes.vlines(rows["tau"], rows["low"], rows["high"].fillna(2 * top), **style)
        axes.hlines(rows["mdad"], rows["tau_low"], rows["tau_high"], **style)
        axes.plot(
            rows["tau"],
            rows["mdad"],
            color=look.color,
            marker=look.marker,
            markeredgecolor=PAPER,
            markeredgewidth=0.6,
            dashes=look.dash or (None, None),
            linewidth=1.2,
            label=name,
        )
    points_axis(axes, top)
    axes.set(xlabel="Kendall’s tau-b, mean over trials", ylabel="MDAD (points)")
    figure.legend(*axes.get_legend_handles_labels(), **LEGEND)
    plt.close(figure)  # a page shows what is returned, and would show an open figure again
    return figure


def draw_curves(
    curves: Mapping[str, tuple[pd.DataFrame, Look | None]],
    *,
    threshold: float = 0.8,
    xlabel: str = "Gap on the full half (points)",
) -> Figure:
    """A few agreement curves in one chart, and beneath it what share of the pairs each bin holds.

    Parameters
    ----------
    curves : mapping of str to (DataFrame, Look or None)
        By the line's name, its ``gap``, ``agreement`` and ``pairs``, and how it is drawn; where
        that is None, as a line that stands for no selector.
    threshold : float
    xlabel : str
    """
    figure, (above, below) = plt.subplots(
        2, 1, figsize=(WIDTH, 5.2), sharex=True, height_ratios=[3, 1], layout="constrained"
    )
    for number, (name, (curve, look)) in enumerate(curves.items()):
        near = curve[curve["gap"] <= WIDEST_GAP]
        shown = look or Look(name, TINTS[number % len(TINTS)], MARKERS[number], (), "circle")
        style: dict[str, Any] = {
            "color": shown.color,
            "dashes": shown.dash or (None, None),
            "linewidth": 1.6,
        }
        above.plot(
            near["gap"],
            near["agreement"],
            marker=shown.marker,
            markersize=4,
            label=name,
            **style,
        )
        below.plot(near["gap"], 100 * near["pairs"] / curve["pairs"].sum(), **style)
    above.axhline(threshold, linestyle=":", color=THRESHOLD)
    above.set(ylabel="Agreement", ylim=(0, 1.02))
    below.set(xlabel=xlabel, ylabel="Per cent\nof pairs", ylim=(0, None))
    figure.legend(*above.get_legend_handles_labels(), **{**LEGEND, "ncols": 1})
    plt.close(figure)
    return figure


def draw_tau_by_gap(parts: pd.DataFrame, mdads: pd.DataFrame) -> Figure:
    """Which share of tau comes from pairs at least so far apart; a mark stands at the MDAD.

    Parameters
    ----------
    parts : DataFrame
        From `tau_by_gap`, of one selector.
    mdads : DataFrame
        From `mdad`, of the same cells.
    """
    figure, axes = plt.subplots(figsize=(WIDTH, 4.2), layout="constrained")
    sizes = sorted(parts["size"].unique())
    shades = plt.get_cmap("viridis")(np.linspace(0, 0.8, len(sizes)))
    for shade, size, marker in zip(shades, sizes, MARKERS, strict=False):
        own = parts[parts["size"] == size].sort_values("gap")
        axes.plot(own["gap"], 100 * own["above"], color=shade, linewidth=1.5)
        found = mdads.loc[mdads["size"] == size, "mdad"].iloc[0]
        at = own[own["gap"] >= found - 1e-9].head(1)
        text = f"{int(size):,} items"
        axes.plot(
            at["gap"], 100 * at["above"], color=shade, marker=marker, markersize=8, label=text
        )
    share = parts[parts["size"] == sizes[0]].sort_values("gap")
    axes.plot(
        share["gap"],
        100 * share["share"][::-1].cumsum()[::-1],
        color=INK,
        linestyle=":",
        label="share of the pairs",
    )
    axes.set(
        xlabel="Gap on the full half (points)",
        ylabel="Per cent of tau from pairs\nat least so far apart",
        xlim=(0, min(WIDEST_GAP, share["gap"].max())),
        ylim=(0, 102),
    )
    figure.legend(*axes.get_legend_handles_labels(), **LEGEND)
    plt.close(figure)
    return figure


def draw_spread(table: pd.DataFrame) -> Figure:
    """Tau above and MDAD below, against the share of the models kept, a line for each cell.

    Parameters
    ----------
    table : DataFrame
        From `tau_by_spread`, with the shares kept (0–1) as its groups.
    """
    figure, (above, below) = plt.subplots(
        2, 1, figsize=(WIDTH, 5.6), sharex=True, layout="constrained"
    )
    ends = table[["mdad", "low", "high"]].to_numpy(dtype=float)
    top = float(np.nanmax(ends)) if np.isfinite(ends).any() else 1.0
    cells = list(table.groupby(["selector", "size"], observed=True, sort=False))
    for number, (_, rows) in enumerate(cells):
        rows = rows.sort_values("kept", ascending=False)
        look = LOOKS.get(str(rows["selector"].iloc[0]), OTHERS[0])
        # Beside one another, since the intervals of one selector have one colour.
        x = 100 * rows["kept"] + 0.8 * (number - (len(cells) - 1) / 2)
        style: dict[str, Any] = {
            "color": look.color,
            "marker": MARKERS[number % len(MARKERS)],
            "linewidth": 1.5,
        }
        thick: dict[str, Any] = {"color": look.color, "alpha": 0.35, "linewidth": 3}
        above.vlines(x, rows["tau_low"], rows["tau_high"], **thick)
        above.plot(x, rows["tau"], label=cell_name(rows.iloc[0]), **style)
        below.vlines(x, rows["low"], rows["high"].fillna(2 * top), **thick)
        below.plot(x, rows["mdad"], **style)
    above.set(ylabel="Kendall’s tau-b", ylim=(0, 1))
    points_axis(below, top)
    below.set(xlabel="Models kept, those nearest the median (per cent)", ylabel="MDAD (points)")
    below.set_xticks(sorted(100 * table["kept"].unique()))
    below.invert_xaxis()
    figure.legend(*above.get_legend_handles_labels(), **LEGEND)
    plt.close(figure)
    return figure


def draw_leaderboards_tau(table: pd.DataFrame) -> Figure:
    """MDAD against tau on many leaderboards, a line for each, its sizes rising from the left.

    Parameters
    ----------
    table : DataFrame
        Columns dataset, size, tau and mdad, of one selector and half.
    """
    figure, axes = plt.subplots(figsize=(WIDTH, 5.2), layout="constrained")
    names = list(dict.fromkeys(table["dataset"]))
    for number, name in enumerate(names):
        rows = table[table["dataset"] == name].sort_values("size")
        simulated = name.startswith("simulated:")
        axes.plot(
            rows["tau"],
            rows["mdad"],
            marker=MARKERS[number % len(MARKERS)],
            color=TINTS[2] if simulated else plt.get_cmap("viridis")(number / len(names)),
            linestyle="--" if simulated else "-",
            linewidth=1.3,
            label=name,
        )
    points_axis(axes, float(table["mdad"].max()))
    axes.set(xlabel="Kendall’s tau-b, mean over trials", ylabel="MDAD (points)")
    figure.legend(*axes.get_legend_handles_labels(), **{**LEGEND, "fontsize": 9})
    plt.close(figure)
    return figure
