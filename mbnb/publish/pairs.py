"""Which pairs of a group could be told apart, to touch and for print; counts no trial itself."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

import altair as alt
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from mbnb.errors import InputError
from mbnb.publish.plots import WIDTH
from mbnb.publish.style import INK, PAPER, label
from mbnb.study.agreement import format_mdad

# A page carries every row of its charts.
MAX_PAIRS = 1500
MAX_CELLS = 40
# How often a pair is put in the right order: from best to worst, told from colours and words.
CLASSES = (
    (0.95, "95 % or more", "#08519c"),
    (0.8, "80 to 95 %", "#6baed6"),
    (0.5, "50 to 80 %", "#fdbe85"),
    (0.0, "below 50 %", "#d94701"),
)
EVERYBODY = "all models"


@dataclass(frozen=True, eq=False)
class _Triangle:
    """The pairs of a group by the places of their models, best first.

    Attributes
    ----------
    names : list of str
    above, below : ndarray of int, shape (n_pairs,)
        Places from 0 of the better and of the worse model.
    gaps : ndarray, shape (n_pairs,)
        In points.
    cells : list of (str, int)
        Selector and size.
    right, trials : ndarray of int, shape (n_pairs, n_cells)
        Trials in which the pair is rightly ordered, and trials in which it has an order.
    mdads : ndarray, shape (n_cells,)
        In points; NaN where not reached.
    """

    names: list[str]
    above: np.ndarray
    below: np.ndarray
    gaps: np.ndarray
    cells: list[tuple[str, int]]
    right: np.ndarray
    trials: np.ndarray
    mdads: np.ndarray

    def agreement(self, cell: int) -> np.ndarray:
        """In what share of the trials (0–1), NaN for a pair without trials."""
        trials = self.trials[:, cell]
        return np.where(trials > 0, self.right[:, cell] / np.maximum(trials, 1), np.nan)

    def told(self, cell: int, threshold: float) -> np.ndarray:
        """Pairs that are rightly ordered at least as often as the threshold asks."""
        return self.agreement(cell) >= threshold - 1e-9

    def apart(self, cell: int) -> np.ndarray:
        """Pairs whose gap is above the MDAD; none where it is not reached."""
        return self.gaps > self.mdads[cell] + 1e-9


def _triangle(pairs: pd.DataFrame, accuracies: pd.Series, mdads: pd.DataFrame) -> _Triangle:
    ordered = accuracies.copy()
    ordered.index = ordered.index.astype(str)
    # By id where accuracies are equal but for rounding.
    ordered = ordered.round(9).sort_index().sort_values(ascending=False, kind="stable")
    place = {name: number for number, name in enumerate(ordered.index)}
    unknown = sorted({*map(str, pairs["first"]), *map(str, pairs["second"])} - set(place))
    if unknown:
        raise InputError(f"'{unknown[0]}' has no accuracy; allowed are pairs of models that have.")
    selectors = list(dict.fromkeys(map(str, pairs["selector"])))
    sizes = sorted(int(size) for size in pairs["size"].unique())
    cells = [(selector, size) for selector in selectors for size in sizes]
    n = len(ordered)
    above, below = np.triu_indices(n, 1)
    number = np.zeros((n, n), dtype=np.int64)
    number[above, below] = number[below, above] = np.arange(above.size)
    right = np.zeros((above.size, len(cells)), dtype=np.int64)
    trials = np.zeros_like(right)
    rows = number[
        pairs["first"].astype(str).map(place).to_numpy(),
        pairs["second"].astype(str).map(place).to_numpy(),
    ]
    places = {cell: column for column, cell in enumerate(cells)}
    columns = [
        places[str(selector), int(size)]
        for selector, size in zip(pairs["selector"], pairs["size"], strict=True)
    ]
    trials[rows, columns] = pairs["n_trials"]
    right[rows, columns] = np.rint(pairs["agreement"] * pairs["n_trials"])
    values = {(str(row["selector"]), int(row["size"])): row["mdad"] for _, row in mdads.iterrows()}
    return _Triangle(
        names=list(ordered.index),
        above=above,
        below=below,
        gaps=np.round(ordered.to_numpy()[above] - ordered.to_numpy()[below], 9),
        cells=cells,
        right=right,
        trials=trials,
        mdads=np.array([values.get(cell, np.nan) for cell in cells], dtype=float),
    )


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
    group = _triangle(pairs, accuracies, mdads)
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


def _rows(group: _Triangle) -> pd.DataFrame:
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


def _words(group: _Triangle, threshold: float) -> dict[str, str]:
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


def draw_pairs(
    pairs: pd.DataFrame,
    accuracies: pd.Series,
    mdads: pd.DataFrame,
    *,
    selectors: Sequence[str],
    sizes: Sequence[int],
    threshold: float = 0.8,
) -> Figure:
    """What `explore_pairs` shows, held still: a row of triangles for each selector, by size.

    Parameters
    ----------
    pairs, accuracies, mdads, threshold
        See `explore_pairs`.
    selectors, sizes : sequence
        Those drawn.
    """
    group = _triangle(pairs, accuracies, mdads)
    figure, grid = plt.subplots(
        len(selectors),
        len(sizes),
        figsize=(WIDTH, 0.9 + len(selectors) * (0.35 + 0.9 * WIDTH / len(sizes))),
        sharex=True,
        sharey=True,
        squeeze=False,
        layout="constrained",
    )
    n = len(group.names)
    for axes, (selector, size) in zip(
        grid.flat, [(name, size) for name in selectors for size in sizes], strict=True
    ):
        cell = group.cells.index((selector, size))
        shares, picture = group.agreement(cell), np.full((n, n), np.nan)
        levels = [share >= np.array([least for least, *_ in CLASSES]) - 1e-9 for share in shares]
        picture[group.above, group.below] = [
            np.nan if np.isnan(share) else level.argmax()
            for share, level in zip(shares, levels, strict=True)
        ]
        colors = ListedColormap([color for *_, color in CLASSES])
        axes.imshow(
            picture, cmap=colors, vmin=-0.5, vmax=len(CLASSES) - 0.5, interpolation="nearest"
        )
        met = int((group.trials[:, cell] > 0).sum())
        told = int(group.told(cell, threshold).sum())
        axes.text(
            0.0,
            0.04,
            f"{100 * told / max(met, 1):.0f} %",
            transform=axes.transAxes,
            fontsize=11,
            fontweight="bold",
        )
        axes.set_title(f"{size:,} items", fontsize=10)
        if axes in grid[:, 0]:
            axes.set_ylabel(label(selector), fontsize=10)
        axes.set(xticks=[], yticks=[])
        axes.spines[:].set_visible(False)
    handles = [Patch(color=color, label=text) for _, text, color in CLASSES]
    figure.legend(
        handles=handles,
        loc="outside lower center",
        ncols=2,
        fontsize=10,
        title="Right in … of the trials",
        title_fontsize=10,
    )
    plt.close(figure)  # a page shows what is returned, and would show an open figure again
    return figure
