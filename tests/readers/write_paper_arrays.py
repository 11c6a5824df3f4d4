"""Writes responses the way the study's released code keeps them, with and without names."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from readers.entries import OPTIONS, Logs, Writer


def write(folder: Path, logs: Logs, names: bool = True) -> None:
    for task in sorted({entry.task for entries in logs.values() for entry in entries}):
        rows = [
            sorted((e for e in entries if e.task == task), key=lambda e: e.item)
            for entries in logs.values()
        ]
        # One vector of labels for all models is all that the arrays have.
        labels = np.array([entry.gold for entry in rows[0]])
        scores = [[np.nan if e.score is None else e.score for e in row] for row in rows]
        chances = np.empty((*np.shape(scores), OPTIONS))
        for model, row in enumerate(rows):
            for item, entry in enumerate(row):
                chances[model, item] = (1 - entry.confidence) / (OPTIONS - 1)
                chances[model, item, labels[item]] = entry.confidence
        np.save(folder / f"{task}_models-by-correctness.npy", np.array(scores))
        np.save(folder / f"{task}_models-by-confidence.npy", chances)
        np.save(folder / f"{task}_labels.npy", labels)
        if names:
            (folder / f"{task}_model-names-in-order.json").write_text(json.dumps(list(logs)))


def write_nameless(folder: Path, logs: Logs) -> None:
    write(folder, logs, names=False)


WRITERS = [
    Writer(
        "paper-arrays",
        write,
        columns=frozenset(["null", "confidence", "graded", "metric", "tasks", "model"]),
    ),
    Writer(
        "paper-arrays",
        write_nameless,
        columns=frozenset(["confidence", "graded", "metric", "tasks"]),
    ),
]
