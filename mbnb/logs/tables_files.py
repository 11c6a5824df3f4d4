"""Opens tables, CSV, Parquet or JSON lines, in blocks of bounded size; knows no answers."""

from __future__ import annotations

import codecs
import csv
import weakref
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from time import monotonic, sleep
from typing import Any, TextIO

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

from mbnb.data.errors import InputError
from mbnb.logs.json_rows import json_rows
from mbnb.logs.values import shortened

DELIMITERS = {",": "a comma", ";": "a semicolon", "\t": "a tab"}
NOTHING = "holds nothing"
_BLOCK = 1 << 25
_BATCH = 1 << 18
_HEADER = 1 << 26
_PATIENCE = 2.0  # seconds
# What a Parquet file may unpack to, since runs of one value take next to no room in it.
_ROWS, _ROWS_PER_BYTE = 10_000_000, 1000
_BYTES, _BYTES_PER_BYTE = 1 << 28, 1000
# The standard library's bound of 128 KiB is less than some items' text.
csv.field_size_limit(_BLOCK)
_WIDE_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


@dataclass
class Block:
    """Some rows of a table.

    Attributes
    ----------
    columns : dict of str to pyarrow.Array
        By the name of the column.
    records : ndarray of int
        Place of each row in the file, from 0.
    bad : list of (int, str)
        Rows that have no cells, with what is wrong with them (`NOTHING` if they are empty).
    """

    columns: dict[str, pa.Array]
    records: np.ndarray
    bad: list[tuple[int, str]] = field(default_factory=list)


@contextmanager
def readable(path: Path) -> Iterator[None]:
    """Turns what goes wrong in a file's bytes into one sentence that names it."""
    try:
        yield
    except InputError:
        raise
    except UnicodeError:
        raise InputError(f"{path} holds text that is not UTF-8; save it as UTF-8.") from None
    except csv.Error as error:
        raise InputError(f"{path} is no proper CSV: {shortened(str(error), 200)}.") from None
    except pa.ArrowException as error:
        text = shortened(" ".join(str(error).split()), 200).rstrip(".")
        if "invalid UTF8" in text:
            raise InputError(f"{path} holds text that is not UTF-8; save it as UTF-8.") from None
        raise InputError(f"{path} cannot be read: {text}.") from None
    except OSError as error:
        text = shortened(error.strerror or str(error), 200).rstrip(".")
        raise InputError(f"{path} cannot be read: {text}.") from None
    # What damaged Parquet leads to, beside Arrow's own errors.
    except (ValueError, ArithmeticError, LookupError, MemoryError) as error:
        text = shortened(str(error) or type(error).__name__, 200).rstrip(".")
        raise InputError(f"{path} cannot be read: {text}.") from None


def csv_headers(path: Path) -> dict[str, list[str]]:
    """The first line's columns, by each delimiter that may be meant.

    Raises
    ------
    InputError
        If the file is empty or no UTF-8 text.
    """
    found = {}
    with readable(path):
        with path.open("rb") as file:
            if file.read(2) in _WIDE_MARKS:
                raise InputError(f"{path} is UTF-16 text; allowed is UTF-8.")
        for delimiter in DELIMITERS:
            with path.open(encoding="utf-8-sig", newline="") as text:
                rows = csv.reader(_lines(text), delimiter=delimiter)
                found[delimiter] = next((row for row in rows if row), [])
    if not any(found.values()):
        raise InputError(f"{path} is empty.")
    return found


def _lines(text: TextIO) -> Iterator[str]:
    """Lines, none longer than a header may be."""
    while line := text.readline(_HEADER):
        yield line


