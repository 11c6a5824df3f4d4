"""Figures of theory and planning; each takes a finished table and computes nothing."""

from __future__ import annotations

from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, NullLocator

from mbnb.publish.charts.plots import LEGEND, WIDEST_GAP, size_axis
from mbnb.publish.charts.style import INK, LOOKS, PAPER, THRESHOLD, TINTS, WIDTH

# An MDAD moves in steps of half a point.
BIN = 0.5
# Sizes that small charts have no room to name.
HIDDEN = (25, 200, 500)
MARKERS = ("o", "s", "^", "D", "v", "P", "X")


def draw_one_pair(table: pd.DataFrame, *, threshold: float = 0.8) -> Figure:
    """A pair's agreement against the size.

    Parameters
    ----------
    table : DataFrame
        By size, a column for each line; those whose names begin with “normal” are dotted.
    threshold : float
    """
    figure, axes = plt.subplots(figsize=(WIDTH, 3.8), layout="constrained")
    colors = iter((LOOKS["uniform"].color, *TINTS))
    for name in table:
        dotted = str(name).startswith("normal")
        axes.plot(
            table.index,
            table[name],
            color=THRESHOLD if dotted else next(colors),
            linestyle=":" if dotted else "-",
            linewidth=2.2 if dotted else 1.6,
            label=name,
        )
    axes.axhline(threshold, color=THRESHOLD, linewidth=1, linestyle=(0, (5, 3)))
    axes.set_xscale("log")
    ticks = [n for n in (1, 3, 10, 30, 100, 300, 1000, 10_000) if n <= table.index.max()]
    axes.set_xticks(ticks, [f"{n:,}" for n in ticks])
    axes.set_xticks([], minor=True)
    axes.set(xlabel="Items drawn", ylabel="Agreement", ylim=(0, 1.02))
    figure.legend(*axes.get_legend_handles_labels(), **LEGEND)
    plt.close(figure)
    return figure


def draw_normal_error(table: pd.DataFrame) -> Figure:
    """How far the normal approximation is off at worst, by size, a line for each disagreement rate.

    Parameters
    ----------
    table : DataFrame
        By size, a column for each disagreement rate (0–1) with the largest error of agreement.
    """
    figure, axes = plt.subplots(figsize=(WIDTH, 3.6), layout="constrained")
    shades = plt.get_cmap("viridis")(np.linspace(0, 0.8, table.shape[1]))
    for shade, marker, rate in zip(shades, MARKERS, table, strict=False):
        axes.plot(
            table.index,
            table[rate],
            color=shade,
            marker=marker,
            markersize=5,
            label=f"differ on {100 * float(rate):g} %",
        )
    size_axis(axes, list(table.index))
    axes.set(ylabel="Largest error of agreement", ylim=(0, None))
    axes.set_xlabel("Items drawn")
    figure.legend(*axes.get_legend_handles_labels(), **LEGEND)
    plt.close(figure)
    return figure


def draw_derived(
    counted: pd.DataFrame, derived: pd.DataFrame, sizes: Sequence[int], *, threshold: float = 0.8
) -> Figure:
    """Agreement against gap: counted in trials as dots, derived as lines.

    Parameters
    ----------
    counted, derived : DataFrame
        From `Agreement.curve`, of uniform sampling.
    sizes : sequence of int
        Those that are drawn.
    threshold : float
    """
    figure, axes = plt.subplots(figsize=(WIDTH, 4.4), layout="constrained")
    shades = plt.get_cmap("viridis")(np.linspace(0, 0.8, len(sizes)))
    for shade, marker, size in zip(shades, MARKERS, sizes, strict=False):
        dots, line = (
            table[(table["size"] == size) & (table["gap"] <= WIDEST_GAP)]
            for table in (counted, derived)
        )
        axes.plot(line["gap"], line["agreement"], color=shade, linewidth=1.8)
        axes.plot(
            dots["gap"],
            dots["agreement"],
            color=shade,
            marker=marker,
            markersize=4,
            linestyle="none",
            alpha=0.75,
            label=f"{size:,} items",
        )
    axes.axhline(threshold, color=THRESHOLD, linewidth=1.2, linestyle=":")
    axes.set(xlabel="Gap on the train half (points)", ylabel="Agreement", ylim=(0, 1.02))
    figure.legend(*axes.get_legend_handles_labels(), **{**LEGEND, "ncols": 3})
    plt.close(figure)
    return figure


