"""Details files of the first Open LLM Leaderboard: flat columns, of 2023 and of later.

Both generations and files whose columns were all cast to text are read alike: a column's value
counts, whether it is a value or the text of one. A file's columns bear no item's id that would
hold for all models, and rows stand in the order in which they were run. So an item is what was
asked: `example` (a data set's id in some files, the question in most), or else `query` or
`full_prompt`. Questions that stand more than once (MMLU has 27) are numbered by their options,
right option and place, and stay as many items as they are.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
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

_TASK = re.compile(r"harness[|_](?P<task>.+?)[|_](?P<shots>\d+)")
_QUESTIONS = ("example", "query", "full_prompt")
# Metrics by name, since in a file that was cast to text every column is text.
_METRICS = ("acc", "acc_norm", "mc1", "mc2", "em", "f1", "exact_match", "qem", "brier_score")
_NO_METRICS = {
    *("gold", "gold_index", "num_asked_few_shots", "num_effective_few_shots", "padded"),
    *("truncated", "example", "query", "full_prompt", "choices", "predictions", "id", "doc_id"),
}
# What the leaderboard shows of its tasks; of TruthfulQA authors take one or the other.
_LEADERBOARD = {
    "arc*": "acc_norm",
    "hellaswag*": "acc_norm",
    "hendrycksTest*": "acc",
    "winogrande*": "acc",
    "gsm8k*": "acc",
}
# TruthfulQA's options are those of two tests, one after the other.
_TWO_LISTS = ("mc1", "mc2")
# A question this short serves as a name; of a longer one the fingerprint does.
_SHORT = 48


@dataclass(frozen=True)
class _Scores:
    """Where a file holds its metrics: in columns of their own, in ``metrics``, or flat.

    Attributes
    ----------
    columns : dict of str to str
        Column of each metric that has one (``acc``, or ``metrics.acc``).
    packed : {"", "struct", "text"}
        As what a column ``metrics`` holds the others, if it does.
    """

    columns: dict[str, str]
    packed: str

    @classmethod
    def of(cls, schema: pa.Schema) -> _Scores:
        columns = {}
        for field in schema:
            if field.name.startswith("metrics."):
                columns[field.name.removeprefix("metrics.")] = field.name
            elif field.name in _METRICS or (
                field.name not in _NO_METRICS
                and not field.name.startswith("__")
                and (
                    pa.types.is_floating(field.type)
                    or pa.types.is_integer(field.type)
                    or pa.types.is_boolean(field.type)
                )
            ):
                columns.setdefault(field.name, field.name)
        if "metrics" not in schema.names:
            return cls(columns, "")
        return cls(
            columns, "struct" if pa.types.is_struct(schema.field("metrics").type) else "text"
        )

    def __bool__(self) -> bool:
        return bool(self.columns or self.packed)

    def of_row(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """All metrics of a row, whatever their place.

        Raises
        ------
        BadRow
            If ``metrics`` is no object.
        """
        packed = unpacked(row.get("metrics")) if self.packed else {}
        if packed is not None and not isinstance(packed, dict):
            raise BadRow(f"has as metrics no object but {type(packed).__name__}")
        own = {name: unpacked(row.get(column)) for name, column in self.columns.items()}
        return own | (packed or {})

    def needed(self, metric: str) -> list[str]:
        """Columns that hold one metric."""
        if metric in self.columns:
            return [self.columns[metric]]
        return [f"metrics.{metric}"] if self.packed == "struct" else ["metrics"]


def _fits(schema: pa.Schema) -> bool:
    return any(name in schema.names for name in _QUESTIONS) and bool(_Scores.of(schema))


def _role(path: Path) -> str | None:
    if is_results(path):
        return COMPANION
    # By its name it is meant to be one: if its columns or its bytes are not, that is to be told.
    if NAME.fullmatch(path.name):
        return LOG
    if not is_parquet(path):
        return None
    try:
        schema = parquet_schema(path)
    except InputError:
        return None
    known = {"predictions", "full_prompt", "gold_index", "hashes"} & set(schema.names)
    return LOG if len(known) > 1 and _fits(schema) else None


def _jobs(paths: Sequence[Path], options: ReadOptions) -> list[Job]:
    named = [(path, *_named(path)) for path in paths]
    wanted = [entry for entry in named if options.wants(entry[2])]
    if not wanted:
        there = ", ".join(sorted({task for _, _, task, _, _ in named}))
        raise InputError(
            f"no log is of task {', '.join(options.tasks)}; the tasks there are: {there}."
        )
    return [job(read_details, *entry, options) for entry in wanted]


FORMAT = Format(
    "openllm-v1",
    "Open LLM Leaderboard details (first leaderboard)",
    _role,
    _jobs,
    frozenset({"reduce", "subtask_field", "content_field"}),
)


def _named(path: Path) -> tuple[str, str, str, str]:
    """Task as the file names it, and its own name, examples in the prompt, and time."""
    match = NAME.fullmatch(path.name)
    if not match:
        raise InputError(
            f"{path}: the name does not tell the task; expected is "
            "details_harness|TASK|SHOTS_TIME.parquet."
        )
    return match["task"], *split_task(match["task"]), match["time"]


def split_task(name: str) -> tuple[str, str]:
    """A task's own name and the examples in its prompt, from ``harness|TASK|SHOTS``."""
    parts = _TASK.fullmatch(name)
    return (parts["task"], parts["shots"]) if parts else (name, "")


