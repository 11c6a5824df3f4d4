"""Wide tables, a row a model and a column an item or the other way round, CSV or Parquet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa

from mbnb.data.errors import InputError
from mbnb.logs.answers import BAD_ROW, Answers, counted
from mbnb.logs.options import ReadOptions
from mbnb.logs.tables_columns import Names, codes_of, scores_of
from mbnb.logs.tables_files import Places, csv_rows, parquet_blocks
from mbnb.logs.tables_hints import cell_hint, is_summary, summary_sentence
from mbnb.logs.tables_layout import ITEM_ROWS, Layout
from mbnb.logs.tables_long import EMPTY_ROW, EVERYTHING, OTHER_TASK
from mbnb.logs.values import as_score, fingerprint, shortened

NOTE = "Wide tables: each cell counts as a row."
_REMEMBERED = 100_000
_TOLD = 5


@dataclass(frozen=True)
class _Row:
    """A row, or what is wrong with it; `ids` are its texts by meaning."""

    line: int
    ids: dict[str, str]
    scores: np.ndarray
    fault: str = ""
    is_empty: bool = False


class _Scores(dict[str, float]):
    """Scores by the text of a cell, each text parsed once."""

    def __missing__(self, text: str) -> float:
        if len(self) > _REMEMBERED:
            self.clear()
        self[text] = as_score(text)
        return self[text]


def rows_of_csv(path: Path, delimiter: str, layout: Layout) -> Iterator[_Row]:
    known = _Scores()
    cells = np.array([layout.positions[name] for name in layout.cells])
    ids = {meaning: layout.positions[name] for meaning, name in layout.columns.items()}
    n_columns = len(layout.positions)
    empty = np.zeros(0, np.float32)
    for line, row in csv_rows(path, delimiter):
        if not any(map(str.strip, row)):
            yield _Row(line, {}, empty, is_empty=True)
            continue
        texts = {meaning: row[place] if place < len(row) else "" for meaning, place in ids.items()}
        if len(row) != n_columns:
            yield _Row(line, texts, empty, f"holds {len(row)} cells, the header {n_columns}")
            continue
        try:
            values = np.fromiter((known[row[place]] for place in cells), float, len(cells))
        except ValueError as error:
            yield _Row(line, texts, empty, _fault(row, layout, known, str(error)))
            continue
        with np.errstate(over="ignore"):
            yield _Row(line, texts, values.astype(np.float32))


def _fault(row: Sequence[str], layout: Layout, known: _Scores, error: str) -> str:
    """What is wrong in a row's first cell that is no score."""
    for name in layout.cells:
        cell = row[layout.positions[name]]
        try:
            known[cell]
        except ValueError:
            break
    hint = cell_hint(cell) or (
        "allowed are numbers, true, false, these in quotes, and nothing where the answer is missing"
    )
    return f"has in column '{shortened(name)}' {error}; {hint}"


def rows_of_parquet(path: Path, kinds: dict[str, pa.DataType], layout: Layout) -> Iterator[_Row]:
    limit = 1 << 31
    empty = np.zeros(0, np.float32)
    for block in parquet_blocks(path, kinds):
        n_rows = len(block.records)
        scores = np.empty((n_rows, len(layout.cells)), np.float32)
        faults: dict[int, str] = {}
        texts: dict[str, list[str]] = {}
        for meaning, name in layout.columns.items():
            names = Names(meaning, limit, empty=meaning not in ("model", "item"))
            column = codes_of(block.columns[name], names)
            listed = [*names.known, ""]
            texts[meaning] = [listed[code] for code in column.values]
            for row, fault in column.faults.items():
                faults.setdefault(row, fault)
        for place, name in enumerate(layout.cells):
            column = scores_of(block.columns[name], f"score ('{shortened(name)}')")
            scores[:, place] = column.values
            for row, fault in column.faults.items():
                faults.setdefault(row, fault)
        for row, record in enumerate(block.records.tolist()):
            ids = {meaning: column[row] for meaning, column in texts.items()}
            if row in faults:
                yield _Row(record + 1, ids, empty, faults[row])
            else:
                yield _Row(record + 1, ids, scores[row])


