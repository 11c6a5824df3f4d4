"""The arrays that the released code of the study keeps its responses in (NumPy and JSON files).

For each data set ``<ds>``: ``<ds>_models-by-correctness.npy`` (models, items), and perhaps
``<ds>_models-by-confidence.npy`` (models, items, options) with ``<ds>_labels.npy`` (items,), the
names of the models in ``<ds>_model-names-in-order.json``, ``<ds>_models.json`` or
``<ds>_models.txt``, and ``<ds>_subtask-idx-ranges.json``, a list of [start, end) or an object of
such by name. Arrays and labels may end in ``_combined``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import msgspec
import numpy as np

from mbnb.data.errors import InputError
from mbnb.logs.answers import Answers
from mbnb.logs.files import COMPANION, LOG, Format, Job, job
from mbnb.logs.json_rows import read_json
from mbnb.logs.options import ReadOptions
from mbnb.logs.values import shortened

_ARRAY = re.compile(r"(.+)_models-by-(correctness|confidence)(_combined)?\.npy")
_NAMES = ("model-names-in-order.json", "models.json", "models.txt")
_RANGES = "subtask-idx-ranges.json"
_BESIDE = tuple(f"_{end}" for end in ("labels.npy", "labels_combined.npy", *_NAMES, _RANGES))


def _role(path: Path) -> str | None:
    if _ARRAY.fullmatch(path.name):
        return LOG
    return COMPANION if path.name.endswith(_BESIDE) else None


def _jobs(paths: Sequence[Path], options: ReadOptions) -> list[Job]:
    places: dict[str, dict[str, Path]] = {}
    for path in paths:
        match = _ARRAY.fullmatch(path.name)
        assert match
        first = places.setdefault(match[1], {}).setdefault(match[2], path)
        if first != path:
            raise InputError(
                f"data set '{match[1]}' has two arrays of {match[2]}: {first} and {path}; read "
                "them apart."
            )
    wanted = {task: found for task, found in places.items() if options.wants(task)}
    if not wanted:
        raise InputError(
            f"no log is of task {', '.join(options.tasks)}; the tasks there are: "
            f"{', '.join(sorted(places))}."
        )
    notes: tuple[str, ...] = ()
    ranges = {place for path in paths for place in path.parent.glob(f"*_{_RANGES}")}
    unused = sorted(p for p in ranges if p.name.removesuffix(f"_{_RANGES}") not in places)
    if unused:
        notes = (f"Subtasks in {unused[0]} were not read: no data set is called as it is.",)
    jobs = []
    for task, found in wanted.items():
        if "correctness" not in found:
            raise InputError(
                f"{found['confidence']} has no {task}_models-by-correctness.npy beside it, which "
                "holds the scores."
            )
        jobs.append(
            job(read_arrays, task, found["correctness"], found.get("confidence"), options, notes)
        )
    return jobs


FORMAT = Format("paper-arrays", "the study's released arrays", _role, _jobs)


def open_array(path: Path, kinds: str, axes: str) -> np.ndarray:
    """An array of a ``.npy`` file, mapped into memory; nothing is unpickled.

    Parameters
    ----------
    path : Path
    kinds : str
        Allowed kinds of numbers, as ``dtype.kind`` names them.
    axes : str
        What its axes are, with × between them.

    Raises
    ------
    InputError
        If it is no array of these kinds or axes, or not as long as its header says.
    """
    try:
        array = np.lib.format.open_memmap(path, mode="r")
    # The header is a Python literal of any kind, so that reading it can fail in any way.
    except Exception as error:
        fault = shortened(str(error), 200)
        raise InputError(f"{path} is no whole .npy file with an array ({fault}).") from None
    if array.dtype.kind not in kinds or array.ndim != axes.count("×") + 1 or not array.size:
        names = {"b": "booleans", "i": "integers", "u": "unsigned integers", "f": "floats"}
        raise InputError(
            f"{path} holds {shortened(str(array.dtype))} in the shape {array.shape}; allowed "
            f"are {', '.join(names[kind] for kind in kinds)}, as {axes}, none of them empty."
        )
    size, held = path.stat().st_size, array.offset + array.nbytes
    if size != held:
        raise InputError(f"{path} should have {held:,} bytes by its header but has {size:,}.")
    return array


def read_arrays(
    task: str,
    path: Path,
    confidence: Path | None,
    options: ReadOptions,
    notes: tuple[str, ...],
) -> list[Answers]:
    """Answers of all models to one data set.

    Parameters
    ----------
    task : str
        Name of the data set.
    path, confidence : Path
        Correctness of each answer, and, if there, the probability of each option.
    options : ReadOptions
    notes : tuple of str

    Raises
    ------
    InputError
        If arrays do not fit together, or confidences are no probabilities.
    """
    metric = options.metric_of(task)
    if metric not in (None, "correctness"):
        raise InputError(f"{path} has no metric '{metric}'; it has correctness.")
    scores = open_array(path, "biuf", "models × items")
    n_models, n_items = scores.shape
    models, more = _models(task, path, n_models)
    notes += more
    right: np.ndarray | None = None
    if confidence is not None:
        right = _confidences(task, confidence, scores.shape, models)
        dead = ~right.any(axis=0)
        if dead.any():
            notes += (
                f"{task}: to the right option of {int(dead.sum()):,} items (first: "
                f"{int(dead.argmax())}) every model gives probability 0, as to an option that "
                "only fills up; are the labels right?",
            )
    ids = [str(place) for place in range(n_items)]
    subtasks = _subtasks(task, path, n_items)
    return [
        Answers(
            model=model,
            task=task,
            source=str(path),
            ids=ids,
            scores=np.array(scores[place], dtype=np.float64),
            n_read=n_items,
            confidences=None if right is None else right[place],
            subtasks=subtasks,
            metric="correctness",
            notes=notes,
        )
        for place, model in enumerate(models)
    ]


def _models(task: str, path: Path, n_models: int) -> tuple[list[str], tuple[str, ...]]:
    there = [path.with_name(f"{task}_{name}") for name in _NAMES]
    there = [place for place in there if place.is_file()]
    if not there:
        note = (
            "The arrays hold no names of models, so these are numbered in the order of their rows, "
            "and the same row of several data sets is taken for the same model; name them in "
            "<data set>_models.txt, one a line."
        )
        width = max(4, len(str(n_models)))
        return [f"model-{place:0{width}d}" for place in range(1, n_models + 1)], (note,)
    place = there[0]
    if len(there) > 1:
        raise InputError(f"{place} and {there[1]} both name the models; keep one of them.")
    try:
        names = (
            read_json(place)
            if place.suffix == ".json"
            else place.read_text("utf-8-sig").rstrip("\n").split("\n")
        )
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{place} cannot be read as UTF-8 text ({error}).") from None
    if not isinstance(names, list) or not all(isinstance(name, str) and name for name in names):
        raise InputError(f"{place} should be a list of models' names, none of them empty.")
    if len(names) != n_models:
        raise InputError(
            f"{place} names {len(names):,} models, but {path.name} holds {n_models:,}; it needs "
            "one name for each row, in their order."
        )
    if len(set(names)) < n_models:
        twice = next(name for name in names if names.count(name) > 1)
        raise InputError(f"{place} names '{shortened(twice)}' more than once.")
    return names, ()


def _confidences(
    task: str, path: Path, shape: tuple[int, ...], models: Sequence[str]
) -> np.ndarray:
    """Probability of each right option, models × items; options that do not exist have 0."""
    chances = open_array(path, "f", "models × items × options")
    end = "_combined" if path.stem.endswith("_combined") else ""
    beside = path.with_name(f"{task}_labels{end}.npy")
    if not beside.is_file():
        raise InputError(
            f"{path} needs {beside.name} beside it, the right option of each item; add it, or "
            "take the confidences away."
        )
    labels = open_array(beside, "iu", "items").astype(np.int64)
    if chances.shape[:2] != shape or len(labels) != shape[1]:
        raise InputError(
            f"{path} holds {chances.shape[0]:,} models and {chances.shape[1]:,} items, "
            f"{beside.name} {len(labels):,} items, and the scores {shape[0]:,} models and "
            f"{shape[1]:,} items; all must hold the same."
        )
    n_options = chances.shape[2]
    bad = np.flatnonzero((labels < 0) | (labels >= n_options))
    if bad.size:
        raise InputError(
            f"{beside}: label {labels[bad[0]]} of item {bad[0]} is none of its {n_options} options "
            f"({bad.size:,} labels are out of range); allowed are 0 to {n_options - 1}."
        )
    right = np.empty(shape, dtype=np.float32)
    for place, model in enumerate(models):
        values = chances[place]
        with np.errstate(invalid="ignore"):
            wrong = np.argwhere((values < 0) | (values > 1))
        if len(wrong):
            item, option = wrong[0]
            raise InputError(
                f"{path}: model '{shortened(model)}' has the value {values[item, option]:g} for "
                f"option {option} of item {item} ({len(wrong):,} of its values are outside 0 to "
                "1); allowed are probabilities, which mbnb.option_probabilities makes of "
                "log-likelihoods, filled up with 0."
            )
        right[place] = values[np.arange(shape[1]), labels]
    return right


def _subtasks(task: str, path: Path, n_items: int) -> list[str] | None:
    """Subtask of each item; none where no ranges lie beside the array."""
    place = path.with_name(f"{task}_{_RANGES}")
    if not place.is_file():
        return None
    try:
        held = msgspec.convert(read_json(place), dict[str, tuple[int, int]] | list[tuple[int, int]])
    except msgspec.ValidationError as error:
        raise InputError(
            f"{place} should be a list of [start, end), or an object of such by name ({error})."
        ) from None
    if isinstance(held, list):
        width = max(2, len(str(len(held))))
        held = {f"{task}-{k:0{width}d}": span for k, span in enumerate(held, start=1)}
    subtasks = np.full(n_items, "", dtype=object)
    count = np.zeros(n_items, dtype=int)
    for name, (start, end) in held.items():
        if not name or not 0 <= start < end <= n_items:
            raise InputError(
                f"{place}: subtask '{shortened(name)}' is [{start}, {end}); allowed are a name, "
                f"and start below end, from 0 to the {n_items:,} items there are."
            )
        subtasks[start:end] = name
        count[start:end] += 1
    if (count != 1).any():
        item = int((count != 1).argmax())
        raise InputError(
            f"{place}: item {item} is in {count[item]} subtasks; every item needs exactly one."
        )
    return list(subtasks)
