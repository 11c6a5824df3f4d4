"""Two models that the plain mean of a few items cannot tell apart; judges no estimator."""

from __future__ import annotations

import numpy as np
import pandas as pd

from mbnb.data.errors import InputError
from mbnb.data.responses import ResponseMatrix
from mbnb.study.reasons.covariance import item_coefficients


def tied_example(
    sources: ResponseMatrix, targets: ResponseMatrix, size: int, seed: int = 0
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Of the target models with equal right answers on some random items, the widest apart.

    Parameters
    ----------
    sources, targets : ResponseMatrix
        Models × the same items, complete.
    size, seed : int
        As in `item_coefficients`, whose items are asked.

    Returns
    -------
    items : DataFrame
        From `item_coefficients`, with a column for each of the two models, the better one first:
        its answers. Without those columns where no two models tie.
    models : DataFrame
        A row for each of the two: ``mean`` and ``learnt`` (`corrected-mean`) of the items, and
        ``score`` over all items, all 0–1; empty where no two models tie.

    Raises
    ------
    InputError
        If the two matrices have different items.
    """
    if not np.array_equal(sources.items.index, targets.items.index):
        raise InputError("sources and targets have different items; give both on the same half.")
    items = item_coefficients(sources, size, seed)
    places = targets.items.index.astype(str).get_indexer(items["item"])
    answers = targets.scores[:, places].astype(np.float64)
    # The rule's constant moves all models alike; it is fixed by the sources' means.
    at_mean = sources.accuracies().mean() - sources.scores[:, places].mean(axis=0) @ (
        items["corrected-mean"].to_numpy() / size
    )
    models = pd.DataFrame(
        {
            "mean": answers.mean(axis=1),
            "learnt": at_mean + answers @ (items["corrected-mean"].to_numpy() / size),
            "score": targets.accuracies(),
        },
        index=targets.model_ids.astype(str),
    )
    widest = models.groupby(models["mean"].round(9))["score"].agg(np.ptp)
    if not widest.max() > 0:
        return items, models.iloc[:0]
    own = models[models["mean"].round(9) == widest.idxmax()]
    pair = own.loc[[own["score"].idxmax(), own["score"].idxmin()]]
    rows = models.index.get_indexer(pair.index)
    return items.assign(
        **{name: answers[row] for name, row in zip(pair.index, rows, strict=True)}
    ), pair
