"""The frozen micro-benchmark, its JSON file and its exports; selects no item, scores no model."""

from __future__ import annotations

import csv
import hashlib
import io
import json
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import numpy as np
from msgspec import Meta

from mbnb.data.errors import InputError

FORMAT: Literal["mbnb micro-benchmark"] = "mbnb micro-benchmark"
FORMAT_VERSION: Literal[1] = 1
WEIGHT_TOLERANCE = 1e-9
# What an interval rests on; see `mbnb.frozen.scoring`.
Basis = Literal["random-items", "same-items", "folds"]
Share = Annotated[float, Meta(ge=0, le=1)]
Name = Annotated[str, Meta(min_length=1)]
Count = Annotated[int, Meta(ge=1)]
Natural = Annotated[int, Meta(ge=0)]


class FrozenItem(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A selected item.

    Attributes
    ----------
    id, subtask : str
    weight : float
        Non-negative; all weights sum to 1.
    mean_score : float
        Of the known models (0–1).
    coefficient : float, optional
        What the answer counts in the estimate, where the estimator learns; of any sign.
    task, doc_id, metric, filter, content, n_options : optional
        What the matrix knows of the item's log: see `mbnb.read`.
    """

    id: Name
    weight: Share
    subtask: str
    mean_score: Share
    coefficient: float | None = None
    task: str | None = None
    doc_id: int | str | None = None
    metric: str | None = None
    filter: str | None = None
    content: str | None = None
    n_options: int | None = None


class KnownModel(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A model whose answers to all items are known.

    Attributes
    ----------
    id : str
    score : float
        Full score: over all items of the benchmark (0–1).
    estimate : float
        From the answers to the selected items (0–1), before any bias is taken off.
    answers : str, optional
        Answers to the selected items in their order, a 0 or a 1 each; with basis “random-items”.
    fold : int, optional
        The fold in which the model was left out; with basis “folds”.
    fold_estimates : tuple of float, optional
        Estimate from the items selected without each fold, shape (n_folds,).
    """

    id: Name
    score: Share
    estimate: Share
    answers: Annotated[str, Meta(pattern="^[01]+$")] | None = None
    fold: Natural | None = None
    fold_estimates: tuple[Share, ...] | None = None


class MicroBenchmark(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True
):
    """A selection with its estimator, frozen: all that is needed to score a new model.

    Attributes
    ----------
    mbnb_version : str
        The package that froze it.
    dataset : str
        Name of the data it was made from.
    data : str
        SHA-256 (hex) of these data in the order of their ids: see `ResponseMatrix.content_hash`.
    n_models, n_items : int
        Known models, and items of the whole benchmark.
    selector, estimator : str
    size, seed : int
        Items selected, and the seed they were drawn with.
    nested : bool
        Whether the same seed gives smaller selections inside larger ones.
    binary : bool
        Whether every score is 0 or 1.
    evidence : {"scores", "confidences"}
        What the estimator takes the mean of.
    basis : {"random-items", "same-items", "folds"}
        What the interval of a new model rests on.
    n_folds : int
        0 unless the basis is “folds”.
    unrelated_share : float
        Share of the known models (0–1) whose answers go with the other models' mean scores no
        better than chance would.
    notes : tuple of str
        What a user of the result must know, such as that scores stood in for confidences.
    items : tuple of FrozenItem
        In the order of their ids.
    known : tuple of KnownModel
        In the order of their ids.
    intercept : float, optional
        What is added to the sum of answers × coefficients, where the estimator learns.

    Raises
    ------
    InputError
        If the parts do not fit one another; the message names what is wrong.
    """

    mbnb_version: str
    dataset: str
    data: str
    n_models: Count
    n_items: Count
    selector: str
    estimator: str
    size: Count
    seed: Natural
    nested: bool
    binary: bool
    evidence: Literal["scores", "confidences"]
    basis: Basis
    n_folds: Natural
    unrelated_share: Share
    notes: tuple[str, ...]
    items: tuple[FrozenItem, ...]
    known: tuple[KnownModel, ...]
    intercept: float | None = None

    def __post_init__(self) -> None:
        """Check what no field shows alone."""
        for what, parts, n in (
            ("items", self.items, self.size),
            ("known models", self.known, self.n_models),
        ):
            distinct = {part.id for part in parts}
            if not len(distinct) == len(parts) == n:
                raise InputError(
                    f"{what}: {n} are announced, {len(parts)} are listed, {len(distinct)} of them "
                    "with an id of their own; the three must be equal."
                )
        if self.size > self.n_items:
            raise InputError(f"size is {self.size}; allowed are 1 to {self.n_items}, all items.")
        if abs(self.weights.sum() - 1) > WEIGHT_TOLERANCE:
            raise InputError(f"weights must sum to 1; given: {self.weights.sum()}.")
        if any((item.coefficient is None) != (self.intercept is None) for item in self.items):
            raise InputError("a coefficient of every item and an intercept go together.")
        if self.basis == "random-items" and (not self.binary or self.evidence != "scores"):
            raise InputError("the basis 'random-items' needs binary scores.")
        if (self.n_folds >= 2) != (self.basis == "folds"):
            raise InputError(
                f"n_folds is {self.n_folds} with the basis '{self.basis}'; folds are 2 or more "
                "with the basis 'folds' and 0 without."
            )
        for model in self.known:
            self._check_model(model)

    def _check_model(self, model: KnownModel) -> None:
        n_answers = None if model.answers is None else len(model.answers)
        n_estimates = None if model.fold_estimates is None else len(model.fold_estimates)
        wanted = (
            self.size if self.basis == "random-items" else None,
            self.n_folds if self.basis == "folds" else None,
        )
        if (n_answers, n_estimates) != wanted or (model.fold is None) != (wanted[1] is None):
            raise InputError(
                f"known model '{model.id}' must have answers to all {self.size} items with the "
                "basis 'random-items', a fold and an estimate for each with 'folds', and neither "
                "with another."
            )
        if model.fold is not None and model.fold >= self.n_folds:
            raise InputError(
                f"known model '{model.id}' is in fold {model.fold} of {self.n_folds} (from 0)."
            )

    @property
    def item_ids(self) -> list[str]:
        return [item.id for item in self.items]

    @property
    def weights(self) -> np.ndarray:
        """Shape (size,), float64, summing to 1."""
        return np.array([item.weight for item in self.items])

    @property
    def learnt(self) -> np.ndarray | None:
        """Coefficients of the answers, shape (size,), float64; None where nothing was learnt."""
        if self.intercept is None:
            return None
        return np.array([item.coefficient for item in self.items], dtype=np.float64)

    @property
    def scores(self) -> np.ndarray:
        """Full scores of the known models (0–1), shape (n_models,)."""
        return np.array([model.score for model in self.known])

    @property
    def errors(self) -> np.ndarray:
        """Estimate − full score of the known models (0–1), shape (n_models,).

        With the basis “folds” that of the fold in which the model was left out.
        """
        told = [m.estimate if m.fold is None else m.fold_estimates[m.fold] for m in self.known]  # type: ignore[index]
        return np.array(told) - self.scores

    @property
    def bias(self) -> float:
        """By how much estimates are too high (−1 to 1): the median of the known models' errors.

        It is taken off every new model's estimate. Of items drawn at random it is 0: there the
        estimate has none.
        """
        return 0.0 if self.basis == "random-items" else float(np.median(self.errors))

    @property
    def sha256(self) -> str:
        """SHA-256 (hex) of everything else, as it stands in the file."""
        return _sha256(self._parts())

    def to_json(self) -> str:
        """The file's text: the same micro-benchmark gives the same bytes."""
        parts = self._parts()
        lines = []
        for key, value in {**parts, "sha256": _sha256(parts)}.items():
            text = _dump(value)
            if key in ("items", "known"):
                # One item or model a line, so that a person can read the file and compare two.
                text = "[\n  " + ",\n  ".join(map(_dump, value)) + "\n ]"
            lines.append(f' "{key}": {text}')
        return "{\n" + ",\n".join(lines) + "\n}\n"

    def _parts(self) -> dict[str, Any]:
        head = {"format": FORMAT, "format_version": FORMAT_VERSION}
        return head | msgspec.to_builtins(self)


class _File(msgspec.Struct):
    """What every version of the file begins with."""

    format: Literal["mbnb micro-benchmark"]
    format_version: Literal[1]
    sha256: str


def read_micro_benchmark(path: str | Path) -> MicroBenchmark:
    """Read a frozen micro-benchmark from its JSON file.

    Raises
    ------
    InputError
        If the file is absent or no micro-benchmark, was changed after it was frozen, or is of
        another version of the format; the message names the file.

    Examples
    --------
    >>> import numpy as np, pandas as pd
    >>> from mbnb import ResponseMatrix, freeze
    >>> items = pd.DataFrame({"subtask": "s"}, index=pd.Index(["a", "b", "c"], name="item_id"))
    >>> models = pd.DataFrame(index=pd.Index(["m1", "m2"], name="model_id"))
    >>> scores = np.array([[1, 0, 1], [1, 1, 0]], np.uint8)
    >>> micro = freeze(ResponseMatrix(scores, models, items), "uniform", 2)
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "micro.json"
    ...     _ = path.write_text(micro.to_json(), encoding="utf-8")
    ...     read_micro_benchmark(path).sha256 == micro.sha256
    True
    """
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.") from None
    return parse_micro_benchmark(content.removeprefix(b"\xef\xbb\xbf"), str(path))


def parse_micro_benchmark(text: str | bytes, where: str = "the text") -> MicroBenchmark:
    """A frozen micro-benchmark from its JSON text; see `read_micro_benchmark`."""
    try:
        content = text.encode() if isinstance(text, str) else text
        head = msgspec.json.decode(content, type=_File)
        parts = msgspec.json.decode(content)
        named = {name: parts.pop(name) for name in _File.__struct_fields__}
        micro = msgspec.convert(parts, MicroBenchmark)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise InputError(
            f"{where} is no micro-benchmark of version {FORMAT_VERSION}, as `mbnb select` writes "
            f"it: {str(error).rstrip('.')}."
        ) from None
    # Of what stands in the file and not of what was made of it: 1 and 1.0 are not the same text.
    named.pop("sha256")
    if head.sha256 != _sha256(named | parts):
        raise InputError(
            f"{where} was changed after it was frozen (its sha256 does not fit its content); "
            "freeze it again with `mbnb select`."
        )
    return micro


def ids_text(micro: MicroBenchmark) -> str:
    """The item ids, one a line.

    Raises
    ------
    InputError
        If an id holds a line break.
    """
    for name in micro.item_ids:
        if len(name.splitlines()) != 1:
            raise InputError(f"item id {name!r} holds a line break, so ids cannot be lines.")
    return "\n".join(micro.item_ids) + "\n"


def csv_text(micro: MicroBenchmark) -> str:
    """A table of the items: item_id, weight, subtask, mean_score and what else is known."""
    rows = [msgspec.to_builtins(item) for item in micro.items]
    columns = [name for name in FrozenItem.__struct_fields__ if any(name in row for row in rows)]
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(["item_id", *columns[1:]])
    table.writerows([[row.get(name, "") for name in columns] for row in rows])
    return text.getvalue()


def samples_text(micro: MicroBenchmark) -> str:
    """The ``--samples`` of lm-evaluation-harness: JSON from task to ascending indices.

    Raises
    ------
    InputError
        If an item has no task, or a doc_id that is no whole number of 0 or above, or two items of
        a task share one.
    """
    samples: dict[str, list[int]] = {}
    for item in micro.items:
        if item.task is None or not isinstance(item.doc_id, int) or item.doc_id < 0:
            raise InputError(
                f"item '{item.id}' has task {item.task!r} and doc_id {item.doc_id!r}; "
                "the harness's --samples needs a task and a whole number for every item, which "
                "matrices read from its logs have."
            )
        if item.doc_id in samples.setdefault(item.task, []):
            raise InputError(
                f"task '{item.task}' has two items of doc_id {item.doc_id} (the second is "
                f"'{item.id}'), so the harness cannot tell them apart; each needs its own."
            )
        samples[item.task].append(item.doc_id)
    return json.dumps({task: sorted(samples[task]) for task in sorted(samples)}) + "\n"


def _dump(value: Any) -> str:
    """JSON on one line, floats so that they come back exactly."""
    return json.dumps(value, allow_nan=False, ensure_ascii=False)


def _sha256(parts: dict[str, Any]) -> str:
    """Of the content, whatever its white space and the order of its keys."""
    text = json.dumps(
        parts, allow_nan=False, ensure_ascii=False, sort_keys=True, separators=(",", ":")
    )
    return hashlib.sha256(text.encode()).hexdigest()
