"""Rows of any log on their way to answers: bad ones, repeated ones, several of one item."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np

from mbnb.data.errors import InputError
from mbnb.logs.answers import Answers
from mbnb.logs.json_rows import BadRow
from mbnb.logs.options import ReadOptions
from mbnb.logs.values import shortened

OTHER_REPLICATE = "answer of another epoch or trial (replicates=first)"
REPEATED = "repeated row of an item"

T = TypeVar("T")
Some = TypeVar("Some", bound="Row")


@dataclass
class Row:
    """One row of a log: an item of its task with its score.

    Attributes
    ----------
    item : str
    score : float
        NaN = missing.
    line : int
        Where it stands in the file.
    content, subtask : str
        Fingerprint of what was asked, and part of the task; "" = not known.
    confidence : float
        Probability given to the right answer, NaN = not known.
    n_options : int
        0 = not known.
    replicate : int
        Number of the epoch or trial.
    n_rows : int
        Rows of the file behind it.
    """

    item: str
    score: float
    line: int
    content: str = ""
    subtask: str = ""
    confidence: float = math.nan
    n_options: int = 0
    replicate: int = 0
    n_rows: int = 1


def each(
    rows: Iterable[tuple[Any, T]], on_row: Callable[[Any, T], None]
) -> Iterator[tuple[Any, str]]:
    """Hand rows to a function; yields place and fault of those that it cannot take."""
    for place, row in rows:
        try:
            on_row(place, row)
        except ValueError as error:
            yield place, str(error)


def count_bad(
    faults: Iterable[tuple[Any, str]], source: object, options: ReadOptions, word: str = ""
) -> int:
    """How many rows cannot be read, where such rows are to be skipped.

    Raises
    ------
    InputError
        At the first of them where they are not.
    """
    n_bad = 0
    for place, fault in faults:
        if options.on_bad == "error":
            raise InputError(
                f"{source}, {word}{place}: the row {fault}; mend it, or skip such rows by name "
                "(on_bad=skip)."
            )
        n_bad += 1
    return n_bad


def id_of(value: Any, name: str) -> str:
    """An id as text.

    Raises
    ------
    BadRow
        If it is neither a whole number nor a text.
    """
    if type(value) not in (int, str) or value == "":
        raise BadRow(
            f"has no {name} that is a whole number or a text (given: {shortened(repr(value))})"
        )
    return str(value)


def field_of(record: Any, name: str, where: str) -> Any:
    """A field that a choice names.

    Raises
    ------
    BadRow
        If the row has none of that name.
    """
    if not isinstance(record, dict) or name not in record:
        there = ", ".join(map(str, record)) if isinstance(record, dict) else "no object"
        raise BadRow(f"has no field '{name}' in {where} (there: {shortened(there, 200)})")
    return record[name]


def unrepeated(
    rows: Iterable[Some], options: ReadOptions, source: object, cause: str
) -> tuple[list[Some], int]:
    """One row of each item and replicate, and how many others that leaves out.

    Raises
    ------
    InputError
        If one stands repeatedly and it is not chosen which counts, or with two contents.
    """
    kept: dict[tuple[str, int], Some] = {}
    n_repeated = 0
    for row in rows:
        before = kept.setdefault((row.item, row.replicate), row)
        if before is row:
            continue
        if before.content != row.content:
            raise InputError(
                f"{source}: item '{shortened(row.item)}' has two different documents, in rows "
                f"{before.line} and {row.line}."
            )
        if options.repeat is None:
            raise InputError(
                f"{source}: item '{shortened(row.item)}' stands in row {before.line} and again in "
                f"row {row.line} ({cause}); choose which counts (repeat=first or repeat=last)."
            )
        n_repeated += 1
        if options.repeat == "last":
            kept[row.item, row.replicate] = row
    return list(kept.values()), n_repeated


def one_answer_each(
    rows: Iterable[Row], options: ReadOptions, source: object, task: str, word: str
) -> tuple[list[Row], int, list[str]]:
    """One answer an item: the mean of its replicates that have a score, or the first replicate.

    Returns
    -------
    (list of Row, int, list of str)
        Answers, rows of replicates that do not count, and what was made of several.

    Raises
    ------
    InputError
        If there are several and it is not chosen what counts.
    """
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(row.item, []).append(row)
    most = max(map(len, groups.values()), default=0)
    rule = options.replicates
    if most > 1 and rule is None:
        n_several = sum(len(group) > 1 for group in groups.values())
        raise InputError(
            f"{source} holds up to {most} answers ({word}s) to each of {n_several:,} items; choose "
            "what counts (replicates=mean, which may leave fractions, or replicates=first)."
        )
    found, n_dropped = [], 0
    for group in groups.values():
        group.sort(key=lambda row: row.replicate)
        used = group[:1] if rule == "first" else group
        known = [row.score for row in used if not math.isnan(row.score)]
        score = sum(known) / len(known) if known else math.nan
        found.append(replace(group[0], score=score, n_rows=sum(row.n_rows for row in used)))
        n_dropped += sum(row.n_rows for row in group[len(used) :])
    what = "their mean" if rule == "mean" else "the first of them"
    note = (
        f"{task}: models have up to {most} answers ({word}s) to an item, and {what} counts "
        f"(replicates={rule})."
    )
    return found, n_dropped, [note] if most > 1 else []


def answers_of(rows: Sequence[Row], dropped: Mapping[str, int], **rest: Any) -> Answers:
    """Answers of one file; `rest` is what `Answers` wants beside the rows."""
    confidences = np.array([row.confidence for row in rows], dtype=float)
    n_options = np.array([row.n_options for row in rows], dtype=np.int64)
    n_rows = np.array([row.n_rows for row in rows], dtype=np.int64)
    scores = np.array([row.score for row in rows], dtype=float)
    confidences[np.isnan(scores)] = np.nan
    return Answers(
        ids=[row.item for row in rows],
        scores=scores,
        n_read=int(n_rows.sum()) + sum(dropped.values()),
        rows=n_rows,
        dropped={reason: n for reason, n in dropped.items() if n},
        confidences=None if np.isnan(confidences).all() else confidences,
        contents=[row.content for row in rows],
        subtasks=[row.subtask for row in rows],
        n_options=n_options if n_options.any() else None,
        lines=np.array([row.line for row in rows], dtype=np.int64),
        **rest,
    )
