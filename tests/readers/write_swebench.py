"""Writes SWE-bench runs: lists of resolved instances, details of each, and run reports."""

from __future__ import annotations

import json
from pathlib import Path

import yaml

from readers.entries import Entry, Logs, Writer, example


def instance(entry: Entry) -> str:
    return f"{entry.task}__{entry.task}-{entry.item}"


def _run(folder: Path, number: int, model: str) -> Path:
    run = folder / f"2025010{number}_run"
    run.mkdir()
    held = {"info": {"name": model, "logs": "s3://somewhere"}, "tags": {"model": ["some-model"]}}
    (run / "metadata.yaml").write_text(yaml.safe_dump(held))
    return run


def write_lists(folder: Path, logs: Logs) -> None:
    for number, (model, entries) in enumerate(logs.items()):
        place = _run(folder, number, model) / "results"
        place.mkdir()
        resolved = [instance(entry) for entry in entries if entry.score == 1]
        held = {"no_generation": [], "no_logs": [], "resolved": resolved}
        (place / "results.json").write_text(json.dumps(held, indent=2))


def write_details(folder: Path, logs: Logs) -> None:
    for number, (model, entries) in enumerate(logs.items()):
        # By hand, so that an instance can stand twice.
        pairs = []
        for entry in entries:
            resolved = None if entry.score is None else entry.score == 1
            details = {"resolved": resolved, "cost": 0.25, "api_calls": 12}
            pairs.append(f'"{instance(entry)}": {json.dumps(details)}')
        place = _run(folder, number, model) / "per_instance_details.json"
        place.write_text("{" + ",\n".join(pairs) + "}")


def write_reports(folder: Path, logs: Logs) -> None:
    for model, entries in logs.items():
        submitted = [instance(entry) for entry in entries if entry.score is not None]
        resolved = [instance(entry) for entry in entries if entry.score == 1]
        held = {
            "total_instances": len(entries),
            "submitted_instances": len(submitted),
            "resolved_instances": len(resolved),
            "completed_ids": submitted,
            "incomplete_ids": [instance(entry) for entry in entries if entry.score is None],
            "submitted_ids": submitted,
            "resolved_ids": resolved,
            "schema_version": 2,
        }
        place = folder / f"{model.replace('/', '__')}.run-1.json"
        place.write_text(json.dumps(held, indent=4))


_IDS = tuple(instance(entry) for entry in next(iter(example().values())))

_HELD = frozenset(["null", "metric", "model", "gaps", "twice"])

WRITERS = [
    Writer("swe-bench", write_lists, {"items": _IDS}, frozenset(["metric", "model"])),
    Writer("swe-bench", write_details, columns=_HELD),
    Writer("swe-bench", write_reports, columns=_HELD, variant="report"),
]
