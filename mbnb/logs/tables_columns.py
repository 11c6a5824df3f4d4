"""Columns of tables as numbers, ids as codes and scores as floats; knows no files."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
import pyarrow.compute

from mbnb.data.errors import InputError
from mbnb.logs.tables_hints import cell_hint
from mbnb.logs.values import as_score, fingerprint

_LONGEST_ID = 1000
_NUMBERS = 1000


class Picked(Sequence[str]):
    """Text by code, so that millions of ids take the room of their codes."""

    def __init__(self, names: list[str], codes: np.ndarray) -> None:
        self.names, self.codes = names, codes

    def __len__(self) -> int:
        return len(self.codes)

    def __getitem__(self, place):  # type: ignore[no-untyped-def]
        if isinstance(place, slice):
            return Picked(self.names, self.codes[place])
        return self.names[self.codes[place]]

    def __iter__(self) -> Iterator[str]:
        return map(self.names.__getitem__, self.codes.tolist())


@dataclass
class Names:
    """Texts numbered as they turn up."""

    what: str
    limit: int
    known: dict[str, int] = field(default_factory=dict)
    empty: bool = False
    digest: bool = False
    parsed: Parsed | None = None

    def number(self, text: str) -> int:
        """Number of a text.

        Raises
        ------
        ValueError
            If it is empty (and may not be) or longer than an id can be.
        """
        if self.digest:
            text = fingerprint(text) if text else ""
        elif not text and not self.empty:
            raise ValueError(f"has no {self.what}")
        elif len(text) > _LONGEST_ID:
            raise ValueError(
                f"has as {self.what} a text of {len(text):,} characters; allowed are "
                f"{_LONGEST_ID:,}"
            )
        return self.known.setdefault(text, len(self.known))


@dataclass
class Column:
    """Values of one column in a block, and what is wrong in which of its rows."""

    values: np.ndarray
    faults: dict[int, str]


def codes_of(array: pa.Array, names: Names) -> Column:
    """A column of text as numbers; −1 where it cannot be."""

    def parse(value: object) -> int:
        if value is None:
            value = ""
        if isinstance(value, bytes):
            value = value.decode("utf-8")
        if isinstance(value, bool) or not isinstance(value, (str, int)):
            raise ValueError(
                f"has as {names.what} an entry of type {type(value).__name__}; allowed are text "
                "and whole numbers"
            )
        return names.number(str(value))

    column, names.parsed = _by_value(array, parse, np.int32, -1, names.parsed)
    if len(names.known) > names.limit:
        raise InputError(
            f"a table of this size cannot hold more than {names.limit:,} different {names.what}s; "
            "check where it comes from."
        )
    return column


def scores_of(array: pa.Array, what: str) -> Column:
    """A column of numbers, or of text that stands for them; NaN where it is empty."""

    def parse(value: object) -> float:
        try:
            return as_score(value)
        except ValueError as error:
            hint = cell_hint(value) or "allowed are numbers, true, false, and these in quotes"
            raise ValueError(f"has as {what} {error}; {hint}") from None

    kind = array.type
    if pa.types.is_integer(kind) or pa.types.is_floating(kind):
        with np.errstate(over="ignore", invalid="ignore"):
            numbers = array.cast(pa.float64(), safe=False).fill_null(np.nan)
            return Column(numbers.to_numpy(zero_copy_only=False).astype(np.float32), {})
    if pa.types.is_string(kind) and len(array) > _NUMBERS:
        numbers = _plain_numbers(array)
        if numbers is not None:
            return Column(numbers, {})
    return _by_value(array, parse, np.float32, np.nan)[0]


def _plain_numbers(array: pa.Array) -> np.ndarray | None:
    """Numbers of a text column that holds nothing else; None where it does."""
    if len(pa.compute.unique(array[:_NUMBERS])) < _NUMBERS // 10:
        return None
    try:
        numbers = array.cast(pa.float64()).to_numpy(zero_copy_only=False)
    except pa.ArrowInvalid:
        return None
    with np.errstate(over="ignore", invalid="ignore"):
        return numbers.astype(np.float32) if np.isfinite(numbers).all() else None


@dataclass
class Parsed:
    """A dictionary's values after parsing; row groups of a file often share one dictionary."""

    dictionary: pa.Array
    values: np.ndarray
    done: np.ndarray


def _by_value(
    array: pa.Array,
    parse: Callable[[object], float],
    kind: type,
    unknown: float,
    before: Parsed | None = None,
) -> tuple[Column, Parsed]:
    """A column by parsing each of its different values once, and not those parsed before."""
    if not pa.types.is_dictionary(array.type):
        array = array.dictionary_encode()
    places = array.indices.cast(pa.int64()).fill_null(-1).to_numpy(zero_copy_only=False)
    size = len(array.dictionary) + 1
    known = before
    if known is None or not known.dictionary.equals(array.dictionary):
        known = Parsed(array.dictionary, np.full(size, unknown, kind), np.zeros(size, bool))
    used: np.ndarray = np.zeros(size, bool)
    used[places] = True
    # A place of −1, an empty cell, is the last.
    new = np.flatnonzero(used[:-1] & ~known.done[:-1])
    given = zip(new.tolist(), array.dictionary.take(pa.array(new)).to_pylist(), strict=True)
    faults: dict[int, str] = {}
    for place, value in [*given, *[(-1, None)] * bool(used[-1])]:
        try:
            with np.errstate(over="ignore", invalid="ignore"):
                known.values[place] = kind(parse(value))
            known.done[place] = True
        except ValueError as error:
            if isinstance(error, UnicodeError):
                raise
            faults[place] = str(error)
    wrong = np.flatnonzero(np.isin(places, list(faults))) if faults else ()
    told = {int(row): faults[int(places[row])] for row in wrong}
    return Column(known.values[places], told), known
