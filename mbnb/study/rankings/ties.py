"""Which models of a ranking are tied, on all items or as far as an MDAD sees; runs no trial."""

from __future__ import annotations

import numpy as np
import pandas as pd

from mbnb.data.responses import ResponseMatrix


def rank_models(matrix: ResponseMatrix) -> pd.DataFrame:
    """Models from best to worst, equal accuracies with an equal rank.

    Returns
    -------
    DataFrame
        Columns ``model``, ``accuracy`` (points), ``rank`` (1 is best), ``shared`` (bool), in the
        order of accuracy and, where equal, of the ids.
    """
    table = pd.DataFrame(
        {
            "model": matrix.model_ids.astype(str),
            "accuracy": np.round(100 * matrix.accuracies(), 9),
        }
    )
    table = table.sort_values(["accuracy", "model"], ascending=[False, True], kind="stable")
    rank = table["accuracy"].rank(ascending=False, method="min").astype(int)
    return table.assign(rank=rank, shared=rank.duplicated(keep=False)).reset_index(drop=True)


def tie_ranges(ranking: pd.DataFrame, mdad: float) -> pd.DataFrame:
    """The ranking with ``first`` and ``last``: the best and the worst rank less than an MDAD away.

    Parameters
    ----------
    ranking : DataFrame
        From `rank_models`.
    mdad : float
        In points; where it is NaN, nothing is far enough apart.
    """
    widest = np.inf if np.isnan(mdad) else mdad - 1e-9
    rising = ranking["accuracy"].to_numpy()[::-1]
    accuracy, ranks = ranking["accuracy"].to_numpy(), ranking["rank"].to_numpy()
    # A model is never told from itself, even where the MDAD is 0.
    above = np.searchsorted(rising, accuracy + max(widest, 0), side="right") - 1
    below = np.searchsorted(rising, accuracy - max(widest, 0), side="left")
    n = len(ranking)
    return ranking.assign(first=ranks[n - 1 - above], last=ranks[n - 1 - below])
