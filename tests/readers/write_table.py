"""Writes plain tables: long CSV, and wide ones both ways, CSV and Parquet."""

from __future__ import annotations

import csv
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from readers.entries import Logs, Writer


def write_long(folder: Path, logs: Logs) -> None:
    """One file a model, as they are handed on."""
    for number, (model, entries) in enumerate(logs.items()):
        with (folder / f"part{number}.csv").open("w", newline="", encoding="utf-8") as file:
            rows = csv.writer(file)
            rows.writerow(["model", "task", "item", "score", "confidence", "content", "shots"])
            for entry in entries:
                confidence = "" if entry.score is None else entry.confidence
                answer = [entry.score, confidence, entry.text, 5]
                rows.writerow([model, entry.task, entry.item, *answer])


def _cells(logs: Logs) -> dict[str, dict[tuple[str, int], float | None]]:
    return {
        model: {(entry.task, entry.item): entry.score for entry in entries}
        for model, entries in logs.items()
    }


def write_model_rows(folder: Path, logs: Logs) -> None:
    cells = _cells(logs)
    items = list(next(iter(cells.values())))
    with (folder / "table.csv").open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(["model", *(f"{task}/{item}" for task, item in items)])
        for model, scores in cells.items():
            rows.writerow([model, *(scores[item] for item in items)])


def write_item_rows(folder: Path, logs: Logs) -> None:
    cells = _cells(logs)
    items = list(next(iter(cells.values())))
    columns = {
        "item_id": [str(item) for _, item in items],
        "task": [task for task, _ in items],
        **{model: [scores[item] for item in items] for model, scores in cells.items()},
    }
    pq.write_table(pa.table(columns), folder / "table.parquet")


WRITERS = [
    Writer(
        "table",
        write_long,
        columns=frozenset(
            ["null", "confidence", "content", "graded", "metric", "tasks", "model", "gaps", "twice"]
        ),
    ),
    Writer("table", write_model_rows, columns=frozenset(["null", "graded", "metric", "model"])),
    Writer(
        "table", write_item_rows, columns=frozenset(["null", "graded", "metric", "tasks", "model"])
    ),
]
