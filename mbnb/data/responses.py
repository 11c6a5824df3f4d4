"""The response matrix, its checks and its policies; reads no file and knows no study."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pandas as pd

from mbnb.data.errors import InputError, check

MISSING = 255
AVERAGES = ("items", "subtasks")
POLICIES = ("drop-items", "drop-models", "wrong", "error")


@dataclass(frozen=True, eq=False)
class ResponseMatrix:
    """Answers of models to items.

    Parameters
    ----------
    scores : ndarray, shape (n_models, n_items)
        uint8 with 0 = wrong, 1 = correct, 255 = missing, or float32 in [0, 1] with NaN = missing.
    models : DataFrame
        Indexed by unique model id; columns such as family, size_b, tuned are free.
    items : DataFrame
        Indexed by unique item id; the column ``subtask`` is always there.
    confidences : ndarray of float32, shape (n_models, n_items), optional
        Probability given to the right answer, in [0, 1]; NaN exactly where the score is missing.
    name : str
        What captions call the data.
    notes : tuple of str
        A sentence about each thing that was changed when the data were read.

    Raises
    ------
    InputError
        If a shape, an id or a value is not as above; the message names the offender.
    """

    scores: np.ndarray
    models: pd.DataFrame
    items: pd.DataFrame
    confidences: np.ndarray | None = None
    name: str = "unnamed"
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        _check_shape(self)
        _check_ids(self.models.index, "model")
        _check_ids(self.items.index, "item")
        if "subtask" not in self.items.columns:
            raise InputError(
                f"{self.name}: the items have no column 'subtask' (columns given: "
                f"{', '.join(map(str, self.items.columns)) or 'none'}); give every item one."
            )
        unnamed = self.items["subtask"].isna() | (self.items["subtask"].astype(str) == "")
        if unnamed.any():
            raise InputError(
                f"{self.name}: {int(unnamed.sum())} items have no subtask (first: "
                f"'{self.items.index[unnamed.to_numpy()][0]}'); give every item one."
            )
        _check_scores(self)
        if self.confidences is not None:
            _check_confidences(self)

    # What it is

    @property
    def n_models(self) -> int:
        return int(self.scores.shape[0])

    @property
    def n_items(self) -> int:
        return int(self.scores.shape[1])

    @property
    def model_ids(self) -> np.ndarray:
        return self.models.index.to_numpy(dtype=object)

    @property
    def item_ids(self) -> np.ndarray:
        return self.items.index.to_numpy(dtype=object)

    @property
    def binary(self) -> bool:
        """Whether every score is 0 or 1 (stored as uint8)."""
        return self.scores.dtype == np.uint8

    @cached_property
    def missing(self) -> np.ndarray:
        """Boolean mask of missing answers, shape (n_models, n_items)."""
        return self.scores == MISSING if self.binary else np.isnan(self.scores)

    @cached_property
    def n_missing(self) -> int:
        return int(self.missing.sum())

    @cached_property
    def subtasks(self) -> list[str]:
        """Subtask names in order of appearance."""
        return [str(s) for s in pd.unique(self.items["subtask"])]

    @cached_property
    def subtask_codes(self) -> np.ndarray:
        """Position of each item's subtask in `subtasks`, shape (n_items,)."""
        return pd.factorize(self.items["subtask"])[0]

    @property
    def evidence(self) -> np.ndarray:
        """What selectors look at, which is confidences, or scores where there are none; float32."""
        if self.confidences is not None:
            return self.confidences
        evidence = self.scores.astype(np.float32)
        evidence[self.missing] = np.nan
        return evidence

    def accuracies(self, average: str = "items") -> np.ndarray:
        """Mean score of each model (0–1), shape (n_models,).

        Parameters
        ----------
        average : {"items", "subtasks"}
            Over all items alike (the micro-average, on which the study is built), or the mean of
            the subtasks' means (the macro-average of some leaderboards).

        Raises
        ------
        InputError
            If answers are missing: which of them count must be decided by a policy first.
        """
        check(average in AVERAGES, "the average", average, AVERAGES)
        self.require_complete()
        if average == "subtasks":
            codes = self.subtask_codes
            parts = [self.scores[:, codes == code] for code in range(len(self.subtasks))]
            means: np.ndarray = np.mean([part.mean(axis=1, dtype=np.float64) for part in parts], 0)
            return means
        # Integer sums: the same value whatever the order of the items.
        if self.binary:
            return self.scores.sum(axis=1, dtype=np.int64) / self.n_items
        return self.scores.mean(axis=1, dtype=np.float64)

    def require_complete(self) -> None:
        """Raise InputError if answers are missing, naming the policies that would help."""
        if self.n_missing:
            raise InputError(
                f"{self.name}: {self.n_missing} of {self.scores.size} answers are missing "
                f"(items with one: {int(self.missing.any(axis=0).sum())} of {self.n_items}, models "
                f"with one: {int(self.missing.any(axis=1).sum())} of {self.n_models}); "
                f"choose a policy for them: {', '.join(POLICIES[:3])}."
            )

    @cached_property
    def content_hash(self) -> str:
        """SHA-256 (hex) of ids, subtasks, scores and confidences; the name does not count."""
        digest = hashlib.sha256()
        for ids in (self.models.index, self.items.index, self.items["subtask"]):
            digest.update("\x1f".join(map(str, ids)).encode() + b"\x1e")
        for array in (self.scores, self.confidences):
            if array is not None:
                digest.update(f"{array.dtype.str}{array.shape}".encode())
                digest.update(np.ascontiguousarray(array).data)
        return digest.hexdigest()

    # Parts of it

    def subset(
        self,
        models: Sequence[int] | Sequence[str] | np.ndarray | None = None,
        items: Sequence[int] | Sequence[str] | np.ndarray | None = None,
    ) -> ResponseMatrix:
        """The matrix of some models and items, given by position or by id, in the order given.

        Raises
        ------
        InputError
            If an id is unknown, a position is outside the matrix, one is given twice, or nothing
            is left.
        """
        rows = _positions(models, self.models.index, "model")
        columns = _positions(items, self.items.index, "item")

        def cut(array: np.ndarray) -> np.ndarray:
            array = array if rows is None else array[rows]
            return np.ascontiguousarray(array if columns is None else array[:, columns])

        # What was checked in the whole holds in the part: it is not checked again.
        part = object.__new__(ResponseMatrix)
        for name, value in (
            ("scores", cut(self.scores)),
            ("models", self.models if rows is None else self.models.iloc[rows]),
            ("items", self.items if columns is None else self.items.iloc[columns]),
            ("confidences", None if self.confidences is None else cut(self.confidences)),
            ("name", self.name),
            ("notes", self.notes),
        ):
            object.__setattr__(part, name, value)
        _check_shape(part)
        return part

    def sorted_by_id(self) -> ResponseMatrix:
        """The same answers with models and items in the order of their ids; itself if they are."""
        rows = np.argsort(self.models.index.to_numpy(dtype=str), kind="stable")
        columns = np.argsort(self.items.index.to_numpy(dtype=str), kind="stable")
        if (np.diff(rows) == 1).all() and (np.diff(columns) == 1).all():
            return self
        return self.subset(models=rows, items=columns)


