"""One selector beside uniform sampling: figure, tables and sentences; runs no trial."""

from __future__ import annotations

from dataclasses import dataclass

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from pandas.io.formats.style import Styler

from mbnb.data.figures import reported
from mbnb.data.responses import ResponseMatrix
from mbnb.judge.agreement import Agreement, format_mdad
from mbnb.judge.table import Trials
from mbnb.publish.charts.plots import points_axis, size_axis
from mbnb.publish.charts.style import LOOKS, WIDTH, label
from mbnb.publish.charts.tables import listed, percent, show, two_lines

YARDSTICK = "uniform"
# What running text calls the selectors.
WORDS = {
    "uniform": "uniform sampling",
    "subtask": "equal quotas",
    "confidence": "confidence strata",
    "diversity": "diversity",
    "anchor-points": "Anchor Points",
    "tinybenchmarks": "tinyBenchmarks",
}
# Errors that differ by less than this share are called alike.
ALIKE = 0.05
NOTHING = "–"


@dataclass(frozen=True, eq=False)
class Comparison:
    """One selector beside uniform sampling on the same trials.

    Attributes
    ----------
    selector : str
    trials : Trials
        Of both.
    counts : Agreement
    mdads, gains, errors : DataFrame
        From `mdad`, `mdad_difference` and `estimation_error`.
    """

    selector: str
    trials: Trials
    counts: Agreement
    mdads: pd.DataFrame
    gains: pd.DataFrame
    errors: pd.DataFrame

    def draw(self) -> Figure:
        """`draw_comparison` of the two."""
        return draw_comparison(self.mdads, self.errors)

    def table(self) -> Styler:
        """`comparison_table` of the two, with what the study reports for MMLU-Pro."""
        return comparison_table(self.mdads, self.errors, reported("mdad-mmlu-pro"), "MMLU-Pro")

    def sentences(self) -> tuple[str, str]:
        """`compare_mdad` and `compare_error` of the selector."""
        return compare_mdad(self.gains, self.selector), compare_error(self.errors, self.selector)


def draw_comparison(mdads: pd.DataFrame, errors: pd.DataFrame) -> Figure:
    """MDAD with intervals above, estimation error below, both against size.

    Parameters
    ----------
    mdads, errors : DataFrame
        From `mdad` and `estimation_error`, one estimator for each selector.
    """
    figure, (above, below) = plt.subplots(
        2, 1, figsize=(WIDTH, 6.6), sharex=True, layout="constrained"
    )
    selectors = list(dict.fromkeys(mdads["selector"]))
    for position, selector in enumerate(selectors):
        look = LOOKS[selector]
        style = {
            "color": look.color,
            "marker": look.marker,
            "dashes": look.dash or (None, None),
            "label": look.label,
        }
        rows = mdads[mdads["selector"] == selector].sort_values("size")
        # Side by side, so that intervals of equal values do not hide one another.
        x = rows["size"] * 1.05 ** (position - (len(selectors) - 1) / 2)
        # An interval that is open above goes past the top.
        high = rows["high"].fillna(200)
        above.vlines(x, rows["low"], high, color=look.color, alpha=0.4, linewidth=3)
        above.plot(x, rows["mdad"], **style)
        rows = errors[errors["selector"] == selector].sort_values("size")
        below.plot(rows["size"], rows["error"], **style)
    size_axis(below, sorted(mdads["size"].unique()))
    above.set_ylabel("MDAD (points)")
    below.set_ylabel("Mean estimation error (points)")
    tops = np.nanmax(mdads[["mdad", "high"]].to_numpy(), initial=1), errors["error"].max()
    for axes, top in zip((above, below), tops, strict=True):
        points_axis(axes, float(top))
    above.legend(loc="upper right")
    plt.close(figure)  # a page shows what is returned, and would show an open figure again
    return figure


def comparison_table(
    mdads: pd.DataFrame, errors: pd.DataFrame, reported: pd.DataFrame, benchmark: str
) -> Styler:
    """A row for each size: MDAD with its interval, estimation error, and the reported MDAD.

    Parameters
    ----------
    mdads, errors : DataFrame
        From `mdad` and `estimation_error`, one estimator for each selector.
    reported : DataFrame
        Columns selector, size and mdad.
    benchmark : str
        What the reported figures were measured on.
    """
    selectors = list(dict.fromkeys(mdads["selector"]))
    sizes = sorted(int(size) for size in mdads["size"].unique())
    columns: dict[tuple[str, str], list[str]] = {}
    for selector in selectors:
        own = mdads[mdads["selector"] == selector].set_index("size")
        columns["MDAD, measured", label(selector)] = [two_lines(own.loc[k]) for k in sizes]
    for selector in selectors:
        told = reported[reported["selector"] == selector].set_index("size")["mdad"]
        columns[f"MDAD, reported for {benchmark}", label(selector)] = [
            format_mdad(told[k]) if k in told.index else NOTHING for k in sizes
        ]
    for selector in selectors:
        error = errors[errors["selector"] == selector].set_index("size")["error"]
        columns["Estimation error, measured", label(selector)] = [f"{error[k]:.1f}" for k in sizes]
    frame = pd.DataFrame(columns, index=pd.Index([f"{k:,}" for k in sizes], name="Size"))
    threshold = mdads["threshold"].iloc[0]
    return show(frame).set_caption(
        f"Points; MDAD at a threshold of {threshold:g}, 95 % intervals in brackets."
    )