def csv_rows(path: Path, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Rows below the header with the line each begins in; empty lines are passed over."""
    with readable(path), path.open(encoding="utf-8-sig", newline="") as text:
        rows = csv.reader(text, delimiter=delimiter, strict=True)
        line = 1
        header = False
        try:
            for row in rows:
                if row and header:
                    yield line, row
                header = header or bool(row)
                line = rows.line_num + 1
        except csv.Error as error:
            raise InputError(
                f"{path}, line {line}: the row is no proper CSV ({shortened(str(error))})."
            ) from None


def csv_blocks(path: Path, delimiter: str, names: Sequence[str]) -> Iterator[Block]:
    """The named columns as text, in blocks of rows."""
    bad: list[tuple[int, str]] = []

    def odd(row: Any) -> str:
        # Rows are numbered from 1, the header's.
        fault = f"holds {row.actual_columns} cells, the header {row.expected_columns}"
        if not (row.text or "x").replace(delimiter, "").strip(' "\t\r\n'):
            fault = NOTHING
        bad.append((row.number - 2, fault))
        return "skip"

    with readable(path):
        reader = pyarrow.csv.open_csv(
            path,
            read_options=pyarrow.csv.ReadOptions(block_size=_BLOCK, use_threads=False),
            parse_options=pyarrow.csv.ParseOptions(
                delimiter=delimiter, newlines_in_values=True, invalid_row_handler=odd
            ),
            convert_options=pyarrow.csv.ConvertOptions(
                include_columns=list(names),
                column_types={name: pa.string() for name in names},
                strings_can_be_null=False,
            ),
        )
        start = 0
        try:
            with reader:
                for batch in reader:
                    # The rows that are not among the odd ones; those may be of a block read ahead.
                    odd_places = [place for place, _ in bad]
                    places = np.arange(start, start + batch.num_rows + len(bad))
                    records = places[~np.isin(places, odd_places)][: batch.num_rows]
                    start = int(records[-1]) + 1 if len(records) else start
                    passed = [entry for entry in bad if entry[0] < start]
                    del bad[: len(passed)]
                    yield Block(dict(zip(names, batch.columns, strict=True)), records, passed)
        finally:
            held = weakref.ref(odd)
            del reader, odd
            _wait_until_gone(held)
        yield Block({}, np.zeros(0, np.int64), bad)


def _wait_until_gone(held: weakref.ref[Any]) -> None:
    """Wait until Arrow's thread has let go of the row handler, a moment after the reader is closed.

    A process that ended before would be aborted: the thread needs Python to let go of it.
    """
    patience = monotonic() + _PATIENCE
    while held() is not None and monotonic() < patience:
        sleep(0.001)


@dataclass(frozen=True)
class Places:
    """Where in a file its rows stand, for messages.

    Attributes
    ----------
    path : Path
    delimiter : str, optional
        Of a CSV file, whose rows may span lines; None where a row is a line, or has no line.
    offset : int
        Line of the first row, where each row is a line.
    word : str
    """

    path: Path
    delimiter: str | None = None
    offset: int = 1
    word: str = "row"

    def name(self, record: int) -> str:
        """A row's place in words."""
        if self.delimiter is None:
            return f"{self.word} {record + self.offset}"
        try:
            rows = csv_rows(self.path, self.delimiter)
            return f"line {next(islice(rows, record, None))[0]}"
        except (InputError, StopIteration):
            return f"row {record + 1} below the header"

    def empty(self) -> set[int]:
        """Records of a text table's rows of which no cell holds anything."""
        if self.delimiter is None:
            return set()
        rows = enumerate(csv_rows(self.path, self.delimiter))
        return {record for record, (_, row) in rows if not any(map(str.strip, row))}

    def lines(self, records: np.ndarray, n_records: int) -> np.ndarray:
        """Line of each row.

        Parameters
        ----------
        records : ndarray of int
        n_records : int
            Rows in the file, as the blocks counted them.

        Raises
        ------
        InputError
            If quotes leave it open what the rows are.
        """
        if self.delimiter is None:
            return records + np.int32(self.offset)
        n_ends = 0
        last = b"\n"
        with self.path.open("rb") as file:
            while piece := file.read(1 << 24):
                n_ends += piece.count(b"\n")
                last = piece[-1:]
        if n_ends + (last != b"\n") == n_records + 1:
            return records + np.int32(2)
        # A quote that is never closed makes one cell of all that follows; it shows here.
        lines = np.fromiter((line for line, _ in csv_rows(self.path, self.delimiter)), np.int32)
        if len(lines) != n_records:
            raise InputError(
                f"{self.path} is no proper CSV: by its quotes it holds {n_records:,} rows or "
                f"{len(lines):,}; quote cells that hold quotes or line breaks, and double the "
                "quotes in them."
            )
        return lines[records]


def parquet_columns(path: Path) -> dict[str, pa.DataType]:
    """Names and types of a Parquet file's columns; a name may stand twice.

    Raises
    ------
    InputError
        If it is none, a name stands twice, or it would unpack to far more than its size makes
        likely.
    """
    with readable(path):
        file = pa.parquet.ParquetFile(path)
        with file:
            schema, metadata = file.schema_arrow, file.metadata
            n_rows = metadata.num_rows
            groups = (metadata.row_group(k) for k in range(metadata.num_row_groups))
            unpacked = sum(group.total_byte_size for group in groups)
        size = path.stat().st_size
    if n_rows > _ROWS + _ROWS_PER_BYTE * size or unpacked > _BYTES + _BYTES_PER_BYTE * size:
        raise InputError(
            f"{path} has {size:,} bytes but claims {n_rows:,} rows and {unpacked:,} bytes when "
            "unpacked, which no table of answers does; check where it comes from."
        )
    if len(set(schema.names)) < len(schema.names):
        twice = next(name for name in schema.names if schema.names.count(name) > 1)
        raise InputError(f"{path} has more than one column '{shortened(twice)}'.")
    return dict(zip(schema.names, schema.types, strict=True))


def parquet_blocks(path: Path, kinds: Mapping[str, pa.DataType]) -> Iterator[Block]:
    """The named columns, in blocks of rows; text stays packed as it lies in the file."""
    texts = [name for name, kind in kinds.items() if kind in (pa.string(), pa.large_string())]
    n_rows = max(1, min(_BATCH, (1 << 23) // max(1, len(kinds))))
    start = 0
    with readable(path):
        file = pa.parquet.ParquetFile(path, read_dictionary=texts)
        with file:
            for batch in file.iter_batches(batch_size=n_rows, columns=list(kinds)):
                batch.validate(full=True)
                columns = dict(zip(batch.schema.names, batch.columns, strict=True))
                yield Block(columns, np.arange(start, start + batch.num_rows))
                start += batch.num_rows


def json_blocks(path: Path, names: Sequence[str], numbers: Sequence[str]) -> Iterator[Block]:
    """The named keys of JSON lines, in blocks of rows; a row's record is its line.

    Parameters
    ----------
    numbers : sequence of str
        The keys that may hold any number; others are ids.
    """
    cells: dict[str, list[str | None]] = {name: [] for name in names}
    records: list[int] = []
    # Rows come in one go; packed, they take little room.
    blocks: list[Block] = []

    def pack() -> None:
        arrays = {
            name: pa.array(column, pa.string()).dictionary_encode()
            for name, column in cells.items()
        }
        blocks.append(Block(arrays, np.array(records, np.int64)))
        for column in cells.values():
            column.clear()
        records.clear()

    def add(line: int, row: dict[str, Any]) -> None:
        made = [_cell(name, row.get(name), name in numbers) for name in names]
        for name, cell in zip(names, made, strict=True):
            cells[name].append(cell)
        records.append(line)
        if len(records) == _BATCH:
            pack()

    with readable(path):
        bad = [(line, fault) for line, fault in json_rows(path, names, add)]
        pack()
    blocks[0].bad = bad
    yield from blocks


def _cell(name: str, value: Any, number: bool) -> str | None:
    """A JSON value as the text that a table would hold."""
    if value is None or isinstance(value, str):
        return value
    if (number and isinstance(value, (bool, float))) or isinstance(value, int):
        try:
            return str(value)
        except ValueError:  # a number of thousands of digits
            pass
    raise ValueError(
        f"has as '{name}' an entry of type {type(value).__name__}; allowed are "
        f"{'numbers, true and false' if number else 'text and whole numbers'}"
    )
