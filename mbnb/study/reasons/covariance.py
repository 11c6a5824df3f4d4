"""Items weighed by what each tells alone, a step on the way to ridge; chooses no items."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd

from mbnb.data.errors import InputError
from mbnb.data.responses import ResponseMatrix
from mbnb.judge.table import Trials
from mbnb.methods.estimators import DECIMALS
from mbnb.methods.linear import LinearRule, corrected_rule, ridge_rule
from mbnb.methods.selectors import make_selector
from mbnb.run.splits import key_of
from mbnb.run.trials import make_grid

COVARIANCE = "covariance-weights"
UNIFORM = "uniform"


def covariance_rule(answers: np.ndarray, accuracies: np.ndarray) -> LinearRule:
    """A weighted sum with the items' covariances with the accuracy as weights, on its scale.

    The direction in which ridge regression moves first, where its penalty is beyond all measure:
    every item counts by what it tells on its own, and what items tell twice is counted twice. The
    sum is brought to the scale of the accuracies by a regression on it alone.

    Parameters
    ----------
    answers : ndarray of float64, shape (n_models, size)
        At least three models.
    accuracies : ndarray of float64, shape (n_models,)
    """
    centred = answers - answers.mean(axis=0)
    covariances = centred.T @ (accuracies - accuracies.mean()) / len(answers)
    sums = centred @ covariances
    spread = float(sums @ sums)
    slope = float(sums @ (accuracies - accuracies.mean())) / spread if spread else 0.0
    coefficients = slope * covariances
    return LinearRule(float(accuracies.mean() - answers.mean(axis=0) @ coefficients), coefficients)


def covariance_trials(matrix: ResponseMatrix, trials: Trials, *, seed: int = 0) -> Trials:
    """Trials of uniform sampling once more, with estimates by `covariance_rule`.

    Halves, models and items are those of the trials given, so that the two can be joined.

    Parameters
    ----------
    matrix : ResponseMatrix
        That the trials were run on.
    trials : Trials
        Of `uniform` with one number of sources, sources and targets drawn at random.
    seed : int
        Of the trials.

    Raises
    ------
    InputError
        If there are no such trials.
    """
    table = trials.table
    own = (table["selector"] == UNIFORM) & (table["estimator"] == table["estimator"].iloc[0])
    table = table[own].reset_index(drop=True)
    if table.empty or table["n_source"].nunique() > 1:
        raise InputError(
            f"covariance weights need trials of {UNIFORM} with one number of sources; given: "
            f"{', '.join(trials.selectors)} with {trials.table['n_source'].nunique()} numbers."
        )
    plan = make_grid(
        matrix,
        [UNIFORM],
        trials.sizes,
        n_source=int(table["n_source"].iloc[0]),
        n_target=trials.n_target,
        seed=seed,
    ).plan
    # The order of the grid decides what a position means.
    matrix = matrix.sorted_by_id()
    selector, estimates = make_selector(UNIFORM), table["estimate"].to_numpy(copy=True)
    rows = table.groupby(["trial", "size"]).indices
    for trial in np.unique(table["trial"]):
        split = plan.split(matrix, int(trial))
        sources = matrix.subset(split.sources, split.train)
        fitted, accuracies = selector.fit(sources), sources.accuracies()
        for size in plan.sizes:
            key = np.random.SeedSequence([seed, int(trial), key_of(UNIFORM), size])
            items = fitted.select(size, np.random.default_rng(key)).items
            rule = covariance_rule(sources.scores[:, items].astype(np.float64), accuracies)
            told = rule.apply(matrix.scores[np.ix_(split.targets, split.train[items])])
            estimates[rows[trial, size]] = np.round(told, DECIMALS)
    name = pd.Categorical([COVARIANCE] * len(table))
    return replace(trials, table=table.assign(estimator=name, estimate=estimates))


def item_coefficients(sources: ResponseMatrix, size: int, seed: int = 0) -> pd.DataFrame:
    """What each of some randomly drawn items counts for, by rule, and what kind of item it is.

    Parameters
    ----------
    sources : ResponseMatrix
        Source models × items, complete; at least three models.
    size, seed : int

    Returns
    -------
    DataFrame
        A row for each item: ``item``, ``accuracy`` (share of sources right), ``correlation`` of
        its answers with the sources' accuracies (NaN where all answer alike), and the coefficient
        of each rule times the size, so that 1 is what the plain mean gives: ``covariance-weights``,
        ``ridge``, ``corrected-mean``.
    """
    rng = np.random.default_rng(np.random.SeedSequence([seed, key_of("coefficients"), size]))
    items = np.sort(rng.choice(sources.n_items, size, replace=False))
    answers, accuracies = sources.scores[:, items].astype(np.float64), sources.accuracies()
    centred = answers - answers.mean(axis=0)
    spread = np.sqrt((centred**2).sum(axis=0)) * accuracies.std() * np.sqrt(len(answers))
    along = centred.T @ (accuracies - accuracies.mean())
    rules = {
        COVARIANCE: covariance_rule(answers, accuracies),
        "ridge": ridge_rule(answers, accuracies),
        "corrected-mean": corrected_rule(answers, accuracies, np.full(size, 1 / size)),
    }
    found = pd.DataFrame(
        {
            "item": sources.items.index[items].astype(str),
            "accuracy": answers.mean(axis=0),
            "correlation": np.divide(
                along, spread, out=np.full(size, np.nan), where=spread > 1e-12
            ),
        }
    )
    return found.assign(**{name: size * rule.coefficients for name, rule in rules.items()})
