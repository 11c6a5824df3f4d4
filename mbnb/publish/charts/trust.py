"""The simulation beside real leaderboards, in tables; measures and draws nothing."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from pandas.io.formats.style import Styler

from mbnb.data.errors import InputError
from mbnb.data.figures import measured
from mbnb.judge.agreement import format_mdad
from mbnb.publish.charts.style import INK, TINTS, label
from mbnb.publish.charts.tables import NOTHING, show

SIDES = ("real", "shipped", "fitted")
# What others are held against: a real matrix, or the data of a chapter, which may be simulated.
REFERENCES = ("real", "data")
# Colour, marker, dash of each side: what is held against is ink, what is simulated a tint.
SIDE_LOOKS = {
    "data": (INK, "o", (None, None)),
    "real": (INK, "o", (None, None)),
    "shipped": (TINTS[1], "s", (4, 2)),
    "fitted": (TINTS[0], "^", (1, 1)),
    "simulated": (TINTS[0], "^", (1, 1)),
}
# What is drawn and tabled: title, unit of the values, meaning of `at`.
PANELS = {
    "accuracy": ("Accuracy of a model", "points", "Per cent of the models"),
    "solved": ("Models that solve an item", "%", "Per cent of the items"),
    "disagreement": ("Disagreement of pairs", "% of items", "Gap (points)"),
    "nearest": ("Disagreement with\nthe nearest model", "% of items", "Per cent of the models"),
    "component": ("Variance of components", "%", "Component"),
    "correlation": ("Correlation of items", "", "Pairs of items"),
    "uniform MDAD": ("MDAD of uniform\nsampling, expected", "points", "Items"),
    "singletons": ("Clusters of one item,\nAnchor Points", "%", "Items"),
}
UNITS = {name: unit for name, (_, unit, _) in PANELS.items()}


def fidelity_of(comparison: str) -> pd.DataFrame:
    """What ``measured("fidelity")`` says of one simulated benchmark.

    Parameters
    ----------
    comparison : {"mmlu-pro-math", "mmlu-pro", "bbh", "gpqa", "mmlu", "confidences"}

    Returns
    -------
    DataFrame
        Columns ``statistic``, ``at`` (see `matrix_statistics`), ``real``, ``shipped``, ``fitted``.

    Raises
    ------
    InputError
        If there is no such comparison.
    """
    table = _kept("fidelity")
    own = table[table["comparison"] == comparison]
    if own.empty:
        known = ", ".join(dict.fromkeys(table["comparison"]))
        raise InputError(f"no comparison '{comparison}' was measured; known: {known}.")
    wide = own.pivot(index=["statistic", "at"], columns="side", values="value")
    first = own.drop_duplicates(["statistic", "at"])
    # A size that only one side has would stand behind all others.
    place = {name: number for number, name in enumerate(dict.fromkeys(first["statistic"]))}
    order = sorted(zip(first["statistic"], first["at"], strict=True), key=lambda row: place[row[0]])
    return wide.loc[order, list(SIDES)].rename_axis(columns=None).reset_index()


def counterpart(comparison: str) -> pd.Series:
    """The first row of a comparison: ``real``, ``real_part``, ``profile``, ``part``, ``n_models``
    and ``n_items`` of the real matrix as it was compared."""
    table = _kept("fidelity")
    return table[(table["comparison"] == comparison) & (table["side"] == "real")].iloc[0]


def fidelity_table(table: pd.DataFrame) -> Styler:
    """Every statistic as a number: a row for each, a column for each side."""
    sides = [side for side in SIDE_LOOKS if side in table.columns]
    rows = []
    for row in table.to_dict("records"):
        unit = UNITS.get(row["statistic"], "")
        name = f"{row['statistic']} {row['at']}".strip()
        rows.append([f"{name} ({unit})" if unit else name, *(_three(row[side]) for side in sides)])
    return show(pd.DataFrame(rows, columns=["Statistic", *map(str.capitalize, sides)])).hide(axis=0)


def misses(table: pd.DataFrame) -> pd.DataFrame:
    """Mean absolute difference from the real matrix or the data, by statistic and side.

    Parameters
    ----------
    table : DataFrame
        From `fidelity_of` or `fidelity`.

    Returns
    -------
    DataFrame
        Indexed by statistic, a column for each simulated side.
    """
    reference = next(side for side in REFERENCES if side in table.columns)
    sides = [side for side in SIDE_LOOKS if side in table.columns and side != reference]
    gaps = {side: (table[side] - table[reference]).abs() for side in sides}
    return pd.DataFrame(gaps).groupby(table["statistic"], sort=False).mean()


def misses_table(comparisons: Sequence[str]) -> Styler:
    """`misses` of several comparisons: “shipped → fitted” in each cell."""
    columns = {}
    for comparison in comparisons:
        own = misses(fidelity_of(comparison))
        columns[comparison] = own.apply(
            lambda row: f"{_three(row['shipped'])} → {_three(row['fitted'])}", axis=1
        )
    frame = pd.DataFrame(columns)
    wanted = [name for name in (*PANELS, "weak and strong") if name in frame.index]
    frame = frame.loc[wanted].fillna(NOTHING)
    frame.index = pd.Index([_with_unit(name) for name in frame.index])
    return show(frame)


def counterparts_table(comparisons: Sequence[str]) -> Styler:
    """Which real matrix stands beside which simulated benchmark."""
    rows = []
    for comparison in comparisons:
        own = counterpart(comparison)
        part = f", {own['part']}" if own["part"] else ""
        real_part = f", {own['real_part']}" if own["real_part"] else ""
        shape = f"{own['n_models']:,} × {own['n_items']:,}"
        rows.append([f"simulated:{own['profile']}{part}", f"{own['real']}{real_part}", shape])
    frame = pd.DataFrame(rows, columns=["Simulated", "Real", "Models × items"], index=comparisons)
    return show(frame)


def card_table(comparisons: Sequence[str]) -> str:
    """The Markdown table of the data cards: “real / simulated” for a few statistics."""
    columns = {
        "median, points": ("accuracy", "50"),
        "best, points": ("accuracy", "100"),
        "disagree, %": ("disagreement", "0–1"),
        "items correlate": ("correlation", "all"),
        "uniform MDAD at 50": ("uniform MDAD", "50"),
    }
    lines = [
        "| simulated | real | " + " | ".join(columns) + " |",
        "|---|---|" + "---|" * len(columns),
    ]
    for comparison in comparisons:
        own, table = counterpart(comparison), fidelity_of(comparison)
        values = table.set_index(["statistic", "at"])
        cells = [
            f"`simulated:{own['profile']}` ({own['part'] or 'whole'})",
            f"`{own['real']}`" + (f" (`{own['real_part']}`)" if own["real_part"] else ""),
            *(
                " / ".join(_three(values.loc[key, side]) for side in ("real", "shipped"))
                for key in columns.values()
            ),
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def settings_table(sizes: Sequence[int], selectors: Sequence[str]) -> Styler:
    """MDADs as shipped, and with one setting changed, in points; bold where intervals part.

    Parameters
    ----------
    sizes : sequence of int
    selectors : sequence of str
    """
    table = measured("fidelity-settings")
    shown = table[table["size"].isin(sizes) & table["selector"].isin(selectors)]
    base = shown[shown["setting"] == "as shipped"].set_index(["selector", "size"])
    columns = [(name, size) for name in selectors for size in sizes]
    cells = {}
    for setting, own in shown.groupby("setting", sort=False):
        values = own.set_index(["selector", "size"])
        cells[setting] = [
            _bold(format_mdad(values.loc[key, "mdad"]), _parted(values.loc[key], base.loc[key]))
            for key in columns
        ]
    frame = pd.DataFrame.from_dict(cells, orient="index")
    frame.columns = pd.MultiIndex.from_tuples(
        [(label(name), f"{size:,}") for name, size in columns]
    )
    return show(frame)


def _parted(row: pd.Series, other: pd.Series) -> bool:
    """Whether two MDADs have intervals that share no point."""
    return bool(row["low"] > other["high"] or row["high"] < other["low"])


def _bold(text: str, strong: bool) -> str:
    return f"<b>{text}</b>" if strong else text


def _kept(name: str) -> pd.DataFrame:
    table = measured(name)
    texts = ["profile", "part", "real", "real_part", "statistic", "at"]
    return table.assign(**{text: table[text].fillna("").astype(str) for text in texts})


def _three(value: float) -> str:
    if np.isnan(value):
        return NOTHING
    return f"{value:.3f}" if 0 < abs(value) < 0.1 else f"{value:#.3g}".rstrip(".")


def _with_unit(name: str) -> str:
    unit = UNITS.get(name, "")
    return f"{name} ({unit})" if unit else name
