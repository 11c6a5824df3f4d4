"""A selector on all leaderboards that were measured for the book, real and simulated; runs none."""

from __future__ import annotations

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.figure import Figure
from pandas.io.formats.style import Styler

from mbnb.data.datasets import SIMULATED
from mbnb.data.errors import InputError
from mbnb.data.figures import measured
from mbnb.publish.charts.comparison import YARDSTICK
from mbnb.publish.charts.plots import points_axis, size_axis
from mbnb.publish.charts.style import INK, LOOKS, TINTS, WIDTH, label
from mbnb.publish.charts.tables import NOTHING, points, show

# A difference of one bin is none.
BIN = 0.5
# The simulated leaderboard that is set beside the real ones.
DEFAULT = "simulated:mmlu-pro"
# Lines of one colour are told apart by these.
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")


def gains_elsewhere(selector: str) -> pd.DataFrame:
    """MDAD of uniform sampling minus that of a selector, on each leaderboard measured.

    Parameters
    ----------
    selector : str

    Returns
    -------
    DataFrame
        Columns dataset, size, n_source, mdad and uniform (points; NaN: not reached), gain (points;
        NaN where either is not reached), error and uniform_error (points), and simulated (bool).
        On the train half, from the table that ``measured("leaderboards")`` reads.

    Raises
    ------
    InputError
        If the selector was not measured, or is the yardstick itself.
    """
    table = measured("leaderboards")
    table = table[table["half"] == "train"]
    names = [name for name in dict.fromkeys(table["selector"]) if name != YARDSTICK]
    if selector not in names:
        raise InputError(f"selector '{selector}' was not measured; allowed: {', '.join(names)}.")
    keys = ["dataset", "size", "n_source"]
    own, base = (
        table.loc[table["selector"] == name, [*keys, "mdad", "error"]]
        for name in (selector, YARDSTICK)
    )
    base = base.rename(columns={"mdad": "uniform", "error": "uniform_error"})
    both = own.merge(base, on=keys, validate="one_to_one")
    return both.assign(
        gain=both["uniform"] - both["mdad"],
        simulated=both["dataset"].str.startswith(SIMULATED),
    )


def draw_elsewhere(selector: str) -> Figure:
    """A selector's gain over uniform sampling against size, a line for each leaderboard.

    Parameters
    ----------
    selector : str
    """
    gains = gains_elsewhere(selector)
    figure, axes = plt.subplots(figsize=(WIDTH, 4.6), layout="constrained")
    axes.axhspan(-BIN, BIN, color=TINTS[2], alpha=0.15, linewidth=0)
    axes.axhline(0, color=INK, linewidth=1)
    for simulated, rows in gains.groupby("simulated", sort=True):
        for number, (name, own) in enumerate(rows.groupby("dataset", sort=False)):
            own = own.sort_values("size")
            axes.plot(
                own["size"],
                own["gain"],
                color=LOOKS[selector].color if simulated else TINTS[2],
                linestyle="--" if simulated else "-",
                marker=MARKERS[number % len(MARKERS)],
                markersize=5,
                linewidth=1.2,
                alpha=0.9,
                label=str(name),
            )
    size_axis(axes, _sizes(gains))
    points_axis(axes, float(gains["gain"].abs().max()), both_ways=True)
    axes.set_ylabel("Gain over uniform sampling (points)")
    figure.legend(loc="outside lower center", ncols=2, fontsize="small", handlelength=3)
    plt.close(figure)  # a page shows what is returned, and would show an open figure again
    return figure


def elsewhere_table(selector: str) -> Styler:
    """On how many real leaderboards a selector is ahead or behind, and its gains, by size.

    Parameters
    ----------
    selector : str
    """
    gains = gains_elsewhere(selector)
    columns = {}
    for size in _sizes(gains):
        rows = gains[gains["size"] == size]
        own = rows.loc[~rows["simulated"], "gain"].dropna()
        simulated = rows.loc[rows["dataset"] == DEFAULT, "gain"]
        columns[f"{size:,}"] = [
            str(int((own > BIN).sum())),
            str(int((own.abs() <= BIN).sum())),
            str(int((own < -BIN).sum())),
            " to ".join(dict.fromkeys(points(end) for end in (own.min(), own.max()))),
            points(simulated.iloc[0]) if len(simulated) else NOTHING,
        ]
    names = [
        "Real leaderboards: ahead by more than one bin",
        "Real leaderboards: within one bin",
        "Real leaderboards: behind by more than one bin",
        "Gain on real leaderboards (points)",
        f"Gain on {DEFAULT} (points)",
    ]
    frame = pd.DataFrame(columns, index=names).rename_axis("Size", axis="columns")
    return show(frame).set_caption(
        f"{label(selector)}: MDAD of uniform sampling minus its own, measured once."
    )


def place_simulation(selector: str, size: int) -> str:
    """Whether the simulation's gain lies among those on real leaderboards, a sentence.

    Parameters
    ----------
    selector : str
    size : int
        One that was measured; elsewhere there is nothing to say ("").
    """
    gains = gains_elsewhere(selector).dropna(subset="gain")
    gains = gains[gains["size"] == size]
    real = gains.loc[~gains["simulated"], "gain"]
    simulated = gains.loc[gains["dataset"] == DEFAULT, "gain"]
    if real.empty or simulated.empty:
        return ""
    value, low, high = float(simulated.iloc[0]), float(real.min()), float(real.max())
    ends = " to ".join(dict.fromkeys((points(low), points(high))))
    where = "above all" if value > high else "below all" if value < low else "among"
    return (
        f"At {size:,} items the gain on `{DEFAULT}`, {points(value)}, lies {where} those on real "
        f"leaderboards, {ends} points."
    )


def _sizes(gains: pd.DataFrame) -> list[int]:
    """The study's sizes: a small leaderboard has one of its own, and no tick of its own for it."""
    study = gains.loc[gains["dataset"] == DEFAULT, "size"]
    return sorted(int(size) for size in (study if len(study) else gains["size"]).unique())