def graded(matrix: ResponseMatrix) -> ResponseMatrix:
    """The matrix whose scores are the confidences: each answer worth its grade from 0 to 1.

    Raises
    ------
    InputError
        If the matrix has no confidences.
    """
    if matrix.confidences is None:
        raise InputError(
            f"{matrix.name} has no confidences, so its answers have no grades between wrong and "
            "right."
        )
    return replace(matrix, scores=matrix.confidences, name=f"{matrix.name} graded")


def _positions(
    chosen: Sequence[int] | Sequence[str] | np.ndarray | None, index: pd.Index, what: str
) -> np.ndarray | None:
    if chosen is None:
        return None
    array = np.asarray(chosen)
    if array.size == 0:
        return np.empty(0, dtype=np.int64)
    if array.dtype == bool:
        positions = np.flatnonzero(array)
    elif np.issubdtype(array.dtype, np.integer):
        positions = array
        outside = array[(array < 0) | (array >= len(index))]
        if outside.size:
            raise InputError(f"{what} position {outside[0]} is outside 0 … {len(index) - 1}.")
    else:
        positions = index.get_indexer(pd.Index(array.astype(object)))
        unknown = array[positions < 0]
        if unknown.size:
            raise InputError(
                f"{unknown.size} {what} ids are unknown (first: '{unknown[0]}'); allowed are the "
                f"{len(index)} ids of the matrix, such as '{index[0]}'."
            )
    if np.unique(positions).size < positions.size:
        raise InputError(f"a subset names the same {what} twice; name each once.")
    return positions


