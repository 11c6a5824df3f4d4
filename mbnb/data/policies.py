"""What happens to missing answers and to copies of models and items, by name; checks no matrix."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from mbnb.data.errors import InputError, check
from mbnb.data.responses import POLICIES, ResponseMatrix

# Below these, equal answers are no sign of a copy, see `duplicate_items`.
MODELS_FOR_COPIES = 100
RARER_FOR_COPIES = 10


@dataclass(frozen=True)
class Loss:
    """What a missing-answer policy took away or made up."""

    policy: str
    n_missing: int
    items: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    filled: int = 0

    def __str__(self) -> str:
        if not self.n_missing:
            return "No answer is missing."
        gone = {
            "drop-items": _counted(len(self.items), "item"),
            "drop-models": _counted(len(self.models), "model"),
        }.get(self.policy)
        done = "counted as wrong" if gone is None else f"{gone} with a missing answer left out"
        missing = _counted(self.n_missing, "missing answer")
        return f"{missing}: {done} (policy “{self.policy}”)."


def _counted(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def resolve_missing(matrix: ResponseMatrix, policy: str) -> tuple[ResponseMatrix, Loss]:
    """Make a matrix complete by a named policy.

    Parameters
    ----------
    matrix : ResponseMatrix
    policy : {"drop-items", "drop-models", "wrong", "error"}
        Leave out every item (or model) with a missing answer, count missing answers as wrong
        (score and confidence 0), or refuse.

    Returns
    -------
    (ResponseMatrix, Loss)
        The complete matrix and what was lost.

    Raises
    ------
    InputError
        If the policy is unknown, is "error" while answers are missing, or leaves nothing.
    """
    check(policy in POLICIES, "the policy for missing answers", policy, POLICIES)
    if not matrix.n_missing:
        return matrix, Loss(policy, 0)
    missing = matrix.missing
    if policy == "error":
        matrix.require_complete()
    if policy == "wrong":
        scores = np.where(missing, 0, matrix.scores).astype(matrix.scores.dtype)
        confidences = matrix.confidences
        if confidences is not None:
            confidences = np.where(missing, 0, confidences).astype(np.float32)
        filled = replace(matrix, scores=scores, confidences=confidences)
        return filled, Loss(policy, matrix.n_missing, filled=matrix.n_missing)
    axis = 0 if policy == "drop-items" else 1
    gone = missing.any(axis=axis)
    what = "item" if axis == 0 else "model"
    if gone.all():
        raise InputError(
            f"{matrix.name}: policy '{policy}' would leave no {what}, since each has a missing "
            f"answer; allowed instead: {', '.join(p for p in POLICIES[:3] if p != policy)}."
        )
    if axis == 0:
        ids = tuple(map(str, matrix.item_ids[gone]))
        return matrix.subset(items=np.flatnonzero(~gone)), Loss(policy, matrix.n_missing, items=ids)
    ids = tuple(map(str, matrix.model_ids[gone]))
    return matrix.subset(models=np.flatnonzero(~gone)), Loss(policy, matrix.n_missing, models=ids)


def drop_duplicate_models(matrix: ResponseMatrix) -> tuple[ResponseMatrix, pd.DataFrame]:
    """Leave out models whose answers are an exact copy of another model's.

    Leaderboards hold re-uploaded models; a twin on both sides of the source/target line leaks.
    Of each set of twins the one whose id comes first in the alphabet stays, so that the order of
    the rows changes nothing.

    Returns
    -------
    (ResponseMatrix, DataFrame)
        The matrix without the copies, and a table of ``model`` (left out) and ``same_as`` (kept).
    """
    keys = [
        row.tobytes() + (b"" if matrix.confidences is None else matrix.confidences[i].tobytes())
        for i, row in enumerate(matrix.scores)
    ]
    first: dict[bytes, str] = {}
    for model, key in sorted(zip(map(str, matrix.model_ids), keys, strict=True)):
        first.setdefault(key, model)
    pairs = [
        (model, first[key])
        for model, key in zip(map(str, matrix.model_ids), keys, strict=True)
        if first[key] != model
    ]
    dropped = pd.DataFrame(pairs, columns=["model", "same_as"])
    if dropped.empty:
        return matrix, dropped
    stay = np.flatnonzero(~matrix.models.index.isin(dropped["model"]))
    return matrix.subset(models=stay), dropped


def duplicate_items(matrix: ResponseMatrix) -> list[list[str]]:
    """Groups of items that are copies of one another.

    Items are copies where the data say so, by the same fingerprint in the column ``content`` that
    logs give, or where all models gave them the same answers (and confidences, where there are
    any): at least 100 models, of which at least 10 gave the rarer answer. With less, models that
    resemble each other make different items look alike. Of 47 to 83 models each, MMLU-Pro,
    LegalBench and MMLU have dozens of pairs of items that all models answer alike, and several
    times as many on which just one model differs, as chance has it; at 134 to 4,208 models, and in
    the simulated leaderboards, which hold no copies, there is not one with 10 rarer answers.

    Parameters
    ----------
    matrix : ResponseMatrix

    Returns
    -------
    list of list of str
        Ids, at least two in a group, each group and the list sorted.
    """
    content = matrix.items.get("content", pd.Series("", matrix.items.index)).fillna("")
    scores = np.ascontiguousarray(matrix.scores.T)
    confidences = scores if matrix.confidences is None else matrix.confidences.T
    first: dict[object, int] = {}
    pairs: list[tuple[int, int]] = []
    for j, text in enumerate(content):
        if text:
            pairs.append((first.setdefault(str(text), j), j))
        if _tells_copies(scores[j][~matrix.missing[:, j]]):
            answers = (scores[j].tobytes(), confidences[j].tobytes())
            pairs.append((first.setdefault(answers, j), j))
    rows, columns = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    links = coo_array((np.ones(len(pairs)), (rows, columns)), shape=(matrix.n_items,) * 2)
    _, labels = connected_components(links, directed=False)
    groups = pd.Series(matrix.item_ids.astype(str)).groupby(labels).agg(sorted)
    return sorted(group for group in groups if len(group) > 1)


def _tells_copies(answers: np.ndarray) -> bool:
    if answers.size < MODELS_FOR_COPIES:
        return False
    commonest = np.unique(answers, return_counts=True)[1].max()
    return bool(answers.size - commonest >= RARER_FOR_COPIES)
