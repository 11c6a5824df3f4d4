"""Agreement curves that never fall as the gap grows; sees counts by gap, knows no trial."""

from __future__ import annotations

import numpy as np
from scipy.optimize import isotonic_regression

from mbnb.data.errors import InputError

# Counts are whole or halves, but the threshold's share of them is not: sums that are equal as
# fractions may differ in the last bits.
ROUNDING = 1e-6


def isotonic_curve(pairs: np.ndarray, agreeing: np.ndarray) -> np.ndarray:
    """The rising curve nearest to the agreement of the bins, each weighted by its pairs.

    Neighbouring bins whose agreement falls are pooled until none falls (pool adjacent violators;
    Ayer et al. 1955): the curve of greatest likelihood among those that never fall, if pairs were
    independent.

    Parameters
    ----------
    pairs, agreeing : ndarray, shape (n_bins,)
        In each bin of gaps, from the smallest gap on; bins may be empty.

    Returns
    -------
    ndarray, shape (n_bins,)
        Agreement (0–1); NaN in an empty bin.

    Raises
    ------
    InputError
        If no bin holds a pair.
    """
    held = pairs > 0
    if not held.any():
        raise InputError("the curve has no pairs in any bin; at least one pair is needed.")
    fitted = np.full(pairs.shape, np.nan)
    fitted[held] = isotonic_regression(agreeing[held] / pairs[held], weights=pairs[held]).x
    return fitted


def isotonic_crossing(pairs: np.ndarray, agreeing: np.ndarray, threshold: float) -> np.ndarray:
    """First bin in which the curve of `isotonic_curve` reaches the threshold; no curve is fitted.

    Going up the gaps, add up by how much the agreeing pairs exceed the threshold's share of all
    pairs. By the min–max formula of isotonic regression the curve is below the threshold up to
    where this sum is lowest, and at or above it from the next bin on (the switch relation;
    Groeneboom and Jongbloed 2014). So one sum and one minimum do for any number of curves.

    Parameters
    ----------
    pairs, agreeing : ndarray, shape (n, n_bins)
        Of n curves, such as resamples of one.
    threshold : float

    Returns
    -------
    ndarray of int, shape (n,)
        Number of the bin, which holds pairs; n_bins where the curve does not get there.
    """
    n_bins = pairs.shape[1]
    lowest = _lowest(_excess(pairs, agreeing, threshold))
    # The bin next to the lowest place may be empty; the first with pairs decides.
    reached = (np.arange(n_bins) >= lowest[:, None]) & (pairs > 0)
    return np.where(reached.any(axis=1), reached.argmax(axis=1), n_bins)


def interpolated_crossing(
    pairs: np.ndarray, agreeing: np.ndarray, gaps: np.ndarray, threshold: float
) -> np.ndarray:
    """Gap at which the curve of `isotonic_curve`, its steps joined by lines, meets the threshold.

    A step is a run of pooled bins and stands for the mean gap of its pairs. The line joins the last
    step below the threshold and the first at or above it, so that the answer hardly depends on how
    wide the bins are.

    Parameters
    ----------
    pairs, agreeing : ndarray, shape (n, n_bins)
        Of n curves.
    gaps : ndarray, shape (n_bins,)
        In points.
    threshold : float

    Returns
    -------
    ndarray, shape (n,)
        In points; the first gap with pairs where no step is below the threshold, NaN where none is
        at or above it.
    """
    excess = _excess(pairs, agreeing, threshold)
    weight, moment = (_sums(values) for values in (pairs, pairs * gaps))
    lowest, n_bins = _lowest(excess)[:, None], pairs.shape[1]
    rows, places = np.arange(len(pairs)), np.arange(n_bins + 1)
    run = weight - np.take_along_axis(weight, lowest, 1)
    # Chords from the lowest place: the steps beside it are the shallowest, and of equal ones the
    # longest, on either side.
    with np.errstate(divide="ignore", invalid="ignore"):
        slope = np.round((excess - np.take_along_axis(excess, lowest, 1)) / run, 9)
        centre = (moment - np.take_along_axis(moment, lowest, 1)) / run
    below = np.where((places < lowest) & (run < 0), slope, -np.inf).argmax(axis=1)
    above = np.where((places > lowest) & (run > 0), slope, np.inf)
    above = n_bins - above[:, ::-1].argmin(axis=1)
    down, up = slope[rows, below], slope[rows, above]
    with np.errstate(invalid="ignore"):
        part = -down / (up - down)
        met = centre[rows, below] + part * (centre[rows, above] - centre[rows, below])
    first = gaps[(pairs > 0).argmax(axis=1)]
    met = np.where(lowest[:, 0] == 0, first, met)
    return np.where(isotonic_crossing(pairs, agreeing, threshold) < n_bins, met, np.nan)


def _sums(values: np.ndarray) -> np.ndarray:
    """Sums of each row up to each place, 0 first; shape (n, n_bins + 1)."""
    sums = np.zeros((len(values), values.shape[1] + 1))
    np.cumsum(values, axis=1, out=sums[:, 1:])
    return sums


def _excess(pairs: np.ndarray, agreeing: np.ndarray, threshold: float) -> np.ndarray:
    """Agreeing pairs beyond the threshold's share, summed up to each place."""
    return _sums(agreeing - threshold * pairs)


def _lowest(excess: np.ndarray) -> np.ndarray:
    """First place in each row where the sum is lowest."""
    return np.argmax(excess <= excess.min(axis=1, keepdims=True) + ROUNDING, axis=1)
