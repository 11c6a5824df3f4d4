"""Weighted sums of answers, and how they are learnt by ridge regression; knows no selection."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

# Penalties tried, as multiples of the answers' mean squared singular value: from hardly any to so
# much that next to nothing is learnt.
PENALTIES = np.logspace(-3, 4, 29)


@dataclass(frozen=True, eq=False)
class LinearRule:
    """An estimate as a weighted sum of the answers on a selection.

    Attributes
    ----------
    intercept : float
    coefficients : ndarray of float64, shape (size,)
        Of each item; of any sign.
    """

    intercept: float
    coefficients: np.ndarray

    def apply(self, answers: np.ndarray) -> np.ndarray:
        """Estimates from answers of shape (n_models, size)."""
        return answers.astype(np.float64) @ self.coefficients + self.intercept


def corrected_rule(answers: np.ndarray, accuracies: np.ndarray, weights: np.ndarray) -> LinearRule:
    """Weighted mean and ridge regression of what it misses; shapes as in `ridge_rule`."""
    learnt = ridge_rule(answers, accuracies - answers @ weights)
    return LinearRule(learnt.intercept, weights + learnt.coefficients)


def ridge_rule(answers: np.ndarray, values: np.ndarray) -> LinearRule:
    """Ridge regression with an intercept, its penalty chosen by leaving one out.

    Parameters
    ----------
    answers : ndarray of float64, shape (n_models, size)
        At least three models.
    values : ndarray of float64, shape (n_models,)

    Returns
    -------
    LinearRule
        No coefficient but 0 where all models answer alike.
    """
    n_models = len(answers)
    means, mean = answers.mean(axis=0), values.mean()
    left, roots, right = np.linalg.svd(answers - means, full_matrices=False)
    squares = roots**2
    # The centred answers have rank n_models − 1 at most.
    scale = squares.sum() / min(n_models - 1, answers.shape[1])
    if scale == 0:
        return LinearRule(float(mean), np.zeros(answers.shape[1]))
    projected = left.T @ (values - mean)
    shares = squares / (squares + scale * PENALTIES[:, None])
    fitted = (shares * projected) @ left.T
    leverages = shares @ (left**2).T + 1 / n_models
    errors = ((values - mean - fitted) / np.maximum(1 - leverages, 1e-9)) ** 2
    penalty = scale * PENALTIES[errors.sum(axis=1).argmin()]
    coefficients = right.T @ (roots / (squares + penalty) * projected)
    return LinearRule(float(mean - means @ coefficients), coefficients)
