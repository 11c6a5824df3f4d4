"""Item response theory: the multidimensional 2PL model; chooses no item."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mbnb.data.responses import MISSING
from mbnb.errors import InputError
from mbnb.study.decomposition import leading_components

# Standard deviations of the Gaussian priors. Fixed, since variances that are estimated together
# with the modes collapse to 0; these two predict left-out answers of real leaderboards about best.
ABILITY_SD = 1.0
DISCRIMINATION_SD = 0.5
DIFFICULTY_SD = 2.0

# Above 1 a step goes past the minimum of the bound and still lowers it, up to 2.
RELAXATION = 1.9
MODELS_PER_DIM = 10


@dataclass(frozen=True, eq=False)
class IRTFit:
    """A fitted 2PL model: P(correct) = 1 / (1 + exp(−(a_j · θ_m − b_j))).

    Abilities are centred and uncorrelated over the models, of unit variance, the axes in
    descending order of how much they move the log-odds, each turned so that it goes up with the
    model's mean score.

    Attributes
    ----------
    abilities : ndarray of float64, shape (n_models, n_dims)
        θ, in standard deviations of the models.
    discriminations : ndarray of float64, shape (n_items, n_dims)
        a, in log-odds per standard deviation.
    difficulties : ndarray of float64, shape (n_items,)
        b, in log-odds; the higher, the harder for an average model.
    log_likelihood : float
        Of the answers that are there; natural logarithm, without the priors.
    n_iterations : int
    converged : bool
        Whether the steps fell below the tolerance before `max_iterations`.
    notes : tuple of str
    """

    abilities: np.ndarray
    discriminations: np.ndarray
    difficulties: np.ndarray
    log_likelihood: float
    n_iterations: int
    converged: bool
    notes: tuple[str, ...] = ()

    @property
    def probabilities(self) -> np.ndarray:
        """P(correct) of every model on every item, shape (n_models, n_items)."""
        logits = self.abilities @ self.discriminations.T - self.difficulties
        return 0.5 + 0.5 * np.tanh(logits / 2)


def fit_2pl(
    scores: np.ndarray, n_dims: int = 10, *, max_iterations: int = 60, tolerance: float = 1e-3
) -> IRTFit:
    """Fit the multidimensional 2PL model by maximum a posteriori.

    Priors: θ ~ N(0, 1) on each dimension, a ~ N(0, 0.5²), b ~ N(0, 2²). They keep models and
    items with equal answers throughout finite. Ten dimensions on a few hundred models are the
    study's setting, and have many more parameters than such data determine.

    Items and models take turns. With one side fixed, the other's posterior is bounded by a
    quadratic (Jaakkola and Jordan, 2000, doi:10.1023/A:1008932416310), so a turn is one small
    linear system for each item or model, and no step makes the fit worse. After each round the
    scale, rotation and origin that the likelihood leaves open are set to what the priors like
    best. The start is a truncated singular value decomposition; nothing is random.

    Parameters
    ----------
    scores : ndarray, shape (n_models, n_items)
        0 or 1; NaN, or 255 in uint8, where missing.
    n_dims : int
    max_iterations : int
        Rounds of items and models.
    tolerance : float
        Stop when a round moves the items' parameters by less than this share of their size.

    Returns
    -------
    IRTFit

    Raises
    ------
    InputError
        If a score is neither 0, 1 nor missing, a model or an item has no answer, or n_dims < 1.
    """
    answered, correct = _checked(scores, n_dims)
    mask = None if answered.all() else answered.astype(np.float32)
    signs = np.where(answered, correct - np.float32(0.5), np.float32(0))
    abilities, items = _balanced(*_start(answered, correct, n_dims))
    ability_precisions = np.full(n_dims, ABILITY_SD**-2)
    item_precisions = np.r_[np.full(n_dims, DISCRIMINATION_SD**-2), DIFFICULTY_SD**-2]
    n_iterations, converged = 0, False
    while n_iterations < max_iterations and not converged:
        n_iterations += 1
        design = np.column_stack([abilities, np.full(len(abilities), -1.0)]).astype(np.float32)
        curvatures, residuals = _bound(design, items, signs, mask)
        step = _solve(curvatures.T, residuals.T, design, items, item_precisions)
        items = items - RELAXATION * step
        converged = bool(np.linalg.norm(step) <= tolerance * np.linalg.norm(items))
        curvatures, residuals = _bound(design, items, signs, mask)
        slopes = items[:, :-1].astype(np.float32)
        step = _solve(curvatures, residuals, slopes, abilities, ability_precisions)
        abilities, items = _balanced(abilities - RELAXATION * step, items)
    return _standardised(abilities, items, answered, correct, n_iterations, converged)


def _checked(scores: np.ndarray, n_dims: int) -> tuple[np.ndarray, np.ndarray]:
    """Where answers are, and the answers as float32 with 0 where missing."""
    scores = np.asarray(scores)
    if n_dims < 1:
        raise InputError(f"n_dims is {n_dims}; allowed are whole numbers from 1.")
    missing = scores == MISSING if scores.dtype == np.uint8 else np.isnan(scores)
    bad = ~missing & ~np.isin(scores, (0, 1))
    if bad.any():
        model, item = (int(where[0]) for where in np.nonzero(bad))
        raise InputError(
            f"{int(bad.sum())} scores are neither 0 nor 1 (first: {scores[model, item]:g} of model "
            f"{model} on item {item}, counted from 0); IRT needs 0 or 1: binarise graded scores at "
            "a threshold of your choice first."
        )
    for axis, what in ((0, "item"), (1, "model")):
        empty = np.flatnonzero(missing.all(axis=axis))
        if empty.size:
            raise InputError(
                f"{empty.size} {what}s have no answer at all (positions, from 0: "
                f"{', '.join(map(str, empty[:5]))}{', …' if empty.size > 5 else ''}); leave them "
                "out first."
            )
    return ~missing, np.where(missing, 0, scores).astype(np.float32)


def _start(answered: np.ndarray, correct: np.ndarray, n_dims: int) -> tuple[np.ndarray, np.ndarray]:
    """Abilities and item parameters from the singular vectors of standardised residuals."""
    counts = answered.sum(axis=0)
    shares = (correct.sum(axis=0, dtype=np.float64) + 1) / (counts + 2)
    residuals = np.where(answered, correct - shares, 0) / np.sqrt(shares * (1 - shares))
    left, values, right = leading_components(residuals, n_dims)
    abilities = np.zeros((correct.shape[0], n_dims))
    items = np.zeros((correct.shape[1], n_dims + 1))
    abilities[:, : values.size] = left * np.sqrt(correct.shape[0])
    items[:, : values.size] = (values[:, None] * right).T / np.sqrt(correct.shape[0])
    items[:, -1] = np.log1p(-shares) - np.log(shares)
    return abilities, items


def _bound(
    design: np.ndarray, items: np.ndarray, signs: np.ndarray, mask: np.ndarray | None
) -> tuple[np.ndarray, np.ndarray]:
    """Curvature of the quadratic bound and gradient for each cell's log-odds, float32.

    The bound's curvature at log-odds z is tanh(z/2) / (2z); the gradient is P(correct) − score.
    """
    halves = design @ items.T.astype(np.float32)
    halves *= np.float32(0.5)
    halves += np.float32(1e-12)  # 0 would divide by 0; the limit is right just beside it
    residuals = np.tanh(halves)
    curvatures = residuals / halves
    curvatures *= np.float32(0.25)
    residuals *= np.float32(0.5)
    residuals -= signs
    if mask is not None:
        curvatures *= mask
        residuals *= mask
    return curvatures, residuals


def _solve(
    curvatures: np.ndarray,
    residuals: np.ndarray,
    design: np.ndarray,
    current: np.ndarray,
    precisions: np.ndarray,
) -> np.ndarray:
    """The step to the bound's minimum for every row of `current`, by one small system each."""
    first, second = np.triu_indices(design.shape[1])
    products = curvatures @ (design[:, first] * design[:, second])
    systems = np.empty((len(current), design.shape[1], design.shape[1]))
    systems[:, first, second] = products
    systems[:, second, first] = products
    systems += np.diag(precisions)
    gradients = residuals @ design + current * precisions
    return np.linalg.solve(systems, gradients[..., None])[..., 0]


