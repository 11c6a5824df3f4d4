"""Keeps what was fetched from the hub, at which commit, in ``fetched.json``; fetches nothing."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mbnb.data.errors import InputError
from mbnb.logs.json_rows import read_json

MANIFEST = "fetched.json"


def read_manifest(path: Path, leaderboard: str) -> dict[str, dict[str, Any]]:
    """Repository, commit and files of each model; empty where there is no such file.

    Raises
    ------
    InputError
        If it is another file, or of another leaderboard.
    """
    if not path.is_file():
        return {}
    kept = read_json(path)
    models = kept.get("models") if isinstance(kept, dict) else None
    if not isinstance(models, dict) or not all(
        isinstance(entry, dict)
        and isinstance(entry.get("commit"), str)
        and isinstance(entry.get("files"), list)
        for entry in models.values()
    ):
        raise InputError(f"{path} is not what `mbnb fetch` wrote: it names no commits of models.")
    if kept.get("leaderboard") != leaderboard:
        raise InputError(
            f"{path} is of leaderboard {kept.get('leaderboard')}, not {leaderboard}; one folder "
            "holds logs of one leaderboard."
        )
    return models


def write_manifest(
    path: Path, endpoint: str, leaderboard: str, models: Mapping[str, Mapping[str, Any]]
) -> None:
    """Write the file whole, or leave the one that is there."""
    told = {"hub": endpoint, "leaderboard": leaderboard, "models": dict(sorted(models.items()))}
    handle, unfinished = tempfile.mkstemp(prefix=".fetched-", dir=path.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(told, file, indent=2, ensure_ascii=False)
            file.write("\n")
        os.replace(unfinished, path)
    finally:
        Path(unfinished).unlink(missing_ok=True)
