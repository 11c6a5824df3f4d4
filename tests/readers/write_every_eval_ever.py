"""Writes every_eval_ever's instance-level records: JSON lines beside an aggregate."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from readers.entries import Entry, Logs, Writer


def record(model: str, entry: Entry, **changes: Any) -> dict[str, Any]:
    return {
        "schema_version": "0.2.2",
        "evaluation_id": f"board/{model}/1769000000",
        "model_id": model,
        "evaluation_name": entry.task,
        "sample_id": str(entry.item),
        "sample_hash": f"hash of {entry.text}",
        "interaction_type": "single_turn",
        "input": {"raw": entry.text, "formatted": None, "reference": ["A"], "choices": None},
        "output": {"raw": ["A"], "reasoning_trace": []},
        "messages": None,
        "answer_attribution": [],
        "evaluation": {"score": entry.score or 0.0, "is_correct": entry.score == 1},
        "error": "timeout" if entry.score is None else None,
        "metadata": {"subject": entry.task},
    } | changes


def write(folder: Path, logs: Logs) -> None:
    for number, (model, entries) in enumerate(logs.items()):
        rows = [json.dumps(record(model, entry)) + "\n" for entry in entries]
        (folder / f"{number}_samples.jsonl").write_text("".join(rows), "utf-8")
        aggregate = {"schema_version": "0.2.2", "evaluation_id": f"board/{model}/1769000000"}
        (folder / f"{number}.json").write_text(json.dumps(aggregate), "utf-8")


WRITERS = [
    Writer(
        "every-eval-ever",
        write,
        choices={"metric": "score"},
        columns=frozenset(
            ["null", "content", "graded", "metric", "tasks", "model", "gaps", "twice"]
        ),
    )
]
