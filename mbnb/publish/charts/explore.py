"""Charts to touch (Altair) that more than one chapter shows; each takes a finished table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from mbnb.data.errors import InputError
from mbnb.judge.agreement import format_interval, format_mdad
from mbnb.methods.selectors import Selection
from mbnb.publish.charts.plots import DOT, WIDEST_GAP
from mbnb.publish.charts.style import INK, LOOKS, PAPER, THRESHOLD, Look, label, series_of

# A page carries every row of its charts.
MAX_ROWS = 5000
ALL = "all selectors"
# Where the list of MDADs begins and how far apart its rows are, on the axis of agreement.
LIST_TOP, LIST_STEP = 0.46, 0.066


def explore_agreement(
    curve: pd.DataFrame,
    mdads: pd.DataFrame | None = None,
    *,
    threshold: float = 0.8,
    size: int | None = None,
    height: int = 340,
) -> alt.LayerChart:
    """Agreement against gap, with the size on a slider and selectors by the legend or a menu.

    Parameters
    ----------
    curve : DataFrame
        From `Agreement.curve`; gaps above 25 points are left out, and more of the widest where the
        chart would otherwise hold over 5,000 points.
    mdads : DataFrame, optional
        From `mdad`, of the same cells: each is told in words at the size that is chosen, and the
        point of the curve that decides it is ringed.
    threshold : float
        Drawn as a line.
    size : int, optional
        Shown first: the one nearest to it; by default the smallest.
    height : int
        Of the plot, in pixels.
    """
    near = curve[curve["gap"] <= WIDEST_GAP].sort_values("gap", kind="stable")
    if len(near) > MAX_ROWS:
        near = near[near["gap"] < near["gap"].iloc[MAX_ROWS]]
    series = series_of(near)
    names = list(series)
    looks = [look for look, _ in series.values()]
    sizes = sorted(int(value) for value in near["size"].unique())
    first = min(range(len(sizes)), key=lambda place: abs(sizes[place] - (size or sizes[0])))
    inputs = _size_slider(sizes, first)
    shown = alt.param(
        "shown", value=ALL, bind=alt.binding_select(options=[ALL, *names], name="Show: ")
    )
    lit = alt.selection_point(name="lit", fields=["series"], bind="legend")
    alone = f"shown == '{ALL}' || datum.series == shown"
    seen = {"test": {"and": [{"param": "lit"}, alone]}, "value": 1}
    opacity = alt.OpacityValue(0.08, condition=seen)

    # A column for each line, unpacked in the browser: a third of what a row for each point takes.
    base = (
        alt.Chart(_side_by_side(series))
        .transform_filter("datum.size == size")
        .transform_fold([_field(name) for name in names], as_=["series", "agreement"])
        .transform_filter("isValid(datum.agreement)")
    )
    scale = alt.Scale(domain=names, range=[look.color for look in looks])
    dashes = alt.Scale(domain=names, range=[list(look.dash) or [1, 0] for look in looks])
    shapes = alt.Scale(domain=names, range=[look.shape for look in looks])
    legend = alt.Legend(orient="bottom", columns=2, symbolSize=90, labelLimit=300)
    x = alt.X(
        "gap:Q",
        title="Gap on the full half (points)",
        scale=alt.Scale(domain=[0, max(float(near["gap"].max()), 1.0)], nice=False),
        axis=alt.Axis(labelFlush=False),
    )
    y = alt.Y("agreement:Q", title="Agreement", scale=alt.Scale(domain=[0, 1]))
    color = alt.Color("series:N", title=None, scale=scale, legend=legend)
    lines = base.mark_line(strokeWidth=2).encode(
        x=x,
        y=y,
        color=color,
        strokeDash=alt.StrokeDash("series:N", title=None, scale=dashes, legend=None),
        opacity=opacity,
    )
    dots = base.mark_point(size=30, filled=True).encode(
        x=x,
        y=y,
        color=color,
        shape=alt.Shape("series:N", title=None, scale=shapes, legend=legend),
        opacity=opacity,
        tooltip=[
            alt.Tooltip("series:N", title="Selector"),
            alt.Tooltip("gap:Q", title="Gap (points)"),
            alt.Tooltip("agreement:Q", title="Agreement", format=".2f"),
            alt.Tooltip("pairs:Q", title="Pairs", format=","),
        ],
    )
    line = alt.Chart(
        alt.Data(values=[{"agreement": threshold, "text": f"threshold {threshold:g}"}])
    )
    layers: list[alt.Chart] = [
        line.mark_rule(color=THRESHOLD, strokeDash=[3, 3], strokeWidth=1.5).encode(y="agreement:Q"),
        line.mark_text(color=THRESHOLD, align="right", dx=-4, dy=10, fontSize=11).encode(
            x=alt.value("width"), y="agreement:Q", text="text:N"
        ),
        lines,
        dots,
    ]
    if mdads is not None:
        layers += _mdads_told(_read_off(mdads, near), x, y, color, opacity)
    description = (
        f"Agreement against gap for {', '.join(names)} at the size you choose "
        f"({', '.join(f'{k:,}' for k in sizes)} items; {sizes[first]:,} at first), with the "
        f"threshold of {threshold:g} as a line"
        + ("." if mdads is None else " and the MDAD of each in words.")
    )
    return (
        alt.LayerChart(layer=layers, description=description, height=height)
        .properties(width="container")
        .add_params(*inputs, shown, lit)
    )


def _size_slider(sizes: list[int], first: int) -> list[alt.Parameter]:
    """A slider over places, and the size at its place; one size alone needs no slider."""
    listing = " · ".join(f"{size:,}" for size in sizes)
    slider = alt.binding_range(min=1, max=len(sizes), step=1, name=f"Size ({listing}): ")
    place = alt.param("place", value=first + 1, bind=slider if len(sizes) > 1 else alt.Undefined)
    return [place, alt.param("size", expr=f"{sizes}[place - 1]")]


def _side_by_side(series: dict[str, tuple[Look, pd.DataFrame]]) -> pd.DataFrame:
    """A row for each size and gap: its pairs, alike in all lines, and each line’s agreement."""
    columns = {name: rows.set_index(["size", "gap"]) for name, (_, rows) in series.items()}
    pairs = pd.DataFrame({name: rows["pairs"] for name, rows in columns.items()}).max(axis=1)
    wide = pd.DataFrame({name: rows["agreement"].round(3) for name, rows in columns.items()})
    wide.insert(0, "pairs", pairs)
    return wide.reset_index().astype({"size": int, "pairs": int})


def _field(name: str) -> str:
    """A column's name as Vega wants it, where a dot or a bracket would lead into a value."""
    return "".join(f"\\{sign}" if sign in ".[]\\'\"" else sign for sign in name)


