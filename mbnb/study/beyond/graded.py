"""Graded scores beside right and wrong: the same answers scored otherwise, and what is gained."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
from scipy.stats import norm

from mbnb.data.errors import InputError
from mbnb.data.responses import ResponseMatrix
from mbnb.judge.agreement import agreement
from mbnb.judge.normal import STEP
from mbnb.judge.pairs import ANSWERS, compare_pairs
from mbnb.judge.table import Trials, cells_of


def graded(matrix: ResponseMatrix) -> ResponseMatrix:
    """The matrix whose scores are the confidences: each answer worth its grade from 0 to 1.

    Raises
    ------
    InputError
        If the matrix has no confidences.
    """
    grades = _grades(matrix)
    return replace(matrix, scores=grades, name=f"{matrix.name} graded")


def sampled_once(matrix: ResponseMatrix, seed: int = 0) -> ResponseMatrix:
    """The matrix of one answer each, drawn at random: right with the confidence as its chance.

    Where a confidence is the share of several samples that were right, or the probability that a
    model gave to the right option, this is what a single sample at that temperature would have
    scored. The confidences stay.

    Raises
    ------
    InputError
        If the matrix has no confidences, or answers are missing.
    """
    matrix.require_complete()
    chances = _grades(matrix)
    drawn = np.random.default_rng(seed).random(chances.shape, dtype=np.float32) < chances
    return replace(matrix, scores=drawn.astype(np.uint8), name=f"{matrix.name} sampled once")


def pair_noise(matrix: ResponseMatrix, n_pairs: int = 20_000, seed: int = 0) -> pd.DataFrame:
    """Of pairs of models, the gap and the variance over items of the difference of their scores.

    The order of the rows of the matrix changes nothing. Of binary scores the variance is r − d²,
    with r the disagreement rate and d the gap.

    Parameters
    ----------
    matrix : ResponseMatrix
        Complete.
    n_pairs, seed : int
        See `compare_pairs`, whose pairs these are.

    Returns
    -------
    DataFrame
        Columns ``better``, ``worse``, ``gap`` (points) and ``variance`` (points², of one item).
    """
    pairs = compare_pairs(matrix, n_pairs, seed)
    place = pd.Series(np.arange(matrix.n_models), index=matrix.models.index)
    first, second = (place.loc[pairs[name]].to_numpy() for name in ("better", "worse"))
    n = max(1, ANSWERS // matrix.n_items)
    parts = []
    for i in range(0, len(pairs), n):
        own, other = (matrix.scores[p[i : i + n]].astype(np.float32) for p in (first, second))
        parts.append((own - other).var(axis=1, dtype=np.float64))
    variance = 1e4 * np.concatenate([np.empty(0), *parts])
    return pairs[["better", "worse", "gap"]].assign(variance=variance)


def size_shares(
    matrix: ResponseMatrix, other: ResponseMatrix, n_pairs: int = 20_000, seed: int = 0
) -> pd.DataFrame:
    """How many items scores of one kind need for what those of another kind do with 100.

    A pair is ordered by k items as surely as gap² k / variance is large, so the sizes that do the
    same go with variance / gap².

    Parameters
    ----------
    matrix, other : ResponseMatrix
        The same models and items, scored in two ways.
    n_pairs, seed : int
        See `compare_pairs`.

    Returns
    -------
    DataFrame
        For each pair that both order alike: ``gap`` and ``other_gap`` (points), ``variance_share``
        (of `other`'s variance in the matrix's), and ``size_share``: items that `other` needs for
        one item of the matrix.
    """
    own = pair_noise(matrix, n_pairs, seed)
    accuracies = pd.Series(100 * other.accuracies(), index=other.models.index)
    told = pair_noise(other.subset(models=matrix.model_ids), n_pairs, seed)
    # Both draw the same pairs, since these hang on ids alone; only who is better may differ.
    if not (np.sort(own[["better", "worse"]]) == np.sort(told[["better", "worse"]])).all():
        raise InputError(f"{matrix.name} and {other.name} must have the same models.")
    gap = accuracies.loc[own["better"]].to_numpy() - accuracies.loc[own["worse"]].to_numpy()
    table = pd.DataFrame(
        {
            "gap": own["gap"],
            "other_gap": gap,
            "variance_share": told["variance"] / own["variance"],
        }
    )
    alike = (table["gap"] > 0) & (table["other_gap"] > 0) & (own["variance"] > 0)
    table = table[alike]
    share = table["variance_share"] * (table["gap"] / table["other_gap"]) ** 2
    return table.assign(size_share=share).reset_index(drop=True)


def expected_graded_mdad(
    noise: pd.DataFrame, sizes: Sequence[int], n_items: int, threshold: float = 0.8
) -> pd.Series:
    """The MDAD that uniform sampling of graded scores must have, in points by size.

    As `expected_mdad`, but estimates that are hardly ever equal need no allowance for ties: a pair
    with gap d is in order with probability Φ(d / √(variance (1/size − 1/n_items))).

    Parameters
    ----------
    noise : DataFrame
        From `pair_noise`. The variance of a gap is the mean of the pairs within half a point of it,
        interpolated where there are none.
    sizes : sequence of int
    n_items : int
        Of the half that is drawn from.
    threshold : float
    """
    means = noise["variance"].groupby(np.rint(noise["gap"])).mean()
    gaps = np.arange(STEP, noise["gap"].max() + STEP, STEP)
    variance = np.interp(gaps, means.index, means)
    expected = {}
    for size in sizes:
        left = max(1 / size - 1 / n_items, 0)
        reached = gaps >= norm.ppf(threshold) * np.sqrt(variance * left)
        expected[size] = float(gaps[reached.argmax()]) if reached.any() else np.nan
    return pd.Series(expected, name="expected", dtype=float)


def tied_share(trials: Trials) -> pd.DataFrame:
    """Share of the pairs of target models (0–1) whose estimates are equal, for each cell.

    Pairs that are tied on the train half too are left out, as in agreement.
    """
    strict, kind = (agreement(trials, ties=ties) for ties in ("wrong", "half"))
    pairs = strict.pairs.sum(axis=(1, 2))
    tied = 2 * (kind.agreeing - strict.agreeing).sum(axis=(1, 2))
    return cells_of(trials).assign(tied=tied / np.maximum(pairs, 1))


def spread(trials: Trials, half: str = "train") -> float:
    """Standard deviation of the targets' accuracies on a half, in points; the mean over trials."""
    column = f"{half}_accuracy"
    models = trials.table.drop_duplicates(["trial", "model"])
    return float(100 * models.groupby("trial")[column].std(ddof=0).mean())


