"""The planner: a chart to touch that gives the size for a gap; takes a finished table of sizes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from mbnb.data.errors import InputError
from mbnb.publish.charts.style import INK, THRESHOLD, TINTS

ENDLESS = "endless"
RULES = {"wrong": "worth nothing", "half": "worth a half"}


def explore_plan(
    table: pd.DataFrame,
    *,
    gap: float = 2,
    rate: float = 0.25,
    agreement: float = 0.8,
    items: int | None = None,
    height: int = 340,
) -> alt.LayerChart:
    """The items that uniform sampling needs against the gap, with everything else on sliders.

    The sliders move over the values of the table alone, so that what the chart says is what `plan`
    says, to the item.

    Parameters
    ----------
    table : DataFrame
        From `plan_table`.
    gap, rate, agreement, items
        Shown first: the value of the table that is nearest; ``items`` None is the largest.
    height : int
        Of the plot, in pixels.
    """
    lacking = [name for name in ("gap", "rate", "agreement", "items", "ties") if name not in table]
    if lacking or table.empty:
        raise InputError(
            "the planner needs a table of plan_table with at least one row"
            + (f"; it lacks the column {lacking[0]}." if lacking else ".")
        )
    gaps, rates, agreements = (
        sorted(float(v) for v in table[name].unique()) for name in ("gap", "rate", "agreement")
    )
    # An endless benchmark, kept as 0, is the largest.
    of_items = sorted((int(v) for v in table["items"].unique()), key=lambda n: n or np.inf)
    rules = [rule for rule in RULES if rule in set(table["ties"])]
    params = [
        *_slider("gap", "Gap (points)", gaps, gap, "{:g}".format),
        *_slider("rate", "Items on which they differ", rates, rate, lambda r: f"{100 * r:g} %"),
        *_slider("agreement", "Agreement", agreements, agreement, "{:g}".format),
        *_slider(
            "items",
            "Items of the benchmark",
            of_items,
            of_items[-1] if items is None else items,
            lambda n: f"{n:,}" if n else ENDLESS,
        ),
    ]
    radio = alt.binding_radio(
        options=rules, labels=[RULES[rule] for rule in rules], name="A tie is: "
    )
    params.append(
        alt.param("ties", value=rules[0], bind=radio if len(rules) > 1 else alt.Undefined)
    )
    wide = table.pivot(
        index=["rate", "agreement", "items", "ties"], columns="gap", values="size"
    ).reset_index()
    # A column for each gap, unpacked in the browser: a fifth of what a row for each takes.
    fields = [f"g{place}" for place in range(len(gaps))]
    wide.columns = pd.Index(["r", "a", "n", "t", *fields])
    values = [
        {name: int(v) if name in fields else v for name, v in row.items() if not pd.isna(v)}
        for row in wide.to_dict("records")
    ]
    base = (
        alt.Chart()
        .transform_filter(
            "datum.r == rate && datum.a == agreement && datum.n == items && datum.t == ties"
        )
        .transform_fold([*fields], as_=["key", "size"])
        .transform_filter("datum.size > 0")
        .transform_calculate(gap=f"{gaps}[toNumber(slice(datum.key, 1))]")
    )
    own = base.transform_filter("datum.gap == gap")
    highest = float(max(table["size"].max(), table["items"].max()))
    x = alt.X(
        "gap:Q",
        title="Gap (points)",
        scale=alt.Scale(type="log", domain=[gaps[0] / 1.15, gaps[-1] * 1.15], nice=False),
        axis=alt.Axis(values=gaps, format="~g", grid=False),
    )
    y = alt.Y(
        "size:Q",
        title="Items needed, drawn at random",
        scale=alt.Scale(type="log", domain=[1, 2 * highest], nice=False),
        axis=alt.Axis(values=[10**power for power in range(7)], format=",d"),
    )
    line = base.mark_line(strokeWidth=2.5, color=TINTS[0]).encode(x=x, y=y, order="gap:Q")
    dots = base.mark_point(size=45, filled=True, opacity=1, color=TINTS[0]).encode(
        x=x,
        y=y,
        tooltip=[
            alt.Tooltip("gap:Q", title="Gap (points)"),
            alt.Tooltip("size:Q", title="Items needed", format=",d"),
        ],
    )
    ring = own.mark_point(size=190, strokeWidth=2.5, color=THRESHOLD, filled=False).encode(x=x, y=y)
    told = own.mark_text(
        align="left", dx=12, dy=-12, fontSize=16, fontWeight="bold", color=THRESHOLD
    ).encode(x=x, y=y, text=alt.Text("told:N"))
    told = told.transform_calculate(told="format(datum.size, ',d') + ' items'")
    one = alt.Chart(alt.Data(values=[{}]))
    whole = one.transform_calculate(size="items", text="'all ' + format(items, ',d') + ' items'")
    whole = whole.transform_filter("items > 0")
    level = whole.mark_rule(color=INK, strokeDash=[4, 3]).encode(y=y)
    named = whole.mark_text(align="right", dx=-4, dy=-7, color=INK, fontSize=11).encode(
        x=alt.value("width"), y=y, text="text:N"
    )
    refused = (
        one.transform_filter("gap > 100 * rate + 1e-9")
        .transform_calculate(
            text="'Two models ' + gap + ' points apart differ on at least ' + gap + ' %'"
        )
        .mark_text(align="left", dx=8, dy=14, color=THRESHOLD, fontSize=12)
        .encode(x=alt.value(0), y=alt.value(0), text="text:N")
    )
    description = (
        "Items needed against the gap, both on logarithmic axes, for the disagreement rate, the "
        "agreement, the number of items and the rule for ties that you choose; the size for the "
        "gap that you choose is ringed and told in words. The line falls steeply: half the gap "
        "takes about four times the items, until the benchmark is used up."
    )
    return (
        alt.LayerChart(
            data=alt.Data(values=values),
            layer=[level, named, line, dots, ring, told, refused],
            description=description,
            height=height,
        )
        .properties(width="container")
        .add_params(*params)
    )


def _slider(
    name: str, title: str, values: Sequence[Any], first: float, text: Callable[[Any], str]
) -> list[alt.Parameter]:
    """A slider over places, and the value at its place; one value alone needs no slider."""
    # The endless benchmark, 0, is nearest to itself alone.
    near = [
        0.0 if v == first else abs(np.log(v / first)) if v and first else np.inf for v in values
    ]
    place = int(np.argmin(near))
    listing = " · ".join(map(text, values))
    slider = alt.binding_range(min=1, max=len(values), step=1, name=f"{title} ({listing}): ")
    bound = slider if len(values) > 1 else alt.Undefined
    at = alt.param(f"{name}_place", value=place + 1, bind=bound)
    return [at, alt.param(name, expr=f"{list(values)}[{name}_place - 1]")]