def _read_off(mdads: pd.DataFrame, near: pd.DataFrame) -> list[dict[str, Any]]:
    """What is said of each line at each size, and the point of the curve that decides it."""
    met = mdads.merge(
        near[["selector", "estimator", "size", "n_source", "gap", "agreement"]],
        how="left",
        left_on=["selector", "estimator", "size", "n_source", "mdad"],
        right_on=["selector", "estimator", "size", "n_source", "gap"],
    )
    rows = []
    for place, (name, (_, own)) in enumerate(series_of(met).items()):
        for _, row in own.iterrows():
            drawn = not np.isnan(row["gap"])
            rows.append(
                {
                    "series": name,
                    "size": int(row["size"]),
                    "row": place,
                    "text": f"{name}: {format_mdad(row['mdad'])}",
                    "said": format_interval(row),
                    "gap": row["gap"] if drawn else None,
                    "agreement": round(row["agreement"], 3) if drawn else None,
                }
            )
    return rows


def _mdads_told(
    rows: list[dict[str, Any]],
    x: alt.X,
    y: alt.Y,
    color: alt.Color,
    opacity: alt.OpacityValue,
) -> list[alt.Chart]:
    """A ring around each deciding point, and the MDADs as a list where no curve runs: below."""
    base = alt.Chart(pd.DataFrame(rows)).transform_filter("datum.size == size")
    tooltip = [
        alt.Tooltip("series:N", title="Selector"),
        alt.Tooltip("said:N", title="MDAD (points)"),
    ]
    rings = (
        base.transform_filter("isValid(datum.gap)")
        .mark_point(size=130, strokeWidth=2.2, filled=False)
        .encode(x=x, y=y, color=color, opacity=opacity, tooltip=tooltip)
    )
    # Faint words would be read badly, so that those of lines in the background go.
    hidden = alt.OpacityValue(0, condition=opacity.to_dict()["condition"])
    right: dict[str, Any] = {"align": "right", "dx": -4, "baseline": "middle"}
    texts = base.transform_calculate(at=f"{LIST_TOP} - {LIST_STEP} * (datum.row + 1)").encode(
        x=alt.value("width"), y=alt.Y("at:Q", title="Agreement"), text="text:N", opacity=hidden
    )
    heading = (
        base.transform_filter("datum.row == 0")
        .transform_calculate(
            at=f"{LIST_TOP}", heading="'MDAD at ' + format(size, ',') + ' items (points)'"
        )
        .mark_text(**right, fontSize=13, fontWeight="bold", color=INK)
        .encode(x=alt.value("width"), y=alt.Y("at:Q", title="Agreement"), text="heading:N")
    )
    # A ground of paper, so that the words stay legible where a curve runs behind them.
    ground = texts.mark_text(**right, fontSize=12, stroke=PAPER, strokeWidth=4, color=PAPER)
    words = texts.mark_text(**right, fontSize=12).encode(color=color, tooltip=tooltip)
    return [rings, heading, ground, words]


