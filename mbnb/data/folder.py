"""Dataset folders: reads and writes one response matrix on disk; recognises no foreign format."""

from __future__ import annotations

import re
import unicodedata
import zipfile
import zlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from mbnb.data.errors import InputError
from mbnb.data.npy_header import read_header
from mbnb.data.paths import given_path, replacing
from mbnb.data.responses import MISSING, ResponseMatrix

FILES = ("responses.npz", "models.csv", "items.csv")
# Columns that data read from logs have, see `mbnb.logs`.
TEXTS = ("task", "doc_id", "metric", "filter", "content")
_NO_WIDTH = "[\u200b\u2060\ufeff]"
_BLANK = rf"(?:\s|{_NO_WIDTH})"


def holds_dataset(folder: Path) -> bool:
    """Whether a folder holds the files of a data set."""
    return all((folder / name).is_file() for name in FILES)


def read_folder(path: str | Path) -> ResponseMatrix:
    """Read a dataset folder.

    The folder holds ``responses.npz`` (``correct``: uint8 with 255 = missing, or ``score``: float
    in [0, 1] with NaN = missing; optionally ``confidence``: float in [0, 1]), ``models.csv``
    (``model_id``, …) and ``items.csv`` (``item_id``, ``subtask``, …), rows and columns of the
    arrays in the order of the two tables.

    Returns
    -------
    ResponseMatrix
        Named after the folder. Its notes tell of ids that were changed, see `clean_ids`.

    Raises
    ------
    InputError
        If a file is absent or unreadable, or does not fit the others; the message names it.
    """
    folder = given_path(path)
    if not folder.is_dir():
        raise InputError(f"{folder} is not a folder; a dataset folder holds {', '.join(FILES)}.")
    absent = [name for name in FILES if not (folder / name).is_file()]
    if len(absent) == len(FILES):
        raise InputError(
            f"{folder} is no dataset folder, which holds {', '.join(FILES)}; if it holds "
            f"evaluation logs, make one of them: mbnb read {folder} --out my-benchmark."
        )
    if absent:
        raise InputError(
            f"{folder} lacks {', '.join(absent)}; a dataset folder holds {', '.join(FILES)}."
        )
    models, about_models = _read_table(folder / "models.csv", "model_id", ())
    items, about_items = _read_table(folder / "items.csv", "item_id", ("subtask",))
    scores, confidences = _read_arrays(folder / "responses.npz", len(models), len(items))
    notes = (*about_models, *about_items)
    try:
        return ResponseMatrix(scores, models, items, confidences, folder.resolve().name, notes)
    except InputError as error:
        raise InputError(f"{folder}: {error}") from None


def write_folder(matrix: ResponseMatrix, path: str | Path, source: str) -> Path:
    """Write a dataset folder; nothing is left behind if that fails.

    Confidences are stored as float16 where that loses nothing, else as float32.

    Parameters
    ----------
    matrix : ResponseMatrix
    path : str or Path
        A folder that does not exist yet.
    source : str
        Where the data come from and under which licence; becomes ``SOURCE.md``.

    Raises
    ------
    InputError
        If the folder exists already or cannot be written.
    """
    folder = given_path(path)
    if folder.exists():
        raise InputError(f"{folder} exists already; give a folder that does not.")
    arrays = {"correct" if matrix.binary else "score": matrix.scores}
    if matrix.confidences is not None:
        half = matrix.confidences.astype(np.float16)
        exact = np.array_equal(half.astype(np.float32), matrix.confidences, equal_nan=True)
        arrays["confidence"] = half if exact else matrix.confidences
    with replacing(folder) as unfinished:
        unfinished.mkdir()
        with (unfinished / "responses.npz").open("wb") as file:
            np.savez_compressed(file, **arrays)  # type: ignore[arg-type]
        matrix.models.to_csv(unfinished / "models.csv", lineterminator="\n")
        matrix.items.to_csv(unfinished / "items.csv", lineterminator="\n")
        (unfinished / "SOURCE.md").write_text(source.rstrip() + "\n", encoding="utf-8")
    return folder


def clean_ids(ids: Sequence[str], kind: str) -> tuple[list[str], list[str]]:
    """Ids without blanks at their ends, and a sentence about each thing that a person should know.

    Two models of a public leaderboard may well differ in case alone: that is told. Two items may
    not, and nothing at all may differ only in blanks or in its Unicode form, which nobody can see.

    Parameters
    ----------
    ids : sequence of str
    kind : {"model", "item"}

    Raises
    ------
    InputError
        If two different ids look alike; the message shows both with escapes.
    """
    cleaned = [re.sub(f"^{_BLANK}+|{_BLANK}+$", "", name) for name in ids]
    if "" in cleaned:
        raise InputError(f"row {cleaned.index('') + 1} has no {kind} id; give every row one.")
    forms = {name: _plain(name) for name in ids}
    in_case = _alike({name: form.casefold() for name, form in forms.items()})
    alike = in_case if kind == "item" else _alike(forms)
    if alike:
        a, b = alike[0]
        raise InputError(
            f"the {kind} ids {a!a} and {b!a} differ only in blanks, case or Unicode form; give ids "
            "that can be told apart."
        )
    notes = []
    stripped = [name for name, clean in zip(ids, cleaned, strict=True) if name != clean]
    if stripped:
        notes.append(
            f"{len(stripped)} {kind} ids had blanks at their ends, which were taken off (first: "
            f"{stripped[0]!a})."
        )
    if in_case:
        a, b = in_case[0]
        notes.append(f"{len(in_case)} {kind} ids differ from another's in case alone ({a}, {b}).")
    return cleaned, notes


