"""Figures of what decides an MDAD; each takes finished counts or tables and computes none."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from mbnb.judge.agreement import Agreement
from mbnb.judge.isotonic import isotonic_curve
from mbnb.publish.charts.definitions import read_by_rules, relative_spread
from mbnb.publish.charts.style import BEHIND_WORDS, INK, PAPER, THRESHOLD, TINTS, WIDTH, Look

LOOK_OF_RULE = {
    "first": Look("first", TINTS[1], "v", (6, 2), "triangle-down"),
    "sustained": Look("sustained", TINTS[0], "^", (2, 2), "triangle-up"),
    "isotonic": Look("isotonic", TINTS[2], "s", (8, 3, 2, 3), "square"),
    "interpolated": Look("interpolated", INK, "o", (), "circle"),
}
# Wider gaps are not drawn: every rule has its answer below.
WIDEST = 30.0


def draw_rules(counts: Agreement, selector: str, size: int, threshold: float = 0.8) -> Figure:
    """One cell's agreement by gap, the rising curve nearest to it, and where each rule reads it.

    Parameters
    ----------
    counts : Agreement
    selector, size
        Of the cell.
    threshold : float
    """
    own = (counts.cells["selector"] == selector) & (counts.cells["size"] == size)
    cell = int(np.flatnonzero(own)[0])
    pairs, agreeing = (part[cell].sum(axis=0) for part in (counts.pairs, counts.agreeing))
    shown = (pairs > 0) & (counts.gaps <= WIDEST)
    figure, axes = plt.subplots(figsize=(WIDTH, 4.2), layout="constrained")
    axes.scatter(
        counts.gaps[shown],
        (agreeing[shown] / pairs[shown]),
        s=4 + 120 * pairs[shown] / pairs.max(),
        color=TINTS[0],
        alpha=0.55,
        linewidths=0,
        label="bins, area by pairs",
    )
    curve = isotonic_curve(pairs, agreeing)
    axes.step(
        counts.gaps[shown], curve[shown], where="mid", color=INK, linewidth=2, label="rising curve"
    )
    axes.axhline(threshold, color=THRESHOLD, linestyle=":", linewidth=1.5)
    values = read_by_rules(counts, threshold).iloc[cell]
    for place, rule in enumerate(("first", "interpolated", "sustained")):
        look, value = LOOK_OF_RULE[rule], float(values[rule])
        if np.isnan(value):
            continue
        height = 0.06 + 0.09 * place
        axes.plot([value, value], [height, threshold], color=look.color, linewidth=1)
        axes.annotate(
            f"{rule} {value:g}",
            (value, height),
            xytext=(4, -3) if value < 0.7 * WIDEST else (-4, -3),
            textcoords="offset points",
            ha="left" if value < 0.7 * WIDEST else "right",
            color=INK,
            bbox=BEHIND_WORDS,
        )
    axes.set(xlabel="Gap on the full half (points)", ylabel="Agreement", ylim=(0, 1.02))
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncols=2, fontsize=10)
    plt.close(figure)
    return figure


def draw_rule_errors(errors: pd.DataFrame) -> Figure:
    """Bias on the left, error on the right, by number of trials, a line for each rule.

    Parameters
    ----------
    errors : DataFrame
        From `rule_errors`.
    """
    figure, panels = plt.subplots(1, 2, figsize=(WIDTH, 3.6), layout="constrained")
    for axes, column, name in zip(panels, ("bias", "error"), ("Bias", "Error"), strict=True):
        for rule, look in LOOK_OF_RULE.items():
            own = errors[errors["rule"] == rule]
            axes.plot(
                own["n_trials"],
                own[column],
                color=look.color,
                marker=look.marker,
                markeredgecolor=PAPER,
                label=rule,
            )
        _trials_axis(axes, errors["n_trials"])
        axes.set(ylabel=f"{name} (% of the MDAD)")
    panels[0].axhline(0, color=INK, linewidth=1)
    panels[1].set_ylim(bottom=0)
    handles, names = panels[0].get_legend_handles_labels()
    figure.legend(handles, names, loc="outside upper center", ncols=4, fontsize=10)
    plt.close(figure)
    return figure


def draw_trials_needed(targets: pd.DataFrame) -> Figure:
    """How far MDADs of sets of trials scatter, by their number, a line for each number of targets.

    Parameters
    ----------
    targets : DataFrame
        ``measured("definitions-targets")``.
    """
    own = relative_spread(targets)
    figure, axes = plt.subplots(figsize=(WIDTH, 3.8), layout="constrained")
    numbers = sorted(own["n_target"].unique())
    markers = ("v", "s", "o", "D")
    for number, marker, alpha in zip(
        numbers, markers, np.linspace(0.45, 1, len(numbers)), strict=False
    ):
        line = own[own["n_target"] == number]
        axes.plot(
            line["n_trials"],
            line["spread"],
            color=TINTS[0],
            alpha=alpha,
            marker=marker,
            label=f"{number} targets",
        )
    _trials_axis(axes, own["n_trials"])
    axes.set_yscale("log")
    ticks = [1, 2, 5, 10, 20, 40]
    axes.set_yticks(ticks, [str(tick) for tick in ticks], minor=False)
    axes.minorticks_off()
    axes.set(ylabel="Standard deviation (% of the MDAD)")
    axes.legend(loc="upper right", fontsize=10)
    plt.close(figure)
    return figure


def _trials_axis(axes: Axes, numbers: pd.Series) -> None:
    ticks = sorted(int(number) for number in numbers.unique())
    axes.set_xscale("log")
    axes.set_xticks(ticks, [str(tick) for tick in ticks], minor=False)
    axes.minorticks_off()
    axes.set_xlabel("Trials")
