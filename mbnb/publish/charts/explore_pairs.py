"""Which pairs of a group could be told apart, as a chart to touch; counts no trial itself."""

from __future__ import annotations

import json

import altair as alt
import numpy as np
import pandas as pd

from mbnb.data.errors import InputError
from mbnb.judge.agreement import format_mdad
from mbnb.publish.charts.pairs import CLASSES, Triangle, triangle_of
from mbnb.publish.charts.style import INK, PAPER, label

# A page carries every row of its charts.
MAX_PAIRS = 1500
MAX_CELLS = 40
EVERYBODY = "all models"


def explore_pairs(
    pairs: pd.DataFrame,
    accuracies: pd.Series,
    mdads: pd.DataFrame,
    *,
    threshold: float = 0.8,
) -> alt.LayerChart:
    """Every pair of a group of models as a cell: how often it is put in the right order.

    The size and the selector are chosen by inputs, and so is a model whose pairs alone are to be
    seen; lines above count the pairs that are told apart.

    Parameters
    ----------
    pairs : DataFrame
        From `pair_agreement`, one estimator for each selector.
    accuracies : Series
        In points, by model id: they give the places on both axes and the gaps.
    mdads : DataFrame
        From `mdad`, of the same cells: a dot marks a pair whose gap is above.
    threshold : float

    Raises
    ------
    InputError
        If there are more than 1,500 pairs or 40 selectors and sizes, or a model has no accuracy.
    """
    group = triangle_of(pairs, accuracies, mdads)
    n, n_pairs = len(group.names), len(group.gaps)
    if n_pairs > MAX_PAIRS or len(group.cells) > MAX_CELLS:
        raise InputError(
            f"a chart of {n} models has {n_pairs:,} pairs, here for {len(group.cells)} selectors "
            f"and sizes; at most {MAX_PAIRS:,} and {MAX_CELLS} are allowed, so give fewer."
        )
    sizes = list(dict.fromkeys(size for _, size in group.cells))
    selectors = [label(name) for name in dict.fromkeys(name for name, _ in group.cells)]
    words = _words(group, threshold)
    inputs = _inputs(group.names, sizes, selectors)
    said = alt.param(
        "said",
        expr=f"[head, {words['all']}[cell][0], {words['all']}[cell][1], "
        f"model ? 'Rank ' + model + ' alone: ' + {words['own']}[cell][model - 1] : ' ']",
    )
    keys = json.dumps([_key(cell) for cell in group.cells])
    names = pd.DataFrame({"place": range(1, n + 1), "name": group.names})
    by_place = alt.LookupData(data=names, key="place", fields=["name"])
    word = "'" + CLASSES[-1][1] + "'"
    for least, text, _ in reversed(CLASSES[:-1]):
        word = f"datum.agreement >= {least} - 1e-9 ? '{text}' : ({word})"
    base = (
        alt.Chart(_rows(group))
        .transform_calculate(right=f"datum[{keys}[cell]]")
        .transform_filter("isValid(datum.right)")
        .transform_calculate(agreement="datum.right / datum.trials")
        .transform_calculate(often=word, said="datum.right + ' of ' + datum.trials + ' trials'")
        .transform_lookup(lookup="row", from_=by_place, as_=["better"])
        .transform_lookup(lookup="column", from_=by_place, as_=["worse"])
        .encode(
            x=alt.X("column:O", title="Rank of the worse model", axis=_rank_axis(n)),
            y=alt.Y("row:O", title="Rank of the better model", axis=_rank_axis(n)),
            opacity=alt.condition(
                "!model || datum.row == model || datum.column == model",
                alt.value(1),
                alt.value(0.12),
            ),
            tooltip=[
                alt.Tooltip("better:N", title="Better"),
                alt.Tooltip("worse:N", title="Worse"),
                alt.Tooltip("gap:Q", title="Gap (points)", format=".2f"),
                alt.Tooltip("said:N", title="Right in"),
            ],
        )
    )
    cells = base.mark_rect(stroke=PAPER, strokeWidth=0.6).encode(
        color=alt.Color(
            "often:N",
            title="Right in … of the trials",
            sort=None,
            scale=alt.Scale(domain=[c[1] for c in CLASSES], range=[c[2] for c in CLASSES]),
            legend=alt.Legend(orient="bottom", columns=2, titleLimit=300),
        )
    )
    # “Not reached” is null, and nothing is above that.
    gaps = json.dumps([None if np.isnan(gap) else float(gap) for gap in group.mdads])
    dots = base.transform_filter(
        f"isValid({gaps}[cell]) && datum.gap > {gaps}[cell] + 1e-9"
    ).mark_circle(size=15, fill=PAPER, stroke=INK, strokeWidth=0.7, opacity=1)
    description = (
        f"A triangle of {n} models against each other, ordered by rank; the colour of a cell says "
        f"in what share of the trials the pair is put in the right order, at the size "
        f"({', '.join(f'{k:,}' for k in sizes)}) and by the selector ({', '.join(selectors)}) that "
        "you choose, and a dot marks the pairs whose gap is above the MDAD."
    )
    title = alt.TitleParams(
        text=alt.ExprRef("said"), fontSize=13, fontWeight="normal", lineHeight=18
    )
    chart = alt.LayerChart(layer=[cells, dots], title=title, description=description, height=380)
    return chart.properties(width="container").add_params(*inputs, said)


