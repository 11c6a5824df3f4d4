"""The chart to touch of rules that read an MDAD; takes finished counts."""

from __future__ import annotations

import altair as alt
import numpy as np
import pandas as pd

from mbnb.judge.agreement import RULES, Agreement
from mbnb.judge.enough_trials import split_trials
from mbnb.judge.isotonic import isotonic_curve
from mbnb.publish.charts.definitions import read_by_rules
from mbnb.publish.charts.draw_definitions import LOOK_OF_RULE, WIDEST
from mbnb.publish.charts.style import INK, PAPER, THRESHOLD, TINTS

THRESHOLDS = np.round(np.arange(0.60, 0.951, 0.01), 2)


def explore_rules(
    counts: Agreement, few: int, *, threshold: float = 0.8, size: int | None = None
) -> alt.LayerChart:
    """One selector's agreement by gap, with threshold, size and number of trials to be moved.

    Parameters
    ----------
    counts : Agreement
        Of one selector.
    few : int
        Trials in the smaller of the two sets that can be chosen: the first ones.
    threshold : float
        Shown first.
    size : int, optional
        Shown first; by default the smallest.
    """
    n_trials = counts.pairs.shape[1]
    sizes = [int(k) for k in counts.cells["size"]]
    sets = {f"the first {few}": split_trials(counts, few)[0], f"all {n_trials}": counts}
    bins, read = [], []
    for name, own in sets.items():
        pairs, agreeing = own.pairs.sum(axis=1), own.agreeing.sum(axis=1)
        for cell, k in enumerate(sizes):
            held = (pairs[cell] > 0) & (own.gaps <= WIDEST)
            rising = isotonic_curve(pairs[cell], agreeing[cell])
            bins.append(
                pd.DataFrame(
                    {
                        "set": name,
                        "size": k,
                        "gap": own.gaps[held],
                        "pairs": pairs[cell][held],
                        "agreement": np.round(agreeing[cell][held] / pairs[cell][held], 3),
                        "rising": np.round(rising[held], 3),
                    }
                )
            )
        for value in THRESHOLDS:
            table = read_by_rules(own, float(value))[["size", *RULES]]
            read.append(table.assign(set=name, threshold=float(value)))
    listing = " · ".join(f"{k:,}" for k in sizes)
    first = sizes.index(size) if size in sizes else 0
    slider = alt.binding_range(min=1, max=len(sizes), step=1, name=f"Size ({listing}): ")
    # One size alone needs no slider.
    place = alt.param("place", value=first + 1, bind=slider if len(sizes) > 1 else alt.Undefined)
    chosen_size = alt.param("size", expr=f"{sizes}[place - 1]")
    limit = alt.param(
        "limit",
        value=float(THRESHOLDS[np.abs(THRESHOLDS - threshold).argmin()]),
        bind=alt.binding_range(
            min=float(THRESHOLDS[0]), max=float(THRESHOLDS[-1]), step=0.01, name="Threshold: "
        ),
    )
    chosen_set = alt.param(
        "trials", value=next(iter(sets)), bind=alt.binding_select(options=[*sets], name="Trials: ")
    )
    here = "datum.size == size && datum.set == trials"
    x = alt.X("gap:Q", title="Gap (points)", scale=alt.Scale(domain=[0, WIDEST], nice=False))
    scale = alt.Scale(domain=[0, 1])
    base = alt.Chart(pd.concat(bins, ignore_index=True)).transform_filter(here)
    dots = base.mark_point(filled=True, color=TINTS[0], opacity=0.6).encode(
        x=x,
        y=alt.Y("agreement:Q", title="Agreement", scale=scale),
        size=alt.Size("pairs:Q", title="Pairs", legend=None, scale=alt.Scale(range=[8, 260])),
        tooltip=[
            alt.Tooltip("gap:Q", title="Gap (points)"),
            alt.Tooltip("agreement:Q", title="Agreement", format=".2f"),
            alt.Tooltip("rising:Q", title="Rising curve", format=".2f"),
            alt.Tooltip("pairs:Q", title="Pairs", format=","),
        ],
    )
    rising_line = base.mark_line(color=INK, strokeWidth=2, interpolate="step").encode(
        x=x, y=alt.Y("rising:Q", scale=scale)
    )
    line = (
        alt.Chart(alt.Data(values=[{}]))
        .transform_calculate(limit="limit")
        .mark_rule(color=THRESHOLD, strokeDash=[3, 3], strokeWidth=1.5)
        .encode(y=alt.Y("limit:Q", scale=scale))
    )
    told = (
        alt.Chart(pd.concat(read, ignore_index=True))
        .transform_filter(here)
        .transform_filter("abs(datum.threshold - limit) < 0.005")
        .transform_fold(list(RULES), as_=["rule", "mdad"])
        .transform_filter(f"isValid(datum.mdad) && datum.mdad <= {WIDEST}")
        .transform_calculate(text="datum.rule + ': ' + datum.mdad")
        .transform_calculate(height=f"0.05 + 0.075 * indexof({list(RULES)}, datum.rule)")
    )
    color = alt.Color(
        "rule:N",
        legend=None,
        scale=alt.Scale(domain=list(RULES), range=[LOOK_OF_RULE[rule].color for rule in RULES]),
    )
    drops = told.mark_rule(strokeWidth=1.5).encode(
        x=alt.X("mdad:Q"), y=alt.Y("height:Q", scale=scale), y2="threshold:Q", color=color
    )
    # Words stand left of their line in the last third of the chart, and other lines pass behind.
    left = f"datum.mdad > {WIDEST} * 2 / 3"
    words = [
        told.mark_text(
            align=alt.ExprRef(f"{left} ? 'right' : 'left'"),
            dx=alt.ExprRef(f"{left} ? -4 : 4"),
            fontSize=12,
            **look,
        ).encode(x=alt.X("mdad:Q"), y=alt.Y("height:Q", scale=scale), text="text:N")
        for look in ({"stroke": PAPER, "strokeWidth": 5}, {"color": INK})
    ]
    description = (
        "Agreement against gap as dots with areas by pairs, the rising curve nearest to them, and "
        "a movable threshold; four vertical lines mark where the first, sustained, isotonic and "
        f"interpolated rules read the MDAD. Sizes {', '.join(f'{k:,}' for k in sizes)}; the first "
        f"{few} trials or all {n_trials}."
    )
    return (
        alt.LayerChart(
            layer=[line, dots, rising_line, drops, *words], description=description, height=340
        )
        .properties(width="container")
        .add_params(place, chosen_size, limit, chosen_set)
    )
