"""Moves the settings of a profile until what it simulates is like a matrix; knows no file.

Simulated moments: a profile is simulated, its statistics (see `answer_statistics`) are compared
with those of the matrix, and its settings are moved until they agree as well as they can (McFadden,
1989, Econometrica 57). The same seed draws the same random numbers at every step, so that what
changes between two steps is what the settings change. Two things move in turn:

- *levels*: the abilities of the cohorts and the difficulties of the subtasks, step by step until
  the accuracies of models and subtasks are those of the matrix;
- *structure*: spread of difficulty, discrimination, loadings, and what pulls to wrong options, by
  least squares within bounds, with a weak pull to the profile that is started from.
"""

from __future__ import annotations

from dataclasses import fields, replace
from itertools import pairwise

import numpy as np
import pandas as pd
from scipy.optimize import isotonic_regression, least_squares
from scipy.special import ndtri

from mbnb.data.profiles import Cohort, Confidence, Profile
from mbnb.data.responses import ResponseMatrix
from mbnb.data.simulate import simulate
from mbnb.study.simulated.answer_statistics import matrix_statistics

LOWEST_ABILITY, HIGHEST_ABILITY = -5.0, 7.0
# What is moved, and between which bounds (all on a logarithmic scale).
BOUNDS = {
    "knowledge.difficulty_spread": (0.3, 4.0),
    "knowledge.gain": (0.4, 5.0),
    "knowledge.gain_spread": (0.1, 1.5),
    "abilities.subtask_loading": (0.05, 3.0),
    "abilities.item_loading": (0.1, 3.0),
    "noise.appeal": (0.2, 4.0),
    "noise.turn": (0.02, 1.5),
    "noise.own": (0.1, 3.0),
    "noise.drift_low": (0.0005, 0.9),
    "noise.letter": (0.2, 8.0),
}
# Differences that weigh alike in the sum of squares; in the statistic's own unit.
TOLERANCES = {
    "accuracy": 1.0,
    "solved": 1.5,
    "disagreement": 0.7,
    "nearest": 1.0,
    "correlation": 0.005,
    "component": 0.5,
    "weak and strong": 0.04,
}
PULL = 0.3  # of the profile started from: what a setting e times as large weighs
ROUNDS, STEPS, LEVEL_STEPS = 5, 3, 4
ENOUGH = 0.98  # a round that lowers the sum of squares by less is the last
DIGITS = 4


def search_structure(profile: Profile, seen: ResponseMatrix) -> Profile:
    """Levels and structure moved in turn, from a profile, until a round no longer helps.

    Parameters
    ----------
    profile : Profile
        Where the search starts; as many models and items as `seen`, in its subtasks' order.
    seen : ResponseMatrix
        Complete and binary.
    """
    target = _moments(seen)
    scale = target.index.get_level_values("statistic").map(TOLERANCES).to_numpy()
    names = list(BOUNDS)
    low, high = np.log(np.array(list(BOUNDS.values()))).T
    origin = np.clip(np.log([_get(profile, name) for name in names]), low, high)
    best, least = profile, np.inf
    for _ in range(ROUNDS):
        profile = move_levels(profile, seen)
        base = profile

        # From 1 to 2 within the bounds: steps of a derivative are relative to a value.
        def settled(place: np.ndarray, base: Profile = base) -> Profile:
            return _level(_set(base, names, np.exp(low + (place - 1) * (high - low))), seen)

        def residuals(place: np.ndarray) -> np.ndarray:
            made = _moments(simulate(settled(place))).reindex(target.index)
            off = ((made - target).to_numpy() / scale).clip(-20, 20)
            pull = PULL * (low + (place - 1) * (high - low) - origin)
            return np.concatenate([np.nan_to_num(off), pull])

        here = np.log([_get(base, name) for name in names]).clip(low, high)
        place = 1 + (here - low) / (high - low)
        found = least_squares(
            residuals, place, bounds=(1, 2), diff_step=0.03, max_nfev=STEPS, x_scale=0.2
        )
        profile = settled(found.x)
        better = found.cost < ENOUGH * least
        if found.cost < least:
            best, least = profile, found.cost
        if not better:
            break
    return best


def move_levels(profile: Profile, seen: ResponseMatrix) -> Profile:
    """A few steps of abilities and difficulties alone; arguments as of `search_structure`."""
    for _ in range(LEVEL_STEPS):
        profile = _level(profile, seen)
    return profile


