"""Figures of what estimators make of the same items; takes finished tables and computes none."""

from __future__ import annotations

from dataclasses import replace

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from mbnb.publish.charts.estimators import mean_ratio
from mbnb.publish.charts.plots import size_axis
from mbnb.publish.charts.style import BEHIND_WORDS, INK, LOOKS, PAPER, TINTS, WIDTH, Look

# What the headline compares: selector, estimator, look.
HEADLINE = {
    ("uniform", "weighted-mean"): replace(LOOKS["uniform"], label="Random items, plain mean"),
    ("uniform", "corrected-mean"): Look(
        "The same random items, corrected mean", "#1f4e9c", "s", (), "square"
    ),
    ("anchor-points", "weighted-mean"): replace(
        LOOKS["anchor-points"], label="Anchor Points, their weighted mean", dash=(4, 2)
    ),
}
LOOK_OF_ESTIMATOR = {
    "weighted-mean": Look("plain mean", LOOKS["uniform"].color, "o", (), "circle"),
    "covariance-weights": Look("covariance weights", TINTS[1], "^", (2, 2), "triangle-up"),
    "ridge": Look("ridge", "#d55e00", "v", (6, 2), "triangle-down"),
    "corrected-mean": Look("corrected mean", "#1f4e9c", "s", (), "square"),
    "p-irt": Look("p-IRT", "#8e4585", "D", (3, 1, 1, 1), "diamond"),
    "gp-irt": Look("gp-IRT", "#007f5f", "P", (8, 3, 2, 3), "cross"),
}
TICKS = (0.5, 1, 2, 5, 10, 20, 40)
_UNKNOWN = Look("", TINTS[2], "X", (1, 1), "stroke")


