"""Of which model and version a details file is: by its results file, or by its folders' names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mbnb.data.errors import InputError
from mbnb.logs.json_rows import read_json
from mbnb.logs.names import model_of_folder


@dataclass(frozen=True)
class Origin:
    """Model, version of the task ("" = not told), and rows that a whole run has, if known."""

    model: str
    version: str = ""
    expected: int | None = None


def origin(path: Path, task: str, time: str) -> Origin:
    """Where a details file comes from.

    The model's id is that of the results file of the same time, which lies beside the file, one
    folder above, or under ``results`` where the file lies under ``details``. Where there is none
    it is told by a folder ``details_ORG__MODEL``, as repositories are called, by the folders
    between ``details`` and the run's, or by the nearest folder.

    Raises
    ------
    InputError
        If there is a results file that is no JSON object.
    """
    parts = path.resolve().parts[:-1]
    above = parts[:-1] if len(parts) > 1 and _is_time(parts[-1], time) else parts
    inner: tuple[str, ...] = ()
    places = [path.parent, path.parent.parent]
    if "details" in above:
        at = len(above) - 1 - above[::-1].index("details")
        inner = above[at + 1 :]
        places.append(Path(*above[:at], "results", *inner))
    results = _results(places, f"results_{time}.json")
    version = _under(results, "versions", task)
    expected = _under(results, "config_tasks", task, "original_num_docs")
    return Origin(
        _model_name(results) or _by_folders(above, inner),
        "" if version in (None, "", "?") else str(version),
        expected if type(expected) is int and expected > 0 else None,
    )


def _is_time(folder: str, time: str) -> bool:
    return bool(time) and folder.replace(":", "-") == time.replace(":", "-")


def _results(places: list[Path], name: str) -> dict[str, Any]:
    for place in places:
        path = place / name
        if path.is_file():
            results = read_json(path)
            if not isinstance(results, dict):
                raise InputError(f"{path} is not a JSON object.")
            return results
    return {}


def _under(record: Any, *keys: str) -> Any:
    for key in keys:
        record = record.get(key) if isinstance(record, dict) else None
    return record


def _model_name(results: Mapping[str, Any]) -> str | None:
    for keys in (
        ("config_general", "model_name"),
        ("config_general", "model_config", "model_name"),
        ("config", "model_name"),
        ("model_name",),
    ):
        found = _under(results, *keys)
        if isinstance(found, str) and found:
            return found
    return None


def _by_folders(above: tuple[str, ...], inner: tuple[str, ...]) -> str:
    for folder in reversed(above):
        repository = folder.rpartition("--")[2] if folder.startswith("datasets--") else folder
        if repository.startswith("details_"):
            return model_of_folder(repository.removeprefix("details_"))
    return "/".join(inner) or above[-1]
