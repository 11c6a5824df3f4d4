"""Puts the answers that readers found together into one response matrix; opens no file."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from mbnb.data.errors import InputError
from mbnb.data.folder import clean_ids
from mbnb.data.responses import MISSING, ResponseMatrix
from mbnb.logs.answers import Answers, ReadReport
from mbnb.logs.checks import (
    check_density,
    check_how,
    check_id,
    check_measures,
    check_versions,
    doubtful_models,
    verified_note,
)
from mbnb.logs.grid import Grid, Part, choose_runs
from mbnb.logs.metrics import with_threshold
from mbnb.logs.options import ReadOptions
from mbnb.logs.values import as_message

OTHER_RUN = "row of a run that was not chosen"
NOT_SHARED = "item that not every model holds (how=inner)"


@dataclass
class _Task:
    """The items of one task, numbered as they turn up."""

    codes: dict[str, int] = field(default_factory=dict)

    def number(self, ids: Sequence[str]) -> np.ndarray:
        codes = self.codes
        return np.fromiter((codes.setdefault(i, len(codes)) for i in ids), np.int64, len(ids))


def assemble(
    parts: Iterable[Answers],
    options: ReadOptions,
    *,
    format: str,
    n_files: int,
    ignored: dict[str, int] | None = None,
    name: str = "unnamed",
) -> tuple[ResponseMatrix, ReadReport]:
    """Put answers together.

    Models stand in the order of their ids, items in that of task and id (numbers by value), so
    that the order of files and rows changes nothing.

    Raises
    ------
    InputError
        If a model answers an item twice, one id has two contents, models hold different items
        and the choice is "strict", versions of a task differ and that was not accepted, a score
        is outside 0 to 1, or nothing is left.
    """
    tasks: dict[str, _Task] = {}
    kept: list[Part] = []
    for answers in parts:
        codes = tasks.setdefault(answers.task, _Task()).number(answers.ids).astype(np.int32)
        contents = None
        if answers.contents is not None:
            # Two fingerprints in a hundred million rows meet by chance about once in 4,000 years.
            contents = np.array([_digest(text) for text in answers.contents], dtype=np.uint64)
        short = bool(answers.expected and len(answers.ids) < answers.expected)
        leading = short and set(answers.ids) == {str(k) for k in range(len(answers.ids))}
        kept.append(Part(_lean(answers), codes, contents, leading))
    kept.sort(key=lambda part: (part.answers.model, part.answers.task, part.answers.source))
    notes: list[str] = []
    dropped: Counter[str] = Counter()
    for part in kept:
        dropped.update(part.answers.dropped)
    chosen, run_notes = choose_runs(kept, options.run)
    dropped[OTHER_RUN] += sum(_n_rows(p) for p in kept) - sum(_n_rows(p) for p in chosen)
    notes += run_notes
    notes += sorted({note for part in chosen for note in part.answers.notes})
    if not any(len(part.codes) for part in chosen):
        raise InputError(f"there is no answer in what was read as {format}.")
    check_measures(chosen)
    notes += verified_note(chosen) if options.verify else []
    notes += check_versions(chosen, options.mixed_versions)

    names, column, item_notes = _columns(tasks)
    given = sorted({part.answers.model for part in chosen})
    models, model_notes = clean_ids(given, "model")
    notes += model_notes + item_notes
    check_density(len(models), len(names), chosen)
    grid = Grid.empty(len(models), len(names))
    row = {model: position for position, model in enumerate(given)}
    ids = _item_ids(names)
    for part in chosen:
        grid.put(part, row[part.answers.model], column[part.answers.task], ids)

    used, agreed = np.asarray(grid.held.any(axis=0)), np.asarray(grid.held.all(axis=0))
    if not agreed[used].all():
        where = np.flatnonzero(used)
        place = [(names[i][0], grid.subtasks[i] or names[i][0]) for i in where]
        held = grid.held[:, used]
        notes += check_how(options.how, held, models, [ids[i] for i in where], place)
    stay = agreed if options.how == "inner" else used
    dropped[NOT_SHARED] += int(grid.rows[:, ~stay].sum())
    matrix, more = _matrix(grid, stay, models, names, ids, options, name)
    notes += more
    table = _models_table(matrix)
    notes += doubtful_models(table)
    report = ReadReport(
        format=format,
        n_files=n_files,
        n_read=sum(part.answers.n_read for part in kept),
        n_kept=int(grid.rows[:, stay].sum()),
        dropped={reason: n for reason, n in sorted(dropped.items()) if n},
        ignored=dict(sorted((ignored or {}).items())),
        n_missing=matrix.n_missing,
        models=table,
        tasks=_tasks_table(matrix),
        notes=tuple(as_message(note) for note in notes),
    )
    assert report.n_read == report.n_kept + sum(report.dropped.values())
    return matrix, report


def _columns(
    tasks: dict[str, _Task],
) -> tuple[list[tuple[str, str]], dict[str, np.ndarray], list[str]]:
    """Task and cleaned id of each item in order, the place of each task's items, and notes."""
    placed, notes = [], []
    for task, found in tasks.items():
        for item in found.codes:
            check_id(item, "item")
        cleaned, told = clean_ids(list(found.codes), "item")
        notes += [f"{task}: {note}" if task else note for note in told]
        placed += [(task, item, code) for code, item in enumerate(cleaned)]
    placed.sort(key=lambda item: (_natural(item[0]), _natural(item[1])))
    column = {task: np.empty(len(found.codes), np.int64) for task, found in tasks.items()}
    for position, (task, _, code) in enumerate(placed):
        column[task][code] = position
    return [(task, item) for task, item, _ in placed], column, notes


