"""What a table's column names say of it: long or wide, and which column is which; reads no cell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from mbnb.data.errors import InputError
from mbnb.logs.options import ReadOptions
from mbnb.logs.tables_hints import (
    is_index,
    is_summary,
    renames,
    summary_sentence,
    unnamed_sentence,
)
from mbnb.logs.values import shortened

# Names by which a column is known, in any case; whatever else there is has no meaning here.
ALIASES = {
    "model": ("model", "model_id"),
    "item": ("item", "item_id", "example_id"),
    "score": ("score", "pass1"),
    "task": ("task", "benchmark_id"),
    "subtask": ("subtask",),
    "confidence": ("confidence",),
    "content": ("content",),
}
_MEANING = {name: meaning for meaning, names in ALIASES.items() for name in names}

LONG = "long"
MODEL_ROWS = "rows are models"
ITEM_ROWS = "rows are items"


@dataclass(frozen=True)
class Layout:
    """How a table holds its answers.

    Attributes
    ----------
    kind : str
        `LONG`, `MODEL_ROWS` or `ITEM_ROWS`.
    columns : dict of str to str
        From a meaning (a key of `ALIASES`) to the column's name.
    cells : tuple of str
        Wide tables: the columns that hold scores, each named by its item or model.
    ignored : tuple of str
        Columns that are not read.
    metric : str
        Long tables: the name of the score's column; "score" otherwise.
    """

    kind: str
    columns: dict[str, str]
    cells: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()
    metric: str = "score"
    positions: dict[str, int] = field(default_factory=dict)


def meaning_of(name: str) -> str | None:
    """What a column's name says it is, if anything."""
    return _MEANING.get(name.strip().lower())


def is_long(names: Sequence[str]) -> bool:
    """Whether columns are those of a long table."""
    return {"model", "item", "score"} <= {meaning_of(name) for name in names}


def layout_of(
    names: Sequence[str],
    where: str,
    options: ReadOptions,
    *,
    any_place: bool = False,
    first_cells: Sequence[str] = (),
) -> Layout:
    """The layout of a table.

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
    first_cells : sequence of str
        A few cells of the first column, for the message where it has no name.

    Raises
    ------
    InputError
        If names stand twice or are empty, or do not tell what the table holds: it is never
        guessed.
    """
    _check_names(names, where, first_cells)
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
    positions = {name: place for place, name in enumerate(names)}
    # In a wide table such names may be those of items or models, except for the ids' own.
    if "model" in found and "item" in found:
        return _long(names, found, where, options.metric, positions)
    ids = found.get("model") or found.get("item") or []
    if not ids or not (any_place or names[0] in ids):
        _check_near(names, found, where, any_place)
        raise InputError(
            f"{where} does not tell what it holds: name the first column 'model' (each row is a "
            "model, each further column an item) or 'item' (each row is an item, each further "
            "column a model), or give a long table with the columns model, item and score; its "
            f"first column is '{shortened(names[0])}'."
        )
    _only_one(ids, where)
    _check_cells(names, found, where)
    rows = "model" if "model" in found else "item"
    if "score" in found:
        other = "item" if rows == "model" else "model"
        raise InputError(
            f"{where} has the columns '{ids[0]}' and '{found['score'][0]}' but none named "
            f"'{other}'; a long table needs model, item and score."
        )
    if options.metric not in (None, "score"):
        raise InputError(
            f"{where} has no metric '{options.metric}'; it has score, since a wide table holds "
            "one number in a cell."
        )
    columns = {rows: ids[0]}
    if rows == "item":
        for meaning in ("task", "subtask", "content"):
            if meaning in found:
                _only_one(found[meaning], where)
                columns[meaning] = found[meaning][0]
        if "confidence" in found:
            raise InputError(
                f"{where} has a column '{found['confidence'][0]}', but a wide table holds scores "
                "only; give confidences in a long table (model, item, score, confidence)."
            )
    taken = set(columns.values())
    cells = tuple(name for name in names if name not in taken)
    if not cells:
        what = "item" if rows == "model" else "model"
        raise InputError(f"{where} has no column that is a{'n' * (what == 'item')} {what}.")
    other = "item" if rows == "model" else "model"
    for name in cells:
        if is_summary(name):
            what = f"column {positions[name] + 1} ('{shortened(name)}')"
            raise InputError(summary_sentence(where, what, other))
    kind = MODEL_ROWS if rows == "model" else ITEM_ROWS
    return Layout(kind, columns, cells, positions=positions)


