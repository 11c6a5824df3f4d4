"""Whole JSON texts read into declared fields only, NaN included; knows no format."""

from __future__ import annotations

import codecs
import re
from functools import cache
from typing import Any, TypeVar

import msgspec

from mbnb.logs.json_rows import BadRow
from mbnb.logs.values import shortened

T = TypeVar("T")

_WIDE_MARKS = (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
# A whole string comes first, so that a word inside one is never taken for a number.
_TOKENS = re.compile(rb'"(?:[^"\\]++|\\.)*+"|NaN|-?Infinity', re.DOTALL)


def decode(data: bytes, kind: type[T]) -> T:
    """One JSON text as a msgspec type; what the type does not name is passed over unbuilt.

    NaN, which is no JSON but is written all the same, becomes null; Infinity becomes that word,
    which is no score to anyone.

    Parameters
    ----------
    data : bytes
        UTF-8, with or without a mark.
    kind : type
        Where a key stands twice, the last counts.

    Raises
    ------
    BadRow
        If the text is no JSON, or not laid out as `kind` says.
    """
    if data.startswith(_WIDE_MARKS):
        raise BadRow("is UTF-16 or UTF-32 text; allowed is UTF-8")
    data = data.removeprefix(codecs.BOM_UTF8)
    try:
        return _decode(data, kind)
    except BadRow:
        if b"NaN" not in data and b"Infinity" not in data:
            raise
    return _decode(_mended(data), kind)


@cache
def _decoder(kind: Any) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(kind)


def _decode(data: bytes, kind: type[T]) -> T:
    hashable: Any = kind
    try:
        found: T = _decoder(hashable).decode(data)
    except msgspec.ValidationError as error:
        raise BadRow(f"is not laid out as such a log ({shortened(str(error), 120)})") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadRow(f"is not JSON ({shortened(str(error), 120)})") from None
    except RecursionError:
        raise BadRow("is nested too deeply") from None
    return found


def _mended(data: bytes) -> bytes:
    pieces = []
    done = 0
    for match in _TOKENS.finditer(data):
        word = match[0]
        if word[:1] != b'"':
            pieces += [data[done : match.start()], b"null" if word == b"NaN" else b'"%b"' % word]
            done = match.end()
    return b"".join([*pieces, data[done:]])


def plain(value: Any) -> dict[str, Any]:
    """The value where it is an object, or an empty one: for fields that may be absent or null."""
    return value if isinstance(value, dict) else {}
