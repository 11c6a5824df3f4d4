"""Plain tables, long or wide, as CSV, Parquet or JSON lines; what each holds its header says.

A long table has a row for each answer: columns model, item and score, and perhaps task, subtask,
confidence and content (the item's text, by which it is seen that one id means one item). A wide
table has a column of ids, named model or item, and a column for each item or model. JSON lines are
long tables, or py-irt's: an object for each subject with its responses.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from mbnb.data.errors import InputError
from mbnb.logs.answers import BAD_ROW, Answers, counted
from mbnb.logs.files import LOG, Format, Job, beginning, job
from mbnb.logs.json_rows import first_row, json_rows
from mbnb.logs.options import ReadOptions
from mbnb.logs.tables_layout import (
    ANSWERS,
    MODELS,
    Layout,
    is_summary,
    layout_of,
    meaning_of,
    summary_sentence,
)
from mbnb.logs.values import as_score, fingerprint, shortened

EMPTY_ROW = "row with nothing in it"
OTHER_TASK = "row of a task that was not asked for"

_TEXT, _JSON = (".csv", ".tsv"), (".jsonl", ".ndjson")
_DELIMITERS = ",;\t|"
_IDS = {"model", "item"}
_PY_IRT = {"subject_id", "responses"}
_NOTHING = "holds nothing"
_CELLS, _FEWEST_ROWS = 1 << 20, 64  # of a block
_TOLD = 5
# What a Parquet file may unpack to, since runs of one value take next to no room in it.
_ROWS, _ROWS_PER_BYTE = 10_000_000, 1000
_BYTES, _BYTES_PER_BYTE = 1 << 28, 1000
# The standard library's bound of 128 KiB is less than some items' text.
csv.field_size_limit(1 << 25)

# A row's line and cells, or what is wrong with it.
Row = tuple[int, list[str] | str]


@dataclass
class _Block:
    """Some rows of a table.

    `texts` by meaning, `numbers` of shape (rows, columns of numbers); `wrong` says by its position
    what is wrong with a row, `bad` by its line what is wrong with one that has no cells.
    """

    lines: np.ndarray
    texts: dict[str, pa.Array]
    numbers: np.ndarray
    wrong: dict[int, str]
    bad: list[tuple[int, str]]


@dataclass
class _Table:
    """A table's answers, a row each.

    `frame` holds line, score, perhaps confidence, and what the answer is of (model, item, task and
    perhaps more) as places in `names`; `lost` what could not be read, by reason.
    """

    frame: pd.DataFrame
    names: dict[str, np.ndarray]
    lost: dict[str, int]
    metric: str
    notes: tuple[str, ...]


class _Codes(dict[str, int]):
    """Texts numbered as they turn up."""

    def __missing__(self, text: str) -> int:
        self[text] = code = len(self)
        return code


def _role(path: Path) -> str | None:
    suffix = path.suffix.lower()
    if suffix in _TEXT or (suffix == ".parquet" and beginning(path, 4) == b"PAR1"):
        return LOG
    if suffix in _JSON:
        try:
            row = first_row(path)
        except InputError:
            return None
        if set(map(meaning_of, row)) >= _IDS or row.keys() >= _PY_IRT:
            return LOG
    return None


def _jobs(paths: Sequence[Path], options: ReadOptions) -> list[Job]:
    # Which tasks there are is known once all tables were read.
    groups = [list(paths)] if options.tasks else [[path] for path in paths]
    return [job(read_tables, group, options) for group in groups]


FORMAT = Format("table", "plain tables", _role, _jobs)


def read_tables(paths: Sequence[Path], options: ReadOptions) -> list[Answers]:
    """Answers of some tables; those that hold none of the tasks that are wanted are passed over.

    Raises
    ------
    InputError
        If a header does not tell what its table holds, a row cannot be read (and that is not to be
        skipped), or no table holds a task that is wanted.
    """
    found: list[Answers] = []
    tasks: set[str] = set()
    for path in paths:
        table = _read(path, options)
        tasks.update(table.names["task"][table.frame["task"].unique()])
        found += _answers(path, table, options)
    if not found:
        there = ", ".join(task or "(without a name)" for task in sorted(tasks))
        raise InputError(
            f"no log is of task {', '.join(options.tasks)}; the tasks there are: {there}."
        )
    return found


def _read(path: Path, options: ReadOptions) -> _Table:
    suffix = path.suffix.lower()
    if suffix == ".parquet":
        with _readable(path):
            schema = pq.read_schema(path)
        layout = layout_of(schema.names, str(path), options, any_place=True)
        return _table(path, _parquet_blocks(path, schema, layout), layout, options, "row")
    if suffix in _JSON:
        row = first_row(path)
        if row.keys() >= _PY_IRT:
            layout = layout_of(["model", "item", "score"], str(path), options)
            rows: Iterator[Row] = _py_irt_rows(path)
        else:
            layout = layout_of([*row], str(path), options)
            if layout.rows != ANSWERS:
                raise InputError(f"{path} holds JSON lines without model, item and score.")
            # The other keys of a row are not read.
            layout = replace(layout, names=(*layout.texts.values(), *layout.numbers))
            rows = _json_rows(path, layout)
    else:
        delimiter, names, n_before = _csv_header(path)
        layout = layout_of(names, str(path), options)
        rows = _checked(islice(_csv_rows(path, delimiter), n_before, None), len(names))
    return _table(path, _text_blocks(path, rows, layout), layout, options, "line")


# Sources


@contextmanager
def _readable(path: Path) -> Iterator[None]:
    """Turns what goes wrong in a file's bytes into one sentence that names it."""
    try:
        yield
    except InputError:
        raise
    except UnicodeError:
        raise InputError(f"{path} holds text that is not UTF-8; save it as UTF-8.") from None
    # What damaged Parquet leads to, beside Arrow's own errors.
    except (pa.ArrowException, OSError, ValueError, ArithmeticError, LookupError, MemoryError) as e:
        text = shortened(" ".join(str(e).split()) or type(e).__name__, 200).rstrip(".")
        raise InputError(f"{path} cannot be read: {text}.") from None


