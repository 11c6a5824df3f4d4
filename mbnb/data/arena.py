"""A simulated arena: models, prompts and judges that prefer answers; nobody in it exists.

What the simulated world is made of
-----------------------------------
A model has a strength. A prompt has a gain, log-normal: some prompts bring strengths out, on others
all answers are about as good. An answer's quality is gain × strength plus a taste of this model for
this prompt, which stays when the model meets another opponent on the same prompt. A judge sees the
difference of two qualities plus logistic noise, calls it a tie where it is small, and now and then
does not look at all. So a Bradley–Terry model describes such battles well, and not exactly.
"""

from __future__ import annotations

import numpy as np

from mbnb.data.battles import POINTS, Battles
from mbnb.data.errors import InputError
from mbnb.data.simulate import FAMILIES

GAIN, TASTE = 0.5, 0.6  # spread of log gains; spread of tastes, in log-odds
TIED = 0.45  # a smaller difference (log-odds) is a tie
CARELESS = 0.1  # share of verdicts that are given without looking


def simulate_arena(
    n_models: int = 30,
    n_battles: int = 20_000,
    *,
    n_prompts: int = 4_000,
    spread: float = 100.0,
    seed: int = 0,
) -> Battles:
    """Battles of simulated models.

    Parameters
    ----------
    n_models, n_battles, n_prompts : int
        Pairs of models and prompts are drawn with equal chance, so that a prompt has
        ``n_battles / n_prompts`` battles on average.
    spread : float
        Standard deviation of the models' strengths, in rating points on a prompt of gain 1.
    seed : int

    Raises
    ------
    InputError
        If there are fewer than 2 models, 1 battle or 1 prompt, or the spread is negative.
    """
    if n_models < 2 or min(n_battles, n_prompts) < 1 or not 0 <= spread < np.inf or seed < 0:
        raise InputError(
            f"an arena of {n_models} models, {n_battles} battles, {n_prompts} prompts, spread "
            f"{spread:g} and seed {seed} is not possible; allowed are at least 2 models, 1 battle "
            "and 1 prompt, and a spread and a seed that are not negative."
        )
    rng = np.random.default_rng([seed, n_models, n_prompts])
    strength = rng.standard_normal(n_models) * spread / POINTS
    gain = np.exp(GAIN * rng.standard_normal(n_prompts))
    quality = np.multiply.outer(strength, gain) + TASTE * rng.standard_normal((n_models, n_prompts))
    first = rng.integers(n_models, size=n_battles)
    second = (first + rng.integers(1, n_models, size=n_battles)) % n_models
    prompt = rng.integers(n_prompts, size=n_battles)
    seen = quality[first, prompt] - quality[second, prompt] + rng.logistic(size=n_battles)
    result = np.where(np.abs(seen) < TIED, 0.5, (seen > 0).astype(float))
    careless = rng.random(n_battles) < CARELESS
    result[careless] = rng.integers(2, size=int(careless.sum()))
    names = [f"sim-{FAMILIES[i % len(FAMILIES)]}-{i // len(FAMILIES) + 1}" for i in range(n_models)]
    return Battles(np.array(names), first, second, result, prompt, "simulated:arena")