def compare_mdad(gains: pd.DataFrame, selector: str) -> str:
    """At which sizes a selector's MDAD lies below or above that of uniform sampling, a sentence.

    Parameters
    ----------
    gains : DataFrame
        From `mdad_difference` with uniform sampling as baseline: an interval of the difference
        that holds 0 decides nothing.
    selector : str
    """
    rows = gains[gains["selector"] == selector].sort_values("size")
    below = rows[rows["low"] > 0]
    above = rows[rows["high"] < 0]
    open_ones = rows.drop(index=[*below.index, *above.index])
    parts = [
        f"{how} at {_listed_sizes(found)}"
        for how, found in (
            (f"below that of {WORDS[YARDSTICK]}", below),
            (f"above that of {WORDS[YARDSTICK]}" if below.empty else "above it", above),
        )
        if not found.empty
    ]
    if not open_ones.empty:
        sizes = listed([f"{size:,}" for size in open_ones["size"]])
        parts.append(
            f"not to be told from {'it' if parts else f'that of {WORDS[YARDSTICK]}'} at {sizes}"
        )
    if len(rows) > 1 and len(open_ones) == len(rows):
        return (
            f"The measured MDAD of {WORDS[selector]} is not to be told from that of "
            f"{WORDS[YARDSTICK]} at any size."
        )
    return f"The measured MDAD of {WORDS[selector]} is {listed(parts)} items."


def compare_error(errors: pd.DataFrame, selector: str) -> str:
    """At which sizes a selector's estimation error is below or above uniform sampling's.

    Parameters
    ----------
    errors : DataFrame
        From `estimation_error`, one estimator for each selector.
    selector : str
    """
    wide = errors.pivot(index="size", columns="selector", values="error").sort_index()
    own, other = wide[selector], wide[YARDSTICK]
    parts = [
        f"{how} at every size"
        if holds.all() and len(wide) > 1
        else f"{how} at {listed([f'{size:,}' for size in wide.index[holds]])}"
        for how, holds in (
            ("lower", own < (1 - ALIKE) * other),
            ("higher", own > (1 + ALIKE) * other),
            (f"within {percent(ALIKE)} of it", (own - other).abs() <= ALIKE * other),
        )
        if holds.any()
    ]
    small, large = wide.index[0], wide.index[-1]
    return (
        f"The mean estimation error of {WORDS[selector]} is {own[small]:.1f} points at {small:,} "
        f"items and {own[large]:.1f} at {large:,}, where {WORDS[YARDSTICK]} has "
        f"{other[small]:.1f} and {other[large]:.1f}: {listed(parts)}"
        f"{'.' if parts[0].endswith('every size') else ' items.'}"
    )


def cost_table(costs: pd.DataFrame, reported: pd.DataFrame, train: ResponseMatrix) -> Styler:
    """Seconds measured in this run beside those reported for the released code.

    Parameters
    ----------
    costs : DataFrame
        From `time_selector`.
    reported : DataFrame
        ``reported("costs")``; a size of NaN there stands for every size.
    train : ResponseMatrix
        What was fitted, for the caption.
    """
    told = reported[reported["selector"].isin(costs["selector"])]
    whole = told[(told["step"] == "selection") & told["size"].isna()]["seconds"]
    rows: dict[str, list[str]] = {"measured in this run": [], "reported, released code": []}
    names = []
    for _, cost in costs.iterrows():
        fit = cost["step"] == "fit"
        same_size = told["size"].isna() if fit else told["size"] == cost["size"]
        match = told[(told["step"] == cost["step"]) & same_size]["seconds"]
        value = match if match.size or fit else whole
        names.append("fit, once a trial" if fit else f"{int(cost['size']):,} items")
        rows["measured in this run"].append(_seconds(cost["seconds"]))
        rows["reported, released code"].append(_seconds(value.iloc[0]) if value.size else NOTHING)
    frame = pd.DataFrame(rows, index=pd.Index(names, name="Step"))
    return show(frame).set_caption(
        f"Seconds. Measured: one trial, {train.n_models:,} source models × {train.n_items:,} "
        "items, on the machine that made this page. Reported: 300 source models × 6,012 items, "
        "a two-core machine."
    )


def _listed_sizes(rows: pd.DataFrame) -> str:
    """Sizes with the gain in points, where it is a number: “10 (by 4), 25 (by 1.5)”."""
    return listed(
        [
            f"{size:,}" + ("" if np.isnan(gain) else f" (by {abs(gain):g})")
            for size, gain in zip(rows["size"], rows["gain"], strict=True)
        ]
    )


def _seconds(value: float) -> str:
    return "< 0.01" if value < 0.01 else f"{value:.2g}" if value < 10 else f"{value:.0f}"
