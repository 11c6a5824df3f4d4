"""The arrays that the released code of the study keeps its responses in (NumPy and JSON files).

For each data set ``<ds>``: ``<ds>_models-by-correctness.npy`` (models, items), and perhaps
``<ds>_models-by-confidence.npy`` (models, items, options) with ``<ds>_labels.npy`` (items,), the
names of the models in ``<ds>_model-names-in-order.json``, ``<ds>_models.json`` or
``<ds>_models.txt``, and ``<ds>_subtask-idx-ranges.json``, a list of [start, end) or an object of
such by name. Arrays and labels may end in ``_combined``.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from mbnb.data.errors import InputError
from mbnb.data.npy_header import read_header
from mbnb.logs.answers import Answers
from mbnb.logs.files import COMPANION, LOG, Format, Job, job, no_task
from mbnb.logs.json_rows import read_json
from mbnb.logs.options import ReadOptions
from mbnb.logs.values import shortened

_ARRAY = re.compile(
    r"(?P<ds>.+)_models-by-(?P<what>correctness|confidence)(?P<end>(_combined)?)\.npy"
)
_NAMES = ("model-names-in-order.json", "models.json", "models.txt")
_RANGES = "subtask-idx-ranges.json"
_BESIDE = re.compile(
    r".+_(labels(_combined)?\.npy|" + "|".join(map(re.escape, (*_NAMES, _RANGES))) + ")"
)
_TEXT_LIMIT = 1 << 24
_KINDS = {"b": "booleans", "i": "integers", "u": "unsigned integers", "f": "floats"}


def _role(path: Path) -> str | None:
    if _ARRAY.fullmatch(path.name):
        return LOG
    return COMPANION if _BESIDE.fullmatch(path.name) else None


def _jobs(paths: Sequence[Path], options: ReadOptions) -> list[Job]:
    places: dict[str, dict[str, Path]] = {}
    for path in paths:
        match = _ARRAY.fullmatch(path.name)
        assert match
        found = places.setdefault(match["ds"], {})
        if match["what"] in found:
            raise InputError(
                f"data set '{match['ds']}' has two arrays of {match['what']}: "
                f"{found[match['what']]} and {path}; read them apart."
            )
        found[match["what"]] = path
    wanted = {task: found for task, found in places.items() if options.wants(task)}
    if not wanted:
        no_task(options, places)
    for task, found in wanted.items():
        if "correctness" not in found:
            raise InputError(
                f"{found['confidence']} has no {task}_models-by-correctness.npy beside it, which "
                "holds the scores."
            )
    folders = {path.parent for found in places.values() for path in found.values()}
    unused = sorted(
        str(path)
        for folder in folders
        for path in folder.glob(f"*_{_RANGES}")
        if path.name.removesuffix(f"_{_RANGES}") not in places
    )
    notes: tuple[str, ...] = ()
    if unused:
        notes = (
            f"Subtasks in {unused[0]} were not read ({len(unused)} such files): no data set is "
            "called as it is.",
        )
    return [
        job(read_arrays, task, found["correctness"], found.get("confidence"), options, notes)
        for task, found in wanted.items()
    ]


FORMAT = Format("paper-arrays", "the study's released arrays", _role, _jobs)


def read_arrays(
    task: str,
    path: Path,
    confidence: Path | None,
    options: ReadOptions,
    notes: tuple[str, ...] = (),
) -> list[Answers]:
    """Answers of all models to one data set.

    Parameters
    ----------
    task : str
        Name of the data set.
    path : Path
        Correctness of each answer.
    confidence : Path, optional
        Probability of each option; the labels lie beside it.
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
    scores = open_array(path, 2, "biuf", "models × items")
    n_models, n_items = scores.shape
    names = _names(task, path, n_models)
    width = max(4, len(str(n_models)))
    models = names or [f"model-{place:0{width}d}" for place in range(1, n_models + 1)]
    if not names:
        notes += (
            "The arrays hold no names of models, so these are numbered in the order of their rows, "
            "and the same row of several data sets is taken for the same model; name them in "
            "<data set>_models.txt, one a line.",
        )
    right: list[np.ndarray | None] = [None] * n_models
    if confidence is not None:
        chances = open_array(confidence, 3, "f", "models × items × options")
        if chances.shape[:2] != scores.shape:
            raise InputError(
                f"{confidence} holds {chances.shape[0]:,} models and {chances.shape[1]:,} items, "
                f"but {path.name} {n_models:,} and {n_items:,}; both must hold the same."
            )
        labels = _labels(task, confidence, n_items, chances.shape[2])
        possible = np.zeros(n_items, bool)
        for place, model in enumerate(models):
            _check_chances(chances[place], confidence, model)
            values = np.array(chances[place][np.arange(n_items), labels], dtype=np.float32)
            possible |= values != 0
            right[place] = values
        if not possible.all():
            notes += (
                f"{task}: to the right option of {int((~possible).sum()):,} items (first: "
                f"{int(possible.argmin())}) every model gives probability 0, as to an option that "
                "only fills up; are the labels right?",
            )
    subtasks = _subtasks(task, path, n_items)
    return [
        Answers(
            model=model,
            task=task,
            source=str(path),
            ids=[str(place) for place in range(n_items)],
            scores=np.array(scores[place], dtype=np.float64),
            n_read=n_items,
            confidences=right[place],
            subtasks=subtasks,
            metric="correctness",
            notes=notes,
        )
        for place, model in enumerate(models)
    ]