def _csv_header(path: Path) -> tuple[str, list[str], int]:
    """Delimiter, names of the columns, and how many rows that takes.

    The first delimiter by which the names tell what the table holds, or that Excel's line
    ``sep=;`` names; otherwise the one that gives most columns.
    """
    found: dict[str, list[str]] = {}
    for delimiter in _DELIMITERS:
        rows = (row for _, row in _csv_rows(path, delimiter, strict=False))
        names = next(rows, [])
        if names[:1] == ["sep="]:
            return delimiter, next(rows, []), 2
        meanings = [meaning_of(name) for name in names]
        if len(names) > 1 and (meanings[0] in _IDS or set(meanings) >= _IDS):
            return delimiter, names, 1
        found[delimiter] = names
    widest = max(found, key=lambda delimiter: len(found[delimiter]))
    if not found[widest]:
        raise InputError(f"{path} is empty.")
    return widest, found[widest], 1


def _csv_rows(
    path: Path, delimiter: str, *, strict: bool = True
) -> Iterator[tuple[int, list[str]]]:
    """Rows with the line each begins in; lines without anything are passed over."""
    with _readable(path), path.open(encoding="utf-8-sig", newline="") as file:
        reader = csv.reader(file, delimiter=delimiter, strict=strict)
        line = 1
        try:
            for row in reader:
                if row:
                    yield line, row
                line = reader.line_num + 1
        except csv.Error as error:
            raise InputError(
                f"{path}, line {line}: the row is no proper CSV ({shortened(str(error))}); quote "
                "cells that hold quotes or line breaks, and double the quotes in them."
            ) from None


def _checked(rows: Iterator[tuple[int, list[str]]], n_columns: int) -> Iterator[Row]:
    for line, row in rows:
        if not any(map(str.strip, row)):
            yield line, _NOTHING
        elif len(row) != n_columns:
            yield line, f"holds {len(row)} cells, the header {n_columns}"
        else:
            yield line, row


def _json_rows(path: Path, layout: Layout) -> Iterator[Row]:
    rows: list[Row] = []

    def add(line: int, row: Mapping[str, Any]) -> None:
        numbers = layout.numbers
        rows.append((line, [_cell(n, row.get(n), n in numbers) for n in layout.names]))

    rows += list(json_rows(path, layout.names, add))
    return iter(rows)


