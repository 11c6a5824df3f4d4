"""Item response theory: the multidimensional 2PL model; chooses no item."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from mbnb.data.errors import InputError
from mbnb.data.responses import MISSING, ResponseMatrix
from mbnb.methods.decomposition import leading_components

# Of the study's IRT models.
N_DIMS = 10

# Standard deviations of the Gaussian priors. Fixed, since variances that are estimated together
# with the modes collapse to 0; these two predict left-out answers of real leaderboards about best.
ABILITY_SD = 1.0
DISCRIMINATION_SD = 0.5
DIFFICULTY_SD = 2.0

# Above 1 a step goes past the minimum of the bound and still lowers it, up to 2.
RELAXATION = 1.9
MODELS_PER_DIM = 10

# Items worked on at a time: what belongs to a block's cells stays in a core's cache.
BLOCK = 512


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
    scores: np.ndarray, n_dims: int = N_DIMS, *, max_iterations: int = 60, tolerance: float = 1e-3
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
    signs = _checked(scores, n_dims)
    answered = None if signs.all() else signs != 0
    abilities, items = _balanced(*_start(signs, n_dims))
    n_iterations, converged = 0, False
    while n_iterations < max_iterations and not converged:
        n_iterations += 1
        abilities, items, moved = _round(abilities, items, signs, answered)
        converged = bool(moved <= tolerance * np.linalg.norm(items))
        abilities, items = _balanced(abilities, items)
    return _standardised(abilities, items, signs, n_iterations, converged)


@lru_cache(maxsize=2)
def fit_sources(sources: ResponseMatrix) -> IRTFit:
    """`fit_2pl` of a matrix, made once for the selector and the estimators of a trial."""
    return fit_2pl(sources.scores)


def fit_abilities(
    fit: IRTFit,
    items: np.ndarray,
    scores: np.ndarray,
    *,
    max_iterations: int = 200,
    tolerance: float = 1e-6,
) -> np.ndarray:
    """Abilities of models that the fit has not seen, by maximum a posteriori; items stay fixed.

    Parameters
    ----------
    fit : IRTFit
    items : ndarray of int, shape (size,)
        Positions of the items answered.
    scores : ndarray, shape (n_models, size)
        0 or 1.
    max_iterations : int
    tolerance : float
        Stop when no ability moves further.

    Returns
    -------
    ndarray of float64, shape (n_models, n_dims)
        0, the middle of the fit's models, where answers say nothing.
    """
    signs = _checked(scores, fit.discriminations.shape[1])
    parameters = np.column_stack([fit.discriminations[items], fit.difficulties[items]])
    slopes = parameters[:, :-1].astype(np.float32)
    products_of = _pairs(slopes)
    abilities = np.zeros((len(signs), slopes.shape[1]))
    precisions = np.full(slopes.shape[1], ABILITY_SD**-2)
    for _ in range(max_iterations):
        design = np.column_stack([abilities, np.full(len(signs), -1.0)]).astype(np.float32)
        curvatures, residuals = _bound(design, parameters, signs, None)
        step = _step(curvatures @ products_of, residuals @ slopes, abilities, precisions)
        abilities = abilities - step
        if np.abs(step).max() <= tolerance:
            break
    return abilities


def _checked(scores: np.ndarray, n_dims: int) -> np.ndarray:
    """½ where an answer is right, −½ where it is wrong, 0 where it is missing; float32."""
    scores = np.asarray(scores)
    if n_dims < 1:
        raise InputError(f"n_dims is {n_dims}; allowed are whole numbers from 1.")
    missing = scores == MISSING if scores.dtype == np.uint8 else np.isnan(scores)
    bad = ~missing & (scores != 0) & (scores != 1)
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
    signs = scores.astype(np.float32)
    signs -= np.float32(0.5)
    signs[missing] = 0
    return signs


def _start(signs: np.ndarray, n_dims: int) -> tuple[np.ndarray, np.ndarray]:
    """Abilities and item parameters from the singular vectors of standardised residuals."""
    n_models, n_items = signs.shape
    shares = ((signs > 0).sum(axis=0) + 1) / ((signs != 0).sum(axis=0) + 2)
    residuals = np.where(signs > 0, 1 - shares, -shares)
    residuals /= np.sqrt(shares * (1 - shares))
    residuals[signs == 0] = 0
    left, values, right = leading_components(residuals, n_dims)
    abilities = np.zeros((n_models, n_dims))
    items = np.zeros((n_items, n_dims + 1))
    abilities[:, : values.size] = left * np.sqrt(n_models)
    items[:, : values.size] = (values[:, None] * right).T / np.sqrt(n_models)
    items[:, -1] = np.log1p(-shares) - np.log(shares)
    return abilities, items


def _round(
    abilities: np.ndarray, items: np.ndarray, signs: np.ndarray, answered: np.ndarray | None
) -> tuple[np.ndarray, np.ndarray, float]:
    """A turn of the items, then one of the models; and how far the items were off (a norm)."""
    n_models, n_dims = abilities.shape
    item_precisions = np.r_[np.full(n_dims, DISCRIMINATION_SD**-2), DIFFICULTY_SD**-2]
    design = np.column_stack([abilities, np.full(n_models, -1.0)]).astype(np.float32)
    design_pairs = _pairs(design)
    items = items.copy()
    products, gradients = np.zeros((n_models, n_dims * (n_dims + 1) // 2)), np.zeros_like(abilities)
    moved = 0.0
    for start in range(0, len(items), BLOCK):
        block = slice(start, start + BLOCK)
        cells = signs[:, block], None if answered is None else answered[:, block]
        curvatures, residuals = _bound(design, items[block], *cells)
        step = _step(
            curvatures.T @ design_pairs, residuals.T @ design, items[block], item_precisions
        )
        items[block] -= RELAXATION * step
        moved += float((step**2).sum())
        # The models' turn needs only sums over the items, each at its new place.
        curvatures, residuals = _bound(design, items[block], *cells)
        slopes = items[block, :-1].astype(np.float32)
        products += curvatures @ _pairs(slopes)
        gradients += residuals @ slopes
    step = _step(products, gradients, abilities, np.full(n_dims, ABILITY_SD**-2))
    return abilities - RELAXATION * step, items, float(np.sqrt(moved))


def _pairs(design: np.ndarray) -> np.ndarray:
    """Products of every two columns, each pair once, shape (n, width · (width + 1) / 2)."""
    first, second = np.triu_indices(design.shape[1])
    return design[:, first] * design[:, second]


def _bound(
    design: np.ndarray, items: np.ndarray, signs: np.ndarray, answered: np.ndarray | None
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
    if answered is not None:
        curvatures *= answered
        residuals *= answered
    return curvatures, residuals


def _step(
    products: np.ndarray, gradients: np.ndarray, current: np.ndarray, precisions: np.ndarray
) -> np.ndarray:
    """The step to the bound's minimum for every row of `current`, by one small system each."""
    width = precisions.size
    first, second = np.triu_indices(width)
    where = np.empty((width, width), dtype=np.int64)
    where[first, second] = where[second, first] = np.arange(first.size)
    systems = products[:, where] + np.diag(precisions)
    return np.linalg.solve(systems, (gradients + current * precisions)[..., None])[..., 0]


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
    signs: np.ndarray,
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
    means = (signs > 0).sum(axis=1) / (signs != 0).sum(axis=1)
    turns = np.where(thetas.T @ (means - means.mean()) < 0, -1.0, 1.0)
    thetas, slopes = thetas * turns, slopes * turns
    log_likelihood = 0.0
    for start in range(0, len(items), BLOCK):
        block = slice(start, start + BLOCK)
        logits = thetas @ slopes[block].T - difficulties[block]
        cells = np.logaddexp(0, -2 * signs[:, block] * logits)
        log_likelihood -= float(cells[signs[:, block] != 0].sum())
    notes: tuple[str, ...] = ()
    if n_models < MODELS_PER_DIM * n_dims:
        notes = (
            f"{n_models} source models are few for {n_dims} dimensions (fewer than "
            f"{MODELS_PER_DIM} a dimension): the priors, not the data, decide much of the IRT fit.",
        )
    return IRTFit(thetas, slopes, difficulties, log_likelihood, n_iterations, converged, notes)
