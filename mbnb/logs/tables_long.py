"""Long tables, one row an answer, whatever kind of file holds them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

import numpy as np

from mbnb.data.errors import InputError
from mbnb.logs.answers import BAD_ROW, Answers
from mbnb.logs.options import ReadOptions
from mbnb.logs.tables_columns import Column, Names, Picked, codes_of, scores_of
from mbnb.logs.tables_files import NOTHING, Block, Places
from mbnb.logs.tables_hints import is_summary, summary_sentence
from mbnb.logs.tables_layout import Layout
from mbnb.logs.values import shortened

EMPTY_ROW = "row with nothing in it"
OTHER_TASK = "row of a task that was not asked for"
EVERYTHING = "all"
# Distinct ids beyond a file's own size can only come from packed runs of numbers.
_MOST_IDS = 2_000_000
_ROOM = 1_000_000
_PIECE = 1 << 20
_CELLS, _CELLS_PER_ROW = 10_000_000, 100
_NONE = np.iinfo(np.int32).max  # sorts last


@dataclass
class _Rows:
    """All rows of a file as columns of numbers."""

    parts: dict[str, list[np.ndarray]]
    names: dict[str, Names]
    small: dict[str, list[np.ndarray]] = field(default_factory=dict)
    n_read: int = 0
    n_bad: int = 0
    n_empty: int = 0
    n_records: int = 0
    n_checked: dict[str, int] = field(default_factory=dict)

    @property
    def n_kept(self) -> int:
        return self.n_read - self.n_bad - self.n_empty

    def add(self, column: str, values: np.ndarray) -> None:
        pieces, small = self.parts[column], self.small.setdefault(column, [])
        small.append(values)
        # Memory of many small pieces does not go back to the system when they are freed.
        if sum(map(len, small)) >= _PIECE:
            pieces.append(np.concatenate(small))
            small.clear()

    def all(self, column: str) -> np.ndarray:
        return np.concatenate(self.parts.pop(column) + self.small.pop(column))


def read_long(
    path: Path,
    blocks: Iterable[Block],
    layout: Layout,
    options: ReadOptions,
    places: Places,
    notes: Sequence[str] = (),
) -> list[Answers]:
    """Answers of one long table.

    Parameters
    ----------
    path : Path
    blocks : iterable of Block
        The columns of `layout`.
    layout : Layout
    options : ReadOptions
    places : Places
    notes : sequence of str

    Raises
    ------
    InputError
        If a row cannot be read and that is not to be skipped.
    """
    rows = _collect(path, blocks, layout, options, places)
    if not rows.n_kept:
        raise InputError(f"{path} holds no row that can be read.")
    return list(_split(path, rows, layout, options, places, tuple(notes)))


def _collect(
    path: Path,
    blocks: Iterable[Block],
    layout: Layout,
    options: ReadOptions,
    places: Places,
) -> _Rows:
    limit = _MOST_IDS + path.stat().st_size
    names: dict[str, Names] = {
        meaning: Names(meaning, limit, empty=meaning in ("task", "subtask"))
        for meaning in ("model", "item", "task", "subtask")
        if meaning in layout.columns
    }
    if "content" in layout.columns:
        names["content"] = Names("content", limit, empty=True, digest=True)
    rows = _Rows({meaning: [] for meaning in (*layout.columns, "record")}, names)
    for block in blocks:
        columns: dict[str, Column] = {}
        faults = dict[int, str]()
        for meaning, column in layout.columns.items():
            if column not in block.columns:
                continue
            array = block.columns[column]
            made = (
                codes_of(array, names[meaning])
                if meaning in names
                else scores_of(array, f"{meaning} ('{column}')")
            )
            columns[meaning] = made
            for row, fault in made.faults.items():
                faults.setdefault(row, fault)
        wrong = {int(block.records[row]): fault for row, fault in faults.items()}
        wrong.update(block.bad)
        empty = _empty(block, faults, layout, places) if wrong else set()
        for record in empty:
            del wrong[record]
        n_all = len(block.records) + len(block.bad)
        ends = [*block.records[-1:].tolist(), *(record for record, _ in block.bad)]
        rows.n_records = max([rows.n_records, *(record + 1 for record in ends)])
        if wrong and options.on_bad == "error":
            record = min(wrong)
            raise InputError(
                f"{path}, {places.name(record)}: the row {wrong[record]}; mend it, or skip such "
                "rows by name (on_bad=skip)."
            )
        rows.n_read += n_all
        rows.n_bad += len(wrong)
        rows.n_empty += len(empty)
        keep = np.ones(len(block.records), bool)
        keep[list(faults)] = False
        for meaning, made in columns.items():
            rows.add(meaning, made.values[keep])
        rows.add("record", block.records[keep].astype(np.int32))
        _check_summaries(path, rows, columns, block, places)
        _check_room(path, rows)
    return rows


def _empty(block: Block, faults: dict[int, str], layout: Layout, places: Places) -> set[int]:
    """Records of a text table's rows without any entry, as spreadsheets write below the others."""
    if places.delimiter is None:
        return set()
    found = {
        int(block.records[row])
        for row in faults
        if not any(str(array[row].as_py()).strip() for array in block.columns.values())
    }
    if found and layout.ignored:
        # What is not read may still hold something.
        found &= places.empty()
    return found | {record for record, fault in block.bad if fault == NOTHING}


