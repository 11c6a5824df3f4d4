"""From the half on which items were chosen to new items: what a ranking loses; runs no trial."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
from scipy.stats import norm

from mbnb.data.errors import InputError
from mbnb.judge.agreement import Agreement
from mbnb.judge.differences import mdad_differences
from mbnb.judge.normal import STEP
from mbnb.judge.table import CELL, Trials


def whole_half(trials: Trials) -> Trials:
    """The same trials with the whole train half as the micro-benchmark: nothing is chosen.

    Judged on the held-out half, it says how well one half of the items foretells the other, which
    no choice of items from it can be expected to surpass by much.

    Returns
    -------
    Trials
        Of one cell: selector and estimator are called ``whole half``, the size is that of the half.
    """
    table = trials.table
    first = table[CELL].iloc[0]
    own = table[(table[CELL] == first).all(axis=1)]
    name = pd.Categorical(["whole half"] * len(own))
    own = own.assign(
        selector=name, estimator=name, size=trials.n_train, estimate=own["train_accuracy"]
    )
    return replace(trials, table=own.reset_index(drop=True), notes=())


def half_difference(
    train: Agreement,
    heldout: Agreement,
    *,
    threshold: float = 0.8,
    min_pairs: int = 1,
    level: float = 0.95,
    n_resamples: int = 1000,
    seed: int = 0,
) -> pd.DataFrame:
    """MDAD on the held-out half minus that on the train half, for each cell.

    Trials are resampled, and the same ones for both halves: they share models and estimates, so
    that what is alike in both cancels.

    Parameters
    ----------
    train, heldout : Agreement
        Of the same trials, on either half.
    threshold, min_pairs, level, n_resamples, seed
        See `mdad`; the rule is the first.

    Returns
    -------
    DataFrame
        The cells with ``train`` and ``heldout`` (MDADs), ``difference``, ``low`` and ``high``, all
        in points. NaN where an MDAD is not reached; an end of the interval is NaN where it is open
        or there are fewer than two trials.

    Raises
    ------
    InputError
        If the two are not of the same cells and trials.
    """
    if not train.cells.equals(heldout.cells) or train.pairs.shape[:2] != heldout.pairs.shape[:2]:
        raise InputError(
            f"the counts on the halves are of {len(train.cells)} and {len(heldout.cells)} cells "
            f"and of {train.pairs.shape[1]} and {heldout.pairs.shape[1]} trials; both must be of "
            "the same trials."
        )
    found = mdad_differences(
        heldout,
        train,
        [(c, c) for c in range(len(train.cells))],
        threshold=threshold,
        min_pairs=min_pairs,
        level=level,
        n_resamples=n_resamples,
        seed=seed,
    )
    table = found.rename(columns={"first": "heldout", "second": "train"})
    table = table[["train", "heldout", "difference", "low", "high"]]
    return pd.concat([train.cells.reset_index(drop=True), table], axis=1)


def expected_on_halves(
    pairs: pd.DataFrame,
    sizes: Sequence[int],
    n_train: int,
    n_heldout: int,
    threshold: float = 0.8,
) -> pd.DataFrame:
    """The MDAD of uniform sampling on either half, in points, by a normal approximation.

    Two models differ on a share r of the items, and the gap on the half that judges is d. The
    difference of their means on k items of the train half scatters about d with a variance of

    - (r − d²) (1/k − 1/n_train), judged by the train half, of which the items are a part;
    - (r − d²) (1/k + 1/n_heldout), judged by the held-out half, a second sample beside them.

    It must be at least one item of k, taken as above ½, since a tie is wrong. With k = n_train the
    second says how well one half foretells the other.

    Parameters
    ----------
    pairs : DataFrame
        Columns ``gap`` and ``disagreement`` (points), from `compare_pairs`; the disagreement of a
        gap is the mean of the pairs within half a point of it, interpolated where there are none.
    sizes : sequence of int
        From 1 to `n_train`.
    n_train, n_heldout : int
        Items of the halves.
    threshold : float

    Returns
    -------
    DataFrame
        By size, the columns ``train`` and ``heldout``; NaN where no gap that occurs reaches the
        threshold.

    Raises
    ------
    InputError
        If a size is not from 1 to n_train.
    """
    wrong = [size for size in sizes if not 1 <= size <= n_train]
    if wrong:
        raise InputError(f"size {wrong[0]} is not possible; allowed are 1 to {n_train}.")
    rates = pairs["disagreement"].groupby(np.rint(pairs["gap"])).mean()
    gaps = np.arange(STEP, pairs["gap"].max() + STEP, STEP)
    d = gaps / 100
    spread = np.maximum(np.interp(gaps, rates.index, rates) / 100, d) - d**2
    rows = []
    for size in sizes:
        found = []
        for share in (1 / size - 1 / n_train, 1 / size + 1 / n_heldout):
            noise = np.sqrt(np.maximum(spread * share, 1e-15))
            reached = norm.cdf((d - 0.5 / size) / noise) >= threshold
            found.append(float(gaps[reached.argmax()]) if reached.any() else np.nan)
        rows.append(found)
    index = pd.Index(list(sizes), name="size")
    return pd.DataFrame(rows, index=index, columns=["train", "heldout"], dtype=float)
