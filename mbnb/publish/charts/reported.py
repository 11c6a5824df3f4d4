"""Reported figures beside measured ones: tables, a chart and verdicts; measures nothing."""

from __future__ import annotations

from collections.abc import Mapping

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from pandas.io.formats.style import Styler

from mbnb.data.groups import GROUPS
from mbnb.judge.agreement import format_mdad
from mbnb.publish.charts.plots import size_axis
from mbnb.publish.charts.style import GRID, INK, LOOKS, THRESHOLD, WIDTH, label
from mbnb.publish.charts.tables import NOTHING, percent, points, show, two_lines

KEY = ["selector", "size"]
# Of the group whose MDADs are reported.
TOLD_GROUP = "8b-instruct"


def beside_reported(told: pd.DataFrame, measured: pd.DataFrame) -> pd.DataFrame:
    """Every reported MDAD beside a measured one of the same selector and size.

    Parameters
    ----------
    told : DataFrame
        Columns selector, size and mdad: reported.
    measured : DataFrame
        Columns selector, size, mdad, low and high, each selector and size once.

    Returns
    -------
    DataFrame
        Columns selector, size, reported, mdad, low, high, ``difference`` (measured less reported,
        points; NaN where there is no measured value) and ``inside``: whether the reported value
        lies in the measured interval, to half a bin (0.25 points) either side.
    """
    own = measured[[*KEY, "mdad", "low", "high"]].astype({"selector": str})
    table = told.rename(columns={"mdad": "reported"}).merge(own, on=KEY, how="left")
    table["difference"] = table["mdad"] - table["reported"]
    # An interval that is open above holds everything above its lower end.
    high = table["high"].fillna(np.inf)
    table["inside"] = table["reported"].between(table["low"] - 0.25, high + 0.25)
    return table


def reported_table(table: pd.DataFrame, caption: str) -> Styler:
    """`beside_reported` as people read it: three rows a selector, a column for each size.

    Parameters
    ----------
    table : DataFrame
        From `beside_reported`.
    caption : str
    """
    sizes = sorted(table["size"].unique())
    rows: dict[tuple[str, str], list[str]] = {}
    for selector, own in table.groupby("selector", sort=False):
        by_size = own.set_index("size")
        name = label(str(selector))
        rows[name, "reported"] = [
            format_mdad(by_size["reported"][k]) if k in by_size.index else NOTHING for k in sizes
        ]
        rows[name, "measured"] = [_measured(by_size, k) for k in sizes]
        rows[name, "difference"] = [points(by_size["difference"].get(k, np.nan)) for k in sizes]
    columns = pd.Index([f"{size:,}" for size in sizes], name="Size")
    frame = pd.DataFrame.from_dict(rows, orient="index", columns=columns)
    frame.index = pd.MultiIndex.from_tuples(list(rows))
    return show(frame).set_caption(caption)


def _measured(by_size: pd.DataFrame, size: int) -> str:
    if size not in by_size.index:
        return NOTHING
    row = by_size.loc[size]
    if np.isnan(row["mdad"]) and np.isnan(row["low"]):
        return NOTHING
    return two_lines(row)