def _check_summaries(
    path: Path, rows: _Rows, columns: dict[str, Column], block: Block, places: Places
) -> None:
    """An average among models or items would count as one of them."""
    for meaning in ("model", "item"):
        known = rows.names[meaning].known
        for name in islice(known, rows.n_checked.get(meaning, 0), None):
            if is_summary(name):
                at = int(np.flatnonzero(columns[meaning].values == known[name])[0])
                place = f"{path}, {places.name(int(block.records[at]))}"
                what = f"'{shortened(name)}' in the column of {meaning}s"
                raise InputError(summary_sentence(place, what, meaning))
        rows.n_checked[meaning] = len(known)


def _check_room(path: Path, rows: _Rows) -> None:
    """More rows than there are pairs of model and item cannot all be different.

    It would come out later, with its line; but one value, packed, can stand for any number of rows.
    """
    most = 1
    for meaning in ("model", "item", "task"):
        if meaning in rows.names:
            most *= max(1, len(rows.names[meaning].known))
    if rows.n_kept > max(most, _ROOM):
        raise InputError(
            f"{path} holds more rows ({rows.n_kept:,} so far) than there are pairs "
            f"of its models and items ({most:,}), so a model answers an item more than once; a "
            "model has one answer to an item."
        )


def _check_density(path: Path, names: Mapping[str, list[str]], n_rows: int) -> None:
    """A matrix of which next to nothing is known takes room and is good for nothing."""
    n_models, n_items = len(names["model"]), len(names["item"])
    if n_models * n_items > _CELLS + _CELLS_PER_ROW * n_rows:
        raise InputError(
            f"{path} names {n_models:,} models and {n_items:,} items in {n_rows:,} rows, so that "
            f"of {n_models * n_items:,} answers hardly any is known; are the columns of models and "
            "items the right ones?"
        )


def _split(
    path: Path,
    rows: _Rows,
    layout: Layout,
    options: ReadOptions,
    places: Places,
    notes: tuple[str, ...],
) -> Iterator[Answers]:
    """The rows by model and task, each model's in the order of the file."""
    names = {meaning: list(found.known) for meaning, found in rows.names.items()}
    _check_density(path, names, rows.n_read)
    listed = names.get("task", [""])
    groups = rows.all("model")
    if len(names["model"]) * len(listed) >= _NONE:
        raise InputError(f"{path} holds too many models and tasks for one table.")
    if "task" in names:
        tasks = rows.all("task")
        groups = groups * len(listed) + tasks
        unwanted = ~np.array([options.wants(task) for task in listed])
        groups[unwanted[tasks]] = _NONE
        del tasks
    order = None if (groups[1:] >= groups[:-1]).all() else np.argsort(groups, kind="stable")
    if order is not None:
        groups = groups[order]
    n_other = int((groups == _NONE).sum())
    if n_other == len(groups):
        raise InputError(f"{path} holds no row of task {', '.join(options.tasks)} to be read.")
    ends = [*(np.flatnonzero(groups[1:] != groups[:-1]) + 1).tolist(), len(groups)]
    starts = [0, *ends[:-1]]
    found = [int(groups[start]) for start in starts]
    del groups

    def column(meaning: str) -> np.ndarray:
        values = rows.all(meaning)
        return values if order is None else values[order]

    codes = {name: column(name) for name in names if name not in ("model", "task")}
    scores = column("score")
    confidences = column("confidence") if "confidence" in layout.columns else None
    lines = places.lines(column("record"), rows.n_records)
    # What a file loses is told once, with its first answers.
    lost = {BAD_ROW: rows.n_bad, EMPTY_ROW: rows.n_empty, OTHER_TASK: n_other}
    dropped = {reason: n for reason, n in lost.items() if n}
    for group, start, end in zip(found, starts, ends, strict=True):
        if group == _NONE:
            continue
        model, task = divmod(group, len(listed))
        piece = slice(start, end)
        yield Answers(
            model=names["model"][model],
            task=listed[task],
            source=str(path),
            ids=Picked(names["item"], codes["item"][piece]),
            scores=scores[piece],
            n_read=end - start + sum(dropped.values()),
            dropped=dropped,
            confidences=None if confidences is None else confidences[piece],
            contents=_texts(names, codes, "content", piece),
            subtasks=_subtasks(names, codes, listed[task], piece),
            lines=lines[piece],
            metric=layout.metric,
            notes=notes,
        )
        dropped = {}


def _texts(
    names: Mapping[str, list[str]], codes: Mapping[str, np.ndarray], meaning: str, piece: slice
) -> Sequence[str] | None:
    return Picked(names[meaning], codes[meaning][piece]) if meaning in names else None


def _subtasks(
    names: Mapping[str, list[str]], codes: Mapping[str, np.ndarray], task: str, piece: slice
) -> Sequence[str] | None:
    """Subtasks as the table has them; the task, or one name for all, where it has none."""
    found = _texts(names, codes, "subtask", piece)
    if found is None:
        return None if task else Picked([EVERYTHING], np.zeros(piece.stop - piece.start, np.int8))
    if not task and "" in names["subtask"]:
        return Picked([name or EVERYTHING for name in names["subtask"]], codes["subtask"][piece])
    return found


def ignored_note(layout: Layout) -> list[str]:
    if not layout.ignored:
        return []
    listed = ", ".join(shortened(name) for name in layout.ignored[:20])
    more = f" and {len(layout.ignored) - 20} more" if len(layout.ignored) > 20 else ""
    return [f"Columns of tables that are not read: {listed}{more}."]
