"""One figure for each take-home rule, from figures measured on real leaderboards; measures none."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from mbnb.data.datasets import SIMULATED
from mbnb.data.figures import measured
from mbnb.judge.pairs import uniform_floor
from mbnb.publish.charts.plots import points_axis, size_axis
from mbnb.publish.charts.style import BEHIND_WORDS, INK, LOOKS, THRESHOLD, TINTS, WIDTH, label

HEIGHT = 3.5


def real_mdads(half: str = "train") -> pd.DataFrame:
    """MDADs measured on the real leaderboards, 50 trials each: ``measured("leaderboards")``."""
    table = measured("leaderboards")
    return table[(table["half"] == half) & ~table["dataset"].str.startswith(SIMULATED)]


def draw_seen_gaps(own: pd.DataFrame, name: str) -> Figure:
    """Which gap uniform sampling sees at each size: real leaderboards, this run, and the floor.

    Parameters
    ----------
    own : DataFrame
        Columns size and mdad of uniform sampling, of this run.
    name : str
        Of this run's data.
    """
    figure, axes = _axes()
    table = real_mdads().query("selector == 'uniform'")
    band = table.groupby("size")["mdad"].agg(["min", "max", "count"])
    # A size that two or three leaderboards have would put a notch into the range of all.
    band = band[2 * band["count"] >= band["count"].max()]
    sizes = sorted({*band.index, *own["size"]})
    axes.fill_between(
        band.index, band["min"], band["max"], color=TINTS[0], alpha=0.35, label="real leaderboards"
    )
    look = LOOKS["uniform"]
    axes.plot(own["size"], own["mdad"], color=look.color, marker=look.marker, label=name)
    floor = uniform_floor(sizes)
    axes.plot(sizes, floor, ":", color=THRESHOLD, label="floor")
    size_axis(axes, sizes)
    points_axis(axes, float(np.nanmax([band["max"].max(), own["mdad"].max()])))
    axes.set_ylabel("MDAD (points)")
    axes.legend()
    return figure


def draw_best_gains() -> Figure:
    """How much the best selector gains over uniform sampling, a dot for each real leaderboard."""
    wide = real_mdads().pivot(index=["dataset", "size"], columns="selector", values="mdad")
    gain = (wide["uniform"] - wide.drop(columns="uniform").min(axis=1)).dropna().reset_index()
    gain.columns = ["dataset", "size", "gain"]
    figure, axes = _axes()
    axes.axhspan(-0.5, 0.5, color=TINTS[2], alpha=0.2, linewidth=0, label="within one bin")
    shifts = np.linspace(0.94, 1.06, gain["dataset"].nunique())
    for (_, own), shift in zip(gain.groupby("dataset", sort=False), shifts, strict=True):
        axes.plot(own["size"] * shift, own["gain"], "o", color=LOOKS["anchor-points"].color)
    size_axis(axes, sorted(gain["size"].unique()))
    axes.set_ylabel("Best selector’s gain (points)")
    axes.legend(loc="upper right")
    return figure


def draw_small_sizes(sizes: tuple[int, ...] = (10, 25, 50)) -> Figure:
    """MDAD of each selector at small sizes: the median and the range over real leaderboards."""
    table = real_mdads()
    spread = table[table["size"].isin(sizes)].groupby(["selector", "size"], sort=False)["mdad"]
    summary = spread.agg(["min", "median", "max"]).reset_index()
    figure, axes = _axes()
    selectors = list(LOOKS)
    for row, selector in enumerate(selectors):
        own = summary[summary["selector"] == selector].set_index("size")
        for place, size in enumerate(sizes):
            dy = 0.22 * (place - (len(sizes) - 1) / 2)
            if size not in own.index:
                continue
            values = own.loc[size]
            axes.hlines(row + dy, values["min"], values["max"], color=TINTS[2], alpha=0.4, lw=5)
            axes.plot(values["median"], row + dy, LOOKS[selector].marker, color=INK, markersize=5)
            axes.annotate(
                f"{size}",
                (values["max"], row + dy),
                xytext=(4, 0),
                va="center",
                fontsize=8,
                textcoords="offset points",
                bbox=BEHIND_WORDS,
            )
    axes.set_yticks(range(len(selectors)), [label(name) for name in selectors])
    axes.set_ylim(len(selectors) - 0.5, -0.5)
    axes.grid(visible=False, axis="y")
    axes.set_xlabel("MDAD (points); beside each bar its size")
    return figure


def draw_tau_hides() -> Figure:
    """Tau against MDAD, a dot for each selector and size on the real leaderboards."""
    figure, axes = _axes()
    for selector, own in real_mdads().groupby("selector", sort=False):
        look = LOOKS[str(selector)]
        axes.plot(
            own["tau"], own["mdad"], look.marker, color=look.color, label=look.label, alpha=0.8
        )
    axes.set(xlabel="Kendall’s tau", ylabel="MDAD (points)")
    axes.legend(loc="upper right", fontsize="small")  # high tau and high MDAD never go together
    return figure


def draw_top_kept(k: int = 1, selector: str = "uniform") -> Figure:
    """How often the best model has the best estimate, and what a wrong pick costs.

    Parameters
    ----------
    k : int
        Models with the highest estimates among which the best is looked for.
    selector : str
    """
    table = measured("top")
    rows = table[
        (table["half"] == "train")
        & (table["k"] == k)
        & (table["selector"] == selector)
        & ~table["dataset"].str.startswith(SIMULATED)
    ]
    figure, (above, below) = plt.subplots(
        2, 1, figsize=(WIDTH, 4.6), sharex=True, layout="constrained"
    )
    for _, own in rows.groupby("dataset", sort=False):
        own = own.sort_values("size")
        above.plot(own["size"], 100 * own["best_kept"], "o-", color=TINTS[0], markersize=4)
        below.plot(own["size"], own["regret"], "o-", color=TINTS[1], markersize=4)
    above.set(ylabel="Best model is picked\n(per cent of trials)", ylim=(0, 100))
    below.set_ylabel("Accuracy given away\n(points)")
    size_axis(below, sorted(rows["size"].unique()))
    plt.close(figure)
    return figure


def draw_within(group: str = "8b-instruct") -> Figure:
    """Share of a group's pairs within the MDAD, against size, for the best and for uniform.

    Parameters
    ----------
    group : str
    """
    table = measured("group")
    rows = table[(table["half"] == "train") & (table["group"] == group)]
    figure, axes = _axes()
    for dash, (dataset, own) in zip(("-", "--"), rows.groupby("dataset", sort=False), strict=False):
        uniform = own[own["selector"] == "uniform"].sort_values("size")
        best = own.groupby("size")["within"].min()
        kind = "simulated" if str(dataset).startswith(SIMULATED) else "real"
        look = LOOKS["uniform"]
        axes.plot(
            uniform["size"],
            100 * uniform["within"],
            dash,
            color=look.color,
            marker=look.marker,
            label=f"uniform, {kind} models",
        )
        axes.plot(
            best.index,
            100 * best,
            dash,
            color=LOOKS["anchor-points"].color,
            marker="v",
            label=f"best selector, {kind} models",
        )
    size_axis(axes, sorted(rows["size"].unique()))
    axes.set(ylabel="Pairs too close to call (per cent)", ylim=(0, 102))
    axes.legend(fontsize="small", loc="lower center", bbox_to_anchor=(0.5, 1), ncols=2)
    return figure


def draw_sources_needed(size: int = 25) -> Figure:
    """MDAD at one size against the number of source models, the mean over real leaderboards.

    Parameters
    ----------
    size : int
    """
    table = measured("sources")
    rows = table[
        (table["half"] == "train")
        & ~table["families"]
        & (table["size"] == size)
        & ~table["dataset"].str.startswith(SIMULATED)
    ]
    counts = rows.groupby("dataset")["n_source"].nunique()
    # Only leaderboards with every number of sources, so that all points of a line are of the same.
    rows = rows[rows["dataset"].isin(counts.index[counts == counts.max()])]
    figure, axes = _axes()
    for selector, own in rows.groupby("selector", sort=False):
        look = LOOKS[str(selector)]
        line = own.groupby("n_source")["mdad"].mean()
        axes.plot(
            line.index,
            line,
            color=look.color,
            marker=look.marker,
            dashes=look.dash or (None, None),
            label=look.label,
        )
    axes.set(xlabel="Source models", ylabel=f"MDAD at {size} items (points)")
    axes.set_ylim(bottom=0)
    axes.legend(fontsize="small", ncols=2)
    return figure


def _axes() -> tuple[Figure, Axes]:
    figure, axes = plt.subplots(figsize=(WIDTH, HEIGHT), layout="constrained")
    plt.close(figure)  # a page shows what is returned, and would show an open figure again
    return figure, axes