def _balanced(abilities: np.ndarray, items: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Origin, scale and rotation with the highest prior among those of equal likelihood."""
    slopes, difficulties = items[:, :-1], items[:, -1]
    n_models, n_dims = abilities.shape
    system = n_models / ABILITY_SD**2 * np.eye(n_dims) + slopes.T @ slopes / DIFFICULTY_SD**2
    pull = abilities.sum(axis=0) / ABILITY_SD**2 + slopes.T @ difficulties / DIFFICULTY_SD**2
    shift = np.linalg.solve(system, pull)
    abilities, difficulties = abilities - shift, difficulties - slopes @ shift
    left, upper = np.linalg.qr(abilities / ABILITY_SD)
    right, lower = np.linalg.qr(slopes / DISCRIMINATION_SD)
    rotation, values, back = np.linalg.svd(upper @ lower.T, full_matrices=False)
    roots = np.sqrt(values)
    width = roots.size
    abilities, slopes = np.zeros_like(abilities), np.zeros_like(slopes)
    abilities[:, :width] = left @ rotation * roots * ABILITY_SD
    slopes[:, :width] = right @ back.T * roots * DISCRIMINATION_SD
    return abilities, np.column_stack([slopes, difficulties])


def _standardised(
    abilities: np.ndarray,
    items: np.ndarray,
    answered: np.ndarray,
    correct: np.ndarray,
    n_iterations: int,
    converged: bool,
) -> IRTFit:
    """The same probabilities with centred abilities of unit variance and fixed signs."""
    n_models, n_dims = abilities.shape
    slopes, difficulties = items[:, :-1], items[:, -1]
    centre = abilities.mean(axis=0)
    difficulties = difficulties - slopes @ centre
    centred = abilities - centre
    # The parts of the log-odds that models do not share, in principal axes.
    right, lower = np.linalg.qr(slopes)
    left, values, back = np.linalg.svd(centred @ lower.T, full_matrices=False)
    # Where all models answer alike there is no axis, only rounding.
    width = int((values > 1e-9 * max(values[0], 1.0)).sum())
    thetas, slopes = np.zeros((n_models, n_dims)), np.zeros_like(slopes)
    thetas[:, :width] = left[:, :width] * np.sqrt(n_models)
    slopes[:, :width] = (right @ back.T)[:, :width] * values[:width] / np.sqrt(n_models)
    means = correct.sum(axis=1, dtype=np.float64) / answered.sum(axis=1)
    signs = np.where(thetas.T @ (means - means.mean()) < 0, -1.0, 1.0)
    thetas, slopes = thetas * signs, slopes * signs
    logits = thetas @ slopes.T - difficulties
    cells = np.logaddexp(0, logits) - correct * logits
    notes: tuple[str, ...] = ()
    if n_models < MODELS_PER_DIM * n_dims:
        notes = (
            f"{n_models} source models are few for {n_dims} dimensions (fewer than "
            f"{MODELS_PER_DIM} a dimension): the priors, not the data, decide much of the IRT fit.",
        )
    log_likelihood = -float(cells[answered].sum())
    return IRTFit(thetas, slopes, difficulties, log_likelihood, n_iterations, converged, notes)
