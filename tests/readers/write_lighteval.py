"""Writes lighteval details, the way its releases since 2025 do."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from readers.entries import OPTIONS, Entry, Logs, Writer

TIME = "2026-02-03T10-11-12.131415"


def likelihoods(entry: Entry) -> list[float]:
    rest = (1 - entry.confidence) / (OPTIONS - 1)
    return [math.log(entry.confidence if k == entry.gold else rest) for k in range(OPTIONS)]


def row(entry: Entry) -> dict[str, object]:
    return {
        "doc": {
            "query": entry.text,
            "choices": list("ABCD")[:OPTIONS],
            "gold_index": [entry.gold],
            "id": str(entry.item),
            "task_name": f"lighteval|{entry.task}|0",
            "fewshot_samples": [],
        },
        "model_response": {
            "input": entry.text,
            "text": ["A"],
            "logprobs": likelihoods(entry),
            "argmax_logits_eq_gold": [False] * OPTIONS,
        },
        "metric": {"acc": entry.score, "acc_norm": 0.0},
    }


def write(folder: Path, logs: Logs) -> None:
    for number, (model, entries) in enumerate(logs.items()):
        results = folder / "results" / f"run{number}"
        details = folder / "details" / f"run{number}" / TIME
        results.mkdir(parents=True)
        details.mkdir(parents=True)
        told = {"config_general": {"model_config": {"model_name": model}}, "versions": {}}
        (results / f"results_{TIME}.json").write_text(json.dumps(told))
        for task in sorted({entry.task for entry in entries}):
            rows = [row(entry) for entry in entries if entry.task == task]
            pq.write_table(
                pa.Table.from_pylist(rows), details / f"details_lighteval|{task}|0_{TIME}.parquet"
            )


WRITERS = [
    Writer(
        "lighteval",
        write,
        {"metric": "acc"},
        frozenset(
            {"null", "confidence", "content", "graded", "metric"}
            | {"tasks", "model", "gaps", "twice"}
        ),
    )
]
