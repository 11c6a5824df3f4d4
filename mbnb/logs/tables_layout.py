"""What a table's column names say of it: long or wide, and which column is which; reads no cell."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from mbnb.data.errors import InputError
from mbnb.logs.options import ReadOptions
from mbnb.logs.values import shortened

# Names by which a column is known, in any case; whatever else there is has no meaning here.
_NAMES = {
    "model": ("model", "model_id"),
    "item": ("item", "item_id", "example_id"),
    "score": ("score", "pass1"),
    "task": ("task", "benchmark_id"),
    "subtask": ("subtask",),
    "confidence": ("confidence",),
    "content": ("content",),
}
_MEANING = {name: meaning for meaning, names in _NAMES.items() for name in names}
# Names of a score where it is the only column left; beside others it could be one metric of many.
_LIKE_SCORES = ("correct", "is_correct", "acc", "exact_match")

_SUMMARIES = {"overall", "average", "avg", "mean", "total", "totals", "sum", "macro", "micro"}
_SUMMARIES |= {"median", "std", "stdev", "stddev"}
_BESIDE = {"score", "scores", "accuracy", "acc", "f1", "weighted", "dev", "deviation"}
# What pandas calls an index without a name, in Parquet.
_INDEX = re.compile(r"__index_level_\d+__")

ANSWERS, MODELS, ITEMS = "answers", "models", "items"


@dataclass(frozen=True)
class Layout:
    """How a table holds its answers.

    Attributes
    ----------
    names : tuple of str
        All columns, in their order.
    rows : str
        What each row is: `ANSWERS` (a long table), `MODELS` or `ITEMS` (wide ones).
    texts : dict of str to str
        From a meaning (model, item, task, subtask, content) to the column that has it.
    numbers : tuple of str
        In a long table the score and, if there is one, the confidence; in a wide table the columns
        that hold scores, each named by its item or model.
    metric : str
    notes : tuple of str
    """

    names: tuple[str, ...]
    rows: str
    texts: dict[str, str]
    numbers: tuple[str, ...]
    metric: str = "score"
    notes: tuple[str, ...] = ()


def meaning_of(name: str) -> str | None:
    """What a column's name says it is, if anything."""
    return _MEANING.get(name.strip().lower())


def is_summary(name: str) -> bool:
    """Whether an id is the name of a summary, such as "Average" or "score_mean"."""
    words = set(re.split(r"[\s_-]+", name.strip().lower()))
    return words <= _SUMMARIES | _BESIDE and not words.isdisjoint(_SUMMARIES)


def summary_sentence(place: str, name: str, meaning: str) -> str:
    return (
        f"{place}: '{shortened(name)}' names a summary and would count as one of the {meaning}s; "
        "take it out of the table, or give it another name if it is one."
    )


def layout_of(
    names: Sequence[str], where: str, options: ReadOptions, *, any_place: bool = False
) -> Layout:
    """The layout of a table; it is never guessed.

    Parameters
    ----------
    names : sequence of str
        Its columns.
    where : str
        The file, for messages.
    options : ReadOptions
        ``metric`` may name the column that is the score.
    any_place : bool
        Whether a wide table's column of ids may stand anywhere, and not only first.

    Raises
    ------
    InputError
        If names stand twice or are empty, or do not tell what the table holds.
    """
    for place, name in enumerate(names, start=1):
        if not name.strip():
            raise InputError(
                f"{where}: column {place} has no name; name every column, and leave out row "
                "numbers (in pandas: index=False) and columns that hold nothing."
            )
    seen: set[str] = set()
    for place, name in enumerate(names, start=1):
        if name in seen:
            raise InputError(
                f"{where}: column {place} is named '{shortened(name)}', as one before it is; "
                "every column needs a name of its own."
            )
        seen.add(name)
    if options.metric is not None and not isinstance(options.metric, str):
        raise InputError(
            f"{where} is a table, and a metric for each task means nothing there; name the one "
            "column that is the score."
        )
    found: dict[str, list[str]] = {}
    for name in names:
        meaning = meaning_of(name)
        if meaning:
            found.setdefault(meaning, []).append(name)
    # In a wide table such names may be those of items or models, except for the ids' own.
    if "model" in found and "item" in found:
        return _long(names, found, where, options.metric)
    ids = found.get("model") or found.get("item") or []
    if ids and (any_place or names[0] in ids):
        return _wide(names, found, where, options.metric)
    raise InputError(
        f"{where} does not tell what it holds: name the columns of a long table model, item and "
        "score, or the first column of a wide one 'model' (each row is a model, each further "
        "column an item) or 'item' (each row is an item, each further column a model); its columns "
        f"are {_listed(names)}."
    )


