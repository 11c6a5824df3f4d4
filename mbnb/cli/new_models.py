"""Reads new models' answers as a frozen micro-benchmark's were read; scores none."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from mbnb.cli.logs import read_logs
from mbnb.data.errors import InputError
from mbnb.data.folder import FILES, read_folder
from mbnb.data.responses import ResponseMatrix
from mbnb.frozen.micro_benchmark import MicroBenchmark
from mbnb.logs.metrics import choices_of


def read_new(
    frozen: MicroBenchmark, paths: Sequence[Path], choices: dict[str, Any]
) -> tuple[ResponseMatrix, Sequence[str]]:
    """The new models' answers, and what to know of them: from a dataset folder, or from logs.

    Logs are read by the metric and filter by which the frozen items were read, unless others are
    named; `score` refuses what does not fit.
    """
    folders = [path for path in paths if (path / FILES[0]).is_file()]
    if folders:
        if len(paths) > 1:
            raise InputError(
                f"{folders[0]} is a dataset folder, and {len(paths)} paths are given; give one "
                "dataset folder, or logs."
            )
        return read_folder(folders[0]), ()
    given = {name: value for name, value in choices.items() if value}
    matrix, report = read_logs(paths, **{**choices, **_as_frozen(frozen, given), **given})
    return matrix, report.notes


def _as_frozen(frozen: MicroBenchmark, given: dict[str, Any]) -> dict[str, Any]:
    """The choices by which the frozen items were read, as far as they tell them."""
    choices: dict[str, Any] = {}
    labels = {item.task: item.metric for item in frozen.items if item.task and item.metric}
    if labels and not given.get("metrics"):
        found = {task: choices_of(label) for task, label in labels.items()}
        names = {task: each.pop("metric") for task, each in found.items()}
        same = len(set(names.values())) == 1
        choices["metrics"] = (
            list(names.values())[:1] if same else [f"{t}={name}" for t, name in names.items()]
        )
        for each in found.values():
            choices |= each
    filters = {item.filter for item in frozen.items} - {None, ""}
    if len(filters) == 1:
        [choices["filter"]] = filters
    return choices
