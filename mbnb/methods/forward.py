"""Forward selection of the items that say most about a mean, under a Gaussian model; ranks only."""

from __future__ import annotations

import numpy as np

# Variance of an item that the sources do not explain, as a multiple of the items' mean variance.
NOISE = 1.0


class ForwardSelection:
    """Items one after another, each the one that then lowers the error about the mean most.

    The Gaussian model: values of the items are x_j = u_j · f + e_j with f ~ N(0, I), u_j the
    column of `values` and e_j independent noise of one variance. What is wanted is the mean of
    the x_j over all items; an item lowers its variance, given the items chosen before, by
    cov(mean, x_j)² / var(x_j). Ties go to the first item.

    A step costs one product of `values` with a vector. The choice does not depend on how many
    steps are asked for at a time.

    Parameters
    ----------
    values : ndarray, shape (n_rows, n_items)
        Its columns' products are the items' covariances.
    pool : ndarray of int, optional
        Positions of the items that may be chosen; all where it is not given.
    """

    def __init__(self, values: np.ndarray, pool: np.ndarray | None = None) -> None:
        n_rows, n_items = values.shape
        mean = values.mean(axis=1)
        self.pool = np.arange(n_items) if pool is None else pool
        self.values = np.ascontiguousarray(values[:, self.pool], dtype=np.float32)
        variances = np.einsum("ij,ij->j", values, values, dtype=np.float64)
        self.noise = NOISE * float(variances.mean())
        self.chosen: list[int] = []
        # Of the factors given the items chosen: their covariance, and the mean's with each item.
        self._covariance = np.eye(n_rows)
        self._left = np.ones(self.pool.size, dtype=bool)
        self._variances = variances[self.pool] + self.noise
        self._with_mean = self.values.T.astype(np.float64) @ mean + self.noise / n_items

    def take(self, size: int) -> np.ndarray:
        """The first `size` items (positions), in the order in which they are chosen."""
        while len(self.chosen) < size:
            self._step()
        return self.pool[self.chosen[:size]]

    def _step(self) -> None:
        gains = np.where(self._left, self._with_mean**2, -1.0)
        # Without any variance all items are alike.
        np.divide(gains, self._variances, out=gains, where=self._left & (self._variances > 0))
        best = int(gains.argmax())
        self.chosen.append(best)
        self._left[best] = False
        if self._variances[best] <= 0:
            return
        towards = self._covariance @ self.values[:, best].astype(np.float64)
        shared = (towards.astype(np.float32) @ self.values).astype(np.float64)
        shared[best] += self.noise
        variance = self._variances[best]
        self._with_mean -= shared * (self._with_mean[best] / variance)
        self._variances -= shared**2 / variance
        self._covariance -= np.outer(towards, towards) / variance
