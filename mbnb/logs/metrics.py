"""Which logged number is the score: chosen by name, never guessed between several."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mbnb.data.errors import InputError
from mbnb.logs.json_rows import BadRow
from mbnb.logs.options import ReadOptions
from mbnb.logs.values import as_score, shortened

_LABEL = re.compile(
    r"(?P<name>.*?)(?: \((?P<reduce>mean|all)\))?(?: >= (?P<threshold>[0-9.]+(?:e-[0-9]+)?))?",
    re.DOTALL,
)


@dataclass(frozen=True)
class Measure:
    """A metric by name, how a list of judgements becomes one score, and a value a number."""

    name: str
    reduce: str | None = None
    number: Callable[[Any], float] = as_score

    @property
    def label(self) -> str:
        return f"{self.name} ({self.reduce})" if self.reduce else self.name

    def score(self, row: Mapping[str, Any]) -> float:
        """The score of a row; NaN where it is not logged.

        Raises
        ------
        BadRow
            If what is logged is no score.
        """
        value = row.get(self.name)
        try:
            if not self.reduce or not isinstance(value, list):
                return self.number(value)
            parts = np.array([self.number(part) for part in value], dtype=float)
        except ValueError as error:
            raise BadRow(
                f"has as metric '{shortened(self.name)}' {error}; allowed are numbers, true, "
                "false, and these in quotes"
            ) from None
        if not parts.size or np.isnan(parts).any():
            return float("nan")
        return float(parts.mean()) if self.reduce == "mean" else float((parts == 1).all())


def with_threshold(label: str, threshold: float) -> str:
    """The label of a metric whose scores became 1 (at least the threshold) and 0."""
    return f"{label} >= {threshold:g}"


def choices_of(label: str) -> dict[str, Any]:
    """The choices by which a score of this label is read: metric, and where they were made
    reduce and binarise."""
    found = _LABEL.fullmatch(label)
    assert found is not None  # any text fits
    choices: dict[str, Any] = {"metric": found["name"]}
    if found["reduce"]:
        choices["reduce"] = found["reduce"]
    if found["threshold"]:
        choices["binarise"] = float(found["threshold"])
    return choices


def choose_measure(
    row: Mapping[str, Any],
    names: Sequence[str],
    options: ReadOptions,
    task: str,
    defaults: Mapping[str, str],
    where: str,
    number: Callable[[Any], float] = as_score,
) -> Measure:
    """The metric of a task.

    Parameters
    ----------
    row : mapping
        A row of the log, to see what its metrics are like.
    names : sequence of str
        The metrics it holds.
    options : ReadOptions
        May name a metric, and how a list is reduced.
    task : str
    defaults : mapping of task pattern to str
        Metrics of tasks that are known.
    where : str
        The file, for messages.
    number : callable
        What a logged value is as a number.

    Raises
    ------
    InputError
        If the metric named is not there, or there are several and none is named; the message
        lists them.
    """
    scalars = [name for name in names if not isinstance(row.get(name), (list, dict))]
    known = (metric for pattern, metric in defaults.items() if fnmatch.fnmatchcase(task, pattern))
    wanted = options.metric_of(task) or next(known, None)
    if wanted is None:
        only = scalars if len(scalars) == 1 else names
        if len(only) != 1:
            raise InputError(
                f"{where} holds {len(names)} metrics ({listed(names)}); name the one that is the "
                "score (metric)."
            )
        [wanted] = only
    if wanted not in names:
        raise InputError(f"{where} has no metric '{wanted}'; it has {listed(names)}.")
    is_list = isinstance(row.get(wanted), list)
    if is_list and options.reduce is None:
        other = f"one of {', '.join(scalars)}, or " if scalars else ""
        raise InputError(
            f"{where}: metric '{wanted}' is a list of judgements for each item; name {other}"
            "how the list becomes one score (reduce=mean or reduce=all)."
        )
    return Measure(wanted, options.reduce if is_list else None, number)


def listed(names: Iterable[str]) -> str:
    """Names for a message, not too many of them."""
    some = [shortened(name, 40) for name in names]
    return (", ".join(some[:30]) or "none") + (
        f" and {len(some) - 30} more" if len(some) > 30 else ""
    )
