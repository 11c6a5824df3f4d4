"""The book's visual language: one look per selector, one theme, light cards in both modes."""

from __future__ import annotations

from dataclasses import dataclass

import altair as alt
import matplotlib as mpl
import seaborn as sns

INK, GRID, PAPER = "#1f2933", "#e4e7eb", "#ffffff"
THRESHOLD = "#9b1c31"
VEGA_FOLDER = "../_static/vega"


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


def label(selector: str) -> str:
    """What charts and tables call a selector."""
    return LOOKS[selector].label if selector in LOOKS else selector


def setup_charts() -> None:
    """Set the theme of seaborn and Altair and the offline renderer; the first call of a chapter."""
    sns.set_theme(
        context="notebook",
        style="whitegrid",
        rc={
            "figure.figsize": (7.2, 4.2),
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
    alt.theme.enable("mbnb")


@alt.theme.register("mbnb", enable=False)
def _theme() -> alt.theme.ThemeConfig:
    axis = {"labelColor": INK, "titleColor": INK, "gridColor": GRID, "labelFontSize": 12}
    return {
        "config": {
            "background": PAPER,
            "view": {"stroke": "transparent", "continuousWidth": 520, "continuousHeight": 320},
            "axis": {**axis, "titleFontSize": 13, "titleFontWeight": "normal"},
            "legend": {"labelColor": INK, "titleColor": INK, "labelFontSize": 12},
            "title": {"color": INK, "fontSize": 14, "anchor": "start"},
            "font": "system-ui, -apple-system, 'Segoe UI', sans-serif",
        }
    }
