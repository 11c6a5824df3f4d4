"""Kendall's tau against the MDAD as a chart to touch; takes finished tables, computes nothing."""

from __future__ import annotations

import altair as alt
import pandas as pd

from mbnb.publish.charts.concordance import cell_name
from mbnb.publish.charts.explore import MAX_ROWS
from mbnb.publish.charts.plots import WIDEST_GAP
from mbnb.publish.charts.style import (
    LOOKS,
    OTHERS,
    THRESHOLD,
    label,
)

# In pixels, of a chart beside which stands another: as wide as a phone's page.
PANEL = 280


def explore_tau(
    table: pd.DataFrame, curve: pd.DataFrame, chosen: pd.DataFrame, *, threshold: float = 0.8
) -> alt.VConcatChart:
    """Tau against MDAD to touch: point at cells and see their agreement curves beneath.

    Parameters
    ----------
    table : DataFrame
        From `tau_and_mdad`; cells without a tau or an MDAD are left out.
    curve : DataFrame
        From `Agreement.curve`, of the same cells; gaps above 25 points are left out, and more of
        the widest where the chart would otherwise hold over 5,000 rows.
    chosen : DataFrame
        Rows of the table whose curves are shown at first, such as those of `same_tau`.
    threshold : float
        Drawn as a line.
    """
    known = table.dropna(subset=["tau", "mdad"])
    near = curve[curve["gap"] <= WIDEST_GAP].sort_values("gap", kind="stable")
    if len(near) > MAX_ROWS:
        near = near[near["gap"] < near["gap"].iloc[MAX_ROWS]]
    cells, lines = (
        rows.assign(
            series=rows["selector"].astype(str).map(label),
            cell=[cell_name(row) for _, row in rows[["selector", "size"]].iterrows()],
        )
        for rows in (known, near)
    )
    cells = cells[["series", "cell", "size", "tau", "mdad"]].round({"tau": 3})
    lines = lines[["series", "cell", "gap", "agreement"]].round({"agreement": 3})
    names = list(dict.fromkeys(cells["series"]))
    looks = {label(name): look for name, look in LOOKS.items()}
    drawn = [looks.get(name, OTHERS[0]) for name in names]
    color = alt.Color(
        "series:N",
        title=None,
        scale=alt.Scale(domain=names, range=[look.color for look in drawn]),
        legend=alt.Legend(orient="bottom", columns=2, labelLimit=300),
    )
    shape = alt.Shape(
        "series:N",
        legend=None,
        scale=alt.Scale(domain=names, range=[look.shape for look in drawn]),
    )
    first = [{"cell": cell_name(row)} for _, row in chosen.iterrows()]
    clicked = alt.selection_point(
        name="clicked",
        fields=["cell"],
        toggle="true",
        value=first or [{"cell": cells["cell"].iloc[0]}],
    )
    marks = (
        alt.Chart(cells)
        .mark_point(size=110, filled=True)
        .encode(
            x=alt.X("tau:Q", title="Kendall’s tau-b", scale=alt.Scale(zero=False, padding=8)),
            y=alt.Y(
                "mdad:Q",
                title="MDAD (points)",
                scale=alt.Scale(type="symlog", constant=1),
                axis=alt.Axis(values=[0, 1, 2, 5, 10, 20, 50]),
            ),
            color=color,
            shape=shape,
            opacity=alt.condition(clicked, alt.value(1), alt.value(0.35)),
            tooltip=[
                alt.Tooltip("cell:N", title="Micro-benchmark"),
                alt.Tooltip("tau:Q", title="Tau-b", format=".2f"),
                alt.Tooltip("mdad:Q", title="MDAD (points)"),
            ],
        )
        .add_params(clicked)
        .properties(width=PANEL, height=240)
    )
    rule = (
        alt.Chart(pd.DataFrame({"agreement": [threshold]}))
        .mark_rule(color=THRESHOLD, strokeDash=[3, 3], strokeWidth=1.5)
        .encode(y="agreement:Q")
    )
    base = alt.Chart(lines).transform_filter(clicked)
    x = alt.X(
        "gap:Q",
        title="Gap on the full half (points)",
        scale=alt.Scale(domain=[0, max(float(lines["gap"].max()), 1.0)], nice=False),
    )
    y = alt.Y("agreement:Q", title="Agreement", scale=alt.Scale(domain=[0, 1]))
    line = base.mark_line(strokeWidth=2).encode(x=x, y=y, color=color, detail="cell:N")
    last = base.mark_point(size=25, filled=True).encode(
        x=x, y=y, color=color, shape=shape, detail="cell:N", tooltip=["cell:N", "gap:Q"]
    )
    description = (
        f"Above, {len(cells)} micro-benchmarks by Kendall's tau and MDAD, a mark for each selector "
        "and size; below, the agreement curves of those that are clicked, with the threshold of "
        f"{threshold:g} as a line. At first the two of nearly equal tau with the most different "
        "MDADs are chosen."
    )
    curves = (rule + line + last).properties(width=PANEL, height=220)
    return alt.vconcat(marks, curves, spacing=8).properties(description=description)
