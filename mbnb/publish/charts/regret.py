"""How far each selector and estimator lies from the best of all; takes measured tables."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from pandas.io.formats.style import Styler

from mbnb.publish.charts.style import label
from mbnb.publish.charts.tables import NOTHING, percent, show

# Steps of an MDAD, in points; two MDADs within one are as good as the same.
STEP = 0.5
COMBINATION = ["selector", "estimator"]
PLACE = ["dataset", "half", "size"]
PROPOSED = ("close-pairs", "corrected-mean")
ESTIMATOR_NAMES = {
    "weighted-mean": "weighted mean",
    "corrected-mean": "corrected mean",
    "ridge": "ridge",
    "p-irt": "p-IRT",
    "gp-irt": "gp-IRT",
}


def regrets(measured: pd.DataFrame) -> pd.DataFrame:
    """Each MDAD minus the smallest of all selectors and estimators on the same data at that size.

    Parameters
    ----------
    measured : DataFrame
        The measured table ``better-estimators``.

    Returns
    -------
    DataFrame
        Its rows, with the columns ``regret`` (points, 0 for the best; NaN where no gap reaches the
        threshold), ``close_regret`` (by how much less often than the best it orders pairs of up to
        five points right, 0–1) and ``holds_best`` (whether its interval holds the smallest MDAD).
    """
    places = measured.groupby(PLACE, sort=False)
    best = places["mdad"].transform("min")
    # An interval that is open above holds all that lies above its lower end.
    holds = (measured["low"] <= best) & ~(measured["high"] < best)
    return measured.assign(
        regret=measured["mdad"] - best,
        close_regret=places["close"].transform("max") - measured["close"],
        holds_best=holds,
    )


def rank_by_regret(table: pd.DataFrame) -> pd.DataFrame:
    """One row for each selector with an estimator, the least mean regret first.

    Parameters
    ----------
    table : DataFrame
        From `regrets`.

    Returns
    -------
    DataFrame
        By selector and estimator: mean regret on the train and the held-out half, the largest and
        where it is (``worst``, ``where``), the shares (0–1) of places ``within`` one step of the
        best and whose interval ``holds`` it, the mean ``close_regret``, and how many places there
        are (``n``). An MDAD that is not reached counts as the largest of its place.
    """
    filled = table["regret"].fillna(table.groupby(PLACE)["regret"].transform("max"))
    told = table.assign(regret=filled)
    rows = {}
    for key, own in told.groupby(COMBINATION, sort=False):
        means = own.groupby("half")["regret"].mean()
        worst = own.loc[own["regret"].idxmax()]
        rows[key] = {
            "train": means.get("train", np.nan),
            "heldout": means.get("heldout", np.nan),
            "mean": own["regret"].mean(),
            "worst": worst["regret"],
            "where": f"{worst['dataset']}, {worst['size']:,}",
            "within": (own["regret"] <= STEP + 1e-9).mean(),
            "holds": own["holds_best"].mean(),
            "close_regret": own["close_regret"].mean(),
            "n": len(own),
        }
    ranked = pd.DataFrame.from_dict(rows, orient="index")
    ranked.index = pd.MultiIndex.from_tuples(list(rows), names=COMBINATION)
    return ranked.sort_values("mean", kind="stable")


def regret_table(ranked: pd.DataFrame, shown: Sequence[tuple[str, str]], n_best: int = 6) -> Styler:
    """The best by regret, and those that are asked for.

    Parameters
    ----------
    ranked : DataFrame
        From `rank_by_regret`.
    shown : sequence of (str, str)
        Selectors with estimators that are shown whatever their rank.
    n_best : int
    """
    wanted = [
        key for number, key in enumerate(ranked.index) if number < n_best or key in set(shown)
    ]
    rows = {
        combination_name(*key): {
            "train": f"{own['train']:.2f}",
            "held-out": NOTHING if np.isnan(own["heldout"]) else f"{own['heldout']:.2f}",
            "largest": f"{own['worst']:g}",
            "at": own["where"],
            "≤ half a point": percent(own["within"]),
            "interval holds the best": percent(own["holds"]),
        }
        for key, own in ((key, ranked.loc[key]) for key in wanted)
    }
    return show(pd.DataFrame.from_dict(rows, orient="index"))


def combination_name(selector: str, estimator: str) -> str:
    """What charts and tables call a selector with an estimator."""
    return f"{label(selector)}, {ESTIMATOR_NAMES.get(estimator, estimator)}"
