"""How a model's answers go with how easy the items are for all others; judges no selector."""

from __future__ import annotations

import numpy as np
import pandas as pd

from mbnb.data.errors import InputError
from mbnb.data.responses import ResponseMatrix
from mbnb.frozen.relatedness import relatedness


def item_fit(matrix: ResponseMatrix) -> pd.Series:
    """Correlation, over items, of each model's scores with the mean scores of all other models.

    Answers that belong to other questions have a correlation of about 0, however good the model.

    Parameters
    ----------
    matrix : ResponseMatrix
        Complete, of at least two models and two items.

    Returns
    -------
    Series
        By model id; NaN for a model with the same score on every item.

    Raises
    ------
    InputError
        If answers are missing, or there are fewer than two models or items.
    """
    matrix.require_complete()
    if matrix.n_models < 2 or matrix.n_items < 2:
        raise InputError(
            f"{matrix.name} has {matrix.n_models} models and {matrix.n_items} items; at least two "
            "of each are needed."
        )
    total = matrix.scores.sum(axis=0, dtype=np.float64)
    fit = np.empty(matrix.n_models)
    for position, row in enumerate(matrix.scores):
        own = row.astype(np.float64)[None, :]
        fit[position] = relatedness(own, (total - own) / (matrix.n_models - 1))[0]
    index = pd.Index(matrix.model_ids.astype(str), name="model")
    return pd.Series(fit / np.sqrt(matrix.n_items - 1), index=index, name="fit")
