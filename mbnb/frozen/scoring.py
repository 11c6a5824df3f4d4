"""Scores new models by a frozen micro-benchmark: estimate, interval, place; selects no item."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import overload

import numpy as np
import pandas as pd

from mbnb.data.errors import InputError
from mbnb.data.responses import ResponseMatrix
from mbnb.frozen.freeze import estimates_of
from mbnb.frozen.intervals import (
    check_level,
    error_bounds,
    exact_interval,
    gap_bound,
    models_needed,
    paired_test,
)
from mbnb.frozen.matching import answers_of, match
from mbnb.frozen.micro_benchmark import MicroBenchmark
from mbnb.methods.estimators import DECIMALS
from mbnb.methods.linear import LinearRule
from mbnb.methods.selectors import Selection

LEVEL = 0.95


@dataclass(frozen=True, eq=False)
class Scored:
    """A new model, scored.

    Attributes
    ----------
    model : str
    estimate : float
        Of its full score (0–1), the known models' bias taken off; within the interval.
    low, high : float
        Interval for the full score (0–1).
    level : float
        Share of repetitions in which such an interval holds the full score.
    basis : str
        What that rests on, in a sentence.
    place : int
        Among the known models by the answers to the same items; equal estimates share a place.
    best_place, worst_place : int
        1 + the number of known models surely above, and of all but those surely below.
    known_score : float or None
        Its full score, where it is itself one of the known models.
    pairs : DataFrame
        A row for each known model but itself, best full score first (then by id): ``model``,
        ``place`` (by full score among them; equal scores share one), ``score``, ``gap`` (estimated
        lead of the new model, 0–1), ``verdict`` of the new model: “above”, “below”, or “not told
        apart”; where items were drawn at random also ``wins``, ``losses`` (items only the one
        model answers correctly) and ``p_value``.
    notes : tuple of str
    """

    model: str
    estimate: float
    low: float
    high: float
    level: float
    basis: str
    place: int
    best_place: int
    worst_place: int
    known_score: float | None
    pairs: pd.DataFrame
    notes: tuple[str, ...]

    @property
    def not_told_apart(self) -> pd.DataFrame:
        """The pairs that cannot be told apart, nearest full score first."""
        rows = self.pairs[self.pairs["verdict"] == "not told apart"]
        distance = (rows["score"] - self.estimate).abs().round(DECIMALS)
        return rows.loc[distance.sort_values(kind="stable").index]


@overload
def score(
    micro: MicroBenchmark,
    answers: ResponseMatrix,
    *,
    level: float = LEVEL,
    extra: str = "error",
    unlike: str = "error",
) -> list[Scored]: ...


@overload
def score(
    micro: MicroBenchmark,
    answers: Mapping[str, float] | pd.Series,
    *,
    confidences: Mapping[str, float] | pd.Series | None = None,
    model: str = "new model",
    level: float = LEVEL,
    extra: str = "error",
    unlike: str = "error",
) -> Scored: ...


def score(
    micro: MicroBenchmark,
    answers: ResponseMatrix | Mapping[str, float] | pd.Series,
    *,
    confidences: Mapping[str, float] | pd.Series | None = None,
    model: str = "new model",
    level: float = LEVEL,
    extra: str = "error",
    unlike: str = "error",
) -> Scored | list[Scored]:
    """Estimate new models' full scores from their answers to a micro-benchmark's items.

    Parameters
    ----------
    micro : MicroBenchmark
    answers : ResponseMatrix, or mapping or Series from item id to score
        A matrix gives a result for each of its models. Answers are matched by item id; an array
        without ids is refused.
    confidences : mapping or Series from item id to confidence, optional
        Beside a mapping, where the estimator takes the mean of confidences.
    model : str
        Name for what a mapping holds.
    level : float
        Of the interval, and of each comparison with a known model.
    extra : {"error", "ignore"}
        What happens to answers to items that are not in the micro-benchmark.
    unlike : {"error", "accept"}
        What happens to a model whose answers do not go with the known models' at all, while almost
        all of these go with one another's: the sign of answers under wrong ids.

    Returns
    -------
    Scored, or list of Scored
        A list where a matrix was given.

    Raises
    ------
    InputError
        If an item is missing, unanswered, unknown or another one under the same id, or the answers
        are not of the kind that was frozen.
    """
    check_level(level)
    for name, value, allowed in (
        ("extra", extra, ("error", "ignore")),
        ("unlike", unlike, ("error", "accept")),
    ):
        if value not in allowed:
            raise InputError(f"{name} '{value}' is unknown; allowed: {', '.join(allowed)}.")
    several = isinstance(answers, ResponseMatrix)
    if isinstance(answers, ResponseMatrix):
        matrix = answers
    else:
        matrix = answers_of(answers, confidences, model, micro.binary)
    matrix, notes = match(micro, matrix, extra=extra, unlike=unlike)
    selection = Selection(np.arange(micro.size), micro.weights)
    learnt = micro.learnt
    rule = None if learnt is None else LinearRule(micro.intercept or 0.0, learnt)
    estimates = estimates_of(matrix, micro.estimator, selection, rule)
    ruler = _Ruler(micro, level)
    scored = [
        ruler.measure(str(name), float(value), matrix.scores[row], notes[row])
        for row, (name, value) in enumerate(zip(matrix.model_ids, estimates, strict=True))
    ]
    return scored if several else scored[0]


def typical_interval(micro: MicroBenchmark, level: float = LEVEL) -> tuple[float, float]:
    """Interval for the full score (0–1) that a middling new model would get.

    Middling is a model whose estimate is the known models' median.
    """
    value = float(np.median([model.estimate for model in micro.known]))
    answers = np.arange(micro.size) < round(value * micro.size)
    return _Ruler(micro, level).interval(value, answers)


class _Ruler:
    """What a micro-benchmark and a level say of any new model, worked out once."""

    def __init__(self, micro: MicroBenchmark, level: float) -> None:
        self.micro, self.level = micro, level
        known = micro.known
        self.ids = np.array([m.id for m in known], dtype=object)
        self.scores = micro.scores
        self.estimates = np.array([m.estimate for m in known])
        if micro.basis == "random-items":
            self.answers = np.array([list(m.answers or "") for m in known]) == "1"
            return
        if micro.basis == "same-items":
            groups = [(micro.errors, micro.errors)]
        else:
            fold = np.array([m.fold for m in known])
            table = np.array([m.fold_estimates for m in known]) - self.scores[:, None]
            groups = [(table[fold == f, f], table[fold != f, f]) for f in range(micro.n_folds)]
        self.bounds = error_bounds(micro.errors, level)
        self.gap = gap_bound(groups, level, own=micro.basis == "same-items")

    def measure(
        self, model: str, value: float, answers: np.ndarray, notes: tuple[str, ...]
    ) -> Scored:
        """Score one model.

        Parameters
        ----------
        model : str
        value : float
            Its estimate.
        answers : ndarray, shape (size,)
            Its scores on the selected items.
        notes : tuple of str
        """
        low, high = self.interval(value, answers)
        # A count of all items need not be the share of the drawn ones; the nearest that can be is.
        told = min(high, max(low, value - self.micro.bias))
        others = self.ids != model
        pairs = self._pairs(value, answers)[others]
        pairs = pairs.sort_values(["score", "model"], ascending=[False, True], kind="stable")
        pairs.insert(1, "place", pairs["score"].rank(method="min", ascending=False).astype(int))
        itself = self.scores[~others]
        if itself.size:
            notes = (
                f"{model} is itself one of the known models: its full score is "
                f"{100 * itself[0]:.2f} points, and it is not compared with itself.",
                *notes,
            )
        verdicts = pairs["verdict"]
        return Scored(
            model=model,
            estimate=told,
            low=low,
            high=high,
            level=self.level,
            basis=self._basis(),
            place=1 + int((pairs["gap"] < 0).sum()),
            best_place=1 + int((verdicts == "below").sum()),
            worst_place=1 + len(pairs) - int((verdicts == "above").sum()),
            known_score=float(itself[0]) if itself.size else None,
            pairs=pairs.reset_index(drop=True),
            notes=notes,
        )

    def interval(self, value: float, answers: np.ndarray) -> tuple[float, float]:
        """Interval for the full score of a model with this estimate and these answers."""
        micro = self.micro
        if micro.basis == "random-items":
            return exact_interval(int(answers.sum()), micro.size, micro.n_items, self.level)
        lowest, highest = self.bounds
        low, high = (min(1.0, max(0.0, value - error)) for error in (highest, lowest))
        return low, high

    def _pairs(self, value: float, answers: np.ndarray) -> pd.DataFrame:
        gap = np.round(value - self.estimates, DECIMALS)
        table = pd.DataFrame({"model": self.ids, "score": self.scores, "gap": gap})
        if self.micro.basis == "random-items":
            right = answers == 1
            table["wins"] = (right & ~self.answers).sum(axis=1)
            table["losses"] = (~right & self.answers).sum(axis=1)
            undrawn = self.micro.n_items - self.micro.size
            table["p_value"] = paired_test(
                table["wins"].to_numpy(), table["losses"].to_numpy(), undrawn
            )
            apart = (table["p_value"] <= 1 - self.level).to_numpy()
        else:
            apart = np.abs(gap) > self.gap
        apart = apart & (gap != 0)
        verdict = np.where(gap > 0, "above", "below")
        table["verdict"] = np.where(apart, verdict, "not told apart")
        return table

    def _basis(self) -> str:
        micro, share = self.micro, f"{100 * self.level:g} %"
        if micro.basis == "random-items":
            return (
                f"The {micro.size} items were drawn at random from {micro.n_items}, so the "
                f"interval holds the full score in at least {share} of draws, whatever the model "
                "(exact, hypergeometric)."
            )
        few = models_needed(self.level)
        if micro.n_models < few:
            return (
                f"{micro.n_models} known models are too few for an interval of {share}: {few} are "
                "needed. Nothing is claimed but 0 to 100 points, and no pair is told apart."
            )
        how = (
            f"of {micro.n_models} known models on these very items, which were selected without "
            "a look at answers"
            if micro.basis == "same-items"
            else f"of {micro.n_models} known models, each left out of all that was chosen or "
            f"learnt to estimate it ({micro.n_folds} folds)"
        )
        return (
            f"The interval rests on the errors {how}; it holds the full score in {share} of cases "
            "if the new model is like the known ones (conformal)."
        )
