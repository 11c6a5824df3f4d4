"""Figures that more than one chapter draws; each takes a finished table and computes nothing."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, NullLocator

from mbnb.data.responses import ResponseMatrix
from mbnb.publish.style import GRID, INK, LOOKS, THRESHOLD, label
from mbnb.study.selectors import Selection

# Wider gaps than this tell nothing: every selector orders such pairs.
WIDEST_GAP = 25.0


def draw_matrix(matrix: ResponseMatrix, *, max_models: int = 200, max_items: int = 600) -> Figure:
    """The matrix as a picture: best models above, easiest items left, dark where correct.

    Larger matrices are thinned evenly in rank, not averaged, so that a dot stays an answer.
    """
    scores = matrix.evidence if not matrix.binary else matrix.scores.astype(np.float32)
    rows = np.argsort(-scores.mean(axis=1), kind="stable")
    columns = np.argsort(-scores.mean(axis=0), kind="stable")
    rows = rows[np.linspace(0, rows.size - 1, min(rows.size, max_models)).astype(int)]
    columns = columns[np.linspace(0, columns.size - 1, min(columns.size, max_items)).astype(int)]
    figure, axes = plt.subplots(figsize=(7.2, 3.6))
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
        ylabel=f"← {rows.size:,} of {matrix.n_models:,} models,\nworst to best",
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
    axes.set_xticklabels([f"{size:,}" for size in sizes])
    axes.set_xlabel("Size (items chosen)")


def draw_mdad(table: pd.DataFrame, *, floor: pd.Series | None = None) -> Figure:
    """MDAD against size, one line for each selector, with intervals.

    Parameters
    ----------
    table : DataFrame
        From `mdad`.
    floor : Series, optional
        By size, the gap in points below which uniform sampling cannot go.
    """
    figure, axes = plt.subplots(figsize=(7.2, 4.6))
    sizes = sorted(table["size"].unique())
    selectors = list(dict.fromkeys(table["selector"]))
    ends = []
    for position, selector in enumerate(selectors):
        rows = table[table["selector"] == selector].sort_values("size")
        look = LOOKS[selector]
        # Side by side, so that intervals of equal values do not hide one another.
        x = rows["size"] * 1.035 ** (position - (len(selectors) - 1) / 2)
        axes.vlines(x, rows["low"], rows["high"], color=look.color, alpha=0.45, linewidth=2)
        axes.plot(
            x,
            rows["mdad"],
            color=look.color,
            marker=look.marker,
            markersize=6,
            dashes=look.dash or (None, None),
            label=look.label,
        )
        ends.append(rows["mdad"].iloc[-1])
    if floor is not None:
        axes.plot(floor.index, floor, color=THRESHOLD, linewidth=1, linestyle=":")
        axes.annotate(
            "floor of uniform sampling",
            (floor.index[0], floor.iloc[0]),
            xytext=(8, 4),
            textcoords="offset points",
            color=THRESHOLD,
            fontsize="small",
        )
    size_axis(axes, sizes)
    axes.set_ylabel("MDAD (points)")
    axes.set_ylim(bottom=0)
    axes.legend(loc="upper right")
    return figure


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
    n_columns = min(len(sizes), 4)
    n_rows = -(-len(sizes) // n_columns)
    figure, grid = plt.subplots(
        n_rows,
        n_columns,
        figsize=(2.4 * n_columns + 0.8, 2.5 * n_rows + 0.6),
        sharex=True,
        sharey=True,
        squeeze=False,
        layout="constrained",
    )
    near = curve[curve["gap"] <= WIDEST_GAP]
    for axes, size in zip(grid.flat, sizes, strict=False):
        for selector in dict.fromkeys(near["selector"]):
            rows = near[(near["selector"] == selector) & (near["size"] == size)]
            look = LOOKS[selector]
            axes.plot(
                rows["gap"],
                rows["agreement"],
                color=look.color,
                label=look.label,
                dashes=look.dash or (None, None),
                linewidth=1.4,
            )
        axes.axhline(threshold, color=THRESHOLD, linewidth=1, linestyle=":")
        axes.set_title(f"{size:,} items")
        axes.set_ylim(0, 1.02)
    for axes in list(grid.flat)[len(sizes) :]:
        axes.set_visible(False)
    figure.supxlabel("Gap on the full half (points)", fontsize="medium")
    figure.supylabel("Agreement", fontsize="medium")
    handles, labels = grid.flat[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=3, fontsize="small")
    return figure


def explore_agreement(curve: pd.DataFrame, *, threshold: float = 0.8) -> alt.LayerChart:
    """Agreement against gap, with the size chosen by a slider and selectors by the legend.

    Parameters
    ----------
    curve : DataFrame
        From `Agreement.curve`; gaps above 25 points are left out.
    threshold : float
        Drawn as a line.
    """
    near = curve[curve["gap"] <= WIDEST_GAP]
    sizes = sorted(int(size) for size in near["size"].unique())
    names = list(dict.fromkeys(near["selector"]))
    data = pd.DataFrame(
        {
            "selector": [label(name) for name in near["selector"]],
            "size": near["size"].astype(int).to_numpy(),
            "gap": near["gap"].to_numpy(),
            "agreement": near["agreement"].round(4).to_numpy(),
            "pairs": near["pairs"].astype(int).to_numpy(),
        }
    )
    chosen = alt.param(
        "size",
        value=sizes[0],
        bind=alt.binding_radio(options=sizes, name="Size (items chosen): "),
    )
    lit = alt.selection_point(fields=["selector"], bind="legend")
    scale = alt.Scale(domain=[label(n) for n in names], range=[LOOKS[n].color for n in names])
    dashes = alt.Scale(
        domain=[label(n) for n in names], range=[list(LOOKS[n].dash) or [1, 0] for n in names]
    )
    base = alt.Chart(data).transform_filter(alt.datum.size == chosen)
    legend = alt.Legend(orient="bottom", columns=3)
    lines = base.mark_line(strokeWidth=2, point={"size": 26}).encode(
        x=alt.X("gap:Q", title="Gap on the full half (points)"),
        y=alt.Y("agreement:Q", title="Agreement", scale=alt.Scale(domain=[0, 1])),
        color=alt.Color("selector:N", title=None, scale=scale, legend=legend),
        strokeDash=alt.StrokeDash("selector:N", title=None, scale=dashes, legend=legend),
        opacity=alt.condition(lit, alt.value(1), alt.value(0.12)),
        tooltip=[
            alt.Tooltip("selector:N", title="Selector"),
            alt.Tooltip("gap:Q", title="Gap (points)"),
            alt.Tooltip("agreement:Q", title="Agreement", format=".2f"),
            alt.Tooltip("pairs:Q", title="Pairs", format=","),
        ],
    )
    rule = (
        alt.Chart(pd.DataFrame({"agreement": [threshold]}))
        .mark_rule(color=THRESHOLD, strokeDash=[3, 3])
        .encode(y="agreement:Q")
    )
    description = (
        f"Agreement against gap for {len(names)} selectors at the size you choose "
        f"({', '.join(map(str, sizes))} items), with the threshold of {threshold:g}."
    )
    return (
        (lines + rule)
        .add_params(chosen, lit)
        .properties(width="container", height=320, description=description)
    )


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
        _, axes = plt.subplots(figsize=(7.2, 4.6))
    shade = GRID if color_by is None else color_by
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
    area = 40 + 900 * selection.weights / max(selection.weights.sum(), 1e-12)
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
    axes.legend(loc="best")
    if color_by is not None:
        axes.figure.colorbar(drawn, ax=axes, label=color_label)
    return axes.figure  # type: ignore[return-value]


def draw_gap_shares(gaps: np.ndarray, marks: dict[str, float]) -> Figure:
    """The share of pairs with at most a gap, with marks at the MDADs that matter.

    Parameters
    ----------
    gaps : ndarray
        From `pair_gaps`, in points.
    marks : dict of str to float
        A label and a gap in points each; NaN marks are left out.
    """
    figure, axes = plt.subplots()
    ordered = np.sort(gaps)
    share = np.arange(1, ordered.size + 1) / ordered.size
    axes.step(ordered, share, where="post", color=INK)
    for text, gap in marks.items():
        if np.isnan(gap):
            continue
        height = float((ordered <= gap + 1e-9).mean())
        axes.vlines(gap, 0, height, color=THRESHOLD, linestyle=":")
        axes.hlines(height, 0, gap, color=THRESHOLD, linestyle=":")
        axes.annotate(
            f"{text}: {height:.0%}",
            (gap, height),
            xytext=(6, -4),
            textcoords="offset points",
            color=THRESHOLD,
            fontsize="small",
            va="top",
        )
    axes.set(xlabel="Gap (points)", ylabel="Share of pairs with at most this gap", ylim=(0, 1.02))
    axes.set_xlim(left=0)
    return figure