def explore_selections(
    points: np.ndarray,
    selections: Mapping[int, Selection],
    *,
    selector: str,
    axis_labels: tuple[str, str],
    n_items: int = 1200,
) -> alt.LayerChart:
    """Items in a plane and those chosen at the size that a reader picks; areas show weights.

    Parameters
    ----------
    points : ndarray, shape (n_items, 2)
    selections : mapping of int to Selection
        By size; the largest are left out where the chart would hold over 5,000 rows.
    selector : str
        Gives the colour.
    axis_labels : (str, str)
    n_items : int
        Items drawn behind the chosen ones, evenly thinned.
    """
    step = -(-len(points) // n_items)
    crowd = pd.DataFrame(points[::step], columns=["x", "y"]).round(3)
    frames: list[pd.DataFrame] = []
    for size in sorted(selections):
        selection = selections[size]
        if len(crowd) + sum(map(len, frames)) + size > MAX_ROWS:
            break
        own = pd.DataFrame(points[selection.items], columns=["x", "y"]).round(3)
        frames.append(own.assign(size=size, weight=np.round(100 * selection.weights, 3)))
    if not frames:
        raise InputError(
            f"sizes from {min(selections):,} on are too many points for a page; allowed are "
            f"selections of up to {MAX_ROWS - len(crowd):,} items in all."
        )
    chosen_items = pd.concat(frames, ignore_index=True)
    sizes = [int(frame["size"].iloc[0]) for frame in frames]
    chosen = alt.param(
        "size",
        value=sizes[0],
        bind=alt.binding_radio(
            options=sizes, labels=[f"{size:,}" for size in sizes], name="Size (items chosen): "
        ),
    )
    low, high = points.min(axis=0), points.max(axis=0)
    x, y = (
        alt.X("x:Q", title=axis_labels[0], scale=alt.Scale(domain=[float(low[0]), float(high[0])])),
        alt.Y("y:Q", title=axis_labels[1], scale=alt.Scale(domain=[float(low[1]), float(high[1])])),
    )
    behind = alt.Chart(crowd).mark_circle(size=9, color=DOT, opacity=0.7).encode(x=x, y=y)
    # An area in proportion to the weight, from 0.
    heaviest = float(chosen_items["weight"].max())
    area = alt.Scale(domain=[0, heaviest], range=[0, 1200])
    rings = (
        alt.Chart(chosen_items)
        .transform_filter(alt.datum.size == chosen)
        .mark_circle(color=LOOKS[selector].color, opacity=0.5, stroke=LOOKS[selector].color)
        .encode(
            x=x,
            y=y,
            size=alt.Size("weight:Q", scale=area, legend=None),
            tooltip=[alt.Tooltip("weight:Q", title="Weight (per cent of the items)")],
        )
    )
    description = (
        f"Items in a plane ({axis_labels[0]}; {axis_labels[1]}), with those that "
        f"{label(selector)} chooses at the size you pick ({', '.join(map(str, sizes))}) as discs "
        "whose area is their weight."
    )
    return (
        (behind + rings)
        .add_params(chosen)
        .properties(width="container", height=340, description=description)
    )
