"""Tables of a TOML file become dataclasses here, each value checked; knows no profile.

A field says in its metadata which numbers it allows: write ``spread: float = number(0, 50)``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, fields
from typing import Any

from mbnb.data.errors import InputError


@dataclass(frozen=True)
class _Allowed:
    low: float
    high: float
    above: bool

    def holds(self, value: float) -> bool:
        return (self.low < value if self.above else self.low <= value) and value <= self.high

    def __str__(self) -> str:
        start = f"above {self.low:g} and up" if self.above else f"from {self.low:g}"
        return f"{start} to {self.high:g}"


def number(low: float, high: float, *, above: bool = False) -> Any:
    """A dataclass field that allows numbers from `low` (or `above` it) to `high`."""
    return field(metadata={"allowed": _Allowed(low, high, above)})


def check_keys(kind: type, table: Any, file: str, prefix: str = "") -> None:
    """Raise InputError unless `table` has exactly the keys of the dataclass `kind`."""
    if not isinstance(table, dict):
        raise InputError(f"{file}: key '{prefix.rstrip('.')}' is {table!r}; allowed is a table.")
    known = [f.name for f in fields(kind)]
    for key in table:
        if key not in known:
            raise InputError(
                f"{file}: key '{prefix}{key}' is unknown; allowed: {', '.join(known)}."
            )
    for key in known:
        if key not in table:
            raise InputError(f"{file}: key '{prefix}{key}' is missing.")


def build(kind: type, table: Any, file: str, prefix: str) -> Any:
    """A dataclass `kind` of texts and numbers from a table of the same keys.

    Fields that are neither are taken as they are, already checked.

    Raises
    ------
    InputError
        If a key is unknown or missing, or a value has the wrong type or is not allowed; the
        message names file and key and says what is allowed.
    """
    check_keys(kind, table, file, prefix)
    values: dict[str, Any] = {}
    for f in fields(kind):
        value, where = table[f.name], f"{file}: key '{prefix}{f.name}'"
        allowed = f.metadata.get("allowed")
        if allowed is not None:
            value = _number(value, str(f.type), allowed, where)
        elif f.type == "str" and not isinstance(value, str):
            raise InputError(f"{where} is {value!r}; allowed is a text in quotes.")
        values[f.name] = value
    return kind(**values)


def list_of_tables(value: Any, file: str, key: str) -> list[tuple[str, Any]]:
    """The tables of a list, each with the prefix of its keys in messages."""
    if not isinstance(value, list) or not value:
        raise InputError(f"{file}: key '{key}' is {value!r}; allowed is a list of tables.")
    return [(f"{key}[{position}].", table) for position, table in enumerate(value, start=1)]


def _number(value: Any, kind: str, allowed: _Allowed, where: str) -> int | float:
    whole = kind == "int"
    right_type = isinstance(value, int if whole else (int, float)) and not isinstance(value, bool)
    if not right_type or not math.isfinite(value) or not allowed.holds(value):
        what = "a whole number" if whole else "a number"
        raise InputError(f"{where} is {value!r}; allowed is {what} {allowed}.")
    return value if whole else float(value)
