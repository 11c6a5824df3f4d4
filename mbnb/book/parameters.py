"""The parameters of a chapter: reads them as meant or refuses them; executes and draws nothing."""

from __future__ import annotations

import ast
import html
import json
import math
import numbers
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from mbnb.data.datasets import DUPLICATES
from mbnb.data.errors import InputError
from mbnb.data.responses import POLICIES

TITLE = "The parameters of this run"
# What `open_study` reads of a chapter's parameters, so that the chapter need not.
OPENED = frozenset(
    ("dataset", "missing", "duplicates", "sizes", "n_source", "n_target", "n_trials", "seed")
)


class _Refused(Exception):
    """A value that a reader below cannot take; the sentence is made where the name is known."""


@dataclass(frozen=True)
class Rule:
    """What a parameter may be.

    Parameters
    ----------
    read : callable
        Turns a given value into the one that is meant, or raises `_Refused`.
    allowed : callable
        Says what is allowed, as the end of "<name> must be …".
    is_text : bool
        Whether text typed on a command line is the value itself rather than JSON.
    """

    read: Callable[[Any], Any]
    allowed: Callable[[], str]
    is_text: bool = False


class Parameters(Mapping[str, Any]):
    """The checked parameters of one run: read ``p.seed`` or ``p["seed"]``; nothing can be set."""

    _values: dict[str, Any]

    def __init__(self, values: Mapping[str, Any]) -> None:
        object.__setattr__(self, "_values", dict(values))

    def __getattr__(self, name: str) -> Any:
        try:
            return self.__dict__["_values"][name]
        except KeyError:
            raise AttributeError(f"this run has no parameter '{name}'") from None

    def __setattr__(self, name: str, value: Any) -> NoReturn:
        raise AttributeError(f"the parameters of a run cannot be changed ('{name}' was set)")

    def __getitem__(self, name: str) -> Any:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return "\n".join([TITLE, *(f"  {name} = {_shown(self[name])}" for name in self)])

    def _repr_html_(self) -> str:
        rows = "".join(
            f'<tr><th scope="row"><code>{name}</code></th>'
            f"<td>{html.escape(_shown(self[name]))}</td></tr>"
            for name in self
        )
        return (
            f'<table class="mbnb-parameters"><caption>{TITLE}</caption>'
            '<thead><tr><th scope="col">parameter</th><th scope="col">value</th></tr></thead>'
            f"<tbody>{rows}</tbody></table>"
        )


def parameters(namespace: Mapping[str, Any] | None = None, /, **given: Any) -> Parameters:
    """Check the parameters of a chapter.

    Values arrive as a chapter's author typed them, or as papermill passed them on: its ``-p``
    leaves ``[10,25]`` and ``null`` as text and makes ``1e3`` a float. They are read as meant.

    Parameters
    ----------
    namespace : mapping, optional
        ``globals()`` of a chapter, right after its parameters cell: what is there under a name of
        `RULES` is a parameter.
    **given
        Values by name; the names are those of `RULES`.

    Returns
    -------
    Parameters
        The values cast to plain, immutable Python (lists become tuples), in the order given.

    Raises
    ------
    InputError
        If a value is not allowed; one sentence says what is.
    TypeError
        If a name has no rule (a fault of the chapter, not of its reader).
    """
    found = {name: value for name, value in (namespace or {}).items() if name in RULES}
    return Parameters({name: check_value(name, value) for name, value in (found | given).items()})


def check_value(name: str, value: Any) -> Any:
    """One parameter's value, read as meant. Raises as `parameters` does."""
    rule = _rule(name)
    try:
        return rule.read(value)
    except _Refused:
        raise InputError(
            f"{name} must be {rule.allowed()}; given: {value!r} ({type(value).__name__})"
        ) from None


def read_text(name: str, text: str) -> Any:
    """A parameter's value from a command line, checked; JSON, or the text itself where text is due.

    Raises
    ------
    InputError
        If the value is not allowed.
    TypeError
        If the name has no rule.
    """
    if _rule(name).is_text and not text.startswith('"'):
        return check_value(name, text)
    return check_value(name, _as_meant(text))


def _rule(name: str) -> Rule:
    if name not in RULES:
        raise TypeError(
            f"no rule says what the parameter '{name}' may be; give it one in "
            f"mbnb.book.parameters.RULES (there are {', '.join(RULES)})"
        )
    return RULES[name]


