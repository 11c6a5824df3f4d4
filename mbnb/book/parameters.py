"""The parameters of a chapter: read as meant or refused; executes and draws nothing."""

from __future__ import annotations

import html
import json
from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from mbnb.data.errors import InputError

Count = Annotated[int, Meta(ge=1)]
Counts = Annotated[tuple[Count, ...], Meta(min_length=1)]
Names = Annotated[tuple[str, ...], Meta(min_length=1)]
Text = Annotated[str, Meta(min_length=1)]
SIX = ("uniform", "subtask", "confidence", "diversity", "anchor-points", "tinybenchmarks")


class Parameters(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Every parameter that a chapter may have, what it may be, and the book's default.

    A chapter's own cell lists those that it uses. None stands for “chosen from the data”.
    """

    dataset: Text = "simulated:mmlu-pro"
    missing: Literal["error", "drop-items", "drop-models", "wrong"] = "drop-items"
    duplicates: Literal["drop", "keep"] = "drop"
    group: Text = "8b-instruct"
    battles: Text = "simulated"
    selectors: Names = SIX
    n_trials: Count = 50
    sizes: Counts = (10, 25, 50, 100, 250, 500, 1000)
    source_counts: Counts = (10, 50, 150)
    n_source: Count | None = None
    n_target: Count | None = None
    gap: Annotated[float, Meta(gt=0, le=100)] = 2.0
    threshold: Annotated[float, Meta(gt=0.5, le=1)] = 0.8
    rule: Literal["first", "sustained", "isotonic", "interpolated"] = "interpolated"
    seed: Annotated[int, Meta(ge=0)] = 0


NAMES = Parameters.__struct_fields__
_TEXTS = ("dataset", "missing", "duplicates", "group", "battles", "rule")


def parameters(values: Mapping[str, Any], **defaults: Any) -> Parameters:
    """Check the parameters of a chapter.

    Parameters
    ----------
    values : mapping
        By name; what is no parameter is passed over, so that a chapter may give ``globals()``.
        Text that stands for a number, a list or null is read as that: papermill's ``-p`` leaves
        lists and null as text.
    **defaults
        Where the chapter's default is not the book's.

    Raises
    ------
    InputError
        If a value is not allowed; the sentence names it and says what is.
    """
    given = {name: _as_meant(name, values[name]) for name in NAMES if name in values}
    for name, value in given.items():
        check_value(name, value)
    return msgspec.convert({**defaults, **given}, Parameters, strict=False)


def check_value(name: str, value: Any) -> Any:
    """One parameter's value, read as meant; raises as `parameters` does."""
    if name not in NAMES:
        raise InputError(f"there is no parameter '{name}'; there are {', '.join(NAMES)}.")
    meant = _as_meant(name, value)
    try:
        if isinstance(meant, bool):
            raise msgspec.ValidationError("Expected a value, got `bool`")
        read = getattr(msgspec.convert({name: meant}, Parameters, strict=False), name)
    except msgspec.ValidationError as error:
        allowed = str(error).split(" - at ")[0].replace("`", "")
        raise InputError(f"{name} is {value!r}, which is not possible: {allowed}.") from None
    if isinstance(read, tuple) and len(set(read)) < len(read):
        raise InputError(f"{name} is {value!r}, which holds a value twice.")
    return read


def changed(given: Parameters, **defaults: Any) -> dict[str, Any]:
    """Those that are not the default ones, by name."""
    usual = msgspec.convert(defaults, Parameters, strict=False)
    return {
        name: getattr(given, name) for name in NAMES if getattr(given, name) != getattr(usual, name)
    }


def _as_meant(name: str, value: Any) -> Any:
    if isinstance(value, str) and name not in _TEXTS:
        try:
            return json.loads(value)
        except ValueError:
            return value
    return value


def told(values: Mapping[str, Any]) -> str:
    """Parameters in words, for the line at the top of a page: “n_trials = 10, seed = 3”."""

    def one(value: Any) -> str:
        listed = isinstance(value, (tuple, list))
        return "[" + ", ".join(map(str, value)) + "]" if listed else str(value)

    return ", ".join(
        f"<code>{name} = {html.escape(one(value))}</code>" for name, value in values.items()
    )
