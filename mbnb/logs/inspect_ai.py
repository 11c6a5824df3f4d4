"""Logs of Inspect (inspect_ai): `.eval` archives and their JSON form.

Source of the schema: inspect_ai/log/_log.py and inspect_ai/log/_recorders/eval.py.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from mbnb.data.errors import InputError
from mbnb.logs.answers import BAD_ROW, Answers
from mbnb.logs.files import LOG, Format, Job, beginning, job
from mbnb.logs.inspect_content import FIELDS, content_of
from mbnb.logs.inspect_files import LogFile, Sample, open_log, read_header
from mbnb.logs.inspect_values import Scorer, choose_scorer
from mbnb.logs.json_rows import BadRow
from mbnb.logs.options import ReadOptions
from mbnb.logs.replicates import OTHER_REPLICATE, one_answer_each
from mbnb.logs.typed_json import decode, plain
from mbnb.logs.values import shortened
from mbnb.logs.zip_members import Archive

_EVAL = re.compile(rb'(?<!\\)"eval"\s*:\s*\{')
# Headers of many logs, written beside them.
_LISTS = {"logs.json", "listing.json", "eval-set.json"}
UNSCORED_RUN = "sample of a run that ended before anything was scored"


def _role(path: Path) -> str | None:
    if path.suffix == ".eval":
        return LOG
    if path.suffix == ".json" and path.name not in _LISTS:
        start = beginning(path, 1 << 18)
        if _EVAL.search(start) and b'"task"' in start and b'"model"' in start:
            return LOG
    return None


def _jobs(paths: Sequence[Path], options: ReadOptions) -> list[Job]:
    if options.content_field is not None and options.content_field not in FIELDS:
        raise InputError(
            f"content_field '{options.content_field}' is no field of Inspect's samples; they have "
            f"{', '.join(FIELDS)}."
        )
    wanted = list(paths)
    if options.tasks:
        tasks = {path: read_header(path)["task"] for path in paths}
        wanted = [path for path in paths if options.wants(tasks[path])]
        if not wanted:
            raise InputError(
                f"no log is of task {', '.join(options.tasks)}; the tasks there are: "
                f"{', '.join(sorted(set(tasks.values())))}."
            )
    return [job(read_log, path, options) for path in wanted]


FORMAT = Format(
    "inspect",
    "Inspect logs",
    _role,
    _jobs,
    frozenset({"replicates", "errors", "reduce", "subtask_field", "content_field"}),
)


@dataclass
class _Row:
    """One sample, its scores not yet judged."""

    position: int
    id: str
    epoch: int
    values: dict[str, Any]
    errored: bool
    content: str
    subtask: str
    n_choices: int
    score: float = float("nan")


def read_log(path: Path, options: ReadOptions) -> list[Answers]:
    """Answers of one log.

    Raises
    ------
    InputError
        If the file or a sample cannot be read, the scorer, what to do with several epochs or
        with samples that were not scored has to be named, or a sample stands repeatedly.
    """
    with Archive(path) if path.suffix == ".eval" else nullcontext() as archive:
        log = open_log(path, archive)
        rows, n_bad = _rows(log, options)
    scorer = choose_scorer((row.values for row in rows), options, log.eval["task"], str(path))
    if scorer is None:
        return [_unscored(log, rows, n_bad, options)]
    judged = []
    for row in rows:
        try:
            row.score = scorer.score(row.values)
        except BadRow as error:
            _refuse(log, f"sample '{row.id}'", error, options)
            n_bad += 1
        else:
            judged.append(row)
    return [_answers(log, judged, scorer, n_bad, options)]


def _rows(log: LogFile, options: ReadOptions) -> tuple[list[_Row], int]:
    """Samples that can be read, and the number of those that cannot."""
    rows: list[_Row] = []
    n_bad = 0
    choices: dict[tuple[str, int], Any] | None = None
    for position, (place, data) in enumerate(log.samples(), start=1):
        try:
            sample = decode(data, Sample)
            item, epoch = _key(sample)
            if choices is None:
                unneeded = options.content_field not in (None, "choices")
                choices = {} if sample.choices is not msgspec.UNSET or unneeded else log.choices()
            given = choices.get((item, epoch))
            given = given if sample.choices is msgspec.UNSET else sample.choices
            rows.append(
                _Row(
                    position,
                    item,
                    epoch,
                    _values(sample),
                    sample.error is not None,
                    content_of(sample, given, options.content_field),
                    _subtask(sample, log.eval["task"], options.subtask_field),
                    len(given) if isinstance(given, list) else 0,
                )
            )
        except BadRow as error:
            _refuse(log, place, error, options)
            n_bad += 1
    return rows, n_bad


def _refuse(log: LogFile, place: str, error: BadRow, options: ReadOptions) -> None:
    if options.on_bad == "error":
        raise InputError(
            f"{log.path}, {place}: the sample {error}; mend it, or skip such samples by name "
            "(on_bad=skip)."
        ) from None


def _key(sample: Sample) -> tuple[str, int]:
    if type(sample.id) not in (int, str) or sample.id == "":
        raise BadRow(f"has no id that is a whole number or a text (given: {sample.id!r})")
    if type(sample.epoch) is not int:
        raise BadRow(f"has an epoch that is no whole number ({sample.epoch!r})")
    return str(sample.id), sample.epoch


def _values(sample: Sample) -> dict[str, Any]:
    """Values by scorer."""
    scores = sample.scores
    if scores is None:
        # Early 2024: one score without its scorer's name.
        scores = {} if sample.score is None else {"score": sample.score}
    if not isinstance(scores, dict):
        raise BadRow("has scores that are no object")
    if not all(isinstance(score, dict) for score in scores.values()):
        raise BadRow("has a score that is no object with a value")
    return {name: score.get("value") for name, score in scores.items()}


def _subtask(sample: Sample, task: str, field: str | None) -> str:
    if field is None:
        return task
    metadata = plain(sample.metadata)
    if field not in metadata:
        there = ", ".join(metadata) or "nothing"
        raise BadRow(f"has no field '{field}' in its metadata (there: {there})")
    return str(metadata[field])


def _unscored(log: LogFile, rows: Sequence[_Row], n_bad: int, options: ReadOptions) -> Answers:
    """A run that ended before anything was scored, as one that holds no answers."""
    if log.status == "success":
        raise InputError(
            f"{log.path}: none of its {len(rows):,} samples has a score; score the log first "
            "(inspect score LOG), or leave it out."
        )
    scorers = log.eval.get("scorers")
    names = [plain(one).get("name") for one in scorers] if isinstance(scorers, list) else []
    metric = options.metric_of(log.eval["task"]) or (str(names[0]) if len(names) == 1 else "")
    return _answers(log, [], Scorer(metric), n_bad, options, n_unscored=len(rows))


def _answers(
    log: LogFile,
    rows: Sequence[_Row],
    scorer: Scorer,
    n_bad: int,
    options: ReadOptions,
    n_unscored: int = 0,
) -> Answers:
    notes = _notes(log)
    lacking = [row for row in rows if np.isnan(row.score)]
    if lacking:
        notes.append(_judge_lacking(log, rows, lacking, options))
    found = one_answer_each(
        [row.id for row in rows],
        [row.epoch for row in rows],
        [row.score for row in rows],
        [1] * len(rows),
        options.replicates,
        str(log.path),
        "epoch",
    )
    notes += found.note(log.eval["task"], options.replicates, "epoch")
    kept = [rows[k] for k in found.first]
    reasons = {BAD_ROW: n_bad, OTHER_REPLICATE: found.n_dropped, UNSCORED_RUN: n_unscored}
    expected = plain(log.eval.get("dataset")).get("samples")
    return Answers(
        model=log.eval["model"],
        task=log.eval["task"],
        source=str(log.path),
        ids=[row.id for row in kept],
        scores=found.scores,
        n_read=len(rows) + n_bad + n_unscored,
        rows=found.rows,
        dropped={reason: n for reason, n in reasons.items() if n},
        contents=[row.content for row in kept],
        subtasks=[row.subtask for row in kept],
        n_options=np.array([row.n_choices for row in kept], dtype=np.int64),
        lines=np.array([row.position for row in kept], dtype=np.int64),
        metric=scorer.label,
        run=_time(log.eval.get("created")),
        expected=expected if type(expected) is int and expected > 0 else None,
        versions=_versions(log.eval),
        notes=tuple(notes),
    )


def _judge_lacking(
    log: LogFile, rows: Sequence[_Row], lacking: Sequence[_Row], options: ReadOptions
) -> str:
    """Samples without a score as the choice says; what that does to the mean, as a note."""
    total = sum(row.score for row in rows if not np.isnan(row.score))
    n_scored = len(rows) - len(lacking)
    others = f"{total / n_scored:.3f}" if n_scored else "undefined"
    n_errors = sum(row.errored for row in lacking)
    what = (
        f"{len(lacking):,} of {len(rows):,} samples have no score ({n_errors:,} ended in an error)"
    )
    means = (
        f"errors=missing, which leaves them out (mean {others}), or errors=wrong (mean "
        f"{total / len(rows):.3f})"
    )
    if options.errors is None:
        raise InputError(f"{log.path}: {what}; choose {means}.")
    if options.errors == "wrong":
        for row in lacking:
            row.score = 0.0
    label = f"{log.eval['model']}, {log.eval['task']}"
    return f"{label}: {what}; read with errors={options.errors}, of {means}."


def _notes(log: LogFile) -> list[str]:
    label = f"{log.eval['model']}, {log.eval['task']}"
    notes = []
    if log.status != "success":
        notes.append(
            f"{label}: the run of {_time(log.eval.get('created')) or 'an unknown time'} did not "
            f"end well (status {shortened(log.status)}), so it may lack samples."
        )
    if log.invalidated:
        notes.append(f"{label}: its log is marked as invalidated.")
    if log.reduced:
        notes.append(f"{label}: no samples were logged; read are their scores over all epochs.")
    return notes


def _versions(told: dict[str, Any]) -> dict[str, str]:
    versions = {
        "task": told.get("task_version"),
        "program": plain(told.get("packages")).get("inspect_ai"),
    }
    return {name: str(value) for name, value in versions.items() if value is not None}


def _time(created: Any) -> str:
    """When a run began, in UTC, so that times of several zones sort."""
    if not isinstance(created, str):
        return ""
    try:
        moment = datetime.fromisoformat(created)
        # A time without a zone is taken as it stands.
        return (moment.astimezone(UTC) if moment.tzinfo else moment).isoformat()[:19]
    except (ValueError, OverflowError):
        return shortened(created)
