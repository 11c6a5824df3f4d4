"""Estimators that learn a weighted sum of the answers on the sources, by ridge regression."""

from __future__ import annotations

import numpy as np

from mbnb.data.responses import ResponseMatrix
from mbnb.methods.estimator import Estimator, LinearEstimator
from mbnb.methods.linear import LinearRule, corrected_rule, ridge_rule
from mbnb.methods.selector import Selection

# With two models, leaving one out leaves nothing to learn from.
FEWEST_SOURCES = 3
TOO_FEW = (
    "Fewer than {} source models teach nothing: the weighted mean stands in for what is learnt."
)


class Ridge(Estimator):
    """Full score of a model from its answers on the selected items, by ridge regression.

    The regression of the sources' accuracies on their answers, with an intercept and the penalty
    that leaves the smallest squared error when each source is left out in turn (Hoerl and Kennard
    1970, doi:10.1080/00401706.1970.10488634; Golub, Heath and Wahba 1979,
    doi:10.1080/00401706.1979.10489751). The selection's weights are not used. With a large penalty
    every model is estimated at the sources' mean.
    """

    name = "ridge"

    def fit(self, sources: ResponseMatrix) -> FittedRidge:
        return FittedRidge(sources, correct=False)


class CorrectedMean(Estimator):
    """Weighted mean plus a ridge regression of what it misses.

    As `ridge`, but what is learnt on the sources is the difference between their accuracy and the
    selection's weighted mean. With a large penalty nothing but a constant is added to the mean,
    so that the estimate orders models as the mean does where sources teach nothing.
    """

    name = "corrected-mean"

    def fit(self, sources: ResponseMatrix) -> FittedRidge:
        return FittedRidge(sources, correct=True)


class FittedRidge(LinearEstimator):
    """The sources' answers and accuracies, and whether a mean is corrected."""

    def __init__(self, sources: ResponseMatrix, *, correct: bool) -> None:
        sources.require_complete()
        few = sources.n_models < FEWEST_SOURCES
        super().__init__((TOO_FEW.format(FEWEST_SOURCES),) if few else ())
        self.few, self.correct = few, correct
        self.scores, self.accuracies = sources.scores, sources.accuracies()

    def rule(self, selection: Selection) -> LinearRule:
        if self.few:
            return LinearRule(0.0, selection.weights)
        answers = self.scores[:, selection.items].astype(np.float64)
        if self.correct:
            return corrected_rule(answers, self.accuracies, selection.weights)
        return ridge_rule(answers, self.accuracies)
