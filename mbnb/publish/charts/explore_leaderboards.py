"""A chart to touch: agreement on any leaderboard that was measured; takes finished counts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import altair as alt
import pandas as pd

from mbnb.data.errors import InputError
from mbnb.judge.agreement import NOT_REACHED
from mbnb.judge.pairs import uniform_floor
from mbnb.publish.charts.explore import ALL
from mbnb.publish.charts.style import LOOKS, THRESHOLD

# A page carries a list for each curve: of the widest gaps none tells anything.
WIDEST = 20.0


def explore_leaderboards(
    counts: Mapping[str, pd.DataFrame], *, min_pairs: int = 50, threshold: float = 0.8
) -> alt.LayerChart:
    """Agreement against gap; leaderboard and size by their fields, selectors by the legend.

    Parameters
    ----------
    counts : mapping of str to DataFrame
        By what a leaderboard is called: columns half, gap (points, in steps of half a point),
        pairs, and of each selector and size the agreeing pairs, as `agreement_counts` tells them.
        The train half is drawn.
    min_pairs : int
        Bins with fewer pairs, and gaps above 20 points, are left out.
    threshold : float
        Drawn as a line.

    Raises
    ------
    InputError
        If there are no counts.
    """
    if not counts:
        raise InputError("no counts of any leaderboard are given; at least one is needed.")
    # A curve is one row with lists: a third of a table with a row for each bin.
    rows = [
        row for name, table in counts.items() for row in _curves(name, table, min_pairs, threshold)
    ]
    told = {row["selector"] for row in rows}
    selectors = [name for name in LOOKS if LOOKS[name].label in told]
    sizes = sorted({row["size"] for row in rows})
    names = list(counts)
    fields = [
        alt.param("board", value=names[0], bind=alt.binding_select(options=names, name="Data: ")),
        alt.param(
            "items",
            value=sizes[0],
            bind=alt.binding_radio(
                options=sizes, labels=[f"{size:,}" for size in sizes], name="Size (items chosen): "
            ),
        ),
    ]
    looks = [LOOKS[name] for name in selectors]
    domain = [look.label for look in looks]
    # The legend answers to a mouse alone, the field to a keyboard too.
    shown = alt.param(
        "shown", value=ALL, bind=alt.binding_select(options=[ALL, *domain], name="Show: ")
    )
    lit = alt.selection_point(name="lit", fields=["selector"], bind="legend")
    alone = f"shown == '{ALL}' || datum.selector == shown"
    seen = {"test": {"and": [{"param": "lit"}, alone]}, "value": 1}
    opacity = alt.OpacityValue(0.08, condition=seen)
    legend = alt.Legend(
        orient="bottom", columns=2, columnPadding=6, labelFontSize=11, labelLimit=300
    )
    color = alt.Color(
        "selector:N",
        title=None,
        scale=alt.Scale(domain=domain, range=[look.color for look in looks]),
        legend=legend,
    )
    chosen = (
        alt.Chart(pd.DataFrame(rows))
        .transform_filter("datum.leaderboard == board && datum.size == items")
        .transform_flatten(["gap", "agreement"])
    )
    x = alt.X(
        "gap:Q",
        title="Gap on the full half (points)",
        scale=alt.Scale(domain=[0, WIDEST], nice=False),
    )
    y = alt.Y("agreement:Q", title="Agreement", scale=alt.Scale(domain=[0, 1]))
    lines = chosen.mark_line(strokeWidth=2).encode(
        x=x,
        y=y,
        color=color,
        strokeDash=alt.StrokeDash(
            "selector:N",
            scale=alt.Scale(domain=domain, range=[list(look.dash) or [1, 0] for look in looks]),
            legend=None,
        ),
        opacity=opacity,
    )
    dots = chosen.mark_point(size=26, filled=True).encode(
        x=x,
        y=y,
        color=color,
        shape=alt.Shape(
            "selector:N",
            title=None,
            scale=alt.Scale(domain=domain, range=[look.shape for look in looks]),
            legend=legend,
        ),
        opacity=opacity,
        tooltip=[
            alt.Tooltip("selector:N", title="Selector"),
            alt.Tooltip("gap:Q", title="Gap (points)"),
            alt.Tooltip("agreement:Q", title="Agreement", format=".2f"),
            alt.Tooltip("MDAD:N", title="MDAD (points)"),
        ],
    )
    rule = (
        alt.Chart(pd.DataFrame({"agreement": [threshold]}))
        .mark_rule(color=THRESHOLD, strokeDash=[3, 3], strokeWidth=1.5)
        .encode(y="agreement:Q")
    )
    floors = uniform_floor(sizes, threshold).rename_axis("size").rename("gap").round(2)
    floor = (
        alt.Chart(floors.reset_index())
        .transform_filter("datum.size == items")
        .mark_rule(color=THRESHOLD, strokeDash=[1, 3], strokeWidth=1.5)
        .encode(
            x="gap:Q", tooltip=[alt.Tooltip("gap:Q", title="Floor of uniform sampling (points)")]
        )
    )
    description = (
        f"Agreement against gap for {', '.join(domain)}, on the leaderboard ({', '.join(names)}) "
        f"and at the size ({', '.join(map(str, sizes))} items) that you choose. A level line marks "
        f"the threshold of {threshold:g}, an upright one the floor of uniform sampling."
    )
    return (
        (rule + floor + lines + dots)
        .add_params(*fields, shown, lit)
        .properties(width="container", height=320, description=description)
    )


def _curves(
    name: str, table: pd.DataFrame, min_pairs: int, threshold: float
) -> list[dict[str, Any]]:
    """A row for each selector and size, with gaps and agreements as lists."""
    own = table[(table["half"] == "train") & (table["pairs"] >= min_pairs)].set_index("gap")
    rows = []
    for column in own.columns.drop(["half", "pairs"]):
        selector, _, size = column.rpartition("-")
        agreeing = own[column].dropna()
        if agreeing.empty or selector not in LOOKS:
            continue
        share = agreeing / own["pairs"]
        reached = share.index[share >= threshold - 1e-9]
        near = share[share.index <= WIDEST].round(3)
        rows.append(
            {
                "leaderboard": name,
                "size": int(size),
                "selector": LOOKS[selector].label,
                "MDAD": f"{reached.min():g}" if len(reached) else NOT_REACHED,
                "gap": near.index.to_list(),
                "agreement": near.to_list(),
            }
        )
    return rows
