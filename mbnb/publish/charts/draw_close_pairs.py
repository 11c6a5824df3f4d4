"""Figures of the chapter on selection for MDAD; each takes a finished table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from mbnb.publish.charts.plots import LEGEND, points_axis, size_axis
from mbnb.publish.charts.shortfall import COMBINATION, PROPOSED, combination_name
from mbnb.publish.charts.style import INK, LOOKS, PAST, THRESHOLD, WIDTH, Look

# Above it, in points, a line leaves the chart.
HIGHEST = 6.0
OTHERS = "#cbd2d9"
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
# Those that the eye should find: what it looks like, and how it is drawn.
_RANDOM = LOOKS["uniform"]
SHOWN: dict[tuple[str, str], Look] = {
    ("uniform", "weighted-mean"): _RANDOM,
    ("uniform", "corrected-mean"): replace(_RANDOM, marker="s", dash=(4, 2), color="#7b8794"),
    ("anchor-points", "weighted-mean"): LOOKS["anchor-points"],
    PROPOSED: PAST["close-pairs"],
}
# Ways to choose, one after another: from what one draws at random to what one chooses freely.
WAYS = (
    _RANDOM,
    SHOWN["uniform", "corrected-mean"],
    replace(LOOKS["confidence"], marker="^"),
    replace(LOOKS["diversity"], marker="D", dash=(2, 2)),
    PAST["close-pairs"],
)


def draw_variants(table: pd.DataFrame) -> Figure:
    """MDAD against size with intervals, a line for each of up to five ways to choose and estimate.

    Parameters
    ----------
    table : DataFrame
        From `mdad`, with the column ``way`` that names the line; the last way is the proposed one.
    """
    ways = list(dict.fromkeys(table["way"]))
    sizes = sorted(int(size) for size in table["size"].unique())
    figure, axes = plt.subplots(figsize=(WIDTH, 4.4), layout="constrained")
    for number, (way, look) in enumerate(zip(ways, WAYS[-len(ways) :], strict=True)):
        own = table[table["way"] == way].sort_values("size")
        # Side by side, so that intervals can be told apart.
        x = own["size"] * 1.03 ** (number - len(ways) / 2)
        _draw_line(axes, x, own["mdad"], look, way)
        axes.vlines(x, own["low"], own["high"], color=look.color, linewidth=3, alpha=0.35)
    size_axis(axes, sizes)
    points_axis(axes, float(np.nanmax(table[["mdad", "high"]].to_numpy(), initial=1)))
    axes.set_ylabel("MDAD (points)")
    figure.legend(*axes.get_legend_handles_labels(), **LEGEND)
    plt.close(figure)
    return figure


def draw_shortfalls(table: pd.DataFrame) -> Figure:
    """Distance from the best of all, a row of charts for each leaderboard, a column for each half.

    Parameters
    ----------
    table : DataFrame
        From `shortfalls`.
    """
    names, halves = list(dict.fromkeys(table["dataset"])), ("train", "heldout")
    figure, grid = plt.subplots(
        len(names),
        2,
        figsize=(WIDTH, 1.0 + 1.35 * len(names)),
        sharex=True,
        sharey=True,
        squeeze=False,
        layout="constrained",
    )
    # Sizes that few leaderboards have stand too near to others for a word of their own.
    held = table.groupby("size")["dataset"].nunique()
    sizes = sorted(int(size) for size in held.index[2 * held >= held.max()])
    sizes += [int(held.index.max())] if held.index.max() > 1.5 * max(sizes) else []
    for row, name in zip(grid, names, strict=True):
        for axes, half in zip(row, halves, strict=True):
            own = table[(table["dataset"] == name) & (table["half"] == half)]
            for key, line in own.groupby(COMBINATION, sort=False):
                if key not in SHOWN:
                    axes.plot(
                        line["size"], line["shortfall"], color=OTHERS, linewidth=0.9, zorder=1
                    )
            for key, look in SHOWN.items():
                line = own[(own["selector"] == key[0]) & (own["estimator"] == key[1])]
                _draw_line(axes, line["size"], line["shortfall"], look, combination_name(*key))
            axes.set_title(name if half == "train" else "held-out", fontsize=9)
            size_axis(axes, sizes)
            axes.set(xlabel="", ylim=(-0.3, HIGHEST))
            axes.set_yticks(range(0, int(HIGHEST) + 1, 2))
            axes.tick_params(labelsize=8)
            axes.set_xticklabels([f"{size:,}" for size in sizes], fontsize=8, rotation=45)
    figure.supxlabel("Size (items chosen)", fontsize="medium")
    figure.supylabel("MDAD above the best of all (points)", fontsize="medium")
    handles = dict(zip(*reversed(grid.flat[0].get_legend_handles_labels()), strict=True))
    handles["all others"] = plt.Line2D([], [], color=OTHERS, linewidth=2)
    figure.legend(list(handles.values()), list(handles), **{**LEGEND, "fontsize": 9})
    plt.close(figure)
    return figure


def draw_chosen_pools(mdads: pd.DataFrame, chosen: pd.DataFrame, pools: list[str]) -> Figure:
    """What each pool would have given, and which one left-out sources chose.

    Parameters
    ----------
    mdads : DataFrame
        Columns pool, size and mdad (points).
    chosen : DataFrame
        From `chosen_pools`.
    pools : list of str
        All, from the most random to the freest.
    """
    figure, (above, below) = plt.subplots(
        2, 1, figsize=(WIDTH, 6.4), height_ratios=(3, 2), layout="constrained"
    )
    sizes = sorted(int(size) for size in chosen["size"].unique())
    shades = plt.get_cmap("viridis")(np.linspace(0, 0.8, len(sizes)))
    places = np.arange(len(pools))
    for shade, marker, size in zip(shades, MARKERS, sizes, strict=False):
        own = mdads[mdads["size"] == size].set_index("pool")["mdad"].reindex(pools)
        above.plot(places, own, color=shade, marker=marker, markersize=5, label=f"{size:,} items")
    names = ["1\n(random)", *pools[1:-1], "all\n(free)"] if len(pools) > 1 else pools
    above.set_xticks(places, names)
    above.set(xlabel="Chosen among so many times the size", ylabel="MDAD (points)")
    above.set_ylim(0, None)
    above.legend(ncols=2, fontsize=9)
    shares = pd.crosstab(chosen["size"], chosen["pool"], normalize="index")
    shares = 100 * shares.reindex(columns=pools, fill_value=0)
    tones = plt.get_cmap("YlOrBr")(np.linspace(0.12, 0.85, len(pools)))
    left = np.zeros(len(shares))
    heights = np.arange(len(shares))
    for tone, pool in zip(tones, pools, strict=True):
        width = shares[pool].to_numpy()
        below.barh(heights, width, left=left, color=tone, edgecolor=INK, linewidth=0.6, label=pool)
        left += width
    below.set_yticks(heights, [f"{size:,}" for size in shares.index])
    below.invert_yaxis()
    below.grid(visible=False)
    below.set(xlabel="Share of trials (%)", ylabel="Size", xlim=(0, 100))
    figure.legend(
        *below.get_legend_handles_labels(),
        title="chosen among so many times the size",
        title_fontsize=9,
        **{**LEGEND, "loc": "outside lower center", "ncols": len(pools), "fontsize": 9},
    )
    plt.close(figure)
    return figure


def draw_fewer_sources(table: pd.DataFrame, size: int) -> Figure:
    """MDAD against the number of sources at one size, a small chart for each leaderboard.

    Parameters
    ----------
    table : DataFrame
        The measured table ``better-sources``, of one half.
    size : int
    """
    own = table[table["size"] == size]
    names = list(dict.fromkeys(own["dataset"]))
    n_rows = -(-len(names) // 2)
    figure, grid = plt.subplots(
        n_rows,
        2,
        figsize=(WIDTH, 1.4 + 1.7 * n_rows),
        sharex=True,
        squeeze=False,
        layout="constrained",
    )
    counts = sorted(int(n) for n in own["n_source"].unique())
    ticks = [n for n in (10, 30, 100, 300) if min(counts) <= n <= max(counts)] or counts
    for axes, name in zip(grid.flat, names, strict=False):
        for key, look in SHOWN.items():
            ways = (own["selector"] == key[0]) & (own["estimator"] == key[1])
            line = own[ways & (own["dataset"] == name)].sort_values("n_source")
            _draw_line(axes, line["n_source"], line["mdad"], look, combination_name(*key))
        axes.set(xscale="log", ylim=(0, None))
        axes.set_xticks(ticks, [f"{n:,}" for n in ticks])
        axes.set_xticks([], minor=True)
        axes.tick_params(labelsize=8)
        axes.set_title(name, fontsize=9)
    for axes in list(grid.flat)[len(names) :]:
        axes.set_visible(False)
    figure.supxlabel("Source models", fontsize="medium")
    figure.supylabel(f"MDAD with {size:,} items (points)", fontsize="medium")
    handles = dict(zip(*reversed(grid.flat[0].get_legend_handles_labels()), strict=True))
    figure.legend(list(handles.values()), list(handles), **{**LEGEND, "fontsize": 9})
    plt.close(figure)
    return figure


def draw_asked(
    difficulty: np.ndarray, discrimination: np.ndarray, choices: Mapping[str, np.ndarray]
) -> Figure:
    """Where the chosen items lie among all, a chart for each way of choosing.

    Parameters
    ----------
    difficulty : ndarray, shape (n_items,)
        Share of the sources that are right, 0–1.
    discrimination : ndarray, shape (n_items,)
        Correlation with the accuracy.
    choices : mapping of str to ndarray of int
        Positions of the chosen items, by what the chart is called.
    """
    figure, panels = plt.subplots(
        1,
        len(choices),
        figsize=(WIDTH, 3.4),
        sharex=True,
        sharey=True,
        squeeze=False,
        layout="constrained",
    )
    for axes, (name, items), color in zip(
        panels.flat,
        choices.items(),
        (PAST["close-pairs"].color, LOOKS["confidence"].color, _RANDOM.color),
        strict=False,
    ):
        axes.scatter(
            100 * difficulty, discrimination, s=4, color="#b8c0c8", linewidths=0, rasterized=True
        )
        axes.scatter(
            100 * difficulty[items],
            discrimination[items],
            s=16,
            color=color,
            edgecolor="white",
            linewidths=0.4,
        )
        axes.axhline(0, color=THRESHOLD, linewidth=0.8, linestyle=":")
        axes.set_title(name, fontsize=10)
        axes.set_xlim(0, 100)
    figure.supxlabel("Sources that are right (%)", fontsize="medium")
    figure.supylabel("Correlation with the accuracy", fontsize="medium")
    plt.close(figure)
    return figure


def _draw_line(axes: Axes, x: pd.Series, y: pd.Series, look: Look, name: str) -> None:
    axes.plot(
        x,
        y,
        color=look.color,
        marker=look.marker,
        markersize=7 if look.marker == "*" else 4,
        dashes=look.dash or (None, None),
        linewidth=1.5,
        label=name,
        zorder=4 if look is SHOWN[PROPOSED] else 3,
    )