def read_details(
    path: Path, name: str, task: str, shots: str, time: str, options: ReadOptions
) -> list[Answers]:
    """Answers of one details file.

    Raises
    ------
    InputError
        If the columns are of neither generation, a row cannot be read (and that is not to be
        skipped), or the metric has to be named.
    """
    schema = parquet_schema(path)
    if not _fits(schema):
        raise InputError(
            f"{path} has the columns of no details file that is known: a column of questions "
            f"({', '.join(_QUESTIONS)}) and one of scores (acc, metrics, metrics.acc …); it has "
            f"{listed(schema.names)}."
        )
    scores = _Scores.of(schema)
    measure = _measure(path, schema, scores, task, options)
    more = [name for name in (options.subtask_field, options.content_field) if name]
    question = next(name for name in _QUESTIONS if name in schema.names)
    wanted = [question, "query", "choices", "gold", "gold_index", "predictions", *more]
    wanted += scores.needed(measure.name)
    take = partial(
        _detail, question=question, scores=scores, measure=measure, task=task, options=options
    )
    told = origin(path, name, time)
    found, numbers, n_bad = collect(path, list(dict.fromkeys(wanted)), take, options)
    version = ", ".join(filter(None, [told.version, shots and f"{shots}-shot"]))
    return [
        answers_of(
            _numbered(found),
            numbers,
            n_bad,
            model=told.model,
            task=task,
            source=str(path),
            metric=measure.label,
            run=time,
            expected=told.expected,
            versions={"task": version} if version else {},
        )
    ]


def _measure(
    path: Path, schema: pa.Schema, scores: _Scores, task: str, options: ReadOptions
) -> Measure:
    columns = [*scores.columns.values(), *(["metrics"] * bool(scores.packed))]
    first: dict[str, Any] = {}
    for number, row in parquet_rows(path, columns):
        try:
            first = scores.of_row(row)
            break
        except BadRow as fault:
            if options.on_bad == "error":
                raise InputError(f"{path}, row {number}: the row {fault}.") from None
    names = list(first)
    if scores.packed == "struct":
        names += [f.name for f in schema.field("metrics").type if f.name not in first]
    sample = {name: first.get(name) for name in names}
    return choose_measure(sample, names, options, task, _LEADERBOARD, str(path))


def _detail(
    row: dict[str, Any],
    question: str,
    scores: _Scores,
    measure: Measure,
    task: str,
    options: ReadOptions,
) -> Detail:
    asked = row.get("query") if row.get(question) is None else row[question]
    if isinstance(asked, bool) or not isinstance(asked, (int, str)) or asked == "":
        raise BadRow(f"has no {question} that is a text or a whole number (given: {asked!r})")
    score = measure.score(scores.of_row(row))
    choices = unpacked(row.get("choices"))
    if options.content_field is not None:
        content = fingerprint(field_of(row, options.content_field, "its columns"))
    elif isinstance(choices, list):
        content = fingerprint([row.get("query") or asked, choices])
    else:
        content = fingerprint(row["query"]) if row.get("query") else ""
    subtask = task
    if options.subtask_field is not None:
        subtask = str(field_of(row, options.subtask_field, "its columns"))
    values = numbers_of(unpacked(row.get("predictions")))
    gold = unpacked(row["gold_index"] if "gold_index" in row else row.get("gold"))
    detail = Detail(_item(asked), score, content, subtask, order=(choices, gold))
    if values is None or measure.name in _TWO_LISTS:
        return detail
    if isinstance(choices, list):
        if len(choices) != len(values):
            return detail
        if "gold_index" not in row and isinstance(gold, list):
            gold = [k for k, text in enumerate(choices) if text in gold]
    share = gold_share(values, golds_of(gold, len(values)))
    confidence = math.nan if math.isnan(score) else share
    return replace(detail, confidence=confidence, n_options=len(values))


def _item(asked: int | str) -> str:
    text = str(asked)
    return text if len(text) <= _SHORT and text.isprintable() else fingerprint(text)


def _numbered(found: Sequence[Detail]) -> list[Detail]:
    """Items with ids of their own, also where one question stands more than once."""
    places: dict[str, list[int]] = {}
    for position, row in enumerate(found):
        places.setdefault(row.item, []).append(position)
    named = list(found)
    for item, positions in places.items():
        if len(positions) == 1:
            continue
        ordered = sorted(positions, key=lambda k: [repr(part) for part in found[k].order])
        for number, position in enumerate(ordered[1:], start=2):
            named[position] = replace(found[position], item=f"{item} ({number})")
    return named
