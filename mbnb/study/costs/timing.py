"""What choosing and judging cost: times them, and expects the time of a trial; keeps nothing."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter

import numpy as np
import pandas as pd
from threadpoolctl import threadpool_limits

from mbnb.data.errors import InputError
from mbnb.data.responses import ResponseMatrix
from mbnb.judge.agreement import agreement, mdad
from mbnb.judge.table import Trials
from mbnb.methods.anchor_points import MOST_HELD
from mbnb.methods.large_medoids import (
    LARGEST_SAMPLE,
    SAMPLE,
    SAMPLE_PER_MEDOID,
    TRIED,
    TRIED_PER_MEDOID,
)
from mbnb.methods.selectors import SELECTORS, FittedSelector, Selection, make_selector
from mbnb.run.splits import DEFAULT_TARGETS
from mbnb.study.costs.rates import RATES

# What every selector's trial has: the split, the answers of its models, the estimates.
BOOKKEEPING = "bookkeeping"
# Anchor Points on train halves that are too large for all distances.
SAMPLED = "anchor-points, sampled"
# Distances that a processor's cache holds, roughly: 16 MB.
CACHED = 4e6
N_REPEATS = 8
N_PASSES = 8


def time_selector(
    selector: str, train: ResponseMatrix, sizes: Sequence[int], *, seed: int = 0
) -> tuple[FittedSelector, dict[int, Selection], pd.DataFrame]:
    """Fit a selector once, choose at every size, and time each step.

    Parameters
    ----------
    selector : str
    train : ResponseMatrix
        Source models × items of the train half.
    sizes : sequence of int
    seed : int
        Every size starts from the same state of the generator.

    Returns
    -------
    (FittedSelector, dict of int to Selection, DataFrame)
        The costs have columns step ("fit" or "selection"), selector, size (NaN for the fit) and
        seconds of wall time, which depend on the machine and on what else it does.
    """
    begun = perf_counter()
    fitted = make_selector(selector).fit(train)
    rows: list[tuple[str, str, float, float]] = [("fit", selector, np.nan, perf_counter() - begun)]
    selections = {}
    for size in sizes:
        rng = np.random.default_rng(seed)
        begun = perf_counter()
        selections[size] = fitted.select(size, rng)
        rows.append(("selection", selector, size, perf_counter() - begun))
    return fitted, selections, pd.DataFrame(rows, columns=["step", "selector", "size", "seconds"])


def time_judging(trials: Trials) -> float:
    """Seconds of agreement, MDAD and intervals of finished trials."""
    begun = perf_counter()
    mdad(agreement(trials))
    return perf_counter() - begun


def expected_seconds(
    selector: str, *, n_items: int, n_source: int, sizes: Sequence[int], yardstick: float
) -> float:
    """Seconds that one selector takes for one trial on one core, from the split to the estimates.

    Each step costs its leading terms (see `work`), at rates that were measured once in units of
    the yardstick: a machine whose yardstick takes twice as long takes about twice as long. What
    depends on the answers (rounds of a fit, swaps of medoids) is as on the simulated leaderboards.

    Parameters
    ----------
    selector : str
        One of the book's own; nothing is known of others.
    n_items : int
        Items of the train half.
    n_source : int
        Source models.
    sizes : sequence of int
    yardstick : float
        Seconds, from `measure_yardstick`.

    Raises
    ------
    InputError
        If the selector is not one of the book's, a size is not possible with so many items, or
        one of the numbers is not above 0.
    """
    if selector not in SELECTORS:
        raise InputError(
            f"the cost of selector '{selector}' is not known; known are {', '.join(SELECTORS)}."
        )
    if n_items < 1 or n_source < 1 or not yardstick > 0:
        raise InputError(
            f"{n_items} items, {n_source} source models and a yardstick of {yardstick} s are not "
            "possible; each must be above 0."
        )
    bad = [size for size in sizes if not 1 <= size <= n_items]
    if bad:
        raise InputError(
            f"size {bad[0]} is not possible: the train half has {n_items} items; allowed are 1 to "
            f"{n_items}."
        )
    way = SAMPLED if selector == "anchor-points" and n_items > MOST_HELD else selector
    total = 0.0
    for name in (BOOKKEEPING, way):
        fit, selection = RATES[name]
        total += float(np.dot(fit, work(name, n_items, n_source)))
        total += sum(float(np.dot(selection, work(name, n_items, n_source, k))) for k in sizes)
    return total * yardstick


def work(name: str, n_items: int, n_source: int, size: int | None = None) -> tuple[float, ...]:
    """The leading terms of one step's cost, in millions of operations; their rates are `RATES`.

    Parameters
    ----------
    name : str
        A selector, `BOOKKEEPING` or `SAMPLED`.
    n_items, n_source : int
        Of the train half.
    size : int, optional
        Of one selection; the terms are those of the fit where none is given.

    Returns
    -------
    tuple of float
        As many as there are rates for the step.
    """
    n, s = float(n_items), float(n_source)
    if size is None:
        terms = {
            # Ids are hashed and drawn; answers of sources and targets are copied.
            BOOKKEEPING: (1, n, n * (s + DEFAULT_TARGETS)),
            "uniform": (),
            "subtask": (1, n),
            # One mean for each item, then clusters on a line.
            "confidence": (1, n, n * s),
            # The smaller Gram matrix of items and models, and its eigenvectors.
            "diversity": (1, n * s, n * s * min(n, s), min(n, s) ** 3),
            # All correlations: a product, and a pass over what comes out.
            "anchor-points": (1, n * n, n * n * s),
            SAMPLED: (1, n * s),
            # So many rounds, each of products over all cells and a small system for each row.
            "tinybenchmarks": (n, s, n * s),
        }
        return tuple(term / 1e6 for term in terms[name])
    k = float(size if size < n_items else 0)  # 0: all items are taken, nothing is chosen
    sample = min(max(SAMPLE, SAMPLE_PER_MEDOID * k), LARGEST_SAMPLE, n)
    tried = min(max(TRIED, TRIED_PER_MEDOID * k), n)
    made = (n * (sample + tried + k) + sample**2) * (k > 0)  # distances
    terms = {
        BOOKKEEPING: (1,),
        "uniform": (n,),
        "subtask": (1, n),
        "confidence": (1,),
        # Polynomials, their orthonormal basis, and draws that project on what is spanned.
        "diversity": (k, n * k, n * k * k, k * k * k),
        # Passes over all distances, more for more medoids; memory is slower than a cache.
        "anchor-points": (
            n * n * (k > 0),
            n * n * np.log2(k + 1),
            max(n * n - CACHED, 0) * np.log2(k + 1),
        ),
        # FasterPAM on the sample; distances to all items; those of items whose medoid has gone.
        SAMPLED: (sample**2 * np.log2(k + 1), made * s, made, n * k * s),
        # k-means; distances of items and centres.
        "tinybenchmarks": (k > 0, n * (k > 0), n * k, n * k * np.log2(k + 1)),
    }
    return tuple(float(term) / 1e6 for term in terms[name])


def measure_yardstick() -> float:
    """Seconds that this machine takes for a fixed piece of work on one thread.

    About half of it is a product of two matrices of 1,000 × 1,000 (processor), half eight passes
    over 80 MB (memory); each is repeated and its shortest time counts. Takes about half a second.
    """
    square = np.linspace(0, 1, 1_000_000).reshape(1000, 1000)
    stream = np.linspace(0, 1, 20_000_000, dtype=np.float32)
    products, passes = [], []
    with threadpool_limits(1):
        for _ in range(N_REPEATS):
            begun = perf_counter()
            square @ square
            between = perf_counter()
            for _ in range(N_PASSES):
                stream.max()
            passes.append(perf_counter() - between)
            products.append(between - begun)
    return min(products) + min(passes)
