"""What the number of source models does to a selector; runs no trial and draws no figure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from mbnb.data.errors import InputError
from mbnb.data.responses import ResponseMatrix
from mbnb.judge.agreement import Agreement
from mbnb.judge.differences import mdad_differences
from mbnb.judge.table import Trials

# In points: a bin's width. MDADs that differ by no more are called equal.
STEP = 0.5
NAMES = ("selector", "estimator", "model")


def join_trials(runs: Sequence[Trials], *, renumber: bool = False) -> Trials:
    """Several runs on the same items as one table, so that they can be judged together.

    Parameters
    ----------
    runs : sequence of Trials
        Of the same data, with halves of the same sizes.
    renumber : bool
        Give every run trials of its own, counted on from those before. Without it, trials of one
        number count as the same trial, as they are where runs differ in selectors or `n_source`.

    Raises
    ------
    InputError
        If there is no run, or the halves differ.
    """
    if not runs:
        raise InputError("there are no trials to join; give at least one run.")
    shapes = {(run.n_train, run.n_heldout, run.binary) for run in runs}
    if len(shapes) > 1:
        raise InputError("the runs to join have halves of different sizes; join runs of one grid.")
    tables, before = [], 0
    for run in runs:
        table = run.table.astype(dict.fromkeys(NAMES, object))
        if renumber:
            table["trial"] += before
            before += run.n_trials
        tables.append(table)
    table = pd.concat(tables, ignore_index=True)
    for name in NAMES:
        table[name] = pd.Categorical(table[name], list(dict.fromkeys(table[name])))
    notes = tuple(dict.fromkeys(note for run in runs for note in run.notes))
    return replace(runs[0], table=table, notes=notes)


def source_gains(
    counts: Agreement,
    *,
    threshold: float = 0.8,
    min_pairs: int = 1,
    level: float = 0.95,
    n_resamples: int = 1000,
    seed: int = 0,
) -> pd.DataFrame:
    """By how many points the most sources bring an MDAD below that of fewer.

    The same trials are drawn for both numbers: they share their halves and their targets.

    Parameters
    ----------
    counts : Agreement
        Of trials with several `n_source`.
    threshold, min_pairs, level, n_resamples, seed
        See `mdad`; the rule is the first.

    Returns
    -------
    DataFrame
        A row for each cell with fewer than the most sources: the cell, ``most``, ``gain``, ``low``
        and ``high`` in points. NaN where an MDAD is not reached or an end is open.
    """
    cells = counts.cells.reset_index(drop=True)
    pairs = []
    for _, own in cells.groupby(["selector", "estimator", "size"], observed=True, sort=False):
        most = int(own["n_source"].idxmax())
        pairs += [(int(cell), most) for cell in own.index[own.index != most]]
    found = mdad_differences(
        counts,
        counts,
        pairs,
        threshold=threshold,
        min_pairs=min_pairs,
        level=level,
        n_resamples=n_resamples,
        seed=seed,
    )
    fewer, most_of = ([pair[side] for pair in pairs] for side in (0, 1))
    table = cells.loc[fewer].astype({"selector": str, "estimator": str}).reset_index(drop=True)
    table["most"] = cells["n_source"].to_numpy()[most_of]
    return pd.concat([table, _as_gains(found)], axis=1)


def lot_gains(
    counts: Agreement,
    others: Agreement,
    *,
    threshold: float = 0.8,
    min_pairs: int = 1,
    level: float = 0.95,
    n_resamples: int = 1000,
    seed: int = 0,
) -> pd.DataFrame:
    """By how many points an MDAD lies below that of the same cell with other source models.

    The same trials are drawn for both; see `run_pools`, whose lots share targets and halves.

    Parameters
    ----------
    counts, others : Agreement
        With the same cells and trials.
    threshold, min_pairs, level, n_resamples, seed
        See `mdad`; the rule is the first.

    Returns
    -------
    DataFrame
        The cells with ``gain``, ``low`` and ``high`` in points: the others' MDAD minus the own.
        NaN where an MDAD is not reached or an end is open.

    Raises
    ------
    InputError
        If the cells or the trials differ.
    """
    if not counts.cells.astype(str).equals(others.cells.astype(str)) or (
        counts.pairs.shape[1] != others.pairs.shape[1]
    ):
        raise InputError("the two counts are of other cells or trials; compare runs of one grid.")
    found = mdad_differences(
        others,
        counts,
        [(c, c) for c in range(len(counts.cells))],
        threshold=threshold,
        min_pairs=min_pairs,
        level=level,
        n_resamples=n_resamples,
        seed=seed,
    )
    return pd.concat([counts.cells, _as_gains(found)], axis=1)


def _as_gains(found: pd.DataFrame) -> pd.DataFrame:
    """Differences of MDADs as a gain with its interval."""
    return found.rename(columns={"difference": "gain"})[["gain", "low", "high"]]


def enough_sources(table: pd.DataFrame) -> pd.DataFrame:
    """From how many sources on more of them bring an MDAD down by no more than a bin.

    Parameters
    ----------
    table : DataFrame
        Columns selector, size, n_source and mdad (points; NaN: not reached), one half, one data
        set.

    Returns
    -------
    DataFrame
        By selector and size: ``enough`` (the least n_source at which, and above which, the MDAD is
        at most `STEP` points above that with the most sources; NaN where the most do not reach
        it), ``fewest`` and ``most`` (n_source), and ``gain``, the MDAD with the fewest minus that
        with the most (points; NaN where either is not reached).
    """
    rows = []
    for (selector, size), own in table.groupby(["selector", "size"], observed=True, sort=False):
        own = own.sort_values("n_source")
        values, numbers = own["mdad"].to_numpy(float), own["n_source"].to_numpy()
        last = values[-1]
        close = np.where(np.isnan(values), np.inf, values) <= last + STEP + 1e-9
        # The longest run of close values that ends with the most sources.
        start = len(close) - int(np.logical_and.accumulate(close[::-1]).sum())
        enough = np.nan if np.isnan(last) else float(numbers[start])
        rows.append((selector, size, enough, numbers[0], numbers[-1], values[0] - last))
    columns = ["selector", "size", "enough", "fewest", "most", "gain"]
    return pd.DataFrame(rows, columns=columns)


def correlation_noise(
    matrix: ResponseMatrix,
    counts: Sequence[int],
    *,
    n_pairs: int = 2000,
    n_repeats: int = 20,
    seed: int = 0,
) -> pd.DataFrame:
    """How far the correlation of two items strays when it is read from few models.

    Two groups that share no model are drawn, the correlations of the same pairs of items are
    computed in both, and their mean squared difference is twice the squared noise of one.

    Parameters
    ----------
    matrix : ResponseMatrix
        The models to draw from; confidences are used where there are any.
    counts : sequence of int
        Models in a group: at least 3, at most half of the matrix's.
    n_pairs, n_repeats, seed : int
        Pairs of items, and draws of two groups for each number.

    Returns
    -------
    DataFrame
        ``n_source``; ``noise``, the standard deviation of one correlation; ``expected``,
        1/√(n − 1), what unrelated items and independent models give; ``spread``, the standard
        deviation over pairs of the correlations in all models, which is what there is to be seen.

    Raises
    ------
    InputError
        If a number of models is not possible.
    """
    for n in counts:
        if not 3 <= n <= matrix.n_models // 2:
            raise InputError(
                f"groups of {n} models are not possible; allowed are 3 to {matrix.n_models // 2}, "
                f"half of the {matrix.n_models} models."
            )
    rng = np.random.default_rng(np.random.SeedSequence([seed, n_pairs]))
    evidence = matrix.evidence.astype(np.float64)
    pairs = rng.integers(0, matrix.n_items, size=(2, n_pairs))
    pairs = pairs[:, pairs[0] != pairs[1]]
    spread = float(np.nanstd(_correlations(evidence, pairs)))
    rows = []
    for n in counts:
        squares = []
        for _ in range(n_repeats):
            order = rng.permutation(matrix.n_models)
            first, second = (
                _correlations(evidence[own], pairs) for own in order[: 2 * n].reshape(2, n)
            )
            squares.append((first - second) ** 2)
        noise = np.sqrt(np.nanmean(squares) / 2)
        rows.append((n, float(noise), 1 / np.sqrt(n - 1), spread))
    return pd.DataFrame(rows, columns=["n_source", "noise", "expected", "spread"])


def _correlations(evidence: np.ndarray, pairs: np.ndarray) -> np.ndarray:
    """Correlations of pairs of items over models, shape (n_pairs,); NaN where one is constant."""
    centred = evidence - evidence.mean(axis=0)
    spread = np.sqrt((centred**2).sum(axis=0))
    products = np.einsum("mp,mp->p", centred[:, pairs[0]], centred[:, pairs[1]])
    size = spread[pairs[0]] * spread[pairs[1]]
    varies = size > 1e-12
    return np.divide(products, size, out=np.full(products.shape, np.nan), where=varies)
