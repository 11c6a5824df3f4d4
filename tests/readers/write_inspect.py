"""Writes logs of Inspect: `.eval` archives, and the JSON form of the same."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

from readers.entries import OPTIONS, Entry, Logs, Writer


def value_of(score: float | None) -> Any:
    """The letter where there is one; NaN where a sample was not scored."""
    return {0.0: "I", 1.0: "C", None: float("nan")}.get(score, score)


def sample(entry: Entry) -> dict[str, Any]:
    return {
        "id": entry.item,
        "epoch": 1,
        "input": entry.text,
        "choices": [f"option {k}" for k in range(OPTIONS)],
        "target": "A",
        "messages": [{"id": "m1", "role": "user", "content": entry.text}],
        "scores": {
            "choice": {"value": value_of(entry.score), "answer": "A"},
            "length": {"value": 0.5},
        },
        "metadata": {"subject": entry.task},
    }


def header(
    model: str, task: str, created: str = "2026-01-21T03:44:18+00:00", **changes: Any
) -> dict[str, Any]:
    return {
        "version": 2,
        "status": "success",
        "eval": {
            "created": created,
            "task": task,
            "task_version": 0,
            "dataset": {"name": task},
            "model": model,
            "config": {"epochs": 1},
            "packages": {"inspect_ai": "0.3.150"},
            **changes,
        },
        "plan": {"name": "plan"},
        "results": {"total_samples": 1, "completed_samples": 1, "scores": []},
    }


def summary(one: dict[str, Any]) -> dict[str, Any]:
    """The row that sums a sample up; releases before 2026 left its choices out."""
    kept = ("id", "epoch", "input", "target", "scores", "metadata", "error")
    return {name: one[name] for name in kept if name in one}


def write_archive(
    path: Path, head: dict[str, Any] | None, samples: list[dict[str, Any]], **members: Any
) -> Path:
    """An archive; an unfinished one where no header is given, but `start`, what began it."""
    begun = members.pop("start", head)
    start = {key: begun[key] for key in ("version", "eval", "plan")}
    rows = [summary(one) for one in samples]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("_journal/start.json", json.dumps(start))
        for name, one in {f"{one['id']}_epoch_{one['epoch']}": one for one in samples}.items():
            archive.writestr(f"samples/{name}.json", json.dumps(one))
        archive.writestr("_journal/summaries/1.json", json.dumps(rows))
        if head is not None:
            archive.writestr("summaries.json", json.dumps(rows))
            archive.writestr("header.json", json.dumps(head))
        for name, content in members.items():
            archive.writestr(name, content)
    return path


def write_json(path: Path, head: dict[str, Any], samples: list[dict[str, Any]]) -> Path:
    path.write_text(json.dumps({**head, "samples": samples}, indent=2))
    return path


def _each(logs: Logs) -> list[tuple[str, dict[str, Any], list[dict[str, Any]]]]:
    return [
        (f"log{number}-{task}", header(model, task), [sample(e) for e in entries if e.task == task])
        for number, (model, entries) in enumerate(logs.items())
        for task in sorted({entry.task for entry in entries})
    ]


def write_archives(folder: Path, logs: Logs) -> None:
    for name, head, samples in _each(logs):
        write_archive(folder / f"{name}.eval", head, samples)


def write_jsons(folder: Path, logs: Logs) -> None:
    for name, head, samples in _each(logs):
        write_json(folder / f"{name}.json", head, samples)


COLUMNS = frozenset(["null", "content", "graded", "metric", "tasks", "model", "gaps", "twice"])
CHOICES = {"metric": "choice", "errors": "missing"}
WRITERS = [
    Writer("inspect", write_archives, CHOICES, COLUMNS, "eval"),
    Writer("inspect", write_jsons, CHOICES, COLUMNS, "json"),
]
