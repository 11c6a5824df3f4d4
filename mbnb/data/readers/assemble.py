"""Puts the answers that readers found together into one response matrix; opens no file."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from mbnb.data.readers.answers import Answers, ReadReport
from mbnb.data.readers.metrics import with_threshold
from mbnb.data.readers.options import ReadOptions
from mbnb.data.readers.runs import choose_runs
from mbnb.data.readers.values import printable, shortened
from mbnb.data.responses import MISSING, ResponseMatrix
from mbnb.errors import InputError

OTHER_RUN = "row of a run that was not chosen"
NOT_SHARED = "item that not every model holds (how=inner)"


@dataclass
class Part:
    """Answers of one file, their ids as codes of the task's items."""

    answers: Answers
    codes: np.ndarray
    contents: np.ndarray | None


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
        codes = tasks.setdefault(answers.task, _Task()).number(answers.ids)
        contents = None
        if answers.contents is not None:
            # Two fingerprints in a hundred million rows meet by chance about once in 4,000 years.
            contents = np.array([_digest(text) for text in answers.contents], dtype=np.uint64)
        kept.append(Part(_lean(answers), codes, contents))
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
    _check_measures(chosen)
    notes += _verified(chosen) if options.verify else []
    notes += _check_versions(chosen, options.mixed_versions)

    names = [(task, item) for task in sorted(tasks, key=_natural) for item in tasks[task].codes]
    names.sort(key=lambda pair: (_natural(pair[0]), _natural(pair[1])))
    column = {task: np.full(len(found.codes), -1, np.int64) for task, found in tasks.items()}
    for position, (task, item) in enumerate(names):
        column[task][tasks[task].codes[item]] = position
    models = sorted({part.answers.model for part in chosen})
    grid = _Grid.empty(len(models), len(names))
    row = {model: position for position, model in enumerate(models)}
    ids = _item_ids(names)
    for part in chosen:
        grid.put(part, row[part.answers.model], column[part.answers.task], ids)

    used, agreed = np.asarray(grid.held.any(axis=0)), np.asarray(grid.held.all(axis=0))
    if not agreed[used].all():
        _check_how(options.how, grid.held[:, used], models, [ids[i] for i in np.flatnonzero(used)])
    stay = agreed if options.how == "inner" else used
    dropped[NOT_SHARED] += int(grid.rows[:, ~stay].sum())
    matrix, more = _matrix(grid, stay, models, names, ids, options, name)
    notes += more
    table = _models_table(matrix)
    notes += _doubtful(table)
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
        notes=tuple(printable(note) for note in notes),
    )
    assert report.n_read == report.n_kept + sum(report.dropped.values())
    return matrix, report


@dataclass
class _Grid:
    """Models × items while it is filled."""

    scores: np.ndarray
    confidences: np.ndarray
    rows: np.ndarray
    held: np.ndarray
    contents: np.ndarray
    subtasks: np.ndarray
    n_options: np.ndarray
    metric: np.ndarray
    filter: np.ndarray
    fingerprints: np.ndarray
    first: np.ndarray

    @classmethod
    def empty(cls, n_models: int, n_items: int) -> _Grid:
        shape = (n_models, n_items)
        return cls(
            scores=np.full(shape, np.nan, np.float32),
            confidences=np.full(shape, np.nan, np.float32),
            rows=np.zeros(shape, np.int32),
            held=np.zeros(shape, bool),
            contents=np.zeros(n_items, np.uint64),
            subtasks=np.full(n_items, "", object),
            n_options=np.zeros(n_items, np.int64),
            metric=np.full(n_items, "", object),
            filter=np.full(n_items, "", object),
            fingerprints=np.full(n_items, "", object),
            first=np.full(n_items, "", object),
        )

    def put(self, part: Part, row: int, column: np.ndarray, ids: list[str]) -> None:
        """Enter the answers of one file.

        Raises
        ------
        InputError
            If an item has an answer already, or another content, subtask or number of options.
        """
        answers, columns = part.answers, column[part.codes]
        twice = self.held[row, columns]
        order = np.argsort(columns, kind="stable")
        again = np.flatnonzero(columns[order][1:] == columns[order][:-1])
        if twice.any() or again.size:
            at = int(np.flatnonzero(twice)[0]) if twice.any() else int(order[again[0] + 1])
            model, item = shortened(answers.model), shortened(ids[columns[at]])
            raise InputError(
                f"model '{model}' answers item '{item}' more than once (again in "
                f"{answers.place(at)}); a model has one answer to an item."
            )
        _check_range(answers, columns, ids)
        self.scores[row, columns] = answers.scores
        if answers.confidences is not None:
            self.confidences[row, columns] = answers.confidences
        self.rows[row, columns] = 1 if answers.rows is None else answers.rows
        self.held[row, columns] = True
        if part.contents is not None:
            self._same(self.contents, columns, part.contents, np.uint64(0), part, ids, "documents")
        if answers.subtasks is not None:
            named = np.array(answers.subtasks, dtype=object)
            self._same(self.subtasks, columns, named, "", part, ids, "subtasks")
        if answers.n_options is not None:
            self._same(self.n_options, columns, answers.n_options, 0, part, ids, "sets of options")
        self.metric[columns] = answers.metric
        self.filter[columns] = answers.filter
        empty = self.first[columns] == ""
        self.first[columns[empty]] = answers.source

    def _same(
        self,
        known: np.ndarray,
        columns: np.ndarray,
        given: np.ndarray,
        unknown: object,
        part: Part,
        ids: list[str],
        what: str,
    ) -> None:
        before = known[columns]
        unlike = (before != unknown) & (given != unknown) & (before != given)
        if unlike.any():
            at = int(np.flatnonzero(unlike)[0])
            model, item = shortened(part.answers.model), shortened(ids[columns[at]])
            raise InputError(
                f"item '{item}' has two different {what}: one in {self.first[columns[at]]}, "
                f"another for model '{model}' in {part.answers.place(at)} "
                f"({int(unlike.sum())} items of that file differ so); the same id must mean the "
                "same item for all models."
            )
        new = given != unknown
        known[columns[new]] = given[new]


