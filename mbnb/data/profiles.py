"""Profiles: the settings of a simulated leaderboard, read and checked; nothing is drawn here.

A profile is a TOML file of plain numbers. `mbnb.data.simulate` says what each of them does.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mbnb.data.checked import build, check_keys, list_of_tables, number
from mbnb.data.errors import InputError

MOST_OPTIONS = 26  # one letter each

_HERE = Path(__file__).resolve().parent
# An installed wheel carries the profiles beside this file, a checkout at the repository's top.
_FOLDERS = (_HERE / "profiles", _HERE.parents[1] / "data" / "profiles")


@dataclass(frozen=True, kw_only=True)
class Subtask:
    """One subtask of a simulated benchmark.

    Parameters
    ----------
    name : str
    items : int
        Number of items, at least 1.
    difficulty : float
        Added to the difficulty of each of its items, in units of ability.
    options : tuple of (int, float)
        How many options an item has, and the share of the items that have so many.
    """

    name: str
    items: int = number(1, 1_000_000)
    difficulty: float = number(-50, 50)
    options: tuple[tuple[int, float], ...]


@dataclass(frozen=True, kw_only=True)
class Cohort:
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
    size_b: float = number(0, 1_000_000, above=True)
    models: int = number(1, 100_000)
    bases: int = number(1, 100_000)
    tuned: float = number(0, 1)
    ability: float = number(-50, 50)
    spread: float = number(0, 50)


@dataclass(frozen=True, kw_only=True)
class Abilities:
    """Beyond general ability: `dimensions` special abilities and what loads on them.

    A subtask's loadings have length `subtask_loading` on average, an item's own ones
    `item_loading`.
    """

    dimensions: int = number(1, 1000)
    subtask_loading: float = number(0, 50)
    item_loading: float = number(0, 50)


@dataclass(frozen=True, kw_only=True)
class Knowledge:
    """How ability turns into a lead of the right option over the others.

    `difficulty_spread` is the standard deviation of item difficulty, `gain` the median
    discrimination (logits per unit of ability), `gain_spread` its standard deviation in logs.
    """

    difficulty_spread: float = number(0, 50)
    gain: float = number(0, 50, above=True)
    gain_spread: float = number(0, 50)


@dataclass(frozen=True, kw_only=True)
class Noise:
    """What pulls a model to an option without knowledge, in logits (standard deviations).

    `appeal` is an option's pull on all models of like ability; it changes with ability by `turn`
    (radians per unit of ability; 0: the same for all). `own` is the pull on one lineage, shared by
    all fine-tunes of a base but for each model's drift: the share of variance that is its own,
    drawn log-uniformly between `drift_low` and `drift_high`. `letter` is the weakest models'
    preference for letters; it is half as strong at ability `letter_ability`.
    """

    appeal: float = number(0, 50)
    turn: float = number(0, 50)
    own: float = number(0, 50, above=True)
    drift_low: float = number(0, 1, above=True)
    drift_high: float = number(0, 1, above=True)
    letter: float = number(0, 50)
    letter_ability: float = number(-50, 50)


@dataclass(frozen=True, kw_only=True)
class Confidence:
    """Sharpness: the factor from logits to log-probabilities.

    Medians for base and tuned models, and its standard deviation over models in logs. It changes
    confidences and no score.
    """

    base: float = number(0, 50, above=True)
    tuned: float = number(0, 50, above=True)
    spread: float = number(0, 50)


@dataclass(frozen=True, kw_only=True)
class Profile:
    """All that a simulated leaderboard is made from.

    Raises
    ------
    InputError
        If the file has an unknown or missing key, a value of the wrong type or an impossible
        value; the message names file, key and what is allowed.
    """

    name: str
    seed: int = number(0, 2**63 - 1)
    abilities: Abilities
    knowledge: Knowledge
    noise: Noise
    confidence: Confidence
    subtasks: tuple[Subtask, ...]
    cohorts: tuple[Cohort, ...]

    @property
    def n_items(self) -> int:
        return sum(subtask.items for subtask in self.subtasks)

    @property
    def n_models(self) -> int:
        return sum(cohort.models for cohort in self.cohorts)


def profile_names() -> list[str]:
    """Names of the profiles that come with the book, sorted."""
    return sorted({path.stem for folder in _FOLDERS for path in folder.glob("*.toml")})


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
        If there is no such profile, or the file is not a valid one.
    """
    path = Path(name_or_path)
    if path.suffix == ".toml":
        if not path.is_file():
            raise InputError(f"profile file '{path}' does not exist.")
    else:
        found = [f / f"{name_or_path}.toml" for f in _FOLDERS]
        found = [file for file in found if file.is_file()]
        if not found:
            raise InputError(
                f"simulated leaderboard '{name_or_path}' is unknown; known: "
                f"{', '.join(profile_names())}, or the path of a .toml file."
            )
        path = found[0]
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: not a TOML file ({error}).") from None
    return _parse(table, str(path))


