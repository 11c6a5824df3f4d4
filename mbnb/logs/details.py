"""Details files, one Parquet file a task: what both generations of their columns share."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from mbnb.data.errors import InputError
from mbnb.logs.answers import BAD_ROW
from mbnb.logs.files import beginning
from mbnb.logs.json_rows import BadRow, read_json, under
from mbnb.logs.literals import unpacked
from mbnb.logs.metrics import choose_measure
from mbnb.logs.options import ReadOptions
from mbnb.logs.parquet_rows import parquet_rows
from mbnb.logs.rows import Row, count_bad, each, field_of
from mbnb.logs.values import as_score, fingerprint, gold_share, model_of_folder

NAME = re.compile(r"details_(?P<task>.+)_(?P<time>\d{4}-\d\d-\d\dT[\d.:-]+)\.parquet")
OPTIONS = frozenset({"reduce", "subtask_field", "content_field"})


@dataclass(frozen=True)
class Question:
    """What a row asks: its item's id, content, options, right ones (positions), log-likelihoods.

    `content` None: not known; `options` None: not logged. `fields` are those that a choice may
    name, `order` tells rows apart in which the same is asked.
    """

    id: str
    content: Any
    options: list[Any] | None
    golds: Any
    likelihoods: Any
    fields: Mapping[str, Any]
    order: tuple[str, ...] = ()


class Columns(Protocol):
    """Where files of one generation hold things."""

    metrics: list[str]
    """The columns of metrics."""

    metric_names: list[str]
    """The metrics that the schema names; a row may name more."""

    where: str
    """Where fields that a choice names are looked for, for messages."""

    def needed(self, metric: str, fields: Sequence[str]) -> list[str]:
        """The columns from which one metric and some more fields are read."""

    def metrics_of(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """All metrics of a row."""

    def question_of(self, row: Mapping[str, Any]) -> Question:
        """What a row asks."""


def is_parquet(path: Path) -> bool:
    return path.suffix == ".parquet" and beginning(path, 4) == b"PAR1"


def is_results(path: Path) -> bool:
    """Whether it is the file of results that may stand beside details."""
    return re.fullmatch(r"results_\d{4}-\d\d-\d\dT[\d.:-]+\.json", path.name) is not None


def read_columns(
    path: Path,
    columns: Columns,
    options: ReadOptions,
    task: str,
    *,
    defaults: Mapping[str, str],
    named: str,
    shots: str = "",
) -> tuple[list[Row], list[tuple[str, ...]], dict[str, Any]]:
    """Rows of one file, their `order`, and what `answers_of` wants beside them.

    Raises
    ------
    InputError
        If the file is broken, a row is and that is not to be skipped, or the metric has to be
        named.
    """
    first: dict[str, Any] = {}
    for number, row in parquet_rows(path, columns.metrics):
        try:
            first = columns.metrics_of(row)
        except BadRow as fault:
            if options.on_bad == "error":
                raise InputError(f"{path}, row {number}: the row {fault}.") from None
        if first:
            break
    names = list(dict.fromkeys([*first, *columns.metric_names]))
    measure = choose_measure(first, names, options, task, defaults, str(path))
    more = [name for name in (options.subtask_field, options.content_field) if name]
    rows: list[Row] = []
    orders: list[tuple[str, ...]] = []

    def add(number: int, row: dict[str, Any]) -> None:
        asked = columns.question_of(row)
        score = measure.score(columns.metrics_of(row))
        rows.append(_row(number, asked, score, columns.where, task, options))
        orders.append(asked.order)

    source = parquet_rows(path, columns.needed(measure.name, more))
    n_bad = count_bad(each(source, add), path, options, "row ")
    match = NAME.fullmatch(path.name)
    time = match["time"] if match else ""
    model, version, expected = _origin(path, named, time)
    version = ", ".join(filter(None, [version, shots and f"{shots}-shot"]))
    rest = {
        "dropped": {BAD_ROW: n_bad},
        "model": model,
        "task": task,
        "source": str(path),
        "metric": measure.label,
        "run": time,
        "expected": expected,
        "versions": {"task": version} if version else {},
    }
    return rows, orders, rest


def _row(
    number: int, asked: Question, score: float, where: str, task: str, options: ReadOptions
) -> Row:
    content = "" if asked.content is None else fingerprint(asked.content)
    if options.content_field is not None:
        content = fingerprint(field_of(asked.fields, options.content_field, where))
    subtask = task
    if options.subtask_field is not None:
        subtask = str(field_of(asked.fields, options.subtask_field, where))
    row = Row(asked.id, score, number, content, subtask)
    values = _numbers(asked.likelihoods)
    if values and (asked.options is None or len(asked.options) == len(values)):
        row.n_options = len(values)
        row.confidence = gold_share(values, _golds(asked.golds, len(values)))
    return row


def _numbers(value: Any) -> list[float]:
    """Log-likelihoods, one an option, each alone or with a mark whether it was the greedy answer.

    None of them where the answer was generated: then there are none, or texts in their place.
    """
    if not isinstance(value, list) or len(value) < 2:
        return []
    firsts = [part[0] if isinstance(part, (list, tuple)) and part else part for part in value]
    if any(first is None or isinstance(first, bool) for first in firsts):
        return []
    try:
        return [float(one) if isinstance(one, str) else as_score(one) for one in firsts]
    except ValueError:
        return []


def _golds(value: Any, n_options: int) -> list[int]:
    """Positions of the right options by this row's own word; empty where they cannot be told."""
    found = set()
    for part in value if isinstance(value, list) else [value]:
        if isinstance(part, str) and part.isascii() and part.isdigit() and len(part) < 5:
            part = int(part)
        if isinstance(part, float) and part.is_integer():
            part = int(part)
        if type(part) is not int:
            return []
        if not 0 <= part < n_options:
            raise BadRow(
                f"names option {part} as the right one (counted from 0), but has {n_options} "
                "options"
            )
        found.add(part)
    return sorted(found)