def _inputs(names: list[str], sizes: list[int], selectors: list[str]) -> list[alt.Parameter]:
    """What a reader chooses, and what follows from it: the cell, and the words above the chart."""
    size = alt.binding_radio(
        options=sizes, labels=[f"{size:,}" for size in sizes], name="Size (items chosen): "
    )
    selector = alt.binding_select(options=selectors, name="Selector: ")
    labels = [EVERYBODY, *(f"{place}  {name}" for place, name in enumerate(names, 1))]
    model = alt.binding_select(options=list(range(len(labels))), labels=labels, name="Pairs of: ")
    place = f"indexof({json.dumps(selectors)}, selector) * {len(sizes)}"
    return [
        alt.param("size", value=sizes[0], bind=size),
        alt.param("selector", value=selectors[0], bind=selector),
        alt.param("model", value=0, bind=model),
        alt.param("cell", expr=f"{place} + indexof({sizes}, +size)"),
        alt.param("head", expr="selector + ', ' + format(size, ',') + ' items'"),
    ]


def _rank_axis(n_models: int) -> alt.Axis:
    ticks = [1, *range(5, n_models + 1, 5)]
    return alt.Axis(values=ticks, labelAngle=0, domain=False, ticks=False)


def _key(cell: tuple[str, int]) -> str:
    """The column of a selector and a size."""
    return f"{cell[0]} {cell[1]}"


def _rows(group: Triangle) -> pd.DataFrame:
    """A row for each pair; for each selector and size a column of the trials that are right."""
    met = group.trials > 0
    right = pd.DataFrame(group.right, columns=[_key(cell) for cell in group.cells], dtype="Int64")
    table = pd.DataFrame(
        {
            "row": group.above + 1,
            "column": group.below + 1,
            "gap": group.gaps.round(3),
            "trials": group.trials.max(axis=1),
        }
    )
    return pd.concat([table, right.where(met)], axis=1)


def _words(group: Triangle, threshold: float) -> dict[str, str]:
    """For each cell two lines about all pairs, and the count of each model's own, as JSON."""
    asked = f"right in ≥ {100 * threshold:g} % of trials"
    of_all, of_own = [], []
    for cell in range(len(group.cells)):
        met, told = group.trials[:, cell] > 0, group.told(cell, threshold)
        apart = met & group.apart(cell)
        value = format_mdad(group.mdads[cell])
        of_all.append(
            [
                f"{_share(told, met)} pairs {asked}",
                f"○ {_share(apart, met)} pairs: gap above MDAD ({value})",
            ]
        )
        own = [(group.above == model) | (group.below == model) for model in range(len(group.names))]
        of_own.append([_share(told & mine, met & mine) for mine in own])
    return {"all": json.dumps(of_all), "own": json.dumps(of_own)}


def _share(some: np.ndarray, of: np.ndarray) -> str:
    """“12 of 496 (2 %)”."""
    n, total = int(some.sum()), int(of.sum())
    if not n:
        return f"none of {total}"
    return f"{n} of {total} ({'< 1' if n < 0.005 * total else f'{100 * n / total:.0f}'} %)"
