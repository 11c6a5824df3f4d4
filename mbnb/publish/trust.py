"""The simulation beside real leaderboards: charts, tables and sentences; measures nothing."""

from __future__ import annotations

from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, NullLocator
from pandas.io.formats.style import Styler

from mbnb.data.figures import measured
from mbnb.errors import InputError
from mbnb.publish.plots import points_axis, size_axis
from mbnb.publish.style import INK, TINTS, WIDTH, label
from mbnb.publish.tables import NOTHING, show
from mbnb.study.agreement import format_mdad

SIDES = ("real", "shipped", "fitted")
# What others are held against: a real matrix, or the data of a chapter, which may be simulated.
REFERENCES = ("real", "data")
# Colour, marker, dash of each side: what is held against is ink, what is simulated a tint.
SIDE_LOOKS = {
    "data": (INK, "o", (None, None)),
    "real": (INK, "o", (None, None)),
    "shipped": (TINTS[1], "s", (4, 2)),
    "fitted": (TINTS[0], "^", (1, 1)),
    "simulated": (TINTS[0], "^", (1, 1)),
}
# What is drawn and tabled: title, unit of the values, meaning of `at`.
PANELS = {
    "accuracy": ("Accuracy of a model", "points", "Per cent of the models"),
    "solved": ("Models that solve an item", "%", "Per cent of the items"),
    "disagreement": ("Disagreement of pairs", "% of items", "Gap (points)"),
    "nearest": ("Disagreement with\nthe nearest model", "% of items", "Per cent of the models"),
    "component": ("Variance of components", "%", "Component"),
    "correlation": ("Correlation of items", "", "Pairs of items"),
    "uniform MDAD": ("MDAD of uniform\nsampling, expected", "points", "Items"),
    "singletons": ("Clusters of one item,\nAnchor Points", "%", "Items"),
}
UNITS = {name: unit for name, (_, unit, _) in PANELS.items()}
BY_SIZE = ("uniform MDAD", "singletons")


def fidelity_of(comparison: str) -> pd.DataFrame:
    """What ``measured("fidelity")`` says of one simulated benchmark.

    Parameters
    ----------
    comparison : {"mmlu-pro-math", "mmlu-pro", "bbh", "gpqa", "mmlu", "confidences"}

    Returns
    -------
    DataFrame
        Columns ``statistic``, ``at`` (see `matrix_statistics`), ``real``, ``shipped``, ``fitted``.

    Raises
    ------
    InputError
        If there is no such comparison.
    """
    table = _kept("fidelity")
    own = table[table["comparison"] == comparison]
    if own.empty:
        known = ", ".join(dict.fromkeys(table["comparison"]))
        raise InputError(f"no comparison '{comparison}' was measured; known: {known}.")
    wide = own.pivot(index=["statistic", "at"], columns="side", values="value")
    first = own.drop_duplicates(["statistic", "at"])
    # A size that only one side has would stand behind all others.
    place = {name: number for number, name in enumerate(dict.fromkeys(first["statistic"]))}
    order = sorted(zip(first["statistic"], first["at"], strict=True), key=lambda row: place[row[0]])
    return wide.loc[order, list(SIDES)].rename_axis(columns=None).reset_index()


def counterpart(comparison: str) -> pd.Series:
    """The first row of a comparison: ``real``, ``real_part``, ``profile``, ``part``, ``n_models``
    and ``n_items`` of the real matrix as it was compared."""
    table = _kept("fidelity")
    return table[(table["comparison"] == comparison) & (table["side"] == "real")].iloc[0]


