"""Figures of edges that fade with the distance of the sources, and of chosen items."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from mbnb.publish.charts.fading import LOT_NAMES, recipe_name, recipes_of
from mbnb.publish.charts.plots import LEGEND
from mbnb.publish.charts.style import INK, LOOKS, PAPER, PAST, TINTS, WIDTH, label

# Lines of uniform sampling differ in what is made of its answers alone.
LEARNT = {
    "ridge": (TINTS[0], "s", (4, 1)),
    "corrected-mean": (INK, "o", ()),
    "p-irt": (TINTS[2], "D", (2, 2)),
}
# A star of the same size looks smaller.
STAR = 10
PANELS = {"edge": "MDAD (points)", "close_edge": "close pairs (percentage points)"}


def _look(selector: str, estimator: str) -> tuple[str, str, tuple[int, ...]]:
    if selector == "uniform":
        return LEARNT.get(estimator, (TINTS[1], "X", (1, 1)))
    look = (LOOKS | PAST)[selector]
    learnt = estimator in ("corrected-mean", "gp-irt") and selector != "close-pairs"
    return look.color, look.marker, (1, 1) if learnt else look.dash


def draw_edges(table: pd.DataFrame, size: int, *, names: Mapping[str, str] | None = None) -> Figure:
    """Edges over plain uniform sampling by lot of sources: in MDAD above, of close pairs below.

    Parameters
    ----------
    table : DataFrame
        From `edges`.
    size : int
    names : mapping of str to str, optional
        What the axis calls each lot, such as from `distance_labels`.
    """
    own = table[table["size"] == size]
    lots = list(dict.fromkeys(own["lot"].astype(str)))
    recipes = recipes_of(own)
    figure, panels = plt.subplots(2, 1, figsize=(WIDTH, 7.0), sharex=True, layout="constrained")
    for axes, (measure, title) in zip(panels, PANELS.items(), strict=True):
        axes.axhline(0, color=LOOKS["uniform"].color, linewidth=1.2, linestyle="--")
        for position, (selector, estimator) in enumerate(recipes):
            rows = own[(own["selector"] == selector) & (own["estimator"] == estimator)]
            shift = 0.6 * ((position + 0.5) / len(recipes) - 0.5)
            _draw_line(axes, rows, lots, measure, shift)
        axes.set_title(f"Edge over plain uniform sampling: {title}", loc="left", fontsize="small")
        axes.grid(axis="x", visible=False)
        known = own[[measure, f"{measure}_low", f"{measure}_high"]].to_numpy(float)
        low, high = np.nanmin(known, initial=-1.0), np.nanmax(known, initial=1.0)
        axes.set_ylim(low - 0.05 * (high - low), high + 0.05 * (high - low))
    told = names or LOT_NAMES
    panels[-1].set_xticks(range(len(lots)), [told[lot] for lot in lots])
    panels[-1].set_xlabel("Sources" + (" (points below the targets)" if names else ""))
    figure.legend(*panels[0].get_legend_handles_labels(), **LEGEND)
    plt.close(figure)
    return figure


def _draw_line(axes: Axes, rows: pd.DataFrame, lots: list[str], measure: str, shift: float) -> None:
    selector, estimator = str(rows["selector"].iloc[0]), str(rows["estimator"].iloc[0])
    color, marker, dash = _look(selector, estimator)
    by_lot = rows.set_index(rows["lot"].astype(str)).reindex(lots)
    x = np.arange(len(lots)) + shift
    low, high = by_lot[f"{measure}_low"], by_lot[f"{measure}_high"]
    known = by_lot[measure].notna()
    # An end that is open goes past the edge of the chart.
    axes.vlines(
        x[known],
        low[known].fillna(-1000),
        high[known].fillna(1000),
        color=color,
        alpha=0.35,
        linewidth=2,
    )
    # Refreshed sources are no further step of the distance, so no line leads to them.
    steps = [lot != "refreshed" for lot in lots]
    style: dict[str, Any] = {"color": color, "marker": marker, "markeredgecolor": PAPER}
    axes.plot(
        x[steps],
        by_lot[measure][steps],
        dashes=dash or (None, None),
        linewidth=1.2,
        markersize=STAR if marker == "*" else 6,
        label=recipe_name(selector, estimator),
        **style,
    )
    rest = ~np.array(steps)
    axes.plot(
        x[rest],
        by_lot[measure][rest],
        linestyle="",
        markersize=STAR if marker == "*" else 6,
        **style,
    )


def draw_edges_elsewhere(table: pd.DataFrame, size: int) -> Figure:
    """Edges of close pairs by lot: a chart for each recipe, a line for each leaderboard.

    Parameters
    ----------
    table : DataFrame
        From `edges_elsewhere`.
    size : int
    """
    own = table[table["size"] == size]
    lots = list(dict.fromkeys(own["lot"].astype(str)))
    recipes = recipes_of(own)
    n_rows = -(-len(recipes) // 2)
    figure, grid = plt.subplots(
        n_rows,
        2,
        figsize=(WIDTH, 1.9 * n_rows + 0.8),
        sharex=True,
        sharey=True,
        squeeze=False,
        layout="constrained",
    )
    for axes, (selector, estimator) in zip(grid.flat, recipes, strict=False):
        rows = own[(own["selector"] == selector) & (own["estimator"] == estimator)]
        wide = rows.pivot(index="dataset", columns="lot", values="close_edge").reindex(columns=lots)
        axes.axhline(0, color=LOOKS["uniform"].color, linewidth=1.2, linestyle="--")
        color, marker, _ = _look(selector, estimator)
        x, steps = np.arange(len(lots)), np.array([lot != "refreshed" for lot in lots])
        for _, values in wide.iterrows():
            axes.plot(x[steps], values[steps], color=TINTS[2], linewidth=0.8, alpha=0.8)
            axes.plot(x[~steps], values[~steps], color=TINTS[2], marker="_", linestyle="")
        middle = wide.median()
        axes.plot(x[steps], middle[steps], color=color, marker=marker, linewidth=2)
        axes.plot(x[~steps], middle[~steps], color=color, marker=marker, linestyle="")
        axes.set_title(recipe_name(selector, estimator), loc="left", fontsize="small")
        axes.grid(axis="x", visible=False)
    for number, axes in enumerate(grid.flat):
        axes.set_visible(number < len(recipes))
        if number + 2 >= len(recipes):
            axes.tick_params(labelbottom=True)
        axes.set_xticks(range(len(lots)), [LOT_NAMES[lot] for lot in lots], rotation=40, ha="right")
    figure.supylabel("Edge of close pairs (percentage points)", fontsize="medium")
    plt.close(figure)
    return figure


def draw_chosen(items: pd.DataFrame, lots: tuple[str, str] = ("beside", "far")) -> Figure:
    """Chosen items by the share of sources and of targets that solve them, for two lots.

    Parameters
    ----------
    items : DataFrame
        From `chosen_items`, of one or more selectors.
    lots : (str, str)
    """
    selectors = list(dict.fromkeys(items["selector"]))
    figure, grid = plt.subplots(
        len(selectors),
        2,
        figsize=(WIDTH, 0.6 + 2.4 * len(selectors)),
        sharex=True,
        sharey=True,
        squeeze=False,
        layout="constrained",
    )
    for row, selector in zip(grid, selectors, strict=True):
        look = (LOOKS | PAST)[selector]
        for axes, lot in zip(row, lots, strict=True):
            own = items[(items["selector"] == selector) & (items["lot"] == lot)]
            axes.scatter(
                100 * own["source_score"],
                100 * own["target_score"],
                s=22,
                color=look.color,
                marker=look.marker,
                alpha=0.55,
                linewidths=0,
            )
            axes.set_title(f"{label(selector)}, {LOT_NAMES[lot]}", loc="left", fontsize="small")
            axes.set(xlim=(-4, 104), ylim=(-4, 104))
    figure.supxlabel("Sources that solve the item (%)", fontsize="medium")
    figure.supylabel("Targets that solve the item (%)", fontsize="medium")
    plt.close(figure)
    return figure
