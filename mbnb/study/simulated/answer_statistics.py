"""What a response matrix looks like in numbers; compares no two of them.

Knows statistics of answers alone: it reads no file, runs no trial and does not know which selector
wins, so that a profile that was fitted by these numbers can be tested by that question.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from mbnb.data.errors import InputError
from mbnb.data.responses import ResponseMatrix
from mbnb.judge.normal import expected_mdad
from mbnb.judge.pairs import compare_pairs
from mbnb.methods.samples import scores_alone
from mbnb.methods.selectors import make_selector, singleton_share
from mbnb.run.splits import make_split, possible_counts, possible_sizes

SIZES = (10, 25, 50, 100, 250, 500, 1000)
QUANTILES = (5, 25, 50, 75, 95)
# Gaps in points that a pair of models is counted under.
GAPS = ((0, 1), (4, 7), (10, 15), (15, 20))
N_COMPONENTS = 5
# A quarter of the models must hold some, and a nearest neighbour must be one of several.
FEWEST_MODELS, FEWEST_ITEMS = 8, 10


def matrix_statistics(
    matrix: ResponseMatrix, *, sizes: Sequence[int] = SIZES, singletons: bool = True
) -> pd.DataFrame:
    """Statistics that say what a matrix is like for those who choose items from it.

    Parameters
    ----------
    matrix : ResponseMatrix
        Complete and binary.
    sizes, singletons
        See `fidelity`.

    Returns
    -------
    DataFrame
        Columns ``statistic``, ``at`` (str) and ``value``:

        - *accuracy*: quantiles over models in points, ``at`` per cent of the models; 100 is the
          best model
        - *solved*: quantiles over items of the share of models that solve an item, in per cent
        - *disagreement*: of pairs by their gap in points, in per cent of the items
        - *nearest*: disagreement with the model that answers most alike, quantiles over models, in
          per cent of the items
        - *correlation*: mean over all pairs of items, and over those of the same subtask (``at``
          *all*, *same subtask*), −1 to 1
        - *component*: share of the variance over models of a principal component of the items, in
          per cent
        - *weak and strong*: correlation over items of the shares of models that solve them, among
          the weakest and among the strongest quarter of the models
        - *uniform MDAD*: by `expected_mdad`, in points, by size
        - *singletons*: Anchor Points' clusters of one item, in per cent of the size, by size, on
          scores alone and the first trial's sources and train half
        - *confidence*: share of a confidence's variance that a single item's answer adds,
          E[p(1 − p)] ÷ (m(1 − m)) for a model's confidences p of mean m; means over quarters of
          the models by accuracy, 1 the weakest; only where there are confidences
        - *confidence correlation*: as *correlation*, of confidences; only where there are any

    Raises
    ------
    InputError
        If the matrix is not complete, not binary or too small.
    """
    check_binary(matrix)
    values: dict[tuple[str, str], float] = {}
    accuracies = matrix.accuracies()
    for at in (*QUANTILES, 100):
        values["accuracy", str(at)] = 100 * float(np.percentile(accuracies, at))
    solved = matrix.scores.mean(axis=0, dtype=np.float64)
    for at in QUANTILES:
        values["solved", str(at)] = 100 * float(np.percentile(solved, at))
    pairs = compare_pairs(matrix)
    for low, high in GAPS:
        near = pairs["gap"].between(low, high, inclusive="left")
        values["disagreement", f"{low}–{high}"] = float(pairs["disagreement"][near].mean())
    nearest = _nearest(matrix.scores)
    for at in (25, 50, 75):
        values["nearest", str(at)] = 100 * float(np.percentile(nearest, at))
    everything, within = _mean_correlations(matrix.scores, matrix.subtask_codes)
    values["correlation", "all"], values["correlation", "same subtask"] = everything, within
    for place, share in enumerate(_component_shares(matrix.scores), start=1):
        values["component", str(place)] = 100 * share
    values["weak and strong", ""] = _weak_and_strong(matrix.scores, accuracies)
    values |= _sampling(matrix, pairs, sizes, singletons)
    if matrix.confidences is not None:
        quarters = _quarters(accuracies)
        added = added_variance(matrix.confidences)
        for place in range(4):
            values["confidence", str(place + 1)] = float(np.nanmean(added[quarters == place]))
        everything, within = _mean_correlations(matrix.confidences, matrix.subtask_codes)
        values["confidence correlation", "all"] = everything
        values["confidence correlation", "same subtask"] = within
    rows = [(*row, values[row]) for row in statistics_order(sizes) if row in values]
    return pd.DataFrame(rows, columns=["statistic", "at", "value"])


def check_binary(matrix: ResponseMatrix) -> None:
    """Raise InputError unless the matrix can be described: complete, binary, not too small."""
    matrix.require_complete()
    if not matrix.binary:
        raise InputError(
            f"{matrix.name}: the scores are graded (from {matrix.scores.min():g} to "
            f"{matrix.scores.max():g}); a simulation makes right and wrong answers only, so give a "
            "matrix of 0 and 1."
        )
    if matrix.n_models < FEWEST_MODELS or matrix.n_items < FEWEST_ITEMS:
        raise InputError(
            f"{matrix.name} has {matrix.n_models} models × {matrix.n_items} items; at least "
            f"{FEWEST_MODELS} × {FEWEST_ITEMS} are needed to describe it."
        )


def added_variance(confidences: np.ndarray) -> np.ndarray:
    """E[p(1 − p)] ÷ (m(1 − m)) of each model (0–1): 1 if it is equally sure of all items, 0 if
    each of its confidences is 0 or 1."""
    p = confidences.astype(np.float64)
    mean = p.mean(axis=1)
    total = mean * (1 - mean)
    return np.divide(
        (p * (1 - p)).mean(axis=1), total, out=np.full(len(p), np.nan), where=total > 0
    )


def statistics_order(sizes: Sequence[int]) -> list[tuple[str, str]]:
    """Statistics in the order of tables."""
    groups = {
        "accuracy": (*QUANTILES, 100),
        "solved": QUANTILES,
        "disagreement": [f"{low}–{high}" for low, high in GAPS],
        "nearest": (25, 50, 75),
        "correlation": ("all", "same subtask"),
        "component": range(1, N_COMPONENTS + 1),
        "weak and strong": ("",),
        "uniform MDAD": sizes,
        "singletons": sizes,
        "confidence": range(1, 5),
        "confidence correlation": ("all", "same subtask"),
    }
    return [(name, str(at)) for name, places in groups.items() for at in places]


def _quarters(accuracies: np.ndarray) -> np.ndarray:
    """Quarter of each model by accuracy, 0 the weakest; shape (n_models,)."""
    ranks = np.empty(accuracies.size, dtype=np.int64)
    ranks[np.argsort(accuracies, kind="stable")] = np.arange(accuracies.size)
    return 4 * ranks // accuracies.size


def _nearest(scores: np.ndarray) -> np.ndarray:
    """Disagreement rate (0–1) of each model with the one that answers most alike."""
    right = scores.astype(np.float32)  # counts up to 2²⁴ are exact
    solved = right.sum(axis=1)
    differ = solved[:, None] + solved - 2 * (right @ right.T)
    np.fill_diagonal(differ, np.inf)
    nearest: np.ndarray = differ.min(axis=1) / scores.shape[1]
    return nearest


def _mean_correlations(answers: np.ndarray, codes: np.ndarray) -> tuple[float, float]:
    """Over all pairs of items, and over pairs of one subtask; without items all answer alike.

    The sum of all correlations is the variance of the models' sums of standardised scores.
    """
    answers = answers.astype(np.float64)
    answers -= answers.mean(axis=0)
    spread = np.sqrt((answers**2).mean(axis=0))
    varied = np.flatnonzero(spread > 1e-9)
    answers = answers[:, varied] / spread[varied]
    groups = [np.arange(varied.size)]
    within = [np.flatnonzero(codes[varied] == code) for code in np.unique(codes)]
    means = []
    for parts in (groups, within):
        total = sum(float((answers[:, part].sum(axis=1) ** 2).mean()) for part in parts)
        pairs = sum(part.size * (part.size - 1) for part in parts)
        means.append((total - varied.size) / pairs if pairs else float("nan"))
    return means[0], means[1]


def _component_shares(scores: np.ndarray) -> list[float]:
    """Shares (0–1) of the variance of the first components, from models × models products."""
    answers = scores.astype(np.float64)
    answers -= answers.mean(axis=0)
    if answers.shape[0] > answers.shape[1]:
        answers = answers.T
    eigenvalues = np.linalg.eigvalsh(answers @ answers.T)[::-1]
    total = eigenvalues.sum()
    if total <= 0:
        return []
    return [float(value / total) for value in eigenvalues[:N_COMPONENTS]]


def _weak_and_strong(scores: np.ndarray, accuracies: np.ndarray) -> float:
    quarters = _quarters(accuracies)
    weak, strong = (scores[quarters == q].mean(axis=0, dtype=np.float64) for q in (0, 3))
    if weak.std() == 0 or strong.std() == 0:
        return float("nan")
    return float(np.corrcoef(weak, strong)[0, 1])


def _sampling(
    matrix: ResponseMatrix, pairs: pd.DataFrame, sizes: Sequence[int], singletons: bool
) -> dict[tuple[str, str], float]:
    n_source, n_target, _ = possible_counts(matrix)
    split = make_split(matrix, seed=0, trial=0, n_source=n_source, n_target=n_target)
    possible, _ = possible_sizes(matrix, sizes)
    expected = expected_mdad(pairs, possible, len(split.train))
    values = {("uniform MDAD", str(size)): float(expected[size]) for size in possible}
    if singletons:
        train = scores_alone(matrix).subset(split.sources, split.train)
        fitted = make_selector("anchor-points").fit(train)
        for size in possible:
            selection = fitted.select(size, np.random.default_rng([0, size]))
            share = singleton_share(selection, train.n_items)
            values["singletons", str(size)] = 100 * share
    return values
