"""Figures that more than one chapter draws; each takes a finished table and computes nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, NullLocator

from mbnb.data.responses import ResponseMatrix
from mbnb.methods.selectors import Selection
from mbnb.publish.charts.style import GRID, INK, LOOKS, PAPER, THRESHOLD, WIDTH, label, series_of

# Wider gaps than this tell nothing: every selector orders such pairs.
WIDEST_GAP = 25.0
# Items that are not chosen: behind the rings, and yet to be seen on white.
DOT = "#a9b4bf"
POINT_TICKS = (0, 0.5, 1, 2, 5, 10, 20, 50, 100)
LEGEND: dict[str, Any] = {"loc": "outside upper center", "ncols": 2, "fontsize": 10}


def draw_matrix(matrix: ResponseMatrix, *, max_models: int = 200, max_items: int = 600) -> Figure:
    """The matrix as a picture: best models above, easiest items left, dark where correct.

    Larger matrices are thinned evenly in rank, not averaged, so that a dot stays an answer.
    """
    matrix.require_complete()
    scores = matrix.scores.astype(np.float32)
    rows = np.argsort(-scores.mean(axis=1), kind="stable")
    columns = np.argsort(-scores.mean(axis=0), kind="stable")
    rows = rows[np.linspace(0, rows.size - 1, min(rows.size, max_models)).astype(int)]
    columns = columns[np.linspace(0, columns.size - 1, min(columns.size, max_items)).astype(int)]
    figure, axes = plt.subplots(figsize=(WIDTH, 3.4))
    axes.imshow(
        scores[np.ix_(rows, columns)],
        aspect="auto",
        cmap="Blues",
        vmin=0,
        vmax=1.15,
        interpolation="nearest",
    )
    axes.set(
        xlabel=f"{columns.size:,} of {matrix.n_items:,} items, easiest to hardest →",
        ylabel=f"{rows.size:,} of {matrix.n_models:,} models,\nworst to best →",
        xticks=[],
        yticks=[],
    )
    axes.grid(visible=False)
    return figure


def size_axis(axes: Axes, sizes: Sequence[int]) -> None:
    """A log axis whose ticks are the study's sizes."""
    axes.set_xscale("log")
    axes.xaxis.set_major_locator(FixedLocator(list(sizes)))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_xticklabels(_apart(sizes))
    axes.set_xlim(min(sizes) / 1.25, max(sizes) * 1.25)
    axes.set_xlabel("Size (items chosen)")


def _apart(sizes: Sequence[int]) -> list[str]:
    """Labels of the ticks; of two sizes so near that their labels would touch, the larger's."""
    labels: list[str] = []
    above = np.inf
    for size in sorted(sizes, reverse=True):
        near = above < 1.35 * size
        labels.append("" if near else f"{size:,}")
        above = above if near else size
    return labels[::-1]


def points_axis(axes: Axes, highest: float, *, both_ways: bool = False) -> None:
    """Points from 0 upwards (or both ways), even up to 1 and logarithmic beyond.

    An MDAD may be 0 and differences of half a point matter among small ones, which neither a
    linear nor a log axis shows.
    """
    ticks = [tick for tick in POINT_TICKS if tick <= 1 or tick < 1.05 * highest]
    if both_ways:
        ticks = sorted({-tick for tick in ticks} | set(ticks))
    axes.set_yscale("symlog", linthresh=1, linscale=0.7)
    axes.yaxis.set_major_locator(FixedLocator(ticks))
    axes.yaxis.set_minor_locator(NullLocator())
    told = [f"{tick:+g}" if both_ways and tick else f"{tick:g}" for tick in ticks]
    axes.set_yticklabels([text.replace("-", "−") for text in told])
    top = 1.1 * max(highest, 1)
    axes.set_ylim(-top if both_ways else -0.1, top)


def draw_mdad(
    table: pd.DataFrame, *, floor: pd.Series | None = None, expected: pd.Series | None = None
) -> Figure:
    """MDAD against size, one line for each selector, with intervals.

    Sizes at which no gap reached the threshold have no point, and an interval that is open above
    goes up to the top.

    Parameters
    ----------
    table : DataFrame
        From `mdad`.
    floor : Series, optional
        By size, the gap in points below which uniform sampling cannot go.
    expected : Series, optional
        By size, the MDAD in points that theory expects of uniform sampling.
    """
    figure, axes = plt.subplots(figsize=(WIDTH, 4.6), layout="constrained")
    lines = [line for line in (floor, expected) if line is not None]
    values = np.concatenate([table[["mdad", "low", "high"]].to_numpy().ravel(), *lines])
    top = float(np.nanmax(values)) if np.isfinite(values).any() else 1.0
    open_above = table["high"].isna() & table["low"].notna()
    _draw_lines(axes, table.assign(high=table["high"].mask(open_above, 2 * top)), "mdad")
    for line, text, dash in (
        (floor, "Floor of uniform sampling", ":"),
        (expected, "Expected of uniform sampling", (0, (5, 2, 1, 2))),
    ):
        if line is not None:
            axes.plot(line.index, line, color=THRESHOLD, linewidth=1.4, linestyle=dash, label=text)
    size_axis(axes, sorted(table["size"].unique()))
    points_axis(axes, top)
    axes.set_ylabel("MDAD (points)")
    figure.legend(*axes.get_legend_handles_labels(), **LEGEND)
    return figure


