"""The frozen micro-benchmark and its JSON file; selects no item and scores no model."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import msgspec
import numpy as np

from mbnb.data.errors import InputError
from mbnb.data.strict_json import content_sha256, dump, load

FORMAT = "mbnb micro-benchmark"
FORMAT_VERSION = 1
WEIGHT_TOLERANCE = 1e-9
# A file of 4,000 models and 1,000 items takes 5 MB; far more than that is something else.
MOST_BYTES = 256_000_000
# What an interval rests on; see `mbnb.frozen.scoring`.
Basis = Literal["random-items", "same-items", "folds"]


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

    id: str
    weight: float
    subtask: str
    mean_score: float
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
        From the answers to the selected items (0–1).
    answers : str, optional
        Answers to the selected items in their order, a 0 or a 1 each; with basis “random-items”.
    fold : int, optional
        The fold in which the model was left out; with basis “folds”.
    fold_estimates : tuple of float, optional
        Estimate from the items selected without each fold, shape (n_folds,).
    """

    id: str
    score: float
    estimate: float
    answers: str | None = None
    fold: int | None = None
    fold_estimates: tuple[float, ...] | None = None


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
    n_models: int
    n_items: int
    selector: str
    estimator: str
    size: int
    seed: int
    nested: bool
    binary: bool
    evidence: Literal["scores", "confidences"]
    basis: Basis
    n_folds: int
    unrelated_share: float
    notes: tuple[str, ...]
    items: tuple[FrozenItem, ...]
    known: tuple[KnownModel, ...]
    intercept: float | None = None

    def __post_init__(self) -> None:
        _check_items(self)
        _check_known(self)

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
    def sha256(self) -> str:
        """SHA-256 (hex) of everything else, as it stands in the file."""
        return content_sha256(self._parts())

    def to_json(self) -> str:
        """The file's text: the same micro-benchmark gives the same bytes."""
        parts = self._parts()
        lines = []
        for key, value in {**parts, "sha256": content_sha256(parts)}.items():
            text = dump(value)
            if key in ("items", "known"):
                # One item or model a line, so that a person can read the file and compare two.
                text = "[\n  " + ",\n  ".join(map(dump, value)) + "\n ]"
            lines.append(f' "{key}": {text}')
        return "{\n" + ",\n".join(lines) + "\n}\n"

    def _parts(self) -> dict[str, Any]:
        head = {"format": FORMAT, "format_version": FORMAT_VERSION}
        return head | msgspec.to_builtins(self)


def read_micro_benchmark(path: str | Path) -> MicroBenchmark:
    """Read a frozen micro-benchmark from its JSON file.

    Raises
    ------
    InputError
        If the file is absent or no micro-benchmark, was changed after it was frozen, or is of
        another version of the format; the message names the file.
    """
    path = Path(path)
    try:
        size = path.stat().st_size
        if size > MOST_BYTES:
            raise InputError(
                f"{path} has {size} bytes; a micro-benchmark has at most {MOST_BYTES}."
            )
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise InputError(f"{path} is not UTF-8 text; a micro-benchmark is a JSON file.") from None
    return parse_micro_benchmark(text, str(path))


def parse_micro_benchmark(text: str, where: str = "the text") -> MicroBenchmark:
    """A frozen micro-benchmark from its JSON text; see `read_micro_benchmark`."""
    parts = load(text, where)
    if not isinstance(parts, dict) or parts.pop("format", None) != FORMAT:
        raise InputError(
            f"{where} is no micro-benchmark: it must be a JSON object with "
            f'"format": "{FORMAT}", as `mbnb select` writes it.'
        )
    version = parts.pop("format_version", None)
    if version != FORMAT_VERSION or isinstance(version, bool):
        raise InputError(
            f"{where} has format_version {version!r}; this mbnb reads version {FORMAT_VERSION}."
        )
    told = parts.pop("sha256", None)
    try:
        micro = msgspec.convert(parts, MicroBenchmark)
    except msgspec.ValidationError as error:
        raise InputError(f"{where}: {str(error).rstrip('.')}.") from None
    # Of what stands in the file and not of what was made of it: 1 and 1.0 are not the same text.
    if told != content_sha256({"format": FORMAT, "format_version": FORMAT_VERSION, **parts}):
        raise InputError(
            f"{where} was changed after it was frozen (its sha256 does not fit its content); "
            "freeze it again with `mbnb select`."
        )
    return micro


