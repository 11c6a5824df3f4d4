"""The selector `uniform`: every item is as likely as any other; nothing else."""

from __future__ import annotations

import numpy as np

from mbnb.data.responses import ResponseMatrix
from mbnb.methods.selector import FittedSelector, Selection, Selector


class UniformSelector(Selector):
    """Draw items uniformly without replacement; the estimate is their plain mean.

    A selection is the beginning of one permutation, so the same state of the generator gives
    smaller selections inside larger ones.
    """

    name = "uniform"
    nests = True

    def fit(self, train: ResponseMatrix) -> FittedUniform:
        return FittedUniform(train.n_items)


class FittedUniform(FittedSelector):
    def _select(self, size: int, rng: np.random.Generator) -> Selection:
        return Selection.of(rng.permutation(self.n_items)[:size])
