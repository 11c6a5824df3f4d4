"""Real leaderboards side by side: still figures of what was measured; takes finished tables."""

from __future__ import annotations

from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.figure import Figure

from mbnb.judge.leads import YARDSTICK
from mbnb.judge.pairs import uniform_floor
from mbnb.publish.charts.leaderboards import THIS_RUN
from mbnb.publish.charts.plots import points_axis, size_axis
from mbnb.publish.charts.style import GRID, INK, LOOKS, PAPER, THRESHOLD, WIDTH
from mbnb.publish.charts.tables import points


def draw_leaderboards(table: pd.DataFrame, half: str = "train") -> Figure:
    """MDAD against size, a small chart for each data set, with the floor of uniform sampling.

    Parameters
    ----------
    table : DataFrame
        From `with_this_run`.
    half : {"train", "heldout"}
    """
    own = table[table["half"] == half]
    names, sizes = list(dict.fromkeys(own["dataset"])), sorted(own["size"].unique())
    # Of two sizes whose words would touch, the one that more data sets have.
    held = own.groupby("size")["dataset"].nunique()
    near = {(a, b) for a in sizes for b in sizes if a != b and max(a, b) < 1.5 * min(a, b)}
    sizes = [a for a in sizes if not any(held[b] > held[a] for b in sizes if (a, b) in near)]
    n_rows = -(-len(names) // 2)
    figure, grid = plt.subplots(
        n_rows,
        2,
        figsize=(WIDTH, 1.9 * n_rows + 0.8),
        sharex=True,
        sharey=True,
        squeeze=False,
        layout="constrained",
    )
    places = np.unique(np.geomspace(min(sizes), max(sizes), 25).astype(int))
    floor = uniform_floor([int(place) for place in places])
    for axes, name in zip(grid.flat, names, strict=False):
        axes.plot(floor.index, floor, color=THRESHOLD, linestyle=":", linewidth=1.2, label="Floor")
        for selector, rows in own[own["dataset"] == name].groupby("selector", sort=False):
            look = LOOKS[str(selector)]
            rows = rows.sort_values("size")
            axes.plot(
                rows["size"],
                rows["mdad"],
                color=look.color,
                marker=look.marker,
                markersize=4,
                dashes=look.dash or (None, None),
                linewidth=1.3,
                label=look.label,
                zorder=3 if selector == YARDSTICK else 2,
            )
        size_axis(axes, sizes)
        points_axis(axes, float(np.nanmax(own["mdad"], initial=1)))
        axes.set(xlabel="")
        axes.set_xticklabels([f"{s:,}" for s in sizes], fontsize=8, rotation=45)
        axes.tick_params(axis="y", labelsize=8)
        axes.set_title(name, fontsize=9)
    for axes in list(grid.flat)[len(names) :]:
        axes.set_visible(False)
    # Where the last place is empty, the chart above it is the lowest of its column.
    if len(names) % 2 and n_rows > 1:
        grid[-2, 1].tick_params(labelbottom=True)
    figure.supxlabel("Size (items chosen)", fontsize="medium")
    figure.supylabel("MDAD (points)", fontsize="medium")
    handles: dict[str, Artist] = {}
    for axes in grid.flat:
        handles |= dict(zip(*reversed(axes.get_legend_handles_labels()), strict=True))
    figure.legend(
        list(handles.values()), list(handles), loc="outside upper center", ncols=2, fontsize=9
    )
    plt.close(figure)  # a page shows what is returned, and would show an open figure again
    return figure


def draw_leads(leads: pd.DataFrame) -> Figure:
    """Who leads where: a row for each data set, a column for each size, full where it is clear.

    Parameters
    ----------
    leads : DataFrame
        From `leading_selectors`.
    """
    names, sizes = list(dict.fromkeys(leads["dataset"])), sorted(leads["size"].unique())
    figure, axes = plt.subplots(figsize=(WIDTH, 0.5 * len(names) + 1.6), layout="constrained")
    shown: dict[str, Artist] = {}
    for row in leads.itertuples(index=False):
        x, y = sizes.index(row.size), names.index(row.dataset)
        if row.leader == YARDSTICK or not row.gain > 0:
            axes.plot(x, y, marker="_", color=LOOKS[YARDSTICK].color, markersize=9)
            continue
        look = LOOKS[row.leader]
        style: dict[str, Any] = {"linestyle": "", "marker": look.marker, "color": look.color}
        face = look.color if row.clear else PAPER
        axes.plot(x, y + 0.14, **style, markersize=10, markerfacecolor=face, markeredgewidth=1.4)
        shown.setdefault(look.label, axes.plot([], [], **style, markersize=8)[0])
        axes.annotate(
            points(row.gain), (x, y - 0.2), ha="center", va="center", fontsize=8, color=INK
        )
    axes.set_xticks(range(len(sizes)), [f"{size:,}" for size in sizes])
    axes.set_yticks(range(len(names)), [_broken(name) for name in names], fontsize=9)
    axes.set(xlabel="Size (items chosen)", xlim=(-0.6, len(sizes) - 0.4))
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.grid(visible=False)
    axes.set_axisbelow(True)
    for y in range(len(names) - 1):
        axes.axhline(y + 0.5, color=GRID, linewidth=0.8)
    if shown:
        figure.legend(
            list(shown.values()), list(shown), loc="outside upper center", ncols=3, fontsize=9
        )
    plt.close(figure)  # a page shows what is returned, and would show an open figure again
    return figure


def _broken(name: str) -> str:
    """A long name on two lines, so that the chart keeps its width."""
    return name.replace(f", {THIS_RUN}", f",\n{THIS_RUN}")