def draw_reported(tables: Mapping[str, pd.DataFrame], floor: pd.Series) -> Figure:
    """A panel for each selector: the reported MDAD, and what was measured, against size.

    Parameters
    ----------
    tables : mapping of str to DataFrame
        From `beside_reported`, by the name of what was measured; all with the same reported
        values.
    floor : Series
        From `uniform_floor`, drawn in the panel of uniform sampling alone.
    """
    first = next(iter(tables.values()))
    selectors = list(dict.fromkeys(first["selector"]))
    columns = 3
    figure, panels = plt.subplots(
        -(-len(selectors) // columns),
        columns,
        figsize=(1.25 * WIDTH, 2.4 * -(-len(selectors) // columns) + 0.5),
        sharex=True,
        sharey=True,
        layout="constrained",
    )
    dashes = ["-", "--", "-."]
    for axes, selector in zip(panels.flat, selectors, strict=False):
        told = first[first["selector"] == selector].sort_values("size")
        axes.plot(told["size"], told["reported"], "o:", color=INK, label="reported", markersize=4)
        for dash, (name, table) in zip(dashes, tables.items(), strict=False):
            own = table[table["selector"] == selector].sort_values("size")
            axes.plot(own["size"], own["mdad"], dash, color=LOOKS[selector].color, label=name)
        if selector == "uniform":
            axes.plot(floor.index, floor, ":", color=THRESHOLD, label="floor")
        axes.set_title(label(selector))
        size_axis(axes, sorted(told["size"]))
        axes.set(xlabel="")
        axes.tick_params(axis="x", labelrotation=45)
        axes.set_yscale("log")
        axes.set_yticks([1, 2, 5, 10, 20], ["1", "2", "5", "10", "20"])
        axes.grid(visible=True, color=GRID)
    for axes in panels.flat[len(selectors) :]:
        axes.set_visible(False)
    figure.supxlabel("Size (items)")
    figure.supylabel("MDAD (points)")
    handles, names = panels.flat[0].get_legend_handles_labels()
    figure.legend(handles, names, loc="outside upper center", ncols=len(names))
    plt.close(figure)
    return figure


def say_differences(table: pd.DataFrame, measured_on: str) -> str:
    """How far measured and reported values are from one another, in two sentences.

    Parameters
    ----------
    table : DataFrame
        From `beside_reported`.
    measured_on : str
    """
    known = table.dropna(subset="difference")
    if known.empty:
        return f"On {measured_on} there is nothing to compare."
    by_size = known.groupby("size")["difference"].mean()
    first, last = by_size.index[0], by_size.index[-1]
    far = known.loc[known["difference"].abs().idxmax()]
    return (
        f"Measured on {measured_on}, {int(known['inside'].sum())} of {len(known)} reported values "
        f"lie within the interval; the measured MDAD is on average {abs(by_size[first]):.1f} "
        f"points {_side(by_size[first])} at {first:,} items and {abs(by_size[last]):.1f} "
        f"{_side(by_size[last])} at {last:,}. The widest difference is "
        f"{points(far['difference'])} points, {label(str(far['selector']))} at "
        f"{int(far['size']):,} items."
    )


def _side(difference: float) -> str:
    return "higher" if difference >= 0 else "lower"


def groups_table(rows: pd.DataFrame, told: pd.DataFrame) -> Styler:
    """MDADs within fixed groups, and the share of pairs within each; reported ones where known.

    Parameters
    ----------
    rows : DataFrame
        As from `Study.group_mdads`, of any data sets and selectors; where there are others than
        uniform sampling, the best of all stands in a row of its own.
    told : DataFrame
        ``reported("case-study-8b")``, whose sizes are the columns.
    """
    told = told.set_index("size")
    cells: dict[tuple[str, str, str], list[str]] = {}
    for group in GROUPS:
        own = rows[rows["group"] == group]
        if group == TOLD_GROUP:
            cells[group, "reported, MMLU-Pro", "every selector"] = [
                f"{row['mdad_relation']} {row['mdad']:g}; {percent(row['share_of_pairs'])}"
                for _, row in told.iterrows()
            ]
        for (data, count), part in own.groupby(["dataset", "n_target"], sort=False):
            lines = {label("uniform"): part[part["selector"] == "uniform"]}
            if part["selector"].nunique() > 1:
                best = part.loc[part.groupby("size")["within"].idxmin()]
                lines = {"best selector": best, **lines}
            for what, line in lines.items():
                at = line.set_index("size")
                cells[group, f"{data}, {count} models", what] = [
                    f"{format_mdad(at['mdad'][k])}; {percent(at['within'][k])}"
                    if k in at.index
                    else NOTHING
                    for k in told.index
                ]
    frame = pd.DataFrame.from_dict(
        cells, orient="index", columns=pd.Index([f"{k:,}" for k in told.index], name="Size")
    )
    frame.index = pd.MultiIndex.from_tuples(list(cells), names=["Group", "Data", "Selector"])
    return show(frame).set_caption(
        "MDAD in points within a group, and the share of its pairs that lie within it."
    )
