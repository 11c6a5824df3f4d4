"""Details files of lighteval since 2025: columns for item, answer and metrics, each a struct.

Source of the schema: lighteval's logging/evaluation_tracker.py, tasks/requests.py (Doc) and
models/model_output.py (ModelResponse). Flat columns, as before, are read in `openllm_v1`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa

from mbnb.data.errors import InputError
from mbnb.logs.answers import Answers
from mbnb.logs.details import (
    NAME,
    Detail,
    answers_of,
    collect,
    field_of,
    gold_share,
    golds_of,
    is_parquet,
    is_results,
    listed,
    numbers_of,
)
from mbnb.logs.details_origin import origin
from mbnb.logs.files import COMPANION, LOG, Format, Job, job
from mbnb.logs.json_rows import BadRow
from mbnb.logs.literals import unpacked
from mbnb.logs.metrics import Measure, choose_measure
from mbnb.logs.options import ReadOptions
from mbnb.logs.parquet_rows import parquet_rows, parquet_schema
from mbnb.logs.values import fingerprint

_PARTS = ("doc", "model_response", "metric")
_DOC = ("id", "query", "choices", "gold_index")


@dataclass(frozen=True)
class _Columns:
    """What the three columns are called in a file, and which of them are text."""

    doc: str
    response: str | None
    metric: str
    schema: pa.Schema

    @classmethod
    def of(cls, schema: pa.Schema) -> _Columns | None:
        doc, response, metric = (
            next((name for name in (part, f"__{part}__") if name in schema.names), None)
            for part in _PARTS
        )
        return cls(doc, response, metric, schema) if doc and metric else None

    def fields(self, column: str, names: Sequence[str]) -> list[str]:
        """Fields of a column by their path; the column itself where it is text."""
        if not pa.types.is_struct(self.schema.field(column).type):
            return [column]
        return [f"{column}.{name}" for name in names]


def _role(path: Path) -> str | None:
    if is_results(path):
        return COMPANION
    if not is_parquet(path):
        return None
    try:
        return LOG if _Columns.of(parquet_schema(path)) else None
    except InputError:
        return None


def _jobs(paths: Sequence[Path], options: ReadOptions) -> list[Job]:
    named = [(path, *_named(path)) for path in paths]
    wanted = [entry for entry in named if options.wants(entry[1])]
    if not wanted:
        there = ", ".join(sorted({task for _, task, _ in named}))
        raise InputError(
            f"no log is of task {', '.join(options.tasks)}; the tasks there are: {there}."
        )
    return [job(read_details, path, task, time, options) for path, task, time in wanted]


FORMAT = Format(
    "lighteval",
    "lighteval details",
    _role,
    _jobs,
    frozenset({"reduce", "subtask_field", "content_field"}),
)


def _named(path: Path) -> tuple[str, str]:
    """Task and time by the file's name, or else the task that its first row names."""
    match = NAME.fullmatch(path.name)
    if match:
        return match["task"], match["time"]
    columns = _columns(path)
    for _, row in parquet_rows(path, columns.fields(columns.doc, ["task_name"])):
        try:
            task = _record(row, columns.doc).get("task_name")
        except BadRow:
            break
        if isinstance(task, str) and task:
            return task, ""
        break
    raise InputError(
        f"{path}: neither the file's name (details_TASK_TIME.parquet) nor its first row "
        "(task_name) tells the task."
    )


def _columns(path: Path) -> _Columns:
    schema = parquet_schema(path)
    columns = _Columns.of(schema)
    if columns is None:
        raise InputError(
            f"{path} has not the columns doc and metric of lighteval details; it has "
            f"{listed(schema.names)}."
        )
    return columns


def _record(row: Mapping[str, Any], column: str | None) -> dict[str, Any]:
    """A column's object, also where the writer put it into text; empty where there is none."""
    if column is None:
        return {}
    value = unpacked(row.get(column))
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise BadRow(f"has as {column} no object but {type(value).__name__}")
    return value


def read_details(path: Path, task: str, time: str, options: ReadOptions) -> list[Answers]:
    """Answers of one details file.

    Raises
    ------
    InputError
        If the columns are others, a row cannot be read (and that is not to be skipped), or the
        metric has to be named.
    """
    columns = _columns(path)
    measure = _measure(path, columns, task, options)
    more = [name for name in (options.subtask_field, options.content_field) if name]
    wanted = columns.fields(columns.doc, [*_DOC, *more])
    wanted += columns.fields(columns.metric, [measure.name])
    if columns.response is not None:
        wanted += columns.fields(columns.response, ["logprobs"])
    take = partial(_detail, columns=columns, measure=measure, task=task, options=options)
    found, numbers, n_bad = collect(path, wanted, take, options)
    told = origin(path, task, time)
    return [
        answers_of(
            found,
            numbers,
            n_bad,
            model=told.model,
            task=task,
            source=str(path),
            metric=measure.label,
            run=time,
            expected=told.expected,
            versions={"task": told.version} if told.version else {},
        )
    ]


def _measure(path: Path, columns: _Columns, task: str, options: ReadOptions) -> Measure:
    kind = columns.schema.field(columns.metric).type
    first: dict[str, Any] = {}
    for number, row in parquet_rows(path, [columns.metric]):
        try:
            first = _record(row, columns.metric)
        except BadRow as fault:
            if options.on_bad == "error":
                raise InputError(f"{path}, row {number}: the row {fault}.") from None
        if first:
            break
    names = [field.name for field in kind] if pa.types.is_struct(kind) else list(first)
    sample = {name: first.get(name) for name in names}
    return choose_measure(sample, names, options, task, {}, str(path))


def _detail(
    row: dict[str, Any], columns: _Columns, measure: Measure, task: str, options: ReadOptions
) -> Detail:
    doc = _record(row, columns.doc)
    item = doc.get("id")
    if type(item) not in (int, str) or item == "":
        raise BadRow(f"has no doc.id that is a text or a whole number (given: {item!r})")
    score = measure.score(_record(row, columns.metric))
    if options.content_field is not None:
        content = fingerprint(field_of(doc, options.content_field, "doc"))
    else:
        known = doc.get("query") is not None
        content = fingerprint([doc.get("query"), doc.get("choices")]) if known else ""
    subtask = task
    if options.subtask_field is not None:
        subtask = str(field_of(doc, options.subtask_field, "doc"))
    values = numbers_of(unpacked(_record(row, columns.response).get("logprobs")))
    choices = doc.get("choices")
    if values is None or not isinstance(choices, list) or len(choices) != len(values):
        return Detail(str(item), score, content, subtask)
    share = gold_share(values, golds_of(doc.get("gold_index"), len(values)))
    confidence = math.nan if math.isnan(score) else share
    return Detail(str(item), score, content, subtask, confidence, len(values))
