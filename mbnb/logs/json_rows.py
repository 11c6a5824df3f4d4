"""JSON of any log: one value, rows, or declared fields only; knows no format."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from mbnb.data.errors import InputError
from mbnb.logs.values import shortened

T = TypeVar("T")

_WIDE_MARKS = (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
# A whole string comes first, so that a word inside one is never taken for a number.
_TOKENS = re.compile(rb'"(?:[^"\\]++|\\.)*+"|NaN|-?Infinity', re.DOTALL)


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
            data = _unmarked(data).decode("utf-8")
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


def decode(data: bytes, kind: type[T]) -> T:
    """One JSON text as a msgspec type; what the type does not name is passed over unbuilt.

    NaN, which is no JSON but is written all the same, becomes null; Infinity becomes that word,
    which is no score to anyone. Where a key stands twice the last counts.

    Raises
    ------
    BadRow
        If the text is no JSON, or not laid out as `kind` says.
    """
    data = _unmarked(data)
    try:
        return _decode(data, kind)
    except BadRow:
        if b"NaN" not in data and b"Infinity" not in data:
            raise

    def mended(token: re.Match[bytes]) -> bytes:
        word = token[0]
        return word if word[:1] == b'"' else b"null" if word == b"NaN" else b'"%b"' % word

    return _decode(_TOKENS.sub(mended, data), kind)


def read_json(path: Path, kind: type[T] | None = None) -> Any:
    """The one JSON value of a file, or its fields that a msgspec type names.

    Raises
    ------
    InputError
        With the file's name.
    """
    try:
        data = path.read_bytes()
        return parse_json(data) if kind is None else decode(data, kind)
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
        The keys that are wanted, all where it is empty; others are skipped without being built.
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
    wanted = _decoder(names)
    for number, row in _numbered(path):
        try:
            on_row(number, wanted(row) if isinstance(row, bytes) else _plain(row))
        except ValueError as error:
            yield number, str(error)


def first_row(path: Path) -> dict[str, Any]:
    """The first object of a file of rows that can be read, with all its keys.

    Raises
    ------
    InputError
        If there is none; the message tells the first fault.
    """
    fault = ""
    for number, row in _numbered(path):
        try:
            return _plain(parse_json(row) if isinstance(row, bytes) else row)
        except BadRow as error:
            fault = fault or f" (line {number} {error})"
    raise InputError(f"{path} holds no row that can be read{fault}.")


def _numbered(path: Path) -> Iterator[tuple[int, Any]]:
    """Lines as bytes, or the values of an array, from 1 on; empty lines are passed over."""
    try:
        with path.open("rb") as file:
            array = _unmarked(file.read(4096)).lstrip()[:1] == b"["
            file.seek(0)
            if array:
                yield from enumerate(parse_json(file.read()), start=1)
                return
            for number, line in enumerate(file, start=1):
                line = _unmarked(line) if number == 1 else line
                if line.strip():
                    yield number, line
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.") from None
    except BadRow as error:
        raise InputError(f"{path} {error}.") from None


def _decoder(names: Sequence[str]) -> Callable[[bytes], dict[str, Any]]:
    """A function from a line to its wanted keys.

    msgspec builds nothing of what is not asked for. What it refuses (NaN, which is no JSON but is
    written all the same) and what it would pass over (a key that stands twice) goes to Python's
    own reader.
    """
    if not names:
        return lambda line: _plain(parse_json(line))
    by_field = {f"f{position}": name for position, name in enumerate(names)}
    fields = [
        (field, Any, msgspec.field(default=msgspec.UNSET, name=name))
        for field, name in by_field.items()
    ]
    decoder = msgspec.json.Decoder(msgspec.defstruct("Row", fields))
    marks = [json.dumps(name).encode() + b":" for name in names]

    def wanted(line: bytes) -> dict[str, Any]:
        if all(line.count(mark) < 2 for mark in marks):
            try:
                row = decoder.decode(line)
            except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
                pass
            else:
                values = ((name, getattr(row, field)) for field, name in by_field.items())
                return {name: value for name, value in values if value is not msgspec.UNSET}
        whole = _plain(parse_json(line))
        return {name: whole[name] for name in names if name in whole}

    return wanted


@cache
def _typed(kind: Any) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(kind)


def _decode(data: bytes, kind: Any) -> Any:
    try:
        return _typed(kind).decode(data)
    except msgspec.ValidationError as error:
        raise BadRow(f"is not laid out as such a log ({shortened(str(error), 120)})") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadRow(f"is not JSON ({shortened(str(error), 120)})") from None
    except RecursionError:
        raise BadRow("is nested too deeply") from None


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


def _unmarked(data: bytes) -> bytes:
    if data.startswith(_WIDE_MARKS):
        raise BadRow("is UTF-16 or UTF-32 text; allowed is UTF-8")
    return data.removeprefix(codecs.BOM_UTF8)


def plain(value: Any) -> dict[str, Any]:
    """The value where it is an object, or an empty one: for fields that may be absent or null."""
    return value if isinstance(value, dict) else {}


def under(record: Any, *keys: str) -> Any:
    """What stands under some keys, one within the other; None where a key is not there."""
    for key in keys:
        record = plain(record).get(key)
    return record
