"""Which logged number is the score: chosen by name, never guessed between several."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mbnb.data.errors import InputError
from mbnb.logs.json_rows import BadRow
from mbnb.logs.options import ReadOptions
from mbnb.logs.values import as_score, reduced

_LABEL = re.compile(
    r"(?P<name>.*?)(?: \((?P<reduce>mean|all)\))?(?: >= (?P<threshold>[0-9.]+(?:e-[0-9]+)?))?",
    re.DOTALL,
)


@dataclass(frozen=True)
class Measure:
    """A metric by name and, where it is a list of judgements, how that becomes one score."""

    name: str
    reduce: str | None = None

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
            if self.reduce and isinstance(value, list):
                return reduced(value, self.reduce)
            return as_score(value)
        except ValueError as error:
            raise BadRow(
                f"has as metric '{self.name}' {error}; allowed are numbers, true, false, and "
                "these in quotes"
            ) from None


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

    Raises
    ------
    InputError
        If the metric named is not there, or there are several and none is named; the message
        lists them.
    """
    listed = ", ".join(names) or "none"
    wanted = options.metric_of(task)
    if wanted is None:
        wanted = next((m for p, m in defaults.items() if fnmatch.fnmatchcase(task, p)), None)
    if wanted is None:
        scalars = [name for name in names if not isinstance(row[name], (list, dict))]
        if len(scalars) == 1:
            wanted = scalars[0]
        elif len(names) == 1:
            wanted = names[0]
        else:
            raise InputError(
                f"{where} holds {len(names)} metrics ({listed}); name the one that is the score "
                "(metric)."
            )
    if wanted not in names:
        raise InputError(f"{where} has no metric '{wanted}'; it has {listed}.")
    if isinstance(row[wanted], list):
        if options.reduce is None:
            scalars = [name for name in names if not isinstance(row[name], (list, dict))]
            other = f"one of {', '.join(scalars)}, or " if scalars else ""
            raise InputError(
                f"{where}: metric '{wanted}' is a list of judgements for each item; name {other}"
                "how the list becomes one score (reduce=mean or reduce=all)."
            )
        return Measure(wanted, options.reduce)
    return Measure(wanted)
