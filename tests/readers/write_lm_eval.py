"""Writes lm-evaluation-harness sample logs, the way its releases since 2025 do."""

from __future__ import annotations

import json
import math
from pathlib import Path

from mbnb.logs.values import document_hash
from readers.entries import OPTIONS, Entry, Logs, Writer

TIME = "2026-01-21T03-44-18.458309"


def row(entry: Entry) -> dict[str, object]:
    rest = (1 - entry.confidence) / (OPTIONS - 1)
    chances = [entry.confidence if k == entry.gold else rest for k in range(OPTIONS)]
    pairs = [[str(math.log(chance)), "False"] for chance in chances]
    doc = {"question": entry.text, "options": list("ABCD")}
    return {
        "doc_id": entry.item,
        "doc": doc,
        "target": str(entry.gold),
        "arguments": {
            f"gen_args_{k}": {"arg_0": entry.text, "arg_1": f" {'ABCD'[k]}"} for k in range(OPTIONS)
        },
        "resps": [[pair] for pair in pairs],
        "filtered_resps": pairs,
        "filter": "none",
        "metrics": ["acc", "acc_norm"],
        "doc_hash": document_hash(doc),
        "acc": entry.score,
        "acc_norm": 0.0,
    }


def write(folder: Path, logs: Logs) -> None:
    for number, (model, entries) in enumerate(logs.items()):
        place = folder / f"run{number}"
        place.mkdir()
        tasks = sorted({entry.task for entry in entries})
        results = {"model_name": model, "versions": dict.fromkeys(tasks, 1.0)}
        (place / f"results_{TIME}.json").write_text(json.dumps(results))
        for task in tasks:
            lines = [json.dumps(row(entry)) for entry in entries if entry.task == task]
            path = place / f"samples_{task}_{TIME}.jsonl"
            path.write_text("".join(f"{line}\n" for line in lines))


WRITERS = [
    Writer(
        "lm-eval",
        write,
        {"metric": "acc"},
        frozenset(
            {"null", "confidence", "content", "graded", "metric"}
            | {"tasks", "model", "gaps", "twice"}
        ),
    )
]
