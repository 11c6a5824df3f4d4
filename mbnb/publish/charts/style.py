"""The book's visual language: one look per selector, one theme, light cards in both modes."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any

import altair as alt
import matplotlib as mpl
import pandas as pd
import seaborn as sns

from mbnb.publish.charts.chart_data import CSV, chart_csv, keep_chart_data

INK, GRID, PAPER = "#1f2933", "#e4e7eb", "#ffffff"
THRESHOLD = "#9b1c31"
# For what is no selector: slate, clay, grey; duller than any selector's colour.
TINTS = ("#5b7db1", "#c98b5b", "#7b8794")
# Behind words in a figure, so that lines pass behind them.
BEHIND_WORDS = {"facecolor": PAPER, "edgecolor": "none", "pad": 1}
# Of a figure, in inches: the widest whose words a phone still shows at a legible size.
WIDTH = 5.4
VEGA_FOLDER = "../_static/vega"
# A private character that no text needs.
STAND_IN = "\ue000"


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
}

# Of the selector that goes past the study's six.
PAST = {"close-pairs": Look("Close pairs", "#c2185b", "*", (5, 1), "triangle-right")}

# For selectors that are not the book's own: a reader's, or one of a later chapter.
OTHERS = (
    Look("", "#56606b", "X", (3, 1, 1, 1), "stroke"),
    Look("", "#1f6f8b", "*", (5, 2, 1, 2), "wedge"),
    Look("", "#a3445b", "h", (1, 1), "arrow"),
)


def label(selector: str) -> str:
    """What charts and tables call a selector."""
    known = LOOKS | PAST
    return known[selector].label if selector in known else selector


def series_of(table: pd.DataFrame) -> dict[str, tuple[Look, pd.DataFrame]]:
    """The lines that a chart of results draws, by what they are called, in the table's order.

    Parameters
    ----------
    table : DataFrame
        With the columns that name a cell: selector, estimator, size, n_source.

    Returns
    -------
    dict of str to (Look, DataFrame)
        A line for each selector, or where a selector comes with several estimators or n_source,
        for each of those; its name says what sets it apart. Lines of one selector share its colour
        and differ in marker and dash.
    """
    lines: dict[str, tuple[Look, pd.DataFrame]] = {}
    strangers: list[str] = []
    for selector in dict.fromkeys(map(str, table["selector"])):
        own = table[table["selector"] == selector]
        if selector in LOOKS | PAST:
            look = (LOOKS | PAST)[selector]
        else:
            strangers.append(selector)
            look = OTHERS[(len(strangers) - 1) % len(OTHERS)]
        parts = [name for name in ("estimator", "n_source") if own[name].nunique() > 1]
        if not parts:
            lines[label(selector)] = look, own
            continue
        for number, (key, rows) in enumerate(own.groupby(parts, observed=True, sort=False)):
            said = ", ".join(
                f"{value} sources" if part == "n_source" else str(value)
                for part, value in zip(parts, key, strict=True)
            )
            other = OTHERS[(number - 1) % len(OTHERS)] if number else look
            own_look = replace(look, marker=other.marker, dash=other.dash, shape=other.shape)
            lines[f"{label(selector)}, {said}"] = own_look, rows
    return lines


def setup_charts() -> None:
    """Set the themes of seaborn and Altair; the first call of a chapter.

    From then on charts need no network, and each figure and chart carries its data.
    """
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
    keep_chart_data()


def _render(as_html: Any, spec: dict[str, Any], **more: Any) -> dict[str, str]:
    """A chart as HTML in which no text of the data can end the script or begin another.

    Names of models and subtasks come from foreign files, and a browser looks for `</script>`
    before it looks for JavaScript. So each `<` in the chart's texts is written as an escape.
    """
    bundle = as_html(_stood_in(spec), **more)
    # JSON writes the character that stands in as an escape of its own.
    escape = json.dumps(STAND_IN)[1:-1]
    page = {**bundle, "text/html": bundle["text/html"].replace(escape, "\\u003c")}
    data = chart_csv(spec)
    return {**page, CSV: data} if data else page


def _stood_in(value: Any) -> Any:
    if isinstance(value, str):
        return value.replace(STAND_IN, "").replace("<", STAND_IN)
    if isinstance(value, dict):
        return {_stood_in(key): _stood_in(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_stood_in(part) for part in value]
    return value


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