def _shown(value: Any) -> str:
    if isinstance(value, tuple):
        return ", ".join(map(_shown, value))
    return "chosen from the data" if value is None else str(value)


# Readers: each takes what was given and returns what was meant


def _as_meant(value: Any) -> Any:
    """Text that stands for a number, a list, null or true becomes that; all else stays."""
    if not isinstance(value, str):
        return value
    for read in (json.loads, int, ast.literal_eval):
        try:
            return read(value)
        except (ValueError, SyntaxError, RecursionError):
            continue
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise _Refused
    return value


def _real(value: Any) -> int | float:
    value = _as_meant(value)
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise _Refused
    return int(value) if isinstance(value, numbers.Integral) else float(value)


def _whole(value: Any, lowest: int) -> int:
    number = _real(value)
    if not math.isfinite(number) or number != int(number) or number < lowest:
        raise _Refused
    return int(number)


def _number(value: Any, above: float, highest: float) -> float:
    number = _real(value)
    if not above < number <= highest:
        raise _Refused
    return float(number)


def _listed(value: Any, read: Callable[[Any], Any]) -> tuple[Any, ...]:
    value = _as_meant(value)
    if hasattr(value, "tolist"):
        value = value.tolist()
    if not isinstance(value, (list, tuple)) or not value:
        raise _Refused
    entries = tuple(read(entry) for entry in value)
    if len(set(entries)) < len(entries):
        raise _Refused
    return entries


def _one_of(value: Any, names: Callable[[], list[str]]) -> str:
    if not isinstance(value, str) or value not in names():
        raise _Refused
    return value


def _selectors() -> list[str]:
    # Here, not above: their libraries take seconds to load, which most commands need not wait for.
    from mbnb.methods.selectors import SELECTORS

    return list(SELECTORS)


def _known_selectors() -> list[str]:
    from mbnb.methods.selectors import KNOWN_SELECTORS

    return list(KNOWN_SELECTORS)


def _readings() -> list[str]:
    from mbnb.judge.agreement import RULES as READINGS

    return list(READINGS)


# Rules: one for each name that a chapter may use


def _count(lowest: int = 1, *, optional: bool = False) -> Rule:
    def read(value: Any) -> int | None:
        return None if optional and _as_meant(value) is None else _whole(value, lowest)

    ending = ", or null to take what the data allow" if optional else ""
    return Rule(read, lambda: f"a whole number ≥ {lowest}{ending}")


def _choice(names: Callable[[], list[str]]) -> Rule:
    return Rule(lambda value: _one_of(value, names), lambda: f"one of {', '.join(names())}", True)


RULES: dict[str, Rule] = {
    "dataset": Rule(_text, lambda: "the name or the path of a data set", is_text=True),
    "datasets": Rule(
        lambda value: _listed(value, _text),
        lambda: 'a list of names or paths of data sets, without repeats, such as ["my-results"]',
    ),
    "group": Rule(_text, lambda: "the name of a group of models", is_text=True),
    "missing": _choice(lambda: list(POLICIES)),
    "duplicates": _choice(lambda: list(DUPLICATES)),
    "n_trials": _count(),
    "n_source": _count(optional=True),
    "n_target": _count(optional=True),
    "sizes": Rule(
        lambda value: _listed(value, lambda entry: _whole(entry, 1)),
        lambda: "a list of whole numbers ≥ 1, without repeats, such as [10, 25]",
    ),
    "size": _count(),
    "source_counts": Rule(
        lambda value: _listed(value, lambda entry: _whole(entry, 1)),
        lambda: "a list of whole numbers ≥ 1, without repeats, such as [10, 50]",
    ),
    "selectors": Rule(
        lambda value: _listed(value, lambda entry: _one_of(entry, _known_selectors)),
        lambda: f"a list, without repeats, of {', '.join(_known_selectors())}",
    ),
    "selector": _choice(_selectors),
    "threshold": Rule(
        lambda value: _number(value, 0.5, 1.0), lambda: "a number above 0.5 and at most 1"
    ),
    "rule": _choice(_readings),
    "gap": Rule(
        lambda value: _number(value, 0.0, 100.0),
        lambda: "a number of points above 0 and at most 100",
    ),
    "seed": _count(0),
}