def _moments(matrix: ResponseMatrix) -> pd.Series:
    table = matrix_statistics(matrix, sizes=(), singletons=False)
    wanted = table[table["statistic"].isin(TOLERANCES)].dropna()
    return wanted.set_index(["statistic", "at"])["value"]


def _level(profile: Profile, seen: ResponseMatrix) -> Profile:
    """One step of abilities and difficulties towards the accuracies of the matrix."""
    made = simulate(profile)
    ends = np.cumsum([cohort.models for cohort in profile.cohorts])[:-1]
    abilities = np.array([cohort.ability for cohort in profile.cohorts])
    own = np.array([part.mean() for part in np.split(made.accuracies(), ends)])
    slope = _slope(abilities, own)
    wanted = np.split(np.sort(seen.accuracies()), ends)
    given = np.split(np.sort(made.accuracies()), ends)
    missed = np.array([w.mean() - g.mean() for w, g in zip(wanted, given, strict=True)])
    cohorts = _at_abilities(profile.cohorts, abilities + np.clip(0.8 * missed / slope, -0.6, 0.6))
    subtasks = []
    codes = seen.subtask_codes
    overall = seen.scores.mean() - made.scores.mean()
    for code, subtask in enumerate(profile.subtasks):
        part = made.scores[:, codes == code]
        means = np.array([rows.mean() for rows in np.split(part, ends)])
        off = seen.scores[:, codes == code].mean() - part.mean() - overall
        step = np.clip(off / _slope(abilities, means), -0.6, 0.6)
        moved = float(np.clip(subtask.difficulty - step, -10, 10))
        subtasks.append(replace(subtask, difficulty=moved))
    return replace(profile, cohorts=cohorts, subtasks=tuple(subtasks))


def _at_abilities(cohorts: tuple[Cohort, ...], abilities: np.ndarray) -> tuple[Cohort, ...]:
    """Cohorts moved, in their order from weak to strong, and as wide as leaves no hole between.

    Models of equal ability differ in accuracy by their special abilities, so that the best and the
    worst of a leaderboard are not all of the best and worst cohort; without the order, an outer
    cohort would run away.
    """
    sizes = np.array([cohort.models for cohort in cohorts])
    ends = np.concatenate([[0], np.cumsum(sizes)])
    ranks = ndtri((np.arange(ends[-1]) + 0.5) / ends[-1])
    parts = [ranks[low:high] for low, high in pairwise(ends)]
    middles = np.array([part.mean() for part in parts])
    abilities = np.clip(abilities, LOWEST_ABILITY, HIGHEST_ABILITY)
    abilities = isotonic_regression(abilities, weights=sizes).x
    slopes = np.gradient(abilities, middles) if len(cohorts) > 1 else np.ones(1)
    return tuple(
        replace(c, ability=float(a), spread=float(np.clip(s * part.std(), 0.02, 2.0)))
        for c, a, s, part in zip(cohorts, abilities, slopes, parts, strict=True)
    )


def _slope(abilities: np.ndarray, accuracies: np.ndarray) -> float:
    """Accuracy gained by a unit of ability, at least 0.03."""
    centred = abilities - abilities.mean()
    return float(max((centred * accuracies).sum() / max((centred**2).sum(), 1e-6), 0.03))


def rounded(profile: Profile) -> Profile:
    """Four digits: what is written in the file is what was fitted."""
    names = list(BOUNDS)
    confidence = {f.name: _digits(getattr(profile.confidence, f.name)) for f in fields(Confidence)}
    return replace(
        _set(profile, names, np.array([_digits(_get(profile, name)) for name in names])),
        confidence=Confidence(**confidence),
        cohorts=tuple(
            replace(c, ability=_digits(c.ability), spread=_digits(c.spread))
            for c in profile.cohorts
        ),
        subtasks=tuple(replace(s, difficulty=_digits(s.difficulty)) for s in profile.subtasks),
    )


def _digits(value: float) -> float:
    return float(f"{value:.{DIGITS}g}")


def _get(profile: Profile, name: str) -> float:
    group, key = name.split(".")
    return float(getattr(getattr(profile, group), key))


def _set(profile: Profile, names: list[str], values: np.ndarray) -> Profile:
    for name, value in zip(names, values, strict=True):
        group, key = name.split(".")
        changed = replace(getattr(profile, group), **{key: float(value)})
        profile = replace(profile, **{group: changed})
    return profile
