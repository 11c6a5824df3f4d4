"""Agreement by gap and what follows from it; sees trials only, never a response matrix."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

import numpy as np
import pandas as pd

from mbnb.data.errors import InputError
from mbnb.judge.counting import count_pairs, pair_blocks
from mbnb.judge.isotonic import interpolated_crossing, isotonic_crossing
from mbnb.judge.table import HALVES, Trials, accuracy_column, by_trial, cells_of, trial_ids

NOT_REACHED = "not reached"
BINNINGS = ("centred", "floor")
TIES = ("wrong", "half")
FULL_TIES = ("excluded", "order")
RULES = ("first", "sustained", "isotonic", "interpolated")
# Those by a rising curve, in which a thin bin weighs little and need not be left out.
RISING = ("isotonic", "interpolated")


@dataclass(frozen=True)
class Reading:
    """How agreement is counted and an MDAD is read; the defaults are the paper's.

    Attributes
    ----------
    threshold : float
        Agreement to reach, above 0.5, at most 1.
    rule : {"first", "sustained", "isotonic", "interpolated"}
        The first bin at or above the threshold (the paper's), the first from which on every bin
        is, or the first in which the rising curve nearest to all bins is (see `isotonic_curve`);
        or where that curve, its steps joined by lines, meets the threshold, to a tenth of a point.
    min_pairs : int
        Bins with fewer pairs, over all trials, decide nothing.
    ties : {"wrong", "half"}
        What a tied estimate counts: nothing (the paper's rule), or a half.
    full_ties : {"excluded", "order"}
        Pairs tied on the full half are left out and counted, or put in the first bin and decided
        by the order of the models in the table (the released code's rule).
    binning : {"centred", "floor"}
        Bins centred on 0, `width`, 2 `width`, …, or the released code's: floor, labelled by the
        left edge. Where scores are binary, gaps are binned as counts of items, exactly.
    width : float
        Of a bin, in points: above 0, at most 100.
    level : float
        Of intervals, between 0 and 1.

    Raises
    ------
    InputError
        If a value is not as above.
    """

    threshold: float = 0.8
    rule: str = "first"
    min_pairs: int = 1
    ties: str = "wrong"
    full_ties: str = "excluded"
    binning: str = "centred"
    width: float = 0.5
    level: float = 0.95

    def __post_init__(self) -> None:
        for name, allowed in (
            ("rule", RULES),
            ("ties", TIES),
            ("full_ties", FULL_TIES),
            ("binning", BINNINGS),
        ):
            if getattr(self, name) not in allowed:
                raise InputError(
                    f"{name} '{getattr(self, name)}' is unknown; allowed: {', '.join(allowed)}."
                )
        for name, possible, allowed_numbers in (
            ("threshold", 0.5 < self.threshold <= 1, "above 0.5, at most 1"),
            ("width", 0 < self.width <= 100, "above 0, at most 100 points"),
            ("level", 0 < self.level < 1, "between 0 and 1"),
            ("min_pairs", self.min_pairs >= 1, "at least 1"),
        ):
            if not possible:
                raise InputError(
                    f"{name} {getattr(self, name)} is not possible; allowed: {allowed_numbers}."
                )


PAPER = Reading()
# How to read an MDAD if nothing binds one to the paper's rule; appendix B has the evidence.
RECOMMENDED = Reading(rule="interpolated")


@dataclass(frozen=True, eq=False)
class Agreement:
    """Counts of pairs by gap.

    Attributes
    ----------
    cells : DataFrame
        One row for each selector, estimator, size and n_source.
    gaps : ndarray, shape (n_bins,)
        The bins' labels in points: their centres, or their left edges with ``binning="floor"``.
    pairs, agreeing : ndarray, shape (n_cells, n_trials, n_bins)
        Pairs of target models in each bin, and those that the estimate orders as the full half
        does (with ``ties="half"`` a tied estimate adds a half).
    tied_pairs : int
        Pairs with equal accuracy on the full half, over all trials of one cell; with
        ``full_ties="excluded"`` they are in no bin.
    dataset, half : str
    reading : Reading
        By which pairs were counted, and an MDAD is read unless another reading is given.
    """

    cells: pd.DataFrame
    gaps: np.ndarray
    pairs: np.ndarray
    agreeing: np.ndarray
    tied_pairs: int
    dataset: str
    half: str
    reading: Reading = PAPER

    def curve(self) -> pd.DataFrame:
        """One row for each cell and bin that holds pairs: gap, pairs, agreeing, agreement."""
        pairs, agreeing = self.pairs.sum(axis=1), self.agreeing.sum(axis=1)
        cell, gap = np.nonzero(pairs)
        table = self.cells.iloc[cell].reset_index(drop=True)
        return table.assign(
            gap=self.gaps[gap],
            pairs=pairs[cell, gap],
            agreeing=agreeing[cell, gap],
            agreement=agreeing[cell, gap] / pairs[cell, gap],
        )


def agreement(trials: Trials, half: str = "train", reading: Reading = PAPER) -> Agreement:
    """Count, by gap, the pairs of target models that the estimates order as the full half does.

    Parameters
    ----------
    trials : Trials
    half : {"train", "heldout"}
        The half whose accuracies give the gap and the right order.
    reading : Reading
        Its ties, full_ties, binning and width count here; `mdad` reads by the rest.

    Raises
    ------
    InputError
        If the half is not one of those named.

    Notes
    -----
    Pairs are compared in blocks and never held as rows, so that a few megabytes do for thousands of
    target models. Source: Yauney, Warraich and Swayamdipta (2026).
    """
    if half not in HALVES:
        raise InputError(f"half '{half}' is unknown; allowed: {', '.join(HALVES)}.")
    n_items = (trials.n_train if half == "train" else trials.n_heldout) if trials.binary else None
    # Accuracies lie within 100 points; ratings have no such end.
    column = trials.table[accuracy_column(half)]
    n_bins = int(100 * max(1, column.max() - column.min()) / reading.width) + 2
    cells, ids = cells_of(trials), trial_ids(trials)
    shape = (len(cells), ids.size, n_bins)
    pairs, agreeing = np.zeros(shape, dtype=np.int64), np.zeros(shape)
    tied = np.zeros(len(cells), dtype=np.int64)
    bins_of = look_up_bins(reading.width, reading.binning, n_items)
    for trial, own, accuracies, estimates in by_trial(trials, half):
        t = int(np.searchsorted(ids, trial))
        standings = accuracies
        if n_items is not None:
            standings = np.rint(accuracies * n_items).astype(np.int32)
        pairs[own, t], agreeing[own, t], n_tied = count_pairs(
            standings,
            estimates,
            bins_of,
            n_bins,
            ties=reading.ties,
            full_ties=reading.full_ties,
        )
        tied[own] += n_tied
    used = int(np.flatnonzero(pairs.any(axis=(0, 1))).max(initial=0)) + 1
    return Agreement(
        cells=cells,
        gaps=np.arange(used) * reading.width,
        pairs=pairs[:, :, :used],
        agreeing=agreeing[:, :, :used],
        tied_pairs=int(tied.max()),
        dataset=trials.dataset,
        half=half,
        reading=reading,
    )


def look_up_bins(
    width: float, binning: str, n_items: int | None
) -> Callable[[np.ndarray], np.ndarray]:
    """`gap_bins` of these settings as a function of gaps; counts (`n_items`) look theirs up."""
    if n_items is None:
        return partial(gap_bins, width=width, binning=binning)
    return gap_bins(np.arange(n_items + 1), width, binning, n_items).astype(np.int32).take


def gap_bins(
    gaps: np.ndarray, width: float, binning: str = "centred", n_items: int | None = None
) -> np.ndarray:
    """Bin of each gap, shape as `gaps`.

    Parameters
    ----------
    gaps : ndarray
        Differences of counts of correct items where `n_items` is given, else of accuracies (0–1).
    width : float
        Of a bin, in points.
    binning : {"centred", "floor"}
    n_items : int, optional
        Items that the counts are out of: the bins are then exact, and no rounding moves a pair.
    """
    if n_items is not None:
        exact = Fraction(width).limit_denominator(1000)
        # gap / width = 100 count q / (n_items p) for width p / q; half a bin more when centred.
        above = 200 * exact.denominator * gaps.astype(np.int64)
        below = 2 * n_items * exact.numerator
        shift = n_items * exact.numerator if binning == "centred" else 0
        return (above + shift) // below
    half_bin = 0.5 if binning == "centred" else 0.0
    return np.floor(gaps * 100 / width + half_bin + 1e-9).astype(np.int64)


def mdad(
    counts: Agreement,
    reading: Reading | None = None,
    *,
    n_resamples: int = 1000,
    seed: int = 0,
) -> pd.DataFrame:
    """Minimum detectable ability difference of each cell, with an interval.

    Parameters
    ----------
    counts : Agreement
    reading : Reading, optional
        Its threshold, rule, min_pairs and level decide; that of the counts where none is given.
    n_resamples, seed : int
        Of the bootstrap, which resamples trials, not pairs: pairs of one trial share its models.
        No interval (NaN) with fewer than two trials.

    Returns
    -------
    DataFrame
        The cells with ``mdad``, ``low`` and ``high`` in points, ``pairs`` in all, and the
        ``threshold``; NaN means that no bin reached it: an MDAD of NaN is to be printed as “not
        reached”, and a NaN ``high`` means that the interval is open above.

    Notes
    -----
    Source: Yauney, Warraich and Swayamdipta (2026); see `Reading` for what this book adds.
    """
    reading = reading or counts.reading
    n_trials = counts.pairs.shape[1]
    draws = resampling(counts, n_resamples, seed)
    rows = []
    for pairs, agreeing in zip(counts.pairs, counts.agreeing, strict=True):
        value = crossing(pairs.sum(axis=0)[None], agreeing.sum(axis=0)[None], counts.gaps, reading)[
            0
        ]
        low = high = np.nan
        if n_trials > 1:
            resampled = crossing(draws @ pairs, draws @ agreeing, counts.gaps, reading)
            # “Not reached” lies above every gap.
            ranked = np.where(np.isnan(resampled), np.inf, resampled)
            tail = (1 - reading.level) / 2
            low, high = np.quantile(ranked, [tail, 1 - tail], method="inverted_cdf")
        rows.append((value, *(v if np.isfinite(v) else np.nan for v in (low, high)), pairs.sum()))
    table = pd.DataFrame(rows, columns=["mdad", "low", "high", "pairs"])
    return pd.concat([counts.cells, table.assign(threshold=reading.threshold)], axis=1)


def pair_gaps(accuracies: np.ndarray) -> np.ndarray:
    """Gaps of all pairs of models in points, from accuracies (0–1); shape (n (n − 1) / 2,).

    Eight bytes a pair: 61 MB for 3,903 models.
    """
    gaps = np.empty(len(accuracies) * (len(accuracies) - 1) // 2)
    done = 0
    for first, second in pair_blocks(len(accuracies)):
        own = np.round(100 * np.abs(accuracies[first] - accuracies[second]), 9)
        gaps[done : done + own.size] = own
        done += own.size
    return gaps


def format_mdad(value: float) -> str:
    """An MDAD as people read it: “4.5”, or “not reached”."""
    return NOT_REACHED if np.isnan(value) else f"{value:g}"


def format_interval(row: pd.Series) -> str:
    """An MDAD with its interval as people read it: “4.5 [4–5]”; “…” where it is open above."""
    value = format_mdad(row["mdad"])
    if np.isnan(row["low"]):
        return value
    high = "…" if np.isnan(row["high"]) else f"{row['high']:g}"
    return f"{value} [{row['low']:g}–{high}]"


def resampling(counts: Agreement, n_resamples: int, seed: int) -> np.ndarray:
    """How often each trial is drawn in each resample, shape (n_resamples, n_trials)."""
    n_trials = counts.pairs.shape[1]
    rng = np.random.default_rng(seed)
    draws = rng.multinomial(n_trials, np.full(n_trials, 1 / n_trials), size=n_resamples)
    # Counts of pairs are exact as floats, and only products of floats are BLAS's.
    return draws.astype(np.float64)


def crossing(
    pairs: np.ndarray, agreeing: np.ndarray, gaps: np.ndarray, reading: Reading
) -> np.ndarray:
    """The gap at which agreement reaches the threshold, or NaN; counts of shape (n, n_bins).

    Counts need not be whole, as where a resample weights its pairs.
    """
    threshold, rule = reading.threshold, reading.rule
    counted = pairs >= reading.min_pairs
    if rule in RISING:
        decide = np.where(counted, pairs, 0), np.where(counted, agreeing, 0)
        if rule == "interpolated":
            return np.round(interpolated_crossing(*decide, gaps, threshold), 1)
        return np.append(gaps, np.nan)[isotonic_crossing(*decide, threshold)]
    # Counts are exact but threshold × pairs is not: 0.8 × 5 must not exceed 4.
    reached = agreeing >= threshold * pairs - 1e-9
    passes = counted & reached
    if rule == "sustained":
        fails_later = np.flip(np.logical_or.accumulate(np.flip(counted & ~reached, 1), axis=1), 1)
        passes &= ~fails_later
    return np.where(passes.any(axis=1), gaps[passes.argmax(axis=1)], np.nan)
