"""Dataset folders: reads and writes one response matrix on disk; recognises no foreign format."""

from __future__ import annotations

import shutil
import tempfile
import zipfile
import zlib
from pathlib import Path

import numpy as np
import pandas as pd

from mbnb.data.errors import InputError
from mbnb.data.npy_header import read_header
from mbnb.data.responses import MISSING, ResponseMatrix

FILES = ("responses.npz", "models.csv", "items.csv")
# Columns that data read from logs have, see `mbnb.logs`.
TEXTS = ("task", "doc_id", "metric", "filter", "content")


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
        Named after the folder.

    Raises
    ------
    InputError
        If a file is absent or unreadable, or does not fit the others; the message names it.
    """
    folder = Path(path)
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
    models = _read_table(folder / "models.csv", "model_id", ())
    items = _read_table(folder / "items.csv", "item_id", ("subtask",))
    scores, confidences = _read_arrays(folder / "responses.npz", len(models), len(items))
    try:
        return ResponseMatrix(scores, models, items, confidences, name=folder.resolve().name)
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
    folder = Path(path)
    if folder.exists():
        raise InputError(f"{folder} exists already; give a folder that does not.")
    arrays = {"correct" if matrix.binary else "score": matrix.scores}
    if matrix.confidences is not None:
        half = matrix.confidences.astype(np.float16)
        exact = np.array_equal(half.astype(np.float32), matrix.confidences, equal_nan=True)
        arrays["confidence"] = half if exact else matrix.confidences
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        # A sibling, so that the last step is a rename on the same disk.
        staging = Path(tempfile.mkdtemp(prefix=".mbnb-", dir=folder.parent))
    except OSError as error:
        raise InputError(f"{folder} cannot be written: {error.strerror}.") from None
    try:
        with (staging / "responses.npz").open("wb") as file:
            np.savez_compressed(file, **arrays)  # type: ignore[arg-type]
        matrix.models.to_csv(staging / "models.csv", lineterminator="\n")
        matrix.items.to_csv(staging / "items.csv", lineterminator="\n")
        (staging / "SOURCE.md").write_text(source.rstrip() + "\n", encoding="utf-8")
        staging.chmod(0o755)
        staging.rename(folder)
    except OSError as error:
        raise InputError(f"{folder} cannot be written: {error.strerror}.") from None
    finally:
        shutil.rmtree(staging, ignore_errors=True)
    return folder


def _read_table(path: Path, id_column: str, required: tuple[str, ...]) -> pd.DataFrame:
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
    empty = np.flatnonzero(table[id_column] == "")
    if empty.size:
        raise InputError(f"{path}, line {empty[0] + 2}: {id_column} is empty; give every row one.")
    return table.set_index(id_column)


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