def read_wide(
    path: Path,
    rows: Iterator[_Row],
    layout: Layout,
    options: ReadOptions,
    places: Places,
    notes: Sequence[str] = (),
) -> list[Answers]:
    """Answers of one wide table; each of its cells is one.

    Raises
    ------
    InputError
        If a row cannot be read and that is not to be skipped.
    """
    kept: list[_Row] = []
    bad: list[_Row] = []
    n_empty = 0
    word = "row" if places.delimiter is None else "line"
    what = "item" if layout.kind == ITEM_ROWS else "model"
    for row in rows:
        if row.is_empty:
            n_empty += 1
            continue
        fault = row.fault
        name = row.ids.get(what, "")
        if is_summary(name) and not (fault and options.on_bad != "error"):
            place = f"{path}, {word} {row.line}"
            raise InputError(summary_sentence(place, f"the row '{shortened(name)}'", what))
        for meaning in ("model", "item"):
            if not fault and row.ids.get(meaning) == "":
                fault = f"has no {meaning}"
        if fault and options.on_bad == "error":
            raise InputError(
                f"{path}, {word} {row.line}: the row {fault}; mend it, or skip such rows, "
                f"each with its {what}, by name (on_bad=skip)."
            )
        if fault:
            bad.append(row)
        else:
            kept.append(row)
    if not kept:
        raise InputError(f"{path} holds no row that can be read.")
    notes = (*notes, NOTE)
    if bad:
        names = [
            shortened(row.ids[what]) if row.ids.get(what) else f"that of {word} {row.line}"
            for row in bad[:_TOLD]
        ]
        more = f" and {len(bad) - _TOLD} more" if len(bad) > _TOLD else ""
        notes += (
            f"{path}: {counted(len(bad), what)} left out, since a row of a wide table that cannot "
            f"be read is left out whole: {', '.join(names)}{more}.",
        )
    lost = {BAD_ROW: len(bad), EMPTY_ROW: n_empty}
    if layout.kind == ITEM_ROWS:
        return _by_column(path, kept, lost, layout, options, notes)
    return _by_row(path, kept, lost, layout, notes)


def _by_row(
    path: Path, rows: list[_Row], lost: dict[str, int], layout: Layout, notes: tuple[str, ...]
) -> list[Answers]:
    n_items = len(layout.cells)
    subtasks = [EVERYTHING] * n_items
    found = []
    # What a file loses is told once, with its first answers.
    dropped = {reason: n * n_items for reason, n in lost.items() if n}
    for row in rows:
        found.append(
            Answers(
                model=row.ids["model"],
                task="",
                source=str(path),
                ids=layout.cells,
                scores=row.scores,
                n_read=n_items + sum(dropped.values()),
                dropped=dropped,
                subtasks=subtasks,
                lines=np.broadcast_to(np.int32(row.line), n_items),
                metric=layout.metric,
                notes=notes,
            )
        )
        dropped = {}
    return found


def _by_column(
    path: Path,
    rows: list[_Row],
    lost: dict[str, int],
    layout: Layout,
    options: ReadOptions,
    notes: tuple[str, ...],
) -> list[Answers]:
    by_task: dict[str, list[_Row]] = {}
    for row in rows:
        by_task.setdefault(row.ids.get("task", ""), []).append(row)
    wanted = {task: found for task, found in by_task.items() if options.wants(task)}
    if not wanted:
        raise InputError(f"{path} holds no row of task {', '.join(options.tasks)} to be read.")
    n_other = len(rows) - sum(map(len, wanted.values()))
    lost = {**lost, OTHER_TASK: n_other}
    found = []
    for task, entries in wanted.items():
        scores = np.stack([row.scores for row in entries], axis=1)
        ids = [row.ids["item"] for row in entries]
        lines = np.array([row.line for row in entries], np.int32)
        contents = subtasks = None
        if "content" in layout.columns:
            contents = [_digest(row.ids["content"]) for row in entries]
        if "subtask" in layout.columns or not task:
            other = "" if task else EVERYTHING
            subtasks = [row.ids.get("subtask") or other for row in entries]
        dropped = {reason: n for reason, n in lost.items() if n}
        for model, column in zip(layout.cells, scores, strict=True):
            found.append(
                Answers(
                    model=model,
                    task=task,
                    source=str(path),
                    ids=ids,
                    scores=column,
                    n_read=len(ids) + sum(dropped.values()),
                    dropped=dropped,
                    contents=contents,
                    subtasks=subtasks,
                    lines=lines,
                    metric=layout.metric,
                    notes=notes,
                )
            )
        lost = {}
    return found


def _digest(text: str) -> str:
    return fingerprint(text) if text else ""