def judged_by(trials: Trials, standings: Trials | pd.Series) -> Trials:
    """The same estimates, judged by other accuracies.

    Parameters
    ----------
    trials : Trials
    standings : Trials or Series
        Trials of the same models and trials, whose accuracies are taken: those of another kind of
        score of the same answers. Or one number (0–1) for each model by its id, which then judges
        on both halves.

    Raises
    ------
    InputError
        If a model, or a model in a trial, has no standing there.
    """
    table = trials.table.copy()
    models = table["model"].astype(str)
    halves = ["train_accuracy", "heldout_accuracy"]
    if isinstance(standings, pd.Series):
        told = models.map(standings).to_numpy(dtype=float)
        found = np.column_stack([told, told])
    else:
        other = standings.table.astype({"model": str})
        by_model = other.drop_duplicates(["trial", "model"]).set_index(["trial", "model"])[halves]
        wanted = pd.MultiIndex.from_arrays([table["trial"], models])
        found = by_model.reindex(wanted).to_numpy()
    lost = np.flatnonzero(np.isnan(found).any(axis=1))
    if lost.size:
        raise InputError(
            f"{len(set(models.iloc[lost]))} models of the trials have no standing to be judged by "
            f"(first: '{models.iloc[lost[0]]}'); give one for each."
        )
    table[halves] = found
    return replace(trials, table=table, binary=False)


def _grades(matrix: ResponseMatrix) -> np.ndarray:
    if matrix.confidences is None:
        raise InputError(
            f"{matrix.name} has no confidences, so its answers have no grades between wrong and "
            "right."
        )
    return matrix.confidences
