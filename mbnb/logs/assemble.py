"""Puts the answers that readers found together into one response matrix; opens no file."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

import numpy as np
import pandas as pd

from mbnb.data.errors import InputError
from mbnb.data.responses import MISSING, ResponseMatrix
from mbnb.logs.answers import Answers, ReadReport
from mbnb.logs.checks import (
    check_density,
    check_how,
    check_measures,
    check_versions,
    doubtful_models,
    verified_note,
)
from mbnb.logs.grid import Grid, Names
from mbnb.logs.metrics import with_threshold
from mbnb.logs.options import ReadOptions
from mbnb.logs.runs import choose_runs
from mbnb.logs.values import as_message

OTHER_RUN = "row of a run that was not chosen"
NOT_SHARED = "item that not every model holds (how=inner)"


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
    called = Names()
    kept = [called.part(answers) for answers in parts]
    kept.sort(key=lambda part: (part.answers.model, part.answers.task, part.answers.source))
    notes = called.note()
    dropped: Counter[str] = Counter()
    for part in kept:
        dropped.update(part.answers.dropped)
    chosen, run_notes = choose_runs(kept, options.run)
    dropped[OTHER_RUN] += sum(p.n_rows for p in kept) - sum(p.n_rows for p in chosen)
    notes += run_notes
    notes += sorted({note for part in chosen for note in part.answers.notes})
    if not any(len(part.codes) for part in chosen):
        raise InputError(f"there is no answer in what was read as {format}.")
    called.check_alike(chosen)
    check_measures(chosen)
    notes += verified_note(chosen) if options.verify else []
    notes += check_versions(chosen, options.mixed_versions)

    names = [(task, item) for task, codes in called.items.items() for item in codes]
    names.sort(key=lambda pair: (_natural(pair[0]), _natural(pair[1])))
    column = {task: np.empty(len(codes), np.int64) for task, codes in called.items.items()}
    for position, (task, item) in enumerate(names):
        column[task][called.items[task][item]] = position
    models = sorted({part.answers.model for part in chosen})
    check_density(len(models), len(names), chosen)
    # Task and id, or the id alone where that starts with the task.
    ids = [
        item if not task or item.startswith(f"{task}/") else f"{task}/{item}"
        for task, item in names
    ]
    grid = Grid(models, ids)
    row = {model: position for position, model in enumerate(models)}
    for part in chosen:
        grid.put(part, row[part.answers.model], column[part.answers.task][part.codes])

    used, agreed = np.asarray(grid.held.any(axis=0)), np.asarray(grid.held.all(axis=0))
    if not agreed[used].all():
        where = np.flatnonzero(used)
        place = [(names[i][0], grid.subtasks[i] or names[i][0]) for i in where]
        held = grid.held[:, used]
        notes += check_how(options.how, held, models, [ids[i] for i in where], place)
    stay = agreed if options.how == "inner" else used
    dropped[NOT_SHARED] += int(grid.rows[:, ~stay].sum())
    matrix, more = _matrix(grid, stay, names, options, name)
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


def _matrix(
    grid: Grid, stay: np.ndarray, names: list[tuple[str, str]], options: ReadOptions, name: str
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
            f"(first: model '{grid.models[at[0]]}', item '{np.array(grid.ids)[stay][at[1]]}')."
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
        index=pd.Index(grid.ids, name="item_id"),
    )
    table = table[stay]
    empty = [c for c in ("filter", "content", "n_options") if not table[c].astype(bool).any()]
    table = table.drop(columns=empty)
    listed = pd.DataFrame(index=pd.Index(grid.models, name="model_id"))
    return ResponseMatrix(scores, listed, table, confidences, name=name), notes


def _natural(text: str) -> tuple[tuple[int, int, str], ...]:
    """Sort key by which 2 comes before 10."""
    pieces = re.split(r"([0-9]+)", text)
    # Piece by piece numbers and words alternate, so that only like is compared with like.
    return tuple((1, int(p), p) if k % 2 else (0, 0, p) for k, p in enumerate(pieces))


def _models_table(matrix: ResponseMatrix) -> pd.DataFrame:
    values = pd.DataFrame(np.where(matrix.missing, np.nan, matrix.scores).T, dtype=float)
    by_subtask = values.groupby(matrix.subtask_codes).mean()
    return pd.DataFrame(
        {
            "model": matrix.model_ids,
            "answers": (~matrix.missing).sum(axis=1),
            "missing": matrix.missing.sum(axis=1),
            "accuracy": 100 * values.mean(),
            "by_subtask": 100 * by_subtask.mean(skipna=False),
        }
    )


def _tasks_table(matrix: ResponseMatrix) -> pd.DataFrame:
    items = matrix.items
    filters = items["filter"] if "filter" in items else pd.Series("", index=items.index)
    table = items.assign(filter=filters).groupby("task", sort=False)
    return table.agg(
        items=("task", "size"), metric=("metric", "first"), filter=("filter", "first")
    )[["items", "metric", "filter"]].reset_index()