def _matrix(
    grid: Grid,
    stay: np.ndarray,
    models: list[str],
    names: list[tuple[str, str]],
    ids: list[str],
    options: ReadOptions,
    name: str,
) -> tuple[ResponseMatrix, list[str]]:
    notes = []
    scores = grid.scores[:, stay]
    if not scores.size:
        raise InputError(f"{name}: no item is left that every model holds; try how=outer.")
    if options.binarise is not None:
        graded = ~(np.isnan(scores) | (scores == 0) | (scores == 1))
        scores = np.where(np.isnan(scores), scores, scores >= options.binarise).astype(np.float32)
        grid.metric = np.array(
            [with_threshold(label, options.binarise) for label in grid.metric], dtype=object
        )
        notes.append(f"{int(graded.sum()):,} graded scores became 0 or 1 at {options.binarise:g}.")
    missing = np.isnan(scores)
    if ((scores == 0) | (scores == 1) | missing).all():
        scores = np.where(missing, MISSING, scores).astype(np.uint8)
    confidences: np.ndarray | None = grid.confidences[:, stay]
    assert confidences is not None
    confidences[missing] = np.nan
    lacking = np.isnan(confidences) & ~missing
    if lacking.all() or lacking.sum() == (~missing).sum():
        confidences = None
    elif lacking.any():
        at = np.argwhere(lacking)[0]
        notes.append(
            f"Confidences were left out: {int(lacking.sum()):,} answers with a score have none "
            f"(first: model '{models[at[0]]}', item '{np.array(ids, object)[stay][at[1]]}')."
        )
        confidences = None
    table = pd.DataFrame(
        {
            "subtask": np.where(grid.subtasks == "", [task for task, _ in names], grid.subtasks),
            "task": [task for task, _ in names],
            "doc_id": [item for _, item in names],
            "metric": grid.metric,
            "filter": grid.filter,
            "content": [f"{int(c):016x}" if c else "" for c in grid.contents],
            "n_options": grid.n_options,
        },
        index=pd.Index(ids, name="item_id"),
    )
    table = table[stay]
    empty = [c for c in ("filter", "content", "n_options") if not table[c].astype(bool).any()]
    table = table.drop(columns=empty)
    listed = pd.DataFrame(index=pd.Index(models, name="model_id"))
    return ResponseMatrix(scores, listed, table, confidences, name=name), notes


def _lean(answers: Answers) -> Answers:
    """The same without the lists of text, which live on as codes."""
    slim: Answers = object.__new__(Answers)
    for key, value in vars(answers).items():
        object.__setattr__(slim, key, value)
    object.__setattr__(slim, "ids", ())
    object.__setattr__(slim, "contents", None)
    return slim


def _n_rows(part: Part) -> int:
    rows = part.answers.rows
    return len(part.codes) if rows is None else int(rows.sum())


def _digest(text: str) -> int:
    return int(text[:16], 16) if text else 0


def _natural(text: str) -> tuple[tuple[int, int, str], ...]:
    """Sort key by which 2 comes before 10."""
    pieces = re.split(r"([0-9]+)", text)
    # Piece by piece numbers and words alternate, so that only like is compared with like.
    return tuple((1, int(p), p) if k % 2 else (0, 0, p) for k, p in enumerate(pieces))


def _item_ids(names: list[tuple[str, str]]) -> list[str]:
    """One id for each item: task/doc id, or the doc id alone where that starts with the task."""
    ids = [
        item if not task or item.startswith(f"{task}/") else f"{task}/{item}"
        for task, item in names
    ]
    for text in ids:
        check_id(text, "item")
    return ids


def _models_table(matrix: ResponseMatrix) -> pd.DataFrame:
    values = matrix.scores.astype(np.float32)
    values[matrix.missing] = np.nan
    answered = ~matrix.missing
    with np.errstate(invalid="ignore"):
        whole = np.nansum(values, axis=1, dtype=np.float64) / answered.sum(axis=1)
        codes = matrix.subtask_codes
        means = []
        for code in range(len(matrix.subtasks)):
            part = codes == code
            total = np.nansum(values[:, part], axis=1, dtype=np.float64)
            means.append(total / answered[:, part].sum(axis=1))
    return pd.DataFrame(
        {
            "model": matrix.model_ids,
            "answers": answered.sum(axis=1),
            "missing": matrix.missing.sum(axis=1),
            "accuracy": 100 * whole,
            "by_subtask": 100 * np.mean(means, axis=0),
        }
    )


def _tasks_table(matrix: ResponseMatrix) -> pd.DataFrame:
    items = matrix.items
    filters = items["filter"] if "filter" in items else pd.Series("", index=items.index)
    table = items.assign(filter=filters).groupby("task", sort=False)
    return table.agg(
        items=("task", "size"), metric=("metric", "first"), filter=("filter", "first")
    )[["items", "metric", "filter"]].reset_index()
