"""Tables of what decides an MDAD, from kept figures and from counts; measures nothing.

What was measured on many leaderboards comes from ``data/measured/definitions*.csv``.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from pandas.io.formats.style import Styler

from mbnb.data.figures import measured
from mbnb.judge.agreement import RULES, Agreement, crossing
from mbnb.judge.summary import counts_from_table
from mbnb.publish.charts.tables import NOTHING, percent, points, show

# Pairs a trial that a bin needs in the tables of this book; a rising curve needs no minimum.
A_TRIAL = {"first": 1, "sustained": 1, "isotonic": 0, "interpolated": 0}
# Below this many points an MDAD moves by whole bins, and shares of it say little.
SMALLEST = 2.0


def kept_counts(dataset: str, half: str = "train") -> Agreement:
    """The kept counts of pairs of a leaderboard that this book measured, as one trial.

    Raises
    ------
    InputError
        If there are none; the message lists what there is.
    """
    name = f"agreement-{dataset.replace(':', '-')}"
    return counts_from_table(measured(name), dataset, half)


def read_by_rules(
    counts: Agreement, threshold: float = 0.8, pairs: dict[str, int] | None = None
) -> pd.DataFrame:
    """The MDAD of every cell by each of the rules, without intervals; a column for each rule.

    Parameters
    ----------
    counts : Agreement
    threshold : float
    pairs : dict, optional
        By rule, the pairs that a bin needs to decide; one where a rule is not named.
    """
    table = counts.cells[["selector", "size"]].copy()
    summed = counts.pairs.sum(axis=1), counts.agreeing.sum(axis=1)
    for rule in RULES:
        least = (pairs or {}).get(rule, 1)
        table[rule] = crossing(*summed, counts.gaps, threshold, rule, least)
    return table


def rule_errors(precision: pd.DataFrame) -> pd.DataFrame:
    """Bias and error of each rule by number of trials, in per cent of the MDAD of all trials.

    Parameters
    ----------
    precision : DataFrame
        ``measured("definitions-precision")``; cells with an MDAD below two points, which moves by
        whole bins, are left out.

    Returns
    -------
    DataFrame
        ``rule``, ``n_trials``, ``bias`` and ``error`` (means over data sets and sizes, per cent),
        ``worst`` (the largest bias downwards, points) and ``not_reached`` (0–1).
    """
    table = precision[precision["reference"] >= SMALLEST]
    table = table[table["pairs_a_trial"] == table["rule"].map(A_TRIAL)]
    share = 100 / table["reference"]
    table = table.assign(relative=table["bias"] * share, error=table["rmse"] * share)
    groups = table.groupby(["rule", "n_trials"], sort=False)
    return groups.agg(
        bias=("relative", "mean"),
        error=("error", "mean"),
        worst=("bias", "min"),
        not_reached=("not_reached", "mean"),
    ).reset_index()


def relative_spread(targets: pd.DataFrame) -> pd.DataFrame:
    """Mean over data sets and sizes of the spread in per cent of the MDAD."""
    table = targets[(targets["pairs_a_trial"] == 0) & (targets["reference"] >= SMALLEST)]
    table = table.assign(spread=100 * table["spread"] / table["reference"])
    return table.groupby(["n_target", "n_trials"])["spread"].mean().reset_index()


def doubling(targets: pd.DataFrame) -> tuple[float, float]:
    """By what factors the spread changes if trials are doubled, and if targets are.

    Least squares on logarithms over all cells with an MDAD of at least two points, each with its
    own level, weighted by the number of sets.

    Parameters
    ----------
    targets : DataFrame
        ``measured("definitions-targets")``.
    """
    table = targets[(targets["pairs_a_trial"] == 0) & (targets["reference"] >= SMALLEST)]
    table = table[table["spread"] > 0]
    logs = np.log2(table[["spread", "n_trials", "n_target"]])
    cells = table.groupby(["dataset", "size"]).ngroup()
    weights = table["sets"]
    means = logs.mul(weights, axis=0).groupby(cells).transform("sum")
    centred = logs - means.div(weights.groupby(cells).transform("sum"), axis=0)
    scaled = centred.mul(np.sqrt(weights), axis=0).to_numpy()
    slopes = np.linalg.lstsq(scaled[:, 1:], scaled[:, 0], rcond=None)[0]
    return float(2 ** slopes[0]), float(2 ** slopes[1])


def spread_of(targets: pd.DataFrame, n_target: int, n_trials: int) -> float:
    """The mean spread in per cent of the MDAD with so many targets and trials."""
    own = relative_spread(targets)
    own = own[(own["n_target"] == n_target) & (own["n_trials"] == n_trials)]
    return float(own["spread"].iloc[0])


def moved_by(definitions: pd.DataFrame, rule: str, **changed: object) -> pd.DataFrame:
    """By how much one choice moves each kept MDAD from the usual setting of a rule.

    Parameters
    ----------
    definitions : DataFrame
        ``measured("definitions")``, all its data sets or some.
    rule : str
    **changed
        ``min_pairs``, ``ties``, ``threshold``, ``width``, ``binning`` that differ from the usual
        ones (50 for the first and the sustained rule, 1 for the others; wrong, 0.8, 0.5, centred).

    Returns
    -------
    DataFrame
        ``dataset``, ``cell``, ``before`` and ``after`` in points (NaN: not reached).
    """
    least = 1 if rule in ("isotonic", "interpolated") else 50
    usual = {
        "rule": rule,
        "min_pairs": least,
        "ties": "wrong",
        "threshold": 0.8,
        "width": 0.5,
        "binning": "centred",
    }
    before, after = (_cells(definitions, how) for how in (usual, {**usual, **changed}))
    return before.merge(after, on=["dataset", "cell"], suffixes=("_before", "_after")).rename(
        columns={"mdad_before": "before", "mdad_after": "after"}
    )


def _cells(definitions: pd.DataFrame, setting: dict[str, object]) -> pd.DataFrame:
    """The MDADs of one setting, a row for each cell that was measured."""
    own = definitions[np.all([definitions[k] == v for k, v in setting.items()], axis=0)]
    names = [c for c in definitions.columns if c not in ("dataset", *setting)]
    long = own.melt(["dataset"], names, var_name="cell", value_name="mdad")
    # A size that a matrix does not allow is no cell of it; “not reached” is told as such.
    there = definitions.groupby("dataset")[names].apply(lambda part: part.notna().any())
    known = there.stack().rename_axis(["dataset", "cell"]).rename("there").reset_index()
    long = long.merge(known, on=["dataset", "cell"])
    return long[long.pop("there").to_numpy()].reset_index(drop=True)


CHOICES: dict[str, dict[str, object]] = {
    "ties count a half": {"ties": "half"},
    "floor bins": {"binning": "floor"},
    "bins of 0.25 points": {"width": 0.25},
    "bins of 1 point": {"width": 1.0},
    "bins of 2 points": {"width": 2.0},
    "any bin decides": {"min_pairs": 1},
    "a bin needs 10 pairs": {"min_pairs": 10},
    "a bin needs 100 pairs": {"min_pairs": 100},
    "threshold 0.7": {"threshold": 0.7},
    "threshold 0.75": {"threshold": 0.75},
    "threshold 0.85": {"threshold": 0.85},
    "threshold 0.9": {"threshold": 0.9},
}


def choices_table(definitions: pd.DataFrame, rules: Sequence[str]) -> Styler:
    """Median and widest move of the MDAD under each choice, in points, by rule.

    Parameters
    ----------
    definitions : DataFrame
        ``measured("definitions")``, all its data sets or some.
    rules : sequence of str
    """
    rows = {}
    for name, changed in CHOICES.items():
        row = {}
        for rule in rules:
            moved = moved_by(definitions, rule, **changed)
            off = (moved["after"] - moved["before"]).dropna()
            low, high = off.min(), off.max()
            lost = int((moved["after"].isna() & moved["before"].notna()).sum())
            row[rule, "median"] = points(round(off.median(), 2)) if len(off) else NOTHING
            row[rule, "range"] = f"{points(round(low, 1))} … {points(round(high, 1))}"
            row[rule, "not reached"] = str(lost) if lost else NOTHING
        rows[name] = row
    table = pd.DataFrame.from_dict(rows, orient="index")
    table.columns = pd.MultiIndex.from_tuples(table.columns)
    return show(table)


def coverage_table(coverage: pd.DataFrame) -> Styler:
    """How often intervals of each kind hold the MDAD of the population, and how wide they are.

    Parameters
    ----------
    coverage : DataFrame
        ``measured("definitions-coverage")``.
    """
    rows = {}
    for (_, by), own in coverage.groupby(["share", "by"], sort=False):
        name = f"{own['n_models'].mean():.0f} models"
        rows[name, by] = {
            f"{int(size):,}": f"{percent(covered)} ({width:.1f})"
            for size, covered, width in zip(own["size"], own["covered"], own["width"], strict=True)
        }
    table = pd.DataFrame.from_dict(rows, orient="index")
    table.index = pd.MultiIndex.from_tuples(table.index, names=["Leaderboards of", "drawn anew"])
    table.columns.name = "Size"
    return show(table)


def interval_widths(intervals: pd.DataFrame) -> pd.DataFrame:
    """Median over cells of the widths of intervals, by data set, and how many times wider.

    Parameters
    ----------
    intervals : DataFrame
        ``measured("definitions-intervals")``; cells in which an interval is open or has no width
        are left out.

    Returns
    -------
    DataFrame
        By ``dataset``: ``n_target``, ``trials`` (points), ``models`` and ``both`` (times the width
        by trials).
    """
    table = intervals.assign(width=intervals["high"] - intervals["low"])
    wide = table.pivot(
        index=["dataset", "n_target", "selector", "size"], columns="by", values="width"
    )
    wide = wide[(wide["trials"] > 0) & wide.notna().all(axis=1)]
    ratio = wide.assign(models=wide["models"] / wide["trials"], both=wide["both"] / wide["trials"])
    middle = ratio.groupby(["dataset", "n_target"], sort=False)[["trials", "models", "both"]]
    return middle.median().reset_index()