def _parse(table: dict[str, Any], file: str) -> Profile:
    # A subtask without options of its own has the benchmark's.
    shared = table.pop("options", None)
    check_keys(Profile, table, file)
    parts = {
        name: build(kind, table[name], file, f"{name}.")
        for name, kind in (
            ("abilities", Abilities),
            ("knowledge", Knowledge),
            ("noise", Noise),
            ("confidence", Confidence),
        )
    }
    subtasks = [
        build(Subtask, _with_options(entry, shared, f"{file}: key '{prefix}options'"), file, prefix)
        for prefix, entry in list_of_tables(table["subtasks"], file, "subtasks")
    ]
    cohorts = [
        build(Cohort, entry, file, prefix)
        for prefix, entry in list_of_tables(table["cohorts"], file, "cohorts")
    ]
    parts |= {"subtasks": tuple(subtasks), "cohorts": tuple(cohorts)}
    profile: Profile = build(Profile, {**table, **parts}, file, "")
    _check_whole(profile, file)
    return profile


def _with_options(subtask: Any, shared: Any, where: str) -> Any:
    if not isinstance(subtask, dict) or (shared is None and "options" not in subtask):
        return subtask
    return {**subtask, "options": _options(subtask.get("options", shared), where)}


def _options(table: Any, where: str) -> tuple[tuple[int, float], ...]:
    allowed = f"a table of numbers of options (2 to {MOST_OPTIONS}) and shares that sum to 1"
    if not isinstance(table, dict) or not table:
        raise InputError(f"{where} is {table!r}; allowed is {allowed}.")
    pairs = []
    for key, share in table.items():
        fits = key.isdecimal() and 2 <= int(key) <= MOST_OPTIONS
        is_number = isinstance(share, (int, float)) and not isinstance(share, bool)
        if not fits or not is_number or not 0 < share <= 1:
            raise InputError(f"{where} holds {key} = {share!r}; allowed is {allowed}.")
        pairs.append((int(key), float(share)))
    total = sum(share for _, share in pairs)
    if abs(total - 1) > 1e-9:
        raise InputError(f"{where} has shares that sum to {total:g}; allowed is {allowed}.")
    return tuple(sorted(pairs))


def _check_whole(profile: Profile, file: str) -> None:
    if not profile.name:
        raise InputError(f"{file}: key 'name' is empty; allowed is a text of 1 character or more.")
    names = [subtask.name for subtask in profile.subtasks]
    for position, name in enumerate(names, start=1):
        if not name or name in names[: position - 1]:
            raise InputError(
                f"{file}: key 'subtasks[{position}].name' is '{name}'; allowed is a text that no "
                "other subtask has."
            )
    for position, cohort in enumerate(profile.cohorts, start=1):
        if cohort.bases > cohort.models:
            raise InputError(
                f"{file}: key 'cohorts[{position}].bases' is {cohort.bases}; allowed is at most "
                f"the cohort's number of models, {cohort.models}."
            )
    low, high = profile.noise.drift_low, profile.noise.drift_high
    if low > high:
        raise InputError(
            f"{file}: key 'noise.drift_low' is {low:g}; allowed is at most drift_high, {high:g}."
        )