def _check_shape(matrix: ResponseMatrix) -> None:
    expected = (len(matrix.models), len(matrix.items))
    for label, array in (("scores", matrix.scores), ("confidences", matrix.confidences)):
        if array is not None and array.shape != expected:
            raise InputError(
                f"{matrix.name}: {label} have shape {array.shape}, but {expected[0]} models × "
                f"{expected[1]} items are listed."
            )
    if 0 in expected:
        raise InputError(
            f"{matrix.name}: the matrix holds {expected[0]} models × {expected[1]} items; it "
            "needs at least one of each."
        )


def _check_ids(index: pd.Index, what: str) -> None:
    if not all(isinstance(value, str) and value for value in index):
        bad = next(value for value in index if not (isinstance(value, str) and value))
        raise InputError(f"{what} id {bad!r} is not a non-empty string.")
    if not index.is_unique:
        twice = index[index.duplicated()].unique()
        raise InputError(
            f"{len(twice)} {what} ids stand more than once (first: '{twice[0]}'); ids must be "
            "unique."
        )


def _first_cell(matrix: ResponseMatrix, mask: np.ndarray) -> str:
    row, column = (int(position[0]) for position in np.nonzero(mask))
    return f"model '{matrix.models.index[row]}', item '{matrix.items.index[column]}'"


def _check_scores(matrix: ResponseMatrix) -> None:
    scores = matrix.scores
    if scores.dtype == np.uint8:
        bad = (scores > 1) & (scores != MISSING)
        allowed = "0, 1 or 255 (missing)"
    elif scores.dtype == np.float32:
        bad = ~(((scores >= 0) & (scores <= 1)) | np.isnan(scores))
        allowed = "0 to 1, or NaN (missing)"
    else:
        raise InputError(
            f"{matrix.name}: scores are of type {scores.dtype}; allowed are uint8 (0, 1, "
            "255 = missing) and float32 (0 to 1, NaN = missing)."
        )
    if bad.any():
        value = scores[bad][0]
        raise InputError(
            f"{matrix.name}: {int(bad.sum())} scores are out of range (first: {value:g} for "
            f"{_first_cell(matrix, bad)}); allowed: {allowed}."
        )


def _check_confidences(matrix: ResponseMatrix) -> None:
    confidences = matrix.confidences
    assert confidences is not None
    if confidences.dtype != np.float32:
        raise InputError(
            f"{matrix.name}: confidences are of type {confidences.dtype}; allowed is float32."
        )
    bad = ~(((confidences >= 0) & (confidences <= 1)) | np.isnan(confidences))
    if bad.any():
        raise InputError(
            f"{matrix.name}: {int(bad.sum())} confidences are outside 0 to 1 (first: "
            f"{confidences[bad][0]:g} for {_first_cell(matrix, bad)}); a confidence is the "
            "probability given to the right answer: turn log-likelihoods or losses into "
            "probabilities first (softmax over the item's options)."
        )
    unlike = np.isnan(confidences) != matrix.missing
    if unlike.any():
        raise InputError(
            f"{matrix.name}: score and confidence are not missing together in "
            f"{int(unlike.sum())} cells (first: {_first_cell(matrix, unlike)}); give both or "
            "neither."
        )
