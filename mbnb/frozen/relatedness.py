"""Whether a model's answers go with other models' answers to the same items, as they should."""

from __future__ import annotations

import numpy as np

# What answers under wrong ids reach once in a hundred.
CHANCE = 2.33


def relatedness(answers: np.ndarray, others: np.ndarray) -> np.ndarray:
    """How clearly models' answers go with others' mean scores; above `CHANCE` hardly by chance.

    Parameters
    ----------
    answers, others : ndarray of float64, shape (n_models, n_items)
        A model's scores, and what they are compared with.

    Returns
    -------
    ndarray of float64, shape (n_models,)
        Correlation times √(n_items − 1), about standard normal if ids were given at random; NaN
        where either does not vary.
    """
    answers = answers - answers.mean(axis=1, keepdims=True)
    others = others - others.mean(axis=1, keepdims=True)
    spread = np.sqrt((answers**2).sum(axis=1) * (others**2).sum(axis=1))
    varies = spread > 1e-9
    together = (answers * others).sum(axis=1)
    correlation = np.divide(together, spread, out=np.full(spread.shape, np.nan), where=varies)
    return correlation * np.sqrt(answers.shape[1] - 1)


def unrelated_share(answers: np.ndarray) -> float:
    """Share of models (0–1) whose answers do not clearly go with the other models' mean scores.

    Parameters
    ----------
    answers : ndarray of float64, shape (n_models, n_items)
    """
    if len(answers) < 2:
        return 1.0
    others = (answers.sum(axis=0) - answers) / (len(answers) - 1)
    related = relatedness(answers, others)
    # A model with the same answer everywhere tells nothing of ids; it counts as related.
    return float(np.mean(related < CHANCE))
