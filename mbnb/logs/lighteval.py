"""Details files of lighteval since 2025: columns for item, answer and metrics, each a struct.

Source of the schema: lighteval's logging/evaluation_tracker.py, tasks/requests.py (Doc) and
models/model_output.py (ModelResponse). Flat columns, as before, are read in `openllm_v1`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from mbnb.data.errors import InputError
from mbnb.logs.answers import Answers
from mbnb.logs.details import (
    NAME,
    OPTIONS,
    Question,
    is_parquet,
    is_results,
    object_of,
    read_columns,
)
from mbnb.logs.files import COMPANION, LOG, Format, by_file
from mbnb.logs.json_rows import BadRow
from mbnb.logs.literals import unpacked
from mbnb.logs.metrics import listed
from mbnb.logs.options import ReadOptions
from mbnb.logs.parquet_rows import parquet_rows, parquet_schema
from mbnb.logs.rows import answers_of, id_of

_DOC = ("id", "query", "choices", "gold_index")


class _Nested:
    """Structs ``doc``, ``model_response`` and ``metric``, perhaps in underscores, or their text."""

    where = "doc"

    def __init__(self, path: Path) -> None:
        self.schema = parquet_schema(path)
        self.doc, self.response, metric = (
            next((name for name in (part, f"__{part}__") if name in self.schema.names), None)
            for part in ("doc", "model_response", "metric")
        )
        if self.doc is None or metric is None:
            raise InputError(
                f"{path} has not the columns doc and metric of lighteval details; it has "
                f"{listed(self.schema.names)}."
            )
        self.metric = metric
        self.metrics = [metric]
        kind = self.schema.field(metric).type
        self.metric_names = [field.name for field in kind] if pa.types.is_struct(kind) else []

    def fields(self, column: str | None, names: Sequence[str]) -> list[str]:
        """Fields of a column by their path; the column itself where it is text."""
        if column is None or not pa.types.is_struct(self.schema.field(column).type):
            return [column] if column else []
        return [f"{column}.{name}" for name in names]

    def needed(self, metric: str, fields: Sequence[str]) -> list[str]:
        parts = ((self.doc, [*_DOC, *fields]), (self.metric, [metric]))
        columns = [name for column, names in parts for name in self.fields(column, names)]
        return columns + self.fields(self.response, ["logprobs"])

    def metrics_of(self, row: Mapping[str, Any]) -> dict[str, Any]:
        return object_of(row, self.metric)

    def question_of(self, row: Mapping[str, Any]) -> Question:
        doc = object_of(row, self.doc)
        query, choices = doc.get("query"), doc.get("choices")
        return Question(
            id_of(doc.get("id"), "doc.id"),
            None if query is None else [query, choices],
            choices if isinstance(choices, list) else [],
            doc.get("gold_index"),
            unpacked(object_of(row, self.response).get("logprobs")),
            doc,
        )


def _role(path: Path) -> str | None:
    if is_results(path):
        return COMPANION
    if not is_parquet(path):
        return None
    try:
        _Nested(path)
    except InputError:
        return None
    return LOG


def _task(path: Path, options: ReadOptions) -> str:
    """Task by the file's name, or else the one that its first row names."""
    match = NAME.fullmatch(path.name)
    if match:
        return match["task"]
    columns = _Nested(path)
    for _, row in parquet_rows(path, columns.fields(columns.doc, ["task_name"])):
        try:
            task = object_of(row, columns.doc).get("task_name")
        except BadRow:
            break
        if isinstance(task, str) and task:
            return task
        break
    raise InputError(
        f"{path}: neither the file's name (details_TASK_TIME.parquet) nor its first row "
        "(task_name) tells the task."
    )


def read_details(path: Path, options: ReadOptions) -> list[Answers]:
    """Answers of one details file.

    Raises
    ------
    InputError
        See `read_columns`.
    """
    task = _task(path, options)
    rows, _, rest = read_columns(path, _Nested(path), options, task, defaults={}, named=task)
    return [answers_of(rows, **rest)]


FORMAT = Format("lighteval", "lighteval details", _role, by_file(read_details, _task), OPTIONS)
