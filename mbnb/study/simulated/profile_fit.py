"""Fits the profile of a simulated leaderboard to a response matrix; reads and writes no file.

Here the frame of a profile is made (its subtasks, options, cohorts and confidences), and what was
drawn or taken from elsewhere is told; `mbnb.study.simulated.profile_search` moves the rest.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from mbnb.data.errors import InputError
from mbnb.data.profiles import MOST_OPTIONS, Cohort, Confidence, Profile, Subtask
from mbnb.data.responses import ResponseMatrix
from mbnb.data.simulate import simulate
from mbnb.methods.samples import draw_items, draw_models
from mbnb.study.simulated.answer_statistics import added_variance, check_binary
from mbnb.study.simulated.profile_search import move_levels, rounded, search_structure

MOST_MODELS = 470
FEWEST_MODELS, FEWEST_ITEMS = 20, 50
# Answers that are compared at each step; more items are drawn from, subtask by subtask.
CELLS = 250_000
# Ranks of the models, weakest first, at which cohorts begin: narrow at both ends, where the
# distribution of accuracies bends.
RANKS = (0, 0.05, 0.15, 0.3, 0.5, 0.7, 0.85, 0.95, 1)


@dataclass(frozen=True)
class FittedProfile:
    """A fitted profile and what it was fitted to.

    Attributes
    ----------
    profile : Profile
    compared : ResponseMatrix
        The models of the matrix that were compared; the profile has as many.
    notes : tuple of str
        A sentence about each thing that was drawn, or taken from another profile.
    """

    profile: Profile
    compared: ResponseMatrix
    notes: tuple[str, ...]


def fit_profile(
    matrix: ResponseMatrix,
    like: Profile,
    *,
    name: str = "fitted",
    n_models: int | None = None,
    options: int | None = None,
    seed: int = 0,
) -> FittedProfile:
    """Fit a profile to a response matrix.

    The same matrix, arguments and versions of the libraries give the same profile.

    Parameters
    ----------
    matrix : ResponseMatrix
        Complete and binary, without copies of models.
    like : Profile
        Where the search starts, and where that comes from which answers do not tell: how many
        special abilities there are, how popular bases are, numbers of options where the items do
        not say them, and for a matrix without confidences how sharp they are.
    name : str
        Of the profile.
    n_models : int, optional
        Models of the profile, drawn from those of the matrix for the comparison; by default 470 or
        all there are.
    options : int, optional
        Of every item. By default the column ``options`` of the items, or else those of `like`.
    seed : int
        Draws models and items, and is the profile's.

    Raises
    ------
    InputError
        If the matrix is not complete, not binary, has fewer than 20 models or 50 items, or all
        its models are equally accurate; or if `n_models` or `options` is not possible.
    """
    check_fit(matrix)
    _check_wishes(matrix, n_models, options)
    compared = draw_models(matrix, n_models or min(matrix.n_models, MOST_MODELS), seed)
    seen = draw_items(compared, max(FEWEST_ITEMS, CELLS // compared.n_models), seed)
    choices, said = _options(matrix, like, options)
    start = replace(
        like,
        name=name,
        seed=seed,
        subtasks=_subtasks(seen, choices, like),
        cohorts=_cohorts(compared.n_models, like),
    )
    profile = search_structure(start, seen)
    sharp, confident = _sharpness(profile, seen, like)
    # Other items are drawn where there are more of them, so the levels are found once again.
    everything = draw_items(compared, compared.n_items, seed)
    counts = np.bincount(everything.subtask_codes).tolist()
    grown = [replace(s, items=n) for s, n in zip(profile.subtasks, counts, strict=True)]
    profile = replace(profile, confidence=sharp, subtasks=tuple(grown))
    profile = move_levels(profile, everything)
    notes = (
        f"{compared.n_models:,} of the {matrix.n_models:,} models were drawn; the profile has as "
        "many."
        if compared.n_models < matrix.n_models
        else "",
        f"Each step compared {seen.n_items:,} of the {matrix.n_items:,} items."
        if seen.n_items < matrix.n_items
        else "",
        said,
        confident,
        f"The number of special abilities and the popularity of bases are those of '{like.name}'.",
    )
    return FittedProfile(rounded(profile), compared, tuple(filter(None, notes)))


def check_fit(matrix: ResponseMatrix) -> None:
    """Raise InputError unless a profile can be fitted to the matrix."""
    check_binary(matrix)
    if matrix.n_models < FEWEST_MODELS or matrix.n_items < FEWEST_ITEMS:
        raise InputError(
            f"{matrix.name} has {matrix.n_models} models × {matrix.n_items} items; a profile can "
            f"be fitted to {FEWEST_MODELS} × {FEWEST_ITEMS} or more."
        )
    if matrix.accuracies().std() < 1e-3:
        raise InputError(
            f"{matrix.name}: all models are equally accurate; a profile is fitted to their "
            "differences."
        )


def _check_wishes(matrix: ResponseMatrix, n_models: int | None, options: int | None) -> None:
    if n_models is not None and not FEWEST_MODELS <= n_models <= matrix.n_models:
        raise InputError(
            f"a profile of {n_models} models cannot be fitted to {matrix.name}; allowed are "
            f"{FEWEST_MODELS} to {matrix.n_models}, as many as it has."
        )
    if options is not None and not 2 <= options <= MOST_OPTIONS:
        raise InputError(f"{options} options are not possible; allowed are 2 to {MOST_OPTIONS}.")


def _options(
    matrix: ResponseMatrix, like: Profile, options: int | None
) -> tuple[dict[str, tuple[tuple[int, float], ...]], str]:
    """Numbers of options and their shares, by subtask, and where they come from."""
    if options is not None:
        return dict.fromkeys(matrix.subtasks, ((options, 1.0),)), ""
    column = matrix.items.get("options")
    if column is not None and column.dtype.kind in "iu" and column.between(2, MOST_OPTIONS).all():
        shares = {}
        for subtask, own in column.groupby(matrix.items["subtask"], sort=False):
            counts = own.value_counts().sort_index()
            shares[str(subtask)] = tuple((int(n), float(c / len(own))) for n, c in counts.items())
        return shares, ""
    total: dict[int, float] = {}
    for subtask in like.subtasks:
        for count, share in subtask.options:
            total[count] = total.get(count, 0.0) + share * subtask.items / like.n_items
    common = max(total, key=lambda count: total[count])
    note = (
        f"The items have no column 'options': {common} options an item, as most of '{like.name}' "
        "have (--options sets another number)."
    )
    return dict.fromkeys(matrix.subtasks, ((common, 1.0),)), note


def _subtasks(
    seen: ResponseMatrix, options: dict[str, tuple[tuple[int, float], ...]], like: Profile
) -> tuple[Subtask, ...]:
    level = sum(s.difficulty * s.items for s in like.subtasks) / like.n_items
    counts = np.bincount(seen.subtask_codes)
    return tuple(
        Subtask(name=name, items=int(n), difficulty=level, options=options[name])
        for name, n in zip(seen.subtasks, counts, strict=True)
    )


def _cohorts(n_models: int, like: Profile) -> tuple[Cohort, ...]:
    """Cohorts from the weakest to the strongest; sizes and bases are those of `like` there."""
    edges = np.unique(np.rint(np.array(RANKS) * n_models).astype(int))
    if n_models < 10 * len(RANKS):  # a cohort of one or two models has no spread
        edges = np.unique(np.rint(np.array([0, 0.15, 0.5, 0.85, 1]) * n_models).astype(int))
    known = sorted(like.cohorts, key=lambda cohort: cohort.ability)
    ends = np.cumsum([cohort.models for cohort in known]) / like.n_models
    popular = sum(cohort.bases for cohort in known) / like.n_models
    tuned = sum(cohort.tuned * cohort.models for cohort in known) / like.n_models
    cohorts = []
    for low, high in pairwise(edges):
        middle = (low + high) / 2 / n_models
        twin = known[min(int(np.searchsorted(ends, middle)), len(known) - 1)]
        count = int(high - low)
        cohorts.append(
            Cohort(
                group="",
                size_b=twin.size_b,
                models=count,
                bases=max(1, round(popular * count)),
                tuned=round(tuned, 2),
                ability=3.0 * (middle - 0.5),
                spread=0.2,
            )
        )
    return tuple(cohorts)


def _sharpness(profile: Profile, seen: ResponseMatrix, like: Profile) -> tuple[Confidence, str]:
    """How sharp confidences are, so that items add as much to their variance as in the matrix."""
    if seen.confidences is None:
        return like.confidence, (
            f"The matrix has no confidences: how sharp the profile's are is taken from "
            f"'{like.name}', an assumption that nothing here checks."
        )
    wanted = added_variance(seen.confidences)

    def made(log_sharpness: float) -> np.ndarray:
        sharpness = float(np.exp(log_sharpness))
        even = Confidence(base=sharpness, tuned=sharpness, spread=0.0)
        confidences = simulate(replace(profile, confidence=even)).confidences
        assert confidences is not None
        return added_variance(confidences)

    # The sharper a model, the less a single item's answer adds; ten halvings are 0.5 %.
    low, high = np.log(0.05), np.log(20.0)
    for _ in range(10):
        middle = (low + high) / 2
        above = np.nanmedian(made(middle)) > np.nanmedian(wanted)
        low, high = (middle, high) if above else (low, middle)
    place = (low + high) / 2
    step = 0.1
    slope = float(np.nanmedian(made(place + step)) - np.nanmedian(made(place - step))) / (2 * step)
    own = _scatter(made(place), simulate(profile).accuracies())
    spread = np.sqrt(max(_scatter(wanted, seen.accuracies()) - own, 0.0)) / max(-slope, 1e-3)
    sharpness = float(np.exp(place))
    fitted = Confidence(base=sharpness, tuned=sharpness, spread=float(min(spread, 2.0)))
    return fitted, "How sharp confidences are was fitted to those of the matrix."


def _scatter(values: np.ndarray, accuracies: np.ndarray) -> float:
    """Variance over models of what a parabola in accuracy does not explain."""
    there = ~np.isnan(values)
    curve = np.polynomial.Polynomial.fit(accuracies[there], values[there], 2)
    return float(np.var(values[there] - curve(accuracies[there])))