def draw_headline(table: pd.DataFrame, half: str = "train") -> Figure:
    """MDAD against size on each data set: random items two ways, and Anchor Points.

    Parameters
    ----------
    table : DataFrame
        ``measured("better-estimators")``, with rows of `estimator_figures` or without.
    half : {"train", "heldout"}
    """
    own = table[table["half"] == half]
    names = list(dict.fromkeys(own["dataset"]))
    sizes = [size for size in sorted(own["size"].unique()) if size <= 250]
    own = own[own["size"].isin(sizes)]
    n_rows = -(-len(names) // 2)
    figure, grid = plt.subplots(
        n_rows,
        2,
        figsize=(WIDTH, 1.75 * n_rows + 1.0),
        sharex=True,
        sharey=True,
        squeeze=False,
        layout="constrained",
    )
    for axes, name in zip(grid.flat, names, strict=False):
        for (selector, estimator), look in HEADLINE.items():
            rows = own[
                (own["dataset"] == name)
                & (own["selector"] == selector)
                & (own["estimator"] == estimator)
            ].sort_values("size")
            _line(axes, rows["size"], rows["mdad"], look, 4)
            axes.fill_between(
                rows["size"].astype(float),
                rows["low"].astype(float),
                rows["high"].astype(float),
                color=look.color,
                alpha=0.13,
                linewidth=0,
            )
        size_axis(axes, sizes)
        _points_axis(axes, own["mdad"])
        axes.set_xlabel("")
        axes.tick_params(labelsize=8)
        axes.set_title(name, fontsize=9)
    for axes in list(grid.flat)[len(names) :]:
        axes.set_visible(False)
    # Where the last place is empty, the chart above it is the lowest of its column.
    if len(names) % 2 and n_rows > 1:
        grid[-2, 1].tick_params(labelbottom=True)
    figure.supxlabel("Size (items chosen)", fontsize="medium")
    figure.supylabel("MDAD (points)", fontsize="medium")
    handles, told = grid.flat[0].get_legend_handles_labels()
    figure.legend(handles, told, loc="outside upper center", ncols=1, fontsize=9)
    plt.close(figure)
    return figure


def draw_steps(steps: pd.DataFrame) -> Figure:
    """MDAD against size, a line for each step from the plain mean to what is learnt.

    Parameters
    ----------
    steps : DataFrame
        Columns step, estimator, size, mdad (points); steps in the order in which they are taken.
    """
    figure, axes = plt.subplots(figsize=(WIDTH, 3.9), layout="constrained")
    for number, (step, own) in enumerate(steps.groupby("step", sort=False)):
        look = LOOK_OF_ESTIMATOR.get(str(own["estimator"].iloc[0]), _UNKNOWN)
        if number == 1:  # the same estimator as before, its ties counted one half
            look = replace(look, marker="x", dash=(2, 2), color=TINTS[2])
        _line(axes, own["size"], own["mdad"], replace(look, label=str(step)), 6)
    size_axis(axes, sorted(steps["size"].unique()))
    _points_axis(axes, steps["mdad"])
    axes.set_ylabel("MDAD (points)")
    axes.legend(loc="upper right", fontsize=9)
    plt.close(figure)
    return figure


def draw_coefficients(items: pd.DataFrame, rule: str = "corrected-mean") -> Figure:
    """What each item counts for, against how easy it is and how it goes with the score.

    Parameters
    ----------
    items : DataFrame
        From `item_coefficients`.
    rule : str
        Column of the coefficients.
    """
    figure, panels = plt.subplots(
        1, 2, figsize=(WIDTH, 3.3), sharey=True, layout="constrained", squeeze=True
    )
    x = (100 * items["accuracy"], items["correlation"])
    names = ("Sources that answer right (%)", "Correlation with the score")
    for axes, values, name in zip(panels, x, names, strict=True):
        axes.axhline(1, color=LOOKS["uniform"].color, linestyle="--", linewidth=1.2)
        axes.axhline(0, color=INK, linewidth=0.8)
        axes.scatter(
            values,
            items[rule],
            s=26,
            color=LOOK_OF_ESTIMATOR.get(rule, _UNKNOWN).color,
            alpha=0.7,
            linewidths=0,
            label=LOOK_OF_ESTIMATOR.get(rule, _UNKNOWN).label,
        )
        axes.set_xlabel(name, fontsize=10)
    panels[0].set_ylabel("Coefficient × size")
    panels[1].annotate(
        "plain mean",
        (1, 1),
        xycoords=("axes fraction", "data"),
        xytext=(0, 3),
        textcoords="offset points",
        ha="right",
        fontsize=9,
        color=INK,
        bbox=BEHIND_WORDS,
    )
    plt.close(figure)
    return figure


def draw_lean(lean: pd.DataFrame) -> Figure:
    """Estimate less score against the score, a line for each estimator.

    Parameters
    ----------
    lean : DataFrame
        From `score_lean`, of one size.
    """
    figure, axes = plt.subplots(figsize=(WIDTH, 3.5), layout="constrained")
    axes.axhline(0, color=INK, linewidth=1)
    for estimator, own in lean.groupby("estimator", sort=False, observed=True):
        look = LOOK_OF_ESTIMATOR.get(str(estimator), replace(_UNKNOWN, label=str(estimator)))
        _line(axes, own["accuracy"], own["lean"], look, 6)
        axes.fill_between(
            own["accuracy"],
            own["lean"] - own["scatter"],
            own["lean"] + own["scatter"],
            color=look.color,
            alpha=0.12,
            linewidth=0,
        )
    axes.set(xlabel="Full score (points)", ylabel="Estimate − score (points)")
    axes.legend(loc="best", fontsize=9)
    plt.close(figure)
    return figure


def draw_few_sources(gains: pd.DataFrame, half: str = "train") -> Figure:
    """MDAD of an estimator ÷ that of the plain mean, by number of sources, a line for each size.

    Parameters
    ----------
    gains : DataFrame
        From `estimator_gains`, of one estimator; geometric means over data sets are drawn.
    half : {"train", "heldout"}
    """
    own = gains[(gains["half"] == half) & (gains["ratio"] > 0)]
    figure, axes = plt.subplots(figsize=(WIDTH, 3.6), layout="constrained")
    sizes = sorted(own["size"].unique())
    markers = ("o", "s", "^", "D", "v", "P", "X")
    for size, marker, alpha in zip(sizes, markers, np.linspace(1, 0.4, len(sizes)), strict=False):
        line = own[own["size"] == size].groupby("n_source")["ratio"].agg(mean_ratio)
        axes.plot(
            line.index,
            line,
            color=LOOK_OF_ESTIMATOR["corrected-mean"].color,
            alpha=alpha,
            marker=marker,
            markeredgecolor=PAPER,
            label=f"{size:,} items",
        )
    axes.axhline(1, color=LOOKS["uniform"].color, linestyle="--", linewidth=1.2)
    ticks = sorted(int(number) for number in own["n_source"].unique())
    axes.set_xscale("log")
    shown = [n for n in ticks if not any(n < m < 1.25 * n for m in ticks)]
    axes.set_xticks(shown, [str(n) for n in shown], minor=False)
    axes.minorticks_off()
    axes.set(xlabel="Source models", ylabel="MDAD ÷ plain mean’s")
    axes.legend(loc="best", fontsize=9, ncols=2)
    plt.close(figure)
    return figure


def _points_axis(axes: Axes, values: pd.Series) -> None:
    """Points on a log axis: equal ratios are equal distances, and an MDAD of 0 is not shown."""
    seen = values[values > 0].astype(float)
    low, high = (seen.min(), seen.max()) if len(seen) else (1.0, 10.0)
    axes.set_yscale("log")
    axes.set_ylim(0.8 * low, 1.25 * high)
    ticks = [tick for tick in TICKS if 0.8 * low <= tick <= 1.25 * high]
    axes.set_yticks(ticks, [f"{tick:g}" for tick in ticks], minor=False)
    axes.minorticks_off()


def _line(axes: Axes, x: pd.Series, y: pd.Series, look: Look, size: int) -> None:
    axes.plot(
        x.astype(float),
        y.astype(float),
        color=look.color,
        marker=look.marker,
        markersize=size,
        markeredgecolor=look.color if look.marker in "xX" else PAPER,
        dashes=look.dash or (None, None),
        linewidth=1.5,
        label=look.label,
    )
