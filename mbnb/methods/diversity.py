"""The selector `diversity`: items that repel one another; nothing else."""

from __future__ import annotations

from itertools import combinations_with_replacement

import numpy as np
from scipy.linalg import lapack, qr

from mbnb.data.responses import ResponseMatrix
from mbnb.methods.decomposition import leading_components
from mbnb.methods.selector import FittedSelector, Selection, Selector, stand_in_notes

N_AXES = 4
RANK_TOLERANCE = 1e-9
BLOCK = 64


class DiversitySelector(Selector):
    """A projection determinantal point process over the items (diversity).

    Items are points: their confidences from the source models, reduced to four principal axes
    (axes without spread are dropped), each scaled into (−1, 1). The process is the discrete
    orthogonal polynomial ensemble of `size` points: the `size` lowest polynomials on the axes,
    made orthonormal over the items; an item set is as likely as its squared volume. After
    Bardenet, Ghosh and Lin (2021), arXiv:2112.06007. The estimate is the plain mean, as in the
    study; since items far from the others are the likelier to be chosen, it orders models but is
    not an unbiased estimate of their accuracy.

    Where the polynomials have a lower rank than `size`, as with few source models or many
    duplicate items, the process gives as many items as the rank and the rest are drawn uniformly
    from the items not chosen.
    """

    name = "diversity"

    def fit(self, train: ResponseMatrix) -> FittedDiversity:
        train.require_complete()
        points = train.evidence.T.astype(np.float64)
        points -= points.mean(axis=0)
        left, values, _ = leading_components(points, N_AXES)
        axes = left * values
        low, high = axes.min(axis=0), axes.max(axis=0)
        axes = (2 * axes - low - high) / (high - low) * (1 - 1e-6)
        notes = stand_in_notes(train)
        # Rounded: twins among the items may differ in the last digits.
        n_places = len(np.unique(np.round(axes, 9), axis=0))
        if n_places < train.n_items:
            notes += (
                f"{train.n_items} items fall on {n_places} distinct points; beyond the rank that "
                "these allow, `diversity` draws uniformly.",
            )
        return FittedDiversity(axes, notes)


class FittedDiversity(FittedSelector):
    """Scaled principal axes of the items, shape (n_items, at most 4)."""

    def __init__(self, axes: np.ndarray, notes: tuple[str, ...]) -> None:
        super().__init__(axes.shape[0], notes)
        self.axes = axes

    def _select(self, size: int, rng: np.random.Generator) -> Selection:
        chosen = sample_projection(self._basis(size), rng)
        if chosen.size < size:
            others = np.setdiff1d(np.arange(self.n_items), chosen)
            extra = rng.choice(others, size - chosen.size, replace=False)
            chosen = np.concatenate([chosen, extra])
        return Selection.of(chosen)

    def inclusion(self, size: int) -> np.ndarray:
        """Chance of each item to be chosen (0–1), shape (n_items,), summing to `size`."""
        chances = squared_lengths(self._basis(size))
        missing = size - chances.sum()  # above 0 where the rank is below the size
        return chances + (1 - chances) * missing / max(self.n_items - chances.sum(), 1e-12)

    def _basis(self, size: int) -> np.ndarray:
        return orthonormal(polynomials(self.axes, size))


def polynomials(axes: np.ndarray, count: int) -> np.ndarray:
    """The lowest products of Chebyshev polynomials of the axes.

    Ordered by total degree; within a degree, those with more of the first (widest) axis come
    first. Without axes there is the constant alone.

    Parameters
    ----------
    axes : ndarray of float64, shape (n_items, n_axes)
        In (−1, 1).
    count : int

    Returns
    -------
    ndarray of float64, shape (n_items, count)
    """
    n_items, n_axes = axes.shape
    if not n_axes:
        return np.ones((n_items, 1))
    degrees: list[np.ndarray] = []
    total = 0
    while len(degrees) < count:
        for factors in combinations_with_replacement(range(n_axes), total):
            degrees.append(np.bincount(np.array(factors, dtype=int), minlength=n_axes))
        total += 1
    wanted = np.array(degrees[:count])
    chebyshev = np.cos(np.arange(total)[:, None, None] * np.arccos(axes.T))
    values = np.ones((count, n_items))
    for column, powers in zip(values, wanted, strict=True):
        for axis in np.flatnonzero(powers):
            column *= chebyshev[powers[axis], axis]
    return values.T


def orthonormal(columns: np.ndarray) -> np.ndarray:
    """An orthonormal basis of the columns' span, shape (n_items, rank); overwrites `columns`."""
    basis, triangle = qr(columns, mode="economic", overwrite_a=True, check_finite=False)
    pivots = np.abs(np.diag(triangle))
    if pivots.min() > RANK_TOLERANCE * pivots.max():
        return basis
    # Only pivoting tells which columns the others already span; the small triangle is enough.
    turned, triangle, _ = qr(triangle, pivoting=True, check_finite=False)
    pivots = np.abs(np.diag(triangle))
    return basis @ turned[:, : int((pivots > RANK_TOLERANCE * pivots[0]).sum())]


def squared_lengths(rows: np.ndarray) -> np.ndarray:
    """Squared Euclidean length of each row, without a copy of them all."""
    return np.einsum("ij,ij->i", rows, rows)


def sample_projection(basis: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """An exact sample of the determinantal point process whose kernel projects onto `basis`.

    The chain rule: the next item is drawn in proportion to the squared length of its row once the
    rows chosen so far are projected out. These lengths only shrink; so a block of items is drawn
    against the lengths at its start and each draw is kept with probability current ÷ start, which
    is the same distribution and leaves the work over all items to matrix products
    (Barthelmé, Tremblay and Amblard, 2022, arXiv:2210.17358). After a block the basis is turned
    so that what the block spans fills its first columns; they are dropped, and the next block
    works on a narrower basis. Cost O(n_items rank²).

    Parameters
    ----------
    basis : ndarray of float64, shape (n_items, rank)
        Orthonormal columns; overwritten, since it may fill much of the memory.
    rng : Generator

    Returns
    -------
    ndarray of int64, shape (rank,)
        Unique positions, in the order drawn.
    """
    lengths = squared_lengths(basis)
    chosen: list[int] = []
    while basis.shape[1]:
        bounds = np.maximum(lengths, 0)
        bounds[chosen] = 0
        heap = np.cumsum(bounds)
        block: list[int] = []
        spanned = np.zeros((min(BLOCK, basis.shape[1]), basis.shape[1]))  # orthonormal rows
        while len(block) < len(spanned):
            item = int(np.searchsorted(heap, rng.random() * heap[-1], side="right"))
            if item in block:
                continue
            done = spanned[: len(block)]
            rest = basis[item] - (done @ basis[item]) @ done
            length = rest @ rest
            if rng.random() * bounds[item] < length:
                spanned[len(block)] = rest / np.sqrt(length)
                block.append(item)
        chosen += block
        (reflectors, scales), _ = qr(spanned.T, mode="raw", check_finite=False)
        basis, _, _ = lapack.dormqr(
            "R", "N", reflectors, scales, basis, BLOCK * len(basis), overwrite_c=True
        )
        lengths -= squared_lengths(basis[:, : len(block)])
        basis = basis[:, len(block) :]
    return np.array(chosen, dtype=np.int64)