def draw_fidelity(table: pd.DataFrame) -> Figure:
    """A panel for each statistic: the real matrix, and what was simulated beside it.

    Parameters
    ----------
    table : DataFrame
        From `fidelity_of` or `fidelity`: columns statistic, at and those of the sides.
    """
    sides = [side for side in SIDE_LOOKS if side in table.columns]
    shown = [
        name
        for name in PANELS
        if table.loc[table["statistic"] == name, sides].notna().to_numpy().any()
    ]
    n_rows = (len(shown) + 1) // 2
    figure, grid = plt.subplots(
        n_rows, 2, figsize=(WIDTH + 0.8, 2.15 * n_rows), layout="constrained", squeeze=False
    )
    for axes in grid.flat[len(shown) :]:
        axes.set_visible(False)
    for axes, name in zip(grid.flat, shown, strict=False):
        rows = table[table["statistic"] == name]
        title, unit, meaning = PANELS[name]
        for side in sides:
            color, marker, dash = SIDE_LOOKS[side]
            axes.plot(
                range(len(rows)), rows[side], color=color, marker=marker, markersize=5,
                dashes=dash, label=side, linewidth=0 if name == "correlation" else 1.6,
            )  # fmt: skip
        axes.set_title(f"{title} ({unit})" if unit else title, fontsize=10, loc="left")
        axes.set_xticks(range(len(rows)), _ticks(name, rows["at"]), fontsize=8)
        axes.set_xlabel(meaning, fontsize=9)
        axes.tick_params(axis="y", labelsize=8)
        axes.set_ylim(0, 1.1 * max(float(rows[sides].max().max()), 1e-9))
        axes.margins(x=0.15 if name == "correlation" else 0.05)
    handles, labels = grid.flat[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=len(sides), fontsize=10)
    plt.close(figure)
    return figure


def _ticks(name: str, places: pd.Series) -> list[str]:
    if name in BY_SIZE:
        return [f"{int(place):,}" for place in places]
    return ["best" if name == "accuracy" and place == "100" else str(place) for place in places]


def fidelity_table(table: pd.DataFrame) -> Styler:
    """Every statistic as a number: a row for each, a column for each side."""
    sides = [side for side in SIDE_LOOKS if side in table.columns]
    rows = []
    for row in table.to_dict("records"):
        unit = UNITS.get(row["statistic"], "")
        name = f"{row['statistic']} {row['at']}".strip()
        rows.append([f"{name} ({unit})" if unit else name, *(_three(row[side]) for side in sides)])
    return show(pd.DataFrame(rows, columns=["Statistic", *map(str.capitalize, sides)])).hide(axis=0)


def misses(table: pd.DataFrame) -> pd.DataFrame:
    """Mean absolute difference from the real matrix or the data, by statistic and side.

    Parameters
    ----------
    table : DataFrame
        From `fidelity_of` or `fidelity`.

    Returns
    -------
    DataFrame
        Indexed by statistic, a column for each simulated side.
    """
    reference = next(side for side in REFERENCES if side in table.columns)
    sides = [side for side in SIDE_LOOKS if side in table.columns and side != reference]
    gaps = {side: (table[side] - table[reference]).abs() for side in sides}
    return pd.DataFrame(gaps).groupby(table["statistic"], sort=False).mean()


def misses_table(comparisons: Sequence[str]) -> Styler:
    """`misses` of several comparisons: “shipped → fitted” in each cell."""
    columns = {}
    for comparison in comparisons:
        own = misses(fidelity_of(comparison))
        columns[comparison] = own.apply(
            lambda row: f"{_three(row['shipped'])} → {_three(row['fitted'])}", axis=1
        )
    frame = pd.DataFrame(columns)
    wanted = [name for name in (*PANELS, "weak and strong") if name in frame.index]
    frame = frame.loc[wanted].fillna(NOTHING)
    frame.index = pd.Index([_with_unit(name) for name in frame.index])
    return show(frame)


def counterparts_table(comparisons: Sequence[str]) -> Styler:
    """Which real matrix stands beside which simulated benchmark."""
    rows = []
    for comparison in comparisons:
        own = counterpart(comparison)
        part = f", {own['part']}" if own["part"] else ""
        real_part = f", {own['real_part']}" if own["real_part"] else ""
        shape = f"{own['n_models']:,} × {own['n_items']:,}"
        rows.append([f"simulated:{own['profile']}{part}", f"{own['real']}{real_part}", shape])
    frame = pd.DataFrame(rows, columns=["Simulated", "Real", "Models × items"], index=comparisons)
    return show(frame)


