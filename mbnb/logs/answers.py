"""What a reader hands on, one model's answers to one task, and what `read` tells of it all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

_MANY_NOTES = 12
# Why a row is dropped under on_bad=skip, in every format.
BAD_ROW = "row that cannot be read"


def counted(number: int, what: str) -> str:
    """A number with its noun, for a person."""
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


@dataclass(frozen=True)
class Answers:
    """One model's answers to one task, as one file holds them.

    Attributes
    ----------
    model, task : str
    source : str
        The file, as messages name it.
    ids : sequence of str, length n
        The items' ids within the task, in any order.
    scores : ndarray of float, shape (n,)
        NaN = missing; the range is checked when all is put together.
    n_read : int
        Rows read from the file. Each of them either stands behind an answer (`rows`) or is
        counted in `dropped`.
    rows : ndarray of int, shape (n,), optional
        Rows behind each answer; one each where it is not given.
    dropped : mapping of str to int
        Rows that were left out, by reason.
    confidences : ndarray of float, shape (n,), optional
        Probability given to the right answer.
    contents : sequence of str, length n, optional
        Fingerprint of each item's content, "" where it is not known: one id with two contents is
        an error.
    subtasks : sequence of str, length n, optional
        Subtask of each item; the task where it is not given.
    n_options : ndarray of int, shape (n,), optional
    lines : ndarray of int, shape (n,), optional
        Line (or row) of each answer in the file.
    metric, filter : str
        Which logged number the score is.
    run : str
        Of several runs of one model and task one is read; they are told apart and ordered by
        this. The same run may be spread over files.
    expected : int, optional
        Answers that a whole run has, if the log says so.
    versions : mapping of str to str
        "task" and "shots" (examples in the prompt), which models must share, and "program", which
        wrote the log.
    verified : (int, int)
        Rows whose accuracies were recomputed, and those of them that differ.
    notes : tuple of str
    """

    model: str
    task: str
    source: str
    ids: Sequence[str]
    scores: np.ndarray
    n_read: int
    rows: np.ndarray | None = None
    dropped: Mapping[str, int] = field(default_factory=dict)
    confidences: np.ndarray | None = None
    contents: Sequence[str] | None = None
    subtasks: Sequence[str] | None = None
    n_options: np.ndarray | None = None
    lines: np.ndarray | None = None
    metric: str = ""
    filter: str = ""
    run: str = ""
    expected: int | None = None
    versions: Mapping[str, str] = field(default_factory=dict)
    verified: tuple[int, int] = (0, 0)
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        n_kept = len(self.ids) if self.rows is None else int(self.rows.sum())
        n_dropped = sum(self.dropped.values())
        # A reader that loses rows without a reason is a fault of the reader, not of the log.
        assert n_kept + n_dropped == self.n_read, (n_kept, n_dropped, self.n_read)

    def place(self, position: int) -> str:
        """File and line of an answer, for messages."""
        if self.lines is None:
            return self.source
        return f"{self.source}, line {int(self.lines[position])}"


@dataclass(frozen=True)
class ReadReport:
    """What was read, kept and dropped; the two counts add up to the first.

    Attributes
    ----------
    format : str
    n_files : int
        Files that answers were read from.
    n_read : int
        Rows of these files.
    n_kept : int
        Those of them that stand behind an answer of the matrix.
    dropped : dict of str to int
        The other rows, by reason.
    ignored : dict of str to int
        Files that were not read, by reason.
    n_missing : int
        Answers that the matrix lacks.
    models : DataFrame
        One row a model: ``model``, ``answers``, ``missing``, ``accuracy`` (points, over all
        answers) and ``by_subtask`` (points, mean over subtasks).
    tasks : DataFrame
        One row a task: ``task``, ``items``, ``metric``, ``filter``.
    notes : tuple of str
        What a person should know before trusting the matrix.
    """

    format: str
    n_files: int
    n_read: int
    n_kept: int
    dropped: dict[str, int]
    ignored: dict[str, int]
    n_missing: int
    models: pd.DataFrame
    tasks: pd.DataFrame
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.text(limit=_MANY_NOTES)

    def text(self, limit: int | None = None) -> str:
        """The report for a person; with a limit only so many of its notes."""
        lines = [
            f"Read as {self.format}: {counted(self.n_files, 'file')}.",
            f"{counted(self.n_read, 'row')}: {self.n_kept:,} kept, "
            f"{self.n_read - self.n_kept:,} dropped.",
        ]
        lines += [f"  dropped {n:,}: {reason}" for reason, n in self.dropped.items()]
        lines += [f"  files not read {n:,}: {reason}" for reason, n in self.ignored.items()]
        lines.append(
            f"{counted(len(self.models), 'model')} × {counted(self.tasks['items'].sum(), 'item')}; "
            f"{counted(self.n_missing, 'answer')} missing."
        )
        for row in self.tasks.itertuples():
            what = f", filter {row.filter}" if row.filter else ""
            where = f"{row.task}: " if row.task else ""
            lines.append(f"  {where}{counted(row.items, 'item')}, metric {row.metric}{what}")
        lines += [f"Note: {note}" for note in self.notes[:limit]]
        more = len(self.notes) - len(self.notes[:limit])
        if more:
            lines.append(f"{more:,} more notes: see --json, or SOURCE.md in the dataset folder.")
        return "\n".join(lines)

    def as_dict(self) -> dict[str, object]:
        """The report as plain values that JSON can hold; what is not defined is None."""

        def records(table: pd.DataFrame) -> list[dict[str, object]]:
            plain = table.astype(object).where(table.notna(), None)
            return plain.to_dict("records")

        return {
            "format": self.format,
            "files": self.n_files,
            "rows": self.n_read,
            "kept": self.n_kept,
            "dropped": self.dropped,
            "ignored_files": self.ignored,
            "missing": self.n_missing,
            "models": records(self.models),
            "tasks": records(self.tasks),
            "notes": list(self.notes),
        }
