"""Inspect's score values as numbers, and which scorer's value is the score."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from mbnb.data.errors import InputError
from mbnb.logs.json_rows import BadRow
from mbnb.logs.options import ReadOptions
from mbnb.logs.values import as_score, shortened

# Correct, incorrect, partial, no answer; and what its own table takes for true and false.
_LETTERS = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0}
_WORDS = {"yes": 1.0, "no": 0.0, "true": 1.0, "false": 0.0}


def value_of(value: Any) -> float:
    """A score's value as a number; NaN where the sample was not scored.

    Parameters
    ----------
    value : Any
        C = 1, I = 0, P = ½, N = 0, yes, no, true and false, a number, a number as text, a truth
        value; None and NaN are no score.

    Raises
    ------
    ValueError
        If it is none of these; the message says what it is.
    """
    if isinstance(value, str):
        if value in _LETTERS:
            return _LETTERS[value]
        if value.strip().lower() in _WORDS:
            return _WORDS[value.strip().lower()]
        if not value.strip():
            raise ValueError("an empty text")
    return as_score(value)


@dataclass(frozen=True)
class Scorer:
    """Whose value is the score; of a value that is an object, which key; how a list is reduced."""

    name: str
    key: str | None = None
    reduce: str | None = None

    @property
    def label(self) -> str:
        name = self.name if self.key is None else f"{self.name}.{self.key}"
        return f"{name} ({self.reduce})" if self.reduce else name

    def score(self, values: Mapping[str, Any]) -> float:
        """The score among a sample's values by scorer; NaN where it was not scored.

        Raises
        ------
        BadRow
            If what is logged is no score.
        """
        value = values.get(self.name)
        if self.key is not None and value is not None:
            if not isinstance(value, dict):
                raise BadRow(
                    f"has as value of scorer '{self.name}' no object with a key '{self.key}'"
                )
            value = value.get(self.key)
        try:
            if isinstance(value, list) and self.reduce is not None:
                return _reduced([value_of(part) for part in value], self.reduce)
            return value_of(value)
        except ValueError as error:
            raise BadRow(
                f"has as value of scorer '{self.label}' {error}; allowed are C, I, P, N, yes, no, "
                "true, false, and numbers"
            ) from None


def _reduced(parts: list[float], how: str) -> float:
    if not parts or any(math.isnan(part) for part in parts):
        return math.nan
    return sum(parts) / len(parts) if how == "mean" else float(all(part == 1 for part in parts))


def choose_scorer(
    samples: Iterable[Mapping[str, Any]], options: ReadOptions, task: str, where: str
) -> Scorer | None:
    """The scorer of a task.

    Parameters
    ----------
    samples : iterable of mapping of scorer to value
    options : ReadOptions
        `metric` names a scorer or, where values are objects, ``scorer.key``; `reduce` says how a
        list becomes one score.
    task, where : str
        For choosing and for messages.

    Returns
    -------
    Scorer or None
        None where no sample has a value.

    Raises
    ------
    InputError
        If the metric named is not there, or there are several and none is named, or values are
        lists and it is not said how one becomes a score.
    """
    names: dict[str, Scorer] = {}
    lists = set()
    for values in samples:
        for name, value in values.items():
            if isinstance(value, dict):
                for key in value:
                    names.setdefault(f"{name}.{key}", Scorer(name, str(key)))
                    lists.update([f"{name}.{key}"] * isinstance(value[key], list))
            elif value is not None:
                names.setdefault(name, Scorer(name))
                lists.update([name] * isinstance(value, list))
    listed = ", ".join(map(shortened, sorted(names)))
    wanted = options.metric_of(task)
    if not names:
        return None
    if wanted is None:
        if len(names) > 1:
            raise InputError(
                f"{where} holds {len(names)} scores of each sample ({listed}); name the one that "
                "counts (metric)."
            )
        wanted = next(iter(names))
    if wanted not in names:
        raise InputError(f"{where} has no metric '{wanted}'; it has {listed}.")
    chosen = names[wanted]
    if wanted in lists:
        if options.reduce is None:
            raise InputError(
                f"{where}: the value of scorer '{wanted}' is a list; choose how it becomes one "
                "score (reduce=mean or reduce=all)."
            )
        return Scorer(chosen.name, chosen.key, options.reduce)
    return chosen