def _plain(name: str) -> str:
    """What a person sees of an id."""
    return unicodedata.normalize("NFC", " ".join(re.sub(_NO_WIDTH, "", name).split()))


def _alike(forms: dict[str, str]) -> list[tuple[str, str]]:
    """Ids of the same form as an earlier one, each with that one before it."""
    first: dict[str, str] = {}
    pairs = [(first.setdefault(form, name), name) for name, form in forms.items()]
    return [(a, b) for a, b in pairs if a != b]


def _read_table(
    path: Path, id_column: str, required: tuple[str, ...]
) -> tuple[pd.DataFrame, list[str]]:
    wanted = (id_column, *required)
    try:
        header = list(pd.read_csv(path, nrows=0, encoding="utf-8-sig").columns)
        lacking = [column for column in wanted if column not in header]
        if lacking:
            raise InputError(
                f"{path} has no column {', '.join(lacking)} (columns found: "
                f"{', '.join(header)}); it needs {', '.join(wanted)}."
            )
        # An id may well read "None" or "NA", and a fingerprint "0012": only the free columns have
        # missing values and numbers.
        texts = [column for column in header if column in (*wanted, *TEXTS)]
        table = pd.read_csv(
            path,
            encoding="utf-8-sig",
            dtype=dict.fromkeys(texts, "str"),
            keep_default_na=False,
            na_values={column: [""] for column in header if column not in texts},
        )
    except (pd.errors.ParserError, pd.errors.EmptyDataError, UnicodeDecodeError) as error:
        reason = str(error).strip().splitlines()[0]
        raise InputError(f"{path} cannot be read as a UTF-8 CSV table: {reason}.") from None
    try:
        ids, notes = clean_ids(table[id_column].fillna(""), id_column.removesuffix("_id"))
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
    index = pd.Index(ids, name=id_column, dtype=table[id_column].dtype)
    return table.drop(columns=id_column).set_axis(index), notes


def _read_arrays(path: Path, n_models: int, n_items: int) -> tuple[np.ndarray, np.ndarray | None]:
    try:
        _check_shapes(path, n_models, n_items)
        with np.load(path, allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
    except InputError:
        raise
    except (ValueError, OSError, EOFError, zipfile.BadZipFile, zlib.error) as error:
        raise InputError(
            f"{path} cannot be read as an npz archive of plain arrays: {error}."
        ) from None
    known = {"correct", "score", "confidence"}
    kinds = [name for name in ("correct", "score") if name in arrays]
    if len(kinds) != 1 or set(arrays) - known:
        raise InputError(
            f"{path} holds the arrays {', '.join(sorted(arrays)) or 'none'}; allowed are exactly "
            "one of 'correct' and 'score', and optionally 'confidence'."
        )
    for name, array in arrays.items():
        if array.dtype.kind not in ("biu" if name == "correct" else "f"):
            raise InputError(
                f"{path}: '{name}' is of type {array.dtype}; allowed are "
                f"{'integers (0, 1, 255)' if name == 'correct' else 'floats (0 to 1, NaN)'}."
            )
    if kinds == ["correct"]:
        correct = arrays["correct"]
        odd = ~np.isin(correct, (0, 1, MISSING))
        if odd.any():
            raise InputError(
                f"{path}: 'correct' holds the value {correct[odd][0]}; allowed are 0, 1 and 255 "
                "(missing)."
            )
        scores = correct.astype(np.uint8)
    else:
        scores = arrays["score"].astype(np.float32)
    confidence = arrays.get("confidence")
    return scores, None if confidence is None else confidence.astype(np.float32)


def _check_shapes(path: Path, n_models: int, n_items: int) -> None:
    """Compare what the arrays claim to be with the tables, before memory is taken for them."""
    with zipfile.ZipFile(path) as archive:
        for member in archive.infolist():
            name = member.filename.removesuffix(".npy")
            with archive.open(member) as file:
                shape, _ = read_header(file, f"{path}: '{name}'")
            if shape != (n_models, n_items):
                raise InputError(
                    f"{path}: '{name}' has shape {shape}, but models.csv and items.csv list "
                    f"{n_models} models × {n_items} items."
                )
