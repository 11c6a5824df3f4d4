"""Charts of the simulation beside real leaderboards; measures nothing."""

from __future__ import annotations

from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, NullLocator

from mbnb.data.figures import measured
from mbnb.publish.charts.plots import points_axis, size_axis
from mbnb.publish.charts.style import WIDTH, label
from mbnb.publish.charts.trust import PANELS, SIDE_LOOKS, SIDES

BY_SIZE = ("uniform MDAD", "singletons")


def draw_fidelity(table: pd.DataFrame) -> Figure:
    """A panel for each statistic: the real matrix, and what was simulated beside it.

    Parameters
    ----------
    table : DataFrame
        From `fidelity_of` or `fidelity`: columns statistic, at and those of the sides.
    """
    sides = [side for side in SIDE_LOOKS if side in table.columns]
    shown = [
        name
        for name in PANELS
        if table.loc[table["statistic"] == name, sides].notna().to_numpy().any()
    ]
    n_rows = (len(shown) + 1) // 2
    figure, grid = plt.subplots(
        n_rows, 2, figsize=(WIDTH + 0.8, 2.15 * n_rows), layout="constrained", squeeze=False
    )
    for axes in grid.flat[len(shown) :]:
        axes.set_visible(False)
    for axes, name in zip(grid.flat, shown, strict=False):
        rows = table[table["statistic"] == name]
        title, unit, meaning = PANELS[name]
        for side in sides:
            color, marker, dash = SIDE_LOOKS[side]
            axes.plot(
                range(len(rows)), rows[side], color=color, marker=marker, markersize=5,
                dashes=dash, label=side, linewidth=0 if name == "correlation" else 1.6,
            )  # fmt: skip
        axes.set_title(f"{title} ({unit})" if unit else title, fontsize=10, loc="left")
        axes.set_xticks(range(len(rows)), _ticks(name, rows["at"]), fontsize=8)
        axes.set_xlabel(meaning, fontsize=9)
        axes.tick_params(axis="y", labelsize=8)
        axes.set_ylim(0, 1.1 * max(float(rows[sides].max().max()), 1e-9))
        axes.margins(x=0.15 if name == "correlation" else 0.05)
    handles, labels = grid.flat[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=len(sides), fontsize=10)
    plt.close(figure)
    return figure


def _ticks(name: str, places: pd.Series) -> list[str]:
    if name in BY_SIZE:
        return [f"{int(place):,}" for place in places]
    return ["best" if name == "accuracy" and place == "100" else str(place) for place in places]


def draw_selectors(table: pd.DataFrame | None = None) -> Figure:
    """The MDAD of each selector on the real matrix and on the two simulated ones.

    Parameters
    ----------
    table : DataFrame, optional
        By default ``measured("fidelity-mdad")``.
    """
    table = measured("fidelity-mdad") if table is None else table
    selectors = list(dict.fromkeys(table["selector"]))
    n_rows = (len(selectors) + 1) // 2
    figure, grid = plt.subplots(
        n_rows, 2, figsize=(WIDTH + 0.8, 2.3 * n_rows), sharex=True, sharey=True,
        layout="constrained", squeeze=False,
    )  # fmt: skip
    top = float(np.nanmax(table[["mdad", "high"]].to_numpy()))
    for axes, selector in zip(grid.flat, selectors, strict=False):
        for place, side in enumerate(SIDES):
            rows = table[(table["selector"] == selector) & (table["side"] == side)]
            color, marker, dash = SIDE_LOOKS[side]
            x = rows["size"] * 1.06 ** (place - 1)
            axes.vlines(
                x, rows["low"], rows["high"].fillna(top), color=color, alpha=0.4, linewidth=3
            )
            axes.plot(
                x, rows["mdad"], color=color, marker=marker, markersize=5, dashes=dash, label=side
            )
        _small_axes(axes, label(selector), sorted(table["size"].unique()), top)
    for row in grid:
        row[0].set_ylabel("MDAD (points)", fontsize=9)
    handles, labels = grid.flat[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=3, fontsize=10)
    plt.close(figure)
    return figure


def _small_axes(axes: Axes, title: str, sizes: Sequence[int], top: float) -> None:
    size_axis(axes, sizes)
    axes.xaxis.set_major_locator(FixedLocator(list(sizes)))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_xlabel("Items" if axes.get_subplotspec().is_last_row() else "", fontsize=9)  # type: ignore[union-attr]
    points_axis(axes, top)
    axes.set_title(title, fontsize=10, loc="left")
    axes.tick_params(labelsize=8)