def _py_irt_rows(path: Path) -> Iterator[Row]:
    rows: list[Row] = []

    def add(line: int, row: Mapping[str, Any]) -> None:
        subject, responses = row.get("subject_id"), row.get("responses")
        if not isinstance(responses, dict):
            raise ValueError("has no object of responses")
        name = _cell("subject_id", subject)
        found = [[name, item, _cell(item, r, True)] for item, r in responses.items()]
        rows.extend((line, cells) for cells in found)

    # Of whole objects it is seen whether a key stands twice.
    rows += list(json_rows(path, (), add))
    return iter(rows)


def _cell(name: str, value: Any, number: bool = False) -> str:
    """A JSON value as the text that a CSV table would hold."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if (isinstance(value, (bool, float)) and not number) or not isinstance(value, (int, float)):
        raise ValueError(
            f"has as '{shortened(name)}' an entry of type {type(value).__name__}; allowed are "
            f"{'numbers, true and false' if number else 'text and whole numbers'}"
        )
    return str(value)


def _text_blocks(path: Path, rows: Iterator[Row], layout: Layout) -> Iterator[_Block]:
    cells: list[str] = []  # of all rows in one list, since Python tidies up after many small ones
    lines: list[int] = []
    bad: list[tuple[int, str]] = []
    with _readable(path):
        for line, row in rows:
            if isinstance(row, str):
                bad.append((line, row))
            else:
                lines.append(line)
                cells += row
            if len(cells) + len(bad) >= _CELLS:
                yield _text_block(cells, lines, bad, layout)
                cells, lines, bad = [], [], []
        yield _text_block(cells, lines, bad, layout)


def _text_block(
    cells: list[str], lines: list[int], bad: list[tuple[int, str]], layout: Layout
) -> _Block:
    grid = np.array(cells, dtype=object).reshape(len(lines), len(layout.names))
    place = {name: position for position, name in enumerate(layout.names)}
    texts = {m: pa.array(grid[:, place[name]], pa.string()) for m, name in layout.texts.items()}
    numbers = grid[:, [place[name] for name in layout.numbers]]
    values, faults = _numbers(pa.array(numbers.ravel(), pa.string()))
    wrong: dict[int, str] = {}
    for cell, fault in faults.items():
        row, column = divmod(cell, len(layout.numbers))
        wrong.setdefault(row, _in_column(layout.numbers[column], fault))
    return _Block(np.array(lines, np.int32), texts, values.reshape(numbers.shape), wrong, bad)


def _parquet_blocks(path: Path, schema: pa.Schema, layout: Layout) -> Iterator[_Block]:
    for name in (*layout.texts.values(), *layout.numbers):
        kind = schema.field(name).type
        plain = kind.value_type if pa.types.is_dictionary(kind) else kind
        text = pa.types.is_string(plain) or pa.types.is_large_string(plain)
        whole = pa.types.is_integer(plain) or pa.types.is_null(plain)
        number = pa.types.is_floating(plain) or pa.types.is_boolean(plain)
        if not (text or whole or (number and name in layout.numbers)):
            raise InputError(
                f"{path}: column '{shortened(name)}' is of type {shortened(str(kind))}; allowed "
                f"are text and whole numbers, and for scores any numbers and booleans."
            )
    # Text stays packed as it lies in the file, however often one value stands there.
    texts = [
        f.name for f in schema if pa.types.is_string(f.type) or pa.types.is_large_string(f.type)
    ]
    names = [*layout.texts.values(), *layout.numbers]
    start = 1
    with _readable(path), pq.ParquetFile(path, read_dictionary=texts) as file:
        _check_size(path, file.metadata)
        for batch in file.iter_batches(max(_FEWEST_ROWS, _CELLS // len(names)), columns=names):
            batch.validate(full=True)
            values = np.empty((len(batch), len(layout.numbers)))
            wrong: dict[int, str] = {}
            for position, name in enumerate(layout.numbers):
                values[:, position], faults = _numbers(batch.column(name))
                for row, fault in faults.items():
                    wrong.setdefault(row, _in_column(name, fault))
            lines = np.arange(start, start + len(batch), dtype=np.int32)
            ids = {meaning: batch.column(name) for meaning, name in layout.texts.items()}
            yield _Block(lines, ids, values, wrong, [])
            start += len(batch)


def _check_size(path: Path, metadata: pq.FileMetaData) -> None:
    groups = range(metadata.num_row_groups)
    n_bytes = sum(metadata.row_group(group).total_byte_size for group in groups)
    n_rows, size = metadata.num_rows, path.stat().st_size
    if n_rows > _ROWS + _ROWS_PER_BYTE * size or n_bytes > _BYTES + _BYTES_PER_BYTE * size:
        raise InputError(
            f"{path} has {size:,} bytes but claims {n_rows:,} rows and {n_bytes:,} bytes when "
            "unpacked, which no table of answers does; check where it comes from."
        )


# Cells


def _packed(array: pa.Array) -> tuple[list[Any], np.ndarray]:
    """The different values of an array and which of them each cell has; None is the last one."""
    packed = array if pa.types.is_dictionary(array.type) else array.dictionary_encode()
    values = packed.dictionary.to_pylist()
    places = packed.indices.cast(pa.int64()).fill_null(len(values))
    return [*values, None], places.to_numpy(zero_copy_only=False)


def _numbers(array: pa.Array) -> tuple[np.ndarray, dict[int, str]]:
    """Numbers of some cells, NaN where they are empty, and what those hold that are none."""
    kind = array.type
    if pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_boolean(kind):
        numbers = array.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False)
        return np.where(np.isnan(numbers), np.nan, numbers), {}  # any other NaN warns when cast
    cells, places = _packed(array)
    values = np.full(len(cells), np.nan)
    faults: dict[int, str] = {}
    for place, cell in enumerate(cells):
        try:
            values[place] = as_score(cell)
        except ValueError as error:
            faults[place] = str(error)
    wrong = np.flatnonzero(np.isin(places, [*faults])) if faults else ()
    return values[places], {int(cell): faults[int(places[cell])] for cell in wrong}


def _in_column(name: str, fault: str) -> str:
    return (
        f"has in column '{shortened(name)}' {fault}; allowed are numbers from 0 to 1 with a point "
        "before their decimals, true and false, and nothing where the answer is missing"
    )


# Answers


def _table(
    path: Path, blocks: Iterator[_Block], layout: Layout, options: ReadOptions, word: str
) -> _Table:
    """All rows of a table that can be read, a wide one's as one for each cell."""
    codes = {meaning: _Codes() for meaning in layout.texts}
    parts: list[pd.DataFrame] = []
    bad: list[int] = []
    n_empty = 0
    for block in blocks:
        faults = {int(block.lines[row]): fault for row, fault in block.wrong.items()}
        faults.update((line, fault) for line, fault in block.bad if fault != _NOTHING)
        n_empty += sum(fault == _NOTHING for _, fault in block.bad)
        if faults and options.on_bad == "error":
            line = min(faults)
            raise InputError(
                f"{path}, {word} {line}: the row {faults[line]}; mend it, or skip such rows by "
                "name (on_bad=skip)."
            )
        bad += sorted(faults)
        columns = {"line": block.lines}
        for meaning, array in block.texts.items():
            cells, places = _packed(array)
            numbers = np.array([codes[meaning][_text(meaning, cell)] for cell in cells])
            columns[meaning] = numbers[places]
        parts.append(pd.concat([pd.DataFrame(columns), pd.DataFrame(block.numbers)], axis=1))
        if block.wrong:
            parts[-1] = parts[-1].drop(index=[*block.wrong])
    if not parts:
        raise InputError(f"{path} holds no row below its header.")
    frame = pd.concat(parts, ignore_index=True)
    for meaning in sorted(_IDS & codes.keys(), reverse=True):
        empty = [code for text, code in codes[meaning].items() if not text.strip()]
        lines = frame["line"][frame[meaning].isin(empty)]
        if len(lines) and options.on_bad == "error":
            raise InputError(
                f"{path}: {counted(len(lines), 'row')} without a {meaning} (first: {word} "
                f"{lines.iloc[0]}); name it, or skip such rows by name (on_bad=skip)."
            )
        bad += lines.tolist()
        frame = frame.drop(index=lines.index)
    if frame.empty:
        raise InputError(f"{path} holds no row that can be read.")
    _check_summaries(path, frame, codes, word)
    notes = list(layout.notes)
    if bad:
        first = ", ".join(map(str, sorted(bad)[:_TOLD]))
        notes.append(
            f"{path}: {counted(len(bad), 'row')} left out, since they cannot be read: {word}s "
            f"{first}{' and others' if len(bad) > _TOLD else ''}."
        )
    n_cells = 1 if layout.rows == ANSWERS else len(layout.numbers)
    frame = _melted(frame, codes, layout)
    names = {meaning: np.array([*texts], dtype=object) for meaning, texts in codes.items()}
    lost = {BAD_ROW: len(bad) * n_cells, EMPTY_ROW: n_empty * n_cells}
    return _Table(frame, names, lost, layout.metric, tuple(notes))


