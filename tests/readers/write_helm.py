"""Writes HELM run folders, one for each model and task."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from readers.entries import OPTIONS, Entry, Logs, Writer


def stat(name: str, mean: float | None, split: str = "test") -> dict[str, Any]:
    """A stat as it is written; without numbers where nothing was counted."""
    if mean is None:
        return {"name": {"name": name, "split": split}, "count": 0, "sum": 0, "sum_squared": 0}
    return {
        "name": {"name": name, "split": split},
        "count": 1,
        "sum": mean,
        "sum_squared": mean**2,
        "min": mean,
        "max": mean,
        "mean": mean,
        "variance": 0.0,
        "stddev": 0.0,
    }


def row(entry: Entry) -> dict[str, Any]:
    scores = [] if entry.score is None else [stat("exact_match", entry.score)]
    others = [stat("num_prompt_tokens", 333), stat("training_co2_cost", None)]
    return {
        "instance_id": f"id{entry.item}",
        "train_trial_index": 0,
        "stats": [*others, *scores, stat("quasi_exact_match", 0.0)],
    }


def request(entry: Entry) -> dict[str, Any]:
    references = [
        {"output": {"text": f"option {k}"}, "tags": ["correct"] if k == 0 else []}
        for k in range(OPTIONS)
    ]
    return {
        "instance": {
            "input": {"text": entry.text},
            "references": references,
            "split": "test",
            "id": f"id{entry.item}",
        },
        "train_trial_index": 0,
        "request": {"prompt": entry.text},
        "result": {"success": True, "completions": [{"text": " A", "logprob": -0.5}]},
    }


def write_run(
    place: Path,
    model: str,
    task: str,
    rows: list[dict[str, Any]],
    requests: list[dict[str, Any]] | None = None,
) -> Path:
    """A run folder; without scenario_state.json where no requests are given."""
    place.mkdir(parents=True)
    adapter = {"method": "multiple_choice_joint", "model": model, "max_eval_instances": 10}
    name = f"{task}{',' if ':' in task else ':'}model={model.replace('/', '_')}"
    (place / "run_spec.json").write_text(json.dumps({"name": name, "adapter_spec": adapter}))
    (place / "scenario.json").write_text(json.dumps({"name": task}))
    (place / "per_instance_stats.json").write_text(json.dumps(rows, indent=2))
    if requests is not None:
        state = {"adapter_spec": adapter, "request_states": requests}
        (place / "scenario_state.json").write_text(json.dumps(state, indent=2))
    return place


def write(folder: Path, logs: Logs) -> None:
    for number, (model, entries) in enumerate(logs.items()):
        for task in sorted({entry.task for entry in entries}):
            here = [entry for entry in entries if entry.task == task]
            requests = {entry.item: request(entry) for entry in here}
            rows = [row(entry) for entry in here]
            write_run(folder / f"run{number}-{task}", model, task, rows, list(requests.values()))


WRITERS = [
    Writer(
        "helm",
        write,
        {"metric": "exact_match"},
        frozenset(["null", "content", "graded", "metric", "tasks", "model", "gaps", "twice"]),
    )
]
