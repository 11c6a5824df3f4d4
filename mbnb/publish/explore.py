"""Charts to touch (Altair) that more than one chapter shows; each takes a finished table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import altair as alt
import numpy as np
import pandas as pd

from mbnb.errors import InputError
from mbnb.publish.plots import DOT, WIDEST_GAP
from mbnb.publish.style import INK, LOOKS, PAPER, THRESHOLD, label, series_of
from mbnb.study.selectors import Selection

# A page carries every row of its charts.
MAX_ROWS = 5000
# In pixels: with its axis and words, as wide as a phone's page.
PAIRS_WIDTH = 280
# How often a pair is put in the right order: from worst to best, told from colours and words.
CLASSES = (
    (0.95, "95 % or more", "#08519c"),
    (0.8, "80 to 95 %", "#6baed6"),
    (0.5, "50 to 80 %", "#fdbe85"),
    (0.0, "below 50 %", "#d94701"),
)


def explore_agreement(curve: pd.DataFrame, *, threshold: float = 0.8) -> alt.LayerChart:
    """Agreement against gap, with the size chosen by a button and selectors by the legend.

    Parameters
    ----------
    curve : DataFrame
        From `Agreement.curve`; gaps above 25 points are left out, and more of the widest where the
        chart would otherwise hold over 5,000 rows.
    threshold : float
        Drawn as a line.
    """
    near = curve[curve["gap"] <= WIDEST_GAP].sort_values("gap", kind="stable")
    if len(near) > MAX_ROWS:
        near = near[near["gap"] < near["gap"].iloc[MAX_ROWS]]
    series = series_of(near)
    sizes = sorted(int(size) for size in near["size"].unique())
    data = pd.concat(
        [
            rows.assign(series=name)[["series", "size", "gap", "agreement", "pairs"]]
            for name, (_, rows) in series.items()
        ]
    )
    data = data.astype({"size": int, "pairs": int}).round({"agreement": 4})
    chosen = alt.param(
        "size",
        value=sizes[0],
        bind=alt.binding_radio(options=sizes, name="Size (items chosen): "),
    )
    lit = alt.selection_point(fields=["series"], bind="legend")
    names = list(series)
    looks = [look for look, _ in series.values()]
    scale = alt.Scale(domain=names, range=[look.color for look in looks])
    dashes = alt.Scale(domain=names, range=[list(look.dash) or [1, 0] for look in looks])
    shapes = alt.Scale(domain=names, range=[look.shape for look in looks])
    base = alt.Chart(data).transform_filter(alt.datum.size == chosen)
    legend = alt.Legend(orient="bottom", columns=2, symbolSize=90, labelLimit=300)
    opacity = alt.condition(lit, alt.value(1), alt.value(0.1))
    x = alt.X(
        "gap:Q",
        title="Gap on the full half (points)",
        scale=alt.Scale(domain=[0, max(float(near["gap"].max()), 1.0)], nice=False),
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
    rule = (
        alt.Chart(pd.DataFrame({"agreement": [threshold]}))
        .mark_rule(color=THRESHOLD, strokeDash=[3, 3], strokeWidth=1.5)
        .encode(y="agreement:Q")
    )
    description = (
        f"Agreement against gap for {', '.join(names)} at the size you choose "
        f"({', '.join(map(str, sizes))} items), with the threshold of {threshold:g} as a line."
    )
    return (
        (rule + lines + dots)
        .add_params(chosen, lit)
        .properties(width="container", height=320, description=description)
    )


def explore_pairs(
    pairs: pd.DataFrame, ranking: Sequence[str], *, threshold: float = 0.8
) -> alt.VConcatChart:
    """Every pair of a group of models as a cell: how often it is put in the right order.

    The size and the selector are chosen by buttons; a line above says which share of the pairs is
    told apart at least as often as the threshold asks.

    Parameters
    ----------
    pairs : DataFrame
        From `pair_agreement`, one estimator for each selector.
    ranking : sequence of str
        Model ids, best first: they name the places on both axes.
    threshold : float

    Raises
    ------
    InputError
        If there are more than 5,000 pairs and selectors.
    """
    place = {model: rank for rank, model in enumerate(ranking, start=1)}
    sizes = sorted(int(size) for size in pairs["size"].unique())
    selectors = list(dict.fromkeys(map(str, pairs["selector"])))
    # A row for each pair and selector, a column for each size: a quarter of the rows.
    wide = pairs.pivot(index=["selector", "first", "second"], columns="size", values="agreement")
    wide.columns = [f"at{int(size)}" for size in wide.columns]
    wide = wide.round(3).reset_index()
    if len(wide) > MAX_ROWS:
        raise InputError(
            f"a chart of {len(ranking)} models and {len(selectors)} selectors has {len(wide):,} "
            f"cells; at most {MAX_ROWS:,} are allowed, so give fewer of either."
        )
    ranks = wide[["first", "second"]].astype(str).apply(lambda column: column.map(place))
    swap = ranks["first"] > ranks["second"]
    data = wide.assign(
        selector=wide["selector"].astype(str).map(label),
        better=wide["first"].where(~swap, wide["second"]).astype(str),
        worse=wide["second"].where(~swap, wide["first"]).astype(str),
        row=ranks.min(axis=1),
        column=ranks.max(axis=1),
    ).drop(columns=["first", "second"])
    size = alt.param(
        "size", value=sizes[0], bind=alt.binding_radio(options=sizes, name="Size (items chosen): ")
    )
    names = [label(name) for name in selectors]
    selector = alt.param(
        "chosen", value=names[0], bind=alt.binding_select(options=names, name="Selector: ")
    )
    word = "'" + CLASSES[-1][1] + "'"
    for least, text, _ in reversed(CLASSES[:-1]):
        word = f"datum.agreement >= {least} ? '{text}' : ({word})"
    base = (
        alt.Chart(data)
        .transform_filter("datum.selector == chosen")
        .transform_calculate(agreement="datum['at' + size]")
        .transform_filter("isValid(datum.agreement)")
        .transform_calculate(right=word)
    )
    ticks = [1, *range(5, len(ranking) + 1, 5)]
    axis = alt.Axis(values=ticks, labelAngle=0, domain=False, ticks=False)
    cells = base.mark_rect(stroke=PAPER, strokeWidth=0.6).encode(
        x=alt.X("column:O", title="Rank of the worse model", axis=axis),
        y=alt.Y("row:O", title="Rank of the better model", axis=axis),
        color=alt.Color(
            "right:N",
            title="Right in … of the trials",
            sort=None,
            scale=alt.Scale(domain=[c[1] for c in CLASSES], range=[c[2] for c in CLASSES]),
            legend=alt.Legend(orient="bottom", columns=2, titleLimit=300),
        ),
        tooltip=[
            alt.Tooltip("better:N", title="Better"),
            alt.Tooltip("worse:N", title="Worse"),
            alt.Tooltip("agreement:Q", title="Right in", format=".0%"),
        ],
    )
    said = (
        base.transform_calculate(told=f"datum.agreement >= {threshold} - 1e-9 ? 1 : 0")
        .transform_aggregate(share="mean(told)")
        .transform_calculate(
            text=f"format(100 * datum.share, '.0f') + ' % of the pairs right in ≥ "
            f"{100 * threshold:g} % of trials'"
        )
        .mark_text(align="left", x=0, fontSize=12.5, color=INK)
        .encode(text="text:N")
        .properties(width=PAIRS_WIDTH, height=18, view=alt.ViewConfig(stroke=None))
    )
    description = (
        f"A triangle of {len(ranking)} models against each other, ordered by rank; the colour of a "
        "cell says in what share of the trials the pair is put in the right order, at the size "
        f"({', '.join(map(str, sizes))}) and by the selector ({', '.join(names)}) that you choose."
    )
    return (
        alt.vconcat(said, cells.properties(width=PAIRS_WIDTH, height=PAIRS_WIDTH), spacing=4)
        .add_params(size, selector)
        .properties(description=description)
    )


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
        bind=alt.binding_radio(options=sizes, name="Size (items chosen): "),
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
