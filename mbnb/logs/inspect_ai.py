"""Logs of Inspect (inspect_ai): `.eval` archives and their JSON form.

Source of the schema: inspect_ai/log/_log.py and inspect_ai/log/_recorders/eval.py. An archive holds
a member for each sample and rows that sum samples up; these are enough, where they leave no sample
out. What was never finished is read from its journal, and where no samples were logged their scores
over all epochs are read (reductions).
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from mbnb.data.errors import InputError
from mbnb.logs.answers import BAD_ROW, Answers
from mbnb.logs.files import LOG, Format, beginning, by_file
from mbnb.logs.json_rows import BadRow, decode, plain, read_json, under
from mbnb.logs.metrics import choose_measure
from mbnb.logs.options import ReadOptions
from mbnb.logs.rows import (
    OTHER_REPLICATE,
    REPEATED,
    Row,
    answers_of,
    count_bad,
    each,
    field_of,
    id_of,
    one_answer_each,
    unrepeated,
)
from mbnb.logs.values import as_score, fingerprint, shortened
from mbnb.logs.zip_members import Archive

_EVAL = re.compile(rb'(?<!\\)"eval"\s*:\s*\{')
# Headers of many logs, written beside them.
_LISTS = {"logs.json", "listing.json", "eval-set.json"}
_HEADER, _START = "header.json", "_journal/start.json"
_SUMMARIES, _REDUCTIONS = "summaries.json", "reductions.json"
_JOURNAL = re.compile(r"_journal/summaries/(\d{1,9})\.json")
# One member a sample, or a folder of them of which sample.json is the sample.
_SAMPLE = re.compile(r"samples/(?:[^/]+\.json|[^/]+/sample\.json)")
FIELDS = ("input", "choices", "target")
# Where the writer cuts texts for rows that sum samples up.
_CUT = 5120
# Correct, incorrect, partial, no answer; and what its own table takes for true and false.
_LETTERS = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0}
_WORDS = {"yes": 1.0, "no": 0.0, "true": 1.0, "false": 0.0}
UNSCORED_RUN = "sample of a run that ended before anything was scored"


class _Sample(msgspec.Struct):
    """What is read of a sample, or of the row that sums it up."""

    id: Any = None
    epoch: Any = 1
    input: Any = None
    choices: Any = msgspec.UNSET
    target: Any = None
    scores: Any = None
    score: Any = None
    metadata: Any = None
    error: Any = None


class _Header(msgspec.Struct):
    eval: Any = None
    status: Any = None
    invalidated: Any = None


class _Log(_Header):
    samples: list[msgspec.Raw] | None = None
    reductions: Any = None


class _Choices(msgspec.Struct):
    id: Any = None
    epoch: Any = 1
    choices: Any = None


@dataclass
class _Row(Row):
    """A sample, its values by scorer not yet judged."""

    values: dict[str, Any] = field(default_factory=dict)
    errored: bool = False


def _role(path: Path) -> str | None:
    if path.suffix == ".eval":
        return LOG
    if path.suffix == ".json" and path.name not in _LISTS:
        start = beginning(path, 1 << 18)
        if _EVAL.search(start) and b'"task"' in start and b'"model"' in start:
            return LOG
    return None


def value_of(value: Any) -> float:
    """A score's value as a number; NaN where the sample was not scored.

    Parameters
    ----------
    value : Any
        C = 1, I = 0, P = ½, N = 0, yes, no, true and false, a number, a number as text, a truth
        value; None and NaN are no score.

    Raises
    ------
    ValueError
        If it is none of these; the message says what it is.
    """
    if isinstance(value, str):
        if value in _LETTERS:
            return _LETTERS[value]
        if value.strip().lower() in _WORDS:
            return _WORDS[value.strip().lower()]
        if not value.strip():
            raise ValueError("an empty text")
    try:
        return as_score(value)
    except ValueError as error:
        raise ValueError(f"{error}, which is none of C, I, P, N, yes and no") from None


def read_log(path: Path, options: ReadOptions) -> list[Answers]:
    """Answers of one log.

    Raises
    ------
    InputError
        If the file or a sample cannot be read, the scorer, what to do with several epochs, with
        samples that were not scored or that stand repeatedly has to be named.
    """
    if options.content_field not in (None, *FIELDS):
        raise InputError(
            f"content_field '{options.content_field}' is no field of Inspect's samples; they have "
            f"{', '.join(FIELDS)}."
        )
    rows: list[_Row] = []
    n_samples = 0
    with Archive(path) if path.suffix == ".eval" else nullcontext() as archive:
        log = _open(path, archive)
        choices = {}
        if archive is not None and options.content_field in (None, "choices"):
            choices = _choices(archive, log.summed)

        def add(_: str, data: bytes) -> None:
            nonlocal n_samples
            n_samples += 1
            rows.append(_row(n_samples, data, log.told["task"], choices, options))

        n_bad = count_bad(each(log.samples, add), path, options)
    names = sorted({name for row in rows for name in row.values})
    if not names:
        return [_unscored(path, log, rows, n_bad, options)]
    # A value that is a list anywhere shows that its scorer's values are lists.
    values = [value for row in rows for value in row.values.items()]
    example = dict(sorted(values, key=lambda value: isinstance(value[1], list)))
    task = log.told["task"]
    measure = choose_measure(example, names, options, task, {}, str(path), value_of)
    judged: list[_Row] = []

    def judge(_: str, row: _Row) -> None:
        row.score = measure.score(row.values)
        judged.append(row)

    named = ((f"sample '{shortened(row.item)}'", row) for row in rows)
    n_bad += count_bad(each(named, judge), path, options)
    cause = "a sample that failed may have been run again"
    kept, n_repeated = unrepeated(judged, options, path, cause)
    notes = [*log.notes, *_judge_lacking(path, kept, log, options)]
    found, n_other, more = one_answer_each(kept, options, path, task, "epoch")
    dropped = {BAD_ROW: n_bad, REPEATED: n_repeated, OTHER_REPLICATE: n_other}
    return [
        answers_of(
            found,
            dropped,
            source=str(path),
            metric=measure.label,
            notes=(*notes, *more),
            **_rest(log.told),
        )
    ]


def _task(path: Path, options: ReadOptions) -> str:
    if path.suffix != ".eval":
        return str(_told(read_json(path, _Header), path)["task"])
    with Archive(path) as archive:
        return str(_told(_header(archive), path)["task"])


FORMAT = Format(
    "inspect",
    "Inspect logs",
    _role,
    by_file(read_log, _task),
    frozenset({"replicates", "repeat", "errors", "reduce", "subtask_field", "content_field"}),
)


# Samples


def _row(
    position: int,
    data: bytes,
    task: str,
    choices: Mapping[tuple[str, Any], Any],
    options: ReadOptions,
) -> _Row:
    sample = decode(data, _Sample)
    item = id_of(sample.id, "id")
    if type(sample.epoch) is not int:
        raise BadRow(f"has an epoch that is no whole number ({sample.epoch!r})")
    given = sample.choices
    if given is msgspec.UNSET:
        given = choices.get((item, sample.epoch))
    subtask = task
    if options.subtask_field is not None:
        metadata = plain(sample.metadata)
        subtask = str(field_of(metadata, options.subtask_field, "its metadata"))
    return _Row(
        item,
        math.nan,
        position,
        _content(sample, given, options.content_field),
        subtask,
        n_options=len(given) if isinstance(given, list) else 0,
        replicate=sample.epoch,
        values=_values(sample),
        errored=sample.error is not None,
    )


def _values(sample: _Sample) -> dict[str, Any]:
    """Values by scorer, or by scorer and key (``scorer.key``) where a value is an object."""
    scores = sample.scores
    if scores is None:
        # Early 2024: one score without its scorer's name.
        scores = {} if sample.score is None else {"score": sample.score}
    if not isinstance(scores, dict):
        raise BadRow("has scores that are no object")
    if not all(isinstance(score, dict) for score in scores.values()):
        raise BadRow("has a score that is no object with a value")
    found: dict[str, Any] = {}
    for name, score in scores.items():
        value = score.get("value")
        if isinstance(value, dict):
            found |= {f"{name}.{key}": part for key, part in value.items()}
        elif value is not None:
            found[name] = value
    return found


def _content(sample: _Sample, choices: Any, only: str | None) -> str:
    """Fingerprint of a sample's input, choices and target, or of one of them ("" if it has none).

    Texts are compared up to 5,120 characters, since rows that sum samples up hold no more; images
    and the like by their kind.
    """
    given = sample.input
    if given is None:
        return ""
    if not isinstance(given, (str, list)):
        raise BadRow("has an input that is neither a text nor a list of messages")
    if isinstance(given, list):
        messages = map(plain, given)
        given = [[message.get("role"), _parts(message.get("content"))] for message in messages]
    targets = sample.target if isinstance(sample.target, list) else [sample.target]
    content = {
        "input": _cut(given),
        "choices": choices if isinstance(choices, list) else [],
        "target": [_cut(target) for target in targets],
    }
    return fingerprint(content if only is None else content[only])


def _parts(content: Any) -> list[Any]:
    if not isinstance(content, list):
        return [_cut(content)]
    return [
        _cut(part["text"])
        if part.get("type") == "text" and isinstance(part.get("text"), str)
        else f"({str(part.get('type')).capitalize()})"
        for part in map(plain, content)
    ]


def _cut(value: Any) -> Any:
    return value[:_CUT] if isinstance(value, str) else value


def _judge_lacking(
    path: Path, rows: Sequence[_Row], log: _Opened, options: ReadOptions
) -> list[str]:
    """Samples without a score as the choice says; what that does to the mean, as a note."""
    lacking = [row for row in rows if math.isnan(row.score)]
    if not lacking:
        return []
    total = sum(row.score for row in rows if not math.isnan(row.score))
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
        raise InputError(f"{path}: {what}; choose {means}.")
    if options.errors == "wrong":
        for row in lacking:
            row.score = 0.0
    return [f"{log.label}: {what}; read with errors={options.errors}, of {means}."]


def _unscored(
    path: Path, log: _Opened, rows: Sequence[_Row], n_bad: int, options: ReadOptions
) -> Answers:
    """A run that ended before anything was scored, as one that holds no answers."""
    if log.status == "success":
        raise InputError(
            f"{path}: none of its {len(rows):,} samples has a score; score the log first "
            "(inspect score LOG), or leave it out."
        )
    scorers = log.told.get("scorers")
    names = [plain(one).get("name") for one in scorers] if isinstance(scorers, list) else []
    only = str(names[0]) if len(names) == 1 else ""
    metric = options.metric_of(log.told["task"]) or only
    dropped = {BAD_ROW: n_bad, UNSCORED_RUN: len(rows)}
    rest = _rest(log.told)
    return answers_of([], dropped, source=str(path), metric=metric, notes=log.notes, **rest)


# Files


@dataclass
class _Opened:
    """A log: what its header says, its samples as they come, and what to know of them.

    `told` is model, task, data set, time and versions; `summed` the members of whole samples,
    where `samples` are rows that sum them up.
    """

    told: dict[str, Any]
    status: str
    samples: Iterable[tuple[str, bytes]]
    notes: tuple[str, ...]
    summed: Sequence[str] = ()

    @property
    def label(self) -> str:
        return f"{self.told['model']}, {self.told['task']}"


def _open(path: Path, archive: Archive | None) -> _Opened:
    """A log, of which samples are read when they are asked for."""
    summed: list[str] = []
    if archive is None:
        header = log = read_json(path, _Log)
        reductions = log.reductions
        samples: Iterable[tuple[str, bytes]] = (
            (f"sample {n}", bytes(one)) for n, one in enumerate(log.samples or (), start=1)
        )
        has_samples = bool(log.samples)
    else:
        header = _header(archive)
        members = [name for name in archive.names if _SAMPLE.fullmatch(name)]
        rows = _summaries(archive, len(members))
        whole = ((f"member {name}", archive.read(name)) for name in members)
        samples, summed = (whole, []) if rows is None else (rows, members)
        has_samples = bool(rows or members)
        reductions = None
        if not has_samples and _REDUCTIONS in archive:
            reductions = _member(archive, _REDUCTIONS, Any)
    told = _told(header, path)
    status = header.status if isinstance(header.status, str) else "unfinished"
    label = f"{told['model']}, {told['task']}"
    notes = []
    if status != "success":
        notes.append(
            f"{label}: the run of {_time(told.get('created')) or 'an unknown time'} did not end "
            f"well (status {shortened(status)}), so it may lack samples."
        )
    if header.invalidated is True:
        notes.append(f"{label}: its log is marked as invalidated.")
    if not has_samples and reductions:
        samples = _reduced(path, reductions)
        notes.append(f"{label}: no samples were logged; read are their scores over all epochs.")
    return _Opened(told, status, samples, tuple(notes), summed)


def _summaries(archive: Archive, n_samples: int) -> list[tuple[str, bytes]] | None:
    """Rows that sum samples up, of the archive or its journal; None where they leave some out."""
    numbers = {name: match for name in archive.names if (match := _JOURNAL.fullmatch(name))}
    journal = sorted(numbers, key=lambda name: int(numbers[name][1]))
    for names in ([_SUMMARIES] if _SUMMARIES in archive else [], journal):
        rows = [
            (f"member {name}, row {n}", bytes(row))
            for name in names
            for n, row in enumerate(_member(archive, name, list[msgspec.Raw]), start=1)
        ]
        if names and len(rows) >= n_samples:
            return rows
    return None


def _choices(archive: Archive, members: Sequence[str]) -> dict[tuple[str, Any], Any]:
    """Options of each sample, which rows that sum up leave out; none if the first has none."""
    found: dict[tuple[str, Any], Any] = {}
    for name in members:
        one = _member(archive, name, _Choices)
        if not one.choices and not found:
            return {}
        found[str(one.id), one.epoch if type(one.epoch) is int else 1] = one.choices
    return found


def _reduced(path: Path, reductions: Any) -> list[tuple[str, bytes]]:
    """Samples made from scores over all epochs, where nothing else was logged."""
    fault = InputError(f"{path}: its reductions are not laid out as such a log's.")
    groups = [plain(group) for group in (reductions if isinstance(reductions, list) else [None])]
    names = [group.get("scorer") for group in groups]
    values: dict[tuple[type, Any], dict[str, Any]] = {}
    for group in groups:
        name, samples = group.get("scorer"), group.get("samples")
        if not isinstance(name, str) or not isinstance(samples, list):
            raise fault
        if names.count(name) > 1:
            name = f"{name}.{group.get('reducer')}"
        for one in map(plain, samples):
            item = one.get("sample_id")
            if type(item) not in (int, str) or name in values.get((type(item), item), {}):
                raise fault
            values.setdefault((type(item), item), {})[name] = {"value": one.get("value")}
    return [
        ("reduced sample", msgspec.json.encode({"id": item, "scores": scores}))
        for (_, item), scores in values.items()
    ]


def _header(archive: Archive) -> _Header:
    if _HEADER in archive:
        return _member(archive, _HEADER, _Header)
    if _START in archive:
        header = _member(archive, _START, _Header)
        header.status = None
        return header
    raise InputError(
        f"{archive.path} holds neither {_HEADER} nor {_START}; allowed is an archive as Inspect "
        "writes it."
    )


def _told(header: _Header, path: Path) -> dict[str, Any]:
    told = plain(header.eval)
    for name in ("model", "task"):
        if not isinstance(told.get(name), str) or not told[name]:
            raise InputError(f"{path}: its header names no {name} (eval.{name}) as text.")
    return told


def _rest(told: dict[str, Any]) -> dict[str, Any]:
    expected = under(told, "dataset", "samples")
    versions = {
        "task": told.get("task_version"),
        "program": under(told, "packages", "inspect_ai"),
    }
    return {
        "model": told["model"],
        "task": told["task"],
        "run": _time(told.get("created")),
        "expected": expected if type(expected) is int and expected > 0 else None,
        "versions": {name: str(value) for name, value in versions.items() if value is not None},
    }


def _member(archive: Archive, name: str, kind: Any) -> Any:
    try:
        return decode(archive.read(name), kind)
    except BadRow as error:
        raise InputError(f"{archive.path}, member {name} {error}.") from None


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
