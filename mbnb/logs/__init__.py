"""Evaluation logs of many kinds become one response matrix here, one module for each format."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from joblib import Parallel, delayed
from tqdm import tqdm

from mbnb.data.errors import InputError
from mbnb.data.responses import ResponseMatrix
from mbnb.logs import (
    every_eval_ever,
    helm,
    inspect_ai,
    lighteval,
    lm_eval,
    openllm_v1,
    paper_arrays,
    swebench,
    tables,
)
from mbnb.logs.answers import Answers, ReadReport
from mbnb.logs.assemble import assemble
from mbnb.logs.files import COMPANION, LOG, Format, Job, find_files
from mbnb.logs.options import ReadOptions
from mbnb.logs.values import as_message

# Where two could claim a file the first does: tables come last, since any CSV is a table.
FORMATS: dict[str, Format] = {
    module.FORMAT.name: module.FORMAT
    for module in (
        lm_eval,
        lighteval,
        openllm_v1,
        helm,
        inspect_ai,
        paper_arrays,
        swebench,
        every_eval_ever,
        tables,
    )
}
PACKED = (".gz", ".xz", ".bz2", ".zst", ".zip", ".tar", ".tgz")
UNKNOWN = "not recognised"
_ALWAYS = {"how", "on_bad", "tasks", "binarise", "mixed_versions", "run", "metric"}


def read(
    *paths: str | Path,
    format: str | None = None,
    name: str | None = None,
    n_jobs: int = 1,
    **choices: Any,
) -> tuple[ResponseMatrix, ReadReport]:
    """Read evaluation logs.

    Parameters
    ----------
    *paths : str or Path
        Log files, or folders of them.
    format : str, optional
        One of `FORMATS`; recognised where it is not given.
    name : str, optional
        What captions call the data; the last path's name where it is not given.
    n_jobs : int
        Processes.
    **choices
        See `ReadOptions`: how, on_bad, metric, filter, repeat, run, tasks, subtask_field,
        replicates, errors, reduce, perturbed, items, mixed_versions, verify, binarise.

    Returns
    -------
    (ResponseMatrix, ReadReport)
        The same for any order of files and rows, and any number of processes.

    Raises
    ------
    InputError
        If nothing is recognised, a choice means nothing for the format, or the logs cannot be
        read as they are; the message says where and what would help.
    """
    try:
        options = ReadOptions(**choices)
    except TypeError:
        known = list(ReadOptions.__dataclass_fields__)
        unknown = next(choice for choice in choices if choice not in known)
        raise InputError(f"read has no choice '{unknown}'; it has {', '.join(known)}.") from None
    if not paths:
        raise InputError("no log is given; give files, or folders of them.")
    files, ignored = find_files(paths)
    chosen, logs = _recognise(files, ignored, format)
    meaningless = sorted(set(options.given()) - _ALWAYS - chosen.options)
    if meaningless:
        raise InputError(
            f"'{meaningless[0]}' means nothing for {chosen.title}; it heeds "
            f"{', '.join(sorted(_ALWAYS | chosen.options))}."
        )
    try:
        return assemble(
            _work(chosen.jobs(logs, options), n_jobs),
            options,
            format=chosen.title,
            n_files=len(logs),
            ignored=dict(ignored),
            name=name or Path(paths[-1]).resolve().name,
        )
    except InputError as error:
        raise InputError(as_message(str(error))) from None


def _recognise(
    files: Sequence[Path], ignored: Counter[str], wanted: str | None
) -> tuple[Format, list[Path]]:
    """The format of the logs, and the files that are logs of it."""
    if wanted is not None and wanted not in FORMATS:
        raise InputError(f"format '{wanted}' is unknown; known: {', '.join(FORMATS)}.")
    formats = [FORMATS[wanted]] if wanted else list(FORMATS.values())
    logs: dict[str, list[Path]] = {}
    for path in files:
        roles = ((fmt.name, fmt.role(path)) for fmt in formats)
        name, role = next(((n, r) for n, r in roles if r), ("", None))
        if role == LOG:
            logs.setdefault(name, []).append(path)
        elif role == COMPANION:
            ignored["stands beside a log and holds no answers"] += 1
        else:
            ignored[UNKNOWN] += 1
    if len(logs) > 1:
        found = "; ".join(
            f"{len(paths)} of {name}, such as {paths[0]}" for name, paths in logs.items()
        )
        raise InputError(
            f"the files are logs of {len(logs)} formats ({found}); name one format, or read them "
            "apart."
        )
    if not logs:
        first = f", such as {files[0]}" if files else ""
        kind = f"a log of {formats[0].title}" if wanted else "a log of a known format"
        packed = next((path for path in files if path.suffix in PACKED), None)
        hint = f"; unpack {packed} first" if packed else ""
        passed = "; ".join(f"{n} × {reason}" for reason, n in ignored.items() if reason != UNKNOWN)
        raise InputError(
            f"none of the {len(files)} files{first} is {kind}{hint}; known formats: "
            f"{', '.join(FORMATS)}{f' (passed over: {passed})' if passed else ''}."
        )
    [(name, paths)] = logs.items()
    return FORMATS[name], paths


def _work(jobs: Sequence[Job], n_jobs: int) -> Any:
    """Answers of all jobs, in their order, as they come."""
    if n_jobs > 1 and len(jobs) > 1:
        calls = (delayed(piece)() for piece in jobs)
        results = Parallel(n_jobs=min(n_jobs, len(jobs)), return_as="generator")(calls)
    else:
        results = (piece() for piece in jobs)
    with tqdm(results, total=len(jobs), desc="reading", unit="file", disable=None) as bar:
        for found in bar:
            yield from found


__all__ = ["FORMATS", "Answers", "ReadOptions", "ReadReport", "read"]
