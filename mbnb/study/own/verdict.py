"""What trials of one's own benchmark say, and what to do by it; runs no trial."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from mbnb.judge.agreement import RISING, RULES, Agreement, Reading, agreement, mdad
from mbnb.judge.comparison import mdad_difference
from mbnb.judge.table import Trials
from mbnb.study.own.possible import BASELINE, PLAIN

# A trial of this many pairs fills the bins; of fewer, a bin cannot hold one a trial on average.
ENOUGH_PAIRS = 100
FEWEST_TO_DECIDE = 20
# Widths of bins in points, and the share of the pairs that must lie in bins that decide.
WIDTHS = (0.5, 1.0, 2.0, 5.0)
MOST = 0.8
# Intervals over fewer trials are no ground to prefer a selector.
ENOUGH_TRIALS = 20
# MDADs that differ by no more points are level.
LEVEL = 0.5
# What names a way of choosing items and reading the answers at one size.
WAY = ["selector", "estimator", "size"]


def pairs_to_decide(n_trials: int, n_target: int) -> int:
    """How many pairs a bin of gaps must hold to decide an MDAD.

    One a trial on average, the book's rule; with few targets, whose pairs cannot fill the bins,
    in proportion fewer; but at least 20, or an agreement of 0.8 is told from one of 0.6 by luck.
    """
    pairs = n_target * (n_target - 1) // 2
    in_proportion = round(n_trials * min(1.0, pairs / ENOUGH_PAIRS))
    return max(FEWEST_TO_DECIDE, in_proportion)


@dataclass(frozen=True, eq=False)
class Measured:
    """What trials of one matrix say; its tables are empty where there were none.

    Attributes
    ----------
    trials : Trials or None
    mdad, heldout : DataFrame
        From `mdad`, judged on the train and on the held-out half.
    gains, heldout_gains : DataFrame
        From `mdad_difference`, against uniform sampling read with the plain mean.
    threshold : float
    rule : str
        By which MDADs are read; see `mdad`.
    min_pairs : int
        Pairs that a bin should hold; by the rules without a rising curve, must hold to decide.
    width : float
        Of the bins, in points: half a point, the book's, where they fill; see `bin_width`.
    n_bins, n_thin : int
        Bins of gaps that occur, of uniform sampling, and those that hold fewer.
    """

    trials: Trials | None
    mdad: pd.DataFrame
    heldout: pd.DataFrame
    gains: pd.DataFrame
    heldout_gains: pd.DataFrame
    threshold: float
    rule: str = RULES[0]
    min_pairs: int = 1
    width: float = 0.5
    n_bins: int = 0
    n_thin: int = 0

    @property
    def weighs_bins(self) -> bool:
        """Whether a bin of few pairs weighs little, or decides nothing."""
        return self.rule in RISING

    @property
    def sure(self) -> pd.DataFrame:
        """Of `gains` those that hold, with the whole interval above zero on both halves.

        Its columns, and ``heldout`` with the gain in points on the held-out half.
        """
        held = self.heldout_gains[[*WAY, "gain", "low"]]
        both = self.gains.merge(held, on=WAY, suffixes=("", "_heldout"))
        both = both[(both["low"] > 0) & (both["low_heldout"] > 0)]
        kept = both.drop(columns="low_heldout").rename(columns={"gain_heldout": "heldout"})
        return kept.reset_index(drop=True)


def judge_trials(trials: Trials | None, threshold: float = 0.8, rule: str = "first") -> Measured:
    """MDADs on both halves and their differences from uniform sampling.

    Parameters
    ----------
    trials : Trials or None
        With uniform sampling among the selectors, read with the plain mean and perhaps with others;
        None where the matrix allows none.
    threshold, rule
        See `mdad`.
    """
    cell = ["selector", "estimator", "size", "n_source"]
    if trials is None:
        values = pd.DataFrame(columns=[*cell, "mdad", "low", "high", "pairs", "threshold"])
        gains = pd.DataFrame(columns=[*cell, "gain", "low", "high"])
        return Measured(None, values, values, gains, gains, threshold, rule)
    least = pairs_to_decide(trials.n_trials, trials.n_target)
    width = bin_width(trials, least)
    reading = Reading(threshold, rule, min_pairs=1 if rule in RISING else least, width=width)
    halves = [agreement(trials, half, reading) for half in ("train", "heldout")]
    table, heldout = (mdad(counts) for counts in halves)
    gains, heldout_gains = (mdad_difference(counts, BASELINE, estimator=PLAIN) for counts in halves)
    filled = _filled(halves[0])
    return Measured(
        trials,
        table,
        heldout,
        gains,
        heldout_gains,
        threshold,
        rule=rule,
        min_pairs=least,
        width=width,
        n_bins=int(filled.size),
        n_thin=int((filled < least).sum()),
    )


def plain_mdads(measured: Measured) -> pd.Series:
    """MDADs in points by size of uniform sampling read with the plain mean, on the train half."""
    table = measured.mdad
    plain = (table["selector"] == BASELINE) & (table["estimator"] == PLAIN)
    return table[plain].set_index("size")["mdad"]


def bin_width(trials: Trials, least: int) -> float:
    """The narrowest bins, of `WIDTHS` points, of which those with enough pairs hold most pairs.

    A leaderboard of hundreds fills bins of half a point. The pairs of a few models do not, and with
    graded scores hardly two of them share a bin.
    """
    table = trials.table
    plain = (table["selector"] == BASELINE) & (table["estimator"] == PLAIN)
    one = replace(trials, table=table[plain])
    one = replace(one, table=one.table[one.table["size"] == one.table["size"].iloc[0]])
    for width in WIDTHS:
        filled = _filled(agreement(one, reading=Reading(width=width)))
        if filled[filled >= least].sum() >= MOST * filled.sum():
            return width
    return WIDTHS[-1]


def _filled(counts: Agreement) -> np.ndarray:
    """Pairs over all trials in each bin of uniform sampling that holds any."""
    pairs = counts.pairs[0].sum(axis=0)
    return pairs[pairs > 0]


@dataclass(frozen=True)
class Advice:
    """How many items to take, and how to choose them, for a gap that one must see.

    Attributes
    ----------
    selector, estimator : str
    size : int
    mdad : float
        In points, that this size may be expected to have on the whole benchmark.
    measured : bool
        Whether trials say so (scaled from a half to the whole), or the theory of sampling alone.
    """

    selector: str
    estimator: str
    size: int
    mdad: float
    measured: bool


def advise(
    measured: Measured,
    gap: float,
    needed: int,
    on_half: pd.Series,
    on_whole: pd.Series,
) -> Advice:
    """The smallest size that sees a gap: uniform sampling's, or one that is surely smaller.

    Another way of choosing items, or of reading the answers, comes first only where, over at least
    20 trials, the whole interval of its lead over uniform sampling read with the plain mean lies
    above zero, on the train half and on the held-out half, and the upper end of its MDAD, scaled
    to the whole benchmark, is at most the gap. Of several at one size, uniform sampling is taken
    where its MDAD is within half a point of the smallest: it favours no model.

    Parameters
    ----------
    measured : Measured
    gap : float
        In points.
    needed : int
        Items that uniform sampling needs for it; see `needed_sizes`.
    on_half, on_whole : Series
        By size, the MDAD expected of uniform sampling from the train half and from all items; see
        `scale_to_whole`.
    """
    fallback = Advice(BASELINE, PLAIN, needed, gap, False)
    trials = measured.trials
    if trials is None or trials.n_trials < ENOUGH_TRIALS:
        return fallback
    ways = _sure_ways(measured, on_half, on_whole)
    fit = ways[(ways["ceiling"] <= gap + 1e-9) & (ways["size"] < needed)]
    return fallback if fit.empty else _simplest(fit[fit["size"] == fit["size"].min()])


def advise_fewer(
    measured: Measured, below: int, on_half: pd.Series, on_whole: pd.Series
) -> Advice | None:
    """The most items below a number at which some way is surely better, and the best way there.

    For those who can pay for fewer items than `advise` says; None where nothing is sure.

    Parameters
    ----------
    measured : Measured
    below : int
        Items.
    on_half, on_whole : Series
        As in `advise`.
    """
    if measured.trials is None or measured.trials.n_trials < ENOUGH_TRIALS:
        return None
    ways = _sure_ways(measured, on_half, on_whole).dropna(subset=["expected"])
    fit = ways[ways["size"] < below]
    return None if fit.empty else _simplest(fit[fit["size"] == fit["size"].max()])


def _sure_ways(measured: Measured, on_half: pd.Series, on_whole: pd.Series) -> pd.DataFrame:
    """Ways that surely gain, with the MDAD expected on the whole benchmark and its upper end."""
    sure = measured.sure.merge(measured.mdad, on=WAY, suffixes=("_gain", ""))
    scale = scale_to_whole(sure["size"], on_half, on_whole)
    return sure.assign(expected=sure["mdad"] * scale, ceiling=sure["high"] * scale)


def _simplest(ways: pd.DataFrame) -> Advice:
    """Of ways at one size the one with the smallest MDAD, or random items where they are level."""
    ways = ways.sort_values("expected", kind="stable")
    level = ways["expected"] <= ways["expected"].iloc[0] + LEVEL
    simple = ways[level & (ways["selector"] == BASELINE)]
    best = (simple if len(simple) else ways).iloc[0]
    size, expected = int(best["size"]), float(best["expected"])
    return Advice(str(best["selector"]), str(best["estimator"]), size, expected, True)


def scale_to_whole(sizes: pd.Series, on_half: pd.Series, on_whole: pd.Series) -> np.ndarray:
    """By how much an MDAD of each size grows from the train half to the whole benchmark.

    A sample is a smaller part of the whole than of the half and leaves more to chance. The factor
    is that of uniform sampling, by theory; NaN where it is not known.
    """
    ratio = on_whole.reindex(on_half.index) / on_half.where(on_half > 0)
    return ratio.reindex(sizes).to_numpy(dtype=float)


def mdads_on_whole(
    measured: Measured, advice: Advice, on_half: pd.Series, on_whole: pd.Series
) -> pd.Series:
    """MDADs in points by size that an advised way may be expected to have on the whole benchmark.

    For uniform sampling read with the plain mean it is the theory's; for another what was
    measured, scaled.
    """
    if (advice.selector, advice.estimator) == (BASELINE, PLAIN):
        return on_whole
    table = measured.mdad
    own = table[(table["selector"] == advice.selector) & (table["estimator"] == advice.estimator)]
    values = own["mdad"].to_numpy(dtype=float) * scale_to_whole(own["size"], on_half, on_whole)
    return pd.Series(values, index=own["size"].to_numpy())
