"""Fixed groups of target models: finds the study's groups in a matrix; judges no ranking."""

from __future__ import annotations

import numpy as np

from mbnb.data.figures import reported
from mbnb.data.responses import ResponseMatrix
from mbnb.errors import InputError

GROUPS = ("7b", "8b-instruct", "70b")
# The group whose members the study's released code lists by name.
NAMED = "8b-instruct"


def group_members(matrix: ResponseMatrix, group: str) -> list[str]:
    """Ids of the models of a matrix that belong to a group, sorted.

    A column ``group`` of the models decides where there is one, as in simulated leaderboards;
    elsewhere the names that the study's released code lists, compared in lower case. They are
    known for ``8b-instruct`` alone.

    Parameters
    ----------
    matrix : ResponseMatrix
    group : {"7b", "8b-instruct", "70b"}

    Returns
    -------
    list of str
        Empty where the matrix holds none of them.

    Raises
    ------
    InputError
        If the group is unknown.
    """
    if group not in GROUPS:
        raise InputError(f"group '{group}' is unknown; known: {', '.join(GROUPS)}.")
    if "group" in matrix.models.columns:
        return sorted(map(str, matrix.model_ids[(matrix.models["group"] == group).to_numpy()]))
    if group != NAMED:
        return []
    wanted = set(reported(f"group-{group}")["model"].str.lower())
    return sorted(str(model) for model in matrix.model_ids if str(model).lower() in wanted)


def middle_models(matrix: ResponseMatrix, count: int) -> list[str]:
    """Ids of the `count` models whose accuracies lie nearest the median, sorted.

    A stand-in for a close-lying group where a matrix holds none of the study's.
    """
    accuracies = matrix.accuracies()
    distance = np.abs(accuracies - np.median(accuracies))
    order = np.lexsort((matrix.model_ids.astype(str), distance))
    return sorted(map(str, matrix.model_ids[order[:count]]))