def draw_gain(table: pd.DataFrame, *, baseline: str = "uniform", margin: float = 1.0) -> Figure:
    """By how many points a selector's MDAD is below the baseline's, by size, with intervals.

    Parameters
    ----------
    table : DataFrame
        From `mdad_difference`.
    baseline : str
    margin : float
        In points; differences within it are shaded.
    """
    figure, axes = plt.subplots(figsize=(WIDTH, 4.6), layout="constrained")
    ends = np.abs(table[["gain", "low", "high"]].to_numpy())
    top = float(np.nanmax(ends)) if np.isfinite(ends).any() else 1.0
    axes.axhspan(-margin, margin, color=GRID, alpha=0.6, linewidth=0)
    axes.axhline(0, color=LOOKS[baseline].color if baseline in LOOKS else INK, linewidth=1.4)
    whole = table.assign(
        low=table["low"].mask(table["low"].isna() & table["high"].notna(), -2 * top),
        high=table["high"].mask(table["high"].isna() & table["low"].notna(), 2 * top),
    )
    _draw_lines(axes, whole, "gain")
    size_axis(axes, sorted(table["size"].unique()))
    points_axis(axes, top, both_ways=True)
    axes.set_ylabel(f"Points by which the MDAD is below\nthat of {label(baseline)}")
    figure.legend(*axes.get_legend_handles_labels(), **LEGEND)
    return figure


def _draw_lines(axes: Axes, table: pd.DataFrame, column: str) -> None:
    """A line with intervals for each series, side by side so that equal values stay visible."""
    series = series_of(table)
    for position, (name, (look, rows)) in enumerate(series.items()):
        rows = rows.sort_values("size")
        x = rows["size"] * 1.04 ** (position - (len(series) - 1) / 2)
        axes.vlines(x, rows["low"], rows["high"], color=look.color, alpha=0.4, linewidth=2.5)
        axes.plot(
            x,
            rows[column],
            color=look.color,
            marker=look.marker,
            markersize=6,
            markeredgecolor=PAPER,
            markeredgewidth=0.6,
            dashes=look.dash or (None, None),
            linewidth=1.6,
            label=name,
        )


def draw_agreement(curve: pd.DataFrame, *, threshold: float = 0.8) -> Figure:
    """Agreement against gap: a small chart for each size, a line for each selector.

    Parameters
    ----------
    curve : DataFrame
        From `Agreement.curve`.
    threshold : float
        Drawn as a line.
    """
    sizes = sorted(curve["size"].unique())
    n_columns = min(len(sizes), 2)
    n_rows = -(-len(sizes) // n_columns)
    figure, grid = plt.subplots(
        n_rows,
        n_columns,
        figsize=(WIDTH, 1.7 * n_rows + 1.0),
        sharex=True,
        sharey=True,
        squeeze=False,
        layout="constrained",
    )
    near = curve[curve["gap"] <= WIDEST_GAP]
    series = series_of(near)
    for axes, size in zip(grid.flat, sizes, strict=False):
        for name, (look, rows) in series.items():
            own = rows[rows["size"] == size]
            axes.plot(
                own["gap"],
                own["agreement"],
                color=look.color,
                label=name,
                dashes=look.dash or (None, None),
                linewidth=1.4,
            )
        axes.axhline(threshold, color=THRESHOLD, linewidth=1.2, linestyle=":")
        axes.set_title(f"{size:,} items")
        axes.set_ylim(0, 1.02)
        axes.set_yticks([0, 0.5, threshold, 1])
        axes.tick_params(labelbottom=True)
    for axes in list(grid.flat)[len(sizes) :]:
        axes.set_visible(False)
    figure.supxlabel("Gap on the full half (points)", fontsize="medium")
    figure.supylabel("Agreement", fontsize="medium")
    figure.legend(*grid.flat[0].get_legend_handles_labels(), **LEGEND)
    return figure


def draw_selection(
    points: np.ndarray,
    selection: Selection,
    *,
    selector: str,
    axis_labels: tuple[str, str],
    color_by: np.ndarray | None = None,
    color_label: str = "",
    axes: Axes | None = None,
) -> Figure:
    """Items as points in the plane, the chosen ones ringed; the ring grows with the weight.

    Parameters
    ----------
    points : ndarray, shape (n_items, 2)
    selection : Selection
    selector : str
        Gives the ring's colour.
    axis_labels : (str, str)
    color_by : ndarray, shape (n_items,), optional
        Colours the points that were not chosen.
    """
    if axes is None:
        _, axes = plt.subplots(figsize=(WIDTH, 4.2))
    shade = DOT if color_by is None else color_by
    drawn = axes.scatter(
        points[:, 0],
        points[:, 1],
        c=shade,
        s=7,
        cmap="viridis" if color_by is not None else None,
        alpha=0.6,
        linewidths=0,
        rasterized=True,
    )
    area = np.maximum(2400 * selection.weights, 16)  # below that a ring is no ring
    chosen = points[selection.items]
    axes.scatter(
        chosen[:, 0],
        chosen[:, 1],
        s=area,
        facecolors="none",
        linewidths=1.8,
        edgecolors=LOOKS[selector].color,
        label=f"{selection.size} items chosen",
    )
    axes.scatter(chosen[:, 0], chosen[:, 1], s=12, color=LOOKS[selector].color)
    axes.set(xlabel=axis_labels[0], ylabel=axis_labels[1])
    axes.legend(loc="best", frameon=True, framealpha=0.9, edgecolor="none")
    if color_by is not None:
        axes.figure.colorbar(drawn, ax=axes, label=color_label)
    return axes.figure  # type: ignore[return-value]
