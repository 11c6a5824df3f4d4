"""How the book draws: looks, axes, the figures and tables that several chapters or the report show.

Each function takes a finished table and computes nothing. What one chapter draws stands there.
"""

from __future__ import annotations

import base64
import io
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import altair as alt
import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, NullLocator
from pandas.io.formats.style import Styler

from mbnb.data.responses import ResponseMatrix
from mbnb.judge.agreement import format_interval, format_mdad
from mbnb.methods.selector import Selection

INK, GRID, PAPER = "#1f2933", "#e4e7eb", "#ffffff"
THRESHOLD = "#9b1c31"
# For what is no selector: slate, clay, grey; duller than any selector's colour.
TINTS = ("#5b7db1", "#c98b5b", "#7b8794")
# Of a figure, in inches: the widest whose words a phone still shows at a legible size.
WIDTH = 5.4
NOTHING = "–"
CSV = "text/csv"
VEGA_FOLDER = "../_static/vega"
# Wider gaps than this tell nothing: every selector orders such pairs.
WIDEST_GAP = 20.0
POINT_TICKS = (0.5, 1, 2, 5, 10, 20, 50, 100)
LEGEND: dict[str, Any] = {"loc": "outside upper center", "ncols": 2, "fontsize": 10}
# A private character that no text needs.
_STAND_IN = "\ue000"
# A number with what belongs to it, such as “19 [18–21.5]” or “12 → 9 points”: kept on one line.
_NUMBER = re.compile(r"[+−-]?\d[^a-z]{0,24}(to |[a-z]{1,6}$)?[^a-z]{0,14}$")


# Looks


@dataclass(frozen=True)
class Look:
    """How a selector is drawn: colour, and a marker and a dash as second channel."""

    label: str
    color: str
    marker: str
    dash: tuple[int, ...]
    shape: str


# Okabe and Ito's colours, which people with any colour vision tell apart.
LOOKS = {
    "uniform": Look("Uniform random", "#4d4d4d", "o", (), "circle"),
    "subtask": Look("Subtask-stratified", "#b07a00", "s", (6, 2), "square"),
    "confidence": Look("Confidence strata", "#2f8fce", "^", (2, 2), "triangle-up"),
    "diversity": Look("Diversity", "#007f5f", "D", (8, 3, 2, 3), "diamond"),
    "anchor-points": Look("Anchor Points", "#d55e00", "v", (), "triangle-down"),
    "tinybenchmarks": Look("tinyBenchmarks", "#8e4585", "P", (4, 1), "cross"),
    "close-pairs": Look("Close pairs", "#c2185b", "*", (5, 1), "triangle-right"),
}
# For selectors that are not the book's own, and for a selector's further estimators.
OTHERS = (
    Look("", "#56606b", "X", (3, 1, 1, 1), "stroke"),
    Look("", "#1f6f8b", "*", (5, 2, 1, 2), "wedge"),
    Look("", "#a3445b", "h", (1, 1), "arrow"),
)


def label(selector: str) -> str:
    """What charts and tables call a selector."""
    return LOOKS[selector].label if selector in LOOKS else selector


def series_of(table: pd.DataFrame) -> dict[str, tuple[Look, pd.DataFrame]]:
    """The lines that a chart of results draws, by what they are called, in the table's order.

    A line for each selector, or where a selector comes with several estimators or numbers of
    sources, for each of those: they share its colour and differ in marker and dash.
    """
    lines: dict[str, tuple[Look, pd.DataFrame]] = {}
    others: list[str] = []
    parts = [name for name in ("estimator", "n_source") if name in table]
    for selector in dict.fromkeys(map(str, table["selector"])):
        own = table[table["selector"] == selector]
        if selector not in LOOKS:
            others.append(selector)
        look = LOOKS.get(selector) or OTHERS[(len(others) - 1) % len(OTHERS)]
        apart = [name for name in parts if own[name].nunique() > 1]
        if not apart:
            lines[label(selector)] = look, own
            continue
        for number, (key, rows) in enumerate(own.groupby(apart, observed=True, sort=False)):
            told = ", ".join(
                f"{value} sources" if part == "n_source" else str(value)
                for part, value in zip(apart, key, strict=True)
            )
            other = OTHERS[(number - 1) % len(OTHERS)] if number else look
            second = replace(look, marker=other.marker, dash=other.dash, shape=other.shape)
            lines[f"{label(selector)}, {told}"] = second, rows
    return lines


