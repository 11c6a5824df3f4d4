"""Plain tables, long or wide, as CSV, Parquet or JSON lines; what each holds its header says.

A long table has a row for each answer: columns model, item and score, and perhaps task, subtask,
confidence and content (the item's text, by which it is seen that one id means one item). A wide
table has a column of ids, named model or item, and a column for each item or model.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

import pyarrow as pa

from mbnb.data.errors import InputError
from mbnb.logs.answers import Answers
from mbnb.logs.files import LOG, Format, Job, beginning, job
from mbnb.logs.json_rows import first_row
from mbnb.logs.options import ReadOptions
from mbnb.logs.tables_files import (
    DELIMITERS,
    Block,
    Places,
    csv_blocks,
    csv_headers,
    csv_rows,
    json_blocks,
    parquet_blocks,
    parquet_columns,
)
from mbnb.logs.tables_hints import is_unnamed
from mbnb.logs.tables_layout import LONG, Layout, is_long, layout_of, meaning_of
from mbnb.logs.tables_long import ignored_note, read_long
from mbnb.logs.tables_wide import read_wide, rows_of_csv, rows_of_parquet
from mbnb.logs.values import shortened

_TEXT = (".csv", ".tsv")
_JSON = (".jsonl", ".ndjson")
_PARQUET = b"PAR1"
_IDS = {"model", "item"}
_LOOK = 3  # cells by which row numbers are known


def _role(path: Path) -> str | None:
    suffix = path.suffix.lower()
    if suffix in _TEXT or (suffix == ".parquet" and beginning(path, 4) == _PARQUET):
        return LOG
    if suffix in _JSON:
        start = beginning(path, 1 << 18).removeprefix(b"\xef\xbb\xbf").lstrip()
        try:
            row = json.loads(start.split(b"\n", 1)[0])
        except (ValueError, RecursionError):
            return None
        return LOG if isinstance(row, dict) and is_long([*row]) else None
    return None


def _jobs(paths: Sequence[Path], options: ReadOptions) -> list[Job]:
    if not options.tasks:
        return [job(read_table, path, options) for path in paths]
    held = {path: _tasks_of(path, options) for path in paths}
    wanted = [path for path, tasks in held.items() if any(map(options.wants, tasks))]
    if not wanted:
        there = sorted({task or "(without a name)" for tasks in held.values() for task in tasks})
        raise InputError(
            f"no log is of task {', '.join(options.tasks)}; the tasks there are: "
            f"{', '.join(there)}."
        )
    return [job(read_table, path, options) for path in wanted]


FORMAT = Format("table", "plain tables", _role, _jobs)


class _Table:
    """A table whose header was read."""

    def __init__(self, path: Path, options: ReadOptions) -> None:
        self.path = path
        self.delimiter: str | None = None
        self.kinds: dict[str, pa.DataType] = {}
        self.notes: list[str] = []
        suffix = path.suffix.lower()
        if suffix == ".parquet":
            self.kinds = parquet_columns(path)
            self.layout = layout_of([*self.kinds], str(path), options, any_place=True)
            self._check_kinds()
            self.places = Places(path)
        elif suffix in _JSON:
            self.layout = layout_of([*(first_row(path) or {})], str(path), options)
            if self.layout.kind != LONG:
                raise InputError(
                    f"{path} holds JSON lines that are no long table; each needs model, item and "
                    "score."
                )
            self.places = Places(path, offset=0, word="line")
        else:
            self.delimiter, self.layout = _csv_layout(path, options)
            self.places = Places(path, self.delimiter)
            if self.delimiter != "," and suffix != ".tsv":
                self.notes.append(
                    f"Some tables are separated by {DELIMITERS[self.delimiter]}, as their header "
                    "shows."
                )
        self.notes += ignored_note(self.layout)

    @property
    def wanted(self) -> list[str]:
        return [*self.layout.columns.values(), *self.layout.cells]

    def _check_kinds(self) -> None:
        texts = {
            name for meaning, name in self.layout.columns.items() if meaning_of(name) == meaning
        } - {self.layout.columns.get("score"), self.layout.columns.get("confidence")}
        for name in self.wanted:
            kind = self.kinds[name]
            plain = kind.value_type if pa.types.is_dictionary(kind) else kind
            text = pa.types.is_string(plain) or pa.types.is_large_string(plain)
            whole = pa.types.is_integer(plain) or pa.types.is_null(plain)
            number = pa.types.is_floating(plain) or pa.types.is_boolean(plain)
            if not (text or whole or (number and name not in texts)):
                allowed = "text and whole numbers" if name in texts else "numbers, booleans, text"
                raise InputError(
                    f"{self.path}: column '{shortened(name)}' is of type "
                    f"{shortened(str(kind))}; allowed are {allowed}."
                )

    def blocks(self, names: Sequence[str]) -> Iterator[Block]:
        if self.kinds:
            return parquet_blocks(self.path, {name: self.kinds[name] for name in names})
        if self.delimiter is not None:
            return csv_blocks(self.path, self.delimiter, names)
        columns = self.layout.columns
        numbers = [columns[meaning] for meaning in ("score", "confidence") if meaning in columns]
        return json_blocks(self.path, names, numbers)


def read_table(path: Path, options: ReadOptions) -> list[Answers]:
    """Answers of one table.

    Raises
    ------
    InputError
        If its header does not tell what it holds, or a row cannot be read (and that is not to be
        skipped).
    """
    table = _Table(path, options)
    if table.layout.kind == LONG:
        blocks = table.blocks(table.wanted)
        return read_long(path, blocks, table.layout, options, table.places, table.notes)
    if table.kinds:
        kinds = {name: table.kinds[name] for name in table.wanted}
        rows = rows_of_parquet(path, kinds, table.layout)
    else:
        assert table.delimiter is not None
        rows = rows_of_csv(path, table.delimiter, table.layout)
    return read_wide(path, rows, table.layout, options, table.places, table.notes)


def _csv_layout(path: Path, options: ReadOptions) -> tuple[str, Layout]:
    """The delimiter by which the header tells what the table holds; a comma where none does."""
    headers = csv_headers(path)
    for delimiter, names in headers.items():
        meanings = [meaning_of(name) for name in names]
        if len(names) > 1 and (meanings[0] in _IDS or set(meanings) >= _IDS):
            return delimiter, _layout(path, delimiter, names, options)
    widest = max(headers, key=lambda delimiter: len(headers[delimiter]))
    return widest, _layout(path, widest, headers[widest], options)


def _layout(path: Path, delimiter: str, names: list[str], options: ReadOptions) -> Layout:
    cells: list[str] = []
    if is_unnamed(names[0]):
        cells = [row[0].strip() for _, row in islice(csv_rows(path, delimiter), _LOOK)]
    if not is_long(names) and names[0].strip() and is_unnamed(names[0]):
        names = ["", *names[1:]]
    return layout_of(names, str(path), options, first_cells=cells)


def _tasks_of(path: Path, options: ReadOptions) -> set[str]:
    """The tasks that a table names; one without a name where it names none."""
    table = _Table(path, options)
    column = table.layout.columns.get("task")
    if column is None:
        return {""}
    if table.delimiter is not None and table.layout.kind != LONG:
        place = table.layout.positions[column]
        return {row[place] for _, row in csv_rows(path, table.delimiter) if place < len(row)}
    found: set[str] = set()
    for block in table.blocks([column]):
        if column in block.columns:
            values = block.columns[column].unique().to_pylist()
            found.update("" if value is None else str(value) for value in values)
    return found
