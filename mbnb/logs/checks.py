"""Whether answers of many files may stand in one matrix, and what to doubt where they do."""

from __future__ import annotations

import numpy as np
import pandas as pd

from mbnb.data.errors import InputError
from mbnb.logs.answers import Answers
from mbnb.logs.grid import Part
from mbnb.logs.values import shortened

# A matrix with more cells than this has to be filled to one in so many at least.
LONGEST_ID = 2_000
MANY_CELLS, THIN = 20_000_000, 50
# Versions that change what a task asks; that of the program is only told.
OF_TASKS = ("task", "shots")


def check_id(text: str, what: str) -> None:
    """Raise InputError if an id cannot be printed, or is no id by its length."""
    if not text.isprintable():
        raise InputError(
            f"{what} id '{shortened(text)}' holds a character that cannot be printed, such as a "
            "line break or half of a surrogate pair; allowed is any printable text."
        )
    if len(text) > LONGEST_ID:
        raise InputError(
            f"{what} id '{shortened(text)}' has {len(text):,} characters; allowed are up to "
            f"{LONGEST_ID:,}."
        )


def check_density(n_models: int, n_items: int, parts: list[Part]) -> None:
    """Refuse a matrix that would take memory out of all proportion to its answers."""
    answers = sum(len(part.codes) for part in parts)
    if n_models * n_items > max(MANY_CELLS, answers * THIN):
        raise InputError(
            f"{answers:,} answers of {n_models:,} models to {n_items:,} items fill less than one "
            f"cell in {THIN} of the matrix; ids that models do not share are probably no item ids."
        )


def check_measures(parts: list[Part]) -> None:
    """One task is read by one metric and filter for all models."""
    seen: dict[str, Answers] = {}
    for part in parts:
        answers = part.answers
        check_id(answers.model, "model")
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


def check_versions(parts: list[Part], accepted: bool) -> list[str]:
    """Models that were judged by different versions of a task, as an error or a note."""
    found: dict[tuple[str, str], dict[str, set[str]]] = {}
    for part in parts:
        for what, version in part.answers.versions.items():
            task = part.answers.task if what in OF_TASKS else ""
            found.setdefault((what, task), {}).setdefault(version, set()).add(part.answers.model)
    notes = []
    for (what, task), versions in sorted(found.items()):
        if len(versions) < 2:
            continue
        listed = "; ".join(
            f"version {version}: {len(models)} models, such as '{min(models)}'"
            for version, models in sorted(versions.items())
        )
        label = f"task '{task}'" if what in OF_TASKS else what
        if what in OF_TASKS and not accepted:
            raise InputError(
                f"models were judged by different versions of {label} ({listed}), so their "
                "prompts and scores may not compare; leave some out, or accept it by name "
                "(mixed_versions)."
            )
        notes.append(f"Different versions of {label}: {listed}.")
    return notes


def check_how(
    how: str,
    held: np.ndarray,
    models: list[str],
    ids: list[str],
    place: list[tuple[str, str]],
) -> list[str]:
    """Models that hold different items, as an error or as notes.

    Parameters
    ----------
    how : {"strict", "inner", "outer"}
    held : ndarray of bool, shape (n_models, n_items)
        Items in the order of tasks and ids; each is held by a model at least.
    models, ids : list of str
    place : list of (str, str), length n_items
        Task and subtask of each item.
    """
    limited = _first_only(held, [task for task, _ in place])
    if how != "strict":
        return _of_different_items(how, held, models, place, limited)
    lacking = ~held
    row = int(lacking.any(axis=1).argmax())
    column = int(lacking[row].argmax())
    n_shared = int(held.all(axis=0).sum())
    n_here = int(held[row].sum())
    prefix = " (it holds the first ones only, as a run with a limit does)" if limited[row] else ""
    raise InputError(
        f"models hold different items: '{shortened(models[row])}' holds {n_here:,} of {len(ids):,}"
        f"{prefix} and lacks '{shortened(ids[column])}', and {int(lacking.any(axis=1).sum()):,} of "
        f"{len(models):,} models lack one; choose how=inner (the {n_shared:,} items that all "
        f"hold), how=outer (all {len(ids):,}, missing where a model lacks one), or leave such "
        "models out."
    )


def _first_only(held: np.ndarray, tasks: list[str]) -> np.ndarray:
    """Models that lack items and hold the first ones only of each task that they lack some of."""
    partial = np.zeros(len(held), dtype=bool)
    leading = np.ones(len(held), dtype=bool)
    of_task = np.array(tasks, dtype=object)
    for task in dict.fromkeys(tasks):
        here = held[:, of_task == task]
        n_here = here.sum(axis=1)
        some = (n_here > 0) & (n_here < here.shape[1])
        partial |= some
        first = np.arange(here.shape[1]) < n_here[:, None]
        leading &= ~some | (here == first).all(axis=1)
    return np.asarray(partial & leading)


def _of_different_items(
    how: str,
    held: np.ndarray,
    models: list[str],
    place: list[tuple[str, str]],
    limited: np.ndarray,
) -> list[str]:
    """What to know of a matrix of models that hold different items."""
    notes = []
    if limited.any():
        first = shortened(models[int(limited.argmax())])
        what = "so the items that are left are" if how == "inner" else "and these are"
        notes.append(
            f"{int(limited.sum()):,} models (such as '{first}') hold the first items of a task "
            f"only, as a run with a limit does, {what} no random sample of the benchmark."
        )
    if how == "inner":
        shared = np.asarray(held.all(axis=0))
        left = {subtask for (_, subtask), stays in zip(place, shared, strict=True) if stays}
        gone = list(dict.fromkeys(subtask for _, subtask in place if subtask not in left))
        if gone and left:
            notes.append(
                f"{len(gone):,} subtasks (such as '{shortened(gone[0])}') have no item that every "
                "model holds, so they are left out."
            )
    return notes


def verified_note(parts: list[Part]) -> list[str]:
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


def doubtful_models(models: pd.DataFrame) -> list[str]:
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
