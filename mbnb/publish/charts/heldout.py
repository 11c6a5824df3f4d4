"""Charts of train against held-out halves; each takes a finished table and computes nothing."""

from __future__ import annotations

from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from mbnb.judge.agreement import NOT_REACHED
from mbnb.publish.charts.plots import LEGEND, size_axis
from mbnb.publish.charts.style import (
    GRID,
    INK,
    LOOKS,
    PAPER,
    THRESHOLD,
    TINTS,
    WIDTH,
    label,
    series_of,
)

# Rows that a chart of subtasks has at most: of more, every so many are drawn, in order of items.
MOST_SUBTASKS = 40
# Half a bin: an MDAD moves in steps of half a point, so that a difference within it is none.
STEP = 0.5


def one_decimal(value: float) -> str:
    """A derived MDAD as people read it: “4.6”, or “not reached”."""
    return NOT_REACHED if np.isnan(value) else f"{value:.1f}"


def draw_half_difference(
    table: pd.DataFrame, *, across: str = "size", expected: pd.Series | None = None
) -> Figure:
    """Held-out MDAD minus train MDAD, by size or by share, a line with intervals for each selector.

    Parameters
    ----------
    table : DataFrame
        From `half_difference`, or the rows of “all” from `SubtaskStudy.table`.
    across : {"size", "share"}
        The horizontal axis: items, or per cent of a subtask's train half.
    expected : Series, optional
        By size or share, the difference in points that theory expects of uniform sampling.
    """
    figure, axes = plt.subplots(figsize=(WIDTH, 4.4), layout="constrained")
    places = sorted(int(place) for place in table[across].unique())
    axes.axhspan(-STEP, STEP, color=GRID, alpha=0.6, linewidth=0)
    axes.axhline(0, color=INK, linewidth=1)
    values = table[["difference", "low", "high"]].to_numpy(dtype=float)
    top = max(float(np.nanmax(values)) if np.isfinite(values).any() else 1.0, 1.0)
    series = series_of(table)
    for position, (name, (look, rows)) in enumerate(series.items()):
        rows = rows.sort_values(across)
        x = rows[across].astype(float) * 1.045 ** (position - (len(series) - 1) / 2)
        # An interval that is open goes past the edge.
        low, high = rows["low"].fillna(-100), rows["high"].fillna(100)
        known = rows["difference"].notna()
        axes.vlines(x[known], low[known], high[known], color=look.color, alpha=0.4, linewidth=2.5)
        axes.plot(
            x,
            rows["difference"],
            color=look.color,
            marker=look.marker,
            markeredgecolor=PAPER,
            markeredgewidth=0.6,
            dashes=look.dash or (None, None),
            linewidth=1.2,
            label=name,
        )
    if expected is not None:
        axes.plot(
            expected.index,
            expected,
            color=THRESHOLD,
            linestyle=(0, (5, 2, 1, 2)),
            linewidth=1.6,
            label="Expected of uniform sampling",
        )
    size_axis(axes, places)
    if across == "share":
        axes.set_xlabel("Size (per cent of the subtask’s train half)")
    lowest = min(float(np.nanmin(values)) if np.isfinite(values).any() else -1.0, -1.0)
    axes.set(ylim=(1.1 * lowest, 1.1 * top), ylabel="Held-out MDAD − train MDAD (points)")
    figure.legend(*axes.get_legend_handles_labels(), **LEGEND)
    plt.close(figure)  # a page shows what is returned, and would show an open figure again
    return figure


def draw_half_ratio(table: pd.DataFrame, selectors: list[str]) -> Figure:
    """Held-out MDAD over train MDAD against the share of the train half chosen, with the formula.

    Parameters
    ----------
    table : DataFrame
        Columns selector, share (0–1), train and heldout (MDADs), a row for each micro-benchmark;
        only those with a train MDAD above 0 are drawn.
    selectors : list of str
        Those that are drawn.
    """
    figure, axes = plt.subplots(figsize=(WIDTH, 4.2), layout="constrained")
    shares = np.geomspace(0.001, 0.97, 200)
    axes.plot(
        100 * shares,
        np.sqrt((1 + shares) / (1 - shares)),
        color=THRESHOLD,
        linestyle=(0, (5, 2, 1, 2)),
        label="Expected of uniform sampling",
    )
    known = table[(table["train"] > 0) & table["heldout"].notna()]
    for selector in selectors:
        rows = known[known["selector"] == selector]
        axes.plot(
            100 * rows["share"],
            rows["heldout"] / rows["train"],
            linestyle="none",
            marker=LOOKS[selector].marker,
            color=LOOKS[selector].color,
            markersize=6,
            alpha=0.75,
            markeredgecolor=PAPER,
            markeredgewidth=0.5,
            label=label(selector),
        )
    axes.axhline(1, color=INK, linewidth=1)
    axes.set_xscale("log")
    ticks = [0.1, 1, 10, 25, 50, 90]
    axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    axes.set_xticks([], minor=True)
    drawn = known[known["selector"].isin(selectors)]
    top = max(2.5, float((drawn["heldout"] / drawn["train"]).max()) if len(drawn) else 0)
    axes.set(
        xlabel="Items chosen (per cent of the train half)",
        ylabel="Held-out MDAD ÷ train MDAD",
        ylim=(0.5, 1.08 * top),
    )
    figure.legend(*axes.get_legend_handles_labels(), **LEGEND)
    plt.close(figure)
    return figure


def draw_subtasks(table: pd.DataFrame, ceilings: pd.DataFrame) -> Figure:
    """A row for each subtask: its MDAD on the train and the held-out half, and that of its halves.

    Parameters
    ----------
    table : DataFrame
        Rows of one selector and share from `SubtaskStudy.table`, without “all”. Where an MDAD is
        not reached there is no mark.
    ceilings : DataFrame
        From `SubtaskStudy.ceilings`.
    """
    rows = table.merge(ceilings[["part", "mdad"]], on="part").sort_values("items", kind="stable")
    rows = rows.iloc[:: -(-len(rows) // MOST_SUBTASKS)].reset_index(drop=True)
    figure, axes = plt.subplots(figsize=(WIDTH, 1.6 + 0.26 * len(rows)), layout="constrained")
    y = np.arange(len(rows))
    axes.hlines(y, rows["train"], rows["heldout"], color=TINTS[2], linewidth=2)
    marks: tuple[tuple[str, str, dict[str, Any]], ...] = (
        ("train", "judged on the train half", {"marker": "o", "color": TINTS[0]}),
        ("heldout", "judged on the held-out half", {"marker": "s", "color": TINTS[1]}),
        (
            "mdad",
            "the whole train half, judged on the held-out half",
            {"marker": "|", "color": INK},
        ),
    )
    for column, text, style in marks:
        large: dict[str, Any] = (
            {"markersize": 13, "markeredgewidth": 2} if style["marker"] == "|" else {}
        )
        axes.plot(rows[column], y, linestyle="none", label=text, **style, **large)
    axes.set_yticks(y, [f"{row['part']} ({row['items']:,})" for _, row in rows.iterrows()])
    axes.set_xlim(0, None)
    axes.set_xlabel("MDAD (points)")
    figure.legend(*axes.get_legend_handles_labels(), **{**LEGEND, "ncols": 1})
    plt.close(figure)
    return figure
