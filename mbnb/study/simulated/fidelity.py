"""How near a simulated matrix comes to a real one, statistic by statistic; runs no trial."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from mbnb.data.responses import ResponseMatrix
from mbnb.methods.samples import draw_models
from mbnb.study.simulated.answer_statistics import SIZES, matrix_statistics, statistics_order


def fidelity(
    real: ResponseMatrix,
    simulated: ResponseMatrix,
    *,
    sizes: Sequence[int] = SIZES,
    singletons: bool = True,
    seed: int = 0,
) -> pd.DataFrame:
    """The statistics of a real and of a simulated matrix side by side.

    Both are cut to the same number of models, drawn by `draw_models`, since a nearest neighbour
    and a component's share depend on how many models there are.

    Parameters
    ----------
    real, simulated : ResponseMatrix
        Complete and binary.
    sizes : sequence of int
        For the MDAD of uniform sampling and Anchor Points' clusters of one item.
    singletons : bool
        Whether to fit Anchor Points, which takes seconds to minutes where items are many.
    seed : int
        Draws the models.

    Returns
    -------
    DataFrame
        Columns ``statistic`` and ``at`` (see `matrix_statistics`), ``real`` and ``simulated``; NaN
        where one of the two cannot tell.

    Raises
    ------
    InputError
        If a matrix is not complete, not binary or too small.
    """
    n_models = min(real.n_models, simulated.n_models)
    sides = {
        name: matrix_statistics(
            draw_models(matrix, n_models, seed), sizes=sizes, singletons=singletons
        )
        for name, matrix in (("real", real), ("simulated", simulated))
    }
    merged = sides["real"].merge(
        sides["simulated"],
        on=["statistic", "at"],
        how="outer",
        suffixes=("_real", "_simulated"),
        sort=False,
    )
    merged = merged.rename(columns={f"value_{name}": name for name in sides})
    order = {row: place for place, row in enumerate(statistics_order(sizes))}
    place = [order[row] for row in zip(merged["statistic"], merged["at"], strict=True)]
    return merged.iloc[np.argsort(place, kind="stable")].reset_index(drop=True)