def _long(
    names: Sequence[str],
    found: dict[str, list[str]],
    where: str,
    metric: str | None,
    positions: dict[str, int],
) -> Layout:
    known = {name for meaning, given in found.items() if meaning != "score" for name in given}
    others = [name for name in names if name not in known]
    if metric is not None:
        score = _named(metric, others)
        if score is None:
            raise InputError(
                f"{where} has no metric '{metric}'; it has {_listed(others) or 'none'}."
            )
    elif "score" in found:
        _only_one(found["score"], where)
        score = found["score"][0]
    else:
        raise InputError(
            f"{where} is a long table but has no column 'score'; of its further columns "
            f"({_listed(others) or 'none'}) name the one that is the score (metric)."
        )
    columns = {"score": score}
    for meaning, given in found.items():
        if meaning != "score":
            _only_one(given, where)
            columns[meaning] = given[0]
    ignored = tuple(name for name in others if name != score)
    label = score.strip()
    if meaning_of(score) == "score":
        label = label.lower()
    return Layout(LONG, columns, (), ignored, label, positions)


def _named(metric: str, names: Sequence[str]) -> str | None:
    """The column that a metric names, by its very name before one with other spaces or case."""

    def plain(name: str) -> str:
        return name.strip().lower()

    if metric in names:
        return metric
    alike = [name for name in names if plain(name) == plain(metric)]
    return alike[0] if len(alike) == 1 else None


def _check_near(
    names: Sequence[str], found: dict[str, list[str]], where: str, any_place: bool
) -> None:
    """A table whose columns only nearly bear the names that they need."""
    if any(is_index(name) for name in names):
        raise InputError(
            f"{where} has an index without a name; name it before the table is written (in pandas: "
            "df.index.name = 'model', or 'item' where each row is an item)."
        )
    first = names[0]
    if first.lstrip().startswith("#"):
        raise InputError(
            f"{where}: the first line starts with '#' ('{shortened(first)}'), and comments are not "
            "read; take them out, so that the first line names the columns."
        )
    missing = [meaning for meaning in ("model", "item") if meaning not in found]
    told = renames(names, missing)
    score = [] if "score" in found else renames(names, ["score"])
    if len(told) == len(missing) and (len(missing) == 2 or score or "score" in found):
        raise InputError(f"{where}: rename {_joined(told + score)}.")
    told = renames(names if any_place else names[:1], missing)
    if told:
        raise InputError(f"{where}: rename {told[0]}.")


def _check_cells(names: Sequence[str], found: dict[str, list[str]], where: str) -> None:
    """A wide table's cells must not be the columns of something else."""
    indexes = [name for name in names if is_index(name)]
    if indexes:
        raise InputError(
            f"{where} has an index without a name beside its column of ids ('{indexes[0]}'); write "
            "the table without it (in pandas: index=False)."
        )
    other = "item" if "model" in found else "model"
    needed = [meaning for meaning in (other, "score") if meaning not in found]
    told = renames(names, needed)
    if len(told) == len(needed):
        raise InputError(f"{where}: rename {_joined(told)}, as in a long table.")


def _joined(parts: Sequence[str]) -> str:
    return " and ".join([", ".join(parts[:-1])] * (len(parts) > 1) + [parts[-1]])


def _check_names(names: Sequence[str], where: str, first_cells: Sequence[str]) -> None:
    if not names:
        raise InputError(f"{where} has no columns.")
    for place, name in enumerate(names, start=1):
        if not name.strip():
            if place == 1:
                has_ids = any(meaning_of(other) in ("model", "item") for other in names)
                raise InputError(unnamed_sentence(where, first_cells, has_ids=has_ids))
            raise InputError(
                f"{where}: column {place} has no name; name every column, and leave out those that "
                "hold nothing."
            )
    if len(set(names)) < len(names):
        seen: set[str] = set()
        for place, name in enumerate(names, start=1):
            if name in seen:
                raise InputError(
                    f"{where}: column {place} is named '{shortened(name)}', as one before it is; "
                    "every column needs a name of its own."
                )
            seen.add(name)


def _only_one(given: Sequence[str], where: str) -> None:
    if len(given) > 1:
        raise InputError(
            f"{where} has the columns '{given[0]}' and '{given[1]}', which mean the same; leave "
            "one of them out."
        )


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(shortened(name) for name in names[:20])
    return f"{shown} and {len(names) - 20} more" if len(names) > 20 else shown
