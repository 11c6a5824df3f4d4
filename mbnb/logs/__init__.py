"""Evaluation logs of many kinds become one response matrix here, one module for each format.

A format says where things stand; how rows become answers (`rows`), and answers a matrix
(`assemble`), is the same for all. A package may bring a format of its own: a `Format`, named by an
entry point of the group ``mbnb.logs``, and a function that reads one file into `Answers`::

    # pyproject.toml: [project.entry-points."mbnb.logs"]  mine = "my_package:FORMAT"

    def role(path: Path) -> str | None:
        return LOG if path.suffix == ".mine" else None

    def task_of(path: Path, options: ReadOptions) -> str:
        return path.stem

    def read(path: Path, options: ReadOptions) -> list[Answers]:
        ids, scores = …
        return [Answers("a model", path.stem, str(path), ids, scores, len(ids), metric="acc")]

    FORMAT = Format("mine", "my logs", role, by_file(read, task_of))
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from importlib.metadata import entry_points
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
from mbnb.logs.files import COMPANION, LOG, Format, Job, by_file, find_files
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


def formats() -> dict[str, Format]:
    """All formats by name: this package's, and those that others bring.

    Raises
    ------
    InputError
        If one of the others cannot be had, or bears the name of another.
    """
    found = dict(FORMATS)
    for entry in entry_points(group="mbnb.logs"):
        try:
            brought = entry.load()
        except Exception as error:  # whatever a foreign module raises
            raise InputError(
                f"the format '{entry.name}' ({entry.value}) cannot be had: {error}."
            ) from error
        if not isinstance(brought, Format) or brought.name in found:
            raise InputError(
                f"the entry point '{entry.name}' ({entry.value}) is no Format, or bears the name "
                "of another."
            )
        found[brought.name] = brought
    # Any CSV is a table, so that tables come last.
    found[tables.FORMAT.name] = found.pop(tables.FORMAT.name)
    return found


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
        One of `formats`; recognised where it is not given.
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
    known = formats()
    if wanted is not None and wanted not in known:
        raise InputError(f"format '{wanted}' is unknown; known: {', '.join(known)}.")
    tried = [known[wanted]] if wanted else list(known.values())
    logs: dict[str, list[Path]] = {}
    for path in files:
        roles = ((fmt.name, fmt.role(path)) for fmt in tried)
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
        kind = f"a log of {tried[0].title}" if wanted else "a log of a known format"
        packed = next((path for path in files if path.suffix in PACKED), None)
        hint = f"; unpack {packed} first" if packed else ""
        passed = "; ".join(f"{n} × {reason}" for reason, n in ignored.items() if reason != UNKNOWN)
        raise InputError(
            f"none of the {len(files)} files{first} is {kind}{hint}; known formats: "
            f"{', '.join(known)}{f' (passed over: {passed})' if passed else ''}."
        )
    [(name, paths)] = logs.items()
    return known[name], paths


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


__all__ = [
    "COMPANION",
    "FORMATS",
    "LOG",
    "Answers",
    "Format",
    "ReadOptions",
    "ReadReport",
    "by_file",
    "formats",
    "read",
]