def card_table(comparisons: Sequence[str]) -> str:
    """The Markdown table of the data cards: “real / simulated” for a few statistics."""
    columns = {
        "median accuracy, points": ("accuracy", "50"),
        "best model, points": ("accuracy", "100"),
        "disagreement at 0–1 points, %": ("disagreement", "0–1"),
        "correlation of items": ("correlation", "all"),
        "uniform MDAD at 50 items, points": ("uniform MDAD", "50"),
    }
    lines = [
        "| simulated | real | " + " | ".join(columns) + " |",
        "|---|---|" + "---|" * len(columns),
    ]
    for comparison in comparisons:
        own, table = counterpart(comparison), fidelity_of(comparison)
        values = table.set_index(["statistic", "at"])
        cells = [
            f"`simulated:{own['profile']}`, {own['part'] or 'whole'}",
            f"`{own['real']}`" + (f", `{own['real_part']}`" if own["real_part"] else ""),
            *(
                " / ".join(_three(values.loc[key, side]) for side in ("real", "shipped"))
                for key in columns.values()
            ),
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def draw_selectors(table: pd.DataFrame | None = None) -> Figure:
    """The MDAD of each selector on the real matrix and on the two simulated ones.

    Parameters
    ----------
    table : DataFrame, optional
        By default ``measured("fidelity-mdad")``.
    """
    table = measured("fidelity-mdad") if table is None else table
    selectors = list(dict.fromkeys(table["selector"]))
    n_rows = (len(selectors) + 1) // 2
    figure, grid = plt.subplots(
        n_rows, 2, figsize=(WIDTH + 0.8, 2.3 * n_rows), sharex=True, sharey=True,
        layout="constrained", squeeze=False,
    )  # fmt: skip
    top = float(np.nanmax(table[["mdad", "high"]].to_numpy()))
    for axes, selector in zip(grid.flat, selectors, strict=False):
        for place, side in enumerate(SIDES):
            rows = table[(table["selector"] == selector) & (table["side"] == side)]
            color, marker, dash = SIDE_LOOKS[side]
            x = rows["size"] * 1.06 ** (place - 1)
            axes.vlines(
                x, rows["low"], rows["high"].fillna(top), color=color, alpha=0.4, linewidth=3
            )
            axes.plot(
                x, rows["mdad"], color=color, marker=marker, markersize=5, dashes=dash, label=side
            )
        _small_axes(axes, label(selector), sorted(table["size"].unique()), top)
    for row in grid:
        row[0].set_ylabel("MDAD (points)", fontsize=9)
    handles, labels = grid.flat[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=3, fontsize=10)
    plt.close(figure)
    return figure


def _small_axes(axes: Axes, title: str, sizes: Sequence[int], top: float) -> None:
    size_axis(axes, sizes)
    axes.xaxis.set_major_locator(FixedLocator(list(sizes)))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_xlabel("Items" if axes.get_subplotspec().is_last_row() else "", fontsize=9)  # type: ignore[union-attr]
    points_axis(axes, top)
    axes.set_title(title, fontsize=10, loc="left")
    axes.tick_params(labelsize=8)


def settings_table(sizes: Sequence[int], selectors: Sequence[str]) -> Styler:
    """MDADs as shipped, and with one setting changed, in points; bold where intervals part.

    Parameters
    ----------
    sizes : sequence of int
    selectors : sequence of str
    """
    table = measured("fidelity-settings")
    shown = table[table["size"].isin(sizes) & table["selector"].isin(selectors)]
    base = shown[shown["setting"] == "as shipped"].set_index(["selector", "size"])
    columns = [(name, size) for name in selectors for size in sizes]
    cells = {}
    for setting, own in shown.groupby("setting", sort=False):
        values = own.set_index(["selector", "size"])
        cells[setting] = [
            _bold(format_mdad(values.loc[key, "mdad"]), _parted(values.loc[key], base.loc[key]))
            for key in columns
        ]
    frame = pd.DataFrame.from_dict(cells, orient="index")
    frame.columns = pd.MultiIndex.from_tuples(
        [(label(name), f"{size:,}") for name, size in columns]
    )
    return show(frame)


def _parted(row: pd.Series, other: pd.Series) -> bool:
    """Whether two MDADs have intervals that share no point."""
    return bool(row["low"] > other["high"] or row["high"] < other["low"])


def _bold(text: str, strong: bool) -> str:
    return f"<b>{text}</b>" if strong else text


def _kept(name: str) -> pd.DataFrame:
    table = measured(name)
    texts = ["profile", "part", "real", "real_part", "statistic", "at"]
    return table.assign(**{text: table[text].fillna("").astype(str) for text in texts})


def _three(value: float) -> str:
    return NOTHING if np.isnan(value) else f"{value:.3g}"


def _with_unit(name: str) -> str:
    unit = UNITS.get(name, "")
    return f"{name} ({unit})" if unit else name
