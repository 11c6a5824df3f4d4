"""How far each selector and estimator lies from the best of all; takes measured tables."""

from __future__ import annotations

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
LOOKED_FOR = (
    PROPOSED,
    ("close-pairs", "weighted-mean"),
    *((selector, "weighted-mean") for selector in ("anchor-points", "tinybenchmarks", "uniform")),
    ("uniform", "corrected-mean"),
)
ESTIMATOR_NAMES = {
    "weighted-mean": "weighted mean",
    "corrected-mean": "corrected mean",
    "ridge": "ridge",
    "p-irt": "p-IRT",
    "gp-irt": "gp-IRT",
}


def shortfalls(measured: pd.DataFrame) -> pd.DataFrame:
    """Each MDAD minus the smallest of all selectors and estimators on the same data at that size.

    Parameters
    ----------
    measured : DataFrame
        The measured table ``better-estimators``.

    Returns
    -------
    DataFrame
        Its rows, with the columns ``shortfall`` (points, 0 for the best; NaN where no gap reaches
        the threshold) and ``holds_best`` (whether its interval holds the smallest MDAD).
    """
    places = measured.groupby(PLACE, sort=False)
    best = places["mdad"].transform("min")
    # An interval that is open above holds all that lies above its lower end.
    holds = (measured["low"] <= best) & ~(measured["high"] < best)
    return measured.assign(
        shortfall=measured["mdad"] - best,
        holds_best=holds,
    )


def rank_by_shortfall(table: pd.DataFrame) -> pd.DataFrame:
    """One row for each selector with an estimator, the least mean shortfall first.

    Parameters
    ----------
    table : DataFrame
        From `shortfalls`.

    Returns
    -------
    DataFrame
        By selector and estimator: mean shortfall on the train and the held-out half and on both,
        the largest and where it is (``worst``, ``where``), and the shares (0–1) of places
        ``within`` one step of the best and whose interval ``holds`` it. An MDAD that is not reached
        counts as the largest of its place.
    """
    filled = table["shortfall"].fillna(table.groupby(PLACE)["shortfall"].transform("max"))
    told = table.assign(shortfall=filled)
    rows = {}
    for key, own in told.groupby(COMBINATION, sort=False):
        means = own.groupby("half")["shortfall"].mean()
        worst = own.loc[own["shortfall"].idxmax()]
        rows[key] = {
            "train": means.get("train", np.nan),
            "heldout": means.get("heldout", np.nan),
            "mean": own["shortfall"].mean(),
            "worst": worst["shortfall"],
            "where": f"{worst['dataset']}, {worst['size']:,}",
            "within": (own["shortfall"] <= STEP + 1e-9).mean(),
            "holds": own["holds_best"].mean(),
        }
    ranked = pd.DataFrame.from_dict(rows, orient="index")
    ranked.index = pd.MultiIndex.from_tuples(list(rows), names=COMBINATION)
    return ranked.sort_values("mean", kind="stable")


def shortfall_table(table: pd.DataFrame, n_best: int = 6) -> Styler:
    """The best by mean shortfall, and those that a reader looks for, whatever their rank.

    Parameters
    ----------
    table : DataFrame
        From `shortfalls`.
    n_best : int
    """
    ranked = rank_by_shortfall(table)
    wanted = [
        key for number, key in enumerate(ranked.index) if number < n_best or key in LOOKED_FOR
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
