"""Figures of one group of models: its ranking and the gaps in it; computes no MDAD."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from mbnb.publish.charts.style import BEHIND_WORDS, GRID, INK, THRESHOLD, WIDTH


def draw_ranking(accuracies: pd.Series, marks: dict[str, float]) -> Figure:
    """Models in order of accuracy, with bars as long as the gaps that matter.

    Parameters
    ----------
    accuracies : Series
        In points, by model id. Models with equal accuracy share a rank and stand in the order of
        their ids; differences below 10⁻⁹ points are rounding.
    marks : dict of str to float
        A label and a gap in points each, drawn at the foot, to be laid against two models; NaN
        marks are left out.
    """
    ordered = accuracies.round(9).sort_index(key=lambda ids: ids.astype(str))
    ordered = ordered.sort_values(ascending=False, kind="stable")
    places = np.arange(len(ordered))
    bars = {text: gap for text, gap in marks.items() if not np.isnan(gap)}
    figure, axes = plt.subplots(figsize=(WIDTH, 0.22 * (len(ordered) + 1.4 * len(bars)) + 0.9))
    axes.hlines(places, ordered.min(), ordered, color=GRID, linewidth=1)
    axes.plot(ordered, places, "o", color=INK, markersize=5)
    for number, (text, gap) in enumerate(bars.items(), start=1):
        row = len(ordered) - 0.4 + 1.4 * number
        axes.plot([ordered.min(), ordered.min() + gap], [row, row], "|-", color=THRESHOLD)
        axes.annotate(
            text,
            (ordered.min() + gap, row),
            xytext=(6, 0),
            textcoords="offset points",
            va="center",
            color=THRESHOLD,
            fontsize=10,
        )
    axes.set_yticks(places, ranked_labels(ordered), fontsize=9)
    axes.set_ylim(len(ordered) + 1.4 * len(bars), -0.8)
    axes.grid(visible=False, axis="y")
    axes.set_xlabel("Accuracy on all items (points)")
    return figure


def ranked_labels(ordered: pd.Series) -> list[str]:
    """“1  name”, “2=  name”, “2=  name”, “4  name”: equal values share a rank."""
    ranks = ordered.rank(ascending=False, method="min").astype(int)
    shared = ranks.duplicated(keep=False)
    return [
        f"{name}  {rank}{'=' if tied else ''}"
        for name, rank, tied in zip(ordered.index, ranks, shared, strict=True)
    ]


def draw_gap_shares(gaps: np.ndarray, marks: dict[str, float]) -> Figure:
    """The share of pairs with at most a gap, with marks at the MDADs that matter.

    Parameters
    ----------
    gaps : ndarray
        From `pair_gaps`, in points.
    marks : dict of str to float
        A label and a gap in points each; NaN marks are left out.
    """
    figure, axes = plt.subplots(figsize=(WIDTH, 3.8))
    ordered = np.sort(gaps)
    share = np.arange(1, ordered.size + 1) / ordered.size
    axes.step(ordered, share, where="post", color=INK)
    texts: dict[float, list[str]] = {}
    for text, gap in marks.items():
        if not np.isnan(gap):
            texts.setdefault(gap, []).append(text)
    widest = max([float(ordered[-1]), *texts]) if ordered.size else 1.0
    last, lowest, shift = -1.0, -1.0, 0
    for gap, names in sorted(texts.items()):
        height = float((ordered <= gap + 1e-9).mean())
        axes.vlines(gap, 0, height, color=THRESHOLD, linestyle=":")
        axes.hlines(height, 0, gap, color=THRESHOLD, linestyle=":")
        # Below the curve, right of the mark; where that leaves no room, at the left above the line,
        # where the curve is low, and beside a label of nearly the same height.
        far = gap > 0.6 * widest
        shift = shift + 1 if far and height - last < 0.07 else 0
        last = height if far and not shift else last
        # A label that would lie on the one before goes below it; a unit is some 195 points.
        drop = max(0.0, 13 + 195 * (height - lowest)) if abs(height - lowest) < 0.07 else 0.0
        lowest = lowest if far else height - drop / 195
        axes.annotate(
            f"{', '.join(names)}: {100 * height:.0f} %",
            (0, height) if far else (gap, height),
            xytext=(5 + 115 * shift, 2) if far else (7, -4 - drop),
            textcoords="offset points",
            color=THRESHOLD,
            fontsize=10,
            va="bottom" if far else "top",
            bbox=BEHIND_WORDS,
        )
    axes.set(xlabel="Gap (points)", ylabel="Share of pairs with at most this gap", ylim=(0, 1.1))
    axes.set_xlim(0, 1.05 * widest)
    return figure
