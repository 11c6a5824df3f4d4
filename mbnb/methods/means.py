"""The study's estimators, weighted means of what the selected items show; nothing is learnt."""

from __future__ import annotations

import numpy as np

from mbnb.data.responses import ResponseMatrix
from mbnb.methods.estimator import Estimator, LinearEstimator
from mbnb.methods.linear import LinearRule
from mbnb.methods.selector import Selection


class WeightedMean(Estimator):
    """Weighted mean of the scores on the selected items, with the selection's weights."""

    name = "weighted-mean"
    learns = False

    def fit(self, sources: ResponseMatrix | None = None) -> FittedMean:
        return FittedMean()


class ConfidenceMean(Estimator):
    """Weighted mean of the confidences on the selected items, with the selection's weights.

    The estimate of Anchor Points (Vivek et al. 2024); where a matrix has no confidences, scores
    stand in. It estimates the mean confidence, which is not the accuracy of an over-confident
    model.
    """

    name = "confidence-mean"
    learns = False

    def fit(self, sources: ResponseMatrix | None = None) -> FittedConfidenceMean:
        return FittedConfidenceMean()


class FittedMean(LinearEstimator):
    def rule(self, selection: Selection) -> LinearRule:
        return LinearRule(0.0, selection.weights)


class FittedConfidenceMean(FittedMean):
    def answers(self, targets: ResponseMatrix) -> np.ndarray:
        return targets.scores if targets.confidences is None else targets.confidences