def _check_items(micro: MicroBenchmark) -> None:
    ids = micro.item_ids
    if not 1 <= micro.size <= micro.n_items or len(ids) != micro.size:
        raise InputError(
            f"a micro-benchmark of size {micro.size} of {micro.n_items} items lists {len(ids)}; "
            "it must list as many as its size, from 1 to all."
        )
    _check_distinct(ids, "item")
    weights = micro.weights
    # Written so that a weight that is no number fails.
    if not (weights >= 0).all() or not abs(weights.sum() - 1) <= WEIGHT_TOLERANCE:
        raise InputError(
            f"weights must be non-negative and sum to 1; given: minimum {weights.min()}, sum "
            f"{weights.sum()}."
        )
    for item in micro.items:
        _check_share(item.mean_score, f"mean_score of item '{item.id}'")
        if (item.coefficient is None) != (micro.intercept is None):
            raise InputError(
                f"item '{item.id}' and the whole must both have what was learnt, a coefficient and "
                "an intercept, or neither."
            )
    learnt = micro.learnt
    if learnt is not None and not np.isfinite([*learnt, micro.intercept]).all():
        raise InputError("coefficients and intercept must be finite numbers.")


def _check_known(micro: MicroBenchmark) -> None:
    if not micro.known or len(micro.known) != micro.n_models:
        raise InputError(
            f"a micro-benchmark of {micro.n_models} known models lists {len(micro.known)}; it must "
            "list them all, at least one."
        )
    _check_distinct([model.id for model in micro.known], "model")
    _check_share(micro.unrelated_share, "unrelated_share")
    if micro.basis == "random-items" and (not micro.binary or micro.evidence != "scores"):
        raise InputError("the basis 'random-items' needs binary scores.")
    if (micro.n_folds >= 2) != (micro.basis == "folds") or micro.n_folds < 0 or micro.seed < 0:
        raise InputError(
            f"n_folds is {micro.n_folds} and seed {micro.seed} with basis '{micro.basis}'; folds "
            "are 2 or more with the basis 'folds' and 0 without, a seed is 0 or more."
        )
    for model in micro.known:
        where = f"of known model '{model.id}'"
        _check_share(model.score, f"score {where}")
        _check_share(model.estimate, f"estimate {where}")
        answers, fold, estimates = model.answers, model.fold, model.fold_estimates
        if (answers is not None) != (micro.basis == "random-items") or (
            answers is not None and (len(answers) != micro.size or set(answers) - {"0", "1"})
        ):
            raise InputError(
                f"answers {where} must be {micro.size} digits 0 or 1 with the basis "
                "'random-items', and be absent with another."
            )
        if micro.basis == "folds":
            fits = fold is not None and 0 <= fold < micro.n_folds
            fits = fits and estimates is not None and len(estimates) == micro.n_folds
        else:
            fits = fold is None and estimates is None
        if not fits:
            raise InputError(
                f"fold and fold_estimates {where} must be one of {micro.n_folds} folds and an "
                "estimate for each with the basis 'folds', and be absent with another."
            )
        for value in estimates or ():
            _check_share(value, f"a fold estimate {where}")


def _check_distinct(ids: list[str], what: str) -> None:
    seen: set[str] = set()
    for name in ids:
        if not name or name in seen:
            raise InputError(
                f"{what} id '{name}' stands more than once or is empty; ids must be unique."
            )
        seen.add(name)


def _check_share(value: float, what: str) -> None:
    if not 0 <= value <= 1:
        raise InputError(f"the {what} is {value}; allowed are 0 to 1.")
