"""Figures of numbers and families of source models; measures nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, NullLocator

from mbnb.publish.charts.comparison import YARDSTICK
from mbnb.publish.charts.plots import LEGEND
from mbnb.publish.charts.sources import sources_elsewhere
from mbnb.publish.charts.style import INK, LOOKS, PAPER, THRESHOLD, TINTS, WIDTH, label

# What the three lots of `draw_pools` are called, with a colour and a marker.
LOTS = {
    "own": ("the targets’ own families", TINTS[1], "o"),
    "few": ("a few other families", TINTS[0], "s"),
    "many": ("many other families", TINTS[2], "D"),
}


def draw_sources(table: pd.DataFrame) -> Figure:
    """MDAD against the number of sources: a small chart for each size, a line for each selector.

    Parameters
    ----------
    table : DataFrame
        From `mdad`, of trials with several `n_source`.
    """
    parts = [(f"{size:,} items", own) for size, own in table.groupby("size", sort=True)]
    return _small_multiples(parts)


def draw_sources_elsewhere(size: int) -> Figure:
    """MDAD against the number of sources on the leaderboards measured, at one size.

    Parameters
    ----------
    size : int
    """
    table = sources_elsewhere()
    table = table[table["size"] == size]
    names = dict.fromkeys(table["dataset"])
    parts = [(name, table[table["dataset"] == name]) for name in names]
    return _small_multiples(parts)


def _small_multiples(parts: Sequence[tuple[str, pd.DataFrame]]) -> Figure:
    n_columns = min(2, len(parts))
    n_rows = -(-len(parts) // n_columns)
    figure, grid = plt.subplots(
        n_rows,
        n_columns,
        figsize=(WIDTH, 2.0 * n_rows + 1.0),
        sharex=True,
        squeeze=False,
        layout="constrained",
    )
    ticks = sorted(set(np.concatenate([own["n_source"].unique() for _, own in parts])))
    for axes, (title, own) in zip(grid.flat, parts, strict=False):
        _draw_panel(axes, own)
        source_axis(axes, ticks)
        axes.set_title(title, loc="left", fontsize="small")
    for number, axes in enumerate(grid.flat):
        axes.set_visible(number < len(parts))
        # A chart with none below it shows the numbers of sources itself.
        last = number + n_columns >= len(parts)
        axes.set_xlabel("Source models" if last else "")
        axes.tick_params(labelbottom=last)
    figure.supylabel("MDAD (points)", fontsize="medium")
    handles: dict[str, Artist] = {}
    for axes in grid.flat:
        own_handles, names = axes.get_legend_handles_labels()
        handles |= dict(zip(names, own_handles, strict=True))
    figure.legend(list(handles.values()), list(handles), **LEGEND)
    plt.close(figure)  # a page shows what is returned, and would show an open figure again
    return figure


def source_axis(axes: Axes, counts: Sequence[int]) -> None:
    """A log axis whose ticks are the numbers of sources that were run."""
    axes.set_xscale("log")
    # Neighbours on a log axis would run into one another: 200, 250, 300.
    kept: list[int] = []
    for count in sorted(counts, reverse=True):
        if not kept or kept[-1] / count > 1.8:
            kept.append(int(count))
    axes.xaxis.set_major_locator(FixedLocator(kept))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_xticklabels([f"{count:,}" for count in kept])
    axes.set_xlim(min(counts) / 1.25, max(counts) * 1.25)


def _draw_panel(axes: Axes, table: pd.DataFrame) -> None:
    if "uniform" in table:
        axes.axhline(
            table["uniform"].iloc[0],
            color=LOOKS[YARDSTICK].color,
            linestyle="--",
            linewidth=1.2,
            label=f"{label(YARDSTICK)} (no sources)",
        )
    columns = [name for name in ("mdad", "low", "high", "uniform") if name in table]
    top = float(np.nanmax(table[columns].to_numpy(float), initial=1.0))
    selectors = list(dict.fromkeys(map(str, table["selector"])))
    for position, selector in enumerate(selectors):
        look = LOOKS[selector]
        rows = table[table["selector"] == selector].sort_values("n_source")
        x = rows["n_source"] * 1.03 ** (position - (len(selectors) - 1) / 2)
        # An interval that is open above goes past the top.
        high = rows["high"].mask(rows["high"].isna() & rows["low"].notna(), 2 * top)
        axes.vlines(x, rows["low"], high, color=look.color, alpha=0.35, linewidth=2)
        axes.plot(
            x,
            rows["mdad"],
            color=look.color,
            marker=look.marker,
            markersize=4.5,
            markeredgecolor=PAPER,
            markeredgewidth=0.5,
            dashes=look.dash or (None, None),
            linewidth=1.3,
            label=look.label,
        )
    axes.set_ylim(0, 1.08 * top)


def draw_noise(noise: pd.DataFrame) -> Figure:
    """Noise of a correlation against the number of models it is read from.

    Parameters
    ----------
    noise : DataFrame
        From `correlation_noise`.
    """
    figure, axes = plt.subplots(figsize=(WIDTH, 3.4), layout="constrained")
    axes.plot(noise["n_source"], noise["noise"], color=TINTS[0], marker="o", label="measured")
    axes.plot(
        noise["n_source"], noise["expected"], color=INK, linestyle=":", label="derived, 1/√(n − 1)"
    )
    axes.axhline(
        noise["spread"].iloc[0], color=THRESHOLD, linestyle="--", label="spread over pairs of items"
    )
    source_axis(axes, list(noise["n_source"]))
    axes.set(xlabel="Models", ylabel="Standard deviation\nof a correlation")
    axes.set_ylim(0, 1.1 * float(noise[["noise", "expected", "spread"]].to_numpy().max()))
    figure.legend(loc="outside upper center", ncols=3, fontsize="small")
    plt.close(figure)
    return figure


def draw_lots(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """MDADs with sources of the targets' own, of few and of many families, side by side.

    Parameters
    ----------
    tables : mapping of str to DataFrame
        From `mdad`, by lot: ``own``, ``few`` and ``many``; see `draw_pools`.
    """
    first = next(iter(tables.values()))
    sizes = sorted(first["size"].unique())
    selectors = list(dict.fromkeys(map(str, first["selector"])))
    figure, panels = plt.subplots(
        len(sizes),
        1,
        figsize=(WIDTH, 0.9 + len(sizes) * (0.5 + 0.36 * len(selectors))),
        squeeze=False,
        layout="constrained",
    )
    for axes, size in zip(panels.flat, sizes, strict=True):
        tops = [1.0]
        for shift, (lot, table) in zip((-0.24, 0, 0.24), tables.items(), strict=False):
            name, color, marker = LOTS[lot]
            rows = table[table["size"] == size].set_index("selector").loc[selectors]
            y = np.arange(len(selectors)) + shift
            tops.append(float(np.nanmax(rows[["mdad", "high"]].to_numpy(float), initial=1.0)))
            high = rows["high"].mask(rows["high"].isna() & rows["low"].notna(), 200)
            axes.hlines(y, rows["low"], high, color=color, alpha=0.5, linewidth=2.5)
            axes.plot(rows["mdad"], y, linestyle="", marker=marker, color=color, label=name)
        axes.set_yticks(range(len(selectors)), [label(name) for name in selectors])
        axes.set_ylim(len(selectors) - 0.5, -0.5)
        axes.set_xlim(0, 1.1 * max(tops))
        axes.set_title(f"{size:,} items", loc="left", fontsize="small")
    panels[-1, 0].set_xlabel("MDAD (points)")
    handles, names = panels[0, 0].get_legend_handles_labels()
    figure.legend(handles, names, loc="outside upper center", ncols=2, fontsize="small")
    plt.close(figure)
    return figure
