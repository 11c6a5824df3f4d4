"""Charts of ratings and of training runs; scores nothing."""

from __future__ import annotations

from collections.abc import Mapping

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from mbnb.data.battles import POINTS
from mbnb.publish.charts.plots import LEGEND, size_axis
from mbnb.publish.charts.style import INK, OTHERS, PAPER, THRESHOLD, TINTS, WIDTH

WIN_TICKS = (0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8)


def draw_rating_agreement(curve: pd.DataFrame, *, threshold: float = 0.8) -> Figure:
    """Agreement against the gap in rating points, a line for each number of battles.

    The axis above says how often the better model of a pair so far apart wins.

    Parameters
    ----------
    curve : DataFrame
        From `Agreement.curve`, of one way of choosing; bins with fewer than 100 pairs are left out.
    threshold : float
    """
    figure, axes = plt.subplots(figsize=(WIDTH, 4.4), layout="constrained")
    sizes = sorted(curve["size"].unique())
    shades = plt.get_cmap("viridis")(np.linspace(0, 0.8, len(sizes)))
    sure = curve[curve["pairs"] >= 100]
    for shade, size, marker in zip(shades, sizes, "osD^vPX*hop", strict=False):
        own = sure[sure["size"] == size]
        axes.plot(
            own["gap"],
            own["agreement"],
            color=shade,
            marker=marker,
            markersize=4,
            linewidth=1.4,
            label=f"{size:,} battles",
        )
    axes.axhline(threshold, color=THRESHOLD, linestyle=":")
    axes.set(
        xlabel="Gap on the full half (rating points)",
        ylabel="Agreement",
        ylim=(0.4, 1.02),
        xlim=(0, None),
    )
    widest = axes.get_xlim()[1]
    above = axes.twiny()
    places = [POINTS * np.log(chance / (1 - chance)) for chance in WIN_TICKS]
    shown = [place for place in places if place <= widest]
    above.set_xlim(0, widest)
    above.set_xticks(shown, [f"{100 * chance:.0f} %" for chance in WIN_TICKS[: len(shown)]])
    above.set_xlabel("The better model wins", fontsize="medium")
    above.grid(False)
    axes.legend(loc="lower right", fontsize=9, frameon=True, edgecolor="none")
    plt.close(figure)
    return figure


def draw_run(lines: Mapping[str, pd.Series]) -> Figure:
    """Accuracy along one training run, by different measures.

    Parameters
    ----------
    lines : mapping of str to Series
        By what the line is called, accuracies in points by step. The first is drawn as a broad
        band, the last as the thing that is to be judged.
    """
    figure, axes = plt.subplots(figsize=(WIDTH, 4.0), layout="constrained")
    for number, (name, line) in enumerate(lines.items()):
        if number == 0:
            axes.plot(line.index, line, color=INK, alpha=0.25, linewidth=6, label=name)
            continue
        axes.plot(
            line.index,
            line,
            color=TINTS[(number - 1) % len(TINTS)],
            marker="osD^"[number - 1],
            markersize=4,
            markeredgecolor=PAPER,
            markeredgewidth=0.5,
            linewidth=1.2,
            label=name,
        )
    axes.set(xlabel="Checkpoint", ylabel="Accuracy (points)")
    figure.legend(*axes.get_legend_handles_labels(), **{**LEGEND, "ncols": 1})
    plt.close(figure)
    return figure


def draw_calls(calls: Mapping[str, pd.DataFrame]) -> Figure:
    """Progress that is found above, progress that is imagined below, by size.

    Parameters
    ----------
    calls : mapping of str to DataFrame
        By what the line is called, rows of `progress_calls` of one estimator and rule.
    """
    figure, (above, below) = plt.subplots(
        2, 1, figsize=(WIDTH, 5.6), sharex=True, sharey=True, layout="constrained"
    )
    for look, (name, rows) in zip(OTHERS, calls.items(), strict=False):
        rows = rows.sort_values("size")
        for axes, column in ((above, "found"), (below, "false_alarms")):
            axes.plot(
                rows["size"],
                100 * rows[column],
                color=look.color,
                marker=look.marker,
                dashes=look.dash or (None, None),
                markeredgecolor=PAPER,
                markeredgewidth=0.6,
                label=name,
            )
    sizes = sorted(next(iter(calls.values()))["size"].unique())
    for axes, title in ((above, "While the run climbs"), (below, "On the plateau: false alarms")):
        axes.set(title=title, ylim=(-3, 103), ylabel="Per cent of pairs\ncalled progress")
        size_axis(axes, sizes)
    above.set_xlabel("")
    below.axhline(5, color=THRESHOLD, linestyle=":")
    figure.legend(*above.get_legend_handles_labels(), **{**LEGEND, "ncols": 1})
    plt.close(figure)
    return figure
