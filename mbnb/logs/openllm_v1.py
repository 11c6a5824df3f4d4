"""Details files of the first Open LLM Leaderboard: flat columns, of 2023 and of later.

Both generations and files whose columns were all cast to text are read alike: a column's value
counts, whether it is a value or the text of one. A file's columns bear no item's id that would
hold for all models, and rows stand in the order in which they were run. So an item is what was
asked: `example` (a data set's id in some files, the question in most), or else `query` or
`full_prompt`. Questions that stand more than once (MMLU has 27) are numbered by their options,
right option and place, and stay as many items as they are.
"""

from __future__ import annotations

import re
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
from mbnb.logs.literals import unpacked
from mbnb.logs.metrics import listed
from mbnb.logs.options import ReadOptions
from mbnb.logs.parquet_rows import parquet_schema
from mbnb.logs.rows import answers_of, id_of
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
# A question this short serves as a name; of a longer one the fingerprint does.
_SHORT = 48


class _Flat:
    """Metrics in columns of their own (``acc``, ``metrics.acc``) or in one, ``metrics``."""

    where = "its columns"

    def __init__(self, path: Path) -> None:
        schema = parquet_schema(path)
        self.names = schema.names
        flat = [name for name in schema.names if name.startswith("metrics.")]
        self.own = {field.name: field.name for field in schema if _is_metric(field)}
        self.own |= {name.removeprefix("metrics."): name for name in flat}
        self.question = next((name for name in _QUESTIONS if name in schema.names), "")
        self.packed = "metrics" if "metrics" in schema.names else None
        self.metrics = [*self.own.values(), *([self.packed] if self.packed else [])]
        if not self.question or not self.metrics:
            raise InputError(
                f"{path} has the columns of no details file that is known: a column of questions "
                f"({', '.join(_QUESTIONS)}) and one of scores (acc, metrics, metrics.acc …); it "
                f"has {listed(schema.names)}."
            )
        kind = schema.field("metrics").type if self.packed else None
        self.is_struct = kind is not None and pa.types.is_struct(kind)
        self.metric_names = [field.name for field in kind or ()] if self.is_struct else []

    def needed(self, metric: str, fields: Sequence[str]) -> list[str]:
        packed = f"metrics.{metric}" if self.is_struct else "metrics"
        columns = [self.question, "query", "choices", "gold", "gold_index", "predictions", *fields]
        return list(dict.fromkeys([*columns, self.own.get(metric, packed)]))

    def metrics_of(self, row: Mapping[str, Any]) -> dict[str, Any]:
        own = {name: unpacked(row.get(column)) for name, column in self.own.items()}
        return own | object_of(row, self.packed)

    def question_of(self, row: Mapping[str, Any]) -> Question:
        asked = row.get("query") if row.get(self.question) is None else row[self.question]
        choices, query = unpacked(row.get("choices")), row.get("query") or None
        gold = unpacked(row["gold_index"] if "gold_index" in row else row.get("gold"))
        options = choices if isinstance(choices, list) else None
        positions = gold
        if options is not None and "gold_index" not in row and isinstance(gold, list):
            positions = [k for k, text in enumerate(options) if text in gold]
        return Question(
            id_of(asked, self.question),
            query if options is None else [query or asked, options],
            options,
            positions,
            unpacked(row.get("predictions")),
            row,
            order=(repr(choices), repr(gold)),
        )


def _is_metric(field: pa.Field) -> bool:
    kind, name = field.type, field.name
    is_number = pa.types.is_floating(kind) or pa.types.is_integer(kind) or pa.types.is_boolean(kind)
    is_other = name in _NO_METRICS or name.startswith("__")
    return name in _METRICS or (is_number and not is_other)


def _role(path: Path) -> str | None:
    if is_results(path):
        return COMPANION
    # By its name it is meant to be one: if its columns or its bytes are not, that is to be told.
    if NAME.fullmatch(path.name):
        return LOG
    if not is_parquet(path):
        return None
    try:
        names = _Flat(path).names
    except InputError:
        return None
    known = {"predictions", "full_prompt", "gold_index", "hashes"} & set(names)
    return LOG if len(known) > 1 else None


def _parts(path: Path) -> tuple[str, str, str]:
    """Task as the file names it (``harness|TASK|SHOTS``), its own name, examples in the prompt."""
    match = NAME.fullmatch(path.name)
    if not match:
        raise InputError(
            f"{path}: the name does not tell the task; expected is "
            "details_harness|TASK|SHOTS_TIME.parquet."
        )
    parts = _TASK.fullmatch(match["task"])
    return (match["task"], parts["task"], parts["shots"]) if parts else (match["task"],) * 2 + ("",)


def _task(path: Path, options: ReadOptions) -> str:
    return _parts(path)[1]


def read_details(path: Path, options: ReadOptions) -> list[Answers]:
    """Answers of one details file.

    Raises
    ------
    InputError
        If the columns are of neither generation; see `read_columns` too.
    """
    named, task, shots = _parts(path)
    rows, orders, rest = read_columns(
        path, _Flat(path), options, task, defaults=_LEADERBOARD, named=named, shots=shots
    )
    places: dict[str, list[int]] = {}
    for position, row in enumerate(rows):
        if len(row.item) > _SHORT or not row.item.isprintable():
            row.item = fingerprint(row.item)
        places.setdefault(row.item, []).append(position)
        # TruthfulQA's options are those of two tests, one after the other.
        if rest["metric"] in ("mc1", "mc2"):
            row.confidence, row.n_options = float("nan"), 0
    for item, positions in places.items():
        ordered = sorted(positions, key=lambda position: orders[position])
        for number, position in enumerate(ordered[1:], start=2):
            rows[position].item = f"{item} ({number})"
    return [answers_of(rows, **rest)]


FORMAT = Format(
    "openllm-v1",
    "Open LLM Leaderboard details (first leaderboard)",
    _role,
    by_file(read_details, _task),
    OPTIONS,
)
