"""What happens to missing answers and to copies of models, by name; checks no matrix."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from mbnb.data.errors import InputError
from mbnb.data.responses import POLICIES, ResponseMatrix


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
    if policy not in POLICIES:
        raise InputError(f"policy '{policy}' is unknown; known: {', '.join(POLICIES)}.")
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
