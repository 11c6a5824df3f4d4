"""What the rows of details files, one Parquet file a task, become; knows no column's name."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from mbnb.data.errors import InputError
from mbnb.logs.answers import BAD_ROW, Answers
from mbnb.logs.files import beginning
from mbnb.logs.json_rows import BadRow
from mbnb.logs.options import ReadOptions
from mbnb.logs.parquet_rows import parquet_rows
from mbnb.logs.values import as_score, shortened

NAME = re.compile(r"details_(?P<task>.+)_(?P<time>\d{4}-\d\d-\d\dT[\d.:-]+)\.parquet")


@dataclass(frozen=True)
class Detail:
    """One row: an item of its task with its score; `confidence` NaN, `n_options` 0 = unknown."""

    item: str
    score: float
    content: str
    subtask: str
    confidence: float = math.nan
    n_options: int = 0
    order: tuple[Any, ...] = ()


def is_parquet(path: Path) -> bool:
    return path.suffix == ".parquet" and beginning(path, 4) == b"PAR1"


def is_results(path: Path) -> bool:
    """Whether it is the file of results that may stand beside details."""
    return re.fullmatch(r"results_\d{4}-\d\d-\d\dT[\d.:-]+\.json", path.name) is not None


def collect(
    path: Path,
    columns: Sequence[str],
    take: Callable[[dict[str, Any]], Detail],
    options: ReadOptions,
) -> tuple[list[Detail], list[int], int]:
    """All rows that can be read, their numbers, and how many cannot.

    Raises
    ------
    InputError
        If the file is broken, or a row is and that is not to be skipped.
    """
    found: list[Detail] = []
    numbers: list[int] = []
    n_bad = 0
    for number, row in parquet_rows(path, columns):
        try:
            found.append(take(row))
            numbers.append(number)
        except ValueError as fault:
            if options.on_bad == "error":
                raise InputError(
                    f"{path}, row {number}: the row {fault}; mend it, or skip such rows by name "
                    "(on_bad=skip)."
                ) from None
            n_bad += 1
    return found, numbers, n_bad


def answers_of(
    found: Sequence[Detail],
    numbers: Sequence[int],
    n_bad: int,
    **rest: Any,
) -> Answers:
    """Answers of one file; `rest` is what `Answers` wants beside the rows."""
    confidences = np.array([row.confidence for row in found], dtype=float)
    n_options = np.array([row.n_options for row in found], dtype=np.int64)
    return Answers(
        ids=[row.item for row in found],
        scores=np.array([row.score for row in found], dtype=float),
        n_read=len(found) + n_bad,
        dropped={BAD_ROW: n_bad} if n_bad else {},
        confidences=None if np.isnan(confidences).all() else confidences,
        contents=[row.content for row in found],
        subtasks=[row.subtask for row in found],
        n_options=n_options if n_options.any() else None,
        lines=np.array(numbers, dtype=np.int32),
        **rest,
    )


def numbers_of(value: Any) -> list[float] | None:
    """Log-likelihoods, one an option, each alone or with a mark whether it was the greedy answer.

    None where the answer was generated: then there are none, or texts stand in their place.
    """
    if not isinstance(value, list) or len(value) < 2:
        return None
    found = []
    for part in value:
        first = part[0] if isinstance(part, (list, tuple)) and part else part
        if first is None or isinstance(first, bool):
            return None
        try:
            found.append(float(first) if isinstance(first, str) else as_score(first))
        except ValueError:
            return None
    return found


def golds_of(value: Any, n_options: int) -> list[int]:
    """Positions of the right options by this row's own word; empty where they cannot be told.

    Raises
    ------
    BadRow
        If a position is not one of the options.
    """
    parts = value if isinstance(value, list) else [value]
    found = set()
    for part in parts:
        if isinstance(part, str) and part.isascii() and part.isdigit() and len(part) < 5:
            part = int(part)
        if isinstance(part, float) and part.is_integer():
            part = int(part)
        if type(part) is not int:
            return []
        if not 0 <= part < n_options:
            raise BadRow(
                f"names option {part} as the right one (counted from 0), but has {n_options} "
                "options"
            )
        found.add(part)
    return sorted(found)


def gold_share(likelihoods: Sequence[float], golds: Sequence[int]) -> float:
    """Probability of the right options by softmax over all; NaN where it is not defined.

    Raises
    ------
    BadRow
        If a log-likelihood is above 0.
    """
    if any(math.isnan(value) for value in likelihoods):
        return math.nan
    top = max(likelihoods)
    if top > 0:
        raise BadRow(
            f"has a log-likelihood of {top:g}, which is above 0: a probability or a loss is not one"
        )
    if not golds or not math.isfinite(top):
        return math.nan
    weights = [math.exp(value - top) for value in likelihoods]
    return min(1.0, math.fsum(weights[k] for k in golds) / math.fsum(weights))


def field_of(record: Mapping[str, Any], name: str, where: str) -> Any:
    """A field that a choice names.

    Raises
    ------
    BadRow
        If the row has none of that name.
    """
    if name not in record:
        raise BadRow(f"has no field '{name}' in {where} (there: {', '.join(map(str, record))})")
    return record[name]


def listed(names: Sequence[str]) -> str:
    """Names of columns for a message, not too many of them."""
    some = [shortened(name, 40) for name in names[:30]]
    return ", ".join(some) + (f" and {len(names) - 30} more" if len(names) > 30 else "")