def draw_luck(table: pd.DataFrame) -> Figure:
    """A small chart for each leaderboard: how far from the derived MDAD trials come out, by luck.

    Parameters
    ----------
    table : DataFrame
        Rows of one half of the measured table ``planning-uniform``.
    """
    names = list(dict.fromkeys(table["dataset"]))
    n_rows = -(-len(names) // 2)
    figure, panels = plt.subplots(
        n_rows,
        2,
        figsize=(WIDTH, 0.9 + 1.6 * n_rows),
        sharex=True,
        sharey=True,
        layout="constrained",
        squeeze=False,
    )
    sizes = sorted(int(size) for size in table["size"].unique())
    off = table.assign(
        measured=table["measured"] - table["exact"],
        low=table["lowest"] - table["exact"],
        high=table["highest"] - table["exact"],
    )
    reach = float(np.ceil(np.nanmax(np.abs(off[["measured", "low", "high"]].to_numpy()))))
    for place, axes in enumerate(panels.flat):
        if place >= len(names):
            axes.set_visible(False)
            continue
        own = off[off["dataset"] == names[place]].sort_values("size")
        axes.axhspan(-BIN, BIN, color=TINTS[2], alpha=0.25, linewidth=0, label="one bin either way")
        axes.axhline(0, color=THRESHOLD, linewidth=1.4, label="derived")
        # An interval that is open above goes past the edge.
        axes.vlines(
            own["size"],
            own["low"],
            own["high"].fillna(2 * reach),
            color=TINTS[0],
            alpha=0.55,
            linewidth=5,
            label="95 of 100 studies",
        )
        axes.plot(
            own["size"],
            own["measured"],
            linestyle="none",
            marker="o",
            markersize=6,
            color=LOOKS["uniform"].color,
            markeredgecolor=PAPER,
            label="measured",
        )
        size_axis(axes, sizes)
        axes.set_title(names[place], fontsize=9, color=INK, loc="left")
        axes.tick_params(labelsize=8)
        axes.set_xticks(sizes, ["" if size in HIDDEN else f"{size:,}" for size in sizes])
        axes.set(xlabel="", ylim=(-1.1 * reach, 1.1 * reach))
    figure.supxlabel("Size (items chosen)", fontsize=11, color=INK)
    figure.supylabel("Points from the derived MDAD", fontsize=11, color=INK)
    figure.legend(*panels[0, 0].get_legend_handles_labels(), **LEGEND)
    plt.close(figure)
    return figure


def draw_needed(table: pd.DataFrame, *, n_items: int | None = None) -> Figure:
    """Items needed against the gap, a line for each disagreement rate.

    Parameters
    ----------
    table : DataFrame
        From `plan_table`, of one agreement, number of items and rule for ties.
    n_items : int, optional
        Drawn as a level line.
    """
    figure, axes = plt.subplots(figsize=(WIDTH, 4.0), layout="constrained")
    rates = sorted(table["rate"].unique())
    shades = plt.get_cmap("viridis")(np.linspace(0, 0.8, len(rates)))
    for shade, marker, rate in zip(shades, MARKERS, rates, strict=False):
        own = table[(table["rate"] == rate) & (table["size"] > 0)]
        axes.plot(
            own["gap"], own["size"], color=shade, marker=marker, markersize=5,
            label=f"differ on {100 * rate:g} %",
        )  # fmt: skip
    if n_items:
        axes.axhline(n_items, color=INK, linewidth=1.2, linestyle=(0, (5, 3)))
    gaps = sorted(table["gap"].unique())
    axes.set(xscale="log", yscale="log", xlabel="Gap (points)", ylabel="Items needed")
    axes.xaxis.set_major_locator(FixedLocator(gaps))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_xticklabels([f"{gap:g}" for gap in gaps])
    ticks = [10**power for power in range(7) if 10**power <= 2 * table["size"].max()]
    axes.set_yticks(ticks, [f"{tick:,}" for tick in ticks])
    figure.legend(*axes.get_legend_handles_labels(), **LEGEND)
    plt.close(figure)
    return figure
