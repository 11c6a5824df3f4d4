"""Battles: which of two models' answers to one prompt was preferred; rates nobody.

A battle is to a preference leaderboard what an item is to a benchmark: the thing that one may have
fewer of.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pandas as pd

from mbnb.data.errors import InputError
from mbnb.data.responses import ResponseMatrix

# The columns of a file of battles; a fourth, ``prompt``, is free.
COLUMNS = ("model_a", "model_b", "winner")
RESULTS = {"model_a": 1.0, "model_b": 0.0, "tie": 0.5, "tie (bothbad)": 0.5}
TIES = ("drop", "keep")
# Rating points of one unit of log-odds: 400 points are odds of ten to one.
POINTS = 400 / np.log(10)


@dataclass(frozen=True, eq=False)
class Battles:
    """Results of battles between models.

    Parameters
    ----------
    models : ndarray of str, shape (n_models,)
        Unique ids.
    first, second : ndarray of int, shape (n_battles,)
        Positions in `models` of the two that fought; never the same.
    result : ndarray of float, shape (n_battles,)
        Of the first: 1 won, 0 lost, 0.5 a tie.
    prompt : ndarray of int, shape (n_battles,)
        Number of the prompt that both answered.
    name : str
        What captions call the data.

    Raises
    ------
    InputError
        If a shape, an id or a result is not as above.
    """

    models: np.ndarray
    first: np.ndarray
    second: np.ndarray
    result: np.ndarray
    prompt: np.ndarray
    name: str = field(default="unnamed")

    def __post_init__(self) -> None:
        shapes = {np.shape(a) for a in (self.first, self.second, self.result, self.prompt)}
        if len(shapes) != 1 or len(next(iter(shapes))) != 1:
            raise InputError(
                f"{self.name}: first, second, result and prompt must be lists of one length; their "
                f"shapes are {', '.join(map(str, sorted(shapes)))}."
            )
        if not self.n_battles:
            raise InputError(f"{self.name} has no battles; at least one is needed.")
        if len(set(self.models.tolist())) < self.n_models or self.n_models < 2:
            raise InputError(
                f"{self.name}: its models must be at least 2 and each named once; given are "
                f"{self.n_models}, {len(set(self.models.tolist()))} of them different."
            )
        both = np.concatenate([self.first, self.second])
        if both.min() < 0 or both.max() >= self.n_models:
            raise InputError(
                f"{self.name}: a battle names a model outside 0 … {self.n_models - 1}."
            )
        alone = np.flatnonzero(self.first == self.second)
        if alone.size:
            raise InputError(
                f"{self.name}: {alone.size} battles are of a model with itself (first: battle "
                f"{alone[0]}, '{self.models[self.first[alone[0]]]}'); leave them out."
            )
        odd = np.flatnonzero(~np.isin(self.result, (0, 0.5, 1)))
        if odd.size:
            raise InputError(
                f"{self.name}: {odd.size} results are not 0, 0.5 or 1 (first: battle {odd[0]}, "
                f"{self.result[odd[0]]:g})."
            )

    @property
    def n_models(self) -> int:
        return int(self.models.size)

    @property
    def n_battles(self) -> int:
        return int(np.size(self.first))

    @property
    def tie_share(self) -> float:
        """Share of the battles (0–1) that nobody won."""
        return float((self.result == 0.5).mean())

    def wins(self) -> np.ndarray:
        """How often each model beat each other one, a tie a half each; (n_models, n_models)."""
        wins = np.zeros((self.n_models, self.n_models))
        np.add.at(wins, (self.first, self.second), self.result)
        np.add.at(wins, (self.second, self.first), 1 - self.result)
        return wins

    def subset(self, battles: np.ndarray) -> Battles:
        """Some of the battles, by position; the models stay."""
        return Battles(
            self.models,
            self.first[battles],
            self.second[battles],
            self.result[battles],
            self.prompt[battles],
            self.name,
        )


def read_battles(path: str | Path) -> Battles:
    """Battles from a CSV file with the columns ``model_a``, ``model_b`` and ``winner``.

    Parameters
    ----------
    path : str or Path
        ``winner`` is “model_a”, “model_b”, “tie” or “tie (bothbad)”; both kinds of tie are one. A
        column ``prompt`` says which battles share one; without it every battle has its own.

    Raises
    ------
    InputError
        If the file or a column is not there, or a value is none of these; the line is named.
    """
    path = Path(path)
    try:
        table = pd.read_csv(path, dtype=str, keep_default_na=False)
    except FileNotFoundError:
        raise InputError(f"there is no file {path}.") from None
    except (OSError, UnicodeDecodeError, pd.errors.ParserError, pd.errors.EmptyDataError) as error:
        raise InputError(f"{path} cannot be read as CSV: {error}.") from None
    absent = [name for name in COLUMNS if name not in table]
    if absent:
        raise InputError(
            f"{path} has no column {' and none '.join(absent)}; needed are {', '.join(COLUMNS)}."
        )
    for name in COLUMNS[:2]:
        empty = np.flatnonzero(table[name].str.strip() == "")
        if empty.size:
            raise InputError(f"{path}, line {empty[0] + 2}: {name} is empty.")
    unknown = np.flatnonzero(~table["winner"].isin(list(RESULTS)))
    if unknown.size:
        raise InputError(
            f"{path}, line {unknown[0] + 2}: winner '{table['winner'].iloc[unknown[0]]}' is "
            f"unknown; allowed: {', '.join(RESULTS)}."
        )
    models = np.unique(table[["model_a", "model_b"]].to_numpy(dtype=str))
    prompts = table["prompt"] if "prompt" in table else pd.Series(np.arange(len(table)))
    return Battles(
        models=models,
        first=np.searchsorted(models, table["model_a"].to_numpy(dtype=str)),
        second=np.searchsorted(models, table["model_b"].to_numpy(dtype=str)),
        result=table["winner"].map(RESULTS).to_numpy(dtype=float),
        prompt=pd.factorize(prompts)[0],
        name=path.name,
    )


def battles_of(
    matrix: ResponseMatrix,
    n_battles: int = 20_000,
    *,
    models: Sequence[str] | None = None,
    ties: str = "drop",
    seed: int = 0,
) -> Battles:
    """Battles that a response matrix implies: on an item, the higher score beats the lower.

    Parameters
    ----------
    matrix : ResponseMatrix
        Complete. Its items are the prompts.
    n_battles : int
        Drawn with equal chance from all pairs of models and items, with replacement.
    models : sequence of str, optional
        Ids of those that fight; all where none are named.
    ties : {"drop", "keep"}
        What becomes of draws with equal scores: left out and drawn again, or a tie.
    seed : int

    Raises
    ------
    InputError
        If an argument is not as above, or no two models differ on any item.
    """
    matrix.require_complete()
    if ties not in TIES or n_battles < 1:
        raise InputError(
            f"ties '{ties}' with {n_battles} battles are not possible; allowed: ties "
            f"{' or '.join(TIES)}, and at least one battle."
        )
    fighters = matrix if models is None else matrix.subset(models=list(models))
    if fighters.n_models < 2:
        raise InputError(f"{matrix.name}: a battle needs 2 models; there is {fighters.n_models}.")
    rng = np.random.default_rng([seed, n_battles])
    parts: list[tuple[np.ndarray, ...]] = []
    found = 0
    while found < n_battles:
        first = rng.integers(fighters.n_models, size=2 * n_battles)
        second = (first + rng.integers(1, fighters.n_models, size=first.size)) % fighters.n_models
        item = rng.integers(fighters.n_items, size=first.size)
        own, other = fighters.scores[first, item], fighters.scores[second, item]
        result = 0.5 * ((own > other).astype(float) - (own < other) + 1)
        kept = (own != other) if ties == "drop" else np.ones(first.size, dtype=bool)
        if not kept.any() and len(np.unique(fighters.scores, axis=0)) == 1:
            raise InputError(
                f"{matrix.name}: its {fighters.n_models} models have equal scores on every item, "
                "so no battle has a winner."
            )
        parts.append(tuple(part[kept] for part in (first, second, result, item)))
        found += int(kept.sum())
    first, second, result, item = (np.concatenate(p)[:n_battles] for p in zip(*parts, strict=True))
    return Battles(
        np.asarray(fighters.model_ids, dtype=str),
        first,
        second,
        result,
        item,
        f"battles of {matrix.name}",
    )
