"""Profiles: the settings of a simulated leaderboard, declared and read; nothing is drawn here.

A profile is a TOML file of plain numbers. `mbnb.data.simulate` says what each of them does.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from msgspec import Meta

from mbnb.data.declared import Declared, read_toml
from mbnb.data.errors import InputError, check
from mbnb.data.paths import given_path, kept_files

MOST_OPTIONS = 26  # one letter each

Name = Annotated[str, Meta(min_length=1)]
Count = Annotated[int, Meta(ge=1, le=1_000_000)]
Share = Annotated[float, Meta(ge=0, le=1)]
Level = Annotated[float, Meta(ge=-50, le=50)]
Spread = Annotated[float, Meta(ge=0, le=50)]
Factor = Annotated[float, Meta(gt=0, le=50)]
# How many options an item has, and the share of the items that have so many.
Options = dict[Annotated[int, Meta(ge=2, le=MOST_OPTIONS)], Annotated[float, Meta(gt=0, le=1)]]


class Subtask(Declared, frozen=True):
    """One subtask of a simulated benchmark.

    Parameters
    ----------
    name : str
    items : int
        Number of items.
    difficulty : float
        Added to the difficulty of each of its items, in units of ability.
    options : dict of int to float, optional
        Shares of the items by number of options; by default the benchmark's.
    """

    name: Name
    items: Count
    difficulty: Level
    options: Options | None = None

    def __post_init__(self) -> None:
        _check_options(self.options)


class Cohort(Declared, frozen=True):
    """Models of one size whose abilities lie around one mean.

    Parameters
    ----------
    group : str
        Name of a fixed target group, or "" for models that belong to none.
    size_b : float
        Billions of parameters.
    models, bases : int
        Number of models, and of base models that they are fine-tunes of.
    tuned : float
        Share of the models that are instruction-tuned (0–1).
    ability, spread : float
        Mean and standard deviation of the cohort's ability.
    """

    group: str
    size_b: Annotated[float, Meta(gt=0, le=1_000_000)]
    models: Annotated[int, Meta(ge=1, le=100_000)]
    bases: Count
    tuned: Share
    ability: Level
    spread: Spread

    def __post_init__(self) -> None:
        check(self.bases <= self.models, "bases", self.bases, f"at most its {self.models} models")


class Abilities(Declared, frozen=True):
    """Beyond general ability: `dimensions` special abilities and what loads on them.

    A subtask's loadings have length `subtask_loading` on average, an item's own ones
    `item_loading`.
    """

    dimensions: Annotated[int, Meta(ge=1, le=1000)]
    subtask_loading: Spread
    item_loading: Spread


class Knowledge(Declared, frozen=True):
    """How ability turns into a lead of the right option over the others.

    `difficulty_spread` is the standard deviation of item difficulty, `gain` the median
    discrimination (logits per unit of ability), `gain_spread` its standard deviation in logs.
    """

    difficulty_spread: Spread
    gain: Factor
    gain_spread: Spread


class Noise(Declared, frozen=True):
    """What pulls a model to an option without knowledge, in logits (standard deviations).

    `appeal` is an option's pull on all models of like ability; it changes with ability by `turn`
    (radians per unit of ability; 0: the same for all). `own` is the pull on one lineage, shared by
    all fine-tunes of a base but for each model's drift: the share of variance that is its own,
    drawn log-uniformly between `drift_low` and `drift_high`. `letter` is the weakest models'
    preference for letters; it is half as strong at ability `letter_ability`.
    """

    appeal: Spread
    turn: Spread
    own: Factor
    drift_low: Annotated[float, Meta(gt=0, le=1)]
    drift_high: Annotated[float, Meta(gt=0, le=1)]
    letter: Spread
    letter_ability: Level

    def __post_init__(self) -> None:
        low, high = self.drift_low, self.drift_high
        check(low <= high, "drift_low", low, f"at most drift_high, which is {high}")


class Confidence(Declared, frozen=True):
    """Sharpness: the factor from logits to log-probabilities.

    Medians for base and tuned models, and its standard deviation over models in logs. It changes
    confidences and no score.
    """

    base: Factor
    tuned: Factor
    spread: Spread


class Profile(Declared, frozen=True):
    """All that a simulated leaderboard is made from; `options` are those of subtasks without."""

    name: Name
    seed: Annotated[int, Meta(ge=0)]
    abilities: Abilities
    knowledge: Knowledge
    noise: Noise
    confidence: Confidence
    subtasks: Annotated[tuple[Subtask, ...], Meta(min_length=1)]
    cohorts: Annotated[tuple[Cohort, ...], Meta(min_length=1)]
    options: Options | None = None

    def __post_init__(self) -> None:
        _check_options(self.options)
        names: set[str] = set()
        for subtask in self.subtasks:
            once = "a name that no other subtask has"
            check(subtask.name not in names, "the name of a subtask", subtask.name, once)
            names.add(subtask.name)
            if subtask.options is None and self.options is None:
                raise InputError(f"neither the subtask {subtask.name!r} nor the file has 'options'")

    @property
    def n_items(self) -> int:
        return sum(subtask.items for subtask in self.subtasks)

    @property
    def n_models(self) -> int:
        return sum(cohort.models for cohort in self.cohorts)


def _check_options(options: Options | None) -> None:
    total = 1 if options is None else sum(options.values())
    check(abs(total - 1) <= 1e-9, "the sum of the shares of options", total, "1")


def profile_names() -> list[str]:
    """Names of the profiles that come with the book, sorted.

    Those fitted to real matrices, ``fitted/…``, can be read, but are not among them.
    """
    return [name for name in kept_files("profiles", ".toml") if "/" not in name]


def read_profile(name_or_path: str | Path) -> Profile:
    """Read a profile by its name, or from a TOML file.

    Parameters
    ----------
    name_or_path : str or Path
        One of `profile_names()`, or the path of a file that ends in ``.toml``.

    Returns
    -------
    Profile

    Raises
    ------
    InputError
        If there is no such profile, or the file has an unknown or missing key or a value that is
        not allowed; the message names file, key and what is allowed.
    """
    if str(name_or_path).endswith(".toml"):
        path = given_path(name_or_path)
        if not path.is_file():
            raise InputError(f"there is no profile file {path}.")
        return read_toml(path, Profile)
    known = kept_files("profiles", ".toml")
    allowed = (*profile_names(), "the path of a .toml file")
    check(str(name_or_path) in known, "the simulated leaderboard", str(name_or_path), allowed)
    return read_toml(known[str(name_or_path)], Profile)
