"""Fixed groups of target models: finds the study's groups in a matrix; judges no ranking."""

from __future__ import annotations

from mbnb.data.errors import check
from mbnb.data.figures import reported
from mbnb.data.responses import ResponseMatrix

# The study's groups, and the reported table of the members that its released code lists by name.
LISTED = {
    "7b": "group-7b-instruct",
    "8b-instruct": "group-8b-instruct",
    "70b": "group-70b-instruct",
}
GROUPS = tuple(LISTED)


def group_members(matrix: ResponseMatrix, group: str) -> list[str]:
    """Ids of the models of a matrix that belong to a group, sorted.

    A column ``group`` of the models decides where there is one, as in simulated leaderboards;
    elsewhere the names of instruction-tuned models that the study's released code lists for
    MMLU-Pro, compared in lower case.

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
    check(group in GROUPS, "the group", group, GROUPS)
    if "group" in matrix.models.columns:
        return sorted(map(str, matrix.model_ids[(matrix.models["group"] == group).to_numpy()]))
    wanted = set(reported(LISTED[group])["model"].str.lower())
    return sorted(str(model) for model in matrix.model_ids if str(model).lower() in wanted)
