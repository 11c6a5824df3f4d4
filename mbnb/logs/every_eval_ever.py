"""Instance-level records of every_eval_ever, JSON lines in which each row is one answer.

Layout: ``<uuid>_samples.jsonl`` beside ``<uuid>.json``, its aggregate, which is not read. A row is
of task ``evaluation_name`` and one run, ``evaluation_id``; rows from lm-evaluation-harness name a
filter too. Schema: https://github.com/evaleval/every_eval_ever
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from mbnb.data.errors import InputError
from mbnb.logs.answers import BAD_ROW, Answers, counted
from mbnb.logs.files import COMPANION, LOG, Format, Job, beginning, job
from mbnb.logs.json_rows import BadRow, json_rows, plain
from mbnb.logs.options import ReadOptions
from mbnb.logs.values import as_score, fingerprint

OTHER_FILTER = "row of a filter that was not asked for"
_IDS = ("model_id", "evaluation_name", "sample_id")
_FIELDS = ("evaluation_id", "sample_hash", "input", "evaluation", "error", "metadata")
_METRICS = ("is_correct", "score")


def _role(path: Path) -> str | None:
    if path.suffix == ".json" and path.with_name(f"{path.stem}_samples.jsonl").is_file():
        return COMPANION
    start = beginning(path, 1 << 16)
    marks = (b'"evaluation_id"', b'"model_id"', b'"evaluation_name"', b'"sample_id"')
    return LOG if path.suffix == ".jsonl" and all(mark in start for mark in marks) else None


def _jobs(paths: Sequence[Path], options: ReadOptions) -> list[Job]:
    # Which tasks there are is known once all files were read.
    groups = [list(paths)] if options.tasks else [[path] for path in paths]
    return [job(read_records, group, options) for group in groups]


FORMAT = Format(
    "every-eval-ever",
    "every_eval_ever instance-level records",
    _role,
    _jobs,
    frozenset({"filter", "errors", "subtask_field"}),
)


def read_records(paths: Sequence[Path], options: ReadOptions) -> list[Answers]:
    """Answers of some files; those that hold none of the tasks that are wanted are passed over.

    Raises
    ------
    InputError
        If a row cannot be read (and that is not to be skipped), a model has rows of several filters
        for one task, or no file holds a task that is wanted.
    """
    found: list[Answers] = []
    tasks: set[str] = set()
    for path in paths:
        groups: dict[tuple[str, str, str], list[dict[str, Any]]] = {}

        def add(line: int, row: Mapping[str, Any], groups: Any = groups) -> None:
            key, record = _record(line, row, options)
            groups.setdefault(key, []).append(record)

        bad = list(json_rows(path, (*_IDS, *_FIELDS), add))
        if bad and options.on_bad == "error":
            raise InputError(
                f"{path}, line {bad[0][0]}: the row {bad[0][1]}; mend it, or skip such rows by "
                "name (on_bad=skip)."
            )
        if not groups:
            raise InputError(f"{path} holds no row that can be read.")
        lost = {BAD_ROW: len(bad)} if bad else {}
        for (model, task, run), rows in groups.items():
            tasks.add(task)
            if options.wants(task):
                found.append(_answers(path, model, task, run, rows, lost, options))
                lost = {}  # what a file loses is told once, with its first answers
    if not found:
        raise InputError(
            f"no log is of task {', '.join(options.tasks)}; the tasks there are: "
            f"{', '.join(sorted(tasks))}."
        )
    return found


def _record(
    line: int, row: Mapping[str, Any], options: ReadOptions
) -> tuple[tuple[str, str, str], dict[str, Any]]:
    """Model, task and run of a row, and what it holds."""
    for name in _IDS:
        if not isinstance(row.get(name), str) or not row[name].strip():
            raise BadRow(f"has no text as '{name}', or an empty one")
    judged, told = plain(row.get("evaluation")), plain(row.get("metadata"))
    # An error is no wrong answer, whatever stands beside it.
    is_error = bool(row.get("error")) and options.errors != "wrong"
    record: dict[str, Any] = {"line": line, "item": row["sample_id"], "is_error": is_error}
    for name in _METRICS:
        try:
            record[name] = np.nan if is_error else as_score(judged.get(name))
        except ValueError as error:
            raise BadRow(f"has as {name} {error}") from None
    chosen = str(told.get("filter") or "none")
    record["filter"] = "" if chosen == "none" else chosen
    record["content"] = fingerprint(row.get("sample_hash") or row.get("input"))
    record["subtask"] = str(told.get(options.subtask_field or "") or "")
    task = row["evaluation_name"].removesuffix(f"/{chosen}")
    return (row["model_id"], task, str(row.get("evaluation_id") or "")), record


def _answers(
    path: Path,
    model: str,
    task: str,
    run: str,
    rows: list[dict[str, Any]],
    lost: dict[str, int],
    options: ReadOptions,
) -> Answers:
    """One model's answers to one task in one run."""
    filters = sorted({row["filter"] for row in rows})
    chosen = options.filter or filters[0]
    if chosen not in filters or (len(filters) > 1 and options.filter is None):
        listed = ", ".join(name or "none" for name in filters)
        raise InputError(
            f"{path} holds rows of '{task}' by the filters {listed}; name one of them (filter)."
        )
    kept = [row for row in rows if row["filter"] == chosen]
    if len(kept) < len(rows):
        lost = {**lost, OTHER_FILTER: len(rows) - len(kept)}
    metric = options.metric_of(task)
    if metric not in (None, *_METRICS):
        raise InputError(f"{path} has no metric '{metric}'; it has {', '.join(_METRICS)}.")
    scores = {name: np.array([row[name] for row in kept], dtype=float) for name in _METRICS}
    unlike = ~np.isclose(scores["is_correct"], scores["score"], atol=0, equal_nan=True)
    if metric is None and unlike.any():
        raise InputError(
            f"{path} holds 2 metrics ({', '.join(_METRICS)}), which differ in {int(unlike.sum())} "
            f"of {len(kept)} rows of '{task}'; name the one that is the score (metric)."
        )
    n_errors = sum(row["is_error"] for row in kept)
    note = (
        f"{path}: {counted(n_errors, 'answer')} to '{task}' ended in an error and count as missing "
        "(errors=wrong takes what is logged instead)."
    )
    return Answers(
        model=model,
        task=task,
        source=str(path),
        ids=[row["item"] for row in kept],
        scores=scores[metric or "is_correct"],
        n_read=len(kept) + sum(lost.values()),
        dropped=lost,
        contents=[row["content"] for row in kept],
        subtasks=[row["subtask"] for row in kept],
        lines=np.array([row["line"] for row in kept]),
        metric=metric or "is_correct",
        filter=chosen,
        run=run,
        notes=(note,) if n_errors else (),
    )
