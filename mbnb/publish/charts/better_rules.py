"""What the take-home rules past the study show, from kept figures; measures none."""

from __future__ import annotations

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from pandas.io.formats.style import Styler

from mbnb.data.datasets import SIMULATED
from mbnb.data.errors import InputError
from mbnb.data.figures import measured
from mbnb.publish.charts.plots import LEGEND, points_axis, size_axis
from mbnb.publish.charts.style import GRID, INK, LOOKS, PAST, THRESHOLD, WIDTH
from mbnb.publish.charts.tables import show

# The ways that the rules are about: what they are called, and the selector and estimator.
WAYS = {
    "random items, plain mean": ("uniform", "weighted-mean"),
    "the same items, corrected-mean": ("uniform", "corrected-mean"),
    "close pairs, corrected-mean": ("close-pairs", "corrected-mean"),
}


def better_mdads(half: str = "train") -> pd.DataFrame:
    """MDADs of the three ways on the real leaderboards, all source models that there are.

    Returns
    -------
    DataFrame
        Index dataset, n_source and size; a column for each of `WAYS`, in points. Rows in which one
        of them is not reached or was not measured are left out.
    """
    return _wide(measured("better-estimators"), half)


def plans_and_trials(half: str = "train") -> pd.DataFrame:
    """MDADs of uniform sampling on the real leaderboards: derived (``exact``) and ``measured``."""
    table = measured("planning-uniform")
    real = (table["half"] == half) & ~table["dataset"].str.startswith(SIMULATED)
    return table[real].dropna(subset=["exact", "measured"])


def draw_planned() -> Figure:
    """What was derived without a trial against what trials measured, a dot for each size."""
    table = plans_and_trials()
    figure, axes = _axes(4.2)
    most = 1.15 * float(table[["exact", "measured"]].to_numpy().max())
    least = 0.85 * float(table[["exact", "measured"]].to_numpy().min())
    axes.plot([least, most], [least, most], color=THRESHOLD, linewidth=1.2, linestyle=":")
    axes.plot(table["exact"], table["measured"], "o", color=LOOKS["uniform"].color, alpha=0.6)
    ticks = [tick for tick in (0.5, 1, 2, 5, 10, 20, 50) if least <= tick <= most]
    for axis, which in ((axes.xaxis, "x"), (axes.yaxis, "y")):
        getattr(axes, f"set_{which}scale")("log")
        axis.set_ticks(ticks, [f"{tick:g}" for tick in ticks])
        axis.set_ticks([], minor=True)
    axes.set(
        xlabel="MDAD derived from the answers (points)",
        ylabel="MDAD measured in 50 trials (points)",
        xlim=(least, most),
        ylim=(least, most),
    )
    return figure


def draw_past_uniform(half: str = "train") -> Figure:
    """The three ways against size: the median over the real leaderboards, and their range."""
    table = better_mdads(half).droplevel("n_source")
    n_boards = table.groupby("size").size()
    # At a size that few leaderboards have, a median would be another field's.
    table = table[
        table.index.get_level_values("size").isin(n_boards[2 * n_boards >= n_boards.max()].index)
    ]
    figure, axes = _axes(3.9)
    looks = (LOOKS["uniform"], LOOKS["diversity"], PAST["close-pairs"])
    for place, (way, look) in enumerate(zip(WAYS, looks, strict=True)):
        own = table[way].groupby("size").agg(["min", "median", "max"])
        x = own.index.to_numpy(dtype=float) * 1.07 ** (place - 1)
        axes.vlines(x, own["min"], own["max"], color=look.color, alpha=0.35, linewidth=3.5)
        axes.plot(
            x,
            own["median"],
            color=look.color,
            marker=look.marker,
            dashes=look.dash or (None, None),
            label=way,
        )
    size_axis(axes, sorted(table.index.unique("size")))
    points_axis(axes, float(table.to_numpy().max()))
    axes.set_ylabel("MDAD (points)")
    figure.legend(*axes.get_legend_handles_labels(), **{**LEGEND, "ncols": 1})
    return figure


def past_uniform_table(half: str = "train") -> Styler:
    """The median MDAD of the three ways over the real leaderboards, at sizes that all have."""
    table = better_mdads(half).droplevel("n_source")
    shown = table.groupby("size").median()[
        table.groupby("size").size() == table.index.unique("dataset").size
    ]
    text = shown.map(lambda value: f"{value:g}").T
    text.columns = pd.Index([f"{size:,}" for size in shown.index], name="Items asked")
    return show(text)


def choice_gains(size: int = 25) -> pd.DataFrame:
    """What choosing by close pairs gains over drawing at random, both read with `corrected-mean`.

    Parameters
    ----------
    size : int

    Returns
    -------
    DataFrame
        Columns dataset, n_source and gain (points): for every number of source models where that
        was measured, else for all that a leaderboard has.
    """
    try:
        table = measured("better-sources")
    except InputError:
        table = measured("better-estimators")
    wide = _wide(table, "train", ways=list(WAYS)[1:]).query("size == @size")
    random, chosen = (wide[way] for way in list(WAYS)[1:])
    return (random - chosen).rename("gain").reset_index().drop(columns="size")


def draw_choice_gains(size: int = 25) -> Figure:
    """`choice_gains` against the number of source models, the dots of a leaderboard joined."""
    table = choice_gains(size)
    figure, axes = _axes(3.5)
    axes.axhspan(-0.5, 0.5, color=GRID, alpha=0.7, linewidth=0)
    axes.axhline(0, color=INK, linewidth=1)
    look = PAST["close-pairs"]
    for _, own in table.groupby("dataset", sort=False):
        own = own.sort_values("n_source")
        axes.plot(own["n_source"], own["gain"], "o-", color=look.color, alpha=0.55, linewidth=1.2)
    counts = sorted(table["n_source"].unique())
    size_axis(axes, counts)
    axes.set_xlabel("Source models")
    axes.set_ylabel(f"Points gained by close pairs\nat {size} items")
    return figure


def _wide(table: pd.DataFrame, half: str, ways: list[str] | None = None) -> pd.DataFrame:
    rows = table[(table["half"] == half) & ~table["dataset"].str.startswith(SIMULATED)]
    index = ["dataset", "n_source", "size"]
    wide = {
        way: rows[(rows["selector"] == selector) & (rows["estimator"] == estimator)]
        .set_index(index)["mdad"]
        .sort_index()
        for way, (selector, estimator) in WAYS.items()
        if ways is None or way in ways
    }
    return pd.DataFrame(wide).dropna()


def _axes(height: float) -> tuple[Figure, Axes]:
    figure, axes = plt.subplots(figsize=(WIDTH, height), layout="constrained")
    plt.close(figure)  # a page shows what is returned, and would show an open figure again
    return figure, axes
