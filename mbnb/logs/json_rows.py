"""Rows of JSON files: lines or one array, whatever their end, mark or encoding; knows no format."""

from __future__ import annotations

import codecs
import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from mbnb.data.errors import InputError
from mbnb.logs.values import shortened

_WIDE_MARKS = (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


class BadRow(ValueError):
    """A row that cannot be read; the message says what is wrong with it."""


def parse_json(data: bytes | str) -> Any:
    """One JSON value; NaN and Infinity are read, a key that stands twice is refused.

    Raises
    ------
    BadRow
    """
    try:
        if isinstance(data, bytes):
            data = data.decode("utf-8")
        return json.loads(data, object_pairs_hook=_object)
    except UnicodeDecodeError:
        raise BadRow("is not UTF-8 text") from None
    except RecursionError:
        raise BadRow("is nested too deeply") from None
    except json.JSONDecodeError as error:
        raise BadRow(f"is not JSON ({error.msg} at character {error.pos + 1})") from None
    except BadRow:
        raise
    except ValueError as error:  # a number of thousands of digits
        raise BadRow(f"is not JSON ({shortened(str(error))})") from None


def read_json(path: Path) -> Any:
    """The one JSON value of a file.

    Raises
    ------
    InputError
        With the file's name.
    """
    try:
        return parse_json(_unmarked(path.read_bytes(), path))
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.") from None
    except BadRow as error:
        raise InputError(f"{path} {error}.") from None


def json_rows(
    path: Path, names: Sequence[str], on_row: Callable[[int, dict[str, Any]], None]
) -> Iterator[tuple[int, str]]:
    """Hand each object of a file to `on_row`, with its line (in an array: its position).

    Parameters
    ----------
    path : Path
        JSON lines, or one JSON array of objects.
    names : sequence of str
        The keys that are wanted; others are skipped without being built.
    on_row : callable
        Takes line and object; may raise BadRow or ValueError.

    Yields
    ------
    (int, str)
        Line and fault of each row that cannot be read, for the caller to refuse or count.

    Raises
    ------
    InputError
        If the file cannot be read at all.
    """
    decode = _decoder(names)
    try:
        with path.open("rb") as file:
            start = file.read(4096)
            if _unmarked(start, path).lstrip()[:1] == b"[":
                file.seek(0)
                rows = _array(_unmarked(file.read(), path), path)
            else:
                file.seek(len(start) - len(_unmarked(start, path)))
                rows = ((n, line) for n, line in enumerate(file, start=1) if line.strip())
            for number, row in rows:
                try:
                    on_row(number, decode(row) if isinstance(row, bytes) else _plain(row))
                except ValueError as error:
                    yield number, str(error)
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.") from None


def first_row(path: Path) -> dict[str, Any]:
    """The first object of a file of rows that can be read, with all its keys.

    Raises
    ------
    InputError
        If there is none; the message tells the first fault.
    """
    fault = ""
    try:
        with path.open("rb") as file:
            array = _unmarked(file.read(4096), path).lstrip()[:1] == b"["
            file.seek(0)
            rows: Iterator[tuple[int, Any]] = enumerate(file, start=1)
            if array:
                rows = _array(_unmarked(file.read(), path), path)
            for number, row in rows:
                if isinstance(row, bytes):
                    row = row.removeprefix(codecs.BOM_UTF8)
                    if not row.strip():
                        continue
                try:
                    return _plain(parse_json(row) if isinstance(row, bytes) else row)
                except BadRow as error:
                    fault = fault or f" (line {number} {error})"
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.") from None
    raise InputError(f"{path} holds no row that can be read{fault}.")


def _decoder(names: Sequence[str]) -> Callable[[bytes], dict[str, Any]]:
    """A function from a line to its wanted keys.

    msgspec builds nothing of what is not asked for. What it refuses (NaN, which is no JSON but is
    written all the same) and what it would pass over (a key that stands twice) goes to Python's
    own reader.
    """
    if not names:
        return lambda line: _plain(parse_json(line))
    fields = [
        (f"f{position}", Any, msgspec.field(default=msgspec.UNSET, name=name))
        for position, name in enumerate(names)
    ]
    kind = msgspec.defstruct("Row", fields)
    decoder = msgspec.json.Decoder(kind)
    marks = [json.dumps(name).encode() + b":" for name in names]
    attributes = [(name, field[0]) for name, field in zip(names, fields, strict=True)]

    def decode(line: bytes) -> dict[str, Any]:
        if all(line.count(mark) < 2 for mark in marks):
            try:
                row = decoder.decode(line)
            except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
                pass
            else:
                values = ((name, getattr(row, attribute)) for name, attribute in attributes)
                return {name: value for name, value in values if value is not msgspec.UNSET}
        whole = _plain(parse_json(line))
        return {name: whole[name] for name in names if name in whole}

    return decode


def _array(data: bytes, path: Path) -> Iterator[tuple[int, Any]]:
    try:
        rows = parse_json(data)
    except BadRow as error:
        raise InputError(f"{path} {error}.") from None
    return iter(enumerate(rows, start=1))


def _plain(row: Any) -> dict[str, Any]:
    if not isinstance(row, dict):
        raise BadRow(f"is not a JSON object but {type(row).__name__}")
    return row


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise BadRow(f"holds the key '{shortened(twice)}' twice")
    return made


def _unmarked(data: bytes, path: Path) -> bytes:
    for mark in _WIDE_MARKS:
        if data.startswith(mark):
            raise InputError(f"{path} is UTF-16 or UTF-32 text; allowed is UTF-8.")
    return data.removeprefix(codecs.BOM_UTF8)
