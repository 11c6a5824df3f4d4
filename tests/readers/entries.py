"""Made-up answers that each format's writer puts into logs, for tests that all readers share."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

OPTIONS = 4


@dataclass(frozen=True)
class Entry:
    """One answer.

    `score` None: the row is there and holds no score. `gold` is the position of the right option
    in this row, `confidence` the probability given to it, for formats that log options; `content`
    is the item's text where it is to differ from what the other models saw.
    """

    item: int
    score: float | None
    task: str = "algebra"
    gold: int = 0
    confidence: float = 0.4
    content: str = ""

    @property
    def text(self) -> str:
        return self.content or f"question {self.task} {self.item}"


Logs = dict[str, list[Entry]]


@dataclass(frozen=True)
class Writer:
    """How logs of one format are written.

    Attributes
    ----------
    format : str
        Name of the format in `FORMATS`.
    write : callable
        ``write(folder, logs)``: writes logs of all models into the empty folder, rows in the order
        of the entries. A model's name is to stand in the content only, wherever the format has it
        there: folders and files get names that say nothing of it.
    choices : mapping
        What `read` has to be told to read them.
    columns : frozenset of str
        What the format can hold: "null" (a row without a score), "confidence", "content" (the
        item's text, so that one id with two contents is seen), "graded", "metric" (there are
        several to choose from), "tasks" (more than one), "model" (the model's name stands in the
        content), "gaps" (a model may lack an item), "twice" (an item can stand twice).
    variant : str
        Tells writers of one format apart.
    """

    format: str
    write: Callable[[Path, Logs], Any]
    choices: Mapping[str, Any] = field(default_factory=dict)
    columns: frozenset[str] = frozenset()
    variant: str = ""

    @property
    def label(self) -> str:
        return f"{self.format} {self.variant}".strip()


def example(graded: bool = False) -> Logs:
    """Three models, two tasks of four and two items."""
    draw = random.Random(7)
    names = ["org/model-a", "org/model_b", "model c"]
    logs: Logs = {}
    for name in names:
        entries = []
        for task, n in (("algebra", 4), ("logic", 2)):
            for item in range(n):
                score = draw.choice([0.0, 0.25, 1.0] if graded else [0.0, 1.0])
                gold = draw.randrange(OPTIONS)
                confidence = round(draw.uniform(0.05, 0.95), 3)
                entries.append(Entry(item, score, task, gold, confidence))
        logs[name] = entries
    return logs


def change(logs: Logs, model: str, position: int, **changes: Any) -> Logs:
    """The same logs with one entry changed."""
    entries = list(logs[model])
    entries[position] = replace(entries[position], **changes)
    return {**logs, model: entries}


def shuffled(logs: Logs, seed: int) -> Logs:
    """The same logs with models and entries in another order."""
    draw = random.Random(seed)
    models = list(logs)
    draw.shuffle(models)
    return {model: draw.sample(logs[model], len(logs[model])) for model in models}