def open_array(path: Path, n_axes: int, kinds: str, meaning: str) -> np.ndarray:
    """An array of a ``.npy`` file, mapped into memory: nothing is unpickled, nothing allocated on
    the file's word.

    Parameters
    ----------
    path : Path
    n_axes : int
    kinds : str
        Allowed kinds of numbers, as ``dtype.kind`` names them.
    meaning : str
        What its axes are, for messages.

    Raises
    ------
    InputError
        If it is pickled, not of these kinds or axes, or the file is not as long as its header
        says.
    """
    try:
        with path.open("rb") as file:
            shape, dtype = read_header(file, path)
            length = file.tell() + math.prod(shape) * dtype.itemsize
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.") from None
    told = shortened(" × ".join(f"{axis:,}" for axis in shape) or "of a single number", 80)
    if dtype.hasobject:
        raise InputError(
            f"{path} holds pickled Python objects, which are never loaded, since they can run any "
            "code; save it as an array of numbers."
        )
    if dtype.kind not in kinds:
        raise InputError(
            f"{path} holds values of type {shortened(str(dtype))}; allowed are "
            f"{', '.join(_KINDS[kind] for kind in kinds)}."
        )
    if len(shape) != n_axes or min(shape) < 1:
        raise InputError(
            f"{path} has the shape {told}; it should be {meaning}, and none of them empty."
        )
    size = path.stat().st_size
    if size != length:
        raise InputError(
            f"{path} should have {length:,} bytes by its header (shape {told}) but has {size:,}; "
            "it is truncated or damaged."
        )
    try:
        return np.load(path, mmap_mode="r", allow_pickle=False)
    except (ValueError, OSError) as error:
        raise InputError(f"{path} cannot be read: {shortened(str(error), 200)}.") from None


def _names(task: str, path: Path, n_models: int) -> list[str]:
    """Names of the models; none where no file beside the arrays holds them."""
    beside = [path.with_name(f"{task}_{name}") for name in _NAMES]
    there = [place for place in beside if place.is_file()]
    if not there:
        return []
    if len(there) > 1:
        raise InputError(f"{there[0]} and {there[1]} both name the models; keep one of them.")
    [place] = there
    names: Any
    if place.suffix == ".json":
        names = _bounded_json(place)
    else:
        try:
            names = place.read_text("utf-8-sig").rstrip("\n").split("\n")
        except (OSError, UnicodeDecodeError):
            raise InputError(f"{place} cannot be read as UTF-8 text.") from None
    if not isinstance(names, list) or not all(isinstance(name, str) and name for name in names):
        raise InputError(f"{place} should be a list of models' names, none of them empty.")
    if len(names) != n_models:
        raise InputError(
            f"{place} names {len(names):,} models, but {path.name} holds {n_models:,}; it needs "
            "one name for each row, in their order."
        )
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise InputError(f"{place} names '{shortened(twice)}' more than once.")
    return names


