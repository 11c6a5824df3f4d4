"""Tables and sentences on numbers and families of source models; measures and draws nothing."""

from __future__ import annotations

import numpy as np
import pandas as pd
from pandas.io.formats.style import Styler

from mbnb.data.datasets import SIMULATED
from mbnb.data.figures import measured
from mbnb.publish.charts.comparison import YARDSTICK
from mbnb.publish.charts.style import LOOKS, label
from mbnb.publish.charts.tables import NOTHING, in_points, listed, points, show
from mbnb.study.sources.numbers import STEP, enough_sources

# With fewer sources at the most, a leaderboard cannot tell where more stop helping.
MANY = 150


def sources_elsewhere(*, families: bool = False) -> pd.DataFrame:
    """What ``measured("sources")`` holds of the train half, with uniform sampling beside it.

    Parameters
    ----------
    families : bool
        Of the trials in which families stand on one side.

    Returns
    -------
    DataFrame
        Columns dataset, n_source, selector, size, mdad, low, high (points), and uniform, the MDAD
        of uniform sampling of the same targets (points; NaN: not reached).
    """
    table = measured("sources")
    table = table[(table["half"] == "train") & (table["families"].astype(bool) == families)]
    level = table[table["selector"] == YARDSTICK].drop_duplicates(["dataset", "size"])
    level = level[["dataset", "size", "mdad"]].rename(columns={"mdad": "uniform"})
    columns = ["dataset", "n_source", "selector", "size", "mdad", "low", "high"]
    table = table.loc[table["selector"] != YARDSTICK, columns]
    return table.merge(level, on=["dataset", "size"], how="left", validate="many_to_one")


def enough_table(enough: pd.DataFrame) -> Styler:
    """From how many sources on more of them stop helping, and what the most bring.

    Parameters
    ----------
    enough : DataFrame
        From `enough_sources`.
    """
    rows: dict[str, dict[str, str]] = {}
    for _, row in enough.iterrows():
        text = NOTHING if np.isnan(row["enough"]) else f"{row['enough']:,.0f}"
        if not np.isnan(row["gain"]):
            text += f'<br><span class="mbnb-interval">{points(row["gain"])}</span>'
        rows.setdefault(label(str(row["selector"])), {})[f"{int(row['size']):,}"] = text
    columns = pd.Index([f"{size:,}" for size in sorted(enough["size"].unique())], name="Size")
    table = pd.DataFrame.from_dict(rows, orient="index").reindex(columns=columns)
    fewest, most = int(enough["fewest"].iloc[0]), int(enough["most"].iloc[0])
    return show(table.fillna(NOTHING)).set_caption(
        f"Sources from which on the MDAD stays within a bin of that with {most:,}; beneath, the "
        f"points by which {most:,} sources bring it below that with {fewest:,}."
    )


def hungriest(enough: pd.DataFrame) -> str:
    """The selector that gains most from more sources, over all sizes; "" where none is known.

    Parameters
    ----------
    enough : DataFrame
        From `enough_sources`, of one data set or several.
    """
    known = enough[enough["enough"].notna() & (enough["selector"] != YARDSTICK)]
    # Not reached with the fewest, reached with the most: more than any number of points.
    gains = known["gain"].fillna(np.inf).groupby(known["selector"].astype(str), sort=False)
    middle = gains.median()
    return "" if middle.empty or middle.max() <= 0 else str(middle.idxmax())


def say_gains(enough: pd.DataFrame, gains: pd.DataFrame) -> str:
    """What the most sources bring, selector by selector, where an interval does not hold 0.

    Parameters
    ----------
    enough, gains : DataFrame
        From `enough_sources` and `source_gains`.
    """
    fewest, most = int(enough["fewest"].iloc[0]), int(enough["most"].iloc[0])
    selectors = [name for name in dict.fromkeys(map(str, gains["selector"])) if name != YARDSTICK]
    rows = gains[(gains["n_source"] == fewest) & gains["selector"].isin(selectors)]
    parts = []
    for verb, found in (("lower", rows[rows["low"] > 0]), ("raise", rows[rows["high"] < 0])):
        said = []
        for name, own in found.groupby(found["selector"].astype(str), sort=False):
            cells = [
                f"at {int(row['size']):,} items"
                + ("" if np.isnan(row["gain"]) else f" by {in_points(abs(row['gain']))}")
                for _, row in own.iterrows()
            ]
            said.append(f"{label(str(name))} ({listed(cells)})")
        if said:
            parts.append(f"surely {verb} the MDAD of {listed(said)}")
    if not parts:
        return f"Between {fewest:,} and {most:,} sources no selector’s MDAD surely changes."
    changed = set(rows.loc[(rows["low"] > 0) | (rows["high"] < 0), "selector"].astype(str))
    rest = [label(name) for name in selectors if name not in changed]
    text = f"{most:,} sources instead of {fewest:,} {' and '.join(parts)}."
    return text + (f" For {listed(rest)} no change is sure." if rest else "")


