"""Inspect's log files, archives and JSON, as a header and light samples; judges nothing."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from mbnb.data.errors import InputError
from mbnb.logs.json_rows import BadRow
from mbnb.logs.typed_json import decode, plain
from mbnb.logs.zip_members import Archive

T = TypeVar("T")

_HEADER, _START = "header.json", "_journal/start.json"
_SUMMARIES, _REDUCTIONS = "summaries.json", "reductions.json"
_JOURNAL = re.compile(r"_journal/summaries/(\d{1,9})\.json")
# One member a sample, or a folder of them of which sample.json is the sample.
_SAMPLE = re.compile(r"samples/(?:[^/]+\.json|[^/]+/sample\.json)")


class Sample(msgspec.Struct):
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
    results: Any = None
    invalidated: Any = None


class _Log(_Header):
    samples: list[msgspec.Raw] | None = None
    reductions: Any = None


@dataclass
class LogFile:
    """A log: what its header says, and its samples as they come.

    Attributes
    ----------
    path : Path
    eval : dict
        Model, task, data set, time and versions.
    status : str
        "success", or how else the run ended; "unfinished" where no header was written.
    invalidated : bool
    samples : callable
        From no argument to an iterator of (place, bytes of one sample or row).
    choices : callable
        From no argument to the options of each sample by (id, epoch), for rows that sum samples
        up and leave these out.
    reduced : bool
        The log holds no samples, only their scores over all epochs.
    """

    path: Path
    eval: dict[str, Any]
    status: str
    invalidated: bool
    samples: Callable[[], Iterator[tuple[str, bytes]]]
    choices: Callable[[], dict[tuple[str, int], Any]] = dict
    reduced: bool = False


def read_header(path: Path) -> dict[str, Any]:
    """What a log's header says of model, task and data set.

    Raises
    ------
    InputError
    """
    if path.suffix == ".eval":
        with Archive(path) as archive:
            return _told(_archive_header(archive), path)
    return _told(_read(path, _Header), path)


def open_log(path: Path, archive: Archive | None) -> LogFile:
    """A log, of which samples are read when they are asked for.

    Parameters
    ----------
    path : Path
    archive : Archive, optional
        The same file opened, where it is an archive.

    Raises
    ------
    InputError
        If it is not laid out as a log.
    """
    if archive is None:
        return _json_log(path)
    header = _archive_header(archive)
    told = _told(header, path)
    members = [name for name in archive.names if _SAMPLE.fullmatch(name)]
    journal = sorted(
        (name for name in archive.names if _JOURNAL.fullmatch(name)),
        key=lambda name: int(_JOURNAL.fullmatch(name)[1]),  # type: ignore[index]
    )
    for names in ([_SUMMARIES] * (_SUMMARIES in archive), journal):
        rows = [row for name in names for row in _member_rows(archive, name)]
        # Rows that sum samples up count only where they leave none of these out.
        if names and len(rows) >= len(members):
            choices = partial(_choices, archive, members)
            return _log(path, told, header, partial(iter, rows), choices)

    def samples() -> Iterator[tuple[str, bytes]]:
        return ((f"member {name}", archive.read(name)) for name in members)

    if not members and _REDUCTIONS in archive:
        found = _decoded(archive.read(_REDUCTIONS), Any, f"{path}, member {_REDUCTIONS}")
        return _reduced_log(path, told, header, found)
    return _log(path, told, header, samples, dict)


def _json_log(path: Path) -> LogFile:
    log = _read(path, _Log)
    told = _told(log, path)
    if log.samples:
        raw = log.samples
        return _log(
            path,
            told,
            log,
            lambda: ((f"sample {n}", bytes(one)) for n, one in enumerate(raw, start=1)),
            dict,
        )
    if log.reductions:
        return _reduced_log(path, told, log, log.reductions)
    return _log(path, told, log, lambda: iter(()), dict)


def _log(
    path: Path,
    told: dict[str, Any],
    header: _Header,
    samples: Callable[[], Iterator[tuple[str, bytes]]],
    choices: Callable[[], dict[tuple[str, int], Any]],
) -> LogFile:
    status = header.status if isinstance(header.status, str) else "unfinished"
    return LogFile(path, told, status, header.invalidated is True, samples, choices)


def _reduced_log(path: Path, told: dict[str, Any], header: _Header, found: Any) -> LogFile:
    """Samples made from scores over all epochs, where nothing else was logged."""
    values: dict[tuple[type, Any], dict[str, Any]] = {}
    fault = f"{path}: its reductions are not laid out as such a log's."
    groups = found if isinstance(found, list) else [None]
    names = [plain(group).get("scorer") for group in groups]
    for group in groups:
        name, samples = plain(group).get("scorer"), plain(group).get("samples")
        if not isinstance(name, str) or not isinstance(samples, list):
            raise InputError(fault)
        if names.count(name) > 1:
            name = f"{name}.{plain(group).get('reducer')}"
        for one in samples:
            item = plain(one).get("sample_id")
            if type(item) not in (int, str) or name in values.get((type(item), item), {}):
                raise InputError(fault)
            values.setdefault((type(item), item), {})[name] = {"value": plain(one).get("value")}
    encode = msgspec.json.encode
    rows = [
        (f"reduced sample {n}", encode({"id": item, "scores": scores}))
        for n, ((_, item), scores) in enumerate(values.items(), start=1)
    ]
    log = _log(path, told, header, lambda: iter(rows), dict)
    log.reduced = True
    return log


def _archive_header(archive: Archive) -> _Header:
    for name in (_HEADER, _START):
        if name in archive:
            header = _decoded(archive.read(name), _Header, f"{archive.path}, member {name}")
            if name == _START:
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


def _member_rows(archive: Archive, name: str) -> Iterator[tuple[str, bytes]]:
    where = f"{archive.path}, member {name}"
    raw = _decoded(archive.read(name), list[msgspec.Raw], where)
    return ((f"member {name}, row {n}", bytes(one)) for n, one in enumerate(raw, start=1))


class _Choices(msgspec.Struct):
    id: Any = None
    epoch: Any = 1
    choices: Any = None


def _choices(archive: Archive, members: Sequence[str]) -> dict[tuple[str, int], Any]:
    """Options of each sample; none at all where the first sample has none."""
    found: dict[tuple[str, int], Any] = {}
    for name in members:
        one = _decoded(archive.read(name), _Choices, f"{archive.path}, member {name}")
        if not one.choices and not found:
            return {}
        found[str(one.id), one.epoch if type(one.epoch) is int else 1] = one.choices
    return found


def _read(path: Path, kind: type[T]) -> T:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.") from None
    return _decoded(data, kind, str(path))


def _decoded(data: bytes, kind: type[T], where: str) -> T:
    try:
        return decode(data, kind)
    except BadRow as error:
        raise InputError(f"{where} {error}.") from None
