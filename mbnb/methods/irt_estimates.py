"""Estimators that place a model in an IRT model of the sources and fill in what is unknown."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from mbnb.data.errors import InputError
from mbnb.data.responses import ResponseMatrix
from mbnb.methods.estimator import Estimator, FittedEstimator
from mbnb.methods.irt import fit_abilities, fit_sources
from mbnb.methods.selector import Selection

# With fewer sources, a half of them is too few to fit a model to.
FEWEST_SOURCES = 4


class PIRT(Estimator):
    """Answers where they are known and an IRT model's probabilities where they are not.

    p-IRT of Maia Polo et al. (2024), arXiv:2402.14992: a target's abilities are fitted to its
    answers on the selected items, with the item parameters of a ten-dimensional 2PL model of the
    sources; its accuracy is the mean over all items of its answer, or of its probability of a
    right answer where the item was not asked. The selection's weights are not used.
    """

    name = "p-irt"

    def fit(self, sources: ResponseMatrix) -> FittedPIRT:
        return FittedPIRT(sources)


class GPIRT(Estimator):
    """A weighted mean of `weighted-mean` and `p-irt` (gp-IRT of Maia Polo et al. 2024).

    The weight is learnt: an IRT model of one half of the sources estimates the other half from
    the selection, and the weight from 0 to 1 is taken that leaves the smallest squared error. The
    published gp-IRT takes it from the two variances instead, which assumes that the errors of the
    two are unrelated; they share the answers.
    """

    name = "gp-irt"

    def fit(self, sources: ResponseMatrix) -> FittedGPIRT:
        return FittedGPIRT(sources)


class FittedPIRT(FittedEstimator):
    """The IRT model of the sources."""

    def __init__(self, sources: ResponseMatrix) -> None:
        _check(sources)
        self.irt = fit_sources(sources)
        super().__init__(self.irt.notes)

    def _estimate(self, selection: Selection, targets: ResponseMatrix) -> np.ndarray:
        answers = targets.scores[:, selection.items]
        abilities = fit_abilities(self.irt, selection.items, answers)
        unasked = np.delete(np.arange(self.irt.difficulties.size), selection.items)
        logits = abilities @ self.irt.discriminations[unasked].T - self.irt.difficulties[unasked]
        expected = (0.5 + 0.5 * np.tanh(logits / 2)).sum(axis=1)
        known = answers.sum(axis=1, dtype=np.float64)
        return (known + expected) / self.irt.difficulties.size


class FittedGPIRT(FittedPIRT):
    """The IRT model of the sources, and one of every other source to weigh it by."""

    def __init__(self, sources: ResponseMatrix) -> None:
        super().__init__(sources)
        self.sources = sources

    @cached_property
    def _halves(self) -> tuple[FittedPIRT, ResponseMatrix] | None:
        """A fit of every other source from best to worst, and the sources it has not seen."""
        if self.sources.n_models < FEWEST_SOURCES:
            return None
        ranked = np.argsort(-self.sources.accuracies(), kind="stable")
        fitted = FittedPIRT(self.sources.subset(models=np.sort(ranked[::2])))
        return fitted, self.sources.subset(models=np.sort(ranked[1::2]))

    def share(self, selection: Selection) -> float:
        """Weight of the weighted mean (0–1); ½ with too few sources to learn it."""
        if self._halves is None:
            return 0.5
        fitted, unseen = self._halves
        accuracies = unseen.accuracies()
        by_irt = fitted._estimate(selection, unseen) - accuracies
        by_mean = _mean(selection, unseen) - accuracies
        apart = by_irt - by_mean
        spread = float(apart @ apart)
        return 1.0 if spread == 0 else float(np.clip(by_irt @ apart / spread, 0, 1))

    def _estimate(self, selection: Selection, targets: ResponseMatrix) -> np.ndarray:
        share = self.share(selection)
        by_irt = super()._estimate(selection, targets)
        return share * _mean(selection, targets) + (1 - share) * by_irt


def _mean(selection: Selection, models: ResponseMatrix) -> np.ndarray:
    return models.scores[:, selection.items].astype(np.float64) @ selection.weights


def _check(sources: ResponseMatrix) -> None:
    sources.require_complete()
    if not sources.binary:
        raise InputError(
            f"{sources.name}: the estimators 'p-irt' and 'gp-irt' need scores of 0 or 1, but some "
            "are graded; binarise them at a threshold of your choice, or use 'ridge'."
        )
