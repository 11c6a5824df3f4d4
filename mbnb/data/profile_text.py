"""Writes a profile as the TOML file that `read_profile` reads; changes no setting."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from mbnb.data.profiles import Profile, Subtask

WHAT = (
    "A simulated leaderboard; what each key does is told in mbnb/data/profiles.py and simulate.py."
)


def profile_text(profile: Profile, comments: Sequence[str] = ()) -> str:
    """The text of a profile's file, with comments at its head.

    Parameters
    ----------
    profile : Profile
    comments : sequence of str
        One line each; what the profile is and what it was fitted to.
    """
    subtasks = [_inline(_subtask(subtask)) for subtask in profile.subtasks]
    cohorts = [_inline(_values(cohort)) for cohort in profile.cohorts]
    lines = [
        *(f"# {line}" for line in (*comments, WHAT)),
        f"name = {_text(profile.name)}",
        f"seed = {profile.seed}",
        "",
        "# Difficulty is in units of ability, added to that of each of the subtask's items;",
        "# options are numbers of options, each with the share of the items that have so many.",
        "subtasks = [",
        *(f"  {entry}," for entry in subtasks),
        "]",
        "",
        "cohorts = [",
        *(f"  {entry}," for entry in cohorts),
        "]",
    ]
    for part in ("abilities", "knowledge", "noise", "confidence"):
        values = _values(getattr(profile, part))
        lines += ["", f"[{part}]", *(f"{key} = {value}" for key, value in values.items())]
    return "\n".join(lines) + "\n"


def _values(part: Any) -> dict[str, str]:
    return {field.name: _value(getattr(part, field.name)) for field in fields(part)}


def _subtask(subtask: Subtask) -> dict[str, str]:
    options = {str(count): _value(share) for count, share in subtask.options}
    return {**_values_but(subtask, "options"), "options": _inline(options)}


def _values_but(part: Any, left_out: str) -> dict[str, str]:
    named = [field.name for field in fields(part) if field.name != left_out]
    return {name: _value(getattr(part, name)) for name in named}


def _value(value: str | float) -> str:
    return _text(value) if isinstance(value, str) else repr(value)


def _inline(values: dict[str, str]) -> str:
    return "{ " + ", ".join(f"{key} = {value}" for key, value in values.items()) + " }"


def _text(value: str) -> str:
    # TOML's basic strings are JSON's but for the character DEL, which must be escaped.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
