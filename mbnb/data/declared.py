"""Files of settings become declared types here, each value checked; knows none of the types."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from mbnb.data.errors import InputError


class Declared(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table of a file: its keys, and in their types what is allowed."""


T = TypeVar("T", bound=Declared)


def read_toml(path: Path, kind: type[T]) -> T:
    """A TOML file as an object of a declared type.

    Raises
    ------
    InputError
        If it is no TOML, lacks a key or has one too many, or a value is not allowed; the message
        names file, key and value and says what is.
    """
    table = None
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
        return msgspec.convert(table, kind, str_keys=True)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: not a TOML file ({error}).") from None
    except msgspec.ValidationError as error:
        raise InputError(f"{path}: {_sentence(str(error), table)}.") from None


def _sentence(message: str, table: Any) -> str:
    """Msgspec's message, which tells where and what is allowed, with the value at that place."""
    what, _, place = message.partition(" - at ")
    what = what.rstrip(".")
    for name, position in re.findall(r"\.(\w+)|\[(\d+)\]", place):
        table = table[name or int(position)]
    where = place.replace("`", "").replace("$.", "")
    if not where:
        return what
    # A whole list or a large table would hide the sentence.
    given = "" if len(repr(table)) > 60 else f" is {table!r}"
    return f"{where}{given}: {what}"