def setup_charts() -> None:
    """Set the themes of seaborn and Altair, which then need no network."""
    sns.set_theme(
        context="notebook",
        style="whitegrid",
        rc={
            "figure.figsize": (WIDTH, 3.6),
            "figure.dpi": 110,
            "savefig.bbox": "tight",
            "axes.edgecolor": INK,
            "axes.labelcolor": INK,
            "text.color": INK,
            "xtick.color": INK,
            "ytick.color": INK,
            "grid.color": GRID,
            "axes.spines.top": False,
            "axes.spines.right": False,
            "figure.facecolor": PAPER,
            "axes.facecolor": PAPER,
            "font.family": "DejaVu Sans",
            "legend.frameon": False,
            "axes.titlesize": "medium",
        },
    )
    mpl.rcParams["svg.hashsalt"] = "mbnb"
    alt.renderers.enable(
        "html", base_url=VEGA_FOLDER, embed_options={"renderer": "svg", "actions": False}
    )
    as_html = alt.renderers.get()
    alt.renderers.register("mbnb", lambda spec, **more: _render(as_html, spec, **more))
    alt.renderers.enable("mbnb")
    alt.theme.enable("mbnb")


@alt.theme.register("mbnb", enable=False)
def _theme() -> alt.theme.ThemeConfig:
    axis = {"labelColor": INK, "titleColor": INK, "gridColor": GRID, "labelFontSize": 12}
    config: Any = {
        "background": PAPER,
        "view": {"stroke": "transparent", "continuousWidth": 520, "continuousHeight": 320},
        "axis": {**axis, "titleFontSize": 13, "titleFontWeight": "normal"},
        "legend": {"labelColor": INK, "titleColor": INK, "labelFontSize": 12},
        "title": {"color": INK, "fontSize": 14, "anchor": "start"},
        "font": "system-ui, -apple-system, 'Segoe UI', sans-serif",
    }
    return {"config": config}


def _render(as_html: Any, spec: dict[str, Any], **more: Any) -> dict[str, str]:
    """A chart as HTML in which no text of the data can end the script or begin another.

    Names of models and subtasks come from foreign files, and a browser looks for `</script>`
    before it looks for JavaScript. So each `<` in the chart's texts is written as an escape.
    """
    bundle = as_html(_stood_in(spec), **more)
    # JSON writes the character that stands in as an escape of its own.
    escape = json.dumps(_STAND_IN)[1:-1]
    return {**bundle, "text/html": bundle["text/html"].replace(escape, "\\u003c")}