def object_of(row: Mapping[str, Any], column: str | None) -> dict[str, Any]:
    """A column's object, also where the writer put it into text; empty where there is none."""
    value = unpacked(row.get(column)) if column else None
    if value is not None and not isinstance(value, dict):
        raise BadRow(f"has as {column} no object but {type(value).__name__}")
    return value or {}


def _origin(path: Path, task: str, time: str) -> tuple[str, str, int | None]:
    """Model, version of the task ("" = not told), and rows that a whole run has, if known.

    The model's id is that of the results file of the same time, which lies beside the file, one
    folder above, or under ``results`` where the file lies under ``details``. Where there is none
    it is told by a folder ``details_ORG__MODEL``, as repositories are called, by the folders
    between ``details`` and the run's, or by the nearest folder.
    """
    parts = path.resolve().parts[:-1]
    is_run = bool(time) and parts[-1].replace(":", "-") == time.replace(":", "-")
    above = parts[:-1] if is_run and len(parts) > 1 else parts
    inner: tuple[str, ...] = ()
    places = [path.parent, path.parent.parent]
    if "details" in above:
        at = len(above) - 1 - above[::-1].index("details")
        inner = above[at + 1 :]
        places.append(Path(*above[:at], "results", *inner))
    beside = [place / f"results_{time}.json" for place in places]
    there = next((file for file in beside if file.is_file()), None)
    results = read_json(there) if there else {}
    if not isinstance(results, dict):
        raise InputError(f"{there} is not a JSON object.")
    general = results.get("config_general")
    names = [
        under(general, "model_name"),
        under(general, "model_config", "model_name"),
        under(results, "config", "model_name"),
        results.get("model_name"),
    ]
    version = under(results, "versions", task)
    expected = under(results, "config_tasks", task, "original_num_docs")
    return (
        next((name for name in names if isinstance(name, str) and name), "")
        or _by_folders(above, inner),
        "" if version in (None, "", "?") else str(version),
        expected if type(expected) is int and expected > 0 else None,
    )


def _by_folders(above: tuple[str, ...], inner: tuple[str, ...]) -> str:
    for folder in reversed(above):
        repository = folder.rpartition("--")[2] if folder.startswith("datasets--") else folder
        if repository.startswith("details_"):
            return model_of_folder(repository.removeprefix("details_"))
    return "/".join(inner) or above[-1]
