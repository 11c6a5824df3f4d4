"""Tables and names on edges that fade with the distance of the sources; measures nothing."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
from pandas.io.formats.style import Styler

from mbnb.data.datasets import SIMULATED
from mbnb.data.figures import measured
from mbnb.publish.charts.style import label
from mbnb.publish.charts.tables import NOTHING, show

ORDERS = ("accuracy", "date")
# What running text and charts call the lots of sources.
LOT_NAMES = {
    "beside": "beside",
    "near": "near",
    "mixed": "mixed",
    "far": "far",
    "refreshed": "refreshed",
    "own": "own families",
    "few": "few others",
    "many": "many others",
}
ESTIMATOR_NAMES = {
    "weighted-mean": "",
    "confidence-mean": "",
    "ridge": "ridge",
    "corrected-mean": "corrected mean",
    "p-irt": "p-IRT",
    "gp-irt": "gp-IRT",
}
MEASURES = {
    "edge": "Edge over plain uniform sampling in MDAD, in points",
    "close_edge": "Edge over plain uniform sampling in the agreement of pairs up to 5 points, in "
    "percentage points",
}


def recipe_name(selector: str, estimator: str) -> str:
    """A selector with its estimator, as charts call the two: “Uniform random, ridge”."""
    said = ESTIMATOR_NAMES.get(estimator, estimator)
    # Close pairs has its estimator by design.
    if not said or (selector, estimator) == ("close-pairs", "corrected-mean"):
        return label(selector)
    return f"{label(selector)}, {said}"


def recipes_of(table: pd.DataFrame) -> list[tuple[str, str]]:
    """The selectors with their estimators in a table of edges, plain uniform sampling left out."""
    pairs = zip(table["selector"].astype(str), table["estimator"].astype(str), strict=True)
    return [pair for pair in dict.fromkeys(pairs) if pair != ("uniform", "weighted-mean")]


def edges_table(table: pd.DataFrame, size: int, measure: str = "close_edge") -> Styler:
    """Edges by recipe and lot at one size, with 95 % intervals.

    Parameters
    ----------
    table : DataFrame
        From `edges`.
    size : int
    measure : {"close_edge", "edge"}
    """
    own = table[table["size"] == size]
    rows: dict[str, dict[str, str]] = {}
    for selector, estimator in recipes_of(own):
        cells = own[(own["selector"] == selector) & (own["estimator"] == estimator)]
        rows[recipe_name(selector, estimator)] = {
            LOT_NAMES[str(row["lot"])]: _cell(row, measure) for _, row in cells.iterrows()
        }
    columns = [LOT_NAMES[lot] for lot in dict.fromkeys(own["lot"].astype(str))]
    frame = pd.DataFrame.from_dict(rows, orient="index").reindex(columns=columns).fillna(NOTHING)
    return show(frame).set_caption(f"{MEASURES[measure]}, at {size:,} items; intervals beneath.")


def _cell(row: pd.Series, measure: str) -> str:
    if np.isnan(row[measure]):
        return NOTHING
    text = _signed(row[measure])
    low, high = row[f"{measure}_low"], row[f"{measure}_high"]
    if np.isnan(low) and np.isnan(high):
        return text
    ends = ", ".join("open" if np.isnan(end) else _signed(end) for end in (low, high))
    return f'{text}<br><span class="mbnb-interval">[{ends}]</span>'


def _signed(value: float) -> str:
    rounded = round(float(value), 1)
    return f"{rounded:+.1f}".replace("-", "−") if rounded else "0.0"


def edges_elsewhere(order: str = "accuracy", half: str = "train") -> pd.DataFrame:
    """What ``measured("better-fading")`` holds of real leaderboards, as `edges` gives it.

    Parameters
    ----------
    order : {"accuracy", "date"}
        By which sources are further from the targets.
    half : {"train", "heldout"}

    Returns
    -------
    DataFrame
        The columns of `edges` with ``dataset`` and ``distance`` (points); no row where nothing was
        measured.
    """
    table = measured("better-fading")
    chosen = (table["order"] == order) & (table["half"] == half)
    return table[chosen & ~table["dataset"].str.startswith(SIMULATED)].reset_index(drop=True)


def surviving_table(table: pd.DataFrame, size: int, *, margin: float = 1.0) -> Styler:
    """In how many leaderboards each recipe is surely ahead, and surely behind, lot by lot.

    Parameters
    ----------
    table : DataFrame
        From `edges_elsewhere`.
    size : int
    margin : float
        Percentage points of close agreement that an edge must surely exceed to count.
    """
    own = table[(table["size"] == size) & table["close_edge"].notna()]
    rows: dict[str, dict[str, str]] = {}
    for selector, estimator in recipes_of(own):
        recipe = own[(own["selector"] == selector) & (own["estimator"] == estimator)]
        found = rows.setdefault(recipe_name(selector, estimator), {})
        for lot, cells in recipe.groupby("lot", sort=False):
            ahead = int((cells["close_edge_low"] > margin).sum())
            behind = int((cells["close_edge_high"] < -margin).sum())
            found[LOT_NAMES[str(lot)]] = f"{ahead} : {behind}"
    columns = [LOT_NAMES[lot] for lot in dict.fromkeys(own["lot"].astype(str))]
    frame = pd.DataFrame.from_dict(rows, orient="index").reindex(columns=columns).fillna(NOTHING)
    n_boards = own["dataset"].nunique()
    return show(frame).set_caption(
        f"Of {n_boards} leaderboards, those with the recipe surely ahead : surely behind plain "
        f"uniform sampling by more than {margin:g} point in close agreement, at {size:,} items."
    )


def distance_labels(distances: Mapping[str, float]) -> dict[str, str]:
    """What an axis calls each lot: its name, and its distance from the targets in points."""
    return {
        lot: f"{LOT_NAMES[lot]}\n({abs(value) if round(value) == 0 else value:.0f})"
        for lot, value in distances.items()
    }


def families_elsewhere(half: str = "train") -> pd.DataFrame:
    """Edges on real leaderboards with families mixed and kept apart, of ``better-families``.

    Parameters
    ----------
    half : {"train", "heldout"}

    Returns
    -------
    DataFrame
        A row for each leaderboard, recipe and size that was measured both ways: dataset, selector,
        estimator, size, and the edge of close pairs over plain uniform sampling of the same targets
        in percentage points, ``mixed`` and ``apart``.
    """
    table = measured("better-families")
    table = table[(table["half"] == half) & ~table["dataset"].str.startswith(SIMULATED)]
    where = ["dataset", "families", "size"]
    plain = (table["selector"] == "uniform") & (table["estimator"] == "weighted-mean")
    base = table.loc[plain, [*where, "close"]].rename(columns={"close": "base"})
    own = table[~plain].merge(base, on=where, validate="many_to_one")
    own["kind"] = np.where(own["families"].astype(bool), "apart", "mixed")
    own["value"] = 100 * (own["close"] - own["base"])
    names = ["dataset", "selector", "estimator", "size"]
    wide = own.pivot(index=names, columns="kind", values="value")
    return wide.reindex(columns=["mixed", "apart"]).dropna().reset_index()
