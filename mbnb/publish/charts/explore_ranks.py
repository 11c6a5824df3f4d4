"""A chart to touch: where the model of one true rank comes out; takes a finished table."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt
import pandas as pd

from mbnb.publish.charts.style import TINTS, label


def explore_ranks(ranges: pd.DataFrame, ranks: Sequence[int] = ()) -> alt.LayerChart:
    """The estimated rank of one true rank against size; rank and selector are chosen.

    Parameters
    ----------
    ranges : DataFrame
        From `rank_ranges`, one estimator for each selector.
    ranks : sequence of int
        True ranks to choose from; where none are given, the first three, 5, 10, and quarters of
        the rest.
    """
    n = int(ranges["rank"].max())
    wanted = set(ranks) or {1, 2, 3, 5, 10, n // 4, n // 2, 3 * n // 4, n}
    shown = sorted(wanted & set(ranges["rank"]))
    selectors = list(dict.fromkeys(map(str, ranges["selector"])))
    names = [label(name) for name in selectors]
    data = ranges[ranges["rank"].isin(shown)]
    data = pd.DataFrame(
        {
            "s": data["selector"].astype(str).map(label),
            "size": data["size"].astype(int),
            "rank": data["rank"].astype(int),
            "low": data["low"].astype(int),
            "middle": data["middle"].astype(int),
            "high": data["high"].astype(int),
        }
    )
    sizes = sorted(int(size) for size in data["size"].unique())
    rank = alt.param(
        "rank", value=shown[0], bind=alt.binding_radio(options=shown, name="True rank: ")
    )
    chosen = alt.param(
        "chosen", value=names[0], bind=alt.binding_select(options=names, name="Selector: ")
    )
    base = alt.Chart(data).transform_filter("datum.s == chosen")
    own = base.transform_filter("datum.rank == rank")
    x = alt.X(
        "size:Q",
        title="Size (items chosen)",
        scale=alt.Scale(type="log", domain=[sizes[0] / 1.1, sizes[-1] * 1.1], nice=False),
        axis=alt.Axis(values=sizes, format=",d", grid=False),
    )
    y_scale = alt.Scale(domain=[n + 0.5, 0.5], nice=False)
    y = alt.Y("middle:Q", title="Rank by the estimates", scale=y_scale)
    paths = base.mark_line(strokeWidth=1, color=TINTS[2], opacity=0.5).encode(
        x=x, y=y, detail="rank:N"
    )
    band = own.mark_area(opacity=0.25, color=TINTS[0]).encode(
        x=x, y=alt.Y("low:Q", scale=y_scale), y2="high:Q"
    )
    line = own.mark_line(strokeWidth=2.5, color=TINTS[0], point={"size": 55, "color": TINTS[0]})
    line = line.encode(
        x=x,
        y=y,
        tooltip=[
            alt.Tooltip("size:Q", title="Items", format=",d"),
            alt.Tooltip("rank:Q", title="True rank"),
            alt.Tooltip("middle:Q", title="Middle rank by the estimates"),
            alt.Tooltip("low:Q", title="Four of five between"),
            alt.Tooltip("high:Q", title="and"),
        ],
    )
    level = (
        own.transform_filter(f"datum.size == {sizes[0]}")
        .mark_rule(color=TINTS[1], strokeDash=[4, 3], strokeWidth=1.5)
        .encode(y=alt.Y("rank:Q", scale=y_scale))
    )
    description = (
        f"The rank by the estimates against size ({', '.join(map(str, sizes))} items) of the model "
        f"at the true rank that you choose ({', '.join(map(str, shown))} of {n}), by the selector "
        f"that you choose ({', '.join(names)}): the middle and a band that holds four of five."
    )
    return (
        (paths + band + level + line)
        .add_params(rank, chosen)
        .properties(width="container", height=330, description=description)
    )