def _text(meaning: str, cell: object) -> str:
    text = "" if cell is None else str(cell)
    # Items' texts are long, and all that is asked of them is whether they are the same.
    return fingerprint(text) if meaning == "content" and text else text


def _check_summaries(
    path: Path, frame: pd.DataFrame, codes: Mapping[str, _Codes], word: str
) -> None:
    """An average among models or items would count as one of them."""
    for meaning in _IDS & codes.keys():
        for name in filter(is_summary, codes[meaning]):
            lines = frame["line"][frame[meaning] == codes[meaning][name]]
            if len(lines):
                raise InputError(summary_sentence(f"{path}, {word} {lines.iloc[0]}", name, meaning))


def _melted(frame: pd.DataFrame, codes: dict[str, _Codes], layout: Layout) -> pd.DataFrame:
    """One row for each answer, with columns line, score, and codes by meaning."""
    n_rows, n_cells = len(frame), len(layout.numbers)
    values = frame[[*range(n_cells)]].to_numpy()
    frame = frame[["line", *codes]]
    if layout.rows == ANSWERS:
        frame = frame.assign(score=values[:, 0])
        if n_cells > 1:
            frame = frame.assign(confidence=values[:, 1])
    else:
        other = "item" if layout.rows == MODELS else "model"
        codes[other] = _Codes(zip(layout.numbers, range(n_cells), strict=True))
        frame = frame.loc[frame.index.repeat(n_cells)]
        frame = frame.assign(**{other: np.tile(range(n_cells), n_rows), "score": values.ravel()})
    if "task" not in codes:
        codes["task"] = _Codes({"": 0})
        frame = frame.assign(task=0)
    return frame