def say_lots(gains: pd.DataFrame, families: str, others: str) -> str:
    """At which selectors and sizes one kind of sources surely does better than another.

    Parameters
    ----------
    gains : DataFrame
        From `lot_gains`: positive where sources of `families` see smaller gaps.
    families, others : str
        What the two lots are called.
    """
    rows = gains[gains["selector"] != YARDSTICK]
    parts = []
    for better, worse, found in (
        (families, others, rows[rows["low"] > 0]),
        (others, families, rows[rows["high"] < 0]),
    ):
        cells = [f"{label(str(row['selector']))} at {row['size']:,}" for _, row in found.iterrows()]
        if cells:
            parts.append(
                f"Sources of {better} see surely smaller gaps than those of {worse} for "
                f"{listed(cells)} items."
            )
    middle = rows["gain"].median()
    typical = "" if np.isnan(middle) else f" (median {points(float(middle))} points)"
    if not parts:
        parts.append(
            f"Between sources of {families} and of {others} no difference is sure, at any selector "
            f"and size{typical}."
        )
    return " ".join(parts)


def enough_elsewhere() -> pd.DataFrame:
    """`enough_sources` of each leaderboard measured, with columns dataset and simulated."""
    table = sources_elsewhere()
    parts = [
        enough_sources(table[table["dataset"] == name]).assign(
            dataset=name, simulated=name.startswith(SIMULATED)
        )
        for name in dict.fromkeys(table["dataset"])
    ]
    return pd.concat(parts, ignore_index=True)


def enough_elsewhere_table(size: int) -> Styler:
    """For each leaderboard measured, the sources from which on more of them stop helping.

    Parameters
    ----------
    size : int
    """
    enough = enough_elsewhere()
    enough = enough[enough["size"] == size]
    text = enough["enough"].map(lambda n: NOTHING if np.isnan(n) else f"{n:,.0f}")
    wide = enough.assign(text=text).pivot(index="dataset", columns="selector", values="text")
    order = list(dict.fromkeys(enough["dataset"]))
    selectors = [name for name in LOOKS if name in wide.columns]
    wide = wide.reindex(index=order, columns=selectors).fillna(NOTHING)
    wide.insert(0, "most run", enough.groupby("dataset")["most"].max()[order].map("{:,}".format))
    wide = wide.rename(columns={name: label(name) for name in selectors})
    return show(wide.rename_axis(index=None, columns=None)).set_caption(
        f"At {size:,} items: sources from which on the MDAD stays within a bin of that with the "
        "most that were run."
    )


def apart_elsewhere() -> pd.DataFrame:
    """What it costs on each leaderboard measured to keep the targets' families off the sources.

    Returns
    -------
    DataFrame
        Columns dataset, selector, size, n_source (the most that were run both ways), mixed and
        apart, the points by which the MDAD lies below that of uniform sampling of the same targets
        (NaN where either is not reached), and cost, what of it is lost.
    """
    keys = ["dataset", "selector", "size", "n_source"]
    tables = []
    for way, name in ((False, "mixed"), (True, "apart")):
        table = sources_elsewhere(families=way)
        tables.append(table[keys].assign(**{name: table["uniform"] - table["mdad"]}))
    both = tables[0].merge(tables[1], on=keys, validate="one_to_one")
    most = both.groupby("dataset")["n_source"].transform("max")
    both = both[both["n_source"] == most].reset_index(drop=True)
    return both.assign(cost=both["mixed"] - both["apart"])


def apart_table(cost: pd.DataFrame) -> Styler:
    """In how many cells families that are kept apart cost more than a bin, and the median.

    Parameters
    ----------
    cost : DataFrame
        From `apart_elsewhere`.
    """
    rows = {}
    for name in [name for name in LOOKS if name in set(cost["selector"])]:
        own = cost.loc[cost["selector"] == name, "cost"].dropna()
        rows[label(name)] = {
            "leaderboards × sizes": f"{len(own):,}",
            "smaller by more than a bin": f"{int((own > STEP).sum()):,}",
            "within a bin": f"{int((own.abs() <= STEP).sum()):,}",
            "larger by more than a bin": f"{int((own < -STEP).sum()):,}",
            "median change": points(float(-own.median())),
        }
    return show(pd.DataFrame.from_dict(rows, orient="index")).set_caption(
        "Gain over uniform sampling with families kept apart, against that with families mixed, in "
        "points of MDAD and with as many sources."
    )
