"""The study's fixed groups of target models: who is in them, by group or by name."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from conftest import make_matrix

from mbnb.data.errors import InputError
from mbnb.data.figures import reported
from mbnb.data.groups import GROUPS, LISTED, group_members
from mbnb.data.responses import ResponseMatrix


def named(*names: str, group: list[str] | None = None) -> ResponseMatrix:
    matrix = make_matrix(np.eye(len(names), 6, dtype=np.uint8), models=list(names))
    return matrix if group is None else replace(matrix, models=matrix.models.assign(group=group))


def test_members_are_found_by_the_listed_names_in_any_case() -> None:
    matrix = named(
        "Meta-Llama/llama-3.3-70b-INSTRUCT", "microsoft/Orca-2-7b", "someone/else", "x/y"
    )
    assert group_members(matrix, "70b") == ["Meta-Llama/llama-3.3-70b-INSTRUCT"]
    assert group_members(matrix, "7b") == ["microsoft/Orca-2-7b"]
    assert group_members(matrix, "8b-instruct") == []


def test_a_column_of_groups_decides_over_names() -> None:
    matrix = named("microsoft/Orca-2-7b", "b", "a", group=["", "7b", "7b"])
    assert group_members(matrix, "7b") == ["a", "b"]


def test_no_model_is_listed_twice_or_in_two_groups() -> None:
    names = [name.lower() for group in GROUPS for name in reported(LISTED[group])["model"]]
    assert len(names) == len(set(names)) == 56 + 32 + 11


def test_an_unknown_group_is_refused_with_those_that_are_known() -> None:
    with pytest.raises(InputError, match="'9b'.*7b, 8b-instruct, 70b"):
        group_members(named("a"), "9b")
