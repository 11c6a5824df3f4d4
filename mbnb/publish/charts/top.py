"""Figures and tables of what the top of a ranking keeps; takes finished tables, runs no trial."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from pandas.io.formats.style import Styler

from mbnb.publish.charts.plots import points_axis, size_axis
from mbnb.publish.charts.style import GRID, INK, LOOKS, PAPER, TINTS, WIDTH, Look, series_of
from mbnb.publish.charts.tables import NOTHING, percent, show

MARKERS = ("o", "^", "s", "D")


def draw_kept(table: pd.DataFrame) -> Figure:
    """The share of the best k that a micro-benchmark keeps, a small chart for each k.

    Parameters
    ----------
    table : DataFrame
        From `top_table`, of one half.
    """
    ks = sorted(table["k"].unique())
    figure, grid = _panels(len(ks))
    for axes, k in zip(grid.flat, ks, strict=False):
        own = table[table["k"] == k]
        for name, (look, rows) in series_of(own).items():
            _line(axes, rows, "kept", look, name)
        axes.axhline(k / own["n_target"].iloc[0], color=INK, linewidth=1, linestyle=":")
        axes.set_title("The best model" if k == 1 else f"The best {k} models", fontsize=10)
        axes.set_ylim(0, 1.03)
        axes.yaxis.set_major_formatter(lambda share, _: f"{100 * share:.0f}")
    return _finish(figure, grid, len(ks), table, "Kept (per cent)")


def draw_regret(table: pd.DataFrame) -> Figure:
    """What it costs to look at the k seemingly best alone, a small chart for each k.

    Parameters
    ----------
    table : DataFrame
        From `top_table`, of one half.
    """
    ks = sorted(table["k"].unique())
    figure, grid = _panels(len(ks))
    for axes, k in zip(grid.flat, ks, strict=False):
        for name, (look, rows) in series_of(table[table["k"] == k]).items():
            _line(axes, rows, "regret", look, name)
        axes.set_title("Take the first" if k == 1 else f"Measure the first {k}", fontsize=10)
        points_axis(axes, float(table["regret"].max()))
        axes.tick_params(axis="y", labelsize=9)
    return _finish(figure, grid, len(ks), table, "Regret (points)")


def draw_curse(table: pd.DataFrame) -> Figure:
    """By how much the seeming winner is overrated for having been chosen, by size.

    Parameters
    ----------
    table : DataFrame
        From `top_table`, of one half; its rows with k = 1 are drawn.
    """
    own = table[table["k"] == 1]
    figure, axes = plt.subplots(figsize=(WIDTH, 3.9), layout="constrained")
    axes.axhline(0, color=INK, linewidth=1)
    for name, (look, rows) in series_of(own).items():
        _line(axes, rows, "curse", look, name)
    size_axis(axes, sorted(own["size"].unique()))
    axes.set_ylabel("Winner overrated by (points)")
    figure.legend(
        *axes.get_legend_handles_labels(), loc="outside upper center", ncols=2, fontsize=10
    )
    plt.close(figure)  # a page shows what is returned, and would show an open figure again
    return figure


def draw_rank_ranges(ranges: pd.DataFrame, sizes: Sequence[int]) -> Figure:
    """The estimated rank against the true one, with its range, a small chart for each size.

    Parameters
    ----------
    ranges : DataFrame
        From `rank_ranges`, of one selector.
    sizes : sequence of int
    """
    figure, grid = plt.subplots(
        1, len(sizes), figsize=(WIDTH, 3.0), sharey=True, squeeze=False, layout="constrained"
    )
    n = int(ranges[["rank", "high"]].to_numpy().max())
    for axes, size in zip(grid.flat, sizes, strict=True):
        own = ranges[ranges["size"] == size]
        look = LOOKS.get(str(own["selector"].iloc[0]))
        color = look.color if look else INK
        axes.plot([1, n], [1, n], color=GRID, linewidth=1.2, zorder=0)
        axes.vlines(own["rank"], own["low"], own["high"], color=color, alpha=0.45, linewidth=2)
        axes.plot(own["rank"], own["middle"], "o", color=color, markersize=2.5)
        axes.set_title(f"{size:,} items", fontsize=10)
        axes.set_xlim(0, n + 1)
    grid[0, 0].set_ylim(n + 1, 0)
    figure.supxlabel("True rank (1 is best)", fontsize="medium")
    grid[0, 0].set_ylabel("Rank by the estimates")
    plt.close(figure)  # a page shows what is returned, and would show an open figure again
    return figure


def draw_room(ranges: pd.DataFrame, apart: pd.DataFrame) -> Figure:
    """By true rank: how far the next model is, and how many stand an MDAD away.

    Parameters
    ----------
    ranges, apart : DataFrame
        From `rank_ranges` and `told_apart`, of one selector; sizes share the first chart.
    """
    figure, (above, below) = plt.subplots(
        2, 1, figsize=(WIDTH, 4.8), sharex=True, layout="constrained"
    )
    sizes = sorted(apart["size"].unique())
    near = ranges[ranges["size"] == sizes[0]]
    above.bar(near["rank"], near["near"], width=0.75, color=TINTS[0])
    above.set_ylabel("To the next model\n(points)")
    for size, shade in zip(sizes, np.linspace(0.35, 1, len(sizes)), strict=True):
        own = apart[apart["size"] == size]
        below.plot(own["rank"], 100 * own["apart"], color=TINTS[1], alpha=shade, linewidth=1.6)
        last = own.iloc[-1]
        below.annotate(
            f" {size:,} items",
            (last["rank"], 100 * last["apart"]),
            va="center",
            fontsize=9,
            color=INK,
        )
    below.set_ylabel("An MDAD away\n(% of the others)")
    below.set_ylim(0, 103)
    below.set_xlim(0, near["rank"].max() * 1.14)
    below.set_xlabel("True rank (1 is best)")
    plt.close(figure)  # a page shows what is returned, and would show an open figure again
    return figure


def draw_crowding(groups: Mapping[str, tuple[pd.DataFrame, pd.DataFrame]], n_top: int) -> Figure:
    """How far ranks move, by rank and by how many others stand within an MDAD.

    Parameters
    ----------
    groups : mapping of str to (DataFrame, DataFrame)
        `rank_ranges` and `told_apart` of one selector and size, by what the group is called.
    n_top : int
        Ranks of the top, drawn full.
    """
    figure, (left, right) = plt.subplots(
        1, 2, figsize=(WIDTH, 3.7), sharey=True, layout="constrained"
    )
    for (name, (ranges, apart)), color, marker in zip(groups.items(), TINTS, MARKERS, strict=False):
        own = ranges.merge(apart[["rank", "apart"]], on="rank").sort_values("rank")
        n = int(own["rank"].max())
        left.plot(own["rank"], own["shift"], color=color, linewidth=1.4)
        within = (1 - own["apart"]) * (n - 1)
        top = own["rank"] <= n_top
        for axes, x in ((left, own["rank"]), (right, within)):
            for chosen, face in ((~top, PAPER), (top, color)):
                axes.plot(
                    x[chosen],
                    own["shift"][chosen],
                    linestyle="",
                    marker=marker,
                    color=color,
                    markerfacecolor=face,
                    markersize=5.5,
                    label=name if axes is left and face == color else None,
                )
    left.set(xlabel="True rank (1 is best)", ylabel="Mean move (ranks)", ylim=(0, None))
    right.set_xlabel("Others within an MDAD")
    figure.legend(
        *left.get_legend_handles_labels(), loc="outside upper center", ncols=2, fontsize=10
    )
    plt.close(figure)  # a page shows what is returned, and would show an open figure again
    return figure


def draw_best_kept(table: pd.DataFrame, selector: str, sizes: Sequence[int]) -> Figure:
    """How often the best model comes out first, a row for each data set, in order of its lead.

    Parameters
    ----------
    table : DataFrame
        ``measured("top")`` or rows like it: k of 1 and one half alone.
    selector : str
    sizes : sequence of int
        Lighter for the smaller; a data set without one of them lacks its mark.
    """
    own = table[(table["selector"] == selector) & table["size"].isin(sizes)]
    leads = own.groupby("dataset", sort=False)["lead"].first().sort_values(kind="stable")
    figure, axes = plt.subplots(figsize=(WIDTH, 0.36 * len(leads) + 1.5), layout="constrained")
    look = LOOKS[selector]
    for y, name in enumerate(leads.index):
        rows = own[own["dataset"] == name]
        axes.plot(100 * rows["best_kept"], [y] * len(rows), color=GRID, linewidth=2, zorder=0)
    for size, shade, marker in zip(sizes, np.linspace(0.4, 1, len(sizes)), MARKERS, strict=False):
        rows = own[own["size"] == size]
        axes.plot(
            100 * rows["best_kept"],
            [leads.index.get_loc(name) for name in rows["dataset"]],
            linestyle="",
            marker=marker,
            color=look.color,
            alpha=shade,
            markersize=7,
            label=f"{size:,} items",
        )
    axes.set_yticks(
        range(len(leads)), [f"{name}: {lead:.1f}" for name, lead in leads.items()], fontsize=9
    )
    axes.set(xlim=(0, 103), ylim=(-0.6, len(leads) - 0.4))
    axes.set_xlabel("The best model comes out first (% of trials)")
    axes.grid(visible=False, axis="y")
    figure.legend(
        *axes.get_legend_handles_labels(), loc="outside upper center", ncols=3, fontsize=10
    )
    plt.close(figure)  # a page shows what is returned, and would show an open figure again
    return figure


def top_table_shown(table: pd.DataFrame, measure: str) -> Styler:
    """One measure of `top_table` as people read it: rows are selectors and k, columns sizes.

    Parameters
    ----------
    table : DataFrame
        From `top_table`, of one half.
    measure : {"kept", "whole", "best_kept", "regret"}
        Shares become per cent; regret is in points.
    """
    text = percent if measure != "regret" else "{:.1f}".format
    rows = {}
    for k, of_k in table.groupby("k", sort=True):
        for name, (_, own) in series_of(of_k).items():
            values = own.set_index("size")[measure]
            rows[name, f"{k}"] = {f"{size:,}": text(values[size]) for size in sorted(values.index)}
    order = list(dict.fromkeys(name for name, _ in rows))
    places = sorted(rows, key=lambda row: order.index(row[0]))
    frame = pd.DataFrame([rows[place] for place in places]).fillna(NOTHING)
    frame.index = pd.MultiIndex.from_tuples(places, names=["", "k"])
    return show(frame.rename_axis("Size", axis="columns"))


def _panels(count: int) -> tuple[Figure, np.ndarray]:
    n_columns = min(count, 2)
    n_rows = -(-count // n_columns)
    return plt.subplots(
        n_rows,
        n_columns,
        figsize=(WIDTH, 2.1 * n_rows + 1),
        sharex=True,
        sharey=True,
        squeeze=False,
        layout="constrained",
    )


def _line(axes: Axes, rows: pd.DataFrame, column: str, look: Look, name: str) -> None:
    rows = rows.sort_values("size")
    axes.plot(
        rows["size"],
        rows[column],
        color=look.color,
        marker=look.marker,
        markersize=4.5,
        dashes=look.dash or (None, None),
        linewidth=1.4,
        label=name,
    )


def _finish(
    figure: Figure, grid: np.ndarray, count: int, table: pd.DataFrame, y_label: str
) -> Figure:
    sizes = sorted(table["size"].unique())
    for axes in grid.flat:
        size_axis(axes, sizes)
        axes.set(xlabel="")
        axes.set_xticklabels([f"{size:,}" for size in sizes], fontsize=9, rotation=45)
    for axes in list(grid.flat)[count:]:
        axes.set_visible(False)
    figure.supxlabel("Size (items chosen)", fontsize="medium")
    figure.supylabel(y_label, fontsize="medium")
    figure.legend(
        *grid.flat[0].get_legend_handles_labels(),
        loc="outside upper center",
        ncols=2,
        fontsize=10,
    )
    plt.close(figure)  # a page shows what is returned, and would show an open figure again
    return figure