def _long(
    names: Sequence[str], found: dict[str, list[str]], where: str, metric: str | None
) -> Layout:
    known = {name for meaning, given in found.items() if meaning != "score" for name in given}
    others = [name for name in names if name not in known]
    notes = []
    if metric is not None:
        alike = [name for name in others if name.strip().lower() == metric.strip().lower()]
        if metric not in others and len(alike) != 1:
            raise InputError(f"{where} has no metric '{metric}'; it has {_listed(others)}.")
        score = metric if metric in others else alike[0]
    elif "score" in found:
        score = _only(found["score"], where)
    elif len(others) == 1 and others[0].strip().lower() in _LIKE_SCORES:
        score = others[0]
        notes.append(
            f"Tables without a column 'score': the score is '{shortened(score)}', the only column "
            "left."
        )
    else:
        raise InputError(
            f"{where} is a long table but has no column 'score'; of its further columns "
            f"({_listed(others)}) name the one that is the score (metric)."
        )
    columns = {m: _only(given, where) for m, given in found.items() if m != "score"}
    numbers = [score, *([columns.pop("confidence")] if "confidence" in columns else [])]
    label = score.strip().lower() if meaning_of(score) == "score" else score.strip()
    notes += _ignored(names, [*columns.values(), *numbers])
    return Layout(tuple(names), ANSWERS, columns, tuple(numbers), label, tuple(notes))


def _wide(
    names: Sequence[str], found: dict[str, list[str]], where: str, metric: str | None
) -> Layout:
    row, column = ("model", "item") if "model" in found else ("item", "model")
    columns = {row: _only(found[row], where)}
    for meaning in ("task", "subtask", "content"):
        if row == "item" and meaning in found:
            columns[meaning] = _only(found[meaning], where)
    cells = [n for n in names if n not in columns.values() and not _INDEX.fullmatch(n)]
    if not cells:
        raise InputError(f"{where} has a column of {row}s but none of a {column}'s scores.")
    for name in cells:
        if meaning_of(name) in ("score", "confidence") or name.strip().lower() in _LIKE_SCORES:
            raise InputError(
                f"{where} has the columns '{columns[row]}' and '{shortened(name)}' but none named "
                f"'{column}'; such a column belongs in a long table, which needs model, item and "
                "score."
            )
        if is_summary(name):
            raise InputError(summary_sentence(f"{where}, its first line", name, column))
    if metric not in (None, "score"):
        raise InputError(f"{where} has no metric '{metric}'; it has score, as wide tables do.")
    rows = MODELS if row == "model" else ITEMS
    notes = ["Wide tables: each cell counts as a row."]
    notes += _ignored(names, [*columns.values(), *cells])
    return Layout(tuple(names), rows, columns, tuple(cells), notes=tuple(notes))


def _ignored(names: Sequence[str], used: Sequence[str]) -> list[str]:
    ignored = sorted(set(names) - set(used), key=names.index)
    return [f"Columns of tables that are not read: {_listed(ignored)}."] if ignored else []


def _only(given: Sequence[str], where: str) -> str:
    if len(given) > 1:
        raise InputError(
            f"{where} has the columns '{given[0]}' and '{given[1]}', which mean the same; leave "
            "one of them out."
        )
    return given[0]


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(shortened(name) for name in names[:20])
    return f"{shown} and {len(names) - 20} more" if len(names) > 20 else shown or "none"