def _matrix(
    grid: _Grid,
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
        _check_id(text, "item")
    return ids


def _check_id(text: str, what: str) -> None:
    if not text.isprintable():
        raise InputError(
            f"{what} id '{shortened(text)}' holds a character that cannot be printed, such as "
            "a line break or half of a surrogate pair; allowed is any printable text."
        )


def _check_range(answers: Answers, columns: np.ndarray, ids: list[str]) -> None:
    for what, values in (("score", answers.scores), ("confidence", answers.confidences)):
        if values is None:
            continue
        bad = ~(np.isnan(values) | ((values >= 0) & (values <= 1)))
        if bad.any():
            at = int(np.flatnonzero(bad)[0])
            hint = (
                "a confidence is the probability given to the right answer: turn log-likelihoods "
                "or losses into probabilities first (mbnb.option_probabilities)"
                if what == "confidence"
                else "allowed is 0 to 1: choose another metric, or scale this one first"
            )
            item = shortened(ids[columns[at]])
            raise InputError(
                f"{answers.place(at)}: {what} {values[at]:g} of item '{item}' is out of "
                f"range ({int(bad.sum())} in that file); {hint}."
            )


def _check_measures(parts: list[Part]) -> None:
    """One task is read by one metric and filter for all models."""
    seen: dict[str, Answers] = {}
    for part in parts:
        answers = part.answers
        _check_id(answers.model, "model")
        first = seen.setdefault(answers.task, answers)
        for what, here, there in (
            ("metric", answers.metric, first.metric),
            ("filter", answers.filter, first.filter),
        ):
            if here != there:
                raise InputError(
                    f"task '{answers.task}' is judged by {what} '{there}' in {first.source} and "
                    f"by '{here}' in {answers.source}; name one {what} for all models."
                )


def _check_versions(parts: list[Part], accepted: bool) -> list[str]:
    """Models that were judged by different versions of a task, as an error or a note."""
    found: dict[tuple[str, str], dict[str, set[str]]] = {}
    for part in parts:
        for what, version in part.answers.versions.items():
            task = part.answers.task if what == "task" else ""
            found.setdefault((what, task), {}).setdefault(version, set()).add(part.answers.model)
    notes = []
    for (what, task), versions in sorted(found.items()):
        if len(versions) < 2:
            continue
        listed = "; ".join(
            f"version {version}: {len(models)} models, such as '{min(models)}'"
            for version, models in sorted(versions.items())
        )
        label = f"task '{task}'" if what == "task" else what
        if what == "task" and not accepted:
            raise InputError(
                f"models were judged by different versions of {label} ({listed}), so their "
                "prompts and scores may not compare; leave some out, or accept it by name "
                "(mixed versions)."
            )
        notes.append(f"Different versions of {label}: {listed}.")
    return notes


def _verified(parts: list[Part]) -> list[str]:
    counts = np.array([part.answers.verified for part in parts])
    n_rows, n_unlike = map(int, counts.sum(axis=0))
    note = (
        "Accuracies recomputed from log-likelihoods differ from the logged ones in "
        f"{n_unlike:,} of {n_rows:,} rows"
    )
    if n_unlike:
        worst = parts[int(counts[:, 1].argmax())].answers
        note += f" (most of them, {int(counts[:, 1].max()):,}, in {worst.source})"
    return [f"{note}."]


def _doubtful(models: pd.DataFrame) -> list[str]:
    """Models whose answers look as if something went wrong before they were logged."""
    nothing = models[models["accuracy"] == 0]["model"]
    empty = models[models["answers"] == 0]["model"]
    notes = []
    for found, what in (
        (nothing, "have no correct answer at all: was their answer extracted?"),
        (empty, "have no answer at all."),
    ):
        if len(found):
            notes.append(f"{len(found):,} models (such as '{found.iloc[0]}') {what}")
    return notes


def _check_how(how: str, held: np.ndarray, models: list[str], ids: list[str]) -> None:
    if how != "strict":
        return
    lacking = ~held
    row = int(lacking.any(axis=1).argmax())
    column = int(lacking[row].argmax())
    n_shared = int(held.all(axis=0).sum())
    n_here = int(held[row].sum())
    prefix = (
        " (it holds the first ones only, as a run with a limit does)"
        if 0 < n_here < len(ids) and held[row][:n_here].all()
        else ""
    )
    raise InputError(
        f"models hold different items: '{shortened(models[row])}' holds {n_here:,} of {len(ids):,}"
        f"{prefix} and lacks '{shortened(ids[column])}', and {int(lacking.any(axis=1).sum()):,} of "
        f"{len(models):,} models lack one; choose how=inner (the {n_shared:,} items that all "
        f"hold), how=outer (all {len(ids):,}, missing where a model lacks one), or leave such "
        "models out."
    )


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