def _answers(path: Path, table: _Table, options: ReadOptions) -> list[Answers]:
    """A table's answers by model and task, those to tasks that are wanted."""
    frame, names = table.frame, table.names
    wanted = np.array([options.wants(task) for task in names["task"]])[frame["task"]]
    # What a file loses is told once, with its first answers.
    dropped = {reason: n for reason, n in table.lost.items() if n}
    if not wanted.all():
        frame = frame[wanted]
        dropped[OTHER_TASK] = int((~wanted).sum())
    found = []
    for (model, task), part in frame.groupby(["model", "task"], sort=False):
        texts = {m: listed[part[m]].tolist() for m, listed in names.items() if m in part}
        name = names["task"][task]
        subtasks = texts.get("subtask")
        if not name:
            subtasks = [text or "all" for text in subtasks or [""] * len(part)]
        found.append(
            Answers(
                model=names["model"][model],
                task=name,
                source=str(path),
                ids=texts["item"],
                scores=part["score"].to_numpy(),
                n_read=len(part) + sum(dropped.values()),
                dropped=dropped,
                confidences=part["confidence"].to_numpy() if "confidence" in part else None,
                contents=texts.get("content"),
                subtasks=subtasks,
                lines=part["line"].to_numpy(),
                metric=table.metric,
                notes=table.notes,
            )
        )
        dropped = {}
    return found
