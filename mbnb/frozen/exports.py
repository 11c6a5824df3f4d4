"""A frozen micro-benchmark's items for other programs, as text; writes no file."""

from __future__ import annotations

import csv
import io
import json

import msgspec

from mbnb.data.errors import InputError
from mbnb.frozen.micro_benchmark import FrozenItem, MicroBenchmark

ALWAYS = ("weight", "subtask", "mean_score")


def ids_text(micro: MicroBenchmark) -> str:
    """The item ids, one a line.

    Raises
    ------
    InputError
        If an id holds a line break.
    """
    for name in micro.item_ids:
        if len(name.splitlines()) != 1:
            raise InputError(f"item id {name!r} holds a line break, so ids cannot be lines.")
    return "\n".join(micro.item_ids) + "\n"


def csv_text(micro: MicroBenchmark) -> str:
    """A table of the items: item_id, weight, subtask, mean_score and what else is known."""
    rows = [msgspec.to_builtins(item) for item in micro.items]
    free = [name for name in FrozenItem.__struct_fields__ if name not in ("id", *ALWAYS)]
    columns = ["id", *ALWAYS, *(name for name in free if any(name in row for row in rows))]
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(["item_id", *columns[1:]])
    table.writerows([[row.get(name, "") for name in columns] for row in rows])
    return text.getvalue()


def samples_text(micro: MicroBenchmark) -> str:
    """The ``--samples`` of lm-evaluation-harness: JSON from task to ascending indices.

    Raises
    ------
    InputError
        If an item has no task, or a doc_id that is no whole number of 0 or above, or two items of
        a task share one.
    """
    samples: dict[str, list[int]] = {}
    for item in micro.items:
        if item.task is None or not isinstance(item.doc_id, int) or item.doc_id < 0:
            raise InputError(
                f"item '{item.id}' has task {_named(item.task)} and doc_id {_named(item.doc_id)}; "
                "the harness's --samples needs a task and a whole number for every item, which "
                "matrices read from its logs have."
            )
        if item.doc_id in samples.setdefault(item.task, []):
            raise InputError(
                f"task '{item.task}' has two items of doc_id {item.doc_id} (the second is "
                f"'{item.id}'), so the harness cannot tell them apart; each needs its own."
            )
        samples[item.task].append(item.doc_id)
    return json.dumps({task: sorted(samples[task]) for task in sorted(samples)}) + "\n"


def _named(value: object) -> str:
    return "none" if value is None else repr(value)