def _stood_in(value: Any) -> Any:
    if isinstance(value, str):
        return value.replace(_STAND_IN, "").replace("<", _STAND_IN)
    if isinstance(value, dict):
        return {_stood_in(key): _stood_in(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_stood_in(part) for part in value]
    return value


@dataclass(frozen=True, eq=False)
class Shown:
    """A figure or chart with the table that it shows, which the page offers as CSV."""

    drawing: Any
    data: pd.DataFrame

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        csv = self.data.to_csv(index=False, float_format="%.8g")
        if isinstance(self.drawing, Figure):
            picture = io.BytesIO()
            self.drawing.savefig(picture, format="png")
            return {"image/png": base64.b64encode(picture.getvalue()).decode(), CSV: csv}
        return {**self.drawing._repr_mimebundle_(), CSV: csv}


def figure(drawing: Any, data: pd.DataFrame) -> Shown:
    """A finished figure or chart as a cell's last value, with the data behind it.

    Parameters
    ----------
    drawing : matplotlib Figure or Axes, seaborn grid, or Altair chart
        A figure is closed, so that the page shows it once.
    data : DataFrame
        What it shows, in the units of its axes.
    """
    if isinstance(getattr(drawing, "figure", None), Figure):
        drawing = drawing.figure
    if isinstance(drawing, Figure):
        plt.close(drawing)
    return Shown(drawing, data)


# Axes


def size_axis(axes: Axes, sizes: Sequence[int]) -> None:
    """A log axis whose ticks are the study's sizes; of two that would touch, the larger is told."""
    labels: list[str] = []
    above = np.inf
    for size in sorted(sizes, reverse=True):
        near = above < 1.35 * size
        labels.insert(0, "" if near else f"{size:,}")
        above = above if near else size
    axes.set_xscale("log")
    axes.xaxis.set_major_locator(FixedLocator(sorted(sizes)))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_xticklabels(labels)
    axes.set_xlim(min(sizes) / 1.25, max(sizes) * 1.25)
    axes.set_xlabel("Size (items chosen)")


def points_axis(axes: Axes, highest: float) -> None:
    """A logarithmic axis of MDADs in points; an MDAD of 0 lies on its lower edge."""
    ticks = [tick for tick in POINT_TICKS if tick < 1.05 * max(highest, 1)]
    axes.set_yscale("log", nonpositive="clip")
    axes.yaxis.set_major_locator(FixedLocator(ticks))
    axes.yaxis.set_minor_locator(NullLocator())
    axes.set_yticklabels([f"{tick:g}" for tick in ticks])
    axes.set_ylim(0.4, 1.15 * max(highest, 1))


# Figures


def draw_lines(
    axes: Axes, table: pd.DataFrame, y: str, *, x: str = "size", intervals: bool = True
) -> None:
    """A line for each series of a table of results, with its intervals.

    Parameters
    ----------
    axes : Axes
    table : DataFrame
        Columns selector (optionally estimator, n_source), `x`, `y`, and ``low`` and ``high`` where
        intervals are drawn. Lines over sizes stand side by side so that equal values stay visible.
    """
    series = series_of(table)
    for position, (name, (look, rows)) in enumerate(series.items()):
        rows = rows.sort_values(x)
        aside = 1.04 ** (position - (len(series) - 1) / 2) if x == "size" else 1.0
        places = rows[x] * aside
        if intervals:
            axes.vlines(places, rows["low"], rows["high"], color=look.color, alpha=0.4, lw=2.5)
        axes.plot(
            places,
            rows[y],
            color=look.color,
            marker=look.marker,
            markersize=6,
            markeredgecolor=PAPER,
            markeredgewidth=0.6,
            dashes=look.dash or (None, None),
            linewidth=1.6,
            label=name,
        )


def draw_mdad(
    table: pd.DataFrame, *, floor: pd.Series | None = None, expected: pd.Series | None = None
) -> Shown:
    """MDAD against size, one line for each selector, with intervals.

    Sizes at which no gap reached the threshold have no point, and an interval that is open above
    goes up to the top.

    Parameters
    ----------
    table : DataFrame
        From `mdad`.
    floor, expected : Series, optional
        By size, in points: below what uniform sampling cannot go, and what theory expects of it.
    """
    picture, axes = plt.subplots(figsize=(WIDTH, 4.6), layout="constrained")
    extra = [line for line in (floor, expected) if line is not None]
    values = np.concatenate([table[["mdad", "low", "high"]].to_numpy().ravel(), *extra])
    top = float(np.nanmax(values)) if np.isfinite(values).any() else 1.0
    open_above = table["high"].isna() & table["low"].notna()
    draw_lines(axes, table.assign(high=table["high"].mask(open_above, 2 * top)), "mdad")
    for line, text, dash in (
        (floor, "Floor of uniform sampling", ":"),
        (expected, "Expected of uniform sampling", (0, (5, 2, 1, 2))),
    ):
        if line is not None:
            axes.plot(line.index, line, color=THRESHOLD, linewidth=1.4, linestyle=dash, label=text)
    size_axis(axes, sorted(table["size"].unique()))
    points_axis(axes, top)
    axes.set_ylabel("MDAD (points)")
    picture.legend(*axes.get_legend_handles_labels(), **LEGEND)
    more = {
        name: table["size"].map(line)
        for name, line in (("floor", floor), ("expected", expected))
        if line is not None
    }
    return figure(picture, table.assign(**more))


def draw_real(
    real: pd.DataFrame, selector: str, *, sizes: Sequence[int] = (10, 25, 100, 250)
) -> Shown:
    """MDAD of a selector and of uniform sampling on each leaderboard, with intervals.

    Parameters
    ----------
    real : DataFrame
        From `real_leaderboards`. A leaderboard whose train half is too small has no point.
    selector : str
    sizes : sequence of int
        A panel for each, at most four.
    """
    rows = real[real["selector"].isin(["uniform", selector]) & real["size"].isin(sizes)]
    boards = sorted(rows["dataset"].unique())
    picture, grid = plt.subplots(2, 2, figsize=(WIDTH, 5.4), sharey=True, layout="constrained")
    for axes, size in zip(grid.flat, sizes, strict=True):
        for name, aside in (("uniform", -0.16), (selector, 0.16)):
            own = rows[(rows["selector"] == name) & (rows["size"] == size)]
            own = own.set_index("dataset").reindex(boards)
            look, places = LOOKS[name], np.arange(len(boards)) + aside
            axes.hlines(places, own["low"], own["high"], color=look.color, alpha=0.4, lw=2.5)
            axes.plot(own["mdad"], places, look.marker, color=look.color, label=look.label)
        axes.set_yticks(range(len(boards)), boards, fontsize=10)
        axes.set_ylim(len(boards) - 0.5, -0.5)
        widest = rows.loc[rows["size"] == size, ["mdad", "high"]].max().max()
        axes.set(title=f"{size:,} items", xlim=(0, 1.08 * widest))
    picture.supxlabel("MDAD (points)", fontsize="medium")
    picture.legend(*grid.flat[0].get_legend_handles_labels(), **LEGEND)
    return figure(picture, rows[["dataset", "selector", "size", "mdad", "low", "high"]])


def draw_gain(table: pd.DataFrame, *, baseline: str = "uniform", margin: float = 1.0) -> Shown:
    """By how many points a selector's MDAD is below the baseline's, by size, with intervals.

    Parameters
    ----------
    table : DataFrame
        From `mdad_difference`.
    baseline : str
    margin : float
        In points; differences within it are shaded.
    """
    picture, axes = plt.subplots(figsize=(WIDTH, 4.6), layout="constrained")
    ends = np.abs(table[["gain", "low", "high"]].to_numpy())
    top = float(np.nanmax(ends)) if np.isfinite(ends).any() else 1.0
    axes.axhspan(-margin, margin, color=GRID, alpha=0.6, linewidth=0)
    axes.axhline(0, color=LOOKS[baseline].color if baseline in LOOKS else INK, linewidth=1.4)
    whole = table.assign(
        low=table["low"].mask(table["low"].isna() & table["high"].notna(), -2 * top),
        high=table["high"].mask(table["high"].isna() & table["low"].notna(), 2 * top),
    )
    draw_lines(axes, whole, "gain")
    size_axis(axes, sorted(table["size"].unique()))
    axes.set_ylim(-1.1 * max(top, margin), 1.1 * max(top, margin))
    axes.set_ylabel(f"Points by which the MDAD is below\nthat of {label(baseline)}")
    picture.legend(*axes.get_legend_handles_labels(), **LEGEND)
    return figure(picture, table)


def draw_agreement(curve: pd.DataFrame, *, threshold: float = 0.8) -> Shown:
    """Agreement against gap: a small chart for each size, a line for each selector.

    Parameters
    ----------
    curve : DataFrame
        From `Agreement.curve`; gaps above 20 points are left out.
    threshold : float
        Drawn as a line.
    """
    near = curve[curve["gap"] <= WIDEST_GAP]
    sizes = sorted(near["size"].unique())
    n_columns = min(len(sizes), 2)
    n_rows = -(-len(sizes) // n_columns)
    picture, grid = plt.subplots(
        n_rows,
        n_columns,
        figsize=(WIDTH, 1.7 * n_rows + 1.0),
        sharex=True,
        sharey=True,
        squeeze=False,
        layout="constrained",
    )
    series = series_of(near)
    for axes, size in zip(grid.flat, sizes, strict=False):
        for name, (look, rows) in series.items():
            own = rows[rows["size"] == size]
            dashes = look.dash or (None, None)
            axes.plot(
                own["gap"], own["agreement"], color=look.color, label=name, dashes=dashes, lw=1.4
            )
        axes.axhline(threshold, color=THRESHOLD, linewidth=1.2, linestyle=":")
        axes.set_title(f"{size:,} items")
        axes.set_ylim(0, 1.02)
        axes.set_yticks([0, 0.5, threshold, 1])
        axes.tick_params(labelbottom=True)
    for axes in list(grid.flat)[len(sizes) :]:
        axes.set_visible(False)
    picture.supxlabel("Gap on the full half (points)", fontsize="medium")
    picture.supylabel("Agreement", fontsize="medium")
    picture.legend(*grid.flat[0].get_legend_handles_labels(), **LEGEND)
    return figure(picture, near)


def draw_matrix(matrix: ResponseMatrix, *, max_models: int = 200, max_items: int = 600) -> Shown:
    """The matrix as a picture: best models above, easiest items left, dark where correct.

    Larger matrices are thinned evenly in rank, not averaged, so that a dot stays an answer. The
    data behind it are the accuracies of the models and items shown.
    """
    matrix.require_complete()
    scores = matrix.scores.astype(np.float32)
    rows = np.argsort(-scores.mean(axis=1), kind="stable")
    columns = np.argsort(-scores.mean(axis=0), kind="stable")
    rows = rows[np.linspace(0, rows.size - 1, min(rows.size, max_models)).astype(int)]
    columns = columns[np.linspace(0, columns.size - 1, min(columns.size, max_items)).astype(int)]
    picture, axes = plt.subplots(figsize=(WIDTH, 3.4))
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
        ylabel=f"{rows.size:,} of {matrix.n_models:,} models,\nworst to best →",
        xticks=[],
        yticks=[],
    )
    axes.grid(visible=False)
    shown = {"model": (0, rows, scores.mean(axis=1)), "item": (1, columns, scores.mean(axis=0))}
    ids = (matrix.models.index, matrix.items.index)
    tables = [
        pd.DataFrame({"kind": kind, "id": ids[which][places], "accuracy": means[places]})
        for kind, (which, places, means) in shown.items()
    ]
    return figure(picture, pd.concat(tables, ignore_index=True))


def draw_selection(
    points: np.ndarray,
    selection: Selection,
    *,
    selector: str,
    axis_labels: tuple[str, str],
    color_by: np.ndarray | None = None,
    color_label: str = "",
) -> Shown:
    """Items as points in the plane, the chosen ones ringed; the ring grows with the weight.

    Parameters
    ----------
    points : ndarray, shape (n_items, 2)
    selection : Selection
    selector : str
        Gives the ring's colour.
    axis_labels : (str, str)
    color_by : ndarray, shape (n_items,), optional
        Colours the items; `color_label` says what it is.
    """
    picture, axes = plt.subplots(figsize=(WIDTH, 4.2))
    drawn = axes.scatter(
        points[:, 0],
        points[:, 1],
        c="#a9b4bf" if color_by is None else color_by,
        s=7,
        cmap=None if color_by is None else "viridis",
        alpha=0.6,
        linewidths=0,
    )
    chosen = points[selection.items]
    axes.scatter(
        chosen[:, 0],
        chosen[:, 1],
        s=np.maximum(2400 * selection.weights, 16),  # below that a ring is no ring
        facecolors="none",
        linewidths=1.8,
        edgecolors=LOOKS[selector].color,
        label=f"{selection.size} items chosen",
    )
    axes.scatter(chosen[:, 0], chosen[:, 1], s=12, color=LOOKS[selector].color)
    axes.set(xlabel=axis_labels[0], ylabel=axis_labels[1])
    axes.legend(loc="best", frameon=True, framealpha=0.9, edgecolor="none")
    if color_by is not None:
        picture.colorbar(drawn, ax=axes, label=color_label)
    data = pd.DataFrame(chosen, columns=list(axis_labels)).assign(weight=selection.weights)
    return figure(picture, data)


def explore_agreement(
    curve: pd.DataFrame,
    mdads: pd.DataFrame,
    *,
    threshold: float = 0.8,
    size: int | None = None,
    height: int = 340,
) -> Shown:
    """Agreement against gap, to touch: choose size, selector and, where there are several, data.

    Parameters
    ----------
    curve : DataFrame
        Columns selector, size, gap (points), agreement (0–1), and ``dataset`` where a field shall
        choose among leaderboards; gaps above 20 points are left out.
    mdads : DataFrame
        Of the same cells, with ``mdad`` (points; NaN: not reached): told in words.
    threshold : float
        Drawn as a line.
    size : int, optional
        Shown first; by default the smallest.
    height : int
        Of the plot, in pixels.
    """
    cell = [name for name in ("dataset", "selector", "estimator", "size") if name in mdads]
    near = curve[curve["gap"] <= WIDEST_GAP]
    lines = {name: look for name, (look, _) in series_of(near).items()}
    named = pd.concat([rows.assign(series=name) for name, (_, rows) in series_of(near).items()])
    rows = _curve_rows(named, mdads.set_index(cell)["mdad"], list(lines))
    sizes = sorted({int(row["size"]) for row in rows})
    chosen = alt.Chart(pd.DataFrame(rows)).transform_filter("datum.size == items")
    fields = [_radio("items", sizes, size or sizes[0], "Size (items chosen): ")]
    if "dataset" in cell:
        boards = list(dict.fromkeys(curve["dataset"].astype(str)))
        menu = alt.binding_select(options=boards, name="Leaderboard: ")
        fields.insert(0, alt.param("board", value=boards[0], bind=menu))
        chosen = chosen.transform_filter("datum.dataset == board")
    show_all = "all selectors"
    menu = alt.binding_select(options=[show_all, *lines], name="Show: ")
    fields.append(alt.param("shown", value=show_all, bind=menu))
    seen = {"test": f"shown == '{show_all}' || datum.series == shown", "value": 1}
    layers = _agreement_layers(chosen, lines, seen, threshold)
    there = {(row.get("dataset"), int(row["size"])) for row in rows}
    absent = [
        {"dataset": board, "size": size, "text": "not measured: too few items"}
        for board in dict.fromkeys(row.get("dataset") for row in rows)
        for size in sizes
        if (board, size) not in there
    ]
    if absent:
        missing = alt.Chart(pd.DataFrame(absent)).transform_filter("datum.size == items")
        missing = missing.transform_filter("datum.dataset == board")
        centre = {"x": alt.value("width"), "y": alt.datum(0.6), "text": "text:N"}
        layers.append(missing.mark_text(align="right", dx=-4, color=INK).encode(**centre))
    description = (
        f"Agreement against gap for {', '.join(lines)} at the size you choose "
        f"({', '.join(map(str, sizes))} items), with the threshold of {threshold:g} as a line and "
        "the MDAD of each in words."
    )
    chart = alt.LayerChart(layer=layers, description=description, height=height)
    return figure(chart.properties(width="container").add_params(*fields), named)


def _curve_rows(named: pd.DataFrame, told: pd.Series, lines: Sequence[str]) -> list[dict[str, Any]]:
    """A row with lists for each curve, a third of a table with a row for each bin."""
    cell = list(told.index.names)
    rows = []
    for key, own in named.groupby([*cell, "series"], observed=True, sort=False):
        value = told.loc[key[:-1] if len(cell) > 1 else key[0]]
        rows.append(
            dict(zip([*cell, "series"], key, strict=True))
            | {"gap": own["gap"].tolist(), "agreement": own["agreement"].round(3).tolist()}
            | {"row": lines.index(key[-1]), "text": f"{key[-1]}: {format_mdad(value)}"}
        )
    return rows


def _agreement_layers(
    chosen: alt.Chart, lines: Mapping[str, Look], seen: dict[str, Any], threshold: float
) -> list[alt.Chart]:
    """Curves, their points, the threshold, and the MDADs as a list where no curve runs."""
    color = _line_scale("series", lines, "color")
    x = alt.X(
        "gap:Q",
        title="Gap on the full half (points)",
        scale=alt.Scale(domain=[0, WIDEST_GAP], nice=False),
    )
    y = alt.Y("agreement:Q", title="Agreement", scale=alt.Scale(domain=[0, 1]))
    points = chosen.transform_flatten(["gap", "agreement"]).encode(
        x=x, y=y, color=color, opacity=alt.OpacityValue(0.08, condition=seen)
    )
    tooltip = ["series:N", "gap:Q", alt.Tooltip("agreement:Q", format=".2f")]
    words = chosen.transform_calculate(at="0.4 - 0.062 * datum.row").encode(
        x=alt.value("width"),
        y=alt.Y("at:Q", title="Agreement"),
        text="text:N",
        opacity=alt.OpacityValue(0, condition=seen),
    )
    right: dict[str, Any] = {"align": "right", "dx": -4, "fontSize": 12}
    line = alt.Chart(alt.Data(values=[{"agreement": threshold, "text": "MDAD in points"}]))
    return [
        line.mark_rule(color=THRESHOLD, strokeDash=[3, 3]).encode(y="agreement:Q"),
        points.mark_line(strokeWidth=2).encode(strokeDash=_line_scale("series", lines, "dash")),
        points.mark_point(size=28, filled=True).encode(
            shape=_line_scale("series", lines, "shape"), tooltip=tooltip
        ),
        # A ground of paper, so that the words stay legible where a curve runs behind them.
        words.mark_text(**right, stroke=PAPER, strokeWidth=4, color=PAPER),
        words.mark_text(**right).encode(color=color),
        line.mark_text(**right, fontWeight="bold", color=INK).encode(
            x=alt.value("width"), y=alt.datum(0.47), text="text:N"
        ),
    ]


def _radio(name: str, options: list[int], value: int, title: str) -> alt.Parameter:
    labels = [f"{option:,}" for option in options]
    return alt.param(
        name, value=value, bind=alt.binding_radio(options=options, labels=labels, name=title)
    )


def _line_scale(field: str, lines: Mapping[str, Look], channel: str) -> Any:
    """Colour, dash or shape of each line; one legend for colour and shape, none for dashes."""
    legend = alt.Legend(orient="bottom", columns=2, symbolSize=90, labelLimit=300)
    values = [getattr(look, channel) for look in lines.values()]
    if channel == "dash":
        values = [list(dash) or [1, 0] for dash in values]
    scale = alt.Scale(domain=list(lines), range=values)
    kind = {"color": alt.Color, "dash": alt.StrokeDash, "shape": alt.Shape}[channel]
    return kind(f"{field}:N", title=None, scale=scale, legend=None if channel == "dash" else legend)


# Tables and words


def show(frame: pd.DataFrame, caption: str = "") -> Styler:
    """A table as the book shows it: the numbers of a column alike, units in the caption.

    Texts are shown as they are: a model's name is never read as HTML.
    """
    style = frame.style.set_uuid("mbnb").set_table_attributes('class="mbnb-table"')
    style = style.format(
        {name: _cell_format(frame.iloc[:, at]) for at, name in enumerate(frame.columns)},
        escape="html",
    )
    for axis in (0, 1):
        style = style.format_index(_head, axis=axis, escape="html")
    if caption:
        style = style.set_caption(caption)
    if not (frame.index.is_unique and frame.columns.is_unique):
        return style  # pandas gives such tables no classes
    is_number = frame.map(lambda value: bool(_NUMBER.match(str(value))))
    return style.set_td_classes(is_number.map(lambda yes: "mbnb-number" if yes else ""))


def _cell_format(column: pd.Series) -> Callable[[Any], str]:
    """Three digits of the largest number, and as many decimals for the others below it."""
    numbers = [
        abs(float(value)) for value in column if isinstance(value, float) and np.isfinite(value)
    ]
    most = int(np.clip(2 - np.floor(np.log10(max([*numbers, 1e-4]))), 0, 4))
    needed = (n for n in range(most) if np.allclose(numbers, np.round(numbers, n), atol=1e-9))
    decimals = next(needed, most)

    def told(value: Any) -> str:
        if isinstance(value, (int, np.integer)) and not isinstance(value, bool):
            return f"{value:,}".replace("-", "−")
        if not isinstance(value, float):
            return str(value)
        if np.isnan(value):
            return NOTHING
        return f"{round(value, decimals) + 0.0:,.{decimals}f}".replace("-", "−")

    return told


def _head(value: Any) -> str:
    """What stands at the head of a row or a column."""
    if isinstance(value, (int, np.integer)) and not isinstance(value, bool):
        return f"{value:,}"
    text = str(value)
    return text.replace(" ", "\N{NO-BREAK SPACE}") if _NUMBER.match(text) else text


def mdad_table(table: pd.DataFrame, reported: pd.DataFrame | None = None) -> Styler:
    """MDAD in points: a row for each selector, a column for each size, intervals beneath.

    Parameters
    ----------
    table : DataFrame
        From `mdad`, of one threshold. Where a selector comes with several estimators or numbers
        of sources, each has a row.
    reported : DataFrame, optional
        Columns selector, size, mdad: shown in a second row beneath the measured ones.
    """
    sizes = sorted(int(size) for size in table["size"].unique())
    rows: dict[tuple[str, str], list[str]] = {}
    for name, (_, own) in series_of(table).items():
        measured = {int(row["size"]): two_lines(row) for _, row in own.iterrows()}
        rows[name, "measured"] = [measured.get(size, NOTHING) for size in sizes]
        if reported is not None:
            told = reported[reported["selector"] == own["selector"].iloc[0]]
            value = told.set_index("size")["mdad"].reindex(sizes)
            rows[name, "reported"] = [NOTHING if np.isnan(v) else format_mdad(v) for v in value]
    columns = pd.Index([f"{size:,}" for size in sizes], name="Size")
    frame = pd.DataFrame.from_dict(rows, orient="index", columns=columns)
    frame.index = pd.MultiIndex.from_tuples(list(rows))
    caption = f"Points at a threshold of {table['threshold'].iloc[0]:g}; intervals in brackets."
    shown = show(frame if reported is not None else frame.droplevel(1), caption)
    return shown.format(str)  # the cells are HTML already


def two_lines(row: pd.Series) -> str:
    """Value and interval below one another, so that seven sizes fit a page."""
    value, _, interval = format_interval(row).partition(" [")
    return f'{value}<br><span class="mbnb-interval">[{interval}</span>' if interval else value


def percent(share: float) -> str:
    """A share (0–1) as people read it: “51 %”; “–” where there is none."""
    if np.isnan(share):
        return NOTHING
    whole = round(100 * share)  # an integer, so that a small loss is no “−0”
    return f"{whole}\N{NO-BREAK SPACE}%".replace("-", "−")


def in_points(value: float) -> str:
    """A gap or an MDAD with its unit: “1 point”, “2.5 points”, or “not reached”."""
    unit = "" if np.isnan(value) else " point" if value == 1 else " points"
    return format_mdad(value) + unit


def signed(value: float) -> str:
    """A difference with its sign: “+1.5”, “−0.5”, “0”; “–” where there is none."""
    return NOTHING if np.isnan(value) else f"{value:+g}".replace("-", "−") if value else "0"
