"""Which pairs of a group could be told apart, for print; counts no trial itself."""

from __future__ import annotations

from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from mbnb.publish.charts.pairs import CLASSES, triangle_of
from mbnb.publish.charts.plots import WIDTH
from mbnb.publish.charts.style import label


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
    group = triangle_of(pairs, accuracies, mdads)
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
