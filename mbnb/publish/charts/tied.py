"""A ranking that tells its ties, as a table and as a chart to touch; takes finished results."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence

import altair as alt
import numpy as np
import pandas as pd
from pandas.io.formats.style import Styler

from mbnb.publish.charts.style import INK, THRESHOLD
from mbnb.publish.charts.tables import NOTHING, show

# Rows that a person reads: of longer rankings, the best and the last few.
MOST_ROWS, TOP, BOTTOM = 24, 15, 5
MOST_BARS = 40


def ranking_table(ranges: pd.DataFrame) -> Styler:
    """A ranking that tells which ranks cannot be told apart; of a long one, its two ends.

    Parameters
    ----------
    ranges : DataFrame
        From `tie_ranges`.
    """
    rows = [
        (
            f"{row['rank']}{'=' if row['shared'] else ''}",
            html.escape(row["model"]),
            f"{row['accuracy']:.1f}",
            f"{row['first']} to {row['last']}" if row["first"] < row["last"] else NOTHING,
        )
        for _, row in ranges.iterrows()
    ]
    if len(rows) > MOST_ROWS:
        left_out = len(rows) - TOP - BOTTOM
        rows = [*rows[:TOP], ("⋮", f"{left_out:,} more models", "", ""), *rows[-BOTTOM:]]
    columns = ["Rank", "Model", "Accuracy", "Not to be told from ranks"]
    return show(pd.DataFrame(rows, columns=columns)).hide(axis="index")


def explore_ties(
    ranking: pd.DataFrame, mdads: Mapping[int, float], how: str, size: int
) -> alt.Chart:
    """The models at the top: touch one, and those that are closer than the MDAD light up.

    Parameters
    ----------
    ranking : DataFrame
        From `rank_models`; the first 40 are drawn.
    mdads : mapping of int to float
        MDAD in points by size; NaN where none is reached, and then no two are told apart.
    how : str
        How the items are chosen, for the description.
    size : int
        The size that is shown first.
    """
    top = ranking.head(MOST_BARS)
    marks = np.where(top["shared"], "=", "")
    names = [
        f"{rank}{mark}  {model if len(model) <= 34 else model[:33] + '…'}"
        for rank, mark, model in zip(top["rank"], marks, top["model"], strict=True)
    ]
    # Names that are cut may be alike, and an axis has one place for each.
    data = pd.DataFrame(
        {
            "place": range(len(top)),
            "shown": names,
            "model": top["model"],
            "rank": top["rank"],
            "accuracy": top["accuracy"].round(3),
        }
    )
    sizes = sorted(mdads)
    chosen = alt.param(
        "size", value=size, bind=alt.binding_radio(options=sizes, name="Size (items chosen): ")
    )
    wide = {k: 1000.0 if np.isnan(gap) else gap for k, gap in mdads.items()}
    table = "{" + ", ".join(f"'{k}': {gap:g}" for k, gap in wide.items()) + "}"
    picked = alt.selection_point(
        name="picked",
        fields=["accuracy"],
        on="pointerover",
        nearest=True,
        clear=False,
        empty=False,
        value=[{"accuracy": float(data["accuracy"].iloc[0])}],
    )
    gap = "abs(datum.accuracy - picked.accuracy[0])"
    near = f"{gap} < {table}[toString(size)] - 1e-9 ? 'too close to tell' : 'told apart'"
    base = alt.Chart(data).transform_calculate(
        said=f"!picked.accuracy ? 'told apart' : {gap} < 1e-6 ? 'this one' : ({near})"
    )
    axis = alt.Axis(
        title=None,
        labelExpr=_lookup(names),
        labelLimit=260,
        labelFontSize=10,
        ticks=False,
        domain=False,
        grid=True,
    )
    classes = ["this one", "too close to tell", "told apart"]
    y = alt.Y("place:O", axis=axis)
    low = float(data["accuracy"].min())
    room = max(float(data["accuracy"].max()) - low, 1.0)
    x = alt.X(
        "accuracy:Q",
        title="Accuracy (points)",
        scale=alt.Scale(domain=[low - 0.04 * room, low + 1.04 * room], nice=False),
    )
    dots = base.mark_circle(size=110, opacity=1).encode(
        x=x,
        y=y,
        color=alt.Color(
            "said:N",
            title=None,
            scale=alt.Scale(domain=classes, range=[INK, THRESHOLD, "#b8c4ce"]),
            legend=alt.Legend(orient="top", columns=1),
        ),
        tooltip=[
            alt.Tooltip("rank:Q", title="Rank"),
            alt.Tooltip("model:N", title="Model"),
            alt.Tooltip("accuracy:Q", title="Accuracy (points)", format=".1f"),
            alt.Tooltip("said:N", title="At this size"),
        ],
    )
    description = (
        f"The best {len(top)} models by accuracy; point at one, and those too close to it to be "
        f"told apart by items chosen with {how} at the size you pick "
        f"({', '.join(map(str, sizes))}) change colour."
    )
    return dots.add_params(picked, chosen).properties(
        width="container", height=16 * len(top) + 10, description=description
    )


def _lookup(names: Sequence[str]) -> str:
    """A Vega expression that turns a place into its name."""
    quoted = ", ".join("'" + n.replace("\\", "\\\\").replace("'", "\\'") + "'" for n in names)
    return f"[{quoted}][datum.value]"
