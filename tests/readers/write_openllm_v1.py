"""Writes details of the first Open LLM Leaderboard, of both generations of its columns."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from readers.entries import OPTIONS, Entry, Logs, Writer
from readers.write_lighteval import likelihoods

TIME = "2023-10-04T05-27-40.829532"


def early(entry: Entry) -> dict[str, Any]:
    """A row of 2023: the example's id, and scores in columns of their own."""
    return {
        "example": f"example-{entry.item}",
        "query": entry.text,
        "gold": entry.gold,
        "predictions": likelihoods(entry),
        "acc": entry.score,
        "acc_norm": 0.0,
        "hashes": {"example": "0f"},
    }


def later(entry: Entry) -> dict[str, Any]:
    """A row of later: the example's text, and scores in one struct."""
    return {
        "example": entry.text,
        "choices": list("ABCD")[:OPTIONS],
        "gold": ["ABCD"[entry.gold]],
        "gold_index": [entry.gold],
        "predictions": likelihoods(entry),
        "metrics": {"acc": entry.score, "acc_norm": 0.0},
        "full_prompt": f"shots {entry.text}",
        "truncated": [0],
    }


def flat(entry: Entry) -> dict[str, Any]:
    """A later row with a column for each score."""
    row = later(entry)
    return row | {f"metrics.{name}": score for name, score in row.pop("metrics").items()}


def as_text(entry: Entry) -> dict[str, Any]:
    """A later row as the writer left it where Arrow refused: every column is text."""
    return {name: str(value) for name, value in later(entry).items()}


def writer(row: Callable[[Entry], dict[str, Any]]) -> Callable[[Path, Logs], None]:
    def write(folder: Path, logs: Logs) -> None:
        for number, (model, entries) in enumerate(logs.items()):
            place = folder / f"run{number}" / TIME
            place.mkdir(parents=True)
            told = {"config_general": {"model_name": model}}
            (place / f"results_{TIME}.json").write_text(json.dumps(told))
            for task in sorted({entry.task for entry in entries}):
                rows = [row(entry) for entry in entries if entry.task == task]
                pq.write_table(
                    pa.Table.from_pylist(rows), place / f"details_harness|{task}|5_{TIME}.parquet"
                )

    return write


_BOTH = {"null", "confidence", "graded", "metric", "tasks", "model", "gaps"}
WRITERS = [
    Writer("openllm-v1", writer(early), {"metric": "acc"}, frozenset(_BOTH | {"content"})),
    Writer("openllm-v1", writer(later), {"metric": "acc"}, frozenset(_BOTH)),
    Writer("openllm-v1", writer(flat), {"metric": "acc"}, frozenset(_BOTH)),
    Writer("openllm-v1", writer(as_text), {"metric": "acc"}, frozenset(_BOTH)),
]