def _bounded_json(place: Path) -> Any:
    if place.stat().st_size > _TEXT_LIMIT:
        raise InputError(f"{place} is longer than such a file can be ({_TEXT_LIMIT:,} bytes).")
    return read_json(place)


def _labels(task: str, confidence: Path, n_items: int, n_options: int) -> np.ndarray:
    end = "_combined" if confidence.stem.endswith("_combined") else ""
    place = confidence.with_name(f"{task}_labels{end}.npy")
    if not place.is_file():
        raise InputError(
            f"{confidence} needs {place.name} beside it, the right option of each item; add it, or "
            "take the confidences away."
        )
    labels = open_array(place, 1, "iu", "items")
    if len(labels) != n_items:
        raise InputError(
            f"{place} holds {len(labels):,} labels, but {confidence.name} {n_items:,} items."
        )
    bad = np.flatnonzero((labels < 0) | (labels >= n_options))
    if bad.size:
        raise InputError(
            f"{place}: label {labels[bad[0]]} of item {bad[0]} is none of its {n_options} options "
            f"({bad.size:,} labels are out of range); allowed are 0 to {n_options - 1}."
        )
    return np.array(labels, dtype=np.int64)


def _check_chances(chances: np.ndarray, path: Path | None, model: str) -> None:
    """One model's probabilities, items × options; options that do not exist have 0."""
    with np.errstate(invalid="ignore"):
        bad = ~(np.isnan(chances) | ((chances >= 0) & (chances <= 1)))
    if not bad.any():
        return
    item, option = np.argwhere(bad)[0]
    value = chances[item, option]
    what = (
        "log-likelihoods, it seems, since none is above 0; turn each item's real options into "
        "probabilities first (mbnb.option_probabilities) and fill up with 0"
        if not (chances > 0).any()
        else "neither probabilities nor log-likelihoods; allowed are probabilities, 0 to 1, which "
        "mbnb.option_probabilities makes of log-likelihoods"
    )
    raise InputError(
        f"{path}: model '{shortened(model)}' has the value {value:g} for option {option} of item "
        f"{item} ({int(bad.sum()):,} of its values are outside 0 to 1): these are {what}."
    )


def _subtasks(task: str, path: Path, n_items: int) -> list[str] | None:
    """Subtask of each item; None where no ranges lie beside the arrays."""
    place = path.with_name(f"{task}_{_RANGES}")
    if not place.is_file():
        return None
    held = _bounded_json(place)
    if isinstance(held, list):
        width = max(2, len(str(len(held))))
        held = {f"{task}-{k:0{width}d}": span for k, span in enumerate(held, start=1)}
    if not isinstance(held, dict):
        raise InputError(f"{place} should be a list of [start, end), or an object of such.")
    for name, span in held.items():
        whole = isinstance(span, list) and len(span) == 2 and all(type(n) is int for n in span)
        if not name or not whole or not 0 <= span[0] < span[1] <= n_items:
            raise InputError(
                f"{place}: subtask '{shortened(name)}' is {shortened(span)}; allowed are a name "
                f"and [start, end) with whole numbers, start below end, of the {n_items:,} items."
            )
    subtasks: list[str] = []
    for name, (start, end) in sorted(held.items(), key=lambda part: part[1]):
        if start != len(subtasks):
            what = "are in no subtask" if start > len(subtasks) else "are in two subtasks"
            low, high = sorted((start, len(subtasks)))
            raise InputError(
                f"{place}: items {low:,} to {high - 1:,} {what} (before '{shortened(name)}'); "
                "every item needs one."
            )
        subtasks += [name] * (end - start)
    if len(subtasks) != n_items:
        raise InputError(
            f"{place}: items {len(subtasks):,} to {n_items - 1:,} are in no subtask; every item "
            "needs one."
        )
    return subtasks
